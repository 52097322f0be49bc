"""Periods: the gap of every period with its band, what is known so far, and the alarm."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from fairstats.auditing.group_studies import allowed_gaps
from fairstats.estimates import Estimate
from fairstats.language import say
from fairstats.reporting import words
from fairstats.reporting.figures import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_TICKS = 8
MOST_TEXTS = 12  # periods of the alternative text, the latest

HEIGHT = 68.0  # mm


def periods(
    name: str,
    rows: Sequence[tuple[Estimate, Estimate]],
    *,
    caption: str,
    axis: str,
    alarm: str = "",
    margin: float = 0,
    places: Sequence[int] = (),
    baseline: Estimate | None = None,
    height: float = HEIGHT,
) -> style.Drawing:
    """Draw the gap of every period in time, with its band, over the confidence sequence.

    name: prefix of the ids in the SVG.
    rows: of each period what is known so far, and its gap.
    caption: the finding in a sentence.
    axis: title of the vertical axis.
    alarm: the period of the alarm; "" where there is none.
    margin: the largest gap that raises no alarm.
    places: of each period in time, so that a missing one leaves a gap; one after the other where absent.
    baseline: the gap that later ones are compared with, drawn as a line with its limits.
    height: in mm.
    Returns: 180 mm wide.

    >>> row = Estimate("selection rate", contrast="difference", estimate=0.1, conf_low=0, conf_high=0.2, given="1")
    >>> periods("p", [(row, row)], caption="c", axis="gap").alt
    'Gap by period. 1: 10.0 points (0.0 to 20.0).'
    """
    places = list(places) or list(range(len(rows)))
    allowed = allowed_gaps(margin, baseline)

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.axhline(0, color=style.INK, linewidth=0.8, zorder=1)
        for end in allowed if margin else ():
            axes.axhline(100 * end, color=style.GRAY, linewidth=0.8, zorder=1)
            _named(axes, 100 * end, say("margin {points}", points=words.signed(100 * end)), over=end == allowed[1])
        known = [(x, row) for x, (row, _) in zip(places, rows, strict=True) if not row.reason]  # a limit alone is none
        run: list[tuple[int, Estimate]] = []
        for (x, row), following in zip(known, [*known[1:], None], strict=True):
            run.append((x, row))
            if following is None or following[0] > x + 1:  # nothing is drawn over a missing period
                _shade(axes, run)
                run = []
        if baseline is not None:
            axes.axhline(100 * baseline.estimate, color=style.INK, linewidth=0.9, linestyle=(0, (5, 3)), zorder=1)
            _named(axes, 100 * baseline.estimate, say("baseline"))
            for end in (baseline.conf_low, baseline.conf_high):
                axes.axhline(100 * end, color=style.GRAY, linewidth=0.8, linestyle=(0, (1, 2)), zorder=1)
        ends = [100 * end for _, gap in rows if words.shown(gap) for end in (gap.conf_low, gap.conf_high)]
        low, high = min([*ends, 100 * allowed[0], -1.0]), max([*ends, 100 * allowed[1], 1.0])
        room = 0.06 * (high - low)
        for x, (_, gap) in zip(places, rows, strict=True):
            if words.shown(gap):
                axes.plot([x, x], [100 * gap.conf_low, 100 * gap.conf_high], color=style.GRAY, linewidth=0.9)
                axes.plot(x, 100 * gap.estimate, "o", color=style.ACCENT, markersize=4, zorder=3)
            if gap.given == alarm:
                axes.plot(x, high + room, "D", color=style.INK, markersize=5, zorder=4)
                part = (x - places[0]) / max(places[-1] - places[0], 1)
                edge: Literal["left", "right"] = "left" if part < 0.5 else "right"
                align = "center" if 0.1 < part < 0.9 else edge
                style.above(axes, x, say("alarm: {period}", period=alarm), style.INK, align)
        step = -(-len(rows) // MOST_TICKS)
        at = list(range(0, len(rows), step))
        axes.set_xticks([places[k] for k in at], [style.short(rows[k][1].given, 12) for k in at])
        axes.set_ylim(low - room, high + room)  # one limit alone reaches to the end
        axes.margins(x=0.03, y=0.06)
        axes.set_ylabel(style.upright(axis, height, f", {say('points')}"))
        axes.set_xlabel(
            say("dots: each period, with its limits; shaded: limits of the gap so far, if it never changed")
            if known
            else say("dots: each period, with its limits")
        )
        style.bare(axes, keep=("bottom", "left"))

    shown = [gap for _, gap in rows if words.shown(gap)]
    texts = [f"{gap.given}: {words.estimate(gap)} ({words.interval(gap)})" for gap in shown]
    left = f"{say('{n} earlier.', n=len(texts) - MOST_TEXTS)} " if len(texts) > MOST_TEXTS else ""
    alt = f"{say('Gap by period.')} {left}{'; '.join(texts[-MOST_TEXTS:])}."
    if baseline is not None:
        about = {"gap": words.estimate(baseline), "limits": words.interval(baseline)}
        alt += " " + say("Baseline: {gap} ({limits}).", **about)
    if margin:
        alt += " " + say("Lines of the margin: at {low} and {high} points.", low=words.signed(100 * allowed[0]),
                         high=words.signed(100 * allowed[1]))  # fmt: skip
    return style.draw(name, paint, caption=caption, alt=alt, height=height, width=style.WIDE)


def _named(axes: Axes, y: float, label: str, over: bool | None = None) -> None:
    """The name of a horizontal line, right of the frame: over or under it where another line may be near."""
    align = {True: "bottom", False: "top", None: "center"}[over]
    axes.annotate(label, (1.01, y), xycoords=("axes fraction", "data"), va=align, color=style.GRAY,
                  annotation_clip=False)  # fmt: skip


def _shade(axes: Axes, run: Sequence[tuple[int, Estimate]]) -> None:
    """The confidence sequence of periods that follow each other; of one alone a narrow strip."""
    at = [x for x, _ in run] if len(run) > 1 else [run[0][0] - 0.2, run[0][0] + 0.2]
    rows = [row for _, row in run] if len(run) > 1 else [run[0][1]] * 2
    axes.fill_between(
        at,
        [100 * row.conf_low for row in rows],
        [100 * row.conf_high for row in rows],
        color=style.ACCENT,
        alpha=0.15,
        linewidth=0,
    )
