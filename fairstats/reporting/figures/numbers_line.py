"""Numbers of one unit with their intervals, one line each, and beside each the number that it is held against."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairstats.estimates import Estimate
from fairstats.language import say
from fairstats.reporting import numbers as words
from fairstats.reporting.figures import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def numbers_line(
    name: str,
    rows: Sequence[Estimate],
    labels: Sequence[str],
    *,
    caption: str,
    axis: str,
    beside: Sequence[float] = (),
) -> style.Drawing:
    """Points with intervals in the order given; an open point stands for the number beside, a line for zero.

    Parameters
    ----------
    name : str
        Prefix of the ids in the SVG.
    rows : sequence of Estimate
        All of one unit.
    labels : sequence of str
        What stands at the left.
    caption : str
        The finding in sentences.
    axis : str
        Title of the axis.
    beside : sequence of float
        A number a row, NaN where there is none; in the unit of the rows.

    Returns
    -------
    Drawing
        180 mm wide, one line of 5 mm a row.

    Examples
    --------
    >>> row = Estimate("price", group="a", contrast="difference", estimate=2.0, conf_low=1.5, conf_high=2.75)
    >>> numbers_line("n", [row], ["a"], caption="c.", axis="price").alt
    'a: 2.000, interval 1.500 to 2.750.'
    """
    factor = 100.0 if words.unit(rows[0]) else 1.0

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.axvline(0, color=style.GRAY, linewidth=0.8, zorder=1)
        for y, row in enumerate(rows):
            if words.shown(row):
                axes.plot([factor * row.conf_low, factor * row.conf_high], [y, y], color=style.INK, linewidth=1.0)
                axes.plot(factor * row.estimate, y, "o", color=style.ACCENT, zorder=3, clip_on=False)
            if beside and beside[y] == beside[y]:
                axes.plot(factor * beside[y], y, "o", color=style.GRAY, markerfacecolor="white", zorder=2)
            style.beside(axes, y, style.short(_said(row), 44))
        axes.set_yticks(range(len(rows)), [style.short(label, 40) for label in labels])
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.set_xlabel(axis)
        style.bare(axes)

    alt = " ".join(f"{label}: {_spoken(row)}." for label, row in zip(labels, rows, strict=True))
    return style.draw(name, paint, caption=caption, alt=alt, height=14 + 5.0 * len(rows))


def _said(row: Estimate) -> str:
    if not words.shown(row):
        return words.status(row)
    limits = words.interval(row)
    return words.estimate(row) + (f" ({limits})" if limits != words.DASH else "")


def _spoken(row: Estimate) -> str:
    if not words.shown(row):
        return words.status(row)
    limits = words.interval(row)
    return words.estimate(row) + (f", {say('interval {interval}', interval=limits)}" if limits != words.DASH else "")
