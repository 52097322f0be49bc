"""Comparisons given legitimate factors: Berkeley's admissions as published, and laws."""

from __future__ import annotations

import html
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import fairstats as fs
from fairstats.auditing.answer import ratios_by_stratum, ratios_within
from fairstats.auditing.audit import audit
from fairstats.errors import InputError
from fairstats.language import message, says

# Bickel, Hammel & O'Connell (1975), Science 187: men admitted and rejected, women admitted and rejected
BERKELEY = {
    "A": (512, 313, 89, 19),
    "B": (353, 207, 17, 8),
    "C": (120, 205, 202, 391),
    "D": (138, 279, 131, 244),
    "E": (53, 138, 94, 299),
    "F": (22, 351, 24, 317),
}


def berkeley() -> pd.DataFrame:
    """One row a cell, with its count as frequency weight."""
    rows = []
    for dept, counts in BERKELEY.items():
        cells = [("m", 1), ("m", 0), ("f", 1), ("f", 0)]
        rows += [(dept, sex, d, n) for (sex, d), n in zip(cells, counts, strict=True)]
    return pd.DataFrame(rows, columns=["dept", "sex", "admitted", "n"])


def applicants() -> pd.DataFrame:
    """The same, one row a person."""
    data = berkeley()
    return data.loc[data.index.repeat(data["n"])].drop(columns="n")


def test_the_difference_vanishes_within_departments():
    rows = audit(applicants(), decision="admitted", groups="sex", strata="dept").estimates
    crude = rows.where(metric="selection rate", contrast="difference", role="main")[0]
    assert (round(100 * crude.estimate, 1), crude.verdict) == (-14.2, "disparity shown")
    odds = rows.where(metric="common odds ratio")[0]
    # R: mantelhaen.test(UCBAdmissions, correct = FALSE): 0.9046968 for men over women
    assert odds.estimate == pytest.approx(1 / 0.9046968, rel=1e-6)
    effect = rows.where(metric="risk difference within strata")[0]
    assert odds.p_value == effect.p_value
    assert abs(effect.estimate) < 0.03
    assert (effect.verdict, effect.n) == ("inconclusive", 4526)
    homogeneity = rows.where(metric="homogeneity of odds ratios")[0]
    assert homogeneity.p_value < 0.01  # department A treats women better


def test_strata_where_nobody_is_selected_are_in_the_average_and_in_n():
    """Two of ten are selected among the women of one department, six of ten among its men; nobody in the other."""
    dept, sex, hired = np.repeat(["A", "B"], [200, 800]), np.tile(["m", "f"], 500), np.zeros(1000, int)
    hired[:200] = np.where(sex[:200] == "m", np.arange(200) % 10 < 6, np.arange(200) % 10 < 3)
    data = {"g": sex, "dept": dept, "d": hired}
    rows = audit(data, groups="g", decision="d", strata="dept", reference="m").estimates
    row = rows.where(metric="risk difference within strata")[0]
    assert (round(row.estimate, 12), row.n, row.events) == (-0.08, 1000, 80)
    assert row.verdict == "disparity shown"
    assert rows.where(metric="standardized difference")[0].estimate == pytest.approx(-0.08)
    people = rows.where(metric="shortfall in people")[0]
    assert people.estimate == pytest.approx(20)  # of 100 women 20 were hired, of everybody 40%


def test_the_conditional_odds_ratio_is_the_conditional_logistic_regression_of_statsmodels():
    from statsmodels.discrete.conditional_models import ConditionalLogit

    data = applicants()[::20]
    fit = ConditionalLogit(data["admitted"], (data["sex"] == "f").astype(float), groups=data["dept"]).fit(disp=False)
    rows = audit(data, decision="admitted", groups="sex", strata="dept", reference="m").estimates
    row = rows.where(metric="conditional odds ratio")[0]
    assert row.estimate == pytest.approx(np.exp(fit.params.iloc[0]), rel=1e-3)  # its optimizer stops early


@pytest.mark.long
@pytest.mark.parametrize("tables", [20, pytest.param(60, marks=pytest.mark.slow)])
def test_a_disparity_within_strata_is_where_the_test_rejects_and_the_limits_exclude_0(tables):
    rng, verdicts = np.random.default_rng(2), set()
    for _ in range(tables):
        data = {"g": rng.choice(["a", "b"], 60), "z": rng.integers(0, 8, 60), "d": (rng.random(60) < 0.3).astype(int)}
        data["d"] |= (np.asarray(data["g"]) == "a") & (rng.random(60) < 0.25)
        row = audit(data, decision="d", groups="g", strata="z", reference="a").estimates
        row = row.where(metric="risk difference within strata")[0]
        excluded, rejects = row.conf_low > 0 or row.conf_high < 0, row.p_adjusted <= 0.05
        assert (row.verdict == "disparity shown") == excluded == rejects
        verdicts.add(row.verdict)
    assert verdicts - {""} == {"disparity shown", "inconclusive"}


@pytest.mark.long
@pytest.mark.parametrize(("tables", "both"), [(20, 3), pytest.param(60, 10, marks=pytest.mark.slow)])
def test_every_ratio_within_strata_is_on_the_side_of_the_verdict_beside_it(tables, both):
    rng, verdicts = np.random.default_rng(3), []
    for _ in range(tables):
        n = int(rng.integers(40, 160))
        z, g = rng.integers(0, 4, n), rng.choice(["a", "b"], n)
        d = (rng.random(n) < 0.2 + 0.15 * rng.random() * z + 0.18 * (g == "b")).astype(int)
        rows = audit({"g": g, "z": z, "d": d}, decision="d", groups="g", strata="z", reference="a").estimates
        entries = {r.metric: r for r in rows if r.given and r.role == "main" and r.status == "ok"}
        if "risk difference within strata" not in entries:
            continue
        shown = entries["risk difference within strata"].verdict == "disparity shown"
        for metric in ("risk ratio within strata", "conditional odds ratio", "common odds ratio"):
            row = entries[metric]
            excluded = row.conf_low > 1 or row.conf_high < 1
            assert excluded == (row.p_adjusted <= 0.05) == shown, (metric, row)
            assert row.conf_low <= row.estimate <= row.conf_high
        if not shown:  # the same people under another standard show no more than the verdict says
            standardized = entries["standardized difference"]
            assert standardized.conf_low <= 0 <= standardized.conf_high
        verdicts.append(shown)
    assert both < sum(verdicts) < len(verdicts) - both


def test_frequency_weights_equal_people():
    one = audit(applicants(), decision="admitted", groups="sex", strata="dept", reference="m").estimates
    two = audit(berkeley(), decision="admitted", groups="sex", strata="dept", weights="n", reference="m").estimates
    for metric in ("common odds ratio", "conditional odds ratio", "risk difference within strata"):
        left, right = (rows.where(metric=metric)[0] for rows in (one, two))
        assert (left.estimate, left.conf_low) == pytest.approx((right.estimate, right.conf_low), rel=1e-8)


def test_a_margin_makes_the_adjusted_difference_an_equivalence_claim():
    rows = audit(applicants(), decision="admitted", groups="sex", strata="dept", margin=0.05).estimates
    assert rows.where(metric="risk difference within strata")[0].verdict == "equivalence shown"


def test_the_finding_and_the_claims_say_what_remains_given_the_strata():
    result = audit(applicants(), decision="admitted", groups="sex", strata="dept")
    wanted = "Within the same dept, no difference is shown in how often women and men had `admitted = 1` ("
    assert result.finding().startswith(wanted)
    assert result.claims().column("metric") == ["selection rate", "risk difference within strata"]


def test_strata_with_one_group_say_so_and_contribute_nothing():
    extra = pd.DataFrame({"dept": ["G"] * 30, "sex": ["m"] * 30, "admitted": [0, 1] * 15})
    data = applicants()
    more = pd.concat([data, extra])
    one, two = (audit(d, decision="admitted", groups="sex", strata="dept").estimates for d in (data, more))
    left, right = (rows.where(metric="common odds ratio")[0] for rows in (one, two))
    assert right.estimate == pytest.approx(left.estimate, rel=1e-12)
    assert "1 of 7 strata say nothing" in right.reason


def test_clusters_linearize_and_refuse_the_exact_strata(rng):
    data = applicants().assign(office=lambda d: rng.integers(0, 40, len(d)))
    rows = audit(data, decision="admitted", groups="sex", strata="dept", clusters="office").estimates
    row = rows.where(metric="risk difference within strata")[0]
    assert 38 < row.df < 39 and "linearized by cluster" in row.method
    assert rows.where(metric="common odds ratio")[0].status == "unestimable"


def test_several_factors_are_crossed():
    data = applicants().assign(year=lambda d: np.arange(len(d)) % 2)
    result = audit(data, decision="admitted", groups="sex", strata=["dept", "year"])
    assert {r.given for r in result.estimates.where(metric="common odds ratio")} == {"dept:year"}


def test_weighted_people_of_other_groups_do_not_count_within_strata():
    rng = np.random.default_rng(6)
    data = pd.DataFrame({"g": rng.choice(list("abc"), 600, p=[0.4, 0.3, 0.3]), "t": rng.choice(["u", "v"], 600)})
    data["d"], data["w"] = (rng.random(600) < 0.3 + 0.3 * (data["g"] == "c")).astype(int), rng.uniform(1, 4, 600)
    data.loc[::29, "d"] = np.nan
    arguments = {"decision": "d", "groups": "g", "strata": "t", "reference": "a", "p_adjust": "none"}
    for design in ({"weights": "w", "weight_type": "probability"}, {"clusters": "c"}):
        people = data.assign(c=np.arange(600) % 40)
        every = audit(people, **arguments, **design).estimates
        pair = audit(people[people["g"] != "c"], **arguments, **design).estimates
        both = [
            [r for r in rows if r.group == "b" and r.reference == "a" and r.given and r.status == "ok"]
            for rows in (every, pair)
        ]
        assert len(both[0]) == len(both[1]) > 0
        for ours, theirs in zip(*both, strict=True):
            assert (ours.metric, ours.contrast, ours.given) == (theirs.metric, theirs.contrast, theirs.given)
            assert ours.estimate == pytest.approx(theirs.estimate, rel=1e-9)
            assert ours.std_error == pytest.approx(theirs.std_error, rel=1e-9, nan_ok=True)


def test_the_odds_ratio_of_a_summary_has_two_digits():
    result = audit(applicants(), decision="admitted", groups="sex", strata="dept")
    row = result.estimates.where(metric="common odds ratio")[0]
    limits = f"({row.conf_low:.2f} to {row.conf_high:.2f})"
    assert f"common odds ratio {row.estimate:.2f} {limits}, adjusted p" in " ".join(result.summary().split())


def test_people_of_strata_with_one_group_are_counted_beside_the_answer():
    rng = np.random.default_rng(3)
    data = pd.DataFrame(
        {"g": np.repeat(["a", "b"], 150), "t": rng.choice(["u", "v"], 300), "d": rng.integers(0, 2, 300)}
    )
    data.loc[:20, "t"] = "w"  # of nobody in b
    for people, left_out in ((data, True), (data[data["t"] != "w"], False)):
        text = audit(people, decision="d", groups="g", strata="t").finding()
        assert ("21 people are in strata without the other group" in text) == left_out


def test_strata_that_few_share_give_no_answer_within_them():
    rng = np.random.default_rng(4)
    data = pd.DataFrame({"g": np.repeat(["a", "b"], 200), "d": rng.integers(0, 2, 400)})
    data["t"] = np.where(np.arange(400) % 200 < 140, data.g, "both")  # 30% of each group are in a stratum of both
    text = audit(data, decision="d", groups="g", strata="t").finding()
    assert "cannot be answered within t: only 30% of b are in strata that hold both groups" in text
    assert "without regard to t" in text and "shown within" not in text
    assert "leave the others out of the data" not in text
    data["t"] = np.where(rng.random(400) < 0.3, "both", None)  # of the others the stratum is not known
    text = audit(data, decision="d", groups="g", strata="t").finding()
    assert "cannot be answered within t" in text and "leave the others out of the data" in text


def pay(seed: int = 0, n: int = 600) -> pd.DataFrame:
    """Pay that depends on the job alone, and women in the jobs that are paid less."""
    rng = np.random.default_rng(seed)
    job = rng.integers(0, 3, n)
    sex = np.where(rng.random(n) < np.array([0.8, 0.5, 0.2])[job], "f", "m")
    pay = np.round(1000 * (2 + job) + 200 * rng.normal(size=n))
    entries = {"rated": (rng.random(n) < 0.5).astype(int), "p": rng.random(n)}
    return pd.DataFrame({"sex": sex, "job": job.astype(str), "pay": pay, "w": rng.gamma(3, 1, n), **entries})


def test_scores_are_compared_within_strata():
    rows = audit(pay(), score="pay", groups="sex", strata="job", reference="m").estimates
    crude, within = (rows.where(metric=m)[0] for m in ("P(X>Y)", "P(X>Y) within strata"))
    assert (crude.verdict, crude.given) == ("disparity shown", "") and crude.estimate < 0.35
    assert says(crude.reason, message("not adjusted for the strata"))
    assert (within.verdict, within.given, within.group) == ("inconclusive", "job", "f")
    assert within.conf_low < 0.5 < within.conf_high and abs(within.estimate - 0.5) < 0.05
    shift, test = (rows.where(metric=f"score {m} within strata")[0] for m in ("shift", "distribution"))
    assert shift.conf_low < 0 < shift.conf_high and abs(shift.estimate) < 60
    assert test.p_value > 0.05 and not test.verdict
    # the share above the median is a decision like any other
    assert rows.where(metric="risk difference within strata")[0].verdict == "inconclusive"
    assert rows.where(metric="common strata")[0].estimate == 1


@pytest.mark.parametrize("design", [{"weights": "w", "weight_type": "probability"}, {"clusters": "c"}])
def test_scores_of_weighted_and_clustered_people_are_compared_within_strata(design):
    data = pay().assign(c=np.arange(600) % 50)
    rows = audit(data, score="pay", groups="sex", strata="job", reference="m", **design).estimates
    assert rows.where(metric="P(X>Y)")[0].verdict == "disparity shown"
    within = rows.where(metric="P(X>Y) within strata")[0]
    assert within.verdict == "inconclusive" and "t" in within.method
    assert rows.where(metric="score shift within strata")[0].status == "unestimable"


def test_frequency_weights_are_people_within_strata():
    data = pay(1, 200).assign(n=np.arange(200) % 3 + 1)
    arguments = {"score": "pay", "groups": "sex", "strata": "job", "reference": "m"}
    counted = audit(data, weights="n", **arguments).estimates.where(metric="P(X>Y) within strata")[0]
    each = audit(data.loc[data.index.repeat(data["n"])], **arguments).estimates.where(metric="P(X>Y) within strata")[0]
    assert counted == each


def test_what_holds_no_stratum_fixed_says_so():
    rows = audit(pay(), outcome="rated", score="p", groups="sex", strata="job", reference="m").estimates
    for metric in ("AUC", "Brier score", "calibration slope"):
        row = rows.where(metric=metric, contrast="difference")[0]
        assert row.reason.endswith("not adjusted for the strata"), metric
    assert not rows.where(metric="AUC", contrast="none")[0].reason
    decided = pay().assign(d=lambda t: (t.p > 0.5) * 1)
    errors = audit(decided, "d", "sex", outcome="rated", strata="job").estimates
    assert errors.where(metric="TPR", contrast="difference")[0].reason.endswith("not adjusted for the strata")
    crude = errors.where(metric="selection rate", contrast="difference", role="main")[0]
    assert crude.verdict and crude.reason == "not adjusted for the strata"
    assert "not adjusted" not in errors.where(metric="selection rate", contrast="ratio")[0].reason


def test_glance_counts_the_verdicts_that_answer_and_not_the_crude_ones_beside_them():
    cells = [("p", "a", 70, 100), ("p", "b", 70, 100), ("q", "a", 30, 300), ("q", "b", 3, 30)]
    people = pd.DataFrame([(s, g, int(i < k)) for s, g, k, n in cells for i in range(n)], columns=["s", "g", "y"])
    result = fs.audit(people, "y", "g", strata="s")
    crude = result.tidy(metric="selection rate", contrast="difference", role="main")
    assert crude["verdict"].tolist() == ["disparity shown"]
    assert crude["reason"].tolist() == ["not adjusted for the strata"]
    assert "disparity shown" not in result.finding() and result.glance()["disparity_shown"].tolist() == [0]
    assert result.glance()["inconclusive"].tolist() == [1]


def test_the_share_of_people_in_common_strata():
    """Nine in ten women have a job that no man has."""
    data = pd.DataFrame({"sex": ["f"] * 100 + ["m"] * 60, "job": ["a"] * 90 + ["b"] * 70, "d": [0, 1] * 80})
    row = audit(data, "d", "sex", strata="job", reference="m").estimates.where(metric="common strata")[0]
    assert (row.estimate, row.n, row.role) == (0.1, 160, "supplementary")


def test_a_column_of_measurements_makes_no_strata():
    data = pay().assign(d=lambda t: (t.p > 0.5) * 1)
    with pytest.raises(InputError, match=r"strata has 'p', with 600 values for 600 people; .* pass a column of few"):
        audit(data, "d", "sex", strata="p")
    pairs = data.assign(pair=np.arange(600) // 2)
    assert audit(pairs, "d", "sex", strata="pair").estimates.where(metric="common strata")[0].status == "ok"


@pytest.mark.parametrize("arguments", [{"decision": "y"}, {"score": "sc"}])
def test_people_whose_stratum_is_missing_are_of_no_stratum(arguments):
    """They were one stratum: a difference that depends on the stratum alone was shown "within" it."""
    r, n = np.random.default_rng(9), 2000
    g = r.choice(["a", "b"], n)
    q = np.where(r.random(n) < np.where(g == "a", 0.2, 0.8), "lo", "hi")
    y = (r.random(n) < np.where(q == "hi", 0.7, 0.3)).astype(int)
    sc, lost = y + r.random(n), r.random(n)
    metric = "P(X>Y) within strata" if "score" in arguments else "risk difference within strata"
    for share, status in ((0.1, "ok"), (0.5, "unestimable")):
        data = pd.DataFrame({"g": g, "y": y, "sc": sc, "s": np.where(lost < share, None, q)})
        current = fs.audit(data, groups="g", strata="s", **arguments)
        known = fs.audit(data[data.s.notna()], groups="g", strata="s", **arguments)
        row, other = (x.estimates.where(metric=metric)[0] for x in (current, known))
        assert row.status == status and other.status == "ok"
        if status == "ok":
            assert (row.estimate, row.conf_low, row.n) == (other.estimate, other.conf_low, other.n)
        missing = int(data.s.isna().sum())
        assert next(s.n for s in current.flow if s.label.startswith("stratum missing")) == missing
        assert any(f"The stratum is missing for {missing} people" in note for note in current.notes)
        assert ("cannot be answered within s" in current.finding()) == (status != "ok")


@pytest.mark.parametrize("margin", [None, 0.08])
def test_too_few_comparable_people_have_one_answer_everywhere(margin):
    """The sentence said "cannot be answered", the rows "equivalence shown" or "disparity shown"."""
    r, n = np.random.default_rng(4), 6000
    g = r.choice(["a", "b"], n)
    s = np.where(g == "a", r.integers(0, 5, n), r.integers(2, 7, n))
    y = r.random(n) < np.where(s < 2, 0.9, np.where(s > 4, 0.1, 0.5)) + (margin is None) * 0.2 * (g == "a")
    result = fs.audit(pd.DataFrame({"g": g, "s": s, "y": y.astype(int)}), "y", "g", strata="s", margin=margin)
    rows = [row for row in result.estimates if row.given == "s" and row.role == "main"]
    assert rows and all(row.status == "unestimable" and not row.verdict for row in rows)
    assert "cannot be answered within s: only 59% of" in result.finding() and "not estimable" in result.summary()
    assert result.glance()["equivalence_shown"][0] == 0 and result.glance()["unestimable"][0] >= len(rows)
    if margin is not None:
        assert not result.passes() and [row.status for row in result.passes().failures] == ["unestimable"]


def test_the_sentence_about_strata_is_of_differences():
    def people(cells):
        rows = [(s, g, int(i < k)) for s, g, k, n in cells for i in range(n)]
        return pd.DataFrame(rows, columns=["s", "g", "y"])

    same = people([("p", "a", 500, 1000), ("p", "b", 300, 1000), ("q", "a", 950, 1000), ("q", "b", 750, 1000)])
    other = people([("p", "a", 500, 1000), ("p", "b", 333, 1000), ("q", "a", 20, 1000), ("q", "b", 10, 1000)])
    text = "not the same in all strata"
    assert [text in fs.audit(d, "y", "g", strata="s").finding() for d in (same, other)] == [False, True]


def test_the_sentence_about_strata_names_the_pair_of_its_test_whichever_groups_are_withheld():
    """The sentence was of a, and of c where a is withheld, in the same words: "by g"."""
    cells = [("p", "a", 60, 70), ("p", "b", 333, 1000), ("p", "c", 300, 900)]
    cells += [("q", "a", 0, 70), ("q", "b", 10, 1000), ("q", "c", 90, 700), ("r", "a", 5, 6), ("q", "d", 2, 150)]
    rows = [(s, g, int(i < k)) for s, g, k, n in cells for i in range(n)]
    people = pd.DataFrame(rows, columns=["s", "g", "y"])
    for least, first in ((1, "a"), (10, "a"), (200, "c")):
        result = fs.audit(people, "y", "g", strata="s", min_n=least)
        (row,) = result.estimates.where(metric="homogeneity of differences", group=first, status="ok")
        text = "is not the same in all strata of s that hold both groups (people with `g` {} against those with b, p"
        assert text.format(first) in result.finding(), result.finding()
        assert row.df == 1  # r has nobody of b


def test_every_group_whose_difference_varies_over_strata_is_named_with_whatever_says_that_none_is_shown(tmp_path):
    """Black people are 20 points above in N and below in S; the sentence was of the first group alone, Asian people."""
    counts = pd.DataFrame(
        [
            *(("N", "White", 400, 160), ("N", "Black", 400, 240), ("N", "Asian", 400, 150)),
            *(("S", "White", 400, 240), ("S", "Black", 400, 160), ("S", "Asian", 400, 225)),
        ],
        columns=["site", "race", "n", "k"],
    )
    result = fs.audit(fs.from_counts(counts, "race", "k", "n", strata="site"), reference="White")
    text = (
        "The difference by race is not the same in all strata of site that hold both groups (Black people against "
        "White people, p < 0.001)."
    )
    assert text in result.finding() and text in " ".join(str(result).split())
    summary = " ".join(result.summary().split())
    assert text in summary and summary.count("; the difference is not the same in all strata (p < 0.001).") == 1
    fs.report(result, to=tmp_path / "r.html")
    page = " ".join(html.unescape(re.sub(r"<[^>]+>", " ", (tmp_path / "r.html").read_text("utf-8"))).split())
    assert page.count(text) == 2  # page one, and the table of the differences within strata
    # differences of -0.2 and +0.2, of variance 2 (0.5²) / 400 each at equal rates
    (row,) = result.estimates.where(metric="homogeneity of differences", group="Black")
    assert row.estimate == pytest.approx(0.4**2 / 0.0025, rel=0.01)
    two = counts.assign(k=[160, 240, 200, 240, 160, 160])  # Asian people +10 and -20 points
    both = fs.audit(fs.from_counts(two, "race", "k", "n", strata="site"), reference="White").finding()
    assert "(Black people against White people, p < 0.001; Asian people against White people, p < 0.001)" in both


def test_where_a_whole_group_has_no_stratum_that_is_the_reason_and_not_that_it_is_small():
    """It was: fewer than 1 people."""
    people = pd.DataFrame({"g": ["a"] * 30 + ["b"] * 20, "s": ["x", "y"] * 15 + [None] * 20, "y": [0, 1] * 25})
    assert (
        "no stratum has people of both groups; the stratum of 20 people is missing"
        in fs.audit(people, "y", "g", strata="s").finding()
    )
    withheld = fs.audit(people, "y", "g", strata="s", min_n=10).estimates.where(metric="risk difference within strata")
    assert [(row.status, str(row.reason)) for row in withheld] == [("suppressed", "fewer than 10 people")]


def test_table_and_figure_of_differences_have_those_within_strata_first_with_the_verdict():
    people = applicants().rename(columns={"dept": "d_1"}).assign(late=lambda d: np.arange(len(d)) % 2)
    words = {"attributes": {"d_1": "department"}}
    for adjustment in ("bonferroni", "holm"):
        result = audit(
            people, decision="admitted", groups=["sex", "late"], reference={"sex": "m"}, strata="d_1", labels=words,
            p_adjust=adjustment,
        )  # fmt: skip
        table = fs.table(result, "differences", attribute="sex")
        assert "within department, and crude" in table.caption
        assert "Crude: not adjusted for department" in table.note
        shown = table.to_frame().set_index("group").loc["Women"]
        assert list(shown.index).index("within department (points)") < list(shown.index).index("crude (points)")
        assert (shown["within department (points)"], shown["crude (points)"]) == ("1.8", "−14.2")
        assert shown["verdict"] == "not settled"
        figure = fs.plot(result, "differences", attribute="sex")
        assert "within department" in figure.caption
        assert "crude, not adjusted for department" in figure.caption
        assert "0 of 1" in figure.caption
        within, crude = figure.alt.index("within department: Women"), figure.alt.index("crude, difference: Women")
        assert within < crude
        assert "shown" not in figure.alt
        for name in ("risk difference within strata", "Difference within strata"):
            assert fs.plot(result, metric=name, attribute="sex").alt == figure.alt
            assert fs.table(result, metric=name, attribute="sex").caption == table.caption
    table = fs.table(result, "differences", attribute="late", language="de")
    assert "innerhalb von department und roh" in table.caption


def test_what_has_no_difference_within_strata_is_called_unadjusted():
    people = applicants().assign(y=lambda d: np.arange(len(d)) % 3 == 0)
    result = audit(people, decision="admitted", outcome="y", groups="sex", strata="dept")
    for kind, metric in (("differences", "FPR"), ("error differences", "FPR")):
        assert "not adjusted for dept" in fs.table(result, kind, metric=metric).note
    for kind in ("", "rates", "errors", "ratios"):
        assert "Not adjusted for dept." in fs.table(result, kind).note
    assert "Not adjusted for dept." in fs.plot(result, "differences", metric="FPR").caption
    for kind in (None, "rates", "ratios", "hundred", "errors"):
        assert fs.plot(result, kind).caption.count("Not adjusted for dept.") == 1
        assert "Not adjusted" not in fs.plot(audit(people, "admitted", "sex", outcome="y"), kind).caption
    with pytest.raises(InputError, match="this audit has no strata; name their columns by strata="):
        fs.plot(audit(people, decision="admitted", groups="sex"), metric="risk difference within strata")


def test_scores_and_amounts_have_their_comparisons_within_strata_first():
    rng = np.random.default_rng(3)
    job, sex = rng.choice(["x", "y"], 600), rng.choice(["f", "m"], 600)
    pay = 3000 + 900 * (job == "x") + 400 * rng.normal(size=600)
    people = pd.DataFrame({"job": job, "sex": sex, "pay": pay, "score": pay / 5000})
    scores = fs.table(audit(people, score="score", groups="sex", strata="job"), "scores")
    assert "within job, and crude" in scores.caption
    assert list(scores.to_frame())[:2] == ["group", "within job"]
    result = audit(people, amount="pay", groups="sex", reference="m", strata="job")
    gaps = fs.table(result, "gaps").to_frame()
    assert gaps["gap"].str.contains("crude").tolist() == [False, True, True]
    assert (gaps["verdict"] == "–").tolist() == [False, True, True]
    means = fs.table(result, "differences", metric="mean amount")
    assert list(means.to_frame())[:2] == ["group", "within job"]
    for kind in ("gaps", "differences"):
        assert "Gray: crude, not adjusted for job." in fs.plot(result, kind).caption


def test_the_crude_difference_beside_that_within_strata_is_of_the_same_rate_and_side():
    rng = np.random.default_rng(4)
    people = pd.DataFrame({"sex": ["f", "m"] * 300, "job": ["x", "y", "y", "x"] * 150, "score": rng.random(600)})
    people["y"] = (people["score"] + 0.2 * (people["sex"] == "f") > rng.random(600)).astype(int)
    result = audit(people, score="score", outcome="y", groups="sex", reference="m", strata="job")
    crude = result.estimates.where(metric="scoring rate", contrast="difference", role="main")[0]
    assert f"crude {100 * crude.estimate:.1f}".replace("-", "−") in fs.plot(result, "crude_adjusted").alt
    people["d"] = (people["score"] > 0.5).astype(int)
    flags = audit(people, decision="d", outcome="y", favorable=0, groups="sex", reference="m", strata="job")
    lines = [line for line in fs.plot(flags, "claims").alt.split(". ") if "d = 1" in line]
    assert len({"−" in line.split("(sex): ")[1].split(" points")[0] for line in lines}) == 1


def test_the_tables_of_a_report_have_the_difference_within_strata_first():
    result = audit(applicants(), decision="admitted", groups="sex", reference="m", strata="dept")
    text = fs.report(result).html
    assert "sex, within the same dept: whether women and men differ in selection rate is not settled" in text
    start = text.index("compared with Men within dept, and crude")
    row = text[start : text.index("</table>", start)]
    assert row.index("1.8") < row.index("not settled") < row.index("−14.2")
    assert ">shown<" not in row


def reversing() -> pd.DataFrame:
    """Within each stratum a is selected 10 points more often than b, of everybody less often."""
    cells = [("a", "x", 80, 400), ("b", "x", 8, 80), ("a", "y", 56, 80), ("b", "y", 240, 400)]
    rows = [(g, z, int(i < k), place) for g, z, k, n in cells for i, place in enumerate(np.linspace(0, 1, n))]
    people = pd.DataFrame(rows, columns=["g", "z", "d", "score"])
    people["score"] += 3 * (people["z"] == "y") + 0.2 * (people["g"] == "a")
    return people.assign(pay=lambda d: 1000 * (3 + d["score"]))


def page_of(result, language="en"):
    return re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", fs.report(result, language=language).html))


def test_where_strata_turn_a_difference_no_heading_has_the_crude_rates():
    people = reversing()
    text = page_of(audit(people, "d", "g", strata="z", reference="a"))
    assert "g, within the same z: selection rate lower for b (−10.0 points) than for a" in text
    assert "Given z, the difference has the opposite sign." in text
    figure = fs.plot(audit(people, "d", "g", strata="z", reference="a"), "claims")
    assert "of 2" not in figure.caption and "within z" in figure.caption
    more = people.assign(g=people["g"].where(np.arange(len(people)) % 3 > 0, "c"))
    result = audit(more, "d", "g", strata="z", reference="a")
    crude, within = (
        {row.group: row.estimate for row in result.estimates.only(metric=m, contrast="difference", role="main")}
        for m in ("selection rate", "risk difference within strata")
    )
    turned = sum(crude[group] * within[group] < 0 for group in within)
    smaller = sum(crude[g] * within[g] >= 0 and abs(within[g]) < abs(crude[g]) for g in within)
    said = f"Given z, {smaller} of 2 differences are smaller"
    assert turned and f"{said}, and {turned} of the opposite sign." in page_of(result)
    within = [row for row in result.claims() if row.given]
    shown = sum(row.verdict == "disparity shown" for row in within)
    assert f"{shown} of 2 differences within z shown here" in fs.plot(result, "claims").caption


def test_a_crude_gap_has_no_verdict_whatever_metric_is_named():
    result = audit(reversing(), amount="pay", groups="g", strata="z", reference="a")
    crude = fs.table(result, "gaps", metric="gap of means")
    assert crude.to_frame()["gap"].tolist() == ["Gap of means, crude"] and "verdict" not in crude.to_frame()
    assert "Crude: not adjusted for z" in crude.note
    within = fs.table(result, metric="gap of means within strata").to_frame()
    assert within["gap"].tolist() == ["Gap of means within z"] and within["verdict"].tolist() == ["shown"]


@pytest.mark.parametrize("favorable", ["1", "0"])
def test_differences_within_strata_that_withheld_people_decide_are_ranges(favorable):
    cells = [("a", "x", 60, 150), ("a", "y", 60, 150), ("b", "x", 50, 100), ("b", "y", 5, 60)]
    cells += [("c", "x", 2, 4), ("c", "y", 0, 0)]
    people = [(g, z, int(i < k)) for g, z, k, n in cells for i in range(n)]
    tally = fs.tally(pd.DataFrame(people, columns=["g", "z", "d"]), "d", "g", strata="z").withhold(12)
    result = audit(tally, strata="z", reference="a", favorable=favorable)
    about = {"metric": "risk difference within strata", "contrast": "difference", "group": "b"}
    (bounds,), (sent,) = (result.estimates.only(role=role, **about) for role in ("bounds", "supplementary"))
    low, high, point = (f"{100 * v:.1f}".replace("-", "−") for v in (bounds.conf_low, bounds.conf_high, sent.estimate))
    assert low != high and not bounds.conf_low <= sent.estimate <= bounds.conf_high
    table = fs.table(result, "differences").to_frame().set_index("group")
    assert table.loc["b", "within z (points)"] == f"{low} to {high}"
    assert table.loc["c", "verdict"].startswith("withheld")  # whose row within strata is missing
    (line,) = (line for line in str(result).splitlines() if line.startswith("  b "))
    assert f"{low} to " in line.replace("+", "") and f" {point} " not in line.replace("+", "")
    text = page_of(result)
    assert f"{low} to {high}" in text and point not in text[: text.index("Provenance and sign-off", 9000)]


def test_under_holm_no_note_is_of_intervals_that_are_not_there():
    people = reversing().assign(h=lambda d: np.array(["p", "q", "r"])[np.arange(len(d)) % 3])
    for strata in ({}, {"strata": "z"}):
        result = audit(people, "d", "h", p_adjust="holm", **strata)
        for kind in ("differences", "ratios"):
            assert "Intervals are adjusted" not in fs.table(result, kind).note
        assert "Intervals of differences are adjusted" not in page_of(result)
    assert "adjusted for 2 comparisons" in fs.table(audit(people, "d", "h"), "differences").note


def test_scores_have_the_chance_within_strata_wherever_one_is_shown():
    people = reversing()
    result = audit(people, score="score", groups="g", strata="z", reference="a")
    within, crude = (result.estimates.only(metric=m, role="main")[0] for m in ("P(X>Y) within strata", "P(X>Y)"))
    assert within.estimate < 0.5 < crude.estimate
    (line,) = (line for line in str(result).splitlines() if line.startswith("  b "))
    assert line.split()[:3] == ["b", "480", f"{within.estimate:.3f}"] and line.endswith(" D")
    assert "ties half, within z" in str(result)
    turned = audit(
        people.assign(score=people["score"] - 0.2 * (people["g"] == "a")), score="score", groups="g", strata="z"
    )
    assert "D disparity shown" not in str(turned) and "? not settled." in str(turned)
    chances = [part for part in result.summary().split("\n\n") if part.startswith("P(X>Y) of")]
    assert [f"{row.estimate:.3f}" in part for row, part in zip((within, crude), chances, strict=True)] == [True, True]
    assert [part.endswith(" D") for part in chances] == [True, False] and "without regard" in chances[1]
    text = page_of(result)
    card = text[text.index("Table 1") : text.index("What this does not show")]
    assert "gap" not in card and "probability of a higher score, crude" in card
    shares = [f"{100 * row.estimate:.1f}" for row in (crude, within)]
    assert card.index(shares[0]) < card.index(shares[1]) < card.index("lower, beyond chance")
    both = fs.table({"no": audit(people, score="score", groups="g", reference="a"), "z": result}, "scores").to_frame()
    assert both["probability of a higher score"].tolist() == [f"{row.estimate:.3f}" for row in (crude, within)]


def test_a_gap_of_amounts_that_an_audit_does_not_have_is_the_metric_s_error():
    with pytest.raises(InputError, match="metric has 'gap of means within strata'"):
        fs.plot(audit(reversing(), "d", "g", strata="z"), metric="gap of means within strata")


def test_differences_of_several_strata_have_one_column_in_which_each_line_names_its_own():
    people = reversing().assign(h=lambda d: np.arange(len(d)) % 2)
    named = {"M0": None, "M1": "z", "M2": ["z", "h"]}
    results = {name: audit(people, "d", "g", reference="a", strata=strata) for name, strata in named.items()}
    table = fs.table(results, "differences")
    assert table.caption == "Selection rate by g: differences from a" and "Crude" not in table.note
    frame = table.to_frame()
    frame = frame[frame["group"] == "b"].set_index("result")
    assert frame["within"].tolist() == ["–", "z", "z and h"]
    metrics = ["selection rate", "risk difference within strata", "risk difference within strata"]
    found = [
        one.estimates.only(metric=m, contrast="difference", role="main")[0].estimate
        for one, m in zip(results.values(), metrics, strict=True)
    ]
    assert frame["difference (points)"].tolist() == [f"{100 * v:.1f}".replace("-", "−") for v in found]
    assert list(frame)[1:] == ["rate (%)", "within", "difference (points)", "95% CI (points)", "adjusted p", "verdict"]


def test_what_cannot_be_compared_within_strata_is_printed_and_drawn_without_a_count() -> None:
    rng = np.random.default_rng(0)
    data = pd.DataFrame({"g": np.repeat(["a", "b", "c"], [400, 194, 6]), "z": rng.choice(list("xyz"), 600)})
    data = data.assign(s=rng.random(600), w=np.exp(rng.normal(size=600)))
    withheld = str(audit(data, score="s", groups="g", strata="z", min_n=10))
    assert withheld.count("withheld: fewer than 10 people") == 2
    apart = data[data.g != "c"].assign(z=lambda rows: np.where(rows.g == "a", "x", "y"))
    result = audit(apart, amount="w", groups="g", strata="z", unit="EUR")
    assert result.plot("claims").caption.startswith("Gaps that are not adjusted for z, without a verdict.")
    assert "within z: none can be estimated." in result.plot("differences").caption


@pytest.mark.parametrize("columns", [{"decision": "y"}, {"score": "s"}, {"decision": "k"}, {"amount": "pay"}])
def test_crude_numbers_beside_strata_have_no_mark(columns: dict[str, str]) -> None:
    rng = np.random.default_rng(3)
    people = pd.DataFrame({"g": np.repeat(["a", "b"], (900, 600)), "t": np.tile(["u", "v"], 750)})
    apart = people.g == "b"
    people["y"] = (rng.random(1500) < 0.15 + 0.3 * apart).astype(int)
    people["s"] = rng.normal(5 + 2 * apart, 2, 1500).round()
    people["k"] = np.where(people.y == 1, "p", np.where(rng.random(1500) < 0.5, "q", "r"))
    people["pay"] = rng.normal(50 + 2 * apart, 2, 1500)
    audit = fs.audit(people, groups="g", strata="t", **columns)
    metric = {"decision": "selection rate", "score": "scoring rate", "amount": "gap of means"}[next(iter(columns))]
    metric = "class share" if columns == {"decision": "k"} else metric
    assert "disparity shown" in audit.estimates.only(metric=metric, group="b", given="").column("verdict")
    tables = audit.summary().split("\n\n")
    heads = re.compile("Mean pay by g;|.* by g[^:]*without regard to\\s+t")
    crude = [part for part in tables if heads.match(part.split("\n  ")[0].replace("\n", " "))]
    lines = [line for part in crude for line in part.split("\n") if line.startswith("  b ")]
    assert lines and not any(re.search(r" [DE?]( |$)", line) for line in lines)


def test_differences_within_strata_that_are_printed_alike_hardly_change():
    people = pd.DataFrame(
        {"g": ["a", "b"] * 400, "job": (["x"] * 2 + ["y"] * 2) * 200, "d": [1, 1, 1, 0, 0, 1, 1, 0] * 100}
    )
    assert audit(people, "d", "g", reference="a", strata="job").plot("crude_adjusted").caption == (
        "Given job, the difference hardly changes."
    )
    third = pd.DataFrame({"g": ["c"] * 200, "job": ["x", "y"] * 100, "d": [1, 1, 0, 0] * 50})
    known = pd.concat([people, third])
    unknown = pd.DataFrame({"g": [None] * 60, "job": ["x"] * 50 + ["y"] * 10, "d": [1] * 30 + [0] * 30})
    unknown.loc[::3, "d"] = 0  # of people without a group the difference does change
    caption = audit(pd.concat([known, unknown]), "d", "g", reference="a", strata="job").plot("crude_adjusted").caption
    assert caption == "Given job, the differences hardly change."


# four fifths within strata

SAME = [
    ("Clerk", "Women", 1000, 100),
    ("Clerk", "Men", 200, 20),
    ("Driver", "Women", 200, 80),
    ("Driver", "Men", 1000, 400),
]
TURNED = [
    ("Clerk", "Women", 200, 10),
    ("Clerk", "Men", 1000, 100),
    ("Driver", "Women", 1000, 250),
    ("Driver", "Men", 200, 100),
]
THREE = [("a", "White", 1000, 340), ("a", "Black", 600, 173), ("a", "Asian", 600, 240)]
THREE += [("b", "White", 500, 200), ("b", "Black", 300, 60), ("b", "Asian", 400, 180)]


def by_job(rows: list[tuple[str, str, int, int]]) -> fs.Tally:
    return fs.from_counts(pd.DataFrame(rows, columns=["job", "sex", "n", "k"]), "sex", "k", "n", strata="job")


def mantel_haenszel(rows: list[tuple[str, str, int, int]], group: str, other: str) -> float:
    cells = [
        [(n, k) for job, g, n, k in rows if (job, g) == (at, name)]
        for at in {r[0] for r in rows}
        for name in (group, other)
    ]
    pairs = [(*one[0], *two[0]) for one, two in zip(cells[::2], cells[1::2], strict=True)]
    return sum(k * m / (n + m) for n, k, m, _ in pairs) / sum(j * n / (n + m) for n, _, m, j in pairs)


def test_the_rule_of_four_fifths_is_applied_within_declared_strata() -> None:
    """Equal rates in each job, and rates the other way round: the pooled ratios, 0.43 and 0.77, have no verdict."""
    same, turned = (audit(by_job(rows), law="employment") for rows in (SAME, TURNED))
    text = same.finding()
    first = (
        "Women and men were selected at the same rate (within the same job, all taken together): not below four fifths"
    )
    assert text.startswith(f"{first} (0.80). The true ratio is shown not to be below 0.80 (interval 0.84 to 1.19).")
    pooled = (
        "Women were selected at 0.43 of the rate of men, the highest (without regard to job: 15.0% against 35.0%). "
    )
    assert pooled in text and text.count("four fifths") == 1 and "beyond chance" not in text
    assert "In no job by itself is a ratio below 0.80." in text
    assert mantel_haenszel(SAME, "Women", "Men") == pytest.approx(1)
    text = turned.finding()
    assert mantel_haenszel(TURNED, "Women", "Men") == pytest.approx(0.5)
    first = (
        "Women were selected at 0.50 of the rate of men, the highest (within the same job, all taken together): below "
        "four fifths (0.80)"
    )
    assert text.startswith(f"{first} in these data; the difference is beyond chance.")
    assert "Men were selected at 0.77 of the rate of women, the highest (without regard to job: 16.7% against" in text
    summary = " ".join(turned.summary().split())
    assert "Impact ratio to Women, the highest rate, without regard to job: Men 0.77 (0.65 to 0.91). Ratio" in summary
    assert "Ratio within strata of job to Men, the highest: Women 0.50 (0.42 to 0.60). Below 0.8: Women." in summary
    assert re.search(r"its ratio to the highest within job.* Men 200/1,200 16\.7 1\.00 .* 21\.7 0\.50 ", summary)


def test_that_no_stratum_has_a_low_ratio_is_said_where_each_has_one_and_of_the_groups_that_count() -> None:
    def said(*more: tuple[str, str, int, int]) -> list[str]:
        text = audit(by_job([*SAME, *more]), law="employment").finding()
        return re.findall(r"In no job by itself is a ratio.*?0\.80", text)

    counts = ["In no job by itself is a ratio of groups that the rule counts below 0.80"]
    assert said() == ["In no job by itself is a ratio below 0.80"]
    assert said(("Driver", "Other", 12, 1)) == said(("Driver", "Other", 12, 12)) == counts
    assert said(("Cook", "Men", 30, 4)) == said(("Cook", "Men", 30, 0), ("Cook", "Women", 30, 0)) == []


def test_ratios_within_strata_to_a_group_that_is_no_reference_have_limits_at_the_level_of_all_pairs() -> None:
    result = audit(by_job(THREE), law="employment")
    rows = {row.group: row for row in ratios_within(result)}
    alone = audit(by_job(THREE), reference="Asian", p_adjust="none", conf_level=1 - 0.05 / 3)
    direct = {row.group: row for row in alone.estimates.where(metric="risk ratio within strata", role="main")}
    assert rows.keys() == {"White", "Black"} and result.references == {"sex": "White"}
    for group, row in rows.items():
        assert row.estimate == pytest.approx(mantel_haenszel(THREE, group, "Asian"))
        ends = (direct[group].conf_low, direct[group].conf_high)
        assert (row.conf_low, row.conf_high) == pytest.approx(ends) and row.reference == "Asian"
        assert row.p_adjusted == pytest.approx(min(1, 3 * direct[group].p_value))
    plain = {row.group: row for row in ratios_within(audit(by_job(THREE)))}  # without the law no more tests
    assert np.isnan(plain["Black"].conf_low) and plain["White"].estimate == pytest.approx(rows["White"].estimate)
    every = (audit(by_job(THREE), family="audit", law=law).estimates for law in ("employment", None))
    levels = [{row.conf_level for row in rows.where(metric="risk difference within strata")} for rows in every]
    assert levels[0] == levels[1]  # they count among no others


def test_a_ratio_to_the_highest_has_one_interval_whichever_group_is_the_reference() -> None:
    results = [audit(by_job(THREE), law="employment", reference=name) for name in ("White", "Asian")]
    ends = [{r.group: (r.reference, r.conf_low, r.conf_high, r.p_adjusted) for r in ratios_within(a)} for a in results]
    assert ends[0].keys() == ends[1].keys() == {"White", "Black"}
    for group, (reference, *numbers) in ends[0].items():
        assert ends[1][group] == (reference, *map(pytest.approx, numbers)) and reference == "Asian"
    two = audit(by_job(TURNED), law="employment")  # whose comparison with the reference is of all pairs
    assert len(two.estimates.where(metric="risk ratio within strata")) == 1


def test_the_ratios_of_each_stratum_are_those_of_an_audit_of_its_rows_at_the_level_of_all_strata() -> None:
    """Also of a job in which a group has no hires, and of one in which nobody is hired."""
    lines = [*THREE, ("c", "White", 30, 6), ("c", "Black", 9, 0), ("d", "White", 8, 0), ("d", "Asian", 5, 0)]
    result = audit(by_job(lines), law="employment")
    about = {"metric": "impact ratio", "contrast": "ratio", "status": "ok"}
    ratios = result.estimates.where(role="supplementary", **about)
    for job, pairs in {"a": 3, "b": 3, "c": 1, "d": 1}.items():
        level = 1 - 0.05 * pairs / 8
        mine = audit(by_job([line for line in lines if line[0] == job]), law="employment", conf_level=level).estimates
        columns = ("group", "reference", "estimate", "conf_low", "conf_high", "p_value")
        own = [ratios.where(term=job).column(name) for name in columns]
        alone = [mine.where(role="main", **about).column(name) for name in columns]
        assert own[:2] == alone[:2] and len(own[0]) == {"a": 2, "b": 2, "c": 1, "d": 0}[job]
        assert own[2:] == [pytest.approx(values, abs=1e-9) for values in alone[2:]]
        assert ratios.where(term=job).column("p_adjusted") == [pytest.approx(min(1, 8 * p)) for p in own[-1]]
    table = fs.table(result, "impact by stratum")
    frame = table.to_frame().set_index(["job", "group"])
    assert table.caption == "Selection rate by sex in each job: ratios to the highest there"
    assert frame.loc[("c", "Black")].tolist()[:4] == ["0", "9", "0.0", "0.00"]
    assert frame.loc[("c", "White")].tolist()[3:] == ["1.00", "–", "highest"]
    assert set(frame.loc[("d", "White")].tolist()[3:]) == {"–"} and ("d", "Black") not in frame.index
    assert frame.loc[("d", "Asian")].tolist()[-1].startswith("not estimable")
    row = next(r for r in ratios_within(result) if r.group == "Black")
    within = frame.loc[("all", "Black")].tolist()
    assert within[3:5] == [f"{row.estimate:.2f}", f"{row.conf_low:.2f} to {row.conf_high:.2f}"]
    assert "ratios to the highest there" in fs.report(result).html
    assert "audit its rows alone" in audit(by_job(lines), law="employment", min_n=20).finding()
    with pytest.raises(InputError, match="impact by stratum"):
        fs.table(audit(by_job(lines)), "impact by stratum")


REVERSED = [("A", "Men", 100, 40), ("A", "Women", 100, 10), ("B", "Men", 100, 10), ("B", "Women", 100, 40)]
REVERSED += [("C", "Men", 300, 150), ("C", "Women", 300, 150)]
NONE_HIRED = [("Clerk", "Men", 150, 18), ("Clerk", "Women", 700, 98), ("Nurse", "Men", 40, 10)]
NONE_HIRED += [("Nurse", "Women", 260, 70), ("Mechanic", "Men", 240, 60), ("Mechanic", "Women", 12, 0)]


def test_ratios_of_a_single_stratum_are_beyond_chance_among_all_strata() -> None:
    """p of each pair, times the pairs of all jobs; that of nobody hired of twelve is near scipy's Barnard test."""
    for lines, pairs in ((NONE_HIRED, 3), (REVERSED, 3), ([*THREE, ("c", "Black", 5, 1), ("d", "White", 9, 0)], 6)):
        rows, n = ratios_by_stratum(audit(by_job(lines), law="employment"))
        assert n == pairs and len(rows) == sum(row.reference != row.group for row in rows)
        of = {(job, group): (size, k) for job, group, size, k in lines}
        for row in rows:
            (size, k), (base, hired) = of[row.term, row.group], of[row.term, row.reference]
            assert row.estimate == pytest.approx(k / size * base / hired)
            assert row.p_adjusted == pytest.approx(min(1, n * row.p_value))
    (low,) = (row for row in ratios_by_stratum(audit(by_job(NONE_HIRED), law="employment"))[0] if row.estimate < 0.8)
    other = stats.barnard_exact([[0, 60], [12, 180]]).pvalue
    assert low.p_value == pytest.approx(other, abs=0.01) and low.p_value < 0.05 < low.p_adjusted


def test_a_ratio_that_is_low_in_one_stratum_is_said_beside_that_within_all_of_them() -> None:
    for lines, sentences in (
        (REVERSED, ["A by itself women were selected at 0.25 of the rate of men (10 of 100 against 40 of 100), beyond "
                    "chance.", "In job B by itself men were selected at 0.25 of the rate of women (10 of 100 against "
                    "40 of 100), beyond chance."]),
        (NONE_HIRED, ["In job Mechanic by itself women were selected at 0.00 of the rate of men (0 of 12 against 60 of "
                      "240), not shown to be beyond chance."]),
    ):  # fmt: skip
        result = audit(by_job(lines), law="employment")
        report = fs.report(result)
        for text in (" ".join(result.finding().split()), " ".join(report.html.split())):
            assert all(
                sentence in text for sentence in [*sentences, "Chance is adjusted for 3 comparisons in all strata."]
            )
        assert "fairstats.table(result, 'impact by stratum')" in result.finding()
        assert "stand in a table of their own" not in result.finding() and "in a table of their own" in report.html
        assert ("Few people: Women in Mechanic (12)." in report.html) == (lines is NONE_HIRED)
        assert "über den Zufall hinaus" in fs.report(result, language="de").html
        summary = " ".join(result.summary().split())
        assert "Ratio to the highest in each job by itself: " in summary
        for row in ratios_by_stratum(result)[0]:
            text = f"{row.term}: {row.group} {row.estimate:.2f} of {row.reference} ("
            assert text in summary


def test_of_many_strata_with_a_low_ratio_the_lowest_is_named() -> None:
    lines = [(job, sex, 200, k) for i, job in enumerate("abcd") for sex, k in (("Men", 100), ("Women", 10 + i))]
    lines += [(job, sex, 200, k) for job in "efgh" for sex, k in (("Men", 10), ("Women", 100))]
    lines += [(job, sex, 20, k) for job in "ij" for sex, k in (("Men", 10), ("Women", 5))]
    text = audit(by_job(lines), law="employment").finding()
    assert (
        "In 8 of 10 strata of job, each by itself, a ratio is below 0.80 beyond chance; the lowest: in a women were "
        "selected at 0.10 of the rate of men (10 of 200 against 100 of 200)."
    ) in text
    assert (
        "In 2 of 10 strata of job, each by itself, a ratio is below 0.80, not shown to be beyond chance; the lowest: "
        "in i women were selected at 0.50 of the rate of men (5 of 20 against 10 of 20)."
    ) in text


def test_of_several_low_ratios_of_one_stratum_the_lowest_is_named_and_the_others_are_counted() -> None:
    lines = [(job, race, 200, k) for job, counts in (("a", (150, 60, 20, 45)), ("b", (100, 100, 100, 100)))
             for race, k in zip(("White", "Black", "Asian", "Other"), counts, strict=True)]  # fmt: skip
    table = pd.DataFrame(lines, columns=["job", "race", "n", "k"])
    text = audit(fs.from_counts(table, "race", "k", "n", strata="job"), law="employment").finding()
    low = sorted(k / 150 for k in (60, 20, 45))
    assert (
        f"In job a by itself Asian people were selected at {low[0]:.2f} of the rate of White people (20 of 200 against "
        f"150 of 200), beyond chance. There 2 more ratios are below 0.80, the lowest of them {low[1]:.2f}."
    ) in " ".join(text.split())


def test_a_ratio_of_one_stratum_is_beyond_chance_by_one_rule_on_page_one_and_in_its_table() -> None:
    """The 6 pairs of Driver alone would show it, the 18 of all jobs do not."""
    people = {
        "Clerk": ((120, 56), (160, 58), (120, 57), (20, 15)),
        "Driver": ((320, 92), (120, 28), (100, 28), (40, 19)),
    }
    people["Engineer"] = ((600, 130), (80, 17), (60, 13), (60, 14))
    lines = [(job, race, n, k) for job, every in people.items()
             for race, (n, k) in zip(("White", "Black", "Hispanic", "Asian"), every, strict=True)]  # fmt: skip
    table = pd.DataFrame(lines, columns=["job", "race", "n", "k"])
    result = audit(fs.from_counts(table, "race", "k", "n", strata="job"), reference="White", law="employment")
    rows, n = ratios_by_stratum(result)
    low = {row.term: row for row in rows if row.group == "Black"}
    assert n == 18 and low["Clerk"].p_adjusted < 0.05 < low["Driver"].p_adjusted and 6 * low["Driver"].p_value < 0.05
    assert low["Clerk"].conf_high < 1 < low["Driver"].conf_high
    text = " ".join(result.finding().split())
    assert (
        "Clerk by itself Black people were selected at 0.48 of the rate of Asian people (58 of 160 against 15 of"
        in text
    )
    assert "In 2 of 3 strata of job, each by itself, a ratio is below 0.80, not shown to be beyond chance; the" in text
    assert "lowest: in Driver Black people were selected at 0.49 of the rate of Asian people (28 of 120 against" in text
    shown = fs.table(result, "impact by stratum").to_frame().set_index(["job", "group"])["ratio and test together"]
    assert shown["Clerk", "Black"] == "below 0.8; gap beyond chance"
    assert shown["Driver", "Black"] == "below 0.8; difference not settled"


def test_the_lowest_ratio_of_a_stratum_is_said_where_another_one_there_is_beyond_chance(tmp_path: Path) -> None:
    """Of a small group, too, with its counts; the notes below the tables have the comparisons of each column."""
    cells = {
        "Clerk": {"White": (220, 78), "Black": (100, 21), "Native": (7, 1), "Unknown": (8, 2)},
        "Driver": {"White": (180, 51), "Black": (110, 17), "Native": (3, 2), "Unknown": (5, 1)},
        "Nurse": {"White": (170, 51), "Black": (85, 17), "Native": (4, 3)},
    }
    lines = [(job, race, n, k) for job, of in cells.items() for race, (n, k) in of.items()]
    table = pd.DataFrame(lines, columns=["job", "race", "n", "k"])
    with pytest.warns(fs.FairstatsWarning, match="'Unknown': 13 people"):
        people = fs.from_counts(table, "race", "k", "n", strata="job")
    result = fs.audit(people, reference="White", law="employment")
    text = " ".join(result.finding().split())
    assert "In job Clerk by itself Black people were selected at 0.59 of the rate of White people (21 of 100" in text
    below = {(job, race): (k / n) / max(b / a for a, b in of.values() if a > 30)
             for job, of in cells.items() for race, (n, k) in of.items() if race in ("Black", "Native")}  # fmt: skip
    low = {place: ratio for place, ratio in below.items() if ratio < 0.8 and place != ("Clerk", "Black")}
    assert min(low, key=low.get) == ("Clerk", "Native") and len({job for job, _ in low}) == 3
    assert "In 3 of 3 strata of job, each by itself, a ratio is below 0.80, not shown to be beyond chance; the" in text
    assert (
        "lowest: in Clerk Native people were selected at 0.40 of the rate of White people (1 of 7 against 78 of" in text
    )
    page = fs.report(result, to=tmp_path / "r.md")
    words = " ".join((tmp_path / "r.md").read_text("utf-8").split())
    assert page and "95% intervals, adjusted for 2 comparisons. Those of crude gaps are adjusted for 3 compar" in words
    note = (
        "Intervals of differences are adjusted for 2 comparisons. Crude: not adjusted for job, without a verdict. Those"
    )
    assert f"{note} of crude gaps are adjusted for 3 comparisons." in words
    rows = result.estimates.only(role="main", contrast="difference", group="Black", status="ok")
    levels = {row.given: row.conf_level for row in rows if "selection" in row.metric or row.given}
    assert round(0.05 / (1 - levels["job"])) == 2 and round(0.05 / (1 - levels[""])) == 3
    shown = " ".join(str(fs.table(result, "differences")).split())
    assert "Those of crude gaps are adjusted for 3 comparisons." in shown


def test_no_row_of_the_ratios_by_stratum_says_beyond_chance_beside_an_interval_that_holds_1() -> None:
    """Random tables of two to four groups in two to five jobs, of one attribute and of two, by every adjustment."""
    rng, said = np.random.default_rng(8), Counter[bool]()
    for i in range(24):
        jobs, groups = rng.integers(2, 6), rng.integers(2, 5)
        cells = [(f"j{j}", f"g{g}", "uv"[v]) for j in range(jobs) for g in range(groups) for v in (0, 1)]
        n = rng.integers(5, 120, len(cells))
        data = pd.DataFrame(cells, columns=["job", "sex", "age"]).assign(
            n=n, k=rng.binomial(n, rng.uniform(0, 0.7, len(n)))
        )
        names = ["sex", "age"] if i % 2 else "sex"
        way = ("bonferroni", "holm", "bh", "none")[i // 2 % 4]
        result = audit(fs.from_counts(data, names, "k", "n", strata="job"), law="employment", p_adjust=way)
        for name in ("sex", "age") if i % 2 else ("sex",):
            frame = fs.table(result, "impact by stratum", attribute=name).to_frame()
            rows = {
                (r.term, r.group): r
                for r in (*ratios_by_stratum(result)[0], *ratios_within(result))
                if r.attribute == name
            }
            for place, text in zip(
                frame[["job", "group"]].itertuples(index=False, name=None), frame.iloc[:, -1], strict=True
            ):
                if (row := rows.get(("" if place[0] == "all" else place[0], place[1]))) is not None:
                    beyond = text.endswith("gap beyond chance")
                    assert text.startswith("below 0.8") == (row.estimate < 0.8 - 1e-12)
                    assert beyond or text.endswith("difference not settled")
                    if row.conf_low == row.conf_low:  # Holm's steps have none within strata
                        assert beyond == (not row.conf_low <= 1 <= row.conf_high)
                        said[beyond] += 1
    assert min(said.values()) > 40


def test_people_of_unknown_group_have_no_ratio_of_a_single_stratum_whatever_the_reference() -> None:
    lines = [*THREE, ("a", None, 60, 2), ("b", None, 60, 2)]
    for reference in ("White", "highest_rate"):
        with pytest.warns(fs.FairstatsWarning, match="has blanks"):
            result = audit(by_job(lines), law="employment", reference=reference)
        assert {row.group for row in ratios_by_stratum(result)[0]} <= {"White", "Black", "Asian"}
        assert "(missing) were selected" not in result.finding()


@pytest.mark.long
def test_equal_rates_in_every_stratum_are_seldom_called_low_beyond_chance() -> None:
    """Of 120 audits of 6 jobs 5% at most; by each test alone it would be a fifth of them."""
    rng, found, alone = np.random.default_rng(5), 0, 0
    people = {"Men": [200, 40, 60, 120, 80, 30], "Women": [40, 90, 60, 30, 150, 80]}
    for _ in range(120):
        lines = [
            (f"j{i}", sex, n, int(rng.binomial(n, share)))
            for sex, sizes in people.items()
            for i, (n, share) in enumerate(zip(sizes, [0.3, 0.2, 0.5, 0.1, 0.25, 0.6], strict=True))
        ]
        low = [r for r in ratios_by_stratum(audit(by_job(lines), law="employment"))[0] if r.estimate < 0.8]
        found += any(row.p_adjusted <= 0.05 for row in low)
        alone += any(row.p_value <= 0.05 for row in low)
    assert found <= stats.binom.ppf(0.999, 120, 0.05) < alone


def test_the_interval_of_a_ratio_says_for_how_many_comparisons_it_is_adjusted() -> None:
    result = audit(by_job(THREE), law="employment", reference="Asian")
    lowest = min(ratios_within(result), key=lambda row: row.estimate)
    ends = f"{lowest.conf_low:.2f} to {lowest.conf_high:.2f}"
    assert lowest.conf_level == pytest.approx(1 - 0.05 / 3)
    assert f"(interval {ends}, adjusted for 3 comparisons)" in result.finding()
    assert "adjusted for 2 comparisons" in result.finding()  # the gaps
    said = " ".join(result.summary().split())
    assert f"({ends}); intervals adjusted for 3 comparisons. Below 0.8: Black." in said
    low, high = ends.replace(".", ",").split(" to ")
    assert f"(Intervall {low} bis {high}, adjustiert für 3 Vergleiche)" in fs.report(result, language="de").html


@pytest.mark.filterwarnings("ignore:rows of the same")
def test_a_ratio_above_one_is_not_said_to_be_of_the_highest_rate_of_all() -> None:
    lines = [("a", "f", 2, 2), ("a", "m", 150, 40), ("b", "f", 1, 0), ("b", "m", 100, 30)]
    for strata in ("job", None):
        table = pd.DataFrame(lines, columns=["job", "sex", "n", "k"])
        result = audit(fs.from_counts(table, "sex", "k", "n", strata=strata), law="employment")
        first = result.finding().partition(":")[0]
        assert "of the rate of men, the highest of groups with 2% of the people or more" in first
        assert float(re.search(r"at ([\d.]+) of the rate", first)[1]) > 1


def test_an_unadjusted_interval_of_a_ratio_says_so_beside_adjusted_gaps() -> None:
    lines = [("a", "f", 600, 80), ("a", "m", 800, 240), ("b", "f", 500, 60), ("b", "m", 600, 130)]
    lines += [("a", "x", 10, 2), ("b", "x", 15, 4)]
    result = audit(by_job(lines), law="employment")  # those of x are less than 2%
    row = next(row for row in ratios_within(result) if row.group == "f")
    gap = result.estimates.where(metric="risk difference within strata", group="f")[0]
    assert (row.conf_level, gap.conf_level) == (0.95, 0.975)
    assert f"(interval {row.conf_low:.2f} to {row.conf_high:.2f}, not adjusted)" in result.finding()


def test_strata_that_cannot_be_compared_answer_no_rule_of_four_fifths() -> None:
    result = audit(by_job([("a", "f", 100, 30), ("b", "m", 200, 120)]), law="employment")
    assert result.finding().startswith("The rule of four fifths cannot be answered within job.")
    assert (
        "below" not in result.finding()
        and "0.50 of the rate of men, the highest (without regard to" in result.finding()
    )
