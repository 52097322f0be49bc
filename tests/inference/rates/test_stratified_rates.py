"""Rates within strata: formulas written out, statsmodels, survey's delta method, the estimand, coverage."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr
from scipy.stats import t
from statsmodels.stats.contingency_tables import StratifiedTable

from fairstats.errors import InputError
from fairstats.inference.rates.strata import cmh_test, stratified_rates
from fairstats.inference.rates.strata_rows import pooled_shortfall, stratified_rates_from_data
from fairstats.inference.rates.two_rates import newcombe
from tests.oracle.r import requires_r, run_r

SIZE = st.integers(2, 60)
STRATUM = st.tuples(SIZE, SIZE).flatmap(
    lambda n: st.tuples(st.integers(0, n[0]), st.just(n[0]), st.integers(0, n[1]), st.just(n[1]))
)
STRATA = st.lists(STRATUM, min_size=1, max_size=6).map(lambda rows: tuple(np.array(v) for v in zip(*rows, strict=True)))


def people_of(e1, n1, e0, n0):
    """One row a person: outcome, group, stratum."""
    rows = []
    for k, (a, n, c, m) in enumerate(zip(e1, n1, e0, n0, strict=True)):
        rows += [(1, True, k)] * a + [(0, True, k)] * (n - a) + [(1, False, k)] * c + [(0, False, k)] * (m - c)
    y, group, strata = zip(*rows, strict=True)
    return np.array(y), np.array(group), np.array(strata)


@given(STRATA)
def test_the_difference_and_its_variance_are_those_of_greenland_and_robins_and_of_qiu(strata):
    e1, n1, e0, n0 = strata
    n = n1 + n0
    ours = stratified_rates(*strata)
    total = (n1 * n0 / n).sum()
    assert ours.difference == pytest.approx(((e1 * n0 - e0 * n1) / n).sum() / total, abs=1e-12)
    # Qiu et al. (2025): each binomial variance with n - 1
    pieces = n0**2 * e1 * (n1 - e1) / (n1 * (n1 - 1)) * n1 + n1**2 * e0 * (n0 - e0) / (n0 * (n0 - 1)) * n0
    assert ours.std_error == pytest.approx(math.sqrt((pieces / n**2).sum() / 1) / total, abs=1e-12)


@given(STRATA)
def test_the_ratio_is_statsmodels(strata):
    e1, n1, e0, n0 = strata
    ours = stratified_rates(*strata)
    if e0.sum() and e1.sum():
        theirs = StratifiedTable(
            [np.array([[a, n - a], [c, m - c]]) for a, n, c, m in zip(e1, n1, e0, n0, strict=True)]
        )
        assert ours.ratio == pytest.approx(theirs.riskratio_pooled, rel=1e-9)


@pytest.mark.long
@given(STRATA)
def test_exchanging_the_groups_turns_difference_and_ratio_around(strata):
    e1, n1, e0, n0 = strata
    a, b = stratified_rates(*strata), stratified_rates(e0, n0, e1, n1)
    assert a.limits() == pytest.approx(tuple(-v for v in b.limits()[::-1]), abs=1e-12)
    low, high = a.ratio_limits()
    back = b.ratio_limits()
    if low > 0 and high < np.inf:
        assert (low, high) == pytest.approx((1 / back[1], 1 / back[0]), rel=1e-6)
    if a.ratio > 0 and a.ratio < np.inf:
        assert low <= a.ratio * (1 + 1e-9)
        assert a.ratio <= high * (1 + 1e-9)


def test_one_large_stratum_is_newcombes_interval():
    low, high = stratified_rates([5600], [7000], [4800], [8000]).limits()
    assert (low, high) == pytest.approx([float(v) for v in newcombe(5600, 7000, 4800, 8000)], abs=2e-5)


def test_strata_in_which_nobody_was_selected_belong_in_the_average():
    # two departments: 200 people of whom some were selected, 800 of whom nobody was
    table = ([30, 0], [100, 400], [60, 0], [100, 400])
    ours = stratified_rates(*table)
    assert ours.difference == pytest.approx(-0.06)
    assert stratified_rates(*table, standard="everybody").difference == pytest.approx(-0.06)
    assert (ours.n1, ours.n0, ours.left_out, ours.strata) == (500, 500, 0, 2)


def test_strata_without_one_of_the_groups_are_left_out_and_counted():
    ours = stratified_rates([3, 5], [10, 9], [4, 0], [12, 0])
    assert ours.difference == pytest.approx(3 / 10 - 4 / 12)
    assert (ours.left_out, ours.strata) == (9, 1)
    nothing = stratified_rates([3], [10], [0], [0])
    assert math.isnan(nothing.limits()[0])
    assert nothing.reason == "no stratum has people of both groups"


def test_standardization_weights_the_strata_as_declared():
    e1, n1, e0, n0 = (np.array(v) for v in ([5, 30], [10, 90], [20, 5], [80, 20]))
    gaps = e1 / n1 - e0 / n0
    for standard, weights in (("everybody", n1 + n0), ("group", n1), ([0.5, 0.5], np.ones(2))):
        ours = stratified_rates(e1, n1, e0, n0, standard)
        assert ours.difference == pytest.approx(np.average(gaps, weights=weights))
        parts = (e1 / n1 * (1 - e1 / n1) / (n1 - 1) + e0 / n0 * (1 - e0 / n0) / (n0 - 1)) * weights**2
        assert ours.std_error == pytest.approx(math.sqrt(parts.sum()) / weights.sum())
    with pytest.raises(InputError, match="standard has"):
        stratified_rates(e1, n1, e0, n0, "nobody")


def test_a_declared_population_weights_the_strata_as_it_is_spread():
    """By the definition; and the people of the group, or everybody, declared are the standards of those names."""
    table = np.array([10, 4, 2.0]), np.array([20, 12, 9.0]), np.array([15, 9, 8.0]), np.array([22, 14, 11.0])
    e1, n1, e0, n0 = table
    w = np.array([1, 2, 5.0])
    current = stratified_rates(*table, w)
    assert current.difference == pytest.approx((w / w.sum()) @ (e1 / n1 - e0 / n0))
    assert current.ratio == pytest.approx((w @ (e1 / n1)) / (w @ (e0 / n0)))
    assert current.estimand.endswith("weighted as declared")
    for weights, name in ((n1, "group"), (3 * (n1 + n0), "everybody")):
        declared, named = stratified_rates(*table, weights), stratified_rates(*table, name)
        assert declared.limits() == pytest.approx(named.limits())
        assert declared.ratio_limits() == pytest.approx(named.ratio_limits())
    alone = stratified_rates(*table, [0, 1, 0])
    assert (alone.difference, alone.left_out) == (pytest.approx(e1[1] / n1[1] - e0[1] / n0[1]), 42 + 20)


@pytest.mark.long
@given(STRATA)
def test_the_shortfall_is_the_difference_in_people_and_its_deviations_the_cmh_test(strata):
    ours, missing = stratified_rates(*strata), pooled_shortfall(*strata)
    assert missing.people == pytest.approx(-ours.total * ours.difference, abs=1e-9)
    statistic = cmh_test(*strata, correct=False)[0]
    if not math.isnan(statistic):
        assert missing.deviations**2 == pytest.approx(statistic, rel=1e-9, abs=1e-12)


@given(STRATA)
def test_people_of_weight_one_are_counts(strata):
    ours, plain = stratified_rates_from_data(*people_of(*strata)), stratified_rates(*strata)
    assert ours.limits() == pytest.approx(plain.limits(), abs=1e-12)
    weighted = stratified_rates_from_data(*people_of(*strata), weights=np.full(int(sum(strata[1] + strata[3])), 7.0))
    assert weighted.difference == pytest.approx(plain.difference, abs=1e-12)
    assert weighted.std_error == pytest.approx(plain.std_error, abs=1e-12)


@pytest.mark.long
def test_clusters_have_surveys_delta_method():
    requires_r("survey")
    rng = np.random.default_rng(8)
    n = 300
    data = {
        "g": rng.integers(0, 2, n).tolist(),
        "s": rng.integers(0, 2, n).tolist(),
        "cluster": rng.integers(0, 12, n).tolist(),
        "w": rng.uniform(0.5, 3, n).round(3).tolist(),
    }
    data["y"] = (rng.random(n) < 0.2 + 0.3 * np.array(data["g"]) * np.array(data["s"])).astype(int).tolist()
    script = """
    suppressMessages(library(survey))
    d <- as.data.frame(input)
    for (s in 0:1) for (g in 0:1) {
      d[[paste0("n", g, s)]] <- as.numeric(d$g == g & d$s == s)
      d[[paste0("e", g, s)]] <- as.numeric(d$g == g & d$s == s & d$y == 1)
    }
    design <- svydesign(ids = ~cluster, weights = ~w, data = d)
    t <- svytotal(~n00 + n10 + n01 + n11 + e00 + e10 + e01 + e11, design)
    mh <- quote(((e10 * n00 - e00 * n10) / (n10 + n00) + (e11 * n01 - e01 * n11) / (n11 + n01)) /
                (n10 * n00 / (n10 + n00) + n11 * n01 / (n11 + n01)))
    all <- quote(((n10 + n00) * (e10 / n10 - e00 / n00) + (n11 + n01) * (e11 / n11 - e01 / n01)) /
                 (n10 + n00 + n11 + n01))
    one <- quote((n10 * (e10 / n10 - e00 / n00) + n11 * (e11 / n11 - e01 / n01)) / (n10 + n11))
    lapply(list(mh, all, one), function(what) {
      v <- svycontrast(t, what); c(as.numeric(coef(v)), as.numeric(SE(v)))
    })
    """
    answers = run_r(script, data)
    for standard, (estimate, error) in zip(("mantel-haenszel", "everybody", "group"), answers, strict=True):
        ours = stratified_rates_from_data(
            data["y"],
            np.array(data["g"]) == 1,
            data["s"],
            weights=data["w"],
            clusters=data["cluster"],
            standard=standard,
        )
        assert (ours.difference, ours.std_error) == pytest.approx((estimate, error), rel=1e-7)
        assert 9 < ours.df < 11  # 12 clusters of unequal size
        low, high = ours.limits(0.9)
        assert 1 < (high - low) / (2 * t.ppf(0.95, ours.df) * error) < 1.3


def test_equal_clusters_that_hold_both_groups_have_one_degree_of_freedom_less():
    rng = np.random.default_rng(0)
    clusters, group = np.repeat(np.arange(10), 12), np.tile([True, False], 60)
    result = stratified_rates_from_data(rng.integers(0, 2, 120), group, np.arange(120) // 2 % 3, clusters=clusters)
    assert result.df == pytest.approx(9, rel=0.02)  # the clusters' shares of the strata differ a little


def test_standardization_to_strata_with_two_people_of_a_group_covers():
    """81% before: two people of the reference in the stratum that weighs most, often both with the property."""
    rates, draws = np.array([0.1, 0.3, 0.5, 0.7, 0.9]), 400
    n1, n0 = np.array([2, 4, 10, 30, 60]), np.array([200, 100, 20, 5, 2])
    rng, inside = np.random.default_rng(12), 0
    for _ in range(draws):
        low, high = stratified_rates(rng.binomial(n1, rates), n1, rng.binomial(n0, rates), n0, "everybody").limits()
        inside += low <= 0 <= high
    assert inside / draws >= 0.93


@pytest.mark.long
def test_uneven_weights_and_unequal_numbers_of_clusters_do_not_reject_too_often():
    """12 and 9% before: 50 against 200 people of lognormal weights; 8 clusters against 60."""
    rejected, draws = np.zeros(2), 500
    for seed in range(draws):
        rng = np.random.default_rng(seed)
        group, strata = np.arange(250) < 50, rng.integers(0, 3, 250)
        y = rng.random(250) < 0.2 + 0.1 * strata
        weighted = stratified_rates_from_data(y, group, strata, weights=np.exp(rng.normal(0, 1, 250)))
        k = np.repeat(np.arange(68), 8)
        strata = rng.integers(0, 3, k.size)
        y = rng.random(k.size) < rng.beta(1.2, 2.8, 68)[k] * (0.7 + 0.15 * strata)
        clustered = stratified_rates_from_data(y, k < 8, strata, clusters=k)
        rejected += np.array([weighted.p_value, clustered.p_value]) <= 0.05
    assert (rejected / draws <= 0.08).all()


def test_too_few_clusters_are_not_estimable():
    y, group, strata = people_of([5], [10], [4], [10])
    ours = stratified_rates_from_data(y, group, strata, clusters=np.arange(20) % 3)
    assert ours.reason == "fewer than four clusters in a group"
    assert math.isnan(ours.limits()[0])
    assert math.isnan(ours.p_value)


def coverage(draw, reps=400):
    rng, inside = np.random.default_rng(21), 0
    for _ in range(reps):
        n1, n0, p1, p0 = draw(rng)
        ours = stratified_rates(rng.binomial(n1, p1), n1, rng.binomial(n0, p0), n0)
        weight = n1 * n0 / np.maximum(n1 + n0, 1)
        low, high = ours.limits()
        inside += low <= weight @ (p1 - p0) / weight.sum() <= high
    return inside / reps


def test_limits_cover_the_average_of_unequal_differences_in_many_small_strata():
    def draw(rng):
        n1 = rng.binomial(5, 0.4, 40)
        p0 = rng.uniform(0.1, 0.9, 40)
        return n1, 5 - n1, np.clip(p0 + rng.normal(0.1, 0.3, 40), 0, 1), p0

    assert coverage(draw) > 0.92


def test_limits_cover_where_rates_are_rare_and_the_group_small():
    # a Wald interval with any variance covers 71%
    def draw(rng):
        return np.full(3, 8), np.full(3, 200), np.full(3, 0.05), np.full(3, 0.05)

    assert coverage(draw) > 0.92


def test_equivalence_agrees_with_the_limits():
    rng = np.random.default_rng(31)
    n1, n0 = np.full(6, 120), np.full(6, 200)
    result = stratified_rates(rng.binomial(n1, 0.3), n1, rng.binomial(n0, 0.3), n0)
    for margin in (0.03, 0.06, 0.1, 0.2):
        p = result.p_equivalence(margin)
        for alpha in (0.001, 0.01, 0.05, 0.2):
            low, high = result.limits(1 - 2 * alpha)
            assert (p < alpha) == (-margin < low and high < margin)
    # in large samples it is two one-sided z-tests
    z = (0.1 - abs(result.difference)) / result.std_error
    assert result.p_equivalence(0.1) == pytest.approx(ndtr(-z), rel=0.3)
    assert stratified_rates([9], [10], [1], [10]).p_equivalence(0.1) == 1.0
    with pytest.raises(InputError, match="not between 0 and 1"):
        result.p_equivalence(0)


def test_shares_that_add_up_to_a_little_more_than_1_make_no_rate_above_1():
    rng = np.random.default_rng(5)
    for _ in range(50):
        n = rng.uniform(5, 90, (2, 3))
        result = stratified_rates(n[0] / 2, n[0], n[1], n[1])
        assert result.rate0 <= 1 and result.rate0 == pytest.approx(1)
