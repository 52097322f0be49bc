"""Amounts against R: t.test of large samples, survey's means and ratios, quantiles' limits by counting."""

from __future__ import annotations

import numpy as np
import pytest

import fairstats as fs
from fairstats.inference.amounts.means import MeanPair, mean_of
from fairstats.inference.amounts.quantiles import Quantiles
from fairstats.inference.scores.survey import Scored
from tests.oracle.r import requires_r, run_r

SCRIPT = """
suppressPackageStartupMessages(library(survey))
d <- as.data.frame(input$data)
design <- function(ids) svydesign(ids = ids, weights = ~w, data = d)
answer <- function(ids) {
  by <- svyby(~y, ~g, design(ids), svymean, covmat = TRUE)
  list(mean = unname(coef(by)), error = as.numeric(SE(by)),
       difference = as.numeric(SE(svycontrast(by, quote(b - a)))))
}
t <- t.test(log(y) ~ g, data = d)
by <- svyby(~y, ~g, design(~1), svymean, covmat = TRUE)
gap <- svycontrast(by, quote(1 - b / a))
test <- svyttest(y ~ g, design(~1))
d$in_b <- as.numeric(d$g == "b")
d$of_b <- d$y * d$in_b
ratio <- svyratio(~of_b, ~in_b, design(~1))
fit <- lm(y ~ in_b + x, d)
list(gap = c(coef(gap), SE(gap)), ttest = c(test$estimate, test$statistic, test$p.value),
     ratio = c(coef(ratio), SE(ratio)),
     hc3 = c(coef(fit)["in_b"], sqrt(sandwich::vcovHC(fit, type = "HC3")["in_b", "in_b"])),
     cr2 = sqrt(sandwich::vcovCL(fit, d$k, type = "HC2")["in_b", "in_b"]),
     weighted = answer(~1), clustered = answer(~k), p = t$p.value, ends = as.numeric(t$conf.int),
     quantiles = lapply(split(d$y, d$g), quantile, c(.1, .5, .9), type = 2, names = FALSE))
"""


@pytest.fixture(scope="module")
def both():
    requires_r("survey")
    requires_r("sandwich")
    rng = np.random.default_rng(8)
    n = 400
    data = {
        "g": ["a"] * 250 + ["b"] * 150,
        "y": rng.lognormal(3, 0.5, n).tolist(),
        "w": rng.uniform(1, 3, n).tolist(),
        "k": rng.integers(0, 40, n).tolist(),
        "x": rng.normal(size=n).tolist(),
    }
    return {k: np.array(v) for k, v in data.items()}, run_r(SCRIPT, {"data": data})


def _side(data, group, clustered=False):
    mine = data["g"] == group
    w = data["w"][mine]
    clusters = data["k"][mine].astype(np.int64) if clustered else None
    return Scored(data["y"][mine], w, w * w, np.ones(w.size), clusters)


@pytest.mark.long
def test_weighted_means_are_surveys(both):
    """Ours are never below Kish's, which is where the linearized error hardly differs from it: within two per cent."""
    data, answers = both
    means = [mean_of(_side(data, g), sampled=True) for g in "ab"]
    assert [m.mean for m in means] == pytest.approx(answers["weighted"]["mean"], rel=1e-12)
    for mean, error in zip(means, answers["weighted"]["error"], strict=True):
        assert 0.999 < mean.std_error / error < 1.08
    assert 0.999 < MeanPair(means[1], means[0]).error()[0] / answers["weighted"]["difference"] < 1.08


@pytest.mark.long
def test_clustered_means_are_surveys_but_for_the_jackknife(both):
    data, answers = both
    means = [mean_of(_side(data, g, clustered=True)) for g in "ab"]
    assert [m.mean for m in means] == pytest.approx(answers["clustered"]["mean"], rel=1e-12)
    for mean, error in zip(means, answers["clustered"]["error"], strict=True):
        assert 1.0 < mean.std_error / error < 1.05  # 1 - s of each cluster in the denominator
    assert 1.0 < MeanPair(means[1], means[0]).error()[0] / answers["clustered"]["difference"] < 1.05


def test_logarithms_have_welchs_test(both):
    """The larger of Welch's p and of that corrected for skewness: logarithms of lognormal amounts have hardly any."""
    data, answers = both
    sides = [np.log(data["y"][data["g"] == g]) for g in "ab"]
    one = [mean_of(Scored(v, np.ones(v.size), np.ones(v.size), np.ones(v.size))) for v in sides]
    pair = MeanPair(*one)
    assert answers["p"] * (1 - 1e-9) <= pair.p_value < answers["p"] + 0.02
    low, high = pair.difference_limits(0.95)
    assert low <= answers["ends"][0] + 1e-8
    assert answers["ends"][1] - 1e-8 <= high
    assert high - low < 1.02 * (answers["ends"][1] - answers["ends"][0])


def test_quantiles_are_those_of_type_two(both):
    data, answers = both
    for group in "ab":
        y = data["y"][data["g"] == group]
        one = np.ones(y.size)
        ours = [Quantiles(Scored(y, one, one, one)).at(share) for share in (0.1, 0.5, 0.9)]
        assert ours == pytest.approx(answers["quantiles"][group], rel=1e-12)


def test_the_gap_of_weighted_means_is_survey_s(both):
    """Its limits are Fieller's, which a normal interval of the same error comes close to in hundreds of people."""
    data, answers = both
    pair = MeanPair(*(mean_of(_side(data, g), sampled=True) for g in "ba"))
    estimate, error = answers["gap"]
    assert 1 - pair.ratio == pytest.approx(estimate, rel=1e-10)
    low, high = pair.ratio_limits(0.95)
    assert 0.98 < (high - low) / (2 * 1.96 * error) < 1.1


def test_the_test_of_weighted_means_is_svyttest_s(both):
    data, answers = both
    pair = MeanPair(*(mean_of(_side(data, g), sampled=True) for g in "ba"))
    difference, t, p = answers["ttest"]
    assert pair.difference == pytest.approx(difference, rel=1e-10)
    assert 0.93 < pair.difference / pair.error()[0] / t < 1.001
    assert p * 0.95 < pair.p_value < p + 0.06


def test_a_group_s_mean_is_svyratio_s(both):
    data, answers = both
    mean = mean_of(_side(data, "b"), sampled=True)
    assert mean.mean == pytest.approx(answers["ratio"][0], rel=1e-12)
    assert 0.999 < mean.std_error / answers["ratio"][1] < 1.08


@pytest.mark.parametrize("clusters", [None, "k"])
def test_the_group_s_coefficient_has_the_errors_of_sandwich(both, clusters):
    data, answers = both
    rows = fs.adjusted_gap(data, "y", "g", adjust_for=["x"], reference="a", clusters=clusters)
    plain = next(row for row in rows if row.metric == "group coefficient")
    assert plain.estimate == pytest.approx(answers["hc3"][0], rel=1e-9)
    assert plain.std_error == pytest.approx(answers["cr2"] if clusters else answers["hc3"][1], rel=1e-9)


@pytest.mark.long
def test_quantile_differences_are_quantreg_s():
    """At a share of which no whole number of people lie below, where the minimum is unique."""
    requires_r("quantreg")
    rng = np.random.default_rng(9)
    x, y = rng.lognormal(3, 0.5, 150), rng.lognormal(3.1, 0.5, 250)
    script = """
    d <- data.frame(v = c(input$x, input$y), g = rep(1:0, c(length(input$x), length(input$y))))
    sapply(c(.33, .77), function(tau) coef(quantreg::rq(v ~ g, tau, d))[["g"]])
    """
    ours = [fs.stats.quantile_difference(x, y, share).estimate for share in (0.33, 0.77)]
    assert ours == pytest.approx(run_r(script, {"x": x.tolist(), "y": y.tolist()}), rel=1e-8)


def test_the_group_s_coefficient_has_the_degrees_of_freedom_of_clubsandwich(both):
    data, _ = both
    requires_r("clubSandwich")
    script = """
    d <- as.data.frame(input$data)
    fit <- lm(y ~ I(g == "b") + x, d)
    tested <- clubSandwich::coef_test(fit, vcov = "CR2", cluster = d$k, test = "Satterthwaite")
    c(tested$SE[2], tested$df_Satt[2])
    """
    rows = fs.adjusted_gap(data, "y", "g", adjust_for=["x"], reference="a", clusters="k")
    plain = next(row for row in rows if row.metric == "group coefficient")
    assert [plain.std_error, plain.df] == pytest.approx(run_r(script, {"data": data}), rel=1e-6)
