"""Arguments that are arrays, checked, for every function of counts, scores and samples."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairstats.attached import attached
from fairstats.errors import InputError, listing
from fairstats.labels import distinct, is_missing, label, refuse_nameless
from fairstats.validation import of_r, plain, shown, within

# Objects of R that a caller has through rpy2, as the values that they are in Python.

DIFFER = "columns that differ"  # names of several columns, in the attributes of a pandas frame that was read


FEW = 100  # a longer list is one of labels, not of columns


class Framed:
    """A table with what is known of its file: the table itself is its ``frame``."""

    frame: Any


def unwrapped(value: Any) -> Any:
    """A vector, factor or table of rpy2, or a table of a file, as Python's; a record batch as a table.

    Those of rpy2 within a dictionary or list as well; anything else as it is.

    numpy would take a factor for its codes, and R's missing integers for numbers.

    >>> unwrapped([1, 2])
    [1, 2]
    """
    if isinstance(value, Framed):
        return value.frame
    if type(value).__name__ == "RecordBatch":
        import pyarrow

        return pyarrow.Table.from_batches([value])
    if isinstance(value, Mapping) and any(map(of_r, value.values())):
        return {name: unwrapped(part) for name, part in value.items()}
    if type(value) in (list, tuple) and any(map(of_r, value[:FEW])):
        return [unwrapped(part) for part in value]
    return attached.from_r(value) if of_r(value) else value


Floats = NDArray[np.float64]
LARGEST = 1e100  # squares of larger numbers leave double precision


def array(
    argument: str,
    value: Any,
    *,
    low: float = -math.inf,
    high: float = math.inf,
    missing: bool = False,
    dims: tuple[int, ...] = (0, 1),
    empty: bool = False,
) -> Floats:
    """Return numbers as an array of floats: the door of every function of arrays.

    value: numbers or logicals; text, complex numbers and dates are none.
    low, high: bounds of the numbers, which belong; a bound that is not given also forbids no infinite number.
    missing: whether NaN may be among them.
    dims: how many dimensions it may have; 0 is one number.
    empty: whether it may have no entries.

    >>> array("events", [1, 2], low=0).tolist()
    [1.0, 2.0]
    """
    result = _floats(argument, value)
    if 1 in dims and 2 not in dims:
        result = one_column(result)
    if result.ndim == 0 and isinstance(plain(value), bool):
        raise InputError(argument, f"has {shown(value)}; it is a number; pass one.")
    if result.ndim not in dims:
        types = " or ".join(("one number", "a list of numbers", "a table of numbers")[d] for d in dims)
        raise InputError(argument, f"has {result.ndim} dimensions; it is {types}; pass that.")
    if not result.size and not empty:
        raise InputError(argument, "is empty; there is nothing to compute from; pass at least one number.")
    if not missing and np.isnan(result).any():
        raise InputError(argument, f"has {_count(np.isnan(result))}; leave them out, or fill them in.")
    outside = (result < low) | (result > high) | (np.isinf(result) & math.isfinite(low))
    if outside.any():
        first = result[outside].flat[0] if result.ndim else float(result)
        reach = within(low, high, "[]") or "that is finite"
        raise InputError(argument, f"has {first:g}; each is a number {reach}; correct the entries.")
    return result


def one_column(values: Any) -> Any:
    """An array, or rows in lists, of one column as the entries of it, as scikit-learn takes y; anything else as it is.

    Examples
    --------
    >>> one_column(np.array([[1], [0]])).tolist(), one_column([["a"], ["b"]]), one_column([1, 0])
    ([1, 0], ['a', 'b'], [1, 0])
    """
    if isinstance(values, np.ndarray):
        return values[:, 0] if values.ndim == 2 and values.shape[1] == 1 else values
    if isinstance(values, (list, tuple)) and values and isinstance(values[0], (list, tuple)):
        return (
            [row[0] for row in values] if all(isinstance(v, (list, tuple)) and len(v) == 1 for v in values) else values
        )
    return values


def row_labels(argument: str, value: Any) -> NDArray[np.intp]:
    """Return one label a row, of any kind, as codes from 0.

    >>> row_labels("strata", ["b", "a", "b"]).tolist()
    [1, 0, 1]
    """
    value = unwrapped(value)
    if not isinstance(value, (str, bytes, Mapping, set, frozenset)) and hasattr(value, "__len__"):
        labels = _one_dimension(value)
        if labels is not None and labels.dtype.kind == "O":
            _refuse_gaps(argument, np.fromiter(map(is_missing, labels), dtype=bool, count=len(labels)))
            codes = {key: code for code, key in enumerate(dict.fromkeys(map(_distinguish_types, labels)))}
            distinct([v for _, v in codes], argument)
            names = np.array([label(v) for _, v in codes])
            order = np.argsort(np.argsort(names))
            return order[[codes[_distinguish_types(v)] for v in labels]].astype(np.intp)
        if labels is not None and labels.dtype.kind in "biufmMU":
            if labels.dtype.kind in "fmM":
                _refuse_gaps(argument, np.isnan(labels))
            unique, places = np.unique(labels, return_inverse=True)
            refuse_nameless(unique[-1:].tolist() + unique[:1].tolist(), argument)  # infinite ones come last, or first
            return places.astype(np.intp)
    raise InputError(argument, f"has {shown(value)}; it is one label a row; pass a list or an array of one dimension.")


def _one_dimension(value: Any) -> NDArray[Any] | None:
    """Labels as an array; a list keeps what its entries are, which one type for all of them would lose."""
    if isinstance(value, np.ma.MaskedArray):
        gaps, value = np.ma.getmaskarray(value), np.asarray(value.data)
        if gaps.any():
            value = value.astype(object)
            value[gaps] = None
    value = one_column(value)
    if isinstance(value, (list, tuple)):
        types = set(map(type, value))
        alike = types in ({str}, {bool}) or types <= {int, float}
        labels = np.asarray(value) if alike else np.fromiter(value, dtype=object, count=len(value))
    else:
        labels = one_column(np.asarray(value))
    try:
        hashable = labels.dtype.kind != "O" or all(hash(v) is not None for v in labels.flat)
    except TypeError:
        return None
    return labels if hashable and labels.ndim == 1 and labels.size else None


def _distinguish_types(value: Any) -> tuple[bool, Any]:
    """True equals 1 for Python; as labels they are two."""
    return isinstance(value, (bool, np.bool_)), value


def _refuse_gaps(argument: str, missing: NDArray[np.bool_]) -> None:
    if missing.any():
        raise InputError(argument, f"has {_count(missing)}; leave these rows out, or give them a label.")


def _count(bad: NDArray[np.bool_]) -> str:
    rows, number = listing((np.flatnonzero(bad) + 1).tolist()), int(bad.sum())
    return "a missing value" if bad.ndim == 0 else f"{number} missing value{'s' * (number > 1)} (entries {rows})"


def _floats(argument: str, value: Any) -> Floats:
    way = "pass numbers"
    if value is None or isinstance(value, (str, bytes, Mapping, set, frozenset)):
        raise InputError(argument, f"has {shown(value)}; it is made of numbers; {way}.")
    value = unwrapped(value)
    if np.ma.is_masked(value):
        value = np.ma.filled(np.ma.asarray(value, dtype=float), np.nan)
    try:
        values = np.asarray(value)
    except ValueError:
        raise InputError(argument, f"has entries of different lengths; a list of numbers has none; {way}.") from None
    if values.dtype.kind == "O" and all(v is None or isinstance(v, (Real, np.generic)) for v in values.flat):
        with suppress(TypeError, ValueError, OverflowError):
            return values.astype(float)
    if values.dtype.kind not in "biuf":
        _refuse_text(argument, value, values)
        raise InputError(argument, f"has {shown(value)}; it is made of numbers; {way}.")
    return np.asarray(values, dtype=float)


def _refuse_text(argument: str, value: Any, values: NDArray[Any]) -> None:
    """Labels in the place of numbers; a comparison is offered where it is a yes or no that each row has."""
    labels = list(dict.fromkeys(v for v in values.flat if isinstance(v, str)))
    if not labels:
        return
    fact = f"{argument} holds text ({listing([shown(str(v)) for v in labels], 2)}); it is made of numbers"
    way = "pass numbers"
    if len(labels) == 2 and (argument in ("y", "d") or argument.startswith("y_")):
        way = f"pass 1 for one of the two and 0 for the other, as {argument} == {shown(str(labels[0]))} makes them"
        if isinstance(value, (list, tuple)) or not all(isinstance(v, str) for v in values.flat):
            way = (
                "pass 1 for one of the two and 0 for the other"  # == is no comparison of entries, or forgets who lacks
            )
    raise InputError(f"{fact}; {way}.")


class Lent(np.ndarray):
    """Memory that is nobody else's to change: what R's bridge filled for one call."""


def is_binary(values: Floats) -> bool:
    """Whether the values that are known are 0 and 1, and both are there.

    >>> is_binary(np.array([0.0, 1.0, np.nan])), is_binary(np.ones(2))
    (True, False)
    """
    return {*np.unique(values[~np.isnan(values)])} == {0.0, 1.0}


def side_by_side(columns: Sequence[Any]) -> Floats | None:
    """Columns as one read-only matrix without a copy, where they lie side by side in lent memory; else None.

    >>> block = np.arange(6.0).view(Lent)
    >>> side_by_side([block[:3], block[3:]]).tolist()
    [[0.0, 3.0], [1.0, 4.0], [2.0, 5.0]]
    >>> side_by_side([np.zeros(3), np.ones(3)]) is None
    True
    """
    if not columns or any(not isinstance(column, np.ndarray) for column in columns):
        return None
    first, width = columns[0], columns[0].nbytes
    owner, lent = _owner(first)
    start = first.__array_interface__["data"][0]
    for j, column in enumerate(columns):
        apart = column.__array_interface__["data"][0] != start + j * width or column.shape != first.shape
        if apart or column.strides != (8,) or column.dtype != np.float64 or _owner(column)[0] is not owner:
            return None
    if not lent:
        return None
    return np.lib.stride_tricks.as_strided(
        first.view(np.ndarray), (first.size, len(columns)), (8, width), writeable=False
    )


def _owner(array: Any) -> tuple[Any, bool]:
    """The array whose memory this one is a part of, and whether that is lent."""
    lent = isinstance(array, Lent)
    while isinstance(array.base, np.ndarray):
        array = array.base
        lent = lent or isinstance(array, Lent)
    return array, lent


def taken(values: NDArray[Any], rows: NDArray[Any]) -> NDArray[Any]:
    """Some of an array; one number that stands for all stays one.

    >>> taken(np.broadcast_to(1.0, 9), np.array([0, 5])).strides, taken(np.arange(3.0), np.array([2])).tolist()
    ((0,), [2.0])
    """
    if values.strides != (0,) or not values.size:
        return values[rows]
    return np.broadcast_to(values[0], int(rows.sum()) if rows.dtype == bool else rows.size)


def by_code(codes: NDArray[Any]) -> NDArray[np.intp]:
    """An order of ascending codes, equal ones as they come; numpy sorts few and small ones by radix.

    >>> by_code(np.array([1, 0, 1, 0])).tolist()
    [1, 3, 0, 2]
    """
    if codes.dtype.kind in "iu" and codes.size and codes.min() >= 0 and codes.max() < 1 << 15:
        codes = codes.astype(np.int16)
    return np.argsort(codes, kind="stable")
