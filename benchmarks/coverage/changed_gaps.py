"""Changes of a difference of two rates: how often limits hold, and how often no change is called one."""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.coverage.cells import Cell, Shares
from fairstats.inference.rates.strata import stratified_rates
from fairstats.inference.rates.two_rates import Reach, change_limits

# people of group and reference before, then after; the rates in the same order
CASES = (
    ((8, 8, 8, 8), (0.3, 0.2, 0.6, 0.5)),
    ((8, 20, 8, 20), (0.5, 0.5, 0.5, 0.5)),
    ((12, 12, 8, 8), (0.5, 0.5, 0.5, 0.5)),
    ((12, 2000, 15, 1800), (0.1, 0.2, 0.1, 0.2)),
    ((60, 400, 60, 400), (0.02, 0.05, 0.02, 0.05)),
    ((200, 300, 250, 280), (0.3, 0.5, 0.3, 0.5)),
    ((200, 300, 250, 280), (0.3, 0.5, 0.45, 0.5)),
)
Case = tuple[tuple[int, ...], tuple[float, ...]]


def shares(case: Case, rng: np.random.Generator, draws: int) -> Shares:
    """The share of draws whose limits hold the change; where there is none, in which one is shown."""
    n, rates = (np.reshape(part, (2, 2)) for part in case)
    truth = rates[1, 0] - rates[1, 1] - rates[0, 0] + rates[0, 1]
    covered = shown = 0
    for _ in range(draws):
        low, high = change_limits(rng.binomial(n, rates), n)
        covered += low - 1e-12 <= truth <= high + 1e-12
        shown += low > 0 or high < 0
    entries = {"covered": covered / draws}
    return entries if abs(truth) > 1e-9 else entries | {"false change": shown / draws}


# strata, most people of the group in each and how many times as many of the reference, rate there, difference
WITHIN = (
    (2, 5, 1, 0.1, 0.1),
    (2, 20, 1, 0.5, 0.0),
    (3, 100, 10, 0.5, 0.3),
    (5, 5, 10, 0.02, 0.0),
    (10, 20, 1, 0.1, 0.1),
)
WITHIN += ((25, 2, 10, 0.5, 0.3), (25, 8, 1, 0.9, 0.05), (25, 8, 10, 0.5, 0.0), (3, 600, 1, 0.1, 0.1))


def within_strata(case: tuple[int, int, int, float, float], rng: np.random.Generator, draws: int) -> Shares:
    """The share of pairs of audits of equal differences within strata whose limits of the change hold 0."""
    strata, most, times, rate, difference = case
    covered = 0
    for _ in range(draws):
        reach = []
        for _ in range(2):
            n1 = rng.integers(max(1, most // 2), most + 1, strata)
            n0 = rng.integers(max(1, most // 2), most * times + 1, strata)
            events = rng.binomial(n1, min(rate + difference, 0.995)), rng.binomial(n0, rate)
            result = stratified_rates(events[0], n1, events[1], n0)
            reach.append(Reach.of(result.difference, *result.limits(0.95), 0.95))
        low, high = reach[1].less(reach[0]).limits(0.95)
        covered += low - 1e-12 <= 0 <= high + 1e-12
    return {"covered": covered / draws, "false change": 1 - covered / draws}


TABLE_WITHIN = "Changes of a difference within strata between two audits"
TABLE = "Changes of a difference of two rates between two audits"


def cells() -> list[Cell]:
    """The cells of the table."""
    return [
        Cell(
            TABLE,
            f"{', '.join(map(str, n))} people, rates {', '.join(f'{p:g}' for p in rates)}",
            partial(shares, (n, rates)),
            4000,
            least={"covered": 0.94},
            **({"most": {"false change": 0.06}} if np.isclose(rates[2] - rates[3], rates[0] - rates[1]) else {}),
        )
        for n, rates in CASES
    ] + [
        Cell(
            TABLE_WITHIN,
            f"{k} strata, up to {n} people against {n * times}, rate {rate:g}, difference {difference:g}",
            partial(within_strata, (k, n, times, rate, difference)),
            4000,
            least={"covered": 0.94},
            most={"false change": 0.06},
        )
        for k, n, times, rate, difference in WITHIN
    ]
