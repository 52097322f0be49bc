"""Python's arrays as R's atomic vectors: what `to_rvalue` says of a column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np

from fairstats.errors import ConversionError, listing
from fairstats.labels import is_missing, label
from fairstats.rvalues.values import NA_INTEGER, NA_REAL, Atom, text

INT_MAX = 2**31 - 1
_DOUBLE_MAX = 2**53
_DAY = 86400


def vector(values: Any, where: str) -> Atom:
    """A numpy or pandas array of one dimension as an atomic vector."""
    dtype = values.dtype
    if hasattr(dtype, "categories"):
        return _factor(values, where)
    if getattr(dtype, "tz", None) is not None:
        return _instants(values, _zone(dtype.tz), where)
    if not isinstance(values, np.ndarray):
        return _pandas_array(values, where)
    make = _BY_KIND.get(dtype.kind)
    if make is None:
        raise ConversionError(f"{where} holds {dtype} values, which have no counterpart in R; convert them first.")
    return make(values, where)


def _pandas_array(values: Any, where: str) -> Atom:
    missing = np.asarray(values.isna())
    kind = getattr(values.dtype, "kind", "O")
    if kind in "iub":
        plain = values.to_numpy(dtype=np.int64 if kind != "b" else bool, na_value=0 if kind != "b" else False)
        return whole_numbers(plain, missing, where) if kind != "b" else _logical(plain, missing)
    if kind == "f" and missing.any() and hasattr(values, "_mask"):
        return Atom("double", np.where(missing, NA_REAL, values.to_numpy(dtype=float, na_value=0.0)))
    if kind == "M":
        return vector(values.to_numpy(), where)
    if kind == "f":
        return vector(values.to_numpy(dtype=float), where)
    return texts(values, where)


def _logical(values: np.ndarray, missing: np.ndarray | None = None) -> Atom:
    data = values.astype("<i4")
    if missing is not None:
        data[missing] = NA_INTEGER
    return Atom("logical", data)


def whole_numbers(values: np.ndarray, missing: np.ndarray, where: str) -> Atom:
    """Integers as R's 32-bit ones where they fit, as doubles where these hold them exactly, else an error."""
    present = values[~missing] if missing.any() else values
    low, high = (int(present.min()), int(present.max())) if len(present) else (0, 0)
    if low >= -INT_MAX and high <= INT_MAX:
        data = values.astype("<i4")
        data[missing] = NA_INTEGER
        return Atom("integer", data)
    if low >= -_DOUBLE_MAX and high <= _DOUBLE_MAX:
        wide = values.astype("<f8")
        wide[missing] = NA_REAL
        return Atom("double", wide)
    raise ConversionError(
        f"{where} has whole numbers beyond 2**53 ({max(abs(low), abs(high))}), which R's numbers cannot hold; "
        "pass them as text."
    )


def _dates(values: np.ndarray, where: str) -> Atom:
    missing = np.isnat(values)
    if np.datetime_data(values.dtype)[0] not in ("D", "s"):
        raise ConversionError(
            f"{where} holds timestamps without a zone ({values.dtype}); for instants add one (tz_localize('UTC')), for "
            "days use dtype 'datetime64[s]' at midnight."
        )
    seconds = values.astype("M8[s]").astype(np.int64)
    if (seconds[~missing] % _DAY).any():
        raise ConversionError(
            f"{where} holds datetime64[s] values with a time of day and no zone; add one: tz_localize('UTC')."
        )
    days = (seconds // _DAY).astype("<f8")
    days[missing] = NA_REAL
    return Atom("double", days, attributes={"class": text("Date")})


def _zone(zone: Any) -> str:
    """The name by which R knows a time zone. A fixed offset has none: R reads UTC+5 as west of Greenwich, so UTC."""
    name = str(zone)
    try:
        return ZoneInfo(name).key
    except (KeyError, ValueError, OSError):  # no such name, or a path
        return "UTC"


def _instants(values: Any, zone: str, where: str) -> Atom:
    missing = np.asarray(values.isna())
    ticks = values.to_numpy(dtype="M8[ns]").astype(np.int64)
    seconds, rest = np.divmod(ticks, 10**9)
    data = seconds + rest / 1e9
    data[missing] = NA_REAL
    return Atom("double", data, attributes={"class": text("POSIXct", "POSIXt"), "tzone": text(zone)})


def _factor(values: Any, where: str) -> Atom:
    levels = [label(c) for c in values.categories]
    if len(set(levels)) < len(levels):
        raise ConversionError(f"{where} has categories with the same text ({listing(levels)}); rename them.")
    codes = np.asarray(values.codes).astype("<i4") + 1
    codes[codes == 0] = NA_INTEGER
    kinds = text("ordered", "factor") if values.ordered else text("factor")
    return Atom("integer", codes, attributes={"levels": text_of(levels), "class": kinds})


def texts(values: Any, where: str) -> Atom:
    """Text as its distinct strings and a code a value."""
    import pandas as pd

    # A column of text knows its distinct strings without becoming a million Python objects.
    known = values if hasattr(values, "factorize") else np.asarray(values, dtype=object)
    codes, distinct = pd.factorize(known, use_na_sentinel=True)
    strange = next((v for v in distinct if not isinstance(v, str)), None)
    if strange is not None:
        raise ConversionError(
            f"{where} holds {type(strange).__name__} values ({strange!r}) in an object column; a vector of R has one "
            "type: convert it to numbers or to text."
        )
    bad = next((v for v in distinct if "\0" in v or not _encodes(v)), None)
    if bad is not None:
        raise ConversionError(f"{where} has text that R cannot hold ({bad!r}: a zero byte or half a character).")
    return Atom("character", codes.astype("<i4"), list(distinct))


def _encodes(string: str) -> bool:
    try:
        string.encode()
    except UnicodeEncodeError:
        return False
    return True


def _objects(values: np.ndarray, where: str) -> Atom:
    present = [v for v in values if not is_missing(v)]
    if present and all(isinstance(v, (bool, np.bool_)) for v in present):
        missing = np.array([is_missing(v) for v in values])
        return _logical(np.where(missing, False, values).astype(bool), missing)
    return texts(values, where)


_BY_KIND = {
    "b": lambda values, where: _logical(values),
    "i": lambda values, where: whole_numbers(values, np.zeros(len(values), dtype=bool), where),
    "u": lambda values, where: whole_numbers(values, np.zeros(len(values), dtype=bool), where),
    "f": lambda values, where: Atom("double", np.asarray(values, dtype="<f8")),
    "U": lambda values, where: texts(values, where),
    "T": lambda values, where: texts(values, where),
    "O": _objects,
    "M": _dates,
}


def text_of(labels: Sequence[str]) -> Atom:
    """A character vector of many strings."""
    return text(*labels) if len(labels) < 100 else texts(np.array(labels, dtype=object), "names")
