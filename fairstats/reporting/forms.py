"""The forms of a report: each is made when it is first asked for, and once; files that belong together are one form."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fairstats.auditing.words import cautions
from fairstats.comparing import text
from fairstats.errors import FairstatsWarning, escaped_json, visible
from fairstats.language import language, say, speaking
from fairstats.marks import MARKDOWN
from fairstats.reporting.bundle import Bundle
from fairstats.reporting.exports.blocks import Block, blocks
from fairstats.reporting.figures.drawing import Drawing, raster
from fairstats.reporting.render import Attached, page_and_templates, pdf
from fairstats.reporting.written import software, with_data
from fairstats.vocabulary import recorded, recorded_of_fits

TEMPLATES = (
    cautions,
    text,
    recorded,
    recorded_of_fits,
)  # of what results hold: here, so that a page of a loaded result knows them

Target = str | os.PathLike[str]
DOTS = 200  # an inch, of figures in documents
ALONE = Path("-")  # standard output: a text whose figures are words
FILES = "_files"  # the folder of a document's figures: its name without the suffix, and this


class Contents:
    """What a report is made of: the results, and from them only the forms that somebody wants."""

    def __init__(
        self,
        bundle: Bundle,
        context: Callable[[Bundle, str], dict[str, Any]],
        preset: str,
        templates: Target | None,
        software: Mapping[str, str] | None = None,
    ) -> None:
        """With ``software`` a file is made again: that is what it says of what wrote it."""
        self.bundle, self.preset, self.templates, self.software = bundle, preset, templates, software
        self.language = language(bundle.language)
        self._context = context

    @cached_property
    def pictured(self) -> bool:
        """Whether figures can be files of pixels, which matplotlib writes; where not, a text has their words."""
        if find_spec("matplotlib") is not None:
            return True
        warnings.warn(
            "the figures of the report are given in words: matplotlib is not installed (part of the extra report).",
            FairstatsWarning,
            stacklevel=2,
        )
        return False

    @cached_property
    def context(self) -> dict[str, Any]:
        """What templates may use."""
        with speaking(self.language):
            return self._context(self.bundle, self.preset)

    @cached_property
    def rendered(self) -> tuple[str, list[str]]:
        """The page without its data, and the templates that it is made of."""
        context = self.context
        with speaking(self.language):
            return page_and_templates(context, self.templates, self.preset)

    def results(self, form: str = "json") -> str:
        """``results.json``, which also says how this form of the report was written: `verify` makes it again."""
        document = {**self.bundle.document, "software": self.software or software(form)}
        if form != "json":
            own = self.templates is not None
            document["pages"] = {"preset": self.preset, "own_templates": own, "about": dict(self.bundle.about)}
        return escaped_json(json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1)) + "\n"

    @cached_property
    def html(self) -> str:
        """The page with its data."""
        page = self.rendered[0]
        with speaking(self.language):
            return with_data(page, self.results("html"))

    @cached_property
    def pdf(self) -> bytes:
        """The pages, with the results attached."""
        with speaking(self.language):
            numbers, rows = say("Every number of the report"), say("Every estimate, one row each")
        attached = (
            Attached("results.json", self.results("pdf"), numbers),
            Attached("results.csv", self.bundle.csv, rows),
        )
        page = self.rendered[0]
        with speaking(self.language):
            return pdf(page, attached, self.bundle.created, self.bundle.id)

    @cached_property
    def blocks(self) -> list[Block]:
        """What the page says, for other programs."""
        return blocks(self.rendered[0])

    @cached_property
    def drawings(self) -> dict[str, Drawing]:
        """Every figure by its name."""
        return {drawing.name: drawing for drawing in _drawings(self.context)}

    @cached_property
    def pixels(self) -> dict[str, bytes]:
        """The figures that the page shows, as PNG."""
        shown = [block.name for block in self.blocks if hasattr(block, "name")]
        known = {name: self.drawings[name] for name in shown if name in self.drawings}
        with speaking(self.language):
            return {name: raster(drawing, DOTS) for name, drawing in known.items() if drawing.paint is not None}

    def instead(self, name: str) -> str:
        """The text that replaces a figure, on one line."""
        return visible(" ".join(self.drawings[name].alt.split())) if name in self.drawings else ""


def _drawings(value: Any) -> Iterator[Drawing]:
    if isinstance(value, Drawing):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _drawings(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _drawings(part)


def _one(make: Callable[[Contents], bytes]) -> Callable[[Contents, Path], dict[Path, bytes]]:
    return lambda contents, target: {target: make(contents)}


def _markdown(contents: Contents, target: Path) -> dict[Path, bytes]:
    from fairstats.reporting.exports.markdown import markdown

    folder, pictured = figures_folder(target), contents.pictured
    shown = contents.pixels if pictured and target != ALONE else {}
    files = {name: folder / f"{name}.png" for name in shown}

    def picture(name: str) -> tuple[str, str]:
        path = quote(f"{folder.name}/{name}.png") if name in files else ""
        return path, contents.instead(name)

    text = markdown(contents.blocks, picture)
    return {**{files[name]: pixels for name, pixels in shown.items()}, target: (text + MARKDOWN).encode()}


def _word(contents: Contents) -> bytes:
    from fairstats.reporting.exports.word import word

    def picture(name: str) -> tuple[bytes, str, float] | None:
        pixels = contents.pixels.get(name)
        return None if pixels is None else (pixels, contents.instead(name), contents.drawings[name].width)

    cover = contents.bundle
    title, author = visible(cover.title), visible(cover.auditor)
    tag = contents.language.tag
    return word(contents.blocks, picture, title=title, author=author, created=cover.created, language=tag)


def figures_folder(target: Path) -> Path:
    """Where the figures of a Markdown file are.

    Examples
    --------
    >>> figures_folder(Path("reports/audit.md")).as_posix()
    'reports/audit_files'
    """
    return target.with_name(f"{target.stem}{FILES}")


WRITERS: dict[str, Callable[[Contents, Path], dict[Path, bytes]]] = {
    ".html": _one(lambda contents: contents.html.encode()),
    ".pdf": _one(lambda contents: contents.pdf),
    ".docx": _one(_word),
    ".md": _markdown,
    ".json": _one(lambda contents: contents.results().encode()),
    ".csv": _one(lambda contents: contents.bundle.csv.encode()),
}
WITHOUT_PAGE = frozenset({".json", ".csv"})  # they need neither templates nor figures
