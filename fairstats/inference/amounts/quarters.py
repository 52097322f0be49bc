"""Shares of groups in the quarters of everybody's amounts; people tied at a cut are split in proportion."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fairstats.inference.amounts.quantiles import Quantiles
from fairstats.inference.scores.survey import Scored

Floats = NDArray[np.float64]

PARTS = 4


def until_cuts(values: Floats, until: Sequence[float] | Floats, cuts: Floats) -> Floats:
    """The weight below each cut, and up to it, of ascending values with the weight up to each."""
    ends = (np.searchsorted(values, cuts, side) for side in ("left", "right"))
    return np.array([[until[end - 1] if end else 0.0 for end in side.tolist()] for side in ends])


@dataclass(frozen=True, eq=False)
class Quarters:
    """The cuts between the quarters, and which share of the people tied at each belongs below it.

    >>> one = np.ones(4)
    >>> quarters = Quarters.of(Quantiles(Scored(np.array([1.0, 2.0, 2.0, 2.0]), one, one, one)))
    >>> quarters.cuts.tolist(), quarters.below.round(3).tolist()
    ([1.0, 2.0, 2.0], [1.0, 0.333, 0.667])
    """

    cuts: Floats
    below: Floats

    @staticmethod
    def of(everybody: Quantiles) -> Quarters:
        """Of everybody's amounts."""
        values, until = everybody.ascending
        wanted = until[-1] * np.arange(1, PARTS) / PARTS
        cuts = values[[min(bisect_left(until, weight * (1 - 1e-12)), values.size - 1) for weight in wanted.tolist()]]
        under, upto = until_cuts(values, until, cuts)
        return Quarters(cuts, (wanted - under) / np.where(upto > under, upto - under, 1.0))

    def membership(self, values: Floats, quarter: int) -> Floats:
        """How much of each person is in a quarter, 0 the lowest."""
        return self._up_to(values, quarter) - self._up_to(values, quarter - 1)

    def _up_to(self, values: Floats, cut: int) -> Floats:
        if not 0 <= cut < PARTS - 1:
            return np.full(values.size, float(cut >= 0))
        return np.asarray((values < self.cuts[cut]) + self.below[cut] * (values == self.cuts[cut]))

    def events(self, sample: Quantiles) -> list[float]:
        """The people of a sample in each quarter."""
        under, upto = until_cuts(*sample.ascending, self.cuts)
        return np.diff([0.0, *(under + self.below * (upto - under)), sample.n]).tolist()

    def cells(self, sample: Scored, quarter: int) -> Scored:
        """A sample whose values are how much of each person is in a quarter."""
        membership = self.membership(sample.values, quarter)
        return replace(sample, values=membership)
