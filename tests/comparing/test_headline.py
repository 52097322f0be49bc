"""The pair that a comparison speaks of first: its intervals allow for the data having picked it."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import fairstats
from fairstats.comparing.result import Naming, answer_and_more, holding, predicted_gaps
from fairstats.comparing.result import comparison_headline as headline
from fairstats.estimates import Estimates
from fairstats.reporting.display import markdown_of
from fairstats.reporting.sections.comparison import BETWEEN
from fairstats.reporting.sections.shared import JointLimits
from fairstats.text import percent


def noise(seed: int, n: int = 240, groups: int = 5) -> pd.DataFrame:
    """Groups, features and an outcome that know nothing of each other: every P(X>Y) is one half."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.standard_normal((n, 2)), columns=["p", "q"])
    return frame.assign(g=rng.permutation(np.arange(n) % groups).astype(str), y=rng.integers(0, 2, n))


def compared(frame: pd.DataFrame, **more) -> fairstats.Comparison:
    arguments = {"outcome": "y", "groups": "g", "features": ["p", "q"], "test_size": 0.5, "progress": False}
    return fairstats.compare(frame, **{**arguments, "methods": "none", "n_repeats": 10, **more})


def test_intervals_of_a_pair_that_was_picked_of_m_have_the_level_of_m() -> None:
    result = compared(noise(1), methods=["none", "og"], k=1)
    headline, main = (result.estimates.where(metric="P(X>Y)", role=role) for role in ("headline", "main"))
    first = main.where(fit="none")
    assert len(first) == 4 and len(headline) == 2
    widest = max(first, key=lambda row: abs(row.estimate - 0.5))
    for row in headline:
        assert (row.group, row.reference) == (widest.group, widest.reference)
        same = main.where(fit=row.fit, group=row.group)[0]
        half = same.std_error * stats.t.ppf(1 - 0.05 / 4 / 2, same.df)
        assert row.conf_level == pytest.approx(1 - 0.05 / 4) and row.estimate == same.estimate
        assert (row.conf_low, row.conf_high) == pytest.approx((same.estimate - half, same.estimate + half))
    gap = result.estimates.where(metric="positive rate", role="headline", fit="none")[0]
    alone = result.estimates.where(
        metric="positive rate", role="main", fit="none", group=gap.group, contrast="difference"
    )
    assert gap.p_adjusted == pytest.approx(min(1.0, 4 * alone[0].p_value))
    text = result.finding()
    assert "all 4 at once (Bonferroni: 98.75% each)" in text
    assert f"{100 * headline[0].conf_low:.1f} to {100 * headline[0].conf_high:.1f}" in text


@pytest.mark.parametrize("open_with", [(), ("none",), ("og",), ("none", "og")])
def test_methods_are_named_by_whether_their_interval_holds_one_half(open_with: tuple[str, ...]) -> None:
    result = compared(noise(2, groups=2), methods=["none", "og"], k=1, n_repeats=2)
    rows, _ = headline(result)
    ends = {True: (0.5, 0.8), False: (0.51, 0.8)}
    moved = Estimates(row.with_interval(0.65, *ends[row.fit in open_with]) for row in rows)
    text = holding(
        moved, result.terms, {"none": "the features", "og · logistic": "og", "none · logistic": "plain"}, result
    )
    named = {"none": "plain", "og": "og"}
    left = [named[name] for name in ("none", "og") if name not in open_with]
    inside = [named[name] for name in ("none", "og") if name in open_with]
    if not inside:
        assert text == ["No interval holds 50: a difference is shown with each."]
    elif not left:
        assert text == ["Every interval holds 50, which shows neither a difference nor that there is none."]
    else:
        unsettled = f"with {inside[0]} the limits include 50, which shows neither a difference nor that there is none"
        assert text == [f"A difference is shown with {left[0]}; {unsettled}."]


def test_one_pair_is_not_picked_and_has_an_unadjusted_interval() -> None:
    result = compared(noise(1, groups=2))
    assert not result.estimates.where(role="headline") and "at once" not in result.finding()


def test_page_one_speaks_of_one_pair_in_sentence_table_and_picture() -> None:
    result = compared(noise(1), methods=["none", "og"], k=1)
    row = result.estimates.where(metric="P(X>Y)", role="headline")[0]
    page = fairstats.report(result).html.partition('id="comparison"')[0]
    caption = re.findall(r"<figcaption>(.*?)</figcaption>", page, re.S)
    assert f"between {row.group} and {row.reference} than" in caption[0]
    assert "98.75% interval" in page
    text = f"{100 * row.conf_low:.1f} to {100 * row.conf_high:.1f}"
    assert page.count(text) >= 2  # the sentence and the table


@pytest.mark.long
def test_with_labels_that_help_the_picture_is_drawn_too() -> None:
    result = compared(noise(1), methods=["none", "og"], k=1, favorable=1)
    assert "<figure" in fairstats.report(result).html.partition('id="comparison"')[0]


@pytest.mark.slow
def test_the_picked_interval_misses_one_half_in_at_most_five_of_a_hundred() -> None:
    missed = 0
    for seed in range(200):
        row = compared(noise(seed)).estimates.where(metric="P(X>Y)", role="headline")[0]
        missed += not row.conf_low <= 0.5 <= row.conf_high
    assert missed <= stats.binom.ppf(0.999, 200, 0.05)


@pytest.mark.parametrize("shown_with", [(), ("none",), ("og",), ("none", "og")])
def test_the_predicted_decision_is_answered_before_the_scores(shown_with: tuple[str, ...]) -> None:
    result = compared(noise(2, groups=2), methods=["none", "og"], k=1, n_repeats=2)
    ends = {True: (0.01, 0.2), False: (-0.01, 0.2)}

    def moved(row):
        if (row.metric, row.contrast, row.versus) != ("positive rate", "difference", ""):
            return row
        return row.with_interval(0.1, *ends[row.fit in shown_with])

    answer, more = answer_and_more(replace(result, estimates=result.estimates.map(moved)))
    assert [about for about, _ in more][:2] == ["Right predictions.", "Order of the scores."]
    if "none" in shown_with:
        assert answer.startswith("With no adjustment the model predicts y = 1 more often for the group ")
    else:  # no gap is shown without adjustment: that is said first, and no direction of it
        assert answer.startswith("With no adjustment it is not shown that the model predicts y = 1 more or less often ")
    assert "95% CI " in answer and "10.0 percentage points (" in answer and "With og the gap " in answer
    assert "higher score" not in answer and "higher score" in more[1][1] and "in percent" not in answer
    right = result.estimates.where(metric="accuracy", attribute="", contrast="none", fit="og")[0]
    assert f"{100 * right.estimate:.1f} with og (" in more[0][1]
    coded, _ = answer_and_more(
        replace(result, estimates=result.estimates.map(moved)),
        Naming(
            lambda name: f"<{name}>",
            lambda column, label: f"[{column} {label}]",
            lambda column, label: f"{column}: {label}",
        ),
    )
    assert "predicts y: 1 more " in coded and "for [g " in coded and "With <og> the gap " in coded


def test_of_many_methods_those_that_change_the_gap_are_counted() -> None:
    result = compared(noise(2, groups=2), methods=["none", "og", "fair_pca", "leace_pca"], k=1, n_repeats=2)
    answer, _ = answer_and_more(result)
    told = re.findall(
        r"(It is shown to be narrower|It is shown to be wider|No change of it is shown) with (.*?)\.( |$)", answer
    )
    named = [re.findall(r"(\w+) \(", methods) for _, methods, _ in told]
    assert sorted(name for each in named for name in each) == ["fair_pca", "leace_pca", "og"]


def test_a_change_of_the_gap_is_said_where_its_limits_for_all_changes_exclude_none() -> None:
    rng = np.random.default_rng(5)
    n = 1200
    group = rng.integers(0, 2, n)
    frame = pd.DataFrame(
        {"p": rng.standard_normal(n) + 1.5 * group, "q": rng.standard_normal(n), "g": group.astype(str)}
    )
    frame["y"] = (frame.p + frame.q + rng.standard_normal(n) > 0.75).astype(int)
    result = compared(frame, methods=["none", "og"], k=1)
    answer, more = answer_and_more(result)
    versus = result.estimates.where(metric="positive rate", contrast="difference", attribute="g", versus="none")
    (change,) = (row for row in versus if row.reference)
    half = change.std_error * stats.t.ppf(0.975, change.df)
    low, high = sorted(100 * abs(change.estimate + sign * half) for sign in (-1, 1))
    said = f"{100 * abs(change.estimate):.1f} points ({low:.1f} to {high:.1f}), to "
    assert f"narrows by {said}" in answer or f"narrows by about {said}" in answer
    narrowed = answer.partition("With og the gap narrows by ")[2].partition(": that one remains is not shown.")
    least, most = map(float, narrowed[0].rpartition("(")[2].rstrip(")").replace("−", "-").split(" to "))
    assert narrowed[1] and least < 0 < most
    (area,) = result.estimates.where(metric="AUC", attribute="", contrast="difference")
    assert (f"og lowers AUC by {abs(area.estimate):.3f} (" in " ".join(text for _, text in more)) is (
        area.p_value < 0.05
    )


@pytest.mark.long
def test_limits_of_changes_hold_together_and_the_summary_says_so() -> None:
    rng = np.random.default_rng(0)
    g = rng.integers(0, 2, 600)
    frame = pd.DataFrame({"p": rng.standard_normal(600) + 1.5 * g, "q": rng.standard_normal(600), "g": g.astype(str)})
    frame["y"] = (frame.p + rng.standard_normal(600) > 0.75).astype(int)
    for methods in (["none", "og"], ["none", "og", "leace"]):
        result = compared(frame, methods=methods, k=1)
        rows = result.estimates.where(metric="AUC", attribute="", contrast="difference")
        text = " ".join(line for _, line in answer_and_more(result)[1])
        row = rows[0]
        half = row.std_error * stats.t.ppf(1 - 0.025 / len(rows), row.df)
        least, most = sorted(abs(row.estimate + sign * half) for sign in (-1, 1))
        assert f"og lowers AUC by {-row.estimate:.3f} ({least:.3f} to {most:.3f})." in text
        assert ("The intervals of these changes are adjusted for 2 comparisons." in text) == (len(rows) == 2)
    assert "of changes in the finding for all of a kind together" in " ".join(result.summary().split())


def test_one_prediction_for_everybody_is_named_where_no_method_does_better() -> None:
    frame = noise(3, groups=2).assign(y=lambda d: (d.index % 10 == 0).astype(int))
    result = compared(frame, threshold=0.1)
    best = max(row.estimate for row in result.estimates.where(metric="accuracy", attribute="", contrast="none"))
    said = f"Every model is right less often ({percent(best)}% of people) than the answer y = 1 for nobody (90.0%)."
    assert said in answer_and_more(result)[0] and best < 0.9
    wide = result.estimates.map(lambda row: row.changed(conf_high=0.95) if row.metric == "accuracy" else row)
    said = "To predict the same for everybody would be right for 90.0% of people; the best method is right for "
    assert f"{said}{percent(best)}%." in answer_and_more(replace(result, estimates=wide))[0]


def test_no_interval_of_a_share_is_narrower_than_that_of_one_model_on_all_people() -> None:
    frame = noise(4, n=400, groups=2)
    result = compared(frame, test_size=0.25)
    for row in result.estimates.where(metric="positive rate", contrast="none", role="main"):
        people = row.n / 0.25
        census = row.estimate * (1 - row.estimate) / people
        assert row.std_error**2 >= 0.97 * census  # strata hold some of it fixed, which is added from all people


@pytest.mark.parametrize(("groups", "called"), [(3, "95% CI, adjusted"), (2, "95% CI")])
def test_one_gap_has_one_interval_in_the_finding_the_table_and_the_notebook(groups: int, called: str) -> None:
    frame = noise(1, n=600, groups=groups).assign(y=lambda d: (d.p + d.q > 0).astype(int))
    result = compared(frame, methods=["none", "og"], k=1)
    pair = headline(result)[0][0]
    (gap,) = predicted_gaps(result, pair).only(fit="none")
    half = gap.std_error * stats.t.ppf(1 - 0.05 / (groups - 1) / 2, gap.df)
    low, high = sorted(100 * (gap.estimate + sign * half) for sign in (-1, 1))
    limits = f"{percent(low / 100)} to {percent(high / 100)}"
    adjusted = ", adjusted for 2 comparisons" * (groups > 2)
    assert f"(95% CI {limits}{adjusted})" in result.finding()
    table = fairstats.table(result)
    assert [h.label for h in table.shown.headings].count(called) >= 1 and limits in table.shown.rows[0]
    assert ("Intervals of differences are adjusted for 2 comparisons." in table.note) == (groups > 2)
    shown = markdown_of(result)
    lines = [line for line in shown.splitlines() if line.startswith("| no adjustment | Positive rate |")]
    (line,) = (one for one in lines if limits in one)
    p = min(1.0, (groups - 1) * 2 * stats.t.sf(abs(gap.statistic), gap.df))
    assert f"| {p:.3f} |" in line and ("adjusted p |" in shown) == (groups > 2) and "results.csv" not in shown


@pytest.mark.long
@pytest.mark.parametrize("groups", [2, 5])
def test_intervals_of_a_report_agree_with_their_p_and_with_page_one(groups: int) -> None:
    """One interval a number: the table's holds for all groups of a method, as that of the finding does."""
    frame = noise(1, n=600, groups=groups).assign(p=lambda d: d.p + 1.0 * (d.g == "1"))
    frame = frame.assign(y=(frame.p + frame.q > 0.5).astype(int))
    result = compared(frame, methods=["none", "og"], k=1)
    rows = Estimates(r for r in result.estimates.where(metric=BETWEEN, role="main") if r.reference)
    together = JointLimits(result, rows)
    settled = 0
    for row in rows:
        low, high = together.limits(row)
        null = 0.5 if row.metric == "P(X>Y)" else 0.0
        if np.isnan(row.p_value):  # a rate that is the same in every split
            assert np.isnan(low) and together.p(row) == "–"
            continue
        assert (together.p_value(row) < 0.05) == (not low <= null <= high), row
        settled += not low <= null <= high
    assert 0 < settled < len(rows)
    picked = result.estimates.where(role="headline")
    assert bool(picked) == (groups > 2)
    for focus in picked:
        about = {"group": focus.group, "reference": focus.reference, "fit": focus.fit, "versus": ""}
        (row,) = (r for r in rows if r.metric == focus.metric and all(getattr(r, k) == v for k, v in about.items()))
        assert together.limits(row) == pytest.approx((focus.conf_low, focus.conf_high))
    assert together.level == ("95% interval" if groups == 2 and len(together.sizes) < 2 else "95% CI, adjusted")
