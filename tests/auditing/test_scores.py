"""Scores by group: against scipy and scikit-learn, and laws of ranks."""

from __future__ import annotations

import gc
import re
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from fairstats.auditing.audit import audit
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.scores import score_strata_rows
from fairstats.auditing.tally import CodedTally
from fairstats.inference.scores.brunner_munzel import relative_effect
from fairstats.inference.scores.merged import Blocks
from fairstats.inference.scores.strata import in_strata, stratified_shift, van_elteren
from fairstats.inference.verdicts import decide_all
from fairstats.provenance import BY_SCORE, HISTOGRAM, Attribute


def scored(rng: np.random.Generator, n: int = 300) -> pd.DataFrame:
    """Probabilities with ties, outcomes drawn from them, three groups that differ."""
    group = rng.choice(list("abc"), n, p=[0.5, 0.3, 0.2])
    score = np.round(rng.beta(2 + (group == "b"), 3), 2)
    return pd.DataFrame({"g": group, "s": score, "y": (rng.random(n) < score).astype(int)})


def test_ranks_equal_those_of_scipy(rng):
    from scipy.stats import brunnermunzel, kruskal, mannwhitneyu, t

    data = scored(rng)
    rows = audit(data, score="s", groups="g", reference="a").estimates
    by_group = {g: part["s"].to_numpy() for g, part in data.groupby("g")}
    for group in "bc":
        test = mannwhitneyu(by_group[group], by_group["a"], method="asymptotic")
        equal = rows.where(metric="score distribution", group=group)[0]
        assert (equal.statistic, equal.verdict) == (test.statistic, "")
        assert equal.p_value == pytest.approx(test.pvalue, rel=1e-9)
        assert equal.p_adjusted >= equal.p_value
        row = rows.where(metric="P(X>Y)", group=group, role="main")[0]
        robust = brunnermunzel(by_group["a"], by_group[group])
        theta = test.statistic / (len(by_group[group]) * len(by_group["a"]))
        assert row.estimate == pytest.approx(theta)
        # the p-value is that of the limits, on the logit scale, and no smaller than Brunner and Munzel's
        assert row.std_error == pytest.approx((theta - 0.5) / robust.statistic)
        logit = np.log(theta / (1 - theta)) * theta * (1 - theta) / row.std_error
        assert row.statistic == pytest.approx(logit, rel=1e-9)
        assert robust.pvalue <= row.p_value == pytest.approx(2 * t.sf(abs(logit), row.df), rel=1e-9)
        shift = rows.where(metric="score shift", group=group)[0]
        wanted = np.median(np.subtract.outer(by_group[group], by_group["a"]))
        assert shift.estimate == pytest.approx(wanted, abs=1e-12)
    test = kruskal(*by_group.values())
    row = rows.where(metric="score distribution", role="omnibus")[0]
    assert (row.statistic, row.p_value) == pytest.approx((test.statistic, test.pvalue), rel=1e-9)


def test_other_looks_equal_those_of_scipy(rng):
    from scipy.stats import ks_2samp

    data = scored(rng)
    rows = audit(data, score="s", groups="g", reference="a").estimates
    current, base = (data.loc[data["g"] == g, "s"].to_numpy() for g in "ba")
    distance = rows.where(metric="Kolmogorov-Smirnov distance", group="b")[0]
    assert distance.estimate == pytest.approx(ks_2samp(current, base).statistic, abs=1e-12)
    delta = rows.where(metric="Cliff's delta", group="b")[0]
    audited = rows.where(metric="P(X>Y)", group="b", role="main")[0]
    assert delta.estimate == pytest.approx(2 * audited.estimate - 1)
    low, high = relative_effect(current, base).limits(0.95)
    assert (delta.conf_low, delta.conf_high) == pytest.approx((2 * low - 1, 2 * high - 1))
    pairs = rows.where(metric="mean rank")
    assert {(r.group, r.reference) for r in pairs} == {("b", "a"), ("c", "a"), ("c", "b")}
    assert not any(r.verdict for r in [distance, delta, *pairs])


def test_areas_equal_those_of_scikit_learn(rng):
    from sklearn.metrics import roc_auc_score

    data = scored(rng)
    rows = audit(data, outcome="y", score="s", groups="g", reference="a").estimates
    areas = {g: roc_auc_score(part["y"], part["s"]) for g, part in data.groupby("g")}
    for group, area in areas.items():
        assert rows.where(metric="AUC", group=group, contrast="none")[0].estimate == pytest.approx(area, abs=1e-12)
    for group in "bc":
        row = rows.where(metric="AUC", group=group, contrast="difference")[0]
        assert row.estimate == pytest.approx(areas[group] - areas["a"], abs=1e-12)


def test_the_drawn_roc_curve_has_the_area_of_the_row(rng):
    result = audit(scored(rng), outcome="y", score="s", groups="g")
    for curve in [c for c in result.curves if c.kind == "roc"]:
        row = result.estimates.where(metric="AUC", group=curve.group, contrast="none")[0]
        assert np.trapezoid(curve.y, curve.x) == pytest.approx(row.estimate, abs=2e-3)


def test_curves_are_thin_and_monotone(rng):
    data = scored(rng, 5000)
    data["s"] = rng.random(5000)
    result = audit(data, outcome="y", score="s", groups="g")
    assert {c.kind for c in result.curves} == {"ecdf", "roc", "calibration", BY_SCORE, HISTOGRAM}
    for curve in result.curves:
        assert len(curve.x) <= 210
        assert np.all(np.diff(curve.x) >= 0)
        if curve.kind in ("ecdf", "roc"):
            assert np.all(np.diff(curve.y) >= 0)


def test_a_monotone_change_of_the_scores_leaves_ranks_and_areas(rng):
    data = scored(rng)
    one = audit(data, outcome="y", score="s", groups="g").estimates
    two = audit(data.assign(s=np.exp(3 * data["s"]) + 7), outcome="y", score="s", groups="g").estimates
    for metric in ("P(X>Y)", "AUC"):
        left, right = (rows.where(metric=metric).column("estimate") for rows in (one, two))
        assert left == pytest.approx(right, abs=1e-12)


def test_frequency_weights_repeat_people_in_rank_statistics_too(rng):
    data = scored(rng, 80).assign(w=rng.integers(0, 4, 80))
    arguments = {"outcome": "y", "score": "s", "groups": "g", "reference": "a"}
    weighted = audit(data, weights="w", **arguments).estimates.where(metric=("P(X>Y)", "score shift", "AUC"))
    repeated = audit(data.loc[data.index.repeat(data["w"])], **arguments).estimates
    for left, right in zip(weighted, repeated.where(metric=("P(X>Y)", "score shift", "AUC")), strict=True):
        assert (left.metric, left.n) == (right.metric, right.n)
        assert (left.estimate, left.p_value) == pytest.approx((right.estimate, right.p_value), nan_ok=True)


def test_calibration_slope_equals_the_logistic_fit_of_statsmodels(rng):
    import statsmodels.api as sm

    data = scored(rng)
    data["s"] = data["s"].clip(0.01, 0.99)
    rows = audit(data, outcome="y", score="s", groups="g", reference="a").estimates
    part = data[data["g"] == "a"]
    logit = np.log(part["s"] / (1 - part["s"]))
    fit = sm.Logit(part["y"], sm.add_constant(logit)).fit(disp=False)
    row = rows.where(metric="calibration slope", group="a", contrast="none")[0]
    assert row.estimate == pytest.approx(fit.params.iloc[1], rel=1e-6)
    gap = rows.where(metric="calibration slope", group="b", contrast="difference")[0]
    other = rows.where(metric="calibration slope", group="b", contrast="none")[0]
    assert gap.estimate == pytest.approx(other.estimate - row.estimate)
    assert gap.verdict
    assert gap.p_adjusted >= gap.p_value


def test_scores_that_are_no_probabilities_are_not_called_calibrated(rng):
    data = scored(rng).assign(s=lambda d: 10 * d["s"])
    result = audit(data, outcome="y", score="s", groups="g")
    assert not result.estimates.where(metric="calibration slope")
    assert not [c for c in result.curves if c.kind == "calibration"]


def test_missing_scores_are_counted_and_left_out(rng):
    data = scored(rng)
    data.loc[:9, "s"] = np.nan
    result = audit(data, score="s", groups="g", reference="a")
    assert {step.label: step.n for step in result.flow}["score missing"] == 10
    row = result.estimates.where(metric="P(X>Y)", group="b", role="main")[0]
    assert row.n == int((data["g"].eq("b") & data["s"].notna()).sum())


def test_suppressed_groups_show_no_scores(rng):
    data = scored(rng)
    least = int((data["g"] == "c").sum()) + 1
    result = audit(data, outcome="y", score="s", groups="g", reference="a", min_n=least)
    for row in result.estimates.where(group="c"):
        assert row.status == "suppressed"
        assert np.isnan(row.estimate)
    assert not [c for c in result.curves if c.group == "c"]


@pytest.mark.long
def test_equal_chances_with_unequal_spreads_are_no_disparity():
    """Fifteen people with four times the spread of 150: Mann-Whitney rejects a true one half in a fifth of samples."""
    shown = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        data = {"g": ["b"] * 15 + ["a"] * 150, "s": np.concatenate([4 * rng.normal(size=15), rng.normal(size=150)])}
        row = audit(data, score="s", groups="g").estimates.where(metric="P(X>Y)", role="main")[0]
        shown += row.verdict == "disparity shown"
    assert shown <= 8  # three expected, three standard errors; the old rule had 13


def test_a_margin_for_auc_makes_equal_scores_equivalent_and_one_for_rates_does_not(rng):
    data = {"g": list("ab") * 2000, "s": rng.random(4000), "y": rng.integers(0, 2, 4000)}
    with_auc, with_rates = (
        audit(data, score="s", outcome="y", groups="g", margin=margin).estimates
        for margin in ({"auc": 0.1}, {"difference": 0.1})
    )
    for metric, contrast in (("P(X>Y)", "none"), ("AUC", "difference")):
        one, two = (rows.where(metric=metric, contrast=contrast, role="main")[0] for rows in (with_auc, with_rates))
        assert (one.verdict, np.isnan(two.p_equivalence)) == ("equivalence shown", True)
        assert one.p_equivalence <= 0.05
        assert two.verdict == "inconclusive"


@pytest.mark.parametrize(("zero", "lacking"), [(0, "negative"), (1, "positive")])
def test_a_group_without_weighted_positives_or_negatives_has_no_area_whatever_the_margin(zero, lacking):
    y = np.tile([0, 1], 6)
    data = {"g": list("aaaaaaaabbbb"), "s": [1.0, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4], "y": y}
    weights = np.where((np.arange(12) >= 8) & (y == zero), 0, 1)
    for margin in (None, {"auc": 0.1}):
        rows = audit(
            data | {"w": weights}, score="s", outcome="y", groups="g", weights="w", margin=margin
        ).estimates.where(metric="AUC", group="b")
        current, gap = rows.where(contrast="none")[0], rows.where(contrast="difference")[0]
        assert (current.status, current.reason) == ("unestimable", f"nobody with the {lacking} outcome")
        assert (gap.status, gap.reason) == ("unestimable", "one of the groups has only one outcome")
        assert not gap.verdict


def test_a_difference_of_brier_scores_rests_on_the_squared_losses_of_both_groups(rng):
    data = scored(rng, 900)
    row = next(
        r
        for r in audit(data, score="s", outcome="y", groups="g", reference="a", p_adjust="none").estimates
        if r.metric == "Brier score" and r.contrast == "difference" and r.group == "b"
    )
    ours, theirs = (((part["s"] - part["y"]) ** 2).to_numpy() for _, part in data.groupby("g") if _ in "ab")
    error = np.sqrt(ours.var(ddof=1) / ours.size + theirs.var(ddof=1) / theirs.size)
    assert abs(row.estimate) == pytest.approx(abs(ours.mean() - theirs.mean()), rel=1e-9)
    assert row.std_error == pytest.approx(error, rel=1e-9)
    assert row.conf_high - row.conf_low == pytest.approx(2 * 1.96 * error, rel=0.03)


def test_a_group_with_one_outcome_has_no_slope_but_its_calibration_is_checked(rng):
    data = scored(rng, 400)
    data.loc[data["g"] == "b", "y"] = 1
    rows = audit(data, score="s", outcome="y", groups="g").estimates
    status = {r.metric: r.status for r in rows if r.group == "b" and r.contrast == "none"}
    assert status["Brier score"] == "ok" and status["calibration slope"] == "unestimable"
    assert status["calibration error"] == "ok"


@pytest.mark.parametrize("threshold", [None, 0.4])
def test_a_histogram_has_a_share_for_every_bin_and_curves_no_point_twice(rng, threshold):
    data = pd.DataFrame({"g": rng.choice(list("ab"), 3000), "s": rng.random(3000), "y": rng.integers(0, 2, 3000)})
    result = audit(data, score="s", outcome="y", groups="g", threshold=threshold)
    curves = [c for c in result.curves if c.kind == HISTOGRAM]
    assert len(curves) == 2
    for curve in curves:
        current = data.loc[data["g"] == curve.group, "s"].to_numpy()
        assert len(curve.x) == len(curve.y) and sum(curve.y) == pytest.approx(1.0)
        edges = np.append(curve.x, np.inf)
        width = curve.x[1] - curve.x[0]
        assert (
            curve.x[0] <= data["s"].min() < curve.x[1] and curve.x[-1] < data["s"].max() <= curve.x[-1] + width + 1e-12
        )
        expected = [np.mean((current >= a - 1e-12) & (current < b - 1e-12)) for a, b in pairwise(edges)]
        np.testing.assert_allclose(curve.y, expected, atol=1e-12)
    for least in (1, 20):
        rocs = [c for c in audit(data, score="s", outcome="y", groups="g", min_n=least).curves if c.kind == "roc"]
        assert len(rocs) == 2
        for curve in rocs:
            points = list(zip(curve.x, curve.y, strict=True))
            assert points[0] == (0.0, 0.0) and points[-1] == (1.0, 1.0) and len(set(points)) == len(points)


def test_a_shift_that_ties_hold_at_one_number_has_no_separate_p_value(rng):
    group, score = np.repeat(["a", "b"], 600), np.zeros(1200)
    score[:200], score[600:690] = 2, 2  # of 0 and 1 alone they would be decisions
    result = audit({"g": group, "s": score}, score="s", groups="g", reference="a")
    shift, test = (result.estimates.where(metric=f"score {m}", group="b")[0] for m in ("shift", "distribution"))
    assert (shift.estimate, shift.status) == (0, "ok") and test.p_value < 0.001
    assert np.isnan([shift.conf_low, shift.conf_high, shift.p_value, shift.p_adjusted]).all()
    assert shift.reason == "so many differences of two scores are equal that the shift has no interval"
    assert "0.000 no interval, ties" in " ".join(result.summary().split())


def test_merged_samples_within_strata_are_not_held_until_the_verdicts() -> None:
    """They take 24 bytes a person of every pair; the shift, which needs a level, merges them again."""
    rng = np.random.default_rng(3)
    sex, job = rng.integers(0, 3, 500).astype(np.int32), rng.integers(0, 4, 500).astype(np.int32)
    by, strata = Attribute("sex", sex, ("m", "f", "x")), Attribute("job", job, tuple("abcd"))
    tally = CodedTally((by,), np.ones(500), numbers={"score": rng.normal(size=500)}, strata=strata)
    before = sum(isinstance(one, Blocks) for one in gc.get_objects())
    questions = score_strata_rows(tally, by, "m", Protocol(("sex",), strata="job"))
    assert sum(isinstance(one, Blocks) for one in gc.get_objects()) == before
    (rows,) = decide_all([questions])
    assert sum(isinstance(one, Blocks) for one in gc.get_objects()) == before
    for label, group in (("f", 1), ("x", 2)):
        alike = [(tally.numbers["score"][sex == code], job[sex == code]) for code in (group, 0)]
        blocks = in_strata(*(scores for scores, _ in alike), *(codes for _, codes in alike))
        found = {row.metric: row for row in rows if row.group == label}
        test, shift = van_elteren(blocks), stratified_shift(blocks, found["score shift within strata"].conf_level)
        assert found["score distribution within strata"].p_value == pytest.approx(test.p_value)
        row = found["score shift within strata"]
        assert [row.estimate, row.conf_low, row.conf_high] == pytest.approx([shift.estimate, shift.low, shift.high])


def test_a_collective_group_whose_scores_differ_is_named_and_counted() -> None:
    groups, n = ["White", "Black", "X", "Other"], [1500, 500, 400, 300]
    rng = np.random.default_rng(1)

    def of(*shift: float) -> str:
        score = rng.normal(size=sum(n)) - np.repeat(shift, n)
        data = pd.DataFrame({"g": np.repeat(groups, n), "s": score, "d": rng.random(sum(n)) < 0.3})
        return audit(data, "d", "g", score="s", favorable=True).finding()

    alone = of(0, 0, 0, 1)
    assert re.search(
        r"Other tend to have a lower s than White people: the higher one in 2\d of 100 random pairs", alone
    )
    assert "disparity shown, as for all 2 other groups)" in of(0, 1, 0.9, 0.8)
