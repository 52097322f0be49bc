"""Equivalence by two one-sided tests, from normal approximations or from confidence limits."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq
from scipy.special import ndtr, stdtr

from fairstats.inference.rates.one_rate import counts
from fairstats.inference.rates.score_statistics import difference_score, ratio_score

Floats = NDArray[np.float64]


def p_within(limits: Callable[[float], tuple[float, float]], low: float, high: float, smallest: float = 1e-12) -> float:
    """The p-value of the claim that a parameter lies between two bounds, from the confidence limits of its estimate.

    Parameters
    ----------
    limits : callable
        Confidence level → (low, high), wider at a higher level.
    low, high : float
        The bounds.
    smallest : float
        The smallest p-value that is told apart.

    Returns
    -------
    float
        The alpha at which the limits of level 1 - 2 alpha just reach a bound, so limits and test agree; NaN where there
        are no limits, 1 where they reach beyond the bounds at every level (then p is 1/2 or more).

    References
    ----------
    Schuirmann (1987), J. Pharmacokinet. Biopharm. 15, 657-680; Berger & Hsu (1996), Statistical Science 11, 283-319.

    Examples
    --------
    >>> from scipy.special import ndtri
    >>> def limits(level):
    ...     return 0.01 - ndtri((1 + level) / 2) * 0.02, 0.01 + ndtri((1 + level) / 2) * 0.02
    >>> round(p_within(limits, -0.05, 0.05), 4)  # as tost(0.01, 0.02, 0.05)
    0.0228
    """

    def room(log_alpha: float) -> float:
        start, end = limits(1 - 2 * float(np.exp(log_alpha)))
        return min(start - low, high - end)

    first, last = np.log(smallest), np.log(0.4999)
    if np.isnan(room(last)):
        return float("nan")
    if room(first) > 0:
        return smallest
    return float(np.exp(brentq(room, first, last, xtol=1e-9))) if room(last) > 0 else 1.0


def p_outside(limits: Callable[[float], tuple[float, float]], null: float, smallest: float = 1e-12) -> float:
    """The two-sided p-value of a parameter's null value, from the confidence limits of its estimate.

    Parameters
    ----------
    limits : callable
        Confidence level → (low, high), wider at a higher level.
    null : float
        The value.
    smallest : float
        The smallest p-value that is told apart.

    Returns
    -------
    float
        The error at which the limits just reach the value, 1 where they hold it at every level.

    Examples
    --------
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
    return smallest if room(first) > 0 else float(np.exp(brentq(room, first, last, xtol=1e-10)))


def tost(estimate: ArrayLike, std_error: ArrayLike, margin: ArrayLike, df: ArrayLike = np.inf) -> Floats:
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


def tost_rates(e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike, margin: ArrayLike) -> Floats:
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


def tost_ratio(e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike, lower: float = 0.8) -> Floats:
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
