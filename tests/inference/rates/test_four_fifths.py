"""The arithmetic of the four-fifths rule, by brute force over small tables."""

import itertools
import math

import numpy as np
import pytest

from fairstats.inference.rates.adverse_impact import below_line, impact_ratio, one_more, one_moved, shortfall


def test_the_flag_is_exact_where_the_ratio_is_exactly_four_fifths():
    for n1, n0 in itertools.product(range(1, 41), repeat=2):
        for e0 in range(1, n0 + 1):
            exact = 4 * e0 * n1 / (5 * n0)
            if exact == int(exact) and exact <= n1:
                assert not below_line(impact_ratio(exact, n1, e0, n0))
                assert exact == 0 or below_line(impact_ratio(exact - 1, n1, e0, n0))


def test_selecting_the_shortfall_brings_the_group_to_the_reference():
    missing = shortfall([12, 3], [40, 50], 0.6)
    assert impact_ratio(np.array([12, 3]) + missing, [40, 50], 48, 80) == pytest.approx([1, 1])


def test_one_selection_more_raises_the_ratio_by_one_applicant_and_moved_by_more():
    ratio, more, moved = (f(4, 20, 30, 60) for f in (impact_ratio, one_more, one_moved))
    assert more == pytest.approx(ratio * 5 / 4)
    assert moved > more


@pytest.mark.parametrize(("function", "table"), [(one_more, (10, 10, 3, 9)), (one_moved, (1, 10, 0, 9))])
def test_an_impossible_selection_is_nan(function, table):
    assert math.isnan(function(*table))


def test_ratios_of_zero_rates():
    assert impact_ratio(0, 10, 5, 10) == 0
    assert math.isinf(impact_ratio(1, 10, 0, 10))
    assert math.isnan(impact_ratio(0, 10, 0, 10))
    assert not below_line(math.nan)
