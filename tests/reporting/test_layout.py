"""The pages: nothing beyond the margin, none but the last half empty, every script, captions of what is drawn."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

import fairstats
from benchmarks import gallery
from fairstats.document import Figure
from fairstats.reporting.figures.pixels import pixels
from fairstats.reporting.render import boxed, isolated, keyed, unfaced

pytest.importorskip("weasyprint", reason="WeasyPrint is not installed: pip install 'fairstats[report]'")
LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkx"
SCRIPTS = ("עברית (ישראל)", "العربية", "Ελληνικά", "Кириллица", "Tiếng Việt")
ABSENT = "\U0010fff0\U0010fff1"  # for private use: no face has them
LEFT, RIGHT, TOP, BOTTOM = 42.5, 552.8, 59.5, 791.0  # the text block, in points


@dataclass
class Page:
    """The words of a page with their places, and its text in reading order."""

    words: list[tuple[float, float, float, float, str]]
    text: str

    @property
    def full(self) -> float:
        """How far down the text block reaches."""
        return (max(low for _, high, _, low, _ in self.words if TOP - 15 < high < BOTTOM) - TOP) / (BOTTOM - TOP)


def tool(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"{name} is not installed: sudo apt-get install poppler-utils")
    return path


def pages(result: fairstats.Report, folder) -> list[Page]:
    file = folder / "report.pdf"
    result.write(file)
    boxes = subprocess.run([tool("pdftotext"), "-bbox", file, "-"], check=True, capture_output=True).stdout
    plain = subprocess.run([tool("pdftotext"), file, "-"], check=True, capture_output=True).stdout
    word = re.compile(r'xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">(.*?)</word>')
    items = []
    for part, text in zip(
        boxes.decode(errors="replace").split("<page ")[1:], plain.decode(errors="replace").split("\f"), strict=False
    ):
        items.append(Page([(*map(float, w[:4]), w[4]) for w in word.findall(part)], text))
    return items


def people(names: tuple[str, ...], n: int = 1400) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    table = pd.DataFrame({"group": rng.choice(names, n), "sex": rng.choice(["f", "m"], n)})
    table["score"] = np.round(rng.random(n), 1)
    return table.assign(good=(rng.random(n) < table.score).astype(int))


def audited(names: tuple[str, ...]) -> fairstats.Report:
    arguments = {"outcome": "good", "score": "score", "threshold": 0.5, "favorable": 0}
    return fairstats.report(fairstats.audit(people(names), groups=["group", "sex"], **arguments))


@pytest.fixture(scope="module")
def report():
    return audited((LONG, *SCRIPTS, ABSENT))


@pytest.fixture(scope="module")
def result(report, tmp_path_factory):
    return pages(report, tmp_path_factory.mktemp("pages"))


@pytest.mark.long
def test_no_word_stands_beyond_the_margins(result):
    beyond = [(i, word) for i, page in enumerate(result, 1) for x, _, end, _, word in page.words if end > RIGHT + 0.5]
    assert beyond == []
    assert all(x > LEFT - 0.5 for page in result for x, *_ in page.words)


@pytest.mark.parametrize("law", [None, "credit"])  # with a ratio, too
def test_beside_a_margin_no_cell_of_page_one_runs_into_the_next(law, tmp_path):
    data = people(("White", "Asian-Pac-Islander", "Black"), 6000)
    data["score"] = np.where(data.sex == "f", data.score / 1.8, data.score)
    options = {"outcome": "good", "score": "score", "threshold": 0.5, "favorable": 1, "positive": 1, "margin": 0.05}
    audit = fairstats.audit(data, groups=["group", "sex"], law=law, **options)
    first = pages(fairstats.report(audit), tmp_path)[0]
    assert "beyond margin" in first.text
    no_word_runs_into_the_next(first)


def no_word_runs_into_the_next(page: Page) -> None:
    for x, y, end, _, word in page.words:
        for other, level, far, _, after in page.words:
            assert abs(level - y) > 1 or other <= x or other >= end - 0.2 or far < end, (word, after)


@pytest.mark.parametrize("errors", [False, True])
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_gap_with_a_dot_and_two_negative_limits_runs_into_no_finding_nor_ratio(errors, language, tmp_path):
    races = ["White", "Black", "Hispanic", "Asian", "Unknown", "Native"]
    counts = {"race": races, "all": [1200, 300, 240, 180, 90, 12], "hired": [720, 60, 66, 50, 33, 2]}
    with pytest.warns(fairstats.FairstatsWarning, match="not known"):
        audit = fairstats.audit(fairstats.from_counts(counts, "race", "hired", "all"), law="employment")
    if errors:
        rows = pd.DataFrame({"race": np.repeat(races, counts["all"]), "good": np.arange(2022) % 2})
        hired = [np.arange(n) < k for n, k in zip(counts["all"], counts["hired"], strict=True)]
        audit = fairstats.audit(
            rows.assign(hired=np.concatenate(hired)), "hired", "race", outcome="good", law="employment"
        )
    first = pages(fairstats.report(audit, language=language), tmp_path)[0]
    assert re.search(r"[●•] ?−\d\d", first.text)
    for i, (x, y, end, low, word) in enumerate(first.words):
        for other, level, far, base, after in first.words[i + 1 :]:
            apart = min(end, far) - max(x, other) <= 0.2 or min(low, base) - max(y, level) <= 3
            assert apart, (word, after)


@pytest.mark.parametrize("law", [None, "credit"])  # with a ratio, too
@pytest.mark.parametrize("margin", [None, 0.05])
def test_beside_a_gap_within_strata_heads_stand_apart_and_there_is_no_picture(law, margin, tmp_path):
    data = people(("White", "Asian-Pac-Islander", "Black"), 6000).assign(school=lambda rows: rows.score > 0.5)
    data["good"] = np.where(data.sex == "f", data.good * (data.index % 4 > 0), data.good)
    audit = fairstats.audit(data, "good", ["group", "sex"], favorable=1, strata="school", margin=margin, law=law,
                            labels={"unit": "defendants"})  # fmt: skip
    report = fairstats.report(audit)
    card = report.html.partition('<div class="table full lines')[2].partition("</div>")[0]
    assert "<svg" not in card and "Open dot" not in card and ("Filled dot" in card) is (margin is None)
    assert ("The margin is treated as small" in card) is (margin is not None)
    no_word_runs_into_the_next(pages(report, tmp_path)[0])


def test_what_an_open_size_means_is_said_of_the_gap_within_strata():
    """Without regard to the school nobody differs by less than the margin; within schools that is open."""
    cells = [("a", 0, 400, 80), ("a", 1, 1600, 1120), ("b", 0, 1600, 192), ("b", 1, 400, 250)]
    rows = [(g, s, i < k) for g, s, n, k in cells for i in range(n)]
    data = pd.DataFrame(rows, columns=["g", "school", "good"])
    audit = fairstats.audit(data, "good", "g", favorable=True, strata="school", margin=0.06)
    card = fairstats.report(audit).html.partition('<div class="table full lines')[2].partition("</div>")[0]
    assert "size open" in card and "Size open: beyond chance, perhaps within the margin." in card


@pytest.mark.long
def test_no_page_but_the_last_is_less_than_six_tenths_full(result):
    assert [(i, page.full) for i, page in enumerate(result[:-1], 1) if page.full < 0.6] == []


@pytest.mark.long
def test_who_signs_signs_a_page_with_the_id_and_the_number_of_pages(result, report):
    last = result[-1].text
    assert "Signature" in last and report.id in last and f"page {len(result)} of {len(result)}" in last
    assert "Fingerprint of the results" in result[-2].text + last  # the end of what is needed to run it again


def test_two_widths_of_tables(report):
    sizes = re.findall(r'<div class="table (\w+)', report.html)
    assert set(sizes) <= {"full", "half", "pairs", "lines"}


def test_names_of_every_script_come_out_of_the_pdf_and_none_is_blank(result):
    text = "\n".join(page.text for page in result)
    for name in ("Ελληνικά", "Кириллица", "Tiếng Việt"):
        assert name in text
    assert "ישראל" in text or "לארשי" in text  # poppler's versions differ in the order that they give
    assert "U+10FFF0" in text and "Drawn as boxes" in text


def test_in_a_figure_a_name_that_needs_shaping_is_a_number_and_stands_in_the_caption(report):
    page = keyed(report.html)
    figures = re.findall(r"<figure\b.*?</figure>", page, re.S)
    named = [f for f in figures if "Names: #1" in f]
    assert named
    for figure in figures:
        drawn = "".join(re.findall(r"<text[^>]*>([^<]*)</text>", figure))
        assert not re.search("[\u0590-\u08ff]", drawn)
        keys = set(re.findall(r"#\d+", drawn))
        assert keys <= set(re.findall(r"(#\d+) <bdi>", figure))


def test_pictures_of_documents_have_numbers_for_names_that_are_not_drawn_and_captions_say_which(tmp_path):
    hindi, sinhala = "\u0939\u093f\u0902\u0926\u0940", "\u0db8\u0dca"
    table = pd.DataFrame({"group": [hindi, sinhala, "north"] * 60, "hired": [1, 0, 1, 0, 0, 1] * 30})
    built = fairstats.report(fairstats.audit(table, "hired", "group", favorable=1))
    (figure,) = [b.drawing for b in built.contents.blocks if isinstance(b, Figure)]
    keys = pixels(figure, 100)[1]
    assert keys == {hindi: keys[hindi], sinhala: keys[sinhala]} and set(keys.values()) == {"#1", "#2"}
    text = b"".join(built.form(tmp_path / "a.md").values()).decode(errors="ignore")
    key = ", ".join(f"{number} {name}" for name, number in keys.items())
    assert f"{figure.caption} Names: {key}." in text and hindi in figure.alt
    if unfaced(hindi):
        page = boxed(built.html).partition('id="protocol"')[0]
        assert "Noto Sans Devanagari and Noto Sans Sinhala" in page


@pytest.mark.long
def test_a_heading_breaks_after_the_underscores_of_a_name_and_within_no_word(tmp_path):
    rng = np.random.default_rng(2)
    people = pd.DataFrame({"sex": rng.choice(["f", "m"], 900), "decile_score": rng.integers(1, 11, 900)})
    people["two_year_recid"] = (rng.random(900) < people.decile_score / 12).astype(int)
    people["decile_score"] = (people.decile_score >= 5).astype(int)
    roles = {"outcome": "two_year_recid", "decision": "decile_score", "favorable": 0}
    built = fairstats.report(fairstats.audit(people, groups="sex", **roles))
    assert "decile_<wbr>score = 1" in built.html
    parts = {
        part for page in pages(built, tmp_path) for word in page.words for part in re.findall(r"decile\w*", word[4])
    }
    assert {re.sub("apos$", "", part) for part in parts} == {"decile_", "decile_score"}


def test_what_runs_from_right_to_left_moves_nothing_beside_it():
    assert isolated("<p>x (אב (גד)) 12</p>") == "<p>x (<bdi>אב (גד)</bdi>) 12</p>"
    assert isolated('<p title="אב">a</p><svg><title>אב</title><text>אב</text></svg>').count("<bdi>") == 0
    assert unfaced("<p>Ελ אב</p>") == [] and boxed("<p>plain</p>") == "<p>plain</p>"


@pytest.mark.long
def test_every_group_that_a_caption_names_is_drawn_or_stands_in_a_table_nearby():
    groups = tuple(f"region {i:02d}" for i in range(30))
    page = audited(groups).html
    assert "beyond the limits for all groups" in page
    for part in re.findall(r"<section id=\"(?:outcomes|errors|sensitivity)\".*?</section>", page, re.S):
        tables = " ".join(re.findall(r"<tbody>.*?</table>", part, re.S))
        for figure in re.findall(r"<figure\b.*?</figure>", part, re.S):
            drawn = " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", figure))
            caption = re.findall(r"<figcaption>(.*?)</figcaption>", figure, re.S)[0]
            for name in set(re.findall(r"region \d\d", caption)):
                assert name in drawn or name in tables, (name, caption)


def test_thousands_are_separated_and_a_minus_is_no_hyphen_wherever_a_number_is_printed(report):
    page = re.sub(r"<style\b.*?</style>", "", report.html, flags=re.S).partition('id="limits"')[
        0
    ]  # then sources, hashes
    shown = re.findall(r"<t[dh]\b[^>]*>([^<]*)<|<text[^>]*>([^<]*)<|<(?:p|figcaption|desc)\b[^>]*>([^<]*)<", page)
    text = "\n".join("".join(parts) for parts in shown)
    assert "1,400" in text and "−" in text
    assert re.findall(r"(?<![\w-])-\d[^\n]*", text) == []
    assert re.findall(r"(?<![\w.,-])(?!1607\.(?:4|15)\()\d{4,}(?![\w-])", text) == []


def test_a_page_one_that_runs_over_leaves_no_page_almost_empty(tmp_path):
    """Two lines more than a page holds: without a rule of its own the second page has nothing else."""
    from fairstats.reporting import render

    rest = "<section id=protocol><h2>Rules</h2>" + "<p>Rule.</p>" * 60 + "</section><section id=limits>End</section>"
    sheet = "@page{size:A4;margin:20mm}p{margin:0;line-height:10mm}#findings{break-after:page}"
    for lines in (5, 26):
        one = f"<section id=findings>{'<p>Line</p>' * lines}</section>"
        head = f"<title>t</title><style>{sheet}</style></head><body><main>"
        html = f"<!doctype html><html lang=en><head>{head}{one}{rest}</main></body></html>"
        file = tmp_path / "one.pdf"
        file.write_bytes(render.pdf(html, (), "2024-01-01T00:00:00+00:00", "id"))
        stdout = subprocess.run([tool("pdftotext"), file, "-"], check=True, capture_output=True, text=True).stdout
        assert [number for number, page in enumerate(stdout.split("\f")) if "Rules" in page] == [1]


@pytest.mark.long
def test_two_attributes_in_german_with_labels_take_six_pages_and_the_appendix(tmp_path):
    """Six groups and two, a decision, an outcome and a score, and names that are long."""
    rng = np.random.default_rng(8)
    names = ("African-American", "Caucasian", "Hispanic", "Other", "Asian", "Native American")
    group = rng.choice(names, 7000, p=[0.51, 0.34, 0.088, 0.052, 0.006, 0.004])
    score = np.clip(rng.poisson(3.2 + 1.5 * (group == names[0])) + 1, 1, 10)
    table = pd.DataFrame({"race": group, "sex": rng.choice(["Male", "Female"], 7000, p=[0.8, 0.2]), "score": score})
    table["again"] = (rng.random(7000) < 0.15 + 0.05 * score).astype(int)
    table["flagged"] = (score >= 5).astype(int)
    called = ("Afroamerikanische", "Weiße", "Hispanische", "Andere", "Asiatische", "Indigene")
    words = {
        "unit": "Angeklagte",
        "favorable": "wurden niedrig eingestuft",
        "unfavorable": "wurden hoch eingestuft",
        "positive": "wurden binnen zwei Jahren wieder verhaftet",
        "negative": "wurden nicht wieder verhaftet",
        "attributes": {"race": "Herkunft", "sex": "Geschlecht"},
        "groups": {"race": dict(zip(names, called, strict=True))},
    }
    arguments = {"outcome": "again", "score": "score", "favorable": 0, "positive": 1, "labels": words}
    built = pages(
        fairstats.report(fairstats.audit(table, "flagged", ["race", "sex"], **arguments), language="de"), tmp_path
    )
    appendix = next(i for i, page in enumerate(built) if "Weitere Ergebnisse" in page.text and i > 1)
    assert appendix <= 6 and len(built) <= 10
    assert [(i, page.full) for i, page in enumerate(built[:-1], 1) if page.full < 0.6] == []
    assert any("Bevor man sich darauf" in page.text for page in built[:2])
    assert [word for page in built for _, _, end, _, word in page.words if end > RIGHT + 0.5] == []


@pytest.mark.long
def test_the_last_page_has_references_beside_the_signature(tmp_path):
    """All that there is room for, and the page before it keeps enough; of more references see the longer report."""
    built = pages(fairstats.report(*gallery.hired()), tmp_path)
    assert "Wilson, E. B. (1927)" in built[-1].text and "Signature and date:" in built[-1].text
    assert "Agresti, A." in built[-1].text and built[-2].full > 0.6 and built[-1].full > 0.45
