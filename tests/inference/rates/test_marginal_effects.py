"""Average marginal effects against statsmodels and by hand."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.optimize import approx_fprime
from scipy.special import expit

from fairstats.inference.regression import average_marginal_effect, logistic


def simulated(groups=3, n=600, seed=0):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, groups, n)
    z = np.column_stack([rng.standard_normal(n) + codes, rng.integers(0, 2, n)])
    y = (rng.random(n) < expit(0.4 * codes - 0.3 * z[:, 0] + 0.5 * z[:, 1])).astype(float)
    return y, codes, z


def design(codes, z, groups):
    """A constant, a dummy for each group but the first, and the covariates."""
    return np.column_stack([np.ones(codes.size), codes[:, None] == np.arange(1, groups), z]).astype(float)


def test_two_groups_have_the_marginal_effect_of_statsmodels():
    y, codes, z = simulated(groups=2)
    x = design(codes, z[:, :0], 2)
    fit = sm.Logit(y, x).fit(disp=0, method="newton", tol=1e-12)
    effects = fit.get_margeff(at="overall", dummy=True)
    ours = average_marginal_effect(logistic(x, y), x, np.ones(y.size), 1, slice(1, 2))
    assert ours == pytest.approx((effects.margeff[0], effects.margeff_se[0]), rel=1e-6)
    x = design(codes, z, 2)
    fit = sm.Logit(y, x).fit(disp=0, method="newton", tol=1e-12)
    effects = fit.get_margeff(at="overall", dummy=True)
    ours = average_marginal_effect(logistic(x, y), x, np.ones(y.size), 1, slice(1, 2))
    assert ours == pytest.approx((effects.margeff[0], effects.margeff_se[0]), rel=1e-6)


def test_the_marginal_effect_moves_everybody_out_of_every_other_group():
    y, codes, z = simulated()
    x = np.column_stack([np.ones(y.size), codes == 1, codes == 2, z])
    fit = logistic(x, y)

    def effect(beta):
        rest = beta[0] + z @ beta[3:]
        return np.mean(expit(rest + beta[2]) - expit(rest))

    estimate, se = average_marginal_effect(fit, x, np.ones(y.size), 2, slice(1, 3))
    gradient = approx_fprime(fit.coefficients, effect, 1e-7)
    assert estimate == pytest.approx(effect(fit.coefficients))
    assert se == pytest.approx(np.sqrt(gradient @ fit.covariance @ gradient), rel=1e-5)


def test_without_covariates_the_effect_is_the_difference_of_rates():
    y, codes, z = simulated()
    x = design(codes, z[:, :0], 3)
    fit, rates = logistic(x, y), [y[codes == g].mean() for g in range(3)]
    effects = [average_marginal_effect(fit, x, np.ones(y.size), column, slice(1, 3))[0] for column in (1, 2)]
    assert effects == pytest.approx([rates[1] - rates[0], rates[2] - rates[0]])


def test_frequency_weights_are_repeated_people_under_model_based_errors():
    y, codes, z = simulated(n=150)
    x, repeat = design(codes, z, 3), np.random.default_rng(1).integers(1, 4, y.size)
    every = np.repeat(x, repeat, axis=0), np.repeat(y, repeat)
    one, other = logistic(x, y, weights=repeat), logistic(*every)
    for column in (1, 2):
        weighted = average_marginal_effect(one, x, repeat.astype(float), column, slice(1, 3))
        long = average_marginal_effect(other, every[0], np.ones(every[1].size), column, slice(1, 3))
        assert weighted == pytest.approx(long, rel=1e-7)
