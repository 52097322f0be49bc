"""Page one of an audit as a compliance officer reads it: the law, who answers for it, what is to be decided."""

from __future__ import annotations

import re
import zipfile
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.auditing.sentences import times_as
from fairstats.errors import InputError
from tests.auditing.test_words import table
from tests.reporting.test_page_one import lines, page

WORDS: dict[str, Any] = {
    "unit": "applicants",
    "favorable": "were hired",
    "unfavorable": "were refused",
    "positive": "stayed",
    "negative": "left",
    "attributes": {"g": "Race"},
    "groups": {"g": {"a": "White", "b": "Black"}},
}
ABOUT = {
    "system": "Screener",
    "version": "2.1",
    "vendor": "Acme",
    "period": "2025",
    "jurisdiction": "Ohio",
    "intended_use": "ranks applicants for an interview",
    "prepared_by": "A. Lee, analyst",
    "next_review": "2027-01-31",
}
FIFTHS = ("four fifths", "four-fifths", "1607", "0.80", "0.8 to 1.25")


def hired(a: int = 600, b: int = 300, **arguments: Any) -> fairstats.Audit:
    data = table(a=(a, 1000), b=(b, 1000))
    return fairstats.audit(data, "d", "g", favorable=1, reference="a", labels=WORDS, **arguments)


def text(html: str) -> str:
    return " ".join(unescape(re.sub(r"<svg.*?</svg>|<[^>]*>", " ", html[html.index("<main") :], flags=re.S)).split())


def test_four_fifths_is_spoken_of_only_where_the_law_of_employment_asks() -> None:
    silent, employment, credit = (text(fairstats.report(hired(law=law)).html) for law in (None, "employment", "credit"))
    assert not any(word in silent.lower() for word in FIFTHS) and "Ratio of the selection rate" in silent
    assert "at 0.50 of the rate of White applicants, the highest (30.0% against 60.0%): below four fifths" in employment
    assert "29 CFR 1607.4(D)" in employment and "29 CFR 1607.15(A)(2)(a)" in employment
    assert (
        "Whether the law on credit (12 CFR 1002) was kept: not tested. Grounds other than" in credit
        and "was kept: not tested" not in silent + employment
        and "below 0.80" not in credit
        and "to 0.8" not in credit
    )
    row = hired(law="credit").estimates.only(metric="selection rate", contrast="ratio", group="b")[0]
    line = f"Black 0.50 ({row.conf_low:.2f} to {row.conf_high:.2f})"
    assert f"Ratios to White (95% intervals): {line}." in credit and "Ratio of the selection rate" not in credit
    assert "Below 0.8" not in hired().summary() and "Below 0.8: Black." in " ".join(
        hired(law="employment").summary().split()
    )


def test_a_preset_of_the_law_of_employment_implies_it_and_contradicts_another() -> None:
    assert "below four fifths (0.80) in these data; the difference is beyond chance." in text(
        fairstats.report(hired(), preset="four_fifths").html
    )
    with pytest.raises(InputError, match="the protocol has law='credit'"):
        _ = fairstats.report(hired(law="credit"), preset="four_fifths").html


def test_the_scorecard_has_ratios_under_a_law_and_the_highest_is_1() -> None:
    assert lines(page(hired(law="credit"))["card"])["Black"][4:6] == ["lower, beyond chance", "0.50"]  # of the gap
    assert lines(page(hired(law="credit"))["card"])["White (reference)"][4:6] == ["", "1.00"]
    assert "impact ratio" not in [heading.label for heading in page(hired())["card"].headings]


def test_where_the_highest_group_may_be_withheld_no_ratio_and_no_highest_is_named() -> None:
    data = table(White=(120, 200), Black=(40, 80), Asian=(14, 16), Other=(7, 9), Latino=(30, 60))
    built = page(fairstats.audit(data, "d", "g", min_n=20, law="employment"))
    assert built["sentence"] == "Impact ratio withheld: the highest group may be a withheld one."
    assert "Impact ratio withheld" in built["card"].note and "1.00" not in str(built["card"].rows)
    assert lines(built["card"])["Asian"][-2] == "withheld"


def test_what_the_system_is_and_who_answers_stands_wherever_a_reader_looks(tmp_path: Path) -> None:
    result = hired(about=ABOUT)
    assert page(result)["who"].startswith(
        "Audit of 2,000 applicants · version 2.1 · Ohio · use: ranks applicants for an interview · period: 2025 "
        "· law: none declared · prepared by A. Lee, analyst · "
    )
    fairstats.report(result, to=[tmp_path / f"a.{ending}" for ending in ("html", "md", "docx")])
    written = text((tmp_path / "a.html").read_text())
    assert all(
        f"{name} {ABOUT[key]}" in written for name, key in (("Vendor", "vendor"), ("Jurisdiction", "jurisdiction"))
    )
    signed = "Prepared by (name and role): A. Lee, analyst Signature and date: Reviewed by (name and role):"
    assert signed in written and "Next review: 2027-01-31" in written
    plain = (tmp_path / "a.md").read_text()
    assert "Prepared by (name and role): A. Lee, analyst" in plain and plain.count("- ☐ ") == 3
    word = zipfile.ZipFile(tmp_path / "a.docx").read("word/document.xml").decode()
    assert word.count("☐") == 3 and "Approved by (name and role): ____" in word


def test_what_describes_an_audit_changes_no_number() -> None:
    described = hired(about=ABOUT, law="employment", action_plan=True)
    assert described.estimates.to_records() == hired().estimates.to_records()


@pytest.mark.parametrize(
    ("about", "words"),
    [
        ({"sytem": "x"}, "did you mean 'system'.*The entries are system, version, vendor"),
        ({"version": 2.1}, r"about\['version'\] has 2.1; it must be text"),
        ("Screener", "it is a mapping of system"),
    ],
)
def test_an_entry_that_there_is_not_is_an_error_that_lists_them(about: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        hired(about=about)


def test_the_plan_has_a_line_an_issue_and_blanks_for_who_and_until_when() -> None:
    assert page(hired())["actions"] is None
    plan = page(hired(action_plan=True, law="credit", margin=0.05))["actions"]
    assert [heading.label for heading in plan.headings] == ["issue", "evidence", "suggested question", "owner", "due"]
    (row,) = plan.rows
    assert row[:2] == ("Gap, Black", "−30.0 points, beyond margin")
    assert row[2:] == ("Which criteria make it? Is each needed?", "______", "______")
    assert page(hired(600, 590, action_plan=True))["actions"].rows[0][0] == "No difference shown"
    equal = table(a=(3000, 5000), b=(2396, 4000))
    result = fairstats.audit(equal, "d", "g", reference="a", margin=0.05, action_plan=True)
    assert page(result)["actions"].rows[0][0] == "Every gap within the margin"


def test_the_plan_names_errors_and_groups_of_few_people() -> None:
    rng = np.random.default_rng(7)
    n = 6000
    data = pd.DataFrame({"g": rng.choice(["a", "b", "c"], n, p=[0.6, 0.395, 0.005]), "y": rng.integers(0, 2, n)})
    data["d"] = (rng.random(n) < np.where(data.y == 1, 0.7, np.where(data.g == "b", 0.5, 0.2))).astype(int)
    plan = page(fairstats.audit(data, "d", "g", outcome="y", reference="a", action_plan=True))["actions"]
    issues = [row[0] for row in plan.rows]
    assert issues[0] == "Gap, b" and "More false positives" in issues and issues[-1] == "Small groups"
    assert f"c ({(data.g == 'c').sum()})" in plan.rows[-1][1]


@pytest.mark.parametrize(
    ("a", "b", "wording"),
    [
        (600, 290, "White applicants were hired about 2.1 times as often as Black applicants: 60.0% against 29.0%."),
        (600, 330, "White applicants were hired about 1.8 times as often as Black applicants: 60.0% against 33.0%."),
        (600, 500, "Black applicants were hired less often than White applicants: 50.0% against 60.0%."),
        (150, 600, "Black applicants were hired about four times as often as White applicants: 60.0% against 15.0%."),
    ],
)
def test_the_headline_says_how_large_a_difference_is_and_the_gap_stands_below(a: int, b: int, wording: str) -> None:
    built = page(hired(a, b))
    assert built["sentence"] == wording
    assert re.match(r"A gap of \d+\.0 percentage points \(95% interval ", built["context"][0])
    assert hired(a, b).finding().startswith(wording[:-1] + ", a gap of ")


def test_times_are_rounded_so_that_the_word_before_them_is_true() -> None:
    for ratio in np.linspace(1.0, 12, 2201):
        words = times_as(0.05 * ratio, 0.05)
        if not words:
            assert ratio < 1.85
            continue
        small = dict(
            zip(("twice", "three", "four", "five", "six", "seven", "eight", "nine"), range(2, 10), strict=True)
        )
        said = next((value for word, value in small.items() if word in words), None)
        gap = ratio - (said or float(re.search(r"[\d.]+", words)[0]))
        near = abs(gap) <= (0.05 if ratio < 9.849 else 0.5) + 1e-9
        assert words.startswith("about") == near or abs(abs(gap) - 0.05) < 1e-6
        assert not words.startswith("almost") or -0.16 < gap < 0


def test_findings_say_people_intervals_and_what_cannot_be_equal_at_once() -> None:
    """A score whose flags are as right in both groups, of which one has more outcomes: errors differ by arithmetic."""
    rng = np.random.default_rng(2)
    n = 8000
    data = pd.DataFrame({"g": rng.choice(["a", "b"], n)})
    data["p"] = np.clip(rng.beta(2, 3, n) + 0.15 * (data.g == "b"), 0, 1)
    data["y"] = (rng.random(n) < data.p).astype(int)
    words = WORDS | {"unit": "defendants", "favorable": "were rated low risk", "unfavorable": "were rated high risk"}
    words |= {"positive": "were rearrested", "negative": "were not rearrested"}
    result = fairstats.audit(
        data, groups="g", score="p", threshold=0.5, favorable=0, outcome="y", reference="a", labels=words
    )
    points = page(result)["points"]
    assert page(result)["at_once"] == (
        "Where groups differ in how many were rearrested, a rule with both kinds of error cannot make "
        "false alarms, missed cases and the share of those rated high risk who "
        "were rearrested equal in all of them (Chouldechova 2017); which should be equal is for law or policy."
    )
    had = data.groupby("g").y.mean()
    outcomes = f"{had.b:.1%} of Black and {had.a:.1%} of White defendants were rearrested: {had.b / had.a:.1f} times as"
    said = f"{outcomes} often, a gap of {100 * (had.b - had.a):.1f} points."
    assert said in page(result)["context"], page(result)["context"]
    flagged, free = data.p >= 0.5, data.y == 0
    rates = flagged[free].groupby(data.g[free]).mean()
    fewer = round((rates.b - rates.a) * (free & (data.g == "b")).sum())
    claim, numbers = points[0]
    assert claim == ("False alarms are about 2.1 times as frequent among Black defendants as among White defendants.")
    assert "arithmetic only" not in numbers and (
        f"{numbers} At the rate of these White defendants, there would have been {fewer} fewer false alarms among "
        "Black defendants (arithmetic only)." in result.finding()
    )
    assert f"(gap {100 * (rates.b - rates.a):.1f} points, " in numbers
    few = fairstats.audit(data[:900], groups="g", score="p", threshold=0.5, favorable=0, outcome="y", reference="a")
    assert page(few)["open"] == ""  # which the column has without a dot
    assert "Also compared, not settled (gaps in points): the share right when flagged (" in few.finding()
    assert "else not settled" in page(few)["card"].note


def test_attributes_that_show_nothing_have_one_sentence_and_their_numbers_below() -> None:
    data = table(a=(600, 1000), b=(602, 1000)).rename(columns={"g": "sex"})
    data["age"] = np.tile(["young", "old"], 1000)
    built = page(
        fairstats.audit(data, "d", ["sex", "age"], labels=WORDS | {"groups": {}, "attributes": {}}, favorable=1)
    )
    assert built["sentence"] == (
        "No difference by sex and age is shown in how often applicants were hired, compared with applicants whose "
        'sex is "a" and applicants whose age is "old".'
    )
    assert "Sex: 60.2% of " in " ".join(built["context"])
    gaps = [line for line in built["context"] if "percentage points " in line and " less to " in line]
    assert [line.split(": ")[0] for line in gaps if "95% interval" in line] == ["Sex", "Age"]


def test_shares_of_few_people_have_no_decimals_in_the_scorecard() -> None:
    data = table(a=(300, 500), b=(200, 400), c=(1, 6))
    card = lines(page(fairstats.audit(data, "d", "g", reference="a"))["card"])
    assert card["c"][1] == "1 of 6" and card["c"][3] == "−43" and card["c"][-1] == "not settled"
    assert card["b"][1] == "50.0" and card["b"][-1] == "lower, beyond chance"


def test_the_page_of_four_fifths_names_its_law_and_has_one_word_for_what_is_open() -> None:
    audit = fairstats.audit(table(a=(600, 1000), b=(300, 1000), c=(590, 1000)), "d", "g")
    built = page(audit, preset="four_fifths")
    assert "law: employment (29 CFR 1607), as the preset has it" in built["who"]
    assert {row[-1] for row in built["tables"][0].rows} == {
        "within 0.8 to 1.25; difference not settled",
        "below 0.8; gap beyond chance",
    }
    assert "as the preset has it" not in page(audit)["who"]


def test_one_pair_of_two_families_is_said_with_both_and_no_ratio_contradicts_its_interval() -> None:
    """Of 3 pairs p = 0.057, of the 2 with the reference p = 0.038: "not settled" stood beside "Disparity shown"."""
    audit = fairstats.audit(table(White=(16, 40), Black=(1, 15), Asian=(6, 30)), "d", "g", law="employment")
    finding = audit.finding()
    assert "p = 0.019 by itself, p = 0.057 adjusted for 3 comparisons" in finding
    assert "Among the 2 declared comparisons, with White people, the same difference is shown (p = 0.038)." in finding
    frame = fairstats.table(audit, "impact").to_frame().set_index("group")
    for row in audit.estimates.where(metric="impact ratio", role="main"):
        said = frame.loc[row.group, "ratio and test together"]
        assert said.endswith("gap beyond chance") == (row.conf_high < 1), said


def test_an_error_that_is_shown_alone_is_open_in_the_figure() -> None:
    from fairstats.estimates import Estimate
    from fairstats.reporting.sections.audit import errors_forest

    rows = [
        Estimate("FPR", "g", group, reference="a", contrast="difference", estimate=0.1, conf_low=0.01, conf_high=0.2,
                 p_value=p, p_adjusted=p, verdict="disparity shown")
        for group, p in (("b", 0.001), ("c", 0.04))
    ]  # fmt: skip
    audit = fairstats.audit(table(a=(600, 1000), b=(300, 1000)), "d", "g")
    drawn = errors_forest("f", audit, rows, {"FPR": "false alarms"}, 0.02)
    assert drawn is not None and drawn.caption.startswith("1 of 2 differences from a are beyond chance")
    assert drawn.caption.endswith("Open points are not settled, or tentative.") and "False alarms" in drawn.svg


def test_a_ratio_below_four_fifths_beyond_chance_stands_before_no_difference_from_the_reference() -> None:
    counts = {  # Black against Asian is beyond chance, Black against White is not
        "sex": ["Male"] * 7 + ["Female"] * 7 + ["Decline to state"] * 5,
        "race": [*(["White", "Black", "Hispanic", "Asian", "Unknown", "Native American", "Two or more"] * 2),
                 "White", "Black", "Hispanic", "Asian", "Unknown"],
        "applicants": [430, 180, 160, 101, 40, 12, 20, 370, 210, 138, 85, 36, 11, 21, 12, 5, 3, 2, 20],
        "hires": [112, 30, 34, 31, 14, 2, 4, 89, 40, 27, 24, 11, 1, 5, 2, 1, 1, 0, 6],
    }  # fmt: skip
    with pytest.warns(fairstats.FairstatsWarning, match="group is not known"):
        people = fairstats.from_counts(counts, groups=["sex", "race"], selected="hires", total="applicants")
    audit = fairstats.audit(people, law="employment")
    built = page(audit)
    low, high = (30 + 40 + 1) / (180 + 210 + 5), (31 + 24) / (101 + 85 + 2)
    assert built["sentence"] == (
        f"Black people were selected at {low / high:.2f} of the rate of Asian people, the highest "
        f"({100 * low:.1f}% against {100 * high:.1f}%): below four fifths (0.80) in these data; the difference is "
        "beyond chance among those whose race is known."
    )
    rule, answer = (part.text for part in built["paragraphs"][:2])
    hispanic, native, two = (34 + 27 + 1) / (160 + 138 + 3), (2 + 1) / (12 + 11), (4 + 5) / (20 + 21)
    others = f"Hispanic ({hispanic / high:.2f}) and Two or more ({two / high:.2f})."
    assert f"2 of the other 4 ratios are below 0.80: {others}" in rule
    assert "Where sex and race meet" in rule and "does not show that the rates are equal" not in rule
    assert f"Not counted, with under 2% of the people: Native American ({native / high:.2f})" in rule
    assert answer.startswith("No difference is shown in how often women and men were selected")
    assert answer.endswith("among those with known race.")  # 96 of 1,854 are not
    assert "for 11 comparisons (pairs of counted groups, as the highest rate is found in the data)." in rule  # 10 + 1
    headings = [heading.label for heading in built["card"].headings]
    assert headings[-2:] == ["finding", "impact ratio"]  # the finding is of the gap beside it
    assert "Ratios: to the highest rate; gaps and findings: to the reference." in built["card"].note
    groups = {row[0].text: [cell.text for cell in row[1:]] for row in built["card"].rows if len(row) > 1}
    assert not any("1.10" in text for text in groups["(missing)"]) and groups["Black"][-1] == f"{low / high:.2f}"


def test_what_no_other_ratio_is_below_says_within_what_it_is() -> None:
    rows = [("Clerk", "f", 300, 150), ("Clerk", "m", 100, 49), ("Driver", "f", 80, 20), ("Driver", "m", 400, 98)]
    both = [(job, sex, race, n, k - (race == "b")) for job, sex, n, k in rows for race in "bw"]
    for names in (["sex", "race"], "sex"):
        table = pd.DataFrame(both, columns=["job", "sex", "race", "n", "k"])
        people = fairstats.from_counts(table, names, selected="k", total="n", strata="job")
        first = " ".join(page(fairstats.audit(people, law="employment"))["context"])
        assert ("each by itself, no other group is below 0.80 within the same job." in first) is (names != "sex")


@pytest.mark.parametrize("preset", ["generic", "four_fifths"])
def test_the_ratio_within_strata_is_headed_so(preset: str) -> None:
    """Without regard to jobs the ratio is 0.5, which page one of four fifths begins with; within each it is 1."""
    rows = [("a", "f", 100, 60), ("a", "m", 400, 240), ("b", "f", 400, 40), ("b", "m", 100, 10)]
    people = fairstats.from_counts(pd.DataFrame(rows, columns=["job", "sex", "n", "k"]), "sex", "k", "n", strata="job")
    card = page(fairstats.audit(people, law="employment"), preset=preset)["card"]
    assert card.headings[-1].label == "ratio within job" and "Ratio within job: the impact ratio of" in card.note
    assert {cells[-1] for cells in lines(card).values()} == {"1.00"}


def test_where_nobody_is_selected_the_rule_says_so_first():
    people = fairstats.from_counts({"g": ["a", "b"], "n": [200, 60], "d": [0, 0]}, "g", "d", "n")
    text = "No impact ratio: the rate of every group is 0, so there is no highest one to compare with."
    result = fairstats.audit(people, law="employment")
    assert result.finding().startswith(text) and page(result)["sentence"] == text


def test_the_table_for_decision_has_who_fares_worse_and_a_stratum_that_all_of_them_together_hide() -> None:
    """b is farthest from a, and better off: the line is c's. Job A has 60 of 200 against 110 of 200, B the reverse."""
    selected = {"a": 140, "b": 190, "c": 110}
    rows = [(group, int(i < k)) for group, k in selected.items() for i in range(200)]
    data = pd.DataFrame(rows, columns=["g", "d"])
    plan = page(fairstats.audit(data, "d", "g", favorable=1, reference="a", action_plan=True))["actions"]
    assert [row[0] for row in plan.rows] == ["Gap, c"] and plan.note == "Gaps not listed: b (had d = 1 more often)."
    counts = {("A", "f"): 60, ("A", "m"): 110, ("B", "f"): 110, ("B", "m"): 60, ("C", "f"): 80, ("C", "m"): 80}
    rows = [(job, sex, int(i < k)) for (job, sex), k in counts.items() for i in range(200)]
    data = pd.DataFrame(rows, columns=["job", "sex", "d"])
    options = {"favorable": 1, "strata": "job", "law": "employment", "action_plan": True}
    plan = page(fairstats.audit(data, "d", "sex", **options))["actions"]  # type: ignore[arg-type]
    assert [row[:2] for row in plan.rows] == [("Ratio in job A, Women", "ratio 0.55")]
