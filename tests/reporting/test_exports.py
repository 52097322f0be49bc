"""Markdown and Word say what the page says: every heading, number and caption, read back by programs of others."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import xml.dom.minidom
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

import fairstats
from fairstats.document import Bullets, Figure, Paragraph, Table, Title
from fairstats.errors import DependencyError, FileError
from fairstats.language import speaking
from fairstats.methods.registry import METHODS
from fairstats.reporting.exports import bibtex, headed, markdown, one_line
from fairstats.reporting.exports import markdown_escaped as escaped
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.report import WRITERS, Contents, Report, report
from fairstats.reporting.words import ADJUSTMENTS, OTHERS, STATISTICS, THEOREM
from tests.reporting.reader import said_by, texts, words
from tests.reporting.sample import IMAGE, LONG, SCRIPT, sample
from tests.reporting.test_context import bundle

docx = pytest.importorskip("docx")


@pytest.fixture(scope="module")
def result() -> Report:
    return report(sample(), auditor="Ann *Author*")


@pytest.fixture(scope="module")
def files(result, tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("exports")
    result.write(folder / "audit.md", folder / "audit.docx")
    return {"md": folder / "audit.md", "docx": folder / "audit.docx", "figures": folder / "audit_files"}


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.sources: set[str] = set()
        self.acts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.sources |= {str(value).partition("/")[0] for name, value in attrs if name == "src"}
        self.acts += [name for name, _ in attrs if name.startswith("on")]


PRESETS = ["generic", "four_fifths", "ll144", "method", "comparison"]


def in_a_file_without_results(result: Report) -> Iterator[tuple[str, str]]:
    """What the page says, with the one sentence of which such a file has another: how its numbers are checked."""
    check = result.contents.context["findings"]["check"]
    for name, text in texts(result.html):
        yield name, check.instead if check and text == check.text else text


@pytest.mark.long
@pytest.mark.parametrize(
    ("preset", "language"),
    [
        ("generic", "de"),
        *((p, "en") for p in PRESETS),
        *(pytest.param(p, "de", marks=pytest.mark.slow) for p in PRESETS[1:]),
    ],
)
def test_the_page_says_word_for_word_what_the_blocks_say(language, preset):
    present = bundle()
    results = [r for r in (present.audit, *present.fits, *present.partitions, *present.others) if r is not None]
    built = report(*results, auditor="Ann", language=language, preset=preset)
    page = words(text for _, text in in_a_file_without_results(built))
    with speaking(built.contents.language):
        assert page == words(said_by(built.contents.blocks)) and len(page) > 3000


def test_what_the_auditor_has_not_ticked_is_stated_in_no_form(result, files):
    boxes = [
        item for b in result.contents.blocks if isinstance(b, Bullets) for item in b.items if "is independent" in item
    ]
    assert boxes == ["☐ The auditor is independent of those whose decisions are audited."]
    bullets = [line for line in files["md"].read_text().splitlines() if "is independent" in line]
    in_word = [p.text for p in docx.Document(str(files["docx"])).paragraphs if "is independent" in p.text]
    assert bullets == [f"- {boxes[0]}"] and in_word == boxes


def test_both_have_every_word_of_the_page(result, files):
    text = files["md"].read_text()
    plain = re.sub(r"\\(.)", r"\1", text)
    document = docx.Document(str(files["docx"]))
    in_word = {p.text for p in document.paragraphs} | {
        cell.text for t in document.tables for row in t.rows for cell in row.cells
    }
    shown = result.contents.blocks
    assert [w for w in map(one_line, said_by(shown)) if w.replace("`", "") not in plain.replace("`", "")] == []
    assert {one_line(w) for w in said_by(shown) if w and "`" not in w} <= in_word
    assert {w.replace("`", "") for w in map(one_line, said_by(shown)) if w} <= {w.replace("`", "") for w in in_word}
    assert LONG in plain and sum(isinstance(b, Figure) for b in shown) == len(list(files["figures"].iterdir())) > 3


def test_markdown_read_by_pandoc_is_the_page_and_no_name_is_markup(result, files):
    if shutil.which("pandoc") is None:
        pytest.skip("pandoc is not installed")
    read = ["pandoc", "-f", "gfm", "--wrap=none", str(files["md"])]
    html = subprocess.run([*read, "-t", "html"], check=True, capture_output=True, text=True).stdout
    tags = _Tags()
    tags.feed(html)
    assert not {"script", "b"} & tags.names and tags.sources == {"audit_files"} and not tags.acts
    shown = [b for b in result.contents.blocks if not isinstance(b, Figure)]
    read = [text for name, text in texts(html) if text not in {one_line(b.caption) for b in drawings(result)}]
    assert words(read) == words(map(one_line, said_by(shown)))
    headings = [(f"h{b.level}", one_line(b.text)) for b in result.contents.blocks if isinstance(b, Title)]
    assert [part for part in texts(html) if part[0] in ("h1", "h2", "h3")] == headings


@pytest.mark.long
@pytest.mark.parametrize("kind", ["audit", "fit"])
def test_word_and_markdown_read_by_pandoc_say_what_the_page_says(kind, tmp_path):
    if shutil.which("pandoc") is None:
        pytest.skip("pandoc is not installed")
    fit = fairstats.og("~ age + checks + year", groups="colour", data=fairstats.arrests()[:400], k=2)
    built = report(sample() if kind == "audit" else fit)
    built.write(tmp_path / "a.docx", tmp_path / "a.md")
    command = ["pandoc", "-t", "html", "--wrap=none"]
    forms = [[*command, str(tmp_path / "a.docx")], [*command, "-f", "gfm", str(tmp_path / "a.md")]]
    word, text = (subprocess.run(form, check=True, capture_output=True, text=True).stdout for form in forms)
    captions = {one_line(drawing.caption) for drawing in drawings(built)}

    def said(parts: Iterable[tuple[str, str]]) -> Counter[str]:
        return Counter(words(part for name, part in parts if name != "figcaption" and part not in captions))

    assert said(texts(word)) == said(texts(text)) == said(in_a_file_without_results(built)) and len(captions) > 1
    headed_tables = sum(isinstance(block, Table) and bool(block.headings) for block in built.contents.blocks)
    assert word.count("<thead") == headed_tables > 2


def drawings(result: Report) -> list[Drawing]:
    return [block.drawing for block in result.contents.blocks if isinstance(block, Figure)]


NAMES = [SCRIPT, IMAGE, "$x_1$", "a | b", "*x*", "# x", "- x", "1. x", "`x`", "[x](y)", "&amp;", "~~x~~"]
NAMES += ["https://a.b", "www.a.b", "a@b.c", "\\", "__x__", "+ x", "=== x", "---"]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_looks_like_markup_stays_a_name(name):
    if shutil.which("pandoc") is None:
        pytest.skip("pandoc is not installed")
    text = markdown([Paragraph(name), Bullets((name,)), Title(2, name)])
    html = subprocess.run(["pandoc", "-f", "gfm", "-t", "html", "--wrap=none"], input=text, check=True,
                          capture_output=True, text=True).stdout  # fmt: skip
    assert texts(html) == [("p", name), ("li", name), ("h2", name)]
    assert "<a " not in html and "<em" not in html and "<strong" not in html and "<code" not in html


def test_figures_of_markdown_are_files_beside_it(files):
    text = files["md"].read_text()
    named = re.findall(r"!\[[^\n]*\]\((audit_files/[\w%.-]+\.png)\)", text)
    assert sorted(named) == sorted(f"audit_files/{p.name}" for p in files["figures"].iterdir())
    assert all((files["md"].parent / name).read_bytes().startswith(b"\x89PNG") for name in named)


def test_word_has_headings_header_rows_and_figures_with_their_numbers(result, files):
    document = docx.Document(str(files["docx"]))
    levels = [(p.style.name, p.text) for p in document.paragraphs if p.style.name.startswith("Heading")]
    shown = result.contents.blocks
    assert levels == [(f"Heading {b.level}", one_line(b.text)) for b in shown if isinstance(b, Title)]
    tables = [b for b in shown if isinstance(b, Table)]
    assert len(document.tables) == len(tables)
    for grid, table in zip(tables, document.tables, strict=True):
        heads = [row._tr.trPr is not None and "tblHeader" in row._tr.trPr.xml for row in table.rows]
        assert heads == [True] * bool(grid.headings) + [False] * len(grid.rows)
        assert [c.text for c in table.rows[0].cells] == [*map(headed, grid.headings)] or not grid.headings
        assert table.rows[0].cells[0].width + 0 > 0
        assert sum(c.width for c in table.columns) <= 171 * 36000, "wider than the page"
    raw = zipfile.ZipFile(files["docx"]).read("word/document.xml").decode()
    instead = re.findall(r'<wp:docPr [^>]*descr="([^"]*)"', raw)
    assert len(instead) == len(drawings(result)) and all(len(text) > 40 for text in instead)
    core_properties = document.core_properties
    assert (core_properties.title, core_properties.author) == (result.title, "Ann *Author*")
    assert core_properties.created.isoformat()[:19] == result.created[:19]
    for name in zipfile.ZipFile(files["docx"]).namelist():
        if name.endswith((".xml", ".rels")):
            xml.dom.minidom.parseString(zipfile.ZipFile(files["docx"]).read(name))


def test_the_same_report_gives_the_same_bytes(files, tmp_path):
    report(sample(), auditor="Ann *Author*", to=[tmp_path / "audit.md", tmp_path / "audit.docx"])
    assert (tmp_path / "audit.md").read_bytes() == files["md"].read_bytes()
    assert (tmp_path / "audit.docx").read_bytes() == files["docx"].read_bytes()


@pytest.mark.long
def test_several_forms_come_of_one_rendering(tmp_path, monkeypatch):
    calls = []
    rendered = Contents.rendered.func
    slow = type(Contents.rendered)(lambda self: calls.append(1) or rendered(self))
    slow.__set_name__(Contents, "rendered")
    monkeypatch.setattr(Contents, "rendered", slow)
    report(sample(), to=[tmp_path / f"a.{kind}" for kind in ("md", "docx", "html", "json", "csv")])
    assert len(calls) == 1
    assert {p.name for p in tmp_path.iterdir()} == {"a.md", "a_files", "a.docx", "a.html", "a.json", "a.csv"}


def test_json_and_csv_need_no_page(tmp_path, monkeypatch):
    monkeypatch.setattr(Contents, "context", property(lambda self: pytest.fail("the page was made")))
    built = report(sample(), to=[tmp_path / "a.json", tmp_path / "a.csv"])
    assert (tmp_path / "a.json").read_text() == built.json and (tmp_path / "a.csv").read_text().startswith(
        "result,role,metric,"
    )


@pytest.mark.long
def test_json_and_csv_load_neither_jinja_nor_matplotlib(tmp_path):
    code = (
        "import sys, fairstats as fs\n"
        "a = fs.audit({'g': ['a', 'b'] * 20, 'd': [0, 1, 1, 1] * 10}, 'd', 'g')\n"
        "fs.report(a, to=['a.json', 'a.csv'])\n"
        "print([m for m in ('jinja2', 'matplotlib', 'weasyprint', 'docx', 'markupsafe') if m in sys.modules])"
    )
    stdout = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, check=True, capture_output=True, text=True
    ).stdout
    assert stdout.strip() == "[]"


def test_python_docx_that_is_missing_is_named_with_its_extra(result, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "docx", None)
    with pytest.raises(DependencyError, match=r"python-docx.*tables"):
        result.write(tmp_path / "a.docx")
    assert list(tmp_path.iterdir()) == []


def test_the_folder_of_figures_destroys_nothing(tmp_path):
    (tmp_path / "audit_files").write_text("mine")
    with pytest.raises(FileError, match=r"audit_files' is a file"):
        report(sample(), to=tmp_path / "audit.md")
    assert (tmp_path / "audit_files").read_text() == "mine" and len(list(tmp_path.iterdir())) == 1


def test_characters_that_word_cannot_hold_are_shown():
    people = {"g": ["a\x0b\x01", "b"] * 20, "d": [0, 1, 1, 1] * 10}
    built = report(fairstats.audit(people, "d", "g"))
    page = built.contents
    sheet = io.BytesIO(next(iter(WRITERS[".docx"](page, Path("a.docx")).values())))
    assert any(r"\x01" in c.text for t in docx.Document(sheet).tables for row in t.rows for c in row.cells)


def test_markdown_for_standard_output_has_words_in_place_of_figures(result):
    (text,) = result.form("-", ".md").values()
    assert b"![" not in text and all(escaped(one_line(d.alt)).encode() in text for d in drawings(result))


def test_escaping_leaves_plain_words_alone():
    assert (
        escaped("two_year_recid, p < 0.001 & more; 12.5% (k = 3)")
        == "two_year_recid, p \\< 0.001 & more; 12.5% (k = 3)"
    )


def test_a_paragraph_begins_with_its_lead():
    assert Paragraph("Sex: no gap.", lead="Sex").lead == "Sex"
    with pytest.raises(ValueError, match="does not have its lead 'Sex'"):
        Paragraph("No gap by sex.", lead="Sex")


def _works(entries: str) -> dict[str, dict[str, str]]:
    """The entries of BibTeX by their keys, read as BibTeX does: up to the brace that closes."""
    works = {}
    for entry in re.split(r"\n\n(?=@)", entries):
        key, fields = re.fullmatch(r"@\w+\{([a-z0-9]+),\n(.*)\n\}", entry.strip(), flags=re.S).groups()  # type: ignore[union-attr]
        works[key] = dict(re.findall(r"^  (\w+) = \{(.*)\},$", fields, flags=re.M))
        assert all(value.count("{") == value.count("}") for value in works[key].values()), key
    return works


def test_every_source_of_the_package_is_an_entry_of_bibtex_with_all_that_the_source_says() -> None:
    cited = [source for method in METHODS.values() for source in method.references]
    cited += [*STATISTICS.values(), *ADJUSTMENTS.values(), THEOREM, *(one for many in OTHERS.values() for one in many)]
    every: dict[str, dict[str, str]] = {}
    for source in dict.fromkeys(cited):
        works = _works(bibtex(source))
        assert len(works) == len(re.findall(r"\(\d{4}\)", source)) and not set(works) & set(every), source
        every |= works
        for work in works.values():
            assert set(work) & {"journal", "booktitle", "publisher", "note"}, source
            kept = ("year", "title", "volume", "number", "pages", "publisher", "booktitle", "doi", "note")
            kept += ("edition", "chapter", "type", "series")
            assert not re.search(
                r"edition|, (chapter|section)s? |PMLR|\d--\d", work.get("title", "") + work.get("booktitle", "")
            )
            for value in (work[name] for name in kept if name in work):
                plain = re.sub(r"[{}\\]", "", value).replace("--", "-")
                assert plain in source and ("note" in work or not plain.endswith(".")), (plain, source)
            people = work.get("author", "").split(" and ")
            assert "note" in work or all(re.fullmatch(r"[^,.]+, [\w.\- ]+\.", name) for name in people), people
    assert sum("note" in work for work in every.values()) == 1  # of a law


def test_editions_chapters_series_and_pages_are_fields_and_titles_are_whole() -> None:
    (fleiss,) = _works(bibtex(STATISTICS["pooled z"])).values()
    assert fleiss["title"] == "{Statistical methods for rates and proportions}"
    assert (fleiss["edition"], fleiss["type"], fleiss["chapter"]) == ("3rd", "chapter", "3 and 4")
    (fair,) = _works(bibtex(METHODS["fair_pca"].references[0])).values()
    names = ("booktitle", "series", "volume", "pages")
    assert [fair[name] for name in names] == ["AISTATS", "PMLR", "206", "5250--5270"]
    (young,) = _works(bibtex(STATISTICS["max t"])).values()
    assert young["title"].startswith("{Resampling-based multiple testing: examples") and young["chapter"] == "2.5"
    (newcombe,) = _works(bibtex(STATISTICS["newcombe interval"])).values()
    assert newcombe["title"].endswith("proportions: comparison of eleven methods}")


def test_a_report_writes_the_software_and_the_sources_that_it_names(result: Report, tmp_path: Path) -> None:
    target = tmp_path / "sources.bib"
    result.write(target)
    result.write(target)  # an earlier one of ours is replaced
    works = _works(target.read_text(encoding="utf-8").partition("\n")[2])
    named = result.contents.context["methods"]["references"]
    years = [year for source in named for year in re.findall(r"\((\d{4})\)", source)]
    assert [work["year"] for work in works.values()][1:] == years and next(iter(works)) == "fairstats"
    target.write_text("@misc{mine,}\n")
    with pytest.raises(FileError, match="sources"):
        result.write(target)
