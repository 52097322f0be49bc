"""Rows of features as a graph: each row is joined to its nearest ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from scipy import sparse

from fairstats.arguments import flag, one_of, whole
from fairstats.data.columns import Columns, is_table
from fairstats.data.edges import one_row_each
from fairstats.data.graphs import Component, Graph, graph, numbered, whole_graph
from fairstats.data.matrices import as_matrix, refuse_nonfinite
from fairstats.data.means import centering, shifted
from fairstats.errors import InputError, listing


def neighbor_graph(
    X: Any,
    neighbors: int = 10,
    *,
    nodes: Any = None,
    scale: bool = False,
    mutual: bool = False,
    weights: Literal["equal", "gaussian"] = "equal",
    component: Component = "all",
) -> Graph:
    """Make the graph that joins each row to its nearest rows.

    Parameters
    ----------
    X : array (n, p), sparse matrix or table of numbers
    neighbors : int
        Rows i and j are joined where either is among the ``neighbors`` nearest (Euclidean) of the other.
    nodes : table, optional
        One row a vertex, where column names of groups are looked up; ``X`` itself where it is a table.
    scale : bool
        Divide every feature by its standard deviation (ddof 1) first.
    mutual : bool
        Join rows only where each is among the nearest of the other, which keeps apart regions of different density.
    weights : {"equal", "gaussian"}
        Every edge weighs 1, or exp(−d²/2σ²) by its length d, with σ the mean distance of a row to its
        ``neighbors``-th nearest; the weights have no unit.
    component : {"all", "largest"}

    Returns
    -------
    Graph

    Raises
    ------
    InputError
        Missing values, a constant column with ``scale``, more neighbors than other rows.

    References
    ----------
    von Luxburg (2007), "A tutorial on spectral clustering", Statistics and Computing 17, sections 2.2 and 8.1.

    Examples
    --------
    >>> import fairstats as fs
    >>> fs.neighbor_graph([[0.0], [1.0], [2.0], [9.0]], 1).edges
    3
    >>> fs.neighbor_graph([[0.0], [1.0], [2.0], [9.0]], 1, mutual=True).edges
    1
    """
    from sklearn.neighbors import kneighbors_graph

    scale, mutual = flag("scale", scale), flag("mutual", mutual)
    one_of("weights", weights, ("equal", "gaussian"))
    matrix, names = _features(X)
    if not np.isfinite(matrix.sum()):
        refuse_nonfinite(matrix, names)
    n = int(matrix.shape[0])
    neighbors = whole("neighbors", neighbors, 1, n - 1, f"{n} rows")
    matrix = _near_zero(matrix, names, scale)
    nearest = kneighbors_graph(matrix, neighbors, mode="connectivity" if weights == "equal" else "distance")
    if weights == "gaussian":
        nearest.data = _by_length(nearest.data, neighbors)
    joined = sparse.csr_array(nearest.minimum(nearest.T) if mutual else nearest.maximum(nearest.T))
    joined.eliminate_zeros()
    table = nodes if nodes is not None else (X if is_table(X) else None)
    result = whole_graph(joined, numbered(n), None if table is None else one_row_each(table, n), (), named=False)
    return graph(result, component=component)


def _by_length(lengths: np.ndarray, neighbors: int) -> np.ndarray:
    """Weights of the edges (n · neighbors,), each row's together."""
    width = float(lengths.reshape(-1, neighbors).max(axis=1).mean())
    return np.exp(-0.5 * (lengths / width) ** 2) if width > 0 else np.ones_like(lengths)


def _features(X: Any) -> tuple[Any, tuple[str, ...]]:
    if is_table(X):
        columns = Columns(X, "X")
        numeric = [c for c in columns.names if columns.is_numeric(c)]
        if not numeric:
            raise InputError(
                f"X has no column of numbers (its columns are {listing(columns.names)}); distances need some."
            )
        return columns.matrix(numeric, "X"), tuple(numeric)
    matrix = as_matrix(X)
    return matrix, tuple(str(j + 1) for j in range(matrix.shape[1]))


def _near_zero(matrix: Any, names: Sequence[str], scale: bool) -> Any:
    """The rows with distances that rounding spares, since brute force computes them from products.

    Each column less its value nearest the mean (a number of the data, so that whole numbers stay whole and ties stay
    ties), in units of a power of two; where ``scale``, of its standard deviation.
    """
    n = matrix.shape[0]
    center, _, squares = centering(matrix)
    if scale:
        sd = np.sqrt(squares / (n - 1))
        flat = np.flatnonzero(sd <= 1e-12 * np.abs(center)).tolist()
        if flat:
            raise InputError(
                f"X has constant columns ({listing(names[j] for j in flat)}); leave them out, or scale=False."
            )
    if not sparse.issparse(matrix):
        center = matrix[np.argmin(np.abs(matrix - center), axis=0), np.arange(len(center))]
    moved, _ = shifted(matrix, center)
    largest = float(abs(moved).max())
    units = sd if scale else np.full(len(center), np.exp2(np.round(np.log2(largest))) if largest else 1.0)
    return moved @ sparse.diags_array(1 / units) if sparse.issparse(moved) else moved / units
