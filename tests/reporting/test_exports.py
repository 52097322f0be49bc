"""Markdown and Word say what the page says: every heading, number and caption, read back by programs of others."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import xml.dom.minidom
import zipfile
from html.parser import HTMLParser
from pathlib import Path

import pytest

import fairstats
from fairstats.errors import DependencyError, FileError
from fairstats.reporting.exports import Bullets, Figure, Grid, Paragraph, Title, blocks, markdown
from fairstats.reporting.exports import markdown_escaped as escaped
from fairstats.reporting.report import WRITERS, Contents, Report, report
from tests.reporting.sample import IMAGE, LONG, SCRIPT, sample

docx = pytest.importorskip("docx")


@pytest.fixture(scope="module")
def made() -> Report:
    return report(sample(), auditor="Ann *Author*")


@pytest.fixture(scope="module")
def files(made, tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("exports")
    made.write(folder / "audit.md", folder / "audit.docx")
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


def test_blocks_are_what_the_page_shows_in_order():
    page = (
        "<head><title>no</title></head><a class=skip href=#x>no</a><h2>A &amp; B</h2><p class='note'>c<br>d<p>e"
        "<dl><div><dt>k</dt><dd>v</dd></div></dl><ul><li>x<li>y</ul><ul><li>z</ul>"
        "<figure><svg aria-labelledby='f-title f-desc'><text>no</text></svg><figcaption>cap</figcaption></figure>"
        "<table><caption>T</caption><thead><tr><th>g<th class=number>n <span>%</span><th>mark</tr></thead>"
        "<tbody><tr><th>a</th><td class=number>1</td><td><svg aria-labelledby='m-title'></svg></td></tr>"
        "</tbody></table>"
        "<table><tr><td>41.2<span class=counts>2 of 5</span></td><td>7 <span class=unit>%</span></td></tr></table>"
        "<script>no</script>end"
    )
    found = blocks(page)
    assert [type(b) for b in found] == [
        Title,
        Paragraph,
        Paragraph,
        Grid,
        Bullets,
        Bullets,
        Figure,
        Grid,
        Grid,
        Paragraph,
    ]
    assert (found[0].text, found[1].text, found[1].kind, found[2].text) == ("A & B", "c d", "note", "e")
    assert [c.text for c in found[3].body[0]] == ["k", "v"] and found[4].items == ["x", "y"] and found[5].items == ["z"]
    assert (found[6].name, found[6].caption) == ("f", "cap")
    grid = found[7]
    assert grid.caption == "T" and [[c.text for c in row] for row in (*grid.head, *grid.body)] == [
        ["g", "n %"],
        ["a", "1"],
    ]
    assert grid.head[0][1].number and grid.body[0][0].header and found[9].text == "end"
    assert [c.text for c in found[8].body[0]] == ["41.2 (2 of 5)", "7 %"]


def test_what_the_auditor_has_not_ticked_is_stated_in_no_form(made, files):
    boxes = [
        item for b in made.contents.blocks if isinstance(b, Bullets) for item in b.items if "is independent" in item
    ]
    assert boxes == ["☐ The auditor is independent of those whose decisions are audited."]
    bullets = [line for line in files["md"].read_text().splitlines() if "is independent" in line]
    in_word = [p.text for p in docx.Document(str(files["docx"])).paragraphs if "is independent" in p.text]
    assert bullets == [f"- {boxes[0]}"] and in_word == boxes


def test_cells_over_several_columns_keep_their_place():
    page = "<table><tr><th>a<td colspan=2>suppressed</tr><tr><th>b<td class=number>1<td>2</tr></table>"
    text = markdown(blocks(page), lambda name: ("", ""))
    assert "| a | suppressed |  |\n| b | 1 | 2 |" in text


def test_both_have_every_word_of_the_page(made, files):
    shown = made.contents.blocks
    text = files["md"].read_text()
    plain = re.sub(r"\\(.)", r"\1", text)
    document = docx.Document(str(files["docx"]))
    in_word = {p.text for p in document.paragraphs} | {
        cell.text for t in document.tables for row in t.rows for cell in row.cells
    }
    for block in shown:
        if isinstance(block, (Title, Paragraph)):
            assert block.text in plain and block.text in in_word
        elif isinstance(block, Bullets):
            assert all(item in plain and item in in_word for item in block.items)
        elif isinstance(block, Grid):
            assert all(c.text in plain and c.text in in_word for row in (*block.head, *block.body) for c in row)
        else:
            assert block.caption in plain and block.caption in in_word
    assert LONG in plain and sum(isinstance(b, Figure) for b in shown) == len(list(files["figures"].iterdir())) > 3


def test_markdown_read_by_pandoc_is_the_page_and_no_name_is_markup(made, files):
    if shutil.which("pandoc") is None:
        pytest.skip("pandoc is not installed")
    read = ["pandoc", "-f", "gfm", "--wrap=none", str(files["md"])]
    html = subprocess.run([*read, "-t", "html"], check=True, capture_output=True, text=True).stdout
    tags = _Tags()
    tags.feed(html)
    assert not {"script", "b"} & tags.names and tags.sources == {"audit_files"} and not tags.acts
    again = blocks(html)
    grids = [b for b in made.contents.blocks if isinstance(b, Grid)]
    read_grids = [b for b in again if isinstance(b, Grid)]
    assert [[c.text for c in row] for g in grids for row in g.body] == [
        [c.text for c in row] for g in read_grids for row in g.body
    ]
    headings = [(b.level, b.text) for b in made.contents.blocks if isinstance(b, Title)]
    assert [(b.level, b.text) for b in again if isinstance(b, Title)] == headings


NAMES = [SCRIPT, IMAGE, "$x_1$", "a | b", "*x*", "# x", "- x", "1. x", "`x`", "[x](y)", "&amp;", "~~x~~"]
NAMES += ["https://a.b", "www.a.b", "a@b.c", "\\", "__x__", "+ x", "=== x", "---"]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_looks_like_markup_stays_a_name(name):
    if shutil.which("pandoc") is None:
        pytest.skip("pandoc is not installed")
    text = markdown([Paragraph(name), Bullets([name]), Title(2, name)], lambda _: ("", ""))
    html = subprocess.run(["pandoc", "-f", "gfm", "-t", "html", "--wrap=none"], input=text, check=True,
                          capture_output=True, text=True).stdout  # fmt: skip
    found = blocks(html)
    assert [b.items[0] if isinstance(b, Bullets) else b.text for b in found] == [name] * 3
    assert "<a " not in html and "<em" not in html and "<strong" not in html and "<code" not in html


def test_figures_of_markdown_are_files_beside_it(files):
    text = files["md"].read_text()
    named = re.findall(r"!\[[^\n]*\]\((audit_files/[\w%.-]+\.png)\)", text)
    assert sorted(named) == sorted(f"audit_files/{p.name}" for p in files["figures"].iterdir())
    assert all((files["md"].parent / name).read_bytes().startswith(b"\x89PNG") for name in named)


def test_word_has_headings_header_rows_and_figures_with_their_numbers(made, files):
    document = docx.Document(str(files["docx"]))
    levels = [(p.style.name, p.text) for p in document.paragraphs if p.style.name.startswith("Heading")]
    shown = made.contents.blocks
    assert levels == [(f"Heading {b.level}", b.text) for b in shown if isinstance(b, Title)]
    tables = [b for b in shown if isinstance(b, Grid) and b.width]
    assert len(document.tables) == len(tables)
    for grid, table in zip(tables, document.tables, strict=True):
        heads = [row._tr.trPr is not None and "tblHeader" in row._tr.trPr.xml for row in table.rows]
        assert heads == [True] * len(grid.head) + [False] * len(grid.body)
        assert table.rows[0].cells[0].width + 0 > 0
        assert sum(c.width for c in table.columns) <= 171 * 36000, "wider than the page"
    raw = zipfile.ZipFile(files["docx"]).read("word/document.xml").decode()
    instead = re.findall(r'<wp:docPr [^>]*descr="([^"]*)"', raw)
    drawings = [made.contents.drawings[b.name] for b in shown if isinstance(b, Figure)]
    assert len(instead) == len(drawings) and all(len(text) > 40 for text in instead)
    known = document.core_properties
    assert (known.title, known.author) == (made.title, "Ann *Author*")
    assert known.created.isoformat()[:19] == made.created[:19]
    for name in zipfile.ZipFile(files["docx"]).namelist():
        if name.endswith((".xml", ".rels")):
            xml.dom.minidom.parseString(zipfile.ZipFile(files["docx"]).read(name))


def test_the_same_report_gives_the_same_bytes(files, tmp_path):
    report(sample(), auditor="Ann *Author*", to=[tmp_path / "audit.md", tmp_path / "audit.docx"])
    assert (tmp_path / "audit.md").read_bytes() == files["md"].read_bytes()
    assert (tmp_path / "audit.docx").read_bytes() == files["docx"].read_bytes()


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
    made = report(sample(), to=[tmp_path / "a.json", tmp_path / "a.csv"])
    assert (tmp_path / "a.json").read_text() == made.json and (tmp_path / "a.csv").read_text().startswith(
        "result,role,metric,"
    )


def test_json_and_csv_load_neither_jinja_nor_matplotlib(tmp_path):
    code = (
        "import sys, fairstats as fs\n"
        "a = fs.audit({'g': ['a', 'b'] * 20, 'd': [0, 1, 1, 1] * 10}, 'd', 'g')\n"
        "fs.report(a, to=['a.json', 'a.csv'])\n"
        "print([m for m in ('jinja2', 'matplotlib', 'weasyprint', 'docx', 'markupsafe') if m in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert said.strip() == "[]"


def test_python_docx_that_is_missing_is_named_with_its_extra(made, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "docx", None)
    with pytest.raises(DependencyError, match=r"python-docx.*tables"):
        made.write(tmp_path / "a.docx")
    assert list(tmp_path.iterdir()) == []


def test_the_folder_of_figures_destroys_nothing(tmp_path):
    (tmp_path / "audit_files").write_text("mine")
    with pytest.raises(FileError, match=r"audit_files' is a file"):
        report(sample(), to=tmp_path / "audit.md")
    assert (tmp_path / "audit_files").read_text() == "mine" and len(list(tmp_path.iterdir())) == 1


def test_characters_that_word_cannot_hold_are_shown():
    people = {"g": ["a\x0b\x01", "b"] * 20, "d": [0, 1, 1, 1] * 10}
    made = report(fairstats.audit(people, "d", "g"))
    page = made.contents
    sheet = io.BytesIO(next(iter(WRITERS[".docx"](page, Path("a.docx")).values())))
    assert any(r"\x01" in c.text for t in docx.Document(sheet).tables for row in t.rows for c in row.cells)


def test_markdown_for_standard_output_has_words_in_place_of_figures(made):
    (text,) = made.form("-", ".md").values()
    figures = [b for b in made.contents.blocks if isinstance(b, Figure)]
    assert b"![" not in text and all(escaped(made.contents.instead(f.name)).encode() in text for f in figures)


def test_escaping_leaves_plain_words_alone():
    assert (
        escaped("two_year_recid, p < 0.001 & more; 12.5 % (k = 3)")
        == "two_year_recid, p \\< 0.001 & more; 12.5 % (k = 3)"
    )
