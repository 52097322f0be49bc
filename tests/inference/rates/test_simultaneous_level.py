"""The joint level: Tukey's where counts are large, exact decisions where they are small."""

import numpy as np
import pytest
from scipy.stats import norm, studentized_range

from fairstats.inference.rates.score_intervals import miettinen_nurminen
from fairstats.inference.rates.simultaneous_level import joint_level, pairwise
from fairstats.inference.rates.two_rate_tests import fisher_exact, mid_p


def test_the_critical_value_of_large_equal_groups_is_tukeys():
    joint = joint_level([40_000, 40_100, 39_900, 40_050, 40_020], [100_000] * 5, replicates=100_000)
    assert norm.isf((1 - joint.conf_level) / 2) == pytest.approx(
        studentized_range.ppf(0.95, 5, np.inf) / np.sqrt(2), abs=0.02
    )


def test_the_level_of_two_groups_is_the_plain_one_where_counts_are_large():
    assert joint_level([40_000, 40_300], [100_000, 90_000], replicates=100_000).conf_level == pytest.approx(
        0.95, abs=0.003
    )


@pytest.mark.parametrize("table", [(3, 10, 8, 10), (1, 12, 6, 15), (9, 30, 19, 33)])
def test_two_groups_get_the_mid_p_of_the_exact_conditional_distribution(table):
    e1, n1, e0, n0 = table
    joint = joint_level([e1, e0], [n1, n0], replicates=200_000)
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
    assert np.isnan(joint_level([3, 0], [10, 0]).conf_level)
