"""Path: how an estimate moves with a setting (a threshold, a weight), one line a group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairstats.language import say
from fairstats.reporting import numbers as words
from fairstats.reporting.figures import curves, labels, style
from fairstats.studies.curve import Curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes
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
    counted: bool = False,
    equal: str = "",
) -> style.Drawing:
    """Lines over a setting, with the value that was chosen and the line of equality.

    Parameters
    ----------
    name : str
        Prefix of the ids in the SVG.
    lines : sequence of Curve
        One a group: x the setting, y the estimate; the first, which is drawn bold, with its band.
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
    counted : bool
        Whether the setting is a number of components, not a cut-off.
    equal : str
        What the line of equality stands for: the group that all others are compared with.

    Returns
    -------
    Drawing
        90 mm wide.

    Examples
    --------
    >>> line = Curve("path", "sex", "f", (1.0, 2.0), (-0.1, 0.2))
    >>> path("p", [line], caption="c", setting="threshold", axis="gap").alt
    'Lines over threshold. f: −0.1 at 1, 0.2 at 2.'
    """
    drawn = curves.chosen(lines, order)
    height = 45.0

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.axhline(null, color=style.INK, linewidth=0.8, zorder=1)
        if chosen is not None:
            axes.axvline(chosen, color=style.PALE, linewidth=0.9, zorder=0)
            style.above(axes, chosen, say("chosen: {threshold}", threshold=words.setting(chosen)), style.GRAY)
        for i, line in enumerate(drawn):
            _line(axes, line, bold=i == 0)
        axes.set_xlabel(style.short(setting, 44))
        axes.set_ylabel(style.upright(axis, height))
        style.bare(axes, keep=("bottom", "left"))
        ends = [(c.x[-1], c.y[-1], c.group, style.ACCENT if i == 0 else style.GRAY) for i, c in enumerate(drawn)]
        if equal and drawn:
            ends.append((max(c.x[-1] for c in drawn), null, equal, style.INK))
        labels.name_ends(axes, ends, height=height - 16)

    description = " ".join(
        f"{c.group}: {', '.join(curves.at(words.significant(y, 3), words.significant(x, 4)) for x, y in _few(c))}."
        for c in drawn
    )
    group = drawn[0].group if drawn and drawn[0].low else ""
    each = say("Band: interval of {group}, cut-off by cut-off.", group=group)
    each = say("Band: interval of {group}, number by number.", group=group) if counted else each
    band = f" {each}" if group else ""
    left = curves.omitted(lines)
    alt = f"{say('Lines over {setting}.', setting=setting)} {description}{left}"
    return style.draw(name, paint, caption=f"{caption}{band}{left}", alt=alt, width=style.NARROW, height=height)


def _line(axes: Axes, line: Curve, *, bold: bool) -> None:
    if bold and line.low:
        axes.fill_between(line.x, line.low, line.high, color=style.ACCENT, alpha=0.15, linewidth=0, zorder=0)
    x, y = style.thin(list(line.x), list(line.y))
    axes.plot(x, y, color=style.ACCENT if bold else style.PALE, linewidth=1.3 if bold else 0.8, zorder=3 if bold else 2)


def _few(curve: Curve) -> list[tuple[float, float]]:
    """At most nine points, evenly over the settings: the text that replaces a figure is no table."""
    step = max(1, -(-len(curve.x) // 9))
    return list(zip(curve.x, curve.y, strict=True))[::step]
