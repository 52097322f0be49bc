"""Rows sorted into cells of place and scores: one cell for every combination that occurs."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from fairstats.auditing.curves import _shown, histogram_edges
from fairstats.auditing.sensitivity import _moved, rate_bounds
from fairstats.auditing.tally import Withheld, sorted_cells
from fairstats.estimates import Estimate
from fairstats.metrics import METRICS, UNKNOWN


@pytest.mark.parametrize("first", [0, 1, 3])
@pytest.mark.parametrize("scores", [1, 2])
def test_there_are_as_many_cells_as_combinations(scores: int, first: int) -> None:
    rng = np.random.default_rng(scores)
    place = rng.integers(first, 5, 400)
    numbers = [rng.integers(0, 4, 400).astype(float) for _ in range(scores)]
    numbers[0][::17] = np.nan
    order, starts = sorted_cells(place, 5, numbers)
    rows = np.column_stack([place, *(np.nan_to_num(x, nan=-1.0) for x in numbers)])[order]
    assert sorted(order.tolist()) == list(range(400))
    assert len(starts) == len(np.unique(rows, axis=0)) and starts[0] == 0
    ends = [*starts[1:].tolist(), 400]
    assert all((rows[a:b] == rows[a]).all() for a, b in zip(starts.tolist(), ends, strict=True))


@pytest.mark.parametrize(
    ("decision", "by_score", "low", "high"),
    [(1, False, 8 / 16, 12 / 20), (0, False, 8 / 20, 8 / 16), (-1, False, 0.5, 0.5), (-1, True, 8 / 20, 12 / 20)],
)
def test_what_withheld_people_may_add_to_a_rate(decision: int, by_score: bool, low: float, high: float) -> None:
    code = np.full(1, decision if decision >= 0 else UNKNOWN, dtype=np.int8)
    hidden = Withheld({"sex": ["f"]}, None, code, by_score, np.zeros(1), np.full(1, 4.0), ("",))
    result = rate_bounds(METRICS["selection rate"], Estimate("selection rate", "sex", "f", n=16, events=8), hidden, 1)
    assert (result.low, result.high) == pytest.approx((low, high))


@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.97])
def test_bins_of_a_histogram_cover_the_range_and_break_at_the_threshold(threshold: float) -> None:
    edges = histogram_edges(0.0, 1.0, threshold)
    widths = np.diff(edges)
    assert edges[0] <= 1e-12 and edges[-1] >= 1 - 1e-12 and np.isclose(edges, threshold).any()
    assert np.allclose(widths, widths[0]) and edges[1] > 0 and edges[-2] < 1


@pytest.mark.parametrize("least", [1, 2, 5])
def test_bins_that_are_left_out_cannot_be_inferred_from_their_sum(least: int) -> None:
    for n in product([0.0, 1.0, 3.0, 9.0], repeat=4):
        counts = np.array(n)
        kept = _shown(counts, least)
        assert not kept[counts < least].any()
        if least == 1:
            assert kept.tolist() == (counts >= 1).tolist()
        elif kept.any() and not kept.all():
            assert (~kept).sum() >= 2 and counts[~kept].sum() >= least


@pytest.mark.parametrize(("x", "y"), [((10.0, 2.0), (8.0, 0.0)), ((5.0, 0.0), (4.0, 0.0)), ((6.0, 3.0), (7.0, 5.0))])
def test_pairs_with_a_withheld_person_may_all_speak_one_way(x: tuple[float, float], y: tuple[float, float]) -> None:
    pairs, present = sum(x) * sum(y), x[0] * y[0]
    result = _moved(0.6, x, y)
    assert result.low == pytest.approx(0.6 * present / pairs)
    assert result.high == pytest.approx((0.6 * present + (pairs - present)) / pairs)
