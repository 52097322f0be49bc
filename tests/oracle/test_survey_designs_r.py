"""Whole designs of surveys (strata, finite populations, nested and single units, replicates) against R's survey."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.special import stdtrit

import fairstats as fs
from fairstats.inference.rates.sampling import korn_graubard
from tests.oracle.r import requires_r, run_r

HEAD = """
suppressPackageStartupMessages(library(survey))
made <- as.data.frame(input$made)
"""
ANSWER = """
# Degrees of freedom from the quadratic form that a variance is, in dense matrices: of people who are independent
# (Satterthwaite), and Kish's units less strata. survey's own, units less strata, let tests reject too often where units
# are of unequal size; its limits are compared at the fewer.
free <- function(design, group) {
  at <- which(design$variables$g == group)
  replicated <- inherits(design, "svyrep.design")
  w <- weights(design, "sampling")[at]
  unit <- if (replicated) factor(design$variables$u[at]) else factor(design$cluster[at, 1])
  V <- diag(as.numeric(tapply(w^2, unit, sum)))
  size <- as.numeric(tapply(w, unit, sum))
  one <- at[match(levels(unit), unit)]
  if (replicated) {
    factors <- (weights(design, "analysis") / weights(design, "sampling"))[one, ]
    moved <- factors - if (design$mse) 1 else rowMeans(factors)
    B <- moved %*% diag(design$scale * design$rscales * rep(1, ncol(moved))) %*% t(moved)
    stratum <- rep(1, length(size))
  } else {
    stratum <- design$strata[one, 1]
    n <- design$fpc$sampsize[one, 1]
    left <- if (is.null(design$fpc$popsize)) 1 else 1 - n / design$fpc$popsize[one, 1]
    alone <- if (getOption("survey.lonely.psu") == "adjust") 1 else 0
    B <- (diag(length(n)) - outer(stratum, stratum, "==") / n) * left * n / (n - 1)
    B[n == 1, ] <- 0
    diag(B)[n == 1] <- (alone * left * rep(1, length(n)))[n == 1]
  }
  of <- B %*% V
  kish <- sum(tapply(size, as.character(stratum), function(s) sum(s)^2 / sum(s^2) - 1))
  max(1, min(degf(subset(design, g == group)), kish, sum(diag(of))^2 / sum(diag(of %*% of))))
}
gap <- function(by) as.numeric(c(SE(svycontrast(by, quote(b - a))), SE(svycontrast(by, quote(e - a)))))
answer <- function(design) {
  by <- svyby(~d, ~g, design, svymean, covmat = TRUE)
  error <- function(contrast) as.numeric(SE(svycontrast(by, contrast)))
  means <- svyby(~x, ~g, design, svymean, covmat = TRUE)
  beta <- as.numeric(attr(svyciprop(~d, subset(design, g == "a"), method = "beta"), "ci"))
  list(rate = unname(coef(by)), error = as.numeric(SE(by)), difference = c(error(quote(b - a)), error(quote(e - a))),
    ratio = c(error(quote(b / a)), error(quote(e / a))), df = free(design, "a"), beta = beta,
    most = degf(subset(design, g == "a")),
    mean = unname(coef(means)), mean_error = as.numeric(SE(means)), mean_difference = gap(means),
    quantiles = lapply(c(0.1, 0.5), function(p) {
      as.numeric(svyquantile(~x, subset(design, g == "b"), p, df = free(design, "b"))$x[, 1:3])
    }))
}
"""
DESIGNS = """
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
stages <- plain(ids = ~k + h, strata = ~s, nest = TRUE, fpc = ~N + P)
out$stages <- answer(stages)
out$stages_subset <- answer(subset(stages, x > 9))
options(survey.lonely.psu = "adjust")
out$three <- answer(plain(ids = ~k + h + i, strata = ~s, nest = TRUE, fpc = ~N + P + Q))
options(survey.lonely.psu = "fail")
set.seed(1)
two <- plain(made[made$k <= 2, ], ids = ~k, strata = ~s, nest = TRUE)
reps <- list(BRR = as.svrepdesign(two, type = "BRR"), JK1 = as.svrepdesign(plain(ids = ~u), type = "JK1"),
  JKn = as.svrepdesign(nested, type = "JKn"), bootstrap = as.svrepdesign(nested, type = "bootstrap", replicates = 40),
  mse = as.svrepdesign(nested, type = "JKn", mse = TRUE), other = as.svrepdesign(two, type = "Fay", fay.rho = 0.3))
replicates <- lapply(reps, function(r) c(answer(r), list(scale = r$scale,
  rscales = r$rscales, weights = unname(as.list(as.data.frame(weights(r, "analysis")))))))
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
    made["i"] = made.groupby("u").cumcount()
    made["h"] = made["i"] // 3  # of the second stage, whose labels begin anew in each unit
    made["drawn_h"] = made.groupby("u")["h"].transform("nunique")
    made["P"], made["Q"] = made["drawn_h"] + 2 + made["k"], made.groupby(["u", "h"])["i"].transform("size") + 1
    return made


@pytest.fixture(scope="module")
def answers():
    requires_r("survey")
    made = sample()
    return made, run_r(HEAD + ANSWER + DESIGNS, {"made": made.to_dict("list")})


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
    "stages": NESTED | {"clusters": ["k", "h"], "fpc": ["N", "P"]},
    "stages_subset": NESTED | {"clusters": ["k", "h"], "fpc": ["N", "P"], "drawn": ["drawn", "drawn_h"]},
    "three": NESTED | {"clusters": ["k", "h", "i"], "fpc": ["N", "P", "Q"], "single_units": "adjust"},
} | {rule: NESTED | {"single_units": rule} for rule in RULES}
REPLICATED = ("BRR", "JK1", "JKn", "bootstrap", "mse", "other")


def designed(answers, which):
    """The people of a design, the design, and R's answer."""
    made, of_r = answers
    if which in LINEAR:
        made = made[(made["s"] != 3) | (made["k"] == 1)] if which in RULES else made
        made = made[made["x"] > 9] if which.endswith("subset") else made
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
    df = rows.where(group="a", contrast="none")[0].df
    assert df == pytest.approx(wanted["df"], rel=1e-8) and df <= wanted["most"]


@pytest.mark.parametrize("which", ["nested", "fpc", "BRR"])
def test_limits_of_a_rare_rate_are_those_of_korn_and_graubard(answers, which):
    people, design, _ = designed(answers, which)
    mine = people[people["g"] == "a"]
    people = people.assign(few=0)
    people.loc[mine.index[mine["d"] == 1][:4], "few"] = 1
    row = fs.audit(people, "few", "g", reference="a", design=design).estimates[0]
    assert row.method.startswith("Korn-Graubard")
    assert row.group == "a" and 0 < row.conf_low < row.estimate < row.conf_high
    # the same formula as survey's svyciprop(method = "beta"), which takes degf() whatever its argument df says
    row = fs.audit(people, "d", "g", reference="a", design=design).estimates[0]
    size = row.estimate * (1 - row.estimate) / row.std_error**2
    wanted = designed(answers, which)[2]
    found = korn_graubard(row.estimate, size, len(mine), wanted["most"], 0.95)
    assert found == pytest.approx(tuple(wanted["beta"]), rel=1e-8)


@pytest.mark.parametrize("which", ["nested", "clusters", "BRR"])
def test_shares_in_quarters_have_the_limits_of_rates(answers, which):
    """Those of the score test with the design's variance; of few people those of Korn and Graubard; never below 0."""
    people, design, _ = designed(answers, which)
    lifted = people.assign(x=people["x"] + 9.0 * (people["g"] == "b"))
    rows = fs.audit(lifted, amount="x", groups="g", reference="a", design=design).estimates
    rows = [row for row in rows.where(metric="share in quarter", contrast="none") if row.std_error > 0]
    assert {row.method.split()[0] for row in rows} == {"Wilson", "Korn-Graubard"}
    for row in rows:
        p, size = row.estimate, row.estimate * (1 - row.estimate) / row.std_error**2
        assert 0 < row.conf_low < p < row.conf_high < 1
        if row.method.startswith("Wilson"):
            t = stdtrit(row.df, 0.975)
            for end in (row.conf_low, row.conf_high):
                assert (p - end) ** 2 == pytest.approx(t**2 * end * (1 - end) / size, rel=1e-8)
        else:
            n = (people["g"] == row.group).sum()
            assert (row.conf_low, row.conf_high) == pytest.approx(korn_graubard(p, size, n, row.df, 0.95), rel=1e-8)


@pytest.mark.parametrize("which", [*LINEAR, *REPLICATED])
def test_means_and_quantiles_are_those_of_survey(answers, which):
    people, design, wanted = designed(answers, which)
    rows = fs.audit(
        people, amount="x", groups="g", reference="a", design=design, p_adjust="none", quantiles=(0.1, 0.5)
    ).estimates
    means = rows.where(metric="mean amount")
    for group, mean, error in zip("abe", wanted["mean"], wanted["mean_error"], strict=True):
        (row,) = means.where(group=group, contrast="none")
        assert (row.estimate, row.std_error) == pytest.approx((mean, error), rel=1e-8)
    found = [means.where(group=group, contrast="difference")[0].std_error for group in "be"]
    assert found == pytest.approx(wanted["mean_difference"], rel=1e-8)
    for metric, (quantile, *limits) in zip(("amount quantile", "median amount"), wanted["quantiles"], strict=True):
        row = rows.where(metric=metric, group="b", contrast="none")[0]
        assert row.estimate == pytest.approx(quantile, rel=1e-12)
        limits = limits if np.isfinite(limits).all() else [np.nan, np.nan]  # one end alone is none
        # below the first amount's share survey 4.1 gives the second amount: its `last()` of nothing is the first place
        least = sorted(people.loc[people["g"] == "b", "x"])[:2]
        limits[0] = least[0] if row.conf_low == least[0] and limits[0] == least[1] else limits[0]
        assert (row.conf_low, row.conf_high) == pytest.approx(tuple(limits), rel=1e-12, nan_ok=True)


CALIBRATED = """
made$g <- factor(made$g)
made$k3 <- factor(made$s %% 3)
nested <- svydesign(data = made, weights = ~w, ids = ~k, strata = ~s, nest = TRUE, fpc = ~N)
stages <- svydesign(data = made, weights = ~w, ids = ~k + h, strata = ~s, nest = TRUE, fpc = ~N + P)
rows <- svydesign(data = made, weights = ~w, ids = ~1)
total <- sum(made$w) * 1.1
classes <- function(f) {
  t <- tapply(made$w, f, sum) * seq(0.9, 1.2, length.out = nlevels(f))
  data.frame(f = names(t), Freq = as.numeric(t / sum(t) * total))
}
groups <- setNames(classes(made$g), c("g", "Freq"))
thirds <- setNames(classes(made$k3), c("k3", "Freq"))
all <- list(
  number = calibrate(nested, ~x, c(`(Intercept)` = total, x = total * 16)),
  classes = postStratify(rows, ~g, groups),
  mixed = calibrate(stages, ~ k3 + x,
    c(`(Intercept)` = total, k31 = thirds$Freq[2], k32 = thirds$Freq[3], x = total * 16)),
  raked = rake(nested, list(~g, ~k3), list(groups, thirds), control = list(maxit = 90, epsilon = 1e-9)))
all$subset <- subset(all$mixed, x > 9)
lapply(all, function(design) {
  by <- svyby(~d, ~g, design, svymean)
  means <- svyby(~x, ~g, design, svymean)
  gap <- unname(SE(suppressWarnings(svyglm(d ~ g, design)))[c("gb", "ge")])
  list(after = unname(weights(design)), rate = unname(coef(by)), error = as.numeric(SE(by)),
    mean_error = as.numeric(SE(means)), gap = gap)
})
"""


@pytest.fixture(scope="module")
def calibrated():
    requires_r("survey")
    made = sample()
    return made, run_r(HEAD + CALIBRATED, {"made": made.to_dict("list")})


@pytest.mark.parametrize("which", ["number", "classes", "mixed", "raked", "subset"])
def test_calibrated_weights_have_the_errors_of_survey(calibrated, which):
    made, of_r = calibrated
    wanted = of_r[which]
    people = made.assign(k3="k" + (made["s"] % 3).astype(str), one=1.0, v=wanted["after"], all=of_r["mixed"]["after"])
    to = {"number": ["one", "x"], "classes": "g", "mixed": ["k3", "x"], "raked": ["g", "k3"], "subset": ["k3", "x"]}
    design = {"number": LINEAR["fpc"], "classes": {}, "raked": LINEAR["fpc"]}.get(which, LINEAR["stages"])
    # survey's residuals of raking are from unweighted means
    design = design | {"calibration": to[which], "base_weights": "one" if which == "raked" else "w"}
    if which == "subset":
        design = design | {"calibrated_weights": "all"}
    design = fs.survey_design(weights="v", **design)
    rows = fs.audit(people, "d", "g", amount="x", reference="a", design=design, p_adjust="none").estimates
    rows = rows.where(role="main")
    for i, group in enumerate("abe"):
        (rate,) = rows.where(metric="selection rate", group=group, contrast="none")
        assert (rate.estimate, rate.std_error) == pytest.approx((wanted["rate"][i], wanted["error"][i]), rel=1e-8)
        (mean,) = rows.where(metric="mean amount", group=group, contrast="none")
        assert mean.std_error == pytest.approx(wanted["mean_error"][i], rel=1e-8)
    gaps = [rows.where(metric="selection rate", group=group, contrast="difference")[0].std_error for group in "be"]
    assert gaps == pytest.approx(wanted["gap"], rel=1e-8)
