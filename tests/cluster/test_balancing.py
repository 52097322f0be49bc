"""Balance after rounding: reached where it can be, at a cut no worse than that of moves without a plan."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import fairstats
from fairstats.cluster.balancing import balanced, lacking
from fairstats.cluster.embedding import cuts_of
from fairstats.errors import InputError


def karate() -> tuple[fairstats.Graph, list[str]]:
    networkx = pytest.importorskip("networkx")
    G = networkx.karate_club_graph()
    return fairstats.graph(networkx.to_numpy_array(G, weight=None)), ["a" if v % 3 else "b" for v in G]


@pytest.mark.parametrize("k", [2, 3, 4])
@pytest.mark.parametrize("balance", [0.5, 0.8, 1.0])
def test_every_cluster_reaches_the_declared_balance_or_a_note_says_not(k: int, balance: float) -> None:
    graph, groups = karate()
    fit = fairstats.fair_spectral_clustering(graph, groups, k, balance=balance)
    plain = fairstats.fair_spectral_clustering(graph, groups, k)
    table = fit.compositions[0]
    wanted = np.ceil(balance * table.overall_balance * table.counts.max(axis=1) - 1e-9)
    short = any("No further move" in note for note in fit.notes)
    assert (table.counts.min(axis=1) >= wanted).all() != short
    assert table.counts.sum() == graph.n and (np.diff(table.counts.sum(axis=1)) <= 0).all()
    assert table.smallest_balance >= plain.compositions[0].smallest_balance - 1e-12
    assert any("vertices were moved after k-means" in note for note in fit.notes)


def test_clusters_that_are_out_of_balance_name_the_setting_that_moves_vertices() -> None:
    """Named just where it would move any, which the moves themselves tell."""
    graph, groups = karate()
    found = set()
    for k in (2, 3, 4):
        plain = fairstats.fair_spectral_clustering(graph, groups, k)
        moved = fairstats.fair_spectral_clustering(graph, groups, k, balance=0.8)
        named = any("With balance=0.8 vertices are moved until every cluster" in note for note in plain.notes)
        assert named == (plain.compositions[0].smallest_balance < 0.8 * plain.compositions[0].overall_balance)
        assert named or (plain.labels == moved.labels).all()
        assert not any("With balance" in note for note in moved.notes)
        found.add(named)
    assert True in found


@pytest.mark.parametrize("seed", range(6))
def test_the_cut_is_near_the_best_of_all_balanced_partitions_of_small_graphs(seed: int) -> None:
    """Brute force: ten vertices, every partition into two clusters that is balanced and of the sizes that came out."""
    rng = np.random.default_rng(seed)
    W = np.triu(rng.random((10, 10)) < 0.5, 1).astype(float)
    W += W.T
    levels, codes = np.arange(10) % 2, (np.arange(10) >= 5).astype(int)
    levels[:5] = 0
    levels[5:] = 1
    result = balanced(W, codes, levels, 1.0)
    assert result.reached
    cut = cuts_of(W, W.sum(axis=1), result.codes, 2).cuts.sum()
    every = [np.array(c) for c in itertools.product([0, 1], repeat=10) if 0 < sum(c) < 10]
    sizes = np.bincount(result.codes)
    fair = [
        c
        for c in every
        if (np.bincount(c) == sizes).all()
        and not lacking(np.array([[np.sum((c == d) & (levels == s)) for s in (0, 1)] for d in (0, 1)]), 1.0).any()
    ]
    cuts = [cuts_of(W, W.sum(axis=1), c, 2).cuts.sum() for c in fair]
    assert min(cuts) <= cut <= np.median(cuts)


def test_a_balance_out_of_range_or_of_two_attributes_is_refused() -> None:
    graph, groups = karate()
    with pytest.raises(InputError, match="balance"):
        fairstats.fair_spectral_clustering(graph, groups, 2, balance=1.5)
    with pytest.raises(InputError, match="balance goes with one attribute"):
        fairstats.fair_spectral_clustering(graph, {"a": groups, "b": groups[::-1]}, 2, balance=0.5)
