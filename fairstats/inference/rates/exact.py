"""The exact unconditional test that two rates are equal: nothing is conditioned on, as in an audit nothing is fixed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import combinations, pairwise
from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc, betaincc, betaincinv, gammaln, ndtr, xlog1py, xlogy

from fairstats.errors import InputError, Setting
from fairstats.inference.rates.one_rate import counts
from fairstats.inference.rates.rate_tests import difference_score, fisher_exact, ratio_score, standardized, z_test
from fairstats.inference.validation import AboveOne, Counts, CountsByGroup, Proportion

Floats = NDArray[np.float64]


# The largest probability that a hypothesis about two rates gives to a region of tables.


Ints = NDArray[np.int64]
# Berger and Boos: the open rate is looked for in a confidence set of level 1 - GAMMA, and GAMMA added to p
GAMMA = 1e-5
# mass of counts that is left out on each side of each binomial distribution, added to p
NEGLIGIBLE = 1e-12
# so many counts of one group for each of the other, and the chances of all at once cost less than one by one
MANY_A_STEP = 400
# scores closer than this are the same score up to rounding: the table belongs to the region
SAME = 1e-9

Score = Callable[[Floats, Floats], Floats]


@dataclass(frozen=True)
class Regions:
    """For pairs of groups the tables (x, y) with y <= upto or y >= since, where neither falls as x grows.

    x, of: whole counts x of the first group without gaps, those of one pair after the other, and the place of the pair.
    upto, since: of each x.
    n1, n0: sizes of each pair.
    """

    x: Ints
    of: Ints
    upto: Ints
    since: Ints
    n1: Ints
    n0: Ints

    def probability(self, p1: Floats, p0: Floats) -> Floats:
        """The probability of each region at each of its pairs of rates, shape (m, g)."""
        first, last = reach(self.n0, p0.min(axis=1), p0.max(axis=1))
        rows = binomial_pmf(self.x, self.n1, p1, self.of)
        if (last - first).sum() > MANY_A_STEP * self.x.size:
            return np.add.reduceat(rows * self._tails(p0), [start for start, _ in _parts(self.of)], axis=0)
        y, of = counts_between(first, last)
        fewer, others = np.zeros(
            (2, self.x.size + self.n1.size, p1.shape[1])
        )  # chances of fewer than each x, of others
        for k, (start, end) in enumerate(_parts(self.of)):
            chances = fewer[start + k : end + k + 1]
            np.cumsum(rows[start:end], axis=0, out=chances[1:])
            np.subtract(chances[-1], chances, out=others[start + k : end + k + 1])
        apart = int(self.n0.max()) + 3  # so that one search finds the place of y among the x of its own pair
        at = y + apart * of
        outside = fewer.take(np.searchsorted(self.since + apart * self.of, at, side="right") + of, axis=0)
        outside += others.take(np.searchsorted(self.upto + apart * self.of, at) + of, axis=0)
        outside *= binomial_pmf(y, self.n0, p0, of)
        return np.add.reduceat(outside, [start for start, _ in _parts(of)], axis=0)

    def _tails(self, p0: Floats) -> Floats:
        """The probability of y <= upto or y >= since for each x, shape (r, g)."""
        n, upto, since = (values[:, None].astype(float) for values in (self.n0[self.of], self.upto, self.since))
        low = np.where(upto < n, betaincc(np.maximum(upto, 0) + 1, np.maximum(n - upto, 1), p0[self.of]), 1.0)
        high = np.where(since > 0, betainc(np.maximum(since, 1), np.maximum(n - since, 0) + 1, p0[self.of]), 1.0)
        return np.asarray(np.where(upto >= 0, low, 0.0) + np.where(since <= n, high, 0.0))


def _parts(of: Ints) -> list[tuple[int, int]]:
    """Where the counts of each pair start and end."""
    return list(pairwise(np.searchsorted(of, np.arange(of[-1] + 2)).tolist()))


def counts_between(first: Ints, last: Ints) -> tuple[Ints, Ints]:
    """The whole numbers from first to last of one pair after the other, and the place of the pair.

    >>> [v.tolist() for v in counts_between(np.array([3, 0]), np.array([5, 1]))]
    [[3, 4, 5, 0, 1], [0, 0, 0, 1, 1]]
    """
    sizes = last - first + 1
    of = np.repeat(np.arange(first.size), sizes)
    return np.arange(of.size) + (first - np.cumsum(sizes) + sizes)[of], of


def binomial_pmf(x: Ints, n: Ints, p: Floats, of: Ints) -> Floats:
    """Binomial probabilities of counts, one row each.

    x: counts, shape (r,).
    n, p: people, shape (m,), and their rates in [0, 1], shape (m, g).
    of: which people each count is of, shape (r,).
    Returns: shape (r, g).

    >>> x, of = np.arange(3), np.zeros(3, dtype=int)
    >>> binomial_pmf(x, np.array([2]), np.array([[0.5]]), of).T.round(12).tolist()
    [[0.25, 0.5, 0.25]]
    """
    ways = (gammaln(n[of] + 1) - gammaln(x + 1) - gammaln(n[of] - x + 1))[:, None]
    inside = (p > 0) & (p < 1)
    safe = np.where(inside, p, 0.5)
    never = np.log1p(-safe)
    odds, none, values = np.log(safe) - never, n[:, None] * never, x[:, None].astype(float)
    out = np.empty((x.size, p.shape[1]))
    for k, (start, end) in enumerate(_parts(of)):
        np.multiply(values[start:end], odds[k], out=out[start:end])
        out[start:end] += none[k]
    out += ways
    np.exp(out, out=out)
    if not inside.all():
        one, size = x[:, None], n[of, None]
        out = np.where(inside[of], out, np.exp(ways + xlogy(one, p[of]) + xlog1py(size - one, -p[of])))
    return out


def reach(n: ArrayLike, low: ArrayLike, high: ArrayLike) -> tuple[Ints, Ints]:
    """The counts that have a chance at some rate in [low, high]; outside is less than NEGLIGIBLE on each side.

    n: number of people.
    low, high: range of the rate.
    Returns first, last: by Bernstein's inequality, which is quick and never too narrow.

    >>> [int(v) for v in reach(10_000, 0.5, 0.5)]
    [4618, 5382]
    """
    n, low, high, b = np.asarray(n), np.asarray(low), np.asarray(high), -np.log(NEGLIGIBLE)
    spread_low, spread_high = (np.sqrt(2 * n * p * (1 - p) * b + (b / 3) ** 2) + b / 3 for p in (low, high))
    first, last = np.maximum(np.floor(n * low - spread_low), 0), np.minimum(np.ceil(n * high + spread_high), n)
    return first.astype(int), last.astype(int)


def clopper_pearson_set(events: ArrayLike, n: ArrayLike, gamma: float) -> tuple[Floats, Floats]:
    """Clopper and Pearson's limits of a rate at level 1 - gamma.

    events, n: events and people.
    gamma: one minus the level.

    >>> [round(float(v), 4) for v in clopper_pearson_set(3, 10, 0.05)]
    [0.0667, 0.6525]
    """
    e, others = np.asarray(events, dtype=float), np.asarray(n, dtype=float) - events
    low = np.where(e > 0, betaincinv(np.maximum(e, 1), others + 1, gamma / 2), 0.0)
    high = np.where(others > 0, betaincinv(e + 1, np.maximum(others, 1), 1 - gamma / 2), 1.0)
    return low, high


def region(
    below: Score | None, above: Score | None, observed: float, n1: int, n0: int, first: int, last: int
) -> Regions:
    """The tables whose score is at least as extreme as the observed one, for counts first..last of the first group.

    below, above: scores (x, y) -> value. `below` does not increase with y, and tables with below(x, y) >= observed are
        in the region; `above` does not decrease with y, likewise. None where that side is not in the region.
    n1, n0: sizes.
    first, last: range of x.

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
    return Regions(x.astype(int), np.zeros(x.size, dtype=int), upto, since, np.array([n1]), np.array([n0]))


def _last_true(inside: Callable[[Floats], NDArray[np.bool_]], size: int, n0: int) -> Ints:
    """The last whole y in 0..n0 at which a condition that turns from true to false once still holds; -1 for none."""
    low, high = np.full(size, -1), np.full(size, n0 + 1)
    for _ in range(int(n0 + 2).bit_length()):
        middle = (low + high) // 2
        holds = inside(np.clip(middle, 0, n0).astype(float))
        open_ = high - low > 1
        low, high = np.where(open_ & holds, middle, low), np.where(open_ & ~holds, middle, high)
    return low


def supremum(probability: Callable[[Floats], Floats], low: Floats, high: Floats) -> Floats:
    """The largest values of the probabilities of regions as functions of a rate over [low, high].

    probability: rates, shape (m, g) -> values, shape (m, g).
    low, high: range of the rate, within a few standard errors of one another, shape (m,).

    On the arcsine scale a standard error is the same at every rate, and the probability is smoothed by binomial
    distributions of that width: a polynomial through few Chebyshev points agrees with it to nine digits or so.

    >>> supremum(lambda p: p * (1 - p), np.array([0.0]), np.array([0.9])).round(6).tolist()
    [0.25]
    """
    a, b = np.arcsin(np.sqrt([low, high]))[..., None]
    dense = probability(np.sin((a + b) / 2 + (b - a) / 2 * NODES) ** 2) @ BETWEEN
    top = np.minimum(np.maximum(dense.argmax(axis=1), 1), dense.shape[1] - 2)
    left, current, right = (dense[np.arange(top.size), top + k] for k in (-1, 0, 1))
    slope, bend = right - left, 2 * current - left - right
    # the top of the parabola through the three, where it lies between them
    within = (2 * bend >= np.abs(slope)) & (slope != 0)
    vertex = np.where(within, current + slope**2 / (8 * np.where(within, bend, 1.0)), current)
    return np.asarray(np.maximum(vertex, np.maximum(dense[:, 0], dense[:, -1])))


def _between(nodes: Floats, points: int) -> Floats:
    """The matrix that takes values at Chebyshev points of [-1, 1] to those of their polynomial on a fine grid."""
    ways = np.polynomial.chebyshev.chebvander(np.linspace(-1, 1, points), nodes.size - 1)
    return np.asarray(ways @ np.linalg.inv(np.polynomial.chebyshev.chebvander(nodes, nodes.size - 1)))


NODES = -np.cos(np.pi * np.arange(40) / 39)
BETWEEN = _between(NODES, 801).T.copy()


# below this Fisher's p-value stands for itself: an unconditional one could not fall under GAMMA
FISHER_BELOW = 1e-5
NEAR_FISHER = log(2 * FISHER_BELOW)
# the smallest expected count from which the normal approximation stands for the exact test
EXACT_BELOW = 2000.0


AT_ONCE = 4000  # counts of both groups whose chances are computed together, so that they stay in cache
KEPT = 1 << 16  # tables whose p-values are kept
_known: dict[tuple[int, ...], float] = {}


def _exact(table: Floats) -> Floats:
    """The exact p-values of whole counts, shape (4, m); everything is symmetric in the groups, and in the events."""
    global _known
    e1, n1, e0, n0 = np.where(table[1] <= table[3], table, table[[2, 3, 0, 1]])
    often = 2 * (e1 + e0) > n1 + n0
    canonical = np.stack([np.where(often, n1 - e1, e1), n1, np.where(often, n0 - e0, e0), n0], axis=1)
    tables = list(map(tuple, canonical.astype(int).tolist()))
    if len(_known) > KEPT:
        _known = {}
    known = _known
    new = [one for one in dict.fromkeys(tables) if one not in known]
    known.update(zip(new, _equal_rates(np.array(new, dtype=int).reshape(-1, 4).T).tolist(), strict=True))
    return np.array([known[one] for one in tables])


def _equal_rates(tables: Ints) -> Floats:
    """Two-sided exact unconditional p of p1 = p0, n1 <= n0, of each table, shape (4, m)."""
    e1, n1, e0, n0 = tables
    out = np.full(e1.size, np.nan)
    near = np.flatnonzero(_log_chance(e1, n1, e0, n0) < NEAR_FISHER)
    out[near] = fisher_exact(*tables[:, near])
    out[out >= FISHER_BELOW] = np.nan
    out[np.isnan(out) & (e1 * n0 == e0 * n1)] = 1.0
    left = np.flatnonzero(np.isnan(out))
    low, high = clopper_pearson_set((e1 + e0)[left], (n1 + n0)[left], GAMMA)
    work = np.cumsum(sum(np.subtract(*reach(n[left], low, high)[::-1]) for n in (n1, n0)))
    for part in np.split(np.arange(left.size), np.flatnonzero(np.diff(work // AT_ONCE)) + 1):
        if part.size:
            out[left[part]] = _largest_chances(tables[:, left[part]], low[part], high[part])
    return out


def _largest_chances(tables: Ints, low: Floats, high: Floats) -> Floats:
    """The p-values of `_equal_rates`: the largest chance of a |z| as large as observed (Agresti and Min)."""
    e1, n1, e0, n0 = tables.astype(float)
    pooled = (e1 + e0) / (n1 + n0)
    observed = np.abs(e1 / n1 - e0 / n0) / np.sqrt(pooled * (1 - pooled) * (n1 + n0) / (n1 * n0))
    regions = _as_far_apart(observed, tables[1], tables[3], *reach(tables[1], low, high))
    top = supremum(lambda p: regions.probability(p, p), low, high)
    return np.minimum(top + GAMMA + FISHER_BELOW + 4 * NEGLIGIBLE, 1.0)


def _log_chance(e1: Ints, n1: Ints, e0: Ints, n0: Ints) -> Floats:
    """The logarithm of the chance of a table given its margins, which Fisher's p-value is not below."""
    ways = ((n1, e1), (n0, e0), (n1 + n0, e1 + e0))
    current, other, both = (gammaln(n + 1) - gammaln(e + 1) - gammaln(n - e + 1) for n, e in ways)
    return np.asarray(current + other - both)


def _as_far_apart(observed: Floats, n1: Ints, n0: Ints, first: Ints, last: Ints) -> Regions:
    """The tables whose pooled |z| is at least the observed one, for counts first..last of the first group of each pair.

    For each x they lie outside the roots of a quadratic in y; one step corrects what rounding did to these.
    """
    x, of = counts_between(first, last)
    bar, one, other = observed - SAME * np.maximum(1.0, observed), n1.astype(float), n0.astype(float)
    k, size = bar * bar * one * other, one + other
    a, linear, shift, square = size * one * one + k, size * one * other - k, k * size, size * other * other + k
    half, root = linear[of] * x + (shift / 2)[of], shift[of] * x
    root = np.sqrt(np.maximum(half * half - a[of] * (square[of] * x * x - root), 0))
    events, sign, m, n, size, k = x * other[of], np.array([[1.0], [-1.0]]), one[of], other[of], size[of], k[of]

    def within(y: Floats) -> NDArray[np.bool_]:
        gap, total = sign * (events - y * m), x + y
        return (gap > 0) & (size * gap * gap >= k * total * (size - total)) & (y >= 0) & (y <= n)

    y = np.stack([np.floor((half - root) / a[of]), np.ceil((half + root) / a[of])])
    y = np.minimum(np.maximum(y, [[-1], [0]]), np.stack([n, n + 1]))
    y = np.where(within(y + sign), y + sign, np.where(within(y), y, y - sign))
    upto, since = np.maximum(y[0], -1), np.minimum(y[1], n + 1)
    return Regions(x, of, upto.astype(int), since.astype(int), n1, n0)


def decisive_test(e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike) -> Floats:
    """The p-value of p1 = p0 that verdicts are read from: the larger of the exact one and that of the interval.

    e1, n1, e0, n0: events and sizes of the two groups (broadcast).
    Returns: the larger of `barnard_test` and the p-value at which Miettinen and Nurminen's interval touches 0, so that
        a difference is shown only where the interval says so too.
    Source: Agresti & Min (2001), Biometrics 57, 963-971; Miettinen & Nurminen (1985), Statistics in Medicine 4,
    213-226.

    >>> round(float(decisive_test(7, 12, 1, 12)), 4)
    0.011
    """
    return np.asarray(np.fmax(barnard_test(e1, n1, e0, n0), score_p(e1, n1, e0, n0)))[()]


def decided_by(e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike, p: ArrayLike) -> list[str]:
    """Which test each p-value of `decisive_test` is of: see the notes of `barnard_test`.

    >>> decided_by(7, 12, [1, 0, 3000], [12, 100, 5000], [0.01, 1e-7, 0.2])
    ['unconditional', 'fisher', 'unconditional']
    """
    many = smallest_expected(e1, n1, e0, n0) >= EXACT_BELOW
    exact = np.where(np.asarray(p) < FISHER_BELOW, "fisher", "unconditional")
    return np.atleast_1d(np.where(many, "z", exact)).tolist()


def score_p(e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike) -> Floats:
    """The p-value at which Miettinen and Nurminen's interval touches 0: the pooled z-test with N/(N - 1).

    >>> round(float(score_p(7, 12, 1, 12)), 4)
    0.011
    """
    e1, n1, e0, n0 = counts(e1, n1, e0, n0)
    with np.errstate(divide="ignore", invalid="ignore"):
        pooled, size = (e1 + e0) / (n1 + n0), n1 + n0
        variance = pooled * (1 - pooled) * (1 / n1 + 1 / n0) * size / (size - 1)
        z = standardized(e1 / n1 - e0 / n0, variance)
    return np.asarray(2 * ndtr(-np.abs(z)))[()]


def smallest_expected(e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike) -> Floats:
    """The smallest of the four expected counts of a table under equal rates.

    e1, n1, e0, n0: events and sizes of the two groups (broadcast).

    >>> float(smallest_expected(1, 10, 5, 20))
    2.0
    """
    e1, n1, e0, n0 = counts(e1, n1, e0, n0)
    with np.errstate(divide="ignore", invalid="ignore"):
        pooled = (e1 + e0) / (n1 + n0)
        return np.asarray(np.minimum(n1, n0) * np.minimum(pooled, 1 - pooled))[()]


def barnard_test(e1: Counts, n1: Counts, e0: Counts, n0: Counts) -> Floats:
    """Test p1 = p0 exactly without conditioning, two-sided: the largest chance of a |z| as large as observed.

    Its size never exceeds the level, whatever the rate and the sizes; it is more powerful than Fisher's test, whose
    size is far below the level in small tables. It is the test behind the verdict "disparity shown".

    Parameters
    ----------
    e1, n1, e0, n0 : array_like
        Events and sizes of the two groups (whole counts, broadcast).

    Returns
    -------
    float or ndarray
        p-value; NaN where a group is empty or a count is not whole (weighted data have no exact test).

    Notes
    -----
    The statistic is the pooled z. The unknown common rate is looked for in its Clopper-Pearson set of level
    1 - 1e-5, and 1e-5 is added (Berger & Boos), which takes nothing from validity and keeps rates that the data
    exclude from spoiling the power. Where Fisher's p-value is below 1e-5 it is reported itself, and another 1e-5
    is added elsewhere, so that the p-value is valid at every level. Where every expected count is at least
    `EXACT_BELOW` (2000) the z-test stands instead.

    Largest size at 5% over rates .005 to .995, enumerated:

    ============  =====  ========  ==================  ======  =============
    n1, n0          z    Newcombe  Newcombe and mid-p  Fisher  unconditional
    ============  =====  ========  ==================  ======  =============
    8, 8           7.7      7.7           2.1           2.1         2.8
    8, 200         7.0      7.0           5.1           2.7         4.8
    8, 3000       12.2     12.2           6.8           3.7         4.9
    12, 2000      11.1     11.1           5.6           3.9         5.0
    20, 20         5.3      5.3           3.9           2.5         4.9
    30, 30         5.4      5.2           3.5           2.7         4.7
    200, 200       5.1      5.1           4.6           4.0         4.9
    ============  =====  ========  ==================  ======  =============

    Beyond `EXACT_BELOW` the z-test has at most 5.04%.

    References
    ----------
    Barnard (1947), Biometrika 34; Berger & Boos (1994), JASA 89, 1012-1016; Chan & Zhang (1999), Biometrics 55,
    1202-1209; Agresti & Min (2001), Biometrics 57, 963-971; Fagerland, Lydersen & Laake (2015), SMMR 24, 224-254.
    R: ``exact2x2::uncondExact2x2``; scipy: ``barnard_exact`` (the same region, without Berger and Boos).

    Examples
    --------
    >>> import fairstats as fs
    >>> round(float(fs.stats.barnard_test(7, 12, 1, 12)), 4)
    0.0103
    >>> round(float(fs.stats.barnard_test(1, 12, 20, 2000)), 3)  # z = 2.5, its p is 0.013
    0.08
    """
    arrays = counts(e1, n1, e0, n0)
    table = np.stack([a.ravel() for a in arrays])
    whole = np.all(np.isfinite(table) & (table == np.round(table)), axis=0) & (table[1] > 0) & (table[3] > 0)
    many = smallest_expected(*table) >= EXACT_BELOW
    p = np.where(whole & many, z_test(*table)[1], np.nan)
    p[whole & ~many] = _exact(table[:, whole & ~many])
    return p.reshape(arrays[0].shape)[()]


# Exact tests that two rates are as good as equal: both one-sided unconditional tests at a declared margin.


# pairs whose approximate p is this many times smaller than the largest exact one cannot be the largest
FAR_BELOW = 100.0


class Margin(NamedTuple):
    """One-sided hypothesis that the first rate is at most ``line(p0)``: a score that grows with its violation."""

    score: Callable[..., Floats]
    value: float

    def line(self, p0: Floats) -> Floats:
        """The first rate on the edge of the hypothesis."""
        return np.clip(p0 + self.value if self.score is difference_score else p0 * self.value, 0.0, 1.0)

    def back(self, p1: float) -> float:
        """The second rate on the edge of the hypothesis."""
        return p1 - self.value if self.score is difference_score else p1 / self.value


def _region(margin: Margin, e1: int, n1: int, e0: int, n0: int, box: tuple[float, ...]) -> Callable[[Floats], Floats]:
    """The chance, at the edge of the hypothesis, of a score as large as observed: a function of p0."""
    observed = float(margin.score(e1, n1, e0, n0, margin.value))

    def score(x: Floats, y: Floats) -> Floats:
        return np.asarray(margin.score(x, n1, y, n0, margin.value))

    tables: Regions
    if n1 <= n0:
        tables = region(score, None, observed, n1, n0, *map(int, reach(n1, box[0], box[1])))
        return lambda p0: tables.probability(np.minimum(margin.line(p0), box[1]), p0)
    tables = region(None, lambda y, x: score(x, y), observed, n0, n1, *map(int, reach(n0, box[2], box[3])))
    return lambda p0: tables.probability(p0, np.minimum(margin.line(p0), box[1]))


@lru_cache(maxsize=4096)
def _no_worse(margin: Margin, e1: int, n1: int, e0: int, n0: int) -> float:
    """Exact one-sided p of "the first rate is at most the line"."""
    (low1, low0), (high1, high0) = (v.tolist() for v in clopper_pearson_set([e1, e0], [n1, n0], GAMMA / 2))
    # the region grows with x and shrinks with y, so its chance is largest where the first rate is as large, and the
    # second as small, as hypothesis and confidence set allow
    start = max(low0, margin.back(low1), 0.0)
    end = max(start, min(high0, margin.back(high1)))
    slack = GAMMA + 4 * NEGLIGIBLE
    if start > high0:
        return slack
    edges = np.minimum(margin.line(np.array([start, end])), high1)
    box = (float(edges[0]), float(edges[1]), start, end)
    top = supremum(_region(margin, e1, n1, e0, n0, box), np.array([start]), np.array([end]))
    return min(1.0, float(top[0]) + slack)


def _approximate(margin: Margin, e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike) -> Floats:
    return np.asarray(ndtr(-margin.score(e1, n1, e0, n0, margin.value)))


def _one_sided(margin: Margin, e1: float, n1: float, e0: float, n0: float) -> float:
    table = np.array([e1, n1, e0, n0])
    if not np.all(np.isfinite(table)) or n1 <= 0 or n0 <= 0:
        return float("nan")
    whole = bool(np.all(table == np.round(table)))
    if not whole or smallest_expected(e1, n1, e0, n0) >= EXACT_BELOW:
        return float(_approximate(margin, e1, n1, e0, n0))
    return _no_worse(margin, int(e1), int(n1), int(e0), int(n0))


def _both(lower: Margin, upper: Margin, e1: float, n1: float, e0: float, n0: float) -> float:
    """The larger p of "no lower than" and, with the groups exchanged, "no higher than"."""
    return max(_one_sided(lower, e1, n1, e0, n0), _one_sided(upper, e0, n0, e1, n1))


def _rows(test: Callable[..., float], *arrays: ArrayLike) -> Floats:
    shaped = counts(*arrays)
    p = [test(*(float(v) for v in row)) for row in zip(*(a.ravel() for a in shaped), strict=True)]
    return np.array(p).reshape(shaped[0].shape)[()]


def equivalence_of_rates(e1: Counts, n1: Counts, e0: Counts, n0: Counts, margin: Proportion) -> Floats:
    """Test exactly that two rates differ by less than a margin (two one-sided unconditional tests).

    Parameters
    ----------
    e1, n1, e0, n0 : array_like
        Events and sizes of the group and of the reference (broadcast).
    margin : float
        Largest tolerable difference, in (0, 1).

    Returns
    -------
    float or ndarray
        The larger one-sided p-value. Where every expected count is at least 2000, and for counts that are not whole,
        the score tests of `tost_rates` stand instead. NaN where a group is empty.

    Raises
    ------
    InputError
        If `margin` is not in (0, 1).

    Notes
    -----
    The statistic of each side is Miettinen and Nurminen's score at the margin, whose normal approximation claims
    equivalence falsely in up to 6.9% of samples of 20 against 20. The open rate is looked for in a confidence set of
    level 1 - 1e-5, and 1e-5 is added (Berger & Boos), so an exact p-value is never below 1e-5.

    References
    ----------
    Chan (1998), Statistics in Medicine 17, 1403-1413; Chan & Zhang (1999), Biometrics 55, 1202-1209; Röhmel &
    Mansmann (1999), Biometrical Journal 41, 149-170; Schuirmann (1987), J. Pharmacokinet. Biopharm. 15, 657-680.

    Examples
    --------
    >>> import fairstats as fs
    >>> round(float(fs.stats.equivalence_of_rates(18, 200, 20, 200, 0.1)), 4)
    0.0019
    >>> round(float(fs.stats.equivalence_of_rates(10, 20, 10, 20, 0.2)), 3)
    0.13
    """
    if not 0 < margin < 1:
        raise InputError(
            f"{Setting('margin', margin)} is not between 0 and 1; a difference of two rates is a number like 0.05."
        )
    side = Margin(difference_score, -float(margin))
    return _rows(partial(_both, side, side), e1, n1, e0, n0)


def equivalence_of_ratio(
    e1: Counts, n1: Counts, e0: Counts, n0: Counts, lower: Proportion = 0.8, upper: AboveOne | None = None
) -> Floats:
    """Test exactly that the ratio of two rates lies between two bounds.

    Parameters
    ----------
    e1, n1, e0, n0 : array_like
        Events and sizes of the group and of the reference (broadcast).
    lower, upper : float
        Bounds, ``0 < lower < 1 < upper``; `upper` is ``1 / lower`` by default (0.8 and 1.25: the four-fifths rule,
        whichever group is divided by the other).

    Returns
    -------
    float or ndarray
        As `equivalence_of_rates`, with Koopman's score.

    Raises
    ------
    InputError
        If the bounds do not enclose 1.

    References
    ----------
    Chan (1998), Statistics in Medicine 17, 1403-1413; Koopman (1984), Biometrics 40, 513-517.

    Examples
    --------
    >>> import fairstats as fs
    >>> round(float(fs.stats.equivalence_of_ratio(160, 200, 165, 200)), 4)
    0.0001
    """
    top = 1 / lower if upper is None and lower > 0 else upper
    if not (0 < lower < 1 and top is not None and 1 < top < np.inf):
        raise InputError(
            f"{Setting('lower', lower)} and {Setting('upper', upper)} do not enclose the ratio 1; take 0.8 and 1.25."
        )
    low, high = Margin(ratio_score, float(lower)), Margin(ratio_score, 1 / float(top))
    return _rows(partial(_both, low, high), e1, n1, e0, n0)


def equivalence_of_range(events: CountsByGroup, n: CountsByGroup, margin: Proportion) -> float:
    """Test that all rates lie within one margin of each other, that is, that the largest difference is below it.

    Parameters
    ----------
    events, n : sequence of float, length G
        Events and sizes of the groups; empty groups are left out.
    margin : float
        Largest tolerable difference, in (0, 1).

    Returns
    -------
    float
        The largest p-value of `equivalence_of_rates` over all pairs: the claim is that every pair is equivalent, so
        each is tested at the full level (Berger's intersection-union test). NaN with fewer than two groups.

    References
    ----------
    Berger (1982), Technometrics 24, 295-300; Berger & Hsu (1996), Statistical Science 11, 283-319.

    Examples
    --------
    >>> import fairstats as fs
    >>> round(fs.stats.equivalence_of_range([50, 48, 55], [500, 500, 500], 0.1), 5)
    2e-05
    """
    counts = zip(np.asarray(events, dtype=float), np.asarray(n, dtype=float), strict=True)
    shown = [(float(e), float(m)) for e, m in counts if m > 0]
    pairs = [(*a, *b) for a, b in combinations(shown, 2)]
    if not pairs:
        return float("nan")
    side = Margin(difference_score, -float(margin))
    table = np.array(pairs).T
    exchanged = table[[2, 3, 0, 1]]
    rough = np.maximum(_approximate(side, *table), _approximate(side, *exchanged))
    largest = 0.0
    for i in np.argsort(-rough):
        if rough[i] * FAR_BELOW < largest:
            break
        largest = max(largest, _both(side, side, *pairs[i]))
    return largest
