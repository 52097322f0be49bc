"""The tables of Local Law 144, from decisions and from scores."""

from __future__ import annotations

import html
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fairstats as fs
from fairstats.auditing.audit import audit
from fairstats.auditing.local_law_144 import local_law_144
from fairstats.auditing.people import from_counts
from fairstats.cli import run
from fairstats.errors import InputError


def applicants() -> pd.DataFrame:
    """A published kind of table: two sexes, one unknown; four races, one of them under 2%."""
    rng = np.random.default_rng(144)
    data = pd.DataFrame(
        {
            "sex": rng.choice(["Female", "Male", None], 2000, p=[0.45, 0.5, 0.05]),
            "race": rng.choice(["Asian", "Black", "White", "Pacific"], 2000, p=[0.2, 0.3, 0.49, 0.01]),
            "score": rng.integers(0, 100, 2000).astype(float),
        }
    )
    data["hired"] = (rng.random(2000) < np.where(data["sex"] == "Male", 0.4, 0.3)).astype(int)
    data.loc[data["race"] == "Pacific", "hired"] = 1
    return data


def test_three_tables_with_unknown_people_counted_and_small_categories_shown():
    data = applicants()
    result = audit(data, decision="hired", groups=["sex", "race"])
    sex, race, both = local_law_144(result, exclude={"Pacific": "too few people for a rate"})
    assert (sex.attribute, race.attribute, both.attribute) == ("sex", "race", "sex:race")
    assert sex.unknown == data["sex"].isna().sum() == both.unknown
    assert race.unknown == 0
    small = next(c for c in race.categories if c.category == "Pacific")
    assert (small.status, small.rate) == ("excluded", 1.0)
    assert "under 2%" in small.reason and "too few people for a rate" in small.reason
    assert all(c.status != "excluded" for t in local_law_144(result) for c in t.categories)
    with pytest.raises(InputError, match="exclude has 'Pacifc'; there is no such category; did you mean 'Pacific'"):
        local_law_144(result, exclude={"Pacifc": "few"})
    with pytest.raises(InputError, match="exclude has 'Pacific'; it is a mapping"):
        local_law_144(result, exclude="Pacific")
    # the excluded category has the highest rate, and is not what the others are compared with
    assert race.highest != "Pacific"
    rates = data[data["race"] != "Pacific"].groupby("race")["hired"].mean()
    for category in race.categories:
        if category.status == "ok":
            assert category.impact_ratio == pytest.approx(rates[category.category] / rates.max())


def test_scoring_rate_is_the_share_above_the_median_of_the_whole_sample():
    data = applicants()
    (table,) = local_law_144(audit(data, score="score", groups="sex"))
    assert table.measure == "scoring rate"
    above = data["score"] > data["score"].median()
    for category in table.categories:
        assert category.rate == pytest.approx(above[data["sex"] == category.category].mean())


def test_no_conclusion_of_law_is_printed():
    data = applicants()
    result = audit(data, decision="hired", groups=["sex", "race"])
    tables = local_law_144(result)
    words = (result.summary() + str(tables) + str([t.estimates for t in tables])).lower()
    assert not any(word in words for word in ("compliant", "compliance", "unlawful", "unbiased"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"decision": "hired", "min_n": 30}, "min_n=30, which hides counts"),
        ({"outcome": "hired"}, "neither decisions nor scores"),
        ({"decision": "hired", "clusters": "score"}, "weights or clusters"),
    ],
)
def test_audits_that_cannot_give_the_tables(arguments, message):
    result = audit(applicants(), groups=["sex", "race"], **arguments)
    with pytest.raises(InputError, match=message):
        local_law_144(result)


LABELS = ["Unknown", "Decline to state", "I do not wish to answer", "Prefer not to say", "n/a", "Race unknown", "", " "]
LABELS += ["Not disclosed", "Declined", "Chose not to disclose", "Race/ethnicity not specified", "keine Angabe"]


@pytest.mark.long
@pytest.mark.parametrize("label", LABELS)
def test_a_label_that_says_that_the_category_is_unknown_has_no_rate(label: str) -> None:
    data = applicants()
    as_blank = local_law_144(audit(data, decision="hired", groups=["sex", "race"]))
    labeled = audit(data.fillna({"sex": label}), decision="hired", groups=["sex", "race"])
    for blank, table in zip(as_blank, local_law_144(labeled), strict=True):
        assert (table.unknown, table.categories, table.highest) == (blank.unknown, blank.categories, blank.highest)
        assert table.unknown_labels == ((label,) if label.strip() and "sex" in table.columns else ())


@pytest.mark.parametrize(
    "label", ["White", "Not Hispanic or Latino", "Other", "Two or more races", "Non-binary", "None"]
)
def test_a_label_of_a_category_is_not_unknown(label: str) -> None:
    (table,) = local_law_144(audit({"g": [label, "x"] * 9, "d": [1, 0, 0] * 6}, decision="d", groups="g"))
    assert {c.category for c in table.categories} == {label, "x"}


def test_labels_of_unknown_people_are_named_and_wrong_ones_refused() -> None:
    data = applicants()
    result, few = audit(data, decision="hired", groups="race"), (data["race"] == "Pacific").sum()
    (table,) = local_law_144(result, unknown="Pacific")
    assert table.unknown == few and f"{few} people of unknown category ('Pacific', or blank)" in table.summary()
    (table,) = local_law_144(audit({"g": ["Unknown", "x"] * 9, "d": [1, 0, 0] * 6}, "d", "g"), unknown=[])
    assert {c.category for c in table.categories} == {"Unknown", "x"}
    (table,) = local_law_144(audit({"g": ["Unknown", "No ID", "x"] * 9, "d": [1, 0, 0] * 9}, "d", "g"), unknown="No ID")
    assert {c.category for c in table.categories} == {"x"} and table.unknown == 18
    with pytest.raises(InputError, match="unknown has 'Pacifc'; there is no such label; did you mean 'Pacific'"):
        local_law_144(result, unknown=["Pacifc"])
    with pytest.raises(InputError, match="exclude has 'Pacific', which is an unknown category"):
        local_law_144(result, unknown=["Pacific"], exclude={"Pacific": "few"})


def test_a_tally_is_no_audit_yet() -> None:
    counted = from_counts({"g": ["a", "b"], "n": [9, 9], "d": [3, 4]}, "g", "d", "n")
    with pytest.raises(InputError, match=r"has a tally, which is .*audit.* makes of it"):
        local_law_144(counted)


def test_an_audit_of_classes_says_which_label_to_name() -> None:
    three = audit({"g": ["a", "b"] * 30, "d": ["accept", "reject", "review"] * 20}, "d", "g")
    with pytest.raises(InputError, match=r"a decision of 3 classes \(accept, reject, review\); .* favorable="):
        local_law_144(three)


def test_counts_of_people_above_the_median_are_scoring_rates(tmp_path: Path) -> None:
    """The same tables as of the scores that they were counted from; the report, its command and verify say so."""
    rng = np.random.default_rng(3)
    people = pd.DataFrame({"sex": rng.choice(["f", "m"], 400), "race": rng.choice(["a", "b"], 400)})
    people["s"] = rng.permutation(400)
    counts = people.assign(n=1, above=people["s"] > 199.5).groupby(["sex", "race"])[["n", "above"]].sum().reset_index()
    counts.to_csv(tmp_path / "c.csv", index=False)
    columns = ["sex", "race"]
    counted = fs.audit(fs.from_counts(counts, columns, "above", "n"))
    tables = fs.local_law_144(counted, measure="scoring rate")
    scored = fs.local_law_144(fs.audit(people, score="s", groups=columns))
    assert [t.measure for t in tables] == ["scoring rate"] * 3
    for one, other in zip(tables, scored, strict=True):
        pairs = [[(c.n, c.selected, c.impact_ratio) for c in t.in_order] for t in (one, other)]
        assert pairs[0] == pairs[1] and "Impact ratios of the scoring rate" in str(one)
    call = ["audit", str(tmp_path / "c.csv"), "--groups", "sex,race", "--selected", "above", "--total", "n"]
    law = [*call, "--preset", "ll144", "--ll144-measure", "scoring rate"]
    assert run([*law, "--to", str(tmp_path / "law.html")]) == 0
    text = (tmp_path / "law.html").read_text()
    assert "score above the median" in text and "were selected; the highest" not in text
    assert run(["verify", str(tmp_path / "law.html"), str(tmp_path / "c.csv")]) == 0
    assert run([*call, "--ll144-measure", "scoring rate"]) == 2 and run([*law[:-1], "scores"]) == 2
    with pytest.raises(fs.InputError, match="measure has 'selection rate', and the audit is of scores without"):
        fs.local_law_144(fs.audit(people, score="s", groups=columns), measure="selection rate")


def test_more_than_half_of_the_people_are_never_above_the_median(tmp_path, capsys) -> None:
    def audited(name: str, above: list[int]) -> fs.Audit:
        return audit(from_counts({"g": ["a", "b"], "n": [100, 101], name: above}, "g", name, "n"))

    rng = np.random.default_rng(2)
    for _ in range(50):  # half at most, with ties or without
        scores = rng.integers(0, 4, rng.integers(1, 9))
        assert (scores > np.median(scores)).sum() <= len(scores) / 2
    local_law_144(audited("high", [60, 40]), measure="scoring rate")
    larger = r"'high' has 101 of 201 people above the median; more than half .* ll144_notice=\{'data': '\.\.\.'\}"
    with pytest.warns(fs.FairstatsWarning, match=larger):  # the sample may be larger than the audit
        (table,) = local_law_144(audited("high", [60, 41]), measure="scoring rate")
    assert {c.category: (c.selected, c.n) for c in table.categories} == {"a": (60, 100), "b": (41, 101)}
    assert "'high' has 101 of 201 people above the median; more than half" in " ".join(str(table).split())
    page = html.unescape(fs.report(audited("high", [60, 41]), table, preset="ll144").html)
    assert "'high' has 101 of 201 people above the median; more than half" in page
    (tmp_path / "c.csv").write_text("g,n,high\na,100,60\nb,101,41\n")
    call = [
        "audit",
        str(tmp_path / "c.csv"),
        "--groups",
        "g",
        "--selected",
        "high",
        "--total",
        "n",
        "--preset",
        "ll144",
    ]
    assert run([*call, "--ll144-measure", "scoring rate"]) == 0
    assert "in a report with --ll144-notice data=..." in capsys.readouterr().err
    notice = ["--ll144-notice", "data=of a larger sample", "--to", str(tmp_path / "c.html")]
    assert run([*call, *notice]) == 0
    with pytest.warns(fs.FairstatsWarning, match="9 people whose group is not known"):
        whole = from_counts({"g": ["a", "b", "Unknown"], "n": [100, 101, 9], "high": [60, 41, 1]}, "g", "high", "n")
    local_law_144(audit(whole), measure="scoring rate")  # without a warning
    local_law_144(audited("hired", [80, 70]))  # selections
    for name in ("above_median", "n above the median", "Über dem Median"):
        with pytest.warns(fs.FairstatsWarning, match=f"'{name}' counts, by its name, people above"):
            local_law_144(audited(name, [60, 40]))
        local_law_144(audited(name, [60, 40]), measure="scoring rate")


def test_a_category_is_excluded_by_the_name_that_a_report_prints(tmp_path: Path) -> None:
    rows = ["sex,race,n,k", "Female,White,400,160", "Female,Asian,300,120", "Male,White,500,200", "Male,Asian,9,3"]
    (tmp_path / "c.csv").write_text("\n".join(rows))
    result = audit(from_counts(str(tmp_path / "c.csv"), ["sex", "race"], "k", "n"), intersections=["sex:race"])
    (code, printed) = (local_law_144(result, exclude={name: "Few."})[-1] for name in ("Male:Asian", "Male × Asian"))
    assert [c.status for c in printed.categories] == [c.status for c in code.categories]
    assert {c.category for c in printed.categories if c.status == "excluded"} == {"Male:Asian"}
    call = ["audit", str(tmp_path / "c.csv"), "--groups", "sex,race,sex:race", "--selected", "k", "--total", "n"]
    assert run([*call, "--preset", "ll144", "--ll144-exclude", "Male × Asian=Few."]) == 0


def test_a_table_says_nothing_of_nobody_and_ends_a_justification_once() -> None:
    counted = from_counts({"g": ["a", "b", "c"], "n": [500, 490, 10], "k": [200, 100, 2]}, "g", "k", "n")
    (table,) = local_law_144(audit(counted), exclude={"c": "Few people."})
    assert "Few people.." not in str(table) and "Few people." in str(table)
    assert "of unknown category are in no rate" not in str(table)
    page = fs.report(audit(counted), table, preset="ll144").html
    assert "Few people.." not in page and "Few people." in page
