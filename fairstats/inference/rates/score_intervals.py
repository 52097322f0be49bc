"""Score statistics of two proportions at a hypothesized difference or ratio, and the intervals that invert them.

The variance comes from the likelihood restricted to the hypothesis, so nothing breaks at rates of 0 or 1. Equivalence
tests evaluate the same statistics at the margin.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairstats.inference.rates.one_rate import counts, critical

Floats = NDArray[np.float64]
# 2^-64 of the range is below the rounding error of the score itself
BISECTIONS = 64
LOG_RATIO_BOUND = 60.0


def restricted_difference(
    e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike, delta: ArrayLike
) -> tuple[Floats, Floats]:
    """The rates (p1, p0) of largest likelihood among those with p1 - p0 = delta.

    Parameters
    ----------
    e1, n1, e0, n0 : array_like
        Events and sizes (broadcast).
    delta : array_like
        The hypothesized difference, in [-1, 1].

    Returns
    -------
    p1, p0 : ndarray

    Notes
    -----
    statsmodels' score method for differences is not at this maximum (480/1000 against 500/1000 at -0.1: 0.435 and
    0.535, where the likelihood is largest at 0.440 and 0.540; with zeros it can leave [0, 1]), so its limits differ
    from ours. Ours are those that Newcombe (1998) prints for method 5.

    References
    ----------
    Farrington & Manning (1990), Statistics in Medicine 9, 1447-1454, appendix 1 (the root of a cubic).

    Examples
    --------
    >>> p1, p0 = restricted_difference(3, 10, 5, 10, 0.0)
    >>> round(float(p1), 12), round(float(p0), 12)
    (0.4, 0.4)
    """
    e1, n1, e0, n0, delta = counts(e1, n1, e0, n0, delta)
    size = n1 + n0
    # p0 solves a p^3 + b p^2 + c p + d = 0 (the score equation, denominators cleared)
    b = ((n1 + 2 * n0) * delta - size - (e1 + e0)) / size
    c = (n0 * delta**2 - delta * (size + 2 * e0) + e1 + e0) / size
    d = e0 * delta * (1 - delta) / size
    third = b / 3
    v = third**3 - b * c / 6 + d / 2
    u = np.copysign(np.sqrt(np.maximum(third**2 - c / 3, 0)), v)
    with np.errstate(divide="ignore", invalid="ignore"):
        cosine = np.where(u == 0, 1.0, np.clip(v / u**3, -1, 1))
    p0 = 2 * u * np.cos((np.pi + np.arccos(cosine)) / 3) - third
    p0 = np.clip(p0, np.maximum(0, -delta), np.minimum(1, 1 - delta))
    return np.clip(p0 + delta, 0, 1), p0


def difference_score(e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike, delta: ArrayLike) -> Floats:
    """Miettinen and Nurminen's score statistic of p1 - p0 = delta, normal under that hypothesis.

    Parameters
    ----------
    e1, n1, e0, n0 : array_like
        Events and sizes (broadcast).
    delta : array_like
        The hypothesized difference.

    Returns
    -------
    float or ndarray
        Positive where the data lie above `delta`; infinite where they are impossible under it.

    References
    ----------
    Miettinen & Nurminen (1985), Statistics in Medicine 4, 213-226, variance with N/(N - 1).

    Examples
    --------
    >>> round(float(difference_score(56, 70, 48, 80, 0.0)), 4)
    2.6413
    """
    e1, n1, e0, n0, delta = counts(e1, n1, e0, n0, delta)
    p1, p0 = restricted_difference(e1, n1, e0, n0, delta)
    with np.errstate(divide="ignore", invalid="ignore"):
        gap = e1 / n1 - e0 / n0 - delta
        variance = (p1 * (1 - p1) / n1 + p0 * (1 - p0) / n0) * (n1 + n0) / (n1 + n0 - 1)
    return standardized(gap, variance)


def ratio_score(e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike, theta: ArrayLike) -> Floats:
    """Koopman's score statistic (signed root) of p1 / p0 = theta.

    Parameters
    ----------
    e1, n1, e0, n0 : array_like
        Events and sizes (broadcast).
    theta : array_like
        The hypothesized ratio, > 0.

    Returns
    -------
    float or ndarray
        Positive where the data lie above `theta`.

    References
    ----------
    Koopman (1984), Biometrics 40, 513-517; Miettinen & Nurminen (1985), without N/(N - 1).

    Examples
    --------
    >>> round(float(ratio_score(36, 40, 16, 80, 1.0)), 4)
    7.2947
    """
    e1, n1, e0, n0, theta = counts(e1, n1, e0, n0, theta)
    p1, p0 = restricted_ratio(e1, n1, e0, n0, theta)
    with np.errstate(divide="ignore", invalid="ignore"):
        gap = e1 / n1 - theta * (e0 / n0)
        variance = p1 * (1 - p1) / n1 + theta**2 * p0 * (1 - p0) / n0
    return standardized(gap, variance)


def restricted_ratio(
    e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike, theta: ArrayLike
) -> tuple[Floats, Floats]:
    """The rates (p1, p0) of largest likelihood among those with p1 = theta p0.

    Parameters
    ----------
    e1, n1, e0, n0 : array_like
        Events and sizes (broadcast).
    theta : array_like
        The hypothesized ratio, > 0.

    Returns
    -------
    p1, p0 : ndarray

    References
    ----------
    Koopman (1984), Biometrics 40, 513-517 (the root of a quadratic).

    Examples
    --------
    >>> [float(p) for p in restricted_ratio(3, 10, 5, 10, 1.0)]
    [0.4, 0.4]
    """
    e1, n1, e0, n0, theta = counts(e1, n1, e0, n0, theta)
    half = n1 * theta + e1 + n0 + e0 * theta
    # the smaller root of the quadratic, in the form that does not subtract
    root = np.sqrt(np.maximum(half**2 - 4 * (n1 + n0) * theta * (e1 + e0), 0))
    with np.errstate(divide="ignore", invalid="ignore"):
        p0 = np.clip(2 * (e1 + e0) / (half + root), 0, np.minimum(1, 1 / theta))
        return np.clip(theta * p0, 0, 1), p0


def standardized(gap: Floats, variance: Floats) -> Floats:
    """``gap / sqrt(variance)``, 0 where the gap is 0 (also over a variance of 0).

    Examples
    --------
    >>> float(standardized(np.array(0.0), np.array(0.0)))
    0.0
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(gap == 0, 0.0, gap / np.sqrt(variance))[()]


def miettinen_nurminen(
    e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike, conf_level: ArrayLike = 0.95
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
    >>> [round(float(v), 4) for v in miettinen_nurminen(56, 70, 48, 80)]
    [0.0528, 0.3382]
    """
    e1, n1, e0, n0, level = counts(e1, n1, e0, n0, conf_level)
    z = critical(level)
    with np.errstate(divide="ignore", invalid="ignore"):
        gap = e1 / n1 - e0 / n0

    def score(delta: Floats) -> Floats:
        return difference_score(e1, n1, e0, n0, delta)

    low = bisect(lambda d: score(d) > z, np.full(gap.shape, -1.0), gap)
    high = bisect(lambda d: score(d) >= -z, gap, np.full(gap.shape, 1.0))
    empty = np.isnan(gap)
    return np.where(empty, np.nan, low)[()], np.where(empty, np.nan, high)[()]


def bisect(is_left: Callable[[Floats], NDArray[np.bool_]], low: Floats, high: Floats) -> Floats:
    """Where `is_left` turns from true to false, elementwise.

    Examples
    --------
    >>> float(bisect(lambda x: x < 0.3, np.array(0.0), np.array(1.0)).round(9))
    0.3
    """
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        left = is_left(middle)
        low, high = np.where(left, middle, low), np.where(left, high, middle)
    return (low + high) / 2


def koopman(
    e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike, conf_level: ArrayLike = 0.95
) -> tuple[Floats, Floats]:
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
    >>> [round(float(v), 3) for v in koopman(36, 40, 16, 80)]
    [2.94, 7.152]
    >>> [float(v) for v in koopman(0, 10, 0, 10)]
    [0.0, inf]
    """
    e1, n1, e0, n0, level = counts(e1, n1, e0, n0, conf_level)
    z = critical(level)

    def score(log_theta: Floats) -> Floats:
        return ratio_score(e1, n1, e0, n0, np.exp(log_theta))

    with np.errstate(divide="ignore", invalid="ignore"):
        center = np.log(e1 / n1) - np.log(e0 / n0)
    center = np.clip(np.nan_to_num(center), -LOG_RATIO_BOUND, LOG_RATIO_BOUND)
    bound = np.full(center.shape, LOG_RATIO_BOUND)
    low = np.where(e1 > 0, np.exp(bisect(lambda t: score(t) > z, -bound, center)), 0.0)
    high = np.where(e0 > 0, np.exp(bisect(lambda t: score(t) >= -z, center, bound)), np.inf)
    empty = (n1 <= 0) | (n0 <= 0)
    return np.where(empty, np.nan, low)[()], np.where(empty, np.nan, high)[()]
