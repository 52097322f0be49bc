"""A table as the templates see it: caption, columns with units, cells as text, a footnote; and what was left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fairstats.estimates import Estimate
from fairstats.language import again, say
from fairstats.text import level_number

MOST_ROWS = 20  # a longer table stands in results.csv: WeasyPrint needs 33 s for 5000 rows, a reader longer

HALF, FULL = 56, 116  # letters that a line of 88 mm and of 180 mm holds
LONGEST = 22  # letters of a word that a column makes room for; a longer one is broken
WHOLE = 24  # letters of cells that stay on one line
BOLD, GAP = 1.12, 1.8  # a letter of a heading; the space between two columns


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
        if self.total <= len(self.rows):
            return ""
        return say("Shown: {n} of {total}; all in results.csv", n=len(self.rows), total=self.total)

    @property
    def size(self) -> str:
        """One of the two widths of a report: "half" (88 mm) for few short columns, "full" (180 mm) for all others."""
        return "half" if sum(want for _, want in self._needs()) <= HALF else "full"

    @property
    def widths(self) -> tuple[float, ...]:
        """The width of each column in per cent: numbers what they need, words what is left, so that nothing is cut."""
        needs = self._needs()
        least = [need for need, _ in needs]
        more = [want - need for need, want in needs]
        spare = max((HALF if self.size == "half" else FULL) - sum(least), 0.0)
        share = min(1.0, spare / sum(more)) if sum(more) else 0.0
        letters = [need + share * extra for need, extra in zip(least, more, strict=True)]
        return tuple(round(100 * v / sum(letters), 2) for v in letters)

    def _needs(self) -> list[tuple[float, float]]:
        """For each column the letters that it needs, and those that it would take: words may be broken, numbers not."""
        found = []
        for j, heading in enumerate(self.headings):
            cells = [row[j] for row in self.rows]
            head = f"{heading.label} {heading.unit}".split()
            top = BOLD * max(max(map(len, head), default=0), sum(map(len, head)) / 3)
            longest = max(map(len, cells), default=0)
            word = max((len(w) for cell in cells for w in cell.split()), default=0)
            need = longest if heading.kind == "number" or longest <= WHOLE else min(word, LONGEST)
            want = longest if heading.kind == "number" else min(longest, 2.5 * LONGEST)
            found.append((max(need, top) + GAP, max(want, need, top) + GAP))
        return found


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
        return say("interval")
    ends = dict.fromkeys(level_number(v) for v in (levels[0], levels[-1]))
    if len(ends) == 1:
        return say("{level} interval", level=say("{share} %", share=next(iter(ends))))
    low, high = ends
    return say("{low} to {high} % interval", low=low, high=high)


def methods_note(rows: Iterable[Estimate], extra: str = "") -> str:
    """The footnote that names the methods, each once and in order of appearance."""
    methods = list(dict.fromkeys(row.method for row in rows if row.method))[:4]
    said = say("Method: {methods}.", methods="; ".join(map(again, methods))) if methods else ""
    return f"{said} {extra}".strip()
