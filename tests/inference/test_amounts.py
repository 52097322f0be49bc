"""Means, quantiles and quarters of amounts: enumeration, other packages, and what has to agree."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import fairstats as fs
from fairstats.inference.amounts.means import (
    NEAR_ZERO,
    NO_RATIO,
    LognormalMeans,
    Mean,
    MeanPair,
    PermutedMeans,
    _subsets,
    mean_of,
    mean_pair,
    too_few_for_means,
)
from fairstats.inference.amounts.quantiles import QuantilePair, Quantiles
from fairstats.inference.amounts.quarters import Quarters
from fairstats.inference.scores.survey import Scored

few = st.lists(st.integers(1, 40), min_size=3, max_size=6)


def people(values, weights=None, clusters=None) -> Scored:
    x = np.asarray(values, dtype=float)
    w = np.ones(x.size) if weights is None else np.asarray(weights, dtype=float)
    return Scored(x, w, w * w, np.ones(x.size), clusters)


@pytest.mark.long
@given(few, few)
def test_small_samples_have_the_exact_permutation_test_of_welchs_t(x, y):
    pooled, n = np.array([*x, *y], dtype=float), len(x)

    def t(first):
        a, b = pooled[list(first)], pooled[[i for i in range(pooled.size) if i not in first]]
        se = np.sqrt(a.var(ddof=1) / a.size + b.var(ddof=1) / b.size)
        gap = a.mean() - b.mean()
        return gap / se if se > 0 else np.sign(gap) * np.inf if gap else 0.0

    every = np.array([t(first) for first in combinations(range(pooled.size), n)])
    edge = 1e-9 * (1 + abs(every[0])) if np.isfinite(every[0]) else 0
    wanted = np.mean(every >= every[0] - edge), np.mean(every <= every[0] + edge)
    assert PermutedMeans(pooled[:n], pooled[n:]).tails(1.0, 0.0) == pytest.approx(wanted)


@pytest.mark.parametrize(("total", "size"), [(12, 6), (40, 12), (3000, 90), (300, 120), (12000, 4)])
def test_subsets_that_are_drawn_at_once_are_those_that_floyd_s_algorithm_draws_one_by_one(total, size):
    rng, drawn = np.random.default_rng(5), np.concatenate(list(_subsets(total, size, False, 5)))
    assert drawn.shape == ((9999 if size <= 100 else 1999), size)
    for row in drawn[:200]:
        chosen: list[int] = []
        for last in range(total - size, total):
            one = int(rng.integers(0, last, endpoint=True))
            chosen.append(last if one in chosen else one)
        assert list(row) == chosen


@given(few, few, st.floats(0.5, 2), st.floats(-20, 20))
def test_a_moved_or_scaled_sample_is_permuted_as_if_it_had_been_so(x, y, scale, shift):
    x, y = np.array(x, dtype=float), np.array(y, dtype=float)
    assert PermutedMeans(x, y).tails(scale, shift) == pytest.approx(
        PermutedMeans(scale * x - shift, y).tails(1.0, 0.0), abs=0.03
    )


@pytest.mark.long
@given(few, few, st.sampled_from([0.8, 0.95]))
def test_limits_and_test_of_both_contrasts_are_one_decision(x, y, level):
    pair = mean_pair(people(x), people(y))
    if pair.reason:
        return
    low, high = pair.difference_limits(level)
    if abs(pair.p_value - (1 - level)) > 1e-6:
        assert (pair.p_value <= 1 - level) == (low > 0 or high < 0)
        if not pair.no_ratio:
            low, high = pair.ratio_limits(level)
            assert (pair.p_value <= 1 - level) == (low > 1 or high < 1)


def test_large_symmetric_samples_have_welchs_test_and_fiellers_limits(rng):
    x, y = rng.normal(100, 10, 1500), rng.normal(103, 12, 2500)
    x, y = np.concatenate([x, 200 - x]), np.concatenate([y, 206 - y])  # no skewness: Hall changes nothing
    pair = mean_pair(people(x), people(y))
    test = stats.ttest_ind(x, y, equal_var=False)
    assert pair.permuted is None
    assert pair.p_value == pytest.approx(test.pvalue, rel=1e-6)
    assert pair.difference_limits(0.95) == pytest.approx(tuple(test.confidence_interval()), rel=1e-6)
    # Fieller: the roots of (a - r b)^2 = q^2 (va + r^2 vb), whose quantile hardly depends on r here
    a, b, va, vb = x.mean(), y.mean(), x.var(ddof=1) / x.size, y.var(ddof=1) / y.size
    q = stats.t.ppf(0.975, test.df)
    roots = np.sort(np.roots([b * b - q * q * vb, -2 * a * b, a * a - q * q * va]))
    assert pair.ratio_limits(0.95) == pytest.approx(tuple(roots), rel=1e-5)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("n", [6, 30, 77])
def test_limits_of_a_quantile_are_those_of_the_binomial_test(rng, n, share):
    x = rng.lognormal(size=n)
    ends = stats.quantile_test(x, q=0, p=share).confidence_interval(0.95)
    low, high = Quantiles(people(x)).limits(share, 0.95)
    assert (low, high) == (
        ends.low if np.isfinite(ends.low) else -np.inf,
        ends.high if np.isfinite(ends.high) else np.inf,
    )
    assert Quantiles(people(x)).at(share) == pytest.approx(np.quantile(x, share, method="averaged_inverted_cdf"))


@given(few, few)
def test_quantiles_decide_by_their_limits(x, y):
    pair = QuantilePair(Quantiles(people(x * 4)), Quantiles(people(y * 4)), 0.5)
    if pair.reason or abs(pair.p_value - 0.05) < 1e-6:
        return
    low, high = pair.ratio_limits(0.95)
    assert (pair.p_value < 0.05) == (low > 1 or high < 1)


@given(st.lists(st.integers(0, 9), min_size=2, max_size=40), st.integers(1, 5))
def test_quarters_hold_a_quarter_each_and_do_not_depend_on_how_ties_are_listed(values, split):
    x = np.array(values, dtype=float)
    quarters = Quarters.of(Quantiles(people(x)))
    covered = np.array([quarters.membership(x, k) for k in range(4)])
    assert covered.sum(axis=1) == pytest.approx(np.full(4, x.size / 4))
    assert covered.min() >= -1e-12
    assert covered.sum(axis=0) == pytest.approx(np.ones(x.size))
    parts = np.full(x.size * split, 1 / split)
    again = Quarters.of(Quantiles(Scored(np.repeat(x, split), parts, parts, parts)))
    assert again.membership(x, 2) == pytest.approx(covered[2])


def test_counted_people_are_as_many_rows(rng):
    x, times = rng.integers(1, 8, 40).astype(float), rng.integers(1, 4, 40)
    cells, rows = Scored(x, times, times, times), people(np.repeat(x, times))
    for one, other in ((mean_of(cells), mean_of(rows)),):
        assert (one.mean, one.variance, one.third, one.df) == pytest.approx(
            (other.mean, other.variance, other.third, other.df)
        )
    assert Quantiles(cells).limits(0.3, 0.9) == Quantiles(rows).limits(0.3, 0.9)


def test_a_stratified_mean_has_the_variance_of_its_strata(rng):
    values, codes = rng.normal(5, 1, 60), np.repeat([0, 1, 2], [10, 20, 30])
    weight = np.array([0.5, 0.3, 0.2])
    result = mean_of(people(values), strata=codes, weight=weight)
    parts = [values[codes == h] for h in range(3)]
    assert result.mean == pytest.approx(weight @ [part.mean() for part in parts])
    assert result.variance == pytest.approx(weight**2 @ [part.var(ddof=1) / part.size for part in parts])


def test_clusters_of_one_are_the_jackknife_of_people(rng):
    values = rng.lognormal(size=30)
    result = mean_of(people(values, clusters=np.arange(30)))
    left = np.array([np.delete(values, i).mean() for i in range(30)])
    assert result.variance == pytest.approx(np.sum((left - values.mean()) ** 2))


def test_members_of_one_cluster_move_together(rng):
    """Couples whose amounts rise and fall together: their difference is known better than by independence."""
    part = rng.normal(size=50)
    x, y = part + 0.1 * rng.normal(size=50), part + 0.1 * rng.normal(size=50)
    pair = mean_pair(people(x, clusters=np.arange(50)), people(y, clusters=np.arange(50)))
    paired = stats.ttest_rel(x, y)
    assert pair.error()[0] == pytest.approx(np.std(x - y, ddof=1) / np.sqrt(50) * 50 / 49, rel=0.02)
    assert pair.p_value == pytest.approx(paired.pvalue, abs=0.03)


def test_what_has_no_ratio_says_so():
    assert fs.stats.mean_gap([-1.0, 2.0, 3.0, 5.0], [2.0, 3.0, 4.0, 9.0]).reason == NO_RATIO
    assert fs.stats.mean_gap([1.0, 2.0, 3.0], [0.0, 0.0, 0.0, 0.0, 0.0, 90.0]).reason == NEAR_ZERO
    assert fs.stats.mean_difference([-1.0, 2.0, 3.0, 5.0], [2.0, 3.0, 4.0, 9.0]).reason == ""
    assert fs.stats.mean_difference([3.0, 3.0], [3.0, 3.0]).reason
    assert MeanPair(Mean(1.0, 2.0, reason="alone"), Mean(0.0, 1.0)).p_value != 0


def lognormal_limits(values):
    """Limits of the logarithm of a lognormal mean in closed form, and the estimate (Zou, Huo & Taleban 2009)."""
    logs, z = np.log(values), stats.norm.ppf(0.975)
    n, variance = logs.size, logs.var(ddof=1)
    estimate, half = logs.mean() + variance / 2, z * np.sqrt(variance / n)
    ends = [variance / 2 * ((n - 1) / stats.chi2.ppf(q, n - 1) - 1) for q in (0.975, 0.025)]
    return estimate, estimate - np.hypot(half, ends[0]), estimate + np.hypot(half, ends[1])


def lognormal_pair(x, y):
    logs = [mean_of(people(np.log(v))) for v in (x, y)]
    return MeanPair(mean_of(people(x)), mean_of(people(y)), None, LognormalMeans(*logs))


def test_lognormal_means_are_near_their_limits_in_closed_form(rng):
    x, y = np.exp(rng.normal(size=15)), np.exp(0.5 * rng.normal(size=40))
    (a, a_low, a_high), (b, b_low, b_high) = lognormal_limits(x), lognormal_limits(y)
    low, high = a - b - np.hypot(a - a_low, b_high - b), a - b + np.hypot(a_high - a, b - b_low)
    means = lognormal_pair(x, y).lognormal
    drawn = np.quantile(np.log(means.x) - np.log(means.y), [0.025, 0.975])
    assert drawn == pytest.approx([low, high], abs=0.06)


def test_small_samples_of_unequal_spread_are_tested_as_lognormal_too(rng):
    wrong = 0
    for _ in range(400):
        x, y = np.exp(rng.normal(size=12) - 0.5), np.exp(0.4 * rng.normal(size=12) - 0.08)
        wrong += lognormal_pair(x, y).p_value <= 0.05
    assert wrong <= 400 * 0.05 + 2 * np.sqrt(400 * 0.05 * 0.95)


def test_rows_of_unequal_spread_do_not_contradict_themselves(rng):
    for _ in range(30):
        x, y = np.exp(rng.normal(size=9) + 0.8), np.exp(0.3 * rng.normal(size=15))
        pair = lognormal_pair(x, y)
        shown = pair.p_value <= 0.05
        for (low, high), null in ((pair.ratio_limits(0.95), 1.0), (pair.difference_limits(0.95), 0.0)):
            assert shown == (not low <= null <= high)


def test_whether_spread_differs_is_looked_at_in_small_samples_alone(rng):
    def spread(s, n):
        return people(np.exp(s * np.linspace(-1.5, 1.5, n)))

    assert too_few_for_means(spread(0.3, 12), spread(1.2, 12))
    assert not too_few_for_means(spread(0.8, 8), spread(0.9, 400))
    assert not too_few_for_means(spread(0.5, 100), spread(1.0, 100))
    assert not too_few_for_means(spread(0.3, 20), spread(0.5, 20))


def test_bad_amounts_are_refused():
    with pytest.raises(fs.InputError, match="x has inf"):
        fs.stats.mean_difference([1.0, np.inf], [1.0, 2.0])
    with pytest.raises(fs.InputError, match="only one was given"):
        fs.stats.mean_gap([1.0, 2.0], [1.0, 2.0], x_clusters=[1, 2])
    with pytest.raises(fs.InputError, match="x_weights"):
        fs.stats.quantile_gap([1.0, 2.0], [1.0, 2.0], x_weights=[1.0, -2.0])
