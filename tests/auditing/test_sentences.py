"""Nobody can read every sentence of every audit; this test does: none is broken."""

from __future__ import annotations

import re

import numpy as np
import pytest

import fairstats
from fairstats.auditing.audit import audit
from fairstats.auditing.result import Audit
from fairstats.auditing.sentences import claim_text
from fairstats.metrics import claimed, rates
from tests.auditing.sentences import audits, console_sentences, report_texts

BROKEN = {
    "an empty name": r"\bof  |\bof is\b|(?<!tidy)\(\)|\( |: ;|: \.$|''|against  |\bthe  ",
    "a space too many": r"  | [,.;:?!](?=\s|$)|^\s|\s$",
    "a doubled word": r"\b(?!(?:0|1)\b)([A-Za-z]+) \1\b",
    "adjusted by nothing": r"adjusted by not|by none",
    "a value that is no word": r"\bNone\b(?! of the \d|: )|\bnan\b|\bNaN\b|\{|\}|\binf\b|<class",
    "a doubled stop": r"(?<!\.)\.\.(?!\.)|\?\.|;\.|,\.|::",
}


@pytest.fixture(scope="module")
def everything() -> dict[str, Audit]:
    return dict(audits())


def faults(sentence: str) -> list[str]:
    return [f"{what}: {sentence!r}" for what, pattern in BROKEN.items() if re.search(pattern, sentence)]


def test_a_broken_sentence_is_seen():
    for sentence in (
        "The AUC of  is 0.1",
        "p adjusted by not adjusted",
        "a , b",
        "the the",
        "is nan",
        "Why?.",
        "{gap}",
    ):
        assert faults(sentence), sentence


def test_no_sentence_of_any_audit_is_broken(everything):
    items = [f for result in everything.values() for s in console_sentences(result) for f in faults(s)]
    assert sorted(set(items)) == []


def test_no_summary_holds_a_broken_word(everything):
    for name, result in everything.items():
        text = " ".join(result.summary().split())  # its tables are laid out with spaces
        text = re.sub(r" [DFE?](?= |$)", "", text)  # a verdict
        assert faults(text) == [], name
        assert max(map(len, result.summary().splitlines())) <= 80


def test_no_text_of_any_report_is_broken(everything):
    items = [f for result in everything.values() for text in report_texts(result) for f in faults(text)]
    assert sorted(set(items)) == []


def test_every_rate_and_every_claim_is_said_by_some_audit(everything):
    paid = audit(
        {"sex": ["f", "m"] * 80, "pay": [20.0 + i % 7 + i % 2 for i in range(160)]}, groups="sex", amount="pay"
    )
    several = audit({"sex": ["f", "m"] * 80, "risk": ["low", "middle", "high", "high"] * 40}, "risk", "sex")
    said = [claim_text(several, row) for row in several.claims()]
    assert any(text.startswith("0.0% of m (sex) have risk = low against 50.0% of f") for text in said)
    results = (*everything.values(), paid, several)
    members = {row.metric for result in results for row in result.estimates if row.verdict}
    assert {m.name for m in rates("audit")} | set(claimed()) <= members


@pytest.mark.parametrize("column", ["group", "Groups", "race"])
def test_a_column_called_group_has_the_groups_of_these_data(column: str) -> None:
    rng = np.random.default_rng(5)
    people = {column: rng.choice(list("abcde"), 1200), "hired": rng.integers(0, 2, 1200)}
    result = fairstats.audit(people, "hired", column, reference="c")
    named = "race" if column == "race" else "these data"
    assert result.finding().startswith(f"None of the 4 groups of {named} compared with ")
