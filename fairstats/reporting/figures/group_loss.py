"""Who pays: the error of each group before and after, one line a group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairstats.language import say
from fairstats.reporting import numbers as words
from fairstats.reporting.figures import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_GROUPS = 12


def group_loss(
    name: str, lines: Sequence[tuple[str, float, float]], *, caption: str, before: str, after: str
) -> style.Drawing:
    """Draw the mean squared error of each group under two methods, joined by a line.

    Parameters
    ----------
    name : str
        Prefix of the ids in the SVG.
    lines : sequence of (group, error before, error after)
        Largest group first; at most twelve are drawn.
    caption : str
        The finding in a sentence.
    before, after : str
        What the two methods are called.

    Returns
    -------
    Drawing
        180 mm wide.

    Examples
    --------
    >>> group_loss("g", [("f", 1.5, 1.7)], caption="c", before="PCA", after="og").alt
    'Mean squared error by group, PCA and og. f: 1.500 and 1.700.'
    """
    drawn = list(lines)[:MOST_GROUPS]

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        for y, (_, old, new) in enumerate(drawn):
            axes.plot([old, new], [y, y], color=style.PALE, linewidth=1.6, zorder=1)
            look = {"color": style.ACCENT, "markersize": 5.5, "markeredgewidth": 1.1, "zorder": 3}
            axes.plot(old, y, "o", markerfacecolor="white", **look)
            axes.plot(new, y, "o", markerfacecolor=style.ACCENT, **look)
        _, old, new = drawn[0]
        for value, label, right in ((old, before, old > new), (new, after, new >= old)):
            axes.annotate(
                style.short(label, 30),
                (value, 0),
                (5 if right else -5, 7),
                textcoords="offset points",
                ha="left" if right else "right",
                fontsize=7,
                color=style.GRAY,
            )
        axes.set_yticks(range(len(drawn)), [style.short(group, 36) for group, *_ in drawn])
        axes.set_ylim(len(drawn) - 0.4, -0.9)
        axes.set_xlim(0, 1.12 * max(max(old, new) for _, old, new in drawn))
        axes.set_xlabel(say("mean squared error of a person"))
        style.bare(axes)

    said = " ".join(f"{g}: {words.listed([words.compact(old), words.compact(new)])}." for g, old, new in drawn)
    missing = len(lines) - len(drawn)
    left = f" {say('{n} smaller groups are not drawn.', n=missing)}" if missing else ""
    head = say("Mean squared error by group, {before} and {after}.", before=before, after=after)
    return style.draw(
        name,
        paint,
        caption=caption + left,
        alt=f"{head} {said}{left}",
        height=15 + 5.0 * len(drawn),
    )
