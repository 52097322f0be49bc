"""Adverse impact: the Guidelines' own examples, the matrix of conclusions, rows for every case."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairstats.errors import InputError
from fairstats.inference.multiplicity import p_adjust
from fairstats.inference.rates.adverse_impact import CONCLUSIONS, adverse_impact
from fairstats.inference.rates.rate_tests import fisher_exact
from fairstats.inference.rates.two_rates import koopman

SIZE = st.integers(1, 200)
TABLES = st.tuples(SIZE, SIZE).flatmap(
    lambda n: st.tuples(st.integers(0, n[0]), st.just(n[0]), st.integers(0, n[1]), st.just(n[1]))
)


def test_the_guidelines_example_with_four_groups():
    # Questions and Answers (1979), on the four-fifths rule: rates 60, 45, 48, 51 percent; ratios 75, 80, 85 percent
    rows = adverse_impact([60, 45, 48, 51], [100] * 4, ["white", "American Indian", "Hispanic", "black"])
    assert [row.reference for row in rows] == ["white"] * 3
    assert [row.impact_ratio for row in rows] == pytest.approx([0.75, 0.80, 0.85])
    assert [row.below_four_fifths for row in rows] == [True, False, False]


def test_the_guidelines_example_with_small_numbers_hangs_on_one_person():
    # the situation of no. 21: 3 of 20 men and 1 of 10 women selected, and one woman more would reverse the order
    (row,) = adverse_impact([3, 1], [20, 10], ["men", "women"])
    assert row.impact_ratio == pytest.approx(2 / 3)
    assert row.below_four_fifths
    assert not row.significant
    assert row.ratio_one_more > 1
    assert row.hangs_on_one


def test_the_matrix_of_conclusions_has_a_case_for_every_cell():
    cases = {("below", True): ([50, 20], [100, 100]), ("below", False): ([5, 3], [10, 10])}
    cases |= {("within", True): ([9000, 8500], [10_000, 10_000]), ("within", False): ([50, 48], [100, 100])}
    cases |= {("above", True): ([20, 50], [100, 100]), ("above", False): ([3, 5], [10, 10])}
    assert set(cases) == set(CONCLUSIONS)
    for cell, (selected, n) in cases.items():
        (row,) = adverse_impact(selected, n, ["a", "b"], reference="a")
        assert (row.below_four_fifths, row.significant) == (cell[0] == "below", cell[1])
        assert row.conclusion == CONCLUSIONS[cell]


def test_no_conclusion_decides_a_question_of_law():
    for text in CONCLUSIONS.values():
        assert not any(word in text for word in ("compliant", "legal", "fair ", "biased", "discrimina"))


@given(TABLES)
def test_a_row_holds_the_same_numbers_as_the_functions_below_it(table):
    e1, n1, e0, n0 = table
    (row,) = adverse_impact([e0, e1], [n0, n1], ["base", "group"], reference="base")
    assert row.p_value == pytest.approx(fisher_exact(*table))
    assert (row.conf_low, row.conf_high) == pytest.approx(koopman(*table))
    assert row.shortfall == pytest.approx(n1 * e0 / n0 - e1)
    if e0:
        assert row.below_four_fifths == (5 * e1 * n0 < 4 * e0 * n1)


def test_p_values_are_adjusted_over_the_groups():
    rows = adverse_impact([60, 45, 40, 51], [100] * 4, list("abcd"), reference="a")
    assert [r.p_adjusted for r in rows] == pytest.approx(p_adjust([r.p_value for r in rows], "bonferroni"))


@given(TABLES)
def test_every_case_gives_four_rows_with_a_status(table):
    e1, n1, e0, n0 = table
    (row,) = adverse_impact([e0, e1, 0], [n0, n1, 0], ["base", "group", "empty"], reference="base")[:1]
    rows = row.estimates
    assert rows.column("metric") == ["impact ratio", "shortfall", "impact ratio", "impact ratio"]
    for estimate in rows:
        assert (estimate.status == "ok") == (not math.isnan(estimate.estimate))
        assert estimate.status == "ok" or estimate.reason


def test_an_empty_group_and_two_groups_without_selections_say_why():
    empty = adverse_impact([5, 0], [10, 0], ["a", "b"])[0]
    assert empty.estimates.column("reason")[0] == "nobody in the group"
    nobody = adverse_impact([0, 0], [10, 9], ["a", "b"])[0]
    assert nobody.conclusion == "nobody was selected in either group: 0/0"
    assert nobody.estimates.column("status")[0] == "unestimable"
    assert not nobody.below_four_fifths


def test_the_reference_is_the_highest_rate_unless_named():
    assert {r.reference for r in adverse_impact([1, 9, 5], [10, 10, 10], list("abc"))} == {"b"}
    assert {r.reference for r in adverse_impact([1, 9, 5], [10, 10, 10], list("abc"), reference="a")} == {"a"}


def test_unknown_reference_and_empty_tables_are_refused():
    with pytest.raises(InputError, match="reference has 'mem'; the groups are men, women; did you mean 'men'"):
        adverse_impact([1, 2], [3, 4], ["men", "women"], reference="mem")
    with pytest.raises(InputError, match="nobody applied"):
        adverse_impact(np.zeros(2), np.zeros(2), ["a", "b"])


def test_limits_hold_together_as_the_p_values_do():
    counts = [156, 36, 30, 21], [520, 180, 140, 60], ["White", "Black", "Hispanic", "Asian"]
    rows = adverse_impact(*counts)
    assert [row.conf_level for row in rows] == pytest.approx([1 - 0.05 / 3] * 3)
    for row, alone in zip(rows, adverse_impact(*counts, p_adjust_method="none"), strict=True):
        assert (row.conf_low, row.conf_high) == pytest.approx(koopman(row.selected, row.n, 21, 60, 1 - 0.05 / 3))
        assert (alone.conf_low, alone.conf_high) == pytest.approx(koopman(row.selected, row.n, 21, 60))
    black = rows[1]  # alone its limits leave out 1, and its adjusted p is above 0.05
    assert not black.significant and black.conf_low < 1 < black.conf_high
