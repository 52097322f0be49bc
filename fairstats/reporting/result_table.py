"""A table of a result, to be looked at or handed on: as text, HTML, LaTeX, Markdown, Word, Excel or great_tables."""

from __future__ import annotations

import html
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairstats.errors import FileError, listing, not_installed, visible
from fairstats.files import check_kept, file_path
from fairstats.marks import GENERATOR, LATEX, MARKDOWN, check_overwriting
from fairstats.replacing import atomic_write
from fairstats.reporting.display import table_html
from fairstats.reporting.exports.blocks import Block, Box, Grid, Paragraph
from fairstats.reporting.exports.console import plain
from fairstats.reporting.exports.latex import headed, latex
from fairstats.reporting.exports.markdown import markdown
from fairstats.reporting.exports.spreadsheet import comma_separated, workbook
from fairstats.reporting.exports.word import word
from fairstats.reporting.tables import Table

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class ResultTable:
    """A table of a result: print it, see it in a notebook, or write it with ``save``."""

    shown: Table  # caption, headings, cells as text, note
    sources: tuple[str, ...] = ()  # SHA-256 of what the result was read from: no file of these is written over
    created: str = ""  # of the result, ISO 8601

    @property
    def caption(self) -> str:
        """What the table shows."""
        return self.shown.caption

    @property
    def note(self) -> str:
        """The footnote: methods, and what is missing."""
        return self.shown.note

    def to_frame(self) -> pd.DataFrame:
        """The cells as text in a pandas frame; ``result.tidy()`` has the numbers."""
        import pandas as pd

        return pd.DataFrame(list(self.shown.rows), columns=_names(self.shown), dtype=object)

    def to_html(self) -> str:
        """One ``<table>`` with its styles on the elements, and the note below; what comes from data is escaped."""
        style = "margin:0.3em 0;font-size:0.9em;opacity:0.75"
        below = f'<p style="{style}">{html.escape(visible(self.note))}</p>' if self.note else ""
        return f'<div style="overflow-x:auto">{table_html(self.shown)}{below}</div>'

    def to_latex(self) -> str:
        """A ``table`` environment for the packages booktabs and textcomp."""
        return latex(self.shown)

    def to_markdown(self) -> str:
        """GitHub-flavored Markdown, which pandoc and Quarto read."""
        return markdown(_blocks(self.shown), lambda name: ("", ""))

    def to_csv(self) -> str:
        """Comma-separated text, cells as shown; before a formula of a spreadsheet stands an apostrophe."""
        return comma_separated(self.shown)

    def to_gt(self) -> Any:
        """The table as a ``great_tables.GT``, to be styled further.

        Raises
        ------
        DependencyError
            If great_tables is missing (extra ``tables``).
        """
        try:
            from great_tables import GT
        except ImportError as missing:
            raise not_installed("to_gt()", "great_tables", "tables") from missing
        frame = self.to_frame().map(visible)
        frame.columns = [f"c{place}" for place in range(frame.shape[1])]
        numbers = [name for name, h in zip(frame.columns, self.shown.headings, strict=True) if h.kind == "number"]
        others = [name for name in frame.columns if name not in numbers]
        made = GT(frame).tab_header(title=visible(self.caption))
        made = made.cols_label(**dict(zip(frame.columns, map(headed, self.shown.headings), strict=True)))
        made = made.cols_align(align="right", columns=numbers).cols_align(align="left", columns=others)
        return made.tab_source_note(visible(self.note)) if self.note else made

    def to_docx(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Write a Word document that holds the table, whole or not at all (extra ``tables``)."""
        return self._written(path, ".docx", overwrite)

    def to_xlsx(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Write an Excel file in which numbers are numbers and no text is a formula (extra ``tables``)."""
        return self._written(path, ".xlsx", overwrite)

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Write the table to a file, in the form that its ending names; an input of the result is never written over.

        Parameters
        ----------
        path : str or path
            Ending in .html, .tex, .md, .txt, .csv, .docx or .xlsx.
        overwrite : bool
            Whether a file that fairstats did not write is replaced; an earlier table of ours always is.

        Returns
        -------
        Path

        Raises
        ------
        FileError
            If the ending is another, the folder is missing, or the file holds what the result was made of, or what
            fairstats did not write.
        DependencyError
            .docx and .xlsx need the extra ``tables``.
        """
        return self._written(path, Path(file_path("path", path)).suffix.lower(), overwrite)

    def _written(self, path: str | os.PathLike[str], suffix: str, overwrite: bool) -> Path:
        target = Path(file_path("path", path))
        if suffix not in WRITERS or target.suffix.lower() != suffix:
            wanted = listing(WRITERS, 9) if suffix not in WRITERS else suffix
            raise FileError(f"path has {os.fspath(path)!r}; such a table is written to a file ending in {wanted}.")
        check_kept([target], self.sources)
        content = WRITERS[suffix](self)
        check_overwriting([target], overwrite, {str(target): content})
        atomic_write(target, content)
        return target

    def __str__(self) -> str:
        return plain(self.shown)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return self.to_html()


def _names(table: Table) -> list[str]:
    """Headings with their units, each once."""
    names: list[str] = []
    for heading in table.headings:
        name = headed(heading)
        names.append(name if name not in names else f"{name} {names.count(name) + 1}")
    return names


def _blocks(table: Table) -> list[Block]:
    numbers = [heading.kind == "number" for heading in table.headings]
    head = [Box(headed(h), header=True, number=number) for h, number in zip(table.headings, numbers, strict=True)]
    body = [[Box(visible(c), number=number) for c, number in zip(row, numbers, strict=True)] for row in table.rows]
    note: list[Block] = [Paragraph(visible(table.note), "note")] if table.note else []
    return [Grid(visible(table.caption), [head], body), *note]


def _document(made: ResultTable) -> bytes:
    created = made.created or "1980-01-01T00:00:00+00:00"
    return word(_blocks(made.shown), lambda name: None, title=made.caption, author="", created=created)


WRITERS: dict[str, Callable[[ResultTable], bytes]] = {
    ".html": lambda made: f'<!doctype html>\n<meta charset="utf-8">\n{GENERATOR}\n{made.to_html()}\n'.encode(),
    ".tex": lambda made: (LATEX + made.to_latex()).encode(),
    ".md": lambda made: (made.to_markdown() + MARKDOWN).encode(),
    ".txt": lambda made: f"{made}\n".encode(),
    ".csv": lambda made: made.to_csv().encode(),
    ".docx": _document,
    ".xlsx": lambda made: workbook(made.shown),
}
