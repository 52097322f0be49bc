"""Families of tests: adjusted p-values, levels that agree with them, max-t."""

import gc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm
from statsmodels.stats.multitest import multipletests

from fairstats.errors import InputError
from fairstats.inference.multiplicity import adjusted_levels, benjamini_yekutieli, holm_levels, max_t, p_adjust

FAMILIES = st.lists(st.one_of(st.floats(1e-12, 1), st.sampled_from([0.01, 0.05, 0.025])), min_size=1, max_size=12)
METHODS = {"holm": "holm", "bh": "fdr_bh", "bonferroni": "bonferroni"}


@pytest.fixture(scope="module", autouse=True)
def without_search_for_garbage():
    """After each call of Holm statsmodels searches all that other tests have left: a tenth of a second, or a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gc, "collect", int)
        yield


@pytest.mark.parametrize("method", METHODS)
@given(p=FAMILIES)
def test_adjusted_p_values_equal_those_of_statsmodels(method, p):
    assert p_adjust(p, method) == pytest.approx(multipletests(p, method=METHODS[method])[1], rel=1e-12)


@given(p=FAMILIES)
def test_benjamini_yekutieli_is_that_of_statsmodels_and_does_not_count_what_is_missing(p):
    expected = multipletests(p, method="fdr_by")[1]
    values = benjamini_yekutieli([*p, np.nan])
    assert values[:-1] == pytest.approx(expected, rel=1e-12) and np.isnan(values[-1])


@pytest.mark.long
@pytest.mark.parametrize("method", [*METHODS, "none"])
@given(p=FAMILIES)
def test_a_missing_p_value_stays_missing_and_is_not_counted(method, p):
    gaps = np.insert(np.asarray(p), [0, len(p)], np.nan)
    adjusted = p_adjust(gaps, method)
    assert np.isnan(adjusted[[0, -1]]).all()
    assert adjusted[1:-1].tolist() == p_adjust(p, method).tolist()
    assert np.isnan(adjusted_levels(gaps, method)[[0, -1]]).all()


@pytest.mark.long
@pytest.mark.parametrize("method", [*METHODS, "none"])
@given(z=st.lists(st.floats(-6, 6), min_size=1, max_size=12))
def test_an_interval_at_its_level_excludes_zero_exactly_where_the_adjusted_test_rejects(method, z):
    z = np.asarray(z)
    p = 2 * norm.sf(np.abs(z))
    critical = norm.isf((1 - adjusted_levels(p, method)) / 2)
    clear = np.abs(np.abs(z) - critical) > 1e-9
    assert np.array_equal((np.abs(z) > critical)[clear], (p_adjust(p, method) <= 0.05)[clear])


def test_holm_levels_follow_the_steps_up_to_the_first_acceptance():
    levels = holm_levels([0.001, 0.5, 0.012, 0.03, 0.9])
    assert levels == pytest.approx([1 - 0.05 / 5, 1 - 0.05 / 3, 1 - 0.05 / 4, 1 - 0.05 / 3, 1 - 0.05 / 3])


def test_holm_levels_of_a_family_that_is_all_rejected_end_at_the_plain_level():
    assert holm_levels([0.001, 0.002]).tolist() == [0.975, 0.95]


def test_an_empty_family_is_empty():
    assert p_adjust([]).size == 0
    assert adjusted_levels([float("nan")]).tolist() == pytest.approx([np.nan], nan_ok=True)


def test_max_t_of_one_statistic_is_the_plain_permutation_p_value():
    drawn = np.array([[0.5], [-2.0], [1.0], [3.0]])
    assert max_t(drawn, [1.0]) == pytest.approx([4 / 5])


def test_max_t_approaches_sidak_for_independent_statistics():
    rng = np.random.default_rng(0)
    adjusted = max_t(rng.standard_normal((200_000, 6)), [2.0, 3.0, 0.1, 0.2, 0.3, 0.4])
    p = 2 * norm.sf([2.0, 3.0])
    assert adjusted[:2] == pytest.approx(1 - (1 - p) ** 6, abs=0.004)


def test_max_t_of_identical_statistics_costs_nothing():
    rng = np.random.default_rng(1)
    drawn = np.repeat(rng.standard_normal((100_000, 1)), 5, axis=1)
    assert max_t(drawn, [2.0] * 5) == pytest.approx([2 * norm.sf(2.0)] * 5, abs=0.003)


def test_max_t_ignores_what_cannot_be_estimated():
    adjusted = max_t([[9.0, 1.0], [9.0, 0.0]], [float("nan"), 0.5])
    assert np.isnan(adjusted[0])
    assert adjusted[1] == pytest.approx(2 / 3)


def test_unknown_method_names_the_choices():
    with pytest.raises(InputError, match="p_adjust has 'hommel'; the choices are bonferroni, holm, bh, none"):
        p_adjust([0.1], "hommel")
