"""The flow of the rows, where some are lost: how many were left at each step, and what was left out between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairstats.language import again, say
from fairstats.reporting import numbers as words
from fairstats.reporting.figures import style
from fairstats.studies.flow import FlowStep

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def flow(name: str, kept: Sequence[FlowStep], lost: Sequence[FlowStep], *, caption: str) -> style.Drawing:
    """Draw what was kept as bars to one scale, from all rows down, and name below them what was lost.

    Parameters
    ----------
    name : str
        Prefix of the ids in the SVG.
    kept : sequence of FlowStep
        Rows at each step, the first all that were read.
    lost : sequence of FlowStep
        What was left out, with its reason.
    caption : str
        The finding in a sentence.

    Returns
    -------
    Drawing
        180 mm wide.

    Examples
    --------
    >>> flow("f", [FlowStep("rows read", 10), FlowStep("rows analyzed", 8)], [FlowStep("score missing", 2)],
    ...      caption="c").alt
    'Flow of the rows. Kept: rows read 10, rows analyzed 8. Lost: score missing 2.'
    """
    rows = [(again(step.label), step.n, True) for step in kept[:1]]
    rows += [(again(step.label), step.n, False) for step in lost]
    rows += [(again(step.label), step.n, True) for step in kept[1:]]

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        for y, (_, n, stays) in enumerate(rows):
            _bar(axes, y, n, kept[0].n, stays)
        names = [style.short(label if stays else say("less {label}", label=label), 46) for label, _, stays in rows]
        axes.set_yticks(range(len(rows)), names)
        axes.set_ylim(len(rows) - 0.5, -0.6)
        axes.set_xlim(0, kept[0].n * 1.02)
        axes.set_xticks([])
        style.bare(axes, keep=())
        axes.tick_params(axis="y", length=0)

    said = [", ".join(f"{again(step.label)} {words.count(step.n)}" for step in steps) for steps in (kept, lost)]
    return style.draw(
        name,
        paint,
        caption=caption,
        alt=say("Flow of the rows. Kept: {kept}. Lost: {lost}.", kept=said[0], lost=said[1] or say("none")),
        height=6 + 5.0 * len(rows),
    )


def _bar(axes: Axes, y: int, n: float, total: float, stays: bool) -> None:
    axes.barh(y, n, height=0.62, color=style.ACCENT if stays else style.PALE, linewidth=0)
    inside = n > 0.5 * total
    axes.annotate(
        words.count(n),
        (n, y),
        (-4 if inside else 4, 0),
        textcoords="offset points",
        va="center",
        ha="right" if inside else "left",
        fontsize=7.5,
        color="#ffffff" if inside and stays else style.INK,
    )
