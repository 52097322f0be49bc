"""Strata: how often "disparity shown" is wrong where every stratum has equal rates, and what the limits cover.

A verdict needs both the interval of the Mantel-Haenszel difference without 0 and the exact stratified mid-p at or below
5 %.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, ndtri

from benchmarks.coverage.cells import Cell, Shares, counted
from fairstats.inference.rates.strata import cmh_test, stratified_mid_p, stratified_rates

Array = NDArray[np.float64]
Z = float(-ndtri(0.025))
# sizes of the group and of the reference, rates of the reference, rates of the group
Draw = Callable[[np.random.Generator, float], tuple[NDArray[np.int64], NDArray[np.int64], Array, Array]]


def logistic(strata: int, people: int, share: float, center: float, spread: float = 0.0) -> Draw:
    """Random sizes of the group, random rates, log odds ratios with a mean and, if asked for, a spread."""

    def draw(rng: np.random.Generator, effect: float) -> tuple[NDArray[np.int64], NDArray[np.int64], Array, Array]:
        n1, base = rng.binomial(people, share, strata), rng.normal(center, 1, strata)
        return n1, people - n1, expit(base + effect + spread * rng.normal(size=strata) * (effect != 0)), expit(base)

    return draw


def fixed(strata: int, n1: int, n0: int, p: float) -> Draw:
    """Equal strata; the effect is on the logit scale."""
    odds = np.log(p / (1 - p))
    size = (np.full(strata, n1), np.full(strata, n0))
    return lambda rng, effect: (*size, np.full(strata, expit(odds + effect)), np.full(strata, p))


DRAWS: dict[str, Draw] = {
    "40 strata of 5": logistic(40, 5, 0.5, 0),
    "40 strata of 5, unequal effects": logistic(40, 5, 0.5, 0, 1.5),
    "100 pairs": logistic(100, 2, 0.5, 0),
    "15 strata of 3": logistic(15, 3, 0.5, 0),
    "40 strata of 6, group 10 %, rare": logistic(40, 6, 0.1, -3),
    "12 strata, 1 against 40, rare": fixed(12, 1, 40, 0.05),
    "3 strata, 8 against 200, rare": fixed(3, 8, 200, 0.05),
    "5 strata, 20 against 200, rare": fixed(5, 20, 200, 0.02),
    "3 strata, 8 against 8": fixed(3, 8, 8, 0.5),
    "4 strata, 60 against 90": fixed(4, 60, 90, 0.3),
    "4 strata of 150, unequal effects": logistic(4, 150, 0.4, 0, 1.5),
    "10 strata, 2 against 200": fixed(10, 2, 200, 0.1),
    "100 strata of 6": logistic(100, 6, 0.5, -1),
}

SIZE_TABLE = 'Strata of equal rates: chance of a false "disparity shown", and coverage of the difference'
POWER_TABLE = 'Strata of a log odds ratio of 0.7: coverage of the difference, and chance of "disparity shown"'
MARGIN_TABLE = 'Strata with a difference of minus the margin in each: chance of a false "equivalence shown"'
# strata, people of the group and of the reference in each, rate of the reference, margin
MARGINS = ((3, 50, 50, 0.3, 0.1), (10, 20, 40, 0.5, 0.1), (40, 3, 5, 0.4, 0.15), (100, 1, 2, 0.3, 0.2))
MARGINS += ((5, 20, 200, 0.1, 0.1), (2, 500, 500, 0.2, 0.03))


def with_verdicts(draw: Draw, effect: float, rng: np.random.Generator, draws: int) -> Shares:
    """The verdict, the tests that others use, and the coverage."""
    rows = []
    for _ in range(draws):
        n1, n0, p1, p0 = draw(rng, effect)
        e1, e0 = rng.binomial(n1, p1), rng.binomial(n0, p0)
        result = stratified_rates(e1, n1, e0, n0)
        if result.reason:
            continue
        weight = n1 * n0 / (n1 + n0)
        truth = float(weight @ (p1 - p0) / weight.sum())
        low, high = result.limits()
        exact = stratified_mid_p(e1, n1, e0, n0)[0] <= 0.05
        rows.append(
            {
                "disparity shown": exact and (low > 0 or high < 0),
                "exact mid-p alone": exact,
                "CMH": cmh_test(e1, n1, e0, n0, correct=False)[1] <= 0.05,
                "covered": low <= truth <= high,
                "covered by Wald": abs(result.difference - truth) <= Z * result.std_error,
            }
        )
    return counted(rows)


def equivalent(cell: tuple[float, ...], rng: np.random.Generator, draws: int) -> Shares:
    """The share of samples in which equivalence is claimed."""
    k, n1, n0, rate, margin = cell
    false = 0
    for _ in range(draws):
        e1 = rng.binomial(int(n1), max(rate - margin, 0), int(k))
        e0 = rng.binomial(int(n0), rate, int(k))
        result = stratified_rates(e1, np.full(int(k), n1), e0, np.full(int(k), n0))
        false += result.p_equivalence(margin) <= 0.05
    return {"equivalence shown": false / draws}


def cells() -> list[Cell]:
    """The cells of the three tables."""
    quick = ("40 strata of 5", "10 strata, 2 against 200", "4 strata, 60 against 90")
    equal = [
        Cell(
            SIZE_TABLE,
            name,
            partial(with_verdicts, draw, 0.0),
            quick=200 * (name in quick),
            most={"disparity shown": 0.06},
            least={"covered": 0.90},
        )
        for name, draw in DRAWS.items()
    ]
    unequal = [
        Cell(POWER_TABLE, name, partial(with_verdicts, draw, 0.7), least={"covered": 0.90})
        for name, draw in DRAWS.items()
    ]
    margins = [
        Cell(
            MARGIN_TABLE,
            f"{k} strata, {n1} against {n0}, rate {rate:g}, margin {margin:g}",
            partial(equivalent, (k, n1, n0, rate, margin)),
            quick=200 * (k == 3),
            most={"equivalence shown": 0.06},
        )
        for k, n1, n0, rate, margin in MARGINS
    ]
    return [*equal, *unequal, *margins]
