"""Statistics of repeated random splits of one data set, whose training and test parts overlap."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtr, stdtrit

Floats = NDArray[np.float64]


class Corrected(NamedTuple):
    """Means over splits with Nadeau and Bengio's standard errors; arrays of the shape of one split's values."""

    mean: Floats
    std_error: Floats
    low: Floats
    high: Floats
    df: float

    def p_value(self, null: float = 0.0) -> Floats:
        """Two-sided p-value of mean = null; NaN where every split gave the same value."""
        with np.errstate(invalid="ignore", divide="ignore"):
            t = np.where(self.std_error > 0, (self.mean - null) / self.std_error, np.nan)
        return np.asarray(2 * stdtr(max(self.df, 1.0), -np.abs(t)))


def corrected(values: ArrayLike, ratio: float, conf_level: float = 0.95) -> Corrected:
    """Mean over random splits with a standard error that knows that the splits share their people.

    The variance of the mean is (1/J + n_test/n_train) S², not S²/J: the second term stands for the covariance of the
    splits. Dropping it makes a paired t-test over splits reject about a third of the true null hypotheses.

    Parameters
    ----------
    values : array_like, shape (J, ...)
        One value, or one array of values, a split.
    ratio : float
        n_test/n_train.
    conf_level : float
        Confidence level of the t interval with J − 1 degrees of freedom.

    Returns
    -------
    Corrected
        Standard error and limits are NaN where they cannot be known: one split, or the same value in every split.

    References
    ----------
    Nadeau & Bengio (2003), Inference for the generalization error, Machine Learning 52, eq. (9).

    Examples
    --------
    >>> round(float(corrected([0.70, 0.72, 0.74, 0.72], 1 / 3).std_error), 4)
    0.0125
    """
    v = np.asarray(values, dtype=float)
    splits = len(v)
    mean = v.mean(axis=0)
    spread = v.std(axis=0, ddof=1) if splits > 1 else np.full_like(mean, np.nan)
    # equal values differ in their last digits once they have been averaged
    known = spread > 1e-12 * np.maximum(np.abs(mean), 1e-300)
    se = np.where(known, spread * np.sqrt(1 / splits + ratio), np.nan)
    half = stdtrit(max(splits - 1, 1), (1 + conf_level) / 2) * se
    return Corrected(mean, se, mean - half, mean + half, float(splits - 1))


def twice_median(p: ArrayLike) -> Floats:
    """One valid p-value from the p-values of splits that depend on each other in any way: twice their median.

    Parameters
    ----------
    p : array_like, shape (J, ...)
        A p-value a split.

    Returns
    -------
    ndarray
        At most 1.

    References
    ----------
    Rüger (1978); Meinshausen, Meier & Bühlmann (2009), p-values for high-dimensional regression, γ = 1/2.

    Examples
    --------
    >>> float(twice_median([0.01, 0.02, 0.9]))
    0.04
    """
    # the upper of two middle values: Rüger's bound counts p-values, it does not average them
    return np.minimum(1.0, 2 * np.quantile(np.asarray(p, dtype=float), 0.5, axis=0, method="higher"))
