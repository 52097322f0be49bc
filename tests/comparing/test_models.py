"""Logistic regression equals statsmodels' where that converges, and owns up where no maximum exists."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import SGDClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from fairstats.comparing.methods import logistic, models


def draw(rng, n=300, p=4):
    X = rng.normal(size=(n, p))
    return X, (X[:, 0] + rng.logistic(size=n) > 0).astype(int)


def test_scores_equal_those_of_statsmodels(rng):
    X, y = draw(rng)
    fitted = logistic(X * [1e-4, 1, 1e3, 1] + 5, y)
    expected = sm.Logit(y, sm.add_constant(X)).fit(disp=0, tol=1e-12)
    np.testing.assert_allclose(fitted.score(X * [1e-4, 1, 1e3, 1] + 5), expected.predict(), atol=1e-9)
    assert fitted.problems == ()


def test_collinear_and_empty_columns_change_nothing(rng):
    X, y = draw(rng)
    more = np.column_stack([X, X[:, 0] - 2 * X[:, 1], np.full(300, 3.0), 1e-17 * rng.normal(size=300)])
    np.testing.assert_allclose(logistic(more, y).score(more), logistic(X, y).score(X), atol=1e-8)


def test_skewed_interactions_where_plain_newton_steps_diverge(rng):
    X = rng.exponential(size=(2000, 1)) ** 4
    y = (rng.random(2000) < 1 / (1 + np.exp(1 - 0.02 * X[:, 0]))).astype(int)
    fitted = logistic(X, y)
    p = fitted.score(X)
    assert fitted.problems == ()
    # the likelihood equations: residuals have no sum and no covariance with the feature
    assert abs((y - p).sum()) < 1e-6 and abs(((X[:, 0] - X.mean()) / X.std()) @ (y - p)) < 1e-6


@pytest.mark.parametrize("kind", ["complete", "quasi-complete"])
def test_separated_outcomes_are_penalized_and_reported(rng, kind):
    X, y = draw(rng)
    if kind == "complete":
        y = (X[:, 0] > 0).astype(int)
    else:
        X = np.column_stack([X, np.where(y == 1, rng.random(300) < 0.2, 0)])
    fitted = logistic(X, y)
    assert len(fitted.problems) == 1 and "separate" in fitted.problems[0]
    scores = fitted.score(X)
    assert np.isfinite(scores).all() and ((scores > 0.5) == y).mean() > 0.6


def test_more_columns_than_rows(rng):
    X, y = draw(rng, n=30, p=60)
    assert np.isfinite(logistic(X, y).score(X)).all()


def test_estimators_are_cloned_seeded_and_their_warnings_kept(rng):
    X, y = draw(rng)
    forest = RandomForestClassifier(5)
    (model,) = models(forest)
    first, again, other = (model.train(X, y, seed).score(X) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert (first != other).any() and not hasattr(forest, "estimators_")
    (lazy,) = models([("lazy", make_pipeline(StandardScaler(), SGDClassifier(max_iter=1, tol=1e-9)))])
    trained = lazy.train(X, y, 0)
    assert trained.scale == "decision function"
    assert [p.split(":")[0] for p in trained.problems] == ["ConvergenceWarning"]


def test_a_list_of_two_is_two_models_and_a_pair_is_a_name_and_a_model():
    forest = RandomForestClassifier()
    assert [m.name for m in models(["logistic", forest])] == ["logistic", "RandomForestClassifier"]
    assert [m.name for m in models(("forest", forest))] == ["forest"]
    assert [m.name for m in models([("forest", forest), "logistic"])] == ["forest", "logistic"]
