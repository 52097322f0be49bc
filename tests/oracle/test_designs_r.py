"""Standard errors under probability weights and clusters, against R's survey."""

from __future__ import annotations

import numpy as np
import pytest

import fairstats as fs
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
    made = {
        "g": ["a"] * couples + ["b"] * couples + ["e"] * 30,
        "d": [*first.tolist(), *(1 - first).tolist(), *rng.integers(0, 2, 30).tolist()],
        "w": rng.uniform(1, 3, 2 * couples + 30).tolist(),
        "k": [*range(couples), *range(couples), *rng.integers(0, 12, 30).tolist()],
    }
    answers = run_r(SCRIPT, {"made": made})
    return {"api": answers["api"]["data"], "made": made}, answers


@pytest.mark.parametrize("design", ["clustered", "weighted"])
@pytest.mark.parametrize("which", ["api", "made"])
def test_standard_errors_of_rates_differences_and_ratios_are_those_of_survey(pairs, which, design):
    data, answers = pairs
    arguments = {"clusters": "k"} if design == "clustered" else {}
    rows = fs.audit(
        data[which],
        decision="d",
        groups="g",
        reference="a",
        weights="w",
        weight_type="probability",
        adjust="none",
        **arguments,
    ).estimates.where(metric="selection rate", role="main")
    wanted = answers[which][design]
    for group, rate, error in zip("abe", wanted["rate"], wanted["error"], strict=True):
        (row,) = rows.where(group=group, contrast="none")
        assert (row.estimate, row.std_error) == pytest.approx((rate, error), rel=1e-10)
    for group in "be":
        found = [rows.where(group=group, contrast=c)[0].std_error for c in ("difference", "ratio")]
        assert found == pytest.approx(wanted[group], rel=1e-10)


def test_a_difference_within_couples_is_less_certain_than_two_independent_rates(pairs):
    """Where one is chosen the other is not: the covariance is negative and the error of the difference larger."""
    data, _ = pairs
    rows = fs.audit(data["made"], decision="d", groups="g", reference="a", clusters="k").estimates
    rows = rows.where(metric="selection rate", role="main")
    gap = rows.where(group="b", contrast="difference")[0].std_error
    alone = [rows.where(group=g, contrast="none")[0].std_error for g in "ab"]
    assert gap > 1.2 * np.hypot(*alone)
