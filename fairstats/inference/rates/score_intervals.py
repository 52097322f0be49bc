"""Intervals of a difference and of a ratio of two rates that invert their score tests, for all pairs at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairstats.inference.rates.crossings import crossings, outermost_crossing
from fairstats.inference.rates.one_rate import counts, critical
from fairstats.inference.rates.score_statistics import difference_score_of, ratio_score_of

Floats = NDArray[np.float64]
Places = NDArray[np.intp]
Score = Callable[[Floats, Floats, Floats, Floats, Floats], Floats]
LOG_RATIO_BOUND = 60.0


def miettinen_nurminen(
    e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike, conf_level: ArrayLike = 0.95
) -> tuple[Floats, Floats]:
    """Return Miettinen and Nurminen's interval of p1 - p0: all differences that their score test does not reject.

    Parameters
    ----------
    e1, n1, e0, n0 : array_like
        Events and sizes of the group and of the reference (broadcast).
    conf_level : array_like
        Nominal coverage.

    Returns
    -------
    low, high : float or ndarray
        NaN where a size is 0.

    References
    ----------
    Miettinen & Nurminen (1985), Statistics in Medicine 4, 213-226, variance with N/(N - 1).

    Examples
    --------
    >>> import fairstats as fs
    >>> [round(float(v), 4) for v in fs.stats.miettinen_nurminen(56, 70, 48, 80)]
    [0.0528, 0.3382]
    """
    low, high = _difference_tests(e1, n1, e0, n0, conf_level).limits()
    return low[()], high[()]


def koopman(
    e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike, conf_level: ArrayLike = 0.95
) -> tuple[Floats, Floats]:
    """Return Koopman's score interval of the ratio p1 / p0, which needs no correction for zeros.

    Parameters
    ----------
    e1, n1, e0, n0 : array_like
        Events and sizes of the group and of the reference (broadcast).
    conf_level : array_like
        Nominal coverage.

    Returns
    -------
    low, high : float or ndarray
        `low` is 0 where e1 = 0 and `high` infinite where e0 = 0; NaN where a size is 0.

    References
    ----------
    Koopman (1984), Biometrics 40, 513-517; Gart & Nam (1988), Biometrics 44, 323-338.

    Examples
    --------
    >>> import fairstats as fs
    >>> [round(float(v), 3) for v in fs.stats.koopman(36, 40, 16, 80)]
    [2.94, 7.152]
    >>> [float(v) for v in fs.stats.koopman(0, 10, 0, 10)]
    [0.0, inf]
    """
    low, high = _ratio_tests(e1, n1, e0, n0, conf_level).limits()
    return np.exp(low)[()], np.exp(high)[()]


def outermost_limits(
    e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike, conf_level: ArrayLike, contrast: str
) -> tuple[float, float]:
    """Of many pairs the largest lower and the largest upper limit of differences; of ratios the smallest ones.

    They are the limits of the largest difference and of the smallest ratio. Few intervals are solved: the score of
    the others at the largest limit so far tells whether theirs lies beyond it.

    Parameters
    ----------
    e1, n1, e0, n0, conf_level : array_like
        As in `miettinen_nurminen` and `koopman`.
    contrast : {"difference", "ratio"}
        Which of the two.

    Returns
    -------
    low, high : float
        NaN where all pairs have an empty group.

    Examples
    --------
    >>> [round(v, 3) for v in outermost_limits([3, 5], 10, 5, 10, 0.95, "difference")]
    [-0.41, 0.41]
    """
    if contrast == "difference":
        return _difference_tests(e1, n1, e0, n0, conf_level).outermost(True)
    low, high = _ratio_tests(e1, n1, e0, n0, conf_level).outermost(False)
    return float(np.exp(low)), float(np.exp(high))


@dataclass(frozen=True)
class _ScoreTests:
    """Score tests to be inverted: each score falls through its critical value, and later through minus that."""

    score: Score
    table: tuple[Floats, ...]
    critical: Floats
    low: tuple[Floats, Floats]  # between which the lower limit lies
    high: tuple[Floats, Floats]
    guess: Floats
    error: Floats

    def limits(self) -> tuple[Floats, Floats]:
        both = [np.concatenate(v) for v in zip(self._side(self.low, 1), self._side(self.high, -1), strict=True)]
        shape = self.guess.shape
        low, high = crossings(self._score(both), *both[5:]).reshape(2, *shape)
        return low, high

    def outermost(self, largest: bool) -> tuple[float, float]:
        sides = self._side(self.low, 1), self._side(self.high, -1)
        low, high = (outermost_crossing(self._score(side), *side[5:], largest=largest) for side in sides)
        return low, high

    def _side(self, bracket: tuple[Floats, Floats], sign: int) -> list[Floats]:
        """Tables, the value to cross, the bracket, a guess and a scale, flat."""
        guess = self.guess - sign * self.critical * self.error
        return [v.ravel() for v in (*self.table, sign * self.critical, *bracket, guess, self.error)]

    def _score(self, side: list[Floats]) -> Callable[[Floats, Places], Floats]:
        e1, n1, e0, n0, target = side[:5]
        return lambda t, at: self.score(e1[at], n1[at], e0[at], n0[at], t) - target[at]


def _difference_tests(e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike, conf_level: ArrayLike) -> _ScoreTests:
    e1, n1, e0, n0, level = counts(e1, n1, e0, n0, conf_level)
    with np.errstate(divide="ignore", invalid="ignore"):
        gap = e1 / n1 - e0 / n0
    p1, p0 = (e1 + 0.5) / (n1 + 1), (e0 + 0.5) / (n0 + 1)
    error = np.sqrt(p1 * (1 - p1) / (n1 + 1) + p0 * (1 - p0) / (n0 + 1))
    low, high = (np.full(gap.shape, -1.0), gap), (gap, np.full(gap.shape, 1.0))
    return _ScoreTests(difference_score_of, (e1, n1, e0, n0), np.asarray(critical(level)), low, high, p1 - p0, error)


def _ratio_tests(e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike, conf_level: ArrayLike) -> _ScoreTests:
    """On the logarithmic scale; without events on a side the limit there is infinite."""
    e1, n1, e0, n0, level = counts(e1, n1, e0, n0, conf_level)
    with np.errstate(divide="ignore", invalid="ignore"):
        center = np.nan_to_num(np.log(e1 / n1) - np.log(e0 / n0))
    center = np.where((n1 > 0) & (n0 > 0), np.clip(center, -LOG_RATIO_BOUND, LOG_RATIO_BOUND), np.nan)
    bound = np.full(center.shape, LOG_RATIO_BOUND)
    p1, p0 = (e1 + 0.5) / (n1 + 1), (e0 + 0.5) / (n0 + 1)
    error = np.sqrt((1 - p1) / (p1 * (n1 + 1)) + (1 - p0) / (p0 * (n0 + 1)))
    known = ~np.isnan(center)
    low, below = (np.where((e1 > 0) | ~known, end, -np.inf) for end in (-bound, center))
    above, high = (np.where((e0 > 0) | ~known, end, np.inf) for end in (center, bound))
    guess, z = np.log(p1 / p0), np.asarray(critical(level))
    return _ScoreTests(_log_ratio_score, (e1, n1, e0, n0), z, (low, below), (above, high), guess, error)


def _log_ratio_score(e1: Floats, n1: Floats, e0: Floats, n0: Floats, log_ratio: Floats) -> Floats:
    return ratio_score_of(e1, n1, e0, n0, np.exp(log_ratio))
