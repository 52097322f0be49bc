"""The page as other programs take it: one reading of it into blocks, and a writer for each form."""

from __future__ import annotations

import csv
import io
import re
import textwrap
import unicodedata
import zipfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any

from fairstats.errors import not_installed, visible
from fairstats.files import WORDS
from fairstats.reporting.bundle import inert
from fairstats.reporting.tables import Heading, Table
from fairstats.text import MINUS, THOUSANDS

# A table as plain text of at most 80 columns: wide cells break; where there are too many, each has its own line.


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


# A table as LaTeX (booktabs): what comes from data is text there, never a command.


_SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    # after the end of a row these would be an option of it, and two hyphens a dash
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    "-": "{-}",
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
    "\N{MINUS SIGN}": "$-$",
    "\N{EN DASH}": "--",
    "\N{EM DASH}": "---",
    "\N{MULTIPLICATION SIGN}": r"$\times$",
    "\N{PLUS-MINUS SIGN}": r"$\pm$",
    "\N{LESS-THAN OR EQUAL TO}": r"$\leq$",
    "\N{GREATER-THAN OR EQUAL TO}": r"$\geq$",
    "\N{NOT EQUAL TO}": r"$\neq$",
    "\N{MIDDLE DOT}": r"\textperiodcentered{}",
    "\N{SUPERSCRIPT TWO}": r"\textsuperscript{2}",
    "\N{NO-BREAK SPACE}": "~",
    "\N{NARROW NO-BREAK SPACE}": r"\,",
}
_GREEK = {"λ": r"$\lambda$", "α": r"$\alpha$", "τ": r"$\tau$", "χ": r"$\chi$", "η": r"$\eta$", "∞": r"$\infty$"}
_NEGATIVE = re.compile(r"(?<!\w)-(?=\d)")  # a sign, not a hyphen
_TABLE = {ord(key): value for key, value in (_SPECIAL | _GREEK).items()}


def escaped(text: str) -> str:
    r"""Text that LaTeX sets as it is.

    Examples
    --------
    >>> print(escaped("50 % of R&D_{x} \\input"))
    50 \% of R\&D\_\{x\} \textbackslash{}input
    """
    plain = unicodedata.normalize("NFC", visible(re.sub(r"\s*\n\s*", " ", text)))
    return _NEGATIVE.sub("\N{MINUS SIGN}", plain).translate(_TABLE)


def latex(table: Table) -> str:
    """Return a ``table`` environment that needs the packages booktabs and textcomp.

    Examples
    --------
    >>> print(latex(Table("A & B", (Heading("group"), Heading("rate", "%")), (("x_1", "74.1"),))))
    \\begin{table}
    \\centering
    \\caption{A \\& B}
    \\begin{tabular}{rr}
    \\toprule
    group & rate (\\%) \\\\
    \\midrule
    x\\_1 & 74.1 \\\\
    \\bottomrule
    \\end{tabular}
    \\end{table}
    """
    sides = "".join("r" if heading.kind == "number" else "l" for heading in table.headings)
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{escaped(table.caption)}}}",
        rf"\begin{{tabular}}{{{sides}}}",
        r"\toprule",
        _row(map(headed, table.headings)),
        r"\midrule",
        *(_row(row) for row in table.rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    if table.note:
        lines.append(rf"\par\smallskip\footnotesize {escaped(table.note)}")
    return "\n".join([*lines, r"\end{table}"]) + "\n"


def headed(heading: Heading) -> str:
    """A heading with its unit, as one text."""
    return f"{heading.label} ({heading.unit})" if heading.unit else heading.label


def _row(cells: object) -> str:
    return " & ".join(escaped(str(cell)) for cell in cells) + r" \\"  # type: ignore[attr-defined]


# Tables for spreadsheets: numbers as numbers, and text that no spreadsheet runs as a formula.


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


# The page as a list of headings, paragraphs, lists, tables and figures: what it says, without how it looks.


_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)
_UNSEEN = frozenset({"head", "nav", "style", "script", "template", "title"})
_TEXTS = frozenset({"p", "li", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6", "caption", "figcaption", "th", "td"})
_BOXES = frozenset({"div", "section", "header", "footer", "main", "article", "aside", "nav", "blockquote", "pre"})
LINE = "______________ "  # to write on
BOX = "☐ "  # to tick
_NOT_PRINTED = frozenset({"skip", "data"})  # the link past the navigation; the data inside the page


@dataclass
class Title:
    """A heading of level 1 to 6."""

    level: int
    text: str


@dataclass
class Paragraph:
    """Text; ``kind`` is its class on the page."""

    text: str
    kind: str = ""


@dataclass
class Bullets:
    """A list, a point an entry."""

    items: list[str] = field(default_factory=list)


@dataclass
class Box:
    """One cell: its text, the columns that it covers, whether it heads a row or column, and if it holds a number."""

    text: str
    columns: int = 1
    header: bool = False
    number: bool = False
    rows: int = 1


@dataclass
class Grid:
    """A table: caption, the rows of its head, the rows of its body."""

    caption: str = ""
    head: list[list[Box]] = field(default_factory=list)
    body: list[list[Box]] = field(default_factory=list)

    @property
    def width(self) -> int:
        """The columns of the widest row."""
        return max((sum(cell.columns for cell in row) for row in (*self.head, *self.body)), default=0)


@dataclass
class Figure:
    """A figure by the name of its drawing, with its caption."""

    name: str
    caption: str = ""


Block = Title | Paragraph | Bullets | Grid | Figure


def blocks(page: str) -> list[Block]:
    """Return what an HTML page of ours shows, in order.

    Examples
    --------
    >>> blocks("<h1>A</h1><p>b <b>c</b></p><ul><li>d</ul>")
    [Title(level=1, text='A'), Paragraph(text='b c', kind=''), Bullets(items=['d'])]
    """
    reader = _Reader()
    reader.feed(page)
    reader.close()
    reader.end_text()
    return [_tidy(block) if isinstance(block, Grid) else block for block in reader.made]


class _Reader(HTMLParser):
    """Collects text until its element ends; what nobody sees on paper is passed over."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.made: list[Block] = []
        self.text: list[str] = []
        self.open: list[tuple[str, str]] = []  # element and class, of those that hold text
        self.unseen: list[str] = []
        self.spans: list[str] = []  # what each ends with
        self.drawing = ""
        self.grid: Grid | None = None
        self.headed = False
        self.listed = False  # whether the next point belongs to the last list
        self.cell = Box("")
        self.term = ""
        self.pairs: list[list[Box]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attrs}
        classes = known.get("class", "").split()
        if self.unseen:
            if tag not in _VOID:
                self.unseen.append(tag)
            return
        if tag in _UNSEEN or tag == "svg" or _NOT_PRINTED & {*classes}:
            if tag == "svg":
                self._drawn(known)
            if tag not in _VOID:
                self.unseen.append(tag)
            return
        if tag == "br":
            self.text.append(" ")
        elif tag == "thead" and "hidden" in classes:
            self.unseen.append(tag)
        elif tag == "table":
            self.end_text()
            self.grid, self.headed = Grid(), False
        elif tag in ("thead", "tbody", "tr") and self.grid is not None:
            self.end_text()  # of the last cell of the row before, which has no end tag
            self.headed = tag == "thead" or (self.headed and tag == "tr")
            if tag == "tr":
                (self.grid.head if self.headed else self.grid.body).append([])
        elif tag in _TEXTS:
            self._begin(tag, known, classes)
        elif tag == "span":
            self._span(classes)
        elif tag in _BOXES or tag in ("ul", "ol", "dl", "figure"):
            self.end_text()
            self.listed = self.listed and tag not in ("ul", "ol")

    def handle_endtag(self, tag: str) -> None:
        if self.unseen:
            if tag in self.unseen:  # elements without an end tag end with what holds them
                del self.unseen[len(self.unseen) - 1 - self.unseen[::-1].index(tag) :]
            return
        if tag == "span" and self.spans:
            self.text.append(self.spans.pop())
        elif tag == "table" and self.grid is not None:
            self.end_text()
            self.made.append(self.grid)
            self.grid = None
        elif tag == "dl":
            self.end_text()
            self.made.append(Grid(body=self.pairs))
            self.pairs = []
        elif tag in _TEXTS or tag in _BOXES or tag in ("ul", "ol", "figure", "tr"):
            self.end_text()

    def _span(self, classes: list[str]) -> None:
        """What stands under a number on the page stands behind it in brackets."""
        below = "counts" in classes
        written = LINE if "line" in classes else BOX if "box" in classes else " " if classes else ""
        self.text.append(" (" if below else written)
        self.spans.append(")" if below else " " if classes else "")

    def handle_data(self, data: str) -> None:
        if not self.unseen:
            self.text.append(data)

    def _drawn(self, known: dict[str, str]) -> None:
        self.drawing = known.get("aria-labelledby", "").partition("-title")[0]
        inside = self.grid is not None or (self.open and self.open[-1][0] not in ("figcaption",))
        if self.drawing and not inside:
            self.end_text()
            self.made.append(Figure(self.drawing))

    def _begin(self, tag: str, known: dict[str, str], classes: list[str]) -> None:
        self.end_text()
        self.open.append((tag, " ".join(classes)))
        if tag in ("td", "th"):
            number = "number" in classes or (tag == "td" and not classes and self._under_number())
            self.cell = Box("", _many(known.get("colspan")), tag == "th", number, _many(known.get("rowspan")))

    def _under_number(self) -> bool:
        """Whether the next cell stands under a heading of numbers, as one without a class does."""
        head = self.grid.head[-1] if self.grid is not None and self.grid.head else []
        at = len(self.grid.body[-1]) if self.grid is not None and self.grid.body else 0
        return at < len(head) and head[at].number

    def end_text(self) -> None:
        """What was collected becomes the block of the element that holds it."""
        text = visible(" ".join("".join(self.text).replace("()", "").split()))
        text = text.replace("( ", "(").replace(" )", ")")
        self.text = []
        tag, kind = self.open.pop() if self.open else ("p", "")
        if tag in ("td", "th"):
            self._end_cell(text)
        elif not text:
            return
        elif tag == "caption" and self.grid is not None:
            self.grid.caption = text
        elif tag == "figcaption" and self.made and isinstance(self.made[-1], Figure):
            self.made[-1].caption = text
        elif tag == "dt":
            self.term = text
        elif tag == "dd":
            self.pairs.append([Box(self.term, header=True), Box(text)])
        elif tag == "li":
            self._end_item(text)
        elif tag[0] == "h" and tag[1:].isdigit():
            self.made.append(Title(int(tag[1:]), text))
        else:
            self.made.append(Paragraph(text, kind))

    def _end_cell(self, text: str) -> None:
        if self.grid is None:
            return
        rows = self.grid.head if self.headed else self.grid.body
        self.cell.text = text
        (rows or [[]])[-1].append(self.cell)
        self.cell = Box("")

    def _end_item(self, text: str) -> None:
        last = self.made[-1] if self.made else None
        if isinstance(last, Bullets) and self.listed:
            last.items.append(text)
        else:
            self.made.append(Bullets([text]))
        self.listed = True


def _many(value: str | None) -> int:
    return int(value) if value and value.isdigit() and 0 < int(value) < 1000 else 1


def _tidy(grid: Grid) -> Grid:
    """Without columns that hold nothing but marks: what they draw, the columns beside them say."""
    rows = [row for row in (*grid.head, *grid.body) if row]
    simple = [row for row in rows if all(cell.columns == 1 and cell.rows == 1 for cell in row)]
    if len(simple) != len(rows) or len({len(row) for row in rows}) != 1:
        return grid
    body = [row for row in grid.body if row]
    kept = [at for at in range(len(rows[0])) if any(row[at].text for row in body)]
    head, body = ([[row[at] for at in kept] for row in part if row] for part in (grid.head, grid.body))
    return Grid(grid.caption, head, body)


# The page as GitHub-flavored Markdown with its figures as files beside it: for Word, LaTeX and Quarto by pandoc.


# What Markdown, its tables, its formulas and HTML in it would read as markup.
_MARKUP = re.compile(r"[\\`*\[\]<>|$~]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)|(?<=:)//|(?<=www)\.|(?<=\w)@(?=\w)")
_BEGINNING = re.compile(r"^(\d+(?=[.)](?:\s|$))|[-+=#](?=\s|$|[-+=#]))")
_STRONG = ("finding",)


def markdown(page: Iterable[Block], picture: Callable[[str], tuple[str, str]]) -> str:
    """Return the page as text.

    Parameters
    ----------
    page : iterable of blocks
        As `blocks` reads them.
    picture : callable
        A figure's name to the path of its file and the text that replaces it; an empty path where there is no file.

    Returns
    -------
    str

    Examples
    --------
    >>> print(markdown([Title(1, "A"), Paragraph("b_c * d")], lambda name: ("", "")))
    # A
    <BLANKLINE>
    b_c \\* d
    <BLANKLINE>
    """
    return "\n\n".join(filter(None, (_written(block, picture) for block in page))) + "\n"


def markdown_escaped(text: str) -> str:
    """Text that Markdown shows as it is.

    Examples
    --------
    >>> print(*map(markdown_escaped, ("<b>$x_1$</b> | 2_a", "1. first", "two_year_recid")))
    \\<b\\>\\$x_1\\$\\</b\\> \\| 2_a 1\\. first two_year_recid
    """
    inside = _MARKUP.sub(lambda found: f"\\{found.group()}", text)
    return _BEGINNING.sub(lambda found: _begun(found.group()), inside)


def _begun(mark: str) -> str:
    """A beginning that would make a list, a heading or a rule: a number's dot follows, another mark is escaped."""
    return f"{mark}\\" if mark.isdigit() else f"\\{mark}"


def _written(block: Block, picture: Callable[[str], tuple[str, str]]) -> str:
    if isinstance(block, Title):
        return f"{'#' * block.level} {markdown_escaped(block.text)}"
    if isinstance(block, Paragraph):
        return f"**{markdown_escaped(block.text)}**" if block.kind in _STRONG else markdown_escaped(block.text)
    if isinstance(block, Bullets):
        return "\n".join(f"- {markdown_escaped(item)}" for item in block.items)
    if isinstance(block, Grid):
        return _table(block)
    return _picture(block, picture)


def _picture(block: Figure, picture: Callable[[str], tuple[str, str]]) -> str:
    path, instead = picture(block.name)
    drawn = f"![{markdown_escaped(instead)}]({path})" if path else markdown_escaped(instead)
    return "\n\n".join(filter(None, (drawn, f"*{markdown_escaped(block.caption)}*" if block.caption else "")))


def _table(grid: Grid) -> str:
    """One row of headings, which these tables must have; several rows of a head become one."""
    width = grid.width
    if not width:
        return ""
    rows = [_line(row, width) for row in grid.body]
    heads = [_line(row, width) for row in grid.head]
    head = (
        [" ".join(dict.fromkeys(filter(None, parts))) for parts in zip(*heads, strict=True)] if heads else [""] * width
    )
    numbers = [any(len(row) > at and row[at].number for row in (*grid.head, *grid.body)) for at in range(width)]
    lines = [head, ["---:" if number else "---" for number in numbers], *rows]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"**{markdown_escaped(grid.caption)}**\n\n{table}" if grid.caption else table


def _line(row: list[Box], width: int) -> list[str]:
    cells: list[str] = []
    for cell in row:
        cells += [markdown_escaped(cell.text), *[""] * (cell.columns - 1)]
    return [*cells, *[""] * (width - len(cells))]


# The page as a Word document: headings, lists, tables with header rows, figures with the text that replaces them.


PAGE, MARGIN = (210.0, 297.0), 20.0  # A4, mm
SMALL, SMALLEST = 8.5, 7.0  # points, in tables and under them; in tables of more than so many columns
MANY = 8
LEAST_WIDTH = 5  # letters that every column has room for
_QUIET = frozenset({"note", "cut", "page"})


def word_file(
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
    >>> word_file([Title(1, "A")], lambda name: None, title="A", author="", created="2024-01-01T00:00:00+00:00")[:2]
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
        _word_table(made, block)
    elif isinstance(block, Figure):
        _word_picture(made, block, picture(block.name))
    else:
        _paragraph(made, block.text, block.kind)


def _paragraph(made: Any, text: str, kind: str) -> None:
    from docx.shared import Pt

    run = made.add_paragraph().add_run(text)
    run.bold = kind == "finding" or None
    if _QUIET & set(kind.split()):
        run.font.size = Pt(SMALL)


def _word_picture(made: Any, block: Figure, drawn: tuple[bytes, str, float] | None) -> None:
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


def _word_table(made: Any, grid: Grid) -> None:
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
            _fill_cell(there[place : place + cell.columns], cell, at < len(grid.head), size)
            place += cell.columns
        _whole(own, there, at < len(grid.head), at < 2 or at >= len(rows) - 2)
    _looks(table, bool(grid.head))
    made.add_paragraph().paragraph_format.space_after = Pt(2)


def _shares(rows: list[list[Box]], width: int) -> list[float]:
    """How much of the line each column gets: by its longest word and its longest text, within bounds."""
    needs = [float(LEAST_WIDTH)] * width
    for row in rows:
        place = 0
        for cell in row:
            if cell.columns == 1 and place < width:
                longest = max(map(len, cell.text.split()), default=0)
                needs[place] = max(needs[place], min(longest, 22), min(len(cell.text), 14 if cell.number else 40))
            place += cell.columns
    return [need / sum(needs) for need in needs]


def _fill_cell(there: tuple[Any, ...], cell: Box, head: bool, size: Any) -> None:
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
