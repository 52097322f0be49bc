"""What the curve figures share: choosing the lines, their dashes and markers, and the names beside them."""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fairstats.language import say
from fairstats.reporting.figures import style
from fairstats.studies.curve import Curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_LINES = 6  # more cannot be told apart; the tables hold all groups


def chosen(curves: Sequence[Curve], order: Sequence[str]) -> list[Curve]:
    """At most ``MOST_LINES`` curves, in the order of ``order`` (largest group first)."""
    rank = {group: i for i, group in enumerate(order)}
    return sorted(curves, key=lambda c: rank.get(c.group, len(rank)))[:MOST_LINES]


def at(y: str, x: str) -> str:
    """A point of a line in words."""
    return say("{y} at {x}", y=y, x=x)


def omitted(curves: Sequence[Curve]) -> str:
    """The sentence that says which lines are not drawn, "" when all are."""
    if len(curves) <= MOST_LINES:
        return ""
    return f" {say('{k} of {n} groups are drawn.', k=MOST_LINES, n=len(curves))}"


def line(axes: Axes, curve: Curve, index: int, **more: Any) -> None:
    """One curve: first in the accent color, the others in grays, each with its dash and marker."""
    x, y = style.thin(list(curve.x), list(curve.y))
    where = marked(x, y, index)
    axes.plot(x, y, markevery=where, **_look(index), **more)


def sample(axes: Axes, index: int, x: float, y: float, label: str, length: float = 8.0) -> None:
    """A piece of the line of `line`, and its name: beside the frame."""
    axes.plot([x, x + length], [y, y], **{**_look(index), "markevery": [0]}, clip_on=False)
    axes.annotate(label, (x + 1.35 * length, y), va="center", fontsize=7.5, color=_color(index), annotation_clip=False)


def _look(index: int) -> dict[str, Any]:
    return {
        "color": _color(index),
        "linestyle": style.DASHES[index % len(style.DASHES)],
        "marker": style.MARKERS[index],
        "markersize": 4,
        "markerfacecolor": "white",
        "linewidth": 1.1 if index < 2 else 0.8,
    }


def _color(index: int) -> str:
    return style.ACCENT if index == 0 else style.INK if index % 2 else style.GRAY


def marked(x: Sequence[float], y: Sequence[float], index: int) -> list[int]:
    """Where a line carries its markers: at heights that differ from line to line, so that markers do not collide."""
    low, high = min(y), max(y)
    heights = [low + (high - low) * ((share + 0.11 * index) % 1.0) for share in (0.2, 0.7)]
    order = sorted(range(len(y)), key=lambda i: y[i])
    ys = [y[i] for i in order]
    return sorted({order[min(bisect.bisect_left(ys, h), len(ys) - 1)] for h in heights})
