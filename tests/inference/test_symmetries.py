"""What is one question under two names has one answer: groups exchanged, events for non-events, strata in any order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.stats import hypergeom

import fairstats
from fairstats import stats
from fairstats.inference.multiplicity import margins
from fairstats.inference.rates.survey import difference_limits
from tests.inference.rates.test_units_of_weights import numbers

TABLES = [
    (0, 5, 3, 7),
    (5, 5, 3, 7),
    (1, 1, 0, 1),
    (12, 40, 48, 80),
    (3, 900, 9, 500),
    (0, 30, 0, 20),
    (40, 40, 60, 60),
]
STRATA = ([5, 9, 1, 3, 2], [20, 30, 4, 15, 2], [9, 14, 2, 1, 1], [25, 28, 6, 12, 3])
EXACT = {"rtol": 1e-6, "atol": 1e-8}


def agree(result: Any, wanted: Any) -> None:
    np.testing.assert_allclose(numbers(result), numbers(wanted), **EXACT)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("name", ["newcombe", "miettinen_nurminen"])
def test_a_difference_is_negated_where_groups_or_events_are_exchanged(
    name: str, table: tuple[int, int, int, int]
) -> None:
    e1, n1, e0, n0 = table
    interval = getattr(stats, name)
    low, high = interval(*table)
    assert low <= e1 / n1 - e0 / n0 <= high and -1 <= low < high <= 1
    for other in ((e0, n0, e1, n1), (n1 - e1, n1, n0 - e0, n0)):
        agree(interval(*other), (-high, -low))


@pytest.mark.parametrize("table", TABLES[3:5])
@pytest.mark.parametrize("name", ["koopman", "katz"])
def test_a_ratio_is_turned_over_where_groups_are_exchanged(name: str, table: tuple[int, int, int, int]) -> None:
    e1, n1, e0, n0 = table
    low, high = getattr(stats, name)(*table)
    assert low < (e1 / n1) / (e0 / n0) < high
    agree(getattr(stats, name)(e0, n0, e1, n1), (1 / high, 1 / low))


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("name", ["fisher_exact", "mid_p", "z_test", "barnard_test"])
def test_no_test_of_two_rates_knows_which_group_or_which_event_is_which(
    name: str, table: tuple[int, int, int, int]
) -> None:
    def p(*counts: int) -> float:
        result = getattr(stats, name)(*counts)
        return float(result[1] if isinstance(result, tuple) else result)

    e1, n1, e0, n0 = table
    with np.errstate(all="ignore"):
        agree([p(e0, n0, e1, n1), p(n1 - e1, n1, n0 - e0, n0)], [p(*table)] * 2)


STRATIFIED: dict[str, Callable[..., Any]] = {
    "cmh": stats.cmh_test,
    "cmh, plain": lambda *of: stats.cmh_test(*of, correct=False),
    "common odds ratio": stats.common_odds_ratio,
    "conditional odds ratio": stats.conditional_odds_ratio,
    "conditional odds ratio, exact": lambda *of: stats.conditional_odds_ratio(*of, mid=False),
    "stratified mid p": lambda *of: stats.stratified_mid_p(*of)[0],
    "breslow day": stats.breslow_day,
    "breslow day, Tarone": lambda *of: stats.breslow_day(*of, tarone=True),
    "rosenbaum p": lambda *of: stats.rosenbaum_p(*of, 1.3),
    "pooled shortfall": stats.pooled_shortfall,
    **{
        f"rates, {standard}": lambda *of, standard=standard: stats.stratified_rates(*of, standard=standard)
        for standard in ("mantel-haenszel", "everybody", "group")
    },
}


@pytest.mark.parametrize("name", STRATIFIED)
def test_strata_have_no_order_and_one_without_a_group_says_nothing(name: str) -> None:
    statistic = STRATIFIED[name]
    whole = numbers(statistic(*STRATA))
    turned = [column[::-1] for column in STRATA]
    agree(statistic(*turned), whole)
    beside = [[*column, more] for column, more in zip(STRATA, (0, 0, 3, 8), strict=True)]
    without = statistic(*beside)
    if not name.startswith("rates"):
        agree(without, whole)
        return
    assert without.left_out == 8 and without.strata == len(STRATA[0])
    plain = statistic(*STRATA)
    agree([without.rate1, without.rate0, without.variance1], [plain.rate1, plain.rate0, plain.variance1])


@pytest.mark.parametrize("name", ["common odds ratio", "conditional odds ratio", "conditional odds ratio, exact"])
def test_an_odds_ratio_is_turned_over_where_groups_or_events_are_exchanged(name: str) -> None:
    def limits(*of: Any) -> np.ndarray:
        result = numbers(STRATIFIED[name](*of))
        return np.array([result[0], *result[-2:]])

    e1, n1, e0, n0 = (np.array(column) for column in STRATA)
    ratio, low, high = limits(e1, n1, e0, n0)
    assert low < ratio < high
    for other in ((e0, n0, e1, n1), (n1 - e1, n1, n0 - e0, n0)):
        np.testing.assert_allclose(limits(*other), [1 / ratio, 1 / high, 1 / low], rtol=1e-5)


RNG = np.random.default_rng(4)
SAMPLES = [
    (RNG.normal(size=9), RNG.normal(0.5, 2, 14)),
    (RNG.integers(0, 4, 12) * 1.0, RNG.integers(1, 5, 11) * 1.0),
    (RNG.integers(0, 3, 150) * 1.0, RNG.normal(1, 1, 200).round(1)),
]


@pytest.mark.parametrize("place", range(len(SAMPLES)))
@pytest.mark.parametrize(
    "name", ["probability_of_superiority", "mann_whitney", "relative_effect", "kolmogorov_smirnov"]
)
def test_ranks_have_no_unit_and_samples_may_be_exchanged(name: str, place: int) -> None:
    x, y = SAMPLES[place]
    statistic = getattr(stats, name)
    result = statistic(x, y)
    agree(statistic(1e-9 * x, 1e-9 * y), result)
    agree(statistic(np.exp(x), np.exp(y)), result)
    other = statistic(y, x)
    if name in ("mann_whitney", "kolmogorov_smirnov"):
        agree(other.p_value, result.p_value)
    else:
        agree([other.estimate, other.std_error], [1 - result.estimate, result.std_error])
        ends = other.limits(0.9) if name == "relative_effect" else (other.low, other.high)
        mine = result.limits(0.9) if name == "relative_effect" else (result.low, result.high)
        np.testing.assert_allclose(ends, (1 - mine[1], 1 - mine[0]), atol=0.02 if name == "relative_effect" else 1e-8)


@pytest.mark.parametrize("place", range(len(SAMPLES)))
def test_a_shift_has_the_unit_of_the_scores_and_the_other_sign_the_other_way(place: int) -> None:
    x, y = SAMPLES[place]
    result = stats.hodges_lehmann(x, y)
    agree(stats.hodges_lehmann(y, x), (-result.estimate, -result.high, -result.low))
    scaled = stats.hodges_lehmann(1e6 * x + 5, 1e6 * y + 5)
    np.testing.assert_allclose(np.array(numbers(scaled)) / 1e6, numbers(result), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("name", ["newcombe", "miettinen_nurminen", "koopman", "katz"])
def test_levels_that_do_not_fit_the_counts_are_named_with_their_shapes(name: str) -> None:
    column = np.array([3, 4])
    with pytest.raises(fairstats.errors.InputError, match=r"conf_level \(3,\) are shapes that do not fit together"):
        getattr(stats, name)(column, column + 5, column, column + 6, conf_level=np.array([0.9, 0.95, 0.99]))
    low, high = getattr(stats, name)(column, column + 5, column, column + 6, conf_level=np.array([0.9, 0.99]))
    assert np.shape(low) == np.shape(high) == (2,)


def test_rates_apart_by_everything_reach_the_end_and_equal_ones_are_no_evidence() -> None:
    low, high = difference_limits((1.0, 3, 0.0, 2), 0.0, 1.96)
    assert 0 < low < high == pytest.approx(1.0, abs=1e-12)
    agree(difference_limits((0.0, 2, 1.0, 3), 0.0, 1.96), (-1.0, -low))
    for groups in (2, 3):
        assert stats.permutation_test([5] * groups, [10] * groups, replicates=200) == 1


def test_samples_that_interleave_have_a_p_value_of_one_and_none_above() -> None:
    """Every order of the people differs as much: the chances of all of them sum to 1, however they are rounded."""
    for n, m in ((1, 13), (1, 21), (1, 23), (7, 9)):
        result = stats.kolmogorov_smirnov(np.arange(n), np.linspace(-0.5, n - 0.5, m) + 1e-3)
        assert result.p_value <= 1 and result.p_value == pytest.approx(1)


@pytest.mark.parametrize("table", [(0, 1, 1, 1), (1, 1, 1, 2), (2, 3, 0, 1), (3, 7, 5, 9), (1, 1, 0, 0)])
def test_a_shortfall_of_few_people_varies_as_drawing_without_replacement(table: tuple[int, int, int, int]) -> None:
    e1, n1, e0, n0 = table
    counts = np.arange(n1 + 1)
    chances = hypergeom.pmf(counts, n1 + n0, e1 + e0, n1)
    mean = counts @ chances
    result = stats.pooled_shortfall([e1], [n1], [e0], [n0])
    assert result.expected == pytest.approx(mean) and result.people == pytest.approx(mean - e1)
    assert result.std_error == pytest.approx(np.sqrt((counts - mean) ** 2 @ chances))


@pytest.mark.parametrize(("name", "end"), [("difference", 1.0), ("ratio", 1.0), ("auc", 0.5), ("leakage", 0.5)])
def test_a_margin_lies_inside_of_what_the_measure_can_be(name: str, end: float) -> None:
    assert getattr(margins({name: 0.99 * end}), name) == 0.99 * end
    for wrong in (-0.1, 0.0, end, 1.01 * end, 1.9 * end):
        with pytest.raises(fairstats.errors.InputError, match=name):
            margins({name: wrong})
