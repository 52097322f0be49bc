"""The two Laplacians of spectral clustering, each as the operator whose largest eigenpairs are wanted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from scipy import sparse

from fairstats.data.graphs import Graph
from fairstats.linalg.eigen import EPS


class Form(Protocol):
    """One form of spectral clustering as an operator whose largest eigenpairs are the Laplacian's smallest."""

    @property
    def size(self) -> float:
        """An upper bound of the operator's norm; no eigenvalue of the operator is 0 or less."""

    def times(self, V: np.ndarray) -> np.ndarray:
        """The operator times V (n × b)."""

    def eigenvalues(self, values: np.ndarray) -> np.ndarray:
        """Eigenvalues of the Laplacian from those of the operator."""

    def constraints(self, F: np.ndarray) -> np.ndarray:
        """What the operator's eigenvectors have to be orthogonal to, so that FᵀH = 0."""

    def embedding(self, Y: np.ndarray) -> np.ndarray:
        """H from the operator's eigenvectors."""


def product(weights: Any, V: np.ndarray) -> np.ndarray:
    """Symmetric weights times a few columns V (n × b).

    A dense matrix is multiplied from the left, VᵀW: BLAS streams it once and is nearly twice as fast that way round.
    """
    return weights @ V if sparse.issparse(weights) else np.ascontiguousarray((V.T @ weights).T)


@dataclass(frozen=True)
class Normalized:
    """2I + D^(−1/2) W D^(−1/2) = 3I − L_sym, with H = D^(−1/2) Y; spectrum within [1, 3]."""

    graph: Graph
    root: np.ndarray  # d^(−1/2), (n, 1)

    size = 3.0

    @staticmethod
    def of(graph: Graph) -> Normalized:
        """The form of a graph without isolated vertices."""
        return Normalized(graph, 1.0 / np.sqrt(graph.degrees)[:, None])

    def times(self, V: np.ndarray) -> np.ndarray:
        """See ``Form``; the weights are not copied, V is scaled instead."""
        out = product(self.graph.weights, V * self.root)
        out *= self.root
        out += 2.0 * V
        return out

    def eigenvalues(self, values: np.ndarray) -> np.ndarray:
        """See ``Form``."""
        return 3.0 - values

    def constraints(self, F: np.ndarray) -> np.ndarray:
        """D^(−1/2) F."""
        return F * self.root

    def embedding(self, Y: np.ndarray) -> np.ndarray:
        """D^(−1/2) Y, so that HᵀDH = I."""
        return Y * self.root


@dataclass(frozen=True)
class Unnormalized:
    """cI − L with c above the largest eigenvalue of L = D − W, and H = Y."""

    graph: Graph
    size: float

    @staticmethod
    def of(graph: Graph) -> Unnormalized:
        """The form of any graph; c exceeds the largest d_i + d_j of an edge (Anderson & Morley 1985) by a tenth."""
        return Unnormalized(graph, 1.1 * max(_REACH[sparse.issparse(graph.weights)](graph), 1e-300))

    def times(self, V: np.ndarray) -> np.ndarray:
        """See ``Form``."""
        out = product(self.graph.weights, V)
        out += (self.size - self.graph.degrees)[:, None] * V
        return out

    def eigenvalues(self, values: np.ndarray) -> np.ndarray:
        """See ``Form``."""
        return self.size - values

    def constraints(self, F: np.ndarray) -> np.ndarray:
        """F itself."""
        return F

    def embedding(self, Y: np.ndarray) -> np.ndarray:
        """Y itself, so that HᵀH = I."""
        return Y


def _longest_edge(graph: Graph) -> float:
    weights, degrees = graph.weights, graph.degrees
    if not weights.nnz:
        return 0.0
    return float((np.repeat(degrees, np.diff(weights.indptr)) + degrees[weights.indices]).max())


_REACH = {True: _longest_edge, False: lambda graph: float(2 * graph.degrees.max())}
FORMS: dict[bool, type[Normalized] | type[Unnormalized]] = {True: Normalized, False: Unnormalized}


@dataclass(frozen=True)
class Constrained:
    """(I − QQᵀ) M (I − QQᵀ): the form's operator among vectors orthogonal to Q (n × q, orthonormal).

    M is positive definite, so the q zeros that projecting adds stand below everything that is wanted.
    """

    form: Form
    Q: np.ndarray

    def within(self, V: np.ndarray) -> np.ndarray:
        """Return the part of V that is orthogonal to Q."""
        return V - self.Q @ (self.Q.T @ V) if self.Q.shape[1] else V

    def times(self, V: np.ndarray) -> np.ndarray:
        """The constrained operator times V (n × b)."""
        return self.within(self.form.times(self.within(V)))


def column_basis(C: np.ndarray, tolerance: float = 1e3 * EPS) -> np.ndarray:
    """Orthonormal basis of the columns of C (n × q); columns that depend on others are left out.

    Examples
    --------
    >>> column_basis(np.array([[1.0, 2.0], [1.0, 2.0], [0.0, 0.0]])).shape
    (3, 1)
    """
    if not C.shape[1]:
        return C
    length = np.linalg.norm(C, axis=0)
    U, s, _ = np.linalg.svd(C / np.where(length > 0, length, 1.0), full_matrices=False)
    return U[:, s > tolerance * np.sqrt(len(C)) * max(s[0], EPS)]
