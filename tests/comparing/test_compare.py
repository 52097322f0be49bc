"""compare(): what it measures is what an independent computation measures, and the splits carry no luck of order."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, recall_score, roc_auc_score
from sklearn.svm import LinearSVC

import fairstats
from fairstats.comparing.plan import draw, holdout_counts
from fairstats.comparing.result import Comparison
from fairstats.estimates import GLOSSARY
from fairstats.inference.means import corrected


def shifted(n: int = 600, seed: int = 3) -> pd.DataFrame:
    """Groups that shift the features, and through them the outcome."""
    rng = np.random.default_rng(seed)
    g = (rng.random(n) < 0.4).astype(int)
    x = rng.normal(size=(n, 3)) + np.outer(g, [1.5, -1.0, 0.5])
    y = (x @ [1.0, -0.8, 0.5] + rng.logistic(size=n) > 0.9).astype(int)
    return pd.DataFrame({"g": np.where(g, "b", "a"), "x1": x[:, 0], "x2": x[:, 1], "x3": x[:, 2], "y": y})


ASKED = {"outcome": "y", "groups": "g", "features": ["x1", "x2", "x3"], "k": 3, "progress": False}


@pytest.fixture(scope="module")
def result() -> Comparison:
    return fairstats.compare(shifted(), **ASKED, n_repeats=30)


def one(result: Comparison, **where):
    rows = result.estimates.where(**where)
    assert len(rows) == 1, rows
    return rows[0]


@pytest.mark.long
def test_adjusting_takes_the_group_out_of_held_out_scores_and_not_adjusting_leaves_it(result):
    raw = one(result, metric="P(X>Y)", fit="none", model="logistic", versus="")
    adjusted = one(result, metric="P(X>Y)", fit="og", model="logistic", versus="")
    assert raw.conf_low > 0.75 and raw.p_value < 1e-4
    assert adjusted.conf_low < 0.5 < adjusted.conf_high
    assert one(result, metric="Kolmogorov-Smirnov distance", fit="none", model="logistic", versus="").p_value < 1e-4
    assert one(result, metric="Kolmogorov-Smirnov distance", fit="og", model="logistic", versus="").p_value > 0.05
    change = one(result, metric="mean score", fit="og", versus="none", model="logistic", reference="a")
    assert change.conf_high < -0.2


def test_one_split_by_hand_with_scikit_learn_gives_the_same_rates():
    data = shifted()
    model = LogisticRegression(C=1.0)
    result = fairstats.compare(data, **ASKED, methods="none", model=model, n_repeats=1, seed=11)
    strata = np.unique(2 * (data.g == "b").to_numpy() + data.y.to_numpy(), return_inverse=True)[1]
    rng = np.random.default_rng(np.random.SeedSequence(11).spawn(1)[0])
    out = draw(strata, holdout_counts(np.bincount(strata), 0.25), rng)
    X, y = data[["x1", "x2", "x3"]].to_numpy(), data.y.to_numpy()
    X = (X - X[~out].mean(0)) / X[~out].std(0, ddof=1)
    p = model.fit(X[~out], y[~out]).predict_proba(X)[:, 1]
    for group in ("a", "b"):
        m = out & (data.g == group).to_numpy()
        expected = {
            "AUC": roc_auc_score(y[m], p[m]),
            "accuracy": accuracy_score(y[m], p[m] >= 0.5),
            "TPR": recall_score(y[m], p[m] >= 0.5),
            "FPR": 1 - recall_score(y[m], p[m] >= 0.5, pos_label=0),
            "mean score": p[m].mean(),
            "positive rate": (p[m] >= 0.5).mean(),
        }
        for metric, value in expected.items():
            row = one(result, metric=metric, group=group, contrast="none", reference="")
            assert row.estimate == pytest.approx(value, abs=1e-12), metric
            assert np.isnan(row.conf_low) and "no interval" in row.reason


def test_complements_add_up_and_joint_shares_sum_to_one(result):
    for term in result.terms:
        for group in ("", "a", "b"):
            at = {**result.of(term), "group": group, "contrast": "none", "role": "main"}
            value = {r.metric: r.estimate for r in result.estimates.where(**at)}
            assert value["TPR"] + value["FNR"] == pytest.approx(1)
            assert value["FPR"] + value["TNR"] == pytest.approx(1)
            assert value["accuracy"] + value["classification error"] == pytest.approx(1)
            shares = result.joint_shares().where(fit=term.method, group=group).column("estimate")
            assert len(shares) == 4 and sum(shares) == pytest.approx(1)


def test_everybody_is_the_mixture_of_the_groups(result):
    for metric in ("accuracy", "mean score", "positive rate"):
        rows = result.estimates.where(
            metric=metric, fit="og", model="logistic", versus="", contrast="none", reference=""
        )
        whole, parts = rows[0], rows[1:]
        assert sum(r.n for r in parts) == whole.n == result.protocol.n_test
        assert whole.estimate == pytest.approx(sum(r.n * r.estimate for r in parts) / whole.n)


def test_means_are_those_of_the_splits_frame(result):
    frame = result.splits_frame()
    assert set(frame.split) == set(range(1, 31))
    means = frame.groupby(["term", "metric", "group"]).estimate.mean()
    row = one(result, metric="AUC", fit="og", model="logistic", versus="", group="b", contrast="none")
    assert row.estimate == pytest.approx(means["og · logistic", "AUC", "b"])
    gap = one(result, metric="AUC", fit="og", model="logistic", versus="", group="b", contrast="difference")
    assert gap.estimate == pytest.approx(row.estimate - means["og · logistic", "AUC", "a"])


def test_distribution_functions_rise_to_one_and_their_area_is_the_mean_score(result):
    for curve in result.curves:
        x, y = np.array(curve.x), np.array(curve.y)
        assert (np.diff(y) >= -1e-12).all() and y[-1] == 1 and curve.kind == "ecdf"
        assert (np.array(curve.low) <= y + 1e-12).all() and (y <= np.array(curve.high) + 1e-12).all()
        (term,) = (t for t in result.terms if t.name == curve.term)
        at = {**result.of(term), "group": curve.group, "contrast": "none"}
        mean = one(result, metric="mean score", **at).estimate
        assert 1 - np.trapezoid(y, x) == pytest.approx(mean, abs=0.01)


@pytest.mark.long
def test_the_same_seed_gives_the_same_result_and_another_one_another(result):
    again = fairstats.compare(shifted(), **ASKED, n_repeats=30)
    assert again.estimates == result.estimates and again.splits == result.splits
    assert fairstats.compare(shifted(), **ASKED, n_repeats=30, seed=1).estimates != result.estimates


def test_the_number_of_processes_changes_nothing():
    from sklearn.ensemble import RandomForestClassifier

    arguments = {**ASKED, "model": ["logistic", RandomForestClassifier(5)], "n_repeats": 6}
    alone, together = fairstats.compare(shifted(), **arguments), fairstats.compare(shifted(), **arguments, n_jobs=2)
    assert alone.estimates == together.estimates
    assert alone.splits == together.splits and alone.curves == together.curves


@pytest.mark.long
def test_scale_and_shift_of_the_features_do_not_matter_to_logistic_regression(result):
    data = shifted()
    data[["x1", "x2", "x3"]] = 1e4 + data[["x1", "x2", "x3"]] * [1e-3, 1.0, 1e5]
    other = fairstats.compare(data, **ASKED, n_repeats=30)
    ours = np.array(result.estimates.column("estimate"))
    np.testing.assert_allclose(other.estimates.column("estimate"), ours, rtol=1e-5, atol=1e-5)


def test_a_favorable_label_turns_the_share_predicted_into_a_selection_rate():
    helped = fairstats.compare(shifted(), **ASKED, n_repeats=3, favorable=0)
    plain = fairstats.compare(shifted(), **ASKED, n_repeats=3)
    for group in ("", "a", "b"):
        where = {"fit": "og", "versus": "", "group": group, "contrast": "none"}
        selected = one(helped, metric="selection rate", **where).estimate
        assert selected == pytest.approx(1 - one(plain, metric="positive rate", **where).estimate)


def test_two_splits_that_agree_have_no_interval_and_one_split_shows_nothing():
    """Two of 27 right by chance twice is no certainty: the strata alone gave limits of 92.3 to 92.9."""
    two = corrected([25 / 27, 25 / 27], 1 / 3, between=2e-6)
    assert two.mean == 25 / 27 and np.isnan([two.std_error, two.low, two.high]).all()
    assert corrected([25 / 27] * 3, 1 / 3, between=2e-6).std_error == pytest.approx(np.sqrt(2e-6))
    # three that agree by chance are no more certain than the models' own shares
    assert corrected([25 / 27] * 3, 1 / 3, least=4e-4).std_error == pytest.approx(np.sqrt(1e-4))


def test_one_more_person_right_in_every_split_is_no_difference_between_methods() -> None:
    """The same net count in each of three splits leaves no spread; who is predicted otherwise may be as many."""
    options = {"outcome": "released", "groups": "colour", "features": ["age", "checks", "year"], "positive": "Yes"}
    one = fairstats.compare(fairstats.arrests(), methods=["none", "fair_pca"], k=2, n_repeats=3, **options)
    row = one.estimates.only(metric="accuracy", attribute="", contrast="difference", versus="none")[0]
    assert row.estimate * 1306 == pytest.approx(1)  # of 1,306 people held out
    # of all 5,226 at least that share are predicted otherwise by one of the two
    assert row.std_error >= np.sqrt(row.estimate / 5226) and row.p_value > 0.1
    changes = fairstats.table(one, "differences", metric="positive rate").to_frame()
    assert {"Black", "White", "everybody"} <= set(changes["groups"])


def test_what_every_split_holds_fixed_is_not_taken_for_certain():
    """A model that learns nothing errs in every split exactly as often as the outcome is 1: the interval is Wald's."""

    class Nothing:
        def transform(self, design):
            return np.zeros((design.n, 1))

    data = shifted().assign(y=lambda d: (d.y == 1) & (d.x3 > 0.3))
    result = fairstats.compare(data, **ASKED, methods=[("nothing", lambda design, k: Nothing())], n_repeats=4)
    share, n = data.groupby("g").y.mean(), data.groupby("g").y.size()
    for group in ("a", "b"):
        row = one(result, metric="classification error", group=group, contrast="none")
        assert row.estimate == pytest.approx(share[group], abs=0.01)
        assert row.std_error == pytest.approx(np.sqrt(share[group] * (1 - share[group]) / n[group]), rel=1e-6)
    gap = one(result, metric="classification error", contrast="difference")
    assert gap.std_error == pytest.approx(np.sqrt((share * (1 - share) / n).sum()), rel=1e-6)
    never = one(result, metric="TPR", group="a", contrast="none")
    assert never.estimate == 0 and np.isnan(never.conf_low) and "no variation" in never.reason


def test_methods_and_models_of_the_caller_are_called_with_the_training_rows_alone():
    rows = []

    class Half:
        def __init__(self, design):
            rows.append(design.n)

        def transform(self, design):
            return design.X[:, :1]

    result = fairstats.compare(
        shifted(), **ASKED, methods=["og", ("first", lambda design, k: Half(design))], model=[LinearSVC()], n_repeats=2
    )
    assert rows == [result.protocol.n_train] * 2 == [450] * 2
    assert [t.name for t in result.terms] == ["og · LinearSVC", "first · LinearSVC"]
    assert result.terms[0].scale == "decision function" and result.terms[0].threshold == 0
    assert one(result, metric="AUC", fit="first", versus="og", model="LinearSVC", attribute="").reference == ""
    for curve in result.curves:
        assert curve.y[0] < 0.05 and curve.y[-1] > 0.95


def test_several_attributes_are_compared_one_by_one_and_adjusted_for_together():
    data = shifted(900)
    data["h"] = np.random.default_rng(0).choice(["u", "v", "w"], 900, p=[0.6, 0.3, 0.1])
    result = fairstats.compare(data, **{**ASKED, "groups": ["g", "h"]}, n_repeats=10)
    assert result.references == {"g": "a", "h": "u"}
    assert {r.group for r in result.estimates.where(attribute="h") if r.group} == {"u", "v", "w"}
    rows = result.estimates.where(metric="mean score", fit="og", model="logistic", versus="", contrast="difference")
    assert len(rows) == 3 and all(r.conf_low < 0 < r.conf_high for r in rows)


def test_p_values_are_holm_within_a_metric_attribute_and_kind(result):
    rows = result.estimates.where(metric="AUC", attribute="g", contrast="difference", reference="a")
    gaps = [r for r in rows if not r.versus]
    raw = sorted(r.p_value for r in gaps)
    assert sorted(r.p_adjusted for r in gaps) == pytest.approx(sorted([min(1, 2 * raw[0]), max(2 * raw[0], raw[1])]))


def test_a_group_without_one_of_the_outcomes_is_unestimable_with_a_reason_never_dropped():
    data = shifted()
    data.loc[data.index[:40], ["g", "y"]] = ["c", 0]
    result = fairstats.compare(data, **ASKED, n_repeats=3)
    row = one(result, metric="TPR", group="c", fit="og", model="logistic", versus="", contrast="none", reference="")
    assert row.status == "unestimable" and "held out" in row.reason and row.n == 0
    assert one(result, metric="FPR", group="c", fit="og", model="logistic", versus="", contrast="none").status == "ok"
    assert any("not estimable (c)" in note for note in result.notes)


def test_verbs(result):
    assert max(map(len, result.summary().splitlines())) <= 80
    assert list(result.tidy().columns) == list(GLOSSARY)
    assert len(result.glance()) == 1 and result.glance().n_test[0] == 150
    document = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert document["schema"] == "fairstats/comparison/1"
    assert len(document["estimates"]) == len(result.estimates)
    assert "lambda" not in result.provenance.call and "n_repeats=30" in result.provenance.call
    assert re.match(
        r"With no adjustment the model predicts y = 1 more often for the group b than for the group a, "
        r"by .*? points \(.*?\)\. "
        r"With og the gap narrows by .*? points \(.*?\), to .*? \(.*?\): that one remains is not shown\. "
        r"Predictions that are right, in percent: .*?\. "
        r"Of 100 random pairs of people held out \(the group b and the group a\) "
        r"the first has the higher score in "
        r"90\.\d with no adjustment \(.*?\), "
        r"\d\d\.\d with og \(.*?\); 50 is no difference\. A difference is shown with no adjustment; with og the "
        r"limits include 50, which shows neither a difference nor that there is none\. "
        r"AUC: 0\.\d+ with no adjustment .*? with og",
        result.finding(),
    )


def test_without_k_the_largest_number_that_all_methods_allow_is_taken() -> None:
    rng = np.random.default_rng(3)
    data = pd.DataFrame(rng.standard_normal((120, 5)), columns=list("abcde"))
    data["g"] = rng.choice(["u", "v", "w"], 120)
    data["y"] = (data["a"] + rng.standard_normal(120) > 0).astype(int)
    options = {"outcome": "y", "groups": "g", "features": list("abcde"), "n_repeats": 2, "progress": False}
    for methods, want in ((["none", "og"], 5), (["none", "og", "inlp_pca"], 4), (["none", "fair_pca", "inlp_pca"], 3)):
        comparison = fairstats.compare(data, methods=methods, **options)
        assert {r.k for r in comparison.estimates if r.fit == methods[1]} == {want}


def test_a_gap_that_is_turned_around_is_no_smaller_gap_only(result):
    """With both intervals on their own side of equality the finding says that the gap is reversed, with its limits."""
    assert "reversed" not in result.finding()

    def turned(row):
        if (row.metric, row.contrast, row.fit, row.versus) != ("positive rate", "difference", "og", ""):
            return row
        return replace(row, estimate=-0.2, conf_low=-0.3, conf_high=-0.1)

    before = one(result, metric="positive rate", contrast="difference", fit="none", versus="", role="main")
    assert before.conf_low > 0
    text = replace(result, estimates=result.estimates.map(turned)).finding()
    now = "With og the gap is reversed: the positive rate of b is now lower than that of a, by 20.0 percentage points"
    assert text.startswith(f"{now} (10.0 to 30.0); with no adjustment it was {100 * before.estimate:.1f} higher.")


def test_a_summary_says_that_its_intervals_are_not_adjusted_and_no_empty_number() -> None:
    rng = np.random.default_rng(0)
    g = rng.integers(0, 2, 400)
    data = pd.DataFrame(rng.normal(size=(400, 3)) + g[:, None], columns=list("abc")).assign(g=np.where(g, "f", "m"))
    data["y"] = (data["a"] + rng.normal(size=400) > 0.5).astype(int)
    comparison = fairstats.compare(
        data, outcome="y", groups="g", features=list("abc"), methods=["none", "leace"], n_repeats=3
    )
    text = comparison.summary()
    assert "Methods     none, leace\n" in text and "components" not in text
    assert "Intervals   95%, in tables each of one number by itself: not adjusted as p is" in text
    assert text.count("interval by itself, adjusted p") == 2
    several = fairstats.compare(
        data, outcome="y", groups="g", features=list("abc"), methods=["none", "og"], k=2, n_repeats=2
    )
    assert "none, og; 2 components where a method has them" in several.summary()


def test_a_printed_comparison_has_its_finding_and_the_rates_of_everybody_in_25_lines(result: Comparison) -> None:
    lines = str(result).splitlines()
    assert len(lines) <= 25 and max(map(len, lines)) <= 80
    assert " ".join(lines[1:]).split()[:20] == result.finding().split()[:20]
    assert lines[-1] == f"{len(result.notes)} cautions; summary() has all numbers."
    summary = result.summary().splitlines()
    start = summary.index("Everybody")
    assert "\n".join(summary[start : start + 4]) in str(result)
