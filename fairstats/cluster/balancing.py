"""A partition brought to a declared balance of groups by single moves, each at the least rise of the cut."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse


@dataclass(frozen=True)
class Balanced:
    """Cluster codes (n,), how many vertices changed cluster, and whether every cluster reached the balance."""

    codes: np.ndarray
    moved: int
    reached: bool


def balanced(weights: Any, codes: np.ndarray, levels: np.ndarray, target: float) -> Balanced:
    """Move vertices until the least level of every cluster has ``target`` times the count of its largest.

    A move has to lower the number of vertices that are lacking; of all that do, the one with the least rise of the cut
    for each vertex less is made. Where none does, the partition stays as far as it came.

    weights: shape (n, n).
    codes, levels: cluster and group of each vertex, shape (n,).

    >>> W = sparse.csr_array(np.ones((4, 4)) - np.eye(4))
    >>> balanced(W, np.array([0, 0, 1, 1]), np.array([0, 0, 1, 1]), 1.0).moved
    2
    """
    n, k, h = len(codes), int(codes.max()) + 1, int(levels.max()) + 1
    start, codes = codes, codes.copy()
    member = sparse.csr_array((np.ones(n), codes, np.arange(n + 1)), shape=(n, k))
    toward = weights @ (member if sparse.issparse(weights) else member.toarray())
    toward = np.asarray(toward.todense() if sparse.issparse(toward) else toward)
    counts = np.zeros((k, h), dtype=int)
    np.add.at(counts, (codes, levels), 1)
    cells = [[np.flatnonzero((codes == c) & (levels == s)) for s in range(h)] for c in range(k)]
    while lacking(counts, target).any():
        best: tuple[float, int, int, int] | None = None
        for c, s, d in _useful(counts, target):
            rise = toward[cells[c][s], c] - toward[cells[c][s], d]
            at = int(np.argmin(rise))
            gain = _gain(counts, target, c, s, d)
            # A cut that falls is best taken at once, however little it mends.
            price = float(rise[at]) / gain if rise[at] > 0 else float(rise[at])
            if best is None or price < best[0]:
                best = (price, int(cells[c][s][at]), s, d)
        if best is None:
            break
        _, v, s, d = best
        c = int(codes[v])
        codes[v] = d
        counts[c, s] -= 1
        counts[d, s] += 1
        cells[c][s] = cells[c][s][cells[c][s] != v]
        cells[d][s] = np.append(cells[d][s], v)
        row = np.asarray(weights[[v]].todense()).ravel() if sparse.issparse(weights) else weights[v]
        near = np.flatnonzero(row)
        toward[near, c] -= row[near]
        toward[near, d] += row[near]
    return Balanced(codes, int(np.sum(codes != start)), not lacking(counts, target).any())


def lacking(counts: np.ndarray, target: float) -> np.ndarray:
    """How many vertices each cluster (k,) lacks of its scarcer levels."""
    wanted = np.ceil(target * counts.max(axis=1, keepdims=True) - 1e-9)
    return np.asarray(np.maximum(wanted - counts, 0).sum(axis=1))


def _gain(counts: np.ndarray, target: float, c: int, s: int, d: int) -> float:
    """How many fewer are lacking in two clusters once a vertex of level s has gone from c to d."""
    pair = counts[[c, d]]
    after = pair + np.array([[-1], [1]]) * (np.arange(counts.shape[1]) == s)
    return float(lacking(pair, target).sum() - lacking(after, target).sum())


def _useful(counts: np.ndarray, target: float) -> list[tuple[int, int, int]]:
    k, h = counts.shape
    return [
        (c, s, d)
        for c in range(k)
        for s in range(h)
        for d in range(k)
        if c != d and counts[c, s] and counts[c].sum() > 1 and _gain(counts, target, c, s, d) > 0
    ]
