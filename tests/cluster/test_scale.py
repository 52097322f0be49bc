"""Large and sparse: nothing dense is made of a sparse graph, and LastFM's six countries are balanced."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fairstats


@pytest.mark.long
@pytest.mark.parametrize("normalized", [True, False])
def test_a_sparse_graph_stays_sparse(normalized: bool) -> None:
    """20 000 vertices: n² floats are 3.2 GB; a thirtieth of that is never reached."""
    result = fairstats.simulate.sbm(20_000, 3, 2, np.array([60.0, 20.0, 20.0, 2.0]) / 20_000, seed=0)
    fairstats.spectral_clustering(np.ones((3, 3)) - np.eye(3), k=2, n_init=1)  # imports count for nobody
    tracemalloc.start()
    fit = fairstats.fair_spectral_clustering(
        result, "group", 3, normalized=normalized, compare_unconstrained=False, n_init=1
    )
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 * result.n**2 / 30 and fit.embedding.holds
    assert fit.embedding.residuals.max() <= 1e-9


def test_a_dense_graph_is_not_copied() -> None:
    result = fairstats.simulate.sbm(1500, 3, 2, seed=0)
    W = result.weights.toarray()
    tracemalloc.start()
    fit = fairstats.fair_spectral_clustering(W, result.table["group"], 3, n_init=1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 0.75 * W.nbytes and fit.embedding.holds


@pytest.mark.parametrize("normalized", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_lastfm_has_five_constraints_for_six_countries(shared: Path, normalized: bool) -> None:
    edges = pd.read_csv(shared / "data" / "lastfm_clean_edges.csv")
    nodes = pd.read_csv(shared / "data" / "lastfm_clean_countries.csv")
    nodes.insert(0, "node", range(len(nodes)))
    fit = fairstats.fair_spectral_clustering(
        edges,
        "country",
        5,
        nodes=nodes,
        component="largest",
        normalized=normalized,
        compare_unconstrained=False,
        n_init=2,
    )
    assert (fit.n, fit.given, fit.embedding.constraints) == (5576, 5713, 5)
    Z = np.eye(6)[np.unique(nodes["country"].to_numpy()[fit.rows], return_inverse=True)[1]]
    assert np.abs((Z - Z.mean(axis=0)).T @ fit.embedding.H).max() < 1e-8
    assert fit.embedding.violation < 1e-8
