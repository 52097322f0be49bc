"""Texts at points of the data or of the frame, and the lines that lead from a text that was moved to its point."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fairstats.reporting.sketch.marks import Box, Label, Look, Point, Shape
from fairstats.reporting.sketch.measure import ASCENT, DESCENT
from fairstats.reporting.sketch.writer import SIZE

if TYPE_CHECKING:
    from fairstats.reporting.sketch.place import Place

ABOVE = 3.0
_ROOM = 2.0  # points between a text and the line that leads from it
_SIDES = {"left": "start", "center": "middle", "right": "end"}


def lowered(align: str, size: float) -> float:
    """How far the baseline lies under the point that a text is aligned with."""
    if align == "center":
        return (ASCENT - DESCENT) / 2 * size
    return {"baseline": 0.0, "top": ASCENT, "bottom": -DESCENT, "tick": ASCENT / 2}[align] * size


@dataclass(frozen=True)
class Note:
    """One annotation, as matplotlib takes it."""

    text: str
    xy: tuple[float, float]
    xytext: tuple[float, float] | None
    look: dict[str, Any]

    def label(self, place: Place) -> Label | None:
        """The text on the page; none where its point lies beyond the frame."""
        system = self.look.get("xycoords", "data")
        at = _point(self.xy, system, place)
        if system == "data" and self.look.get("annotation_clip") is not False and not _within(at, place.frame):
            return None
        if self.xytext is not None:
            moved = self.look.get("textcoords", system)
            offset = moved == "offset points"
            at = (at[0] + self.xytext[0], at[1] - self.xytext[1]) if offset else _point(self.xytext, moved, place)
        size = self.look.get("fontsize", SIZE)
        lower = lowered(self.look.get("va", "baseline"), size)
        anchor = _SIDES[self.look.get("ha", "left")]
        return Label(self.text, at[0], at[1] + lower, size, self.look["color"], anchor)

    def leader(self, place: Place) -> Shape | None:
        """The line from the text to its point, short of both."""
        look, label = self.look.get("arrowprops"), self.label(place)
        if not look or label is None:
            return None
        left, top, right, bottom = label.box()
        middle = (left + right) / 2, (top + bottom) / 2
        end = _point(self.xy, self.look.get("xycoords", "data"), place)
        across, down = end[0] - middle[0], end[1] - middle[1]
        long = math.hypot(across, down)
        inside = min(
            ((right - left) / 2 + _ROOM) / abs(across) if across else math.inf,
            ((bottom - top) / 2 + _ROOM) / abs(down) if down else math.inf,
        )
        start = inside * long + look["shrinkA"]
        stop = long - look["shrinkB"]
        if stop <= start:
            return None
        ends = tuple((middle[0] + across * t / long, middle[1] + down * t / long) for t in (start, stop))
        return Shape(Look(stroke=look["color"], width=look["linewidth"]), (ends,))


def _within(at: Point, frame: Box) -> bool:
    return frame[0] - 1e-6 <= at[0] <= frame[2] + 1e-6 and frame[1] - 1e-6 <= at[1] <= frame[3] + 1e-6


def _point(xy: tuple[float, float], system: Any, place: Place) -> Point:
    """A point of the data or, in either direction, a share of the frame."""
    across, up = (system, system) if isinstance(system, str) else system
    left, top, right, bottom = place.frame
    x = left + (right - left) * (place.x.place(xy[0]) if across == "data" else xy[0])
    y = bottom - (bottom - top) * (place.y.place(xy[1]) if up == "data" else xy[1])
    return x, y
