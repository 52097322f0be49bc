"""Adjusted gaps under whole designs of surveys against R's survey: svyglm, and g-computation by its regressions."""

from __future__ import annotations

import numpy as np
import pytest

import fairstats as fs
from tests.oracle.r import requires_r, run_r
from tests.oracle.test_survey_designs_r import DESIGNS, HEAD, LINEAR, REPLICATED, designed, sample

# survey's svyglm takes a column g, or s, of the data for names of its own: they are renamed
ANSWER = """
answer <- function(design) {
  d <- design$variables
  d <- design$variables <- data.frame(x = d$x, age = d$age, job = d$job, who = d$g)
  w <- weights(design, "sampling")
  # influences of the mean that everybody would have with a group's regression, by svyglm's own of its coefficients
  mean_of <- function(w, group, influence = FALSE) {
    mine <- d$who == group
    fit <- lm(x ~ age + job, data = cbind(d, w = w), weights = w, subset = mine)
    Z <- model.matrix(~ age + job, d)
    at <- colSums(w * Z) / sum(w)
    if (!influence) return(sum(at * coef(fit)))
    z <- (drop(Z %*% coef(fit)) - sum(at * coef(fit))) / sum(w)
    z[mine] <- z[mine] + drop((model.matrix(fit) * residuals(fit)) %*% summary(fit)$cov.unscaled %*% at)
    z
  }
  gap <- function(w, group, ...) mean_of(w, group, ...) - mean_of(w, "a", ...)
  error <- function(group) {
    if (inherits(design, "svyrep.design")) return(as.numeric(SE(withReplicates(design, function(w, d) gap(w, group)))))
    as.numeric(SE(svytotal(gap(w, group, TRUE), design)))
  }
  plain <- function(group) {
    some <- subset(design, who %in% c("a", group))
    fit <- svyglm(x ~ factor(who) + age + job, some)
    c(coef(fit)[[2]], SE(fit)[[2]], fit$df.residual, degf(subset(design, who == group)) - 2)
  }
  list(gap = sapply(c("b", "e"), function(one) gap(w, one)), error = sapply(c("b", "e"), error),
    plain = lapply(c("b", "e"), plain), base = degf(subset(design, who == "a")) - 2)
}
"""


@pytest.fixture(scope="module")
def answers():
    requires_r("survey")
    made, rng = sample(), np.random.default_rng(7)
    made = made.assign(age=np.round(rng.normal(40 + made["s"], 8), 1), job=rng.choice(["x", "y"], len(made)))
    made["x"] = made["x"] + 0.2 * made["age"] + (made["job"] == "y")
    return made, run_r(HEAD + ANSWER + DESIGNS, {"made": made.to_dict("list")})


@pytest.mark.long
@pytest.mark.parametrize("which", [*LINEAR, *REPLICATED])
def test_adjusted_gaps_and_coefficients_have_the_errors_of_survey(answers, which):
    people, design, wanted = designed(answers, which)
    found = fs.audit(people, amount="x", groups="g", reference="a", design=design, adjust_for="~ age + job").estimates
    for k, group in enumerate("be"):
        (plain,) = found.where(metric="group coefficient", group=group)
        estimate, error, df, free = wanted["plain"][k]
        assert (plain.estimate, plain.std_error, plain.df) == pytest.approx((estimate, error, df), rel=1e-8)
        (row,) = found.where(metric="adjusted gap", group=group)
        if "common" in str(row.reason):  # too few people for slopes of their own
            assert (row.estimate, row.std_error, row.df) == pytest.approx((estimate, error, df), rel=1e-8)
        else:
            expected = wanted["gap"][k], wanted["error"][k], min(free, wanted["base"])
            assert (row.estimate, row.std_error, row.df) == pytest.approx(expected, rel=1e-8)
