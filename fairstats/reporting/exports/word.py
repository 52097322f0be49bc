"""The page as a Word document: headings, lists, tables with header rows, figures with the text that replaces them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any

from fairstats.errors import not_installed
from fairstats.marks import WORDS
from fairstats.reporting.exports.blocks import Block, Box, Bullets, Figure, Grid, Title

PAGE, MARGIN = (210.0, 297.0), 20.0  # A4, mm
SMALL, SMALLEST = 8.5, 7.0  # points, in tables and under them; in tables of more than so many columns
MANY = 8
LEAST = 5  # letters that every column has room for
_QUIET = frozenset({"note", "cut", "page"})


def word(
    page: Iterable[Block],
    picture: Callable[[str], tuple[bytes, str, float] | None],
    *,
    title: str,
    author: str,
    created: str,
    language: str = "en-US",
) -> bytes:
    """Return the page as a ``.docx`` file; the same page gives the same bytes.

    Parameters
    ----------
    page : iterable of blocks
        As `blocks` reads them.
    picture : callable
        A figure's name to its PNG, the text that replaces it and its width in mm; None where there is none.
    title, author, created, language : str
        The properties of the file; ``created`` is ISO 8601.

    Returns
    -------
    bytes

    Raises
    ------
    DependencyError
        If python-docx is missing.

    Examples
    --------
    >>> word([Title(1, "A")], lambda name: None, title="A", author="", created="2024-01-01T00:00:00+00:00")[:2]
    b'PK'
    """
    try:
        import docx
    except ImportError as missing:
        raise not_installed("a Word document", "python-docx", "tables") from missing
    made = docx.Document()
    _properties(made, title, author, created, language)
    _styles(made)
    for block in page:
        _add(made, block, picture)
    sheet = io.BytesIO()
    made.save(sheet)
    return _dated(sheet.getvalue(), created)


def _properties(made: Any, title: str, author: str, created: str, language: str) -> None:
    from docx.shared import Mm

    known = made.core_properties
    moment = datetime.fromisoformat(created).astimezone(UTC).replace(tzinfo=None)
    known.title, known.author, known.language, known.comments = title[:255], author[:255], language, WORDS
    known.created = known.modified = moment
    known.last_modified_by = author[:255]
    section = made.sections[0]
    section.page_width, section.page_height = Mm(PAGE[0]), Mm(PAGE[1])
    for side in ("left", "right", "top", "bottom"):
        setattr(section, f"{side}_margin", Mm(MARGIN))


def _styles(made: Any) -> None:
    from docx.shared import Pt, RGBColor

    normal = made.styles["Normal"]
    normal.font.name, normal.font.size = "Calibri", Pt(10)
    normal.paragraph_format.space_after = Pt(6)
    for name, size in (("Title", 20), ("Heading 1", 20), ("Heading 2", 14), ("Heading 3", 11.5), ("Caption", 9)):
        style = made.styles[name]
        style.font.name, style.font.size, style.font.color.rgb = "Calibri", Pt(size), RGBColor(0x1C, 0x1C, 0x1C)
        style.paragraph_format.keep_with_next = True
    made.styles["Caption"].font.bold = True


def _add(made: Any, block: Block, picture: Callable[[str], tuple[bytes, str, float] | None]) -> None:
    if isinstance(block, Title):
        made.add_heading(block.text, min(block.level, 9))
    elif isinstance(block, Bullets):
        for item in block.items:
            made.add_paragraph(item, style="List Bullet")
    elif isinstance(block, Grid):
        _table(made, block)
    elif isinstance(block, Figure):
        _picture(made, block, picture(block.name))
    else:
        _paragraph(made, block.text, block.kind)


def _paragraph(made: Any, text: str, kind: str) -> None:
    from docx.shared import Pt

    run = made.add_paragraph().add_run(text)
    run.bold = kind == "finding" or None
    if _QUIET & set(kind.split()):
        run.font.size = Pt(SMALL)


def _picture(made: Any, block: Figure, drawn: tuple[bytes, str, float] | None) -> None:
    from docx.shared import Mm

    if drawn is not None:
        pixels, instead, width = drawn
        paragraph = made.add_paragraph()
        paragraph.paragraph_format.keep_with_next = bool(block.caption)
        shape = paragraph.add_run().add_picture(io.BytesIO(pixels), width=Mm(min(width, PAGE[0] - 2 * MARGIN)))
        named = shape._inline.docPr
        named.set("descr", instead)
        named.set("title", block.caption or block.name)
    if block.caption:
        made.add_paragraph(block.caption).runs[0].italic = True


def _table(made: Any, grid: Grid) -> None:
    from docx.shared import Mm, Pt

    rows, width = [*grid.head, *grid.body], grid.width
    if not width:
        return
    if grid.caption:
        made.add_paragraph(grid.caption, style="Caption")
    table = made.add_table(rows=len(rows), cols=width, style="Table Grid")
    widths = [Mm(share * (PAGE[0] - 2 * MARGIN)) for share in _shares(rows, width)]
    for column, needed in zip(table.columns, widths, strict=True):
        column.width = needed
    size = Pt(SMALL if width <= MANY else SMALLEST)
    for at, row in enumerate(rows):
        own, place = table.rows[at], 0
        there = own.cells
        for empty, needed in zip(there, widths, strict=True):
            empty.width = needed
        for cell in row:
            _fill(there[place : place + cell.columns], cell, at < len(grid.head), size)
            place += cell.columns
        _whole(own, there, at < len(grid.head), at < 2 or at >= len(rows) - 2)
    _looks(table, bool(grid.head))
    made.add_paragraph().paragraph_format.space_after = Pt(2)


def _shares(rows: list[list[Box]], width: int) -> list[float]:
    """How much of the line each column gets: by its longest word and its longest text, within bounds."""
    needs = [float(LEAST)] * width
    for row in rows:
        place = 0
        for cell in row:
            if cell.columns == 1 and place < width:
                longest = max(map(len, cell.text.split()), default=0)
                needs[place] = max(needs[place], min(longest, 22), min(len(cell.text), 14 if cell.number else 40))
            place += cell.columns
    return [need / sum(needs) for need in needs]


def _fill(there: tuple[Any, ...], cell: Box, head: bool, size: Any) -> None:
    from docx.enum.text import WD_ALIGN_PARAGRAPH

    if not there:
        return
    own = there[0].merge(there[-1]) if len(there) > 1 else there[0]
    paragraph = own.paragraphs[0]
    run = paragraph.add_run(cell.text)
    run.font.size, run.bold = size, head or None
    paragraph.paragraph_format.space_after = 0
    if cell.number:
        paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT


def _whole(row: Any, there: tuple[Any, ...], head: bool, kept: bool) -> None:
    """A row is not broken over two pages, one of the head is repeated on each; first and last rows stay together."""
    from docx.oxml import OxmlElement

    for name in ("w:cantSplit", "w:tblHeader")[: 2 if head else 1]:
        row._tr.get_or_add_trPr().append(OxmlElement(name))
    for cell in there if kept else ():
        cell.paragraphs[0].paragraph_format.keep_with_next = True


def _looks(table: Any, headed: bool) -> None:
    """What a screen reader takes for headers: the first row where there is one, and the first column."""
    from docx.oxml.ns import qn

    look = table._tbl.tblPr.find(qn("w:tblLook"))
    if look is not None:
        for name, on in (("firstRow", headed), ("firstColumn", True), ("lastRow", False), ("lastColumn", False)):
            look.set(qn(f"w:{name}"), "1" if on else "0")


def _dated(packed: bytes, created: str) -> bytes:
    """The package with one date on all of its files: that of the results."""
    moment = datetime.fromisoformat(created).astimezone(UTC)
    date = (max(1980, moment.year), moment.month, moment.day, moment.hour, moment.minute, moment.second)
    sheet = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(packed)) as old, zipfile.ZipFile(sheet, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            kept = zipfile.ZipInfo(name, date)
            kept.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(kept, old.read(name))
    return sheet.getvalue()
