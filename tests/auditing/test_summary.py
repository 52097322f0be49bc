"""What an audit prints: pinned texts, and laws of the layout."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from fairstats.auditing.answer import answers
from fairstats.auditing.audit import audit
from fairstats.auditing.naming import worded
from fairstats.auditing.rates import DESCRIPTIVE
from fairstats.auditing.result import MARKS, MOST_GROUPS, NO_VERDICT, _first, _mark
from fairstats.auditing.sentences import count_text, level_of
from fairstats.data.datasets import arrests
from fairstats.errors import FrontEnd, writing_for
from fairstats.estimates import GLOSSARY, Estimate
from fairstats.inference.multiplicity import decided_families
from fairstats.text import p_value, signed

SNAPSHOTS = Path(__file__).parent.parent / "snapshots"


def nasty(rng: np.random.Generator) -> pd.DataFrame:
    """Long names, tiny and missing groups, missing outcomes, a group without positives."""
    names = ["Native Hawaiian or Other Pacific Islander", "b", "<b>bold</b>", None, "a group\nof two lines"]
    data = pd.DataFrame({"ethnicity as recorded": rng.choice(names, 500, p=[0.5, 0.3, 0.05, 0.1, 0.05])})
    data["outcome"] = rng.integers(0, 2, 500).astype(float)
    data.loc[data["ethnicity as recorded"] == "<b>bold</b>", "outcome"] = 0
    data.loc[rng.random(500) < 0.1, "outcome"] = np.nan
    data["decision"] = rng.integers(0, 2, 500)
    data["sex"] = rng.choice(["f", "m"], 500)
    return data


@pytest.mark.long
@pytest.mark.parametrize("min_n", [1, 40])
def test_no_line_is_longer_than_80_columns(rng, min_n):
    result = audit(
        nasty(rng), outcome="outcome", decision="decision", groups=["ethnicity as recorded", "sex"], min_n=min_n
    )
    text = result.summary()
    assert max(len(line) for line in text.splitlines()) <= 80
    assert "Native Hawaiian or Other Pacific Islander" in text


def test_the_summary_of_the_arrests_is_the_pinned_text():
    text = audit(arrests(), decision="released", favorable="Yes", groups=["colour", "sex"]).summary()
    assert text == (SNAPSHOTS / "audit_arrests.txt").read_text(encoding="utf-8").rstrip("\n")


def test_the_family_is_printed():
    text = audit(arrests(), decision="released", favorable="Yes", groups=["colour", "sex"]).summary()
    wanted = (
        "the comparisons of one rate over all attributes (colour: 1, sex: 1), and those of combinations apart "
        "(colour × sex: 3), adjusted by Bonferroni"
    )
    assert wanted in " ".join(text.split())


def test_tidy_never_leaves_the_glossary(rng):
    frame = audit(nasty(rng), outcome="outcome", decision="decision", groups="sex").tidy()
    assert list(frame.columns) == list(GLOSSARY)


def test_glance_counts_every_row_once(rng):
    result = audit(nasty(rng), outcome="outcome", decision="decision", groups="ethnicity as recorded", min_n=40)
    row = result.glance().iloc[0]
    assert row["ok"] + row["suppressed"] + row["unestimable"] + row["excluded"] == row["estimates"]


def test_to_dict_is_strict_json_and_holds_every_estimate(rng):
    result = audit(nasty(rng), outcome="outcome", decision="decision", groups="ethnicity as recorded")
    text = json.dumps(result.to_dict(), allow_nan=False)
    back = json.loads(text)
    assert back["schema"] == "fairstats/audit/1"
    assert back["estimates"] == result.estimates.to_records()
    assert back["finding"] == result.finding()


def test_there_are_at_most_eight_claims_and_each_has_a_verdict(rng):
    rows = audit(nasty(rng), outcome="outcome", decision="decision", groups=["ethnicity as recorded", "sex"]).claims()
    assert 0 < len(rows) <= 8
    assert all(row.verdict for row in rows)
    assert rows[0].metric == "selection rate"


def test_people_without_a_group_never_make_the_headline(rng):
    result = audit(nasty(rng), decision="decision", groups="ethnicity as recorded")
    assert "(missing)" not in result.finding()
    assert result.claims()[-1].group == "(missing)"


def test_flow_starts_with_the_rows_read_and_accounts_for_missing_values(rng):
    data = nasty(rng)
    result = audit(data, outcome="outcome", decision="decision", groups="ethnicity as recorded")
    flow = {step.label: step.n for step in result.flow}
    assert flow["rows read"] == 500
    assert flow["ethnicity as recorded missing"] == int(data["ethnicity as recorded"].isna().sum())
    assert flow["outcome missing"] == int(data["outcome"].isna().sum())
    assert flow["with outcome and decision"] == 500 - flow["outcome missing"]
    cells = [c for c in result.cells if c.attribute == "ethnicity as recorded"]
    assert sum(c.n for c in cells) == 500
    assert sum(c.tp + c.fp + c.fn + c.tn for c in cells) == flow["with outcome and decision"]


def test_dropped_people_are_counted(rng):
    data = nasty(rng)
    absent = int(data["ethnicity as recorded"].isna().sum())
    result = audit(data, decision="decision", groups=["ethnicity as recorded", "sex"], missing="drop")
    flow = {step.label: step for step in result.flow}
    assert flow["ethnicity as recorded missing"].reason == "left out"
    assert flow["rows analyzed"].n == 500 - absent
    assert "(missing)" not in {c.group for c in result.cells}


def test_the_time_of_a_run_can_be_fixed(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    result = audit(arrests(), decision="released", favorable="Yes", groups="colour")
    assert result.provenance.created == "1970-01-01T00:00:00+00:00"


def test_a_declared_protocol_says_so_and_carries_its_hash(tmp_path):
    path = tmp_path / "audit.toml"
    path.write_text('[audit]\ndecision = "released"\nfavorable = "Yes"\ngroups = ["colour"]\nmargin = 0.05\n')
    result = audit(arrests(), protocol=path)
    assert result.protocol.declared
    assert result.protocol.margin.difference == 0.05
    assert len(result.protocol.sha256) == 64
    assert "read from audit.toml" in result.summary()
    assert not any("given with the call" in note for note in result.notes)
    assert audit(arrests(), decision="released", favorable="Yes", groups="colour").notes != result.notes


def test_what_is_said_of_the_decision_stands_below_its_rates_and_not_below_the_outcomes() -> None:
    """Where both are audited, strata, impact ratios and power are about the decision: its rate tells another story."""
    rng = np.random.default_rng(4)
    group = np.repeat(["a", "b"], 400)
    outcome = rng.random(800) < np.where(group == "a", 0.5, 0.3)
    table = {"g": group, "y": outcome * 1, "z": rng.integers(0, 3, 800).astype(str)}
    table["d"] = (rng.random(800) < np.where(group == "a", 0.3, 0.7)) * 1
    text = audit(table, "d", "g", outcome="y", strata="z", reference="a", law="employment").summary()
    before, _, after = text.partition("Selection rate by g")
    current = after.split("\n\n")[0]
    for sentence in ("Given z:", "Impact ratio to b", "Below 0.8: a", "Smallest difference that would be detected"):
        assert sentence in " ".join(current.split()) and sentence not in before, sentence
    assert "points more" in current.split("Given z:")[1]


def test_the_p_beside_a_verdict_is_the_one_that_it_was_read_from():
    """A difference that is real, and smaller than what was declared to matter."""
    data = {"g": ["a"] * 20_000 + ["b"] * 20_000, "d": [1] * 10_000 + [0] * 10_000 + [1] * 9_400 + [0] * 10_600}
    result = audit(data, "d", "g", margin=0.042)
    row = result.estimates.where(metric="selection rate", contrast="difference", role="main")[0]
    assert row.verdict == "equivalence shown" and row.p_adjusted < 1e-6 < row.p_equivalence < 0.05
    (line,) = [line for line in result.summary().splitlines() if line.lstrip().startswith("b ") and line.endswith(" E")]
    assert p_value(row.p_equivalence, "") in line and "<0.001" not in line
    assert "of the test of practical equality" in " ".join(result.summary().split())


def test_a_long_attribute_shows_twelve_groups_and_counts_the_rest():
    for groups, wording in ((12, ""), (15, "  … and 3 more groups, all in tidy()")):
        data = pd.DataFrame({"g": np.repeat([f"v{i:02d}" for i in range(groups)], 20), "d": [0, 1] * 10 * groups})
        text = audit(data, decision="d", groups="g").summary()
        assert [line for line in text.splitlines() if "more groups" in line] == ([wording] if wording else [])
        assert text.count("\n  v") == min(groups, 12)


@pytest.mark.long
def test_every_list_of_a_long_attribute_shows_twelve_and_counts_the_rest():
    groups, rng = 20, np.random.default_rng(3)
    data = pd.DataFrame({"g": np.repeat([f"v{i:02d}" for i in range(groups)], 40)})
    data["z"], data["s"] = rng.choice(["p", "q"], len(data)), rng.random(len(data))
    data["d"] = np.tile(np.r_[np.ones(19), np.zeros(20), np.nan], groups)
    data.loc[data.g == "v00", "d"] = np.r_[np.ones(39), np.nan]
    result = audit(data, decision="d", score="s", groups="g", strata="z", law="employment")
    text = result.summary()
    assert max(map(len, text.splitlines())) <= 80
    wording = " ".join(text.split())
    for sentence in (
        r"Impact ratio to v00, the highest rate, without regard to z: (?P<shown>[^…]*); … and 7 more, all in tidy\(\);",
        r"Ratio within strata of z to v00, the highest: (?P<shown>[^…]*); … and 7 more, all in tidy\(\);",
        r"Below 0.8: (?P<shown>[^…]*), … and 7 more, all in tidy\(\)\.",
        r"lies within: (?P<shown>[^…]*) points; … and 7 more, all in tidy\(\);",
        r"Smallest difference [^:]*: (?P<shown>[^…]*); … and 7 more, all in tidy\(\)\.",
        r"P\(X>Y\) of s by g: (?P<shown>[^…]*) … and 7 more groups, all in tidy\(\)",
    ):
        matches = re.search(sentence, wording)
        assert matches and len(re.findall(r"\bv(?!00)\d\d\b", matches["shown"])) == 12, sentence
    assert wording.count("Given z: v") == 12 and "Given z: … and 7 more groups, all in tidy()." in wording
    ratios = result.estimates.where(metric="impact ratio", contrast="ratio", role="main")
    assert len(ratios) == groups - 1  # in full


def test_a_list_as_long_as_the_tables_is_whole():
    parts = [f"g{i}" for i in range(MOST_GROUPS + 1)]
    assert _first(parts[:-1]) == "; ".join(parts[:-1])
    assert _first(parts, ", ") == ", ".join(parts[:-1]) + ", … and 1 more, all in tidy()"


def test_the_protocol_of_a_summary_names_what_was_declared():
    rng = np.random.default_rng(0)
    data = pd.DataFrame({"g": ["a", "b"] * 50, "s": rng.random(100).round(2), "y": [0, 1, 1, 0] * 25})
    cut, plain, labeled = (
        audit(data, groups="g", **roles).summary()
        for roles in ({"score": "s", "threshold": 0.5}, {"outcome": "y"}, {"outcome": "y", "score": "s"})
    )
    assert "\n  decision   favorable: " in cut and "\n  score      s" in cut and "\n  outcome" not in cut
    assert "\n  decision" not in plain and "\n  outcome    y; positive: 1" in plain
    assert "\n  decision" not in labeled and "\n  score      s" in labeled


def test_design_columns_are_entries_of_the_protocol_only_where_declared():
    rng = np.random.default_rng(1)
    data = pd.DataFrame({"g": ["a", "b"] * 100, "d": rng.integers(0, 2, 200), "c": np.arange(200) % 20, "w": 2.0})
    plain, full = (
        audit(data, decision="d", groups="g", **design).summary()
        for design in ({}, {"clusters": "c", "weights": "w", "weight_type": "probability"})
    )
    for line in ("\n  clusters   c", "\n  weights    w (probability)"):
        assert line in full and line.split()[0] + " " not in plain.split("Protocol")[1].split("\n\n")[0]


def test_the_number_of_families_is_said_where_there_are_two():
    data = pd.DataFrame({"g": ["a", "b"] * 60, "d": [0, 1, 1, 0] * 30, "s": np.arange(120.0)})
    for roles, count in (({"decision": "d"}, 1), ({"score": "s"}, 2)):
        result = audit(data, groups="g", **roles)
        assert len(decided_families(result.estimates)) == count
        assert (
            count_text(result).startswith("2 sets of comparisons were made") if count == 2 else count_text(result) == ""
        )
        assert "combinations" not in count_text(result)  # there are none
    crossed = audit(data.assign(h=["x", "x", "y", "y"] * 30), "d", ["g", "h"])
    assert "one for each rate, those of combinations apart: " in count_text(crossed)


def test_a_mark_is_that_of_the_verdict_but_for_numbers_that_only_describe():
    row = Estimate("TPR", "g", "b", "difference", "a")
    assert _mark(row) == MARKS[""]
    assert _mark(replace(row, verdict="disparity shown")) == MARKS["disparity shown"]
    assert _mark(replace(row, reason=DESCRIPTIVE)) == NO_VERDICT
    assert _mark(replace(row, verdict="disparity shown", reason=DESCRIPTIVE)) == MARKS["disparity shown"]


def test_a_declared_protocol_is_named_with_its_hash_and_what_the_decision_predicts(tmp_path):
    path = tmp_path / "rules.toml"
    path.write_text('groups = ["g"]\ndecision = "d"\noutcome = "y"\npositive_prediction = 0\n')
    data = pd.DataFrame({"g": ["a", "b"] * 40, "d": [0, 1, 1, 0] * 20, "y": [1, 0, 0, 0] * 20})
    text = " ".join(audit(data, protocol=path).summary().split())
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    assert f"rules.toml, SHA-256 {digest}…)" in text
    assert "predicts the positive outcome: d = 0" in text
    assert "; predicts the positive outcome:" in text
    assert "(given with the call)" in audit(data, decision="d", groups="g").summary()


@pytest.mark.parametrize("reference", ["f", "m"])
def test_the_first_sentence_goes_the_way_of_the_table(reference: str) -> None:
    data = {"sex": ["f"] * 50 + ["m"] * 50, "dept": ["a", "b"] * 50, "hired": [1] * 30 + [0] * 20 + [1] * 10 + [0] * 40}
    result = audit(data, "hired", "sex", reference=reference, strata="dept")
    (row,) = result.estimates.where(metric="selection rate", contrast="difference", role="main")
    sentence = " ".join(result.finding().split())
    way = "less" if row.estimate < 0 else "more"
    named = {"f": "women", "m": "men"}
    assert f"{named[row.group]} had `hired = 1` {way} often than {named[row.reference]} (40 points {way}, " in sentence
    assert "without regard to dept" in sentence and "a gap of 40 percentage points (95% confidence" in sentence
    start = f"  {named[row.group].capitalize()} "
    (line,) = [line for line in result.summary().splitlines() if line.startswith(start) and "/50" in line]
    assert ("−40.0" if row.estimate < 0 else "+40.0") in line


def test_only_where_its_level_is_a_reference_was_named() -> None:
    """A label of one attribute leaves the others to the largest group: what the caution says, the protocol says too."""
    data = {"sex": ["f", "m", "m"] * 20, "race": ["a", "b"] * 30, "hired": [1, 0, 0, 1] * 15}
    text = " ".join(audit(data, "hired", ["sex", "race"], reference="b").summary().split())
    largest = "the largest group of each attribute"
    assert f"reference sex: m; sex:race: m:a ({largest}); race: b (named in the protocol) intervals" in text
    each = " ".join(audit(data, "hired", ["sex", "race"], reference={"sex": "f"}).summary().split())
    assert f"reference sex: f (named in the protocol); race: a; sex:race: m:a ({largest}) intervals" in each


def test_the_reference_where_named_ones_meet_is_not_called_the_largest_group() -> None:
    people = {"sex": ["f"] * 260 + ["m"] * 340, "race": (["a"] * 2 + ["b"]) * 200, "hired": [0, 1, 1] * 200}
    named = audit(people, "hired", ["sex", "race"], reference={"sex": "f", "race": "b"})
    assert "sex:race: f:b (where these meet)" in " ".join(named.summary().split())
    largest = audit(people, "hired", ["sex", "race"])
    assert "where these meet" not in largest.summary()


def test_a_printed_audit_says_what_was_compared_beside_its_tables():
    result = audit(arrests(), "released", ["colour", "sex"], favorable="Yes")
    rows = result.tidy().query("attribute == 'colour:sex' and contrast == 'difference' and role == 'main'")
    rows = rows[rows.metric == "selection rate"]
    shown = (rows.verdict == "disparity shown").sum()
    assert f"Also compared: colour × sex ({shown} of {len(rows)} differences shown)." in str(result) and shown
    gaps = rows[rows.verdict == "disparity shown"]
    nearest = (
        np.minimum(gaps["conf.low"].abs(), gaps["conf.high"].abs())
        if "conf.low" in gaps
        else np.minimum(gaps.conf_low.abs(), gaps.conf_high.abs())
    )
    far = gaps.loc[nearest.idxmax()]  # whose interval lies farthest from no difference
    of = (name.replace("Male", "Men").replace("Female", "Women") for name in (far.group, far.reference))
    largest = "The farthest shown: {} against {} (colour × sex), {:+.1f} points.".format(*of, 100 * far.estimate)
    assert largest.replace("-", "−") in " ".join(str(result).split())
    assert "Also compared" not in str(audit(arrests(), "released", "sex", favorable="Yes"))
    people = audit(arrests(), "released", ["colour", "sex"], favorable="Yes", p_adjust="bh").tidy()
    flagged = people.query("attribute == 'colour:sex' and metric == 'selection rate' and verdict == 'flagged'")
    said = str(audit(arrests(), "released", ["colour", "sex"], favorable="Yes", p_adjust="bh", strata="citizen"))
    assert "Also compared within citizen: colour × sex (" in said
    plain = str(audit(arrests(), "released", ["colour", "sex"], favorable="Yes", p_adjust="bh"))
    shown = (flagged.contrast == "difference").sum()
    assert shown and f"({shown} of 3 differences flagged)" in plain


def test_combinations_are_compared_within_declared_strata_wherever_they_are_counted():
    result = audit(arrests(), "released", ["colour", "sex"], favorable="Yes", strata="citizen")
    rows = result.estimates.where(attribute="colour:sex", metric="risk difference within strata", role="main")
    shown = sum(row.verdict == "disparity shown" for row in rows)
    printed, summary = (" ".join(text.split()) for text in (str(result), result.summary()))
    assert f"Also compared within citizen: colour × sex ({shown} of {len(rows)} differences shown)." in printed
    shown_rows = worded(result).estimates.only(
        metric="risk difference within strata", attribute="colour:sex", role="main"
    )
    of_crossed = [f"Given citizen: {r.group} against {r.reference}: difference within strata" for r in shown_rows]
    assert all(text in summary for text in of_crossed)


def test_an_intersection_that_was_asked_for_alone_is_the_answer_and_nothing_beside_it():
    alone = audit(arrests(), "released", "colour:sex", favorable="Yes")
    assert "Selection rate by colour:sex" in str(alone) and "Also compared" not in str(alone)
    family = "the comparisons of one rate over all attributes (colour × sex: 3), adjusted by Bonferroni"
    assert family in " ".join(alone.summary().split())


class _SetOff(FrontEnd):
    """A terminal, which shows verdicts in other characters."""

    def strong(self, verdict: str) -> str:
        return "".join(chr(ord(letter) + 0x1D400) for letter in verdict)


def test_a_table_of_rates_and_errors_has_one_legend_wherever_it_is_printed() -> None:
    rng = np.random.default_rng(7)
    data = pd.DataFrame({"g": rng.choice(["a", "b"], 1400), "y": rng.integers(0, 2, 1400)})
    data["d"] = (rng.random(1400) < np.where(data["g"] == "b", 0.35, 0.55)).astype(int)
    result = audit(data, "d", "g", outcome="y", favorable=1, positive=1)
    plain = str(result)
    with writing_for(_SetOff()):
        text = str(result)
    assert text != plain and "".join(chr(ord(c) % 0x1D400) if ord(c) > 0x1D400 else c for c in text) == plain
    assert "\nD disparity shown, ? not settled.\n" in plain or "\nD disparity shown.\n" in plain


@pytest.mark.parametrize("options", [{"margin": 0.05}, {"law": "employment"}, {}])
def test_a_long_answer_of_scores_and_errors_leaves_the_table_of_rates_and_errors(options) -> None:
    rng = np.random.default_rng(1)
    data = pd.DataFrame({"sex": np.where(rng.random(8000) < 0.6, "Male", "Female")})
    races, shares = ["White", "Black", "Asian", "Hispanic", "Other"], [0.6, 0.2, 0.1, 0.06, 0.04]
    data["race"] = rng.choice(races, 8000, p=shares)
    z = rng.normal(size=8000) + 0.4 * (data.sex == "Male") + 0.4 * (data.race == "White") + 0.6 * (data.race == "Asian")
    data["s"] = (1 / (1 + np.exp(1 + 0.3 * (data.race == "Other") - z))).round(3)
    data["y"] = (rng.random(8000) < data.s).astype(int)
    options = {"score": "s", "threshold": 0.5, "outcome": "y", "groups": ["sex", "race"], "favorable": 1} | options
    text = str(audit(data, **options))
    assert "PPV" in text and all(f"  {race} " in text for race in races)


def test_a_printed_audit_keeps_every_gap_before_what_scores_say() -> None:
    rng = np.random.default_rng(42)
    data = pd.DataFrame({"sex": rng.choice(["woman", "man"], 3000, p=[0.4, 0.6])})
    data["region"] = rng.choice(["North", "South", "East"], 3000, p=[0.5, 0.3, 0.2])
    z = rng.normal(size=3000) + 0.5 * (data.sex == "man") - 0.4 * (data.region == "East")
    data["s"], data["y"] = 1 / (1 + np.exp(-z)), rng.random(3000) < 1 / (1 + np.exp(-z))
    data["d"] = np.where(data.s >= 0.5, "granted", "refused")
    labels = {"unit": "applicants", "favorable": "were granted a loan", "unfavorable": "were refused"}
    given = {"outcome": "y", "score": "s", "favorable": "granted", "positive_prediction": "granted", "margin": 0.05}
    result = audit(data, "d", ["sex", "region"], labels=labels, intersections=False, **given)
    whole, text = str(result.finding()), " ".join(str(result).split())
    assert "random pairs" in whole and "finding() has the whole answer" in text and "random pairs" not in text
    assert 'Applicants whose region is "East" were granted a loan less often than applicants whose region is' in text
    assert "The whole interval is beyond the margin" in text and "for East is beyond the margin of ±5.0 points." in text
    assert "In %: share who were granted a loan, its gap in points" in text and "d = granted" not in text


def test_a_table_without_intervals_promises_none() -> None:
    data = {
        "g": ["a", "b", "c"] * 200,
        "y": [0, 1] * 300,
        "d": ([1] * 3 + [1, 1, 0, 0, 1, 0]) * 66 + [1, 1, 0, 0, 1, 0],
    }
    heads = {
        way: str(audit(data, "d", "g", outcome="y", favorable=1, positive=1, p_adjust=way))
        for way in ("bonferroni", "holm")
    }
    assert "its gap in points (interval);" in heads["bonferroni"] and "its gap in points;" in heads["holm"]


def test_two_labels_of_one_sex_keep_their_names() -> None:
    """ "men" would be both; of people of three labels none shares a word with another."""
    rng = np.random.default_rng(5)
    data = pd.DataFrame(
        {"sex": rng.choice(["male", "Male", "f"], 400, p=[0.5, 0.1, 0.4]), "d": rng.integers(0, 2, 400)}
    )
    twice, once = (audit(people, "d", "sex", favorable=1).finding() for people in (data, data[data["sex"] != "Male"]))
    assert not re.search(r"\b(wo)?men\b", twice) and "`sex` Male" in twice
    assert "women" in once and "men" in once


def test_one_table_that_has_no_room_shows_its_first_rows_and_how_many_are_left() -> None:
    rng = np.random.default_rng(0)
    people = {"g": [f"site {i:02d}" for i in rng.integers(1, 15, 3000)], "d": rng.integers(0, 2, 3000)}
    lines = str(audit(people, "d", "g")).splitlines()
    (left,) = (int(found[1]) for line in lines if (found := re.match(r"  … and (\d+) more groups, all in tidy", line)))
    assert len(lines) <= 25 and left + sum(line.startswith("  site ") for line in lines) == 14


def test_a_table_with_a_long_heading_shows_every_group_or_says_how_many_are_left() -> None:
    rng = np.random.default_rng(0)
    name = "district_of_the_applicant"  # in the heading of the table, which takes two lines
    for groups in ("abc", "abcdefghijkl", "abcdefghijklmn"):
        people = {
            "g": np.where(rng.random(600) < 0.3, None, rng.choice([*groups], 600)),
            "d": rng.integers(0, 2, 600),
            name: np.arange(600) % 5,
        }
        people |= {"w": np.ones(600), "household": np.arange(600) // 3}
        options = {"weights": "w", "weight_type": "probability", "clusters": "household", "missing": "drop"}
        text = str(audit(people, "d", "g", strata=name, **options))
        left = [int(number) for number in re.findall(r"  … and (\d+) more groups, all in tidy", text)]
        assert sum(f"\n  {group} " in text for group in groups) + sum(left) == len(groups) and 0 not in left


def test_rows_of_weights_are_taken_for_counts_only_where_there_are_many() -> None:
    """Counts of a survey that are heavy and repeat their cells have a caution, from 30 rows on."""
    for rows, noted in ((40, True), (20, False)):
        people = {"g": ["a", "b"] * (rows // 2), "d": [0, 0, 1, 1] * (rows // 4), "w": [50] * rows}
        notes = " ".join(audit(people, "d", "g", weights="w").notes)
        assert ("pass weight_type='probability'" in notes) == noted


def test_of_many_groups_those_that_are_shown_to_differ_are_printed():
    """25 groups of 200 to 224 people, of whom half are selected; of the smallest one in ten."""
    people = [(f"g{i:02}", int(k < (20 if i == 0 else n // 2))) for i in range(25) for n in [200 + i] for k in range(n)]
    table = pd.DataFrame(people, columns=["g", "d"])
    text = audit(table, "d", "g", favorable=1, reference="g24").summary()
    rows = [line.split()[0] for line in text.splitlines() if re.match(r"  g\d\d +\d+/\d+", line)]
    assert rows[-1] == "g00" and rows[0] == "g24" and len(rows) == 12 and "… and 13 more groups" in text


@pytest.mark.parametrize(("groups", "margin"), [(["g"], None), (["g"], 0.05), (["g", "h"], None), (["g", "h"], 0.05)])
def test_the_printed_table_has_the_gap_within_strata_and_its_verdict(groups, margin) -> None:
    """Within schools B is as often selected as A, without regard to them less often."""
    cells = [("A", "easy", 800, 1000), ("A", "hard", 40, 200), ("B", "easy", 160, 200), ("B", "hard", 200, 1000)]
    cells += [("C", "easy", 60, 200), ("C", "hard", 100, 200)]
    rows = [(g, s, int(i < k)) for g, s, k, n in cells for i in range(n)]
    data = pd.DataFrame(rows, columns=["g", "school", "d"]).assign(h=lambda table: table.index % 2)
    result = audit(data, "d", groups, favorable=1, strata="school", margin=margin)
    lines = str(result).splitlines()
    assert max(map(len, lines)) <= 80 and len(lines) <= 29
    assert any("its gap in points: crude, and within school (interval)" in line for line in lines)
    for group in "BC":
        (line,) = (line.split() for line in lines if line.startswith(f"  {group} "))
        (row,) = result.estimates.where(
            metric="risk difference within strata", group=group, role="main", given="school"
        )
        (crude,) = result.estimates.where(metric="selection rate", contrast="difference", group=group, role="main")
        assert line[3] == signed(100 * crude.estimate) and line[4] == signed(100 * row.estimate)
        assert line[-1] == {"disparity shown": "D", "equivalence shown": "E"}.get(row.verdict, "?")


def test_groups_with_scores_of_exactly_0_or_1_take_one_line_of_calibration():
    rng = np.random.default_rng(1)
    scores = rng.beta(2, 2, 900).round(4)
    scores[[3, 310]] = 0, 1
    people = {"g": np.repeat(["a", "b", "c"], 300), "s": scores, "y": (rng.random(900) < scores).astype(int)}
    text = " ".join(audit(people, score="s", outcome="y", groups="g").summary().split())
    assert text.count("Calibration of s by g is not estimable for 2 of 3 groups") == 1 and "clip them" in text
    assert "not estimable: scores" not in text and "Calibration slope of s by g (1 is calibrated) c 300" in text
    assert "difference from a Calibration" not in text and "Calibration slope of s by g: difference" not in text


@pytest.mark.parametrize(
    ("n", "named"),
    [
        (60, "the exact unconditional test, which"),
        (5000, "Fisher's exact test, which"),
        (20000, "the pooled z-test, which"),
    ],
)
def test_the_legend_names_the_tests_that_were_done(n: int, named: str) -> None:
    rng = np.random.default_rng(1)
    sex = rng.choice(["f", "m"], n)
    result = audit({"s": sex, "y": (rng.random(n) < 0.3 + 0.12 * (sex == "m")).astype(int)}, "y", "s")
    (row,) = result.estimates.only(metric="selection rate", contrast="difference", role="main")
    test = named.removeprefix("the ").removesuffix(", which")
    assert test in str(row.method)
    assert f"score intervals (Miettinen-Nurminen) and {named} agree." in " ".join(result.summary().split())


def test_a_difference_of_errors_that_is_tentative_is_so_in_every_table_of_a_summary() -> None:
    """Shown for its own rate, and not with all rates of page one allowed for: a dagger above and below."""
    counts = {("a", 0): (60, 165), ("b", 0): (61, 115), ("a", 1): (150, 200), ("b", 1): (130, 200)}
    rows = [(g, y, d) for (g, y), (k, n) in counts.items() for d in [1] * k + [0] * (n - k)]
    people = dict(zip(("g", "y", "d"), map(list, zip(*rows, strict=True)), strict=True))
    result = audit(people, "d", "g", outcome="y", reference="a")
    (gap,) = result.estimates.only(metric="FPR", contrast="difference", role="main")
    assert gap.verdict == "disparity shown"
    level = level_of(result, answers(result))
    assert level < gap.p_adjusted
    head, _, below = result.summary().partition("FPR by g")
    assert "†" in head and re.search(r"\n  b .* †", below.split("\n\n")[0]) and "† shown for one error rate" in below
    among_positives = audit({**people, "y": [1 - y for y in people["y"]]}, "d", "g", outcome="y", reference="a")
    head, _, below = among_positives.summary().partition("TPR by g")  # what is left of the FNR to 100%
    assert "†" in head and re.search(r"\n  b .* †", below.split("\n\n")[0])


def test_the_tables_of_a_printed_audit_have_the_names_that_its_sentences_have() -> None:
    data = {"origin": ["l"] * 60 + ["f"] * 60, "sex": ["man", "woman"] * 60, "d": [1, 1, 0, 1, 0, 0] * 20}
    names = {"groups": {"origin": {"l": "Local", "f": "Foreign"}}}
    result = audit(data, "d", ["origin", "sex"], labels=names, reference={"origin": "l", "sex": "man"})
    text = str(result)
    assert "difference from Local" in text and "difference from Men" in text
    assert {line.split()[0] for line in text.splitlines() if line.startswith("  ")} == {
        "Local",
        "Foreign",
        "Men",
        "Women",
    }
    assert set(result.tidy()["group"]) >= {"l", "f", "man", "woman"}
    whole = result.summary()
    assert "d by origin, %" not in whole and "Selection rate by origin, %; difference from Local" in whole
    assert {line.split()[0] for line in whole.splitlines() if re.match(r"  \S+ +\d+/\d+ ", line)} >= {
        "Local",
        "Foreign",
        "Men",
        "Women",
    }
    assert "reference  origin: l; sex: man" in whole  # what was declared is as it is recorded
