"""Scores of very many distinct values on a grid that is the same however the rows are parted.

Level k of the grid has the points j·2⁻ᵏ and the open bins between them. A score on a point stays what it is; one within
a bin becomes the bin's middle. Each level is a function of the finer ones, so that what several parts have is put on
the coarsest of their levels and is then what the whole would be. Level `EXACT` changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
MOST_VALUES = 1 << 20  # distinct scores that are kept as they are
EXACT, COARSEST = 1075, -1024
NEARLY_ALL = 0.95
BLOCK = 1 << 15
MOST_BITS = 52  # a float beyond 2^(52 − k) is on a point of level k


def snapped(values: Floats, level: int, cut: float | None = None) -> Floats:
    """Return scores on a level of the grid.

    values: scores, or scores on a finer level; missing ones are NaN, shape (n,).
    level: points are multiples of 2^−level.
    cut: a threshold: its bin is two bins, so that nobody changes sides.
    Returns: shape (n,).

    >>> snapped(np.array([0.0, 0.3, 0.5, 0.9]), 1).tolist()
    [0.0, 0.25, 0.5, 0.75]
    >>> snapped(np.array([0.1, 0.3, 0.4]), 1, cut=0.3).tolist()
    [0.15, 0.4, 0.4]
    """
    if level >= EXACT:
        return values
    if values.size <= BLOCK:
        return _snapped(values, level, cut)
    result = np.empty(values.size)  # in blocks that stay in cache
    for start in range(0, values.size, BLOCK):
        result[start : start + BLOCK] = _snapped(values[start : start + BLOCK], level, cut)
    return result


def _snapped(values: Floats, level: int, cut: float | None) -> Floats:
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        scaled = np.ldexp(values, level)
        below = np.floor(scaled)
        lost = (scaled == 0) & (values != 0)  # too small for this level to see
        below = np.where(lost & (values < 0), -1.0, below)
        middle = np.ldexp(below + 0.5, -level)
        on_point = ((scaled == below) & ~lost) | (np.abs(scaled) >= 2.0**MOST_BITS) | np.isnan(values)
    result = np.where(on_point, values, middle) + 0.0
    if cut is not None and (ends := _bin_of(cut, level)) is not None:
        within = ~on_point & (values > ends[0]) & (values < ends[1])
        lower, upper = (ends[0] + cut) / 2, (cut + ends[1]) / 2
        result = np.where(within, np.where(values < cut, lower, upper), result)
    return result


def _bin_of(cut: float, level: int) -> tuple[float, float] | None:
    """The ends of the bin that a threshold parts, None where it is a point."""
    below = np.floor(np.ldexp(cut, level))
    low, high = float(np.ldexp(below, -level)), float(np.ldexp(below + 1, -level))
    return (low, high) if low < cut < high else None


def in_bins(values: Floats, level: int) -> NDArray[np.bool_]:
    """Return which scores on a level stand for a bin, whose people cannot be told apart.

    >>> in_bins(np.array([0.0, 0.25, 0.5]), 1).tolist()
    [False, True, False]
    """
    if level >= EXACT:
        return np.zeros(values.size, dtype=bool)
    scaled = np.ldexp(values, level)
    return scaled != np.floor(scaled)


def parted(cut: float, values: Floats, level: int) -> NDArray[np.bool_]:
    """Return which scores on a level stand for a bin that a threshold would part.

    >>> parted(0.3, np.array([0.0, 0.25, 0.75]), 1).tolist()
    [False, True, False]
    """
    ends = None if level >= EXACT else _bin_of(cut, level)
    if ends is None:
        return np.zeros(values.size, dtype=bool)
    return values == (ends[0] + ends[1]) / 2


def level_of(values: Floats, finest: int = EXACT, cut: float | None = None) -> int:
    """Return the finest level that leaves at most `MOST_VALUES` distinct scores.

    values: scores without missing ones.
    finest: the level that they are on.
    cut: a threshold.
    Returns: `finest` where they are few enough on it.
    """
    values = np.unique(values)
    if values.size <= MOST_VALUES:
        return finest

    def distinct(level: int, some: Floats = values) -> int:
        result = snapped(some, level, cut)
        return 1 + int(np.count_nonzero(result[1:] != result[:-1]))

    # Some of them have no more distinct values than all: their level is as fine or finer, and mostly the same.
    some = values[:: -(-values.size // (2 * MOST_VALUES))]
    guess = finest_level(lambda level: distinct(level, some), finest) if MOST_VALUES < some.size < values.size else None
    return finest_level(distinct, finest, guess)


def finest_level(distinct: Callable[[int], int], finest: int, start: int | None = None) -> int:
    """Return the finest level below ``finest`` with at most `MOST_VALUES` distinct scores, which fall with the level.

    ``start`` is a guess; the search widens from it, since each question may be a pass over a table.

    >>> finest_level(lambda level: 2**level, 1075), finest_level(lambda level: 2**level, 1075, start=17)
    (20, 20)
    """
    low, high = COARSEST, finest  # distinct(low) is few enough, distinct(high) is not
    step, at = 1, start
    while at is not None and low < at < high:
        fits = distinct(at) <= MOST_VALUES
        low, high = (at, high) if fits else (low, at)
        at, step = (at + step if fits else at - step), step * 2
    while high - low > 1:
        at = (low + high) // 2
        low, high = (at, high) if distinct(at) <= MOST_VALUES else (low, at)
    return low


def level_of_cells(
    values: Floats, place: NDArray[np.int64], rows: Floats, least: int, finest: int, cut: float | None
) -> int:
    """Return the finest level on which cells of at least ``least`` people hold nearly all whom any level keeps there.

    values: scores, NaN where missing, shape (c,).
    place: the combination of labels of each, shape (c,).
    rows: people of each, shape (c,).
    least: the least number of people in a cell.
    finest: the level that the scores are on.
    cut: a threshold.

    >>> x = np.linspace(0.001, 0.999, 400)
    >>> level_of_cells(x, np.zeros(400, dtype=np.int64), np.ones(400), 10, EXACT, None)
    5
    """

    def kept(level: int) -> float:
        on = np.nan_to_num(snapped(values, level, cut), nan=np.inf)
        order = np.lexsort((on, place))
        new = np.diff(place[order], prepend=-1) != 0
        new[1:] |= on[order][1:] != on[order][:-1]
        people = np.bincount(np.cumsum(new) - 1, weights=rows[order])
        return float(people[people >= least].sum())

    most = kept(COARSEST)
    if kept(finest) >= NEARLY_ALL * most:
        return finest
    low, high = COARSEST, finest
    while high - low > 1:
        at = (low + high) // 2
        low, high = (at, high) if kept(at) >= NEARLY_ALL * most else (low, at)
    return low


def expression(column: Any, level: int, cut: float | None, when: Callable[[Any], Any]) -> Any:
    """Return the same as `snapped`, as an expression of an engine.

    column: scores.
    when: ``narwhals.when``.
    """
    scale = float(np.ldexp(1.0, level))
    scaled = column * scale
    below = scaled.floor()
    far = (scaled >= 2.0**MOST_BITS) | (scaled <= -(2.0**MOST_BITS))
    result = when(far | (scaled == below)).then(column).otherwise((below + 0.5) * (1 / scale))
    if cut is None or (ends := _bin_of(cut, level)) is None:
        return result
    lower, upper = (ends[0] + cut) / 2, (cut + ends[1]) / 2
    within = (column > ends[0]) & (column < ends[1])
    return when(within & (column < cut)).then(lower).otherwise(when(within).then(upper).otherwise(result))
