"""The faces of the page, cut down to the characters that it shows, inside its style sheet."""

from __future__ import annotations

import base64
import html
import io
import re
import string
from functools import lru_cache
from typing import Any

from fairstats.reporting.figures.style import FONTS

# face, weight, style, file
FACES = (
    ("Inter", 400, "normal", "Inter-Regular"),
    ("Inter", 600, "normal", "Inter-SemiBold"),
    ("Inter", 400, "italic", "Inter-Italic"),
)
FEATURES = ("kern", "mark", "mkmk", "ccmp", "locl", "tnum", "lnum", "case")  # what the styles ask for, and names need


def shown_characters(page: str) -> frozenset[str]:
    r"""Every character that the page may show: its text and its style sheets', in either case, and all of ASCII.

    Examples
    --------
    >>> "É" in shown_characters("<p>caf&eacute;</p>"), "•" in shown_characters('<style>li{content:"\\2022"}</style>')
    (True, True)
    """
    text = html.unescape(page)
    text += "".join(chr(int(code, 16)) for code in re.findall(r"\\([0-9a-fA-F]{2,5})", text))
    return frozenset({*text, *text.upper(), *text.lower(), *string.printable})


@lru_cache(maxsize=8)
def fonts_css(characters: frozenset[str]) -> str:
    """The packaged faces as ``@font-face`` rules, with the glyphs of these characters.

    Examples
    --------
    >>> len(fonts_css(frozenset("abc"))) < len(fonts_css(frozenset("abcdefghij")))
    True
    """
    rules = []
    for family, weight, style, name in FACES:
        data = base64.b64encode(subset(name, characters)).decode()
        rules.append(
            f'@font-face{{font-family:"{family}";font-weight:{weight};font-style:{style};'
            f'src:url(data:font/woff2;base64,{data}) format("woff2")}}'
        )
    return "\n".join(rules) + "\n"


def subset(name: str, characters: frozenset[str]) -> bytes:
    """A packaged face with the glyphs of these characters only; the whole of it where fontTools cannot write WOFF2."""
    whole = (FONTS / f"{name}.woff2").read_bytes()
    try:
        import brotli  # noqa: F401  of which WOFF2 is made
        from fontTools import subset as cutting
    except ImportError:  # the page looks the same, and is larger
        return whole
    options: Any = cutting.Options(
        flavor="woff2", layout_features=list(FEATURES), notdef_outline=True, hinting=False, recalc_timestamp=False
    )
    font = cutting.load_font(io.BytesIO(whole), options)
    cutter = cutting.Subsetter(options)
    cutter.populate(text="".join(sorted(characters)))
    cutter.subset(font)
    made = io.BytesIO()
    cutting.save_font(font, made, options)
    return made.getvalue()
