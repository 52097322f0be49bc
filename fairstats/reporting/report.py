"""``report()``: results in, one HTML page, one PDF, the JSON and CSV that both are made of."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from fairstats import metrics
from fairstats.auditing import result
from fairstats.auditing.group_studies import GroupStudy
from fairstats.auditing.local_law_144 import Notice, notice
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.sentences import labeled
from fairstats.cluster.partition import Partition
from fairstats.comparing import result as text
from fairstats.document import LINE_OF_PAGE, PAPERS, Figure, Leaf, Paragraph, Table, Text, Title, leaves
from fairstats.errors import (
    ANNOUNCED,
    PYTHON,
    FileError,
    InputError,
    Setting,
    announce,
    escaped_json,
    in_r,
    listing,
    visible,
    warn,
)
from fairstats.files import LATEX, MARKDOWN, check_kept, check_overwriting, file_path, make_folder, write_together
from fairstats.files import check_targets as check_files
from fairstats.inference.representations.leakage import OF_SCORES, Leakage
from fairstats.language import ENGLISH, language, say, speaking
from fairstats.language import language as known_language
from fairstats.provenance import digests
from fairstats.reporting.bundle import (
    Bundle,
    Fit,
    check_results,
    gather,
    paper_size,
    report_labels,
    software,
    with_data,
)
from fairstats.reporting.figures.pixels import pixels
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.sections import HEADINGS, PRESET_SECTIONS, SECTIONS
from fairstats.reporting.sections.content import content
from fairstats.reporting.sections.shared import BESIDE_DECLARED
from fairstats.reporting.words import worded
from fairstats.text import columns_as_code
from fairstats.validation import EMPLOYMENT, answering, items, refuse_long, shown, word
from fairstats.words_in_r import REPORT_FROM_R

# The forms of a report: each is made when it is first asked for, and once; files that belong together are one form.


TEMPLATES = (
    result,
    text,
    metrics,
    metrics,
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
        warn("the figures of the report are given in words: matplotlib is not installed (part of the extra report).")
        return False

    @cached_property
    def context(self) -> dict[str, Any]:
        """What templates may use."""
        with speaking(self.language, self.bundle.front), labeled(self.bundle.labels):
            return self._context(self.bundle, self.preset)

    @cached_property
    def rendered(self) -> tuple[str, list[str]]:
        """The page without its data, and the templates that it is made of."""
        from fairstats.reporting.render import page_and_templates

        context = self.context
        with speaking(self.language, self.bundle.front), columns_as_code(columns_of(self.bundle)):
            return page_and_templates(context, self.templates, self.preset)

    def results(self, form: str = "json") -> str:
        """``results.json``, which also says how this form of the report was written: `verify` makes it again."""
        document = {**self.bundle.document, "software": self.software or software(form)}
        if form != "json":
            current = self.templates is not None
            about = dict(self.bundle.about)
            pages = {"preset": self.preset, "own_templates": current, "about": about, "paper": self.bundle.paper}
            document["pages"] = pages
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
        from fairstats.reporting.render import Attached, pdf

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
    def blocks(self) -> list[Leaf]:
        """What the report says, for other programs, in whose files are no results."""
        said = leaves(filter(None, self.context["document"].values()))
        texts = (Paragraph(b.instead, b.kind) if isinstance(b, Paragraph) and b.instead else b for b in said)
        return [Title(1, self.bundle.title), *texts]

    @cached_property
    def pictured_blocks(self) -> tuple[list[Leaf], dict[str, bytes]]:
        """The blocks, and their figures as PNG by their names; a caption says which name a number in a figure is."""
        blocks: list[Leaf] = []
        files: dict[str, bytes] = {}
        with speaking(self.language):
            for block in self.blocks:
                if isinstance(block, Figure) and block.drawing.paint is not None:
                    drawing = block.drawing
                    files[drawing.name], names = pixels(drawing, DOTS)
                    key = ", ".join(f"{number} {name}" for name, number in names.items())
                    caption = f"{drawing.caption} {say('Names: {names}.', names=key)}" if names else drawing.caption
                    block = replace(block, drawing=replace(drawing, caption=caption))
                blocks.append(block)
        return blocks, files


def columns_of(bundle: Bundle) -> set[str]:
    """The columns and methods of a report, which sentences name as code where they have no words."""
    return names_in_code([bundle.audit, *bundle.fits, *bundle.partitions, *bundle.others])


def names_in_code(results: Sequence[Any]) -> set[str]:
    """The columns and methods of results."""
    protocols = [p for r in results if isinstance(p := getattr(r, "protocol", None), Protocol)]
    names = {name for p in protocols for group in p.groups for name in p.columns_of(group)}
    roles = ("decision", "outcome", "score", "amount", "strata")
    names |= {p.argument(role) for p in protocols for role in roles} | {
        "labels=",
        "reason",
    }  # what gives them words, and where tidy() has a reason
    to_call = ("audit", "leakage", "fair_spectral_clustering")
    names |= {front.call(function, None) for function in to_call for front in (PYTHON, REPORT_FROM_R)}
    names |= {front.snippet(OF_SCORES) for front in (PYTHON, REPORT_FROM_R)}
    for one in results:
        if isinstance(one, (Partition, Leakage)) or (isinstance(one, Fit) and not isinstance(one, result.Audit)):
            names |= {one.method, *getattr(one, "features", ()), *(row.attribute for row in one.estimates)}
        if isinstance(one, text.Comparison):
            terms = {name for term in one.terms for name in (term.name, term.variant, term.method)}
            names |= {one.protocol.outcome, *one.references, *terms}
        if isinstance(one, GroupStudy):
            named = (one.settings.get(role) or "" for role in ("decision", "outcome", "period"))
            names |= {one.attribute, *named, *one.settings.get("models", ())}
    return names - {""}


def _one(make: Callable[[Contents], bytes]) -> Callable[[Contents, Path], dict[Path, bytes]]:
    return lambda contents, target: {target: make(contents)}


def _markdown(contents: Contents, target: Path) -> dict[Path, bytes]:
    from fairstats.reporting.exports import markdown

    folder, pictured = figures_folder(target), contents.pictured
    blocks, shown = contents.pictured_blocks if pictured and target != ALONE else (contents.blocks, {})
    files = {name: folder / f"{name}.png" for name in shown}

    def picture(drawing: Drawing) -> str:
        return quote(f"{folder.name}/{drawing.name}.png") if drawing.name in files else ""

    with speaking(contents.language), columns_as_code(columns_of(contents.bundle)):
        text = markdown(blocks, picture)
    return {**{files[name]: pixels for name, pixels in shown.items()}, target: (text + MARKDOWN).encode()}


def _word(contents: Contents) -> bytes:
    from fairstats.reporting.exports import word_file as word

    cover, (blocks, pictures) = contents.bundle, contents.pictured_blocks
    title, author = visible(cover.title), visible(cover.auditor)
    tag = contents.language.tag
    with speaking(contents.language), columns_as_code(columns_of(contents.bundle)):
        cover_of = {"title": title, "author": author, "created": cover.created, "language": tag}
        return word(blocks, pictures, **cover_of, paper=cover.paper)


def _bibliography(contents: Contents) -> bytes:
    """The software, and the sources that the report's methods name."""
    import fairstats
    from fairstats.reporting.exports import bibtex

    sources = (contents.context["methods"] or {}).get("references", ())
    return (LATEX + "\n\n".join([fairstats.__citation__, *map(bibtex, sources)]) + "\n").encode()


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
    ".bib": _one(_bibliography),
}
TEMPLATED = frozenset({".html", ".pdf"})
DOCUMENTS = frozenset({".docx", ".md"})


CONTEXT = "fairstats/context/2"  # its number rises when a name is removed or changes its meaning
LONG = 12  # tables and figures of a report that has more than four pages; its pages are counted when they are made


@dataclass(frozen=True, repr=False)
class Report:
    """A report: show it in a notebook, or write it.

    ``html``, ``json`` and ``csv`` are text; ``to_pdf()`` renders the pages; ``write(path)`` saves by suffix.
    """

    title: str
    created: str
    id: str
    contents: Contents = field(repr=False, compare=False)
    files: tuple[str, ...] = field(default=())
    sources: tuple[str, ...] = field(default=(), repr=False)  # SHA-256 of what the results were made of

    @property
    def html(self) -> str:
        """The page as one file, with ``results.json`` inside."""
        return self.contents.html

    @property
    def json(self) -> str:
        """Every result with all that it holds."""
        return self.contents.results()

    @property
    def csv(self) -> str:
        """Every estimate, one row each."""
        return self.contents.bundle.csv

    def to_pdf(self) -> bytes:
        """The pages, tagged, with ``results.json`` and ``results.csv`` attached."""
        return self.contents.pdf

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            ours = {"save": "write(path)", "show": "write(path)", "to_html": "html", "to_json": "json", "to_csv": "csv"}
            if name in ours:
                raise AttributeError(f"a report has no {name}; it is {ours[name]} here.")
            return object.__getattribute__(self, name)  # once more: what a property raises stays what it is

    @answering
    def write(self, *targets: Target, overwrite: bool = False) -> Report:
        """Save to each path by its suffix; everything is rendered before the first file is touched.

        Parameters
        ----------
        *targets : str or path
            Paths that end in .html, .pdf, .docx, .md, .json, .csv or .bib (the software and the sources of the methods
            that are used, as BibTeX); the figures of ``audit.md`` go to the folder ``audit_files``.
        overwrite : bool
            Whether a file that fairstats did not write is replaced; an earlier report always is.

        Returns
        -------
        Report
            The same report, with ``files`` set.

        Raises
        ------
        FileError
            A folder is missing or a suffix is unknown; or a path holds the data or the protocol of a result, or what
            fairstats did not write.

        Examples
        --------
        >>> import fairstats as fs
        >>> fs.report(fs.audit({"sex": ["f", "m"] * 40, "hired": [0, 1, 1, 1] * 20}, "hired", "sex")).write("audit.doc")
        Traceback (most recent call last):
        fairstats.errors.FileError: targets has 'audit.doc'; a report is written as .html, .pdf, .docx, .md, ...
        """
        check_targets(targets, self.sources, overwrite, "targets")
        plain = [os.fspath(t) for t in targets if Path(t).suffix.lower() in DOCUMENTS]
        if plain and self.contents.templates is not None:
            warn(f"templates shape .html and .pdf; {listing(plain)} has the report's own text, in its own order.")
        built: dict[str, bytes] = {}
        for target in targets:
            built |= self.form(target)
        check_overwriting(built, overwrite)
        for path in built:
            make_folder(Path(path).parent)
        write_together(built.items())
        return replace(self, files=tuple(str(os.fspath(t)) for t in targets))

    @answering
    def form(self, target: Target, suffix: str = "") -> dict[str, bytes]:
        """The files of one target by their paths, the target's own among them; nothing is written.

        Parameters
        ----------
        target : str or path
            ``-`` is one file that nothing stands beside.
        suffix : str
            Its form; that of its name where absent.

        Returns
        -------
        dict of str to bytes

        Examples
        --------
        >>> import fairstats as fs
        >>> result = fs.report(fs.audit({"sex": ["f", "m"] * 40, "hired": [0, 1, 1, 1] * 20}, "hired", "sex"))
        >>> list(result.form("audit.json")), list(result.form("-", ".csv"))
        (['audit.json'], ['-'])
        """
        path = Path(file_path("target", target))
        name = word("suffix", suffix) or path.suffix.lower()
        if name not in WRITERS:
            raise FileError(
                f"target has {os.fspath(target)!r}; a report is written as {listing(WRITERS, len(WRITERS))}; name one."
            )
        return {str(file): content for file, content in WRITERS[name](self.contents, path).items()}

    def summary(self) -> str:
        """The title, the id and the date of the report, and the files it was written to, in two lines."""
        written = f"\nwritten to {', '.join(self.files)}" if self.files else ""
        return Text(visible(f"{self.title} (report {self.id}, {self.created[:10]}){written}"))

    def __str__(self) -> str:
        return self.summary()

    def __repr__(self) -> str:
        files = f"; written to {', '.join(self.files)}" if self.files else ""
        return visible(f"<Report: {' '.join(self.title.split())} ({self.id}, {self.created[:10]}){files}>")

    def _repr_html_(self) -> str:
        # A document of its own: the page's style sheet stays inside, and nothing in it can run or reach out.
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" sandbox="allow-downloads" '
            f'title="{html.escape(visible(self.title))}" '
            'style="width:100%;height:45em;box-sizing:border-box;display:block;'
            'border:1px solid rgba(128,128,128,0.5);background:white"></iframe>'
        )


_SECONDS_A_ROW = 16e-5  # of a report and its PDF


@answering
def report(
    *results: object,
    to: Target | Sequence[Target] | None = None,
    title: str | None = None,
    auditor: str = "",
    templates: Target | None = None,
    preset: str = "generic",
    ll144_notice: Mapping[str, str] | None = None,
    overwrite: bool = False,
    language: str = ENGLISH,
    paper: str = "a4",
    labels: Mapping[str, Any] | None = None,
) -> Report:
    """Write an audit, fits and comparisons as one report.

    Parameters
    ----------
    *results : Audit, GroupStudy, Projection, Partition, ExtraError, Comparison or another result
        At most one audit; the sections follow from what is given.
    to : path or list of paths, optional
        Files that end in .html, .pdf, .docx, .md (with its figures in a folder beside it), .json, .csv or .bib (the
        software and the sources of the methods that are used); nothing is written without it.
    title : str, optional
        Title of the report; made from the results where absent.
    auditor : str
        Who signs.
    templates : path, optional
        A folder whose files take the place of the packaged templates, file by file; they shape .html and .pdf.
    preset : str
        ``"generic"``, ``"four_fifths"`` (the rule of four fifths on page one), ``"ll144"`` (the tables of New York
        City's Local Law 144 are page one), ``"method"`` (page one is about the fits), ``"comparison"``,
        ``"monitoring"`` (page one is about a change between two audits; a result of `monitor` needs no
        preset), or a file of your own in ``presets/``.
    ll144_notice : mapping, optional
        With ``"ll144"``: what the law has published beside its tables, as `local_law_144` takes it.
    overwrite : bool
        Whether a file that fairstats did not write is replaced; an earlier report always is, an input never.
    language : str
        Of the page: ``"en"`` or ``"de"``. ``results.json`` and ``results.csv`` are the same in every language, and so
        is the id. What comes from the data and from the protocol stays as it is: declare ``[words]`` in this language.
    paper : str
        Of .pdf and .docx: ``"a4"`` or ``"letter"``.
    labels : mapping, optional
        What a report of fits, comparisons, leakage and clusterings calls the people (``unit``), columns
        (``attributes``) and groups (``groups``): ``{"unit": "arrestees", "attributes": {"colour": "color"}}``. Audits
        have those of their call.

    Returns
    -------
    Report

    Raises
    ------
    InputError
        No result, two audits, something that is no result, an unknown preset or language, or a broken template.
    FileError
        A folder is missing, a suffix is unknown, or ``templates`` is not a folder; a target holds the data or the
        protocol of a result, or what fairstats did not write, or two targets are one file.
    DependencyError
        Jinja, matplotlib, WeasyPrint or python-docx is missing; .json and .csv need none of them.

    Examples
    --------
    >>> import fairstats as fs
    >>> hired = fs.audit({"sex": ["f", "m"] * 40, "hired": [0, 1, 1, 1] * 20}, decision="hired", groups="sex")
    >>> fs.report(hired, title="Hiring by sex").title
    'Hiring by sex'
    """
    targets = [] if to is None else [to] if isinstance(to, (str, os.PathLike)) else items("to", to, "paths")
    title = None if title is None else word("title", title)
    auditor, preset = word("auditor", auditor), word("preset", preset)
    refuse_long(title=title or "", auditor=auditor)
    size = paper_size(paper)
    read = digests(results)
    check_targets(targets, read, overwrite)
    rows = sum(len(getattr(result, "estimates", ())) for result in results)
    if rows * _SECONDS_A_ROW >= ANNOUNCED:
        announce(f"a report of {rows:,} results takes about {rows * _SECONDS_A_ROW:.0f} s")
    check_results(results, preset)
    about = noticed(ll144_notice, preset)
    named = report_labels(labels, results)
    with speaking(known_language(word("language", language))), labeled(named):
        bundle = gather(results, title, auditor, about, preset)
    # before anything is asked of it: what it holds is computed once
    bundle = replace(bundle, paper=size, labels=named, asked_in_r=in_r())
    contents = Contents(bundle, context, preset, templates)
    suffixes = {Path(t).suffix.lower() for t in targets}
    other = templates is not None or preset != "generic"
    if suffixes & TEMPLATED or (other and (not targets or suffixes & DOCUMENTS)):  # what may be wrong is said now
        check_files(targets, contents.rendered[1])
    document = Report(bundle.title, bundle.created, bundle.id, contents, sources=read)
    return document.write(*targets, overwrite=overwrite) if targets else document


def noticed(ll144_notice: Mapping[str, str] | None, preset: str) -> Notice:
    """Judge what stands beside the tables of a law, which only their page shows."""
    if ll144_notice is not None and preset != "ll144":
        raise InputError(
            f"ll144_notice has {shown(ll144_notice)} and preset has {preset!r}; it is what Local Law 144 "
            "has published beside its "
            f"tables; pass {Setting('preset', 'll144')}."
        )
    return notice(ll144_notice, "ll144_notice")


def check_targets(
    targets: Sequence[Target], read: Sequence[str] = (), overwrite: bool = False, argument: str = "to"
) -> None:
    """Refuse a suffix, a folder, or a file that the results were made of (by its hash), before anything is computed."""
    for target in targets:
        if Path(file_path(argument, target)).suffix.lower() not in WRITERS:
            raise FileError(
                f"{argument} has {os.fspath(target)!r}; a report is written as "
                f"{listing(WRITERS, len(WRITERS))}; change its ending"
            )
    check_files(targets)
    check_kept(targets, read)
    check_overwriting(targets, overwrite)
    folders = [figures_folder(Path(t)) for t in targets if Path(t).suffix.lower() == ".md"]
    for folder in folders:
        if folder.exists() and not folder.is_dir():
            raise FileError(
                f"{str(folder)!r} is a file; the figures of the report need a folder of that name; move it."
            )
    check_kept([path for folder in folders for path in folder.glob("*.png")], read)


def audit_under_law(audit: result.Audit, preset: str) -> result.Audit:
    """The audit under the law of employment where the preset is of it."""
    protocol = audit.protocol
    if preset not in ("four_fifths", "ll144"):
        return audit
    if protocol.law not in ("", EMPLOYMENT):
        raise InputError(
            "preset",
            f"has {preset!r} and the protocol has {Setting('law', protocol.law)}; that page is of the law of "
            f"employment; drop it, or declare {Setting('law', EMPLOYMENT)}.",
        )
    return replace(audit, protocol=replace(protocol, law=EMPLOYMENT))


def under_law(bundle: Bundle, preset: str) -> Bundle:
    """The bundle, whose audit is under the law of employment where the preset is of it."""
    if preset not in ("four_fifths", "ll144") or bundle.audit is None:
        return bundle
    protocol, audit, of_preset = bundle.audit.protocol, audit_under_law(bundle.audit, preset), preset
    if protocol.law:  # the city's page is of the city's law, whichever is declared beside it
        of_preset = BESIDE_DECLARED if preset == "ll144" else ""
    return replace(bundle, audit=audit, law_of_preset=of_preset, as_audited=bundle.sha256)


def context(bundle: Bundle, preset: str = "generic") -> dict[str, Any]:
    """Return all that templates may use: the cover's words and one entry a section (`templates/README.md`)."""
    import fairstats

    bundle = under_law(bundle, preset)
    if bundle.audit is not None:
        bundle = replace(bundle, audit=result.as_sent(bundle.audit), as_audited=bundle.sha256)
    shown = bundle if bundle.audit is None else replace(bundle, audit=worded(bundle.audit))
    # Page one speaks in the names itself, the protocol says what they stand for, the last page has the results' hash.
    group_labels = ("findings", "protocol", "limits")
    sections = {name: section(bundle if name in group_labels else shown) for name, section in SECTIONS.items()}
    first = sections["findings"] or {}
    there = {**sections, "further": (sections["methods"] or {}).get("ratios")}
    first["next"] = [(at, wording) for at, wording in first["next"] if there.get(at)]  # of sections that there are
    current = {
        name: section(bundle if name in (*group_labels, "local_law", "data") else shown)
        for name, section in PRESET_SECTIONS.get(preset, {}).items()
    }
    sheet, width, _ = PAPERS[bundle.paper]
    entries = {
        "schema": CONTEXT,
        "language": bundle.language,
        "title": bundle.title,
        "auditor": bundle.auditor,
        "created": bundle.created,
        "id": bundle.id,
        "results_sha256": bundle.sha256,
        "version": fairstats.__version__,
        "paper": sheet,
        "side": (width - LINE_OF_PAGE) / 2,
        "long": _pieces(sections) >= LONG,
        **sections,
        **current,
    }
    document = content(entries, preset)
    contents = [
        (
            chapter.name,
            ((sections.get(name) or {}).get("heading") or say(HEADINGS[name]))
            if chapter.name == name in HEADINGS
            else chapter.heading,
        )
        for name, chapter in document.items()
        if chapter and chapter.heading
    ]
    return entries | {"contents": contents, "document": document}


def _pieces(value: Any) -> int:
    """Count the tables and figures in a context, from which the length of the report is guessed."""
    if isinstance(value, (Table, Drawing)):
        return 1
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return sum(_pieces(part) for part in inside)
