"""Two samples of scores by stratum, each stratum sorted together once, and what is left of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairstats.inference.scores.merged_samples import Blocks, Floats, merge


@dataclass(frozen=True, eq=False)
class StratifiedBlocks:
    """The strata in which both samples have scores.

    Attributes
    ----------
    parts : tuple of Blocks
        One a stratum.
    left_out : (float, float)
        People of either sample in strata that the other is absent from.
    """

    parts: tuple[Blocks, ...]
    left_out: tuple[float, float] = (0.0, 0.0)

    @cached_property
    def n(self) -> Floats:
        """People of the first sample, by stratum."""
        return np.array([part.n for part in self.parts])

    @cached_property
    def m(self) -> Floats:
        """People of the second sample, by stratum."""
        return np.array([part.m for part in self.parts])

    @cached_property
    def effects(self) -> Floats:
        """P(X>Y) + P(X=Y)/2, by stratum."""
        return np.array([part.u() for part in self.parts]) / (self.n * self.m)

    @cached_property
    def share(self) -> Floats:
        """What each stratum weighs: n m / (n + m + 1), as in van Elteren's test."""
        weight = self.n * self.m / (self.n + self.m + 1)
        return np.asarray(weight / weight.sum())


def in_strata(x: ArrayLike, y: ArrayLike, x_strata: ArrayLike, y_strata: ArrayLike) -> StratifiedBlocks:
    """Sort two samples together, stratum by stratum.

    Parameters
    ----------
    x, y : array_like, shape (n,) and (m,)
        Scores of the two samples.
    x_strata, y_strata : array_like, shape (n,) and (m,)
        Their strata.

    Returns
    -------
    StratifiedBlocks

    Examples
    --------
    >>> made = in_strata([1, 3, 9], [2, 4], ["a", "a", "b"], ["a", "a"])
    >>> made.effects.tolist(), made.left_out
    ([0.25], (1.0, 0.0))
    """
    (own, own_strata), (base, base_strata) = _sorted(x, x_strata), _sorted(y, y_strata)
    labels = np.intersect1d(own_strata, base_strata)
    starts = [np.searchsorted(s, labels, side) for s in (own_strata, base_strata) for side in ("left", "right")]
    parts = tuple(merge(own[a:b], base[c:d]) for a, b, c, d in zip(*starts, strict=True))
    kept = sum(part.n for part in parts), sum(part.m for part in parts)
    return StratifiedBlocks(parts, (own.size - kept[0], base.size - kept[1]))


def _sorted(values: ArrayLike, strata: ArrayLike) -> tuple[Floats, NDArray[np.generic]]:
    codes = np.asarray(strata).ravel()
    order = np.argsort(codes, kind="stable")
    return np.asarray(values, dtype=float).ravel()[order], codes[order]
