"""Rates under weights and clusters compared: against Koopman, Hotelling and brute force, and the sizes of the tests."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import f as fisher
from scipy.stats import t

from fairstats.inference.rates.many_rates import chi_square, max_difference
from fairstats.inference.rates.survey import (
    DesignFamily,
    correlated_difference_score,
    difference_limits,
    rates_of_clusters,
    rates_of_weighted,
    ratio_limits,
)
from fairstats.inference.rates.two_rates import koopman


def crossed(rng, clusters, sizes, rate, icc):
    """Rates that vary between clusters, which hold people of every group."""
    factor = (1 - icc) / icc
    shares = rng.beta(rate * factor, (1 - rate) * factor, clusters)
    d = np.tile(np.array(sizes), (clusters, 1))
    return rng.binomial(d, shares[:, None]).astype(float), d.astype(float)


def test_limits_without_correlation_are_koopmans_and_those_of_the_score():
    four = (36 / 40, 40, 16 / 80, 80)
    z = 1.959963984540054
    assert ratio_limits(four, 0.0, z) == pytest.approx([float(v) for v in koopman(36, 40, 16, 80)], rel=1e-9)
    for rho in (0.0, 0.6, -0.4):
        low, high = difference_limits(four, rho, 2.3)
        assert correlated_difference_score(four, rho, np.array([low, high])) == pytest.approx([2.3, -2.3], abs=1e-8)


def test_the_score_at_zero_is_the_pooled_z_with_the_covariance():
    p1, n1, p0, n0, rho = 0.3, 50.0, 0.5, 80.0, 0.4
    pooled = (p1 * n1 + p0 * n0) / (n1 + n0)
    a, b = (np.sqrt(pooled * (1 - pooled) / n) for n in (n1, n0))
    wanted = (p1 - p0) / np.sqrt(a**2 + b**2 - 2 * rho * a * b)
    assert correlated_difference_score((p1, n1, p0, n0), rho, 0.0) == pytest.approx(wanted)


def test_the_limits_of_a_pair_agree_with_its_tests():
    rng = np.random.default_rng(3)
    for _ in range(10):
        e, d = crossed(rng, 12, (12, 7), 0.35, 0.2)
        pair = rates_of_clusters(e, d, d.sum(axis=0), 12).pair(0, 1)
        low, high = pair.limits(1 - pair.p_value)
        assert min(abs(low), abs(high)) == pytest.approx(0, abs=1e-6)
        low, high = pair.ratio_limits(1 - pair.p_value)
        assert min(abs(low - 1), abs(high - 1)) == pytest.approx(0, abs=1e-5)
        margin = abs(pair.four[0] - pair.four[2]) + 0.1
        low, high = pair.limits(1 - 2 * pair.p_equivalence(margin))
        assert max(-low, high) == pytest.approx(margin, abs=1e-6)


def test_equal_clusters_that_hold_all_groups_have_hotellings_degrees_of_freedom():
    e, d = crossed(np.random.default_rng(0), 14, (8, 8, 8, 8), 0.4, 0.2)
    result = rates_of_clusters(e, d, d.sum(axis=0), 14)
    family = DesignFamily(result, (0, 1, 2, 3))
    statistic, df1, df2, p = family.omnibus()
    assert (df1, df2) == pytest.approx((3, 14 - 3))
    # T² of the three contrasts, with the pooled rate's errors and the clusters' correlation
    size, rate = result.size, result.rate
    pooled = size @ rate / size.sum()
    covariance = pooled * (1 - pooled) * result.correlation / np.sqrt(np.outer(size, size))
    contrasts = np.array([[1, -1, 0, 0], [0, 1, -1, 0], [0, 0, 1, -1]])
    gap = contrasts @ rate
    squared = gap @ np.linalg.inv(contrasts @ covariance @ contrasts.T) @ gap
    wanted = (14 - 3) / (3 * 13) * squared
    assert (statistic, p) == pytest.approx((wanted, fisher.sf(wanted, 3, 11)))


def test_of_two_groups_the_omnibus_test_is_that_of_the_pair():
    for seed in range(5):
        e, d = crossed(np.random.default_rng(seed), 9, (10, 4), 0.1, 0.2)
        result = rates_of_clusters(e, d, d.sum(axis=0), 9)
        statistic, _, df2, p = DesignFamily(result, (0, 1)).omnibus()
        pair = result.pair(0, 1)
        assert (statistic, df2, p) == pytest.approx((pair.z**2, pair.df, pair.p_value))


def test_nested_clusters_have_the_degrees_of_freedom_of_welch():
    d = np.zeros((20, 2))
    d[:12, 0] = d[12:, 1] = 10.0
    e = np.random.default_rng(1).binomial(d.astype(int), 0.5).astype(float)
    result = rates_of_clusters(e, d, d.sum(axis=0), 20)
    v = 1 / result.size
    pair = result.pair(0, 1)
    assert pair.df == pytest.approx(v.sum() ** 2 / (v[0] ** 2 / 11 + v[1] ** 2 / 7))
    assert pair.p_value == pytest.approx(2 * t.sf(abs(pair.z), pair.df))


def test_many_equal_weights_give_the_range_of_plain_people():
    events, n = np.array([500.0, 600.0, 550.0]), np.full(3, 1000.0)
    family = DesignFamily(rates_of_weighted(events, n, events, n, n, 3000), (0, 1, 2))
    plain = max_difference(events, n)
    result = family.largest_difference(0.95)
    assert result[:3] == pytest.approx((plain.estimate, plain.low, plain.high), abs=4e-3)
    assert family.omnibus()[3] == pytest.approx(chi_square(events, n)[2], rel=0.15)  # F, not χ²


def test_the_range_excludes_equality_exactly_where_its_p_says_so():
    seen = set()
    for seed in range(30):
        e, d = crossed(np.random.default_rng(seed), 10, (15, 15, 15), 0.4, 0.3)
        e[:, 2] = np.minimum(e[:, 2] + 2, d[:, 2])
        result = DesignFamily(rates_of_clusters(e, d, d.sum(axis=0), 10), (0, 1, 2))
        (_, low, _, p), (_, _, most, _) = result.largest_difference(0.95), result.worst_ratio(0.95)
        assert (low > 0) == (p < 0.05) == (most < 1)
        seen.add(p < 0.05)
    assert seen == {True, False}


def test_too_few_clusters_for_so_many_groups_have_no_omnibus_test():
    e, d = crossed(np.random.default_rng(2), 5, (9,) * 7, 0.5, 0.2)
    result = rates_of_clusters(e, d, d.sum(axis=0), 5)
    assert np.isnan(DesignFamily(result, tuple(range(7))).omnibus()[3])
    assert result.estimable.all() and not np.isnan(DesignFamily(result, tuple(range(7))).largest_difference(0.95)[0])


@pytest.mark.slow  # cells of the grid with weights and with clusters are quick (tests/inference/test_grid.py)
def test_sizes_with_uneven_weights_and_few_clusters_stay_near_the_nominal_one():
    """Each rejected 7 to 13% before: 8.6% (weights), 7.1% (clusters), and 11% (four groups)."""
    rejected = np.zeros(3)
    for seed in range(800):
        rng = np.random.default_rng(seed)
        sums = []
        for people in (200, 100, 100, 50):
            w = np.exp(rng.normal(0, 1, people))
            y = rng.random(people) < 0.2
            sums.append((w @ y, w.sum(), w**2 @ y, (w**2).sum(), people))
        result = rates_of_weighted(*np.array(sums).T, 450)
        e, d = crossed(rng, 8, (10, 10), 0.3, 0.3)
        clusters = rates_of_clusters(e, d, d.sum(axis=0), 8)
        p = result.pair(3, 0).p_value, DesignFamily(result, (0, 1, 2, 3)).omnibus()[3], clusters.pair(0, 1).p_value
        rejected += np.array(p) <= 0.05
    assert (rejected / 800 < 0.075).all() and (rejected / 800 > 0.01).all()


@pytest.mark.long
def test_one_large_cluster_and_few_others_do_not_make_false_differences():
    """CR2, which expects independent people, rejects 6.4% of these samples of 45 and 5 clusters."""
    sizes, rejected, draws = np.array([20] * 45 + [20] * 4 + [80]), 0, 2500
    d = np.column_stack([np.where(np.arange(50) < 45, sizes, 0), np.where(np.arange(50) < 45, 0, sizes)]).astype(float)
    rng = np.random.default_rng(5)
    for _ in range(draws):
        e = rng.binomial(d.astype(int), rng.beta(0.1, 0.9, 50)[:, None]).astype(float)
        rejected += rates_of_clusters(e, d, d.sum(axis=0), 50).pair(1, 0).p_value <= 0.05
    assert rejected / draws <= 0.06
