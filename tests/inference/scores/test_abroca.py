"""ABROCA of people: the area between the groups' curves, and an interval that holds it."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from fairstats import stats
from fairstats.errors import InputError
from fairstats.inference.fairness_metrics import _distances, _Sample
from fairstats.inference.scores.roc import area_between_roc_curves, auc


def people(rng: np.random.Generator, sizes: tuple[int, ...], shift: float = 0.0) -> tuple[np.ndarray, ...]:
    g = np.repeat(np.arange(len(sizes)), sizes)
    y = (rng.random(g.size) < 0.5).astype(int)
    return y, np.round(rng.normal(y * (1 + shift * g)), 1), g


@pytest.mark.long
def test_it_is_the_largest_area_over_all_pairs(rng):
    y, s, g = people(rng, (60, 80, 100), 0.4)
    row = stats.abroca(y, s, groups=g)
    pairs = {
        (a, b): area_between_roc_curves(s[g == a], y[g == a], s[g == b], y[g == b])
        for a, b in combinations(range(3), 2)
    }
    assert row.estimate == pytest.approx(max(pairs.values()), abs=1e-12)
    areas = [auc(s[g == k], y[g == k]).auc for k in range(3)]
    assert row.estimate >= max(areas) - min(areas) - 1e-12
    first, second = max(pairs, key=lambda pair: pairs[pair])
    assert row.reason == f"observed extremes: {first} and {second}" and row.status == "ok"
    assert 0 <= row.conf_low < row.estimate < row.conf_high <= 1
    assert stats.abroca(y, s, groups=g) == row != stats.abroca(y, s, groups=g, seed=1)
    assert stats.abroca(y, np.exp(s), groups=g) == row  # only the order of scores counts
    wide, narrow = (stats.abroca(y, s, groups=g, conf_level=level) for level in (0.99, 0.8))
    assert wide.conf_high > row.conf_high > narrow.conf_high


def test_weights_are_people_or_shares_of_them(rng):
    y, s, g = people(rng, (40, 60))
    counts = rng.integers(0, 4, y.size)
    repeated = [np.repeat(v, counts) for v in (y, s, g)]
    plain = stats.abroca(repeated[0], repeated[1], groups=repeated[2])
    weighted = stats.abroca(y, s, groups=g, sample_weight=counts, weight_type="frequency")
    assert weighted.estimate == pytest.approx(plain.estimate, abs=1e-12)
    assert weighted.conf_high == pytest.approx(plain.conf_high, abs=0.03)  # other draws of the same law
    drawn = stats.abroca(y, s, groups=g, sample_weight=counts)
    assert drawn.estimate == pytest.approx(plain.estimate, abs=1e-12)
    assert drawn.conf_high > plain.conf_high  # fewer people stand for as many


def test_groups_without_a_curve_and_small_ones_are_named(rng):
    y, s, g = people(rng, (60, 60, 60))
    y[g == 2] = 1
    assert stats.abroca(y, s, groups=g).reason.endswith("no negatives in 2")
    alone = stats.abroca(y[g != 1], s[g != 1], groups=g[g != 1])
    assert alone.status == "unestimable" and np.isnan(alone.estimate)
    small = stats.abroca(*people(rng, (30, 90))[:2], groups=np.repeat([0, 1], [30, 90]))
    assert small.reason.endswith("approximate: fewer than 20 of an outcome in a group")
    apart = stats.abroca([0] * 30 + [1] * 30, range(60), groups=["a", "b"] * 30)
    assert apart.estimate == 0 and np.isnan(apart.conf_high) and "leaves no error" in apart.reason
    with pytest.raises(InputError, match="y_score has"):
        stats.abroca([0, 1] * 5, [0.1, np.nan] * 5, groups=["a", "b"] * 5)


@pytest.mark.slow
def test_the_interval_holds_no_area_where_the_curves_are_one():
    rng, kept = np.random.default_rng(5), 0
    for seed in range(60):
        g = np.repeat([0, 1], [60, 90])
        y = np.tile([0, 1, 0], 50)
        row = stats.abroca(y, rng.normal(y), groups=g, seed=seed)
        kept += row.conf_low == 0
    assert kept >= 52  # three standard errors below 0.95


def test_of_several_pairs_a_sample_counts_with_its_largest_area(rng):
    def sample(n):
        scores, first = rng.normal(size=n).round(1), np.arange(n) < n // 2
        draws = (int(first.sum()), int((~first).sum()))
        present, place = np.unique(-scores, return_inverse=True)
        equal = tuple(np.full(m, 1 / m) for m in draws)
        return _Sample((place[first], place[~first]), equal, draws, tuple(np.ones(m) for m in draws), present.size)

    samples, pairs = [sample(n) for n in (30, 40, 50)], list(combinations(range(3), 2))
    together = _distances(samples, pairs, 4)
    alone = np.array([_distances(samples, [pair], 4) for pair in pairs])
    assert np.array_equal(together, alone.max(axis=0)) and (together > alone.min(axis=0)).any()
