"""A share as a point with its interval, in per cent, and the name that stands beside the first of a kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairstats.estimates import Estimate
from fairstats.reporting import numbers as words
from fairstats.reporting.figures import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def point(axes: Axes, row: Estimate, y: float, marker: str, *, filled: bool) -> None:
    """The estimate and its interval; nothing where there is no estimate."""
    if not words.shown(row):
        return
    axes.plot([100 * row.conf_low, 100 * row.conf_high], [y, y], color=style.INK, linewidth=1.0, zorder=2)
    axes.plot(
        100 * row.estimate,
        y,
        marker,
        color=style.ACCENT,
        markersize=5,
        markerfacecolor=style.ACCENT if filled else "white",
        markeredgewidth=1.1,
        zorder=3,
    )


def name_of_kind(axes: Axes, row: Estimate, y: float, label: str) -> None:
    """The name of a kind of points, right of the interval of one of them."""
    if words.shown(row):
        axes.annotate(
            style.short(label, 30),
            (100 * row.conf_high, y),
            (4, 0),
            textcoords="offset points",
            va="center",
            fontsize=7,
            color=style.GRAY,
            annotation_clip=False,
            zorder=4,
        )


def said_of(row: Estimate) -> str:
    """The same in words: estimate and interval, or why there is none."""
    return f"{words.percent(row.estimate)} ({words.interval(row)})" if words.shown(row) else words.status(row)
