"""CR2 against R and its definition; degrees of freedom by brute force; the size of tests with few clusters."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import stdtr

from fairstats.inference.rates.survey import rates_of_clusters
from fairstats.inference.regression import cluster_robust
from tests.oracle.r import requires_r, run_r


@pytest.fixture
def data():
    rng = np.random.default_rng(7)
    clusters = rng.integers(0, 9, 60)
    x = np.column_stack([np.ones(60), rng.normal(size=60), rng.normal(size=9)[clusters]])
    return x, x @ [1, 0.5, 0] + rng.normal(size=60) + rng.normal(size=9)[clusters], clusters


def fitted(x, y):
    return y - x @ np.linalg.lstsq(x, y, rcond=None)[0]


def test_linear_regression_has_the_errors_of_sandwich(data):
    requires_r("sandwich")
    x, y, clusters = data
    script = """
    d <- data.frame(y = unlist(input$y), a = unlist(input$a), b = unlist(input$b), k = unlist(input$k))
    as.numeric(sandwich::vcovCL(lm(y ~ a + b, d), d$k, type = "HC2"))
    """
    wanted = run_r(script, {"y": y, "a": x[:, 1], "b": x[:, 2], "k": clusters})
    assert cluster_robust(x, fitted(x, y), clusters).covariance.ravel() == pytest.approx(wanted, rel=1e-9)


def test_degrees_of_freedom_are_those_of_the_quadratic_form(data):
    """The variance is e'Ae with independent e; its degrees of freedom are 2 E² / Var, from A's eigenvalues."""
    x, y, clusters = data
    result = cluster_robust(x, fitted(x, y), clusters)
    bread = np.linalg.inv(x.T @ x)
    left = np.eye(60) - x @ bread @ x.T
    for contrast in np.eye(3)[[0, 1, 2]]:
        form = np.zeros((60, 60))
        for c in np.unique(clusters):
            current = np.flatnonzero(clusters == c)
            values, vectors = np.linalg.eigh(left[np.ix_(current, current)])
            part = contrast @ bread @ x[current].T @ (vectors / np.sqrt(values)) @ vectors.T @ left[current]
            form += np.outer(part, part)
        values = np.linalg.eigvalsh(form)
        assert result.df(contrast) == pytest.approx(values.sum() ** 2 / (values**2).sum(), rel=1e-8)
        assert result.covariance @ contrast @ contrast == pytest.approx(y @ form @ y, rel=1e-8)


def test_the_rates_of_two_groups_have_the_jackknifes_errors_of_sandwich():
    requires_r("sandwich")
    rng = np.random.default_rng(3)
    clusters, group = rng.integers(0, 11, 120), rng.integers(0, 2, 120)
    y = (rng.random(120) < 0.2 + 0.06 * clusters).astype(float)
    x = np.column_stack([group == 0, group == 1]).astype(float)
    d = np.column_stack([np.bincount(clusters, x[:, g], 11) for g in range(2)])
    e = np.column_stack([np.bincount(clusters, x[:, g] * y, 11) for g in range(2)])
    script = """
    d <- data.frame(y = unlist(input$y), g = factor(unlist(input$g)), k = unlist(input$k))
    as.numeric(sandwich::vcovCL(lm(y ~ 0 + g, d), d$k, type = "HC3"))
    """
    wanted = np.reshape(run_r(script, {"y": y, "g": group, "k": clusters}), (2, 2))
    design = rates_of_clusters(e, d, d.sum(axis=0), 11)
    spread, rate = np.sqrt(np.diag(wanted)), design.rate
    assert design.correlation[0, 1] == pytest.approx(wanted[0, 1] / spread.prod(), rel=1e-9)
    assert rate * (1 - rate) / design.size == pytest.approx(spread**2, rel=1e-9)


def test_a_column_that_one_cluster_determines_is_no_error():
    rng = np.random.default_rng(0)
    clusters = np.repeat(np.arange(6), 5)
    x = np.column_stack([np.ones(30), clusters == 0]).astype(float)
    result = cluster_robust(x, fitted(x, rng.normal(size=30)), clusters)
    assert np.isfinite(result.covariance).all() and result.df([1, 0]) == pytest.approx(4, rel=1e-6)


def test_a_covariate_of_eight_clusters_is_tested_at_its_level():
    """The sandwich with G/(G - 1) and a normal quantile rejects 13%."""
    rejected, old, draws = 0, 0, 1000
    clusters = np.repeat(np.arange(8), 10)
    for seed in range(draws):
        rng = np.random.default_rng(seed)
        x = np.column_stack([np.ones(80), rng.normal(size=8)[clusters]])
        y = rng.normal(size=80) + 0.5 * rng.normal(size=8)[clusters]
        b, r = np.linalg.lstsq(x, y, rcond=None)[0][1], fitted(x, y)
        result = cluster_robust(x, r, clusters)
        rejected += 2 * stdtr(result.df([0, 1]), -abs(b) / np.sqrt(result.covariance[1, 1])) <= 0.05
        bread = np.linalg.inv(x.T @ x)
        sums = np.array([x[clusters == c].T @ r[clusters == c] for c in range(8)])
        plain = (bread @ sums.T @ sums @ bread)[1, 1] * 8 / 7
        old += abs(b) / np.sqrt(plain) >= 1.96
    assert rejected / draws <= 0.06 and old / draws > 0.1
