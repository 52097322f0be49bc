"""People counted: how many there are of every combination of values, of which each number of an audit is a function."""

from __future__ import annotations

import hashlib
import math
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairstats.arrays import taken
from fairstats.auditing.arguments import MEASURES, likeness
from fairstats.auditing.designs import UNIT
from fairstats.auditing.input import (
    SIDES,
    Observations,
    answers_of,
    audited,
    check_answers,
    check_levels,
    check_people,
    check_roles,
    classes_of,
    cuts,
    missing_refused,
    no_cluster,
    numbers_of,
    refuse_counted_parts,
    refuse_counts,
    refuse_everybody,
    refuse_labels_as_score,
    refuse_one_score,
    refuse_totals,
    strata_labels,
    strata_levels,
    whole_way,
)
from fairstats.auditing.protocol import Protocol, Resolved, check_groups, check_headline, resolve
from fairstats.data.grids import EXACT, MOST_VALUES, level_of, level_of_cells, parted, snapped
from fairstats.data.tables import BLOCK, Factor, counted, refuse_names_of_people
from fairstats.document import Text
from fairstats.errors import Call, InputError, Setting, filling, listing, nearest, with_hint
from fairstats.estimates import Described
from fairstats.inference.rates.sampling import Sampling
from fairstats.labels import MISSING_LEVEL, column_parts, holds_missing, ordered, unclear_sexes
from fairstats.language import DataText, message, translated
from fairstats.metrics import UNKNOWN
from fairstats.provenance import ANALYZED, READ, Attribute, FlowStep, by_size, spelled
from fairstats.text import count
from fairstats.validation import whole

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]


# Which combinations of labels and scores occur, and the cell of every row.


MOST_FEW = 1 << 14  # combinations whose places fit two bytes, and a row of a table in cache
MOST_PLACES = 1 << 22  # a table of so many possible cells is counted in memory, a larger one is first made dense


def on_grids(
    numbers: Mapping[str, np.ndarray], grids: Mapping[str, int], cuts: Mapping[str, float]
) -> tuple[dict[str, np.ndarray], dict[str, int]]:
    """Scores of very many distinct values on the finest grid that leaves few enough."""
    result, levels = dict(numbers), dict(grids)
    for name, x in numbers.items():
        level, cut = grids.get(name, EXACT), cuts.get(name)
        x = snapped(x, level, cut)
        if x.size > MOST_VALUES:
            level = level_of(x[~np.isnan(x)], level, cut)
        if level < EXACT:
            result[name], levels[name] = snapped(x, level, cut), level
    return result, levels


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
        values = np.full(cells, place.size, dtype=np.intp)
        values[part[::-1]] = np.arange(start + part.size - 1, start - 1, -1)
        first = np.minimum(first, values)
        start += part.size
    return first


def _dense(place: np.ndarray, cells: int) -> tuple[np.ndarray, int]:
    if cells > MOST_PLACES:
        result, dense = np.unique(place, return_inverse=True)
        return dense, result.size
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


# A tally as a frame and as text: one line a cell, and what its columns hold.


MOST = 8  # labels of a column that the summary names
WIDTH = 80


class ShownTally(Described):
    """What is seen of a tally."""

    __slots__ = ()

    def summary(self: Any) -> str:
        """How many people of which labels, at most 80 columns wide.

        Examples
        --------
        >>> import fairstats as fs
        >>> print(fs.tally({"sex": ["f", "m", "m"], "hired": [1, 0, 1]}, "hired", "sex").summary())
        Tally of 3 rows in 3 cells
          sex    m (2), f (1)
          hired  1 (2), 0 (1)
        fairstats.audit(tally) audits these people; tally + tally adds others.
        """
        return Text("\n".join(summary_lines(self)))

    def to_frame(self: Any) -> pd.DataFrame:
        """Return a pandas frame with a line a cell: its labels and scores, and how many rows it has (``.rows``).

        Returns
        -------
        pandas.DataFrame
            A column a column counted (None or NaN where it is missing), and ``.rows``. Where people are weighted
            ``.weight``, the sum of their weights; where some were withheld ``.least`` and ``.most``, how many of a cell
            there are beside its ``.rows``, 0 where none; ``.rows`` is missing where nothing of a cell was sent.

        Examples
        --------
        >>> import fairstats as fs
        >>> fs.tally({"sex": ["f", "m", "m"], "hired": [1, 0, 0]}, "hired", "sex").to_frame()
          sex hired  .rows
        0   f     1      1
        1   m     0      2
        """
        import pandas as pd

        columns: dict[str, Any] = {
            name: np.where(factor.codes < 0, None, factor.labels) for name, factor in self.factors.items()
        }
        columns |= self.numbers | {".rows": self.rows.astype(np.int64)}
        if self.weights:
            columns[".weight"] = self.weight
        if self.most.any():
            columns |= {".least": self.least.astype(np.int64), ".most": self.most.astype(np.int64)}
            unsent = (self.most > 0) & (self.rows == 0)  # whose count nobody knows, which is not that of nobody
            columns[".rows"] = pd.arrays.IntegerArray(columns[".rows"], unsent)
        return pd.DataFrame(columns)

    def _brief(self: Any) -> str:
        from fairstats.errors import listing

        columns = listing([*self.factors, *self.numbers], 12)
        hidden = int((self.most > 0).sum())
        text = f"; {hidden:,} withheld" if hidden else ""
        return f"{_size(self)} in {int((self.rows > 0).sum()):,} cells of {columns}{text}"


def _size(tally: Tally) -> str:
    """How many rows, or how many people in the rows of a table of counts."""
    n = f"{tally.rows.sum():,.0f}"
    return f"{n} people of {tally.lines:,} rows" if tally.lines else f"{n} rows"


def title(tally: Tally) -> str:
    """How many rows, in how many cells."""
    cells = int((tally.rows > 0).sum())
    return f"Tally of {_size(tally)} in {count(cells)} cell{'s' * (cells != 1)}"


def contents(tally: Tally) -> list[tuple[str, str]]:
    """What each column holds: labels with their counts, the range of a score; weights; what is withheld."""
    lines = []
    for name, factor in tally.factors.items():
        sums = np.bincount(factor.codes + 1, weights=tally.rows, minlength=len(factor.levels) + 1)
        order = [k for k in np.argsort(-sums[1:], kind="stable") if sums[k + 1] > 0]
        parts = [f"{factor.levels[k]} ({count(float(sums[k + 1]))})" for k in order[:MOST]]
        parts += [f"{len(order) - MOST} more"] * (len(order) > MOST)
        parts += [f"{MISSING_LEVEL} ({count(float(sums[0]))})"] * bool(sums[0])
        lines.append((name, ", ".join(parts)))
    for name, x in tally.numbers.items():
        present = x[~np.isnan(x)]
        lost = float(tally.rows[np.isnan(x)].sum())
        grid = f", on a grid of level {tally.grids[name]}" if name in tally.grids else ""
        span = f", {present.min():.6g} to {present.max():.6g}" if present.size else ""
        missing = f", {MISSING_LEVEL} ({count(lost)})" if lost else ""
        lines.append((name, f"{count(np.unique(present).size)} different numbers{span}{grid}{missing}"))
    if tally.weights:
        lines.append((tally.weights, f"weights, {count(float(tally.weight.sum()))} in all"))
    hidden = tally.most > 0
    if hidden.any():
        people = f"{count(float(tally.least.sum()))} to {count(float(tally.most.sum()))} people"
        cells = int(hidden.sum())
        lines.append(("withheld", f"{count(cells)} cell{'s' * (cells != 1)} of {people}"))
    return lines


NEXT = message("{audit} audits these people; tally + tally adds others.", audit=Call("audit", ("tally",)))


def summary_lines(tally: Tally) -> list[str]:
    """The lines of the summary."""
    from fairstats.errors import visible

    wording = [(visible(name), visible(text)) for name, text in contents(tally)]
    wide = min(max((len(name) for name, _ in wording), default=0), WIDTH // 3)
    lines = [title(tally)]
    for name, text in wording:
        lines += textwrap.wrap(f"  {name:<{wide}}  {text}", WIDTH, subsequent_indent=" " * (wide + 4))
    return [*lines, translated(NEXT)]


SCHEMA = "fairstats/tally/1"
SUMS = ("rows", "used", "weight", "square")
BOUNDS = ("least", "most")  # of the people of a cell that was withheld


@dataclass(frozen=True, eq=False, repr=False)
class Tally(ShownTally):
    """Counts of people by every combination of their labels and scores; tallies of parts add up to that of the whole.

    Attributes
    ----------
    factors : dict of str to Factor
        Columns of labels: groups, factors of strata, outcome, decision, clusters; the label of each cell, code −1 where
        it is missing.
    numbers : dict of str to ndarray, shape (cells,)
        Scores, each distinct value in a cell of its own; NaN where it is missing.
    rows, used : ndarray, shape (cells,)
        Rows, and those of a weight above 0.
    weight, square : ndarray, shape (cells,)
        Sums of the weights and of their squares; the number of rows where nobody is weighted.
    weights : str
        The column of weights, "" where nobody is weighted.
    grids : dict of str to int
        Of scores with more than 2^20 distinct values, the level of the grid that they are on (`data.grids`).
    cuts : dict of str to float
        Thresholds that no bin of such a grid holds.
    least, most : ndarray, shape (cells,)
        Of cells that were withheld (`withhold`), how many people they may have; 0 elsewhere.
    roles : dict of str to tuple of str
        The columns by the argument of `fairstats.tally` or `fairstats.from_counts` that named them; an audit need not
        name them again.
    lines : int
        Of a table of counts (`fairstats.from_counts`), its rows; 0 where every row was a person.
    file : str
        The name of the file that a table of counts was read from; "" of a table in memory.
    notes : tuple of str
        Of a table of counts what `fairstats.from_counts` warned of: cautions of every audit of it.

    Examples
    --------
    >>> import fairstats as fs
    >>> tally = fs.tally({"sex": list("ffmf"), "hired": [1, 1, 1, 1]}, "hired", "sex")
    >>> tally.rows.tolist(), (tally + tally).rows.tolist()
    ([3.0, 1.0], [6.0, 2.0])
    """

    factors: dict[str, Factor]
    numbers: dict[str, np.ndarray]
    rows: np.ndarray
    used: np.ndarray
    weight: np.ndarray
    square: np.ndarray
    weights: str = ""
    grids: dict[str, int] = field(default_factory=dict)
    cuts: dict[str, float] = field(default_factory=dict)
    least: np.ndarray = field(default_factory=lambda: np.empty(0))
    most: np.ndarray = field(default_factory=lambda: np.empty(0))
    roles: dict[str, tuple[str, ...]] = field(default_factory=dict)
    lines: int = 0
    file: str = ""
    notes: tuple[str, ...] = ()

    @property
    def _of_counts(self) -> bool:
        """Whether it was a table of counts, a line a group."""
        return bool({"total", "not_selected"} & set(self.roles))

    def digest(self) -> str:
        """The SHA-256 of what was counted, whatever the order of the cells and in however many parts.

        Examples
        --------
        >>> import fairstats as fs
        >>> one, two = (fs.tally({"g": list(g), "d": d}, "d", "g") for g, d in (("ab", [1, 0]), ("ba", [0, 1])))
        >>> one.digest() == two.digest(), (one + two).digest() == one.digest()
        (True, False)
        """
        columns = [
            *(
                np.array([repr(c), *map(repr, f.levels)])[f.codes + 1].astype(str)
                for c, f in sorted(self.factors.items())
            ),
            *(values for _, values in sorted(self.numbers.items())),
            *(part for part in (self.rows, self.used, self.weight, self.square, self.least, self.most) if part.size),
        ]
        cells = [[v if isinstance(v, str) else f"{v:.9g}" for v in column.tolist()] for column in columns]
        names = [*sorted(self.factors), *sorted(self.numbers), self.weights, repr(sorted(self.grids.items()))]
        lines = [repr(names), *sorted("\t".join(cell) for cell in zip(*cells, strict=True))]
        return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()

    @classmethod
    def of(cls, observations: Observations) -> Tally:
        """Count checked columns, in one pass."""
        w = observations.weights
        values = {} if w is None else {"used": (w > 0).astype(float), "weight": w, "square": w * w}
        values = values if observations.sums is None else observations.sums
        grids, cuts = observations.grids or {}, observations.cuts or {}
        return _counted(observations.factors, observations.numbers, values, observations.weights_name, grids, cuts)

    def __len__(self) -> int:
        """Cells with somebody in them."""
        return self.rows.size

    def __radd__(self, other: object) -> Tally:
        """0 + a tally is the tally, so that ``sum`` adds up a list of them."""
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def __add__(self, other: Tally) -> Tally:
        """The tally of both sets of people.

        Raises
        ------
        InputError
            If the two do not count the same columns.
        """
        if not isinstance(other, Tally):
            return NotImplemented
        current, others = _columns(self), _columns(other)
        if current != others:
            raise InputError(
                f"other counts {listing(sorted(others), 12)}; this tally counts "
                f"{listing(sorted(current), 12)}; tallies of "
                "the same columns add up; count both with the same arguments."
            )
        return added([self, other])

    def withhold(self, min_n: int) -> Tally:
        """Withhold the cells of few people, before a tally leaves the site that counted it.

        Scores are first put on the finest grid whose cells hold at least 95% of those people whom
        any grid would keep. Then every cell of fewer than ``min_n`` people loses its count: what is left says that the
        cell exists, without its score, and has between 1 and ``min_n - 1`` people; where the people of one combination
        that lost their scores are ``min_n`` or more together, their number is left. Tallies of several sites add up as
        before; an audit of them says which cells were withheld, and bounds what they could change. A withheld cell
        keeps its line in `to_frame` (``.rows`` is missing where nothing of it was sent). One without a line has nobody,
        which an audit takes as certain.

        Parameters
        ----------
        min_n : int
            The least number of people in a cell that may leave; at least 2.

        Returns
        -------
        Tally

        Raises
        ------
        InputError
            If people are weighted: the weights of a withheld cell have no bound.

        Notes
        -----
        Who knows the total of a site from elsewhere can compute its only withheld cell. Nothing is protected from who
        knows people of the cell.

        Examples
        --------
        >>> import fairstats as fs
        >>> fs.tally({"sex": list("fffm"), "hired": [1, 1, 1, 1]}, "hired", "sex").withhold(3)
        <Tally: 3 rows in 1 cells of sex, hired; 1 withheld>
        """
        least = whole("min_n", min_n, 2)
        if self.weights:
            raise InputError(
                "min_n",
                f"has {least}; this tally sums the weights of {self.weights!r}, and what withheld people weigh "
                "has no bound; count people without weights.",
            )
        grids = dict(self.grids)
        place, _ = places(self.factors)
        for name, x in self.numbers.items():
            level = level_of_cells(x, place, self.rows, least, grids.get(name, EXACT), self.cuts.get(name))
            grids |= {name: level} if level < EXACT else {}
        result = _counted(self.factors, self.numbers, self._values(), "", grids, self.cuts)
        small = (result.rows > 0) & (result.rows < least)
        numbers = {name: np.where(small, np.nan, x) for name, x in result.numbers.items()}
        sums = {name: np.where(small, 0.0, getattr(result, name)) for name in SUMS}
        left = _counted(
            result.factors, numbers, sums | {n: getattr(result, n) for n in BOUNDS}, "", result.grids, result.cuts
        )
        # The cells of one combination that lost their scores are one cell: how many they were would tell their people.
        lost = _counted(
            result.factors, numbers, {"rows": np.where(small, result.rows, 0.0)}, "", result.grids, result.cuts
        ).rows
        many = np.where(lost < least, 0.0, lost)
        low, high = np.where(many > 0, many, lost > 0), np.where(many > 0, many, (lost > 0) * (least - 1.0))
        return replace(
            left, least=left.least + low, most=left.most + high, roles=self.roles, lines=self.lines, file=self.file
        )

    def withheld(self) -> list[dict[str, Any]]:
        """Return the cells that were withheld: their labels, and how many people they have at least and at most.

        Examples
        --------
        >>> import fairstats as fs
        >>> fs.tally({"sex": list("fffm"), "hired": [1, 1, 1, 1]}, "hired", "sex").withhold(3).withheld()
        [{'sex': 'm', 'hired': '1', 'least': 1, 'most': 2}]
        """
        hidden = np.flatnonzero(self.most > 0)
        columns = {name: factor.labels[hidden].tolist() for name, factor in self.factors.items()}
        columns |= {name: getattr(self, name)[hidden].astype(int).tolist() for name in BOUNDS}
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def _values(self) -> dict[str, np.ndarray]:
        return {name: getattr(self, name) for name in (*SUMS, *BOUNDS)}

    def to_dict(self) -> dict[str, Any]:
        """Return the cells as plain values: the levels of each column, and column by column what every cell holds.

        Returns
        -------
        dict
            ``schema``; ``labels``: column to levels; ``cells``: column to codes of levels (−1 is missing) or scores
            (None is missing), and ``rows``, ``used``, ``weight``, ``square``, where cells are withheld ``least`` and
            ``most``; ``weights``: the column of weights; ``grids``: levels of scores on a grid; ``roles``: argument to
            columns; ``lines``: rows of a table of counts, 0 where each was a person.
        """
        numbers = {name: [None if v != v else v for v in x.tolist()] for name, x in self.numbers.items()}
        codes = {name: factor.codes.tolist() for name, factor in self.factors.items()}
        sums = {name: getattr(self, name).tolist() for name in (*SUMS, *(BOUNDS if self.most.any() else ()))}
        return {
            "schema": SCHEMA,
            "weights": self.weights,
            "grids": dict(self.grids),
            "roles": {role: list(names) for role, names in self.roles.items()},
            "lines": self.lines,
            "labels": {name: list(factor.levels) for name, factor in self.factors.items()},
            "cells": {"labels": codes, "numbers": numbers, **sums},
        }


def added(tallies: Sequence[Tally]) -> Tally:
    """The tally of all people of several tallies of the same columns.

    Examples
    --------
    >>> one = Tally.of(Observations({"sex": Factor(np.array([0, 1]), ("f", "m"))}, {}))
    >>> added([one, one, one]).rows.tolist()
    [3.0, 3.0]
    """
    first = tallies[0]
    factors = {name: _joined(name, [tally.factors[name] for tally in tallies]) for name in first.factors}
    numbers = {name: np.concatenate([tally.numbers[name] for tally in tallies]) for name in first.numbers}
    values = {name: np.concatenate([getattr(tally, name) for tally in tallies]) for name in (*SUMS, *BOUNDS)}
    if any(tally.cuts != first.cuts for tally in tallies):
        raise InputError("the scores of these tallies are cut at different thresholds; count them with the same one.")
    grids = {
        name: min(tally.grids.get(name, EXACT) for tally in tallies)
        for name in first.numbers
        if any(name in tally.grids for tally in tallies)
    }
    # a role that another site gave to another column is nobody's: the audit has to name it
    roles = {role: names for role, names in first.roles.items() if all(t.roles.get(role) == names for t in tallies)}
    lines = sum(t.lines or int(t.rows.sum()) for t in tallies) if any(t.lines for t in tallies) else 0
    file = first.file if all(tally.file == first.file for tally in tallies) else ""
    whole = _counted(factors, numbers, values, first.weights, grids, first.cuts)
    notes = tuple(dict.fromkeys(note for tally in tallies for note in tally.notes))
    return replace(whole, roles=roles, lines=lines, file=file, notes=notes)


def _columns(tally: Tally) -> set[str]:
    weights = {f"weights {tally.weights}"} if tally.weights else set()
    return {*tally.factors, *(f"scores {name}" for name in tally.numbers), *weights}


def _joined(name: str, factors: list[Factor]) -> Factor:
    """Columns of labels, one after the other; a part without labels does not say whether they are numbers."""
    present = [factor for factor in factors if factor.levels] or factors[:1]
    numbers, levels = present[0].numbers, present[0].levels
    if other := next((factor for factor in present if factor.numbers != numbers), None):
        one, two = (listing(list(factor.levels), 3) for factor in (present[0], other))
        raise InputError(
            f"the column {name!r} holds {one} in one part of the data and {two} in another, of which one are numbers "
            "and the other labels, so it cannot be known which are one group; write it alike in all."
        )
    if any(factor.levels != levels for factor in present):
        levels = tuple(ordered({level for factor in present for level in factor.levels}, list(numbers)))
    place = {level: i for i, level in enumerate(levels)}
    codes = [np.array([*(place[v] for v in f.levels), -1], dtype=np.intp)[f.codes] for f in factors]
    return Factor(np.concatenate(codes), levels, numbers, all(f.ordered and f.levels == levels for f in present))


def _counted(
    factors: Mapping[str, Factor],
    numbers: Mapping[str, np.ndarray],
    values: Mapping[str, np.ndarray],
    weights: str,
    grids: Mapping[str, int],
    cuts: Mapping[str, float],
) -> Tally:
    """One cell a combination that occurs, in the order of the levels and then of the scores."""
    numbers, grids = on_grids(numbers, grids, cuts)
    place, cells = places(factors)
    if numbers:
        order, starts = sorted_cells(place, cells, list(numbers.values()))
        first = order[starts]
        sums = {name: np.add.reduceat(v[order], starts) for name, v in values.items()}
        rows = np.diff(starts, append=place.size).astype(float)
        if starts.size == place.size:  # everybody is a cell
            rows = np.broadcast_to(1.0, place.size)
    else:
        first = firsts(place, cells)
        sums = {name: np.bincount(place, weights=v, minlength=cells) for name, v in values.items()}
        rows = counted(place, cells).astype(float)
    sums = {"rows": rows} | sums  # rows that stand for several people say how many
    columns: dict[str, Any] = {name: sums.get(name, sums["rows"]) for name in SUMS}
    columns |= {name: sums.get(name, np.broadcast_to(0.0, first.size)) for name in BOUNDS}
    return Tally(
        {name: factor.take(first) for name, factor in factors.items()},
        {name: x[first] for name, x in numbers.items()},
        **columns,
        weights=weights,
        grids=dict(grids),
        cuts=dict(cuts),
    )


# The cells whose people were withheld before a tally came here, in the codes of an audit.


Codes = NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class Withheld:
    """Cells whose people were withheld: the label of each in each attribute ("" is none), and how many there may be."""

    labels: dict[str, list[str]]
    outcome: NDArray[np.int8] | None
    decision: NDArray[np.int8] | None
    by_score: bool  # the decisions are made of scores, which withheld cells do not tell
    least: Floats
    most: Floats
    names: tuple[str, ...]
    strata: tuple[str, ...] = ()  # the label of each in the legitimate factors, where there are any
    unsent: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # groups of which every cell was withheld

    def sent(self, attribute: Attribute) -> tuple[str, ...]:
        """The groups of which some people are known."""
        return tuple(label for label in attribute.labels if label not in self.unsent[attribute.name])


def withheld_cells(
    tally: Tally,
    attributes: tuple[Attribute, ...],
    outcome: Codes | None,
    decision: Codes | None,
    by_score: bool,
    strata: str = "",
) -> Withheld:
    """The cells of a tally that were withheld, in the labels of the attributes.

    attributes: with all their groups.
    outcome, decision: their codes.
    by_score: whether decisions are made of scores.
    strata: the legitimate factors.

    >>> from fairstats.auditing.input import Observations
    >>> from fairstats.data.tables import Factor
    >>> tally = Tally.of(Observations({"sex": Factor(np.array([0, 0, 1]), ("f", "m"))}, {})).withhold(2)
    >>> hidden = withheld_cells(tally, (Attribute("sex", np.array([0, 1]), ("f", "m")),), None, None, False)
    >>> hidden.names, hidden.unsent
    (('sex m',), {'sex': ('m',)})
    """
    hidden = np.flatnonzero(tally.most > 0)
    labels = {a.name: [a.labels[code] for code in a.codes[hidden]] for a in attributes}
    names = (
        ", ".join(f"{name} {MISSING_LEVEL if cell[name] is None else cell[name]}" for name in tally.factors)
        for cell in tally.withheld()
    )
    within = strata_labels(tally.factors, strata) if strata else []
    return Withheld(
        labels,
        None if outcome is None else outcome[hidden],
        None if decision is None else decision[hidden],
        by_score,
        tally.least[hidden],
        tally.most[hidden],
        tuple(names),
        tuple(within[i] for i in hidden) if strata else (),
        {a.name: _unsent(a, tally.rows) for a in attributes},
    )


def _unsent(attribute: Attribute, rows: Floats) -> tuple[str, ...]:
    """The groups that no cell which was sent has."""
    sizes = np.bincount(attribute.codes, rows, len(attribute.labels))
    return tuple(label for label, n in zip(attribute.labels, sizes.tolist(), strict=True) if not n)


# A tally in the codes that estimates are made of: 0 and 1 for answers, levels by size, intersections.


MISSING_OF = message("{name} missing")
KEPT = message("kept as the group (missing)")
STRATUM_MISSING = message("stratum missing ({name})")
MISSING_COVARIATE = message("covariate missing ({name})")
COMPLETE = message("with outcome and decision")  # a step of the flow of counts


@dataclass(frozen=True, eq=False)
class WeightSums:
    """Of every cell: rows of a weight above 0, the sum of the weights, and the sum of their squares."""

    used: Floats
    weight: Floats
    square: Floats

    def take(self, keep: NDArray[np.bool_] | NDArray[np.intp]) -> WeightSums:
        """The sums of some cells."""
        return WeightSums(self.used[keep], self.weight[keep], self.square[keep])


@dataclass(frozen=True, eq=False)
class CodedTally:
    """Cells of people: outcome and decision are 0, 1 or `UNKNOWN`; absent columns are None."""

    attributes: tuple[Attribute, ...]
    rows: Floats  # people recorded, by cell
    outcome: NDArray[np.int8] | None = None
    decision: NDArray[np.int8] | None = None  # 1 is the decision that predicts the positive outcome
    favors: int = 1  # the code of the favorable decision
    numbers: dict[str, Floats] = field(default_factory=dict)  # by measure; NaN is missing
    weights: WeightSums | None = None
    clusters: NDArray[np.int32] | None = None
    strata: Attribute | None = None
    flow: tuple[FlowStep, ...] = field(default=())
    grids: dict[str, int] = field(default_factory=dict)  # by measure: the level of the grid that its numbers are on
    withheld: Withheld | None = None  # what sites did not tell
    beside: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # the labels of a column of which one is chosen
    sampling: Sampling | None = None  # how units were drawn; `clusters` are these units
    left_out: CodedTally | None = None  # people of whom a group is missing, where these are left out

    @property
    def score(self) -> Floats | None:
        """The scores by cell."""
        return self.numbers.get("score")

    @property
    def level(self) -> int:
        """The level of the grid that the scores are on."""
        return self.grids.get("score", EXACT)

    @property
    def dropped(self) -> float:
        """How many people are left out because a group of theirs is missing."""
        return 0.0 if self.left_out is None else float(self.left_out.rows.sum())

    @property
    def size(self) -> int:
        """Rows in all cells."""
        return int(self.rows.sum())

    @property
    def weight(self) -> Floats:
        """The sum of the weights by cell; the rows where nobody is weighted."""
        return self.rows if self.weights is None else self.weights.weight

    @cached_property
    def strata_present(self) -> NDArray[np.bool_]:
        """Of which cells no legitimate factor is missing."""
        if self.strata is None:
            return np.ones(self.rows.size, dtype=bool)
        return np.array([not holds_missing(label) for label in self.strata.labels], dtype=bool)[self.strata.codes]

    def without(self, measure: str) -> tuple[bool | None, NDArray[np.bool_]]:
        """Whether the favorable decision comes without a number of a measure, or the other one; and of which cells.

        That is so where nobody with the decision has one, and people with the other have; elsewhere None and no cell.
        """
        nothing = None, np.zeros(self.rows.size, dtype=bool)
        if self.decision is None or not MEASURES[measure].none or measure not in self.numbers:
            return nothing
        known = self.decision[~np.isnan(self.numbers[measure])]
        having = [bool((known == code).any()) for code in (0, 1)]
        if having[0] == having[1]:
            return nothing
        code = having.index(False)
        return code == self.favors, self.decision == code

    @property
    def used(self) -> Floats:
        """Rows of a weight above 0, by cell."""
        return self.rows if self.weights is None else self.weights.used

    @property
    def square(self) -> Floats:
        """The sum of the squared weights by cell."""
        return self.rows if self.weights is None else self.weights.square

    def people(self, weight_type: str) -> Floats:
        """People by cell: a frequency weight counts people, a probability weight does not."""
        return self.rows if weight_type == "probability" else self.weight

    def known(self, measure: str, levels: Attribute) -> dict[str, NDArray[np.intp]]:
        """The cells of each group whose number of a measure is known, in their order."""
        known, rows = ~np.isnan(self.numbers[measure]), levels.rows
        return dict(zip(levels.labels, rows if known.all() else [of[known[of]] for of in rows], strict=True))

    def take(self, keep: NDArray[np.bool_] | NDArray[np.intp]) -> CodedTally:
        """The tally of some cells, in the order in which they are named."""

        def part(levels: Attribute) -> Attribute:
            return replace(levels, codes=levels.codes[keep])

        return replace(
            self,
            attributes=tuple(map(part, self.attributes)),
            rows=taken(self.rows, keep),
            outcome=None if self.outcome is None else self.outcome[keep],
            decision=None if self.decision is None else self.decision[keep],
            numbers={role: x[keep] for role, x in self.numbers.items()},
            weights=None if self.weights is None else self.weights.take(keep),
            clusters=None if self.clusters is None else self.clusters[keep],
            strata=None if self.strata is None else part(self.strata),
        )


def code(tally: Tally, declared: Protocol) -> tuple[CodedTally, Resolved]:
    """Say a tally in the codes of a protocol, and the protocol in the labels of the tally.

    tally: people counted.
    declared: what to look at.
    Returns: the cells, and the protocol as the data spell it; what was declared is left as it is.
    """
    _check_tally(tally, declared)
    _refuse_header(tally.factors)
    check_answers(tally.factors, declared)
    outcome, decision = (tally.factors[name] if name else None for _, name, _ in answers_of(declared))
    classes, ranked = classes_of(outcome, decision, declared)
    parts = _parts(tally, declared)
    for role, name, answer in (("decision", declared.decision, decision), ("outcome", declared.outcome, outcome)):
        counted = tally.lines or declared.weight_type == "probability" or SIDES[role] in declared.chosen
        if answer is not None and not counted:
            refuse_counts(name, answer, [*parts.values()], tally.rows, bool(declared.weights), role=role)
    complete = {name: part.with_missing_level() for name, part in parts.items()}
    attributes = audited(complete, declared, tally.rows, tally.most > 0)
    labels = {levels.name: levels.labels for levels in attributes}
    kept = column_parts(declared.strata, tuple(tally.factors)) if declared.strata else ()
    check_groups(declared.labels, labels)
    check_headline(declared.headline, labels)
    if decision is not None and not (classes or declared.chosen):
        _refuse_swapped(declared.decision, decision, parts)
    if decision is not None and outcome is not None and "positive_prediction" not in declared.chosen:
        _refuse_truth_as_decision(declared, () if classes else decision.levels)
    if decision is not None and "favorable" in declared.chosen and not spelled(declared.favorable, decision.levels):
        _refuse_label_of_groups(declared.decision, declared.favorable, decision, parts)
    if decision is not None and not tally.most.any():
        _refuse_one_label(declared.decision, decision, tally.rows)
    resolved = resolve(
        declared,
        outcome=None if outcome is None or classes else outcome.levels,
        decision=None if decision is None or classes else decision.levels,
        attributes=tuple(levels.name for levels in attributes),
        crossed=(
            *((levels.name, *levels.columns) for levels in attributes if levels.columns),
            *([(declared.strata, *kept)] if len(kept) > 1 else []),
        ),
        counted=tally._of_counts and tally.roles.get("decision") == (declared.decision,),
    )
    if declared.weights and declared.weight_type == "frequency":
        refuse_totals(parts, tally.weight)
        if decision is not None and not classes:
            chosen = resolved.positive_prediction or resolved.favorable
            refuse_everybody(declared.decision, chosen, decision, [*parts.values()], tally.weight)
    unclear = tuple(name for name, part in parts.items() if unclear_sexes(part.levels))
    resolved = replace(resolved, sexes_twice=unclear)
    columns = numbers_of(declared)
    numbers = {role: tally.numbers[name] for role, name in columns.items()}
    if declared.weights and declared.weight_type == "frequency":
        held = [*parts.values(), *(tally.factors[name] for name in kept)]
        for role, values in numbers.items():
            refuse_counted_parts(role, declared, values, held, tally.weight, tally.rows)
    if "score" in numbers:
        refuse_labels_as_score(declared, numbers["score"])
    if classes:
        if tally.most.any():
            raise InputError("data", "has withheld cells, and several classes; name the one to compare (favorable).")
        resolved = replace(resolved, classes=classes, ranked=ranked, favorable="", positive="")
        numbers = {"score": _class_codes(outcome, decision, classes)}  # withheld where a score would be
    units = UNIT if declared.design else declared.clusters
    coded = CodedTally(
        attributes=attributes,
        rows=tally.rows,
        outcome=None if outcome is None else _coded(outcome, resolved.positive),
        decision=_decisions(numbers.get("score"), decision, resolved, tally),
        favors=int(resolved.favorable == resolved.positive_prediction or not resolved.positive_prediction),
        numbers=numbers,
        weights=WeightSums(tally.used, tally.weight, tally.square) if declared.weights else None,
        clusters=tally.factors[units].codes.astype(np.int32) if units else None,
        strata=strata_levels(tally.factors, declared.strata, tally.rows) if declared.strata else None,
        grids={role: tally.grids[name] for role, name in columns.items() if name in tally.grids},
        beside={name: tally.factors[name].levels for _, name, _ in answers_of(declared) if name and not classes},
    )
    if tally.most.any():
        by_score = not declared.decision
        hidden = withheld_cells(tally, attributes, coded.outcome, coded.decision, by_score, declared.strata)
        coded = replace(coded.take(tally.rows > 0), withheld=hidden)
        for attribute in coded.attributes:
            check_levels(attribute.name, hidden.sent(attribute), every=attribute.labels)
    if declared.missing == "drop":
        shown = slice(None) if coded.withheld is None else tally.rows > 0
        coded = _without_missing(coded, {name: part.take(shown) for name, part in parts.items()})
    if coded.clusters is not None:
        no_cluster(declared.clusters, coded.rows[coded.clusters < 0].sum())
    return replace(coded, flow=_flow(coded, resolved, tally, parts)), resolved


def _refuse_header(factors: Mapping[str, Factor]) -> None:
    """Of tables that were joined below each other the header of the second is a row of the whole."""
    names = [name for name, factor in factors.items() if name in factor.levels]
    if len(names) < 2 or len(names) < len(factors):
        return
    places = [factors[name].codes == factors[name].levels.index(name) for name in names]
    if np.all(places, axis=0).any():
        raise InputError(
            "data",
            f"has a row whose values are the names of the columns ({listing(names)}); leave it out: it is a header.",
        )


def _refuse_swapped(name: str, decision: Factor, parts: Mapping[str, Factor]) -> None:
    """A column of groups says yes and no, and that of decisions does not, of which no label was chosen."""
    answered = [group for group, part in parts.items() if len(part.levels) == 2 and spelled("1", part.levels)]
    if answered and len(decision.levels) == 2 and not spelled("1", decision.levels):
        ways = " or ".join(str(Setting("favorable", one)) for one in sorted(decision.levels))
        raise InputError(
            "decision",
            f"has {name!r} with {listing(sorted(decision.levels))}, and groups have {answered[0]!r} with "
            f"{listing(sorted(parts[answered[0]].levels))}; did you swap them? Pass "
            f"{Setting('decision', answered[0])} and {Setting('groups', name)}, or, if not, {ways}, whichever helps "
            "the person.",
        )


def _refuse_truth_as_decision(declared: Protocol, labels: Sequence[str]) -> None:
    """By their names the decision is what happened, and the outcome what was predicted; labels: none of classes."""
    name, other = declared.decision, declared.outcome
    if likeness(name, "truth") < 0 or likeness(name, "prediction") >= 0 or likeness(other, "prediction") < 0:
        return
    ways = " or ".join(str(Setting("positive_prediction", one)) for one in sorted(labels))
    raise InputError(
        "decision",
        f"has {name!r}, and outcome has {other!r}; did you swap them? Pass {Setting('decision', other)} and "
        f"{Setting('outcome', name)}, or, if not, {ways or 'give the columns other names'}.",
    )


def _refuse_label_of_groups(name: str, favorable: str, decision: Factor, parts: Mapping[str, Factor]) -> None:
    """The favorable label is one of a column of groups, and none of the decisions."""
    for group, part in parts.items():
        if spelled(favorable, part.levels) and not spelled("1", decision.levels):
            raise InputError(
                "favorable",
                f"has {favorable!r}; {name!r} has the labels {listing(sorted(decision.levels))}, and {favorable!r} is "
                f"a label of {Setting('groups', group)}; did you swap decision and groups? Pass "
                f"{Setting('decision', group)} and {Setting('groups', name)}.",
            )


def _refuse_one_label(name: str, decision: Factor, rows: NDArray[np.float64]) -> None:
    """Where a tick is the only label, empty cells mean the other one, and nothing can be compared without them."""
    if len(decision.levels) != 1:
        return
    lost, n = rows[decision.codes < 0].sum(), rows.sum()
    if not 0 < lost < n:
        return
    raise InputError(
        "decision",
        f"has {name!r}, which is missing for {lost:,.0f} of {n:,.0f} rows and {decision.levels[0]!r} for all others, "
        f"so that nothing can be compared; if an empty cell means the other answer, fill it "
        f"first: {filling(name, decision.levels[0])}; if these decisions are not known, leave their rows out.",
    )


def _check_tally(tally: Tally, declared: Protocol) -> None:
    """What a protocol asks for is in the tally, which may have been counted for another one."""
    check_roles([*tally.factors, *tally.numbers], declared)
    parts = [part for group in declared.groups for part in column_parts(group, tally.factors)]
    strata = column_parts(declared.strata, tally.factors) if declared.strata else []
    arguments = [("groups", name) for name in parts] + [("strata", name) for name in strata]
    for role, name in [*arguments, *(a[:2] for a in answers_of(declared)), ("clusters", declared.clusters)]:
        _present(role, name, tally.factors)
    for role, name in numbers_of(declared).items():
        _present(role, name, tally.numbers)
    if declared.weights not in ("", tally.weights):
        fact = f"sums those of {tally.weights!r}" if tally.weights else "was counted without weights"
        raise InputError("weights", f"has {declared.weights!r}; the tally {fact}; count it with these weights.")
    if declared.weights and declared.weight_type == "frequency":
        if (tally.weight != np.round(tally.weight)).any():
            raise InputError("weights", f"has {declared.weights!r} with values that are not whole; {whole_way()}.")
        check_people(declared.weights, float(tally.weight.sum()))


def _present(role: str, name: str, columns: Mapping[str, object]) -> None:
    if name and name not in columns:
        raise InputError(
            role,
            with_hint(
                f"has {name!r}; the tally has no such column",
                nearest(name, columns),
                f"it has {listing(columns, 12) or 'none'}; count it with {Setting(role, name)}.",
            ),
        )


def _parts(tally: Tally, declared: Protocol) -> dict[str, Factor]:
    """The single columns of the audited attributes, missing people coded −1."""
    names = dict.fromkeys(part for group in declared.groups for part in column_parts(group, tuple(tally.factors)))
    parts = {name: tally.factors[name] for name in names}
    for name, part in parts.items():
        check_levels(name, part.levels)
        if not tally.most.any():
            known = part.codes >= 0
            people = max(float(counted[known].sum()) for counted in (tally.rows, tally.weight))
            refuse_names_of_people(name, len(part.levels), people)
        if declared.missing == "raise":
            missing_refused(name, float(tally.rows[part.codes < 0].sum()))
    return parts


def _coded(factor: Factor, one: str) -> NDArray[np.int8]:
    """1 where a column has a label (which may be one that nobody has), 0 elsewhere."""
    place = factor.levels.index(one) if one in factor.levels else len(factor.levels)
    return np.where(factor.codes < 0, UNKNOWN, factor.codes == place).astype(np.int8)


def _class_codes(outcome: Factor | None, decision: Factor | None, classes: tuple[str, ...]) -> Floats:
    """The class of each cell, NaN where it is missing; of both columns that of the decision + k times the outcome's.

    An unknown outcome has the place after the last.
    """
    k = len(classes)

    def places(factor: Factor) -> Floats:
        return np.array([*map(classes.index, factor.levels), -1], dtype=float)[factor.codes]

    first = outcome if decision is None else decision
    assert first is not None
    codes = places(first)
    if decision is not None and outcome is not None:
        known = places(outcome)
        codes = np.where(codes < 0, codes, codes + k * np.where(known < 0, k, known))
    return np.where(codes < 0, np.nan, codes)


def _decisions(
    score: Floats | None, decision: Factor | None, resolved: Resolved, tally: Tally
) -> NDArray[np.int8] | None:
    """The decisions of a column, or those that a threshold makes of scores; 1 predicts the positive outcome."""
    if decision is not None:
        return _coded(decision, resolved.positive_prediction or resolved.favorable)
    if score is None or resolved.threshold is None:
        return None
    _check_threshold(resolved.score, score, resolved.threshold)
    unknown = tally.rows[parted(resolved.threshold, score, tally.grids.get(resolved.score, EXACT))].sum()
    if unknown:
        raise InputError(
            "threshold",
            f"has {resolved.threshold!r}; the tally has the scores of {resolved.score!r} on a grid, and "
            f"{unknown:g} people in the bin of the threshold; audit the rows with this threshold, or count the "
            "decision as a column of its own.",
        )
    positive = (score >= resolved.threshold) == (resolved.positive_prediction == "1")
    return np.where(np.isnan(score), UNKNOWN, positive).astype(np.int8)


def _check_threshold(name: str, score: Floats, threshold: float) -> None:
    refuse_one_score(name, score)
    there = score[~np.isnan(score)]  # numpy's minimum is wrong of R's own NA, a signaling NaN
    low, high = float(there.min()), float(there.max())
    if not low < threshold <= high:
        raise InputError(
            "threshold",
            f"has {threshold:g}; the scores in {name!r} go from {low:g} to {high:g}, so "
            f"everybody would get the same decision; pass a threshold above {low:g} and at most {high:g}.",
        )


def _without_missing(coded: CodedTally, parts: dict[str, Factor]) -> CodedTally:
    keep = np.all([part.codes >= 0 for part in parts.values()], axis=0)
    kept = coded.take(keep)
    there = {} if kept.withheld is None else kept.withheld.labels
    known = [not any(map(holds_missing, cell)) for cell in zip(*there.values(), strict=True)]
    groups = {name: {*compress(labels, known)} for name, labels in there.items()}
    attributes = tuple(by_size(levels, kept.rows, groups.get(levels.name, ())) for levels in kept.attributes)
    if kept.withheld is not None:
        unsent = {levels.name: _unsent(levels, kept.rows) for levels in attributes}
        kept = replace(kept, withheld=replace(kept.withheld, unsent=unsent))
    for attribute in attributes:
        sent = attribute.labels if kept.withheld is None else kept.withheld.sent(attribute)
        check_levels(attribute.name, sent, every=attribute.labels)
    strata = None if kept.strata is None else by_size(kept.strata, kept.rows)
    return replace(kept, attributes=attributes, strata=strata, left_out=coded.take(~keep))


SENT = message("in the cells that were sent; the cells that were withheld have {least} to {most} more")


def _beside_withheld(tally: Tally) -> str:
    """How many people are not among those read, where cells were withheld."""
    if not tally.most.any():
        return ""
    return SENT.format(least=int(tally.least.sum()), most=int(tally.most.sum()))


def _flow(coded: CodedTally, resolved: Resolved, tally: Tally, parts: dict[str, Factor]) -> tuple[FlowStep, ...]:
    """How many rows were read, where each went, and how many are analyzed; of rows that stand for people, people."""
    kept = KEPT if resolved.missing == "level" else message("left out")
    frequent = bool(resolved.weights) and resolved.weight_type == "frequency"
    everybody, people = (tally.weight, coded.weight) if frequent else (tally.rows, coded.rows)
    frequent |= tally.lines > 0
    flow = [FlowStep(READ[0], tally.lines or int(tally.rows.sum()), _beside_withheld(tally))]
    flow += [FlowStep(READ[1], int(everybody.sum()))] if frequent else []
    for name, part in parts.items():
        if lost := int(everybody[part.codes < 0].sum()):
            flow.append(FlowStep(MISSING_OF.format(name=DataText(name)), lost, kept))
    complete = np.ones(coded.rows.size, dtype=bool)
    answers = {"outcome": coded.outcome, "decision": coded.decision}
    without = {role: codes == UNKNOWN for role, codes in answers.items() if codes is not None}
    for absent in without.values():
        complete &= ~absent
    cut = cuts(resolved)  # scores that are cut are decisions
    measured = {role: x for role, x in coded.numbers.items() if not resolved.classes}
    without |= {role: np.isnan(x) for role, x in measured.items() if resolved.argument(role) not in cut}
    for role, absent in without.items():
        favorable, none = coded.without(role)
        if favorable is not None:
            step = MEASURES[role].none[favorable]
            flow.append(FlowStep(step, int(people[none].sum()), MEASURES[role].left_out))
        absent = absent & ~none
        flow.append(FlowStep(MEASURES[role].lacking, int(people[absent].sum()), MEASURES[role].left_out))
    if lost := int(people[~coded.strata_present].sum()):
        why = message("left out of the comparisons within strata")
        flow.append(FlowStep(STRATUM_MISSING.format(name=DataText(resolved.strata)), lost, why))
    flow.append(FlowStep(ANALYZED[frequent], int(people.sum())))
    if coded.outcome is not None and coded.decision is not None:
        flow.append(FlowStep(COMPLETE, int(people[complete].sum()), message("the base of the error rates")))
    return tuple(flow)
