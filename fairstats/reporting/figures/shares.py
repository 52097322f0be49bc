"""Shares with their intervals, one line each: what groups explain of components, directions or features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairstats.estimates import Estimate
from fairstats.language import say
from fairstats.reporting import numbers as words
from fairstats.reporting.figures import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEAST = 1.0  # per cent that an axis shows at least: what is 0 but for rounding looks like 0


def shares(name: str, rows: Sequence[Estimate], labels: Sequence[str], *, caption: str, axis: str) -> style.Drawing:
    """Shares between 0 and 100 %, with intervals where there are any, in the order given.

    Parameters
    ----------
    name : str
        Prefix of the ids in the SVG.
    rows : sequence of Estimate
        One share a line.
    labels : sequence of str
        What stands at the left.
    caption : str
        The finding in a sentence.
    axis : str
        Title of the axis.

    Returns
    -------
    Drawing
        180 mm wide, one line of 5 mm a row.

    Examples
    --------
    >>> row = Estimate("R2", term="component 1", estimate=0.25, conf_low=0.2, conf_high=0.3)
    >>> shares("s", [row], ["component 1"], caption="c", axis="explained, %").alt
    'Shares. component 1: 25.0 %, interval 20.0 to 30.0.'
    """
    said = [_said(row) for row in rows]

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        for y, (row, numbers) in enumerate(zip(rows, said, strict=True)):
            if words.shown(row):
                axes.plot([0, 100 * row.estimate], [y, y], color=style.PALE, linewidth=3.0, zorder=1)
                axes.plot([100 * row.conf_low, 100 * row.conf_high], [y, y], color=style.INK, linewidth=1.0, zorder=2)
                axes.plot(100 * row.estimate, y, "o", color=style.ACCENT, zorder=3, clip_on=False)
            style.beside(axes, y, style.short(numbers, 44))
        axes.set_yticks(range(len(rows)), [style.short(label, 40) for label in labels])
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.set_xlim(0, max(axes.get_xlim()[1], LEAST))
        axes.set_xlabel(axis)
        style.bare(axes)

    alt = f"{say('Shares.')} " + " ".join(_alt(label, row) for label, row in zip(labels, rows, strict=True))
    return style.draw(name, paint, caption=caption, alt=alt, height=14 + 5.0 * len(rows))


def _said(row: Estimate) -> str:
    if not words.shown(row):
        return words.status(row)
    interval = words.span(row.conf_low, row.conf_high, words.percent)
    return words.percent(row.estimate) + (f" ({interval})" if interval != words.DASH else "")


def _alt(label: str, row: Estimate) -> str:
    if not words.shown(row):
        return f"{label}: {words.status(row)}."
    interval = words.span(row.conf_low, row.conf_high, words.percent)
    share = say("{share} %", share=words.percent(row.estimate))
    return f"{label}: {share}" + (
        f", {say('interval {interval}', interval=interval)}." if interval != words.DASH else "."
    )
