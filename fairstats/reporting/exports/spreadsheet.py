"""Tables for spreadsheets: numbers as numbers, and text that no spreadsheet runs as a formula."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

from fairstats.errors import not_installed, visible
from fairstats.marks import WORDS
from fairstats.reporting.bundle import inert
from fairstats.reporting.exports.latex import headed
from fairstats.reporting.tables import Table
from fairstats.text import MINUS, THOUSANDS

_NUMBER = re.compile(rf"[{MINUS}-]?\d{{1,3}}(?:,?\d{{3}})*(?:\.(\d+))?")
MOST_LETTERS = 40  # of a column's width


def number_of(cell: str) -> tuple[float, str] | None:
    """The number that a cell shows and the format that shows it so, None for text.

    Examples
    --------
    >>> number_of("1,234.50"), number_of("0.1 to 0.2")
    ((1234.5, '#,##0.00'), None)
    """
    found = _NUMBER.fullmatch(cell)
    if found is None:
        return None
    digits = len(found[1] or "")
    whole = "#,##0" if "," in cell else "0"
    return float(typed(cell)), f"{whole}.{'0' * digits}" if digits else whole


def typed(cell: str) -> str:
    """A number as a program reads it: thousands not separated, a hyphen for the minus.

    Examples
    --------
    >>> typed("−1,234.50")
    '-1234.50'
    """
    return cell.replace(THOUSANDS, "").replace(MINUS, "-")


def comma_separated(table: Table) -> str:
    """Return the table as CSV: digits as they are shown, as a program reads them; a formula has an apostrophe first."""
    sheet = io.StringIO()
    writer = csv.writer(sheet, lineterminator="\n")
    writer.writerow([inert(visible(headed(h))) for h in table.headings])
    for row in table.rows:
        writer.writerow([typed(cell) if number_of(cell) else inert(visible(cell)) for cell in row])
    return sheet.getvalue()


def workbook(table: Table) -> bytes:
    """Return the table as an ``.xlsx`` file of one sheet: caption, headings, rows, note.

    Raises
    ------
    DependencyError
        If openpyxl is missing.
    """
    try:
        import openpyxl
        from openpyxl.styles import Alignment, Font
    except ImportError as missing:
        raise not_installed("an Excel file", "openpyxl", "tables") from missing
    made = openpyxl.Workbook()
    sheet = made.active
    sheet.title = "table"
    _text(sheet.cell(1, 1), table.caption)
    sheet.cell(1, 1).font = Font(bold=True)
    for j, heading in enumerate(table.headings, 1):
        cell = sheet.cell(3, j)
        _text(cell, headed(heading))
        cell.font = Font(bold=True)
        cell.alignment = Alignment(horizontal="right" if heading.kind == "number" else "left", wrap_text=True)
    for i, row in enumerate(table.rows, 4):
        for j, (heading, shown) in enumerate(zip(table.headings, row, strict=True), 1):
            _fill(sheet.cell(i, j), shown, heading.kind == "number")
    for j, heading in enumerate(table.headings):
        letters = max([len(headed(heading)), *(len(row[j]) for row in table.rows)])
        sheet.column_dimensions[openpyxl.utils.get_column_letter(j + 1)].width = min(letters, MOST_LETTERS) + 2
    if table.note:
        _text(sheet.cell(len(table.rows) + 5, 1), table.note)
    sheet.freeze_panes = "B4"
    made.properties.description = WORDS
    content = io.BytesIO()
    made.save(content)
    return content.getvalue()


def _fill(cell: Any, shown: str, numeric: bool) -> None:
    from openpyxl.styles import Alignment

    number = number_of(shown) if numeric else None
    if number is None:
        _text(cell, shown)
        cell.alignment = Alignment(horizontal="right" if numeric else "left")
    else:
        cell.value, cell.number_format = number


def _text(cell: Any, shown: str) -> None:
    """Text as text: a spreadsheet neither runs it nor makes a formula of it when the cell is edited."""
    cell.value = visible(shown)
    cell.data_type = "s"
    cell.quotePrefix = True
