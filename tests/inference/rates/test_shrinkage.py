"""Rates drawn toward their mean: critical values of R's ebci, by linear programs and at their limits; coverage."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq, linprog
from scipy.stats import norm

from fairstats.inference.rates.shrinkage import missed, most_missed, robust_critical, shrunken

# The tests of R's ebci 1.0.0 (Kolesar): m2 (there the square of B), kurtosis, alpha, critical value.
PUBLISHED = [
    (25, 3, 0.05, 11.88358367),
    (1, 3, 0.2, 1.8494683),
    (100, 3, 0.05, 24.86172217),
    (2.8**2, 8, 0.1, 7.0779747158),
]


@pytest.mark.parametrize(("m2", "kurtosis", "alpha", "critical"), PUBLISHED)
def test_critical_values_are_the_published_ones(m2: float, kurtosis: float, alpha: float, critical: float) -> None:
    assert robust_critical(m2, kurtosis, alpha) == pytest.approx(critical, rel=2e-5)


def test_the_largest_noncoverage_is_the_published_one() -> None:
    assert most_missed(1, 3, 11.9699639845401) == pytest.approx(6.0216e-05, rel=2e-4)
    assert most_missed(2.8**2, 8, 7.1324290147839279896) == pytest.approx(0.09805099, rel=2e-4)


@pytest.mark.parametrize(("m2", "kurtosis"), [(0.3, 1.5), (0.3, 3), (2, 3), (2, 20), (9, 1), (9, 5), (4, np.inf)])
def test_no_law_of_biases_is_missed_more_often(m2: float, kurtosis: float) -> None:
    """The linear program over laws on a grid, whose second moment may be less than the bound, as the sum of both."""
    critical = robust_critical(m2, kurtosis, 0.05)
    grid = np.unique(np.concatenate([[0, m2], np.geomspace(1e-3, 4000, 4000)]))
    above = {} if np.isinf(kurtosis) else {"A_ub": [grid**2], "b_ub": [kurtosis * m2**2 * (1 + 1e-9)]}
    best = linprog(-missed(grid, critical), A_eq=[np.ones(grid.size), grid], b_eq=[1, m2], **above)
    assert best.status == 0 and -best.fun == pytest.approx(0.05, abs=2e-4)


def test_critical_values_at_their_limits() -> None:
    assert robust_critical(0) == pytest.approx(norm.ppf(0.975)) == robust_critical(0, 1)
    fixed = brentq(lambda c: missed(4.0, c) - 0.05, 0, 20)  # of kurtosis 1 all biases are of one size
    assert robust_critical(4, 1) == pytest.approx(fixed, abs=1e-6)
    assert robust_critical(1e10) / np.sqrt((1 + 1e10) / 0.05) == pytest.approx(1, rel=1e-3)  # Chebyshev's inequality
    values = [robust_critical(4, kurtosis) for kurtosis in (1, 2, 3, 10, 30, np.inf)]
    assert (np.diff(values) > -1e-9).all()
    assert values[-2] == pytest.approx(values[-1], rel=1e-4)  # at a kurtosis of 17.4 the bound binds no more
    z = norm.ppf(0.975)  # parametric limits miss at most 1 / z^2 (Chebyshev), and as many where nearly all is drawn
    missed_by_normal = [most_missed(1 / kept - 1, np.inf, z / np.sqrt(kept)) for kept in (0.9, 0.5, 0.1, 1e-6)]
    assert missed_by_normal == sorted(missed_by_normal) and missed_by_normal[-1] == pytest.approx(1 / z**2, rel=5e-3)


def test_estimates_are_moments_and_weights_in_a_loop() -> None:
    events, n = np.array([9.0, 30, 28, 1, 60]), np.array([10.0, 60, 70, 10, 100])
    result = shrunken(events, n)
    total = n.sum()
    mean = events.sum() / total
    spread = (events.sum() + 0.5) / (total + 1) * (1 - (events.sum() + 0.5) / (total + 1))
    second = sum(m / total * ((e / m - mean) ** 2 - spread / m) for e, m in zip(events, n, strict=True))
    assert result.mean == pytest.approx(mean) and result.spread == pytest.approx(np.sqrt(second))
    for i, (e, m) in enumerate(zip(events, n, strict=True)):
        kept = second / (second + spread / m)
        assert result.estimate[i] == pytest.approx(mean + kept * (e / m - mean))
        assert result.low[i] < result.estimate[i] < result.high[i]
    near = np.abs(result.estimate - mean)
    assert (near <= np.abs(events / n - mean)).all() and result.kept[3] < result.kept[4]


def test_where_nothing_varies_nothing_is_drawn() -> None:
    result = shrunken([0, 0, 0], [10, 20, 30])
    assert result.estimate.tolist() == [0, 0, 0] and (result.high > 0).all() and (result.low == 0).all()
    equal = shrunken([10] * 12, [20] * 12)
    assert np.allclose(equal.estimate, 0.5) and (equal.high - equal.low < 0.44).all()  # of raw rates 0.44


@pytest.mark.long
@pytest.mark.parametrize("tables", [20, pytest.param(60, marks=pytest.mark.slow)])
def test_limits_hold_on_average_and_the_error_falls(tables: int) -> None:
    rng = np.random.default_rng(0)
    covered, error, raw = [], 0.0, 0.0
    for _ in range(tables):
        n = np.round(np.exp(rng.uniform(np.log(8), np.log(200), 40)))
        true = np.where(rng.random(40) < 0.1, 0.6, 0.2)
        events = rng.binomial(n.astype(int), true)
        result = shrunken(events, n)
        covered.append(((result.low <= true) & (true <= result.high)).mean())
        error += ((result.estimate - true) ** 2).mean()
        raw += ((events / n - true) ** 2).mean()
    assert np.mean(covered) > 0.94 and error < 0.8 * raw
