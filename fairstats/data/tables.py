"""Any table (pandas, polars, pyarrow, a dictionary of arrays) as named columns."""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, is_dataclass, replace
from itertools import pairwise
from typing import Any, Protocol

import narwhals as nw
import numpy as np

from fairstats.arrays import DIFFER, Framed, one_column, side_by_side, unwrapped
from fairstats.errors import (
    Call,
    InputError,
    Setting,
    UnknownColumn,
    formula_in_code,
    in_classes,
    listing,
    named,
    nearest,
    of_column,
    rows_at,
    snippet,
    warn,
    with_hint,
)
from fairstats.labels import (
    MISSING_LEVEL,
    distinct,
    is_missing,
    is_number,
    is_numeric_text,
    join,
    label,
    ordered,
    refuse_inexact,
    refuse_reserved,
    split,
)
from fairstats.rvalues.convert import NA_INTEGER
from fairstats.validation import OF_ONE_COLUMN, of_r, shown

# Rows that carry names (an index of pandas) are paired by these names, and never by position where names disagree.


def row_index(data: Any) -> Any:
    """Return the index that rows carry: that of a pandas frame or series (also inside a `Columns`), else None."""
    if hasattr(data, "_frame"):
        data = data._frame.to_native()
    if hasattr(data, "iloc") and hasattr(data, "index"):
        return data.index
    if isinstance(data, Mapping):
        return next((i for i in map(row_index, data.values()) if i is not None), None)
    return None


def aligned(values: Any, index: Any, argument: str, to: str = "X") -> Any:
    """Return ``values`` in the order of ``index``, where both carry names; unchanged where one does not.

    Parameters
    ----------
    values : anything with one entry a row
        A pandas series or frame; a dictionary or list of these; ``continuous(...)`` of one; else unchanged.
    index : pandas.Index or None
        The rows' names in the order wanted.
    argument, to : str
        Who is aligned to what, for the message.

    Raises
    ------
    InputError
        Both carry names, and these are not the same.

    Examples
    --------
    >>> import pandas as pd
    >>> aligned(pd.Series(["b", "a"], index=[2, 1]), pd.Index([1, 2]), "groups").tolist()
    ['a', 'b']
    """

    def in_order(part: Any) -> Any:
        current = part.index
        if index is None or len(current) != len(index) or current.equals(index):  # lengths are checked elsewhere
            return part
        order = current.get_indexer(index) if current.is_unique and index.is_unique else None
        if order is None or (order < 0).any():
            raise InputError(_differ(current, index, order, argument, to))
        return part.iloc[order]

    return each(values, in_order)


def each(values: Any, change: Callable[[Any], Any]) -> Any:
    """Apply ``change`` to every pandas series or frame in what was given as groups, y or weights."""
    if isinstance(values, Mapping):
        return {k: each(v, change) for k, v in values.items()}
    if isinstance(values, (list, tuple)) and any(row_index(_inner(v)) is not None for v in values):
        return [each(v, change) for v in values]
    if is_dataclass(values) and hasattr(values, "values"):  # continuous(series)
        return replace(values, values=each(values.values, change))  # type: ignore[type-var]
    return change(values) if hasattr(values, "iloc") and hasattr(values, "index") else values


def first_index(*candidates: tuple[str, Any]) -> tuple[str, Any]:
    """Return the name of the first argument that carries an index, and that index; ("", None) where none does."""
    return next(((name, i) for name, data in candidates if (i := any_index(data)) is not None), ("", None))


def same_order(values: Any, index: Any, argument: str, to: str) -> None:
    """Refuse an index in another order than ``index``, where the rows that both are for have none."""
    current = any_index(values)
    if current is not None and index is not None and len(current) == len(index) and not current.equals(index):
        raise InputError(
            argument,
            f"and {to} have indexes in different orders, and X has none, so it cannot be known which "
            "is that of its rows; pass X as a data frame, or arrays (to_numpy()) in the order of X.",
        )


def any_index(data: Any) -> Any:
    """Return the index of the data, of a list or tuple that of the first member that has one, or None."""
    if isinstance(data, (list, tuple)):
        return next((i for i in (row_index(_inner(v)) for v in data) if i is not None), None)
    return row_index(_inner(data))


def _inner(value: Any) -> Any:
    return value.values if is_dataclass(value) and hasattr(value, "values") else value


def _differ(current: Any, index: Any, order: Any, argument: str, to: str) -> str:
    way = f"reindex one of them, or pass {argument} as an array (to_numpy()) if the rows are in the same order."
    if order is None:
        who = argument if not current.is_unique else to
        return (
            f"{argument} and {to} have different indexes, and that of {who} has repeated entries, so rows cannot be "
            f"paired; {way}"
        )
    lost = index[order < 0]
    return (
        f"{argument} and {to} have different indexes ({argument} lacks {listing(map(repr, lost.tolist()), 3)}), so "
        f"rows cannot be paired; {way}"
    )


# Factors: columns of labels as codes and levels, of any source, and their intersections.


MOST_CELLS = 10**6  # a crossing with fewer possible cells is counted
MOST_NARROW = 120  # levels whose codes are single bytes
BLOCK = 1 << 16  # rows at once
OF_PEOPLE = ("groups", "decision", "outcome", "strata", "known")  # roles in which a blank label is a missing one
FEW = 4  # levels that are counted faster one by one


@dataclass(frozen=True)
class Factor:
    """A categorical column: ``levels[codes[i]]`` is the label of row i, code −1 a missing value.

    Codes are signed integers of any width; `wide` gives those that can be multiplied. ``numbers`` says whether the
    labels are those of numbers; an intersection says it of every part. ``ordered`` says that the order of the levels
    was declared and is kept in tables.
    """

    codes: np.ndarray
    levels: tuple[str, ...]
    numbers: tuple[bool, ...] = (False,)
    ordered: bool = False

    def __len__(self) -> int:
        return len(self.codes)

    def take(self, rows: Any) -> Factor:
        """Return the factor of some rows, levels unchanged."""
        return replace(self, codes=self.codes[rows])

    def used(self) -> Factor:
        """Return the factor without the levels that do not occur."""
        counts = counted(self.codes, len(self.levels))
        if counts.all():
            return self
        lookup = np.append(np.where(counts > 0, np.cumsum(counts > 0) - 1, -1), -1).astype(self.codes.dtype)
        levels = tuple(v for v, n in zip(self.levels, counts, strict=True) if n)
        return replace(self, codes=lookup[self.codes], levels=levels)

    def without_blanks(self) -> Factor:
        """Return the factor in which a label of blanks is a missing one, as in a file."""
        return self.without([level for level in self.levels if not level.strip()])

    def without(self, labels: Collection[str]) -> Factor:
        """Return the factor in which some labels are missing ones."""
        gone = [code for code, level in enumerate(self.levels) if level in labels]
        return replace(self, codes=np.where(np.isin(self.codes, gone), -1, self.codes)).used() if gone else self

    def wide(self) -> Factor:
        """Return the factor with codes that arithmetic does not overflow."""
        return replace(self, codes=self.codes.astype(np.intp, copy=False))

    def with_missing_level(self) -> Factor:
        """Return the factor with "(missing)" as its last level, where something is missing."""
        if not (self.codes < 0).any():
            return self
        codes = np.where(self.codes < 0, len(self.levels), self.codes)
        return replace(self, codes=codes, levels=(*self.levels, MISSING_LEVEL))

    @property
    def labels(self) -> np.ndarray:
        """Labels as an object array, missing ones None."""
        return np.array([*self.levels, None], dtype=object)[self.codes]


def factor(values: Any, levels: Sequence[str] | None = None, argument: str = "values") -> Factor:
    """Code labels; levels that do not occur are dropped, the rest sorted (numbers by value).

    values: numbers, strings, logicals, dates; None, NaN and masked entries are missing, shape (n,).
    levels: the order of the levels, of which those that occur are kept.
    argument: who asks, for messages.

    >>> factor([10, 2.0, 2, None]).levels
    ('2', '10')
    """
    return _coded(values, levels, argument).wide()


def _coded(values: Any, levels: Sequence[str] | None = None, argument: str = "values") -> Factor:
    if isinstance(values, Factor):
        return values
    values = one_column(unwrapped(values))
    if is_table(values) and not isinstance(values, Mapping) and len((table := Columns(values, argument)).names) == 1:
        return table.labels(table.names[0], argument)
    if isinstance(values, np.ma.MaskedArray):
        return _with_gaps(np.ma.getmaskarray(values), values.compressed(), levels, argument)
    if levels is None and (series := _label_series(values)) is not None:
        return of_series(series, argument)
    values = _array(values)
    if values.ndim != 1:
        raise InputError(argument, f"has {shown(values)}; it is one label a row; pass a list of them.")
    if values.dtype.kind == "O":
        return _of_objects(values, levels, argument)
    if levels is None and values.dtype.kind in "biu" and values.size and (result := _small_integers(values)):
        return result
    if values.dtype.kind in "biufmM" and levels is None:
        missing = np.isnan(values) if values.dtype.kind in "fmM" else np.zeros(len(values), dtype=bool)
        _refuse_infinite(values, np.arange(len(values)), argument)
        return _placed(missing, _by_unique(values[~missing], argument))
    if values.dtype.kind == "U" and (found := _few_texts(values)) is not None:
        return _named(*found, levels, argument)
    return _of_objects(values.astype(object), levels, argument)


def _few_texts(values: np.ndarray) -> tuple[np.ndarray, list[str]] | None:
    """Codes and texts of up to four different ones, found one by one without an object a row; else None."""
    codes, unique = np.full(len(values), -1, dtype=np.int8), list[str]()
    short = values.dtype.itemsize in (4, 8) and values.flags.c_contiguous  # one or two letters: compared as one number
    keys = values.view(f"i{values.dtype.itemsize}") if short else values
    for code in range(FEW + 1):
        rest = codes < 0
        i = int(rest.argmax()) if len(rest) else 0
        if not rest[i : i + 1].any():
            return codes, unique
        if code < FEW:
            np.copyto(codes, code, where=keys == keys[i])
            unique.append(str(values[i]))
    return None


def _array(values: Any) -> np.ndarray:
    """Labels as an array; a list keeps what its entries are, which one type for all of them would lose."""
    if not isinstance(values, (list, tuple)):
        return np.asarray(values)
    return np.fromiter(values, dtype=object, count=len(values))


def _label_series(values: Any) -> Any:
    """A series of pandas, polars or pyarrow as narwhals sees it; None for arrays and lists."""
    if isinstance(values, (list, tuple, np.ndarray)):
        return None
    if nw.dependencies.is_into_series(values):
        return nw.from_native(dense(values), series_only=True)
    if type(values).__module__.split(".")[0] == "pandas":  # its arrays and indexes
        import pandas as pd

        return nw.from_native(dense(pd.Series(values)), series_only=True)
    return None


def of_series(series: Any, argument: str) -> Factor:
    """Code a narwhals series, in the order of its categories where it has them."""
    native = series.to_native()
    if hasattr(native, "cat") and hasattr(native.cat, "codes"):  # pandas: codes as they are, no label an object
        categories = distinct(list(native.cat.categories), argument)
        return Factor(native.cat.codes.to_numpy(), tuple(categories), ordered=bool(native.cat.ordered)).used()
    if series.dtype in (nw.Categorical, nw.Enum):
        present = _categories(series)
        levels = None if present is None else distinct(present, argument)
        result = _of_objects(np.asarray(series.to_list(), dtype=object), levels, argument)
        return replace(result, ordered=series.dtype == nw.Enum)
    if series.dtype.is_numeric() or series.dtype == nw.Boolean:
        if series.null_count() == 0:
            return _coded(np.asarray(series.to_numpy()), argument=argument)
        missing = np.asarray(series.is_null().to_numpy(), dtype=bool)
        return _with_gaps(missing, np.asarray(series.drop_nulls().to_numpy()), None, argument)
    if hasattr(native, "factorize"):  # pandas: text that is not made objects first
        values = native.to_numpy() if native.dtype == object else native.array
        return _of_objects(values, None, argument)
    return _of_objects(_array(series.to_list()), None, argument)


def _categories(series: Any) -> list[Any] | None:
    """Declared categories in their order; None for polars' Categorical, whose order is that of the text."""
    native = series.to_native()
    if hasattr(native, "unify_dictionaries"):  # pyarrow
        return list(native.unify_dictionaries().chunk(0).dictionary.to_pylist())
    return list(series.dtype.categories) if series.dtype == nw.Enum else None


def _refuse_infinite(values: np.ndarray, places: np.ndarray, argument: str) -> None:
    if values.dtype.kind == "f" and (infinite := np.isinf(values)).any():
        rows = rows_at(places[infinite])
        raise InputError(argument, f"has infinite values ({rows}), which are no labels; correct or drop them.")


def _with_gaps(missing: np.ndarray, rest: np.ndarray, levels: Sequence[str] | None, argument: str) -> Factor:
    """The factor of all rows, from the values that are not missing."""
    _refuse_infinite(rest, np.flatnonzero(~missing), argument)
    return _placed(missing, factor(rest, levels, argument))


def _placed(missing: np.ndarray, result: Factor) -> Factor:
    if not missing.any():
        return result
    codes = np.full(len(missing), -1, dtype=np.intp)
    codes[~missing] = result.codes
    return Factor(codes, result.levels, result.numbers)


def _small_integers(values: np.ndarray) -> Factor | None:
    low, high = int(values.min()), int(values.max())
    if high - low > 1024:
        return None
    logical, width = values.dtype.kind == "b", high - low + 1
    codes = values.view(np.int8) if logical else values
    if low:  # one byte does not hold every difference of two bytes
        codes = codes.astype(np.int16) - np.int16(low) if codes.itemsize == 1 else codes - codes.dtype.type(low)
    names = tuple(str(bool(v)) if logical else str(v) for v in range(low, high + 1))
    return Factor(codes.astype(np.int8 if width <= MOST_NARROW else np.int16, copy=False), names, (not logical,)).used()


def counted(codes: np.ndarray, width: int) -> np.ndarray:
    """Count how often each code occurs, missing ones left out: in blocks that stay in cache.

    >>> counted(np.array([1, -1, 1, 0]), 3).tolist()
    [1, 2, 0]
    """
    if width <= FEW:
        return np.array([np.count_nonzero(codes == code) for code in range(width)], dtype=np.int64)
    counts = np.zeros(width + 1, dtype=np.int64)
    block = max(BLOCK, width)
    for start in range(0, len(codes), block):
        counts += np.bincount(codes[start : start + block].astype(np.intp) + 1, minlength=width + 1)
    return counts[1:]


def _by_unique(values: np.ndarray, argument: str) -> Factor:
    unique, codes = np.unique(values, return_inverse=True)
    if values.dtype.kind == "f":
        refuse_inexact(unique, argument)
    names = [label(v) for v in unique] if values.dtype.kind in "mM" else [label(v) for v in unique.tolist()]
    return Factor(codes.astype(np.intp), tuple(names), (values.dtype.kind in "iuf",))


def _of_objects(values: Any, levels: Sequence[str] | None, argument: str) -> Factor:
    """Code values of any type: equal numbers are one, a logical or a text is none of them."""
    import pandas as pd

    try:
        codes, unique = pd.factorize(values, use_na_sentinel=True)
        types = set(map(type, values)) if {1, 0}.intersection(unique) else set()
        if types & {bool, np.bool_} and not types <= {bool, np.bool_, type(None)}:
            # True equals 1 for Python, which makes them one; keyed by what they are they stay two.
            keys = np.empty(len(values), dtype=object)
            keys[:] = [None if is_missing(v) else (isinstance(v, (bool, np.bool_)), v) for v in values]
            codes, pairs = pd.factorize(keys, use_na_sentinel=True)
            unique = [v for _, v in pairs]
    except (TypeError, NotImplementedError):  # the latter of Arrow's lists and structs
        kind = type(next((v for v in values if getattr(v, "__hash__", None) is None), values)).__name__
        raise InputError(
            argument, f"holds {kind} values, which are no labels; give one text or number a row."
        ) from None
    return _named(codes, list(unique), levels, argument)


def _named(codes: np.ndarray, unique: list[Any], levels: Sequence[str] | None, argument: str) -> Factor:
    """The factor of codes of unlike values, with the labels of those in order; pandas knows few that are missing."""
    gaps = np.array([*map(is_missing, unique), False])
    unique = [v for v in unique if not is_missing(v)]
    text = distinct(unique, argument)
    numbers = bool(unique) and all(is_number(v) for v in unique)
    current = set(text)
    kept = ordered(current, [numbers]) if levels is None else [v for v in levels if v in current]
    place = {t: i for i, t in enumerate(kept)}
    lookup = np.full(len(gaps), -1, dtype=np.int8 if len(kept) <= MOST_NARROW else np.intp)
    lookup[np.flatnonzero(~gaps[:-1])] = [place[t] for t in text]
    return Factor(lookup[codes], tuple(kept), (numbers,))


def crossed(factors: list[Factor]) -> Factor:
    """Return the intersection of several attributes; people without a label in a part are ``(missing)`` there."""
    if len(factors) == 1:
        return factors[0]
    factors = [f.with_missing_level() for f in factors]
    flat, cells = np.zeros(len(factors[0]), dtype=np.intp), [()]
    for f in factors:  # one at a time: the product of all levels may exceed any table
        width = len(f.levels)
        seen, flat = _observed(flat * width + f.codes, len(cells) * width)
        cells = [(*cells[c // width], f.levels[c % width]) for c in seen.tolist()]
    numbers = tuple(n for f in factors for n in f.numbers)
    return Factor(flat.astype(np.intp), tuple(map(join, cells)), numbers, all(f.ordered for f in factors))


def _observed(flat: np.ndarray, possible: int) -> tuple[np.ndarray, np.ndarray]:
    """The values that occur, and the place of each row's among them: counted where they are few, else sorted."""
    if possible > MOST_CELLS:
        return np.unique(flat, return_inverse=True)
    counts = np.bincount(flat, minlength=possible)
    return np.flatnonzero(counts), (np.cumsum(counts > 0) - 1)[flat]


UNNAMED_INDEX = re.compile(r"__index_level_\d+__")  # how pandas writes an index without a name
# What programs call the names of rows where they write them as a column.
ROW_NAMES = re.compile(r"|index|level_\d+|Unnamed: \d+(\.\d+)?|row\.?names?|__index_level_\d+__", re.IGNORECASE)
FEWEST_NUMBERED = 10  # rows: fewer numbers in order may be so by chance


class NamedColumns(Protocol):
    """A table as a type checker sees it: of pandas, polars, pyarrow, DuckDB, Ibis, Dask."""

    @property
    def columns(self) -> Any:
        """The names of its columns, or the columns."""


class Matrix(Protocol):
    """An array or a matrix as a type checker sees it, sparse ones included."""

    def dot(self, other: Any, /) -> Any:
        """Return the product with another."""


class WithFeatures(Protocol):
    """Moments, or data that are checked already."""

    @property
    def features(self) -> Any:
        """The names of the features."""


class WithNames(Protocol):
    """Groups that are checked already."""

    @property
    def names(self) -> Any:
        """The names of the attributes."""


class WithValues(Protocol):
    """A continuous attribute."""

    @property
    def values(self) -> Any:
        """The numbers, or the name of their column."""


Tabular = NamedColumns | Mapping[str, Any]  # what may be given as a table
Features = Tabular | str | Collection[Any] | Matrix | WithFeatures  # of a fit: a formula, names, a matrix, moments
Labels = Tabular | str | Collection[Any] | WithNames | WithValues | None  # names of columns, or labels of people
Weights = str | Collection[Any] | None  # the name of a column, or a number a person
People = Tabular | str | os.PathLike[str] | Iterable[Any]  # or as the rows of one: a file, a stream of tables


FIRST_ROWS, FEWEST_APART = 1000, 100  # in which a column of many values shows itself; values of one that is a key


class Columns:
    """A table as named columns, converted to numpy one at a time and only when asked.

    ``names`` are all of them, ``features`` those that may be meant where none is named.
    """

    def __init__(self, data: Any, argument: str = "data") -> None:
        self._argument = argument
        self._frame: Any
        self._frame, self._twice = _native(data, argument)
        self.names: tuple[str, ...] = tuple(str(c) for c in self._frame.columns)
        self._schema = dict(zip(self.names, self._frame.schema.values(), strict=True))
        native = self._frame.to_native()
        self.features: tuple[str, ...] = without_index(self.names, getattr(native, "schema", None))
        self._labels: dict[str, Factor] = {}  # text is read once, whoever asks
        self.n: int = len(self._frame)
        if self.n == 0:
            raise InputError(argument, "has no rows; nothing can be estimated from it.")

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def series(self, name: str, argument: str) -> Any:
        """Return the narwhals series of a column; ``argument`` is who asks, for the message."""
        if not isinstance(name, str):
            raise InputError(argument, f"has {shown(name)}; it is the name of a column of {self._argument}; pass it.")
        if name not in self.names and name in getattr(getattr(self._frame.to_native(), "index", None), "names", ()):
            fact = f"is the index of {self._argument}, which is no column; pass {self._argument}.reset_index()."
            raise UnknownColumn(argument, fact, value=name)
        self._refuse_twice([name])
        refuse_unknown(name, self.names, argument, self._argument)
        series = self._frame[name]
        _refuse_missing_of_r(series, argument)
        return series

    def repeated_rows(self) -> tuple[str, int]:
        """How many rows repeat an earlier one in all columns, and the column that tells all others apart, "" for none.

        Few labels repeat by nature: only a column that has a value of its own in every row that differs shows that
        rows stand there twice, and only where they are no more than half, as of a table that was appended to itself.

        >>> Columns({"id": [*range(200), 7], "sex": ["f", "m"] * 100 + ["m"]}).repeated_rows()
        ('id', 1)
        """
        nested = any(kind.is_nested() or kind == nw.Object() for kind in self._schema.values())
        if self._twice or nested:
            return "", 0
        first = self._frame.head(FIRST_ROWS)
        for name, kind in self._schema.items():
            if 2 * first[name].n_unique() < len(first):
                continue
            known = self._frame.drop_nulls(name)
            known = known.filter(~known[name].is_nan()) if kind.is_float() else known
            if (different := known[name].n_unique()) == self.n:
                return "", 0
            n = len(known) - different
            by_chance = n == 1 and kind.is_float() and (known[name] % 1 != 0).any()  # as of two equal scores
            if n and different >= FEWEST_APART and 2 * different >= self.n and not by_chance:
                alike = known.filter(known[name].is_duplicated())
                if len(alike.unique()) == alike[name].n_unique():
                    return name, n
        return "", 0

    def _refuse_twice(self, names: Iterable[str]) -> None:
        """Refuse names of several columns that differ; of what nobody asks for it does not matter."""
        if used := sorted(self._twice.intersection(names)):
            raise InputError(
                self._argument,
                f"has several columns named {listing(used)}, and they differ; rename all but one of each.",
            )

    def some(self, keep: np.ndarray) -> Columns:
        """Return the table of the rows that are kept."""
        result = Columns(self._frame.filter(keep.tolist()), self._argument)
        result._twice = self._twice
        return result

    def repeated(self) -> np.ndarray:
        """Return which rows are the same as a row before, in all columns; none where some columns are not there."""
        if self._twice:
            return np.zeros(self.n, dtype=bool)
        rows = list(zip(*(self._frame[name].to_list() for name in self.names), strict=True))
        first: dict[tuple[Any, ...], int] = {}
        return np.array([first.setdefault(row, i) < i for i, row in enumerate(rows)], dtype=bool)

    def native(self, names: Sequence[str]) -> Any:
        """Return the table as its own library holds it, with these columns in this order."""
        self._refuse_twice(names)
        return self._frame.select(list(names)).to_native()

    def factor(self, name: str, argument: str, *, blanks: bool = False) -> Factor:
        """Return a column as a factor, in the order of its categories where it has them."""
        return self.labels(name, argument, blanks=blanks).wide()

    def labels(self, name: str, argument: str, *, blanks: bool = False) -> Factor:
        """Return the same with codes of as few bytes as its levels take, for rows that are only counted.

        blanks: whether a blank label is one in these roles of people too, as in a fit, whose new rows R may match.
        """
        series = self.series(name, argument)
        if name not in self._labels:
            with of_column(argument, name):
                self._labels[name] = of_series(series, argument)
            self._labels[name].codes.flags.writeable = False
        result = self._labels[name]
        return result.without_blanks() if argument in OF_PEOPLE and not blanks else result

    def numeric(self, name: str, argument: str, *, levels: bool = True) -> np.ndarray:
        """Return a numeric or logical column as float64, missing values as NaN; ``levels``: its text may be levels."""
        series = self.series(name, argument)
        if not (series.dtype.is_numeric() or series.dtype == nw.Boolean):
            dtype = series.dtype
            text = self.is_labels(name)
            kind = "text" if text else "dates or times" if dtype.is_temporal() else f"{dtype} values"
            first = first_text(series)
            as_text = text and not first and any(str(value or "").strip() for value in series.to_list())
            way = "these are numbers as text, so convert the column" if as_text else _to_numbers(series)
            raise InputError(
                argument,
                f"holds {kind}{first}; numbers are needed: {way}"
                + (
                    ", or use it through a formula, which makes contrasts of its levels."
                    if levels and argument in ("X", "features", "adjust_for") and not _mostly_numbers(series)
                    else "."
                ),
                value=name,
            )
        return _floats(series)

    def is_numeric(self, name: str) -> bool:
        """Return whether a column holds numbers or logicals."""
        dtype = self._schema[name]
        return bool(dtype.is_numeric() or dtype == nw.Boolean)

    def is_text(self, name: str) -> bool:
        """Return whether a column holds text that nobody declared to be categories."""
        return bool(self._schema[name] in (nw.String, nw.Object))

    def is_labels(self, name: str) -> bool:
        """Return whether a column holds text or categories."""
        return bool(self._schema[name] in (nw.String, nw.Categorical, nw.Enum))

    def is_logical(self, name: str) -> bool:
        """Return whether a column holds logicals."""
        return bool(self._schema[name] == nw.Boolean)

    def matrix(self, names: Sequence[str], argument: str, *, levels: bool = True) -> np.ndarray:
        """Return several numeric columns as an n × p array; ``levels``: a formula could make contrasts of text."""
        present = set(self.names)
        bad = [c for c in names if c in present and not self.is_numeric(c)]
        for name in bad:
            if not levels or _mostly_numbers(self.series(name, argument)):
                self.numeric(name, argument, levels=False)  # which refuses it, and says in which row
        if bad:
            example = [*[c for c in names if c not in bad][:1], *bad[: 2 if len(bad) == len(names) else 1]]
            formula = formula_in_code("~ " + " + ".join(example))
            formula += snippet(", with the table as data=") if argument == "X" else ""
            raise InputError(
                argument,
                f"has columns that are not numbers ({listing(bad)}); leave them out, or give a formula such as "
                f"{formula}, which makes contrasts of their levels.",
            )
        lent = self._lent(names)
        if lent is not None:
            return lent
        out = np.empty((self.n, len(names)), order="F")  # tables are stored by column: one plain copy each
        unknown = [c for c in names if c not in present]
        if unknown:
            self.series(unknown[0], argument)
        self._refuse_twice(names)
        for j, series in enumerate(self._frame.select(list(names)).iter_columns()):
            _refuse_missing_of_r(series, argument)
            out[:, j] = _floats(series)
        return out

    def _lent(self, names: Sequence[str]) -> np.ndarray | None:
        """The columns as one read-only matrix without a copy, where R's bridge laid them side by side."""
        frame = self._frame.to_native()
        if not hasattr(frame, "iloc") or len(set(names)) < len(names) or not set(names) <= set(self.names):
            return None
        parts = [frame[name].to_numpy(copy=False) for name in names if self._schema[name] == nw.Float64]
        return side_by_side(parts) if len(parts) == len(names) else None


def _refuse_missing_of_r(series: Any, argument: str) -> None:
    """R's missing integer is a number where a vector of rpy2 became a column."""
    if series.dtype in (nw.Int32, nw.Int64, nw.Float64) and (series == NA_INTEGER).any():
        raise InputError(
            argument,
            f"has {series.name!r} with {NA_INTEGER}, which rpy2 makes of R's missing integer; pass R's own object, or "
            "what fairstats.r.from_r makes of it.",
        )


def without_index(names: Sequence[str], schema: Any = None) -> tuple[str, ...]:
    """Return the columns that are no index of a pandas table: what it wrote to Arrow or Parquet names its rows.

    schema: with what pandas noted in it. Without it only an index without a name is known.

    >>> without_index(["x", "__index_level_0__"])
    ('x',)
    """
    noted = getattr(schema, "pandas_metadata", None) or {}
    index = {name for name in noted.get("index_columns", ()) if isinstance(name, str)}
    return tuple(name for name in names if name not in index and not UNNAMED_INDEX.fullmatch(name))


def warn_of_dropped_index(dropped: Iterable[str], argument: str) -> None:
    """Say of an index with a name that it is read as the names of rows, where all columns are features."""
    names = [name for name in dropped if not UNNAMED_INDEX.fullmatch(name)]
    if names:
        warn(
            f"{argument} has {listing(map(repr, names))} as the index of a pandas table, which names rows and is no "
            "feature; name the features, if it is one of them."
        )


def counts_rows(column: np.ndarray) -> bool:
    """Whether a column of numbers is 1, 2, 3 and so on in the order of the rows."""
    return len(column) >= FEWEST_NUMBERED and bool((np.diff(column) == 1).all())


def warn_of_row_numbers(X: np.ndarray, features: Iterable[str], argument: str) -> None:
    """Warn of columns that name the rows and that nobody named as features: by their names, or numbers in order."""
    for j, name in enumerate(features):
        column = X[:, j]
        numbered = counts_rows(column)
        if numbered or ROW_NAMES.fullmatch(name):
            fact = "which counts the rows" if numbered else "which by its name numbers the rows"
            warn(
                f"{named(argument)} has {name!r} among its features, {fact}: "
                f"{snippet('an index of pandas that a file or an engine holds as a column')}, perhaps; drop it, or "
                "name the features."
            )


def refuse_unknown(name: str, names: Sequence[str], argument: str, table: str) -> None:
    """Refuse a name that is none of the table's columns."""
    if name not in names:
        of_one = argument not in ("X", "features")  # these take several
        if of_one and "," in name and all(part.strip() in names for part in name.split(",")):
            raise InputError(argument, f"has {name!r}; {OF_ONE_COLUMN}")
        fact = f"is not a column of {table}"
        way = f"its columns are {listing(names, 12)}."
        if any(map(is_numeric_text, names)) and not all(name.isdigit() for name in names):  # an array's are numbered
            way += " If these are values of a row, the line with the names of the columns is missing."
        terms = {part.strip() for part in re.split(r"[+*:()]", name)} - {"", "1", "0"}
        if argument in ("X", "features") and len(terms) > 1 and terms <= set(names):
            raise InputError(argument, f"{fact}; a formula begins with ~: pass {f'~ {name}'!r}.", value=name)
        if set(several := [part.strip() for part in re.split("[,+*]", name)]) <= set(names):
            raise InputError(
                argument,
                f"{fact}; pass one of {listing(several)}, or a list where several are taken.",
                value=name,
            )
        raise UnknownColumn(argument, with_hint(fact, nearest(name, names), way), value=name)


def refuse_joined(names: Iterable[str], present: Sequence[str], argument: str) -> None:
    """Refuse several columns in one text, as 'sex,race' or '~ sex + race', where an argument takes a list of them."""
    for name in names:
        several = [part for part in re.split(r"[\s,+*~]+", name) if part]
        if name not in present and len(several) > 1 and set(several) <= set(present):
            raise InputError(argument, f"has {name!r}; several columns are a list; pass {Setting(argument, several)}.")


def _equal_columns(data: Any, one: int, other: int) -> bool:
    """Whether two columns of a table that lets names stand twice, pandas' or pyarrow's, hold the same."""
    if one == other:
        return True
    if hasattr(data, "column_names"):
        return bool(data.column(one).equals(data.column(other)))
    return hasattr(data, "iloc") and bool(data.iloc[:, one].equals(data.iloc[:, other]))


def _native(data: Any, argument: str) -> tuple[Any, frozenset[str]]:
    """The table as narwhals sees it, each name once, and the names of several columns that differ."""
    data, differ = unwrapped(data), frozenset[str]()
    if isinstance(data, Columns):
        return data._frame, data._twice
    if isinstance(data, np.ndarray) and data.dtype.names:
        data = {name: data[name] for name in data.dtype.names if data[name].ndim == 1}  # others are no columns
    if isinstance(data, Mapping):
        data = _from_mapping(data, argument)
    if marked := getattr(data, "attrs", {}).get(DIFFER):  # of a file that was read, whose frame is without them
        differ = frozenset(marked).difference(map(str, data.columns))
    names = [str(c) for c in getattr(data, "columns", getattr(data, "column_names", []))]
    if hasattr(data, "column_names"):  # pyarrow: .columns are the arrays themselves
        names = [str(c) for c in data.column_names]
    first = {name: at for at, name in reversed(list(enumerate(names)))}
    if len(first) < len(names):
        twice = sorted(c for c, n in Counter(names).items() if n > 1)
        if argument == "X":  # every column is a feature, and one that stands twice would count twice
            raise InputError(argument, f"has several columns named {listing(twice)}; rename all but one of each.")
        differ |= frozenset(c for at, c in enumerate(names) if not _equal_columns(data, first[c], at))
        places, names = sorted(first.values()), list(dict.fromkeys(names))
        data = data.select(places) if hasattr(data, "column_names") else data.iloc[:, places]
    if hasattr(data, "set_axis") and hasattr(data, "columns") and not all(isinstance(c, str) for c in data.columns):
        data = data.set_axis(names, axis=1)  # pandas: numbers and tuples are called by their text
    try:
        return nw.from_native(dense(data), eager_only=True), differ
    except TypeError:
        if isinstance(data, np.ndarray):
            raise InputError(
                argument, f"has {shown(data)}, whose columns have no names; pass a table, or a dictionary of columns."
            ) from None
        if isinstance(data, (list, tuple)) and data and all(isinstance(row, Mapping) for row in data):
            raise InputError(argument, f"is a list of rows; pass {snippet('pandas.DataFrame(rows)')}.") from None
        if isinstance(data, (str, os.PathLike)):
            read = Call("read_table", (repr(str(data)),))
            raise InputError(
                argument, f"has {shown(data)}, which is no table; to read that file pass {read}."
            ) from None
        raise InputError(
            argument,
            f"is of type {type(data).__name__}; pass {snippet('a pandas, polars or pyarrow table')}, "
            "a dictionary of columns, or an array.",
        ) from None


def dense(data: Any) -> Any:
    """A pandas table or column whose sparse columns are plain ones, which narwhals knows; anything else as it is.

    Examples
    --------
    >>> import pandas as pd
    >>> dense(pd.Series([0, 1], dtype=pd.SparseDtype("int64"))).dtype
    dtype('int64')
    """
    if not hasattr(data, "iloc"):
        return data
    if not hasattr(data, "columns"):
        return data.sparse.to_dense() if _is_sparse(getattr(data, "dtype", None)) else data
    thin = [name for name, dtype in data.dtypes.items() if _is_sparse(dtype)]
    return data.assign(**{name: data[name].sparse.to_dense() for name in thin}) if thin else data


def _is_sparse(dtype: Any) -> bool:
    return type(dtype).__name__ == "SparseDtype"


def _from_mapping(data: Mapping[Any, Any], argument: str) -> Any:
    """A dictionary of columns as a frame: columns with an index are laid side by side by it."""
    import pandas as pd

    lengths = {str(k): _shape(v) for k, v in data.items()}
    alone = [name for name, shape in lengths.items() if len(shape) != 1]
    if alone or not lengths:
        what = f"{listing(alone)}, which is no list of values" if alone else "no columns"
        raise InputError(argument, f"has {what}; pass one list of values a column.")
    if len(set(lengths.values())) > 1:
        raise InputError(argument, f"has columns of different lengths ({lengths}); make them equal.")
    index = next((i for i in map(row_index, data.values()) if i is not None), None)
    columns = {k: _pandas_column(aligned(v, index, f"{argument}[{k!r}]", argument)) for k, v in data.items()}
    try:
        return pd.DataFrame(columns, index=index)
    except UnicodeEncodeError as problem:
        raise InputError(
            argument, f"has text that is no UTF-8 ({problem.object[:40]!r}); decode it as what it is."
        ) from problem


def _shape(values: Any) -> tuple[int, ...]:
    try:
        return np.shape(values)
    except ValueError:  # lists among the entries, of different lengths
        return (len(values),)


def _pandas_column(values: Any) -> Any:
    """A column as pandas holds it, without making floats of integers that have gaps."""
    if isinstance(values, np.ma.MaskedArray):
        values = np.ma.filled(values.astype(object), None) if np.ma.is_masked(values) else values.data
    if isinstance(values, (list, tuple)) or (isinstance(values, np.ndarray) and values.dtype == object):
        import pandas as pd

        present = list[Any]()
        if _is_whole(next((v for v in values if not is_missing(v)), None)):  # text is not looked through
            present = [v for v in values if not is_missing(v)]
        whole = all(map(_is_whole, present))
        if present and whole and len(present) < len(values) and min(present) >= -(2**63) and max(present) < 2**63:
            return pd.array([None if is_missing(v) else int(v) for v in values], dtype="Int64")
    return getattr(values, "array", values)


def _is_whole(value: Any) -> bool:
    return is_number(value) and isinstance(value, (int, np.integer))


def is_table(data: Any) -> bool:
    """Return whether ``data`` has named columns."""
    if isinstance(data, (Columns, Mapping)):
        return True
    return nw.dependencies.is_into_dataframe(unwrapped(data))


DECIMAL_COMMA = re.compile(r"[+-]?(0,|[\d. ]*\d,(?!\d{3}$))\d+")  # three digits may be thousands


def _first_text(series: Any) -> tuple[int, str]:
    """The row of the first value that is no number, and the value; 0 and "" where there is none."""
    for row, value in enumerate(series.to_list(), 1):
        try:
            float(value)
        except (TypeError, ValueError, OverflowError):
            if isinstance(value, str) and value.strip():
                return row, value
    return 0, ""


def first_text(series: Any) -> str:
    """The first value that is no number, and its row."""
    row, value = _first_text(series)
    comma = ", with a decimal comma" if DECIMAL_COMMA.fullmatch(value.strip()) else ""
    return f" ({shown(value)} in row {row:,}{comma})" if row else ""


def _mostly_numbers(series: Any) -> bool:
    """Whether more than half of a column's texts are numbers, so that the others are errors and no levels."""
    texts = [value.strip() for value in series.to_list() if isinstance(value, str) and value.strip()]
    return sum(is_numeric_text(t) or bool(DECIMAL_COMMA.fullmatch(t)) for t in texts) > len(texts) / 2


_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}([.,]\d{3})+([.,]\d+)?")


def _to_numbers(series: Any) -> str:
    """How to make numbers of text, by the first that is none."""
    first = _first_text(series)[1].strip()
    if first.endswith("%"):
        return "take the % away in all rows"
    if _THOUSANDS.fullmatch(first):
        return "write it without marks of thousands, and with a decimal point, in all rows"
    return "correct or code it"


def _floats(series: Any) -> np.ndarray:
    series = series if series.dtype == nw.Float64 else series.cast(nw.Float64)
    values = np.asarray(series.to_numpy())
    if values.dtype.kind == "f":
        return values.astype(float, copy=False)
    return np.asarray([np.nan if is_missing(v) else v for v in series.to_list()], dtype=float)


# Numbers made of a table, given back as the kind of table that came in.


def like(given: Any, values: np.ndarray, names: Sequence[str]) -> Any:
    """Return numbers as a table of the kind that was given, with its rows' names; an array for what is no table.

    given: what the numbers were made of.
    values: shape (n, c).
    names: of the columns.
    Returns: shape (n, c).

    >>> import pandas as pd
    >>> like(pd.DataFrame({"x": [1, 2]}, index=["a", "b"]), np.eye(2), ["s", "t"]).loc["b"].tolist()
    [0.0, 1.0]
    >>> like({"x": [1, 2]}, np.eye(2), ["s", "t"])["t"].tolist()
    [0.0, 1.0]
    """
    if not is_table(given) or isinstance(given, Columns):
        return values
    if isinstance(given, Mapping):
        return {name: values[:, j] for j, name in enumerate(names)}
    given = unwrapped(given)
    if hasattr(given, "iloc"):
        import pandas as pd

        return pd.DataFrame(values, index=given.index, columns=list(names))
    backend = nw.get_native_namespace(Columns(given)._frame)
    return nw.from_dict({name: values[:, j] for j, name in enumerate(names)}, backend=backend).to_native()


# Columns passed themselves, as arrays or series, beside a table or without one: they get names in a table.


CALLED = {"groups": "group", "strata": "stratum"}  # what rows without a name are called, where it is not the argument
Given = list[tuple[str, str, Any]]  # role, name (or ""), rows


def named_columns(data: Any, single: Mapping[str, Any], several: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Return the table with the rows that were passed in place of a column's name, and a name for each.

    single, several: argument to what was passed: one column, or one and more.
    Returns: as they came where only names were passed, a table of a file with its origin. Else a table that has the
        rows too, and a name for every argument: that of a series, otherwise the argument's. Rows that carry an index
        are paired by it.

    >>> table, roles = named_columns(None, {"decision": [1, 0, 1]}, {"groups": ["f", "m", "m"]})
    >>> roles, table["group"]
    ({'decision': 'decision', 'groups': 'group'}, ['f', 'm', 'm'])
    """
    whole, data = data, unwrapped(data)
    of_both = of_r(whole)
    single, several = (
        {name: _names_of_r(value, data, of_both) for name, value in some.items()} for some in (single, several)
    )
    roles = {**single, **several}
    parts = {name: _one(name, value, data) for name, value in single.items()}
    parts |= {name: _some(name, value, data) for name, value in several.items()}
    given = [part for result in parts.values() for part in result if not isinstance(part[2], str)]
    if not given:
        if data is None and any(value is not None for value in roles.values()):
            first = next(name for name, value in roles.items() if value is not None)
            raise InputError(
                "data",
                f"is absent, and {first} has {shown(roles[first])}; pass the table that has the column, or arrays.",
            )
        return whole if isinstance(whole, Framed) else data, roles
    if len(getattr(data, "shape", ())) == 1:
        way = " and ".join(str(Setting(name)) for name in dict.fromkeys([given[0][0], *[*several][:1]]))
        raise InputError("data", f"is {shown(data)}, and no table; pass arrays by name, as in {way}.")
    if isinstance(data, (str, os.PathLike)) or (data is not None and not is_table(data)):
        raise InputError(
            f"{given[0][0]} has {shown(given[0][2])} beside data, which is {shown(data)}; rows stand beside a table; "
            f"{snippet('read a file with fairstats.read_table(path).frame')}, or name the column."
        )
    used = {name for result in parts.values() for _, _, name in result if isinstance(name, str)}
    taken = used | {piece for name in used for piece in name.split(":")}
    new: dict[str, Any] = {}
    for role, result in parts.items():
        if result:
            names = [value if isinstance(value, str) else _fresh(role, name, taken) for _, name, value in result]
            new |= {n: value for n, (_, _, value) in zip(names, result, strict=True) if not isinstance(value, str)}
            roles[role] = names[0] if len(names) == 1 else names
    return _with(data, new, [part[0] for part in given]), roles


def _names_of_r(value: Any, data: Any, of_both: bool) -> Any:
    """A vector of R's as names of columns where all its entries are such; else unwrapped.

    of_both: whether data is R's, too; its automatic row names, as names of predictions, are then those of its rows.
    """
    result = unwrapped(value)
    if of_both and result is not value and hasattr(result, "set_axis") and hasattr(data, "index"):
        places = range(len(result))
        if data.index.tolist() == [*places] and result.index.tolist() == [str(place + 1) for place in places]:
            result = result.set_axis(data.index)
    if result is value or not hasattr(result, "tolist") or not is_table(data):
        return result
    parts = result.tolist()
    return parts if parts and _are_names(parts, data) else result


def _one(role: str, value: Any, data: Any) -> Given:
    """What was passed as one column: its rows, or nothing where it is a name or no column at all."""
    if isinstance(value, str):
        return [(role, "", value)]
    if isinstance(value, (list, tuple)):
        return [(role, "", value)] if value and _fits(value, data) else []
    if value is None or not _is_array(value):
        return []
    if isinstance(data, str) and is_table(value):
        raise InputError(f"{role} has a table, and data has {shown(data)}; the table comes first.")
    if len(shape := getattr(value, "shape", (0,))) != 1:
        chances = role == "score" and shape[1:] == (2,)  # what predict_proba() gives, of which the second is meant
        of = f", as in {snippet('predict_proba(X)[:, 1]')}" if chances else ""
        raise InputError(role, f"has {shown(value)}; it is one entry a person; pass one column{of}, or its name.")
    return [(role, _name(value), value)]


def _some(role: str, value: Any, data: Any) -> Given:
    """The same of one column or several: names, rows, a table of rows."""
    if isinstance(value, (list, tuple)):
        parts = list(value)
        if any(_is_array(part) for part in parts):
            items = [_one(role, part, data) for part in parts]
            wrong = next((part for part, result in zip(parts, items, strict=True) if not result), None)
            if wrong is not None:
                raise InputError(role, f"has {shown(wrong)}; each is the name of a column, or its rows; pass those.")
            return [part for result in items for part in result]
        if parts and _fits(parts, data) and not _are_names(parts, data):
            return [(role, "", value)]
        return [(role, "", name) for name in parts] if all(isinstance(name, str) for name in parts) else []
    if is_table(value):
        table = Columns(value, role)
        native = value if isinstance(value, Mapping) else None
        rows = {n: native[n] if native is not None and n in native else _series(table, n) for n in table.names}
        return [(role, name, rows[name]) for name in table.names]
    return _one(role, value, data)


def _series(table: Columns, name: str) -> Any:
    return table.series(name, name).to_native()


def _is_array(value: Any) -> bool:
    return (hasattr(value, "dtype") and hasattr(value, "__len__")) or hasattr(value, "to_numpy")


def _are_names(parts: Sequence[Any], data: Any) -> bool:
    """Whether a list as long as its table names columns, or intersections (``"sex:race"``) of them, all the same."""
    present = set(Columns(data).names) if is_table(data) else set()
    return all(str(part) in present or set(str(part).split(":")) <= present for part in parts)


def _fits(value: Sequence[Any], data: Any) -> bool:
    """Whether a list is rows: without a table always, beside one where it is as long."""
    if isinstance(data, Mapping) and not any(_shape(column)[:1] == (len(value),) for column in data.values()):
        return False  # no column is: a frame of a million rows is not made for its length
    return data is None or (is_table(data) and len(value) == Columns(data).n)


def _name(value: Any) -> str:
    name = getattr(value, "name", None)
    return name if isinstance(name, str) else ""


def _fresh(role: str, name: str, taken: set[str]) -> str:
    """A name that no other column of the study has."""
    plain = CALLED.get(role, role)
    tried = [name, plain, *(f"{plain} {i}" for i in range(2, len(taken) + 3))]
    result = next(one for one in tried if one and one not in taken)
    taken.add(result)
    return result


def _with(data: Any, new: dict[str, Any], roles: Sequence[str]) -> Any:
    """The table with the rows as columns, all in one order."""
    named = dict(zip(new, roles, strict=True))
    first, index = ("data", None) if data is None else first_index(("data", data))
    if index is None:
        first, index = first_index(*((named[n], value) for n, value in new.items()))
    rows = {n: aligned(value, index, named[n], first) for n, value in new.items()}
    sizes = {named[n]: len(value) for n, value in rows.items()}
    if data is not None:
        sizes["data"] = Columns(data).n
    if len(set(sizes.values())) > 1:
        text = ", ".join(f"{n} has {size}" for n, size in sizes.items())
        raise InputError(f"{text} entries; these belong to the same people; pass as many of each.")
    if data is None:
        return rows
    if isinstance(data, Mapping):
        return {**data, **rows}
    if hasattr(data, "assign"):
        return data.assign(**{n: getattr(value, "array", value) for n, value in rows.items()})
    import narwhals as nw

    frame = nw.from_native(data, eager_only=True)
    items = [nw.new_series(n, np.asarray(v).tolist(), backend=frame.implementation) for n, v in rows.items()]
    return frame.with_columns(*items).to_native()


# What may be a set of labels: the one rule for numbers, and names that are taken.


MOST_NUMBERS = 20  # different whole numbers that are taken for codes, and different days or times for labels
_DAY = re.compile(r"(\d{4}([-/])\d{1,2}\2\d{1,2}|\d{1,2}([-/.])\d{1,2}\3\d{4})([ T]\d.*)?")


def check_labels(name: str, result: Factor, *, with_numbers: bool = True) -> None:
    """Check the labels of a group column; every reader of group columns calls this."""
    refuse_reserved(name, result.levels)
    if with_numbers:
        check_numeric_labels(name, result.levels, result.numbers)


def refuse_names_of_people(name: str, labels: int, people: float) -> None:
    """Refuse a column in which hardly any two people share a label: nobody could be compared."""
    if labels > MOST_NUMBERS and people < 2 * labels:
        fact = f"has {labels} labels for {people:g} people, as names or numbers of people have"
        raise InputError("groups", f"{fact}; name a column of groups, or join its labels into fewer.", value=name)


def check_numeric_labels(
    name: str, levels: tuple[str, ...], numbers: tuple[bool, ...], argument: str = "groups"
) -> None:
    """Check numbers and dates that stand as labels: many of them, or fractions, are refused; a few are codes."""
    for j, number in enumerate(numbers):
        if not number and len(levels) <= MOST_NUMBERS:
            continue
        current = {split(level)[j] if len(numbers) > 1 else level for level in levels} - {MISSING_LEVEL}
        if not number:
            # of a text file, and of an engine, dates are text
            if len(current) > MOST_NUMBERS and all(map(_DAY.fullmatch, current)):
                raise InputError(
                    argument,
                    f"has {len(current)} distinct dates or times, which look like a measurement; cut them into "
                    "classes, such as years (2026) or months (2026-11), and name that column.",
                    value=name,
                )
            continue
        whole = all(level.lstrip("-").isdigit() for level in current if is_numeric_text(level))
        if len(current) > MOST_NUMBERS or not whole:
            kind = "whole numbers" if whole else "numbers, some with fractions"
            shares = all(0 <= float(level) <= 1 for level in current if is_numeric_text(level))
            other = (
                f"if they are probabilities of a group, use {Call('group_probabilities')}; otherwise " if shares else ""
            )
            raise InputError(
                argument,
                f"has {len(current)} distinct {kind}, which look like a measurement; {other}cut them into "
                f"classes ({in_classes(name, _bounds(current))}) and name that column, or "
                f"make them text{snippet(' (of a file read_table(path, labels=[...]))')} if they are codes"
                f"{snippet('; a fit takes them as numbers by {}').format(Call('continuous', (repr(name),)))}.",
                value=name,
            )


def _bounds(numbers: set[str]) -> list[float]:
    """Rising bounds of three classes at most, as an example, that hold all numbers: thirds of the different ones."""
    values = sorted(float(text) for text in numbers if is_numeric_text(text) and math.isfinite(float(text)))
    places = sorted({values[-(-len(values) * part // 3) - 1] for part in (1, 2, 3)})
    short = [math.ceil(100 * value) / 100 for value in places]
    rising = all(a < b for a, b in pairwise(short))
    bounds = [math.floor(values[0]) - 1.0, *(short if rising else places)]
    return [int(v) if v.is_integer() else v for v in bounds]


Kind = tuple[tuple[str, ...], tuple[bool, ...]]


def same_kind(attribute: str, a: Kind, b: Kind) -> tuple[bool, ...]:
    """Whether labels are numbers, as both sides say; a side that has none of them says nothing."""

    def says(levels: tuple[str, ...], numbers: tuple[bool, ...]) -> list[bool | None]:
        parts = [split(level) if len(numbers) > 1 else [level] for level in levels]
        return [n if any(p[j] != MISSING_LEVEL for p in parts) else None for j, n in enumerate(numbers)]

    pairs = list(zip(says(*a), says(*b), strict=True))
    if any(x is not None and y is not None and x != y for x, y in pairs):
        raise InputError(
            "groups",
            "holds numbers in one part of the data and text in another, so it cannot be known "
            "whether 1 and '1' are one group; read it as text in all.",
            value=attribute,
        )
    return tuple(bool(y if x is None else x) for x, y in pairs)
