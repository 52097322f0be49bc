"""Score statistics: the restricted rates maximize the likelihood, and the intervals are the accepted values."""

from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.special import xlogy
from scipy.stats import norm

from fairstats.inference.rates.rate_tests import difference_score, ratio_score, restricted_difference
from fairstats.inference.rates.two_rates import koopman, miettinen_nurminen

SIZE = st.integers(1, 60)
TABLES = st.tuples(SIZE, SIZE).flatmap(
    lambda n: st.tuples(st.integers(0, n[0]), st.just(n[0]), st.integers(0, n[1]), st.just(n[1]))
)


def log_likelihood(e1, n1, e0, n0, p1, p0):
    return xlogy(e1, p1) + xlogy(n1 - e1, 1 - p1) + xlogy(e0, p0) + xlogy(n0 - e0, 1 - p0)


@example((0, 1, 0, 1), 2.220446049250313e-16)
@given(TABLES, st.floats(-0.99, 0.99))
def test_no_pair_of_rates_with_the_same_difference_is_more_likely(table, delta):
    p1, p0 = restricted_difference(*table, delta)
    assert p1 - p0 == pytest.approx(delta, abs=1e-12)
    low, high = max(0.0, -delta), min(1.0, 1 - delta)

    def loss(p):
        return -log_likelihood(*table, min(max(p + delta, 0), 1), min(max(p, 0), 1))

    best = minimize_scalar(loss, bounds=(low, high), method="bounded", options={"xatol": 1e-12})
    assert loss(p0) <= best.fun + 5e-9 * (table[1] + table[3])  # a rate at its bound is found to about 1e-9


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


def exact_limits(kind, e1, n1, e0, n0, z):
    """Both limits from the likelihood alone, in 50 digits: bisections within bisections."""
    with localcontext() as context:
        context.prec = 50
        e1, n1, e0, n0, z = (Decimal(v) for v in (e1, n1, e0, n0, z))
        one = Decimal(1)

        def slope(p, q, factor):
            parts = [(e1, factor / q), (e1 - n1, factor / (1 - q)), (e0, 1 / p), (e0 - n0, 1 / (1 - p))]
            return sum(count * rate for count, rate in parts if count)

        def score(t):
            least, most = (max(0 * t, -t), min(one, 1 - t)) if kind == "difference" else (0 * t, min(one, 1 / t))
            for _ in range(140):
                p0 = (least + most) / 2
                p1, factor = (p0 + t, one) if kind == "difference" else (p0 * t, t)
                least, most = (p0, most) if slope(p0, p1, factor) > 0 else (least, p0)
            if kind == "difference":
                variance = (p1 * (1 - p1) / n1 + p0 * (1 - p0) / n0) * (n1 + n0) / (n1 + n0 - 1)
                return (e1 / n1 - e0 / n0 - t) / variance.sqrt()
            return (e1 / n1 - t * e0 / n0) / (p1 * (1 - p1) / n1 + t * t * p0 * (1 - p0) / n0).sqrt()

        def crossing(low, high, value):
            for _ in range(70):
                middle = (low + high) / 2
                low, high = (middle, high) if score(middle) > value else (low, middle)
            return float(low)

        center = e1 / n1 - e0 / n0 if kind == "difference" else (e1 * n0) / (n1 * e0)
        ends = (-one, one) if kind == "difference" else (center / 1000, center * 1000)
        return crossing(ends[0], center, z), crossing(center, ends[1], -z)


@pytest.mark.long
@pytest.mark.parametrize(
    "table",
    [
        (30, 100, 50, 120),
        (29, 29, 13, 15),
        (1819, 1819, 26, 26),
        (6, 6, 5_870_878, 5_870_878),
        (5_182_806, 5_182_806, 1, 1),
        (1, 10, 1999, 2000),
        (999_999, 1_000_000, 9, 10),
        (5, 1_000_000, 1, 20),
    ],
)
@pytest.mark.parametrize(("kind", "interval"), [("difference", miettinen_nurminen), ("ratio", koopman)])
def test_limits_are_right_to_twelve_digits_also_where_everybody_was_selected(table, kind, interval):
    z = norm.isf(0.005)
    assert interval(*table, 0.99) == pytest.approx(exact_limits(kind, *table, z), rel=1e-12, abs=1e-13)


@pytest.mark.long
@given(st.lists(TABLES, min_size=1, max_size=8), st.floats(0.5, 0.9999))
def test_arrays_of_tables_give_the_limits_of_each(tables, level):
    columns = np.array(tables).T
    for interval in (miettinen_nurminen, koopman):
        assert (
            pytest.approx(np.array([interval(*table, level) for table in tables]), rel=1e-13, abs=1e-15)
            == np.array(interval(*columns, level)).T
        )
