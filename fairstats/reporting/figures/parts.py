"""Waterfall: how the parts of a gap lead from the reference to the group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from fairstats.estimates import Estimate
from fairstats.language import say
from fairstats.reporting.figures import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def waterfall(
    name: str,
    rows: Sequence[Estimate],
    labels: Sequence[str],
    numbers: Sequence[str],
    *,
    caption: str,
    axis: str,
    factor: float = 1.0,
) -> style.Drawing:
    """Bars that begin where the one before ends; the last row is the whole gap, from 0.

    name: prefix of the ids in the SVG.
    rows: parts in order, then the gap.
    labels, numbers: what stands at the left and at the right of each.
    caption: the finding in sentences.
    axis: title of the axis; factor: what estimates are multiplied with.
    Returns: 180 mm wide, one line of 5 mm a row.

    >>> gap = Estimate("gap", contrast="difference", estimate=-3.0)
    >>> part = Estimate("explained", contrast="difference", estimate=-1.0)
    >>> waterfall("w", [part, part, gap], ["a", "b", "gap"], ["−1", "−1", "−3"], caption="c.", axis="pay").alt
    'Waterfall. a: −1; b: −1; gap: −3.'
    """
    steps = factor * np.array([row.estimate for row in rows])
    starts = np.concatenate([[0.0], np.cumsum(steps[:-1])[:-1], [0.0]])
    last = len(rows) - 1

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.axvline(0, color=style.GRAY, linewidth=0.8, zorder=1)
        for y, (start, step) in enumerate(zip(starts, steps, strict=True)):
            color = style.INK if y == last else style.ACCENT if rows[y].metric == "explained" else style.PALE
            axes.barh([y], [step], 0.62, left=start, color=color, zorder=2)
            if y < last:
                axes.plot([start + step] * 2, [y + 0.31, y + 0.69], color=style.GRAY, linewidth=0.6, zorder=1)
            style.beside(axes, y, numbers[y])
        ends = np.concatenate([starts, starts + steps])
        room = 0.04 * (np.ptp(ends) or 1.0)
        axes.set_xlim(float(ends.min() - room), float(ends.max() + room))
        style.name_rows(axes, [style.short(label, 40) for label in labels])
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.set_xlabel(axis)
        style.bare(axes)

    said = "; ".join(f"{label}: {number}" for label, number in zip(labels, numbers, strict=True))
    alt = say("Waterfall. {list}.", list=said)
    return style.draw(name, paint, caption=caption, alt=alt, height=14 + 5.0 * len(rows))
