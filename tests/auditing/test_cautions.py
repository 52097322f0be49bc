"""Cautions, marks and columns of a summary say what is so, and only where it is so."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.auditing import result as cautions
from fairstats.auditing import sentences
from fairstats.auditing.answer import answers, distance
from fairstats.auditing.audit import audit
from fairstats.auditing.protocol import OPPOSITE
from fairstats.auditing.result import MARKS, SCORE_TABLES
from fairstats.auditing.sentences import claim_text, page_one, who_scores_higher
from fairstats.cli import run
from fairstats.errors import FairstatsWarning, InputError
from fairstats.estimates import Estimate, Estimates, verdict_text
from fairstats.metrics import shown
from fairstats.reporting.bundle import gather
from fairstats.reporting.report import context
from fairstats.text import number, p_value, percent, signed


def people(n: int = 240) -> pd.DataFrame:
    rng = np.random.default_rng(11)
    sex, race = np.where(np.arange(n) % 2, "f", "m"), rng.choice(["Blue", "Green", "Red"], n)
    chance = np.where(sex == "f", 0.3, 0.7)
    return pd.DataFrame(
        {
            "sex": sex,
            "race": race,
            "d": (rng.random(n) < chance).astype(int),
            "y": (rng.random(n) < 0.5).astype(int),
            "s": rng.normal(chance, 1, n),
        }
    )


def caution(result: fairstats.Audit) -> str:
    return " ".join(result.notes)


def test_labels_that_may_be_missing_are_beside_the_named_groups_by_any_word() -> None:
    data = {"g": ["a", "b", "n/a", "?", "-", "null", "not stated"] * 60, "d": [1, 0, 1, 0] * 105}
    result = fairstats.audit(data, "d", "g", reference="a")
    assert {row.group for row in answers(result)[0].unknown} == {"n/a", "?", "-", "null", "not stated"}
    assert "g ('-', '?', 'n/a', 'not stated', 'null')" in caution(result)


@pytest.mark.parametrize("reference", ["Blue", "race=Blue", "largest_group"])
def test_a_reference_of_one_attribute_is_refused_for_the_other(reference: str) -> None:
    row = caution(fairstats.audit(people(), "d", ["sex", "race"], reference=reference))
    assert ("Blue is no group of sex (" in row) == (reference == "Blue")
    assert ("is no group of" in row) == (reference == "Blue")


@pytest.mark.parametrize("labels", [("0", "1"), ("False", "True"), ("no", "yes")])
def test_the_decision_that_was_taken_to_help_is_named_where_nobody_declared_it(labels: tuple[str, str]) -> None:
    data = people()
    data["d"] = np.array([label == "True" for label in labels] if "True" in labels else labels)[data["d"]]
    if labels == ("no", "yes"):
        assert "is taken as the decision that helps" not in caution(fairstats.audit(data, "d", "sex", favorable="yes"))
        return
    row = caution(fairstats.audit(data, "d", "sex"))
    assert f"d = {labels[1]} is taken as the decision that helps" in row


def test_weights_that_number_the_rows_are_told_and_what_weights_are_worth() -> None:
    """Kish: the square of the sum over the sum of squares; of 1 to n it is 3n(n + 1)/(2(2n + 1))."""
    data = people().assign(w=np.random.default_rng(2).permutation(np.arange(1, 241)))
    with pytest.warns(FairstatsWarning, match="^weights='w': its values are 1 to 240, each once, as rows are numbered"):
        result = fairstats.audit(data, "d", "sex", weights="w", weight_type="probability")
    worth = round(3 * 240 * 241 / (2 * 481))
    text = f"add up to 28,920 in 240 rows; for a share of all people these are worth {worth} rows of equal weights."
    assert f"The weights w {text}" in result.notes
    data["w"] = data["w"].replace(17, 16)  # no numbering any more: nothing certain can be told
    fairstats.audit(data, "d", "sex", weights="w", weight_type="probability")
    clustered = fairstats.audit(data, "d", "sex", weights="w", weight_type="probability", clusters="race")
    assert "are worth" not in caution(clustered)


@pytest.mark.parametrize("codes", [(1, 2), (1.0, 9.0)])
def test_of_two_codes_that_are_not_0_and_1_the_headline_says_that_nobody_told_which_helps(codes: tuple) -> None:
    data = people()
    data["d"] = np.array(codes)[data["d"]]
    result = fairstats.audit(data, "d", "sex")
    other = f"{codes[1]:g}"
    wording = (
        f"d is coded 1 and {other}, and nothing says which of the two helps the person: 1 was taken. If {other} does, "
        f"every gap goes the other way; pass favorable={other!r}."
    )
    assert wording in result.finding() and wording in result.notes and "is taken as" not in caution(result)
    assert wording in " ".join(str(result).split())
    turned = fairstats.audit(data, "d", "sex", favorable=codes[1])
    assert "is coded" not in turned.finding() + caution(turned)
    gaps = [one.estimates.where(metric="selection rate", contrast="difference")[0].estimate for one in (result, turned)]
    assert gaps[0] == pytest.approx(-gaps[1])
    assert context(gather([result], None, ""))["findings"]["sentence"].endswith(wording)


def test_the_other_of_two_labels_is_the_other_one_in_the_same_spelling() -> None:
    for label, other in OPPOSITE.items():
        assert OPPOSITE[other] == label != other
        assert label.isupper() == other.isupper() and label.isdigit() == other.isdigit()
        assert {label.lower(), other.lower()} in ({"0", "1"}, {"true", "false"})


def test_every_kind_of_answer_has_its_sentence() -> None:
    kinds = ["less", "more", "times", "equal", "equal less", "equal more", "all equal", "unknown", "all unknown"]
    assert list(sentences.SPOKEN) == kinds
    for kind, text in sentences.SPOKEN.items():
        assert ("within the margin" in text) == ("equal" in kind) and "{numbers}" in text
        assert any(part in text for part in ("No difference", "None of")) == ("unknown" in kind)
        if kind in ("less", "more"):
            assert f" {kind} often" in text


@pytest.mark.parametrize("missing", ["level", "drop"])
def test_missing_groups_are_a_caution_from_five_per_cent(missing: str) -> None:
    for lost, text in ((4, False), (5, True), (30, True)):
        data = pd.DataFrame({"g": ["a", "b"] * 50, "d": [0, 1, 1, 0] * 25})
        data.loc[: lost - 1, "g"] = None
        notes = " ".join(fairstats.audit(data, "d", "g", missing=missing).notes)
        assert (f"The group is not known for {lost} people ({lost}.0%, by g)" in notes) == text
    hidden = " ".join(fairstats.audit(data.iloc[24:], "d", "g", missing=missing, min_n=10).notes)
    assert "not known for" not in hidden  # six people, of a suppressed group


@pytest.mark.parametrize("status", ["unestimable", "suppressed"])
@pytest.mark.parametrize("reason", ["", "no positives"])
def test_what_is_not_estimated_is_counted_by_name_with_a_reason_where_there_is_one(status: str, reason: str) -> None:
    rows = Estimates(Estimate("FPR", "g", status="ok" if i else status, reason="" if i else reason) for i in range(5))
    text = cautions._withheld(rows, status)
    assert text.startswith("1 of 5 estimates are " + {"unestimable": "not estimable"}.get(status, status))
    assert (f"(for example: {reason})" in text) == bool(reason)
    assert cautions._withheld(rows, {"unestimable": "suppressed"}.get(status, "unestimable")) == ""


def test_a_row_without_a_p_value_is_as_far_as_one_whose_p_is_1() -> None:
    row = Estimate("FPR", contrast="difference", conf_low=0.1, conf_high=0.3)
    assert distance(row) == (0.1, 0.0)


def test_an_area_is_higher_or_lower_as_its_difference_says() -> None:
    data = people(900)
    shift = np.where((data["sex"] == "f") & (data["y"] == 1), 1.5, 0.0)
    result = fairstats.audit(data.assign(s=data["s"] + shift), outcome="y", score="s", groups="sex")
    rows = result.estimates.only(metric="AUC", contrast="difference", status="ok")
    assert rows
    for row in rows:
        text = claim_text(result, row)
        assert (" higher in " in text) == (row.estimate > 0) and (" lower in " in text) == (row.estimate < 0)


def test_numbers_of_people_stand_below_each_other_beside_scores() -> None:
    data = pd.concat([people(1400), people(14)]).assign(
        race=["Blue"] * 1300 + ["Red"] * 100 + ["Green"] * 14,
    )
    lines = fairstats.audit(data, score="s", groups="race", reference="Blue").summary().splitlines()
    rows = [line for line in lines if re.match(r"  (Red|Green) +[\d,]+ +0\.\d+ ", line)]
    assert len(rows) == 2
    assert len({re.match(r"  \w+ +[\d,]+", line).end() for line in rows}) == 1


@pytest.mark.parametrize("groups", ["sex", ["sex", "sex:race"]])
def test_a_summary_says_where_the_other_rates_are_only_if_it_left_some_out(groups: str | list[str]) -> None:
    text = fairstats.audit(people(), "d", groups, outcome="y").summary()
    assert "the other rates of sex are in tidy()" not in text
    assert ("the other rates of sex:race are in tidy()" in text) == (groups != "sex")


def test_three_withheld_cells_are_named_and_the_rest_counted() -> None:
    data = people()
    data["place"] = [f"ward {i % 30}" for i in range(len(data))]
    tally = fairstats.tally(data, "d", ["sex", "place"]).withhold(8)
    text = next(note for note in fairstats.audit(tally, "d", ["sex", "place"]).notes if "withheld" in note)
    cells = int(re.search(r"withheld: (\d+), of", text)[1])
    listed, more = re.search(r"others\): (.+) and (\d+) more\. The rows", text).groups()
    assert len(re.findall(r"ward \d+", listed)) == 3 and cells == 3 + int(more)


def test_the_legend_explains_the_letters_that_stand_behind_the_rows() -> None:
    for margin, p_adjust in ((None, "bonferroni"), (0.3, "bonferroni"), (None, "bh")):
        text = fairstats.audit(people(), "d", "sex", margin=margin, p_adjust=p_adjust).summary()
        legend = " ".join(text[text.index("Verdicts, read from") :].split())
        for verdict, letter in MARKS.items():
            absent = {"D" if p_adjust == "bh" else "F", *("E" * (margin is None))}
            assert not verdict or (f"{letter} {verdict_text(verdict)}" in legend) == (letter not in absent)
        assert re.search(
            rf"^  Men +\d+/\d+ .*0.001 {'F' if p_adjust == 'bh' else 'D' if margin is None else '[DE?]'}$", text, re.M
        )


def test_an_odds_ratio_that_no_stratum_gives_has_a_reason() -> None:
    data = people().assign(court=lambda t: "of " + t["sex"])
    result = fairstats.audit(data, "d", "sex", strata="court")
    row = result.estimates.only(metric="common odds ratio")[0]
    assert row.status != "ok"
    assert f"common odds ratio not estimable: {row.reason}" in " ".join(result.summary().split())


@pytest.mark.parametrize(("shares", "margin"), [((0.5, 0.5), 0.3), ((0.3, 0.8), None), ((0.8, 0.3), None)])
def test_an_answer_of_words_begins_with_a_capital_letter(shares: tuple[float, float], margin: float | None) -> None:
    rows = [(g, int(i < share * 400)) for g, share in zip("ab", shares, strict=True) for i in range(400)]
    words = {"unit": "applicants", "favorable": "were hired", "unfavorable": "were not hired"}
    data = pd.DataFrame(rows, columns=["g", "d"])
    text = fairstats.audit(data, "d", "g", favorable=1, labels=words, margin=margin).finding()
    assert text.startswith("Applicants whose g is ") and ("about equally often" in text) == (margin is not None)


def test_the_random_pair_is_of_the_two_groups_of_the_answer() -> None:
    rng = np.random.default_rng(3)
    g = np.repeat(["a", "b", "c"], [90, 80, 70])
    s = rng.normal(np.select([g == "a", g == "b"], [0.0, 0.3], 1.2), 1)
    y = rng.integers(0, 2, 240)
    result = fairstats.audit({"g": g, "s": s, "y": y}, score="s", groups="g", reference="a", outcome="y")
    wording = who_scores_higher(result, page_one(result), answers(result))
    one, two = re.search(r"^People with `g` (\w) tend to have a higher s than those with (\w): ", wording).groups()
    higher = np.sign(s[g == one][:, None] - s[g == two][None, :])
    assert f"the higher one in {100 * (0.5 + higher.mean() / 2):.0f} of 100 random pairs (95% interval " in wording


@pytest.mark.parametrize("more", [0, 1, 2])
def test_groups_past_the_twelfth_are_counted(more: int) -> None:
    data = pd.DataFrame({"g": [f"g{i % (12 + more):02d}" for i in range(420)], "d": [0, 1, 1] * 140})
    text = fairstats.audit(data, "d", "g").summary()
    wording = f"  … and {more} more group{'' if more == 1 else 's'}, all in tidy()"
    assert (wording in text.splitlines()) == (more > 0)


def test_names_of_any_length_leave_lines_of_scores_within_80_columns() -> None:
    rng = np.random.default_rng(1)
    names = np.array(["a name that goes on " + "and on " * n + "to its end" for n in (1, 4, 6, 8)])
    result = fairstats.audit({"g": names[np.arange(400) % 4], "s": rng.normal(size=400)}, score="s", groups="g")
    assert max(map(len, result.summary().splitlines())) <= 80


def test_the_highest_rate_is_of_the_groups_that_count_where_one_of_several_has_more() -> None:
    rows = [("a", 300, 500), ("b", 200, 490), ("c", 250, 480), ("few", 9, 10)]
    people = pd.DataFrame([(g, int(i < k)) for g, k, n in rows for i in range(n)], columns=["g", "d"])
    text = " ".join(fairstats.audit(people, "d", "g").summary().split())
    assert "the highest rate of groups with 2% of the people or more: " in text
    without = people[people["g"] != "few"]
    assert "of groups with 2%" not in " ".join(fairstats.audit(without, "d", "g").summary().split())


def test_small_intersections_are_counted_and_small_groups_named() -> None:
    data = people().assign(race=lambda t: np.where(t.index < 9, "Red", np.where(t.index % 3, "Blue", "Green")))
    row = caution(fairstats.audit(data, "d", ["race", "sex:race"]))
    cells = data.groupby(["sex", "race"]).size()
    assert "Groups of fewer than 30 people: Red (9). " in row
    assert f"{(cells < 30).sum()} of {cells.size} intersections have fewer than 30 people" in row
    assert "m:Red (" not in row and "f:Red (" not in row


def test_every_line_of_a_table_is_the_row_that_it_is_of() -> None:
    result = fairstats.audit(people(), "d", "race", outcome="y", score="s", min_n=5)
    text = " ".join(result.summary().split())
    for row in result.estimates.only(role="main", status="ok", contrast="none"):
        if row.metric in shown("summary"):
            interval = f"{percent(row.conf_low)} to {percent(row.conf_high)}"
            assert f"{row.group} {row.events:.0f}/{row.n:.0f} {percent(row.estimate)} {interval}" in text
        elif (row.metric, "none") in SCORE_TABLES:
            interval = f"{number(row.conf_low, 3)} to {number(row.conf_high, 3)}"
            assert f"{row.group} {row.n:.0f} {number(row.estimate, 3)} {interval}" in text
    for row in result.estimates.only(role="main", status="ok", contrast="difference"):
        if row.metric in shown("summary"):
            interval = f"{signed(100 * row.conf_low)} to {signed(100 * row.conf_high)}"
            assert f"{signed(100 * row.estimate)} {interval} {p_value(row.p_adjusted, '')}" in text
        elif (row.metric, "difference") in SCORE_TABLES:
            interval = f"{number(row.conf_low, 3)} to {number(row.conf_high, 3)}"
            assert f"{row.group} {row.n:.0f} {number(row.estimate, 3)} {interval}" in text


def test_a_line_without_numbers_says_in_a_word_why() -> None:
    data = people().assign(race=lambda t: np.where(t.index < 9, "Red", np.where(t.index % 3, "Blue", "Green")))
    result = fairstats.audit(data, "d", "race", min_n=20)
    (row,) = result.estimates.where(metric="selection rate", contrast="none", group="Red", role="main")
    lines = [" ".join(line.split()) for line in result.summary().splitlines()]
    assert any(line.startswith(f"Red withheld: {row.reason}"[:60]) for line in lines)
    assert "Rates: Wilson intervals. Differences: score intervals" in " ".join(result.summary().split())
    weighted = fairstats.audit(data.assign(w=1.5), "d", "race", weights="w", weight_type="probability").summary()
    clustered = fairstats.audit(data.assign(c=lambda t: t.index // 4), "d", "race", clusters="c").summary()
    assert all("Wilson intervals on effective sizes" in " ".join(one.split()) for one in (weighted, clustered))


def test_an_area_and_its_difference_count_the_people_and_the_positives_of_the_group() -> None:
    data = people().assign(y=lambda t: (t.index % 3 == 0).astype(int))
    rows = fairstats.audit(data, outcome="y", score="s", groups="race", reference="Blue").estimates.only(metric="AUC")
    assert {row.contrast for row in rows} == {"none", "difference"}
    for row in rows:
        current = data[data["race"] == row.group]
        assert (row.n, row.events) == (len(current), current["y"].sum()) and row.events != row.n - row.events


def test_rows_behind_weighted_numbers_are_printed_where_nothing_is_hidden() -> None:
    table = people().assign(w=np.linspace(1, 9, 240))
    reported = "Rows behind them, by sex: "
    row = caution(fairstats.audit(table, "d", "sex", weights="w", weight_type="probability"))
    result = re.search(reported + r"(\w) \((\d+)\), (\w) \((\d+)\)\.", row)
    assert result and {result[1]: int(result[2]), result[3]: int(result[4])} == table.sex.value_counts().to_dict()
    assert reported not in caution(fairstats.audit(table, "d", "sex"))
    table["person"] = np.arange(240) // 3 * 10 + (table["sex"] == "f")
    clustered = fairstats.audit(table, "d", "sex", weights="w", weight_type="probability", clusters="person")
    found = dict(re.findall(r"(\w) \(\d+ and (\d+)\)", caution(clustered)))
    assert {k: int(n) for k, n in found.items()} == table.groupby("sex")["person"].nunique().to_dict()
    assert "Rows behind them, and clusters (person), by sex: " in " ".join(str(clustered).split())
    assert "dahinter und Cluster (person)" in fairstats.report(clustered, language="de").html
    assert reported not in caution(fairstats.audit(table, "d", "sex", weights="w", weight_type="probability", min_n=5))


def test_weights_of_a_sample_are_not_taken_for_counts_without_a_word():
    rng = np.random.default_rng(0)
    g, d = np.repeat(["a", "b"], 100), rng.integers(0, 2, 200)
    weights = np.round(1000 * np.exp(rng.normal(0, 1, 200))).astype(int)
    notes = audit({"g": g, "d": d, "w": weights}, "d", "g", weights="w").notes
    (text,) = [note for note in notes if "weight_type='probability'" in note]
    assert f"{weights.sum():,} people in 200 rows" in text
    arguments = {"decision": "d", "groups": "g", "weights": "w"}
    sampled = audit({"g": g, "d": d, "w": weights}, **arguments, weight_type="probability").notes
    cells = {"g": ["a", "a", "b", "b"] * 3, "d": [0, 1] * 6, "w": range(100, 1300, 100)}  # three months of counts
    ones = {"g": g, "d": d, "w": np.ones(200, int)}
    for notes in (sampled, audit(cells, **arguments).notes, audit(ones, **arguments).notes):
        assert not any("weight_type" in note for note in notes)


@pytest.mark.parametrize("reference", ["highest_rate", {"sex": "highest_rate"}])
def test_an_adjustment_that_is_not_used_is_said(reference) -> None:
    notes = {
        p_adjust: caution(fairstats.audit(people(), "d", "sex", reference=reference, p_adjust=p_adjust))
        for p_adjust in ("bonferroni", "bh")
    }
    assert "the declared adjustment (bh) is not used there" in notes["bh"]
    assert "is not used there" not in notes["bonferroni"] + caution(
        fairstats.audit(people(), "d", "sex", p_adjust="bh")
    )


@pytest.mark.parametrize(("outcome", "copied"), [([0, 1, 1, 0], True), ([1, 0, 0, 1], True), ([1, 0, 1, 1], False)])
def test_a_decision_that_copies_the_outcome_is_said(outcome: list[int], copied: bool) -> None:
    data = {"g": ["a", "b", "c"] * 60, "d": [0, 1, 1, 0] * 45, "y": outcome * 45}
    notes = fairstats.audit(data, "d", "g", outcome="y").notes
    assert any("d and y say the same of everybody" in note for note in notes) == copied


def test_a_blank_label_is_a_missing_one_as_in_a_file() -> None:
    table = pd.DataFrame({"g": ["a", "b", "", "  ", None] * 20, "d": ["yes", "no"] * 49 + [" ", ""]})
    result = audit(table, decision="d", groups="g", favorable="yes")
    assert [cell.group for cell in result.cells] == ["a", "b", "(missing)"]
    assert result.estimates.where(metric="selection rate", contrast="none").column("n")[:3] == [20, 20, 58]
    table["s"] = table.d.eq("yes").astype(int)
    rows = fairstats.stages(table, ["s"], "g").estimates
    assert {row.group for row in rows} == {"a", "b"}
    assert {row.group for row in fairstats.proxies(table, "g", features=["s"], missing="level").estimates} == {
        "a",
        "b",
        "(missing)",
    }


@pytest.mark.parametrize("pay", [None, "pay"])
def test_a_label_that_may_mean_missing_qualifies_the_answer_itself_once(pay) -> None:
    g = np.repeat(["White", "Black", "Unknown"], 200)
    data = {"g": g, "d": (np.arange(600) % 10 < np.repeat([6, 3, 5], 200)).astype(int), "pay": np.arange(600) % 7 + 1.0}
    result = audit(data, "d", "g", amount=pay)
    assert result.finding().count("group is not known are groups like any other: g ('Unknown').") == 1
    assert " ".join(str(result).split()).count("may mean that the group is not known") == 1
    emptied = audit({**data, "g": [None if one == "Unknown" else one for one in g]}, "d", "g", amount=pay)
    assert "may mean" not in emptied.finding()


@pytest.mark.long
@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ("White Black Other/Unknown", r"may mean that the group is not known .*: g \('Other/Unknown'\)"),
        ("White Black Known", r"may hold people of other groups .*: g \('Known'\)"),
        ("White Black All_minorities", r"may hold people of other groups .*: g \('All minorities'\)"),
        ("White Black Total Unknown", r"\('Unknown'\).*may hold people of other groups .*: g \('Total'\)"),
        ("White Black All_others", ""),
        ("White Minorities", ""),
    ],
)
def test_labels_that_are_no_group_are_a_caution_wherever_groups_are_compared(labels, words) -> None:
    g = np.repeat([label.replace("_", " ") for label in labels.split()], 20)
    table = pd.DataFrame({"g": g, "d": np.arange(g.size) % 2})
    results = [
        fairstats.stages(table, ["d"], "g").statements,
        fairstats.representation(table, "g", benchmark={"White": 0.5}).statements,
        fairstats.proxies(table, "g").statements,
        audit(table, decision="d", groups="g").notes,
    ]
    for found in results:
        text = " ".join(found)
        assert re.search(words, text) and bool(words) == ("may hold people" in text or "may mean that" in text)


@pytest.mark.parametrize("columns", [["dec"], ["dec", "truth"]])
def test_every_rate_and_error_is_printed_where_there_are_errors(columns: list[str]) -> None:
    rows = [("f", "yes", "yes", 20), ("f", "no", "yes", 40), ("f", "no", "no", 40)]
    rows += [("m", "yes", "yes", 55), ("m", "no", "yes", 5), ("m", "no", "no", 40)]
    table = pd.DataFrame(rows, columns=["g", "dec", "truth", "n"])
    options = dict(zip(("decision", "outcome"), columns, strict=False))
    labels = {"favorable": "yes"} | ({"positive": "yes"} if len(columns) > 1 else {})
    lines = str(audit(table, groups="g", weights="n", reference="m", **options, **labels)).splitlines()
    assert ("mistaken refusals (FNR)" in " ".join(lines)) == (len(columns) > 1)
    line = next(line for line in lines if line.startswith("  f "))
    assert len(lines) <= 25 and (
        re.search(r"100 20\.0 −35\.0 \(.*\) D 66\.7 D +0\.0 \? +20/20 \?$", line) or len(columns) == 1
    )


@pytest.mark.long
def test_what_is_printed_agrees_with_the_summary_the_command_and_page_one(tmp_path, capsys):
    """Of each declared attribute every error with its mark: a dagger where page one calls it tentative."""
    rng = np.random.default_rng(4)
    data = pd.DataFrame({"sex": rng.choice(["f", "m"], 9000), "race": rng.choice(list("klnopqrs"), 9000)})
    data["truth"] = rng.integers(0, 2, 9000)
    less = 0.15 * (data.sex == "f") + 0.07 * (data.race == "n")
    data["dec"] = (rng.random(9000) < 0.4 + 0.2 * data.truth - less).astype(int)
    references = {"race": "l", "sex": "m"}
    result = audit(data, "dec", ["sex", "race"], outcome="truth", intersections=False, reference=references)
    lines, page = str(result).splitlines(), page_one(result)
    assert page is not None and max(map(len, lines)) <= 80
    rates = {
        "FPR": data[data.truth == 0].assign(hit=lambda x: x.dec == 1),
        "FNR": data[data.truth == 1].assign(hit=lambda x: x.dec == 0),
        "PPV": data[data.dec == 1].assign(hit=lambda x: x.truth == 1),
    }
    marks = set()
    for attribute, group in [("sex", "f"), *(("race", g) for g in "knopqrs")]:
        start = f"  {'Women' if attribute == 'sex' else group} "
        cells = next(line for line in lines if line.startswith(start)).split(") ")[1].split()
        assert [float(cell) for cell in cells[1::2]] == [
            pytest.approx(100 * rates[m][rates[m][attribute] == group].hit.mean(), abs=0.051)
            for m in ("FNR", "FPR", "PPV")
        ]
        for metric, mark in zip(("FNR", "FPR", "PPV"), cells[2::2], strict=True):
            about = {"metric": metric, "attribute": attribute, "group": group, "contrast": "difference", "role": "main"}
            row = result.estimates.only(**about)[0]
            marks.add(mark)
            assert (mark == "D") == sentences.shown(row, page.level) and (mark in "D\N{DAGGER}") == (
                row.verdict == "disparity shown"
            )
    assert marks == {"D", "\N{DAGGER}", "?"}
    table = lines[next(i for i, line in enumerate(lines) if line.startswith("In %")) : -2]
    assert "\n".join(table) in result.summary()
    data.to_csv(tmp_path / "x.csv", index=False)
    line = ["audit", str(tmp_path / "x.csv"), "--groups", "sex,race", "--decision", "dec", "--outcome", "truth"]
    line += ["--reference", "race=l", "--reference", "sex=m", "--intersections", "none"]
    for more in ([], ["--brief"], ["--to", str(tmp_path / "x.json")]):
        assert run([*line, *more]) == 0
        assert "\n".join(table) in capsys.readouterr().out


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (["yes", "no", "Total"], "d ('Total')"),
        (["yes", "no", "Declined"], ""),
    ],
)
def test_classes_that_may_be_no_class_are_a_caution(labels: list[str], words: str) -> None:
    table = pd.DataFrame({"g": ["a", "b"] * 60, "d": np.repeat(labels, 40)})
    assert ("classes like any other: " + words in caution(audit(table, decision="d", groups="g"))) == bool(words)


def clustered(sizes: list[int]) -> pd.DataFrame:
    """People of two groups in clusters of these sizes, whose rates differ."""
    rng = np.random.default_rng(5)
    c = np.repeat(np.arange(len(sizes)), sizes)
    shares = (0.5 + 0.1 * rng.standard_normal(len(sizes)))[c]
    return pd.DataFrame({"c": c, "g": rng.choice(["a", "b"], c.size), "d": (rng.random(c.size) < shares).astype(int)})


@pytest.mark.parametrize(
    ("sizes", "few"), [([200] * 8, True), ([1400, *[60] * 11], True), ([200] * 12, False), ([40] * 60, False)]
)
def test_few_clusters_are_a_caution_with_the_degrees_of_freedom_of_the_rows(sizes: list[int], few: bool) -> None:
    data = clustered(sizes)
    result = fairstats.audit(data, "d", "g", clusters="c", reference="a")
    row = result.tidy().query("contrast == 'difference' and role == 'main'").iloc[0]
    assert row["df"] < len(sizes) - 1 + 1e-9 and bool(row["df"] < 9) is few
    words = f"{len(sizes)} clusters, and {row['df']:.1f} degrees of freedom where there are fewest (b against a)"
    assert (words in caution(result)) is few
    assert (words in " ".join(str(result).split())) is few
    assert (f"{row['df']:.1f} degrees of freedom" in fairstats.report(result).html) is few
    assert "degrees of freedom where" not in caution(fairstats.audit(data, "d", "g"))


@pytest.mark.parametrize("labels", [["yes", "Yes", "no"], ["yes", "yes ", "no"], ["yes", "YES"]])
def test_a_chosen_label_with_two_spellings_is_refused_wherever_one_is_set_against_the_rest(labels: list[str]) -> None:
    table = pd.DataFrame({"g": ["a", "b"] * 60, "d": np.repeat(labels, 120 // len(labels)), "month": 202401})
    table["o"], table["block"], table["p"] = table["d"], np.arange(120) // 2, 0.5
    whole = table.assign(d=table["d"].str.strip().str.lower())
    calls = [
        lambda x: fairstats.audit(x, "d", "g", favorable="yes"),
        lambda x: fairstats.audit(x, score="p", outcome="d", groups="g", positive="yes"),
        lambda x: fairstats.monitor(x, "d", "g", favorable="yes"),
        lambda x: fairstats.matched_pairs(x, "d", "g", "block", favorable="yes"),
        lambda x: fairstats.group_probabilities(x.assign(q=0.5), "d", {"a": "p", "b": "q"}, favorable="yes"),
        lambda x: fairstats.decompose(x, decision="d", groups="g", explained_by="~ block", favorable="yes"),
    ]
    for call in calls:
        with pytest.raises(fairstats.InputError, match=r"'yes'; 'd' spells it in 2 ways .*write it in one way"):
            call(table)
    assert calls[0](whole).estimates.where(metric="selection rate")


def test_missing_answers_beside_a_chosen_label_are_a_caution_wherever_it_is_set_against_the_rest() -> None:
    table = pd.DataFrame({"g": ["a", "b"] * 60, "d": np.repeat(["yes", "no", "No", "n/a"], 30), "month": 202401})
    table["x"], table["p"] = np.arange(120) % 7, 0.5
    found = audit(table, "d", "g", favorable="yes")
    results = [
        found.notes,
        fairstats.monitor(table, "d", "g", favorable="yes").statements,
        fairstats.group_probabilities(table.assign(q=0.5), "d", {"a": "p", "b": "q"}, favorable="yes").statements,
        fairstats.decompose(table, decision="d", groups="g", explained_by="~ x", favorable="yes").statements,
    ]
    for lines in results:
        assert any(line.startswith("Labels that may be missing values") and "d ('n/a')" in line for line in lines)
    assert "count like any label" in " ".join(str(found).split())
    assert fairstats.report(found).html.count("count like any label") == 2  # page one and the data
    assert "zählen wie jede" in fairstats.report(found, language="de").html
    assert "count like any" not in caution(audit(table[table["d"] != "n/a"], "d", "g", favorable="yes"))


@pytest.mark.parametrize(
    ("codes", "others"),
    [
        ([-99], [0, 1]),
        ([9], [1, 2]),
        ([-1], [1, 2, 3]),
        ([98, 99], [10, 20]),
        (["-99"], ["f", "m"]),
        (["8", "9"], ["f", "m"]),
    ],
)
def test_codes_of_missing_values_are_a_caution_in_the_first_lines_and_on_page_one(
    codes: list[object], others: list[object]
) -> None:
    table = pd.DataFrame({"g": ["a", "b"] * 60, "d": np.arange(120) % 2, "of": np.resize([*others, *codes], 120)})
    named = ", ".join(f"'{code}'" for code in codes)
    classes, groups = audit(table, "of", "g"), audit(table, "d", "of")
    one = audit(table, "of", "g", favorable=str(others[0]))
    for result, words in (
        (classes, "are classes like any other"),
        (groups, "groups like any other"),
        (one, "missing values"),
    ):
        head = " ".join(str(result).split())
        assert words in head, result.notes
        assert f"of ({named})" in head
    page = fairstats.report(classes).html
    assert page.count("are classes like any other") == 2  # page one and the data
    whole = table.assign(of=table["of"].where(~table["of"].isin(codes)))
    assert "groups like any other" not in caution(audit(whole, "d", "of"))


@pytest.mark.parametrize(
    "labels",
    [
        ["f", "m", 2],
        ["18-29", "30-98", 99],
        ["f", -99],
        [-1, 0, 1],
        [-1, 1],
        [*range(10)],
        [0, 1, 8],
        [-9, 0, 9],
        [0, 5, 9],
    ],
)
def test_whole_numbers_that_are_near_each_other_are_no_codes(labels: list[object]) -> None:
    table = pd.DataFrame({"g": np.resize(labels, 120), "d": np.repeat([0, 1], 60)})
    assert "may mean" not in caution(audit(table, "d", "g"))


def test_groups_in_two_spellings_are_named_where_an_audit_is_printed_and_where_they_are_watched() -> None:
    table = pd.DataFrame({"g": ["White", "white", "Black"] * 40, "d": np.arange(120) % 2, "month": 202401})
    words = "apart: g ('White', 'white')."
    assert words in " ".join(str(audit(table, "d", "g")).split())
    assert any(words in line for line in fairstats.monitor(table, "d", "g").statements)


def test_one_group_in_three_spellings_is_a_caution_beside_every_comparison_of_groups() -> None:
    people = pd.DataFrame(
        {"sex": ["f", "m", "Female", "f "] * 60, "d": [1, 0, 1, 1, 0] * 48, "e": [1, 0, 0, 1, 0] * 48}
    )
    alike = "may be one in several spellings are audited apart: sex ("
    result = fairstats.audit(people, "d", "sex")
    models = fairstats.compare_models(people, models=["d", "e"], groups="sex")
    for one in (result, models, fairstats.subgroup_scan(people, "d", "sex"), *fairstats.local_law_144(result)):
        _, named = " ".join(str(one).split()).split(alike)
        assert set(named.split(")")[0].split(", ")) == {"'f'", "'Female'", "'f '"}, type(one)
    for one in (result, models, fairstats.subgroup_scan(people, "d", "sex")):
        page = unescape(fairstats.report(one).html).split("</section>")[0]
        assert "may be one in several spellings" in " ".join(page.split()), type(one)
    assert "\n  f    " in result.summary()  # two lines of one look have two names
    assert '| "f " |' in fairstats.table(result).to_markdown()


def test_whole_rows_that_stand_there_twice_are_counted_where_a_column_tells_people_apart() -> None:
    rng = np.random.default_rng(3)
    people = pd.DataFrame({"g": rng.choice(["a", "b"], 400), "d": rng.integers(0, 2, 400), "id": np.arange(400)})
    scored = people.assign(id=rng.normal(size=400))
    few = people.assign(id=[*range(300), *[None] * 100])  # a missing value is that of many
    for table, n in ((people, 400), (people, 7), (people, 1), (scored, 400), (scored, 2), (few, 7)):
        result = fairstats.audit(pd.concat([table, table[:n]]), "d", "g")
        counted = f"id included, which tells all others apart: {n} of {400 + n}. If"
        for text in (str(result), result.summary(), unescape(fairstats.report(result).html)):
            assert counted in " ".join(text.split())
    twice = pd.concat([people, people])
    assert not any("earlier one" in note for note in fairstats.audit(twice, "d", "g", clusters="id").notes)
    other = pd.concat([people, people.assign(d=1 - people["d"])])  # two decisions on everybody
    rounded = people.assign(id=rng.integers(0, 300, 400))
    once = pd.concat([scored, scored[:1]])  # two equal scores
    unnamed = pd.concat([few, few[300:303]])
    for table in (
        people,
        twice.drop(columns="id"),
        other,
        rounded,
        once,
        few,
        unnamed,
    ):  # what repeats by nature is no fault
        assert not any("earlier one" in note for note in fairstats.audit(table, "d", "g").notes)


def test_a_label_that_ends_with_a_blank_is_in_quotes_wherever_it_stands() -> None:
    rng = np.random.default_rng(3)
    people = pd.DataFrame({"g": rng.choice(["xx ", "yy ", "z"], 900, p=[0.5, 0.3, 0.2]), "d": rng.integers(0, 2, 900)})
    people["pay"] = np.exp(rng.normal(size=900))
    results = fairstats.audit(people, "d", "g", law="employment"), fairstats.audit(people, amount="pay", groups="g")
    for one in results:
        pages = re.sub(r"(?s)<(script|style|svg).*?</\1>|<[^>]+>", "", fairstats.report(one).html)
        for text in (str(one), one.summary(), one.finding(), unescape(pages)):
            assert re.search('"xx\\s"', text) and not re.findall(
                r"""(?<!["'])(?:xx|yy)\b|\b(?:xx|yy)(?!\s*["'])""", text
            )


def test_a_chosen_label_of_three_is_set_against_all_others_in_every_study() -> None:
    rng = np.random.default_rng(8)
    table = pd.DataFrame({"g": rng.choice(["a", "b"], 300), "month": rng.integers(202401, 202404, 300), "p": 0.4})
    table["d"], table["e"] = rng.choice(["yes", "no", "later"], 300), rng.choice(["yes", "no"], 300)
    coded = table.assign(d=(table["d"] == "yes").astype(int), e=(table["e"] == "yes").astype(int), q=0.6)
    table["q"] = 0.6
    studies = [
        lambda x, **label: fairstats.monitor(x, "d", "g", **label),
        lambda x, **label: fairstats.group_probabilities(x, "d", {"a": "p", "b": "q"}, **label),
        lambda x, **label: fairstats.compare_models(x, ["d", "e"], "g", **label),
    ]
    for study in studies:
        ours, theirs = (found.tidy()["estimate"] for found in (study(table, favorable="yes"), study(coded)))
        np.testing.assert_allclose(ours, theirs)
        with pytest.raises(fairstats.InputError, match=r"3 values .*to set 'later' against all others"):
            study(table)


def test_a_score_that_is_given_as_the_decision_is_asked_about_and_not_listed(tmp_path, capsys) -> None:
    people = pd.DataFrame({"sex": ["f", "m"] * 200, "score": np.arange(400, 800)})
    (note,) = (x for x in fairstats.audit(people, "score", "sex", favorable=600).notes if "set against" in x)
    assert len(note) < 300 and "and 394 more" in note
    assert "pass score='score' and threshold=600 in place of it" in note
    people.to_csv(tmp_path / "s.csv", index=False)
    run(["audit", str(tmp_path / "s.csv"), "--groups", "sex", "--decision", "score", "--favorable", "600"])
    assert "pass --score score and --threshold 600 in place" in " ".join(capsys.readouterr().out.split())


def test_labels_that_a_chosen_one_is_set_against_are_named() -> None:
    people = {"sex": ["f", "m"] * 60, "hired": ["yes", "no", "later"] * 40}
    notes = fairstats.audit(people, "hired", "sex", favorable="yes").notes
    assert "In hired yes is set against all other labels: later, no." in notes
    many = {**people, "hired": [f"reason {i % 12}" for i in range(120)]}
    (note,) = (x for x in fairstats.audit(many, "hired", "sex", favorable="reason 1").notes if "set against" in x)
    assert note.endswith(" and 6 more.") and "score" not in note
    both = {**people, "hired": ["yes", "no"] * 60}
    assert not any("set against" in note for note in fairstats.audit(both, "hired", "sex", favorable="yes").notes)


def test_few_clusters_whose_labels_stand_in_several_strata_have_a_caution_that_names_the_way_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(3)
    table = pd.DataFrame({"g": rng.choice(["a", "b"], 480), "d": rng.integers(0, 2, 480), "w": rng.uniform(1, 2, 480)})
    table["stratum"], table["unit"] = np.repeat(np.arange(6), 80), np.tile(np.repeat([1, 2, 3, 4], 20), 6)
    few = audit(table, "d", "g", weights="w", weight_type="probability", strata="stratum", clusters="unit")
    assert "Labels of unit stand in several strata of stratum" in caution(few)
    assert "pass fairstats.survey_design with nest=True" in " ".join(str(few).split())
    assert "Labels of unit stand in several strata, and each counts as one cluster; where" in few.finding()
    table.to_csv(tmp_path / "survey.csv", index=False)
    words = "--groups g --decision d --weights w --weight-type probability --strata stratum --clusters unit --brief"
    assert run(["audit", str(tmp_path / "survey.csv"), *words.split()]) == 0
    assert "pass --design KEY=COLUMN with --design nest=true" in " ".join(capsys.readouterr().out.split())
    table["own"] = table.stratum.astype(str) + "-" + table.unit.astype(str)
    own = audit(table, "d", "g", weights="w", weight_type="probability", strata="stratum", clusters="own")
    assert "several strata" not in caution(own) + own.finding()
    design = fairstats.survey_design(weights="w", strata="stratum", clusters="unit", nest=True)
    nested = audit(table, "d", "g", design=design)
    assert 17 < nested.estimates[0].df < 24 - 6 and few.estimates[0].df <= 4 - 1
    assert "several strata" not in caution(nested)


def test_codes_among_numbers_and_labels_of_no_stratum_are_a_caution() -> None:
    rng = np.random.default_rng(4)
    table = pd.DataFrame({"g": rng.choice(["a", "b"], 300), "d": rng.integers(0, 2, 300)})
    table["s"], table["decile"] = rng.normal(50, 9, 300).round(1), rng.integers(1, 11, 300)
    table["job"] = rng.choice(["x", "y"], 300)
    whole = [audit(table, groups="g", score="s"), audit(table, groups="g", score="decile")]
    whole += [audit(table, "d", "g", strata="job"), audit(table, groups="g", amount="s")]
    assert not any("missing value" in caution(result) for result in whole)
    table.loc[:7, ["s", "decile", "job"]] = [-99, -1, "n/a"]
    for column, code in (("s", -99), ("decile", -1)):
        for measure in ("score", "amount"):
            found = audit(table, groups="g", **{measure: column})
            assert f"count like any other: {column} ('{code}')." in caution(found)
            assert "count like any other" in " ".join(str(found).split())
            assert "count like any other" not in caution(audit(table, groups="g", min_n=5, **{measure: column}))
    page = fairstats.report(audit(table, groups="g", score="s"), language="de").html
    assert "zählen wie jede andere" in page
    within = audit(table, "d", "g", strata="job")
    assert "may be missing values are strata like any other: job ('n/a')." in caution(within)
    table["s"] = table["s"].replace(-99.0, 50.0)
    table.loc[0, "s"] = -99  # of one person
    assert "missing value" not in caution(audit(table, groups="g", score="s"))


@pytest.mark.parametrize("known", [(50, 20), (50, 48)])
def test_an_outcome_that_is_known_by_decision_is_said_in_print_and_on_page_one(known: tuple[int, int]) -> None:
    data = pd.DataFrame({"sex": ["f", "m"] * 50, "lent": ["yes"] * 50 + ["no"] * 50, "paid": [1, 1, 1, 1, 0] * 20})
    data["paid"] = data.paid.astype(float).where([i % 50 < known[i // 50] for i in range(100)])
    classes = data.assign(paid=data.paid.map({1.0: "yes", 0.0: "no"}))
    classes.loc[:2, "lent"] = classes.loc[:2, "paid"] = "later"
    two = audit(data, "lent", "sex", outcome="paid", favorable="yes", positive_prediction="yes")
    three = audit(classes, "lent", "sex", outcome="paid", class_order=["no", "later", "yes"])
    for result, texts in ((two, ("100% of yes, 40% of no:",)), (three, ("40% of no", "100% of yes"))):
        page = " ".join(context(gather([result], None, ""))["findings"]["rely"])
        for place in (" ".join(str(result).split()), page, result.summary()):
            assert ("that distorts error rates among" in " ".join(place.split())) == (known[1] == 20)
            assert all(text in " ".join(place.split()) for text in texts) == (known[1] == 20)


def test_an_error_of_a_class_that_differs_where_attributes_meet_is_named() -> None:
    n = 400  # of women in the south half of those who should be accepted are
    data = pd.DataFrame({"sex": ["f", "m"] * n, "area": (["south"] * 2 + ["north"] * 2) * (n // 2), "y": "yes"})
    data.loc[::5, "y"], data["d"] = "wait", data.y
    data.loc[::7, "y"] = "no"
    meet = (data.sex == "f") & (data.area == "south") & (data.y == "yes") & (np.arange(2 * n) % 3 == 0)
    data.loc[meet, "d"] = "wait"
    result = audit(data, "d", ["sex", "area"], outcome="y", class_order=["no", "wait", "yes"])
    rows = result.estimates.only(metric="class TPR", attribute="sex:area", contrast="difference", role="main")
    shown_rows = [row for row in rows if row.verdict == "disparity shown"]
    assert shown_rows and f"TPR: {len(shown_rows)} of {len(rows)} shown" in " ".join(str(result).split())
    assert f"TPR of {shown_rows[0].term} by sex:area" in result.summary()


@pytest.mark.parametrize(("labels", "other"), [((0, 1), "0"), ((False, True), "False"), (("no", "yes"), "no")])
def test_a_decision_whose_name_is_a_harm_says_at_once_which_value_was_taken_to_help(labels, other) -> None:
    data = {"sex": ["f", "m"] * 200, "loan_rejected": [labels[i % 8 == 0] for i in range(400)]}
    result = fairstats.audit(data, "loan_rejected", "sex")
    for text in (result.finding(), caution(result)):
        assert f"nothing says which value helps: loan_rejected = {labels[1]} was taken." in text
        assert f"pass favorable='{other}'" in text
    declared = fairstats.audit(data, "loan_rejected", "sex", favorable=labels[0])
    assert "nothing says" not in declared.finding() and "nothing says" not in caution(declared)
    assert "nothing says which value helps" in fairstats.report(result).html


def test_a_share_beside_scores_in_per_cent_and_a_cut_off_of_nearly_all_are_said_in_print() -> None:
    rng = np.random.default_rng(5)
    data = pd.DataFrame({"sex": rng.choice(["f", "m"], 2000), "s": rng.random(2000)})
    arguments = {"score": "s", "groups": "sex", "favorable": 1}
    share = " ".join(str(fairstats.audit(data.assign(s=100 * data.s), threshold=0.5, **arguments)).split())
    assert "Most scores of s are beyond 1 and none is beyond 100, and the cut-off is 0.5: if they are" in share
    nearly = " ".join(str(fairstats.audit(data, threshold=0.002, **arguments)).split())
    assert "99% or more of the scores of s reach the cut-off of 0.002: check the cut-off." in nearly
    table = pd.DataFrame(
        {"sex": ["f", "m"] * 4, "s": [0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 4.0, 5.0], "n": [9] * 6 + [99] * 2}
    )
    most = fairstats.audit(table, weights="n", threshold=0.5, **arguments)  # of the people, of two rows of eight
    assert any("Most scores of s are beyond 1" in note for note in most.notes)
    for plain in (data, data.assign(s=2 * data.s - 0.5), data.assign(s=1.1 * data.s)):  # shares, and what is none
        assert "cut-off" not in str(fairstats.audit(plain, threshold=0.5, **arguments))


def test_weights_that_may_be_an_attribute_of_people_are_said_in_print() -> None:
    rng = np.random.default_rng(6)
    data = pd.DataFrame({"sex": rng.choice(["f", "m"], 900), "age": rng.integers(18, 70, 900)})
    data["d"] = rng.integers(0, 2, 900)
    text = " ".join(str(fairstats.audit(data, "d", "sex", weights="age")).split())
    assert "The weights age are taken as counts (weight_type='frequency'): " in text
    assert "and no weights if age is an attribute of people." in text
    counts = data.groupby(["sex", "d"]).size().rename("age").reset_index()
    assert "attribute of people" not in str(fairstats.audit(counts, "d", "sex", weights="age"))


def test_of_several_spellings_of_a_class_the_rare_one_becomes_the_usual_one() -> None:
    data = pd.DataFrame({"g": ["f", "m"] * 60, "d": [*(["accept", "reject", "review"] * 40)[:119], "Review"]})
    with pytest.raises(InputError, match=r"replace\(\{'Review': 'review'\}\)"):
        fairstats.audit(data, "d", "g")


def test_numbers_whose_mark_may_be_one_of_thousands_are_a_caution_of_the_audit_that_uses_them(tmp_path: Path) -> None:
    """The same in a report, in both languages, and in a saved result; and none of a column that is not used."""
    rows = [f"{'ab'[i % 2]};{1 + i % 3}.000;{i % 7}" for i in range(400)]
    (tmp_path / "p.csv").write_text("\n".join(["g;s;t", *rows]))
    said = "The column s has 1.000, which was read as 1, with a decimal mark."
    with pytest.warns(FairstatsWarning, match=said):
        result = fairstats.audit(tmp_path / "p.csv", score="s", groups="g", threshold=2)
        other = fairstats.audit(tmp_path / "p.csv", score="t", groups="g", threshold=2)
    assert any(str(note).startswith(said) for note in result.notes) and not any("decimal" in n for n in other.notes)
    assert said in " ".join(str(result).split()) and said in unescape(fairstats.report(result).html)
    assert "Die Spalte s enthält 1.000, gelesen als 1" in fairstats.report(result, language="de").html
    result.save(tmp_path / "p.npz")
    assert fairstats.load(tmp_path / "p.npz").notes == result.notes


@pytest.mark.parametrize(("decision", "groups", "asked"), [
    ("race", "income", True), ("race", "dec", True), ("grade", "dec", False), ("race", "sex", False),
])  # fmt: skip
def test_a_decision_of_several_classes_that_may_be_the_groups_is_a_caution(decision, groups, asked) -> None:
    rng = np.random.default_rng(0)
    two = {"income": ["<=50K", ">50K"], "dec": [0, 1], "sex": ["f", "m"]}[groups]
    people = pd.DataFrame({decision: rng.choice(["A", "B", "C"], 300), groups: rng.choice(two, 300)})
    notes = fairstats.audit(people, decision, groups).notes
    said = f"if they were exchanged, pass decision={groups!r} and groups={decision!r}."
    assert any(note.endswith(said) for note in notes) is asked


def decided(right: float = 0.85, n: int = 400) -> pd.DataFrame:
    """Approvals that are right about repaying for a share of the people, in both groups."""
    rng = np.random.default_rng(3)
    table = pd.DataFrame({"sex": rng.choice(["f", "m"], n), "repaid": (rng.random(n) < 0.6).astype(int)})
    approved = np.where(rng.random(n) < right, table["repaid"], 1 - table["repaid"])
    return table.assign(approved=approved, default=1 - table["repaid"], s=approved + rng.random(n))


def rates(result: fairstats.Audit, metric: str) -> dict[str, float]:
    rows = result.estimates.only(metric=metric, contrast="none", role="main")
    return {row.group: row.estimate for row in rows}


def test_decisions_that_agree_with_the_outcome_less_often_than_by_chance_are_said_with_the_way_out() -> None:
    d = decided()
    result = audit(d, "approved", "sex", outcome="default")
    (text,) = [note for note in result.notes if "less often than by chance" in note]
    sides = [d[d.sex == g] for g in ("f", "m")]
    balanced = [(p.approved[p.default == 1].mean() + 1 - p.approved[p.default == 0].mean()) / 2 for p in sides]
    share = np.average(balanced, weights=[len(p) for p in sides])
    assert f"is {percent(share)}%, and below 50% in 2 of 2 groups of sex." in text
    assert "If approved = 0 is the decision that predicts default = 1, error rates are inverted" in text
    assert text.endswith("pass positive_prediction='0'.") and text in result.finding()
    assert text in " ".join(unescape(fairstats.report(result).html).split())
    assert "seltener mit dem Ergebnis überein als durch Zufall" in fairstats.report(result, language="de").html
    turned = audit(d, "approved", "sex", outcome="default", positive_prediction=0)
    assert "less often" not in caution(turned) and rates(turned, "TPR").keys() == {"f", "m"}
    for group, people in d[d.default == 1].groupby("sex"):
        assert rates(turned, "TPR")[group] == pytest.approx(1 - people.approved.mean())


@pytest.mark.parametrize(
    ("change", "arguments"),
    [
        ({}, {"outcome": "repaid"}),
        ({"approved": lambda d: d["approved"].sample(frac=1, random_state=1).to_numpy()}, {"outcome": "repaid"}),
        ({"flagged": lambda d: 1 - d["approved"]}, {"decision": "flagged", "outcome": "default"}),
        # of a rare outcome that is often predicted most predictions are wrong
        ({"y": lambda d: d.index % 20 == 0, "approved": lambda d: d["y"] | (d.index % 3 > 0)}, {"outcome": "y"}),
        # few people
        ({"repaid": lambda d: d["repaid"].where(d.index < 9)}, {"outcome": "default", "rows": 9}),
    ],
)  # fmt: skip
def test_honest_decisions_of_any_accuracy_have_no_caution_on_inverted_errors(change, arguments) -> None:
    d = decided().assign(**change).head(arguments.pop("rows", 400))
    notes = caution(audit(d, arguments.pop("decision", "approved"), "sex", **arguments))
    assert "less often than by chance" not in notes


def test_an_outcome_that_harms_beside_a_decision_that_does_not_is_a_caution_until_it_is_said_what_predicts_it() -> None:
    d = decided(right=0.5)
    wording = "By their names default harms the person and approved does not, and nothing says which decision predicts"
    (text,) = [note for note in audit(d, "approved", "sex", outcome="default").notes if wording in note]
    assert "default = 1: approved = 1 was taken." in text and text.endswith("pass positive_prediction='0'.")
    for one in (0, 1):
        assert wording not in caution(audit(d, "approved", "sex", outcome="default", positive_prediction=one))
    assert wording not in caution(
        audit(d.rename(columns={"approved": "rejected"}), "rejected", "sex", outcome="default")
    )
    predicted = decided(right=0.15)  # here approvals predict it, by the data
    assert wording not in caution(audit(predicted, "approved", "sex", outcome="default"))


@pytest.mark.parametrize("decision", ["approved", "approved12"])
@pytest.mark.parametrize("outcome", ["repaid", "repaid12"])
def test_which_decision_predicts_the_outcome_is_asked_where_one_of_both_is_coded_1_and_2(decision, outcome) -> None:
    d = decided().assign(approved12=lambda d: d["approved"] + 1, repaid12=lambda d: d["repaid"] + 1)
    if ("12" in decision) == ("12" in outcome):
        audit(d, decision, "sex", outcome=outcome)
    else:
        with pytest.raises(InputError, match=r"cannot be known from the names; pass positive_prediction='[01]' or "):
            audit(d, decision, "sex", outcome=outcome)
    truth = rates(audit(d, "approved", "sex", outcome="repaid"), "FPR")
    codes = {"positive": 1 + ("12" in outcome), "positive_prediction": 1 + ("12" in decision)}
    assert rates(audit(d, decision, "sex", outcome=outcome, **codes), "FPR") == pytest.approx(truth)


def test_an_outcome_coded_1_and_2_says_which_was_taken_beside_decisions_and_scores() -> None:
    d = decided().assign(d=lambda d: d["approved"] + 1, y=lambda d: d["repaid"] + 1)
    wording = "y is coded 1 and 2, and nothing says which of the two is the positive outcome: 1 was taken."
    for arguments in ({"decision": "d", "favorable": 2}, {"score": "s"}):
        result = audit(d, groups="sex", outcome="y", **arguments)
        assert wording in caution(result) and "pass positive='2'" in caution(result) and wording in result.finding()
        said = audit(d, groups="sex", outcome="y", positive=2, **arguments)
        assert "is coded" not in caution(said) and rates(said, "base rate") == pytest.approx(
            rates(audit(d, groups="sex", outcome="repaid"), "base rate")
        )
    ranked = audit(d, groups="sex", outcome="y", score="s")
    assert "the AUC is " in caution(ranked) and "turn the scores round, or pass positive='2'." in caution(ranked)
    assert "by chance" not in caution(audit(d, groups="sex", outcome="y", score="s", positive=2))
    cut = {"outcome": "default", "score": "s", "threshold": 1.0}  # low scores predict a default, as somebody says
    assert "the AUC is " in caution(audit(d, groups="sex", **cut))
    assert "by chance" not in caution(audit(d, groups="sex", positive_prediction=0, **cut))


def test_a_code_of_one_column_is_not_laid_to_the_other() -> None:
    d = decided()
    d.loc[d.index < 20, "repaid"] = -999
    assert "in two spellings are classes like any other: repaid ('-999')." in caution(
        audit(d, "approved", "sex", outcome="repaid")
    )


def test_the_number_of_people_in_a_line_of_totals_is_named_as_no_class() -> None:
    d = people()[["sex", "d"]]
    total = pd.DataFrame({"sex": ["Total"], "d": [d["d"].sum()]})
    notes = caution(audit(pd.concat([d, total], ignore_index=True), "d", "sex"))
    assert f"classes like any other: d ('{d['d'].sum()}')." in notes and "sex ('Total')" in notes
