"""Exact equivalence tests: brute force over all tables, the size at and beyond the margin, symmetry."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta, binom

from fairstats.errors import InputError
from fairstats.inference.multiplicity import p_adjust
from fairstats.inference.rates.equivalence import tost_rates
from fairstats.inference.rates.exact import GAMMA, equivalence_of_range, equivalence_of_rates, equivalence_of_ratio
from fairstats.inference.rates.rate_tests import difference_score, ratio_score

SIZE = st.integers(2, 25)
TABLES = st.tuples(SIZE, SIZE).flatmap(
    lambda n: st.tuples(st.integers(0, n[0]), st.just(n[0]), st.integers(0, n[1]), st.just(n[1]))
)


def limits(e, n, gamma):
    return (beta.ppf(gamma / 2, e, n - e + 1) if e else 0.0), (beta.isf(gamma / 2, e + 1, n - e) if e < n else 1.0)


def one_sided(score, value, edge, back, table):
    """Largest chance of so large a score over a fine net of all pairs of rates in the hypothesis and the box."""
    e1, n1, e0, n0 = table
    x, y = np.meshgrid(np.arange(n1 + 1), np.arange(n0 + 1), indexing="ij")
    scores = score(x, n1, y, n0, value)
    extreme = scores >= scores[e1, e0] - 1e-9 * max(1, abs(scores[e1, e0]))
    (low1, high1), (low0, high0) = limits(e1, n1, GAMMA / 2), limits(e0, n0, GAMMA / 2)
    p0 = np.linspace(min(max(low0, back(low1)), high0), high0, 400)
    best = 0.0
    for share in (1.0, 0.97, 0.5):  # the edge, and inside the hypothesis
        p1 = np.clip(low1 + share * (np.minimum(edge(p0), high1) - low1), 0, 1)
        keep = edge(p0) >= low1 - 1e-12
        first = binom.pmf(np.arange(n1 + 1), n1, p1[keep, None])
        second = binom.pmf(np.arange(n0 + 1), n0, p0[keep, None])
        best = max(best, float(np.einsum("gx,xy,gy->g", first, extreme, second).max(initial=0.0)))
    return best


@given(TABLES, st.sampled_from([0.05, 0.1, 0.25]))
@settings(max_examples=40)
def test_equivalence_of_rates_is_the_larger_of_two_largest_chances(table, margin):
    e1, n1, e0, n0 = table
    sides = [
        one_sided(difference_score, -margin, lambda p: p - margin, lambda p: p + margin, t)
        for t in (table, (e0, n0, e1, n1))
    ]
    ours = float(equivalence_of_rates(*table, margin))
    assert ours == pytest.approx(min(1.0, max(sides) + GAMMA), rel=5e-3, abs=1e-9)


@pytest.mark.long
@pytest.mark.parametrize(
    ("table", "margin"), [((94, 195, 139, 288), 0.02), ((139, 288, 94, 195), 0.02), ((97, 101, 82, 84), 0.1)]
)
def test_counts_of_large_groups_that_have_a_chance_are_all_looked_at(table, margin):
    """Of hundreds of people the counts far from any hypothesis are passed over, and no others."""
    e1, n1, e0, n0 = table
    sides = [
        one_sided(difference_score, -margin, lambda p: p - margin, lambda p: p + margin, t)
        for t in (table, (e0, n0, e1, n1))
    ]
    assert float(equivalence_of_rates(*table, margin)) == pytest.approx(max(sides) + GAMMA, rel=2e-3)


@given(TABLES)
@settings(max_examples=40)
def test_equivalence_of_ratios_is_the_larger_of_two_largest_chances(table):
    e1, n1, e0, n0 = table
    sides = [one_sided(ratio_score, 0.8, lambda p: p * 0.8, lambda p: p / 0.8, t) for t in (table, (e0, n0, e1, n1))]
    ours = float(equivalence_of_ratio(*table))
    assert ours == pytest.approx(min(1.0, max(sides) + GAMMA), rel=5e-3, abs=1e-9)


@given(TABLES)
@settings(max_examples=30)
def test_exchanging_the_groups_changes_nothing_and_neither_do_non_events_for_differences(table):
    e1, n1, e0, n0 = table
    p = float(equivalence_of_rates(*table, 0.1))
    assert float(equivalence_of_rates(e0, n0, e1, n1, 0.1)) == pytest.approx(p, rel=1e-6)
    assert float(equivalence_of_rates(n1 - e1, n1, n0 - e0, n0, 0.1)) == pytest.approx(p, rel=1e-6)
    assert float(equivalence_of_ratio(e0, n0, e1, n1)) == pytest.approx(float(equivalence_of_ratio(*table)), rel=1e-6)


@pytest.mark.long
@pytest.mark.parametrize(
    ("n1", "n0", "margin"),
    [(20, 20, 0.3), *(pytest.param(*sizes, marks=pytest.mark.slow) for sizes in ((12, 60, 0.25), (30, 30, 0.2)))],
)
def test_false_equivalence_at_or_beyond_the_margin_is_at_most_the_level(n1, n0, margin):
    x, y = np.meshgrid(np.arange(n1 + 1), np.arange(n0 + 1), indexing="ij")
    shown = equivalence_of_rates(x, n1, y, n0, margin) <= 0.05
    for p0 in np.linspace(margin, 1, 40):
        for beyond in (0.0, 0.01, 0.1):
            p1 = max(0.0, p0 - margin - beyond)
            assert (binom.pmf(x, n1, p1) * binom.pmf(y, n0, p0))[shown].sum() <= 0.05


@pytest.mark.long
def test_score_tests_exceed_the_level_where_the_exact_ones_do_not():
    x, y = np.meshgrid(np.arange(21), np.arange(21), indexing="ij")
    size = {}
    for name, test in (("score", tost_rates), ("exact", equivalence_of_rates)):
        shown = test(x, 20, y, 20, 0.4) <= 0.05
        size[name] = max(
            (binom.pmf(x, 20, p0 - 0.4) * binom.pmf(y, 20, p0))[shown].sum() for p0 in np.linspace(0.4, 1, 61)
        )
    assert size["exact"] <= 0.05 < 0.055 < size["score"]


def test_large_groups_use_the_score_test():
    assert equivalence_of_rates(5000, 10_000, 5100, 10_000, 0.03) == tost_rates(5000, 10_000, 5100, 10_000, 0.03)


def test_exact_and_score_test_meet():
    table = (1900, 4000, 1990, 4000)
    assert equivalence_of_rates(*table, 0.05) == pytest.approx(float(tost_rates(*table, 0.05)), rel=0.03)


def test_all_rates_are_within_the_margin_only_if_every_pair_is():
    events, n = [50, 70, 64, 12], [500, 520, 490, 90]
    pairs = [float(equivalence_of_rates(events[i], n[i], events[j], n[j], 0.1)) for i in range(4) for j in range(i)]
    assert equivalence_of_range(events, n, 0.1) == max(pairs)
    assert math.isnan(equivalence_of_range([3], [10], 0.1))


@pytest.mark.long
def test_a_family_at_the_margin_is_claimed_equal_by_chance_in_at_most_five_percent():
    # five groups, each exactly at the margin from one reference: given its count they are independent
    n1, n0, margin, p0, groups = 25, 80, 0.3, 0.5, 5
    x, y = np.arange(n1 + 1), np.arange(22, 59)
    p = np.array([equivalence_of_rates(x, n1, v, n0, margin) for v in y])
    each = (p <= 0.05 / groups) @ binom.pmf(x, n1, p0 - margin)
    assert binom.pmf(y, n0, p0) @ (1 - (1 - each) ** groups) <= 0.05
    # Holm begins with that comparison
    assert p_adjust([0.009, 0.5, 0.5, 0.5, 0.5])[0] == pytest.approx(0.045)


@pytest.mark.parametrize("margin", [0, 1, -0.1, float("nan")])
def test_margins_that_are_none_are_refused(margin):
    with pytest.raises(InputError, match="not between 0 and 1"):
        equivalence_of_rates(1, 2, 1, 2, margin)
    with pytest.raises(InputError, match="do not enclose"):
        equivalence_of_ratio(1, 2, 1, 2, 1.1)


def test_an_empty_group_has_no_test():
    assert math.isnan(equivalence_of_rates(0, 0, 1, 2, 0.1))
