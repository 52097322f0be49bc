"""Leakage: how often a leak, or that there is none beyond the margin, is said falsely.

Null cells: the labels, or what is left of them, say nothing about new people. "Given scores": the same from held-out
scores alone, where a fit's own estimation noise counts. Last cells: the AUC of one score is exactly 0.5 + margin.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from scipy.special import ndtri

import fairstats
from benchmarks.coverage.cells import Cell, Shares, counted

REFITS, MARGIN = 19, 0.1
Data = tuple[np.ndarray, np.ndarray]


def noise(n1: int, n2: int, p: int, shift: float = 0.0, ratio: float = 1.0) -> Callable[[np.random.Generator], Data]:
    """Two groups with normal features, a shift of the first, and another spread."""

    def drawn(rng: np.random.Generator) -> Data:
        g = np.repeat(["a", "b"], [n1, n2])
        X = rng.normal(size=(n1 + n2, p)) * np.where(g == "a", ratio, 1.0)[:, None]
        X[:, 0] += shift * (g == "a")
        return X, g

    return drawn


# name, method, its settings, data, whether the verdict looked at is that of a leak
FITS: list[tuple[str, Callable[..., fairstats.Projection], int, Callable[[np.random.Generator], Data], bool]] = [
    ("og, no relation, 100 + 100, k = 8", fairstats.og, 8, noise(100, 100, 10), True),
    ("og, no relation, 30 + 170, k = 8", fairstats.og, 8, noise(30, 170, 10), True),
    ("leace_pca, shift 1, 100 + 100, k = 4", fairstats.leace_pca, 4, noise(100, 100, 6, 1.0), True),
    ("pca, no relation, 100 + 100, k = 3", fairstats.pca, 3, noise(100, 100, 6), True),
    ("pca, spread 3, 24 + 200 (linear), k = 3", fairstats.pca, 3, noise(24, 200, 3, 0.0, 3.0), True),
    ("pca, AUC at the margin, 100 + 100, k = 1", fairstats.pca, 1, noise(100, 100, 1, np.sqrt(2) * ndtri(0.6)), False),
    ("pca, AUC at the margin, 80 + 320, k = 3", fairstats.pca, 3, noise(80, 320, 3, np.sqrt(2) * ndtri(0.6)), False),
]


LEAKS = 'Fits that leak nothing: chance of a false "leak shown"'
NONE = 'Fits whose AUC is at the margin: chance of a false "no leak beyond the margin"'


def with_verdicts(
    number: int,
    method: Callable[..., fairstats.Projection],
    k: int,
    data: Callable[[np.random.Generator], Data],
    leak: bool,
    rng: np.random.Generator,
    draws: int,
) -> Shares:
    """What is said of both probes, and of the first fit's scores alone."""
    word = "disparity shown" if leak else "equivalence shown"
    rows = []
    for seed in range(draws):
        X, g = data(rng)
        fit = method(X, g, k=k)
        estimates = fairstats.leakage(fit, X, g, permutations=REFITS, seed=seed, margin=MARGIN).estimates
        row: dict[str, bool | float] = {
            "linear": estimates[0].verdict == word,
            "non-linear": estimates[1].verdict == word,
        }
        if number == 0:
            kept = fit.crossfit(X, g, seed=seed)
            alone = fairstats.leakage(kept, permutations=0, margin=MARGIN, seed=seed)
            row["linear, given scores alone"] = alone.estimates[0].verdict == word
        rows.append(row)
    return counted(rows)


def cells() -> list[Cell]:
    """The cells of both tables; each draw refits many times."""
    bound = {"linear": 0.06, "non-linear": 0.06}
    return [
        Cell(
            LEAKS if leak else NONE,
            name,
            partial(with_verdicts, number, method, k, data, leak),
            500,
            30 * (number == 3),
            most=bound if "(linear)" not in name else {"linear": 0.06},  # another spread is a leak that is not linear
        )
        for number, (name, method, k, data, leak) in enumerate(FITS)
    ]
