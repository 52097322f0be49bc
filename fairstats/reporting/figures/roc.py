"""ROC curves, one line a group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from fairstats.estimates import Estimate
from fairstats.language import say
from fairstats.reporting import numbers as words
from fairstats.reporting.figures import curves, style
from fairstats.studies.curve import Curve

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_BANDS = 3  # of more curves the bands hide each other


def roc(
    name: str, lines: Sequence[Curve], areas: Mapping[str, Estimate], *, caption: str, order: Sequence[str] = ()
) -> style.Drawing:
    """True positive rate against false positive rate over all thresholds, by group, with the area under each line.

    Parameters
    ----------
    name : str
        Prefix of the ids in the SVG.
    lines : sequence of Curve
        Curves of kind "roc" of one attribute.
    areas : mapping
        Group to its AUC.
    caption : str
        The finding in a sentence.
    order : sequence of str
        Groups, largest first.

    Returns
    -------
    Drawing
        90 mm wide, square axes.

    Examples
    --------
    >>> line = Curve("roc", "sex", "f", (0.0, 0.5, 1.0), (0.0, 0.75, 1.0))
    >>> area = Estimate("AUC", group="f", estimate=0.625, conf_low=0.5, conf_high=0.75)
    >>> roc("r", [line], {"f": area}, caption="AUC of f").alt
    'ROC curves by group. f: AUC 0.625, interval 0.500 to 0.750.'
    """
    drawn = curves.chosen(lines, order)
    banded = len(drawn) <= MOST_BANDS and any(line.low for line in drawn)

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.plot([0, 100], [0, 100], color=style.PALE, linewidth=0.8, zorder=0)
        for i, line in enumerate(drawn):
            scaled = Curve("roc", line.attribute, line.group, _cent(line.x), _cent(line.y))
            curves.line(axes, scaled, i)
            if line.low and banded:
                shade = style.PALE if i else style.ACCENT
                axes.fill_between(
                    scaled.x, _cent(line.low), _cent(line.high), color=shade, alpha=0.15, linewidth=0, zorder=0
                )
        axes.set_xlim(-1, 101)
        axes.set_ylim(-1, 101)
        axes.set_aspect("equal")
        axes.set_xlabel(say("false positive rate, %"))
        axes.set_ylabel(say("true positive rate, %"))
        style.bare(axes, keep=("bottom", "left"))
        # right of the frame, each after a piece of its line: inside it a curve or a band may run anywhere
        for i, line in enumerate(drawn):
            area = areas.get(line.group)
            label = style.short(line.group, 20) + (f" {words.estimate(area)}" if area else "")
            curves.sample(axes, i, 106, 92 - 10 * i, label)

    description = " ".join(
        f"{g}: AUC {words.estimate(areas[g])}, {say('interval {interval}', interval=words.interval(areas[g]))}."
        for g in (c.group for c in drawn)
        if g in areas
    )
    bands = f" {say('Each band holds the whole curve.')}" if banded else ""
    alt = f"{say('ROC curves by group.')} {description}{bands}{curves.omitted(lines)}"
    return style.draw(
        name,
        paint,
        caption=caption + curves.omitted(lines),
        alt=alt,
        width=style.NARROW,
        height=style.LOW,
    )


def _cent(values: Sequence[float]) -> tuple[float, ...]:
    return tuple(100 * v for v in values)
