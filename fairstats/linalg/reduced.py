"""A symmetric matrix reduced once to tridiagonal form, from which several leading spaces are read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import LinAlgError, eigh_tridiagonal, lapack, solve_banded

from fairstats.linalg.eigen import EPS, fix_signs

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

    References
    ----------
    Golub & Van Loan (2013), Matrix Computations, sections 8.3.1 (reduction) and 8.2.3 (Rayleigh quotient iteration).
    Parlett (1998), The Symmetric Eigenvalue Problem, section 3.3 (counting by inertia).

    Examples
    --------
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
            found = self._iterated(k, change, tolerance)
            if found is None or self.above(found[0][-1] + 1e3 * EPS * self._scale, change) >= k:
                return None
        except LinAlgError:
            return None
        return np.maximum(found[0], 0.0), fix_signs(self.turned(found[1]))

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
            asked = tolerance * np.minimum(self._scale, 1e3 * values)
            if asked.min() < len(values) * EPS * self._scale:
                return None  # more is asked than rounding leaves
            if (sizes <= asked).all():
                return values, U
            fresh = [self._inverse(values[j], change, U[:, j]) for j in np.flatnonzero(sizes > asked)]
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
        return self._own_above(s) - int((taken > 0).sum())

    def _own_above(self, s: float) -> int:
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
        asked = {"select": "i", "select_range": (p - k, p - 1), "lapack_driver": "stemr"}
        try:
            found = eigh_tridiagonal(self._diagonal, self._beside, eigvals_only=not vectors, **asked)
            values, V = found if vectors else (found, np.empty((p, 0)))
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
