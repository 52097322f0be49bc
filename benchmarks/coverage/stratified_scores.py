"""P(X>Y) within strata: how often "disparity shown" is wrong where no stratum differs, and what the limits cover."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from benchmarks.coverage.cells import Cell, Shares, counted
from fairstats.inference.scores.brunner_munzel import relative_effect
from fairstats.inference.scores.strata import in_strata, stratified_effect_of, van_elteren

Floats = NDArray[np.float64]
# the random numbers, the level of each person's stratum, and how many standard deviations the group is shifted
Draw = Callable[[np.random.Generator, Floats, float], Floats]


def normal(spread: float = 1.0) -> Draw:
    """Normal scores around the level."""
    return lambda rng, level, shift: level + shift * np.sqrt((1 + spread**2) / 2) + spread * rng.normal(size=level.size)


def rounded(rng: np.random.Generator, level: Floats, shift: float) -> Floats:
    """Five values."""
    return np.clip(np.round(level + rng.normal(size=level.size)), -2, 2)


def rare(rng: np.random.Generator, level: Floats, shift: float) -> Floats:
    """One in twenty-five."""
    return (rng.random(level.size) < 0.04).astype(float)


# strata, people of the group and of the reference (a share of the first where that is below 1), their scores
CELLS: dict[str, tuple[int, float, int, Draw, Draw]] = {
    "40 strata of 5": (40, 0.5, 5, normal(), normal()),
    "40 strata of 5, sd 4:1": (40, 0.5, 5, normal(4), normal()),
    "40 strata of 5, five values": (40, 0.5, 5, rounded, rounded),
    "100 pairs": (100, 1, 1, normal(), normal()),
    "15 strata of 3": (15, 0.5, 3, normal(), normal()),
    "3 strata, 8 against 8": (3, 8, 8, normal(), normal()),
    "3 strata, 8 against 8, sd 4:1": (3, 8, 8, normal(4), normal()),
    "3 strata, 8 against 200, sd 4:1": (3, 8, 200, normal(4), normal()),
    "10 strata, 2 against 200, sd 4:1": (10, 2, 200, normal(4), normal()),
    "2 strata, 4 against 5": (2, 4, 5, normal(), normal()),
    "4 strata, 60 against 90, sd 2:1": (4, 60, 90, normal(2), normal()),
    "5 strata, 20 against 200, 4 % not zero": (5, 20, 200, rare, rare),
}
SIZE_TABLE = 'Scores within strata, P(X>Y) = 1/2: chance of a false "disparity shown", and coverage'
POWER_TABLE = 'Scores within strata, P(X>Y) = 0.714: coverage, and chance of "disparity shown"'
SHIFT = 0.8


def shares(cell: tuple[int, float, int, Draw, Draw], shift: float, rng: np.random.Generator, draws: int) -> Shares:
    """The verdict, van Elteren's test, what is found without strata, and the coverage."""
    strata, current, base, first, second = cell
    rows, truth = [], float(ndtr(shift / np.sqrt(2)))
    for _ in range(draws):
        n = rng.binomial(base, current, strata) if current < 1 else np.full(strata, int(current))
        m = base - n if current < 1 else np.full(strata, base)
        level, (cells, others) = rng.normal(0, 2, strata), (np.repeat(np.arange(strata), v) for v in (n, m))
        x, y = first(rng, level[cells], shift), second(rng, level[others], 0.0)
        blocks = in_strata(x, y, cells, others)
        decided = stratified_effect_of(blocks).decided
        low, high = decided.limits()
        rows.append(
            {
                "disparity shown": decided.p_value <= 0.05,
                "van Elteren": van_elteren(blocks).p_value <= 0.05,
                "without strata": relative_effect(x, y, permute=False).p_value <= 0.05,
                "covered": np.isnan(low) or low <= truth <= high,
            }
        )
    return counted(rows)


def cells() -> list[Cell]:
    """The cells of the two tables."""
    quick = ("40 strata of 5", "4 strata, 60 against 90, sd 2:1")
    equal = [
        Cell(
            SIZE_TABLE,
            name,
            partial(shares, cell, 0.0),
            draws=1000,
            quick=100 * (name in quick),
            most={"disparity shown": 0.06},
            least={"covered": 0.93},
        )
        for name, cell in CELLS.items()
    ]
    moved = [
        Cell(POWER_TABLE, name, partial(shares, cell, SHIFT), draws=1000, least={"covered": 0.93})
        for name, cell in CELLS.items()
        if cell[3] not in (rounded, rare)
    ]
    return [*equal, *moved]
