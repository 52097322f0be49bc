"""Means, medians and geometric means of amounts: false verdicts where means are equal, and coverage.

Where spreads seem to differ, small samples are tested as lognormal, too. Beside ours Welch's plain test and the
percentile bootstrap of both means and both medians. Amounts are lognormal, or on a scale of 12 pay steps; where spreads
differ the means are equal all the same, and what medians and geometric means cover is their true ratio.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray
from scipy.stats import ttest_ind

from benchmarks.coverage.cells import Cell, Shares, counted
from benchmarks.coverage.design_scores import sample
from fairstats.inference.amounts import means
from fairstats.inference.amounts.means import (
    LognormalMeans,
    MeanPair,
    PermutedMeans,
    lighter_than_lognormal,
    mean_of,
    too_few_for_means,
)
from fairstats.inference.amounts.quantiles import QuantilePair, Quantiles
from fairstats.inference.scores.survey import Scored

Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int], Floats]

EQUAL = "Amounts of equal shape and mean"
APART = "Amounts of equal mean and unequal spread"
DESIGNED = "Amounts of weighted and clustered people, equal means"
STEPS = 2000 * 1.09 ** np.arange(12)
CLOSER = 4000  # draws of cells whose share is near its bound
DRAWN = 999  # permutations of each sample, ...
SETS = 8  # ... of so many sets of them that all samples of a size share
REPLICATES = 199
MOST_RESAMPLED = 500


def lognormal(spread: float, rng: np.random.Generator, n: int) -> Floats:
    """Amounts with a mean of 1."""
    return np.exp(spread * rng.normal(size=n) - spread**2 / 2)


def stepped(rng: np.random.Generator, n: int) -> Floats:
    """Amounts on 12 steps, most of them in the middle."""
    return STEPS[rng.binomial(11, 0.45, n)]


@cache
def subsets(total: int, size: int, seed: int) -> Floats:
    """Random subsets that samples of these sizes share."""
    rng = np.random.default_rng(seed)
    return np.array([rng.choice(total, size, replace=False, shuffle=False) for _ in range(DRAWN)])


def compared(x: Floats, y: Floats, draw: int) -> MeanPair:
    """The comparison of an audit, with fewer permutations."""
    sides, logs = ([mean_of(sample(v)) for v in both] for both in ((x, y), (np.log(x), np.log(y))))
    few = min(x.size, y.size) <= means.MOST_PERMUTED
    apart = too_few_for_means(sample(x), sample(y)) and not lighter_than_lognormal(sample(x), sample(y))
    permutations = PermutedMeans(x, y, draw % SETS) if few else None
    return MeanPair(*sides, permutations, LognormalMeans(*logs, draw) if apart else None)


def ratio_covered(low: float, high: float, ratio: float) -> bool:
    """Limits that hold a ratio."""
    return low <= ratio <= high


def independent(
    x_of: Draw, y_of: Draw, sizes: tuple[int, int], ratio: float, rng: np.random.Generator, draws: int
) -> Shares:
    """Verdicts and coverage; ``ratio`` is that of the true medians (of geometric means, too)."""
    rows, plain = [], means._subsets

    def shared(total: int, size: int, every: bool, seed: int) -> Iterable[NDArray[np.int64]]:
        return plain(total, size, every, seed) if every else [subsets(total, size, seed)]

    means._subsets = shared
    try:
        for draw in range(draws):
            x, y = x_of(rng, sizes[0]), y_of(rng, sizes[1])
            pair = compared(x, y, draw)
            logs = MeanPair(mean_of(sample(np.log(x))), mean_of(sample(np.log(y))))
            median = QuantilePair(Quantiles(sample(x)), Quantiles(sample(y)), 0.5)
            row: dict[str, bool | float] = {
                "disparity shown": pair.p_value <= 0.05,
                "as lognormal, too": pair.lognormal is not None,
                "covered": pair.p_value > 0.05,
                "median covered": ratio_covered(*median.ratio_limits(0.95), ratio),
                "geometric mean covered": min(logs.tails(1.0, float(np.log(ratio)))) > 0.025,
                "Welch": ttest_ind(x, y, equal_var=False).pvalue <= 0.05,
            }
            if max(sizes) <= MOST_RESAMPLED:
                row |= bootstrap(x, y, ratio, rng)
            rows.append(row)
    finally:
        means._subsets = plain
    return counted(rows)


def bootstrap(x: Floats, y: Floats, ratio: float, rng: np.random.Generator) -> dict[str, bool | float]:
    """The percentile bootstrap of the ratio of means, and of that of medians."""
    samples = [v[rng.integers(0, v.size, (REPLICATES, v.size))] for v in (x, y)]
    of_means = samples[0].mean(axis=1) / samples[1].mean(axis=1)
    of_medians = np.median(samples[0], axis=1) / np.median(samples[1], axis=1)
    return {
        "bootstrap, means": not ratio_covered(*np.quantile(of_means, [0.025, 0.975]), 1.0),
        "bootstrap, medians": not ratio_covered(*np.quantile(of_medians, [0.025, 0.975]), ratio),
    }


def weighted(spread: float, sizes: tuple[int, int], rng: np.random.Generator) -> tuple[Scored, Scored]:
    """Lognormal amounts with lognormal weights of standard deviation 1."""
    x, y = (sample(lognormal(spread, rng, n), np.exp(0.83 * rng.normal(size=n))) for n in sizes)
    return x, y


def clustered(spread: float, clusters: int, people: int, rng: np.random.Generator) -> tuple[Scored, Scored]:
    """Lognormal amounts that share a part within clusters which hold both groups."""
    part = 0.5 * spread * rng.normal(size=clusters)
    out = []
    for size in (people, 2 * people):
        code = np.repeat(np.arange(clusters, dtype=np.int64), size)
        out.append(sample(np.exp(part[code] + spread * rng.normal(size=code.size)), None, code))
    return out[0], out[1]


def designed(
    draw: Callable[[np.random.Generator], tuple[Scored, Scored]], rng: np.random.Generator, draws: int
) -> Shares:
    """The verdict on means, and the limits of medians by Woodruff; Welch's test takes people for independent."""
    rows = []
    for _ in range(draws):
        x, y = draw(rng)
        sampled = x.clusters is None
        pair = MeanPair(mean_of(x, sampled), mean_of(y, sampled))
        median = QuantilePair(Quantiles(x, sampled), Quantiles(y, sampled), 0.5)
        rows.append(
            {
                "disparity shown": pair.p_value <= 0.05,
                "covered": pair.p_value > 0.05,
                "median covered": ratio_covered(*median.ratio_limits(0.95), 1.0),
                "Welch": ttest_ind(x.values, y.values, equal_var=False).pvalue <= 0.05,
            }
        )
    return counted(rows)


def cells() -> list[Cell]:
    """The cells of the three tables."""
    keeps = {"most": {"disparity shown": 0.06}, "least": {"covered": 0.93, "median covered": 0.93}}
    out = []
    for n, m in ((8, 8), (8, 20), (8, 400), (20, 20), (20, 100), (20, 5000), (100, 100), (100, 5000)):
        shapes: dict[str, Draw] = {f"spread {s:g}": partial(lognormal, s) for s in (0.3, 1.0)}
        for name, draw in (shapes | {"12 pay steps": stepped}).items():
            out.append(
                Cell(
                    EQUAL, f"{n} and {m} people, {name}", partial(independent, draw, draw, (n, m), 1.0),
                    CLOSER if draw is stepped and n == m > 8 else 1000, 100 * (n == 8 == m), **keeps,
                )
            )  # fmt: skip
    sizes = {
        (1.0, 0.5): ((8, 8), (20, 20), (20, 400), (50, 50), (100, 100), (100, 5000)),
        (0.5, 1.0): ((8, 8), (20, 20), (20, 400), (50, 50), (100, 100), (100, 5000)),
        (0.5, 0.3): ((8, 8), (8, 400), (20, 20), (20, 100), (20, 5000)),
        (0.3, 0.5): ((8, 8), (8, 400), (20, 20), (20, 100), (20, 5000)),
    }
    for (one, other), each in sizes.items():
        ratio = float(np.exp((other**2 - one**2) / 2))
        for n, m in each:
            run = partial(independent, partial(lognormal, one), partial(lognormal, other), (n, m), ratio)
            name = f"{n} people with a spread of {one:g}, {m} with {other:g}"
            out.append(Cell(APART, name, run, CLOSER if n == m == 100 else 500, 100 * (n == m == 20), **keeps))
    for spread in (0.3, 1.0):
        for each in ((40, 200), (100, 400)):
            name = f"weights of sd 1, {each[0]} and {each[1]} people, spread {spread:g}"
            draws = CLOSER if each == (40, 200) else 500
            out.append(Cell(DESIGNED, name, partial(designed, partial(weighted, spread, each)), draws, 0, **keeps))
        for clusters in (12, 40):
            run = partial(designed, partial(clustered, spread, clusters, 5))
            out.append(Cell(DESIGNED, f"{clusters} clusters, spread {spread:g}", run, 500, 0, **keeps))
    return out
