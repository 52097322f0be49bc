"""A figure of the page as pixels, for documents: its marks painted by Agg, which takes a tenth of matplotlib's time.

matplotlib would lay its own figure out again and draw it three times; this is the picture that the page has.
"""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

from fairstats.errors import visible
from fairstats.reporting.figures.style import Drawing, register_fonts, rendering
from fairstats.reporting.sketch import Dots, Label, Look, Mark, Shape, Sheet

POINTS = 72  # an inch


def pixels(drawing: Drawing, dots: int) -> tuple[bytes, dict[str, str]]:
    """The figure of the page as a PNG file of so many dots an inch, and by names the numbers that stand for them."""
    from matplotlib import rc_context
    from matplotlib.image import imsave

    from fairstats.reporting.render import numbered, undrawn

    names: dict[str, str] = {}
    sheet = Sheet(drawing.width, drawing.height)
    assert drawing.paint is not None
    drawing.paint(sheet)
    register_fonts()
    with rendering(), rc_context({"text.hinting": "no_hinting"}):  # letters as wide as the layout took them to be
        easel = _Easel(sheet.size, dots)
        for mark in sheet.marks():
            if isinstance(mark, Label):
                mark = replace(mark, text=numbered(mark.text, names, undrawn(mark.text)))
            easel.add(mark)
        file = io.BytesIO()
        words = {"Title": visible(drawing.caption), "Description": visible(drawing.alt), "Software": "fairstats"}
        imsave(file, easel.agg.buffer_rgba(), format="png", dpi=dots, metadata=words)
    return file.getvalue(), names


class _Easel:
    """A white sheet on which marks are painted, each over those before."""

    def __init__(self, size: tuple[float, float], dots: int) -> None:
        from matplotlib.backends.backend_agg import RendererAgg
        from matplotlib.transforms import Affine2D

        wide, self.high = (round(side * dots / POINTS) for side in size)
        self.scale = dots / POINTS
        self.agg = RendererAgg(wide, self.high, dots)
        self.place = Affine2D().scale(self.scale, -self.scale).translate(0, self.high)  # Agg counts from the bottom
        width, height = size
        self.add(Shape(Look(fill="white"), (((0, 0), (width, 0), (width, height), (0, height)),), closed=True))

    def add(self, mark: Mark) -> None:
        """Paint a mark."""
        from matplotlib.path import Path

        if isinstance(mark, Label):
            self._text(mark)
        elif isinstance(mark, Dots):
            circle = Path.unit_circle()
            for x, y in mark.at:
                self._paint(mark.look, circle.vertices * mark.size / 2 + (x, y), circle.codes)
        else:
            for line in mark.lines:
                outline = Path([*line, line[0]], closed=True) if mark.closed else Path(line)
                self._paint(mark.look, outline.vertices, outline.codes)

    def _paint(self, look: Look, vertices: Any, codes: Any) -> None:
        from matplotlib.colors import to_rgba
        from matplotlib.path import Path
        from matplotlib.transforms import Bbox, TransformedBbox

        pen = self.agg.new_gc()
        pen.set_linewidth(look.width if look.stroke else 0)
        if look.stroke:
            pen.set_foreground(look.stroke)
        pen.set_joinstyle(look.join or "round")
        pen.set_capstyle({"": "butt", "square": "projecting"}.get(look.cap, look.cap))
        if look.dash:
            pen.set_dashes(0, list(look.dash))
        if look.clip:
            left, top, right, bottom = look.clip
            pen.set_clip_rectangle(TransformedBbox(Bbox([(left, bottom), (right, top)]), self.place))
        fill = to_rgba(look.fill, look.opacity) if look.fill else None
        self.agg.draw_path(pen, Path(vertices, codes), self.place, fill)

    def _text(self, label: Label) -> None:
        from matplotlib.font_manager import FontProperties

        face = FontProperties(size=label.size)  # its family is that of the one style
        text = visible(label.text)
        wide = self.agg.get_text_width_height_descent(text, face, False)[0]
        before = {"start": 0.0, "middle": wide / 2, "end": wide}[label.anchor]
        x, y = label.x * self.scale, label.y * self.scale
        pen = self.agg.new_gc()
        pen.set_foreground(label.color)
        if label.turned:
            self.agg.draw_text(pen, x, y + before, text, face, 90, False)
        else:
            self.agg.draw_text(pen, x - before, y, text, face, 0, False)
