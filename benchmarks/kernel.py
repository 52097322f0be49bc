"""Fair kernel PCA: exact beside one dense eigendecomposition of K; landmarks beside scikit-learn's Nystroem and PCA.

Rows have standard deviations 1/√j along random directions (rbf kernel, gamma 1/(p · var X)): K's spectrum decays.
"""

from __future__ import annotations

import sys

from benchmarks.side_by_side import ratio, report  # before numpy: it pins the threads

# isort: split
import numpy as np
from sklearn.decomposition import PCA
from sklearn.kernel_approximation import Nystroem
from sklearn.metrics.pairwise import rbf_kernel

import fairstats
from benchmarks.fair_pca import decaying


def exact(n: int = 4000, p: int = 20, k: int = 5) -> bool:
    """The authors' generalized eigenproblem takes 31 s here."""
    X, groups = decaying(n, p, 3)
    K = rbf_kernel(X, gamma=1 / (p * X.var()))
    measured = ratio(lambda: fairstats.fair_kernel_pca(X, groups, k), lambda: np.linalg.eigh(K), 2)
    return report(f"fair_kernel_pca {n} x {p}, k {k}, exact", "one dense eigh of K", measured, 0.5)


def landmarks(n: int = 100_000, p: int = 20, k: int = 5, m: int = 200) -> bool:
    """Both map every row to m features and take the leading directions; ours also removes the groups'."""
    X, groups = decaying(n, p, 4)
    gamma = 1 / (p * X.var())

    def theirs() -> None:
        features = Nystroem(gamma=gamma, n_components=m, random_state=0).fit_transform(X)
        PCA(k).fit(features)

    measured = ratio(lambda: fairstats.fair_kernel_pca(X, groups, k, n_landmarks=m), theirs, 5)
    return report(f"fair_kernel_pca {n} x {p}, k {k}, {m} landmarks", "scikit-learn Nystroem + PCA", measured, 1.5)


if __name__ == "__main__":
    sys.exit(0 if all([exact(), landmarks()]) else 1)
