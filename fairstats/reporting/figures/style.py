"""The one style of all figures: sizes, type, one accent color and grays, markers."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from fairstats.errors import not_installed
from fairstats.reporting.figures.drawing import Drawing as Drawing
from fairstats.reporting.figures.drawing import inline, named, rendering

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NARROW, WIDE = 90.0, 180.0  # mm
ACCENT, INK, GRAY, PALE, BAND = "#0b4f8a", "#1c1c1c", "#595959", "#c9c9c9", "#ececec"
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<")
DASHES: tuple[Any, ...] = ("solid", (0, (5, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)), (0, (3, 1)), (0, (1, 3)))
FONTS = Path(__file__).resolve().parent.parent / "fonts"

_SETTINGS: dict[str, Any] = {
    # Text stays text, in the face that the page brings: half the file, a third of the time that WeasyPrint needs for
    # glyphs as paths, numbers that can be searched and copied, and a fallback face for scripts that Inter lacks.
    "svg.fonttype": "none",
    "font.family": ["Inter", "DejaVu Sans"],
    "font.size": 8,
    "axes.labelsize": 8,
    "axes.titlesize": 8,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "text.color": INK,
    "text.parse_math": False,  # a group may be called $x$
    "text.usetex": False,
    "axes.edgecolor": GRAY,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": GRAY,
    "ytick.color": GRAY,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "lines.linewidth": 1.1,
    "lines.markersize": 5,
    "path.simplify": True,
}


@cache
def _register_fonts() -> None:
    from matplotlib import font_manager

    for path in sorted(FONTS.glob("*.otf")):
        font_manager.fontManager.addfont(str(path))


_IN_WORDS = ContextVar("figures in words", default=False)


@contextmanager
def in_words() -> Iterator[None]:
    """Within the block a figure that cannot be drawn, for want of matplotlib, is the text that replaces it."""
    token = _IN_WORDS.set(True)
    try:
        yield
    finally:
        _IN_WORDS.reset(token)


def draw(
    name: str,
    paint: Callable[[Figure], None],
    *,
    caption: str,
    alt: str,
    width: float = WIDE,
    height: float = 60.0,
) -> Drawing:
    """Let ``paint`` fill an empty figure of the given size (mm) and return it as one inline SVG.

    ``name`` becomes the prefix of every id, so several figures live in one page.
    """
    try:
        from matplotlib.figure import Figure
        from matplotlib.layout_engine import ConstrainedLayoutEngine
    except ImportError as missing:
        if _IN_WORDS.get():
            return Drawing(name, named("<svg></svg>", name, caption, alt), caption, alt, width, None, height=height)
        raise not_installed("a figure", "matplotlib", "report") from missing

    _register_fonts()
    with rendering(_SETTINGS):
        figure = Figure(figsize=(width / 25.4, height / 25.4), layout=ConstrainedLayoutEngine(w_pad=0.02, h_pad=0.02))
        paint(figure)
        sheet = io.BytesIO()
        figure.savefig(sheet, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
        figure.set_layout_engine("none")  # what is written later has the same layout, to the last digit
    return Drawing(
        name, inline(sheet.getvalue().decode(), name, caption, alt), caption, alt, width, figure, height=height
    )


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
