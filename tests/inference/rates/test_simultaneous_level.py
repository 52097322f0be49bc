"""The joint level: Tukey's where counts are large, exact decisions where they are small."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm, studentized_range

from fairstats.inference.rates import many_rates
from fairstats.inference.rates.many_rates import (
    CONTRASTS,
    max_difference,
    outermost_of_pairs,
    pairwise,
    permutation_test,
    simultaneous_level,
    worst_ratio,
)
from fairstats.inference.rates.rate_tests import fisher_exact, mid_p
from fairstats.inference.rates.two_rates import miettinen_nurminen


def test_the_critical_value_of_large_equal_groups_is_tukeys():
    joint = simultaneous_level([40_000, 40_100, 39_900, 40_050, 40_020], [100_000] * 5, replicates=100_000)
    assert norm.isf((1 - joint.conf_level) / 2) == pytest.approx(
        studentized_range.ppf(0.95, 5, np.inf) / np.sqrt(2), abs=0.02
    )


def test_the_level_of_two_groups_is_the_plain_one_where_counts_are_large():
    assert simultaneous_level([40_000, 40_300], [100_000, 90_000], replicates=100_000).conf_level == pytest.approx(
        0.95, abs=0.003
    )


@pytest.mark.parametrize("table", [(3, 10, 8, 10), (1, 12, 6, 15), (9, 30, 19, 33)])
def test_two_groups_get_the_mid_p_of_the_exact_conditional_distribution(table):
    e1, n1, e0, n0 = table
    joint = simultaneous_level([e1, e0], [n1, n0], replicates=200_000)
    # equal where |score| orders the tables as their probability does
    if n1 == n0:
        assert joint.p_value == pytest.approx(
            fisher_exact(*table) - (fisher_exact(*table) - mid_p(*table)) * 2, abs=0.004
        )
    assert mid_p(*table) - 0.03 <= joint.p_value <= fisher_exact(*table) + 0.03


def test_pairwise_intervals_are_those_of_two_groups():
    low, high = pairwise([3, 5, 0], [10, 12, 7], 0.9)
    assert np.isnan(np.diag(low)).all()
    assert (low[0, 1], high[0, 1]) == pytest.approx(miettinen_nurminen(3, 10, 5, 12, 0.9))
    assert low == pytest.approx(-high.T, nan_ok=True)


def test_one_group_has_no_level():
    assert np.isnan(simultaneous_level([3, 0], [10, 0]).conf_level)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.floats(0, 1), st.sampled_from([1, 2, 7, 10, 10, 60, 2000])), min_size=2, max_size=25),
    st.sampled_from([0.02, 0.4, 1.0]),
    st.floats(0.8, 0.9999),
)
def test_the_outermost_limits_are_those_of_all_pairs(groups, most, level):
    share, n = (np.array(v, dtype=float) for v in zip(*groups, strict=True))
    e = np.round(share * most * n)
    low, high = pairwise(e, n, level)
    present = [(e[n > 0], n[n > 0])]
    assert outermost_of_pairs(present, [level])[0] == pytest.approx((np.nanmax(low), np.nanmax(high)), abs=1e-14)
    low, high = pairwise(e, n, level, "ratio")
    smallest = pytest.approx((np.nanmin(low), np.nanmin(high)), rel=1e-13)
    assert outermost_of_pairs(present, [level], "ratio")[0] == smallest


def test_of_a_thousand_groups_few_pairs_are_solved(monkeypatch):
    pairs, whole = [], many_rates.outermost_limits
    monkeypatch.setattr(
        many_rates,
        "outermost_limits",
        lambda problems, *a: pairs.extend(of[0].size for of, _ in problems) or whole(problems, *a),
    )
    rng = np.random.default_rng(2)
    n = rng.integers(50, 500, 1000).astype(float)
    outermost_of_pairs([(rng.binomial(n.astype(int), 0.3).astype(float), n)], [0.99])
    assert 0 < sum(pairs) < 5000  # of 999,000


@pytest.mark.parametrize("events", [[9, 60, 55], [70, 60, 55], [30, 60, 62]])
def test_a_rate_and_its_complement_have_the_same_draws(events):
    n = np.array([101, 103, 107])
    one, other = simultaneous_level(events, n, replicates=500), simultaneous_level(n - events, n, replicates=500)
    assert (one.conf_level, one.p_value) == pytest.approx((other.conf_level, other.p_value), rel=1e-9)


def test_differences_and_ratios_of_the_same_counts_rest_on_the_same_draws(monkeypatch):
    draws = []
    whole = many_rates.permuted
    monkeypatch.setattr(many_rates, "permuted", lambda *a: draws.append(1) or whole(*a))
    many_rates._null.cache_clear()
    for contrast in CONTRASTS:
        simultaneous_level([50, 60, 55], [101, 103, 107], contrast=contrast, replicates=500)
    assert len(draws) == 1


def test_a_family_without_members_takes_nothing_from_the_other():
    n = [[60, 70, 80], [0, 0, 0]]
    both, one = simultaneous_level([[20, 30, 40], [0, 0, 0]], n), simultaneous_level([20, 30, 40], n[0])
    assert both.statistic == one.statistic
    assert both.p_value == pytest.approx(one.p_value, abs=0.03)


def test_the_order_of_the_groups_moves_no_limit_and_no_p_value():
    events, n = np.array([156.0, 36, 30, 21]), np.array([520.0, 180, 120, 80])
    few, of = np.array([3.0, 1, 0, 4]), np.array([9.0, 8, 7, 6])
    for order in ([3, 1, 2, 0], [2, 0, 3, 1]):
        for function in (max_difference, worst_ratio):
            assert function(events[order], n[order]) == function(events, n)
        assert permutation_test(few[order], of[order]) == permutation_test(few, of)
