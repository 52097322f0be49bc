"""Adjusted comparisons against R: mantelhaen.test over strata, glm with covariates, chi-square of several groups."""

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import norm

from fairstats.inference.rates.many_rates import chi_square
from fairstats.inference.rates.strata import cmh_test, common_odds_ratio
from fairstats.inference.regression import average_marginal_effect, logistic
from tests.oracle.r import requires_r, run_r

SCRIPT = """
strata <- function(s, correct) {
  counts <- array(rbind(s$e1, s$e0, s$n1 - s$e1, s$n0 - s$e0), c(2, 2, length(s$e1)))
  r <- mantelhaen.test(counts, correct = correct)
  c(r$statistic, r$p.value, r$estimate, r$conf.int)
}
d <- data.frame(y = input$y, g = factor(input$g), z1 = input$z1, z2 = input$z2)
fit <- glm(y ~ g + z1 + z2, binomial, d, epsilon = 1e-14)
# average marginal effect of each level against the first, with a central-difference gradient
X <- model.matrix(fit)
effect <- function(b, column) {
  X0 <- X; X0[, 2:3] <- 0; X1 <- X0; X1[, column] <- 1
  mean(plogis(X1%*% b) - plogis(X0%*% b))
}
ame <- function(column) {
  b <- coef(fit); h <- 1e-5
  gradient <- sapply(seq_along(b), function(k) {
    up <- b; up[k] <- up[k] + h; down <- b; down[k] <- down[k] - h
    (effect(up, column) - effect(down, column)) / (2 * h)
  })
  c(effect(b, column), sqrt(drop(gradient %*% vcov(fit) %*% gradient)))
}
list(
  corrected = lapply(input$strata, strata, correct = TRUE),
  plain = lapply(input$strata, strata, correct = FALSE),
  coefficients = unname(coef(fit)[2:3]),
  errors = unname(sqrt(diag(vcov(fit)))[2:3]),
  p = unname(summary(fit)$coefficients[2:3, 4]),
  ame = lapply(2:3, ame),
  chisq = lapply(input$rates, function(r) {
    test <- suppressWarnings(prop.test(r$events, r$n, correct = FALSE)); c(test$statistic, test$parameter, test$p.value)
  })
)
"""


@pytest.fixture(scope="module")
def answers():
    requires_r()
    rng = np.random.default_rng(8)
    strata = []
    for k, size in ((2, 8), (5, 6), (4, 300), (12, 40)):
        n1, n0 = rng.integers(2, size, (2, k))
        e1, e0 = rng.binomial(n1, 0.5), rng.binomial(n0, 0.4)
        e1[0], n1[0], e0[0], n0[0] = 1, 3, 0, 1  # one person, one zero
        e1[1], e0[1] = max(1, n1[1] - 1), 1
        strata.append({"e1": e1, "n1": n1, "e0": e0, "n0": n0})
    g = rng.integers(0, 3, 500)
    z1, z2 = rng.standard_normal(500) + 0.4 * g, rng.integers(0, 2, 500).astype(float)
    y = (rng.random(500) < expit(-0.2 + 0.5 * (g == 1) + 0.3 * z1 - 0.6 * z2)).astype(float)
    rates = [{"events": rng.binomial(n, 0.3), "n": n} for n in (rng.integers(2, 90, m) for m in (2, 3, 7, 30))]
    sent = {"strata": strata, "y": y, "g": g, "z1": z1, "z2": z2, "rates": rates}
    return sent, run_r(SCRIPT, sent)


@pytest.mark.parametrize(("answer", "correct"), [("corrected", True), ("plain", False)])
def test_cmh_and_the_common_odds_ratio_equal_mantelhaen_test(answers, answer, correct):
    sent, r = answers
    for s, expected in zip(sent["strata"], r[answer], strict=True):
        four = s["e1"], s["n1"], s["e0"], s["n0"]
        estimate, _, low, high = common_odds_ratio(*four)
        ours = (*cmh_test(*four, correct=correct), estimate, low, high)
        assert ours == pytest.approx(expected, rel=1e-8)


def fitted(sent):
    """The logistic regression of the outcome on dummies of the groups b and c, and covariates."""
    g = np.array(sent["g"])
    x = np.column_stack([np.ones(g.size), g == 1, g == 2, sent["z1"], sent["z2"]]).astype(float)
    return x, logistic(x, sent["y"])


def test_adjusted_odds_ratios_equal_glm(answers):
    sent, r = answers
    _, fit = fitted(sent)
    errors = np.sqrt(np.diag(fit.covariance))[1:3]
    assert fit.coefficients[1:3] == pytest.approx(r["coefficients"], rel=1e-8)
    assert errors == pytest.approx(r["errors"], rel=1e-7)
    assert 2 * norm.sf(np.abs(fit.coefficients[1:3] / errors)) == pytest.approx(r["p"], rel=1e-6)


def test_average_marginal_effects_equal_those_of_glm_by_central_differences(answers):
    sent, r = answers
    x, fit = fitted(sent)
    for column, (effect, error) in zip((1, 2), r["ame"], strict=True):
        ours = average_marginal_effect(fit, x, np.ones(len(x)), column, slice(1, 3))
        assert ours[0] == pytest.approx(effect, rel=1e-8)
        assert ours[1] == pytest.approx(error, rel=1e-6)


def test_chi_square_of_several_groups_equals_prop_test(answers):
    sent, r = answers
    for rates, expected in zip(sent["rates"], r["chisq"], strict=True):
        assert chi_square(rates["events"], rates["n"]) == pytest.approx(expected, rel=1e-8)
