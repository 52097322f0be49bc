"""The comparison of page one: which two groups, which family its verdict is of, what its sentences say."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fairstats as fs
from fairstats.auditing.words.answer import answer, context, question, verdict
from fairstats.auditing.words.page_one import page_one
from fairstats.errors import InputError
from fairstats.estimates import Estimates
from fairstats.inference.rates.unconditional import unconditional_test
from tests.auditing.test_words import people, table

WORDS = {
    "unit": "arrestees",
    "favorable": "were released",
    "unfavorable": "were held",
    "groups": {"colour": {"Black": "Black", "White": "White"}},
}
FOUR = {"a": (50, 100), "b": (30, 90), "c": (12, 80), "x": (2, 2), "y": (0, 2)}


def wilson(k: int, n: int, z: float) -> tuple[float, float]:
    p, middle = k / n, (k + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * math.sqrt(k * (n - k) / n + z * z / 4)
    assert middle - half <= p <= middle + half
    return middle - half, middle + half


def newcombe(one: tuple[int, int], two: tuple[int, int], level: float) -> tuple[float, float]:
    """Newcombe (1998), method 10, by hand."""
    from scipy.stats import norm

    z = float(norm.ppf(0.5 + level / 2))
    (l1, u1), (l2, u2) = wilson(*one, z), wilson(*two, z)
    p1, p2 = one[0] / one[1], two[0] / two[1]
    return p1 - p2 - math.hypot(p1 - l1, u2 - p2), p1 - p2 + math.hypot(u1 - p1, p2 - l2)


def test_the_lowest_and_the_highest_rate_of_groups_of_thirty_are_compared_over_all_pairs() -> None:
    result = fs.audit(table(**FOUR), "d", "g")
    (row,) = result.estimates.where(role="focus", term="")
    assert (row.group, row.reference) == ("c", "a")  # x has the highest rate and two people, y the lowest
    pairs = len(list(combinations("abc", 2)))
    assert row.conf_level == pytest.approx(1 - 0.05 / pairs)
    assert (row.conf_low, row.conf_high) == pytest.approx(newcombe((12, 80), (50, 100), 1 - 0.05 / pairs))
    p = float(unconditional_test(12, 80, 50, 100))
    assert row.p_value == pytest.approx(p) and row.p_adjusted == pytest.approx(min(1, pairs * p))


def test_two_groups_are_compared_by_the_row_that_is_there() -> None:
    result = fs.audit(table(a=(10, 20), b=(3, 20)), "d", "g")
    assert not result.estimates.only(role="focus")
    page = page_one(result)
    assert page and (page.group, page.reference) == ("b", "a")
    turned = page_one(fs.audit(table(a=(10, 40), b=(18, 20)), "d", "g"))  # the largest group fares worse
    assert turned and (turned.group, turned.reference) == ("a", "b") and turned.head.turned
    row = turned.head.row
    assert row.estimate == pytest.approx(10 / 40 - 18 / 20) and row.conf_low < row.estimate < row.conf_high < 0


def test_groups_of_a_few_people_are_never_put_first() -> None:
    result = fs.audit(table(a=(50, 100), x=(2, 2), y=(0, 2)), "d", "g")
    assert page_one(result) is None
    assert result.finding() == "No two groups of g have 30 people or more: no comparison of it is put first."


def test_people_without_a_group_are_never_put_first() -> None:
    data = table(a=(50, 100), b=(30, 90), c=(12, 80), gone=(0, 60))
    data.loc[data.g == "gone", "g"] = None
    (row,) = fs.audit(data, "d", "g").estimates.where(role="focus", term="")
    assert (row.group, row.reference) == ("c", "a")


def test_a_declared_pair_is_one_comparison_and_needs_no_other() -> None:
    result = fs.audit(table(**FOUR), "d", "g", reference="a", focus={"g": ["b", "c"]})
    (row,) = result.estimates.where(role="focus", term="")
    assert {row.group, row.reference} == {"b", "c"} and row.conf_level == 0.95
    assert row.p_adjusted == row.p_value
    assert "the protocol names this comparison; it is a family of its own" in result.finding()
    with_reference = fs.audit(table(**FOUR), "d", "g", reference="a", focus={"g": ["c", "a"]})
    assert not with_reference.estimates.only(role="focus")
    page = page_one(with_reference)
    assert page and (page.group, page.reference) == ("c", "a") and page.head.gap.role == "main"
    assert "the verdicts are those of the 4 comparisons with a, adjusted by Holm" in page.picked


def test_the_rows_of_page_one_change_no_other_row() -> None:
    rng = np.random.default_rng(1)
    data = people(rng, 600)
    for family in ("rate", "audit"):
        one = fs.audit(data, "d", ["race", "sex"], family=family).estimates
        other = fs.audit(data, "d", ["sex", "race"], family=family).estimates
        for attribute in ("race", "sex"):
            kept = [[r for r in rows.where(attribute=attribute) if r.role != "focus"] for rows in (one, other)]
            assert repr(kept[0]) == repr(kept[1])
    assert {r.attribute for r in one.where(role="focus")} == {"race"}


@pytest.mark.parametrize(
    ("focus", "words"),
    [
        ({"h": ["a", "b"]}, "focus names the attribute 'h'"),
        ({"g": ["a", "q"]}, "focus names the group 'q'"),
        ({"g": ["a", "a"]}, "focus has the group 'a' twice"),
        ({"g": ["a"]}, "a comparison is of two groups"),
        ("a vs b", "focus has 'a vs b'; it maps one attribute"),
    ],
)
def test_a_focus_that_is_none_is_refused(focus: object, words: str) -> None:
    with pytest.raises(InputError, match=words):
        fs.audit(table(**FOUR), "d", "g", focus=focus)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"units": "x"}, "words has 'units'; there is no such entry; did you mean 'unit'"),
        ({"favorable": "were hired"}, "words has 'favorable' without 'unfavorable'"),
        ({"favorable": "were hired", "unfavorable": "were not"}, "words has 'favorable' without 'unit'"),
        ({"score": "a risk"}, "words has 'score' without 'unit'"),
        ({"unit": "people."}, "is no phrase of a sentence"),
        ({"unit": 3}, r"words\['unit'\] has 3; it must be text"),
        ({"groups": {"h": {"a": "A"}}}, "words names the attribute 'h'"),
        ({"groups": {"g": {"q": "Q"}}}, "words names the group 'q'"),
        ({"attributes": "g"}, "it maps each name in the data to words"),
        ("x", "words has 'x'; it is a mapping"),
    ],
)
def test_words_are_judged_strictly(words: object, said: str) -> None:
    with pytest.raises(InputError, match=said):
        fs.audit(table(**FOUR), "d", "g", words=words)  # type: ignore[arg-type]


SIDES = {"unit": "people", "favorable": "were cleared", "unfavorable": "were flagged"}


@pytest.mark.parametrize("asked", [{"decision": "d"}, {"score": "s", "threshold": 20}])
def test_words_for_a_decision_need_the_label_that_they_are_said_of(asked: dict[str, Any], tmp_path: Path) -> None:
    """By default 1 is favorable, which a phrase for the other side would turn round."""
    data = {"g": ["f"] * 30 + ["m"] * 30, "s": list(range(60)), "d": [0] * 20 + [1] * 40}
    with pytest.raises(
        InputError, match=r"'were cleared'.*favorable is absent.*said of the default, 1.*pass favorable=1"
    ):
        fs.audit(data, groups="g", words=SIDES, **asked)
    plan = tmp_path / "a.toml"
    plan.write_text("[words]\n" + "".join(f'{name} = "{text}"\n' for name, text in SIDES.items()))
    with pytest.raises(InputError, match="favorable is absent"):
        fs.audit(data, groups="g", protocol=plan, **asked)
    for favorable, rate in ((0, "66.7 % (20 of 30)"), (1, "33.3 % (10 of 30)")):
        assert rate in fs.audit(data, groups="g", words=SIDES, favorable=favorable, **asked).finding()
        assert fs.audit(data, groups="g", protocol=plan, favorable=favorable, **asked).finding().count("were cleared")


def test_focus_and_words_come_from_a_protocol_file_and_are_saved(tmp_path) -> None:
    path = tmp_path / "audit.toml"
    path.write_text(
        'groups = ["g"]\ndecision = "d"\nfavorable = 1\nfocus = {g = ["c", "a"]}\n[words]\nunit = "applicants"\n'
        'favorable = "were hired"\n'
        'unfavorable = "were turned down"\n[words.groups.g]\na = "Young"\nc = "Old"\n'
    )
    result = fs.audit(table(**FOUR), protocol=path)
    assert result.finding().startswith("Old applicants were hired less often than Young applicants: 15.0 % (12 of 80)")
    result.save(tmp_path / "a.npz")
    back = fs.load(tmp_path / "a.npz")
    assert back.protocol == result.protocol and back.finding() == result.finding()
    with pytest.raises(InputError, match="words has"):
        fs.audit(table(**FOUR), protocol=path, words={"unit": "people"})


def test_beside_the_answer_stand_the_other_rates_in_their_order_and_no_verdict_stands_alone() -> None:
    """Of a decision and an outcome, the error rates of the same two groups follow, the first of them first."""
    rng = np.random.default_rng(3)
    data = {"g": ["a", "b"] * 200, "d": rng.integers(0, 2, 400), "y": rng.integers(0, 2, 400)}
    result = fs.audit(data, decision="d", groups="g", outcome="y")
    page = page_one(result)
    assert page is not None
    said, others = context(result, page), [line for line in page.lines[1:] if line.known]
    assert len(said) == min(3, len(others)) > 1
    for sentence, line in zip(said, others, strict=False):
        assert {f"{100 * one.estimate:.0f}" for one in (line.own, line.other)} <= set(re.findall(r"\d+", sentence))
    assert verdict(None) == ""


def test_the_answer_in_the_words_of_the_protocol() -> None:
    result = fs.audit(fs.arrests(), "released", "colour", favorable="Yes", words=WORDS)
    page = page_one(result)
    assert page and question(result, page) == "Were arrestees released equally often, whatever their colour?"
    assert answer(result, page) == (
        "Black arrestees were released less often than White arrestees: 74.1 % (955 of 1,288) against 85.8 % (3,379 of "
        "3,938), 11.7 percentage points less (95 % confidence interval 9.1 to 14.3)."
    )


def test_a_cut_score_is_spoken_of_by_its_noun() -> None:
    rng = np.random.default_rng(4)
    data = {"g": ["a", "b"] * 100, "s": rng.integers(1, 11, 200) + [0, 2] * 100}
    words = {"unit": "defendants", "score": "a risk score", "groups": {"g": {"a": "Old", "b": "Young"}}}
    for favorable, asked, said in ((0, "below 5", "below 5"), (1, "of at least 5", "of at least 5")):
        made = fs.audit(data, groups="g", score="s", threshold=5, favorable=favorable, words=words)
        page = page_one(made)
        assert f"defendants had a risk score {said} " in answer(made, page)
        assert page and question(made, page).startswith(
            "Is it equally frequent in every group of g that defendants had"
        )
        assert f"had a risk score {asked}" in question(made, page)


@pytest.mark.parametrize(
    ("margin", "said"),
    [(0.09, "The whole interval is beyond the declared margin of ±9.0 points."),
     (0.1, "A difference is shown; that it is beyond the declared margin of ±10.0 points is not."),
     (0.12, "A difference is shown; that it is beyond the declared margin of ±12.0 points is not."),
     (0.15, "Equivalence shown, within the declared margin.")],
)  # fmt: skip
def test_where_the_interval_lies_beside_the_margin_is_said(margin: float, said: str) -> None:
    asked = {"decision": "released", "groups": "colour", "favorable": "Yes"}
    found = fs.audit(fs.arrests(), **asked, equivalence={"difference": margin}).finding()
    assert "interval 9.1 to 14.3" in found
    assert found.endswith(said)
    assert "declared margin" not in fs.audit(fs.arrests(), **asked).finding()


def test_without_words_columns_and_labels_are_named() -> None:
    result = fs.audit(fs.arrests(), "released", "colour", favorable="Yes")
    assert answer(result, page_one(result)) == (
        "released = Yes is less frequent where colour = Black than where colour = White: 74.1 % (955 of 1,288) against "
        "85.8 % (3,379 of 3,938), 11.7 percentage points less (95 % confidence interval 9.1 to 14.3)."
    )
    some = {**WORDS, "groups": {}}
    said = fs.audit(fs.arrests(), "released", "colour", favorable="Yes", words=some).finding()
    assert said.startswith(
        'Arrestees whose colour is "Black" were released less often than arrestees whose colour is "White":'
    )


def test_where_nothing_is_shown_the_smallest_difference_that_would_have_been_is_said() -> None:
    result = fs.audit(table(a=(60, 100), b=(56, 100)), "d", "g")
    page = page_one(result)
    assert page and page.head.gap.verdict == "inconclusive"
    (power,) = result.estimates.where(role="power", term="below")
    assert page.detectable == -power.estimate
    assert f"a true difference of {-100 * power.estimate:.1f} percentage points would have been" in result.finding()
    words = {"unit": "applicants", "favorable": "were hired", "unfavorable": "were not hired"}
    said = fs.audit(table(a=(60, 100), b=(56, 100)), "d", "g", favorable=1, words=words).finding()
    assert said.startswith(
        'No difference is shown in how often applicants whose g is "b" and applicants whose g is "a" were hired: '
    )


def test_without_words_an_answer_begins_with_what_is_shown() -> None:
    unsettled = fs.audit(table(a=(60, 100), b=(56, 100)), "d", "g")
    assert answer(unsettled, page_one(unsettled)).startswith(
        "No difference is shown between g = b and g = a in d = 1: 56.0 % (56 of 100) against 60.0 % "
        "(60 of 100), 4.0 percentage points less (95 % confidence interval "
    )
    assert unsettled.finding().count("No difference is shown") == 1
    same = fs.audit(table(a=(600, 1000), b=(598, 1000)), "d", "g", equivalence={"difference": 0.1})
    said = answer(same, page_one(same))
    assert said.startswith(
        "d = 1 is about equally frequent where g = b and where g = a, within the declared margin: 59.8 % (598 of "
    )
    assert same.finding().endswith("Equivalence shown, within the declared margin.")


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("known", [("below", "above"), ("below",), ("above",), ()])
def test_the_smallest_difference_is_that_of_the_side_on_which_the_other_group_is(
    turned: bool, known: tuple[str, ...]
) -> None:
    """Nearer to 0 % a group can be shown to differ by less than it can above: the other side stands in where it must.

    The row is of the other group less the reference; it is turned where the reference is the one that fares worse.
    """
    result = fs.audit(table(a=(30, 300), b=(24 if turned else 18, 200)), "d", "g")
    sides = {r.term: r.estimate for r in result.estimates.where(role="power")}
    assert set(sides) == {"below", "above"} and sides["below"] < 0 < sides["above"] != -sides["below"]
    left = [row for row in result.estimates if row.role != "power" or row.term in known]
    page = page_one(replace(result, estimates=Estimates(left)))
    assert page and page.head.turned == turned
    order = [side for side in (("above", "below") if turned else ("below", "above")) if side in known]
    assert page.detectable == pytest.approx(abs(sides[order[0]]) if order else math.nan, nan_ok=True)


def test_every_number_of_page_one_is_a_row_of_the_estimates() -> None:
    data = people(np.random.default_rng(2), 900)
    result = fs.audit(data, "d", ["race", "sex"], outcome="y")
    page = page_one(result)
    rows = set(result.estimates)
    assert page and [line.metric for line in page.lines] == ["selection rate", "FNR", "FPR", "PPV"]
    for line in page.lines:
        assert {line.own, line.other, line.gap} <= rows
        assert line.row.estimate == pytest.approx(line.own.estimate - line.other.estimate)
    assert all("100" in said for said in context(result, page))


@pytest.mark.parametrize("named", [("f", "m"), ("f",), ()])
def test_groups_are_called_beside_the_answer_as_in_it(named: tuple[str, ...]) -> None:
    data = people(np.random.default_rng(2), 900)
    names = {"f": "female", "m": "male"}
    spoken = {"unit": "people", "favorable": "were hired", "unfavorable": "were held", "positive": "paid"}
    words = {**spoken, "negative": "did not pay", "groups": {"sex": {g: names[g] for g in named}}}
    result = fs.audit(data, "d", "sex", outcome="y", favorable=1, words=words)
    page = page_one(result)
    assert page is not None
    shares = data.groupby(["sex", "y"])["d"].mean().unstack()
    wrong = [round(100 * shares[0][group]) for group in (page.group, page.reference)]  # hired, and did not pay
    (said,) = (one for one in context(result, page) if one.startswith("Of those who did not pay"))
    if len(named) == 2:
        one, two = names[page.group], f"{names[page.reference]} people"
    else:
        one, two = (f"({names[g].capitalize() if g in named else g})" for g in (page.group, page.reference))
        assert 'whose sex is "' in answer(result, page)
    assert said.startswith(f"Of those who did not pay, {wrong[0]} of 100 {one} and {wrong[1]} of 100 {two} were hired")


def test_the_error_that_harms_stands_first() -> None:
    frame = pd.DataFrame({"g": ["a", "b"] * 60, "y": [0, 0, 1, 1] * 30, "s": np.arange(120) % 7})
    low = fs.audit(frame, groups="g", outcome="y", score="s", threshold=3, favorable=0)
    high = fs.audit(frame, groups="g", outcome="y", score="s", threshold=3)
    orders = [[line.metric for line in page.lines[1:]] for page in map(page_one, (low, high)) if page]
    assert orders == [["FPR", "FNR", "PPV"], ["FNR", "FPR", "PPV"]]


@pytest.mark.parametrize("family", ["rate", "audit"])
def test_a_pair_that_was_declared_is_one_comparison_of_every_rate(family: str) -> None:
    rng = np.random.default_rng(0)
    g = np.repeat(["a", "b", "c"], 200)
    data = pd.DataFrame({"g": g, "d": rng.random(600) < np.select([g == "a", g == "b"], [0.5, 0.45], 0.6)})
    data["y"] = rng.random(600) < 0.5
    result = fs.audit(data, "d", "g", outcome="y", reference="a", focus={"g": ["b", "c"]}, family=family)
    rows = result.estimates.only(role="focus", contrast="difference", status="ok", term="")
    assert len({row.metric for row in rows}) > 1
    for row in rows:
        assert row.conf_level == 0.95 and row.p_adjusted == row.p_value
