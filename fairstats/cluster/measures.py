"""What a partition of a graph cuts, and how its clusters are made up of groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from fairstats.data.factors import Factor


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

    Parameters
    ----------
    weights : sparse array or array (n, n)
    degrees : array (n,)
    codes : array (n,)
        Cluster of each vertex, 0 to k − 1.
    k : int

    Returns
    -------
    Cuts

    References
    ----------
    Kleindessner, Samadi, Awasthi & Morgenstern (2019), equations (1) and (15).

    Examples
    --------
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

    Attributes
    ----------
    attribute : str
    levels : list of str
    counts : array (k, h)
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
