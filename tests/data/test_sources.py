"""A file becomes the table that was saved in it, or an error that says what is wrong with it."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import os
import signal
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairstats
from fairstats.cli import run
from fairstats.data import read
from fairstats.data.read import read_table, write_table
from fairstats.data.tables import Columns
from fairstats.errors import FairstatsWarning, FileError, InputError
from fairstats.files import atomic_write, replacing

PEOPLE = pd.DataFrame(
    {"race": ["Zoë", "O'Neil; Jr", 'the "one"', "a,b"], "age": [21, 35, 40, 62], "score": [0.5, 1.25, -3.0, 1e-9]}
)


def same(left: pd.DataFrame, right: pd.DataFrame) -> None:
    pd.testing.assert_frame_equal(left, right, check_dtype=False)


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".csv.gz", ".tsv.gz", ".parquet", ".feather", ".arrow"])
def test_a_written_table_reads_back_the_same(tmp_path, suffix):
    file = tmp_path / f"people{suffix}"
    write_table(PEOPLE, file)
    table = read_table(file)
    same(table.frame, PEOPLE)
    assert (table.name, table.rows, table.columns) == (f"people{suffix}", 4, 3)
    assert table.sha256 == hashlib.sha256(file.read_bytes()).hexdigest()


@pytest.mark.parametrize("suffix", [".csv.gz", ".parquet", ".feather"])
def test_the_same_table_gives_the_same_bytes(tmp_path, suffix):
    write_table(PEOPLE, tmp_path / f"a{suffix}")
    write_table(PEOPLE, tmp_path / f"b{suffix}")
    assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / f"b{suffix}").read_bytes()


def test_polars_and_arrow_tables_are_written_too(tmp_path):
    import polars as pl
    import pyarrow as pa

    tables = {"polars.parquet": pl.from_pandas(PEOPLE), "arrow.csv": pa.Table.from_pandas(PEOPLE)}
    for name, table in tables.items():
        write_table(table, tmp_path / name)
        same(read_table(tmp_path / name).frame, PEOPLE)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_separator_and_unicode_encoding_are_found(tmp_path, separator, encoding):
    file = tmp_path / "people.csv"
    file.write_bytes(PEOPLE.to_csv(sep=separator, index=False).encode(encoding))
    same(read_table(file).frame, PEOPLE)


def test_text_that_is_not_unicode_is_read_with_a_warning_that_names_its_encoding():
    with pytest.warns(FairstatsWarning, match="not UTF-8 .byte 0xe9 at position 7.*Windows-1252"):
        assert read.parse("g,x\ncaf\xe9,1\n\u2013,2\n".encode("cp1252"), "f.csv")["g"].tolist() == ["café", "–"]
    with pytest.warns(FairstatsWarning, match="Latin-1"):
        assert read.parse(b"g,x\n\x81\xe9,1\n", "f.csv")["g"].tolist() == ["\x81é"]


def test_decimal_commas_are_numbers_and_are_announced():
    with pytest.warns(FairstatsWarning, match=r"decimal commas \(1,5 is 1.5\)"):
        frame = read.parse(b"g;x\na;1,5\nb;-2,25\n", "f.csv")
    assert frame["x"].tolist() == [1.5, -2.25]


def test_decimal_points_win_where_a_file_has_both():
    assert read.parse(b"g;x;y\na;1,5;2.5\n", "f.csv")["y"].tolist() == [2.5]


def test_missing_values_are_those_of_r_but_none_is_an_answer():
    frame = read.parse(b"g,x\nNA,1\n,2\nNone,NA\n", "f.csv")
    assert frame["g"].isna().tolist() == [True, True, False]
    assert frame["x"].isna().tolist() == [False, False, True]


def test_quoted_fields_may_hold_line_breaks_and_blank_lines_are_no_rows():
    frame = read.parse(b'g,x\n\n"two\nlines",1\n\nb,2\n\n', "f.csv")
    assert frame["g"].tolist() == ["two\nlines", "b"]


def test_a_column_without_name_gets_one():
    assert list(read.parse(b",x\n1,2\n", "f.csv").columns) == ["column_1", "x"]


cells = st.one_of(
    st.integers(-(10**9), 10**9).map(str),
    st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1, max_size=8),
)


@pytest.mark.long
@settings(deadline=None, max_examples=150)
@given(st.integers(2, 4).flatmap(lambda p: st.lists(st.lists(cells, min_size=p, max_size=p), min_size=1, max_size=6)))
def test_whatever_a_csv_writer_wrote_keeps_its_shape(rows):
    frame = pd.DataFrame(rows, columns=[f"c{j}" for j in range(len(rows[0]))])
    text = frame.to_csv(index=False, quoting=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FairstatsWarning)
        assert read.parse(text.encode(), "f.csv").shape == frame.shape


BROKEN_TEXT = {
    "empty": (b"", FileError, "is empty"),
    "blank": (b"\n \n", FileError, "is empty"),
    "header only": (b"race,age\n", InputError, r"header \(race, age\) and no rows"),
    "long row": (b"a,b\n1,2\n3,4,5\n", InputError, r"line 3 has 3 fields, the header has 2 \(separator: comma\)"),
    "short row": (b"a,b\n1,2\n\n3\n", InputError, "line 4 has 1 fields, the header has 2"),
    "row names": (b"a\tb\nr1\t1\t2\nr2\t3\t4\n", InputError, "row.names = FALSE"),
    "binary": (b"PK\x03\x04\x00\x00\x00\x00" * 20, FileError, "is not text"),
    "half UTF-16": ("a,b\n1,2\n".encode("utf-16")[:-1], FileError, "damaged"),
}


@pytest.mark.parametrize("case", BROKEN_TEXT)
def test_broken_text_is_refused_with_the_reason(tmp_path, case):
    content, kind, message = BROKEN_TEXT[case]
    file = tmp_path / "table.csv"
    file.write_bytes(content)
    with pytest.raises(kind, match=message) as caught:
        read_table(file)
    assert str(caught.value).startswith("table.csv")


def test_what_is_no_table_file_is_refused_with_the_way_out(tmp_path):
    (tmp_path / "arrests.csv").write_text("a,b\n1,2\n")
    (tmp_path / "table.xlsx").write_bytes(b"x\0")
    (tmp_path / "table.ods").write_bytes(b"x")
    (tmp_path / "table.RData").write_bytes(b"x")
    cases = {
        "arrest.csv": "there is no file .*; did you mean '.*arrests.csv'",
        "nowhere/arrests.csv": "there is no folder",
        "": "is a folder; name one file",
        "table.xlsx": "cannot be read",
        "table.ods": "save the table as CSV or Parquet",
        "table.RData": "many objects; save the table: saveRDS",
    }
    for name, message in cases.items():
        with pytest.raises(FileError, match=message):
            read_table(tmp_path / name)


@pytest.mark.parametrize("suffix", [".parquet", ".feather", ".arrow"])
def test_a_damaged_arrow_file_is_refused(tmp_path, suffix):
    whole, broken = tmp_path / f"whole{suffix}", tmp_path / f"broken{suffix}"
    write_table(PEOPLE, whole)
    for content in (
        whole.read_bytes()[:-20],
        b"not arrow at all\0",
        whole.read_bytes()[: len(whole.read_bytes()) // 2],
    ):
        broken.write_bytes(content)
        with pytest.raises(FileError, match=rf"broken{suffix} cannot be read as a {suffix[1:]} file"):
            read_table(broken)


def test_a_truncated_gzip_file_is_refused(tmp_path):
    file = tmp_path / "table.csv.gz"
    file.write_bytes(gzip.compress(b"a,b\n1,2\n")[:-9])
    with pytest.raises(FileError, match="damaged, or not whole"):
        read_table(file)


def test_columns_of_one_name_that_differ_in_a_parquet_file_are_refused_where_used(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table([[1], [2]], names=["race", "race"]), tmp_path / "twice.parquet")
    with pytest.warns(FairstatsWarning, match=r"twice.parquet has several columns named race, and they differ"):
        frame = read_table(tmp_path / "twice.parquet").frame
    with pytest.raises(InputError, match="data has several columns named race, and they differ"):
        Columns(frame).labels("race", "groups")
    assert Columns(frame.assign(race=["a"])).labels("race", "groups").levels == ("a",)


def test_a_column_that_stands_twice_with_equal_values_is_one_column():
    frame = read.parse(b"y,race,y\n1,a,1\n,b,NA\n", "f.csv")
    assert list(frame.columns) == ["y", "race"]


def test_a_parquet_file_without_rows_is_refused(tmp_path):
    PEOPLE.iloc[:0].to_parquet(tmp_path / "none.parquet")
    with pytest.raises(InputError, match="has no rows"):
        read_table(tmp_path / "none.parquet")


def test_a_named_index_is_a_column_and_a_nameless_one_is_dropped(tmp_path):
    PEOPLE.set_index("race").to_parquet(tmp_path / "named.parquet")
    PEOPLE.iloc[[2, 0]].to_parquet(tmp_path / "subset.parquet")
    assert list(read_table(tmp_path / "named.parquet").frame.columns) == ["race", "age", "score"]
    assert list(read_table(tmp_path / "subset.parquet").frame.columns) == ["race", "age", "score"]


def test_writing_into_a_missing_folder_or_onto_a_folder_is_refused(tmp_path):
    with pytest.raises(FileError, match=r"there is no folder .*nowhere'; create it"):
        write_table(PEOPLE, tmp_path / "nowhere" / "people.csv")
    with pytest.raises(FileError, match="is a folder; add a file name"):
        atomic_write(tmp_path, b"")
    with pytest.raises(FileError, match=r"none of \.csv, \.tsv"):
        write_table(PEOPLE, tmp_path / "people.docx")
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path):
    file = tmp_path / "report.html"
    file.write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt), replacing(file) as beside:
        beside.write_bytes(b"half of the n")
        raise KeyboardInterrupt
    assert file.read_bytes() == b"old"
    assert [f.name for f in tmp_path.iterdir()] == ["report.html"]


def test_a_killed_process_leaves_the_old_file(tmp_path):
    file = tmp_path / "report.html"
    file.write_bytes(b"old")
    code = (
        "import sys, time; from fairstats.files import replacing\n"
        "with replacing(sys.argv[1]) as beside:\n"
        "    beside.write_bytes(b'half'); print('ready', flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(file)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGKILL)
    assert file.read_bytes() == b"old"


def test_a_rewritten_file_keeps_its_mode_and_its_link(tmp_path):
    target, link = tmp_path / "target.csv", tmp_path / "link.csv"
    target.write_bytes(b"old")
    target.chmod(0o640)
    link.symlink_to(target)
    atomic_write(link, b"new")
    assert link.is_symlink() and target.read_bytes() == b"new"
    assert target.stat().st_mode & 0o777 == 0o640


def test_a_new_file_has_the_mode_that_the_users_mask_gives(tmp_path):
    atomic_write(tmp_path / "new", b"")
    Path(tmp_path / "plain").touch()
    assert os.stat(tmp_path / "new").st_mode == os.stat(tmp_path / "plain").st_mode


def test_the_public_compas_file_is_read_as_pandas_reads_it(shared):
    file = shared / "data" / "compas-scores-two-years.csv"
    table = read_table(file)
    plain = pd.read_csv(file)
    # 53 columns as published, of which decile_score and priors_count stand twice with equal values.
    assert (table.rows, table.columns) == (7214, 51)
    assert set(plain.columns) - set(table.frame.columns) == {"decile_score.1", "priors_count.1"}
    assert table.frame["race"].value_counts().to_dict() == plain["race"].value_counts().to_dict()
    numeric = table.frame.select_dtypes("number").columns
    np.testing.assert_array_equal(table.frame[numeric].to_numpy(float), plain[numeric].to_numpy(float))


def test_files_of_two_kinds_are_refused_under_the_name_of_the_argument(tmp_path: Path) -> None:
    import fairstats

    (tmp_path / "a.csv").write_text("g,d\nu,1\nv,0\n")
    (tmp_path / "b.parquet").write_bytes(b"PAR1")
    files = [str(tmp_path / "a.csv"), str(tmp_path / "b.parquet")]
    with pytest.raises(InputError, match=r"^data=\[.* has files of the kinds"):
        fairstats.audit(files, decision="d", groups="g")
    with pytest.raises(InputError, match=r"^source=\[.* has files of the kinds"):
        fairstats.moments(files, "g")
    with pytest.raises(FileError, match=r"^data has '.*which names no file"):
        fairstats.audit(str(tmp_path / "part-*.parquet"), decision="d", groups="g")


@pytest.mark.parametrize("kind", [pd.DataFrame, "pyarrow", "csv"])
def test_an_unused_column_that_stands_twice_is_one_in_a_table_as_in_a_file_and_describe_says_so(tmp_path, capsys, kind):
    import pyarrow as pa

    people = pd.DataFrame({"g": ["a", "b"] * 20, "d": [0, 1, 1, 0] * 10, "note": range(40)})
    twice = pd.concat([people, people[["note"]]], axis=1)
    other = pd.concat([people, people[["note"]] + 1], axis=1)

    def given(frame):
        if kind == "csv":
            frame.to_csv(tmp_path / "f.csv", index=False)
            return tmp_path / "f.csv"
        if kind == "pyarrow":
            return pa.Table.from_arrays([pa.array(frame.iloc[:, j]) for j in range(4)], names=list(frame.columns))
        return frame

    once, both = (fairstats.audit(one, "d", "g").estimates for one in (people, given(twice)))
    assert once.column("estimate") == pytest.approx(both.column("estimate"), nan_ok=True)
    # only what is used has to be one column; of a file a warning says which are not
    warns = pytest.warns(FairstatsWarning, match="f.csv has several columns named note")
    with warns if kind == "csv" else contextlib.nullcontext():
        unused = fairstats.audit(given(other), "d", "g").estimates
    assert unused.column("estimate") == pytest.approx(once.column("estimate"), nan_ok=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FairstatsWarning)
        with pytest.raises(InputError, match="several columns named note, and they differ"):
            fairstats.audit(given(other), "d", "g", score="note")
        with pytest.raises(InputError, match="several columns named note, and they differ"):
            fairstats.og(
                ["note", "d"], "g", k=1, data=given(other) if kind != "csv" else read_table(given(other)).frame
            )
    twice.to_csv(tmp_path / "twice.csv", index=False)
    assert run(["describe", str(tmp_path / "twice.csv")]) == 0
    assert "note stands there several times with equal values: one of them is used." in capsys.readouterr().out
    people.to_csv(tmp_path / "once.csv", index=False)
    assert run(["describe", str(tmp_path / "once.csv")]) == 0 and "several times" not in capsys.readouterr().out
