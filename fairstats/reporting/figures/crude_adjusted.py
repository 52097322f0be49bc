"""Differences as they are and within strata of legitimate factors, one line a group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairstats.estimates import Estimate
from fairstats.language import say
from fairstats.reporting.figures import style
from fairstats.reporting.figures.points import name_of_kind, point, said_of

if TYPE_CHECKING:
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
            point(axes, before, y - 0.17, "o", filled=False)
            point(axes, after, y + 0.17, "D", filled=True)
        name_of_kind(axes, crude[0], -0.17, say("crude"))
        name_of_kind(axes, adjusted[0], 0.17, say("given {given}", given=given))
        axes.set_yticks(range(len(crude)), [style.short(r.group, 36) for r in crude])
        axes.set_ylim(len(crude) - 0.4, -0.8)
        axes.set_xlabel(say("difference from {reference}, points", reference=style.short(reference, 40)))
        style.bare(axes)

    said = " ".join(
        say("{group}: crude {crude}, adjusted {adjusted} points.", group=b.group, crude=said_of(b), adjusted=said_of(a))
        for b, a in zip(crude, adjusted, strict=True)
    )
    alt = f"{say('Differences from {reference}, crude and given {given}.', reference=reference, given=given)} {said}"
    return style.draw(name, paint, caption=caption, alt=alt, height=15 + 6.6 * len(crude))
