"""Graphs: what a user has, judged once, as symmetric weights of named vertices beside the table that describes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from scipy import sparse

from fairstats.arguments import one_of, text
from fairstats.data.alignment import aligned, any_index, each, row_index
from fairstats.data.columns import is_table
from fairstats.data.edges import from_edges, matched, one_row_each
from fairstats.data.symmetric import component_labels, judged
from fairstats.errors import InputError, listing, visible
from fairstats.labels import label
from fairstats.naming import known_as

Component = Literal["all", "largest"]
COMPONENTS = ("all", "largest")


@dataclass(frozen=True)
class Graph:
    """An undirected graph with weights of at least 0 and no loops.

    Attributes
    ----------
    weights : scipy sparse array (CSR) or array (n, n)
        Symmetric; a dense matrix stays dense, a sparse one sparse.
    names : tuple of str
        Names of the vertices; positions, from 1, where they have none.
    table : table or None
        One row a vertex, as given: where column names of groups are looked up.
    rows : array (n,)
        Position of each vertex among the ``given`` ones.
    given : int
        Vertices before any were left out.
    notes : tuple of str
        What was changed on the way in.
    """

    weights: Any
    names: tuple[str, ...]
    table: Any
    rows: np.ndarray
    given: int
    notes: tuple[str, ...] = ()
    known: tuple[str, ...] = ()  # names of the given vertices, where these have names

    @property
    def n(self) -> int:
        """Number of vertices."""
        return int(self.weights.shape[0])

    @cached_property
    def degrees(self) -> np.ndarray:
        """Summed weights of each vertex (n,)."""
        return np.asarray(self.weights.sum(axis=1)).ravel()

    @property
    def edges(self) -> int:
        """Number of pairs that are joined."""
        count = self.weights.nnz if sparse.issparse(self.weights) else np.count_nonzero(self.weights)
        return int(count) // 2

    @cached_property
    def components(self) -> np.ndarray:
        """The connected component of each vertex (n,), 0 the largest."""
        return component_labels(self.weights)

    @property
    def component_sizes(self) -> np.ndarray:
        """Sizes of the components, largest first."""
        return np.bincount(self.components)

    def by_vertex(self, groups: Any) -> Any:
        """Return groups whose entries carry names (an index of pandas) in the order of the given vertices.

        They are matched with the rows of the table of vertices, where these carry the same, else with the names of the
        vertices; entries without names are taken by position.
        """
        own, rows = any_index(groups), row_index(self.table)
        if own is None or (not self.known and rows is None) or len(own) != self.given:
            return groups
        import pandas as pd

        same_rows = rows is not None and len(rows) == len(own) and set(rows) == set(own)
        if same_rows or not self.known:
            return aligned(groups, rows, "groups", "nodes")
        names = pd.Index(self.known)
        named = each(groups, lambda part: part.set_axis([label(v) for v in part.index]))
        placed = aligned(named, names, "groups", "graph")
        return each(placed, lambda part: part.set_axis(pd.RangeIndex(len(part)) if rows is None else rows))

    def largest_component(self) -> Graph:
        """Return the graph of the vertices in the largest component."""
        inside = np.flatnonzero(self.components == 0)
        if len(inside) == self.n:
            return self
        left = self.n - len(inside)
        return replace(
            self,
            weights=self.weights[inside][:, inside],
            names=tuple(self.names[i] for i in inside),
            rows=self.rows[inside],
            notes=(*self.notes, f"{left} of {self.n} vertices lie outside the largest component and were left out."),
        )

    def summary(self) -> str:
        """Say size, weights and components in a few lines."""
        sizes = self.component_sizes
        kind = "sparse" if sparse.issparse(self.weights) else "dense"
        lines = [
            f"Graph of {self.n} vertices and {self.edges} edges ({kind})",
            f"degrees from {self.degrees.min():.6g} to {self.degrees.max():.6g}",
            f"components: {len(sizes)}" + (f" (sizes {listing(sizes.tolist(), 4)})" if len(sizes) > 1 else ""),
            *self.notes,
        ]
        return visible("\n".join(lines))

    def __str__(self) -> str:
        return self.summary()

    __repr__ = __str__


def graph(
    data: Any,
    *,
    nodes: Any = None,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = None,
    id: str | None = None,
    component: Component = "all",
) -> Graph:
    """Make an undirected graph of a matrix of weights, a networkx graph or a table of edges.

    Parameters
    ----------
    data : scipy sparse matrix, array (n, n), networkx graph or table of edges
        Weights are at least 0 and the same in both directions. Loops are left out, and a note says how many.
    nodes : table, optional
        One row a vertex: in the order of the matrix, or found by ``id`` where the vertices have names. Its order is
        then the order of the vertices.
    source, target : str, optional
        Columns of a table of edges; the first two where absent. An edge that stands in both directions counts once.
    weight : str, optional
        Column, or edge attribute, of weights; ``"weight"`` where there is one, else every edge weighs 1.
    id : str, optional
        Column of ``nodes`` with the names of the vertices; the first where absent.
    component : {"all", "largest"}
        Keep every vertex, or those of the largest connected component.

    Returns
    -------
    Graph

    Raises
    ------
    InputError
        Weights that are asymmetric, negative or not finite; a directed graph; an edge to an unknown vertex.

    Examples
    --------
    >>> import fairstats as fs
    >>> print(fs.graph({"from": ["a", "b", "c"], "to": ["b", "c", "a"], "weight": [1, 1, 0.5]}))
    Graph of 3 vertices and 3 edges (sparse)
    degrees from 1.5 to 2
    components: 1
    """
    one_of("component", component, COMPONENTS)
    columns = {"source": source, "target": target, "weight": weight, "id": id}
    with known_as(graph="data"):
        result = _made(data, nodes, {name: value for name, value in columns.items() if value is not None})
    return result.largest_component() if component == "largest" else result


def _made(data: Any, nodes: Any, columns: Mapping[str, str]) -> Graph:
    """The whole graph; ``columns`` are those that the caller named, by the argument."""
    for argument, name in columns.items():
        text(argument, name, "pass the name of a column")
    if isinstance(data, Graph):
        _refuse(columns, ("source", "target", "weight", "id"), "a Graph, whose edges are known")
        return data if nodes is None else replace(data, table=one_row_each(nodes, data.given))
    if _is_networkx(data):
        _refuse(columns, ("source", "target"), "a networkx graph, whose edges are known")
        return _from_networkx(data, nodes, columns.get("weight"), columns.get("id"))
    if is_table(data):
        return whole_graph(*from_edges(data, nodes, columns))
    weights, notes = judged(data)
    _refuse(columns, ("source", "target", "weight", "id"), "a matrix, whose columns are the vertices")
    n = int(weights.shape[0])
    return whole_graph(weights, numbered(n), None if nodes is None else one_row_each(nodes, n), notes, named=False)


def _refuse(columns: Mapping[str, str], arguments: tuple[str, ...], what: str) -> None:
    for argument in arguments:
        if argument in columns:
            raise InputError(
                f"{argument} has {columns[argument]!r}, which is for a table of edges; data is {what}; leave it out."
            )


def whole_graph(
    weights: Any, names: tuple[str, ...], table: Any, notes: tuple[str, ...], *, named: bool = True
) -> Graph:
    """Return a graph from which no vertex was left out."""
    n = int(weights.shape[0])
    return Graph(weights, names, table, np.arange(n), n, notes, names if named else ())


def numbered(n: int) -> tuple[str, ...]:
    """Return names of vertices that have none: their positions, from 1."""
    return tuple(map(str, range(1, n + 1)))


def _is_networkx(data: Any) -> bool:
    return any(base.__module__.split(".")[0] == "networkx" for base in type(data).__mro__)


def _from_networkx(data: Any, nodes: Any, weight: str | None, id: str | None) -> Graph:
    import networkx

    if data.is_directed():
        raise InputError(
            "graph is directed; clusters of undirected graphs are defined here: pass graph.to_undirected()."
        )
    if not len(data):
        raise InputError("graph has no vertices; nothing can be clustered.")
    names = tuple(label(v) for v in data.nodes)
    weights, notes = judged(networkx.to_scipy_sparse_array(data, weight=weight or "weight", dtype=float, format="csr"))
    if nodes is None:
        known = list(dict.fromkeys(key for _, attributes in data.nodes(data=True) for key in attributes))
        table = {str(key): [attributes.get(key) for _, attributes in data.nodes(data=True)] for key in known} or None
        return whole_graph(weights, names, table, notes)
    order = matched(nodes, names, id)
    return whole_graph(weights[order][:, order], tuple(names[i] for i in order), nodes, notes)
