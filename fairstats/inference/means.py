"""Means of skewed data, and differences of two: intervals and tests that correct the t statistic for skewness."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtr, stdtrit

Floats = NDArray[np.float64]


NAN = float("nan")


@dataclass(frozen=True)
class LossSample:
    """Size, mean, variance (ddof 1) and third central moment of a sample.

    Of a weighted sample: the people of positive weight, the weighted mean, and n and n² times the variance and the
    third cumulant of that mean, linearized, which are what inference about it rests on.
    """

    n: float
    mean: float
    variance: float
    third: float

    @staticmethod
    def of(values: ArrayLike, noise: float = 0.0, weights: ArrayLike | None = None) -> LossSample:
        """The moments of an array; variance NaN for fewer than two values, 0 where they spread less than ``noise``."""
        v = np.asarray(values, dtype=float)
        if weights is not None:
            return _weighted(v, np.asarray(weights, dtype=float), noise)
        if not v.size:
            return LossSample(0.0, NAN, NAN, NAN)
        centered = v - v.mean()
        if np.ptp(v) <= noise:
            centered[:] = 0.0
        variance = float(centered @ centered / (v.size - 1)) if v.size > 1 else NAN
        return LossSample(float(v.size), float(v.mean()), variance, float(np.mean(centered**3)))


def _weighted(v: np.ndarray, w: np.ndarray, noise: float) -> LossSample:
    v, w = v[w > 0], w[w > 0]
    n = v.size
    if not n:
        return LossSample(0.0, NAN, NAN, NAN)
    share = w / w.sum()
    mean = float(share @ v)
    parts = share * (v - mean) if np.ptp(v) > noise else np.zeros(n)
    variance = float(parts @ parts) * n * n / (n - 1) if n > 1 else NAN
    return LossSample(float(n), mean, variance, n * n * float(np.sum(parts**3)))


class Inference(NamedTuple):
    """Standard error, interval, transformed t statistic for zero, degrees of freedom, two-sided p-value."""

    std_error: float
    low: float
    high: float
    statistic: float
    df: float
    p_value: float


def inference(estimate: float, samples: tuple[LossSample, ...], conf_level: float = 0.95) -> Inference:
    """Interval and test of a mean (one sample) or a difference of means (two, the first less the second).

    With u the skewness of the estimate, g(t) = t + u t²/3 + u² t³/27 + u/6 has the distribution of t to a higher order
    than t itself; g is increasing, so interval and test agree.

    Returns: degrees of freedom n − 1, or Welch's. NaN where the values do not vary.
    Source: Hall (1992), On the removal of skewness by transformation, JRSS B 54, with u = γ/√n; Zhou & Dinh (2005),
    Nonparametric confidence intervals for the one- and two-sample problems, with the skewness of a difference.

    >>> result = inference(2.0, (LossSample.of([1, 1, 1, 1, 2, 2, 3, 5]),))
    >>> round(result.low, 2), round(result.high, 2)
    (1.08, 4.21)
    """
    parts = [s.variance / s.n for s in samples]
    se = float(np.sqrt(sum(parts)))
    if not se > 0:
        return Inference(se, NAN, NAN, NAN, NAN, NAN)
    # shares and single divisions: powers of very small variances would be zero
    df = 1 / sum((v / sum(parts)) ** 2 / (s.n - 1) for v, s in zip(parts, samples, strict=True))
    signs = (1.0, -1.0)[: len(samples)]
    u = sum(sign * s.third / s.n**2 for sign, s in zip(signs, samples, strict=True)) / se / se / se
    q = float(stdtrit(df, (1 + conf_level) / 2))
    low, high = estimate - se * _inverse(q, u), estimate - se * _inverse(-q, u)
    statistic = _transformed(estimate / se, u)
    return Inference(se, low, high, statistic, df, 2 * float(stdtr(df, -abs(statistic))))


def _transformed(t: float, u: float) -> float:
    """Return Hall's monotone cubic transformation of t, which removes its skewness."""
    return t + u * t * t / 3 + u * u * t**3 / 27 + u / 6


def _inverse(x: float, u: float) -> float:
    """Return the t at which Hall's transformation is x."""
    if abs(u) < 1e-8:
        return x - u / 6
    return float(3 / u * (np.cbrt(1 + u * (x - u / 6)) - 1))


# The largest difference of independent estimates whose own limits are skewed: MOVER for all pairs of groups.


def largest_difference(
    estimates: ArrayLike, limits: Callable[[float], tuple[ArrayLike, ArrayLike]], conf_level: float
) -> tuple[float, float, float]:
    """The largest of G independent estimates less the smallest, with limits from those of each.

    estimates: one a group, shape (G,).
    limits: the lower and the upper limits of all groups at a confidence level.
    Returns estimate, low, high: each difference of two gets the limits of Zou and Donner at the level 1 - (1 -
        conf_level) / pairs (Bonferroni), so that those of all pairs hold together; the largest difference has the
        largest of their limits.
    Source: Zou & Donner (2008), Statistics in Medicine 27, 1693-1702 (MOVER).

    >>> result = largest_difference([1.0, 3.0], lambda level: ([0.0, 2.0], [2.0, 4.0]), 0.95)
    >>> [round(v, 3) for v in result]
    [2.0, 0.586, 3.414]
    """
    values = np.asarray(estimates, dtype=float)
    pairs = values.size * (values.size - 1) // 2
    low, high = (np.asarray(ends, dtype=float) for ends in limits(1 - (1 - conf_level) / pairs))
    down, up = values - low, high - values
    others = ~np.eye(values.size, dtype=bool)
    apart = values[:, None] - values
    lower = (apart - np.hypot(down[:, None], up))[others]
    upper = (apart + np.hypot(up[:, None], down))[others]
    return float(np.ptp(values)), max(0.0, float(lower.max())), float(upper.max())


# Statistics of repeated random splits of one data set, whose training and test parts overlap.


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


def corrected(
    values: ArrayLike, ratio: float, conf_level: float = 0.95, between: ArrayLike = 0.0, least: ArrayLike = 0.0
) -> Corrected:
    """Mean over random splits with a standard error that knows that the splits share their people.

    The variance of the mean is (1/J + n_test/n_train) S², not S²/J: the second term stands for the covariance of the
    splits. Dropping it makes a paired t-test over splits reject about a third of the true null hypotheses.

    For a fixed model the corrected variance is that of a mean over all n people. Stratified splits hold the shares of
    the strata fixed, so S² is the variance *within* strata only: a classification error that depends on the outcome
    alone would not vary at all. What the strata add for a sample of n people is passed as `between`.

    values: one value, or one array of values, a split, shape (J, ...).
    conf_level: confidence level of the t interval; degrees of freedom by Satterthwaite, at least J − 1.
    between: the variance that strata contribute, see `between_strata`.
    least: the least variance of one split's value for fixed models, where it is known: that of a share is binomial.
        Few splits may by chance agree better, or wholly; the mean of all people has n_test/n of it, and no variance is
        smaller.
    Returns: standard error and limits are NaN where they cannot be known: one split, two that agree, or no variation
        at all.
    Source: Nadeau & Bengio (2003), Inference for the generalization error, Machine Learning 52, eq. (9).

    >>> round(float(corrected([0.70, 0.72, 0.74, 0.72], 1 / 3).std_error), 4)
    0.0125
    """
    v = np.asarray(values, dtype=float)
    splits = len(v)
    mean = v.mean(axis=0)
    spread = v.std(axis=0, ddof=1) if splits > 1 else np.full_like(mean, np.nan)
    # equal values differ in their last digits once they have been averaged
    within = np.where(spread <= 1e-12 * np.abs(mean), 0.0, spread) ** 2 * (1 / splits + ratio)
    fixed = (within > 0) | (splits > 2)  # two splits agree by chance, too: what the strata add is no variance then
    within = np.where(fixed, np.maximum(within, np.asarray(least) * ratio / (1 + ratio)), within)
    total = within + np.asarray(between)
    present = fixed & (total > (1e-12 * mean) ** 2)
    se = np.where(present, np.sqrt(total), np.nan)
    with np.errstate(invalid="ignore", divide="ignore"):
        df = np.minimum((splits - 1) * (total / within) ** 2, MOST_DF)
    half = stdtrit(np.where(present, df, 1.0), (1 + conf_level) / 2) * se
    return Corrected(mean, se, mean - half, mean + half, np.where(present, df, np.nan))


def between_strata(means: ArrayLike, weights: ArrayLike, n: ArrayLike) -> Floats:
    """What the differences between strata add to the variance of a mean over n people drawn at random.

    means: mean of the quantity in each stratum, shape (..., H).
    weights: shares of the strata among the n people, summing to 1; 0 where a stratum does not take part, shape
        (..., H).
    Returns: variance of the stratum means, over n; NaN where n is 0.
    Source: Cochran (1977), Sampling techniques, section 5.6: the variance that stratification removes.

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

    p: a p-value a split, shape (J, ...).
    Returns: at most 1.
    Source: Rüger (1978); Meinshausen, Meier & Bühlmann (2009), p-values for high-dimensional regression, γ = 1/2.

    >>> float(twice_median([0.01, 0.02, 0.9]))
    0.04
    """
    # the upper of two middle values: Rüger's bound counts p-values, it does not average them
    return np.minimum(1.0, 2 * np.quantile(np.asarray(p, dtype=float), 0.5, axis=0, method="higher"))
