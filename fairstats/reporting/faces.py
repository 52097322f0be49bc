"""The faces of the page, cut down to the characters that it shows, inside its style sheet."""

from __future__ import annotations

import base64
import html
import io
import re
import string
from functools import lru_cache
from typing import Any

from fairstats.reporting.figures.plotted import FONTS
from fairstats.reporting.sketch.measure import packaged

# face, weight, style, file
FACES = (
    ("Inter", 400, "normal", "Inter-Regular"),
    ("Inter", 600, "normal", "Inter-SemiBold"),
    ("Inter", 400, "italic", "Inter-Italic"),
)
FEATURES = ("kern", "mark", "mkmk", "ccmp", "locl", "tnum", "lnum", "case")  # what the styles ask for, and names need

# What pages in English and in German show, names of authors too, unless the data bring more: such faces ship,
# written by `tools/basic_faces.py`.
_ENGLISH = frozenset(map(chr, range(0x20, 0x7F))) | {
    *"\u2212\u2013\u2026\u00d7\u00b7\u00b1\u2264\u2265\u00a7\u00b2\u2019\u00a0\u2260éÉöÖ"
}
BASIC = {"basic": _ENGLISH, "german": _ENGLISH | {*"äüÄÜß\u201e\u201c\u201d\u202f"}}
BASIC_FEATURES = ("kern", "tnum", "lnum")
_SLANTED = re.compile(r"font(?:-style)?:[^;{}]*\b(?:italic|oblique)\b|<(?:em|i|cite|dfn|var|address)\b")


def shown_characters(page: str) -> frozenset[str]:
    r"""Every character that the page may show: its text and its style sheets', in either case, and all of ASCII.

    Examples
    --------
    >>> "É" in shown_characters("<p>caf&eacute;</p>"), "•" in shown_characters('<style>li{content:"\\2022"}</style>')
    (True, True)
    """
    text = html.unescape(page)
    text += "".join(chr(int(code, 16)) for code in re.findall(r"\\([0-9a-fA-F]{2,5})", text))
    return frozenset({*text, *text.upper(), *text.lower(), *string.printable} - {*string.whitespace} | {" "})


def faces_css(page: str) -> str:
    """The packaged faces with the glyphs that a page shows; slanted ones where it asks for them.

    Examples
    --------
    >>> faces_css("<p>plain").count("@font-face"), faces_css("<p><em>slanted</em>").count("@font-face")
    (2, 3)
    """
    return fonts_css(shown_characters(page), bool(_SLANTED.search(page)))


@lru_cache(maxsize=8)
def fonts_css(characters: frozenset[str], slanted: bool = False) -> str:
    """The packaged faces as ``@font-face`` rules, with the glyphs of these characters.

    Examples
    --------
    >>> fonts_css(frozenset("abc")) == fonts_css(frozenset("xyz")) != fonts_css(frozenset("\u03b1"))
    True
    """
    lacking = {c for c in characters if packaged(c)}
    shipped = next((name for name, held in BASIC.items() if lacking <= held), "")
    rules = []
    for family, weight, style, name in FACES:
        if style == "italic" and not slanted:
            continue
        ready = FONTS / f"{name}.{shipped}.woff2"
        made = ready.read_bytes() if ready.is_file() else subset(name, characters)
        rules.append(
            f'@font-face{{font-family:"{family}";font-weight:{weight};font-style:{style};'
            f'src:url(data:font/woff2;base64,{base64.b64encode(made).decode()}) format("woff2")}}'
        )
    return "\n".join(rules) + "\n"


def subset(name: str, characters: frozenset[str], features: tuple[str, ...] = FEATURES) -> bytes:
    """A packaged face with the glyphs of these characters only; the whole of it where fontTools cannot write WOFF2."""
    whole = (FONTS / f"{name}.woff2").read_bytes()
    try:
        import brotli  # noqa: F401  of which WOFF2 is made
        from fontTools import subset as cutting
    except ImportError:  # the page looks the same, and is larger
        return whole
    options: Any = cutting.Options(
        flavor="woff2", layout_features=list(features), notdef_outline=True, hinting=False, recalc_timestamp=False
    )
    font = cutting.load_font(io.BytesIO(whole), options)
    cutter = cutting.Subsetter(options)
    cutter.populate(text="".join(sorted(characters)))
    cutter.subset(font)
    made = io.BytesIO()
    cutting.save_font(font, made, options)
    return made.getvalue()
