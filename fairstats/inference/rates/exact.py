"""The exact unconditional test that two rates are equal: nothing is conditioned on, as in an audit nothing is fixed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import combinations
from math import lgamma, log, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaincinv, gammaln, ndtr, xlog1py, xlogy

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
# scores closer than this are the same score up to rounding: the table belongs to the region
SAME = 1e-9

Score = Callable[[Floats, Floats], Floats]


@dataclass(frozen=True)
class Region:
    """Tables (x, y) with y <= upto[x] or y >= since[x], for whole x from `first` on; neither falls with x."""

    first: int
    upto: Ints
    since: Ints
    n1: int
    n0: int

    def probability(self, p1: Floats, p0: Floats) -> Floats:
        """The probability of the region at each pair of rates (which have one shape)."""
        low, high = reach(self.n0, float(p0.min()), float(p0.max()))
        fewer = np.zeros((self.upto.size + 1, p1.size))  # the chance of fewer than first + j
        np.cumsum(binomial_pmf(self.first, self.first + self.upto.size - 1, self.n1, p1), axis=0, out=fewer[1:])
        y = np.arange(low, high + 1)
        outside = fewer.take(np.searchsorted(self.since, y, side="right"), axis=0)
        outside -= fewer.take(np.searchsorted(self.upto, y), axis=0)
        outside += fewer[-1]
        return np.asarray(np.einsum("yg,yg->g", binomial_pmf(low, high, self.n0, p0), outside))


def binomial_pmf(low: int, high: int, n: int, p: Floats) -> Floats:
    """Binomial probabilities of the counts low..high, one column for each rate.

    low, high: first and last count.
    n: number of people.
    p: rates in [0, 1], shape (g,).
    Returns: shape (high - low + 1, g).

    >>> binomial_pmf(0, 2, 2, np.array([0.5])).T.round(12).tolist()
    [[0.25, 0.5, 0.25]]
    """
    x = np.arange(low, high + 1, dtype=float)[:, None]
    ways = gammaln(n + 1) - gammaln(x + 1) - gammaln(n - x + 1)
    inside = (p > 0) & (p < 1)
    safe = np.where(inside, p, 0.5)
    never = np.log1p(-safe)
    out = x * (np.log(safe) - never)
    out += ways
    out += n * never
    np.exp(out, out=out)
    if not inside.all():
        out[:, ~inside] = np.exp(ways + xlogy(x, p[~inside]) + xlog1py(n - x, -p[~inside]))
    return out


def reach(n: int, low: float, high: float) -> tuple[int, int]:
    """The counts that have a chance at some rate in [low, high]; outside is less than NEGLIGIBLE on each side.

    n: number of people.
    low, high: range of the rate.
    Returns first, last: by Bernstein's inequality, which is quick and never too narrow.

    >>> reach(10_000, 0.5, 0.5)
    (4618, 5382)
    """
    b = -np.log(NEGLIGIBLE)
    spread_low, spread_high = (np.sqrt(2 * n * p * (1 - p) * b + (b / 3) ** 2) + b / 3 for p in (low, high))
    return max(0, int(np.floor(n * low - spread_low))), min(n, int(np.ceil(n * high + spread_high)))


def clopper_pearson_set(events: float, n: float, gamma: float) -> tuple[float, float]:
    """Clopper and Pearson's limits of a rate at level 1 - gamma.

    events, n: events and people.
    gamma: one minus the level.

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


def supremum(probability: Callable[[Floats], Floats], low: float, high: float) -> float:
    """The largest value of the probability of a region as a function of a rate over [low, high].

    probability: rates, shape (g,) -> values, shape (g,).
    low, high: range of the rate, within a few standard errors of one another.

    On the arcsine scale a standard error is the same at every rate, and the probability is smoothed by binomial
    distributions of that width: a polynomial through few Chebyshev points agrees with it to nine digits or so.

    >>> round(supremum(lambda p: p * (1 - p), 0.0, 0.9), 6)
    0.25
    """
    a, b = np.arcsin(np.sqrt([low, high]))
    values = probability(np.sin((a + b) / 2 + (b - a) / 2 * NODES) ** 2)
    dense = BETWEEN @ values
    top = int(np.clip(np.argmax(dense), 1, dense.size - 2))
    left, current, right = dense[top - 1 : top + 2]
    slope, bend = right - left, 2 * current - left - right
    # the top of the parabola through the three, where it lies between them
    vertex = current + slope**2 / (8 * bend) if 2 * bend >= abs(slope) > 0 else current
    return float(max(vertex, dense[0], dense[-1]))


def _between(nodes: Floats, points: int) -> Floats:
    """The matrix that takes values at Chebyshev points of [-1, 1] to those of their polynomial on a fine grid."""
    ways = np.polynomial.chebyshev.chebvander(np.linspace(-1, 1, points), nodes.size - 1)
    return np.asarray(ways @ np.linalg.inv(np.polynomial.chebyshev.chebvander(nodes, nodes.size - 1)))


NODES = -np.cos(np.pi * np.arange(40) / 39)
BETWEEN = _between(NODES, 801)


# below this Fisher's p-value stands for itself: an unconditional one could not fall under GAMMA
FISHER_BELOW = 1e-5
NEAR_FISHER = log(2 * FISHER_BELOW)
# the smallest expected count from which the normal approximation stands for the exact test
EXACT_BELOW = 2000.0


@lru_cache(maxsize=1 << 16)
def _equal_rates(e1: int, n1: int, e0: int, n0: int) -> float:
    """Two-sided exact unconditional p of p1 = p0, n1 <= n0 (Agresti and Min's region: large |z|)."""
    if _log_chance(e1, n1, e0, n0) < NEAR_FISHER and (fisher := float(fisher_exact(e1, n1, e0, n0))) < FISHER_BELOW:
        return fisher
    both = e1 + e0
    if e1 * n0 == e0 * n1:
        return 1.0
    observed = abs(e1 / n1 - e0 / n0) / sqrt(both * (n1 + n0 - both) / ((n1 + n0) * n1 * n0))
    low, high = clopper_pearson_set(both, n1 + n0, GAMMA)
    tables = _as_far_apart(observed, n1, n0, *reach(n1, low, high))
    top = supremum(lambda p: tables.probability(p, p), low, high)
    return min(1.0, top + GAMMA + FISHER_BELOW + 4 * NEGLIGIBLE)


def _log_chance(e1: int, n1: int, e0: int, n0: int) -> float:
    """The logarithm of the chance of the table given its margins, which Fisher's p-value is not below."""
    ways = ((n1, e1), (n0, e0), (n1 + n0, e1 + e0))
    current, other, both = (lgamma(n + 1) - lgamma(e + 1) - lgamma(n - e + 1) for n, e in ways)
    return current + other - both


def _as_far_apart(observed: float, n1: int, n0: int, first: int, last: int) -> Region:
    """The tables whose pooled |z| is at least the observed one, for counts first..last of the first group.

    For each x they lie outside the roots of a quadratic in y; one step corrects what rounding did to these.
    """
    x = np.arange(first, last + 1, dtype=float)
    bar, size = observed - SAME * max(1.0, observed), float(n1 + n0)
    k = bar * bar * n1 * n0
    a = size * n1 * n1 + k
    half = (size * n1 * n0 - k) * x + k * size / 2
    c = (size * n0 * n0 + k) * x * x - k * size * x
    root = np.sqrt(np.maximum(half * half - a * c, 0))
    events, sign = x * n0, np.array([[1.0], [-1.0]])

    def within(y: Floats) -> NDArray[np.bool_]:
        gap, total = sign * (events - y * n1), x + y
        return (gap > 0) & (size * gap * gap >= k * total * (size - total)) & (y >= 0) & (y <= n0)

    y = np.stack([np.floor((half - root) / a), np.ceil((half + root) / a)])
    y = np.minimum(np.maximum(y, [[-1], [0]]), [[n0], [n0 + 1]])
    y = np.where(within(y + sign), y + sign, np.where(within(y), y, y - sign))
    upto, since = y.astype(int)
    return Region(first, np.maximum(upto, -1), np.minimum(since, n0 + 1), n1, n0)


def _exact(table: Floats) -> Floats:
    """The exact p-values of whole counts, shape (4, m); everything is symmetric in the groups, and in the events."""
    e1, n1, e0, n0 = np.where(table[1] <= table[3], table, table[[2, 3, 0, 1]])
    often = 2 * (e1 + e0) > n1 + n0
    canonical = np.stack([np.where(often, n1 - e1, e1), n1, np.where(often, n0 - e0, e0), n0], axis=1)
    return np.array([_equal_rates(*row) for row in canonical.astype(int).tolist()])


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

    tables: Region
    if n1 <= n0:
        tables = region(score, None, observed, n1, n0, *reach(n1, box[0], box[1]))
        return lambda p0: tables.probability(np.minimum(margin.line(p0), box[1]), p0)
    tables = region(None, lambda y, x: score(x, y), observed, n0, n1, *reach(n0, box[2], box[3]))
    return lambda p0: tables.probability(p0, np.minimum(margin.line(p0), box[1]))


@lru_cache(maxsize=4096)
def _no_worse(margin: Margin, e1: int, n1: int, e0: int, n0: int) -> float:
    """Exact one-sided p of "the first rate is at most the line"."""
    low1, high1 = clopper_pearson_set(e1, n1, GAMMA / 2)
    low0, high0 = clopper_pearson_set(e0, n0, GAMMA / 2)
    # the region grows with x and shrinks with y, so its chance is largest where the first rate is as large, and the
    # second as small, as hypothesis and confidence set allow
    start = max(low0, margin.back(low1), 0.0)
    end = max(start, min(high0, margin.back(high1)))
    slack = GAMMA + 4 * NEGLIGIBLE
    if start > high0:
        return slack
    edges = np.minimum(margin.line(np.array([start, end])), high1)
    box = (float(edges[0]), float(edges[1]), start, end)
    return min(1.0, supremum(_region(margin, e1, n1, e0, n0, box), start, end) + slack)


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
