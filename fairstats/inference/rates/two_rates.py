"""Two rates compared: intervals of their difference and their ratio, and the rows that an audit makes of them.

Group 1 is compared with group 0, the reference: differences are p1 - p0, ratios p1 / p0. Everything broadcasts; a
denominator of 0 gives NaN. The score intervals live in `score`, the tests of equality in `exact`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, stdtr, stdtrit

from fairstats.estimates import NAN, Estimate
from fairstats.inference.rates.exact import barnard_test
from fairstats.inference.rates.one_rate import Interval, counts, critical, wilson, wilson_at
from fairstats.inference.rates.rate_tests import (
    AT_ONCE,
    crossings,
    difference_score_of,
    fisher_exact,
    mid_p,
    outermost_crossing,
    ratio_score_of,
    some,
    z_test,
)
from fairstats.inference.validation import Counts, Levels
from fairstats.language import joined, message
from fairstats.validation import choose

Floats = NDArray[np.float64]


# The tests that two rates are equal, by name: the exact unconditional one is behind every verdict.


def _without_statistic(test: Callable[..., Any]) -> Callable[..., tuple[float, Any]]:
    return lambda e1, n1, e0, n0: (float("nan"), test(e1, n1, e0, n0))


# each gives (statistic, p); an exact test has no statistic besides the table
TESTS: dict[str, Callable[..., tuple[Any, Any]]] = {
    "unconditional": _without_statistic(barnard_test),
    "fisher": _without_statistic(fisher_exact),
    "mid-p": _without_statistic(mid_p),
    "z": z_test,
}
TEST_NAMES = {
    "unconditional": message("exact unconditional test"),
    "fisher": message("Fisher's exact test"),
    "mid-p": message("Fisher's mid-p test"),
    "z": message("pooled z-test"),
}


# Intervals of a difference and of a ratio of two rates that invert their score tests, for all pairs at once.


Places = NDArray[np.intp]
Score = Callable[[Floats, Floats, Floats, Floats, Floats], Floats]
LOG_RATIO_BOUND = 60.0


def miettinen_nurminen(
    e1: Counts, n1: Counts, e0: Counts, n0: Counts, conf_level: Levels = 0.95
) -> tuple[Floats, Floats]:
    """Return Miettinen and Nurminen's interval of p1 - p0: all differences that their score test does not reject.

    Parameters
    ----------
    e1, n1, e0, n0 : array_like
        Events and sizes of the group and of the reference (broadcast).
    conf_level : array_like
        Nominal coverage.

    Returns
    -------
    low, high : float or ndarray
        NaN where a size is 0.

    References
    ----------
    Miettinen & Nurminen (1985), Statistics in Medicine 4, 213-226, variance with N/(N - 1).

    Examples
    --------
    >>> import fairstats as fs
    >>> [round(float(v), 4) for v in fs.stats.miettinen_nurminen(56, 70, 48, 80)]
    [0.0528, 0.3382]
    """
    low, high = _difference_tests(e1, n1, e0, n0, conf_level).limits()
    return low[()], high[()]


def koopman(e1: Counts, n1: Counts, e0: Counts, n0: Counts, conf_level: Levels = 0.95) -> tuple[Floats, Floats]:
    """Return Koopman's score interval of the ratio p1 / p0, which needs no correction for zeros.

    Parameters
    ----------
    e1, n1, e0, n0 : array_like
        Events and sizes of the group and of the reference (broadcast).
    conf_level : array_like
        Nominal coverage.

    Returns
    -------
    low, high : float or ndarray
        `low` is 0 where e1 = 0 and `high` infinite where e0 = 0; NaN where a size is 0.

    References
    ----------
    Koopman (1984), Biometrics 40, 513-517; Gart & Nam (1988), Biometrics 44, 323-338.

    Examples
    --------
    >>> import fairstats as fs
    >>> [round(float(v), 3) for v in fs.stats.koopman(36, 40, 16, 80)]
    [2.94, 7.152]
    >>> [float(v) for v in fs.stats.koopman(0, 10, 0, 10)]
    [0.0, inf]
    """
    low, high = _ratio_tests(e1, n1, e0, n0, conf_level).limits()
    return np.exp(low)[()], np.exp(high)[()]


Tables = tuple[Floats, Floats, Floats, Floats]


def outermost_limits(problems: Sequence[tuple[Tables, str]], levels: Sequence[float], contrast: str) -> list[float]:
    """Of the pairs of each problem the largest lower (or upper) limit of differences; of ratios the smallest one.

    They are the limits of the largest difference and of the smallest ratio. Problems of few pairs are solved together;
    of many pairs few intervals are: the score of the others at the largest limit so far tells whether theirs lies
    beyond it.

    problems: events and sizes of both groups of each pair, shape (m,), and which end: "low" or "high".
    levels: of each problem.
    contrast: "difference" (as in `miettinen_nurminen`) or "ratio" (`koopman`).
    Returns: NaN where all pairs have an empty group.

    >>> pairs = np.array([3.0, 5.0]), np.array([10.0, 10.0]), np.array([5.0, 5.0]), np.array([10.0, 10.0])
    >>> [round(v, 3) for v in outermost_limits([(pairs, "low"), (pairs, "high")], [0.95, 0.95], "difference")]
    [-0.41, 0.41]
    """
    sizes = [tables[0].size for tables, _ in problems]
    e1, n1, e0, n0 = (np.concatenate(v) for v in zip(*(tables for tables, _ in problems), strict=True))
    is_difference = contrast == "difference"
    tests = (_difference_tests if is_difference else _ratio_tests)(e1, n1, e0, n0, np.repeat(levels, sizes))
    f, *brackets = tests.at_ends(np.repeat([end == "low" for _, end in problems], sizes))
    places = np.split(np.arange(sum(sizes)), np.cumsum(sizes)[:-1])
    few = np.concatenate([at for at in places if at.size <= AT_ONCE] or [np.empty(0, dtype=np.intp)])
    solved = np.full(sum(sizes), np.nan)
    solved[few] = crossings(some(f, few), *(v[few] for v in brackets))
    out = []
    for at in places:
        if at.size > AT_ONCE:
            limit = outermost_crossing(some(f, at), *(v[at] for v in brackets), largest=is_difference)
        else:
            limit = float((np.fmax if is_difference else np.fmin).reduce(solved[at], initial=np.nan))
        out.append(limit if is_difference else float(np.exp(limit)))
    return out


@dataclass(frozen=True)
class _ScoreTests:
    """Score tests to be inverted: each score falls through its critical value, and later through minus that."""

    score: Score
    table: tuple[Floats, ...]
    critical: Floats
    low: tuple[Floats, Floats]  # between which the lower limit lies
    high: tuple[Floats, Floats]
    guess: Floats
    error: Floats

    def limits(self) -> tuple[Floats, Floats]:
        both = [np.concatenate(v) for v in zip(self._side(self.low, 1), self._side(self.high, -1), strict=True)]
        shape = self.guess.shape
        low, high = crossings(self._score(both), *both[5:]).reshape(2, *shape)
        return low, high

    def at_ends(
        self, is_low: NDArray[np.bool_]
    ) -> tuple[Callable[[Floats, Places], Floats], Floats, Floats, Floats, Floats]:
        """Of one limit of each test the function that turns there, its bracket, a guess and a scale."""
        side = [np.where(is_low, *v) for v in zip(self._side(self.low, 1), self._side(self.high, -1), strict=True)]
        low, high, guess, scale = side[5:]
        return self._score(side), low, high, guess, scale

    def _side(self, bracket: tuple[Floats, Floats], sign: int) -> list[Floats]:
        """Tables, the value to cross, the bracket, a guess and a scale, flat."""
        guess = self.guess - sign * self.critical * self.error
        return [v.ravel() for v in (*self.table, sign * self.critical, *bracket, guess, self.error)]

    def _score(self, side: list[Floats]) -> Callable[[Floats, Places], Floats]:
        e1, n1, e0, n0, target = side[:5]
        return lambda t, at: self.score(e1[at], n1[at], e0[at], n0[at], t) - target[at]


def _difference_tests(e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike, conf_level: ArrayLike) -> _ScoreTests:
    e1, n1, e0, n0, level = counts(e1, n1, e0, n0, conf_level)
    with np.errstate(divide="ignore", invalid="ignore"):
        gap = e1 / n1 - e0 / n0
    p1, p0 = (e1 + 0.5) / (n1 + 1), (e0 + 0.5) / (n0 + 1)
    error = np.sqrt(p1 * (1 - p1) / (n1 + 1) + p0 * (1 - p0) / (n0 + 1))
    low, high = (np.full(gap.shape, -1.0), gap), (gap, np.full(gap.shape, 1.0))
    return _ScoreTests(difference_score_of, (e1, n1, e0, n0), np.asarray(critical(level)), low, high, p1 - p0, error)


def _ratio_tests(e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike, conf_level: ArrayLike) -> _ScoreTests:
    """On the logarithmic scale; without events on a side the limit there is infinite."""
    e1, n1, e0, n0, level = counts(e1, n1, e0, n0, conf_level)
    with np.errstate(divide="ignore", invalid="ignore"):
        center = np.nan_to_num(np.log(e1 / n1) - np.log(e0 / n0))
    center = np.where((n1 > 0) & (n0 > 0), np.clip(center, -LOG_RATIO_BOUND, LOG_RATIO_BOUND), np.nan)
    bound = np.full(center.shape, LOG_RATIO_BOUND)
    p1, p0 = (e1 + 0.5) / (n1 + 1), (e0 + 0.5) / (n0 + 1)
    error = np.sqrt((1 - p1) / (p1 * (n1 + 1)) + (1 - p0) / (p0 * (n0 + 1)))
    present = ~np.isnan(center)
    low, below = (np.where((e1 > 0) | ~present, end, -np.inf) for end in (-bound, center))
    above, high = (np.where((e0 > 0) | ~present, end, np.inf) for end in (center, bound))
    guess, z = np.log(p1 / p0), np.asarray(critical(level))
    return _ScoreTests(_log_ratio_score, (e1, n1, e0, n0), z, (low, below), (above, high), guess, error)


def _log_ratio_score(e1: Floats, n1: Floats, e0: Floats, n0: Floats, log_ratio: Floats) -> Floats:
    return ratio_score_of(e1, n1, e0, n0, np.exp(log_ratio))


def newcombe(e1: Counts, n1: Counts, e0: Counts, n0: Counts, conf_level: Levels = 0.95) -> tuple[Floats, Floats]:
    """Return Newcombe's hybrid score interval of p1 - p0 (his method 10), which combines two Wilson intervals.

    Parameters
    ----------
    e1, n1, e0, n0 : array_like
        Events and sizes of the group and of the reference (broadcast; may be fractional).
    conf_level : array_like
        Nominal coverage.

    Returns
    -------
    low, high : float or ndarray
        NaN where a size is 0.

    References
    ----------
    Newcombe (1998), Statistics in Medicine 17, 873-890, method 10 (no continuity correction).

    Examples
    --------
    >>> import fairstats as fs
    >>> [round(float(v), 4) for v in fs.stats.newcombe(56, 70, 48, 80)]
    [0.0524, 0.3339]
    """
    e1, n1, e0, n0, level = counts(e1, n1, e0, n0, conf_level)
    (low1, high1), (low0, high0) = wilson(e1, n1, level), wilson(e0, n0, level)
    with np.errstate(divide="ignore", invalid="ignore"):
        p1, p0 = e1 / n1, e0 / n0
    gap = p1 - p0
    return (gap - np.hypot(p1 - low1, high0 - p0))[()], (gap + np.hypot(high1 - p1, p0 - low0))[()]


def katz(e1: Counts, n1: Counts, e0: Counts, n0: Counts, conf_level: Levels = 0.95) -> tuple[Floats, Floats]:
    """Return the delta-method (Katz) interval of p1 / p0, for comparison with software that prints it.

    Parameters
    ----------
    e1, n1, e0, n0 : array_like
        Events and sizes of the group and of the reference (broadcast).
    conf_level : array_like
        Nominal coverage.

    Returns
    -------
    low, high : float or ndarray
        (0, inf) where a rate is 0: the method has no information there. Of zero width where both rates are 1,
        which is why Koopman's is the default.

    References
    ----------
    Katz, Baptista, Azen & Pike (1978), Biometrics 34, 469-474, method C.

    Examples
    --------
    >>> import fairstats as fs
    >>> [round(float(v), 3) for v in fs.stats.katz(36, 40, 16, 80)]
    [2.869, 7.059]
    """
    e1, n1, e0, n0, level = counts(e1, n1, e0, n0, conf_level)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        log = np.log(e1 / n1) - np.log(e0 / n0)
        half = critical(level) * np.sqrt(1 / e1 - 1 / n1 + 1 / e0 - 1 / n0)
        low, high = np.exp(log - half), np.exp(log + half)
    zero, empty = (e1 == 0) | (e0 == 0), (n1 <= 0) | (n0 <= 0)
    low, high = np.where(zero, 0.0, low), np.where(zero, np.inf, high)
    return np.where(empty, np.nan, low)[()], np.where(empty, np.nan, high)[()]


DIFFERENCE_INTERVALS: dict[str, Interval] = {"newcombe": newcombe, "miettinen-nurminen": miettinen_nurminen}
RATIO_INTERVALS: dict[str, Interval] = {"koopman": koopman, "log": katz}
INTERVAL_NAMES = {
    "newcombe": message("Newcombe interval"),
    "miettinen-nurminen": message("Miettinen-Nurminen interval"),
    "koopman": message("Koopman interval"),
    "log": message("log interval"),
}


def difference(
    e1: float,
    n1: float,
    e0: float,
    n0: float,
    *,
    metric: str = "proportion",
    attribute: str = "",
    group: str = "",
    reference: str = "",
    interval: str = "newcombe",
    test: str = "unconditional",
    conf_level: float = 0.95,
) -> Estimate:
    """The difference of two rates, group minus reference, as a tidy row.

    e1, n1, e0, n0: events and sizes of the group and of the reference.
    metric, attribute, group, reference: what the row is about.
    test: the test of equality.
    Returns: ``n`` and ``events`` are the group's; ``std_error`` is the unpooled Wald one. Status ``"unestimable"``
        where a group is empty.

    >>> row = difference(56, 70, 48, 80, metric="selection rate", group="a", reference="b")
    >>> round(row.estimate, 3), round(row.p_value, 4), row.method
    (0.2, 0.0089, 'Newcombe interval; exact unconditional test')
    """
    limits = choose("interval", interval, DIFFERENCE_INTERVALS)
    row = _tested(e1, n1, e0, n0, test, Estimate(metric, attribute, group, "difference", reference))
    if row.status != "ok":
        return row
    p1, p0 = e1 / n1, e0 / n0
    low, high = limits(e1, n1, e0, n0, conf_level)
    return row.with_interval(
        p1 - p0,
        float(low),
        float(high),
        float(conf_level),
        std_error=float(np.sqrt(p1 * (1 - p1) / n1 + p0 * (1 - p0) / n0)),
        method=joined([INTERVAL_NAMES[interval], TEST_NAMES[test]]),
    )


def ratio(
    e1: float,
    n1: float,
    e0: float,
    n0: float,
    *,
    metric: str = "proportion",
    attribute: str = "",
    group: str = "",
    reference: str = "",
    interval: str = "koopman",
    test: str = "unconditional",
    conf_level: float = 0.95,
) -> Estimate:
    """The ratio of two rates, group over reference, as a tidy row.

    e1, n1, e0, n0: events and sizes of the group and of the reference.
    metric, attribute, group, reference: what the row is about.
    test: the test of equality.
    Returns: infinite where only the reference has no events. Status ``"unestimable"`` where a group is empty or neither
        has events. ``std_error`` by the delta method, NaN without events on both sides.

    >>> row = ratio(36, 40, 16, 80, metric="selection rate", group="a", reference="b")
    >>> row.estimate, round(row.conf_low, 3)
    (4.5, 2.94)
    """
    limits = choose("interval", interval, RATIO_INTERVALS)
    row = _tested(e1, n1, e0, n0, test, Estimate(metric, attribute, group, "ratio", reference))
    if row.status != "ok":
        return row
    if e1 == 0 and e0 == 0:
        return replace(
            row, p_value=NAN, statistic=NAN, status="unestimable", reason=message("no events in either group: 0/0")
        )
    value = (e1 / n1) / (e0 / n0) if e0 else float("inf")
    low, high = limits(e1, n1, e0, n0, conf_level)
    return row.with_interval(
        value,
        float(low),
        float(high),
        float(conf_level),
        std_error=value * float(np.sqrt(1 / e1 - 1 / n1 + 1 / e0 - 1 / n0)) if e1 and e0 else NAN,
        method=joined([INTERVAL_NAMES[interval], TEST_NAMES[test]]),
        reason="" if e0 else message("the reference has no events"),
    )


NOBODY = {False: message("nobody in the group"), True: message("nobody in the reference")}


def _tested(e1: float, n1: float, e0: float, n0: float, test: str, about: Estimate) -> Estimate:
    outcome = choose("test", test, TESTS)
    row = replace(about, n=float(n1), events=float(e1))
    if n1 > 0 and n0 > 0:
        statistic, p = outcome(e1, n1, e0, n0)
        return replace(row, statistic=float(statistic), p_value=float(p))
    return replace(row, status="unestimable", reason=NOBODY[n1 > 0])


# By how much the difference of two rates changed between two sets of people.


METHOD = message("MOVER of Wilson limits, Student's t")
SIGNS = np.array([[-1.0, 1.0], [1.0, -1.0]])  # before and after; the group and the reference
NEAREST, FARTHEST = 1e-9, 1e6  # quantiles; beyond the last one Wilson's limits are 0 and 1 to five digits and more


@dataclass(frozen=True)
class Reach:
    """How far an estimate's limits are from it, in standard errors of a normal law: below and above."""

    estimate: float
    below: float
    above: float

    @staticmethod
    def of(estimate: float, low: float, high: float, conf_level: float) -> Reach:
        """From one interval at one level."""
        quantile = float(critical(conf_level))
        return Reach(estimate, (estimate - low) / quantile, (high - estimate) / quantile)

    def limits(self, conf_level: float) -> tuple[float, float]:
        """At another level."""
        quantile = float(critical(conf_level))
        return self.estimate - quantile * self.below, self.estimate + quantile * self.above

    @property
    def p_value(self) -> float:
        """Two-sided: one less the level at which the limits touch 0."""
        toward = self.below if self.estimate > 0 else self.above
        return 2 * float(ndtr(-abs(self.estimate) / toward)) if toward > 0 else NAN

    def less(self, other: Reach) -> Reach:
        """Of the difference of two independent estimates (MOVER: Zou & Donner 2008)."""
        below, above = np.hypot(self.below, other.above), np.hypot(self.above, other.below)
        return Reach(self.estimate - other.estimate, float(below), float(above))


def changed_gap(events: ArrayLike, n: ArrayLike, conf_level: float = 0.95) -> tuple[float, float, float, float, float]:
    """Estimate by how much the difference of two rates changed, of independent people.

    events, n: Numerators and denominators: a row for before and one for after, a column for the group and one for the
        group that it is compared with, shape (2, 2).
    Returns estimate, low, high, p, df: the later difference less the earlier one, its interval, the two-sided p-value
        of no change, which is below 1 - conf_level exactly where the interval leaves 0 out, and the degrees of freedom;
        NaN where nobody is in a denominator.

    The limits are those of a linear function of four rates, from Wilson's limits of each (Zou, Huang & Zhang 2009),
    with a quantile of Student's t in place of the normal one. Its degrees of freedom are those of Satterthwaite for the
    sum of the four variances p(1 - p)/n, of p = (x + 2)/(n + 4), each with n - 2. So a test of no change at 5% errs in
    at most 6% in every one of 10 designs of groups of 8 to 30 people and some 200 sets of rates, by enumeration (with
    the normal quantile: 6.6%); ``benchmarks/coverage/changed_gaps.py`` has more.

    Source: Zou, Huang & Zhang (2009), Computational Statistics & Data Analysis 53, 1080-1085.

    >>> estimate, low, high, p, df = changed_gap([[30, 60], [50, 60]], [[100, 120], [100, 120]])
    >>> round(estimate, 3), round(low, 3), round(high, 3), round(p, 4), round(df, 1)
    (0.2, 0.015, 0.377, 0.0337, 421.4)
    """
    e, m = counts(events, n)
    if (m <= 0).any():
        return (np.nan,) * 5
    change = float((SIGNS * e / m).sum())
    low, high = change_limits(e, m, conf_level)
    side = 0 if change > 0 else 1

    def nearer(quantile: float) -> float:
        return abs(change) - abs(change - _limits(e, m, quantile)[side])

    if nearer(NEAREST) <= 0:
        reached = 0.0
    else:
        reached = (
            FARTHEST if nearer(FARTHEST) > 0 else float(scipy.optimize.brentq(nearer, NEAREST, FARTHEST, xtol=1e-12))
        )
    df = _freedom(e, m)
    return change, low, high, float(2 * stdtr(df, -reached)), df


def change_limits(events: Floats, n: Floats, conf_level: float = 0.95) -> tuple[float, float]:
    """The interval of `changed_gap`, of denominators that somebody is in.

    >>> low, high = change_limits(np.array([[30, 60], [50, 60]]), np.array([[100, 120], [100, 120]]))
    >>> round(low, 3), round(high, 3)
    (0.015, 0.377)
    """
    return _limits(events, n, float(-stdtrit(_freedom(events, n), (1 - conf_level) / 2)))


def _freedom(events: Floats, n: Floats) -> float:
    rates = (events + 2) / (n + 4)
    variances = rates * (1 - rates) / n
    return float(variances.sum() ** 2 / (variances**2 / np.maximum(n - 2, 1)).sum())


def _limits(events: Floats, n: Floats, quantile: float) -> tuple[float, float]:
    rates = events / n
    low, high = wilson_at(events, n, quantile)
    change = float((SIGNS * rates).sum())
    down = np.where(SIGNS > 0, rates - low, high - rates)
    up = np.where(SIGNS > 0, high - rates, rates - low)
    return max(change - float(np.sqrt((down**2).sum())), -2.0), min(change + float(np.sqrt((up**2).sum())), 2.0)
