"""Unmeasured factors: how often E-values and Rosenbaum's bound exclude one that is the whole of a disparity.

Group and decision are independent given the strata and a factor that nobody measured; its strength is known, so a bound
or an E-value of the limit above it is wrong. Two-sided level 5 %: a factor that works one way is excluded in 2.5 %.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy.stats import nchypergeom_fisher

from benchmarks.coverage.cells import Cell, Shares
from fairstats.inference.rates.sensitivity import e_value_of_interval, rosenbaum_bound
from fairstats.inference.rates.strata import stratified_rates

# strata, people of the group and of the reference in each, events in each, gamma of the worst factor
WORST = ((1, 60, 60, 50, 1.0), (1, 60, 60, 50, 2.0), (5, 20, 40, 25, 1.5), (100, 1, 1, 1, 3.0), (10, 8, 200, 40, 2.0))
# strata, people of each group in each, share with the factor in the group and in the reference, its risk ratio, rate
FACTORS = ((1, 400, 0.6, 0.3, 2.0, 0.2), (4, 100, 0.8, 0.2, 2.0, 0.2), (20, 20, 0.9, 0.3, 3.0, 0.1))


def bound_exceeds(cell: tuple[int, int, int, int, float], rng: np.random.Generator, draws: int) -> Shares:
    """The share of draws whose bound lies above the gamma that made the data."""
    strata, current, other, events, gamma = cell
    drawn = nchypergeom_fisher(current + other, events, current, gamma).rvs((draws, strata), random_state=rng)
    n1, n0 = np.full(strata, current), np.full(strata, other)
    return {"factor excluded": float(np.mean([rosenbaum_bound(e1, n1, events - e1, n0) > gamma for e1 in drawn]))}


def limit_exceeds(cell: tuple[int, int, float, float, float, float], rng: np.random.Generator, draws: int) -> Shares:
    """The share of draws in which the E-value of the limit is above both ratios of the factor that made the ratio."""
    strata, size, current, other, relative, rate = cell
    n = np.full(strata, size)
    p1, p0 = (rate * (1 + (relative - 1) * share) for share in (current, other))
    strength, wrong = max(current / other, relative), 0
    for _ in range(draws):
        low, high = stratified_rates(rng.binomial(n, p1), n, rng.binomial(n, p0), n).ratio_limits(0.95)
        wrong += bool(e_value_of_interval(low, high) > strength)
    return {"factor excluded": wrong / draws}


BOUND = {"factor excluded": 0.06}


def cells() -> list[Cell]:
    """The cells of both tables."""
    bounds = [
        Cell(
            "Rosenbaum's bound: chance that it excludes the factor that made the data",
            f"{k} strata, {n1} and {n0} people, {events} events, gamma {gamma:g}",
            partial(bound_exceeds, (k, n1, n0, events, gamma)),
            1000,
            100 * (k == 1 and gamma == 2),
            most=BOUND,
        )
        for k, n1, n0, events, gamma in WORST
    ]
    limits = [
        Cell(
            "E-value of the limit: chance that it excludes the factor that made the data",
            f"{k} strata of {n}, factor in {current:g} and {other:g}, risk ratio {relative:g}, rate {rate:g}",
            partial(limit_exceeds, (k, n, current, other, relative, rate)),
            2000,
            100 * (k == 4),
            most=BOUND,
        )
        for k, n, current, other, relative, rate in FACTORS
    ]
    return [*bounds, *limits]
