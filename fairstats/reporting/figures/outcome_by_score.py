"""How often the outcome follows each score, by group: whether a score means the same for everybody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fairstats.language import say
from fairstats.reporting import numbers as words
from fairstats.reporting.figures import curves, labels, style
from fairstats.studies.curve import Curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

EMPHASIZED = 2  # lines with markers and intervals; the others are thin
FEWEST = 30  # people; the line of a smaller group is thin wherever it stands
WIDEST = (
    0.5  # a share whose interval is wider than this says nothing: a thin line, which has no interval, leaves it out
)


def outcome_by_score(
    name: str,
    lines: Sequence[Curve],
    *,
    caption: str,
    order: Sequence[str] = (),
    sizes: Mapping[str, float] | None = None,
    axis: str = "score",
    outcome: str = "outcome",
    threshold: float | None = None,
    level: str = "95 %",
) -> style.Drawing:
    """Share of positive outcomes at each score; the first two groups carry intervals, the others are thin lines.

    Parameters
    ----------
    name : str
        Prefix of the ids in the SVG.
    lines : sequence of Curve
        Curves of kind "outcome by score" of one attribute.
    caption : str
        The finding in a sentence.
    order : sequence of str
        Groups, those that the caption speaks of first.
    sizes : mapping, optional
        Group to its number of people: one of fewer than 30 is thin.
    axis, outcome : str
        Names of the score and of the outcome.
    threshold : float, optional
        The score from which people are flagged, drawn between it and the next lower one.
    level : str
        Of the intervals, for the alternative text.

    Returns
    -------
    Drawing
        90 mm wide; at most six groups.

    Examples
    --------
    >>> line = Curve("outcome by score", "sex", "f", (1.0, 2.0), (0.2, 0.5), (0.1, 0.4), (0.3, 0.6))
    >>> outcome_by_score("o", [line], caption="Scores of f").alt
    'Share of outcome at each score by group. f: 20.0 % at 1, 50.0 % at 2.'
    """
    chosen = curves.chosen(lines, order)
    people = sizes or {}
    bold = [c for c in chosen if people.get(c.group, FEWEST) >= FEWEST][:EMPHASIZED]
    drawn = [c if c in bold else firm(c) for c in chosen]
    drawn = [c for c in drawn if c in bold or len(c.x) > 1]
    missing = [c.group for c in chosen if c.group not in {d.group for d in drawn}]
    height = style.LOW

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.set_ylim(0, 100)
        _scale(axes, drawn)
        if threshold is not None:
            flagged_from(axes, threshold, [x for c in drawn for x in c.x])
        ends = []
        for line in drawn:
            place = bold.index(line) if line in bold else -1
            _line(axes, line, place, len(bold))
            color = style.ACCENT if place == 0 else style.INK if place == 1 else style.GRAY
            ends.append((line.x[-1], 100 * line.y[-1], line.group, color))
        axes.set_xlabel(style.short(axis, 40))
        axes.set_ylabel(style.upright(outcome, height, ", %"))
        style.bare(axes, keep=("bottom", "left"))
        labels.name_ends(axes, ends, height=height - 16, room=max(x for x, *_ in ends) if ends else None)

    description = " ".join(
        f"{c.group}: {', '.join(_point(x, y) for x, y in zip(c.x, c.y, strict=True))}." for c in bold or drawn
    )
    thin = [c.group for c in drawn if c not in bold]
    faint = say("Thin lines without intervals: {groups}.", groups=words.listed(thin)) if thin else ""
    spread = say("Vertical lines: {level} intervals, point by point.", level=level) if bold and bold[0].low else ""
    few = say("Too few people a score to be drawn: {groups}.", groups=words.listed(missing)) if missing else ""
    left = f" {few}" * bool(few) + curves.omitted(lines)
    head = say("Share of {outcome} at each score by group.", outcome=outcome)
    return style.draw(
        name,
        paint,
        caption=f"{caption}{' ' * bool(spread)}{spread}{left}",
        alt=f"{head} {description}{' ' * bool(faint)}{faint}{left}",
        width=style.NARROW,
        height=height,
    )


def _point(x: float, y: float) -> str:
    return curves.at(say("{share} %", share=words.percent(y)), words.significant(x, 3))


def firm(line: Curve) -> Curve:
    """Return the points of a line whose intervals are not so wide that a line through them would be noise.

    Examples
    --------
    >>> firm(Curve("outcome by score", "sex", "f", (1.0, 2.0), (0.2, 0.5), (0.1, 0.0), (0.3, 1.0))).x
    (1.0,)
    """
    if not line.low:
        return line
    kept = [i for i in range(len(line.x)) if line.high[i] - line.low[i] <= WIDEST]
    x, y, low, high = (tuple(v[i] for i in kept) for v in (line.x, line.y, line.low, line.high))
    return replace(line, x=x, y=y, low=low, high=high)


def _scale(axes: Axes, drawn: Sequence[Curve]) -> None:
    """Every score has its tick where they are few whole numbers."""
    at = sorted({x for c in drawn for x in c.x})
    if not at:
        return
    pad = 0.04 * ((at[-1] - at[0]) or 1.0)
    axes.set_xlim(at[0] - pad, at[-1] + pad)
    if len(at) <= 12 and all(x == round(x) for x in at):
        axes.set_xticks(at, [words.setting(x) for x in at])


def flagged_from(axes: Axes, threshold: float, scores: Sequence[float], *, text: bool = True) -> None:
    """The line between the last score below the threshold and the threshold, so that it cuts no point and no step."""
    axes.axvline(cut_at(threshold, scores), color=style.PALE, linewidth=0.9, zorder=0)
    if text:
        style.above(
            axes,
            cut_at(threshold, scores),
            say("flagged from {threshold}", threshold=words.setting(threshold)),
            style.GRAY,
            "left",
        )


def cut_at(threshold: float, scores: Sequence[float]) -> float:
    """Return where the line of a threshold is drawn: half way to the next lower score of few, at it where many are.

    Examples
    --------
    >>> cut_at(5.0, [1.0, 4.0, 5.0, 6.0]), cut_at(0.5, [i / 100 for i in range(100)])
    (4.5, 0.5)
    """
    distinct = sorted(set(scores))
    below = [x for x in distinct if x < threshold]
    if not below or len(distinct) > 20 or threshold not in distinct:
        return threshold
    return (below[-1] + threshold) / 2


def _line(axes: Axes, line: Curve, place: int, bold: int) -> None:
    y = [100 * v for v in line.y]
    if place < 0:
        axes.plot(line.x, y, color=style.PALE, linewidth=0.8, zorder=1)
        return
    color = style.ACCENT if place == 0 else style.INK
    # intervals side by side, not one over the other
    step = min((b - a for a, b in zip(line.x, line.x[1:], strict=False)), default=1.0)
    x = [v + (0.14 * step * (place - 0.5) if bold > 1 else 0.0) for v in line.x]
    if line.low:
        axes.vlines(x, [100 * v for v in line.low], [100 * v for v in line.high], color=color, linewidth=0.9, zorder=2)
    axes.plot(
        x,
        y,
        color=color,
        linestyle="solid" if place == 0 else (0, (4, 2)),
        marker="o" if place == 0 else "s",
        markersize=4.2,
        markerfacecolor=style.ACCENT if place == 0 else "white",
        markeredgewidth=1.0,
        zorder=3,
    )
