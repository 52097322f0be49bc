"""Statistics of repeated random splits of one data set, whose training and test parts overlap."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtr, stdtrit

Floats = NDArray[np.float64]
MOST_DF = 1e6  # beyond it a t distribution is normal


class Corrected(NamedTuple):
    """Means over splits with standard errors that know their overlap; arrays of the shape of one split's values."""

    mean: Floats
    std_error: Floats
    low: Floats
    high: Floats
    df: Floats

    def without_error(self) -> Corrected:
        """The means alone, where an error is not known."""
        unknown = np.full_like(self.mean, np.nan)
        return Corrected(self.mean, unknown, unknown, unknown, unknown)

    def p_value(self, null: float = 0.0) -> Floats:
        """Two-sided p-value of mean = null; NaN where the standard error is unknown."""
        with np.errstate(invalid="ignore", divide="ignore"):
            t = (self.mean - null) / self.std_error
        return np.asarray(2 * stdtr(self.df, -np.abs(t)))


def corrected(values: ArrayLike, ratio: float, conf_level: float = 0.95, between: ArrayLike = 0.0) -> Corrected:
    """Mean over random splits with a standard error that knows that the splits share their people.

    The variance of the mean is (1/J + n_test/n_train) S², not S²/J: the second term stands for the covariance of the
    splits. Dropping it makes a paired t-test over splits reject about a third of the true null hypotheses.

    For a fixed model the corrected variance is that of a mean over all n people. Stratified splits hold the shares of
    the strata fixed, so S² is the variance *within* strata only: a classification error that depends on the outcome
    alone would not vary at all. What the strata add for a sample of n people is passed as `between`.

    Parameters
    ----------
    values : array_like, shape (J, ...)
        One value, or one array of values, a split.
    ratio : float
        n_test/n_train.
    conf_level : float
        Confidence level of the t interval; degrees of freedom by Satterthwaite, at least J − 1.
    between : array_like, broadcast with one split's values
        The variance that strata contribute, see `between_strata`.

    Returns
    -------
    Corrected
        Standard error and limits are NaN where they cannot be known: one split, or no variation at all.

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
    within = np.where(spread <= 1e-12 * np.abs(mean), 0.0, spread) ** 2 * (1 / splits + ratio)
    total = within + np.asarray(between)
    known = total > (1e-12 * mean) ** 2
    se = np.where(known, np.sqrt(total), np.nan)
    with np.errstate(invalid="ignore", divide="ignore"):
        df = np.minimum((splits - 1) * (total / within) ** 2, MOST_DF)
    half = stdtrit(np.where(known, df, 1.0), (1 + conf_level) / 2) * se
    return Corrected(mean, se, mean - half, mean + half, np.where(known, df, np.nan))


def between_strata(means: ArrayLike, weights: ArrayLike, n: ArrayLike) -> Floats:
    """What the differences between strata add to the variance of a mean over n people drawn at random.

    Parameters
    ----------
    means : array_like, shape (..., H)
        Mean of the quantity in each stratum.
    weights : array_like, shape (..., H)
        Shares of the strata among the n people, summing to 1; 0 where a stratum does not take part.
    n : array_like, shape (...)
        People.

    Returns
    -------
    ndarray, shape (...)
        Variance of the stratum means, over n; NaN where n is 0.

    References
    ----------
    Cochran (1977), Sampling techniques, section 5.6: the variance that stratification removes.

    Examples
    --------
    >>> float(between_strata([0.0, 1.0], [0.5, 0.5], 100))
    0.0025
    """
    w = np.asarray(weights, dtype=float)
    a = np.where(w > 0, np.asarray(means, dtype=float), 0.0)
    centered = a - (w * a).sum(axis=-1, keepdims=True)
    with np.errstate(invalid="ignore"):
        return np.asarray((w * centered * centered).sum(axis=-1) / np.asarray(n, dtype=float))


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
