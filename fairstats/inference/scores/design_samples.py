"""Samples of scores under weights and clusters, and what each observation adds to P(X>Y)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairstats.inference.rates.design_sums import bessel
from fairstats.inference.scores.merged_samples import Floats, merge

NAN = float("nan")


@dataclass(frozen=True, eq=False)
class Scored:
    """A sample of scores, in cells of people who have the same score (and cluster).

    Attributes
    ----------
    values : ndarray, shape (c,)
        The scores.
    weight, square : ndarray, shape (c,)
        Summed weights of a cell, and summed squares of the weights.
    people : ndarray, shape (c,)
        People of a cell.
    clusters : ndarray of int, shape (c,), optional
        Codes of the clusters, the same in all samples of a design.
    """

    values: Floats
    weight: Floats
    square: Floats
    people: Floats
    clusters: NDArray[np.int64] | None = None

    def take(self, keep: NDArray[Any]) -> Scored:
        """Some of the cells; those without weight are left out."""
        kept = np.arange(self.values.size)[keep]
        kept = kept[self.weight[kept] > 0]
        clusters = None if self.clusters is None else self.clusters[kept]
        return Scored(self.values[kept], self.weight[kept], self.square[kept], self.people[kept], clusters)

    @property
    def total(self) -> float:
        """Summed weights."""
        return float(self.weight.sum())

    @property
    def share(self) -> Floats:
        """Of the weight, by cell."""
        return self.weight / self.weight.sum()

    @property
    def kish(self) -> float:
        """Effective size of the weights."""
        return float(self.weight.sum() ** 2 / self.square.sum())

    def variances(self, influence: Floats) -> tuple[float, float]:
        """Of a mean of independent people, from what each cell adds to it: linearized, and not below Kish's."""
        n = float(self.people.sum())
        if n <= 1:
            return NAN, NAN
        a = influence / self.share
        linearized = bessel(round(n)) * float((self.square / self.total**2) @ (a * a))
        return linearized, max(linearized, bessel(round(n)) * float(self.share @ (a * a)) / self.kish)


def influence(x: Floats, y: Floats, v: Floats, w: Floats) -> tuple[float, tuple[Floats, Floats]]:
    """The probability of superiority, and what each observation adds to it (linearized), for shares v and w.

    Examples
    --------
    >>> theta, (of_x, of_y) = influence(np.array([1.0, 3.0]), np.array([2.0]), np.full(2, 0.5), np.ones(1))
    >>> theta, of_x.tolist(), of_y.tolist()
    (0.5, [-0.25, 0.25], [0.0])
    """
    blocks = merge(x, y, v, w)
    theta = float(blocks.u())
    of_x = v * (blocks.place_x()[np.searchsorted(blocks.values, x)] - theta)
    of_y = w * (blocks.place_y()[np.searchsorted(blocks.values, y)] - theta)
    return theta, (of_x, of_y)
