"""Standard errors under probability weights and clusters, against R's survey."""

from __future__ import annotations

import numpy as np
import pytest

import fairstats
from fairstats.inference.rates.survey import rao_scott, rates_of_clusters, survey_rate
from tests.oracle.r import requires_r, run_r

SCRIPT = """
suppressPackageStartupMessages(library(survey))
data(api)
answer <- function(data, ids) {
  design <- svydesign(ids = ids, weights = ~w, data = data)
  by <- svyby(~d, ~g, design, svymean, covmat = TRUE)
  error <- function(contrast) as.numeric(SE(svycontrast(by, contrast)))
  gaps <- list(c(error(quote(b - a)), error(quote(b / a))), c(error(quote(e - a)), error(quote(e / a))))
  list(rate = unname(coef(by)), error = as.numeric(SE(by)), b = gaps[[1]], e = gaps[[2]])
}
school <- c(E = "a", H = "b", M = "e")[as.character(apiclus1$stype)]
clus <- with(apiclus1, data.frame(g = school, d = as.numeric(awards == "Yes"), w = pw, k = dnum))
made <- as.data.frame(input$made)
list(
  api = list(data = as.list(clus), clustered = answer(clus, ~k), weighted = answer(clus, ~1)),
  made = list(clustered = answer(made, ~k), weighted = answer(made, ~1))
)
"""


@pytest.fixture(scope="module")
def pairs():
    """Couples, exactly one of whom is chosen, beside a third group; and R's answers."""
    requires_r("survey")
    rng = np.random.default_rng(5)
    couples = 60
    first = rng.integers(0, 2, couples)
    entries = {
        "g": ["a"] * couples + ["b"] * couples + ["e"] * 30,
        "d": [*first.tolist(), *(1 - first).tolist(), *rng.integers(0, 2, 30).tolist()],
        "w": rng.uniform(1, 3, 2 * couples + 30).tolist(),
        "k": [*range(couples), *range(couples), *rng.integers(0, 12, 30).tolist()],
    }
    answers = run_r(SCRIPT, {"made": entries})
    return {"api": answers["api"]["data"], "made": entries}, answers


@pytest.mark.parametrize("design", ["clustered", "weighted"])
@pytest.mark.parametrize("which", ["api", "made"])
def test_standard_errors_of_rates_differences_and_ratios_are_those_of_survey(pairs, which, design):
    data, answers = pairs
    arguments = {"clusters": "k"} if design == "clustered" else {}
    rows = fairstats.audit(
        data[which],
        decision="d",
        groups="g",
        reference="a",
        weights="w",
        weight_type="probability",
        p_adjust="none",
        **arguments,
    ).estimates.where(metric="selection rate", role="main")
    wanted = answers[which][design]
    for group, rate, error in zip("abe", wanted["rate"], wanted["error"], strict=True):
        (row,) = rows.where(group=group, contrast="none")
        assert (row.estimate, row.std_error) == pytest.approx((rate, error), rel=1e-10)
    for group in "be":
        items = [rows.where(group=group, contrast=c)[0].std_error for c in ("difference", "ratio")]
        assert items == pytest.approx(wanted[group], rel=1e-10)


def test_a_difference_within_couples_is_less_certain_than_two_independent_rates(pairs):
    """Where one is chosen the other is not: the covariance is negative and the error of the difference larger."""
    data, _ = pairs
    rows = fairstats.audit(data["made"], decision="d", groups="g", reference="a", clusters="k").estimates
    rows = rows.where(metric="selection rate", role="main")
    gap = rows.where(group="b", contrast="difference")[0].std_error
    alone = [rows.where(group=g, contrast="none")[0].std_error for g in "ab"]
    assert gap > 1.2 * np.hypot(*alone)


def test_one_rate_is_svymean_and_the_test_of_all_groups_is_near_svychisq():
    """R's chi-square takes another first-order form of the same covariance; they agree to a few parts in a thousand."""
    requires_r("survey")
    rng = np.random.default_rng(0)
    data = {"y": rng.integers(0, 2, 200), "g": rng.integers(0, 3, 200), "w": rng.gamma(2, 3, 200)}
    data["k"] = rng.integers(0, 15, 200)
    script = """
    suppressPackageStartupMessages(library(survey))
    d <- data.frame(y = unlist(input$y), g = factor(unlist(input$g)), w = unlist(input$w), k = unlist(input$k))
    lapply(list(people = ~1, clusters = ~k), function(ids) {
      design <- svydesign(ids = ids, weights = ~w, data = d)
      test <- svychisq(~y + g, design, statistic = "F")
      rate <- svymean(~y, design)
      list(test = c(test$statistic[[1]], test$parameter), rate = c(as.numeric(coef(rate)), as.numeric(SE(rate))))
    })
    """
    answers = run_r(script, data)
    for name, clusters in (("people", None), ("clusters", data["k"])):
        result = survey_rate(data["y"], data["w"], clusters)
        assert (result.rate, result.std_error) == pytest.approx(tuple(answers[name]["rate"]), rel=1e-12)
        assert rao_scott(data["y"], data["g"], data["w"], clusters)[:3] == pytest.approx(
            tuple(answers[name]["test"]), rel=5e-3
        )


def test_the_estimator_tested_in_the_grid_is_the_one_of_an_audit():
    """``benchmarks/coverage/designs.py`` calls it on sums of clusters, an audit on people."""
    rng = np.random.default_rng(8)
    k, g = rng.integers(0, 9, 300), rng.integers(0, 2, 300)
    y = (rng.random(300) < 0.2 + 0.05 * k).astype(int)
    rows = fairstats.audit(
        {"g": np.array(["a", "b"])[g], "d": y, "k": k}, "d", "g", reference="a", clusters="k"
    ).estimates
    d = np.column_stack([np.bincount(k, g == v, 9) for v in (0, 1)]).astype(float)
    e = np.column_stack([np.bincount(k, (g == v) * y, 9) for v in (0, 1)])
    pair = rates_of_clusters(e, d, d.sum(axis=0), 9).pair(1, 0)
    (gap,) = rows.where(metric="selection rate", role="main", contrast="difference")
    (ratio,) = rows.where(metric="selection rate", role="main", contrast="ratio")
    assert (gap.p_value, gap.df, gap.std_error) == pytest.approx((pair.p_value, pair.df, pair.std_error))
    assert (gap.conf_low, gap.conf_high) == pytest.approx(pair.limits(0.95))
    assert (ratio.conf_low, ratio.conf_high) == pytest.approx(pair.ratio_limits(0.95))
