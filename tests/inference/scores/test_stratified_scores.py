"""P(X>Y), rank test and shift within strata, against the definitions, scipy, and the same without strata."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.stats import norm, rankdata

from fairstats.inference.scores.brunner_munzel import relative_effect
from fairstats.inference.scores.hodges_lehmann import hodges_lehmann
from fairstats.inference.scores.merged import mann_whitney
from fairstats.inference.scores.strata import (
    _apart,
    _counted,
    _formed,
    _moments,
    in_strata,
    stratified_design_effect,
    stratified_effect,
    stratified_effect_of,
    stratified_shift,
    van_elteren,
)
from fairstats.inference.scores.survey import Scored, design_effect


def drawn(seed: int, strata: int = 4, people: int = 12, ties: bool = True) -> tuple[np.ndarray, ...]:
    """Scores, groups and strata whose levels lie apart."""
    rng = np.random.default_rng(seed)
    cell = rng.integers(0, strata, strata * people)
    score = 3.0 * cell + rng.normal(size=cell.size)
    return (np.round(score) if ties else score), rng.random(cell.size) < 0.4, cell


@pytest.mark.parametrize("ties", [True, False])
def test_the_average_is_the_ratio_of_kawaguchi_koch_and_wang(ties):
    score, group, cell = drawn(1, ties=ties)
    above = weight = 0.0
    size = np.bincount(cell)
    for i, j in product(np.flatnonzero(group), np.flatnonzero(~group)):
        if cell[i] == cell[j]:
            above += ((score[i] > score[j]) + (score[i] == score[j]) / 2) / (size[cell[i]] + 1)
            weight += 1 / (size[cell[i]] + 1)
    result = stratified_effect(score[group], score[~group], cell[group], cell[~group])
    assert result.estimate == pytest.approx(above / weight)
    # the means differ by strata, so that without them the estimate is another
    assert abs(relative_effect(score[group], score[~group]).estimate - result.estimate) > 0.01


def test_the_variance_of_a_stratum_is_unbiased():
    """Over all samples of 2 against 3 from three values, with chances that differ between the groups."""
    chance = {"x": (0.5, 0.2, 0.3), "y": (0.1, 0.6, 0.3)}
    means = np.zeros(3)
    for x in product(range(3), repeat=2):
        for y in product(range(3), repeat=3):
            p = np.prod([chance["x"][v] for v in x]) * np.prod([chance["y"][v] for v in y])
            part = in_strata(x, y, [0] * 2, [0] * 3).parts[0]
            theta, variance, *_ = _moments(part.x[None], part.sizes, part)
            means += p * np.array([theta[0], theta[0] ** 2, variance[0]])
    assert means[2] == pytest.approx(means[1] - means[0] ** 2, rel=1e-9)


def test_one_stratum_is_no_stratum():
    score, group, _ = drawn(2)
    x, y = score[group], score[~group]
    one = in_strata(x, y, np.zeros(x.size), np.zeros(y.size))
    assert stratified_effect_of(one).limits() == relative_effect(x, y).limits()
    assert stratified_effect_of(one).p_value == relative_effect(x, y).p_value
    assert stratified_shift(one) == hodges_lehmann(x, y)
    assert van_elteren(one) == mann_whitney(x, y)
    cells = [Scored(v, *np.ones((3, v.size))) for v in (x, y)]
    zeros = [np.zeros(v.size, int) for v in (x, y)]
    assert stratified_design_effect(*cells, *zeros).limits(0.95) == design_effect(*cells).limits(0.95)


def test_people_alone_in_a_stratum_change_nothing_and_are_counted():
    score, group, cell = drawn(3)
    some = in_strata(score[group], score[~group], cell[group], cell[~group])
    more = in_strata(np.append(score[group], 99), score[~group], np.append(cell[group], 77), cell[~group])
    assert more.left_out == (1, 0)
    assert stratified_effect_of(more).limits() == stratified_effect_of(some).limits()
    nobody = stratified_effect([1.0], [2.0], ["a"], ["b"])
    assert np.isnan(nobody.estimate) and nobody.reason == "no stratum has people of both groups"


def test_van_elteren_is_the_sum_of_midranks_over_strata():
    score, group, cell = drawn(4)
    top = spread = 0.0
    for s in np.unique(cell):
        ranks, mine = rankdata(score[cell == s]), group[cell == s]
        size, n = ranks.size, mine.sum()
        top += (ranks[mine].sum() - n * (size + 1) / 2) / (size + 1)
        spread += n * (size - n) / (size * (size - 1)) * ((ranks - ranks.mean()) ** 2).sum() / (size + 1) ** 2
    result = van_elteren(in_strata(score[group], score[~group], cell[group], cell[~group]))
    assert result.statistic == pytest.approx(top / spread**0.5)
    assert result.p_value == pytest.approx(2 * norm.sf(abs(top) / spread**0.5))


def test_the_shift_inverts_the_test():
    score, group, cell = drawn(5, strata=3, people=30, ties=False)
    strata = in_strata(score[group] + 1.0, score[~group], cell[group], cell[~group])
    shift = stratified_shift(strata)

    def p(by: float) -> float:
        return van_elteren(in_strata(score[group] + 1.0 - by, score[~group], cell[group], cell[~group])).p_value

    assert p(shift.estimate) > 0.9
    for end, outward in ((shift.low, -1e-6), (shift.high, 1e-6)):
        assert p(end - outward) >= 0.05 > p(end + outward)
    weight = 1 / (strata.n + strata.m + 1)
    sides = _apart(strata, weight)
    for target in (1.0, float(weight @ (strata.n * strata.m)) / 2):
        assert _formed(sides)(target) == pytest.approx(_counted(sides)(target), abs=1e-12)


@pytest.mark.parametrize("digits", [0, 1, 2, 15])
def test_differences_that_are_counted_are_those_that_are_formed(monkeypatch, digits):
    monkeypatch.setattr("fairstats.inference.scores.strata.FORMED", 64)
    monkeypatch.setattr("fairstats.inference.scores.strata.THINNED", 40)
    rng = np.random.default_rng(digits)
    for _ in range(10):
        n = int(rng.integers(60, 900))
        score = np.round(np.exp(rng.normal(size=n) * rng.choice([0.3, 1, 3])), digits)
        group, cell = rng.random(n) < rng.choice([0.1, 0.5]), rng.integers(0, 3, n)
        strata = in_strata(score[group], score[~group], cell[group], cell[~group])
        weight = 1 / (strata.n + strata.m + 1)
        total = float(weight @ (strata.n * strata.m))
        sides = _apart(strata, weight)
        for share in (0.01, 0.3, 0.5, 0.999):
            formed, counted = (find(sides)(share * total) for find in (_formed, _counted))
            assert counted == pytest.approx(formed, rel=1e-12, abs=1e-12)


def test_the_p_value_and_the_limits_agree_at_every_level():
    rng = np.random.default_rng(6)
    for seed in range(24):
        score, group, cell = drawn(seed, strata=3, people=int(rng.integers(4, 9)), ties=bool(seed % 2))
        score = score + group * rng.normal(0, 1.5)
        for result in (
            stratified_effect(score[group], score[~group], cell[group], cell[~group]).decided,
            relative_effect(score[group], score[~group]).decided,
        ):
            for level in (0.9, 0.95, 0.99):
                low, high = result.limits(level)
                if not np.isnan(low):
                    assert (result.p_value <= (1 - level) * (1 + 1e-9)) == (not low <= 0.5 <= high)


@pytest.mark.long
@pytest.mark.parametrize("pairs", [True, False])
@pytest.mark.parametrize(("draws", "most"), [(20, 4), pytest.param(80, 9, marks=pytest.mark.slow)])
def test_small_strata_keep_the_level(draws, most, pairs):
    """Forty strata of five, and forty pairs, of groups that do not differ: at most 6% and what so few draws add."""
    rng, false = np.random.default_rng(7), 0
    for _ in range(draws):
        cell = np.repeat(np.arange(40), 2 if pairs else 5)
        group = np.arange(cell.size) % 2 == 0 if pairs else rng.random(cell.size) < 0.5
        score = np.round(rng.normal(0, 3, 40)[cell] + rng.normal(size=cell.size))
        false += stratified_effect(score[group], score[~group], cell[group], cell[~group]).decided.p_value <= 0.05
    assert false <= most


def test_weights_of_one_give_the_same_average_and_a_like_error():
    score, group, cell = drawn(8, strata=3, people=60, ties=False)
    plain = stratified_effect(score[group], score[~group], cell[group], cell[~group])
    cells = [Scored(score[k], *np.ones((3, k.sum()))) for k in (group, ~group)]
    result = stratified_design_effect(*cells, cell[group], cell[~group])
    assert result.estimate == pytest.approx(plain.estimate, abs=0.002)  # weighted by W1 W0 / (W1 + W0)
    assert result.std_error == pytest.approx(plain.std_error, rel=0.05)


def test_clusters_that_are_strata_are_compared_between_strata():
    """What one cluster brings, its stratum included, is one observation: repeating its people adds nothing."""
    rng = np.random.default_rng(9)
    cell = np.repeat(np.arange(12), 10)
    group, score = np.tile([True, False], 60), np.round(rng.normal(size=120) + np.repeat(rng.normal(size=12), 10), 1)

    def result(times: int) -> float:
        k = np.repeat(np.arange(120), times)
        ones = np.ones((3, k.size))
        sides = [Scored(score[k][g], *ones[:, g], cell[k][g]) for g in (group[k], ~group[k])]
        return stratified_design_effect(*sides, cell[k][group[k]], cell[k][~group[k]]).std_error

    assert result(3) == pytest.approx(result(1), rel=1e-9)
    few = [Scored(score[g][:6], *np.ones((3, 6)), cell[g][:6]) for g in (group, ~group)]
    assert stratified_design_effect(*few, cell[group][:6] % 2, cell[~group][:6] % 2).reason
