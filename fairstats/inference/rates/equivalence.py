"""Equivalence: two one-sided tests, and the three-way verdict that an audit prints."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, stdtr

from fairstats.inference.rates.one_rate import counts
from fairstats.inference.rates.score_intervals import difference_score

Floats = NDArray[np.float64]


def verdict(
    low: float,
    high: float,
    low_tost: float,
    high_tost: float,
    margin: float | None,
    null: float = 0.0,
) -> str:
    """Read the verdict from the adjusted intervals: the one rule behind every decision of an audit.

    - *equivalence shown*: the 1 - 2 alpha interval lies strictly inside (null - margin, null + margin);
    - *disparity shown*: otherwise, the 1 - alpha interval excludes `null`;
    - *inconclusive*: neither. It is not evidence of equality.

    Where both hold, the difference is real but shown to be smaller than the margin. The margin was declared before
    looking as the size from which a difference matters, so *equivalence shown* wins; without a margin the word is
    *disparity shown*. The interval itself stands beside the word and shows that it excludes the null value.

    Parameters
    ----------
    low, high : float
        The (adjusted) 1 - alpha interval.
    low_tost, high_tost : float
        The (adjusted) 1 - 2 alpha interval; ignored without a margin.
    margin : float or None
        Half-width of the region of practical equality, > 0, declared in advance.
    null : float
        The value of no disparity: 0 for a difference. For a ratio, pass logarithms of the ends, null 0 and the
        logarithm of the largest tolerable ratio.

    Returns
    -------
    str
        One of the three; *inconclusive* where an end is NaN.

    References
    ----------
    Schuirmann (1987), J. Pharmacokinet. Biopharm. 15; Tryon & Lewis (2008), Psychological Methods 13 (three-way
    decision).

    Examples
    --------
    >>> verdict(0.02, 0.09, 0.03, 0.08, None)
    'disparity shown'
    >>> verdict(0.02, 0.09, 0.03, 0.08, 0.05)
    'disparity shown'
    >>> verdict(0.002, 0.012, 0.003, 0.011, 0.05)
    'equivalence shown'
    >>> verdict(-0.08, 0.02, -0.07, 0.01, 0.05)
    'inconclusive'
    """
    if margin is not None and null - margin < low_tost and high_tost < null + margin:
        return "equivalence shown"
    return "disparity shown" if low > null or high < null else "inconclusive"


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
    >>> round(float(tost(0.01, 0.02, 0.05)), 4)
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
    >>> round(float(tost_rates(480, 1000, 500, 1000, 0.1)), 5)
    0.00016
    """
    above = difference_score(e1, n1, e0, n0, -np.asarray(margin, dtype=float))
    below = difference_score(e1, n1, e0, n0, margin)
    return np.asarray(np.maximum(ndtr(-above), ndtr(below)))[()]
