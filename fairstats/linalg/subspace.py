"""Leading eigenvectors, also within the complement of a given subspace, which is never formed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import LinAlgError, eigh_tridiagonal, lapack, solve_banded

from fairstats.linalg.eigen import EPS, fix_signs, graded, next_block, top_eigen, truncated_svd

# A symmetric matrix reduced once to tridiagonal form, from which several leading spaces are read.


MOST = 10  # steps of inverse iteration, of which two or three are needed
SPARE = 8  # vectors more than are wanted to begin with


@dataclass(frozen=True)
class LowRank:
    """What is done to T: r directions taken out whole (N orthonormal, p × r), or NNᵀ subtracted."""

    N: np.ndarray
    whole: bool

    def times(self, T: Reduced, V: np.ndarray) -> np.ndarray:
        if self.whole:
            return self.projected(T.times(self.projected(V)))
        return T.times(V) - self.N @ (self.N.T @ V)

    def projected(self, V: np.ndarray) -> np.ndarray:
        return V - self.N @ (self.N.T @ V) if self.whole else V

    def inner(self, solved: np.ndarray) -> np.ndarray:
        """Return NᵀBN, or NᵀBN − 1, for BN: the Schur complement whose signs count what the change takes."""
        inner = self.N.T @ solved
        inner = 0.5 * (inner + inner.T)
        return inner if self.whole else inner - np.eye(len(inner))


class Reduced:
    """C = QTQᵀ with T tridiagonal: what costs p³, done once; each of the questions below costs p²·k.

    The eigenpairs of C within the complement of a few directions, and of C less a few, differ from those of T by
    r directions: inverse iteration with T knows them after two or three steps, and the signs of a small matrix count
    how many eigenvalues lie above the last one, so that none is missed.

    Source: Golub & Van Loan (2013), Matrix Computations, sections 8.3.1 (reduction) and 8.2.3 (Rayleigh quotient
    iteration). Parlett (1998), The Symmetric Eigenvalue Problem, section 3.3 (counting by inertia).

    >>> Reduced(np.diag([3.0, 1.0, 2.0])).leading(2)[0].round(12).tolist()
    [3.0, 2.0]
    """

    def __init__(self, C: np.ndarray) -> None:
        p = len(C)
        packed, self._diagonal, self._beside, self._tau, _ = lapack.dsytrd(C.T, lower=1, lwork=64 * p)
        self._reflectors = np.asfortranarray(packed[1:, :-1])
        self._scale = float(np.abs(self._diagonal).max())

    def energy(self, k: int) -> float:
        """Return the sum of the k largest eigenvalues, those below 0 left out."""
        return float(np.maximum(self._top(k, vectors=False)[0], 0.0).sum())

    def leading(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the k leading eigenpairs of C, values not below 0."""
        values, V = self._top(k)
        return np.maximum(values, 0.0), fix_signs(self.turned(V))

    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """Return all eigenvalues of C, least first, and the eigenvectors of T, which ``turned`` makes those of C."""
        values, W, failed = lapack.dstevd(self._diagonal, self._beside)
        if failed:
            raise LinAlgError("the eigenvectors of a tridiagonal matrix did not converge")
        return values, W

    def outside(self, k: int, Q: np.ndarray, tolerance: float) -> tuple[np.ndarray, np.ndarray] | None:
        """Return the k leading eigenpairs of (I − QQᵀ)C(I − QQᵀ) orthogonal to Q, or None where iteration fails."""
        return self._changed(k, LowRank(self.turned(Q, "T"), True), tolerance)

    def less(self, k: int, L: np.ndarray, tolerance: float) -> tuple[np.ndarray, np.ndarray] | None:
        """Return the k leading eigenpairs of C − LLᵀ, or None where iteration fails."""
        return self._changed(k, LowRank(self.turned(L, "T"), False), tolerance)

    def _changed(self, k: int, change: LowRank, tolerance: float) -> tuple[np.ndarray, np.ndarray] | None:
        try:
            result = self._iterated(k, change, tolerance)
            if result is None or self.above(result[0][-1] + 1e3 * EPS * self._scale, change) >= k:
                return None
        except LinAlgError:
            return None
        return np.maximum(result[0], 0.0), fix_signs(self.turned(result[1]))

    def _iterated(self, k: int, change: LowRank, tolerance: float) -> tuple[np.ndarray, np.ndarray] | None:
        """Rayleigh-Ritz in a basis of T's leading vectors, to which inverse iteration adds what is missing."""
        p = len(self._diagonal)
        V = np.linalg.qr(change.projected(self._top(min(p, k + change.N.shape[1] + SPARE))[1]))[0]
        for _ in range(MOST):
            image = change.times(self, V)
            inner = V.T @ image
            values, turn = np.linalg.eigh(0.5 * (inner + inner.T))
            values, turn = values[: -k - 1 : -1], turn[:, : -k - 1 : -1]
            U = V @ turn
            sizes = np.linalg.norm(image @ turn - U * values, axis=0)
            arguments = tolerance * np.minimum(self._scale, 1e3 * values)
            if arguments.min() < len(values) * EPS * self._scale:
                return None  # more is asked than rounding leaves
            if (sizes <= arguments).all():
                return values, U
            fresh = [self._inverse(values[j], change, U[:, j]) for j in np.flatnonzero(sizes > arguments)]
            added = change.projected(np.column_stack(fresh))
            # Householder's QR is orthonormal even where an added vector is in the basis already.
            V = np.linalg.qr(np.hstack([V, added / np.linalg.norm(added, axis=0)]))[0]
        return None

    def _inverse(self, shift: float, change: LowRank, u: np.ndarray) -> np.ndarray:
        """The solution z of (C changed − shift) z = u."""
        solved = self._solved(shift, np.column_stack([u, change.N]))
        z, BN = solved[:, 0], solved[:, 1:]
        return z - BN @ np.linalg.solve(change.inner(BN), change.N.T @ z)

    def above(self, s: float, change: LowRank) -> int:
        """Return how many eigenvalues of C changed exceed s: those of T, less what the r directions took (inertia)."""
        taken = np.linalg.eigvalsh(change.inner(self._solved(s, change.N)))
        return self._count_above(s) - int((taken > 0).sum())

    def _count_above(self, s: float) -> int:
        """How many eigenvalues of T exceed s: the positive pivots of T − s (Sturm)."""
        pivot, count = 1.0, 0
        for diagonal, beside in zip(self._diagonal.tolist(), (0.0, *self._beside.tolist()), strict=True):
            pivot = diagonal - s - beside * beside / pivot or EPS * self._scale
            count += pivot > 0
        return count

    def _solved(self, shift: float, right: np.ndarray) -> np.ndarray:
        bands = np.vstack([np.append(0.0, self._beside), self._diagonal - shift, np.append(self._beside, 0.0)])
        return np.asarray(solve_banded((1, 1), bands, right, check_finite=False))

    def _top(self, k: int, vectors: bool = True) -> tuple[np.ndarray, np.ndarray]:
        """The k largest eigenvalues of T and their vectors, if asked."""
        p = len(self._diagonal)
        arguments = {"select": "i", "select_range": (p - k, p - 1), "lapack_driver": "stemr"}
        try:
            result = eigh_tridiagonal(self._diagonal, self._beside, eigvals_only=not vectors, **arguments)
            values, V = result if vectors else (result, np.empty((p, 0)))
        except LinAlgError:
            values, V = np.empty(0), np.empty((p, 0))
        if len(values) < k:  # as in top_eigen: the search among equal values may find none
            values, V = self.pairs()
        return values[: -k - 1 : -1], V[:, : -k - 1 : -1]

    def times(self, V: np.ndarray) -> np.ndarray:
        """Return TV."""
        out = self._diagonal[:, None] * V
        out[:-1] += self._beside[:, None] * V[1:]
        out[1:] += self._beside[:, None] * V[:-1]
        return np.asarray(out)

    def turned(self, V: np.ndarray, transposed: str = "N") -> np.ndarray:
        """Return QV, or QᵀV with "T"."""
        out = np.array(V, order="F")
        if V.shape[1]:
            out[1:] = lapack.dormqr("L", transposed, self._reflectors, self._tau, V[1:], 64 * V.shape[1])[0]
        return out


LARGE = 800  # features, below which the dense solver is at least as fast as any other
TOLERANCE = 1e-12


class Spectrum:
    """A positive semi-definite matrix of which several leading spaces are asked, reduced once where it is flat.

    Each answer is that of ``leading_pairs`` or ``top_outside``. A spectrum that decays yields it after a few products;
    one that does not costs p³, which this pays for all answers together.

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
        result = None if self._reduced else by_lanczos(self._C, k, TOLERANCE)
        return result or self._of_reduced().leading(k)

    def energy(self, k: int) -> float:
        """Return the sum of the k largest eigenvalues, to 1e-12 of it."""
        if self._plain:
            return float(leading_pairs(self._C, k, 1e-6)[0].sum())
        result = None if self._reduced else by_lanczos(self._C, k, 1e-6)
        return self._of_reduced().energy(k) if result is None else float(result[0].sum())

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
        result = None if self._reduced else by_lanczos(_compressed(self._C, Q), k, TOLERANCE)
        result = result or self._of_reduced().outside(k, Q, TOLERANCE)
        return top_outside(self._C, k, Q) if result is None else (result[0], beside(result[1], Q))

    def less(self, k: int, L: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the k leading eigenpairs of C − LLᵀ (L is p × r), values not below 0."""
        if not L.shape[1]:
            return self.leading(k)
        C = self._C
        if self._plain or 40 * L.shape[1] > len(L):
            return leading_pairs(C - L @ L.T, k)
        result = None if self._reduced else by_lanczos(C - L @ L.T, k, TOLERANCE)
        result = result or self._of_reduced().less(k, L, TOLERANCE)
        return result or dense_pairs(C - L @ L.T, k)

    def _of_reduced(self) -> Reduced:
        self._reduced = self._reduced or Reduced(self._C)
        return self._reduced


def top_outside(C: np.ndarray, k: int, Q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the k leading eigenpairs of (I − QQᵀ)C(I − QQᵀ) among vectors orthogonal to Q.

    C: shape (p, p).
    k: at most p − r.
    Q: shape (p, r).
    Returns: values: largest first, not below 0, shape (k,); vectors: shape (p, k).

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

    >>> values, vectors = all_pairs(np.diag([1.0, 3.0]))
    >>> values.tolist(), np.abs(vectors(np.array([1]))).ravel().tolist()
    ([1.0, 3.0], [0.0, 1.0])
    """
    if len(C) < LARGE or graded(C):
        values, V = np.linalg.eigh(C)
        return values, lambda chosen: V[:, chosen]
    present = Reduced(C)
    values, W = present.pairs()
    return values, lambda chosen: present.turned(W[:, chosen])


def beside(U: np.ndarray, Q: np.ndarray) -> np.ndarray:
    """Return U (p × k), which is orthogonal to Q up to rounding, made so exactly, and orthonormal.

    Columns of U that hold nothing but rounding become some other directions orthogonal to Q.

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

    C: shape (p, p).
    tolerance: accepted ‖Cu − λu‖ relative to λ₁, and a thousand times that relative to λ itself; the values are good to
        the square. Where one direction dominates so far that rounding does not allow it, the dense solver does the
        work.
    Returns: values: largest first, not below 0, shape (k,); vectors: shape (p, k).
    Source: Golub & Van Loan (2013), Matrix Computations, section 10.3 (block Lanczos, full orthogonalization).

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


# A positive semi-definite operator less the components taken out: as a matrix, or by products with its factor.


Product = Callable[[np.ndarray], np.ndarray]


class Deflation(ABC):
    """C = AᵀA (p × p), and what is left of it after components Cu are taken out."""

    @abstractmethod
    def times(self, U: np.ndarray) -> np.ndarray:
        """Return CU (p × b) for U (p × b)."""

    @property
    @abstractmethod
    def diagonal(self) -> np.ndarray:
        """Its diagonal (p,)."""

    @abstractmethod
    def leading(self) -> np.ndarray:
        """Return the leading eigenvector (p × 1)."""

    @abstractmethod
    def without(self, u: np.ndarray, image: np.ndarray, square: float) -> Deflation:
        """Return C − CuuᵀC/(uᵀCu), for u (p,), its image Cu and uᵀCu; this operator stays as it is."""


class MatrixDeflation(Deflation):
    """C given as a matrix.

    >>> C = MatrixDeflation(np.diag([3.0, 2.0]))
    >>> C.without(np.array([1.0, 0.0]), np.array([3.0, 0.0]), 3.0).times(np.eye(2)).tolist()
    [[0.0, 0.0], [0.0, 2.0]]
    """

    def __init__(self, C: np.ndarray) -> None:
        self._C = C

    def times(self, U: np.ndarray) -> np.ndarray:
        return self._C @ U

    @property
    def diagonal(self) -> np.ndarray:
        return np.diag(self._C)

    def leading(self) -> np.ndarray:
        return leading_pairs(self._C, 1)[1]

    def without(self, u: np.ndarray, image: np.ndarray, square: float) -> MatrixDeflation:
        return MatrixDeflation(self._C - np.outer(image, image / square))


class ProductDeflation(Deflation):
    """C = AᵀA by products with A (n × p) and Aᵀ, for p > n: nothing p × p is formed.

    What is taken out is kept as orthonormal scores S (n × j): A becomes (I − SSᵀ)A.

    >>> A = np.diag([3.0, 2.0])
    >>> C = ProductDeflation(lambda V: A @ V, lambda S: A.T @ S, (2, 2), np.array([9.0, 4.0]))
    >>> C.without(np.array([1.0, 0.0]), np.array([9.0, 0.0]), 9.0).times(np.eye(2)).tolist()
    [[0.0, 0.0], [0.0, 4.0]]
    """

    def __init__(
        self,
        forward: Product,
        back: Product,
        shape: tuple[int, int],
        diagonal: np.ndarray,
        scores: np.ndarray | None = None,
    ) -> None:
        self._forward, self._back, self._shape, self._diagonal = forward, back, shape, diagonal
        self._scores = np.empty((shape[0], 0)) if scores is None else scores

    def times(self, U: np.ndarray) -> np.ndarray:
        return self._back(self._rest(U))

    @property
    def diagonal(self) -> np.ndarray:
        return self._diagonal

    def leading(self) -> np.ndarray:
        return truncated_svd(self._rest, lambda S: self._back(self._off(S)), self._shape, 1, tolerance=1e-6)[1]

    def without(self, u: np.ndarray, image: np.ndarray, square: float) -> ProductDeflation:
        scores = np.hstack([self._scores, self._rest(u[:, None]) / np.sqrt(square)])
        diagonal = np.maximum(self._diagonal - image**2 / square, 0.0)
        return ProductDeflation(self._forward, self._back, self._shape, diagonal, scores)

    def _off(self, S: np.ndarray) -> np.ndarray:
        return S - self._scores @ (self._scores.T @ S)

    def _rest(self, V: np.ndarray) -> np.ndarray:
        return self._off(self._forward(V))
