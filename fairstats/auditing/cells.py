"""Which combinations of labels and scores occur, and the cell of every row."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from fairstats.data.factors import BLOCK, Factor
from fairstats.data.grids import EXACT, MOST_VALUES, level_of, snapped

MOST_FEW = 1 << 14  # combinations whose places fit two bytes, and a row of a table in cache
MOST_PLACES = 1 << 22  # a table of so many possible cells is counted in memory, a larger one is first made dense


def on_grids(
    numbers: Mapping[str, np.ndarray], grids: Mapping[str, int], cuts: Mapping[str, float]
) -> tuple[dict[str, np.ndarray], dict[str, int]]:
    """Scores of very many distinct values on the finest grid that leaves few enough."""
    made, levels = dict(numbers), dict(grids)
    for name, x in numbers.items():
        level, cut = grids.get(name, EXACT), cuts.get(name)
        x = snapped(x, level, cut)
        if x.size > MOST_VALUES:
            level = level_of(x[~np.isnan(x)], level, cut)
        if level < EXACT:
            made[name], levels[name] = snapped(x, level, cut), level
    return made, levels


def places(factors: Mapping[str, Factor]) -> tuple[np.ndarray, int]:
    """The place of every row among the combinations of labels that occur, and how many there are."""
    widths = [len(factor.levels) + 1 for factor in factors.values()]
    if math.prod(widths) <= MOST_FEW:
        return _few_places([factor.codes for factor in factors.values()], widths)
    place = np.zeros(len(next(iter(factors.values()))), dtype=np.int64)
    cells = 1
    for factor in factors.values():
        width = len(factor.levels) + 1
        if cells * width > MOST_PLACES:
            place, cells = _dense(place, cells)
        place = place * width + (factor.codes + 1)
        cells *= width
    return _dense(place, cells)


def _few_places(codes: list[np.ndarray], widths: list[int]) -> tuple[np.ndarray, int]:
    """The same for few combinations: in blocks of rows that stay in cache, with two bytes a row."""
    place, cells = np.empty(len(codes[0]), dtype=np.int16), math.prod(widths)
    counts = np.zeros(cells, dtype=np.int64)
    for start in range(0, place.size, BLOCK):
        part = np.zeros(min(BLOCK, place.size - start), dtype=np.intp)
        for column, width in zip(codes, widths, strict=True):
            part *= width
            part += column[start : start + BLOCK]
            part += 1
        counts += np.bincount(part, minlength=cells)
        place[start : start + BLOCK] = part
    if counts.all():
        return place, cells
    lookup = (np.cumsum(counts > 0) - 1).astype(np.int16)
    return lookup[place], int((counts > 0).sum())


def firsts(place: np.ndarray, cells: int) -> np.ndarray:
    """The first row of each place.

    Examples
    --------
    >>> firsts(np.array([1, 1, 0, 2]), 3).tolist()
    [2, 0, 3]
    """
    first = np.full(cells, place.size, dtype=np.intp)
    start, block = 0, 4 * cells + BLOCK
    while start < place.size and (start == 0 or (first == place.size).any()):
        part = place[start : start + block]
        found = np.full(cells, place.size, dtype=np.intp)
        found[part[::-1]] = np.arange(start + part.size - 1, start - 1, -1)
        first = np.minimum(first, found)
        start += part.size
    return first


def _dense(place: np.ndarray, cells: int) -> tuple[np.ndarray, int]:
    if cells > MOST_PLACES:
        found, dense = np.unique(place, return_inverse=True)
        return dense, found.size
    occurring = np.bincount(place, minlength=cells) > 0
    return (np.cumsum(occurring) - 1)[place], int(occurring.sum())


def sorted_cells(place: np.ndarray, cells: int, numbers: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """The order by place and then by scores, and where in it each cell begins; missing scores are one cell."""
    order = np.lexsort(numbers[::-1]) if len(numbers) > 1 else np.argsort(numbers[0])
    small = place.astype(np.uint16 if cells <= 1 << 16 else np.int64)  # a stable sort of small whole numbers is linear
    order = order[np.argsort(small[order], kind="stable")]
    changed = np.diff(place[order], prepend=-1) != 0
    for x in numbers:
        v = x[order]
        changed[1:] |= (v[1:] != v[:-1]) & ~(np.isnan(v[1:]) & np.isnan(v[:-1]))
    return order, np.flatnonzero(changed)
