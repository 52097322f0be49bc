"""One table of types × missing values, both ways, on both bridges: nothing changes type or value silently."""

from __future__ import annotations

import datetime
import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

import fairstats as fs
from fairstats import r as fr
from fairstats.errors import ConversionError, InputError
from fairstats.rvalues.convert import to_rvalue
from tests.oracle.r import requires_r
from tests.r.bridge import requires_bridge
from tests.r.table import REFUSED, REFUSED_OF_PYTHON, TAKEN, TYPES, differs

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def r():
    requires_bridge("Matrix", "tibble")
    return fr.session()


@pytest.mark.parametrize("code", TYPES)
def test_r_to_python_through_rpy2(r, code):
    assert differs(r.eval(code), TYPES[code]()) == ""


@pytest.mark.long
@pytest.mark.parametrize("code", TYPES)
def test_python_to_r_through_rpy2(r, code):
    assert r.call("identical", fr.to_r(TYPES[code]()), r.keep(code)) is True


@pytest.mark.parametrize("code", TYPES)
def test_there_and_back_through_rpy2(r, code):
    assert differs(fr.from_r(fr.to_r(TYPES[code]())), TYPES[code]()) == ""


@pytest.mark.long
@pytest.mark.parametrize("code", TAKEN)
def test_columns_of_other_packages_are_what_r_makes_plain_of_them(r, code):
    requires_r("haven", "data.table")
    assert differs(r.eval(code), r.eval(TAKEN[code])) == ""


@pytest.mark.long
def test_an_audit_takes_a_data_table_with_labeled_columns_and_times(r):
    """The same data as a plain data frame answer the same."""
    requires_r("haven", "data.table")
    r.eval("d <- data.frame(sex = rep(c(1, 2), 60), hired = rep(c(0, 1, 1), 40), wait = rep(c(5, 7, 9, 30), 30)); NULL")
    other = r.eval(
        "data.table::data.table(sex = haven::labelled(d$sex, c(Women = 1, Men = 2)), "
        "hired = haven::labelled(d$hired, c(no = 0, yes = 1)), wait = as.difftime(d$wait, units = 'days'))"
    )
    plain = r.eval("transform(d, sex = c('Women', 'Men')[sex], hired = c('no', 'yes')[hired + 1])")
    for arguments in ({"decision": "hired", "favorable": "yes"}, {"amount": "wait", "unit": "days"}):
        one, two = (fs.audit(data, groups="sex", **arguments).tidy() for data in (other, plain))
        pd.testing.assert_frame_equal(one, two)


COLUMNS = {
    "`int64` up to 2^31": [1, 2],
    "`int64` up to 2^53": [2**53, 2],
    "`int64` beyond 2^53 (with R's package bit64)": [2**53 + 1, 2],
    "`Int64` with missing values": pd.array([1, None], dtype="Int64"),
    "`float64`": [1.5, np.nan],
    "`bool`": [True, False],
    "`boolean` with missing values": pd.array([True, None], dtype="boolean"),
    "`str`": ["a", None],
    "`category` of text": pd.Categorical(["b", None], categories=["c", "b"]),
    "`category` of numbers": pd.Categorical([1, 2], categories=[2, 1]),
    "`category`, ordered": pd.Categorical(["a", "b"], categories=["b", "a"], ordered=True),
    "`datetime64[us]`, taken as UTC": np.array(["2024-03-31T02:30", "NaT"], dtype="M8[us]"),
    "`datetime64[us, Europe/Berlin]`": pd.to_datetime(["2024-10-27 00:30", None], utc=True)
    .as_unit("us")
    .tz_convert("Europe/Berlin"),
    "`datetime64[s]`, midnights": np.array(["1890-05-05", "NaT"], dtype="M8[s]"),
    "`timedelta64[us]`": np.array([3600 * 10**6, "NaT"], dtype="m8[us]"),
}


def test_columns_cross_as_the_guide_says(r):
    requires_bridge("bit64")
    lines = (ROOT / "docs" / "guide" / "r-and-python.md").read_text().splitlines()
    first = lines.index("| column of pandas | in R | back in pandas |") + 2
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[first : lines.index("", first)]]
    assert [name for name, *_ in table] == list(COLUMNS)
    for name, in_r, back in table:
        there = pd.DataFrame({"x": COLUMNS[name]})
        assert str(there["x"].dtype) in name, name
        assert r.eval("class(d$x)[1]", d=there) == in_r.strip("`"), name
        result = r.eval("d", d=there)["x"]
        assert f"`{result.dtype}`" == back[: back.rindex("`") + 1], name
        assert result.notna().tolist() == there["x"].notna().tolist(), name
        one, two = there["x"].iloc[0], result.iloc[0]
        two = two.tz_localize(None) if "taken as UTC" in name else two
        assert one == two or str(one) == two, name
        if back.startswith("`category`"):
            assert result.cat.ordered == ("ordered" in back) and result.cat.categories.dtype == "str", name


def test_grouped_tables_are_refused_as_the_r_package_does(r):
    code = "structure(data.frame(g = 1, x = 2), groups = data.frame(g = 1), class = c('grouped_df', 'tbl_df', 'tbl', "
    with pytest.raises(ConversionError, match="is grouped by g, and one result is of all rows; give dplyr::ungroup"):
        r.eval(code + "'data.frame'))")


def test_lengths_of_time_keep_their_unit(r):
    """A difftime is a timedelta, audited in the unit that it has in R, and goes back with it."""
    code = "data.frame(g = rep(c('a', 'b'), 30), x = 1:60 + 0, t = as.difftime(1:60 + 0, units = 'mins'))"
    times = r.eval(code)
    assert times["t"].dtype == "m8[ns]" and times["t"].iloc[2] == pd.Timedelta(minutes=3)
    assert r.eval(f"identical(x, {code})", x=times) is True
    result = fs.audit(times, groups="g", amount="t")
    assert result.protocol.unit == "mins"
    other = fs.audit(times, groups="g", amount="x")
    assert_allclose(result.tidy()["estimate"], other.tidy()["estimate"], rtol=1e-12)
    hours = fs.audit(times, groups="g", amount="t", unit="h").estimates.where(metric="mean amount", contrast="none")
    minutes = result.estimates.where(metric="mean amount", contrast="none")
    assert_allclose([row.estimate * 60 for row in hours], [row.estimate for row in minutes], rtol=1e-12)
    with pytest.raises(InputError, match="durations in mins"):
        fs.audit(times, groups="g", amount="t", unit="EUR")
    one = r.eval("as.difftime(1.5, units = 'hours')")  # alone a length of time, too, and no number
    assert one == pd.Timedelta("1.5h") and r.eval("as.numeric(x, units = 'mins')", x=one) == 90.0
    assert r.eval("as.numeric(x)", x=pd.Timedelta(1234567891, "ns")) == 1.234567891
    with pytest.raises(ConversionError, match="x is a length of time of 292 years or more"):
        r.eval("x", x=datetime.timedelta(days=200000))


@pytest.mark.parametrize("units", [{"t": "h"}, "EUR"])
def test_units_that_a_user_notes_on_a_frame_are_not_read(r, units):
    frame = pd.DataFrame({"g": ["a", "b"] * 30, "t": pd.to_timedelta(range(60), unit="min")})
    frame.attrs["units"] = units
    assert r.eval("units(d$t)", d=frame) == "secs"
    assert fs.audit(frame, groups="g", amount="t").protocol.unit == "mins"


@pytest.mark.parametrize("code", REFUSED)
def test_what_has_no_counterpart_in_python_is_refused_by_its_class_and_place(r, code):
    with pytest.raises(ConversionError, match=re.escape(REFUSED[code])):
        r.eval(code)


def test_what_is_not_converted_stays_in_r_as_the_error_says(r):
    fit = r.keep("lm(dist ~ speed, cars)")
    with pytest.raises(ConversionError, match=r"class summary.lm, .* keep_call\(\) leaves it in R"):
        r.call("summary", fit)
    assert r.call("coef", r.keep_call("summary", fit)).shape == (2, 4)
    with pytest.raises(ConversionError, match=r"class lm, .* keep\(\) leaves it in R"):
        r.eval("fit", fit=fit)
    with pytest.raises(ConversionError, match=r"class lm, .* call\(\) takes it"):
        fr.from_r(fit)


@pytest.mark.parametrize("kind", REFUSED_OF_PYTHON)
def test_what_has_no_counterpart_in_r_is_refused(kind):
    from fairstats.rvalues.convert import to_rvalue

    make, message = REFUSED_OF_PYTHON[kind]
    with pytest.raises(ConversionError, match=f"(?s){message}"):
        to_rvalue(make())


_RETICULATE = """
folder <- commandArgs(trailingOnly = TRUE)[[1L]]
wire <- new.env()
sys.source(file.path(commandArgs(trailingOnly = TRUE)[[2L]], "r/fairstats/R/wire.R"), wire)
table <- reticulate::import("tests.r.remote_table", convert = FALSE)
told <- function(code) tryCatch({
  sent <- wire$wire_pack(list(value = eval(parse(text = code), globalenv())))
  reticulate::py_to_r(table$check(code, sent$header, sent$buffers))
}, error = conditionMessage)
made <- function(code) tryCatch({
  value <- unserialize(reticulate::py_to_r(table$make(code)$packed))$value
  if (identical(value, eval(parse(text = code), globalenv()))) "" else "not identical"
}, error = conditionMessage)
cases <- jsonlite::fromJSON(file.path(folder, "cases.json"))
types <- list(told = lapply(cases$types, told), made = lapply(cases$types, made))
answer <- c(types, list(refused = lapply(cases$refused, told)))
writeLines(jsonlite::toJSON(answer, auto_unbox = TRUE), file.path(folder, "answer.json"))
"""


@pytest.fixture(scope="module")
def reticulate(tmp_path_factory) -> dict[str, list[str]]:
    """What one R process, with this Python inside, finds wrong with each row: told to Python, made by Python."""
    requires_r("reticulate", "Matrix", "tibble")
    folder = tmp_path_factory.mktemp("reticulate")
    (folder / "script.R").write_text(_RETICULATE)
    (folder / "cases.json").write_text(json.dumps({"types": list(TYPES), "refused": list(REFUSED)}))
    apart = ("LD_LIBRARY_PATH", "R_HOME", "R_SESSION_INITIALIZED", "PYTHON_SESSION_INITIALIZED")
    environment = {k: v for k, v in os.environ.items() if k not in apart}
    environment |= {"RETICULATE_PYTHON": sys.executable, "PYTHONPATH": str(ROOT)}
    command = ["Rscript", "--vanilla", str(folder / "script.R"), str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 0, done.stderr
    return json.loads((folder / "answer.json").read_text())


@pytest.mark.parametrize("code", TYPES)
def test_r_to_python_through_reticulate(reticulate, code):
    assert reticulate["told"][list(TYPES).index(code)] == ""


@pytest.mark.long
@pytest.mark.parametrize("code", TYPES)
def test_python_to_r_through_reticulate(reticulate, code):
    assert reticulate["made"][list(TYPES).index(code)] == ""


@pytest.mark.parametrize("code", REFUSED)
def test_reticulate_refuses_what_rpy2_refuses(reticulate, code):
    assert REFUSED[code] in reticulate["refused"][list(REFUSED).index(code)]


def test_instants_with_a_fixed_offset_are_the_same_instants_in_r():
    """R reads a zone called UTC+05:30 as five hours and a half west of Greenwich: such instants are told in UTC."""
    offset = datetime.timezone(datetime.timedelta(hours=5, minutes=30))
    entries = {
        "scalar": datetime.datetime(2020, 1, 1, tzinfo=offset),
        "stamp": pd.to_datetime("2020-01-01T00:00:00+05:30"),
        "column": pd.DataFrame({"t": pd.to_datetime(["2020-01-01T00:00:00+05:30"])}),
        "zone": pd.Timestamp("2020-01-01", tz="Asia/Kolkata"),
    }
    requires_bridge()
    r = fr.session()
    code = "if (is.data.frame(x)) x <- x$t; format(x, '%Y-%m-%d %H:%M', tz = 'UTC')"
    assert {name: r.eval(code, x=value) for name, value in entries.items()} == dict.fromkeys(
        entries, "2019-12-31 18:30"
    )
    assert r.eval("attr(x, 'tzone')", x=entries["scalar"]) == "UTC"
    assert r.eval("attr(x, 'tzone')", x=entries["zone"]) == "Asia/Kolkata"


def test_times_without_a_zone_are_instants_of_utc_and_days_are_days(r):
    """A table of pandas' own times is what R makes of the same clock in UTC; midnights alone are no days."""
    clock = ["2020-01-01 00:00:00.5", None, "3000-12-31 23:59:59.25"]
    columns = {unit: np.array(clock, dtype=f"M8[{unit}]") for unit in ("ms", "us")}
    columns |= {
        "s": np.array(["2020-01-01T10:00", "NaT", "2020-01-02"], dtype="M8[s]"),
        "midnight": pd.to_datetime(["2020-01-01", None, "2020-01-02"]),
        "zone": pd.Series(clock).astype("M8[us]").dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo"),
        "day": [datetime.date(2020, 1, 1), None, datetime.date(2020, 1, 2)],
        "wait": pd.to_timedelta([90.5, None, -1], unit="s"),
    }
    code = """{
        clock <- as.POSIXct(c("2020-01-01 00:00:00.5", NA, "3000-12-31 23:59:59.25"), tz = "UTC")
        time <- function(x) as.POSIXct(x, tz = "UTC", format = "%Y-%m-%d %H:%M")
        identical(x, data.frame(ms = clock, us = clock,
          s = time(c("2020-01-01 10:00", NA, "2020-01-02 00:00")),
          midnight = time(c("2020-01-01 00:00", NA, "2020-01-02 00:00")),
          zone = structure(clock, tzone = "Asia/Tokyo"), day = as.Date(c("2020-01-01", NA, "2020-01-02")),
          wait = as.difftime(c(90.5, NA, -1), units = "secs")))
    }"""
    assert r.eval(code, x=pd.DataFrame(columns)) is True


@pytest.mark.parametrize("library", ["polars", "pyarrow"])
def test_tables_of_other_libraries_keep_integers_days_and_what_is_missing(library):
    requires_bridge()
    module = pytest.importorskip(library)
    columns = {
        "i": [1, None],
        "b": [True, None],
        "s": ["a", None],
        "f": [1.5, None],
        "n": [1.5, math.nan],
        "d": [datetime.date(2020, 1, 1), None],
        "t": [datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC), None],
    }
    table = module.DataFrame(columns) if library == "polars" else module.table(columns)
    code = """identical(x, data.frame(i = c(1L, NA), b = c(TRUE, NA), s = c("a", NA), f = c(1.5, NA),
        n = c(1.5, NaN), d = as.Date(c("2020-01-01", NA)), t = as.POSIXct(c("2020-01-01", NA), tz = "UTC")))"""
    assert fr.session().eval(code, x=table) is True


def test_several_values_in_a_row_and_keys_that_are_one_text_are_refused():
    with pytest.raises(ConversionError, match=r"\['a'\] holds several values in one row.*explode"):
        to_rvalue(pd.DataFrame({"a": [[1, 2], [3]]}))
    with pytest.raises(ConversionError, match="several keys that are 1 as text"):
        to_rvalue({1: 2.0, "1": 3.0})


def test_a_matrix_of_r_may_have_one_name_twice(r):
    code = "matrix(1:4, 2, dimnames = list(NULL, c('a', 'a')))"
    assert r.eval(f"identical(x, {code})", x=r.eval(code))
