"""Fair PCA-S: equal means exactly, covariances alike as far as l directions allow, against explicit algebra."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import linalg

import fairstats
from fairstats.errors import InputError
from tests.methods.test_fair_pca import indicators, projector, relative_gap, sample


def explicit(X: np.ndarray, attributes: list[np.ndarray], k: int, l: int) -> np.ndarray:  # noqa: E741
    """The definition, with an explicit null space and squared differences throughout."""
    Xc = X - X.mean(axis=0)
    R = linalg.null_space(indicators(*attributes).T @ Xc, rcond=1e-9)
    M = 0
    for g in attributes:
        sizes = np.bincount(g) / len(g)
        S = [np.cov(Xc[g == level].T) for level in range(len(sizes))]
        mean = sum(pi * s for pi, s in zip(sizes, S, strict=True))
        M = M + sum(pi * (R.T @ (s - mean) @ R) @ (R.T @ (s - mean) @ R) for pi, s in zip(sizes, S, strict=True))
    N = R @ np.linalg.eigh(M)[1][:, :l]
    return N @ np.linalg.eigh(N.T @ Xc.T @ Xc @ N)[1][:, ::-1][:, :k]


@pytest.mark.parametrize("levels", [2, 4])
@pytest.mark.parametrize("l", [2, 3, 4])
def test_equals_the_definition_for_two_groups_and_for_more(levels: int, l: int) -> None:  # noqa: E741
    X, g = sample(levels=levels)
    fit = fairstats.fair_pca(X, g, k=2, equalize="covariance", directions=l)
    np.testing.assert_allclose(projector(fit.loadings), projector(explicit(X, [g], 2, l)), atol=1e-7)
    assert relative_gap(fit.transform(X), indicators(g)) < 1e-12


def test_several_attributes_are_summed(rng: np.random.Generator) -> None:
    X, g = sample(1)
    h = rng.integers(0, 3, len(X))
    X = X * (1 + 0.5 * (h == 2)[:, None])
    fit = fairstats.fair_pca(X, {"g": g, "h": h}, k=2, equalize="covariance", directions=3)
    np.testing.assert_allclose(projector(fit.loadings), projector(explicit(X, [g, h], 2, 3)), atol=1e-7)


@given(st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_with_all_directions_it_is_fair_pca(seed: int) -> None:
    X, g = sample(seed)
    every = fairstats.fair_pca(X, g, k=3, equalize="covariance", directions=6)
    np.testing.assert_allclose(projector(every.loadings), projector(fairstats.fair_pca(X, g, k=3).loadings), atol=1e-8)


def test_with_as_many_directions_as_components_the_difference_is_their_largest_eigenvalue() -> None:
    X, g = sample(2)
    fit = fairstats.fair_pca(X, g, k=2, equalize="covariance", directions=2)
    Xc = X - X.mean(axis=0)
    R = linalg.null_space(indicators(g).T @ Xc, rcond=1e-9)
    D = np.cov(Xc[g == 1].T) - np.cov(Xc[g == 0].T)
    sizes = np.sort(np.abs(np.linalg.eigvalsh(R.T @ D @ R)))
    np.testing.assert_allclose(fit.diagnostics["covariance_difference"], sizes[1], rtol=1e-8)
    assert fit.diagnostics["covariance_difference"] < fit.diagnostics["pca_covariance_difference"]


def test_fewer_directions_explain_less() -> None:
    X, g = sample(3)
    errors = [fairstats.fair_pca(X, g, k=2, equalize="covariance", directions=l).error for l in (2, 3, 4, 5, 6)]  # noqa: E741
    assert errors[-1] >= fairstats.fair_pca(X, g, k=2).error * (1 - 1e-12)
    assert errors[0] > errors[-1]


@pytest.mark.parametrize(("fraction", "count"), [(0.5, 3), (0.85, 5), (0.4286, 3)])
def test_a_fraction_of_p_is_rounded_down(fraction: float, count: int) -> None:
    X, g = sample(4)
    a, b = (fairstats.fair_pca(X, g, k=2, equalize="covariance", directions=l) for l in (fraction, count))  # noqa: E741
    assert a.diagnostics["directions"] == count
    np.testing.assert_array_equal(a.loadings, b.loadings)


def test_a_fraction_is_of_the_number_that_it_reads() -> None:
    rng = np.random.default_rng(0)
    X, g = rng.standard_normal((250, 100)), np.arange(250) % 2
    assert (
        fairstats.fair_pca(X, g, k=2, equalize="covariance", directions=0.29).diagnostics["directions"] == 29
    )  # 0.29 × 100 < 29 in binary


def test_moments_of_chunks_give_the_whole_fit_and_scaling_is_the_same() -> None:
    X, g = sample(5, levels=3)
    whole = fairstats.fair_pca(X, g, k=2, scale=True, equalize="covariance", directions=4)
    parts = fairstats.Moments.of(X[:70], g[:70]) + fairstats.Moments.of(X[70:], g[70:])
    merged = fairstats.fair_pca(parts, k=2, scale=True, equalize="covariance", directions=4)
    np.testing.assert_allclose(projector(merged.loadings), projector(whole.loadings), atol=1e-9)
    Y = (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)
    np.testing.assert_allclose(projector(whole.loadings), projector(explicit(Y, [g], 2, 4)), atol=1e-7)


def test_null_directions_that_come_first_are_said_to_be_empty() -> None:
    X, g = sample(6, p=4)
    X = X @ np.random.default_rng(1).standard_normal((4, 9))
    fit = fairstats.fair_pca(X, g, k=2, equalize="covariance", directions=4)
    assert "no variation" in " ".join(fit.notes)
    assert fit.guarantees[0].holds


def test_a_continuous_attribute_is_refused(rng: np.random.Generator) -> None:
    X, _ = sample()
    with pytest.raises(InputError, match=r"age is continuous; cut it"):
        fairstats.fair_pca(
            X, fairstats.continuous(rng.uniform(size=len(X)), "age"), k=2, equalize="covariance", directions=4
        )


def test_summary_reports_the_covariance_difference_beside_pcas() -> None:
    X, g = sample()
    text = " ".join(fairstats.fair_pca(X, g, k=2, equalize="covariance", directions=4).summary().split())
    assert "covariances of the scores differ" in text and "PCA" in text
    assert "within the 4 eigenvectors of their differences whose eigenvalues are smallest in size; in other" in text


def test_a_direction_between_eigenvalues_of_both_signs_differs_less_than_the_one_that_is_kept() -> None:
    rng, g = np.random.default_rng(1), np.arange(2000) % 2
    spread = np.where(g[:, None] == 1, [2, 1, 1.3, 1], [1, 2, 1, 1])
    X = np.column_stack([rng.standard_normal((2000, 4)) * spread, rng.standard_normal(2000) + g])
    fit = fairstats.fair_pca(X, g, k=1, equalize="covariance", directions=1)
    R = linalg.null_space((X[g == 1].mean(axis=0) - X[g == 0].mean(axis=0))[None])
    values, V = np.linalg.eigh(R.T @ (np.cov(X[g == 1].T) - np.cov(X[g == 0].T)) @ R)
    mixed = R @ (np.sqrt(values[-1]) * V[:, 0] + np.sqrt(-values[0]) * V[:, -1])
    scores = X @ mixed / np.linalg.norm(mixed)
    assert abs(scores[g == 1].mean() - scores[g == 0].mean()) < 1e-9
    assert (
        abs(scores[g == 1].var(ddof=1) - scores[g == 0].var(ddof=1)) < 1e-9 < fit.diagnostics["covariance_difference"]
    )


def test_directions_that_only_rounding_tells_apart_are_said_so(rng: np.random.Generator) -> None:
    X, g = sample(levels=2)
    assert "equal up to rounding" not in fairstats.fair_pca(X, g, k=2, equalize="covariance", directions=3).notes[0]
    X = X * np.where(np.arange(X.shape[1]) == 0, 1e9, 1.0)
    assert "equal up to rounding" in fairstats.fair_pca(X, g, k=2, equalize="covariance", directions=3).notes[0]
    assert (
        "equal up to rounding"
        not in fairstats.fair_pca(X, g, k=2, equalize="covariance", directions=3, scale=True).notes[0]
    )


@pytest.mark.parametrize("l", [3, 17, 19, 30, 38])
def test_more_features_than_rows_give_what_the_matrix_of_all_features_gives(l: int) -> None:  # noqa: E741
    """Directions in which the rows do not vary come first; with 16 of them, 17 leave one that the rows know."""
    rng = np.random.default_rng(2)
    g = np.arange(24) % 2
    X = rng.standard_normal((24, 40)) * np.where((g == 1)[:, None], np.linspace(3, 0.3, 40), 1.0)
    ours = fairstats.fair_pca(X, g, k=3, equalize="covariance", directions=l)
    theirs = fairstats.fair_pca(fairstats.Moments.of(X, g), k=3, equalize="covariance", directions=l)
    np.testing.assert_allclose(ours.energy, theirs.energy, atol=1e-10 * ours.total)
    Xc = X - X.mean(axis=0)
    np.testing.assert_allclose(Xc @ projector(ours.loadings), Xc @ projector(theirs.loadings), atol=1e-7)
    np.testing.assert_allclose(ours.loadings.T @ ours.loadings, np.eye(3), atol=1e-12)
    for what in ("covariance_difference", "pca_covariance_difference"):
        assert ours.diagnostics[what] == pytest.approx(theirs.diagnostics[what], abs=1e-9)
    assert ours.guarantees[0].holds and ours.pca_error == pytest.approx(theirs.pca_error)
    assert ("no variation" in " ".join(ours.notes)) == (l < 20)
