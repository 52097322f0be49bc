"""A matrix of weights, judged: square, finite, at least 0, the same in both directions; and its components."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from fairstats.data.matrices import as_matrix
from fairstats.errors import InputError, listing

ROUNDING = 1e-12  # relative to the largest weight: an asymmetry below is rounding
BLOCK = 256  # rows of a dense matrix looked at together, so that no second matrix is made


def judged(matrix: Any) -> tuple[Any, tuple[str, ...]]:
    """Return the weights without loops, as CSR array (sparse input) or float64 array (dense), and notes of changes."""
    weights = as_matrix(matrix, "graph")
    n, m = weights.shape
    if n != m:
        raise InputError(
            f"graph is {n} × {m}; a matrix of weights is square. For rows of features pass "
            "fairstats.neighbor_graph(X), for a list of edges a table with two columns."
        )
    return _JUDGES[sparse.issparse(weights)](weights)


def _sparse(graph: Any) -> tuple[Any, tuple[str, ...]]:
    weights = sparse.csr_array(graph)
    weights.sum_duplicates()
    weights.eliminate_zeros()
    entries = weights.tocoo()
    _refuse_values(entries.data, entries.row, entries.col)
    loops = int(np.count_nonzero(entries.row == entries.col))
    if loops:
        weights.setdiag(0.0)
        weights.eliminate_zeros()
    other = weights.T.tocsr()
    other.sort_indices()
    same = np.array_equal(weights.indptr, other.indptr) and np.array_equal(weights.indices, other.indices)
    if not same or _differs(weights.data, other.data):
        _refuse_asymmetric(*_differences(weights, other))
    return weights, _loops(loops)


def _differs(a: np.ndarray, b: np.ndarray) -> bool:
    return bool(len(a)) and bool(np.abs(a - b).max() > ROUNDING * a.max())


def _differences(weights: Any, other: Any) -> tuple[int, int, int, float, float]:
    gap = (weights - other).tocoo()
    wrong = np.flatnonzero(np.abs(gap.data) > ROUNDING * weights.data.max())
    i, j = int(gap.row[wrong[0]]), int(gap.col[wrong[0]])
    return len(wrong) // 2, i, j, float(weights[i, j]), float(weights[j, i])


def _dense(weights: np.ndarray) -> tuple[np.ndarray, tuple[str, ...]]:
    n = len(weights)
    if not np.isfinite(weights.sum()) or weights.min() < 0:
        bad = np.nonzero(~np.isfinite(weights) | (weights < 0))
        _refuse_values(weights[bad], *bad)
    largest, wrong, first = weights.max(), 0, None
    for start in range(0, n, BLOCK):
        rows = slice(start, start + BLOCK)
        gap = np.abs(weights[rows] - weights[:, rows].T) > ROUNDING * largest
        wrong += int(np.count_nonzero(gap))
        if first is None and wrong:
            i, j = (int(v[0]) for v in np.nonzero(gap))
            first = (start + i, j)
    if first is not None:
        i, j = first
        _refuse_asymmetric(wrong // 2, i, j, float(weights[i, j]), float(weights[j, i]))
    loops = int(np.count_nonzero(np.diag(weights)))
    if loops:
        weights = weights.copy()
        np.fill_diagonal(weights, 0.0)
    return weights, _loops(loops)


_JUDGES: dict[bool, Any] = {True: _sparse, False: _dense}


def _refuse_values(values: np.ndarray, rows: np.ndarray, cols: np.ndarray) -> None:
    for bad, what, way in (
        (~np.isfinite(values), "missing or infinite", "leave out edges whose weight is unknown"),
        (values < 0, "negative", "weights say how strongly vertices are joined; use 0 for no edge"),
    ):
        if bad.any():
            places = np.flatnonzero(bad)
            where = [f"{rows[f] + 1} and {cols[f] + 1}" for f in places[:6]]
            raise InputError(f"graph has {len(places)} {what} weights (between vertices {listing(where, 3)}); {way}.")


def _refuse_asymmetric(pairs: int, i: int, j: int, there: float, back: float) -> None:
    raise InputError(
        f"graph is not symmetric: {max(pairs, 1)} pairs of vertices differ, for example weight {there:g} from {i + 1} "
        f"to {j + 1} and {back:g} back; clusters of undirected graphs are defined here: pass (W + Wᵀ)/2, or the larger "
        "of both."
    )


def _loops(count: int) -> tuple[str, ...]:
    return (f"{count} loops (edges from a vertex to itself) were left out.",) if count else ()


def component_labels(weights: Any) -> np.ndarray:
    """Return the connected component of each vertex (n,), numbered by size, 0 the largest."""
    labels = _COMPONENTS[sparse.issparse(weights)](weights)
    sizes = np.bincount(labels)
    rank = np.empty(len(sizes), dtype=np.intp)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    return rank[labels]


def _components_of_dense(weights: np.ndarray) -> np.ndarray:
    """Breadth-first over blocks of rows: csgraph would make a sparse copy, larger than the matrix."""
    labels = np.full(len(weights), -1, dtype=np.intp)
    component = 0
    while (labels < 0).any():
        front = np.flatnonzero(labels < 0)[:1]
        while len(front):
            labels[front] = component
            joined = np.zeros(len(weights), dtype=bool)
            for start in range(0, len(front), BLOCK):
                joined |= (weights[front[start : start + BLOCK]] > 0).any(axis=0)
            front = np.flatnonzero(joined & (labels < 0))
        component += 1
    return labels


_COMPONENTS: dict[bool, Any] = {
    True: lambda weights: csgraph.connected_components(weights, directed=False)[1],
    False: _components_of_dense,
}
