"""What a representation still tells about the group: areas under the curve of two kinds of probe, on one strip."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairstats.estimates import Estimate
from fairstats.language import mark, say
from fairstats.reporting import numbers as words
from fairstats.reporting.figures import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LINEAR, NONLINEAR = "AUC of linear probe", "AUC of non-linear probe"
PROBES = {LINEAR: ("o", mark("linear probe")), NONLINEAR: ("D", mark("non-linear probe"))}


def leakage_strip(name: str, strips: Sequence[tuple[str, Sequence[Estimate]]], *, caption: str) -> style.Drawing:
    """Draw how well a probe tells the group, from 0.5 (a coin) to 1 (without error), a line a representation or level.

    Parameters
    ----------
    name : str
        Prefix of the ids in the SVG.
    strips : sequence of (label, rows)
        Label of a line ("before", "after", or a level) and its rows of "AUC of linear probe" and "AUC of non-linear
        probe".
    caption : str
        The finding in a sentence.

    Returns
    -------
    Drawing
        180 mm wide. An AUC under 0.5, which is chance, is drawn at 0.5; the numbers beside it are as estimated.

    Examples
    --------
    >>> row = Estimate(NONLINEAR, "race", "b", estimate=0.9887, conf_low=0.98, conf_high=0.993)
    >>> leakage_strip("l", [("after og", [row])], caption="c").alt
    'How well a probe tells the group, 0.5 to 1. after og, non-linear probe: AUC 0.989 (0.980 to 0.993).'
    """
    known = [(label, [r for r in rows if r.metric in PROBES]) for label, rows in strips]
    known = [(label, rows) for label, rows in known if rows]
    lines = [(label, row) for label, rows in known for row in rows]

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.axvline(0.5, color=style.INK, linewidth=0.8, zorder=1)
        style.above(axes, 0.5, say("a coin"), style.GRAY, "left")
        style.above(axes, 1.0, say("without error"), style.GRAY, "right")
        for y, (_, row) in enumerate(lines):
            _point(axes, y, row)
        axes.set_yticks(
            range(len(lines)), [style.short(f"{label}: {say(PROBES[r.metric][1])}", 52) for label, r in lines]
        )
        axes.set_ylim(len(lines) - 0.4, -0.7)
        axes.set_xlim(0.49, 1.0)
        axes.set_xticks([0.5, 0.6, 0.7, 0.8, 0.9, 1.0])
        axes.set_xlabel(say("AUC of a probe that is asked for the group"))
        style.bare(axes)

    said = " ".join(_said(label, r) for label, r in lines if words.shown(r))
    return style.draw(
        name,
        paint,
        caption=caption,
        alt=f"{say('How well a probe tells the group, 0.5 to 1.')} {said}",
        height=16 + 5.0 * len(lines),
    )


def _point(axes: Axes, y: int, row: Estimate) -> None:
    if not words.shown(row):
        axes.annotate(style.short(words.status(row), 60), (0.51, y), va="center", fontsize=7, color=style.GRAY)
        return
    marker = PROBES[row.metric][0]
    strong = row.metric == NONLINEAR
    if row.conf_low == row.conf_low:
        ends = [max(0.5, row.conf_low), max(0.5, row.conf_high)]
        axes.plot(ends, [y, y], color=style.INK, linewidth=1.0, zorder=2)
    axes.plot(
        max(0.5, row.estimate),
        y,
        marker,
        color=style.ACCENT,
        markersize=5.5,
        markerfacecolor=style.ACCENT if strong else "white",
        markeredgewidth=1.1,
        zorder=3,
        clip_on=False,
    )
    style.beside(axes, y, _numbers(row))


def _numbers(row: Estimate) -> str:
    """Three digits, as every AUC of a report."""
    limits = words.span(row.conf_low, row.conf_high, lambda v: words.number(v, 3))
    return f"{words.number(row.estimate, 3)}{f' ({limits})' if limits != words.DASH else ''}"


def _said(label: str, row: Estimate) -> str:
    return f"{label}, {say(PROBES[row.metric][1])}: AUC {_numbers(row)}."
