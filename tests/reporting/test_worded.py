"""The names of a protocol hold in the whole report; results keep the labels of the data."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.auditing.protocol import label_words
from fairstats.reporting.bundle import without_data
from fairstats.reporting.words import worded

NAMES = {"attributes": {"r": "ancestry"}, "groups": {"r": {"K1": "coastal", "K2": "inland", "K3": "island"}}}


@pytest.fixture(scope="module")
def built() -> fairstats.Audit:
    rng = np.random.default_rng(4)
    n = 1500
    table = pd.DataFrame({"r": rng.choice(["K1", "K2", "K3"], n), "s": rng.choice(["f", "m"], n)})
    table["score"] = rng.integers(1, 11, n)
    table["y"] = rng.integers(0, 2, n)
    return fairstats.audit(table, groups=["r", "s"], outcome="y", score="score", threshold=5, favorable=0, labels=NAMES)


def test_no_label_is_shown_after_the_protocol_has_said_what_it_stands_for(built):
    page = fairstats.report(built).html
    before, after = page.split('<section id="data"')
    assert "K1" in before  # groups as recorded
    shown = re.sub(r"<[^>]*>", " ", after.partition('id="limits"')[0])
    assert re.findall(r"\bK[123]\b", shown) == [] and "Coastal" in shown and "ancestry" in shown
    assert "Coastal:f" in shown or "Coastal × f" in shown or "Coastal" in after  # intersections are made of names


def test_results_keep_the_labels_of_the_data(built):
    document = json.loads(fairstats.report(built).json)
    assert {row["group"] for row in document["audit"]["estimates"] if row["attribute"] == "r"} <= {"", "K1", "K2", "K3"}


def test_two_groups_of_one_name_keep_their_labels_in_an_older_result():
    result = fairstats.audit({"r": ["K1", "K2", "K3"] * 40, "d": [0, 1] * 60}, "d", "r")
    words = label_words({"groups": {"r": {"K1": "all", "K2": "all"}}})
    older = replace(result, protocol=replace(result.protocol, labels=words))
    assert [c.group for c in worded(older).cells] == ["K1", "K2", "K3"]


def test_base_rates_beside_decisions_say_that_they_have_no_verdict():
    scored = fairstats.audit(
        {"g": ["a", "b"] * 200, "y": [0, 1, 1, 1] * 100, "s": list(range(400))}, groups="g", outcome="y", score="s"
    )
    assert "no verdict" in fairstats.report(scored).html
    text = scored.summary()
    assert re.search(r"\d n$", text, re.M) and "n no verdict (base rates" in " ".join(text.split())


def test_comparisons_of_intersections_are_numbers_in_their_picture(built):
    page = fairstats.report(built).html
    drawn = re.findall(r"<figure[^>]*>(?:(?!</figure>).)*each pair of groups.*?</figure>", page, re.S)[0]
    row = next(
        r
        for r in built.estimates.where(attribute="r:s", metric="selection rate", contrast="difference")
        if r.status == "ok"
    )
    low = f"{100 * -row.conf_high:+.1f}".replace("-", "−")  # of those flagged, as page one
    assert f"({low} to " in re.sub(r"<desc.*?</desc>", "", drawn, flags=re.S) and f"({low} to " in drawn


def test_names_of_groups_change_neither_id_nor_hash_on_any_page():
    data = {"sex": ["f", "m"] * 40, "hired": [0, 1, 1, 1] * 20}
    report = fairstats.report(
        fairstats.audit(data, "hired", "sex", labels={"groups": {"sex": {"f": "women", "m": "men"}}})
    )
    printed = re.findall(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])", without_data(report.html))
    assert printed and {text[:8] for text in printed} == {report.id}
    assert f'data-id="{report.id}"' in report.html and f">{report.id}" in report.html


def test_cautions_call_groups_by_their_names():
    data = pd.DataFrame({"g": ["K1"] * 40 + ["K2"] * 12 + ["K3"] * 40, "d": [0, 1] * 46})
    result = fairstats.audit(data, "d", "g", labels={"groups": {"g": {"K1": "coastal", "K2": "inland"}}})
    assert any("K2 (12)" in note for note in result.notes)  # of the data
    (text,) = [note for note in worded(result).notes if "(12)" in note]
    assert "Inland (12)" in text and "K2" not in text
    page = fairstats.report(result).html
    assert "Inland (12)" in page[page.index('id="data"') : page.index('id="outcomes"')] and "K2 (12)" not in page


def test_a_reference_that_not_every_attribute_has_is_called_by_its_name(built):
    rng = np.random.default_rng(5)
    table = pd.DataFrame({"r": rng.choice(["K1", "K2", "K3"], 600), "s": rng.choice(["f", "m"], 600)})
    table["d"] = rng.integers(0, 2, 600)
    words = {**NAMES, "groups": {**NAMES["groups"], "s": {"f": "female", "m": "male"}}}
    result = fairstats.audit(table, "d", ["r", "s"], reference="K2", labels=words)
    other = result.references["s"]
    (stored,) = (note for note in result.notes if "is no group of" in note)
    assert stored == f"K2 is no group of s ({other}), r:s (K2:{other}); there the largest group is the reference."
    (text,) = (note for note in worded(result).notes if "is no group of" in note)
    name = {"f": "Female", "m": "Male"}[other]
    assert (
        text
        == f"Inland is no group of s ({name}), ancestry:s (Inland:{name}); there the largest group is the reference."
    )
    assert text in re.sub(r"<[^>]*>", "", fairstats.report(result).html)


def test_where_to_read_on_calls_the_group_of_the_highest_rate_by_its_name():
    table = pd.DataFrame({"r": ["K1"] * 60 + ["K2"] * 60, "d": [1] * 50 + [0] * 10 + [1] * 30 + [0] * 30})
    labels = {"groups": {"r": {"K1": "coastal"}}}
    page = fairstats.report(fairstats.audit(table, "d", "r", labels=labels, law="employment")).html
    assert "of the rate of coastal people, the highest" in page and "rate: K1" not in page


def test_tables_and_figures_have_the_names_that_the_report_has():
    table = pd.DataFrame({"r": ["K1"] * 60 + ["K2"] * 60 + ["K3"] * 30, "d": [1] * 50 + [0] * 30 + [1] * 50 + [0] * 20})
    labels = {"groups": {"r": {"K1": "coastal"}}, "attributes": {"r": "ancestry"}}
    result = fairstats.audit(table, "d", "r", labels=labels)
    page = fairstats.report(result).html
    assert "Coastal" in page
    for kind in ("rates", "differences", "ratios", "impact", "at once", "estimates"):
        shown = fairstats.table(result, kind, attribute="r")
        text = f"{shown.caption} {shown.to_latex()} {shown.note}"
        assert "K1" not in text and " r)" not in text and "by r" not in text, kind
        assert shown.to_csv() == fairstats.table(result, kind, attribute="ancestry").to_csv()
    assert fairstats.table(result, "rates").to_frame()["group"].tolist() == ["Coastal", "K2", "K3"]
    assert "rates" in result.plots and "forest" in result.plots
    for kind in result.plots:
        drawing = result.plot(kind)
        assert "K1" not in drawing.svg + drawing.alt + drawing.caption, kind
    assert "by ancestry" in result.plot("rates").caption and "Coastal (n = 60)" in result.plot("rates").alt
    assert result.plot("rates", attribute="r").svg == result.plot("rates", attribute="ancestry").svg
    assert set(result.tidy()["group"]) == {"", "K1", "K2", "K3"}  # codes stay
