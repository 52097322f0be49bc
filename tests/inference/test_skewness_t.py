"""Inference for means of skewed data: the t test where there is no skewness, better coverage where there is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

from fairstats.inference.means import LossSample, _inverse, _transformed, inference

symmetric = st.lists(st.floats(0.1, 50), min_size=2, max_size=20).map(lambda v: np.r_[v, np.negative(v)])


@given(symmetric, st.floats(-5, 5))
def test_without_skewness_it_is_the_t_test(values, shift):
    result = inference(float((values + shift).mean()), (LossSample.of(values + shift),))
    test = stats.ttest_1samp(values + shift, 0)
    assert (result.low, result.high) == pytest.approx(tuple(test.confidence_interval()), rel=1e-6, abs=1e-6)
    assert result.p_value == pytest.approx(test.pvalue, rel=1e-5, abs=1e-9)


@pytest.mark.long
@given(symmetric, symmetric)
def test_without_skewness_the_difference_is_welchs(x, y):
    x = x + 1.0
    result = inference(float(x.mean() - y.mean()), (LossSample.of(x), LossSample.of(y)))
    test = stats.ttest_ind(x, y, equal_var=False)
    assert (result.df, result.p_value) == pytest.approx((test.df, test.pvalue), rel=1e-4, abs=1e-9)


@given(st.floats(-8, 8), st.floats(-0.9, 0.9))
def test_the_transformation_is_undone(t, u):
    assert _inverse(_transformed(t, u), u) == pytest.approx(t, abs=1e-5)


@given(st.lists(st.floats(-20, 20), min_size=5, max_size=30))
@example([0.0, 0.0, 0.0, 0.0, 1e-105])  # whose variance squared is zero
def test_interval_and_test_agree(values):
    current = LossSample.of(values)
    result = inference(current.mean, (current,))
    if not np.isnan(result.p_value) and abs(result.p_value - 0.05) > 1e-6:
        assert (result.p_value < 0.05) == (result.low > 0 or result.high < 0)


def test_a_mirror_image_has_the_mirrored_interval(rng):
    x, y = rng.exponential(size=15), rng.exponential(size=40) ** 2
    one = inference(float(x.mean() - y.mean()), (LossSample.of(x), LossSample.of(y)))
    other = inference(float(y.mean() - x.mean()), (LossSample.of(y), LossSample.of(x)))
    assert (one.low, one.high, one.p_value) == pytest.approx((-other.high, -other.low, other.p_value))


@pytest.mark.parametrize("samples", [500, pytest.param(2000, marks=pytest.mark.slow)])
def test_coverage_of_squared_normals_is_closer_to_nominal_than_that_of_t(samples):
    rng = np.random.default_rng(4)
    hits = plain = 0
    for x in rng.chisquare(1, size=(samples, 15)):
        result = inference(float(x.mean()), (LossSample.of(x),))
        low, high = stats.ttest_1samp(x, 0).confidence_interval()
        hits, plain = hits + (result.low <= 1 <= result.high), plain + (low <= 1 <= high)
    assert 0.92 < hits / samples < 0.97 and plain < hits
