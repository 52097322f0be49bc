"""Text tables: which encoding, which separator, which decimal mark, and whether every row fits the header."""

from __future__ import annotations

import csv
import io
import itertools
import re
import warnings
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from fairstats.data.delimited_bytes import count_letter, is_rectangular, odd_numbers
from fairstats.data.delimited_parts import at_once, in_parts
from fairstats.data.delimited_text import HEAD, utf8
from fairstats.edges import edge
from fairstats.errors import FairstatsWarning, FileError, InputError, listing
from fairstats.labels import INTEGER, PADDED, column_parts, of_text

if TYPE_CHECKING:
    import pandas as pd

SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe"}
# What R, pandas and databases write for "no value"; "None" is left out: it is a legitimate answer in surveys.
MISSING = ("", "NA", "N/A", "#N/A", "<NA>", "NaN", "nan", "NULL", "null")
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+([eE][+-]?\d+)?")
_DECIMAL_POINT = re.compile(r"[+-]?\d+\.\d+([eE][+-]?\d+)?")
_LINE_END = re.compile(rb"\r\n|\n|\r")
_NO_BLANK = re.compile(rb"\S")
_SAID = re.compile(rb"sep=([,;\t|])\r?\n")
_SAMPLED_ROWS = 1000
SHORT = 1 << 18  # bytes: a thread would cost more than it saves


def parse(raw: bytes | bytearray, name: str, separator: str | None = None, labels: Iterable[str] = ()) -> pd.DataFrame:
    """Read a delimited text table with a header line.

    A column is numbers where all its texts are numbers; one with leading zeros (``01``) is text. Whole numbers stay
    integers beside missing values, however long they are.

    Parameters
    ----------
    raw : bytes
        The content of the file.
    name : str
        The file's name, for messages.
    separator : str, optional
        The separator; found from the first rows when absent.
    labels : iterable of str, optional
        Columns of labels, which stay text also where two texts are one number (``1`` and ``1.0``).

    Returns
    -------
    pandas.DataFrame
        One column for each name of the header; a column that stands twice with equal values is read once.

    Raises
    ------
    FileError
        The content is empty, or is not text.
    InputError
        No rows, two different columns of one name, or a row whose number of fields is not the header's.

    Examples
    --------
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
    if said := _SAID.match(data):  # what Excel writes and reads in the first line
        separator, data = separator or said[1].decode(), data[said.end() :]
    mark = separator or _find_separator(data)
    header, start = _header(data, mark, name)
    if not _NO_BLANK.search(data, start):
        raise InputError(f"{name} has a header ({listing(header)}) and no rows; nothing can be estimated from it.")
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
    frame, fitting, odd = _judged_frame(data, start, mark, options)
    if not fitting:
        _check_records(data, mark, name, header, int(said is not None))
    if frame is None or not fitting:
        frame = at_once(data, start, options)
    asked = {part for label in labels for part in column_parts(label, header)}
    doubtful = [j for j in frame if (_doubtful_label if header[j] in asked else _doubtful)(frame[j], *odd)]
    if doubtful:
        texts = at_once(data, start, options | {"dtype": str, "usecols": doubtful})
        for j in doubtful:
            frame[j] = _column(frame[j], texts[j], f"{name}: the column {header[j]}", header[j] in asked)
    return single_columns(frame.set_axis(header, axis=1), name)


def _judged_frame(
    data: bytes, start: int, mark: str, options: dict[str, Any]
) -> tuple[pd.DataFrame | None, bool, tuple[bool, bool]]:
    """What pandas makes of the bytes, whether every row fits, and whether numbers are oddly spelled."""
    fields = len(options["names"])
    is_plain = b'"' not in data and b"\r" not in data  # then every separator is between two fields

    def seen() -> bool | int:
        return count_letter(data, mark) if is_plain else is_rectangular(data, mark, fields)

    if len(data) <= SHORT:
        frame, found, spelled = in_parts(data, start, options), seen(), odd_numbers(data, mark)
    else:
        with ThreadPoolExecutor(1) as beside:  # neither waits for the interpreter
            found_beside, spelled_beside = beside.submit(seen), beside.submit(odd_numbers, data, mark)
            frame = in_parts(data, start, options)
            found, spelled = found_beside.result(), spelled_beside.result()
    if is_plain:  # no row has more fields than the header, as the frame is there: none has fewer if the sum is right
        found = frame is not None and len(frame) > 0 and found == (fields - 1) * (len(frame) + 1)
    return frame, bool(found), spelled


def _doubtful_label(column: Any, padded: bool, odd: bool) -> bool:
    """Whether the texts of a column of labels may be something else than what pandas made of them."""
    kind = getattr(column.dtype, "kind", "O")
    if kind in "iu":
        return padded or odd
    first = column.first_valid_index()
    is_text = first is not None and isinstance(column[first], str)
    return not is_text or _doubtful(column, padded, odd)


def _doubtful(column: Any, padded: bool, odd: bool) -> bool:
    """Whether pandas may have lost what the texts say: leading zeros, or integers that became floats for a gap."""
    kind = getattr(column.dtype, "kind", "O")
    if kind == "f":
        values = column.to_numpy()
        values = values[np.isfinite(values)]
        return bool(padded or (values == np.floor(values)).all())
    if kind in "iu":
        return padded
    first = column.first_valid_index()  # integers beyond 64 bits: pandas then forgets what is missing
    return first is not None and INTEGER.fullmatch(str(column[first])) is not None


def _column(guess: Any, texts: Any, name: str, is_label: bool) -> Any:
    """A column as its texts ask for, given what pandas made of them."""
    different = list(texts.dropna().unique())
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
        warnings.warn(
            f"{name} spells one number in several ways ({listing(different)}), which are one as numbers; if they are "
            "labels, say so: read_table(path, labels=[...]).",
            FairstatsWarning,
            stacklevel=2,
        )
    return guess


def single_columns(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return the frame with each name once: equal columns of one name are one column, others an InputError."""
    repeated = frame.columns.duplicated()
    for column in frame.columns[repeated].unique():
        same = frame.loc[:, frame.columns == column]
        if not all(same.iloc[:, 0].equals(same.iloc[:, j]) for j in range(1, same.shape[1])):
            raise InputError(f"{name} has several columns named {column}, and they differ; rename all but one.")
    return frame.loc[:, ~repeated] if repeated.any() else frame


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
    ends = itertools.islice((found.end() for found in _LINE_END.finditer(data)), lines - 1, None)
    return [field.strip() or f"column_{i}" for i, field in enumerate(header, 1)], next(ends, len(data))


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
        raise InputError(f"{name} has a header ({listing(header)}) and no rows; nothing can be estimated from it.")


def _unsplit(name: str, error: csv.Error) -> InputError:
    return InputError(f"{name} cannot be split into fields ({error}); save it again as CSV.")


def _ragged(name: str, separator: str, header: list[str], line: int, fields: list[str], first: bool) -> InputError:
    if first and len(fields) == len(header) + 1:
        return InputError(
            f"{name} has {len(header)} names in its header but {len(fields)} fields in line {line}: the first column "
            "has no name. R's write.table does that with row names; write it with row.names = FALSE."
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
    warnings.warn(
        f"{name} was read with decimal commas ({comma} is {comma.replace(',', '.')}).", FairstatsWarning, stacklevel=2
    )
    return ","
