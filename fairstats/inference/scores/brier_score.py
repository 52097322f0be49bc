"""The Brier score of predicted probabilities, and the difference of two groups', with limits for skewed losses."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq

from fairstats.inference.scores.recalibration import probabilities
from fairstats.inference.skewness_t import LossSample, inference

NAN = float("nan")
FEW = 5  # people of one outcome below which the interval is called approximate
HALL = "mean, Student corrected for skewness (Hall)"
MOVER = "Hall limits combined (MOVER)"
LEAST_P = 1e-12
EQUAL = 1e-15  # losses that spread less are equal


class Brier(NamedTuple):
    """A Brier score with its standard error, interval and how the interval was made."""

    estimate: float
    std_error: float
    low: float
    high: float
    method: str


class BrierDifference(NamedTuple):
    """The difference of two Brier scores with its standard error, interval and two-sided p-value."""

    estimate: float
    std_error: float
    low: float
    high: float
    p_value: float


def brier(scores: ArrayLike, y: ArrayLike, conf_level: float = 0.95) -> Brier:
    """Estimate the Brier score, the mean squared difference of predicted probability and outcome, with an interval.

    Parameters
    ----------
    scores, y : array_like, shape (n,)
        Predicted probabilities in [0, 1], and outcomes 0 and 1.
    conf_level : float
        Confidence level.

    Returns
    -------
    Brier
        Student's interval of a mean with Hall's correction for skewness, cut at 0 and 1: where outcomes are rare a few
        losses are large, and Student's own interval covers 90 %. Where all losses are equal (to b, say) that would
        have no width: then a share q = (alpha/2)^(1/n) of people at least has that loss, so the mean lies within q b
        and 1 - q (1 - b) ("bound of equal losses").

    Raises
    ------
    InputError
        If a score is missing or outside [0, 1].

    References
    ----------
    Brier (1950), Verification of forecasts expressed in terms of probability; Hall (1992), On the removal of skewness
    by transformation, JRSS B 54, 221-228.

    Examples
    --------
    >>> import fairstats as fs
    >>> round(fs.stats.brier([0.1, 0.8, 0.6], [0, 1, 0]).estimate, 4)
    0.1367
    """
    p, outcome = probabilities(scores, y)
    return mean_loss((p - outcome) ** 2, conf_level)


def mean_loss(losses: ArrayLike, conf_level: float = 0.95) -> Brier:
    """The mean of losses between 0 and 1, with the limits of `brier`.

    Examples
    --------
    >>> made = mean_loss([0.01, 0.04, 0.36])
    >>> round(made.estimate, 4), made.low < made.estimate < made.high
    (0.1367, True)
    """
    return _limits(LossSample.of(losses, noise=EQUAL), conf_level)


def _limits(sample: LossSample, conf_level: float) -> Brier:
    """The limits from the moments of the losses, which are taken once however many levels are asked for."""
    n, mean = sample.n, sample.mean
    if n == 0:
        return Brier(NAN, NAN, NAN, NAN, "")
    if not sample.variance > 0:
        share = ((1 - conf_level) / 2) ** (1 / n)
        return Brier(mean, 0.0 if n > 1 else NAN, share * mean, 1 - share * (1 - mean), "bound of equal losses")
    made = inference(mean, (sample,), conf_level)
    return Brier(mean, made.std_error, max(0.0, min(made.low, mean)), min(1.0, max(made.high, mean)), HALL)


def brier_difference(ours: ArrayLike, theirs: ArrayLike, conf_level: float = 0.95) -> BrierDifference:
    """Estimate the difference of two groups' Brier scores from their losses.

    Parameters
    ----------
    ours, theirs : array_like, shape (n,), (m,)
        Losses (squared differences of probability and outcome) of the group and of the reference.
    conf_level : float
        Confidence level.

    Returns
    -------
    BrierDifference
        The limits of the two means are combined, so each side keeps its own skewness; p is one minus the level at
        which the interval ends at 0. NaN where a group has nobody.

    Notes
    -----
    Welch's interval covers 90 % of 60 people with rare outcomes against 500, and Hall's correction of the difference
    itself 91 % of 60 against 60, where the two skewnesses cancel in its estimate.

    References
    ----------
    Zou & Donner (2008), Statistics in Medicine 27, 1693-1702 (MOVER); Hall (1992), JRSS B 54, 221-228.

    Examples
    --------
    >>> made = brier_difference([0.01, 0.04, 0.36], [0.01, 0.09, 0.25])
    >>> round(made.estimate, 3), made.p_value > 0.5
    (0.02, True)
    """
    return loss_difference(LossSample.of(ours, noise=EQUAL), LossSample.of(theirs, noise=EQUAL), conf_level)


def loss_difference(own: LossSample, other: LossSample, conf_level: float = 0.95) -> BrierDifference:
    """The difference of two mean losses from the moments of both, as `brier_difference`.

    Examples
    --------
    >>> ours, theirs = LossSample.of([0.01, 0.04, 0.36]), LossSample.of([0.01, 0.09, 0.25])
    >>> round(loss_difference(ours, theirs).estimate, 3)
    0.02
    """
    if not own.n or not other.n:
        return BrierDifference(NAN, NAN, NAN, NAN, NAN)

    def limits(level: float) -> tuple[float, float]:
        a, b = _limits(own, level), _limits(other, level)
        gap = a.estimate - b.estimate
        below = float(np.hypot(a.estimate - a.low, b.high - b.estimate))
        return gap - below, gap + float(np.hypot(a.high - a.estimate, b.estimate - b.low))

    gap = own.mean - other.mean
    side = 0 if gap > 0 else 1

    def edge(p: float) -> float:
        return limits(1 - p)[side] * (1 if side == 0 else -1)

    p = 1.0
    if gap != 0 and edge(1 - 1e-9) > 0:
        p = LEAST_P if edge(LEAST_P) > 0 else float(brentq(edge, LEAST_P, 1 - 1e-9, xtol=1e-13))
    error = float(np.hypot(_limits(own, conf_level).std_error, _limits(other, conf_level).std_error))
    return BrierDifference(gap, error, *limits(conf_level), p)
