"""What a result or a report says, as blocks that know no form: HTML, Markdown, Word and text are renderers of them."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from fairstats.errors import visible
from fairstats.language import say, translated

# Size of the paper -> its name in a style sheet, its width and height in mm: lines of 180 mm on either.
PAPERS: dict[str, tuple[str, float, float]] = {"a4": ("A4", 210.0, 297.0), "letter": ("letter", 215.9, 279.4)}
LINE_OF_PAGE = 180.0
LINE = "______________"  # to write on
BOX = "☐"  # to tick


class Block:
    """A part of a document (`fairstats.document`)."""

    @property
    def form(self) -> str:
        """What it is: "paragraph", "table" ..."""
        return type(self).__name__.lower()


@dataclass(frozen=True)
class Title(Block):
    """A heading of level 1 to 6."""

    level: int
    text: str


@dataclass(frozen=True)
class Paragraph(Block):
    """Text; ``kind`` says what it is: "finding", "note", "question", "command" (one line, to be copied) ...

    lead: what of it stands out.
    instead: what a file says in its place that holds no results (Word, Markdown).
    """

    text: str
    kind: str = ""
    lead: str = field(default="", repr=False)
    instead: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        if self.lead not in self.text:
            raise ValueError(f"the text {self.text!r} does not have its lead {self.lead!r}")


@dataclass(frozen=True)
class Bullets(Block):
    """A list, a point an entry; ``kind`` says of what."""

    items: tuple[str, ...]
    kind: str = ""


@dataclass(frozen=True)
class Points(Block):
    """A numbered list of claims, each with what it rests on."""

    items: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Links(Block):
    """A list of places in the same document: the name of a section, and what stands there."""

    items: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Checklist(Block):
    """Statements that hold only where somebody ticks them."""

    items: tuple[str, ...]


@dataclass(frozen=True)
class Signature(Block):
    """Lines to write on: what stands on each, and what belongs there."""

    lines: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Definitions(Block):
    """Names with their values."""

    rows: tuple[tuple[str, str], ...]
    caption: str = ""


@dataclass(frozen=True)
class Glossary(Block):
    """Terms with their definitions, each a place to point to: its id, the term, what it means."""

    items: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class Terms(Block):
    """Where the terms of a section are defined: what comes before them, and each the id of its definition, its name."""

    text: str
    items: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Heading:
    """One column: heading, unit shown beside it, and what it holds: "number", "text" or a "word" that is not broken."""

    label: str
    unit: str = ""
    kind: str = "number"


def headings(first: str, *others: str | tuple[str, str]) -> tuple[Heading, ...]:
    """A column of words, and columns of numbers, which may have units.

    >>> [(heading.label, heading.unit, heading.kind) for heading in headings("group", "n", ("rate", "%"))]
    [('group', '', 'text'), ('n', '', 'number'), ('rate', '%', 'number')]
    """
    return (Heading(first, kind="text"), *(Heading(*((one,) if isinstance(one, str) else one)) for one in others))


class Strong(str):
    """A cell that is set off, where a form has a way to: a verdict that shows a difference."""


@dataclass(frozen=True)
class Table(Block):
    """A table: caption, columns, cells as text, a footnote; the first cell of a row is its header."""

    caption: str
    headings: tuple[Heading, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    total: int = 0
    rest: str = ""  # where the other rows are; of a report, in its file of results

    @property
    def cut(self) -> str:
        """The sentence under a shortened table, "" when every row is shown."""
        if self.total <= len(self.rows):
            return ""
        if self.rest:
            return f"... and {self.total - len(self.rows)} more: {self.rest}"
        return say("Shown: {n} of {total}; all in results.csv", n=len(self.rows), total=self.total)

    @property
    def footnote(self) -> str:
        """The note, and what was left out."""
        parts = self.note, self.cut and f"{self.cut}."
        return " ".join(filter(None, reversed(parts) if self.rest else parts))


@dataclass(frozen=True)
class Figure(Block):
    """A drawing with its caption."""

    drawing: Any  # of `fairstats.reporting.figures`


@dataclass(frozen=True)
class ForestCell:
    """A number with what stands under it, or a mark on an axis that all lines share."""

    text: str
    below: str = ""
    mark: Any = None


@dataclass(frozen=True)
class Forest(Block):
    """A table whose lines have marks on one axis."""

    headings: tuple[Heading, ...]
    rows: tuple[tuple[ForestCell, ...], ...]  # one of a single cell is the heading of those below it
    note: str = ""


@dataclass(frozen=True)
class Together(Block):
    """Blocks that stand together: an "answer", "figures" side by side ...; a name is a place to point to."""

    kind: str
    blocks: tuple[Block, ...]
    name: str = ""


@dataclass(frozen=True)
class Chapter(Block):
    """A part of the document by its name; without a heading it has a label."""

    name: str
    heading: str
    blocks: tuple[Block, ...]
    label: str = ""
    kind: str = field(default="")


Leaf = Title | Paragraph | Bullets | Table | Figure


def leaves(blocks: Iterable[Block]) -> Iterator[Leaf]:
    """The document as headings, paragraphs, lists, tables and figures only, for forms that know no more.

    >>> list(leaves([Checklist(("It is so.",)), Signature((("", "Name"),))]))
    [Bullets(items=('☐ It is so.',), kind=''), Paragraph(text='Name: ______________', kind='')]
    """
    for block in blocks:
        if isinstance(block, Chapter):
            yield from [Title(2, block.heading)] if block.heading else []
            yield from leaves(block.blocks)
        elif isinstance(block, Together):
            yield from leaves(block.blocks)
        elif isinstance(block, Points):
            yield Bullets(tuple(f"{lead} {text}" for lead, text in block.items))
        elif isinstance(block, Links):
            yield Bullets(tuple(text for _, text in block.items))
        elif isinstance(block, Glossary):
            yield Bullets(tuple(f"{name}: {meaning}" for _, name, meaning in block.items))
        elif isinstance(block, Terms):
            yield Paragraph(f"{block.text} {', '.join(name for _, name in block.items)}.", "note")
        elif isinstance(block, Checklist):
            yield Bullets(tuple(f"{BOX} {item}" for item in block.items))
        elif isinstance(block, Signature):
            yield from (Paragraph(f"{label}: {written or LINE}") for written, label in block.lines)
        elif isinstance(block, Definitions):
            yield Table(block.caption, (), block.rows)
        elif isinstance(block, Forest):
            yield _without_marks(block)
        else:
            assert isinstance(block, Leaf), block
            yield block


def _without_marks(block: Forest) -> Table:
    """What the marks draw, the columns beside them say; what stands under a number stands behind it in brackets."""
    kept = [j for j, heading in enumerate(block.headings) if heading.kind != "mark"]

    def cells(row: tuple[ForestCell, ...]) -> tuple[str, ...]:
        present = [row[j] if j < len(row) else ForestCell("") for j in kept]
        return tuple(
            f"{cell.text} {cell.below if cell.below.startswith('(') else f'({cell.below})'}"
            if cell.below
            else cell.text
            for cell in present
        )

    rows = tuple(map(cells, block.rows))
    return Table("", tuple(block.headings[j] for j in kept), rows, block.note)


# A document as plain text of at most 80 columns: wide cells break; where there are too many, each has its own line.


WIDTH, GAP, LEAST = 80, 2, 6


class Text(str):
    """Text of several lines, which a console and a notebook show as ``print`` does.

    >>> Text("one\\ntwo")
    one
    two
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def as_text(document: Iterable[Block]) -> Text:
    """Return a document as text: a table has a blank line around it, a part before it.

    >>> print(as_text((Title(1, "A"), Paragraph("b"), Bullets(("c",)), Definitions((("n", "3"),)), Paragraph("d"))))
    A
    b
      - c
    <BLANKLINE>
    n  3
    <BLANKLINE>
    d
    """
    lines: list[str] = []
    after = False
    for block in leaves(document):
        parted = isinstance(block, Table) or (isinstance(block, Title) and block.level > 1)
        if lines and (after or parted):
            lines.append("")
        after = isinstance(block, Table)
        lines += _text_lines(block)
    return Text("\n".join(lines))


def _text_lines(block: Leaf) -> list[str]:
    if isinstance(block, Table):
        return table_text(block).split("\n")
    if isinstance(block, Bullets):
        return [line for item in block.items for line in _filled(item, "  - ", "    ")]
    if isinstance(block, Paragraph) and block.kind == "command":  # a call that is broken within a text does not run
        return [visible(translated(block.text))]
    return _filled(block.drawing.alt if isinstance(block, Figure) else block.text)


def _filled(text: str, first: str = "", later: str = "") -> list[str]:
    return textwrap.wrap(visible(translated(text)), WIDTH, initial_indent=first, subsequent_indent=later)


def table_text(table: Table) -> str:
    """Return the caption, the table and its note.

    >>> print(table_text(Table("Rates", headings("group", ("rate", "%")), (("f", "8.0"), ("m", "74.1")))))
    Rates
    <BLANKLINE>
    group  rate, %
    -----  -------
    f          8.0
    m         74.1
    """
    heads = [f"{h.label}, {h.unit}" if h.unit else h.label for h in table.headings]
    rows = (heads, *table.rows) if heads else table.rows
    cells = [[visible(" ".join(_WORDS.findall(cell))) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    room = WIDTH - GAP * (len(widths) - 1)
    if heads and sum(min(width, LEAST) for width in widths) > room:
        body = _cards(cells)
    else:
        body = _panels(cells, [h.kind == "number" for h in table.headings])
    parts = (_filled(table.caption), body, _filled(table.footnote))
    return "\n\n".join("\n".join(part) for part in parts if part)


_WORDS = re.compile(r"[^ \t\r\n\f\v]+")  # a number holds blanks that break no line
LONG_WORD = 32  # of which a part may be on the next line


def _longest_words(cells: list[list[str]]) -> list[int]:
    """How wide each column is at least, so that no word is broken but a very long one."""
    parts = (
        [len(part) for cell in column for part in textwrap.wrap(cell, 1, break_long_words=False)]
        for column in zip(*cells, strict=True)
    )
    return [min(LONG_WORD, max(lengths, default=1)) for lengths in parts]


def _panels(cells: list[list[str]], right: list[bool]) -> list[str]:
    """As many columns as fit without broken words; the others below, after the first ones again."""
    words, lines = _longest_words(cells), list[str]()
    names = next((at for at, is_number in enumerate(right) if is_number), len(right))
    first = list(range(min(2, names)))
    left = list(range(len(first), len(words)))
    while left or not lines:
        taken = list(first)
        while left and (taken == first or not right or sum(words[at] + GAP for at in [*taken, left[0]]) <= WIDTH + GAP):
            taken.append(left.pop(0))
        part = [[row[at] for at in taken] for row in cells]
        widths = _fitted(part, [words[at] for at in taken], WIDTH - GAP * (len(taken) - 1))
        lines += [""] * bool(lines) + _columns(part, widths, [right[at] for at in taken] if right else right)
    return lines


def _fitted(cells: list[list[str]], words: list[int], room: int) -> list[int]:
    """Widths of the columns: headings break first, then the widest cells, words last of all."""
    columns = list(zip(*cells, strict=True))
    fitted = [max(1, *map(len, column)) for column in columns]  # a column may be empty
    whole = [max([word, *map(len, column[1:])]) for word, column in zip(words, columns, strict=True)]
    while sum(fitted) > room:
        broken = ([at for at, width in enumerate(fitted) if width > least[at]] for least in (whole, words))
        fitted[max(next(filter(None, broken), range(len(fitted))), key=fitted.__getitem__)] -= 1
    return fitted


def _columns(cells: list[list[str]], widths: list[int], right: list[bool]) -> list[str]:
    if not right:  # no headings
        return [line for row in cells for line in _lines(row, widths, [False] * len(widths))]
    rule = (" " * GAP).join("-" * width for width in widths)
    lines = _lines(cells[0], widths, right)
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
