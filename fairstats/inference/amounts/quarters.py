"""Shares of groups in the quarters of everybody's amounts; people tied at a cut are split in proportion."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fairstats.inference.amounts.quantiles import Quantiles
from fairstats.inference.scores.merged import order_of
from fairstats.inference.scores.survey import Scored

Floats = NDArray[np.float64]

PARTS = 4


def until_cuts(values: Floats, until: Floats, cuts: Floats) -> Floats:
    """The weight below each cut, and up to it, of ascending values with the weight up to each."""
    ends = np.array([np.searchsorted(values, cuts, side) for side in ("left", "right")])
    return np.where(ends > 0, until[ends - 1], 0.0) if values.size else np.zeros(ends.shape)


@dataclass(frozen=True, eq=False)
class Quarters:
    """The cuts between the quarters, and which share of the people tied at each belongs below it.

    >>> quarters = Quarters.of(np.array([1.0, 2.0, 2.0, 2.0]), np.ones(4))
    >>> quarters.cuts.tolist(), quarters.below.round(3).tolist()
    ([1.0, 2.0, 2.0], [1.0, 0.333, 0.667])
    """

    cuts: Floats
    below: Floats

    @staticmethod
    def of(values: Floats, weight: Floats) -> Quarters:
        """Of everybody's amounts and weights."""
        order = order_of(values)
        until = np.cumsum(weight[order])
        wanted = until[-1] * np.arange(1, PARTS) / PARTS
        at = np.minimum(np.searchsorted(until, wanted * (1 - 1e-12)), values.size - 1)
        ascending = values[order]
        cuts = ascending[at]
        under, upto = until_cuts(ascending, until, cuts)
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
