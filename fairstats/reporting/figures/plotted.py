"""A figure as matplotlib draws it, for files of their own and for those who change it: style, faces, layout."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairstats.errors import not_installed
from fairstats.language import current, speaking
from fairstats.quiet import ignoring
from fairstats.reporting.sketch.palette import GRAY, INK
from fairstats.reporting.sketch.ticks import written

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LOCK = threading.RLock()
FONTS = Path(__file__).resolve().parent.parent / "fonts"

_SETTINGS: dict[str, Any] = {
    "svg.hashsalt": "fairstats",
    "svg.fonttype": "path",
    "pdf.fonttype": 3,  # Inter has cubic outlines, which no TrueType font holds
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


@contextmanager
def rendering() -> Iterator[None]:
    """Draw and write in the one style; the same figure gives the same bytes."""
    import matplotlib

    # matplotlib's settings are those of the process: two threads would find, and leave for good, each other's.
    # A name in a script that no bundled face has is drawn as boxes; the table beside the figure spells it out.
    with _LOCK, matplotlib.rc_context(_SETTINGS), ignoring(UserWarning, "Glyph .* missing from font"):
        yield


def painted(paint: Callable[[Any], None], width: float, height: float) -> Figure:
    """The same figure in matplotlib, which writes it as a file of its own and lets it be changed."""
    try:
        from matplotlib.figure import Figure
        from matplotlib.layout_engine import ConstrainedLayoutEngine
    except ImportError as missing:
        raise not_installed("a figure", "matplotlib", "report") from missing

    _register_fonts()
    with rendering():
        figure = Figure(figsize=(width / 25.4, height / 25.4), layout=ConstrainedLayoutEngine(w_pad=0.02, h_pad=0.02))
        paint(figure)
        _write_numbers(figure)
        figure.draw_without_rendering()
        figure.set_layout_engine("none")  # what is written later has the same layout, to the last digit
    return figure


def _write_numbers(figure: Figure) -> None:
    """Numbers of scales as everywhere, in the language in which the figure was asked for."""
    from matplotlib.ticker import Formatter, ScalarFormatter

    spoken = current()

    class Written(Formatter):
        def format_ticks(self, values: Sequence[float]) -> list[str]:
            with speaking(spoken):
                return written(list(values))

        def __call__(self, value: float, pos: int | None = None) -> str:
            return self.format_ticks([value])[0]

    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            if isinstance(axis.get_major_formatter(), ScalarFormatter):
                axis.set_major_formatter(Written())
