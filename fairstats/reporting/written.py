"""A report read back: the results inside its PDF, its HTML page or its JSON file, and nothing that runs."""

from __future__ import annotations

import base64
import binascii
import gzip
import hashlib
import html
import json
import os
import platform
import re
import string
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from fairstats.errors import InputError, listing
from fairstats.files import existing
from fairstats.language import say
from fairstats.reporting.bundle import SCHEMA
from fairstats.studies.provenance import version

LARGEST = 400_000_000  # bytes of one attachment unpacked: nobody's report, and less than a machine's memory
_STREAM = re.compile(rb"(?<!\d)\d+ \d+ obj\b((?:(?!endobj|stream).){0,4000})stream\r?\n", re.S)
_DATA = re.compile(r'href="data:application/gzip;base64,([A-Za-z0-9+/=]*)"')
_LINK = re.compile(r'<p class="data">[^<>]*<a download="results\.json\.gz" [^<>]*>results\.json\.gz</a></p>\n')

OTHERS = ("fits", "extra_errors", "partitions", "others")  # the results beside the audit

# What decides the bytes of a form, beside the results: the libraries that write it.
_OF_PAGES = ("jinja2", "markupsafe", "fonttools", "brotli", "matplotlib")
_OF_PDF = ("weasyprint", "pydyf", "tinycss2", "tinyhtml5", "cssselect2", "pyphen", "pillow")


@dataclass(frozen=True)
class Written:
    """A written report: its form ("pdf", "html" or "json"), the results in it, and the whole of it."""

    kind: str
    document: dict[str, Any]
    raw: bytes


def software(form: str) -> dict[str, str]:
    """The software on which the bytes of a form depend, with its versions.

    Examples
    --------
    >>> list(software("json"))
    ['fairstats']
    """
    names = {"html": _OF_PAGES, "pdf": (*_OF_PAGES, *_OF_PDF)}.get(form, ())
    found = {name: version(name) for name in ("fairstats", *names)}
    if names:
        found |= {"python": platform.python_version(), "zlib": zlib.ZLIB_RUNTIME_VERSION}
    return found | ({"specimen": specimen()} if form == "pdf" else {})


@cache
def specimen() -> str:
    """The hash of a small PDF: libraries of the system set its text and cut its faces, and tell no version."""
    from fairstats.reporting.faces import faces_css
    from fairstats.reporting.render import pdf

    letters = f"<p>{string.printable.split('<')[0]} Ta VA fi \u00e4\u2212\u2013</p>"
    drawing = '<svg viewBox="0 0 90 20"><text x="1" y="9" font-size="8">Va 0.1</text><path d="M1 1h9z"/></svg>'
    page = f"<html lang=en><title>specimen</title><style>{faces_css(letters)}*{{font-family:Inter}}</style>"
    made = pdf(f"{page}{letters}<b>{letters}</b>{drawing}", (), "2024-01-01T00:00:00+00:00", "specimen")
    return hashlib.sha256(made).hexdigest()[:16]


def with_data(page: str, document: str) -> str:
    """The page with its results inside, as a file that a reader can take out of it.

    Examples
    --------
    >>> "results.json" in with_data("<p>page</p></body>", "{}")
    True
    """
    small = json.dumps(json.loads(document), ensure_ascii=False, separators=(",", ":"))
    data = base64.b64encode(gzip.compress(small.encode(), mtime=0)).decode()
    link = (
        f'<p class="data">{html.escape(say("Every number of this report:"))} '
        f'<a download="results.json.gz" href="data:application/gzip;base64,{data}">results.json.gz</a></p>\n'
    )
    end = page.rfind("</main>")
    end = page.rfind("</body>") if end < 0 else end
    return page + link if end < 0 else f"{page[:end]}{link}{page[end:]}"


def without_data(page: str) -> str:
    """The page as it was before `with_data`.

    Examples
    --------
    >>> without_data(with_data("<p>page</p></body>", "{}"))
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
        return Written("json", _document(text, file.name), raw)
    return _of_html(raw, text, file.name)


def _of_html(raw: bytes, text: str, name: str) -> Written:
    found = _DATA.findall(text)
    if len(found) != 1:
        raise _foreign(name, "no results are inside it" if not found else f"{len(found)} sets of results are inside it")
    try:
        packed = base64.b64decode(found[0], validate=True)
        document = zlib.decompressobj(wbits=31).decompress(packed, LARGEST).decode("utf-8")
    except (binascii.Error, zlib.error, UnicodeDecodeError):
        raise _foreign(name, "the results inside it are damaged") from None
    return Written("html", _document(document, name), raw)


def _of_pdf(raw: bytes, name: str) -> Written:
    """The attached results of a PDF: a stream that says what it is, packed or plain, wherever it stands."""
    texts = {content.decode("utf-8", "replace") for content in _attached(raw)}
    found = [text for text in texts if text.lstrip()[:1] == "{" and SCHEMA in text[:200]]
    if len(found) != 1:
        packed = "it is encrypted" if b"/Encrypt" in raw else "no results.json of a report is attached to it"
        raise _foreign(name, f"{len(found)} different sets of results are attached to it" if found else packed)
    return Written("pdf", _document(found[0], name), raw)


def _attached(raw: bytes) -> Iterator[bytes]:
    """The content of every attached file, unpacked."""
    for match in _STREAM.finditer(raw):
        head = re.sub(rb"#([0-9A-Fa-f]{2})", lambda code: bytes([int(code[1], 16)]), match.group(1))
        if b"/EmbeddedFile" in head:
            content = _unpacked(raw, head, match.end())
            if content is not None:
                yield content


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
    for kind in OTHERS:
        results = document.get(kind, [])
        if not isinstance(results, list) or not all(map(_is_result, results)):
            raise _foreign(name, f"its JSON has {kind} that are no results")
    return document


def _is_result(entry: Any) -> bool:
    """Whether an entry has what every result of a report has: a name, and rows."""
    return isinstance(entry, dict) and bool(entry.get("name")) and bool(entry.get("estimates"))


def _foreign(name: str, why: str) -> InputError:
    forms = listing([".pdf", ".html", ".json"])
    return InputError(f"report has {Path(name).name!r}; {why}; pass a file that fairstats wrote as a report ({forms}).")
