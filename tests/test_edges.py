"""At every edge what foreign bytes break is one sentence with the way out; what only the program can break is not."""

from __future__ import annotations

import dataclasses
import gzip
import json
import os
import struct
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.cli import run
from fairstats.data.read import parse
from fairstats.errors import FAULTS, ConversionError, FairstatsError, FileError, InputError, SourceError, edge
from fairstats.files import unpacked
from fairstats.rvalues.rds import read_rds
from fairstats.validation import LIMITS, most

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def people(rng: np.random.Generator) -> pd.DataFrame:
    n = 120
    return pd.DataFrame(
        {"g": ["u", "v"] * 60, "d": rng.integers(0, 2, n), "y": rng.integers(0, 2, n), "s": rng.random(n)}
    )


@pytest.fixture
def folder(tmp_path: Path, people: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    people.to_csv("p.csv", index=False)
    return tmp_path


AUDIT = ["audit", "p.csv", "--groups", "g", "--decision", "d"]


def test_a_net_names_the_file_the_fact_and_the_way_out_and_keeps_the_cause() -> None:
    with pytest.raises(FileError) as caught, edge("a.csv", "copy it"):
        next(iter([]))
    assert str(caught.value) == "a.csv cannot be read (StopIteration); copy it."
    assert isinstance(caught.value.__cause__, StopIteration)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_fairstats_is_not_reported_as_one_of_the_file(fault: type[Exception]) -> None:
    with pytest.raises(fault), edge("a.csv", "copy it"):
        raise fault("ours")


def test_an_interrupt_that_c_code_calls_an_error_is_an_interrupt(
    monkeypatch: pytest.MonkeyPatch, folder: Path, capsys: Any
) -> None:
    def stopped(*args: Any, **options: Any) -> None:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as cause:
            raise pd.errors.ParserError("Error tokenizing data. C error: Calling read(nbytes) failed") from cause

    monkeypatch.setattr(pd, "read_csv", stopped)
    assert run(AUDIT) == 130
    assert "interrupted" in capsys.readouterr().err


@pytest.mark.parametrize("raw", [b'13y2;1,5\nba;,";15\n', b'a,b\n1,"2\n', b"a,b\n1,2\n" + b"\xff" * 3 + b"\0\n"])
def test_text_that_no_parser_likes_is_one_error_that_names_the_file(raw: bytes) -> None:
    with warnings.catch_warnings(), pytest.raises(FairstatsError, match=r"^odd\.csv"):
        warnings.simplefilter("ignore")
        parse(raw, "odd.csv")


@pytest.mark.long
def test_a_long_field_is_read_in_a_process_that_has_read_nothing_before(folder: Path) -> None:
    Path("long.csv").write_text("g,d,t\n" + "".join(f"{'uv'[i % 2]},{i % 2},{'x' * 200_000}\n" for i in range(4)))
    code = "import fairstats as fs; print(fs.read_table('long.csv').rows)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "4\n", done.stderr


def _int(*values: int) -> bytes:
    return struct.pack(f">{len(values)}i", *values)


def _symbol(name: bytes) -> bytes:
    return _int(1, 9 | 64 << 12, len(name)) + name


def _text(*strings: bytes) -> bytes:
    return _int(16, len(strings)) + b"".join(_int(9 | 64 << 12, len(s)) + s for s in strings)


def _attributes(**values: bytes) -> bytes:
    return b"".join(_int(2 | 1 << 10) + _symbol(name.encode()) + value for name, value in values.items()) + _int(254)


def _short_form(kind: bytes, state: bytes) -> bytes:
    return _int(238, 2) + _symbol(kind) + _int(2) + _symbol(b"base") + _int(2, 13, 1, 13, 254) + state + _int(254)


def _sequence(n: float) -> bytes:
    return _short_form(b"compact_intseq", _int(14, 3) + struct.pack(">ddd", n, 1, 1))


NUMBERS, LIST = _int(13 | 1 << 9, 2, 7, 9), _int(19 | 1 << 9 | 1 << 8, 2, 13, 1, 5, 13, 2, 5, 6)
FRAME, HUGE = {"class": _text(b"data.frame")}, (-(2**31), -(2**31))
FACTOR, TWO_ROWS = _int(13 | 1 << 9 | 1 << 8, 2, 7, 9), _int(19, 2) + _text(b"a", b"b") + _int(254)
HOSTILE_RDS = {
    "a name that is a number": _int(1, 13, 1, 5),
    "short form of nothing": _int(238, 254, 254, 254),
    "sequence of nothing": _short_form(b"compact_intseq", _int(254)),
    "sequence of no number": _sequence(float("nan")),
    "sequence of fewer than none": _sequence(-5),
    "text of nothing": _short_form(b"deferred_string", _int(254)),
    "wrapped nothing": _short_form(b"wrap_integer", _int(19, 0)),
    "wrapped name": _int(238, 2) + _symbol(b"wrap_real") + _int(254) + _symbol(b"a") + _attributes(names=_text(b"a")),
    "sparse matrix without parts": _int(25 | 1 << 9 | 1 << 8) + _attributes(**{"class": _text(b"dgCMatrix")}),
    "factor beyond its levels": FACTOR + _attributes(levels=_text(b"a"), **{"class": _text(b"factor")}),
    "dim that is text": NUMBERS + _attributes(dim=_text(b"a")),
    "dim below zero": NUMBERS + _attributes(dim=_int(13, 2, -1, -2)),
    "dim of more": NUMBERS + _attributes(dim=_int(13, 2, 3, 3)),
    "names of more": NUMBERS + _attributes(names=_text(b"a", b"b", b"c")),
    "dimnames of more": NUMBERS + _attributes(dim=_int(13, 2, 1, 2), dimnames=TWO_ROWS),
    "list with names of more": _int(19 | 1 << 9, 1, 254) + _attributes(names=_text(b"a", b"b")),
    "ragged frame": LIST + _attributes(names=_text(b"a", b"b"), **FRAME, **{"row.names": _int(13, 2, -(2**31), -2)}),
    "frame with names of more": LIST + _attributes(names=_text(b"a", b"b", b"c"), **FRAME),
    "frame of 2e9 rows": LIST + _attributes(names=_text(b"a", b"b"), **FRAME, **{"row.names": _int(13, 2, *HUGE)}),
    "list of 2e9": _int(19, 2**31 - 1),
    "list of fewer than none": _int(19, -5),
    "deep": _int(19, 1) * 20_000 + _int(254),
    "cut": _int(13)[:2],
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE_RDS)
def test_an_rds_file_of_anything_is_data_or_one_error_that_names_it(tmp_path: Path, name: str) -> None:
    file = tmp_path / "h.rds"
    file.write_bytes(b"X\n" + _int(2, 0x40000, 0x20300) + HOSTILE_RDS[name])
    with pytest.raises((FileError, ConversionError), match=r"^h\.rds"):
        read_rds(file)


HEADS = [b"", b"\0\0", _int(3, 0, 0), _int(3, 0, 0, 2**30), _int(3, 0, 0, 2) + b"\xff\xff"]


@pytest.mark.parametrize("head", HEADS)
def test_an_rds_file_that_ends_in_its_header_is_damaged(tmp_path: Path, head: bytes) -> None:
    (tmp_path / "h.rds").write_bytes(b"X\n" + head)
    with pytest.raises(FileError, match="damaged or not whole"):
        read_rds(tmp_path / "h.rds")


def test_limits_refuse_before_memory_is_taken_and_their_variable_raises_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "s.rds").write_bytes(b"X\n" + _int(2, 0x40000, 0x20300) + _sequence(1e12))
    with pytest.raises(FileError, match="FAIRSTATS_MAX_SEQUENCE"):
        read_rds(tmp_path / "s.rds")
    half = _int(19, 2) + 2 * _sequence(60.0)  # each by itself is below the limit
    (tmp_path / "t.rds").write_bytes(b"X\n" + _int(2, 0x40000, 0x20300) + half)
    monkeypatch.setenv("FAIRSTATS_MAX_SEQUENCE", "100")
    with pytest.raises(FileError, match="sequences of 120 numbers"):
        read_rds(tmp_path / "t.rds")
    monkeypatch.setenv("FAIRSTATS_MAX_SEQUENCE", "120")
    assert [len(part) for part in read_rds(tmp_path / "t.rds")] == [60, 60]


@pytest.mark.parametrize("ending", [".csv.gz", ".rds"])
def test_a_small_file_does_not_unfold_into_any_size(
    tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / f"bomb{ending}"
    file.write_bytes(gzip.compress(b"g,d\n" + b"a,1\n" * 1_000_000))
    monkeypatch.setenv("FAIRSTATS_MAX_BYTES", "1000000")
    with pytest.raises(FileError, match=rf"^bomb{ending} unfolds into more than 1000000 bytes.*FAIRSTATS_MAX_BYTES"):
        fairstats.read_table(file)
    if ending == ".csv.gz":
        monkeypatch.setenv("FAIRSTATS_MAX_BYTES", "4000004")
        assert fairstats.read_table(file).rows == 1_000_000


@pytest.mark.long
def test_what_is_packed_unfolds_to_what_it_was(rng: np.random.Generator) -> None:
    import bz2
    import lzma

    content = rng.bytes(3_000_000)
    for packed in (gzip.compress(content), bz2.compress(content), lzma.compress(content), content):
        assert unpacked(packed, "x") == content
    assert unpacked(gzip.compress(b"a") + gzip.compress(b"b"), "x") == b"ab"  # several members are one file


def test_more_groups_are_compared_where_the_variable_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    many = pd.DataFrame({"g": [f"l{i % 12}" for i in range(240)], "d": [0, 1, 1] * 80})
    monkeypatch.setenv("FAIRSTATS_MAX_GROUPS", "11")
    with pytest.raises(InputError, match=r"12 levels; an audit compares at most 11 .*FAIRSTATS_MAX_GROUPS"):
        fairstats.audit(many, decision="d", groups="g")
    monkeypatch.setenv("FAIRSTATS_MAX_GROUPS", "12")
    rows = fairstats.audit(many, decision="d", groups="g").estimates.where(
        metric="selection rate", contrast="none", role="main"
    )
    assert len(rows) == 12


@pytest.mark.parametrize("value", ["x", "0", "-1", "1e9", " 5", "9" * 30])
def test_a_limit_is_a_whole_number(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    for name in LIMITS:
        monkeypatch.setenv(name, value)
        with pytest.raises(InputError, match=f"the variable {name} has"):
            most(name)


def test_a_label_of_any_length_or_of_no_letters_is_refused(people: pd.DataFrame) -> None:
    for label, text in (("x" * 1001, "label of 1001 letters"), ("a\udcff", "no UTF-8")):
        with pytest.raises(InputError, match=text):
            fairstats.audit({"g": [label, "v"] * 30, "d": [0, 1, 1] * 20}, decision="d", groups="g")


PROTOCOLS = {"deep": "x = " + "[" * 20_000 + "]" * 20_000, "digits": "seed = " + "9" * 5000, "bytes": "\udcff = 1"}


@pytest.mark.parametrize("name", PROTOCOLS)
def test_a_protocol_that_is_no_toml_is_one_line(folder: Path, name: str, capsys: Any) -> None:
    Path("a.toml").write_bytes(PROTOCOLS[name].encode(errors="surrogateescape"))
    assert run(["audit", "p.csv", "--protocol", "a.toml"]) == 2
    assert "a.toml" in capsys.readouterr().err


@pytest.mark.parametrize("given", ["--title", "--auditor"])
def test_words_of_another_encoding_are_refused_with_the_option(folder: Path, given: str, capsys: Any) -> None:
    assert run([*AUDIT, given, os.fsdecode(b"t\xff"), "--to", "x.html"]) == 2
    assert f"{given} has 't\\udcff'; it holds bytes that are no UTF-8" in capsys.readouterr().err


def test_a_file_name_of_another_encoding_is_shown_in_every_report(folder: Path) -> None:
    name = os.fsdecode(b"x\xff.csv")
    Path(name).write_bytes(Path("p.csv").read_bytes())
    targets = [word for ending in ("html", "json", "npz") for word in ("--to", f"out.{ending}")]
    assert run(["audit", name, *AUDIT[2:], *targets]) == 0
    assert json.loads(Path("out.json").read_text())["audit"]["data"]["name"] == "x\\udcff.csv"


@pytest.mark.parametrize("epoch", ["abc", "1000000000000000", "1e9"])
def test_a_clock_that_is_no_number_is_one_line(
    folder: Path, epoch: str, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    assert run([*AUDIT, "--to", "x.html"]) == 2
    assert f"the variable SOURCE_DATE_EPOCH has '{epoch}'" in capsys.readouterr().err


NEEDED = {"sog": "sog needs t; add --set t=...", "disparity_pca": "needs lam, advantaged, disadvantaged"}


@pytest.mark.parametrize(("method", "text"), NEEDED.items())
def test_a_setting_that_a_method_needs_is_required(folder: Path, method: str, text: str, capsys: Any) -> None:
    assert run(["fit", method, "p.csv", "--groups", "g"]) == 2
    assert text in capsys.readouterr().err


def test_memory_that_is_not_there_is_no_fault_of_the_program(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    def full(*args: Any, **options: Any) -> None:
        raise MemoryError

    monkeypatch.setattr("fairstats.auditing.audit.audit", full)
    monkeypatch.setattr("fairstats.data.read.file_sha256", full)
    assert run(AUDIT) == 2
    assert "memory" in capsys.readouterr().err


COMPARED = {"outcome": "y", "groups": "g", "features": ["s"], "methods": ["none"], "n_repeats": 2, "progress": False}
DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "altered": lambda cell: cell.replace(b"0.", b"0.1", 1) if b"0." in cell else b"",
    "not UTF-8": lambda cell: b"\xff\xfe\x00",
    "list": lambda cell: b"[]",
    "null": lambda cell: b"null",
    "number": lambda cell: b"3",
    "empty object": lambda cell: b"{}",
    "deep": lambda cell: b"[" * 100_000,
    "cut": lambda cell: cell[:50],
    "empty": lambda cell: b"",
    "cell of no object": lambda cell: json.dumps(json.loads(cell) | {"cell": 3}).encode(),
}


@pytest.mark.long
@pytest.mark.parametrize("name", DAMAGE)
def test_a_cell_that_is_not_what_was_written_is_as_if_it_were_not_there(
    tmp_path: Path, people: pd.DataFrame, name: str
) -> None:
    whole = fairstats.compare(people, **COMPARED, cache=tmp_path).estimates.to_frame()
    for file in tmp_path.glob("*.json"):
        good = file.read_bytes()
        file.write_bytes(DAMAGE[name](good))
        assert file.read_bytes() != good
    again = fairstats.compare(people, **COMPARED, cache=tmp_path).estimates.to_frame()
    pd.testing.assert_frame_equal(again, whole)


def test_another_cell_under_the_name_of_one_is_not_taken(tmp_path: Path, people: pd.DataFrame) -> None:
    whole = fairstats.compare(people, **COMPARED, cache=tmp_path).estimates.to_frame()
    files = sorted(tmp_path.glob("*.json"))
    contents = [file.read_bytes() for file in files]
    assert len(set(contents)) > 1
    for file, content in zip(files, contents[1:] + contents[:1], strict=True):
        file.write_bytes(content)
    pd.testing.assert_frame_equal(fairstats.compare(people, **COMPARED, cache=tmp_path).estimates.to_frame(), whole)


def test_a_worker_that_is_ended_from_outside_is_reported_with_the_way_out(
    people: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    import joblib
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    def killed(self: Any, tasks: Any) -> Any:
        raise TerminatedWorkerError("A worker process managed by the executor was unexpectedly terminated.")

    monkeypatch.setattr(joblib.Parallel, "__call__", killed)
    with pytest.raises(SourceError, match=r"one of the 2 processes of n_jobs was ended from outside.*cache="):
        fairstats.compare(people, **COMPARED | {"n_repeats": 3}, n_jobs=2)


def test_a_formula_with_an_operator_of_r_that_means_something_else_here_is_refused(people: pd.DataFrame) -> None:
    with pytest.raises(InputError, match="operator with %; write a %in% b of R as a:b"):
        fairstats.og("~ s %in% y", "g", data=people, k=1)


def test_text_that_a_spreadsheet_would_run_is_reported_and_inert_on_request(folder: Path, capsys: Any) -> None:
    frame = pd.read_csv("p.csv")
    frame["g"] = np.where(frame.g == "u", "=cmd|' /C calc'!A0", "-v")
    frame.to_csv("f.csv", index=False)
    fit = ["fit", "og", "f.csv", "--groups", "g", "--features", "s,y", "-k", "1", "--to", "out.csv", "--force"]
    assert run(fit) == 0
    assert "which a spreadsheet would run as a formula; --inert puts" in capsys.readouterr().err
    assert pd.read_csv("out.csv")["g"].tolist() == frame["g"].tolist()  # data are data
    assert run([*fit, "--inert", "--scores", "scores.csv"]) == 0
    assert "spreadsheet" not in capsys.readouterr().err
    for name in ("out.csv", "scores.csv"):
        assert pd.read_csv(name)["g"].tolist() == [f"'{label}" for label in frame["g"]]
        assert pd.read_csv(name)["d"].tolist() == frame["d"].tolist()


def test_local_law_144_needs_those_of_unknown_category(people: pd.DataFrame) -> None:
    people.loc[:8, "g"] = None
    with pytest.raises(InputError, match=r"audit has missing='drop'.*pass missing='level'"):
        fairstats.local_law_144(fairstats.audit(people, decision="d", groups="g", missing="drop"))
    (table,) = fairstats.local_law_144(fairstats.audit(people, decision="d", groups="g"))
    assert table.unknown == 9


@pytest.mark.parametrize("strata", ["d", "y", "g", ["s2", "g"]])
def test_strata_are_no_column_that_the_audit_is_about(people: pd.DataFrame, strata: Any) -> None:
    with pytest.raises(InputError, match=r"^strata has .*; it is also "):
        fairstats.audit(people.assign(s2=people.y), decision="d", outcome="y", groups="g", strata=strata)


def test_extra_error_is_that_of_the_rows_of_the_fit(people: pd.DataFrame, rng: np.random.Generator) -> None:
    X, g = rng.normal(size=(120, 4)), people["g"]
    for settings in ({"k": 2}, {"k": 4}, {"k": 2, "scale": True}):
        fit = fairstats.og(X, g, **settings)
        fairstats.extra_error(fit, X, g, permutations=0)
        with pytest.raises(InputError, match="other rows than the fit"):
            fairstats.extra_error(fit, X + np.arange(120.0)[:, None] / 120, g, permutations=0)


@pytest.mark.parametrize("name", ["title", "auditor"])
def test_words_that_no_page_holds_are_refused(people: pd.DataFrame, name: str) -> None:
    with pytest.raises(InputError, match=f"^{name} has 1001 letters; it may have at most 1000"):
        fairstats.report(fairstats.audit(people, decision="d", groups="g"), **{name: "x" * 1001})


MEANINGLESS: dict[str, dict[str, Any]] = {
    "threshold has 5; the scores are probabilities": {"threshold": 5},
}


@pytest.mark.parametrize(("text", "given"), MEANINGLESS.items())
def test_a_comparison_that_could_find_nothing_is_refused(people: pd.DataFrame, given: Any, text: str) -> None:
    with pytest.raises(InputError, match=text):
        fairstats.compare(people, **COMPARED, **given)


def test_a_class_of_results_that_is_called_names_the_function_that_gives_it() -> None:
    people = pd.DataFrame({"sex": ["f", "m"] * 40, "hired": [0, 1, 1, 1] * 20})
    for name, function in (("Audit", "audit"), ("Report", "report"), ("Graph", "graph"), ("Tally", "tally")):
        with pytest.raises(fairstats.InputError, match=rf"{name} is what fairstats\.{function} returns"):
            getattr(fairstats, name)(people)
    result = fairstats.audit(people, "hired", "sex")
    assert type(dataclasses.replace(result, notes=("x",))) is fairstats.Audit


@pytest.mark.parametrize(
    "call, said",
    [
        (lambda d: fairstats.pca(d, k=1), "such as '~ hired \\+ sex', with the table as data=, which"),
        (lambda d: fairstats.pca(d.to_numpy(), k=1), "a formula, with the table as data=, makes"),
        (lambda d: fairstats.proxies("~ hired", "sex"), "looks like a formula: pass the table itself"),
        (lambda d: fairstats.audit("hired", d, "sex"), "data has 'hired'; the table comes first"),
        (lambda d: fairstats.audit(d["hired"], d["sex"]), "and no table; pass arrays by name, as in decision="),
        (lambda d: fairstats.select_k(d[["hired", "x"]], d["sex"], k=2), "k is what fairstats.select_k chooses"),
        (lambda d: fairstats.audit(d, "hired", "sex").p_value, r"p_value is no method of Audit; result.tidy\(\)"),
        (lambda d: fairstats.audit(d, "hired", "sex")["sex"], r"Audit is no table, and has no entry 'sex'; its rows"),
        (lambda d: list(fairstats.og(d[["hired", "x"]], d["sex"], k=1)), r"no entry 0; its rows are one: result.tidy"),
        (lambda d: fairstats.og(d[["hired", "x"]], d["sex"], k=1).predict, r"predict is no .*; result.transform\(\)"),
        (lambda d: fairstats.audit(d.assign(id=[f"P{i}" for i in range(80)]), "hired", "id"),
         "^groups='id' has 80 labels for 80 people, as names or numbers of people have; name a column of groups"),
        (lambda d: fairstats.og(d[["hired", "x"]], [f"P{i // 2 * 2}" if i < 40 else f"Q{i}" for i in range(80)], k=1),
         "has 60 labels for 80 people"),
    ],
)  # fmt: skip
def test_what_a_newcomer_writes_is_answered_by_the_way_out(call, said) -> None:
    people = pd.DataFrame({"hired": [0, 1, 1, 1] * 20, "sex": ["f", "m"] * 40, "x": np.arange(80.0) ** 2})
    with pytest.raises(fairstats.FairstatsError, match=said):
        call(people)
