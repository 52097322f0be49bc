"""A metric of the caller's own: its values are those of the function, its intervals those of the bootstrap."""

from __future__ import annotations

import warnings
from functools import partial

import numpy as np
import pandas as pd
import pytest

from fairstats import stats
from fairstats.errors import InputError

RNG = np.random.default_rng(9)
N = 300
G = RNG.choice(["a", "b", "c"], N, p=[0.5, 0.3, 0.2])
Y, D, S = RNG.integers(0, 2, N), RNG.integers(0, 2, N), RNG.normal(size=N)
W = RNG.integers(0, 4, N)


def share(y, d, s, w):
    return float(np.average(y, weights=w))


def test_values_are_those_of_the_function_by_group_and_their_differences():
    metrics = pytest.importorskip("sklearn.metrics")

    def f_one(y, d, s, w):
        return metrics.f1_score(y, d, sample_weight=w)

    rows = stats.by_group(f_one, Y, D, sample_weight=W, groups=G, reference="b", replicates=20)
    entries = {g: metrics.f1_score(Y[g == G], D[g == G], sample_weight=W[g == G]) for g in "abc"}
    assert {r.group: r.estimate for r in rows if r.contrast == "none"} == pytest.approx(entries)
    gaps = {r.group: r.estimate for r in rows if r.contrast == "difference"}
    assert gaps == pytest.approx({g: entries[g] - entries["b"] for g in "ac"}) and {r.metric for r in rows} == {"f_one"}
    assert {r.n for r in rows if r.group == "a"} == {W[G == "a"].sum()}


@pytest.mark.long
def test_metrics_of_other_libraries_are_called_as_they_call_them():
    from sklearn import metrics

    fairlearn = pytest.importorskip("fairlearn.metrics")
    chance = np.exp(S) / (1 + np.exp(S))
    ours_of = {
        metrics.accuracy_score: (Y, D), metrics.balanced_accuracy_score: (Y, D), metrics.mean_absolute_error: (Y, D),
        fairlearn.selection_rate: (Y, D),
        fairlearn.false_positive_rate: (Y, D), metrics.roc_auc_score: (Y, None, chance),
        metrics.brier_score_loss: (Y, None, chance), metrics.log_loss: (Y, None, chance),
        metrics.cohen_kappa_score: (Y, D), metrics.hinge_loss: (Y, None, chance),
    }  # fmt: skip
    for weights in (None, W + 1):
        for metric, given in ours_of.items():
            rows = stats.by_group(metric, *given, sample_weight=weights, sensitive_features=G, replicates=5)
            second = next(values for values in given[1:] if values is not None)
            params = {} if weights is None else {"sample_weight": weights}
            theirs = fairlearn.MetricFrame(
                metrics=metric, y_true=Y, y_pred=second, sensitive_features=G, sample_params=params
            )
            ours = {r.group: r.estimate for r in rows if r.contrast == "none"}
            assert ours == pytest.approx(theirs.by_group.to_dict(), abs=1e-12), metric
    both = stats.by_group(metrics.roc_auc_score, Y, D, chance, groups=G, replicates=5)  # a score before a decision
    assert (
        both[0].estimate == stats.by_group(metrics.roc_auc_score, Y, y_score=chance, groups=G, replicates=5)[0].estimate
    )
    for metric in (
        metrics.adjusted_rand_score,
        metrics.normalized_mutual_info_score,
        lambda one, two: np.mean(one @ two),
    ):
        rows = stats.by_group(metric, y_true=Y, y_pred=D, sensitive_features=G, replicates=5)
        apart = [metric(Y[one], D[one]) for one in (np.equal(G, g) for g in "abc")]
        assert [r.estimate for r in rows if r.contrast == "none"] == apart
    half = partial(metrics.fbeta_score, beta=0.5)
    (first, *_) = stats.by_group(half, y_pred=D, y_true=Y, groups=G, replicates=5)
    assert first.estimate == half(Y[G == "a"], D[G == "a"])
    (first, *_) = stats.by_group(lambda values: values.mean(), y_pred=D, groups=G, replicates=5)
    assert first.estimate == D[G == "a"].mean()

    def old(one, two, labels=None, sample_weight=None):
        return float(np.average(one == two, weights=sample_weight))

    (first, *_) = stats.by_group(old, Y, D, sample_weight=W, groups=G, replicates=5)
    assert first.estimate == pytest.approx(metrics.accuracy_score(Y[G == "a"], D[G == "a"], sample_weight=W[G == "a"]))
    with pytest.raises(InputError, match=r"y_pred is absent; metric is a function of \(y_true, y_pred\)"):
        stats.by_group(metrics.accuracy_score, Y, groups=G)
    with pytest.raises(InputError, match="sample_weight has weights and metric takes no sample_weight"):
        stats.by_group(fairlearn.count, Y, D, sample_weight=W, groups=G)


def test_a_score_of_the_caller_is_handed_on_as_it_is_and_what_is_absent_is_none():
    def spread(y, d, s, w):
        assert y is None and d is None and (w == 1).all()
        return float(np.std(s))

    rows = stats.by_group(
        spread, y_score=S * 1000, groups=pd.Series(G, name="who"), replicates=20, name="spread of scores"
    )
    assert rows[0].estimate == pytest.approx(np.std(S[G == "a"]) * 1000) and rows[0].metric == "spread of scores"
    assert rows[3].reference == "a"  # the largest


def test_the_percentiles_of_a_mean_are_near_its_theory():
    (row,) = (r for r in stats.by_group(share, Y, groups=G, replicates=4000) if r.group == "a" and r.contrast == "none")
    current = Y[G == "a"]
    error = current.std() / np.sqrt(current.size)
    assert row.std_error == pytest.approx(error, rel=0.05)
    assert (row.conf_low, row.conf_high) == pytest.approx(
        (current.mean() - 1.96 * error, current.mean() + 1.96 * error), abs=0.02
    )


def test_a_frequency_counts_people():
    rows = stats.by_group(share, Y, sample_weight=W, groups=G, weight_type="frequency", replicates=3000)
    plain = stats.by_group(share, np.repeat(Y, W), groups=np.repeat(G, W), replicates=3000)
    for weighted, repeated in zip(rows, plain, strict=True):
        assert weighted.estimate == pytest.approx(repeated.estimate)
        assert weighted.std_error == pytest.approx(repeated.std_error, rel=0.06)


def test_what_has_no_interval_says_why():
    equal = stats.by_group(lambda y, d, s, w: 1.0, Y, groups=G, replicates=20)
    assert {r.reason for r in equal} == {"the metric is the same in all resamples, which say nothing of its error"}
    assert np.isnan(equal[0].conf_low) and equal[0].estimate == 1.0
    groups, y = ["a"] * 30 + ["b"] * 30, [0] * 29 + [1] + [0, 1] * 15

    def odds(y, d, s, w):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return np.float64(np.mean(y)) / np.float64(0.0 if not np.any(y) else 1.0)

    rows = stats.by_group(odds, y, groups=groups, replicates=100)
    assert "resamples: no interval" in rows[0].reason and np.isnan(rows[0].conf_high)
    assert "resamples: no interval" in rows[2].reason and rows[1].conf_high > rows[1].estimate
    never = stats.by_group(lambda y, d, s, w: float("nan"), Y, groups=G, replicates=5)
    assert {r.status for r in never} == {"unestimable"}
    few = stats.by_group(share, [0, 0, 1, 1] * 5, groups=["a", "b"] * 10, replicates=50)
    assert few[0].reason.startswith("fewer than 20 people")


def test_errors_of_the_function_are_one_clear_error():
    with pytest.raises(InputError, match=r"metric raised KeyError .*metric\(y_true, y_pred, y_score, sample_weight\)"):
        stats.by_group(lambda y, d, s, w: {}["a"], Y, groups=G)
    with pytest.raises(InputError, match="metric takes 2 arrays by position, and y_true is passed; pass as many"):
        stats.by_group(lambda y, d: 1.0, Y, groups=G)
    with pytest.raises(InputError, match="metric takes 2 arrays by position, and y_true, y_pred, y_score are passed"):
        stats.by_group(lambda y, d: 1.0, Y, D, S, groups=G)
    with pytest.raises(InputError, match=r"metric returned \d+ values in group"):
        stats.by_group(lambda y, d, s, w: y, Y, groups=G)
    with pytest.raises(InputError, match="y_true, y_pred and y_score are all absent"):
        stats.by_group(share, groups=G)
    with pytest.raises(InputError, match=r"reference has 'A'; .*did you mean 'a'"):
        stats.by_group(share, Y, groups=G, reference="A")
    with pytest.raises(InputError, match=r"sample_weight has \d\.5; a frequency counts people"):
        stats.by_group(share, Y, sample_weight=W + 0.5, groups=G, weight_type="frequency")


@pytest.mark.long
@pytest.mark.parametrize(
    ("interval", "runs", "times", "least"), [("percentile", 100, 400, 0.86), ("studentized", 30, 100, 0.83)]
)
def test_intervals_cover_a_mean_of_skewed_values(interval, runs, times, least):
    rng, kept = np.random.default_rng(3), np.zeros(3)
    groups = np.repeat(["a", "b"], [60, 60])
    for seed in range(runs):
        y = rng.exponential(size=120) * np.repeat([1.0, 1.5], 60)
        rows = stats.by_group(
            lambda y, d, s, w: float(y.mean()), y, groups=groups, interval=interval, replicates=times, seed=seed
        )
        kept += [r.conf_low <= true <= r.conf_high for r, true in zip(rows, (1.0, 1.5, 0.5), strict=True)]
    assert (kept / runs >= least).all(), kept / runs  # three standard errors below 0.94 and 0.95
