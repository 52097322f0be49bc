"""What OG guarantees, on data that violate it before."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import fairstats
from fairstats.errors import FairstatsWarning, InputError
from fairstats.reporting.sections.fits import scree_of


def confounded(rng: np.random.Generator, n: int = 240, p: int = 8, G: int = 3) -> tuple[np.ndarray, np.ndarray]:
    g = rng.integers(0, G, n)
    shift = rng.standard_normal((G, p))
    return rng.standard_normal((n, p)) @ np.diag(np.linspace(3, 0.5, p)) + shift[g], np.array(list("abcdef"))[g]


def largest_group_gap(S: np.ndarray, g: np.ndarray) -> float:
    return max(float(np.abs(S[g == level].mean(axis=0) - S.mean(axis=0)).max()) for level in np.unique(g))


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(["svd", "residual"]), st.booleans())
def test_scores_are_uncorrelated_with_groups_after_and_not_before(seed: int, basis: str, scale: bool) -> None:
    X, g = confounded(np.random.default_rng(seed))
    fit = fairstats.og(X, g, k=4, basis=basis, scale=scale)
    assert largest_group_gap(fairstats.pca(X, k=4, scale=scale).transform(X), g) > 0.02
    assert largest_group_gap(fit.transform(X, g), g) < 1e-11 * np.abs(X).max()
    assert largest_group_gap(fit.reconstruct(X, g), g) < 1e-11 * np.abs(X).max()
    assert all(x.holds for x in fit.guarantees)


@pytest.mark.parametrize("basis", ["svd", "residual"])
@pytest.mark.parametrize("shape", [(100, 8), (12, 40)])
def test_errors_are_those_of_the_reconstruction(rng: np.random.Generator, basis: str, shape: tuple[int, int]) -> None:
    X, g = confounded(rng, *shape)
    fit = fairstats.og(X, g, k=3, basis=basis)
    Xc = X - X.mean(axis=0)
    assert fit.error == pytest.approx(np.sum((X - fit.reconstruct(X, g)) ** 2), rel=1e-9)
    assert fit.pca_error == pytest.approx(np.sum(np.linalg.svd(Xc, compute_uv=False)[3:] ** 2), rel=1e-9)
    Z = np.column_stack([g == v for v in np.unique(g)]).astype(float)
    Q = np.linalg.qr(Z - Z.mean(axis=0))[0][:, : len(np.unique(g)) - 1]
    U, d, _V = np.linalg.svd(Xc, full_matrices=False)
    if basis == "svd":
        assert fit.extra_error == pytest.approx(np.sum((Q.T @ U[:, :3] * d[:3]) ** 2), rel=1e-8)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_no_uncorrelated_reconstruction_beats_the_residual_basis(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, g = confounded(rng, 60, 5)
    best = fairstats.og(X, g, k=2, basis="residual")
    assert best.error <= fairstats.og(X, g, k=2).error + 1e-9
    plain = fairstats.og(X, g, k=2)
    assert best.diagnostics["other_basis"][1] == pytest.approx(plain.extra_error, rel=1e-9)
    assert plain.diagnostics["other_basis"][1] == pytest.approx(best.extra_error, rel=1e-9, abs=1e-9)
    Xc = X - X.mean(axis=0)
    means = np.stack([Xc[g == v].mean(axis=0) for v in np.unique(g)])
    residual = Xc - means[np.unique(g, return_inverse=True)[1]]
    for _ in range(20):  # any rank-2 reconstruction with scores orthogonal to the groups
        U = np.linalg.qr(best.loadings + 0.3 * rng.standard_normal((5, 2)))[0]
        assert np.sum((Xc - residual @ U @ U.T) ** 2) >= best.error - 1e-9


def test_new_rows_use_the_training_coefficients(rng: np.random.Generator) -> None:
    X, g = confounded(rng)
    fit = fairstats.og(X, g, k=3)
    whole = fit.transform(X, g)
    np.testing.assert_allclose(
        np.vstack([fit.transform(X[i : i + 1], g[i : i + 1]) for i in range(5)]), whole[:5], atol=1e-12
    )
    with pytest.raises(InputError, match="groups is missing"):
        fit.transform(X)


def test_moments_chunks_weights_and_row_order_do_not_matter(rng: np.random.Generator) -> None:
    X, g = confounded(rng)
    fit = fairstats.og(X, g, k=3)
    chunks = fairstats.Moments.of(X[:100], g[:100]) + fairstats.Moments.of(X[100:], g[100:])
    order = rng.permutation(len(X))
    w = rng.integers(1, 4, len(X))
    for other in (
        fairstats.og(chunks, k=3),
        fairstats.og(X[order], g[order], k=3),
        fairstats.og(X, g, k=3, weights=np.ones(len(X))),
    ):
        np.testing.assert_allclose(other.transform(X, g), fit.transform(X, g), atol=1e-9)
    np.testing.assert_allclose(
        fairstats.og(X, g, k=3, weights=w).loadings,
        fairstats.og(np.repeat(X, w, axis=0), np.repeat(g, w), k=3).loadings,
        atol=1e-9,
    )


def test_several_attributes_and_a_continuous_one(rng: np.random.Generator) -> None:
    X, g = confounded(rng)
    age = X @ rng.standard_normal(8) + rng.standard_normal(len(X))
    sex = np.where(X[:, 0] + rng.standard_normal(len(X)) > 0, "f", "m")
    frame = pd.DataFrame(X, columns=[f"v{j}" for j in range(8)]).assign(race=g, sex=sex, age=age)
    fit = fairstats.og(frame, ["race", "sex", fairstats.continuous("age")], k=4)
    S = fit.transform(frame).to_numpy()
    for z in (*(g == v for v in np.unique(g)), sex == "f", age):
        assert max(abs(np.corrcoef(S[:, j], z)[0, 1]) for j in range(4)) < 1e-10


def test_the_groups_of_an_intersection_are_given_by_its_columns(rng: np.random.Generator) -> None:
    n = 60
    data = pd.DataFrame(rng.normal(size=(n, 3)), columns=["x", "y", "z"])
    data["p"], data["q"] = rng.choice(["a", "b"], n), rng.choice(["u", "v"], n)
    fit, features = fairstats.og(["x", "y", "z"], "p:q", data=data, k=2), data[["x", "y", "z"]]
    for groups in (data[["p", "q"]], data[["q", "p"]], data[["q", "p"]].to_dict("list")):
        np.testing.assert_array_equal(fit.transform(features, groups=groups), fit.transform(data))
    with pytest.raises(InputError, match="has the attribute 'p', which the fit does not know; it needs p:q"):
        fit.transform(features, groups=data[["p"]])


def test_an_unknown_attribute_is_average_and_the_others_are_adjusted_for(rng: np.random.Generator) -> None:
    """The slopes are those of least squares on both attributes; an intersection is unknown as a whole."""
    X, g = confounded(rng)
    sex = np.where(X[:, 0] + rng.standard_normal(len(X)) > 0, "f", "m")
    age = X @ rng.standard_normal(8) + rng.standard_normal(len(X))
    frame = pd.DataFrame(X, columns=[f"v{j}" for j in range(8)]).assign(race=g, sex=sex, age=age)
    by = ["race", "sex", fairstats.continuous("age")]
    fit, adjustment = fairstats.og(frame, by, k=3), fairstats.comparators.residualize(frame, by)
    dummies = np.column_stack([*(g == level for level in np.unique(g)[1:]), sex == "m", age]).astype(float)
    Z = dummies - dummies.mean(axis=0)
    S = (X - X.mean(axis=0)) @ fit.loadings
    gone = {"race": slice(0, Z.shape[1] - 2), "sex": slice(Z.shape[1] - 2, Z.shape[1] - 1)}
    for unknown in ("race", "sex"):
        known = Z.copy()
        known[:, gone[unknown]] = 0.0
        for label in ("new", None):
            new = frame.assign(**{unknown: pd.Series([label] * len(frame), dtype=object)})
            for values, result in ((S, fit), (X, adjustment)):
                expected = values - known @ np.linalg.lstsq(Z, values - values.mean(axis=0))[0]
                np.testing.assert_allclose(result.transform(new, on_unknown="mean"), expected, atol=1e-9)
    crossing = fairstats.og(frame, ["race:sex", fairstats.continuous("age")], k=3)
    only_age = crossing.transform(frame.assign(race="new", age=age.mean()), on_unknown="mean")
    np.testing.assert_allclose(only_age, (X - X.mean(axis=0)) @ crossing.loadings, atol=1e-9)


def test_a_column_that_is_constant_outside_a_fold_is_warned_of(rng: np.random.Generator) -> None:
    X, g = confounded(rng)
    X[:, 1] = 0.0
    X[0, 1] = 1.0
    folds = np.arange(len(X)) % 3
    said = r"constant in the rows outside fold 1: x2\. The fit"
    for rows in (X, sparse.csr_array(X)):
        with pytest.warns(FairstatsWarning, match=said) as record:
            fairstats.og(rows, g, k=2, scale=True).crossfit(rows, g, folds=folds)
        assert len([w for w in record if "constant in" in str(w.message)]) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # without scale the fit does not refuse such columns either
        fairstats.og(X, g, k=2).crossfit(X, g, folds=folds)


def test_what_the_groups_explain_of_uncentered_components_is_r_squared(rng: np.random.Generator) -> None:
    X, g = confounded(rng)
    X += 5.0
    fit = fairstats.og(X, g, k=2, center=False)
    S = X @ fit.loadings
    inside = S - np.array([S[g == level].mean(axis=0) for level in g])
    within, about = np.sum(inside**2, axis=0), np.sum((S - S.mean(axis=0)) ** 2, axis=0)
    rows = list(fit.estimates.where(metric="R2"))
    np.testing.assert_allclose([r.estimate for r in rows], 1 - within / about)
    np.testing.assert_allclose([r.events for r in rows], about - within)
    np.testing.assert_allclose(fit.sdev, fit.transform(X, g).std(axis=0, ddof=1))
    drawn = scree_of("s", fit.estimates, before=True)
    assert drawn is not None
    assert f"{100 * np.sum(about - within) / np.sum(X**2):.2f} percentage points" in drawn.caption.replace(
        "\u00a0", " "
    )


def test_a_group_column_that_repeats_another_is_dropped(rng: np.random.Generator) -> None:
    X, g = confounded(rng)
    with pytest.warns(FairstatsWarning, match="again=b, again=c are combinations of the others"):
        twice = fairstats.og(X, {"race": g, "again": g}, k=3)
    np.testing.assert_allclose(twice.loadings, fairstats.og(X, g, k=3).loadings)
    assert len(twice.encoding.kept) == 2


def test_equal_group_means_remove_nothing(rng: np.random.Generator) -> None:
    X = rng.standard_normal((60, 5))
    fit = fairstats.og(np.vstack([X, X]), np.repeat(["a", "b"], 60), k=2)
    assert fit.extra_error < 1e-20 * fit.total
    np.testing.assert_allclose(fit.coefficients, 0, atol=1e-13)


def test_shift_and_relabeling_change_nothing(rng: np.random.Generator) -> None:
    X, g = confounded(rng)
    fit = fairstats.og(X, g, k=3)
    renamed = np.array([{"a": "z", "b": "y", "c": "x"}[v] for v in g])
    np.testing.assert_allclose(
        fairstats.og(X + 1000.0, renamed, k=3).transform(X + 1000.0, renamed), fit.transform(X, g), atol=1e-8
    )


def test_held_out_scores_come_from_fits_that_did_not_see_the_row(rng: np.random.Generator) -> None:
    X, g = confounded(rng)
    fit = fairstats.og(X, g, k=2)
    kept = fit.crossfit(X, g, folds=4, seed=3)
    assert kept.scores.shape == (240, 2) and len(np.unique(kept.folds)) == 4
    moved = X.copy()
    moved[kept.folds == 0] += 50.0  # the fit that scored fold 0 does not know
    again = fit.crossfit(moved, g, folds=kept.folds)
    part = fairstats.og(X[kept.folds != 0], g[kept.folds != 0], k=2)
    np.testing.assert_allclose(
        kept.scores[kept.folds == 0], part.transform(X[kept.folds == 0], g[kept.folds == 0]), atol=1e-10
    )
    np.testing.assert_allclose(
        again.scores[kept.folds == 0], part.transform(moved[kept.folds == 0], g[kept.folds == 0]), atol=1e-9
    )


@pytest.mark.long
def test_probes_of_noise_mirror_in_sample_and_across_folds_but_not_within_a_fold() -> None:
    """Why inference takes held-out scores, and compares rows of one fold only.

    The fit takes the chance association out of its own rows, so folds of them show its mirror image. Pooled held-out
    scores do the same: the fits that scored them saw each other's rows. Rows of one fold share a fit that saw none.
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import roc_auc_score
    from sklearn.model_selection import cross_val_predict

    def probe(scores: np.ndarray, g: np.ndarray) -> float:
        result = cross_val_predict(LogisticRegression(), scores, g, cv=5, method="predict_proba")[:, 1]
        return float(roc_auc_score(g, result))

    rng = np.random.default_rng(5)
    inside, pooled, within = [], [], []
    for _ in range(8):
        X, g = rng.standard_normal((100, 30)), np.arange(100) % 2
        fit = fairstats.og(X, g, k=20)
        five, two = fit.crossfit(X, g, folds=5), fit.crossfit(X, g)
        inside.append(probe(fit.transform(X, g), g))
        pooled.append(probe(five.scores, g))
        within.append(np.mean([probe(two.scores[two.folds == f], g[two.folds == f]) for f in (0, 1)]))
    assert np.mean(inside) < 0.2 and np.mean(pooled) < 0.35
    # With 20 coefficients of 50 rows each, Λ is noisy and new rows do carry it: a leak that is really there.
    assert np.mean(within) > 0.5


def test_a_crossfit_takes_the_groups_of_its_table(rng: np.random.Generator) -> None:
    X, g = confounded(rng)
    frame = pd.DataFrame(X, columns=[f"v{j}" for j in range(8)]).assign(race=g)
    fit = fairstats.og(frame, "race", k=2)
    np.testing.assert_array_equal(fit.crossfit(frame).scores, fit.crossfit(frame, "race").scores)
    assert (
        fairstats.extra_error(fit, frame, permutations=19).p_permutation
        == fairstats.extra_error(fit, frame, "race", permutations=19).p_permutation
    )


@pytest.mark.parametrize("weighted", [False, True])
def test_uncentered_og_takes_more_features_than_rows(weighted: bool) -> None:
    """The singular values are numpy's of the rows themselves; scores are orthogonal to the groups and the intercept."""
    rng = np.random.default_rng(3)
    X, g = rng.standard_normal((18, 40)) + 3.0, np.tile(["a", "b", "c"], 6)
    w = rng.uniform(0.5, 2.0, 18) if weighted else np.ones(18)
    fit = fairstats.og(X, g, k=3, center=False, weights=w if weighted else None)
    raw = X * np.sqrt(w / w.sum() * fit.scaling.weight)[:, None]
    np.testing.assert_allclose(fit.singular_values, np.linalg.svd(raw)[1][:3], rtol=1e-9)
    S = fit.transform(X, g)
    for column in (np.ones(18), g == "a", g == "b"):
        assert np.abs((w * column) @ S).max() < 1e-9 * np.abs(S).max() * w.sum()
    rest = np.sum((w / w.sum() * fit.scaling.weight)[:, None] * (X - fit.reconstruct(X, g)) ** 2)
    assert fit.error == pytest.approx(rest, rel=1e-9)


def test_rows_of_components_say_that_they_are_of_before_the_adjustment() -> None:
    rng = np.random.default_rng(3)
    g = np.repeat(["a", "b"], 60)
    X = rng.standard_normal((120, 3)) + (g == "b")[:, None]
    for fit, when in ((fairstats.og(X, g, k=1), " before the adjustment"), (fairstats.fair_pca(X, g, k=1), "")):
        (row,) = fit.estimates.only(metric="R2")
        score = fit.transform(X, g)[:, 0] if when else fit.transform(X)[:, 0]
        halves = score[g == "a"].mean() - score[g == "b"].mean()
        assert abs(halves) < 1e-9 and (row.estimate > 0.1) == bool(when)
        assert set(fit.tidy().query("role == 'component'")["term"]) == {f"component 1{when}"}
        assert fairstats.table(fit).shown == fairstats.table(fit, "components").shown
