"""The spectral embedding H, with or without constraints, and the record of how it was found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from scipy import sparse

from fairstats.data.graphs import Graph
from fairstats.data.tables import Factor
from fairstats.linalg.eigen import EPS, largest_pairs, largest_pairs_singly

# The two Laplacians of spectral clustering, each as the operator whose largest eigenpairs are wanted.


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

    >>> column_basis(np.array([[1.0, 2.0], [1.0, 2.0], [0.0, 0.0]])).shape
    (3, 1)
    """
    if not C.shape[1]:
        return C
    length = np.linalg.norm(C, axis=0)
    U, s, _ = np.linalg.svd(C / np.where(length > 0, length, 1.0), full_matrices=False)
    return U[:, s > tolerance * np.sqrt(len(C)) * max(s[0], EPS)]


TOLERANCE = 1e-10  # of the residuals, relative to the size of the operator
FLAT = 1e-9  # once the basis has been full: no gap follows the k-th eigenvalue, and its neighbors are as good
LARGE = 10_000  # vertices from which on that time is worth saving
CONSTRAINT = 1e-8


@dataclass(frozen=True)
class Embedding:
    """The matrix H (n × k) that minimizes tr(HᵀLH) under the constraints, with the record of how it was found.

    H: shape (n, k).
    eigenvalues: of the Laplacian within the constraints, smallest first; their sum is tr(HᵀLH), shape (k,).
    following: the next eigenvalue, from above: its distance to the last one is the gap that k cuts at. NaN if there is
        none.
    residuals: ‖Ly − λy‖ relative to the bound of the operator's norm, shape (k,).
    constraints: number of independent constraints.
    violation: ‖FᵀH‖ (Frobenius), 0 without constraints.
    products, restarts: matrix-vector products and restarts of the eigensolver.
    """

    H: np.ndarray
    eigenvalues: np.ndarray
    following: float
    residuals: np.ndarray
    constraints: int
    violation: float
    products: int
    restarts: int

    @property
    def objective(self) -> float:
        """tr(HᵀLH)."""
        return float(self.eigenvalues.sum())

    @property
    def gaps(self) -> np.ndarray:
        """Distances between neighboring eigenvalues (k,); the last one is the gap after k."""
        return np.diff(np.append(self.eigenvalues, self.following))

    @property
    def holds(self) -> bool:
        """Whether FᵀH = 0 up to 1e-8."""
        return bool(self.violation <= CONSTRAINT)

    @property
    def failure(self) -> str:
        """What is to be warned of where FᵀH is not 0; "" where it is."""
        if self.holds:
            return ""
        return (
            f"fair_spectral_clustering: a guarantee does not hold on this graph: |F'H|: {self.violation:.3g} (at most "
            f"{CONSTRAINT:.3g}). Do not rely on the balance of its embedding; degrees of very different size are the "
            "usual reason."
        )


def embed(form: Form, F: np.ndarray, k: int, seed: int) -> Embedding:
    """The k smallest eigenvectors of a form of the Laplacian among those with FᵀH = 0.

    form: normalized or not.
    F: constraints, dependent ones included, shape (n, q).
    k: at most n − rank F.
    seed: of the eigensolver's starting block.
    Raises NumericalError: the eigensolver did not converge.
    """
    operator = Constrained(form, column_basis(form.constraints(F)))
    n, q = operator.Q.shape
    start = operator.within(np.random.default_rng(seed).standard_normal((n, min(k + 1, n - q))))
    find, flat = (largest_pairs_singly, FLAT) if n > LARGE else (largest_pairs, TOLERANCE)
    pairs = find(operator.times, start, k, form.size, tolerance=TOLERANCE, flat=flat)
    # Lanczos leaves rounding along Q; H is to be free of it.
    Y = operator.within(pairs.vectors)
    H, eigenvalues = form.embedding(Y), form.eigenvalues(pairs.values)
    eigenvalues[np.abs(eigenvalues) <= 1e-12 * form.size] = 0.0  # what is left of a piece's 0 is rounding
    return Embedding(
        H=H,
        eigenvalues=eigenvalues,
        following=float(form.eigenvalues(np.array([pairs.following]))[0]),
        residuals=pairs.residuals / form.size,
        constraints=q,
        violation=float(np.linalg.norm(F.T @ H)),
        products=pairs.products,
        restarts=pairs.restarts,
    )


# What a partition of a graph cuts, and how its clusters are made up of groups.


@dataclass(frozen=True)
class Cuts:
    """Sizes, volumes and cut weights of the clusters, each (k,)."""

    sizes: np.ndarray
    volumes: np.ndarray
    cuts: np.ndarray

    @property
    def ratio_cut(self) -> float:
        """Σ cut(C)/|C| over the clusters."""
        return float((self.cuts / self.sizes).sum())

    @property
    def ncut(self) -> float:
        """Σ cut(C)/vol(C); NaN where a cluster has no edge at all."""
        with np.errstate(invalid="ignore"):
            return float((self.cuts / self.volumes).sum())


def cuts_of(weights: Any, degrees: np.ndarray, codes: np.ndarray, k: int) -> Cuts:
    """Sizes, volumes and cuts of the clusters.

    weights: shape (n, n).
    degrees: shape (n,).
    codes: cluster of each vertex, 0 to k − 1, shape (n,).
    Source: Kleindessner, Samadi, Awasthi & Morgenstern (2019), equations (1) and (15).

    >>> path = np.array([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]])
    >>> cuts_of(path, path.sum(axis=1), np.array([0, 0, 1]), 2).ratio_cut
    1.5
    """
    n = len(codes)
    member = sparse.csr_array((np.ones(n), codes, np.arange(n + 1)), shape=(n, k))
    toward = weights @ (member if sparse.issparse(weights) else member.toarray())
    inside = (member.T @ toward).diagonal()
    volumes = np.bincount(codes, weights=degrees, minlength=k)
    # A cut is a difference of sums: what is left of a cluster without one is rounding.
    cuts = volumes - inside
    cuts[np.abs(cuts) <= 1e-12 * volumes] = 0.0
    return Cuts(np.bincount(codes, minlength=k).astype(float), volumes, cuts)


@dataclass(frozen=True)
class Composition:
    """Clusters × levels of one attribute.

    counts: shape (k, h).
    """

    attribute: str
    levels: list[str]
    counts: np.ndarray

    @staticmethod
    def of(attribute: str, factor: Factor, codes: np.ndarray, k: int) -> Composition:
        """The table of cluster codes (n,) and an attribute."""
        h = len(factor.levels)
        counts = np.bincount(codes * h + factor.codes, minlength=k * h).reshape(k, h)
        return Composition(attribute, list(factor.levels), counts)

    @property
    def shares(self) -> np.ndarray:
        """Share of each level within each cluster (k, h)."""
        return self.counts / self.counts.sum(axis=1, keepdims=True)

    @property
    def gaps(self) -> np.ndarray:
        """Share of each level within each cluster less its share of all vertices (k, h); opposite ones alike."""
        return np.nan_to_num(self.shares - self.counts.sum(axis=0) / self.counts.sum()).round(12)

    @property
    def widest(self) -> tuple[int, int]:
        """Cluster and level, from 0, of the largest gap in points, whatever the size of the cluster."""
        c, g = np.unravel_index(int(np.abs(self.gaps).argmax()), self.counts.shape)
        return int(c), int(g)

    @property
    def expected(self) -> np.ndarray:
        """Counts (k, h) if every cluster were made up as the graph is."""
        rows, columns = self.counts.sum(axis=1), self.counts.sum(axis=0)
        return np.outer(rows, columns) / self.counts.sum()

    @property
    def residuals(self) -> np.ndarray:
        """Standardized residuals (k, h): (count − expected)/√(expected (1 − row share)(1 − column share)).

        Descriptive: vertices are not independent and the clusters come from the graph, so no normal law applies.
        """
        n = self.counts.sum()
        row = self.counts.sum(axis=1, keepdims=True) / n
        column = self.counts.sum(axis=0, keepdims=True) / n
        spread = np.sqrt(self.expected * (1 - row) * (1 - column))
        return np.divide(self.counts - self.expected, spread, out=np.zeros_like(spread), where=spread > 0)

    @property
    def cramers_v(self) -> float:
        """√(χ²/(n min(k − 1, h − 1))): 0 where clusters tell nothing of the group, 1 where they determine it."""
        k, h = self.counts.shape
        if min(k, h) < 2:
            return float("nan")
        chi2 = ((self.counts - self.expected) ** 2 / self.expected).sum()
        return float(np.sqrt(chi2 / (self.counts.sum() * (min(k, h) - 1))))

    @property
    def balance(self) -> np.ndarray:
        """Smallest ratio of two levels' counts in each cluster (k,): 1 is as many of each, 0 one level absent."""
        return self.counts.min(axis=1) / self.counts.max(axis=1)

    @property
    def mean_balance(self) -> float:
        """Mean over the clusters, as the paper's figures have it."""
        return float(self.balance.mean())

    @property
    def smallest_balance(self) -> float:
        """Balance of the least balanced cluster."""
        return float(self.balance.min())

    @property
    def overall_balance(self) -> float:
        """Balance of all vertices together: what no partition's smallest balance exceeds."""
        totals = self.counts.sum(axis=0)
        return float(totals.min() / totals.max())
