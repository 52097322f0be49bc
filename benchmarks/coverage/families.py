"""How often a family of an audit has any false verdict: through the audit's own rows, not through its tests."""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.coverage.cells import Cell, Shares
from fairstats.auditing.counts import Evidence
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.rates import contrasts
from fairstats.inference.multiplicity import Margins
from fairstats.inference.verdicts import decided

# rate of everybody, people of the reference, of each group, groups
EQUAL = ((0.01, 2000, 12, 5), (0.01, 10_000, 20, 8), (0.99, 5000, 25, 6), (0.005, 5000, 40, 6), (0.02, 2000, 12, 5))
EQUAL += ((0.02, 1000, 30, 5), (0.95, 1000, 15, 3), (0.3, 300, 300, 5), (0.5, 8, 8, 1), (0.01, 200, 12, 1))
# rate of the reference, its people, those of each group, groups, margin below which all of them lie
MARGIN = ((0.5, 10_000, 2000, 5, 0.1), (0.5, 1500, 400, 5, 0.1), (0.3, 1500, 400, 3, 0.1), (0.06, 1000, 100, 2, 0.05))


def false_verdicts(word: str, cell: tuple[float, ...], below: float, rng: np.random.Generator, draws: int) -> Shares:
    """The share of families in which some comparison has the word."""
    rate, base, current, groups = cell[:4]
    n = np.array([base, *[current] * int(groups)], dtype=float)
    p = np.array([rate, *[rate - below] * int(groups)])
    labels = tuple(f"g{i}" for i in range(n.size))
    protocol = Protocol(("g",), margin=Margins(difference=below or None))
    result = 0
    for _ in range(draws):
        part = Evidence("FPR", rng.binomial(n.astype(int), p).astype(float), n, n, n, True, "")
        result += bool(decided(contrasts(part, "g", labels, "g0", protocol)).only(verdict=word))
    return {"any false verdict": result / draws}


EQUAL_TABLE = 'Families of equal rates, through the rows of an audit: any false "disparity shown"'
MARGIN_TABLE = 'Families of groups at the margin, through the rows of an audit: any false "equivalence shown"'
BOUND = {"any false verdict": 0.06}


def cells() -> list[Cell]:
    """The cells of both tables."""
    equal = [
        Cell(
            EQUAL_TABLE,
            f"rate {p:g}, {groups:g} groups of {current:g} against {base:g}",
            partial(false_verdicts, "disparity shown", (p, base, current, groups), 0.0),
            quick=100 * (k < 3),
            most=BOUND,
        )
        for k, (p, base, current, groups) in enumerate(EQUAL)
    ]
    margin = [
        Cell(
            MARGIN_TABLE,
            f"reference {p:g} of {base:g}, {groups:g} groups of {current:g}, margin {below:g}",
            partial(false_verdicts, "equivalence shown", (p, base, current, groups, below), below),
            quick=100 * (k < 2),
            most=BOUND,
        )
        for k, (p, base, current, groups, below) in enumerate(MARGIN)
    ]
    return [*equal, *margin]
