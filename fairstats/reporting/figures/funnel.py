"""Rates of many groups against their sizes, with the limits that chance alone would keep them in."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from scipy.special import ndtri

from fairstats.estimates import Estimate
from fairstats.language import say, say_number
from fairstats.reporting import numbers as words
from fairstats.reporting.figures import labels, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_NAMED = 6


def funnel(name: str, rows: Sequence[Estimate], *, axis: str = "", level: float = 0.95) -> style.Drawing:
    """Rate against number of people, with limits around the common rate for one group and for all of them at once.

    The limits are Wilson's score limits around the common rate (normal approximation): where all groups had it, a group
    lies beyond the dashed ones with probability 1 - level, and any of them beyond the solid ones with at most that.

    Parameters
    ----------
    name : str
        Prefix of the ids in the SVG.
    rows : sequence of Estimate
        One rate a group, with n and events.
    axis : str
        Name of the rate.
    level : float
        Of the limits.

    Returns
    -------
    Drawing
        180 mm wide; the caption says how many groups lie beyond the limits for all, at most six of which are named.

    Examples
    --------
    >>> rows = [Estimate("selection rate", group=g, n=n, events=k, estimate=k / n) for g, n, k in
    ...         [("a", 900.0, 460.0), ("b", 900.0, 440.0), ("c", 50.0, 45.0)]]
    >>> funnel("f", rows).caption[:63]
    '1 of 3 groups lies beyond the limits for all groups (solid): c.'
    """
    known = [r for r in rows if words.shown(r) and r.n > 0]
    common = sum(r.events for r in known) / sum(r.n for r in known)
    all_level = level ** (1 / max(len(known), 1))
    outside = [r for r in known if beyond(r, common, all_level)]
    named = sorted(outside, key=lambda r: -abs(r.estimate - common) * math.sqrt(r.n))[:MOST_NAMED]
    height = 74.0

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        low, high = min(r.n for r in known), max(r.n for r in known)
        axes.set_xscale("log")
        axes.set_xlim(low / 1.25, high * 1.25)
        _limits(axes, low / 1.25, high * 1.25, common, (level, (0, (4, 2))), (all_level, "solid"))
        axes.axhline(100 * common, color=style.INK, linewidth=0.8, zorder=1)
        for r in known:
            axes.plot(
                r.n,
                100 * r.estimate,
                "o",
                color=style.ACCENT,
                markersize=5,
                markerfacecolor=style.ACCENT if r in outside else "white",
                markeredgewidth=1.1,
                zorder=3,
            )
        ticks = [t for e in range(7) for t in (10**e, 3 * 10**e) if low / 1.25 <= t <= high * 1.25]
        ticks = ticks if len(ticks) > 1 else sorted({round(low), round(high)})
        axes.set_xticks(ticks, [words.count(t) for t in ticks])
        axes.minorticks_off()
        axes.set_ylim(*_frame(known))
        axes.set_xlabel(say("people in the group (log scale)"))
        axes.set_ylabel(style.upright(axis or known[0].metric, height, ", %"))
        style.bare(axes, keep=("bottom", "left"))
        ends = [(r.n, 100 * r.estimate, r.group, style.ACCENT) for r in named]
        every = say("all: {share} %", share=words.percent(common))
        ends.append((high * 1.25, 100 * common, every, style.INK))
        labels.name_ends(axes, ends, height=height - 16, room=high * 1.25)

    said = " ".join(f"{r.group} (n = {words.count(r.n)}): {words.estimate(r)}." for r in named)
    shown = words.listed([r.group for r in named])
    if len(outside) > len(named):
        shown = say("{shown} and {n} more", shown=shown, n=len(outside) - len(named))
    outlying = say_number(
        "{k} of {n} groups lies beyond the limits for all groups (solid)",
        "{k} of {n} groups lie beyond the limits for all groups (solid)",
        len(outside),
        k=len(outside),
        n=len(known),
    )
    alone = say("Dashed: limits for one group looked at alone.")
    caption = f"{outlying}{': ' + shown if outside else ''}. {alone}"
    head = say("Rate against size of {n} groups, common rate {share} %.", n=len(known), share=words.percent(common))
    alt = f"{head} {said or say('No group lies beyond the limits for all.')}"
    return style.draw(name, paint, caption=caption, alt=alt, height=height)


def limits(common: float, n: float, level: float) -> tuple[float, float]:
    """Return the shares that a group of n people with the common rate stays within.

    Examples
    --------
    >>> [round(v, 3) for v in limits(0.5, 100, 0.95)]
    [0.402, 0.598]
    """
    half = float(ndtri(0.5 + level / 2)) * math.sqrt(common * (1 - common) / n)
    return max(0.0, common - half), min(1.0, common + half)


def beyond(row: Estimate, common: float, level: float) -> bool:
    """Whether the group's rate lies outside the limits of its size."""
    low, high = limits(common, row.n, level)
    return not low <= row.estimate <= high


def _limits(axes: Axes, low: float, high: float, common: float, *kinds: tuple[float, object]) -> None:
    at = [low * (high / low) ** (i / 80) for i in range(81)]
    for level, dash in kinds:
        for side in (0, 1):
            y = [100 * limits(common, n, level)[side] for n in at]
            axes.plot(at, y, color=style.GRAY, linewidth=0.8, linestyle=dash, zorder=1)  # type: ignore[arg-type]


def _frame(rows: Sequence[Estimate]) -> tuple[float, float]:
    values = [100 * r.estimate for r in rows]
    pad = max(0.15 * (max(values) - min(values)), 2.0)
    return max(-1.0, min(values) - pad), min(101.0, max(values) + pad)
