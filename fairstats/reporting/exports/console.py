"""A table as plain text of at most 80 columns: wide cells break; where there are too many, each has its own line."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from fairstats.errors import visible
from fairstats.reporting.tables import Table

WIDTH, GAP, LEAST = 80, 2, 6


def plain(table: Table) -> str:
    """Return the caption, the table and its note.

    Examples
    --------
    >>> from fairstats.reporting.tables import Heading, text
    >>> print(plain(Table("Rates", (text("group"), Heading("rate", "%")), (("f", "8.0"), ("m", "74.1")))))
    Rates
    <BLANKLINE>
    group  rate, %
    -----  -------
    f          8.0
    m         74.1
    """
    heads = [f"{h.label}, {h.unit}" if h.unit else h.label for h in table.headings]
    cells = [[visible(" ".join(cell.split())) for cell in row] for row in (heads, *table.rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    room = WIDTH - GAP * (len(widths) - 1)
    if sum(min(width, LEAST) for width in widths) > room:
        body = _cards(cells)
    else:
        body = _columns(cells, _fitted(cells, room), [h.kind == "number" for h in table.headings])
    parts = [textwrap.fill(visible(table.caption), WIDTH), "\n".join(body)]
    parts += [textwrap.fill(visible(table.note), WIDTH)] if table.note else []
    return "\n\n".join(parts)


def _fitted(cells: list[list[str]], room: int) -> list[int]:
    """Widths of the columns: the widest is made narrower until all fit, words being broken last of all."""
    columns = list(zip(*cells, strict=True))
    fitted = [max(map(len, column)) for column in columns]
    words = [max((len(part) for cell in column for part in cell.split()), default=0) for column in columns]
    while sum(fitted) > room:
        loose = [at for at, width in enumerate(fitted) if width > words[at]] or range(len(fitted))
        fitted[max(loose, key=fitted.__getitem__)] -= 1
    return fitted


def _columns(cells: list[list[str]], widths: list[int], right: list[bool]) -> list[str]:
    rule = (" " * GAP).join("-" * width for width in widths)
    lines = [line for row in cells[:1] for line in _lines(row, widths, right)]
    return [*lines, rule, *(line for row in cells[1:] for line in _lines(row, widths, right))]


def _lines(row: Sequence[str], widths: list[int], right: list[bool]) -> list[str]:
    parts = [textwrap.wrap(cell, width) or [""] for cell, width in zip(row, widths, strict=True)]
    lines = []
    for at in range(max(map(len, parts))):
        pieces = [part[at] if at < len(part) else "" for part in parts]
        sides = zip(pieces, widths, right, strict=True)
        lines.append((" " * GAP).join(p.rjust(w) if r else p.ljust(w) for p, w, r in sides).rstrip())
    return lines


def _cards(cells: list[list[str]]) -> list[str]:
    """One line a cell, where the columns are too many to stand beside each other."""
    heads, lines = cells[0], []
    for row in cells[1:]:
        for head, cell in zip(heads, row, strict=True):
            lines += textwrap.wrap(f"{head}: {cell}", WIDTH, subsequent_indent="    ")
        lines.append("")
    return lines[:-1]
