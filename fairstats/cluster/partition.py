"""Partition: the result of clustering a graph, and its verbs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from fairstats.arrays import row_labels
from fairstats.cluster.describe import glance_row, summarize, tidy_rows
from fairstats.cluster.embedding import Embedding
from fairstats.cluster.measures import Composition, Cuts
from fairstats.errors import InputError, visible
from fairstats.estimates import Estimates
from fairstats.results import Reads
from fairstats.text import number, significant

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class Partition(Reads):
    """Clusters of the vertices of a graph, what they cut, and how they are made up of groups.

    Attributes
    ----------
    method, title : str
    labels : array of int (n,)
        Cluster of each vertex, 1 the largest.
    nodes : list of str
        Names of the vertices.
    rows : array of int (n,)
        Their positions (from 0) among the ``given`` ones; fewer where only the largest component was clustered.
    given, edges : int
    cuts : Cuts
        Sizes, volumes and cut weights of the clusters.
    compositions : tuple of Composition
        Cluster × group, one an attribute.
    embedding : Embedding
        H, eigenvalues, residuals, and how they were found.
    inertia : float
        Sum of squares of the rows of H about their cluster's mean.
    settings : dict
        k, normalized, starts, seed.
    plain : Partition or None
        The clustering of the same graph without the constraint.
    notes : tuple of str
    """

    method: str
    title: str
    labels: np.ndarray
    nodes: list[str]
    rows: np.ndarray
    given: int
    edges: int
    cuts: Cuts
    compositions: tuple[Composition, ...]
    embedding: Embedding
    inertia: float
    settings: Mapping[str, Any] = field(default_factory=dict)
    plain: Partition | None = None
    notes: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        """Number of vertices."""
        return len(self.labels)

    @property
    def k(self) -> int:
        """Number of clusters."""
        return len(self.cuts.sizes)

    @property
    def normalized(self) -> bool:
        """Whether volumes (NCut) or sizes (RatioCut) were balanced."""
        return bool(self.settings["normalized"])

    @property
    def ratio_cut(self) -> float:
        """Σ cut(C)/|C|."""
        return self.cuts.ratio_cut

    @property
    def ncut(self) -> float:
        """Σ cut(C)/vol(C)."""
        return self.cuts.ncut

    @property
    def eigenvalues(self) -> np.ndarray:
        """Eigenvalues of the Laplacian within the constraints (k,), smallest first."""
        return self.embedding.eigenvalues

    def error(self, truth: Any) -> float:
        """Share of the vertices that differ from known clusters, under the best matching of labels.

        Parameters
        ----------
        truth : labels (n,)
            Of the clustered vertices, or of all that were given.

        Returns
        -------
        float

        Raises
        ------
        InputError
            Another number of labels.
        """
        from fairstats.cluster.matching import misclassified

        known = row_labels("truth", truth)
        if len(known) == self.given:
            known = known[self.rows]
        if len(known) != self.n:
            raise InputError(f"truth has {len(known)} labels and the partition {self.n} vertices; give one a vertex.")
        return misclassified(self.labels, known)

    @cached_property
    def estimates(self) -> Estimates:
        """Sizes, shares of groups, balance, association, cuts and eigenvalues, one row each; and the price."""
        return tidy_rows(self)

    def glance(self) -> pd.DataFrame:
        """One row about the partition."""
        return glance_row(self)

    def summary(self) -> str:
        """Clusters by group, the check of the constraint as a number, and what it costs, at 80 columns."""
        return visible(summarize(self))

    def _brief(self) -> str:
        about = f"{self.method}, {self.n} vertices, {self.edges} edges, {self.k} clusters"
        balance = (f"mean balance by {c.attribute} {number(c.mean_balance, 3)}" for c in self.compositions)
        return "; ".join([about, *balance, f"{'NCut' if self.normalized else 'RatioCut'} {significant(self._cut, 4)}"])

    @property
    def _cut(self) -> float:
        return self.ncut if self.normalized else self.ratio_cut

    def augment(self, data: Any) -> Any:
        """The table of vertices, in the order given, with a column ``.cluster``; missing for vertices left out."""
        import narwhals as nw

        from fairstats.data.columns import Columns

        table = Columns(data)
        if table.n != self.given:
            raise InputError(f"data has {table.n} rows and the graph {self.given} vertices; give one row a vertex.")
        cluster: list[int | None] = [None] * self.given
        for row, label in zip(self.rows.tolist(), self.labels.tolist(), strict=True):
            cluster[row] = label
        native = nw.to_native(table._frame)
        if hasattr(native, "index"):  # pandas aligns on the index, which may be anything
            import pandas as pd

            return native.assign(**{".cluster": pd.array(cluster, dtype="Int64")})
        frame = nw.from_native(native, eager_only=True)
        column = nw.new_series(".cluster", cluster, nw.Int64, backend=nw.get_native_namespace(frame))
        return frame.with_columns(column).to_native()

    def to_dict(self) -> dict[str, Any]:
        """Everything but the embedding, JSON-ready."""
        return {
            "schema": "fairstats/partition/1",
            "method": self.method,
            "title": self.title,
            "n": self.n,
            "given": self.given,
            "edges": self.edges,
            "k": self.k,
            "settings": dict(self.settings),
            "nodes": list(self.nodes),
            "labels": self.labels.tolist(),
            "sizes": self.cuts.sizes.tolist(),
            "volumes": self.cuts.volumes.tolist(),
            "cuts": self.cuts.cuts.tolist(),
            "compositions": [
                {"attribute": c.attribute, "levels": c.levels, "counts": c.counts.tolist()} for c in self.compositions
            ],
            "eigenvalues": self.eigenvalues.tolist(),
            "following": self.embedding.following if np.isfinite(self.embedding.following) else None,
            "residuals": self.embedding.residuals.tolist(),
            "constraints": self.embedding.constraints,
            "violation": self.embedding.violation,
            "holds": self.embedding.holds,
            "products": self.embedding.products,
            "restarts": self.embedding.restarts,
            "inertia": self.inertia,
            "estimates": self.estimates.to_records(),
            "plain": None if self.plain is None else self.plain.to_dict(),
            "notes": list(self.notes),
        }
