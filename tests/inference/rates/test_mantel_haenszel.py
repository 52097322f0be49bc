"""Strata: against statsmodels, Simpson's paradox, and strata that say nothing."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import StratifiedTable

from fairstats.inference.rates.strata import breslow_day, cmh_test, common_odds_ratio, informative
from fairstats.inference.rates.strata_rows import stratified

SIZE = st.integers(2, 60)
STRATUM = st.tuples(SIZE, SIZE).flatmap(
    lambda n: st.tuples(st.integers(1, n[0] - 1), st.just(n[0]), st.integers(1, n[1] - 1), st.just(n[1]))
)
STRATA = st.lists(STRATUM, min_size=2, max_size=6).map(lambda rows: tuple(np.array(v) for v in zip(*rows, strict=True)))


def tables(e1, n1, e0, n0):
    return StratifiedTable([np.array([[a, n - a], [c, m - c]]) for a, n, c, m in zip(e1, n1, e0, n0, strict=True)])


@pytest.mark.long
@given(STRATA)
def test_the_common_odds_ratio_and_its_interval_equal_statsmodels(strata):
    theirs = tables(*strata)
    estimate, se, low, high = common_odds_ratio(*strata)
    assert estimate == pytest.approx(theirs.oddsratio_pooled, rel=1e-9)
    assert se == pytest.approx(theirs.logodds_pooled_se, rel=1e-9)
    assert (low, high) == pytest.approx(theirs.oddsratio_pooled_confint(), rel=1e-9)


@given(STRATA)
def test_the_cmh_test_equals_statsmodels(strata):
    plain = tables(*strata).test_null_odds(correction=False)
    assert cmh_test(*strata, correct=False) == pytest.approx((plain.statistic, plain.pvalue), rel=1e-9, abs=1e-12)


@pytest.mark.long
@given(STRATA)
def test_breslow_day_equals_statsmodels_with_and_without_tarone(strata):
    # at an odds ratio of exactly 1 statsmodels divides 0 by 0
    assume(abs(common_odds_ratio(*strata)[0] - 1) > 1e-3)
    for tarone in (True, False):
        theirs = tables(*strata).test_equal_odds(adjust=tarone)
        ours = breslow_day(*strata, tarone=tarone)
        assert (ours[0], ours[2]) == pytest.approx((theirs.statistic, theirs.pvalue), rel=1e-6, abs=1e-9)


@given(STRATA)
def test_changing_the_groups_inverts_the_odds_ratio_and_keeps_the_tests(strata):
    e1, n1, e0, n0 = strata
    estimate, se, low, high = common_odds_ratio(*strata)
    back = common_odds_ratio(e0, n0, e1, n1)
    assert back == pytest.approx((1 / estimate, se, 1 / high, 1 / low))
    assert cmh_test(e0, n0, e1, n1) == pytest.approx(cmh_test(*strata))


@pytest.mark.long
@given(STRATA, st.integers(1, 20))
def test_a_stratum_that_says_nothing_changes_nothing_and_is_counted(strata, size):
    silent = [(0, size, 0, size), (size, size, size, size), (0, 0, 3, 5), (2, 4, 0, 0), (0, 1, 0, 0)]
    longer = tuple(np.append(v, [row[k] for row in silent]) for k, v in enumerate(strata))
    for function in (common_odds_ratio, cmh_test, breslow_day):
        assert function(*longer) == pytest.approx(function(*strata), nan_ok=True)
    assert informative(*longer).dropped == 5
    assert stratified(*longer)[0].reason.startswith(f"5 of {len(strata[0]) + 5} strata say nothing")


def test_berkeley_admissions_turn_round_within_departments():
    # Bickel, Hammel & O'Connell (1975): admitted and applied, women against men, departments A to F
    women = np.array([89, 17, 202, 131, 94, 24]), np.array([108, 25, 593, 375, 393, 341])
    men = np.array([512, 353, 120, 138, 53, 22]), np.array([825, 560, 325, 417, 191, 373])
    pooled = common_odds_ratio(women[0].sum(), women[1].sum(), men[0].sum(), men[1].sum())[0]
    within = common_odds_ratio(*women, *men)[0]
    assert pooled < 0.6
    assert within == pytest.approx(1.105, abs=0.001)
    assert cmh_test(*women, *men)[1] > 0.1
    assert breslow_day(*women, *men)[2] < 0.01


def test_the_continuity_correction_never_changes_the_sign():
    # a deviation below one half is not pushed past zero
    assert cmh_test([2], [5], [2], [5], correct=True)[0] == 0
    statistic = cmh_test([3], [7], [2], [6], correct=True)[0]
    assert statistic == cmh_test([3], [7], [2], [6], correct=False)[0]


@pytest.mark.parametrize(
    ("strata", "value"),
    [(([3], [5], [0], [5]), math.inf), (([0], [5], [2], [5]), 0.0), (([0], [5], [0], [5]), math.nan)],
)
def test_an_empty_cell_gives_an_infinite_or_zero_odds_ratio_without_interval(strata, value):
    estimate, _, low, high = common_odds_ratio(*strata)
    assert estimate == pytest.approx(value, nan_ok=True)
    assert math.isnan(low)
    assert math.isnan(high)


def test_nothing_to_compare_is_unestimable_and_says_why():
    rows = stratified([0, 3], [0, 3], [2, 3], [4, 3], group="a", reference="b")
    assert rows.column("status") == ["unestimable"] * 3
    assert rows[0].reason == "no stratum has both groups, with and without the property"
    one = stratified([3], [7], [2], [6])
    assert one.column("status") == ["ok", "unestimable", "unestimable"]
