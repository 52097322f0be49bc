"""Adjusted comparisons: marginal effects against statsmodels and by hand, groups without a finite odds ratio."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.optimize import approx_fprime
from scipy.special import expit

from fairstats.inference.rates.logistic import logistic
from fairstats.inference.rates.marginal_effects import adjusted_rows, average_marginal_effect


def simulated(groups=3, n=600, seed=0):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, groups, n)
    z = np.column_stack([rng.standard_normal(n) + codes, rng.integers(0, 2, n)])
    y = (rng.random(n) < expit(0.4 * codes - 0.3 * z[:, 0] + 0.5 * z[:, 1])).astype(float)
    return y, codes, z


def test_two_groups_have_the_marginal_effect_of_statsmodels():
    y, codes, z = simulated(groups=2)
    rows = adjusted_rows(y, codes, ["a", "b"], z, reference="a")
    fit = sm.Logit(y, np.column_stack([np.ones(y.size), codes, z])).fit(disp=0, method="newton", tol=1e-12)
    effects = fit.get_margeff(at="overall", dummy=True)
    effect = rows.where(metric="average marginal effect")[0]
    assert effect.estimate == pytest.approx(effects.margeff[0], rel=1e-6)
    assert effect.std_error == pytest.approx(effects.margeff_se[0], rel=1e-6)
    odds = rows.where(metric="adjusted odds ratio")[0]
    assert (odds.conf_low, odds.conf_high) == pytest.approx(np.exp(fit.conf_int()[1]), rel=1e-6)
    assert odds.p_value == pytest.approx(fit.pvalues[1], rel=1e-6)


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
    rows = adjusted_rows(y, codes, list("abc"), z[:, :0], reference="b").where(metric="average marginal effect")
    rates = [y[codes == g].mean() for g in range(3)]
    assert rows.column("estimate") == pytest.approx([rates[0] - rates[1], rates[2] - rates[1]])


def test_frequency_weights_are_repeated_people_under_model_based_errors():
    y, codes, z = simulated(n=150)
    repeat = np.random.default_rng(1).integers(1, 4, y.size)
    weighted = adjusted_rows(y, codes, list("abc"), z, reference="a", weights=repeat)
    long = adjusted_rows(
        *(np.repeat(v, repeat, axis=0) for v in (y, codes)), list("abc"), np.repeat(z, repeat, axis=0), reference="a"
    )
    for one, other in zip(weighted, long, strict=True):
        assert (one.estimate, one.std_error) == pytest.approx((other.estimate, other.std_error), rel=1e-7)


def test_a_group_without_events_is_unestimable_and_the_others_keep_their_limit():
    y, codes, z = simulated()
    y[codes == 2] = 0
    rows = adjusted_rows(y, codes, list("abc"), z, reference="a", attribute="race")
    gone, kept = rows.where(group="c"), rows.where(group="b")
    assert gone.column("status") == ["unestimable"] * 2
    assert "all or none of the group" in gone[0].reason
    two = adjusted_rows(y[codes < 2], codes[codes < 2], ["a", "b"], z[codes < 2], reference="a")
    assert kept.column("estimate") == pytest.approx(two.column("estimate"))


def test_a_reference_without_events_a_collinear_and_a_separating_covariate_say_why():
    y, codes, z = simulated()
    all_zero = np.where(codes == 0, 0.0, y)
    row = adjusted_rows(all_zero, codes, list("abc"), z, reference="a")[0]
    assert row.reason == "all or none of the reference have the property"
    row = adjusted_rows(y, codes, list("abc"), (codes == 1)[:, None], reference="a")[0]
    assert row.reason == "the groups and covariates are collinear"
    row = adjusted_rows(y, codes, list("abc"), y[:, None] - 0.5, reference="a")[0]
    assert row.reason == "the groups and covariates separate the outcomes: the estimate is infinite"


def test_every_group_has_its_two_rows():
    y, codes, z = simulated(groups=4)
    rows = adjusted_rows(y, codes, list("abcd"), z, reference="c", covariance="robust")
    assert rows.column("group") == ["a", "a", "b", "b", "d", "d"]
    assert set(rows.column("method")) == {"logistic regression, robust errors (HC2), t"}
