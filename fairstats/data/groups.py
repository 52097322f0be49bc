r"""Groups: one attribute or several, their intersections, continuous ones. The one reader of group columns.

What is a group, for fits, audits, comparisons and clusterings alike:

- A column of text, logicals, dates or categories is a set of labels.
- A column of numbers is a set of labels where all are whole and at most 20 differ: codes. More, or numbers with
  fractions, look like a measurement and are refused: cut them into classes, make them text, or in a fit use
  ``continuous(...)``. So do more than 20 dates, as text too.
- ``"a:b"`` is the column of that name, or else the intersection of a and b; a ``:`` in a label is then ``\:``.
- Missing labels are refused, dropped, or the level "(missing)", in an intersection for each of its parts; a label that
  reads "(missing)" is refused.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from fairstats.arrays import array, one_column, unwrapped
from fairstats.data.tables import (
    Columns,
    Factor,
    aligned,
    check_labels,
    crossed,
    factor,
    is_table,
    refuse_names_of_people,
    row_index,
)
from fairstats.errors import (
    Call,
    InputError,
    Setting,
    leaving_out,
    listing,
    nearest,
    of_column,
    rows_at,
    takes,
    warn,
    with_hint,
)
from fairstats.labels import column_parts, holds_missing, join, one_a_row
from fairstats.linalg.eigen import independent_columns
from fairstats.validation import MISSING, answering, choose, shown, word

# Group variables that are numbers and no labels: the mark that says so.


@dataclass(frozen=True)
class Continuous:
    """Marks a group variable as continuous: its own column of Z, not a set of levels."""

    values: Any
    name: str = ""


@answering
def continuous(values: Any, name: str = "") -> Continuous:
    """Mark a group variable as continuous: it becomes one numeric column, not a set of levels.

    Parameters
    ----------
    values : str, int or array (n,)
        The name of a column of ``data`` (``FairTransformer`` takes its position, too), or the numbers themselves.
    name : str, optional
        A name for an array.

    Returns
    -------
    Continuous
        To be passed as ``groups``.

    Examples
    --------
    >>> import fairstats as fs
    >>> fs.continuous("racepctblack").values
    'racepctblack'
    """
    word("name", name)
    position = isinstance(values, (int, np.integer)) and not isinstance(values, bool)
    if not isinstance(values, str) and not position and not hasattr(values, "to_numpy"):  # read with the data
        array("values", values, missing=True, dims=(1,))
    return Continuous(values, name or (values if isinstance(values, str) else "group"))


@dataclass(frozen=True)
class Groups:
    """The group variables of n rows.

    names: the categorical attributes; ``"sex:race"`` is an intersection.
    factors: their codes and levels.
    continuous_names, continuous: the continuous attributes, shape (n, c).
    missing: missing values found, by attribute, before they became a level or were dropped.
    keep: the rows that remain when ``missing="drop"`` took some away, shape (n_read,).
    index: the names of the rows, where they came with some: what is given later is paired by them.
    """

    names: tuple[str, ...]
    factors: tuple[Factor, ...]
    continuous_names: tuple[str, ...]
    continuous: np.ndarray
    missing: dict[str, int]
    keep: np.ndarray | None = None
    index: Any = None

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.factors[0].codes) if self.factors else len(self.continuous)

    @cached_property
    def cells(self) -> tuple[np.ndarray, tuple[tuple[str, ...], ...]]:
        """Codes (n,) of the combinations of levels that occur, and those combinations."""
        if not self.factors:
            return np.zeros(self.n, dtype=np.intp), ((),)
        if len(self.factors) == 1:
            return self.factors[0].codes, tuple((level,) for level in self.factors[0].levels)
        flat = np.ravel_multi_index([f.codes for f in self.factors], [len(f.levels) for f in self.factors])
        seen, codes = np.unique(flat, return_inverse=True)
        index = np.unravel_index(seen, [len(f.levels) for f in self.factors])
        labels = [
            tuple(f.levels[i] for f, i in zip(self.factors, row, strict=True))
            for row in zip(*(x.tolist() for x in index), strict=True)
        ]
        return codes.astype(np.intp), tuple(labels)

    def take(self, rows: np.ndarray) -> Groups:
        """Return the groups of some of the rows (a mask or indices); levels that no longer occur are dropped."""
        factors = tuple(f.take(rows).used() for f in self.factors)
        index = None if self.index is None else self.index[rows]
        return Groups(self.names, factors, self.continuous_names, self.continuous[rows], self.missing, None, index)

    @property
    def labels(self) -> np.ndarray:
        """One label a row, attributes joined by ':' (object array)."""
        codes, cells = self.cells
        return np.array([join(c) if len(c) > 1 else "".join(c) for c in cells], dtype=object)[codes]

    @staticmethod
    def of(
        groups: Any,
        data: Any = None,
        *,
        missing: str | None = None,
        at_least: int = 2,
        index: Any = None,
        table: str = "data",
    ) -> Groups:
        """Build groups from column names of ``data``, arrays, a table, ``continuous(...)``, or a list of these.

        ``index`` names the rows they are for: by default that of ``data``. Groups with an index are put in its order.
        ``table`` is what messages call ``data``, and ``missing`` is None where the caller has no such argument.
        """
        groups, data = unwrapped(groups), unwrapped(data)
        index = row_index(data) if index is None else index
        if isinstance(groups, Groups):
            return _reordered(groups, index)
        if missing is not None:
            choose("missing", missing, MISSING)
        columns = Columns(data, table) if data is not None else None
        groups = aligned(groups, index, "groups", "X" if data is None else table)
        index = row_index(groups) if index is None else index
        parts = [(name, _part(name, value, columns, at_least, table)) for name, value in _named(groups, columns)]
        if repeated := [name for name, count in Counter(name for name, _ in parts).items() if count > 1]:
            raise InputError(
                "groups", f"has {repeated[0]!r} more than once; each attribute is used once; drop the repeat."
            )
        lengths = {name: len(values[0]) for name, values in parts}
        if len(set(lengths.values())) > 1:
            raise InputError("groups", f"have different lengths ({lengths}); give one value a row.")
        if not parts:
            raise InputError("groups", "is empty; name at least one group variable.")
        absent = {name: np.logical_or.reduce([_missing_rows(v) for v in values]) for name, values in parts}
        counts = {name: int(m.sum()) for name, m in absent.items()}
        if missing in ("raise", None):
            _refuse_missing(absent, columns.names if columns is not None else (), missing is not None)
        drop = missing == "drop" and any(counts.values())
        keep = ~np.logical_or.reduce(list(absent.values())) if drop else None
        result = _assemble(parts, counts, keep, at_least)
        if index is not None and len(index) == next(iter(lengths.values())):
            result = replace(result, index=index if keep is None else index[keep])
        return result


def _reordered(groups: Groups, index: Any) -> Groups:
    """Groups that were checked before, in the order of the rows that they are for now."""
    if index is None or groups.index is None or len(index) != len(groups.index):
        return groups
    import pandas as pd

    order = aligned(pd.Series(range(groups.n), index=groups.index), index, "groups")
    return groups if order.index is groups.index else replace(groups.take(order.to_numpy()), missing=groups.missing)


def label_names(groups: Any) -> list[str]:
    """Return the column names among what was given as groups; continuous ones hold no labels."""
    if isinstance(groups, str):
        return [groups]
    return [g for g in groups if isinstance(g, str)] if isinstance(groups, (list, tuple)) else []


def _named(groups: Any, columns: Columns | None) -> list[tuple[str, Any]]:
    """(name, value) pairs, whatever form the argument had."""
    if isinstance(groups, str):
        return [(groups, groups)]
    if isinstance(groups, Continuous):
        return [(groups.name, groups)]
    if isinstance(groups, Mapping):
        return [(str(k), v) for k, v in groups.items()]
    if is_table(groups):
        table = Columns(groups, "groups")
        return [(c, table.factor(c, "groups", blanks=True)) for c in table.names]
    if (
        isinstance(groups, (list, tuple))
        and groups
        and columns is not None
        and all(isinstance(g, (str, Continuous)) for g in groups)
        and not one_a_row(groups, columns.n, columns.names)
    ):
        return [(g if isinstance(g, str) else g.name, g) for g in groups]
    if isinstance(groups, (list, tuple)) and any(isinstance(g, Continuous) for g in groups):
        return [(getattr(g, "name", "") or f"group {i + 1}", g) for i, g in enumerate(groups)]
    name = getattr(groups, "name", None)
    name = str(name) if name is not None and name != "" else "group"
    typed = hasattr(groups, "to_numpy") or hasattr(groups, "categories") or isinstance(groups, np.ma.MaskedArray)
    if typed and len(getattr(groups, "shape", (0,))) == 1:
        return [(name, groups)]
    dimensions = groups.ndim if isinstance(groups, np.ndarray) else np.ndim(np.asarray(groups, dtype=object))
    if dimensions == 2:
        rows = groups if isinstance(groups, np.ma.MaskedArray) else np.asarray(groups, dtype=_dtype(groups))
        return [(f"group {j + 1}", rows[:, j]) for j in range(np.shape(rows)[1])]
    if dimensions == 0 and isinstance(groups, (int, np.integer)):  # in the place after the features
        way = f"give one label a row, or a column name of data; a number of components is {Setting('k', int(groups))}."
        raise InputError("groups", f"has {groups}; {way}")
    if dimensions != 1:
        raise InputError("groups", f"has {dimensions} dimensions; give one label a row, or a column name of data.")
    return [(name, groups)]


def _dtype(values: Any) -> Any:
    """Lists keep what each entry is; arrays have a type of their own."""
    return object if isinstance(values, (list, tuple)) else None


def _part(name: str, value: Any, columns: Columns | None, at_least: int, table: str) -> list[Any]:
    """One group variable: the float array of a continuous one, the factor, or the factors of an intersection."""
    if isinstance(value, Continuous):
        inner = value.values
        if isinstance(inner, str):
            return [_needs(columns, inner, table).numeric(inner, "groups")]
        return [_numbers(name, inner)]
    if isinstance(value, Factor):
        items = [value]
    elif isinstance(value, str):
        items = group_factors(_needs(columns, value, table), value)
    elif not hasattr(value, "__len__") and not hasattr(value, "to_numpy"):
        raise InputError("groups", f"has {shown(value)} for {name!r}; it is one label a row; pass a list.")
    else:
        with of_column("groups", name):
            items = [factor(value, argument="groups")]
    for one in items:
        check_labels(
            name, one, with_numbers=at_least > 1
        )  # new rows, and parts of the data, are checked with the whole
    return items


def group_factors(columns: Columns, name: str, argument: str = "groups") -> list[Factor]:
    """Return the columns that a name means: one, or several where it is the ``a:b`` of an intersection."""
    return [columns.factor(part, argument, blanks=True) for part in column_parts(name, columns.names)]


def _numbers(name: str, values: Any) -> np.ndarray:
    if isinstance(values, np.ma.MaskedArray):
        values = np.ma.filled(values.astype(float), np.nan)
    try:
        return one_column(np.asarray(values, dtype=float))
    except (TypeError, ValueError):
        raise InputError(
            "groups",
            "is continuous and holds values that are not numbers; give numbers, or labels without "
            f"{Call('continuous', ())}.",
            value=name,
        ) from None


def _needs(columns: Columns | None, name: str, table: str) -> Columns:
    if columns is None:
        raise InputError(
            "groups",
            f"names a column, but no {table} was given; pass {Setting(table)}, or the labels themselves.",
            value=name,
        )
    return columns


def _missing_rows(values: Factor | np.ndarray) -> np.ndarray:
    return values.codes < 0 if isinstance(values, Factor) else ~np.isfinite(values)


def _refuse_missing(absent: dict[str, np.ndarray], columns: Collection[str], has_argument: bool) -> None:
    """Say what can be done about missing groups where the call has an argument for it, and where it has none."""
    rules = (("level", "to keep them as a group"), ("drop", "to leave those rows out"))
    taken = {rule: why for rule, why in rules if has_argument and takes("missing", rule)}
    for name, rows in absent.items():
        if rows.any():
            count = int(rows.sum())
            ways = [f"{Setting('missing', rule)} {why}" for rule, why in taken.items()]
            ways += [] if "drop" in taken else [leaving_out(name if name in columns else "")]
            raise InputError(
                "groups",
                f"has {count} missing value{'s' * (count > 1)} ("
                f"{rows_at(np.flatnonzero(rows))}); {'pass ' if taken else ''}{', or '.join(ways)}.",
                value=name,
            )


def _assemble(
    parts: list[tuple[str, list[Any]]], counts: dict[str, int], keep: np.ndarray | None, at_least: int
) -> Groups:
    rows = slice(None) if keep is None else keep
    names, factors, numbers = [], [], []
    for name, values in parts:
        if not isinstance(values[0], Factor):
            column = values[0][rows]
            if not np.isfinite(column).all():
                raise InputError(
                    "groups",
                    f"is continuous and has missing values, which cannot be a level; {leaving_out('')}.",
                    value=name,
                )
            numbers.append((name, column))
            continue
        result = crossed([f.take(rows).used() for f in values]).with_missing_level()
        if not result.levels:
            raise InputError("groups", "has no labels; name a column of data, or give one label a row.", value=name)
        if len(result.levels) < at_least:
            raise InputError(
                "groups",
                f"has {len(result.levels)} level ({listing(result.levels)}); at least two groups "
                "are needed to compare.",
                value=name,
            )
        if at_least > 1 and len(values) == 1:
            refuse_names_of_people(name, len(result.levels), len(result.codes))
        names.append(name)
        factors.append(result)
    n = len(factors[0].codes) if factors else len(numbers[0][1])
    matrix = np.column_stack([v for _, v in numbers]) if numbers else np.empty((n, 0))
    return Groups(tuple(names), tuple(factors), tuple(n for n, _ in numbers), matrix, counts, keep)


# The numeric columns Z that stand for the groups: indicators and continuous attributes, centered.


_DEFAULT_NAME = re.compile(r"group( \d+)?")  # what arrays without a name are called


@dataclass(frozen=True)
class Encoding:
    """How group labels become the numeric columns Z: indicators of all levels but the first, then continuous columns.

    ``center`` (q,) is subtracted; ``kept`` says which columns are linearly independent.
    """

    names: tuple[str, ...]
    levels: tuple[tuple[str, ...], ...]
    continuous_names: tuple[str, ...]
    kept: tuple[int, ...]
    center: np.ndarray

    @property
    def missing(self) -> str | None:
        """What rows without a label are to a fit that knows these levels: a level, or refused."""
        return "level" if any(map(holds_missing, chain.from_iterable(self.levels))) else None

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the kept columns of Z."""
        every = [f"{a}={level}" for a, levels in zip(self.names, self.levels, strict=True) for level in levels[1:]]
        every += self.continuous_names
        return tuple(every[j] for j in self.kept)

    def ask(self, groups: Any) -> Any:
        """Return group variables as the fit knew them: names that were continuous are continuous again."""
        if isinstance(groups, str):
            return continuous(groups) if groups in self.continuous_names else groups
        if (
            isinstance(groups, (list, tuple))
            and all(isinstance(g, str) for g in groups)
            and set(groups) <= {*self.names, *self.continuous_names}
        ):
            return [self.ask(g) for g in groups]
        if self.continuous_names and not self.names and np.ndim(groups) == 1 and not _marked(groups):
            return Continuous(groups, self.continuous_names[0])
        return groups

    def raw(self, cells: tuple[tuple[str, ...], ...]) -> np.ndarray:
        """Return uncentered indicators (G × q₁) of cells, before columns are dropped."""
        out = [
            [float(cell[a] == level) for a, levels in enumerate(self.levels) for level in levels[1:]] for cell in cells
        ]
        return np.array(out).reshape(len(cells), -1)

    def encode(self, groups: Groups, *, on_unknown: str = "raise") -> np.ndarray:
        """Return centered Z (n × q) of new rows; a level not seen in training is refused, or averaged.

        The mean is that of the attribute alone; those that are known stay. An intersection is one attribute.
        Attributes are matched by name; those of arrays, which have none, by position.
        """
        if len(groups.names) != len(self.names) or len(groups.continuous_names) != len(self.continuous_names):
            raise InputError(
                "groups",
                f"has the attributes {listing((*groups.names, *groups.continuous_names))}; the fit "
                f"needs {listing((*self.names, *self.continuous_names))}.",
            )
        groups = self._in_order(groups)
        codes, cells = groups.cells
        table = self.raw(cells)
        unknown = self._unknown(cells)
        if unknown.any() and on_unknown != "mean":
            new = sorted({":".join(cells[i]) for i in np.flatnonzero(unknown.any(axis=1))})
            raise InputError(
                "groups",
                f"has a level that the fit has not seen: {listing(new)} ({rows_at(self.unseen(groups))}); it knows "
                f"{'; '.join(map(listing, self.levels))}. Pass {Setting('on_unknown', 'mean')} to treat such rows "
                "as average.",
            )
        means = np.zeros(table.shape[1] + groups.continuous.shape[1])
        means[list(self.kept)] = self.center
        averaged = np.repeat(unknown, [len(levels) - 1 for levels in self.levels], axis=1)
        table = np.where(averaged, means[: table.shape[1]], table)
        return np.hstack([table[codes], groups.continuous])[:, list(self.kept)] - self.center

    def unseen(self, groups: Groups) -> np.ndarray:
        """Return the rows (places) whose groups the fit has not seen."""
        codes, cells = self._in_order(groups).cells
        return np.flatnonzero(np.asarray(self._unknown(cells).any(axis=1))[codes])

    def _unknown(self, cells: tuple[tuple[str, ...], ...]) -> np.ndarray:
        """Return which level of each cell is not known (G × attributes)."""
        places = [[level not in known for level, known in zip(cell, self.levels, strict=True)] for cell in cells]
        return np.array(places, dtype=bool).reshape(len(cells), -1)

    def _in_order(self, groups: Groups) -> Groups:
        """The attributes of new rows in the order of the fit's."""
        labels = _places(self.names, groups.names)
        numbers = _places(self.continuous_names, groups.continuous_names)
        if labels == list(range(len(labels))) and numbers == list(range(len(numbers))):
            return groups
        return replace(
            groups,
            names=self.names,
            factors=tuple(groups.factors[i] for i in labels),
            continuous_names=self.continuous_names,
            continuous=groups.continuous[:, numbers],
        )

    def independent(self, gram: np.ndarray, center: np.ndarray) -> Encoding:
        """Return the encoding with the linearly independent columns, given ZᵀZ (q₁ × q₁) and the means (q₁,) of all.

        A warning names columns that say nothing new; it is an error if none varies.
        """
        kept = independent_columns(gram)
        if not kept:
            raise InputError("groups", "do not vary: every row has the same group once weights are applied.")
        every = replace(self, kept=tuple(range(len(gram)))).columns
        dropped = [every[j] for j in range(len(gram)) if j not in set(kept) and gram[j, j] > 0]
        if dropped:
            warn(
                f"groups: the columns {listing(dropped)} are combinations of the others (to 1e-5 of their length) "
                "and were left out."
            )
        return replace(self, kept=tuple(kept), center=center[list(kept)])


def _places(names: tuple[str, ...], given: tuple[str, ...]) -> list[int]:
    """Where among the given attributes each known one stands: by name where both have names of their own."""
    if set(names) == set(given) and len(set(names)) == len(names):
        return [given.index(name) for name in names]
    if any(map(_DEFAULT_NAME.fullmatch, names)) or any(map(_DEFAULT_NAME.fullmatch, given)):
        return list(range(len(names)))
    wrong = next(name for name in given if name not in names)
    raise InputError(
        "groups",
        with_hint(
            f"has the attribute {wrong!r}, which the fit does not know",
            nearest(wrong, names),
            f"it needs {listing(names)} (an array without a name is taken by position).",
        ),
    )


def _marked(groups: Any) -> bool:
    """Whether the caller has said already what is continuous."""
    if isinstance(groups, (list, tuple)):
        return any(isinstance(g, Continuous) for g in groups)
    return isinstance(groups, (Continuous, Groups, Mapping))
