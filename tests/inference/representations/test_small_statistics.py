"""Statistics beside the main ones: dispersion, exchanged rows, degrees of freedom of strata, each by its formula."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import fairstats as fs
from fairstats.data.design import Design
from fairstats.inference.rates.marginal_effects import _p, _quantile
from fairstats.inference.representations.dispersion import dispersion
from fairstats.inference.representations.leakage_null import NullData
from fairstats.inference.scores.stratified_auc import stratified_by_design

RNG = np.random.default_rng(17)
G = np.array(["a", "b", "c"])[np.arange(60) % 3]
X = RNG.standard_normal((60, 4)) * [3, 2, 1, 1] + 1.5 * (G == "b")[:, None]


@pytest.mark.parametrize("count", [2, 3])
def test_the_dispersion_is_the_analysis_of_variance_of_distances_to_centroids(count: int) -> None:
    g = np.array(["a", "b", "c"])[np.arange(60) % count]
    fit = fs.og(X, g, k=2)
    assert fit.encoding is not None
    codes = np.unique(g, return_inverse=True)[1]
    made = dispersion(X, codes, fit.encoding)
    apart = [np.sqrt(np.sum((X[codes == j] - X[codes == j].mean(axis=0)) ** 2, axis=1)) for j in range(count)]
    F, p = stats.f_oneway(*apart)
    assert (made.statistic, made.p_value, made.df, made.n) == pytest.approx((F, p, count - 1, 60))
    assert made.estimate == pytest.approx(max(a.mean() for a in apart) / min(a.mean() for a in apart))


def test_exchanged_rows_keep_the_means_of_the_groups_and_the_rows_of_no_exchange() -> None:
    design = Design.of(X, G)
    hidden = NullData.of(fs.og(X, G, k=2), design)
    assert hidden.means is not None and hidden.rest is not None
    np.testing.assert_allclose(hidden.drawn(np.arange(60))[0].X, X, atol=1e-12)
    for v in "abc":
        np.testing.assert_allclose(hidden.means[v == G], np.tile(X[v == G].mean(axis=0), (20, 1)), atol=1e-12)
    order = RNG.permutation(60)
    drawn, labels = hidden.drawn(order)
    np.testing.assert_allclose(drawn.X - hidden.means, (X - hidden.means)[order], atol=1e-12)
    assert labels.tolist() == list(range(60))
    shown, labels = NullData.of(fs.pca(X, G, k=2), design).drawn(order)
    assert shown.X is design.X and labels.tolist() == order.tolist()


@pytest.mark.parametrize("df", [1.0, 4.5, 60.0, np.inf])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95])
def test_critical_values_and_p_values_are_those_of_student(df: float, level: float) -> None:
    t = stats.norm if np.isinf(df) else stats.t(df)
    assert _quantile(df, level) == pytest.approx(t.ppf((1 + level) / 2))
    assert _p(_quantile(df, level), df) == pytest.approx(1 - level) == pytest.approx(_p(-_quantile(df, level), df))


@pytest.mark.parametrize("equal", [True, False])
def test_the_degrees_of_freedom_of_a_weighted_area_within_strata_are_satterthwaites(equal: bool) -> None:
    """Of equal weights the sizes are those of people; each stratum takes a mean of its own from either side."""
    n = 90
    y, strata, s = np.arange(n) % 3 == 0, np.arange(n) // 30, RNG.normal(size=n)
    w = np.full(n, 2.5) if equal else RNG.uniform(0.5, 3, n)
    made = stratified_by_design(s, y, strata, w)
    added = np.zeros(n)
    share = np.array([w[(strata == k) & y].sum() * w[(strata == k) & ~y].sum() for k in range(3)])
    for k, part in enumerate(share / share.sum()):
        one, two = (strata == k) & y, (strata == k) & ~y
        higher = (np.sign(s[one][:, None] - s[two][None, :]) + 1) / 2
        v, u = w[one] / w[one].sum(), w[two] / w[two].sum()
        theta = v @ higher @ u
        added[one], added[two] = part * v * (higher @ u - theta), part * u * (v @ higher - theta)
    sides = [y, ~y]
    variances = [np.sum(added[side] ** 2) * side.sum() / (side.sum() - 3) for side in sides]
    sizes = [w[side].sum() ** 2 / np.sum(w[side] ** 2) - 3 for side in sides]
    assert made.std_error == pytest.approx(np.sqrt(sum(variances)), rel=1e-6)
    assert made.df == pytest.approx(sum(variances) ** 2 / sum(v**2 / m for v, m in zip(variances, sizes, strict=True)))
