"""Shares of groups in the quarters of everybody's amounts; people tied at a cut are split in proportion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairstats.inference.scores.survey import Scored

Floats = NDArray[np.float64]

PARTS = 4


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
        distinct, place = np.unique(values, return_inverse=True)
        mass = np.bincount(place, weight)
        end = np.cumsum(mass)
        wanted = end[-1] * np.arange(1, PARTS) / PARTS
        at = np.minimum(np.searchsorted(end, wanted * (1 - 1e-12)), distinct.size - 1)
        return Quarters(distinct[at], (wanted - (end[at] - mass[at])) / np.where(mass[at] > 0, mass[at], 1.0))

    def membership(self, values: Floats, quarter: int) -> Floats:
        """How much of each person is in a quarter, 0 the lowest."""
        edges = [np.zeros(values.size), *map(self._up_to, [values] * (PARTS - 1), range(PARTS - 1))]
        edges.append(np.ones(values.size))
        return np.asarray(edges[quarter + 1] - edges[quarter])

    def _up_to(self, values: Floats, cut: int) -> Floats:
        return (values < self.cuts[cut]) + self.below[cut] * (values == self.cuts[cut])

    def cells(self, sample: Scored, quarter: int) -> Scored:
        """A sample whose values are how much of each person is in a quarter."""
        membership = self.membership(sample.values, quarter)
        return Scored(membership, sample.weight, sample.square, sample.people, sample.clusters)
