"""Models compared: Tango's limits by brute force, the bootstrap by person, equal models, and what a claim says."""

from __future__ import annotations

import itertools
import re
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import norm
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

import fairstats as fs
from fairstats.auditing.group_studies import conditions_of, limits
from fairstats.cli import run
from fairstats.estimates import Estimate
from fairstats.inference.rates.paired import PairedGap, PairedPredictive, PairedRate, tango
from fairstats.inference.scores.paired import Areas, PairedAreas
from fairstats.reporting import words
from fairstats.reporting.sections.other import model_table
from fairstats.text import p_equals, percent


@pytest.mark.parametrize("cell", [(5, 2, 20), (0, 3, 14), (12, 1, 50), (3, 3, 9), (40, 10, 300)])
def test_tangos_limits_invert_the_score_test_of_the_likeliest_table(cell: tuple[int, int, int]) -> None:
    up, down, n = cell

    def z(difference: float) -> float:
        def loss(q: float) -> float:  # minus the likelihood with P(down) = q and P(up) = q + difference
            parts = (up, q + difference), (down, q), (n - up - down, 1 - 2 * q - difference)
            return -sum(k * np.log(max(p, 1e-300)) for k, p in parts)

        least, most = max(0.0, -difference), (1 - difference) / 2
        q = minimize_scalar(loss, bounds=(least, most), method="bounded", options={"xatol": 1e-13}).x
        return (up - down - n * difference) / np.sqrt(n * (2 * q + difference - difference**2))

    for limit, sign in zip(tango(up, down, n), (1, -1), strict=True):
        assert z(float(limit)) == pytest.approx(sign * norm.ppf(0.975), abs=2e-3)
    low, high = tango(up, down, n)
    assert tango(down, up, n) == pytest.approx((-high, -low))


def test_without_the_reference_moving_the_change_has_tangos_limits_up_to_the_references_uncertainty() -> None:
    group, fixed = PairedRate(30, 20, 15, 100), PairedRate(5e8, 5e8, 5e8, 1e9)
    assert PairedGap(group, fixed).limits(0.95) == pytest.approx(group.limits(0.95), abs=1e-6)


def compas(shared: Path) -> pd.DataFrame:
    d = pd.read_csv(shared / "data" / "compas-scores-two-years.csv")
    return d.assign(a=(d.decile_score > 4).astype(int), b=(d.priors_count > 2).astype(int))[
        ["race", "two_year_recid", "a", "b"]
    ].rename(columns={"race": "g", "two_year_recid": "y"})


def arrests(_: Path) -> pd.DataFrame:
    d = fs.arrests()
    y = (d["released"] == "Yes").astype(int)
    return pd.DataFrame(
        {"g": d["colour"], "y": y, "a": (d["checks"] < 3).astype(int), "b": (d["age"] > 20).astype(int)}
    )


def simulated(_: Path | None = None) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    n = 3000
    g = rng.choice(["u", "v", "w"], n, p=[0.5, 0.3, 0.2])
    y = rng.binomial(1, 0.4, n)
    score = y + rng.normal(size=n) + 0.3 * (g == "v")
    return pd.DataFrame({"g": g, "y": y, "a": (score > 0.5) * 1, "b": (score + rng.normal(0, 0.2, n) > 0.6) * 1})


@pytest.mark.parametrize("people", [compas, arrests, simulated])
def test_standard_errors_are_within_five_percent_of_a_bootstrap_by_person(people, shared) -> None:  # type: ignore[no-untyped-def]
    d = people(shared)
    d = d[d["g"].isin(d["g"].value_counts().index[:3])]
    rows = fs.compare_models(d, ["a", "b"], "g", outcome="y").compared()
    rng = np.random.default_rng(0)
    cells, counts = np.unique(np.stack([d["g"].astype(str), d["y"], d["a"], d["b"]], axis=1).astype(str), axis=0,
                              return_counts=True)  # fmt: skip
    drawn = rng.multinomial(len(d), counts / len(d), 6000).astype(float)
    y, a, b = (cells[:, k] == "1" for k in (1, 2, 3))
    whom = {"selection rate": y | True, "TPR": y, "FPR": ~y, "accuracy": y | True}
    for row in rows:
        right = (a == y, b == y) if row.metric == "accuracy" else (a, b)
        change = right[1].astype(float) - right[0]

        def mean(group: str) -> np.ndarray:
            inside = whom[row.metric] & ((cells[:, 0] == group) if group else True)  # noqa: B023
            return drawn[:, inside] @ change[inside] / drawn[:, inside].sum(axis=1)  # noqa: B023

        def predictive(group: str) -> np.ndarray:
            inside = cells[:, 0] == group
            of_b, of_a = (drawn[:, inside & x & y].sum(1) / drawn[:, inside & x].sum(1) for x in (b, a))
            return of_b - of_a

        mean = predictive if row.metric == "PPV" else mean
        values = mean(row.group) - (mean(row.reference) if row.group else 0)
        assert row.std_error == pytest.approx(values.std(), rel=0.05)


@pytest.mark.long
def test_the_change_is_the_difference_of_the_two_gaps_and_the_family_is_one_rate() -> None:
    d = simulated()
    result = fs.compare_models(d, {"old": "a", "new": "b"}, "g", outcome="y", baseline="old")
    for row in result.compared():
        if not row.group:
            continue
        gaps = {}
        for model, column in (("old", "a"), ("new", "b")):
            about = {"metric": row.metric, "group": row.group, "contrast": "difference"}
            gaps[model] = result.estimates.where(**about, model=model, versus="")[0].estimate
            if row.metric in ("selection rate", "TPR", "FPR"):
                audit = fs.audit(d, column, "g", outcome="y")
                other = audit.estimates.where(**about, role="main")
                assert other[0].estimate == pytest.approx(gaps[model])
        assert row.estimate == pytest.approx(gaps["new"] - gaps["old"])
        assert row.p_adjusted == pytest.approx(min(1.0, (2 + (row.metric == "accuracy")) * row.p_value))
        assert (row.verdict == "disparity shown") == (row.conf_low > 0 or row.conf_high < 0) == (row.p_adjusted <= 0.05)


def test_a_model_beside_itself_changes_nothing() -> None:
    d = simulated().assign(c=lambda d: d["a"])
    result = fs.compare_models(d, ["a", "c"], "g", outcome="y", margin=0.05)
    assert {row.estimate for row in result.compared()} == {0.0}
    assert {row.p_value for row in result.compared()} == {1.0} and not result.shown()
    assert {row.estimate for row in result.estimates.where(metric="disagreement")} == {0.0}


@pytest.mark.long
def test_every_pair_is_one_family_and_the_other_pairs_are_offered() -> None:
    d = simulated().assign(c=lambda d: np.where(d.index % 7 == 0, 1 - d["b"], d["b"]))
    beside = fs.compare_models(d, ["a", "b", "c"], "g", outcome="y", baseline="b")
    assert [(r.model, r.versus) for r in beside.compared()][:4] == [("a", "b"), ("a", "b"), ("c", "b"), ("c", "b")]
    assert beside.statements[-2:] == (
        "Each model is compared with “b” only, and not with the others.",
        "To compare every pair, pass versus='all'.",
    )
    page = fs.report(beside).html  # for readers who made no call
    assert "Each model is compared with “b” only, and not with the others." in page and "versus=" not in page
    pairs = fs.compare_models(d, ["a", "b", "c"], "g", outcome="y", versus="all", p_adjust="holm")
    assert not any("versus=" in line for line in pairs.statements)
    assert not any("\N{EN DASH}" in line for line in pairs.statements)  # Holm has no limits
    for row in [row for row in pairs.compared() if row.metric == "accuracy" and not row.group]:
        assert sum(f", adjusted {p_equals(row.p_adjusted)})" in line for line in pairs.statements)
    (line,) = (line for line in pairs.statements if line.startswith("No change is shown: "))
    open_ = [row for row in pairs.compared() if row.metric == "TPR" and row.verdict == "inconclusive"]
    assert f"gap in true positive rate ({len(open_)} of 6 comparisons)" in line
    each = {
        pair: fs.compare_models(d, pair, "g", outcome="y").compared()
        for pair in {(row.versus, row.model) for row in pairs.compared()}
    }
    for row in pairs.compared():
        of_pair = each[row.versus, row.model]
        (alone,) = [other for other in of_pair if (other.metric, other.group) == (row.metric, row.group)]
        assert (alone.estimate, alone.p_value) == (row.estimate, row.p_value)
    for metric, size in (("TPR", 6), ("accuracy", 9)):
        family = sorted((r for r in pairs.compared() if r.metric == metric), key=lambda r: r.p_value)
        assert len(family) == size
        held = np.maximum.accumulate([(size - i) * row.p_value for i, row in enumerate(family)])
        assert [row.p_adjusted for row in family] == pytest.approx(np.minimum(1, held))
        assert all((row.p_adjusted <= 0.05) == (row.verdict == "disparity shown") for row in family)


def test_what_is_not_shown_is_said_with_what_is_not_excluded() -> None:
    result = fs.compare_models(simulated(), ["a", "b"], "g")
    rows = result.compared()
    most, row = max((max(abs(row.conf_low), abs(row.conf_high)), row) for row in rows if row.verdict == "inconclusive")
    begin = "Where no change is shown, the largest that the data do not exclude: "
    size = f"{100 * most:.1f} points ({row.group}, {row.n:.0f} people)."
    assert result.statements[-2] == f"{begin}gap in selection rate {size}"
    two = simulated().query("g != 'w'").assign(c=lambda d: np.where(d.index == 0, 1 - d["a"], d["a"]))
    result = fs.compare_models(two, ["a", "c"], "g", outcome="y")
    (row,) = (row for row in result.compared() if row.metric == "accuracy" and not row.group)
    (line,) = (text for text in result.statements if text.startswith(begin))
    assert f"; accuracy of everybody {100 * max(-row.conf_low, row.conf_high):.1f} points; " in line
    assert line.startswith(f"{begin}gap in selection rate ") and "(" not in line


def many_changes() -> fs.GroupStudy:
    rng, n = np.random.default_rng(0), 6000
    people = pd.DataFrame({"race": rng.choice(list("ABCD"), n, p=[0.5, 0.25, 0.15, 0.1]), "y": rng.integers(0, 2, n)})
    people["now"] = np.where(rng.random(n) < 0.8, people["y"], 1 - people["y"])
    for name, share in (("m1", 0.2), ("m2", 0.5)):
        people[name] = np.where((people["race"] != "A") & (rng.random(n) < share), 0, people["now"])
    return fs.compare_models(people, ["now", "m1", "m2"], "race", outcome="y")


def test_of_every_pair_those_of_the_model_in_use_come_first_and_have_a_sentence_each() -> None:
    rng, n = np.random.default_rng(3), 3000
    people = pd.DataFrame({"g": rng.choice(["u", "v"], n, p=[0.85, 0.15]), "now": rng.integers(0, 2, n)})
    for name, share in (("a", 0.0), ("b", 0.3), ("c", 0.6), ("d", 0.9)):  # "now" and "a" are about alike
        people[name] = np.where((people.g == "v") & (rng.random(n) < share), 0, people["now"])
    people.loc[:20, "a"] = 1 - people.loc[:20, "a"]
    lines = fs.compare_models(people, ["now", "a", "b", "c", "d"], "g", versus="all").statements
    pairs = [tuple(re.findall("“(.)”|“(now)”", text)) for text in lines[:5]]
    assert [{"".join(name) for name in pair} for pair in pairs[:4]] == [{"now", name} for name in ("d", "c", "b", "a")]
    assert lines[4] == "Further pairs of models: 6; what is shown of them is below."
    assert any("larger with “b” than with “a”" in text for text in lines[5:])


def test_accuracy_is_said_first_and_how_many_more_changes_the_table_has() -> None:
    result = many_changes()
    right = result.by_candidate().drop_duplicates("model").set_index("model")["accuracy"]
    gaps = result.by_candidate().query("rate == 'selection rate'")
    largest = gaps.loc[gaps.gap.abs().groupby(gaps.model, sort=False).idxmax()].set_index("model")
    said = [f"{100 * largest.gap[m]:.1f}".replace("-", "−") for m in ("now", "m1", "m2")]
    (of_each,) = [
        text for text in result.statements if text.startswith("Largest gap of any group of 30 people or more")
    ]
    for name, number in zip(("now", "m1", "m2"), said, strict=True):
        assert number in of_each and f"with “{name}” ({largest.group[name]})" in of_each
    # of the changes with a direction the one whose limits are farthest from 0
    starts = "Between D and A “m1” leaves a larger gap than “now”", "“m2” leaves a larger gap than “now”"
    for k, name, start in (
        (0, "m2", starts[1]),
        (3, "m1", starts[0]),
    ):  # a gap, those of all groups, and accuracy
        assert result.statements[k].startswith("Between ") and start in result.statements[k]
        assert result.statements[k + 1].startswith(f"Gaps of the other groups, selection rate, “{name}” beside “now”: ")
        accuracy = f"Accuracy: {100 * right[name]:.1f}% with “{name}” and {100 * right['now']:.1f}% with “now” (change"
        assert result.statements[k + 2].startswith(accuracy)
    assert result.statements[8] == "A difference is shown in 26 of 32 comparisons."
    assert sum(text.startswith("selection rate, ") for text in result.statements) == 3
    rows = [row for row in result.compared() if (row.metric, row.group) == ("TPR", "C")]
    gap = {r.model: r for r in result.estimates.only(metric="TPR", group="C", contrast="difference", versus="")}
    each = [f"{percent(gap['now'].estimate)} percentage points with “now”"]
    each += [f"{percent(gap[row.model].estimate)} with “{row.model}”" for row in rows]
    ends = [f"(change {percent(r.estimate)}, {percent(r.conf_low)} to {percent(r.conf_high)})" for r in rows]
    of = [f"larger with “{r.model}” than with “now” {one}" for r, one in zip(rows, ends, strict=True)]
    changes = "; ".join(of)  # each with the sign that it has in tidy()
    assert f"true positive rate, C and A: a gap of {', '.join(each)}; {changes}." in result.statements
    # 26 less 4 of the pairs, and less 2 + 1 + 1 + 2 + 2 of these sentences
    assert "Further differences that are shown, which the table has: 14." in result.statements


def test_the_report_has_accuracy_and_gaps_by_model_and_names_of_models_as_they_are() -> None:
    result = many_changes()
    html = fs.report(result).html
    assert "Accuracy and gaps by model" in html
    assert "“now” than “m1”, by 3.0 points" in html and "“M1”" not in html
    table = model_table(result)
    assert len(table.rows) == 9
    for line, rows in zip(table.rows, result.by_model(), strict=True):
        assert line[:2] == (rows[-1].model, rows[-1].group)
        assert line[2:] == tuple(words.scale(row)(row.estimate) for row in rows)
    units = {heading.label.removeprefix("gap: "): heading.unit for heading in table.headings[2:]}
    assert units.pop("Accuracy") == "%" and set(units.values()) == {"points"}


def test_the_smallest_and_largest_gap_of_one_group_are_said_after_the_largest_of_any_as_on_page_one() -> None:
    result = many_changes()
    every = result.by_candidate().query("rate == 'selection rate'")
    group = every.group[every.gap.abs().idxmax()]
    of = every[every.group == group].set_index("model")
    least, most = of.gap.abs().idxmin(), of.gap.abs().idxmax()
    assert least != most
    share = {name: f"{100 * of.share[name]:.1f}" for name in of.index}
    other = {name: f"{100 * of.share_reference[name]:.1f}" for name in of.index}
    gap = {name: f"{100 * of.gap[name]:.1f}".replace("-", "−") for name in of.index}
    (said,) = [text for text in result.statements if text.startswith("Smallest gap between")]
    before = result.statements[result.statements.index(said) - 1]
    assert before.startswith("Largest gap of any group") and said == (
        f"Smallest gap between {group} and A, selection rate: {gap[least]} percentage points with “{least}” "
        f"({share[least]}% and {other[least]}%); largest: {gap[most]} with “{most}” "
        f"({share[most]}% and {other[most]}%)."
    )
    (first, _) = fs.report(result).contents.context["findings"]["tables"]  # of several models the page has them here
    by_model = {line[0]: line for line in first.rows}
    for name in (least, most):
        assert {share[name], other[name], gap[name]} <= set(by_model[name])


def test_equal_and_no_larger_gaps_are_claimed_by_the_margin() -> None:
    cells = {("w", 1, 1): 3000, ("w", 0, 0): 3000, ("v", 1, 1): 1000, ("v", 0, 0): 4800}
    equal = fs.compare_models(counts({**cells, ("v", 0, 1): 20}), ["a", "b"], "g", margin=0.02, reference="w")
    (row,) = equal.compared()
    assert row.verdict != "inconclusive" and row.conf_low > -0.02 and row.conf_high < 0.02
    alike = fs.compare_models(counts({**cells, ("v", 0, 1): 40, ("v", 1, 0): 40}), ["a", "b"], "g", margin=0.02)
    assert alike.compared()[0].verdict == "equivalence shown"
    caption = fs.plot(alike, "differences").caption  # names what the picture's labels and marks do not
    assert caption.endswith("Gaps are v less w. Diamond: the difference is within the margin.")
    assert "less than 2.0 percentage points apart" in alike.statements[2]
    assert alike.statements[0].startswith(
        "Between v and w “b” and “a” leave gaps that differ by less than the margin: "
    )
    fewer = {name: n // 20 for name, n in cells.items()} | {("v", 0, 1): 8, ("v", 1, 0): 2}
    better = fs.compare_models(counts(fewer), ["a", "b"], "g", margin=0.02, reference="w")
    (row,) = better.compared()
    assert row.verdict == "inconclusive" and row.conf_low > -0.02 and row.conf_high > 0.02  # toward the reference
    assert "that it is at most 2.0 percentage points larger with “b” is shown" in better.statements[2]
    assert better.statements[0].startswith("Which of “b” and “a” leaves the smaller gap between v and w is not shown: ")
    change, low, high = (f"{100 * v:.1f}".replace("-", "−") for v in (row.estimate, row.conf_low, row.conf_high))
    assert f"(change {change}, {low} to {high})" in better.statements[2]
    assert row.estimate > 0 > better.by_model()[0][-1].estimate
    assert not any("larger than" in line for line in fs.compare_models(counts(fewer), ["a", "b"], "g").statements)


@pytest.mark.long
@pytest.mark.parametrize(("resamples", "within"), [(300, 0.1), pytest.param(2000, 0.05, marks=pytest.mark.slow)])
def test_scores_have_their_aucs_compared_as_by_delong_and_near_a_bootstrap(resamples: int, within: float) -> None:
    rng = np.random.default_rng(2)
    n = 1500
    d = pd.DataFrame({"g": rng.choice(["u", "v"], n, p=[0.7, 0.3]), "y": rng.binomial(1, 0.4, n)})
    d["s"] = (d["y"] + rng.normal(0, 1, n)).round(2)
    d["t"] = (d["s"] + rng.normal(0, 0.7, n) * (d["g"] == "v")).round(2)
    result = fs.compare_models(d, ["s", "t"], "g", outcome="y", threshold=0.5, reference="u")
    whole, row = [row for row in result.compared() if row.metric == "AUC"]
    expected = fs.stats.auc_difference_paired(d["t"], d["s"], d["y"])
    assert whole.group == "" and whole.estimate == pytest.approx(expected.difference)
    assert whole.std_error == pytest.approx(expected.std_error)

    def change(d: pd.DataFrame) -> tuple[float, float]:
        found = [
            fs.stats.auc_difference_paired(part["t"], part["s"], part["y"])
            for part in (d[d["g"] == "v"], d[d["g"] == "u"])
        ]
        return found[0].difference - found[1].difference, float(np.hypot(found[0].std_error, found[1].std_error))

    assert (row.estimate, row.std_error) == pytest.approx(change(d))
    values = [change(d.iloc[rng.integers(0, n, n)])[0] for _ in range(resamples)]
    assert row.std_error == pytest.approx(np.std(values), rel=within)
    assert row.conf_low <= row.estimate <= row.conf_high
    alone = result.estimates.where(metric="AUC", contrast="none", model="t")
    assert [r.estimate for r in alone] == pytest.approx(
        [fs.stats.auc(part["t"], part["y"]).auc for part in (d[d["g"] == "u"], d[d["g"] == "v"], d)]
    )
    assert result.shown() and "AUC, v and u: a gap of −" in " ".join(result.statements)
    change = f"by {-whole.estimate:.3f} ({-whole.conf_high:.3f} to {-whole.conf_low:.3f})."
    assert f"t has a lower AUC than s for everybody together, {change}" in result.statements
    text = result.summary()
    assert "D: a difference is shown, ?: not settled." in " ".join(text.split())
    assert "model  accuracy    AUC" in text and max(map(len, text.splitlines())) <= 80


def test_models_that_decide_alike_or_in_one_way_are_said() -> None:
    d = simulated().assign(c=lambda d: d["a"], s=lambda d: d["a"] * 50.0, one=100.0)
    assert "c and a decide alike about everybody here." in fs.compare_models(d, ["a", "c"], "g").statements
    result = fs.compare_models(d, ["s", "one"], "g", threshold=0.5)
    assert result.statements[0] == "one decides in one way about everybody here."  # before any gap
    page = fs.report(result).html
    assert page.index("one decides in one way") < page.index("Gap in selection")
    german = fs.report(result, language="de").html
    assert "entscheidet hier über alle dasselbe" in german


def test_predictive_values_are_those_of_audits_and_their_limits_include_no_change_of_one_model() -> None:
    d = simulated().assign(c=lambda d: d["a"])
    result = fs.compare_models(d, ["a", "b", "c"], "g", outcome="y", reference="u")
    for model in ("a", "b"):
        audit = fs.audit(d, model, "g", outcome="y", reference={"g": "u"})
        for contrast in ("none", "difference"):
            about = {"metric": "PPV", "contrast": contrast}
            mine = result.estimates.where(**about, model=model, versus="")
            others = {row.group: row.estimate for row in audit.estimates.where(**about, role="main")}
            assert {row.group: row.estimate for row in mine} == pytest.approx(others)
    for row in result.compared():
        if row.metric == "PPV":
            assert (row.verdict == "disparity shown") == (row.conf_low > 0 or row.conf_high < 0)
            assert row.model != "c" or (row.estimate, row.p_value) == (0, 1)
    nobody = fs.compare_models(d.assign(a=np.where(d["g"] == "v", 0, d["a"])), ["a", "b"], "g", outcome="y")
    rows = {row.group: row.status for row in nobody.estimates.where(metric="PPV", model="b", versus="a", role="main")}
    assert rows["v"] == "unestimable" and rows["w"] == "ok"


def test_the_limits_of_a_changed_auc_are_those_of_the_gap_where_the_reference_is_sure() -> None:
    y = np.arange(40) % 2 == 0
    scores = np.stack([np.arange(40) + 25.0 * y, np.arange(40) + 12.0 * y], axis=1)
    perfect = Areas.of(np.stack([y, y], axis=1).astype(float), y)
    change = PairedAreas(Areas.of(scores, y), perfect, 0, 1)
    assert perfect.values.tolist() == [1, 1] and change.change > 0
    assert change.limits(0.9)[0] < change.change < change.limits(0.9)[1]
    same = PairedAreas(Areas.of(scores, y), perfect, 1, 1)
    low, high = same.limits(0.95)
    assert same.change == 0 and low <= 0 <= high
    assert not PairedAreas(Areas.of(scores[:3], y[:3]), perfect, 0, 1).known


def counts(cells: dict[tuple[str, int, int], int]) -> pd.DataFrame:
    return pd.DataFrame([key for key, n in cells.items() for _ in range(n)], columns=["g", "a", "b"])


def test_a_gap_is_called_smaller_only_where_its_size_is_and_else_changed() -> None:
    base = {("w", 1, 1): 300, ("w", 0, 0): 300}
    smaller = fs.compare_models(counts({**base, ("v", 1, 1): 90, ("v", 0, 1): 150, ("v", 0, 0): 260}), ["a", "b"], "g")
    assert smaller.statements[0].startswith("Between v and w “b” leaves a smaller gap than “a”: selection rate, −2.0 p")
    larger = fs.compare_models(counts({**base, ("v", 1, 1): 90, ("v", 1, 0): 150, ("v", 0, 0): 260}), ["a", "b"], "g")
    assert larger.statements[0].startswith(
        "Between v and w “b” leaves a larger gap than “a”: selection rate, −32.0 percentage"
    )
    turned = fs.compare_models(counts({**base, ("v", 1, 1): 190, ("v", 0, 1): 120, ("v", 0, 0): 190}), ["a", "b"], "g")
    assert "and which is the smaller is not settled" in turned.statements[0]  # from −12 to 12 points
    (_, total) = turned.estimates.only(metric="selection rate", model="b", versus="a", contrast="difference")
    assert f"; sum of both gaps 0.0, {limits(total)})." in turned.statements[0] and total.conf_low < 0 < total.conf_high
    for result, direction, sign in ((smaller, "smaller", "S"), (larger, "larger", "L"), (turned, "changed", "C")):
        assert result.by_rate().direction.tolist() == [direction]
        assert any(line.rstrip().endswith(f"  {sign}") for line in result.summary().splitlines())
        assert any(line.endswith(f"  {direction}") for line in str(result).splitlines())
        page = " ".join(re.sub("<[^>]*>", " ", fs.report(result).html).split())
        assert f"{direction} " in page


@pytest.mark.long
def test_scores_are_cut_and_labels_are_those_of_the_caller() -> None:
    d = simulated()
    score = d.assign(s=d["a"] * 10.0, t=d["b"] * 10.0)
    cut = fs.compare_models(score, {"a": "s", "b": "t"}, "g", outcome="y", threshold=5)
    yes = fs.compare_models(
        score.assign(y=score["y"].map({1: "Yes", 0: "No"})),
        {"a": "s", "b": "t"},
        "g",
        outcome="y",
        positive="Yes",
        threshold=5,
    )
    assert [r.estimate for r in yes.estimates] == [r.estimate for r in cut.estimates]
    words = d.assign(a=d["a"].map({1: "yes", 0: "no"}), b=d["b"].map({1: "yes", 0: "no"}))
    texts = fs.compare_models(words, ["a", "b"], "g", outcome="y", favorable="yes", positive_prediction="yes")
    plain = fs.compare_models(d, ["a", "b"], "g", outcome="y")
    for other in (cut, texts):
        rates = [r.estimate for r in other.estimates if r.metric != "AUC" and r.given != "AUC"]
        assert rates == [r.estimate for r in plain.estimates]


def test_rows_without_an_entry_are_left_out_for_all_models_and_said() -> None:
    d = simulated().astype({"a": float})
    d.loc[:9, "a"] = np.nan
    result = fs.compare_models(d, ["a", "b"], "g", outcome="y")
    assert result.n == len(d) - 10 and "decision of a model: 10." in result.statements[-1]


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"models": ["a"]}, "models has"),
        ({"models": ["a", "nobody"]}, "models"),
        ({"baseline": "z"}, "baseline has 'z'"),
        ({"reference": "z"}, "reference has 'z'"),
        ({"models": ["a", "s"]}, r"decisions must have two; of scores say .*threshold=0.5"),
        ({"models": ["a", "a"]}, "models has the column a twice"),
        ({"versus": "every"}, "versus has 'every'"),
        ({"models": ["a", "words"]}, "has 'a' with 0, 1 and 'words' with no, yes; code the decisions of all"),
        ({"favorable": "yes"}, "favorable"),
        ({"groups": "one"}, "fewer than two groups"),
        ({"models": ["a", "lost"]}, "models has 'lost', of which all values are missing"),
        ({"models": {"a": np.zeros(3), "b": "b"}}, "put it into data as a column, and pass the name of that"),
        ({"models": ["s", "a"], "threshold": {"s": 1}}, "it is a number; pass the score"),
        ({"margin": 2}, "margin has 2"),
    ],
)
def test_bad_input_is_one_clear_error(change: dict[str, object], word: str) -> None:
    d = simulated().assign(s=lambda d: d.index * 0.5, one="x", words=lambda d: d["b"].map({0: "no", 1: "yes"}))
    d["lost"] = np.nan
    with pytest.raises(fs.InputError, match=word):
        fs.compare_models(d, **{"models": ["a", "b"], "groups": "g", "outcome": "y", **change})


def test_the_command_line_says_the_same_and_fails_where_a_change_is_shown(tmp_path, capsys) -> None:  # type: ignore[no-untyped-def]
    d = counts({("w", 1, 1): 300, ("w", 0, 0): 300, ("v", 1, 1): 90, ("v", 0, 1): 150, ("v", 0, 0): 260})
    d.to_csv(tmp_path / "p.csv", index=False)
    wanted = ["compare-models", str(tmp_path / "p.csv"), "--models", "old=a,new=b", "--groups", "g"]
    assert run(wanted) == 0
    assert "“new” leaves a smaller gap than “old”" in " ".join(capsys.readouterr().out.split())
    assert run([*wanted, "--fail-on", "disparity"]) == 0  # the new model is fairer
    assert run([*wanted, "--baseline", "new", "--fail-on", "disparity"]) == 1


def of_one_group(d: pd.DataFrame) -> pd.Series:
    """Decisions for most of one group alone: less accurate, with a larger gap, and yet they depend on the outcome."""
    return 1 * (d["g"] == "u") * ((d["y"] == 1) | (np.arange(len(d)) % 8 > 1))


def candidates(seed: int, better: bool) -> pd.DataFrame:
    """A model in use with a gap, and candidates that decide otherwise about a fifth: as badly, or without the gap."""
    rng = np.random.default_rng(seed)
    n = 16_000 if better else 2000
    g, y = rng.choice(["u", "v"], n, p=[0.6, 0.4]), rng.binomial(1, 0.5, n)
    rate = np.where(y == 1, 0.75, 0.35) - 0.15 * (g == "v")
    d = pd.DataFrame({"g": g, "y": y, "now": rng.binomial(1, rate)})
    for k in range(12):
        again = rng.random(n) < (0.2 if not better else 1)
        d[f"c{k}"] = np.where(again, rng.binomial(1, rate + 0.15 * (g == "v") * better), d["now"])
    return d.assign(first=rng.integers(0, 2, n))


@pytest.mark.long
@pytest.mark.parametrize(("samples", "least"), [(10, 9), pytest.param(40, 37, marks=pytest.mark.slow)])
def test_an_alternative_is_found_where_there_is_one_and_seldom_where_there_is_none(samples: int, least: int) -> None:
    names = ["now", *(f"c{k}" for k in range(12))]
    found = fs.alternatives(candidates(0, True), names, "g", outcome="y").statements[0]
    assert "is a less discriminatory alternative to “now”" in found and "candidates tried: 12." in found
    claims = [
        fs.alternatives(candidates(seed, False), names, "g", outcome="y").statements[0].startswith("No less")
        for seed in range(samples)
    ]
    assert sum(claims) >= least


@pytest.mark.long
def test_what_an_alternative_lacks_is_said() -> None:
    names, found = ["now", *(f"c{k}" for k in range(12))], set()
    for seed, margin in itertools.product(range(6), (0.001, 0.3)):
        result = fs.alternatives(candidates(seed, False), names, "g", outcome="y", margin=margin)
        if len(result.statements) > 1:
            gap, accuracy = result.compared()
            assert gap.verdict != "disparity shown"
            start = "Not shown is that the gap" if accuracy.conf_low > -margin else "Neither is it shown that the gap"
            assert result.statements[1].startswith(start)
            found.add(start)
    assert len(found) == 2


def test_a_smaller_gap_whose_accuracy_is_not_near_is_said() -> None:
    near, strict = (
        fs.alternatives(candidates(0, True), ["now", "c0"], "g", outcome="y", margin=margin) for margin in (0.02, 0.001)
    )
    assert "“c0” is a less discriminatory" in near.statements[0]
    assert strict.statements[1].startswith("Not shown is that accuracy is at most 0.1 points less")


def test_the_half_that_tests_is_compared_as_by_compare_models_and_the_other_is_not_in_it() -> None:
    d = candidates(1, True)
    names = ["now", *(f"c{k}" for k in range(12))]
    result = fs.alternatives(d, names, "g", outcome="y", split="first", metric="TPR")
    gap, accuracy = result.compared()
    assert "Of each model among the half that chose; gaps are v" in " ".join(result.summary().split())
    beside = fs.compare_models(d[d["first"] == 0], ["now", gap.model], "g", outcome="y", p_adjust="none", margin=0.02)
    for row, whom in ((gap, "v"), (accuracy, "")):
        (other,) = beside.estimates.where(metric=row.metric, group=whom, role="main", contrast="difference")
        assert (row.estimate, row.conf_low, row.p_value) == (other.estimate, other.conf_low, other.p_value)
    tried = result.estimates.where(given="the half that chose", metric="TPR", contrast="difference")
    chose = d[d["first"] == 1]
    sizes = {name: abs(chose[chose["y"] == 1].groupby("g")[name].mean().diff().iloc[-1]) for name in names}
    assert {row.model: pytest.approx(abs(row.estimate)) for row in tried} == sizes
    change = {name: (chose[name] == chose["y"]) * 1.0 - (chose["now"] == chose["y"]) for name in names}
    low = {name: moved.mean() - 1.96 * moved.std() / len(moved) ** 0.5 for name, moved in change.items()}
    assert gap.model == min((name for name in names if low[name] > -0.02), key=sizes.__getitem__)


@pytest.mark.long
def test_a_candidate_that_is_shown_to_be_near_is_chosen_before_one_that_only_seems_so() -> None:
    """C has no gap and loses 8 points, B a smaller gap and loses none: with a margin just above 8, too, B is it."""
    rng = np.random.default_rng(2)
    g, y = rng.choice(["u", "v"], 6000, p=[0.7, 0.3]), rng.integers(0, 2, 6000)
    right = rng.random(6000) < 0.8
    now = np.where(right, y, 1 - y)
    now = np.where((g == "v") & (rng.random(6000) < 0.3), 0, now)
    b = np.where((g == "v") & (now == 0) & (y == 1) & (rng.random(6000) < 0.3), 1, now)
    c = np.where(rng.random(6000) < 0.415, rng.integers(0, 2, 6000), np.where(right, y, 1 - y))
    d = {"g": g, "y": y, "now": now, "b": b, "c": c}
    for margin in (0.02, 0.05):
        assert (
            fs.alternatives(d, ["now", "b", "c"], "g", outcome="y", margin=margin).statements[0].startswith("“b” is a")
        )
    chose = fs.alternatives(d, ["now", "b", "c"], "g", outcome="y", margin=0.05).estimates.where(
        given="the half that chose"
    )
    loss = {r.model: r.estimate for r in chose if r.metric == "accuracy" and not r.group and not r.versus}
    barely = loss["now"] - loss["c"] + 0.002  # as observed c is near enough, and its gap is the smallest
    assert fs.alternatives(d, ["now", "b", "c"], "g", outcome="y", margin=barely).statements[0].startswith("“b” is a")
    assert "“c”" in fs.alternatives(d, ["now", "c"], "g", outcome="y", margin=barely).statements[0]
    assert fs.alternatives(d, ["now", "b", "c"], "g", outcome="y", margin=0.3).statements[0].startswith("“c” is a")


@pytest.mark.long
def test_what_is_asked_of_a_candidate_is_a_table_and_a_gate(tmp_path, capsys) -> None:  # type: ignore[no-untyped-def]
    """The gap of B closes, and that of C opens within the margin that it has: it is the largest now, and is named."""
    d = three_groups("C", 0.34)
    wide = fs.alternatives(d, ["old", "new"], "g", outcome="y", gap_margin=0.25)
    asked = {str(what): (row, shown) for what, row, shown in conditions_of(wide)}
    names = "the gap is smaller", "accuracy is at most 2.0 points less", "the gap is at most 25.0 points larger in size"
    sizes = {
        row.estimator: row
        for row in wide.estimates.where(metric="selection rate", group="C", model="new", versus="old")
    }
    change, total = sizes[""], sizes["sum of both gaps"]
    most = min(max(change.conf_high, -total.conf_low), max(-change.conf_low, total.conf_high))  # of the size
    names = (*names[:2], f"{names[2]} (upper limit: {100 * most:.1f})")
    assert tuple(asked) == names and wide.found and all(shown for _, shown in asked.values())
    row = asked[names[2]][0]
    tested = wide.by_candidate().query("half == 'tested' and rate == 'selection rate' and model == 'new'")
    gaps = tested.set_index("group")["gap"]
    assert (row.group, row.estimate) == ("C", pytest.approx(gaps["C"] - wide.by_rate().query(
        "rate == 'selection rate' and group == 'C' and reference == 'A'")["before"].item()))  # fmt: skip
    largest = f"the largest gap to A is that of C with “new”, {percent(gaps['C'])} percentage points, and that of B"
    assert sum(largest in text for text in wide.statements) == 1
    (grown,) = (text for text in wide.statements if "selection rate, C and A: " in text)
    assert f"C and A: a gap of {percent(gaps['C'])} percentage points with “new”, of " in grown
    assert "a change (" in grown and grown.endswith("which gap is the smaller is not settled.") and change.conf_high < 0
    lines = str(wide).splitlines()
    assert sum(line.endswith("  yes") for line in lines) == 3 and not any(line.endswith("  ?") for line in lines)
    strict = fs.alternatives(d, ["old", "new"], "g", outcome="y", gap_margin=0.15)
    table = strict.conditions()
    assert table["shown"].tolist() == [True, True, False] and strict.found is False
    assert table["condition"][1].startswith("accuracy is at most ") and table["group"][1] == ""
    changes = strict.by_rate().set_index(["rate", "group", "reference"])["change"]
    assert table["change"].tolist() == [changes[tuple(line)] for line in table[["rate", "group", "reference"]].values]
    assert strict.glance()["found"].item() is False or not strict.glance()["found"].item()
    assert strict.to_dict()["found"] is False and wide.to_dict()["found"] is True
    nobody = fs.alternatives(candidates(2, False).assign(worse=of_one_group), ["now", "worse"], "g",
                             outcome="y")  # fmt: skip
    assert (
        nobody.conditions().empty and nobody.found is False and fs.compare_models(d, ["old", "new"], "g").found is None
    )
    d.to_csv(tmp_path / "p.csv", index=False)
    line = [
        "alternatives",
        str(tmp_path / "p.csv"),
        "--candidates",
        "old=old,new=new",
        "--groups",
        "g",
        "--outcome",
        "y",
    ]
    for margin, code in (("0.25", 1), ("0.15", 0)):
        assert run([*line, "--gap-margin", margin, "--fail-on", "alternative"]) == code
    gate = "gate failed: new is a less discriminatory alternative to old: selection rate of B against A"
    said = capsys.readouterr()
    assert gate in said.err and "Limits, rates by group: --to FILE.csv." in " ".join(said.out.split())
    written = str(tmp_path / "all.csv")
    assert run([*line, "--to", written]) == 0  # which has what the option would write
    assert f"Limits,ratesbygroup:{written}." in "".join(capsys.readouterr().out.split())  # a long path is broken


@pytest.mark.long
def test_the_gate_lets_pass_a_loss_of_accuracy_that_is_shown_to_be_within_the_margin(tmp_path, capsys) -> None:  # type: ignore[no-untyped-def]
    rng, n = np.random.default_rng(0), 20_000
    g, y = rng.choice(["u", "v"], n, p=[0.6, 0.4]), rng.integers(0, 2, n)
    old, new = np.where((g == "v") & (rng.random(n) < 0.2), 0, y), np.where(rng.random(n) < 0.058, 1 - y, y)
    pd.DataFrame({"g": g, "y": y, "old": old, "new": new}).to_csv(tmp_path / "p.csv", index=False)
    of = [str(tmp_path / "p.csv"), "--groups", "g", "--outcome", "y", "--fail-on", "disparity", "--margin"]
    for command in (["compare-models", "--models", "old,new"], ["alternatives", "--candidates", "old,new"]):
        row = next(
            row for row in fs.alternatives(tmp_path / "p.csv", ["old", "new"], "g", outcome="y").compared()
            if not row.group
        )  # fmt: skip
        assert -0.02 < row.conf_low < row.conf_high < 0
        assert [run([*command, *of, margin]) for margin in ("0.02", "0.013")] == [0, 1]
        assert "a lower rate is shown in 1 comparison: accuracy (new against old)" in capsys.readouterr().err


def test_gaps_within_the_margin_are_counted_as_such() -> None:
    result = fs.compare_models(simulated().assign(c=lambda d: d["a"]), ["a", "c"], "g", margin=0.05)
    said = "Gaps of the other groups, selection rate, “c” beside “a”: less than the margin apart for "
    (line,) = [text for text in result.statements if text.startswith(said)]
    assert ";" not in line
    page = " ".join(re.sub("<[^>]*>", " ", fs.report(result).html).split()).partition("Table 1")[0]
    equal = "The gaps of “c” and “a” are shown to be less than 5.0 points apart (change "
    assert page.count(equal) == 1
    assert "no change of any gap is shown" not in page and "No difference of this gap" not in page
    alike = fs.compare_models(simulated().assign(c=lambda d: d["a"]), ["a", "c"], "g")
    page = " ".join(re.sub("<[^>]*>", " ", fs.report(alike).html).split())
    assert "No difference of this gap is shown between the two models; one of " in page
    assert "a and c decide alike" in " ".join(result.statements) or "c and a decide alike" in " ".join(
        result.statements
    )


def test_a_limit_that_is_not_0_is_not_printed_as_0() -> None:
    row = Estimate(
        "TPR", model="b", versus="a", contrast="difference", estimate=-0.02, conf_low=-0.04, conf_high=-0.0004
    )
    assert str(limits(row)) == "\N{MINUS SIGN}4.0 to \N{MINUS SIGN}0.04"
    assert str(limits(row.changed(conf_high=-0.004))) == "\N{MINUS SIGN}4.0 to \N{MINUS SIGN}0.4"


def test_how_much_larger_another_gap_may_be_is_a_margin_of_its_own() -> None:
    d = three_groups("C", 0.34)
    for gap_margin, found in ((0.15, False), (0.25, True)):
        result = fs.alternatives(d, ["old", "new"], "g", outcome="y", gap_margin=gap_margin)
        assert result.statements[0].startswith("“new” is a less" if found else "“new” leaves a smaller gap") is True
        assert f"at most {100 * gap_margin:.1f} points larger" in " ".join(result.statements)
        assert ("at most 2.0 less were allowed" if found else "at most 2.0 points less accurate") in result.statements[
            0
        ]
    with pytest.raises(fs.InputError, match="gap_margin has 5"):
        fs.alternatives(d, ["old", "new"], "g", outcome="y", gap_margin=5)


def test_where_a_named_group_decides_no_gap_is_called_the_largest() -> None:
    """The gap of B is the larger one with both models, that of C the same; nobody is tested."""
    few = pd.DataFrame({"g": ["D"] * 20, "y": [0, 1] * 10, "old": 0, "new": 0})
    d = pd.concat([three_groups("B", 0.1), few])
    named = fs.alternatives(d, ["old", "new"], "g", outcome="y", group="C")
    assert named.statements[0].endswith("its gap between C and A is not smaller.")
    assert "near enough; its gap is " in named.statements[1] and "that of C (" in named.statements[1]
    assert not any("largest" in text for text in named.statements)
    (figure,) = fs.report(named).contents.context["findings"]["figures"]
    assert "the gap in the selection rate, C less A" in figure.caption
    every = fs.alternatives(d.assign(new=0), ["old", "new"], "g", outcome="y")
    (figure,) = fs.report(every).contents.context["findings"]["figures"]
    assert every.compared() == [] and "the gap in the selection rate, B less A" in figure.caption  # not of D


def test_without_a_better_one_among_those_who_chose_nothing_is_tested() -> None:
    d = candidates(2, False).assign(worse=of_one_group)
    result = fs.alternatives(d, ["now", "worse"], "g", outcome="y")
    assert result.compared() == []
    assert result.statements[0].endswith("less accurate, and its largest gap of any group is not smaller.")
    text = " ".join(str(result).split())
    assert "fairstats.compare_models uses all people" in text and "choose another candidate" not in text
    # what each candidate lacks, with its numbers among those who chose
    result = fs.alternatives(d.assign(c0=d["now"]), ["now", "worse", "c0"], "g", outcome="y", split="first")
    chose = d[d["first"] == 1]
    right = {name: (chose[name] == chose["y"]).mean() for name in ("now", "worse")}
    gap = chose.groupby("g")[["now", "worse"]].mean().diff().iloc[-1] * 100
    loss = f"{100 * (right['worse'] - right['now']):.1f}".replace("-", "\N{MINUS SIGN}")
    same, lost = result.statements[1:3]
    assert (
        same.startswith("“c0”: change of accuracy 0.0 points") and "near enough" in same and "not smaller than" in same
    )
    numbers = [f"{value:.1f}".replace("-", "\N{MINUS SIGN}") for value in (gap["worse"], gap["now"])]
    assert lost.startswith(f"“worse”: change of accuracy {loss} points (") and "more than 2.0 less" in lost
    assert f"its gap is {numbers[0]} points, that of v ({(chose['g'] == 'v').sum()} people" in lost
    assert f"not smaller than that of “now”, {numbers[1]} (v)" in lost
    others = f"{(d['first'] == 0).sum():,}"
    assert f"No candidate was tested: the {others} people of the other half are not used yet." in result.statements
    assert not any("decides" in text or "served to test" in text for text in result.statements)
    result = fs.alternatives(d, ["now", "worse"], "g", outcome="y")
    with pytest.raises(fs.InputError, match="outcome has 'now', which is the column of a model"):
        fs.alternatives(d, ["now", "worse"], "g", outcome="now")
    apart = d.assign(s=np.where(d["g"] == "v", 1, d.index % 2))
    with pytest.raises(fs.InputError, match="split leaves nobody of v in the half that tests"):
        fs.alternatives(apart, ["now", "worse"], "g", outcome="y", split="s")
    halves = d.assign(y2=np.where(d["first"] == 1, "choose", "test"), s=d.index * 0.5)
    with pytest.raises(fs.InputError, match="split has 'y2', which is not 1 for who chooses"):
        fs.alternatives(halves, ["now", "worse"], "g", outcome="y", split="y2")
    with pytest.raises(fs.InputError, match="candidates has 's' with"):
        fs.alternatives(halves, ["now", "s"], "g", outcome="y")
    with pytest.raises(fs.InputError, match="split has 'y2'"):
        fs.alternatives(d.assign(y2=7), ["now", "worse"], "g", outcome="y", split="y2")


def three_groups(new: str, share: float) -> pd.DataFrame:
    """A model in use that selects too few of B, and one that selects too few of another group."""
    rng = np.random.default_rng(0)
    g, y = rng.choice(list("ABC"), 6000, p=[0.5, 0.3, 0.2]), rng.integers(0, 2, 6000)
    old, other = (np.where((g == group) & (rng.random(6000) < p), 0, y) for group, p in (("B", 0.4), (new, share)))
    return pd.DataFrame({"g": g, "y": y, "old": old, "new": other})


def test_an_alternative_that_opens_a_gap_for_another_group_is_none(tmp_path: Path, capsys: Any) -> None:
    data = three_groups("C", 0.34)
    result = fs.alternatives(data, ["old", "new"], "g", outcome="y")
    data.to_csv(tmp_path / "p.csv", index=False)
    command = ["alternatives", str(tmp_path / "p.csv"), "--candidates", "old,new", "--groups", "g", "--outcome", "y"]
    assert run([*command, "--brief"]) == 0
    short = capsys.readouterr().out
    printed = str(result).replace("fairstats.compare_models", "fairstats compare-models")
    assert short.splitlines()[1:-1] == printed.splitlines()[1:-1]
    assert run(command) == 0 and len(capsys.readouterr().out) > 1.5 * len(short)
    first, other = result.statements[:2]
    assert first.startswith("“new” leaves a smaller gap between B and A than “old” (selection rate: ")
    assert (
        "both are shown. Not shown is that no gap of another group is more than 2.0 points larger: that of C" in first
    )
    assert result.found is False and not any("What would settle it" in text for text in result.statements)
    (row,) = [row for row in result.estimates if row.group == "C" and row.versus and row.reference
              and not row.estimator and row.metric == "selection rate"]  # fmt: skip
    assert row.role == "supplementary" and row.conf_high < 0
    assert (
        other.startswith("C and A: ")
        and f"{percent(row.conf_low)} to {percent(row.conf_high)}; {row.n:.0f} people" in other
    )
    found = fs.alternatives(three_groups("B", 0.1), ["old", "new"], "g", outcome="y").statements
    assert found[0].startswith("“new” is a less discriminatory alternative")
    assert found[2] == "The gaps of the other groups are shown to be at most 2.0 points larger: C."


CHANGES_OF_A_GAP = {  # of v, of whom half would be selected without a gap: both, the new one only, nobody
    "turned": (190, 110, 200, "The gap is shown to change, as observed to the other side; "),
    "perhaps": (220, 25, 255, "The gap is shown to change, perhaps to the other side; "),
    "larger": (50, 0, 250, "v and w: the gap is larger with “new”, "),
    "same": (190, 0, 310, ""),
}


@pytest.mark.long
@pytest.mark.parametrize("case", CHANGES_OF_A_GAP)
def test_why_a_gap_that_changed_is_not_shown_to_be_smaller_is_said_and_whose_rate_moved(case: str) -> None:
    both, gained, nobody, why = CHANGES_OF_A_GAP[case]
    lost = 500 - both - gained - nobody
    chose = {("w", 1, 1): 300, ("w", 0, 0): 300, ("v", 1, 1): 190, ("v", 0, 1): 60, ("v", 0, 0): 250}
    test = {("w", 1, 1): 300, ("w", 0, 0): 300, ("v", 1, 1): both, ("v", 0, 1): gained, ("v", 1, 0): lost}
    parts = [counts(chose).assign(half=1), counts(test | {("v", 0, 0): nobody}).assign(half=0)]
    d = pd.concat(parts).rename(columns={"a": "old", "b": "new"}).assign(y=lambda d: d["old"])
    result = fs.alternatives(d, ["old", "new"], "g", outcome="y", split="half", margin=0.5, reference="w")
    share = d[d["half"] == 0].groupby("g")[["old", "new"]].mean()
    old, new = share.loc["v"] - share.loc["w"]
    lines = result.by_rate().query("rate == 'selection rate'").set_index(["group", "reference"])
    gap = lines.loc["v", "w"]
    assert (gap.before, gap.after) == pytest.approx((old, new)) and not result.found
    (_, total) = result.estimates.only(metric="selection rate", group="v", model="new", versus="old", reference="w")
    assert total.estimate == pytest.approx(old + new)
    asked, _, shown = conditions_of(result)[0]
    assert not shown
    text, page = (" ".join(t.split()) for t in (str(result), re.sub("<[^>]*>", " ", fs.report(result).html)))
    if case in ("turned", "perhaps"):
        assert (old * new < 0) == (case == "turned") and gap.direction == "changed" and gap.conf_low > 0
        assert total.conf_low < 0 < total.conf_high
        assert result.statements[2] == (
            f"{why}which gap is the smaller in size would be shown if the limits of the sum of both gaps, "
            f"{percent(old + new)} points ({limits(total)}), left out 0."
        )
        assert asked == f"the gap is smaller in size (sum of both gaps: {percent(old + new)}, {limits(total)})"
        note = "Smaller in size: the limits of the change and those of the sum of both gaps leave out 0."
        assert note in text and note in page
        assert result.statements[2] in page and asked in page
    else:
        assert asked == "the gap is smaller" and "other side" not in text and "Smaller in size" not in text
        assert result.statements[2].startswith(why)
        assert gap.direction == ("larger" if case == "larger" else "")
    source = [line for line in result.statements if line.startswith("Where the change of the gap comes from, ")]
    move = lines.loc["v", ""]
    assert lines.loc["w", ""].direction == "" and len(source) == (case != "same")
    if source:
        word = "higher" if move.conf_low > 0 else "lower"
        assert move.direction == word and move.change == pytest.approx(share.new.loc["v"] - share.old.loc["v"])
        assert f"selection rate: {word} for v (change {percent(move.change)}, " in source[0]
        assert "; for w no change is shown (change 0.0, " in source[0] and source[0] in page
    from_to = "From “old” to “new”, among the 1,100 people who tested:"
    assert from_to in result.statements and page.count(from_to) == 1


def test_page_one_says_which_model_is_right_more_often_of_two_whose_gaps_do_not_differ() -> None:
    rng, n = np.random.default_rng(0), 8000
    y, region = rng.integers(0, 2, n), rng.choice(["North", "South"], n)
    d = pd.DataFrame({"region": region, "y": y})
    for name, right in (("A", 0.9), ("B", 0.85), ("C", 0.8)):
        d[name] = np.where(rng.random(n) < right, y, 1 - y)
    d.loc[(region == "South") & (rng.random(n) < 0.3), "A"] = 0
    result = fs.compare_models(d, ["A", "B", "C"], "region", outcome="y", versus="all", reference="North")
    printed = result.summary()
    assert printed.index("\nOf each model; ") < printed.index("\nof  ") and printed.count("\nOf each model; ") == 1
    verdicts = {(r.model, r.versus): r.verdict for r in result.compared() if r.metric == "selection rate"}
    assert verdicts == {("B", "A"): "disparity shown", ("C", "A"): "disparity shown", ("C", "B"): "inconclusive"}
    right = {name: f"{percent((d[name] == d['y']).mean())}%" for name in "BC"}
    findings = fs.report(result).contents.context["findings"]
    open_ = "Of the gap of people with `region` South no difference is shown between “C” and “B”."
    assert open_ in findings["context"] and "no difference" not in findings["sentence"]
    (accuracy,) = (said for lead, said in findings["points"] if lead == "How often each model is right.")
    assert all(f"{right[name]} with “{name}”" in accuracy for name in "BC")
    assert "“B” than “C”, by " in accuracy.partition("Shown to be right more often: ")[2]
    assert "people with region North" in findings["tables"][0].note and "`" not in findings["tables"][0].note


def test_a_few_people_do_not_choose_the_group_that_is_tested() -> None:
    d = three_groups("B", 0.1)
    few = pd.DataFrame({"g": "few", "y": 1, "old": 0, "new": [0, 1] * 29})
    result = fs.alternatives(pd.concat([d, few]), ["old", "new"], "g", outcome="y")
    assert result.compared()[0].group == "B" and result.statements[0].startswith("“new” is a less")
    assert "fewer than 30 people whom the rate is about in one of the halves: few." in result.statements[-1]
    enough = pd.concat([d, few, few.head(2)])
    assert fs.alternatives(enough, ["old", "new"], "g", outcome="y").compared()[0].group == "few"
    with pytest.raises(fs.InputError, match="fewer than 30 people of few in a half, whom the selection rate is about"):
        fs.alternatives(pd.concat([d[d["g"] == "A"], few]), ["old", "new"], "g", outcome="y")


def test_who_pays_for_an_alternative_is_said_with_the_numbers_of_the_half_that_tests() -> None:
    d = candidates(0, True)
    result = fs.alternatives(d, ["now", "c0"], "g", outcome="y", split="first")
    tested, said = d[d["first"] == 0], " ".join(result.statements)
    drawn = fs.alternatives(d, ["now", "c0"], "g", outcome="y", seed=3).statements
    assert "seed" not in said and "The halves were drawn with seed 3; others may show something else." in drawn
    table = result.by_rate()
    assert set(table["conf_level"]) == {0.95} and set(table["rate"]) == {
        "selection rate",
        "accuracy",
        "TPR",
        "FPR",
        "PPV",
    }
    for label, people in tested.groupby("g"):
        for rate, of in (("accuracy", lambda name, p=people: p[name] == p["y"]), ("selection rate", people.get)):
            (line,) = table[
                (table["rate"] == rate) & (table["group"] == label) & (table["reference"] == "")
            ].itertuples()
            old, new = of("now"), of("c0")
            assert (line.before, line.after) == pytest.approx((old.mean(), new.mean())) and line.n == len(people)
            difference = new.astype(float) - old
            wald = 1.96 * difference.std() / len(people) ** 0.5
            assert (line.conf_low, line.conf_high) == pytest.approx((line.change - wald, line.change + wald), abs=0.002)
            numbers = [f"{100 * value:.1f}%" for value in (old.mean(), new.mean())]
            word = "falls" if line.conf_high < 0 else "rises" if line.conf_low > 0 else ""
            if word:
                assert f"{label}: {rate} {word} from {numbers[0]} to {numbers[1]} (change" in said
            else:
                (open_,) = (text for text in result.statements if text.startswith("Where no change is shown, the la"))
                (each,) = re.findall(rf" {rate} ([^;.]*(?:[.][0-9][^;.]*)*) points", open_)
                assert f"{label} {percent(max(-line.conf_low, line.conf_high))}" in re.split(", | and ", each)
    sizes = [(half["g"] == label).sum() for half in (d[d["first"] == 1], tested) for label in "vu"]
    n, m, k, other = (f"{size:,}" for size in sizes)
    counts = f"on {n} and {m} people who served to choose, and on {k} and {other} who served to test."
    assert f"The selection rate of these groups rests {counts}" in said
    positive = tested[tested["y"] == 1].groupby("g")[["now", "c0"]].mean()
    (line,) = table[(table["rate"] == "TPR") & (table["reference"] == "u")].itertuples()
    assert (line.before, line.after) == pytest.approx(tuple(positive.loc["v"] - positive.loc["u"]))
    gaps = table[(table["reference"] != "") & (table["rate"] != "selection rate")]
    grown = gaps[gaps["after"].abs() > gaps["before"].abs()]
    assert sum(line.count(" v and u") for line in result.statements[1:] if "larger" in line) == len(grown)
    tried = result.by_candidate()
    here = tried[(tried["half"] == "tested") & (tried["rate"] == "selection rate") & (tried["model"] == "c0")]
    means = tested.groupby("g")["c0"].mean()
    assert here[["share", "share_reference"]].to_numpy()[0] == pytest.approx([means["v"], means["u"]])
    assert here["accuracy"].item() == pytest.approx((tested["c0"] == tested["y"]).mean())


@pytest.mark.long
def test_the_change_of_a_predictive_value_has_the_error_of_a_bootstrap_and_newcombes_limits_of_other_people() -> None:
    d = candidates(0, True)
    tested = d[(d["first"] == 0) & (d["g"] == "v")]
    table = fs.alternatives(d, ["now", "c0"], "g", outcome="y", split="first")
    (row,) = table.estimates.only(metric="PPV", group="v", contrast="difference", reference="", status="ok")
    values = tested[["now", "c0", "y"]].to_numpy(float)
    draws = values[np.random.default_rng(1).integers(0, len(values), (2000, len(values)))]
    now, new, y = np.moveaxis(draws, 2, 0)
    bootstrap = ((new * y).sum(1) / new.sum(1) - (now * y).sum(1) / now.sum(1)).std()
    assert row.std_error == pytest.approx(bootstrap, rel=0.05) and row.n == (tested["now"] | tested["c0"]).sum()
    # two models that predict it of different people: Newcombe's limits of two independent shares
    ((change, low, high, _),) = PairedPredictive(np.array([[40.0, 25, 0]]), np.array([[60.0, 50, 0]])).each(0.95)
    expected = confint_proportions_2indep(40, 60, 25, 50, method="newcomb")
    assert (change, low, high) == pytest.approx((40 / 60 - 25 / 50, *expected))


@pytest.mark.long
def test_lines_that_are_shown_are_never_cut_from_the_table() -> None:
    people = simulated().assign(c=lambda d: np.where(d["g"] == "v", 0, d["a"]))
    people["g"] += np.where(np.random.default_rng(0).random(len(people)) < 0.4, "2", "")
    result = fs.compare_models(people, ["a", "b", "c"], "g", outcome="y", versus="all")
    text = result.summary()
    assert len(result.compared()) > 40 > len(result.shown()) > 0
    assert sum(line.endswith(("  D", "  S", "  L", "  C")) for line in text.splitlines()) == len(result.shown())
    levels = sorted({f"{100 * row.conf_level:.2f}%" for row in result.compared() if row.verdict})
    note = f"Intervals of the comparisons of one rate hold together at 95% (each at {', '.join(levels)})."
    assert note in " ".join(text.split())


def test_a_gap_that_grows_elsewhere_is_named() -> None:
    rng, n = np.random.default_rng(4), 12000
    g, y = rng.choice(["u", "v"], n), rng.integers(0, 2, n)
    now = np.where((g == "v") & (rng.random(n) < 0.3), 0, y)  # too few of v are selected, and none by mistake
    new = np.where((g == "v") & (y == 0) & (rng.random(n) < 0.25), 1, now)
    result = fs.alternatives({"g": g, "y": y, "now": now, "new": new}, ["now", "new"], "g", outcome="y", margin=0.2,
                             reference="u")  # fmt: skip
    assert result.statements[0].startswith("“new” is a less discriminatory alternative")
    grown = [line for line in result.statements if "the gap is larger with “new”" in line]
    assert [line.split(",")[0] for line in grown] == ["accuracy", "false positive rate", "positive predictive value"]
    (of_v,) = [line for line in result.statements if line.startswith("v: ")]
    assert "; accuracy falls from " in of_v and "; false positive rate rises from " in of_v


def test_a_named_group_decides_and_has_to_be_one_that_is_compared() -> None:
    d = three_groups("B", 0.1)
    assert "The gap between B and A decides, the largest with “old”" in fs.alternatives(
        d, ["old", "new"], "g", outcome="y"
    ).statements[4]  # fmt: skip
    named = fs.alternatives(d, ["old", "new"], "g", outcome="y", group="C")
    assert any(line.startswith("The gap between C and A decides, as this run was set") for line in named.statements)
    assert all(row.group == "C" for row in named.compared() if row.group)
    for group, why in (("A", "is the reference"), ("Z", "name one of these"), ("few", "fewer than 30 people")):
        few = pd.DataFrame({"g": "few", "y": 1, "old": 0, "new": [0, 1] * 20})
        with pytest.raises(fs.InputError, match=f"group has '{group}'.*{why}"):
            fs.alternatives(pd.concat([d, few]), ["old", "new"], "g", outcome="y", group=group)


def test_decisions_beside_a_threshold_are_a_caution_and_a_gate_names_the_models(tmp_path, capsys) -> None:  # type: ignore[no-untyped-def]
    d = candidates(0, True).assign(s=lambda d: d["c0"] * 0.5 + np.arange(len(d)) % 7 / 20)
    result = fs.compare_models(d, ["now", "s"], "g", outcome="y", threshold=0.5)
    assert any(line.startswith("Two values at most have now: these are decisions") for line in result.statements)
    d.to_csv(tmp_path / "p.csv", index=False)
    wanted = ["compare-models", str(tmp_path / "p.csv"), "--models", "c0=c0,now=now", "--groups", "g", "--outcome", "y"]
    assert run([*wanted, "--fail-on", "disparity"]) == 1
    assert "selection rate of v against u (now against c0)" in capsys.readouterr().err


def test_a_gap_that_is_smaller_by_less_than_the_margin_of_accuracy_is_smaller() -> None:
    result = fs.alternatives(candidates(0, True), ["now", "c0"], "g", outcome="y", margin=0.3)
    gap, accuracy = result.compared()
    assert gap.conf_low > -0.3 and gap.conf_high < 0.3 and gap.verdict == "disparity shown"
    assert accuracy.conf_low > -0.3 and accuracy.verdict != "equivalence shown"  # no equality was asked about
    assert result.statements[0].startswith("“c0” is a less discriminatory alternative")


@pytest.mark.parametrize("call", [fs.compare_models, fs.alternatives])
def test_models_are_compared_by_one_column_of_groups(call: Any) -> None:
    d = candidates(0, False).assign(h="x", y=lambda d: np.where(d["y"] == 1, "paid", "not"))
    with pytest.raises(fs.InputError, match=r"groups has \['g', 'h'\]; it is the name of one column; run this once"):
        call(d, ["now", "c0"], ["g", "h"], outcome="y")
    with pytest.raises(fs.InputError, match="groups has 'g,h'; it is the name of one column; run this once"):
        call(d, ["now", "c0"], "g,h", outcome="y")
    argument = "models" if call is fs.compare_models else "candidates"
    with pytest.raises(fs.InputError, match=rf"^{argument} has 'now' .*pass positive_prediction='0' or positive_pre"):
        call(d, ["now", "c0"], ["g"], outcome="y", positive="paid")


def test_fitted_models_are_refused_with_the_way_to_predictions() -> None:
    class Model:
        def predict(self, rows: object) -> list[int]:
            return [0]

    compare: Any = fs.compare_models
    with pytest.raises(TypeError, match="takes no fitted models: make each model's predictions a column of the table"):
        compare([Model(), Model()], {"x": [1]}, [0], groups=["f"])


def test_the_page_of_limits_names_the_predictive_values_that_are_not_compared_in_pairs() -> None:
    people = {"sex": ["f", "m"] * 40, "y": [0, 1, 1, 1] * 20, "a": [0, 1, 1, 1] * 20, "b": [1, 1, 1, 0] * 20}
    compared = {row.metric for row in fs.compare_models(people, ["a", "b"], "sex", outcome="y").compared()}
    page = " ".join((Path(__file__).parents[2] / "docs/guide/limits.md").read_text(encoding="utf-8").split())
    assert "PPV" in compared and "by rates, positive predictive values among them, and by AUC" in page
    assert "NPV" not in compared and "negative predictive values are not compared in pairs" in page


def test_the_command_line_names_the_group_that_decides_and_prints_what_changes(tmp_path, capsys) -> None:  # type: ignore[no-untyped-def]
    three_groups("B", 0.1).to_csv(tmp_path / "p.csv", index=False)
    wanted = ["alternatives", str(tmp_path / "p.csv"), "--candidates", "old=old,new=new", "--groups", "g"]
    assert run([*wanted, "--outcome", "y", "--group", "B", "--seed", "2"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "The gap between B and A decides, as this run was set" in said and "drawn with seed 2; others" in said
    assert "accuracy rises from" in said and "Among those who tested, in %. Intervals: 95%, each by itself." in said


def test_rates_that_are_not_estimable_stand_beside_those_that_decide() -> None:
    """With nobody selected of a group by the model in use, its predictive value is of nobody."""
    people = pd.DataFrame({"g": ["f", "m"] * 200, "y": [0, 0, 1, 1] * 100, "old": [0, 1] * 200})
    people["first"], people["new"] = [1] * 200 + [0] * 200, people["y"]
    result = fs.alternatives(people, ["old", "new"], "g", outcome="y", split="first", reference="m")
    changes = result.estimates.only(role="main", contrast="difference")
    assert [row.metric for row in changes] == ["selection rate", "accuracy"]
    (row,) = result.estimates.only(metric="PPV", status="unestimable", versus="old")
    assert row.role == "supplementary" and row.reason


def test_a_loss_of_accuracy_that_is_shown_and_within_the_margin_is_called_both_and_counted() -> None:
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 20_000)
    people = pd.DataFrame({"race": np.where(rng.random(y.size) < 0.5, "A", "B"), "y": y, "now": y, "new": y})
    people.loc[rng.random(y.size) < 0.10, "now"] ^= 1
    people.loc[rng.random(y.size) < 0.115, "new"] ^= 1
    result = fs.compare_models(people, ["now", "new"], "race", outcome="y", margin=0.05)
    (row,) = result.estimates.only(metric="accuracy", group="", contrast="difference")
    assert row.verdict == "equivalence shown" and row.conf_high < 0
    (said,) = [text for text in result.statements if text.startswith("Accuracy: ")]
    assert "lower with “new”, within the margin of " in said and "no change" not in said
    small = [r for r in result.compared() if r.verdict == "equivalence shown" and not r.conf_low <= 0 <= r.conf_high]
    large = [r for r in result.compared() if r.verdict == "disparity shown"]
    (count,) = [text for text in result.statements if text.startswith("A difference is shown in ")]
    more = f"in {len(small)} more one that" if large else f"in {len(small)} of {len(result.compared())} comparisons"
    assert row in small and more in count
    assert row.p_equivalence < 0.001 < result.compared()[0].p_adjusted
    (line,) = [text for text in result.summary().splitlines() if text.startswith("accuracy, new − now  ")]
    alike = next(r for r in result.compared() if r.verdict == "equivalence shown" and r.p_adjusted > 0.1)
    (other,) = [text for text in result.summary().splitlines() if text.startswith(f"{alike.metric}, new − now, ")]
    assert "<0.001  =" in line and "<0.001  =" in other  # of the test that decided, not of a difference
    page = " ".join(re.sub("<[^>]+>", "", fs.report(result).html).split())
    assert "Shown to be right more often: “now” than “new”" in page and ", within the margin of 5.0 points" in page


def test_what_speaks_against_the_model_with_the_smaller_gap_comes_first() -> None:
    """The rates in which its gap is larger, before those that say once more that it is smaller."""
    rng = np.random.default_rng(0)
    race, y = rng.choice(["A", "B", "C"], 30_000), rng.integers(0, 2, 30_000)
    now = (rng.random(y.size) < np.where(y == 1, 0.8, 0.3) - 0.2 * (race == "B") - 0.15 * (race == "C")).astype(int)
    new = (rng.random(y.size) < np.where(y == 1, 0.75, 0.3) - 0.1 * (race == "C") * (y == 0)).astype(int)
    people = pd.DataFrame({"race": race, "y": y, "now": now, "new": new})
    result = fs.compare_models(people, ["now", "new"], "race", outcome="y", reference="A")
    said = [text for text in result.statements if "; larger with “new”" in text or "; smaller with “new”" in text]
    against = [text for text in said if "; larger with “new”" in text]
    assert against and len(said) > len(against) and said[: len(against)] == against


def test_a_candidate_with_which_another_gap_is_too_large_comes_last_and_changes_of_accuracy_are_given() -> None:
    """C leaves the smaller gap to y and a large one to z: with group="y" it is not chosen where B will do."""
    rng = np.random.default_rng(3)
    g, q = rng.choice(["x", "y", "z"], 6000, p=[0.6, 0.3, 0.1]), rng.normal(size=6000)
    q = q - 0.3 * (g == "y")

    def decided(shift: Any) -> Any:
        return (q + shift + rng.normal(0, 0.3, 6000) > 0).astype(int)

    d: dict[str, Any] = {"g": g, "y": (q + rng.normal(0, 0.7, 6000) > 0).astype(int), "now": decided(-0.4 * (g == "y"))}
    d |= {"b": decided(0.0), "c": decided(-0.6 * (g == "z") + 0.2 * (g == "y"))}
    result = fs.alternatives(d, ["now", "b", "c"], "g", outcome="y", group="y", gap_margin=0.05)
    gaps = {
        row.model: abs(row.gap)
        for row in result.by_candidate()
        .query("half == 'chose' and group == 'y' and rate == 'selection rate'")
        .itertuples()
    }
    assert gaps["c"] < gaps["b"] < gaps["now"] and result.statements[0].startswith("“b” is a less discriminatory")
    assert any(str(line).startswith("“c” was not chosen, although its gap") for line in result.statements)
    alone = fs.alternatives(d, ["now", "c"], "g", outcome="y", group="y", gap_margin=0.05)
    assert "not called a less discriminatory alternative" in alone.statements[0] and not alone.found
    table = (
        result.by_candidate().query("half == 'chose' and group == 'z' and rate == 'selection rate'").set_index("model")
    )
    np.testing.assert_allclose(table.change.loc[["b", "c"]], table.accuracy.loc[["b", "c"]] - table.accuracy["now"])
    assert (table.change_low < table.change).loc[["b", "c"]].all() and np.isnan(table.change["now"])


@pytest.mark.long
def test_the_reasons_against_a_candidate_are_what_made_it_lose_and_do_not_hold_for_the_chosen_one() -> None:
    """Beside the rule written down once more: who has a reason, and which, from shares and a Wald limit of pandas."""
    codes = {
        "shown": "that it is at most", "observed": "as observed it is more than", "other": "points larger than with"
    }  # fmt: skip
    met, chosen_by = set[frozenset[str]](), set[tuple[bool, bool]]()
    for seed in range(60):
        rng = np.random.default_rng(seed)
        n = 6000
        g, y = rng.choice(["x", "z", "w"], n, p=[0.5, 0.3, 0.2]), rng.integers(0, 2, n)
        d = pd.DataFrame({"g": g, "y": y, "first": np.arange(n) % 2})
        d["now"] = np.where((rng.random(n) < 0.1) | ((g == "z") & (rng.random(n) < 0.2)), 0, y)
        for k in range(5):
            moved = rng.binomial(1, 0.5, n) == (g == "w") * rng.integers(0, 2)
            wrong = (rng.random(n) < rng.uniform(0.06, 0.22)) | (
                moved & (g == "w") & (rng.random(n) < rng.uniform(0, 0.3))
            )
            d[f"c{k}"] = np.where(wrong, rng.binomial(1, 0.3, n), y)
        names = [name for name in d if name[0] in "nc"]
        margin = float(rng.choice([0.005, 0.01, 0.02]))
        result = fs.alternatives(d, names, "g", outcome="y", split="first", margin=margin, reference="x")
        chose = d[d["first"] == 1]
        gaps = chose.groupby("g")[names].mean().apply(lambda share: share - share["x"]).drop("x").abs()
        moved_by = {name: (chose[name] == chose["y"]) * 1.0 - (chose["now"] == chose["y"]) for name in names}
        low = {name: v.mean() - 1.96 * v.std() / len(v) ** 0.5 for name, v in moved_by.items()}
        if any(abs(low[name] + margin) < 5e-4 for name in names):
            continue  # a score limit may be on the other side
        other = gaps.index[gaps["now"].argmin()]
        lacks = {
            name: {"shown": low[name] < -margin, "observed": moved_by[name].mean() < -margin,
                   "other": gaps.loc[other, name] - gaps.loc[other, "now"] > margin}
            for name in names
        }  # fmt: skip
        rules = (("shown", "other"), ("observed", "other"), ("shown",), ("observed",))
        size = gaps.max()
        able = [[name for name in names if not any(lacks[name][why] for why in rule)] for rule in rules]
        tier = next((i for i, of in enumerate(able) if min(size[of]) < size["now"]), None)
        if tier is None:
            assert result.compared() == []
            continue
        best = size[able[tier]].idxmin()
        assert result.compared()[0].model == best
        chosen_by.add((lacks[best]["shown"], lacks[best]["other"]))
        expected = {
            name: {why for why in rules[tier] if lacks[name][why]} for name in names if size[name] < size[best]
        }  # fmt: skip
        assert not any(lacks[best][why] for why in rules[tier]) and all(expected.values())
        lines = {
            line[1:3]: {why for why, text in codes.items() if text in line.partition("among those who chose: ")[2]}
            for line in result.statements if "was not chosen, although its gap" in line
        }  # fmt: skip
        assert lines == expected
        met |= set(map(frozenset, lines.values()))
        said = " ".join(result.statements)
        assert ("none that is shown to be so came before it" in said) == lacks[best]["shown"]
        assert (f"With “{best}” the gap of {other} is " in said) == lacks[best]["other"]
    assert {frozenset({"shown"}), frozenset({"observed"}), frozenset({"other"}), frozenset({"shown", "other"})} <= met
    assert {(False, False), (True, False), (False, True)} <= chosen_by


def test_of_candidates_without_a_smaller_gap_each_is_said_to_lack_what_it_lacks() -> None:
    """As right with the same gap, less right with a smaller one, and less right with a larger one."""
    people = pd.DataFrame({"g": ["u", "v"] * 400, "y": [0, 0, 1, 1] * 200, "first": [1, 1, 1, 1, 0, 0, 0, 0] * 100})
    people["now"] = np.where((people["g"] == "v") & (np.arange(800) % 16 < 4), 0, people["y"])
    people["same"] = people["now"]
    right = (people["y"] == 0) & (np.arange(800) // 4 % 8 < 2)  # so that decisions depend on the outcome
    people["worse"] = np.where((people["g"] == "u") & ~right, 1, 0)
    people["coin"] = 1 - right
    result = fs.alternatives(people, ["now", "same", "worse", "coin"], "g", outcome="y", split="first", reference="u")
    said = {line[1:5].strip("”"): line for line in result.statements if line.startswith("“")}
    assert "near enough; its gap" in said["same"] and "not smaller than that of “now”" in said["same"]
    assert "more than 2.0 less; its gap is 0.0" in said["coin"] and ", smaller than that of “now”" in said["coin"]
    assert "more than 2.0 less; its gap is −87.5" in said["wors"] and "not smaller than" in said["wors"]


def test_a_condition_has_no_verdict_beside_what_is_shown_of_it(tmp_path) -> None:  # type: ignore[no-untyped-def]
    d = candidates(0, True)
    result = fs.alternatives(d, ["now", "c0"], "g", outcome="y", margin=0.3)
    _, accuracy = result.compared()
    asked = {row.metric: (row, shown) for _, row, shown in conditions_of(result)}
    assert accuracy.verdict == "inconclusive" and asked["accuracy"] == (accuracy.changed(verdict=""), True)
    assert all(not row.verdict for row, _ in asked.values())


def test_each_column_has_one_role() -> None:
    d = candidates(0, True).assign(h=lambda d: d["first"])
    of = {"models": ["now", "c0"], "groups": "g", "outcome": "y"}
    with pytest.raises(fs.InputError, match=r"^groups has 'c0', which is the column of a model; name the column of gr"):
        fs.compare_models(d, **{**of, "groups": "c0"})
    with pytest.raises(
        fs.InputError, match=r"^outcome has 'g', which is the column of groups; name the column of what"
    ):
        fs.compare_models(d, **{**of, "outcome": "g"})
    for split, role in (("c0", "a model"), ("y", "what happened")):
        with pytest.raises(
            fs.InputError, match=f"^split has '{split}', which is the column of {role}; name the column"
        ):
            fs.alternatives(d, of["models"], "g", outcome="y", split=split)


def test_one_person_is_a_person_and_a_change_above_100_points_is_said_to_be_a_sum() -> None:
    rng = np.random.default_rng(0)
    people = pd.DataFrame({"g": ["u"] * 300 + ["v"] * 100 + ["w"], "a": rng.integers(0, 2, 401), "b": 1})
    people.loc[400, ["a", "b"]] = 0, 1
    result = fs.compare_models(people, ["a", "b"], "g", reference="u")
    (line,) = [text for text in result.statements if text.startswith("Where no change is shown")]
    row = next(row for row in result.compared() if row.group == "w")
    most = 100 * max(-row.conf_low, row.conf_high)
    assert most > 100 and f"gap in selection rate {most:.1f} points (w, 1 person)" in line
    (why,) = [text for text in result.statements if text.startswith("A change of more than 100 points is the sum")]
    assert result.statements.index(why) == result.statements.index(line) + 1
    few = fs.compare_models(people[people["g"] != "w"], ["a", "b"], "g", reference="u")
    assert not any("more than 100 points" in text for text in few.statements)


def test_a_change_has_one_sign_in_sentence_print_and_rows_whichever_model_comes_first() -> None:
    people = {"sex": ["f"] * 200 + ["m"] * 200, "a": [0, 1, 1, 1] * 50 + [1] * 200, "b": [0] * 150 + [1] * 250}
    for order in (["a", "b"], ["b", "a"]):
        result = fs.compare_models(people, order, "sex", reference="m")
        gap = {"a": "−25.0", "b": "−75.0"}
        (old, new), way = order, {"a": "smaller", "b": "larger"}[order[1]]
        change = percent(float(gap[new].replace("−", "-")) / 100 - float(gap[old].replace("−", "-")) / 100)
        row = result.compared()[0]
        assert percent(row.estimate) == change and result.by_rate().direction[0] == way
        line = result.statements[0]
        numbers = f"{gap[new]} percentage points with “{new}” and {gap[old]} with “{old}” (change {change}, "
        assert f"“{new}” leaves a {way} gap than “{old}”: selection rate, {numbers}" in line
        ends = f"{percent(row.conf_low)} to {percent(row.conf_high)}"
        assert f"(change {change}, {ends})" in line
        assert re.search(rf"^{new} .* {change} +{ends} +{way}$", str(result), re.M)


def test_a_predictive_value_of_the_same_few_people_is_not_known_exactly() -> None:
    """By Newcombe's (1998) tenth method, for the same 20 people of whom 10 are right."""
    found = PairedPredictive(np.array([[10.0, 10, 10]] * 2), np.array([[20.0, 20, 20]] * 2))
    low, high = proportion_confint(10, 20, method="wilson")
    phi = (10 * 10 - 20 / 2) / (10 * 10)
    for change, lower, upper, error in found.each(0.95):
        assert (change, error) == (0, 0)
        assert (lower, upper) == pytest.approx(
            tuple(sign * np.hypot(0.5 - low, high - 0.5) * np.sqrt(1 - phi) for sign in (-1, 1))
        )
    rng = np.random.default_rng(0)
    big = pd.DataFrame({"g": "big", "y": rng.random(400) < 0.5, "A": rng.random(400) < 0.5}).astype(
        {"y": int, "A": int}
    )
    big["B"] = np.where((big.A == 1) & (big.y == 0) & (rng.random(400) < 0.5), 0, big.A)
    small = pd.DataFrame({"g": "small", "y": [1, 0, 1, 0, 0], "A": [1, 1, 0, 0, 0], "B": [1, 1, 0, 0, 0]})
    result = fs.compare_models(
        pd.concat([big, small], ignore_index=True), ["A", "B"], "g", outcome="y", reference="big"
    )
    (row,) = [row for row in result.compared() if row.metric == "PPV"]
    assert row.verdict == "inconclusive" and row.conf_low < -0.3 and row.conf_high > 0.3


def test_print_and_page_one_have_the_same_findings_in_the_same_order() -> None:
    rates = {"a": (0.300, 0.297, 0.470), "b": (0.45, 0.45, 0.46), "c": (0.50, 0.50, 0.50)}  # of old, new and fair
    people = pd.concat([pd.DataFrame({
        "g": label, **{name: (np.arange(1000) < round(1000 * rate)).astype(int)
                       for name, rate in zip(("old", "new", "fair"), of, strict=True)},
    }) for label, of in rates.items()], ignore_index=True)  # fmt: skip
    result = fs.compare_models(people, ["old", "new", "fair"], "g", reference="c")
    printed = " ".join(result.summary().split())
    page = " ".join(re.sub("<[^>]*>", "", fs.report(result).html).partition("Table 1")[0].split())
    lead = "Smallest gap between a and c, selection rate: −3.0 percentage points with “fair” (47.0% and 50.0%); "
    shares = "largest: −20.3 with “new” (29.7% and 50.0%)."
    for text, findings in (
        (printed, ("“fair” leaves a smaller gap than “old”", lead + shares)),
        (page, ("smaller with “fair” (change", "no change is shown with “new” (change")),
    ):  # fmt: skip
        places = [text.find(one) for one in findings]
        assert min(places) >= 0 and places == sorted(places), list(zip(findings, places, strict=True))


def test_a_change_of_less_than_a_twentieth_of_a_point_keeps_its_sign_and_size() -> None:
    same = {("w", 1, 1): 1200, ("w", 0, 0): 1300, ("v", 1, 1): 1000, ("v", 0, 0): 1499}
    result = fs.compare_models(counts({**same, ("v", 1, 0): 1}), ["a", "b"], "g", reference="w")
    assert result.compared()[0].estimate == pytest.approx(-1 / 2500)
    (line,) = [text for text in result.summary().splitlines() if text.startswith("selection rate, b − a, v − w")]
    assert re.search(r"2,500 +−0\.04 ", line), line
    assert "(change about −0.04, " in " ".join(result.statements) or "(change −0.04, " in " ".join(result.statements)


def test_the_largest_gap_of_any_group_is_printed_with_its_ends_and_no_group_without_a_change() -> None:
    people = {("w", 1, 1): 300, ("w", 0, 0): 300, ("v", 1, 1): 90, ("v", 0, 1): 150, ("v", 0, 0): 260,
              ("x", 1, 1): 100, ("x", 0, 0): 103}  # fmt: skip
    said = fs.compare_models(counts(people), ["a", "b"], "g", reference="w").statements
    assert said[1] == (
        "Largest gap of any group of 30 people or more, selection rate, with every model between v and w: from −2.0 "
        "percentage points with “b” (48.0% and 50.0%) to −32.0 with “a” (18.0% and 50.0%)."
    )
    assert not any(text.startswith("Gaps of the other groups") for text in said)  # none is shown for x


def swapped(n: int = 400) -> pd.DataFrame:
    """Four models: one that is right often, one whose labels changed places, one of chance, and one that errs more."""
    rng = np.random.default_rng(5)
    d = pd.DataFrame({"g": rng.choice(["f", "m"], n), "y": rng.random(n) < 0.35}).astype({"y": int})
    usual = np.where(rng.random(n) < 0.85, d["y"], 1 - d["y"])
    wrong = np.where(rng.random(n) < 0.2, d["y"], 1 - d["y"])
    return d.assign(usual=usual, turned=wrong, chance=(rng.random(n) < 0.5).astype(int),
                    close=np.where(rng.random(n) < 0.82, d["y"], 1 - d["y"]))  # fmt: skip


def test_a_model_that_is_right_for_less_than_half_is_said_after_the_others_and_first_where_all_rests_on_it() -> None:
    d = swapped()
    result = fs.compare_models(d, ["usual", "turned", "chance", "close"], "g", outcome="y", reference="m")
    shares = {name: float((d[name] == d["y"]).mean()) for name in ("turned", "chance")}
    low, high = map(percent, proportion_confint((d["turned"] == d["y"]).sum(), len(d), 0.025, "wilson"))
    texts = [str(text) for text in result.statements]
    at = next(i for i, text in enumerate(texts) if text.startswith("Models that are right for less than half"))
    first, turned, one = texts[at : at + 3]
    assert "“close” and “usual”" in texts[0] and "largest that the data do not exclude" in texts[at - 1]
    assert first.startswith("Models that are right for less than half of the people: ")
    assert f"{percent(shares['turned'])}% with “turned” ({low} to {high})" in first
    assert "“chance”" not in first and "usual" not in first  # of chance the limits reach one half
    assert turned.startswith("The opposite decisions would be right more often")
    commoner = percent(max(d["y"].mean(), 1 - d["y"].mean()))
    assert one.startswith("The same decision for everybody") and f"be right for {commoner}%, no less than" in one
    assert all(f"{percent(share)}% with “{name}”" in one for name, share in shares.items())
    page = fs.report(result).contents.context["findings"]
    assert first not in page["sentence"] and first in page["context"] and turned in page["context"]
    rests = fs.compare_models(d, ["turned", "usual", "close"], "g", outcome="y", reference="m")
    assert rests.statements[0].startswith("Models that are right for less than half of the people: ")
    assert fs.report(rests).contents.context["findings"]["sentence"].startswith(str(rests.statements[0]))
    assert "less than half" not in " ".join(fs.compare_models(d, ["usual", "close"], "g", outcome="y").statements)


def test_wrong_predictions_of_a_rare_outcome_are_no_labels_that_changed_places() -> None:
    d = swapped(4000).assign(y=lambda d: (d.index % 20 == 0).astype(int))
    d["a"] = np.where(d.index % 3 > 0, 1, d["y"])
    text = " ".join(fs.compare_models(d.assign(b=d["a"]), ["a", "b"], "g", outcome="y").statements)
    assert "Models that are right for less than half" in text and "check whether labels mean the same" not in text


def test_one_answer_for_everybody_is_said_late_where_it_tells_no_models_apart() -> None:
    d = swapped().assign(y=lambda d: (np.arange(len(d)) % 25 == 0).astype(int))
    said = fs.compare_models(d, ["usual", "close"], "g", outcome="y", reference="m").statements
    opening = "The same decision for everybody"
    assert not said[0].startswith(opening) and any(text.startswith(opening) for text in said)


def test_scores_that_rank_worse_than_chance_are_said_first() -> None:
    d = swapped().assign(a=lambda d: d["usual"] + np.arange(len(d)) % 7 / 10, b=lambda d: 1 - d["a"])
    said = fs.compare_models(d, ["a", "b"], "g", outcome="y", threshold=0.5).statements
    assert any(
        text.startswith("Models whose AUC of everybody is below 0.5") and "with “b”" in text for text in said[:3]
    )


def test_a_search_says_first_that_the_model_in_use_is_right_for_less_than_half_of_the_people() -> None:
    d = swapped(800)
    in_use = fs.alternatives(d, ["turned", "usual", "close"], "g", outcome="y")
    assert in_use.statements[0].startswith("Models that are right for less than half of the people who chose: ")
    assert fs.report(in_use).contents.context["findings"]["sentence"].startswith(str(in_use.statements[0]))
    tried = fs.alternatives(d, ["usual", "close", "turned"], "g", outcome="y")
    assert not tried.statements[0].startswith("Models that are right")  # of a candidate the answer is not about
    assert tried.statements[1].startswith("Models that are right") or tried.found is False


def test_a_model_named_as_a_letter_of_the_table_is_quoted() -> None:
    d = swapped(400).rename(columns={"usual": "A", "turned": "C"})
    assert "accuracy, “C” − “A”" in fs.compare_models(d, ["A", "C"], "g", outcome="y").summary()
    assert "accuracy, c − A" in fs.compare_models(d.rename(columns={"C": "c"}), ["A", "c"], "g", outcome="y").summary()


def test_many_pairs_print_what_is_shown_and_the_number_of_the_rest(tmp_path: Path, capsys: Any) -> None:
    d = swapped(1500)
    names = ["usual", "turned", "chance", "close"]
    result = fs.compare_models(d, names, "g", outcome="y", versus="all", reference="m")
    unsettled = [row for row in result.compared() if row.verdict == "inconclusive"]
    tabled = [row for row in unsettled if row.versus == "usual"]  # each has its line in the table
    left = len(unsettled) - sum(row.metric == "selection rate" or (row.metric, row.group) == ("accuracy", "")
                                for row in tabled)  # fmt: skip
    short = str(result)
    assert left > 5 and f"not printed: {left}; summary() has all numbers." in " ".join(short.split())
    others = [row for row in result.shown() if row.versus != "usual"]
    here = [row for row in others if (row.metric, row.group) in (("selection rate", result.compared()[0].group),
            ("accuracy", ""))]  # fmt: skip
    counted = re.search(r"Shown between the others, not printed: (\d+) \(", " ".join(short.split()))
    assert here and counted and len(others) - len(here) <= int(counted[1]) < len(others)
    assert "the others the share of right decisions is shown to be higher with “" in " ".join(short.split())
    d.to_csv(tmp_path / "p.csv", index=False)
    command = ["compare-models", str(tmp_path / "p.csv"), "--models", ",".join(names), "--groups", "g"]
    command += ["--outcome", "y", "--versus", "all", "--reference", "m"]
    assert run([*command, "--brief"]) == 0
    brief = capsys.readouterr().out
    assert run(command) == 0
    assert len(brief) < len(capsys.readouterr().out) and f"not printed: {left}" in brief


def test_the_table_of_changes_names_no_call_and_the_picture_names_its_gap() -> None:
    groups = pd.concat([swapped(300).assign(g=g) for g in ("A", "B", "C")])
    result = fs.compare_models(groups, ["usual", "turned", "chance"], "g", outcome="y", versus="all")
    assert "kind" not in fs.table(result).to_latex()
    few = fs.compare_models(swapped(), ["usual", "turned", "close"], "g", outcome="y")
    for kind in ({}, {"metric": "PPV"}):
        drawing = fs.plot(few, "price_gap", **kind)
        assert drawing.figure.axes[0].get_ylabel().startswith("gap in ")


@pytest.mark.parametrize(("lost", "said"), [(0, True), (300, False)])
def test_a_model_that_is_right_more_often_and_leaves_a_smaller_gap_is_named_first(lost: int, said: bool) -> None:
    """Of 2,000, half of them right to accept, old turns 250 women wrongly away; lost: how often new errs beside."""
    people = pd.DataFrame({"sex": ["f"] * 1000 + ["m"] * 1000, "y": [1, 0] * 1000})
    people["old"], people["new"] = people.y, people.y
    people.loc[people.index[people.sex.eq("f") & people.y.eq(1)][:250], "old"] = 0
    people.loc[people.index[people.y.eq(0)][:lost], "new"] = 1
    people.loc[people.index[people.y.eq(0)][-lost:] if lost else [], "new"] = 1
    people["half"] = people.old
    people.loc[people.index[people.sex.eq("f") & people.y.eq(1)][:125], "half"] = 1
    models = {name: name for name in ("old", "half", "new")}
    result = fs.compare_models(people, models, groups="sex", outcome="y")
    text = "“new” is shown to be right more often than “old” and to leave a smaller gap in selection."
    assert (text in " ".join(str(result).split())) == said
    page = " ".join(re.sub("<[^>]+>", " ", fs.report(result).html).split())
    assert (text in page) == said
    if said:
        assert page.index(text) < page.index("“half” is shown to be right more often") < page.index("The gap is shown")


def test_without_an_outcome_it_is_said_that_nobody_looked_how_often_models_are_right() -> None:
    people = pd.DataFrame({"sex": ["f", "m"] * 100, "old": [1, 0, 1, 1] * 50, "new": [1, 1, 0, 1] * 50})
    result = fs.compare_models(people, {"old": "old", "new": "new"}, groups="sex")
    said = "No outcome was given: how often each model is right was not looked at."
    html = fs.report(result).html
    assert said in " ".join(str(result).split()) and said in " ".join(re.sub("<[^>]+>", " ", html).split())
    assert "Each model: whom it selects" in html and "how often it is right, and whom" not in html


def printed(result: fs.GroupStudy) -> str:
    lines = str(result).splitlines()
    assert len(lines) <= 40 and max(map(len, lines)) <= 80
    return " ".join(" ".join(lines).split())


def test_of_many_models_the_print_says_how_many_lines_and_comparisons_are_left_out() -> None:
    d = swapped(300)
    names = ["usual", *(f"candidate_{k}_of_the_second_round" for k in range(14))]
    d = d.assign(**{name: (np.roll(d["usual"], 1 + k) + d["close"] > 1) * 1 for k, name in enumerate(names[1:])})
    result = fs.compare_models(d, names, "g", outcome="y", reference="m")
    text = printed(result)
    table = str(result).partition("gap with ")[2].partition("accuracy with")[0]
    lined = [name for name in names if f"\n{name} " in table]
    assert 1 < len(lined) < len(names) and f" {len(names) - len(lined)} more models: summary()." in text
    assert all(name in result.summary() for name in names)
    left = [
        row
        for row in result.compared()
        if row.verdict == "inconclusive"
        and not (row.model in lined and (row.metric, row.group) in (("selection rate", "f"), ("accuracy", "")))
    ]
    assert left and f"not printed: {len(left)};" in text


@pytest.mark.long
def test_print_answers_first_which_model_and_at_what_cost_in_few_lines() -> None:
    rng, n = np.random.default_rng(5), 6000
    d = pd.DataFrame({"g": rng.choice(["f", "m", "x"], n, p=[0.4, 0.598, 0.002]), "y": rng.integers(0, 2, n)})
    right = rng.random(n) < 0.9
    d["old"] = np.where(right & ~((d.g == "f") & (rng.random(n) < 0.4)), d.y, 0)
    d["even"], d["coin"] = np.where(rng.random(n) < 0.8, d.y, 1 - d.y), rng.integers(0, 2, n)
    d["worse"] = np.where((d.g == "f") & (rng.random(n) < 0.5), 0, d.old)
    models = ["old", "even", "worse", "coin"]
    result = fs.compare_models(d, models, "g", outcome="y", reference="m")
    text = printed(result)
    answer, _, below = text.partition(" gap with points ")
    gap, _, right = answer.partition("Gap in selection between f and m, compared with “old”: ")[2].partition(". ")
    assert re.sub(r" \(.*?\)", "", gap) == "shown to be smaller with “even”; shown to be larger with “worse”"
    assert right.startswith("Right decisions, compared with “old”: ") and "“coin”" not in answer
    every = [line for line in str(result).splitlines() if line.split()[:1] and line.split()[0] in models]
    assert [line.split()[0] for line in every] == models * 2  # of the gap, and of accuracy
    lines, right_of = ({line.split()[0]: line for line in of} for of in (every[:4], every[4:]))
    assert "The same decision for everybody" in below
    for row in result.compared():  # every change has its limits
        if (row.metric, row.group) in (("selection rate", "f"), ("accuracy", "")):
            line = (lines if row.group else right_of)[row.model]
            ends = f"{percent(row.conf_low)} to {percent(row.conf_high)}"
            assert re.search(rf" {percent(row.estimate)} +{ends} ", line)
    table = result.by_rate().query("rate == 'selection rate' and group == 'f'").set_index("model").direction
    gap = d.groupby("g")[models].mean().loc["f"] - d.groupby("g")[models].mean().loc["m"]
    for name in models:
        assert percent(gap[name]) in lines[name] and percent((d[name] == d.y).mean()) in right_of[name]
        assert name == "old" or lines[name].endswith(table[name])
    many = [f"m{k}" for k in range(30)]
    for name in many:
        d[name] = np.where(rng.random(n) < 0.5, d.old, d.worse)
    assert " more models: " in printed(fs.compare_models(d, ["old", *many], "g", outcome="y", reference="m"))
    printed(fs.compare_models(d, models, "g", versus="all", p_adjust="holm"))
    two = printed(fs.compare_models(d, ["old", "even"], "g", outcome="y", reference="m"))
    (row,) = fs.compare_models(d, ["old", "even"], "g", outcome="y", reference="m").estimates.only(
        role="main", metric="selection rate", group="f"
    )
    assert f"{percent(row.conf_low)} to {percent(row.conf_high)})." in two


def test_rows_say_in_which_direction_a_gap_and_accuracy_changed() -> None:
    result = many_changes()
    rows, table = result.tidy(), result.by_rate()
    main = rows[rows.role == "main"]
    assert set(rows[rows.role != "main"].direction) == {""}
    assert main.direction.tolist() == table.direction.tolist() and {"larger", "lower"} <= set(main.direction)
    csv = pd.read_csv(StringIO(fs.report(result).csv), keep_default_na=False)
    assert csv.direction.tolist() == rows.direction.tolist()
    assert "direction" not in fs.audit(fs.arrests(), "released", "colour", favorable="Yes").tidy()


def test_limits_of_a_change_within_the_margin_are_in_the_table_as_sentences_print_them() -> None:
    d = simulated().assign(c=lambda d: np.where(d.index % 150 == 0, 1 - d["a"], d["a"]))
    result = fs.compare_models(d, ["a", "c"], "g", outcome="y", margin=0.1)
    table = result.by_rate().query("rate == 'selection rate' and direction == 'within'")
    said = " ".join(result.statements)
    assert len(table) and any(
        f"{percent(r.margin_low)} to {percent(r.margin_high)}" in said for r in table.itertuples()
    )


def claims() -> pd.DataFrame:
    """Few of a group with a large and uncertain change, many of another with a clear one, and a model that says yes."""
    sizes = {"ref": 4000, "many": 700, "few": 40}
    yes = {"ref": (0.62, 0.62), "many": (0.45, 0.6), "few": (0.35, 0.6)}
    parts = []
    for group, n in sizes.items():
        i = np.arange(n)
        old, new = ((i < share * n).astype(int) for share in yes[group])
        parts.append(pd.DataFrame({"g": group, "old": old, "new": new, "y": (i * 7 % 10 < 8).astype(int), "all": 1}))
    return pd.concat(parts, ignore_index=True)


def test_the_group_of_the_answer_is_the_one_whose_change_has_limits_farthest_from_0() -> None:
    result = fs.compare_models(claims(), ["old", "new"], "g", outcome="y", reference="ref")
    rows = [row for row in result.compared() if row.metric == "selection rate"]
    assert all(row.verdict == "disparity shown" for row in rows)
    assert max(rows, key=lambda row: abs(row.estimate)).group == "few"
    text = " ".join(str(result).split())
    assert "Gap in selection between many and ref, compared with “old”: shown to be smaller with “new”" in text
    assert "of other groups, compared with “old”: few (40 people) " in text


def test_a_model_that_says_yes_to_everybody_is_no_merit() -> None:
    data = claims()
    result = fs.compare_models(data, ["old", "all", "new"], "g", outcome="y", reference="ref")
    right = {row.model: row for row in result.compared() if row.metric == "accuracy" and not row.group}
    assert right["all"].estimate > 0 and right["all"].verdict == "disparity shown"
    assert not any("“all” is shown to be right more often" in text for text in result.statements)
    table = [line.split()[0] for line in str(result).splitlines() if re.match("(old|all|new)  ", line)]
    assert table == ["old", "new", "all"] * 2


def test_a_candidate_whose_decisions_do_not_depend_on_the_outcome_is_no_alternative() -> None:
    data = claims()
    data["old"] = np.where(data.g == "many", data.y * (np.arange(len(data)) % 3 > 0), data.y)
    data["nearly"] = 1
    data.loc[::1500, "nearly"] = 0
    for name, why in (("all", "decides in one way about everybody"), ("nearly", "depend on the outcome is not shown")):
        result = fs.alternatives(data, ["old", name], "g", outcome="y", reference="ref", margin=0.3)
        assert not result.found and why in result.statements[0]
        rows = result.estimates.only(metric="selection rate", model=name, contrast="difference")
        assert rows and all(why in row.reason for row in rows)
        assert why in " ".join(str(result).split()) and why in " ".join(fs.report(result).html.split())


def of_five_groups() -> tuple[pd.DataFrame, list[str]]:
    """Five models and five groups; of two models the gap of Black people is smaller and larger than with the first."""
    rng, n = np.random.default_rng(1), 8000
    race = rng.choice(["White", "Black", "Asian", "Hispanic", "Native"], n, p=[0.6, 0.2, 0.1, 0.08, 0.02])
    behind = np.select([race == "Black", race == "Hispanic", race == "Asian"], [-0.5, -0.3, 0.1], 0.0)
    z, noise = rng.normal(size=n), rng.normal(size=(6, n))
    x = z + 0.8 * noise[0]
    d = pd.DataFrame({"race": race, "y": (z + 0.6 * noise[1] > 0).astype(int)})
    for name, share, draw in (("old", 1, 2), ("fair", 0.2, 3), ("worse", 2, 4), ("twin", 1, 5)):
        d[name] = (x + share * behind + 0.2 * noise[draw] > 0).astype(int)
    d["coin"] = np.where(rng.random(n) < 0.7, d.old, 1 - d.old)
    return d, ["old", "fair", "worse", "twin", "coin"]


@pytest.mark.long
def test_print_of_five_models_begins_with_the_answer_and_has_a_line_of_each_and_one_word_of_accuracy() -> None:
    d, models = of_five_groups()
    result = fs.compare_models(d, models, "race", outcome="y", reference="White", margin=0.01)
    answer, _, below = printed(result).partition(" gap with points ")
    assert "between Black and White, compared with “old”: shown to be smaller with “fair”" in answer
    assert "shown to be larger with “worse”" in answer
    lines = [line for line in str(result).splitlines() if re.match(rf"({'|'.join(models)})  ", line)]
    assert [line.split()[0] for line in lines] == models * 2 and "more model" not in below
    right = {row.model: row for row in result.compared() if row.metric == "accuracy" and not row.group}
    near = {name for name, row in right.items() if row.verdict == "inconclusive" and row.conf_low > -0.01}
    table = pd.DataFrame(read_line(line) for line in lines[6:])
    assert near == set(table[table.shown == "at most 1.0 lower"].model) >= {"fair"}
    assert near == set(re.findall("“(.*?)”", answer.partition("at most 1.0 points fewer")[2].partition(";")[0]))
    html = fs.report(result).html
    assert "at most 1.0 lower" in html.partition("Each model beside")[2].partition("</table>")[0]
    assert "höchstens 1,0 niedriger" in fs.report(result, language="de").html
    assert "Native (" in below.partition("of other groups")[2]


def read_line(line: str) -> dict[str, str]:
    cells = re.split("  +", line.strip())
    return {"model": cells[0], "shown": cells[-1]}


@pytest.mark.parametrize(("better", "reason"), [(True, ""), (False, "its largest gap of any group is not smaller")])
def test_a_search_among_one_candidate_answers_about_this_one(better: bool, reason: str) -> None:
    d = candidates(0, better).assign(same=lambda d: d["now"])
    result = fs.alternatives(d, ["now", "c0" if better else "same"], "g", outcome="y")
    text, page = " ".join(str(result).split()), fs.report(result).html
    for wording in ("Chosen was", "none is at most", "came last", "group= lets", "nearest among"):
        assert wording not in text and wording not in page
    if better:
        assert "“c0” was tested, because those who chose show it" in text and result.found
        assert "From “now” to “c0”" in result.summary() and "From “now” to “c0”" not in text
        return
    said = "“same” is not shown to be a less discriminatory alternative to “now”, and was not tested: among those who "
    assert result.statements[0] == f"{said}chose {reason}." and said in page


def test_a_figure_and_the_terms_of_a_change_name_both_models_and_no_gap() -> None:
    """A screen reader hears that a number is the change of a gap, and of which model to which."""
    people = pd.DataFrame(
        {
            "sex": np.repeat(["f", "m"], 60),
            "y": np.tile([0, 1, 1], 40),
            "a": np.tile([1, 0, 1], 40),
            "b": np.tile([0, 1], 60),
        }
    )
    study = fs.compare_models(people, {"old": "a", "new": "b"}, "sex", outcome="y", reference="m")
    drawn = fs.plot(study)
    assert "Selection rate, change of the difference: f against m (sex), “new” less “old”: " in drawn.alt
    assert "Accuracy, “new” less “old”: " in drawn.alt
    assert "filled where a change is shown" in drawn.caption
    assert "change, percentage points" in drawn.svg
    terms = [row.label for row in study.compared()]
    assert terms[0] == "selection rate · sex = f vs m · difference · new vs old"
    assert len(set(terms)) == len(terms)
    german = fs.table(study, language="de").note
    assert "Die Intervalle der Vergleiche einer Rate gelten zusammen mit 95" in german
    assert "Intervals" not in german
