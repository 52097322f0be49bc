"""Equivalence by two one-sided tests, from normal approximations or from confidence limits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray
from scipy.special import bdtr, ndtr, ndtri, stdtr

from fairstats.estimates import Estimate, Estimates
from fairstats.inference.rates.exact import binomial_pmf, counts_between, decisive_test, reach, score_p
from fairstats.inference.rates.one_rate import counts, critical
from fairstats.inference.rates.rate_tests import crossings, difference_score, ratio_score
from fairstats.inference.validation import (
    Counts,
    DegreesOfFreedom,
    Level,
    Levels,
    NonNegative,
    Numbers,
    Positive,
    Proportion,
    Rate,
    Rates,
    StandardErrors,
)
from fairstats.language import Message, message

Floats = NDArray[np.float64]


def p_within(limits: Callable[[float], tuple[float, float]], low: float, high: float, smallest: float = 1e-12) -> float:
    """The p-value of the claim that a parameter lies between two bounds, from the confidence limits of its estimate.

    limits: confidence level → (low, high), wider at a higher level.
    smallest: the smallest p-value that is distinguished.
    Returns: the alpha at which the limits of level 1 - 2 alpha just reach a bound, so limits and test agree; NaN where
        there are no limits, 1 where they reach beyond the bounds at every level (then p is 1/2 or more).
    Source: Schuirmann (1987), J. Pharmacokinet. Biopharm. 15, 657-680; Berger & Hsu (1996), Statistical Science 11,
    283-319.
    """

    def room(log_alpha: float) -> float:
        start, end = limits(1 - 2 * float(np.exp(log_alpha)))
        return min(start - low, high - end)

    first, last = np.log(smallest), np.log(0.4999)
    if np.isnan(room(last)):
        return float("nan")
    if room(first) > 0:
        return smallest
    return float(np.exp(scipy.optimize.brentq(room, first, last, xtol=1e-9))) if room(last) > 0 else 1.0


def p_outside(limits: Callable[[float], tuple[float, float]], null: float, smallest: float = 1e-12) -> float:
    """The two-sided p-value of a parameter's null value, from the confidence limits of its estimate.

    limits: confidence level → (low, high), wider at a higher level.
    smallest: the smallest p-value that is distinguished.
    Returns: the error at which the limits just reach the value, 1 where they hold it at every level.

    >>> from scipy.special import ndtri
    >>> def limits(level):
    ...     return 0.1 - ndtri((1 + level) / 2) * 0.05, 0.1 + ndtri((1 + level) / 2) * 0.05
    >>> round(p_outside(limits, 0.0), 4)
    0.0455
    """

    def room(log_alpha: float) -> float:
        low, high = limits(1 - float(np.exp(log_alpha)))
        return max(low - null, null - high)

    first, last = np.log(smallest), np.log(1 - 1e-9)
    if np.isnan(room(last)):
        return float("nan")
    if room(last) <= 0:
        return 1.0
    return smallest if room(first) > 0 else float(np.exp(scipy.optimize.brentq(room, first, last, xtol=1e-10)))


def tost(estimate: Numbers, std_error: StandardErrors, margin: NonNegative, df: DegreesOfFreedom = np.inf) -> Floats:
    """Test that a parameter lies within plus or minus a margin (two one-sided Wald tests).

    Parameters
    ----------
    estimate, std_error : array_like
        The estimate (null value 0) and its standard error (broadcast).
    margin : array_like
        Half-width of the region of practical equality, > 0.
    df : array_like
        Degrees of freedom of Student's t; infinite is the normal distribution.

    Returns
    -------
    float or ndarray
        The larger one-sided p-value; below alpha exactly where the 1 - 2 alpha interval lies within the margins.

    References
    ----------
    Schuirmann (1987), J. Pharmacokinet. Biopharm. 15, 657-680.

    Examples
    --------
    >>> import fairstats as fs
    >>> round(float(fs.stats.tost(0.01, 0.02, 0.05)), 4)
    0.0228
    """
    estimate, se, margin, df = counts(estimate, std_error, margin, df)
    worst = (np.abs(estimate) - margin) / se
    finite = np.isfinite(df)
    return np.where(finite, stdtr(np.where(finite, df, 1.0), worst), ndtr(worst))[()]


def tost_rates(e1: Counts, n1: Counts, e0: Counts, n0: Counts, margin: NonNegative) -> Floats:
    """Test that the difference of two rates lies within plus or minus a margin (two one-sided score tests).

    Parameters
    ----------
    e1, n1, e0, n0 : array_like
        Events and sizes of the group and of the reference (broadcast).
    margin : array_like
        Half-width of the region of practical equality, in (0, 1).

    Returns
    -------
    float or ndarray
        The larger one-sided p-value; below alpha exactly where the 1 - 2 alpha Miettinen-Nurminen interval lies
        within the margins.

    References
    ----------
    Farrington & Manning (1990), Statistics in Medicine 9, 1447-1454; Miettinen & Nurminen (1985).

    Examples
    --------
    >>> import fairstats as fs
    >>> round(float(fs.stats.tost_rates(480, 1000, 500, 1000, 0.1)), 5)
    0.00016
    """
    above = difference_score(e1, n1, e0, n0, -np.asarray(margin, dtype=float))
    below = difference_score(e1, n1, e0, n0, margin)
    return np.asarray(np.maximum(ndtr(-above), ndtr(below)))[()]


def tost_ratio(e1: Counts, n1: Counts, e0: Counts, n0: Counts, lower: Proportion = 0.8) -> Floats:
    """Test that the ratio of two rates lies between a bound and its inverse (two one-sided score tests).

    Parameters
    ----------
    e1, n1, e0, n0 : array_like
        Events and sizes of the group and of the reference (broadcast).
    lower : float
        The smallest tolerable ratio, in (0, 1).

    Returns
    -------
    float or ndarray
        The larger one-sided p-value; below alpha exactly where the 1 - 2 alpha Koopman interval lies between them.

    References
    ----------
    Koopman (1984), Biometrics 40, 513-517; Farrington & Manning (1990), Statistics in Medicine 9, 1447-1454.

    Examples
    --------
    >>> import fairstats as fs
    >>> round(float(fs.stats.tost_ratio(150, 300, 160, 300)), 4)
    0.023
    """
    above, below = ratio_score(e1, n1, e0, n0, lower), ratio_score(e1, n1, e0, n0, 1 / lower)
    return np.asarray(np.maximum(ndtr(-above), ndtr(below)))[()]


# The power of the test that verdicts are read from, and the smallest difference that it would detect.


Places = NDArray[np.intp]
STEEP = 3.0  # standard errors over which the power near 0.8 would rise by one
EXACT = message("power {n} of the exact unconditional test with its score interval, at {m}")
NORMAL = message("power {n} of the pooled z-test on effective sizes, at {m}")
# people of the smaller group up to which the exact test is asked for every count
FEW = 50
# expected events and non-events from which the score test stands for the exact one, and a normal law for its power
MANY_EXPECTED, VERY_MANY = 100.0, 2000.0
POINTS = 64  # counts of the reference that stand for all of them, each for its share
NEGLIGIBLE = 2e-3  # the share of a count for which the score test will do


@dataclass(frozen=True, eq=False)
class _Rejected:
    """Where the test of groups and a reference rejects: for some counts of the reference, beyond which of the group's.

    One row a group, one column a count of the reference.
    """

    weight: Floats
    upto: Floats  # -1 where no count is low enough
    since: Floats  # n1 + 1 where none is high enough
    n1: NDArray[np.int_]

    def power(self, p1: Floats, at: Places) -> Floats:
        """The chance of a rejection at rates of some of the groups."""
        n1, p1, upto, since = self.n1[at, None], p1[:, None], self.upto[at], self.since[at]
        below = np.where(upto >= 0, bdtr(np.maximum(upto, 0), n1, p1), 0.0)
        above = np.where(since <= n1, 1 - bdtr(np.maximum(since - 1, 0), n1, p1), 0.0)
        above = np.where(since <= 0, 1.0, above)
        return np.asarray((below + above) @ self.weight)


def _rejected(n1: Floats, p0: float, n0: float, alpha: float) -> _Rejected:
    y, weight = _points(int(n0), p0)
    size, smaller = n1[:, None], np.minimum(n1, n0)
    few, many = smaller <= FEW, smaller * min(p0, 1 - p0) >= MANY_EXPECTED
    middle = int(np.searchsorted(np.cumsum(weight), 0.5))
    sides = []
    for step in (-1, 1):
        far = _first_rejected(size, y, n0, alpha, step)
        near = ~few & ~many & (far[:, middle] >= 0) & (far[:, middle] <= n1)
        if near.any():  # the exact p is nearly the same multiple of the score test's along the boundary
            at = far[near, middle], n1[near], y[middle], n0
            share = score_p(*at) / decisive_test(*at)
            far[near] = _first_rejected(size[near], y, n0, alpha * share[:, None], step)
        open_ = few[:, None] & (weight > NEGLIGIBLE)  # count by count
        while (open_ := open_ & (far >= 0) & (far <= size)).any():
            row, k = np.nonzero(open_)
            open_[row, k] = decisive_test(far[row, k], n1[row], y[k], n0) > alpha
            far[open_] += step
        sides.append(far)
    return _Rejected(weight, sides[0], sides[1], n1.astype(int))


def _points(n0: int, p0: float) -> tuple[Floats, Floats]:
    """Counts of the reference with their chances; where there are many, the middle one of each share."""
    people, rate = np.array([n0]), np.array([p0])
    x, of = counts_between(*reach(people, rate, rate))
    chances = binomial_pmf(x, people, rate[:, None], of)[:, 0]
    kept = chances > 1e-6
    y, mass = x[kept].astype(float), chances[kept] / chances[kept].sum()
    if y.size <= POINTS:
        return y, mass
    edges = np.linspace(0, y.size, POINTS + 1).round().astype(int)
    shares = np.array([mass[a:b].sum() for a, b in pairwise(edges)])
    middle = [y[a:b] @ mass[a:b] / share for (a, b), share in zip(pairwise(edges), shares, strict=True)]
    return np.round(middle), shares


def _first_rejected(n1: Floats, y: Floats, n0: float, alpha: Floats | float, step: int) -> Floats:
    """For each count of the reference the first of the group, going away from equality, that the score test rejects."""
    near = np.floor(y * n1 / n0) if step < 0 else np.ceil(y * n1 / n0)
    far = np.broadcast_to(-1.0 if step < 0 else n1 + 1.0, near.shape).copy()
    while np.any(open_ := np.abs(far - near) > 1):
        middle = np.floor((near + far) / 2)
        hit = score_p(middle, n1, y, n0) <= alpha
        far = np.where(open_ & hit, middle, far)
        near = np.where(open_ & ~hit, middle, near)
    return far


def power(p1: Rates, n1: Counts, p0: Rates, n0: Counts, conf_level: Levels = 0.95) -> Floats:
    """Return the power of the test of p1 = p0 that verdicts are read from.

    Parameters
    ----------
    p1, n1, p0, n0 : array_like
        True rates and sizes of the group and of the reference (broadcast).
    conf_level : array_like
        1 - alpha, after any adjustment.

    Returns
    -------
    float or ndarray
        By enumeration of the tables that the test rejects (the larger p of the exact unconditional test and of the
        score interval), with 64 counts of the reference for all of more. Sizes that are not whole, and 2000 people
        or more of each outcome in either group, have the normal approximation of the pooled z-test.

    References
    ----------
    Chan & Zhang (1999), Biometrics 55, 1202-1209; Fleiss, Levin & Paik (2003), Statistical Methods for Rates and
    Proportions, chapter 4 (the approximation).

    Examples
    --------
    >>> import fairstats as fs
    >>> round(float(fs.stats.power(0.6, 100, 0.4, 100)), 3)
    0.788
    """
    arrays = counts(p1, n1, p0, n0, conf_level)
    rate, size, reference, base, level = (a.ravel() for a in arrays)
    result = _chance(size, reference, base, level)(rate, np.arange(rate.size))
    return result.reshape(arrays[0].shape)[()]


def _chance(
    n1: Floats, p0: Floats, n0: Floats, level: Floats, exact: bool = True
) -> Callable[[Floats, Places], Floats]:
    """The powers at rates of some of the groups, by place; NaN of an empty group."""
    present = (n1 > 0) & (n0 > 0) & ~np.isnan(p0)
    counted = present & (n1 == np.round(n1)) & (n0 == np.round(n0)) & exact
    counted &= np.minimum(n1, n0) * np.minimum(p0, 1 - p0) < VERY_MANY
    parts = []
    for rate, size, current in {*zip(p0[counted].tolist(), n0[counted].tolist(), level[counted].tolist(), strict=True)}:
        member = counted & (p0 == rate) & (n0 == size) & (level == current)
        parts.append((member, np.cumsum(member) - 1, _rejected(n1[member], rate, size, 1 - current)))

    def chance(p1: Floats, at: Places) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            out = np.where(present[at], normal_power(p1, n1[at], p0[at], n0[at], level[at]), np.nan)
        for member, places, rejections in parts:
            group_values = member[at]
            out[group_values] = rejections.power(p1[group_values], places[at[group_values]])
        return out

    return chance


def normal_power(p1: ArrayLike, n1: ArrayLike, p0: ArrayLike, n0: ArrayLike, conf_level: ArrayLike = 0.95) -> Floats:
    """The power of the two-sided pooled z-test by a normal law, for effective sizes.

    >>> round(float(normal_power(0.6, 100, 0.4, 100)), 3)
    0.812
    """
    p1, n1, p0, n0, level = counts(p1, n1, p0, n0, conf_level)
    pooled = (n1 * p1 + n0 * p0) / (n1 + n0)
    with np.errstate(divide="ignore", invalid="ignore"):
        null = np.sqrt(pooled * (1 - pooled) * (1 / n1 + 1 / n0))
        true = np.sqrt(p1 * (1 - p1) / n1 + p0 * (1 - p0) / n0)
        upper, lower = (p1 - p0 - critical(level) * null) / true, (p0 - p1 - critical(level) * null) / true
    return np.asarray(ndtr(upper) + ndtr(lower))[()]


def detectable(
    n1: ArrayLike,
    p0: ArrayLike,
    n0: ArrayLike,
    conf_level: ArrayLike = 0.95,
    target: float = 0.8,
    exact: bool = True,
) -> tuple[Floats, Floats]:
    """The smallest rates below and above the reference rate that the test would detect with the target power.

    n1: size of the group.
    p0, n0: rate and size of the reference (broadcast).
    conf_level: 1 - alpha, after any adjustment.
    target: wanted power.
    exact: False for effective sizes, which the pooled z-test by a normal law stands for.
    Returns below, above: the differences p1 - p0 (negative, positive); NaN where even a rate of 0 (of 1) would not be
        detected.
    Source: As `power`.

    >>> [round(float(v), 3) for v in detectable(100, 0.4, 100)]
    [-0.184, 0.203]
    """
    arrays = counts(n1, p0, n0, conf_level)
    # groups of as many people, beside one reference, are one question
    cases, places = np.unique([a.ravel() for a in arrays], axis=1, return_inverse=True)
    n, rate, base, level = cases
    chance = _chance(n, rate, base, level, exact)
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.sqrt(rate * (1 - rate) * (1 / n + 1 / base))
        below, above = (
            _search(chance, rate, end, target, (critical(level) + ndtri(target)) * error, error)[places.ravel()]
            for end in (0.0, 1.0)
        )
    return below.reshape(arrays[0].shape)[()], above.reshape(arrays[0].shape)[()]


def _search(
    chance: Callable[[Floats, Places], Floats], p0: Floats, end: float, target: float, guess: Floats, error: Floats
) -> Floats:
    """How far from the reference, towards 0 or 1, the power reaches the target; NaN where it does not."""
    away = -1.0 if end == 0 else 1.0
    # at the very end the true variance of that group is 0; a step inside keeps the power defined
    reached = chance(end + (p0 - end) * 1e-9, np.arange(p0.size)) >= target
    low, high = np.zeros(p0.shape), np.where(reached, np.abs(end - p0), np.nan)
    gap = crossings(lambda t, at: target - chance(p0[at] + away * t, at), low, high, guess, STEEP * error)
    return away * gap


def minimal_detectable_difference(
    n1: Positive,
    p0: Rate,
    n0: Positive,
    *,
    metric: str = "proportion",
    attribute: str = "",
    group: str = "",
    reference: str = "",
    conf_level: Level = 0.95,
    target: Proportion = 0.8,
) -> Estimates:
    """Return the smallest differences below and above the reference that the comparison would detect, as tidy rows.

    Parameters
    ----------
    n1, n0 : float
        Sizes of the group and of the reference.
    p0 : float
        Rate of the reference.
    metric, attribute, group, reference : str
        What the rows are about.
    conf_level : float
        1 - alpha, after any adjustment.
    target : float
        Wanted power.

    Returns
    -------
    Estimates
        Two rows, told apart by ``term``; ``"unestimable"`` where even a rate of 0 (of 1) would not be detected.

    Examples
    --------
    >>> import fairstats as fs
    >>> rows = fs.stats.minimal_detectable_difference(100, 0.4, 100)
    >>> rows.column("term"), [round(v, 3) for v in rows.column("estimate")]
    (['below', 'above'], [-0.184, 0.203])
    """
    about = Estimate(metric, attribute, group, "difference", reference, n=float(n1))
    return detectable_rows(about, detectable(n1, p0, n0, conf_level, target), conf_level, target)


def detectable_rows(
    about: Estimate, result: tuple[ArrayLike, ArrayLike], conf_level: float, target: float = 0.8, test: Message = EXACT
) -> Estimates:
    """The two rows of `minimal_detectable_difference`, filled with differences that were solved before.

    about: what the rows say they are about.
    found: what `detectable` returns.
    conf_level, target: for which it was solved.
    test: whose power it is: `EXACT` or `NORMAL`.

    >>> detectable_rows(Estimate("TPR"), detectable(100, 0.4, 100), 0.95).column("term")
    ['below', 'above']
    """
    rows = []
    for side, end, value in zip(("below", "above"), (0, 1), result, strict=True):
        method = test.format(n=f"{target:g}", m=f"{conf_level:g}")
        row = about.changed(role="power", term=side, method=method)
        if np.isnan(value):
            reason = message(
                "even a true rate of {n} would be shown to differ from the reference with a probability below {m}",
                n=end,
                m=f"{target:g}",
            )
            rows.append(row.changed(status="unestimable", reason=reason))
        else:
            rows.append(row.changed(estimate=float(np.asarray(value))))
    return Estimates(rows)
