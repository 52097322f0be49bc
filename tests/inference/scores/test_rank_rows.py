"""Rank statistics against brute force, theorems and scipy; R has its own file in tests/oracle."""

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from fairstats.errors import InputError
from fairstats.inference.scores.brunner_munzel import relative_effect_estimate
from fairstats.inference.scores.hodges_lehmann import _place, hodges_lehmann
from fairstats.inference.scores.merged import mann_whitney, merge, u_distribution
from fairstats.inference.scores.rank_tests import (
    cliffs_delta,
    kolmogorov_smirnov,
    newcombe_auc,
    probability_of_superiority,
    shift_estimate,
)

coarse = st.lists(st.integers(0, 6), min_size=1, max_size=7)
fine = st.lists(st.floats(-1e6, 1e6, allow_subnormal=False), min_size=1, max_size=40)


def permutation_p(x, y, statistic):
    """Two-sided by the doubled smaller tail, over every split of the pooled sample."""
    pooled = np.array([*x, *y])
    picks = [list(c) for c in combinations(range(pooled.size), len(x))]
    values = np.array([statistic(pooled[c], np.delete(pooled, c)) for c in picks])
    here = statistic(np.array(x), np.array(y))
    return min(1.0, 2 * min(np.mean(values <= here + 1e-9), np.mean(values >= here - 1e-9)))


def pairs_won(x, y):
    return np.sum(np.subtract.outer(x, y) > 0) + np.sum(np.subtract.outer(x, y) == 0) / 2


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(coarse, coarse)
def test_exact_p_value_is_the_permutation_p_value_given_the_ties(x, y):
    test = mann_whitney(x, y)
    assert test.statistic == pairs_won(np.array(x), np.array(y))
    assert test.p_value == pytest.approx(permutation_p(x, y, pairs_won), abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 4), min_size=1, max_size=12), st.data())
def test_null_distribution_of_u_has_the_known_mean_and_variance(sizes, data):
    total = sum(sizes)
    n = data.draw(st.integers(0, total))
    u, p = u_distribution(sizes, n)
    assert p.sum() == pytest.approx(1)
    assert u[0] >= 0 and u[-1] <= n * (total - n)
    assert p @ u == pytest.approx(n * (total - n) / 2)
    ties = sum(t**3 - t for t in sizes) / (total * (total - 1)) if total > 1 else 0
    variance = n * (total - n) / 12 * (total + 1 - ties) if len(sizes) > 1 else 0
    assert p @ (u - p @ u) ** 2 == pytest.approx(variance, abs=1e-9)


def test_a_constant_score_is_no_evidence():
    for size in (1, 3, 60):
        assert mann_whitney(np.ones(size), np.ones(size + 1)).p_value == 1.0


def test_exact_is_refused_where_it_is_out_of_reach():
    with pytest.raises(InputError, match=r"exact has value True; .* pass exact=False"):
        mann_whitney(np.arange(600.0), np.arange(600.0), exact=True)


def test_missing_scores_are_refused_and_infinite_ones_ranked():
    with pytest.raises(InputError, match="1 missing"):
        mann_whitney([1.0, np.nan], [2.0])
    assert mann_whitney([np.inf], [-np.inf]).statistic == 1.0


@settings(max_examples=80, deadline=None)
@given(st.integers(1, 60), st.integers(1, 60), st.floats(0, 1), st.sampled_from([0.8, 0.95, 0.99]))
def test_newcombe_limits_solve_the_score_equation(n, m, theta, level):
    low, high = newcombe_auc(theta, n, m, level)
    assert low <= theta <= high and high - low > 0
    z, star = stats.norm.ppf((1 + level) / 2), (n + m) / 2 - 1
    for t in (low, high):
        if 1e-12 < t < 1 - 1e-12:
            variance = t * (1 - t) * (1 + star * (1 - t) / (2 - t) + star * t / (1 + t)) / (n * m)
            assert (t - theta) ** 2 == pytest.approx(z * z * variance, rel=1e-6, abs=1e-11)


def test_newcombe_covers_in_small_samples():
    rng = np.random.default_rng(7)
    delta = 1.2  # P(X > Y) of two normals that far apart
    truth = stats.norm.cdf(delta / np.sqrt(2))
    hits = 0
    for _ in range(2000):
        _, _, low, high = probability_of_superiority(rng.normal(delta, size=8), rng.normal(size=12))
        hits += low <= truth <= high
    assert 0.93 <= hits / 2000 <= 0.975


@settings(max_examples=80, deadline=None)
@given(coarse, coarse)
def test_superiority_is_antisymmetric_and_cliff_is_its_rescaling(x, y):
    a, b = probability_of_superiority(x, y), probability_of_superiority(y, x)
    assert a.estimate == pytest.approx(1 - b.estimate, abs=1e-12)
    assert (a.low, a.high) == pytest.approx((1 - b.high, 1 - b.low), abs=1e-12)
    won, lost = pairs_won(np.array(x), np.array(y)), pairs_won(np.array(y), np.array(x))
    assert cliffs_delta(x, y).estimate == pytest.approx((won - lost) / (len(x) * len(y)), abs=1e-12)


@settings(max_examples=80, deadline=None)
@given(fine, fine, st.integers(0, 6))
def test_hodges_lehmann_is_the_true_median_of_the_differences(x, y, digits):
    x, y = np.round(x, digits - 3), np.round(y, digits - 3)
    every = np.sort(np.subtract.outer(x, y).ravel())
    assert hodges_lehmann(x, y).estimate == pytest.approx(np.median(every), rel=1e-15, abs=0)


def test_moses_interval_excludes_zero_exactly_when_the_exact_test_rejects():
    rng = np.random.default_rng(11)
    for _ in range(200):
        x, y = rng.normal(0.8, size=rng.integers(4, 12)), rng.normal(size=rng.integers(4, 12))
        _, low, high = hodges_lehmann(x, y)
        assert (not low <= 0 <= high) == (mann_whitney(x, y).p_value <= 0.05 + 1e-12)


def test_moses_interval_is_infinite_where_no_interval_reaches_the_level():
    assert hodges_lehmann([1, 2, 3], [0, 1, 2])[1:] == (-np.inf, np.inf)
    assert np.isfinite(hodges_lehmann([1, 2, 3, 4], [0, 1, 2, 5])[1:]).all()


@pytest.mark.parametrize("size", [20, 60])
def test_moses_interval_covers_at_least_as_stated_with_ties(size):
    rng = np.random.default_rng(2)
    hits = 0
    for _ in range(1000):
        x, y = np.round(rng.normal(size=size)) + 1, np.round(rng.normal(size=size))
        _, low, high = hodges_lehmann(x, y)
        hits += low <= 1 <= high
    assert hits / 1000 >= 0.94


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(coarse, coarse)
def test_kolmogorov_smirnov_is_exact_given_the_ties(x, y):
    def distance(a, b):
        grid = np.union1d(a, b)
        return np.abs((a[:, None] <= grid).mean(0) - (b[:, None] <= grid).mean(0)).max()

    pooled = np.array([*x, *y])
    picks = [list(c) for c in combinations(range(pooled.size), len(x))]
    values = np.array([distance(pooled[c], np.delete(pooled, c)) for c in picks])
    test = kolmogorov_smirnov(x, y)
    assert test.statistic == pytest.approx(distance(np.array(x), np.array(y)), abs=1e-12)
    assert test.p_value == pytest.approx(np.mean(values >= test.statistic - 1e-9), abs=1e-12)


def test_kolmogorov_smirnov_without_ties_is_scipys():
    rng = np.random.default_rng(1)
    for n, m in ((3, 40), (30, 31), (99, 101)):
        x, y = rng.normal(size=n), rng.normal(0.3, size=m)
        theirs = stats.ks_2samp(x, y, method="exact")
        assert kolmogorov_smirnov(x, y).p_value == pytest.approx(theirs.pvalue, rel=1e-9)


def test_statistics_do_not_depend_on_the_order_of_the_rows():
    rng = np.random.default_rng(4)
    x, y = rng.integers(0, 10, 70), rng.integers(0, 12, 80)
    p, q = rng.permutation(x), rng.permutation(y)
    assert mann_whitney(x, y) == mann_whitney(p, q)
    assert probability_of_superiority(x, y) == probability_of_superiority(p, q)
    assert hodges_lehmann(x, y) == hodges_lehmann(p, q)
    assert kolmogorov_smirnov(x, y) == kolmogorov_smirnov(p, q)


def test_weights_are_repetitions():
    x, y, w = np.array([1.0, 2, 2, 5]), np.array([0.0, 2, 3]), np.array([2, 1, 3, 1])
    weighted, repeated = merge(x, y, w), merge(np.repeat(x, w), y)
    assert weighted.u() == repeated.u()
    assert weighted.place_y().tolist() == repeated.place_y().tolist()


def test_rows_carry_the_statistic_the_interval_and_how():
    x, y = [2, 3, 4, 4], [1, 1, 2]
    moved = shift_estimate(x, y, attribute="race", group="b", reference="a", conf_level=0.9)
    assert (moved.metric, moved.n, moved.conf_level) == ("score shift", 4, 0.9)
    assert moved.p_value == mann_whitney(x, y).p_value and moved.statistic == mann_whitney(x, y).statistic
    assert moved.method == "Hodges-Lehmann, Moses, if the shapes agree; Mann-Whitney, exact given the ties"
    assert moved.contrast == "difference" and moved.estimate == hodges_lehmann(x, y).estimate


def test_an_empty_group_is_not_estimable():
    for build in (relative_effect_estimate, shift_estimate):
        row = build([], [1, 2], group="b")
        assert row.status == "unestimable" and "without scores" in row.reason and np.isnan(row.estimate)


def test_ties_that_leave_a_shift_no_width_leave_it_no_interval():
    mostly_zero = np.r_[np.zeros(45), np.arange(1.0, 6.0)]
    row = shift_estimate(mostly_zero, mostly_zero[5:], group="b", reference="a")
    assert hodges_lehmann(mostly_zero, mostly_zero[5:])[1:] == (0, 0)
    assert (row.estimate, row.status) == (0, "ok")
    assert np.isnan([row.conf_low, row.conf_high]).all()
    assert "no interval" in row.reason
    assert np.isnan(row.p_value)  # the p-value is that of the distributions


@pytest.mark.parametrize(("n", "m"), [(60, 60), (70, 95)])
@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_the_place_of_a_limit_of_the_shift_is_the_exact_one_to_one_place(n, m, level):
    _, probabilities = u_distribution(np.ones(n + m), n)
    exact = int(np.searchsorted(np.cumsum(probabilities), (1 - level) / 2 * (1 - 1e-12)))
    z = stats.norm.ppf((1 + level) / 2) * np.sqrt(n * m * (n + m + 1) / 12)
    result = _place(n, m, level)
    assert abs(result - exact) <= 3 and result == int(np.floor((n * m + 1) / 2 - z))


@pytest.mark.parametrize(("x", "y"), [([1] * 77 + [2] * 23, [2] * 99), ([1] * 90 + [3] * 9, [2] * 60 + [3] * 39)])
def test_kolmogorov_smirnov_in_the_far_tail_is_positive_and_exact(x, y):
    """A p-value of -1.17e-24 came of cancellation; a path is counted here in whole numbers."""
    n, m = len(x), len(y)
    values = sorted({*x, *y})
    far = max(abs(sum(v <= at for v in x) * m - sum(v <= at for v in y) * n) for at in values)
    near, before = {0: 1}, 0
    for at in values:  # ways to take the block's people from both groups, of paths that stay near the diagonal
        ahead = sum(v <= at for v in x) + sum(v <= at for v in y)
        block, after = ahead - before, {}
        for taken, ways in near.items():
            for more in range(block + 1):
                total = taken + more
                if total <= n and ahead - total <= m and abs(total * m - (ahead - total) * n) < far:
                    after[total] = after.get(total, 0) + ways * math.comb(block, more)
        near, before = after, ahead
    exact = float(1 - Fraction(near.get(n, 0), math.comb(n + m, n)))
    test = kolmogorov_smirnov(x, y)
    assert 0 < test.p_value == pytest.approx(exact, rel=1e-9)


def test_kolmogorov_smirnov_has_no_p_value_below_0():
    rng = np.random.default_rng(3)
    for n, m, values in ((99, 100, 12), (125, 79, 6), (60, 160, 40)):
        for shift in (0.6, 0.8, 1.0):
            x = rng.integers(0, values, n)
            y = rng.integers(0, values, m) + round(shift * values)
            assert 0 < kolmogorov_smirnov(x, y).p_value <= 1
