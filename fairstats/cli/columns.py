"""What the columns of a table hold, and which role each could play: for ``describe`` and ``protocol init``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fairstats.data.label_codes import MOST_NUMBERS
from fairstats.errors import FairstatsWarning, InputError
from fairstats.limits import most
from fairstats.quiet import ignoring

if TYPE_CHECKING:
    import pandas as pd

FEW = 20  # more groups than these are listed by their number


@dataclass(frozen=True)
class ColumnFacts:
    """One column: its kind, its distinct and its missing values, its labels with their counts, its possible roles."""

    name: str
    kind: str  # text, logical, date, whole numbers, numbers, empty
    rows: int
    missing: int
    distinct: int
    levels: tuple[tuple[str, int], ...]  # label and count, the most frequent first; only where they are few enough
    low: str
    high: str

    @property
    def roles(self) -> tuple[str, ...]:
        """What an audit could take the column for; facts alone, no guess."""
        known = self.rows - self.missing
        repeats = self.distinct < known
        is_number = self.kind in ("whole numbers", "numbers")
        groups = MOST_NUMBERS if self.kind == "whole numbers" else most("FAIRSTATS_MAX_GROUPS")
        can = {
            "outcome or decision": self.distinct == 2,
            "groups": 2 <= self.distinct <= groups and repeats and self.kind != "numbers",
            "score": is_number and self.distinct > 2,
            "weights": is_number and self.missing == 0 and self.distinct > 1 and float(self.low) >= 0,
            "strata": 2 <= self.distinct <= most("FAIRSTATS_MAX_GROUPS") and repeats and self.kind != "numbers",
            "clusters": self.distinct > FEW and repeats and self.kind != "numbers",
        }
        return tuple(role for role, possible in can.items() if possible)


def described(frame: pd.DataFrame) -> list[ColumnFacts]:
    """Return the facts about each column.

    Examples
    --------
    >>> import pandas as pd
    >>> [c.roles for c in described(pd.DataFrame({"hired": [1, 0, 1, 1], "id": list("abcd")}))]
    [('outcome or decision', 'groups', 'weights', 'strata'), ()]
    """
    return [_column(str(name), frame[name]) for name in frame]


def _column(name: str, values: pd.Series) -> ColumnFacts:
    known = values.dropna()
    kind = _kind(known)
    counts = known.value_counts()
    levels: tuple[tuple[str, int], ...] = ()
    if 0 < len(counts) <= most("FAIRSTATS_MAX_GROUPS") and kind != "numbers":
        levels = _levels(name, known)
    low, high = ("", "")
    if len(known) and kind in ("whole numbers", "numbers", "date"):
        low, high = (_shown(kind, value) for value in (known.min(), known.max()))
    return ColumnFacts(name, kind, len(values), int(values.isna().sum()), len(counts), levels, low, high)


def _levels(name: str, known: Any) -> tuple[tuple[str, int], ...]:
    """The labels as an audit has them, with their counts."""
    import numpy as np
    import pandas as pd

    from fairstats.data.columns import Columns

    try:
        with ignoring(FairstatsWarning):
            factor = Columns(pd.DataFrame({name: known})).factor(name, "groups")
    except InputError:
        return ()
    counts = np.bincount(factor.codes[factor.codes >= 0], minlength=len(factor.levels))
    order = np.argsort(-counts, kind="stable")
    return tuple((factor.levels[i], int(counts[i])) for i in order)


def _kind(known: Any) -> str:
    import pandas as pd

    if not len(known):
        return "empty"
    if pd.api.types.is_bool_dtype(known.infer_objects()):
        return "logical"
    if pd.api.types.is_datetime64_any_dtype(known):
        return "date"
    if pd.api.types.is_numeric_dtype(known):
        return "whole numbers" if ((known % 1) == 0).all() else "numbers"
    return "text"


def _shown(kind: str, value: Any) -> str:
    return str(value) if kind == "date" else f"{float(value):.6g}"


def counted(levels: tuple[tuple[str, int], ...], most: int, quote: Callable[[str], str] = str) -> str:
    """``Yes (4,334), No (892)`` or its first entries and how many more there are.

    Examples
    --------
    >>> counted((("Yes", 4334), ("No", 892)), 6)
    'Yes (4,334), No (892)'
    """
    shown = [f"{quote(label)} ({n:,})" for label, n in levels[:most]]
    left = len(levels) - most
    return ", ".join(shown) + (f" and {left} more" if left > 0 else "")
