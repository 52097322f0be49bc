"""A common odds ratio, or a common difference: how often it is rejected as not common."""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.coverage.cells import Cell, Shares
from fairstats.inference.rates.strata import breslow_day, difference_homogeneity, homogeneity_test

# strata, people of the group (least, most), of the reference, common odds ratio
STRATA = (
    (100, (1, 3), (1, 3), 1.0),
    (100, (1, 3), (1, 3), 3.0),
    (50, (1, 1), (5, 20), 1.0),
    (10, (8, 12), (40, 60), 2.0),
)
STRATA += ((4, (40, 60), (40, 60), 2.0),)


def sizes(cell: tuple[int, tuple[int, int], tuple[int, int], float], rng: np.random.Generator, draws: int) -> Shares:
    """The share of draws in which each test rejects at 5 %."""
    strata, current, other, odds = cell
    exact = chi = 0
    for _ in range(draws):
        n1, n0 = (rng.integers(low, high + 1, strata) for low, high in (current, other))
        base = rng.uniform(0.2, 0.6, strata)
        group_rate = odds * base / (1 - base + odds * base)
        tables = rng.binomial(n1, group_rate), n1, rng.binomial(n0, base), n0
        exact += homogeneity_test(*tables, draws=199).p_value <= 0.05
        chi += breslow_day(*tables)[2] <= 0.05
    return {"exact": exact / draws, "Breslow-Day": chi / draws}


# strata, people of the group (least, most), of the reference, rate of the reference (least, most), difference
DIFFERENCES = (
    (2, (5, 10), (5, 10), (0.3, 0.6), 0.1),
    (2, (100, 600), (100, 600), (0.02, 0.1), 0.05),
    (4, (8, 12), (40, 60), (0.2, 0.6), 0.0),
    (4, (40, 60), (40, 60), (0.05, 0.5), 0.3),
    (10, (2, 6), (2, 6), (0.3, 0.6), 0.0),
    (10, (30, 60), (200, 600), (0.01, 0.05), 0.02),
    (25, (2, 4), (2, 4), (0.4, 0.6), 0.2),
    (25, (5, 20), (20, 60), (0.2, 0.6), 0.1),
)
Case = tuple[int, tuple[int, int], tuple[int, int], tuple[float, float], float]


def of_differences(cell: Case, rng: np.random.Generator, draws: int) -> Shares:
    """The share of draws in which a difference that is the same in all strata is rejected as not the same at 5 %."""
    strata, current, other, rates, difference = cell
    rejected = 0
    for _ in range(draws):
        n1, n0 = (rng.integers(low, high + 1, strata) for low, high in (current, other))
        base = rng.uniform(*rates, strata)
        result = difference_homogeneity(rng.binomial(n1, base + difference), n1, rng.binomial(n0, base), n0)
        rejected += result.p_value <= 0.05
    return {"rejected": rejected / draws}


TABLE_OF_DIFFERENCES = "Strata of one difference: chance of a false claim that it is not the same in all"
TABLE = "Strata of one odds ratio: chance of a false claim that it is not common"


def cells() -> list[Cell]:
    """The cells of the table."""
    return [
        Cell(
            TABLE,
            f"{strata} strata, {a} to {b} people against {c} to {d}, odds ratio {odds:g}",
            partial(sizes, (strata, (a, b), (c, d), odds)),
            1000,
            100 * (k == 3),
            most={"exact": 0.06},
        )
        for k, (strata, (a, b), (c, d), odds) in enumerate(STRATA)
    ] + [
        Cell(
            TABLE_OF_DIFFERENCES,
            f"{k} strata, {a} to {b} people against {c} to {d}, rates {low:g} to {high:g}, difference {difference:g}",
            partial(of_differences, (k, (a, b), (c, d), (low, high), difference)),
            4000,
            200 * (k == 4),
            most={"rejected": 0.06},
        )
        for k, (a, b), (c, d), (low, high), difference in DIFFERENCES
    ]
