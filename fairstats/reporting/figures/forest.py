"""Forest plot: contrasts with their intervals, the line of equality, the margin or the four-fifths line."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairstats.estimates import Estimate
from fairstats.language import mark, say
from fairstats.reporting import numbers as words
from fairstats.reporting.figures import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# The words differ in shape and fill, not only in color.
_SIGNS = {
    "disparity shown": ("o", style.ACCENT),
    "flagged": ("o", style.ACCENT),
    "equivalence shown": ("D", "white"),
    "inconclusive": ("o", "white"),
}
_NULL = {"difference": 0.0, "ratio": 1.0, "none": 0.5}
_FACTOR = {"difference": 100.0, "ratio": 1.0, "none": 1.0}
_AXIS = {
    "difference": mark("difference, percentage points"),
    "ratio": mark("ratio of the rates"),
    "none": mark("P(X>Y), group against reference"),
}
_FARTHEST_RATIO = 3.0  # what lies beyond is cut by the frame; the numbers stand in the table


def forest(
    name: str,
    *panels: Sequence[Estimate],
    caption: str,
    margin: float | None = None,
    labels: Sequence[str] | None = None,
    axis: str = "",
    titles: Sequence[str] = (),
) -> style.Drawing:
    """Points with intervals; one panel prints its numbers at the right, two share their labels.

    Parameters
    ----------
    name : str
        Prefix of the ids in the SVG.
    *panels : sequence of Estimate
        Each all differences of rates, all ratios, or all P(X>Y); the same groups in the same order.
    caption : str
        The finding in a sentence.
    margin : float, optional
        Equivalence margin for differences, shown as a band.
    labels : sequence of str, optional
        What stands at the left; "group against reference" where absent.
    axis : str
        Title of the axis; what the rows are where absent.
    titles : sequence of str
        What stands over each panel; nothing where absent.

    Returns
    -------
    Drawing
        180 mm wide, one line of 6 mm a row.

    Examples
    --------
    >>> row = Estimate("selection rate", group="b", reference="a", contrast="difference", estimate=-0.1,
    ...                conf_low=-0.2, conf_high=-0.01)
    >>> forest("f", [row], caption="b is selected less often").alt
    'Forest plot. Selection rate, difference: b against a: −10.0 points, interval −20.0 to −1.0.'
    """
    left = [style.short(t, {1: 60, 2: 36}.get(len(panels), 24)) for t in labels or map(words.pair, panels[0])]

    def paint(figure: Figure) -> None:
        row = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
        for i, (axes, rows) in enumerate(zip(row, panels, strict=True)):
            _panel(axes, rows, margin, axis if not titles or i == len(panels) // 2 else " ", numbers=len(panels) == 1)
            if titles:
                axes.set_title(titles[i], loc="left", fontsize=8, pad=11)
            axes.set_yticks(range(len(left)), left)
            axes.set_ylim(len(left) - 0.4, -0.8)

    alt = f"{say('Forest plot.')} " + " ".join(_said(r) for rows in panels for r in rows)
    return style.draw(name, paint, caption=caption, alt=alt, height=15 + 5.0 * len(left) + 5 * bool(titles))


def _said(row: Estimate) -> str:
    verdict = f", {say(row.verdict)}" if row.verdict else ""
    interval = say("interval {interval}", interval=words.interval(row))
    return f"{words.claim(row)}: {words.estimate(row)}, {interval}{verdict}."


def _panel(axes: Axes, rows: Sequence[Estimate], margin: float | None, axis: str, *, numbers: bool) -> None:
    kind = rows[0].contrast
    _guides(axes, kind, margin)
    for y, row in enumerate(rows):
        if words.shown(row):
            _line(axes, row, y, _FACTOR[kind], numbers)
        else:
            axes.annotate(
                style.short(words.status(row), 44),
                (0.01, y),
                xycoords=("axes fraction", "data"),
                va="center",
                fontsize=7,
                color=style.GRAY,
            )
    axes.set_xlabel(axis or say(_AXIS[kind]))
    axes.set_xlim(*_limits(rows, kind, margin))
    style.bare(axes)


def _guides(axes: Axes, kind: str, margin: float | None) -> None:
    equal = _NULL[kind]
    axes.axvline(equal, color=style.INK, linewidth=0.8, zorder=1)
    style.above(axes, equal, "1" if kind == "ratio" else say("equal"), style.INK)
    if kind == "difference" and margin:
        axes.axvspan(-100 * margin, 100 * margin, color=style.BAND, zorder=0, linewidth=0)
        style.above(
            axes, 100 * margin, f" {say('margin ±{margin}', margin=words.number(100 * margin))}", style.GRAY, "left"
        )
    if kind == "ratio":
        for fifths in (0.8, 1.25):
            axes.axvline(fifths, color=style.GRAY, linewidth=0.8, linestyle=(0, (4, 2)), zorder=1)
            style.above(axes, fifths, words.setting(fifths), style.GRAY)


def _line(axes: Axes, row: Estimate, y: int, factor: float, numbers: bool) -> None:
    marker, fill = _SIGNS[row.verdict or _from_interval(row)]
    axes.plot([factor * row.conf_low, factor * row.conf_high], [y, y], color=style.INK, linewidth=1.0, zorder=2)
    axes.plot(
        factor * row.estimate,
        y,
        marker,
        markersize=5.5,
        color=style.ACCENT,
        markerfacecolor=fill,
        markeredgewidth=1.1,
        zorder=3,
    )
    if numbers:
        interval = words.interval(row)
        shown = words.scale(row)(row.estimate)
        style.beside(axes, y, shown if interval == words.DASH else f"{shown} ({interval})")


def _from_interval(row: Estimate) -> str:
    """Return whether a point is filled where its row has no verdict: whether the interval excludes equality."""
    null = _NULL[row.contrast]
    return "disparity shown" if row.conf_low > null or row.conf_high < null else "inconclusive"


def _limits(rows: Sequence[Estimate], kind: str, margin: float | None) -> tuple[float, float]:
    values = [_FACTOR[kind] * v for r in rows if words.shown(r) for v in (r.conf_low, r.conf_high, r.estimate)]
    edge = 100 * (margin or 0.0)
    ends = [v for v in values if math.isfinite(v)]
    ends += {"ratio": [0.75, 1.3], "difference": [-edge, edge], "none": [0.45, 0.55]}[kind]
    high = min(max(ends), _FARTHEST_RATIO) if kind == "ratio" else max(ends)
    pad = 0.05 * ((high - min(ends)) or 1.0)
    return min(ends) - pad, high + pad
