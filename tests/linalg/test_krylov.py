"""The truncated SVD equals the full one, on spectra that decay and that do not."""

from __future__ import annotations

import numpy as np
import pytest

from fairstats.linalg.eigen import column_space, complement, independent_columns, top_eigen, truncated_svd
from fairstats.linalg.subspace import leading_pairs


@pytest.mark.parametrize(("shape", "decay"), [((60, 200), 0.9), ((200, 60), 0.99), ((40, 90), 1.0), ((5, 30), 0.5)])
def test_truncated_svd_is_the_leading_part_of_the_full_one(rng: np.random.Generator, shape, decay: float) -> None:
    r = min(shape)
    U, V = (np.linalg.qr(rng.standard_normal((m, r)))[0] for m in shape)
    A = U * decay ** np.arange(r) @ V.T + 1e-3 * rng.standard_normal(shape)
    k = min(5, r)
    values, vectors = truncated_svd(lambda W: A @ W, lambda W: A.T @ W, shape, k)
    _, s, _full = np.linalg.svd(A)
    np.testing.assert_allclose(values, s[:k], rtol=1e-9)
    assert np.linalg.norm(vectors.T @ vectors - np.eye(k)) < 1e-10
    gap = np.linalg.norm(A @ vectors) ** 2
    assert gap == pytest.approx(np.sum(s[:k] ** 2), rel=1e-12)


def test_eigenvectors_have_their_largest_entry_positive(rng: np.random.Generator) -> None:
    A = rng.standard_normal((9, 9))
    values, U = top_eigen(A @ A.T, 4)
    assert (U[np.argmax(np.abs(U), axis=0), np.arange(4)] > 0).all()
    np.testing.assert_allclose(values, np.linalg.eigvalsh(A @ A.T)[::-1][:4], rtol=1e-10)


def test_columns_that_repeat_are_not_independent(rng: np.random.Generator) -> None:
    Z = rng.standard_normal((50, 3))
    Z = np.column_stack([Z[:, 0], 2 * Z[:, 0], Z[:, 1], Z[:, 0] - Z[:, 1], Z[:, 2]])
    assert independent_columns(Z.T @ Z) == (0, 2, 4)


def test_the_column_space_of_rounding_noise_is_empty(rng: np.random.Generator) -> None:
    assert column_space(1e-17 * rng.standard_normal((5, 2)), 1.0).shape == (5, 0)
    Q = column_space(rng.standard_normal((5, 2)), 1.0)
    np.testing.assert_allclose(complement(Q).T @ Q, 0, atol=1e-14)


def one_of_many_orders(rng: np.random.Generator, n: int, p: int, size: float, along: str) -> np.ndarray:
    """Rows with a few directions of their own, and one more that is ``size`` times as long."""
    X = rng.standard_normal((n, p)) + rng.standard_normal((n, 3)) @ rng.standard_normal((3, p))
    if along == "column":
        X[:, p // 3] = size * rng.standard_normal(n)
    else:
        X += size * np.outer(rng.standard_normal(n), rng.standard_normal(p) / np.sqrt(p))
    return X - X.mean(axis=0)


@pytest.mark.parametrize("along", ["column", "direction"])
@pytest.mark.parametrize("size", [1e3, 1e6, 1e9])
@pytest.mark.parametrize("shape", [(80, 200), (200, 80)])
def test_a_direction_that_dominates_takes_nothing_from_the_next_ones(
    rng: np.random.Generator, shape: tuple[int, int], size: float, along: str
) -> None:
    A = one_of_many_orders(rng, *shape, size, along)
    values, vectors = truncated_svd(lambda W: A @ W, lambda W: A.T @ W, shape, 4)
    _, s, right = np.linalg.svd(A, full_matrices=False)
    rounding = 1e3 * np.finfo(float).eps * s[0] / s[3]
    np.testing.assert_allclose(values, s[:4], rtol=max(rounding, 1e-10))
    assert np.abs(np.abs(np.sum(vectors * right[:4].T, axis=0)) - 1).max() < max(rounding, 1e-8)


@pytest.mark.long
@pytest.mark.parametrize("size", [1e3, 1e5, 1e7])
@pytest.mark.parametrize("p", [60, 850])
def test_a_column_that_dominates_takes_nothing_from_the_next_components(
    rng: np.random.Generator, p: int, size: float
) -> None:
    A = one_of_many_orders(rng, p + 150, p, size, "column")
    values, U = leading_pairs(A.T @ A, 4)
    _, s, right = np.linalg.svd(A, full_matrices=False)
    np.testing.assert_allclose(np.sqrt(values), s[:4], rtol=1e-9)
    assert np.abs(np.abs(np.sum(U * right[:4].T, axis=0)) - 1).max() < 1e-9


def test_beyond_the_rank_values_are_0_and_vectors_stay_orthonormal(rng: np.random.Generator) -> None:
    A = rng.standard_normal((9, 2)) @ rng.standard_normal((2, 30))
    for B in (A, 0 * A):
        values, V = truncated_svd(lambda W: B @ W, lambda W: B.T @ W, A.shape, 4)  # noqa: B023
        assert np.abs(values[2:]).max() <= 1e-12 * values[0]
        np.testing.assert_allclose(V.T @ V, np.eye(4), atol=1e-12)
