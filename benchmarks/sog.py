"""SOG on Aliverti's simulation beside a full SVD of the same X; and the memory it takes beside copies of X."""

from __future__ import annotations

import sys
import tracemalloc

from benchmarks.side_by_side import ratio, report  # first: it pins the thread pools

# isort: split
import numpy as np

import fairstats


def simulate(rng: np.random.Generator, n: int = 5000, p: int = 200, k: int = 10) -> tuple[np.ndarray, np.ndarray]:
    S, W, z = rng.standard_normal((n, k)), rng.standard_normal((k, p)), rng.integers(0, 2, n)
    return (S - 2 * z[:, None]) @ W + rng.standard_normal((n, p)), z


def main() -> int:
    X, z = simulate(np.random.default_rng(0))

    def ours() -> None:
        fairstats.sog(X, z, k=10, t=5, tolerance=1e-8)

    measured = ratio(ours, lambda: np.linalg.svd(X, full_matrices=False), 9)
    fine = report("sog 5000 x 200, k 10, t 5, tolerance 1e-8", "full SVD", measured, 3)
    tracemalloc.start()
    ours()
    copies = tracemalloc.get_traced_memory()[1] / X.nbytes
    fine &= report("  peak memory, in copies of X", "X", copies, 3)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
