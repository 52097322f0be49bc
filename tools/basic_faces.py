#!/usr/bin/env python3
"""Write the small faces that most pages need, `reporting/fonts/*.basic.woff2`, and the faces of matplotlib.

    python tools/basic_faces.py

A page of other characters has its faces cut when it is made, which takes half a second.
"""

from __future__ import annotations

from fontTools import ttLib
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.ttGlyphPen import TTGlyphPen

from fairstats.reporting.figures.style import FONTS
from fairstats.reporting.render import BASIC, BASIC_FEATURES, subset


def advances() -> str:
    """The advance of every character of the face: a line each run of code points, its first and the advances."""
    face = ttLib.TTFont(FONTS / "Inter-Regular.ttf")
    glyphs, wide = face.getBestCmap(), face["hmtx"]
    lines: list[list[int]] = []
    for code in sorted(glyphs):
        if not lines or code != lines[-1][0] + len(lines[-1]) - 1:
            lines.append([code])
        lines[-1].append(wide[glyphs[code]][0])
    return "".join(" ".join(map(str, line)) + "\n" for line in lines)


def write_truetype(name: str) -> None:
    """The face with quadratic outlines, off by at most a thousandth of an em: what a PDF of matplotlib embeds whole."""
    face = ttLib.TTFont(FONTS / f"{name}.woff2")
    outlines, order = face.getGlyphSet(), face.getGlyphOrder()
    face["glyf"], face["loca"] = ttLib.newTable("glyf"), ttLib.newTable("loca")
    face["glyf"].glyphOrder, face["glyf"].glyphs = order, {}
    for glyph in order:
        pen = TTGlyphPen(outlines)
        outlines[glyph].draw(Cu2QuPen(pen, face["head"].unitsPerEm / 1000, reverse_direction=True))
        face["glyf"][glyph] = pen.glyph()
    most = ttLib.newTable("maxp")
    most.tableVersion, most.numGlyphs, most.maxZones = 0x00010000, len(order), 1
    fields = ("TwilightPoints", "Storage", "FunctionDefs", "InstructionDefs", "StackElements", "SizeOfInstructions")
    vars(most).update({f"max{field}": 0 for field in (*fields, "ComponentElements", "ComponentDepth")})
    face["maxp"], face["post"].formatType = most, 3.0
    del face["CFF "]
    face.flavor, face.sfntVersion, face.recalcTimestamp = None, "\0\1\0\0", False
    face.save(FONTS / f"{name}.ttf")


if __name__ == "__main__":
    for name in ("Inter-Regular", "Inter-SemiBold"):
        write_truetype(name)
        for kind, characters in BASIC.items():
            (FONTS / f"{name}.{kind}.woff2").write_bytes(subset(name, characters, BASIC_FEATURES))
    (FONTS / "Inter-Regular.advances.txt").write_text(advances(), encoding="ascii")
