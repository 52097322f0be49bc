"""The verdict rule, and two one-sided tests against their intervals."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm
from statsmodels.stats.weightstats import _zconfint_generic

from fairstats.estimates import VERDICTS
from fairstats.inference.rates.equivalence import tost, tost_rates, verdict
from fairstats.inference.rates.two_rates import miettinen_nurminen


@pytest.mark.parametrize(
    ("interval", "margin", "word"),
    [
        ((0.02, 0.09), None, "disparity shown"),
        ((-0.09, -0.02), None, "disparity shown"),
        ((-0.01, 0.09), None, "inconclusive"),
        ((-0.03, 0.03), 0.05, "equivalence shown"),
        ((0.01, 0.03), 0.05, "equivalence shown"),
        ((0.01, 0.06), 0.05, "disparity shown"),
        ((-0.01, 0.06), 0.05, "inconclusive"),
        ((float("nan"), float("nan")), 0.05, "inconclusive"),
        ((0.0, 0.05), 0.05, "inconclusive"),
    ],
)
def test_verdict_of_an_interval(interval, margin, word):
    assert verdict(*interval, *interval, margin) == word


@given(st.floats(-0.3, 0.3), st.floats(0.001, 0.2), st.floats(0.01, 0.2))
def test_every_interval_gets_one_of_three_words_and_mirrored_data_the_same(estimate, se, margin):
    ends = [_zconfint_generic(estimate, se, alpha, "two-sided") for alpha in (0.05, 0.1)]
    word = verdict(*ends[0], *ends[1], margin)
    assert word in VERDICTS
    mirrored = [_zconfint_generic(-estimate, se, alpha, "two-sided") for alpha in (0.05, 0.1)]
    assert verdict(*mirrored[0], *mirrored[1], margin) == word


@given(st.floats(-0.3, 0.3), st.floats(0.001, 0.2), st.floats(0.01, 0.2))
def test_tost_rejects_exactly_where_the_1_minus_2_alpha_interval_lies_inside(estimate, se, margin):
    half = norm.isf(0.05) * se
    inside = -margin < estimate - half and estimate + half < margin
    p = tost(estimate, se, margin)
    if abs(p - 0.05) > 1e-9:
        assert (p < 0.05) == inside


def test_score_tost_rejects_exactly_where_the_90_percent_score_interval_lies_inside():
    for e1, e0 in itertools.product(range(0, 41, 4), range(0, 61, 6)):
        low, high = miettinen_nurminen(e1, 40, e0, 60, 0.9)
        p = tost_rates(e1, 40, e0, 60, 0.15)
        assert (p < 0.05) == (low > -0.15 and high < 0.15)


def test_score_tost_uses_the_variance_at_the_restricted_maximum_of_the_likelihood():
    # by brute force: statsmodels' score test is not at that maximum (0.435/0.535 here, where it is 0.440/0.540)
    e1, n1, e0, n0, margin = 480, 1000, 500, 1000, 0.1
    sides = []
    for delta in (-margin, margin):
        p0 = np.linspace(max(0, -delta) + 1e-6, min(1, 1 - delta) - 1e-6, 2_000_001)
        p1 = p0 + delta
        likelihood = e1 * np.log(p1) + (n1 - e1) * np.log1p(-p1) + e0 * np.log(p0) + (n0 - e0) * np.log1p(-p0)
        best = int(np.argmax(likelihood))
        variance = p1[best] * (1 - p1[best]) / n1 + p0[best] * (1 - p0[best]) / n0
        sides.append((e1 / n1 - e0 / n0 - delta) / np.sqrt(variance * (n1 + n0) / (n1 + n0 - 1)))
    assert tost_rates(e1, n1, e0, n0, margin) == pytest.approx(max(norm.sf(sides[0]), norm.cdf(sides[1])), rel=1e-6)


def test_tost_uses_students_t_when_it_is_given_degrees_of_freedom():
    normal, student = tost([0.01, 0.01], 0.02, 0.05, [np.inf, 5])
    assert student > normal
    assert tost(0.01, 0.02, 0.05, 1e9) == pytest.approx(normal)
