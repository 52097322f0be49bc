"""Statistics beside the main ones: dispersion, exchanged rows, degrees of freedom of strata, each by its formula."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import fairstats
from fairstats.data.design import Design
from fairstats.inference.representations import choosing_k
from fairstats.inference.representations.extra_error import dispersion
from fairstats.inference.representations.leakage import NullData
from fairstats.inference.scores.brunner_munzel import RelativeEffect
from fairstats.inference.scores.roc import stratified_survey
from fairstats.text import number

RNG = np.random.default_rng(17)
G = np.array(["a", "b", "c"])[np.arange(60) % 3]
X = RNG.standard_normal((60, 4)) * [3, 2, 1, 1] + 1.5 * (G == "b")[:, None]


@pytest.mark.parametrize("count", [2, 3])
def test_the_dispersion_is_the_analysis_of_variance_of_distances_to_centroids(count: int) -> None:
    g = np.array(["a", "b", "c"])[np.arange(60) % count]
    fit = fairstats.og(X, g, k=2)
    assert fit.encoding is not None
    codes = np.unique(g, return_inverse=True)[1]
    row = dispersion(X, codes, fit.encoding)
    apart = [np.sqrt(np.sum((X[codes == j] - X[codes == j].mean(axis=0)) ** 2, axis=1)) for j in range(count)]
    F, p = stats.f_oneway(*apart)
    assert (row.statistic, row.p_value, row.df, row.n) == pytest.approx((F, p, count - 1, 60))
    assert row.estimate == pytest.approx(max(a.mean() for a in apart) / min(a.mean() for a in apart))


def test_exchanged_rows_keep_the_means_of_the_groups_and_the_rows_of_no_exchange() -> None:
    design = Design.of(X, G)
    hidden = NullData.of(fairstats.og(X, G, k=2), design)
    assert hidden.means is not None and hidden.rest is not None
    np.testing.assert_allclose(hidden.drawn(np.arange(60))[0].X, X, atol=1e-12)
    for v in "abc":
        np.testing.assert_allclose(hidden.means[v == G], np.tile(X[v == G].mean(axis=0), (20, 1)), atol=1e-12)
    order = RNG.permutation(60)
    drawn, labels = hidden.drawn(order)
    np.testing.assert_allclose(drawn.X - hidden.means, (X - hidden.means)[order], atol=1e-12)
    assert labels.tolist() == list(range(60))
    shown, labels = NullData.of(fairstats.pca(X, G, k=2), design).drawn(order)
    assert shown.X is design.X and labels.tolist() == order.tolist()


@pytest.mark.parametrize("equal", [True, False])
def test_the_degrees_of_freedom_of_a_weighted_area_within_strata_are_satterthwaites(equal: bool) -> None:
    """Of equal weights the sizes are those of people; each stratum takes a mean of its own from either side."""
    n = 90
    y, strata, s = np.arange(n) % 3 == 0, np.arange(n) // 30, RNG.normal(size=n)
    w = np.full(n, 2.5) if equal else RNG.uniform(0.5, 3, n)
    result = stratified_survey(s, y, strata, w)
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
    assert result.std_error == pytest.approx(np.sqrt(sum(variances)), rel=1e-6)
    assert result.df == pytest.approx(
        sum(variances) ** 2 / sum(v**2 / m for v, m in zip(variances, sizes, strict=True))
    )


@pytest.mark.parametrize("place", [0.0, 3.0])
def test_the_prediction_error_of_a_row_is_by_a_fit_that_did_not_see_it(place: float) -> None:
    """One row far from all others: with its fold left out no component points to it."""
    Z = RNG.standard_normal((60, 4)) * [2, 1, 0.5, 0.5]
    Z[0] = [0, 0, 0, 10 ** (1 + place)]
    fold = np.arange(60) % 3
    errors = choosing_k._errors("pca", {}, Design.of(Z), fold, 2)
    for k in (1, 2):
        fit = fairstats.pca(Z[fold != 0], k=k)
        np.testing.assert_allclose(errors[fold == 0, k], choosing_k.left_out(fit, Design.of(Z[fold == 0])))
    assert errors[0, 1] > 0.5 * 10 ** (2 + 2 * place)


@pytest.mark.parametrize("values", [None, np.arange(-49.5, 50)])
def test_the_tail_beyond_a_distance_and_beyond_its_opposite_are_one(values: np.ndarray | None) -> None:
    result = RelativeEffect(0.5, 0.1, 0.0, 9.0, 1.0, "", 5.0, 5.0, values)
    tails = [result._beyond(d) for d in (-60.0, -20.0, -0.1, 0.1, 20.0, 60.0)]
    assert all(a > b or a == pytest.approx(b) for a, b in itertools.pairwise(tails)) and max(tails) <= 1
    np.testing.assert_allclose(np.add(tails, tails[::-1]), 1)


def test_what_is_missing_is_named_by_what_was_given() -> None:
    kept = fairstats.og(X, G, k=2).crossfit(X, G)
    for given, name in (({"fit": kept}, "fit"), ({"scores": kept}, "scores")):
        with pytest.raises(fairstats.errors.InputError) as reported:
            fairstats.leakage(**given, X=X, permutations=9)
        assert name in str(reported.value)
    with pytest.raises(fairstats.errors.InputError, match="scores"):
        fairstats.leakage(scores=X, permutations=9)


@pytest.mark.parametrize("clusters", [1, 2, 3])
def test_a_logistic_fit_needs_two_clusters(clusters: int) -> None:
    rng = np.random.default_rng(2)
    design = np.column_stack([np.ones(80), rng.normal(size=80)])
    fit = fairstats.stats.logistic(
        design, rng.integers(0, 2, 80), covariance="cluster", clusters=np.arange(80) % clusters
    )
    assert ("too few people or clusters" in fit.reason) == (clusters == 1)


def test_the_short_form_of_extra_error_has_the_share_that_the_groups_explain() -> None:
    result = fairstats.extra_error(fairstats.pca(X, G, k=2), X, G, permutations=9)
    share = 100 * result.observed / result.energy
    assert f"the groups explain {number(share, 2)}% of the components" in repr(result)
    assert f"the groups explain {number(0.0, 2)}%" in repr(replace(result, energy=0.0, observed=0.0))
