"""Tests of equal rates: exact enumeration, known tables, symmetry, size."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, chi2_contingency, hypergeom

from fairstats.inference.rates.rate_tests import fisher_exact, mid_p, z_test
from fairstats.inference.rates.two_rates import TESTS

SIZE = st.integers(1, 80)
TABLES = st.tuples(SIZE, SIZE).flatmap(
    lambda n: st.tuples(st.integers(0, n[0]), st.just(n[0]), st.integers(0, n[1]), st.just(n[1]))
)


def enumerated(e1, n1, e0, n0):
    support = np.arange(max(0, e1 - n0 + e0), min(n1, e1 + e0) + 1)
    probabilities = hypergeom.pmf(support, n1 + n0, e1 + e0, n1)
    here = hypergeom.pmf(e1, n1 + n0, e1 + e0, n1)
    return probabilities[probabilities <= here * (1 + 1e-7)].sum(), here


def test_fisher_prints_the_lady_tasting_tea():
    assert fisher_exact(3, 4, 1, 4) == pytest.approx(34 / 70)


@given(TABLES)
def test_fisher_sums_the_tables_no_more_likely_than_the_observed_one(table):
    p, here = enumerated(*table)
    assert fisher_exact(*table) == pytest.approx(min(p, 1), rel=1e-8)
    assert mid_p(*table) == pytest.approx(min(p, 1) - here / 2, rel=1e-8)


@given(TABLES)
def test_tests_do_not_care_which_group_comes_first_or_what_counts_as_an_event(table):
    e1, n1, e0, n0 = table
    for test in TESTS.values():
        p = test(*table)[1]
        assert test(e0, n0, e1, n1)[1] == pytest.approx(p, rel=1e-9)
        assert test(n1 - e1, n1, n0 - e0, n0)[1] == pytest.approx(p, rel=1e-9)


@given(TABLES)
def test_the_square_of_z_is_pearsons_chi_square(table):
    e1, n1, e0, n0 = table
    z, p = z_test(*table)
    if 0 < e1 + e0 < n1 + n0:
        expected = chi2_contingency([[e1, n1 - e1], [e0, n0 - e0]], correction=False)
        assert z**2 == pytest.approx(expected.statistic, rel=1e-9, abs=1e-12)
        assert p == pytest.approx(expected.pvalue, rel=1e-9)
    else:
        assert (z, p) == (0, 1)


def test_fisher_is_exact_for_ten_million_people():
    # the same proportions of one table: log-gamma alone would lose eight digits here
    table = (500_300, 5_000_000, 500_000, 5_000_000)
    support = np.arange(table[0] - 5000, table[0] + 5000)
    sigma = math.sqrt(5e6 * 5e6 * 1_000_300 * (1e7 - 1_000_300) / (1e7**2 * (1e7 - 1)))
    mean = 1_000_300 / 2
    normal = np.exp(-(((support - mean) / sigma) ** 2) / 2)
    outside = normal[np.abs(support - mean) >= abs(table[0] - mean) - 1e-9].sum() / normal.sum()
    assert fisher_exact(*table) == pytest.approx(outside, rel=1e-4)


def test_fisher_never_exceeds_its_nominal_size():
    # exact enumeration over both binomials at several common rates
    n1, n0 = 13, 22
    e1, e0 = np.meshgrid(np.arange(n1 + 1), np.arange(n0 + 1), indexing="ij")
    rejected = fisher_exact(e1, n1, e0, n0) <= 0.05
    for p in (0.05, 0.2, 0.5, 0.8):
        weight = binom.pmf(e1, n1, p) * binom.pmf(e0, n0, p)
        assert weight[rejected].sum() <= 0.05


@pytest.mark.parametrize("table", [(0, 0, 3, 10), (3, 10, 0, 0), (2.5, 7, 3, 9)])
def test_exact_tests_of_empty_groups_or_fractional_counts_are_nan(table):
    assert math.isnan(fisher_exact(*table))
    assert math.isnan(mid_p(*table))


def test_a_table_beyond_the_smallest_double_has_p_zero():
    assert fisher_exact(100_000, 100_000, 0, 100_000) == 0
