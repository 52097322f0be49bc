"""The comparison of page one: which two groups, which family its verdict is of, what its sentences say."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.auditing.answer import answers
from fairstats.auditing.sentences import finding_parts, headline, main_findings, not_settled, page_one
from fairstats.errors import InputError
from tests.auditing.test_words import people, table
from tests.reporting.reader import texts

WORDS = {
    "unit": "arrestees",
    "favorable": "were released",
    "unfavorable": "were held",
    "groups": {"colour": {"Black": "Black", "White": "White"}},
}
FOUR = {"a": (50, 100), "b": (30, 90), "c": (12, 80), "x": (2, 2), "y": (0, 2)}


GROUPS = {"White": (156, 520), "Black": (36, 180), "Hispanic": (30, 140), "Asian": (21, 60)}
HIRED = {"unit": "applicants", "favorable": "were hired", "unfavorable": "were rejected"}


def named(*labels: str) -> dict[str, Any]:
    """Words in which every group is called by its label."""
    return {**HIRED, "groups": {"g": {label: label for label in labels}}}


def test_every_declared_attribute_is_answered_differences_first() -> None:
    """The first attribute shows nothing, the second 25 points: an answer of the first alone hid the second."""
    data = table(White=(618, 1000), Black=(363, 1000)).rename(columns={"g": "ethnicity"})
    data["sex"] = np.tile(["men", "women"], 1000)
    result = fairstats.audit(data, "d", ["sex", "ethnicity"], reference={"ethnicity": "White"})
    text = result.finding()
    first = "White people had `d = 1` about 1.7 times as often as Black people: 61.8% against 36.3%"
    assert text.index(first) < text.index("No difference is shown in how often ")
    assert [one.code for one in answers(result)] == ["disparity shown", "inconclusive"]
    assert "sex:ethnicity" in result.references and "×" not in text  # a table, and no question of its own
    assert text.split(". ")[0] in " ".join(str(result).split())
    page = page_one(result)
    assert page and (page.attribute, page.group) == ("ethnicity", "Black")


def test_of_many_attributes_it_is_counted_how_many_show_what_and_the_worst_speak() -> None:
    rng = np.random.default_rng(1)
    data = pd.DataFrame({f"a{i}": rng.choice(["x", "y"], 3000) for i in range(5)})
    data["d"] = rng.random(3000) < 0.4 + 0.1 * (data.a1 == "y") + 0.3 * (data.a3 == "y")
    result = fairstats.audit(data, "d", list(data.columns[:5]), favorable=True, min_n=50)
    text = result.finding()
    shown = [one.attribute for one in answers(result) if one.code == "disparity shown"]
    assert shown == ["a3", "a1"]
    assert text.startswith(
        "5 attributes: 2 with a disparity shown (a3 and a1); 3 without a difference from the reference group shown ("
    )
    far = text[text.index("The farthest difference that is shown is one of combinations: ") :]
    rows = result.estimates.where(metric="selection rate", contrast="difference", verdict="disparity shown")
    widest = max(rows, key=lambda row: max(row.conf_low, -row.conf_high))
    assert ":" in widest.attribute and f"a gap of {100 * abs(widest.estimate):.1f} percentage points (95%" in far
    assert text.count("had `d = ") == 3 and len(str(result).splitlines()) <= 25


def test_a_combination_of_three_whose_gap_two_of_them_carry_is_not_named() -> None:
    """By chance the limits of a part lie farther out than those of the group that has the gap."""
    rng, n = np.random.default_rng(1), 20000
    sex, race, job = rng.integers(0, 2, n), rng.choice(3, n, p=[0.5, 0.3, 0.2]), rng.integers(0, 6, n)
    columns = {"sex": ("man", "woman"), "race": ("White", "Black", "Other"), "job": tuple("ABCDEF")}
    of = dict(zip(columns, (sex, race, job), strict=True))
    data = pd.DataFrame({name: np.array(labels)[of[name]] for name, labels in columns.items()})

    def farthest(rate: Any) -> str:
        data["d"] = (np.random.default_rng(7).random(n) < rate).astype(int)
        result = fairstats.audit(data, "d", list(columns), intersections=["sex:race", "sex:race:job"])
        return " ".join(str(result).split()).partition("The farthest shown: ")[2]

    carried = np.where((sex == 1) & (race == 2), 0.25, 0.5)
    assert "(sex × race)" in farthest(carried)[:70]
    beyond = np.where((sex == 1) & (race == 2) & (job == 2), 0.05, carried)
    assert farthest(beyond).startswith("Women:Other:C against ")


def test_groups_are_compared_with_the_declared_reference_and_no_other_pair_is_put_first() -> None:
    result = fairstats.audit(table(**GROUPS), "d", "g", reference="White", favorable=1, labels=named(*GROUPS))
    assert not result.estimates.only(role="headline")
    text = result.finding()
    assert text.startswith(
        "Black applicants were hired less often than White applicants: 20.0% against 30.0%, a gap of"
    )
    (answer,) = answers(result)
    (row,) = result.estimates.where(metric="selection rate", contrast="difference", group="Black", role="main")
    assert answer.gap is row and answer.code == row.verdict == "disparity shown"
    assert f"{-100 * row.conf_high:.1f} to {-100 * row.conf_low:.1f}, adjusted for 3 comparisons)" in text
    assert "Of 3 groups compared with White applicants it is the only one shown to differ." in text
    assert "At the rate of White applicants, 18 more Black applicants would have been hired (arithmetic only)." in text
    (largest,) = result.estimates.where(metric="selection rate", contrast="difference", role="omnibus")
    ends = f"{100 * largest.conf_low:.1f} to {100 * largest.conf_high:.1f}"
    assert f"The largest gap of any two groups is {ends} points (95% simultaneous interval)" in text


def test_of_groups_that_differ_the_one_farthest_from_equality_is_named_and_of_none_the_largest_estimate() -> None:
    """A group of few people has the larger estimate, and an interval that is nearer to equality."""
    shown = answers(fairstats.audit(table(a=(500, 1000), b=(350, 1000), c=(2, 14)), "d", "g", p_adjust="none"))[0]
    assert shown.group == "b" and {row.group for row in shown.shown} == {"b", "c"}
    none = fairstats.audit(table(a=(500, 1000), b=(480, 1000), c=(12, 36)), "d", "g")
    assert answers(none)[0].group == "c" and answers(none)[0].code == "inconclusive"
    assert "in how often they had `d = 1`; the largest gap is that of people with `g` c: 33% (12 of 36)" in (
        none.finding()
    )


@pytest.mark.parametrize("rest", ["Other", "Unknown", "Other / Unknown", "not stated", None])
def test_everybody_else_is_named_first_where_no_other_group_differs_and_people_without_a_group_never(
    rest: str | None,
) -> None:
    data = table(a=(50, 100), b=(30, 100), rest=(0, 90))
    data["g"] = [rest if g == "rest" else g for g in data.g]
    answer = answers(fairstats.audit(data, "d", "g"))[0]
    unknown = [] if rest == "Other" else [rest or "(missing)"]
    assert (answer.group, answer.reference) == ("b", "a") and [row.group for row in answer.unknown] == unknown
    data.loc[data.g == "b", "d"] = [1, 0] * 50  # nobody else differs
    result = fairstats.audit(data, "d", "g", reference="a")
    answer = answers(result)[0]
    if rest == "Other":
        assert (answer.group, answer.code) == ("Other", "disparity shown")
        assert result.finding().startswith("People with `g` Other had `d = 1` less often than those with a: 0%")
        page = " ".join(text for _, text in texts(fairstats.report(result).html))
        assert "is shown to differ in how often" not in page
    else:
        assert (answer.group, answer.code) == ("b", "inconclusive") and len(answer.unknown) == 1
        parts = {text: rank for rank, text in finding_parts(result)}
        (said,) = (text for text in parts if "Beside the named groups, shown to differ from a" in text)
        assert parts[said] == min(parts.values())  # which no short form leaves out


@pytest.mark.parametrize("rest", ["Other", None])
def test_a_sentence_counts_groups_everybody_else_among_them_but_nobody_whose_group_is_missing(
    rest: str | None,
) -> None:
    def audited(b: int, c: int, **options: Any) -> fairstats.Audit:
        data = table(a=(500, 1000), b=(b, 1000), c=(c, 1000), rest=(40, 90))
        data["g"] = [rest if g == "rest" else g for g in data.g]
        result = fairstats.audit(data, "d", "g", **options)
        rows = result.estimates.where(metric="selection rate", contrast="difference", role="main")
        assert len(rows) == 3 and rows[-1].verdict == "inconclusive"
        return result

    n = 3 if rest else 2
    one = audited(300, 480, reference="a")
    assert f"Of {n} groups compared with a it is the only one shown to differ." in one.finding()
    two = audited(300, 300).finding()
    assert ("every other group: " if n == 2 else f"2 of the {n} other groups: ") + "b (30.0%) and c (30.0%)." in two
    assert ("Not settled: Other (44%)." in two) is (rest == "Other") and "(missing) (44%)" not in two
    none = audited(490, 490).finding()
    assert none.startswith(f"None of the {n} groups of g compared") and "Not settled" not in none


def test_small_groups_that_were_declared_are_answered_with_their_counts() -> None:
    """Ricci v. DeStefano: groups of 15 and 19 people, and a declared reference."""
    data = table(W=(25, 43), B=(6, 19), H=(3, 15))
    text = fairstats.audit(data, "d", "g", reference="W").finding()
    assert text.startswith(
        "People with `g` H had `d = 1` less often than those with W: 20% (3 of 15) against 58% (25 of 43), a gap of 38 "
        "percentage points (95% confidence interval "
    )
    assert "At the rate of those with W, 6 more people with `g` H would have had `d = 1` (arithmetic only)." in text


def test_a_suppressed_or_empty_comparison_is_counted() -> None:
    result = fairstats.audit(table(a=(50, 100), b=(30, 90), f=(40, 80), c=(1, 4), e=(2, 5)), "d", "g", min_n=10)
    hidden = sum(row.status == "suppressed" for row in result.estimates.where(
        metric="selection rate", contrast="difference", role="main"))  # fmt: skip
    assert hidden in (2, 3) and f"{hidden} groups of g cannot be compared (c" in result.finding()


def test_a_declared_pair_is_the_answer_in_its_direction() -> None:
    result = fairstats.audit(table(**FOUR), "d", "g", reference="a", headline={"g": ["b", "c"]})
    (row,) = result.estimates.where(role="headline", term="")
    assert (row.group, row.reference, row.conf_level) == ("b", "c", 0.95) and row.p_adjusted == row.p_value
    assert result.finding().startswith(
        "People with `g` b had `d = 1` more often than those with c: 33% (30 of 90) against"
    )
    turned = fairstats.audit(table(**FOUR), "d", "g", reference="a", headline={"g": ["a", "c"]})
    assert not turned.estimates.only(role="headline")
    page = page_one(turned)
    assert page and (page.group, page.reference) == ("a", "c") and page.head.gap.role == "main" and page.head.turned
    assert page.head.row.estimate == pytest.approx(50 / 100 - 12 / 80)


def test_the_order_of_attributes_changes_no_row() -> None:
    data = people(np.random.default_rng(1), 600)
    for family in ("rate", "audit"):
        one, other = (
            fairstats.audit(data, "d", names, family=family).estimates for names in (["race", "sex"], ["sex", "race"])
        )
        for attribute in ("race", "sex"):
            assert repr(list(one.where(attribute=attribute))) == repr(list(other.where(attribute=attribute)))


def test_bounds_over_missing_groups_stand_in_the_first_sentence_where_they_take_it_back() -> None:
    """At equal rates, where the group is missing more often for those of b who were hired."""
    rng = np.random.default_rng(3)
    g, d = rng.choice(["a", "b"], 1000, p=[0.6, 0.4]), rng.random(1000) < 0.3
    lost = rng.random(1000) < np.where((g == "b") & d, 0.6, 0.15)
    result = fairstats.audit({"g": np.where(lost, None, g), "d": d.astype(int)}, "d", "g")
    row = [r for r in result.estimates.where(role="bounds") if r.group == "b" and r.term][-1]
    assert row.conf_low < 0 < row.conf_high
    low, high = f"{-100 * row.conf_low:.1f}", f"{100 * row.conf_high:.1f}"
    first = result.finding().partition(". Disparity")[0]
    assert first.endswith(
        f"Over all people no gap to those with a is shown: with the {lost.sum()} whose g is not known at worst, and "
        f"sampling error, that of people with `g` b may be anything between {low} points less and {high} points more"
    )
    few = {"g": np.where(np.arange(1000) < 2, None, g), "d": np.where(g == "a", d, rng.random(1000) < 0.8).astype(int)}
    assert "who are missing" not in fairstats.audit(few, "d", "g").finding()


def departments() -> pd.DataFrame:
    """Admissions of the six largest departments of Berkeley in 1973 (Bickel, Hammel & O'Connell 1975)."""
    counts = {"A": (512, 313, 89, 19), "B": (353, 207, 17, 8), "C": (120, 205, 202, 391)}
    counts |= {"D": (138, 279, 131, 244), "E": (53, 138, 94, 299), "F": (22, 351, 24, 317)}
    cells = [("men", "yes"), ("men", "no"), ("women", "yes"), ("women", "no")]
    rows = [(*cell, dept, n) for dept, four in counts.items() for cell, n in zip(cells, four, strict=True)]
    return pd.DataFrame(rows, columns=["gender", "admitted", "dept", "n"])


BERKELEY = {
    "unit": "applicants",
    "favorable": "were admitted",
    "unfavorable": "were rejected",
    "attributes": {"dept": "department"},
    "groups": {"gender": {"women": "female", "men": "male"}},
}


def test_declared_strata_are_the_question_and_the_crude_numbers_stand_beside_the_answer() -> None:
    arguments = {"favorable": "yes", "strata": "dept", "weights": "n"}
    result = fairstats.audit(departments(), "admitted", "gender", **arguments, labels=BERKELEY)
    assert result.finding().startswith(
        "Within the same department, no difference is shown in how often female applicants and male applicants were "
        "admitted (1.8 points more, 1.0 less to 4.7 more: not settled); without regard to department 30.4% against "
        "44.5%, a gap of 14.2 percentage points (95% confidence interval "
    )
    assert (
        "The difference by gender is not the same in all strata of department that hold both groups (female applicants "
        "against male applicants, p = 0.003)." in result.finding()
    )
    assert "Disparity" not in result.finding() and str(result).startswith(
        "Audit of data in memory: 4,526 people in 24 "
    )
    (crude,) = answers(result, crude=True)
    assert headline(result, [crude]).startswith(
        "Female applicants were admitted less often than male applicants: 30.4%"
    )
    text = "1.8 points more, 1.0 less to 4.7 more: not settled"
    assert crude.code == "disparity shown" and text in headline(result, [crude])


def test_a_gate_asks_every_declared_comparison_to_be_within_the_margin() -> None:
    same, small = {"a": (500, 1000), "b": (505, 1000)}, {"c": (3, 6)}
    for groups, min_n, failed in (
        (same, 1, []),
        ({**same, **small}, 1, [("c", "inconclusive", "ok")]),  # a small sample does not pass
        ({**same, **small, "e": (5, 9)}, 10, [("e", "", "suppressed"), ("c", "", "suppressed")]),
        ({**same, "b": (300, 1000)}, 1, [("b", "disparity shown", "ok")]),
    ):
        result = fairstats.audit(table(**groups), "d", "g", reference="a", margin=0.1, min_n=min_n)
        gate = result.passes()
        assert bool(gate) == (not failed) and gate.compared == len(groups) - 1
        assert {(r.group, r.verdict, r.status) for r in gate.failures} == set(failed)
        assert all(f"of {group} against a" in str(gate) for group, *_ in failed)
    with pytest.raises(InputError, match="no margin was declared"):
        fairstats.audit(table(**same), "d", "g").passes()


def test_a_rate_and_what_is_left_of_it_count_once_at_a_glance() -> None:
    rng = np.random.default_rng(2)
    data = {"g": ["a", "b"] * 500, "y": rng.integers(0, 2, 1000)}
    data["d"] = np.where(np.arange(1000) % 2, 1, data["y"])  # everybody of b is hired
    result = fairstats.audit(data, "d", "g", outcome="y")
    rows = [r for r in result.estimates if r.verdict == "disparity shown"]
    metrics = {r.metric for r in rows}
    assert {"FPR", "TNR"} <= metrics
    twice = {"FNR": "TPR", "TNR": "FPR", "FDR": "PPV", "FOR": "NPV"}
    once = [r for r in rows if twice.get(r.metric) not in metrics]
    assert result.glance()["disparity_shown"].item() == len(once) < len(rows)


@pytest.mark.long
def test_errors_are_findings_of_page_one_only_beside_all_that_it_could_pick() -> None:
    """Three rates beside that of the answer; a fifth of the level where the answer shows nothing."""
    for seed in range(30):
        rng = np.random.default_rng(seed)
        data = {"g": rng.choice(["a", "b"], 400), "d": rng.integers(0, 2, 400), "y": rng.integers(0, 2, 400)}
        result = fairstats.audit(data, "d", "g", outcome="y")
        page, (answer,) = page_one(result), answers(result)
        limit = (0.05 if answer.code == "disparity shown" else 0.01) / 3
        for line in page.lines[1:] if page else ():
            shown = line.gap.verdict == "disparity shown" and line.gap.p_adjusted <= limit
            assert (line.verdict == "disparity shown") == shown == line.shown


@pytest.mark.parametrize(
    ("headline", "words"),
    [
        ({"h": ["a", "b"]}, "headline names the attribute 'h'"),
        ({"g": ["a", "q"]}, "headline names the group 'q'"),
        ({"g": ["a", "a"]}, "headline has the group 'a' twice"),
        ({"g": ["a"]}, "a comparison is of two groups"),
        ("a vs b", "headline has 'a vs b'; it maps one attribute"),
    ],
)
def test_a_focus_that_is_none_is_refused(headline: object, words: str) -> None:
    with pytest.raises(InputError, match=words):
        fairstats.audit(table(**FOUR), "d", "g", headline=headline)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ({"units": "x"}, "labels has 'units'; there is no such entry; did you mean 'unit'"),
        ({"favorable": "were hired"}, "labels has 'favorable' without 'unfavorable'"),
        ({"favorable": "were hired", "unfavorable": "were not"}, "labels has 'favorable' without 'unit'"),
        ({"score": "a risk"}, "labels has 'score' without 'unit'"),
        ({"unit": "people."}, "is no phrase of a sentence"),
        ({"unit": 3}, r"labels\['unit'\] has 3; it must be text"),
        ({"groups": {"h": {"a": "A"}}}, "labels names the attribute 'h'"),
        ({"groups": {"g": {"q": "Q"}}}, "labels names the group 'q'"),
        ({"attributes": "g"}, "it maps each name in the data to words"),
        ("x", "labels has 'x'; it is a mapping"),
    ],
)
def test_words_are_checked_strictly(words: object, text: str) -> None:
    with pytest.raises(InputError, match=text):
        fairstats.audit(table(**FOUR), "d", "g", labels=words)  # type: ignore[arg-type]


def test_audits_of_one_table_share_their_labels() -> None:
    people = pd.DataFrame(table(**FOUR)).assign(h=[*"xy"] * (len(table(**FOUR)["g"]) // 2))
    labels = {
        "unit": "people", "score": "the risk score", "positive": "paid", "negative": "did not pay",
        "attributes": {"g": "kind", "h": "site"}, "groups": {"h": {"x": "North", "y": "South"}},
    }  # fmt: skip
    by_kind, by_site = (fairstats.audit(people, "d", name, labels=labels) for name in "gh")
    assert "North people" in by_site.finding() and "North" not in by_kind.finding()
    assert fairstats.audit(people, "d", "g", strata="h", labels=labels).protocol.strata == "h"
    for data in (people, people.to_dict("list"), fairstats.tally(people, "d", groups=["g", "h"])):
        assert fairstats.audit(data, "d", "g", labels=labels).estimates.column("attribute")
        with pytest.raises(InputError, match="names the attribute 'hh'; there is no such column; did you mean 'h'"):
            fairstats.audit(data, "d", "g", labels={"attributes": {"hh": "site"}})
    with pytest.raises(InputError, match="names the group 'z'; 'h' has no such group"):
        fairstats.audit(people, "d", "h", labels={"groups": {"h": {"z": "East"}}})


SIDES = {"unit": "people", "favorable": "were cleared", "unfavorable": "were flagged"}


@pytest.mark.parametrize("arguments", [{"decision": "d"}, {"score": "s", "threshold": 20}])
def test_words_for_a_decision_need_the_label_that_they_are_said_of(arguments: dict[str, Any], tmp_path: Path) -> None:
    """By default 1 is favorable, which a phrase for the other side would turn round."""
    data = {"g": ["f"] * 30 + ["m"] * 30, "s": list(range(60)), "d": [0] * 20 + [1] * 40}
    with pytest.raises(
        InputError, match=r"'were cleared'.*favorable is absent.*said of the default, 1.*pass favorable=1"
    ):
        fairstats.audit(data, groups="g", labels=SIDES, **arguments)
    answers_of = {**data, "d": ["no"] * 20 + ["yes"] * 40}
    if "decision" in arguments:  # the default as the data have it
        with pytest.raises(InputError, match=r"of the default, yes; pass favorable='yes'"):
            fairstats.audit(answers_of, groups="g", labels=SIDES, **arguments)
    with pytest.raises(InputError, match=r"without 'unfavorable' and 'unit'.*add both, and say by favorable"):
        fairstats.audit(data, groups="g", labels={"favorable": "were cleared"}, **arguments)
    plan = tmp_path / "a.toml"
    declared = "".join(f"{name} = {value!r}\n" for name, value in {"groups": "g", **arguments}.items())
    words = "[labels]\n" + "".join(f'{name} = "{text}"\n' for name, text in SIDES.items())
    plan.write_text(declared + words)
    with pytest.raises(InputError, match="favorable is absent"):
        fairstats.audit(data, protocol=plan)
    counts = fairstats.from_counts({"g": ["f", "m"], "n": [30, 30], "k": [20, 10]}, "g", selected="k", total="n")
    assert "were cleared" in fairstats.audit(counts, labels=SIDES).finding()  # counts of the selected have one side
    for favorable, rate, spared in ((0, "67% (20 of 30)", "were cleared"), (1, "33% (10 of 30)", "were cleared")):
        text = fairstats.audit(data, groups="g", labels=SIDES, favorable=favorable, **arguments).finding()
        if favorable == 0 and "threshold" in arguments:  # the cut flags people: the answer is about who is flagged
            rate, spared = "33% (10 of 30)", "were flagged"
        assert rate in text and spared in text
        plan.write_text(f"favorable = {favorable}\n{declared}{words}")
        assert fairstats.audit(data, protocol=plan).finding() == text


def test_focus_and_words_come_from_a_protocol_file_and_are_saved(tmp_path) -> None:
    path = tmp_path / "audit.toml"
    path.write_text(
        'groups = ["g"]\ndecision = "d"\nfavorable = 1\nheadline = {g = ["c", "a"]}\n[labels]\nunit = "applicants"\n'
        'favorable = "were hired"\n'
        'unfavorable = "were turned down"\n[labels.groups.g]\na = "Young"\nc = "Old"\n'
    )
    result = fairstats.audit(table(**FOUR), protocol=path)
    assert result.finding().startswith("Old applicants were hired less often than Young applicants: 15% (12 of 80)")
    result.save(tmp_path / "a.npz")
    back = fairstats.load(tmp_path / "a.npz")
    assert back.protocol == result.protocol and back.finding() == result.finding()
    with pytest.raises(InputError, match="labels has"):
        fairstats.audit(table(**FOUR), protocol=path, labels={"unit": "people"})


def test_beside_the_answer_stand_the_other_rates_in_their_order_and_no_verdict_stands_alone() -> None:
    """Of a decision and an outcome, the error rates of the same two groups follow, the first of them first."""
    rng = np.random.default_rng(3)
    data = {"g": ["a", "b"] * 200, "d": rng.integers(0, 2, 400), "y": rng.integers(0, 2, 400)}
    result = fairstats.audit(data, decision="d", groups="g", outcome="y")
    page = page_one(result)
    assert page is not None
    text, others = (
        [text for _, text in main_findings(result, page, answers(result))],
        [line for line in page.lines[1:] if line.has_difference],
    )
    assert len(others) > 1
    left = not_settled(result, answers(result))
    nouns = {"FPR": "false positives", "FNR": "false negatives", "PPV": "the share right when selected"}
    for line in others:
        assert (nouns[line.metric] in left) == (line.gap.verdict == "inconclusive"), left
        if line.gap.verdict == "inconclusive":  # whose numbers the table has
            continue
        shares = {f"{100 * one.estimate:.{int(one.n >= 100)}f}" for one in (line.rate, line.other)}
        assert any(shares <= set(re.findall(r"\d+(?:\.\d)?", sentence)) for sentence in text)


def test_the_answer_in_the_words_of_the_protocol() -> None:
    result = fairstats.audit(fairstats.arrests(), "released", "colour", favorable="Yes", labels=WORDS)
    assert headline(result, answers(result)) == (
        "Black arrestees were released less often than White arrestees: 74.1% against 85.8%, a gap of 11.7 percentage "
        "points (95% confidence interval 9.1 to 14.3)."
    )


def test_a_cut_score_is_spoken_of_by_its_noun() -> None:
    rng = np.random.default_rng(4)
    data = {"g": ["a", "b"] * 100, "s": rng.integers(1, 11, 200) + [0, 2] * 100}
    words = {"unit": "defendants", "score": "a risk score", "groups": {"g": {"a": "Old", "b": "Young"}}}
    for favorable, more in ((0, "Young"), (1, "Young")):  # the cut that a score reaches harms, or helps
        audit = fairstats.audit(data, groups="g", score="s", threshold=5, favorable=favorable, labels=words)
        text = headline(audit, answers(audit))
        assert text.startswith(
            f"{more} defendants had a risk score of at least 5 more often than Old defendants: 86.0%"
        )


@pytest.mark.parametrize(
    ("margin", "text"),
    [(0.09, "The whole interval is beyond the margin of ±9.0 points."),
     (0.1, "A difference is shown; that it is beyond the margin of ±10.0 points is not."),
     (0.12, "A difference is shown; that it is beyond the margin of ±12.0 points is not."),
     (0.15, "Equivalence shown.")],
)  # fmt: skip
def test_where_the_interval_lies_beside_the_margin_is_said(margin: float, text: str) -> None:
    arguments = {"decision": "released", "groups": "colour", "favorable": "Yes"}
    result = fairstats.audit(fairstats.arrests(), **arguments, margin={"difference": margin}).finding()
    assert (
        "(90% confidence interval 9.5 to 13.9)" if margin == 0.15 else "(95% confidence interval 9.1 to 14.3)"
    ) in result
    assert text in result
    assert "the margin" not in fairstats.audit(fairstats.arrests(), **arguments).finding()


def test_without_words_columns_and_labels_are_named() -> None:
    result = fairstats.audit(fairstats.arrests(), "released", "colour", favorable="Yes")
    assert headline(result, answers(result)) == (
        "Black people had `released = Yes` less often than White people: 74.1% against 85.8%, a gap of 11.7 percentage "
        "points (95% confidence interval 9.1 to 14.3)."
    )
    some = {**WORDS, "groups": {}}
    people = fairstats.arrests().replace({"colour": {"Black": "dark", "White": "light"}})
    text = fairstats.audit(people, "released", "colour", favorable="Yes", labels=some).finding()
    assert text.startswith(
        'Arrestees whose colour is "dark" were released less often than arrestees whose colour is "light":'
    )


def test_groups_of_a_sex_and_adjectives_of_a_unit_need_no_words() -> None:
    """Of an attribute of sex its labels are men and women; a label that is an adjective stands before the unit."""
    people = fairstats.arrests()
    one = fairstats.audit(people, "released", "sex", favorable="Yes").finding()
    assert one.startswith("Women had `released = Yes` ") or "how often women and men had `released = Yes`" in one
    some = {**WORDS, "groups": {}}
    two = fairstats.audit(people, "released", ["colour", "sex"], favorable="Yes", labels=some).finding()
    assert two.startswith("Black arrestees were released less often than White arrestees:")
    assert "Female" not in two and "women" in two
    pupils = {**some, "unit": "schoolchildren"}  # whose boys and girls are no men and women
    assert '"Female"' in fairstats.audit(people, "released", "sex", favorable="Yes", labels=pupils).finding()
    dirty = people.assign(sex=people.sex.replace({"Female": " Female"}))  # whose blank has to be seen
    assert '" Female"' in fairstats.audit(dirty, "released", "sex", favorable="Yes").finding()


def test_where_nothing_is_shown_the_smallest_difference_that_would_have_been_is_said() -> None:
    result = fairstats.audit(table(a=(60, 100), b=(56, 100)), "d", "g")
    (answer,) = answers(result)
    sides = [-row.estimate if row.term == "below" else row.estimate for row in result.estimates.where(role="power")]
    assert answer.code == "inconclusive" and answer.detectable == tuple(sides)
    below, above = (f"{math.ceil(1000 * side) / 10:.1f}" for side in sides)
    text = (
        f"only a true gap of {below} percentage points or more between people with `g` b and those with a ({above} if "
        "the rate of people with `g` b is the higher one) had a good chance (80%) of being shown."
    )
    assert text in result.finding()
    words = {"unit": "applicants", "favorable": "were hired", "unfavorable": "were not hired"}
    text = fairstats.audit(table(a=(60, 100), b=(56, 100)), "d", "g", favorable=1, labels=words).finding()
    assert text.startswith(
        'No difference is shown in how often applicants whose g is "b" and applicants whose g is "a" were hired: '
    )


def test_without_words_an_answer_begins_with_what_is_shown() -> None:
    unsettled = fairstats.audit(table(a=(60, 100), b=(56, 100)), "d", "g")
    assert headline(unsettled, answers(unsettled)).startswith(
        "No difference is shown in how often people with `g` b and those with a had `d = 1`: 56.0% against 60.0%, 4.0 "
        "percentage points less among people with `g` b (95% confidence interval 17.5 less to 9.7 more)."
    )
    assert unsettled.finding().count("No difference") == 1 and "does not show that the rates are equal" in (
        unsettled.finding()
    )
    same = fairstats.audit(table(a=(600, 1000), b=(598, 1000)), "d", "g", margin={"difference": 0.1})
    assert same.finding().startswith(
        "People with `g` b and those with a had `d = 1` about equally often, within the margin of ±10.0 points: 59.8%"
    )
    assert same.finding().endswith("Equivalence shown.")
    small = fairstats.audit(table(a=(600, 1000), b=(400, 1000)), "d", "g", margin=0.5)
    assert small.finding().startswith(
        "People with `g` b had `d = 1` less often than those with a, within the margin of ±50.0 points: 40.0% against"
    )


def test_every_number_of_page_one_is_a_row_of_the_estimates() -> None:
    data = people(np.random.default_rng(2), 900)
    result = fairstats.audit(data, "d", ["race", "sex"], outcome="y")
    page = page_one(result)
    rows = set(result.estimates)
    is_open = {
        (metric, name)
        for metric in ("FNR", "FPR", "PPV")
        for name in ("race", "sex")
        if {r.verdict for r in rows if (r.metric, r.attribute, r.contrast) == (metric, name, "difference")
            and r.role == "main" and r.verdict} == {"inconclusive"}
    }  # fmt: skip
    called = {"FNR": "false negatives", "FPR": "false positives", "PPV": "the share right when selected"}
    left = not_settled(result, answers(result))
    for metric, error in called.items():
        said = left.partition(f"{error} (")[2].partition(")")[0]
        for one in answers(result):
            pair = [r.estimate for r in rows if (r.metric, r.attribute, r.role) == (metric, one.attribute, "main")
                    and r.contrast == "none" and r.group in (one.group, one.reference) and not r.given]  # fmt: skip
            assert len(pair) == 2
            in_words = all(re.search(rf" {100 * rate:.1f}%[,:]", said) for rate in pair)
            gap = f"{100 * (pair[0] - pair[1]):+.1f}".replace("-", "\N{MINUS SIGN}")
            ways = (f": {about}{sign}{gap[1:]}, " for about in ("", "about ") for sign in "+\N{MINUS SIGN}")
            assert not in_words or any(way in said for way in ways)
            assert in_words == ((metric, one.attribute) in is_open), (left, metric, one.attribute)
    assert page and [line.metric for line in page.lines] == ["selection rate", "FNR", "FPR", "PPV"]
    for line in page.lines:
        assert {line.rate, line.other, line.gap} <= rows
        assert line.row.estimate == pytest.approx(line.rate.estimate - line.other.estimate)
    assert all("%" in text for _, text in main_findings(result, page, answers(result))[:3])


@pytest.mark.parametrize("named", [("f", "m"), ("f",), ()])
def test_groups_are_called_beside_the_answer_as_in_it(named: tuple[str, ...]) -> None:
    data = people(np.random.default_rng(2), 900)
    names = {"f": "female", "m": "male"}
    spoken = {"unit": "people", "favorable": "were hired", "unfavorable": "were held", "positive": "paid"}
    words = {**spoken, "negative": "did not pay", "groups": {"sex": {g: names[g] for g in named}}}
    result = fairstats.audit(data, "d", "sex", outcome="y", favorable=1, labels=words)
    page = page_one(result)
    assert page is not None
    shares = data.groupby(["sex", "y"])["d"].mean().unstack()
    wrong = [f"{100 * shares[0][group]:.1f}%" for group in (page.group, page.reference)]  # hired, and did not pay
    (text,) = (
        one
        for claim, one in main_findings(result, page, answers(result))
        if one.startswith("Of those who did not pay, ")
    )
    if len(named) == 2:
        one, two = names[page.group], f"{names[page.reference]} people"
    elif not named:  # the labels of a sex have words of their own
        one, two = ({"f": "women", "m": "men"}[group] for group in (page.group, page.reference))
    else:
        one, two = (
            f"{names[g]} people" if g in named else f'people whose sex is "{g}"' for g in (page.group, page.reference)
        )
        assert 'whose sex is "' in headline(result, answers(result))
    counts = [
        data.query("y == 0 and sex == @group")["d"].agg(["sum", "size"]) for group in (page.group, page.reference)
    ]
    one, two = (f"{who} ({n['sum']} of {n['size']})" for who, n in zip((one, two), counts, strict=True))
    assert text.startswith(f"Of those who did not pay, {wrong[0]} of {one} and {wrong[1]} of {two} were hired")


def test_the_error_that_harms_stands_first() -> None:
    frame = pd.DataFrame({"g": ["a", "b"] * 60, "y": [0, 0, 1, 1] * 30, "s": np.arange(120) % 7})
    low = fairstats.audit(frame, groups="g", outcome="y", score="s", threshold=3, favorable=0)
    high = fairstats.audit(frame, groups="g", outcome="y", score="s", threshold=3)
    orders = [[line.metric for line in page.lines[1:]] for page in map(page_one, (low, high)) if page]
    assert orders == [["FPR", "FNR", "PPV"], ["FNR", "FPR", "PPV"]]


@pytest.mark.parametrize("family", ["rate", "audit"])
def test_a_pair_that_was_declared_is_one_comparison_of_every_rate(family: str) -> None:
    rng = np.random.default_rng(0)
    g = np.repeat(["a", "b", "c"], 200)
    data = pd.DataFrame({"g": g, "d": rng.random(600) < np.select([g == "a", g == "b"], [0.5, 0.45], 0.6)})
    data["y"] = rng.random(600) < 0.5
    result = fairstats.audit(data, "d", "g", outcome="y", reference="a", headline={"g": ["b", "c"]}, family=family)
    rows = result.estimates.only(role="headline", contrast="difference", status="ok", term="")
    assert len({row.metric for row in rows}) > 1
    for row in rows:
        assert row.conf_level == 0.95 and row.p_adjusted == row.p_value


def test_people_whose_group_is_missing_are_no_group_of_the_largest_gap_and_named_apart_where_they_differ() -> None:
    """Without them all numbers of all groups at once are the same; with them the extreme would be theirs."""
    known = table(a=(500, 1000), b=(300, 1000), c=(480, 1000))
    blank = table(rest=(2, 90)).assign(g=None)
    with_blank, without = (
        fairstats.audit(one, "d", "g", reference="a").estimates.only(metric="selection rate", role="omnibus")
        for one in (pd.concat([known, blank], ignore_index=True), known)
    )
    assert len(with_blank) == 3
    for one, other in zip(with_blank, without, strict=True):
        assert one.changed(reason="") == other.changed(reason="")
        assert "without people whose group is missing" in one.reason and "missing" not in other.reason
    audited = fairstats.audit(pd.concat([known, blank], ignore_index=True), "d", "g", reference="a")
    assert "Of 2 groups compared with a it is the only one shown to differ." in audited.finding()
    assert audited.finding().count("(missing)") == 1
    assert "Beside the named groups, shown to differ from a: (missing) (2%)" in audited.finding()
    two = fairstats.audit(pd.concat([known[known.g != "c"], blank], ignore_index=True), "d", "g")
    assert not two.estimates.only(role="omnibus", metric="selection rate")


def test_page_one_says_of_how_many_the_decision_is_known() -> None:
    data = table(a=(50, 100), b=(30, 100))
    data["d"] = data.d.astype(float).where(np.arange(200) % 40 > 0)
    page = " ".join(text for _, text in texts(fairstats.report(fairstats.audit(data, "d", "g")).html))
    assert "decision known for 195 of 200 (2.5% not known)" in page
    assert "known for" not in " ".join(
        text for _, text in texts(fairstats.report(fairstats.audit(data.dropna(), "d", "g")).html)
    )


def test_of_groups_without_a_name_an_error_is_of_such_people_and_a_margin_is_of_its_attribute() -> None:
    """60% of 400 of a and 30% of 400 of b, as many of both with y; as many of both sexes."""
    decided = [1, 1, 1, 0, 0] * 80 + [1, 0, 0, 1, 0, 0, 1, 0, 0, 0] * 40
    data = pd.DataFrame({"g": ["a"] * 400 + ["b"] * 400, "d": decided})
    data["y"], data["sex"] = np.tile([0, 0, 1, 1], 200), np.tile(["f"] * 20 + ["m"] * 20, 20)
    audit = fairstats.audit(data, "d", ["sex", "g"], outcome="y", margin=0.05, reference={"g": "a"}, favorable=1)
    html = fairstats.report(audit).html
    text = " ".join(re.sub("<[^>]*>", " ", html).split())
    assert "of people with g a" in text
    paragraphs = re.findall(r"<p>(?:<strong>)?(Sex|G)\b(.*?)</p>", html, flags=re.S)
    assert [name for name, rest in paragraphs if "whole interval is beyond the margin" in rest] == ["G"]


def test_where_nothing_is_shown_a_group_of_five_is_not_named_before_those_of_thirty() -> None:
    """The estimate of five people is the largest by chance; among groups of 30 that of c is, 7 points by hand."""
    data = table(a=(150, 300), b=(70, 150), c=(30, 70), small=(4, 5))
    result = fairstats.audit(data, "d", "g", reference="a")
    assert answers(result)[0].code == "inconclusive" and answers(result)[0].group == "c"
    text = result.finding()
    assert "the largest gap among groups of at least 30 people is that of people with `g` c: 43% (30 of 70)" in text
    german = fairstats.report(result, language="de").html
    assert "der größte Abstand unter Gruppen von mindestens 30 Personen ist der von" in german
    for amount in ({}, {"strata": "s"}):
        people = data.assign(pay=np.r_[np.linspace(9, 11, 520), np.full(5, 14.0)], s=np.arange(525) % 2)
        people["pay"] += 2 * np.sin(np.arange(525))
        held = fairstats.audit(people, amount="pay", groups="g", reference="a", **amount)
        assert answers(held)[0].differs or answers(held)[0].group != "small"


def test_a_finding_alone_has_outcomes_and_the_errors_that_are_shown() -> None:
    """Of 500 each; every share is counted from the table here."""
    counts = {
        "a": {(1, 1): 200, (1, 0): 100, (0, 1): 50, (0, 0): 150},
        "b": {(1, 1): 60, (1, 0): 10, (0, 1): 130, (0, 0): 300},
    }
    rows = [(g, d, y) for g, cells in counts.items() for (d, y), n in cells.items() for _ in range(n)]
    data = pd.DataFrame(rows, columns=["g", "d", "y"])
    text = fairstats.audit(data, "d", "g", outcome="y", favorable=1, reference="a").finding()
    assert "50.0% of people with `g` a and 38.0% of those with b had `y = 1`" in text
    assert (
        "68.4% of people with `g` b (130 of 190) and 20.0% of people with `g` a (50 of 250)" in text
    )  # missed of those who had y = 1
    assert (
        "40.0% of people with `g` a (100 of 250) and 3.2% of people with `g` b (10 of 310)" in text
    )  # selected of those who had not
    assert "had `y = 1`" not in fairstats.audit(data, "d", "g").finding()
