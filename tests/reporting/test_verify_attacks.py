"""Whoever changes one thing in a written report is found out: numbers, labels, attachments, pages, pictures."""

from __future__ import annotations

import base64
import copy
import csv
import gzip
import io
import json
import random
import re
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.auditing.audit import carry_out
from fairstats.errors import InputError
from fairstats.estimates import Estimates
from fairstats.reporting import verify
from fairstats.reporting.bundle import read_written, results_hash, software
from fairstats.reporting.verify import _compared, protocol_of

ASKED = {"groups": "g", "outcome": "y", "score": "s", "threshold": 3}
OWN = {"title", "auditor", "created", "language", "call", "schema", "name"}  # what a report says of itself


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    rng = np.random.default_rng(0)
    people = {"g": rng.choice(list("abc"), 300), "s": rng.integers(1, 6, 300), "y": rng.integers(0, 2, 300)}
    file = tmp_path_factory.mktemp("data") / "people.csv"
    pd.DataFrame(people).to_csv(file, index=False)
    return file


@pytest.fixture(scope="module")
def result(tmp_path_factory, data) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("report")
    files = {kind: folder / f"a.{kind}" for kind in ("json", "html", "pdf")}
    fairstats.report(fairstats.audit(data, **ASKED), to=list(files.values()))
    return files


@pytest.fixture(autouse=True, scope="module")
def pages_made_once():
    """The forged files below say the same results: their pages are made again once and not for each of them."""
    forged: dict[str, tuple[bytes, str]] = {}
    remade = verify._remade

    def once(written, recorded, *more):
        key = json.dumps([written.kind, written.document, recorded])
        if key not in forged:
            forged[key] = remade(written, recorded, *more)
        return forged[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verify, "_remade", once)
        yield


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


@pytest.mark.long
@pytest.mark.parametrize("step", [8, pytest.param(1, marks=pytest.mark.slow)])
def test_every_kind_of_entry_of_the_json_that_is_changed_is_found(result, data, monkeypatch, step):
    monkeypatch.setattr(verify, "_whole_file", lambda *of: [])  # what is compared by name, not byte for byte
    written = read_written(result["json"])
    audit = carry_out(data, protocol_of(written.document["audit"]["protocol"]), {})
    assert _compared(written, [written.document["audit"]], [audit]).ok
    types = defaultdict(list)
    for path, value in _leaves(written.document):
        if not (OWN | {"versions", "software"}) & set(path):
            types[tuple(p for p in path if isinstance(p, str)), type(value)].append((path, value))
    assert len(types) > 80
    changed = copy.deepcopy(written.document)
    for entries in list(types.values())[::step]:
        path, value = random.Random(1).choice(entries)
        for other in _other(value):
            if other == value:
                continue
            at = changed
            for step in path[:-1]:
                at = at[step]
            at[path[-1]] = other
            try:
                ok = _compared(replace(written, document=changed), [changed["audit"]], [audit]).ok
            except InputError:
                ok = False
            at[path[-1]] = value
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
    remark = pikepdf.Dictionary(**kind, Contents="99%", DA="/Helv 12 Tf")
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


EDITS = {
    "two letters of page one": _exchanged_letters,
    "a box over a number": _painted_over,
    "a remark over a number": _remark_over,
    "a page removed": _page_removed,
    "two pages exchanged": _pages_exchanged,
    "a number of the table": _attached("results.csv", _a_number),
    "a number of the JSON": _attached("results.json", lambda c: c.replace(b'"estimate": 0.5', b'"estimate": 0.6', 1)),
    "no table": lambda pdf: pdf.attachments.__delitem__("results.csv"),
    "nothing but packed anew": lambda pdf: None,
}


@pytest.mark.long
@pytest.mark.parametrize("what", EDITS)
def test_a_change_of_the_pdf_is_found(what, result, data, tmp_path):
    pikepdf = pytest.importorskip("pikepdf", reason="pikepdf is not installed")
    with pikepdf.open(result["pdf"]) as pdf:
        EDITS[what](pdf)
        pdf.save(tmp_path / "changed.pdf")
    assert fairstats.verify_report(tmp_path / "changed.pdf", data).status == "disagreement"


def _appended(raw: bytes, objects: dict[int, bytes]) -> bytes:
    """An incremental update: objects written once more at the end, which every reader takes in place of the first."""
    previous = int(re.findall(rb"startxref\s+(\d+)", raw)[-1])
    places, out = {}, raw
    for number, body in objects.items():
        places[number] = len(out)
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n" + b"".join(b"%d 1\n%010d 00000 n \n" % place for place in sorted(places.items()))
    tail = b"trailer\n<</Size 9999/Root 2 0 R/Prev %d>>\nstartxref\n%d\n%%%%EOF\n"
    return out + tail % (previous, start)


def _stream(head: bytes, content: bytes) -> bytes:
    return b"<<%b/Length %d>>\nstream\n%b\nendstream" % (head, len(content), content)


DRAWN = b"1 1 1 rg 0 0 600 850 re f BT /Helv 30 Tf 40 700 Td (No disparity: 77.7% against 77.7%) Tj ET"
UPDATES = {
    "a page in another filter": {6: _stream(b"/Filter /ASCIIHexDecode", DRAWN.hex().encode() + b">")},
    "a stamp where a link was": {8: b"<</Type/Annot/Z<</Subtype /Link>>/Subtype/Stamp/F 4/Rect[0 0 595 842]>>"},
    "a drawing that says it is metadata": {6: _stream(b"/Note/Metadata", DRAWN)},
    "metadata of another maker": {9998: _stream(b"/Type/Metadata", b"<x>fairstats 0.2.0, own templates</x>")},
    "another file attached": {9998: _stream(b"/Type/EmbeddedFile", b"result,metric\n")},
    "nothing but an update": {9998: b"null"},
}


@pytest.mark.long
@pytest.mark.parametrize("what", UPDATES)
def test_a_pdf_that_was_added_to_is_another_file(what, result, data, tmp_path):
    (tmp_path / "changed.pdf").write_bytes(_appended(result["pdf"].read_bytes(), UPDATES[what]))
    assert [d.where for d in fairstats.verify_report(tmp_path / "changed.pdf", data).differences] == ["the file"]


def _rewritten(page: str, change) -> str:
    """The page with its results changed, and the hash and id that belong to them."""
    (packed,) = re.findall('base64,([^"]*)"> ?results', page) or re.findall('gzip;base64,([^"]*)"', page)
    document = json.loads(gzip.decompress(base64.b64decode(packed)))
    change(document)
    document["results_sha256"] = results_hash(document)
    document["id"] = document["results_sha256"][:8]
    small = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
    return page.replace(packed, base64.b64encode(gzip.compress(small, mtime=0)).decode())


STYLE = '<style>td::after{content:"99.9%"}</style>'
PAGES = {
    "words within the link": lambda p: p.replace('<p class="data">', f'<p class="data">{STYLE}<b>77.7%</b>'),
    "words before the page": lambda p: f'<p class="data"><script>1</script></p>\n{p}',
    "words after the page": lambda p: f"{p}<p>77.7%</p>",
    "another face": lambda p: re.sub(
        "src:url[(]data:font/woff2;base64,.", "src:url(data:font/woff2;base64,A", p, count=1
    ),
    "one more face": lambda p: p.replace("</style>", "@font-face{font-family:Inter;unicode-range:U+30-39}</style>", 1),
    "a style in every picture": lambda p: p.replace("</svg>", f"{STYLE}</svg>"),
    "words in every picture": lambda p: p.replace("</svg>", "<foreignObject><p>99.9%</p></foreignObject></svg>"),
    "a picture hidden": lambda p: p.replace("<svg", "<svg hidden", 1),
    "a row hidden": lambda p: p.replace("<tr>", "<tr style='display:none'>", 1),
    "a remark": lambda p: p.replace("</main>", "<!-- x --></main>"),
    "other ends of lines": lambda p: p.replace("\n", "\r\n"),
    "a mark at its beginning": lambda p: f"\ufeff{p}",
}
SAYS = {
    "own templates": (lambda d: d["pages"].update(own_templates=True), "partly verified"),
    "an unknown preset": (lambda d: d["pages"].update(preset="../presets/mine"), "partly verified"),
    "another preset": (lambda d: d["pages"].update(preset="four_fifths"), "disagreement"),
    "another law": (lambda d: d["pages"].update(about={"tool": "x"}), "disagreement"),
    "other software": (lambda d: d["software"].update(fairstats="0.1.9"), "partly verified"),
    "no software": (lambda d: d.pop("software"), "partly verified"),
    "a fit": (lambda d: d["fits"].append({"name": "og", "estimates": [{}]}), "partly verified"),
    "another version of the audit": (
        lambda d: d["audit"]["provenance"]["versions"].update(fairstats="0.1.9"),
        "disagreement",
    ),
    "no hash of the data": (lambda d: d["audit"]["data"].pop("sha256"), "disagreement"),
    "an empty hash of the data": (lambda d: d["audit"]["data"].update(sha256=""), "disagreement"),
    "data of another kind": (lambda d: d["audit"].update(data=3), "disagreement"),
    "a caution taken away": (lambda d: d["audit"].update(notes=[]), "disagreement"),
    "cautions of another version": (
        lambda d: (d["software"].update(fairstats="0.1.9"), d["audit"].update(notes=["All is well."])),
        "partly verified",
    ),
    "no title": (lambda d: d.pop("title"), "disagreement"),
    "one more entry": (lambda d: d.update(remark="all is well"), "disagreement"),
}


@pytest.fixture(scope="module")
def ways(data):
    """The audit of the data once, so that every forged file is compared and not computed."""
    audit = carry_out(data, protocol_of(fairstats.audit(data, **ASKED).to_dict()["protocol"]), {})
    return lambda file: _compared(read_written(file), [read_written(file).document["audit"]], [audit])


@pytest.mark.long
@pytest.mark.parametrize("what", PAGES)
def test_a_change_of_the_html_is_found_wherever_it_stands(what, result, ways, tmp_path):
    page = result["html"].read_text()
    forged = PAGES[what](page)
    assert forged != page
    (tmp_path / "changed.html").write_bytes(forged.encode())
    assert [d.where for d in ways(tmp_path / "changed.html").differences] == ["the file"]


@pytest.mark.long
@pytest.mark.parametrize("what", SAYS)
def test_nothing_that_a_file_says_of_itself_makes_an_edited_page_pass(what, result, ways, tmp_path):
    change, status = SAYS[what]
    page = _rewritten(result["html"].read_text(), change).replace("<h1", "<p>No disparity.</p><h1", 1)
    (tmp_path / "edited.html").write_text(page)
    matches = ways(tmp_path / "edited.html")
    assert not matches.ok and matches.status == status, matches.summary()


@pytest.mark.parametrize("kind", ["fits", "extra_errors", "partitions", "others"])
@pytest.mark.parametrize("value", [3, "x", [3], [{}], [{"name": ""}], [{"name": "og"}]])
def test_further_results_that_are_none_are_refused(kind, value, result, ways, tmp_path):
    (tmp_path / "a.html").write_text(_rewritten(result["html"].read_text(), lambda d: d.update({kind: value})))
    with pytest.raises(InputError, match=f"its JSON has {kind} that are no results"):
        ways(tmp_path / "a.html")


def test_two_answers_under_one_name_in_a_json_file_are_a_change(result, ways, tmp_path):
    text = result["json"].read_text()
    (tmp_path / "a.json").write_text(text.replace('"finding":', '"finding": "No disparity.", "finding":', 1))
    assert ways(tmp_path / "a.json").status == "disagreement"


@pytest.mark.long
def test_the_last_bits_of_another_machine_are_no_change_of_the_file(data, tmp_path):
    """Another processor adds in another order: the file says its own numbers, and its pages are made of these."""
    audit = fairstats.audit(data, **ASKED)
    moved = replace(audit, estimates=Estimates(replace(e, estimate=e.estimate * (1 + 2e-16)) for e in audit.estimates))
    assert moved.to_dict() != audit.to_dict()
    for name in ("a.html", "a.json"):
        fairstats.report(moved, to=tmp_path / name)
        assert fairstats.verify_report(tmp_path / name, data).ok


def test_pages_that_other_software_set_are_not_verified_and_it_is_named(result, data, monkeypatch):
    for kind in ("html", "pdf"):
        monkeypatch.setattr(verify, "software", lambda form: {**software(form), "brotli": "0.1"})
        monkeypatch.setattr(verify, "_remade", lambda *of: (b"", ""))
        matches = fairstats.verify_report(result[kind], data)
        assert (
            matches.status == "partly verified" and "brotli" in matches.summary() and "(here 0.1)" in matches.summary()
        )


MADE = {
    "four fifths": ({}, {"preset": "four_fifths", "title": "<T>", "auditor": "A & B"}),
    "German": ({}, {"language": "de", "title": "<T>", "auditor": "A & B"}),
    "the law": ({"min_n": 1, "missing": "level"}, {"preset": "ll144", "ll144_notice": {"vendor": "Acme", "tool": "R"}}),
    "strata and words": ({"labels": {"unit": "people", "title": "Own"}}, {"auditor": "\u00c4"}),
}


@pytest.mark.long
@pytest.mark.parametrize("what", MADE)
def test_a_report_says_how_it_was_written_and_is_reproduced_so(what, data, tmp_path):
    arguments, options = MADE[what]
    files = [tmp_path / f"a.{form}" for form in ("html", "pdf")[: 2 if what == "German" else 1]]  # a PDF takes seconds
    fairstats.report(fairstats.audit(data, **ASKED | arguments), to=files, **options)
    for file in files:
        matches = fairstats.verify_report(file, data)
        assert matches.ok, matches.summary()


def test_templates_of_users_are_not_verified(data, tmp_path):
    folder = tmp_path / "templates"
    (folder / "sections").mkdir(parents=True)
    (folder / "sections" / "limits.html.j2").write_text("<p>ours</p>")
    fairstats.report(fairstats.audit(data, **ASKED), to=tmp_path / "a.html", templates=folder)
    matches = fairstats.verify_report(tmp_path / "a.html", data)
    assert matches.status == "partly verified" and "templates of somebody's own" in matches.summary()


def test_the_same_audit_twice_has_one_id_whatever_its_cover(data):
    one = fairstats.report(fairstats.audit(data, **ASKED), title="One")
    two = fairstats.report(fairstats.audit(data, **ASKED), title="Two", auditor="B")
    assert one.id == two.id
