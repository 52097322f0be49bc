"""Marks as SVG: neighbors that look alike as one element, positions to a tenth of a point."""

from __future__ import annotations

import html
from collections.abc import Sequence
from itertools import groupby

from fairstats.errors import visible
from fairstats.reporting.sketch.marks import Box, Dots, Label, Look, Mark, Point, Shape

FACE, SIZE = "Inter,'DejaVu Sans'", 8.0
_NEAR = 60  # dots that are looked through for two that touch


def svg(size: Point, marks: Sequence[Mark], name: str, caption: str, alt: str) -> str:
    """Return the element, named by its caption, described by the text that replaces it.

    Examples
    --------
    >>> from fairstats.reporting.sketch.marks import Look
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
        f'<svg viewBox="0 0 {_n(size[0])} {_n(size[1])}" role="img" aria-labelledby="{name}-title {name}-desc" '
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
