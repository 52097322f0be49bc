"""Rows that never contradict themselves: one adjusted p, one interval, one verdict; families that share a level."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from fairstats.estimates import Estimate
from fairstats.inference.multiplicity import Family, Margins, adjusted_p_and_level, p_adjust
from fairstats.inference.verdicts import NO_INTERVAL, Comparison, Undecided, decide_all, decided, null_value, verdict_of

NAN = float("nan")
MARGIN = 1.0


def wald(estimate: float, error: float, p: float | None = None, p_equal: float | None = None, attribute: str = "g"):
    """A comparison with the Wald interval, and with a test that need not agree with it."""
    current = 2 * norm.sf(abs(estimate) / error) if p is None else p

    def rows(level: float) -> list[Estimate]:
        half = norm.isf((1 - level) / 2) * error
        about = Estimate("FPR", attribute, "b", "difference", "a", p_value=current)
        return [about.with_interval(estimate, estimate - half, estimate + half, level)]

    return Comparison(current, rows, () if p_equal is None else (p_equal,))


@pytest.mark.long
@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.tuples(st.floats(-4, 4), st.floats(0.2, 1.5), st.floats(0, 0.2), st.floats(0, 0.2)), min_size=1, max_size=6
    ),
    st.sampled_from(["bonferroni", "holm", "bh", "none"]),
    st.sampled_from([0.8, 0.95, 0.99]),
)
def test_whatever_tests_and_intervals_say_no_row_contradicts_itself(result, rule, conf_level):
    family = Family(conf_level, rule, margins=Margins(difference=0.5))
    items = [wald(z * se, se, p, q) for z, se, p, q in result]
    tests = 1 if rule == "none" else len(items)
    for row, (z, se, p, _) in zip(decided(Undecided(items, family)), result, strict=True):
        rejects, equal = row.p_adjusted <= 1 - conf_level, row.p_equivalence <= 1 - conf_level
        assert row.verdict == verdict_of(row.p_adjusted, row.p_equivalence, conf_level, rule)
        assert row.p_value >= p
        if rule == "holm" and tests > 1:
            assert math.isnan(row.conf_low) and math.isnan(row.margin_low) and row.reason == NO_INTERVAL
            continue
        assert rejects == (row.conf_low > 0 or row.conf_high < 0)
        assert equal == (row.margin_low > -0.5 and row.margin_high < 0.5)
        # extended, never cut
        half = norm.isf((1 - row.conf_level) / 2) * se
        assert row.conf_low <= z * se - half + 1e-9 and row.conf_high >= z * se + half - 1e-9
        if rule != "bh":
            assert row.conf_low <= row.margin_low and row.margin_high <= row.conf_high


def test_a_test_that_agrees_with_the_interval_stays_as_it_is():
    row = decided(Undecided([wald(1.0, 0.4), wald(0.1, 0.4)], Family()))[0]
    assert row.p_value == pytest.approx(2 * norm.sf(2.5))
    assert row.p_adjusted == pytest.approx(4 * norm.sf(2.5))
    assert row.conf_low == pytest.approx(1 - norm.isf(0.0125) * 0.4)


def test_where_only_the_test_rejects_the_p_is_that_at_which_the_interval_touches_equality():
    row = decided(Undecided([wald(1.0, 0.6, 0.01)], Family()))[0]
    assert (row.p_value, row.verdict) == (pytest.approx(2 * norm.sf(1 / 0.6), rel=1e-6), "inconclusive")


def test_where_only_the_interval_rejects_it_is_extended_to_equality():
    row = decided(Undecided([wald(-1.0, 0.4, 0.06)], Family()))[0]
    assert (row.p_value, row.conf_high, row.verdict) == (0.06, 0.0, "inconclusive")
    assert row.conf_low == pytest.approx(-1 - norm.isf(0.025) * 0.4)


def test_practical_equality_is_read_from_the_interval_of_twice_the_error():
    """Schuirmann's: within the margin exactly where the 90% interval is; the 95% interval need not be."""
    row = decided(Undecided([wald(0.1, 0.5, p_equal=norm.sf(0.9 / 0.5))], Family(margins=Margins(difference=0.999))))[0]
    assert row.verdict == "equivalence shown"
    assert row.margin_high == pytest.approx(0.1 + norm.isf(0.05) * 0.5)
    assert row.margin_high < 0.999 < row.conf_high


def test_false_discovery_limits_have_the_level_of_the_flags():
    p = [0.001, 0.004, 0.03, 0.2, 0.9]
    z = norm.isf(np.array(p) / 2)
    rows = decided(Undecided([wald(v, 1.0) for v in z], Family(p_adjust="bh")))
    assert rows.column("verdict") == ["flagged"] * 3 + ["inconclusive"] * 2
    assert rows.column("conf_level") == pytest.approx([1 - 3 * 0.05 / 5] * 5)  # Benjamini and Yekutieli (2005)
    assert rows.column("p_adjusted") == pytest.approx(p_adjust(p, "bh"))
    assert adjusted_p_and_level([0.5, 0.9], "bh")[1] == 0.975  # nothing flagged: the level at which one would be


def test_one_rate_of_all_attributes_is_one_family_and_intersections_are_another():
    families = [Undecided([wald(2.5, 1.0, attribute=a)] * k, Family()) for a, k in (("x", 2), ("y", 3), ("x:y", 4))]
    rows = decide_all([[of] for of in families], [False, False, True])
    assert [one.column("conf_level")[0] for one in rows] == pytest.approx([0.99, 0.99, 1 - 0.05 / 4])
    assert rows[0][0].p_adjusted == rows[1][0].p_adjusted == pytest.approx(5 * 2 * norm.sf(2.5))
    alone = decide_all([[Undecided(families[0].comparisons, Family(), alone=True), families[1]]])[0]
    assert alone.column("conf_level") == pytest.approx([0.975] * 2 + [1 - 0.05 / 3] * 3)


def test_a_comparison_that_cannot_be_estimated_is_no_member():
    rows = decided(Undecided([wald(1.0, 0.4, NAN), wald(1.0, 0.4)], Family()))
    assert rows[1].conf_level == 0.95
    assert rows[0].verdict == "inconclusive" and math.isnan(rows[0].p_adjusted)


def test_every_pair_counts_where_the_data_chose_the_reference():
    row = decided(Undecided([wald(3.0, 1.0)] * 3, Family(all_pairs=True)))[0]
    assert row.conf_level == pytest.approx(1 - 0.05 / 6)


def test_the_null_value_of_a_row_is_that_of_its_contrast_or_metric():
    assert null_value(Estimate("AUC", contrast="difference")) == 0.0
    assert Margins(ratio=0.8).around(Estimate("FPR", contrast="ratio")) == (0.8, 1.25)
