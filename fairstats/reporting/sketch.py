"""Figures of a page, drawn without matplotlib: what figures ask of its axes, laid out and written as small SVG."""

from __future__ import annotations

import html
import math
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from fairstats.errors import visible
from fairstats.text import number, significant

# Round numbers for a scale, and how they are written: by the rules of matplotlib, in our numbers.


_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_LEAST, _LARGE = 1e-5, 1e6  # beyond these a number is written with a power of ten


def ticks(low: float, high: float, most: int) -> list[float]:
    """Return multiples of a round step within the limits: at most about ``most``, at least two.

    Examples
    --------
    >>> ticks(-3, 103, 6), ticks(0.13, 0.52, 3)
    ([0.0, 20.0, 40.0, 60.0, 80.0, 100.0], [0.2, 0.4])
    """
    low, high = min(low, high), max(low, high)
    if not high > low:
        return [low]
    scale = 10.0 ** math.floor(math.log10((high - low) / most))
    steps = [scale * s for s in (*(0.1 * s for s in _STEPS[:-1]), *_STEPS, 10 * _STEPS[1])]
    wanted = (high - low) / most
    largest = next((i for i, step in enumerate(steps) if step >= wanted), len(steps) - 1)
    for step in reversed(steps[: largest + 1]):
        first = math.ceil(low / step - 1e-10)
        last = math.floor(high / step + 1e-10)
        if last - first >= 1:
            break
    digits = max(0, 12 - math.floor(math.log10(step)))
    return [round(i * step, digits) + 0.0 for i in range(first, last + 1)]


def written(values: Sequence[float]) -> list[str]:
    """Return numbers of one scale as text: equally many decimals, as few as tell them, true minus signs.

    Examples
    --------
    >>> written([-2.5, 0.0, 2.5]), written([0.0, 20000.0]), written([0.0, 2e6])
    (['−2.5', '0.0', '2.5'], ['0', '20,000'], ['0', '2e6'])
    """
    largest = max((abs(v) for v in values), default=0.0)
    if largest >= _LARGE or 0 < largest <= _LEAST:
        return [_power(v) for v in values]
    decimals = _decimals(values)
    return [number(v, decimals) for v in values]


def _decimals(values: Sequence[float]) -> int:
    if not values:
        return 0
    span = (max(values) - min(values)) or max(map(abs, values)) or 1.0
    order = math.floor(math.log10(span))
    digits = max(0, 3 - order)
    while digits >= 0 and all(abs(v - round(v, digits)) < 1e-3 * 10.0**order for v in values):
        digits -= 1
    return digits + 1


def _power(value: float) -> str:
    if value == 0:
        return "0"
    power = math.floor(math.log10(abs(value)) + 1e-9)
    return f"{significant(value / 10.0**power, 4)}e{number(power, 0)}"


# One direction of a panel: what was drawn along it, its limits, where its ticks are; panels may share it.


MARGIN = 0.05  # of the range, at either end, where no limits are set
MOST = 9


def numbers(values: Any) -> list[float]:
    """Return a number or several as a list.

    Examples
    --------
    >>> numbers(3), numbers(range(2))
    ([3.0], [0.0, 1.0])
    """
    return [float(v) for v in values] if isinstance(values, Iterable) else [float(values)]


class Scale:
    """The numbers along one direction."""

    def __init__(self) -> None:
        self._low, self._high = math.inf, -math.inf
        self._limits: tuple[float, float] | None = None
        self._ticks: tuple[list[float], list[str] | None] | None = None
        self.margin, self.log = MARGIN, False
        self.most: int | None = None  # how many ticks; as many as have room where nobody says

    def see(self, values: Iterable[float]) -> None:
        """Take note of what is drawn, for limits that nobody sets."""
        for value in values:
            if math.isfinite(value):
                self._low, self._high = min(self._low, value), max(self._high, value)

    def limit(self, low: float, high: float) -> None:
        """Set the limits, the first is that of the start."""
        self._limits = float(low), float(high)

    def mark(self, at: Iterable[float], names: Sequence[str] | None = None) -> None:
        """Set the ticks, with their names."""
        self._ticks = numbers(at), None if names is None else list(names)

    @property
    def limits(self) -> tuple[float, float]:
        """Start and end: those that were set, or the range of what was drawn and a margin."""
        if self._limits is not None and self._limits[0] != self._limits[1]:
            return self._limits
        low, high = self._low, self._high
        if low > high:
            return 0.0, 1.0
        if high == low:
            apart = MARGIN * (abs(low) or 1.0)
            low, high = low - apart, high + apart
        pad = self.margin * (high - low)
        return low - pad, high + pad

    def place(self, value: float) -> float:
        """Where a value is: 0 at the start, 1 at the end."""
        low, high = self.limits
        if self.log:
            return math.log(value / low) / math.log(high / low)
        return (value - low) / (high - low)

    def ticks(self, room: float) -> list[tuple[float, str]]:
        """The ticks within the limits with their texts, as many as have room."""
        low, high = self.limits
        if self._ticks is None:
            at = ticks(low, high, self.most or max(1, min(MOST, int(room))))
            return list(zip(at, written(at), strict=True))
        at, names = self._ticks
        inside = [i for i, v in enumerate(at) if -1e-9 <= self.place(v) <= 1 + 1e-9]
        texts = written([at[i] for i in inside]) if names is None else [names[i] for i in inside]
        return [(at[i], text) for i, text in zip(inside, texts, strict=True)]


# How wide and how high a text is, in the face of the figures: by its advances, which ship beside the face.


_TABLE = Path(__file__).resolve().parent / "fonts" / "Inter-Regular.advances.txt"
EM = 2816
ASCENT, DESCENT = 2728 / EM, 680 / EM  # of a line, from its baseline
OTHER, WIDE = 0.65, 1.0  # em: a letter of another face, one of East Asia


def width(text: str, size: float) -> float:
    """Return the width of a line of text, in points, without kerning.

    Examples
    --------
    >>> round(width("Hello", 10), 1), width("", 10)
    (23.9, 0)
    """
    return size * sum(_advance(c) for c in text)


def packaged(character: str) -> bool:
    """Whether the packaged faces have a character.

    Examples
    --------
    >>> packaged("e"), packaged("\u05d0")
    (True, False)
    """
    return ord(character) in _advances()


@cache
def _advance(character: str) -> float:
    present = _advances().get(ord(character))
    if present is not None:
        return present / EM
    if unicodedata.combining(character) or unicodedata.category(character) == "Cf":
        return 0.0
    return WIDE if unicodedata.east_asian_width(character) in "WF" else OTHER


@cache
def _advances() -> dict[int, int]:
    """Advances by code point: each line of the file is a first code point and the advances from there on."""
    result: dict[int, int] = {}
    for line in _TABLE.read_text(encoding="ascii").splitlines():
        first, *advances = map(int, line.split())
        result.update(enumerate(advances, first))
    return result


# What is drawn, in points of the page from its upper left corner: lines and areas, dots, texts, each with its look.


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


# A place on the page for numbers of the data, and shapes made there.


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


# Marks as SVG: neighbors that look alike as one element, positions to a tenth of a point.


FACE, SIZE = "Inter,'DejaVu Sans'", 8.5
_NEAR = 60  # dots that are looked through for two that touch


def svg(size: Point, marks: Sequence[Mark], name: str, caption: str, alt: str) -> str:
    """Return the element, which is read as the text that replaces it: its caption stands beside it.

    Examples
    --------
    >>> from fairstats.reporting.sketch import Look
    >>> line = Shape(Look(stroke="red", width=1.0), (((1.0, 2.0), (3.04, 2.0)),))
    >>> svg((90, 20), [line], "f", "A < B", "Numbers.").partition("</desc>")[2]
    '<path d="M1 2H3" stroke="red" stroke-width="1"/></svg>'
    """
    clips: dict[Box, str] = {}
    body = "".join(_run(list(run), name, clips) for _, run in groupby(marks, _alike))
    frames = "".join(
        f'<clipPath id="{key}"><path d="{_path([_corners(box)], closed=True)}"/></clipPath>'
        for box, key in clips.items()
    )
    return (
        f'<svg viewBox="0 0 {_n(size[0])} {_n(size[1])}" role="img" aria-labelledby="{name}-desc" '
        f'fill="none" font-family="{FACE}" font-size="{_n(SIZE)}" stroke-linejoin="round">'
        f'<title id="{name}-title">{html.escape(visible(caption))}</title>'
        f'<desc id="{name}-desc">{html.escape(visible(alt))}</desc>'
        f"{f'<defs>{frames}</defs>' if frames else ''}{body}</svg>"
    )


def _alike(mark: Mark) -> object:
    """What neighbors must share to be one element."""
    if isinstance(mark, Label):
        return (Label, mark.size, mark.color, mark.anchor)
    if mark.look.opacity < 1:
        return object()  # where two of them overlap, both are seen
    return (type(mark), mark.look, mark.size if isinstance(mark, Dots) else mark.closed)


def _run(marks: list[Mark], name: str, clips: dict[Box, str]) -> str:
    first = marks[0]
    if isinstance(first, Label):
        return _texts([m for m in marks if isinstance(m, Label)])
    if isinstance(first, Dots):
        return _dots([p for m in marks if isinstance(m, Dots) for p in m.at], first, name, clips)
    lines = [line for m in marks if isinstance(m, Shape) for line in m.lines]
    return f'<path d="{_path(lines, closed=first.closed)}"{_pen(first.look, name, clips)}/>'


def _dots(at: list[Point], like: Dots, name: str, clips: dict[Box, str]) -> str:
    """Dots as lines without length, with round ends; open ones that overlap as circles."""
    look, size = like.look, like.size
    outer = size + look.width
    points = "".join(f"M{_n(x)} {_n(y)}h.01" for x, y in at)
    if look.fill == look.stroke or not _touch(at, outer):
        pens = [(look.stroke, outer)] + ([(look.fill, size - look.width)] if look.fill != look.stroke else [])
        looks = [Look(stroke=color, width=wide, cap="round", clip=look.clip) for color, wide in pens]
        return "".join(f'<path d="{points}"{_pen(one, name, clips)}/>' for one in looks)
    circles = "".join(f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{size / 2:g}"/>' for x, y in at)
    return f"<g{_pen(look, name, clips)}>{circles}</g>"


def _touch(at: list[Point], size: float) -> bool:
    if len(at) > 10 * _NEAR:
        return True
    ordered = sorted(at)
    for i, (x, y) in enumerate(ordered):
        for u, v in ordered[i + 1 :]:
            if u - x >= size:
                break
            if (u - x) ** 2 + (v - y) ** 2 < size**2:
                return True
    return False


def _texts(labels: list[Label]) -> str:
    first = labels[0]
    look = f' fill="{first.color}"'
    look += "" if first.size == SIZE else f' font-size="{_n(first.size)}"'
    look += "" if first.anchor == "start" else f' text-anchor="{first.anchor}"'
    if len(labels) == 1:
        return _text(first, look)
    return f"<g{look}>{''.join(_text(label, '') for label in labels)}</g>"


def _text(label: Label, look: str) -> str:
    place = f'x="{_n(label.x)}" y="{_n(label.y)}"'
    if label.turned:
        place = f'transform="translate({_n(label.x)} {_n(label.y)}) rotate(-90)"'
    return f"<text {place}{look}>{html.escape(visible(label.text), quote=False)}</text>"


def _pen(look: Look, name: str, clips: dict[Box, str]) -> str:
    parts = [("fill", look.fill)]
    if look.stroke:
        wide = f"{look.width:.2f}".rstrip("0").rstrip(".")
        parts += [("stroke", look.stroke), ("stroke-width", wide), ("stroke-linecap", look.cap)]
        parts += [("stroke-dasharray", " ".join(f"{v:g}" for v in look.dash)), ("stroke-linejoin", look.join)]
    if look.opacity < 1:
        parts.append(("fill-opacity", f"{look.opacity:.2f}"))
    if look.clip:
        parts.append(("clip-path", f"url(#{clips.setdefault(look.clip, f'{name}-{len(clips)}')})"))
    return "".join(f' {key}="{value}"' for key, value in parts if value)


def _path(lines: Sequence[Sequence[Point]], *, closed: bool) -> str:
    parts = []
    for line in lines:
        x, y = round(line[0][0], 1), round(line[0][1], 1)
        parts.append(f"M{_n(x)} {_n(y)}")
        for u, v in ((round(u, 1), round(v, 1)) for u, v in line[1:]):
            if (u, v) == (x, y):
                continue
            ways = (f"V{_n(v)}", f"v{_n(v - y)}") if u == x else (f"H{_n(u)}", f"h{_n(u - x)}")
            both = (f"L{_n(u)} {_n(v)}", f"l{_n(u - x)} {_n(v - y)}")
            parts.append(min(ways if u == x or v == y else both, key=len).replace(" -", "-"))
            x, y = u, v
        parts.append("z" if closed else "")
    return "".join(parts)


def _corners(box: Box) -> list[Point]:
    left, top, right, bottom = box
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def _n(value: float) -> str:
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


# Texts at points of the data or of the frame, and the lines that lead from a text that was moved to its point.


ABOVE = 3.0
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
        lower = lowered(self.look.get("va", "baseline"), SIZE)
        anchor = _SIDES[self.look.get("ha", "left")]
        return Label(self.text, at[0], at[1] + lower, SIZE, self.look["color"], anchor)

    def leader(self, place: Place) -> Shape | None:
        """The line from the nearer end of the text to its point, short of both: its middle is beside others."""
        look, label = self.look.get("arrowprops"), self.label(place)
        if not look or label is None:
            return None
        left, top, right, bottom = label.box()
        end = _point(self.xy, self.look.get("xycoords", "data"), place)
        nearer = left - look["shrinkA"] if 2 * end[0] < left + right else right + look["shrinkA"]
        start = nearer, (top + bottom) / 2
        across, down = end[0] - start[0], end[1] - start[1]
        long = math.hypot(across, down)
        if long <= look["shrinkB"]:
            return None
        kept = 1 - look["shrinkB"] / long
        ends = (start, (start[0] + across * kept, start[1] + down * kept))
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


# The colors of all figures: one accent color, ink and grays.


ACCENT, INK, GRAY, PALE, BAND = "#0b4f8a", "#1c1c1c", "#595959", "#c9c9c9", "#ececec"


# What stands around and in a panel: spines, ticks, labels, title and notes, and the room that they need.


TICK, FURNITURE_PAD, LABEL_PAD, PEN = 3.5, 3.5, 4.0, 0.6  # points
TICKS_OVER, FRAME_OVER = 1.5, 2.5


@dataclass
class Spine:
    """One side of a frame."""

    shown: bool

    def set_visible(self, shown: bool) -> None:
        """Draw it or not."""
        self.shown = shown


@dataclass
class Axis:
    """A scale with its ticks and its name."""

    scale: Scale
    label: str = ""
    length: float = TICK
    named: bool = field(default=True)  # whether its ticks have their texts: of shared scales the outer ones have
    top: bool = False

    def tick_top(self) -> None:
        """Put the ticks over the frame."""
        self.top = True


class Furniture:
    """The furniture of a panel whose frame is known."""

    def __init__(self, panel: Pane, place: Place) -> None:
        self._panel, self._place = panel, place
        left, top, right, bottom = place.frame
        x, y = panel.xaxis, panel.yaxis
        # room: a tick every three letters across, every two lines down
        self._across = [(place.point(v, y.scale.limits[0])[0], t) for v, t in x.scale.ticks((right - left) / SIZE / 3)]
        self._up = [(place.point(x.scale.limits[0], v)[1], t) for v, t in y.scale.ticks((bottom - top) / SIZE / 2)]
        self.under = self._x_texts()
        self.beside = self._y_texts()
        self.notes = [label for note in panel.notes if (label := note.label(place)) is not None]

    def _x_texts(self) -> list[Label]:
        axis, (_, top, _, bottom) = self._panel.xaxis, self._place.frame
        if not axis.named:
            return []
        away = axis.length + FURNITURE_PAD
        y = top - away + lowered("bottom", SIZE) if axis.top else bottom + away + lowered("top", SIZE)
        return [Label(text, at, y, SIZE, INK, "middle") for at, text in self._across if text]

    def _y_texts(self) -> list[Label]:
        axis, left = self._panel.yaxis, self._place.frame[0]
        if not axis.named:
            return []
        x = left - axis.length - FURNITURE_PAD
        return [Label(text, x, at + lowered("tick", SIZE), SIZE, INK, "end") for at, text in self._up if text]

    def _names(self) -> tuple[list[Label], Label | None]:
        """The names of the axes, beyond the texts of their ticks: of the horizontal one a label a line."""
        left, top, right, bottom = self._place.frame
        x, y = self._panel.xaxis.label, self._panel.yaxis.label
        low = max([bottom, *(label.box()[3] for label in self.under)])
        far = min([left, *(label.box()[0] for label in self.beside)])
        at, first, line = (left + right) / 2, low + LABEL_PAD + ASCENT * SIZE, (ASCENT + DESCENT) * SIZE
        lines = enumerate(x.split("\n") if x else [])
        return (
            [Label(text, at, first + i * line, SIZE, INK, "middle") for i, text in lines],
            Label(y, far - LABEL_PAD - DESCENT * SIZE, (top + bottom) / 2, SIZE, INK, "middle", True) if y else None,
        )

    def _title(self) -> list[Label]:
        """A label a line of the title, the last next to the frame."""
        if self._panel.title is None:
            return []
        text, pad = self._panel.title
        left, top, *_ = self._place.frame
        above = enumerate(reversed(text.split("\n")))
        return [Label(line, left, top - pad - i * (ASCENT + DESCENT) * SIZE, SIZE, INK) for i, line in above][::-1]

    def marks(self) -> list[tuple[float, Mark]]:
        """Everything, each with its height."""
        panel, (left, top, right, bottom) = self._panel, self._place.frame
        ticks = [((at, bottom), (at, bottom + panel.xaxis.length)) for at, _ in self._across]
        ticks += [((left, at), (left - panel.yaxis.length, at)) for at, _ in self._up]
        lengths = [panel.xaxis.length] * len(self._across) + [panel.yaxis.length] * len(self._up)
        drawn = tuple(tick for tick, length in zip(ticks, lengths, strict=True) if length)
        sides = {
            "left": ((left, bottom), (left, top)),
            "right": ((right, bottom), (right, top)),
            "bottom": ((left, bottom), (right, bottom)),
            "top": ((left, top), (right, top)),
        }
        lines = tuple(ends for side, ends in sides.items() if panel.spines[side].shown)
        pen = Look(stroke=GRAY, width=PEN)
        result: list[tuple[float, Mark]] = [(TICKS_OVER, Shape(pen, drawn))] if drawn else []
        result += [(TICKS_OVER, Shape(pen, lines))] if lines else []
        x_name, y_name = self._names()
        texts = [*self._title(), *self.beside, *self.under, *x_name, *([y_name] if y_name else [])]
        result += [(ABOVE, label) for label in texts]
        for note in panel.notes:
            leader, label = note.leader(self._place), note.label(self._place)
            over = note.look.get("zorder", ABOVE)
            result += [(over, mark) for mark in (leader, label) if mark is not None]
        return result

    def overhang(self, slot: Box) -> Box:
        """How far the furniture reaches beyond a slot: at the left, the top, the right and the bottom."""
        x_name, y_name = self._names()
        left, top, *_ = self._place.frame
        boxes = [self._place.frame, *(label.box() for label in (*self.under, *self.beside, *self.notes))]
        boxes += self._panel.reach(slot)
        # a long name takes no room from the frame
        boxes += [(left, line.box()[1], left, line.box()[3]) for line in x_name]
        if y_name is not None:
            boxes.append((y_name.box()[0], top, y_name.box()[2], top))
        boxes += [(left, line.box()[1], left, line.box()[3]) for line in self._title()]
        return (
            max(0.0, slot[0] - min(b[0] for b in boxes)),
            max(0.0, slot[1] - min(b[1] for b in boxes)),
            max(0.0, max(b[2] for b in boxes) - slot[2]),
            max(0.0, max(b[3] for b in boxes) - slot[3]),
        )


# A panel: the part of matplotlib's axes that figures use, with its names, so that one painter serves both.


HATCH = 3.0  # points from one line of a hatched bar to the next
AREA, LINE = 1, 2  # what lies over what, where nothing else is said

Draw = Callable[[Place], list[Shape | Dots]]


class Pane:
    """One frame with its axes; positions are numbers of the data until `marks` puts them on the page."""

    def __init__(self, x: Scale, y: Scale) -> None:
        self.xaxis, self.yaxis = Axis(x), Axis(y)
        self.spines = {side: Spine(side in ("left", "bottom")) for side in ("left", "right", "bottom", "top")}
        self.title: tuple[str, float] | None = None
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

    def set_title(self, text: str, *, loc: str = "left", pad: float = 6.0) -> None:
        """Write a title over the frame, from its left end."""
        self.title = text, pad

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
        result: list[tuple[float, Mark]] = []
        for order, clip, draw in self._drawn:
            result += [(order, clipped(mark, place.frame) if clip else mark) for mark in draw(place) if seen(mark)]
        return result + self.furniture(slot).marks()

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


# A sheet of panels: their grid, the room around them, and everything on it as one SVG element.


MM = 72 / 25.4  # points
PAD = 1.44  # points around every panel
BETWEEN = 0.01  # of the sheet, shared by the panels of a row: half of what lies between two
ROUNDS = 3  # of the layout: where a note stands depends on the frame, and the frame on how far the note reaches


class Sheet:
    """The part of matplotlib's figure that painters use."""

    def __init__(self, width: float, height: float) -> None:
        self.size = (width * MM, height * MM)
        self.panels: list[list[Pane]] = []
        self._under: str | None = None
        self._beside: str | None = None

    def add_subplot(self) -> Pane:
        """One panel."""
        self.subplots()
        return self.panels[0][0]

    def subplots(
        self, rows: int = 1, columns: int = 1, *, sharex: bool = False, sharey: bool = False, squeeze: bool = True
    ) -> Any:
        """Rows of panels; of shared scales the panels at the left and at the bottom have the texts."""
        x, y = Scale(), Scale()
        self.panels = [
            [Pane(x if sharex else Scale(), y if sharey else Scale()) for _ in range(columns)] for _ in range(rows)
        ]
        for i, row in enumerate(self.panels):
            for j, panel in enumerate(row):
                panel.xaxis.named = not sharex or i == rows - 1
                panel.yaxis.named = not sharey or j == 0
        values = np.empty((rows, columns), dtype=object)
        values[:] = self.panels
        return np.squeeze(values) if squeeze else values

    def supxlabel(self, text: str) -> None:
        """Name the horizontal axes of all panels."""
        self._under = text

    def supylabel(self, text: str) -> None:
        """Name the vertical axes of all panels."""
        self._beside = text

    def svg(self, name: str, caption: str, alt: str) -> str:
        """The sheet as an element of a page."""
        return svg(self.size, self.marks(), name, caption, alt)

    def marks(self) -> list[Mark]:
        """Everything on the sheet, what lies below first."""
        result: list[tuple[float, Mark]] = []
        for slots, row in zip(self.layout(), self.panels, strict=True):
            for slot, panel in zip(slots, row, strict=True):
                result += panel.marks(slot)
        return [*(mark for _, mark in sorted(result, key=lambda one: one[0])), *self._names()]

    def _names(self) -> list[Label]:
        width, height = self.size
        items = []
        if self._under is not None:
            items.append(Label(self._under, width / 2, height - PAD - DESCENT * SIZE, SIZE, INK, "middle"))
        if self._beside is not None:
            items.append(Label(self._beside, PAD + ASCENT * SIZE, height / 2, SIZE, INK, "middle", turned=True))
        return items

    def layout(self) -> list[list[Box]]:
        """The slots of all panels, of one size, with room for what reaches beyond them."""
        width, height = self.size
        rows, columns = len(self.panels), len(self.panels[0])
        line = (ASCENT + DESCENT) * SIZE
        left = 0.0 if self._beside is None else line + 2 * PAD
        low = 0.0 if self._under is None else line + 2 * PAD
        slots = _slots((left, 0.0, width, height - low), [(20.0, 20.0)] * columns, [(10.0, 20.0)] * rows)
        for _ in range(ROUNDS):
            over = [
                [
                    panel.furniture(slot).overhang(slot) if panel.shown else (0.0,) * 4
                    for slot, panel in zip(*pair, strict=True)
                ]
                for pair in zip(slots, self.panels, strict=True)
            ]
            across = [
                (
                    max(row[j][0] for row in over) + _pad(width, columns, j > 0),
                    max(row[j][2] for row in over) + _pad(width, columns, j < columns - 1),
                )
                for j in range(columns)
            ]
            down = [
                (
                    max(o[1] for o in row) + _pad(height, rows, i > 0),
                    max(o[3] for o in row) + _pad(height, rows, i < rows - 1),
                )
                for i, row in enumerate(over)
            ]
            slots = _slots((left, 0.0, width, height - low), across, down)
        return slots


def _pad(whole: float, parts: int, inner: bool) -> float:
    return max(PAD, BETWEEN * whole / parts) if inner else PAD


def _slots(room: Box, across: list[tuple[float, float]], down: list[tuple[float, float]]) -> list[list[Box]]:
    """Slots of one size that fill a room, with these margins before and after each."""
    wide = max(1.0, (room[2] - room[0] - sum(map(sum, across))) / len(across))
    high = max(1.0, (room[3] - room[1] - sum(map(sum, down))) / len(down))
    rows = []
    y = room[1]
    for above, below in down:
        x, row = room[0], []
        for before, after in across:
            row.append((x + before, y + above, x + before + wide, y + above + high))
            x += before + wide + after
        rows.append(row)
        y += above + high + below
    return rows
