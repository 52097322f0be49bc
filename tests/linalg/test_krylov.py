"""The truncated SVD equals the full one, on spectra that decay and that do not."""

from __future__ import annotations

import numpy as np
import pytest

from fairstats.linalg.eigen import column_space, complement, independent_columns, top_eigen
from fairstats.linalg.krylov import truncated_svd


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
