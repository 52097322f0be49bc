"""The area between two ROC curves by a fine grid, and the band of a curve by simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from fairstats.auditing.audit import audit
from fairstats.inference.scores.roc import area_between_roc_curves, auc, roc_band, roc_curve


def height(scores, y, at) -> np.ndarray:
    """The piecewise linear ROC curve, where no vertical step lies."""
    fpr, tpr, _ = roc_curve(scores, y)
    k = np.searchsorted(fpr, at, side="right") - 1
    run = fpr[k + 1] - fpr[k]
    return tpr[k] + (tpr[k + 1] - tpr[k]) * (at - fpr[k]) / np.where(run > 0, run, 1)


@pytest.mark.parametrize("ties", [4, 9, 1000])
def test_abroca_is_the_area_between_the_curves(rng, ties):
    at = (np.arange(100_000) + 0.5) / 100_000
    for _ in range(5):
        samples = [(rng.integers(0, ties, n), rng.integers(0, 2, n)) for n in (40, 60)]
        between = np.mean(np.abs(height(*samples[0], at) - height(*samples[1], at)))
        result = area_between_roc_curves(*samples[0], *samples[1])
        assert result == pytest.approx(between, abs=2e-5)
        assert result == pytest.approx(area_between_roc_curves(*samples[1], *samples[0]))
        areas = [auc(*sample).auc for sample in samples]
        assert result >= abs(areas[0] - areas[1]) - 1e-12


def test_curves_that_are_one_have_no_area_and_one_outcome_has_no_curve(rng):
    s, y = rng.random(30), rng.integers(0, 2, 30)
    assert area_between_roc_curves(s, y, np.exp(s), y) == 0
    assert np.isnan(area_between_roc_curves(s, np.ones(30), s, y))


def test_the_band_holds_the_whole_curve():
    rng, draws, kept = np.random.default_rng(1), 300, 0
    at = np.linspace(0.005, 0.995, 199)
    truth = ndtr(1 + ndtri(at))  # two normals, one standard deviation apart
    for _ in range(draws):
        y = np.repeat([0, 1], [80, 50])
        low, high = roc_band(rng.normal(size=130) + y, y, at)
        kept += bool(((low <= truth) & (truth <= high)).all())
    assert kept / draws >= 0.95


def test_a_figure_has_bands_unless_small_groups_are_hidden(rng):
    y = rng.integers(0, 2, 200)
    data = {"g": ["a", "b"] * 100, "s": rng.random(200) + y, "y": y}
    for least in (1, 10):
        curves = audit(data, groups="g", score="s", outcome="y", min_n=least).curves
        assert all(bool(c.low) == (least == 1) for c in curves if c.kind == "roc")


@pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
def test_a_band_is_as_wide_as_two_independent_bands_of_massart_allow(level):
    """Half of the positives score above all negatives, half below: the curve is flat, and only its height is unsure."""
    n = 400
    y = np.repeat([1, 0, 1], [n // 2, 5000, n // 2])
    low, high = (v[0] for v in roc_band(np.linspace(1, 0, y.size), y, [0.5], conf_level=level))
    assert (low + high) / 2 == pytest.approx(0.5)
    kept = 1 - 2 * np.exp(-2 * n * ((high - low) / 2) ** 2)
    assert kept**2 == pytest.approx(level)
