"""Fair PCA for equal opportunity, with appended components, and held out."""

from __future__ import annotations

import numpy as np
import pytest

import fairstats
from fairstats.errors import InputError
from tests.methods.test_fair_pca import indicators, relative_gap, sample


def test_equal_opportunity_is_the_fit_of_the_favorable_rows(rng: np.random.Generator) -> None:
    X, g = sample(15, levels=3)
    y = rng.integers(0, 2, len(X))
    fit = fairstats.fair_pca(X, g, k=2, y=y, target="equal_opportunity")
    part = fairstats.fair_pca(X[y == 1], g[y == 1], k=2)
    np.testing.assert_allclose(fit.loadings, part.loadings, atol=1e-12)
    np.testing.assert_allclose(fit.scaling.center, X[y == 1].mean(axis=0), atol=1e-12)
    S = fit.transform(X)
    assert relative_gap(S[y == 1], indicators(g[y == 1])) < 1e-12
    assert relative_gap(S[y == 0], indicators(g[y == 0])) > 1e-3
    merged = fairstats.fair_pca(
        fairstats.Moments.of(X[:50], g[:50], y=y[:50]) + fairstats.Moments.of(X[50:], g[50:], y=y[50:]),
        k=2,
        target="equal_opportunity",
    )
    np.testing.assert_allclose(merged.loadings, part.loadings, atol=1e-11)
    others = fairstats.fair_pca(X, g, k=2, y=y, target="equal_opportunity", positive=0.0)
    np.testing.assert_allclose(others.loadings, fairstats.fair_pca(X[y == 0], g[y == 0], k=2).loadings, atol=1e-12)


def test_parity_ignores_an_outcome_in_the_moments(rng: np.random.Generator) -> None:
    X, g = sample(16)
    m = fairstats.Moments.of(X, g, y=rng.integers(0, 2, len(X)))
    np.testing.assert_allclose(fairstats.fair_pca(m, k=2).loadings, fairstats.fair_pca(X, g, k=2).loadings, atol=1e-12)


@pytest.mark.parametrize("weight", [0.25, 1.0])
def test_tradeoff_appends_weighted_principal_components(weight: float) -> None:
    X, g = sample(17)
    fair, plain = fairstats.fair_pca(X, g, k=2), fairstats.pca(X, g, k=2)
    both = fairstats.fair_pca(X, g, k=2, tradeoff=weight)
    np.testing.assert_allclose(
        both.transform(X), np.hstack([fair.transform(X), weight * plain.transform(X)]), atol=1e-10
    )
    S, Xc = both.transform(X), X - X.mean(axis=0)
    np.testing.assert_allclose(
        both.reconstruct(X) - X.mean(axis=0),
        S @ np.linalg.pinv(S) @ Xc @ both.loadings @ np.linalg.pinv(both.loadings),
        atol=1e-8,
    )
    np.testing.assert_allclose(((X - both.reconstruct(X)) ** 2).sum(), both.error, rtol=1e-10)
    assert both.error <= min(fair.error, plain.error) + 1e-9


def test_tradeoff_zero_is_the_fair_fit_and_equal_means_add_no_direction() -> None:
    X, g = sample(18)
    np.testing.assert_array_equal(
        fairstats.fair_pca(X, g, k=2, tradeoff=0).weights, fairstats.fair_pca(X, g, k=2).weights
    )
    twice = fairstats.fair_pca(np.vstack([X, X]), np.repeat([0, 1], len(X)), k=2, tradeoff=0.5)
    np.testing.assert_allclose(twice.error, twice.total - 2 * fairstats.pca(X, k=2).energy.sum(), rtol=1e-9)


@pytest.mark.parametrize("options", [{}, {"tradeoff": 0.5}, {"equalize": "covariance", "directions": 0.6}])
def test_held_out_scores_come_from_fits_with_the_same_settings(options: dict[str, object]) -> None:
    X, g = sample(19)
    fit = fairstats.fair_pca(X, g, k=2, scale=True, **options)
    fold = np.arange(len(X)) % 2
    kept = fit.crossfit(X, g, folds=fold)
    part = fairstats.fair_pca(X[fold == 1], g[fold == 1], k=2, scale=True, **options)
    assert kept.scores.shape == (len(X), fit.k)
    np.testing.assert_allclose(kept.scores[fold == 0], part.transform(X[fold == 0]), atol=1e-9)


def test_the_first_k_held_out_scores_of_a_trade_off_hide_the_groups_in_every_fold() -> None:
    """The map of a fold, regained from its held-out scores, gives its own training rows equal means on the first k."""
    rng = np.random.default_rng(7)
    g = rng.choice(list("abc"), 300)
    X = rng.standard_normal((300, 6)) * np.linspace(3, 1, 6) + (g == "b")[:, None] * rng.standard_normal(6)
    kept = fairstats.fair_pca(X, g, k=2, tradeoff=0.5).crossfit(X, g, folds=3)
    rows = np.column_stack([np.ones(len(X)), X])
    for fold in range(3):
        inside = kept.folds == fold
        coefficients, rest, *_ = np.linalg.lstsq(rows[inside], kept.scores[inside], rcond=None)
        assert rest.max() < 1e-18 * np.sum(kept.scores**2)
        trained = rows[~inside] @ coefficients
        means = np.array([trained[g[~inside] == v].mean(axis=0) for v in "abc"])
        assert np.ptp(means[:, :2], axis=0).max() < 1e-12 * trained.std()
        assert np.ptp(means[:, 2:], axis=0).max() > 0.01 * trained.std()


def test_held_out_scores_of_equal_opportunity_need_the_outcome(rng: np.random.Generator) -> None:
    from fairstats.data.design import Design

    X, g = sample(20)
    y, fold = rng.integers(0, 2, len(X)), np.arange(len(X)) % 2
    fit = fairstats.fair_pca(X, g, k=2, y=y, target="equal_opportunity")
    kept = fit.crossfit(Design.of(X, g, y=y), folds=fold)
    train = (fold == 1) & (y == 1)
    np.testing.assert_allclose(
        kept.scores[fold == 0], fairstats.fair_pca(X[train], g[train], k=2).transform(X[fold == 0])
    )
    with pytest.raises(InputError, match="Pass y=, or a Design"):
        fit.crossfit(X, g)


def test_groups_that_are_constant_among_the_favorable_rows_are_refused() -> None:
    X, g = sample()
    for source in ({"X": X, "groups": g, "y": g}, {"X": fairstats.Moments.of(X, g, y=g)}):
        with pytest.raises(InputError, match=r"has one level \(1\) among the rows with y=1"):
            fairstats.fair_pca(**source, k=2, target="equal_opportunity")
