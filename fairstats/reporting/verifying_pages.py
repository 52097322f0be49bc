"""The pages of a written report beside those that its recomputed results give: an edited number on a page is found."""

from __future__ import annotations

import re
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
from fairstats.reporting.report import context
from fairstats.reporting.written import Written
from fairstats.studies.provenance import DataSource, Provenance

SHOWN = 80  # letters of a line that are shown


def page_differences(written: Written, recorded: dict[str, Any], audit: Audit) -> Iterator[Difference]:
    """Every text of an HTML page, its figures' included, that the page of the recomputed results has otherwise."""
    page = _remade(written, recorded, audit, written.preset).rendered[0]
    if page == written.page:
        return
    for ours, theirs in zip_longest(_texts(written.page), _texts(page), fillvalue=ABSENT):
        if ours != theirs:
            first = sum(takewhile(bool, map(str.__eq__, ours, theirs)))
            yield Difference("the page", _around(ours, first), _around(theirs, first))


def _around(text: str, at: int) -> str:
    """A line from a little before a place on."""
    return text if len(text) <= SHOWN else f"…{text[max(0, at - 30) :]}" if at > 30 else text


def same_pdf(written: Written, recorded: dict[str, Any], audit: Audit) -> bool:
    """Whether a PDF is, byte for byte, what is written here of the recomputed results."""
    return _remade(written, recorded, audit, "generic").pdf == written.raw


def _remade(written: Written, recorded: dict[str, Any], audit: Audit, preset: str) -> Contents:
    """The report as it was made: the recomputed numbers with the run, the data's name and the cover of the written."""
    known = replace(audit, provenance=Provenance(**recorded["provenance"]), data=DataSource(**recorded["data"]))
    cover = {name: str(written.document.get(name, "")) for name in ("title", "auditor")}
    with speaking(language(str(written.document.get("language", ENGLISH)))):
        bundle: Bundle = gather([known], cover["title"], cover["auditor"])
    return Contents(bundle, context, preset, None)


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
