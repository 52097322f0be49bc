"""Clusters and weights within strata: jackknife sizes, limits with a width at rare events, the level."""

import math

import numpy as np
import pytest

from fairstats.inference.rates.strata_rows import stratified_rates_from_data


@pytest.mark.parametrize("standard", ["mantel-haenszel", "everybody", "group", (3.0, 1.0, 2.0, 1.0)])
def test_effective_sizes_are_those_of_the_jackknife_of_clusters(standard):
    rng = np.random.default_rng(4)
    k = rng.permutation(np.repeat(np.arange(24), 7))
    group, strata = k < 10, k % 2 + 2 * rng.integers(0, 2, k.size)
    y = rng.random(k.size) < rng.beta(0.9, 1.1, 24)[k]
    result = stratified_rates_from_data(y, group, strata, clusters=k, standard=standard)
    change = []
    for cluster in range(24):
        rest = k != cluster
        four = [np.bincount(strata[rest & s], v, 4) for s in (group, ~group) for v in (y[rest & s], None)]
        weight = {"mantel-haenszel": four[1] * four[3] / (four[1] + four[3]), "group": four[1]}
        w = weight.get(standard, four[1] + four[3]) if isinstance(standard, str) else standard
        change.append(np.average(four[0] / four[1] - four[2] / four[3], weights=w) - result.difference)
    squares = np.square(change)
    for size, rate, current in (
        (result.size1, result.rate1, squares[:10]),
        (result.size0, result.rate0, squares[10:]),
    ):
        assert size == pytest.approx(rate * (1 - rate) / current.sum())


@pytest.mark.parametrize("property_of_all", [0, 1])
def test_limits_of_clusters_have_a_width_where_nobody_or_everybody_has_the_property(property_of_all):
    k = np.repeat(np.arange(30), 10)
    for standard in ("mantel-haenszel", "everybody", "group"):
        y = np.full(300, property_of_all)
        result = stratified_rates_from_data(y, k < 10, k % 2, clusters=k, standard=standard)
        assert (result.size1, result.size0) == pytest.approx((10, 20))  # equal clusters count one each
        assert result.limits()[0] < -0.15 and result.limits()[1] > 0.15
        assert result.p_value == 1 and result.p_equivalence(0.05) > 0.15
        y[(k >= 10) & (k < 12)] = 1 - property_of_all
        some = stratified_rates_from_data(y, k < 10, k % 2, clusters=k, standard=standard)
        assert some.limits()[1] - some.limits()[0] > 0.2 and some.p_equivalence(0.05) > 0.2


def test_limits_of_weights_have_a_width_where_nobody_has_the_property():
    k = np.arange(60)
    result = stratified_rates_from_data(np.zeros(60), k < 20, k % 3, weights=1.0 + k % 4)
    assert result.limits()[0] < -0.05 and result.limits()[1] > 0.1 and result.p_equivalence(0.05) > 0.1
    assert np.isfinite(result.df)


def test_clusters_that_show_no_error_are_not_estimable():
    y, k = np.tile([0, 0, 1, 1], 20), np.repeat(np.arange(40), 2)
    result = stratified_rates_from_data(y, np.arange(80) % 2 == 0, k // 2 % 2, clusters=k)
    assert result.reason == "both groups have the same rate in every cluster, which shows no error"
    assert math.isnan(result.p_equivalence(0.1))


def test_clusters_count_in_strata_that_hold_both_groups():
    k = np.repeat(np.arange(12), 5)
    strata = np.where(k < 3, 0, np.where(k < 6, 1, 0))  # three of the group's six clusters meet a reference
    result = stratified_rates_from_data(np.arange(60) % 2, k < 6, strata, clusters=k)
    assert result.reason == "fewer than four clusters in a group"


def test_few_clusters_of_very_unequal_sizes_do_not_reject_too_often():
    """8 to 12% before: 10 against 6 clusters of lognormal sizes, nested in three strata."""
    rejected, draws = 0, 400
    rng = np.random.default_rng(11)
    for _ in range(draws):
        sizes = np.maximum(1, np.round(np.exp(rng.normal(2, 1.2, 16)))).astype(int)
        k = np.repeat(np.arange(16), sizes)
        y = rng.random(k.size) < rng.beta(1.2, 2.8, 16)[k]
        rejected += stratified_rates_from_data(y, k >= 10, k % 3, clusters=k).p_value <= 0.05
    assert rejected / draws <= 0.06
