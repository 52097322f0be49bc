"""Whole designs of surveys (strata, finite populations, nested and single units, replicates) against R's survey."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fairstats as fs
from tests.oracle.r import requires_r, run_r

SCRIPT = """
suppressPackageStartupMessages(library(survey))
made <- as.data.frame(input$made)
answer <- function(design) {
  by <- svyby(~d, ~g, design, svymean, covmat = TRUE)
  error <- function(contrast) as.numeric(SE(svycontrast(by, contrast)))
  means <- svyby(~x, ~g, design, svymean, covmat = TRUE)
  beta <- as.numeric(attr(svyciprop(~d, subset(design, g == "a"), method = "beta"), "ci"))
  list(rate = unname(coef(by)), error = as.numeric(SE(by)), difference = c(error(quote(b - a)), error(quote(e - a))),
    ratio = c(error(quote(b / a)), error(quote(e / a))), df = degf(subset(design, g == "a")), beta = beta, mean = unname(coef(means)),
    mean_error = as.numeric(SE(means)),
    mean_difference = c(as.numeric(SE(svycontrast(means, quote(b - a)))), as.numeric(SE(svycontrast(means, quote(e - a))))))
}
plain <- function(data = made, ...) svydesign(data = data, weights = ~w, ...)
lonely <- made[!(made$s == 3 & made$k != 1), ]
ruled <- function(rule) { options(survey.lonely.psu = rule); answer(plain(lonely, ids = ~k, strata = ~s, nest = TRUE)) }
nested <- plain(ids = ~k, strata = ~s, nest = TRUE)
fpc <- plain(ids = ~k, strata = ~s, nest = TRUE, fpc = ~N)
subsets <- answer(subset(fpc, x > 9))
out <- list(
  nested = answer(nested), unique = answer(plain(ids = ~u, strata = ~s)), rows = answer(plain(ids = ~1, strata = ~s)),
  fpc = answer(fpc), share = answer(plain(ids = ~k, strata = ~s, nest = TRUE, fpc = ~f)), subset = subsets,
  rows_fpc = answer(plain(ids = ~1, strata = ~s, fpc = ~M)), clusters = answer(plain(ids = ~u)))
for (rule in c("certainty", "adjust", "average")) out[[rule]] <- ruled(rule)
options(survey.lonely.psu = "fail")
set.seed(1)
two <- plain(made[made$k <= 2, ], ids = ~k, strata = ~s, nest = TRUE)
reps <- list(BRR = as.svrepdesign(two, type = "BRR"), JK1 = as.svrepdesign(plain(ids = ~u), type = "JK1"),
  JKn = as.svrepdesign(nested, type = "JKn"), bootstrap = as.svrepdesign(nested, type = "bootstrap", replicates = 40),
  mse = as.svrepdesign(nested, type = "JKn", mse = TRUE), other = as.svrepdesign(two, type = "Fay", fay.rho = 0.3))
replicates <- lapply(reps, function(r) c(answer(r), list(weights = unname(as.list(as.data.frame(weights(r, "analysis")))), scale = r$scale,
  rscales = r$rscales)))
c(out, replicates = list(replicates))
"""
RULES = ("certainty", "adjust", "average")


def sample(strata: int = 6) -> pd.DataFrame:
    """Units in strata, with three groups that share them; a rare decision, an amount, a finite population."""
    rng = np.random.default_rng(21)
    rows = []
    for s in range(1, strata + 1):
        for k in range(1, 3 + s % 3):
            effect = rng.normal(0, 0.3)
            for _ in range(rng.integers(8, 16)):
                g = rng.choice(["a", "b", "e"], p=[0.5, 0.3, 0.2])
                p = 0.2 + 0.2 * (g == "b") + 0.1 * effect + 0.03 * s
                x = np.round(np.exp(rng.normal(2.5 + 0.1 * s + effect, 0.4)), 2)
                rows.append((s, k, 100 * s + k, g, int(rng.random() < p), x, rng.uniform(1, 3)))
    made = pd.DataFrame(rows, columns=["s", "k", "u", "g", "d", "x", "w"])
    made["N"] = made["s"].map({s: 9 + 2 * s for s in range(1, strata + 1)})
    made["drawn"] = made.groupby("s")["k"].transform("nunique")
    made["f"] = made["drawn"] / made["N"]
    made["M"] = made["s"] * 40 + 60
    return made


@pytest.fixture(scope="module")
def answers():
    requires_r("survey")
    made = sample()
    return made, run_r(SCRIPT, {"made": made.to_dict("list")})


NESTED = {"strata": "s", "clusters": "k", "nest": True}
LINEAR = {
    "nested": NESTED,
    "unique": {"strata": "s", "clusters": "u"},
    "rows": {"strata": "s"},
    "rows_fpc": {"strata": "s", "fpc": "M"},
    "fpc": NESTED | {"fpc": "N"},
    "share": NESTED | {"fpc": "f"},
    "subset": NESTED | {"fpc": "N", "drawn": "drawn"},
    "clusters": {"clusters": "u"},
} | {rule: NESTED | {"single_units": rule} for rule in RULES}
REPLICATED = ("BRR", "JK1", "JKn", "bootstrap", "mse", "other")


def designed(answers, which):
    """The people of a design, the design, and R's answer."""
    made, of_r = answers
    if which in LINEAR:
        made = made[(made["s"] != 3) | (made["k"] == 1)] if which in RULES else made
        made = made[made["x"] > 9] if which == "subset" else made
        return made, fs.survey_design(weights="w", **LINEAR[which]), of_r[which]
    wanted = of_r["replicates"][which]
    made = made[made["k"] <= 2] if which in ("BRR", "other") else made
    weights = np.array(wanted["weights"]).T
    names = [f"r{i}" for i in range(weights.shape[1])]
    people = pd.concat([made.reset_index(drop=True), pd.DataFrame(weights, columns=names)], axis=1)
    rules = {"kind": "JKn" if which == "mse" else which, "mse": which == "mse"}
    if which in ("JKn", "mse"):
        rules["rscales"] = wanted["rscales"]
    if which in ("other", "bootstrap"):
        rules["scale"] = wanted["scale"]
        rules["rscales"] = wanted["rscales"]
    return people, fs.survey_design(weights="w", replicate_weights="r*", **rules), wanted


@pytest.mark.parametrize("which", [*LINEAR, *REPLICATED])
def test_errors_of_rates_differences_and_ratios_and_degrees_of_freedom_are_those_of_survey(answers, which):
    people, design, wanted = designed(answers, which)
    rows = fs.audit(people, "d", "g", reference="a", design=design, p_adjust="none").estimates
    rows = rows.where(metric="selection rate", role="main")
    for group, rate, error in zip("abe", wanted["rate"], wanted["error"], strict=True):
        (row,) = rows.where(group=group, contrast="none")
        assert (row.estimate, row.std_error) == pytest.approx((rate, error), rel=1e-8)
    for contrast in ("difference", "ratio"):
        found = [rows.where(group=group, contrast=contrast)[0] for group in "be"]
        assert [row.std_error for row in found] == pytest.approx(wanted[contrast], rel=1e-8)
    assert rows.where(group="a", contrast="none")[0].df == wanted["df"]
