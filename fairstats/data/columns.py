"""Any table (pandas, polars, pyarrow, a dictionary of arrays) as named columns, and columns as factors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np

from fairstats.errors import InputError, listing, nearest

MISSING_LEVEL = "(missing)"


@dataclass(frozen=True)
class Factor:
    """A categorical column: ``levels[codes[i]]`` is the label of row i, code −1 a missing value."""

    codes: np.ndarray
    levels: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.codes)

    def take(self, rows: Any) -> Factor:
        """The factor of some rows, levels unchanged."""
        return Factor(self.codes[rows], self.levels)

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

    def factor(self, name: str, argument: str) -> Factor:
        """A column as a factor, in the order of its categories where it has them."""
        series = self.series(name, argument)
        native = series.to_native()
        if hasattr(native, "cat") and hasattr(
            native.cat, "codes"
        ):  # pandas: codes as they are, with no label an object
            return _recoded(native.cat.codes.to_numpy(), [label(v) for v in native.cat.categories])
        if series.dtype in (nw.Categorical, nw.Enum):
            native = [label(v) for v in series.cat.get_categories().to_list()]
            return factor(np.asarray(series.to_list(), dtype=object), native)
        return factor(_array(series), None)

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
        import pandas as pd

        lengths = {str(k): np.shape(v) for k, v in data.items()}
        if len(set(lengths.values())) > 1:
            raise InputError(f"{argument} has columns of different lengths ({lengths}); make them equal.")
        data = pd.DataFrame(data)
    names = [str(c) for c in getattr(data, "columns", getattr(data, "column_names", []))]
    if hasattr(data, "column_names"):  # pyarrow: .columns are the arrays themselves
        names = [str(c) for c in data.column_names]
    twice = sorted({c for c in names if names.count(c) > 1})
    if twice:
        raise InputError(f"{argument} has several columns named {listing(twice)}; rename all but one of each.")
    try:
        return nw.from_native(data, eager_only=True)
    except TypeError:
        raise InputError(
            f"{argument} is a {type(data).__name__}; pass a pandas, polars or pyarrow table, "
            "a dictionary of columns, or an array."
        ) from None


def is_table(data: Any) -> bool:
    """Whether ``data`` has named columns."""
    if isinstance(data, (Columns, Mapping)):
        return True
    return nw.dependencies.is_into_dataframe(data)


def _floats(series: Any) -> np.ndarray:
    return _array(series if series.dtype == nw.Float64 else series.cast(nw.Float64)).astype(float, copy=False)


def _array(series: Any) -> np.ndarray:
    if series.dtype.is_numeric() and series.null_count() == 0:
        return np.asarray(series.to_numpy())
    values = [None if is_missing(v) else v for v in series.to_list()]
    # Integers stay objects: as floats, those beyond 2**53 would run into each other.
    return np.asarray(values, dtype=float if series.dtype.is_float() else object)


def label(value: Any) -> str:
    """The text of a group label: whole floats lose their ``.0``, so that R's 2 and Python's 2.0 are one level."""
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value)


def is_missing(value: Any) -> bool:
    """None, NaN, pandas' NA and NaT."""
    if value is None:
        return True
    unequal = value != value
    return unequal is True or unequal is np.True_ or type(value).__name__ in ("NAType", "NaTType")


def factor(values: Any, levels: Sequence[str] | None = None) -> Factor:
    """Code an array of labels; levels that do not occur are dropped, the rest sorted (numbers by value).

    Parameters
    ----------
    values : array (n,)
        Numbers, strings, logicals; None and NaN are missing.
    levels : sequence of str, optional
        The order of the levels, of which those that occur are kept.

    Returns
    -------
    Factor

    Examples
    --------
    >>> factor([10, 2.0, 2, None]).levels
    ('2', '10')
    """
    values = np.asarray(values)
    if values.dtype.kind in "biu" and levels is None and values.size:
        return _small_integers(values) or _by_unique(values)
    if values.dtype.kind == "f" and levels is None:
        return _by_unique(values)
    return _by_hash(values, levels)


def _small_integers(values: np.ndarray) -> Factor | None:
    low, high = int(values.min()), int(values.max())
    if high - low > 1024:
        return None
    shifted = values.astype(np.intp) - low
    counts = np.bincount(shifted, minlength=high - low + 1)
    seen = np.flatnonzero(counts)
    names = tuple(str(bool(v)) if values.dtype.kind == "b" else str(v + low) for v in seen.tolist())
    if len(seen) == len(counts):
        return Factor(shifted, names)
    code = np.full(len(counts), -1, dtype=np.intp)
    code[seen] = np.arange(len(seen))
    return Factor(code[shifted], names)


def _recoded(codes: np.ndarray, labels: list[str]) -> Factor:
    """A factor from the codes of a categorical column, without the levels that do not occur."""
    counts = np.bincount(codes[codes >= 0], minlength=len(labels))
    used = list(dict.fromkeys(labels[i] for i in np.flatnonzero(counts)))
    lookup = np.array([*(used.index(v) if n else -1 for v, n in zip(labels, counts, strict=True)), -1], dtype=np.intp)
    return Factor(lookup[codes], tuple(used))


def _by_unique(values: np.ndarray) -> Factor:
    missing = np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), dtype=bool)
    unique, codes = np.unique(values[~missing], return_inverse=True)
    out = np.full(len(values), -1, dtype=np.intp)
    out[~missing] = codes
    return Factor(out, tuple(label(v) for v in unique))


def _by_hash(values: np.ndarray, levels: Sequence[str] | None) -> Factor:
    import pandas as pd

    codes, unique = pd.factorize(values.astype(object), use_na_sentinel=True)
    unique = list(unique)
    text = [label(v) for v in unique]
    if levels is not None:
        order = {name: i for i, name in enumerate(levels)}
        rank = [order[t] for t in text]
    elif all(isinstance(v, (int, float, np.number)) and not isinstance(v, (bool, np.bool_)) for v in unique):
        rank = list(np.argsort(np.argsort(np.asarray(unique, dtype=float), kind="stable")))
    else:
        rank = list(np.argsort(np.argsort(np.asarray(text, dtype=str), kind="stable"))) if text else []
    kept = sorted(set(text), key=lambda t: min(r for r, u in zip(rank, text, strict=True) if u == t))
    to_code = {t: i for i, t in enumerate(kept)}
    lookup = np.array([*(to_code[t] for t in text), -1], dtype=np.intp)
    return Factor(lookup[codes], tuple(kept))
