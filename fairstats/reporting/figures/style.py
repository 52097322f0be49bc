"""The one style of all figures: sizes, type, one accent color and grays, markers."""

from __future__ import annotations

import base64
import bisect
import html
import io
import itertools
import math
import os
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal
from weakref import WeakKeyDictionary

import numpy as np

from fairstats.errors import FileError, InputError, Setting, ignoring, listing, not_installed, visible
from fairstats.estimates import TESTED, Estimate
from fairstats.files import atomic_write, check_kept, check_overwriting, check_target, file_path
from fairstats.inference.verdicts import decisive_interval
from fairstats.language import Language, current, say, speaking
from fairstats.provenance import Curve
from fairstats.reporting import words
from fairstats.reporting.sketch import ACCENT as ACCENT
from fairstats.reporting.sketch import BAND as BAND
from fairstats.reporting.sketch import GRAY, INK, SIZE, Pane, Sheet, width, written
from fairstats.reporting.sketch import PALE as PALE
from fairstats.text import capital
from fairstats.validation import answering, shown, whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text


# A figure as matplotlib draws it, for files of their own and for those who change it: style, faces, layout.


_LOCK = threading.RLock()
FONTS = Path(__file__).resolve().parent.parent / "fonts"

_FACES: dict[str, Any] = {
    "pdf.fonttype": 42,  # TrueType: journals refuse Type 3
    "ps.fonttype": 42,
    "text.hinting": "no_hinting",  # as wide at any number of dots an inch: laid out at 100, saved at 300
}

_SETTINGS: dict[str, Any] = {
    **_FACES,
    "svg.hashsalt": "fairstats",
    "svg.fonttype": "path",
    "font.family": ["Inter", "DejaVu Sans"],
    "font.size": 8.5,
    "axes.labelsize": 8.5,
    "axes.titlesize": 8.5,
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 8.5,
    "figure.labelsize": 8.5,
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
def register_fonts() -> None:
    """Let matplotlib know the packaged faces."""
    from matplotlib import font_manager

    for path in sorted(FONTS.glob("*.ttf")):
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
        from matplotlib import rc_context
        from matplotlib.figure import Figure
        from matplotlib.layout_engine import ConstrainedLayoutEngine
    except ImportError as missing:
        raise not_installed("a figure", "matplotlib", "report") from missing

    class OncePerChange(ConstrainedLayoutEngine):
        """What is written twice has the same layout, to the last digit; another size or text has one of its own."""

        _adjust_compatible = True
        known: tuple[Any, ...] = ()
        broken: Mapping[Text, tuple[str, str]] = MappingProxyType({})

        def execute(self, fig: Figure) -> None:
            size, texts = tuple(fig.get_size_inches()), _texts(fig)
            if (size, texts) == self.known:
                return
            grows = bool(self.known) and size == self.known[0] and bool(fig.axes)
            frames = [axes.bbox.height for axes in fig.axes]
            if self.known:
                _lift_titles(fig)
            if grows:  # another text takes no room from the frames
                fig.set_size_inches(size[0], size[1] + _SPARE)
            super().execute(fig)
            if self.known:
                self.broken = _broken(fig, fig.axes, self.broken)
                super().execute(fig)
            if grows:
                rows = len({round(axes.bbox.y0) for axes in fig.axes})
                least = min(axes.bbox.height - old for axes, old in zip(fig.axes, frames, strict=False))
                fig.set_size_inches(size[0], size[1] + max(0.0, _SPARE - rows * least / fig.dpi))
                super().execute(fig)
            self.known = tuple(fig.get_size_inches()), _texts(fig)

    class FittedFigure(Figure):
        """A figure that has its size before it is written, and its faces whoever draws it."""

        def draw(self, renderer: Any) -> None:
            with _LOCK, rc_context(_FACES):
                super().draw(renderer)

        def savefig(self, *arguments: Any, **more: Any) -> None:
            self.draw_without_rendering()
            with _LOCK, rc_context(_FACES):
                super().savefig(*arguments, **more)

    register_fonts()
    with rendering():
        figure = FittedFigure(figsize=(width / 25.4, height / 25.4), layout=OncePerChange(w_pad=0.02, h_pad=0.02))
        paint(figure)
        _write_numbers(figure.axes)
        figure.draw_without_rendering()
    return figure


_SPARE = 4.0  # inches, of which what a changed text needs is kept


def _titles(axes: Axes) -> list[Text]:
    from matplotlib.text import Text

    return [one for one in axes.get_children() if isinstance(one, Text) and one not in axes.texts and one.get_text()]


def _texts(figure: Figure) -> list[tuple[str, float]]:
    """What is written in a figure, and in which size."""
    from matplotlib.ticker import FixedFormatter

    every = list(figure.texts)
    for axes in figure.axes:
        every += [*_titles(axes), *axes.texts, axes.xaxis.label, axes.yaxis.label]
        for axis in (axes.xaxis, axes.yaxis):  # numbers that the layout itself may choose anew are nobody's text
            every += axis.get_ticklabels() if isinstance(axis.get_major_formatter(), FixedFormatter) else []
    return [(one.get_text(), one.get_fontsize()) for one in every]


def _broken(
    figure: Figure, frames: Sequence[Axes], before: Mapping[Text, tuple[str, str]]
) -> dict[Text, tuple[str, str]]:
    """Break titles and names of axes into lines that fit: each to its text before and after."""
    high, wide = figure.bbox.height, figure.bbox.width
    rooms = dict.fromkeys(figure.texts if len(frames) == len(figure.axes) else (), wide)
    panels = len({round(axes.bbox.x0) for axes in figure.axes})
    names = {axes: (*_titles(axes), axes.xaxis.label) for axes in frames}
    names.update(
        {axes: (axes.xaxis.label,) for axes in figure.axes if axes not in names and axes.xaxis.label in before}
    )
    for axes, above_or_below in names.items():
        for one in above_or_below:
            x = one.get_transform().transform(one.get_position())[0] - figure.bbox.x0
            room = {"left": wide - x, "right": x, "center": 2 * min(x, wide - x)}[one.get_horizontalalignment()]
            rooms[one] = min(room, axes.bbox.width) if panels > 1 else room
        if axes in frames:
            rooms[axes.yaxis.label] = high
    result = {}
    for one, room in rooms.items():
        whole, lines = before.get(one, ("", ""))
        whole = whole if one.get_text() == lines else one.get_text()
        one.set_text(_in_lines(one, whole, room))
        result[one] = whole, one.get_text()
    return result


def _in_lines(one: Text, whole: str, room: float) -> str:
    lines = []
    for line in whole.split("\n"):
        current, *others = line.split(" ")
        for word in others:
            one.set_text(f"{current} {word}")
            extent = one.get_window_extent()
            if max(extent.width, extent.height) > room:  # a name of a vertical axis stands upright
                lines.append(current)
                current = word
            else:
                current = f"{current} {word}"
        lines.append(current)
    return "\n".join(lines)


_PLACES: dict[float, Literal["left", "center", "right"]] = {0.0: "left", 0.5: "center", 1.0: "right"}  # x to its name


def _lift_titles(figure: Figure) -> None:
    """Titles over what stands above a frame, the name of a line or of a margin."""
    for axes in figure.axes:
        high = max((one.get_window_extent().y1 - axes.bbox.y1 for one in axes.texts), default=0.0)
        for title in _titles(axes):
            place, face = _PLACES.get(title.get_position()[0]), title.get_fontproperties().copy()
            if place and title.get_window_extent().y0 - axes.bbox.y1 < high:
                pad = 72 * high / figure.dpi + title.get_fontsize() / 3  # its letters reach below its line
                axes.set_title(title.get_text(), loc=place, pad=pad, fontproperties=face)


def _write_numbers(frames: Iterable[Axes]) -> None:
    """Numbers of scales as everywhere, in the language in which the figure was asked for."""
    from matplotlib.ticker import Formatter, ScalarFormatter

    spoken = current()

    class Written(Formatter):
        def format_ticks(self, values: Sequence[float]) -> list[str]:
            with speaking(spoken):
                return written(list(values))

        def __call__(self, value: float, pos: int | None = None) -> str:
            return self.format_ticks([value])[0]

    for axes in frames:
        for axis in (axes.xaxis, axes.yaxis):
            if isinstance(axis.get_major_formatter(), ScalarFormatter):
                axis.set_major_formatter(Written())


# A figure in axes of the caller's: in the fonts, sizes and colors that these have.


IN_LINES = "in lines: "  # begins the label of a text that was broken, and the text on one line follows
IN_NARROW = "in narrow axes: "  # begins the label of a text, and what the text is there follows
LEAST_WIDE = 4.0  # inches of axes that have room for all numbers
NARROW_DOTS = 0.6  # of the size of dots, in narrow axes, where they would hide short intervals
MOST_NAMES = 0.5  # of the width of a figure, which names of rows may take
ABOVE = "above"  # label of a text where a title goes: left out of axes of the caller's, who may set one later


class _Frame:
    """Axes in the place of the figure that a painter fills."""

    def __init__(self, axes: Axes, other: str) -> None:
        self._axes, self._other = axes, other
        self.supxlabel, self.supylabel = axes.set_xlabel, axes.set_ylabel

    def add_subplot(self) -> Axes:
        return self._axes

    def subplots(self, rows: int, columns: int, **_: bool) -> Any:
        if rows * columns > 1:
            other = f", or draw {Setting('kind', self._other)}, which has one panel" if self._other else ""
            raise InputError(
                "ax",
                f"has axes for one panel, but this figure has {rows * columns}; pass an empty figure in their place, "
                f"or a part of one, such as fig.subfigures(){other}.",
            )
        return np.array([[self._axes]])


def paint_into(paint: Callable[[Any], None], given: Any, other: str = "") -> bool:
    """Let a painter fill axes, or an empty figure or part of one, of the caller's; whether numbers are left out.

    other: the kind of figure that has one panel, where this one has several.
    """
    try:
        from matplotlib.axes import Axes
        from matplotlib.figure import FigureBase
        from matplotlib.layout_engine import ConstrainedLayoutEngine, PlaceHolderLayoutEngine
        from matplotlib.lines import Line2D
        from matplotlib.text import Text
    except ImportError as missing:
        raise not_installed("a figure", "matplotlib", "report") from missing

    if not isinstance(given, Axes | FigureBase):
        raise InputError("ax", f"has {shown(given)}; pass axes of matplotlib, or an empty figure.")
    if isinstance(given, FigureBase) and given.axes:
        raise InputError("ax", "has a figure that has axes; pass one of them, or an empty figure.")
    before = {text: text.get_text() for text in given.findobj(Text)}
    lines = given.findobj(Line2D)
    if isinstance(given, Axes):
        short_names = _refuse_other_rows(paint, given)
        with _growing(given):
            paint(_Frame(given, other))
        given.set_aspect("auto")  # layouts do not find room for what is beside a square
        if short_names:
            name_rows(given, short_names, short_names)
    else:
        paint(given)
    frames = [given] if isinstance(given, Axes) else given.axes
    _write_numbers(frames)
    left_out = False
    for axes in frames:
        is_narrow = _wide_at_first(axes) / axes.figure.dpi < LEAST_WIDE
        for text in axes.texts:
            _, is_marked, short = text.get_label().partition(IN_NARROW)
            left_out |= bool(is_marked) and is_narrow
            text.set_text(short if is_marked and is_narrow else text.get_text())
            if axes is given and text.get_label() == ABOVE:
                text.set_text("")
        for line in axes.lines if is_narrow else ():
            if line not in lines:
                line.set_markersize(NARROW_DOTS * line.get_markersize())
    for text in given.findobj(Text):
        if text.get_text() != before.get(text, ""):  # labels are data, no markup of TeX
            text.set_usetex(False)
            text.set_parse_math(False)
    part = given.figure if isinstance(given, Axes) else given
    whole = part.figure
    # without a layout the names of rows and axes are cut at the edge; axes with a place of the caller's keep it
    if whole.get_layout_engine() is None and any(axes.get_subplotspec() for axes in frames):
        engine = PlaceHolderLayoutEngine(adjust_compatible=False, colorbar_gridspec=False)
        engine.execute = ConstrainedLayoutEngine().execute  # type: ignore[method-assign] # tight_layout() may replace it
        whole.set_layout_engine(engine)
    for axes in frames:
        grid = axes.get_subplotspec() if axes is given else None  # panels of one figure share their names
        _break_names(axes, MOST_NAMES * axes.figure.bbox.width / (grid.get_gridspec().ncols if grid else 1))
    with ignoring(UserWarning, "(constrained_layout|Tight layout) not applied"):
        whole.draw_without_rendering()
        _tighten(whole)
    # a panel beside it has less room for the name of its axis than when it was drawn
    earlier = {one.xaxis.label: (_whole(one.xaxis.label), one.get_xlabel()) for one in part.axes if one not in frames}
    known = {label: texts for label, texts in earlier.items() if texts[0]}
    for text, (name, _) in _broken(part, frames, known).items():
        text.set_label(f"{IN_LINES}{name}")
    for axes in frames:
        if room := _missing_room(axes):
            given.clear()
            raise InputError("ax", room)
    with ignoring(UserWarning, "Tight layout not applied"):
        _tighten(whole)
    if whole.get_layout_engine() is not None and not whole.get_layout_engine().adjust_compatible:
        for axes in whole.axes:
            if grid := axes.get_subplotspec():  # tight_layout() measures from where the grid has the axes
                axes.set_subplotspec(grid)
    return left_out


def _tighten(figure: Figure) -> None:
    """Call tight_layout again for a figure that had it before what is cut, or overlaps, was drawn."""
    from matplotlib.layout_engine import PlaceHolderLayoutEngine

    engine = figure.get_layout_engine()
    if not isinstance(engine, PlaceHolderLayoutEngine) or not engine.adjust_compatible:
        return
    boxes = [box for axes in figure.axes if (box := axes.get_tightbbox())]
    inside = all(figure.bbox.fully_contains(*corner) for box in boxes for corner in (box.min, box.max))
    if not inside or any(one.overlaps(other) for one, other in itertools.combinations(boxes, 2)):
        figure.tight_layout()


# the names of rows, and their groups where the names have sizes, by the title of the axes, which clear() replaces
ROWS: WeakKeyDictionary[Any, tuple[list[str], list[str]]] = WeakKeyDictionary()


def name_rows(axes: Any, names: Sequence[str], groups: Sequence[str] = ()) -> None:
    """Name the rows of axes; groups: without the sizes in the names, which panels that share these rows leave out."""
    axes.set_yticks(range(len(names)), names)
    if not isinstance(axes, Pane):
        for one in axes.get_shared_y_axes().get_siblings(axes):
            if one is axes or one.title in ROWS:  # those that share an axis have the names that it got last
                ROWS[one.title] = list(names), list(groups)


def _refuse_other_rows(paint: Callable[[Any], None], axes: Axes) -> list[str]:
    """No axes have rows of two figures: the names of the last would stand beside the points of the first.

    Panels that share rows of the same groups, in other numbers, have the names that are returned.
    """
    from matplotlib.figure import Figure

    siblings = axes.get_shared_y_axes().get_siblings(axes)
    others = [one for one in siblings if one is not axes]
    present, drawn = next((ROWS[one.title] for one in siblings if one.title in ROWS), ([], []))
    if not present and not any(np.isfinite(one.dataLim.height) for one in others):
        return []
    alone = Figure()
    paint(alone)
    wanted, groups = ROWS.get(alone.axes[0].title, ([], [])) if len(alone.axes) == 1 else (present, [])
    if wanted == present:
        return []
    if groups and groups == drawn and axes.title not in ROWS:
        return groups
    where = "share their y-axis with" if others else "hold"
    rows = [" ".join(name.split()) for name in present]
    what = f"other rows ({listing(rows, 3)})" if rows else "a panel of numbers"
    remedy = "make the panels without sharey" if others else "give each its own axes"
    raise InputError("ax", f"has axes that {where} {what}; this figure would replace the names of these; {remedy}.")


@contextmanager
def _growing(axes: Axes) -> Iterator[None]:
    """Limits that the caller set, or that other panels and lines have, hold what is painted, and never shrink."""
    kept = {}
    for which, siblings in (("x", axes.get_shared_x_axes()), ("y", axes.get_shared_y_axes())):
        is_free = getattr(axes, f"get_autoscale{which}_on")()
        if not is_free or any(one.has_data() for one in siblings.get_siblings(axes)):
            kept[which] = getattr(axes, f"get_{which}lim")(), is_free
            getattr(axes, f"set_autoscale{which}_on")(True)  # limits that the drawing does not set follow the data
    yield
    for which, ((first, last), is_free) in kept.items():
        now = getattr(axes, f"get_{which}lim")()
        low, high = min(first, last, *now), max(first, last, *now)
        ends = now if is_free or {low, high} != {first, last} else (first, last)
        getattr(axes, f"set_{which}lim")(*((high, low) if ends[0] > ends[1] else (low, high)))


def _wide_at_first(axes: Axes) -> float:
    """How wide axes are before any layout, so that the second panel of a figure looks like the first."""
    grid = axes.get_subplotspec()
    return axes.bbox.width if grid is None else grid.get_position(axes.figure).width * axes.figure.bbox.width


def _whole(label: Text) -> str:
    """What a name that an earlier call broke into lines is on one line; "" where it is another by now."""
    _, is_marked, name = str(label.get_label()).partition(IN_LINES)
    return name if is_marked and label.get_text().split() == name.split() else ""


def _break_names(axes: Axes, room: float) -> None:
    """Break names of rows into lines where they would leave too little of a narrow figure to the rows."""
    siblings = axes.get_shared_y_axes().get_siblings(axes)
    names = axes.get_yticklabels() if any(one.title in ROWS for one in siblings) else []
    if max((name.get_window_extent().width for name in names), default=0.0) > room:
        axes.set_yticks(axes.get_yticks(), [_in_lines(name, name.get_text(), room) for name in names])


def _missing_room(axes: Axes) -> str:
    """What a figure lacks where the names of rows would lie on each other, with the height that it needs; else ""."""
    every = [name.get_window_extent() for name in axes.get_yticklabels() if name.get_text()]
    names = sorted(every, key=lambda name: name.y0 + name.y1)
    pairs = itertools.pairwise(names)
    wanted = max(((a.height + b.height) / (b.y0 + b.y1 - a.y0 - a.y1) for a, b in pairs), default=0.0)
    whole, grid, dots = axes.figure.bbox.height, axes.get_subplotspec(), axes.figure.dpi
    rows = 1 if grid is None else grid.get_gridspec().nrows
    more = axes.bbox.height * (wanted - 1) + _lost_to_tight(axes, rows)
    alone = axes.get_tightbbox().height + more  # of the rows with what is above and below them
    if more <= 0 and alone <= whole:
        return ""
    least = max(alone, whole + rows * more) / dots
    return (
        f"has a figure {whole / dots:.1f} inches high, too low for {len(names)} rows in this font; make it "
        f"{math.ceil(10 * least) / 10:.1f} inches high, or the font smaller (ytick.labelsize)."
    )


def _lost_to_tight(axes: Axes, rows: int) -> float:
    """What axes lose of their height where tight_layout, which leaves more room around them, is called later."""
    from matplotlib import rcParams

    engine = axes.figure.figure.get_layout_engine()
    if engine is None or engine.adjust_compatible:
        return 0.0
    pad, constrained = 1.08 * rcParams["font.size"] / 72, rcParams["figure.constrained_layout.h_pad"]
    return max(0.0, (1 + 1 / rows) * pad - 2 * constrained) * axes.figure.dpi


# A figure as it is handed out: markup for the report's page; by itself for notebooks, documents and files.


SVG, XLINK = 'xmlns="http://www.w3.org/2000/svg"', 'xmlns:xlink="http://www.w3.org/1999/xlink"'
MARK = 'data-generator="fairstats"'  # by which `marks` knows that the file may be replaced


SCREEN, PRINT = 192, 300  # dots an inch: twice a screen's 96, and what journals ask for


@dataclass(frozen=True, repr=False)
class Drawing:
    """One figure: markup that is safe to insert, the caption that states the finding, the text that replaces it.

    Notebooks and documents show it, ``save(path)`` writes it, ``figure`` is the matplotlib figure, to be changed first.

    Attributes
    ----------
    name : str
        Prefix of the ids in ``svg``.
    svg : str
        The figure inside the report's page: its text is text, in the face that the page brings, and it has no
        namespace. What `save` writes has both.
    caption, alt : str
        The finding in a sentence; every number of the figure in words.
    width, height : float
        In mm.
    figure : matplotlib.figure.Figure
    """

    name: str
    svg: str
    caption: str
    alt: str
    width: float
    paint: Callable[[Any], None] | None = field(default=None, compare=False)  # fills an empty figure
    sources: tuple[str, ...] = field(default=(), compare=False)  # SHA-256 of what the result was made of
    height: float = 60.0
    language: Language = field(default_factory=current, compare=False)  # in which it was asked for
    hint: str = field(default="", compare=False)  # how the others are had: for whoever looks at it, not a publication
    without_numbers: str = field(default="", compare=False)  # the caption in axes too narrow for the numbers

    @cached_property
    def figure(self) -> Figure | None:
        """The figure as matplotlib draws it, made when it is first asked for; None for a mark in a cell."""
        with speaking(self.language):
            return None if self.paint is None else painted(self.paint, self.width, self.height)

    @answering
    def save(self, path: str | os.PathLike[str], *, dpi: int = PRINT, overwrite: bool = False) -> Path:
        """Write the figure by itself, whole or not at all: text as outlines in SVG, so that it looks alike everywhere.

        Parameters
        ----------
        path : str or path
            Ends in .svg, .png or .pdf.
        dpi : int
            Dots an inch of a .png, 50 to 2400; the others have none.
        overwrite : bool
            Whether a file that fairstats did not write is replaced; an earlier figure of ours always is.

        Returns
        -------
        Path

        Raises
        ------
        FileError
            Another ending, a folder that is missing, or a file that holds the data of the result, or that fairstats
            did not write.
        InputError
            If dpi is no such number, or ``figure`` was made too low for its rows.

        Examples
        --------
        >>> Drawing("d", "<svg></svg>", "A finding.", "Numbers.", 90.0).save("figure.jpeg")
        Traceback (most recent call last):
        fairstats.errors.FileError: 'figure.jpeg' has another ending: a figure is written as .svg, .png, .pdf; ...
        """
        target = Path(file_path("path", path))
        write = WRITERS.get(target.suffix.lower())
        if write is None:
            raise FileError(
                f"{os.fspath(path)!r} has another ending: a figure is written as {listing(WRITERS)}; change its ending."
            )
        dpi = whole("dpi", dpi, 50, 2400)
        check_target(target)
        check_kept([target], self.sources)
        check_overwriting([target], overwrite)
        if (figure := self.figure) is not None and figure.get_figheight() < self.height / 25.4 - 0.01:
            figure.draw_without_rendering()
            for room in filter(None, map(_missing_room, figure.axes)):
                raise InputError("drawing", room)
        atomic_write(target, write(self, dpi))
        return target

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name == "savefig":
                raise AttributeError('savefig is no method of a drawing; save("figure.png") does that.')
            return object.__getattribute__(self, name)  # once more: what a property raises stays what it is

    def __repr__(self) -> str:
        return visible(f"<Drawing: {self.name}; {' '.join(f'{self.caption} {self.hint}'.split())[:300]}>")

    def _repr_svg_(self) -> str:
        return standalone(self)

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        pixels = raster(self, SCREEN)
        width, height = (int.from_bytes(pixels[at : at + 4]) for at in (16, 20))  # of the header
        return pixels, {"width": round(width * 96 / SCREEN), "height": round(height * 96 / SCREEN)}

    def _repr_html_(self) -> str:
        # An image of its own: its ids, fonts and styles meet nothing of the page, and the page's nothing of it.
        source = base64.b64encode(standalone(self).encode()).decode()
        shown = f"{self.caption} {self.hint}".strip()
        caption, alt = (html.escape(visible(text)) for text in (shown, self.alt))
        return (
            f'<figure style="margin:0;max-width:{self.width:g}mm">'
            f'<img src="data:image/svg+xml;base64,{source}" alt="{alt}" '
            f'style="width:{self.width:g}mm;max-width:100%;height:auto">'
            f'<figcaption style="font-size:0.9em">{caption}</figcaption></figure>'
        )


class PlacedDrawing(Drawing):
    """A drawing in axes of the caller's, whose figure a notebook shows: by itself it shows nothing there."""

    @classmethod
    def of(cls, drawing: Drawing, left_out: bool) -> PlacedDrawing:
        """The same drawing, placed; left_out: whether numbers are left out, of which its caption is not to tell."""
        placed = cls(**{one.name: getattr(drawing, one.name) for one in fields(drawing)})
        return replace(placed, caption=drawing.without_numbers) if left_out and drawing.without_numbers else placed

    def _ipython_display_(self) -> None:
        """Nothing, in place of every form that IPython has."""

    def _repr_html_(self) -> str:
        return ""


def standalone(drawing: Drawing) -> str:
    """The figure as an SVG file: with its namespace, its size, its text as outlines, on white."""
    svg = cleaned(_saved(drawing, "svg", metadata={"Date": None, "Creator": None}).decode())
    opening, rest = svg.split(">", 1)
    opening = re.sub(r' xmlns(?::xlink)?="[^"]*"', "", opening).replace("<svg", f"<svg {SVG} {XLINK} {MARK}", 1)
    return named(f"{opening}>{rest}", drawing.name, drawing.caption, drawing.alt)


def raster(drawing: Drawing, dots: int) -> bytes:
    """The figure as a PNG file of so many dots an inch."""
    text = {"Title": visible(drawing.caption), "Description": visible(drawing.alt), "Software": "fairstats"}
    return _saved(drawing, "png", dpi=dots, metadata=text)


def _pdf(drawing: Drawing) -> bytes:
    text = {"Title": visible(drawing.caption), "Subject": visible(drawing.alt)[:2000]}
    return _saved(drawing, "pdf", metadata={**text, "CreationDate": None, "Creator": "fairstats", "Producer": None})


WRITERS: dict[str, Callable[[Drawing, int], bytes]] = {
    ".svg": lambda drawing, _: b'<?xml version="1.0" encoding="UTF-8"?>\n' + standalone(drawing).encode() + b"\n",
    ".png": raster,
    ".pdf": lambda drawing, _: _pdf(drawing),
}


def _saved(drawing: Drawing, form: str, **more: Any) -> bytes:
    if drawing.figure is None:
        raise FileError(f"path cannot be written: {capital(drawing.name)} was made without a matplotlib figure.")
    sheet = io.BytesIO()
    with rendering():
        drawing.figure.savefig(sheet, format=form, facecolor="white", **more)
    return sheet.getvalue()


def cleaned(svg: str) -> str:
    """The element alone, without metadata, global style and comments."""
    body = svg[svg.index("<svg") :].rstrip()
    body = re.sub(r"<metadata>.*?</metadata>", "", body, flags=re.S)
    body = re.sub(r"<defs>\s*<style[^>]*>.*?</style>\s*</defs>", "", body, flags=re.S)
    # Text that matplotlib keeps as comments next to the glyphs: data must not reach the page unescaped.
    return re.sub(r"<!--.*?-->", "", body, flags=re.S)


def named(svg: str, name: str, caption: str, alt: str) -> str:
    """The element with ids that begin with a name, its caption as title and the alternative text as description."""
    body = re.sub(r'\bid="([^"]*)"', rf'id="{name}-\1"', svg)
    body = re.sub(r'\bhref="#([^"]*)"', rf'href="#{name}-\1"', body)
    body = re.sub(r"url\(#([^)]*)\)", rf"url(#{name}-\1)", body)
    opening, rest = body.split(">", 1)
    label = (
        f'<title id="{name}-title">{html.escape(visible(caption))}</title>'
        f'<desc id="{name}-desc">{html.escape(visible(alt))}</desc>'
    )
    return f'{opening} role="img" aria-labelledby="{name}-desc" stroke-linejoin="round">{label}{rest.strip()}'


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
        color=color,
        label=ABOVE,
    )


def beside(axes: Axes, y: float, numbers: str) -> None:
    """The numbers of a row, right of the frame."""
    axes.annotate(
        numbers,
        (1.02, y),
        xycoords=("axes fraction", "data"),
        va="center",
        annotation_clip=False,
        label=IN_NARROW,
    )


def short(label: str, most: int = 34) -> str:
    """A label that fits its figure: one line, cut with an ellipsis (tables and alt text hold it in full).

    >>> short("a very long name of a group of people", 12)
    'a very long…'
    """
    line = " ".join(label.split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "\N{HORIZONTAL ELLIPSIS}"


def distinct(labels: Sequence[str], most: int) -> list[str]:
    """Labels that fit, cut within where their beginnings are one.

    >>> distinct(["ward of the north", "ward of the south", "a"], 10)
    ['ward…north', 'ward…south', 'a']
    """
    cut = [short(label, most) for label in labels]
    half = most // 2
    return [
        f"{label[: most - half - 1].rstrip()}\N{HORIZONTAL ELLIPSIS}{label[-half:].lstrip()}"
        if cut.count(one) > 1
        else one
        for label, one in zip(map(str.strip, labels), cut, strict=True)
    ]


def upright(name: str, height: float, unit: str = "", general: str = "") -> str:
    """The name of a vertical axis, or a general one where it is longer than the frame of a figure so high (mm).

    A name is never cut; where there is no general one it is that of a rate, or of a difference in the unit of the axis.

    >>> upright("were arrested again within two years", 50, ", %", "outcome"), upright("were hired", 50, ", %")
    ('outcome, %', 'were hired, %')
    """
    room = (height - AROUND) / 25.4 * 72
    if width(name + unit, SIZE) <= room:
        return name + unit
    return (general or (say("rate") if unit else say("difference"))) + unit


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


# What the curve figures share: choosing the lines, their dashes and markers, and the names beside them.


MOST_LINES = 6  # more cannot be told apart; the tables hold all groups


def chosen(curves: Sequence[Curve], order: Sequence[str]) -> list[Curve]:
    """At most ``MOST_LINES`` curves, in the order of ``order`` (largest group first)."""
    rank = {group: i for i, group in enumerate(order)}
    return sorted(curves, key=lambda c: rank.get(c.group, len(rank)))[:MOST_LINES]


def at(y: str, x: str) -> str:
    """A point of a line in words."""
    return say("{y} at {x}", y=y, x=x)


def omitted(curves: Sequence[Curve]) -> str:
    """The sentence that says which lines are not drawn, "" when all are."""
    if len(curves) <= MOST_LINES:
        return ""
    return f" {say('{k} of {n} groups are drawn.', k=MOST_LINES, n=len(curves))}"


def line(axes: Axes, curve: Curve, index: int, **more: Any) -> None:
    """One curve: first in the accent color, the others in grays, each with its dash and marker."""
    x, y = thin(list(curve.x), list(curve.y))
    where = marked(x, y, index)
    axes.plot(x, y, markevery=where, **_look(index), **more)


def sample(axes: Axes, index: int, x: float, y: float, label: str, length: float = 8.0) -> None:
    """A piece of the line of `line`, and its name: beside the frame."""
    axes.plot([x, x + length], [y, y], **{**_look(index), "markevery": [0]}, clip_on=False)
    axes.annotate(label, (x + 1.35 * length, y), va="center", color=color(index), annotation_clip=False)


def dashed(index: int) -> dict[str, Any]:
    """Color and dashes of one of several lines."""
    return {"color": color(index), "linestyle": DASHES[index % len(DASHES)]}


def _look(index: int) -> dict[str, Any]:
    return {
        **dashed(index),
        "marker": MARKERS[index],
        "markersize": 4,
        "markerfacecolor": "white",
        "linewidth": 1.1 if index < 2 else 0.8,
    }


def color(index: int) -> str:
    """The accent for the first of several, ink and gray by turns for the others."""
    return ACCENT if index == 0 else INK if index % 2 else GRAY


def marked(x: Sequence[float], y: Sequence[float], index: int) -> list[int]:
    """Where a line carries its markers: at heights that differ from line to line, so that markers do not collide."""
    low, high = min(y), max(y)
    heights = [low + (high - low) * ((share + 0.11 * index) % 1.0) for share in (0.2, 0.7)]
    order = sorted(range(len(y)), key=lambda i: y[i])
    ys = [y[i] for i in order]
    return sorted({order[min(bisect.bisect_left(ys, h), len(ys) - 1)] for h in heights})


# Names beside what they name: the ends of lines, so that no legend has to be read back and forth.


LINE = 3.3  # mm from one label to the next


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return places near those wanted, at least ``gap`` apart and within the limits where they fit.

    Examples
    --------
    >>> spread([1.0, 1.0, 5.0], 2.0, 0.0, 10.0)
    [0.0, 2.0, 5.0]
    >>> spread([9.5, 10.0], 2.0, 0.0, 10.0)
    [8.0, 10.0]
    """
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    # blocks of labels that touch, each centered on what its members want (pool adjacent violators)
    blocks: list[list[int]] = []
    starts: list[float] = []
    for i in order:
        blocks.append([i])
        starts.append(wanted[i])
        while len(blocks) > 1 and starts[-2] + gap * len(blocks[-2]) > starts[-1]:
            last = blocks.pop()
            starts.pop()
            blocks[-1] += last
            ideal = [wanted[j] - gap * k for k, j in enumerate(blocks[-1])]
            starts[-1] = sum(ideal) / len(ideal)
            starts[-1] = max(min(starts[-1], high - gap * (len(blocks[-1]) - 1)), low)
    placed = [0.0] * len(wanted)
    for start, block in zip(starts, blocks, strict=True):
        for k, j in enumerate(block):
            placed[j] = start + gap * k
    return placed


EARLY = 0.25  # of the frame


def name_ends(
    axes: Axes, ends: Sequence[tuple[float, float, str, str]], *, height: float, room: float | None = None
) -> None:
    """Write each line's name at the right of its last point; a thin leader where the name had to move.

    A line that ends early has its name there, not at the edge, where it would be read as a value.

    Parameters
    ----------
    axes : Axes
        Its limits are set.
    ends : sequence of (x, y, name, color)
        The last point of each line.
    height : float
        Of the frame, in mm.
    room : float, optional
        Where the names begin, in x; just beyond the farthest end where absent.
    """
    if not ends:
        return
    low, high = axes.get_ylim()
    left, right = axes.get_xlim()
    last = max(x for x, *_ in ends)
    early = [one for one in ends if room is None and last - one[0] > EARLY * (right - left)]
    for x, y, name, color in early:
        above = (4, 9) if y < low + 0.8 * (high - low) else (4, -6)
        axes.annotate(short(name, 30), (x, y), above, textcoords="offset points", va="center", color=color)
    ends = [one for one in ends if one not in early]
    # a marker and an interval beside it lie between the end of a line and its name
    start = (last + 0.02 * (right - left) if room is None else room) + 0.025 * (right - left)
    places = spread([y for _, y, _, _ in ends], LINE * (high - low) / height, low, high)
    apart = [abs(place - y) * height / (high - low) for (_, y, _, _), place in zip(ends, places, strict=True)]
    if room is None and max(apart, default=0) > LINE:  # leaders side by side
        start += 0.06 * (right - left)
    for (x, y, name, color), place, far in zip(ends, places, apart, strict=True):
        moved = far > 1.0 or start - x > 0.12 * (right - left)
        axes.annotate(
            short(name, 30),
            (x, y),
            (start, place),
            va="center",
            color=color,
            annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": GRAY, "linewidth": 0.5, "shrinkA": 1, "shrinkB": 2}
            if moved
            else None,
        )


# A share as a point with its interval, in per cent, and the name that stands beside the first of a kind.


def point(
    axes: Axes, row: Estimate, y: float, marker: str, *, filled: bool, color: str = ACCENT, ends: Estimate | None = None
) -> None:
    """The estimate and its interval; a bar in its place to the ends that people who were withheld leave, or nothing."""
    if ends is None and not words.shown(row):
        return
    axes.plot([100 * end for end in decisive_interval(row)], [y, y], color=INK, linewidth=1.0, zorder=2)
    if ends is not None:
        low, high = 100 * ends.conf_low, 100 * ends.conf_high
        axes.barh(y, high - low, height=0.22, left=low, color=color, alpha=0.3, zorder=3)
        return
    axes.plot(
        100 * row.estimate,
        y,
        marker,
        color=color,
        markersize=5,
        markerfacecolor=color if filled else "white",
        markeredgewidth=1.1,
        zorder=3,
    )


def name_of_kind(axes: Axes, row: Estimate, y: float, label: str) -> None:
    """The name of a kind of points, right of the interval of one of them; above or below ``y = 0``."""
    if row.status in TESTED:
        axes.annotate(
            short(label, 30),
            (100 * decisive_interval(row)[1], y),
            (4, (y < 0) * 3.4 - (y > 0) * 3.4),  # two lines are nearer to each other than their names are high
            textcoords="offset points",
            va="center",
            color=GRAY,
            annotation_clip=False,
            zorder=4,
        )


def row_text(row: Estimate, ends: Estimate | None = None) -> str:
    """The same in words: estimate and interval, the ends over people who were withheld, or why there is none."""
    if ends is not None:
        both = words.span(ends.conf_low, ends.conf_high, words.percent)
        return both if math.isnan(row.conf_low) else f"{both} ({words.interval(row)})"
    if not words.shown(row):
        return words.status(row)
    estimate = words.percent(row.estimate)
    return estimate if math.isnan(row.conf_low) else f"{estimate} ({words.interval(row)})"  # Holm's steps have none
