"""Page one of a search for subgroups: how many are flagged, the farthest, what a flag promises, at which level."""

from __future__ import annotations

from html import unescape

import numpy as np
import pandas as pd
import pytest

import fairstats
from benchmarks import gallery
from fairstats.auditing.subgroups import ONE, follows
from fairstats.language import says
from fairstats.reporting.sections.other import subgroup_table, subgroups_picture
from tests.reporting.test_page_one import page


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    rng = np.random.default_rng(4)
    result = pd.DataFrame({"sex": rng.choice(["f", "m"], 900), "age": rng.choice(["old", "young"], 900)})
    result["paid"] = (rng.random(900) < 0.5).astype(int)
    result["lent"] = (rng.random(900) < np.where((result.sex == "f") & (result.age == "old"), 0.2, 0.7)).astype(int)
    return result


def test_the_answer_counts_flags_and_names_the_farthest_with_its_people(people: pd.DataFrame) -> None:
    result = fairstats.subgroup_scan(
        people, "lent", ["sex", "age"], outcome="paid", metric="TPR", margin=0.04, favorable=1
    )
    built = page(result)
    paid = people[people.paid == 1]
    flagged, checked, overall = len(result.flagged()), len(result.tested()), 100 * paid.lent.mean()
    low = sum(row.estimate < 0 for row in result.flagged())
    assert f"{low} below it and {flagged - low} above. " in built["sentence"]
    assert flagged and built["who"].startswith(f"{len(paid)} people · ")
    assert (
        built["question"]
        == "Which subgroups by sex and age have a true positive rate that differs from the overall one?"
    )
    start = f"{flagged} of {checked} overlapping subgroups are flagged: their true positive rate is more than 4.0"
    assert built["sentence"].startswith(f"{start} percentage points from the overall {overall:.1f}%, {low} below ")
    text = fairstats.report(result).html
    assert "fairstats.subgroup_scan(data, " in text and "Versions" in text
    first = paid[(paid.sex == "f") & (paid.age == "old")]
    assert f"{100 * first.lent.mean():.1f}% of {len(first)} women with `age = old`, " in built["sentence"]
    reported = " ".join(built["context"])
    assert (
        "True positive rate: of people with paid = 1, the share with lent = 1." in reported
        and "Of 100 flags of such searches at most 5" in reported
    )
    assert "The positive outcome is" not in reported  # the definition has said it
    for side, sign in (("above", 1), ("below", -1)):  # the first of either side is named
        rows = [row for row in result.tested() if row.verdict == "flagged" and sign * row.estimate > 0]
        assert (f"Farthest {side}: " in built["sentence"]) == bool(rows)
        if rows:
            low, high = sorted(100 * sign * end for end in (rows[0].conf_low, rows[0].conf_high))
            way = {1: "higher", -1: "lower"}[sign]
            gap = f", {100 * sign * rows[0].estimate:.1f} points {way} (95% CI {low:.1f} to {high:.1f})."
            assert gap in built["sentence"]
    row = result.tested()[0]
    (drawn,) = built["figures"]
    assert "Lines: 95% CI, adjusted. Gray: up to 4.0 points" in drawn.caption and row.conf_level > 0.95
    assert (
        any("Whether the outcome (`paid`) is the right measure for this use" in wording for wording in built["unshown"])
        and not built["next"]
    )
    assert fairstats.report(result).title == "True positive rate of subgroups by sex and age"


def test_page_one_says_how_many_have_no_verdict_and_why(people: pd.DataFrame) -> None:
    result = fairstats.subgroup_scan(people, "lent", ["sex", "age"], min_n=300, favorable=1)
    left = sum(row.status != "ok" for row in result.estimates)
    assert left and f"Further subgroups, not tested: {left} of fewer than 300 people." in page(result)["context"]


def test_where_none_is_flagged_page_one_says_so_and_what_the_rate_is(people: pd.DataFrame) -> None:
    result = fairstats.subgroup_scan(people, outcome="paid", groups=["sex", "age"], metric="base rate")
    assert not len(result.flagged())
    text = page(result)
    wording = f"None of {len(result.tested())} subgroups is flagged as differing from the overall base rate of"
    assert text["sentence"] == f"{wording} {100 * people.paid.mean():.1f}%."
    assert text["context"][0] == "Base rate: the share of all people with paid = 1."
    plain = page(fairstats.subgroup_scan(people, "lent", "sex", favorable=1))
    assert (
        f"share of people recorded as `lent = 1` differs from the overall {100 * people.lent.mean():.1f}%, "
        in plain["sentence"]
    )
    assert not any("taken as recorded" in wording for wording in plain["unshown"])


def test_a_flagged_row_whose_limits_include_zero_says_so_and_what_is_favorable_comes_before_the_errors() -> None:
    rng = np.random.default_rng(10)
    data = {name: rng.choice(list("abc"), 1500) for name in ("g", "h", "i")}
    chance = 0.4 - 0.15 * (data["g"] == "a") + 0.11 * (data["h"] == "b") * (data["g"] == "b")
    built = fairstats.subgroup_scan(data | {"d": (rng.random(1500) < chance).astype(int)}, "d", list(data))
    lines = subgroup_table(built).rows
    assert [row.estimate for row in built.tested()] != sorted(row.estimate for row in built.tested())
    for row, line in zip(sorted(built.tested(), key=lambda row: row.estimate), lines, strict=True):
        within = row.conf_low <= 0 <= row.conf_high
        flagged = row.verdict == "flagged"
        remains = "weak" if within else "flagged"
        assert line[-1] == (("follows" if row.reason else remains) if flagged else "not flagged")
    assert any(line[-1] == "weak" for line in lines)
    assert subgroup_table(built).note.startswith("Weak: flagged, while the limits")
    assert subgroup_table(built).note.endswith("The lowest first.")  # as in the picture
    context = page(built)["context"]
    (reached,) = [row for row in built.flagged() if row.conf_low <= 0 <= row.conf_high and not row.reason]
    assert (reached.attribute, reached.group) == ("i", "a")
    assert " 1 of these flags is weak. " in page(built)["sentence"]
    assert any(
        "Weak flag: people with `i = a`. The p-value is small enough for a flag, but the limits" in text
        for text in context
    )
    assert context[0] == "Selection rate: the share of all people with d = 1."  # which is said once
    assert (
        "Searched: single attributes and combinations of up to 2 of the 3 attributes, of 10 people or more." in context
    )
    assert not any(text.startswith("The favorable decision is ") for text in context)


def test_methods_of_a_search_stand_in_the_appendix_and_its_picture_is_in_order() -> None:
    (built,) = gallery.subgroups()
    html = fairstats.report(built).html
    first, _, appendix = html.partition('id="methods"')
    assert "exact confidence distributions" in appendix and "exact confidence distributions" not in first
    assert "p-values: Benjamini-Hochberg, a false discovery rate of 5%." in unescape(appendix)
    assert "Benjamini, Y. and Hochberg, Y. (1995)" in appendix
    other = fairstats.subgroup_scan(fairstats.arrests(), "released", "colour", favorable="Yes", p_adjust="by")
    assert "Benjamini, Y. and Yekutieli, D. (2001)" in fairstats.report(other).html
    assert "their share of people recorded as “released” differs from the overall 82.9%" in first
    assert "377 Black unemployed people" in first and "325 employed women" in first and "work =" not in first
    alt = subgroups_picture("p", built, 12).alt
    below = [
        alt.index(f"{name} against everybody: ")
        for name in ("Black, unemployed", "White, unemployed", "Women, employed")
    ]
    assert below == sorted(below)  # −22, −10 and +10 points


def test_of_scores_it_names_those_whose_scores_are_farthest_from_their_outcomes(people: pd.DataFrame) -> None:
    rng = np.random.default_rng(8)
    risk = rng.beta(2, 3, len(people)).round(2)
    wrong = (people.sex == "f") & (people.age == "old")
    scored = people.assign(risk=risk, ill=(rng.random(len(people)) < np.where(wrong, risk / 3, risk)).astype(int))
    options = {"score": "risk", "outcome": "ill", "groups": ["sex", "age"], "bands": 1}
    result = fairstats.subgroup_scan(scored, **options)
    built, first = page(result), result.tested()[0]
    part = scored[wrong]
    assert built["question"] == "For which subgroups by sex and age are the scores not right?"
    start = f"{len(result.flagged())} of 8 overlapping subgroups are flagged: their scores are not right. "
    assert built["sentence"].startswith(start)
    shares = f"a mean score of {100 * part.risk.mean():.1f}% where {100 * part.ill.mean():.1f}% of {len(part)} have the"
    assert f"Farthest above their outcomes: women with `age = old`, {shares} outcome." in built["sentence"]
    reported = " ".join(built["context"])
    assert f"a mean residual of −{-100 * first.estimate:.1f} percentage points (95% confidence interval" in reported
    assert "Mean residual: the share of people with the outcome less their mean score." in reported
    assert "do not have the chances that its scores say" in reported
    lines = subgroup_table(result).rows
    assert [f"{100 * x:.1f}" for x in (part.ill.mean(), part.risk.mean())] == list(lines[0][2:4])
    report = fairstats.report(result)
    assert report.title == "Scores and outcomes of subgroups by sex and age"
    german = fairstats.report(result, language="de").html
    assert "Ihre Scores stimmen nicht" in german and "mittleres Residuum von" in german
    margin = page(fairstats.subgroup_scan(scored, **options, margin=0.02))["sentence"]
    assert "their scores are wrong by more than 2.0 percentage points." in margin
    right = page(fairstats.subgroup_scan(scored.assign(ill=(rng.random(900) < risk).astype(int)), **options))
    assert right["sentence"] == "None of 8 subgroups is flagged as having wrong scores."


def test_flags_that_remain_are_counted_and_drawn_first() -> None:
    rng, n = np.random.default_rng(3), 8000
    data = pd.DataFrame({name: rng.choice(list("abcd"), n) for name in ("q", "w", "e", "t")})
    share = 0.5 + 0.18 * (data.q == "a") - 0.18 * (data.w == "b") + 0.15 * (data.e == "c") - 0.15 * (data.t == "d")
    data["y"] = (rng.random(n) < share).astype(int)
    result = fairstats.subgroup_scan(data, decision="y", groups=["q", "w", "e", "t"])
    remaining = [row for row in result.flagged() if not follows(row)]
    said = sum(says(line, ONE) for line in result.statements)
    assert 5 == said < len(remaining) < len(result.flagged())
    assert (more := f"And {len(remaining) - said} more of these.") in result.statements
    assert more not in page(result)["context"]  # which has the names of all
    drawn = subgroups_picture("page-one", result, len(remaining) + 2)
    assert "first the flags that remain" in drawn.caption
    assert all(f"{side} = " in drawn.alt for row in remaining for side in row.attribute.split(":"))
    assert all(" ".join(f"{100 * row.estimate:.1f} points".replace("-", "−").split()) in drawn.alt for row in remaining)
