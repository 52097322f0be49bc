"""The page as GitHub-flavored Markdown with its figures as files beside it: for Word, LaTeX and Quarto by pandoc."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from fairstats.reporting.exports.blocks import Block, Box, Bullets, Figure, Grid, Paragraph, Title

# What Markdown, its tables, its formulas and HTML in it would read as markup.
_MARKUP = re.compile(r"[\\`*\[\]<>|$~]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)|(?<=:)//|(?<=www)\.|(?<=\w)@(?=\w)")
_BEGINNING = re.compile(r"^(\d+(?=[.)](?:\s|$))|[-+=#](?=\s|$|[-+=#]))")
_STRONG = ("finding",)


def markdown(page: Iterable[Block], picture: Callable[[str], tuple[str, str]]) -> str:
    """Return the page as text.

    Parameters
    ----------
    page : iterable of blocks
        As `blocks` reads them.
    picture : callable
        A figure's name to the path of its file and the text that replaces it; an empty path where there is no file.

    Returns
    -------
    str

    Examples
    --------
    >>> print(markdown([Title(1, "A"), Paragraph("b_c * d")], lambda name: ("", "")))
    # A
    <BLANKLINE>
    b_c \\* d
    <BLANKLINE>
    """
    return "\n\n".join(filter(None, (_written(block, picture) for block in page))) + "\n"


def escaped(text: str) -> str:
    """Text that Markdown shows as it is.

    Examples
    --------
    >>> print(escaped("<b>$x_1$</b> | 2_a"), escaped("1. first"), escaped("two_year_recid"))
    \\<b\\>\\$x_1\\$\\</b\\> \\| 2_a 1\\. first two_year_recid
    """
    inside = _MARKUP.sub(lambda found: f"\\{found.group()}", text)
    return _BEGINNING.sub(lambda found: _begun(found.group()), inside)


def _begun(mark: str) -> str:
    """A beginning that would make a list, a heading or a rule: a number's dot follows, another mark is escaped."""
    return f"{mark}\\" if mark.isdigit() else f"\\{mark}"


def _written(block: Block, picture: Callable[[str], tuple[str, str]]) -> str:
    if isinstance(block, Title):
        return f"{'#' * block.level} {escaped(block.text)}"
    if isinstance(block, Paragraph):
        return f"**{escaped(block.text)}**" if block.kind in _STRONG else escaped(block.text)
    if isinstance(block, Bullets):
        return "\n".join(f"- {escaped(item)}" for item in block.items)
    if isinstance(block, Grid):
        return _table(block)
    return _picture(block, picture)


def _picture(block: Figure, picture: Callable[[str], tuple[str, str]]) -> str:
    path, instead = picture(block.name)
    drawn = f"![{escaped(instead)}]({path})" if path else escaped(instead)
    return "\n\n".join(filter(None, (drawn, f"*{escaped(block.caption)}*" if block.caption else "")))


def _table(grid: Grid) -> str:
    """One row of headings, which these tables must have; several rows of a head become one."""
    width = grid.width
    if not width:
        return ""
    rows = [_line(row, width) for row in grid.body]
    heads = [_line(row, width) for row in grid.head]
    head = (
        [" ".join(dict.fromkeys(filter(None, parts))) for parts in zip(*heads, strict=True)] if heads else [""] * width
    )
    numbers = [any(len(row) > at and row[at].number for row in (*grid.head, *grid.body)) for at in range(width)]
    lines = [head, ["---:" if number else "---" for number in numbers], *rows]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"**{escaped(grid.caption)}**\n\n{table}" if grid.caption else table


def _line(row: list[Box], width: int) -> list[str]:
    cells: list[str] = []
    for cell in row:
        cells += [escaped(cell.text), *[""] * (cell.columns - 1)]
    return [*cells, *[""] * (width - len(cells))]
