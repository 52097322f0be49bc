"""Score tests of two correlated rates with Student's t, and the limits that invert them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairstats.inference.rates.crossings import bisect
from fairstats.inference.rates.one_rate import counts
from fairstats.inference.rates.score_intervals import LOG_RATIO_BOUND
from fairstats.inference.rates.score_statistics import restricted_difference, restricted_ratio, standardized

Floats = NDArray[np.float64]
Four = tuple[ArrayLike, ArrayLike, ArrayLike, ArrayLike]


def correlated_difference_score(rates: Four, correlation: ArrayLike, delta: ArrayLike) -> Floats:
    """The score statistic of p1 - p0 = delta for two rates that move together.

    Parameters
    ----------
    rates : four array_like
        Rate and effective size of the group, then of the reference (broadcast).
    correlation : array_like
        Of the two estimated rates.
    delta : array_like
        The hypothesized difference.

    Returns
    -------
    float or ndarray
        As Miettinen and Nurminen's, with their covariance and without N/(N - 1): at 0 the pooled z.

    References
    ----------
    Miettinen & Nurminen (1985), Statistics in Medicine 4, 213-226.

    Examples
    --------
    >>> round(float(correlated_difference_score((0.8, 70, 0.6, 80), 0.0, 0.0)), 4)
    2.6502
    """
    p1, n1, p0, n0, rho, delta = counts(*rates, correlation, delta)
    near1, near0 = restricted_difference(p1 * n1, n1, p0 * n0, n0, delta)
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = _joined(near1 * (1 - near1) / n1, near0 * (1 - near0) / n0, rho)
    return standardized(p1 - p0 - delta, variance)


def correlated_ratio_score(rates: Four, correlation: ArrayLike, theta: ArrayLike) -> Floats:
    """The score statistic of p1 = theta p0 for two rates that move together; Koopman's where the correlation is 0.

    Parameters
    ----------
    rates, correlation
        As in `correlated_difference_score`.
    theta : array_like
        The hypothesized ratio, > 0.

    Returns
    -------
    float or ndarray

    References
    ----------
    Koopman (1984), Biometrics 40, 513-517.

    Examples
    --------
    >>> round(float(correlated_ratio_score((0.9, 40, 0.2, 80), 0.0, 1.0)), 4)
    7.2947
    """
    p1, n1, p0, n0, rho, theta = counts(*rates, correlation, theta)
    near1, near0 = restricted_ratio(p1 * n1, n1, p0 * n0, n0, theta)
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = _joined(near1 * (1 - near1) / n1, theta**2 * near0 * (1 - near0) / n0, rho)
    return standardized(p1 - theta * p0, variance)


def _joined(own: Floats, other: Floats, rho: Floats) -> Floats:
    return np.asarray(np.maximum(own + other - 2 * rho * np.sqrt(np.maximum(own * other, 0.0)), 0.0))


def difference_limits(rates: Four, correlation: ArrayLike, critical: ArrayLike) -> tuple[Floats, Floats]:
    """All differences whose score is within plus or minus a critical value.

    Parameters
    ----------
    rates, correlation
        As in `correlated_difference_score`.
    critical : array_like
        Quantile of Student's t.

    Returns
    -------
    low, high : float or ndarray

    Examples
    --------
    >>> [round(float(v), 3) for v in difference_limits((0.8, 70, 0.6, 80), 0.0, 1.96)]
    [0.053, 0.338]
    """
    p1, n1, p0, n0, rho, t = counts(*rates, correlation, critical)
    gap = p1 - p0

    def score(delta: Floats) -> Floats:
        return correlated_difference_score((p1, n1, p0, n0), rho, delta)

    low = bisect(lambda d: score(d) > t, np.full(gap.shape, -1.0), gap)
    return low[()], bisect(lambda d: score(d) >= -t, gap, np.full(gap.shape, 1.0))[()]


def ratio_limits(rates: Four, correlation: ArrayLike, critical: ArrayLike) -> tuple[Floats, Floats]:
    """All ratios whose score is within plus or minus a critical value; from 0 or to infinity where a rate is 0.

    Parameters
    ----------
    rates, correlation, critical
        As in `difference_limits`.

    Returns
    -------
    low, high : float or ndarray

    Examples
    --------
    >>> [round(float(v), 3) for v in ratio_limits((0.9, 40, 0.2, 80), 0.0, 1.959964)]
    [2.94, 7.152]
    """
    p1, n1, p0, n0, rho, t = counts(*rates, correlation, critical)

    def score(log_theta: Floats) -> Floats:
        return correlated_ratio_score((p1, n1, p0, n0), rho, np.exp(log_theta))

    with np.errstate(divide="ignore", invalid="ignore"):
        center = np.log(p1) - np.log(p0)
    center = np.clip(np.nan_to_num(center), -LOG_RATIO_BOUND, LOG_RATIO_BOUND)
    bound = np.full(center.shape, LOG_RATIO_BOUND)
    low = _exp(lambda v: score(v) > t, -bound, center)
    high = _exp(lambda v: score(v) >= -t, center, bound)
    return np.where(p1 > 0, low, 0.0)[()], np.where(p0 > 0, high, np.inf)[()]


def _exp(is_left: Callable[[Floats], NDArray[np.bool_]], low: Floats, high: Floats) -> Floats:
    return np.asarray(np.exp(bisect(is_left, low, high)))
