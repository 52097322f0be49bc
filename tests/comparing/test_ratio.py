"""Rates whose denominator is predicted: the ratio of means, and what the strata add to its variance."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import precision_score

import fairstats
from fairstats.comparing import metrics
from fairstats.comparing.metrics import measures
from fairstats.metrics import METRICS

ASKED = {"outcome": "y", "groups": "g", "features": ["x1", "x2"], "methods": ["none", "og"], "progress": False}


def shifted(n: int = 900) -> pd.DataFrame:
    rng = np.random.default_rng(8)
    g = rng.choice(["a", "b"], n, p=[0.6, 0.4])
    x = rng.normal(size=(n, 2)) + (g == "b")[:, None]
    return pd.DataFrame({"g": g, "x1": x[:, 0], "x2": x[:, 1], "y": (x[:, 0] + rng.normal(size=n) > 0.5).astype(int)})


def test_predictive_values_of_given_splits_are_scikit_learns_and_n_is_who_was_predicted():
    data = shifted()
    rng = np.random.default_rng(1)
    splits = [(np.sort(p[300:]), np.sort(p[:300])) for p in (rng.permutation(len(data)) for _ in range(3))]
    seen: list[tuple[np.ndarray, np.ndarray]] = []

    class Model(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            self.classes_, self.cut_ = np.unique(y), np.median(X[:, 0])
            return self

        def predict_proba(self, X):
            p = (X[:, 0] > self.cut_) * 0.8 + 0.1
            seen.append((X[:, 0].copy(), p))
            return np.column_stack([1 - p, p])

    result = fairstats.compare(data, **{**ASKED, "methods": ["none"]}, model=Model(), splits=splits)
    tests = [(data.iloc[test], p >= 0.5) for (_, test), (_, p) in zip(splits, seen, strict=True)]
    for name, value in {
        "PPV": lambda y, d: precision_score(y, d),
        "NPV": lambda y, d: precision_score(y, d, pos_label=0),
    }.items():
        row = result.estimates.where(metric=name, group="b", contrast="none", reference="")[0]
        by_hand = [value(part.y[part.g == "b"], d[(part.g == "b").to_numpy()]) for part, d in tests]
        assert row.estimate == pytest.approx(np.mean(by_hand), abs=1e-12)
        wanted = [d[(part.g == "b").to_numpy()] == (name == "PPV") for part, d in tests]
        assert row.n == pytest.approx(np.mean([w.sum() for w in wanted]))


def test_as_a_ratio_a_rate_with_a_fixed_denominator_has_the_values_and_the_variance_of_a_mean(monkeypatch):
    kept = {}
    original = metrics.measures

    def spy(plan, results, selection):
        kept.update(plan=plan, results=results)
        return original(plan, results, selection)

    monkeypatch.setattr("fairstats.comparing.rows.measures", spy)
    fairstats.compare(shifted(), **ASKED, n_repeats=4)
    plan, results = kept["plan"], kept["results"]
    for name in ("TPR", "FPR", "accuracy"):
        events, among = ([c for c in cells if 2 not in c] for cells in METRICS[name].cells())
        shares = [metrics._shares_of(plan, results, cells) for cells in (events, among)]
        ratio, mean = metrics._ratio(plan, results, name, *shares), metrics._rate(plan, results, METRICS[name])
        for arguments in ((0,), (1, 0)):
            for one, other in zip(ratio.of(*arguments)[:2], mean.of(*arguments)[:2], strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-15)
    assert {m.metric for m in measures(plan, results, "positive rate")} >= {"PPV", "NPV"}


def test_a_rate_that_nobody_is_left_for_says_so():
    data = shifted(300)

    class Never(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            self.classes_ = np.unique(y)
            return self

        def predict_proba(self, X):
            return np.column_stack([np.full(len(X), 0.9), np.full(len(X), 0.1)])

    rows = fairstats.compare(data, **{**ASKED, "methods": ["none"]}, model=Never(), n_repeats=3).estimates
    lost = rows.where(metric="PPV", contrast="none")
    assert {r.reason for r in lost} == {"nobody is predicted positive in one split at least"}
    assert {r.status for r in lost} == {"unestimable"}
