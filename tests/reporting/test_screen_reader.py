"""What a screen reader reads of page one, from the tags of the PDF, is what the page says, in its order."""

from __future__ import annotations

import re
from html import unescape

import pytest

import fairstats
from tests.presets.test_local_law_144 import applicants
from tests.reporting.test_layout import people

pikepdf = pytest.importorskip("pikepdf", reason="pikepdf is not installed: pip install pikepdf")
pytest.importorskip("weasyprint", reason="WeasyPrint is not installed: pip install 'fairstats[report]'")


def characters(font) -> dict[int, str]:
    """What each glyph of a face stands for, from its ToUnicode map."""
    table = font.ToUnicode.read_bytes().decode("latin-1")
    pairs = re.findall(r"<([0-9a-fA-F]{4})>\s*<([0-9a-fA-F]+)>\s*(?=<|endbfchar)", table)
    return {int(glyph, 16): bytes.fromhex(text).decode("utf-16-be") for glyph, text in pairs}


def pieces(page) -> dict[int, str]:
    """The text of each marked piece of a page, by its number."""
    faces = {name: characters(font) for name, font in page.Resources.Font.items()}
    result: dict[int, str] = {}
    face, open_marks = {}, [-1]
    for operands, operator in pikepdf.parse_content_stream(page):
        name = str(operator)
        if name in ("BDC", "BMC"):
            marked = operands[1] if name == "BDC" and isinstance(operands[1], pikepdf.Dictionary) else {}
            open_marks.append(int(marked.get("/MCID", open_marks[-1])))
        elif name == "EMC":
            open_marks.pop()
        elif name == "Tf":
            face = faces[str(operands[0])]
        elif name in ("Tj", "TJ"):
            parts = operands[0] if name == "TJ" else [operands[0]]
            raw = b"".join(bytes(part) for part in parts if isinstance(part, pikepdf.String))
            text = "".join(face[int.from_bytes(raw[i : i + 2], "big")] for i in range(0, len(raw), 2))
            result[open_marks[-1]] = result.get(open_marks[-1], "") + text
    return result


def heard(file) -> str:
    """The tags of the first page read in their order: texts, and of figures what replaces them."""
    names: list[str] = []
    with pikepdf.open(file) as pdf:
        first = pdf.pages[0]
        text = pieces(first)

        def walk(element, page) -> None:
            if isinstance(element, (int, pikepdf.Object)) and not isinstance(element, pikepdf.Dictionary):
                if page == first.objgen:
                    names.append(text.get(int(element), ""))
                return
            page = element.Pg.objgen if "/Pg" in element else page
            if element.get("/Type") == "/MCR":
                return walk(element.MCID, page)
            if element.get("/S") == "/Figure":
                names.append(str(element.get("/Alt", "")) if page == first.objgen else "")
                return None
            children = element.get("/K", [])
            for child in children if isinstance(children, pikepdf.Array) else [children]:
                if not isinstance(child, pikepdf.Dictionary) or child.get("/Type") != "/OBJR":
                    walk(child, page)
            return None

        walk(pdf.Root.StructTreeRoot, None)
    return "".join(names)


def seen(page: str) -> str:
    """The text of page one: title and first section, a figure's caption and description in its place."""
    title = re.search(r"<h1>(.*?)</h1>", page, re.S)
    first = re.search(r'<section id="findings".*?</section>', page, re.S)
    assert title and first
    body = re.sub(
        r"<svg.*?<title[^>]*>(.*?)</title>.*?<desc[^>]*>(.*?)</desc>.*?</svg>",
        r" \1 \2 ",
        title[1] + first[0],
        flags=re.S,
    )
    for i in range(1, 6):  # the style sheet numbers the findings
        body = body.replace("<li><strong>", f"{i}.<strong>", 1)
    return unescape(re.sub(r"<[^<>]*>", "", body.replace("</dt>", ": ")))  # which the style sheet writes


def letters(text: str) -> str:
    """Without blanks, breaks of lines, and the numbers of pages that paper adds to links."""
    return re.sub(r"\s", "", re.sub(r"\s*…\s*page\s*\d+", "", text.replace("\u00ad", "")))


def check(result: fairstats.Report, folder) -> None:
    file = folder / "report.pdf"
    result.write(file)
    page, text = letters(seen(result.html)), letters(heard(file))
    assert len(page) > 800 and text.startswith(page), _apart(page, text)


def _apart(page: str, text: str) -> str:
    at = next((i for i, (a, b) in enumerate(zip(page, text, strict=False)) if a != b), min(len(page), len(text)))
    return f"page: ...{page[max(at - 40, 0) : at + 60]} | heard: ...{text[max(at - 40, 0) : at + 60]}"


@pytest.mark.long
def test_page_one_of_an_audit_is_heard_as_it_is_seen(tmp_path):
    arguments = {"outcome": "good", "score": "score", "threshold": 0.5, "favorable": 0}
    check(
        fairstats.report(fairstats.audit(people(("north", "south", "east")), groups=["group", "sex"], **arguments)),
        tmp_path,
    )


@pytest.mark.slow
def test_page_one_of_compas_is_heard_as_it_is_seen(shared, tmp_path):
    arguments = {"outcome": "two_year_recid", "score": "decile_score", "threshold": 5, "favorable": 0}
    file = shared / "data" / "compas-scores-two-years.csv"
    check(fairstats.report(fairstats.audit(file, groups=["race", "sex"], **arguments)), tmp_path)


@pytest.mark.long
def test_page_one_of_local_law_144_is_heard_as_it_is_seen(tmp_path):
    audit = fairstats.audit(applicants(), decision="hired", groups=["sex", "race"])
    check(fairstats.report(audit, preset="ll144", ll144_notice={"tool": "Sorter"}), tmp_path)
