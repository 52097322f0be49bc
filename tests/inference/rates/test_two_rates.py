"""Differences and ratios of two rates: published limits, duality with their tests, zeros, one-person groups."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import confint_proportions_2indep

from fairstats.errors import InputError
from fairstats.inference.rates.two_rates import (
    DIFFERENCE_INTERVALS,
    RATIO_INTERVALS,
    difference,
    katz,
    koopman,
    miettinen_nurminen,
    newcombe,
    ratio,
)

# Newcombe (1998b), Statistics in Medicine 17, 873-890, table II: data sets (a)-(h)
CASES = [(56, 70, 48, 80), (9, 10, 3, 10), (6, 7, 2, 7), (5, 56, 0, 29), (0, 10, 0, 20), (0, 10, 0, 10)]
CASES += [(10, 10, 0, 20), (10, 10, 0, 10)]
NEWCOMBE_10 = [(0.0524, 0.3339), (0.1705, 0.8090), (0.0582, 0.8062), (-0.0381, 0.1926), (-0.1611, 0.2775)]
NEWCOMBE_10 += [(-0.2775, 0.2775), (0.6791, 1.0000), (0.6075, 1.0000)]
NEWCOMBE_5 = [(0.0528, 0.3382), (0.1700, 0.8406), (0.0342, 0.8534), (-0.0326, 0.1933), (-0.1658, 0.2844)]
NEWCOMBE_5 += [(-0.2879, 0.2879), (0.7156, 1.0000), (0.6636, 1.0000)]

SIZE = st.integers(1, 400)
TABLES = st.tuples(SIZE, SIZE).flatmap(
    lambda n: st.tuples(st.integers(0, n[0]), st.just(n[0]), st.integers(0, n[1]), st.just(n[1]))
)


@pytest.mark.parametrize(
    ("interval", "published"),
    [(newcombe, NEWCOMBE_10), (miettinen_nurminen, NEWCOMBE_5)],
    ids=["method 10", "method 5"],
)
def test_difference_intervals_print_newcombes_published_limits(interval, published):
    limits = [interval(*case) for case in CASES]
    assert np.array(limits) == pytest.approx(np.array(published), abs=5.1e-5)


@pytest.mark.long
@given(TABLES)
def test_koopman_gives_the_same_interval_upside_down_when_the_groups_change_places(table):
    e1, n1, e0, n0 = table
    low, high = koopman(*table)
    back_low, back_high = koopman(e0, n0, e1, n1)
    with np.errstate(divide="ignore"):
        assert [1 / np.float64(back_high), 1 / np.float64(back_low)] == pytest.approx([low, high], rel=1e-9)


@pytest.mark.long
@pytest.mark.parametrize("name", DIFFERENCE_INTERVALS)
@given(table=TABLES)
def test_difference_intervals_change_sign_when_the_groups_change_places(name, table):
    e1, n1, e0, n0 = table
    low, high = DIFFERENCE_INTERVALS[name](*table)
    assert DIFFERENCE_INTERVALS[name](e0, n0, e1, n1) == pytest.approx((-high, -low), abs=1e-9)
    assert -1 <= low <= e1 / n1 - e0 / n0 <= high <= 1
    assert high > low


@given(TABLES)
def test_koopman_contains_the_ratio_and_is_never_of_zero_width(table):
    e1, n1, e0, n0 = table
    low, high = koopman(*table)
    assert high > low
    assert (low == 0) == (e1 == 0)
    assert math.isinf(high) == (e0 == 0)
    if e1 and e0:
        assert low * (1 - 1e-9) <= (e1 / n1) / (e0 / n0) <= high * (1 + 1e-9)


@given(TABLES)
def test_swapping_events_for_non_events_mirrors_the_difference_intervals(table):
    e1, n1, e0, n0 = table
    for interval in DIFFERENCE_INTERVALS.values():
        low, high = interval(*table)
        assert interval(n1 - e1, n1, n0 - e0, n0) == pytest.approx((-high, -low), abs=1e-9)


def test_newcombe_and_koopman_equal_statsmodels_where_it_converges():
    rng = np.random.default_rng(5)
    for size in (9, 60, 5000):
        n1, n0 = rng.integers(2, size, (2, 40))
        for table in zip(rng.binomial(n1, 0.3), n1, rng.binomial(n0, 0.5), n0, strict=True):
            e1, m1, e0, m0 = (int(v) for v in table)
            expected = confint_proportions_2indep(e1, m1, e0, m0, compare="diff", method="newcomb")
            assert newcombe(e1, m1, e0, m0) == pytest.approx(expected, abs=1e-12)
            if 0 < e1 < m1 and 0 < e0 < m0:
                expected = confint_proportions_2indep(e1, m1, e0, m0, compare="ratio", method="score", correction=False)
                assert koopman(e1, m1, e0, m0) == pytest.approx(expected, rel=1e-7)
                expected = confint_proportions_2indep(e1, m1, e0, m0, compare="ratio", method="log")
                assert katz(e1, m1, e0, m0) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("interval", [*DIFFERENCE_INTERVALS.values(), *RATIO_INTERVALS.values()])
def test_arrays_broadcast_and_an_empty_group_gives_nan(interval):
    low, high = interval(np.array([3, 0, 2]), np.array([10, 0, 5]), 4, np.array([9]), np.array([[0.9], [0.99]]))
    assert low.shape == (2, 3)
    assert np.isnan(low[:, 1]).all()
    assert np.isnan(high[:, 1]).all()
    assert (low[0, [0, 2]] > low[1, [0, 2]]).all()


def test_log_ratio_says_nothing_where_a_rate_is_zero():
    assert katz(0, 10, 3, 10) == (0, math.inf)
    assert katz(3, 10, 0, 10) == (0, math.inf)


def test_difference_row_has_both_ends_the_test_and_the_groups():
    row = difference(9, 10, 3, 10, metric="TPR", attribute="race", group="a", reference="b", test="z")
    assert (row.contrast, row.group, row.reference, row.n, row.events) == ("difference", "a", "b", 10, 9)
    assert (row.conf_low, row.conf_high) == pytest.approx((0.1705, 0.8090), abs=5e-5)
    assert row.statistic > 0
    assert row.method == "Newcombe interval; pooled z-test"


@pytest.mark.parametrize("build", [difference, ratio])
@pytest.mark.parametrize(("table", "who"), [((0, 0, 3, 10), "the group"), ((3, 10, 0, 0), "the reference")])
def test_an_empty_group_makes_an_unestimable_row_that_says_which(build, table, who):
    row = build(*table)
    assert row.status == "unestimable"
    assert row.reason == f"nobody in {who}"
    assert math.isnan(row.p_value)


def test_ratio_of_zero_rates_is_unestimable_and_of_a_zero_reference_infinite():
    assert ratio(0, 10, 0, 12).status == "unestimable"
    row = ratio(3, 10, 0, 12)
    assert (row.status, row.estimate, row.conf_high) == ("ok", math.inf, math.inf)
    assert row.conf_low > 0
    assert row.reason == "the reference has no events"


def test_fractional_counts_keep_the_interval_and_lose_the_exact_test():
    row = difference(3.5, 10.25, 4, 9.5)
    assert row.conf_low < row.estimate < row.conf_high
    assert math.isnan(row.p_value)


@pytest.mark.parametrize(("option", "value"), [("interval", "wald"), ("test", "t")])
def test_unknown_options_name_the_choices(option, value):
    with pytest.raises(InputError, match=f"{option} has '{value}'; the choices are "):
        difference(1, 2, 1, 2, **{option: value})
