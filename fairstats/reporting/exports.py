"""Documents and tables as other programs take them: plain text, LaTeX, CSV, Excel, Markdown, Word."""

from __future__ import annotations

import csv
import io
import re
import textwrap
import unicodedata
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from fairstats.document import PAPERS, Bullets, Figure, Heading, Leaf, Paragraph, Table, Title
from fairstats.errors import not_installed, visible
from fairstats.files import WORDS
from fairstats.language import current, say, translated
from fairstats.reporting.bundle import inert
from fairstats.reporting.figures.style import Drawing
from fairstats.text import DASH, MINUS, THOUSANDS, NumberText, code_parts

# Sources as BibTeX, each a line "Authors (year). Title. Where." in which only names of authors have points.


_SOURCE = re.compile(
    r"(?P<author>.+?) \((?P<year>\d{4})\)\. (?P<title>.+[.?]) (?P<where>[A-Z][^.]*)\.(?: doi:(?P<doi>\S+)\.)?"
)
_ARTICLE = re.compile(r"(?P<journal>.+?) (?P<volume>\d+)(?:\((?P<number>\w+)\))?(?:, (?P<pages>\w+(?:-\w+)?))?")
_PROCEEDINGS = re.compile(
    r"(?P<booktitle>(?:NeurIPS|NIPS|ICML|AISTATS|AAAI|ACL|LAK|FAT\*)(?: \d{4})?)"
    r"(?:, (?P<series>PMLR))?(?: (?P<volume>\d+))?(?:, (?P<pages>\w+-\w+))?"
)
_BOOK = re.compile(
    r"(?P<title>.+?)(?:, (?P<edition>\d+(?:st|nd|rd|th)) edition)?"
    r"(?:, (?P<type>chapter|section)s? (?P<chapter>\d[^,]*))?"
)
_JOURNALS = {
    "CSDA": "Computational Statistics & Data Analysis",
    "JASA": "Journal of the American Statistical Association",
    "JMLR": "Journal of Machine Learning Research",
    "JNCI": "Journal of the National Cancer Institute",
    "JRSS": "Journal of the Royal Statistical Society",
    "JRSS A": "Journal of the Royal Statistical Society: Series A",
    "JRSS B": "Journal of the Royal Statistical Society: Series B",
}


def bibtex(source: str) -> str:
    """An entry of BibTeX for each work of a source; one of another form, such as a law, is a note.

    >>> print(bibtex("Wilson, E. B. (1927). Probable inference. JASA 22, 209-212."))
    @article{wilson1927probable,
      author = {Wilson, E. B.},
      year = {1927},
      title = {{Probable inference}},
      journal = {Journal of the American Statistical Association},
      volume = {22},
      pages = {209--212},
    }
    """
    return "\n\n".join(map(_entry, re.split(r"(?<=\w); (?=[^;]+ \(\d{4}\)\. )", source)))


def _entry(work: str) -> str:
    """One entry; its key, such as newcombe1998interval, is the same in every report."""
    found = _SOURCE.fullmatch(work if work.endswith(".") else f"{work}.")
    first, year, title, kind = work.split()[0], "".join(re.findall(r"\((\d{4})\)", work)), "", "misc"
    fields = {"note": escaped(work)}
    if found is not None:
        first, year, title, where = found["author"].split(",")[0], found["year"], found["title"], found["where"]
        title = title.removesuffix(".")
        author = re.sub(r"(?<=\.), ", " and ", found["author"])
        fields = {"author": escaped(author), "year": year, "title": f"{{{escaped(title)}}}"}  # in letters as they are
        if held := _PROCEEDINGS.fullmatch(where):
            kind, fields = "inproceedings", {**fields, **_parts(held)}
        elif article := _ARTICLE.fullmatch(where):
            journal = escaped(_JOURNALS.get(article["journal"], article["journal"]))
            kind, fields = "article", {**fields, **_parts(article), "journal": journal}
        elif book := _BOOK.fullmatch(title):
            parts = _parts(book)
            kind = "inbook" if "chapter" in parts else "book"
            fields |= {**parts, "title": f"{{{parts['title']}}}", "publisher": escaped(where)}
        fields |= {"doi": found["doi"]} if found["doi"] else {}
    telling = next((word for word in re.findall(r"[\w-]+", title) if len(word) > 3), "")
    key = re.sub(r"[^a-z0-9]", "", unicodedata.normalize("NFKD", f"{first}{year}{telling}".lower()))
    return "\n".join([f"@{kind}{{{key},", *(f"  {name} = {{{value}}}," for name, value in fields.items()), "}"])


def _parts(found: re.Match[str]) -> dict[str, str]:
    """The fields that a source has, ranges of pages with their dash."""
    values = {name: value for name, value in found.groupdict("").items() if value}
    return {name: escaped(value).replace("-", "--" if name == "pages" else "-") for name, value in values.items()}


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
    '"': "{''}",  # \textquotedbl is not in LaTeX's own encoding of fonts
    # after the end of a row these would be an option of it
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    "`": r"\textasciigrave{}",
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
_LIGATURE = re.compile("(?<=[-–—'])(?=[-–—'])")  # two hyphens would be a dash, two apostrophes a quotation mark
_SMALL = re.compile(r"(?<=\d)e\$-\$0*(\d+)")  # 3e−17 with the sign of our numbers
_TABLE = {ord(key): value for key, value in (_SPECIAL | _GREEK).items()}


def escaped(text: str) -> str:
    r"""Text that LaTeX sets as it is.

    Examples
    --------
    >>> print(escaped("50 % of R&D_{x} \\input"))
    50 \% of R\&D\_\{x\} \textbackslash{}input
    """
    plain = unicodedata.normalize("NFC", visible(re.sub(r"\s*\n\s*", " ", text)))
    parts = _LIGATURE.split(_NEGATIVE.sub("\N{MINUS SIGN}", plain))
    return _SMALL.sub(r"$\\times10^{-\1}$", "{}".join(part.translate(_TABLE) for part in parts))


LONG = 40  # lines, of which a page holds no more
WIDE_CELL = 40  # letters, beyond which a column of text is broken into lines
WIDE_TABLE = 90  # letters of a line, beyond which intervals stand below their numbers


def latex(table: Table, label: str = "", long: bool | None = None) -> str:
    """Return a ``table``, or a ``longtable`` that pages break, with the packages that it needs in its first line.

    long: whether it is one that pages break; by default where it has more lines than a page.

    >>> print(latex(Table("A & B", (Heading("group"), Heading("rate", "%")), (("x_1", "74.1"),))))
    % \\usepackage{booktabs,textcomp}
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
    columns = [[_lines_of(row[at], heading) for row in table.rows] for at, heading in enumerate(table.headings)]
    if sum(2 + max([HEADING, *(len(" ".join(lines)) for lines in column)]) for column in columns) < WIDE_TABLE:
        columns = [[[" ".join(lines)] for lines in column] for column in columns]
    flat = [[line for lines in column for line in lines] for column in columns]
    sides = "".join(map(_side, table.headings, flat))
    long = len(table.rows) > LONG if long is None else long
    packages = ["array"] * ("p{" in sides) + ["booktabs"] + ["longtable"] * long + ["textcomp"]
    title, named = rf"\caption{{{escaped(table.caption)}}}", [rf"\label{{{label}}}"] if label else []
    names = " & ".join(
        _stacked(textwrap.wrap(headed(one), max([HEADING, *map(len, cells)]), break_on_hyphens=False), one)
        for one, cells in zip(table.headings, flat, strict=True)
    )
    head = [r"\toprule", names + r" \\", r"\midrule"]
    lines = [" & ".join(map(_stacked, row, table.headings)) + r" \\" for row in zip(*columns, strict=True)]
    note = escaped(table.note)
    if long:
        around = [rf"\begin{{longtable}}{{{sides}}}", "".join([title, *named]) + r" \\", *head, r"\endfirsthead"]
        around += [*head, r"\endhead", r"\bottomrule", r"\endfoot", *lines, r"\end{longtable}"]
        around += [rf"{{\footnotesize\noindent {note}\par}}"] if note else []
    else:
        around = [r"\begin{table}", r"\centering", title, *named, rf"\begin{{tabular}}{{{sides}}}", *head, *lines]
        around += [r"\bottomrule", r"\end{tabular}", *([rf"\par\smallskip\footnotesize {note}"] if note else [])]
        around += [r"\end{table}"]
    return "\n".join([rf"% \usepackage{{{','.join(packages)}}}", *around]) + "\n"


def _side(heading: Heading, cells: Sequence[str]) -> str:
    """How LaTeX sets a column: numbers at the right, long text in lines."""
    if heading.kind == "number":
        return "r"
    long = max(map(len, cells), default=0) > WIDE_CELL
    return r">{\raggedright\arraybackslash}p{0.3\linewidth}" if long else "l"


HEADING = 16  # letters of a heading that stand on one line, whatever is below


def _lines_of(cell: str, heading: Heading) -> list[str]:
    """A number above its interval; any other cell whole."""
    number, _, interval = cell.partition(" (") if heading.kind == "number" else (cell, "", "")
    return [number, f"({interval}"] if interval else [cell]


def _stacked(lines: Sequence[str], heading: Heading) -> str:
    """A cell, or a heading, in lines."""
    if len(lines) < 2:
        return escaped("".join(lines))
    side, whole = ("r" if heading.kind == "number" else "l"), r"\\".join(map(escaped, lines))
    return rf"\shortstack[{side}]{{{whole}}}"


def headed(heading: Heading) -> str:
    """A heading with its unit, as one text."""
    if "(" in heading.unit:
        return f"{heading.label}, {heading.unit}"
    return f"{heading.label} ({heading.unit})" if heading.unit else heading.label


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
    english = in_english(cell)
    result = _NUMBER.fullmatch(english)
    if result is None:
        return None
    digits = len(result[1] or "")
    whole = "#,##0" if THOUSANDS in english else "0"
    return float(typed(cell)), f"{whole}.{'0' * digits}" if digits else whole


def typed(cell: str) -> str:
    """A number as a program reads it: thousands not separated, a hyphen for the minus.

    Examples
    --------
    >>> typed("−1,234.50")
    '-1234.50'
    """
    return in_english(cell).replace(THOUSANDS, "").replace(MINUS, "-")


def in_english(cell: str) -> str:
    """A number of the language that is spoken with the marks of English.

    >>> from fairstats.language import in_language, language
    >>> with in_language(language("de")):
    ...     typed("0,165"), typed("1\u202f234,5")
    ('0.165', '1234.5')
    """
    here = current()
    return cell.translate({ord(here.decimal): ".", ord(here.thousands): THOUSANDS})


def with_limits(table: Table) -> Table:
    """The table with the limits of intervals as columns; what else stands among them has a column after these."""
    headings: list[Heading] = []
    columns: list[list[str]] = []
    for j, heading in enumerate(table.headings):
        cells = [row[j] for row in table.rows]
        if not any(isinstance(cell, NumberText) for cell in cells):
            headings, columns = [*headings, heading], [*columns, cells]
            continue
        cells = [NumberText(cell, value=cell) if type(cell) is str and number_of(cell) else cell for cell in cells]
        parts = {"value": "", "unit": say("unit"), "low": say("lower limit"), "high": say("upper limit")}
        for part, of in parts.items():
            if any(of_part := [getattr(cell, part, "") for cell in cells]):
                label = ", ".join(filter(None, (heading.label, of)))
                headings, columns = [*headings, replace(heading, label=label)], [*columns, of_part]
        others = ["" if isinstance(cell, NumberText) or cell == DASH else cell for cell in cells]
        if any(others):
            label = f"{heading.label}, {say('note')}"
            headings, columns = [*headings, Heading(label, kind="text")], [*columns, others]
    return replace(table, headings=tuple(headings), rows=tuple(zip(*columns, strict=True)))


def comma_separated(table: Table) -> str:
    """Return the table as CSV: digits as they are shown, as a program reads them; a formula has an apostrophe first."""
    sheet = io.StringIO()
    writer = csv.writer(sheet, lineterminator="\n")
    writer.writerow([inert(visible(headed(h))) for h in table.headings])
    for row in table.rows:
        numeric = [number_of(cell.removeprefix("<")) for cell in row]  # a p-value may be one below which it lies
        pairs = zip(row, numeric, strict=True)
        writer.writerow([typed(cell) if number else inert(visible(cell)) for cell, number in pairs])
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
    result = openpyxl.Workbook()
    sheet = result.active
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
    result.properties.description = WORDS
    content = io.BytesIO()
    result.save(content)
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


# A document as GitHub-flavored Markdown with its figures as files beside it: for LaTeX and Quarto by pandoc.


# What Markdown, its tables, its formulas and HTML in it would read as markup.
_MARKUP = re.compile(r"[\\`*\[\]<>|$~]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)|(?<=:)//|(?<=www)\.|(?<=\w)@(?=\w)")
_BEGINNING = re.compile(r"^(\d+(?=[.)](?:\s|$))|[-+=#](?=\s|$|[-+=#]))")
_STRONG = ("finding",)


def markdown(document: Iterable[Leaf], picture: Callable[[Drawing], str] = lambda drawing: "") -> str:
    """Return the document as text.

    picture: a drawing to the path of its file; its words are shown where that is empty.
    """
    return "\n\n".join(part for block in document for part in _written(block, picture)) + "\n"


def one_line(text: str) -> str:
    """Text on one line, in which no character acts, in the words of whoever reads it."""
    return visible(" ".join(translated(text).split()))


def markdown_escaped(text: str) -> str:
    """Text that Markdown shows as it is.

    Examples
    --------
    >>> print(*map(markdown_escaped, ("<b>$x_1$</b> | 2_a", "1. first", "two_year_recid")))
    \\<b\\>\\$x_1\\$\\</b\\> \\| 2_a 1\\. first two_year_recid
    """
    inside = ""
    for place, part in enumerate(code_parts(text)):
        escaped = _MARKUP.sub(lambda result: f"\\{result.group()}", part)
        inside += (f"`{part}`" if escaped == part else escaped) if place % 2 else escaped
    return _BEGINNING.sub(lambda result: _begun(result.group()), inside)


def _begun(mark: str) -> str:
    """A beginning that would make a list, a heading or a rule: a number's dot follows, another mark is escaped."""
    return f"{mark}\\" if mark.isdigit() else f"\\{mark}"


def _written(block: Leaf, picture: Callable[[Drawing], str]) -> list[str]:
    if isinstance(block, Title):
        return [f"{'#' * block.level} {_escaped(block.text)}"]
    if isinstance(block, Paragraph):
        return [f"**{_escaped(block.text)}**" if block.kind in _STRONG else _escaped(block.text)]
    if isinstance(block, Bullets):
        return ["\n".join(f"- {_escaped(item)}" for item in block.items)]
    if isinstance(block, Table):
        return _table(block)
    drawing, path = block.drawing, picture(block.drawing)
    drawn = f"![{_escaped(drawing.alt)}]({path})" if path else _escaped(drawing.alt)
    return [drawn, *([f"*{_escaped(drawing.caption)}*"] if drawing.caption else [])]


def _escaped(text: str) -> str:
    return markdown_escaped(one_line(text))


def _table(table: Table) -> list[str]:
    """A row of headings, which these tables must have, stays empty where there are none."""
    columns = len(table.headings or table.rows[0])
    head = [_escaped(headed(heading)) for heading in table.headings] or [""] * columns
    rule = ["---:" if heading.kind.startswith("number") else "---" for heading in table.headings] or ["---"] * columns
    lines = [head, rule, *([_escaped(cell) for cell in row] for row in table.rows)]
    body = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return [
        *([f"**{_escaped(table.caption)}**"] if table.caption else []),
        body,
        *filter(None, [_escaped(table.footnote)]),
    ]


# A document as a Word file: headings, lists, tables with header rows, figures with the text that replaces them.


LINE_OF_TEXT, MARGIN = 170.0, 20.0  # mm; the margin above and below
SMALL, SMALLEST = 8.5, 7.0  # points, in tables and under them; in tables of more than so many columns
MANY = 8
LEAST_WIDTH = 5  # letters that every column has room for
_QUIET = frozenset({"note"})


def word_file(
    document: Iterable[Leaf],
    pixels: Mapping[str, bytes],
    *,
    title: str,
    author: str,
    created: str,
    language: str = "en-US",
    paper: str = "a4",
) -> bytes:
    """Return the document as a ``.docx`` file; the same document gives the same bytes.

    pixels: the name of a drawing to its PNG.
    title, author, created, language: the properties of the file; ``created`` is ISO 8601.
    paper: its size.
    Raises DependencyError if python-docx is missing.

    >>> word_file([Title(1, "A")], {}, title="A", author="", created="2024-01-01T00:00:00+00:00")[:2]
    b'PK'
    """
    try:
        import docx
    except ImportError as missing:
        raise not_installed("a Word document", "python-docx", "tables") from missing
    result = docx.Document()
    _properties(result, title, author, created, language)
    _page(result.sections[0], paper)
    _styles(result)
    for block in document:
        _add(result, block, pixels)
    sheet = io.BytesIO()
    result.save(sheet)
    return _dated(sheet.getvalue(), created)


def _properties(result: Any, title: str, author: str, created: str, language: str) -> None:
    core_properties = result.core_properties
    moment = datetime.fromisoformat(created).astimezone(UTC).replace(tzinfo=None)
    core_properties.title, core_properties.author, core_properties.language, core_properties.comments = (
        title[:255],
        author[:255],
        language,
        WORDS,
    )
    core_properties.created = core_properties.modified = moment
    core_properties.last_modified_by = author[:255]


def _page(section: Any, paper: str) -> None:
    from docx.shared import Mm

    _, width, height = PAPERS[paper]
    section.page_width, section.page_height = Mm(width), Mm(height)
    section.top_margin = section.bottom_margin = Mm(MARGIN)
    section.left_margin = section.right_margin = Mm((width - LINE_OF_TEXT) / 2)


def _styles(result: Any) -> None:
    from docx.shared import Pt, RGBColor

    normal = result.styles["Normal"]
    normal.font.name, normal.font.size = "Calibri", Pt(10)
    normal.paragraph_format.space_after = Pt(6)
    for name, size in (("Title", 20), ("Heading 1", 20), ("Heading 2", 14), ("Heading 3", 11.5), ("Caption", 9)):
        style = result.styles[name]
        style.font.name, style.font.size, style.font.color.rgb = "Calibri", Pt(size), RGBColor(0x1C, 0x1C, 0x1C)
        style.paragraph_format.keep_with_next = True
    result.styles["Caption"].font.bold = True


def _add(result: Any, block: Leaf, pixels: Mapping[str, bytes]) -> None:
    if isinstance(block, Title):
        result.add_heading(one_line(block.text), min(block.level, 9))
    elif isinstance(block, Bullets):
        for item in block.items:
            _runs(result.add_paragraph(style="List Bullet"), item)
    elif isinstance(block, Table):
        _word_table(result, block)
    elif isinstance(block, Figure):
        _word_picture(result, block.drawing, pixels.get(block.drawing.name))
    else:
        _paragraph(result, block.text, block.kind)


def _paragraph(result: Any, text: str, kind: str) -> None:
    from docx.shared import Pt

    for run in _runs(result.add_paragraph(), text):
        run.bold = kind in _STRONG or None
        if _QUIET & set(kind.split()):
            run.font.size = Pt(SMALL)


def _runs(paragraph: Any, text: str) -> Sequence[Any]:
    """Add a text to a paragraph, the columns in it in a face of code; return its runs."""
    for place, part in enumerate(code_parts(one_line(text))):
        run = paragraph.add_run(part)
        if place % 2:
            run.font.name = "Consolas"
    return paragraph.runs  # type: ignore[no-any-return]


def _word_picture(result: Any, drawing: Drawing, pixels: bytes | None) -> None:
    from docx.shared import Mm

    caption = one_line(drawing.caption)
    if pixels is not None:
        paragraph = result.add_paragraph()
        paragraph.paragraph_format.keep_with_next = bool(caption)
        shape = paragraph.add_run().add_picture(io.BytesIO(pixels), width=Mm(min(drawing.width, LINE_OF_TEXT)))
        named = shape._inline.docPr
        named.set("descr", one_line(drawing.alt))
        named.set("title", caption or drawing.name)
    if caption:
        result.add_paragraph(caption).runs[0].italic = True


def _word_table(result: Any, table: Table) -> None:
    from docx.shared import Mm, Pt

    if table.caption:
        result.add_paragraph(one_line(table.caption), style="Caption")
    head = [one_line(headed(heading)) for heading in table.headings]
    lines = [*([head] if head else []), *([one_line(cell) for cell in row] for row in table.rows)]
    numbers = [heading.kind.startswith("number") for heading in table.headings] or [False] * len(lines[0])
    grid = result.add_table(rows=len(lines), cols=len(numbers), style="Table Grid")
    widths = [Mm(share * LINE_OF_TEXT) for share in _shares(lines, numbers)]
    for column, needed in zip(grid.columns, widths, strict=True):
        column.width = needed
    size = Pt(SMALL if len(numbers) <= MANY else SMALLEST)
    for at, (row, line) in enumerate(zip(grid.rows, lines, strict=True)):
        cells, top = row.cells, bool(head) and at == 0
        for cell, text, number, needed in zip(cells, line, numbers, widths, strict=True):
            cell.width = needed
            _fill_cell(cell, text, number, top, size)
        _whole(row, cells, top, at < 2 or at >= len(lines) - 2)
    _looks(grid, bool(head))
    result.add_paragraph().paragraph_format.space_after = Pt(2)
    if table.footnote:
        _paragraph(result, table.footnote, "note")


def _shares(lines: Sequence[Sequence[str]], numbers: Sequence[bool]) -> list[float]:
    """How much of the line each column gets: by its longest word and its longest text, within bounds."""
    needs = []
    for column, number in zip(zip(*lines, strict=True), numbers, strict=True):
        longest = max(len(word) for cell in column for word in cell.split() or [""])
        needs.append(float(max(LEAST_WIDTH, min(longest, 22), min(max(map(len, column)), 14 if number else 40))))
    return [need / sum(needs) for need in needs]


def _fill_cell(cell: Any, text: str, number: bool, head: bool, size: Any) -> None:
    from docx.enum.text import WD_ALIGN_PARAGRAPH

    paragraph = cell.paragraphs[0]
    run = paragraph.add_run(text)
    run.font.size, run.bold = size, head or None
    paragraph.paragraph_format.space_after = 0
    if number:
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
