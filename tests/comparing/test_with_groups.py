"""Models that learn with the groups: Pope and Sydnor's predictions, fairlearn's remover and reductions."""

from __future__ import annotations

import sys
import warnings
from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm

import fairstats
from fairstats.errors import DependencyError, InputError
from tests.comparing.test_study import ASKED, people


def split(data: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    return np.split(np.random.default_rng(0).permutation(len(data["y"])), [300])


def scores(method: str) -> Any:
    data = people()
    rows = split(data)
    comparison = fairstats.compare(data, **ASKED, methods=["none", method], splits=[rows], scale=False)
    return data, rows, comparison


@pytest.mark.parametrize(("method", "at"), [("with_groups", None), ("pope_sydnor", "mean"), ("pope_sydnor_zero", 0.0)])
def test_logistic_regression_learns_with_the_groups_and_predicts_as_pope_and_sydnor_say(method, at):
    data, (train, test), result = scores(method)
    X = np.column_stack([data[f"x{j}"] for j in range(5)])
    z = (data["g"] == "b").astype(float)
    fit = sm.GLM(data["y"][train], sm.add_constant(np.column_stack([X, z])[train]), family=sm.families.Binomial()).fit()
    shown = z[test] if at is None else np.full(len(test), z[train].mean() if at == "mean" else at)
    predicted = fit.predict(sm.add_constant(np.column_stack([X[test], shown]), has_constant="add"))
    rows = result.splits_frame().query(f"term == '{method} · logistic' and metric == 'mean score'").set_index("group")
    for group in ("a", "b"):
        expected = predicted[data["g"][test] == group].mean()
        assert rows.loc[group, "estimate"] == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("method", ["residualize", "location_scale", "correlation_remover"])
def test_adjusted_features_leave_no_linear_gap(method):
    if method == "correlation_remover":
        pytest.importorskip("fairlearn")
    data = people(1200)
    comparison = fairstats.compare(data, **ASKED, methods=["none", method])
    rows = comparison.estimates.where(metric="mean score", contrast="difference", reference=comparison.references["g"])
    gap = {r.fit: r.estimate for r in rows if not r.versus}
    assert abs(gap[method]) < 0.06 < abs(gap["none"])


@pytest.mark.long
def test_a_reduction_learns_with_the_groups_and_is_fairlearns():
    reductions = pytest.importorskip("fairlearn.reductions")
    from sklearn.linear_model import LogisticRegression

    data = people()
    train, test = split(data)
    model = fairstats.fairlearn_reduction("demographic_parity", bound=0.02, estimator=LogisticRegression())
    comparison = fairstats.compare(
        data, **ASKED, methods=["none"], model=[model, "logistic"], splits=[(train, test)], scale=False
    )
    X = np.column_stack([data[f"x{j}"] for j in range(5)])
    X = X - X[train].mean(axis=0)
    constraint = reductions.DemographicParity(difference_bound=0.02)
    theirs = reductions.ExponentiatedGradient(LogisticRegression(), constraint, eps=0.02, max_iter=50)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pandas' about fairlearn
        theirs.fit(X[train], data["y"][train], sensitive_features=data["g"][train])
    rows = comparison.splits_frame().query("metric == 'mean score' and group == ''").set_index("term")["estimate"]
    expected = theirs._pmf_predict(X[test])[:, 1].mean()
    assert rows[f"none · {model.name}"] == pytest.approx(expected, abs=1e-12)
    gaps = {
        r.model: r.estimate
        for r in comparison.estimates.where(metric="mean score", contrast="difference", attribute="g")
    }
    assert abs(gaps[model.name]) < abs(gaps["logistic"])


def test_without_fairlearn_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "fairlearn", None)
    monkeypatch.setitem(sys.modules, "fairlearn.reductions", None)
    monkeypatch.setitem(sys.modules, "fairlearn.preprocessing", None)
    with pytest.raises(DependencyError, match=r"part of the extra compare"):
        fairstats.compare(people(), **ASKED, methods=["none"], model=fairstats.fairlearn_reduction())
    with pytest.raises(DependencyError, match=r"part of the extra compare"):
        fairstats.compare(people(), **ASKED, methods=["correlation_remover"])


def test_bad_settings_of_a_reduction_are_named():
    with pytest.raises(InputError, match="constraint has 'parity'"):
        fairstats.fairlearn_reduction("parity")
    with pytest.raises(InputError, match="bound has 2"):
        fairstats.fairlearn_reduction(bound=2)


def test_a_feature_that_tells_the_group_under_another_name_is_warned_of() -> None:
    data = people()
    data["x"] = (data["g"] == "b").astype(float)
    asked = {**ASKED, "features": [*ASKED["features"], "x"], "n_repeats": 1}
    with pytest.warns(fairstats.FairstatsWarning, match="x has one value in each group of g: this feature tells the"):
        result = fairstats.compare(data, **asked, methods=["none"])
    assert "The feature x has one value in each group of g: a model sees the group" in result.summary()
