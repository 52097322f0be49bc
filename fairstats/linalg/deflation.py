"""A positive semi-definite operator less the components taken out: as a matrix, or by products with its factor."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np

from fairstats.linalg.krylov import truncated_svd
from fairstats.linalg.subspace import leading_pairs

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

    Examples
    --------
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

    Examples
    --------
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
