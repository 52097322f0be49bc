"""Path: how an estimate moves with a setting (a threshold, a weight), one line a group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairstats.reporting import numbers as words
from fairstats.reporting.figures import curves, style
from fairstats.studies.curve import Curve

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def path(
    name: str,
    lines: Sequence[Curve],
    *,
    caption: str,
    setting: str,
    axis: str,
    chosen: float | None = None,
    null: float = 0.0,
    order: Sequence[str] = (),
) -> style.Drawing:
    """Lines over a setting, with the value that was chosen and the line of equality.

    Parameters
    ----------
    name : str
        Prefix of the ids in the SVG.
    lines : sequence of Curve
        One a group: x the setting, y the estimate.
    caption : str
        The finding in a sentence.
    setting, axis : str
        Titles of the axes.
    chosen : float, optional
        The setting of the audit, drawn as a labeled line.
    null : float
        The value that means equality.
    order : sequence of str
        Groups, largest first.

    Returns
    -------
    Drawing
        90 mm wide.

    Examples
    --------
    >>> line = Curve("path", "sex", "f", (1.0, 2.0), (-0.1, 0.2))
    >>> path("p", [line], caption="c", setting="threshold", axis="gap").alt
    'Lines over threshold. f: -0.1 at 1, 0.2 at 2.'
    """
    drawn = curves.chosen(lines, order)

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.axhline(null, color=style.INK, linewidth=0.8, zorder=1)
        if chosen is not None:
            axes.axvline(chosen, color=style.PALE, linewidth=0.8, zorder=0)
            style.above(axes, chosen, f"chosen: {words.setting(chosen)}", style.GRAY)
        for i, line in enumerate(drawn):
            curves.line(axes, line, i, line.group)
        axes.set_xlabel(style.short(setting))
        axes.set_ylabel(axis)
        style.bare(axes, keep=("bottom", "left"))
        curves.key(figure)

    description = " ".join(
        f"{c.group}: {', '.join(f'{y:.3g} at {x:.4g}' for x, y in zip(c.x, c.y, strict=True))}." for c in drawn
    )
    alt = f"Lines over {setting}. {description}{curves.omitted(lines)}"
    height = 54 + curves.key_height(len(drawn))
    return style.draw(name, paint, caption=caption + curves.omitted(lines), alt=alt, width=style.NARROW, height=height)
