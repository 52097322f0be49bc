"""Local Law 144: exclusion before the highest rate, unknown people, medians, and words that are never printed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairstats.errors import InputError
from fairstats.inference.rates.one_rate import wilson
from fairstats.presets.local_law_144_tables import above_median, impact_table


def test_a_small_category_is_excluded_before_the_highest_rate_is_taken_and_still_shown():
    table = impact_table([9, 500, 300], [10, 1000, 1000], ["tiny", "a", "b"])
    tiny, a, b = table.categories
    assert table.highest == "a"
    assert (tiny.status, tiny.n, tiny.rate) == ("excluded", 10, 0.9)
    assert tiny.reason == "0.50 % of the people of known category, under 2 %: not in the ratios"
    assert np.isnan(tiny.impact_ratio)
    assert (a.impact_ratio, b.impact_ratio) == (1, 0.6)
    assert (tiny.conf_low, tiny.conf_high) == pytest.approx(wilson(9, 10))


def test_exactly_two_percent_is_not_excluded_and_nobody_is_when_the_share_is_zero():
    assert impact_table([1, 40], [2, 98], ["x", "y"]).categories[0].status == "ok"
    assert impact_table([1, 400], [1, 980], ["x", "y"], small_share=0).highest == "x"


def test_unknown_people_are_counted_and_change_no_rate():
    with_unknown, without = (impact_table([5, 9], [10, 10], ["x", "y"], unknown=u) for u in (50, 0))
    assert with_unknown.unknown == 50
    assert repr(with_unknown.categories) == repr(without.categories)


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 500)), min_size=1, max_size=8))
def test_every_category_keeps_two_rows_and_no_ratio_exceeds_one(cells):
    selected, n = [min(e, m) for e, m in cells], [m for _, m in cells]
    table = impact_table(selected, n, [f"c{i}" for i in range(len(n))], attribute="race")
    rows = table.estimates
    assert len(rows) == 2 * len(n)
    for row in rows.where(contrast="ratio"):
        assert row.status == "ok" or (row.reason and np.isnan(row.estimate))
        assert not row.estimate > 1
    assert "compl" not in str(rows)


def test_nobody_selected_leaves_the_ratios_unestimable():
    table = impact_table([0, 0], [10, 10], ["x", "y"])
    assert [c.status for c in table.categories] == ["unestimable"] * 2
    assert table.categories[0].reason == "nobody was selected in any category: 0/0"


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(-1, 2)), min_size=1, max_size=40))
def test_scoring_rates_count_strictly_above_the_median_of_everybody(people):
    scores, codes = (np.array(v) for v in zip(*people, strict=True))
    above, n = above_median(scores, codes, 3)
    median = np.median(scores)
    for c in range(3):
        assert n[c] == sum(codes == c)
        assert above[c] == sum((codes == c) & (scores > median))


def test_a_share_that_is_no_share_is_refused():
    with pytest.raises(InputError, match="small_share has 2; it is a share of the people"):
        impact_table([1], [2], ["x"], small_share=2)
