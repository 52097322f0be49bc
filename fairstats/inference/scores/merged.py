"""Two samples sorted together once: every rank statistic is a sum over the blocks of equal values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import gcd

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import comb, ndtr

from fairstats.errors import InputError, Setting, in_code
from fairstats.inference.validation import Sample
from fairstats.language import message

Floats = NDArray[np.float64]
FEW_RUNS = 256


@dataclass(frozen=True)
class Blocks:
    """The distinct values of two samples, ascending, with how many (or how much weight) of each sample sit there."""

    values: Floats
    x: Floats
    y: Floats

    @cached_property
    def n(self) -> float:
        """Size (or weight) of the first sample."""
        return float(self.x.sum())

    @cached_property
    def m(self) -> float:
        """Size (or weight) of the second sample."""
        return float(self.y.sum())

    @property
    def sizes(self) -> Floats:
        """Size of each block: 1 where a value is unique."""
        return self.x + self.y

    @property
    def tied(self) -> bool:
        """Whether any value occurs twice."""
        return bool(np.any(self.sizes > 1))

    def place_x(self) -> Floats:
        """At each value: the share of y below it plus half the share equal to it."""
        return (np.cumsum(self.y) - self.y / 2) / self.m

    def place_y(self) -> Floats:
        """At each value: the share of x above it plus half the share equal to it."""
        return (self.n - np.cumsum(self.x) + self.x / 2) / self.n

    def u(self) -> float:
        """Mann-Whitney's U of x: pairs with x above y, ties counting one half (R's W)."""
        return self._u

    @cached_property
    def _u(self) -> float:
        return float(self.x @ (np.cumsum(self.y) - self.y / 2))


@dataclass(frozen=True)
class RankTest:
    """A rank test: its statistic, two-sided p-value, and how the p-value was computed."""

    statistic: float
    p_value: float
    method: str


def merge(x: ArrayLike, y: ArrayLike, x_weights: ArrayLike | None = None, y_weights: ArrayLike | None = None) -> Blocks:
    """Sort two samples together, once.

    x, y: the samples; infinities are allowed, missing values are not, shape (n,).
    x_weights, y_weights: weights of the observations; one each by default.

    >>> b = merge([3, 1], [1, 2])
    >>> b.values.tolist(), b.x.tolist(), b.y.tolist()
    ([1.0, 2.0, 3.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0])
    """
    a, b = np.asarray(x, dtype=float).ravel(), np.asarray(y, dtype=float).ravel()
    values = np.concatenate([a, b])
    if values.size == 0:
        return Blocks(values, values, values)
    order = order_of(values)
    ordered = values[order]
    if np.isnan(ordered[-1]):  # missing values sort last
        raise InputError(
            f"x and y have {int(np.isnan(values).sum())} missing values; ranks need numbers; drop those rows."
        )
    new = ordered[1:] != ordered[:-1]
    if x_weights is None and y_weights is None and new.all():
        alone = (order < a.size).astype(float)
        return Blocks(ordered, alone, 1 - alone)
    starts = np.flatnonzero(np.concatenate([[True], new]))
    if x_weights is None and y_weights is None:
        # whole counts from one cumulative sum: cheaper than adding floats
        until = np.concatenate([[0], np.cumsum(order < a.size)])
        ends = np.append(starts[1:], values.size)
        in_x = (until[ends] - until[starts]).astype(float)
        return Blocks(ordered[starts], in_x, (ends - starts) - in_x)
    heavy = np.concatenate([_weights(x_weights, a.size), np.zeros(b.size)])[order]
    light = np.concatenate([np.zeros(a.size), _weights(y_weights, b.size)])[order]
    return Blocks(ordered[starts], np.add.reduceat(heavy, starts), np.add.reduceat(light, starts))


def order_of(values: Floats) -> NDArray[np.intp]:
    """An order of ascending values: where they are a few ascending runs, as tallies hold them, these are merged.

    >>> order_of(np.array([1.0, 4.0, 0.0, 2.0])).tolist()
    [2, 0, 3, 1]
    """
    runs = 1 + int(np.count_nonzero(values[1:] < values[:-1]))
    return np.argsort(values, kind="stable" if runs <= FEW_RUNS else "quicksort")


def _weights(weights: ArrayLike | None, size: int) -> Floats:
    return np.ones(size) if weights is None else np.asarray(weights, dtype=float).ravel()


# The Mann-Whitney (Wilcoxon rank-sum) test, exact given the ties for small samples.


NAN = float("nan")
# R's wilcox.test is exact below this size of both samples
EXACT_BELOW = 50
EMPTY = message("a group without scores")
# The number of additions beyond which the exact distribution is refused (some seconds), and the most
# observations whose binomial coefficient a double can hold.
MOST_WORK = 5e9
MOST_PEOPLE = 1000


def u_distribution(sizes: ArrayLike, n: int) -> tuple[Floats, Floats]:
    """Values that U can take and their probabilities when n of the pooled observations are drawn at random.

    All choices of n observations are equally likely (the permutation distribution, conditional on the ties). The
    count of choices with c observations and a given sum of midranks follows block by block: a block of t tied
    observations gives j of them in C(t, j) ways. Without ties this is R's ``dwilcox``; with ties it is the
    distribution of Streitberg and Röhmel.

    sizes: sizes of the blocks of equal values, in ascending order of value, shape (b,).
    n: size of the sample whose U is computed.
    Returns values, probabilities: in ascending order of U; unattainable values have probability 0.
    Source: Streitberg & Röhmel (1986), Exact distributions for permutation and rank tests.

    >>> u, p = u_distribution([1, 1, 1], 1)
    >>> u.tolist(), (3 * p).round(12).tolist()
    ([0.0, 1.0, 2.0], [1.0, 1.0, 1.0])
    """
    values, probabilities = _distribution(tuple(int(t) for t in np.asarray(sizes)), int(n))
    return values.copy(), probabilities.copy()


@lru_cache(maxsize=32)
def _distribution(sizes: tuple[int, ...], n: int) -> tuple[Floats, Floats]:
    total = sum(sizes)
    small = min(n, total - n)
    ranks, least, unit = _doubled_midranks(sizes)
    every = np.repeat(ranks, sizes)
    lowest, highest = int(every[:small].sum()), int(every[total - small :].sum())
    work = (small + 1.0) * (highest + 1.0) * sum(min(t, small) for t in sizes)
    if work > MOST_WORK or total > MOST_PEOPLE:
        raise InputError(
            "exact",
            f"has value {in_code(True)}; an exact test of {n} against {total - n} observations is out of reach; "
            f"pass {Setting('exact', False)} for the normal approximation.",
        )
    ways = np.zeros((small + 1, highest + 1))
    ways[0, 0] = 1.0
    for rank, t in zip(ranks.tolist(), sizes, strict=True):
        before = ways.copy()
        for j in range(1, min(t, small) + 1):
            step = j * rank
            if step <= highest:
                ways[j:, step:] += comb(t, j, exact=False) * before[: small + 1 - j, : highest + 1 - step]
    probabilities = ways[small, lowest:] / ways[small].sum()
    rank_sums = (np.arange(lowest, highest + 1) * unit + small * least) / 2
    u = rank_sums - small * (small + 1) / 2
    if small == n:
        return u, probabilities
    return (n * (total - n) - u)[::-1], probabilities[::-1]


def _doubled_midranks(sizes: tuple[int, ...]) -> tuple[NDArray[np.int64], int, int]:
    """Midranks of the blocks as small whole numbers: (2 midrank - least) / unit."""
    t = np.array(sizes, dtype=np.int64)
    doubled = 2 * (np.cumsum(t) - t) + t + 1
    least = int(doubled[0])
    unit = gcd(*(int(r) for r in doubled - least)) or 1
    return (doubled - least) // unit, least, unit


def mann_whitney(x: Sample, y: Sample, *, exact: bool | None = None) -> RankTest:
    """Test that two samples have one distribution by their ranks (Mann-Whitney, Wilcoxon), two-sided.

    Without ties this is R's ``wilcox.test``: exact when both samples have fewer than 50 observations, otherwise the
    normal approximation with continuity and tie correction. With ties in small samples R falls back on the
    approximation; here the p-value stays exact, from the permutation distribution given the ties (the doubled
    smaller tail, as R's own exact test does). Samples that are all one value have p = 1 (R: NaN).

    Parameters
    ----------
    x, y : array_like, shape (n,) and (m,)
        The two samples.
    exact : bool, optional
        Ask for the exact (True) or the approximate (False) p-value; by default exact below 50 and 50.

    Returns
    -------
    RankTest
        `statistic` is U of x, R's W: the number of pairs with x above y, ties counting one half. NaN where a sample
        is empty.

    Raises
    ------
    InputError
        If a value is missing, or if exact=True is out of reach for samples of this size.

    References
    ----------
    Mann & Whitney (1947); Hollander, Wolfe & Chicken (2014), section 4.1. R: ``wilcox.test(x, y)``.

    Examples
    --------
    >>> import fairstats as fs
    >>> test = fs.stats.mann_whitney([1.1, 2.2, 3.3], [0.4, 0.5, 2.0])
    >>> test.statistic, round(test.p_value, 6)
    (8.0, 0.2)
    """
    return rank_test(merge(x, y), exact)


def rank_test(blocks: Blocks, exact: bool | None = None) -> RankTest:
    """Mann-Whitney test of two samples already merged.

    exact: as in `mann_whitney`.

    >>> rank_test(merge([1, 2], [3, 4])).statistic
    0.0
    """
    n, m = blocks.n, blocks.m
    if min(n, m) == 0:
        return RankTest(NAN, NAN, EMPTY)
    u = blocks.u()
    if exact if exact is not None else max(n, m) < EXACT_BELOW:
        values, probabilities = u_distribution(blocks.sizes, int(n))
        # half a unit apart at least, so a quarter separates equal from unequal
        tail = min(probabilities[values <= u + 0.25].sum(), probabilities[values >= u - 0.25].sum())
        exactly, given = message("Mann-Whitney, exact"), message("Mann-Whitney, exact given the ties")
        return RankTest(u, min(1.0, 2 * float(tail)), given if blocks.tied else exactly)
    method = message("Mann-Whitney, normal approximation")
    variance = u_variance(blocks)
    distance = abs(u - n * m / 2)
    if variance == 0 or distance == 0:
        return RankTest(u, 1.0, method)
    return RankTest(u, min(1.0, 2 * float(ndtr(-(distance - 0.5) / np.sqrt(variance)))), method)


def u_variance(blocks: Blocks) -> float:
    """Variance of U given the ties under exchangeability; 0 when all values are equal.


    >>> u_variance(merge([1, 2], [3]))
    0.6666666666666666
    """
    n, m, t = blocks.n, blocks.m, blocks.sizes
    if t.size == 1:
        return 0.0
    size = n + m
    return float(n * m / 12 * ((size + 1) - np.sum(t * (t * t - 1)) / (size * (size - 1))))
