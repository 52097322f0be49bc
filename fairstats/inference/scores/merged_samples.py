"""Two samples sorted together once: every rank statistic is a sum over the blocks of equal values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairstats.errors import InputError

Floats = NDArray[np.float64]
FEW_RUNS = 256


@dataclass(frozen=True)
class Blocks:
    """The distinct values of two samples, ascending, with how many (or how much weight) of each sample sit there."""

    values: Floats
    x: Floats
    y: Floats

    @cached_property
    def n(self) -> float:
        """Size (or weight) of the first sample."""
        return float(self.x.sum())

    @cached_property
    def m(self) -> float:
        """Size (or weight) of the second sample."""
        return float(self.y.sum())

    @property
    def sizes(self) -> Floats:
        """Size of each block: 1 where a value is unique."""
        return self.x + self.y

    @property
    def tied(self) -> bool:
        """Whether any value occurs twice."""
        return bool(np.any(self.sizes > 1))

    def place_x(self) -> Floats:
        """At each value: the share of y below it plus half the share equal to it."""
        return (np.cumsum(self.y) - self.y / 2) / self.m

    def place_y(self) -> Floats:
        """At each value: the share of x above it plus half the share equal to it."""
        return (self.n - np.cumsum(self.x) + self.x / 2) / self.n

    def u(self) -> float:
        """Mann-Whitney's U of x: pairs with x above y, ties counting one half (R's W)."""
        return self._u

    @cached_property
    def _u(self) -> float:
        return float(self.x @ (np.cumsum(self.y) - self.y / 2))


@dataclass(frozen=True)
class RankTest:
    """A rank test: its statistic, two-sided p-value, and how the p-value was computed."""

    statistic: float
    p_value: float
    method: str


def merge(x: ArrayLike, y: ArrayLike, x_weights: ArrayLike | None = None, y_weights: ArrayLike | None = None) -> Blocks:
    """Sort two samples together, once.

    Parameters
    ----------
    x, y : array_like, shape (n,) and (m,)
        The samples; infinities are allowed, missing values are not.
    x_weights, y_weights : array_like, optional
        Weights of the observations; one each by default.

    Returns
    -------
    Blocks

    Raises
    ------
    InputError
        If a value is missing.

    Examples
    --------
    >>> b = merge([3, 1], [1, 2])
    >>> b.values.tolist(), b.x.tolist(), b.y.tolist()
    ([1.0, 2.0, 3.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0])
    """
    a, b = np.asarray(x, dtype=float).ravel(), np.asarray(y, dtype=float).ravel()
    values = np.concatenate([a, b])
    if values.size == 0:
        return Blocks(values, values, values)
    order = order_of(values)
    ordered = values[order]
    if np.isnan(ordered[-1]):  # missing values sort last
        raise InputError(
            f"x and y have {int(np.isnan(values).sum())} missing values; ranks need numbers; drop those rows."
        )
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    if x_weights is None and y_weights is None:
        if starts.size == values.size:
            alone = (order < a.size).astype(float)
            return Blocks(ordered, alone, 1 - alone)
        # whole counts from one cumulative sum: cheaper than adding floats
        until = np.concatenate([[0], np.cumsum(order < a.size)])
        ends = np.append(starts[1:], values.size)
        in_x = (until[ends] - until[starts]).astype(float)
        return Blocks(ordered[starts], in_x, (ends - starts) - in_x)
    heavy = np.concatenate([_weights(x_weights, a.size), np.zeros(b.size)])[order]
    light = np.concatenate([np.zeros(a.size), _weights(y_weights, b.size)])[order]
    return Blocks(ordered[starts], np.add.reduceat(heavy, starts), np.add.reduceat(light, starts))


def order_of(values: Floats) -> NDArray[np.intp]:
    """An order of ascending values: where they are a few ascending runs, as tallies hold them, these are merged.

    Examples
    --------
    >>> order_of(np.array([1.0, 4.0, 0.0, 2.0])).tolist()
    [2, 0, 3, 1]
    """
    runs = 1 + int(np.count_nonzero(values[1:] < values[:-1]))
    return np.argsort(values, kind="stable" if runs <= FEW_RUNS else "quicksort")


def _weights(weights: ArrayLike | None, size: int) -> Floats:
    return np.ones(size) if weights is None else np.asarray(weights, dtype=float).ravel()
