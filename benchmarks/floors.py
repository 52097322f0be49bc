"""Methods on hard shapes beside a bare floor: what the same numbers cost in plain LAPACK or ARPACK.

``python -m benchmarks.floors`` runs every row, ``python -m benchmarks.floors wide graph`` those named so. CPU seconds
of one BLAS thread, ours and the floor in turn in one process; the ratio is the median over pairs.

Ratios before and after the rows of p > n were factored once, and the Krylov iterations kept shorter bases (one core,
CPU seconds; the machine was shared, so that a ratio moves by a fifth):

======================  ====  ====  ========  ========  =====  =========  =======  =======
case (most)             pca   og    residual  fair_pca  leace  leace_pca  minimax  floor
======================  ====  ====  ========  ========  =====  =========  =======  =======
300 x 4000, before (3)  3.6   8.2   9.7       8.4       2.2    9.8        3.3      LQ, SVD
300 x 4000, after       1.3   2.0   2.1       1.8       1.3    3.1        2.4
300 x 16000, before     3.9   10.2  13.3      8.3       3.0    10.5       3.4      LQ, SVD
300 x 16000, after      1.1   1.6   1.9       1.7       1.3    3.3        2.0
sparse, before (4)      3.9   17.5  14.8      9.9       0.3    7.6        39.7     svds
sparse, after           2.5   4.0   5.6       4.6       0.3    4.7        17.6
======================  ====  ====  ========  ========  =====  =========  =======  =======

After moments were added to where they stand (``dsyrk``), texts of groups coded without an object a row, and spectra
without a gap searched vector by vector:

==========================  =====  =====  ========  =====  =========  =======  =================
case (most)                 pca    og     fair_pca  leace  leace_pca  minimax  floor
==========================  =====  =====  ========  =====  =========  =======  =================
10^6 x 20, before (1.4)     1.6    3.4    3.2       4.1    3.0        5.0      Gram, eigh
10^6 x 20, after            1.5    2.3    2.3       2.3    2.4        3.4
20000 x 500, before (1.25)  2.2    2.5    2.2       2.1    2.5        3.2      Gram, eigh
20000 x 500, after          1.4    1.5    1.6       1.3    1.6        2.2
5000 x 1000, before (1.25)  1.3    2.4    1.2       1.0    1.8        5.6      Gram, eigh
5000 x 1000, after          1.3    1.9    1.4       1.2    1.7        4.7
sparse, after (4)           1.6    4.4    4.3       0.2    5.0        16.5     svds
==========================  =====  =====  ========  =====  =========  =======  =================

====================================  ======  =====  ====  ======================
case                                  before  after  most  floor
====================================  ======  =====  ====  ======================
fair spectral, 10^5 vertices, gap     8.2     3.0    3     eigsh
fair spectral, 20000 vertices, none   6.9     2.8    3     eigsh
og.transform 10^6 x 20                2.2     0.6    2     (X - m) B
leace.transform 10^6 x 20             1.1     1.1    2     X - (X - m) r l'
sog on noise                          2.1     2.1    4     full SVD
leakage, 8000 x 36, seconds           8.3     5.3    5     199 refits, two folds
the same, half of the features whole  15.6    8.0    5     398 refits, two folds
====================================  ======  =====  ====  ======================

What is missed, and why. Tall: the floor reads X once and knows no mean and no group. Of 10^6 x 20, X'X takes 36 ms,
with means 48, with means by group 54, with moments by group 86 (the rows of each group are copied together; minimax_pca
has no moments of its groups otherwise); a fifth of og is the coding of 10^6 texts, a tenth looks for features on a
lattice. At 20000 x 500 and 5000 x 1000 og reads a second spectrum, for what its paper's basis loses beside the best;
leace_pca solves with the correlations first. minimax_pca on a flat spectrum solves one eigenproblem for each mixture
of the groups that it tries (seven of size 1000), and the floor one. leace_pca of p > n factors the rows twice: with
columns of length 1, which the map needs, and as they are, for the components. Sparse fits solve two problems of the
size of the floor's one (the second for the price), and a second start looks for copies of a repeated value, which
ARPACK does not promise to find; minimax_pca solves one for every mixture. Leakage with lattice features makes every
refit twice, against two null distributions; two fifths of the time are fits to 4000 x 36 and their transforms.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator

from benchmarks.methods import Run, beside, cpu_seconds, gram_and_eigh, line  # first: it pins the thread pools

# isort: split
import numpy as np
from scipy import linalg, sparse
from scipy.sparse.linalg import LinearOperator, eigsh, svds

import fairstats


def shifted_groups(n: int, p: int, noise: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Normal columns of standard deviations 5 to 0.5 (1 where noise), and two groups of shifted means."""
    rng = np.random.default_rng(0)
    g = rng.integers(0, 2, n)
    X = rng.standard_normal((n, p)) * (1.0 if noise else np.geomspace(5, 0.5, p))
    X[g == 0] += 0.3 * rng.standard_normal(p)
    return X, np.array(["a", "b"])[g]


def reducers(X: object, g: np.ndarray, k: int) -> dict[str, Run]:
    return {
        "pca": lambda: fairstats.pca(X, k=k),
        "og": lambda: fairstats.og(X, g, k),
        "og, residual": lambda: fairstats.og(X, g, k, basis="residual"),
        "fair_pca": lambda: fairstats.fair_pca(X, g, k),
        "leace": lambda: fairstats.leace(X, g),
        "leace_pca": lambda: fairstats.leace_pca(X, g, k),
        "minimax_pca": lambda: fairstats.minimax_pca(X, g, k),
    }


def wide() -> Iterator[bool]:
    for n, p, repeats in ((300, 4000, 3), (300, 16_000, 1)):
        X, g = shifted_groups(n, p)

        def floor(X: np.ndarray = X) -> np.ndarray:
            Q, R = linalg.qr((X - X.mean(axis=0)).T, mode="economic", check_finite=False)
            return Q @ np.linalg.svd(R)[0][:, :5]

        yield from beside(f"{n} x {p}", floor, "LQ + SVD", {a: (r, 3.0) for a, r in reducers(X, g, 5).items()}, repeats)


def thin() -> Iterator[bool]:
    rng = np.random.default_rng(0)
    n, p, filled = 20_000, 6000, 140_000
    X = sparse.csr_array((rng.random(filled), (rng.integers(0, n, filled), rng.integers(0, p, filled))), shape=(n, p))
    g = np.array(["a", "b"])[rng.integers(0, 2, n)]
    mean = X.mean(axis=0)

    def floor() -> np.ndarray:
        rows = LinearOperator(
            (n, p),
            matvec=lambda v: X @ v - mean @ v,
            rmatvec=lambda s: X.T @ s - mean * s.sum(),
            dtype=float,
        )
        return svds(rows, k=5, tol=1e-6)[2]

    yield from beside(f"sparse {n} x {p}", floor, "svds", {a: (r, 4.0) for a, r in reducers(X, g, 5).items()}, 1)


def block_model(n: int, mixed: float) -> tuple[sparse.csr_array, np.ndarray]:
    """Four clusters, mean degree 20; a share of the edges goes anywhere."""
    rng = np.random.default_rng(0)
    cluster = rng.integers(0, 4, n)
    i = rng.integers(0, n, 10 * n)
    order, start = np.argsort(cluster, kind="stable"), np.searchsorted(np.sort(cluster), np.arange(5))
    at = start[cluster[i]] + (rng.random(len(i)) * np.diff(start)[cluster[i]]).astype(int)
    j = np.where(rng.random(len(i)) > mixed, order[at], rng.integers(0, n, len(i)))
    W = sparse.csr_array((np.ones(np.sum(i != j)), (i[i != j], j[i != j])), shape=(n, n))
    W = W + W.T
    W.data[:] = 1.0
    return W, np.array(["f", "m"])[(rng.random(n) < np.where(cluster < 2, 0.7, 0.3)).astype(int)]


def graph() -> Iterator[bool]:
    for name, n, mixed in (("gap", 100_000, 0.2), ("no gap", 20_000, 0.95)):
        W, g = block_model(n, mixed)
        root = np.sqrt(np.maximum(W.sum(axis=0), 1.0))
        S = sparse.csr_array(W / root / root[:, None])
        ours: dict[str, tuple[Run, float]] = {
            "fair spectral": (
                lambda W=W, g=g: fairstats.fair_spectral_clustering(
                    W, g, 4, compare_unconstrained=False, component="largest"
                ),
                3.0,
            )
        }
        yield from beside(f"{n}, {name}", lambda S=S: eigsh(S, k=4, tol=1e-9), "eigsh", ours, 1)


def tall() -> Iterator[bool]:
    for n, p, noise, most, repeats in (
        (1_000_000, 20, False, 1.4, 3),
        (20_000, 500, False, 1.25, 5),
        (5000, 1000, True, 1.25, 5),
    ):
        X, g = shifted_groups(n, p, noise)
        methods = {name: (run, 2.0 if name == "minimax_pca" else most) for name, run in reducers(X, g, 5).items()}
        del methods["og, residual"]
        yield from beside(f"{n} x {p}", lambda X=X: gram_and_eigh(X, 5), "Gram + eigh", methods, repeats)


def applied() -> Iterator[bool]:
    X, g = shifted_groups(1_000_000, 20)
    erased, scored = fairstats.leace(X, g), fairstats.og(X, g, 5)
    mean, B = scored.linear.origin, scored.linear.weights

    def map_of_features() -> np.ndarray:
        return X - ((X - mean) @ B[:, :1]) @ B[:, :1].T

    yield from beside(
        "1e6 x 20", map_of_features, "X - (X - m) r l'", {"leace.transform": (lambda: erased.transform(X), 2.0)}, 3
    )
    yield from beside(
        "1e6 x 20", lambda: (X - mean) @ B, "(X - m) B", {"og.transform": (lambda: scored.transform(X, g), 2.0)}, 3
    )


def noise() -> Iterator[bool]:
    for n, p in ((5000, 200), (3000, 1000)):
        X, g = shifted_groups(n, p, noise=True)
        run: dict[str, tuple[Run, float]] = {"sog": (lambda X=X, g=g, p=p: fairstats.sog(X, g, 3, t=p**0.5 / 3), 4.0)}
        yield from beside(f"{n} x {p} noise", lambda X=X: np.linalg.svd(X, full_matrices=False), "full SVD", run, 1)


def leak() -> Iterator[bool]:
    """Seconds of leakage with its defaults, of the second call."""
    for name, whole in (("", 0), (", half of the features whole numbers", 18)):
        X, g = shifted_groups(8000, 36)
        X[:, :whole] = np.round(X[:, :whole])
        fit = fairstats.og(X, g, 5)
        fairstats.leakage(fit, X[:400], g[:400], permutations=1)
        seconds = cpu_seconds(lambda fit=fit, X=X, g=g: fairstats.leakage(fit, X, g))
        yield line(f"leakage 8000 x 36{name}", f"{seconds:6.2f} s", seconds, 5.0)


TABLE = {"leak": leak, "wide": wide, "sparse": thin, "graph": graph, "tall": tall, "applied": applied, "noise": noise}

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    wanted = sys.argv[1:] or list(TABLE)
    fine = [row for name, part in TABLE.items() if any(name.startswith(a) for a in wanted) for row in part()]
    sys.exit(0 if all(fine) else 1)
