"""Outcomes that are known only of people with one decision: which rates have numbers, and what is said of them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fairstats as fs
from fairstats.auditing.sentences import claims, main_findings, page_one
from fairstats.cli import run
from tests.reporting.test_page_one import page

OPTIONS = {
    "decision": "decision", "outcome": "outcome", "groups": "race", "favorable": "approved", "positive": "repaid",
    "positive_prediction": "approved", "margin": 0.05,
    "labels": {
        "unit": "applicants", "favorable": "were approved", "unfavorable": "were denied", "positive": "repaid",
        "negative": "defaulted",
    },
}  # fmt: skip
NOT_OF_APPROVED = {"TPR", "FNR", "FPR", "TNR", "NPV", "FOR", "accuracy", "error rate"}


def applicants(known_of_denied: float = 0.0, known_of_approved: float = 1.0, n: int = 4000) -> pd.DataFrame:
    """Of black applicants fewer are approved; who was denied would have repaid less often."""
    rng = np.random.default_rng(1)
    race = rng.choice(["white", "black"], n, p=[0.7, 0.3])
    approved = rng.random(n) < np.where(race == "black", 0.4, 0.6)
    repaid = rng.random(n) < np.where(approved, 0.9, 0.6)
    known = rng.random(n) < np.where(approved, known_of_approved, known_of_denied)
    data = {"race": race, "decision": np.where(approved, "approved", "denied"), "w": rng.integers(1, 4, n)}
    data["c"] = rng.integers(0, 60, n)
    return pd.DataFrame(data | {"outcome": np.where(known, np.where(repaid, "repaid", "default"), None)})


def statuses(result: fs.Audit, contrast: str = "none") -> dict[str, set[str]]:
    rows = result.estimates.only(attribute="race", role="main", given="", contrast=contrast)
    return {m: {r.status for r in rows if r.metric == m} for m in rows.column("metric")}


@pytest.mark.parametrize("few", [0.0, 0.005])
@pytest.mark.parametrize(
    "weights", [{}, {"weights": "w"}, {"weights": "w", "weight_type": "probability"}, {"clusters": "c"}]
)
def test_rates_that_need_the_outcomes_of_all_have_no_number_where_those_of_one_decision_are_unknown(few, weights):
    data = applicants(few)
    result = fs.audit(data, **OPTIONS | weights)
    for contrast in ("none", "difference", "ratio"):
        found = statuses(result, contrast)
        assert {m for m, kinds in found.items() if kinds == {"unestimable"}} == NOT_OF_APPROVED & {*found}
        assert all(kinds == {"ok"} for m, kinds in found.items() if m not in NOT_OF_APPROVED)
    rows = result.estimates.only(metric="FNR", role="main")
    assert {*rows.column("reason")} == {"the outcome is known only of those with the favorable decision"}
    assert not any(row.verdict for row in rows) and all(np.isnan(row.estimate) for row in rows)
    if not weights:
        approved = data[data.decision == "approved"]
        expected = (approved.outcome == "repaid").groupby(approved.race).mean()
        rates = {r.group: r.estimate for r in result.estimates.only(metric="PPV", role="main", contrast="none")}
        assert rates == pytest.approx(expected.to_dict())


def test_where_those_of_the_favorable_decision_are_unknown_the_other_rates_remain():
    result = fs.audit(applicants(1.0, 0.0), **OPTIONS)
    kept = {m for m, kinds in statuses(result).items() if kinds == {"ok"}}
    assert {"NPV", "base rate", "selection rate"} <= kept and not kept & {"TPR", "FNR", "FPR", "PPV", "accuracy"}
    (reason,) = {*result.estimates.only(metric="PPV", role="main").column("reason")}
    assert reason == "the outcome is known only of those with the unfavorable decision"
    assert "repaid, of those who were denied" in " ".join(page(result)["context"])


def test_an_auc_of_those_with_one_decision_has_no_verdict_and_is_no_finding():
    """Who was chosen by the score has a narrower range of scores, by group as well."""
    for few, verdicts in ((0.0, False), (0.05, True), (1.0, True)):
        data = applicants(few)
        noise = np.random.default_rng(2).normal(size=len(data)) * np.where(data.race == "black", 9, 0.3)
        data["score"] = (data.outcome == "repaid") + noise + 2 * (data.decision == "approved")
        result = fs.audit(data, **OPTIONS, score="score")
        (row,) = result.estimates.only(metric="AUC", contrast="difference", role="main")
        assert row.p_adjusted < 0.05 and bool(row.verdict) is verdicts
        assert (row.reason == "the outcome is known only of those with the favorable decision") is not verdicts
        assert ("AUC" in result.claims().column("metric")) is (few == 1)
        assert ("disparity shown" in (*result.claims().only(metric="AUC").column("verdict"),)) is (few == 1)


def test_a_tally_and_its_people_say_the_same():
    data = applicants()
    roles = {name: OPTIONS[name] for name in ("decision", "outcome", "groups")}
    tallied = fs.audit(fs.tally(data, **roles), **OPTIONS)
    assert statuses(tallied) == statuses(fs.audit(data, **OPTIONS))


def test_a_sample_of_all_outcomes_keeps_every_rate():
    """Of both decisions a fiftieth is known: that is a small sample, and no decision tells whose outcome is known."""
    found = statuses(fs.audit(applicants(0.02, 0.02, 9000), **OPTIONS))
    assert found["FNR"] == found["FPR"] == found["accuracy"] == {"ok"}


def test_page_one_has_neither_such_errors_nor_outcomes_of_everybody():
    result = fs.audit(applicants(), **OPTIONS)
    matches = page(result)
    context = " ".join(matches["context"])
    assert "applicants repaid, of those who were approved" in context
    names = [heading.label for heading in matches["card"].headings]
    assert "right when approved" in names and "repaid, of those who were approved" not in names  # the same share
    assert not {"mistaken refusals", "mistaken approvals"} & {*names}
    assert "mistaken" not in " ".join(claim for claim, _ in matches["points"]) + matches["open"] + str(result)
    assert not {row.metric for row in claims(result)} & NOT_OF_APPROVED


def test_a_table_of_page_one_without_labels_names_whose_outcomes_it_has_without_marks_of_code():
    options = {**OPTIONS, "labels": None, "positive": "default", "positive_prediction": "denied"}
    names = [heading.label for heading in page(fs.audit(applicants(), **options))["card"].headings]
    assert "outcome rate, of those who had decision ≠ denied" in names and "`" not in "".join(names)


@pytest.mark.parametrize(("few", "all_of"), [(0.0, "all of whom"), (0.005, "nearly all of whom")])
def test_an_auc_of_those_whose_outcome_is_known_says_of_whom_it_is(few, all_of, tmp_path):
    data = applicants(few).assign(risk=np.random.default_rng(2).random(4000))
    result = fs.audit(data, **OPTIONS, score="risk")
    n = int((data.outcome.notna()).sum())
    base = f"of the {n:,} applicants whose outcome is known, {all_of} were approved"
    for text in (str(result.summary()), fs.table(result, "scores").to_markdown(), fs.plot(result, "roc").caption):
        assert base in " ".join(text.split())
    fs.report(result, to=tmp_path / "r.html")
    assert f"AUC: {base}." in (tmp_path / "r.html").read_text("utf-8")
    assert "and the AUC of scores, by itself not" in " ".join(str(note) for note in result.notes)
    assert not any("AUC" in note for note in fs.audit(data, **OPTIONS).notes)
    everybody = fs.audit(applicants(1.0).assign(risk=data.risk), **OPTIONS, score="risk")
    assert "whose outcome is known" not in " ".join(str(everybody.summary()).split())


def test_errors_of_very_unlike_knowledge_are_no_findings_and_keep_their_numbers_and_caution():
    result = fs.audit(applicants(0.05), **OPTIONS | {"margin": 0.2})
    answers = fs.auditing.answer.answers(result)
    assert statuses(result)["FNR"] == {"ok"}
    assert {line.metric for line in page_one(result).lines[1:]} <= {"PPV"}
    assert "istaken" not in " ".join(claim for claim, _ in main_findings(result, page_one(result), answers))
    assert not {row.metric for row in claims(result)} & NOT_OF_APPROVED
    assert any("distorts error rates" in note for note in result.notes)
    assert "repaid, of those whose outcome is known" in " ".join(page(result)["context"])
    known = fs.audit(applicants(0.3), **OPTIONS | {"margin": 0.2})
    assert {line.metric for line in page_one(known).lines[1:]} == {"FNR", "FPR", "PPV"}
    assert "whose outcome is known" not in " ".join(page(known)["context"])


@pytest.mark.parametrize(("gate", "code"), [("disparity", 2), ("no-equivalence", 1)])
def test_a_gate_of_such_errors_does_not_pass(tmp_path, capsys, gate, code):
    applicants().to_csv(tmp_path / "a.csv", index=False)
    audit = ["audit", str(tmp_path / "a.csv"), "--decision", "decision", "--outcome", "outcome", "--groups", "race"]
    audit += [
        "--favorable",
        "approved",
        "--positive",
        "repaid",
        "--positive-prediction",
        "approved",
        "--margin",
        "0.05",
    ]
    assert run([*audit, "--fail-on", gate, "--metric", "FNR"]) == code
    err = capsys.readouterr().err
    assert ("known only of those with the favorable decision" in err) == (code == 2) and "of 0)" not in err
