"""PDF/UA-1: the rules that a program can check, and what a reader of the tags gets instead of the figures."""

from __future__ import annotations

import re

import pytest

from fairstats.reporting.report import report
from tests.reporting.sample import sample

pytest.importorskip("weasyprint", reason="WeasyPrint is not installed: pip install weasyprint")
pikepdf = pytest.importorskip("pikepdf", reason="pikepdf is not installed")


@pytest.fixture(scope="module")
def result():
    return report(sample())


@pytest.fixture(scope="module")
def file(result, tmp_path_factory):
    path = tmp_path_factory.mktemp("ua") / "audit.pdf"
    result.write(path)
    return path


def elements(opened):
    """Every structure element in the order of the tree."""
    waiting = [opened.Root.StructTreeRoot.K]
    while waiting:
        node = waiting.pop()
        if isinstance(node, pikepdf.Array):
            waiting += reversed(list(node))
        elif isinstance(node, pikepdf.Dictionary):
            if "/S" in node:
                yield node
            if "/K" in node:
                waiting.append(node.K)


def test_no_rule_of_pdfua_finds_an_error_or_a_warning(file):
    pdfua = pytest.importorskip("pdfua", reason="pdfua is not installed")
    matches = pdfua.validate(str(file))
    assert [(f.rule_id, f.message) for f in matches.findings] == []


def test_the_claim_stands_in_the_metadata_with_the_schema_that_pdf_a_asks_for(file):
    with pikepdf.open(file) as opened:
        xml = bytes(opened.Root.Metadata.read_bytes()).decode()
        with opened.open_metadata() as read:
            assert read["{http://www.aiim.org/pdfua/ns/id/}part"] == "1"
            assert read["{http://www.aiim.org/pdfa/ns/id/}part"] == "3"
    assert "<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>" in xml
    assert "dc:creator" not in xml  # nobody was named


def test_a_figure_is_replaced_by_its_numbers_and_lies_on_its_page(file, result):
    with pikepdf.open(file) as opened:
        figures = [e for e in elements(opened) if e.S == "/Figure"]
        texts = [str(e.Alt) for e in figures]
        boxes = [[float(v) for v in e.A.BBox] for e in figures]
    written = re.findall(r"<desc id=[^>]*>(.*?)</desc>", result.html, re.S)
    assert len(texts) == len(written) > 0
    for text, wanted in zip(texts, written, strict=True):
        plain = wanted.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"').replace("&#x27;", "'")
        assert text.endswith(plain.replace("&amp;", "&")) and len(text) > len(plain)
    assert all(0 <= left < right <= 596 and 0 <= low < high <= 842 for left, low, right, high in boxes)


def test_header_cells_have_a_scope_tables_no_table_inside_and_headings_a_text(file):
    with pikepdf.open(file) as opened:
        every = list(elements(opened))
        scopes = {str(e.A.Scope) for e in every if e.S == "/TH"}
        assert scopes == {"/Column", "/Row"}
        for e in every:
            if e.S == "/Table":
                inside = e.P
                while "/S" in inside and inside.S != "/Document":
                    assert inside.S != "/Table"
                    inside = inside.P
            if str(e.S) in ("/H1", "/H2", "/H3"):
                assert "/K" in e and len(list(e.K)) > 0


def test_each_attachment_is_named_once(file):
    with pikepdf.open(file) as opened:
        files = [f.F if "/F" in f else f.UF for f in opened.Root.AF]
        assert sorted(map(str, files)) == ["results.csv", "results.json"]
