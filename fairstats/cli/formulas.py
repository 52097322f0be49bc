"""Text of data that a spreadsheet would run as a formula: said, or made inert where that was asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def for_spreadsheets(frame: Any, path: str, is_inert: bool, say: Callable[[str], None]) -> Any:
    """Return a table for a .csv file, and say where it holds such text.

    Data are written as they are, so that what is read back is what was written; only where ``is_inert`` asks for it,
    such text gets an apostrophe.

    Examples
    --------
    >>> import pandas as pd
    >>> for_spreadsheets(pd.DataFrame({"g": ["=1+2", "b"]}), "a.csv", True, print)["g"].tolist()
    ["'=1+2", 'b']
    """
    from pandas.api.types import is_numeric_dtype

    from fairstats.reporting.bundle import inert

    made, is_said = frame.copy(deep=False), False
    for column in (name for name in frame if not is_numeric_dtype(frame[name])):
        known = {value: inert(value) for value in frame[column].unique() if isinstance(value, str)}
        formulas = [value for value, other in known.items() if value != other]
        if formulas and is_inert:
            made[column] = frame[column].astype(object).map(lambda value, known=known: known.get(value, value))
        elif formulas and not is_said:
            is_said = True
            say(
                f"{path} has {formulas[0]!r} in the column {column}, which a spreadsheet would run as a formula; "
                "--inert puts an apostrophe before such text."
            )
    return made
