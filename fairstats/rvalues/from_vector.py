"""R's atomic vectors as Python's arrays: what the table of `to_python` says of a column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from fairstats.errors import ConversionError, listing
from fairstats.rvalues.values import NA_INTEGER, Atom, classes, strings

if TYPE_CHECKING:
    import pandas as pd

_WAYS_OUT = {
    "difftime": 'as.numeric(x, units = "secs") gives numbers',
    "POSIXlt": "as.POSIXct() gives instants",
    "grouped_df": "dplyr::ungroup() gives a tibble",
    "data.table": "as.data.frame() gives a data frame",
    "table": "as.data.frame() gives a data frame",
    "AsIs": "unclass() takes I() away",
    "numeric_version": "as.character() gives text",
    "complex": "Re() and Im() give numbers",
    "haven_labelled": "haven::as_factor() gives a factor of its labels, haven::zap_labels() the plain values",
}
_SECOND = 10**9
_DAY = 86400
# Instants beyond 1677 to 2262 do not fit 64-bit nanoseconds.
_NANO_RANGE = (-9223372036, 9223372036)


def refuse(where: str, known_as: tuple[str, ...], kind: str = "") -> NoReturn:
    """Raise for a value of R's that does not cross, with its classes and the way out."""
    way_out = next(
        (_WAYS_OUT[c] for c in known_as if c in _WAYS_OUT), "unclass() or as.data.frame() may give plain data"
    )
    if kind == "S4" and known_as[0].endswith("Matrix"):
        way_out = 'as(as(x, "generalMatrix"), "CsparseMatrix") of a numeric matrix gives a dgCMatrix'
    if kind in ("closure", "builtin", "special", "environment", "externalptr", "language", "symbol", "promise"):
        way_out = "only data cross: vectors, factors, dates, matrices, lists and data frames"
    raise ConversionError(f"{where} has the R class {listing(known_as)}, which is not converted; {way_out}.")


def array_of(value: Atom, where: str) -> Any:
    """An R vector as the array of its type and class; pandas' where numpy's has no missing value."""
    kinds = classes(value)
    if not kinds:
        return PLAIN[value.type](value)
    make = _CLASSED.get(kinds)
    if make is None:
        refuse(where, kinds)
    return make(value, where)


def _logical(value: Atom) -> Any:
    missing = value.data == NA_INTEGER
    if not missing.any():
        return value.data.astype(bool)
    import pandas as pd

    return pd.arrays.BooleanArray(value.data == 1, missing)


def _integer(value: Atom) -> Any:
    missing = value.data == NA_INTEGER
    if not missing.any():
        return value.data
    import pandas as pd

    return pd.arrays.IntegerArray(np.where(missing, 1, value.data), missing)


def _character(value: Atom) -> np.ndarray:
    return np.array([*value.strings, None], dtype=object)[value.data]


PLAIN = {
    "logical": _logical,
    "integer": _integer,
    "double": lambda value: value.data,
    "character": _character,
    "raw": lambda value: value.data,
}


def _factor(value: Atom, where: str) -> pd.Categorical:
    import pandas as pd

    levels = strings(value.attributes.get("levels"))
    if levels is None or None in levels:
        raise ConversionError(
            f"{where} is a factor with NA among its levels; give missing values a name, as in "
            'levels(x)[is.na(levels(x))] <- "(missing)".'
        )
    codes = np.where(value.data == NA_INTEGER, -1, value.data - 1)
    if value.type != "integer" or ((codes < -1) | (codes >= len(levels))).any():
        raise ConversionError(
            f"{where} is a factor with codes that are none of its {len(levels)} levels; factor() repairs it."
        )
    categories = pd.Index(levels, dtype="str")
    return pd.Categorical.from_codes(codes, categories=categories, ordered="ordered" in classes(value))


def _date(value: Atom, where: str) -> np.ndarray:
    missing, days = _whole(value, where, "Date", 'as.Date(floor(unclass(x)), origin = "1970-01-01") takes them away')
    seconds = days * _DAY
    seconds[missing] = np.iinfo(np.int64).min
    return seconds.view("M8[s]")


def _whole(value: Atom, where: str, kind: str, way_out: str) -> tuple[np.ndarray, np.ndarray]:
    numbers = np.where(value.data == NA_INTEGER, np.nan, value.data) if value.type == "integer" else value.data
    missing = np.isnan(numbers)
    numbers = np.where(missing, 0.0, numbers)
    if not (np.isfinite(numbers) & (numbers == np.floor(numbers)) & (np.abs(numbers) < 1e11)).all():
        raise ConversionError(f"{where} is a {kind} with fractions of a day or without end; {way_out}.")
    return missing, numbers.astype(np.int64)


def _instant(value: Atom, where: str) -> Any:
    import pandas as pd

    zone = (strings(value.attributes.get("tzone")) or ["UTC"])[0] or "UTC"
    seconds = np.where(value.data == NA_INTEGER, np.nan, value.data) if value.type == "integer" else value.data
    missing = np.isnan(seconds)
    seconds = np.where(missing, 0.0, seconds)
    if seconds.size and not (_NANO_RANGE[0] < seconds.min() and seconds.max() < _NANO_RANGE[1]):
        raise ConversionError(f"{where} has instants outside the years 1678 to 2261; use Date for such days.")
    # Whole seconds and the rest apart: their sum in nanoseconds would not fit the 53 bits of a double.
    whole = np.floor(seconds)
    stamps = whole.astype(np.int64) * _SECOND + np.rint((seconds - whole) * _SECOND).astype(np.int64)
    stamps[missing] = np.iinfo(np.int64).min
    try:
        return pd.DatetimeIndex(stamps.view("M8[ns]"), tz="UTC").tz_convert(zone).array
    except (KeyError, ValueError):
        raise ConversionError(
            f"{where} has the time zone {zone!r}, which is not known here; use one such as UTC."
        ) from None


def _integer64(value: Atom, where: str) -> Any:
    """Whole numbers of the package bit64, whose bits stand in a vector of doubles."""
    if value.type != "double":
        refuse(where, ("integer64", value.type))
    numbers = np.ascontiguousarray(value.data).view("<i8")
    missing = numbers == np.iinfo(np.int64).min
    if not missing.any():
        return numbers.astype(np.int64)
    import pandas as pd

    return pd.arrays.IntegerArray(np.where(missing, 1, numbers), missing)


_CLASSED = {
    ("integer64",): _integer64,
    ("factor",): _factor,
    ("ordered", "factor"): _factor,
    ("Date",): _date,
    ("POSIXct", "POSIXt"): _instant,
}
