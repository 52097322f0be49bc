"""What the pages of a PDF draw, in their order: enough of the format to tell whether two files show the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fairstats.reporting.written import streams

_OBJECT = re.compile(rb"(?<!\d)(\d+) \d+ obj\b")
_END = re.compile(rb"\bstream\r?\n|endobj")
_REFERENCE = re.compile(rb"(\d+) \d+ R")
_ROOT = re.compile(rb"/Root (\d+) \d+ R")


@dataclass(frozen=True)
class Page:
    """One page: what is drawn on it, and the kinds of what lies over it (links, remarks)."""

    drawn: bytes
    over: tuple[bytes, ...]


def pages_of(raw: bytes) -> list[Page]:
    """The pages of a PDF in the order in which a reader turns them; none where the file cannot be understood.

    Examples
    --------
    >>> pages_of(b"%PDF-1.7 nothing")
    []
    """
    objects = dict(_objects(raw))
    held = {number: content for number, _, content in streams(raw)}
    # of a file that was added to, the last word counts
    root = [found for _, head, _ in streams(raw) for found in _ROOT.findall(head)] + _ROOT.findall(raw)
    return [] if not root else list(_under(objects, held, _to(objects.get(int(root[-1]), b""), b"Pages"), set()))


def _objects(raw: bytes) -> Iterator[tuple[int, bytes]]:
    """Every object by its number, those packed into streams first, so that one written beside them counts."""
    for _, head, content in streams(raw):
        first = re.search(rb"/First (\d+)", head)
        if b"/ObjStm" in head and first:
            start = int(first[1])
            places = [int(n) for n in content[:start].split()]
            ends = [*places[3::2], len(content) - start]
            for number, at, end in zip(places[::2], places[1::2], ends, strict=False):
                yield number, content[start + at : start + end]
    for found in _OBJECT.finditer(raw):
        after = _END.search(raw, found.end())
        yield int(found[1]), raw[found.end() : after.start() if after else len(raw)]


def _to(body: bytes, name: bytes) -> int:
    found = re.search(rb"/" + name + rb"\s*(\d+) \d+ R", body)
    return int(found[1]) if found else -1


def _all(objects: dict[int, bytes], body: bytes, name: bytes) -> list[int]:
    """The objects that an entry refers to: one, several, or a list that stands elsewhere."""
    listed = re.search(rb"/" + name + rb"\s*\[([^\]]*)\]", body)
    if listed:
        return [int(n) for n in _REFERENCE.findall(listed[1])]
    one = _to(body, name)
    elsewhere = objects.get(one, b"").strip()
    return [int(n) for n in _REFERENCE.findall(elsewhere)] if elsewhere.startswith(b"[") else [one] * (one >= 0)


def _under(objects: dict[int, bytes], held: dict[int, bytes], number: int, seen: set[int]) -> Iterator[Page]:
    """The pages below a node; `seen` ends a tree that refers to itself."""
    body = objects.get(number, b"")
    if b"/Kids" in body:
        seen.add(number)
        for kid in _all(objects, body, b"Kids"):
            if kid not in seen:
                yield from _under(objects, held, kid, seen)
    elif body:
        drawn = b"\n".join(held.get(n, b"") for n in _all(objects, body, b"Contents"))
        over = (re.search(rb"/Subtype\s*/(\w+)", objects.get(n, b"")) for n in _all(objects, body, b"Annots"))
        yield Page(drawn, tuple(sorted(kind[1] if kind else b"" for kind in over)))
