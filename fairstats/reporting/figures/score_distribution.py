"""How the scores of each group are distributed, one panel a group, with the part that is flagged in color."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from fairstats.language import say
from fairstats.reporting import numbers as words
from fairstats.reporting.figures import curves, style
from fairstats.studies.curve import HISTOGRAM, Curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def score_distribution(
    name: str,
    lines: Sequence[Curve],
    *,
    caption: str,
    order: Sequence[str] = (),
    sizes: Mapping[str, float] | None = None,
    axis: str = "score",
    threshold: float | None = None,
    most: int = curves.MOST_LINES,
    width: float = style.NARROW,
) -> style.Drawing:
    """Share of the group at each score (or in each bin of one width), with the scores from the threshold on colored.

    Parameters
    ----------
    name : str
        Prefix of the ids in the SVG.
    lines : sequence of Curve
        Curves of kind "values of the score" or "histogram of the score" of one attribute.
    caption : str
        The finding in a sentence.
    order : sequence of str
        Groups, those that the caption speaks of first.
    sizes : mapping, optional
        Group to its number of people.
    axis : str
        Name of the score.
    threshold : float, optional
        The score from which people are flagged.
    most : int
        How many panels at most.
    width : float
        90 mm: panels below each other; 180: three a row.

    Returns
    -------
    Drawing

    Examples
    --------
    >>> line = Curve("values of the score", "sex", "f", (1.0, 2.0, 3.0), (0.5, 0.25, 0.25))
    >>> score_distribution("d", [line], caption="c", sizes={"f": 40}, threshold=2).alt
    'Distribution of score by group. f (n = 40): 50.0 % at 2 or more; most often 1 (50.0 %).'
    """
    drawn = curves.chosen(lines, order)[:most]
    across = 1 if width < 100 or len(drawn) == 1 else 3 if len(drawn) > 4 or len(drawn) == 3 else 2
    down = -(-len(drawn) // across)
    top = 115 * max((max(c.y) for c in drawn), default=1.0)

    def paint(figure: Figure) -> None:
        panels = figure.subplots(down, across, sharex=True, sharey=True, squeeze=False)
        for i, axes in enumerate(panels.flat):
            if i < len(drawn):
                _panel(axes, drawn[i], _title(drawn[i], sizes, threshold, across), threshold)
                axes.set_ylim(0, top)
            else:
                axes.set_visible(False)
        figure.supxlabel(style.short(axis, 40), fontsize=8)
        figure.supylabel(say("% of the group"), fontsize=8)

    said = " ".join(
        say("{group}; most often {mode}.", group=_title(c, sizes, threshold, 1, 0), mode=_mode(c)) for c in drawn
    )
    head = say("Distribution of {score} by group.", score=axis)
    left = "" if len(drawn) == len(lines) or len(drawn) < curves.MOST_LINES else curves.omitted(lines)
    return style.draw(
        name,
        paint,
        caption=f"{caption}{left}",
        alt=f"{head} {said}{left}",
        width=width,
        height=style.LOW if across == 1 and down <= 2 else 13 + 16.5 * down,
    )


def flagged(line: Curve, threshold: float) -> float:
    """Return the share of the group at or above the threshold.

    Examples
    --------
    >>> flagged(Curve("values of the score", "sex", "f", (1.0, 2.0, 3.0), (0.5, 0.25, 0.25)), 2)
    0.5
    """
    return sum(y for x, y in zip(line.x, line.y, strict=True) if x >= threshold - 1e-12 * max(1.0, abs(threshold)))


def _title(
    line: Curve, sizes: Mapping[str, float] | None, threshold: float | None, across: int, short: int = 30
) -> str:
    n = (sizes or {}).get(line.group)
    name = style.short(line.group, {1: short, 2: 24}.get(across, 16)) if short else line.group
    head = f"{name} (n = {words.count(n)})" if n is not None and n == n else name
    if threshold is None:
        return head
    share = words.percent(flagged(line, threshold))
    if across == 3:  # the caption says of what
        return say("{group}: {share} %", group=head, share=share)
    return say("{group}: {share} % at {threshold} or more", group=head, share=share, threshold=words.setting(threshold))


def _mode(line: Curve) -> str:
    share, at = max(zip(line.y, (-x for x in line.x), strict=True))
    if line.kind != HISTOGRAM:
        return say("{score} ({share} %)", score=words.significant(-at, 4), share=words.percent(share))
    ends = {"low": words.significant(-at, 3), "high": words.significant(-at + _step(line), 3)}
    return say("{score} ({share} %)", score=say("{low} to {high}", **ends), share=words.percent(share))


def _step(line: Curve) -> float:
    return min((b - a for a, b in zip(line.x, line.x[1:], strict=False)), default=1.0)


def _panel(axes: Axes, line: Curve, title: str, threshold: float | None) -> None:
    step = _step(line)
    edges = line.kind == HISTOGRAM
    shade = [
        style.PALE if threshold is None or x < threshold - 1e-12 * max(1.0, abs(threshold)) else style.ACCENT
        for x in line.x
    ]
    axes.bar(
        line.x,
        [100 * y for y in line.y],
        width=step if edges else 0.8 * step,
        align="edge" if edges else "center",
        color=shade,
        linewidth=0,
    )
    axes.set_title(title, loc="left", fontsize=7.5, pad=3)
    if not edges and len(line.x) <= 12 and all(x == round(x) for x in line.x):
        axes.set_xticks(list(line.x), [words.setting(x) for x in line.x])
    axes.locator_params(axis="y", nbins=3)
    style.bare(axes, keep=("bottom", "left"))
