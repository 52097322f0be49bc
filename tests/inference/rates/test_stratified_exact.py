"""The exact stratified test and odds ratio: enumeration, R, statsmodels' conditional logit, size, large tables."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import hypergeom
from statsmodels.discrete.conditional_models import ConditionalLogit

from fairstats.inference.rates.rate_tests import fisher_exact, mid_p
from fairstats.inference.rates.strata import (
    cmh_test,
    conditional_law,
    conditional_odds_ratio,
    events_of_group,
    stratified_mid_p,
    stratified_rates,
)
from tests.inference.rates.test_stratified_rates import people_of
from tests.oracle.r import requires_r, run_r

SIZE = st.integers(1, 6)
STRATUM = st.tuples(SIZE, SIZE).flatmap(
    lambda n: st.tuples(st.integers(0, n[0]), st.just(n[0]), st.integers(0, n[1]), st.just(n[1]))
)
STRATA = st.lists(STRATUM, min_size=1, max_size=4).map(lambda rows: tuple(np.array(v) for v in zip(*rows, strict=True)))


def enumerated(e1, n1, e0, n0):
    """Probabilities of the group's total, by visiting every combination of tables."""
    laws = [hypergeom(a + b, c + d, a) for a, b, c, d in zip(n1, n0, e1, e0, strict=True)]
    totals: dict[int, float] = {}
    for counts in itertools.product(*(range(n + 1) for n in n1)):
        chance = math.prod(law.pmf(x) for law, x in zip(laws, counts, strict=True))
        totals[sum(counts)] = totals.get(sum(counts), 0.0) + chance
    return totals


@pytest.mark.long
@given(STRATA)
@settings(max_examples=30)
def test_the_distribution_and_the_p_value_are_those_of_all_tables(strata):
    totals = enumerated(*strata)
    law = events_of_group(*strata)
    first = int(strata[0].sum()) - sum(
        int(e1) for e1, n1, e0, n0 in zip(*strata, strict=True) if 0 < e1 + e0 < n1 + n0 and n1 and n0
    )
    for total, chance in totals.items():
        assert law.at(total - first) == pytest.approx(chance, abs=1e-12)
    p, method = stratified_mid_p(*strata)
    if not method:
        assert math.isnan(p)
        return
    here = totals[int(strata[0].sum())]
    expected = sum(v for v in totals.values() if v <= here * (1 + 1e-7)) - here / 2
    assert p == pytest.approx(expected, abs=1e-10)


@given(STRATUM)
def test_one_stratum_is_fishers_test(table):
    e1, n1, e0, n0 = table
    if 0 < e1 + e0 < n1 + n0:
        assert stratified_mid_p([e1], [n1], [e0], [n0])[0] == pytest.approx(float(mid_p(*table)), rel=1e-9)
        exact = stratified_mid_p([e1], [n1], [e0], [n0], mid=False)[0]
        assert exact == pytest.approx(float(fisher_exact(*table)), rel=1e-9)


def test_p_odds_ratio_and_limits_are_rs():
    requires_r()
    rng = np.random.default_rng(2)
    cases = [((8, 5), (10, 9), (4, 3), (10, 9)), ((30, 12), (50, 40), (20, 10), (50, 50))]
    n1, n0 = rng.integers(1, 30, 12), rng.integers(1, 60, 12)
    cases.append((rng.binomial(n1, 0.5), n1, rng.binomial(n0, 0.3), n0))
    script = """
    lapply(input$cases, function(t) {
      x <- array(0, c(2, 2, length(t[[1]])))
      for (k in seq_along(t[[1]]))
        x[, , k] <- c(t[[1]][k], t[[3]][k], t[[2]][k] - t[[1]][k], t[[4]][k] - t[[3]][k])
      m <- mantelhaen.test(x, exact = TRUE)
      as.numeric(c(m$p.value, m$estimate, m$conf.int))
    })
    """
    answers = run_r(script, {"cases": [[np.asarray(v).tolist() for v in case] for case in cases]})
    for case, theirs in zip(cases, answers, strict=True):
        ours = (stratified_mid_p(*case, mid=False)[0], *conditional_odds_ratio(*case, mid=False))
        assert ours[0] == pytest.approx(theirs[0], rel=1e-9)
        # R solves for the odds ratio with uniroot's tolerance
        assert ours[1:] == pytest.approx(theirs[1:], rel=3e-4)


@pytest.mark.long
def test_matching_limits_leave_1_out_exactly_where_r_rejects():
    requires_r()
    rng = np.random.default_rng(7)
    cases = []
    for _ in range(300):
        n1, n0 = rng.integers(2, 12, 4), rng.integers(2, 25, 4)
        cases.append((rng.binomial(n1, 0.55), n1, rng.binomial(n0, 0.3), n0))
    script = """
    sapply(input$cases, function(t) {
      x <- array(0, c(2, 2, length(t[[1]])))
      for (k in seq_along(t[[1]]))
        x[, , k] <- c(t[[1]][k], t[[3]][k], t[[2]][k] - t[[1]][k], t[[4]][k] - t[[3]][k])
      mantelhaen.test(x, exact = TRUE)$p.value
    })
    """
    theirs = run_r(script, {"cases": [[v.tolist() for v in case] for case in cases]})
    central_differs = 0
    for case, p in zip(cases, theirs, strict=True):
        law = conditional_law(*case)
        low, high = law.matching_limits(0.95, mid=False)
        assert (low > 1 or high < 1) == (p <= 0.05)
        assert law.p_value(mid=False) == pytest.approx(p, rel=1e-7, abs=1e-9)
        _, least, most = conditional_odds_ratio(*case, mid=False)
        central_differs += (least > 1 or most < 1) != (p <= 0.05)
        for odds in np.exp(np.linspace(-3, 4, 57)):  # whatever the test accepts is inside
            if law.p_value(float(np.log(odds)), mid=False) > 0.05:
                assert low <= odds <= high
    assert central_differs > 3


def test_the_odds_ratio_is_that_of_a_conditional_logistic_regression():
    rng = np.random.default_rng(4)
    n1, n0 = rng.integers(1, 4, 60), rng.integers(1, 4, 60)
    e1, e0 = rng.binomial(n1, 0.6), rng.binomial(n0, 0.4)
    varied = (e1 + e0 > 0) & (e1 + e0 < n1 + n0)  # statsmodels warns of the others
    y, group, strata = people_of(*(v[varied] for v in (e1, n1, e0, n0)))
    theirs = ConditionalLogit(y, group[:, None].astype(float), groups=strata).fit(disp=0)
    ours = conditional_odds_ratio(e1, n1, e0, n0)
    assert math.log(ours[0]) == pytest.approx(theirs.params[0], abs=1e-5)


def test_limits_leave_half_of_alpha_beyond_the_observed_sum():
    table = ([8, 5], [10, 9], [4, 3], [10, 9])
    _, low, high = conditional_odds_ratio(*table, 0.9)
    for odds, side in ((low, np.greater), (high, np.less)):
        law = events_of_group(*table, odds)
        values = law.first + np.arange(law.probabilities.size)
        assert law.probabilities[side(values, 13)].sum() + law.at(13) / 2 == pytest.approx(0.05, abs=1e-8)


def test_all_or_none_give_an_infinite_or_a_zero_odds_ratio():
    estimate, low, high = conditional_odds_ratio([5, 3], [5, 3], [2, 1], [6, 5])
    assert (estimate, high) == (np.inf, np.inf)
    assert 1 < low < np.inf
    estimate, low, high = conditional_odds_ratio([0, 0], [5, 3], [4, 3], [6, 5])
    assert (estimate, low) == (0.0, 0.0)
    assert 0 < high < 1


def test_large_strata_approach_the_normal_test():
    rng = np.random.default_rng(6)
    for people in (600_000, 2_400_000):  # on both sides of the border between the two
        n1 = np.array([people // 2] * 2)
        e1, e0 = rng.binomial(n1, 0.5), rng.binomial(n1, 0.5)
        p, method = stratified_mid_p(e1, n1, e0, n1)
        assert p == pytest.approx(cmh_test(e1, n1, e0, n1, correct=False)[1], abs=5e-4)
        assert ("exact" in method) == (people == 600_000)


def test_fractional_counts_and_strata_that_say_nothing_have_no_exact_test():
    assert math.isnan(stratified_mid_p([1.5], [4], [1], [4])[0])
    assert math.isnan(stratified_mid_p([0, 3], [4, 3], [0, 2], [4, 2])[0])
    assert math.isnan(conditional_odds_ratio([0], [4], [0], [4])[0])


def test_the_verdict_keeps_its_size_in_many_small_strata_where_the_normal_test_does_not():
    # shown: the interval excludes 0 and mid-p <= 5%; a group of one in each stratum, rare selection
    rng = np.random.default_rng(10)
    shown = wald = 0
    for _ in range(300):
        n1, n0, p = np.ones(12, int), np.full(12, 40), rng.uniform(0.01, 0.1, 12)
        e1, e0 = rng.binomial(n1, p), rng.binomial(n0, p)
        result = stratified_rates(e1, n1, e0, n0)
        low, high = result.limits()
        shown += (low > 0 or high < 0) and stratified_mid_p(e1, n1, e0, n0)[0] <= 0.05
        wald += result.std_error == 0 or abs(result.difference) > 1.96 * result.std_error
    assert shown <= 0.09 * 300
    assert wald > 0.12 * 300


@pytest.mark.parametrize("level", [1e-9, 0.01, 0.1, 0.95])
def test_limits_of_any_level_hold_the_likeliest_odds_ratio(level):
    """Found by fuzzing: at levels next to nothing, mid-p limits close in on the median-unbiased estimate."""
    tables = [0, 7, 2], [8, 9, 2], [0, 3, 11], [6, 4, 11]
    estimate, low, high = conditional_odds_ratio(*tables, conf_level=level)
    assert 0 < low <= estimate <= high < np.inf
