"""A file becomes a table with its hash, and a table a file, by the suffix."""

from __future__ import annotations

import codecs
import csv
import gzip
import hashlib
import io
import itertools
import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from fairstats.arrays import DIFFER, Framed
from fairstats.errors import (
    Call,
    FileError,
    InputError,
    edge,
    ignoring,
    listing,
    not_installed,
    reason,
    snippet,
    visible,
    warn,
)
from fairstats.files import GZIP, existing, file_sha256, replacing, unpacked
from fairstats.labels import INTEGER, PADDED, column_parts, is_numeric_text, of_text
from fairstats.language import DataText, Message, message, translated
from fairstats.validation import answering, items, word

if TYPE_CHECKING:
    import pandas as pd


# The bytes of a text table as UTF-8: which encoding they are in, and what is no text though its name says so.


HEAD = 4096
_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
# What is saved or fetched under the name of a table.
_OTHERS = (
    (b"%pdf-", "a PDF"), (b"<!doctype", "a web page"), (b"<html", "a web page"), (b"{\\rtf", "a text with formats"),
    (b"pk\x03\x04", "a workbook or another archive"), (b"\xd0\xcf\x11\xe0", "an old workbook"),
)  # fmt: skip


def utf8(raw: bytes | bytearray, name: str) -> bytes:
    """Return a file's text as UTF-8 without marks: it may be UTF-16, else Windows-1252 or Latin-1 with a warning."""
    kind = next((kind for mark, kind in _OTHERS if raw[:HEAD].lstrip().lower().startswith(mark)), "")
    if kind:
        raise FileError(f"{name} is not text but {kind}, whatever its name says; export the table as CSV.")
    if raw.startswith(GZIP):
        raise FileError(f"{name} is a gzip file, whatever its name says; let its name end with .csv.gz.")
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            if encoding == "utf-16":
                return _strictly(raw, encoding, name).encode()
            raw = raw.removeprefix(mark * (1 + raw[len(mark) :].startswith(mark)))  # two programs put one there each
            return bytes(raw) if _is_utf8(raw) else _strictly(raw, "utf-8", name).encode()
    if b"\0" in raw[:HEAD]:
        return _strictly(raw, _utf16_order(raw[:HEAD], name), name).encode()
    if _is_utf8(raw):
        return bytes(raw)
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        text, encoding = _western(raw)
        warn(
            f"{name} is not UTF-8 (byte 0x{raw[error.start]:02x} at position {error.start}); it was read as "
            f"{encoding}. Save it as UTF-8 if its letters look wrong."
        )
        return text.encode()
    raise AssertionError("UTF-8 in blocks is UTF-8 as a whole")


def _is_utf8(raw: bytes | bytearray) -> bool:
    """Whether the bytes are UTF-8, without the text that they are."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    view = memoryview(raw)
    try:
        for start in range(0, len(raw), 1 << 20):
            decoder.decode(view[start : start + (1 << 20)])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _strictly(raw: bytes | bytearray, encoding: str, name: str) -> str:
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        raise FileError(
            f"{name} starts like {encoding.upper()} text but breaks it at byte {error.start}; "
            "the file is damaged or is not text: save it again as UTF-8."
        ) from None


def _utf16_order(head: bytes | bytearray, name: str) -> str:
    """Return the byte order of UTF-16 text without a mark, from the side on which the zero bytes stand."""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if min(even, odd) == 0 and max(even, odd) > len(head) / 8:
        return "utf-16-le" if odd else "utf-16-be"
    raise FileError(f"{name} is not text (it holds zero bytes); save the table as CSV or Parquet.")


def _western(raw: bytes | bytearray) -> tuple[str, str]:
    try:
        return raw.decode("cp1252"), "Windows-1252"
    except UnicodeDecodeError:
        return raw.decode("latin-1"), "Latin-1"


# What the bytes of a text table tell before it is split into fields: whether all rows fit, how numbers are spelled.


_BLOCK = 1 << 19  # bytes: what is made of a block stays in cache
_NEWLINE, _RETURN, _QUOTE, _POINT, _ZERO, _MINUS = b'\n\r".0-'
Bytes = NDArray[np.uint8]


def is_rectangular(raw: bytes, separator: str, fields: int) -> bool:
    """Return whether every record certainly has this many fields, and there is one below the header.

    False also where it cannot be known from bytes: quotes inside of fields, or lines that end in a return alone; then
    the records have to be read one by one.

    raw: UTF-8 text.
    separator: one character.

    >>> is_rectangular(b"a,b\\n1,2\\n", ",", 2), is_rectangular(b"a,b\\n1\\n", ",", 2)
    (True, False)
    """
    if b"\r" in raw and raw.count(b"\r") != raw.count(b"\r\n"):
        return False
    mark, has_returns, has_quotes = ord(separator), b"\r" in raw, b'"' in raw
    if has_quotes and not _quotes_pair(np.frombuffer(raw, np.uint8), mark):
        return False
    kept, quoted = [np.empty(0, np.uint8)], np.uint8(0)
    for before_last, last, here, _, _ in _neighbors(raw):
        ends = (here == _NEWLINE) & (last != _NEWLINE)  # a blank line is no record
        if has_returns:
            ends &= (last != _RETURN) | (before_last != _NEWLINE)
        ends |= here == mark
        if has_quotes:
            parity = np.add.accumulate(here == _QUOTE, dtype=np.uint8) + quoted
            quoted = parity[-1]
            ends &= parity % 2 == 0
        kept.append(here[np.flatnonzero(ends)])  # twice as quick as here[ends]
    letters = np.concatenate(kept)  # separators and line ends, in their order
    if letters.size % fields or letters.size < 2 * fields:
        return False
    rows = letters.reshape(-1, fields)
    return bool((rows[:, -1] == _NEWLINE).all() and (rows[:, :-1] == mark).all())


def count_letter(raw: bytes, letter: str) -> int:
    """Return how often a letter of one byte stands in the text: a tenth of the time of ``raw.count``.

    >>> count_letter(b"a,b\\n1,2\\n", ",")
    2
    """
    data = np.frombuffer(raw, np.uint8)
    blocks = range(0, data.size, _BLOCK)
    return sum(int(np.count_nonzero(data[start : start + _BLOCK] == ord(letter))) for start in blocks)


def _quotes_pair(data: Bytes, mark: int) -> bool:
    """Whether every first quote of two begins a field and every second one ends it, or two of them stand for one."""
    quotes = np.flatnonzero(data == _QUOTE)
    if quotes.size % 2:
        return False
    opening, closing = quotes[0::2], quotes[1::2]
    before = data[np.maximum(opening - 1, 0)]
    after = data[np.minimum(closing + 1, data.size - 1)]
    begins = (before == mark) | (before == _NEWLINE) | (opening == 0)
    ends = (after == mark) | (after == _NEWLINE) | (after == _RETURN) | (closing == data.size - 1)
    doubled = opening[1:] == closing[:-1] + 1
    return bool(begins[0] and ends[-1] and (begins[1:] | doubled).all() and (ends[:-1] | doubled).all())


def odd_numbers(raw: bytes, separator: str) -> tuple[bool, bool]:
    """Return whether some field may be a number with a leading zero, and whether one may be otherwise oddly spelled.

    A number is oddly spelled with a sign ``+``, as ``-0``, or between blanks: as a number it loses that. False is sure.

    >>> odd_numbers(b"a,b\\n01,2\\n", ","), odd_numbers(b"a,b\\n1, 2\\n", ",")
    ((True, False), (False, True))
    """
    edge = _table(separator.encode() + b'\r\n"')
    number = _table(separator.encode() + b'\r\n" .,0123456789')  # what may follow the second digit of a number
    sign = _table(b"+- ")
    blanks = [letter for letter in b" +\t\v\f" if letter != ord(separator) and letter in raw]
    padded = odd = False
    for before_last, last, here, after, after_next in _neighbors(raw):
        zero = here == _ZERO
        if not padded:
            at = np.flatnonzero(zero & _is_digit(after) & ~_is_digit(last) & (last != _POINT))
            first = np.where(sign[last[at]], before_last[at], last[at])  # a sign belongs to the number
            padded = bool((edge[first] & number[after_next[at]]).any())
        if not odd:
            at = np.flatnonzero(zero & (last == _MINUS))
            odd = bool((edge[before_last[at]] & edge[after[at]]).any())
        for letter in () if odd else blanks:
            at = np.flatnonzero(here == letter)
            odd = odd or bool((edge[last[at]] | edge[after[at]]).any())
        if padded and odd:
            break
    return padded, odd


def _is_digit(letters: Bytes) -> NDArray[np.bool_]:
    return letters - np.uint8(_ZERO) < 10


def _table(letters: bytes) -> NDArray[np.bool_]:
    """For each byte, whether it is one of these."""
    among = np.zeros(256, dtype=bool)
    among[list(letters)] = True
    return among


def _neighbors(raw: bytes) -> Iterator[tuple[Bytes, Bytes, Bytes, Bytes, Bytes]]:
    """Block by block the two bytes before each, itself, and the two after it; beyond the ends are line breaks."""
    size = len(raw) + 1  # a line break ends the last line, too
    for start in range(0, size, _BLOCK):
        stop = min(start + _BLOCK, size)
        before, after = max(2 - start, 0), max(stop + 2 - len(raw), 0)
        part = b"\n" * before + raw[max(start - 2, 0) : stop + 2] + b"\n" * after
        data, n = np.frombuffer(part, np.uint8), stop - start
        yield data[:n], data[1 : n + 1], data[2 : n + 2], data[3 : n + 3], data[4 : n + 4]


# The bytes of a text table as a frame: pandas splits them in parts, several at once.


PART = 3 << 20  # bytes that pandas splits at once: what it makes of them stays in cache
WORKERS = 4  # more do not help: what they make is put together by one


def in_parts(data: bytes, start: int, options: dict[str, Any]) -> pd.DataFrame | None:
    """Return what pandas makes of the bytes, part by part; None where that fails, or a row has more fields than names.

    It is what all of them at once give if every second quote ends a field: parts are cut at line ends outside quotes.
    A column that is not of one kind in all parts is read again from the whole, since its kind is that of all its texts.

    data: UTF-8 text.
    start: where the header ends.
    options: of `pandas.read_csv`; ``header`` is None and ``names`` are given.

    >>> in_parts(b"a,b\\n1,x\\n", 4, {"header": None, "names": ["a", "b"]})["a"].tolist()
    [1]
    """
    import pandas as pd
    from pandas.errors import ParserWarning

    parts = _parts(data, start)

    def result(part: tuple[int, int]) -> pd.DataFrame:
        piece = data[slice(*part)]
        # Of a longer row pandas makes an error, or an index where it is the first: without index_col=False, which cuts.
        if _first_row(piece, options.get("sep", ",")) > len(options["names"]):
            raise ValueError("the first row is longer than the header")
        with io.BytesIO(piece) as stream:
            return pd.read_csv(stream, low_memory=False, **options | {"index_col": None})

    try:
        with ignoring(ParserWarning):
            if len(parts) == 1:
                return result(parts[0])
            with ThreadPoolExecutor(_workers()) as beside:
                columns_read = [dict(frame.items()) for frame in beside.map(result, parts)]
    except (ValueError, csv.Error):  # and what pandas derives from the first
        return None
    columns, mixed = {}, []
    for j in options["names"]:
        current = [columns_of.pop(j) for columns_of in columns_read]
        members = {str(part.dtype) for part in current}
        if len(members) == 1 or members == {"int64", "float64"}:
            columns[j] = pd.concat(current, ignore_index=True)
        else:
            columns[j] = None
            mixed.append(j)
    if mixed:
        again = at_once(data, start, options | {"usecols": mixed})
        columns |= {j: again[j] for j in mixed}
    return pd.DataFrame(columns, copy=False)


def _first_row(piece: bytes, separator: str) -> int:
    """The fields of the first row that is not blank."""
    with io.TextIOWrapper(io.BytesIO(piece), encoding="utf-8", newline="") as text:
        return len(next(filter(None, csv.reader(text, delimiter=separator)), ()))


def at_once(data: bytes, start: int, options: dict[str, Any]) -> pd.DataFrame:
    """Return what pandas makes of the bytes below the header as a whole."""
    import pandas as pd

    with io.BytesIO(data) as stream:
        stream.seek(start)
        return pd.read_csv(stream, low_memory=False, **options)


def _parts(data: bytes, start: int) -> list[tuple[int, int]]:
    """Where each part begins and ends: after a line break before which quotes pair."""
    parts = []
    while len(data) - start > PART:
        stop, counted, open_quote = start + PART, start, False
        while stop := data.find(b"\n", stop) + 1:
            open_quote ^= data.count(b'"', counted, stop) % 2 == 1
            if not open_quote:
                break
            counted = stop
        if not stop:
            break
        parts.append((start, stop))
        start = stop
    return [*parts, (start, len(data))] if start < len(data) else parts


def _workers() -> int:
    """Return how many parts are split at once: as many as this process has processors, up to a few."""
    current = getattr(os, "sched_getaffinity", None)
    return min(WORKERS, len(current(0)) if current else os.cpu_count() or 1)


# Text tables: which encoding, which separator, which decimal mark, and whether every row fits the header.


SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe"}
# What R, pandas and databases write for "no value"; "None" is left out: it is a legitimate answer in surveys.
MISSING = ("", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null")
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+([eE][+-]?\d+)?")
_DECIMAL_POINT = re.compile(r"[+-]?\d+\.\d+([eE][+-]?\d+)?")
_PERHAPS_THOUSANDS, _BELOW_THOUSAND = re.compile(r"[+-]?[1-9]\d{0,2}[.,]\d{3}"), re.compile(r"[+-]?\d{1,3}")
_LINE_END = re.compile(rb"\r\n|\n|\r")
_NO_BLANK = re.compile(rb"\S")
_SEPARATOR_LINE = re.compile(rb"sep=([,;\t|])\r?\n")
_SAMPLED_ROWS = 1000
SHORT = 1 << 18  # bytes: a thread would cost more than it saves


def parse(raw: bytes | bytearray, name: str, separator: str | None = None, labels: Iterable[str] = ()) -> pd.DataFrame:
    """Read a delimited text table with a header line.

    A column is numbers where all its texts are numbers; one with leading zeros (``01``) is text. Whole numbers stay
    integers beside missing values, however long they are.

    raw: the content of the file.
    name: the file's name, for messages.
    separator: the separator; found from the first rows when absent.
    labels: columns of labels, which stay text also where two texts are one number (``1`` and ``1.0``).
    Returns: one column for each name of the header; a column that stands twice with equal values is read once.
    Raises FileError: the content is empty, or is not text.

    >>> parse(b"group;score\\na;3\\nb;4\\n", "scores.csv")["score"].tolist()
    [3, 4]
    """
    with edge(name, "save it again as CSV", InputError):
        return _parsed(raw, name, separator, labels)


def _parsed(raw: bytes | bytearray, name: str, separator: str | None, labels: Iterable[str]) -> pd.DataFrame:
    csv.field_size_limit(max(csv.field_size_limit(), 1 << 27))
    data = utf8(raw, name)
    if not data or (data[:HEAD].decode(errors="replace").isspace() and data.decode().isspace()):
        raise FileError(f"{name} is empty; it needs a header line and at least one row.")
    if data[:HEAD].lstrip().startswith((b"[{", b'{"')):
        raise FileError(f"{name} is JSON, whatever its name says; let its name end with .json.")
    if text := _SEPARATOR_LINE.match(data):  # what Excel writes and reads in the first line
        separator, data = separator or text[1].decode(), data[text.end() :]
    mark = separator or _find_separator(data)
    header, start = _header(data, mark, name)
    if not _NO_BLANK.search(data, start):
        raise InputError(name, f"has a header ({listing(header)}) and no rows; nothing can be estimated from it.")
    options: dict[str, Any] = {
        "sep": mark,
        "header": None,
        "names": range(len(header)),
        "index_col": False,
        "na_values": list(MISSING),
        "keep_default_na": False,
        "skip_blank_lines": True,
        "decimal": _decimal_mark(data, mark, name),
    }
    frame, fitting, odd = _parsed_frame(data, start, mark, options)
    if not fitting:
        _check_records(data, mark, name, header, int(text is not None))
    _refuse_second_header(data, start, header, name, int(text is not None))
    if frame is None or not fitting:
        frame = at_once(data, start, options)
    members = {part for label in labels for part in column_parts(label, header)}
    doubtful = [j for j in frame if (_doubtful_label if header[j] in members else _doubtful)(frame[j], *odd)]
    if doubtful:
        texts = at_once(data, start, options | {"dtype": str, "usecols": doubtful})
        for j in doubtful:
            frame[j] = _column(frame[j], texts[j], f"{name}: the column {header[j]}", header[j] in members)
        # a column that stayed text was not read with a decimal mark
        read = [j for j in doubtful if header[j] not in members and frame[j].dtype.kind in "iuf"]
        thousands = {header[j]: _perhaps_thousands(texts[j]) for j in read}
        if marked := {column: first for column, first in thousands.items() if first}:
            for of_one in marked.items():
                warn(f"{name}: {translated(perhaps_thousands(*of_one))}")
            frame.attrs[THOUSANDS] = marked
    if any(word.encode() in data for word in MISSING[1:]):
        texts = [j for j in frame if header[j] in members and getattr(frame[j].dtype, "kind", "O") not in "iuf"]
        _warn_of_words(data, start, options, {j: header[j] for j in texts if frame[j].isna().any()}, name)
    return single_columns(frame.set_axis(header, axis=1), name)


def _parsed_frame(
    data: bytes, start: int, mark: str, options: dict[str, Any]
) -> tuple[pd.DataFrame | None, bool, tuple[bool, bool]]:
    """What pandas makes of the bytes, whether every row fits, and whether numbers are oddly spelled."""
    fields = len(options["names"])
    is_plain = b'"' not in data and b"\r" not in data  # then every separator is between two fields

    def seen() -> bool | int:
        return count_letter(data, mark) if is_plain else is_rectangular(data, mark, fields)

    if len(data) <= SHORT:
        frame, result, spelled = in_parts(data, start, options), seen(), odd_numbers(data, mark)
    else:
        with ThreadPoolExecutor(1) as beside:  # neither waits for the interpreter
            result_beside, spelled_beside = beside.submit(seen), beside.submit(odd_numbers, data, mark)
            frame = in_parts(data, start, options)
            result, spelled = result_beside.result(), spelled_beside.result()
    if is_plain:  # no row has more fields than the header, as the frame is there: none has fewer if the sum is right
        result = frame is not None and len(frame) > 0 and result == (fields - 1) * (len(frame) + 1)
    return frame, bool(result), spelled


def _warn_of_words(data: bytes, start: int, options: dict[str, Any], labels: dict[int, str], name: str) -> None:
    """Say which words in columns of labels were read as missing: NA may be Native American, or Namibia."""
    if not labels:
        return
    texts = at_once(data, start, options | {"dtype": str, "usecols": list(labels), "na_values": [""]})
    for j, column in labels.items():
        _warn_of(Counter(texts[j][texts[j].isin(MISSING)]), column, name)


def _warn_of(counts: Counter[str], column: str, name: str) -> None:
    if counts:
        words = ", ".join(f"{word!r} ({n:,})" for word, n in counts.most_common())
        warn(
            f"{name}: {counts.total():,} values of the column {column} were read as missing: {words}. Where one "
            "of these is a label, as NA may be for Native American, write it out in the file."
        )


def _doubtful_label(column: Any, padded: bool, odd: bool) -> bool:
    """Whether the texts of a column of labels may be something else than what pandas made of them."""
    kind = getattr(column.dtype, "kind", "O")
    if kind in "iu":
        return padded or odd
    first = column.first_valid_index()
    is_text = first is not None and isinstance(column[first], str)
    return not is_text or _doubtful(column, padded, odd)


def _doubtful(column: Any, padded: bool, odd: bool) -> bool:
    """Whether pandas may have lost what the texts say: leading zeros, a mark of thousands, integers beside a gap."""
    kind = getattr(column.dtype, "kind", "O")
    if kind == "f":
        values = column.to_numpy()
        values = values[np.isfinite(values)]
        thousands = (np.abs(values) >= 1) & (np.abs(values) < 1000) & np.isclose(1000 * values, np.round(1000 * values))
        return bool(padded or (values == np.floor(values)).all() or thousands.all())
    if kind in "iu":
        return padded
    first = column.first_valid_index()  # integers beyond 64 bits: pandas then forgets what is missing
    return first is not None and INTEGER.fullmatch(str(column[first])) is not None


THOUSANDS = "thousands"  # columns whose mark may be one of thousands, each with such a text


def _perhaps_thousands(texts: Any) -> str:
    """The first number of a column whose mark may be one of thousands, "" where one excludes that."""
    different = texts.drop_duplicates().dropna().str.strip().tolist()
    marked = [t for t in different if _PERHAPS_THOUSANDS.fullmatch(t)]
    return marked[0] if marked and all(t in marked or _BELOW_THOUSAND.fullmatch(t) for t in different) else ""


def perhaps_thousands(column: str, text: str) -> Message:
    """The caution on a column whose numbers were read with a decimal mark."""
    values = {"text": DataText(text), "digits": re.sub(r"[.,]", "", text)}
    return PERHAPS_THOUSANDS.format(column=DataText(column), number=f"{float(text.replace(',', '.')):g}", **values)


PERHAPS_THOUSANDS = message(
    "The column {column} has {text}, which was read as {number}, with a decimal mark. If the mark is one of thousands, "
    "write {digits} in the file."
)


def _column(guess: Any, texts: Any, name: str, is_label: bool) -> Any:
    """A column as its texts ask for, given what pandas made of them."""
    different = texts.drop_duplicates().dropna().tolist()
    if not is_label:
        different = [t.strip() for t in different]
    if all(INTEGER.fullmatch(t) for t in different):
        low, high = min(map(int, different), default=0), max(map(int, different), default=0)
        kind = "Int64" if low >= -(2**63) and high < 2**63 else "UInt64" if low >= 0 and high < 2**64 else ""
        if not different or (kind and guess.dtype.kind in "iu"):
            return guess
        return texts.str.strip().astype(kind) if kind else texts
    if guess.dtype.kind in "iuf" and any(PADDED.match(t) for t in different):
        return texts
    if is_label:
        return texts if of_text(different) is None else guess
    if guess.dtype.kind in "iuf" and (guess.dropna() % 1 == 0).all() and guess.nunique() < len(different):
        warn(
            f"{name} spells one number in several ways ({listing(different)}), which are one as numbers; if they are "
            f"labels, {snippet('say so: read_table(path, labels=[...])')}."
        )
    return guess


EQUAL = "equal columns"  # names that stood several times, in the attributes of a frame that was read


def single_columns(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return the frame with each name once: equal columns of one name are one column, others are left out."""
    repeated = frame.columns.duplicated()
    if not repeated.any():
        return frame
    names: dict[str, list[str]] = {EQUAL: [], DIFFER: []}
    for column in frame.columns[repeated].unique():
        same = frame.loc[:, frame.columns == column]
        are_equal = all(same.iloc[:, 0].equals(same.iloc[:, j]) for j in range(1, same.shape[1]))
        names[EQUAL if are_equal else DIFFER].append(str(column))
    if names[DIFFER]:
        warn(
            f"{name} has several columns named {listing(names[DIFFER])}, and they differ: none of them can be used; "
            "rename all but one of each to use it."
        )
    kept = frame.loc[:, ~repeated & ~frame.columns.isin(names[DIFFER])]
    kept.attrs |= names
    return kept


def _records(data: bytes, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Line number and fields of every record that is not blank, read as far as they are asked for."""
    reader = csv.reader(io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", newline=""), delimiter=separator)
    for record in reader:
        if record:
            yield reader.line_num, record


def _find_separator(data: bytes) -> str:
    """The separator that gives the header more than one field and the first rows as many: the most fields win."""
    best, best_score = ",", (0.0, 1)
    for separator in SEPARATORS:
        sizes = [len(fields) for _, fields in itertools.islice(_records(data, separator), 50)]
        if not sizes or sizes[0] == 1:
            continue
        score = (sum(size == sizes[0] for size in sizes) / len(sizes), sizes[0])
        if score > best_score:
            best, best_score = separator, score
    return best


def _header(data: bytes, separator: str, name: str) -> tuple[list[str], int]:
    """The names of the first record, a field without one by its number; and where it ends.

    Pandas compares every name with all before it, which takes minutes where thousands are one.
    """
    try:
        lines, header = next(_records(data, separator))
    except csv.Error as error:
        raise _unsplit(name, error) from None
    ends = itertools.islice((result.end() for result in _LINE_END.finditer(data)), lines - 1, None)
    return [field.strip() or f"column_{i}" for i, field in enumerate(header, 1)], next(ends, len(data))


def _refuse_second_header(data: bytes, start: int, header: list[str], name: str, above: int) -> None:
    """Files that were joined by their bytes have the header of each among the rows."""
    line = b"\n" + data[:start].rstrip(b"\r\n")
    names = len(header) > 1 and not any(map(is_numeric_text, header))  # a number is a value, of a file without a header
    at = data.find(line, start - 1) if names else -1
    if at >= 0 and data[at + len(line) : at + len(line) + 1] in (b"", b"\r", b"\n"):
        line_number = data[:at].count(b"\n") + 2 + above
        raise InputError(
            name,
            f"has its header again in line {line_number:,}, as where files were joined; take that line away.",
        )


def _check_records(data: bytes, separator: str, name: str, header: list[str], above: int) -> None:
    """Read record by record whether each has as many fields as the header, where the bytes did not tell."""
    rows = 0
    try:
        for line, fields in itertools.islice(_records(data, separator), 1, None):
            rows += 1
            if len(fields) != len(header):
                raise _ragged(name, separator, header, line + above, fields, first=rows == 1)
    except csv.Error as error:
        raise _unsplit(name, error) from None
    if not rows:
        raise InputError(name, f"has a header ({listing(header)}) and no rows; nothing can be estimated from it.")


def _unsplit(name: str, error: csv.Error) -> InputError:
    return InputError(f"{name} cannot be split into fields ({error}); save it again as CSV.")


def _ragged(name: str, separator: str, header: list[str], line: int, fields: list[str], first: bool) -> InputError:
    if first and len(header) == 1:
        return InputError(
            name,
            f"has {header[0]!r} alone in its first line, but {len(fields)} fields in line {line}; the first line has "
            "the names of the columns: take away a title above them.",
        )
    if first and len(fields) == len(header) + 1:
        return InputError(
            name,
            f"has {len(header)} names in its header but {len(fields)} fields in line {line}: the first column "
            "has no name. R's write.table does that with row names; write it with row.names = FALSE.",
        )
    return InputError(
        f"{name}: line {line} has {len(fields)} fields, the header has {len(header)} (separator: "
        f"{SEPARATORS.get(separator, separator)}); quote fields that hold the separator, or complete the row."
    )


def _decimal_mark(data: bytes, separator: str, name: str) -> str:
    if separator == ",":
        return "."
    sample = itertools.islice(_records(data, separator), 1, _SAMPLED_ROWS)
    fields = [field.strip() for _, record in sample for field in record]
    comma = next((field for field in fields if _DECIMAL_COMMA.fullmatch(field)), None)
    if comma is None or any(_DECIMAL_POINT.fullmatch(field) for field in fields):
        return "."
    warn(f"{name} was read with decimal commas ({comma} is {comma.replace(',', '.')}).")
    return ","


@dataclass(frozen=True)
class Table(Framed):
    """A table that came from a file: the pandas frame, the file's name and SHA-256, its rows and columns."""

    frame: pd.DataFrame
    name: str
    sha256: str
    rows: int
    columns: int
    paths: tuple[str, ...] = field(default=(), repr=False, compare=False)  # as they were given

    def __getattr__(self, name: str) -> Any:
        frames = "; its pandas frame is .frame" if not name.startswith("_") else ""
        raise AttributeError(f"'Table' object has no attribute {name!r}{frames}")


@answering
def read_table(path: str | os.PathLike[str], *, labels: Iterable[str] = ()) -> Table:
    """Read a table from a file, with the hash that a report needs.

    Parameters
    ----------
    path : str or path
        ``.csv`` (separator and encoding are found), ``.tsv``, both also with ``.gz``; ``.parquet``; ``.feather`` and
        ``.arrow``, where a pandas index with a name is a column, and one without is none; ``.rds``, a data frame of R
        without its row names;
        ``.xlsx``, of one sheet with a header line; ``.json``, a list of records or an object of columns. In text files
        and workbooks an empty field, ``NA``, ``N/A``, ``n/a``, ``#N/A``, ``<NA>``, ``NaN``, ``nan``, ``NULL`` and
        ``null`` are missing values.
    labels : iterable of str, optional
        Columns of a text file that hold labels: text, unless all are numbers spelled in one way. Other columns are
        numbers where they can be; leading zeros (``01``) stay text in all. Of text in these columns a warning tells
        which words were read as missing.

    Returns
    -------
    Table
        The frame beside the name, SHA-256, rows and columns of the file.

    Raises
    ------
    FileError
        The file is missing, empty, damaged, or of a kind that is not read.
    InputError
        The table has no rows, two different columns of one name, or rows of unequal length.
    DependencyError
        Parquet and Arrow files need the ``scale`` extra, workbooks the ``tables`` extra.

    Examples
    --------
    >>> import fairstats as fs
    >>> from fairstats.data.datasets import ARRESTS
    >>> fs.read_table(ARRESTS).rows
    5226
    """
    wanted = tuple(word("labels", name) for name in items("labels", labels, "names of columns"))
    file = existing(path)
    return replace(read_file(file, file.name, wanted), paths=(os.fspath(path),))


def read_file(file: Path, name: str, labels: tuple[str, ...] = ()) -> Table:
    """`read_table` of a file that messages call by another name."""
    reader = _READERS.get(_suffix(file))
    if reader is None:
        raise FileError(_unknown_suffix(file))
    try:
        if file.stat().st_size == 0:
            raise FileError(f"{name} is empty; it needs a header line and at least one row.")
        if _suffix(file) in (".xlsx", ".parquet", ".feather", ".arrow"):
            _refuse_text(file, name)
        with ThreadPoolExecutor(1) as beside, edge(name, "copy it, or write it, again"):
            hashed = beside.submit(file_sha256, file)  # while the file is read
            frame = reader(file, name, labels)
        sha256 = hashed.result()
    except PermissionError:
        raise FileError(f"{str(file)!r} may not be read by this user; change its permissions.") from None
    if not len(frame):
        raise InputError(f"{name} has no rows; nothing can be estimated from it.")
    return Table(frame, visible(name), sha256, *frame.shape)


def _refuse_text(file: Path, name: str) -> None:
    """A file of text whose name was changed, in place of what it holds."""
    with file.open("rb") as stream:
        head = stream.read(HEAD)
    if head.isascii() and head.decode().replace("\n", "").replace("\r", "").replace("\t", "").isprintable():
        raise FileError(f"{name} is text, whatever its name says; if it is a CSV file, let its name end with .csv.")


def write_table(frame: Any, path: str | os.PathLike[str]) -> None:
    """Write a table; a file that exists is replaced in one step or left as it was.

    path: the suffix decides the form, as in `read_table`.
    Raises FileError: the folder is missing, or the suffix is unknown.
    """
    file = Path(path)
    if _suffix(file) not in _WRITERS:
        raise FileError(f"{file.name} cannot be written: its suffix is none of {listing(_WRITERS, len(_WRITERS))}.")
    with replacing(file) as beside:
        _WRITERS[_suffix(file)](nw.from_native(frame, eager_only=True), beside)


def _suffix(file: Path) -> str:
    suffixes = [s.lower() for s in file.suffixes]
    return "".join(suffixes[-2:]) if suffixes[-1:] == [".gz"] else "".join(suffixes[-1:])


_STATISTICAL = {
    ".sav": ("haven::read_sav()", "pandas.read_spss()"),
    ".dta": ("haven::read_dta()", "pandas.read_stata()"),
    ".sas7bdat": ("haven::read_sas()", "pandas.read_sas()"),
}


def _unknown_suffix(file: Path) -> str:
    text = listing(_READERS, len(_READERS))
    if _suffix(file) in (".rda", ".rdata"):
        return f"{file.name} holds a workspace of R, which is many objects; save the table: saveRDS(x, 'table.rds')."
    if _suffix(file) == ".npz":
        way = f"of a tally pass what {Call('load')} makes of it, of a result the data it was made of"
        return f"{file.name} holds a saved tally or result, which is no table; {way}."
    if _suffix(file) in _STATISTICAL:
        of_r, of_pandas = _STATISTICAL[_suffix(file)]
        way = f"read it first, in R with {of_r}, in Python with {of_pandas}"
        return f"{file.name} is not of a kind that is read ({text}); {way}."
    return f"{file.name} is not of a kind that is read ({text}); save the table as CSV or Parquet."


Labels = tuple[str, ...]
Reader = Callable[[Path, str, Labels], "pd.DataFrame"]


def _read_delimited(separator: str | None) -> Reader:
    return lambda file, name, labels: parse(file.read_bytes(), name, separator, labels)


def _read_compressed(separator: str | None) -> Reader:
    def read(file: Path, name: str, labels: Labels) -> pd.DataFrame:
        raw = file.read_bytes()
        if not raw.startswith(GZIP):
            raise FileError(f"{name} is not a gzip file; take .gz from its name, or fetch it again.")
        return parse(unpacked(raw, name), name, separator, labels)

    return read


def _arrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise not_installed("a Parquet or Arrow file", "pyarrow", "scale") from None
    return pyarrow


def _read_arrow(open_table: Callable[[Any, str], Any]) -> Reader:
    def read(file: Path, name: str, labels: Labels) -> pd.DataFrame:
        pa = _arrow()
        try:
            table = open_table(pa, str(file))
            frame = table.to_pandas()
        except (pa.ArrowException, OSError, ValueError) as error:  # pandas' own notes in it may be broken, too
            reason, kind = str(error).splitlines()[0].rstrip("."), _suffix(file)[1:]
            raise FileError(f"{name} cannot be read as a {kind} file ({reason}); write it again.") from None
        frame = single_columns(frame, name)
        frame = _with_named_index(frame)
        return _whole_again(frame, table, pa)

    return read


def _with_named_index(frame: pd.DataFrame) -> pd.DataFrame:
    """Named parts of a pandas index as columns in front; what has no name only numbers the rows."""
    unnamed = [i for i, name in enumerate(frame.index.names) if name is None]
    if len(unnamed) == frame.index.nlevels:
        return frame.reset_index(drop=True)
    return frame.droplevel(unnamed).reset_index()


def _whole_again(frame: pd.DataFrame, table: Any, pa: Any) -> pd.DataFrame:
    """Integers with gaps as nullable integers: the floats that pandas makes of them run into each other."""
    import pandas as pd

    for of_file in table.schema:
        if pa.types.is_integer(of_file.type) and of_file.name in frame and frame[of_file.name].dtype.kind == "f":
            kind = str(of_file.type).capitalize().replace("Uint", "UInt")
            column = table.column(table.schema.get_all_field_indices(of_file.name)[0])
            frame[of_file.name] = column.to_pandas(
                types_mapper={of_file.type: pd.api.types.pandas_dtype(kind)}.get
            ).array
    return frame


def _open_parquet(pa: Any, path: str) -> Any:
    import pyarrow.parquet

    # Not read_table: that goes through a data set, which refuses names that stand twice without saying which.
    return pyarrow.parquet.ParquetFile(path).read()


def _open_ipc(pa: Any, path: str) -> Any:
    from pyarrow import ipc

    with pa.OSFile(path) as stream:
        try:
            return ipc.open_file(stream).read_all()
        except pa.ArrowInvalid:
            stream.seek(0)
            return ipc.open_stream(stream).read_all()


def _read_rds(file: Path, name: str, labels: Labels) -> pd.DataFrame:
    # What R's values mean is known at the top, beside the bridges; a file of them is the one thing that enters here.
    from fairstats.rvalues.rds import read_frame

    return read_frame(file, name)


def _read_workbook(file: Path, name: str, labels: Labels) -> pd.DataFrame:
    import pandas as pd

    try:
        import openpyxl
    except ImportError:
        raise not_installed("a workbook", "openpyxl", "tables") from None
    from xml.etree.ElementTree import ParseError  # nosec B405: the error alone, which is a SyntaxError as one of our code

    try:
        book = openpyxl.load_workbook(io.BytesIO(file.read_bytes()), read_only=True, data_only=True)
        cells = {sheet.title: [row for row in sheet.values if set(row) - {None}] for sheet in book.worksheets}
    except ParseError as problem:
        raise FileError(f"{name} cannot be read ({reason(problem)}); copy it, or write it, again.") from problem
    filled = [sheet for sheet, rows in cells.items() if rows]
    if len(filled) != 1:
        what = f"several sheets with cells ({listing(filled)})" if filled else "no sheet with cells"
        raise InputError(f"{name} has {what}; a table is one sheet; save that sheet as a file by itself.")
    header, *rows = cells[filled[0]]
    used = [j for j in range(len(header)) if header[j] is not None or any(row[j] is not None for row in rows)]
    if any(header[j] is None for j in used):
        raise InputError(f"{name} has cells below an empty head; the first line names every column; name them.")
    names = [str(header[j]) for j in used]
    members = {part for label in labels for part in column_parts(label, names)}
    columns = [[row[j] for row in rows] for j in used]
    for column, cells_below in zip(names, columns, strict=True):
        if column in members:
            _warn_of(
                Counter(cell for cell in cells_below if isinstance(cell, str) and cell in MISSING[1:]), column, name
            )
    # the words that mean "no value" in a text file mean it in the sheet that the file was written from
    kept = [[None if isinstance(cell, str) and cell in MISSING else cell for cell in below] for below in columns]
    return single_columns(pd.DataFrame(dict(enumerate(kept))).set_axis(names, axis=1), name)


def _read_json(file: Path, name: str, labels: Labels) -> pd.DataFrame:
    import pandas as pd

    content = json.loads(utf8(file.read_bytes(), name))
    by_index = isinstance(content, dict) and all(isinstance(one, dict) for one in content.values())
    if by_index and len({tuple(one) for one in content.values()}) == 1:  # as pandas writes it
        content = {column: list(values.values()) for column, values in content.items()}
    records = isinstance(content, list) and all(isinstance(one, dict) for one in content)
    columns = isinstance(content, dict) and all(isinstance(one, list) for one in content.values())
    parts = [list(one.values()) for one in content] if records else list(content.values()) if columns else [[[]]]
    nested = any(isinstance(value, (list, dict)) for part in parts for value in part)
    if nested or (columns and len(set(map(len, parts))) > 1):
        raise InputError(
            f"{name} is no table; a table in JSON is a list of records, or an object of columns of one length."
        )
    return pd.DataFrame(content)


def _write_rds(frame: Any, file: Path) -> None:
    from fairstats.rvalues.rds import rds_bytes

    file.write_bytes(rds_bytes(frame.to_pandas()))


def _write_delimited(separator: str, squeeze: Callable[[bytes], bytes]) -> Callable[[Any, Path], None]:
    def write(frame: Any, file: Path) -> None:
        text = io.StringIO()
        frame.to_pandas().to_csv(text, sep=separator, index=False, lineterminator="\n")
        if "\r" in text.getvalue():  # only the characters that end rows here are quoted in cells
            text = io.StringIO()
            frame.to_pandas().to_csv(text, sep=separator, index=False, lineterminator="\r\n")
        file.write_bytes(squeeze(text.getvalue().encode()))

    return write


def _marked(frame: Any) -> Any:
    """The table as Arrow has it, with the mark by which the command line knows that it may replace the file."""
    result = frame.to_arrow()
    return result.replace_schema_metadata({**(result.schema.metadata or {}), b"fairstats.table": b"1"})


def _write_parquet(frame: Any, file: Path) -> None:
    _arrow()
    import pyarrow.parquet

    pyarrow.parquet.write_table(_marked(frame), file)


def _write_ipc(frame: Any, file: Path) -> None:
    _arrow()
    from pyarrow import feather

    feather.write_feather(_marked(frame), str(file), compression="uncompressed")


def _gzip(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)  # no clock in the file: the same table gives the same bytes


_READERS: dict[str, Reader] = {
    ".csv": _read_delimited(None),
    ".tsv": _read_delimited("\t"),
    ".csv.gz": _read_compressed(None),
    ".tsv.gz": _read_compressed("\t"),
    ".parquet": _read_arrow(_open_parquet),
    ".feather": _read_arrow(_open_ipc),
    ".arrow": _read_arrow(_open_ipc),
    ".rds": _read_rds,
    ".xlsx": _read_workbook,
    ".json": _read_json,
}
ENDINGS = tuple(_READERS)
_WRITERS: dict[str, Callable[[Any, Path], None]] = {
    ".csv": _write_delimited(",", bytes),
    ".tsv": _write_delimited("\t", bytes),
    ".csv.gz": _write_delimited(",", _gzip),
    ".tsv.gz": _write_delimited("\t", _gzip),
    ".parquet": _write_parquet,
    ".feather": _write_ipc,
    ".arrow": _write_ipc,
    ".rds": _write_rds,
}


# Several files as one table: their columns have to agree.


def _from_path(name: str, labels: Iterable[str]) -> Table:
    return read_table(name, labels=labels)


@dataclass(frozen=True)
class Several:
    """Files that are read as one table, and what reads each of them.

    The hash of one file is the file's. Of several it is that of the lines ``hash  name`` of each, which is what
    ``sha256sum FILE... | sha256sum`` prints where the names have no folders.
    """

    names: tuple[str, ...]
    read: Callable[[str, Iterable[str]], Table] = _from_path

    def table(self, labels: Iterable[str] = ()) -> Table:
        """Return the rows of all files below each other, in the order of the columns of the first."""
        labels = tuple(labels)
        tables = [self.read(name, labels) for name in self.names]
        if len(tables) == 1:
            return tables[0]
        return joined(tables)


def joined(tables: Sequence[Table]) -> Table:
    """Return several tables as one.

    >>> import pandas as pd
    >>> may = Table(pd.DataFrame({"sex": ["f"], "hired": [1]}), "may.csv", "aa", 1, 2)
    >>> june = Table(pd.DataFrame({"hired": [0], "sex": ["m"]}), "june.csv", "bb", 1, 2)
    >>> both = joined([may, june])
    >>> both.frame["sex"].tolist(), both.name
    (['f', 'm'], 'may.csv, june.csv')
    """
    import pandas as pd

    columns = list(tables[0].frame.columns)
    for other in tables[1:]:
        _refuse_other_columns(tables[0], other)
    _refuse_same_rows(tables)
    whole = pd.concat([_with_types(t.frame[columns], _column_types(tables)) for t in tables], ignore_index=True)
    lines = "".join(f"{t.sha256}  {t.name}\n" for t in tables)
    name, sha256 = listing([t.name for t in tables], 3), hashlib.sha256(lines.encode()).hexdigest()
    paths = tuple(path for t in tables for path in t.paths) if all(t.paths for t in tables) else ()
    whole.attrs[THOUSANDS] = {column: text for t in tables for column, text in t.frame.attrs.get(THOUSANDS, {}).items()}
    return Table(whole, name, sha256, len(whole), whole.shape[1], paths)


FEWEST_SAME = 20  # rows that two files do not share in another order by chance


def _refuse_same_rows(tables: Sequence[Table]) -> None:
    """Refuse a file that is another one, or has its rows in another order where few rows are alike by nature."""
    import pandas as pd

    found: dict[object, str] = {}
    sizes = Counter(len(t.frame) for t in tables)
    for table in (t for t in tables if sizes[len(t.frame)] > 1):
        rows = pd.util.hash_pandas_object(table.frame[list(tables[0].frame.columns)], index=False)
        different = rows.nunique()
        in_any_order = len(rows) >= FEWEST_SAME and 2 * different > len(rows)
        keys: list[object] = [table.sha256] * bool(table.sha256)
        keys += [(len(rows), different, int(rows.sum()))] * in_any_order
        for key in keys:
            if first := found.get(key):
                raise InputError(
                    f"{table.name} has the same rows as {first}, which would be counted twice; name one of the files."
                )
        found |= dict.fromkeys(keys, table.name)


def _refuse_other_columns(first: Table, other: Table) -> None:
    current, others = list(first.frame.columns), list(other.frame.columns)
    for names, beside, having, lacking in ((current, others, first, other), (others, current, other, first)):
        lost = [c for c in names if c not in beside]
        if lost:
            raise InputError(
                f"{lacking.name} has no column {lost[0]!r}, which {having.name} has; files are one table only where "
                "their columns agree."
            )


def _column_types(tables: Sequence[Table]) -> dict[str, Any]:
    """The type of each column over all files; one without any value has no say."""
    import pandas as pd

    types: dict[str, Any] = {}
    for column in tables[0].frame.columns:
        filled = [t for t in tables if t.frame[column].notna().any()]
        for other in filled[1:]:
            one, two = (_word(t.frame[column]) for t in (filled[0], other))
            if one != two:
                raise InputError(
                    f"{column!r} holds {one} in {filled[0].name} and {two} in {other.name}; write it in one way in all."
                )
        if len(filled) < len(tables) and filled:
            dtype = pd.concat([t.frame[column] for t in filled]).dtype
            types[column] = {"i": "Int64", "u": "UInt64", "b": "object"}.get(dtype.kind, dtype)
    return types


def _with_types(frame: pd.DataFrame, types: dict[str, Any]) -> pd.DataFrame:
    return frame.astype({c: kind for c, kind in types.items() if c in frame}) if types else frame


def _word(column: pd.Series) -> str:
    import pandas as pd

    kind = getattr(column.dtype, "kind", "O")
    if kind == "b" or (kind == "O" and pd.api.types.infer_dtype(column, skipna=True) == "boolean"):
        return "logical values"
    return "numbers" if kind in "iuf" else "dates" if kind in "mM" else "text"
