"""The answer of page one names both groups with their own shares, the worse first, in whole sentences."""

from __future__ import annotations

import html
import re
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

import fairstats
from fairstats.auditing import result as cautions
from fairstats.auditing import sentences
from fairstats.auditing.answer import answers
from fairstats.auditing.protocol import Protocol, Words
from fairstats.auditing.sentences import gap_text, headline, main_findings, page_one, who_scores_higher
from fairstats.auditing.tally import CodedTally
from fairstats.estimates import Estimate
from fairstats.inference.rates.equivalence import decisive_test
from fairstats.inference.rates.two_rates import miettinen_nurminen
from fairstats.provenance import FlowStep
from fairstats.text import p_equals, percent

WORDS = {
    "unit": "applicants",
    "favorable": "were hired",
    "unfavorable": "were refused",
    "positive": "stayed",
    "negative": "left",
}
GAPS = {"more": (150, 90), "less": (90, 150), "equal": (60, 60)}


def counted(column: str, ours: int, theirs: int, n: int = 400) -> pd.DataFrame:
    rows = [(g, int(i < k)) for g, k in (("b", ours), ("a", theirs)) for i in range(n)]
    return pd.DataFrame(rows, columns=["g", column])


@pytest.mark.long
@pytest.mark.parametrize(("gap", "margin", "spoken"), [*product(GAPS, (None, 0.1), (False, True))])
@pytest.mark.parametrize("column", ["d", "y"])
def test_an_answer_is_a_whole_sentence_about_the_counts(
    column: str, gap: str, margin: float | None, spoken: bool
) -> None:
    """The reference a has 400 people and so has b: the answer is of b against a, as the tables are."""
    ours, theirs = GAPS[gap]
    arguments: dict[str, Any] = {"decision": "d", "favorable": 1} if column == "d" else {"outcome": "y"}
    arguments |= {"labels": WORDS} if spoken else {}
    result = fairstats.audit(counted(column, ours, theirs), groups="g", reference="a", margin=margin, **arguments)
    text = headline(result, answers(result))
    assert f"{percent(ours / 400)}% against {percent(theirs / 400)}%" in text
    verb = {"d": "were hired", "y": "stayed"}[column]
    assert (verb in text) == spoken and (f"had `{column} = 1`" in text) == (not spoken)
    if gap == "equal":
        assert ("within the margin of ±10.0 points" in text) == (margin is not None)
        assert ("No difference" in text) == (margin is None)
    else:
        assert "a gap of 15.0 percentage points (95% confidence interval " in text
        way = {"more": "more", "less": "less"}[gap]
        assert f"{way} often than" in text
    assert text[0].isupper()
    assert text.endswith(".") and text.count("{") == 0


@pytest.mark.parametrize("conditional", [False, True])
@pytest.mark.parametrize("current", [False, True])
def test_shares_of_scores_are_said_of_where_people_are_and_not_of_what_they_do(
    conditional: bool, current: bool
) -> None:
    rng = np.random.default_rng(1)
    words = {"unit": "applicants"} | ({"score": "a score"} if current else {})
    data = {"g": np.repeat(["a", "b"], 200), "s": rng.normal(np.repeat([0.0, 0.6], 200), 1)}
    arguments = {"threshold": 0.0} if conditional else {}
    result = fairstats.audit(data, score="s", groups="g", reference="a", labels=words, **arguments)
    text = headline(result, answers(result))
    cut = "had a score of at least 0" if conditional else "had a score above the median"
    plain = "had `s` of at least 0" if conditional else "had `s` above the median"
    assert re.match(rf"Applicants [^.]*b\W* {cut if current else plain} more often than applicants ", text)


def test_what_cannot_be_compared_says_why() -> None:
    data = pd.concat([counted("d", 30, 50), pd.DataFrame({"g": ["b"] * 3, "d": [0, 1, 1]})])
    small = pd.concat([counted("d", 0, 50)[lambda t: t.g == "a"], pd.DataFrame({"g": ["b"] * 3, "d": [0, 1, 1]})])
    result = fairstats.audit(small, "d", "g", min_n=10)
    (row,) = result.estimates.only(metric="selection rate", contrast="difference", role="main", status="suppressed")
    text = result.finding()
    assert text.startswith("People with `g` ") and f"cannot be compared: {row.reason}." in text and row.reason
    assert "cannot be compared" not in fairstats.audit(data, "d", "g", min_n=10).finding()


@pytest.mark.parametrize("estimate", [-0.2, -1e-6, 0.0, 1e-6, 0.2])
def test_only_a_difference_below_0_is_less(estimate: float) -> None:
    row = Estimate("FPR", estimate=estimate, conf_low=estimate - 0.1, conf_high=estimate + 0.1, conf_level=0.95)
    text = gap_text(row)
    assert ("points less (" in text) == (estimate < 0) and ("points more (" in text) == (estimate >= 0)
    assert (" less to " in text) == (row.conf_low < 0 < row.conf_high)


@pytest.mark.parametrize("positive_prediction", ["0", "1"])
@pytest.mark.parametrize("threshold", [None, 3.0])
def test_the_prediction_that_is_not_meant_is_the_other_decision(
    positive_prediction: str, threshold: float | None
) -> None:
    arguments = {"score": "s", "threshold": threshold} if threshold else {"decision": "d"}
    rules = Protocol(("g",), outcome="y", positive_prediction=positive_prediction, favorable="1", **arguments)
    one, other = (sentences.equation(rules, part) for part in ("D=1", "D=0"))
    assert one == sentences.decision_text(rules, positive_prediction) != other
    assert other == sentences.decision_text(rules, {"0": "1", "1": "0"}[positive_prediction])
    protocol = Protocol(
        ("g",), outcome="y", positive_prediction=positive_prediction, favorable="1", labels=Words(**WORDS), **arguments
    )
    helped, harmed = WORDS["favorable"], WORDS["unfavorable"]
    assert sentences.phrase(protocol, "D=1") == (helped if positive_prediction == "1" else harmed)
    assert sentences.phrase(protocol, "D=0") == (harmed if positive_prediction == "1" else helped)
    assert (sentences.phrase(protocol, "Y=1"), sentences.phrase(protocol, "Y=0")) == (
        WORDS["positive"],
        WORDS["negative"],
    )


@pytest.mark.parametrize(("lost", "size", "share"), [(1, 1, "100.0"), (1, 2, "50.0"), (3, 400, "0.8"), (0, 9, "")])
@pytest.mark.parametrize("role", ["outcome", "decision"])
def test_missing_values_are_counted_with_their_share_of_all(role: str, lost: int, size: int, share: str) -> None:
    tally = CodedTally(
        (),
        np.ones(size),
        flow=(FlowStep("rows read", size), FlowStep(f"{role} missing", lost), FlowStep("outcome or so", 7)),
    )
    text = cautions._lost(tally, role)
    assert bool(text) == (lost > 0)
    assert not lost or f"The {role} is missing for {lost} people ({share}%)" in text


def test_a_sentence_has_verb_phrases_throughout() -> None:
    """Words of the decision alone: of the outcome "had" and its column make the phrase."""
    data = pd.DataFrame({"g": ["a", "b"] * 60, "d": [1, 1, 0, 0, 1, 0] * 20, "y": [1, 0, 0, 1] * 30})
    words = {key: WORDS[key] for key in ("unit", "favorable", "unfavorable")}
    audit = fairstats.audit(data, "d", "g", outcome="y", favorable=1, labels=words)
    wrong = {g: 100 * data[(data.g == g) & (data.y == 0)].d.mean() for g in "ab"}
    text = " ".join(f"{lead} {text}" for lead, text in main_findings(audit, page_one(audit), answers(audit)))
    page = page_one(audit)
    order = sorted((page.group, page.reference), key=wrong.__getitem__, reverse=True)
    one, two = (f'{wrong[g]:.0f}% of applicants whose g is "{g}"' for g in order)
    plain = re.sub(r" \(\d+ of \d+\)", "", text)  # without the counts of few people
    assert plain != text and f"{one} and {two} were hired" in plain
    assert "y = " not in text.replace("had `y = ", "") and "d = 1" not in text


@pytest.mark.parametrize("name", ["Black", "Black applicants"])
def test_a_random_pair_is_of_two_persons_whatever_the_names_of_their_groups(name: str) -> None:
    data = pd.DataFrame({"g": ["a", "b"] * 60, "s": np.arange(120) % 7})
    words = {"unit": "applicants", "groups": {"g": {"a": "White", "b": name}}}
    audit = fairstats.audit(data, score="s", groups="g", labels=words)
    page = page_one(audit)
    text = who_scores_higher(audit, page, answers(audit))
    called = {"a": "White applicants", "b": "Black applicants"}
    between = f"That {called[page.group]} and {called[page.reference]} differ in s is not shown: the first have the "
    assert text.startswith(f"{between}higher one in ")


def two_groups(current: tuple[int, int], other: tuple[int, int]) -> pd.DataFrame:
    rows = [(g, int(i < k)) for g, (k, n) in {"a": current, "b": other}.items() for i in range(n)]
    return pd.DataFrame(rows, columns=["g", "y"])


@pytest.mark.parametrize(
    ("current", "other", "margin", "text"),
    [
        (
            (2500, 5000),
            (2500, 5000),
            {"ratio": 0.8},
            "interval 0.97 to 1.03), within the margin of 0.80 to 1.25.",
        ),
        ((60, 100), (30, 90), {"ratio": 0.8}, "that it is within the margin of 0.80 to 1.25 is not shown."),
        (
            (5000, 10000),
            (4750, 10000),
            0.05,
            "There is a difference (95% confidence interval 1.1 to 3.9), within the margin.",
        ),
        (
            (76, 100),
            (30, 90),
            0.3,
            "29 to 55). Disparity shown. A difference is shown; that it is beyond the margin",
        ),
        ((760, 1000), (300, 900), 0.3, "The whole interval is beyond the margin of ±30.0 points."),
    ],
)
def test_a_declared_margin_is_spoken_of_beside_the_interval_that_is_printed(current, other, margin, text):
    result = fairstats.audit(two_groups(current, other), decision="y", groups="g", margin=margin)
    assert text in result.finding()
    row = result.estimates.where(contrast="difference", role="main")[0]
    low, high = sorted((abs(row.conf_low), abs(row.conf_high)))
    assert "whole interval is beyond" not in result.finding() or low > 0.3, (low, high)
    assert "No margin of equivalence was declared" not in fairstats.report(result).html


def test_page_one_has_no_verdict_within_strata_where_the_question_cannot_be_answered_there():
    rows = [("a", "1", 80, 100), ("a", "2", 40, 100), ("b", "1", 50, 100)]
    data = pd.DataFrame([(g, d, int(i < k)) for g, d, k, n in rows for i in range(n)], columns=["g", "d", "y"])
    result = fairstats.audit(data, "y", "g", strata="d", reference="a")
    assert "cannot be answered within d: only 50% of a are in strata that hold both groups" in result.finding()
    page = fairstats.report(result).html
    assert "within the same d" not in page[: page.index("What this does not show")]


# A declared pair of groups, neither of them the reference, within declared strata.


def pair_in_departments() -> pd.DataFrame:
    """Group B is mostly in the hard department, where fewer of everybody pass; the score does not know the group."""
    n, rng = 2000, np.random.default_rng(0)
    g = rng.choice(list("ABC"), n, p=[0.5, 0.25, 0.25])
    dept = np.where(rng.random(n) < np.where(g == "B", 0.8, 0.2), "hard", "easy")
    h = rng.binomial(1, np.where(dept == "hard", 0.2, 0.6))
    score = np.random.default_rng(2).normal(np.where(dept == "hard", 0, 1), 1)
    return pd.DataFrame({"g": g, "dept": dept, "h": h, "score": score})


@pytest.mark.long
@pytest.mark.parametrize("role", [{"decision": "h"}, {"score": "score"}])
def test_a_declared_pair_without_the_reference_is_answered_within_strata(role: dict[str, str]) -> None:
    data = pair_in_departments()
    arguments = {**role, "groups": "g", "strata": "dept", "headline": {"g": ["B", "C"]}}
    whole, alone = fairstats.audit(data, **arguments), fairstats.audit(data[data["g"] != "A"], **arguments)
    (one,) = answers(whole)
    assert one.within is not None
    assert (one.group, one.reference, one.code, one.within.role) == ("B", "C", "inconclusive", "headline")
    text = whole.finding()
    assert text.startswith("Within the same dept, ")
    assert "without regard to dept" in text
    assert "Disparity shown" not in text
    # people of other groups say nothing about the two: the audit of these alone has the same sentence
    assert alone.finding() == text
    if "decision" in role:
        by = data[data["g"] != "A"].groupby(["dept", "g"])["h"].agg(["sum", "size"]).unstack()
        (e1, e0), (n1, n0) = (by[k][["B", "C"]].to_numpy().T for k in ("sum", "size"))
        weights = n1 * n0 / (n1 + n0)
        assert one.within.estimate == pytest.approx(((e1 / n1 - e0 / n0) * weights).sum() / weights.sum())
    # the comparisons with the reference are a family of their own, which the pair does not change
    metric = one.within.metric
    rows = whole.estimates.where(metric=metric, role="main")
    assert list(rows) == list(
        fairstats.audit(data, **{**arguments, "headline": None}).estimates.where(metric=metric, role="main")
    )


# Which interval a sentence is about.


def test_the_interval_of_practical_equality_is_that_of_its_adjusted_test() -> None:
    data = {"a": ["x"] * 300 + ["y"] * 300, "b": list("pqrs") * 150, "h": np.tile([0, 1, 1, 0, 0, 1], 100)}
    for margins in (0.15, {"difference": 0.15, "ratio": 0.5}):
        audit = fairstats.audit(data, "h", ["a", "b"], margin=margins)
        row = audit.estimates.where(attribute="a", contrast="difference", role="main", metric="selection rate")[0]
        ends = miettinen_nurminen(150, 300, 150, 300, 1 - 2 * 0.05 / 4)  # four comparisons share the error rate
        assert (row.margin_low, row.margin_high) == pytest.approx(ends, abs=1e-4)
        assert "(90% confidence interval 9.1 less to 9.1 more, adjusted for 4 comparisons)" in audit.finding()


def test_beside_a_margin_it_is_said_which_interval_is_meant() -> None:
    cells = [("A", "easy", 400, 500), ("A", "hard", 450, 1500), ("B", "easy", 720, 1200), ("B", "hard", 130, 800)]
    rows = [(g, d, int(i < k)) for g, d, k, n in cells for i in range(n)]
    data = pd.DataFrame(rows, columns=["g", "dept", "h"])
    text = fairstats.audit(data, "h", "g", strata="dept", margin={"difference": 0.06, "ratio": 0.8}).finding()
    assert "The whole interval within the same dept is beyond the margin of ±6.0 points." in text
    assert "The ratio without regard to dept is 1.00 " in text


def test_of_many_attributes_a_largest_gap_that_is_shown_is_said() -> None:
    rng, n = np.random.default_rng(3), 1200
    data = pd.DataFrame({f"a{i}": rng.choice(list("xy"), n) for i in range(4)})
    g = rng.choice(list("PQR"), n, p=[0.86, 0.07, 0.07])
    data["h"] = rng.binomial(1, np.select([g == "P", g == "Q"], [0.5, 0.63], 0.37))
    data["g"] = g
    audit = fairstats.audit(data, "h", [*data.columns.drop("h")])
    row = audit.estimates.where(attribute="g", role="omnibus", contrast="difference", metric="selection rate")[0]
    assert row.conf_low > 0
    text = (
        f"The groups of g are not all alike: the largest gap of any two is {percent(row.conf_low)} to "
        f"{percent(row.conf_high)} points (95% simultaneous interval, not adjusted for the other attributes)"
    )
    assert text in audit.finding()
    assert audit.finding().count("are not all alike") == 1


@pytest.mark.long
def test_steps_of_holm_leave_no_dash_where_an_interval_would_stand() -> None:
    rng, n = np.random.default_rng(77), 1400
    data = pd.DataFrame(
        {"ward": rng.choice(list("ABC"), n), "sex": rng.choice(["f", "m"], n), "grade": rng.choice([0, 1], n)}
    )
    data["d"] = (rng.random(n) < 0.35 + 0.15 * data.grade - 0.12 * (data.sex == "f")).astype(int)
    result = fairstats.audit(data, "d", ["ward", "sex"], strata="grade", p_adjust="holm")
    row = result.estimates.where(attribute="sex", metric="risk difference within strata")[0]
    assert np.isnan(row.conf_low) and row.verdict == "disparity shown"
    assert (
        f"{percent(abs(row.estimate))} points less, adjusted {p_equals(row.p_adjusted)}: disparity shown"
        in result.finding()
    )
    scored = fairstats.audit(
        data.assign(s=rng.random(n)), None, ["ward", "sex"], score="s", strata="grade", p_adjust="holm"
    )
    for one in (result, scored):
        for text in (one.finding(), str(one), one.summary(), fairstats.report(one).html):
            assert "– to –" not in text and "(–" not in text


def test_a_flag_beside_a_margin_is_no_difference_that_is_shown() -> None:
    data = counted("d", 245, 336, 700)
    text = fairstats.audit(data, "d", "g", p_adjust="bh", margin=0.1).finding()
    assert "A difference is flagged; that it is beyond the margin" in text and "is shown;" not in text


def test_pairs_with_the_same_score_are_said_to_count_half_and_how_many_they_are() -> None:
    draws = np.random.default_rng(8)
    data = pd.DataFrame({"g": draws.choice(["a", "b"], 800, p=[0.6, 0.4]), "s": draws.integers(0, 3, 800)})
    few, many = draws.choice([1, 2, 3], 800, p=[0.05, 0.6, 0.35]), draws.choice([1, 2, 3], 800, p=[0.2, 0.6, 0.2])
    data["score"] = np.where(data.g == "a", few, many)
    shares, weights = [], []
    for _, part in data.groupby("s"):
        x, y = (part.score[part.g == g].to_numpy() for g in "ba")
        shares.append((x[:, None] == y).mean())
        weights.append(x.size * y.size / (x.size + y.size + 1))
    ties = 100 * np.average(shares, weights=weights)
    answer = fairstats.audit(data, score="score", groups="g", strata="s").finding()
    assert f"the first has the higher score, with half of the {ties:.0f} ties counted (P(X>Y)" in answer
    data["score"] = draws.random(800)
    assert "ties" not in fairstats.audit(data, score="score", groups="g", strata="s").finding()


def test_a_gate_does_not_pass_what_the_sentence_takes_back() -> None:
    draws = np.random.default_rng(4)
    people = {"g": draws.choice(["a", "b"], 6000).astype(object), "y": (draws.random(6000) < 0.5).astype(int)}
    people = pd.DataFrame({**people, "s": draws.integers(0, 2, 6000)})
    for lost, margin, passed in ((0.3, 0.1, False), (0.3, {"ratio": 0.8}, False), (0.001, 0.1, True)):
        data = people.copy()
        data.loc[draws.random(6000) < lost, "g"] = None
        result = fairstats.audit(data, "y", "g", margin=margin, missing="drop")
        assert bool(result.passes()) is passed, (lost, margin)
        assert ("Equivalence shown." in result.finding()) is (passed and margin == 0.1)
        crossed = fairstats.audit(data, "y", "g", margin=margin, missing="drop", strata="s")
        assert bool(crossed.passes()) is passed
    # no test of a ratio within strata: the crude one is no answer to the declared question
    result = fairstats.audit(people, "y", "g", margin={"ratio": 0.8}, strata="s")
    assert "not settled" in result.finding() and not result.passes()
    assert bool(fairstats.audit(people, "y", "g", margin={"ratio": 0.8}).passes())
    data = people.copy()
    data.loc[:2, "g"] = None
    assert bool(fairstats.audit(data, "y", "g", margin={"ratio": 0.8}, missing="drop").passes())


@pytest.mark.parametrize("unknown", [None, "Unknown"])
def test_people_of_an_unknown_group_are_never_the_answer(unknown: str | None) -> None:
    draws = np.random.default_rng(3)
    data = pd.DataFrame({"g": draws.choice(["a", "b"], 1200).astype(object), "y": draws.random(1200) < 0.4})
    lost = draws.random(1200) < 0.6
    data.loc[lost, "y"], data.loc[lost, "g"] = draws.random(lost.sum()) < 0.7, unknown
    result = fairstats.audit(data, "y", "g", reference="a", favorable=True)
    first = answers(result)[0]
    assert (first.group, first.reference, first.code) == ("b", "a", "inconclusive")
    assert (first.bounds is not None) is (unknown is None)  # a level of its own has no bounds
    answer = result.finding()
    assert answer.startswith("No difference is shown in how often people with `g` b and those with a had `y = True`")
    assert "Disparity" not in answer
    assert f"Beside the named groups, shown to differ from a: {unknown or '(missing)'} (" in answer


def in_strata() -> pd.DataFrame:
    rng, n = np.random.default_rng(51), 1500
    data = pd.DataFrame({"g": rng.choice(["a", "b", "c"], n, p=[0.5, 0.3, 0.2]), "s": rng.integers(0, 3, n)})
    return data.assign(y=(rng.random(n) < 0.4 + 0.1 * data.s - np.where(data.g == "b", 0.12, 0)).astype(int))


@pytest.mark.long
@pytest.mark.parametrize(("p_adjust", "share"), [("bonferroni", "95%"), ("none", "90%"), ("bh", "95%")])
def test_beside_equivalence_stand_the_interval_and_the_p_that_it_was_read_from(
    p_adjust: str, share: str, tmp_path: Path
) -> None:
    """Not the interval of the test of no difference, which may leave the margin, nor the p of the odds ratio."""
    crude = fairstats.audit(in_strata(), "y", "g", margin=0.1, p_adjust=p_adjust)
    result = fairstats.audit(in_strata(), "y", "g", strata="s", margin=0.1, p_adjust=p_adjust)
    marked, summary = (" ".join(one.summary().split()) for one in (crude, result))
    for text in (marked, summary):
        assert f"E equivalence shown (the {share} interval and the p beside it are of the test of practical" in text
    fairstats.report(result, to=tmp_path / "page.md")
    page = (tmp_path / "page.md").read_text()
    sensitivity = page[page.index("## Do the findings") :]
    for metric in ("selection rate", "risk difference within strata"):
        (row,) = result.estimates.where(metric=metric, group="c", contrast="difference", role="main")
        low, high = 100 * row.margin_low, 100 * row.margin_high
        assert row.verdict == "equivalence shown" and -10 < low < 0 < high < 10
        if p_adjust == "bonferroni":
            assert 100 * row.conf_high > 10  # the interval that was printed
        ends = f"{low:.1f} to {high:.1f}".replace("-", "−")
        p = f"{row.p_equivalence:.3f}"
        if metric == "selection rate":
            assert f"+{100 * row.estimate:.1f} {low:.1f} to +{high:.1f} {p} E".replace("-", "−") in marked
            # beside strata the crude difference has no verdict, and the numbers of the test of no difference
            plain = f"{100 * row.conf_low:.1f} to +{100 * row.conf_high:.1f} {row.p_adjusted:.3f} All"
            assert f"+{100 * row.estimate:.1f} {plain}".replace("-", "−") in summary
        else:
            text = f"({share} confidence interval {-low:.1f} less to {high:.1f} more), adjusted p = {p} of practical"
            assert f"{text} equality" in summary
            assert f"| {share}: {ends} | {p} | within margin |" in sensitivity
        if share == "95%":  # two comparisons: the level of practical equality, adjusted by Bonferroni
            assert f"{share}: {ends}" in sensitivity


def test_beside_equivalence_by_holm_stands_the_p_of_practical_equality() -> None:
    rng, n = np.random.default_rng(15), 1600
    data = {"g": rng.choice(["a", "b"], n), "h": rng.choice(["x", "y"], n), "y": (rng.random(n) < 0.4).astype(int)}
    result = fairstats.audit(data, "y", ["g", "h"], margin=0.1, p_adjust="holm", intersections=False)
    for row in result.estimates.where(metric="selection rate", contrast="difference", role="main"):
        assert row.verdict == "equivalence shown" and row.p_equivalence < 0.05 < row.p_adjusted
        assert f"(adjusted p = {row.p_equivalence:.3f} of practical equality). Equivalence shown." in result.finding()
        assert f"p = {row.p_adjusted:.3f}" not in result.finding()
    within = fairstats.audit(in_strata(), "y", "g", strata="s", margin=0.1, p_adjust="holm")
    (row,) = within.estimates.where(metric="risk difference within strata", group="c")
    text = f"2.7 percentage points more, adjusted p = {row.p_equivalence:.3f} of practical equality, equivalence shown"
    assert text in " ".join(within.summary().split())


@pytest.mark.long
@pytest.mark.parametrize(("yes", "n"), [((60, 10), (200, 40)), ((12, 8), (30, 20)), ((45, 20), (150, 60))])
def test_the_promise_of_eighty_percent_holds_in_both_directions(yes: tuple[int, int], n: tuple[int, int]) -> None:
    """Summed over all tables, each decided as the audit decides it, at the numbers that are printed."""
    data = {
        "g": ["a"] * n[0] + ["b"] * n[1],
        "y": [1] * yes[0] + [0] * (n[0] - yes[0]) + [1] * yes[1] + [0] * (n[1] - yes[1]),
    }
    result = fairstats.audit(data, "y", "g")
    finding = " ".join(result.finding().split())
    pattern = (
        r"a true gap of ([\d.]+) percentage points or more between people with `g` b and those with a \(([\d.]+) if"
    )
    below, above = (float(end) / 100 for end in re.search(pattern, finding).groups())
    assert f"b −{100 * below:.1f} or +{100 * above:.1f}." in " ".join(result.summary().split())
    counts = [np.arange(size + 1.0) for size in n]
    grid = counts[1][None, :], np.full((n[0] + 1, n[1] + 1), float(n[1])), counts[0][:, None], float(n[0])
    p = decisive_test(*np.broadcast_arrays(*grid))
    for k1, k0 in ((0, 0), (yes[1], yes[0]), (n[1] // 2, n[0] // 5)):  # the audit decides so
        table = {"g": data["g"], "y": [1] * k0 + [0] * (n[0] - k0) + [1] * k1 + [0] * (n[1] - k1)}
        rows = fairstats.audit(table, "y", "g", reference="a").estimates
        (row,) = rows.where(metric="selection rate", contrast="difference", role="main")
        assert (row.verdict == "disparity shown") == (p[k0, k1] <= 0.05)
    rate = yes[0] / n[0]
    for end in (rate - below, rate + above):
        chance = binom.pmf(counts[0], n[0], rate) @ (p <= 0.05) @ binom.pmf(counts[1], n[1], end)
        assert 0.799 < chance < 0.82


def scored(**more: Any) -> fairstats.Audit:
    rng, n = np.random.default_rng(1), 900
    data = pd.DataFrame({"g": rng.choice(list("abc"), n, p=[0.5, 0.4, 0.1]), "sc": rng.random(n)})
    data = data.assign(y=(rng.random(n) < data.sc).astype(int), d=(rng.random(n) < 0.4).astype(int))
    return fairstats.audit(data, groups="g", score="sc", **more)


def test_the_first_sentence_answers_the_margin_that_was_declared_for_scores() -> None:
    """Nobody declared the median as a cut: the share above it is no answer beside a margin of P(X>Y)."""
    for margin, word in ((0.2, "within the margin of 0.5 ± 0.2"), (0.02, "not settled")):
        result = scored(margin={"auc": margin})
        first = result.finding().split(". ")[0]
        assert f": {word})" in first and "P(X>Y) 0.454" in first and "median" not in result.finding()
        assert bool(result.passes()) == ("within" in word)
        page = page_one(result)
        assert who_scores_higher(result, page, answers(result)) == ""
        assert main_findings(result, page, answers(result)) == []
    both = scored(margin={"auc": 0.2, "difference": 0.1}).finding()
    assert both.startswith("None of the 2 groups of g compared with those with a is shown to differ in how often they ")
    assert "P(X>Y) is shown to be within 0.2 of 0.5 for 2 of 2 groups; the farthest is " in both
    beside = scored(decision="d", outcome="y", margin={"auc": 0.1}).finding()
    assert beside.startswith(
        "None of the 2 groups of g compared with those with a is shown to differ in how often they "
    )
    assert "P(X>Y) is shown to be within 0.1 of 0.5 for 1 of 2 groups" in beside
    assert "The difference of AUCs is shown to be within 0.1 of 0 for " in beside
    german = fairstats.report(scored(decision="d", outcome="y", margin={"auc": 0.1}), language="de").html
    assert "0,1 von 0,5 entfernt" in german and "0,1 von 0 entfernt" in german


def test_a_withheld_reference_is_said_of_every_group() -> None:
    data = {"g": ["a"] * 500 + ["b"] * 40 + ["c"] * 300}
    data["y"] = [1] * 200 + [0] * 300 + [1] * 2 + [0] * 38 + [1] * 130 + [0] * 170
    result = fairstats.audit(data, "y", "g", reference="b", min_n=50)
    assert result.finding().startswith("None of the 2 groups of g can be compared with b: fewer than 50 people")
    assert "(g: 2, those of withheld groups too, of which none is shown)" in " ".join(result.summary().split())


def test_a_sentence_names_the_group_that_strata_leave_out() -> None:
    for group, other in (("a", "b"), ("b", "a")):
        data = pd.DataFrame({"g": [group] * 300 + [other] * 300, "s": ["x"] * 150 + ["y"] * 150 + ["x"] * 300})
        text = fairstats.audit(data.assign(y=[0, 1] * 300), "y", "g", strata="s").finding()
        assert f"only 50% of {group} are in strata that hold both groups" in text


def test_a_printed_audit_has_no_table_before_that_of_its_first_answer() -> None:
    rng, n = np.random.default_rng(3), 4000
    race = rng.choice([f"race {i}" for i in range(12)], n)
    data = pd.DataFrame({"race": race, "sex": rng.choice(["f", "m"], n)})
    data["y"] = (rng.random(n) < np.where(race == "race 3", 0.7, 0.3)).astype(int)
    text = str(fairstats.audit(data, "y", ["sex", "race"]))
    first = answers(fairstats.audit(data, "y", ["sex", "race"]))[0].attribute
    tables = [line for line in text.splitlines() if line.startswith("Selection rate by")]
    assert first == "race" and (not tables or tables[0].startswith("Selection rate by race"))


@pytest.mark.parametrize(
    ("selected", "wanted"),
    [
        ((300, 180), "beyond the margin of ±5.0 points for c; for b that is not shown."),
        ((200, 180), "Each whole interval is beyond the margin of ±5.0 points."),
        ((300, 250), "For none of them is it shown that the gap is beyond the margin of ±5.0 points."),
    ],
)
def test_of_several_groups_it_is_said_whose_gap_is_beyond_the_margin(selected, wanted) -> None:
    """1500 of 3000 of a, so many of 700 of b and of 600 of c; by sex nearly all of m and none of f."""
    cells = {"a": (1500, 3000), "b": (selected[0], 700), "c": (selected[1], 600)}
    data = pd.DataFrame([(g, int(i < k)) for g, (k, n) in cells.items() for i in range(n)], columns=["g", "y"])
    data["sex"] = np.where((np.arange(len(data)) % 10 > 0) == data.y, "m", "f")
    audit = fairstats.audit(data, "y", ["sex", "g"], margin=0.05)
    rows = list(audit.estimates.only(attribute="g", contrast="difference", role="main", metric="selection rate"))
    far = {r.group for r in rows if max(r.conf_low, -r.conf_high) > 0.05}
    said = {"b", "c"} if "Each" in wanted else {"c"} if "for c" in wanted else set()
    assert far == said and all(row.verdict == "disparity shown" for row in rows)
    text = " ".join(audit.finding().split())
    assert wanted in text
    page = fairstats.report(audit).html
    assert ("gaps exceed the" in page) == (far == {"b", "c"})


def test_what_a_criterion_asks_is_listed_with_what_passed_of_it() -> None:
    """Of 400 with the outcome 300 of m and 200 of f are predicted, of 400 without it 100 of either."""
    cells = ("m", 1, 300), ("m", 0, 100), ("f", 1, 200), ("f", 0, 100)
    data = pd.DataFrame([(g, int(i < k), y) for g, y, k in cells for i in range(400)], columns=["g", "d", "y"])
    result = fairstats.audit(data, "d", "g", outcome="y", margin=0.1)
    for name in ("equalized odds", "equalised odds"):
        passed = result.passes(name)
        assert not passed and [row.metric for row in passed.failures] == ["TPR"]
        assert "  within the margin: TPR 0 of 1, FPR 1 of 1\n" in str(passed)
    assert "within the margin: " not in str(result.passes("TPR"))


@pytest.mark.parametrize("shift", [-0.6, 0.0, 0.6])
def test_a_score_that_was_declared_beside_a_decision_is_answered_wherever_an_audit_is_read(shift: float) -> None:
    rng = np.random.default_rng(11)
    g = np.repeat(["a", "b"], [300, 200])
    score = rng.normal(np.where(g == "b", shift, 0.0)).round(1)
    data = pd.DataFrame({"g": g, "d": rng.integers(0, 2, 500), "s": score})
    result = fairstats.audit(data, "d", "g", score="s", reference="a")
    pairs = data.s[g == "b"].to_numpy()[:, None] - data.s[g == "a"].to_numpy()[None, :]
    of_hundred = 50 * (np.sign(pairs).mean() + 1)
    start = {-0.6: "tend to have a lower s than those with a: ", 0.6: "tend to have a higher s than those with a: "}
    start = start.get(shift, "and those with a differ in s is not shown: ")
    page = fairstats.report(result).contents.context["findings"]["context"]
    for text in (result.finding(), " ".join(str(result).split()), " ".join(page)):
        (printed,) = re.findall(r"([\d.]+) of 100 random pairs \(95% interval \d", text)
        assert float(printed) == pytest.approx(of_hundred, abs=0.51)
        assert f"eople with `g` b {start}" in text
        assert ("; disparity shown)." in text) == (shift != 0)
    assert len(str(result).splitlines()) <= 25
    assert "random pairs" not in fairstats.audit(data, "d", "g", reference="a").finding()


def test_what_is_said_of_scores_names_for_how_many_comparisons_its_interval_is_adjusted() -> None:
    rng = np.random.default_rng(5)
    data = pd.DataFrame({"g": np.repeat(list("abc"), 200), "d": rng.integers(0, 2, 600), "s": rng.normal(size=600)})
    result = fairstats.audit(data, "d", "g", score="s", reference="a")
    printed = " ".join(str(result).split()), result.finding(), html.unescape(result._repr_html_())
    for text in (*printed, " ".join(fairstats.report(result).contents.context["findings"]["context"])):
        (of_scores,) = re.findall(r"100 random pairs \(([^)]*), ties half\)", text)
        assert re.fullmatch(r"95% interval \d+ to \d+, adjusted for 2 comparisons", of_scores), text


def test_the_group_whose_interval_is_beyond_the_margin_is_named_where_there_are_others() -> None:
    rows = [(g, d, int(i < k)) for g, d, k, n in (("A", "x", 400, 800), ("A", "y", 600, 800), ("B", "x", 100, 300),
            ("B", "y", 150, 300), ("C", "x", 50, 100), ("C", "y", 75, 100)) for i in range(n)]  # fmt: skip
    data = pd.DataFrame(rows, columns=["g", "dept", "h"])
    text = fairstats.audit(data, "h", "g", strata="dept", margin=0.06).finding()
    assert "The whole interval for B within the same dept is beyond the margin of ±6.0 points." in text
    two = fairstats.audit(data[data.g != "C"], "h", "g", strata="dept", margin=0.06).finding()
    assert "The whole interval within the same dept is beyond" in two


@pytest.mark.parametrize("label", ["iOS", "a"])
def test_a_label_keeps_its_letters_at_the_start_of_a_sentence(label: str) -> None:
    shares = {label: (400, 0.6), "Android": (300, 0.2), "Web": (300, 0.3)}
    g = np.repeat([*shares], [n for n, _ in shares.values()])
    d = np.concatenate([np.arange(n) < share * n for n, share in shares.values()])
    text = fairstats.audit({"g": g, "d": d}, "d", "g", favorable=True).finding()
    assert text.startswith(f"{label}, the largest group by g, had ")


@pytest.mark.parametrize(("label", "is_answer"), [("none", True), ("None", True), ("n/a", False), ("Unknown", False)])
def test_the_answer_names_people_of_none_and_not_those_of_whom_it_is_not_known(label: str, is_answer: bool) -> None:
    people = {
        "religion": np.repeat([label, "mild", "strong"], [300, 600, 500]),
        "hired": np.repeat([1, 0, 1, 0, 1, 0], [60, 240, 300, 300, 245, 255]),
    }
    result = fairstats.audit(people, "hired", "religion")
    assert (answers(result)[0].group == label) is is_answer
    assert ("Disparity shown" in result.finding()) is is_answer
    assert any(f"religion ('{label}')" in note for note in result.notes)  # the caution stays
    people["religion"] = np.where(people["religion"] == label, None, people["religion"])  # Python's None is missing
    assert "(missing)" in {cell.group for cell in fairstats.audit(people, "hired", "religion").cells}
