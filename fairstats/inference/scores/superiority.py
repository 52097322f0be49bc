"""The probability that a score of one group exceeds one of another: interval and standard error."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import ndtri

from fairstats.inference.scores.merged_samples import Blocks, Floats, merge

NAN = float("nan")


class Superiority(NamedTuple):
    """An estimated probability (or Cliff's delta) with its standard error and interval."""

    estimate: float
    std_error: float
    low: float
    high: float


def superiority(x: ArrayLike, y: ArrayLike, conf_level: float = 0.95) -> Superiority:
    """Estimate the probability that a random x exceeds a random y, P(X>Y) + P(X=Y)/2, with Newcombe's interval.

    Parameters
    ----------
    x, y : array_like, shape (n,) and (m,)
        The two samples.
    conf_level : float
        Confidence level.

    Returns
    -------
    Superiority
        ``(estimate, std_error, low, high)``. The standard error is DeLong's (NaN with one observation in a sample);
        the interval is Newcombe's method 5, never of zero width, which holds for samples down to one against one.

    References
    ----------
    Newcombe (2006), Confidence intervals for an effect size measure based on the Mann-Whitney statistic, part 2,
    method 5. R: ``auRoc::auc.nonpara.mw(method = "newcombe")``.

    Examples
    --------
    >>> import fairstats as fs
    >>> [round(v, 4) for v in fs.stats.superiority([1.1, 2.2, 3.3], [0.4, 0.5, 2.0])]
    [0.8889, 0.1571, 0.401, 0.9884]
    """
    return superiority_of(merge(x, y), conf_level)


def superiority_of(blocks: Blocks, conf_level: float = 0.95) -> Superiority:
    """The probability of superiority of two samples already merged.

    Parameters
    ----------
    blocks : Blocks
        The samples.
    conf_level : float
        Confidence level.

    Returns
    -------
    Superiority

    Examples
    --------
    >>> superiority_of(merge([1, 2], [3, 4])).estimate
    0.0
    """
    n, m = blocks.n, blocks.m
    if min(n, m) == 0:
        return Superiority(NAN, NAN, NAN, NAN)
    theta = blocks.u() / (n * m)
    return Superiority(theta, float(np.sqrt(sum(placement_variances(blocks)))), *newcombe_auc(theta, n, m, conf_level))


def placement_variances(blocks: Blocks) -> tuple[float, float]:
    """The two parts of the variance of U/(nm), one from each sample (DeLong's S10/n and S01/m; Brunner-Munzel's too).

    Parameters
    ----------
    blocks : Blocks
        Two samples, merged.

    Returns
    -------
    (float, float)
        NaN for a sample of one.

    Examples
    --------
    >>> placement_variances(merge([1, 3], [2, 4]))
    (0.0625, 0.0625)
    """
    return _variance(blocks.place_x(), blocks.x), _variance(blocks.place_y(), blocks.y)


def _variance(places: Floats, counts: Floats) -> float:
    size = counts.sum()
    if size <= 1:
        return NAN
    centered = places - counts @ places / size
    return float(counts @ (centered * centered) / (size - 1) / size)


def newcombe_auc(theta: float, n: float, m: float, conf_level: float = 0.95) -> tuple[float, float]:
    """Return Newcombe's interval (method 5) for P(X>Y) + P(X=Y)/2, from the estimate and the sample sizes alone.

    The limits solve (theta - estimate)^2 = z^2 V(theta), V being Hanley and McNeil's variance under an exponential
    model with both sizes in its numerator replaced by their mean.

    Parameters
    ----------
    theta : float
        The estimate, in [0, 1].
    n, m : float
        Sizes of the samples.
    conf_level : float
        Confidence level.

    Returns
    -------
    (float, float)
        The limits; at 0 and 1 one of them is the estimate itself, the other is not.

    References
    ----------
    Newcombe (2006), Statistics in Medicine 25:559-573, method 5.

    Examples
    --------
    >>> import fairstats as fs
    >>> [round(v, 4) for v in fs.stats.newcombe_auc(1.0, 10, 10)]
    [0.8002, 1.0]
    """
    # the variance is the same at theta and at 1 - theta
    return _newcombe_low(theta, n, m, conf_level), 1 - _newcombe_low(1 - theta, n, m, conf_level)


def _newcombe_low(theta: float, n: float, m: float, conf_level: float) -> float:
    z2 = float(ndtri((1 + conf_level) / 2)) ** 2 / (n * m)
    star = (n + m) / 2 - 1

    def spread(t: float) -> float:
        """The variance over 1 - t."""
        return z2 * t * (1 + star * (1 - t) / (2 - t) + star * t / (1 + t))

    if theta <= 0:
        return 0.0
    if theta >= 1:  # t = 1 solves the equation too; divided by 1 - t it is the other root that counts
        return float(brentq(lambda t: (1 - t) - spread(t), 0.0, 1.0, xtol=1e-15, rtol=1e-14))
    return float(brentq(lambda t: (theta - t) ** 2 - (1 - t) * spread(t), 0.0, theta, xtol=1e-15, rtol=1e-14))


def cliffs_delta(x: ArrayLike, y: ArrayLike, conf_level: float = 0.95) -> Superiority:
    """Estimate Cliff's delta, P(X>Y) - P(X<Y): the probability of superiority on the scale from -1 to 1.

    Parameters
    ----------
    x, y : array_like, shape (n,) and (m,)
        The two samples.
    conf_level : float
        Confidence level.

    Returns
    -------
    Superiority
        ``(estimate, std_error, low, high)``; the interval is Newcombe's, transformed.

    References
    ----------
    Cliff (1993), Dominance statistics.

    Examples
    --------
    >>> import fairstats as fs
    >>> fs.stats.cliffs_delta([2, 3], [1, 1]).estimate
    1.0
    """
    theta, se, low, high = superiority(x, y, conf_level)
    return Superiority(2 * theta - 1, 2 * se, 2 * low - 1, 2 * high - 1)
