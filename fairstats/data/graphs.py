"""Graphs: what a user has, checked once, as symmetric weights of named vertices and the table that describes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from fairstats.data.design import as_matrix, refuse_nonfinite
from fairstats.data.moments import centering, shifted
from fairstats.data.tables import Columns, Factor, aligned, any_index, each, is_table, row_index
from fairstats.document import Text
from fairstats.errors import Call, InputError, Setting, listing, nearest, rows_at, visible, with_hint
from fairstats.labels import is_number, label
from fairstats.language import DataText, Message, listed, message
from fairstats.validation import answering, flag, one_of, renamed_arguments, text, whole

# A matrix of weights, checked: square, finite, at least 0, the same in both directions; and its components.


ROUNDING = 1e-12  # relative to the largest weight: an asymmetry below is rounding
BLOCK = 256  # rows of a dense matrix looked at together, so that no second matrix is made


def checked_weights(matrix: Any, names: tuple[str, ...] = ()) -> tuple[Any, tuple[str, ...]]:
    """Return the weights without loops, as CSR array (sparse input) or float64 array (dense), and notes of changes.

    names: of the vertices of links, which go both ways; of a matrix the places of its rows.
    """
    weights = as_matrix(matrix, "graph")
    n, m = weights.shape
    if n != m:
        raise InputError(
            "graph",
            f"is {n} × {m}; a matrix of weights is square. For rows of features pass "
            f"{Call('kneighbors_graph', ('X',))}, for a list of edges a table with two columns.",
        )
    return _CHECKS[sparse.issparse(weights)](weights, names)


def _sparse(graph: Any, names: tuple[str, ...]) -> tuple[Any, tuple[str, ...]]:
    weights = sparse.csr_array(graph)
    weights.sum_duplicates()
    weights.eliminate_zeros()
    entries = weights.tocoo()
    _refuse_values(entries.data, entries.row, entries.col, names)
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


def _dense(weights: np.ndarray, names: tuple[str, ...]) -> tuple[np.ndarray, tuple[str, ...]]:
    n = len(weights)
    if not np.isfinite(weights.sum()) or weights.min() < 0:
        rows_of_bad, columns_of_bad = np.nonzero(~np.isfinite(weights) | (weights < 0))
        _refuse_values(weights[rows_of_bad, columns_of_bad], rows_of_bad, columns_of_bad, names)
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


_CHECKS: dict[bool, Any] = {True: _sparse, False: _dense}


def _refuse_values(values: np.ndarray, rows: np.ndarray, cols: np.ndarray, names: tuple[str, ...]) -> None:
    for bad, what, way in (
        (~np.isfinite(values), "missing or infinite", "leave out edges whose weight is unknown"),
        (values < 0, "negative", "weights say how strongly vertices are joined; use 0 for no edge"),
    ):
        if bad.any():
            places = np.flatnonzero(bad & (rows <= cols) if names else bad)  # a link with names stands there twice
            called = names or numbered(1 + max(rows.max(), cols.max()))
            where = [f"{called[rows[f]]} and {called[cols[f]]}" for f in places[:6]]
            count = f"{len(places)} {what} weight{'s' * (len(places) > 1)}"
            raise InputError("graph", f"has {count} (between vertices {listing(where, 3)}); {way}.")


def _refuse_asymmetric(pairs: int, i: int, j: int, there: float, back: float) -> None:
    raise InputError(
        "graph",
        f"is not symmetric: {max(pairs, 1)} pairs of vertices differ, for example weight {there:g} from {i + 1} "
        f"to {j + 1} and {back:g} back; clusters of undirected graphs are defined here: pass (W + Wᵀ)/2, or the larger "
        "of both.",
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


def _components_of_sparse(weights: Any) -> np.ndarray:
    """Numbered by their first vertex. Weights are symmetric: the strong ones of a directed graph need no transpose."""
    labels = csgraph.connected_components(weights, connection="strong")[1]
    first, inverse = np.unique(labels, return_index=True, return_inverse=True)[1:]
    return np.argsort(np.argsort(first))[inverse]


_COMPONENTS: dict[bool, Any] = {True: _components_of_sparse, False: _components_of_dense}


# Tables of edges and of vertices: names become positions, an edge that is listed twice counts once.


GraphParts = tuple[Any, tuple[str, ...], Any, tuple[str, ...], str]
WEIGHT = "weight"  # where weights are looked for unless another name is given; networkx' word


UNUSED = message("Each link weighs 1; not used: {list_of}. If it holds weights, pass {setting}.")


def from_edges(data: Any, nodes: Any, columns: Mapping[str, str], weight: str | None) -> GraphParts:
    """Return weights (CSR), names, table of vertices, notes and the column of weights, from a table of edges.

    ``columns`` has those that were named as ``source``, ``target`` and, of ``nodes``, ``id``.
    """
    edges = Columns(data, "graph")
    if len(edges.names) < 2:
        raise InputError(
            "graph", f"has the one column {edges.names[0]!r}; a table of edges has two columns of vertices."
        )
    pair = edges.names[:2]
    if not columns and all(edges.is_numeric(name) and _fractions(edges.numeric(name, "graph")) for name in pair):
        raise InputError(
            "graph",
            f"has the columns {pair[0]!r} and {pair[1]!r} of numbers with fractions, which name no vertices; of "
            f"points make a graph first: {Call('kneighbors_graph', ('X',))}.",
        )
    ends = [
        _end(edges, columns.get("source", edges.names[0]), "source"),
        _end(edges, columns.get("target", edges.names[1]), "target"),
    ]
    names, table, lookup = _vertices(nodes, columns.get("id"), ends)
    i, j = (np.array([lookup[level] for level in end.levels], dtype=np.intp)[end.codes] for end in ends)
    named = "" if weight is None or (weight == WEIGHT and weight not in edges) else weight
    w = edges.numeric(named, "weight") if named else np.ones(edges.n)
    used = {columns.get("source", edges.names[0]), columns.get("target", edges.names[1])}
    searched = weight is not None and not named
    left = [name for name in edges.names if name not in used and edges.is_numeric(name)] if searched else []
    for name in left:
        if zeros := int(np.count_nonzero(edges.numeric(name, "weight") == 0)):
            raise InputError(
                "weight",
                f"is absent, and the column {name!r} of graph has {zeros} rows of 0, which as weights are no links; "
                f"if they are weights, pass {Setting('weight', name)} or call the column 'weight'; if each row is a "
                f"link, pass {Setting('weight', None)}.",
            )
    i, j, w, notes = _once(i, j, w, names)
    notes = (*notes, *_unused(left))
    n = len(names)
    weights = sparse.coo_array((np.concatenate([w, w]), (np.concatenate([i, j]), np.concatenate([j, i]))), shape=(n, n))
    result, more = checked_weights(weights, names)
    return result, names, table, (*notes, *more), named


def _fractions(values: np.ndarray) -> bool:
    known = values[np.isfinite(values)]
    return bool(np.any(known != np.round(known)))


def _unused(names: Sequence[str]) -> tuple[str, ...]:
    """The note on columns or attributes of numbers where none was named as weight."""
    if not names:
        return ()
    return (UNUSED.format(list_of=listed([DataText(name) for name in names]), setting=Setting("weight", names[0])),)


def _end(edges: Columns, column: str, argument: str) -> Factor:
    result = edges.factor(column, argument)
    lost = np.flatnonzero(result.codes < 0)
    if len(lost):
        raise InputError(
            argument,
            f"has {len(lost)} missing values ({rows_at(lost)} of graph); complete or drop these edges.",
            value=column,
        )
    return result


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
        numbered = all(name.isdecimal() and int(name) < len(names) for name in seen)
        rows = (
            " If the edges name rows of nodes, counted from 0, give nodes a column of these numbers."
            if numbered
            else ""
        )
        raise InputError(
            f"nodes lacks {len(unknown)} of the vertices that the edges name ({listing(unknown)}); add them, drop "
            f"their edges, or say with {Setting('id')} which column holds the names (now {column!r}).{rows}"
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
    result: Factor = columns.factor(id if id is not None else columns.names[0], "id")
    if (result.codes < 0).any():
        rows = rows_at(np.flatnonzero(result.codes < 0))
        raise InputError("nodes", f"has vertices without a name ({rows}); complete or drop them.")
    counts = np.bincount(result.codes)
    if (counts > 1).any():
        twice = listing(result.levels[c] for c in np.flatnonzero(counts > 1))
        raise InputError("nodes", f"has several rows for the same vertex ({twice}); keep one of each.")
    return tuple(result.labels.tolist())


def matched(nodes: Any, names: Sequence[str], id: str | None) -> np.ndarray:
    """Return the position in ``names`` of each row of a table that has a row for every vertex and no other."""
    rows = vertex_names(nodes, id)
    lookup = {name: i for i, name in enumerate(names)}
    present = set(rows)
    lacking = [name for name in names if name not in present]
    beyond = [name for name in rows if name not in lookup]
    if lacking or beyond:
        raise InputError(
            f"nodes and graph name different vertices (nodes lacks {listing(lacking) or 'none'}; graph lacks "
            f"{listing(beyond) or 'none'}); give one row a vertex, or say with {Setting('id')} which column "
            f"holds the names."
        )
    return np.array([lookup[name] for name in rows], dtype=np.intp)


def one_row_each(nodes: Any, n: int) -> Any:
    """Return a table whose rows are the vertices in order."""
    rows = Columns(nodes, "nodes").n
    if rows != n:
        raise InputError("nodes", f"has {rows} rows and graph {n} vertices; give one row a vertex, in the same order.")
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
            "graph",
            f"lists {len(unequal)} edges again with another weight, for example {names[low[at]]} and "
            f"{names[high[at]]} with {w[at - 1]:g} and {w[at]:g}; sum or drop them first.",
        )
    kept = np.ones(len(key), dtype=bool)
    kept[again] = False
    return low[kept], high[kept], w[kept], (f"{len(again)} edges were listed again and count once.",)


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
        Names of the vertices, as text; positions, from 1, where they have none.
    table : table or None
        One row a vertex, as given: where column names of groups are looked up.
    rows : array (n,)
        Position of each vertex among the ``given`` ones.
    given : int
        Vertices before any were left out.
    notes : tuple of str
        What was changed on the way in.
    given_names : tuple
        The given vertices as the graph calls them, where they have names: those of networkx themselves.
    weight : str or None
        The column or attribute of weights, "" where they have no name, as those of a matrix; None where every link
        weighs 1.
    """

    weights: Any
    names: tuple[str, ...]
    table: Any
    rows: np.ndarray
    given: int
    notes: tuple[str, ...] = ()
    given_names: tuple[Any, ...] = ()
    weight: str | None = None

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

    @answering
    def by_vertex(self, groups: Any) -> Any:
        """Return groups whose entries carry names (an index of pandas) in the order of the given vertices.

        They are matched with the rows of the table of vertices, where these carry the same, else with the names of the
        vertices; entries without names are taken by position. A mapping of names to labels is that of networkx.
        """
        if isinstance(groups, Mapping) and self.given_names and not any(map(np.ndim, groups.values())):
            import pandas as pd

            named = {label(vertex): group for vertex, group in groups.items()}
            groups = pd.Series(dict.fromkeys(map(label, self.given_names)) | named, dtype=object)
        current, rows = any_index(groups), row_index(self.table)
        if current is None or (not self.given_names and rows is None) or len(current) != self.given:
            return groups
        import pandas as pd

        same_rows = rows is not None and len(rows) == len(current) and set(rows) == set(current)
        if same_rows or not self.given_names:
            return aligned(groups, rows, "groups", "nodes")
        names = pd.Index([label(v) for v in self.given_names])
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
        total = f", {self.degrees.sum() / 2:.6g} in all" if self.weight is not None else ""
        lines = [
            f"Graph of {self.n} vertices and {self.edges} edges ({kind})",
            f"{links(self.weight)}{total}; degrees from {self.degrees.min():.6g} to {self.degrees.max():.6g}",
            f"components: {len(sizes)}" + (f" (sizes {listing(sizes.tolist(), 4)})" if len(sizes) > 1 else ""),
            *self.notes,
        ]
        return Text(visible("\n".join(lines)))

    def __str__(self) -> str:
        return self.summary()

    __repr__ = __str__


@answering
def graph(
    data: Any,
    *,
    nodes: Any = None,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = WEIGHT,
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
        Column, or edge attribute, of weights; ``"weight"`` counts only where there is one. An edge without the
        attribute weighs 1, as in networkx. With None every edge weighs 1, whatever the data say.
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
    links weighted by weight, 2.5 in all; degrees from 1.5 to 2
    components: 1
    """
    one_of("component", component, COMPONENTS)
    columns = {"source": source, "target": target, "id": id}
    with renamed_arguments(graph="data"):
        result = _whole_graph(
            data, nodes, {name: value for name, value in columns.items() if value is not None}, weight
        )
    if weight is None:
        result = replace(result, weights=(result.weights != 0).astype(float), weight=None)
    return result.largest_component() if component == "largest" else result


def _whole_graph(data: Any, nodes: Any, columns: Mapping[str, str], weight: str | None) -> Graph:
    """The whole graph; ``columns`` are those that the caller named, by the argument."""
    every = columns if weight is None else {**columns, "weight": weight}
    for argument, name in every.items():
        text(argument, name, "pass the name of a column")
    named = columns if weight == WEIGHT else every
    if isinstance(data, Graph):
        _refuse(named, ("source", "target", "weight", "id"), "a Graph, whose edges are known")
        return data if nodes is None else replace(data, table=one_row_each(nodes, data.given))
    if _is_networkx(data):
        _refuse(columns, ("source", "target"), "a networkx graph, whose edges are known")
        return _from_networkx(data, nodes, weight, columns.get("id"))
    if is_table(data):
        return whole_graph(*from_edges(data, nodes, columns, weight))
    weights, notes = checked_weights(data)
    _refuse(named, ("source", "target", "weight", "id"), "a matrix, whose columns are the vertices")
    n = int(weights.shape[0])
    return whole_graph(weights, numbered(n), None if nodes is None else one_row_each(nodes, n), notes, "", named=False)


def _refuse(columns: Mapping[str, str], arguments: tuple[str, ...], what: str) -> None:
    for argument in arguments:
        if argument in columns:
            raise InputError(
                argument, f"has {columns[argument]!r}, which is for a table of edges; data is {what}; leave it out."
            )


def whole_graph(
    weights: Any, names: tuple[str, ...], table: Any, notes: tuple[str, ...], weight: str, *, named: bool = True
) -> Graph:
    """Return a graph from which no vertex was left out; ``weight`` is the name of its weights, "" of none."""
    n = int(weights.shape[0])
    entries = weights.data if sparse.issparse(weights) else weights
    counted = weight or ("" if ((entries != 0) & (entries != 1)).any() else None)
    return Graph(weights, names, table, np.arange(n), n, notes, names if named else (), counted)


def links(weight: str | None) -> Message:
    """Say whether and which weights count."""
    if weight is None:
        return message("links without weights")
    return message("links weighted by {attribute}", attribute=DataText(weight)) if weight else message("weighted links")


def numbered(n: int) -> tuple[str, ...]:
    """Return names of vertices that have none: their positions, from 1."""
    return tuple(map(str, range(1, n + 1)))


_PLAIN = (str, int, float, np.integer)


def _is_networkx(data: Any) -> bool:
    return any(base.__module__.split(".")[0] == "networkx" for base in type(data).__mro__)


def _from_networkx(data: Any, nodes: Any, weight: str | None, id: str | None) -> Graph:
    import networkx

    if data.is_directed():
        raise InputError(
            "graph", "is directed; clusters of undirected graphs are defined here: pass graph.to_undirected()."
        )
    if not len(data):
        raise InputError("graph", "has no vertices; nothing can be clustered.")
    names = tuple(label(v) for v in data.nodes)
    attributes = [attributes for *_, attributes in data.edges(data=True)]
    kinds = list(dict.fromkeys(key for one in attributes for key in one))
    carrying = sum(weight in one for one in attributes)
    if attributes and weight not in (None, WEIGHT, *kinds):
        way = f"they have {listing(map(repr, kinds))}" if kinds else "they have none"
        fact = "is not an attribute of the edges of graph"
        raise InputError("weight", with_hint(fact, nearest(str(weight), kinds), f"{way}."), value=weight)
    try:
        entries = networkx.to_scipy_sparse_array(data, weight=weight, dtype=float, format="csr")
    except (TypeError, ValueError) as problem:
        raise InputError("weight", "holds what is no number; pass another attribute.", value=weight) from problem
    weights, notes = checked_weights(entries, names)
    if 0 < carrying < len(attributes):
        lacking = message(
            "{n} of {edges} links have no {attribute} and weigh 1, as in networkx.",
            n=len(attributes) - carrying,
            edges=len(attributes),
            attribute=DataText(weight or ""),
        )
        notes = (*notes, lacking)
    if weight is not None and not carrying:
        notes = (*notes, *_unused([str(key) for key in kinds if all(is_number(one.get(key, 0)) for one in attributes)]))
    table, order = nodes, np.arange(len(names))
    if nodes is None:
        items = list(dict.fromkeys(key for _, one in data.nodes(data=True) for key in one))
        table = {str(key): [one.get(key) for _, one in data.nodes(data=True)] for key in items} or None
    else:
        order = matched(nodes, names, id)
        weights = weights[order][:, order]
    # What a saved result can hold; other objects are their text.
    own = [v if all(isinstance(p, _PLAIN) for p in (v if isinstance(v, tuple) else [v])) else label(v) for v in data]
    result = whole_graph(weights, tuple(names[i] for i in order), table, notes, (weight or "") if carrying else "")
    return replace(result, given_names=tuple(own[i] for i in order))


# Rows of features as a graph: each row is joined to its nearest ones.


@answering
def kneighbors_graph(
    X: Any,
    n_neighbors: int = 10,
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
    n_neighbors : int
        Rows i and j are joined where either is among the ``n_neighbors`` nearest (Euclidean) of the other.
    nodes : table, optional
        One row a vertex, where column names of groups are looked up; ``X`` itself where it is a table.
    scale : bool
        Divide every feature by its standard deviation (ddof 1) first.
    mutual : bool
        Join rows only where each is among the nearest of the other, which keeps apart regions of different density.
    weights : {"equal", "gaussian"}
        Every edge weighs 1, or exp(−d²/2σ²) by its length d, with σ the mean distance of a row to its
        ``n_neighbors``-th nearest; the weights have no unit.
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
    >>> fs.kneighbors_graph([[0.0], [1.0], [2.0], [9.0]], 1).edges
    3
    >>> fs.kneighbors_graph([[0.0], [1.0], [2.0], [9.0]], 1, mutual=True).edges
    1
    """
    from sklearn.neighbors import kneighbors_graph

    scale, mutual = flag("scale", scale), flag("mutual", mutual)
    one_of("weights", weights, ("equal", "gaussian"))
    matrix, names = _features(X)
    if not np.isfinite(matrix.sum()):
        refuse_nonfinite(matrix, names)
    n = int(matrix.shape[0])
    n_neighbors = whole("n_neighbors", n_neighbors, 1, n - 1, f"{n} rows")
    matrix = _near_zero(matrix, names, scale)
    nearest = kneighbors_graph(matrix, n_neighbors, mode="connectivity" if weights == "equal" else "distance")
    if weights == "gaussian":
        nearest.data = _by_length(nearest.data, n_neighbors)
    joined = sparse.csr_array(nearest.minimum(nearest.T) if mutual else nearest.maximum(nearest.T))
    joined.eliminate_zeros()
    table = nodes if nodes is not None else (X if is_table(X) else None)
    result = whole_graph(joined, numbered(n), None if table is None else one_row_each(table, n), (), "", named=False)
    return graph(result, component=component)


def _by_length(lengths: np.ndarray, n_neighbors: int) -> np.ndarray:
    """Weights of the edges (n · neighbors,), each row's together."""
    width = float(lengths.reshape(-1, n_neighbors).max(axis=1).mean())
    return np.exp(-0.5 * (lengths / width) ** 2) if width > 0 else np.ones_like(lengths)


def _features(X: Any) -> tuple[Any, tuple[str, ...]]:
    if is_table(X):
        columns = Columns(X, "X")
        numeric = [c for c in columns.names if columns.is_numeric(c)]
        if not numeric:
            raise InputError(
                "X", f"has no column of numbers (its columns are {listing(columns.names)}); distances need some."
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
                "X",
                f"has constant columns ({listing(names[j] for j in flat)}); leave them out, or "
                f"{Setting('scale', False)}.",
            )
    if not sparse.issparse(matrix):
        center = matrix[np.argmin(np.abs(matrix - center), axis=0), np.arange(len(center))]
    moved, _ = shifted(matrix, center)
    largest = float(abs(moved).max())
    units = sd if scale else np.full(len(center), np.exp2(np.round(np.log2(largest))) if largest else 1.0)
    return moved @ sparse.diags_array(1 / units) if sparse.issparse(moved) else moved / units
