"""The rows within strata: they hold the statistics, and say who was left out."""

import pytest

from fairstats.inference.rates.strata import conditional_odds_ratio, stratified_mid_p, stratified_rates
from fairstats.inference.rates.strata_rows import pooled_shortfall, stratified_difference_rows

TABLE = ([30, 12, 0], [50, 40, 7], [20, 10, 0], [50, 50, 0])


def test_rows_hold_the_statistics():
    difference, ratio, standardized, odds, people = stratified_difference_rows(*TABLE, group="f", reference="m")
    result = stratified_rates(*TABLE)
    assert (difference.estimate, difference.conf_low, difference.conf_high) == (result.difference, *result.limits())
    assert (ratio.estimate, ratio.conf_low, ratio.conf_high) == (result.ratio, *result.ratio_limits())
    assert standardized.estimate == stratified_rates(*TABLE, standard="everybody").difference
    estimate, low, high = conditional_odds_ratio(*TABLE)
    assert odds.estimate == estimate and 1 < odds.conf_low <= low < high <= odds.conf_high
    assert (people.estimate, people.statistic) == (pooled_shortfall(*TABLE).people, pooled_shortfall(*TABLE).deviations)
    # the shortfall's limits are the difference's, in people
    assert people.conf_low == pytest.approx(people.estimate * result.limits()[1] / result.difference)
    assert {r.p_value for r in (difference, ratio, odds, people)} == {stratified_mid_p(*TABLE)[0]}
    assert (standardized.p_value < 0.05) == (standardized.conf_low > 0 or standardized.conf_high < 0)
    assert (difference.n, difference.events) == (190, 72)  # everybody who is averaged
    assert difference.reason == "7 people are in strata where one of the two groups is absent, and are left out"


def test_nobody_selected_anywhere_is_no_difference_and_no_ratio():
    rows = stratified_difference_rows([0, 0], [9, 8], [0, 0], [10, 30])
    assert (rows[0].estimate, rows[0].p_value) == (0.0, 1.0)
    assert rows[0].conf_low < 0 < rows[0].conf_high
    assert [r.status for r in rows] == ["ok", "unestimable", "ok", "unestimable", "ok"]


def test_events_are_of_the_strata_that_have_both_groups():
    rows = stratified_difference_rows([3, 4, 0], [9, 7, 0], [0, 2, 5], [0, 8, 30])
    assert {(r.events, r.n) for r in rows.where(metric=rows[0].metric)[:1]} == {(4 + 2, 7 + 8)}


def test_no_stratum_with_both_groups_is_unestimable():
    rows = stratified_difference_rows([3, 0], [9, 0], [0, 5], [0, 30])
    assert {r.status for r in rows} == {"unestimable"}


def test_the_standardized_difference_has_its_own_p_where_strata_differ() -> None:
    """UC Berkeley: a parametric bootstrap of its author has p 0.021; the exact test of equal odds has 0.22."""
    counts = {"A": (89, 108, 512, 825), "B": (17, 25, 353, 560), "C": (202, 593, 120, 325), "D": (131, 375, 138, 417),
              "E": (94, 393, 53, 191), "F": (24, 341, 22, 373)}  # fmt: skip
    rows = stratified_difference_rows(*zip(*counts.values(), strict=True), group="f", reference="m")
    (row,) = rows.only(metric="standardized difference")
    assert row.p_value == pytest.approx(0.022, abs=0.001) and row.conf_low == pytest.approx(0.006, abs=0.001)
    assert rows[0].p_value > 0.2
