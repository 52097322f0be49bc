"""Verdicts: each family's error, NaN, cautions."""

import numpy as np
import pytest

from fairstats.inference.rates.equivalence import tost_rates
from fairstats.inference.rates.two_rate_tests import z_test
from fairstats.inference.verdicts import INTERVAL_WITHOUT_TEST, SHOWN_WITHOUT_INTERVAL, decide

NAN = float("nan")


def test_equivalence_is_adjusted_by_itself_and_not_by_the_order_of_the_tests_of_no_difference():
    # the third comparison has the largest p of no difference: its equivalence is not judged at the laxest level
    decisions = decide([0.001, 0.3, 0.9], [0.9, 0.5, 0.04])
    assert [d.verdict for d in decisions] == ["disparity shown", "inconclusive", "inconclusive"]
    assert decisions[2].p_equivalence == pytest.approx(0.12)


def test_without_a_margin_nothing_is_equivalent():
    decisions = decide([0.01, 0.99])
    assert [d.verdict for d in decisions] == ["disparity shown", "inconclusive"]
    assert np.isnan(decisions[1].p_equivalence)


def test_a_real_but_small_difference_is_equivalence():
    assert decide([0.001], [0.001])[0].verdict == "equivalence shown"


def test_a_comparison_that_cannot_be_estimated_is_no_member():
    decisions = decide([NAN, 0.04], [NAN, 0.04])
    assert decisions[0].verdict == "inconclusive"
    assert decisions[1].p_adjusted == 0.04
    assert decisions[1].p_equivalence == 0.04


def test_the_row_says_which_of_test_and_interval_decided():
    decisions = decide([0.2, 0.01, 0.01], intervals=[(0.01, 0.2), (-0.01, 0.2), (0.01, 0.2)], adjustment="none")
    assert [d.reason for d in decisions] == [INTERVAL_WITHOUT_TEST, SHOWN_WITHOUT_INTERVAL, ""]
    assert decide([0.01], intervals=[(1.01, 2.0)], null=1.0)[0].reason == ""
    assert decide([0.01], intervals=[(NAN, NAN)])[0].reason == ""


def test_a_false_discovery_rate_does_not_loosen_equivalence():
    assert decide([0.5, 0.5], [0.03, 0.04], adjustment="bh")[0].p_equivalence == pytest.approx(0.06)
    assert decide([0.5, 0.5], [0.03, 0.04], adjustment="none")[0].verdict == "equivalence shown"


def test_family_wise_false_equivalence_at_the_margin():
    # five groups of 2000 at the margin from a reference of 10000: levels in Holm's order of the differences had 22.6 %
    rng = np.random.default_rng(3)
    base, groups, reps = 10_000, 5, 2000
    e0 = rng.binomial(base, 0.5, (reps, 1))
    e1 = rng.binomial(2000, 0.4, (reps, groups))
    p, equal = z_test(e1, 2000, e0, base)[1], tost_rates(e1, 2000, e0, base, 0.1)
    false = [any(d.verdict == "equivalence shown" for d in decide(p[i], equal[i])) for i in range(reps)]
    assert np.mean(false) < 0.06
