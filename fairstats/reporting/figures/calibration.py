"""Calibration: observed share of positives against the score, one panel a group, with its band."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairstats.language import say
from fairstats.reporting.figures import curves, style
from fairstats.studies.curve import Curve
from fairstats.text import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def calibration(name: str, lines: Sequence[Curve], *, caption: str, order: Sequence[str] = ()) -> style.Drawing:
    """Observed share of positive outcomes by score; the diagonal is a score that means what it says.

    Parameters
    ----------
    name : str
        Prefix of the ids in the SVG.
    lines : sequence of Curve
        Curves of kind "calibration" of one attribute: x the mean score of a bin, y the observed share, a band.
    caption : str
        The finding in a sentence.
    order : sequence of str
        Groups, largest first.

    Returns
    -------
    Drawing
        180 mm wide, up to four panels a row.

    Examples
    --------
    >>> line = Curve("calibration", "sex", "f", (0.2, 0.8), (0.3, 0.7), (0.1, 0.6), (0.5, 0.9))
    >>> calibration("c", [line], caption="Scores of f").alt
    'Calibration by group: observed share at the mean score of each bin. f: 0.30 at 0.20, 0.70 at 0.80.'
    """
    drawn = curves.chosen(lines, order)
    across = min(4, len(drawn))
    down = -(-len(drawn) // across)

    def paint(figure: Figure) -> None:
        panels = figure.subplots(down, across, sharex=True, sharey=True, squeeze=False)
        for i, axes in enumerate(panels.flat):
            if i < len(drawn):
                _panel(axes, drawn[i])
            else:
                axes.set_visible(False)
        figure.supxlabel(say("mean score of the bin"), fontsize=8)
        figure.supylabel(say("observed share"), fontsize=8)

    description = " ".join(
        f"{c.group}: {', '.join(curves.at(number(y, 2), number(x, 2)) for x, y in zip(c.x, c.y, strict=True))}."
        for c in drawn
    )
    head = say("Calibration by group: observed share at the mean score of each bin.")
    alt = f"{head} {description}{curves.omitted(lines)}"
    return style.draw(name, paint, caption=caption + curves.omitted(lines), alt=alt, height=12 + 44 * down)


def _panel(axes: Axes, curve: Curve) -> None:
    axes.plot([0, 1], [0, 1], color=style.PALE, linewidth=0.8, zorder=0)
    if curve.low:
        axes.vlines(curve.x, curve.low, curve.high, color=style.INK, linewidth=0.9, zorder=1)
    axes.plot(curve.x, curve.y, "o", color=style.ACCENT, markersize=4, markerfacecolor="white", zorder=2)
    axes.set_title(style.short(curve.group, 30), loc="left")
    axes.set_xlim(-0.02, 1.02)
    axes.set_ylim(-0.02, 1.02)
    axes.set_aspect("equal")
    style.bare(axes, keep=("bottom", "left"))
