"""The Hodges-Lehmann shift: order statistics of all differences of two samples, without forming them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from fairstats.errors import InputError
from fairstats.inference.scores.merged import EXACT_BELOW, Blocks, Floats, merge, u_distribution
from fairstats.inference.validation import FiniteSample, Level

# Order statistics of all differences of two samples, exact in floating point, without forming the differences.


Places = NDArray[np.int64]
# Differences that are formed and sorted outright: cheaper than another round of selection
FORM = 1 << 18
# Quantiles of a sample that stand for it in a first guess, and in a second one (of the columns many more)
COARSE, FINE, FINEST = 1 << 8, 1 << 14, 1 << 17
# A guess is meant to lie so many differences away from the wanted place, so that it is surely on its side
NEAR = 1 << 15
CORRECTIONS = 6
# Cells that are looked at to choose the next cuts, and how far from the wanted place these are taken
SAMPLE, MARGIN = 1 << 14, 192
# Counts are stepped to where at most one row in so many has a cell in between, and at most so many cells
MOST_STEPPING, STEPS = 3, 16


def difference_order_statistics(x: Floats, y: Floats, places: list[int]) -> Floats:
    """The order statistics of all differences x - y at 1-based places, exact in floating point.

    x, y: finite values, shape (n,).
    places: places in 1 ... n m.
    Returns: in the order of `places`; each is some x_i - y_j as the machine rounds it.

    >>> difference_order_statistics(np.array([1.0, 5.0]), np.array([0.0, 1.0]), [1, 4])
    array([0., 5.])
    """
    return merged_order_statistics(merge(x, y), places)


@np.errstate(over="ignore", invalid="ignore")  # a difference of huge values is infinite, as the machine rounds it
def merged_order_statistics(blocks: Blocks, places: list[int]) -> Floats:
    """The order statistics of all differences x - y of two samples already merged.

    blocks: the samples, unweighted; finite values.
    places: 1-based places among all differences.
    Returns: in the order of `places`.
    Source: Johnson & Mizoguchi (1978), SIAM J. Comput. 7, 147-153 (halving, O((n + m) log) a round); Floyd & Rivest
    (1975), Comm. ACM 18, 165-172 (two guesses around a place).

    >>> merged_order_statistics(merge([1.0, 5.0], [0.0, 1.0]), [1, 4])
    array([0., 5.])
    """
    in_x, in_y = np.flatnonzero(blocks.x), np.flatnonzero(blocks.y)[::-1]
    sides = [(blocks.values[in_x], blocks.x[in_x]), (-blocks.values[in_y], blocks.y[in_y])]
    rows, columns = sorted(sides, key=lambda side: side[0].size)  # a row costs a search, a column next to nothing
    sums = _Sums(*rows, *columns)
    answers: dict[int, float] = {}
    wanted = sorted(set(places))
    whole = _Part(np.zeros(sums.rows.size, np.int64), np.full(sums.rows.size, sums.columns.size), wanted)
    pending = sums.cut(whole, _guesses(sums, wanted)) if whole.cells > 4 * FORM else [whole]
    while pending:
        part = pending.pop()
        if part.value is not None:
            answers |= dict.fromkeys(part.places, part.value)
        elif part.cells <= FORM:
            answers |= sums.sorted_out(part)
        else:
            smaller = sums.cut(part, sums.around(part))
            if max(one.cells for one in smaller) > 0.75 * part.cells:  # a sample that misled
                smaller = [half for one in smaller for half in sums.cut(one, _only(sums.pivot(one)))]
            pending += smaller
    return np.array([answers[k] for k in places])


@dataclass(frozen=True)
class _Part:
    """Cells low[i] ... high[i] - 1 of every row i, and the wanted places among them; `value` where all have one."""

    low: Places
    high: Places
    places: list[int]
    value: float | None = None

    @cached_property
    def cells(self) -> int:
        return int((self.high - self.low).sum())


def _only(value: float) -> list[float]:
    """The cuts that set one value apart."""
    return [value, float(np.nextafter(value, np.inf))]


class _Sums:
    """The matrix of all sums rows + columns, both ascending and distinct, with multiplicities; never formed.

    Each row's still eligible cells are columns low[i] ... high[i] - 1. Rounded addition is monotone, so rows of
    rounded sums are sorted too, and counts agree with the cells as the machine would print them.
    """

    def __init__(self, rows: Floats, row_counts: Floats, columns: Floats, column_counts: Floats) -> None:
        self.rows, self.columns = rows, columns
        self.row_counts = row_counts.astype(np.int64)
        self.cumulative = np.concatenate([[0], np.cumsum(column_counts.astype(np.int64))])

    def cut(self, part: _Part, cuts: list[float]) -> list[_Part]:
        """A part cut at ascending values, without the pieces in which no place is wanted."""
        out, left, reached, last = [], part.low, self.count(part.low), None
        for value in [*cuts, None]:
            if value is None:
                right = part.high
            else:
                right = np.clip(self.below(value, None if last is None else left), part.low, part.high)
            until = self.count(right)
            items = [k for k in part.places if reached < k <= until]
            if items:
                single = last is not None and (last == np.inf if value is None else value == np.nextafter(last, np.inf))
                out.append(_Part(left, right, items, last if single else None))
            left, reached, last = right, until, value
        return out

    def around(self, part: _Part) -> list[float]:
        """Values from a sample of the cells that lie closely around the wanted places, most probably."""
        until = np.cumsum(part.high - part.low)
        spots = ((np.arange(SAMPLE) + 0.5) * (int(until[-1]) / SAMPLE)).astype(np.int64)
        row = np.searchsorted(until, spots, "right")
        column = part.high[row] - (until[row] - spots)
        values = self.rows[row] + self.columns[column]
        order = np.argsort(values)
        heavy = np.cumsum(self.row_counts[row[order]] * (self.cumulative[column + 1] - self.cumulative[column])[order])
        first, last = self.count(part.low), self.count(part.high)
        cuts: set[float] = set()
        for place in part.places:
            at = int(np.searchsorted(heavy, (place - first) / (last - first) * heavy[-1]))
            ends = np.clip([at - MARGIN, at + MARGIN], 0, SAMPLE - 1)
            low, high = (float(v) for v in values[order[ends]])
            cuts |= {low, float(np.nextafter(high, np.inf))}
        return sorted(cuts)

    def pivot(self, part: _Part) -> float:
        """Weighted median of the rows' middle cells: at least a quarter of the cells lie on either side."""
        alive = np.flatnonzero(part.high > part.low)
        middle = (part.low[alive] + part.high[alive]) // 2
        values = self.rows[alive] + self.columns[middle]
        order = np.argsort(values)
        heavy = np.cumsum((part.high - part.low)[alive][order])
        return float(values[order[np.searchsorted(heavy, heavy[-1] / 2)]])

    def below(self, value: float, least: Places | None = None) -> Places:
        """How many cells of each row are below `value`; `least` are the counts of a smaller value, clipped or not.

        Where the two values are close, as two guesses around a place are, most rows have nothing in between, and
        stepping over the few cells there is cheaper than searching.
        """
        if least is not None:
            stepped = self._stepped(value, least)
            if stepped is not None:
                return stepped
        # ascending values are looked up in half of the time of descending ones
        result = np.searchsorted(self.columns, (value - self.rows)[::-1])[::-1]
        return self._settle(result, value)

    def _stepped(self, value: float, least: Places) -> Places | None:
        """The counts, stepping from smaller ones; None where that would be no saving."""
        last = self.columns.size
        going = np.flatnonzero(self.rows + self.columns[np.minimum(least, last - 1)] < value)
        going = going[least[going] < last]
        if going.size > least.size / MOST_STEPPING:
            return None
        out, rows, here = least.copy(), self.rows[going], least[going]
        for _ in range(STEPS):
            here = here + 1
            on = (here < last) & (rows + self.columns[np.minimum(here, last - 1)] < value)
            out[going[~on]] = here[~on]
            going, rows, here = going[on], rows[on], here[on]
            if not going.size:
                return out
        return None

    def _settle(self, guess: Places, value: float) -> Places:
        """The number of leading cells below `value`, where subtraction and addition round differently."""
        last = self.columns.size
        before, here = np.maximum(guess - 1, 0), np.minimum(guess, last - 1)
        over = (guess > 0) & (self.rows + self.columns[before] >= value)
        under = (guess < last) & (self.rows + self.columns[here] < value)
        doubtful = np.flatnonzero(over | under)
        if not doubtful.size:
            return guess
        left, right = np.zeros(doubtful.size, dtype=np.int64), np.full(doubtful.size, last, dtype=np.int64)
        while np.any(left < right):
            middle = (left + right) // 2
            yes = (left < right) & (self.rows[doubtful] + self.columns[np.minimum(middle, last - 1)] < value)
            left, right = np.where(yes, middle + 1, left), np.where(yes | (left >= right), right, middle)
        settled = guess.copy()
        settled[doubtful] = left
        return settled

    def count(self, until: Places) -> int:
        """How many differences, with multiplicity, lie in the first `until` cells of the rows."""
        return int(self.row_counts @ self.cumulative[until])

    def sorted_out(self, part: _Part) -> dict[int, float]:
        """The wanted order statistics, from the eligible cells formed and sorted."""
        alive = np.flatnonzero(part.high > part.low)
        low, lengths = part.low[alive], (part.high - part.low)[alive]
        row = np.repeat(alive, lengths)
        column = np.arange(row.size) + np.repeat(low - (np.cumsum(lengths) - lengths), lengths)
        values = self.rows[row] + self.columns[column]
        order = np.argsort(values)
        copies = self.row_counts[row] * (self.cumulative[column + 1] - self.cumulative[column])
        reached = self.count(part.low) + np.cumsum(copies[order])
        return {k: float(values[order[np.searchsorted(reached, k)]]) for k in part.places}


def _guesses(sums: _Sums, places: list[int]) -> list[float]:
    """Values close below and close above each place, ascending: right nearly always, needed only for speed."""
    rows_until = np.cumsum(sums.row_counts)
    total = int(rows_until[-1]) * int(sums.cumulative[-1])
    coarse = [_quantiles(sums.rows, rows_until, COARSE), _quantiles(sums.columns, sums.cumulative[1:], COARSE)]
    knots = np.sort(np.add.outer(*coarse).ravel())
    fine = _quantiles(sums.rows, rows_until, FINE)
    finest = _quantiles(sums.columns, sums.cumulative[1:], FINEST)
    weight = total / (fine.size * finest.size)
    cuts: list[float] = []
    before = -total
    for place in places:
        if place - before <= NEAR / 4:  # within the guesses of the one before
            continue
        before = place
        spot = place / total * knots.size
        ends = np.interp([spot - knots.size / 128, spot, spot + knots.size / 128], np.arange(knots.size), knots)
        value, width = float(ends[1]), float(ends[2] - ends[0]) * 64 / total  # of one difference
        for _ in range(CORRECTIONS):
            off = place - weight * float(np.searchsorted(finest, value - fine).sum())
            if abs(off) <= NEAR / 4:
                break
            value += off * width
        cuts += [value - NEAR * width, value + NEAR * width]
    return sorted({cut for cut in cuts if np.isfinite(cut)})


def _quantiles(values: Floats, until: Places, most: int) -> Floats:
    """At most so many quantiles of equal weight of a sample, given as distinct values and their cumulative counts."""
    most = min(most, int(until[-1]))
    places = (np.arange(most) + 0.5) * (int(until[-1]) / most)
    return values[np.searchsorted(until, places)]


class Shift(NamedTuple):
    """A shift with its interval."""

    estimate: float
    low: float
    high: float


def hodges_lehmann(x: FiniteSample, y: FiniteSample, conf_level: Level = 0.95) -> Shift:
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
    selection: `fairstats.inference.scores.hodges_lehmann`.

    Examples
    --------
    >>> import fairstats as fs
    >>> fs.stats.hodges_lehmann([1, 2, 3, 4, 5], [0, 0, 1, 1, 2])
    Shift(estimate=2.0, low=0.0, high=4.0)
    """
    a, b = np.asarray(x, dtype=float).ravel(), np.asarray(y, dtype=float).ravel()
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise InputError("x or y has missing or infinite values; a shift needs finite scores; drop those rows.")
    return shift_of(merge(a, b), conf_level)


def shift_of(blocks: Blocks, conf_level: float = 0.95) -> Shift:
    """The Hodges-Lehmann shift of two samples already merged.

    blocks: the samples, unweighted, finite.
    Returns: NaN where a sample is empty.

    >>> shift_of(merge([1, 2, 3, 4, 5], [0, 0, 1, 1, 2]))
    Shift(estimate=2.0, low=0.0, high=4.0)
    """
    n, m = int(blocks.n), int(blocks.m)
    if min(n, m) == 0:
        return Shift(np.nan, np.nan, np.nan)
    total = n * m
    place = _place(n, m, conf_level)
    wanted = [(total + 1) // 2, total // 2 + 1]
    if place:
        wanted += [place, total + 1 - place]
    values = merged_order_statistics(blocks, wanted)
    ends = values[2:] if place else [-np.inf, np.inf]
    # half of each, not half of the sum, which may overflow
    return Shift(float(values[0] / 2 + values[1] / 2), float(ends[0]), float(ends[1]))


def _place(n: int, m: int, conf_level: float) -> int:
    """The 1-based place of the lower end among the sorted differences; 0 where no place covers often enough."""
    alpha = (1 - conf_level) / 2
    if max(n, m) < EXACT_BELOW:
        _, probabilities = u_distribution(np.ones(n + m), n)
        # U is 0, 1, ... here; rounding of the sum must not move a place where alpha is attained exactly
        return int(np.searchsorted(np.cumsum(probabilities), alpha * (1 - 1e-12)))
    deviation = np.sqrt(n * m / 12 * (n + m + 1))
    return max(0, int(np.floor(n * m / 2 + 0.5 + float(ndtri(alpha)) * deviation)))
