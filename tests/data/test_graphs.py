"""Graphs from everything a user may have, and what is refused, in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.sparse import csgraph

import fairstats
from fairstats.errors import InputError

W = np.array([[0, 2.0, 0, 1], [2, 0, 0.5, 0], [0, 0.5, 0, 0], [1, 0, 0, 0]])
EDGES = {"from": ["a", "c", "a"], "to": ["b", "b", "d"], "weight": [2.0, 0.5, 1.0]}


def dense(graph: fairstats.Graph) -> np.ndarray:
    return graph.weights.toarray() if sparse.issparse(graph.weights) else graph.weights


def test_every_form_of_one_graph_is_the_same_graph() -> None:
    network = nx.Graph()
    network.add_nodes_from("abcd")
    network.add_weighted_edges_from(zip(*EDGES.values(), strict=True))
    renamed = pd.DataFrame(EDGES).rename(columns={"from": "u", "to": "v", "weight": "w"})[["w", "v", "u"]]
    forms = [
        fairstats.graph(W),
        fairstats.graph(sparse.csc_matrix(W)),
        fairstats.graph(sparse.coo_array(W)),
        fairstats.graph(network),
        fairstats.graph(EDGES),
        fairstats.graph(pl.DataFrame(EDGES)),
        fairstats.graph(renamed, source="u", target="v", weight="w"),
    ]
    for result in forms:
        np.testing.assert_array_equal(dense(result), W)
        assert result.degrees.tolist() == [3, 2.5, 0.5, 1] and result.edges == 3
    assert [sparse.issparse(result.weights) for result in forms] == [False] + [True] * 6
    assert forms[0].names == ("1", "2", "3", "4") and all(result.names == tuple("abcd") for result in forms[3:])


def test_the_table_of_vertices_decides_the_order_and_is_found_by_name() -> None:
    nodes = pd.DataFrame({"gender": list("fmfm"), "name": list("dcba")})
    result = fairstats.graph(EDGES, nodes=nodes, id="name")
    np.testing.assert_array_equal(dense(result), W[::-1, ::-1])
    network = nx.Graph()
    network.add_weighted_edges_from(zip(*EDGES.values(), strict=True))
    np.testing.assert_array_equal(dense(fairstats.graph(network, nodes=nodes, id="name")), W[::-1, ::-1])
    # 7 in one file and 7.0 in the other are one vertex.
    numbers = fairstats.graph({"i": [1, 7], "j": [7, 30]}, nodes={"id": [30.0, 7.0, 1.0], "g": ["x", "y", "y"]})
    assert numbers.names == ("30", "7", "1") and numbers.degrees.tolist() == [1, 2, 1]
    assert fairstats.graph({"i": [10, 9], "j": [9, 2]}).names == ("2", "9", "10")


def test_attributes_of_networkx_are_groups_by_name() -> None:
    fit = fairstats.spectral_clustering(nx.karate_club_graph(), "club", 2)
    assert fit.compositions[0].levels == ["Mr. Hi", "Officer"]


def test_groups_may_be_a_mapping_of_vertices_in_any_order() -> None:
    graph = nx.karate_club_graph()
    clubs = dict(reversed(nx.get_node_attributes(graph, "club").items()))
    fit = fairstats.spectral_clustering(graph, clubs, 2)
    by_name = fairstats.spectral_clustering(graph, "club", 2)
    np.testing.assert_array_equal(fit.compositions[0].counts, by_name.compositions[0].counts)
    with pytest.raises(InputError, match=r"missing for 1 vertices \(33\)"):
        fairstats.spectral_clustering(graph, {v: club for v, club in clubs.items() if v != 33}, 2)
    with pytest.raises(InputError, match="35 values and graph 34 vertices"):
        fairstats.spectral_clustering(graph, clubs | {"elsewhere": "Officer"}, 2)
    with pytest.raises(InputError, match="groups has 10 labels for 34 vertices; give one a vertex"):
        fairstats.fair_spectral_clustering(graph, ["a"] * 10, 2)


def test_a_column_of_numbers_that_no_weight_was_taken_from_is_named() -> None:
    pairs = {"i": [1, 2, 1], "j": [2, 3, 3], "friends": [1, 1, 2]}
    every = fairstats.graph(pairs)
    assert (
        every.edges == 3
        and "Each link weighs 1; not used: friends. If it holds weights, pass weight='friends'" in str(every)
    )
    friends = fairstats.graph(pairs, weight="friends")
    assert friends.degrees.sum() == 8 and "not used" not in str(friends)
    assert "not used" not in str(fairstats.graph(pairs | {"friends": ["since 1999"] * 3}))


def test_without_weights_every_form_of_a_graph_has_links_of_weight_1() -> None:
    network = nx.karate_club_graph()
    expected = nx.to_numpy_array(network, weight=None)
    weighted = nx.to_numpy_array(network)
    edges = nx.to_pandas_edgelist(network)
    several = nx.MultiGraph(network)
    several.add_edge(0, 1, weight=7)
    nothing = nx.Graph(network)
    nothing.edges[0, 1]["weight"] = 0.0
    for data in (network, several, nothing, weighted, sparse.csr_array(weighted), edges, fairstats.graph(network)):
        result = fairstats.graph(data, weight=None)
        np.testing.assert_array_equal(dense(result), expected)
        assert result.weight is None and "links without weights; degrees from 1 to 17" in str(result)
    for data in (network, edges):
        result = fairstats.graph(data)
        np.testing.assert_array_equal(dense(result), weighted)
        assert "links weighted by weight, 231 in all" in str(result)
    assert "\nweighted links, 231 in all" in str(fairstats.graph(weighted)) and weighted.max() > 1
    clubs = nx.get_node_attributes(network, "club")
    fit = fairstats.fair_spectral_clustering(fairstats.graph(network, weight=None), clubs, 2)
    sides = [{v for v, c in zip(fit.nodes, fit.labels, strict=True) if c == side} for side in (1, 2)]
    cut = nx.cut_size(network, *sides)
    assert fit.ncut == pytest.approx(sum(cut / nx.volume(network, side) for side in sides))


def test_a_mistyped_edge_attribute_is_refused_and_a_partial_one_is_said() -> None:
    network = nx.karate_club_graph()
    with pytest.raises(InputError, match=r"weight='wieght' is not an attribute.*mean 'weight'\? They have 'weight'"):
        fairstats.graph(network, weight="wieght")
    with pytest.raises(InputError, match=r"weight='strength' is not an attribute of the edges of .*; they have none"):
        fairstats.graph(nx.path_graph(3), weight="strength")
    del network.edges[0, 1]["weight"]
    part = fairstats.graph(network)
    np.testing.assert_array_equal(dense(part), nx.to_numpy_array(network))
    assert "1 of 78 links have no weight and weigh 1, as in networkx." in str(part)
    nx.set_edge_attributes(network, 2.0, "strength")
    for edge in network.edges:
        network.edges[edge].pop("weight", None)
    named = fairstats.graph(network)
    assert named.degrees.max() == 17 and "not used: strength. If it holds weights, pass weight='strength'" in str(named)
    assert fairstats.graph(network, weight="strength").degrees.max() == 34
    network.edges[0, 1]["strength"] = "much"
    with pytest.raises(InputError, match="weight='strength' holds what is no number"):
        fairstats.graph(network, weight="strength")


def test_clusters_are_of_the_vertices_that_networkx_has(tmp_path: Path) -> None:
    network = nx.disjoint_union(nx.karate_club_graph(), nx.empty_graph(2))
    for graph in (network, nx.relabel_nodes(network, {0: "a", 1: (2, "b")})):
        fit = fairstats.spectral_clustering(graph, k=2, component="largest")
        assert dict(zip(fit.nodes, fit.labels, strict=True)).keys() == set(graph) - {34, 35}
        assert fit.augment()["vertex"].tolist() == fit.nodes
        assert fairstats.load(fit.save(tmp_path / "fit.npz", overwrite=True)).nodes == fit.nodes
    nodes = pd.DataFrame({"id": range(35, -1, -1)})
    turned = fairstats.spectral_clustering(network, k=2, nodes=nodes, component="largest")
    assert turned.nodes == list(range(33, -1, -1))
    other = nx.relabel_nodes(nx.path_graph(3), {0: frozenset("a")})  # no file holds a set
    assert fairstats.spectral_clustering(other, k=2).nodes == ["frozenset({'a'})", 1, 2]


@pytest.mark.parametrize("friends", [[1, 1, 0], [True, True, False], [0.5, 0.0, np.nan]])
def test_zeros_in_a_column_that_is_not_named_as_weight_are_no_links_unseen(friends: list[float]) -> None:
    pairs = {"i": [1, 2, 1], "j": [2, 3, 3], "year": [2001, 2002, 2003], "friends": friends}
    with pytest.raises(
        InputError,
        match=r"'friends' of graph has 1 rows of 0.*pass weight='friends' or call the column.*link, pass weight=None",
    ):
        fairstats.graph(pairs)
    unweighted = fairstats.graph(pairs, weight=None)  # as networkx reads a table of pairs
    assert unweighted.edges == 3 and unweighted.degrees.tolist() == [2, 2, 2] and "not used" not in str(unweighted)
    assert fairstats.graph(pairs, weight="year").edges == 3
    if friends[-1] == friends[-1]:
        assert fairstats.graph(pairs, weight="friends").edges == 2


def test_what_is_listed_twice_counts_once_and_loops_are_left_out_and_said() -> None:
    result = fairstats.graph({"i": [1, 2, 2, 3, 3], "j": [2, 1, 3, 2, 3]})
    assert result.edges == 2 and result.degrees.tolist() == [1, 2, 1]
    assert "2 edges were listed again" in result.summary() and "1 loops" in result.summary()
    for matrix in (np.ones((3, 3)), sparse.csr_array(np.ones((3, 3)))):
        kept = matrix.copy()
        looped = fairstats.graph(matrix)
        assert looped.edges == 3 and "3 loops" in looped.notes[0]
        assert (kept - matrix).sum() == 0  # the caller's matrix is left as it was


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 60))
def test_components_are_those_of_scipy_by_size(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.random((n, n)) < 0.8 / n, 1)
    weights = (upper | upper.T).astype(float)
    count, expected = csgraph.connected_components(weights)
    for matrix in (weights, sparse.csr_array(weights)):
        result = fairstats.graph(matrix)
        assert len(result.component_sizes) == count and (np.diff(result.component_sizes) <= 0).all()
        assert len({*zip(result.components.tolist(), expected.tolist(), strict=True)}) == count
        largest = fairstats.graph(matrix, component="largest")
        assert largest.n == result.component_sizes[0] and len(largest.component_sizes) == 1
        np.testing.assert_array_equal(dense(largest), weights[np.ix_(largest.rows, largest.rows)])


def test_neighbors_are_those_of_brute_force(rng: np.random.Generator) -> None:
    X = rng.standard_normal((40, 3)) * [1, 10, 100]
    for scale in (False, True):
        result = fairstats.kneighbors_graph(X, 4, scale=scale)
        Y = X / X.std(axis=0, ddof=1) if scale else X
        gaps = ((Y[:, None] - Y) ** 2).sum(axis=2)
        np.fill_diagonal(gaps, np.inf)
        near = np.zeros((40, 40), dtype=bool)
        near[np.arange(40)[:, None], np.argsort(gaps, axis=1)[:, :4]] = True
        np.testing.assert_array_equal(dense(result), (near | near.T).astype(float))
    table = pd.DataFrame(X, columns=list("abc")).assign(g=["f", "m"] * 20)
    fit = fairstats.fair_spectral_clustering(
        fairstats.kneighbors_graph(table, 8, scale=True, component="largest"), "g", 3
    )
    assert fit.embedding.holds and fit.compositions[0].attribute == "g"


@pytest.mark.parametrize("mutual", [False, True])
@pytest.mark.parametrize("scale", [False, True])
def test_weighted_and_mutual_neighbors_are_those_of_brute_force(
    rng: np.random.Generator, mutual: bool, scale: bool
) -> None:
    X = rng.standard_normal((50, 3)) * [1, 2, 5] + 1e6
    Y = X / X.std(axis=0, ddof=1) if scale else X
    length = np.sqrt(((Y[:, None] - Y) ** 2).sum(axis=2))
    order = np.argsort(length + np.diag(np.full(50, np.inf)), axis=1)[:, :4]
    near = np.zeros((50, 50), dtype=bool)
    near[np.arange(50)[:, None], order] = True
    both = near & near.T if mutual else near | near.T
    result = fairstats.kneighbors_graph(X, 4, scale=scale, mutual=mutual)
    np.testing.assert_array_equal(dense(result), both.astype(float))
    width = length[np.arange(50), order[:, -1]].mean()
    wanted = np.where(both, np.exp(-(length**2) / (2 * width**2)), 0.0)
    heavy = fairstats.kneighbors_graph(X, 4, scale=scale, mutual=mutual, weights="gaussian")
    np.testing.assert_allclose(dense(heavy), wanted, atol=1e-6)
    np.testing.assert_array_equal(dense(heavy), dense(heavy).T)
    other = fairstats.kneighbors_graph(X * 1e3, 4, scale=scale, mutual=mutual, weights="gaussian")
    np.testing.assert_allclose(dense(other), dense(heavy), atol=1e-6)  # no unit


def test_rows_that_coincide_are_neighbors_of_weight_1() -> None:
    result = fairstats.kneighbors_graph([[1.0]] * 3 + [[2.0]] * 3, 2, weights="gaussian")
    np.testing.assert_array_equal(dense(result), np.kron(np.eye(2), np.ones((3, 3)) - np.eye(3)))
    some = fairstats.kneighbors_graph([[1.0], [1.0], [2.0], [4.0]], 2, weights="gaussian")
    assert dense(some)[0, 1] == 1.0
    with pytest.raises(InputError, match="weights has 'cosine'"):
        fairstats.kneighbors_graph([[1.0], [2.0]], 1, weights="cosine")


BAD: list[tuple[Any, dict[str, Any], str]] = [
    (EDGES, {"nodes": {"id": ["a", "b", "d"]}}, r"nodes lacks 1 of the vertices that the edges name \(c\).*now 'id'"),
    (
        {"i": [0, 1], "j": [1, 2]},
        {"nodes": {"id": [7, 8, 9]}},
        "nodes lacks 3 .* rows of nodes, counted from 0, give nodes",
    ),
    (EDGES, {"nodes": {"id": list("abcda")}}, r"several rows for the same vertex \(a\)"),
    (EDGES, {"nodes": {"id": ["a", "b", None, "c", "d"]}}, r"vertices without a name \(row 3\)"),
    (EDGES, {"source": "form"}, r"source='form' is not a column of graph; did you mean 'from'"),
    (EDGES, {"weight": "to"}, r"weight='to' holds text \("),
    ({"i": ["a", None], "j": ["b", "c"]}, {}, r"source='i' has 1 missing values \(row 2 of graph\)"),
    (
        {"i": ["a", "b"], "j": ["b", "a"], "weight": [1, 2]},
        {},
        r"with another weight, for example a and b with 1 and 2",
    ),
    ({"i": ["a"], "j": ["b"], "weight": [-1.0]}, {}, r"1 negative weight \(between vertices a and b\)"),
    ({"i": ["a"], "j": ["b"], "weight": [np.nan]}, {}, r"1 missing or infinite weight \(between vertices a and b"),
    ({"i": ["a"]}, {}, r"data has the one column 'i'"),
    (W, {"nodes": {"g": ["a", "b"]}}, r"nodes has 2 rows and graph 4 vertices"),
    (nx.DiGraph([(1, 2)]), {}, r"data is directed.*to_undirected"),
    (nx.Graph(), {}, r"data has no vertices"),
    (nx.Graph([("a", "b")]), {"nodes": {"id": ["a", "c"]}}, r"nodes lacks b; graph lacks c"),
    ("edges.csv", {}, r"data holds values that are not numbers"),
    (np.ones(3), {}, r"data has 1 dimension"),
]


@pytest.mark.parametrize(("data", "options", "message"), BAD)
def test_bad_graphs_are_named_with_the_way_out(data: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        fairstats.graph(data, **options)


@pytest.mark.parametrize(
    ("X", "options", "message"),
    [
        ([[1.0], [np.nan], [2.0]], {"n_neighbors": 1}, r"X has missing or infinite values \(row 2"),
        ([[1.0], [2.0]], {"n_neighbors": 2}, r"n_neighbors has 2; it"),
        ([[1.0, 5.0], [2.0, 5.0], [3.0, 5.0]], {"n_neighbors": 1, "scale": True}, r"constant columns \(2\)"),
        ({"g": ["a", "b"]}, {"n_neighbors": 1}, r"X has no column of numbers"),
    ],
)
def test_bad_features_are_named(X: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        fairstats.kneighbors_graph(X, **options)


def test_an_error_is_renamed_by_its_argument_not_by_a_word_of_its_text() -> None:
    import pickle

    from fairstats.errors import InputError, OutOfRange
    from fairstats.validation import renamed_arguments, whole

    with pytest.raises(OutOfRange) as caught, renamed_arguments(inner="outer"), renamed_arguments(k="inner"):
        whole("k", 9, low=1, high=3)
    assert str(caught.value) == "outer has 9; it can be 1 to 3 here."
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.argument, again.most) == (str(caught.value), "outer", 3)
    with pytest.raises(InputError, match=r"^groups of people\.$"), renamed_arguments(groups="sensitive_features"):
        raise InputError("groups of people.")  # a text that begins with the word, of which it is no argument
    with (
        pytest.raises(InputError, match=r"^sensitive_features='sex' has"),
        renamed_arguments(groups="sensitive_features"),
    ):
        raise InputError("groups", "has one level.", value="sex")


def test_a_table_of_points_is_answered_with_the_graph_of_neighbors():
    points = pd.DataFrame(np.random.default_rng(0).normal(size=(40, 2)), columns=["x", "y"])
    for make in (fairstats.graph, lambda data: fairstats.fair_spectral_clustering(data, ["a", "b"] * 20, 2)):
        with pytest.raises(InputError, match=r"of points make a graph first: fairstats.kneighbors_graph\(X\)"):
            make(points)
    assert (
        fairstats.graph(points.round().astype(int).assign(y=lambda t: t["y"] + 9)).n > 2
    )  # whole numbers name vertices
