"""What the pages after the first say: in the words of page one, with what each rate is of, and from where it is."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import fairstats
from benchmarks.gallery import KINDS
from fairstats.reporting.figures.fits import LEADER
from fairstats.reporting.figures.style import name_ends
from fairstats.reporting.sketch import Place, Sheet
from tests.reporting.test_layout import pages

DEFENDANTS = {"unit": "defendants", "favorable": "were rated low risk", "unfavorable": "were rated high risk"}
DEFENDANTS |= {"positive": "were rearrested", "negative": "were not rearrested", "score": "the risk score"}


def scored(**options: object) -> fairstats.Audit:
    """A score that flags from 6, of three groups."""
    rng = np.random.default_rng(3)
    data = pd.DataFrame({"g": rng.choice(["a", "b", "c"], 1500, p=[0.5, 0.3, 0.2])})
    data["s"] = np.clip(rng.integers(1, 11, 1500) + 2 * (data.g == "b"), 1, 10)
    data["y"] = (rng.random(1500) < data.s / 12).astype(int)
    return fairstats.audit(data, groups="g", score="s", threshold=6, favorable=0, outcome="y", **options)


@pytest.fixture(scope="module")
def plain() -> fairstats.Audit:
    return scored()


def said(result: fairstats.Audit, **options: str) -> str:
    """What a reader sees of the web page, tags apart."""
    page = fairstats.report(result, **options).html
    text = re.sub(r"<style.*?</style>|<script.*?</script>|<title.*?</title>|<desc.*?</desc>", " ", page, flags=re.S)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text))


def test_later_pages_have_the_verbs_of_page_one(plain) -> None:
    """Page one speaks of people who were flagged, and so do the tables; where the case has a verb, they have that."""
    page = said(plain)
    assert "Share who were flagged by g, compared with a" in page and "share with s at least" not in page
    assert "Right when flagged (positive predictive value) by g" in page
    worded = said(scored(labels=DEFENDANTS))
    assert "flagged" not in worded.split("Contents", 1)[-1].split("Appendix", 1)[0]
    assert "Right when rated high risk (positive predictive value) by g" in worded
    assert "cut-off: 6 or more" in worded and "The risk score of 6 or more (dark)" in worded
    assert "were at or above the cut-off" in worded
    german = said(plain, language="de")
    assert "am oder über dem Schwellenwert" in german and "markiert = s von mindestens 6" in german
    assert "wurden markiert = s" not in german


def test_a_table_of_errors_says_what_each_rate_is_of() -> None:
    page = said(scored(labels=DEFENDANTS))
    for among, counted in (("not rearrested", "rated high risk"), ("rearrested", "rated low risk")):
        assert f"Of those who were {among}, the share who were {counted}." in page
    assert page.count("Of those who were rated high risk, the share who were rearrested.") == 1


@pytest.mark.parametrize(("events", "n", "off"), [((1376, 1744), 10000, True), ((30, 20), 100, False)])
def test_a_table_says_why_a_difference_is_not_that_of_its_rates(events, n, off) -> None:
    """13.76% and 17.44% print as 13.8 and 17.4, and their difference as 3.7 points; 30% less 20% is 10."""
    rows = [(g, int(i < k)) for g, k in zip("ab", events, strict=True) for i in range(n)]
    data = pd.DataFrame(rows, columns=["g", "d"])
    page = said(fairstats.audit(data, "d", "g", favorable=1, reference="a"))
    rates = [round(100 * k / n, 1) for k in events]
    gap = round(100 * (events[1] - events[0]) / n, 1)
    assert (round(rates[1] - rates[0], 1) != gap) == off
    assert ("Differences are taken before the shares are rounded." in page) == off


def test_references_are_those_of_printed_numbers(plain) -> None:
    """Limits that a table prints have their source, and what stands in results.csv alone has none."""
    page = said(plain)
    cited = page.split("References", 1)[1]
    assert "ratios to the highest" in page and "Koopman, P. A. R. (1984)" in cited
    assert ("Moses" in page) == ("Hollander, M., Wolfe" in cited)
    assert ("logit" in page) == ("Pepe, M. S. (2003)" in cited)
    rng = np.random.default_rng(5)
    data = pd.DataFrame({"g": rng.choice(["a", "b"], 800), "p": rng.random(800)})
    data["y"] = (rng.random(800) < data.p).astype(int)
    likely = fairstats.audit(data, groups="g", score="p", threshold=0.5, favorable=1, outcome="y")
    assert len(likely.estimates.where(metric="calibration error"))
    cited = said(likely).split("References", 1)[1]
    assert "Kumar" not in cited and "Spiegelhalter" not in cited


def test_a_shift_is_explained_where_it_stands(plain) -> None:
    page = said(plain)
    assert "Shift: the median of all differences of two scores, one of the group and one of the reference." in page
    rng = np.random.default_rng(2)
    data = pd.DataFrame({"g": ["a"] * 4000 + ["b"] * 4000})
    data["s"] = np.where(rng.random(8000) < np.where(data.g == "a", 0.30, 0.36), 2, 1)
    data["y"] = rng.integers(0, 2, 8000)
    coarse = fairstats.audit(data, groups="g", score="s", threshold=2, favorable=0, outcome="y", reference="a")
    (shift,) = coarse.estimates.where(metric="score shift", role="main", group="b", contrast="difference")
    assert shift.estimate == 0
    assert "it can be 0 although one group scores higher" in said(coarse)


def test_the_name_of_a_column_keeps_its_letters() -> None:
    rows = pd.DataFrame({"g": list("ab") * 200, "hIgh": [0, 1, 1, 1] * 100, "y": [0, 1] * 200})
    result = fairstats.audit(rows, "hIgh", "g", favorable=0, outcome="y")
    assert "\nIn %: hIgh = 1, its gap" in str(result) and "HIgh" not in str(result)


LOOK = {"color": "#000", "arrowprops": LEADER}


def test_a_leader_begins_at_the_end_of_its_name_that_is_nearer() -> None:
    """From the middle of a long name the line would cross the names above and below it."""
    sheet = Sheet(90, 45)
    axes = sheet.add_subplot()
    axes.set_xlim(0, 10)
    axes.set_ylim(0, 100)
    names = ["African-American", "Native American", "Other"]
    name_ends(axes, [(10.0, 50.0 + i, name, "#000") for i, name in enumerate(names)], height=30)
    place = Place((0.0, 0.0, 150.0, 90.0), axes.xaxis.scale, axes.yaxis.scale)
    drawn = [(note.label(place), leader) for note in axes.notes if (leader := note.leader(place)) is not None]
    assert len(drawn) == 2  # the name in the middle stands at its line
    for label, leader in drawn:
        assert label is not None
        (start, _), left = leader.lines[0], label.box()[0]
        assert left - 2 < start[0] < left
    axes.annotate("disparity_pca", (5.0, 50.0), (-4, 30), textcoords="offset points", ha="right", **LOOK)
    label, leader = axes.notes[-1].label(place), axes.notes[-1].leader(place)
    assert label is not None and leader is not None
    assert leader.lines[0][0][0] == pytest.approx(label.box()[2]) and label.box()[2] < 75  # left of the point


@pytest.mark.long
def test_the_sign_off_does_not_stand_alone_on_a_page(tmp_path) -> None:
    """The signature of a short report stands below its references; every page but the last is well filled."""
    every = pages(fairstats.report(KINDS["small-groups"].results()[0]), tmp_path)
    assert "Appendix: Methods" in every[-1].text and "Approved by" in every[-1].text
    assert all(page.full >= 0.55 for page in every[:-1])  # 0.56 where the sign-off just does not fit


def test_columns_in_the_note_of_a_table_are_set_as_code():
    people = {"g": ["a", "b"] * 60, "d": ["no", "yes", "yes"] * 40, "y": [">5", ">5", "<=5", "<=5"] * 30}
    roles = {"decision": "d", "outcome": "y", "favorable": "yes", "positive": ">5", "positive_prediction": "yes"}
    page = fairstats.report(fairstats.audit(people, groups="g", **roles)).html
    assert "Right when approved: had <code>y = &gt;5</code>, of those approved" in page
