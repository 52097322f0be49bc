"""The selection among all differences finds the very values that forming and sorting all of them would."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairstats.inference.scores import hodges_lehmann as selection
from fairstats.inference.scores.hodges_lehmann import difference_order_statistics, hodges_lehmann

fine = st.lists(st.floats(-1e6, 1e6, allow_subnormal=False), min_size=1, max_size=40)
SIZES = {"FORM": 8, "COARSE": 4, "FINE": 6, "NEAR": 3, "SAMPLE": 16, "MARGIN": 2}


@pytest.fixture
def small():
    """Sizes of a selection so small that 40 values go through guesses, samples and halves."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in SIZES.items():
            patch.setattr(selection, name, value)
        yield patch


def sorted_differences(x, y):
    return np.sort(np.subtract.outer(x, y).ravel())


@settings(max_examples=200, deadline=None)
@given(fine, fine, st.integers(0, 4), st.booleans())
def test_selection_finds_the_very_differences_that_sorting_would(x, y, digits, misled):
    x, y = np.round(x, digits - 3) / 7, np.round(y, digits - 3) / 7
    every = sorted_differences(x, y)
    places = sorted({1, every.size, (every.size + 2) // 3, (every.size + 1) // 2})
    with pytest.MonkeyPatch.context() as patch:
        for name, value in SIZES.items():
            patch.setattr(selection, name, value)
        if misled:  # guesses and samples that are no help at all
            patch.setattr(selection, "_guesses", lambda sums, places: [float(every[0]) - 1.0])
            patch.setattr(selection._Sums, "around", lambda sums, part: [float(every[-1]) + 1.0])
        values = difference_order_statistics(x, y, places)
    assert values.tolist() == [every[k - 1] for k in places]


def test_selection_survives_magnitudes_where_subtraction_rounds(small):
    rng = np.random.default_rng(5)
    x, y = 1e16 + rng.integers(0, 50, 80) * 2.0, rng.normal(size=90)
    every = sorted_differences(x, y)
    assert difference_order_statistics(x, y, [100, 3600]).tolist() == [every[99], every[3599]]


def test_selection_survives_differences_that_overflow(small):
    x, y = np.linspace(0, 1.7e308, 30), np.linspace(-1.7e308, 0, 40)
    with np.errstate(over="ignore"):
        every = sorted_differences(x, y)
    assert np.isinf(every[-1])
    assert difference_order_statistics(x, y, [1, 600, 1200]).tolist() == every[[0, 599, 1199]].tolist()


@pytest.mark.long
@pytest.mark.parametrize("shape", ["normal", "spikes", "zeros", "lattice", "lognormal"])
def test_large_samples_are_selected_as_they_would_be_sorted(shape):
    rng = np.random.default_rng(3)
    draws = {
        "normal": lambda n: rng.normal(size=n),
        "spikes": lambda n: rng.beta(0.2, 0.4, size=n),
        "zeros": lambda n: np.where(rng.random(n) < 0.6, 0.0, rng.normal(size=n)),
        "lattice": lambda n: rng.normal(size=n).round(4),
        "lognormal": lambda n: np.exp(4 * rng.normal(size=n)),
    }
    x, y = draws[shape](1700), draws[shape](2300) + 0.1
    every = sorted_differences(x, y)  # 3.9 million, far more than are formed at once
    places = [1, every.size // 3, every.size // 2, every.size // 2 + 1, every.size - 5]
    assert difference_order_statistics(x, y, places).tolist() == [every[k - 1] for k in places]
    assert hodges_lehmann(x, y).estimate == pytest.approx(np.median(every), rel=1e-14, abs=0)


def test_a_large_selection_searches_about_once_a_place(monkeypatch):
    """Cost is a number of passes over the samples: one for each of the median, the lower and the upper end."""
    passes, rng = [], np.random.default_rng(4)
    settle = selection._Sums._settle
    monkeypatch.setattr(selection._Sums, "_settle", lambda sums, *rest: passes.append(rest) or settle(sums, *rest))
    hodges_lehmann(rng.normal(size=300_000), rng.normal(size=400_000))
    assert len(passes) <= 4


@settings(max_examples=100, deadline=None)
@given(fine, fine, st.lists(st.floats(-2e6, 2e6), min_size=2, max_size=6))
def test_counts_that_are_stepped_to_are_those_that_are_searched(x, y, values):
    blocks = selection.merge(x, y)
    rows, columns = np.flatnonzero(blocks.x), np.flatnonzero(blocks.y)[::-1]
    sums = selection._Sums(blocks.values[rows], blocks.x[rows], -blocks.values[columns], blocks.y[columns])
    low, high = sorted(values)[0], sorted(values)[-1]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(selection, "MOST_STEPPING", 1)
        stepped = sums.below(high, sums.below(low))
    every = sums.rows[:, None] + sums.columns
    assert stepped.tolist() == (every < high).sum(axis=1).tolist() == sums.below(high).tolist()


def test_guesses_from_a_sample_hold_the_wanted_value_and_few_others():
    """What makes the selection quick: the cut around a place misses it seldom, and leaves a small part of the cells."""
    rng, kept, cells = np.random.default_rng(8), 0, []
    for _ in range(30):
        x, y = np.sort(rng.normal(size=150)), np.sort(rng.normal(size=170))
        sums = selection._Sums(x, np.ones(150), y, np.ones(170))
        every = np.sort(np.add.outer(x, y).ravel())
        place = int(rng.integers(1, every.size))
        part = selection._Part(np.zeros(150, np.int64), np.full(150, 170), [place])
        low, high = sums.around(part)
        kept += low <= every[place - 1] < high
        cells.append(np.mean((every >= low) & (every < high)))
    assert kept >= 27 and np.mean(cells) < 0.25
