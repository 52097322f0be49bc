"""Rendering: the Jinja environment, the self-contained page, and the PDF made of it."""

from __future__ import annotations

import base64
import html
import html as markup
import inspect
import io
import os
import re
import secrets
import string
import traceback
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import UTC, datetime
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from fairstats.document import Table
from fairstats.errors import (
    DependencyError,
    FileError,
    InputError,
    ignoring,
    listing,
    nearest,
    not_installed,
    visible,
    with_hint,
)
from fairstats.files import file_path
from fairstats.language import say
from fairstats.reporting.figures import style
from fairstats.reporting.figures.style import FONTS, Drawing
from fairstats.reporting.pdf import Finisher, closer, fuller, overflows, seldom, tighter
from fairstats.reporting.sketch import packaged
from fairstats.reporting.tables import AFTER_UNDERSCORE, size, widths
from fairstats.text import code_parts, listed
from fairstats.validation import most

try:
    import jinja2
    from jinja2 import nodes
    from jinja2.loaders import split_template_path
    from jinja2.runtime import BlockReference, LoopContext, Macro, markup_join
    from jinja2.sandbox import ImmutableSandboxedEnvironment, SecurityError
    from jinja2.utils import Cycler, Joiner, Namespace
    from jinja2.visitor import NodeTransformer
    from markupsafe import Markup, escape
except ImportError as missing:
    raise not_installed("a report", "jinja2", "report") from missing

# What a template may cost: turns of loops, calls and letters are counted, and what would outgrow them is refused.


LARGEST_POWER, LARGEST_BITS = 100, 4096
_WIDE = re.compile(r"\d{6,}|\{[^{}]*\{|%[-+ #0-9.]*\*")  # a width of six digits, or one that is no text of the template
_SIZED = ("ljust", "rjust", "center", "zfill", "expandtabs", "indent", "batch", "slice", "wordwrap")
_TURNS, _JOINED = "_turns", "_joined"


def coded(text: str) -> Markup:
    """Escaped text, the columns in it set as code.

    Examples
    --------
    >>> from fairstats.text import columns_as_code
    >>> with columns_as_code(["loan"]):
    ...     coded("`loan` < 1")
    Markup('<code>loan</code> &lt; 1')
    """
    parts = code_parts(text)
    return Markup("").join(Markup("<code>{}</code>").format(p) if i % 2 else escape(p) for i, p in enumerate(parts))


class Spending(ImmutableSandboxedEnvironment):
    """Jinja's sandbox, which bounds neither time nor memory, with both bounded by ``FAIRSTATS_MAX_TEMPLATE``."""

    intercepted_binops = frozenset({"**", "*", "+", "%"})

    def __init__(self, **options: Any) -> None:
        super().__init__(finalize=self._shown, **options)
        self.spent, self.most = 0, most("FAIRSTATS_MAX_TEMPLATE")
        self.filters[_TURNS], self.filters[_JOINED] = self._turns, self._joined
        self.filters["coded"] = coded
        for name in (*(n for n in _SIZED if n in self.filters), "format", "join"):
            self.filters[name] = self._bounded(name, self.filters[name])

    def spend(self, much: int) -> None:
        """Count what is done; OverflowError where it is more than a report can need."""
        self.spent += max(int(much), 1)
        if self.spent > self.most:
            raise OverflowError(
                f"more than {self.most} turns of loops, calls and letters (the variable FAIRSTATS_MAX_TEMPLATE of the "
                "environment says how many)"
            )

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        return _Counting().visit(tree)  # type: ignore[no-any-return]

    def _turns(self, value: Any) -> Any:
        entries = value if hasattr(value, "__len__") or isinstance(value, jinja2.Undefined) else list(value)
        self.spend(0 if isinstance(value, jinja2.Undefined) else len(entries))
        return entries

    def _joined(self, parts: list[Any]) -> str:
        self.spend(sum(len(part) for part in parts if isinstance(part, str)))
        return markup_join(parts)

    def _shown(self, value: Any) -> Any:
        self.spend(len(value) if isinstance(value, str) else 1)
        return value

    def call(__self, __context: Any, __obj: Any, *args: Any, **options: Any) -> Any:
        """Call what the sandbox lets a template call, and count it."""
        __self.spend(1)
        method = getattr(__obj, "__wrapped__", __obj)
        owner, name = getattr(method, "__self__", None), getattr(method, "__name__", "")
        if isinstance(owner, str):
            __self.spend(_size(name, owner, (*args, *options.values())))
        if __obj is __self.globals["range"]:
            __self.spend(len(range(*(int(part) for part in args))))
        return super().call(__context, __obj, *args, **options)

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Sums, products, powers and formats of sizes that a report can need."""
        if operator == "**" and not (abs(left) <= 1_000_000 and abs(right) <= LARGEST_POWER):
            raise OverflowError(f"a power above {LARGEST_POWER}")
        sizes = [len(part) for part in (left, right) if hasattr(part, "__len__")]
        if operator == "%" and isinstance(left, str):
            self.spend(_size("format", left, (right,)))
        elif operator == "*" and sizes:
            self.spend(sizes[0] * max(int(part) for part in (left, right) if not hasattr(part, "__len__")))
        elif sizes:
            self.spend(sum(sizes))
        elif any(isinstance(part, int) and part.bit_length() > LARGEST_BITS for part in (left, right)):
            raise OverflowError(f"a whole number of more than {LARGEST_BITS} bits")
        return super().call_binop(context, operator, left, right)

    def _bounded(self, name: str, result: Callable[..., Any]) -> Callable[..., Any]:
        """A filter that counts what it makes beforehand; what Jinja passes to it first is passed on."""
        passed = 0 if getattr(result, "jinja_pass_arg", None) is None else 1

        def bounded(*args: Any, **options: Any) -> Any:
            value, *rest = args[passed:]
            if name == "join" and not hasattr(value, "__len__"):
                value = list(value)
            if name == "join":
                separator = rest[0] if rest else options.get("d", "")
                self.spend(len(str(separator)) * len(value) + _letters(value))
            else:
                self.spend(_size(name, value if isinstance(value, str) else "", (*rest, *options.values())))
            return result(*args[:passed], value, *rest, **options)

        if passed:
            bounded.jinja_pass_arg = result.jinja_pass_arg  # type: ignore[attr-defined]
        return bounded


class _Counting(NodeTransformer):
    """Loops count their turns; ``~``, which no sandbox sees, counts its letters."""

    def visit_For(self, node: nodes.For) -> nodes.Node:
        self.generic_visit(node)
        node.iter = nodes.Filter(node.iter, _TURNS, [], [], None, None, lineno=node.lineno)
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:
        self.generic_visit(node)
        parts = nodes.List(node.nodes, lineno=node.lineno)
        return nodes.Filter(parts, _JOINED, [], [], None, None, lineno=node.lineno)


def _letters(parts: Any) -> int:
    """The letters of the texts in a list."""
    return sum(len(part) for part in parts if isinstance(part, str))


def _size(name: str, text: str, given: tuple[Any, ...]) -> int:
    """A bound of the letters that a method or filter of text makes.

    Examples
    --------
    >>> _size("ljust", "ab", (10,)), _size("replace", "aab", ("a", "xyz"))
    (12, 9)
    """
    if name in ("format", "format_map"):
        if _WIDE.search(text):
            raise OverflowError(
                f"a format with a width of more than five digits, or one that is computed: {text[:40]!r}"
            )
        return len(text) + sum(len(part) for part in given if isinstance(part, str))
    if name in _SIZED:
        widths = [int(part) for part in given if isinstance(part, (int, float)) and not isinstance(part, bool)]
        widths += [len(part) for part in given if isinstance(part, str)]  # put before lines, or between them
        places = {"indent": text.count("\n"), "wordwrap": len(text)}.get(name, text.count("\t"))
        return len(text) + max([*widths, 0]) * (1 + places)
    if name == "replace" and len(given) > 1:
        return len(text) + text.count(str(given[0])) * len(str(given[1]))
    if name == "join" and given and hasattr(given[0], "__len__"):
        return (len(text) + 1) * len(given[0]) + _letters(given[0])
    if name == "translate" and given and isinstance(given[0], dict):
        return len(text) * max((len(str(part)) for part in given[0].values()), default=1)
    return len(text)


# What a template may do: read values, loop, include; nothing that acts, and nothing that switches escaping off.


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
        kept += [name for name, _ in inspect.getmembers(type(value), lambda part: isinstance(part, property))]
        laid = {"size": size(value), "widths": widths(value)} if isinstance(value, Table) else {}
        return SimpleNamespace(**{name: plain(getattr(value, name)) for name in kept}, **laid)
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    raise TypeError(f"a {type(value).__name__} among the words of a report")


def svg(drawing: Any) -> Markup:
    """A drawing's markup, which the package made and escaped; nothing else is ever marked safe."""
    if not isinstance(drawing, Picture):
        raise InputError("svg() was given something that is no drawing; pass the drawing, as in svg(findings.figure).")
    colored = _COLORS.sub(lambda result: f"var(--{TOKENS[result[0]]},{result[0]})", drawing.svg)
    return Markup(_DRAWN.sub(lambda tag: _QUOTED.sub(r"=\1", tag[0]), colored))


def translated(message: Any) -> str:
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
    return Markup("'" + _PLAIN.sub(lambda result: f"\\{ord(result[0]):x} ", "".join(str(text))) + "'")


_WITHIN_NAMES = re.compile(AFTER_UNDERSCORE)


def breakable(text: Any) -> Markup:
    """A text whose lines may end after the underscores of a column's name, never within a word of it.

    Examples
    --------
    >>> breakable("decile_score < 5")
    Markup('decile_<wbr>score &lt; 5')
    """
    return Markup("<wbr>").join(_WITHIN_NAMES.split("".join(str(text))))


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
        self.globals["say"] = translated
        self.globals["quoted"] = quoted
        self.globals["breakable"] = breakable
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
        if obj in (svg, translated, quoted, breakable) or obj is self.globals["range"]:
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


# The faces of the page, cut down to the characters that it shows, inside its style sheet.


# face, weight, style, file
FACES = (
    ("Inter", 400, "normal", "Inter-Regular"),
    ("Inter", 600, "normal", "Inter-SemiBold"),
    ("Inter", 400, "italic", "Inter-Italic"),
)
FEATURES = ("kern", "mark", "mkmk", "ccmp", "locl", "tnum", "lnum", "case")  # what the styles ask for, and names need

# What pages in English and in German show, names of authors too, unless the data bring more: such faces ship,
# written by `tools/basic_faces.py`.
_ENGLISH = frozenset(map(chr, range(0x20, 0x7F))) | {
    *"\u2212\u2013\u2026\u00d7\u00b7\u00b1\u2264\u2265\u00a7\u00b2\u2019\u00a0\u2260éÉöÖøØ",
    *"\u2011\u2016\u2020\u2191\u2193\u25cf\u2080\u2081\u03c7\u03a7\u00b0",  # in sentences, marks and symbols of tests
}
BASIC = {"basic": _ENGLISH, "german": _ENGLISH | {*"äüÄÜß\u201e\u201c\u201d\u202f"}}
BASIC_FEATURES = ("kern", "tnum", "lnum")
_SLANTED = re.compile(r"font(?:-style)?:[^;{}]*\b(?:italic|oblique)\b|<(?:em|i|cite|dfn|var|address)\b")


def shown_characters(page: str) -> frozenset[str]:
    r"""Every character that the page may show: its text and its style sheets', in either case, and all of ASCII.

    Examples
    --------
    >>> "É" in shown_characters("<p>caf&eacute;</p>"), "•" in shown_characters('<style>li{content:"\\2022"}</style>')
    (True, True)
    """
    text = html.unescape(page)
    text += "".join(chr(int(code, 16)) for code in re.findall(r"\\([0-9a-fA-F]{2,5})", text))
    return frozenset({*text, *text.upper(), *text.lower(), *string.printable} - {*string.whitespace} | {" "})


def faces_css(page: str) -> str:
    """The packaged faces with the glyphs that a page shows; slanted ones where it asks for them.

    Examples
    --------
    >>> faces_css("<p>plain").count("@font-face"), faces_css("<p><em>slanted</em>").count("@font-face")
    (2, 3)
    """
    return fonts_css(shown_characters(page), bool(_SLANTED.search(page)))


@lru_cache(maxsize=8)
def fonts_css(characters: frozenset[str], slanted: bool = False) -> str:
    """The packaged faces as ``@font-face`` rules, with the glyphs of these characters.

    Examples
    --------
    >>> fonts_css(frozenset("abc")) == fonts_css(frozenset("xyz")) != fonts_css(frozenset("\u03b1"))
    True
    """
    lacking = {c for c in characters if packaged(c)}
    shipped = next((name for name, kept in BASIC.items() if lacking <= kept), "")
    rules = []
    for family, weight, slant, name in FACES:
        if slant == "italic" and not slanted:
            continue
        ready = FONTS / f"{name}.{shipped}.woff2"
        result = ready.read_bytes() if ready.is_file() else subset(name, characters)
        rules.append(
            f'@font-face{{font-family:"{family}";font-weight:{weight};font-style:{slant};'
            f'src:url(data:font/woff2;base64,{base64.b64encode(result).decode()}) format("woff2")}}'
        )
    return "\n".join(rules) + "\n"


def subset(name: str, characters: frozenset[str], features: tuple[str, ...] = FEATURES) -> bytes:
    """A packaged face with the glyphs of these characters only; the whole of it where fontTools cannot write WOFF2."""
    whole = (FONTS / f"{name}.woff2").read_bytes()
    try:
        import brotli  # noqa: F401  of which WOFF2 is made
        from fontTools import subset as cutting
    except ImportError:  # the page looks the same, and is larger
        return whole
    options: Any = cutting.Options(
        flavor="woff2", layout_features=list(features), notdef_outline=True, hinting=False, recalc_timestamp=False
    )
    font = cutting.load_font(io.BytesIO(whole), options)
    cutter = cutting.Subsetter(options)
    cutter.populate(text="".join(sorted(characters)))
    cutter.subset(font)
    result = io.BytesIO()
    cutting.save_font(font, result, options)
    return result.getvalue()


# Names in any script: what runs from right to left is isolated, what no packaged face has is drawn by a fallback.


_RTL = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
_SHAPED = f"{_RTL}\u0900-\u109f\u1780-\u17ff\u1800-\u18af\ua8e0-\ua8ff"  # and those of India and around it
_JOIN = r"[ \u00a0'\"()/\-]"


def _runs(letters: str) -> re.Pattern[str]:
    """Maximal pieces of text in some letters, with what joins their words, and the parenthesis that closes in them."""
    word = rf"[{letters}]+"
    return re.compile(rf"{word}(?:{_JOIN}+{word})*\)?")


RTL, SHAPED = _runs(_RTL), _runs(_SHAPED)
_PIECE = re.compile(r"<(style|title|svg)\b.*?</\1>|<[^<>]*>|([^<]+)", re.S)
_FIGURE = re.compile(r"(<figure\b.*?)(</figcaption>)", re.S)
_TEXT = re.compile(r"(<text\b[^<>]*>)([^<>]*)(</text>)")
BOXES = "fairstats boxes"
MOST_CODES = 40


def isolated(html: str) -> str:
    """Return the page with what runs from right to left in elements of its own, so that it moves nothing beside it.

    Examples
    --------
    >>> isolated("<p>against \u05d0\u05d1 (12)</p>")
    '<p>against <bdi>\u05d0\u05d1</bdi> (12)</p>'
    """
    if not RTL.search(html):
        return html

    def piece(result: re.Match[str]) -> str:
        return RTL.sub(lambda run: f"<bdi>{_closed(run[0])}", result[2]) if result[2] else result[0]

    return _PIECE.sub(piece, html)


def _closed(run: str) -> str:
    """A run with its end; a parenthesis that was not opened in it stands after it."""
    if run.endswith(")") and run.count("(") < run.count(")"):
        return f"{run[:-1]}</bdi>)"
    return f"{run}</bdi>"


def keyed(html: str) -> str:
    """Return the page with numbers in place of the names in figures that need shaping, and the names in the captions.

    Examples
    --------
    >>> keyed("<figure><svg><text>\u05d0\u05d1 (n = 3)</text></svg><figcaption>c</figcaption></figure>")
    '<figure><svg><text>#1 (n = 3)</text></svg><figcaption>c Names: #1 <bdi>\u05d0\u05d1</bdi>.</figcaption></figure>'
    """

    def one(result: re.Match[str]) -> str:
        names: dict[str, str] = {}
        body = _TEXT.sub(lambda t: t[1] + numbered(t[2], names, SHAPED) + t[3], result[1])
        if not names:
            return result[0]
        text = ", ".join(f"{key} <bdi>{name}</bdi>" for name, key in names.items())
        return f"{body} {say('Names: {names}.', names=text)}{result[2]}"

    return _FIGURE.sub(one, html) if SHAPED.search(html) else html


def numbered(text: str, names: dict[str, str], runs: re.Pattern[str]) -> str:
    """The text with a number in place of each name that is not drawn; ``names`` learns which stands for which.

    Examples
    --------
    >>> numbered("\u05d0\u05d1 (n = 3)", {}, SHAPED)
    '#1 (n = 3)'
    """

    def number(run: re.Match[str]) -> str:
        name = run[0].removesuffix(")") if run[0].count("(") < run[0].count(")") else run[0]
        key = names.setdefault(name, f"#{len(names) + 1}")
        return key + run[0][len(name) :]

    return runs.sub(number, text)


def undrawn(text: str) -> re.Pattern[str]:
    """Names in a text that need shaping, or a face which neither the package nor matplotlib brings."""
    return _runs(_SHAPED + "".join(map(re.escape, of_the_machine(text))))


def fallback_css(html: str) -> str:
    """Return the face of characters that the page shows and the packaged faces lack, "" where there are none such."""
    wanted = {c for c in markup.unescape(html) if ord(c) > 0x2FF and not packaged(c)}
    if not wanted or find_spec("matplotlib") is None:  # whose face this is: without it the reader's own are taken
        return ""
    result = wanted & _in(_fallback())
    return _face("DejaVu Sans", _cut(_fallback(), result)) if result else ""


def unfaced(html: str) -> list[str]:
    """Return the characters of a page that no packaged face has, nor any face of this machine.

    Examples
    --------
    >>> unfaced("<p>plain, \u05d0, \U0010fff0</p>")
    ['\U0010fff0']
    """
    lacking = of_the_machine(html)
    if lacking and find_spec("matplotlib") is not None:
        return sorted({*lacking} - _on_this_machine(tuple(lacking)))
    return lacking


def of_the_machine(html: str) -> list[str]:
    """Return the characters of a page that only a face of the machine can draw."""
    lacking = {c for c in markup.unescape(html) if ord(c) > 0x2FF and not c.isspace() and not packaged(c)}
    lacking -= set("\u200b\u200c\u200d\u200e\u200f\u2060\ufe0e\ufe0f\ufeff")
    return sorted(lacking if find_spec("matplotlib") is None else lacking - _in(_fallback()))


def boxed(html: str) -> str:
    """Return the page with a box for every character that no face at hand has, and a line that says so.

    A box is seen, blank paper is not.
    """
    missing = unfaced(html)
    if not missing:
        return html
    codes = ", ".join(f"U+{ord(c):04X}" for c in missing[:MOST_CODES]) + (" ..." if len(missing) > MOST_CODES else "")
    drawn = say("Drawn as boxes, because no face at hand has them: {codes}.", codes=codes)
    text = f'<p class="note">{drawn}</p>'
    if scripts := scripts_of(missing):
        fonts = {f"Noto Sans {_FAMILIES.get(script, script)}": None for script in scripts}
        lacking = say(
            "Names in these scripts cannot be drawn by any font at hand: {scripts}. Install a font that has them, for "
            "example {fonts}; the text of this file holds the names.",
            scripts=listed(scripts),
            fonts=listed(list(fonts)),
        )
        first, section, others = html.partition('<section id="findings"')  # which own templates may leave out
        html = first + section + others.replace("</section>", f'<p class="note">{lacking}</p>\n</section>', 1)
    page = html.replace("sans-serif", f'sans-serif, "{BOXES}"')
    page = page.replace("</head>", f"<style>{boxes_css(missing)}</style>\n</head>", 1)
    return page.replace('<div class="signature">', f'{text}\n<div class="signature">', 1)


_FAMILIES = {"Cjk": "CJK", "Hiragana": "CJK", "Katakana": "CJK", "Hangul": "CJK"}  # scripts that share a font


def scripts_of(characters: Iterable[str]) -> list[str]:
    """The scripts of letters, by the names of their characters.

    >>> scripts_of("\u0939\u093f"), scripts_of("\U0010fff0")
    (['Devanagari'], [])
    """
    named = (unicodedata.name(c, "").split(" ")[0] for c in characters if unicodedata.category(c)[0] in "LM")
    return list(dict.fromkeys(name.capitalize() for name in named if name))


def boxes_css(characters: Iterable[str]) -> str:
    """Return a face that draws each of these characters as a box: that something stands there is seen."""
    missing = sorted(set(characters))
    return _face(BOXES, _boxes(missing)) if missing else ""


def _fallback() -> Path:
    import matplotlib

    return Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"


@cache
def _in(font: Path) -> frozenset[str]:
    """The characters that a face has."""
    from matplotlib.ft2font import FT2Font

    return frozenset(map(chr, FT2Font(io.BytesIO(font.read_bytes())).get_charmap()))


@cache
def _on_this_machine(characters: tuple[str, ...]) -> frozenset[str]:
    from matplotlib.font_manager import findSystemFonts
    from matplotlib.ft2font import FT2Font

    names: set[str] = set()
    for path in findSystemFonts():
        try:
            face = FT2Font(io.BytesIO(Path(path).read_bytes()))
        except (OSError, RuntimeError):  # a file that is no face of this library
            continue
        names |= {c for c in characters if face.get_char_index(ord(c))}
    return frozenset(names)


def _cut(font: Path, characters: set[str]) -> bytes:
    from fontTools import subset

    options: Any = subset.Options(layout_features=["*"], hinting=False, recalc_timestamp=False, notdef_outline=True)
    options.drop_tables += ["FFTM"]
    face = subset.load_font(io.BytesIO(font.read_bytes()), options)
    cutter = subset.Subsetter(options)
    cutter.populate(text="".join(sorted(characters)))
    cutter.subset(face)
    result = io.BytesIO()
    face.save(result)
    return result.getvalue()


def _boxes(characters: list[str]) -> bytes:
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    def box(left: int) -> Any:
        pen = TTGlyphPen(None)
        for corners in ([(60, 0), (60, 700), (540, 700), (540, 0)], [(120, 60), (480, 60), (480, 640), (120, 640)]):
            pen.moveTo((corners[0][0] + left, corners[0][1]))
            for x, y in corners[1:]:
                pen.lineTo((x + left, y))
            pen.closePath()
        return pen.glyph()

    built = FontBuilder(1000, isTTF=True)
    names = {ord(c): f"box{i}" for i, c in enumerate(characters)}  # a glyph each: the text of a PDF is read from them
    built.setupGlyphOrder([".notdef", "space", *names.values()])  # a space after a box is drawn in its face
    built.setupCharacterMap({0x20: "space", **names})
    marks = {name for code, name in names.items() if unicodedata.category(chr(code)) == "Mn"}  # over the letter before
    boxes = {name: box(-600 if name in marks else 0) for name in (".notdef", *names.values())}
    built.setupGlyf({"space": TTGlyphPen(None).glyph(), **boxes})
    metrics = {name: (0, -540) if name in marks else (600, 60) for name in names.values()}
    built.setupHorizontalMetrics({".notdef": (600, 60), "space": (280, 0), **metrics})
    built.setupHorizontalHeader(ascent=900, descent=-250)
    built.setupNameTable({"familyName": BOXES, "styleName": "Regular"})
    built.setupOS2()
    built.setupPost()
    built.font["head"].created = built.font["head"].modified = 0
    result = io.BytesIO()
    built.font.recalcTimestamp = False
    built.save(result)
    return result.getvalue()


def _face(family: str, font: bytes) -> str:
    data = base64.b64encode(font).decode()
    return f'@font-face{{font-family:"{family}";src:url(data:font/ttf;base64,{data}) format("truetype")}}\n'


# Inside the page only: its styles, and fonts and pictures that are in it. No script, no address, no form.
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:; base-uri 'none'; form-action 'none'"
)
_PACKAGE = Path(__file__).resolve().parents[1]


def template_folders() -> list[Path]:
    """Where the package's own templates are: in a wheel inside it, in a checkout beside it."""
    return [p for p in (_PACKAGE / "_templates", _PACKAGE.parent / "templates") if (p / "report.html.j2").is_file()]


def environment(folder: str | os.PathLike[str] | None = None) -> Environment:
    """The environment that every template is rendered in.

    What is shown is always escaped: autoescaping has no switch, no filter and no method that marks text as safe.
    Undefined names are errors, templates get values without methods that act, and they can call macros, ``svg`` and
    the methods of text, lists and dictionaries. Lookup goes through the user's folder first, then the package's; the
    package's own file stays reachable as ``fairstats/<name>``.

    Raises DependencyError: Jinja is not installed.
    Raises FileError: ``folder`` is not a folder.

    >>> environment().from_string("{{ name }}").render(name="<b>")
    '&lt;b&gt;'
    """
    return _environment(folder)[0]


def _environment(folder: str | os.PathLike[str] | None) -> tuple[Environment, list[Folder]]:
    if folder is not None and not os.path.isdir(file_path("templates", folder)):
        raise FileError(f"templates is {os.fspath(folder)!r}; that is not a folder; pass the folder of your templates")
    current = Folder(template_folders())
    folders = [current] if folder is None else [Folder(folder), current]
    loader = jinja2.ChoiceLoader([*folders, jinja2.PrefixLoader({"fairstats": current})])
    env = Environment(loader)
    env.bytecode_cache = _COMPILED
    return env, folders


class _Compiled(jinja2.BytecodeCache):
    """Templates compiled once in a process: each is known by its name, its path and the hash of its text."""

    def __init__(self) -> None:
        self.known: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Any) -> None:
        if code := self.known.get(f"{bucket.key} {bucket.checksum}"):
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Any) -> None:
        """Keep what was compiled; a process that is given ever new templates does not grow without end."""
        if len(self.known) < MOST_COMPILED:
            self.known[f"{bucket.key} {bucket.checksum}"] = bucket.bytecode_to_string()


MOST_COMPILED = 500
_COMPILED = _Compiled()


def page(context: Mapping[str, Any], folder: str | os.PathLike[str] | None, preset: str) -> str:
    """The report as one HTML file.

    context: what the templates may use, as ``templates/README.md`` documents it.
    folder: the user's templates.
    preset: a file of ``presets/``, without its ending.

    >>> page({}, None, "fancy")
    Traceback (most recent call last):
    fairstats.errors.InputError: preset is 'fancy'; the presets are comparison, ...
    """
    return page_and_templates(context, folder, preset)[0]


MOST_PRESETS = 12  # that a message names, with those of a folder


def page_and_templates(
    context: Mapping[str, Any], folder: str | os.PathLike[str] | None, preset: str
) -> tuple[str, list[str]]:
    """What `page` returns, and the paths of the templates that it is made of."""
    env, folders = _environment(folder)
    items = [name[8:-8] for name in env.list_templates() if name.startswith("presets/") and name.endswith(".html.j2")]
    if preset not in items:
        raise InputError(
            with_hint(
                f"preset is {preset!r}; the presets are {listing(items, MOST_PRESETS)}",
                nearest(preset, items),
                "a file of your own goes to presets/ in the folder of templates",
            )
        )

    words = plain(context)
    try:
        # The faces hold what the page shows, which is known when it is made; no data can spell the mark of their place.
        place = f"/*{secrets.token_hex(16)}*/"
        html = env.get_template(f"presets/{preset}.html.j2").render(fonts_css=Markup(place), **words)
        html = html.replace(place, faces_css(html)) if place in html else html
    except Exception as problem:
        raise error_of(problem, [path for one in folders for path in one.read]) from problem
    # What comes from the data was escaped; characters that act without any markup are shown by their codes.
    return _lean(with_scripts(_with_policy(visible(html)))), [path for one in folders for path in one.read]


_STYLES = re.compile(r"(<style[^<>]*>)(.*?)(?=</style>)", re.S)
_SPACE = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|/\*.*?\*/|\s*([{};,>])\s*|(:)\s+|\s+""", re.S)


def _lean(html: str) -> str:
    """The page with tight style sheets, and without the colors for the case that these do not name them."""

    page = _STYLES.sub(_tight, html)
    for color, name in TOKENS.items():
        if f"--{name}:" in page:
            page = page.replace(f"var(--{name},{color})", f"var(--{name})")
    return page


def _tight(sheet: re.Match[str]) -> str:
    """A style sheet without comments and without space that says nothing; its strings as they are."""

    def piece(result: re.Match[str]) -> str:
        return result[1] or result[2] or result[3] or ("" if result[0].startswith("/*") else " ")

    return sheet[1] + _SPACE.sub(piece, sheet[2]).replace(";}", "}").strip()


def _with_policy(html: str) -> str:
    """The page with the policy that lets a browser load and run nothing, before anything else that it reads."""
    start = re.match(r"\s*(?:<!--(?:(?!-->).)*-->\s*)*<!doctype html>\s*<html[^<>]*>\s*<head>", html, re.I | re.S)
    if start is None:
        raise InputError(
            "the page does not begin with <!doctype html><html ...><head>, where the policy that keeps it from loading "
            "and running anything belongs; begin your report.html.j2 with these"
        )
    return f'{html[: start.end()]}\n<meta http-equiv="Content-Security-Policy" content="{POLICY}">{html[start.end() :]}'


def with_scripts(html: str) -> str:
    """The page with names in any script: right to left isolated, and a face for what the packaged ones lack."""
    face = fallback_css(html)
    return isolated(html.replace("</head>", f"<style>{face}</style>\n</head>", 1) if face else html)


@dataclass(frozen=True)
class Attached:
    """A file inside the PDF."""

    name: str
    content: str
    description: str


def pdf(html: str, attached: tuple[Attached, ...], created: str, identifier: str) -> bytes:
    """The page as a tagged PDF/A-3a and PDF/UA-1 with its results attached; the same input gives the same bytes.

    html: what `page` returned.
    attached: files to put inside.
    created: ISO 8601; every date in the file.
    identifier: the file's identifier.
    Raises DependencyError: WeasyPrint or a library of it is not installed.
    Raises FileError: a template asks for a file or an address: nothing outside the page is ever read.

    >>> pdf("<html lang=en><title>t</title><p>text", (), "2024-01-01T00:00:00+00:00", "id")[:4]
    b'%PDF'
    """
    try:
        import weasyprint
    except ImportError as missing:
        raise not_installed("a PDF", "weasyprint", "report") from missing
    except OSError as missing:
        raise DependencyError(
            "a PDF needs Pango, a library of the system, which WeasyPrint does not find; on Debian: sudo apt-get "
            "install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0."
        ) from missing
    if (
        int(weasyprint.__version__.partition(".")[0]) < 70
    ):  # before it a PDF holds addresses of memory: none is made again
        raise DependencyError("a PDF needs WeasyPrint 70 or newer: pip install --upgrade weasyprint.")
    from weasyprint.urls import FatalURLFetchingError

    moment = datetime.fromisoformat(created).astimezone(UTC)
    fetcher = _fetcher()
    files = [
        weasyprint.Attachment(
            string=f.content,
            base_url=None,
            name=f.name,
            description=f.description,
            created=moment,
            modified=moment,
            relationship="Data",
            url_fetcher=fetcher,
        )
        for f in attached
    ]
    try:
        # WeasyPrint 70 opens its own color profile and leaves it to the garbage collector.
        with seldom(), ignoring(ResourceWarning, "unclosed file .*sRGB"):
            page = _resolved(html)
            sheet = weasyprint.HTML(string=page, base_url=None, url_fetcher=fetcher)
            arguments: dict[str, Any] = {
                "attachments": files,
                "pdf_variant": "pdf/a-3a",
                "pdf_identifier": identifier.encode(),
                "pdf_tags": True,
            }
            laid = sheet.render(**arguments)
            for again in (fuller, tighter, closer):
                if overflows(laid):
                    page = again(_resolved(html))
                    laid = weasyprint.HTML(string=page, base_url=None, url_fetcher=fetcher).render(**arguments)
            if len(laid.pages) > MOST_WITHOUT_CONTENTS and _HIDDEN in page:
                page = page.replace(_HIDDEN, 'class="contents"')
                laid = weasyprint.HTML(string=page, base_url=None, url_fetcher=fetcher).render(**arguments)
            return bytes(laid.write_pdf(finisher=Finisher(html), **arguments))
    except FatalURLFetchingError as blocked:
        raise FileError(f"{blocked}; a report holds everything itself: put the content into the template") from blocked


MOST_WITHOUT_CONTENTS = 4  # pages
# a unit, in which no line ends: 23.5 EUR/h, (EUR/h)
_UNIT = re.compile(r"""((?:\d\s[^\s/<>&;="']{1,8}|[\s(](?:[A-Z]{3}|[€$£]))/)(?=[^\W\d]{1,8}\b)""")
_HIDDEN = 'class="contents short"'


def _resolved(html: str) -> str:
    """The page with its variables in place: WeasyPrint knows none in drawings, nor at the edges of pages."""
    printed = re.sub(r'<style media="screen">.*?</style>', "", html, flags=re.S)
    sheets = "".join(re.findall(r"<style[^>]*>(.*?)</style>", printed, re.S))
    values: dict[str, str] = dict(re.findall(r"--([\w-]+):\s*([^;{}<>]+)(?=[;}])", sheets))
    named = re.compile(r"var\(--([\w-]+)(?:,([^()]*))?\)")
    page = named.sub(lambda result: values.get(str(result[1]), str(result[2] or result[0])), printed)
    page = _UNIT.sub("\\1\N{WORD JOINER}", page)
    return keyed(boxed(_SVG.sub(lambda drawn: _STYLE.sub(_attributes, drawn[0]), page)))


_SVG, _STYLE = re.compile(r"<svg\b.*?</svg>", re.S), re.compile(r' style="([^"]*)"')


def _attributes(style: re.Match[str]) -> str:
    """A style of a drawing as attributes, which WeasyPrint reads without its parser of style sheets: half the time."""
    pairs = (pair.split(":", 1) for pair in style[1].split(";") if ":" in pair)
    return "".join(f' {name.strip()}="{value.strip()}"' for name, value in pairs)


def _fetcher() -> Any:
    """A fetcher for what is inside the page; WeasyPrint's own would read files of this machine and embed them."""
    from weasyprint.urls import FatalURLFetchingError, URLFetcher

    class InsideOnly(URLFetcher):  # type: ignore[misc]
        def fetch(self, url: str, headers: Any = None) -> Any:
            if not url.startswith("data:"):
                raise FatalURLFetchingError(f"a template asks for {url[:80]!r}")
            return super().fetch(url, headers)

    return InsideOnly(allowed_protocols=("data",))
