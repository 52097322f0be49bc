"""Any table (pandas, polars, pyarrow, a dictionary of arrays) as named columns."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Protocol

import narwhals as nw
import numpy as np

from fairstats.arguments import shown
from fairstats.arrays import side_by_side
from fairstats.data.alignment import aligned, row_index
from fairstats.data.factors import Factor, of_series
from fairstats.errors import InputError, listing, nearest
from fairstats.labels import is_missing, is_number
from fairstats.rpy2_objects import unwrapped

UNNAMED_INDEX = re.compile(r"__index_level_\d+__")  # how pandas writes an index without a name


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
    """Moments, or data that are judged already."""

    @property
    def features(self) -> Any:
        """The names of the features."""


class WithNames(Protocol):
    """Groups that are judged already."""

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


class Columns:
    """A table as named columns, converted to numpy one at a time and only when asked.

    ``names`` are all of them, ``features`` those that may be meant where none is named.
    """

    def __init__(self, data: Any, argument: str = "data") -> None:
        self._argument = argument
        self._frame: Any = _native(data, argument)
        self.names: tuple[str, ...] = tuple(str(c) for c in self._frame.columns)
        self._schema = dict(zip(self.names, self._frame.schema.values(), strict=True))
        native = self._frame.to_native()
        self.features: tuple[str, ...] = without_index(self.names, getattr(native, "schema", None))
        self.n: int = len(self._frame)
        if self.n == 0:
            raise InputError(f"{argument} has no rows; nothing can be estimated from it.")

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def series(self, name: str, argument: str) -> Any:
        """Return the narwhals series of a column; ``argument`` is who asks, for the message."""
        if not isinstance(name, str):
            raise InputError(f"{argument} has {shown(name)}; it is the name of a column of {self._argument}; pass it.")
        refuse_unknown(name, self.names, argument, self._argument)
        return self._frame[name]

    def native(self, names: Sequence[str]) -> Any:
        """Return the table as its own library holds it, with these columns in this order."""
        return self._frame.select(list(names)).to_native()

    def factor(self, name: str, argument: str) -> Factor:
        """Return a column as a factor, in the order of its categories where it has them."""
        return self.labels(name, argument).wide()

    def labels(self, name: str, argument: str) -> Factor:
        """Return the same with codes of as few bytes as its levels take, for rows that are only counted."""
        return of_series(self.series(name, argument), f"{argument}={name!r}")

    def numeric(self, name: str, argument: str) -> np.ndarray:
        """Return a numeric or logical column as float64, missing values as NaN."""
        series = self.series(name, argument)
        if not (series.dtype.is_numeric() or series.dtype == nw.Boolean):
            raise InputError(
                f"{argument}={name!r} holds {series.dtype} values; numbers are needed: code it"
                + (
                    "."
                    if argument in ("score", "weights")
                    else ", or use it through a formula, which makes contrasts of its levels."
                )
            )
        return _floats(series)

    def is_numeric(self, name: str) -> bool:
        """Return whether a column holds numbers or logicals."""
        dtype = self._schema[name]
        return bool(dtype.is_numeric() or dtype == nw.Boolean)

    def is_logical(self, name: str) -> bool:
        """Return whether a column holds logicals."""
        return bool(self._schema[name] == nw.Boolean)

    def matrix(self, names: Sequence[str], argument: str) -> np.ndarray:
        """Return several numeric columns as an n × p array."""
        bad = [c for c in names if c in self.names and not self.is_numeric(c)]
        if bad:
            raise InputError(
                f"{argument} has columns that are not numbers ({listing(bad)}); leave them out, or give a "
                f'formula such as "~ {" + ".join(list(names)[:2])}", which makes contrasts of their levels.'
            )
        lent = self._lent(names)
        if lent is not None:
            return lent
        out = np.empty((self.n, len(names)), order="F")  # tables are stored by column: one plain copy each
        unknown = [c for c in names if c not in self.names]
        if unknown:
            self.series(unknown[0], argument)
        for j, series in enumerate(self._frame.select(list(names)).iter_columns()):
            out[:, j] = _floats(series)
        return out

    def _lent(self, names: Sequence[str]) -> np.ndarray | None:
        """The columns as one read-only matrix without a copy, where R's bridge laid them side by side."""
        frame = self._frame.to_native()
        if not hasattr(frame, "iloc") or len(set(names)) < len(names) or not set(names) <= set(self.names):
            return None
        parts = [frame[name].to_numpy(copy=False) for name in names if self._schema[name] == nw.Float64]
        return side_by_side(parts) if len(parts) == len(names) else None


def without_index(names: Sequence[str], schema: Any = None) -> tuple[str, ...]:
    """Return the columns that are no index of a pandas table: what it wrote to Arrow or Parquet names its rows.

    Parameters
    ----------
    names : sequence of str
    schema : pyarrow schema, optional
        With what pandas noted in it. Without it only an index without a name is known.

    Examples
    --------
    >>> without_index(["x", "__index_level_0__"])
    ('x',)
    """
    noted = getattr(schema, "pandas_metadata", None) or {}
    index = {name for name in noted.get("index_columns", ()) if isinstance(name, str)}
    return tuple(name for name in names if name not in index and not UNNAMED_INDEX.fullmatch(name))


def refuse_unknown(name: str, names: Sequence[str], argument: str, table: str) -> None:
    """Refuse a name that is none of the table's columns."""
    if name not in names:
        hint = nearest(name, names)
        follows = " Its" if hint else "; its"
        raise InputError(
            f"{argument}={name!r} is not a column of {table}{hint}{follows} columns are {listing(names, 12)}."
        )


def _native(data: Any, argument: str) -> Any:
    data = unwrapped(data)
    if isinstance(data, Columns):
        return data._frame
    if isinstance(data, Mapping):
        data = _from_mapping(data, argument)
    names = [str(c) for c in getattr(data, "columns", getattr(data, "column_names", []))]
    if hasattr(data, "column_names"):  # pyarrow: .columns are the arrays themselves
        names = [str(c) for c in data.column_names]
    twice = sorted({c for c in names if names.count(c) > 1})
    if twice:
        raise InputError(f"{argument} has several columns named {listing(twice)}; rename all but one of each.")
    if hasattr(data, "set_axis") and not all(isinstance(c, str) for c in data.columns):
        data = data.set_axis(names, axis=1)  # pandas: numbers and tuples are called by their text
    try:
        return nw.from_native(data, eager_only=True)
    except TypeError:
        if isinstance(data, np.ndarray):
            raise InputError(
                f"{argument} has {shown(data)}, whose columns have no names; pass a table, or a dictionary of columns."
            ) from None
        raise InputError(
            f"{argument} is a {type(data).__name__}; pass a pandas, polars or pyarrow table, "
            "a dictionary of columns, or an array."
        ) from None


def _from_mapping(data: Mapping[Any, Any], argument: str) -> Any:
    """A dictionary of columns as a frame: columns with an index are laid side by side by it."""
    import pandas as pd

    lengths = {str(k): _shape(v) for k, v in data.items()}
    alone = [name for name, shape in lengths.items() if len(shape) != 1]
    if alone or not lengths:
        what = f"{listing(alone)}, which is no list of values" if alone else "no columns"
        raise InputError(f"{argument} has {what}; pass one list of values a column.")
    if len(set(lengths.values())) > 1:
        raise InputError(f"{argument} has columns of different lengths ({lengths}); make them equal.")
    index = next((i for i in map(row_index, data.values()) if i is not None), None)
    columns = {k: _pandas_column(aligned(v, index, f"{argument}[{k!r}]", argument)) for k, v in data.items()}
    try:
        return pd.DataFrame(columns, index=index)
    except UnicodeEncodeError as problem:
        raise InputError(
            f"{argument} has text that is no UTF-8 ({problem.object[:40]!r}); decode it as what it is."
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

        present = [v for v in values if not is_missing(v)]
        whole = all(is_number(v) and isinstance(v, (int, np.integer)) for v in present)
        if present and whole and len(present) < len(values) and min(present) >= -(2**63) and max(present) < 2**63:
            return pd.array([None if is_missing(v) else int(v) for v in values], dtype="Int64")
    return getattr(values, "array", values)


def is_table(data: Any) -> bool:
    """Return whether ``data`` has named columns."""
    if isinstance(data, (Columns, Mapping)):
        return True
    return nw.dependencies.is_into_dataframe(data)


def _floats(series: Any) -> np.ndarray:
    series = series if series.dtype == nw.Float64 else series.cast(nw.Float64)
    values = np.asarray(series.to_numpy())
    if values.dtype.kind == "f":
        return values.astype(float, copy=False)
    return np.asarray([np.nan if is_missing(v) else v for v in series.to_list()], dtype=float)
