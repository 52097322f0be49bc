"""Tables of estimates in a saved file: text by column in the header, numbers as one array a column."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from fairstats.estimates import Estimate, Estimates
from fairstats.glossary import GLOSSARY, ROLES, STATUSES, VERDICTS

_CLOSED = {"role": ROLES, "status": tuple(STATUSES), "verdict": ("", *VERDICTS)}


def packed(rows: Estimates) -> dict[str, Any]:
    """Columns by name, lists of text and arrays of numbers; a column in which every row has the default is left out.

    Examples
    --------
    >>> packed(Estimates([Estimate("TPR", n=3)]))
    {'metric': ['TPR'], 'n': array([3.])}
    """
    columns: dict[str, Any] = {"metric": rows.column("metric")}
    blank = Estimate("")
    for name, column in GLOSSARY.items():
        values = rows.column(name)
        if name == "metric" or all(v == getattr(blank, name) or v != v for v in values):
            continue
        columns[name] = values if column.dtype == "str" else np.array(values, dtype=float)
    return columns


def unpacked(columns: Mapping[str, Any]) -> Estimates:
    """The table of these columns.

    Raises
    ------
    ValueError
        A column that is none, is of another type or length, or has a value outside its closed set.

    Examples
    --------
    >>> unpacked({"metric": ["TPR"], "n": np.array([3.0])})[0].n
    3.0
    """
    n = len(columns["metric"])
    read = {name: _column(name, values, n) for name, values in columns.items()}
    return Estimates(Estimate(**dict(zip(read, row, strict=True))) for row in zip(*read.values(), strict=True))


def _column(name: str, values: Any, n: int) -> list[Any]:
    if name not in GLOSSARY:
        raise ValueError(f"{name[:40]!r} is no column of a table of estimates")
    if GLOSSARY[name].dtype == "float":
        if not isinstance(values, np.ndarray) or values.dtype != np.float64 or values.shape != (n,):
            raise ValueError(f"the column {name} is of another type")
        return list(values.tolist())
    if not isinstance(values, list) or len(values) != n or not all(type(v) is str for v in values):
        raise ValueError(f"the column {name} is of another type")
    if name in _CLOSED and not set(values) <= set(_CLOSED[name]):
        raise ValueError(f"the column {name} has a value that there is not")
    return values
