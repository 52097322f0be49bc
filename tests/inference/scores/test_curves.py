"""Which points of a curve are drawn."""

from __future__ import annotations

import numpy as np
import pytest

from fairstats.inference.scores.roc import thin


@pytest.mark.parametrize("seed", range(4))
def test_the_points_kept_are_the_same_in_every_unit_and_lie_evenly(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = np.sort(rng.exponential(size=900)), np.sort(rng.random(900))
    kept = thin(x, y, 60)
    assert kept[0] == 0 and kept[-1] == 899 and (np.diff(kept) > 0).all() and 50 <= kept.size <= 60
    for a, b in ((1000.0, 1.0), (1.0, 1e-3), (0.25, 4.0)):
        assert np.array_equal(thin(a * x, b * y, 60), kept)
    along = np.cumsum(np.abs(np.diff(x)) / np.ptp(x) + np.abs(np.diff(y)) / np.ptp(y))
    steps = np.diff(np.concatenate([[0.0], along])[kept])
    assert steps.sum() == pytest.approx(2.0) and steps.max() < 2 / 59 + 2 * np.diff(along).max()


def test_a_curve_of_few_points_keeps_them_all_and_a_straight_one_its_ends() -> None:
    assert thin([0, 1], [0, 5]).tolist() == [0, 1]
    assert thin(np.arange(50), 2 * np.arange(50)).tolist() == [0, 49]
    assert thin([0, 1, 2, 3], [0, 2, 1, 4]).tolist() == [0, 1, 2, 3]
