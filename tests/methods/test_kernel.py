"""Fair kernel PCA: equal group means in feature space, the optimum there, and one answer by every route."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairstats
from fairstats.errors import InputError
from fairstats.methods import kernel_pca
from tests.methods.test_fair_pca import indicators, relative_gap


def sample(seed: int = 0, n: int = 90, p: int = 4, levels: int = 2) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    g = np.arange(n) % levels
    return rng.standard_normal((n, p)) * (1 + 0.5 * g[:, None]) + 0.8 * g[:, None], g


def centered(K: np.ndarray) -> np.ndarray:
    H = np.eye(len(K)) - 1 / len(K)
    return H @ K @ H


def rbf(X: np.ndarray, gamma: float) -> np.ndarray:
    return np.exp(-gamma * ((X[:, None] - X[None]) ** 2).sum(axis=-1))


@pytest.mark.parametrize("kernel", ["rbf", "polynomial", "linear", "sigmoid"])
@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("levels", [2, 4])
def test_scores_have_equal_group_means_where_kernel_pca_has_not(kernel: str, center: bool, levels: int) -> None:
    X, g = sample(levels=levels, p=6)
    fit = fairstats.fair_kernel_pca(X, g, k=2, kernel=kernel, center=center)
    assert relative_gap(fit.transform(X), indicators(g)) < 1e-9
    assert fit.guarantees[0].holds
    assert fit.diagnostics["directions_removed"] == levels - 1
    plain = np.linalg.eigh(centered(rbf(X, 0.1)))[1][:, -2:]
    assert relative_gap(plain, indicators(g)) > 0.1


def test_the_linear_kernel_is_linear_fair_pca() -> None:
    X, g = sample(1, p=6, levels=3)
    kernel, linear = fairstats.fair_kernel_pca(X, g, k=3, kernel="linear"), fairstats.fair_pca(X, g, k=3)
    np.testing.assert_allclose(kernel.energy, linear.energy, rtol=1e-10)
    np.testing.assert_allclose([kernel.total, kernel.pca_error], [linear.total, linear.pca_error], rtol=1e-10)
    new = sample(2, p=6)[0]
    np.testing.assert_allclose(np.abs(kernel.transform(new)), np.abs(linear.transform(new)), atol=1e-9)


def test_a_polynomial_kernel_is_fair_pca_of_the_monomials() -> None:
    """(xᵀy + 1)² has the features x_i², √2 x_i x_j, √2 x_i, 1: the degree that is asked for is the one that is used."""
    X, g = sample(3, p=2)
    a, b = X.T
    F = np.column_stack([a**2, b**2, np.sqrt(2) * a * b, np.sqrt(2) * a, np.sqrt(2) * b])
    kernel = fairstats.fair_kernel_pca(X, g, k=3, kernel="polynomial", gamma=1.0, degree=2, coef0=1.0)
    np.testing.assert_allclose(kernel.energy, fairstats.fair_pca(F, g, k=3).energy, rtol=1e-9)
    cubic = fairstats.fair_kernel_pca(X, g, k=3, kernel="polynomial", gamma=1.0, degree=3, coef0=1.0)
    assert not np.allclose(cubic.energy, kernel.energy, rtol=0.1)


@given(st.integers(0, 10_000), st.booleans())
@settings(max_examples=20, deadline=None)
def test_no_function_of_equal_group_means_explains_more(seed: int, center: bool) -> None:
    """Functions Σ α_i k(x_i, ·) with αᵀKα = 1 and ZᵀKα = 0: ‖Kα‖² of random ones, and of ours disturbed."""
    X, g = sample(seed % 1000, n=40, levels=3)
    K = centered(rbf(X, 0.2)) if center else rbf(X, 0.2)
    fit = fairstats.fair_kernel_pca(X, g, k=1, gamma=0.2, center=center)
    rng, Z = np.random.default_rng(seed), indicators(g)
    M = np.linalg.pinv(Z.T @ K @ Z, rcond=1e-12)
    for size in (1e-3, 1.0, 1e3):
        alpha = np.linalg.lstsq(K, fit.transform(X), rcond=1e-12)[0][:, 0]
        alpha = alpha / np.linalg.norm(alpha) + size * rng.standard_normal(40) / 40
        alpha = alpha - Z @ (M @ (Z.T @ (K @ alpha)))
        length = alpha @ K @ alpha
        assert np.abs(Z.T @ K @ alpha).max() < 1e-9 * np.linalg.norm(K @ alpha) * 40
        assert ((K @ alpha) ** 2).sum() / length <= fit.energy[0] * (1 + 1e-9)


def test_equals_the_generalized_eigenproblem_of_the_paper() -> None:
    """max αᵀK²α s.t. αᵀKα = 1, ZᵀKα = 0, through an explicit null space of ZᵀK."""
    from scipy import linalg

    X, g = sample(4, levels=3)
    K = centered(rbf(X, 0.3)) + 0.0
    R = linalg.null_space(np.vstack([indicators(g).T @ K, np.ones(len(K))]), rcond=1e-10)
    energies = linalg.eigh(R.T @ K @ K @ R, R.T @ K @ R, eigvals_only=True)[::-1][:4]
    np.testing.assert_allclose(fairstats.fair_kernel_pca(X, g, k=4, gamma=0.3).energy, energies, rtol=1e-7)


def test_transform_of_the_training_rows_has_the_stated_energy_and_new_rows_do_not_depend_on_each_other() -> None:
    X, g = sample(5)
    fit = fairstats.fair_kernel_pca(X, g, k=3)
    S = fit.transform(X)
    np.testing.assert_allclose(S.T @ S, np.diag(fit.energy), atol=1e-9)
    np.testing.assert_allclose(S.mean(axis=0), 0, atol=1e-12)
    new = sample(6)[0]
    np.testing.assert_allclose(
        np.vstack([fit.transform(new[:7]), fit.transform(new[7:])]), fit.transform(new), atol=1e-13
    )


def test_extra_error_is_against_kernel_pca_of_the_same_k() -> None:
    X, g = sample(7)
    fit = fairstats.fair_kernel_pca(X, g, k=3, gamma=0.2)
    K = centered(rbf(X, 0.2))
    np.testing.assert_allclose(fit.total, np.trace(K), rtol=1e-12)
    np.testing.assert_allclose(fit.pca_error, np.trace(K) - np.linalg.eigvalsh(K)[-3:].sum(), rtol=1e-10)
    assert fit.extra_error > 0


@pytest.mark.parametrize("n_landmarks", [None, 25])
def test_weights_are_repeated_rows(n_landmarks: int | None) -> None:
    X, g = sample(8)
    times = np.random.default_rng(0).integers(1, 4, len(X))
    weighted = fairstats.fair_kernel_pca(X, g, k=2, weights=times, scale=True)
    repeated = fairstats.fair_kernel_pca(np.repeat(X, times, axis=0), np.repeat(g, times), k=2, scale=True)
    np.testing.assert_allclose(weighted.energy, repeated.energy, rtol=1e-9)
    np.testing.assert_allclose(np.abs(weighted.transform(X)), np.abs(repeated.transform(X)), atol=1e-8)


@pytest.mark.parametrize("center", [True, False])
def test_landmarks_at_every_row_are_the_exact_kernel(center: bool) -> None:
    X, g = sample(9, levels=3)
    exact, all_rows = (fairstats.fair_kernel_pca(X, g, k=3, center=center, n_landmarks=m) for m in (None, len(X)))
    np.testing.assert_allclose(all_rows.energy, exact.energy, rtol=1e-9)
    np.testing.assert_allclose([all_rows.total, all_rows.pca_error], [exact.total, exact.pca_error], rtol=1e-8)
    new = sample(10)[0]
    np.testing.assert_allclose(np.abs(all_rows.transform(new)), np.abs(exact.transform(new)), atol=1e-7)


def test_few_landmarks_keep_the_guarantee_and_come_close(monkeypatch: pytest.MonkeyPatch) -> None:
    X, g = sample(11, n=400, levels=3)
    exact = fairstats.fair_kernel_pca(X, g, k=2)
    few = fairstats.fair_kernel_pca(X, g, k=2, n_landmarks=120, seed=1)
    assert few.guarantees[0].holds and relative_gap(few.transform(X), indicators(g)) < 1e-9
    np.testing.assert_allclose(few.energy, exact.energy, rtol=0.05)
    assert np.all(few.energy <= exact.energy * (1 + 1e-9))
    again, other = (fairstats.fair_kernel_pca(X, g, k=2, n_landmarks=120, seed=s) for s in (1, 2))
    np.testing.assert_array_equal(again.kernel_map.coefficients, few.kernel_map.coefficients)
    assert not np.allclose(other.energy, few.energy, rtol=1e-9)
    for module in ("kernel_pca", "kernel_result"):
        monkeypatch.setattr(f"fairstats.methods.{module}.CHUNK", 70)
    chunked = fairstats.fair_kernel_pca(X, g, k=2, n_landmarks=120, seed=1)
    np.testing.assert_allclose(chunked.energy, few.energy, rtol=1e-9)
    np.testing.assert_allclose(np.abs(chunked.transform(X)), np.abs(few.transform(X)), atol=1e-7)


def test_landmarks_are_linear_fair_pca_of_their_features() -> None:
    """Williams & Seeger's map φ(x) = K_bb^(−1/2) k_b(x), each factor formed."""
    X, g = sample(20, n=300, levels=3)
    fit = fairstats.fair_kernel_pca(X, g, k=3, gamma=0.3, n_landmarks=30)
    cross = np.exp(-0.3 * ((X[:, None] - (fit.basis + fit.kernel_map.shift)[None]) ** 2).sum(axis=-1))
    values, V = np.linalg.eigh(rbf(fit.basis, 0.3))
    features = cross @ (V / np.sqrt(values)) @ V.T
    linear = fairstats.fair_pca(features, g, k=3)
    np.testing.assert_allclose(fit.energy, linear.energy, rtol=1e-7)
    np.testing.assert_allclose(np.abs(fit.transform(X)), np.abs(linear.transform(features)), atol=1e-6)


@pytest.mark.parametrize("size", [1.0, 1e-7, 1e7])
def test_landmarks_at_every_row_are_the_exact_linear_kernel_in_any_units(size: float) -> None:
    """A kernel of low rank, whose other directions are rounding: in small units they are not more than the data are."""
    X, g = sample(5, n=60, p=3)
    exact, all_rows = (fairstats.fair_kernel_pca(size * X, g, k=2, kernel="linear", n_landmarks=m) for m in (None, 60))
    np.testing.assert_allclose(all_rows.energy, exact.energy, rtol=1e-7)
    assert all_rows.total == pytest.approx(exact.total, rel=1e-7)


def test_landmarks_of_groups_with_equal_means_lose_nothing() -> None:
    """Every row and its opposite: no direction is of the groups, and none that rounding makes is taken for one."""
    rows = np.random.default_rng(9).standard_normal((10, 4)) * [2, 1.5, 1, 0.5]
    X, g = np.vstack([rows, -rows, rows[:, ::-1], -rows[:, ::-1]]), np.repeat(["a", "b"], 20)
    for landmarks in (40, 20):
        fit = fairstats.fair_kernel_pca(X, g, k=2, kernel="linear", n_landmarks=landmarks)
        assert fit.diagnostics["directions_removed"] == 0 and "nothing was removed" in fit.notes[0]
        assert fit.extra_error == pytest.approx(0, abs=1e-6 * fit.total)


def test_a_continuous_attribute_is_uncorrelated_with_the_scores(rng: np.random.Generator) -> None:
    X, _ = sample(12)
    age = X[:, 0] + rng.standard_normal(len(X))
    fit = fairstats.fair_kernel_pca(X, fairstats.continuous(age, "age"), k=3)
    assert relative_gap(fit.transform(X), (age - age.mean())[:, None]) < 1e-10


@pytest.mark.parametrize("n_landmarks", [None, 20])
def test_components_beyond_the_rank_are_zero_and_said_so(n_landmarks: int | None) -> None:
    X, g = sample(13, p=3)
    fit = fairstats.fair_kernel_pca(X, g, k=4, kernel="linear", n_landmarks=n_landmarks)
    assert fit.diagnostics["rank"] == 2
    np.testing.assert_array_equal(fit.energy[2:], 0)
    np.testing.assert_array_equal(fit.transform(X)[:, 2:], 0)
    assert any("2 components are 0" in note for note in fit.notes)


def test_repeated_rows_are_a_degenerate_kernel_without_harm() -> None:
    X, g = sample(14, n=10)
    X, g = np.repeat(X, 6, axis=0), np.repeat(g, 6)
    fit = fairstats.fair_kernel_pca(X, g, k=12)
    assert fit.diagnostics["rank"] == 8  # ten points, less the mean and one direction of the groups
    assert fit.guarantees[0].holds and np.isfinite(fit.transform(X)).all()


def test_equal_groups_leave_nothing_to_remove() -> None:
    X, _ = sample(15)
    X, g = np.vstack([X, X]), np.repeat([0, 1], len(X))
    fit = fairstats.fair_kernel_pca(X, g, k=3, gamma=0.2)
    assert fit.diagnostics["directions_removed"] == 0
    np.testing.assert_allclose(fit.energy, np.linalg.eigvalsh(centered(rbf(X, 0.2)))[::-1][:3], rtol=1e-10)
    assert abs(fit.extra_error) < 1e-9


@pytest.mark.parametrize("kernel", [{"kernel": "sigmoid", "gamma": 0.5}, {"kernel": "polynomial", "coef0": -2.0}])
def test_an_indefinite_kernel_is_cut_to_its_positive_part(kernel: dict[str, Any]) -> None:
    X, g = sample(16)
    fit = fairstats.fair_kernel_pca(X, g, k=2, **kernel)
    assert 0 < fit.diagnostics["clipped"] < 1
    share = f"{100 * fit.diagnostics['clipped']:.2g}% of its spectrum was negative"
    assert any("indefinite" in note and share in note for note in fit.notes)
    S = fit.transform(X)
    np.testing.assert_allclose(S.T @ S, np.diag(fit.energy), atol=1e-8 * fit.energy[0])


def test_held_out_scores_come_from_fits_on_the_other_fold() -> None:
    X, g = sample(17)
    fold = np.arange(len(X)) // 2 % 2
    kept = fairstats.fair_kernel_pca(X, g, k=2, gamma=0.2).crossfit(X, g, folds=fold)
    part = fairstats.fair_kernel_pca(X[fold == 1], g[fold == 1], k=2, gamma=0.2)
    np.testing.assert_allclose(kept.scores[fold == 0], part.transform(X[fold == 0]), atol=1e-10)
    assert kept.scores.shape == (len(X), 2)
    assert np.isfinite(
        fairstats.fair_kernel_pca(X, g, k=2, n_landmarks=80).crossfit(X, g).scores
    ).all()  # of 45 rows a fold


def test_frames_are_matched_by_name_and_scaling_is_that_of_the_fit() -> None:

    X, g = sample(18)
    frame = pd.DataFrame(X, columns=list("abcd")).assign(g=g)
    fit = fairstats.fair_kernel_pca(frame, "g", k=2, scale=True)
    Y = (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)
    same = fairstats.fair_kernel_pca(Y, g, k=2)
    np.testing.assert_allclose(fit.transform(frame[list("dcba")]), same.transform(Y), atol=1e-11)


def test_verbs_agree_with_each_other_and_the_fit_survives_saving(tmp_path: Any) -> None:
    X, g = sample(19)
    fit = fairstats.fair_kernel_pca(X, g, k=2)
    assert fit.to_dict()["energy"] == fit.energy.tolist()
    assert fit.glance().loc[0, "extra_error"] == fit.extra_error
    assert set(fit.tidy()["metric"]) == {"variance share", "R2", "extra error", "guarantee"}
    text = fit.summary()
    assert "rbf" in text and "equal group means" in text and max(map(len, text.splitlines())) <= 80
    back = fairstats.load(fit.save(tmp_path / "fit.npz"))
    np.testing.assert_allclose(back.transform(X), fit.transform(X), atol=1e-15)


BAD = {
    "kernel": ({"kernel": "polynomail"}, "did you mean 'polynomial'"),
    "gamma": ({"gamma": 0.0}, "gamma has 0.0; it"),
    "degree": ({"kernel": "polynomial", "degree": 2.5}, "degree has 2.5; it is a whole number"),
    "coef0": ({"coef0": float("nan")}, "coef0 has nan; it is a finite number"),
    "k": ({"k": 90}, "k has 90; it can be 1 to 88"),
    "n_landmarks": ({"n_landmarks": 91}, "n_landmarks has 91; it can be 1 to 90"),
    "k of landmarks": ({"n_landmarks": 5, "k": 5}, "k has 5; it can be 1 to 4"),
    "indefinite landmarks": ({"kernel": "sigmoid", "n_landmarks": 10}, "positive definite"),
    "no groups": ({"groups": None}, "groups is missing"),
}


@pytest.mark.parametrize(("change", "message"), BAD.values(), ids=BAD)
def test_bad_input_is_named(change: dict[str, Any], message: str) -> None:
    X, g = sample()
    with pytest.raises(InputError, match=message):
        fairstats.fair_kernel_pca(**{"X": X, "groups": g, "k": 2, **change})


def test_moments_nonfinite_rows_and_too_many_of_them_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    X, g = sample()
    with pytest.raises(InputError, match="a kernel needs the rows"):
        fairstats.fair_kernel_pca(fairstats.Moments.of(X, g), g, k=2)
    fit = fairstats.fair_kernel_pca(X, g, k=2)
    X[3, 1] = np.nan
    for call in (lambda: fairstats.fair_kernel_pca(X, g, k=2), lambda: fit.transform(X)):
        with pytest.raises(InputError, match="row 4; column x2"):
            call()
    monkeypatch.setattr("fairstats.methods.kernel_pca.MOST_ROWS", 50)
    with pytest.raises(InputError, match="pass n_landmarks="):
        fairstats.fair_kernel_pca(sample()[0], g, k=2)


def test_reconstruct_says_why_it_is_not_there() -> None:
    X, g = sample()
    with pytest.raises(InputError, match="no pre-image"):
        fairstats.fair_kernel_pca(X, g, k=2).reconstruct(X)


def test_equal_opportunity_is_the_fit_of_the_people_of_positive_outcome() -> None:
    rng = np.random.default_rng(8)
    g, y = rng.choice(["a", "b"], 120), rng.integers(0, 2, 120)
    X = rng.standard_normal((120, 4)) + np.outer((g == "b") & (y == 1), [1.0, 0, 2, 0])
    for options in ({}, {"n_landmarks": 20}, {"kernel": "linear"}):
        fit = fairstats.fair_kernel_pca(X, g, 2, y=y, target="equal_opportunity", gamma=0.1, **options)
        part = fairstats.fair_kernel_pca(X[y == 1], g[y == 1], 2, gamma=0.1, **options)
        np.testing.assert_allclose(fit.transform(X), part.transform(X), atol=1e-12)
        means = [fit.transform(X)[(g == v) & (y == 1)].mean(axis=0) for v in "ab"]
        assert np.ptp(means, axis=0).max() < 1e-9
        assert "among rows with y=1" in fit.guarantees[0].statement and "Equal opportunity" in fit.notes[-1]
    with pytest.raises(InputError, match="y is missing; target='equal_opportunity'"):
        fairstats.fair_kernel_pca(X, g, target="equal_opportunity")
    with pytest.raises(InputError, match="y goes with target='equal_opportunity' only"):
        fairstats.fair_kernel_pca(X, g, y=y)


@pytest.mark.parametrize("n_landmarks", [None, 20])
def test_a_default_width_that_one_column_decides_is_refused_by_its_name(n_landmarks: int | None) -> None:
    """A Unix time among unit columns: no answer without a scale is that of rescaled data, so none is given."""
    rng = np.random.default_rng(0)
    g = rng.choice(["a", "b"], 60)
    X = pd.DataFrame(rng.standard_normal((60, 3)) + (g == "a")[:, None], columns=["u", "v", "stamp"])
    options = {"n_landmarks": n_landmarks}
    near = fairstats.fair_kernel_pca(X, g, scale=True, **options)
    X["stamp"] = 1.7e9 + X["stamp"]
    with pytest.raises(InputError, match=r"features' means \('stamp' is far from .*pass scale=True, or gamma="):
        fairstats.fair_kernel_pca(X, g, **options)
    X["stamp"] = 1e7 * (X["stamp"] - 1.7e9)
    with pytest.raises(InputError, match=r"the feature 'stamp' makes up 100% of the features' .*scale=True"):
        fairstats.fair_kernel_pca(X, g, **options)
    X["stamp"] += 1.7e9
    result = fairstats.fair_kernel_pca(X, g, scale=True, **options)
    np.testing.assert_allclose(result.energy, near.energy, rtol=1e-6)
    assert fairstats.fair_kernel_pca(X, g, gamma=1e-14, **options).k == 2
    constant = X.assign(u=0.0, v=0.0)  # columns that never vary lose nothing
    assert fairstats.fair_kernel_pca(constant - constant.mean(), g, **options).k == 2


@pytest.mark.parametrize("weighted", [False, True])
def test_a_trade_off_with_the_linear_kernel_is_that_of_fair_pca(weighted: bool) -> None:
    X, g = sample(3, p=7)
    w = np.random.default_rng(0).uniform(0.3, 2, len(X)) if weighted else None
    linear = fairstats.fair_pca(X, g, 2, tradeoff=0.3, weights=w)
    fit = fairstats.fair_kernel_pca(X, g, 2, kernel="linear", tradeoff=0.3, weights=w)
    ours, theirs = fit.transform(X), linear.transform(X)
    np.testing.assert_allclose(np.abs(ours), np.abs(theirs), atol=1e-9)
    np.testing.assert_allclose(fit.energy, linear.energy, rtol=1e-9)
    assert fit.error == pytest.approx(linear.error, rel=1e-9)
    assert fit.pca_error == pytest.approx(linear.pca_error, rel=1e-9)
    assert fit.diagnostics["blocks"] == (2, 2) and fit.diagnostics["dimension"] == linear.diagnostics["dimension"]
    assert fit.settings["k"] == 2 and fit.k == 4 and fit.guarantees[0].holds


def test_a_trade_off_by_landmarks_is_the_exact_one_where_every_row_is_one_and_0_is_none() -> None:
    X, g = sample(5, n=40)
    exact = fairstats.fair_kernel_pca(X, g, 2, gamma=0.2, tradeoff=0.7)
    every = fairstats.fair_kernel_pca(X, g, 2, gamma=0.2, tradeoff=0.7, n_landmarks=40)
    np.testing.assert_allclose(np.abs(every.transform(X)), np.abs(exact.transform(X)), atol=1e-6)
    assert every.error == pytest.approx(exact.error, rel=1e-6)
    plain = fairstats.fair_kernel_pca(X, g, 2, gamma=0.2)
    np.testing.assert_allclose(exact.transform(X)[:, :2], plain.transform(X), atol=1e-12)
    gaps = [np.abs(np.diff([exact.transform(X)[g == v].mean(axis=0) for v in (0, 1)], axis=0)).max(axis=0)]
    assert gaps[0][:2].max() < 1e-12 < 0.01 < gaps[0][2:].max()
    assert exact.error < plain.error and exact.pca_error < plain.pca_error
    assert fairstats.fair_kernel_pca(X, g, 2, gamma=0.2, tradeoff=0).k == 2
    for options in ({}, {"n_landmarks": 10}):
        nothing = fairstats.fair_kernel_pca(np.ones((40, 3)), g, 2, tradeoff=0.5, **options)
        assert nothing.k == 4 and nothing.error == pytest.approx(0.0, abs=1e-9) and nothing.guarantees[0].holds
    with pytest.raises(InputError, match="tradeoff has"):
        fairstats.fair_kernel_pca(X, g, 2, tradeoff=1.5)


def test_held_out_scores_of_a_trade_off_keep_the_fair_ones_apart() -> None:
    X, g = sample(7, levels=3)
    folds = np.arange(len(X)) // 3 % 3
    kept = fairstats.fair_kernel_pca(X, g, 2, gamma=0.2, tradeoff=0.5).crossfit(X, g, folds=folds)
    for f in range(3):
        part = fairstats.fair_kernel_pca(X[folds != f], g[folds != f], 2, gamma=0.2, tradeoff=0.5).transform(
            X[folds == f]
        )
        for block in (slice(0, 2), slice(2, 4)):  # a turn within a block keeps the products of its rows
            ours, current = kept.scores[folds == f][:, block], part[:, block]
            np.testing.assert_allclose(ours @ ours.T, current @ current.T, atol=1e-10)


@pytest.mark.parametrize("n_landmarks", [None, 20])
def test_a_summary_says_whether_the_kernel_is_whole(n_landmarks: int | None) -> None:
    X, g = sample()
    text = fairstats.fair_kernel_pca(X, g, 2, n_landmarks=n_landmarks).summary()
    assert ("Nyström approximation" in text) == (n_landmarks is not None)


@pytest.mark.parametrize("unit", [1e-60, 1.0, 1e60])
def test_which_width_is_too_large_does_not_hang_on_the_unit_of_the_data(unit: float) -> None:
    X, g = sample(n=30)
    X = X / np.abs(X - X.mean(axis=0)).max() * unit
    fit = fairstats.fair_kernel_pca(X, g, 2, gamma=1e149 / unit**2)
    np.testing.assert_allclose(fit.energy, 1.0)  # no row is near another: every direction is as good as every other
    with pytest.raises(InputError, match="no number holds gamma times their products"):
        fairstats.fair_kernel_pca(X, g, 2, gamma=1e151 / unit**2)


@pytest.mark.parametrize("size", [1e4, 1e7, 1e9, 1e11])
def test_however_far_one_column_is_ahead_the_others_are_missed(size: float) -> None:
    X, g = sample()
    X[:, 1] *= size
    with pytest.raises(InputError, match=r"the feature 'x2' makes up 100% of the features'"):
        fairstats.fair_kernel_pca(X, g, 2)


@pytest.mark.parametrize("seed", range(3))
def test_what_rounding_leaves_of_a_constant_column_is_no_spread_that_a_width_drowns(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.ones(9), 1000)
    X = np.column_stack([rng.uniform(-1, 1, 1000), shares.sum(axis=1)])  # they add up to 1, but for rounding
    assert 0 < np.ptp(X[:, 1]) < 1e-14
    assert fairstats.fair_kernel_pca(X, rng.choice(["a", "b"], 1000), 1, n_landmarks=10).k == 1


def test_the_correlation_that_is_promised_to_be_0_is_the_largest() -> None:
    rng = np.random.default_rng(1)
    Z, scores = rng.standard_normal((50, 2)), rng.standard_normal((50, 3))
    scores[:, 1] = Z[:, 0] + 0.1 * scores[:, 1]
    cosines = [abs(z @ s) / np.linalg.norm(z) / np.linalg.norm(s) for z in Z.T for s in scores.T]
    assert kernel_pca._correlation(scores, Z) == pytest.approx(max(cosines)) and max(cosines) > 0.9
    assert kernel_pca._correlation(np.zeros((50, 1)), Z) == 0.0
