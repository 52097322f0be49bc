"""Whether scores are right on average: the mean of outcome less score, with limits from the law of the outcomes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.special import betainc

from fairstats.language import message

Floats = NDArray[np.float64]
METHOD = message("Poisson-binomial distribution of the outcomes, largest of correlated normals")
ONE_GROUP = message("Poisson-binomial distribution of the outcomes")
GROUPED = 64  # scores that are told apart: of more people, neighbors share their mean
LEAST = 1e-13  # what is less likely the Fourier sum does not see


@dataclass(frozen=True, eq=False)
class SumOfOutcomes:
    """How many of some people have the outcome, where each has it with the chance that the score says.

    n, mean: how many people, and their mean score.
    first, chance: the chances of as many outcomes as `first`, one more, ...: all that are larger than `LEAST`.

    >>> law = SumOfOutcomes.of(np.array([0.5, 1.0]), np.array([2.0, 1.0]))
    >>> law.n, law.first, law.chance.round(3).tolist()
    (3, 1, [0.25, 0.5, 0.25])
    """

    n: int
    mean: float
    first: int
    chance: Floats

    @classmethod
    def of(cls, scores: Floats, people: Floats) -> SumOfOutcomes:
        """The law of people with these scores, ascending, so many of each.

        Of more than `GROUPED` scores, neighbors share their mean score: the variance grows by that within them.
        """
        n, total = int(people.sum()), float(people @ scores)
        mean = min(total / n, 1.0)
        if scores.size > GROUPED:
            place = np.cumsum(people) - people
            starts = np.unique(np.searchsorted(place, np.linspace(0, n, GROUPED + 1)[:-1]))
            starts = starts[starts < scores.size]
            people, sums = np.add.reduceat(people, starts), np.add.reduceat(people * scores, starts)
            scores = np.clip(sums / people, 0, 1)
        reach = 26 + 9 * np.sqrt(people @ (scores * (1 - scores)))  # Bernstein's inequality: what is beyond is 1e-17
        first, last = max(0, int(total - reach)), min(n, int(total + reach) + 1)
        turn = np.exp(2j * np.pi * np.arange(last - first + 1) / (last - first + 1))
        transform = np.ones(turn.size, dtype=complex)
        for score, count in zip(scores, people, strict=True):
            transform *= (1 - score + score * turn) ** int(count)
        chance = np.fft.fft(transform * turn**-first).real / turn.size
        some = np.flatnonzero(chance > LEAST)
        return cls(n, mean, first + int(some[0]), chance[some[0] : some[-1] + 1].clip(min=0))

    @cached_property
    def mirrored(self) -> SumOfOutcomes:
        """The law of how many do not have the outcome."""
        last = self.first + self.chance.size - 1
        return SumOfOutcomes(self.n, 1 - self.mean, self.n - last, self.chance[::-1])

    def at_least(self, events: int, residual: float) -> float:
        """The chance of so many outcomes, or more, where the mean residual is not 0.

        residual: in [-mean, 1 - mean]. Above 0 everybody without the outcome has it after all with one chance, below 0
            everybody with it loses it with one chance: such chances exist for every residual, scores of 0 and of 1
            included, and they are more alike than the scores, so that the variance is not too small.
        """
        x = self.first + np.arange(self.chance.size)
        if events <= 0:
            return 1.0
        if residual >= 0:
            more = min(residual / (1 - self.mean), 1.0) if residual else 0.0
            gained = np.ones(x.size)
            gained[x < events] = betainc(events - x[x < events], self.n - events + 1, more)
        else:
            stay = max(1 + residual / self.mean, 0.0)
            gained = np.zeros(x.size)
            gained[x >= events] = betainc(events, x[x >= events] - events + 1, stay)
        return min(float(self.chance @ gained), 1.0)

    def lower(self, events: int, tail: float) -> float:
        """The largest residual at which so many outcomes, or more, are as unlikely as the tail."""
        if events == 0:
            return -self.mean
        limit = scipy.optimize.brentq(lambda r: self.at_least(events, r) - tail, -self.mean, 1 - self.mean, xtol=1e-11)
        return cast("float", limit)


def residual_limits(law: SumOfOutcomes, events: int, tail: float) -> tuple[float, float]:
    """Limits of the mean residual (outcome less score) of people.

    law: of the number of outcomes, where the scores are right.
    events: how many have the outcome.
    tail: the chance that each limit may err.
    Returns low, high: they leave 0 out exactly where the law says that so many, or so few, outcomes are less likely
        than the tail.

    >>> law = SumOfOutcomes.of(np.array([0.2, 0.4]), np.array([30.0, 20.0]))
    >>> [round(limit, 3) for limit in residual_limits(law, 24, 0.025)]
    [0.059, 0.345]
    """
    return law.lower(events, tail), -law.mirrored.lower(law.n - events, tail)


def residual_p(law: SumOfOutcomes, events: int, margin: float = 0.0) -> float:
    """p-value of the hypothesis that the mean residual is within a margin of 0: the limits turned round.

    law, events: as in `residual_limits`.
    margin: the largest residual, to either side, that is no disparity.

    >>> law = SumOfOutcomes.of(np.array([0.5]), np.array([10.0]))
    >>> round(residual_p(law, 9), 4)  # that of a fair coin
    0.0215
    """
    above = law.at_least(events, margin) if margin < 1 - law.mean or not margin else 1.0
    below = law.mirrored.at_least(law.n - events, margin) if margin < law.mean or not margin else 1.0
    return min(max(2 * min(above, below), LEAST), 1.0)
