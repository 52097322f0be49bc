"""The page as a list of headings, paragraphs, lists, tables and figures: what it says, without how it looks.

Other forms are written from the page itself, so there is no second wording, and a template of the user's own counts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

from fairstats.errors import visible

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
