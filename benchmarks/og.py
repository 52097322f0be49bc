"""OG beside the bare linear algebra that it cannot do without: Gram and top-k eigh, and a randomized PCA for p > n.

The p > n case names its data: orthogonal factors, spectrum 0.97^i (i = 0 … 1055). PCA of scikit-learn is given the
power iterations that bring its singular values to the accuracy of ours (1e-13), and, for comparison, its default.
"""

from __future__ import annotations

import sys

from benchmarks.side_by_side import ratio, report  # first: it pins the thread pools

# isort: split
import numpy as np
from scipy import linalg
from sklearn.decomposition import PCA

import fairstats


def tall(rng: np.random.Generator, n: int = 20_000, p: int = 500, k: int = 10) -> bool:
    g = rng.integers(0, 2, n)
    X = rng.standard_normal((n, p)) * 0.97 ** np.arange(p) + 0.1 * g[:, None]

    def bare() -> None:
        linalg.eigh(X.T @ X, subset_by_index=(p - k, p - 1))

    return report(f"og {n} x {p}, k {k}", "Gram + top-k eigh", ratio(lambda: fairstats.og(X, g, k=k), bare, 9), 1.5)


def wide(rng: np.random.Generator, n: int = 1056, p: int = 2278, k: int = 30) -> bool:
    U, V = (np.linalg.qr(rng.standard_normal((m, n)))[0] for m in (n, p))
    X, g = (U * 100 * 0.97 ** np.arange(n)) @ V.T, np.arange(n) % 2
    exact = np.linalg.svd(X - X.mean(axis=0), compute_uv=False)[:k]
    fine = True
    for power, bound in ((25, 2.0), ("auto", 3.0)):  # the second is 10 digits less accurate than ours
        randomized = PCA(k, svd_solver="randomized", random_state=0, iterated_power=power)
        measured = ratio(lambda model=randomized: fairstats.og(X, g, k=k), lambda model=randomized: model.fit(X), 5)
        ours = np.abs(fairstats.og(X, g, k=k).singular_values / exact - 1).max()
        theirs = np.abs(randomized.fit(X).singular_values_ / exact - 1).max()
        name = f"sklearn randomized ({power}: {theirs:.0e})"
        fine &= report(f"og {n} x {p}, k {k}, spectrum 0.97^i ({ours:.0e})", name, measured, bound)
    return fine


if __name__ == "__main__":
    generator = np.random.default_rng(0)
    sys.exit(0 if tall(generator) & wide(generator) else 1)
