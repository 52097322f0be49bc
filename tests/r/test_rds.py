"""R's files: what R saved is read without R, what we write is read by plain R, and no code gets through."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairstats
from fairstats.cli import run
from fairstats.errors import ConversionError, FileError, InputError
from fairstats.r.models import write_rds
from fairstats.r.records import recorded
from fairstats.rvalues.convert import to_python, to_rvalue
from fairstats.rvalues.rds import deserialize, read_rds, serialize
from fairstats.rvalues.wire import pack, unpack
from tests.oracle.r import requires_r, run_r
from tests.r.bridge import requires_bridge
from tests.r.table import REFUSED, TYPES, differs, factor, instants, masked

ROOT = Path(__file__).resolve().parents[2]
# What R keeps in a shorter form than it shows, or packs in another way: expression that saves `x` to `file`.
FORMS = {
    "saveRDS(1:1000, file)": lambda: np.arange(1, 1001, dtype=np.int32),
    "saveRDS(as.character(c(NA, 7L, -3L)), file)": lambda: np.array([None, "7", "-3"], dtype=object),
    "saveRDS(as.character(c(NA, NaN, Inf, 1e5, 123456, 0.1 + 0.2, 1e-20, 1e15, 1/3, -2)), file)": lambda: np.array(
        [None, "NaN", "Inf", "1e+05", "123456", "0.3", "1e-20", "1e+15", "0.333333333333333", "-2"], dtype=object
    ),
    "saveRDS(sort(c(3L, 1L, 2L)), file)": lambda: np.array([1, 2, 3], dtype=np.int32),
    "saveRDS(c(1.5, NA), file, compress = FALSE)": lambda: TYPES["c(1.5, NA, NaN)"]()[:2],
    "saveRDS(letters[1:2], file, compress = 'bzip2')": lambda: np.array(["a", "b"], dtype=object),
    "saveRDS(letters[1:2], file, compress = 'xz')": lambda: np.array(["a", "b"], dtype=object),
    "saveRDS(letters[1:2], file, version = 2)": lambda: np.array(["a", "b"], dtype=object),
    "{ x <- 'caf\\xe9'; Encoding(x) <- 'latin1'; saveRDS(c(x, 'caf\\u00e9'), file) }": lambda: np.array(
        ["café", "café"], dtype=object
    ),
    "saveRDS(structure(list(a = 1L), note = y ~ x, owner = globalenv()), file)": lambda: {"a": 1},
}
BROKEN = {
    "{ x <- 1; save(x, file = file) }": "many objects",
    "saveRDS(1, file, ascii = TRUE)": "written as text",
    "writeLines('a,b', file)": "no file of saveRDS",
    "writeBin(serialize(1:3 + 0, NULL)[1:40], file)": "not whole",
    "writeBin(c(serialize(1, NULL), as.raw(1)), file)": "left over",
    "{ saveRDS(letters, file); b <- readBin(file, raw(), 1e4); writeBin(b[1:60], file) }": "not whole",
}
COMPILED = {
    "stats::lm": "class function",
    "list(a = glm(am ~ wt, binomial, mtcars))": "$a has the R class glm, lm",
    "list(z = list(g = compiler::cmpfun(function(x) { for (i in 1:3) x <- x * i })))": "$z$g has the R class function",
    "list(environment(stats::lm), new.env())": "[[1]] has the R class environment",
}

_SCRIPT = """
keep <- function(code, i, kind) {
  file <- file.path(input$folder, paste0(kind, i, ".rds"))
  if (kind == "form") eval(parse(text = code), list(file = file)) else saveRDS(eval(parse(text = code)), file)
}
for (kind in names(input$save)) for (i in seq_along(input$save[[kind]])) keep(input$save[[kind]][[i]], i - 1L, kind)
same <- vapply(seq_along(input$types), function(i) {
  identical(readRDS(file.path(input$folder, paste0("ours", i - 1L, ".rds"))), eval(parse(text = input$types[[i]])))
}, NA)
results <- lapply(c(fit = "fit", audit = "audit", comparison = "comparison", estimates = "estimates"), function(name) {
  x <- readRDS(file.path(input$folder, paste0(name, ".rds")))
  list(class = I(class(x)), tidy = I(names(x$tidy)), rows = nrow(x$tidy), frame = is.data.frame(x$tidy),
       text = x$summary, loaded = any(c("fairstats", "reticulate") %in% loadedNamespaces()))
})
fit <- readRDS(file.path(input$folder, "fit.rds"))
prints <- length(capture.output(stats:::print.prcomp(fit))) > 2
list(same = same, results = results, rotation = as.vector(fit$rotation), prints = prints)
"""


def results() -> dict[str, object]:
    arrests = fairstats.arrests()
    audit = fairstats.audit(arrests, decision="released", groups="colour", favorable="Yes", seed=1)
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"g": rng.integers(0, 2, 200), "a": rng.normal(size=200), "b": rng.normal(size=200)})
    frame["y"] = (frame["a"] + rng.logistic(size=200) > 0).astype(int)
    comparison = fairstats.compare(
        frame, outcome="y", groups="g", features=["a", "b"], methods=["none", "pca"], k=2, n_repeats=3, progress=False
    )
    fit = fairstats.og(frame[["a", "b"]], frame["g"], k=1)
    return {"fit": fit, "audit": audit, "comparison": comparison, "estimates": audit.estimates}


@pytest.fixture(scope="module")
def exchanged(tmp_path_factory) -> tuple[Path, dict]:
    """A folder with the files of both sides, and what one R process, without Python, finds in ours."""
    requires_r("Matrix", "tibble")
    folder = tmp_path_factory.mktemp("rds")
    for i, make in enumerate(TYPES.values()):
        write_rds(make(), folder / f"ours{i}.rds")
    for name, result in results().items():
        write_rds(result, folder / f"{name}.rds")
    save = {"type": list(TYPES), "form": [*FORMS, *BROKEN], "refused": list(REFUSED), "compiled": list(COMPILED)}
    return folder, run_r(_SCRIPT, {"folder": str(folder), "types": list(TYPES), "save": save})


@pytest.mark.long
@pytest.mark.parametrize("code", TYPES)
def test_what_r_saved_is_what_the_bridges_bring(exchanged, code):
    assert differs(read_rds(exchanged[0] / f"type{list(TYPES).index(code)}.rds"), TYPES[code]()) == ""


@pytest.mark.parametrize("code", TYPES)
def test_what_we_write_is_identical_in_r(exchanged, code):
    assert exchanged[1]["same"][list(TYPES).index(code)] is True


@pytest.mark.parametrize("form", FORMS)
def test_every_form_in_which_r_saves(exchanged, form):
    assert differs(read_rds(exchanged[0] / f"form{list(FORMS).index(form)}.rds"), FORMS[form]()) == ""


@pytest.mark.parametrize("form", BROKEN)
def test_files_that_are_no_whole_rds_are_refused(exchanged, form):
    with pytest.raises(FileError, match=BROKEN[form]):
        read_rds(exchanged[0] / f"form{len(FORMS) + list(BROKEN).index(form)}.rds")


@pytest.mark.parametrize("code", REFUSED)
def test_what_the_bridges_refuse_is_refused(exchanged, code):
    with pytest.raises((ConversionError, FileError), match=re.escape(REFUSED[code].removeprefix("bad has "))):
        read_rds(exchanged[0] / f"refused{list(REFUSED).index(code)}.rds")


@pytest.mark.parametrize("code", COMPILED)
def test_code_in_a_file_is_passed_over_and_named(exchanged, code):
    with pytest.raises(ConversionError, match=re.escape(COMPILED[code])):
        read_rds(exchanged[0] / f"compiled{list(COMPILED).index(code)}.rds")


def test_a_colleague_without_python_reads_results_as_lists_and_data_frames(exchanged):
    matches = exchanged[1]["results"]
    assert matches["fit"]["class"] == ["fairstats_fit", "fairstats", "prcomp"]
    assert matches["audit"]["class"] == ["fairstats_audit", "fairstats"]
    for name, result in results().items():
        assert matches[name]["frame"] is True and matches[name]["loaded"] is False
        assert matches[name]["rows"] == len(result.to_frame() if name == "estimates" else result.tidy())
        assert matches[name]["text"] == result.summary()
    assert {"std.error", "conf.low", "p.value"} <= set(matches["audit"]["tidy"])
    fit = results()["fit"]
    np.testing.assert_array_equal(exchanged[1]["rotation"], fit.loadings.ravel(order="F"))
    assert exchanged[1]["prints"] is True


@pytest.mark.long
def test_the_r_package_prints_tidies_and_predicts_what_python_wrote(tmp_path):
    requires_r("generics", "tibble", "reticulate")
    fit = results()["fit"]
    write_rds(fit, tmp_path / "fit.rds")
    rng = np.random.default_rng(2)
    new = pd.DataFrame({"a": rng.normal(size=5), "b": rng.normal(size=5), "g": [0, 1, 0, 1, 1]})
    write_rds(new.assign(g=new["g"].astype(str)), tmp_path / "new.rds")
    script = """
    package <- new.env()
    for (file in list.files(input$code, "[.]R$", full.names = TRUE)) sys.source(file, package)
    fit <- readRDS(file.path(input$folder, "fit.rds"))
    list(
      printed = capture.output(package$print.fairstats(fit)), tidy = names(package$tidy.fairstats(fit)),
      scores = as.vector(package$predict.fairstats_fit(fit, readRDS(file.path(input$folder, "new.rds")))),
      python = "reticulate" %in% loadedNamespaces() && reticulate::py_available()
    )
    """
    result = run_r(script, {"code": str(ROOT / "r" / "fairstats" / "R"), "folder": str(tmp_path)})
    assert "\n".join(result["printed"]) == str(fit)
    assert "estimate" in result["tidy"] and result["python"] is False
    np.testing.assert_allclose(result["scores"], fit.transform(new[["a", "b"]], new["g"])["score_1"], rtol=1e-12)


def test_the_same_object_gives_the_same_bytes_and_an_old_file_is_replaced_whole(tmp_path):
    write_rds({"a": 1}, tmp_path / "x.rds")
    first = (tmp_path / "x.rds").read_bytes()
    with pytest.raises(ConversionError, match=r"obj\['b'\] is a builtin"):
        write_rds({"b": print}, tmp_path / "x.rds")
    assert (tmp_path / "x.rds").read_bytes() == first
    write_rds({"a": 1}, tmp_path / "x.rds")
    assert (tmp_path / "x.rds").read_bytes() == first and len(list(tmp_path.iterdir())) == 1
    with pytest.raises(FileError, match="no folder"):
        write_rds(1, tmp_path / "nowhere" / "x.rds")
    with pytest.raises(FileError, match="there is no file"):  # and no guess: nothing resembles it
        read_rds(tmp_path / "y.rds")


def test_every_cut_of_a_file_is_refused():
    whole = bytes(serialize(to_rvalue(recorded(fairstats.pca(np.random.default_rng(1).normal(size=(20, 3)), k=2)))))
    for cut in range(14, len(whole), 97):
        with pytest.raises(FileError):
            deserialize(whole[:cut], "cut.rds")


def test_an_rds_data_frame_is_a_table_everywhere(tmp_path, capsys):
    frame = fairstats.arrests().assign(colour=lambda d: pd.Categorical(d["colour"], ["White", "Black", "never"]))
    write_rds(frame, tmp_path / "arrests.rds")
    table = fairstats.read_table(tmp_path / "arrests.rds")
    assert (table.name, table.rows, len(table.sha256)) == ("arrests.rds", 5226, 64)
    assert list(table.frame["colour"].cat.categories) == ["White", "Black", "never"]
    options = ["--decision", "released", "--groups", "colour", "--favorable", "Yes"]
    assert run(["audit", str(tmp_path / "arrests.rds"), *options]) == 0
    assert "Audit of arrests.rds" in capsys.readouterr().out
    audit = fairstats.audit(str(tmp_path / "arrests.rds"), decision="released", groups="colour", favorable="Yes")
    assert audit.data.sha256 == table.sha256
    write_rds([1.0, 2.0], tmp_path / "numbers.rds")
    with pytest.raises(InputError, match="holds no data frame"):
        fairstats.read_table(tmp_path / "numbers.rds")


@pytest.mark.long
def test_reading_an_rds_file_needs_no_r(tmp_path):
    write_rds(fairstats.arrests(), tmp_path / "x.rds")
    code = f"import sys, fairstats as fs; print(fs.read_table({str(tmp_path / 'x.rds')!r}).rows, 'rpy2' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={"PYTHONPATH": ".", "PATH": ""}
    )
    assert done.stdout == "5226 False\n", done.stderr


TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), max_size=8)
COLUMNS = {
    "number": st.floats(),
    "whole": st.integers(-(2**31) + 1, 2**31 - 1),
    "text": st.none() | TEXT,
    "yes": st.none() | st.booleans(),
    "count": st.none() | st.integers(-5, 5),
    "level": st.none() | st.sampled_from(["a", "é", "NA"]),
    "day": st.none() | st.dates(),
    "instant": st.none() | st.integers(-(10**9), 10**9),
}


@st.composite
def frames(draw) -> pd.DataFrame:
    n = draw(st.integers(0, 12))
    drawn = {name: draw(st.lists(values, min_size=n, max_size=n)) for name, values in COLUMNS.items()}
    seconds = [None if v is None else np.datetime64(v, "s") for v in drawn["instant"]]
    return pd.DataFrame(
        {
            "number": np.array(drawn["number"], dtype=float),
            "whole": np.array(drawn["whole"], dtype=np.int32),
            "text": pd.array(drawn["text"], dtype="str"),
            "yes": _masked_or_plain(drawn["yes"], "boolean", bool),
            "count": _masked_or_plain(drawn["count"], "Int32", np.int32),
            "level": factor(drawn["level"], ["a", "b", "é", "NA"]),
            "day": np.array([None if v is None else np.datetime64(v) for v in drawn["day"]], dtype="M8[s]"),
            "instant": instants(*seconds, zone="UTC").tz_convert("Asia/Tokyo") if n else instants(zone="Asia/Tokyo"),
        }
    )


def _masked_or_plain(values: list, masked_as: str, plain: type) -> object:
    return masked(values, masked_as) if None in values else np.array(values, dtype=plain)


@pytest.mark.long
@given(frames())
@settings(max_examples=60, deadline=None)
def test_any_frame_survives_the_wire_and_the_file(frame):
    value = to_rvalue(frame)
    assert differs(to_python(unpack(*pack(value))), frame) == ""
    assert differs(to_python(deserialize(bytes(serialize(value)), "x.rds")), frame) == ""


@pytest.mark.long
@given(frames())
@settings(max_examples=25, deadline=None)
def test_any_frame_survives_r(frame):
    requires_bridge()
    from fairstats.r.sessions import from_r, to_r

    assert differs(from_r(to_r(frame)), frame) == ""
