"""The one style of all figures: sizes, type, one accent color and grays, markers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from fairstats.reporting.figures.drawing import Drawing as Drawing
from fairstats.reporting.figures.plotted import FONTS as FONTS
from fairstats.reporting.sketch.measure import width
from fairstats.reporting.sketch.palette import ACCENT as ACCENT
from fairstats.reporting.sketch.palette import BAND as BAND
from fairstats.reporting.sketch.palette import GRAY as GRAY
from fairstats.reporting.sketch.palette import INK as INK
from fairstats.reporting.sketch.palette import PALE as PALE
from fairstats.reporting.sketch.sheet import Sheet
from fairstats.reporting.sketch.writer import SIZE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NARROW, WIDE = 90.0, 180.0  # mm
LOW = 46.0  # mm high, of a figure of half a width
AROUND = 8.0  # mm of a figure's height where an upright name may not reach
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<")
DASHES: tuple[Any, ...] = ("solid", (0, (5, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)), (0, (3, 1)), (0, (1, 3)))


def draw(
    name: str,
    paint: Callable[[Any], None],
    *,
    caption: str,
    alt: str,
    width: float = WIDE,
    height: float = 60.0,
) -> Drawing:
    """Let ``paint`` fill an empty figure of the given size (mm) and return it as one inline SVG.

    ``name`` becomes the prefix of every id, so several figures live in one page.
    """
    sheet = Sheet(width, height)
    paint(sheet)
    return Drawing(name, sheet.svg(name, caption, alt), caption, alt, width, paint, height=height)


def bare(axes: Axes, *, keep: tuple[str, ...] = ("bottom",)) -> None:
    """Only the spines that carry a scale, and no ticks where there is none."""
    for side, spine in axes.spines.items():
        spine.set_visible(side in keep)
    if "left" not in keep:
        axes.tick_params(axis="y", length=0)


def above(axes: Axes, x: float, label: str, color: str, align: Literal["left", "center", "right"] = "center") -> None:
    """The name of a vertical line, over the frame."""
    axes.annotate(
        label,
        (x, 1.0),
        (0, 2),
        xycoords=("data", "axes fraction"),
        textcoords="offset points",
        ha=align,
        fontsize=7,
        color=color,
    )


def beside(axes: Axes, y: float, numbers: str) -> None:
    """The numbers of a row, right of the frame."""
    axes.annotate(
        numbers,
        (1.02, y),
        xycoords=("axes fraction", "data"),
        va="center",
        annotation_clip=False,
    )


def short(label: str, most: int = 34) -> str:
    """A label that fits its figure: one line, cut with an ellipsis (tables and alt text hold it in full).

    >>> short("a very long name of a group of people", 12)
    'a very long…'
    """
    line = " ".join(label.split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "\N{HORIZONTAL ELLIPSIS}"


def upright(name: str, height: float, unit: str = "") -> str:
    """The name of a vertical axis, cut where it is longer than the frame of a figure so high (mm); its unit stays.

    >>> upright("were arrested again within two years", 50, ", %"), upright("were hired", 50, ", %")
    ('were arrested again within…, %', 'were hired, %')
    """
    room = (height - AROUND) / 25.4 * 72
    most = len(name)
    while most > 4 and width(short(name, most) + unit, SIZE) > room:
        most -= 1
    return short(name, most) + unit


def thin(x: list[float], y: list[float], most: int = 160) -> tuple[list[float], list[float]]:
    """At most about ``most`` points of a monotone curve: those where the drawn line would move visibly.

    A step is kept as soon as the line has moved by 1/``most`` of its extent in either direction, and the last one.
    """
    if len(x) <= most:
        return list(x), list(y)
    wide, high = (max(x) - min(x)) or 1.0, (max(y) - min(y)) or 1.0
    kept = [0]
    for i in range(1, len(x) - 1):
        moved = max(abs(x[i] - x[kept[-1]]) / wide, abs(y[i] - y[kept[-1]]) / high)
        if moved >= 1.5 / most:
            kept.append(i)
    kept.append(len(x) - 1)
    return [x[i] for i in kept], [y[i] for i in kept]
