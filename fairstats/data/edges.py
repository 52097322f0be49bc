"""Tables of edges and of vertices: names become positions, an edge that is listed twice counts once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from fairstats.data.columns import Columns
from fairstats.data.factors import Factor
from fairstats.data.symmetric import judged
from fairstats.errors import InputError, listing

Made = tuple[Any, tuple[str, ...], Any, tuple[str, ...]]


def from_edges(data: Any, nodes: Any, columns: Mapping[str, str]) -> Made:
    """Return weights (CSR), names, table of vertices and notes, from a table with one row an edge.

    ``columns`` has those that were named as ``source``, ``target``, ``weight`` and, of ``nodes``, ``id``.
    """
    edges = Columns(data, "graph")
    if len(edges.names) < 2:
        raise InputError(f"graph has the one column {edges.names[0]!r}; a table of edges has two columns of vertices.")
    ends = [
        _end(edges, columns.get("source", edges.names[0]), "source"),
        _end(edges, columns.get("target", edges.names[1]), "target"),
    ]
    names, table, lookup = _vertices(nodes, columns.get("id"), ends)
    i, j = (np.array([lookup[level] for level in end.levels], dtype=np.intp)[end.codes] for end in ends)
    weight = columns.get("weight", "weight" if "weight" in edges else None)
    w = np.ones(edges.n) if weight is None else edges.numeric(weight, "weight")
    i, j, w, notes = _once(i, j, w, names)
    n = len(names)
    weights = sparse.coo_array((np.concatenate([w, w]), (np.concatenate([i, j]), np.concatenate([j, i]))), shape=(n, n))
    made, more = judged(weights)
    return made, names, table, (*notes, *more)


def _end(edges: Columns, column: str, argument: str) -> Factor:
    made = edges.factor(column, argument)
    lost = np.flatnonzero(made.codes < 0)
    if len(lost):
        raise InputError(
            f"{argument}={column!r} has {len(lost)} missing values (rows {listing((lost + 1).tolist())} of graph); "
            "complete or drop these edges."
        )
    return made


def _vertices(nodes: Any, id: str | None, ends: Sequence[Factor]) -> tuple[tuple[str, ...], Any, dict[str, int]]:
    seen = list(dict.fromkeys(level for end in ends for level in end.levels))
    if nodes is None:
        names = _in_order(seen)
        return names, None, {name: i for i, name in enumerate(names)}
    names = vertex_names(nodes, id)
    lookup = {name: i for i, name in enumerate(names)}
    unknown = [name for name in seen if name not in lookup]
    if unknown:
        column = id or Columns(nodes, "nodes").names[0]
        raise InputError(
            f"nodes lacks {len(unknown)} of the vertices that the edges name ({listing(unknown)}); add them, drop "
            f"their edges, or say with id= which column holds the names (now {column!r})."
        )
    return names, nodes, lookup


def _in_order(names: list[str]) -> tuple[str, ...]:
    """Numbers by value, words by the alphabet."""
    try:
        return tuple(sorted(names, key=lambda name: (int(name), name)))
    except ValueError:
        return tuple(sorted(names))


def vertex_names(nodes: Any, id: str | None) -> tuple[str, ...]:
    """Return names of the vertices in a table, each once."""
    columns = Columns(nodes, "nodes")
    made: Factor = columns.factor(id if id is not None else columns.names[0], "id")
    if (made.codes < 0).any():
        rows = listing((np.flatnonzero(made.codes < 0) + 1).tolist())
        raise InputError(f"nodes has vertices without a name (rows {rows}); complete or drop them.")
    counts = np.bincount(made.codes)
    if (counts > 1).any():
        twice = listing(made.levels[c] for c in np.flatnonzero(counts > 1))
        raise InputError(f"nodes has several rows for the same vertex ({twice}); keep one of each.")
    return tuple(made.labels.tolist())


def matched(nodes: Any, names: Sequence[str], id: str | None) -> np.ndarray:
    """Return the position in ``names`` of each row of a table that has a row for every vertex and no other."""
    rows = vertex_names(nodes, id)
    lookup = {name: i for i, name in enumerate(names)}
    known = set(rows)
    lacking = [name for name in names if name not in known]
    beyond = [name for name in rows if name not in lookup]
    if lacking or beyond:
        raise InputError(
            f"nodes and graph name different vertices (nodes lacks {listing(lacking) or 'none'}; graph lacks "
            f"{listing(beyond) or 'none'}); give one row a vertex, or say with id= which column holds the names."
        )
    return np.array([lookup[name] for name in rows], dtype=np.intp)


def one_row_each(nodes: Any, n: int) -> Any:
    """Return a table whose rows are the vertices in order."""
    rows = Columns(nodes, "nodes").n
    if rows != n:
        raise InputError(f"nodes has {rows} rows and graph {n} vertices; give one row a vertex, in the same order.")
    return nodes


def _once(
    i: np.ndarray, j: np.ndarray, w: np.ndarray, names: Sequence[str]
) -> tuple[np.ndarray, np.ndarray, np.ndarray, tuple[str, ...]]:
    """Each unordered pair once; a pair that is listed with two weights is refused, since either could be meant."""
    low, high = np.minimum(i, j), np.maximum(i, j)
    key = low * len(names) + high
    order = np.argsort(key, kind="stable")
    key, low, high, w = key[order], low[order], high[order], w[order]
    again = np.flatnonzero(key[1:] == key[:-1]) + 1
    if not len(again):
        return low, high, w, ()
    unequal = again[(w[again] != w[again - 1]) & ~(np.isnan(w[again]) & np.isnan(w[again - 1]))]
    if len(unequal):
        at = unequal[0]
        raise InputError(
            f"graph lists {len(unequal)} edges again with another weight, for example {names[low[at]]} and "
            f"{names[high[at]]} with {w[at - 1]:g} and {w[at]:g}; sum or drop them first."
        )
    kept = np.ones(len(key), dtype=bool)
    kept[again] = False
    return low[kept], high[kept], w[kept], (f"{len(again)} edges were listed again and count once.",)
