"""Text tables are judged from their bytes; what that says is what reading them record by record says."""

from __future__ import annotations

import csv
import io
import warnings

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairstats.data import delimited
from fairstats.data.delimited_bytes import is_rectangular, odd_numbers
from fairstats.errors import FairstatsError

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
        made = text.getvalue()
    else:
        made = end.join(separator.join(line) for line in lines)  # by hand: quotes wherever they are
    return made.encode(draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252"])))


def outcome(raw: bytes, labels: list[str]) -> tuple[object, list[str]]:
    """What reading gives, the table or the error, and what it says on the way."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            made: object = delimited.parse(raw, "f.csv", None, labels)
        except (FairstatsError, pd.errors.ParserError) as problem:
            made = f"{type(problem).__name__}: {problem}"
    return made, [str(w.message) for w in said]


@settings(deadline=None, max_examples=400)
@given(files(), st.sets(st.sampled_from(["c0", "c1", "c2"])).map(sorted))
def test_the_quick_way_gives_what_the_slow_way_gives(raw, labels):
    quick, said = outcome(raw, labels)
    with pytest.MonkeyPatch.context() as patch:  # every row counted, every column of labels read again as text
        patch.setattr(delimited, "is_rectangular", lambda *_: False)
        patch.setattr(delimited, "odd_numbers", lambda raw, mark: (odd_numbers(raw, mark)[0], True))
        patch.setattr(delimited, "_doubtful_label", lambda *_: True)
        slow, also_said = outcome(raw, labels)
    assert said == also_said
    if isinstance(quick, str):
        assert quick == slow
    else:
        pd.testing.assert_frame_equal(quick, slow)


@settings(deadline=None, max_examples=400)
@given(files().filter(lambda raw: raw.isascii()), st.sampled_from([",", ";", "\t", "|"]))
def test_a_file_that_is_called_rectangular_is_so_to_a_csv_reader(raw, separator):
    records = [r for r in csv.reader(io.StringIO(raw.decode(), newline=""), delimiter=separator) if r]
    width = len(records[0]) if records else 1
    if is_rectangular(raw, separator, width):
        assert len(records) > 1 and {len(r) for r in records} == {width}


def test_ordinary_files_are_judged_without_reading_their_records(monkeypatch):
    """Without this the quick way might never be taken, and every other test would pass."""
    frame = pd.DataFrame({"name": ["a,b", 'the "one"', "two\nlines", ""], "x": [1, 2, 3, 4]})
    for options in ({}, {"quoting": csv.QUOTE_NONNUMERIC}, {"lineterminator": "\r\n"}, {"sep": ";"}):
        raw = frame.to_csv(index=False, **options).encode()
        assert is_rectangular(raw, options.get("sep", ","), 2), raw
    reads = []
    original = pd.read_csv
    monkeypatch.setattr(pd, "read_csv", lambda *a, **k: reads.append(k) or original(*a, **k))
    made = delimited.parse(b"g,d,y\na,1,Yes\nb,0,No\n", "f.csv", None, ["g", "d", "y"])
    assert len(reads) == 1 and made["d"].tolist() == [1, 0] and made["y"].tolist() == ["Yes", "No"]


@pytest.mark.parametrize(
    ("field", "padded", "odd"),
    [("01", 1, 0), ("-01", 1, 0), ("+01", 1, 1), (" 01", 1, 1), ("+1", 0, 1), ("1 ", 0, 1), ("-0", 0, 1), ("0", 0, 0),
     ("10", 0, 0), ("2001-01-01", 0, 0), ("01/02/2003", 0, 0), ("a 01", 0, 0), ("0.5", 0, 0), ("-0.5", 0, 0)],
)  # fmt: skip
@pytest.mark.parametrize("form", ["{},b\n", "b,{}\n", 'b,"{}"\r\n', "b,{}"])
def test_oddly_spelled_numbers_are_seen_wherever_they_stand(field, padded, odd, form):
    assert odd_numbers(b"x,y\n" + form.format(field).encode(), ",") == (bool(padded), bool(odd))
