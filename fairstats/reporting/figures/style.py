"""The one style of all figures: sizes, type, one accent color and grays, markers; and the way a figure becomes SVG."""

from __future__ import annotations

import html
import io
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NARROW, WIDE = 90.0, 180.0  # mm
ACCENT, INK, GRAY, PALE, BAND = "#0b4f8a", "#1c1c1c", "#5f5f5f", "#c9c9c9", "#ececec"
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<")
DASHES: tuple[Any, ...] = ("solid", (0, (5, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)), (0, (3, 1)), (0, (1, 3)))
FONTS = Path(__file__).resolve().parent.parent / "fonts"

_SETTINGS: dict[str, Any] = {
    # Text stays text, in the face that the page brings: half the file, a third of the time that WeasyPrint needs for
    # glyphs as paths, numbers that can be searched and copied, and a fallback face for scripts that Inter lacks.
    "svg.fonttype": "none",
    "svg.hashsalt": "fairstats",
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


@dataclass(frozen=True)
class Drawing:
    """One figure: markup that is safe to insert, the caption that states the finding, the text that replaces it."""

    name: str
    svg: str
    caption: str
    alt: str
    width: float

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | Path) -> Path:
        """Write the SVG, whole or not at all."""
        from fairstats.files import atomic_write, file_path

        target = Path(file_path("path", path))
        alone = self.svg.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)  # inline markup has no namespace
        atomic_write(target, alone.encode())
        return target


@cache
def _register_fonts() -> None:
    from matplotlib import font_manager

    for path in sorted(FONTS.glob("*.otf")):
        font_manager.fontManager.addfont(str(path))


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
    import matplotlib
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    _register_fonts()
    with matplotlib.rc_context(_SETTINGS), warnings.catch_warnings():
        # A name in a script that no bundled face has is drawn as boxes; the table beside the figure spells it out.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        figure = Figure(figsize=(width / 25.4, height / 25.4), layout=ConstrainedLayoutEngine(w_pad=0.02, h_pad=0.02))
        paint(figure)
        sheet = io.BytesIO()
        figure.savefig(sheet, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return Drawing(name, _inline(sheet.getvalue().decode(), name, caption, alt), caption, alt, width)


def _inline(svg: str, name: str, caption: str, alt: str) -> str:
    """matplotlib's file as an element of a page: no prologue, no metadata, no global style, ids of its own, named."""
    body = svg[svg.index("<svg") :]
    body = re.sub(r"<metadata>.*?</metadata>", "", body, flags=re.S)
    body = re.sub(r"<defs>\s*<style[^>]*>.*?</style>\s*</defs>", "", body, flags=re.S)
    body = re.sub(r' xmlns(?::xlink)?="[^"]*"', "", body)
    body = body.replace("xlink:href=", "href=")
    # Text that matplotlib keeps as comments next to the glyphs: data must not reach the page unescaped.
    body = re.sub(r"<!--.*?-->", "", body, flags=re.S)
    body = re.sub(r'\bid="([^"]*)"', rf'id="{name}-\1"', body)
    body = re.sub(r'\bhref="#([^"]*)"', rf'href="#{name}-\1"', body)
    body = re.sub(r"url\(#([^)]*)\)", rf"url(#{name}-\1)", body)
    opening, rest = body.split(">", 1)
    opening = re.sub(r' (?:version|width|height)="[^"]*"', "", opening)
    label = f'<title id="{name}-title">{html.escape(caption)}</title><desc id="{name}-desc">{html.escape(alt)}</desc>'
    return (
        f'{opening} role="img" aria-labelledby="{name}-title {name}-desc" stroke-linejoin="round">{label}{rest.strip()}'
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
    """The numbers of a row, right of the frame, with true minus signs."""
    axes.annotate(
        numbers.replace("-", "\N{MINUS SIGN}"),
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
