"""How wide and how high a text is, in the face of the figures: by its advances, which ship beside the face."""

from __future__ import annotations

import unicodedata
from functools import cache
from pathlib import Path

_TABLE = Path(__file__).resolve().parent.parent / "fonts" / "Inter-Regular.advances.txt"
EM = 2816
ASCENT, DESCENT = 2728 / EM, 680 / EM  # of a line, from its baseline
OTHER, WIDE = 0.65, 1.0  # em: a letter of another face, one of East Asia


def width(text: str, size: float) -> float:
    """Return the width of a line of text, in points, without kerning.

    Examples
    --------
    >>> round(width("Hello", 10), 1), width("", 10)
    (23.9, 0)
    """
    return size * sum(_advance(c) for c in text)


def packaged(character: str) -> bool:
    """Whether the packaged faces have a character.

    Examples
    --------
    >>> packaged("e"), packaged("\u05d0")
    (True, False)
    """
    return ord(character) in _advances()


@cache
def _advance(character: str) -> float:
    known = _advances().get(ord(character))
    if known is not None:
        return known / EM
    if unicodedata.combining(character) or unicodedata.category(character) == "Cf":
        return 0.0
    return WIDE if unicodedata.east_asian_width(character) in "WF" else OTHER


@cache
def _advances() -> dict[int, int]:
    """Advances by code point: each line of the file is a first code point and the advances from there on."""
    found: dict[int, int] = {}
    for line in _TABLE.read_text(encoding="ascii").splitlines():
        first, *advances = map(int, line.split())
        found.update(enumerate(advances, first))
    return found
