"""A panel: the part of matplotlib's axes that figures use, with its names, so that one painter serves both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fairstats.reporting.sketch.furniture import Axis, Furniture, Spine
from fairstats.reporting.sketch.marks import Box, Dots, Look, Mark, Shape, extent, hatched
from fairstats.reporting.sketch.notes import Note
from fairstats.reporting.sketch.palette import INK
from fairstats.reporting.sketch.place import Place, area, clipped, lined, markers, penned, seen, stepped
from fairstats.reporting.sketch.scale import Scale, numbers

HATCH = 3.0  # points from one line of a hatched bar to the next
AREA, LINE = 1, 2  # what lies over what, where nothing else is said

Draw = Callable[[Place], list[Shape | Dots]]


class Pane:
    """One frame with its axes; positions are numbers of the data until `marks` puts them on the page."""

    def __init__(self, x: Scale, y: Scale) -> None:
        self.xaxis, self.yaxis = Axis(x), Axis(y)
        self.spines = {side: Spine(side in ("left", "bottom")) for side in ("left", "right", "bottom", "top")}
        self.title: tuple[str, float, float] | None = None
        self.shown, self.square = True, False
        self._drawn: list[tuple[float, bool, Draw]] = []
        self.notes: list[Note] = []

    # what is drawn

    def plot(self, x: Any, y: Any, kind: str = "", **look: Any) -> None:
        """Draw a line, its markers, or both."""
        xs, ys = numbers(x), numbers(y)
        marker, dashes = look.get("marker", kind), "none" if kind else look.get("linestyle", "solid")
        if look.get("drawstyle") == "steps-post":
            course = stepped(xs, ys)
        else:
            course = xs, ys
        self._see(xs, ys)
        order, clip = look.get("zorder", LINE), look.get("clip_on", True)
        if dashes != "none" and len(xs) > 1:
            pen = penned(look["color"], look.get("linewidth", 1.1), dashes, "square")
            self._add(order, clip, lambda place: lined(pen, [place.line(*course)]))
        if marker:
            which = look.get("markevery")
            at = range(len(xs)) if which is None else which
            chosen = [xs[i] for i in at], [ys[i] for i in at]
            self._add(order, clip, lambda place: markers(marker, place.line(*chosen), look))

    def vlines(self, x: Any, low: Any, high: Any, *, color: str, linewidth: float, zorder: float = LINE) -> None:
        """Draw a vertical line from low to high at each x."""
        ends = list(zip(numbers(x), numbers(low), numbers(high), strict=True))
        for at, a, b in ends:
            self._see([at, at], [a, b])
        pen = Look(stroke=color, width=linewidth)
        self._add(zorder, True, lambda place: lined(pen, [place.line((x, x), (a, b)) for x, a, b in ends]))

    def hlines(self, y: Any, low: Any, high: Any, *, color: str, linewidth: float, zorder: float = LINE) -> None:
        """Draw a horizontal line from low to high at each y."""
        ends = list(zip(numbers(y), numbers(low), numbers(high), strict=True))
        for at, a, b in ends:
            self._see([a, b], [at, at])
        pen = Look(stroke=color, width=linewidth)
        self._add(zorder, True, lambda place: lined(pen, [place.line((a, b), (y, y)) for y, a, b in ends]))

    def axvline(
        self, x: float, *, color: str, linewidth: float, linestyle: Any = "solid", zorder: float = LINE
    ) -> None:
        """Draw a vertical line through the whole frame."""
        self.xaxis.scale.see([x])
        pen = penned(color, linewidth, linestyle, "butt")

        def through(place: Place) -> list[Shape | Dots]:
            at = place.point(x, place.y.limits[0])[0]
            return lined(pen, [((at, place.frame[3]), (at, place.frame[1]))])

        self._add(zorder, True, through)

    def axhline(
        self, y: float, *, color: str, linewidth: float, linestyle: Any = "solid", zorder: float = LINE
    ) -> None:
        """Draw a horizontal line through the whole frame."""
        self.yaxis.scale.see([y])
        pen = penned(color, linewidth, linestyle, "butt")

        def through(place: Place) -> list[Shape | Dots]:
            at = place.point(place.x.limits[0], y)[1]
            return lined(pen, [((place.frame[0], at), (place.frame[2], at))])

        self._add(zorder, True, through)

    def axvspan(self, low: float, high: float, *, color: str, zorder: float = AREA, linewidth: float = 0) -> None:
        """Shade the frame from one x to another."""
        self.xaxis.scale.see([low, high])

        def shade(place: Place) -> list[Shape | Dots]:
            a, b = (place.point(x, place.y.limits[0])[0] for x in (low, high))
            return [area(Look(fill=color), (a, place.frame[1], b, place.frame[3]))]

        self._add(zorder, True, shade)

    def fill_between(
        self, x: Any, low: Any, high: Any, *, color: str, alpha: float, linewidth: float = 0, zorder: float = AREA
    ) -> None:
        """Shade between two lines."""
        xs, lows, highs = numbers(x), numbers(low), numbers(high)
        self._see(xs, lows)
        self._see(xs, highs)
        around = [*xs, *reversed(xs)], [*lows, *reversed(highs)]
        look = Look(fill=color, opacity=alpha)
        self._add(zorder, True, lambda place: [Shape(look, (place.line(*around),), closed=True)])

    def bar(self, x: Any, height: Any, width: float, *, bottom: Any = 0.0, align: str = "center", **look: Any) -> None:
        """Draw upright bars."""
        xs, tops = numbers(x), numbers(height)
        feet = numbers(bottom) * (len(xs) if not isinstance(bottom, (list, tuple)) else 1)
        start = width / 2 if align == "center" else 0.0
        boxes = [(a - start, foot, a - start + width, foot + top) for a, foot, top in zip(xs, feet, tops, strict=True)]
        self._bars(boxes, **look)

    def barh(self, y: Any, width: Any, height: float, *, left: float = 0.0, **look: Any) -> None:
        """Draw lying bars."""
        ends = zip(numbers(y), numbers(width), strict=True)
        self._bars([(left, at - height / 2, left + wide, at + height / 2) for at, wide in ends], **look)

    def _bars(
        self,
        boxes: Sequence[Box],
        *,
        color: Any,
        edgecolor: str = "",
        linewidth: float = 0.0,
        hatch: str = "",
        alpha: float = 1.0,
        zorder: float = AREA,
    ) -> None:
        colors = [color] * len(boxes) if isinstance(color, str) else list(color)
        edge = edgecolor if linewidth else ""
        for a, b, c, d in boxes:
            self._see([a, c], [b, d])

        def draw(place: Place) -> list[Shape | Dots]:
            marks: list[Shape | Dots] = []
            for (a, b, c, d), fill in zip(boxes, colors, strict=True):
                (left, foot), (right, top) = place.point(a, b), place.point(c, d)
                box = min(left, right), min(foot, top), max(left, right), max(foot, top)
                inside = "" if fill == "none" else fill
                marks.append(area(Look(inside, edge, linewidth if edge else 0.0, join="miter", opacity=alpha), box))
                marks += lined(Look(stroke=edge, width=1.0), hatched(box, HATCH)) if hatch else []
            return marks

        self._add(zorder, True, draw)

    def annotate(
        self, text: str, xy: tuple[float, float], xytext: tuple[float, float] | None = None, **look: Any
    ) -> None:
        """Write a text at a point or beside it, with a line to the point where it was moved."""
        self.notes.append(Note(text, xy, xytext, {"color": INK, **look}))

    # the frame

    def set_title(self, text: str, *, loc: str = "left", fontsize: float = 8.0, pad: float = 6.0) -> None:
        """Write a title over the frame, from its left end."""
        self.title = text, fontsize, pad

    def set_xlim(self, low: float, high: float) -> None:
        """Set the limits."""
        self.xaxis.scale.limit(low, high)

    def set_ylim(self, low: float, high: float) -> None:
        """Set the limits, from the bottom up."""
        self.yaxis.scale.limit(low, high)

    def get_xlim(self) -> tuple[float, float]:
        """The limits."""
        return self.xaxis.scale.limits

    def get_ylim(self) -> tuple[float, float]:
        """The limits, from the bottom up."""
        return self.yaxis.scale.limits

    def set_xticks(self, at: Any, names: Sequence[str] | None = None) -> None:
        """Set the ticks, with their names."""
        self.xaxis.scale.mark(at, names)

    def set_yticks(self, at: Any, names: Sequence[str] | None = None) -> None:
        """Set the ticks, with their names."""
        self.yaxis.scale.mark(at, names)

    def set_xlabel(self, text: str) -> None:
        """Name the axis."""
        self.xaxis.label = text

    def set_ylabel(self, text: str) -> None:
        """Name the axis."""
        self.yaxis.label = text

    def set_xscale(self, kind: str) -> None:
        """Make the scale that of logarithms."""
        self.xaxis.scale.log = kind == "log"

    def set_aspect(self, kind: str) -> None:
        """Give one unit the same length in both directions."""
        self.square = kind == "equal"

    def set_visible(self, shown: bool) -> None:
        """Leave the panel blank."""
        self.shown = shown

    def margins(self, *, x: float, y: float) -> None:
        """Set the margins of limits that nobody sets, as shares of the range."""
        self.xaxis.scale.margin, self.yaxis.scale.margin = x, y

    def locator_params(self, axis: str, nbins: int) -> None:
        """Set how many ticks there are at most."""
        (self.xaxis if axis == "x" else self.yaxis).scale.most = nbins

    def tick_params(self, axis: str = "both", *, length: float) -> None:
        """Set the length of the ticks."""
        for name, one in (("x", self.xaxis), ("y", self.yaxis)):
            if axis in (name, "both"):
                one.length = length

    def minorticks_off(self) -> None:
        """There are none."""

    # on the page

    def frame(self, slot: Box) -> Box:
        """The frame within its slot: all of it, or the largest of its proportions, in the middle."""
        if not self.square:
            return slot
        left, top, right, bottom = slot
        across, down = (abs(b - a) for a, b in (self.get_xlim(), self.get_ylim()))
        unit = min((right - left) / across, (bottom - top) / down)
        x, y = (left + right) / 2, (top + bottom) / 2
        return x - unit * across / 2, y - unit * down / 2, x + unit * across / 2, y + unit * down / 2

    def furniture(self, slot: Box) -> Furniture:
        """Ticks, labels, title and notes on the page."""
        return Furniture(self, Place(self.frame(slot), self.xaxis.scale, self.yaxis.scale))

    def marks(self, slot: Box) -> list[tuple[float, Mark]]:
        """Everything on the page, each with its height: the higher lies over the lower."""
        if not self.shown:
            return []
        place = Place(self.frame(slot), self.xaxis.scale, self.yaxis.scale)
        found: list[tuple[float, Mark]] = []
        for order, clip, draw in self._drawn:
            found += [(order, clipped(mark, place.frame) if clip else mark) for mark in draw(place) if seen(mark)]
        return found + self.furniture(slot).marks()

    def reach(self, slot: Box) -> list[Box]:
        """The boxes of the marks that may leave the frame."""
        place = Place(self.frame(slot), self.xaxis.scale, self.yaxis.scale)
        free = [mark for _, clip, draw in self._drawn if not clip for mark in draw(place)]
        return [extent(mark) for mark in free if seen(mark)]

    def _see(self, xs: Sequence[float], ys: Sequence[float]) -> None:
        self.xaxis.scale.see(xs)
        self.yaxis.scale.see(ys)

    def _add(self, order: float, clip: bool, draw: Draw) -> None:
        self._drawn.append((order, clip, draw))
