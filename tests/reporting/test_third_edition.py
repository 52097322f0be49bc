"""The later pages: short, one level in the body, titles that agree with their tables, numbers to cite, any paper."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.document import Chapter, Figure, Forest, Table, Title, Together
from fairstats.errors import InputError
from fairstats.estimates import SHOWN, Estimate
from fairstats.provenance import Curve
from fairstats.reporting.figures.fits import path
from fairstats.reporting.figures.rates import _limits
from fairstats.reporting.figures.style import upright
from fairstats.reporting.sections import titles
from tests.reporting.test_layout import pages

pytest.importorskip("weasyprint")
TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
GROUPS = ("Black", "White", "Hispanic", "Other", "Asian", "Native")


@pytest.fixture(scope="module")
def audit() -> fairstats.Audit:
    """Six groups and two, a score that flags, an outcome: of the size of the COMPAS audit."""
    rng = np.random.default_rng(8)
    race = rng.choice(GROUPS, 7000, p=[0.51, 0.34, 0.088, 0.052, 0.006, 0.004])
    score = np.clip(rng.poisson(3.2 + 1.5 * (race == "Black")) + 1, 1, 10)
    table = pd.DataFrame({"race": race, "sex": rng.choice(["Male", "Female"], 7000, p=[0.8, 0.2]), "score": score})
    table["again"] = (rng.random(7000) < 0.15 + 0.05 * score - 0.1 * (table.sex == "Female")).astype(int)
    labels = {
        "unit": "defendants",
        "favorable": "were rated low",
        "unfavorable": "were rated high",
        "positive": "were arrested again",
        "negative": "were not arrested again",
    }
    arguments = {"outcome": "again", "score": "score", "threshold": 5, "favorable": 0, "labels": labels}
    return fairstats.audit(table, groups=["race", "sex"], reference={"race": "White", "sex": "Male"}, **arguments)


@pytest.fixture(scope="module")
def report(audit) -> fairstats.Report:
    return fairstats.report(audit)


@pytest.fixture(scope="module")
def laid(report, tmp_path_factory):
    return pages(report, tmp_path_factory.mktemp("pages"))


@pytest.mark.long
def test_five_pages_then_the_appendix_and_whoever_signs_signs_beside_the_provenance(laid):
    appendix = next(i for i, page in enumerate(laid) if i > 1 and "Appendix:" in page.text)
    assert appendix <= 5
    assert [(i, page.full) for i, page in enumerate(laid[:-1], 1) if page.full < 0.6] == []
    assert "Signature" in laid[-1].text and "Versions" in laid[-1].text
    # of many references the last ones stand beside the signature
    assert "Agresti, A." in laid[-2].text and "Wilson, E. B. (1927)" in laid[-1].text and laid[-1].full > 0.45


@pytest.mark.long
def test_the_body_has_one_level_and_the_appendix_that_of_each_comparison(laid):
    text = "\n".join(page.text for page in laid)
    body, appendix = text.split("Appendix: Methods\n", 1)[0], text[text.rindex("The level of each comparison") :]
    before = body[: body.index("The level of each comparison")] if "The level of each comparison" in body else body
    assert set(re.findall(r"9\d(?:\.\d+)?%(?= (?:CI|interval|confidence))", before)) == {"95%"}
    assert "99.17%" in appendix and "99.17%" not in before


def test_a_title_names_what_its_table_shows_and_no_null_in_place_of_it(report, audit):
    """Faults 19 and 20: every difference that is shown is on its side in the title, whatever the size of the group."""
    outcomes, errors = (report.contents.context[name]["parts"] for name in ("outcomes", "errors"))
    for part, attribute in zip(outcomes[:2], ("race", "sex"), strict=True):
        rows = audit.estimates.where(attribute=attribute, metric="selection rate", contrast="difference", role="main")
        more, _, less = part["heading"].partition("less often") if "more often" in part["heading"] else ("", "", "")
        shown = [r for r in rows if r.verdict in SHOWN]
        assert shown or "not settled" in part["heading"]
        for row in shown:
            assert row.group in part["heading"]
            flagged = (
                1
                - audit.estimates.where(
                    attribute=attribute, metric="selection rate", contrast="none", role="main", group=row.group
                )[0].estimate
            )
            assert f"{row.group} ({100 * flagged:.1f}%)" in part["heading"]
        assert (not more) or less is not None
    for part, attribute in zip(errors, ("race", "sex"), strict=True):
        rows = audit.estimates.where(attribute=attribute, contrast="difference", role="main")
        names = {
            "FNR": "missed cases",
            "FPR": "false alarms",
            "PPV": "the share of those rated high who were arrested again",
        }
        for metric, name in names.items():
            shown = [r for r in rows if r.metric == metric and r.verdict in SHOWN]
            sides = ("higher", "lower") if metric == "PPV" else ("more frequent", "less frequent")
            said = any(f"{name} {side}" in part["heading"] for side in sides)
            assert bool(shown) == said, (attribute, metric, part["heading"])


def test_equal_and_open_comparisons_are_distinguished_in_a_title():
    rates = [Estimate("FPR", group=g, estimate=e, n=99.0) for g, e in zip("abc", (0.5, 0.41, 0.4), strict=True)]
    gap = Estimate("FPR", reference="c", estimate=0.1, contrast="difference", verdict="inconclusive")
    rows = [replace(gap, group="a"), replace(gap, group="b", estimate=0.01, verdict="equivalence shown")]
    title = titles.rate_title(rates, rows, "c")
    assert title == "b (41.0%) against c (40.0%): within the margin; not settled for a"
    lower = replace(gap, group="a", estimate=-0.1, verdict="disparity shown")
    assert titles.rate_title(rates, [lower], "c", "were flagged") == "a (50.0%) were flagged less often than c (40.0%)"


def _captions(blocks):
    for i, block in enumerate(blocks):
        if isinstance(block, (Chapter, Together)):
            yield from _captions(block.blocks)
        elif isinstance(block, Table) and block.caption:
            yield block.caption
        elif isinstance(block, Figure):
            yield block.drawing.caption
        elif isinstance(block, Title) and isinstance(next(iter(blocks[i + 1 :]), None), Forest):
            yield block.text


def test_tables_and_figures_are_numbered_in_the_order_of_the_page(report):
    captions = list(_captions(filter(None, report.contents.context["document"].values())))
    for kind in ("Table", "Figure"):
        numbers = [int(text.split()[1].rstrip(".")) for text in captions if text.startswith(f"{kind} ")]
        assert numbers == list(range(1, len(numbers) + 1)) and len(numbers) > 3
    assert all(re.match(r"(Table|Figure) \d+\. ", text) for text in captions)
    assert all(f">{text}<" in report.html.replace("&amp;", "&").replace("&gt;", ">") for text in captions)


def test_contents_are_in_the_page_and_terms_lead_to_their_definitions(report):
    nav = report.html[report.html.index('<nav class="contents') : report.html.index("</nav>")]
    assert [href for href in re.findall('href="#([^"]+)"', nav) if f'id="{href}"' not in report.html] == []
    assert 'href="#methods"' in nav and 'href="#limits"' in nav
    links = re.findall(r'href="#(term-[^"]+)"', report.html)
    assert "term-false-positive-rate" not in links or 'id="term-fpr"' not in report.html
    assert links and all(f'id="{link}"' in report.html for link in links)


@pytest.mark.long
@pytest.mark.skipif(shutil.which("pdfinfo") is None, reason="pdfinfo (poppler) is not installed")
def test_letter_is_letter_in_pdf_and_in_word_and_other_paper_is_refused(tmp_path):
    docx = pytest.importorskip("docx", reason="python-docx is not installed")
    small = fairstats.audit({"sex": ["f", "m"] * 40, "hired": [0, 1, 1, 1] * 20}, decision="hired", groups="sex")
    fairstats.report(small, to=[tmp_path / "a.pdf", tmp_path / "a.docx"], paper="letter")
    said = subprocess.run(["pdfinfo", str(tmp_path / "a.pdf")], check=True, capture_output=True, text=True).stdout
    assert "612 x 792" in said
    section = docx.Document(str(tmp_path / "a.docx")).sections[0]
    assert (round(section.page_width.mm, 1), round(section.page_height.mm, 1)) == (215.9, 279.4)
    with pytest.raises(InputError, match="paper has 'a5'; the sizes are a4, letter"):
        fairstats.report(small, paper="a5")


def test_no_text_on_paper_is_smaller_than_eight_and_a_half_points(report):
    sheets = "".join((TEMPLATES / "styles" / name).read_text() for name in ("print.css", "page_one.css"))
    assert [size for size in re.findall(r"(?:font-size: |font: )([\d.]+)pt", sheets) if float(size) < 8.5] == []
    drawn = re.findall(r'<svg[^>]*font-size="([\d.]+)"|font-size=([\d.]+)', report.html)
    sizes = {float(one or other) for one, other in drawn}
    assert sizes and min(sizes) >= 8.5


@pytest.mark.long
@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext (poppler) is not installed")
def test_a_name_that_no_font_draws_is_text_and_page_one_says_which_font_to_install(tmp_path, monkeypatch):
    from fairstats.reporting import render

    monkeypatch.setattr(render, "_on_this_machine", lambda characters: frozenset())
    name = "\u0939\u093f\u0928\u094d\u0926\u0940"
    rows = {"g": [name, "b"] * 40, "d": [0, 1, 1, 1] * 20}
    result = fairstats.report(fairstats.audit(rows, decision="d", groups="g"), to=tmp_path / "a.pdf")
    (file,) = result.files
    first = subprocess.run(["pdftotext", "-l", "1", file, "-"], check=True, capture_output=True, text=True).stdout
    assert "Devanagari" in first and "Noto Sans Devanagari" in " ".join(first.split())
    assert name in first.replace(" ", "")


def test_an_axis_has_ten_points_and_its_name_is_never_cut():
    rows = [Estimate("TPR", group=g, estimate=e, conf_low=e, conf_high=e) for g, e in (("a", 0.57), ("b", 0.573))]
    low, high = _limits(rows)
    assert high - low >= 10
    assert upright("were arrested again within two years", 50, ", %", "outcome") == "outcome, %"


def test_a_line_that_ends_early_has_its_name_there_and_equality_strikes_no_name():
    long = Curve("path", "sex", "long", tuple(map(float, range(1, 11))), (5.0,) * 10)
    early = Curve("path", "sex", "early", (1.0, 2.0), (1.0, 0.0))
    svg = path("p", [long, early], caption="c", setting="s", axis="gap", equal="ref").svg
    at = {name: float(x) for x, name in re.findall(r'<text x="([\d.]+)"[^>]*>(early|long|ref)<', svg)}
    assert at["early"] < at["long"] / 2 and at["ref"] == at["long"]
    flat = re.findall(r'd="M([\d.]+) ([\d.]+)H([\d.]+)"', svg)
    assert all(float(end) <= at["ref"] for *_, end in flat if float(end) > at["long"] / 2)
