"""Omnibus tests of several rates: chi-square, exact size of the permutation test, rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency

import fairstats
from fairstats.inference.rates.many_rates import chi_square, omnibus, permutation_test, permuted
from fairstats.inference.rates.rate_tests import fisher_exact

GROUPS = st.lists(st.integers(1, 60), min_size=2, max_size=6).flatmap(
    lambda n: st.tuples(st.tuples(*(st.integers(0, m) for m in n)), st.just(tuple(n)))
)


@given(GROUPS)
def test_chi_square_equals_scipys_on_the_table(data):
    events, n = (np.array(v) for v in data)
    if 0 < events.sum() < n.sum():
        expected = chi2_contingency(np.array([events, n - events]), correction=False)
        assert chi_square(events, n) == pytest.approx((expected.statistic, expected.dof, expected.pvalue))
    else:
        assert chi_square(events, n) == (0, n.size - 1, 1)


def test_an_empty_group_does_not_count():
    assert chi_square([3, 0, 5], [10, 0, 9]) == chi_square([3, 5], [10, 9])
    assert np.isnan(chi_square([3, 0], [10, 0])).all()
    assert np.isnan(permutation_test([3, 0], [10, 0]))


def test_the_permutation_test_of_two_equal_groups_is_fishers():
    assert permutation_test([3, 9], [12, 12], replicates=200_000) == pytest.approx(
        fisher_exact(3, 12, 9, 12), abs=0.004
    )


def test_the_permutation_test_never_exceeds_its_size_even_in_tiny_groups():
    rng, n = np.random.default_rng(2), np.array([3, 4, 12])
    rejected = sum(permutation_test(rng.binomial(n, 0.4), n, replicates=199, seed=s) <= 0.05 for s in range(400))
    assert rejected / 400 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)


def test_permuting_costs_the_same_for_ten_million_people():
    assert permutation_test([1_000_000, 1_001_000], [10_000_000, 10_000_000]) > 0.1


def test_omnibus_row_warns_of_small_expected_counts_only_for_the_approximation():
    row = omnibus([1, 3], [10, 10], metric="TPR", attribute="sex")
    assert row.reason == "a cell has 2 expected, under 5"
    assert omnibus([1, 3], [10, 10], test="permutation").reason == ""
    assert omnibus([30, 43], [100, 100]).reason == ""


def test_omnibus_of_one_group_is_unestimable():
    row = omnibus([1, 0], [10, 0])
    assert (row.status, row.reason) == ("unestimable", "fewer than two groups have members")


@pytest.mark.parametrize(
    ("total", "sizes"),
    [
        (1_200_000_000, (12, 40_000, 3_000_000_000)),  # few people beside billions
        (300_000, (90_000, 900_000_000, 1_100_000_000)),  # few events
        (1_999_790_000, (90_000, 900_000_000, 1_100_000_000)),  # few without
        (900_000_000, (500_000_000, 900_000_000, 1_100_000_000)),  # many of both
        (400_000_000, (300_000_000, 300_000_000, 399_999_999)),  # as many as numpy counts
    ],
)
def test_labels_of_billions_are_exchanged_as_those_of_few(total: int, sizes: tuple[int, ...]) -> None:
    """Each group's count has the mean and variance of the hypergeometric law, and together they are all events."""
    n, draws = np.array(sizes, float), 4000
    drawn = permuted(float(total), n, draws, np.random.default_rng(5))
    assert drawn.shape == (draws, 3) and (drawn.sum(axis=1) == total).all() and (drawn == np.rint(drawn)).all()
    assert (drawn >= np.maximum(0, n - (n.sum() - total))).all() and (drawn <= np.minimum(n, total)).all()
    share, people = total / n.sum(), n.sum()
    spread = np.sqrt(n * share * (1 - share) * (people - n) / (people - 1))
    assert (np.abs(drawn.mean(axis=0) - n * share) < 4 * spread / np.sqrt(draws) + 1e-9).all()
    assert drawn.std(axis=0) == pytest.approx(spread, rel=0.06)
    pairs = np.corrcoef(drawn[:, 1], drawn[:, 2])[0, 1]
    odds = n[1:] / (people - n[1:])
    assert pairs == pytest.approx(-np.sqrt(np.prod(odds)), abs=0.06)


def test_groups_of_billions_are_audited() -> None:
    data = {"g": ["a", "b", "c"] * 2, "d": [1, 1, 1, 0, 0, 0], "w": [5e8, 6e8, 5e8, 5e8, 4e8, 5e8]}
    audit = fairstats.audit(data, "d", "g", weights="w", p_adjust="bonferroni")
    gaps = audit.estimates.where(metric="selection rate", role="main", contrast="difference")
    assert {row.group: row.verdict for row in gaps} == {"b": "disparity shown", "c": "inconclusive"}
    assert fairstats.stats.permutation_test([7, 5e8, 5e8], [12, 1e9, 1e9]) > 0.5
    assert fairstats.stats.permutation_test([12, 5e8, 5e8], [12, 1e9, 1e9]) < 0.01  # 2 of 4096 tables are as far
