"""Amounts against R: t.test of large samples, survey's means and ratios, quantiles' limits by counting."""

from __future__ import annotations

import numpy as np
import pytest

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
list(weighted = answer(~1), clustered = answer(~k), p = t$p.value, ends = as.numeric(t$conf.int),
     quantiles = lapply(split(d$y, d$g), quantile, c(.1, .5, .9), type = 2, names = FALSE))
"""


@pytest.fixture(scope="module")
def both():
    requires_r("survey")
    rng = np.random.default_rng(8)
    n = 400
    data = {
        "g": ["a"] * 250 + ["b"] * 150,
        "y": rng.lognormal(3, 0.5, n).tolist(),
        "w": rng.uniform(1, 3, n).tolist(),
        "k": rng.integers(0, 40, n).tolist(),
    }
    return {k: np.array(v) for k, v in data.items()}, run_r(SCRIPT, {"data": data})


def _side(data, group, clustered=False):
    mine = data["g"] == group
    w = data["w"][mine]
    clusters = data["k"][mine].astype(np.int64) if clustered else None
    return Scored(data["y"][mine], w, w * w, np.ones(w.size), clusters)


def test_weighted_means_are_surveys(both):
    """Ours are never below Kish's, which is where the linearized error hardly differs from it: within two per cent."""
    data, answers = both
    means = [mean_of(_side(data, g), sampled=True) for g in "ab"]
    assert [m.mean for m in means] == pytest.approx(answers["weighted"]["mean"], rel=1e-12)
    for mean, error in zip(means, answers["weighted"]["error"], strict=True):
        assert 0.999 < mean.std_error / error < 1.08
    assert 0.999 < MeanPair(means[1], means[0]).error()[0] / answers["weighted"]["difference"] < 1.08


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
