"""Page one of fits, leaks, comparisons, clusters, models and watched gaps, for a reader without statistics."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest

import fairstats
from benchmarks.gallery import KINDS
from fairstats.auditing.group_studies import GroupStudy, watched_rows
from fairstats.comparing.result import possible
from fairstats.document import Table
from fairstats.errors import InputError
from fairstats.estimates import Estimate
from fairstats.inference.representations.leakage import Leakage
from fairstats.reporting.bundle import gather
from fairstats.reporting.report import context
from fairstats.reporting.sections.fits import _apart
from fairstats.reporting.sections.other import study_table
from fairstats.reporting.sections.studies import _points, latest_table, models_table
from fairstats.text import percent
from tests.reporting.reader import texts

METHODS = r"\b(og|fair_pca|fair_spectral_clustering|AUC|e-value|logistic)\b"


@cache
def read(name: str) -> list[tuple[str, str]]:
    return texts(fairstats.report(*KINDS[name].results()).html)


@cache
def page(name: str) -> dict:
    result = context(gather(KINDS[name].results(), None, ""), "generic")["findings"]
    return result


@pytest.mark.long
@pytest.mark.parametrize("name", ["fit", "fits", "leakage", "comparison", "clusters", "models", "monitor"])
def test_the_question_comes_before_the_answer_in_words_without_methods(name: str) -> None:
    values = page(name)
    said = [text for _, text in read(name)]
    asked = values["question"].replace("`", "")
    assert asked.endswith("?") or "at most 5%" in asked
    assert not re.search(METHODS, asked) and len(asked.split()) > 25  # what it is about, not only what is asked
    first = values["sentence"].replace("`", "").split(". ")[0]
    assert said.index(asked) < next(i for i, text in enumerate(said) if text.startswith(first))
    assert values["unshown"] and values["rely"]  # what it does not show, and what to do


def test_a_fit_says_that_it_may_give_the_groups_away_and_who_rests_on_less() -> None:
    values = page("fit")
    assert values["sentence"].startswith("The adjustment by orthogonal PCA gave the new numbers the same average ")
    assert "Whether a model can still tell the groups apart was not tested. The price: " in values["sentence"]
    assert values["unshown"][0] == "Whether a model can still tell the groups of `colour` apart: that was not tested."
    assert "told apart" not in values["question"]
    assert "the groups may still differ in other ways" in " ".join(values["context"])
    (about, pays), *_ = values["points"]
    (fit,) = KINDS["fit"].results()
    changes = {f"{p.level} people": f"{100 * (p.error / p.pca_error - 1):.1f}%" for p in fit.price.by_group}
    assert about == "Accuracy of the data falls most for Black people." and "rest on less" in pays
    each = " and ".join(f"by {changes[group]} for {group}" for group in ("Black people", "White people"))
    assert f"is larger than without the adjustment: {each} (mean squared error)." in pays  # of both, not of one
    later = [text for _, text in read("fit")]
    assert "Orthogonal PCA with 3 components: what it guarantees holds on these rows" in later
    assert not any(re.match(r"(What )?og\b(?! was made with)", text) for text in later)  # called as on page one
    assert [row[0] for row in values["tables"][0].rows] == ["Black people", "White people"]
    assert [heading.label for heading in values["tables"][0].headings][2] == "without adjustment"


@pytest.mark.long
@pytest.mark.parametrize("name", ["fits", "leakage"])
def test_whether_groups_are_distinguished_is_said_before_how_well(name: str) -> None:
    values = page(name)
    said = f"{values['sentence']} {values['points']} {values['context']}"
    if name == "fits":
        assert values["sentence"] == (
            "After each adjustment a model can still tell White people from Black people. Before, it was right in "
            "65.2% of pairs; now it is in 68.3% after orthogonal PCA (95% CI 65.8 to 70.8) and 59.6% after fair PCA "
            "(95% CI 57.0 to 62.1). 50% is chance. Whether that rose or fell was not tested."
        )
        rows = values["tables"][0].rows  # which have the same numbers
        assert [(row[3], row[5], row[6]) for row in rows if row[1] == "non-linear"] == [
            ("65.2", "68.3", "65.8 to 70.8"),
            ("65.2", "59.6", "57.0 to 62.1"),
        ]
    else:
        still = "a model can still tell the groups of `colour` apart better than by chance. "
        assert values["sentence"].startswith(f"After the adjustment by orthogonal PCA {still}")
        assert "in 68.3% of pairs (95% CI 65.8 to 70.8; 50% is chance), 65.2% before the adjustment; " in said
        assert "that a linear model can is not shown (52.3% of pairs, 95% CI 49.6 to 54.9; before 63.8%)" in said
    assert "Whether before and after differ by more than chance was not tested." in values["unshown"]
    use = ("What this means for use.", "A model that uses the new numbers can still treat the groups of `colour` ")
    assert any(about == use[0] and text.startswith(use[1]) for about, text in values["points"])


@pytest.mark.long
@pytest.mark.parametrize("name", ["fit", "fits", "leakage", "clusters"])
def test_labels_of_a_report_reach_title_sentences_tables_and_figures(name: str) -> None:
    kind = KINDS[name]
    plain, named = (fairstats.report(*kind.results(), **options) for options in ({}, kind.options))
    column, called = ("school", "district") if name == "clusters" else ("colour", "color")
    assert re.search(rf"\b{column}\b", plain.title) and re.search(rf"\b{called}\b", named.title)
    said = [text for _, text in texts(named.html) if "features age, checks" not in text]  # the call, to run it again
    assert not any(re.search(r"\b(colour|school|employedYes|citizenYes)\b|Black people", text) for text in said)
    if name == "clusters":
        assert "district = north" in named.html
    else:
        assert any("Black arrestees" in text for text in said)
    assert named.id == plain.id  # the results are the same


def test_labels_of_a_report_are_of_its_columns_and_groups() -> None:
    results = KINDS["fit"].results()
    for labels, why in (
        ({"attributes": {"color": "color"}}, "names the attribute 'color'.*did you mean 'colour'"),
        ({"groups": {"colour": {"Blak": "Black"}}}, "names the group 'Blak'"),
        ({"unit": "people", "favorable": "a", "unfavorable": "b"}, "has 'favorable'; a report takes"),
    ):
        with pytest.raises(InputError, match=why):
            fairstats.report(*results, labels=labels)
    with pytest.raises(InputError, match="audits and decompositions have the labels of their call"):
        fairstats.report(*KINDS["gap"].results(), labels={"unit": "people"})
    x = np.random.default_rng(1).normal(size=(60, 3))
    costs = fairstats.tradeoff(x, ["a", "b"] * 30, ["pca", "fair_pca"], k=1, folds=2)
    for make in (fairstats.table, fairstats.report, fairstats.plot):
        with pytest.raises(InputError, match="this study has the words of its data: give the features and groups"):
            make(costs, labels={"unit": "people"})


def test_a_gap_is_said_in_its_direction_with_what_it_means() -> None:
    (result,) = KINDS["gap"].results()
    values = page("gap")
    gap = next(row for row in result.estimates if row.metric == "gap")
    assert gap.estimate < 0
    assert f"EUR/h less (95% confidence interval {-gap.conf_high:.2f} to {-gap.conf_low:.2f})" in values["sentence"]
    assert "−" not in values["sentence"] and "pay per hour" in values["sentence"]
    assert values["points"][0][1].startswith("People who are alike in grade and years of service still differ.")
    assert "HC3: standard errors" in str(fairstats.report(result).html)
    held = replace(result, estimates=result.estimates.map(lambda row: row.changed(conf_low=-1.0, conf_high=1.0)))
    shown = context(gather([held], None, ""), "generic")["findings"]["points"]
    assert shown[0][1] == "That people who are alike in grade and years of service still differ is not shown."


def test_clusters_say_what_they_mean_for_use() -> None:
    (result,) = KINDS["clusters"].results()
    (one,) = result.compositions
    north = one.counts[1, 0] / one.counts[1].sum(), one.counts[:, 0].sum() / one.counts.sum()
    ((_, text),) = page("clusters")["points"]
    assert north[0] < north[1] and text.endswith("cluster 2 has a smaller share of “north” than the network.")


def test_only_the_attribute_that_is_distinguished_is_said_to_be() -> None:
    (leak,) = KINDS["leakage"].results()

    def of(name: str, verdict: str) -> Leakage:
        return replace(leak, estimates=leak.estimates.map(lambda row: row.changed(attribute=name, verdict=verdict)))

    shown, equal, unknown = of("colour", "disparity shown"), of("sex", "equivalence shown"), of("age", "inconclusive")
    assert _apart([shown, equal]).endswith("can still tell the groups of `colour` apart better than by chance.")
    assert _apart([equal]) == "The groups of `sex` can hardly be told apart any more."
    assert _apart([equal, unknown]) == "It is not shown that the groups of `sex` and `age` can still be told apart."
    assert _apart([equal, of("age", "")]) == _apart([equal, unknown])  # a probe without an answer is no equality


def test_software_of_two_runs_is_listed_once() -> None:
    said = [text for _, text in read("fits")]
    assert said.count("Versions") == 1 and said.count("Call") == 4  # of two fits, and of what leaks from them


def test_a_comparison_prints_its_gaps_as_its_words_say_them() -> None:
    values = page("comparison")
    (result,) = values["tables"]
    labels = [heading.label for heading in result.headings]
    printed = [row[labels.index("fewer")] for row in result.rows]
    said = "What was done: a model was trained without and with an adjustment of its features by orthogonal PCA."
    assert values["context"][0] == said
    assert "less often for Black people than for White people, by " in values["sentence"]
    assert f"by {printed[0]} percentage points" in values["sentence"]
    assert f"a gap of {printed[1]} remains (" in values["sentence"]
    about, shares = values["points"][0]
    assert about == "For how many “released” is predicted." and "with no adjustment; " in shares
    ((own, other),) = re.findall(r"^For Black people and White people: ([\d.]+)% and ([\d.]+)%", shares)
    assert float(other) - float(own) == pytest.approx(float(printed[0]), abs=0.11)


def test_a_comparison_says_that_one_answer_for_everybody_is_right_more_often() -> None:
    (result,), values = KINDS["comparison"].results(), page("comparison")
    rows = result.estimates.only(metric="accuracy", attribute="", contrast="none")
    share = 100 * (fairstats.arrests()["released"] == "Yes").mean()
    low, high = (100 * end(row.estimate for row in rows) for end in (min, max))
    assert max(100 * row.conf_high for row in rows) < share
    said = (
        f"Every model is right less often ({low:.1f} to {high:.1f}% of people) than the answer “released” for everybody"
    )
    assert values["sentence"].endswith(f"{said} ({share:.1f}%).")
    html = fairstats.report(result, language="de").html
    assert "als die Antwort „released“ für alle" in html and "faire PCA" not in html


def test_limits_of_few_splits_end_where_a_number_can_be() -> None:
    rng = np.random.default_rng(0)
    data = pd.DataFrame({"g": ["a", "b"] * 40, "x": rng.normal(size=80), "y": rng.integers(0, 2, 80)})
    # seed: by that of the default the gaps of both splits agree, and two that agree have no limits
    result = fairstats.compare(data, outcome="y", groups="g", features=["x"], n_repeats=2, progress=False, seed=3)
    rows = [row for row in result.estimates.only(role="main", contrast="difference") if row.metric == "positive rate"]
    assert any(row.conf_low < -1 or row.conf_high > 1 for row in rows if not row.versus)  # as tidy() has them
    values = context(gather([result], None, ""), "generic")["findings"]
    assert any(line.startswith("Compare over more splits than 2: some limits") for line in values["rely"])
    text = " ".join(text for _, text in texts(fairstats.report(result).html))
    ends = [float(n.replace("\N{MINUS SIGN}", "-")) for n in re.findall(r"(\N{MINUS SIGN}?\d+\.\d) to", text)]
    assert min(ends) >= -200 and not re.search(r"AUC[^.]* to 1\.[1-9]", values["sentence"])
    assert not any(line.startswith("Compare over more") for line in page("comparison")["rely"])


def test_a_change_of_a_gap_may_be_twice_as_large_as_a_gap() -> None:
    row = Estimate("positive rate", contrast="difference", group="b", reference="a", versus="none")
    assert possible(row, -3.0, 1.5) == (-2.0, 1.5)
    assert possible(Estimate("AUC"), -0.2, 1.2) == (0.0, 1.0)
    assert possible(Estimate("mean score", contrast="difference"), -3.0, 5.0) == (-3.0, 5.0)


def test_clusters_are_named_by_their_constraint() -> None:
    values = page("clusters")
    said = " ".join([values["question"], values["sentence"], *values["context"], str(values["tables"])])
    assert "fair_spectral_clustering" not in said and "graph" not in said
    assert values["question"].startswith("400 members of a network were divided into 2 clusters")
    assert (
        "The largest gap is in cluster 2: 35.0% of its members (n = 180) are “north”, against 51.3% of all 400 "
        "members, a gap of 16.3 percentage points; in the ordinary clustering up to 27.8." in (values["sentence"])
    )
    (shares,) = values["tables"]
    asked = [row for row in shares.rows if row[0].startswith("proportional: ")]
    widest = max(asked, key=lambda row: abs(float(row[3].replace("\N{MINUS SIGN}", "-"))))
    assert widest[0].endswith("cluster 2") and "given its size" not in f"{values['sentence']} {shares.note}"
    assert values["figures"][0].caption.startswith("The largest gap is in cluster 2: 35.0% of its members are “north”")
    assert any(
        element == "h3" and text.startswith("How well 2 clusters are separated") for element, text in read("clusters")
    )


# Models of the same people.


def studied(name: str) -> GroupStudy:
    (result,) = KINDS[name].results()
    return result


def test_models_are_answered_by_the_smallest_and_the_largest_gap_with_both_shares() -> None:
    result, values = studied("models"), page("models")
    gaps = {r.model: r for r in result.estimates.only(metric="selection rate", contrast="difference", versus="")}
    least, most = (end(gaps, key=lambda m: abs(gaps[m].estimate)) for end in (min, max))
    details = " ".join(values["context"])
    assert (
        "Every model selects a smaller share of Black people than of White people. In these data the gap is" in details
    )
    for model, word in ((least, "smallest"), (most, "largest")):
        about = {"metric": "selection rate", "model": model, "contrast": "none", "versus": ""}
        own, other = (100 * result.estimates.only(group=g, **about)[0].estimate for g in ("Black", "White"))
        assert re.search(rf"{word} with “{model}”: {own:.1f}% (of Black people )?against {other:.1f}%", details)
    (shown,) = (r for r in result.shown() if r.metric == "selection rate")
    low, high = sorted(100 * abs(end) for end in (shown.conf_low, shown.conf_high))
    said = f"smaller with “{shown.versus}” than with “{shown.model}”, by {100 * abs(shown.estimate):.1f} points"
    between = "Gap in selection between Black people and White people:"
    also = "Other gaps that are shown to differ: true positive rate and false positive rate."
    assert {r.metric for r in result.shown() if r.group} == {"selection rate", "TPR", "FPR"}
    assert values["sentence"] == f"{between} The gap is shown to be {said} ({low:.1f} to {high:.1f}). {also}"
    open_pairs = (
        "Of the gap of Black people no difference is shown in these pairs: “checks, work” and “checks”; “all” and "
        "“checks”."
    )
    assert open_pairs in values["context"]
    (_, false), rows = values["points"][1], result.estimates.only(metric="FPR", contrast="difference", versus="")
    widest = {row.model: abs(row.estimate) for row in rows if row.model and not row.estimator}
    assert {min(widest, key=widest.__getitem__), max(widest, key=widest.__getitem__)} == {"checks", "all"}
    assert false.endswith(open_pairs)  # the smallest and the largest gap of that rate are not shown to differ
    people = "of the people recorded as “released”, the share of whom each model predicts it."
    assert [about for about, _ in values["points"][:2]] == [
        f"True positive rate: {people}",
        f"False positive rate: {people.replace('recorded', 'not recorded')}",
    ]
    positive = result.estimates.only(metric="TPR", model="all", contrast="none", versus="")
    negative = result.estimates.only(metric="FPR", model="all", contrast="none", versus="")
    have, lack = (sum(row.n for row in rows) for rows in (positive, negative))
    share = 100 * max(have, lack) / (have + lack)
    said = f"Predicting “released” for everybody would be right for {share:.1f}% of them, more often than any model."
    assert have + lack == 2613 and said in values["points"][2][1]
    assert "Shown to be right more often: “checks, work” than “checks”, by" in values["points"][2][1]
    assert values["points"][2][1].count("Shown to be right more often") == 1
    no_more = any("that it is at most 2.0" in text for text in result.statements)
    said = "The following pages list the gaps that are shown to grow by no more than this."
    assert "The margin of this run is 2.0 points." in details
    assert (said in details) is no_more
    rates = {r.model: 100 * r.estimate for r in result.estimates.only(metric="accuracy", group="", contrast="none")}
    share, other = rates[shown.versus], rates[shown.model]
    cost = f"“{shown.versus}” is right more often, for {share:.1f}% of people against {other:.1f}% with “{shown.model}”"
    by = re.escape(cost) + r", by (about )?[0-9.]+ points \([0-9.]+ to [0-9.]+\)\."
    assert re.search(by, details)
    sized, beside = values["tables"]
    first = result.settings["baseline"]
    pairs = [r for r in result.compared() if (r.metric, r.group, r.versus) == ("selection rate", "Black", first)]
    for row, line in zip(pairs, beside.rows, strict=True):
        assert line[0] == row.model and percent(row.estimate) in line
    assert "Counted: 649 Black people, 1,964 White people." in sized.note
    assert len(values["points"]) == 3 and "the data do not exclude" not in str(values)


def test_one_sign_of_a_change_in_words_and_table() -> None:
    """Black less White changes by what the table prints, limits and all."""
    section = context(gather([studied("models")], None, ""), "generic")["comparison"]["parts"][0]
    printed = {(row[0], row[1]): row[3] for row in study_table(studied("models")).rows}
    said = [line for line in section["found"].items if ": a gap of " in line]
    assert len(said) == 3 and said == list(section["found"].items[-3:])  # after those that are shown, and not shown
    for line in said:
        rate, worse, better, by, low, high = re.fullmatch(
            r"(.*), Black and White: a gap of .* percentage points with “(.*)”, of .* with “(.*)”; that it is at most "
            r"2.0 percentage points larger with “.*” is shown \(change (.*), (.*) to (.*)\)\.",
            line,
        ).groups()  # type: ignore[union-attr]
        assert printed[f"gap: {rate[0].lower()}{rate[1:]}", f"“{worse}” less “{better}”"] == f"{by} points"
        assert float(by.replace("\N{MINUS SIGN}", "-")) > 0 and (low, high)  # both gaps are below 0: smaller in size


def test_the_table_of_models_agrees_with_the_sentence() -> None:
    result = models_table(studied("models"))
    labels = [heading.label for heading in result.headings]
    assert labels[1] == "right" and "gap" in labels
    gap, own, other = (labels.index(name) for name in ("gap", "Black people selected", "White people selected"))
    for row in result.rows:
        size = row[gap].removeprefix("\N{MINUS SIGN}")
        assert size != row[gap] and float(size) == pytest.approx(float(row[other]) - float(row[own]), abs=0.11)
        exact = round(float(row[other]) - float(row[own]), 1) == float(size)
        said = f", {size} points apart" if exact else f", about {size} points apart"
        assert said in " ".join(page("models")["context"]) or row[0] == "checks"


def test_models_without_an_outcome_and_with_several_groups_have_a_page_too() -> None:
    rng = np.random.default_rng(1)
    people = pd.DataFrame({"race": rng.choice(["a", "b", "c"], 900, p=[0.5, 0.3, 0.2])})
    for name, low in (("old", 0.3), ("new", 0.45)):
        people[name] = (rng.random(900) < np.where(people.race == "a", 0.6, low)).astype(int)
    html = fairstats.report(fairstats.compare_models(people, ["old", "new"], "race")).html
    said = " ".join(text for _, text in texts(html))
    assert "2 models on the same people: gaps between the groups of race" in said
    assert "how often is each one right" not in said and "Selected: the decision that helps." in said
    said = said.partition("Provenance")[0]
    assert "Their gap is smallest with " in said and "None" not in said and " nan" not in said


def models_of(outcome_of_nobody: str = "") -> GroupStudy:
    """Two models of three groups, c farthest from a; a group in which nobody had the outcome."""
    rng = np.random.default_rng(0)
    people = pd.DataFrame({"race": rng.choice(["a", "b", "c"], 1200, p=[0.5, 0.3, 0.2])})
    people["y"] = np.where(people.race == outcome_of_nobody, 0, rng.integers(0, 2, 1200))
    for name, fewer in (("old", 0.1), ("new", 0.0)):
        low = people.race.map({"a": 0.7, "b": 0.55, "c": 0.3}) - fewer * (people.race != "a")
        people[name] = (rng.random(1200) < low).astype(int)
    return fairstats.compare_models(people, ["old", "new"], "race", outcome="y", reference="a")


def test_a_rate_of_nobody_in_a_group_is_spoken_of_in_another_and_of_no_group_is_said_to_be_unsettled() -> None:
    result = models_of("c")
    values = context(gather([result], None, ""), "generic")["findings"]
    about = "True positive rate: of the people recorded as `y`"
    assert values["sentence"].startswith("Gap in selection between people with `race` c and people with `race` a: No")
    assert values["sentence"].endswith("No gap in another rate is shown to differ.")
    (said,) = (text for lead, text in values["points"] if lead.startswith(about))
    assert "of people with `race` b against" in said and "race` c" not in said
    people = pd.DataFrame({"race": ["a", "c"] * 200, "y": [0, 0, 1, 0] * 100, "old": [0, 0, 1, 1] * 100})
    people["new"] = 1 - people["old"]
    alone = fairstats.compare_models(people, ["old", "new"], "race", outcome="y", reference="a")
    (said,) = (
        text
        for lead, text in context(gather([alone], None, ""), "generic")["findings"]["points"]
        if lead.startswith(about)
    )
    assert said == "No gap is shown, and each comparison has a group of fewer than 30 people in this rate."
    german = " ".join(text for _, text in texts(fairstats.report(alone, language="de").html))
    assert "in jedem Vergleich hat bei dieser Rate eine Gruppe weniger als 30 Personen" in german


def counted(groups: dict[str, dict[tuple[int, int, int], int]]) -> pd.DataFrame:
    """People by group: how many have each outcome and decisions of two models."""
    rows = [(group, *cell) for group, cells in groups.items() for cell, n in cells.items() for _ in range(n)]
    return pd.DataFrame(rows, columns=["group", "y", "A", "B"])


def test_page_one_of_models_does_not_speak_of_a_handful_of_people() -> None:
    """Of 14 people one has the outcome: the gap of the many, which is shown, is smaller and comes first."""
    people = counted(
        {
            "White": {(1, 1, 1): 200, (1, 0, 0): 100, (0, 1, 1): 90, (0, 1, 0): 10, (0, 0, 0): 200},
            "Black": {(1, 1, 1): 40, (1, 0, 0): 47, (0, 1, 1): 36, (0, 1, 0): 4, (0, 0, 0): 140},
            "Asian": {(1, 1, 1): 14, (1, 0, 0): 8, (0, 1, 1): 6, (0, 1, 0): 1, (0, 0, 0): 16},
            "Other": {(1, 0, 0): 1, (0, 0, 0): 12, (0, 1, 1): 1},
        }
    )
    result = fairstats.compare_models(people, ["A", "B"], "group", outcome="y")
    gaps = result.estimates.only(metric="selection rate", model="A", contrast="difference", versus="")
    assert max(gaps, key=lambda row: abs(row.estimate)).group == "Other"  # the widest of all
    values = context(gather([result], None, ""), "generic")["findings"]
    largest = "With every model the largest gap of any group of 30 people or more is that of Black people. Their gap"
    assert largest in " ".join(values["context"])  # of groups with 30 people or more
    said = " ".join([values["sentence"], *values["context"], *(" ".join(point) for point in values["points"])])
    assert said.count("Other") == 1 and "Not spoken of here: Other (14 people)." in values["context"]
    assert "46% (40 of 87) of Black people against 67% (200 of 300) of White people" in values["points"][0][1]
    assert "For Asian people no change of any gap is shown." in values["context"]
    assert [len(table.rows) for table in values["tables"]] == [2]  # of one group; later pages have all
    later = context(gather([result], None, ""), "generic")["comparison"]["parts"][0]["more"]
    assert len(later[0].rows) == 6 and any("Other" in str(row) for row in later[0].rows)
    better = people["B"].where(people["y"] == 1, (people["group"] == "Other") & (people["B"] == 1)).astype(int)
    changed = fairstats.compare_models(people.assign(B=better), ["A", "B"], "group", outcome="y")
    said = str(context(gather([changed], None, ""), "generic")["findings"]["points"])
    found = re.search(r"A change of this gap is also shown for Other \(14 people; ([^)]*)\)", said)
    assert found and re.match(r"(smaller with “B” than with “A”, by|“B” and “A”,) [0-9.]+ point", found[1]), said
    german = " ".join(text for _, text in texts(fairstats.report(result, language="de").html))
    assert "Hier nicht besprochen: Other (14 Personen)." in german.replace("\N{NO-BREAK SPACE}", " ")


def test_every_rate_whose_gap_is_shown_to_change_has_a_finding_in_the_order_of_the_printed_result() -> None:
    """A is right about few of the women whom it selects, B about as many as of the men; TPR and FPR change less."""
    people = counted(
        {
            "men": {(1, 1, 1): 300, (1, 0, 0): 100, (0, 1, 1): 150, (0, 0, 0): 250},
            "women": {
                (1, 1, 0): 20,
                (1, 0, 1): 20,
                (1, 1, 1): 20,
                (1, 0, 0): 10,
                (0, 1, 0): 80,
                (0, 0, 1): 0,
                (0, 1, 1): 20,
                (0, 0, 0): 230,
            },
        }
    )
    result = fairstats.compare_models(people, ["A", "B"], "group", outcome="y", reference="men")
    shown = sorted((r for r in result.shown() if r.group), key=lambda r: (r.p_adjusted, -abs(r.estimate)))
    assert {row.metric for row in shown} >= {"PPV", "FPR"}
    values = context(gather([result], None, ""), "generic")["findings"]
    leads = [lead.partition(":")[0] for lead, _ in values["points"]]
    names = {"PPV": "Positive predictive value", "FPR": "False positive rate", "TPR": "True positive rate"}
    printed = [text.partition(",")[0].capitalize() for text in result.statements]
    changed = [name for name in printed if name in names.values()]
    assert {*changed} == {names[row.metric] for row in shown if row.metric in names}
    assert leads[: len(changed)] == changed and len(leads) <= 5
    assert leads[-1] == "How often each model is right."
    text = dict(zip(leads, (said for _, said in values["points"]), strict=True))["Positive predictive value"]
    (row,) = (row for row in shown if row.metric == "PPV")
    low, high = sorted(100 * abs(end) for end in (row.conf_low, row.conf_high))
    assert "Smallest gap: “B”, 67% (40 of 60) of women against 67% (300 of 450) of men, 0 points apart." in text
    assert f"smaller with “B” than with “A”, by 38 points ({low:.0f} to {high:.0f})." in text
    german = " ".join(said for _, said in texts(fairstats.report(result, language="de").html))
    assert "Positiver Vorhersagewert: von den Personen, für die jedes Modell y vorhersagt" in german


def test_points_of_few_people_have_no_decimals_and_one_point_is_one() -> None:
    assert _points("TPR", 0.012, 0.75, 0.738, few=True) == "1 point"
    assert _points("TPR", 0.15, 0.64, 0.79, few=True) == "15 points"
    assert _points("TPR", 0.01, 0.75, 0.74, few=False) == "1.0 points"


def test_a_change_of_the_gap_in_auc_is_a_finding() -> None:
    rng = np.random.default_rng(0)
    people = pd.DataFrame({"sex": np.repeat(["f", "m"], 400), "y": rng.integers(0, 2, 800)})
    for name, signal in (("old", 0.2), ("new", 2.5)):
        people[name] = people.y * np.where(people.sex == "f", signal, 2.5) + rng.normal(size=800)
    result = fairstats.compare_models(people, ["old", "new"], "sex", outcome="y", threshold=1.0, reference="m")
    (row,) = (row for row in result.shown() if row.metric == "AUC" and row.group)
    points = context(gather([result], None, ""), "generic")["findings"]["points"]
    (said,) = (text for lead, text in points if lead.startswith("AUC: "))
    assert f"a change of {row.estimate:.3f} ({row.conf_low:.3f} to {row.conf_high:.3f})." in said and "%" not in said
    assert len(points) <= 5


def test_the_picture_of_models_is_of_the_groups_of_the_sentence() -> None:
    contents = fairstats.report(models_of()).contents
    values, captions = contents.context["findings"], " ".join(map(str, contents.blocks))
    assert "between people with `race` c" in values["sentence"] and captions.count("selection rate, c less a, up") == 1
    assert [drawing.name for drawing in values["figures"]] == ["page-one-models"]
    assert captions.index("selection rate, c less a, up") < captions.index("Main findings")


# A gap that is watched.


def test_a_level_is_printed_with_its_digits() -> None:
    rng = np.random.default_rng(1)
    people = pd.DataFrame({"month": np.repeat(["2024-01", "2024-02", "2024-03"], 200)})
    people["sex"], people["hired"] = rng.choice(["f", "m"], 600), rng.integers(0, 2, 600)
    result = fairstats.monitor(people, "hired", "sex", baseline="2024-01", reference="m", conf_level=0.975)
    values = context(gather([result], None, ""), "generic")["findings"]
    assert values["question"].endswith("a false alarm in any of them is at most 2.5%.")
    assert "hold together with 97.5% confidence" in values["tables"][0].note


def test_an_alarm_says_since_when_what_was_before_and_how_many_people() -> None:
    result, values = studied("monitor"), page("monitor")
    since = next(iter(result.estimates.only(term="since the change")))
    before = next(iter(result.estimates.only(term="baseline")))
    text = values["sentence"]
    assert text.startswith(f"Alarm in {result.alarm}: the gap between women and men is no longer what it was.")
    now = f"the share recorded as “hired” was {-100 * since.estimate:.1f} points lower among women"
    assert f"From about {since.given} to {result.alarm} {now}" in text
    assert math.isnan(since.conf_low) and "than among men (chosen by the data, it is too large as a rule);" in text
    assert before.conf_level == 0.99
    assert f"up to 2023-12 it was {-100 * before.estimate:.1f} points lower (99% limits: from 3.0 lower to 0.7" in text
    rates = result.estimates.only(contrast="none")
    among = [p for p in result.periods if since.given <= p <= str(result.alarm)]
    counts = {(r.group, r.given): r for r in rates if r.given in among}
    lost = sum(counts["women", p].n * counts["men", p].estimate - counts["women", p].events for p in among)
    said = " ".join(values["context"])
    assert f"about {round(lost)} fewer women were recorded as “hired” than at the rates of men." in said
    gaps = [gap.estimate for row, gap, *_ in watched_rows(result) if row.given > str(result.alarm)]
    low, high = (-100 * end(gaps) for end in (max, min))
    assert len(gaps) == 6 and f"the share of women stayed below that of men: by {low:.1f} to {high:.1f} points" in said
    assert "in at least one other below" not in said  # with the evidence, on the next page
    section = context(gather([result], None, ""), "generic")["comparison"]["parts"][0]
    assert "No one gap of women fits all periods" in section["found"].items[0]
    assert "The alarm is given once" in values["tables"][0].note
    german = fairstats.report(result, language="de").html
    assert "der als „hired“ erfasste Anteil bei women" in german


def test_evidence_is_no_number_in_powers_of_ten() -> None:
    said = [text for element, text in read("monitor") if element == "td"]
    assert "over 1,000" in said and not any(re.fullmatch(r"[\d.]+e[+-]\d+", text) for text in said)


def test_a_missing_month_is_a_gap_of_the_picture_and_the_baseline_a_line() -> None:
    rng = np.random.default_rng(2)
    rows = []
    for month in ("2024-01", "2024-02", "2024-03", "2024-07", "2024-08"):
        rows += [(month, sex, int(rng.random() < 0.4)) for sex in ("f", "m") for _ in range(200)]
    people = pd.DataFrame(rows, columns=["month", "sex", "hired"])
    result = fairstats.monitor(people, "hired", "sex", baseline="2024-01", reference="m")
    (drawn,) = context(gather([result], None, ""), "generic")["findings"]["figures"]
    assert "Baseline: " in drawn.alt and "Broken line: the gap up to 2024-01" in drawn.caption
    ticks = {label: float(x) for x, label in re.findall(r'<text[^>]* x="([\d.]+)"[^>]*>(2024-\d\d)</text>', drawn.svg)}
    steps = ticks["2024-07"] - ticks["2024-03"], ticks["2024-08"] - ticks["2024-07"]
    assert steps[0] == pytest.approx(4 * steps[1], rel=0.02)
    quiet = context(gather([result], None, ""), "generic")["findings"]["sentence"]
    assert quiet.startswith("No alarm in the 4 periods that were looked at. In 2024-08 ")
    assert quiet.endswith("% of men were recorded as “hired”.")


def test_the_periods_of_page_one_are_the_latest_with_both_rates() -> None:
    result = studied("monitor")
    lines = latest_table(result, result.compared()[0])
    assert [row[0] for row in lines.rows] == list(result.periods)[-12:]
    assert [row[0] for row in lines.rows if row[-1] == "alarm"] == [result.alarm]
    rows = [(f"{2020 + k // 12}-{1 + k % 12:02d}", sex, i < (8 if sex == "f" and k > 2 else 20))
            for k in range(30) for sex in ("f", "m") for i in range(40)]  # fmt: skip
    people = pd.DataFrame(rows, columns=["month", "sex", "hired"]).astype({"hired": int})
    long = fairstats.monitor(people, "hired", "sex", period="month", reference="m")
    assert long.alarm and long.alarm < long.periods[-12]
    shown = latest_table(long, long.compared()[0])
    (since,) = [row.given for row in long.estimates if row.term == "since the change"]
    assert since < long.alarm
    latest = [row[0] for row in shown.rows[-8:]]
    assert latest == [*long.periods[-8:]] and [row[0] for row in shown.rows if row[-1]] == [since, long.alarm]
    at, alarm = long.periods.index(since), long.periods.index(long.alarm)
    gaps = [alarm - at - 1, len(long.periods) - 8 - alarm - 1]
    assert [row[0] for row in shown.rows if row[0].startswith("…")] == [
        f"… {n} period{'s' * (n > 1)}" for n in gaps if n
    ]
    assert len(shown.rows) <= 12 and "20 periods that are not in this table are on the following pages." in shown.note
    (table,) = [
        block
        for block in fairstats.report(long).contents.blocks
        if isinstance(block, Table) and block.caption.endswith("Period by period") and len(block.rows) > 12
    ]
    assert [row[0] for row in table.rows] == [*long.periods]  # "on the following pages"


def test_probed_groups_are_above_chance_or_not_shown_to_be() -> None:
    (leak,), values = KINDS["leakage"].results(), page("leakage")
    (probed,) = values["tables"]
    assert [heading.label for heading in probed.headings][-1] == "above chance"
    shown = [row.verdict == "disparity shown" for row in leak.estimates if row.metric.startswith("AUC of")]
    assert [row[-1] == "shown" for row in probed.rows] == shown and sorted(shown) == [False, True]
    assert f"so p is {1 / (1 + leak.permutations):.3f} at the least" in probed.note
    assert values["sentence"].count("orthogonal PCA") == 1
    said = " ".join(text for _, text in read("leakage"))
    assert not re.search(r"\btold (best|beyond)|\bgroup told|tells the group\b|no leak shown", said)
    assert "Drawn: of each model" not in said  # of two groups no model has a best one
    tests = next(text for _, text in read("leakage") if text.startswith("How the models of page one were tested."))
    assert tests.index("A linear model: ") < tests.index("A non-linear model: ")  # each with its test


def test_the_levels_of_a_watched_gap_and_of_its_baseline_are_said() -> None:
    result, built = studied("monitor"), study_table(studied("monitor"))
    (watched,), (before,) = result.compared(), result.estimates.only(term="baseline")
    assert (watched.conf_level, before.conf_level) == pytest.approx((0.95, 0.99)) and "interval" in [
        heading.label for heading in built.headings
    ]
    assert built.note.startswith("Interval: 95% of the gap that is watched, 99% of the baseline.")
    first = watched_rows(result)[0][0].given
    assert fairstats.report(result).title.endswith(f"watched from {first} to {result.periods[-1]}")
    assert first > result.settings["baseline"] and not any("margin" in text for text in page("monitor")["rely"])


def test_the_pages_say_the_same_in_german() -> None:
    for name, words in {
        "fit": ("Die Genauigkeit der Daten sinkt am meisten für", "3 neue Zahlen ersetzen die 5 Merkmale"),
        "leakage": ("über Zufall", "nicht nachgewiesen"),
        "clusters": ("gewöhnlich: Cluster 1", "in der gewöhnlichen Aufteilung bis zu 27,8."),
        "models": ("Nachweislich häufiger richtig: ",),
        "monitor": ("Intervall: 95 % für den beobachteten Unterschied, 99 % für die Ausgangszeit.",),
        "subgroups": ("Durchsucht: einzelne Merkmale und Kombinationen von bis zu 2 der 3 Merkmale, ab 10 Personen.",),
    }.items():
        html = fairstats.report(*KINDS[name].results(), language="de").html.replace("\N{NO-BREAK SPACE}", " ")
        said = " ".join(text for _, text in texts(html))
        assert all(word in said for word in words), name


def test_the_picture_of_a_comparison_calls_its_methods_as_the_page_does() -> None:
    (drawn,) = page("comparison")["figures"]
    assert drawn.caption.startswith("Orthogonal PCA leaves a smaller gap") and ">og<" not in drawn.svg
    said = [text for _, text in read("comparison")]
    assert any(text.startswith("From no adjustment to orthogonal PCA the gap goes") for text in said)
    assert any("Orthogonal PCA: held-out scores by group" in text for text in said)
