"""Logistic fits: covariances equal statsmodels', separation is said and not fitted."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.special import expit

from fairstats.errors import InputError
from fairstats.inference.regression import logistic
from tests.oracle.r import requires_r, run_r


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(4)
    x = np.column_stack([np.ones(400), rng.standard_normal((400, 2))])
    clusters = np.repeat(np.arange(40), 10)
    y = (rng.random(400) < expit(x @ [0.2, 0.8, -0.4] + np.repeat(rng.standard_normal(40), 10))).astype(float)
    return x, y, clusters


def test_coefficients_and_model_based_errors_equal_statsmodels(data):
    x, y, _ = data
    theirs = sm.Logit(y, x).fit(disp=0, method="newton", tol=1e-12)
    ours = logistic(x, y)
    assert ours.coefficients == pytest.approx(theirs.params, rel=1e-8)
    assert ours.covariance == pytest.approx(theirs.cov_params(), rel=1e-7)


@pytest.mark.long
def test_robust_errors_are_those_of_sandwich(data):
    requires_r("sandwich")
    x, y, _ = data
    script = """
    d <- data.frame(y = unlist(input$y), a = unlist(input$a), b = unlist(input$b))
    fit <- glm(y ~ a + b, binomial, d, control = glm.control(epsilon = 1e-14, maxit = 50))
    as.numeric(sandwich::vcovHC(fit, type = "HC2"))
    """
    wanted = run_r(script, {"y": y, "a": x[:, 1], "b": x[:, 2]})
    ours = logistic(x, y, covariance="robust")
    assert ours.covariance.ravel() == pytest.approx(wanted, rel=1e-6, abs=1e-9)
    assert ours.df([0, 1, 0]) < 399 and np.isinf(logistic(x, y).df([0, 1, 0]))


def test_cluster_robust_errors_are_cr2_of_pearsons_residuals(data):
    """By its definition, with matrices of the clusters' size: clubSandwich's, whose target is the model's variance."""
    x, y, clusters = data
    ours = logistic(x, y, covariance="cluster", clusters=clusters)
    fitted = expit(x @ ours.coefficients)
    spread = np.sqrt(fitted * (1 - fitted))
    design, residuals = x * spread[:, None], (y - fitted) / spread
    bread = np.linalg.inv(design.T @ design)
    left, meat = np.eye(400) - design @ bread @ design.T, np.zeros((3, 3))
    for c in np.unique(clusters):
        current = np.flatnonzero(clusters == c)
        values, vectors = np.linalg.eigh(left[np.ix_(current, current)])
        part = design[current].T @ (vectors / np.sqrt(values)) @ vectors.T @ residuals[current]
        meat += np.outer(part, part)
    assert ours.covariance == pytest.approx(bread @ meat @ bread, rel=1e-8)
    assert 5 < ours.df([0, 1, 0]) < 39


def test_clusters_of_one_person_give_the_robust_errors(data):
    x, y, _ = data
    one, robust = (logistic(x, y, covariance=c, clusters=np.arange(400)) for c in ("cluster", "robust"))
    assert one.covariance == pytest.approx(robust.covariance)


def test_the_scale_of_probability_weights_cancels_in_robust_errors(data):
    x, y, _ = data
    w = np.random.default_rng(0).random(400) + 0.5
    one, other = (logistic(x, y, weights=f * w, covariance="robust") for f in (1, 100))
    assert one.covariance == pytest.approx(other.covariance, rel=1e-6)


@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [
        ([[1, 0], [1, 0], [1, 1], [1, 1], [1, 1]], [0, 0, 1, 1, 1], "separate the outcomes"),
        ([[1, 2], [1, 2], [1, 2]], [0, 1, 1], "collinear"),
        ([[1, 2], [1, 3]], [0, 1], "too few people"),
    ],
)
def test_a_fit_without_a_maximum_says_why(x, y, reason):
    fit = logistic(x, y)
    assert reason in fit.reason
    assert np.isnan(fit.coefficients).all()


def test_one_cluster_has_no_error(data):
    x, y, _ = data
    assert "too few" in logistic(x, y, covariance="cluster", clusters=np.zeros(400)).reason


def test_unknown_covariance_names_the_choices(data):
    with pytest.raises(InputError, match="covariance has 'hc9'; the choices are model, robust, cluster"):
        logistic(*data[:2], covariance="hc9")


def test_covariates_in_units_far_from_zero_are_fitted_as_standardized_ones_are():
    """Where the last digits of the likelihood are rounding, no fit must take them for a maximum at infinity."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        z = rng.standard_normal((60, 3))
        y = (rng.random(60) < expit(z @ [1.0, -0.5, 0.2])).astype(float)
        raw = np.column_stack([np.ones(60), z * [1e-3, 1e3, 2.0] + [5.0, -8e3, 2e3]])
        ours, plain = logistic(raw, y), logistic(np.column_stack([np.ones(60), z]), y)
        assert ours.reason == ""
        np.testing.assert_allclose(ours.coefficients[1:] * [1e-3, 1e3, 2.0], plain.coefficients[1:], rtol=1e-7)
        np.testing.assert_allclose(
            np.diag(ours.covariance)[1:] * np.array([1e-3, 1e3, 2.0]) ** 2, np.diag(plain.covariance)[1:], rtol=1e-6
        )
