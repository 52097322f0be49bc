"""Homogeneity of odds ratios: the law enumerated, Breslow-Day where counts are large, size in sparse strata."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import binom, nchypergeom_fisher

from fairstats.inference.rates import strata
from fairstats.inference.rates.strata import (
    breslow_day,
    conditional_odds_ratio,
    difference_homogeneity,
    homogeneity_test,
)


def enumerated(e1, n1, e0, n0) -> float:
    """The exact p-value from every table with the margins and the total."""
    events, odds = e1 + e0, conditional_odds_ratio(e1, n1, e0, n0)[0]
    laws = [nchypergeom_fisher(a + b, e, a, odds) for a, b, e in zip(n1, n0, events, strict=True)]
    ranges = [range(max(0, e - b), min(a, e) + 1) for a, b, e in zip(n1, n0, events, strict=True)]

    def statistic(table) -> float:
        return sum((x - law.mean()) ** 2 / law.var() for x, law in zip(table, laws, strict=True))

    tables = [t for t in product(*ranges) if sum(t) == e1.sum()]
    chances = np.array([np.prod([law.pmf(x) for x, law in zip(t, laws, strict=True)]) for t in tables])
    reached = np.array([statistic(t) >= statistic(e1) * (1 - 1e-9) for t in tables])
    return float(chances[reached].sum() / chances.sum())


@pytest.mark.parametrize("seed", range(6))
def test_the_drawn_p_is_that_of_all_tables(seed):
    rng = np.random.default_rng(seed)
    n1, n0 = rng.integers(2, 7, (2, 4))
    e1, e0 = rng.binomial(n1, 0.6), rng.binomial(n0, rng.random(4))
    result = homogeneity_test(e1, n1, e0, n0, draws=20_000)
    if np.isnan(result.p_value):
        return
    kept = (e1 + e0 > 0) & (e1 + e0 < n1 + n0)
    exact = enumerated(e1[kept], n1[kept], e0[kept], n0[kept])
    assert result.p_value == pytest.approx(exact, abs=4 * np.sqrt(0.25 / 20_000))
    assert result.method.startswith("exact conditional test")


def test_large_strata_have_breslow_and_days_test():
    tables = [30, 12], [50, 40], [20, 10], [50, 50]
    result = homogeneity_test(*tables)
    assert result[:3] == breslow_day(*tables) and result.method.startswith("Breslow-Day") and not result.caution


def test_fractions_of_people_have_no_exact_law_and_the_row_says_approximate():
    result = homogeneity_test([3.5, 0.5, 2.0], [4, 4, 5], [1.0, 3.0, 2.0], [4, 4, 5])
    assert result.method.startswith("Breslow-Day") and result.caution.startswith("approximate")


def test_pairs_say_nothing_about_homogeneity():
    result = homogeneity_test(np.repeat([1, 0], [20, 10]), np.ones(30), np.repeat([0, 1], [20, 10]), np.ones(30))
    assert result.p_value == 1.0


@pytest.mark.slow
def test_sparse_strata_have_the_level_where_chi_square_rejects_most():
    rng, draws, exact, chi = np.random.default_rng(2), 300, 0, 0
    for _ in range(draws):
        n1, n0 = rng.integers(1, 4, (2, 100))
        e1, e0 = rng.binomial(n1, 0.5), rng.binomial(n0, 0.5)
        exact += homogeneity_test(e1, n1, e0, n0, draws=199).p_value <= 0.05
        chi += breslow_day(e1, n1, e0, n0)[2] <= 0.05
    assert exact / draws <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / draws)
    assert chi / draws > 0.3


def test_different_odds_ratios_are_found():
    e1, e0 = np.repeat([3, 0], 15), np.repeat([0, 3], 15)
    n = np.full(30, 4)
    assert homogeneity_test(e1, n, e0, n).p_value < 0.001


def test_work_past_the_limit_is_not_begun_and_said(monkeypatch):
    tables = [3, 1, 2, 4], [4, 4, 5, 4], [3, 3, 2, 2], [4, 4, 5, 4]
    e1, n1, e0, n0 = np.array(tables)
    width = sum(min(a, e) - max(0, e - b) + 1 for a, b, e in zip(n1, n0, e1 + e0, strict=True))
    for most, starts in ((width * 100, "exact"), (width * 100 - 1, "Breslow-Day")):
        monkeypatch.setattr(strata, "MOST_WORK", most)
        result = homogeneity_test(*tables, draws=100)
        assert result.method.startswith(starts) and bool(result.caution) == (starts != "exact")


@pytest.mark.parametrize("swap", [False, True])
def test_limits_exist_where_the_groups_are_apart_and_many(swap):
    """It was brentq's raw ValueError: the law at odds 1 has no probability where the data are."""
    current, other = ((0, 400), (290, 300)) if swap else ((400, 400), (10, 300))
    estimate, low, high = conditional_odds_ratio([current[0]], [current[1]], [other[0]], [other[1]])
    end = high if swap else low
    assert estimate == (0 if swap else np.inf)
    law = nchypergeom_fisher(700, current[0] + other[0], 400, end)
    assert law.pmf(current[0]) / 2 == pytest.approx(0.025, rel=1e-6)


def test_equal_differences_are_no_finding_and_different_ones_are_whatever_the_odds_ratios():
    """Of equal differences Breslow and Day's p is tiny; of equal odds ratios that of differences is."""
    equal = difference_homogeneity([500, 950], [1000, 1000], [300, 750], [1000, 1000])
    assert equal.statistic < 1e-12 and equal.p_value == pytest.approx(1)
    tables = [5000, 200], [10_000, 10_000], [3333, 101], [10_000, 10_000]
    assert difference_homogeneity(*tables).p_value < 1e-50 and breslow_day(*tables)[2] > 0.9


def test_the_statistic_is_the_least_squares_of_the_differences_with_restricted_variances():
    """Recomputed with variances from a numerical maximum of the likelihood, and the least sum over the difference."""
    e1, n1, e0, n0 = (np.array(v, dtype=float) for v in ([30, 12, 50], [100, 80, 90], [20, 30, 40], [120, 60, 95]))

    def variance(delta):
        result = []
        for a, n, b, m in zip(e1, n1, e0, n0, strict=True):
            low, high = max(0, -delta) + 1e-9, min(1, 1 - delta) - 1e-9
            p = minimize_scalar(
                lambda q, a=a, n=n, b=b, m=m: -(binom.logpmf(a, n, q + delta) + binom.logpmf(b, m, q)),
                bounds=(low, high),
                method="bounded",
                options={"xatol": 1e-12},
            ).x
            result.append(((p + delta) * (1 - p - delta) / n + p * (1 - p) / m) * (n + m) / (n + m - 1))
        return np.array(result)

    gap, weight = e1 / n1 - e0 / n0, n1 * n0 / (n1 + n0)
    delta = weight @ gap / weight.sum()
    for _ in range(2):
        v = variance(delta)
        least = minimize_scalar(lambda d, v=v: ((gap - d) ** 2 / v).sum(), bounds=(-1, 1), method="bounded")
        delta = least.x
    assert difference_homogeneity(e1, n1, e0, n0).statistic == pytest.approx(least.fun, rel=1e-4)


@pytest.mark.long
@pytest.mark.parametrize("sizes", [([17, 59], [16, 14]), ([4, 4], [5, 5]), ([2] * 40, [3] * 40)])
def test_equal_differences_are_called_different_in_six_per_cent_at_most(sizes):
    """Chi-square errs in 7% of the first two."""
    rng, draws = np.random.default_rng(5), 1000
    n1, n0 = map(np.array, sizes)
    rates = np.linspace(0.15, 0.7, n1.size)
    tables = [(rng.binomial(n1, rates), n1, rng.binomial(n0, rates), n0) for _ in range(draws)]
    errs = np.mean([difference_homogeneity(*table).p_value <= 0.05 for table in tables])
    assert errs <= 0.06 + 2 * np.sqrt(0.06 * 0.94 / draws)


def test_strata_without_variance_and_a_single_stratum_claim_nothing():
    assert np.isnan(difference_homogeneity([3, 0], [9, 4], [1, 0], [7, 0]).p_value)
    assert difference_homogeneity([9, 4], [9, 4], [0, 0], [7, 3]).p_value == 1
