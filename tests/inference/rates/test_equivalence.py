"""Two one-sided tests against their intervals."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from fairstats.inference.rates.equivalence import p_within, tost, tost_rates, tost_ratio
from fairstats.inference.rates.two_rates import koopman, miettinen_nurminen


@given(st.floats(-0.3, 0.3), st.floats(0.001, 0.2), st.floats(0.01, 0.2))
def test_inverting_limits_gives_the_two_one_sided_tests(estimate, se, margin):
    def limits(level):
        half = norm.ppf((1 + level) / 2) * se
        return estimate - half, estimate + half

    p, wanted = p_within(limits, -margin, margin), float(tost(estimate, se, margin))
    if 1e-11 < wanted < 0.499:
        assert p == pytest.approx(wanted, rel=1e-6)
    else:
        assert (p <= 1e-11) if wanted < 0.1 else (p > 0.49)


def test_no_limits_no_claim():
    assert np.isnan(p_within(lambda level: (float("nan"), float("nan")), -0.1, 0.1))


def test_score_tost_of_a_ratio_rejects_exactly_where_the_90_percent_koopman_interval_lies_inside():
    for e1, e0 in itertools.product(range(1, 400, 37), range(1, 400, 37)):
        low, high = koopman(e1, 400, e0, 400, 0.9)
        assert (tost_ratio(e1, 400, e0, 400, 0.8) < 0.05) == (low > 0.8 and high < 1.25)


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
