"""The grid of verdicts: its quick cells keep their bounds, which wrong rules break."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from benchmarks.coverage.__main__ import grid, page
from benchmarks.coverage.anchors import fairlearn_percentiles, fairmetrics_normal, jfa_fisher, statsmodels_z
from benchmarks.coverage.cells import Cell, Shares, Store

QUICK = [cell for cell in grid() if cell.quick]


@cache
def quick_shares(name: str) -> Shares:
    """The shares of the quick cell of this name, which two tests read."""
    cell = next(cell for cell in QUICK if f"{cell.table}: {cell.name}" == name)
    return cell.shares(cell.quick)


@pytest.mark.long
@pytest.mark.parametrize("cell", QUICK, ids=lambda cell: f"{cell.table[:40]}: {cell.name}")
def test_every_bound_holds_in_a_quarter_of_the_quick_draws(cell):
    draws = min(cell.quick, max(10, cell.quick // 4))
    assert cell.most or cell.least
    assert cell.broken(cell.shares(draws), draws) == []


@pytest.mark.slow
@pytest.mark.parametrize("cell", QUICK, ids=lambda cell: f"{cell.table[:40]}: {cell.name}")
def test_every_bound_of_the_quick_grid_holds(cell):
    assert cell.broken(quick_shares(f"{cell.table}: {cell.name}"), cell.quick) == []


@pytest.mark.long
def test_wrong_rules_break_the_bounds():
    """Newcombe's interval as the verdict, Mann-Whitney under unequal spread, the normal bootstrap in small groups."""
    by_name = {f"{cell.table}: {cell.name}": cell for cell in QUICK}
    for words, right, wrong in [
        ("12 and 1000 people", "verdict", "Newcombe"),
        ("5 of 12 people against 2000", "verdict", "z"),
        ("beside other packages: 12 and 2000", "fairstats", "fairmetrics"),
        ("sd 4:1, 8, 200", "disparity shown", "Mann-Whitney"),
        ("20 and 20 people", "exact", "score"),
        ("500 and 100, weights' cv 2.1", "disparity shown", "normal, p(1 - p)/v"),
        ("8 hold both, 10 and 10 people in each, rate 0.05", "disparity shown", "normal, p(1 - p)/v"),
        ("30 people, 0.2 positive", "disparity shown", "DeLong, t"),
        ("8 and 8 clusters of 8", "disparity shown", "Brunner-Munzel, unweighted"),
    ]:
        name, cell = next((name, cell) for name, cell in by_name.items() if words in name)
        shares = quick_shares(name)
        assert cell.broken(shares, cell.quick) == [] and right in cell.most | cell.least, words
        assert cell.broken(shares | {right: shares[wrong]}, cell.quick) != [], words


def test_a_bound_is_broken_by_more_than_chance_only():
    cell = Cell("t", "c", lambda rng, draws: {}, most={"size": 0.05}, least={"covered": 0.95})
    assert cell.broken({"size": 0.055, "covered": 0.945}, 1000) == []
    assert len(cell.broken({"size": 0.08, "covered": 0.9}, 1000)) == 2
    exact = Cell("t", "c", lambda rng, draws: {}, draws=0, most={"size": 0.05})
    assert len(exact.broken({"size": 0.0501}, 0)) == 1


def test_a_finished_cell_is_not_drawn_again(tmp_path):
    drawn = []

    def run(rng, draws):
        drawn.append(draws)
        return {"size": float(rng.random())}

    store, cell = Store(tmp_path), Cell("t", "c", run)
    assert store.shares(cell, 10) == store.shares(cell, 10) == cell.shares(10)
    assert drawn == [10, 10]
    assert "| c |" in page([(cell, 10, store.shares(cell, 10))])


def test_the_rules_of_other_packages_are_what_their_documentation_says(rng):
    """Against statsmodels, scipy, and plain bootstraps of the people."""
    from statsmodels.stats.proportion import proportions_ztest

    for e1, n1, e0, n0 in [(3, 20, 60, 200), (10, 20, 100, 200), (1, 12, 20, 2000)]:
        counts = (e1, n1, e0, n0)
        assert statsmodels_z(counts) == (proportions_ztest([e1, e0], [n1, n0])[1] <= 0.05)
        current, base = (np.r_[np.ones(e), np.zeros(n - e)] for e, n in ((e1, n1), (e0, n0)))
        drawn = [rng.choice(current, n1).mean() - rng.choice(base, n0).mean() for _ in range(4000)]
        gap = abs(e1 / n1 - e0 / n0)
        assert abs(gap / np.std(drawn) - 1.96) < 0.1 or fairmetrics_normal(counts) == (gap > 1.96 * np.std(drawn))
    assert fairlearn_percentiles((10, 20, 100, 200), rng)  # equal rates: its difference is never below 0
    assert not jfa_fisher((10, 20, 100, 200))
