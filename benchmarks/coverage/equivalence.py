"""How often "equivalence shown" is wrong for groups exactly at the margin: score tests and exact ones, by enumeration.

Families are groups that all lie at the margin from one shared reference; Holm on the equivalence p-values begins with
the smallest, and there a family-wise error begins.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr
from scipy.stats import binom

from benchmarks.coverage.cells import Cell, Shares
from fairstats.inference.rates.equivalence import tost_rates
from fairstats.inference.rates.exact import equivalence_of_rates, equivalence_of_ratio
from fairstats.inference.rates.rate_tests import ratio_score

Floats = NDArray[np.float64]
Test = Callable[..., Floats]
# group n, reference n, margin
CELLS = ((12, 12, 0.3), (20, 20, 0.4), (20, 20, 0.2), (30, 30, 0.2), (12, 200, 0.2), (20, 2000, 0.2), (60, 600, 0.1))
CELLS += ((100, 100, 0.1), (200, 500, 0.1), (100, 1000, 0.05))
RATIO_CELLS = ((20, 20), (30, 300), (100, 100), (200, 500))
# reference n, group n, groups, margin, rate of the reference
FAMILIES = ((1500, 400, 4, 0.1, 0.3), (500, 200, 4, 0.1, 0.6), (1000, 100, 4, 0.05, 0.06), (2000, 12, 5, 0.3, 0.4))
REFERENCE_RATES = (0.06, 0.1, 0.2, 0.3, 0.42, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0)


def ratio_tost(e1: Floats, n1: int, e0: Floats, n0: int) -> Floats:
    """The asymptotic score tests of 0.8 and 1.25."""
    return np.maximum(ndtr(-ratio_score(e1, n1, e0, n0, 0.8)), ndtr(ratio_score(e1, n1, e0, n0, 1.25)))


def likely(n: int, p: float) -> Floats:
    """Counts that have a chance."""
    return np.arange(binom.ppf(1e-7, n, p), binom.isf(1e-7, n, p) + 1)


def shown(test: Test, n1: int, n0: int, p1: float, p0: float, alpha: float) -> tuple[Floats, Floats]:
    """The chance of "shown" given each likely count of the reference, and that count's chance."""
    x, y = likely(n1, p1), likely(n0, p0)
    # for one y the claims are an interval of x: bisect toward it from both sides of the most favorable count
    chances = np.zeros(y.size)
    for j, count in enumerate(y):
        claims = np.zeros(x.size, dtype=bool)
        peak = int(np.argmin(tost_rates(x, n1, count, n0, 0.5) if p1 == p0 else np.abs(x / n1 - count / n0)))
        if test(x[peak], n1, count, n0) <= alpha:
            claims[_edge(lambda i, c=count: test(x[i], n1, c, n0) <= alpha, peak, -1, x.size) : peak + 1] = True
            claims[peak : _edge(lambda i, c=count: test(x[i], n1, c, n0) <= alpha, peak, 1, x.size) + 1] = True
        chances[j] = claims @ binom.pmf(x, n1, p1)
    return chances, binom.pmf(y, n0, p0)


def _edge(holds: Callable[[int], bool], inside: int, step: int, size: int) -> int:
    """The last position in one direction at which the claim still holds."""
    outside = -1 if step < 0 else size
    while abs(outside - inside) > 1:
        middle = (inside + outside) // 2
        inside, outside = (middle, outside) if holds(middle) else (inside, middle)
    return inside


def _with(test: Test, margin: float, e1: Floats, n1: int, e0: Floats, n0: int) -> Floats:
    return test(e1, n1, e0, n0, margin)


TESTS: tuple[tuple[str, Test], ...] = (("score", tost_rates), ("exact", equivalence_of_rates))
RATIO_TESTS: tuple[tuple[str, Test], ...] = (("score", ratio_tost), ("exact", equivalence_of_ratio))


def at_the_margin(n1: int, n0: int, margin: float, rng: np.random.Generator, draws: int) -> Shares:
    """The largest chance over rates of the reference."""
    rates = [p for p in REFERENCE_RATES if p >= margin]
    return {
        name: max(float(np.dot(*shown(partial(_with, test, margin), n1, n0, p - margin, p, 0.05))) for p in rates)
        for name, test in TESTS
    }


def at_the_ratio(n1: int, n0: int, rng: np.random.Generator, draws: int) -> Shares:
    """The largest chance over rates of the reference."""
    return {
        name: max(float(np.dot(*shown(test, n1, n0, 0.8 * p, p, 0.05))) for p in REFERENCE_RATES)
        for name, test in RATIO_TESTS
    }


def in_a_family(cell: tuple[int, int, int, float, float], rng: np.random.Generator, draws: int) -> Shares:
    """The family-wise chance, every group at the margin, at the first step of Holm."""
    n0, n1, groups, margin, p0 = cell
    chances = {}
    for name, test in TESTS:
        each, weight = shown(partial(_with, test, margin), n1, n0, p0 - margin, p0, 0.05 / groups)
        chances[name] = float(weight @ (1 - (1 - each) ** groups))
    return chances


MARGIN_TABLE = 'Two groups at the margin: largest chance of a false "equivalence shown" over rates of the reference'
RATIO_TABLE = 'Two groups at a ratio of 0.8: largest chance of a false "equivalence shown" (between 0.8 and 1.25)'
FAMILY_TABLE = 'Families of groups at the margin: chance of any false "equivalence shown"'
BOUND = {"exact": 0.05 + 1e-6}


def cells() -> list[Cell]:
    """The cells of the three tables."""
    margins = [
        Cell(
            MARGIN_TABLE,
            f"{n1} and {n0} people, margin {margin:g}",
            partial(at_the_margin, n1, n0, margin),
            0,
            int(k == 0),
            most=BOUND,
        )
        for k, (n1, n0, margin) in enumerate(CELLS)
    ]
    ratios = [
        Cell(RATIO_TABLE, f"{n1} and {n0} people", partial(at_the_ratio, n1, n0), 0, int(k == 0), most=BOUND)
        for k, (n1, n0) in enumerate(RATIO_CELLS)
    ]
    families = [
        Cell(
            FAMILY_TABLE,
            f"{cell[2]} of {cell[1]} people against {cell[0]}, margin {cell[3]:g}, rate {cell[4]:g}",
            partial(in_a_family, cell),
            0,
            most={"exact": 0.06},
        )
        for cell in FAMILIES
    ]
    return [*margins, *ratios, *families]
