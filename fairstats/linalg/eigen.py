"""Top-k eigenpairs of a symmetric matrix, and the sign and rank conventions of the package."""

from __future__ import annotations

import numpy as np
from scipy import linalg

EPS = float(np.finfo(float).eps)


def top_eigen(C: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the k algebraically largest eigenpairs of a symmetric p × p matrix, largest first, signs fixed.

    Parameters
    ----------
    C : array (p, p)
    k : int

    Returns
    -------
    values : array (k,)
    vectors : array (p, k), orthonormal columns

    Examples
    --------
    >>> top_eigen(np.diag([1.0, 3.0, 2.0]), 2)[0].tolist()
    [3.0, 2.0]
    """
    p = len(C)
    C, order = _graded(C)
    try:
        values, vectors = linalg.eigh(C, subset_by_index=(p - k, p - 1), driver="evr", check_finite=False)
    except np.linalg.LinAlgError:
        values = np.empty(0)
    if len(values) < k:  # LAPACK's search among equal values may find none, or say so (scipy issue 13913)
        values, vectors = linalg.eigh(C, driver="evd", check_finite=False)
        values, vectors = values[p - k :], vectors[:, p - k :]
    if order is not None:  # the solver's values are good to the largest of them, those of the vectors to themselves
        values = np.einsum("pk,pk->k", vectors, C @ vectors)
        vectors[order] = vectors.copy()
    return values[::-1], fix_signs(vectors[:, ::-1])


def top_values(C: np.ndarray, k: int) -> np.ndarray:
    """Return the k algebraically largest eigenvalues of a symmetric matrix, largest first."""
    p = len(C)
    C, _ = _graded(C)
    try:
        values = linalg.eigh(C, eigvals_only=True, subset_by_index=(p - k, p - 1), driver="evr", check_finite=False)
    except np.linalg.LinAlgError:
        values = np.empty(0)
    if len(values) < k:  # as in top_eigen
        values = linalg.eigh(C, eigvals_only=True, driver="evd", check_finite=False)[p - k :]
    return values[::-1]


def _graded(C: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    """C with its coordinates from large to small, and their order; C itself where they are of like size.

    Reduction to tridiagonal form starts with the first coordinate. Where that is the largest, the small ones keep
    their own relative precision (Barlow & Demmel 1990); where it is met later, its rounding drowns them.
    """
    size = np.abs(np.diag(C))
    if not graded(C) or (size[:-1] >= size[1:]).all():
        return C, None
    order = np.argsort(-size, kind="stable")
    return C[np.ix_(order, order)], order


def graded(C: np.ndarray) -> bool:
    """Test whether the diagonal of a symmetric matrix spans more than four digits."""
    size = np.abs(np.diag(C))
    return bool(size.max() > 1e4 * size.min())


def fix_signs(U: np.ndarray) -> np.ndarray:
    """Return columns with their largest absolute entry positive; of entries equal to rounding, the first decides."""
    size = np.abs(U)
    sign = np.sign(U[np.argmax(size >= (1 - 1e-9) * size.max(axis=0), axis=0), np.arange(U.shape[1])])
    return U * np.where(sign == 0, 1.0, sign)


def pseudo_solve(R: np.ndarray, A: np.ndarray) -> np.ndarray:
    """Return R⁺A for a positive semi-definite matrix R (p × p), whose rank is judged against rounding of its values.

    Examples
    --------
    >>> pseudo_solve(np.diag([4.0, 0.0]), np.ones((2, 1))).tolist()
    [[0.25], [0.0]]
    """
    p = len(R)
    if p >= 100:
        # Cholesky's factor where the rank is full beyond doubt: the estimated condition is good to a factor of ten.
        factor, failed = linalg.lapack.dpotrf(R, lower=1, clean=0)
        if not failed:
            rcond, _ = linalg.lapack.dpocon(factor, float(np.abs(R).sum(axis=0).max()), uplo="L")
            if rcond > 1e3 * p * EPS:
                return np.asarray(linalg.lapack.dpotrs(factor, A, lower=1)[0])
    values, V = np.linalg.eigh(R)
    kept = values > p * EPS * max(values[-1], 0.0)
    V, values = V[:, kept], values[kept]
    return np.asarray(V @ ((V.T @ A) / values[:, None]))


def well_conditioned(R: np.ndarray, most: float) -> bool:
    """Return whether the condition of a positive semi-definite matrix (p × p) is at most that; zeros do not count.

    Examples
    --------
    >>> well_conditioned(np.diag([1.0, 1e-3, 0.0]), 1e6), well_conditioned(np.ones((2, 2)), 1e6)
    (True, False)
    """
    varies = np.diag(R) > 0
    R = R[np.ix_(varies, varies)] if not varies.all() else R
    if not len(R):
        return True
    factor, failed = linalg.lapack.dpotrf(R, lower=1, clean=0)
    if failed:
        return False
    rcond, _ = linalg.lapack.dpocon(factor, float(np.abs(R).sum(axis=0).max()), uplo="L")
    if rcond * most > 10:  # good to a factor of ten
        return True
    values = np.linalg.eigvalsh(R)
    return bool(values[-1] <= most * values[0])


def independent_columns(gram: np.ndarray, tolerance: float = 1e-10) -> tuple[int, ...]:
    """Return indices of the columns that are not combinations of earlier ones, from their Gram matrix.

    A column counts when what earlier ones leave of its squared length exceeds ``tolerance`` of it.
    """
    kept: list[int] = []
    for j in range(len(gram)):
        rest = gram[j, j]
        if kept:
            inner = gram[np.ix_(kept, kept)]
            rest -= gram[j, kept] @ np.linalg.solve(inner, gram[kept, j])
        if rest > tolerance * max(gram[j, j], np.finfo(float).tiny):
            kept.append(j)
    return tuple(kept)


def complement(Q: np.ndarray) -> np.ndarray:
    """Return an orthonormal basis (p × (p − r)) of what is orthogonal to the columns of Q (p × r, orthonormal)."""
    r = Q.shape[1]
    return linalg.qr(Q, mode="full", check_finite=False)[0][:, r:]


def column_space(A: np.ndarray, scale: float) -> np.ndarray:
    """Return an orthonormal basis of the columns of A, with singular values judged against ``scale``.

    ``scale`` is the natural size of the product that A is: for XᵀZ it is ‖X‖‖Z‖. A rule relative to A's own largest
    singular value would keep rounding noise when A is zero in exact arithmetic.
    """
    U, s, _ = np.linalg.svd(A, full_matrices=False)
    return U[:, s > 64 * EPS * max(scale, np.finfo(float).tiny)]
