"""Weights and clusters: equal weights change nothing, copies of people add nothing, sizes and coverage hold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2, norm, t

from fairstats.inference.rates.many_rates import chi_square
from fairstats.inference.rates.one_rate import wilson
from fairstats.inference.rates.survey import rao_scott, survey_rate

OUTCOMES = st.lists(st.integers(0, 1), min_size=2, max_size=40).filter(lambda y: 0 < sum(y) < len(y))


@given(OUTCOMES, st.floats(0.1, 50))
def test_equal_weights_give_the_plain_rate_and_the_sample_variance(y, weight):
    result = survey_rate(y, np.full(len(y), weight))
    assert result.rate == pytest.approx(np.mean(y))
    assert result.std_error == pytest.approx(np.std(y, ddof=1) / np.sqrt(len(y)))
    assert result.effective_n == pytest.approx(len(y) - 1)


@given(OUTCOMES, st.randoms(use_true_random=False))
def test_copies_of_people_in_their_clusters_add_no_information(y, random):
    w = np.array([random.uniform(0.5, 3) for _ in y])
    once = survey_rate(y, w, np.arange(len(y)))
    thrice = survey_rate(np.repeat(y, 3), np.repeat(w, 3), np.repeat(np.arange(len(y)), 3))
    assert (thrice.rate, thrice.std_error) == pytest.approx((once.rate, once.std_error))
    share, p = w / w.sum(), once.rate
    rest = (p - share * np.array(y)) / (1 - share)  # the rate without each cluster
    variance = float(np.sum((rest - p) ** 2))
    for result, copies in ((once, 1), (thrice, 3)):
        kish = copies / float(share @ share)
        assert result.effective_n == pytest.approx(min(p * (1 - p) / variance, kish))


def test_people_of_weight_zero_do_not_count():
    y, w = [0, 1, 1, 1, 0], [1, 2, 0, 1.5, 0]
    assert survey_rate(y, w) == survey_rate([0, 1, 1], [1, 2, 1.5])


def interval(y, w):
    """Wilson's at Kish's size, less what Student's t asks for."""
    result = survey_rate(y, w)
    size = result.effective_n * (norm.ppf(0.975) / t.ppf(0.975, result.df)) ** 2
    return wilson(result.rate * size, size)


def test_the_weighted_interval_covers_the_population_where_the_plain_one_does_not():
    rng = np.random.default_rng(1)
    covered = plain = 0
    for _ in range(600):
        strata = rng.random(400) < 0.5  # half the sample from a tenth of the population, with twice the rate
        y = (rng.random(400) < np.where(strata, 0.6, 0.3)).astype(float)
        low, high = interval(y, np.where(strata, 0.1, 0.9))
        covered += low <= 0.33 <= high
        low, high = wilson(y.sum(), 400)
        plain += low <= 0.33 <= high
    assert 0.925 <= covered / 600 <= 0.975
    assert plain / 600 < 0.1


@given(st.integers(0, 2**31))
def test_equal_weights_give_pearsons_statistic_up_to_the_design_effect(seed):
    rng = np.random.default_rng(seed)
    codes, y = rng.integers(0, 3, 2000), rng.integers(0, 2, 2000)
    statistic, df1, _, p = rao_scott(y, codes, np.full(2000, 2.5))
    events, n = np.bincount(codes, weights=y), np.bincount(codes)
    plain = chi_square(events, n)
    assert df1 == pytest.approx(2, abs=0.02)
    assert statistic * 2 == pytest.approx(plain[0], rel=0.03)
    assert p == pytest.approx(chi2.sf(plain[0], 2), abs=0.02)


def test_copies_of_people_in_their_clusters_leave_the_rao_scott_test_alone():
    rng = np.random.default_rng(2)
    codes, y, w = rng.integers(0, 3, 200), rng.integers(0, 2, 200), rng.random(200) + 0.5
    once = rao_scott(y, codes, w)
    twice = rao_scott(*(np.repeat(v, 2) for v in (y, codes, w, np.arange(200))))
    assert twice == pytest.approx(once)


def test_rao_scott_holds_its_size_with_clusters_where_pearson_does_not():
    rng = np.random.default_rng(3)
    clusters = np.repeat(np.arange(60), 10)
    codes = np.repeat(np.arange(3), 200)
    rejected = naive = 0
    for _ in range(400):
        rate = np.repeat(rng.beta(2, 3, 60), 10)
        y = (rng.random(600) < rate).astype(float)
        rejected += rao_scott(y, codes, np.ones(600), clusters)[3] <= 0.05
        naive += chi_square(np.bincount(codes, weights=y), np.bincount(codes))[2] <= 0.05
    assert 0.02 <= rejected / 400 <= 0.09
    assert naive / 400 > 0.15


@pytest.mark.parametrize(
    ("y", "codes", "clusters"),
    [([1, 1, 1], [0, 1, 1], None), ([0, 1, 1], [0, 0, 0], None), ([0, 1, 1], [0, 1, 1], [5, 5, 5])],
)
def test_nothing_to_test_is_nan(y, codes, clusters):
    assert np.isnan(rao_scott(y, codes, [1, 2, 3], clusters)).all()
