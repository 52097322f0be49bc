"""A table as the templates see it: caption, columns with units, cells as text, a footnote; and what was left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fairstats.estimates import Estimate
from fairstats.text import level_number

MOST_ROWS = 20  # a longer table stands in results.csv: WeasyPrint needs 33 s for 5000 rows, a reader longer

HALF = 56  # letters that a line of 88 mm holds


@dataclass(frozen=True)
class Heading:
    """One column: heading, unit shown beside it, and what it holds: "number", "text" or a "word" that is not broken."""

    label: str
    unit: str = ""
    kind: str = "number"


@dataclass(frozen=True)
class Table:
    """A table for the macro ``tables.table``; the first cell of a row is its header."""

    caption: str
    headings: tuple[Heading, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    total: int = 0

    @property
    def cut(self) -> str:
        """The sentence under a shortened table, "" when every row is shown."""
        return f"Shown: {len(self.rows)} of {self.total}; all in results.csv" if self.total > len(self.rows) else ""

    @property
    def size(self) -> str:
        """One of the two widths of a report: "half" (88 mm) for few short columns, "full" (180 mm) for all others."""
        widest = [max((len(row[j]) for row in self.rows), default=0) for j in range(len(self.headings))]
        headed = [max(map(len, f"{h.label} {h.unit}".split()), default=0) for h in self.headings]
        letters = sum(max(w, h) for w, h in zip(widest, headed, strict=True)) + 2 * len(self.headings)
        return "half" if letters <= HALF else "full"


def text(label: str) -> Heading:
    """A column of words."""
    return Heading(label, kind="text")


def word(label: str) -> Heading:
    """A column of short words, each on one line."""
    return Heading(label, kind="word")


def table(
    caption: str,
    headings: Sequence[Heading],
    rows: Iterable[Sequence[str]],
    note: str = "",
    most: int = MOST_ROWS,
) -> Table:
    """A table of at most ``most`` rows that remembers how many there were."""
    every = [tuple(row) for row in rows]
    assert all(len(row) == len(headings) for row in every), caption
    return Table(caption, tuple(headings), tuple(every[:most]), note, len(every))


def level_of(rows: Iterable[Estimate]) -> str:
    """The header of a column of intervals: their level, or the lowest and the highest where an adjustment gave several.

    Examples
    --------
    >>> level_of([Estimate("TPR", conf_level=0.95)]), level_of([])
    ('95 % interval', 'interval')
    """
    levels = sorted({row.conf_level for row in rows if row.conf_level == row.conf_level and row.status == "ok"})
    if not levels:
        return "interval"
    ends = dict.fromkeys(level_number(v) for v in (levels[0], levels[-1]))
    return f"{' to '.join(ends)} % interval"


def methods_note(rows: Iterable[Estimate], extra: str = "") -> str:
    """The footnote that names the methods, each once and in order of appearance."""
    methods = dict.fromkeys(row.method for row in rows if row.method)
    said = f"Method: {'; '.join(list(methods)[:4])}." if methods else ""
    return f"{said} {extra}".strip()
