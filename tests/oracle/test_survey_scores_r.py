"""Scores under whole designs of surveys against R's survey: P(X>Y), areas under ROC curves, and rank tests."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fairstats as fs
from fairstats.inference.rates.survey import hotelling
from fairstats.inference.scores import survey
from tests.oracle.r import requires_r, run_r
from tests.oracle.test_survey_designs_r import DESIGNS, HEAD, LINEAR, REPLICATED, designed, sample

# all pairs in turn; errors by the influence of each person under svytotal, or from the statistic of each replicate
ANSWER = """
above <- function(p, q) outer(p, q, function(a, b) (a > b) + 0.5 * (a == b))
sides <- list(b = list("b", "a"), e = list("e", "a"))
answer <- function(design) {
  d <- design$variables
  of <- function(w, x, y) drop(w[x] %*% above(d$t[x], d$t[y]) %*% w[y]) / sum(w[x]) / sum(w[y])
  moved <- function(w, x, y) {
    K <- above(d$t[x], d$t[y]); theta <- of(w, x, y); z <- numeric(nrow(d))
    z[x] <- (drop(K %*% w[y]) / sum(w[y]) - theta) / sum(w[x])
    z[y] <- (drop(w[x] %*% K) / sum(w[x]) - theta) / sum(w[y])
    z
  }
  error <- function(parts) {
    if (inherits(design, "svyrep.design")) {
      f <- function(w, data) sum(sapply(parts, function(p) p[[3]] * of(w, p[[1]], p[[2]])))
      return(as.numeric(SE(withReplicates(design, f))))
    }
    w <- weights(design, "sampling")
    z <- Reduce(`+`, lapply(parts, function(p) p[[3]] * moved(w, p[[1]], p[[2]])))
    as.numeric(SE(svytotal(z, design)))
  }
  w <- weights(design, "sampling")
  pair <- function(side) list(which(d$g == side[[1]]), which(d$g == side[[2]]), 1)
  area <- function(g, sign = 1) list(which(d$g == g & d$o == 1), which(d$g == g & d$o == 0), sign)
  value <- function(p) of(w, p[[1]], p[[2]])
  test <- lapply(sides, function(side) svyranktest(u ~ g, subset(design, g %in% unlist(side))))
  all <- if (inherits(design, "svyrep.design")) { # where svyranktest of three groups stops (survey 4.1)
    rank <- order(order(d$u)); before <- cumsum(w[order(d$u)])[rank] - w / 2
    design$variables <- data.frame(rank = before / sum(w), who = d$g) # svyglm takes a column g for its own
    fit <- svyglm(rank ~ who, design)
    list(parameter = drop(coef(fit)[-1] %*% solve(vcov(fit)[-1, -1], coef(fit)[-1])), p.value = 0)
  } else svyranktest(u ~ factor(g), design, test = "KruskalWallis")
  list(effect = sapply(sides, function(s) value(pair(s))), error = sapply(sides, function(s) error(list(pair(s)))),
    area = sapply(c("a", "b", "e"), function(g) value(area(g))),
    area_error = sapply(c("a", "b", "e"), function(g) error(list(area(g)))),
    gap_error = sapply(c("b", "e"), function(g) error(list(area(g), area("a", -1)))),
    t = sapply(test, function(one) unname(one$statistic)), p = sapply(test, function(one) one$p.value[[1]]),
    df = sapply(test, function(one) one$parameter), all = as.numeric(all$parameter),
    all_p = as.numeric(all$p.value))
}
"""


@pytest.fixture(scope="module")
def answers():
    requires_r("survey")
    made, rng = sample(), np.random.default_rng(5)
    made["u"] = rng.normal(0.3 * (made["g"] == "b") + 0.05 * made["s"], 1)
    made["t"] = np.round(made["u"], 1)  # with ties
    made["o"] = (rng.random(len(made)) < 1 / (1 + np.exp(-made["u"]))).astype(int)
    return made, run_r(HEAD + ANSWER + DESIGNS, {"made": made.to_dict("list")})


def rows(people: pd.DataFrame, score: str, design) -> fs.Estimates:
    return fs.audit(people, groups="g", score=score, outcome="o", reference="a", design=design).estimates


@pytest.mark.long
@pytest.mark.parametrize("which", [*LINEAR, *REPLICATED])
def test_chances_and_areas_have_the_errors_of_survey(answers, which):
    people, design, wanted = designed(answers, which)
    found = rows(people, "t", design)
    for k, group in enumerate("be"):
        (row,) = found.where(metric="P(X>Y)", group=group)
        assert (row.estimate, row.std_error) == pytest.approx((wanted["effect"][k], wanted["error"][k]), rel=1e-8)
        (gap,) = found.where(metric="AUC", group=group, contrast="difference")
        assert gap.std_error == pytest.approx(wanted["gap_error"][k], rel=1e-8)
    for k, group in enumerate("abe"):
        (row,) = found.where(metric="AUC", group=group, contrast="none")
        assert (row.estimate, row.std_error) == pytest.approx((wanted["area"][k], wanted["area_error"][k]), rel=1e-8)


# Scores without ties: of equal scores survey takes the plain mean of weighted ranks, which the order of rows changes.
@pytest.mark.long
@pytest.mark.parametrize("which", [*LINEAR, *REPLICATED])
def test_rank_tests_are_those_of_svyranktest(answers, which):
    people, design, wanted = designed(answers, which)
    found = rows(people, "u", design)
    for k, group in enumerate("be"):
        (row,) = found.where(metric="score distribution", group=group)
        of_r = tuple(wanted[name][k] for name in ("t", "df", "p"))
        assert (row.statistic, row.df, row.p_value) == pytest.approx(of_r, rel=1e-8)


@pytest.mark.long
@pytest.mark.parametrize("which", [*LINEAR, *REPLICATED])
def test_the_test_of_all_groups_has_the_statistic_of_svyranktest_and_no_smaller_p(answers, which, monkeypatch):
    people, design, wanted = designed(answers, which)
    seen = []

    def kept(means, covariance, uncertain):
        contrast = np.column_stack([np.eye(len(means) - 1), -np.ones(len(means) - 1)])
        gaps = contrast @ means
        seen.append(gaps @ np.linalg.solve(contrast @ covariance @ contrast.T, gaps))
        return hotelling(means, covariance, uncertain)

    monkeypatch.setattr(survey, "hotelling", kept)
    (row,) = rows(people, "u", design).where(metric="score distribution", role="omnibus")
    assert seen == [pytest.approx(wanted["all"], rel=1e-8)]
    assert row.p_value >= wanted["all_p"] * (1 - 1e-9)
