"""The interval of the extra error: how often it covers, with unequal spreads, few rows and many features.

What is covered is ‖P_Z E(A)‖², A the components that the interval speaks of: those of the fit, or, where it splits
rows, those of halves of the rows, the median over splits. Beside it: p ≤ .05 of the tail, and of 99 studentized
permutations, both of the fit's components on all rows.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

import fairstats
from benchmarks.coverage.cells import Cell, Shares
from fairstats.inference.representations.extra_error import inference_rows, null_tail, permutation_p


class Rows(NamedTuple):
    """Sizes of two groups, features, components, spread of the first group, decay of the spectrum, effect in sd."""

    n1: int
    n2: int
    p: int
    k: int
    ratio: float = 1.0
    decay: float = 0.5
    effect: float = 0.0
    tail: str = "normal"


ROWS = [
    Rows(60, 40, 4, 2, 1, 0.5, 0.5),
    Rows(60, 40, 5, 5, 1, 1, 0.2),
    Rows(12, 200, 6, 5, 1, 0.5, 0),
    Rows(12, 200, 6, 5, 2, 0.5, 1),
    Rows(12, 200, 6, 5, 4, 0.5, 0),
    Rows(12, 200, 6, 5, 4, 0.5, 1),
    Rows(200, 12, 6, 5, 4, 0.5, 1),
    Rows(20, 280, 4, 3, 3, 0.5, 0),
    Rows(20, 280, 4, 3, 3, 0.5, 0.5),
    Rows(30, 30, 4, 3, 1, 0, 5),
    Rows(100, 100, 5, 4, 1, 0.5, 0.3, "t3"),
    Rows(100, 100, 5, 4, 2, 0.5, 0.3, "lognormal"),
    Rows(150, 100, 7, 4, 1, 0, 0.3),
    Rows(150, 100, 25, 5, 1, 0, 0.3),
    Rows(150, 100, 50, 5, 1, 1, 0.3),
    Rows(50, 30, 50, 3, 1, 0, 0.3),
    Rows(150, 100, 200, 5, 1, 0, 0.2),
    Rows(60, 60, 120, 3, 3, 0.5, 0.5),
    Rows(12, 200, 212, 3, 4, 0.5, 0.5),
]


def rows(cell: Rows, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Features, groups and the mean of every row."""
    g = np.repeat([0, 1], [cell.n1, cell.n2])
    sd = np.arange(1, cell.p + 1.0) ** -cell.decay
    shift = cell.effect * sd * np.where(np.arange(cell.p) % 2, 1, -1) * (np.arange(cell.p) < max(3, cell.p // 3))
    n = g.size
    if cell.tail == "t3":
        noise = rng.standard_t(3, (n, cell.p)) / np.sqrt(3)
    elif cell.tail == "lognormal":
        noise = (rng.lognormal(0, 1, (n, cell.p)) - np.exp(0.5)) / np.sqrt((np.e - 1) * np.e)
    else:
        noise = rng.normal(size=(n, cell.p))
    mean = np.outer(g == 0, shift)
    return mean + noise * sd * np.where(g == 0, cell.ratio, 1.0)[:, None], g, mean


def one(cell: Rows, seed: int, rng: np.random.Generator) -> tuple[bool, bool, bool, bool]:
    """Whether the truth lies below or above the interval, and whether either p-value is at most .05."""
    X, g, mean = rows(cell, rng)
    fit = fairstats.pca(X, g.astype(str), k=cell.k)
    result = inference_rows(fit, X, g.astype(str), None, seed)
    assert result.part is not None and result.rows is not None
    share = cell.n1 / g.size
    components = [half.components for half in result.halves] or [fit]
    shifts = [mean[g == 0][0] @ each.weights for each in components]
    truth = g.size * share * (1 - share) * float(np.median([shift @ shift for shift in shifts]))
    limits = result.interval(0.95)
    slack = 1e-9 * (1 + truth)
    return (
        truth < limits.low - slack,
        truth > limits.high + slack,
        null_tail(result.part).value <= 0.05,
        permutation_p(*result.rows, 99, seed)[0] <= 0.05,
    )


TABLE = "Extra error: coverage of its interval, and chance of p ≤ .05 (a size where the effect is 0)"


def with_verdicts(cell: Rows, rng: np.random.Generator, draws: int) -> Shares:
    """Coverage, misses on either side, and the two tests."""
    below, above, tail, permuted = np.mean([one(cell, i, rng) for i in range(draws)], axis=0)
    shares = {"covered": 1 - below - above, "truth below": below, "truth above": above, "tail": tail}
    return {name: float(v) for name, v in (shares | {"permuted": permuted}).items()}


def cells() -> list[Cell]:
    """The cells of the table."""
    out = []
    for k, cell in enumerate(ROWS):
        name = f"{cell.n1} and {cell.n2} rows, p {cell.p}, k {cell.k}, spread {cell.ratio:g}:1, decay {cell.decay:g}"
        name += f", effect {cell.effect:g}" + (f", {cell.tail}" if cell.tail != "normal" else "")
        most = {"tail": 0.07, "permuted": 0.07} if cell.effect == 0 else {}
        quick = 60 * (k in (1, 4))
        out.append(Cell(TABLE, name, partial(with_verdicts, cell), 500, quick, most=most, least={"covered": 0.90}))
    return out
