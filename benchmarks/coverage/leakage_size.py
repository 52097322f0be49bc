"""Leakage: how often a leak, or that there is none beyond the margin, is said falsely.

Run ``python benchmarks/coverage/leakage_size.py [--quick] [--part N]`` (2000 draws a cell, or 500; the Nth cell). Null
cells: the labels, or what is left of them, say nothing about new people. "Given scores": the same from held-out scores
alone, where a fit's own estimation noise counts. Last cells: the AUC of one score is exactly 0.5 + margin.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np
from scipy.special import ndtri

import fairstats as fs

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
CELLS: list[tuple[str, Callable[..., fs.Projection], int, Callable[[np.random.Generator], Data], bool]] = [
    ("og, no relation, 100 + 100, k = 8", fs.og, 8, noise(100, 100, 10), True),
    ("og, no relation, 30 + 170, k = 8", fs.og, 8, noise(30, 170, 10), True),
    ("leace_pca, shift 1, 100 + 100, k = 4", fs.leace_pca, 4, noise(100, 100, 6, 1.0), True),
    ("pca, no relation, 100 + 100, k = 3", fs.pca, 3, noise(100, 100, 6), True),
    ("pca, spread 3, 24 + 200 (linear), k = 3", fs.pca, 3, noise(24, 200, 3, 0.0, 3.0), True),
    ("pca, AUC at the margin, 100 + 100, k = 1", fs.pca, 1, noise(100, 100, 1, np.sqrt(2) * ndtri(0.6)), False),
    ("pca, AUC at the margin, 80 + 320, k = 3", fs.pca, 3, noise(80, 320, 3, np.sqrt(2) * ndtri(0.6)), False),
]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="500 draws a cell")
    parser.add_argument("--part", type=int, default=0)
    asked = parser.parse_args()
    draws = 500 if asked.quick else 2000
    print(f"{draws} draws a cell, {REFITS} refits; Monte Carlo error of 5 %: {100 * np.sqrt(0.05 * 0.95 / draws):.1f}")
    print(f"{'false':>42}  linear  non-linear   given scores: linear")
    for number, (name, method, k, data, leak) in enumerate(CELLS, 1):
        if asked.part not in (0, number):
            continue
        rng, seen = np.random.default_rng([11, number]), []
        word = "disparity shown" if leak else "equivalence shown"
        for seed in range(draws):
            X, g = data(rng)
            fit = method(X, g, k=k)
            rows = fs.leakage(fit, X, g, permutations=REFITS, seed=seed, equivalence=MARGIN).estimates
            said = [rows[0].verdict == word, rows[1].verdict == word]
            if number == 1:
                alone = fs.leakage(fit.crossfit(X, g, seed=seed), permutations=0, equivalence=MARGIN, seed=seed)
                said.append(alone.estimates[0].verdict == word)
            seen.append(said)
        print(f"{name:>42}  " + "  ".join(f"{v:10.1%}" for v in np.mean(seen, axis=0)), flush=True)


if __name__ == "__main__":
    main()
