"""R's values as they are, before anyone decides what they mean in Python: the one form that both bridges share."""

from __future__ import annotations

import dataclasses
import datetime
import math
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn
from zoneinfo import ZoneInfo

import numpy as np

from fairstats.errors import ConversionError, FairstatsWarning, Setting, listing
from fairstats.labels import MISSING_OF_R, is_missing, label

if TYPE_CHECKING:
    import pandas as pd


# R stores a missing logical or integer as this number.
NA_INTEGER = -(2**31)
# Of the many NaN, R's NA is the one with 1954 in its low word, a signaling or a quiet one.
QUIET = np.uint64(1 << 51)
NA_REAL = np.array([0x7FF80000000007A2], dtype=np.uint64).view(np.float64)[0]

# How the entries of an atomic vector lie in memory; text is a code into its distinct strings, -1 missing.
STORAGE: dict[str, np.dtype[Any]] = {
    "logical": np.dtype("<i4"),
    "integer": np.dtype("<i4"),
    "double": np.dtype("<f8"),
    "character": np.dtype("<i4"),
    "raw": np.dtype("u1"),
}


@dataclass(frozen=True)
class Null:
    """R's NULL."""


@dataclass(frozen=True)
class Atom:
    """An atomic vector: ``data`` as `STORAGE` says, ``strings`` the distinct texts of a character vector."""

    type: str
    data: np.ndarray
    strings: Sequence[str] = ()
    attributes: dict[str, Value] = field(default_factory=dict)

    def texts(self) -> list[str | None]:
        """A character vector as strings, missing ones None."""
        items = [*self.strings, None]
        return [items[code] for code in self.data.tolist()]


@dataclass(frozen=True)
class Items:
    """A generic vector: a list, or a data frame, depending on its attributes."""

    values: Sequence[Value]
    attributes: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Sparse:
    """A ``dgCMatrix``: compressed columns of doubles."""

    indices: np.ndarray
    pointers: np.ndarray
    data: np.ndarray
    shape: tuple[int, int]
    named: bool = False  # had names of rows or columns, which scipy's matrices cannot keep


@dataclass(frozen=True)
class Foreign:
    """An R object that is no data (a function, an environment, a model), kept only to be named in a message."""

    kind: str
    classes: tuple[str, ...]


Value = Null | Atom | Items | Sparse | Foreign


def text(*strings: str | None, attributes: dict[str, Value] | None = None) -> Atom:
    """A short character vector."""
    distinct = list(dict.fromkeys(s for s in strings if s is not None))
    codes = [-1 if s is None else distinct.index(s) for s in strings]
    return Atom("character", np.array(codes, dtype=STORAGE["character"]), distinct, attributes or {})


def integers(*numbers: int) -> Atom:
    """A short integer vector."""
    return Atom("integer", np.array(numbers, dtype=STORAGE["integer"]))


def classes(value: Value) -> tuple[str, ...]:
    """The class attribute; empty where there is none."""
    if isinstance(value, Foreign):
        return value.classes
    attribute = value.attributes.get("class") if isinstance(value, (Atom, Items)) else None
    return tuple(t for t in attribute.texts() if t) if isinstance(attribute, Atom) else ()


def strings(value: Value | None) -> list[str | None] | None:
    """A character attribute as strings; None where there is none."""
    return value.texts() if isinstance(value, Atom) and value.type == "character" else None


@dataclass(frozen=True)
class Record:
    """An R list with a class; ``fairstats`` is always one of them."""

    classes: tuple[str, ...]
    fields: dict[str, Any]


# R's atomic vectors as Python's arrays: what the table of `to_python` says of a column.


_WAYS_OUT = {
    **dict.fromkeys(
        ("glm", "lm"),
        "a model is no data: what it predicts goes into the data as a column, "
        'data$p <- predict(model, type = "response")',
    ),
    "POSIXlt": "as.POSIXct() gives instants",
    **dict.fromkeys(
        ("survey.design", "svyrep.design", "tbl_svy"),
        "a design has more than its table: fair_audit() takes it in R, and in Python its table goes with "
        "fairstats.survey_design()",
    ),
    "table": "as.data.frame() gives a data frame",
    "AsIs": "unclass() takes I() away",
    "numeric_version": "as.character() gives text",
    "complex": "Re() and Im() give numbers",
    "raw": "as.integer() gives numbers",
}
_SECOND = 10**9
_DAY = 86400
# Instants beyond 1677 to 2262 do not fit 64-bit nanoseconds.
_NANO_RANGE = (-9223372036, 9223372036)


def _way_out(r_classes: Sequence[str], otherwise: str) -> str:
    return next((_WAYS_OUT[c] for c in r_classes if c in _WAYS_OUT), otherwise)


def refuse(where: str, r_classes: tuple[str, ...], kind: str = "", parts: Sequence[str] = ()) -> NoReturn:
    """Raise for a value of R's that does not cross, with its classes and the way out; parts: of a list, that do."""
    plain = "unclass() or as.data.frame() may give plain data"
    if parts:
        plain = f"take a part of it in R, as x${parts[0]}; it has {listing(parts, 6)}"
    way_out = _way_out(r_classes, plain)
    if kind == "S4" and r_classes[0].endswith("Matrix"):
        way_out = 'as(as(x, "generalMatrix"), "CsparseMatrix") of a numeric matrix gives a dgCMatrix'
    if kind in ("closure", "builtin", "special", "environment", "externalptr", "language", "symbol", "promise"):
        way_out = "only data cross: vectors, factors, dates, matrices, lists and data frames"
    raise ConversionError(f"{where} has the R class {listing(r_classes)}, which is not converted; {way_out}.")


def array_of(value: Atom, where: str) -> Any:
    """An R vector as the array of its type and class; pandas' where numpy's has no missing value."""
    names = classes(value)
    if not names:
        return PLAIN[value.type](value)
    make = _labelled if "haven_labelled" in names else _CLASSED.get(names)
    if make is None:
        refuse(where, names)
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


def _doubles(value: Atom) -> np.ndarray:
    if value.type == "integer":
        return np.where(value.data == NA_INTEGER, NA_REAL, value.data)
    return quiet(value.data)


def quiet(numbers: np.ndarray) -> np.ndarray:
    """Numbers of R with quiet NaN of the same low word: numpy's minimum of signaling ones is wrong."""
    missing = np.isnan(numbers)
    if not missing.any():
        return numbers
    numbers = numbers.copy()
    numbers.view(np.uint64)[missing] |= QUIET
    return numbers


PLAIN = {
    "logical": _logical,
    "integer": _integer,
    "double": _doubles,
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
    # Whole seconds and the rest apart: their sum would not fit the 53 bits of a double. Nor do more than microseconds
    # of this century, and what is below them is no part of the instant that went into R.
    whole = np.floor(seconds)
    stamps = whole.astype(np.int64) * _SECOND + np.rint((seconds - whole) * 1e6).astype(np.int64) * 1000
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


# R's units of time, in seconds.
TIME_UNITS = {"secs": 1, "mins": 60, "hours": 3600, "days": _DAY, "weeks": 7 * _DAY}


def _duration(value: Atom, where: str) -> np.ndarray:
    """Lengths of time; their unit is among the attributes of the frame."""
    data = _doubles(value)
    missing = np.isnan(data)
    seconds = np.where(missing, 0.0, data) * TIME_UNITS[_unit_of(value, where)]
    if not np.max(np.abs(seconds), initial=0.0) < _NANO_RANGE[1]:
        raise ConversionError(f"{where} has lengths of time of 292 years or more; as.numeric() gives numbers.")
    lengths = np.rint(seconds * _SECOND).astype(np.int64)
    lengths[missing] = np.iinfo(np.int64).min
    return lengths.view("m8[ns]")


def _unit_of(value: Atom, where: str) -> str:
    unit = (strings(value.attributes.get("units")) or [""])[0] or ""
    if unit not in TIME_UNITS:
        raise ConversionError(f"{where} is a difftime without a unit that R has; units() sets one.")
    return unit


def _labelled(value: Atom, where: str) -> Any:
    """A column of the package haven: a factor of its labels where every value that occurs has one, else its values.

    Values that the file declares missing are missing.
    """
    import pandas as pd

    data = np.array(value.texts(), dtype=object) if value.type == "character" else _doubles(value)
    declared = value.attributes.get("na_values")
    gone = pd.isna(data) | np.isin(data, _plain(declared) if isinstance(declared, Atom) else [])
    ends = value.attributes.get("na_range")
    if isinstance(ends, Atom) and value.type != "character":
        low, high = _plain(ends)
        gone |= (data >= low) & (data <= high)
    labels = value.attributes.get("labels")
    named = strings(labels.attributes.get("names")) if isinstance(labels, Atom) else None
    words = dict(zip(_plain(labels), named, strict=True)) if isinstance(labels, Atom) and named else {}
    present, places = np.unique(data[~gone], return_inverse=True)
    if not set(present.tolist()) <= set(words):
        return pd.array(data, dtype="str") if value.type == "character" else np.where(gone, NA_REAL, data)
    named = [words[one] for one in present.tolist()]
    levels = list(dict.fromkeys(named))
    codes = np.full(len(data), -1)
    codes[~gone] = np.array([levels.index(word) for word in named], dtype=np.intp)[places]
    return pd.Categorical.from_codes(codes, categories=pd.Index(levels, dtype="str"))


def _plain(value: Atom) -> list[Any]:
    return value.texts() if value.type == "character" else value.data.tolist()


_CLASSED = {
    ("difftime",): _duration,
    ("integer64",): _integer64,
    ("factor",): _factor,
    ("ordered", "factor"): _factor,
    ("Date",): _date,
    ("POSIXct", "POSIXt"): _instant,
}


# What R's values are in Python: the one table of types, read from R's side.


FRAMES = {
    ("data.frame",): "data.frame",
    ("tbl_df", "tbl", "data.frame"): "tbl_df",
    ("data.table", "data.frame"): "data.frame",
}


def data_to_python(value: Value, where: str = "value") -> Any:
    """The same of the data of a call: a table may have columns of lists, which only who reads them refuses."""
    if not isinstance(value, Items) or classes(value) not in FRAMES:
        return to_python(value, where)
    return _frame(value, FRAMES[classes(value)], where, _column_or_lists)


def _column_or_lists(value: Value, where: str) -> Any:
    if not isinstance(value, Items) or classes(value) not in ((), ("AsIs",)):
        return column(value, where)
    entries = np.empty(len(value.values), dtype=object)
    for i, part in enumerate(value.values):
        entries[i] = list(classes(part)) or [type(part).__name__]  # no reader takes a list for a label or a number
    return entries


def to_python(value: Value, where: str = "value") -> Any:
    """The Python counterpart of an R value, as the table above says."""
    if isinstance(value, Null):
        return None
    if isinstance(value, Foreign):
        refuse(where, value.classes or (value.kind,), value.kind)
    if isinstance(value, Sparse):
        return _sparse(value, where)
    if isinstance(value, Items):
        return _items(value, where)
    return _atom(value, where)


def _items(value: Items, where: str) -> Any:
    names = classes(value)
    if names in FRAMES:
        return _frame(value, FRAMES[names], where)
    if "fairstats" in names:
        return Record(names, _dictionary(value, where))
    if "grouped_df" in names:
        raise ConversionError(f"{where} {_grouped(value)}")
    if names:
        held = zip(strings(value.attributes.get("names")) or [], value.values, strict=False)
        refuse(where, names, parts=[str(name) for name, part in held if name and isinstance(part, Atom)])
    if "names" not in value.attributes:
        return [to_python(v, f"{where}[[{i + 1}]]") for i, v in enumerate(value.values)]
    return _dictionary(value, where)


def _grouped(value: Items) -> str:
    """Why a grouped table is not taken, as the R package says it."""
    groups = value.attributes.get("groups")
    names = strings(groups.attributes.get("names")) if isinstance(groups, Items) else None
    by = [str(name) for name in names or () if name != ".rows"]
    return (
        f"is grouped by {', '.join(by)}, and one result is of all rows; give dplyr::ungroup() of it with the columns "
        f"whose groups are compared, as {Setting('groups', by[0] if len(by) == 1 else by)}, or make a result of each "
        "part with dplyr::group_map()."
    )


def _dictionary(value: Items, where: str) -> dict[str, Any]:
    names = strings(value.attributes.get("names")) or []
    if len(set(names)) < len(names) or not all(names) or len(names) != len(value.values):
        raise ConversionError(f"{where} is a list whose entries are not all named, each differently; name all or none.")
    return {str(n): to_python(v, f"{where}${n}" if where else str(n)) for n, v in zip(names, value.values, strict=True)}


def _frame(value: Items, kind: str, where: str, of_column: Callable[[Value, str], Any] | None = None) -> pd.DataFrame:
    import pandas as pd

    names = [str(n) for n in strings(value.attributes.get("names")) or []]
    if len(names) != len(value.values):
        raise ConversionError(
            f"{where} has {len(value.values)} columns and {len(names)} names; as.data.frame() repairs it."
        )
    if len(set(names)) < len(names):
        twice = sorted({n for n in names if names.count(n) > 1})
        raise ConversionError(f"{where} has several columns named {listing(twice)}; rename all but one of each.")
    index = _row_names(value.attributes.get("row.names"))
    columns = {n: (of_column or column)(v, f"{where}${n}") for n, v in zip(names, value.values, strict=True)}
    for name, result in columns.items():
        if len(result) != len(index):
            raise ConversionError(
                f"{where}${name} has {len(result)} entries in a data frame of {len(index)} rows; make the frame again."
            )
    frame = pd.DataFrame(columns, index=index, columns=pd.Index(names, dtype=object), copy=False)
    frame.columns = pd.Index(names)
    if kind != "data.frame":
        frame.attrs["r_class"] = kind
    durations = {n: v for n, v in zip(names, value.values, strict=True) if classes(v) == ("difftime",)}
    if durations:
        frame.attrs["r_units"] = {n: _unit_of(v, f"{where}${n}") for n, v in durations.items() if isinstance(v, Atom)}
    rows = value.attributes.get("row.names")
    if isinstance(rows, Atom) and rows.type == "integer" and len(index) and index.dtype == "str":
        frame.attrs["r_rows"] = rows.type
    if wide := [n for n, v in zip(names, value.values, strict=True) if classes(v) == ("integer64",)]:
        frame.attrs["r_integer64"] = wide
    return frame


def _row_names(attribute: Value | None) -> Any:
    import pandas as pd

    if not isinstance(attribute, Atom):
        return pd.RangeIndex(0)
    if attribute.type == "character":
        return pd.Index(attribute.texts())
    if _is_short(attribute):
        return pd.RangeIndex(_length(attribute))
    if isinstance(attribute, OfPandas) or not len(attribute.data):
        return pd.Index(attribute.data.astype(np.int64))
    return pd.Index([str(number) for number in attribute.data.tolist()], dtype="str")


class OfPandas(Atom):
    """Whole numbers that name rows and are an index of pandas; any others are R's, which counts from 1."""


@dataclass(frozen=True)
class Sent:
    """What R's row names stand for in an answer: rows of the frames that were arguments of the call.

    positions: how many of R's automatic row names are positions from 0, 0 if none are.
    labels: whether whole numbers are of the index of a frame that went in.
    rows: the row names of the frame that the answer has an entry for each row of, if it has.
    """

    positions: int = 0
    labels: bool = False
    rows: Atom | None = None


def sent(arguments: Sequence[Value], by_row: bool) -> Sent:
    """What R's row names stand for in the answer of a call with these arguments.

    by_row: whether the function answers with an entry for each row of its frame, as predict does.
    """
    frames = [a.attributes["row.names"] for a in arguments if isinstance(a, Items) and "data.frame" in classes(a)]
    rows = [one for one in frames if isinstance(one, Atom)]
    numbered = [one for one in rows if one.type != "character"]
    # Beside an index of whole numbers, a row 2 of the answer may be of either frame.
    positions = max((_length(one) for one in numbered), default=0) if all(map(_is_short, numbered)) else 0
    labels = bool(numbered) and not any(map(_is_short, numbered))
    return Sent(positions, labels, rows[0] if by_row and len(rows) == 1 else None)


def of_index(value: Value, went: Sent) -> Value:
    """The value with R's row names as the index of the frames that went in, whose rows pandas counts from 0.

    value: what R answered. An anova table is a data frame in it, and a table or an array of one dimension a named
        vector.
    """
    if isinstance(value, Items):
        attributes = dict(value.attributes)
        if classes(value) == ("anova", "data.frame"):
            attributes["class"] = text("data.frame")
        rows = attributes.get("row.names")
        if isinstance(rows, Atom) and "data.frame" in classes(value):
            attributes["row.names"] = (_positions if rows.type == "integer" else _index_of)(rows, went)
        return Items([of_index(part, went) for part in value.values], attributes)
    if not isinstance(value, Atom):
        return value
    names, dimnames = value.attributes.get("names"), value.attributes.get("dimnames")
    if isinstance(dimnames, Items) and len(dimnames.values) == 1 and classes(value) in ((), ("table",)):
        return Atom(value.type, value.data, value.strings, {"names": dimnames.values[0]})
    if isinstance(names, Atom):
        return _with(value, names=_index_of(names, went))
    if isinstance(dimnames, Items) and len(dimnames.values) == 2 and isinstance(dimnames.values[0], Atom):
        return _with(value, dimnames=Items([_index_of(dimnames.values[0], went), dimnames.values[1]]))
    return value


def _is_short(rows: Atom) -> bool:
    """Whether row names are R's short form of 1, 2, ... n, which is c(NA, -n)."""
    return rows.type == "integer" and len(rows.data) == 2 and bool(rows.data[0] == NA_INTEGER)


def _length(rows: Atom) -> int:
    return abs(int(rows.data[1])) if _is_short(rows) else len(rows.data)


def _positions(rows: Atom, went: Sent) -> Atom:
    """Whole numbers that name rows: positions from 0 where R numbered the rows of what went in, else as they are."""
    if _is_short(rows) or not len(rows.data):
        return rows
    if went.labels:
        return OfPandas("integer", rows.data)
    return OfPandas("integer", rows.data - 1) if 1 <= rows.data.min() <= rows.data.max() <= went.positions else rows


def _index_of(names: Atom, went: Sent) -> Atom:
    """Names that are all the row names of the frame that went in, in their order, as its index; else as they are."""
    rows = went.rows
    if rows is None or rows.type != "integer" or names.type != "character":
        return names
    numbers = range(1, _length(rows) + 1) if _is_short(rows) else rows.data.tolist()
    rows = OfPandas(rows.type, rows.data)
    return rows if numbers and names.texts() == [str(number) for number in numbers] else names


def _is_wide(value: Atom) -> bool:
    """Whether a vector has other dimensions than its length: a matrix of one column, as of scale(), has not."""
    dim = value.attributes.get("dim")
    return isinstance(dim, Atom) and any(extent != 1 for extent in dim.data[1:])


def column(value: Value, where: str) -> Any:
    """A column of a data frame: one array, whatever its length."""
    if not isinstance(value, Atom) or value.type == "raw" or _is_wide(value):
        wide = isinstance(value, Sparse) or (isinstance(value, Atom) and _is_wide(value))
        types = classes(value) or ("matrix" if wide else value.type if isinstance(value, Atom) else "list",)
        way_out = _way_out([t for t in types if t != "AsIs"], "split it into several, or drop it")
        raise ConversionError(
            f"{where} is a column of class {listing(types)}; a column holds one number, text, factor or date a row: "
            f"{way_out}."
        )
    if value.type == "character" and not classes(value):
        import pandas as pd

        # An array, never a Series: that would be laid against the row names, and its rows would change places.
        return pd.array(list(value.strings), dtype="str").take(value.data, allow_fill=True)
    return array_of(value, where)


def _atom(value: Atom, where: str) -> Any:
    dim, dimnames = value.attributes.get("dim"), value.attributes.get("dimnames")
    length = dim.data.tolist() if isinstance(dim, Atom) and dim.type in ("integer", "double") else []
    if length == [len(value.data)] and not classes(value):  # a vector to everybody but R
        entries = dimnames.values[0] if isinstance(dimnames, Items) else Null()
        value = Atom(value.type, value.data, value.strings, {} if isinstance(entries, Null) else {"names": entries})
    elif "dim" in value.attributes:
        return _array(value, where)
    if value.type == "raw":
        return value.data.tobytes()
    array = array_of(value, where)
    labels = value.attributes.get("names")
    names = strings(labels)
    if names is not None:
        import pandas as pd

        if len(names) != len(value.data):
            raise ConversionError(f"{where} has {len(value.data)} entries and {len(names)} names; unname() drops them.")
        return pd.Series(array, index=pd.Index([n or "" for n in names]))
    if isinstance(labels, Atom):  # the index of a frame that went in
        import pandas as pd

        return pd.Series(array, index=_row_names(labels))
    return _scalar(array) if len(value.data) == 1 else array


def _scalar(array: Any) -> Any:
    """The one value of a vector, where that says the same: a missing one keeps its type only as a vector."""
    import pandas as pd

    if isinstance(array, pd.Categorical) or (not isinstance(array, np.ndarray) and array.isna()[0]):
        return array
    if isinstance(array, np.ndarray) and (array[0] is None or array.dtype.kind == "f"):
        return array if array[0] is None else float(array[0])
    if isinstance(array, np.ndarray) and array.dtype.kind == "M":
        return array if np.isnat(array[0]) else datetime.date.fromisoformat(str(array[0])[:10])
    if isinstance(array, np.ndarray) and array.dtype.kind == "m":  # whose item() would be a bare number
        return array if np.isnat(array[0]) else pd.Timedelta(array[0])
    return array[0].item() if hasattr(array[0], "item") else array[0]


def _array(value: Atom, where: str) -> Any:
    import pandas as pd

    types = classes(value)
    if types:
        refuse(where, types)
    dim = value.attributes["dim"]
    shape = tuple(int(d) for d in dim.data) if isinstance(dim, Atom) and dim.type in ("integer", "double") else (-1,)
    if min(shape, default=-1) < 0 or math.prod(shape) != len(value.data):
        raise ConversionError(
            f"{where} has {len(value.data)} entries, which are no array of its dim; array() repairs it."
        )
    dimnames = value.attributes.get("dimnames")
    flat = PLAIN[value.type](value)
    if len(shape) != 2 or value.type == "raw":
        if dimnames is not None or not isinstance(flat, np.ndarray):
            raise ConversionError(
                f"{where} is an array of {len(shape)} dimensions with names or missing integers; as.data.frame.table() "
                "gives a data frame."
            )
        return flat.reshape(shape, order="F")
    if isinstance(flat, np.ndarray) and dimnames is None:
        return flat.reshape(shape, order="F")
    names = [strings(v) for v in dimnames.values] if isinstance(dimnames, Items) else [None, None]
    rows = dimnames.values[0] if isinstance(dimnames, Items) and len(names) == 2 else None
    numbered = _row_names(rows) if isinstance(rows, Atom) and rows.type == "integer" else None
    n, p = shape
    if len(names) != 2 or any(
        current is not None and len(current) != size for current, size in zip(names, shape, strict=False)
    ):
        raise ConversionError(
            f"{where} is a matrix of {n} × {p} whose dimnames are of another size; unname() drops them."
        )
    index = pd.Index(names[0]) if names[0] is not None else pd.RangeIndex(n) if numbered is None else numbered
    if isinstance(flat, np.ndarray):
        frame = pd.DataFrame(flat.reshape(shape, order="F"), index=index, copy=False)
    else:
        frame = pd.DataFrame({j: flat[j * n : (j + 1) * n] for j in range(p)}, index=index)
    if names[1] is not None:
        frame.columns = pd.Index(names[1])
    frame.attrs["r_class"] = "matrix"
    return frame


def _sparse(value: Sparse, where: str) -> Any:
    from scipy import sparse

    if value.named:
        warnings.warn(f"{where}: the row and column names of a sparse matrix are left behind.", FairstatsWarning, 3)
    return sparse.csc_array((quiet(value.data).copy(), value.indices.copy(), value.pointers.copy()), shape=value.shape)


# Python's arrays as R's atomic vectors: what `to_rvalue` says of a column.


INT_MAX = 2**31 - 1
_DOUBLE_MAX = 2**53
_ONE_DAY = 86400


def vector(values: Any, where: str) -> Atom:
    """A numpy or pandas array of one dimension as an atomic vector."""
    dtype = values.dtype
    if hasattr(dtype, "categories"):
        return _factor_vector(values, where)
    if getattr(dtype, "tz", None) is not None:
        return _instants(values.tz_convert("UTC").tz_localize(None).to_numpy(), _zone(dtype.tz))
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
        return whole_numbers(plain, missing, where) if kind != "b" else _logical_vector(plain, missing)
    if kind == "f" and missing.any() and hasattr(values, "_mask"):
        return Atom("double", np.where(missing, NA_REAL, values.to_numpy(dtype=float, na_value=0.0)))
    if kind in "mM":
        return vector(values.to_numpy(), where)
    if kind == "f":
        return vector(values.to_numpy(dtype=float), where)
    return texts(values, where)


def _logical_vector(values: np.ndarray, missing: np.ndarray | None = None) -> Atom:
    data = values.astype("<i4")
    if missing is not None:
        data[missing] = NA_INTEGER
    return Atom("logical", data)


def whole_numbers(values: np.ndarray, missing: np.ndarray, where: str) -> Atom:
    """Integers as R's 32-bit ones where they fit, as doubles where these hold them exactly, else as those of bit64."""
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
    return _wide(values, missing, where)


def _wide(values: np.ndarray, missing: np.ndarray, where: str) -> Atom:
    """Integers of the package bit64, whose bits stand in a vector of doubles; its missing one is the least of all."""
    present = values[~missing]
    if len(present) and not -(2**63) < int(present.min()) <= int(present.max()) < 2**63:
        raise ConversionError(f"{where} has whole numbers of more than 64 bits with a sign; pass them as text.")
    numbers = np.where(missing, np.iinfo(np.int64).min, values.astype("<i8"))
    return Atom("double", numbers.view("<f8"), attributes={"class": text("integer64")})


def _stamps(values: np.ndarray, where: str) -> Atom:
    """Days where the unit is days, or seconds that are all midnights, as R's Dates are read; else instants of UTC."""
    missing = np.isnat(values)
    unit = np.datetime_data(values.dtype)[0]
    seconds = values.astype("M8[s]").astype(np.int64)
    if unit not in ("D", "s") or (seconds[~missing] % _ONE_DAY).any():
        return _instants(values, "UTC")
    days = (seconds // _ONE_DAY).astype("<f8")
    days[missing] = NA_REAL
    return Atom("double", days, attributes={"class": text("Date")})


def _zone(zone: Any) -> str:
    """The name by which R knows a time zone. A fixed offset has none: R reads UTC+5 as west of Greenwich, so UTC."""
    name = str(zone)
    try:
        return ZoneInfo(name).key
    except (KeyError, ValueError, OSError):  # no such name, or a path
        return "UTC"


def _instants(stamps: np.ndarray, zone: str) -> Atom:
    missing = np.isnat(stamps)
    # Whole seconds and the rest apart: years beyond 2262 do not fit 64-bit nanoseconds.
    whole = stamps.astype("M8[s]")
    data = whole.astype(np.int64) + (stamps - whole) / np.timedelta64(1, "s")
    data[missing] = NA_REAL
    return Atom("double", data, attributes={"class": text("POSIXct", "POSIXt"), "tzone": text(zone)})


def _durations(values: np.ndarray, where: str, unit: str = "secs") -> Atom:
    """A length of time in seconds, or in the unit that it had in R."""
    data = np.where(np.isnat(values), NA_REAL, values / np.timedelta64(TIME_UNITS[unit], "s"))
    return Atom("double", data, attributes={"class": text("difftime"), "units": text(unit)})


def _factor_vector(values: Any, where: str) -> Atom:
    levels = [label(c) for c in values.categories]
    if len(set(levels)) < len(levels):
        raise ConversionError(f"{where} has categories with the same text ({listing(levels)}); rename them.")
    codes = np.asarray(values.codes).astype("<i4") + 1
    codes[codes == 0] = NA_INTEGER
    types = text("ordered", "factor") if values.ordered else text("factor")
    return Atom("integer", codes, attributes={"levels": text_of(levels), "class": types})


def texts(values: Any, where: str) -> Atom:
    """Text as its distinct strings and a code a value."""
    import pandas as pd

    # A column of text knows its distinct strings without becoming a million Python objects.
    present = values if hasattr(values, "factorize") else np.asarray(values, dtype=object)
    codes, distinct = pd.factorize(present, use_na_sentinel=True)
    strange = next((v for v in distinct if not isinstance(v, str)), None)
    if strange is not None:
        raise ConversionError(
            f"{where} holds {type(strange).__name__} values ({strange!r}) in an object column; a vector of R has one "
            "type: convert it to numbers or to text."
        )
    return _as_strings(codes, list(distinct), where)


def _as_strings(codes: Any, distinct: list[str], where: str) -> Atom:
    bad = next((v for v in distinct if "\0" in v or not _encodes(v)), None)
    if bad is not None:
        raise ConversionError(f"{where} has text that R cannot hold ({bad!r}: a zero byte or half a character).")
    return Atom("character", np.asarray(codes, dtype=STORAGE["character"]), distinct)


def as_column(values: Sequence[Any], where: str = "value") -> Atom:
    """A column of a result: text, flags or numbers; absent ones, NaN and empty text are R's NA."""
    given = [v for v in values if v is not None and v != "" and v == v]
    if given and all(isinstance(v, (bool, np.bool_)) for v in given):
        return _logical_vector(np.array([v is True for v in values]), np.array([v is None for v in values]))
    if any(isinstance(v, (int, float, np.integer, np.floating)) for v in given or values):
        if len(given) == len(values) and not any(isinstance(v, (float, np.floating)) for v in given):
            return whole_numbers(np.array(given), np.zeros(len(given), dtype=bool), where)
        return as_numbers(values)
    return as_text(values, where)


def as_numbers(values: Sequence[float | None]) -> Atom:
    """Numbers whose absent ones are R's NA: R shows NaN as the result of a computation."""
    data = np.array(values, dtype=STORAGE["double"])
    return Atom("double", np.where(np.isnan(data), NA_REAL, data))


def as_text(values: Sequence[str | None], where: str = "value") -> Atom:
    """Text whose absent and empty entries are R's NA; text also where all of them are."""
    return _as_strings(*_numbered([v or None for v in values]), where)


def _numbered(values: Sequence[str | None]) -> tuple[list[int], list[str]]:
    """The place of each text among the distinct ones, and these; -1 where there is none."""
    distinct: dict[str, int] = {}
    codes = [-1 if v is None else distinct.setdefault(v, len(distinct)) for v in values]
    return codes, list(distinct)


def data_frame(columns: Mapping[str, Atom]) -> Items:
    """A data frame of R from its columns: pandas would take longer to build one than an audit to compute."""
    n = len(next(iter(columns.values())).data) if columns else 0
    named = _named(columns)
    return Items(named.values, {**named.attributes, "row.names": integers(NA_INTEGER, -n), "class": text("data.frame")})


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
        return _logical_vector(np.where(missing, False, values).astype(bool), missing)
    if present and all(isinstance(v, datetime.date) and not isinstance(v, datetime.datetime) for v in present):
        return _stamps(np.array([None if is_missing(v) else v for v in values], dtype="M8[D]"), where)
    return texts(values, where)


_BY_KIND = {
    "b": lambda values, where: _logical_vector(values),
    "i": lambda values, where: whole_numbers(values, np.zeros(len(values), dtype=bool), where),
    "u": lambda values, where: whole_numbers(values, np.zeros(len(values), dtype=bool), where),
    "f": lambda values, where: Atom("double", np.asarray(values, dtype="<f8")),
    "U": lambda values, where: texts(values, where),
    "T": lambda values, where: texts(values, where),
    "O": _objects,
    "M": _stamps,
    "m": _durations,
}


def text_of(labels: Sequence[str]) -> Atom:
    """A character vector of many strings."""
    return text(*labels) if len(labels) < 100 else texts(np.array(labels, dtype=object), "names")


# What Python's values are in R: the table of `fairstats.rvalues.to_python`, read from Python's side.


def to_rvalue(obj: Any, where: str = "value") -> Value:
    """The R counterpart of a Python object."""
    if obj is None:
        return Null()
    if isinstance(obj, Value):  # made here before
        return obj
    if hasattr(obj, "dtype") and np.ndim(obj) == 0:
        return vector(np.asarray(obj).reshape(1), where)
    # A table that holds NaN differs from itself, as a missing value does.
    if isinstance(obj, (bool, int, float, str, datetime.date, datetime.timedelta)) or (
        not hasattr(obj, "__len__") and is_missing(obj)
    ):
        return _scalar_rvalue(obj, where)
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
        return _sparse_rvalue(obj, where)
    if hasattr(obj, "columns") or hasattr(obj, "column_names"):
        return _frame_rvalue(_pandas(obj), where)
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


def _scalar_rvalue(obj: Any, where: str) -> Value:
    if isinstance(obj, datetime.date) and not isinstance(obj, datetime.datetime):
        return vector(np.array([obj], dtype="M8[s]"), where)
    if isinstance(obj, datetime.timedelta):
        import pandas as pd

        if not abs(obj.total_seconds()) < _NANO_RANGE[1]:
            raise ConversionError(f"{where} is a length of time of 292 years or more; total_seconds() gives a number.")
        return vector(np.array([pd.Timedelta(obj).to_timedelta64()]), where)
    if isinstance(obj, datetime.datetime):
        import pandas as pd

        return vector(pd.array([pd.Timestamp(obj)]), where)
    if not isinstance(obj, (bool, int, float, str)) and type(obj).__name__ not in MISSING_OF_R:  # pandas' NA and NaT
        return Atom("logical", np.array([NA_INTEGER], dtype="<i4"))
    return _sequence([obj], where)


def _sequence(items: Sequence[Any], where: str) -> Value:
    """A vector if the entries are scalars of one kind or None, as ``c()`` makes it of NA; a list otherwise."""
    kinds = {MISSING_OF_R[kind.__name__] for kind in set(map(type, items)) if kind.__name__ in MISSING_OF_R}
    gaps = np.array([v is None or type(v).__name__ in MISSING_OF_R for v in items], dtype=bool)
    if gaps.any():
        return _with_gaps(items, gaps, kinds, where)
    if items and all(isinstance(v, str) for v in items):
        return _as_strings(*_numbered(items), where)
    if items and all(isinstance(v, (bool, np.bool_)) for v in items):
        return vector(np.array(items, dtype=bool), where)
    numbers = (int, float, np.integer, np.floating)
    if items and all(isinstance(v, numbers) and not isinstance(v, bool) for v in items):
        if any(isinstance(v, (float, np.floating)) for v in items):
            return vector(np.array(items, dtype=float), where)
        return whole_numbers(np.array([int(v) for v in items], dtype=object), np.zeros(len(items), dtype=bool), where)
    return Items([to_rvalue(v, f"{where}[{i}]") for i, v in enumerate(items)])


def _with_gaps(items: Sequence[Any], gaps: np.ndarray, kinds: set[str], where: str) -> Value:
    """The entries of a vector some of which are missing; of several kinds, and of None alone, a list.

    kinds: what R's missing values among them are of.
    """
    present = [v for v, gap in zip(items, gaps, strict=True) if not gap]
    empty = [Atom(kind, np.empty(0, dtype=STORAGE[kind])) for kind in sorted(kinds)]
    vector = _sequence(present, where) if present else empty[0] if len(empty) == 1 else None
    if not isinstance(vector, Atom) or not kinds <= {vector.type} or vector.attributes:
        return Items([to_rvalue(v, f"{where}[{i}]") for i, v in enumerate(items)])
    missing = {"double": NA_REAL, "character": -1}.get(vector.type, NA_INTEGER)
    data = np.full(len(items), missing, dtype=vector.data.dtype)
    data[~gaps] = vector.data
    return dataclasses.replace(vector, data=data)


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


def _frame_rvalue(frame: Any, where: str) -> Value:
    names = [str(c) for c in frame.columns]
    if frame.columns.nlevels > 1 or frame.index.nlevels > 1:
        raise ConversionError(f"{where} has an index of several levels; use reset_index() or join their names.")
    kind = frame.attrs.get("r_class", "data.frame")
    twice = _repeated(names)
    if twice and kind != "matrix":  # where R itself allows it
        raise ConversionError(f"{where} has several columns named {listing(twice)}; rename all but one of each.")
    units, wide = frame.attrs.get("r_units", {}), frame.attrs.get("r_integer64", ())

    def crossed(name: str, series: Any) -> Atom:
        kind = getattr(series.dtype, "kind", "")
        if name in units and kind == "m":
            return _durations(series.to_numpy(), where, units[name])
        if name in wide and kind in "iu":
            return _wide(series.to_numpy(np.int64, na_value=0), series.isna().to_numpy(), f"{where}[{name!r}]")
        return _column(series, f"{where}[{name!r}]")

    columns = [crossed(n, series) for n, (_, series) in zip(names, frame.items(), strict=True)]
    if kind == "matrix":
        return _matrix(frame, columns, names)
    types = text("tbl_df", "tbl", "data.frame") if kind == "tbl_df" else text("data.frame")
    attributes: dict[str, Value] = {"names": text_of(names), "row.names": _row_names_rvalue(frame, where)}
    return Items(columns, {**attributes, "class": types})


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


def _row_names_rvalue(frame: Any, where: str) -> Atom:
    index = frame.index
    if frame.attrs.get("r_rows") and all(isinstance(name, str) and name.isdecimal() for name in index):
        index = index.astype(np.int64)  # as R has them
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


def _sparse_rvalue(matrix: Any, where: str) -> Sparse:
    columns = matrix.tocsc().astype(float)
    columns.sort_indices()
    if max(columns.nnz, *columns.shape) > INT_MAX:
        raise ConversionError(f"{where} has more entries than R's sparse matrices can count ({columns.nnz}).")
    shape = (int(columns.shape[0]), int(columns.shape[1]))
    return Sparse(columns.indices, columns.indptr, columns.data, shape)
