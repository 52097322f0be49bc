"""Figures that R draws, shown in notebooks and written to files."""

from __future__ import annotations

import base64
import html
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairstats.arguments import between, text, whole
from fairstats.errors import FileError, InputError
from fairstats.files import file_path
from fairstats.r.sessions import session
from fairstats.replacing import atomic_write

# Each page a file; what the code's last expression makes visible is printed, as R's console does (ggplot2, lattice).
_DRAW = """
(function(code, width, height, values) {
  folder <- tempfile("pages")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  grDevices::svg(file.path(folder, "%06d.svg"), width, height, onefile = FALSE)
  device <- grDevices::dev.cur()
  grDevices::dev.control("enable")
  drawn <- FALSE
  tryCatch(
    {
      scope <- if (length(values)) list2env(values, parent = globalenv()) else globalenv()
      made <- withVisible(eval(parse(text = code, keep.source = FALSE, encoding = "UTF-8"), scope))
      if (made$visible && !is.null(made$value)) utils::capture.output(print(made$value))
      drawn <- !is.null(grDevices::recordPlot()[[1L]])
    },
    finally = if (device %in% grDevices::dev.list()) grDevices::dev.off(device)
  )
  pages <- if (drawn) sort(list.files(folder, full.names = TRUE)) # a device that nobody draws on leaves an empty one
  lapply(pages, function(page) paste(readLines(page, warn = FALSE, encoding = "UTF-8"), collapse = "\n"))
})(.code, .width, .height, .values)
"""


@dataclass(frozen=True)
class RPlot:
    """What R drew, a page an SVG text; notebooks show it."""

    pages: tuple[str, ...]
    alt: str

    def _repr_html_(self) -> str:
        # Images of their own: the names of their parts are the same in all that R draws, and must not meet.
        images = (base64.b64encode(page.encode()).decode() for page in self.pages)
        alt = html.escape(self.alt)
        return "".join(
            f'<p><img src="data:image/svg+xml;base64,{one}" alt="{alt}" style="max-width:100%"></p>' for one in images
        )

    def __repr__(self) -> str:
        return f"<RPlot: {len(self.pages)} page{'s' * (len(self.pages) != 1)}>"

    def save(self, path: str | os.PathLike[str], page: int = 1) -> Path:
        """Write one page to a file that ends in ``.svg``, whole or not at all.

        Parameters
        ----------
        path : str or path
            The file; its folder must exist.
        page : int
            Which page, from 1.

        Returns
        -------
        Path
        """
        target = Path(file_path("path", path))
        if target.suffix.lower() != ".svg":
            raise FileError(f"path has {os.fspath(path)!r}; a figure of R's is written as .svg; change its ending.")
        number = whole("page", page, 1, len(self.pages), "the pages that R drew")
        atomic_write(target, self.pages[number - 1].encode())
        return target


def plot(
    code: str, /, *, width: float = 7.0, height: float = 5.0, alt: str = "A figure drawn by R.", **values: Any
) -> RPlot:
    """Draw with R, by base graphics, grid, lattice or ggplot2.

    Parameters
    ----------
    code : str
        R code. What its last expression makes visible is printed, as at R's prompt: a ggplot is drawn.
    width, height : float
        In inches.
    alt : str
        What the figure shows, for those who do not see it.
    **values : any
        Variables of the code, as of `Session.eval`.

    Returns
    -------
    RPlot
        Notebooks show it; ``save(path)`` writes a page as SVG.

    Raises
    ------
    InputError
        The code drew nothing.
    RError
        R stopped.

    Examples
    --------
    >>> plot("plot(x, x^2)", x=[1, 2, 3])
    <RPlot: 1 page>
    """
    text("code", code, "pass R code that draws")
    sides = {"width": width, "height": height}
    size = {f".{side}": between(side, value, 0.1, 100, "pass inches", ends="[]") for side, value in sides.items()}
    drawn = session().eval(_DRAW, **{".code": code, ".values": values, **size})
    pages = (drawn,) if isinstance(drawn, str) else tuple(str(page) for page in drawn)
    if not pages:
        raise InputError(f"code={code!r} drew nothing; end it with a call that draws, or with a ggplot.")
    return RPlot(pages, text("alt", alt))
