"""Differences in an earlier and a later audit, and beside them by how much each changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairstats.estimates import Estimate
from fairstats.language import say
from fairstats.reporting.figures import style
from fairstats.reporting.figures.points import name_of_kind, point, said_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Line = tuple[str, Estimate, Estimate, Estimate]
LONGEST, MOST_TICKS = 56, 6


def before_after(name: str, lines: Sequence[Line], *, caption: str, title: str = "") -> style.Drawing:
    """Draw each difference before (open) and after (filled), at the right its change, all with their intervals.

    Parameters
    ----------
    name : str
        Prefix of the ids in the SVG.
    lines : sequence of (label, before, after, change)
        The label of a line, and its three rows, which are shares.
    caption : str
        The finding in a sentence.
    title : str
        Over the differences; that they are between the groups, where absent.

    Returns
    -------
    Drawing
        180 mm wide.

    Examples
    --------
    >>> a, b, c = (Estimate("selection rate", group="f", reference="m", contrast="difference", estimate=e,
    ...                     conf_low=e - 0.05, conf_high=e + 0.05) for e in (-0.2, -0.1, 0.1))
    >>> before_after("c", [("f less m", a, b, c)], caption="c").alt[-96:]
    'f less m: −20.0 (−25.0 to −15.0) before, −10.0 (−15.0 to −5.0) after, change 10.0 (5.0 to 15.0).'
    """

    def paint(figure: Figure) -> None:
        row = figure.subplots(1, 2, sharey=True, squeeze=False)[0]
        for axes, over in zip(row, (title or say("difference between the groups"), say("its change")), strict=True):
            axes.axvline(0, color=style.INK, linewidth=0.8, zorder=1)
            axes.set_title(over, loc="left", fontsize=8, pad=11)
            axes.set_xlabel(say("points"))
        style.above(row[0], 0, say("equal"), style.INK)
        style.above(row[1], 0, say("no change"), style.INK)
        for y, (_, before, after, change) in enumerate(lines):
            point(row[0], before, y - 0.17, "o", filled=False)
            point(row[0], after, y + 0.17, "o", filled=True)
            point(row[1], change, y, "D", filled=change.conf_low > 0 or change.conf_high < 0)
        if lines:
            name_of_kind(row[0], lines[0][1], -0.17, say("before"))
            name_of_kind(row[0], lines[0][2], 0.17, say("after"))
        row[0].set_yticks(range(len(lines)), [style.short(label, LONGEST) for label, *_ in lines])
        row[0].set_ylim(len(lines) - 0.4, -0.8)
        for axes in row:
            axes.locator_params("x", nbins=MOST_TICKS)  # else their number depends on the width of the labels
            style.bare(axes)

    said = " ".join(
        say(
            "{line}: {before} before, {after} after, change {change}.",
            line=label,
            before=said_of(before),
            after=said_of(after),
            change=said_of(change),
        )
        for label, before, after, change in lines
    )
    alt = f"{say('Differences between groups before and after, and their change, in percentage points.')} {said}"
    return style.draw(name, paint, caption=caption, alt=alt, height=20 + 6.6 * len(lines))
