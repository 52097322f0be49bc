"""Leading eigenvectors, also within the complement of a given subspace, which is never formed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fairstats.linalg.eigen import EPS, fix_signs, graded, top_eigen
from fairstats.linalg.krylov import next_block
from fairstats.linalg.reduced import Reduced

LARGE = 800  # features, below which the dense solver is at least as fast as any other
TOLERANCE = 1e-12


class Spectrum:
    """A positive semi-definite matrix of which several leading spaces are asked, reduced once where it is flat.

    Each answer is that of ``leading_pairs`` or ``top_outside``. A spectrum that decays yields it after a few products;
    one that does not costs p³, which this pays for all answers together.

    Examples
    --------
    >>> Spectrum(np.diag([3.0, 2.0, 1.0])).outside(1, np.eye(3)[:, :1])[0].tolist()
    [2.0]
    """

    def __init__(self, C: np.ndarray) -> None:
        self._C = C
        self._reduced: Reduced | None = None
        self._plain = len(C) < LARGE or graded(C)  # where the dense solver is asked, which keeps small values' digits

    def leading(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the k leading eigenpairs (k,), (p, k)."""
        if self._plain:
            return leading_pairs(self._C, k)
        found = None if self._reduced else by_lanczos(self._C, k, TOLERANCE)
        return found or self._of_reduced().leading(k)

    def energy(self, k: int) -> float:
        """Return the sum of the k largest eigenvalues, to 1e-12 of it."""
        if self._plain:
            return float(leading_pairs(self._C, k, 1e-6)[0].sum())
        found = None if self._reduced else by_lanczos(self._C, k, 1e-6)
        return self._of_reduced().energy(k) if found is None else float(found[0].sum())

    def outside(self, k: int, Q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the k leading eigenpairs of (I − QQᵀ)C(I − QQᵀ) orthogonal to Q (p × r)."""
        if not Q.shape[1]:
            return self.leading(k)
        if self._plain:
            return top_outside(self._C, k, Q)
        if 40 * Q.shape[1] > len(Q):
            C = _compressed(self._C, Q)
            values, U = dense_pairs(C, k) if self._reduced else leading_pairs(C, k)
            return values, beside(U, Q)
        found = None if self._reduced else by_lanczos(_compressed(self._C, Q), k, TOLERANCE)
        found = found or self._of_reduced().outside(k, Q, TOLERANCE)
        return top_outside(self._C, k, Q) if found is None else (found[0], beside(found[1], Q))

    def less(self, k: int, L: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the k leading eigenpairs of C − LLᵀ (L is p × r), values not below 0."""
        if not L.shape[1]:
            return self.leading(k)
        C = self._C
        if self._plain or 40 * L.shape[1] > len(L):
            return leading_pairs(C - L @ L.T, k)
        found = None if self._reduced else by_lanczos(C - L @ L.T, k, TOLERANCE)
        found = found or self._of_reduced().less(k, L, TOLERANCE)
        return found or dense_pairs(C - L @ L.T, k)

    def _of_reduced(self) -> Reduced:
        self._reduced = self._reduced or Reduced(self._C)
        return self._reduced


def top_outside(C: np.ndarray, k: int, Q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the k leading eigenpairs of (I − QQᵀ)C(I − QQᵀ) among vectors orthogonal to Q.

    Parameters
    ----------
    C : array (p, p), positive semi-definite
    k : int
        At most p − r.
    Q : array (p, r), orthonormal columns

    Returns
    -------
    values : array (k,)
        Largest first, not below 0.
    vectors : array (p, k), orthonormal columns, QᵀU = 0

    Examples
    --------
    >>> top_outside(np.diag([3.0, 2.0, 1.0]), 1, np.eye(3)[:, :1])[0].tolist()
    [2.0]
    """
    if not Q.shape[1]:
        return leading_pairs(C, k)
    values, U = leading_pairs(_compressed(C, Q), k)
    return values, beside(U, Q)


def _compressed(C: np.ndarray, Q: np.ndarray) -> np.ndarray:
    """(I − QQᵀ)C(I − QQᵀ) with Q below all its values."""
    return moved(C, Q, -float(np.trace(C)))


def all_pairs(C: np.ndarray) -> tuple[np.ndarray, Callable[[np.ndarray], np.ndarray]]:
    """Return all eigenvalues of a symmetric matrix, least first, and the function that gives those vectors asked for.

    Examples
    --------
    >>> values, vectors = all_pairs(np.diag([1.0, 3.0]))
    >>> values.tolist(), np.abs(vectors(np.array([1]))).ravel().tolist()
    ([1.0, 3.0], [0.0, 1.0])
    """
    if len(C) < LARGE or graded(C):
        values, V = np.linalg.eigh(C)
        return values, lambda chosen: V[:, chosen]
    known = Reduced(C)
    values, W = known.pairs()
    return values, lambda chosen: known.turned(W[:, chosen])


def beside(U: np.ndarray, Q: np.ndarray) -> np.ndarray:
    """Return U (p × k), which is orthogonal to Q up to rounding, made so exactly, and orthonormal.

    Columns of U that hold nothing but rounding become some other directions orthogonal to Q.

    Examples
    --------
    >>> beside(np.array([[1e-9], [1.0]]), np.eye(2)[:, :1]).tolist()
    [[0.0], [1.0]]
    """
    r = Q.shape[1]
    basis, triangle = np.linalg.qr(np.hstack([Q, U - Q @ (Q.T @ U)]))
    return basis[:, r:] * np.where(np.diag(triangle)[r:] < 0, -1.0, 1.0)


def moved(C: np.ndarray, Q: np.ndarray, value: float) -> np.ndarray:
    """Return (I − QQᵀ)C(I − QQᵀ) + value·QQᵀ: Q becomes eigenvectors of ``value``, the rest is C's compression.

    With value 0, as plain projection has it, a rank-deficient C lets Q in among its own null vectors; with a value
    beyond the spectrum Q stands at its end.

    Examples
    --------
    >>> moved(np.diag([3.0, 2.0]), np.eye(2)[:, :1], -5.0).tolist()
    [[-5.0, 0.0], [0.0, 2.0]]
    """
    CQ = C @ Q
    half = CQ - 0.5 * (Q @ (Q.T @ CQ)) - 0.5 * value * Q
    outer = half @ Q.T
    return C - outer - outer.T


def leading_pairs(C: np.ndarray, k: int, tolerance: float = TOLERANCE) -> tuple[np.ndarray, np.ndarray]:
    """Return the k leading eigenpairs of a symmetric matrix, values not below 0; by block Lanczos where faster.

    A large matrix of decaying spectrum yields its leading vectors after a few products. Where p is moderate, k not far
    below it, or the spectrum too flat for the Krylov space to stay small, the dense solver does the work.

    Parameters
    ----------
    C : array (p, p)
    k : int
    tolerance : float
        Accepted ‖Cu − λu‖ relative to λ₁, and a thousand times that relative to λ itself; the values are good to the
        square. Where one direction dominates so far that rounding does not allow it, the dense solver does the work.

    Returns
    -------
    values : array (k,)
        Largest first, not below 0.
    vectors : array (p, k), orthonormal columns, signs fixed

    References
    ----------
    Golub & Van Loan (2013), Matrix Computations, section 10.3 (block Lanczos, full orthogonalization).

    Examples
    --------
    >>> leading_pairs(np.diag(0.5 ** np.arange(900.0)), 2)[0].round(12).tolist()
    [1.0, 0.5]
    """
    return by_lanczos(C, k, tolerance) or dense_pairs(C, k)


def dense_pairs(C: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the k leading eigenpairs by the dense solver, values not below 0."""
    values, U = top_eigen(C, k)
    return np.maximum(values, 0.0), U


def by_lanczos(C: np.ndarray, k: int, tolerance: float) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the k leading eigenpairs by block Lanczos, or None where the dense solver is faster, or the only one."""
    p = len(C)
    if p < LARGE or 40 * (k + 4) > p:
        return None
    basis = np.linalg.qr(np.random.default_rng(0).standard_normal((p, k + 4)))[0]
    images, last = C @ basis, k + 4
    small = basis.T @ images
    while basis.shape[1] <= p // 6:
        values, rotation = np.linalg.eigh(0.5 * (small + small.T))
        # C maps all blocks but the newest into the basis: only the newest one's overhang is left of Cu − λu.
        fresh, corner = next_block(basis, images[:, -last:], 64 * EPS * float(np.abs(values).max()))
        accepted = tolerance * np.minimum(values[-1], 1e3 * values[-k:])
        residual = np.linalg.norm(corner @ rotation[-last:, -k:], axis=0)
        if np.all(residual <= accepted):
            return np.maximum(values[: -k - 1 : -1], 0.0), fix_signs(basis @ rotation[:, : -k - 1 : -1])
        if not fresh.shape[1] or accepted.min() < EPS * values[-1]:
            return None  # more is asked than rounding leaves: the values lie too far apart
        # A quarter of the way and not a quarter of the digits, or half and not half: the spectrum is too flat.
        for part in (2, 4):
            if basis.shape[1] > p // (6 * part) and residual.max() > tolerance ** (1 / part) * values[-1]:
                return None
        new = C @ fresh
        side = basis.T @ new
        small = np.block([[small, side], [side.T, fresh.T @ new]])
        basis, images, last = np.hstack([basis, fresh]), np.hstack([images, new]), fresh.shape[1]
    return None
