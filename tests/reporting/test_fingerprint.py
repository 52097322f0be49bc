"""The id of a report is of its results: what was found, not when, under which title, and by whom."""

from __future__ import annotations

import importlib.metadata
import json
import re

import pytest

import fairstats
from fairstats import provenance
from fairstats.reporting.bundle import results_hash

PEOPLE = {"sex": ["f"] * 60 + ["m"] * 60, "hired": [1] * 20 + [0] * 40 + [1] * 35 + [0] * 25}


def _audit(**more):
    return fairstats.audit(PEOPLE, "hired", "sex", **more)


def _later(monkeypatch):
    """The same audit, a year later and with other versions."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1800000000")
    monkeypatch.setattr(provenance, "version", lambda _: "99.0")
    return _audit()


def test_the_same_audit_run_twice_has_the_same_id_whatever_the_cover_says(monkeypatch):
    first = fairstats.report(_audit(), title="One", auditor="A")
    second = fairstats.report(_later(monkeypatch), title="Two", auditor="B")
    assert first.created != second.created and first.json != second.json
    assert first.id == second.id and re.fullmatch("[0-9a-f]{8}", first.id)


def test_another_number_has_another_id():
    people = {**PEOPLE, "hired": [1, *PEOPLE["hired"][1:-1], 1]}
    assert fairstats.report(fairstats.audit(people, "hired", "sex")).id != fairstats.report(_audit()).id
    assert fairstats.report(_audit(conf_level=0.9)).id != fairstats.report(_audit()).id


def test_the_json_says_the_hash_which_anybody_can_take_from_it_again():
    document = json.loads(fairstats.report(_audit()).json)
    assert document["results_sha256"] == results_hash(document)
    assert document["id"] == document["results_sha256"][:8]
    document["audit"]["estimates"][0]["estimate"] += 1e-6
    assert document["results_sha256"] != results_hash(document)


@pytest.mark.parametrize("preset", ["generic", "four_fifths", "ll144"])
def test_the_page_has_the_id_that_the_attached_results_and_verify_have(preset, tmp_path):
    report = fairstats.report(_audit(), to=tmp_path / "r.html", preset=preset)
    verified = fairstats.verify_report(tmp_path / "r.html", PEOPLE)
    assert verified.id == report.id == json.loads(report.json)["id"] and not verified.differences
    page = report.html.split('<script type="application/json"')[0]
    assert json.loads(report.json)["results_sha256"] in page and page.count(report.id) > 1


def test_how_long_a_fit_took_is_no_result():
    people = fairstats.arrests()[:300]
    items = [
        fairstats.compare(
            people, outcome="released", positive="Yes", groups="sex", features=["age", "checks"], n_repeats=2,
                   progress=False)
        for _ in range(2)
    ]  # fmt: skip
    assert fairstats.report(items[0]).id == fairstats.report(items[1]).id


@pytest.mark.parametrize("value", [1 + 1e-12, 1 - 1e-12])
def test_the_last_bits_of_another_machine_change_nothing(value):
    assert results_hash({"n": [value]}) == results_hash({"n": [1.0]})


def test_a_run_notes_the_version_of_the_code_whatever_an_installer_noted(monkeypatch):
    monkeypatch.setattr(importlib.metadata, "version", lambda package: "0.0.1")
    report = fairstats.report(_audit())
    assert provenance.provenance("", 0).versions["fairstats"] == fairstats.__version__
    assert f"fairstats {fairstats.__version__}" in report.html and "fairstats 0.0.1" not in report.html
