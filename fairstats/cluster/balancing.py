"""A partition brought to a declared balance of groups by moves of vertices, and its cut then lowered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse


def balanced(weights: Any, codes: np.ndarray, levels: np.ndarray, target: float) -> np.ndarray:
    """Move vertices until the least level of every cluster has ``target`` times the count of its largest.

    A move has to lower the number of vertices that are lacking; of all that do, the one with the least rise of the cut
    for each vertex less is made. Where none does, the partition stays as far as it came.

    weights: shape (n, n).
    codes, levels: cluster and group of each vertex, shape (n,).

    >>> W = sparse.csr_array(np.ones((4, 4)) - np.eye(4))
    >>> balanced(W, np.array([0, 0, 1, 1]), np.array([0, 0, 1, 1]), 1.0).tolist()
    [1, 0, 0, 1]
    """
    k, h = int(codes.max()) + 1, int(levels.max()) + 1
    codes = codes.copy()
    toward = _toward(weights, codes, k)
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
        near, weight = _row(weights, v)
        toward[near, c] -= weight
        toward[near, d] += weight
    return codes


WORK = 2e7  # pairs of moves that are compared at most, from one start
PASSES = 50  # over all vertices, which a start takes at most in small graphs


@dataclass(frozen=True)
class Search:
    """Where the best start of a search ended, what each ended with, and how many vertices were then lacking."""

    codes: np.ndarray
    ends: tuple[tuple[int, float], ...]  # vertices lacking, sum of cut over size

    @property
    def alike(self) -> int:
        """How many starts ended with the least."""
        lacking, value = min(self.ends)
        return sum(few == lacking and end <= value * (1 + 1e-9) for few, end in self.ends)


def searched(
    weights: Any, codes: np.ndarray, levels: np.ndarray, target: float, sizes: np.ndarray, starts: int, seed: int
) -> Search:
    """Balance and improve ``codes``, and as often after half of the vertices exchanged clusters at random.

    starts: how often at most; fewer where vertices are many (`WORK`), none from about 400 on.
    """
    n, k = len(codes), int(codes.max()) + 1
    rng, found = np.random.default_rng(seed), []
    for start in range(1 + min(starts, int(WORK / (PASSES * n * n * k * (k - 1))))):
        current = codes.copy()
        if start:
            moving = np.flatnonzero(rng.random(n) < 0.5)
            current[moving] = rng.permutation(current[moving])
        end = improved(weights, balanced(weights, current, levels, target), levels, target, sizes)
        state = _State.of(weights, end, levels, sizes)
        found.append(((int(state.lacking(target).sum()), state.value()), start, end))
    return Search(min(found, key=lambda one: one[:2])[2], tuple(one[0] for one in found))


def improved(weights: Any, codes: np.ndarray, levels: np.ndarray, target: float, sizes: np.ndarray) -> np.ndarray:
    """Move one vertex, or two at once, wherever the sum of cut over size falls and no more vertices are lacking.

    Two at once are those that change places, or that go the same way, as one of either group has to. It ends where no
    such pair lowers the sum, or after `WORK`; so the sum is never above that of ``codes``, and may be above the least.

    weights: shape (n, n).
    codes, levels: cluster and group of each vertex, shape (n,).
    sizes: what each vertex adds to its cluster's size: its degree (NCut) or 1 (RatioCut), shape (n,).

    >>> W = np.kron(np.eye(2), np.ones((4, 4)))
    >>> improved(W - np.eye(8), np.array([0, 0, 0, 1, 1, 1, 1, 0]), np.arange(8) % 2, 1.0, np.full(8, 3.0)).tolist()
    [0, 0, 0, 0, 1, 1, 1, 1]
    """
    state = _State.of(weights, codes, levels, sizes)
    n, k = state.toward.shape
    limit = int(state.lacking(target).sum())
    quiet, v, left = 0, 0, WORK
    while quiet < n and left > 0:
        c, best = int(state.codes[v]), (-1e-12 * state.value(), -1, -1, -1)
        for d in range(k):
            if d == c or state.counts[c].sum() < 2:
                continue
            before = state.value()
            state.move(v, d)
            change = state.value() - before
            if state.lacking(target).sum() <= limit:
                best = min(best, (change, d, v, d))
            rises = state.rises(target, limit)
            at = int(rises.argmin())
            best = min(best, (change + float(rises.flat[at]), d, at // k, at % k))
            state.move(v, c)
            left -= n * k
        quiet += 1
        if best[1] >= 0:
            state.move(v, best[1])
            state.move(best[2], best[3])
            quiet = 0
        v = (v + 1) % n
    return state.codes


@dataclass
class _State:
    """A partition while vertices move: each cluster's cut, size and levels, each vertex's ties to clusters."""

    weights: Any  # (n, n)
    codes: np.ndarray  # of clusters (n,)
    levels: np.ndarray
    sizes: np.ndarray
    degrees: np.ndarray
    toward: np.ndarray  # (n, k)
    counts: np.ndarray  # (k, h)
    cuts: np.ndarray  # (k,)
    totals: np.ndarray  # (k,)

    @classmethod
    def of(cls, weights: Any, codes: np.ndarray, levels: np.ndarray, sizes: np.ndarray) -> _State:
        """The state of a partition, whose codes are copied."""
        k = int(codes.max()) + 1
        toward = _toward(weights, codes, k)
        degrees = toward.sum(axis=1)
        outward = degrees - toward[np.arange(len(codes)), codes]
        counts = np.zeros((k, int(levels.max()) + 1), dtype=int)
        np.add.at(counts, (codes, levels), 1)
        cuts, totals = np.bincount(codes, outward, minlength=k), np.bincount(codes, sizes, minlength=k)
        return cls(weights, codes.copy(), levels, sizes, degrees, toward, counts, cuts, totals)

    def value(self) -> float:
        """The sum over the clusters of cut over size."""
        return float(np.sum(self.cuts / self.totals))

    def lacking(self, target: float) -> np.ndarray:
        """How many vertices each cluster (k,) lacks."""
        return lacking(self.counts, target)

    def move(self, v: int, d: int) -> None:
        """Move vertex v to cluster d."""
        c = int(self.codes[v])
        if c == d:
            return
        self.cuts[c] += 2 * self.toward[v, c] - self.degrees[v]
        self.cuts[d] += self.degrees[v] - 2 * self.toward[v, d]
        self.totals[c] -= self.sizes[v]
        self.totals[d] += self.sizes[v]
        self.counts[c, self.levels[v]] -= 1
        self.counts[d, self.levels[v]] += 1
        self.codes[v] = d
        near, weight = _row(self.weights, v)
        self.toward[near, c] -= weight
        self.toward[near, d] += weight

    def rises(self, target: float, limit: int) -> np.ndarray:
        """What `value` rises by when a vertex (row) goes to a cluster (column), infinite where too many are lacking."""
        n, k = self.toward.shape
        own, ratios = self.codes, self.cuts / self.totals
        with np.errstate(divide="ignore", invalid="ignore"):  # a cluster of one vertex, which may not go
            left = self.cuts[own] + 2 * self.toward[np.arange(n), own] - self.degrees
            left = left / (self.totals[own] - self.sizes) - ratios[own]
        joined = (self.cuts + self.degrees[:, None] - 2 * self.toward) / (self.totals + self.sizes[:, None])
        one, now = np.eye(self.counts.shape[1], dtype=int), self.lacking(target)
        less, more = (lacking((self.counts[:, None] + s * one).reshape(-1, len(one)), target) for s in (-1, 1))
        less, more = (part.reshape(k, -1) - now[:, None] for part in (less, more))  # (k, h)
        barred = now.sum() + less[:, :, None] + more.T[None] > limit  # (k, h, k)
        barred |= (self.counts.sum(axis=1) < 2)[:, None, None] | np.eye(k, dtype=bool)[:, None]
        return np.where(barred[own, self.levels], np.inf, left[:, None] + joined - ratios)


def _toward(weights: Any, codes: np.ndarray, k: int) -> np.ndarray:
    """Summed weights between each vertex and the members of each cluster (n, k)."""
    n = len(codes)
    member = sparse.csr_array((np.ones(n), codes, np.arange(n + 1)), shape=(n, k))
    toward = weights @ (member if sparse.issparse(weights) else member.toarray())
    return np.asarray(toward.todense() if sparse.issparse(toward) else toward)


def _row(weights: Any, v: int) -> tuple[np.ndarray, np.ndarray]:
    """The neighbors of a vertex, and the weights between."""
    if sparse.issparse(weights):
        part = slice(weights.indptr[v], weights.indptr[v + 1])
        return weights.indices[part], weights.data[part]
    near = np.flatnonzero(weights[v])
    return near, weights[v][near]


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
