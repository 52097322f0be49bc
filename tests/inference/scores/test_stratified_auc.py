"""Pairs within strata: what it shares with DeLong's area, and what pooling would get wrong."""

import numpy as np
import pytest

from fairstats.inference.scores.roc import auc, stratified_auc


def test_one_stratum_is_delongs_area():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    s = rng.integers(0, 9, 60) + y
    result, z, p = stratified_auc(s, y, np.zeros(60, int))
    plain = auc(s, y)
    assert (result.auc, result.std_error, result.low, result.high) == pytest.approx(
        (plain.auc, plain.std_error, plain.low, plain.high)
    )
    assert z > 0 and 0 < p < 1


def test_a_shift_of_a_stratum_changes_nothing():
    rng = np.random.default_rng(1)
    y, strata = rng.integers(0, 2, 90), np.repeat([0, 1, 2], 30)
    s = rng.normal(size=90) + y
    assert stratified_auc(s, y, strata) == stratified_auc(s + 100.0 * strata, y, strata)


def test_area_is_the_share_of_pairs_within_strata():
    rng = np.random.default_rng(2)
    y, strata, s = rng.integers(0, 2, 40), rng.integers(0, 4, 40), rng.integers(0, 5, 40)
    won = pairs = 0.0
    for i in np.flatnonzero(y == 1):
        for j in np.flatnonzero((y == 0) & (strata == strata[i])):
            won += (s[i] > s[j]) + (s[i] == s[j]) / 2
            pairs += 1
    assert stratified_auc(s, y, strata)[0].auc == pytest.approx(won / pairs)


@pytest.mark.long
def test_size_and_coverage_with_many_small_strata():
    rng = np.random.default_rng(3)
    strata = np.repeat(np.arange(12), 10)
    rejected = covered = 0
    for _ in range(1500):
        y = (rng.random(120) < 0.3).astype(int)
        result, _, p = stratified_auc(rng.normal(size=120), y, strata)
        rejected += p <= 0.05
        covered += result.low <= 0.5 <= result.high
    assert 0.035 <= rejected / 1500 <= 0.065
    assert 0.93 <= covered / 1500 <= 0.975


def test_strata_with_one_outcome_have_no_pairs():
    result, z, p = stratified_auc([1, 2, 3], [0, 0, 1], [0, 0, 1])
    assert np.isnan([result.auc, z, p]).all()
    assert np.isnan(stratified_auc([], [], [])[0].auc)
