"""Differences as they are and within strata of legitimate factors, one line a group."""

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


def crude_adjusted(
    name: str, crude: Sequence[Estimate], adjusted: Sequence[Estimate], *, caption: str, given: str
) -> style.Drawing:
    """Draw each group's difference from the reference, crude (open) and adjusted (filled), with their intervals.

    Parameters
    ----------
    name : str
        Prefix of the ids in the SVG.
    crude, adjusted : sequence of Estimate
        Differences of one rate from one reference, the same groups in the same order.
    caption : str
        The finding in a sentence.
    given : str
        What is held fixed.

    Returns
    -------
    Drawing
        180 mm wide.

    Examples
    --------
    >>> a, b = (Estimate("selection rate", group="f", reference="m", contrast="difference", estimate=e,
    ...                  conf_low=e - 0.05, conf_high=e + 0.05) for e in (-0.2, -0.1))
    >>> crude_adjusted("c", [a], [b], caption="c", given="grade").alt
    'Differences from m, crude and given grade. f: crude −20.0 (−25.0 to −15.0), adjusted −10.0 (−15.0 to −5.0) points.'
    """
    reference = crude[0].reference

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.axvline(0, color=style.INK, linewidth=0.8, zorder=1)
        style.above(axes, 0, say("equal"), style.INK)
        for y, (before, after) in enumerate(zip(crude, adjusted, strict=True)):
            _point(axes, before, y - 0.17, filled=False)
            _point(axes, after, y + 0.17, filled=True)
        _name(axes, crude[0], -0.17, say("crude"))
        _name(axes, adjusted[0], 0.17, say("given {given}", given=given))
        axes.set_yticks(range(len(crude)), [style.short(r.group, 36) for r in crude])
        axes.set_ylim(len(crude) - 0.4, -0.8)
        axes.set_xlabel(say("difference from {reference}, points", reference=style.short(reference, 40)))
        style.bare(axes)

    said = " ".join(
        say("{group}: crude {crude}, adjusted {adjusted} points.", group=b.group, crude=_said(b), adjusted=_said(a))
        for b, a in zip(crude, adjusted, strict=True)
    )
    alt = f"{say('Differences from {reference}, crude and given {given}.', reference=reference, given=given)} {said}"
    return style.draw(name, paint, caption=caption, alt=alt, height=15 + 6.6 * len(crude))


def _said(row: Estimate) -> str:
    return f"{words.percent(row.estimate)} ({words.interval(row)})" if words.shown(row) else words.status(row)


def _point(axes: Axes, row: Estimate, y: float, *, filled: bool) -> None:
    if not words.shown(row):
        return
    axes.plot([100 * row.conf_low, 100 * row.conf_high], [y, y], color=style.INK, linewidth=1.0, zorder=2)
    axes.plot(
        100 * row.estimate,
        y,
        "D" if filled else "o",
        color=style.ACCENT,
        markersize=5,
        markerfacecolor=style.ACCENT if filled else "white",
        markeredgewidth=1.1,
        zorder=3,
    )


def _name(axes: Axes, row: Estimate, y: float, label: str) -> None:
    """The name of the two kinds of points, beside the first of each."""
    if words.shown(row):
        axes.annotate(
            style.short(label, 30),
            (100 * row.conf_high, y),
            (4, 0),
            textcoords="offset points",
            va="center",
            fontsize=7,
            color=style.GRAY,
            annotation_clip=False,
            zorder=4,
        )
