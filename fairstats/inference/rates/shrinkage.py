"""Rates of many groups drawn toward their mean: empirical Bayes estimates, limits for any law of the true rates."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri

from fairstats.language import message

Floats = NDArray[np.float64]
METHOD = message("empirical Bayes toward the mean of all groups, robust limits that hold on average over the groups")
POINTS = 200  # places of the farther of two biases that are tried, around the critical value and elsewhere


def missed(square: ArrayLike, critical: float) -> Floats:
    """The chance that a normal variable of variance 1 and such a squared mean is farther from 0 than a value."""
    bias = np.sqrt(square)
    return np.asarray(ndtr(bias - critical) + ndtr(-bias - critical))


def most_missed(m2: float, kurtosis: float, critical: float) -> float:
    """The largest mean chance to be missed, over all laws of biases of a second moment and at most a kurtosis.

    It is that of two biases: squares x0 < m2 < x1 with (m2 - x0)(x1 - m2) = (k - 1) m2^2, of a kurtosis k that the
    bound allows. (The dual is a parabola over the curve of `missed`, which touches it twice.)
    """
    alone = float(missed(m2, critical))
    if kurtosis <= 1:
        return alone

    def mean_of(farther: Floats) -> Floats:
        nearer = np.maximum(m2 - (kurtosis - 1) * m2**2 / (farther - m2), 0)  # at 0 the kurtosis is below the bound
        share = (m2 - nearer) / (farther - nearer)
        return np.asarray(share * missed(farther, critical) + (1 - share) * missed(nearer, critical))

    near_critical = (critical + np.linspace(-5, 10, POINTS)) ** 2
    places = np.sort(np.concatenate([near_critical, m2 + (1 + m2) * np.geomspace(1e-3, 1e3, POINTS)]))
    places = places[places > m2]
    best = int(mean_of(places).argmax())
    around = np.linspace(places[max(best - 1, 0)], places[min(best + 1, places.size - 1)], POINTS)
    return max(alone, float(mean_of(around).max()))


def robust_critical(m2: float, kurtosis: float = np.inf, alpha: float = 0.05) -> float:
    """The critical value of limits that hold on average over groups, whatever the law of their biases.

    m2, kurtosis: second moment of the bias in standard errors, and the most that its fourth moment is of the square.
    alpha: the share of groups that may be missed.

    Source: Armstrong, Kolesar & Plagborg-Moller (2022), Econometrica 90, 2567-2602.

    >>> round(robust_critical(0.0), 3), round(robust_critical(1.0, kurtosis=3.0), 3)
    (1.96, 2.812)
    """
    if m2 == 0:
        return float(-ndtri(alpha / 2))
    most = np.sqrt((1 + m2) / alpha)  # Chebyshev's
    return float(
        scipy.optimize.brentq(
            lambda c: most_missed(m2, kurtosis, c) - alpha, -ndtri(alpha / 2) / 2, most + 1, xtol=1e-9
        )
    )


class Shrunken(NamedTuple):
    """Rates drawn toward their mean, with what they were drawn by."""

    estimate: Floats
    low: Floats
    high: Floats
    kept: Floats  # of the distance of each group from the mean
    mean: float
    spread: float  # standard deviation of the true rates


def shrunken(events: ArrayLike, n: ArrayLike, conf_level: float = 0.95) -> Shrunken:
    """Empirical Bayes estimates of the rates of many groups, with robust limits.

    events, n: of each group, shape (G,).
    Returns: of every group its rate drawn toward the mean, the more the fewer people it has; the limits hold for a
        share `conf_level` of the groups, on average, not for each of them: where the true rate of one is far from the
        others, its own limits miss it more often.

    Each rate has the variance that it would have at the common mean. Mean, variance and kurtosis of the true rates are
    moments of all groups, weighted by their people; the variance is not below what chance alone would show, nor the
    kurtosis below that of a normal law. Beyond the source, limits have the variance at the estimate where that is
    larger, and those of the common mean and of how far rates are drawn, which few groups tell: of few people, and of
    few groups, they then hold better (docs/verdicts.md).

    Source: Armstrong, Kolesar & Plagborg-Moller (2022), Econometrica 90, 2567-2602; of the last, Morris (1983), Journal
    of the American Statistical Association 78, 47-55.

    >>> result = shrunken([9, 30, 28, 1, 60], [10, 60, 70, 10, 100])
    >>> result.estimate.round(2).tolist()
    [0.65, 0.5, 0.42, 0.36, 0.59]
    """
    e, size = np.asarray(events, dtype=float), np.asarray(n, dtype=float)
    rate, mean = e / size, float(e.sum() / size.sum())
    chance = (e.sum() + 0.5) / (size.sum() + 1)  # never 0 or 1, which would leave nothing to chance
    variance, weight = chance * (1 - chance) / size, size / size.sum()
    distance = rate - mean
    second = max(float(weight @ (distance**2 - variance)), float(2 * (weight**2 @ variance**2) / (weight @ variance)))
    fourth = float(weight @ (distance**4 - 6 * variance * distance**2 + 3 * variance**2)) / second**2
    least = 1 + 32 * float(weight**2 @ variance**4) / (second**2 * float(weight @ variance**2))
    kept = second / (second + variance)
    estimate = mean + kept * distance
    critical = np.array([robust_critical(m2, max(fourth, least, 3.0), 1 - conf_level) for m2 in variance / second])
    of_mean = float(weight**2 @ (second + variance))
    of_spread = 2 / max(size.size - 3, 1) * distance**2
    half = np.hypot(
        critical * kept * np.sqrt(np.maximum(variance, estimate * (1 - estimate) / size)),
        (1 - kept) * np.sqrt(of_mean + of_spread) * ndtri((1 + conf_level) / 2),
    )
    low, high = np.clip(estimate - half, 0, 1), np.clip(estimate + half, 0, 1)
    return Shrunken(estimate, low, high, kept, mean, float(np.sqrt(second)))
