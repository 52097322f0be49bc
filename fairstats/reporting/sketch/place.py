"""A place on the page for numbers of the data, and shapes made there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from fairstats.reporting.sketch.marks import Box, Dots, Look, Point, Shape, extent, outlined
from fairstats.reporting.sketch.scale import Scale


@dataclass(frozen=True)
class Place:
    """A frame on the page and the scales along its sides."""

    frame: Box
    x: Scale
    y: Scale

    def point(self, x: float, y: float) -> Point:
        """Where a point of the data is on the page."""
        left, top, right, bottom = self.frame
        return left + (right - left) * self.x.place(x), bottom - (bottom - top) * self.y.place(y)

    def line(self, xs: Sequence[float], ys: Sequence[float]) -> tuple[Point, ...]:
        """The points of a line, without those that have no number."""
        return tuple(self.point(a, b) for a, b in zip(xs, ys, strict=True) if math.isfinite(a) and math.isfinite(b))


def seen(mark: Shape | Dots) -> bool:
    """Whether there is anything to draw."""
    return bool(mark.at) if isinstance(mark, Dots) else any(mark.lines)


def stepped(xs: list[float], ys: list[float]) -> tuple[list[float], list[float]]:
    """A staircase: each height holds until the next point."""
    steps = [(x, y) for i in range(len(xs)) for x, y in ((xs[i], ys[max(i - 1, 0)]), (xs[i], ys[i]))]
    return [x for x, _ in steps], [y for _, y in steps]


def penned(color: str, width: float, style: Any, cap: str) -> Look:
    """The look of a line, solid or in dashes of so many widths."""
    if style == "solid":
        return Look(stroke=color, width=width, cap="" if cap == "butt" else cap)
    return Look(stroke=color, width=width, dash=tuple(round(width * part, 2) for part in style[1]))


def lined(look: Look, lines: Sequence[tuple[Point, ...]]) -> list[Shape | Dots]:
    """Lines of at least two points."""
    kept = tuple(line for line in lines if len(line) > 1)
    return [Shape(look, kept)] if kept else []


def area(look: Look, box: Box) -> Shape:
    """A rectangle."""
    left, top, right, bottom = box
    return Shape(look, (((left, top), (right, top), (right, bottom), (left, bottom)),), closed=True)


def markers(kind: str, at: tuple[Point, ...], look: dict[str, Any]) -> list[Shape | Dots]:
    """Markers of a kind, filled and edged as matplotlib is told."""
    color, size = look["color"], look.get("markersize", 5.0)
    fill = look.get("markerfacecolor", color)
    edged = Look("#ffffff" if fill == "white" else fill, color, look.get("markeredgewidth", 1.0))
    if kind == "o":
        return [Dots(edged, at, size)]
    return [Shape(replace(edged, join="miter"), outlined(kind, at, size), closed=True)]


def clipped(mark: Shape | Dots, frame: Box) -> Shape | Dots:
    """A mark that its frame cuts where it would leave it."""
    box = extent(mark)
    inside = box[0] >= frame[0] - 0.5 and box[1] >= frame[1] - 0.5
    if inside and box[2] <= frame[2] + 0.5 and box[3] <= frame[3] + 0.5:
        return mark
    return replace(mark, look=replace(mark.look, clip=frame))
