"""Leading eigenpairs: Lanczos equals the dense solver; a subspace that is taken out stays out."""

from __future__ import annotations

import numpy as np
import pytest

from fairstats.linalg.eigen import pseudo_solve, top_eigen, top_values, truncated_svd
from fairstats.linalg.subspace import LowRank, Reduced, Spectrum, leading_pairs, moved, top_outside


def covariance(p: int, decay: float, seed: int = 0) -> np.ndarray:
    axes = np.linalg.qr(np.random.default_rng(seed).standard_normal((p, p)))[0]
    return (axes * np.arange(1, p + 1.0) ** -decay) @ axes.T


@pytest.mark.long
@pytest.mark.parametrize("decay", [2.0, 0.5, 0.0], ids=["decaying", "slow", "flat: dense solver takes over"])
def test_lanczos_pairs_are_eigenpairs_and_the_largest(decay: float) -> None:
    C = covariance(900, decay)
    values, U = leading_pairs(C, 3)
    np.testing.assert_allclose(values, np.linalg.eigvalsh(C)[::-1][:3], rtol=1e-12)
    np.testing.assert_allclose(C @ U, U * values, atol=1e-11 * values[0])
    np.testing.assert_allclose(U.T @ U, np.eye(3), atol=1e-13)


def test_a_repeated_eigenvalue_is_found_as_often_as_it_occurs() -> None:
    values = np.concatenate([[5.0, 5.0, 5.0, 5.0], 0.5 ** np.arange(896.0)])
    axes = np.linalg.qr(np.random.default_rng(1).standard_normal((900, 900)))[0]
    result, _ = leading_pairs((axes * values) @ axes.T, 6)
    np.testing.assert_allclose(result, [5, 5, 5, 5, 1, 0.5], rtol=1e-12)


def test_a_matrix_of_lower_rank_than_k_yields_its_rank_and_orthonormal_vectors() -> None:
    axes = np.linalg.qr(np.random.default_rng(4).standard_normal((900, 3)))[0]
    values, U = leading_pairs((axes * [3.0, 2.0, 1.0]) @ axes.T, 5)
    np.testing.assert_allclose(values, [3, 2, 1, 0, 0], atol=1e-13)
    np.testing.assert_allclose(U.T @ U, np.eye(5), atol=1e-13)
    assert leading_pairs(np.zeros((900, 900)), 2)[0].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("p", [12, 900])
def test_outside_equals_an_explicit_complement(p: int) -> None:
    C = covariance(p, 1.5)
    Q = np.linalg.qr(np.random.default_rng(2).standard_normal((p, 2)))[0]
    R = np.linalg.svd(Q)[0][:, 2:]
    values, U = top_outside(C, 3, Q)
    np.testing.assert_allclose(values, np.linalg.eigvalsh(R.T @ C @ R)[::-1][:3], rtol=1e-11)
    assert np.abs(Q.T @ U).max() < 1e-14
    np.testing.assert_allclose(U.T @ C @ U, np.diag(values), atol=1e-11 * values[0])


def test_a_rank_deficient_matrix_does_not_let_the_subspace_back_in() -> None:
    C, Q = np.diag([1.0, 0.0, 0.0, 0.0]), np.eye(4)[:, :1]
    values, U = top_outside(C, 3, Q)
    assert np.abs(values).max() == 0.0
    assert np.abs(Q.T @ U).max() < 1e-15  # plain (I − QQᵀ)C(I − QQᵀ) is 0, and any direction an eigenvector of it
    np.testing.assert_allclose(U.T @ U, np.eye(3), atol=1e-15)


def test_moved_keeps_the_compression_and_sets_the_value() -> None:
    C = covariance(6, 1.0)
    Q = np.linalg.qr(np.random.default_rng(3).standard_normal((6, 2)))[0]
    P = np.eye(6) - Q @ Q.T
    np.testing.assert_allclose(moved(C, Q, 7.0), P @ C @ P + 7.0 * Q @ Q.T, atol=1e-14)


@pytest.mark.parametrize("k", [3, 6])
def test_lanczos_of_a_matrix_of_lower_rank_stays_orthonormal(k: int) -> None:
    """The last block of the Krylov space is part rounding: kept, it pointed back into the basis."""
    rng = np.random.default_rng(5)
    A = rng.standard_normal((40, 13)) @ (rng.standard_normal((13, 90)) * 0.9 ** np.arange(90))
    s, U = truncated_svd(lambda V: A @ V, lambda S: A.T @ S, A.shape, k)
    np.testing.assert_allclose(s, np.linalg.svd(A)[1][:k], rtol=1e-10)
    np.testing.assert_allclose(U.T @ U, np.eye(k), atol=1e-13)
    np.testing.assert_allclose(A.T @ (A @ U), U * s**2, atol=1e-8 * s[0] ** 2)


@pytest.mark.parametrize("n", [20, 30, 50, 100, 200])
@pytest.mark.parametrize("k", [1, 2, 5])
def test_equal_eigenvalues_are_all_found(n: int, k: int) -> None:
    """LAPACK finds none of them in some such matrices when asked for a part, or ends in an internal error."""
    z = np.tile([1.0, -1.0], n // 2) / np.sqrt(n)
    centered = np.eye(n) - 1 / n
    out = centered @ z
    C = centered - np.outer(out, out)
    values, U = top_eigen(C, k)
    np.testing.assert_allclose(values, np.ones(k), rtol=1e-12)
    np.testing.assert_allclose(top_values(C, k), np.ones(k), rtol=1e-12)
    np.testing.assert_allclose(U.T @ U, np.eye(k), atol=1e-12)
    np.testing.assert_allclose(C @ U, U, atol=1e-12)
    np.testing.assert_allclose(Reduced(C).leading(k)[0], np.ones(k), rtol=1e-12)
    assert Reduced(C).energy(k) == pytest.approx(k, rel=1e-12)


FLAT = {"linear": np.linspace(3, 0.3, 800) ** 2, "equal": np.ones(800), "pairs": np.repeat(np.linspace(2, 1, 400), 2)}


@pytest.mark.long
@pytest.mark.parametrize("values", FLAT.values(), ids=FLAT)
def test_one_reduction_answers_for_all_leading_spaces_of_a_flat_spectrum(values: np.ndarray) -> None:
    rng = np.random.default_rng(6)
    axes = np.linalg.qr(rng.standard_normal((800, 800)))[0]
    C = (axes * values) @ axes.T
    C = 0.5 * (C + C.T)
    # Directions at random, and one that is an eigenvector of the largest value: what is left repeats values of C.
    Q = np.linalg.qr(np.hstack([rng.standard_normal((800, 1)), axes[:, :1]]))[0]
    L = C @ axes[:, 1:3] * [0.9, 0.5]
    P = np.eye(800) - Q @ Q.T
    present = Spectrum(C)
    for (result, U), M in (
        (present.leading(4), C),
        (present.outside(4, Q), P @ C @ P),
        (present.less(4, L), C - L @ L.T),
    ):
        np.testing.assert_allclose(result, np.linalg.eigvalsh(M)[::-1][:4], rtol=1e-12)
        np.testing.assert_allclose(M @ U, U * result, atol=1e-11)
        np.testing.assert_allclose(U.T @ U, np.eye(4), atol=1e-13)
    assert np.abs(Q.T @ present.outside(4, Q)[1]).max() < 1e-14
    np.testing.assert_allclose(present.energy(4), np.linalg.eigvalsh(C)[-4:].sum(), rtol=1e-12)


def test_signs_count_the_eigenvalues_above_a_number() -> None:
    rng = np.random.default_rng(7)
    C = covariance(30, 0.3)
    N = np.linalg.qr(rng.standard_normal((30, 3)))[0]
    present, P = Reduced(C), np.eye(30) - N @ N.T
    T, turned = present.turned(C, "T"), present.turned(N, "T")
    np.testing.assert_allclose(present.turned(T.T, "T"), np.triu(np.tril(present.turned(T.T, "T"), 1), -1), atol=1e-14)
    for whole, M in ((True, P @ C @ P), (False, C - N @ N.T)):
        values = np.linalg.eigvalsh(M)
        for s in (*rng.uniform(0.4, 1.0, 12), values[-1] + 1e-9, values[-1] - 1e-9):
            assert present.above(s, LowRank(turned, whole)) == (values > s).sum()


@pytest.mark.parametrize("condition", [1e2, 1e10, np.inf], ids=["well", "poorly", "not"])
def test_equations_of_any_rank_have_the_least_solution(condition: float) -> None:
    rng = np.random.default_rng(8)
    axes = np.linalg.qr(rng.standard_normal((150, 150)))[0]
    values = np.r_[np.geomspace(1.0, 0.1, 149), 1 / condition]
    R, A = (axes * values) @ axes.T, axes[:, :149] @ rng.standard_normal((149, 2))
    expected = axes[:, :149] @ ((axes[:, :149].T @ A) / values[:149, None])
    np.testing.assert_allclose(
        pseudo_solve(R, A), expected, atol=1e-12 + (1e-14 * condition if condition < np.inf else 0.0)
    )
