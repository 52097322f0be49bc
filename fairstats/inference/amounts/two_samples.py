"""Amounts of two samples compared, as a user of `fairstats.stats` has them: arrays with weights and clusters."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairstats.errors import InputError
from fairstats.estimates import NAN
from fairstats.inference.amounts.means import NO_LOGS, NO_RATIO, mean_pair
from fairstats.inference.amounts.quantiles import NOT_ABOVE_0, QuantilePair, Quantiles
from fairstats.inference.amounts.quarters import PARTS, Quarters
from fairstats.inference.scores.survey import Scored
from fairstats.inference.validation import FiniteSample, Level, Proportion, RowLabels, Samples, Seed, Weights

Floats = NDArray[np.float64]


class AmountContrast(NamedTuple):
    """A comparison of the amounts of two samples: estimate, limits, two-sided p-value, method, why there is none."""

    estimate: float
    low: float
    high: float
    p_value: float
    method: str
    reason: str = ""


def _none(reason: str, estimate: float = NAN) -> AmountContrast:
    return AmountContrast(estimate, NAN, NAN, NAN, "", reason)


def _sample(name: str, values: ArrayLike, weights: ArrayLike | None, clusters: ArrayLike | None) -> Scored:
    x = np.asarray(values, dtype=float).ravel()
    w = np.ones(x.size) if weights is None else np.asarray(weights, dtype=float).ravel()
    if not np.isfinite(x).all():
        raise InputError(f"{name} has missing or infinite values; an amount is a finite number; drop those rows.")
    if w.size != x.size or not (np.isfinite(w).all() and (w >= 0).all() and (x.size == 0 or w.sum() > 0)):
        raise InputError(
            f"{name}_weights has {w.size} values for {x.size} amounts, or one negative or missing; weigh each amount."
        )
    codes = None if clusters is None else np.asarray(clusters, dtype=np.int64)
    return Scored(x, w, w * w, np.ones(x.size), codes).take(w > 0)


def _samples(
    x: ArrayLike,
    y: ArrayLike,
    x_weights: ArrayLike | None,
    y_weights: ArrayLike | None,
    x_clusters: ArrayLike | None,
    y_clusters: ArrayLike | None,
) -> tuple[Scored, Scored, bool]:
    if (x_clusters is None) != (y_clusters is None):
        raise InputError("x_clusters and y_clusters: only one was given; give both, or neither.")
    codes: tuple[ArrayLike | None, ArrayLike | None] = (None, None)
    if x_clusters is not None and y_clusters is not None:
        labels = [np.ravel(x_clusters).astype(str), np.ravel(y_clusters).astype(str)]
        for name, one, values in zip(("x", "y"), labels, (x, y), strict=True):
            if one.size != np.size(values):
                raise InputError(f"{name}_clusters has {one.size} labels for {np.size(values)} amounts; label each.")
        place = np.unique(np.concatenate(labels), return_inverse=True)[1].ravel()
        codes = (place[: labels[0].size], place[labels[0].size :])
    sampled = x_weights is not None or y_weights is not None
    return _sample("x", x, x_weights, codes[0]), _sample("y", y, y_weights, codes[1]), sampled


def mean_difference(
    x: FiniteSample,
    y: FiniteSample,
    conf_level: Level = 0.95,
    *,
    x_weights: Weights | None = None,
    y_weights: Weights | None = None,
    x_clusters: RowLabels | None = None,
    y_clusters: RowLabels | None = None,
    seed: Seed = 0,
) -> AmountContrast:
    """Compare the means of two samples: x less y, with a test that holds in small skewed samples of equal shape.

    Up to 1000 values in the smaller sample the test is the permutation test of Welch's t (all permutations of small
    samples), inverted for the limits; above, and under weights or clusters, the p-value is the larger of Welch's and
    of that with Hall's correction of skewness.

    Parameters
    ----------
    x, y : array_like, shape (n,) and (m,)
        The amounts; finite.
    conf_level : float
        Confidence level.
    x_weights, y_weights : array_like, optional
        Inverse sampling probabilities, not negative.
    x_clusters, y_clusters : array_like, optional
        Labels of the sampling clusters, both or neither; a label in both samples is one cluster.
    seed : int
        Of the permutations that are drawn.

    Returns
    -------
    AmountContrast
        ``(estimate, low, high, p_value, method, reason)`` in the unit of the amounts; NaN with its reason where there
        is no error to compare with.

    Raises
    ------
    InputError
        If an amount is missing or infinite, or weights or clusters do not fit.

    References
    ----------
    Welch (1947), Biometrika 34, 28-35; Janssen (1997), Statistics & Probability Letters 36, 9-21; Hall (1992), JRSS B
    54, 221-228.

    Examples
    --------
    >>> import fairstats as fs
    >>> result = fs.stats.mean_difference([14.0, 15.5, 13.0, 16.0], [17.0, 16.5, 19.0, 18.5])
    >>> result.estimate, round(result.p_value, 4)
    (-3.125, 0.0286)
    """
    one, other, sampled = _samples(x, y, x_weights, y_weights, x_clusters, y_clusters)
    pair = mean_pair(one, other, sampled=sampled, seed=seed)
    if pair.reason:
        return _none(pair.reason, pair.difference)
    return AmountContrast(pair.difference, *pair.difference_limits(conf_level), pair.p_value, pair.method)


def mean_gap(
    x: FiniteSample,
    y: FiniteSample,
    conf_level: Level = 0.95,
    *,
    x_weights: Weights | None = None,
    y_weights: Weights | None = None,
    x_clusters: RowLabels | None = None,
    y_clusters: RowLabels | None = None,
    seed: Seed = 0,
) -> AmountContrast:
    """By how much the mean of x is below that of y, as a share of the latter: one less the ratio of the means.

    The test is that of `mean_difference`, and so is its p-value; the limits are the ratios r for which it does not
    reject that x/r and y have one mean (without permutations Fieller's).

    Parameters
    ----------
    x, y : array_like, shape (n,) and (m,)
        The amounts, at least 0.
    conf_level, x_weights, y_weights, x_clusters, y_clusters, seed
        As in `mean_difference`.

    Returns
    -------
    AmountContrast
        Shares: 0.1 is 10% less. NaN with its reason where an amount is negative, or the mean of y cannot be told from
        0.

    Raises
    ------
    InputError
        If an amount is missing or infinite, or weights or clusters do not fit.

    References
    ----------
    Fieller (1954), JRSS B 16, 175-185.

    Examples
    --------
    >>> import fairstats as fs
    >>> result = fs.stats.mean_gap([14.0, 15.5, 13.0, 16.0], [17.0, 16.5, 19.0, 18.5])
    >>> round(result.estimate, 3), round(result.p_value, 4)
    (0.176, 0.0286)
    """
    one, other, sampled = _samples(x, y, x_weights, y_weights, x_clusters, y_clusters)
    pair = mean_pair(one, other, sampled=sampled, seed=seed)
    if pair.reason:
        return _none(pair.reason)
    if _least(one, other) < 0 or pair.no_ratio:
        return _none(NO_RATIO if _least(one, other) < 0 else pair.no_ratio)
    low, high = pair.ratio_limits(conf_level)
    return AmountContrast(1 - pair.ratio, 1 - high, 1 - low, pair.p_value, pair.method)


def _least(x: Scored, y: Scored) -> float:
    return float(min(x.values.min(), y.values.min()))


def geometric_mean_ratio(
    x: FiniteSample,
    y: FiniteSample,
    conf_level: Level = 0.95,
    *,
    x_weights: Weights | None = None,
    y_weights: Weights | None = None,
    x_clusters: RowLabels | None = None,
    y_clusters: RowLabels | None = None,
) -> AmountContrast:
    """Compare the geometric means of two samples, x over y, by Welch's test of their logarithms.

    Parameters
    ----------
    x, y : array_like, shape (n,) and (m,)
        The amounts, above 0.
    conf_level, x_weights, y_weights, x_clusters, y_clusters
        As in `mean_difference`.

    Returns
    -------
    AmountContrast
        A ratio; NaN with its reason where an amount is not above 0.

    Raises
    ------
    InputError
        If an amount is missing or infinite, or weights or clusters do not fit.

    References
    ----------
    Welch (1947), Biometrika 34, 28-35.

    Examples
    --------
    >>> import fairstats as fs
    >>> round(fs.stats.geometric_mean_ratio([10.0, 20.0, 40.0], [20.0, 40.0, 80.0]).estimate, 3)
    0.5
    """
    one, other, sampled = _samples(x, y, x_weights, y_weights, x_clusters, y_clusters)
    if min(one.values.size, other.values.size) and _least(one, other) <= 0:
        return _none(NO_LOGS)
    logs = (Scored(np.log(s.values), s.weight, s.square, s.people, s.clusters) for s in (one, other))
    pair = mean_pair(*logs, sampled=sampled, permute=False)
    if pair.reason:
        return _none(pair.reason)
    estimate, low, high = (float(np.exp(v)) for v in (pair.difference, *pair.difference_limits(conf_level)))
    return AmountContrast(estimate, low, high, pair.p_value, pair.method)


def quantile_difference(
    x: FiniteSample,
    y: FiniteSample,
    share: Proportion = 0.5,
    conf_level: Level = 0.95,
    *,
    x_weights: Weights | None = None,
    y_weights: Weights | None = None,
    x_clusters: RowLabels | None = None,
    y_clusters: RowLabels | None = None,
) -> AmountContrast:
    """Compare a quantile of two samples: x less y; by default the median.

    The exact limits of order statistics, which hold under any ties, are combined (MOVER); under weights or clusters
    those of Woodruff.

    Parameters
    ----------
    x, y : array_like, shape (n,) and (m,)
        The amounts; finite.
    share : float
        Which quantile, in (0, 1).
    conf_level, x_weights, y_weights, x_clusters, y_clusters
        As in `mean_difference`.

    Returns
    -------
    AmountContrast
        In the unit of the amounts; NaN with its reason where a sample is too small for limits of this quantile.

    Raises
    ------
    InputError
        If an amount is missing or infinite, or weights or clusters do not fit.

    References
    ----------
    Zou & Donner (2008), Statistics in Medicine 27, 1693-1702; Woodruff (1952), JASA 47, 635-646.

    Examples
    --------
    >>> import fairstats as fs
    >>> result = fs.stats.quantile_difference(range(10, 40), range(15, 45))
    >>> result.estimate, round(result.low, 1), round(result.high, 1)
    (-5.0, -12.8, 2.8)
    """
    samples = _samples(x, y, x_weights, y_weights, x_clusters, y_clusters)
    return _quantiles(samples, share, conf_level, gap=False)


def quantile_gap(
    x: FiniteSample,
    y: FiniteSample,
    share: Proportion = 0.5,
    conf_level: Level = 0.95,
    *,
    x_weights: Weights | None = None,
    y_weights: Weights | None = None,
    x_clusters: RowLabels | None = None,
    y_clusters: RowLabels | None = None,
) -> AmountContrast:
    """By how much a quantile of x is below that of y, as a share of the latter; by default the median.

    Parameters
    ----------
    x, y : array_like, shape (n,) and (m,)
        The amounts, at least 0.
    share, conf_level, x_weights, y_weights, x_clusters, y_clusters
        As in `quantile_difference`.

    Returns
    -------
    AmountContrast
        Shares: 0.1 is 10% less. NaN with its reason where a quantile is not above 0.

    Raises
    ------
    InputError
        If an amount is missing or infinite, or weights or clusters do not fit.

    References
    ----------
    Zou & Donner (2008), Statistics in Medicine 27, 1693-1702, on the scale of logarithms.

    Examples
    --------
    >>> import fairstats as fs
    >>> round(fs.stats.quantile_gap(range(10, 40), range(15, 45)).estimate, 3)
    0.169
    """
    samples = _samples(x, y, x_weights, y_weights, x_clusters, y_clusters)
    return _quantiles(samples, share, conf_level, gap=True)


def _quantiles(samples: tuple[Scored, Scored, bool], share: float, conf_level: float, *, gap: bool) -> AmountContrast:
    one, other, sampled = samples
    pair = QuantilePair(Quantiles(one, sampled), Quantiles(other, sampled), share)
    if pair.reason:
        return _none(pair.reason)
    method = "Woodruff, MOVER" if sampled or one.clusters is not None else "order statistics, MOVER"
    if not gap:
        return AmountContrast(pair.difference, *pair.difference_limits(conf_level), pair.p_value, method)
    if _least(one, other) < 0 or not pair.ratio > 0:
        return _none(NO_RATIO if _least(one, other) < 0 else NOT_ABOVE_0)
    low, high = pair.ratio_limits(conf_level)
    return AmountContrast(1 - pair.ratio, 1 - high, 1 - low, pair.p_value, method)


def quarter_shares(samples: Samples) -> Floats:
    """The share of each sample in each quarter of all amounts together.

    People tied at the cut of two quarters are split in proportion.

    Parameters
    ----------
    samples : sequence of array_like
        The amounts of each group; finite.

    Returns
    -------
    ndarray, shape (groups, 4)
        Shares, from the lowest quarter to the highest; each row sums to 1.

    Raises
    ------
    InputError
        If an amount is missing or infinite.

    References
    ----------
    Directive (EU) 2023/970, article 3(1)(f): quartile pay band.

    Examples
    --------
    >>> import fairstats as fs
    >>> fs.stats.quarter_shares([[10, 10, 20], [20, 20, 30, 40, 50]]).round(3).tolist()
    [[0.667, 0.222, 0.111, 0.0], [0.0, 0.267, 0.333, 0.4]]
    """
    cells = [_sample("samples", x, None, None) for x in samples]
    values = np.concatenate([part.values for part in cells])
    quarters = Quarters.of(Quantiles(Scored(values, *(np.ones(values.size),) * 3)))
    return np.array([[quarters.membership(part.values, k).mean() for k in range(PARTS)] for part in cells])
