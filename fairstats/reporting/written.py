"""A report read back: the results inside its PDF, its HTML page or its JSON file, and nothing that runs."""

from __future__ import annotations

import base64
import binascii
import gzip
import html
import json
import os
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairstats.errors import InputError, listing
from fairstats.files import existing
from fairstats.language import say
from fairstats.reporting.bundle import SCHEMA

LARGEST = 400_000_000  # bytes of one attachment unpacked: nobody's report, and less than a machine's memory
_STREAM = re.compile(rb"(?<!\d)(\d+) \d+ obj\b((?:(?!endobj|stream).){0,4000})stream\r?\n", re.S)
_LINK = re.compile(
    r'<p class="data" data-preset="([^"]*)" data-templates="([^"]*)">'
    r'.*?href="data:application/gzip;base64,([A-Za-z0-9+/=]*)".*?</p>\n?',
    re.S,
)

_MAKER = re.compile(r'(<meta name="generator" content="[^"]*)(">)')
_TOLD = re.compile(r"fairstats [^<>,]*(?:, preset ([^<>,]*))?(, own templates)?<")


@dataclass(frozen=True)
class Written:
    """What a written report holds."""

    kind: str  # "pdf", "html" or "json"
    document: dict[str, Any]
    table: str = ""  # results.csv of a PDF
    page: str = ""  # the HTML page without its data
    preset: str = ""
    own_templates: bool = False
    raw: bytes = b""  # of a PDF


def with_data(page: str, document: str, preset: str, own_templates: bool) -> str:
    """The page with its results inside, as a file that a reader can take out of it.

    Examples
    --------
    >>> "results.json" in with_data("<p>page</p></body>", "{}", "generic", False)
    True
    """
    small = json.dumps(json.loads(document), ensure_ascii=False, separators=(",", ":"))
    data = base64.b64encode(gzip.compress(small.encode(), mtime=0)).decode()
    link = (
        f'<p class="data" data-preset="{html.escape(preset)}" data-templates="{"own" if own_templates else ""}">'
        f"{html.escape(say('Every number of this report:'))} "
        f'<a download="results.json.gz" href="data:application/gzip;base64,{data}">results.json.gz</a></p>\n'
    )
    end = page.rfind("</main>")
    end = page.rfind("</body>") if end < 0 else end
    return page + link if end < 0 else f"{page[:end]}{link}{page[end:]}"


def told(page: str, preset: str, own_templates: bool) -> str:
    """The page of a PDF, whose maker's name says what else than the packaged page it is.

    Examples
    --------
    >>> told('<meta name="generator" content="fairstats 1">', "method", False)
    '<meta name="generator" content="fairstats 1, preset method">'
    """
    said = f", preset {html.escape(preset)}" if preset != "generic" else ""
    said += ", own templates" if own_templates else ""
    return _MAKER.sub(lambda found: f"{found[1]}{said}{found[2]}", page, count=1) if said else page


def without_data(page: str) -> str:
    """The page as it was before `with_data`.

    Examples
    --------
    >>> without_data(with_data("<p>page</p></body>", "{}", "generic", False))
    '<p>page</p></body>'
    """
    return _LINK.sub("", page, count=1)


def read_written(path: str | os.PathLike[str]) -> Written:
    """Read what a report of ours holds, by what the file is and not by its name.

    Parameters
    ----------
    path : str or path
        A PDF, an HTML page or a JSON file that `report` wrote.

    Returns
    -------
    Written

    Raises
    ------
    FileError
        If there is no such file.
    InputError
        If it is no report of ours.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "a.json"
    >>> _ = path.write_text("[1]")
    >>> read_written(path)
    Traceback (most recent call last):
    fairstats.errors.InputError: report has 'a.json'; its JSON is not that of a report of fairstats...
    """
    file = existing(path, "report")
    raw = file.read_bytes()
    if raw.lstrip()[:5] == b"%PDF-":
        return _of_pdf(raw, file.name)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _foreign(file.name, "it is neither a PDF nor text") from None
    if text.lstrip()[:1] in ("{", "["):
        return Written("json", _document(text, file.name))
    return _of_html(text, file.name)


def _of_html(text: str, name: str) -> Written:
    found = _LINK.findall(text)
    if len(found) != 1:
        raise _foreign(name, "no results are inside it" if not found else f"{len(found)} sets of results are inside it")
    preset, templates, data = found[0]
    try:
        packed = base64.b64decode(data, validate=True)
        document = zlib.decompressobj(wbits=31).decompress(packed, LARGEST).decode("utf-8")
    except (binascii.Error, zlib.error, UnicodeDecodeError):
        raise _foreign(name, "the results inside it are damaged") from None
    return Written(
        "html", _document(document, name), page=without_data(text), preset=html.unescape(preset),
        own_templates=templates == "own",
    )  # fmt: skip


def _of_pdf(raw: bytes, name: str) -> Written:
    """The attached files of a PDF: streams that say what they are, each packed or plain, wherever they stand."""
    documents, tables = [], []
    told_by = [("", False)]
    for _, head, content in streams(raw):
        text = content.decode("utf-8", "replace") if b"/EmbeddedFile" in head or b"/Metadata" in head else ""
        if b"/Metadata" in head and (made := _TOLD.search(text)):
            told_by.append((made[1] or "generic", bool(made[2])))
        elif b"/EmbeddedFile" not in head:
            continue
        if text.lstrip()[:1] == "{" and SCHEMA in text[:200]:
            documents.append(text)
        elif text.startswith("result,"):
            tables.append(text)
    if len(set(documents)) != 1:
        known = f"{len(set(documents))} different sets of results are attached to it"
        packed = "it is encrypted" if b"/Encrypt" in raw else "no results.json of a report is attached to it"
        raise _foreign(name, known if documents else packed)
    if len(set(tables)) > 1:
        raise _foreign(name, f"{len(set(tables))} different tables of results are attached to it")
    preset, own = told_by[-1]
    table = tables[0] if tables else ""
    return Written("pdf", _document(documents[0], name), table, preset=preset, own_templates=own, raw=raw)


def streams(raw: bytes) -> Iterator[tuple[int, bytes, bytes]]:
    """The number, the head and the unpacked content of every stream of a PDF, wherever it stands."""
    for match in _STREAM.finditer(raw):
        head = re.sub(rb"#([0-9A-Fa-f]{2})", lambda code: bytes([int(code[1], 16)]), match.group(2))
        content = _unpacked(raw, head, match.end())
        if content is not None:
            yield int(match.group(1)), head, content


def _unpacked(raw: bytes, head: bytes, start: int) -> bytes | None:
    if b"/FlateDecode" not in head and b"/Filter" in head:
        return None
    if b"/FlateDecode" in head:
        try:
            return zlib.decompressobj().decompress(raw[start:], LARGEST)
        except zlib.error:
            return None
    length = re.search(rb"/Length (\d+)(?! \d+ R)", head)
    end = raw.find(b"endstream", start)
    return raw[start : start + int(length.group(1))] if length else raw[start:end].rstrip(b"\r\n")


def _document(text: str, name: str) -> dict[str, Any]:
    try:
        document = json.loads(text)
    except json.JSONDecodeError as wrong:
        raise _foreign(name, f"its JSON is broken at character {wrong.pos}") from None
    except RecursionError:
        raise _foreign(name, "its JSON is nested without end") from None
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise _foreign(name, "its JSON is not that of a report of fairstats")
    return document


def _foreign(name: str, why: str) -> InputError:
    forms = listing([".pdf", ".html", ".json"])
    return InputError(f"report has {Path(name).name!r}; {why}; pass a file that fairstats wrote as a report ({forms}).")
