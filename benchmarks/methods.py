"""The speed table of the methods: CPU seconds (user, system, one BLAS thread) beside what no method can avoid.

``python -m benchmarks.methods`` runs every row, ``python -m benchmarks.methods sparse wide`` those named so.

Data. *Linear*: independent normal columns, standard deviations falling linearly from 3 to 0.3, a second group shifted
by 0.1. *Words*: counts of words with probabilities 1/rank (a bag of words). *Even*: sparse entries spread evenly,
normal (after the first, no singular value stands apart). *Noise*: independent standard normal.

What the rows that are missed are made of (milliseconds of one core with an L2 of 1 MB; the yardsticks take 27 and
145):

- fair_pca 100 000 × 100, 36: Gram 28, sums of the two groups 5.5 (each row is read once more, from the cache),
  labels 0.5, the first rows and the rest 2. Sums within the product would need the rows copied beside their groups:
  8.
- fair PCA-S 5000 × 1000, l 0.5, 320: Gram by group 112, the difference of covariances reduced 40, all its
  eigenvectors in tridiagonal form 40, half of them turned back 25, the problem within them 36, PCA that it is
  priced against 45, rest 22. With l 0.85: 8 to turn back, and a second dense solve of 50 for the problem outside
  150 directions.
- minimax 5000 × 1000, 390: Gram by group 112, five dense solves of 45 (the best of each group, PCA, the optimal
  mixture, and one on the way to it), Lanczos tried once 8, the restricted problems 25, losses and price 15.
"""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

from benchmarks.side_by_side import cpu_seconds  # first: it pins the thread pools

# isort: split
import numpy as np
from scipy import linalg, sparse

import fairstats

Run = Callable[[], Any]


def linear(n: int, p: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    g = rng.integers(0, 2, n)
    return rng.standard_normal((n, p)) * np.linspace(3, 0.3, p) + 0.1 * g[:, None], g


def scattered(n: int, p: int, filled: float, kind: str) -> tuple[sparse.csr_array, np.ndarray]:
    rng = np.random.default_rng(0)
    m = int(n * p * filled)
    chances = 1.0 / np.arange(1, p + 1) if kind == "words" else np.ones(p)
    columns = rng.choice(p, m, p=chances / chances.sum())
    values = np.ones(m) if kind == "words" else rng.standard_normal(m)
    return sparse.csr_array((values, (rng.integers(0, n, m), columns)), shape=(n, p)), rng.integers(0, 2, n)


def gram_and_eigh(X: np.ndarray, k: int) -> np.ndarray:
    p = X.shape[1]
    return linalg.eigh(X.T @ X, subset_by_index=(p - k, p - 1))[1]


def beside(case: str, theirs: Run, theirs_are: str, ours: dict[str, tuple[Run, float]], repeats: int) -> Iterator[bool]:
    """One line a method: the median over pairs, of which the first, cold one does not count."""
    for name, (run, most) in ours.items():
        pairs = [(cpu_seconds(run), cpu_seconds(theirs)) for _ in range(repeats + 1)][1:]
        measured = median(a / b for a, b in pairs)
        seconds = median(a for a, _ in pairs)
        yield line(f"{name} {case}", f"{measured:6.2f} x {theirs_are}, {seconds:.3g} s", measured, most)


def within(case: str, ours: dict[str, tuple[Run, float]], megabytes: float) -> Iterator[bool]:
    """One line a method: seconds of the second call, then the most memory that a third one takes."""
    for name, (run, most) in ours.items():
        run()
        seconds = cpu_seconds(run)
        tracemalloc.start()
        run()
        memory = tracemalloc.get_traced_memory()[1] / 1e6
        tracemalloc.stop()
        fine = line(f"{name} {case}", f"{seconds:6.2f} s, {memory:.0f} MB (at most {megabytes:g})", seconds, most)
        yield fine and memory <= megabytes


def line(case: str, text: str, measured: float, most: float) -> bool:
    fine = measured <= most
    print(f"{case:<48} {text:<46} at most {most:<5g} {'ok' if fine else 'MISSED'}", flush=True)
    return fine


def pca_s(X: Any, g: np.ndarray, k: int, share: float) -> Run:
    return lambda: fairstats.fair_pca(X, g, k, equalize="covariance", directions=share)


def tall() -> Iterator[bool]:
    X, g = linear(20_000, 500)
    yield from beside(
        "20000 x 500 linear",
        lambda: gram_and_eigh(X, 10),
        "Gram + eigh",
        {"og k 10": (lambda: fairstats.og(X, g, 10), 1.25)},
        9,
    )


def rows() -> Iterator[bool]:
    for n, p, most in ((100_000, 100, 1.25), (1_000_000, 20, 1.4)):
        X, g = linear(n, p)
        run = {"fair_pca k 5": (lambda X=X, g=g: fairstats.fair_pca(X, g, 5), most)}
        yield from beside(f"{n} x {p} linear", lambda X=X: gram_and_eigh(X, 5), "Gram + eigh", run, 9)


def square() -> Iterator[bool]:
    X, g = linear(5000, 1000)
    methods = {
        "fair_pca k 5": (lambda: fairstats.fair_pca(X, g, 5), 1.25),
        "leace": (lambda: fairstats.leace(X, g), 1.5),
        "leace_pca k 5": (lambda: fairstats.leace_pca(X, g, 5), 1.5),
        "fair PCA-S k 5 l 0.5": (pca_s(X, g, 5, 0.5), 2.0),
        "fair PCA-S k 5 l 0.85": (pca_s(X, g, 5, 0.85), 2.0),
        "minimax k 5": (lambda: fairstats.minimax_pca(X, g, 5), 2.5),
    }
    yield from beside("5000 x 1000 linear", lambda: gram_and_eigh(X, 5), "Gram + eigh", methods, 5)


def noise() -> Iterator[bool]:
    rng = np.random.default_rng(0)
    X, g = rng.standard_normal((5000, 200)), rng.integers(0, 2, 5000)
    run = {"sog k 10 t 5": (lambda: fairstats.sog(X, g, 10, t=5), 5.0)}
    yield from beside("5000 x 200 noise", lambda: np.linalg.svd(X, full_matrices=False), "full SVD", run, 5)


def wide() -> Iterator[bool]:
    X, g = linear(300, 4000)
    labels = np.array(["a", "b"])[g]
    two: dict[str, Any] = {"advantaged": "a", "disadvantaged": "b"}
    methods = {
        "minimax k 5": (lambda: fairstats.minimax_pca(X, g, 5), 1.0),
        "disparity k 5": (lambda: fairstats.disparity_pca(X, labels, 5, lam=0.5, **two), 1.0),
        "fair PCA-S k 5 l 0.99": (pca_s(X, g, 5, 0.99), 1.0),
        "fair PCA-S k 5 l 0.5": (pca_s(X, g, 5, 0.5), 1.0),
        "sog k 5 t 8": (lambda: fairstats.sog(X, g, 5, t=8), 5.0),
    }
    yield from within("300 x 4000 linear", methods, 200)


def thin() -> Iterator[bool]:
    for n, p, filled, kind in (
        (20_000, 6000, 0.003, "words"),
        (20_000, 6000, 0.003, "even"),
        (60_000, 50_000, 0.001, "words"),
    ):
        X, g = scattered(n, p, filled, kind)
        methods: dict[str, tuple[Run, float]] = {
            "pca": (lambda X=X: fairstats.pca(X, k=5), 2.0),
            "og": (lambda X=X, g=g: fairstats.og(X, g, 5), 2.0),
            "fair_pca": (lambda X=X, g=g: fairstats.fair_pca(X, g, 5), 2.0),
            "leace_pca": (lambda X=X, g=g: fairstats.leace_pca(X, g, 5), 10.0),
            "sog t 8": (lambda X=X, g=g: fairstats.sog(X, g, 5, t=8), 10.0),
            "minimax": (lambda X=X, g=g: fairstats.minimax_pca(X, g, 5), 10.0),
        }
        yield from within(f"k 5 sparse {n} x {p} {kind}", methods, 20 * p * 8 * 30 / 1e6 + 300)


TABLE = {"tall": tall, "rows": rows, "square": square, "noise": noise, "wide": wide, "sparse": thin}

if __name__ == "__main__":
    wanted = sys.argv[1:] or list(TABLE)
    fine = [row for name, part in TABLE.items() if any(name.startswith(a) for a in wanted) for row in part()]
    sys.exit(0 if all(fine) else 1)
