"""A third party recomputes a report: what was changed is found, what was not changed passes."""

from __future__ import annotations

import base64
import copy
import gzip
import json
import re
import zlib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.cli import run
from fairstats.data.datasets import ARRESTS
from fairstats.errors import FileError, InputError
from fairstats.reporting.bundle import read_written, results_hash, without_data
from fairstats.reporting.verify import Difference, protocol_of, verify_report

RULES = {"decision": "released", "groups": ["colour", "sex"], "favorable": "Yes", "min_n": 50, "p_adjust": "bonferroni"}


@pytest.fixture(scope="module")
def arrests(tmp_path_factory) -> Path:
    """A CSV file of arrests: text, as an auditor gets it."""
    file = tmp_path_factory.mktemp("data") / "arrests.csv"
    fairstats.arrests().to_csv(file, index=False)
    return file


@pytest.fixture(scope="module")
def result(tmp_path_factory, arrests) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("report")
    files = {kind: folder / f"audit.{kind}" for kind in ("json", "html", "pdf")}
    fairstats.report(fairstats.audit(arrests, **RULES), to=list(files.values()), title="Anything", auditor="Ann")
    return files


@pytest.fixture(scope="module")
def document(result) -> dict:
    return json.loads(result["json"].read_text())


def _altered(tmp_path, document, change) -> Path:
    copy = json.loads(json.dumps(document))
    change(copy)
    file = tmp_path / "altered.json"
    file.write_text(json.dumps(copy, ensure_ascii=False, indent=1) + "\n")
    return file


@pytest.mark.parametrize("kind", ["json", "html", "pdf"])
def test_what_was_not_changed_passes(kind, result, arrests):
    matches = fairstats.verify_report(result[kind], arrests)
    assert (
        matches.ok and bool(matches) and matches.differences == matches.unchecked == () and matches.status == "verified"
    )
    assert matches.compared > 1000 and "all agree within 1e-9, and the file is byte for byte" in matches.summary()
    assert "the recorded one" in matches.data


def test_every_form_holds_the_same_results(result, document):
    items = [read_written(file).document for file in result.values()]
    assert all(one | {"software": "", "pages": ""} == document | {"software": "", "pages": ""} for one in items)


def test_a_changed_number_is_found_and_named(tmp_path, document, arrests):
    def change(copy):
        row = next(r for r in copy["audit"]["estimates"] if r["contrast"] == "difference" and r["attribute"] == "sex")
        row["estimate"] += 2e-9

    matches = fairstats.verify_report(_altered(tmp_path, document, change), arrests)
    named = [d for d in matches.differences if d.where.endswith(", estimate")]
    assert not matches.ok and len(named) == 1
    assert "selection rate" in named[0].where and "sex" in named[0].where and "difference against" in named[0].where
    assert "does not agree" in matches.summary() and str(named[0]) in matches.summary()


def test_the_last_bits_are_no_change(tmp_path, document, arrests):
    def change(copy):
        for row in copy["audit"]["estimates"]:
            if row["estimate"]:
                row["estimate"] *= 1 + 1e-13

    assert fairstats.verify_report(_altered(tmp_path, document, change), arrests).ok


def test_a_changed_verdict_a_dropped_row_and_a_changed_count_are_found(tmp_path, document, arrests):
    def verdict(copy):
        next(r for r in copy["audit"]["estimates"] if r["verdict"] == "disparity shown")["verdict"] = "inconclusive"

    def row(copy):
        del copy["audit"]["estimates"][3]

    def cell(copy):
        copy["audit"]["cells"][0]["favorable"] += 1

    def sentence(copy):
        copy["audit"]["finding"] = "No disparity."

    for change, where in ((verdict, ", verdict"), (row, ""), (cell, "favorable"), (sentence, "finding")):
        matches = fairstats.verify_report(_altered(tmp_path, document, change), arrests)
        assert any(d.where.endswith(where) for d in matches.differences), where
        assert len(matches.differences) <= 2, "one change is one difference, and the hash"


def test_a_number_that_was_edited_on_the_page_is_found(tmp_path, result, arrests):
    page = result["html"].read_text()
    edited = tmp_path / "edited.html"
    for before, after in (("74.1% against", "84.1% against"), (">shown\n<", ">not settled\n<")):
        assert before in page
        edited.write_text(page.replace(before, after, 1))
        matches = fairstats.verify_report(edited, arrests)
        assert matches.status == "disagreement" and {d.where for d in matches.differences} == {"the file"}
        assert (
            after.strip("<>\n")[:5] in matches.summary()
            and "the file is not the one that they give" in matches.summary()
        )


def test_words_and_focus_of_a_protocol_are_read_back(tmp_path, arrests):
    words = {"unit": "arrestees", "favorable": "were released", "unfavorable": "were held"}
    headline = {"colour": ["Black", "White"]}
    audit = fairstats.audit(arrests, **RULES, labels=words, headline=headline)
    fairstats.report(audit, to=[tmp_path / "a.html"])
    matches = fairstats.verify_report(tmp_path / "a.html", arrests)
    assert matches.ok, matches.summary()


def test_changed_data_are_found(tmp_path, result, arrests):
    lines = arrests.read_text().splitlines(keepends=True)
    changed = tmp_path / "arrests.csv"
    changed.write_text("".join([lines[0], lines[1].replace("Yes", "No", 1), *lines[2:]]))
    assert lines[1] != changed.read_text().splitlines(keepends=True)[1]
    matches = fairstats.verify_report(result["pdf"], changed)
    assert not matches.ok and "data, sha256" in {d.where for d in matches.differences}
    assert any(d.where.startswith("selection rate") for d in matches.differences)
    assert "not the recorded one" in matches.summary()


def test_data_that_cannot_be_audited_by_the_protocol_are_a_difference(tmp_path, result):
    other = tmp_path / "other.csv"
    other.write_text("colour,freed\nBlack,Yes\nWhite,No\n")
    matches = fairstats.verify_report(result["json"], other)
    assert not matches.ok and "released" in matches.summary()
    with pytest.raises(InputError, match="released"):
        fairstats.verify_report(result["json"], {"colour": ["Black", "White"], "sex": ["f", "m"]})


def test_a_table_in_memory_is_compared_by_its_numbers(result):
    matches = fairstats.verify_report(result["json"], fairstats.read_table(ARRESTS, labels=["year"]).frame)
    assert [d.where for d in matches.differences] == [] and "in memory" in matches.data


def test_a_changed_attachment_of_a_pdf_is_found(tmp_path, result, arrests):
    """A forger who rewrites the attached results, or the table beside them, with valid PDF streams."""
    pikepdf = pytest.importorskip("pikepdf")
    for name, before, after, where in (
        ("results.json", rb'"estimate": 0\.7', b'"estimate": 0.8', ", estimate"),
        ("results.csv", rb",0\.7", b",0.8", "the file"),
    ):
        with pikepdf.open(result["pdf"]) as pdf:
            kept = pdf.attachments[name].get_file()
            changed, many = re.subn(before, after, kept.read_bytes(), count=1)
            assert many == 1
            kept.obj.write(changed)
            pdf.save(tmp_path / "forged.pdf")
        matches = fairstats.verify_report(tmp_path / "forged.pdf", arrests)
        assert any(d.where.endswith(where) for d in matches.differences)


def test_a_pdf_saved_again_by_another_program_is_read_and_is_another_file(tmp_path, result, arrests):
    pikepdf = pytest.importorskip("pikepdf")
    with pikepdf.open(result["pdf"]) as pdf:
        pdf.save(tmp_path / "plain.pdf", stream_decode_level=pikepdf.StreamDecodeLevel.all, compress_streams=False)
        pdf.save(tmp_path / "packed.pdf", object_stream_mode=pikepdf.ObjectStreamMode.generate)
    for name in ("plain.pdf", "packed.pdf"):
        assert [d.where for d in fairstats.verify_report(tmp_path / name, arrests).differences] == ["the file"]


def test_two_sets_of_results_in_one_pdf_are_refused(tmp_path, result):
    raw = result["pdf"].read_bytes()
    other = zlib.compress(b'{"schema": "fairstats/report/1", "audit": null}')
    head = b"\n9 0 obj\n<</Type /EmbeddedFile/Filter /FlateDecode/Length %d>>\nstream\n" % len(other)
    (tmp_path / "two.pdf").write_bytes(raw + head + other + b"\nendstream\nendobj\n")
    with pytest.raises(InputError, match=r"'two\.pdf'; 2 different sets of results"):
        fairstats.verify_report(tmp_path / "two.pdf", ARRESTS)


@pytest.mark.parametrize(
    ("name", "content", "text"),
    [
        ("a.pdf", b"%PDF-1.7\n1 0 obj\nendobj", "no results.json of a report is attached"),
        ("a.html", b"<html><p>hello", "no results are inside it"),
        ("a.json", b'{"schema": "other/1"}', "not that of a report"),
        ("a.json", b'{"schema": ', "broken at character"),
        ("a.json", b"[" * 100_000, "nested without end"),
        ("a.csv", b"a,b\n1,2\n", "no results are inside it"),
        ("a.gz", gzip.compress(b"hello", mtime=0) + b"\xff", "neither a PDF nor text"),
        ("a.npz", b"PK\x03\x04\xff", "a saved result, of which no page was written"),
        ("a.json", b"", "no results are inside it"),
    ],
)
def test_a_file_that_is_not_ours_is_one_clear_error(name, content, text, tmp_path):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=rf"report has '{re.escape(name)}'; .*{text}.*; pass a file that fairstats"):
        fairstats.verify_report(tmp_path / name, ARRESTS)


def test_a_report_without_an_audit_and_a_file_that_is_missing(tmp_path):
    fairstats.report(fairstats.pca(fairstats.arrests()[["age", "checks"]], k=1), to=tmp_path / "fit.json")
    with pytest.raises(InputError, match=r"'fit\.json'; it holds no audit"):
        fairstats.verify_report(tmp_path / "fit.json", ARRESTS)
    with pytest.raises(FileError, match="there is no file"):
        fairstats.verify_report(tmp_path / "absent.json", ARRESTS)


def test_what_a_report_cannot_repeat_is_said(tmp_path, arrests):
    people = fairstats.arrests()
    fit = fairstats.og(people[["age", "checks"]], people["colour"], k=1)
    fairstats.report(fairstats.audit(arrests, **RULES), fit, to=tmp_path / "both.json")
    matches = fairstats.verify_report(tmp_path / "both.json", arrests)
    assert matches.status == "partly verified" and not matches and not matches.differences
    assert "Not verified: og" in matches.summary()


def test_the_page_without_its_data_is_the_page(result):
    page = result["html"].read_text()
    (data,) = re.findall('href="data:application/gzip;base64,([^"]*)"', page)
    assert data not in without_data(page) and without_data(page).count("</html>") == 1
    assert json.loads(gzip.decompress(base64.b64decode(data))) == read_written(result["html"]).document


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"conf_level": 7}, "conf_level has 7"),
        ({"fancy": 1}, "fancy.*does not know"),
        ({"margin": 3}, "no margin that can be read"),
        ({"groups": []}, "groups is absent"),
    ],
)
def test_a_protocol_that_no_audit_had_is_refused(change, text, document):
    with pytest.raises(InputError, match=text):
        protocol_of(document["audit"]["protocol"] | change)


@pytest.mark.parametrize("asked", [{}, {"adjust_for": "~ years"}, {"strata": "job"}])
def test_an_audit_of_amounts_alone_is_verified(asked, tmp_path):
    people = pd.DataFrame({"sex": ["f", "m"] * 60, "job": ["a", "a", "b"] * 40, "years": range(0, 240, 2)})
    people["pay"] = 1000.0 + 7 * people["years"] + 50 * (people["sex"] == "m")
    people.to_csv(tmp_path / "people.csv", index=False)
    result = fairstats.audit(tmp_path / "people.csv", amount="pay", groups="sex", reference="m", **asked)
    fairstats.report(result, to=tmp_path / "pay.html")
    assert fairstats.verify_report(tmp_path / "pay.html", tmp_path / "people.csv").status == "verified"
    people.loc[3, "pay"] += 500
    people.to_csv(tmp_path / "people.csv", index=False)
    assert not fairstats.verify_report(tmp_path / "pay.html", tmp_path / "people.csv").ok


def test_the_same_people_in_another_file_agree_in_all_numbers_and_are_another_file(tmp_path, arrests):
    fairstats.report(fairstats.audit(arrests, **RULES), to=tmp_path / "a.json")
    pd.read_csv(arrests).to_parquet(tmp_path / "arrests.parquet")
    matches = fairstats.verify_report(tmp_path / "a.json", tmp_path / "arrests.parquet")
    assert matches.status == "disagreement"
    head = matches.summary().splitlines()[0]
    assert "all agree within 1e-9. The data are another file than the report's" in head and "differ" not in head


def test_an_audit_of_tallies_has_a_hash_whatever_the_order_of_its_files(tmp_path):
    people = fairstats.arrests()[["colour", "sex", "released"]]
    arguments = {"decision": "released", "groups": ["colour", "sex"], "favorable": "Yes"}
    half = len(people) // 2
    one, two = (fairstats.tally(part, "released", ["colour", "sex"]) for part in (people[:half], people[half:]))
    fairstats.report(fairstats.audit(one + two, **arguments), to=tmp_path / "a.json")
    matches = fairstats.verify_report(tmp_path / "a.json", two + one)
    assert matches.ok and "the recorded one" in matches.data and "not the recorded" not in matches.data
    fewer = fairstats.verify_report(tmp_path / "a.json", one)
    assert not fewer.ok and "data, sha256" in {d.where for d in fewer.differences}


def _hashed(document: dict) -> None:
    document["results_sha256"] = results_hash(document)
    document["id"] = document["results_sha256"][:8]


@pytest.mark.parametrize(
    ("change", "status", "text"),
    [
        (lambda d: d["audit"]["data"].update(sha256=""), "partly verified", "records no hash"),
        (lambda d: d["software"].update(conclusion="No disparity"), "disagreement", "software: conclusion"),
        (
            lambda d: d["audit"]["provenance"]["versions"].update({"No disparity": "9"}),
            "disagreement",
            "provenance, versions: No disparity",
        ),
        (lambda d: d["audit"]["estimates"].reverse(), "disagreement", "estimates, order of the entries, place 1"),
        (
            lambda d: (d["software"].update(fairstats="0.1.9"), d["audit"].update(finding="All is fair.")),
            "partly verified",
            "the report says: All is fair. Recomputed: ",
        ),
        (
            lambda d: d["software"].update(fairstats="0.1.9", conclusion="No disparity"),
            "partly verified",
            "what the file calls conclusion",
        ),
    ],
)
def test_what_a_file_says_beside_its_numbers_is_verified_too(change, status, text, tmp_path, document, arrests):
    forged = copy.deepcopy(document)
    change(forged)
    _hashed(forged)
    file = tmp_path / "forged.json"
    file.write_text(json.dumps(forged, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    answer = verify_report(file, arrests)
    assert answer.status == status and text in answer.summary(), answer.summary()


def test_a_file_without_the_columns_of_a_report_of_arrays_is_refused_with_their_names(tmp_path: Path) -> None:
    people = pd.DataFrame({"sex": ["f", "m"] * 40, "hired": [0, 1, 1, 1] * 20, "good": [0, 0, 1, 1] * 20})
    people.to_csv(tmp_path / "people.csv", index=False)
    report, file = str(tmp_path / "audit.json"), str(tmp_path / "people.csv")
    audit = fairstats.audit(
        people[["sex"]], decision=people.hired.to_numpy(), outcome=people.good.to_numpy(), groups="sex"
    )
    fairstats.report(audit, to=report)
    for data in (file, people):
        with pytest.raises(
            fairstats.InputError, match=r"data has no column 'outcome'; .* columns sex, outcome, decision;"
        ):
            fairstats.verify_report(report, data)
    assert run(["verify", report, file]) == 2
    people.set_axis(["sex", "decision", "outcome"], axis=1).to_csv(file, index=False)
    assert fairstats.verify_report(report, file).differences == ()
    fairstats.report(fairstats.audit(file, "decision", "sex"), to=report, overwrite=True)
    people.to_csv(file, index=False)  # of a file with a hash another one is a difference
    assert fairstats.verify_report(report, file).status == "disagreement"


def test_a_saved_tally_is_loaded_to_be_verified_and_a_saved_result_is_not_the_data(tmp_path: Path) -> None:
    people = {"sex": ["f", "m"] * 40, "hired": [0, 1, 1, 1] * 20}
    tally = fairstats.tally(people, "hired", "sex")
    fairstats.report(fairstats.audit(tally), to=tmp_path / "audit.json")
    for saved in (tally, fairstats.audit(tally)):
        saved.save(tmp_path / "saved.npz")
        with pytest.raises(
            fairstats.FairstatsError, match=r"of a tally pass what fairstats.load makes of it, of a result"
        ):
            fairstats.verify_report(tmp_path / "audit.json", tmp_path / "saved.npz")
    tally.save(tmp_path / "saved.npz")
    assert fairstats.verify_report(tmp_path / "audit.json", fairstats.load(tmp_path / "saved.npz")).differences == ()


@pytest.mark.parametrize("versus", ["baseline", "all"])
def test_a_report_of_models_is_computed_again_from_the_people(tmp_path: Path, versus: str) -> None:
    rng = np.random.default_rng(2)
    people = pd.DataFrame({"g": rng.choice(["u", "v"], 300), "y": rng.integers(0, 2, 300)})
    for name in ("b", "a", "c"):  # their order is not that of the letters
        people[name] = rng.random(300).round(3)
    people.to_csv(tmp_path / "people.csv", index=False)
    models, file = {"second": "b", "first": "a", "third": "c"}, tmp_path / "models.json"
    about = {"outcome": "y", "threshold": 0.5, "margin": 0.1}
    fairstats.report(fairstats.compare_models(tmp_path / "people.csv", models, "g", versus=versus, **about), to=file)
    assert fairstats.verify_report(file, tmp_path / "people.csv").status == "verified"
    people.loc[0, "c"] = 1 - people.loc[0, "c"]
    found = fairstats.verify_report(file, people)
    assert found.status == "disagreement" and any("model third" in one.where for one in found.differences)
    assert not any("model first" in one.where and "versus second" in one.where for one in found.differences)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["html", "json", "pdf"])
def test_a_report_of_two_comparisons_of_models_is_computed_again_too(tmp_path: Path, kind: str) -> None:
    rng = np.random.default_rng(2)
    people = pd.DataFrame({"g": rng.choice(["u", "v"], 300), "h": rng.choice(["x", "z"], 300)})
    people = people.assign(a=rng.integers(0, 2, 300), b=rng.integers(0, 2, 300))
    data, file = tmp_path / "people.csv", tmp_path / f"models.{kind}"
    people.to_csv(data, index=False)
    by_g, by_h = (fairstats.compare_models(data, ["a", "b"], by) for by in ("g", "h"))
    report = fairstats.report(by_g, by_h, to=file)
    title = "2 models on the same people: gaps between the groups of g, h"
    assert report.title == title and "fairstats verify" in report.html.partition("<main")[2]
    found = fairstats.verify_report(file, data)
    assert found.status == "verified", found
    people.assign(h=people.h[::-1].to_numpy()).to_csv(data, index=False)
    found = fairstats.verify_report(file, data)
    assert {one.where.partition(", attribute ")[2][:1] for one in found.differences} == {"", "h"}  # "": of the file
    shorter = tmp_path / "fewer.csv"
    people[:200].to_csv(shorter, index=False)
    mixed = tmp_path / "mixed.json"
    fairstats.report(by_g, fairstats.compare_models(shorter, ["a", "b"], "h"), to=mixed)
    with pytest.raises(fairstats.InputError, match="of models of one table"):
        fairstats.verify_report(mixed, data)


def test_a_report_of_a_search_for_an_alternative_is_computed_again_too(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    people = pd.DataFrame({"g": rng.choice(["u", "v"], 400), "y": rng.integers(0, 2, 400)})
    for name in ("now", "other"):
        people[name] = np.where(rng.random(400) < 0.8, people["y"], 1 - people["y"])
    people.to_csv(tmp_path / "people.csv", index=False)
    searched = fairstats.alternatives(tmp_path / "people.csv", ["now", "other"], "g", outcome="y", seed=7)
    fairstats.report(searched, to=tmp_path / "search.html")
    assert fairstats.verify_report(tmp_path / "search.html", tmp_path / "people.csv").status == "verified"


@pytest.mark.parametrize(
    "named",
    [
        {},
        {"reference": "v", "favorable": "no", "margin": 0.02, "conf_level": 0.9},
        {"baseline": "2024-02", "looks": 3, "spending": "pocock", "levels": ["u", "v", "w"], "reference": "v"},
    ],
)
def test_a_report_of_a_gap_that_is_watched_is_computed_again_from_the_people(
    tmp_path: Path, named: dict[str, object]
) -> None:
    people, data = watched_people(), tmp_path / "people.csv"
    people.to_csv(data, index=False)
    report = fairstats.report(
        fairstats.monitor(data, "hired", "g", **named), to=[tmp_path / "w.json", tmp_path / "w.html"]
    )
    assert "fairstats verify" in report.html.partition("<main")[2]
    for kind in ("json", "html"):
        assert fairstats.verify_report(tmp_path / f"w.{kind}", data).status == "verified"
    people.loc[0, "hired"] = "yes" if people.loc[0, "hired"] == "no" else "no"
    found = fairstats.verify_report(tmp_path / "w.json", people)
    assert found.status == "disagreement" and any("given 2024-01" in one.where for one in found.differences)


def test_a_report_of_a_gap_that_goes_on_from_a_state_is_refused_and_the_first_one_is_not(tmp_path: Path) -> None:
    people, state = watched_people(), tmp_path / "state.json"
    first, later = people[people.month < "2024-03"], people[people.month >= "2024-03"]
    for name, some in (("first", first), ("again", first), ("later", later)):
        result = fairstats.monitor(some, "hired", "g", state=state)
        report = fairstats.report(result, to=tmp_path / f"{name}.json")
        assert ("fairstats verify" in report.html.partition("<main")[2]) is (name == "first")
    before = state.read_bytes()
    assert fairstats.verify_report(tmp_path / "first.json", first).status == "verified" and state.read_bytes() == before
    for name, some in (("again", first), ("later", later), ("later", people)):
        with pytest.raises(fairstats.InputError, match=r"earlier periods are those of a state.*without state"):
            fairstats.verify_report(tmp_path / f"{name}.json", some)


def watched_people() -> pd.DataFrame:
    rng = np.random.default_rng(4)
    people = pd.DataFrame({"month": np.repeat([f"2024-0{k}" for k in range(1, 6)], 120)})
    people["g"] = rng.choice(["u", "v", "w"], 600, p=[0.3, 0.5, 0.2])
    return people.assign(hired=np.where(rng.random(600) < 0.4, "yes", "no"))


@pytest.mark.parametrize("kind", ["linearized", "replicates"])
def test_scores_under_a_survey_s_design_verify(kind, tmp_path):
    rng = np.random.default_rng(1)
    data = {"w": rng.uniform(1, 3, 200), "sex": rng.choice(["f", "m"], 200), "s": rng.normal(size=200)}
    if kind == "linearized":
        data["c"] = np.repeat(np.arange(20), 10)
        design = fairstats.survey_design(weights="w", clusters="c")
    else:
        data |= {f"r{i}": data["w"] * np.where(np.arange(200) % 20 == i, 0, 20 / 19) for i in range(20)}
        design = fairstats.survey_design(weights="w", replicate_weights="r*", kind="JK1")
    audit = fairstats.audit(data, groups="sex", score="s", design=design)
    assert all(type(row.df) is float for row in audit.estimates)
    fairstats.report(audit, to=[tmp_path / "a.json"])
    assert verify_report(tmp_path / "a.json", data).status == "verified"


def test_an_audit_of_a_design_of_several_stages_is_read_back_and_its_report_verified(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    people = pd.DataFrame({"unit": np.repeat(np.arange(12), 20), "house": np.repeat(np.arange(48), 5)})
    people = people.assign(w=2.0, units=60, houses=9, sex=rng.choice(["f", "m"], 240), y=rng.integers(0, 2, 240))
    people.to_csv(tmp_path / "a.csv", index=False)
    stages = {"clusters": ["unit", "house"], "fpc": ["units", "houses"]}
    audit = fairstats.audit(tmp_path / "a.csv", "y", "sex", design=fairstats.survey_design(weights="w", **stages))
    for kind in ("json", "html"):
        fairstats.report(audit, to=tmp_path / f"a.{kind}")
        assert verify_report(tmp_path / f"a.{kind}", tmp_path / "a.csv").status == "verified"
    assert fairstats.load(tmp_path / "a.json").protocol.design == audit.protocol.design


def test_results_that_cannot_be_read_back_are_not_called_changed(monkeypatch, result, arrests) -> None:
    def unreadable(recorded: object) -> None:
        raise FileError("the results in the report are damaged (by the test).")

    monkeypatch.setattr("fairstats.reporting.verify.audit_of", unreadable)
    answer = verify_report(result["json"], arrests)
    assert answer.status == "disagreement" and "changed" not in answer.summary()
    assert "the file cannot be made again: the results in the report are damaged (by the test)." in answer.summary()


def test_a_report_of_the_command_line_is_verified_in_python_and_there_where_groups_are_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(1)
    data = pd.DataFrame({"race": rng.choice(["a", "b", ""], 600, p=[0.6, 0.35, 0.05])})
    accepted = rng.random(600) < 0.2 + 0.3 * (data["race"] == "a")
    data["decision"] = np.where(accepted, "accept", rng.choice(["reject", "review"], 600))
    data.to_csv(tmp_path / "a.csv", index=False)
    call = ["audit", str(tmp_path / "a.csv"), "--decision", "decision", "--groups", "race"]
    order = ["--class-order", "reject,review,accept", "--law", "employment"]
    assert run([*call, *order, "--to", str(tmp_path / "a.json")]) == 0
    assert "favorable='" in json.loads((tmp_path / "a.json").read_text())["audit"]["finding"]
    assert run(["verify", str(tmp_path / "a.json"), str(tmp_path / "a.csv")]) == 0
    assert verify_report(tmp_path / "a.json", tmp_path / "a.csv").ok
    capsys.readouterr()


def test_of_long_texts_the_place_where_they_differ_is_shown() -> None:
    line = str(Difference("finding", "x" * 300 + "one", "x" * 300 + "two"))
    assert "one in the report" in line and "two recomputed" in line and len(line) < 200


@pytest.mark.parametrize("beside", ["probabilities", "monitor"])
def test_page_one_of_several_studies_of_one_table_says_how_to_check_them(tmp_path: Path, beside: str) -> None:
    rng = np.random.default_rng(0)
    share = rng.beta(0.2, 0.2, 800)
    people = pd.DataFrame({"x": share, "y": 1 - share, "d": rng.integers(0, 2, 800), "e": rng.integers(0, 2, 800)})
    people = people.assign(sex=["f", "m"] * 400, week=np.repeat(range(8), 100))
    data, file = tmp_path / "people.csv", tmp_path / "both.json"
    people.to_csv(data, index=False)
    first, second = (fairstats.group_probabilities(data, d, {"a": "x", "b": "y"}, reference="b") for d in "de")
    watched = fairstats.monitor(data, "d", "sex", period="week", reference="m")
    report = fairstats.report(first, second if beside == "probabilities" else watched, to=file)
    assert "To check every number: run fairstats verify" in report.html
    assert fairstats.verify_report(file, data).status == "verified"
