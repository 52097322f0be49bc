"""Empirical distribution functions of the scores, one line a group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairstats.reporting import numbers as words
from fairstats.reporting.figures import curves, style
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
        Where the decision is taken, drawn as a labeled line.

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

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        if threshold is not None:
            axes.axvline(threshold, color=style.PALE, linewidth=0.8, zorder=0)
            style.above(axes, threshold, f"threshold {words.setting(threshold)}", style.GRAY)
        for i, line in enumerate(drawn):
            from_zero = Curve(line.kind, line.attribute, line.group, (line.x[0], *line.x), (0.0, *line.y))
            curves.line(axes, from_zero, i, line.group, drawstyle="steps-post")
        axes.set_ylim(-0.01, 1.01)
        axes.set_xlabel(style.short(axis))
        axes.set_ylabel("share at or below")
        style.bare(axes, keep=("bottom", "left"))
        curves.key(figure)

    description = " ".join(
        f"{c.group}: quartiles {', '.join(_quartiles(c)[:2])} and {_quartiles(c)[2]}." for c in drawn
    )
    alt = f"Empirical distribution of {axis} by group. {description}{curves.omitted(lines)}"
    return style.draw(
        name,
        paint,
        caption=caption + curves.omitted(lines),
        alt=alt,
        width=style.NARROW,
        height=70 + curves.key_height(len(drawn)),
    )


def _quartiles(curve: Curve) -> list[str]:
    """The three quartiles; one beyond the drawn range is said to be above it."""

    def reached(share: float) -> str:
        values = (f"{x:.3g}" for x, y in zip(curve.x, curve.y, strict=True) if y >= share - 1e-12)
        return next(values, f"above {curve.x[-1]:.3g}")

    return [reached(share) for share in (0.25, 0.5, 0.75)]
