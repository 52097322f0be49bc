"""Several files as one table: their columns have to agree."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fairstats.data.sources import Table, read_table
from fairstats.errors import InputError, listing

if TYPE_CHECKING:
    import pandas as pd


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
        """Return the rows of all files below each other, in the order of the columns of the first.

        Raises
        ------
        InputError
            A file lacks a column, has one more, or holds text where another holds numbers.
        """
        labels = tuple(labels)
        tables = [self.read(name, labels) for name in self.names]
        if len(tables) == 1:
            return tables[0]
        return joined(tables)


def joined(tables: Sequence[Table]) -> Table:
    """Return several tables as one.

    Examples
    --------
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
    whole = pd.concat([_of_kinds(t.frame[columns], _kinds(tables)) for t in tables], ignore_index=True)
    lines = "".join(f"{t.sha256}  {t.name}\n" for t in tables)
    return Table(whole, listing([t.name for t in tables], 3), hashlib.sha256(lines.encode()).hexdigest(), *whole.shape)


def _refuse_other_columns(first: Table, other: Table) -> None:
    own, others = list(first.frame.columns), list(other.frame.columns)
    for names, beside, having, lacking in ((own, others, first, other), (others, own, other, first)):
        lost = [c for c in names if c not in beside]
        if lost:
            raise InputError(
                f"{lacking.name} has no column {lost[0]!r}, which {having.name} has; files are one table only where "
                "their columns agree."
            )


def _kinds(tables: Sequence[Table]) -> dict[str, Any]:
    """The type of each column over all files; one without any value has no say.

    Raises
    ------
    InputError
        Text in one file, numbers in another.
    """
    import pandas as pd

    kinds: dict[str, Any] = {}
    for column in tables[0].frame.columns:
        filled = [t for t in tables if t.frame[column].notna().any()]
        for other in filled[1:]:
            one, two = (_word(t.frame[column]) for t in (filled[0], other))
            if one != two:
                raise InputError(
                    f"{column!r} holds {one} in {filled[0].name} and {two} in {other.name}; write it in one way in all."
                )
        if len(filled) < len(tables) and filled:
            found = pd.concat([t.frame[column] for t in filled]).dtype
            kinds[column] = {"i": "Int64", "u": "UInt64", "b": "object"}.get(found.kind, found)
    return kinds


def _of_kinds(frame: pd.DataFrame, kinds: dict[str, Any]) -> pd.DataFrame:
    return frame.astype({c: kind for c, kind in kinds.items() if c in frame}) if kinds else frame


def _word(column: pd.Series) -> str:
    import pandas as pd

    kind = getattr(column.dtype, "kind", "O")
    if kind == "b" or (kind == "O" and pd.api.types.infer_dtype(column, skipna=True) == "boolean"):
        return "logical values"
    return "numbers" if kind in "iuf" else "dates" if kind in "mM" else "text"
