"""What a page of HTML says, read by the parser of the standard library: its texts in order, each with its element."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html.parser import HTMLParser

from fairstats.document import Bullets, Figure, Leaf, Table
from fairstats.reporting.exports import headed

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
UNSEEN = {"head", "nav", "style", "script", "svg"}
NOT_PRINTED = {"skip", "data", "mark"}  # the link past the navigation, the data inside the page, marks on an axis
TEXTS = {"p", "li", "dt", "dd", "h1", "h2", "h3", "h4", "caption", "figcaption", "th", "td"}
BOXES = {"table", "thead", "tbody", "tr", "ul", "div", "section", "figure", "dl", "main", "body"}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, str]] = []
        self.text, self.element = "", "p"
        self.unseen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        classes = set((dict(attrs).get("class") or "").split())
        inside = [*self.unseen]
        if tag in TEXTS | BOXES and inside[-1:] in (["th"], ["td"]):  # cells have no end tag
            self.unseen.pop()
        if self.unseen or tag in UNSEEN or NOT_PRINTED & classes:
            if tag in TEXTS | BOXES:
                self.end()
            self.unseen += [] if tag in VOID else [tag]
        elif tag in TEXTS | BOXES:
            self.end()
            self.element = tag if tag in TEXTS else "p"
        else:
            self.text += " " if tag in ("br", "span") else ""

    def handle_endtag(self, tag: str) -> None:
        if tag in self.unseen:
            del self.unseen[len(self.unseen) - 1 - self.unseen[::-1].index(tag) :]
        elif not self.unseen and tag in TEXTS | BOXES:
            self.end()
        else:
            self.text += " " if tag == "span" else ""

    def handle_data(self, data: str) -> None:
        self.text += "" if self.unseen else data

    def end(self) -> None:
        if text := " ".join(self.text.split()):
            self.found.append((self.element, text))
        self.text, self.element = "", "p"


def texts(page: str) -> list[tuple[str, str]]:
    """Return every text with its element.

    Examples
    --------
    >>> texts("<h1>A</h1><p>b <b>c</b><ul><li>d</ul><table><tr><th>e<td>1 <span>%</span></table>")
    [('h1', 'A'), ('p', 'b c'), ('li', 'd'), ('th', 'e'), ('td', '1 %')]
    """
    reader = _Reader()
    reader.feed(page)
    reader.close()
    reader.end()
    return reader.found


def words(names: Iterable[str]) -> list[str]:
    """Return the words in order, without what only one form has: brackets, lines to write on, boxes, code."""
    return [part for text in names for part in re.sub(r"[(),.☐_]", " ", text.replace("`", "")).split()]


def said_by(blocks: Iterable[Leaf]) -> list[str]:
    """Return the texts of a document in order."""
    names: list[str] = []
    for block in blocks:
        if isinstance(block, Table):
            rows = [cell for row in block.rows for cell in row]
            names += [block.caption, *map(headed, block.headings), *rows, block.footnote]
        elif isinstance(block, Bullets):
            names += block.items
        else:
            names.append(block.drawing.caption if isinstance(block, Figure) else block.text)
    return names
