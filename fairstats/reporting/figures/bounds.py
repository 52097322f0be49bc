"""Bounds of differences of groups known as probabilities: a bar, its limits, and the estimates within or beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairstats.estimates import Estimate
from fairstats.language import say, translated
from fairstats.reporting import words
from fairstats.reporting.figures import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# marker of each estimator, whether it is filled, and how far below the middle of the bar: none hides another
LOOKS = ("o", True, -0.27), ("s", False, 0.0), ("D", False, 0.27)


def bounds(
    name: str,
    rows: Sequence[tuple[Estimate, Estimate, Sequence[Estimate]]],
    *,
    caption: str,
    labels: Sequence[str],
    key: str = "",
) -> style.Drawing:
    """Draw the bound of every difference with its limits, and the estimates that hold under conditions.

    name: prefix of the ids in the SVG.
    rows: of every difference the bound with limits, its ends, and the estimates, those of one estimator at one place.
    caption: the finding in a sentence.
    labels: what stands at the left.
    key: what bars, lines and markers are, below the axis, since a picture may stand alone.
    Returns: 180 mm wide.

    >>> row = Estimate("selection rate", group="b", reference="a", contrast="difference", estimate=-0.1)
    >>> limits, ends = row.with_interval(-0.1, -0.3, 0.1), row.with_interval(-0.1, -0.2, 0.05)
    >>> bounds("b", [(limits, ends, [ends.changed(estimator="weighted")])], caption="", labels=["b less a"]).alt
    'Bounds. b less a: −20.0 to 5.0, with sampling error −30.0 to 10.0; weighted −10.0 points.'
    """
    height = 0.16

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.axvline(0, color=style.INK, linewidth=0.8, zorder=1)
        style.above(axes, 0, say("equal"), style.INK)
        edges = [0.0]
        for y, (limits, ends, estimates) in enumerate(rows):
            low, high = 100 * ends.conf_low, 100 * ends.conf_high
            axes.barh([y], [high - low], 0.36, left=low, color=style.PALE, zorder=2)
            limited = limits.conf_low == limits.conf_low  # Holm and Benjamini-Hochberg have p-values only
            whole = [100 * limits.conf_low, 100 * limits.conf_high] if limited else []
            axes.plot(whole, [y] * len(whole), color=style.INK, linewidth=1.0, zorder=3)
            for end in whole:
                axes.plot([end, end], [y - height, y + height], color=style.INK, linewidth=1.0, zorder=3)
            for (marker, filled, off), row in zip(LOOKS, estimates, strict=False):
                if words.shown(row):
                    face = style.ACCENT if filled else "white"
                    axes.plot(100 * row.estimate, y + off, marker, color=style.ACCENT, markerfacecolor=face,
                              markersize=5.5, markeredgewidth=1.1, zorder=4)  # fmt: skip
                    edges.append(100 * row.estimate)
            style.beside(axes, y, words.interval(limits if limited else ends))
            edges += [low, high, *whole]
        room = 0.04 * ((max(edges) - min(edges)) or 1.0)
        axes.set_xlim(min(edges) - room, max(edges) + room)
        style.name_rows(axes, [style.short(label, 40) for label in labels])
        axes.set_ylim(len(rows) - 0.4, -0.8)
        axes.set_xlabel("\n".join(filter(None, [say("difference of selection rates, percentage points"), key])))
        style.bare(axes)

    said = []
    for label, (limits, ends, estimates) in zip(labels, rows, strict=True):
        parts = [f"{translated(row.estimator)} {words.estimate(row)}" for row in estimates if words.shown(row)]
        within, error = words.interval(ends), words.interval(limits)
        bound = f"{label}: {within}"
        if limits.conf_low == limits.conf_low:
            bound = say("{label}: {bound}, with sampling error {limits}", label=label, bound=within, limits=error)
        said.append("; ".join([bound, *parts]))
    alt = say("Bounds. {list}.", list=" ".join(said))
    return style.draw(name, paint, caption=caption, alt=alt, height=(19 if key else 15) + 7.0 * len(rows))
