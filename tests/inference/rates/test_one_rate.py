"""Intervals of one rate: published limits, inversion of their test, behavior at 0, 1, n = 1 and n = 0."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, binom, norm
from statsmodels.stats.proportion import proportion_confint

from fairstats.errors import InputError
from fairstats.inference.rates.one_rate import INTERVALS, clopper_pearson, effective_size, jeffreys, proportion, wilson

COUNTS = st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def test_wilson_prints_newcombes_published_limits():
    # Newcombe (1998a), Statistics in Medicine 17, 857-872, table I, method 3
    published = {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0.0, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }
    for (events, n), limits in published.items():
        assert wilson(events, n) == pytest.approx(limits, abs=5e-5)


def test_clopper_pearson_prints_newcombes_published_limits():
    published = {
        (81, 263): (0.2527, 0.3676),
        (15, 148): (0.0578, 0.1617),
        (0, 20): (0.0, 0.1684),
        (1, 29): (0.0009, 0.1776),
    }
    for (events, n), limits in published.items():
        assert clopper_pearson(events, n) == pytest.approx(limits, abs=5e-5)


@given(COUNTS, st.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_wilson_limits_are_the_rates_that_the_z_test_just_accepts(count, level):
    events, n = count
    z = norm.isf((1 - level) / 2)
    for limit in wilson(events, n, level):
        if 0 < limit < 1:
            assert abs(events / n - limit) == pytest.approx(z * math.sqrt(limit * (1 - limit) / n), rel=1e-9)


@given(COUNTS)
def test_clopper_pearson_limits_leave_half_of_alpha_in_each_tail(count):
    events, n = count
    low, high = clopper_pearson(events, n)
    assert low == 0 if events == 0 else binom.sf(events - 1, n, low) == pytest.approx(0.025, rel=1e-7)
    assert high == 1 if events == n else binom.cdf(events, n, high) == pytest.approx(0.025, rel=1e-7)


@given(COUNTS)
def test_jeffreys_limits_are_posterior_quantiles_except_at_0_and_1(count):
    events, n = count
    low, high = jeffreys(events, n)
    posterior = beta(events + 0.5, n - events + 0.5)
    assert low == 0 if events == 0 else posterior.cdf(low) == pytest.approx(0.025, rel=1e-7)
    assert high == 1 if events == n else posterior.sf(high) == pytest.approx(0.025, rel=1e-7)


@pytest.mark.parametrize("name", INTERVALS)
@given(count=COUNTS)
def test_no_interval_has_zero_width_and_each_contains_its_rate(name, count):
    events, n = count
    low, high = INTERVALS[name](events, n)
    assert 0 <= low <= events / n <= high <= 1
    assert high > low


@pytest.mark.long
@pytest.mark.parametrize("name", INTERVALS)
@given(count=COUNTS)
def test_exchanging_events_and_non_events_mirrors_the_interval(name, count):
    events, n = count
    low, high = INTERVALS[name](events, n)
    assert INTERVALS[name](n - events, n) == pytest.approx((1 - high, 1 - low), abs=1e-12)


@pytest.mark.parametrize(("name", "theirs"), [("wilson", "wilson"), ("clopper-pearson", "beta")])
def test_intervals_equal_those_of_statsmodels(name, theirs):
    n = np.repeat([1, 2, 7, 40, 1000], 6)
    events = np.round(n * np.tile([0, 0.1, 0.3, 0.5, 0.9, 1], 5))
    expected = [proportion_confint(e, m, method=theirs) for e, m in zip(events, n, strict=True)]
    assert np.column_stack(INTERVALS[name](events, n)) == pytest.approx(np.array(expected), abs=1e-12)


@pytest.mark.parametrize("name", INTERVALS)
def test_arrays_broadcast_also_over_levels_and_an_empty_denominator_is_nan(name):
    low, high = INTERVALS[name](np.array([[2], [0]]), np.array([[5], [0]]), np.array([0.9, 0.95]))
    assert low.shape == (2, 2)
    assert (high - low)[0, 0] < (high - low)[0, 1]
    assert np.isnan(low[1]).all()
    assert np.isnan(high[1]).all()


@given(st.lists(st.floats(0.1, 10), min_size=1, max_size=30), st.floats(0.1, 100))
def test_effective_size_is_at_most_n_and_ignores_the_scale_of_the_weights(weights, factor):
    size = effective_size(weights)
    assert 1 - 1e-9 <= size <= len(weights) * (1 + 1e-9)
    assert effective_size([factor * w for w in weights]) == pytest.approx(size)


def test_a_fractional_effective_size_lies_between_its_whole_neighbors():
    widths = [np.diff(wilson(0.3 * n, n))[0] for n in (10, 10.5, 11)]
    assert widths[0] > widths[1] > widths[2]


def test_proportion_of_nobody_is_unestimable_and_says_so():
    row = proportion(0, 0, metric="TPR", group="a")
    assert (row.status, row.reason) == ("unestimable", "nobody in the denominator")
    assert math.isnan(row.estimate)
    assert row.n == 0


def test_proportion_row_holds_its_counts_interval_and_method():
    row = proportion(81, 263, metric="selection rate", attribute="sex", group="f", conf_level=0.9)
    assert (row.events, row.n, row.conf_level, row.status) == (81, 263, 0.9, "ok")
    assert (row.conf_low, row.conf_high) == pytest.approx(wilson(81, 263, 0.9))


def test_unknown_interval_names_the_choices():
    with pytest.raises(InputError, match=r"interval has 'wilsn'; the choices are .*did you mean 'wilson'"):
        proportion(1, 2, interval="wilsn")
