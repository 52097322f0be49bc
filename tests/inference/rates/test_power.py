"""Power and detectable differences: against statsmodels, simulation and the definition."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.proportion import power_proportions_2indep

from fairstats.inference.rates.equivalence import detectable, minimal_detectable_difference, normal_power, power
from fairstats.inference.rates.exact import decisive_test
from fairstats.inference.rates.rate_tests import z_test


@pytest.mark.parametrize(("gap", "p0", "n1", "ratio"), [(0.1, 0.3, 150, 1), (-0.2, 0.5, 40, 3), (0.05, 0.9, 900, 0.5)])
def test_power_equals_statsmodels(gap, p0, n1, ratio):
    expected = power_proportions_2indep(gap, p0, n1, ratio=ratio).power
    assert normal_power(p0 + gap, n1, p0, n1 * ratio) == pytest.approx(expected, abs=1e-10)
    assert power(p0 + gap, n1, p0, n1 * ratio) == pytest.approx(expected, abs=0.03)


def test_power_is_how_often_the_test_rejects():
    rng = np.random.default_rng(1)
    e1, e0 = rng.binomial(300, 0.45, 20_000), rng.binomial(500, 0.35, 20_000)
    assert np.mean(z_test(e1, 300, e0, 500)[1] <= 0.05) == pytest.approx(power(0.45, 300, 0.35, 500), abs=0.015)


CELLS = [(12, 0.02, 2000, 0.01), (20, 0.2, 20, 0.05), (60, 0.1, 90, 0.05)]


@pytest.mark.parametrize(("n1", "p0", "n0", "alpha"), CELLS)
def test_a_detectable_difference_is_shown_by_the_deciding_test_in_eighty_percent(n1, p0, n0, alpha):
    """By the pooled z-test's power it was 53% at 12 against 2000."""
    above = detectable(n1, p0, n0, 1 - alpha)[1]
    rng, draws, seen = np.random.default_rng(2), 3000, {}
    tables = zip(rng.binomial(n1, p0 + above, draws).tolist(), rng.binomial(n0, p0, draws).tolist(), strict=True)
    shown = [seen[t] if t in seen else seen.setdefault(t, decisive_test(t[0], n1, t[1], n0) <= alpha) for t in tables]
    assert np.mean(shown) == pytest.approx(0.8, abs=3 * np.sqrt(0.16 / draws) + 0.01)


def test_power_at_no_difference_is_the_size():
    assert normal_power(0.3, 80, 0.3, 200, 0.9) == pytest.approx(0.1)
    assert power(0.3, 80, 0.3, 200, 0.9) == pytest.approx(0.1, abs=0.01)


@pytest.mark.long
@settings(max_examples=15, deadline=None)
@given(st.integers(5, 5000), st.floats(0.02, 0.98), st.integers(5, 5000), st.sampled_from([0.9, 0.95, 0.99]))
def test_a_detectable_difference_has_just_the_target_power(n1, p0, n0, level):
    for gap in detectable(n1, p0, n0, level):
        if not np.isnan(gap) and 1e-6 < p0 + gap < 1 - 1e-6:
            assert power(p0 + gap, n1, p0, n0, level) == pytest.approx(0.8, abs=1e-6)


def test_more_people_detect_smaller_differences():
    below, above = detectable([50, 500, 5000], 0.4, 1000)
    assert np.all(np.diff(below) > 0)
    assert np.all(np.diff(above) < 0)


def test_a_handful_of_people_cannot_detect_anything_and_the_row_says_so():
    rows = minimal_detectable_difference(2, 0.1, 1000, metric="TPR", group="a", reference="b")
    assert rows.column("status") == ["unestimable", "ok"]
    assert (
        rows[0].reason
        == "even a true rate of 0 would be shown to differ from the reference with a probability below 0.8"
    )
    assert rows[1].estimate > 0.5


def test_an_empty_group_detects_nothing():
    assert minimal_detectable_difference(0, 0.4, 100).column("status") == ["unestimable"] * 2
