"""Dots of 100 people: a rate that can be counted, one block a group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairstats.estimates import Estimate
from fairstats.language import say
from fairstats.reporting import numbers as words
from fairstats.reporting.figures import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROWS, COLUMNS = 4, 25


def hundred(name: str, rows: Sequence[Estimate], *, caption: str, what: str) -> style.Drawing:
    """Draw 100 dots a group, as many of them filled as people of 100 had the outcome, rounded.

    Parameters
    ----------
    name : str
        Prefix of the ids in the SVG.
    rows : sequence of Estimate
        One rate a group; at most three are drawn.
    caption : str
        The finding in a sentence.
    what : str
        What the filled dots had, for the text that replaces the figure.

    Returns
    -------
    Drawing
        90 mm wide.

    Examples
    --------
    >>> row = Estimate("selection rate", group="a", n=40.0, events=10.0, estimate=0.25)
    >>> hundred("h", [row], caption="c", what="hired = 1").alt
    'Dots of 100 people. a: hired = 1 for 25 of 100 (n = 40).'
    """
    drawn = [r for r in rows if words.shown(r)][:3]

    def paint(figure: Figure) -> None:
        panels = figure.subplots(len(drawn), 1, squeeze=False)[:, 0]
        for axes, row in zip(panels, drawn, strict=True):
            _block(axes, row)

    said = " ".join(
        say("{group}: {what} for {k} of 100 (n = {n}).", group=r.group, what=what, k=of_100(r), n=words.count(r.n))
        for r in drawn
    )
    return style.draw(
        name,
        paint,
        caption=caption,
        alt=f"{say('Dots of 100 people.')} {said}",
        width=style.NARROW,
        height=4 + 22.0 * len(drawn),
    )


def of_100(row: Estimate) -> int:
    """How many people of 100, rounded.

    Examples
    --------
    >>> of_100(Estimate("TPR", estimate=0.4475))
    45
    """
    return round(100 * row.estimate)


def _block(axes: Axes, row: Estimate) -> None:
    full = of_100(row)
    places = [(i % COLUMNS, i // COLUMNS) for i in range(ROWS * COLUMNS)]
    look = {"color": style.ACCENT, "markersize": 4.6, "markeredgewidth": 0.7, "linestyle": "none"}
    for part, face in ((places[:full], style.ACCENT), (places[full:], "white")):
        if part:
            axes.plot(*zip(*part, strict=True), "o", markerfacecolor=face, **look)
    axes.set_title(say("{group}: {k} of 100", group=style.short(row.group, 34), k=full), loc="left", fontsize=8, pad=3)
    axes.set_xlim(-0.7, COLUMNS - 0.3)
    axes.set_ylim(ROWS - 0.4, -0.6)
    axes.set_xticks([])
    axes.set_yticks([])
    style.bare(axes, keep=())
