"""The pages of a written report beside those that its recomputed results give: an edited number on a page is found."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile, zip_longest
from typing import Any

from fairstats.auditing.result import Audit
from fairstats.language import ENGLISH, language, speaking
from fairstats.reporting.bundle import Bundle, gather
from fairstats.reporting.comparing_documents import ABSENT, Difference
from fairstats.reporting.exports.blocks import Block, Bullets, Figure, Grid, blocks
from fairstats.reporting.forms import Contents
from fairstats.reporting.pdf_pages import pages_of
from fairstats.reporting.report import context
from fairstats.reporting.written import Written, streams
from fairstats.studies.provenance import DataSource, Provenance

SHOWN = 80  # letters of a line that are shown


DRAWN = (
    "the lines and points of the page's figures, which are not those that are drawn here (other libraries, or a "
    "change); the words and numbers in them are."
)
PDF = (
    "the pages of the PDF, which are not byte for byte those that are written here (another machine, other templates, "
    "or a change); what was compared is attached to it."
)


OUTSIDE = "what the PDF says beside its pages (labels for screen readers, bookmarks); the pages are the same."


def page_differences(
    written: Written, recorded: dict[str, Any], audit: Audit, unchecked: list[str]
) -> Iterator[Difference]:
    """Every text of an HTML page, its figures' included, that the page of the recomputed results has otherwise.

    Where only lines and points of figures differ, `unchecked` is told: they depend on the libraries that drew them.
    """
    page = _remade(written, recorded, audit).rendered[0]
    if page == written.page:
        return
    said = False
    for ours, theirs in zip_longest(_texts(written.page), _texts(page), fillvalue=ABSENT):
        if ours != theirs:
            first = sum(takewhile(bool, map(str.__eq__, ours, theirs)))
            said = True
            yield Difference("the page", _around(ours, first), _around(theirs, first))
    if not said and _without_pictures(page) != _without_pictures(written.page):
        yield Difference("the page", "the same words in another markup or style", "the markup of this version")
    elif not said:
        drawn, found = (re.findall(r"<svg\b.*?</svg>", text, re.S) for text in (page, written.page))
        moved = [i for i, (a, b) in enumerate(zip_longest(drawn, found), 1) if a != b]
        if 2 * len(moved) > len(drawn):  # other libraries drew them
            unchecked.append(DRAWN)
            return
        for number in moved:
            yield Difference(f"the page, drawing {number}", "changed", "what the results give")


def _around(text: str, at: int) -> str:
    """A line from a little before a place on."""
    return text if len(text) <= SHOWN else f"…{text[max(0, at - 30) :]}" if at > 30 else text


def _without_pictures(page: str) -> str:
    """The page without what other versions of the drawing libraries, or other faces, draw otherwise."""
    return re.sub(r"<svg\b.*?</svg>|@font-face\{[^}]*\}", "", page, flags=re.S)


_ELSEWHERE = (
    b"/EmbeddedFile",
    b"/XRef",
    b"/ObjStm",
    b"/Metadata",
)  # compared before, or no drawing


def pdf_differences(
    written: Written, recorded: dict[str, Any], audit: Audit, unchecked: list[str]
) -> Iterator[Difference]:
    """Every page and picture of a PDF that the recomputed results give otherwise.

    Where another machine set the pages, nearly all that is drawn differs a little, and `unchecked` is told so. Where
    most of it is the same bit for bit, whatever is not was changed after it had been written.
    """
    ours = _remade(written, recorded, audit).pdf
    if ours == written.raw:
        return
    drawn, found = (_pieces(raw) for raw in (ours, written.raw))
    lost, added = drawn - found, found - drawn
    if 2 * lost.total() > drawn.total():
        unchecked.append(PDF)
        return
    said = 0
    for number, (theirs, mine) in enumerate(zip_longest(pages_of(written.raw), pages_of(ours)), 1):
        if theirs != mine:
            said += 1
            missing = "absent" if theirs is None else "changed, or another page" if mine else "added"
            yield Difference(f"the PDF, page {number}", missing, "what the results give" if mine else "none")
    if not said and (lost or added):
        yield Difference("the PDF", "changed pictures or faces", "those of the report")
    if not said and not lost and not added:
        unchecked.append(OUTSIDE)


def _pieces(raw: bytes) -> Counter[bytes]:
    """What pages are drawn of, once each time that it stands in the file."""
    return Counter(content for _, head, content in streams(raw) if not any(name in head for name in _ELSEWHERE))


def _remade(written: Written, recorded: dict[str, Any], audit: Audit) -> Contents:
    """The report as it was made: the recomputed numbers with the run, the data's name and the cover of the written."""
    known = replace(audit, provenance=Provenance(**recorded["provenance"]), data=DataSource(**recorded["data"]))
    cover = {name: str(written.document.get(name, "")) for name in ("title", "auditor")}
    with speaking(language(str(written.document.get("language", ENGLISH)))):
        bundle: Bundle = gather([known], cover["title"], cover["auditor"])
    return Contents(bundle, context, written.preset or "generic", None)


def _texts(page: str) -> list[str]:
    """What a reader reads: the page's blocks, then the words in and of its figures and in its head."""
    drawn = re.findall(r"<(?:text|title|desc)\b[^<>]*>([^<>]*)<|<meta [^<>]*content=\"([^\"]*)\"", page)
    return [*(line for block in blocks(page) for line in _lines(block)), *map("".join, drawn)]


def _lines(block: Block) -> list[str]:
    """A table row by row, so that a difference shows where it is."""
    if isinstance(block, Grid):
        return [block.caption, *(" | ".join(box.text for box in row) for row in (*block.head, *block.body))]
    return (
        [*block.items] if isinstance(block, Bullets) else [block.caption if isinstance(block, Figure) else block.text]
    )
