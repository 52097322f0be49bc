"""Block Lanczos: the eigenpairs of a dense solver, repeated ones and restarts included, and no silent failure."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairstats.errors import NumericalError
from fairstats.linalg.eigen import Eigenpairs, largest_pairs, largest_pairs_singly


def found(values: np.ndarray, k: int, seed: int = 0, **options: float) -> tuple[np.ndarray, Eigenpairs]:
    """A matrix with the given spectrum, and its k largest eigenpairs by Lanczos."""
    rng = np.random.default_rng(seed)
    n = len(values)
    Q = np.linalg.qr(rng.standard_normal((n, n)))[0]
    A = (Q * values) @ Q.T
    A = 0.5 * (A + A.T)
    start = rng.standard_normal((n, min(k + 1, n)))
    return A, largest_pairs(lambda V: A @ V, start, k, float(np.abs(values).max()) or 1.0, **options)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 60), st.integers(1, 6), st.booleans())
def test_the_eigenpairs_are_those_of_a_dense_solver(seed: int, n: int, k: int, few: bool) -> None:
    """Random spectra, and such of few distinct values: every copy of a repeated eigenvalue is found."""
    rng = np.random.default_rng(seed)
    k = min(k, n)
    values = rng.choice([-1.0, 0.5, 2.0], n) if few else rng.standard_normal(n)
    A, pairs = found(values, k, seed)
    np.testing.assert_allclose(pairs.values, np.sort(values)[::-1][:k], atol=1e-9)
    np.testing.assert_allclose(pairs.vectors.T @ pairs.vectors, np.eye(k), atol=1e-10)
    residuals = np.linalg.norm(A @ pairs.vectors - pairs.vectors * pairs.values, axis=0)
    np.testing.assert_allclose(pairs.residuals, residuals, atol=1e-13)
    assert residuals.max() <= 1e-8 * np.abs(values).max()
    if n > k:
        assert pairs.following <= np.sort(values)[::-1][k] + 1e-9  # a Ritz value is a lower bound


def test_restarts_keep_what_was_found() -> None:
    """Eigenvalues that stand close together at the top of a wide spectrum need several cycles."""
    values = np.append(np.linspace(-1, 1, 597), [1.002, 1.004, 1.006])
    _, pairs = found(values, 3)
    assert pairs.restarts >= 1 and pairs.products > 100
    np.testing.assert_allclose(pairs.values, [1.006, 1.004, 1.002], atol=1e-12)


def test_what_does_not_converge_is_an_error_with_its_numbers() -> None:
    with pytest.raises(NumericalError, match=r"did not converge in \d+ matrix-vector products \(residuals up to"):
        found(np.linspace(0, 1, 400), 3, most=50)


def test_a_product_that_is_not_reproducible_is_noticed() -> None:
    """The residuals are taken from a product of their own: an operator that drifts cannot pass."""
    rng = np.random.default_rng(0)
    calls = [0]

    def drifting(V: np.ndarray) -> np.ndarray:
        calls[0] += 1
        return np.arange(80.0)[:, None] * V * (1 + 1e-3 * (calls[0] > 12))

    with pytest.raises(NumericalError):
        largest_pairs(drifting, rng.standard_normal((80, 4)), 3, 79.0)


def test_copies_of_a_repeated_eigenvalue_that_single_vectors_miss_are_found() -> None:
    """Three eigenvectors share the largest eigenvalue, and a start meets one combination (rounding, another)."""
    values = np.concatenate([[5.0, 5.0, 5.0, 4.5], np.linspace(1, 3, 300)])
    start = np.random.default_rng(0).standard_normal((len(values), 4))
    missed = largest_pairs(lambda V: values[:, None] * V, start[:, :1], 3, 5.0)
    assert missed.values[2] < 4.6
    found = largest_pairs_singly(lambda V: values[:, None] * V, start, 3, 5.0, tolerance=1e-10, flat=1e-9)
    np.testing.assert_allclose(found.values, 5.0, rtol=1e-12)


def test_the_next_eigenvalue_is_seen_from_below_and_few_products_are_taken() -> None:
    values = np.concatenate([[5.0, 4.9, 4.8], np.linspace(1, 4.0, 3000)])
    start = np.random.default_rng(0).standard_normal((len(values), 4))
    found = largest_pairs_singly(lambda V: values[:, None] * V, start, 3, 5.0, tolerance=1e-10, flat=1e-9)
    np.testing.assert_allclose(found.values, [5.0, 4.9, 4.8], rtol=1e-12)
    assert 3.9 < found.following <= 4.0 + 1e-12
    assert found.products < largest_pairs(lambda V: values[:, None] * V, start, 3, 5.0).products / 2


def test_an_operator_of_fewer_eigenvalues_than_are_wanted_is_left_to_blocks() -> None:
    values = np.repeat([2.0, 1.0], 50)
    start = np.random.default_rng(0).standard_normal((100, 4))
    found = largest_pairs_singly(lambda V: values[:, None] * V, start, 3, 2.0, tolerance=1e-10, flat=1e-9)
    np.testing.assert_allclose(found.values, 2.0, rtol=1e-12)
