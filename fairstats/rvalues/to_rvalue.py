"""What Python's values are in R: the table of `fairstats.rvalues.to_python`, read from Python's side.

Whole numbers become R's integers where all of them fit, doubles up to 2**53, and are refused beyond, where a double
would change them. A naive timestamp is no instant in R: dates are ``datetime64[s]`` at midnight, instants carry a zone.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from fairstats.errors import ConversionError, listing
from fairstats.labels import is_missing
from fairstats.rvalues.to_vector import INT_MAX, text_of, texts, vector, whole_numbers
from fairstats.rvalues.values import NA_INTEGER, NA_REAL, Atom, Items, Null, Record, Sparse, Value, integers, text


def to_rvalue(obj: Any, where: str = "value") -> Value:
    """The R counterpart of a Python object."""
    if obj is None:
        return Null()
    if hasattr(obj, "dtype") and np.ndim(obj) == 0:
        return vector(np.asarray(obj).reshape(1), where)
    # A table that holds NaN differs from itself, as a missing value does.
    if isinstance(obj, (bool, int, float, str, datetime.date)) or (not hasattr(obj, "__len__") and is_missing(obj)):
        return _scalar(obj, where)
    if isinstance(obj, (bytes, bytearray)):
        return Atom("raw", np.frombuffer(bytes(obj), dtype="u1"))
    if isinstance(obj, Mapping):
        names = [str(name) for name in obj]
        twice = _repeated(names)
        if twice:
            raise ConversionError(f"{where} has several keys that are {listing(twice)} as text; rename all but one.")
        return _named({str(k): to_rvalue(v, f"{where}[{k!r}]") for k, v in obj.items()})
    if isinstance(obj, (list, tuple)):
        return _sequence(obj, where)
    return _table_or_array(obj, where)


def _table_or_array(obj: Any, where: str) -> Value:
    from scipy import sparse

    if sparse.issparse(obj):
        return _sparse(obj, where)
    if hasattr(obj, "columns") or hasattr(obj, "column_names"):
        return _frame(_pandas(obj), where)
    if isinstance(obj, np.ndarray) and obj.ndim > 1:
        return _with(vector(obj.ravel(order="F"), where), dim=integers(*obj.shape))
    if isinstance(obj, np.ndarray):
        return vector(obj, where)
    if hasattr(obj, "index") and hasattr(obj, "array"):  # a pandas Series
        atom = vector(obj.array, where)
        names = obj.index
        return atom if _automatic(names) else _with(atom, names=text(*(str(n) for n in names)))
    if hasattr(obj, "dtype") and hasattr(obj, "isna"):  # a pandas array or index
        return vector(getattr(obj, "array", obj), where)
    if isinstance(obj, Record):
        named = _named({k: to_rvalue(v, f"{where}${k}") for k, v in obj.fields.items()})
        return Items(named.values, {**named.attributes, "class": text(*obj.classes)})
    _refuse(where, obj)


def _refuse(where: str, obj: Any) -> NoReturn:
    raise ConversionError(
        f"{where} is a {type(obj).__name__}, which has no counterpart in R; give numbers, text, dates, arrays, tables, "
        "lists or dictionaries of them."
    )


def _named(values: Mapping[str, Value]) -> Items:
    return Items(list(values.values()), {"names": text_of(list(values))})


def _with(value: Atom, **attributes: Value) -> Atom:
    return dataclasses.replace(value, attributes={**value.attributes, **attributes})


def _scalar(obj: Any, where: str) -> Value:
    if isinstance(obj, datetime.date) and not isinstance(obj, datetime.datetime):
        return vector(np.array([obj], dtype="M8[s]"), where)
    if isinstance(obj, datetime.datetime):
        import pandas as pd

        return vector(pd.array([pd.Timestamp(obj)]), where)
    if obj is not None and not isinstance(obj, (bool, int, float, str)):  # pandas' NA and NaT
        return Atom("logical", np.array([NA_INTEGER], dtype="<i4"))
    return _sequence([obj], where)


def _sequence(items: Sequence[Any], where: str) -> Value:
    """A vector if the entries are scalars of one kind, as ``c()`` makes it; a list otherwise."""
    if items and all(isinstance(v, str) for v in items):
        return texts(np.array(items, dtype=object), where)
    if items and all(isinstance(v, (bool, np.bool_)) for v in items):
        return vector(np.array(items, dtype=bool), where)
    numbers = (int, float, np.integer, np.floating)
    if items and all(isinstance(v, numbers) and not isinstance(v, bool) for v in items):
        if any(isinstance(v, (float, np.floating)) for v in items):
            return vector(np.array(items, dtype=float), where)
        return whole_numbers(np.array([int(v) for v in items], dtype=object), np.zeros(len(items), dtype=bool), where)
    return Items([to_rvalue(v, f"{where}[{i}]") for i, v in enumerate(items)])


def _pandas(table: Any) -> Any:
    import pandas as pd

    if isinstance(table, pd.DataFrame):
        return table
    import narwhals as nw

    frame = nw.from_native(table, eager_only=True)
    converted = frame.to_pandas()
    kept = {s.name: _kept(s) for s in frame.iter_columns() if s.dtype == nw.Date or s.dtype.is_numeric()}
    return converted.assign(**{name: array for name, array in kept.items() if array is not None})


def _kept(series: Any) -> Any:
    """A column whose type pandas would change: days, and numbers some of which are missing; None for others."""
    import narwhals as nw
    import pandas as pd

    if series.dtype == nw.Date:
        return series.cast(nw.Datetime("ms")).to_numpy().astype("M8[s]")
    if not series.null_count() or not (series.dtype.is_integer() or series.dtype.is_float()):
        return None
    missing = np.asarray(series.is_null().to_numpy(), dtype=bool)
    values = np.asarray(series.fill_null(0).to_numpy())
    return pd.arrays.IntegerArray(values, missing) if series.dtype.is_integer() else np.where(missing, NA_REAL, values)


def _automatic(index: Any) -> bool:
    import pandas as pd

    return isinstance(index, pd.RangeIndex) and index.start == 0 and index.step == 1


def _frame(frame: Any, where: str) -> Value:
    names = [str(c) for c in frame.columns]
    if frame.columns.nlevels > 1 or frame.index.nlevels > 1:
        raise ConversionError(f"{where} has an index of several levels; use reset_index() or join their names.")
    kind = frame.attrs.get("r_class", "data.frame")
    twice = _repeated(names)
    if twice and kind != "matrix":  # where R itself allows it
        raise ConversionError(f"{where} has several columns named {listing(twice)}; rename all but one of each.")
    columns = [_column(frame.iloc[:, j], f"{where}[{n!r}]") for j, n in enumerate(names)]
    if kind == "matrix":
        return _matrix(frame, columns, names)
    kinds = text("tbl_df", "tbl", "data.frame") if kind == "tbl_df" else text("data.frame")
    attributes: dict[str, Value] = {"names": text_of(names), "row.names": _row_names(frame.index, where)}
    return Items(columns, {**attributes, "class": kinds})


def _column(series: Any, where: str) -> Atom:
    array = series.array
    plain = array.to_numpy() if type(array).__name__ == "NumpyExtensionArray" else array
    try:
        return vector(plain, where)
    except ConversionError:
        raise
    except TypeError:  # what has no hash: lists, dictionaries, arrays
        raise ConversionError(
            f"{where} holds several values in one row, and a column of R's has one; use explode(), or make it text."
        ) from None


def _repeated(names: Sequence[str]) -> list[str]:
    return sorted(name for name, count in Counter(names).items() if count > 1)


def _row_names(index: Any, where: str) -> Atom:
    if _automatic(index):
        return integers(NA_INTEGER, -len(index))
    if not index.is_unique:
        raise ConversionError(
            f"{where} has an index with repeated values, and R's row names differ; use reset_index()."
        )
    if index.dtype.kind in "iu":
        return whole_numbers(index.to_numpy(), np.zeros(len(index), dtype=bool), f"the index of {where}")
    return text_of([str(v) for v in index])


def _matrix(frame: Any, columns: list[Atom], names: list[str]) -> Atom:
    n, p = frame.shape
    rows: Value = Null() if _automatic(frame.index) else text_of([str(v) for v in frame.index])
    heads: Value = Null() if _automatic(frame.columns) else text_of(names)
    data = [c.data for c in columns]
    distinct: dict[str, int] = {}
    if columns and columns[0].type == "character":
        for c in columns:
            for string in c.strings:
                distinct.setdefault(string, len(distinct))
        lookups = [np.array([*(distinct[s] for s in c.strings), -1], dtype="<i4") for c in columns]
        data = [lookup[c.data] for lookup, c in zip(lookups, columns, strict=True)]
    kind = columns[0].type if columns else "logical"
    flat = np.concatenate(data) if data else np.zeros(0, dtype="<i4")
    matrix = Atom(kind, flat, list(distinct), {"dim": integers(n, p)})
    if isinstance(rows, Null) and isinstance(heads, Null):
        return matrix
    return _with(matrix, dimnames=Items([rows, heads]))


def _sparse(matrix: Any, where: str) -> Sparse:
    columns = matrix.tocsc().astype(float)
    columns.sort_indices()
    if max(columns.nnz, *columns.shape) > INT_MAX:
        raise ConversionError(f"{where} has more entries than R's sparse matrices can count ({columns.nnz}).")
    shape = (int(columns.shape[0]), int(columns.shape[1]))
    return Sparse(columns.indices, columns.indptr, columns.data, shape)
