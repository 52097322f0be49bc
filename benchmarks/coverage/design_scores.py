"""Scores of weighted and clustered people, and AUC with few positives: false verdicts, and coverage where all is equal.

Beside ours the rules that assume independent people (Brunner-Munzel, DeLong's t).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from benchmarks.coverage.cells import Cell, Shares, counted
from fairstats.inference.rates.sampling import Sampling
from fairstats.inference.scores.brunner_munzel import relative_effect
from fairstats.inference.scores.roc import AreaGap, auc_gap
from fairstats.inference.scores.survey import DesignEffect, Scored, design_effect, design_rank_test

Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator], tuple[Scored, Scored]]
SCORES = "Scores of weighted and clustered people, P(X>Y) = 1/2"
AREAS = "Difference of two AUC: no difference"
SURVEYED = "Scores under a survey's design (units drawn within strata), P(X>Y) = 1/2"
CLUSTERED_AREAS = "Difference of two AUC of clustered people: no difference"
# people and share of positives of the group, shift of the positives, people of the reference, steps of ties (0: none)
FEW = (
    (25, 0.2, 1.0, 1000, 0.0),
    (30, 0.2, 1.0, 1000, 0.0),
    (40, 0.1, 1.5, 1000, 0.0),
    (60, 0.3, 2.5, 300, 0.0),
    (60, 0.2, 1.0, 300, 1.0),
    (100, 0.05, 1.0, 400, 0.0),
    (100, 0.3, 1.0, 400, 0.0),
    (25, 0.4, 0.5, 25, 0.0),
    (40, 0.2, 1.0, 40, 0.0),
    (200, 0.1, 2.0, 2000, 0.0),
    (400, 0.1, 1.5, 4000, 0.0),
)


# strata, units drawn in each, people of each group in a unit, correlation within a unit, where scores have a floor
DRAWN: tuple[tuple[int, int, tuple[float, float], float, float | None], ...] = (
    (8, 2, (10, 10), 0.1, None),
    (8, 2, (20, 4), 0.2, None),
    (15, 4, (10, 3), 0.05, None),
    (15, 2, (8, 5), 0.3, None),
    (4, 50, (1, 0.3), 0.0, None),
    (15, 2, (20, 1), 0.1, 1.0),
)


def sample(values: Floats, weights: Floats | None = None, clusters: NDArray[np.int64] | None = None) -> Scored:
    """People one by one."""
    w = np.ones(values.size) if weights is None else weights
    return Scored(values, w, w * w, np.ones(values.size), clusters)


def weighted(n: int, m: int, spread: float, sd: float, rng: np.random.Generator) -> tuple[Scored, Scored]:
    """Normal scores with lognormal weights."""
    sides = (rng.normal(0, sd, n), rng.normal(0, 1, m))
    x, y = (sample(v, np.exp(rng.normal(0, spread, v.size))) for v in sides)
    return x, y


def floored(draw: Draw, floor: float, rng: np.random.Generator) -> tuple[Scored, Scored]:
    """The same with all scores below a floor at the floor."""
    x, y = draw(rng)
    return replace(x, values=np.maximum(x.values, floor)), replace(y, values=np.maximum(y.values, floor))


def clustered(
    clusters: int | tuple[int, int], sizes: tuple[int, int], icc: float, sd: float, rng: np.random.Generator
) -> tuple[Scored, Scored]:
    """Normal scores that share a part with their cluster."""
    if isinstance(clusters, int):
        current, other, count = np.arange(clusters), np.arange(clusters), clusters
    else:
        count = sum(clusters)
        current, other = np.arange(clusters[0]), np.arange(clusters[0], count)
    shared = rng.normal(0, np.sqrt(icc), count)
    out = []
    for units, size, scale in ((current, sizes[0], sd), (other, sizes[1], 1.0)):
        code = np.repeat(units, size)
        out.append(
            sample(scale * (shared[code] + rng.normal(0, np.sqrt(1 - icc), code.size)), None, code.astype(np.int64))
        )
    return out[0], out[1]


def drawn(
    strata: int,
    units: int,
    people: tuple[float, float],
    icc: float,
    floor: float | None,
    rng: np.random.Generator,
) -> tuple[Scored, Scored]:
    """Two groups in the same units, drawn within strata that differ and weigh differently."""
    of = np.repeat(np.arange(strata), units)
    plan = Sampling(of, np.full(strata, float(units)), np.ones(strata))
    shared = rng.normal(0, 0.5, strata)[of] + rng.normal(0, np.sqrt(icc), of.size)
    weight, out = np.exp(rng.normal(0, 0.5, strata))[of], []
    for size in people:
        n = np.full(of.size, int(size)) if size >= 1 else rng.binomial(1, size, of.size)
        code = np.repeat(np.arange(of.size, dtype=np.int64), n)
        values = shared[code] + rng.normal(0, np.sqrt(1 - icc), code.size)
        values = values if floor is None else np.maximum(values, floor)
        out.append(replace(sample(values, weight[code], code), sampling=plan))
    return out[0], out[1]


def with_verdicts(draw: Draw, rng: np.random.Generator, draws: int) -> Shares:
    """The verdict, the rank test of equal distributions, the limits, and the test that takes people for independent."""
    rows = []
    for _ in range(draws):
        x, y = draw(rng)
        result = design_effect(x, y)
        low, high = result.limits(0.95)
        rows.append(
            {
                "disparity shown": result.p_value <= 0.05,
                "covered": low <= 0.5 <= high,
                "rank test": design_rank_test(x, y).p_value <= 0.05,
                "Brunner-Munzel, unweighted": relative_effect(x.values, y.values, permute=False).p_value <= 0.05,
            }
        )
    return counted(rows)


def few_positives(cell: tuple[int, float, float, int, float], rng: np.random.Generator, draws: int) -> Shares:
    """The difference of two areas that are equal, by our limits and by DeLong's t."""
    n, share, shift, m, ties = cell
    rows = []
    for _ in range(draws):
        sides = []
        for size in (n, m):
            y = np.arange(size) < np.clip(rng.binomial(size, share), 2, size - 2)
            scores = rng.normal(size=size) + shift * y
            sides += [np.round(scores * ties) if ties else scores, y]
        gap = auc_gap(*sides)
        low, high = gap.limits(0.95)
        a, b = gap.area.std_error, gap.base.std_error
        df = (a**2 + b**2) ** 2 / (a**4 / (n - 1) + b**4 / (m - 1)) if a + b > 0 else np.nan
        old = 2 * float(stdtr(df, -abs(gap.difference) / np.hypot(a, b))) if a + b > 0 else 1.0
        rows.append({"disparity shown": gap.p_value <= 0.05, "covered": low <= 0 <= high, "DeLong, t": old <= 0.05})
    return counted(rows)


def clustered_areas(clusters: int, people: int, rng: np.random.Generator, draws: int) -> Shares:
    """Two groups in the same clusters, whose scores and outcomes share a part with them."""
    rows = []
    for _ in range(draws):
        part = rng.normal(size=clusters)
        areas: list[DesignEffect] = []
        for _ in range(2):
            code = np.repeat(np.arange(clusters, dtype=np.int64), people)
            y = rng.random(code.size) < 0.3
            scores = rng.normal(size=code.size) + 1.2 * y + 0.7 * part[code]
            areas.append(
                design_effect(sample(scores[y], None, code[y]), sample(scores[~y], None, code[~y]), equal=False)
            )
        gap = AreaGap(areas[0], areas[1], areas[0].correlation(areas[1]))
        rows.append(
            {"disparity shown": gap.p_value <= 0.05, "covered": gap.limits(0.95)[0] <= 0 <= gap.limits(0.95)[1]}
        )
    return counted(rows)


def cells() -> list[Cell]:
    """The cells of the three tables."""
    draws: dict[str, Draw] = {
        "weights' cv 0.5, 60 and 60": partial(weighted, 60, 60, 0.5, 1.0),
        "weights' cv 1.3, 50 and 200": partial(weighted, 50, 200, 1.0, 1.0),
        "weights' cv 1.3, 20 and 100": partial(weighted, 20, 100, 1.0, 1.0),
        "weights' cv 2.1, 40 and 400": partial(weighted, 40, 400, 1.3, 1.0),
        "weights' cv 0.8, sd 4:1, 20 and 200": partial(weighted, 20, 200, 0.7, 4.0),
        "8 clusters hold both, 8 and 5 in each": partial(clustered, 8, (8, 5), 0.3, 1.0),
        "15 clusters hold both, 8 and 5 in each": partial(clustered, 15, (8, 5), 0.3, 1.0),
        "60 clusters hold both, 8 and 5 in each": partial(clustered, 60, (8, 5), 0.3, 1.0),
        "5 and 5 clusters of 8": partial(clustered, (5, 5), (8, 8), 0.3, 1.0),
        "8 and 8 clusters of 8": partial(clustered, (8, 8), (8, 8), 0.3, 1.0),
        "8 and 60 clusters of 8": partial(clustered, (8, 60), (8, 8), 0.3, 1.0),
        "8 and 40 clusters of 8, sd 3:1": partial(clustered, (8, 40), (8, 8), 0.3, 3.0),
    }
    draws |= {
        "weights' cv 0.3, 93 % at a floor, 15 and 500": partial(floored, partial(weighted, 15, 500, 0.3, 1.0), 1.5),
        "weights' cv 0.3, 84 % at a floor, 30 and 500": partial(floored, partial(weighted, 30, 500, 0.3, 1.0), 1.0),
        "8 and 40 clusters of 8, 93 % at a floor": partial(floored, partial(clustered, (8, 40), (8, 8), 0.3, 1.0), 1.5),
    }
    bound = {"disparity shown": 0.06}
    of_designs: dict[str, Draw] = {}
    for H, k, (n, m), icc, floor in DRAWN:
        name = f"{H} strata of {k} units, {n:g} and {m:g} people in each{'' if floor is None else ', 77 % at a floor'}"
        of_designs[name] = partial(drawn, H, k, (n, m), icc, floor)
    out = [
        Cell(
            table,
            name,
            partial(with_verdicts, draw),
            4000,
            300 * (k in (1, 9, 12)),
            most=bound,
            least={"covered": 0.93},
        )
        for table, some in ((SCORES, draws), (SURVEYED, of_designs))
        for k, (name, draw) in enumerate(some.items())
    ]
    for cell in FEW:
        n, share, shift, m, ties = cell
        name = f"{n} people, {share:g} positive, shifted by {shift:g}{', ties' if ties else ''}; reference {m}"
        out.append(Cell(AREAS, name, partial(few_positives, cell), 4000, 300 * (n == 30), most=bound))
    return out + [
        Cell(
            CLUSTERED_AREAS, f"{k} clusters, {n} of each group in one", partial(clustered_areas, k, n), 2000, most=bound
        )
        for k, n in ((8, 10), (15, 10), (30, 6), (60, 6))
    ]
