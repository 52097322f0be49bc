"""A saved fit comes from a stranger: whatever its bytes say, nothing of it runs; what is no fit is one FileError."""

from __future__ import annotations

import io
import json
import random
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.data.formula import Formula
from fairstats.data.tables import Columns
from fairstats.errors import FileError, InputError
from fairstats.saving import from_bytes, to_bytes
from tests.laws.every_result import made

AuditComparison = Callable[[dict[str, Any], dict[str, np.ndarray]], object]


@pytest.fixture
def frame(rng: np.random.Generator) -> pd.DataFrame:
    return pd.DataFrame({"a": rng.normal(size=40), "b": rng.normal(size=40), "g": ["u", "v"] * 20})


@pytest.fixture
def saved(frame: pd.DataFrame, tmp_path: Path) -> Path:
    return fairstats.og("~ a + b", "g", data=frame, k=1).save(tmp_path / "fit.npz")


def rewritten(path: Path, change: AuditComparison) -> Path:
    with np.load(path) as stored:
        arrays = dict(stored)
    header = json.loads(arrays.pop("header").tobytes())
    change(header, arrays)
    text = json.dumps(header).encode()
    np.savez(path, header=np.frombuffer(text, dtype=np.uint8), **arrays)
    return path


def part(header: dict[str, Any], name: str) -> dict[str, Any]:
    return header["result"]["fields"][name]["fields"]


def formula(header: dict[str, Any]) -> dict[str, Any]:
    return part(header, "scaling")["formula"]["fields"]


def texts(mark: Path) -> list[str]:
    """Formulas that would leave a mark if any part of them were run."""
    run = f"__import__('pathlib').Path({str(mark)!r}).touch()"
    return [
        f"~ a + {{{run} or b}}",
        f"~ a + I({run} or b)",
        f"~ a + b + log({run})",
        f"~ a + b:C({run})",
        f"~ a + b + `x`({run})",
        f"~ a + b | {run}",
        f"{run} ~ a + b",
        f"~ a + b[{run}]",
        f"~ a + b + I((lambda: {run})())",
        f"~ a + b + I([{run} for _ in 'x'])",
        f'~ a + b + I(f"{{{run}}}")',
        f"~ a + `b` + `{run}`",
    ]


@pytest.mark.long
@pytest.mark.parametrize("which", range(12))
@pytest.mark.parametrize("also_called", [(), ("__import__", "x", "pathlib", "Path", "touch", "_")])
def test_no_formula_in_a_file_is_run(
    saved: Path, frame: pd.DataFrame, tmp_path: Path, which: int, also_called: tuple[str, ...]
) -> None:
    mark = tmp_path / "ran"
    text = texts(mark)[which]

    def change(header: dict[str, Any], arrays: object) -> None:
        formula(header)["text"] = text
        # The judge is told that what the text names are columns.
        formula(header)["variables"]["@dict"] += [[name, None] for name in (*also_called, f"{text.split('`')[-2:-1]}")]

    with pytest.raises(FileError, match=r"fit\.npz"):
        fairstats.load(rewritten(saved, change))
    result = fairstats.og("~ a + b", "g", data=frame, k=1)
    present = dict.fromkeys(("a", "b", *also_called))
    for variables in (present, result.scaling.formula.variables):
        with pytest.raises(InputError):
            replace(result.scaling.formula, text=text, variables=variables).matrix(Columns(frame))
    assert not mark.exists()


@pytest.mark.long
def test_the_command_line_refuses_such_a_file(saved: Path, frame: pd.DataFrame, tmp_path: Path) -> None:
    mark, rows = tmp_path / "ran", tmp_path / "rows.csv"
    frame.to_csv(rows, index=False)
    rewritten(saved, lambda h, a: formula(h).update(text=texts(mark)[0]))
    command = [sys.executable, "-m", "fairstats", "apply", str(saved), str(rows), "--to", str(tmp_path / "out.csv")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("fairstats: error: ") and str(saved) in done.stderr
    assert not mark.exists() and not (tmp_path / "out.csv").exists()


def test_a_formula_takes_no_other_columns_than_its_text(frame: pd.DataFrame) -> None:
    result = Formula.bind("~ a + b", Columns(frame))
    with pytest.raises(InputError, match="'b', which is not a column"):
        replace(result, variables={"a": None})
    with pytest.raises(InputError, match="uses a, b, not a, b, g"):
        replace(result, variables={"a": None, "b": None, "g": ("u", "v")})
    with pytest.raises(InputError, match="makes a, b, not b, a"):
        replace(result, features=("b", "a")).matrix(Columns(frame))


def instance(name: str, **fields: Any) -> dict[str, Any]:
    return {"@class": name, "fields": fields}


BROKEN: dict[str, AuditComparison] = {
    "format below one": lambda h, a: h.update(format=-3),
    "format is text": lambda h, a: h.update(format="1"),
    "format is true": lambda h, a: h.update(format=True),
    "no format": lambda h, a: h.pop("format"),
    "a number for a fit": lambda h, a: h.update(result=5),
    "nothing for a fit": lambda h, a: h.update(result=None),
    "a list for a fit": lambda h, a: h.update(result={"@list": []}),
    "a part for a fit": lambda h, a: h.update(result=h["result"]["fields"]["scaling"]),
    "another class": lambda h, a: h.update(result=instance("Popen", args=["id"])),
    "a class where text belongs": lambda h, a: h["result"]["fields"].update(title=h["result"]["fields"]["scaling"]),
    "a scaling that is a guarantee": lambda h, a: h["result"]["fields"].update(
        scaling=instance("Guarantee", statement="", value=0.0, tolerance=0.0)
    ),
    "a formula that is text": lambda h, a: part(h, "scaling").update(formula="~ a + b"),
    "a class among the settings": lambda h, a: h["result"]["fields"].update(
        settings={"@dict": [["basis", h["result"]["fields"]["scaling"]]]}
    ),
    "an unknown field": lambda h, a: h["result"]["fields"].update(evil=1),
    "a price by somebody": lambda h, a: part(h, "price").update(by_group={"@tuple": [instance("Popen", args=["id"])]}),
    "prices that are one": lambda h, a: part(h, "price").update(by_group=part(h, "price")["by_group"]["@tuple"][0]),
    "a kernel's map for a linear one": lambda h, a: h["result"]["fields"]["linear"].update({"@class": "KernelMap"}),
    "a missing part": lambda h, a: h["result"]["fields"].pop("linear"),
    "a missing field": lambda h, a: part(h, "linear").pop("loadings"),
    "no fields": lambda h, a: h["result"].pop("fields"),
    "fields in a list": lambda h, a: h["result"].update(fields=[1, 2]),
    "text for an array": lambda h, a: part(h, "linear").update(loadings="x"),
    "an array of another shape": lambda h, a: a.update({n: v[:-1] for n, v in a.items() if v.ndim == 2}),
    "an array of text": lambda h, a: a.update({n: v.astype(str) for n, v in a.items() if v.ndim == 2}),
    "text for a number": lambda h, a: part(h, "price").update(total="1"),
    "a number beyond all": lambda h, a: part(h, "price").update(total=10**400),
    "a name that is a number": lambda h, a: part(h, "scaling").update(features={"@tuple": [1, 2]}),
    "levels that are numbers": lambda h, a: formula(h).update(
        variables={"@dict": [["a", {"@tuple": [1]}], ["b", None]]}
    ),
    "other features than the formula's": lambda h, a: formula(h).update(features={"@list": ["a", "b"]}),
    "a function that is no method": lambda h, a: h["result"]["fields"].update(method="transform_files"),
    "a public function that is no method": lambda h, a: h["result"]["fields"].update(method="report"),
    "the reader for a method": lambda h, a: h["result"]["fields"].update(method="load"),
    "a class for a method": lambda h, a: h["result"]["fields"].update(method="Projection"),
    "a module for a method": lambda h, a: h["result"]["fields"].update(method="simulate"),
    "a setting that the method does not have": lambda h, a: h["result"]["fields"].update(
        settings={"@dict": [["to", "/tmp/x"]]}
    ),
    "data among the settings": lambda h, a: h["result"]["fields"].update(settings={"@dict": [["data", "x.csv"]]}),
    "an array that is not there": lambda h, a: a.pop("a0"),
    "an unknown kind": lambda h, a: h["result"]["fields"].update(title={"@eval": "1"}),
    "an infinite float in words": lambda h, a: part(h, "price").update(total={"@float": "1_0"}),
}


@pytest.mark.long
@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_fit_is_one_error_that_names_the_file(saved: Path, name: str) -> None:
    with pytest.raises(FileError, match=r"fit\.npz' is not a result that this package saved, or it is damaged"):
        fairstats.load(rewritten(saved, BROKEN[name]))


def test_headers_that_no_parser_likes(saved: Path) -> None:
    for text in (b"[" * 50_000, b"\xff", b"{", b'{"format": NaN}', b'{"format": ' + b"9" * 5000 + b"}", b""):
        np.savez(saved, header=np.frombuffer(text, dtype=np.uint8))
        with pytest.raises(FileError, match=r"fit\.npz"):
            fairstats.load(saved)


def with_member(path: Path, raw: bytes, compression: int = zipfile.ZIP_STORED) -> Path:
    with zipfile.ZipFile(path, "w", compression) as archive:
        archive.writestr("header.npy", raw)
    return path


@pytest.mark.parametrize("shape", [(1 << 45,), (1 << 30, 1 << 30), (-1,), (1 << 62, 4), (3,)])
def test_a_header_cannot_ask_for_memory_that_the_file_does_not_fill(saved: Path, shape: tuple[int, ...]) -> None:
    sheet = io.BytesIO()
    np.lib.format.write_array_header_1_0(sheet, {"descr": "<f8", "fortran_order": False, "shape": shape})
    with pytest.raises(FileError, match=r"fit\.npz"):
        fairstats.load(with_member(saved, sheet.getvalue() + bytes(8)))


def test_a_small_file_cannot_unfold_into_a_large_one(saved: Path) -> None:
    sheet = io.BytesIO()
    np.save(sheet, np.zeros(1 << 20))
    with pytest.raises(FileError, match="compressed"):
        fairstats.load(with_member(saved, sheet.getvalue(), zipfile.ZIP_DEFLATED))


LIMITED = {
    "~ (a + b)**1000000": "power '1000000'.*1 to 20",
    "~ a**99999999999": "power '99999999999'",
    "~ a^b": "power 'b'",
    "~ " + "*".join(f"x{i}" for i in range(60)): "terms, more than 10000",
    "~ (" + "+".join(f"x{i}" for i in range(60)) + ")**6": "terms",
    "~ I(9**9**9**9) + a": "not a finite number in rows 1, 2, 3, 4, 5 and 35 more",
    "~ log(a)": r"'log\(a\)', which is not a finite number in rows? \d+",
    "~ log(g)": "g holds text",
    "~ a + I(g * 2)": "g holds text",
    "~ a | b": "one sum of terms",
    "~ C()": "C.. of one column",
    "~ C(a + b)": "C.. of one column",
    "~ log(a, 2)": "of one value",
    "~ " + "a + " * 40_000 + "b": "160003 characters",
    "~ I(" + "-" * 5000 + "a)": "recursion",
    "~ I(" + "-" * 60 + "a)": "which cannot be read|formulas here take",
}


@pytest.mark.parametrize("text", LIMITED, ids=lambda text: text[:20])
def test_a_formula_that_never_ends_or_has_no_value_is_one_clear_error(frame: pd.DataFrame, text: str) -> None:
    with pytest.raises(InputError, match=LIMITED[text]):
        fairstats.pca(text, data=frame, k=1)


def test_powers_stop_where_all_interactions_are_there(frame: pd.DataFrame) -> None:
    frame = frame.assign(c=1.0)
    assert (
        fairstats.pca("~ (a + b + c)**20", data=frame, k=1).features
        == fairstats.pca("~ a * b * c", data=frame, k=1).features
    )


def test_a_column_in_backticks_is_used_by_functions_too(frame: pd.DataFrame) -> None:
    odd = "a b^2"
    frame = frame.assign(**{odd: frame["a"] + 9})
    X = Formula.bind(f"~ log(`{odd}`) + I(`{odd}`/b)", Columns(frame)).matrix(Columns(frame))
    np.testing.assert_allclose(X, np.c_[np.log(frame[odd]), frame[odd] / frame["b"]])


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in a header."""
    entries = value.items() if isinstance(value, dict) else enumerate(value[:6]) if isinstance(value, list) else ()
    for key, inner in entries:
        yield (*path, key)
        yield from places(inner, (*path, key))


OTHER = (
    None,
    True,
    -1,
    1e308,
    "",
    "x" * 50,
    [],
    {},
    {"@tuple": [1]},
    {"@float": "nan"},
    10**400,
    "=cmd|",
    "\ud800",
    "b",
)


KINDS = (
    "audit",
    "audit, scores",
    "audit, withheld",
    "impact table",
    "comparison",
    "subgroups",
    "change",
    "og",
    "kernel",
)
KINDS += ("leace", "location_scale", "partition", "held out", "leakage", "price", "choice of k", "bootstrap", "tally")


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_an_altered_file_is_refused_or_says_itself(kind: str) -> None:
    """Whatever one entry is exchanged for: what loads has its summary, its rows and its JSON."""
    people = {"g": ["a", "b", "c"] * 40, "d": [0, 1, 1] * 40}
    raw = to_bytes(fairstats.tally(people, "d", "g").withhold(45) if kind == "tally" else made(kind))
    with np.load(io.BytesIO(raw)) as stored:
        arrays = dict(stored)
    header = arrays.pop("header").tobytes()
    rng, loaded = random.Random(3), 0
    where = list(places(json.loads(header)["result"]))
    for _ in range(60):
        changed = json.loads(header)
        *path, last = rng.choice(where)
        at = changed["result"]
        for step in path:
            at = at[step]
        if rng.random() < 0.2 and isinstance(at, dict):
            del at[last]
        else:
            at[last] = rng.choice(OTHER)
        sheet = io.BytesIO()
        np.savez(sheet, header=np.frombuffer(json.dumps(changed).encode(), dtype=np.uint8), **arrays)
        try:
            result = from_bytes(sheet.getvalue(), "it")
        except FileError:
            continue
        loaded += 1
        assert result.summary() and repr(result) and (kind == "tally" or len(result.tidy()) >= 0)
        json.dumps(result.to_dict(), ensure_ascii=False).encode()
    assert loaded


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda f: f["references"]["@dict"].clear(), "of other attributes"),
        (lambda f: f["references"]["@dict"][0].__setitem__(0, "z"), "of other attributes"),
        (lambda f: f["estimates"]["@estimates"]["attribute"]["@list"].__setitem__(0, "z"), "of other attributes"),
        (lambda f: f["protocol"]["fields"].update(headline={"@tuple": ["g"]}), "focus is no comparison"),
        (lambda f: f["estimates"]["@estimates"]["group"]["@list"].__setitem__(0, "\ud800"), "surrogates"),
    ],
)
def test_parts_of_an_audit_that_do_not_belong_together_are_refused(change, text: str, tmp_path: Path) -> None:
    audit = fairstats.audit({"g": ["a", "b"] * 60, "d": [0, 1, 1] * 40}, "d", "g")
    path = rewritten(audit.save(tmp_path / "a.npz"), lambda header, _: change(header["result"]["fields"]))
    with pytest.raises(FileError, match=text):
        fairstats.load(path)
    document = json.loads(fairstats.report(audit).json)
    document["audit"]["references"] = {}
    (tmp_path / "a.json").write_text(json.dumps(document))
    with pytest.raises(FileError, match="of other attributes"):
        fairstats.load(tmp_path / "a.json")


@pytest.mark.long
@pytest.mark.parametrize("kind", ["audit", "og"])
def test_an_infinite_value_that_no_result_has_is_refused(kind: str) -> None:
    """A rate of infinity loaded, was printed, and broke the report; limits and ratios may be open."""
    with np.load(io.BytesIO(to_bytes(made(kind)))) as stored:
        arrays = dict(stored)
    refused = 0
    for name, values in arrays.items():
        if values.dtype.kind != "f":
            continue
        altered = io.BytesIO()
        np.savez(altered, **arrays | {name: values + np.inf})
        try:
            loaded = from_bytes(altered.getvalue(), "altered.npz")
        except FileError as error:
            refused += "infinite" in str(error)
        else:
            assert loaded.summary()
    assert refused >= 4
