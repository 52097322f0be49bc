"""Spectral clustering, plain and with clusters that hold each group as the graph does (Kleindessner et al. 2019)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from fairstats.cluster.balancing import Search, lacking, searched
from fairstats.cluster.embedding import FORMS, Composition, Embedding, column_basis, cuts_of, embed
from fairstats.cluster.partition import CROWDED, IN_PARTS, Partition, misclassified
from fairstats.data.graphs import Component, Graph, component_labels
from fairstats.data.graphs import graph as make_graph
from fairstats.data.groups import Groups
from fairstats.data.tables import check_numeric_labels
from fairstats.errors import Call, InputError, Setting, ignoring, in_code, listing, warn
from fairstats.labels import MISSING_LEVEL
from fairstats.language import listed, message
from fairstats.text import significant
from fairstats.validation import answering, between, flag, one_of, random_seed, renamed_arguments, whole

# From an embedding to clusters: k-means on its rows, ended by moves of single rows.


WORK = 5e7  # distances that the moves of one start may take: beyond it, Lloyd's answer stands as it is


@dataclass(frozen=True)
class Rounded:
    """Cluster of each row, numbered from 0 by size, and the sum of squares that k-means minimized."""

    codes: np.ndarray
    inertia: float
    reached: int  # clusters that came out: fewer than asked for where rows coincide
    starts: tuple[float, ...]  # the sum of squares that each start ended with


def rounded(H: np.ndarray, k: int, n_init: int, seed: int, unit: bool = False) -> Rounded:
    """Clusters of the rows of H by k-means, the best of several seeded starts.

    H: shape (n, m).
    n_init: k-means++ starts, of which the one with the smallest sum of squares is kept.
    unit: bring rows to length 1 first; a row of nothing stays as it is.

    Lloyd's iteration stops where every row is nearest to its own center; many such partitions can still be improved by
    moving one row and its two centers together (Hartigan & Wong 1979, what R's ``kmeans`` does).

    >>> rounded(np.array([[0.0], [0.1], [9.0]]), 2, 10, 0).codes.tolist()
    [0, 0, 1]
    """
    if unit:
        length = np.linalg.norm(H, axis=1, keepdims=True)
        H = H / np.where(length > 1e-12 * length.max(initial=0.0), length, 1.0)
    # Rows of the normalized form are of size 1/√volume: brought to size 1, tolerances mean something.
    scale = float(np.abs(H).max()) or 1.0
    rows = np.ascontiguousarray(H / scale)
    seeds = np.random.SeedSequence(seed).generate_state(n_init)
    every = [_one_start(rows, k, int(s)) for s in seeds]
    best = min(every, key=lambda result: result[1])
    sizes = np.bincount(best[0], minlength=k)
    first = np.full(k, len(H))
    np.minimum.at(first, best[0], np.arange(len(H)))
    rank = np.empty(k, dtype=np.intp)
    rank[np.lexsort((first, -sizes))] = np.arange(k)
    starts = tuple(one[1] * scale**2 for one in every)
    return Rounded(rank[best[0]], best[1] * scale**2, int((sizes > 0).sum()), starts)


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
    place = codes * n + np.arange(n)  # of each row's cluster in the flat tables (k, n), which is found fastest
    sizes = np.bincount(codes, minlength=k).astype(float)
    sums = np.column_stack([np.bincount(codes, column, minlength=k) for column in rows.T])
    centers = sums / np.maximum(sizes, 1.0)[:, None]
    lengths = np.einsum("ij,ij->i", rows, rows)
    distances = lengths - 2 * centers @ rows.T + np.einsum("ij,ij->i", centers, centers)[:, None]
    cost = np.empty_like(distances)
    for _ in range(int(WORK / (n * k)) if sizes.min() > 0 else 0):
        share = np.where(sizes < 2, 0.0, sizes / np.maximum(sizes - 1, 1.0))
        saved = share.take(codes) * distances.take(place)
        np.multiply(distances, (sizes / (sizes + 1))[:, None], out=cost)
        cost.ravel()[place] = np.inf
        gain = saved - cost.min(axis=0)
        i = int(gain.argmax())
        if gain[i] <= 1e-12 * lengths.mean():
            break
        target = int(cost[:, i].argmin())
        for cluster, sign in ((codes[i], -1.0), (target, 1.0)):
            sizes[cluster] += sign
            centers[cluster] += sign * (rows[i] - centers[cluster]) / sizes[cluster]
            distances[cluster] = lengths - 2 * rows @ centers[cluster] + centers[cluster] @ centers[cluster]
        codes[i], place[i] = target, target * n + i
    return codes, float(((rows - centers[codes]) ** 2).sum())


MissingVertex = Literal["raise", "level"]  # a vertex cannot be left out of its graph


@answering
def fair_spectral_clustering(
    graph: Any,
    groups: Any,
    k: int = 2,
    *,
    nodes: Any = None,
    normalized: bool = True,
    normalize_rows: bool = False,
    component: Component = "all",
    missing: MissingVertex = "raise",
    compare_unconstrained: bool = True,
    balance: float | None = None,
    n_init: int = 10,
    seed: int = 0,
) -> Partition:
    """Cluster a graph so that, before rounding, every cluster is made up of the groups as the graph is.

    Parameters
    ----------
    graph : Graph, scipy sparse matrix, array (n, n), networkx graph or table of edges
        What ``fairstats.graph`` takes; for rows of features, ``fairstats.kneighbors_graph(X)``. A column or edge
        attribute ``weight`` counts where there is one; without it pass ``fairstats.graph(..., weight=None)``.
    groups : labels (n,), column name(s) of ``nodes``, a mapping of vertices to labels, or several attributes
        Any number of levels; several attributes are balanced each by itself.
    k : int
        Number of clusters, 2 to n − r for r independent constraints (levels − 1 for each attribute).
    nodes : table, optional
        One row a vertex, where column names of ``groups`` are looked up.
    normalized : bool
        Balance volumes (NCut) or, if False, sizes (RatioCut).
    normalize_rows : bool
        Bring the rows of the embedding to length 1 before k-means (Ng, Jordan & Weiss 2002), which helps where degrees
        differ much. The constraint is one of the rows as they are.
    component : {"all", "largest"}
        Cluster the largest connected component only.
    missing : {"raise", "level"}
        Vertices without a group are an error, or a group of their own.
    compare_unconstrained : bool
        Cluster without the constraint too, to show what it costs.
    balance : float, optional
        After k-means vertices are moved, one at a time and at the least rise of the cut, until the balance of every
        cluster is this share of that of all vertices: 1 is as balanced as the graph. Where any was moved, one vertex or
        two at once then move where that lowers the cut and keeps the balance; in graphs of up to some hundred vertices
        again from ``n_init`` other starts, of which the lowest cut is taken. It may be above the least: what it costs
        is an upper bound. One attribute.
    n_init : int
        Starts of k-means.
    seed : int
        Of the eigensolver's and of k-means' starts.

    Returns
    -------
    Partition
        ``plain`` is the clustering without the constraint.

    Raises
    ------
    InputError
        Weights that are asymmetric, negative or not finite, isolated vertices with ``normalized``, groups of another
        length or with fewer than two levels, k out of range.
    NumericalError
        The eigenvectors did not converge.

    Warns
    -----
    FairstatsWarning
        FᵀH is not 0 up to 1e-8, or the graph is in several pieces.

    Guarantees
    ----------
    FᵀH = 0 for F the centered indicators of the groups: were the rows of H cluster indicators, every cluster would be
    made up exactly as the graph is. Rounding by k-means gives that up in part; the balance says how much is left.
    With ``balance`` every cluster has that share of the balance of all vertices, or a note says how far it came.
    No embedding with FᵀH = 0 has a smaller tr(HᵀLH), under HᵀDH = I (normalized) or HᵀH = I.

    Notes
    -----
    Algorithm 3 inverts in the null space of F. Here the constraint is projected out of every product (Wang et al. 2023)
    so that a sparse graph stays sparse. Residuals are 1e-10 of the operator's norm; without a gap, and n > 10⁴, 1e-9.

    References
    ----------
    Kleindessner, Samadi, Awasthi & Morgenstern (2019), "Guarantees for spectral clustering with fairness constraints",
    ICML, Algorithms 2 and 3.
    Ng, Jordan & Weiss (2002), "On spectral clustering: analysis and an algorithm", NIPS 14 (rows of length 1).
    Wang, Lu, Davidson & Bai (2023), "Scalable spectral clustering with group fairness constraints", AISTATS.

    Examples
    --------
    >>> import numpy as np
    >>> import fairstats as fs
    >>> W = np.kron(np.eye(2), np.ones((4, 4))) + 0.1
    >>> np.fill_diagonal(W, 0)
    >>> result = fs.fair_spectral_clustering(W, ["f", "m"] * 4, k=2)
    >>> result.labels.tolist(), result.compositions[0].balance.tolist()
    ([1, 1, 1, 1, 2, 2, 2, 2], [1.0, 1.0])
    """
    result, present = _checked_graph(graph, groups, nodes, normalized, component, missing, least=2)
    if present is None:
        raise InputError(
            "groups",
            f"has {in_code(None)}; there is nothing to balance; name them, or use {Call('spectral_clustering')}.",
        )
    F, compare_unconstrained = _constraints(present), flag("compare_unconstrained", compare_unconstrained)
    k = _clusters(k, result, F)
    n_init, seed = _repeats(n_init, seed)
    options: dict[str, Any] = {"normalized": bool(normalized), "n_init": n_init, "seed": seed}
    options["normalize_rows"] = flag("normalize_rows", normalize_rows)
    title = f"Fair {'normalized' if normalized else 'unnormalized'} spectral clustering"
    fair = _cluster("fair_spectral_clustering", title, result, present, F, k, **options)
    if fair.embedding.failure:
        warn(fair.embedding.failure)
    beside = _plain(result, present, k, **options) if compare_unconstrained else None
    if balance is not None:
        fair = _moved_to_balance(fair, result, present, balance)
    fair = replace(fair, plain=beside)
    free = [] if balance is not None or len(present.factors) > 1 else [Setting("balance", 0.8)]
    return replace(fair, notes=(*fair.notes, *_in_parts(fair, result), *_crowded(fair, free), *_uneven(fair, free)))


def _in_parts(fair: Partition, graph: Graph) -> tuple[str, ...]:
    """Which clusters have members that no path within them joins: the constraint may bring together what is apart."""
    inside = (np.flatnonzero(fair.labels == c + 1) for c in range(fair.k))
    broken = [c + 1 for c, rows in enumerate(inside) if component_labels(graph.weights[rows][:, rows]).any()]
    if not broken:
        return ()
    return (IN_PARTS.format(clusters=listed(map(str, broken))),)


def _uneven(fair: Partition, settings: list[Setting]) -> tuple[str, ...]:
    """Which of the `settings` moves vertices until every cluster is as balanced as it says."""
    table = fair.compositions[0]
    return tuple(
        message(
            "With {setting} vertices are moved until every cluster has that share of the balance of all.", setting=s
        )
        for s in settings
        if table.smallest_balance < s.value * table.overall_balance
    )


def _crowded(partition: Partition, settings: list[Setting]) -> tuple[str, ...]:
    """Which `settings` may change it that nearly all vertices are in one cluster."""
    ways = [] if partition.settings["normalize_rows"] else [Setting("normalize_rows", True)]
    ways += settings
    if partition.cuts.sizes[0] < CROWDED * partition.n or not ways:
        return ()
    if len(ways) == 1:
        return (message("Other clusters may come with {setting}.", setting=ways[0]),)
    return (message("Other clusters may come with {setting} or {other}.", setting=ways[0], other=ways[1]),)


def _of_starts(sums: tuple[float, ...]) -> str:
    """Whether the clusters depend on the start of k-means, as far as its starts tell."""
    if len(sums) == 1:
        return message("k-means had one start: whether others end with other clusters is not known.")
    least, most = min(sums), max(sums)
    same = sum(one - least <= 1e-9 * most for one in sums)
    if same == len(sums):
        return message("All {n} starts of k-means ended with the same sum of squares.", n=same)
    return message(
        "{same} of {n} starts of k-means ended with the smallest sum of squares, {least}; the largest is {most}.",
        same=same,
        n=len(sums),
        least=significant(least, 4),
        most=significant(most, 4),
    )


def _inertia(H: np.ndarray, codes: np.ndarray, unit: bool) -> float:
    length = np.linalg.norm(H, axis=1, keepdims=True)
    rows = H / np.where(length > 0, length, 1.0) if unit else H
    means = np.array([rows[codes == c].mean(axis=0) for c in range(codes.max() + 1)])
    return float(np.sum((rows - means[codes]) ** 2))


def _of_search(search: Search | None) -> tuple[str, ...]:
    """What the starts of the search for a lower cut say of it; nothing where no vertex had to move."""
    if search is None:
        return ()
    if len(search.ends) == 1:
        return (
            message(
                "A search from one start found this cut, as the graph is large; the least at that balance may be "
                "lower, so that the price is an upper bound."
            ),
        )
    return (
        message(
            "{same} of {n} starts of a search ended with this cut, the lowest that was found; the least at that "
            "balance may be lower, so that the price is an upper bound.",
            same=search.alike,
            n=len(search.ends),
        ),
    )


def _moved_to_balance(fair: Partition, graph: Graph, groups: Groups, balance: Any) -> Partition:
    """The partition with its clusters brought to the declared balance, and a note with what it took."""
    balance = between("balance", balance, 0, 1, "pass a share of that of all vertices, such as 0.8", ends="(]")
    if len(groups.factors) > 1:
        raise InputError("balance", f"goes with one attribute, and there are {len(groups.factors)}; leave it out.")
    old, levels, target = fair.compositions[0], groups.factors[0].codes, balance * fair.compositions[0].overall_balance
    sizes = graph.degrees if fair.settings["normalized"] else np.ones(fair.n)
    search = None
    better = fair.labels - 1
    if lacking(old.counts, target).any():
        search = searched(graph.weights, better, levels, target, sizes, fair.settings["n_init"], fair.settings["seed"])
        better = search.codes
    order = np.argsort(-np.bincount(better), kind="stable")  # 1 is the largest
    k, codes = len(order), np.argsort(order)[better]
    cuts = cuts_of(graph.weights, graph.degrees, codes, k)
    table = Composition.of(groups.names[0], groups.factors[0], codes, k)
    value = "ncut" if fair.settings["normalized"] else "ratio_cut"
    before, after = (significant(getattr(one, value), 3) for one in (fair.cuts, cuts))
    moved = round(fair.n * misclassified(codes, fair.labels))
    least, now = (significant(one.smallest_balance, 3) for one in (old, table))
    moves = message(
        "For a balance of at least {target} in every cluster {moved} of {n} vertices were moved after k-means: the "
        "smallest balance went from {least} to {now}, the cut that is minimized ({metric}) from {before} to {after}.",
        target=significant(target, 3),
        moved=moved,
        n=fair.n,
        least=least,
        now=now,
        metric="NCut" if fair.settings["normalized"] else "RatioCut",
        before=before,
        after=after,
    )
    notes = [moves, *_of_search(search)]
    if lacking(table.counts, target).any():
        notes.append(message("No further move of one vertex brings the clusters closer to that balance."))
    return replace(
        fair,
        labels=codes + 1,
        cuts=cuts,
        compositions=(table,),
        inertia=_inertia(fair.embedding.H, codes, fair.settings["normalize_rows"]),
        settings={**fair.settings, "balance": balance},
        notes=(*fair.notes, *notes),
    )


@answering
def spectral_clustering(
    graph: Any,
    groups: Any = None,
    k: int = 2,
    *,
    nodes: Any = None,
    normalized: bool = True,
    normalize_rows: bool = False,
    component: Component = "all",
    missing: MissingVertex = "raise",
    n_init: int = 10,
    seed: int = 0,
) -> Partition:
    """Cluster a graph without regard to groups, and say how its clusters are made up of them.

    Parameters
    ----------
    graph, k, nodes, normalized, normalize_rows, component, missing, n_init, seed : as for ``fair_spectral_clustering``
    groups : as for ``fair_spectral_clustering``, optional
        Described, not balanced.

    Returns
    -------
    Partition

    Raises
    ------
    InputError, NumericalError
        As for ``fair_spectral_clustering``.

    References
    ----------
    von Luxburg (2007), "A tutorial on spectral clustering", Statistics and Computing 17, section 4: unnormalized, and
    normalized after Shi & Malik.

    Examples
    --------
    >>> import numpy as np
    >>> import fairstats as fs
    >>> W = np.kron(np.eye(2), np.ones((3, 3))) + 0.1
    >>> np.fill_diagonal(W, 0)
    >>> fs.spectral_clustering(W, k=2).labels.tolist()
    [1, 1, 1, 2, 2, 2]
    """
    result, present = _checked_graph(graph, groups, nodes, normalized, component, missing, least=1)
    k = _clusters(k, result, np.empty((result.n, 0)))
    n_init, seed = _repeats(n_init, seed)
    options = {"normalized": bool(normalized), "normalize_rows": flag("normalize_rows", normalize_rows)}
    plain = _plain(result, present, k, **options, n_init=n_init, seed=seed)
    return replace(plain, notes=(*plain.notes, *_crowded(plain, [])))


def _checked_graph(
    graph: Any, groups: Any, nodes: Any, normalized: bool, component: Component, missing: str, *, least: int
) -> tuple[Graph, Groups | None]:
    """The graph and the groups of its vertices, or an error that says what is wrong with them."""
    flag("normalized", normalized)
    if isinstance(groups, (int, np.integer)):
        call = Call("fair_spectral_clustering" if least > 1 else "spectral_clustering", ("graph", "groups", "k"))
        raise InputError("groups", f"has {groups!r}, a number; the order is {call}; pass the number as {Setting('k')}.")
    with renamed_arguments(data="graph"):
        result = make_graph(graph, nodes=nodes, component=component)
    if not result.edges:
        raise InputError("graph", f"has {result.n} vertices and no edge between them; there is nothing to cluster by.")
    isolated = np.flatnonzero(result.degrees == 0)
    if len(isolated) and normalized:
        kind = "isolated vertex" if len(isolated) == 1 else "isolated vertices"
        raise InputError(
            "graph",
            f"has {len(isolated)} {kind} ({listing(result.names[i] for i in isolated)}), and the "
            f"normalized form divides by the degree; pass {Setting('component', 'largest')}, leave them "
            f"out, or {Setting('normalized', False)}.",
        )
    sizes = result.component_sizes
    if len(sizes) > 1:
        warn(
            f"graph has {len(sizes)} connected components (sizes {listing(sizes.tolist())}): clusters will follow them "
            f"first, whatever else the edges say; pass {Setting('component', 'largest')} to cluster the largest alone."
        )
    return result, None if groups is None else _groups(groups, result, missing, least)


def _groups(groups: Any, graph: Graph, missing: str, least: int) -> Groups:
    one_of("missing", missing, ("raise", "level"))
    # a name that comes twice is a label: columns are named once
    named = isinstance(groups, (list, tuple)) and all(isinstance(g, str) for g in groups)
    if named and len(set(groups)) < len(groups) != graph.given:
        raise InputError("groups", f"has {len(groups)} labels for {graph.given} vertices; give one a vertex.")
    result = Groups.of(graph.by_vertex(groups), graph.table, missing="level", at_least=1, table="nodes")
    for name, factor in zip(result.names, result.factors, strict=True):
        check_numeric_labels(name, factor.levels, factor.numbers)
    if result.continuous_names:
        raise InputError(
            "groups",
            f"has the continuous attribute {listing(result.continuous_names)}; balance is about levels: cut it "
            "into labeled classes first.",
        )
    if result.n != graph.given:
        raise InputError("groups", f"has {result.n} values and graph {graph.given} vertices; give one a vertex.")
    result = result.take(graph.rows)
    for name, factor in zip(result.names, result.factors, strict=True):
        if missing == "raise" and result.missing.get(name) and MISSING_LEVEL in factor.levels:
            lost = np.flatnonzero(factor.codes == factor.levels.index(MISSING_LEVEL))
            raise InputError(
                "groups",
                f"is missing for {len(lost)} vertices ({listing(graph.names[i] for i in lost)}); pass "
                f"{Setting('missing', 'level')} to keep them as a group, or leave them out of the graph.",
                value=name,
            )
        if len(factor.levels) < least:
            raise InputError(
                "groups",
                f"has {len(factor.levels)} level ({listing(factor.levels)}) among the vertices; at "
                f"least two groups are needed to balance them; without groups use {Call('spectral_clustering')}.",
                value=name,
            )
    return result


def _constraints(groups: Groups) -> np.ndarray:
    """F (n × q): centered indicators of all levels but the first, of every attribute."""
    parts = [np.eye(len(f.levels))[f.codes][:, 1:] for f in groups.factors]
    F = np.hstack(parts)
    return F - F.mean(axis=0)


def _clusters(k: Any, graph: Graph, F: np.ndarray) -> int:
    q = column_basis(F).shape[1]
    why = f"{graph.n} vertices" + (f", {q} taken by the constraints" if q else "")
    return whole("k", k, 2, graph.n - q, why)


def _repeats(n_init: Any, seed: Any) -> tuple[int, int]:
    return whole("n_init", n_init, 1, 10_000, "starts of k-means"), random_seed(seed)


def _plain(graph: Graph, groups: Groups | None, k: int, **options: Any) -> Partition:
    title = f"{'Normalized' if options['normalized'] else 'Unnormalized'} spectral clustering"
    return _cluster("spectral_clustering", title, graph, groups, np.empty((graph.n, 0)), k, **options)


def _cluster(
    method: str,
    title: str,
    graph: Graph,
    groups: Groups | None,
    F: np.ndarray,
    k: int,
    *,
    normalized: bool,
    n_init: int,
    seed: int,
    normalize_rows: bool,
) -> Partition:
    result: Embedding = embed(FORMS[normalized].of(graph), F, k, seed)
    means = rounded(result.H, k, n_init, seed, normalize_rows)
    notes = (*graph.notes, _of_starts(means.starts))
    if means.reached < k:
        notes = (*notes, f"Rows of the embedding coincide: {means.reached} clusters came out instead of {k}.")
    cuts = cuts_of(graph.weights, graph.degrees, means.codes, means.reached)
    tables = (
        ()
        if groups is None
        else tuple(
            Composition.of(name, factor, means.codes, means.reached)
            for name, factor in zip(groups.names, groups.factors, strict=True)
        )
    )
    return Partition(
        method=method,
        title=title,
        labels=means.codes + 1,
        nodes=[graph.given_names[i] for i in graph.rows] if graph.given_names else list(graph.names),
        rows=graph.rows,
        given=graph.given,
        edges=graph.edges,
        cuts=cuts,
        compositions=tables,
        embedding=result,
        inertia=means.inertia,
        settings={
            "k": k,
            "normalized": normalized,
            "n_init": n_init,
            "seed": seed,
            "normalize_rows": normalize_rows,
            "weight": graph.weight,
        },
        notes=notes,
    )
