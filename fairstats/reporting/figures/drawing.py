"""A figure as it is handed out: markup for the report's page; by itself for notebooks, documents and files."""

from __future__ import annotations

import base64
import html
import io
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairstats.errors import FileError, listing, visible
from fairstats.files import check_kept, check_target, file_path
from fairstats.language import Language, current, speaking
from fairstats.marks import check_overwriting
from fairstats.replacing import atomic_write
from fairstats.reporting.figures.plotted import painted, rendering
from fairstats.text import capital

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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

    @cached_property
    def figure(self) -> Figure | None:
        """The figure as matplotlib draws it, made when it is first asked for; None for a mark in a cell."""
        with speaking(self.language):
            return None if self.paint is None else painted(self.paint, self.width, self.height)

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Write the figure by itself, whole or not at all: text as outlines in SVG, so that it looks alike everywhere.

        Parameters
        ----------
        path : str or path
            Ends in .svg, .png (300 dots an inch) or .pdf.
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

        Examples
        --------
        >>> Drawing("d", "<svg></svg>", "A finding.", "Numbers.", 90.0).save("figure.jpeg")
        Traceback (most recent call last):
        fairstats.errors.FileError: path has 'figure.jpeg'; a figure is written as .svg, .png, .pdf; ...
        """
        target = Path(file_path("path", path))
        write = WRITERS.get(target.suffix.lower())
        if write is None:
            raise FileError(
                f"path has {os.fspath(path)!r}; a figure is written as {listing(WRITERS)}; change its ending."
            )
        check_target(target)
        check_kept([target], self.sources)
        check_overwriting([target], overwrite)
        atomic_write(target, write(self))
        return target

    def __repr__(self) -> str:
        return visible(f"<Drawing: {self.name}; {' '.join(self.caption.split())[:200]}>")

    def _repr_svg_(self) -> str:
        return standalone(self)

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        pixels = raster(self, SCREEN)
        width, height = (int.from_bytes(pixels[at : at + 4]) for at in (16, 20))  # of the header
        return pixels, {"width": round(width * 96 / SCREEN), "height": round(height * 96 / SCREEN)}

    def _repr_html_(self) -> str:
        # An image of its own: its ids, fonts and styles meet nothing of the page, and the page's nothing of it.
        source = base64.b64encode(standalone(self).encode()).decode()
        caption, alt = (html.escape(visible(text)) for text in (self.caption, self.alt))
        return (
            f'<figure style="margin:0;max-width:{self.width:g}mm">'
            f'<img src="data:image/svg+xml;base64,{source}" alt="{alt}" '
            f'style="width:{self.width:g}mm;max-width:100%;height:auto">'
            f'<figcaption style="font-size:0.9em">{caption}</figcaption></figure>'
        )


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


WRITERS: dict[str, Callable[[Drawing], bytes]] = {
    ".svg": lambda drawing: b'<?xml version="1.0" encoding="UTF-8"?>\n' + standalone(drawing).encode() + b"\n",
    ".png": lambda drawing: raster(drawing, PRINT),
    ".pdf": _pdf,
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
    return (
        f'{opening} role="img" aria-labelledby="{name}-title {name}-desc" stroke-linejoin="round">{label}{rest.strip()}'
    )
