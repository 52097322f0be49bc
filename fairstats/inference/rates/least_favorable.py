"""The largest probability that a hypothesis about two rates gives to a region of tables.

A region is known by one boundary for each count of the smaller group, so tables of 12 against 2000 cost as little as
12 against 12. The unknown rate that the hypothesis leaves open is looked for in a confidence set (Berger & Boos 1994).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, gammaln, xlog1py, xlogy

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
# Berger and Boos: the open rate is looked for in a confidence set of level 1 - GAMMA, and GAMMA added to p
GAMMA = 1e-5
# mass of counts that is left out on each side of each binomial distribution, added to p
NEGLIGIBLE = 1e-12
# of the open rate on the arcsine scale, in standard errors
SPACING = 0.2
REFINEMENTS = 3
# of the largest value on the grid, above which each peak of the grid is refined: its own top may be the largest
NEARLY = 0.98
MOST_PEAKS = 4  # a plateau has many by rounding
# scores closer than this are the same score up to rounding: the table belongs to the region
SAME = 1e-9

Score = Callable[[Floats, Floats], Floats]


@dataclass(frozen=True)
class Region:
    """Tables (x, y) with y <= upto[x] or y >= since[x], for whole x from `first` on."""

    first: int
    upto: Ints
    since: Ints
    n1: int
    n0: int

    def probability(self, p1: Floats, p0: Floats) -> Floats:
        """The probability of the region at each pair of rates (which have one shape)."""
        rows = binomial_pmf(self.first, self.first + self.upto.size - 1, self.n1, p1)
        low, high = reach(self.n0, float(p0.min()), float(p0.max()))
        mass = np.zeros((p0.size, high - low + 2))
        np.cumsum(binomial_pmf(low, high, self.n0, p0), axis=1, out=mass[:, 1:])
        # mass[:, j] is the chance of fewer than low + j
        below = mass[:, np.clip(self.upto + 1 - low, 0, high - low + 1)]
        above = mass[:, -1:] - mass[:, np.clip(self.since - low, 0, high - low + 1)]
        return np.asarray(np.sum(rows * (below + above), axis=1))


def binomial_pmf(low: int, high: int, n: int, p: Floats) -> Floats:
    """Binomial probabilities of the counts low..high, one row for each rate.

    Parameters
    ----------
    low, high : int
        First and last count.
    n : int
        Number of people.
    p : ndarray, shape (g,)
        Rates in [0, 1].

    Returns
    -------
    ndarray, shape (g, high - low + 1)

    Examples
    --------
    >>> binomial_pmf(0, 2, 2, np.array([0.5])).round(12).tolist()
    [[0.25, 0.5, 0.25]]
    """
    x = np.arange(low, high + 1, dtype=float)
    ways = gammaln(n + 1) - gammaln(x + 1) - gammaln(n - x + 1)
    with np.errstate(divide="ignore"):  # the logarithm of a rate of 0 or 1, judged by xlogy
        inside = (p > 0) & (p < 1)
        safe = np.where(inside, p, 0.5)[:, None]
        out = np.exp(ways + x * np.log(safe) + (n - x) * np.log1p(-safe))
        if not inside.all():
            edge = p[~inside, None]
            out[~inside] = np.exp(ways + xlogy(x, edge) + xlog1py(n - x, -edge))
    return np.asarray(out)


def reach(n: int, low: float, high: float) -> tuple[int, int]:
    """The counts that have a chance at some rate in [low, high]; outside is less than NEGLIGIBLE on each side.

    Parameters
    ----------
    n : int
        Number of people.
    low, high : float
        Range of the rate.

    Returns
    -------
    first, last : int
        By Bernstein's inequality, which is quick and never too narrow.

    Examples
    --------
    >>> reach(10_000, 0.5, 0.5)
    (4618, 5382)
    """
    b = -np.log(NEGLIGIBLE)
    spread_low, spread_high = (np.sqrt(2 * n * p * (1 - p) * b + (b / 3) ** 2) + b / 3 for p in (low, high))
    return max(0, int(np.floor(n * low - spread_low))), min(n, int(np.ceil(n * high + spread_high)))


def clopper_pearson_set(events: float, n: float, gamma: float) -> tuple[float, float]:
    """Clopper and Pearson's limits of a rate at level 1 - gamma.

    Parameters
    ----------
    events, n : float
        Events and people.
    gamma : float
        One minus the level.

    Returns
    -------
    low, high : float

    Examples
    --------
    >>> [round(v, 4) for v in clopper_pearson_set(3, 10, 0.05)]
    [0.0667, 0.6525]
    """
    low = float(betaincinv(events, n - events + 1, gamma / 2)) if events > 0 else 0.0
    high = float(betaincinv(events + 1, n - events, 1 - gamma / 2)) if events < n else 1.0
    return low, high


def region(
    below: Score | None, above: Score | None, observed: float, n1: int, n0: int, first: int, last: int
) -> Region:
    """The tables whose score is at least as extreme as the observed one, for counts first..last of the first group.

    Parameters
    ----------
    below, above : callable or None
        Scores (x, y) -> value. `below` does not increase with y, and tables with below(x, y) >= observed are in the
        region; `above` does not decrease with y, likewise. None where that side is not in the region.
    observed : float
        The observed score.
    n1, n0 : int
        Sizes.
    first, last : int
        Range of x.

    Returns
    -------
    Region

    Examples
    --------
    >>> r = region(lambda x, y: x - y, None, 1.0, 3, 3, 0, 3)
    >>> r.upto.tolist(), r.since.tolist()
    ([-1, 0, 1, 2], [4, 4, 4, 4])
    """
    x = np.arange(first, last + 1, dtype=float)
    bar = observed - SAME * max(1.0, abs(observed))
    upto, since = np.full(x.size, -1), np.full(x.size, n0 + 1)
    if below is not None:
        upto = _last_true(lambda y: below(x, y) >= bar, x.size, n0)
    if above is not None:  # the last y, counted from the far end, that is still in the region
        since = n0 - _last_true(lambda y: above(x, n0 - y) >= bar, x.size, n0)
    return Region(first, upto, since, n1, n0)


def _last_true(inside: Callable[[Floats], NDArray[np.bool_]], size: int, n0: int) -> Ints:
    """The last whole y in 0..n0 at which a condition that turns from true to false once still holds; -1 for none."""
    low, high = np.full(size, -1), np.full(size, n0 + 1)
    for _ in range(int(n0 + 2).bit_length()):
        middle = (low + high) // 2
        holds = inside(np.clip(middle, 0, n0).astype(float))
        open_ = high - low > 1
        low, high = np.where(open_ & holds, middle, low), np.where(open_ & ~holds, middle, high)
    return low


def supremum(probability: Callable[[Floats], Floats], low: float, high: float, size: float) -> float:
    """The largest value of a smooth function of a rate over [low, high], by a grid that is refined at its peaks.

    Parameters
    ----------
    probability : callable
        Rates, shape (g,) -> values, shape (g,).
    low, high : float
        Range of the rate.
    size : float
        People whose standard error sets the spacing: on the arcsine scale it is 1 / (2 sqrt(size)) at every rate, and
        the logarithmic derivative of a tail probability is bounded in that unit.

    Returns
    -------
    float

    Examples
    --------
    >>> round(supremum(lambda p: p * (1 - p), 0.0, 0.9, 100), 6)
    0.25
    """
    a, b = np.arcsin(np.sqrt([low, high]))
    grid = np.linspace(a, b, max(9, int(np.ceil((b - a) * 2 * np.sqrt(size) / SPACING))))
    values = probability(np.sin(grid) ** 2)
    best = float(values.max())
    beside = np.pad(values, 1, constant_values=-np.inf)
    peaks = np.flatnonzero((values > beside[:-2]) & (values >= beside[2:]) & (values >= NEARLY * best))
    for peak in grid[peaks[np.argsort(-values[peaks])][:MOST_PEAKS]]:
        step = grid[1] - grid[0]
        for _ in range(REFINEMENTS):
            finer = np.linspace(max(a, peak - step), min(b, peak + step), 11)
            values = probability(np.clip(np.sin(finer) ** 2, low, high))
            peak, step = finer[np.argmax(values)], finer[1] - finer[0]
            best = max(best, float(values.max()))
    return best
