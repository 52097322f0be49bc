"""MMD² and distance correlation against their definitions as U-statistics, and the exactness of their p-values."""

from itertools import combinations, permutations

import numpy as np
import pytest

from fairstats.inference.representations.probes import distance_correlation, mmd, squared_distances, u_centered


def brute_mmd(x, g):
    distance = np.sqrt(((x[:, None] - x) ** 2).sum(-1))
    width = np.median(distance[np.triu_indices(len(x), 1)])
    kernel = np.exp(-(distance**2) / (2 * width**2))
    a, b = np.flatnonzero(g == 1), np.flatnonzero(g == 0)
    within = [np.mean([kernel[i, j] for i, j in permutations(part, 2)]) for part in (a, b)]
    return sum(within) - 2 * kernel[np.ix_(a, b)].mean()


def test_mmd_is_its_definition():
    rng = np.random.default_rng(0)
    x, g = rng.normal(size=(13, 3)), np.array([0] * 8 + [1] * 5)
    both = mmd(x, g, np.zeros(13, int), permutations=9)
    assert both[1].statistic == pytest.approx(brute_mmd(x, g), abs=1e-12)
    assert both[0].statistic == pytest.approx(both[1].statistic, abs=1e-12)


def test_mmd_is_unbiased_over_all_labellings():
    x = np.random.default_rng(1).normal(size=(9, 2))
    values = []
    for chosen in combinations(range(9), 4):
        g = np.isin(np.arange(9), chosen).astype(int)
        values.append(mmd(x, g, np.zeros(9, int), permutations=1)[1].statistic)
    assert np.mean(values) == pytest.approx(0, abs=1e-12)


def quadruple(a, b):
    """The kernel of order four whose U-statistic is the unbiased squared distance covariance."""
    rows = (a.sum(1) * b.sum(1)).sum()
    return (a * b).sum() / 4 - rows / 4 + a.sum() * b.sum() / 24


@pytest.mark.parametrize("kind", ["levels", "numbers"])
def test_distance_covariance_is_its_u_statistic(kind):
    rng = np.random.default_rng(2)
    x = rng.normal(size=(8, 2))
    z = rng.integers(0, 3, 8) if kind == "levels" else rng.normal(size=8)
    a = np.sqrt(squared_distances(x))
    b = (z[:, None] != z).astype(float) if kind == "levels" else np.abs(z[:, None] - z)

    def covariance(p, q):
        return np.mean([quadruple(p[np.ix_(i, i)], q[np.ix_(i, i)]) for i in combinations(range(8), 4)])

    assert np.sum(u_centered(a) * u_centered(b)) / (8 * 5) == pytest.approx(covariance(a, b), abs=1e-12)
    expected = covariance(a, b) / np.sqrt(covariance(a, a) * covariance(b, b))
    result = distance_correlation(x, z, np.zeros(8, int), permutations=19)
    assert result.statistic == pytest.approx(expected, abs=1e-12)


def test_both_ways_of_permuting_agree():
    # two levels at distance 0 or 1 are also two numbers 0.0 and 1.0
    rng = np.random.default_rng(3)
    x, g, folds = rng.normal(size=(40, 2)), rng.integers(0, 2, 40), np.arange(40) % 2
    a = distance_correlation(x, g, folds, permutations=300, seed=1)
    b = distance_correlation(x, g.astype(float), folds, permutations=300, seed=1)
    assert a.statistic == pytest.approx(b.statistic) and a.p_value == pytest.approx(b.p_value, abs=0.08)


@pytest.mark.parametrize("statistic", ["mmd", "distance correlation"])
def test_p_values_are_uniform_at_independence(statistic):
    rng = np.random.default_rng(4)
    folds = np.arange(60) % 3
    values = []
    for seed in range(300):
        x, g = rng.normal(size=(60, 2)), rng.integers(0, 2, 60)
        if statistic == "mmd":
            values.append(mmd(x, g, folds, permutations=19, seed=seed)[1].p_value)
        else:
            values.append(distance_correlation(x, g, folds, permutations=19, seed=seed).p_value)
    # 19 permutations give p in twentieths: P(p <= k/20) = k/20 exactly
    for level in (0.05, 0.25, 0.5):
        spread = np.sqrt(level * (1 - level) / 300)
        assert abs(np.mean(np.array(values) <= level + 1e-9) - level) <= 3.5 * spread


def test_a_difference_between_folds_alone_is_not_dependence():
    rng = np.random.default_rng(5)
    folds = np.repeat([0, 1], 40)
    x = rng.normal(size=(80, 2)) + 5.0 * folds[:, None]
    g = (rng.random(80) < np.where(folds == 0, 0.2, 0.8)).astype(int)  # pooled, scores and groups go together
    assert mmd(x, g, folds, permutations=199)[1].p_value > 0.05
    assert distance_correlation(x, g, folds, permutations=199).p_value > 0.05


def test_dispersion_is_found_and_a_p_value_is_never_zero():
    rng = np.random.default_rng(6)
    g = np.repeat([0, 1], 60)
    x = rng.normal(size=(120, 2)) * np.where(g == 1, 3, 1)[:, None]
    for result in (
        mmd(x, g, np.zeros(120, int), permutations=99)[0],
        distance_correlation(x, g, np.zeros(120, int), permutations=99),
    ):
        assert result.p_value == 0.01 and result.permutations == 99


def test_folds_too_small_to_say_anything_give_nan():
    x, g = np.arange(6.0)[:, None], np.array([0, 1, 0, 1, 0, 1])
    assert np.isnan(mmd(x, g, np.arange(6))[0].statistic)
    assert np.isnan(distance_correlation(x, g, np.arange(6)).p_value)


def test_constant_scores_depend_on_nothing():
    g = np.arange(60) % 2
    for value in (1.0, 0.1, 1e5 / 3):
        result = distance_correlation(np.full((60, 2), value), g, np.zeros(60, int), permutations=19)
        assert (result.statistic, result.p_value) == (0.0, 1.0)
