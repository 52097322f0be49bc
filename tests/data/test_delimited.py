"""Text tables are checked from their bytes; what that says is what reading them record by record says."""

from __future__ import annotations

import csv
import gzip
import io
import itertools
import re
import time
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairstats.data import read as delimited
from fairstats.data import read as delimited_parts
from fairstats.data.read import is_rectangular, odd_numbers
from fairstats.errors import FairstatsError, FileError, InputError

NUMBERS = [
    "0",
    "1",
    "-1",
    "2.5",
    "1,5",
    "01",
    "-01",
    "+1",
    "-0",
    " 1",
    "1 ",
    "1.0",
    "1e3",
    "007",
    "12345678901234567890",
]
WORDS = ["a", "é", "", "NA", "True", "false", "x y", 'the "one"', "two\nlines", "a,b", "c;d", '"', '5" pipe', "\r\n"]
cells = st.sampled_from(NUMBERS + WORDS)
kinds = st.sampled_from(
    [["0", "1"], ["1", "", "2"], NUMBERS, WORDS, ["1.0", "2.0"], ["+1", "0"], ["True", ""], ["-0", "1"]]
)


@st.composite
def files(draw) -> bytes:
    """A file as some writer or some hand makes it: any separator, encoding, quoting, line end; now and then a fault."""
    width = draw(st.integers(1, 4))
    columns = [draw(kinds) for _ in range(width)]
    rows = [[draw(st.sampled_from(column)) for column in columns] for _ in range(draw(st.integers(0, 6)))]
    if rows and draw(st.integers(0, 4)) == 0:
        rows[draw(st.integers(0, len(rows) - 1))] = draw(st.lists(cells, max_size=5))
    separator = draw(st.sampled_from([",", ";", "\t", "|"]))
    end = draw(st.sampled_from(["\n", "\r\n", "\r", "\n\n"]))
    lines = [[f"c{j}" for j in range(width)], *rows]
    if draw(st.booleans()):
        text = io.StringIO()
        quoting = draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]))
        csv.writer(text, delimiter=separator, lineterminator=end, quoting=quoting).writerows(lines)
        result = text.getvalue()
    else:
        result = end.join(separator.join(line) for line in lines)  # by hand: quotes wherever they are
    return result.encode(draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252"])))


def outcome(raw: bytes, labels: list[str]) -> tuple[object, list[str]]:
    """What reading gives, the table or the error, and what it says on the way."""
    with warnings.catch_warnings(record=True) as text:
        warnings.simplefilter("always")
        try:
            result: object = delimited.parse(raw, "f.csv", None, labels)
        except (FairstatsError, pd.errors.ParserError) as problem:
            result = f"{type(problem).__name__}: {problem}"
    return result, [str(w.message) for w in text]


@pytest.mark.long
@settings(deadline=None, max_examples=400)
@given(files(), st.sets(st.sampled_from(["c0", "c1", "c2"])).map(sorted))
def test_the_quick_way_gives_what_the_slow_way_gives(raw, labels):
    quick, text = outcome(raw, labels)
    with pytest.MonkeyPatch.context() as patch:  # every row counted, every column of labels read again as text
        patch.setattr(delimited, "is_rectangular", lambda *_: False)
        patch.setattr(delimited, "count_letter", lambda *_: -1)
        patch.setattr(delimited, "odd_numbers", lambda raw, mark: (odd_numbers(raw, mark)[0], True))
        patch.setattr(delimited, "_doubtful_label", lambda *_: True)
        slow, also_stated = outcome(raw, labels)
    assert text == also_stated
    if isinstance(quick, str):
        assert quick == slow
    else:
        pd.testing.assert_frame_equal(quick, slow)


@pytest.mark.long
@settings(deadline=None, max_examples=400)
@given(files().filter(lambda raw: raw.isascii()), st.sampled_from([",", ";", "\t", "|"]))
def test_a_file_that_is_called_rectangular_is_so_to_a_csv_reader(raw, separator):
    records = [r for r in csv.reader(io.StringIO(raw.decode(), newline=""), delimiter=separator) if r]
    width = len(records[0]) if records else 1
    if is_rectangular(raw, separator, width):
        assert len(records) > 1 and {len(r) for r in records} == {width}


@pytest.mark.long
@pytest.mark.parametrize("part", [8, 1 << 20])
def test_rows_that_do_not_fit_are_refused_wherever_they_stand(part, monkeypatch):
    """Also where a longer row makes up for a shorter one, first, last or between."""
    monkeypatch.setattr(delimited_parts, "PART", part)
    for fields, *sizes in itertools.product([1, 2, 3], *[range(4)] * 4):
        rows = [",".join("1" * size) for size in sizes]
        raw = "\n".join([",".join("abc"[:fields]), *rows, ""]).encode()
        result, _ = outcome(raw, [])
        assert isinstance(result, pd.DataFrame) == ({size for size in sizes if size} == {fields}), (raw, result)


def test_ordinary_files_are_checked_without_reading_their_records(monkeypatch):
    """Without this the quick way might never be taken, and every other test would pass."""
    frame = pd.DataFrame({"name": ["a,b", 'the "one"', "two\nlines", ""], "x": [1, 2, 3, 4]})
    for options in ({}, {"quoting": csv.QUOTE_NONNUMERIC}, {"lineterminator": "\r\n"}, {"sep": ";"}):
        raw = frame.to_csv(index=False, **options).encode()
        assert is_rectangular(raw, options.get("sep", ","), 2), raw
    reads = []
    original = pd.read_csv
    monkeypatch.setattr(pd, "read_csv", lambda *a, **k: reads.append(k) or original(*a, **k))
    result = delimited.parse(b"g,d,y\na,1,Yes\nb,0,No\n", "f.csv", None, ["g", "d", "y"])
    assert len(reads) == 1 and result["d"].tolist() == [1, 0] and result["y"].tolist() == ["Yes", "No"]


@pytest.mark.parametrize(
    ("field", "padded", "odd"),
    [("01", 1, 0), ("-01", 1, 0), ("+01", 1, 1), (" 01", 1, 1), ("+1", 0, 1), ("1 ", 0, 1), ("-0", 0, 1), ("0", 0, 0),
     ("10", 0, 0), ("2001-01-01", 0, 0), ("01/02/2003", 0, 0), ("a 01", 0, 0), ("0.5", 0, 0), ("-0.5", 0, 0)],
)  # fmt: skip
@pytest.mark.parametrize("form", ["{},b\n", "b,{}\n", 'b,"{}"\r\n', "b,{}"])
def test_oddly_spelled_numbers_are_seen_wherever_they_stand(field, padded, odd, form):
    assert odd_numbers(b"x,y\n" + form.format(field).encode(), ",") == (bool(padded), bool(odd))


MIXED = pd.DataFrame(
    {
        "whole": range(2000),
        "gap late": [*range(1999), None],
        "text late": [*range(1990), *"abcdefghij"],
        "text": ["é,\"x\"\n", "b"] * 1000,
        "logical": [True, False] * 1000,
        "logical, gap": [*[True] * 1999, None],
        "empty, then text": [None] * 1999 + ["x"],
        "huge late": [*range(1999), 2**70],
        "unsigned late": [*range(1999), 2**64 - 1],
        "float": [i / 7 for i in range(2000)],
        "padded late": [*map(str, range(1999)), "007"],
    }
)  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("labels", [(), ("text late", "whole", "padded late", "float")])
@pytest.mark.parametrize("part", [*(pytest.param(size, marks=pytest.mark.slow) for size in (64, 200)), 1000, 30_000])
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_table_read_in_parts_is_that_read_at_once(part, labels, quoting, end, monkeypatch):
    raw = MIXED.to_csv(index=False, quoting=quoting, lineterminator=end).encode()
    whole = delimited.parse(raw, "f.csv", None, labels)
    seen = []
    monkeypatch.setattr(delimited_parts, "PART", part)
    at_once = delimited.at_once
    monkeypatch.setattr(delimited, "at_once", lambda *given: seen.append(given) or at_once(*given))
    pd.testing.assert_frame_equal(delimited.parse(raw, "f.csv", None, labels), whole)
    assert all("usecols" in options for *_, options in seen), "all of it was read at once"


@pytest.mark.parametrize("row", ['5" pipe,2', "a,2\rb,3", '"open,2'])
def test_parts_are_trusted_only_where_the_bytes_tell_what_a_row_is(row, monkeypatch):
    raw = ("g,d\n" + "x,1\n" * 20 + row + "\n" + "y,0\n" * 20).encode()

    def read():
        try:
            return delimited.parse(raw, "f.csv").to_dict("list")
        except InputError as error:
            return str(error)

    whole = read()
    monkeypatch.setattr(delimited_parts, "PART", 16)
    assert read() == whole


@pytest.mark.parametrize("mark", [";", ",", "\t", "|"])
def test_the_first_line_of_excel_names_the_separator(mark):
    raw = f"sep={mark}\r\ng{mark}d\r\na,b{mark}1\r\n".encode() if mark != "," else b'sep=,\ng,d\n"a,b",1\n'
    result = delimited.parse(raw, "f.csv")
    assert result.to_dict("list") == {"g": ["a,b"], "d": [1]}
    with pytest.raises(InputError, match="line 3 has 1 fields, the header has 2"):
        delimited.parse(b"sep=;\ng;d\na\n", "f.csv")


def test_marks_that_two_programs_put_there_are_no_part_of_a_name():
    assert list(delimited.parse(b"\xef\xbb\xbf\xef\xbb\xbfg,d\na,1\n", "f.csv")) == ["g", "d"]


@pytest.mark.parametrize(
    ("head", "text"),
    [(b"%PDF-1.7\n%\xe2\xe3\n1 0 obj\n", "a PDF"), (b"\n <!DOCTYPE html>\n<p>Log in,please</p>\n", "a web page"),
     (b"PK\x03\x04abc", "a workbook"), (b"{\\rtf1 a,b\n}", "a text with formats")],
)  # fmt: skip
def test_what_only_has_the_name_of_a_table_is_called_what_it_is(head, text):
    with pytest.raises(FileError, match=f"^f.csv is not text but {text}"):
        delimited.parse(head, "f.csv")


@pytest.mark.parametrize("at", [0, 1, (1 << 20) - 1, 1 << 20])
def test_letters_across_blocks_are_utf8_and_halves_of_them_are_not(at):
    from fairstats.data.read import _is_utf8

    assert _is_utf8(b"a" * at + "€".encode() + b"a" * 10)
    assert not _is_utf8(b"a" * at + "€".encode()[:2])


@pytest.mark.slow
def test_reading_takes_no_more_than_three_times_the_table(tmp_path):
    """Peak memory above the start of the process, as a multiple of the frame."""
    import subprocess
    import sys

    rng = np.random.default_rng(1)
    n = 3_000_000
    frame = pd.DataFrame({"g": np.array(["African-American", "Hispanic"])[rng.integers(0, 2, n)]})
    frame["d"], frame["s"] = rng.integers(0, 2, n), rng.normal(size=n).round(6)
    frame.to_csv(tmp_path / "a.csv", index=False)
    code = """
import resource, sys, pandas, pyarrow
from fairstats.data.read import read_table
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
before = peak()
made = read_table(sys.argv[1]).frame
print((peak() - before) / made.memory_usage().sum())
"""
    done = subprocess.run([sys.executable, "-c", code, tmp_path / "a.csv"], capture_output=True, text=True, check=True)
    assert float(done.stdout) <= 3


@pytest.mark.long
def test_every_table_of_few_rows_is_read_whole_or_refused():
    """All numbers of fields of three rows under each header, blank rows and open ends among them, beside csv's own."""
    read = 0
    for fields, *sizes in itertools.product(range(1, 4), *[range(5)] * 3):
        for end in ("\n", "", "\r\n"):
            lines = [",".join("abc"[:fields]), *(",".join(str(i + j) for j in range(k)) for i, k in enumerate(sizes))]
            text = (end or "\n").join(lines) + end
            rows = [row for row in csv.reader(io.StringIO(text, newline="")) if row][1:]
            try:
                frame = delimited.parse(text.encode(), "a.csv", ",")
            except InputError as problem:
                assert not rows or any(len(row) != fields for row in rows), (text, str(problem))
                continue
            assert all(len(row) == fields for row in rows) and frame.astype(str).to_numpy().tolist() == rows, text
            read += 1
    assert read > 60


@pytest.mark.parametrize(
    "text", ["a,b\n1,2,3\n4\n", "a,b\n\n7,2,3\n2\n5,6\n", "a,b\n0,1,2\n1,2\n2\n", "a,b\n1,2,3\n4\n" * 2]
)
def test_a_long_row_that_a_short_one_makes_up_for_is_refused_with_its_line(text):
    with pytest.raises(InputError, match=r"line [23]|has 3 fields|3 fields in line"):
        delimited.parse(text.encode(), "a.csv")


def test_a_long_row_where_a_part_begins_is_refused(monkeypatch):
    monkeypatch.setattr(delimited_parts, "PART", 40)
    rows = [f"{i},{i + 1}" for i in range(60)]
    assert delimited.parse("\n".join(["a,b", *rows]).encode(), "a.csv")["b"].tolist() == list(range(1, 61))
    for at in range(59):
        ragged = [*rows[:at], f"{at},1,2", "3", *rows[at + 2 :]]
        with pytest.raises(InputError, match=f"line {at + 2}"):
            delimited.parse("\n".join(["a,b", *ragged]).encode(), "a.csv")


def test_a_header_of_thousands_of_equal_names_takes_no_longer_than_others():
    started = time.process_time()
    with pytest.raises(InputError, match="no rows"):
        delimited.parse(b"a," * 20_000, "a.csv")
    assert time.process_time() - started < 1


@pytest.mark.parametrize(("text", "said"), [
    ("race,n\na,3.000\nb,2.000\n", "3.000, which was read as 3, .* write 3000"),
    ("race;n\na;1.526\nb;573\n", "1.526, which was read as 1.526, .* write 1526"),
    ("race;n\na;2,500\nb;1,000\n", "2,500, which was read as 2.5, .* write 2500"),
    ("race,n\na,1.526\nb,2.4\n", ""),
    ("race,n\na,0.526\nb,0.400\n", ""),
    ("race,n\na,3.0\nb,573.0\n", ""),
])  # fmt: skip
def test_a_mark_that_may_be_of_thousands_is_a_caution_with_both_readings(text: str, said: str) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        delimited.parse(text.encode(), "counts.csv")
    found = [str(one.message) for one in caught if "thousands" in str(one.message)]
    assert bool(found) == bool(said) and all(
        re.search(f"counts.csv: The column n has {said} in the file", one) for one in found
    )


@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
@pytest.mark.parametrize(("above", "line"), [("", 4), ("sep=;\n", 5)])
def test_a_header_among_the_rows_is_named_by_its_line(end: str, above: str, line: int) -> None:
    rows = "a;b\n1;2\n3;4\n"
    with pytest.raises(InputError, match=f"has its header again in line {line}, as where files were joined"):
        delimited.parse(f"{above}{rows}a;b{end}".encode(), "x.csv")
    assert (
        len(delimited.parse(f"{rows}a;bb{end}".encode(), "x.csv")) == 3
        and len(delimited.parse(b"a\na\nb\n", "x.csv")) == 2
    )
    assert len(delimited.parse(b"f,1\nm,0\nf,1\nm,1\n", "x.csv")) == 3  # no header: its first person is one of many


def test_a_file_whose_name_says_another_form_is_called_what_it_is(tmp_path) -> None:
    text = b"g,d\na,1\nb,0\n"
    written = {"a.xlsx": text, "a.parquet": text, "b.csv": gzip.compress(text), "c.csv": b'[{"g": "a", "d": 1}]'}
    wording = {"a.xlsx": "is text, whatever", "a.parquet": "end with .csv.", "b.csv": "a gzip file.*end with .csv.gz",
               "c.csv": "is JSON.*end with .json"}  # fmt: skip
    for name, content in written.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(FileError, match=wording[name]):
            delimited.read_table(tmp_path / name)
