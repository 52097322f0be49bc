"""A third of the groups is unknown: the first sentence, page one, the gate and the caution say so in one way."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fairstats as fs
from fairstats.cli import run
from fairstats.reporting.bundle import gather
from fairstats.reporting.report import context


def applicants(lost_of_hired: float = 0.22, lost_of_others: float = 0.34) -> pd.DataFrame:
    """10,000 applicants whose race is missing more often for those who were not hired."""
    rng = np.random.default_rng(7)
    race = np.where(rng.random(10_000) < 0.3, "Black", "White")
    hired = rng.random(10_000) < np.where(race == "Black", 0.3, 0.4)
    lost = rng.random(10_000) < np.where(hired, lost_of_hired, lost_of_others)
    return pd.DataFrame({"hired": np.where(hired, "Yes", "No"), "race": pd.Series(race).where(~lost)})


def worst(people: pd.DataFrame) -> tuple[float, float]:
    """The ends of the difference over every way to put the unknown into the two groups, by trying all counts."""
    n, k = (people.assign(k=people.hired == "Yes").groupby("race").k.agg(f) for f in ("size", "sum"))
    unknown = people[people.race.isna()].hired.value_counts()
    yes, no = int(unknown.get("Yes", 0)), int(unknown.get("No", 0))
    a, b = np.meshgrid(np.arange(yes + 1), np.arange(no + 1))
    with_a = (k["Black"] + a) / (n["Black"] + a + b)
    gaps = with_a - (k["White"] + yes - a) / (n["White"] + yes + no - a - b)
    return float(gaps.min()), float(gaps.max())


@pytest.mark.parametrize("missing", ["level", "drop"])
def test_what_does_not_survive_the_unknown_is_said_first_on_page_one_and_at_the_gate(
    missing: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    people, file = applicants(), tmp_path / "people.csv"
    people.to_csv(file, index=False)
    result = fs.audit(people, "hired", "race", favorable="Yes", reference="White", missing=missing)
    lost = int(people.race.isna().sum())
    low, high = worst(people)
    plain, limits = result.estimates.where(role="bounds", group="Black")
    assert (plain.conf_low, plain.conf_high) == pytest.approx((low, high)) and low < 0 < high
    ends = f"between {-100 * limits.conf_low:.1f} points less and {100 * limits.conf_high:.1f} points more"
    second = f" Over all people no gap to White people is shown: with the {lost:,} whose race is not known at worst, "
    second += f"and sampling error, that of Black people may be anything {ends}."
    text = result.finding()
    first, _, after = text.partition(second)
    assert after.startswith(" Disparity shown among those who are known, not over all.")
    assert first.startswith("Among those with known race: Black people had") and first.endswith(").")
    bold, _, gap = first.partition(", a gap of ")
    assert len(first.split()) < 45 and page(result)["sentence"] == f"{bold}.{second}"
    assert any(gap.partition(" (")[0] in text for text in page(result)["context"])
    known = people.dropna(subset="race").groupby("race").hired.apply(lambda d: (d == "Yes").agg(["mean", "size"]))
    more = (known["White"]["mean"] - known["Black"]["mean"]) * known["Black"]["size"]
    assert f" {more:.0f} more Black people would have" in text and text.endswith(
        "(arithmetic only, of those with known race)."
    )
    weighted = fs.audit(
        people.assign(w=2.0), "hired", "race", favorable="Yes", reference="White", missing=missing,
        weights="w", weight_type="probability",
    )  # fmt: skip
    assert weighted.finding().endswith("(arithmetic only, in sums of weights, of those with known race).")
    counted = f"race known for {10_000 - lost:,} of 10,000 ({lost / 100:.1f}% not known)"
    counted += {"level": " · ", "drop": f" · {10_000 - lost:,} analyzed · "}[missing]
    assert counted in fs.report(result).html.split("<table")[0]
    german = fs.report(result, language="de").html.split("<table")[0]
    narrow = f"{lost:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")
    lacking = f"Mit den {narrow}, deren Angabe zu „race“ fehlt, liegt der von Personen (Black) im ungünstigsten Fall, "
    assert lacking in german
    share = f"{lost / 100:.1f}".replace(".", ",")
    assert "race bekannt für " in german and f"({share} % nicht bekannt)" in german.replace("\N{NO-BREAK SPACE}", " ")
    (note,) = (note for note in result.notes if "The group is not known for" in note)
    assert "fairstats.group_probabilities bounds the differences by them" in note
    line = ["audit", str(file), "--decision", "hired", "--groups", "race", "--favorable", "Yes", "--reference", "White"]
    assert run([*line, "--missing", missing, "--fail-on", "disparity"]) == 1
    said = capsys.readouterr().err
    ends = f"{100 * limits.conf_low:+.1f} and {100 * limits.conf_high:+.1f} points."
    assert f"counted at worst this does not survive: Black less White lies between {ends}" in said
    assert "disparity shown in 1 comparison: selection rate of Black" in said


def test_the_table_of_the_range_at_worst_has_its_level() -> None:
    text = fs.report(fs.audit(applicants(), "hired", "race", favorable="Yes", conf_level=0.9, missing="drop")).html
    assert "missing groups, with sampling error (90%)" in text


def test_no_gate_asks_people_whose_group_is_missing_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    race = np.repeat(["Black", "White", ""], [9_000, 9_000, 300])
    people = pd.DataFrame(
        {"race": race, "hired": np.arange(18_300) % 2 * ((race != "") | (np.arange(18_300) % 4 == 1))}
    )
    people.to_csv(tmp_path / "p.csv", index=False)
    line = ["audit", str(tmp_path / "p.csv"), "--decision", "hired", "--groups", "race", "--reference", "White"]
    for gate in (["disparity"], ["ratio<0.8"], ["no-equivalence", "--margin", "0.05"]):
        assert run([*line, "--fail-on", *gate]) == 0
        assert f"{gate[0]} does not include (missing) of race, shown to differ from White." in capsys.readouterr().err
    assert fs.audit(people.replace("", None), "hired", "race", margin=0.05).passes()
    turned = people.assign(hired=people.hired.where(people.race != "Black", 1 - people.hired * (people.index % 10 < 9)))
    turned.to_csv(tmp_path / "p.csv", index=False)
    assert run([*line, "--fail-on", "disparity"]) == (turned.groupby("race").hired.mean()["Black"] != 0.5)
    assert "(missing)" not in capsys.readouterr().err


@pytest.mark.parametrize("options", [{}, {"margin": 0.03}, {"outcome": "good", "positive_prediction": "Yes"}])
@pytest.mark.parametrize("lost", [0.3, 0.01])
def test_the_tables_mark_what_the_unknown_could_overturn(lost: float, options: dict[str, object]) -> None:
    people = applicants(lost, lost).assign(good=lambda d: np.arange(len(d)) % 3 == 0)
    low, high = worst(people)
    overturned = low < 0 < high
    assert overturned == (lost == 0.3)
    result = fs.audit(people, "hired", "race", reference="White", **{"favorable": "Yes", **options})
    (row,) = result.estimates.where(role="main", group="Black", metric="selection rate", contrast="difference")
    assert row.verdict == "disparity shown"
    for text in (str(result), result.summary()):
        lines = [line for line in text.splitlines() if line.lstrip().startswith("Black") and "reference" not in line]
        assert any("D‡" in line for line in lines) == ("‡ among those who are known" in text) == overturned
        assert not any("‡" in line for line in text.splitlines() if line.lstrip().startswith("(missing)"))
    first = page(result)
    (marked,) = (
        [cell.text for cell in row if "‡" in cell.text] for row in first["card"].rows if row[0].text == "Black"
    )
    assert len(marked) == overturned == ("‡ Among those who are known" in first["card"].note)
    assert (
        "Whether it holds over all people: those who are missing could overturn it." in first["unshown"]
    ) == overturned
    assert any("group_probabilities" in line for line in first["rely"]) == overturned
    assert ("Black: among those who are known; those" in fs.report(result).html) == overturned


def test_a_gap_that_survives_the_unknown_is_shown_without_a_word_of_doubt(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    people, file = applicants(0.01, 0.01), tmp_path / "people.csv"
    people.to_csv(file, index=False)
    _, high = worst(people)
    result = fs.audit(people, "hired", "race", favorable="Yes", reference="White", missing="drop")
    assert high < 0 and "Disparity shown." in result.finding() and "survive" not in result.finding()
    lost = int(people.race.isna().sum())
    assert f"race known for {10_000 - lost:,} of 10,000 ({lost / 100:.1f}% not known)" in fs.report(result).html
    assert run(["audit", str(file), "--decision", "hired", "--groups", "race", "--fail-on", "disparity"]) == 1
    said = capsys.readouterr().err
    assert "gate failed" in said and "survive" not in said
    assert "known for" not in fs.report(fs.audit(people.dropna(), "hired", "race")).html.split("<table")[0]


def test_a_word_that_may_say_that_the_group_is_not_known_is_on_page_one() -> None:
    people = {
        "race": ["a"] * 60 + ["b"] * 60 + ["Unknown"] * 40,
        "hired": [0, 1] * 30 + [0, 0, 0, 1] * 15 + [0, 1] * 20,
    }
    result = fs.audit(people, "hired", "race")
    (note,) = [str(text) for text in result.notes if "Unknown" in text]
    assert note in context(gather([result], None, ""), "generic")["findings"]["rely"]


def test_people_of_unknown_group_stand_last_on_page_one_and_in_print() -> None:
    people = applicants(0.3, 0.4)
    result = fs.audit(people, "hired", "race", favorable="Yes", reference="White", missing="level")
    assert people.race.isna().sum() > (people.race == "Black").sum()  # by size they would be between
    card = [row[0].text for row in page(result)["card"].rows if len(row) > 1]
    assert card == ["White (reference)", "Black", "(missing)"]
    firsts = [line.split()[0] for line in str(result).splitlines() if line.startswith("  ")]
    assert firsts[:3] == ["White", "Black", "(missing)"]


def test_people_of_unknown_group_stand_last_in_every_table_and_figure() -> None:
    people = applicants(0.3, 0.4)
    people.loc[people.index[:12], "race"] = "Few"
    people["paid"] = np.arange(len(people)) % 3 > 0
    result = fs.audit(people, "hired", "race", outcome="paid", favorable="Yes", positive_prediction="Yes")
    assert people.race.isna().sum() > (people.race == "Few").sum()
    for kind in ("rates", "differences", "errors", "ratios"):
        groups = fs.table(result, kind).to_frame()["group"].tolist()
        assert groups[-2:] == ["Few", "(missing)"], kind
    for kind in ("rates", "errors", "forest"):
        names = re.findall(r'<text x="[\d.]+" y="([\d.]+)">(Few|\(missing\))', fs.plot(result, kind).svg)
        places = {name: float(height) for height, name in names}
        assert places["Few"] < places["(missing)"], kind


def page(*results: object) -> dict[str, Any]:
    result: dict[str, Any] = context(gather(results, None, ""), "generic")["findings"]
    return result


@pytest.mark.parametrize("first", [True, False])
def test_a_joint_report_answers_by_the_probabilities_too_and_does_not_advise_them(first: bool) -> None:
    people = applicants()
    shares = np.random.default_rng(0).beta(0.2, 0.2, len(people))
    people = people.assign(x=shares, y=1 - shares, chosen=(shares < 0.5).astype(int))
    audit = fs.audit(people, "hired", "race")
    bounded = fs.group_probabilities(people, "chosen", {"Black": "x", "White": "y"}, reference="White")
    alone, plain, both = page(bounded), page(audit), page(*((audit, bounded) if first else (bounded, audit)))
    claim, numbers = both["points"][-1]
    assert claim.startswith("Groups known as probabilities: whoever is in which group, ")
    assert numbers.split(" percentage points")[0].split()[-1] in alone["sentence"]
    assert both["sentence"] == plain["sentence"] and "Whoever is in which group" in alone["sentence"]
    advice = [any("group_probabilities" in line for line in one["rely"]) for one in (plain, both)]
    assert advice == [True, False]


def people_of_three_races() -> pd.DataFrame:
    """6,000 applicants, a third without a race, and sharp probabilities of it, which 12 of that third lack."""
    rng = np.random.default_rng(3)
    shares = rng.dirichlet([0.1, 0.06, 0.04], 6000)
    group = (rng.random((6000, 1)) > shares.cumsum(axis=1)[:, :-1]).sum(axis=1)
    hired = (rng.random(6000) < np.array([0.7, 0.3, 0.55])[group]).astype(int)
    people = pd.DataFrame({"hired": hired, "w": shares[:, 0], "b": shares[:, 1], "h": shares[:, 2]})
    people["race"] = pd.Series(np.array(["White", "Black", "Hispanic"])[group]).where(rng.random(6000) < 0.67)
    people.loc[people.index[people.race.isna()][:12], ["w", "b", "h"]] = np.nan
    return people


def test_a_headline_without_probabilities_says_so_where_the_bound_by_them_shows_a_gap() -> None:
    people, groups = people_of_three_races(), {"White": "w", "Black": "b", "Hispanic": "h"}
    audit = fs.audit(people, "hired", "race", reference="White")
    bounded = fs.group_probabilities(people, "hired", groups, known="race", reference="White")
    shown = [row.group for row in bounded.shown()]
    both, alone = page(audit, bounded), page(audit)
    without = " That is without probabilities of the groups; with these, see “Groups known as probabilities” below."
    assert shown[0] == "Black" and "Over all people no gap to White people is shown" in alone["sentence"]
    assert both["sentence"] == f"{alone['sentence']}{without}"
    finding = fs.report(audit, bounded).html
    (at_worst,) = (text for text in bounded.statements if text.startswith("Of 12 of 6,000 people neither the group"))
    assert at_worst in finding and "over all people, too" in at_worst
    assert f"The bound is about {bounded.n:,} people, whatever" in finding
    for text in (both["context"], alone["context"]):
        assert text[0].startswith("Among those known: a gap of ")
        assert re.search(r"Among those known: Hispanic \(\d+\.\d%\): had `hired = 1` less often than ", " ".join(text))
    assert "Also shown to differ from White (among those known): Hispanic less often" in audit.finding()
    advice = "Where there is a probability of every group for each person"
    assert [advice in fs.report(*results).html for results in ((audit,), (audit, bounded))] == [True, False]
    kept = "Whether it holds over all people: those who are missing could overturn it"
    assert f"{kept}, unless the probabilities are right." in both["unshown"] and f"{kept}." in alone["unshown"]
    open_result = fs.group_probabilities(people.assign(w=0.5, b=0.3, h=0.2), "hired", groups, reference="White")
    assert not open_result.shown() and page(audit, open_result)["sentence"] == alone["sentence"]
    assert f"{kept}." in page(audit, open_result)["unshown"]


def test_a_joint_report_has_the_call_of_every_result_and_asks_where_probabilities_come_from() -> None:
    people, groups = people_of_three_races(), {"White": "w", "Black": "b", "Hispanic": "h"}
    audit = fs.audit(people, "hired", "race", reference="White")
    bounded = fs.group_probabilities(people, "hired", groups, known="race", reference="White", drawn_at_random=True)
    pages = context(gather([bounded, audit], None, ""), "generic")
    calls = [text for name, text in pages["limits"]["provenance"] if name == "Call"]
    assert calls == [audit.provenance.call, bounded.provenance.call]
    assert "known='race'" in calls[1] and "drawn_at_random=True" in calls[1] and "'Black': 'b'" in calls[1]
    assert any("nobody was put into one by a name" in line for line in pages["limits"]["attested"])
    alone = context(gather([audit], None, ""), "generic")
    assert any("nobody's group was guessed from a name" in line for line in alone["limits"]["attested"])
    asked = [
        any(line.startswith("Ask where the probabilities come from") for line in one["findings"]["rely"])
        for one in (pages, alone)
    ]
    assert asked == [True, False]


def test_a_joint_report_says_that_chance_did_not_decide_whose_group_is_missing_where_that_is_refuted() -> None:
    people, groups = people_of_three_races(), {"White": "w", "Black": "b", "Hispanic": "h"}
    stated = (people.hired == 1) | (people.index % 3 > 0)
    refuted = people.assign(race=people.race.where(stated), other=people.race)
    named = [(people, "race"), (refuted, "race"), (refuted.assign(race=people.race, other=refuted.race), "other")]
    found = []
    for table, known in named:
        audit = fs.audit(table, "hired", "race", reference="White")
        bounded = fs.group_probabilities(table, "hired", groups, known=known, reference="White")
        found.append(html.unescape(fs.report(audit, bounded).html))
    condition = "if chance alone decided whose race is not recorded"
    no_chance = f"it would hold for all people {condition}, which these data refute (p <0.001)."
    assert [no_chance in text for text in found] == [False, True, False]
    assert [f"it holds for all people {condition}." in text for text in found] == [True, False, True]
    with_both = refuted[refuted.w.notna()]
    rates = 100 * with_both.groupby(with_both.race.notna()).hired.mean()
    assert f"{rates[True]:.1f}% of them are selected and {rates[False]:.1f}% of the others." in found[1]
    assert "have no probabilities" not in found[1]


def test_a_joint_report_says_that_the_narrower_range_counts_where_that_is_the_one_without_probabilities() -> None:
    people = applicants(0.1, 0.15)
    share = pd.Series(np.random.default_rng(2).beta(2, 4, len(people)))
    people, groups = people.assign(b=share, w=1 - share), {"White": "w", "Black": "b"}
    audit = fs.audit(people, "hired", "race", reference="White", favorable="Yes")
    limits = audit.estimates.where(role="bounds", group="Black")[-1]
    first, *rest = (
        page(audit, fs.group_probabilities(people, "hired", groups, reference="White", favorable="Yes", **options))
        for options in ({}, {"known": "race"})
    )
    low, high = (f"{100 * end:.1f}".replace("-", "\N{MINUS SIGN}") for end in (limits.conf_low, limits.conf_high))
    narrower = f"the audit has the difference of Black people from White people between {low} and {high} percentage "
    ended = "narrower than the bound, and does not suppose that probabilities are right."
    assert narrower in first["points"][-1][1] and first["points"][-1][1].endswith(ended)
    assert "This range counts" not in rest[0]["points"][-1][1]


def test_of_another_label_or_other_people_no_range_counts_and_another_file_is_named(tmp_path: Path) -> None:
    """A study of those who were not hired, one of half of the people, and one of a file that is another one."""
    people = applicants(0.1, 0.15)
    share = pd.Series(np.random.default_rng(2).beta(2, 4, len(people)))
    people, groups = people.assign(b=share, w=1 - share), {"White": "w", "Black": "b"}
    audit = fs.audit(people, "hired", "race", reference="White", favorable="Yes")
    other, half = (
        page(audit, fs.group_probabilities(data, "hired", groups, reference="White", favorable=label))["points"][-1][1]
        for data, label in ((people, "No"), (people[: len(people) // 2], "Yes"))
    )
    assert "This range counts" not in other + half
    assert "The audit is of `hired = Yes`, this study of `hired = No`: their differences have opposite signs" in other
    files = [tmp_path / name for name in ("all.csv", "again.csv")]
    for file, data in zip(files, (people, people.sample(frac=1, replace=True, random_state=1)), strict=True):
        data.to_csv(file, index=False)
    audit = fs.audit(files[0], "hired", "race", reference="White", favorable="Yes")
    text = page(audit, fs.group_probabilities(files[1], "hired", groups, reference="White", favorable="Yes"))
    assert "The audit is of `all.csv`, this study of `again.csv`: they are read together as of" in text["points"][-1][1]


def test_gaps_that_the_unknown_cannot_overturn_are_not_called_those_of_the_known() -> None:
    people = people_of_three_races()
    people["race"] = people.race.where(people.race.notna() | (people.index % 100 == 0), "White")
    result = fs.audit(people, "hired", "race", reference="White")
    assert "among those known" not in f"{result.finding()} {page(result)['context']}"


@pytest.mark.parametrize("level", [0.95, 0.99])
def test_one_interval_has_one_name_on_page_one_of_people_declared_to_be_drawn_at_random(level: float) -> None:
    people, groups = people_of_three_races(), {"White": "w", "Black": "b", "Hispanic": "h"}
    options = {"known": "race", "reference": "White", "drawn_at_random": True, "conf_level": level}
    first = page(fs.group_probabilities(people, "hired", groups, **options))
    assert f"in percentage points with {100 * level:.0f}% CI, adjusted: Hispanic" in first["context"][0]
    assert "% limits" not in f"{first['sentence']} {first['context']}"


@pytest.mark.parametrize("lost", [0.3, 0.01])
@pytest.mark.parametrize("missing", ["level", "drop"])
def test_tables_handed_on_mark_what_the_unknown_could_overturn(lost: float, missing: str, tmp_path: Path) -> None:
    people = applicants(lost, lost).assign(good=lambda d: np.arange(len(d)) % 3 == 0)
    overturned = worst(people)[0] < 0 < worst(people)[1]
    result = fs.audit(
        people,
        "hired",
        "race",
        favorable="Yes",
        reference="White",
        missing=missing,
        outcome="good",
        positive_prediction="Yes",
    )
    differences = fs.table(result, "differences")
    forms = [str, lambda t: t.to_latex(), lambda t: t.to_html(), lambda t: t.to_markdown(), lambda t: t.note]
    said = ["those who are missing could overturn it" in " ".join(form(differences).split()) for form in forms]
    assert said == [overturned] * len(forms)
    verdicts = differences.to_frame().set_index("group")["verdict"]
    assert verdicts["Black"] == ("shown ‡" if overturned else "shown") and "‡" not in verdicts.get("(missing)", "")
    german = fs.table(result, "differences", language="de")
    assert ("nachgewiesen ‡" in german.to_markdown()) == ("‡" in german.note) == overturned
    left = f"The group of {people.race.isna().sum():,} people is not known; they are left out."
    for kind in ("rates", "differences", "ratios", "errors", "error differences"):
        assert (left in fs.table(result, kind).note) == (missing == "drop")
    people.to_csv(tmp_path / "p.csv", index=False)
    line = ["audit", str(tmp_path / "p.csv"), "--decision", "hired", "--groups", "race", "--reference", "White"]
    assert run([*line, "--favorable", "Yes", "--to", str(tmp_path / "t.tex")]) == 0
    assert ("ddag" in (text := (tmp_path / "t.tex").read_text()) or "‡" in text) == overturned


def test_tables_mark_what_the_unknown_could_overturn_within_strata_and_of_classes() -> None:
    people = applicants(0.3, 0.3).assign(job=lambda d: np.arange(len(d)) % 2)
    table = fs.table(fs.audit(people, "hired", "race", favorable="Yes", reference="White", strata="job"), "differences")
    assert "shown ‡" in table.to_markdown() and "‡" in table.note
    people["grade"] = np.where(people.hired == "Yes", "A", np.where(people.job == 1, "B", "C"))
    classes = fs.audit(people.drop(columns="job"), "grade", "race", reference="White")
    table = fs.table(classes, "differences")
    assert "shown ‡" in table.to_markdown() and "‡" in table.note


def people_alike(lost: int, hired: int) -> pd.DataFrame:
    """1,000 White and 300 Black people of whom 60% were hired each, and others without a race, some of them hired."""
    counts = [("White", 1, 600), ("White", 0, 400), ("Black", 1, 180), ("Black", 0, 120)]
    lines = [(g, y) for g, y, n in [*counts, (None, 1, hired), (None, 0, lost - hired)] for _ in range(n)]
    return pd.DataFrame(lines, columns=["race", "hired"]).assign(hired=lambda d: d.hired.map({1: "Yes", 0: "No"}))


@pytest.mark.parametrize("missing", ["level", "drop"])
@pytest.mark.parametrize(("lost", "hired"), [(500, 100), (500, 300), (72, 43), (60, 36), (60, 0)])
def test_where_no_gap_is_shown_many_people_without_a_group_are_in_the_first_sentence(
    missing: str, lost: int, hired: int
) -> None:
    people = people_alike(lost, hired)
    result = fs.audit(people, "hired", "race", favorable="Yes", reference="White", missing=missing)
    low, high = worst(people)
    assert low < 0 < high
    many = lost >= 0.05 * len(people)  # whether they differ or not
    (_, limits) = result.estimates.where(role="bounds", group="Black")
    ends = f"{-100 * limits.conf_low:.1f} points less and {100 * limits.conf_high:.1f} points more"
    over_all = f"among those with known race; over all who are missing the gap may lie between {ends}."
    power = "had a good chance (80%) of being shown."
    alike = "No difference is shown in how often Black people and White people had `hired = Yes`: 60.0% against 60.0%"
    first = page(result)
    for text in (result.finding(), " ".join(str(result).split())):
        assert alike in text and (over_all in text) == many
    assert (f"{power} That is among those with known race." in result.finding()) == many
    assert first["sentence"] == f"{alike}{', among those with known race' * many}."
    context = " ".join(first["context"])
    assert (f"over all who are missing the gap may lie between {ends}." in context) == many
    assert power in context and (f"{power} That is among those with known race." in context) == many
    kept = "Whether it holds over all people: those who are missing could overturn it."
    assert (kept in first["unshown"]) == many


@pytest.mark.parametrize("missing", ["level", "drop"])
def test_a_headline_that_shows_no_gap_points_to_the_bound_that_shows_one(missing: str) -> None:
    rng = np.random.default_rng(5)
    share = rng.beta(0.05, 0.05, 6000)
    black = rng.random(6000) < share
    people = pd.DataFrame({"hired": (rng.random(6000) < np.where(black, 0.2, 0.8)).astype(int), "b": share})
    people = people.assign(w=1 - share, race=np.where(black, "Black", "White"))
    known = people.groupby(["race", "hired"]).head(200).index  # as many of each: no gap among them
    people["race"] = people.race.where(people.index.isin(known))
    audit = fs.audit(people, "hired", "race", reference="White", missing=missing)
    groups = {"White": "w", "Black": "b"}
    alone = page(audit)
    without = " That is without probabilities of the groups; with these, see “Groups known as probabilities” below."
    about = "That the audit alone shows no gap is about people whose race is recorded; "
    texts = {}
    for name in ("", "race"):
        bounded = fs.group_probabilities(people, "hired", groups, known=name or None, reference="White")
        shown = bool(bounded.shown())
        texts[name] = html.unescape(fs.report(audit, bounded).html)
        both = page(audit, bounded)
        assert shown or name
        assert both["sentence"] == alone["sentence"] + without * shown
        kept = "Whether it holds over all people: those who are missing could overturn it."
        assert kept in both["unshown"] and about in texts[name]
        assert "A gap that the audit alone shows" not in texts[name]
    assert f"{about}it is about all people if chance alone decided whose race is not recorded." in texts[""]
    refuted = "it would be about all people if chance alone decided whose race is not recorded, which these data refute"
    assert f"{about}{refuted} (p <0.001)." in texts["race"]
