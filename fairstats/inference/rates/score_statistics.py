"""Score statistics of two proportions at a hypothesized difference or ratio.

The variance comes from the likelihood restricted to the hypothesis, so nothing breaks at rates of 0 or 1. Intervals
invert these statistics; equivalence tests evaluate them at the margin.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairstats.inference.rates.one_rate import counts

Floats = NDArray[np.float64]
# Newton steps that give a root of the cubic its last digits, and the largest that is one
POLISHED, HALF_DIGITS = 2, 1e-6


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
    with np.errstate(divide="ignore", invalid="ignore"):
        cosine = np.where(u == 0, 1.0, np.minimum(np.maximum(v / (u * u * u), -1), 1))
        p0 = 2 * u * np.cos((np.pi + np.arccos(cosine)) / 3) - third
        for _ in range(POLISHED):  # near a double root the arc cosine has half of the digits
            step = (((p0 + b) * p0 + c) * p0 + d) / ((3 * p0 + 2 * b) * p0 + c)
            p0 = np.where(np.abs(step) < HALF_DIGITS, p0 - step, p0)
    p0 = np.minimum(np.maximum(p0, np.maximum(0, -delta)), np.minimum(1, 1 - delta))
    return np.minimum(np.maximum(p0 + delta, 0), 1), p0


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
    return difference_score_of(*counts(e1, n1, e0, n0, delta))[()]


def difference_score_of(e1: Floats, n1: Floats, e0: Floats, n0: Floats, delta: Floats) -> Floats:
    """`difference_score` of float arrays of one shape.

    Examples
    --------
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
    return ratio_score_of(*counts(e1, n1, e0, n0, theta))[()]


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
    up = theta > 1
    t = np.where(up, 1 / theta, theta)
    e, n, e_top, n_top = (np.where(up, *v) for v in ((e0, e1), (n0, n1), (e1, e0), (n1, n0)))
    p_top, _ = _larger_rate(e, n, e_top, n_top, t)
    return np.where(up, p_top, t * p_top)[()], np.where(up, t * p_top, p_top)[()]


def _larger_rate(e: Floats, n: Floats, e_top: Floats, n_top: Floats, t: Floats) -> tuple[Floats, Floats]:
    """p and q = 1 - p of the second group, where the first has the rate t p, t <= 1: sums of terms of one sign."""
    short, size, fails = 1 - t, n + n_top, n_top - e_top
    with np.errstate(divide="ignore", invalid="ignore"):
        middle = size * short - (n - e) - t * fails
        root = np.sqrt(middle * middle + 4 * size * t * fails * short)
        # q is the larger root of size t q^2 + middle q - fails short = 0, without subtracting
        q = np.where(middle > 0, 2 * fails * short / (middle + root), (root - middle) / (2 * size * t))
        p = 2 * (e + e_top) / (size * t + size - (n - e) - t * fails + root)
    return np.minimum(p, 1), np.minimum(np.maximum(q, 0), 1)


def ratio_score_of(e1: Floats, n1: Floats, e0: Floats, n0: Floats, theta: Floats) -> Floats:
    """`ratio_score` of float arrays of one shape.

    Examples
    --------
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

    Examples
    --------
    >>> float(standardized(np.array(0.0), np.array(0.0)))
    0.0
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(gap == 0, 0.0, gap / np.sqrt(variance))[()]
