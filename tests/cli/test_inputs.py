"""Standard input, several files and patterns: one table, whatever way it comes in."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

import fairstats
from fairstats.cli import run
from fairstats.cli.io import expanded, sniffed
from fairstats.data.datasets import ARRESTS
from fairstats.data.read import Several, read_table, write_table
from fairstats.errors import FairstatsError

WHO = ["--groups", "colour", "--decision", "released", "--favorable", "Yes"]


@pytest.fixture
def months(tmp_path: Path) -> Path:
    """The arrests in three files, the last of another kind and with its columns in another order."""
    frame = read_table(ARRESTS).frame
    write_table(frame.iloc[:2000], tmp_path / "p1.csv")
    write_table(frame.iloc[2000:4000], tmp_path / "p2.csv")
    write_table(frame.iloc[4000:, ::-1], tmp_path / "p3.parquet")
    return tmp_path


def rows(text: str) -> list[dict]:
    return json.loads(text)["audit"]["estimates"]


@pytest.mark.parametrize("files", [["p1.csv", "p2.csv", "p3.parquet"], ["p*"], ["p?.csv", "p3.*"]])
def test_several_files_and_patterns_are_one_table(months, files, capsys, monkeypatch):
    monkeypatch.chdir(months)
    assert run(["audit", str(ARRESTS), *WHO, "--format", "json"]) == 0
    whole = rows(capsys.readouterr().out)
    assert run(["audit", *files, *WHO, "--format", "json"]) == 0
    result = json.loads(capsys.readouterr().out)["audit"]
    assert result["estimates"] == whole
    lines = "".join(f"{hashlib.sha256(f.read_bytes()).hexdigest()}  {f.name}\n" for f in sorted(months.glob("p*")))
    assert result["data"]["sha256"] == hashlib.sha256(lines.encode()).hexdigest()
    assert result["data"]["name"] == "p1.csv, p2.csv, p3.parquet" and result["data"]["rows"] == 5226


@pytest.mark.parametrize("form", ["csv", "csv.gz", "tsv", "parquet", "arrow", "rds"])
def test_standard_input_is_read_whatever_it_holds(tmp_path, form, capsys, monkeypatch):
    write_table(read_table(ARRESTS).frame, tmp_path / f"all.{form}")
    content = (tmp_path / f"all.{form}").read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert run(["audit", "-", *WHO, "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)["audit"]["data"]
    assert data == {
        "name": "standard input", "sha256": hashlib.sha256(content).hexdigest(), "rows": 5226, "columns": 8
    }  # fmt: skip


@pytest.mark.long
def test_a_pipe_at_both_ends_holds_the_result_and_nothing_else():
    command = [sys.executable, "-m", "fairstats", "audit", "-", *WHO, "--to", "-", "--format", "csv"]
    done = subprocess.run(command, input=ARRESTS.read_bytes(), capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    table = pd.read_csv(io.BytesIO(done.stdout))
    assert table[(table.group == "Black") & (table.contrast == "none")]["events"].iloc[0] == 955


WRONG = {
    "nothing matches": (["q*.csv"], "no file matches 'q*.csv'"),
    "twice": (["-", "-"], "standard input can be read once"),
    "a column less": (["a.csv", "less.csv"], "less.csv has no column 'y', which a.csv has"),
    "a column more": (["a.csv", "more.csv"], "a.csv has no column 'z', which more.csv has"),
    "text and numbers": (["a.csv", "text.csv"], "'y' holds numbers in a.csv and text in text.csv"),
    "empty pipe": (["-"], "standard input is empty"),
}


@pytest.mark.parametrize("case", WRONG)
def test_files_that_are_no_one_table_are_refused(case, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\n")))
    for name, text in {
        "a.csv": "g,y\na,1\nb,0\n", "less.csv": "g\na\n", "more.csv": "g,y,z\na,1,2\n", "text.csv": "g,y\na,one\n"
    }.items():  # fmt: skip
        Path(name).write_text(text)
    files, message = WRONG[case]
    assert run(["audit", *files, "--groups", "g", "--decision", "y"]) == 2
    err = capsys.readouterr().err
    assert message in err and err.startswith("fairstats: error: ") and err.count("\n") == 1


def test_a_column_that_is_empty_in_one_file_takes_the_kind_of_the_others(tmp_path):
    for name, text in {
        "a.csv": "g,y,b\na,1,x\nb,0,\n",
        "b.csv": "g,y,b\na,,\nb,,\n",
        "c.csv": "g,y,b\nc,2.5,y\n",
    }.items():
        (tmp_path / name).write_text(text)
    names = [str(tmp_path / name) for name in ("a.csv", "b.csv")]
    frame = Several(tuple(names)).table().frame
    assert str(frame["y"].dtype) == "Int64" and frame["y"].tolist()[:2] == [1, 0] and frame["y"].isna().sum() == 2
    assert frame["b"].fillna("").tolist() == ["x", "", "", ""]
    frame = Several((*names, str(tmp_path / "c.csv"))).table().frame
    assert frame["y"].dropna().tolist() == [1.0, 0.0, 2.5]


def test_names_with_brackets_are_files_where_there_is_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a[1].csv").write_text("x\n1\n")
    assert expanded(["a[1].csv"]) == ["a[1].csv"]
    with pytest.raises(FairstatsError, match="no file matches"):
        expanded(["b[1].csv"])


def test_gzip_that_is_broken_is_no_reason_to_crash():
    assert sniffed(b"\x1f\x8b\x00") == "csv.gz" and sniffed(gzip.compress(b"X\n\0\0")) == "rds"


def test_files_of_parquet_are_read_in_parts_and_are_the_audit_of_the_whole(tmp_path, capsys):
    frame = fairstats.arrests()
    for i in range(3):
        frame.iloc[i::3].to_parquet(tmp_path / f"p{i}.parquet")
    items = ["--groups", "sex", "--decision", "released", "--favorable", "Yes", "--format", "json"]
    result = []
    for files in ([str(tmp_path / "*.parquet")], [str(tmp_path)]):
        assert run(["audit", *files, *items]) == 0
        result.append(json.loads(capsys.readouterr().out)["audit"])
    whole = fairstats.audit(frame, "released", "sex", favorable="Yes").estimates.to_records()
    assert result[0]["estimates"] == result[1]["estimates"] == whole
    assert result[0]["data"]["sha256"] == result[1]["data"]["sha256"] and result[0]["data"]["rows"] == 5226
    assert result[0]["data"]["name"].endswith("p0.parquet") and "3 files from" in result[0]["data"]["name"]
    report, pattern = str(tmp_path / "r.json"), str(tmp_path / "*.parquet")
    assert run(["audit", pattern, *items[:-2], "--to", report]) == 0
    assert run(["verify", report, pattern]) == 0 and run(["verify", report, str(tmp_path)]) == 0
    capsys.readouterr()
    frame.drop(columns="sex").to_parquet(tmp_path / "p3.parquet")
    assert run(["audit", str(tmp_path / "*.parquet"), *items]) == 2
    assert "p3.parquet' lacks the column 'sex'" in capsys.readouterr().err


def test_a_file_is_counted_once(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("may.csv").write_text("a\n1\n")
    with pytest.raises(fairstats.InputError, match=r"FILE has '.*may.csv' twice, whose people"):
        expanded(["may.csv", "*.csv"])
    Path("june.csv").write_text("a\n1\n")
    with pytest.raises(fairstats.InputError, match=r"FILE has 'june.csv', which is the same as 'may.csv'; its people"):
        expanded(["may.csv", "june.csv"])
    Path("june.csv").write_text("a\n0\n")
    assert expanded(["may.csv", "june.csv"]) == ["may.csv", "june.csv"]


@pytest.mark.parametrize("command", [True, False])
def test_people_of_two_files_in_another_order_are_counted_once(command, tmp_path, monkeypatch, capsys) -> None:
    """Labels repeat by nature: rows without a number of their own may be those of another month."""
    monkeypatch.chdir(tmp_path)
    people = pd.DataFrame({"pay": range(40), "g": ["a", "b"] * 20, "d": [0, 1, 1, 1] * 10})
    for name, part in (("may", people), ("june", people[::-1]), ("july", people)):
        part.to_csv(f"{name}.csv", index=False)
        part[["g", "d"]].to_csv(f"{name}-labels.csv", index=False)
    if command:
        assert run(["audit", "may.csv", "june.csv", "--groups", "g", "--decision", "d"]) == 2
        assert "june.csv has the same rows as may.csv, which would be counted twice" in capsys.readouterr().err
        assert run(["audit", "may-labels.csv", "june-labels.csv", "--groups", "g", "--decision", "d"]) == 0
        return
    for names, said in ((["may.csv", "july.csv"], "the same as 'may.csv'"), (["may.csv"] * 2, "the same as 'may.csv'")):
        with pytest.raises(fairstats.InputError, match=f"^data has '{names[1]}', which is {said}; its people would be"):
            fairstats.audit(names, "d", "g")
