"""Calibration error without its bias, Spiegelhalter's z, and the simultaneous band, by simulation and by hand."""

from __future__ import annotations

import numpy as np
import pytest

from fairstats.auditing.audit import audit
from fairstats.inference.scores.calibration import calibration_curve, calibration_error, spiegelhalter_z

EDGES = np.arange(1, 10) / 10


def right(rng, n: int) -> tuple[np.ndarray, np.ndarray]:
    p = rng.uniform(0.05, 0.95, n)
    return p, (rng.random(n) < p).astype(int)


def test_spiegelhalters_z_is_the_brier_score_against_its_mean_and_variance():
    """The statistic as published: (B - E B) / sd B, with the mean and variance of right probabilities."""
    rng = np.random.default_rng(1)
    p, y = right(rng, 80)
    brier = np.mean((p - y) ** 2)
    mean, variance = np.mean(p * (1 - p)), np.sum((1 - 2 * p) ** 2 * p * (1 - p)) / 80**2
    assert spiegelhalter_z(p, y).statistic == pytest.approx((brier - mean) / np.sqrt(variance))
    assert np.isnan(spiegelhalter_z([0, 1, 0.5], [0, 1, 1]).p_value)


def test_spiegelhalters_test_has_its_size_and_sees_overconfidence():
    rng = np.random.default_rng(2)
    p_values = [spiegelhalter_z(*right(rng, 60)).p_value for _ in range(1500)]
    assert abs(np.mean(np.array(p_values) <= 0.05) - 0.05) < 3 * np.sqrt(0.05 * 0.95 / 1500)
    p, y = right(rng, 2000)
    extreme = 1 / (1 + np.exp(-2 * np.log(p / (1 - p))))
    assert spiegelhalter_z(extreme, y).statistic > 5


def test_debiased_errors_grow_less_as_people_get_fewer():
    rng = np.random.default_rng(3)
    items = [calibration_error(*right(rng, 100), EDGES) for _ in range(800)]
    binned, debiased, squared = (np.array([getattr(f, name) for f in items]) for name in items[0]._fields[:3])
    assert binned.mean() > 0.09  # of probabilities that are right
    assert debiased.mean() < 0.7 * binned.mean()
    assert abs(squared.mean()) < 4 * squared.std() / np.sqrt(squared.size)  # unbiased


def test_a_true_error_is_found_whatever_its_estimate():
    rng = np.random.default_rng(4)
    p, y = right(rng, 200_000)
    off = np.clip(p - 0.1, 0, 1)
    result = calibration_error(off, y, EDGES)
    assert result.binned == pytest.approx(0.1, abs=0.006) and result.debiased == pytest.approx(0.1, abs=0.006)
    assert np.sqrt(result.squared) == pytest.approx(0.1, abs=0.006)


def test_by_hand():
    result = calibration_error([0.1, 0.2, 0.8, 0.9], [0, 1, 1, 1], edges=[0.5])
    assert result.binned == pytest.approx((0.35 + 0.15) / 2)
    # bin 1: gap 0.35, observed 1/2: squared 0.35^2 - 0.25 / 1; bin 2: 0.15^2, no spread
    assert result.squared == pytest.approx((0.35**2 - 0.25 + 0.15**2) / 2)
    assert np.isnan(calibration_error([], []).binned)


def test_all_bins_lie_within_the_band_in_95_percent():
    rng, draws, kept, pointwise = np.random.default_rng(5), 400, 0, 0
    middle = np.array([0.05 + 0.9 * (i + 0.5) / 10 for i in range(10)])
    for _ in range(draws):
        p = np.repeat(middle, 60)
        curve = calibration_curve(p, rng.random(p.size) < p, edges=(middle[1:] + middle[:-1]) / 2)
        kept += bool(((curve.low <= middle) & (middle <= curve.high)).all())
        from fairstats.inference.rates.one_rate import wilson

        low, high = wilson(curve.events, curve.n)
        pointwise += bool(((low <= middle) & (middle <= high)).all())
    assert kept / draws > 0.95 - 3 * np.sqrt(0.05 * 0.95 / draws)
    assert pointwise / draws < 0.75


def test_an_audit_has_the_checks_and_the_area_between_curves_beside_its_calibration(rng):
    p, y = right(rng, 300)
    rows = audit({"g": ["a", "b", "b"] * 100, "s": p, "y": y}, groups="g", score="s", outcome="y").estimates
    for metric in ("Spiegelhalter's z", "calibration error"):
        assert rows.where(metric=metric).column("group") == ["b", "a"]
        assert set(rows.where(metric=metric).column("role")) == {"supplementary"}
    (area,) = rows.where(metric="ABROCA")
    gap = rows.where(metric="AUC", contrast="difference")[0]
    assert area.estimate >= abs(gap.estimate) - 1e-12 and "by chance" in area.reason
