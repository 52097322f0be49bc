"""LEACE: no correlation is left, no affine map does it with less change, and no route changes the answer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import fairstats
from fairstats.errors import InputError
from tests.methods.test_fair_pca import indicators, relative_gap, sample


@pytest.mark.parametrize("levels", [2, 4])
@pytest.mark.parametrize("scale", [False, True])
def test_adjusted_features_are_uncorrelated_with_the_groups_where_the_raw_are_not(levels: int, scale: bool) -> None:
    X, g = sample(levels=levels)
    fit = fairstats.leace(X, g, scale=scale)
    assert relative_gap(X, indicators(g)) > 0.1
    assert relative_gap(fit.transform(X), indicators(g)) < 1e-12
    assert fit.guarantees[0].holds and fit.rank == levels - 1
    np.testing.assert_allclose(fit.transform(X).mean(axis=0), X.mean(axis=0), atol=1e-12)


def test_several_attributes_and_a_continuous_one_at_once(rng: np.random.Generator) -> None:
    X, g = sample(1)
    age = X[:, 0] + rng.standard_normal(len(X))
    h = rng.integers(0, 3, len(X))
    fit = fairstats.leace(X, {"g": g, "h": h, "age": fairstats.continuous(age)})
    assert relative_gap(fit.transform(X), np.column_stack([indicators(g, h), age - age.mean()])) < 1e-12
    assert fit.rank == 4


@given(st.integers(0, 10_000), st.integers(2, 4))
@settings(max_examples=30, deadline=None)
def test_equals_the_published_formula_with_a_matrix_square_root(seed: int, levels: int) -> None:
    """r(x) = x − W⁺ P_{WΣ_xz} W (x − μ), W = Σ_xx^(−1/2), each factor formed."""
    X, g = sample(seed, n=80, levels=levels)
    Xc, Z = X - X.mean(axis=0), indicators(g)[:, 1:]
    values, V = np.linalg.eigh(Xc.T @ Xc)
    W, back = (V / np.sqrt(values)) @ V.T, (V * np.sqrt(values)) @ V.T
    B = W @ Xc.T @ Z
    P = B @ np.linalg.pinv(B)
    np.testing.assert_allclose(fairstats.leace(X, g).transform(X), X - Xc @ (back @ P @ W).T, atol=1e-8)


@given(st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_no_affine_map_without_correlation_changes_the_data_less(seed: int) -> None:
    X, g = sample(seed, levels=3)
    Xc, Z = X - X.mean(axis=0), indicators(g)
    fit = fairstats.leace(X, g)
    np.testing.assert_allclose(((X - fit.transform(X)) ** 2).sum(), fit.error, rtol=1e-10)
    S = Xc.T @ Z
    free = np.eye(7) - S @ np.linalg.pinv(S)  # x ↦ Mx erases exactly when M Σ_xz = 0
    rng = np.random.default_rng(seed)
    for size in (1e-4, 1e-1, 1.0):
        M = fit.matrix + size * rng.standard_normal((7, 7)) @ free
        assert np.abs(Z.T @ (Xc @ M.T)).max() < 1e-8 * np.abs(S).max() + 1e-9
        assert ((Xc - Xc @ M.T) ** 2).sum() >= fit.error * (1 - 1e-12)


def test_it_is_the_least_change_in_every_inner_product_so_units_do_not_matter() -> None:
    X, g = sample(2, levels=3)
    A = np.random.default_rng(0).standard_normal((7, 7))
    np.testing.assert_allclose(
        fairstats.leace(X @ A, g).transform(X @ A), fairstats.leace(X, g).transform(X) @ A, atol=1e-9
    )
    units = 10.0 ** np.array([-9, -6, -3, 0, 3, 6, 9])
    np.testing.assert_allclose(
        fairstats.leace(X * units, g).transform(X * units) / units, fairstats.leace(X, g).transform(X), atol=1e-9
    )
    np.testing.assert_allclose(
        fairstats.leace(X, g, scale=True).transform(X), fairstats.leace(X, g).transform(X), atol=1e-11
    )


def test_erasing_twice_is_erasing_once() -> None:
    X, g = sample(3, levels=3)
    fit = fairstats.leace(X, g)
    np.testing.assert_allclose(fit.right @ fit.left, np.eye(2), atol=1e-12)
    np.testing.assert_allclose(fit.transform(fit.transform(X)), fit.transform(X), atol=1e-11)
    again = fairstats.leace(fit.transform(X), g)
    np.testing.assert_allclose(again.transform(X), X, atol=1e-10)


def test_canonical_correlations_are_those_of_two_sets_of_variables() -> None:
    X, g = sample(4, levels=4)
    Qx, Qz = (np.linalg.qr(M - M.mean(axis=0))[0] for M in (X, indicators(g)[:, 1:]))
    np.testing.assert_allclose(fairstats.leace(X, g).canonical, np.linalg.svd(Qx.T @ Qz)[1] ** 2, rtol=1e-9)


def test_moments_of_chunks_give_the_whole_map() -> None:
    X, g = sample(5, levels=3)
    parts = fairstats.Moments.of(X[:60], g[:60], by_cell=False) + fairstats.Moments.of(X[60:], g[60:], by_cell=False)
    np.testing.assert_allclose(fairstats.leace(parts).matrix, fairstats.leace(X, g).matrix, atol=1e-11)


@pytest.mark.parametrize("p", [7, 200])
def test_weights_are_repeated_rows(p: int) -> None:
    X, g = sample(6, n=60, p=p)
    times = np.random.default_rng(0).integers(1, 4, 60)
    weighted, repeated = (
        fairstats.leace(X, g, weights=times),
        fairstats.leace(np.repeat(X, times, axis=0), np.repeat(g, times)),
    )
    np.testing.assert_allclose(weighted.transform(X), repeated.transform(X), atol=1e-8)


def test_a_large_common_mean_costs_no_digits() -> None:
    X, g = sample(7)
    X = np.round(X * 2.0**20) / 2.0**20  # so that adding the mean rounds nothing away
    far = fairstats.leace(X + 2.0**30, g)
    np.testing.assert_allclose(far.transform(X + 2.0**30) - 2.0**30, fairstats.leace(X, g).transform(X), atol=1e-5)
    assert far.guarantees[0].holds


def test_more_columns_than_rows_are_residuals_on_the_groups_in_sample() -> None:
    X, g = sample(8, n=40, p=90, levels=3)
    fit = fairstats.leace(X, g)
    means = np.array([X[g == a].mean(axis=0) for a in range(3)])
    np.testing.assert_allclose(fit.transform(X), X - means[g] + X.mean(axis=0), atol=1e-9)
    np.testing.assert_allclose(fit.canonical, 1.0, atol=1e-9)
    assert "held-out rows" in fit.notes[0]
    same = fairstats.leace(fairstats.Moments.of(X, g))
    np.testing.assert_allclose(same.transform(X), fit.transform(X), atol=1e-5)
    assert same.guarantees[0].holds


def test_a_rank_deficient_table_is_erased_within_its_rank() -> None:
    X, g = sample(9, p=4)
    L = np.random.default_rng(1).standard_normal((4, 9))
    fit = fairstats.leace(X @ L, g)
    np.testing.assert_allclose(fit.transform(X @ L), fairstats.leace(X, g).transform(X) @ L, atol=1e-8)
    assert fit.guarantees[0].holds


def test_a_constant_feature_stays_as_it_is() -> None:
    X, g = sample(10)
    X[:, 3] = 5.0
    fit = fairstats.leace(X, g)
    np.testing.assert_allclose(fit.transform(X)[:, 3], 5.0, atol=1e-12)
    assert fit.guarantees[0].holds


def test_equal_group_means_leave_the_data_alone() -> None:
    X, _ = sample(11)
    X, g = np.vstack([X, X]), np.repeat([0, 1], len(X))
    fit = fairstats.leace(X, g)
    assert fit.rank == 0 and fit.error == 0 and "nothing was changed" in fit.notes[0]
    np.testing.assert_array_equal(fit.transform(X), X)
    reduced = fairstats.leace_pca(X, g, k=3)
    np.testing.assert_allclose(reduced.loadings, fairstats.pca(X, g, k=3).loadings, atol=1e-10)


@pytest.mark.parametrize("p", [7, 80])
@pytest.mark.parametrize("scale", [False, True])
def test_with_k_it_is_pca_of_the_adjusted_features(p: int, scale: bool) -> None:
    X, g = sample(12, n=60, p=p, levels=3)
    X = X * 0.9 ** np.arange(p)
    fit = fairstats.leace_pca(X, g, k=3, scale=scale)
    Y = (X - X.mean(axis=0)) / (X.std(axis=0, ddof=1) if scale else 1)
    A = fairstats.leace(Y, g).transform(Y)
    plain = fairstats.pca(A, k=3)
    np.testing.assert_allclose(fit.transform(X), plain.transform(A), atol=1e-7 * np.abs(A).max())
    np.testing.assert_allclose(fit.energy, plain.energy, rtol=1e-8)
    np.testing.assert_allclose(((Y - fit.transform(X) @ fit.loadings.T) ** 2).sum(), fit.error, rtol=1e-8)
    np.testing.assert_allclose(fit.pca_error, fairstats.pca(Y, k=3).error, rtol=1e-8)
    assert relative_gap(fit.transform(X), indicators(g)) < 1e-8
    assert all(guarantee.holds for guarantee in fit.guarantees)


def test_k_at_its_maximum_reconstructs_the_adjusted_features() -> None:
    X, g = sample(13, levels=3)
    np.testing.assert_allclose(
        fairstats.leace_pca(X, g, k=5).reconstruct(X), fairstats.leace(X, g).transform(X), atol=1e-9
    )
    with pytest.raises(InputError, match="k has 6; it can be 1 to 5"):
        fairstats.leace_pca(X, g, k=6)


@pytest.mark.parametrize("k", [None, 2])
def test_held_out_rows_are_erased_by_maps_that_have_not_seen_them(k: int | None) -> None:
    X, g = sample(14)
    fold = np.arange(len(X)) % 2
    kept = (fairstats.leace_pca(X, g, k) if k else fairstats.leace(X, g)).crossfit(X, g, folds=fold)
    part = fairstats.leace_pca(X[fold == 1], g[fold == 1], k) if k else fairstats.leace(X[fold == 1], g[fold == 1])
    np.testing.assert_allclose(kept.scores[fold == 0], part.transform(X[fold == 0]), atol=1e-9)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("offset", [1e2, 1e4, 1e8])
@pytest.mark.parametrize("columns", [1, 60])
def test_means_far_from_0_do_not_blow_up_rows_that_the_fit_has_not_seen(
    offset: float, columns: int, weighted: bool
) -> None:
    """The centered rows span n − 1 directions; rounding of the means made it n, and divided by the square of that."""
    r = np.random.default_rng(4)
    X, new, g = r.normal(size=(50, 60)), r.normal(size=(20, 60)), np.arange(50) % 2
    w = r.integers(0, 3, 50).astype(float) + r.random(50) if weighted else None
    moved = np.where(np.arange(60) < columns, offset, 0.0)
    plain, far = fairstats.leace(X, g, weights=w), fairstats.leace(X + moved, g, weights=w)
    assert all(x.holds for x in far.guarantees)
    tolerance = 1e3 * np.finfo(float).eps * offset
    np.testing.assert_allclose(far.transform(new + moved) - moved, plain.transform(new), atol=max(tolerance, 1e-10))
    few, near = fairstats.leace_pca(X + moved, g, 2, weights=w), fairstats.leace_pca(X, g, 2, weights=w)
    np.testing.assert_allclose(few.transform(new + moved), near.transform(new), atol=max(1e2 * tolerance, 1e-7))


def test_tables_are_matched_by_name_and_sparse_rows_are_taken() -> None:
    import pandas as pd
    from scipy import sparse

    X, g = sample(15, p=4)
    frame = pd.DataFrame(X, columns=list("abcd")).assign(g=g)
    fit = fairstats.leace(frame, "g")
    np.testing.assert_allclose(
        fit.transform(frame[["d", "b", "a", "c"]]), fairstats.leace(X, g).transform(X), atol=1e-12
    )
    np.testing.assert_allclose(
        fairstats.leace(sparse.csr_array(X), g).transform(sparse.csr_array(X)), fit.transform(frame), atol=1e-11
    )


def test_verbs_agree_with_each_other_and_the_fit_survives_saving(tmp_path: Any) -> None:
    X, g = sample(16, levels=3)
    fit = fairstats.leace(X, g, scale=True)
    assert fit.to_dict()["canonical"] == fit.canonical.tolist()
    assert fit.glance().loc[0, "rank"] == 2
    assert fit.tidy()["estimate"].tolist()[:2] == fit.canonical.tolist()
    text = fit.summary()
    assert "uncorrelated" in text or "correlation" in text
    assert max(map(len, text.splitlines())) <= 80
    np.testing.assert_array_equal(fit.reconstruct(X), fit.transform(X))
    back = fairstats.load(fit.save(tmp_path / "map.npz"))
    np.testing.assert_allclose(back.transform(X), fit.transform(X), atol=1e-14)


def test_bad_input_is_named() -> None:
    X, g = sample()
    with pytest.raises(InputError, match="groups is missing; leace erases them"):
        fairstats.leace(X)
    with pytest.raises(InputError, match="k has 0; it"):
        fairstats.leace_pca(X, g, k=0)
    fit = fairstats.leace(X, g)
    X[2, 1] = np.inf
    with pytest.raises(InputError, match="row 3; column x2"):
        fit.transform(X)
    with pytest.raises(InputError, match="X has 3 columns and the fit 7"):
        fit.transform(X[:, :3])


def test_shrinkage_erases_these_rows_as_well_and_new_ones_better_where_rows_are_few() -> None:
    """60 rows of 50 features: the least change follows their noise, and leaves more of the shift in new rows."""
    rng = np.random.default_rng(0)
    left = {True: [], False: []}
    for _ in range(20):
        g = rng.choice(["a", "b"], 1060)
        X = rng.standard_normal((1060, 50)) + (g == "a")[:, None] * np.linspace(0, 0.6, 50)
        for shrinkage in left:
            fit = fairstats.leace(X[:60], g[:60], shrinkage=shrinkage)
            assert all(x.holds for x in fit.guarantees)
            result = fit.transform(X)
            means = [result[60:][g[60:] == v].mean(axis=0) for v in "ab"]
            left[shrinkage].append(float(np.sum((means[0] - means[1]) ** 2)))
    wins = np.less(left[True], left[False])
    assert wins.sum() >= 18 and np.mean(left[True]) < 0.95 * np.mean(left[False])


def test_shrinkage_of_an_orthogonal_projection_is_refused() -> None:
    X, g = np.random.default_rng(0).standard_normal((30, 3)), np.tile(["a", "b"], 15)
    with pytest.raises(InputError, match="shrinkage has True, and an orthogonal projection asks for no covariances"):
        fairstats.leace(X, g, shrinkage=True, projection="orthogonal")
    result = fairstats.leace(X, g, projection="orthogonal")  # the feature side of fair PCA
    np.testing.assert_allclose(
        result.transform(X) @ fairstats.fair_pca(X, g, 2).loadings, X @ fairstats.fair_pca(X, g, 2).loadings
    )
    with pytest.warns(fairstats.FairstatsWarning, match="leaves nothing"):
        one = fairstats.leace(X[:, :1], g, shrinkage=True)  # of one feature there is nothing to draw to
    np.testing.assert_allclose(one.transform(X[:, :1]), X[:, :1].mean() * np.ones((30, 1)))


def least(X: np.ndarray, g: np.ndarray) -> tuple[float, float]:
    """The least change of X, relative to its squares, and the squared canonical correlation, by QR of the rows."""
    Xc, z = X - X.mean(axis=0), g - g.mean()
    Q = np.linalg.qr(Xc / np.linalg.norm(Xc, axis=0))[0]
    fitted = Q @ (Q.T @ z)
    return float(np.sum((fitted @ Xc) ** 2) / (fitted @ fitted) / np.sum(Xc**2)), float(fitted @ fitted / (z @ z))


@pytest.mark.parametrize("scale", [False, True])
@pytest.mark.parametrize("powers", [3, 4, 5])
def test_nearly_collinear_features_move_no_more_than_they_must(powers: int, scale: bool) -> None:
    rng = np.random.default_rng(1)
    year = rng.integers(1990, 2021, 400).astype(float)
    t = (year - 2005) / 15
    g = (rng.random(400) < 1 / (1 + np.exp(-3 * np.cos(3 * np.pi * t)))).astype(int)
    X = np.column_stack([year**j for j in range(1, powers + 1)])
    # The span of the powers is that of the centered year's, which are well apart.
    canonical = least(np.column_stack([t**j for j in range(1, powers + 1)]), g)[1]
    moved = least(X / X.std(axis=0, ddof=1) if scale else X, g)[0]
    fit = fairstats.leace(X, g, scale=scale)
    assert fit.canonical[0] == pytest.approx(canonical, rel=1e-4)
    assert fit.error / fit.total == pytest.approx(moved, rel=1e-3)
    assert np.sum((X - fit.transform(X)) ** 2) == pytest.approx(fit.error, rel=1e-4) or scale
    assert [q.statement[:12] for q in fit.guarantees][1] == "least change" and all(q.holds for q in fit.guarantees)
    assert all(q.holds for q in fairstats.leace_pca(X, g, 1, scale=scale).guarantees)
    if powers == 3:
        reported = fairstats.leace(fairstats.Moments.of(X, g), scale=scale)
        assert reported.error / reported.total == pytest.approx(moved, rel=1e-4)
        assert all(q.holds for q in reported.guarantees)
        return
    with pytest.warns(
        fairstats.FairstatsWarning, match=r"least change: .* may explain .* fit from rows, not from moments"
    ):
        reported = fairstats.leace(fairstats.Moments.of(X, g), scale=scale)
    assert reported.error / reported.total > 1.5 * moved
    assert reported.guarantees[0].holds and not reported.guarantees[1].holds
    assert "DOES NOT HOLD: least change" in reported.summary()


@pytest.mark.parametrize("scale", [False, True])
@pytest.mark.parametrize("by_cell", [False, True])
def test_features_that_are_combinations_of_others_hide_nothing_from_moments(by_cell: bool, scale: bool) -> None:
    """Indicators of all levels, a copy, a sum far from 0: rows are factored themselves and say how much must move."""
    rng = np.random.default_rng(3)
    n = 600
    g = rng.integers(0, 2, n)
    age = rng.integers(18, 70, n) + 3.0 * g
    income = rng.lognormal(10, 1, n) * (1 + 0.2 * g)
    far = 1e8 + rng.normal(size=(n, 2)) + g[:, None]
    x, noise = rng.normal(size=(2, n))
    two = np.hstack([np.eye(4)[rng.integers(0, 4, n)], np.eye(30)[rng.integers(0, 30, n)]])
    tables = {
        "levels": np.column_stack([two, age]),
        "incomes": np.column_stack([income, np.log(income), income**2, income, income / 3 + age]),
        "sum": np.column_stack([far, far.sum(axis=1), np.full(n, 0.1)]),
        "near": np.column_stack([x, x + 1e-6 * (g + noise)]),
    }
    for name, X in tables.items():
        if scale and name == "sum":
            X = X[:, :3]
        parts = [fairstats.Moments.of(X[i::3], g[i::3], by_cell=by_cell) for i in range(3)]
        fit, rows = fairstats.leace(parts[0] + parts[1] + parts[2], scale=scale), fairstats.leace(X, g, scale=scale)
        assert all(q.holds for q in fit.guarantees), (name, fit.guarantees)
        near = 1e-3 if name == "near" else 1e-7
        assert fit.error / fit.total == pytest.approx(rows.error / rows.total, rel=near), name
        assert fit.canonical[0] == pytest.approx(rows.canonical[0], rel=near), name


@pytest.mark.parametrize("gap", [1e-8, 1e-9])
@pytest.mark.parametrize("others", [0, 6])
def test_a_difference_that_moments_lose_is_no_combination(gap: float, others: int) -> None:
    rng = np.random.default_rng(4)
    g = rng.integers(0, 2, 500)
    x = rng.normal(size=500)
    levels = np.eye(6)[rng.integers(0, 6, 500)][:, :others]
    X = np.column_stack([x, x + gap * (g + rng.normal(size=500)), levels])
    with pytest.warns(fairstats.FairstatsWarning, match="least change"):
        fit = fairstats.leace(fairstats.Moments.of(X, g))
    assert not fit.guarantees[1].holds and fit.error > 1.5 * fairstats.leace(X, g).error


@pytest.mark.parametrize("gap", [1e-6, 1e-8])
def test_two_features_whose_difference_is_the_group(gap: float) -> None:
    g = np.arange(200) % 2
    x = np.random.default_rng(1).standard_normal(200) + 0.2 * g
    fit = fairstats.leace(np.column_stack([x, x + gap * g]), g)
    between = np.var([x[g == a].mean() for a in (0, 1)]) / np.var(x)
    assert fit.error / fit.total == pytest.approx(between, rel=1e-5)
    assert fit.canonical[0] == pytest.approx(1.0, rel=1e-5) and all(q.holds for q in fit.guarantees)


def test_among_all_others_the_column_of_few_people_is_what_was_erased_and_a_note_says_so() -> None:
    """Adult's armed forces, three people: a linear probe had an AUC of 0.93, and 0.52 without such columns."""
    rng = np.random.default_rng(1)
    of_a = rng.random(2000) < 0.5
    X = np.column_stack([of_a + 0.3 * rng.normal(size=2000), rng.normal(size=2000), np.zeros(2000)])
    X[np.flatnonzero(of_a)[:4], 2] = 1.0
    fit = fairstats.leace(X, np.where(of_a, "a", "b"))
    others = X[:, 2] == 0
    erased = (X - fit.transform(X))[others, 0]
    assert abs(np.corrcoef(fit.transform(X)[others, 2], erased)[0, 1]) == pytest.approx(1, abs=1e-9)
    assert abs(np.corrcoef(fit.transform(X)[others, 2], of_a[others])[0, 1]) > 0.8
    (note,) = [text for text in fit.notes if "rows differ from all others" in text]
    assert note.startswith("Fewer than 10 rows differ from all others in 1 of 3 features (x3: 4).")
    spread = fairstats.leace(sparse.csr_matrix(X), np.where(of_a, "a", "b"))
    assert note in spread.notes
    assert not any(
        "differ from all others" in text for text in fairstats.leace(X[:, :2], np.where(of_a, "a", "b")).notes
    )


@pytest.mark.long
def test_columns_in_which_too_few_rows_differ_are_named_where_they_let_the_group_be_told_again() -> None:
    rng = np.random.default_rng(0)
    people = pd.DataFrame({"g": rng.choice(["a", "b"], 2000, p=[0.6, 0.4]), "job": rng.choice(["x", "y"], 2000)})
    people["a"] = rng.standard_normal(2000) + (people["g"] == "b")
    people.loc[people.index[people["g"] == "a"][:12], "job"] = "zookeeper"
    people["won"] = np.where(people["a"] + rng.standard_normal(2000) > 0, "yes", "no")
    asked = {"outcome": "won", "groups": "g", "features": "~ a + job", "positive": "yes", "n_repeats": 3}
    erased = fairstats.compare(people, methods=["none", "leace"], progress=False, **asked)
    named = [note for note in erased.notes if "too few rows differ" in note]
    assert len(named) == 1 and named[0].startswith("leace: ") and "(jobzookeeper: 12)" in named[0]
    assert "join their levels with others" in named[0]
    plain = fairstats.compare(people, methods=["none", "og"], progress=False, **asked)
    assert not [note for note in plain.notes if "too few" in note]
    german = fairstats.report(erased, language="de").html
    assert "In einigen Variablen unterscheiden sich zu wenige Zeilen von allen anderen" in german
    fit = fairstats.leace("~ a + job", "g", data=people)
    held_out = fit.crossfit(people)
    assert "jobzookeeper: 12" in held_out.notes[0]
    found = fairstats.leakage(held_out)
    shown = any(r.metric == "AUC of linear probe" and r.verdict == "disparity shown" for r in found.estimates)
    assert shown and found.statements[-1] == held_out.notes[0] and "jobzookeeper: 12" in " ".join(str(found).split())
    assert not fairstats.leace("~ a", "g", data=people).crossfit(people).notes


@pytest.mark.parametrize("levels", [2, 3])
def test_where_as_much_is_erased_as_there_is_all_rows_are_the_same_and_the_fit_says_so(levels: int) -> None:
    rng = np.random.default_rng(levels)
    g = np.arange(90) % levels
    X = rng.standard_normal((90, levels - 1)) * 3e4 + 1e5 + 1e4 * g[:, None]
    with pytest.warns(fairstats.FairstatsWarning, match="leace leaves nothing of the features: it erases as many"):
        fit = fairstats.leace(X, g)
    assert np.unique(fit.transform(X), axis=0).tolist() == [fit.scaling.center.tolist()]
    assert not fit.matrix.any() and "leaves nothing of the features" in fit.notes[0]
    features = "1 feature, 1 direction erased" if levels == 2 else "2 features, 2 directions erased"
    assert f"90 rows, {features}, none left" in str(fit)
    with pytest.raises(InputError, match=f"has {features.split(',')[0]} and 90 rows, .* no component is left"):
        fairstats.leace_pca(X, g, k=1)
    more = fairstats.leace(np.column_stack([X, rng.standard_normal(90)]), g)
    assert "none left" not in str(more) and not any("leaves nothing" in note for note in more.notes)
