"""Periods: the gap of every period with its band, what is known so far, and the alarm."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from fairstats.estimates import Estimate
from fairstats.language import say
from fairstats.reporting import words
from fairstats.reporting.figures import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_TICKS = 8
MOST_TEXTS = 12  # periods of the alternative text, the latest


def periods(
    name: str, rows: Sequence[tuple[Estimate, Estimate]], *, caption: str, axis: str, alarm: str = "", margin: float = 0
) -> style.Drawing:
    """Draw the gap of every period in time, with its band, over the confidence sequence.

    name: prefix of the ids in the SVG.
    rows: of each period what is known so far, and its gap.
    caption: the finding in a sentence.
    axis: title of the vertical axis.
    alarm: the period of the alarm; "" where there is none.
    margin: the largest gap that raises no alarm.
    Returns: 180 mm wide.

    >>> row = Estimate("selection rate", contrast="difference", estimate=0.1, conf_low=0, conf_high=0.2, given="1")
    >>> periods("p", [(row, row)], caption="c", axis="gap").alt
    'Gap by period. 1: 10.0 points (0.0 to 20.0).'
    """
    height = 68.0

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        for null in {0.0, margin, -margin}:
            axes.axhline(100 * null, color=style.INK if not null else style.GRAY, linewidth=0.8, zorder=1)
        known = [(k, row) for k, (row, _) in enumerate(rows)]
        axes.fill_between(
            [k for k, _ in known], [100 * row.conf_low for _, row in known], [100 * row.conf_high for _, row in known],
            color=style.ACCENT, alpha=0.15,
        )  # fmt: skip
        for k, (_, gap) in enumerate(rows):
            if words.shown(gap):
                axes.plot([k, k], [100 * gap.conf_low, 100 * gap.conf_high], color=style.GRAY, linewidth=0.9)
                axes.plot(k, 100 * gap.estimate, "o", color=style.ACCENT, markersize=4, zorder=3)
            if gap.given == alarm:
                axes.axvline(k, color=style.INK, linewidth=0.9, zorder=2)
                edge: Literal["left", "right"] = "left" if k < len(rows) / 2 else "right"
                align = "center" if 0.1 < k / len(rows) < 0.9 else edge
                style.above(axes, k, say("alarm: {period}", period=alarm), style.INK, align)
        step = -(-len(rows) // MOST_TICKS)
        at = list(range(0, len(rows), step))
        axes.set_xticks(at, [style.short(rows[k][1].given, 12) for k in at])
        ends = [100 * end for _, gap in rows if words.shown(gap) for end in (gap.conf_low, gap.conf_high)]
        low, high = min([*ends, -100 * margin, -1.0]), max([*ends, 100 * margin, 1.0])
        axes.set_ylim(low - 0.06 * (high - low), high + 0.06 * (high - low))  # one limit alone reaches to the end
        axes.margins(x=0.03, y=0.06)
        axes.set_ylabel(style.upright(axis, height, f", {say('points')}"))
        style.bare(axes, keep=("bottom", "left"))

    shown = [gap for _, gap in rows if words.shown(gap)]
    texts = [f"{gap.given}: {words.estimate(gap)} ({words.interval(gap)})" for gap in shown]
    left = f"{say('{n} earlier.', n=len(texts) - MOST_TEXTS)} " if len(texts) > MOST_TEXTS else ""
    alt = f"{say('Gap by period.')} {left}{'; '.join(texts[-MOST_TEXTS:])}."
    return style.draw(name, paint, caption=caption, alt=alt, height=height, width=style.WIDE)
