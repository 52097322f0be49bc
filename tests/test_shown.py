"""Labels and file names are data: no terminal obeys them, no spreadsheet runs them."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.cli import run
from fairstats.data.read import write_table
from fairstats.errors import FairstatsWarning, FileError, InputError, visible
from fairstats.estimates import GLOSSARY

ESC = "\x1b]0;title\x07\x1b[2J\x1b]52;c;aGk=\x07"
TRAPS = [ESC, "\x9b2J", "a\rb", "\u202eabc", "\u2066x", "\x7f", "\x00", "a\u2028b"]


def acting(text: str) -> set[str]:
    """Characters that Unicode calls controls or that set a direction; written otherwise than the code under test."""
    members = {"RLO", "LRO", "RLE", "LRE", "PDF", "RLI", "LRI", "FSI", "PDI"}
    return {
        c
        for c in text
        if c not in "\n\t"
        and (unicodedata.category(c) in ("Cc", "Zl", "Zp") or unicodedata.bidirectional(c) in members)
    }


def test_every_control_is_shown_and_nothing_else_is_changed() -> None:
    every = "".join(chr(i) for i in range(0xD800)) + "".join(chr(i) for i in range(0xE000, 0x11000))
    assert acting(every) and not acting(visible(every))
    kept = "".join(c for c in every if not acting(c))
    assert visible(kept) == kept
    assert visible("\x1b[2J \u202e \udcff") == r"\x1b[2J \u202e \udcff"


@pytest.fixture
def people(rng: np.random.Generator) -> pd.DataFrame:
    frame = pd.DataFrame({"g": rng.choice([*TRAPS, "plain"], 360), "d": rng.integers(0, 2, 360)})
    return frame.assign(**{f"a{ESC}": rng.normal(size=360), "b": rng.normal(size=360)})


def test_results_show_labels_that_no_terminal_obeys(people: pd.DataFrame) -> None:
    audit = fairstats.audit(people, groups="g", decision="d")
    noise = {f"c{i}": np.random.default_rng(i).normal(size=360) for i in range(20)}  # more features than groups
    fit = fairstats.og([f"a{ESC}", "b"], "g", k=1, data=people)
    eraser = fairstats.leace([f"a{ESC}", *noise], "g", data=people.assign(**noise))
    ring = pd.DataFrame({"from": range(360), "to": np.roll(range(360), 1)})
    graph = fairstats.graph(ring, nodes=people.assign(v=range(360))[["v", "g"]])
    clusters = fairstats.fair_spectral_clustering(graph, "g", 2, missing="level")
    shown = [
        *(audit.summary(), audit.finding(), str(audit), str(audit.estimates), fairstats.report(audit).summary()),
        *(fit.summary(), str(fit), eraser.summary(), graph.summary(), clusters.summary()),
    ]
    assert not acting("".join(shown)) and "\n" not in audit.finding()
    assert r"\x1b]52;c;" in audit.summary() and r"\u202eabc" in audit.summary()


def test_errors_and_warnings_show_them_too(people: pd.DataFrame) -> None:
    with pytest.raises(InputError) as refused:
        fairstats.audit(people, groups=f"g{ESC}", decision="d")
    assert not acting(str(refused.value)) and r"\x1b" in str(refused.value)
    with pytest.raises(FileError) as absent:
        fairstats.read_table(f"no{ESC}.csv")
    assert not acting(str(absent.value))
    assert not acting(str(FairstatsWarning(f"a{ESC}")))


def test_the_command_line_obeys_no_label_and_no_file_name(
    people: pd.DataFrame, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = tmp_path / f"in{ESC}.csv", tmp_path / f"out{ESC}.html"
    people.assign(g=people["g"].str.replace("\x00|\r", "", regex=True)).to_csv(file, index=False)
    words = ["audit", str(file), "--groups", "g", "--decision", "d"]
    assert [run(words), run([*words, "--to", str(out)]), run([*words, "--fail-on", "disparity"])][:2] == [0, 0]
    assert run([*words[:-1], f"d{ESC}"]) == 2
    splits = tmp_path / f"splits{ESC}.csv"
    pd.DataFrame({"s": [f"x{ESC}"] * 360}).to_csv(splits, index=False)
    compare = ["compare", str(file), "--outcome", "d", "--groups", "g", "--features", "b", "--splits", str(splits)]
    assert run(compare) == 2
    text = capsys.readouterr()
    assert not acting(text.out + text.err)
    assert r"wrote " in text.err and r"out\x1b]0;" in text.err and r"\x1b]52" in text.out


def test_no_form_of_a_report_holds_a_character_that_acts(tmp_path: Path) -> None:
    """Names of columns, labels, title and auditor, in row heads as in sentences."""
    labels = [
        "\x1b[31mred",
        "\u202eevil",
        "\r=1+1",
        "a\u2066b",
        "x\x85y",
        "back\x08",
        "tab\t1",
        "line\nfeed",
        "\u2028l",
    ]
    table = pd.DataFrame({"g\x1b\u202e": labels * 30, "d\x9b": [0, 1, 1] * 90, "s": ["x\u202e", "y", "z"] * 90})
    report = fairstats.report(
        fairstats.audit(table, "d\x9b", ["g\x1b\u202e", "s"]), title="T\x1b\u202e", auditor="A\x07\u202e"
    )
    for text in (report.html, report.json, report.csv, report.form("-", ".md")["-"].decode()):
        assert not acting(text) and "\r" not in text
    rows = list(csv.reader(io.StringIO(report.csv)))
    assert {len(row) for row in rows} == {len(rows[0])} and not any(
        cell.startswith("=") for row in rows for cell in row
    )
    assert json.loads(report.json)["title"] == "T\x1b\u202e" and {
        r["group"]
        for r in json.loads(report.json)["audit"]["cells"]
        if r["attribute"] != "s" and ":" not in r["attribute"]
    } == set(labels)
    assert "<th scope=row>&#34;\\r=1+1" in report.html and "<th scope=row>\\u202eevil" in report.html


def test_a_written_table_has_the_rows_it_had_whatever_ends_a_line_in_a_cell(tmp_path: Path) -> None:
    table = pd.DataFrame({"g": ["\r=1+1", "a\rb", "a\r\nb", "a\nb", "c"], "n": range(5)})
    for name in ("a.csv", "a.tsv"):
        write_table(table, tmp_path / name)
        with open(tmp_path / name, newline="") as stream:
            read = list(csv.reader(stream, delimiter="," if name == "a.csv" else "\t"))
        assert [row[0] for row in read[1:]] == list(table["g"])


RUN = ["=cmd|' /C calc'!A0", "+1+cmd", "@SUM(1)", "-2+3", "\t=1", "\uff1d1", "-", '=HYPERLINK("x")']
INERT = ["-5", "+1", "a=b", "(absent)", "-1e3", "'quoted"]


def test_no_cell_of_results_csv_is_a_formula_and_numbers_stay_numbers() -> None:
    labels = [*RUN, *INERT]
    table = pd.DataFrame({"=g": labels * 12, "d": [0, 1, 1] * (len(labels) * 4)})
    report = fairstats.report(fairstats.audit(table, groups="=g", decision="d"))
    rows = list(csv.DictReader(io.StringIO(report.csv)))
    cells = [cell for row in rows for cell in row.values()]
    number = re.compile(r"[-+]?(\d+\.?\d*([eE][-+]?\d+)?|inf|nan)")
    assert not [c for c in cells if c[:1] in tuple("=+-@\t\r\n\uff1d") and not number.fullmatch(c)]
    assert {f"'{label}" for label in RUN} | set(INERT) <= {row["group"] for row in rows} | {"(missing)"}
    assert {row["attribute"] for row in rows} == {"'=g"}
    assert sum(float(row["estimate"]) < 0 for row in rows if row["contrast"] == "difference" and row["estimate"]) > 0
    assert "=cmd" in report.json and "'=cmd" not in report.json
    assert "apostrophe" in GLOSSARY["group"].meaning
