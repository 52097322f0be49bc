"""The bytes of a text table as a frame: pandas splits them in parts, several at once."""

from __future__ import annotations

import csv
import io
import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from fairstats.quiet import ignoring

if TYPE_CHECKING:
    import pandas as pd

PART = 3 << 20  # bytes that pandas splits at once: what it makes of them stays in cache
WORKERS = 4  # more do not help: what they make is put together by one


def in_parts(data: bytes, start: int, options: dict[str, Any]) -> pd.DataFrame | None:
    """Return what pandas makes of the bytes, part by part; None where that fails, or a row has more fields than names.

    It is what all of them at once give if every second quote ends a field: parts are cut at line ends outside quotes.
    A column that is not of one kind in all parts is read again from the whole, since its kind is that of all its texts.

    Parameters
    ----------
    data : bytes
        UTF-8 text.
    start : int
        Where the header ends.
    options : dict
        Of `pandas.read_csv`; ``header`` is None and ``names`` are given.

    Examples
    --------
    >>> in_parts(b"a,b\\n1,x\\n", 4, {"header": None, "names": ["a", "b"]})["a"].tolist()
    [1]
    """
    import pandas as pd
    from pandas.errors import ParserWarning

    parts = _parts(data, start)

    def made(part: tuple[int, int]) -> pd.DataFrame:
        piece = data[slice(*part)]
        # Of a longer row pandas makes an error, or an index where it is the first: without index_col=False, which cuts.
        if _first_row(piece, options.get("sep", ",")) > len(options["names"]):
            raise ValueError("the first row is longer than the header")
        with io.BytesIO(piece) as stream:
            return pd.read_csv(stream, low_memory=False, **options | {"index_col": None})

    try:
        with ignoring(ParserWarning):
            if len(parts) == 1:
                return made(parts[0])
            with ThreadPoolExecutor(_workers()) as beside:
                made_of = [dict(frame.items()) for frame in beside.map(made, parts)]
    except (ValueError, csv.Error):  # and what pandas derives from the first
        return None
    columns, mixed = {}, []
    for j in options["names"]:
        own = [columns_of.pop(j) for columns_of in made_of]
        kinds = {str(part.dtype) for part in own}
        if len(kinds) == 1 or kinds == {"int64", "float64"}:
            columns[j] = pd.concat(own, ignore_index=True)
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
    own = getattr(os, "sched_getaffinity", None)
    return min(WORKERS, len(own(0)) if own else os.cpu_count() or 1)
