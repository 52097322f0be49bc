"""The table of types × missing values: what an R expression is in Python. Both bridges are held to it, both ways."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from fairstats.rvalues.convert import NA_REAL

NA, NAN = NA_REAL, np.nan


def texts(*values: str | None) -> np.ndarray:
    return np.array(values, dtype=object)


def days(*values: str) -> np.ndarray:
    return np.array(values, dtype="M8[s]")


def instants(*values: str, zone: str) -> Any:
    return pd.DatetimeIndex(values).tz_localize(zone).as_unit("ns").array


def factor(values: list[Any], levels: list[str], ordered: bool = False) -> pd.Categorical:
    return pd.Categorical(values, pd.Index(levels, dtype="str"), ordered=ordered)


def masked(values: list[Any], dtype: str) -> Any:
    return pd.array(values, dtype=dtype)


def matrix(values: Any, rows: list[str] | None = None, columns: list[str] | None = None) -> pd.DataFrame:
    frame = pd.DataFrame(values, index=rows, columns=columns)
    frame.attrs["r_class"] = "matrix"
    return frame


def people(**columns: Any) -> pd.DataFrame:
    return pd.DataFrame(columns)


def tibble(**columns: Any) -> pd.DataFrame:
    frame = pd.DataFrame(columns)
    frame.attrs["r_class"] = "tbl_df"
    return frame


def numbered(rows: list[str], **columns: Any) -> pd.DataFrame:
    """A frame with row names of R that are whole numbers."""
    frame = pd.DataFrame(columns, index=rows)
    frame.attrs["r_rows"] = "integer"
    return frame


# R expression -> how its Python counterpart is made. What is read from R must equal it, and it must become what R has.
TYPES: dict[str, Callable[[], Any]] = {
    "NULL": lambda: None,
    # one value
    "TRUE": lambda: True,
    "3L": lambda: 3,
    "2.5": lambda: 2.5,
    "2^40": lambda: 2.0**40,
    "10": lambda: 10.0,
    "Inf": lambda: np.inf,
    "'text'": lambda: "text",
    "''": lambda: "",
    "as.Date('2024-02-29')": lambda: datetime.date(2024, 2, 29),
    "NA": lambda: masked([None], "boolean"),
    "NA_integer_": lambda: masked([None], "Int32"),
    "NA_character_": lambda: texts(None),
    "as.Date(NA)": lambda: days("NaT"),
    "factor('a')": lambda: factor(["a"], ["a"]),
    # vectors
    "c(TRUE, FALSE)": lambda: np.array([True, False]),
    "c(TRUE, NA, FALSE)": lambda: masked([True, None, False], "boolean"),
    "c(NA, NA)": lambda: masked([None, None], "boolean"),
    "c(-1L, 2147483647L)": lambda: np.array([-1, 2**31 - 1], dtype=np.int32),
    "c(1L, NA)": lambda: masked([1, None], "Int32"),
    "c(NA_integer_, NA_integer_)": lambda: masked([None, None], "Int32"),
    "c(0.1, 2^40, 1e-300, -Inf)": lambda: np.array([0.1, 2.0**40, 1e-300, -np.inf]),
    "c(1.5, NA, NaN)": lambda: np.array([1.5, NA, NAN]),
    "c('a', 'b', 'a')": lambda: texts("a", "b", "a"),
    "c('a', NA, 'NA', '')": lambda: texts("a", None, "NA", ""),
    "c('\\u00e9\\u20ac', '\\U1F600 two words\\n', '\"\\\\')": lambda: texts("é€", "😀 two words\n", '"\\'),
    "as.raw(c(0, 255))": lambda: b"\x00\xff",
    "logical(0)": lambda: np.array([], dtype=bool),
    "integer(0)": lambda: np.array([], dtype=np.int32),
    "numeric(0)": lambda: np.array([], dtype=float),
    "character(0)": lambda: texts(),
    "factor(c('b', 'a', 'b'))": lambda: factor(["b", "a", "b"], ["a", "b"]),
    "factor(c('b', NA), levels = c('b', 'never', 'a'))": lambda: factor(["b", None], ["b", "never", "a"]),
    "factor(NA, levels = 'a')": lambda: factor([None], ["a"]),
    "factor(character(0), levels = c('a', 'b'))": lambda: factor([], ["a", "b"]),
    "factor(c('lo', 'hi'), levels = c('lo', 'hi'), ordered = TRUE)": lambda: factor(["lo", "hi"], ["lo", "hi"], True),
    "as.Date(c('1582-10-15', NA, '2999-12-31'))": lambda: days("1582-10-15", "NaT", "2999-12-31"),
    "as.POSIXct(c('2024-03-31 00:30:00', NA), tz = 'UTC')": lambda: instants("2024-03-31T00:30", "NaT", zone="UTC"),
    "as.POSIXct(c('2024-07-01 12:00:00', '1901-02-03 04:05:06'), tz = 'Europe/Berlin')": lambda: instants(
        "2024-07-01T12:00", "1901-02-03T04:05:06", zone="Europe/Berlin"
    ),
    "as.POSIXct(c(0.25, -0.5), origin = '1970-01-01', tz = 'UTC')": lambda: instants(
        "1970-01-01T00:00:00.25", "1969-12-31T23:59:59.5", zone="UTC"
    ),
    "c(a = 1.5, b = NA)": lambda: pd.Series([1.5, NA], index=["a", "b"]),
    "c(a = 1L)": lambda: pd.Series(np.array([1], dtype=np.int32), index=["a"]),
    # arrays
    "matrix(c(1.5, 2, NA, 4, 5, 6), 2)": lambda: np.array([[1.5, NA, 5], [2, 4, 6]]),
    "matrix(1:4, 2)": lambda: np.array([[1, 3], [2, 4]], dtype=np.int32),
    "matrix(c('a', NA), 1)": lambda: texts("a", None).reshape(1, 2),
    "matrix(numeric(0), 0, 3)": lambda: np.empty((0, 3)),
    "matrix(1:2 + .5, 2, dimnames = list(c('r', 's'), 'x'))": lambda: matrix([[1.5], [2.5]], ["r", "s"], ["x"]),
    "matrix(c(TRUE, NA), 1, dimnames = list(NULL, c('x', 'y')))": lambda: matrix(
        {"x": masked([True], "boolean"), "y": masked([None], "boolean")}
    ),
    "array(1:8 / 2, c(2, 2, 2))": lambda: (np.arange(1, 9) / 2).reshape(2, 2, 2, order="F"),
    "Matrix::sparseMatrix(i = c(2, 1), j = c(1, 3), x = c(.5, NA), dims = c(2, 3))": lambda: sparse.csc_array(
        (np.array([0.5, NA]), np.array([1, 0], dtype=np.int32), np.array([0, 1, 1, 2], dtype=np.int32)), shape=(2, 3)
    ),
    # lists and frames
    "list()": list,
    "list(1, 'a', NULL)": lambda: [1.0, "a", None],
    "list(a = 1L, b = list(c = NA))": lambda: {"a": 1, "b": {"c": masked([None], "boolean")}},
    "data.frame(n = c(1.5, NA), i = 1:2, l = c(NA, TRUE), s = c('a', NA))": lambda: people(
        n=np.array([1.5, NA]),
        i=np.array([1, 2], dtype=np.int32),
        l=masked([None, True], "boolean"),
        s=pd.Series(["a", None], dtype="str"),
    ),
    "data.frame(i = c(NA, 7L), f = factor(c('y', NA), levels = c('x', 'y')), d = as.Date(c(NA, '2020-01-01')))": (
        lambda: people(
            i=masked([None, 7], "Int32"), f=factor(["y", None], ["x", "y"]), d=pd.Series(days("NaT", "2020-01-01"))
        )
    ),
    "data.frame(t = as.POSIXct(c(NA, '2020-01-01 10:00'), tz = 'Asia/Tokyo'))": lambda: people(
        t=instants("NaT", "2020-01-01T10:00", zone="Asia/Tokyo")
    ),
    "data.frame(x = c(1, 2), row.names = c('first', 'second'))": lambda: pd.DataFrame(
        {"x": [1.0, 2.0]}, index=pd.Index(["first", "second"], dtype="str")
    ),
    "data.frame(s = c('a', NA, 'b'), f = factor(c('x', 'y', 'x')), row.names = c(30L, 10L, 20L))": lambda: numbered(
        ["30", "10", "20"], s=pd.array(["a", None, "b"], dtype="str"), f=factor(["x", "y", "x"], ["x", "y"])
    ),
    "data.frame(x = c(1, 2, 3))[c(1, 3), , drop = FALSE]": lambda: numbered(["1", "3"], x=[1.0, 3.0]),
    "data.frame(x = numeric(0), g = factor(character(0), levels = 'a'))": lambda: people(
        x=np.array([]), g=factor([], ["a"])
    ),
    "data.frame(`two words` = 1, check.names = FALSE)": lambda: pd.DataFrame({"two words": [1.0]}),
    "tibble::tibble(x = c(1, NA), s = c('a', 'a'))": lambda: tibble(
        x=np.array([1.0, NA]), s=pd.Series(["a", "a"], dtype="str")
    ),
}

# What Python takes as what another R expression gives, which is the way back, too: R expression, and that.
TAKEN = {
    "data.table::data.table(x = c(1, NA), s = c('a', 'b'))": "data.frame(x = c(1, NA), s = c('a', 'b'))",
    "as.difftime(c(90, NA), units = 'mins')": "as.difftime(c(5400, NA), units = 'secs')",
    "structure(c(3L, NA), class = 'difftime', units = 'days')": "as.difftime(c(259200, NA), units = 'secs')",
    "{ d <- data.frame(x = c(1, 3)); d$s <- scale(d$x, scale = FALSE); d$a <- array(c('a', NA), 2); d }": (
        "data.frame(x = c(1, 3), s = c(-1, 1), a = c('a', NA))"
    ),
    "haven::labelled(c(2, 1, NA), c(no = 1, yes = 2, maybe = 3))": (
        "droplevels(haven::as_factor(haven::labelled(c(2, 1, NA), c(no = 1, yes = 2, maybe = 3))))"
    ),
    "haven::labelled(c('m', 'f'), c(Men = 'm', Women = 'f'))": "factor(c('Men', 'Women'), c('Women', 'Men'))",
    "haven::labelled(c(20, 31.5, NA), c(refused = 99))": "c(20, 31.5, NA)",
    "haven::labelled_spss(c(20, 99, -1, 50), c(no = 99), na_values = 99, na_range = c(-9, -1))": "c(20, NA, NA, 50)",
    "haven::labelled_spss(c(1, 2, 9), c(no = 1, yes = 2, lost = 9), na_values = 9)": "factor(c('no', 'yes', NA))",
}

# What must be refused, and how: R expression -> what the message must say.
REFUSED = {
    "function(x) x": "class function",
    "new.env()": "class environment",
    "list(fine = 1, bad = list(inner = mean))": "bad$inner has the R class function",
    "quote(a + b)": "class call",
    "y ~ x": "class formula",
    "structure(1:2, class = 'integer64')": "has the R class integer64",
    "as.POSIXlt('2024-01-01', tz = 'UTC')": "as.POSIXct() gives instants",
    "c(1+2i, NA)": "Re() and Im()",
    "structure(list(), class = c('survey.design2', 'survey.design'))": "fair_audit() takes it in R",
    "lm(dist ~ speed, cars)": "class lm",
    "table(c('a', 'b'), c('x', 'y'))": "as.data.frame()",
    "{ d <- data.frame(x = 1:2); d$l <- list(1, 'a'); d }": "l is a column of class list",
    "data.frame(l = I(list(1, 'a')))": "of class AsIs; a column holds one number, text, factor or date a row: split",
    "{ d <- data.frame(x = 1:2); d$m <- matrix(1:4, 2); d }": "m is a column of class matrix",
    "{ d <- data.frame(x = 1:2); d$r <- as.raw(1:2); d }": (
        "r is a column of class raw; a column holds one number, text, factor or date a row: as.integer() gives numbers."
    ),
    "{ d <- data.frame(x = 1:2); d$t <- as.POSIXlt(c('2024-01-01', '2024-01-02'), tz = 'UTC'); d }": (
        "a row: as.POSIXct() gives instants."
    ),
    "data.frame(a = 1, a = 2, check.names = FALSE)": "several columns named a",
    "'\\xff'": "not valid UTF-8",
    "data.frame(ok = 'a', bad = 'caf\\xe9')": "bad has text that is not valid UTF-8",
    "factor(c('a', NA), exclude = NULL)": "NA among its levels",
    "list(a = 1, 2)": "not all named",
    "as.Date(0.5, origin = '1970-01-01')": "fractions of a day",
    "as.POSIXct('1500-01-01', tz = 'UTC')": "outside the years",
}

# Python values that R cannot hold: how they are made, and what the message must say.
REFUSED_OF_PYTHON: dict[str, tuple[Callable[[], Any], str]] = {
    "an int beyond 64 bits with a sign": (lambda: np.array([2**63], dtype="u8"), "more than 64 bits with a sign"),
    "half a character": (lambda: "\ud800", "half a character"),
    "a zero byte": (lambda: ["a\0b"], "zero byte"),
    "a mixed object column": (lambda: pd.DataFrame({"x": ["a", object()]}), "'x'.* one type"),
    "a function": (lambda: {"f": print}, "'f'.* no counterpart"),
    "complex": (lambda: np.array([1j]), "complex128"),
    "an index of two levels": (
        lambda: pd.DataFrame({"x": [1]}, index=pd.MultiIndex.from_tuples([(1, 2)])),
        "several levels",
    ),
    "an index with repeats": (lambda: pd.DataFrame({"x": [1, 2]}, index=["a", "a"]), "repeated values"),
}


def differs(one: Any, other: Any) -> str:
    """Why two Python values are not the same, type and every bit of them; empty if they are."""
    if type(one) is not type(other):
        return f"{type(one).__name__} is not {type(other).__name__}"
    if isinstance(one, dict):
        if list(one) != list(other):
            return f"names {list(one)} are not {list(other)}"
        return differs(list(one.values()), list(other.values()))
    if isinstance(one, list):
        return next(filter(None, map(differs, one, other)), "") if len(one) == len(other) else "lengths differ"
    if isinstance(one, pd.DataFrame):
        columns = [differs(one.iloc[:, j].array, other.iloc[:, j].array) for j in range(one.shape[1])]
        labels = _labels_differ(one, other)
        return labels or next(filter(None, columns), "") or ("" if one.attrs == other.attrs else "attrs differ")
    if isinstance(one, pd.Series):
        return _labels_differ(one, other) or differs(one.array, other.array)
    if sparse.issparse(one):
        parts = ("data", "indices", "indptr")
        return next(filter(None, (differs(getattr(one, p), getattr(other, p)) for p in parts)), "")
    if isinstance(one, pd.Categorical) and list(one.categories) != list(other.categories):
        return "levels differ"
    if hasattr(one, "dtype") and not isinstance(one, np.ndarray):
        return _arrays_differ(one, other)
    if isinstance(one, np.ndarray):
        return _bits_differ(one, other)
    return "" if one == other else f"{one!r} is not {other!r}"


def _labels_differ(one: Any, other: Any) -> str:
    same = all(a.equals(b) for a, b in zip(one.axes, other.axes, strict=True))
    return "" if one.shape == other.shape and same else f"shape or labels {one.axes} are not {other.axes}"


def _arrays_differ(one: Any, other: Any) -> str:
    if one.dtype != other.dtype or len(one) != len(other):
        return f"{one.dtype} × {len(one)} is not {other.dtype} × {len(other)}"
    if type(one).__name__ == "NumpyExtensionArray":
        return _bits_differ(np.asarray(one), np.asarray(other))
    missing = np.asarray(one.isna())
    same = np.array_equal(missing, other.isna()) and list(one[~missing]) == list(other[~missing])
    return "" if same else f"{one} is not {other}"


def _bits_differ(one: np.ndarray, other: np.ndarray) -> str:
    if one.dtype != other.dtype or one.shape != other.shape:
        return f"{one.dtype}{one.shape} is not {other.dtype}{other.shape}"
    if one.dtype == object:
        return "" if one.tolist() == other.tolist() else f"{one} is not {other}"
    # NA and NaN differ in bits only
    same = np.ascontiguousarray(one).tobytes() == np.ascontiguousarray(other).tobytes()
    return "" if same else f"{one} is not {other}"
