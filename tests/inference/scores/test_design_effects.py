"""P(X>Y) and rank tests of weighted or clustered people: against R's survey, reductions, and the sizes of the tests."""

from __future__ import annotations

import numpy as np
import pytest

from fairstats.inference.scores.roc import AreaGap
from fairstats.inference.scores.survey import DesignEffect, Scored, design_effect, design_rank_omnibus, design_rank_test
from tests.oracle.r import requires_r, run_r

SCRIPT = """
suppressPackageStartupMessages(library(survey))
lapply(input$cases, function(case) {
  d <- data.frame(s = unlist(case$s), g = unlist(case$g), w = unlist(case$w), k = unlist(case$k))
  lapply(list(weighted = ~1, clustered = ~k), function(ids) {
    test <- svyranktest(s ~ g, svydesign(ids = ids, weights = ~w, data = d))
    list(t = test$statistic[[1]], gap = test$estimate[[1]])
  })
})
"""


def sample(values, weights=None, clusters=None):
    w = np.ones(len(values)) if weights is None else np.asarray(weights, dtype=float)
    return Scored(np.asarray(values, dtype=float), w, w * w, np.ones(len(values)), clusters)


@pytest.mark.long
def test_the_linearized_rank_statistic_and_the_estimate_are_those_of_svyranktest():
    requires_r("survey")
    rng = np.random.default_rng(1)
    cases = []
    for n in (30, 80, 150):
        g = rng.random(n) < 0.4
        s, w, k = rng.normal(size=n) + g, rng.gamma(2, 5, n), rng.integers(0, 12, n)
        cases.append({"s": s, "g": g.astype(int), "w": w, "k": k})
    for case, answer in zip(cases, run_r(SCRIPT, {"cases": cases}), strict=True):
        mine = case["g"] == 1
        for design, clusters in (("weighted", None), ("clustered", case["k"])):
            x, y = (
                sample(case["s"][m], case["w"][m], None if clusters is None else clusters[m]) for m in (mine, ~mine)
            )
            assert design_rank_test(x, y).linearized == pytest.approx(answer[design]["t"], rel=1e-9)
            assert design_effect(x, y).estimate - 0.5 == pytest.approx(answer[design]["gap"], rel=1e-9)


def test_cells_are_the_people_in_them():
    rng = np.random.default_rng(2)
    values, w, k = rng.integers(0, 5, 60).astype(float), rng.gamma(2, 1, 60), rng.integers(0, 6, 60)
    other = sample(rng.integers(0, 5, 40), rng.gamma(2, 1, 40), rng.integers(0, 6, 40))
    for clusters in (None, k):
        place = values * 10 + (0 if clusters is None else clusters)
        cell, code = np.unique(place, return_inverse=True)
        sums = [np.bincount(code, v) for v in (w, w * w, np.ones(60))]
        joined = Scored(cell // 10, *sums, None if clusters is None else (cell % 10).astype(int))
        y = other if clusters is not None else sample(other.values, other.weight)
        one, two = design_effect(sample(values, w, clusters), y), design_effect(joined, y)
        assert (one.estimate, one.std_error, one.variance, one.df) == pytest.approx(
            (two.estimate, two.std_error, two.variance, two.df)
        )
        assert design_rank_test(sample(values, w, clusters), y).p_value == pytest.approx(
            design_rank_test(joined, y).p_value
        )


def test_limits_and_p_agree_also_at_complete_separation():
    x, y = sample([1.0, 2, 3, 5], [1.0, 2, 1, 1]), sample([0.0, 2, 1, 3], [2.0, 1, 1, 1])
    for result in (design_effect(x, y), design_effect(sample([4.0, 5, 6, 7]), sample([1.0, 2, 3]))):
        low, high = result.limits(1 - result.p_value)
        assert min(abs(low - 0.5), abs(high - 0.5)) == pytest.approx(0, abs=1e-6)
    low, high = design_effect(x, y).limits(1 - 2 * design_effect(x, y).p_equivalence(0.49))
    assert max(0.5 - low, high - 0.5) == pytest.approx(0.49, abs=1e-6)
    assert result.p_equivalence(0.49) == 1


@pytest.mark.parametrize(("n", "clusters", "reason"), [(9, 3, "fewer than four clusters"), (0, 0, "without scores")])
def test_what_cannot_be_estimated_says_why(n, clusters, reason):
    y = sample(np.arange(12.0), clusters=np.arange(12) % 4)
    result = design_effect(sample(np.arange(float(n)), clusters=np.arange(n) % max(clusters, 1)), y)
    assert np.isnan(result.estimate) and np.isnan(result.p_value) and reason in result.reason


def test_areas_of_people_who_share_clusters_are_correlated_and_independent_ones_are_not():
    rng = np.random.default_rng(4)
    k = np.repeat(np.arange(20), 6)
    shift = rng.normal(size=20)[k]

    def area(clusters):
        positives = sample(shift + rng.normal(0, 0.1, 120), clusters=clusters)
        return design_effect(positives, sample(rng.normal(0, 1, 120), clusters=clusters))

    current, base, apart = area(k), area(k), area(k + 100)
    assert current.correlation(base) > 0.7 and current.correlation(apart) == 0
    together, alone = AreaGap(current, base, current.correlation(base)), AreaGap(current, base)
    assert np.diff(together.limits(0.95)) < 0.8 * np.diff(alone.limits(0.95))


def test_of_two_samples_the_omnibus_rank_test_is_the_rank_test():
    rng = np.random.default_rng(5)
    for clusters in (None, np.arange(40) % 9):
        x, y = (sample(rng.normal(size=40), rng.gamma(2, 1, 40), clusters) for _ in range(2))
        statistic, df1, df2, p = design_rank_omnibus((x, y))
        result = design_rank_test(x, y)
        assert (statistic, df1, df2, p) == pytest.approx((result.statistic**2, 1, result.df, result.p_value))


@pytest.mark.long
def test_sizes_with_uneven_weights_and_few_clusters():
    """Of P(X>Y) = 1/2, of equal distributions, and of three groups, each at most 6% and the Monte Carlo error."""
    rejected, draws = np.zeros(5), 700
    for seed in range(draws):
        rng = np.random.default_rng(seed)
        x, y = (sample(rng.normal(0, sd, n), np.exp(rng.normal(0, 1, n))) for sd, n in ((3, 30), (1, 200)))
        even = [sample(rng.normal(size=n), np.exp(rng.normal(0, 1, n))) for n in (200, 60, 60)]
        cluster = [rng.normal(size=8), rng.normal(size=15)]
        nested = [
            sample(np.repeat(u, 8) + rng.normal(size=u.size * 8), clusters=np.repeat(np.arange(u.size) + 100 * i, 8))
            for i, u in enumerate(cluster)
        ]
        p = (
            design_effect(x, y).p_value,
            design_effect(*nested).p_value,
            design_rank_test(even[0], even[1]).p_value,
            design_rank_test(*nested).p_value,
            design_rank_omnibus(tuple(even))[3],
        )
        rejected += np.array(p) <= 0.05
    assert (rejected / draws <= 0.06 + 1.96 * 0.009).all(), rejected / draws


def test_estimates_that_share_no_cluster_or_have_no_spread_are_uncorrelated():
    plain = DesignEffect(0.6, variance=0.01)
    parts = DesignEffect(0.6, variance=0.01, units=np.array([0, 1, 2]), parts=np.array([1.0, -2.0, 1.0]))
    still = DesignEffect(0.6, variance=0.01, units=np.array([0, 1, 2]), parts=np.zeros(3))
    other = DesignEffect(0.6, variance=0.01, units=np.array([2, 3]), parts=np.array([3.0, 4.0]))
    assert plain.correlation(parts) == parts.correlation(plain) == parts.correlation(still) == 0.0
    assert parts.correlation(parts) == pytest.approx(1.0)
    assert parts.correlation(other) == pytest.approx(3.0 / (np.sqrt(6) * 5))
