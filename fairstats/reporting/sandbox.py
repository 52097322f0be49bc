"""What a template may do: read values, loop, include; nothing that acts, and nothing that switches escaping off."""

from __future__ import annotations

import os
import re
import traceback
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jinja2
from jinja2 import nodes
from jinja2.loaders import split_template_path
from jinja2.runtime import BlockReference, LoopContext, Macro
from jinja2.sandbox import SecurityError
from jinja2.utils import Cycler, Joiner, Namespace
from markupsafe import Markup

from fairstats.errors import InputError
from fairstats.language import say
from fairstats.reporting.figures import style
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.spending import Spending

# safe says so; the others return markup of their own making, or of text that they unescape.
_FILTERS = ("safe", "striptags", "tojson", "urlize", "xmlattr")
_METHODS_OF = (str, dict, list, tuple, LoopContext, Cycler, Joiner)
# The colors of a figure are those of the page's style sheet, whatever a house or a dark screen makes of them.
TOKENS = {
    style.ACCENT: "accent",
    style.INK: "ink",
    style.GRAY: "quiet",
    style.PALE: "rule",
    style.BAND: "band",
    "#ffffff": "paper",
}
_COLORS = re.compile("|".join(TOKENS))
_DRAWN, _QUOTED = re.compile(r"<(?:g|text|path|circle|rect)\b[^<>]*>"), re.compile(r'="([\w.-]+)"(?=[ >])')
PICTURED = ("name", "svg", "caption", "alt", "width", "height")


class Picture(SimpleNamespace):
    """A drawing as templates see it: name, caption, alt, width, height, and the markup that only ``svg()`` inserts."""


def plain(value: Any) -> Any:
    """The value without anything that acts: text, numbers, lists, dictionaries, and names with these.

    Examples
    --------
    >>> plain({"rows": [("a", 1)], "name": Markup("<b>")})
    {'rows': [('a', 1)], 'name': '<b>'}
    """
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, str):
        return str.__str__(value) if type(value) is str else "".join(value)
    if isinstance(value, Mapping):
        return {plain(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(plain(part) for part in value) if type(value) in (list, tuple) else tuple(map(plain, value))
    if isinstance(value, Drawing):
        return Picture(**{name: plain(getattr(value, name)) for name in PICTURED})
    if is_dataclass(value) and not isinstance(value, type):
        kept = [f.name for f in fields(value)]
        kept += [name for name, part in vars(type(value)).items() if isinstance(part, property)]
        return SimpleNamespace(**{name: plain(getattr(value, name)) for name in kept})
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    raise TypeError(f"a {type(value).__name__} among the words of a report")


def svg(drawing: Any) -> Markup:
    """A drawing's markup, which the package made and escaped; nothing else is ever marked safe."""
    if not isinstance(drawing, Picture):
        raise InputError("svg() was given something that is no drawing; pass the drawing, as in svg(findings.figure).")
    colored = _COLORS.sub(lambda found: f"var(--{TOKENS[found[0]]},{found[0]})", drawing.svg)
    return Markup(_DRAWN.sub(lambda tag: _QUOTED.sub(r"=\1", tag[0]), colored))


def said(message: Any) -> str:
    """A message of the catalog in the language of the report; it has no places to fill."""
    text = "".join(str(message))
    return say(text)


_PLAIN = re.compile(r"[^\w ,.%()+\u2013\u2212-]")
_PERCENT = re.compile(r"(?<=\d) %")


def quoted(text: Any) -> Markup:
    """A text as a string of a style sheet, for an attribute or a sheet; what could end it there is written as its code.

    Examples
    --------
    >>> quoted("n, <b>'")
    Markup("'n, \\\\3c b\\\\3e \\\\27 '")
    """
    return Markup("'" + _PLAIN.sub(lambda found: f"\\{ord(found[0]):x} ", "".join(str(text))) + "'")


class Environment(Spending):
    """Jinja without the statements, filters and calls that act or that mark text as safe.

    A template may still write any markup of its own. Values get into the page by ``{{ }}`` only, and always escaped.
    """

    def __init__(self, loader: jinja2.BaseLoader) -> None:
        super().__init__(
            loader=loader, undefined=jinja2.StrictUndefined, autoescape=True, trim_blocks=True, lstrip_blocks=True
        )
        self.globals.pop("lipsum")
        self.globals["svg"] = svg
        self.globals["say"] = said
        self.globals["quoted"] = quoted
        for name in _FILTERS:
            del self.filters[name]
        # On markup, parts of another safe text could take the place of what was escaped.
        self.filters["replace"] = self._replaced

    def _replaced(self, value: Any, old: Any, new: Any, count: int | None = None) -> str:
        """The filter ``replace`` on text, which is escaped when it is shown."""
        text, old, new = ("".join(str(part)) for part in (value, old, new))
        self.spend(len(text) + text.count(old) * len(new))
        return text.replace(old, new, -1 if count is None else count)

    def _shown(self, value: Any) -> Any:
        """Text as a page shows it: no line begins with the per cent sign of a number before it."""
        value = super()._shown(value)
        return _PERCENT.sub("\N{NO-BREAK SPACE}%", value) if type(value) is str else value

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        for node in tree.find_all((nodes.EvalContextModifier, nodes.FilterBlock, nodes.AssignBlock)):
            if isinstance(node, nodes.AssignBlock) and node.filter is None:
                continue
            what = "autoescape" if isinstance(node, nodes.EvalContextModifier) else "a filter on a block"
            message = f"{what} is not available: what a report shows is always escaped"
            raise jinja2.TemplateSyntaxError(message, node.lineno, name, filename)
        return tree

    def is_safe_callable(self, obj: Any) -> bool:
        """Macros, blocks, our own functions, and methods of plain text, lists and dictionaries."""
        if isinstance(obj, (Macro, BlockReference, LoopContext, Cycler, Joiner)) or obj in (dict, Namespace):
            return True
        if obj in (svg, said, quoted) or obj is self.globals["range"]:
            return True
        method = getattr(obj, "__wrapped__", obj)  # the sandbox wraps str.format
        return type(getattr(method, "__self__", None)) in _METHODS_OF


class Folder(jinja2.FileSystemLoader):
    """Templates of one folder, and of no other: a link that leads out of it is refused; ``read`` says what was used."""

    def __init__(self, folders: Any) -> None:
        super().__init__(folders)
        self.read: list[str] = []

    def get_source(self, environment: jinja2.Environment, template: str) -> tuple[str, str, Any]:
        """The text of a template."""
        pieces = split_template_path(template)
        for base in self.searchpath:
            path = os.path.join(base, *pieces)
            if os.path.isfile(path):
                break
        else:
            raise jinja2.TemplateNotFound(template)
        if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(base)):
            raise InputError(f"template {path} is a link out of the folder of templates; put the file itself there")
        raw = Path(path).read_bytes()
        self.read.append(path)
        try:
            return raw.decode("utf-8"), path, None
        except UnicodeDecodeError as wrong:
            line = raw.count(b"\n", 0, wrong.start) + 1
            raise InputError(f"template {path}, line {line}: it is not UTF-8; save it as UTF-8") from None


def error_of(problem: Exception, read: list[str]) -> InputError:
    """One error with the template, the line and the way out, whatever a template ran into."""
    if isinstance(problem, InputError):
        return problem
    place = ""
    if isinstance(problem, jinja2.TemplateSyntaxError):
        place = f"{problem.filename or problem.name}, line {problem.lineno}"
    else:
        for frame in reversed(traceback.extract_tb(problem.__traceback__)):
            if frame.filename in read:
                place = f"{frame.filename}, line {frame.lineno}"
                break
    what = problem.message if isinstance(problem, jinja2.TemplateError) else str(problem)
    if isinstance(problem, jinja2.TemplateNotFound):
        what = f"there is no template {problem.name!r}"
    elif not isinstance(problem, (jinja2.TemplateError, SecurityError)):
        what = f"{type(problem).__name__}: {what}"
    what = (what or type(problem).__name__).splitlines()[0][:200].rstrip(".")
    return InputError(
        f"template {place or '(unknown)'}: {what}; correct the template (templates/README.md describes what it may use)"
    )
