"""The Hodges-Lehmann shift: order statistics of all differences of two samples, without forming them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from fairstats.errors import InputError
from fairstats.inference.scores.mann_whitney import EXACT_BELOW, u_distribution
from fairstats.inference.scores.merged_samples import Floats

Places = NDArray[np.int64]
# Differences that are formed and sorted outright: cheaper than another round of selection
FORM = 1 << 18


class Shift(NamedTuple):
    """A shift with its interval."""

    estimate: float
    low: float
    high: float


def hodges_lehmann(x: ArrayLike, y: ArrayLike, conf_level: float = 0.95) -> Shift:
    """Estimate the shift of x against y: the median of all n m differences (Hodges and Lehmann), with Moses' interval.

    The interval runs between two order statistics of the differences. Below 50 and 50 observations their places
    come from the exact distribution of U, above from its normal approximation. Both take U without ties: with tied
    values the closed interval then covers at least as often as stated (Noether 1967). Where no interval can reach
    `conf_level` (3 against 3 at 0.95) its ends are infinite; R prints the range of the differences and a warning.
    R's ``wilcox.test`` equals this for small samples without ties; otherwise it searches for the shift numerically.

    Parameters
    ----------
    x, y : array_like, shape (n,) and (m,)
        The two samples; finite.
    conf_level : float
        Confidence level.

    Returns
    -------
    Shift
        ``(estimate, low, high)``, in the unit of the scores; NaN where a sample is empty.

    Raises
    ------
    InputError
        If a value is missing or infinite.

    References
    ----------
    Hodges & Lehmann (1963); Moses' interval: Hollander, Wolfe & Chicken (2014), section 4.3; Noether (1967). The
    selection is that of Johnson & Mizoguchi (1978), O((n + m) log) a round.

    Examples
    --------
    >>> hodges_lehmann([1, 2, 3, 4, 5], [0, 0, 1, 1, 2])
    Shift(estimate=2.0, low=0.0, high=4.0)
    """
    a, b = np.asarray(x, dtype=float).ravel(), np.asarray(y, dtype=float).ravel()
    if min(a.size, b.size) == 0:
        return Shift(np.nan, np.nan, np.nan)
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise InputError("x or y has missing or infinite values; a shift needs finite scores; drop those rows.")
    total = a.size * b.size
    place = _place(a.size, b.size, conf_level)
    wanted = [(total + 1) // 2, total // 2 + 1]
    if place:
        wanted += [place, total + 1 - place]
    found = difference_order_statistics(a, b, wanted)
    ends = found[2:] if place else [-np.inf, np.inf]
    # half of each, not half of the sum, which may overflow
    return Shift(float(found[0] / 2 + found[1] / 2), float(ends[0]), float(ends[1]))


def _place(n: int, m: int, conf_level: float) -> int:
    """The 1-based place of the lower end among the sorted differences; 0 where no place covers often enough."""
    alpha = (1 - conf_level) / 2
    if max(n, m) < EXACT_BELOW:
        _, probabilities = u_distribution(np.ones(n + m), n)
        # U is 0, 1, ... here; rounding of the sum must not move a place where alpha is attained exactly
        return int(np.searchsorted(np.cumsum(probabilities), alpha * (1 - 1e-12)))
    deviation = np.sqrt(n * m / 12 * (n + m + 1))
    return max(0, int(np.floor(n * m / 2 + 0.5 + float(ndtri(alpha)) * deviation)))


def difference_order_statistics(x: Floats, y: Floats, places: list[int]) -> Floats:
    """The order statistics of all differences x - y at 1-based places, exact in floating point.

    Parameters
    ----------
    x, y : ndarray, shape (n,) and (m,)
        Finite values.
    places : list of int
        Places in 1 ... n m.

    Returns
    -------
    ndarray
        In the order of `places`; each is some x_i - y_j as the machine rounds it.

    Examples
    --------
    >>> difference_order_statistics(np.array([1.0, 5.0]), np.array([0.0, 1.0]), [1, 4])
    array([0., 5.])
    """
    rows, row_counts = np.unique(x, return_counts=True)
    columns, column_counts = np.unique(-y, return_counts=True)
    matrix = _Sums(rows, columns, row_counts, np.concatenate([[0], np.cumsum(column_counts)]))
    answers: dict[int, float] = {}
    start = np.zeros(rows.size, dtype=np.int64), np.full(rows.size, columns.size, dtype=np.int64)
    pending = [(start[0], start[1], sorted(set(places)))]
    while pending:
        low, high, group = pending.pop()
        if int((high - low).sum()) <= FORM:
            answers |= matrix.sorted_out(low, high, group)
            continue
        pivot = matrix.pivot(low, high)
        below, upto = matrix.bounds(pivot, low, high)
        left, right = matrix.count(below), matrix.count(upto)
        answers |= {k: pivot for k in group if left < k <= right}
        parts = ((low, below, [k for k in group if k <= left]), (upto, high, [k for k in group if k > right]))
        pending += [part for part in parts if part[2]]
    return np.array([answers[k] for k in places])


class _Sums:
    """The matrix of all sums rows + columns, both ascending and distinct, with multiplicities; never formed.

    Each row's still eligible cells are columns low[i] ... high[i] - 1. Rounded addition is monotone, so rows of
    rounded sums are sorted too, and counts agree with the cells as the machine would print them.
    """

    def __init__(self, rows: Floats, columns: Floats, row_counts: Places, cumulative: Places) -> None:
        self.rows, self.columns, self.row_counts, self.cumulative = rows, columns, row_counts, cumulative

    def pivot(self, low: Places, high: Places) -> float:
        """Weighted median of the rows' middle cells: at least a quarter of the cells lie on either side."""
        alive = np.flatnonzero(high > low)
        middle = (low[alive] + high[alive]) // 2
        values = self.rows[alive] + self.columns[middle]
        order = np.argsort(values)
        heavy = np.cumsum((high - low)[alive][order])
        return float(values[order[np.searchsorted(heavy, heavy[-1] / 2)]])

    def bounds(self, value: float, low: Places, high: Places) -> tuple[Places, Places]:
        """How many cells of each row are below `value`, and how many are at most `value`."""
        guess = value - self.rows
        below = self._settle(np.searchsorted(self.columns, guess, "left"), np.less, value)
        upto = self._settle(np.searchsorted(self.columns, guess, "right"), np.less_equal, value)
        return np.clip(below, low, high), np.clip(upto, low, high)

    def _settle(self, guess: Places, wanted: np.ufunc, value: float) -> Places:
        """The number of leading cells for which `wanted` holds, where subtraction and addition round differently."""
        last = self.columns.size
        before, here = np.maximum(guess - 1, 0), np.minimum(guess, last - 1)
        wrong = ((guess > 0) & ~wanted(self.rows + self.columns[before], value)) | (
            (guess < last) & wanted(self.rows + self.columns[here], value)
        )
        doubtful = np.flatnonzero(wrong)
        left, right = np.zeros(doubtful.size, dtype=np.int64), np.full(doubtful.size, last, dtype=np.int64)
        while np.any(left < right):
            middle = (left + right) // 2
            yes = (left < right) & wanted(self.rows[doubtful] + self.columns[np.minimum(middle, last - 1)], value)
            left, right = np.where(yes, middle + 1, left), np.where(yes | (left >= right), right, middle)
        settled = guess.copy()
        settled[doubtful] = left
        return settled

    def count(self, until: Places) -> int:
        """How many differences, with multiplicity, lie in the first `until` cells of the rows."""
        return int(self.row_counts @ self.cumulative[until])

    def sorted_out(self, low: Places, high: Places, places: list[int]) -> dict[int, float]:
        """The wanted order statistics, from the eligible cells formed and sorted."""
        lengths = high - low
        row = np.repeat(np.arange(self.rows.size), lengths)
        column = np.arange(row.size) - np.repeat(np.cumsum(lengths) - lengths, lengths) + low[row]
        values = self.rows[row] + self.columns[column]
        order = np.argsort(values)
        copies = self.row_counts[row] * np.diff(self.cumulative)[column]
        reached = self.count(low) + np.cumsum(copies[order])
        return {k: float(values[order[np.searchsorted(reached, k)]]) for k in places}
