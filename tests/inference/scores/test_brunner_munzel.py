"""Brunner and Munzel's test: scipy, enumerated permutations, sizes where spreads differ, heavy ties, no variance."""

import math
import warnings
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import logit
from scipy.stats import brunnermunzel

from fairstats.errors import InputError
from fairstats.estimates import Estimate
from fairstats.inference.scores.brunner_munzel import (
    PERMUTATIONS,
    RelativeEffect,
    _subsets,
    relative_effect,
    relative_effect_estimate,
    relative_effect_row,
    studentized_permutations,
)
from fairstats.inference.scores.merged import merge
from fairstats.inference.scores.rank_tests import newcombe_auc

SAMPLE = st.lists(st.integers(0, 6), min_size=2, max_size=5)
# Hollander & Wolfe (1973), p. 29: the example of R's brunnermunzel
DEPRESSION = (
    [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30],
    [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29],
)


def by_scipy(x, y):
    """The statistic for "x larger", with infinite values where scipy divides by 0."""
    wins = np.sign(np.subtract.outer(x, y)).mean()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        statistic = -brunnermunzel(x, y).statistic
    return (
        float(statistic)
        if np.isfinite(statistic) and abs(statistic) < 1e6
        else (np.sign(wins) * np.inf if wins else 0.0)
    )


def test_large_samples_have_scipys_statistic_and_p():
    rng = np.random.default_rng(1)
    for decimals in (0, 1, 9):
        x, y = rng.normal(0.3, 2, 60).round(decimals), rng.normal(0, 1, 90).round(decimals)
        ours, theirs = relative_effect(x, y), brunnermunzel(x, y)
        assert ours.method == "Brunner-Munzel, t"
        assert (ours.statistic, ours.p_value) == pytest.approx((-theirs.statistic, theirs.pvalue), rel=1e-9)


@pytest.mark.long
@given(SAMPLE, SAMPLE)
@settings(max_examples=12)
def test_permutations_have_the_statistics_that_scipy_gives_each_of_them(x, y):
    people = np.array([*x, *y], dtype=float)
    drawn = studentized_permutations(merge(x, y))
    theirs = []
    for first in combinations(range(people.size), len(x)):
        inside = np.isin(np.arange(people.size), first)
        theirs.append(by_scipy(people[inside], people[~inside]))
    assert drawn.every
    np.testing.assert_allclose(np.sort(drawn.plain), np.sort(theirs), rtol=1e-7, atol=1e-9)


def test_the_p_value_is_the_share_of_divisions_with_so_large_a_logit():
    x, y = (sample[:6] for sample in DEPRESSION)
    people = np.array(x + y)
    statistics = []
    for first in combinations(range(12), 6):
        inside = np.isin(np.arange(12), first)
        a, b = people[inside], people[~inside]
        theta = (np.sign(np.subtract.outer(a, b)).mean() + 1) / 2
        if not 0 < theta < 1:
            statistics.append(np.inf)
            continue
        places = (np.sign(np.subtract.outer(a, b)) + 1) / 2
        se = math.sqrt(places.mean(axis=1).var(ddof=1) / 6 + places.mean(axis=0).var(ddof=1) / 6)
        statistics.append(abs(logit(theta)) * theta * (1 - theta) / se)
    observed = statistics[0]  # the data are the first division
    expected = np.mean(np.array(statistics) >= observed * (1 - 1e-9))
    ours = relative_effect(x, y)
    assert ours.p_value == pytest.approx(expected, abs=1e-12)
    assert ours.method == "Brunner-Munzel, logit, all 924 permutations"


def test_the_plain_statistic_has_the_p_value_that_r_prints():
    ours = relative_effect(*DEPRESSION)
    # R's brunnermunzel.permutation.test, in its vignette
    assert np.mean(np.abs(ours.null) >= ours.statistic * (1 - 1e-9)) == pytest.approx(0.158, abs=5e-4)


@pytest.mark.parametrize("permute", [True, False])
def test_exchanging_the_groups_mirrors_everything(permute):
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=7), rng.normal(1, 3, size=9)
    a, b = relative_effect(x, y, permute=permute), relative_effect(y, x, permute=permute)
    assert a.estimate == pytest.approx(1 - b.estimate)
    assert a.p_value == pytest.approx(b.p_value)
    low, high = a.limits(0.9)
    assert b.limits(0.9) == pytest.approx((1 - high, 1 - low))


def test_random_subsets_are_uniform():
    rng = np.random.default_rng(5)
    for total, n in ((40, 3), (40, 30)):
        people = _subsets(rng, total, n, 20_000)
        assert people.shape == (20_000, n)
        assert (np.diff(people, axis=1) > 0).all()
        counts = np.bincount(people.ravel(), minlength=total)
        z = (counts - 20_000 * n / total) / math.sqrt(20_000 * n / total * (1 - n / total))
        assert np.abs(z).max() < 4.5


@pytest.mark.parametrize(("total", "n"), [(30, 6), (400, 80), (5000, 1000), (20_000, 4000), (20_000, 30), (7, 1)])
def test_random_subsets_of_up_to_a_fifth_are_drawn_at_once(total, n, monkeypatch):
    """What is repeated among the draws was foreseen: hardly a row is drawn again."""
    from fairstats.inference.scores import brunner_munzel

    again, current = [], brunner_munzel._subsets
    monkeypatch.setattr(
        brunner_munzel, "_subsets", lambda rng, total, n, rows: again.append(rows) or current(rng, total, n, rows)
    )
    people = current(np.random.default_rng(1), total, n, 40)
    assert people.shape == (40, n) and people.min() >= 0 and people.max() < total
    assert (np.diff(people, axis=1) > 0).all() and sum(again) <= 4


@pytest.mark.parametrize("levels", [5, 10**6])
def test_drawn_permutations_approach_all_of_them(levels):
    # five values are drawn by counts of values, a million by people
    rng = np.random.default_rng(7)
    x, y = rng.integers(0, levels, 6).astype(float), rng.integers(0, levels, 20).astype(float)
    small = relative_effect(x[:4], y[:12])  # C(16, 4) = 1820: enumerated
    assert "all" in small.method
    drawn = relative_effect(x, y, seed=1)
    again = relative_effect(x, y, seed=2)
    assert drawn.p_value != again.p_value
    assert drawn.p_value == pytest.approx(again.p_value, abs=0.03)
    assert relative_effect(x, y, seed=1).p_value == drawn.p_value


def rejections(first, second, draws=250):
    return np.mean([relative_effect(first(), second(), seed=i).p_value <= 0.05 for i in range(draws)])


@pytest.mark.long
def test_the_size_holds_where_spreads_differ():
    rng = np.random.default_rng(11)
    # 100 draws at 6% exceed 14 once in two thousand times; Mann-Whitney rejects about 20
    assert rejections(lambda: rng.normal(0, 4, 15), lambda: rng.normal(0, 1, 150), 100) <= 0.14


@pytest.mark.long
def test_the_size_holds_with_heavy_ties():
    rng = np.random.default_rng(13)

    def rare(n):
        return lambda: rng.choice([0.0, 1.0, 2.0], n, p=[0.97, 0.02, 0.01])

    assert relative_effect(rare(300)(), rare(900)()).null is not None
    assert rejections(rare(60), rare(900)) < 0.10


@pytest.mark.long
def test_limits_stay_within_zero_and_one_and_cover_near_one():
    rng = np.random.default_rng(17)
    truth = 0.921350  # normal distributions 2 apart
    limits = [relative_effect(rng.normal(2, 1, 12), rng.normal(0, 1, 100), seed=i).limits() for i in range(100)]
    low, high = np.array(limits).T
    assert (low >= 0).all()
    assert (high <= 1).all()
    assert np.mean((low <= truth) & (truth <= high)) > 0.87


def test_complete_separation_has_newcombes_limits_and_a_permutation_p():
    apart = relative_effect([5, 6, 7, 8], [1, 2, 3, 4])
    assert apart.estimate == 1
    assert apart.p_value == pytest.approx(2 / 70)
    assert apart.limits() == newcombe_auc(1.0, 4, 4)
    assert apart.p_equivalence(0.1) == 1.0


def test_a_group_of_one_value_has_a_permutation_p_and_no_limits():
    flat = relative_effect([3.0] * 8, [1, 2, 3, 4, 5, 6, 7, 8, 9])
    assert 0 < flat.p_value <= 1
    assert "permutations" in flat.method
    assert math.isnan(flat.limits()[0])
    assert "every value of x is the same" in flat.reason


def test_groups_that_are_all_one_value_differ_in_nothing():
    same = relative_effect([1.0] * 5, [1.0] * 6)
    assert (same.estimate, same.p_value) == (0.5, 1.0)


def test_nobody_has_no_test():
    assert math.isnan(relative_effect([], [1.0]).p_value)


def test_equivalence_is_two_tests_at_the_margin():
    rng = np.random.default_rng(19)
    x, y = rng.normal(size=400), rng.normal(size=500)
    effect = relative_effect(x, y)
    for margin in (0.05, 0.1):
        low, high = effect.limits(0.90)
        assert (effect.p_equivalence(margin) < 0.05) == (0.5 - margin < low and high < 0.5 + margin)
    with pytest.raises(InputError, match="not between 0 and"):
        effect.p_equivalence(0.5)


def test_the_row_of_an_audit_names_the_method_of_its_limits():
    rng = np.random.default_rng(23)
    x, y = rng.normal(size=30), rng.normal(size=40)
    row, effect = relative_effect_estimate(x, y, group="b", reference="a", conf_level=0.9), relative_effect(x, y)
    assert (row.estimate, row.p_value, row.conf_low, row.conf_high) == (
        effect.estimate,
        effect.p_value,
        *effect.limits(0.9),
    )
    assert row.method == "Brunner-Munzel, t; logit limits"
    flat = relative_effect_estimate([1.0] * 9, y)
    assert (flat.status, math.isnan(flat.conf_low), math.isnan(flat.p_value)) == ("ok", True, False)
    assert flat.reason
    assert relative_effect_estimate([], y).status == "unestimable"


@pytest.mark.parametrize("decimals", [0, 9])
def test_as_many_divisions_are_drawn_as_is_said(decimals):
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=40).round(decimals), rng.normal(size=50).round(decimals)
    drawn = studentized_permutations(merge(x, y))
    assert not drawn.every and drawn.plain.size == drawn.logit.size == PERMUTATIONS


def test_the_level_of_a_row_is_given_where_there_are_limits():
    x, y = (sample[:6] for sample in DEPRESSION)
    row = relative_effect_row(relative_effect(x, y), Estimate("P(X>Y)"), 0.9)
    assert row.conf_level == 0.9 and row.conf_low < row.estimate < row.conf_high


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 0.95, 0.99, 0.999])
def test_limits_by_permutation_leave_out_no_more_than_they_may(level):
    """The critical value is the least that so large a share of what was drawn, and the data, does not exceed."""
    null = np.arange(-60.0, 61.0)[np.arange(-60, 61) != 0]
    result = RelativeEffect(0.5, 0.1, 0.0, 10.0, 1.0, "", 5.0, 5.0, null)
    largest = np.sort(np.abs(null))
    wanted = [v for v in largest if (np.sum(largest <= v)) / (largest.size + 1) >= level]
    assert result.quantile(level) == (wanted[0] if wanted else largest[-1])


@pytest.mark.parametrize("place", [1, 50, 90, 98, 99, 100])
def test_the_critical_value_of_a_permutation_test_is_the_first_that_few_enough_reach(place):
    """Of 99 permutations and the data themselves: beyond the 95th value lie 5 of 100, its critical value at 95%."""
    result = replace(relative_effect([1, 2, 4], [2, 5, 6]), null=np.append(np.arange(1.0, 50), -np.arange(50.0, 100)))
    for level in (place / 100 - 0.005, place / 100 - 1e-9):
        critical = result.quantile(level)
        assert critical == min(place, 99)
        beyond = (1 + np.sum(np.abs(result.null) > critical)) / 100
        assert beyond <= 1 - level + 1e-9 or place == 100
