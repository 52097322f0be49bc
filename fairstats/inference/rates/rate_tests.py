"""Tests that two rates are equal: Fisher's exact test, its mid-p version, and the pooled z-test ("2-SD rule")."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr

from fairstats.inference.rates.one_rate import counts
from fairstats.inference.validation import Counts

Floats = NDArray[np.float64]


# Score statistics of two proportions at a hypothesized difference or ratio.


# Newton steps that give a root of the cubic its last digits, and the largest that is one
POLISHED, HALF_DIGITS = 2, 1e-6


def restricted_difference(
    e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike, delta: ArrayLike
) -> tuple[Floats, Floats]:
    """The rates (p1, p0) of largest likelihood among those with p1 - p0 = delta.

    e1, n1, e0, n0: events and sizes (broadcast).
    delta: the hypothesized difference, in [-1, 1].

    statsmodels' score method for differences is not at this maximum (480/1000 against 500/1000 at -0.1: 0.435 and
    0.535, where the likelihood is largest at 0.440 and 0.540; with zeros it can leave [0, 1]), so its limits differ
    from ours. Ours are those that Newcombe (1998) prints for method 5.

    Source: Farrington & Manning (1990), Statistics in Medicine 9, 1447-1454, appendix 1 (the root of a cubic).

    >>> p1, p0 = restricted_difference(3, 10, 5, 10, 0.0)
    >>> round(float(p1), 12), round(float(p0), 12)
    (0.4, 0.4)
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        return _restricted_difference(*counts(e1, n1, e0, n0, delta))


def _restricted_difference(e1: Floats, n1: Floats, e0: Floats, n0: Floats, delta: Floats) -> tuple[Floats, Floats]:
    size = n1 + n0
    # p0 solves a p^3 + b p^2 + c p + d = 0 (the score equation, denominators cleared)
    b = ((n1 + 2 * n0) * delta - size - (e1 + e0)) / size
    c = (n0 * delta * delta - delta * (size + 2 * e0) + e1 + e0) / size
    d = e0 * delta * (1 - delta) / size
    third = b / 3
    v = third * third * third - b * c / 6 + d / 2
    u = np.copysign(np.sqrt(np.maximum(third * third - c / 3, 0)), v)
    cosine = np.where(u == 0, 1.0, np.minimum(np.maximum(v / (u * u * u), -1), 1))
    p0 = 2 * u * np.cos((np.pi + np.arccos(cosine)) / 3) - third
    for _ in range(POLISHED):  # near a double root the arc cosine has half of the digits
        step = (((p0 + b) * p0 + c) * p0 + d) / ((3 * p0 + 2 * b) * p0 + c)
        p0 = np.where(np.abs(step) < HALF_DIGITS, p0 - step, p0)
    p0 = np.minimum(np.maximum(p0, np.maximum(0, -delta)), np.minimum(1, 1 - delta))
    return np.minimum(np.maximum(p0 + delta, 0), 1), p0


def difference_score(e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike, delta: ArrayLike) -> Floats:
    """Miettinen and Nurminen's score statistic of p1 - p0 = delta, normal under that hypothesis.

    e1, n1, e0, n0: events and sizes (broadcast).
    Returns: positive where the data lie above `delta`; infinite where they are impossible under it.
    Source: Miettinen & Nurminen (1985), Statistics in Medicine 4, 213-226, variance with N/(N - 1).

    >>> round(float(difference_score(56, 70, 48, 80, 0.0)), 4)
    2.6413
    """
    return difference_score_of(*counts(e1, n1, e0, n0, delta))[()]


def difference_score_of(e1: Floats, n1: Floats, e0: Floats, n0: Floats, delta: Floats) -> Floats:
    """`difference_score` of float arrays of one shape.

    >>> table = np.array([[3.0], [10.0], [5.0], [10.0]])
    >>> difference_score_of(*table, np.array([-0.2])).tolist()
    [0.0]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        gap = e1 / n1 - e0 / n0 - delta
        # rates near 0 keep their digits, rates near 1 do not: events and non-events change places there
        often = 2 * (e1 + e0) > n1 + n0
        seldom1, seldom0 = np.where(often, n1 - e1, e1), np.where(often, n0 - e0, e0)
        p1, p0 = _restricted_difference(seldom1, n1, seldom0, n0, np.where(often, -delta, delta))
        variance = (p1 * (1 - p1) / n1 + p0 * (1 - p0) / n0) * (n1 + n0) / (n1 + n0 - 1)
    return standardized(gap, variance)


def ratio_score(e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike, theta: ArrayLike) -> Floats:
    """Koopman's score statistic (signed root) of p1 / p0 = theta.

    e1, n1, e0, n0: events and sizes (broadcast).
    theta: the hypothesized ratio, > 0.
    Returns: positive where the data lie above `theta`.
    Source: Koopman (1984), Biometrics 40, 513-517; Miettinen & Nurminen (1985), without N/(N - 1).

    >>> round(float(ratio_score(36, 40, 16, 80, 1.0)), 4)
    7.2947
    """
    return ratio_score_of(*counts(e1, n1, e0, n0, theta))[()]


def restricted_ratio(
    e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike, theta: ArrayLike
) -> tuple[Floats, Floats]:
    """The rates (p1, p0) of largest likelihood among those with p1 = theta p0.

    e1, n1, e0, n0: events and sizes (broadcast).
    theta: the hypothesized ratio, > 0.
    Source: Koopman (1984), Biometrics 40, 513-517 (the root of a quadratic).

    >>> [float(p) for p in restricted_ratio(3, 10, 5, 10, 1.0)]
    [0.4, 0.4]
    """
    e1, n1, e0, n0, theta = counts(e1, n1, e0, n0, theta)
    up = theta > 1
    t = np.where(up, 1 / theta, theta)
    e, n, e_top, n_top = (np.where(up, *v) for v in ((e0, e1), (n0, n1), (e1, e0), (n1, n0)))
    with np.errstate(divide="ignore", invalid="ignore"):
        p_top, _ = _larger_rate(e, n, e_top, n_top, t)
    return np.where(up, p_top, t * p_top)[()], np.where(up, t * p_top, p_top)[()]


def _larger_rate(e: Floats, n: Floats, e_top: Floats, n_top: Floats, t: Floats) -> tuple[Floats, Floats]:
    """p and q = 1 - p of the second group, where the first has the rate t p, t <= 1: sums of terms of one sign."""
    short, size, fails = 1 - t, n + n_top, n_top - e_top
    middle = size * short - (n - e) - t * fails
    root = np.sqrt(middle * middle + 4 * size * t * fails * short)
    # q is the larger root of size t q^2 + middle q - fails short = 0, without subtracting
    q = np.where(middle > 0, 2 * fails * short / (middle + root), (root - middle) / (2 * size * t))
    p = 2 * (e + e_top) / (size * t + size - (n - e) - t * fails + root)
    return np.minimum(p, 1), np.minimum(np.maximum(q, 0), 1)


def ratio_score_of(e1: Floats, n1: Floats, e0: Floats, n0: Floats, theta: Floats) -> Floats:
    """`ratio_score` of float arrays of one shape.

    >>> table = np.array([[2.0], [10.0], [5.0], [10.0]])
    >>> ratio_score_of(*table, np.array([0.4])).tolist()
    [0.0]
    """
    up = theta > 1
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(up, 1 / theta, theta)  # the smaller rate is t times the larger one
        e, n, e_top, n_top = (np.where(up, *v) for v in ((e0, e1), (n0, n1), (e1, e0), (n1, n0)))
        p, q = _larger_rate(e, n, e_top, n_top, t)
        short, rate = 1 - t, e_top / n_top
        gap = e / n - rate + rate * short
        # 1 - t p = short + t q: rates near 1 keep their digits
        variance = t * p * (short + t * q) / n + t * t * p * q / n_top
    score = standardized(gap, variance)
    return np.where(up, -score, score)


def standardized(gap: Floats, variance: Floats) -> Floats:
    """``gap / sqrt(variance)``, 0 where the gap is 0 (also over a variance of 0).

    >>> float(standardized(np.array(0.0), np.array(0.0)))
    0.0
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(gap == 0, 0.0, gap / np.sqrt(variance))[()]


# R's fisher.test calls two tables equally likely within this factor
TIE = 1 + 1e-7


def _conditional(e1: float, n1: float, e0: float, n0: float) -> tuple[Floats, int]:
    """Hypergeometric probabilities around their mode, and the place of the observed table among them.

    Built from ratios of neighbors outward from the mode: log-gamma loses eight digits at ten million people.
    Beyond 45 standard deviations plus 1000 the probabilities are below the smallest double.
    """
    events, size = e1 + e0, n1 + n0
    mode = np.floor((events + 1) * (n1 + 1) / (size + 2))
    spread = np.sqrt(events / size * (1 - events / size) * n1 * n0 / max(size - 1, 1))
    reach = np.ceil(45 * spread + 1000)
    first, last = max(0.0, events - n0, mode - reach), min(n1, events, mode + reach)
    x = np.arange(first, last)
    steps = np.log((n1 - x) * (events - x)) - np.log((x + 1) * (n0 - events + x + 1))
    log = np.concatenate([[0.0], np.cumsum(steps)])
    weights = np.exp(log - log.max())
    place = int(e1 - first) if first <= e1 <= last else -1
    return weights / weights.sum(), place


def _fisher(e1: float, n1: float, e0: float, n0: float) -> tuple[float, float]:
    """Two-sided p, and the probability of the observed table."""
    table = np.array([e1, n1, e0, n0])
    if not np.all(np.isfinite(table)) or np.any(table != np.round(table)) or n1 <= 0 or n0 <= 0:
        return float("nan"), float("nan")
    probabilities, place = _conditional(e1, n1, e0, n0)
    if place < 0:
        return 0.0, 0.0
    here = float(probabilities[place])
    return min(1.0, float(np.sum(probabilities[probabilities <= here * TIE]))), here


def _by_row(e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike) -> tuple[Floats, Floats]:
    arrays = counts(e1, n1, e0, n0)
    pairs = [_fisher(*(float(v) for v in row)) for row in zip(*(a.ravel() for a in arrays), strict=True)]
    p, here = np.array(pairs).reshape(-1, 2).T
    return p.reshape(arrays[0].shape), here.reshape(arrays[0].shape)


def fisher_exact(e1: Counts, n1: Counts, e0: Counts, n0: Counts) -> Floats:
    """Test p1 = p0 by Fisher's exact test, two-sided: the chance of all tables no more likely than the observed one.

    Parameters
    ----------
    e1, n1, e0, n0 : array_like
        Events and sizes of the two groups (whole counts, broadcast).

    Returns
    -------
    float or ndarray
        p-value; NaN where a group is empty or a count is not whole (weighted data have no exact test).

    References
    ----------
    Fisher (1934), Statistical Methods for Research Workers, section 21.02. R: ``fisher.test`` (the same rule for
    ties: tables within a relative 1e-7 count as equally likely).

    Examples
    --------
    >>> import fairstats as fs
    >>> round(float(fs.stats.fisher_exact(3, 4, 1, 4)), 4)
    0.4857
    """
    return _by_row(e1, n1, e0, n0)[0][()]


def mid_p(e1: Counts, n1: Counts, e0: Counts, n0: Counts) -> Floats:
    """Test p1 = p0 by Fisher's test with half the probability of the observed table: nearer nominal size, not exact.

    Parameters
    ----------
    e1, n1, e0, n0 : array_like
        Events and sizes of the two groups (whole counts, broadcast).

    Returns
    -------
    float or ndarray
        p-value; NaN as in `fisher_exact`.

    References
    ----------
    Lydersen, Fagerland & Laake (2009), Statistics in Medicine 28, 1159-1175.

    Examples
    --------
    >>> import fairstats as fs
    >>> round(float(fs.stats.mid_p(3, 4, 1, 4)), 4)
    0.3714
    """
    p, here = _by_row(e1, n1, e0, n0)
    return (p - here / 2)[()]


def z_test(e1: Counts, n1: Counts, e0: Counts, n0: Counts) -> tuple[Floats, Floats]:
    """Test p1 = p0 by the pooled z-test, the "two standard deviations" test of employment law.

    Its square is Pearson's chi-square without correction. In small or lopsided tables its size exceeds 5%: up to
    9.4% with 10 against 1000 people at a rate of 1%. That is why Fisher's
    test stands beside it.

    Parameters
    ----------
    e1, n1, e0, n0 : array_like
        Events and sizes of the two groups (broadcast).

    Returns
    -------
    z, p : float or ndarray
        The statistic (positive where p1 > p0) and its two-sided p-value; z = 0, p = 1 where nobody or everybody has
        the property; NaN where a group is empty.

    References
    ----------
    Hazelwood School District v. United States, 433 U.S. 299 (1977), n. 14. R: ``prop.test(correct = FALSE)``.

    Examples
    --------
    >>> import fairstats as fs
    >>> z, p = fs.stats.z_test(56, 70, 48, 80)
    >>> round(float(z), 4), round(float(p), 5)
    (2.6502, 0.00805)
    """
    e1, n1, e0, n0 = counts(e1, n1, e0, n0)
    with np.errstate(divide="ignore", invalid="ignore"):
        pooled = (e1 + e0) / (n1 + n0)
        gap, variance = e1 / n1 - e0 / n0, pooled * (1 - pooled) * (1 / n1 + 1 / n0)
    z = standardized(gap, variance)
    return z, np.asarray(2 * ndtr(-np.abs(z)))[()]


# Where falling functions cross zero, elementwise: the ends of intervals that invert a test, all pairs at once.


Places = NDArray[np.intp]
# a bracket this narrow, relative to its place and at all, is below the rounding error of a score
RELATIVE, ABSOLUTE = 4e-16, 1e-17
# halving alone needs about 70 evaluations; they are used up only where interpolation never helps
MOST_EVALUATIONS = 200
# 2^-64 of a range is below the rounding error of a score
BISECTIONS = 64
# so many crossings are solved before the others are asked whether theirs lies beyond
AT_ONCE = 32
# the second point goes this much beyond Newton's, so that it lands on the other side
OVERSHOOT = 1.25


def crossings(f: Callable[[Floats, Places], Floats], low: Floats, high: Floats, guess: Floats, scale: Floats) -> Floats:
    """Where each of many falling functions turns from positive to not positive.

    f: ``f(t, at)`` are the values at `t` of the functions with the places `at`. All that is required is that they are
        positive to the left and not to the right; a NaN counts as not positive.
    low, high (m,): brackets; where a function does not turn inside, the result is an end. Not evaluated.
    guess, scale: where the turn may be, and how far t has to go there for f to fall by 1; they matter for speed only,
        shape (m,).
    Returns: to the last few bits of floating point; NaN where a bracket is, shape (m,).

    Each bracket is cut at its guess, a little beyond the Newton point, and then by inverse quadratic interpolation
    where Chandrupatla's rule trusts it, by halving elsewhere: 6 to 9 evaluations for smooth functions where halving
    alone takes 60. Functions that are done are not evaluated again.

    Source: Chandrupatla (1997), Advances in Engineering Software 28, 145-149.

    >>> squares = np.array([2.0, 9.0])
    >>> ends = np.zeros(2), np.full(2, 10.0)
    >>> crossings(lambda t, at: squares[at] - t**2, *ends, np.ones(2), np.ones(2)).round(12).tolist()
    [1.414213562373, 3.0]
    """
    out = np.where(low == high, low, (low + high) / 2)
    at = np.flatnonzero(low < high)
    a, b = low[at], high[at]
    fa, fb = np.full(at.size, np.nan), np.full(at.size, np.nan)
    x, step = _inside(guess[at], a, b), OVERSHOOT * scale[at]
    for evaluation in range(MOST_EVALUATIONS):
        y = f(x, at)
        left = y > 0
        c, fc = np.where(left, a, b), np.where(left, fa, fb)  # the end that x replaces
        a, fa = np.where(left, x, a), np.where(left, y, fa)
        b, fb = np.where(left, b, x), np.where(left, fb, y)
        near = RELATIVE * np.abs(x) + ABSOLUTE
        on = (b - a > 2 * near) & (y != 0)
        out[at] = np.where(y == 0, x, (a + b) / 2)
        if not on.any():
            break
        other, f_other = np.where(left, b, a), np.where(left, fb, fa)
        following = x + y * step if evaluation == 0 else _between(x, y, other, f_other, c, fc)
        following = _inside(following, a, b) if evaluation == 0 else np.clip(following, a + near, b - near)
        at, x, step, a, b, fa, fb = (v[on] for v in (at, following, step, a, b, fa, fb))
    return out


def bisect(is_left: Callable[[Floats], NDArray[np.bool_]], low: Floats, high: Floats) -> Floats:
    """Where `is_left` turns from true to false, elementwise, by halving alone.

    >>> float(bisect(lambda x: x < 0.3, np.array(0.0), np.array(1.0)).round(9))
    0.3
    """
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        left = is_left(middle)
        low, high = np.where(left, middle, low), np.where(left, high, middle)
    return (low + high) / 2


def outermost_crossing(
    f: Callable[[Floats, Places], Floats], low: Floats, high: Floats, guess: Floats, scale: Floats, *, largest: bool
) -> float:
    """The largest or the smallest of many crossings: most functions need one value each, no solving.

    A falling function that is still positive at the largest crossing so far has its own beyond it, and no other has.

    f, low, high, guess, scale: as in `crossings`.
    largest: which end.
    Returns: NaN where no bracket is known; brackets that are NaN do not count.
    """
    sign = 1 if largest else -1
    settled = low[(low == high)]
    best = float(np.max(sign * settled)) if settled.size else -np.inf
    left, result = np.flatnonzero(low < high), bool(settled.size)
    while left.size and best < np.inf:
        first = left[np.argsort(-sign * guess[left])[:AT_ONCE]]
        solved = crossings(some(f, first), low[first], high[first], guess[first], scale[first])
        best, result = max(best, float(np.max(sign * solved))), True
        left = left[~np.isin(left, first)]
        there = sign * (best + RELATIVE * abs(best) + ABSOLUTE)  # what crosses within rounding is not beyond
        left = left[(f(np.full(left.size, there), left) > 0) == largest]
    return sign * best if result else float("nan")


def some(f: Callable[[Floats, Places], Floats], places: Places) -> Callable[[Floats, Places], Floats]:
    """Some of the functions, by place."""
    return lambda t, at: f(t, places[at])


def _inside(x: Floats, a: Floats, b: Floats) -> Floats:
    """A guess kept off the ends of its bracket; the middle where there is none."""
    margin = 1e-6 * (b - a)
    return np.clip(np.where(np.isfinite(x), x, (a + b) / 2), a + margin, b - margin)


def _between(x: Floats, y: Floats, other: Floats, f_other: Floats, c: Floats, fc: Floats) -> Floats:
    """The next point between x and the other end: inverse quadratic where it can be trusted, else the middle."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        place, value = (x - other) / (c - other), (y - f_other) / (fc - f_other)
        trusted = (value**2 < place) & ((1 - value) ** 2 < 1 - place)
        share = y / (f_other - y) * fc / (f_other - fc) + (c - x) / (other - x) * y / (fc - y) * f_other / (
            fc - f_other
        )
    return x + np.where(trusted & np.isfinite(share), share, 0.5) * (other - x)
