"""The one logistic maximum: statsmodels' where it has one, and stationary where it has not."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.special import expit

from fairstats.comparing.methods import logistic
from fairstats.inference.regression import maximize


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(6)
    x = np.column_stack([np.ones(200), rng.standard_normal((200, 3))])
    return x, (rng.random(200) < expit(x @ [0.3, 1.0, -2.0, 0.0])).astype(float), rng.random(200), rng.normal(size=200)


def test_the_maximum_with_weights_and_an_offset_is_that_of_statsmodels(data):
    x, y, w, offset = data
    theirs = sm.GLM(y, x, family=sm.families.Binomial(), var_weights=w, offset=offset).fit(tol=1e-14)
    ours = maximize(x, y, weights=w, offset=offset)
    assert ours.settled
    np.testing.assert_allclose(ours.coefficients, theirs.params, rtol=1e-10)
    np.testing.assert_allclose(np.linalg.inv(ours.information), theirs.cov_params(), rtol=1e-8)


def test_a_penalized_maximum_has_no_slope(data):
    x, _, w, _ = data
    y = (x[:, 1] > 0).astype(float)  # separated: only the penalty keeps the maximum near
    ridge = np.array([0.0, 0.1, 0.2, 0.3])
    assert not maximize(x, y, weights=w).settled
    ours = maximize(x, y, weights=w, ridge=ridge, tolerance=1e-12)
    slope = x.T @ (w * (y - expit(x @ ours.coefficients))) - ridge * ours.coefficients
    assert ours.settled and np.abs(slope).max() < 1e-10


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("n", "seed"), [(600, 11), (600, 40), (200, 123), (60, 16), (60, 41)])
def test_a_level_without_an_event_never_settles_and_its_penalized_maximum_does(n, seed):
    rng = np.random.default_rng(seed)
    of_level = rng.integers(0, 3, n)
    y = (rng.random(n) < 0.3) & (of_level != 1)
    dummies = (of_level[:, None] == [1, 2]).astype(float)
    x = np.column_stack([np.ones(n), (dummies - dummies.mean(axis=0)) / dummies.std(axis=0)])
    assert not maximize(x, y).settled
    penalized = maximize(x, y, ridge=np.array([0.0, 0.01, 0.01]))
    assert penalized.settled and np.abs(penalized.coefficients).max() < 20
    fitted = logistic(x[:, 1:], y.astype(np.intp))
    assert fitted.problems
    np.testing.assert_allclose(fitted.score(x[:, 1:]), expit(x @ penalized.coefficients), rtol=1e-6)


def test_bounded_steps_end_at_the_same_maximum(data):
    x, y, _, _ = data
    np.testing.assert_allclose(
        maximize(5 * x, y, longest_step=0.5).coefficients, maximize(x, y).coefficients / 5, rtol=1e-10
    )


@pytest.mark.parametrize("unit", [1e-9, 1e-4, 1e6])
def test_the_units_of_the_columns_scale_the_coefficients_and_nothing_else(data, unit):
    x, y, w, offset = data
    units = np.array([1.0, unit, 1.0, unit])
    plain, scaled = (maximize(x * u, y, weights=w, offset=offset) for u in (np.ones(4), units))
    assert plain.settled and scaled.settled
    np.testing.assert_allclose(scaled.coefficients * units, plain.coefficients, rtol=1e-7)
    np.testing.assert_allclose(scaled.information / np.outer(units, units), plain.information, rtol=1e-7)
