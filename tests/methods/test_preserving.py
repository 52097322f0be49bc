"""SPLINCE: leace that keeps the covariances with an outcome, by the least further change (Holstege et al. 2025)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import fairstats
from fairstats.errors import InputError
from tests.methods.test_fair_pca import indicators, relative_gap, sample


def data(seed: int, levels: int = 3) -> tuple[np.ndarray, Any, np.ndarray]:
    X, g = sample(seed, n=120, levels=levels)
    rng = np.random.default_rng(seed)
    return X, g, np.where(X[:, 1] + (np.asarray(g) == g[0]) + rng.standard_normal(len(X)) > 0.5, "yes", "no")


def covariances(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    return (X - X.mean(axis=0)).T @ (Y - Y.mean(axis=0))


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("scale", [False, True])
def test_groups_go_the_outcome_stays_and_no_map_does_it_with_less_change(seed: int, scale: bool) -> None:
    """Brute force: the least change within all maps I − E with EΣ_xz = Σ_xz and EΣ_xy = 0, by linear equations."""
    X, g, y = data(seed)
    fit = fairstats.leace(X, g, preserve=y, scale=scale)
    adjusted, Y, Z = fit.transform(X), indicators(y)[:, 1:], indicators(g)[:, 1:]
    assert relative_gap(adjusted, indicators(g)) < 1e-11
    before = covariances(X, Y)
    np.testing.assert_allclose(covariances(adjusted, Y), before, atol=1e-10 * np.abs(before).max())
    assert all(promise.holds for promise in fit.guarantees) and len(fit.guarantees) == 3
    S = X.std(axis=0, ddof=1) if scale else np.ones(X.shape[1])
    Xc = (X - X.mean(axis=0)) / S
    wanted = np.hstack([covariances(Xc, Z), np.zeros((X.shape[1], Y.shape[1]))])
    given = np.hstack([covariances(Xc, Z), covariances(Xc, Y)])
    # min ‖XE'‖² with E·given = wanted: rows of E are least-norm solutions in the metric of XᵀX
    root = np.linalg.cholesky(Xc.T @ Xc)
    least = np.linalg.norm(wanted @ np.linalg.pinv(np.linalg.solve(root, given))) ** 2
    assert fit.error == pytest.approx(least, rel=1e-8)


def test_moments_rows_and_wide_data_give_one_map() -> None:
    X, g, y = data(1)
    rows = fairstats.leace(X, g, preserve=y)
    moments = fairstats.leace(fairstats.Moments.of(X, g, y=y), preserve=True)
    np.testing.assert_allclose(moments.matrix, rows.matrix, atol=1e-10)
    rng = np.random.default_rng(0)
    wide = np.hstack([X[:60], rng.standard_normal((60, 80))])
    fit = fairstats.leace_pca(wide, g[:60], 3, preserve=y[:60])
    assert relative_gap(fit.transform(wide), indicators(g[:60])) < 1e-9
    assert all(promise.holds for promise in fit.guarantees)


def test_components_are_those_of_the_adjusted_rows() -> None:
    X, g, y = data(2)
    fit = fairstats.leace_pca(X, g, 2, preserve=y)
    adjusted = fairstats.leace(X, g, preserve=y).transform(X)
    values = np.linalg.svd(adjusted - adjusted.mean(axis=0), compute_uv=False)
    np.testing.assert_allclose(np.sum(fit.transform(X) ** 2, axis=0), values[:2] ** 2, rtol=1e-8)


def test_a_numeric_outcome_and_several_at_once() -> None:
    X, g, y = data(3)
    pay = X[:, 0] + np.random.default_rng(0).standard_normal(len(X))
    fit = fairstats.leace(X, g, preserve={"pay": fairstats.continuous(pay), "y": y})
    alone = fairstats.leace(X, g, preserve=pay).transform(X)
    np.testing.assert_allclose(covariances(alone, pay[:, None]), covariances(X, pay[:, None]), atol=1e-9 * len(X))
    Y = np.column_stack([pay, indicators(y)])
    np.testing.assert_allclose(covariances(fit.transform(X), Y), covariances(X, Y), atol=1e-9 * len(X))


def test_what_cannot_be_kept_is_one_clear_error() -> None:
    X, g, y = data(4)
    with pytest.raises(InputError, match=r"preserve names what cannot be kept.*cosine 1\.0"):
        fairstats.leace(X, g, preserve=g)
    with pytest.raises(InputError, match="shrinkage has True"):
        fairstats.leace(X, g, preserve=y, shrinkage=True)
    with pytest.raises(InputError, match="of moments it is True"):
        fairstats.leace(fairstats.Moments.of(X, g), preserve=True)
    with pytest.raises(InputError, match="preserve was given to the fit"):
        fairstats.leace(X, g, preserve=y).crossfit(X, g)


def test_a_frozen_model_keeps_its_covariance_with_the_outcome() -> None:
    """What it is for: any linear score of the features, fitted before, still goes with y as it did."""
    X, g, y = data(5)
    outcome = (y == "yes").astype(float)
    frozen = np.linalg.lstsq(X - X.mean(axis=0), outcome - outcome.mean(), rcond=None)[0]
    raw, kept, plain = (
        float(covariances((part @ frozen)[:, None], outcome[:, None])[0, 0])
        for part in (X, fairstats.leace(X, g, preserve=y).transform(X), fairstats.leace(X, g).transform(X))
    )
    assert kept == pytest.approx(raw, rel=1e-9) and plain < 0.999 * raw
