"""What a part of a gap is estimated from: people of two groups, and how far one unit of them moves each estimate."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtrit

Floats = NDArray[np.float64]
Integers = NDArray[np.intp]

BLOCK = 1 << 13  # rows at a time: a block of influences stays in cache


@dataclass(frozen=True, eq=False)
class Pair:
    """People of a group and of its reference: the reference's rows come first.

    y, weights: shape (n,).
    design: 1, the covariates centered and divided by their spread, and whether the person is of the group: shape
        (n, k + 2).
    start: the first row of the group.
    clusters: codes 0 to K - 1, shape (n,), or None where each person is a unit.
    shift: mean over spread of each column, so that ``Z + shift`` is proportional to the column itself, shape (k,).
    spread: shape (k,).
    """

    y: Floats
    design: Floats
    weights: Floats
    start: int
    clusters: Integers | None
    shift: Floats
    spread: Floats

    @property
    def sides(self) -> tuple[slice, slice]:
        """The rows of the group and of its reference."""
        return slice(self.start, len(self.y)), slice(0, self.start)

    @property
    def Z(self) -> Floats:
        """The covariates alone, shape (n, k)."""
        return self.design[:, 1:-1]

    @property
    def common(self) -> Floats:
        """The columns that all regressions have, shape (n, k + 1)."""
        return self.design[:, :-1]

    @cached_property
    def grams(self) -> tuple[Floats, Floats]:
        """Weighted products of all columns with each other, of the group and of its reference."""
        out = []
        for rows in self.sides:
            total = np.zeros((self.design.shape[1],) * 2)
            for block in blocks(rows):
                X = self.design[block]
                total += X.T @ (X * self.weights[block, None])
            out.append(total)
        return out[0], out[1]


def paired(
    y: Floats, X: Floats, member: NDArray[np.bool_], weights: Floats | None = None, clusters: Integers | None = None
) -> Pair:
    """Put the rows of the reference first, and the columns on one scale; ``member`` says who is of the group.

    >>> pair = paired(np.array([1.0, 2, 3]), np.array([[1.0], [2], [6]]), np.array([True, False, True]))
    >>> pair.start, pair.y.tolist(), pair.shift.round(3).tolist()
    (1, [2.0, 1.0, 3.0], [1.389])
    """
    order = np.concatenate([np.flatnonzero(~member), np.flatnonzero(member)])
    w = (np.ones(len(y)) if weights is None else weights)[order]
    share, start = w / w.sum(), int((~member).sum())
    design = np.ones((len(y), X.shape[1] + 2))
    design[:start, -1] = 0.0
    center, spread = np.empty(X.shape[1]), np.empty(X.shape[1])
    for j in range(X.shape[1]):
        column = X[order, j]
        center[j] = share @ column
        column -= center[j]
        spread[j] = np.sqrt(share @ column**2)
        if spread[j] <= 1e-12 * np.abs(center[j]):
            spread[j] = 0.0
        design[:, j + 1] = column / (spread[j] or 1.0)
    codes = None if clusters is None else np.unique(clusters[order], return_inverse=True)[1].ravel()
    return Pair(y[order], design, w, start, codes, center / np.where(spread > 0, spread, 1.0), spread)


def blocks(rows: slice) -> Iterator[slice]:
    """The same rows, some thousands at a time."""
    for first in range(rows.start, rows.stop, BLOCK):
        yield slice(first, min(first + BLOCK, rows.stop))


@dataclass(frozen=True, eq=False)
class Spread:
    """Covariance of estimates from the influence of units of the group and of the reference.

    of_group, of_reference: what each side's units add, shape (p, p); units of both sides are in the first.
    df: of each side.
    """

    of_group: Floats
    of_reference: Floats
    df: tuple[float, float]

    def of(self, jacobian: Floats) -> tuple[Floats, Floats]:
        """Standard errors and Welch and Satterthwaite's degrees of freedom of functions with these derivatives."""
        sides = [np.einsum("ij,jk,ik->i", jacobian, V, jacobian) for V in (self.of_group, self.of_reference)]
        group, reference = (np.maximum(v, 0.0) for v in sides)
        total = group + reference
        with np.errstate(invalid="ignore", divide="ignore"):
            df = total**2 / (group**2 / self.df[0] + reference**2 / self.df[1])
        return np.sqrt(total), np.where(total > 0, df, np.inf)


def spread_of(pair: Pair, raw: Callable[[slice, int], Floats], maps: tuple[Floats, Floats], columns: int) -> Spread:
    """Covariance of p estimates from the influence of every person, summed within clusters.

    raw: rows of one side and the side (0 for the group) to what each person brings, shape (rows, m).
    maps: of each side, what that moves of the estimates, shape (m, p).
    columns: of the regressions, which their degrees of freedom have less.
    """
    sides = pair.sides
    if pair.clusters is None:
        covariances = []
        for side, (rows, to) in enumerate(zip(sides, maps, strict=True)):
            total = np.zeros((len(to), len(to)))
            for block in blocks(rows):
                brought = raw(block, side)
                total += brought.T @ brought
            covariances.append(to.T @ total @ to)
        df = tuple(max(rows.stop - rows.start - columns, 1.0) for rows in sides)
        return Spread(covariances[0], covariances[1], (df[0], df[1]))
    moved = []
    for side, (rows, to) in enumerate(zip(sides, maps, strict=True)):
        sums = np.zeros((int(pair.clusters.max()) + 1, len(to)))
        for block in blocks(rows):
            np.add.at(sums, pair.clusters[block], raw(block, side))
        moved.append(sums @ to)
    present = [np.unique(pair.clusters[rows]) for rows in sides]
    if np.intersect1d(present[0], present[1]).size:
        whole = moved[0] + moved[1]
        return Spread(whole.T @ whole, np.zeros((whole.shape[1],) * 2), (max(len(whole) - 1.0, 1.0), 1.0))
    counts = [max(len(one) - 1.0, 1.0) for one in present]
    return Spread(moved[0].T @ moved[0], moved[1].T @ moved[1], (counts[0], counts[1]))


def gap_error(pair: Pair, moves: tuple[Floats, Floats]) -> tuple[float, float]:
    """Standard error and degrees of freedom of the gap of a statistic, where nothing else is estimated.

    moves: how far each person moves the statistic of the group and of its reference; of a mean, amounts less the mean.

    >>> pair = paired(np.array([1.0, 3, 4, 8]), np.zeros((4, 0)), np.array([False, False, True, True]))
    >>> round(gap_error(pair, (np.array([-2.0, 2]), np.array([-1.0, 1])))[0] ** 2, 12)  # 8 / 2 + 2 / 2
    5.0
    """

    def raw(block: slice, side: int) -> Floats:
        rows = pair.sides[side]
        units = rows.stop - rows.start if pair.clusters is None else len(np.unique(pair.clusters[rows]))
        share = np.sqrt(units / max(units - 1, 1)) * pair.weights[block] / pair.weights[rows].sum()
        out = np.zeros((len(share), 2))
        out[:, side] = share * moves[side][block.start - rows.start : block.stop - rows.start]
        return out

    error, df = spread_of(pair, raw, (np.eye(2), np.eye(2)), 1).of(np.array([[1.0, -1.0]]))
    return float(error[0]), float(df[0])


def limits(
    estimate: ArrayLike, std_error: ArrayLike, df: ArrayLike, conf_level: float, skewness: float = 0.0
) -> tuple[Floats, Floats]:
    """Limits by the t distribution, moved by the skewness of the estimate; with unknown df by the normal.

    >>> [round(float(end), 3) for end in limits(0.0, 1.0, 10.0, 0.95)]
    [-2.228, 2.228]
    """
    half = stdtrit(np.fmin(df, 1e6), (1 + conf_level) / 2)
    moved = skewness / 6 * (half**2 - 1)  # Cornish and Fisher
    return estimate - (half - moved) * std_error, estimate + (half + moved) * std_error


def derivatives(function: Callable[[NDArray[np.complex128]], NDArray[np.complex128]], at: Floats) -> Floats:
    """Exact derivatives of an algebraic function of real numbers, by a step into the complex plane.

    Returns: shape (outputs, inputs). Source: Squire & Trapp (1998), SIAM Review 40, 110-112.

    >>> derivatives(lambda v: np.array([v[0] * v[1], v[0] ** 2]), np.array([3.0, 4.0])).tolist()
    [[4.0, 3.0], [6.0, 0.0]]
    """
    columns = []
    for j in range(len(at)):
        step = at.astype(complex)
        step[j] += 1e-30j
        columns.append(function(step).imag / 1e-30)
    return np.stack(columns, axis=1)
