"""Two attributes at once: a cell for each pair of groups, with its rate and its number of people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from fairstats.estimates import Estimate
from fairstats.language import say
from fairstats.reporting import numbers as words
from fairstats.reporting.figures import style
from fairstats.text import capital

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_ROWS, MOST_COLUMNS = 12, 8
WIDE = 3  # columns up to which a cell has room for its difference
FEWEST = 30  # people; the numbers of a smaller cell are gray


def matrix(
    name: str,
    cells: Mapping[tuple[str, str], Estimate],
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    caption: str,
    apart: Sequence[tuple[str, str]] = (),
    axis: str = "rate",
    gaps: Mapping[tuple[str, str], Estimate] | None = None,
) -> style.Drawing:
    """Rate and n in each cell, shaded by the rate; a frame marks the cells that are shown to differ.

    Parameters
    ----------
    name : str
        Prefix of the ids in the SVG.
    cells : mapping
        (row, column) to its rate.
    rows, columns : sequence of str
        The groups of either attribute, largest first.
    caption : str
        The finding in a sentence.
    apart : sequence of (row, column)
        Cells whose difference from the reference is shown.
    axis : str
        Name of the rate.
    gaps : mapping, optional
        (row, column) to its difference from the reference, which stands beside n.

    Returns
    -------
    Drawing
        180 mm wide; at most 12 rows and 8 columns, the text says what is left out.

    Examples
    --------
    >>> cell = Estimate("selection rate", group="f:a", n=40.0, estimate=0.25)
    >>> matrix("m", {("f", "a"): cell}, ["f"], ["a"], caption="c").alt
    'Rate of each pair of groups. f, a: 25.0 % (n = 40).'
    """
    down, across = list(rows)[:MOST_ROWS], list(columns)[:MOST_COLUMNS]
    known = [r.estimate for r in cells.values() if words.shown(r)]
    low, high = min(known, default=0.0), max(known, default=1.0)

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        for y, row in enumerate(down):
            for x, column in enumerate(across):
                gap = (gaps or {}).get((row, column)) if len(across) <= WIDE else None
                _cell(axes, x, y, cells.get((row, column)), low, high, gap, framed=(row, column) in apart)
        axes.set_xticks(range(len(across)), [style.short(c, max(10, 96 // len(across))) for c in across])
        axes.set_yticks(range(len(down)), [style.short(r, 26) for r in down])
        axes.xaxis.tick_top()
        axes.set_xlim(-0.5, len(across) - 0.5)
        axes.set_ylim(len(down) - 0.5, -0.5)
        axes.tick_params(length=0)
        style.bare(axes, keep=())

    apart_by = {at: f", {_apart(gap)}" for at, gap in (gaps or {}).items()}
    pairs = [(r, c) for r in down for c in across if (r, c) in cells]
    said = " ".join(f"{r}, {c}: {_words(cells[r, c])}{apart_by.get((r, c), '')}." for r, c in pairs)
    missing = [say("{n} smaller groups", n=n) for n in (len(rows) - len(down), len(columns) - len(across)) if n > 0]
    left = f" {say('Not drawn: {what}.', what=words.listed(missing))}" if missing else ""
    return style.draw(
        name,
        paint,
        caption=f"{caption}{left}",
        alt=f"{say('{rate} of each pair of groups.', rate=capital(axis))} {said}{left}",
        height=9 + 9.0 * len(down),
    )


def _words(row: Estimate) -> str:
    if not words.shown(row):
        return words.status(row)
    return say("{share} % (n = {n})", share=words.percent(row.estimate), n=words.count(row.n))


def _apart(gap: Estimate) -> str:
    ends = words.span(gap.conf_low, gap.conf_high, lambda value: words.signed(100 * value))
    return f"{words.signed(100 * gap.estimate)} ({ends})"


def _cell(
    axes: Axes, x: int, y: int, row: Estimate | None, low: float, high: float, gap: Estimate | None, *, framed: bool
) -> None:
    shown = row is not None and words.shown(row)
    share = (row.estimate - low) / ((high - low) or 1.0) if row is not None and shown else 0.0
    frame = {"edgecolor": style.INK if framed else "white", "linewidth": 1.4 if framed else 0.8}
    axes.barh(y, 0.96, height=0.92, left=x - 0.48, color="none", zorder=3 if framed else 2, **frame)
    axes.barh(y, 0.96, height=0.92, left=x - 0.48, color=style.ACCENT, alpha=0.06 + 0.24 * share, linewidth=0)
    if row is None:
        return
    few = row.n == row.n and row.n < FEWEST
    color = style.GRAY if few or not shown else style.INK
    top = say("{share} %", share=words.percent(row.estimate)) if shown else words.status(row).split(":")[0]
    axes.annotate(top, (x, y - 0.13), ha="center", va="center", fontsize=8.5 if shown else 7, color=color, zorder=4)
    if row.n == row.n:
        axes.annotate(
            f"n = {words.count(row.n)}" + (f" \N{MIDDLE DOT} {_apart(gap)}" if gap is not None else ""),
            (x, y + 0.24),
            ha="center",
            va="center",
            fontsize=6.5,
            color=style.GRAY,
            zorder=4,
        )
