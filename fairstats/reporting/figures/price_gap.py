"""What each method costs against the gap that it leaves, one point a method, with intervals both ways."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairstats.estimates import Estimate
from fairstats.language import say
from fairstats.reporting import numbers as words
from fairstats.reporting.figures import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_POINTS = 12


def price_gap(
    name: str, points: Sequence[tuple[str, Estimate, Estimate]], *, caption: str, price: str, gap: str
) -> style.Drawing:
    """Draw quality to the right and the gap upward: the lower right is what one would wish for.

    Parameters
    ----------
    name : str
        Prefix of the ids in the SVG.
    points : sequence of (label, quality, gap)
        Each method with its quality (an AUC, or an accuracy) and its gap; the first, without adjustment, is open.
    caption : str
        The finding in a sentence.
    price, gap : str
        Titles of the axes.

    Returns
    -------
    Drawing
        180 mm wide; at most twelve methods.

    Examples
    --------
    >>> quality = Estimate("AUC", estimate=0.7, conf_low=0.68, conf_high=0.72)
    >>> apart = Estimate("positive rate", contrast="difference", estimate=-0.2, conf_low=-0.25, conf_high=-0.15)
    >>> price_gap("p", [("none", quality, apart)], caption="c", price="AUC", gap="gap").alt
    'Gap against price. none: AUC 0.700 (0.680 to 0.720), gap −20.0 points (−25.0 to −15.0).'
    """
    known = [p for p in points if words.shown(p[1]) and words.shown(p[2])][:MOST_POINTS]
    height = 68.0

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.axhline(0, color=style.INK, linewidth=0.8, zorder=1)
        for i, (_, quality, apart) in enumerate(known):
            _point(axes, quality, apart, filled=i > 0)
        axes.margins(x=0.12, y=0.12)
        axes.set_xlabel(style.short(price, 80))
        axes.set_ylabel(style.upright(gap, height))
        style.bare(axes, keep=("bottom", "left"))
        for i, (label, quality, apart) in enumerate(sorted(known, key=lambda p: _x(p[1]))):  # neighbors above, below
            axes.annotate(
                style.short(label, 30),
                (_x(quality), _y(apart)),
                (4, _aside(i, _y(apart), axes.get_ylim())),
                textcoords="offset points",
                fontsize=7.5,
                va="center",
                color=style.INK,
            )

    said = " ".join(_said(*p) for p in known)
    missing = len(points) - len(known)
    left = f" {say('{n} more are in results.csv.', n=missing)}" if missing else ""
    return style.draw(
        name, paint, caption=caption + left, alt=f"{say('Gap against price.')} {said}", height=height, width=style.WIDE
    )


def _aside(index: int, gap: float, limits: tuple[float, float]) -> int:
    """Neighbors above and below, but none into the line of no gap."""
    near = abs(gap) < 0.12 * (limits[1] - limits[0])
    return (8 if gap >= 0 else -8) if near else 8 if index % 2 else -8


def _x(row: Estimate) -> float:
    return row.estimate * (100 if words.unit(row) else 1)


def _y(row: Estimate) -> float:
    return row.estimate * (100 if words.unit(row) else 1)


def _point(axes: Axes, quality: Estimate, apart: Estimate, *, filled: bool) -> None:
    x, y = _x(quality), _y(apart)
    if quality.conf_low == quality.conf_low:
        factor = 100 if words.unit(quality) else 1
        axes.plot([factor * quality.conf_low, factor * quality.conf_high], [y, y], color=style.GRAY, linewidth=0.9)
    if apart.conf_low == apart.conf_low:
        factor = 100 if words.unit(apart) else 1
        axes.plot([x, x], [factor * apart.conf_low, factor * apart.conf_high], color=style.GRAY, linewidth=0.9)
    axes.plot(
        x,
        y,
        "o",
        color=style.ACCENT,
        markersize=6,
        markerfacecolor=style.ACCENT if filled else "white",
        markeredgewidth=1.2,
        zorder=3,
    )


def _said(label: str, quality: Estimate, apart: Estimate) -> str:
    ends = [f" ({limits})" if (limits := words.interval(r)) != words.DASH else "" for r in (quality, apart)]
    return say(
        "{method}: {metric} {quality}, gap {gap}.",
        method=label,
        metric=quality.metric,
        quality=f"{words.estimate(quality)}{ends[0]}",
        gap=f"{words.estimate(apart)}{ends[1]}",
    )
