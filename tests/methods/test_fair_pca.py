"""Fair PCA: the constraint holds (and fails before), nothing feasible explains more, all routes agree."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import linalg

import fairstats
from fairstats.data.centered import centered
from fairstats.data.design import Design
from fairstats.errors import InputError
from fairstats.methods.fair_pca import equal_means


def sample(seed: int = 0, n: int = 150, p: int = 7, levels: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """Rows whose mean and spread depend on the group."""
    rng = np.random.default_rng(seed)
    g = rng.integers(0, levels, n)
    X = rng.standard_normal((n, p)) * rng.uniform(0.5, 2.0, p) @ rng.standard_normal((p, p))
    return X * (1 + 0.3 * g[:, None]) + g[:, None] * rng.standard_normal(p) + (g[:, None] == 1) * rng.uniform(size=p), g


def indicators(*columns: np.ndarray) -> np.ndarray:
    Z = np.hstack([pd.get_dummies(pd.Series(c)).to_numpy(float) for c in columns])
    return Z - Z.mean(axis=0)


def projector(U: np.ndarray) -> np.ndarray:
    return U @ U.T


def explicit(X: np.ndarray, Z: np.ndarray, k: int) -> tuple[np.ndarray, float]:
    """The textbook route: a null space by SVD, PCA inside it."""
    Xc = X - X.mean(axis=0)
    R = linalg.null_space(Z.T @ Xc, rcond=1e-9)
    values, A = np.linalg.eigh(R.T @ Xc.T @ Xc @ R)
    return R @ A[:, ::-1][:, :k], float(values[::-1][:k].sum())


def relative_gap(S: np.ndarray, Z: np.ndarray) -> float:
    """The largest |correlation| of a score with an indicator."""
    Sc, kept = S - S.mean(axis=0), Z[:, np.abs(Z).sum(axis=0) > 0]
    return float(np.abs(Sc.T @ kept / np.outer(np.linalg.norm(Sc, axis=0), np.linalg.norm(kept, axis=0))).max())


@pytest.mark.parametrize("levels", [2, 4])
@pytest.mark.parametrize("scale", [False, True])
def test_scores_have_equal_group_means_where_those_of_pca_have_not(levels: int, scale: bool) -> None:
    X, g = sample(levels=levels)
    fair, plain = (f(X, g, k=3, scale=scale) for f in (fairstats.fair_pca, fairstats.pca))
    assert relative_gap(fair.transform(X), indicators(g)) < 1e-12
    assert relative_gap(plain.transform(X), indicators(g)) > 0.1
    assert fair.guarantees[0].holds
    assert fair.diagnostics["directions_removed"] == levels - 1


def test_several_attributes_an_intersection_and_a_continuous_one_at_once(rng: np.random.Generator) -> None:
    X, g = sample(3, p=9)
    h, age = rng.integers(0, 3, len(X)), rng.uniform(20, 60, len(X))
    X = X + 0.1 * age[:, None] * rng.standard_normal(9) + h[:, None]
    data = pd.DataFrame(X).rename(columns=lambda c: f"v{c}").assign(g=g, h=h, age=age)
    names = [f"v{j}" for j in range(9)]
    both = fairstats.fair_pca(names, ["g", "h", fairstats.continuous("age")], k=2, data=data)
    Z = np.column_stack([indicators(g, h), age - age.mean()])
    assert relative_gap(both.transform(data).to_numpy(), Z) < 1e-12
    np.testing.assert_allclose(both.total - both.error, explicit(X, Z, 2)[1], rtol=1e-10)
    crossed = fairstats.fair_pca(names, "g:h", k=2, data=data)
    assert relative_gap(crossed.transform(data).to_numpy(), indicators(g * 3 + h)) < 1e-12
    assert relative_gap(both.transform(data).to_numpy(), indicators(g * 3 + h)) > 1e-3


@given(st.integers(0, 10_000), st.integers(2, 4), st.integers(1, 3))
@settings(max_examples=40, deadline=None)
def test_equals_pca_inside_an_explicit_null_space(seed: int, levels: int, k: int) -> None:
    X, g = sample(seed, n=60, levels=levels)
    fit = fairstats.fair_pca(X, g, k=k)
    _, best = explicit(X, indicators(g), k)
    np.testing.assert_allclose(fit.total - fit.error, best, rtol=1e-10)
    Xc = X - X.mean(axis=0)
    np.testing.assert_allclose(((Xc - fit.transform(X) @ fit.loadings.T) ** 2).sum(), fit.error, rtol=1e-10)


@given(st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_no_feasible_loadings_explain_more(seed: int) -> None:
    X, g = sample(seed, levels=3)
    fit, Xc = fairstats.fair_pca(X, g, k=2), X - X.mean(axis=0)
    R = linalg.null_space(indicators(g).T @ Xc, rcond=1e-9)
    rng = np.random.default_rng(seed)
    ours = ((Xc @ fit.loadings) ** 2).sum()
    for size in (1e-4, 1e-2, 1.0):
        U = np.linalg.qr(R @ (R.T @ (fit.loadings + size * rng.standard_normal(fit.loadings.shape))))[0]
        assert ((Xc @ U) ** 2).sum() <= ours * (1 + 1e-12)


def test_price_is_what_pca_of_the_same_k_explains_more() -> None:
    X, g = sample(5)
    fit, plain = fairstats.fair_pca(X, g, k=3), fairstats.pca(X, g, k=3)
    np.testing.assert_allclose(fit.pca_error, plain.error, rtol=1e-12)
    assert 0 < fit.extra_error < fit.total


def test_orthonormal_loadings_and_uncorrelated_scores() -> None:
    X, g = sample(6)
    fit = fairstats.fair_pca(X, g, k=4)
    np.testing.assert_allclose(fit.loadings.T @ fit.loadings, np.eye(4), atol=1e-14)
    S = fit.transform(X)
    np.testing.assert_allclose(S.T @ S, np.diag(fit.energy), atol=1e-10 * fit.total)
    np.testing.assert_allclose(S, (X - X.mean(axis=0)) @ fit.loadings, atol=1e-12)


def test_moments_of_chunks_give_the_whole_fit() -> None:
    X, g = sample(7, levels=3)
    whole = fairstats.fair_pca(X, g, k=2, scale=True)
    parts = sum(
        (fairstats.Moments.of(X[i : i + 40], g[i : i + 40]) for i in range(40, 150, 40)),
        fairstats.Moments.of(X[:40], g[:40]),
    )
    merged = fairstats.fair_pca(parts, k=2, scale=True)
    np.testing.assert_allclose(merged.loadings, whole.loadings, atol=1e-12)
    np.testing.assert_allclose(merged.extra_error, whole.extra_error, rtol=1e-9)


def test_weights_are_repeated_rows() -> None:
    """Of equal means; covariances are unbiased, and weights there are relative (`tests/laws/test_weights.py`)."""
    X, g = sample(8)
    times = np.random.default_rng(0).integers(1, 4, len(X))
    weighted = fairstats.fair_pca(X, g, k=2, weights=times)
    repeated = fairstats.fair_pca(np.repeat(X, times, axis=0), np.repeat(g, times), k=2)
    np.testing.assert_allclose(weighted.loadings, repeated.loadings, atol=1e-11)


def test_a_large_common_mean_costs_no_digits() -> None:
    X, g = sample(9)
    near, far = fairstats.fair_pca(X, g, k=2), fairstats.fair_pca(X + 1e8, g, k=2)
    np.testing.assert_allclose(projector(far.loadings), projector(near.loadings), atol=1e-6)
    assert far.guarantees[0].holds


def test_names_of_groups_and_order_of_rows_do_not_matter(rng: np.random.Generator) -> None:
    X, g = sample(10, levels=3)
    order = rng.permutation(len(X))
    a, b = fairstats.fair_pca(X, g, k=2), fairstats.fair_pca(X[order], np.array(["zeta", "a", "m"])[g[order]], k=2)
    np.testing.assert_allclose(a.loadings, b.loadings, atol=1e-12)


def test_more_columns_than_rows(rng: np.random.Generator) -> None:
    n, p = 40, 120
    g = np.arange(n) % 3
    X = rng.standard_normal((n, p)) * 0.9 ** np.arange(p) + g[:, None] * rng.standard_normal(p)
    fit = fairstats.fair_pca(X, g, k=3)
    assert relative_gap(fit.transform(X), indicators(g)) < 1e-10
    np.testing.assert_allclose(fit.total - fit.error, explicit(X, indicators(g), 3)[1], rtol=1e-9)
    np.testing.assert_allclose(fit.pca_error, fairstats.pca(X, k=3).error, rtol=1e-9)
    same = fairstats.fair_pca(fairstats.Moments.of(X, g), k=3)
    np.testing.assert_allclose(projector(same.loadings), projector(fit.loadings), atol=1e-7)


def test_as_many_components_as_the_rows_of_wide_data_carry(rng: np.random.Generator) -> None:
    X, g = rng.standard_normal((12, 30)), np.arange(12) % 3
    fit = fairstats.fair_pca(X, g, k=9)
    assert fit.guarantees[0].holds
    np.testing.assert_allclose(fit.loadings.T @ fit.loadings, np.eye(9), atol=1e-10)
    M = np.linalg.svd((X - X.mean(axis=0)).T @ indicators(g))[0][:, :2]
    np.testing.assert_allclose(fit.error, ((X - X.mean(axis=0)) @ M @ M.T).__pow__(2).sum(), rtol=1e-8)


def test_a_rank_deficient_table_keeps_the_constraint_beyond_its_rank() -> None:
    X, g = sample(11, p=4)
    X = X @ np.random.default_rng(1).standard_normal((4, 9))
    fit = fairstats.fair_pca(X, g, k=8)
    Q = np.linalg.qr((X - X.mean(axis=0)).T @ indicators(g)[:, :1])[0]
    assert np.abs(Q.T @ fit.loadings).max() < 1e-10
    assert fit.guarantees[0].holds
    np.testing.assert_allclose(fit.energy[3:], 0, atol=1e-9 * fit.total)


@pytest.mark.parametrize("levels", [2, 3])
def test_at_the_largest_k_only_the_directions_of_the_means_are_lost(levels: int) -> None:
    X, g = sample(12, levels=levels)
    r = levels - 1
    fit = fairstats.fair_pca(X, g, k=7 - r)
    Q = np.linalg.svd((X - X.mean(axis=0)).T @ indicators(g))[0][:, :r]
    np.testing.assert_allclose(projector(fit.loadings), np.eye(7) - projector(Q), atol=1e-10)
    with pytest.raises(InputError, match=rf"k has {8 - r}; it can be 1 to {7 - r}"):
        fairstats.fair_pca(X, g, k=8 - r)


@pytest.mark.parametrize("size", [1.0, 1e6, 1e-6])
def test_equal_group_means_leave_nothing_to_remove(size: float) -> None:
    X, _ = sample(13)
    X, g = np.vstack([X, X]) * size, np.repeat([0, 1], len(X))
    fit, plain = fairstats.fair_pca(X, g, k=3), fairstats.pca(X, g, k=3)
    assert fit.diagnostics["directions_removed"] == 0
    np.testing.assert_allclose(fit.loadings, plain.loadings, atol=1e-12)
    assert any("nothing was removed" in note for note in fit.notes)


def test_a_small_difference_of_means_is_still_removed() -> None:
    X, _ = sample(14)
    X, g = np.vstack([X, X]), np.repeat([0, 1], len(X))
    X[g == 1, 0] += 1e-7
    fit = fairstats.fair_pca(X, g, k=6)
    assert fit.diagnostics["directions_removed"] == 1
    assert np.abs(fit.loadings[0]).max() < 1e-6


@pytest.mark.parametrize("shape", [(300, 20), (50, 120)])
def test_sparse_rows_give_the_dense_fit(shape: tuple[int, int]) -> None:
    from scipy import sparse

    X = sparse.random_array(shape, density=0.2, rng=np.random.default_rng(1), format="csr")
    g = np.arange(shape[0]) % 3
    np.testing.assert_allclose(
        fairstats.fair_pca(X, g, k=3).loadings, fairstats.fair_pca(X.toarray(), g, k=3).loadings, atol=1e-9
    )


def test_a_component_without_variation_has_no_share_of_the_groups(rng: np.random.Generator) -> None:
    fit = fairstats.fair_pca(rng.standard_normal((12, 30)), np.arange(12) % 3, k=10)
    np.testing.assert_allclose(fit.energy[9], 0, atol=1e-20)
    assert np.all(fit.group_share < 1e-12) and fit.guarantees[0].holds


BAD = {
    "no groups": ({"groups": None}, "groups is missing"),
    "no component left": (
        {"X": [[0, 0], [0, 1], [1, 0], [1, 3.0]], "groups": list("aabc"), "k": 1},
        "no component is left",
    ),
    "equalize": ({"equalize": "variance"}, "equalize has 'variance'; the choices are"),
    "target": ({"target": "odds"}, "target has 'odds'; the choices are"),
    "l for means": ({"directions": 3}, "goes with equalize='covariance' only"),
    "no l": ({"equalize": "covariance"}, "directions is missing"),
    "l < k": ({"equalize": "covariance", "directions": 1}, "directions has 1; it can be 2 to 6"),
    "l > p - r": ({"equalize": "covariance", "directions": 7}, "directions has 7; it"),
    "fraction too small": ({"equalize": "covariance", "directions": 0.1}, "directions has 0.1, 0 of 7 features"),
    "tradeoff": ({"tradeoff": 1.5}, "tradeoff has 1.5; it"),
    "no y": ({"target": "equal_opportunity"}, "y is missing"),
    "no such label": (
        {"target": "equal_opportunity", "y": ["n"] * 150, "positive": "p"},
        "positive='p' is not a label",
    ),
    "k = 0": ({"k": 0}, "k has 0; it"),
}


@pytest.mark.parametrize(("change", "message"), BAD.values(), ids=BAD)
def test_bad_input_is_named(change: dict[str, object], message: str) -> None:
    X, g = sample()
    with pytest.raises(InputError, match=message):
        fairstats.fair_pca(**{"X": X, "groups": g, "k": 2, **change})


def test_pooled_moments_cannot_compare_covariances() -> None:
    X, g = sample()
    with pytest.raises(InputError, match="by_cell=True"):
        fairstats.fair_pca(fairstats.Moments.of(X, g, by_cell=False), k=2, equalize="covariance", directions=4)


def test_summary_states_the_guarantee_and_the_price() -> None:
    X, g = sample()
    text = fairstats.fair_pca(X, g, k=2).summary()
    assert "equal group means" in text and "holds" in text and "extra error" in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("unit", [1.0, 1e-5, 1e4])
def test_the_promise_is_seen_failing_by_the_correlation_that_it_names(unit: float) -> None:
    X, g = sample()
    X = X * unit
    plain = fairstats.pca(X, g, 3)
    seen = equal_means(centered(Design.of(X, g)), plain.loadings, plain.energy, "parity", None)
    assert seen.value == pytest.approx(relative_gap(plain.transform(X), indicators(g)), rel=1e-9)
    assert not seen.holds


@pytest.mark.parametrize("weight", [None, 0.0, 0.5])
@pytest.mark.parametrize("target", ["parity", "equal_opportunity"])
def test_scores_and_features_are_called_uncorrelated_with_the_groups_only_where_they_are(
    weight: float | None, target: str
) -> None:
    rng = np.random.default_rng(0)
    g = rng.integers(0, 2, 400)
    y = (rng.random(400) < 0.3 + 0.3 * g).astype(int)
    X = rng.standard_normal((400, 6)) @ rng.standard_normal((6, 6)) + np.outer(g, np.arange(6)) + np.outer(y, [2] * 6)
    outcome = {"y": y, "target": target} if target == "equal_opportunity" else {}
    fit = fairstats.fair_pca(X, g.astype(str), 2, tradeoff=weight, **outcome)
    columns = np.column_stack([fit.transform(X), fit.reconstruct(X)])
    largest = np.abs(np.corrcoef(columns.T, g)[-1, :-1]).max()
    assert ("uncorrelated with the groups" in " ".join(fit.notes)) == (largest < 1e-9)
