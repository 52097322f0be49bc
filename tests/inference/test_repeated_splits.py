"""Means over splits: the formula of Nadeau & Bengio, and what it repairs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from fairstats.inference.means import corrected, twice_median


def test_without_overlap_it_is_the_t_interval(rng):
    v = rng.normal(size=(12, 3))
    c = corrected(v, 0.0, 0.9)
    for j in range(3):
        test = stats.ttest_1samp(v[:, j], 0.2)
        low, high = test.confidence_interval(0.9)
        assert (c.low[j], c.high[j]) == pytest.approx((low, high))
        assert c.p_value(0.2)[j] == pytest.approx(test.pvalue)


def test_the_overlap_adds_the_ratio_of_sizes_to_the_variance(rng):
    v = rng.normal(size=20)
    assert corrected(v, 1 / 3).std_error ** 2 == pytest.approx((1 / 20 + 1 / 3) * v.var(ddof=1))


def test_one_split_or_equal_values_have_no_interval():
    assert np.isnan(corrected([0.3], 0.3).std_error) and corrected([0.3], 0.3).mean == 0.3
    assert np.isnan(corrected([0.1 + 0.2, 0.3, 0.3], 0.3).std_error)


@pytest.mark.parametrize(("naive", "low", "high"), [(True, 0.2, 0.7), (False, 0.0, 0.08)])
def test_size_of_the_paired_test_over_splits_under_equality(naive, low, high):
    """Two useless rules of the same accuracy on 80 people, 30 random halves: naive tests reject far too often."""
    rng = np.random.default_rng(8)
    rejected = 0
    for _ in range(400):
        gap = rng.integers(-1, 2, size=80)
        splits = np.stack([gap[rng.permutation(80)[:20]].mean() for _ in range(30)])
        rejected += corrected(splits, 0.0 if naive else 20 / 60).p_value() < 0.05
    assert low < rejected / 400 < high


def test_twice_the_median_keeps_its_level_however_the_p_values_depend(rng):
    one = rng.random(20000)
    assert (twice_median(np.stack([one] * 5)) <= 0.05).mean() < 0.05
    assert (twice_median(rng.random((2, 20000))) <= 0.05).mean() < 0.05
    worst = np.where(one < 0.05, one / 2, 0.6 + 0.4 * one)  # half of them small together
    assert (twice_median(np.stack([worst, worst, one])) <= 0.05).mean() <= 0.055
