"""From an embedding to clusters: k-means on its rows, ended by moves of single rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fairstats.quiet import ignoring

WORK = 5e7  # distances that the moves of one start may take: beyond it, Lloyd's answer stands as it is


@dataclass(frozen=True)
class Rounded:
    """Cluster of each row, numbered from 0 by size, and the sum of squares that k-means minimized."""

    codes: np.ndarray
    inertia: float
    found: int  # clusters that came out: fewer than asked for where rows coincide


def rounded(H: np.ndarray, k: int, starts: int, seed: int, unit: bool = False) -> Rounded:
    """Clusters of the rows of H by k-means, the best of several seeded starts.

    Parameters
    ----------
    H : array (n, m)
    k : int
    starts : int
        k-means++ starts, of which the one with the smallest sum of squares is kept.
    seed : int
    unit : bool
        Bring rows to length 1 first; a row of nothing stays as it is.

    Returns
    -------
    Rounded

    Notes
    -----
    Lloyd's iteration stops where every row is nearest to its own center; many such partitions can still be improved by
    moving one row and its two centers together (Hartigan & Wong 1979, what R's ``kmeans`` does).

    Examples
    --------
    >>> rounded(np.array([[0.0], [0.1], [9.0]]), 2, 10, 0).codes.tolist()
    [0, 0, 1]
    """
    if unit:
        length = np.linalg.norm(H, axis=1, keepdims=True)
        H = H / np.where(length > 1e-12 * length.max(initial=0.0), length, 1.0)
    # Rows of the normalized form are of size 1/√volume: brought to size 1, tolerances mean something.
    scale = float(np.abs(H).max()) or 1.0
    rows = np.ascontiguousarray(H / scale)
    seeds = np.random.SeedSequence(seed).generate_state(starts)
    best = min((_one_start(rows, k, int(s)) for s in seeds), key=lambda made: made[1])
    sizes = np.bincount(best[0], minlength=k)
    first = np.full(k, len(H))
    np.minimum.at(first, best[0], np.arange(len(H)))
    rank = np.empty(k, dtype=np.intp)
    rank[np.lexsort((first, -sizes))] = np.arange(k)
    return Rounded(rank[best[0]], best[1] * scale**2, int((sizes > 0).sum()))


def _one_start(rows: np.ndarray, k: int, seed: int) -> tuple[np.ndarray, float]:
    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning

    model = KMeans(k, n_init=1, random_state=seed, tol=1e-8, max_iter=1000)
    with ignoring(ConvergenceWarning):
        # Coinciding rows give fewer clusters than asked for; ``found`` says so, and the result passes it on.
        codes = model.fit(rows).labels_.astype(np.intp)
    return _moved(rows, codes, k)


def _moved(rows: np.ndarray, codes: np.ndarray, k: int) -> tuple[np.ndarray, float]:
    """Move the row that gains most to another cluster, until none gains; the sum of squares that is left."""
    n = len(rows)
    each = np.arange(n)
    sizes = np.bincount(codes, minlength=k).astype(float)
    sums = np.zeros((k, rows.shape[1]))
    np.add.at(sums, codes, rows)
    centers = sums / np.maximum(sizes, 1.0)[:, None]
    lengths = np.einsum("ij,ij->i", rows, rows)
    distances = lengths[:, None] - 2 * rows @ centers.T + np.einsum("ij,ij->i", centers, centers)
    for _ in range(int(WORK / (n * k)) if sizes.min() > 0 else 0):
        alone = sizes[codes] < 2
        saved = np.where(alone, 0.0, sizes[codes] / np.maximum(sizes[codes] - 1, 1.0)) * distances[each, codes]
        cost = distances * (sizes / (sizes + 1))
        cost[each, codes] = np.inf
        target = cost.argmin(axis=1)
        gain = saved - cost[each, target]
        i = int(gain.argmax())
        if gain[i] <= 1e-12 * lengths.mean():
            break
        for cluster, sign in ((codes[i], -1.0), (target[i], 1.0)):
            sizes[cluster] += sign
            centers[cluster] += sign * (rows[i] - centers[cluster]) / sizes[cluster]
            distances[:, cluster] = lengths - 2 * rows @ centers[cluster] + centers[cluster] @ centers[cluster]
        codes[i] = target[i]
    return codes, float(((rows - centers[codes]) ** 2).sum())
