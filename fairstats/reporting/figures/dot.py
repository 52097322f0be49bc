"""Dot plot: the rate of each group with its interval, largest group first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairstats.estimates import Estimate
from fairstats.language import say
from fairstats.reporting import numbers as words
from fairstats.reporting.figures import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def dot(
    name: str,
    rows: Sequence[Estimate],
    *,
    caption: str,
    reference: str = "",
    axis: str = "",
    numbers: bool = True,
) -> style.Drawing:
    """Rates of one metric for the groups of one attribute, ordered by the size of the group.

    Parameters
    ----------
    name : str
        Prefix of the ids in the SVG.
    rows : sequence of Estimate
        One rate a group.
    caption : str
        The finding in a sentence.
    reference : str
        The group whose rate is drawn as a line through the others.
    axis : str
        Title of the axis.
    numbers : bool
        Whether the numbers stand at the right; false where a table below holds them.

    Returns
    -------
    Drawing
        180 mm wide.

    Examples
    --------
    >>> rows = [Estimate("selection rate", group=g, n=n, estimate=p, conf_low=p - 0.1, conf_high=p + 0.1)
    ...         for g, n, p in [("b", 90, 0.7)]]
    >>> dot("d", rows, caption="b is selected more often").alt
    'Dot plot, largest group first. b (n = 90): 70.0 %, interval 60.0 to 80.0.'
    """
    ordered = sorted(rows, key=lambda r: -r.n if r.n == r.n else 0.0)
    known = [r for r in ordered if words.shown(r)]
    line = next((100 * r.estimate for r in known if r.group == reference), None)

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        if line is not None:
            axes.axvline(line, color=style.GRAY, linewidth=0.8, linestyle=(0, (4, 2)), zorder=1)
            style.above(axes, line, style.short(say("reference: {group}", group=reference), 40), style.GRAY)
        for y, row in enumerate(ordered):
            _point(axes, row, y, row.group == reference, numbers)
        axes.set_yticks(range(len(ordered)), [f"{style.short(r.group, 36)}  (n = {words.count(r.n)})" for r in ordered])
        axes.set_ylim(len(ordered) - 0.4, -0.9)
        axes.set_xlabel(axis)
        axes.set_xlim(*_limits(known))
        style.bare(axes)

    description = " ".join(
        f"{r.group} (n = {words.count(r.n)}): {words.estimate(r)}, "
        f"{say('interval {interval}', interval=words.interval(r))}."
        for r in ordered
    )
    alt = f"{say('Dot plot, largest group first.')} {description}"
    return style.draw(name, paint, caption=caption, alt=alt, height=15 + 4.4 * len(ordered))


def _point(axes: Axes, row: Estimate, y: int, is_reference: bool, numbers: bool) -> None:
    if not words.shown(row):
        axes.annotate(
            style.short(words.status(row), 60),
            (0.01, y),
            xycoords=("axes fraction", "data"),
            va="center",
            fontsize=7,
            color=style.GRAY,
        )
        return
    axes.plot([100 * row.conf_low, 100 * row.conf_high], [y, y], color=style.INK, linewidth=1.0, zorder=2)
    axes.plot(
        100 * row.estimate,
        y,
        "s" if is_reference else "o",
        color=style.ACCENT,
        markersize=5.5,
        markerfacecolor="white" if is_reference else style.ACCENT,
        markeredgewidth=1.1,
        zorder=3,
    )
    if not numbers:
        return
    interval = words.interval(row)
    style.beside(axes, y, words.percent(row.estimate) + (f" ({interval})" if interval != words.DASH else ""))


def _limits(rows: Sequence[Estimate]) -> tuple[float, float]:
    values = [100 * v for r in rows for v in (r.conf_low, r.estimate, r.conf_high) if math.isfinite(v)]
    low, high = min(values, default=0.0), max(values, default=100.0)
    pad = max(0.06 * (high - low), 0.5)
    return max(low - pad, -1.0), min(high + pad, 101.0)
