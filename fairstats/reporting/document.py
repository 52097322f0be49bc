"""What a result or a report says, as blocks that know no form: HTML, Markdown, Word and text are renderers of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.tables import Block, Heading, Table

LINE = "______________"  # to write on
BOX = "☐"  # to tick


@dataclass(frozen=True)
class Title(Block):
    """A heading of level 1 to 6."""

    level: int
    text: str


@dataclass(frozen=True)
class Paragraph(Block):
    """Text; ``kind`` says what it is: "finding", "note", "question" ..."""

    text: str
    kind: str = ""


@dataclass(frozen=True)
class Bullets(Block):
    """A list, a point an entry; ``kind`` says of what."""

    items: tuple[str, ...]
    kind: str = ""


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
class Pairs(Block):
    """Names with their values."""

    rows: tuple[tuple[str, str], ...]
    caption: str = ""


@dataclass(frozen=True)
class Figure(Block):
    """A drawing with its caption."""

    drawing: Drawing


@dataclass(frozen=True)
class Cell:
    """A number with what stands under it, or a mark on an axis that all lines share."""

    text: str
    below: str = ""
    mark: Drawing | None = None


@dataclass(frozen=True)
class Forest(Block):
    """A table whose lines have marks on one axis."""

    headings: tuple[Heading, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""


@dataclass(frozen=True)
class Together(Block):
    """Blocks that stand together: an "answer", "figures" side by side ...; a name is a place to point to."""

    kind: str
    blocks: tuple[Block, ...]
    name: str = ""


@dataclass(frozen=True)
class Section(Block):
    """A part of the document by its name; without a heading it has a label."""

    name: str
    heading: str
    blocks: tuple[Block, ...]
    label: str = ""
    kind: str = field(default="")


Leaf = Title | Paragraph | Bullets | Table | Figure


def in_order(*parts: object) -> tuple[Block, ...]:
    """Values as blocks: a text is a paragraph, a drawing a figure; lists are opened, and what is empty is left out.

    Examples
    --------
    >>> in_order("a", None, ["b", ""], Bullets(()))
    (Paragraph(text='a', kind=''), Paragraph(text='b', kind=''))
    """
    found: list[Block] = []
    for part in parts:
        if isinstance(part, (list, tuple)):
            found += in_order(*part)
        elif isinstance(part, Drawing):
            found.append(Figure(part))
        elif isinstance(part, str):
            found += [Paragraph(part)] if part else []
        elif isinstance(part, Block) and not _empty(part):
            found.append(part)
    return tuple(found)


def _empty(block: Block) -> bool:
    return not any(getattr(block, name, "") for name in ("text", "items", "lines", "rows", "drawing", "blocks"))


def leaves(blocks: Iterable[Block]) -> Iterator[Leaf]:
    """The document as headings, paragraphs, lists, tables and figures only, for forms that know no more.

    Examples
    --------
    >>> list(leaves([Checklist(("It is so.",)), Signature((("", "Name"),))]))
    [Bullets(items=('☐ It is so.',), kind=''), Paragraph(text='______________ Name', kind='')]
    """
    for block in blocks:
        if isinstance(block, Section):
            yield from [Title(2, block.heading)] if block.heading else []
            yield from leaves(block.blocks)
        elif isinstance(block, Together):
            yield from leaves(block.blocks)
        elif isinstance(block, Links):
            yield Bullets(tuple(said for _, said in block.items))
        elif isinstance(block, Checklist):
            yield Bullets(tuple(f"{BOX} {item}" for item in block.items))
        elif isinstance(block, Signature):
            yield from (Paragraph(" ".join(filter(None, (LINE, *line)))) for line in block.lines)
        elif isinstance(block, Pairs):
            yield Table(block.caption, (), block.rows)
        elif isinstance(block, Forest):
            yield _without_marks(block)
        else:
            assert isinstance(block, Leaf), block
            yield block


def _without_marks(block: Forest) -> Table:
    """What the marks draw, the columns beside them say; what stands under a number stands behind it in brackets."""
    kept = [j for j, heading in enumerate(block.headings) if heading.kind != "mark"]
    rows = tuple(
        tuple(f"{row[j].text} ({row[j].below})" if row[j].below else row[j].text for j in kept) for row in block.rows
    )
    return Table("", tuple(block.headings[j] for j in kept), rows, block.note)
