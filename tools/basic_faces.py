#!/usr/bin/env python3
"""Write the small faces that most pages need, `reporting/fonts/*.basic.woff2`, and the advances of the figures.

    python tools/basic_faces.py

A page of other characters has its faces cut when it is made, which takes half a second.
"""

from __future__ import annotations

from fontTools import ttLib

from fairstats.reporting.figures.style import FONTS
from fairstats.reporting.render import BASIC, BASIC_FEATURES, subset


def advances() -> str:
    """The advance of every character of the face: a line each run of code points, its first and the advances."""
    face = ttLib.TTFont(FONTS / "Inter-Regular.otf")
    glyphs, wide = face.getBestCmap(), face["hmtx"]
    lines: list[list[int]] = []
    for code in sorted(glyphs):
        if not lines or code != lines[-1][0] + len(lines[-1]) - 1:
            lines.append([code])
        lines[-1].append(wide[glyphs[code]][0])
    return "".join(" ".join(map(str, line)) + "\n" for line in lines)


if __name__ == "__main__":
    for name in ("Inter-Regular", "Inter-SemiBold"):
        for kind, characters in BASIC.items():
            (FONTS / f"{name}.{kind}.woff2").write_bytes(subset(name, characters, BASIC_FEATURES))
    (FONTS / "Inter-Regular.advances.txt").write_text(advances(), encoding="ascii")
