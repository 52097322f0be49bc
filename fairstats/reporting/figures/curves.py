"""What the curve figures share: choosing the lines, their dashes and markers, and the labels beside them."""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fairstats.reporting.figures import style
from fairstats.studies.curve import Curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_LINES = 6  # more cannot be told apart; the tables hold all groups


def chosen(curves: Sequence[Curve], order: Sequence[str]) -> list[Curve]:
    """At most ``MOST_LINES`` curves, in the order of ``order`` (largest group first)."""
    rank = {group: i for i, group in enumerate(order)}
    return sorted(curves, key=lambda c: rank.get(c.group, len(rank)))[:MOST_LINES]


def omitted(curves: Sequence[Curve]) -> str:
    """The sentence that says which lines are not drawn, "" when all are."""
    return f" The {MOST_LINES} largest of {len(curves)} groups are drawn." if len(curves) > MOST_LINES else ""


def line(axes: Axes, curve: Curve, index: int, label: str, **more: Any) -> None:
    """One curve: first in the accent color, the others in grays, each with its dash, marker and entry in the key."""
    x, y = style.thin(list(curve.x), list(curve.y))
    color = style.ACCENT if index == 0 else style.INK if index % 2 else style.GRAY
    where = marked(x, y, index)
    axes.plot(
        x,
        y,
        color=color,
        linestyle=style.DASHES[index % len(style.DASHES)],
        marker=style.MARKERS[index],
        markevery=where,
        markersize=5,
        markerfacecolor="white",
        label=style.short(label, 40),
        **more,
    )


def marked(x: Sequence[float], y: Sequence[float], index: int) -> list[int]:
    """Where a line carries its markers: at heights that differ from line to line, so that markers do not collide."""
    low, high = min(y), max(y)
    heights = [low + (high - low) * ((share + 0.11 * index) % 1.0) for share in (0.2, 0.7)]
    order = sorted(range(len(y)), key=lambda i: y[i])
    ys = [y[i] for i in order]
    return sorted({order[min(bisect.bisect_left(ys, h), len(ys) - 1)] for h in heights})


def key(figure: Figure) -> None:
    """The names of the lines below the frame, with marker and dash: no color is needed to read it."""
    figure.legend(
        loc="outside lower left",
        ncols=1,
        frameon=False,
        fontsize=7.5,
        handlelength=3.2,
        labelspacing=0.3,
        borderaxespad=0.2,
    )


def key_height(lines: int) -> float:
    """How much the key adds to the height of a figure, in mm."""
    return 3.6 * lines + 2
