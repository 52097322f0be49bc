"""Names in any script: what runs from right to left is isolated, what no packaged face has is drawn by a fallback.

WeasyPrint draws the text of figures letter by letter, unshaped and in one direction. In the PDF a name that needs
shaping stands in a figure as a number, and in its caption, which is shaped, beside that number.
"""

from __future__ import annotations

import base64
import html as markup
import io
import re
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from fairstats.language import say
from fairstats.reporting.sketch.measure import packaged

_RTL = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
_SHAPED = f"{_RTL}\u0900-\u109f\u1780-\u17ff\u1800-\u18af\ua8e0-\ua8ff"  # and those of India and around it
_JOIN = r"[ \u00a0'\"()/\-]"


def _runs(letters: str) -> re.Pattern[str]:
    """Maximal pieces of text in some letters, with what joins their words, and the parenthesis that closes in them."""
    word = rf"[{letters}]+"
    return re.compile(rf"{word}(?:{_JOIN}+{word})*\)?")


RTL, SHAPED = _runs(_RTL), _runs(_SHAPED)
_PIECE = re.compile(r"<(style|title|svg)\b.*?</\1>|<[^<>]*>|([^<]+)", re.S)
_FIGURE = re.compile(r"(<figure\b.*?)(</figcaption>)", re.S)
_TEXT = re.compile(r"(<text\b[^<>]*>)([^<>]*)(</text>)")
BOXES = "fairstats boxes"
MOST_CODES = 40


def isolated(html: str) -> str:
    """Return the page with what runs from right to left in elements of its own, so that it moves nothing beside it.

    Examples
    --------
    >>> isolated("<p>against \u05d0\u05d1 (12)</p>")
    '<p>against <bdi>\u05d0\u05d1</bdi> (12)</p>'
    """
    if not RTL.search(html):
        return html

    def piece(found: re.Match[str]) -> str:
        return RTL.sub(lambda run: f"<bdi>{_closed(run[0])}", found[2]) if found[2] else found[0]

    return _PIECE.sub(piece, html)


def _closed(run: str) -> str:
    """A run with its end; a parenthesis that was not opened in it stands after it."""
    if run.endswith(")") and run.count("(") < run.count(")"):
        return f"{run[:-1]}</bdi>)"
    return f"{run}</bdi>"


def keyed(html: str) -> str:
    """Return the page with numbers in place of the names in figures that need shaping, and the names in the captions.

    Examples
    --------
    >>> keyed("<figure><svg><text>\u05d0\u05d1 (n = 3)</text></svg><figcaption>c</figcaption></figure>")
    '<figure><svg><text>#1 (n = 3)</text></svg><figcaption>c Names: #1 <bdi>\u05d0\u05d1</bdi>.</figcaption></figure>'
    """

    def one(found: re.Match[str]) -> str:
        names: dict[str, str] = {}

        def number(run: re.Match[str]) -> str:
            name = run[0].removesuffix(")") if run[0].count("(") < run[0].count(")") else run[0]
            key = names.setdefault(name, f"#{len(names) + 1}")
            return key + run[0][len(name) :]

        body = _TEXT.sub(lambda t: t[1] + SHAPED.sub(number, t[2]) + t[3], found[1])
        if not names:
            return found[0]
        said = ", ".join(f"{key} <bdi>{name}</bdi>" for name, key in names.items())
        return f"{body} {say('Names: {names}.', names=said)}{found[2]}"

    return _FIGURE.sub(one, html) if SHAPED.search(html) else html


def fallback_css(html: str) -> str:
    """Return the face of characters that the page shows and the packaged faces lack, "" where there are none such."""
    wanted = {c for c in markup.unescape(html) if ord(c) > 0x2FF and not packaged(c)}
    if not wanted or find_spec("matplotlib") is None:  # whose face this is: without it the reader's own are taken
        return ""
    found = wanted & _in(_fallback())
    return _face("DejaVu Sans", _cut(_fallback(), found)) if found else ""


def unfaced(html: str) -> list[str]:
    """Return the characters of a page that no packaged face has, nor any face of this machine.

    Examples
    --------
    >>> unfaced("<p>plain, \u05d0, \U0010fff0</p>")
    ['\U0010fff0']
    """
    lacking = of_the_machine(html)
    if lacking and find_spec("matplotlib") is not None:
        return sorted({*lacking} - _on_this_machine(tuple(lacking)))
    return lacking


def of_the_machine(html: str) -> list[str]:
    """Return the characters of a page that only a face of the machine can draw."""
    lacking = {c for c in markup.unescape(html) if ord(c) > 0x2FF and not c.isspace() and not packaged(c)}
    lacking -= set("\u200b\u200c\u200d\u200e\u200f\u2060\ufe0e\ufe0f\ufeff")
    return sorted(lacking if find_spec("matplotlib") is None else lacking - _in(_fallback()))


def boxed(html: str) -> str:
    """Return the page with a box for every character that no face at hand has, and a line that says so.

    A box is seen, blank paper is not.
    """
    missing = unfaced(html)
    if not missing:
        return html
    codes = ", ".join(f"U+{ord(c):04X}" for c in missing[:MOST_CODES]) + (" ..." if len(missing) > MOST_CODES else "")
    drawn = say("Drawn as boxes, because no face at hand has them: {codes}.", codes=codes)
    said = f'<p class="note">{drawn}</p>'
    page = html.replace("sans-serif", f'sans-serif, "{BOXES}"')
    page = page.replace("</head>", f"<style>{boxes_css(missing)}</style>\n</head>", 1)
    return page.replace('<div class="signature">', f'{said}\n<div class="signature">', 1)


def boxes_css(characters: Iterable[str]) -> str:
    """Return a face that draws each of these characters as a box: that something stands there is seen."""
    missing = sorted(set(characters))
    return _face(BOXES, _boxes(missing)) if missing else ""


def _fallback() -> Path:
    import matplotlib

    return Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"


@cache
def _in(font: Path) -> frozenset[str]:
    """The characters that a face has."""
    from matplotlib.ft2font import FT2Font

    return frozenset(map(chr, FT2Font(io.BytesIO(font.read_bytes())).get_charmap()))


@cache
def _on_this_machine(characters: tuple[str, ...]) -> frozenset[str]:
    from matplotlib.font_manager import findSystemFonts
    from matplotlib.ft2font import FT2Font

    found: set[str] = set()
    for path in findSystemFonts():
        try:
            face = FT2Font(io.BytesIO(Path(path).read_bytes()))
        except (OSError, RuntimeError):  # a file that is no face of this library
            continue
        found |= {c for c in characters if face.get_char_index(ord(c))}
    return frozenset(found)


def _cut(font: Path, characters: set[str]) -> bytes:
    from fontTools import subset

    options: Any = subset.Options(layout_features=["*"], hinting=False, recalc_timestamp=False, notdef_outline=True)
    options.drop_tables += ["FFTM"]
    face = subset.load_font(io.BytesIO(font.read_bytes()), options)
    cutter = subset.Subsetter(options)
    cutter.populate(text="".join(sorted(characters)))
    cutter.subset(face)
    made = io.BytesIO()
    face.save(made)
    return made.getvalue()


def _boxes(characters: list[str]) -> bytes:
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    pen = TTGlyphPen(None)
    for corners in ([(60, 0), (60, 700), (540, 700), (540, 0)], [(120, 60), (480, 60), (480, 640), (120, 640)]):
        pen.moveTo(corners[0])
        for corner in corners[1:]:
            pen.lineTo(corner)
        pen.closePath()
    box = pen.glyph()
    built = FontBuilder(1000, isTTF=True)
    built.setupGlyphOrder([".notdef", "box"])
    built.setupCharacterMap({ord(c): "box" for c in characters})
    built.setupGlyf({".notdef": box, "box": box})
    built.setupHorizontalMetrics(dict.fromkeys((".notdef", "box"), (600, 60)))
    built.setupHorizontalHeader(ascent=900, descent=-250)
    built.setupNameTable({"familyName": BOXES, "styleName": "Regular"})
    built.setupOS2()
    built.setupPost()
    built.font["head"].created = built.font["head"].modified = 0
    made = io.BytesIO()
    built.font.recalcTimestamp = False
    built.save(made)
    return made.getvalue()


def _face(family: str, font: bytes) -> str:
    data = base64.b64encode(font).decode()
    return f'@font-face{{font-family:"{family}";src:url(data:font/ttf;base64,{data}) format("truetype")}}\n'
