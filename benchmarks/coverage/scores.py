"""P(X>Y): how often "disparity shown" is wrong where the truth is 1/2, and how often the limits cover elsewhere.

Beside ours: the t test, Mann-Whitney, and Newcombe's method 5, which assume equal shapes (the last two) or many
different values (the first).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from benchmarks.coverage.cells import Cell, Shares, counted
from fairstats.inference.scores.brunner_munzel import relative_effect
from fairstats.inference.scores.merged import mann_whitney
from fairstats.inference.scores.rank_tests import probability_of_superiority

Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator], Floats]


def normal(n: int, center: float = 0, spread: float = 1) -> Draw:
    """Normal scores."""
    return lambda rng: rng.normal(center, spread, n)


def points(n: int, *chances: float) -> Draw:
    """Scores 0, 1, 2 ... with given chances."""
    return lambda rng: rng.choice(len(chances), n, p=chances).astype(float)


def exponential(n: int, scale: float) -> Draw:
    """Exponential scores."""
    return lambda rng: rng.exponential(scale, n)


SAMPLES: list[tuple[str, Draw, Draw, float]] = [
    ("normal 8, 8", normal(8), normal(8), 0.5),
    ("normal 20, 20", normal(20), normal(20), 0.5),
    ("sd 4:1, 8, 200", normal(8, 0, 4), normal(200), 0.5),
    ("sd 20:1, 12, 200", normal(12, 0, 20), normal(200), 0.5),
    ("sd 4:1, 15, 150", normal(15, 0, 4), normal(150), 0.5),
    ("sd 1:4, 15, 150", normal(15), normal(150, 0, 4), 0.5),
    ("sd 2:1, 40, 400", normal(40, 0, 2), normal(400), 0.5),
    ("5 points, polarized 20, 200", points(20, 0.4, 0.1, 0, 0.1, 0.4), points(200, 0, 0.1, 0.8, 0.1, 0), 0.5),
    ("90 % zero, 12, 2000", points(12, 0.9, 0.05, 0.05), points(2000, 0.9, 0.05, 0.05), 0.5),
    ("97 % zero, 200, 200", points(200, 0.97, 0.02, 0.01), points(200, 0.97, 0.02, 0.01), 0.5),
    ("97 % zero, 400, 5000", points(400, 0.97, 0.02, 0.01), points(5000, 0.97, 0.02, 0.01), 0.5),
    ("no variance, 15, 60", points(15, 1.0), points(60, 1.0), 0.5),
    ("apart, 12, 60", normal(12, 30), normal(60), 1.0),
    ("shift 1, sd 3:1, 20, 200", normal(20, 1, 3), normal(200), 0.624085),
    ("shift 2, 12, 100", normal(12, 2), normal(100), 0.921350),
    ("shift 3, 20, 20", normal(20, 3), normal(20), 0.983053),
    ("exponential, 2:1, 10, 100", exponential(10, 2), exponential(100, 1), 2 / 3),
]

SIZE_TABLE = 'Scores with P(X>Y) = 1/2: chance of a false "disparity shown", and coverage'
OTHER_TABLE = 'Scores with another P(X>Y): coverage, and chance of "disparity shown"'
MARGIN_TABLE = 'Scores with P(X>Y) = 1/2 + margin: chance of a false "equivalence shown"'
# n, m, standard deviations, margin
MARGINS = ((30, 30, 1.0, 1.0, 0.2), (100, 100, 1.0, 1.0, 0.1), (20, 200, 1.0, 1.0, 0.2), (15, 150, 4.0, 1.0, 0.25))
MARGINS += ((40, 400, 2.0, 1.0, 0.15), (200, 200, 1.0, 1.0, 0.05))
QUICK = {"normal 8, 8": 200, "sd 4:1, 8, 200": 200, "90 % zero, 12, 2000": 100, "no variance, 15, 60": 50}


def with_verdicts(first: Draw, second: Draw, truth: float, rng: np.random.Generator, draws: int) -> Shares:
    """The verdicts of four rules, and the coverage of two intervals."""
    rows = []
    for i in range(draws):
        x, y = first(rng), second(rng)
        ours, plain, other = (
            relative_effect(x, y, seed=i),
            relative_effect(x, y, permute=False),
            probability_of_superiority(x, y),
        )
        low, high = ours.limits()
        rows.append(
            {
                "disparity shown": ours.p_value <= 0.05,
                "Brunner-Munzel by t": plain.p_value <= 0.05,
                "Mann-Whitney": mann_whitney(x, y).p_value <= 0.05,
                "covered": np.nan if np.isnan(low) else low - 1e-9 <= truth <= high + 1e-9,
                "covered by Newcombe 5": other.low <= truth <= other.high,
            }
        )
    return counted(rows)


def equivalent(cell: tuple[float, ...], rng: np.random.Generator, draws: int) -> Shares:
    """The share of samples in which equivalence is claimed."""
    n, m, sd1, sd0, margin = cell
    shift = float(ndtri(0.5 + margin)) * np.hypot(sd1, sd0)
    false = 0
    for seed in range(draws):
        x, y = rng.normal(shift, sd1, int(n)), rng.normal(0, sd0, int(m))
        false += relative_effect(x, y, seed=seed).p_equivalence(margin) <= 0.05
    return {"equivalence shown": false / draws}


def cells() -> list[Cell]:
    """The cells of the three tables; each draw permutes, so 1000 of them."""
    samples = [
        Cell(
            SIZE_TABLE if truth == 0.5 else OTHER_TABLE,
            name,
            partial(with_verdicts, first, second, truth),
            1000,
            QUICK.get(name, 0),
            most={"disparity shown": 0.06} if truth == 0.5 else {},
        )
        for name, first, second, truth in SAMPLES
    ]
    margins = [
        Cell(
            MARGIN_TABLE,
            f"{n} and {m}, sd {sd1:g} and {sd0:g}, margin {margin:g}",
            partial(equivalent, (n, m, sd1, sd0, margin)),
            1000,
            100 * (k == 0),
            most={"equivalence shown": 0.06},
        )
        for k, (n, m, sd1, sd0, margin) in enumerate(MARGINS)
    ]
    return [*samples, *margins]
