"""Empirical distribution functions of the scores, one line a group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairstats.language import say
from fairstats.reporting import numbers as words
from fairstats.reporting.figures import curves, style
from fairstats.reporting.figures.outcome_by_score import flagged_from
from fairstats.studies.curve import Curve

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def ecdf(
    name: str,
    lines: Sequence[Curve],
    *,
    caption: str,
    order: Sequence[str] = (),
    axis: str = "score",
    threshold: float | None = None,
) -> style.Drawing:
    """Share of people at or below each score, by group; a line further right means higher scores.

    Parameters
    ----------
    name : str
        Prefix of the ids in the SVG.
    lines : sequence of Curve
        Curves of kind "ecdf" of one attribute.
    caption : str
        The finding in a sentence.
    order : sequence of str
        Groups, largest first.
    axis : str
        Name of the score.
    threshold : float, optional
        The score from which people are flagged: drawn between it and the next lower one, so that it cuts no step.

    Returns
    -------
    Drawing
        90 mm wide.

    Examples
    --------
    >>> line = Curve("ecdf", "sex", "f", (1.0, 2.0, 3.0), (0.2, 0.5, 1.0))
    >>> ecdf("e", [line], caption="Scores of f").alt
    'Empirical distribution of score by group. f: quartiles 2, 2 and 3.'
    """
    drawn = curves.chosen(lines, order)

    height = 50.0

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.set_ylim(-1, 101)
        if threshold is not None:
            flagged_from(axes, threshold, [x for c in drawn for x in c.x])
        for i, line in enumerate(drawn):
            y = [0.0, *(100 * v for v in line.y)]
            from_zero = Curve(line.kind, line.attribute, line.group, (line.x[0], *line.x), tuple(y))
            curves.line(axes, from_zero, i, drawstyle="steps-post")
        axes.set_xlabel(style.short(axis, 40))
        axes.set_ylabel(say("% at or below"))
        style.bare(axes, keep=("bottom", "left"))
        left, right = axes.get_xlim()
        # the corner that distribution functions leave free: above them where scores are high, below where they are low
        middle = [next((x for x, v in zip(c.x, c.y, strict=True) if v >= 0.5), right) for c in drawn]
        above = sum(middle) / len(middle) > (left + right) / 2
        base = 96 - 8 * (len(drawn) - 1) if above else 4
        for i, line in enumerate(drawn):
            at = left + (0.04 if above else 0.56) * (right - left)
            curves.sample(
                axes, i, at, base + 7 * (len(drawn) - 1 - i), style.short(line.group, 18), 0.08 * (right - left)
            )

    description = " ".join(
        say("{group}: quartiles {values}.", group=c.group, values=words.listed(_quartiles(c))) for c in drawn
    )
    head = say("Empirical distribution of {score} by group.", score=axis)
    alt = f"{head} {description}{curves.omitted(lines)}"
    return style.draw(
        name,
        paint,
        caption=caption + curves.omitted(lines),
        alt=alt,
        width=style.NARROW,
        height=height,
    )


def _quartiles(curve: Curve) -> list[str]:
    """The three quartiles; one beyond the drawn range is said to be above it."""

    def reached(share: float) -> str:
        values = (words.significant(x, 3) for x, y in zip(curve.x, curve.y, strict=True) if y >= share - 1e-12)
        return next(values, say("above {x}", x=words.significant(curve.x[-1], 3)))

    return [reached(share) for share in (0.25, 0.5, 0.75)]
