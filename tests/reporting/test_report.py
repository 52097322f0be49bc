"""The files of a report: what they hold, that they agree, and that they are written whole or not at all."""

from __future__ import annotations

import csv
import importlib
import io
import json
import re

import numpy as np
import pandas as pd
import pytest

import fairstats
from benchmarks import gallery
from fairstats.errors import FileError, InputError
from fairstats.estimates import GLOSSARY
from fairstats.reporting import render
from fairstats.reporting.bundle import gather
from fairstats.reporting.report import Report, context, report
from fairstats.reporting.tables import table, text
from tests.reporting.sample import IMAGE, LONG, SCRIPT, sample

HOME = importlib.import_module("fairstats.reporting.report")  # fairstats.report itself is the function


@pytest.fixture(scope="module")
def result() -> Report:
    return report(sample(), auditor=f"Auditor {SCRIPT}")


@pytest.mark.long
def test_names_are_never_markup(result):
    assert "<script" not in result.html and "<img" not in result.html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in result.html
    assert result.html.count("onerror=") == result.html.count("&lt;img src=x onerror=")


def test_page_asks_nothing_of_the_network(result):
    assert not re.search(r"https?://|//[a-z]+\.|@import|<link|<iframe", result.html)
    arguments = re.findall(r'(?:src|href|data)="([^"#][^"]*)"', result.html)
    assert [a.partition(",")[0] for a in arguments] == ["data:application/gzip;base64"], (
        "its own results, and nothing else"
    )
    assert set(re.findall(r"url\((\w+):", result.html)) == {"data"}


def assert_references_resolve(html: str) -> None:
    ids = re.findall(r'\bid="([^"]*)"', html)
    assert len(ids) == len(set(ids))
    pointed = re.findall(r'href="#([^"]*)"|url\(#([^)]*)\)|aria-labelledby="([^"]*)"', html)
    wanted = {name for group in pointed for names in group for name in names.split()}
    assert wanted and wanted - set(ids) == set()


def test_ids_are_unique_and_references_resolve(result):
    assert_references_resolve(result.html)


@pytest.mark.long
@pytest.mark.parametrize("kind", gallery.available())
def test_no_link_of_any_kind_of_report_is_dead(kind):
    results, options = gallery.KINDS[kind].results(), gallery.KINDS[kind].options
    assert_references_resolve(report(*results, **options).html)


@pytest.mark.parametrize("language", ["en", "de"])
def test_terms_of_several_classes_are_defined_in_the_appendix(language):
    result = report(*gallery.reviewed(), language=language)
    assert_references_resolve(result.html)
    defined = set(re.findall(r'id="term-([^"]*)"', result.html))
    assert defined == {"class-share", "class-tpr", "class-ppv", "p-x-y-of-classes"}
    used = [name for name, _ in result.contents.context["methods"]["intervals"]]
    of = {"en": "share of a class", "de": "Anteil einer Klasse"}[language]
    assert [of in name for name in used].count(True) == 2 and "P(X>Y)" in " ".join(used)


def test_every_number_of_the_audit_is_in_the_json_and_every_row_in_the_csv(result):
    audit = sample()
    document = json.loads(result.json)
    assert document["schema"] == "fairstats/report/1"
    assert document["audit"]["estimates"] == audit.estimates.to_records()
    rows = list(csv.DictReader(io.StringIO(result.csv)))
    assert list(rows[0]) == ["result", *GLOSSARY]
    assert [r["group"] for r in rows] == audit.estimates.column("group")
    assert {IMAGE, SCRIPT, LONG} <= {r["group"] for r in rows}


def test_page_one_uses_only_the_three_verdicts(result):
    text = re.sub(r"<[^>]*>", " ", result.html[result.html.index("<body") :]).lower()
    assert {"beyond margin", "within margin", "not settled"} <= set(re.findall("|".join(_VERDICTS), text))
    assert not re.search(r"\b(compliant|fair|unfair|biased|unbiased|significant)\b", text)


_VERDICTS = ("beyond margin", "within margin", "not settled")


def test_statuses_are_words_with_their_reason(result):
    assert "not estimable: no positives" in result.html
    assert "withheld: fewer than 50 people" in result.html
    assert "excluded by the protocol: nobody in the group" in result.html
    assert not re.search(r"\bnan\b", re.sub(r"<[^>]*>", " ", result.html[result.html.index("<body") :]), re.I)


def test_a_long_table_says_what_it_leaves_out():
    cut = table("t", [text("a")], [[str(i)] for i in range(143)], most=20)
    assert cut.cut == "Shown: 20 of 143; all in results.csv"


def test_same_audit_gives_the_same_bytes(result):
    again = report(sample(), auditor=f"Auditor {SCRIPT}")
    assert again == result


def test_files_are_written_by_suffix(tmp_path, result):
    written = result.write(tmp_path / "a.html", tmp_path / "a.json", tmp_path / "a.csv")
    assert (tmp_path / "a.html").read_text() == result.html
    assert result.json.startswith("{") and result.csv.startswith("result,")
    assert (tmp_path / "a.json").read_text() == result.json
    assert (tmp_path / "a.csv").read_text() == result.csv
    assert written.files == tuple(str(tmp_path / f"a.{s}") for s in ("html", "json", "csv"))


def test_an_interrupted_run_leaves_the_old_report(tmp_path, monkeypatch, result):
    old = {name: tmp_path / name for name in ("a.html", "a.pdf")}
    for path in old.values():
        path.write_text("old")

    def fails(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(render, "pdf", fails)
    with pytest.raises(KeyboardInterrupt):
        result.write(*old.values(), overwrite=True)
    assert {p.read_text() for p in tmp_path.iterdir()} == {"old"} and len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize(
    ("to", "wording"),
    [
        ("missing/audit.pdf", r"'missing'.*create it"),
        ("audit.doc", r"audit\.doc.*\.html, \.pdf, \.docx, \.md"),
    ],
)
def test_a_bad_target_is_named_before_anything_is_computed(to, wording, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(HOME, "gather", lambda *_: pytest.fail("computed"))
    with pytest.raises(FileError, match=wording):
        report(sample(), to=["fine.html", to])
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_result_is_refused():
    with pytest.raises(InputError, match=r"no result"):
        report()
    with pytest.raises(InputError, match=r"results has 'audit\.json' at place 2; name the file: to='audit"):
        report(sample(), "audit.json")
    with pytest.raises(InputError, match=r"2 audits.*one report each"):
        report(sample(), sample())
    with pytest.raises(InputError, match=r"a list of results at place 1; pass them one by one: .*\(first, second\)"):
        report([sample(), sample()])


def test_unknown_preset_names_the_nearest():
    with pytest.raises(InputError, match=r"preset is 'generik'.*did you mean 'generic'"):
        report(sample(), preset="generik")


def test_a_users_folder_overrides_one_block_and_one_file(tmp_path, result):
    (tmp_path / "sections").mkdir()
    (tmp_path / "sections" / "protocol.html.j2").write_text("<section id=protocol>House {{ id }}</section>")
    (tmp_path / "report.html.j2").write_text(
        '{% extends "fairstats/report.html.j2" %}{% block limits %}<p>{{ title }} ends here</p>{% endblock %}'
    )
    html = report(sample(), templates=tmp_path).html
    assert f"House {result.id[:0]}" in html and 'id="limits"' not in html and 'id="outcomes"' in html
    assert "&lt;/script&gt; by race and sex ends here" in html


def test_a_template_cannot_switch_escaping_off_by_accident_nor_use_unknown_names(tmp_path):
    (tmp_path / "report.html.j2").write_text("{{ titel }}")
    with pytest.raises(InputError, match=r"'titel' is undefined.*templates/README"):
        report(sample(), templates=tmp_path)
    (tmp_path / "report.html.j2").write_text("{% if %}")
    with pytest.raises(InputError, match=r"report\.html\.j2, line 1"):
        report(sample(), templates=tmp_path)
    (tmp_path / "report.html.j2").write_text("{{ ''.__class__.__mro__ }}")
    with pytest.raises(InputError, match=r"report\.html\.j2, line 1: access to attribute .__class__"):
        report(sample(), templates=tmp_path)
    with pytest.raises(FileError, match="not a folder"):
        report(sample(), templates=tmp_path / "absent")


def test_an_installed_package_without_the_folder_beside_it_finds_its_templates(tmp_path, monkeypatch):
    inside = tmp_path / "fairstats"
    (inside / "_templates").mkdir(parents=True)
    (inside / "_templates" / "report.html.j2").write_text("x")
    monkeypatch.setattr(render, "_PACKAGE", inside)
    assert render.template_folders() == [inside / "_templates"]


def test_the_heading_of_a_part_agrees_with_its_table_and_names_what_is_found():
    """Every group of the table is in it, small ones too; the rates with a difference first, then those without."""
    rng = np.random.default_rng(2)
    data = pd.DataFrame({"g": ["a"] * 600 + ["b"] * 500 + ["c"] * 12, "y": rng.integers(0, 2, 1112)})
    data["d"] = data["y"] ^ (rng.random(1112) < 0.3).astype(int)
    fewer = (data["g"] == "b") & (data["y"] == 1)
    data.loc[fewer, "d"] = (rng.random(fewer.sum()) < 0.3).astype(int)
    data.loc[data["g"] == "c", "d"] = 0
    audit = fairstats.audit(data, "d", "g", outcome="y", positive_prediction=1)
    shown = {r.metric for r in audit.estimates.only(contrast="difference", role="main", verdict="disparity shown")}
    assert "TPR" in shown and "FPR" not in shown
    matches = context(gather([audit], None, ""), "generic")
    heading = matches["outcomes"]["parts"][0]["heading"]
    assert heading == "g: selection rate lower for b (31.2%) and c (0.0%) than for a (49.3%)"
    errors = matches["errors"]["parts"][0]["heading"]
    assert errors.startswith("g: false negatives more frequent among b (")
    assert errors.endswith("not settled for false positives")


def test_of_two_tests_in_one_column_the_note_says_which():
    data = pd.DataFrame({"g": ["a"] * 4000 + ["b"] * 4000, "d": [0, 1] * 4000})
    audit = fairstats.audit(data, "d", "g", margin=0.1)
    (row,) = audit.estimates.only(contrast="difference", role="main", verdict="equivalence shown")
    assert row.p_equivalence < 0.001 < row.p_value
    assert (
        "Of a difference within the margin, the p-value and the interval (90% by itself) are of two one-sided tests of "
        "equivalence." in fairstats.report(audit).html
    )


def test_a_report_that_takes_long_is_announced(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    audit = fairstats.audit({"g": ["a", "b"] * 60, "d": [0, 1, 1] * 40}, decision="d", groups="g")
    fairstats.report(audit)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(HOME, "ANNOUNCED", len(audit.estimates) * 16e-5)
    fairstats.report(audit)
    assert capsys.readouterr().err == f"fairstats: a report of {len(audit.estimates)} results takes about 0 s\n"


def test_what_a_report_has_by_another_name_is_answered_by_its_own() -> None:
    made = report(sample())
    for name, ours in (("save", "write(path)"), ("to_html", "html"), ("to_csv", "csv")):
        with pytest.raises(AttributeError, match=f"a report has no {name}; it is {re.escape(ours)} here"):
            getattr(made, name)
    assert not hasattr(made, "tidy")
