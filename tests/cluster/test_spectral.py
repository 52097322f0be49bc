"""Fair spectral clustering: its optimum against a dense solver in the null space, its guarantees, its bad input."""

from __future__ import annotations

import html
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import linalg, sparse

import fairstats
from fairstats.errors import FairstatsWarning, InputError


def random_graph(rng: np.random.Generator, n: int, density: float = 0.3) -> np.ndarray:
    upper = np.triu(rng.random((n, n)) * (rng.random((n, n)) < density), 1)
    ring = np.zeros((n, n))
    ring[np.arange(n), (np.arange(n) + 1) % n] = 0.5
    return upper + upper.T + ring + ring.T


def smallest_in_null_space(W: np.ndarray, F: np.ndarray, k: int, normalized: bool) -> np.ndarray:
    """The authors' way: an explicit basis of the null space of Fᵀ and a dense (generalized) eigenproblem."""
    D = np.diag(W.sum(axis=1))
    Z = linalg.null_space(F.T)
    metric = Z.T @ D @ Z if normalized else None
    return linalg.eigh(Z.T @ (D - W) @ Z, metric, eigvals_only=True)[:k]


def centered(labels: np.ndarray) -> np.ndarray:
    F = (labels[:, None] == np.unique(labels)).astype(float)
    return F - F.mean(axis=0)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.integers(8, 40), st.integers(2, 4), st.booleans(), st.booleans())
def test_the_optimum_is_that_of_a_dense_solver_in_the_null_space(
    seed: int, n: int, levels: int, normalized: bool, thin: bool
) -> None:
    rng = np.random.default_rng(seed)
    W = random_graph(rng, n)
    groups = np.append(np.arange(levels), rng.integers(0, levels, n - levels))
    k = int(rng.integers(2, n - levels + 2))
    fit = fairstats.fair_spectral_clustering(
        sparse.csr_matrix(W) if thin else W, groups, k, normalized=normalized, compare_unconstrained=False, n_init=1
    )
    expected = smallest_in_null_space(W, centered(groups), k, normalized)
    np.testing.assert_allclose(fit.eigenvalues, expected, atol=1e-9)
    H, D, L = fit.embedding.H, np.diag(W.sum(axis=1)), np.diag(W.sum(axis=1)) - W
    np.testing.assert_allclose(H.T @ (D if normalized else np.eye(n)) @ H, np.eye(k), atol=1e-9)
    np.testing.assert_allclose(np.trace(H.T @ L @ H), fit.embedding.objective, atol=1e-9)
    assert np.abs(centered(groups).T @ H).max() < 1e-10 and fit.embedding.constraints == levels - 1


def test_several_attributes_are_stacked_and_dependent_ones_count_once(rng: np.random.Generator) -> None:
    W = random_graph(rng, 60)
    a, b = rng.integers(0, 2, 60), rng.integers(0, 3, 60)
    fit = fairstats.fair_spectral_clustering(W, {"a": a, "b": b, "a again": 1 - a}, 4)
    assert fit.embedding.constraints == 3
    assert [c.attribute for c in fit.compositions] == ["a", "b", "a again"]
    F = np.hstack([centered(a), centered(b)])
    assert np.abs(F.T @ fit.embedding.H).max() < 1e-12
    np.testing.assert_allclose(fit.eigenvalues, smallest_in_null_space(W, F, 4, True), atol=1e-10)
    assert np.abs(F.T @ fit.plain.embedding.H).max() > 1e-3  # without the constraint they differ


def test_constrained_eigenvalues_interlace_the_plain_ones(rng: np.random.Generator) -> None:
    """Cauchy: λ_j ≤ fair λ_j ≤ λ_(j+q) for q constraints."""
    W = random_graph(rng, 50)
    groups = rng.integers(0, 3, 50)
    for normalized in (True, False):
        fair = fairstats.fair_spectral_clustering(
            W, groups, 5, normalized=normalized, compare_unconstrained=False
        ).eigenvalues
        plain = fairstats.spectral_clustering(W, k=7, normalized=normalized).eigenvalues
        assert (plain[:5] <= fair + 1e-10).all() and (fair <= plain[2:] + 1e-10).all()


def test_repeated_eigenvalues_are_all_found() -> None:
    """Twelve cliques that hang together loosely and alike: an eigenvalue of multiplicity 11."""
    W = np.kron(np.eye(12), np.ones((5, 5))) + 0.01
    np.fill_diagonal(W, 0.0)
    fit = fairstats.spectral_clustering(W, k=12)
    np.testing.assert_allclose(np.diff(fit.eigenvalues[1:]), 0, atol=1e-12)
    assert fit.error(np.repeat(np.arange(12), 5)) == 0 and fit.embedding.gaps[-1] > 0.5


def test_the_answer_does_not_depend_on_order_storage_or_scale(rng: np.random.Generator) -> None:
    result = fairstats.simulate.sbm(200, 3, 2, (0.6, 0.3, 0.2, 0.05), seed=3)
    W, groups = result.weights, result.table["group"]
    base = fairstats.fair_spectral_clustering(W, groups, 3)
    turn = rng.permutation(200)
    moved = fairstats.fair_spectral_clustering(W[turn][:, turn], groups[turn], 3)
    np.testing.assert_allclose(moved.eigenvalues, base.eigenvalues, atol=1e-10)
    assert moved.error(base.labels[turn]) == 0
    dense = fairstats.fair_spectral_clustering(W.toarray() * 7.0, groups, 3)
    np.testing.assert_allclose(dense.eigenvalues, base.eigenvalues, atol=1e-10)
    assert dense.error(base.labels) == 0


@pytest.mark.parametrize("normalized", [True, False])
def test_a_whole_float_is_a_number_of_clusters_and_the_seed_decides_everything(
    rng: np.random.Generator, normalized: bool
) -> None:
    W, groups = random_graph(rng, 40), rng.integers(0, 2, 40)
    one, two = (fairstats.fair_spectral_clustering(W, groups, 3.0, normalized=normalized, seed=5) for _ in range(2))
    assert (one.labels == two.labels).all() and (one.embedding.H == two.embedding.H).all()
    assert one.labels.min() == 1 and (np.diff(one.cuts.sizes) <= 0).all()


BAD: list[tuple[Any, dict[str, Any], str]] = [
    (
        [[0, 1, 0], [0, 0, 1], [0, 1, 0]],
        {},
        r"not symmetric: 1 pairs .* weight 1 from 1 to 2 and 0 back.*Wᵀ\)/2",
    ),
    ([[0, -1, 0], [-1, 0, 1], [0, 1, 0]], {}, r"2 negative weights \(between vertices 1 and 2, 2 and 1\)"),
    ([[0, np.nan, 0], [np.nan, 0, 1], [0, 1, 0]], {}, r"2 missing or infinite weights \(between vertices 1 and 2"),
    ([[0, 1, 0], [1, 0, 0], [0, 0, 0]], {}, r"1 isolated vertex \(3\).*component=.largest..*normalized=False"),
    ([[0, 1, 0], [1, 0, 1]], {}, r"graph is 2 × 3.*kneighbors_graph"),
    ([[0, 1, 1], [1, 0, 1], [1, 1, 0]], {"k": 3}, r"k has 3; it can be 2 to 2 here \(3 vertices, 1 taken"),
    ([[0, 1, 1], [1, 0, 1], [1, 1, 0]], {"k": 1}, r"k has 1; it"),
    ([[0, 1, 1], [1, 0, 1], [1, 1, 0]], {"groups": ["a", "b"]}, r"groups has 2 values and graph 3 vertices"),
    ([[0, 1, 1], [1, 0, 1], [1, 1, 0]], {"groups": ["a", "a", "a"]}, r"has 1 level \(a\).*at least two groups"),
    ([[0, 1, 1], [1, 0, 1], [1, 1, 0]], {"groups": ["a", None, "b"]}, r"missing for 1 vertices \(2\).*missing=.level."),
    ([[0, 1, 1], [1, 0, 1], [1, 1, 0]], {"component": "biggest"}, r"component has 'biggest'; the choices are"),
    ([[0, 1, 1], [1, 0, 1], [1, 1, 0]], {"groups": fairstats.continuous([1.0, 2.0, 3.0])}, r"continuous attribute"),
    ([[0, 1, 1], [1, 0, 1], [1, 1, 0]], {"n_init": 0}, r"n_init has 0; it"),
    ([[0, 1, 1], [1, 0, 1], [1, 1, 0]], {"missing": "drop"}, r"missing has 'drop'; the choices are"),
    (np.zeros((4, 4)), {}, r"graph has 4 vertices and no edge"),
    ([[0, "x"], ["x", 0]], {}, r"graph holds values that are not numbers"),
]


@pytest.mark.parametrize("thin", [False, True])
@pytest.mark.parametrize(("W", "options", "message"), BAD)
def test_bad_input_is_named_with_the_way_out(W: Any, options: dict[str, Any], message: str, thin: bool) -> None:
    if thin and isinstance(W[0][1], str):
        pytest.skip("a sparse matrix cannot hold text")
    arguments = {"groups": ["a", "b", "a"], "k": 2, **options}
    with pytest.raises(InputError, match=message):
        fairstats.fair_spectral_clustering(sparse.csr_matrix(np.array(W, dtype=float)) if thin else W, **arguments)


def test_a_disconnected_graph_is_a_warning_with_sizes_and_the_largest_part_is_a_word_away() -> None:
    W = linalg.block_diag(np.ones((6, 6)), np.ones((3, 3)), np.ones((2, 2))) - np.eye(11)
    W[4:6, :2] = W[:2, 4:6] = 0.1
    groups = ["a", "b"] * 5 + ["a"]
    with pytest.warns(FairstatsWarning, match=r"3 connected components \(sizes 6, 3, 2\).*component='largest'"):
        whole = fairstats.fair_spectral_clustering(W, groups, 3)
    assert whole.error([1] * 6 + [2] * 3 + [3] * 2) <= 1 / 11
    part = fairstats.fair_spectral_clustering(sparse.csr_array(W), groups, 2, component="largest")
    assert part.n == 6 and part.given == 11 and "5 of 11 vertices" in part.notes[0]
    table = part.augment(pd.DataFrame({"g": groups}, index=range(11, 0, -1)))
    assert table[".cluster"].isna().sum() == 5 and table[".cluster"].iloc[0] == part.labels[0]


def test_isolated_vertices_do_for_the_unnormalized_form() -> None:
    W = np.zeros((5, 5))
    W[:4, :4] = 1 - np.eye(4)
    with pytest.warns(FairstatsWarning, match=r"2 connected components \(sizes 4, 1\)"):
        fit = fairstats.spectral_clustering(W, k=2, normalized=False)
    assert fit.labels.tolist() == [1, 1, 1, 1, 2] and fit.ratio_cut == 0 and np.isnan(fit.ncut)
    assert "nan" not in fit.summary() and " –" in fit.summary()


def test_a_constraint_that_does_not_hold_is_warned_of_at_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    from fairstats.cluster.embedding import Embedding

    W = np.kron(np.eye(2), np.ones((4, 4))) + 0.1
    np.fill_diagonal(W, 0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fairstats.fair_spectral_clustering(W, ["f", "m"] * 4, k=2)
    monkeypatch.setattr(Embedding, "holds", property(lambda self: False))
    with pytest.warns(
        FairstatsWarning, match=r"fair_spectral_clustering: a guarantee does not hold .* \|F'H\|: "
    ) as caught:
        result = fairstats.fair_spectral_clustering(W, ["f", "m"] * 4, k=2)
    assert caught[0].filename == __file__ and "DOES NOT HOLD" in result.summary()


def test_rows_of_unit_length_are_those_that_k_means_sees() -> None:
    from fairstats.cluster.spectral import rounded

    rng = np.random.default_rng(1)
    W = np.triu((rng.random((40, 40)) < 0.3) * rng.uniform(0.1, 9, (40, 40)), 1)
    W = W + W.T + 0.01 * (1 - np.eye(40))
    g = ["f", "m"] * 20
    fit = fairstats.fair_spectral_clustering(W, g, k=3, normalize_rows=True)
    H = fit.embedding.H
    want = rounded(H / np.linalg.norm(H, axis=1)[:, None], 3, 10, 0)
    assert fit.labels.tolist() == (want.codes + 1).tolist() and fit.settings["normalize_rows"] is True
    assert fit.plain is not None and fit.plain.settings["normalize_rows"] is True
    np.testing.assert_allclose(fit.embedding.H, fairstats.fair_spectral_clustering(W, g, k=3).embedding.H)


def test_a_clustering_begins_with_the_sentence_of_its_report_and_says_where_one_cluster_has_nearly_all() -> None:
    rng = np.random.default_rng(0)
    W = np.triu(rng.random((60, 60)) < 0.3, 1).astype(float)
    W[:, 57:] = 0  # three vertices on a string
    W[[0, 57, 58], [57, 58, 59]] = 1
    W += W.T
    club = np.where(np.arange(60) % 3 == 0, "chess", "rowing")
    result = fairstats.fair_spectral_clustering(W, {"club": club}, 2, normalized=False)
    share = 100 * max(np.bincount(result.labels)) / 60
    text = " ".join(result.summary().split())
    assert share > 90 and text.count("rests on few.") == 1
    assert "normalize_rows=True or balance=0.8" in text
    report = fairstats.report(result).html
    sentence = text.split("Fair unnormalized spectral clustering ")[1].split(" Whether chance alone")[0]
    assert sentence.startswith(f"Cluster 1 has {share:.1f}% of all members: ") and sentence in " ".join(
        html.unescape(report).split()
    )
    german = fairstats.report(result, language="de").html
    assert "aller Mitglieder: Was über" in german and "Andere Cluster" in german
    plain = fairstats.spectral_clustering(W, k=2, normalized=False, normalize_rows=True)
    largest = 100 * max(np.bincount(plain.labels)) / 60
    few = "Cluster 1 has" in plain.summary()
    assert few == (largest >= 90) and not any("balance" in note for note in plain.notes)
    table = result.augment()
    assert list(table.columns) == ["vertex", ".cluster"] and table[".cluster"].tolist() == result.labels.tolist()
    for method in (fairstats.fair_spectral_clustering, fairstats.spectral_clustering):
        with pytest.raises(InputError, match=rf"groups has 2, a number; .*{method.__name__}\(graph, groups, k\)"):
            method(W, 2, club)
    figure = result.plot("clusters").figure
    figure.dpi = 300
    figure.draw_without_rendering()
    assert min(label.get_window_extent().x0 for label in figure.axes[0].get_yticklabels()) >= 0
