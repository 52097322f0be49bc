"""Probes: what they are trained on, and why it is not the other folds."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import fairstats
from fairstats.inference.representations.probes import PROBES, probe_predictions
from fairstats.inference.scores.roc import stratified_auc


def probe_auc(scores, codes, folds, probe):
    p, strata = probe_predictions(scores, codes, folds, probe)
    tested = strata >= 0
    return stratified_auc(p[tested, 1], codes[tested], strata[tested])


def test_half_of_each_fold_is_tested_and_levels_are_spread_evenly():
    g, folds = np.arange(240) % 4, np.arange(240) // 80
    p, strata = probe_predictions(np.random.default_rng(0).normal(size=(240, 2)), g, folds, "linear probe")
    tested = strata >= 0
    assert np.bincount(folds[tested]).tolist() == pytest.approx([40, 40, 40], abs=2)
    assert np.isnan(p[~tested]).all() and p[tested].sum(axis=1) == pytest.approx(np.ones(tested.sum()))
    for s in range(strata.max() + 1):
        assert np.ptp(np.bincount(g[strata == s], minlength=4)) <= 1
        assert np.unique(folds[strata == s]).size == 1


def test_a_level_that_a_probe_has_not_seen_has_probability_zero():
    g = np.array([0, 1] * 20 + [2])
    p, strata = probe_predictions(np.random.default_rng(0).normal(size=(41, 1)), g, np.zeros(41, int), "linear probe")
    assert np.all((p[strata >= 0, 2] == 0) | (np.flatnonzero(strata >= 0) != 40))


@pytest.mark.long
@pytest.mark.parametrize(
    ("probe", "n_repeats"),
    [
        ("linear probe", 50),
        pytest.param("linear probe", 150, marks=pytest.mark.slow),
        pytest.param("non-linear probe", 150, marks=pytest.mark.slow),
    ],
)
def test_tests_have_their_size_at_independence(probe, n_repeats):
    rng = np.random.default_rng(1)
    rejected = 0
    for _ in range(n_repeats):
        rejected += probe_auc(rng.normal(size=(160, 3)), rng.integers(0, 2, 160), np.arange(160) % 2, probe)[2] <= 0.05
    assert rejected / n_repeats <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / n_repeats)


def test_probes_across_folds_would_see_the_mirror_image_of_chance():
    rng = np.random.default_rng(2)
    across, within = [], []
    for seed in range(15):
        X, g = rng.normal(size=(300, 20)), rng.integers(0, 2, 300)
        kept = fairstats.og(X, g.astype(str), k=5).crossfit(X, g.astype(str), seed=seed)
        predicted = np.empty(300)
        for fold in np.unique(kept.folds):
            test = kept.folds == fold
            predicted[test] = (
                LogisticRegression().fit(kept.scores[~test], g[~test]).decision_function(kept.scores[test])
            )
        across.append(stratified_auc(predicted, g, kept.folds)[0].auc)
        within.append(probe_auc(kept.scores, g, kept.folds, "linear probe")[0].auc)
    assert np.mean(across) < 0.46
    assert np.mean(within) > 0.49


def test_shapes_only_the_non_linear_probe_sees():
    rng = np.random.default_rng(3)
    g = np.arange(600) % 2
    S = rng.normal(size=(600, 3))
    S[:, 0] *= np.where(g == 1, 2.5, 1)
    linear, other = (probe_auc(S, g, np.arange(600) // 2 % 2, p)[0] for p in PROBES)
    assert linear.low <= 0.5 <= linear.high
    assert other.low > 0.6
