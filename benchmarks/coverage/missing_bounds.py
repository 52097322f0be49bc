"""How often the true difference lies within the bounds over what is missing, and within them with sampling error.

"Worst" cells lose people so that the truth lies at the upper bound of the population, where the interval is shortest on
that side.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.coverage.cells import Cell, Shares
from fairstats.inference.rates.sensitivity import Gaps, bounds_with_error, difference_bounds

# people, share without a group and (independently) without a decision, rates of the two groups, worst case
CELLS = ((80, 0.1, 0.5, 0.4, True), (200, 0.1, 0.5, 0.4, True), (400, 0.05, 0.3, 0.3, True))
CELLS += ((1000, 0.1, 0.5, 0.4, True), (400, 0.02, 0.5, 0.5, False), (400, 0.0, 0.5, 0.4, False))


def sample(cell: tuple[int, float, float, float, bool], rng: np.random.Generator) -> Gaps:
    """Two groups of people of whom some lack a group, some a decision, some both."""
    n, share, p, q, worst = cell
    current = rng.random(n) < 0.5
    y = rng.random(n) < np.where(current, p, q)
    chance = np.where(current == y, 2 * share, 0.0) if worst else share
    no_group, no_decision = rng.random(n) < chance, rng.random(n) < chance

    def present(of: np.ndarray) -> tuple[float, float, float]:
        seen = of & ~no_decision
        return float((seen & y).sum()), float((seen & ~y).sum()), float((of & no_decision).sum())

    return Gaps(present(current & ~no_group), present(~current & ~no_group), either=present(no_group))


TABLE = "The true difference, whatever is missing"


def coverage(cell: tuple[int, float, float, float, bool], rng: np.random.Generator, draws: int) -> Shares:
    """The share of draws in which each pair of limits holds the truth."""
    gap, kept = cell[2] - cell[3], np.zeros(2)
    for _ in range(draws):
        gaps = sample(cell, rng)
        kept += [low <= gap <= high for low, high in (bounds_with_error(gaps), difference_bounds(gaps))]
    return {"covered": float(kept[0] / draws), "bounds alone": float(kept[1] / draws)}


def cells() -> list[Cell]:
    """The cells of the table."""
    return [
        Cell(
            TABLE,
            f"{n} people, {share:.0%} without group and (others) decision, rates {p:g} and {q:g}{', worst' * worst}",
            partial(coverage, (n, share, p, q, worst)),
            2000,
            100 * (n == 200),
            least={"covered": 0.93},
        )
        for n, share, p, q, worst in CELLS
    ]
