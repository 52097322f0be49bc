"""Fair PCA beside the bare linear algebra that any PCA needs. Data with a decaying spectrum, groups as labels."""

from __future__ import annotations

import sys

from benchmarks.side_by_side import ratio, report  # before numpy: it pins the threads

# isort: split
import numpy as np
from scipy import linalg

import fairstats


def decaying(n: int, p: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows with standard deviations 1/√j along random directions, two groups whose means and spreads differ."""
    rng = np.random.default_rng(seed)
    groups = rng.integers(0, 2, n)
    axes = np.linalg.qr(rng.standard_normal((p, p)))[0]
    X = rng.standard_normal((n, p)) / np.sqrt(np.arange(1, p + 1))
    X[groups == 1] *= rng.uniform(0.8, 1.2, p)
    X[:, :10] += 0.3 * groups[:, None]
    return np.ascontiguousarray(X @ axes.T) + 2.0, groups


def gram_and_eigh(X: np.ndarray, k: int) -> np.ndarray:
    """What the authors' fair PCA cannot do without: XᵀX and its top k eigenvectors."""
    p = X.shape[1]
    return linalg.eigh(X.T @ X, subset_by_index=(p - k, p - 1))[1]


def main() -> int:
    """Print the table; 1 when a bound is missed."""
    tall, tall_groups = decaying(100_000, 100, 1)
    wide, wide_groups = decaying(5000, 1000, 2)
    centered = wide - wide.mean(axis=0)
    fine = [
        report(
            "fair_pca 100 000 x 100, k 5, checks included",
            "bare Gram",
            ratio(lambda: fairstats.fair_pca(tall, tall_groups, 5), lambda: tall.T @ tall, 15),
            1.6,
        ),
        report(
            "fair_pca 5000 x 1000, k 5",
            "Gram + top-k eigh",
            ratio(lambda: fairstats.fair_pca(wide, wide_groups, 5), lambda: gram_and_eigh(centered, 5), 9),
            1.3,
        ),
        report(
            "fair PCA-S 5000 x 1000, k 5, l 0.5",
            "Gram + top-k eigh",
            ratio(
                lambda: fairstats.fair_pca(wide, wide_groups, 5, equalize="covariance", directions=0.5),
                lambda: gram_and_eigh(centered, 5),
                7,
            ),
            3.0,
        ),
        report(
            "fair PCA-S 5000 x 1000, k 5, l 0.85",
            "Gram + top-k eigh",
            ratio(
                lambda: fairstats.fair_pca(wide, wide_groups, 5, equalize="covariance", directions=0.85),
                lambda: gram_and_eigh(centered, 5),
                7,
            ),
            3.0,
        ),
    ]
    return 0 if all(fine) else 1


if __name__ == "__main__":
    sys.exit(main())
