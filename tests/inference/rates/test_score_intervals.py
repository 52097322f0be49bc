"""Score statistics: the restricted rates maximize the likelihood, and the intervals are the accepted values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.special import xlogy
from scipy.stats import norm

from fairstats.inference.rates.score_intervals import (
    difference_score,
    koopman,
    miettinen_nurminen,
    ratio_score,
    restricted_difference,
)

SIZE = st.integers(1, 60)
TABLES = st.tuples(SIZE, SIZE).flatmap(
    lambda n: st.tuples(st.integers(0, n[0]), st.just(n[0]), st.integers(0, n[1]), st.just(n[1]))
)


def log_likelihood(e1, n1, e0, n0, p1, p0):
    return xlogy(e1, p1) + xlogy(n1 - e1, 1 - p1) + xlogy(e0, p0) + xlogy(n0 - e0, 1 - p0)


@given(TABLES, st.floats(-0.99, 0.99))
def test_no_pair_of_rates_with_the_same_difference_is_more_likely(table, delta):
    p1, p0 = restricted_difference(*table, delta)
    assert p1 - p0 == pytest.approx(delta, abs=1e-12)
    low, high = max(0.0, -delta), min(1.0, 1 - delta)

    def loss(p):
        return -log_likelihood(*table, min(max(p + delta, 0), 1), min(max(p, 0), 1))

    best = minimize_scalar(loss, bounds=(low, high), method="bounded", options={"xatol": 1e-12})
    assert loss(p0) <= best.fun + 1e-9


@given(TABLES)
def test_miettinen_nurminen_ends_where_the_score_reaches_the_normal_quantile(table):
    z = norm.isf(0.025)
    low, high = miettinen_nurminen(*table)
    if low > -1:
        assert difference_score(*table, low) == pytest.approx(z, rel=1e-6)
    if high < 1:
        assert difference_score(*table, high) == pytest.approx(-z, rel=1e-6)


@given(TABLES)
def test_koopman_ends_where_his_chi_square_reaches_its_quantile(table):
    # Koopman (1984), eq. (2): chi2 = (x - m p)^2 / (m p q) * (1 + m (theta - p) / (n q)), p restricted to the ratio
    x, m, y, n = table
    for theta in koopman(*table):
        if 0 < theta < np.inf:
            total = m + n
            a = theta * (m + y) + x + n
            p = (a - np.sqrt(a * a - 4 * theta * total * (x + y))) / (2 * total)
            if 0 < p < 1 - 1e-9:
                chi2 = (x - m * p) ** 2 / (m * p * (1 - p)) * (1 + m * (theta - p) / (n * (1 - p)))
                assert chi2 == pytest.approx(norm.isf(0.025) ** 2, rel=1e-5)


@given(TABLES)
def test_scores_fall_as_the_hypothesis_rises(table):
    deltas = np.linspace(-0.999, 0.999, 101)
    assert np.all(np.diff(difference_score(*table, deltas)) <= 1e-7)
    thetas = np.exp(np.linspace(-6, 6, 101))
    assert np.all(np.diff(ratio_score(*table, thetas)) <= 1e-7)


def test_the_pooled_z_test_is_the_score_at_equality():
    pooled = (9 + 3) / 20
    z = 0.6 / np.sqrt(pooled * (1 - pooled) * 0.2)
    assert ratio_score(9, 10, 3, 10, 1.0) == pytest.approx(z)
    assert difference_score(9, 10, 3, 10, 0.0) == pytest.approx(z * np.sqrt(19 / 20))
