"""What a partition says: cuts and tables against R's and networkx' words, the verbs, the text at 80 columns."""

from __future__ import annotations

import json

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest

import fairstats
from fairstats.cluster.embedding import Composition, cuts_of
from fairstats.cluster.partition import misclassified
from fairstats.cluster.spectral import rounded
from fairstats.data.tables import factor
from fairstats.errors import InputError
from fairstats.estimates import GLOSSARY
from fairstats.reporting.sections.other import composition_table
from tests.oracle.r import requires_r, run_r


@pytest.fixture(scope="module")
def club() -> fairstats.Partition:
    """Zachary's karate club, which networkx ships, by the club that each member joined."""
    return fairstats.fair_spectral_clustering(nx.karate_club_graph(), "club", 2)


def test_cuts_are_those_of_networkx(club: fairstats.Partition) -> None:
    graph = nx.karate_club_graph()
    sides = [{i for i, label in enumerate(club.labels) if label == c} for c in (1, 2)]
    cut = nx.cut_size(graph, *sides, weight="weight")
    np.testing.assert_allclose(club.cuts.cuts, cut)
    volumes = [nx.volume(graph, side, weight="weight") for side in sides]
    np.testing.assert_allclose(club.ncut, sum(cut / volume for volume in volumes))
    np.testing.assert_allclose(club.ratio_cut, sum(cut / len(side) for side in sides))


def test_the_constraint_evens_out_the_clubs(club: fairstats.Partition) -> None:
    """The karate club split along its two halves: plain clusters are the clubs, constrained ones hold both."""
    assert club.plain is not None
    assert club.plain.compositions[0].cramers_v > 0.8
    assert club.compositions[0].cramers_v < 0.5
    assert club.compositions[0].mean_balance > 5 * club.plain.compositions[0].mean_balance


def test_residuals_and_v_are_those_of_r() -> None:
    requires_r()
    codes = np.array([0] * 30 + [1] * 25 + [2] * 12)
    groups = np.array(["a", "b", "b", "c"])[(np.arange(67) * 7) % 4]
    table = Composition.of("g", factor(groups), codes, 3)
    result = run_r(
        "t <- matrix(unlist(input$counts), 3); x <- suppressWarnings(chisq.test(t, correct = FALSE))\n"
        "c(x$stdres, sqrt(x$statistic / (sum(t) * 2)))",
        {"counts": table.counts.T.ravel().tolist()},
    )
    theirs = np.array(result)
    np.testing.assert_allclose(table.residuals.T.ravel(), theirs[:-1], rtol=1e-10)
    np.testing.assert_allclose(table.cramers_v, theirs[-1], rtol=1e-10)


def test_balance_is_the_smallest_ratio_of_two_groups() -> None:
    table = Composition("g", ["a", "b", "c"], np.array([[4, 2, 8], [5, 5, 5], [3, 0, 1]]))
    assert table.balance.tolist() == [0.25, 1.0, 0.0]
    assert (table.mean_balance, table.smallest_balance) == (1.25 / 3, 0.0)
    # No partition's smallest balance exceeds that of all vertices together.
    rng = np.random.default_rng(0)
    for _ in range(50):
        other = Composition("g", ["a", "b"], rng.integers(1, 20, (4, 2)))
        assert other.smallest_balance <= other.overall_balance + 1e-12


def test_dense_and_sparse_cuts_agree(rng: np.random.Generator) -> None:
    from scipy import sparse

    W = rng.random((30, 30))
    W = W + W.T
    np.fill_diagonal(W, 0)
    codes = rng.integers(0, 4, 30)
    one, two = (cuts_of(matrix, W.sum(axis=1), codes, 4) for matrix in (W, sparse.csr_array(W)))
    expected = [W[np.ix_(codes == c, codes != c)].sum() for c in range(4)]
    for result in (one, two):
        np.testing.assert_allclose(result.cuts, expected)


def test_the_best_matching_is_found_by_assignment() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 9, 500)
    assert misclassified((truth + 4) % 9, truth) == 0
    assert misclassified(np.where(np.arange(500) < 50, -1, truth), truth) == pytest.approx(0.1)
    assert misclassified(np.zeros(4), [0, 1, 2, 3]) == 0.75


def test_k_means_improves_by_single_moves(rng: np.random.Generator) -> None:
    """Never above scikit-learn's best of the same number of starts, by more than rounding, over many inputs."""
    from sklearn.cluster import KMeans

    better = 0
    for seed in range(10):
        X = rng.standard_normal((80, 3))
        ours = rounded(X, 8, 5, seed)
        theirs = KMeans(8, n_init=5, random_state=seed).fit(X).inertia_
        centers = np.array([X[ours.codes == c].mean(axis=0) for c in range(8)])
        np.testing.assert_allclose(ours.inertia, ((X - centers[ours.codes]) ** 2).sum(), rtol=1e-10)
        better += ours.inertia < theirs * (1 - 1e-9)
    assert better >= 7


def test_coinciding_rows_give_fewer_clusters_and_a_note() -> None:
    result = rounded(np.repeat([[0.0], [1.0]], 5, axis=0), 3, 4, 0)
    assert result.reached == 2 and result.inertia == 0


def test_every_verb_answers(club: fairstats.Partition) -> None:
    frame = club.tidy()
    assert list(frame) == list(GLOSSARY)
    assert frame["p_value"].isna().all()  # vertices are dependent and the labels come from the graph
    price = frame[frame["contrast"] == "difference"]
    assert set(price["metric"]) == {"RatioCut", "NCut", "tr(H'LH)", "mean balance", "smallest balance", "Cramer's V"}
    np.testing.assert_allclose(price[price.metric == "NCut"].estimate, club.ncut - club.plain.ncut)
    assert (price[price.metric == "tr(H'LH)"].estimate >= -1e-12).all()
    shares = frame[frame["metric"] == "share of cluster"]
    np.testing.assert_allclose(shares.events / shares.n, shares.estimate)
    assert len(club.glance()) == 1 and club.glance()["k"][0] == 2
    written = json.loads(json.dumps(club.to_dict()))
    assert written["schema"] == "fairstats/partition/1" and written["plain"]["method"] == "spectral_clustering"
    assert written["nodes"][0] == "0" and len(written["labels"]) == 34


def test_the_summary_fits_a_terminal_and_says_what_holds(club: fairstats.Partition) -> None:
    text = club.summary()
    assert max(map(len, text.splitlines())) <= 80
    for wording in (
        "34 vertices, 78 edges, 2 clusters",
        "club (Mr. Hi, Officer)",
        "holds",
        "Cramér's V",
        "residuals up to",
    ):
        assert wording in text
    one_line = " ".join(text.split())
    balance, overall = min(club.compositions[0].balance), club.compositions[0].overall_balance
    assert f"club {balance:.3f} in the least balanced cluster, {overall:.3f} in the graph" in one_line
    assert "holds, for the embedding. It does not bind the clusters" in one_line
    assert "plain" not in fairstats.spectral_clustering(nx.karate_club_graph(), "club", 3).summary()


def test_augment_returns_the_kind_of_table_it_was_given(club: fairstats.Partition) -> None:
    plain = {"name": [str(i) for i in range(34)]}
    for table in (pd.DataFrame(plain), pl.DataFrame(plain)):
        result = club.augment(table)
        assert type(result) is type(table) and result[".cluster"].to_list() == club.labels.tolist()
    with pytest.raises(InputError, match="data has 3 rows and the graph 34 vertices"):
        club.augment({"a": [1, 2, 3]})


def test_error_needs_a_label_a_vertex(club: fairstats.Partition) -> None:
    with pytest.raises(InputError, match="truth has 3 labels and the partition 34 vertices"):
        club.error([1, 2, 3])


def test_the_table_of_a_report_has_the_largest_groups() -> None:
    graph = nx.connected_caveman_graph(4, 15)
    groups = [("zzzzzzzzzaaaacd" if v < 30 else "zzzzzzzzzbbbbef")[v % 15] for v in graph]  # as many z in each clique
    partition = fairstats.fair_spectral_clustering(graph, groups, 2)
    table = composition_table(partition, 0, most_levels=4)
    assert "'z'" in str(table.headings)
