"""The worked example of the notes "Fair PCA via eigendecomposition", number by number.

    python -m benchmarks.papers.worked_example

A = {(2,0), (3,0), (4,0)} is advantaged, B = {(0,1), (0,2), (0,3)} not; one component, uncentered.
"""

from __future__ import annotations

import sys

import benchmarks.side_by_side  # noqa: F401  first: it pins the thread pools

# isort: split
import numpy as np

import fairstats
from benchmarks.papers.table import Row, show

X = np.array([[2.0, 0], [3, 0], [4, 0], [0, 1], [0, 2], [0, 3]])
G = ["A", "A", "A", "B", "B", "B"]


def errors(lam: float | str) -> tuple[float, float]:
    """Mean squared error of each group."""
    fit = fairstats.disparity_pca(X, G, 1, lam=lam, advantaged="A", disadvantaged="B", center=False)
    left = X - X @ fit.loadings @ fit.loadings.T
    squares = np.sum(left**2, axis=1)
    return float(squares[:3].mean()), float(squares[3:].mean())


def main() -> int:
    """Print the table; how many differences nothing explains."""
    plain, before, after, even = errors(1.0), errors(86 / 101 + 1e-9), errors(86 / 101 - 1e-9), errors("balance")
    rows = [
        Row("PCA: error of A", 0.0, plain[0]),
        Row("PCA: error of B (14/3)", 14 / 3, plain[1]),
        Row("PCA: disparity D", 4.67, plain[1] - plain[0]),
        Row("D just above λ = 86/101", 14 / 3, before[1] - before[0]),
        Row("D just below λ = 86/101", -29 / 3, after[1] - after[0], remark=""),
        Row("balanced: error of A", 3.147, even[0]),
        Row("balanced: error of B", 3.147, even[1]),
        Row("balanced: D", 0.0, even[1] - even[0]),
    ]
    missed = show("worked_example", "The notes' worked example, k = 1, uncentered", rows)
    print(
        "\nThe notes take the λ between by bisection; D jumps over 0 at λ = 86/101, where no eigenvector has D = 0.\n"
        "There the eigenspace is tied, and a rotation within it balances the errors."
    )
    return missed


if __name__ == "__main__":
    sys.exit(main() > 0)
