"""Weights and clusters: what reduces to DeLong, what repeats, and whether the intervals cover."""

import numpy as np
import pytest
from scipy import stats

from fairstats.errors import InputError
from fairstats.estimates import Estimate
from fairstats.inference.scores.rank_tests import probability_of_superiority
from fairstats.inference.scores.survey import design_estimate, probability_of_superiority_survey


def test_equal_weights_are_delongs():
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 9, 30), rng.integers(0, 7, 20)
    result = probability_of_superiority_survey(x, y, x_weights=np.full(30, 7.0))
    plain = probability_of_superiority(x, y)
    assert (result.estimate, result.std_error) == pytest.approx((plain.estimate, plain.std_error))


def test_estimate_under_weights_is_that_of_repetitions():
    rng = np.random.default_rng(1)
    x, y, v, w = rng.integers(0, 9, 12), rng.integers(0, 9, 9), rng.integers(1, 5, 12), rng.integers(1, 4, 9)
    result = probability_of_superiority_survey(x, y, x_weights=v, y_weights=w)
    assert result.estimate == pytest.approx(probability_of_superiority(np.repeat(x, v), np.repeat(y, w)).estimate)


def test_repeating_people_as_a_cluster_adds_no_information():
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=40) + 0.4, rng.normal(size=30)
    once = probability_of_superiority_survey(x, y, x_clusters=np.arange(40), y_clusters=40 + np.arange(30))
    thrice = probability_of_superiority_survey(
        np.repeat(x, 3),
        np.repeat(y, 3),
        x_clusters=np.repeat(np.arange(40), 3),
        y_clusters=np.repeat(40 + np.arange(30), 3),
    )
    assert (thrice.estimate, thrice.std_error, thrice.p_value) == pytest.approx(
        (once.estimate, once.std_error, once.p_value)
    )


def test_intervals_cover_under_unequal_sampling():
    # the population mixes two strata; one is sampled four times as densely
    rng = np.random.default_rng(3)
    truth = np.mean(stats.norm.cdf(np.array([0.0, 2.0]) / np.sqrt(2)))
    hits = 0
    for _ in range(800):
        stratum = rng.random(150) < 0.8
        x = rng.normal(np.where(stratum, 2.0, 0.0))
        result = probability_of_superiority_survey(x, rng.normal(size=80), x_weights=np.where(stratum, 1.0, 4.0))
        hits += result.low <= truth <= result.high
    assert 0.925 <= hits / 800 <= 0.975


@pytest.mark.long
def test_intervals_cover_under_clusters_and_naive_ones_do_not():
    rng = np.random.default_rng(4)
    hits = naive = 0
    for _ in range(600):
        place = np.repeat(np.arange(40), 6)
        scores = rng.normal(size=40)[place] + rng.normal(size=240)
        group = (np.arange(40) % 2 == 0)[place]
        x, y = scores[group], scores[~group]
        result = probability_of_superiority_survey(x, y, x_clusters=place[group], y_clusters=place[~group])
        plain = probability_of_superiority(x, y)
        hits += result.low <= 0.5 <= result.high
        naive += plain.low <= 0.5 <= plain.high
    assert 0.925 <= hits / 600 <= 0.98
    assert naive / 600 < 0.8


def test_separation_keeps_its_uncertainty_and_says_how():
    result = probability_of_superiority_survey([3, 4, 5], [1, 2], x_weights=[1, 1, 8], conf_level=0.9)
    tenths = probability_of_superiority_survey(3 + np.arange(10.0), [1, 2], x_weights=np.arange(1, 11) / 10)
    assert "effective sizes" in tenths.method and tenths.low < 1
    assert result.estimate == pytest.approx(1) and result.low < 0.8 and "effective sizes" in result.method


def test_bad_designs_are_refused_and_empty_groups_unestimable():
    with pytest.raises(InputError, match="only one was given"):
        probability_of_superiority_survey([1], [2], x_clusters=[1])
    with pytest.raises(InputError, match="x_weights has 2 values for 2 scores, or one negative"):
        probability_of_superiority_survey([1, 2], [2], x_weights=[1, -1])
    row = design_estimate(Estimate("AUC", "race", "b"), probability_of_superiority_survey([], [1]))
    assert row.status == "unestimable"
