"""Any table (pandas, polars, pyarrow, a dictionary of arrays) as named columns, and columns as factors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np

from fairstats.data.alignment import aligned, row_index
from fairstats.errors import InputError, listing, nearest
from fairstats.labels import MISSING_LEVEL as MISSING_LEVEL
from fairstats.labels import distinct, is_missing, is_number, label, ordered, refuse_inexact


@dataclass(frozen=True)
class Factor:
    """A categorical column: ``levels[codes[i]]`` is the label of row i, code −1 a missing value.

    ``numbers`` says whether the labels are those of numbers; an intersection says it of every part.
    """

    codes: np.ndarray
    levels: tuple[str, ...]
    numbers: tuple[bool, ...] = (False,)

    def __len__(self) -> int:
        return len(self.codes)

    def take(self, rows: Any) -> Factor:
        """The factor of some rows, levels unchanged."""
        return Factor(self.codes[rows], self.levels, self.numbers)

    def used(self) -> Factor:
        """The factor without the levels that do not occur."""
        counts = np.bincount(self.codes[self.codes >= 0], minlength=len(self.levels))
        if counts.all():
            return self
        lookup = np.append(np.where(counts > 0, np.cumsum(counts > 0) - 1, -1), -1).astype(np.intp)
        return Factor(lookup[self.codes], tuple(v for v, n in zip(self.levels, counts, strict=True) if n), self.numbers)

    def with_missing_level(self) -> Factor:
        """The factor with "(missing)" as its last level, where something is missing."""
        if not (self.codes < 0).any():
            return self
        codes = np.where(self.codes < 0, len(self.levels), self.codes)
        return Factor(codes, (*self.levels, MISSING_LEVEL), self.numbers)

    @property
    def labels(self) -> np.ndarray:
        """Labels as an object array, missing ones None."""
        return np.array([*self.levels, None], dtype=object)[self.codes]


class Columns:
    """A table as named columns, converted to numpy one at a time and only when asked."""

    def __init__(self, data: Any, argument: str = "data") -> None:
        self._argument = argument
        self._frame: Any = _native(data, argument)
        self.names: tuple[str, ...] = tuple(str(c) for c in self._frame.columns)
        self._schema = dict(zip(self.names, self._frame.schema.values(), strict=True))
        self.n: int = len(self._frame)
        if self.n == 0:
            raise InputError(f"{argument} has no rows; nothing can be estimated from it.")

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def series(self, name: str, argument: str) -> Any:
        """The narwhals series of a column; ``argument`` is who asks, for the message."""
        if name not in self.names:
            hint = nearest(name, self.names)
            follows = " Its" if hint else "; its"
            raise InputError(
                f"{argument}={name!r} is not a column of {self._argument}{hint}{follows} columns are "
                f"{listing(self.names, 12)}."
            )
        return self._frame[name]

    def native(self, names: Sequence[str]) -> Any:
        """The table as its own library holds it, with these columns in this order."""
        return self._frame.select(list(names)).to_native()

    def factor(self, name: str, argument: str) -> Factor:
        """A column as a factor, in the order of its categories where it has them."""
        return _of_series(self.series(name, argument), f"{argument}={name!r}")

    def numeric(self, name: str, argument: str) -> np.ndarray:
        """A numeric or logical column as float64, missing values as NaN."""
        series = self.series(name, argument)
        if not (series.dtype.is_numeric() or series.dtype == nw.Boolean):
            raise InputError(
                f"{argument}={name!r} holds {series.dtype} values; numbers are needed: code it, "
                "or use it through a formula, which makes contrasts of its levels."
            )
        return _floats(series)

    def is_numeric(self, name: str) -> bool:
        """Whether a column holds numbers or logicals."""
        dtype = self._schema[name]
        return bool(dtype.is_numeric() or dtype == nw.Boolean)

    def matrix(self, names: Sequence[str], argument: str) -> np.ndarray:
        """Several numeric columns as an n × p array."""
        bad = [c for c in names if c in self.names and not self.is_numeric(c)]
        if bad:
            raise InputError(
                f"{argument} has columns that are not numbers ({listing(bad)}); leave them out, or give a "
                f'formula such as "~ {" + ".join(list(names)[:2])}", which makes contrasts of their levels.'
            )
        out = np.empty((self.n, len(names)), order="F")  # tables are stored by column: one plain copy each
        unknown = [c for c in names if c not in self.names]
        if unknown:
            self.series(unknown[0], argument)
        for j, series in enumerate(self._frame.select(list(names)).iter_columns()):
            out[:, j] = _floats(series)
        return out


def _native(data: Any, argument: str) -> Any:
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
        raise InputError(
            f"{argument} is a {type(data).__name__}; pass a pandas, polars or pyarrow table, "
            "a dictionary of columns, or an array."
        ) from None


def _from_mapping(data: Mapping[Any, Any], argument: str) -> Any:
    """A dictionary of columns as a frame: columns with an index are laid side by side by it."""
    import pandas as pd

    lengths = {str(k): np.shape(v) for k, v in data.items()}
    alone = [name for name, shape in lengths.items() if len(shape) != 1]
    if alone or not lengths:
        what = f"{listing(alone)}, which is no list of values" if alone else "no columns"
        raise InputError(f"{argument} has {what}; pass one list of values a column.")
    if len(set(lengths.values())) > 1:
        raise InputError(f"{argument} has columns of different lengths ({lengths}); make them equal.")
    index = next((i for i in map(row_index, data.values()) if i is not None), None)
    columns = {k: _pandas_column(aligned(v, index, f"{argument}[{k!r}]", argument)) for k, v in data.items()}
    return pd.DataFrame(columns, index=index)


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
    """Whether ``data`` has named columns."""
    if isinstance(data, (Columns, Mapping)):
        return True
    return nw.dependencies.is_into_dataframe(data)


def _floats(series: Any) -> np.ndarray:
    series = series if series.dtype == nw.Float64 else series.cast(nw.Float64)
    values = np.asarray(series.to_numpy())
    if values.dtype.kind == "f":
        return values.astype(float, copy=False)
    return np.asarray([np.nan if is_missing(v) else v for v in series.to_list()], dtype=float)


def factor(values: Any, levels: Sequence[str] | None = None, argument: str = "values") -> Factor:
    """Code labels; levels that do not occur are dropped, the rest sorted (numbers by value).

    Parameters
    ----------
    values : array, list, pandas or polars series, masked array (n,)
        Numbers, strings, logicals, dates; None, NaN and masked entries are missing.
    levels : sequence of str, optional
        The order of the levels, of which those that occur are kept.
    argument : str
        Who asks, for messages.

    Returns
    -------
    Factor

    Raises
    ------
    InputError
        Different values with the same label, such as 1 and "1"; whole numbers that floats cannot tell apart.

    Examples
    --------
    >>> factor([10, 2.0, 2, None]).levels
    ('2', '10')
    """
    if isinstance(values, Factor):
        return values
    if isinstance(values, np.ma.MaskedArray):
        return _with_gaps(np.ma.getmaskarray(values), factor(values.compressed(), levels, argument))
    if levels is None and (series := _series(values)) is not None:
        return _of_series(series, argument)
    values = _array(values)
    if values.dtype.kind == "O":
        return _of_objects(values, levels, argument)
    if levels is None and values.dtype.kind in "biu" and values.size and (made := _small_integers(values)):
        return made
    if values.dtype.kind in "biufmM" and levels is None:
        missing = np.isnan(values) if values.dtype.kind in "fmM" else np.zeros(len(values), dtype=bool)
        return _with_gaps(missing, _by_unique(values[~missing], argument))
    return _of_objects(values.astype(object), levels, argument)


def _array(values: Any) -> np.ndarray:
    """Labels as an array; a list keeps what its entries are, which one type for all of them would lose."""
    if not isinstance(values, (list, tuple)):
        return np.asarray(values)
    return np.fromiter(values, dtype=object, count=len(values))


def _series(values: Any) -> Any:
    """A series of pandas, polars or pyarrow as narwhals sees it; None for arrays and lists."""
    if isinstance(values, (list, tuple, np.ndarray)):
        return None
    if nw.dependencies.is_into_series(values):
        return nw.from_native(values, series_only=True)
    if type(values).__module__.split(".")[0] == "pandas":  # its arrays and indexes
        import pandas as pd

        return nw.from_native(pd.Series(values), series_only=True)
    return None


def _of_series(series: Any, argument: str) -> Factor:
    native = series.to_native()
    if hasattr(native, "cat") and hasattr(native.cat, "codes"):  # pandas: codes as they are, no label an object
        categories = distinct(list(native.cat.categories), argument)
        return Factor(native.cat.codes.to_numpy().astype(np.intp), tuple(categories)).used()
    if series.dtype in (nw.Categorical, nw.Enum):
        known = _categories(series)
        levels = None if known is None else distinct(known, argument)
        return _of_objects(np.asarray(series.to_list(), dtype=object), levels, argument)
    if series.dtype.is_numeric() or series.dtype == nw.Boolean:
        if series.null_count() == 0:
            return factor(np.asarray(series.to_numpy()), argument=argument)
        missing = np.asarray(series.is_null().to_numpy(), dtype=bool)
        return _with_gaps(missing, factor(np.asarray(series.drop_nulls().to_numpy()), argument=argument))
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


def _with_gaps(missing: np.ndarray, made: Factor) -> Factor:
    """The factor of all rows, from that of the rows that are not missing."""
    if not missing.any():
        return made
    codes = np.full(len(missing), -1, dtype=np.intp)
    codes[~missing] = made.codes
    return Factor(codes, made.levels, made.numbers)


def _small_integers(values: np.ndarray) -> Factor | None:
    low, high = int(values.min()), int(values.max())
    if high - low > 1024:
        return None
    logical = values.dtype.kind == "b"
    shifted = (values if logical else values - values.dtype.type(low)).astype(np.intp) - low * logical
    counts = np.bincount(shifted, minlength=high - low + 1)
    names = tuple(str(bool(v + low)) if logical else str(v + low) for v in range(len(counts)))
    return Factor(shifted, names, (not logical,)).used()


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
        kinds = set(map(type, values)) if {1, 0}.intersection(unique) else set()
        if kinds & {bool, np.bool_} and not kinds <= {bool, np.bool_, type(None)}:
            # True equals 1 for Python, which makes them one; keyed by what they are they stay two.
            keys = np.empty(len(values), dtype=object)
            keys[:] = [None if is_missing(v) else (isinstance(v, (bool, np.bool_)), v) for v in values]
            codes, pairs = pd.factorize(keys, use_na_sentinel=True)
            unique = [v for _, v in pairs]
    except TypeError:
        kind = type(next((v for v in values if getattr(v, "__hash__", None) is None), values)).__name__
        raise InputError(
            f"{argument} holds {kind} values, which are no labels; give one text or number a row."
        ) from None
    unique = list(unique)
    text = distinct(unique, argument)
    numbers = bool(unique) and all(is_number(v) for v in unique)
    own = set(text)
    kept = ordered(own, [numbers]) if levels is None else [v for v in levels if v in own]
    place = {t: i for i, t in enumerate(kept)}
    lookup = np.array([*(place[t] for t in text), -1], dtype=np.intp)
    return Factor(lookup[codes], tuple(kept), (numbers,))
