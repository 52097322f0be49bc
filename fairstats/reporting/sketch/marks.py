"""What is drawn, in points of the page from its upper left corner: lines and areas, dots, texts, each with its look."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from fairstats.reporting.sketch.measure import ASCENT, DESCENT, width

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom

_ARM, _FAR = 1 / 3, math.sqrt(2)


def _quarters(*corners: Point) -> tuple[Point, ...]:
    """These corners, and as they are after each of three quarter turns."""
    turned = [corners]
    for _ in range(3):
        turned.append(tuple((-y, x) for x, y in turned[-1]))
    return tuple(point for one in turned for point in one)


# The outlines of markers, in halves of their size; y points down.
OUTLINES: dict[str, tuple[Point, ...]] = {
    "s": _quarters((1, 1)),
    "D": _quarters((0, _FAR)),
    "^": ((0, -1), (1, 1), (-1, 1)),
    "v": ((0, 1), (-1, -1), (1, -1)),
    "<": ((-1, 0), (1, -1), (1, 1)),
    "P": _quarters((1, -_ARM), (1, _ARM), (_ARM, _ARM)),
    "X": _quarters((0.5, 0), (1, 0.5), (0.5, 1)),
}


@dataclass(frozen=True)
class Look:
    """How a shape is drawn; neighbors that look alike are written as one."""

    fill: str = ""
    stroke: str = ""
    width: float = 0.0
    dash: tuple[float, ...] = ()
    cap: str = ""
    join: str = ""
    opacity: float = 1.0
    clip: Box | None = None  # the frame that it must not leave, where it does


@dataclass(frozen=True)
class Shape:
    """Lines, each through its points; closed ones are areas."""

    look: Look
    lines: tuple[tuple[Point, ...], ...]
    closed: bool = False


@dataclass(frozen=True)
class Dots:
    """Circles of one diameter."""

    look: Look
    at: tuple[Point, ...]
    size: float


@dataclass(frozen=True)
class Label:
    """A line of text, from the point of its baseline that ``anchor`` names."""

    text: str
    x: float
    y: float
    size: float
    color: str
    anchor: str = "start"
    turned: bool = False  # reading upward

    def box(self) -> Box:
        """The box of its line, whatever the height of its letters."""
        wide = width(self.text, self.size)
        before = {"start": 0.0, "middle": wide / 2, "end": wide}[self.anchor]
        up, down = ASCENT * self.size, DESCENT * self.size
        if self.turned:
            return self.x - up, self.y - (wide - before), self.x + down, self.y + before
        return self.x - before, self.y - up, self.x - before + wide, self.y + down


Mark = Shape | Dots | Label


def extent(mark: Shape | Dots) -> Box:
    """The box of a shape with its pen."""
    points = mark.at if isinstance(mark, Dots) else [p for line in mark.lines for p in line]
    reach = mark.look.width / 2 if mark.look.stroke else 0.0
    reach += mark.size / 2 if isinstance(mark, Dots) else 0.0
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs) - reach, min(ys) - reach, max(xs) + reach, max(ys) + reach


def outlined(kind: str, at: Sequence[Point], size: float) -> tuple[tuple[Point, ...], ...]:
    """The outlines of markers of a kind around these points."""
    half = size / 2
    return tuple(tuple((x + half * dx, y + half * dy) for dx, dy in OUTLINES[kind]) for x, y in at)


def hatched(box: Box, step: float) -> tuple[tuple[Point, ...], ...]:
    """Lines that rise to the right, within a box."""
    left, top, right, bottom = box
    count = int(((right - left) + (bottom - top)) / step)
    sums = [left + top + step * (i + 0.5) for i in range(count)]
    return tuple(
        ((max(left, s - bottom), min(bottom, s - left)), (min(right, s - top), max(top, s - right))) for s in sums
    )
