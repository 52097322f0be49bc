"""Rendering: the Jinja environment, the self-contained page, and the PDF made of it."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairstats.errors import DependencyError, FileError, InputError, listing, nearest, not_installed, visible
from fairstats.files import file_path
from fairstats.quiet import ignoring
from fairstats.reporting.accessible_pdf import Finisher
from fairstats.reporting.collecting import seldom
from fairstats.reporting.faces import faces_css
from fairstats.reporting.overflow import closer, overflows, tighter
from fairstats.reporting.scripts import boxed, fallback_css, isolated, keyed

if TYPE_CHECKING:
    from fairstats.reporting.sandbox import Environment, Folder

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

    Parameters
    ----------
    folder : path, optional
        The user's folder of templates.

    Returns
    -------
    Environment

    Raises
    ------
    DependencyError
        Jinja is not installed.
    FileError
        ``folder`` is not a folder.

    Examples
    --------
    >>> environment().from_string("{{ name }}").render(name="<b>")
    '&lt;b&gt;'
    """
    return _environment(folder)[0]


def _environment(folder: str | os.PathLike[str] | None) -> tuple[Environment, list[Folder]]:
    try:
        import jinja2

        from fairstats.reporting import sandbox
    except ImportError as missing:
        raise not_installed("a report", "jinja2", "report") from missing

    if folder is not None and not os.path.isdir(file_path("templates", folder)):
        raise FileError(f"templates is {os.fspath(folder)!r}; that is not a folder; pass the folder of your templates")
    own = sandbox.Folder(template_folders())
    folders = [own] if folder is None else [sandbox.Folder(folder), own]
    loader = jinja2.ChoiceLoader([*folders, jinja2.PrefixLoader({"fairstats": own})])
    return sandbox.Environment(loader), folders


def page(context: Mapping[str, Any], folder: str | os.PathLike[str] | None, preset: str) -> str:
    """The report as one HTML file.

    Parameters
    ----------
    context : mapping
        What the templates may use, as ``templates/README.md`` documents it.
    folder : path or None
        The user's templates.
    preset : str
        A file of ``presets/``, without its ending.

    Returns
    -------
    str

    Raises
    ------
    InputError
        There is no such preset, or a template cannot be rendered.

    Examples
    --------
    >>> page({}, None, "fancy")
    Traceback (most recent call last):
    fairstats.errors.InputError: preset is 'fancy'; the presets are comparison, ...
    """
    return page_and_templates(context, folder, preset)[0]


def page_and_templates(
    context: Mapping[str, Any], folder: str | os.PathLike[str] | None, preset: str
) -> tuple[str, list[str]]:
    """What `page` returns, and the paths of the templates that it is made of."""
    env, folders = _environment(folder)
    known = [name[8:-8] for name in env.list_templates() if name.startswith("presets/") and name.endswith(".html.j2")]
    if preset not in known:
        raise InputError(
            f"preset is {preset!r}; the presets are {listing(known)}{nearest(preset, known)}; "
            "a file of your own goes to presets/ in the folder of templates"
        )
    from markupsafe import Markup

    from fairstats.reporting.sandbox import error_of, plain

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
    from fairstats.reporting.sandbox import TOKENS

    page = _STYLES.sub(_tight, html)
    for color, name in TOKENS.items():
        if f"--{name}:" in page:
            page = page.replace(f"var(--{name},{color})", f"var(--{name})")
    return page


def _tight(sheet: re.Match[str]) -> str:
    """A style sheet without comments and without space that says nothing; its strings as they are."""

    def piece(found: re.Match[str]) -> str:
        return found[1] or found[2] or found[3] or ("" if found[0].startswith("/*") else " ")

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

    Parameters
    ----------
    html : str
        What `page` returned.
    attached : tuple of Attached
        Files to put inside.
    created : str
        ISO 8601; every date in the file.
    identifier : str
        The file's identifier.

    Returns
    -------
    bytes

    Raises
    ------
    DependencyError
        WeasyPrint or a library of it is not installed.
    FileError
        A template asks for a file or an address: nothing outside the page is ever read.

    Examples
    --------
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
    try:
        from weasyprint.urls import FatalURLFetchingError
    except ImportError as missing:
        raise DependencyError("a PDF needs WeasyPrint 68 or newer: pip install --upgrade weasyprint.") from missing
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
            sheet = weasyprint.HTML(string=_resolved(html), base_url=None, url_fetcher=fetcher)
            asked: dict[str, Any] = {
                "attachments": files,
                "pdf_variant": "pdf/a-3a",
                "pdf_identifier": identifier.encode(),
                "pdf_tags": True,
            }
            laid = sheet.render(**asked)
            for again in (tighter, closer):
                if overflows(laid):
                    page = again(_resolved(html))
                    laid = weasyprint.HTML(string=page, base_url=None, url_fetcher=fetcher).render(**asked)
            return bytes(laid.write_pdf(finisher=Finisher(html), **asked))
    except FatalURLFetchingError as blocked:
        raise FileError(f"{blocked}; a report holds everything itself: put the content into the template") from blocked


def _resolved(html: str) -> str:
    """The page with its variables in place: WeasyPrint knows none in drawings, nor at the edges of pages."""
    printed = re.sub(r'<style media="screen">.*?</style>', "", html, flags=re.S)
    sheets = "".join(re.findall(r"<style[^>]*>(.*?)</style>", printed, re.S))
    values: dict[str, str] = dict(re.findall(r"--([\w-]+):\s*([^;{}<>]+)(?=[;}])", sheets))
    named = re.compile(r"var\(--([\w-]+)(?:,([^()]*))?\)")
    page = named.sub(lambda found: values.get(str(found[1]), str(found[2] or found[0])), printed)
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
