"""Whoever changes one thing in a written report is found out: numbers, labels, attachments, pages, pictures."""

from __future__ import annotations

import copy
import csv
import io
import random
import re
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fairstats as fs
from fairstats.auditing.audit import carry_out
from fairstats.errors import InputError
from fairstats.reporting.pdf_pages import pages_of
from fairstats.reporting.rebuilding import protocol_of
from fairstats.reporting.verify import _compared
from fairstats.reporting.written import read_written

OWN = {"title", "auditor", "created", "language", "call", "schema", "name"}  # what a report says of itself


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    rng = np.random.default_rng(0)
    people = {"g": rng.choice(list("abc"), 300), "s": rng.integers(1, 6, 300), "y": rng.integers(0, 2, 300)}
    file = tmp_path_factory.mktemp("data") / "people.csv"
    pd.DataFrame(people).to_csv(file, index=False)
    return file


@pytest.fixture(scope="module")
def made(tmp_path_factory, data) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("report")
    files = {kind: folder / f"a.{kind}" for kind in ("json", "html", "pdf")}
    fs.report(fs.audit(data, groups="g", outcome="y", score="s", threshold=3), to=list(files.values()))
    return files


def _leaves(value, path=()):
    if isinstance(value, (dict, list)):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _leaves(part, (*path, key))
    else:
        yield path, value


def _other(value) -> list:
    if isinstance(value, bool) or value is None:
        return [value is None or not value]
    return [f"{value}x", ""] if isinstance(value, str) else [value + max(1e-7, 1e-7 * abs(value))]


def test_every_kind_of_entry_of_the_json_that_is_changed_is_found(made, data):
    written = read_written(made["json"])
    audit = carry_out(data, protocol_of(written.document["audit"]["protocol"]), {})
    assert _compared(written, written.document["audit"], audit).ok
    kinds = defaultdict(list)
    for path, value in _leaves(written.document):
        if not OWN & set(path) and "versions" not in path:
            kinds[tuple(p for p in path if isinstance(p, str)), type(value)].append((path, value))
    assert len(kinds) > 80
    for entries in kinds.values():
        path, value = random.Random(1).choice(entries)
        for other in _other(value):
            if other == value:
                continue
            changed = copy.deepcopy(written.document)
            at = changed
            for step in path[:-1]:
                at = at[step]
            at[path[-1]] = other
            try:
                ok = _compared(replace(written, document=changed), changed["audit"], audit).ok
            except InputError:
                ok = False
            assert not ok, (path, value, other)


def _exchanged_letters(pdf) -> None:
    drawn = pdf.pages[0].Contents
    text = drawn.read_bytes()
    at = text.rindex(b"<", 0, text.index(b"Tj" if b"Tj" in text else b"TJ")) + 1
    drawn.write(text[:at] + text[at + 2 : at + 4] + text[at : at + 2] + text[at + 4 :])


def _painted_over(pdf) -> None:
    pdf.pages[0].contents_add(pdf.make_stream(b"1 1 1 rg 100 500 100 20 re f"))


def _remark_over(pdf) -> None:
    import pikepdf

    kind = {"Type": pikepdf.Name.Annot, "Subtype": pikepdf.Name.FreeText, "Rect": [100, 500, 200, 520]}
    remark = pikepdf.Dictionary(**kind, Contents="99 %", DA="/Helv 12 Tf")
    pdf.pages[0].Annots = pdf.make_indirect(pikepdf.Array([pdf.make_indirect(remark)]))


def _page_removed(pdf) -> None:
    del pdf.pages[3]


def _pages_exchanged(pdf) -> None:
    page = pdf.pages[2]
    pdf.pages.insert(1, page)
    del pdf.pages[3]


def _attached(name: str, change):
    def edit(pdf) -> None:
        import pikepdf

        content = change(pdf.attachments[name].get_file().read_bytes())
        del pdf.attachments[name]
        pdf.attachments[name] = pikepdf.AttachedFileSpec(pdf, content, filename=name)

    return edit


def _a_number(content: bytes) -> bytes:
    rows = list(csv.reader(io.StringIO(content.decode())))
    at = rows[0].index("estimate")
    rows[5][at] = str(float(rows[5][at]) + 1e-6)
    sheet = io.StringIO()
    csv.writer(sheet, lineterminator="\n").writerows(rows)
    return sheet.getvalue().encode()


def _second_table(pdf) -> None:
    import pikepdf

    content = pdf.attachments["results.csv"].get_file().read_bytes() + b"x\n"
    pdf.attachments["more.csv"] = pikepdf.AttachedFileSpec(pdf, content, filename="more.csv")


EDITS = {
    "two letters of page one": _exchanged_letters,
    "a box over a number": _painted_over,
    "a remark over a number": _remark_over,
    "a page removed": _page_removed,
    "two pages exchanged": _pages_exchanged,
    "a number of the table": _attached("results.csv", _a_number),
    "a row of another result": _attached("results.csv", lambda c: c + c.splitlines()[1].replace(b"audit", b"og", 1)),
    "a number of the JSON": _attached("results.json", lambda c: c.replace(b'"estimate": 0.5', b'"estimate": 0.6', 1)),
    "no table": lambda pdf: pdf.attachments.__delitem__("results.csv"),
    "a second table": _second_table,
}


@pytest.mark.parametrize("what", EDITS)
def test_a_change_of_the_pdf_is_found(what, made, data, tmp_path):
    pikepdf = pytest.importorskip("pikepdf", reason="pikepdf is not installed")
    with pikepdf.open(made["pdf"]) as pdf:
        EDITS[what](pdf)
        pdf.save(tmp_path / "changed.pdf")
    if what == "a second table":
        with pytest.raises(InputError, match="2 different tables"):
            fs.verify(tmp_path / "changed.pdf", data)
    else:
        assert not fs.verify(tmp_path / "changed.pdf", data).ok


def test_a_pdf_that_another_program_packed_anew_passes_and_says_what_was_not_compared(made, data, tmp_path):
    pikepdf = pytest.importorskip("pikepdf", reason="pikepdf is not installed")
    with pikepdf.open(made["pdf"]) as pdf:
        pages = len(pdf.pages)
        pdf.save(tmp_path / "again.pdf", object_stream_mode=pikepdf.ObjectStreamMode.generate)
    assert len(pages_of(made["pdf"].read_bytes())) == len(pages_of((tmp_path / "again.pdf").read_bytes())) == pages
    found = fs.verify(tmp_path / "again.pdf", data)
    assert found.ok and "beside its pages" in found.summary()


def test_a_page_tree_that_refers_to_itself_ends():
    loop = b"1 0 obj <</Type /Catalog/Pages 2 0 R>> endobj 2 0 obj <</Kids [2 0 R 3 0 R 2 0 R]>> endobj "
    loop += b"3 0 obj <</Kids [2 0 R 3 0 R]>> endobj trailer <</Root 1 0 R>>"
    assert pages_of(loop) == []


def test_a_change_of_the_html_that_is_no_word_is_found(made, data, tmp_path):
    page = made["html"].read_text()
    point = re.findall(r'<path d="[^"]+"', page)[3]
    changes = {
        "<tr>": "<tr style='display:none'>",
        "</style>": "td{display:none}</style>",
        point: point.replace("1", "2", 1),
    }
    for before, after in {**changes, "<svg": "<svg hidden", "</main>": "<!-- x --></main>"}.items():
        assert before in page
        (tmp_path / "changed.html").write_text(page.replace(before, after, 1))
        assert not fs.verify(tmp_path / "changed.html", data).ok, before


@pytest.mark.parametrize("preset", ["four_fifths", "generic"])
def test_the_preset_of_a_pdf_is_known_again(preset, data, tmp_path):
    fs.report(fs.audit(data, groups="g", outcome="y", score="s", threshold=3), to=tmp_path / "a.pdf", preset=preset)
    found = fs.verify(tmp_path / "a.pdf", data)
    assert found.ok and not found.unchecked, found.summary()


def test_the_same_audit_twice_has_one_id_whatever_its_cover(data):
    one = fs.report(fs.audit(data, groups="g", outcome="y", score="s", threshold=3), title="One")
    two = fs.report(fs.audit(data, groups="g", outcome="y", score="s", threshold=3), title="Two", auditor="B")
    assert one.id == two.id
