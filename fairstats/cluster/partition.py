"""Partition: the result of clustering a graph, and its verbs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy

from fairstats.arrays import row_labels
from fairstats.attached import attached
from fairstats.cluster.embedding import CONSTRAINT, Composition, Cuts, Embedding
from fairstats.data.graphs import links
from fairstats.document import Block, Paragraph, Table, Title, headings
from fairstats.errors import InputError, snippet
from fairstats.estimates import Estimate, Estimates, Worded
from fairstats.labels import label
from fairstats.language import DataText, message
from fairstats.text import DASH, count, number, signed, significant, tiny

if TYPE_CHECKING:
    import pandas as pd


# How far two sets of cluster labels are apart when labels are names that may be exchanged.


def misclassified(labels: Any, truth: Any) -> float:
    """Share of the labels that differ under the matching of clusters that makes it smallest.

    labels, truth: any labels; the numbers of clusters may differ, and a cluster without a partner is wrong as a whole,
        shape (n,).
    Returns: 0 to 1.
    Source: Kuhn (1955), "The Hungarian method for the assignment problem", Naval Research Logistics Quarterly 2, 83-97.

    >>> misclassified([1, 1, 2, 2], ["b", "b", "a", "b"])
    0.25
    """
    ours, i = np.unique(np.asarray(labels), return_inverse=True)
    theirs, j = np.unique(np.asarray(truth), return_inverse=True)
    shared = np.bincount(i * len(theirs) + j, minlength=len(ours) * len(theirs)).reshape(len(ours), len(theirs))
    return float(1 - shared[scipy.optimize.linear_sum_assignment(shared, maximize=True)].sum() / len(i))


# The tidy rows, the one-row glance, the text summary and the price table of a partition.


BESIDE = "plain spectral clustering"
RATIO = message("smallest over largest count of a level")
CUT = {
    "RatioCut": message("sum over the clusters of cut over size"),
    "NCut": message("sum over the clusters of cut over volume"),
}


CROWDED = 0.9  # of all vertices in one cluster, from which a caution is given
IN_PARTS = message("Clusters that fall into parts without a link between them: {clusters}.")
UNTESTED = message(
    "Whether chance alone could bring such differences was not tested: the links of a network depend on each other, "
    "and the clusters were made from them."
)


def weighing(partition: Partition) -> Iterator[str]:
    """Whether and which weights of links count, and what the volumes add up to."""
    if "weight" not in partition.settings:  # saved before 0.3
        return
    twice = float(partition.cuts.volumes.sum())
    values = {"edges": count(partition.edges), "total": significant(twice / 2, 6), "twice": significant(twice, 6)}
    weight = partition.settings["weight"]
    if weight is None:
        yield message(
            "Links without weights: each counts 1. Volumes count both of its ends: they add up to {twice}.", **values
        )
    elif weight:
        yield message(
            "Links weighted by “{attribute}”: the {edges} weigh {total} in all. Volumes are sums of these weights at "
            "both ends of a link: they add up to {twice}.",
            attribute=DataText(weight),
            **values,
        )
    else:
        yield message(
            "Weighted links: the {edges} weigh {total} in all. Volumes are sums of these weights at both ends of a "
            "link: they add up to {twice}.",
            **values,
        )


def quantities(partition: Partition) -> Iterator[tuple[str, str, float, str]]:
    """(metric, attribute, value, method) of everything that is compared with the plain clustering."""
    yield "RatioCut", "", partition.ratio_cut, CUT["RatioCut"]
    yield "NCut", "", partition.ncut, CUT["NCut"]
    yield "tr(H'LH)", "", partition.embedding.objective, message("sum of the eigenvalues of the embedding")
    for table in partition.compositions:
        yield (
            message("mean balance"),
            table.attribute,
            table.mean_balance,
            message("mean over the clusters of {text}", text=RATIO),
        )
        yield (
            message("smallest balance"),
            table.attribute,
            table.smallest_balance,
            message("least balanced cluster, {text}", text=RATIO),
        )
        yield message("Cramer's V"), table.attribute, table.cramers_v, message("clusters by groups, descriptive")


def tidy_rows(partition: Partition) -> Estimates:
    """The rows of ``Partition.estimates``."""
    rows = [row for table in partition.compositions for row in _of_clusters(partition, table)]
    for metric, attribute, value, method in quantities(partition):
        rows.append(Estimate(metric, attribute, n=float(partition.n), estimate=value, method=method))
    method = message("Laplacian within the constraints")
    for j, value in enumerate(partition.eigenvalues.tolist()):
        rows.append(
            Estimate(
                "eigenvalue", term=message("eigenvalue {n}", n=j + 1), role="component", estimate=value, method=method
            )
        )
    if np.isfinite(partition.embedding.following):
        gap, last = float(partition.embedding.gaps[-1]), message("eigenvalue {n}", n=len(partition.eigenvalues))
        method = message("next eigenvalue (from above) minus the last one")
        rows.append(Estimate("eigengap", term=last, role="component", estimate=gap, method=method))
    if partition.embedding.constraints:
        rows.append(
            Estimate(
                "|F'H|",
                role="guarantee",
                n=float(partition.n),
                estimate=partition.embedding.violation,
                method=message("Frobenius norm"),
            )
        )
    return Estimates([*rows, *price_rows(partition)])


def _of_clusters(partition: Partition, table: Composition) -> Iterator[Estimate]:
    sizes, residuals = partition.cuts.sizes, table.residuals
    for c in range(partition.k):
        term = message("cluster {n}", n=c + 1)
        for g, level in enumerate(table.levels):
            yield Estimate(
                "share of cluster",
                table.attribute,
                level,
                term=term,
                n=float(sizes[c]),
                events=float(table.counts[c, g]),
                estimate=float(table.shares[c, g]),
                statistic=float(residuals[c, g]),
                method=message("statistic: standardized residual, descriptive"),
            )
        yield Estimate(
            "balance", table.attribute, term=term, n=float(sizes[c]), estimate=float(table.balance[c]), method=RATIO
        )


def price_rows(partition: Partition) -> Iterator[Estimate]:
    """Fair minus plain, where the plain clustering stands beside."""
    if partition.plain is None:
        return
    for (metric, attribute, ours, method), (_, _, theirs, _) in zip(
        quantities(partition), quantities(partition.plain), strict=True
    ):
        yield Estimate(
            metric,
            attribute,
            contrast="difference",
            reference=BESIDE,
            role="price",
            n=float(partition.n),
            estimate=ours - theirs,
            method=method,
        )


def glance_row(partition: Partition) -> pd.DataFrame:
    """The row of ``Partition.glance``."""
    import pandas as pd

    first = partition.compositions[0] if partition.compositions else None
    row = {
        "method": partition.method,
        "n": partition.n,
        "edges": partition.edges,
        "k": partition.k,
        "normalized": partition.normalized,
        "ratio_cut": partition.ratio_cut,
        "ncut": partition.ncut,
        "objective": partition.embedding.objective,
        "gap": float(partition.embedding.gaps[-1]),
        "mean_balance": first.mean_balance if first else float("nan"),
        "smallest_balance": first.smallest_balance if first else float("nan"),
        "cramers_v": first.cramers_v if first else float("nan"),
        "constraints": partition.embedding.constraints,
        "violation": partition.embedding.violation,
        "largest_residual": float(partition.embedding.residuals.max()),
        "products": partition.embedding.products,
    }
    return pd.DataFrame([row])


def _clusters(partition: Partition, most: int = 20) -> Table:
    cuts = partition.cuts
    rows = tuple(
        (
            str(c + 1),
            number(cuts.sizes[c], 0),
            significant(volume, 6),
            significant(cuts.cuts[c], 6),
            significant(cuts.cuts[c] / cuts.sizes[c], 4),
            number(cuts.cuts[c] / volume, 4) if volume else DASH,
        )
        for c, volume in enumerate(cuts.volumes[: min(partition.k, most)])
    )
    note = "Volume: the link ends of a cluster's members; a link within it has both ends there."
    if partition.k > most:
        note = f"... and {partition.k - most} more; {snippet('all in tidy()')}. {note}"
    return Table("", headings("cluster", "size", "volume", "cut", "cut/size", "cut/volume"), rows, note)


def _composition(result: Composition, most_rows: int = 20, most_levels: int = 4) -> Table:
    rows = [
        [
            str(c + 1),
            number(result.balance[c], 3),
            *(f"{count(n)} ({signed(r)})" for n, r in zip(counts, kept, strict=True)),
        ]
        for c, (counts, kept) in enumerate(zip(result.counts[:most_rows], result.residuals, strict=False))
    ]
    rows.append(["graph", number(result.overall_balance, 3), *map(count, result.counts.sum(axis=0))])
    caption = f"{result.attribute}: count (standardized residual) by cluster; Cramér's V {number(result.cramers_v, 3)}"
    left = [f"{len(result.levels) - most_levels} more levels"] if len(result.levels) > most_levels else []
    left += [f"{len(result.counts) - most_rows} more clusters"] if len(result.counts) > most_rows else []
    note = f"... and {' and '.join(left)}; {snippet('all in tidy()')}" if left else ""
    cells = tuple(tuple(row[: 2 + most_levels]) for row in rows)
    return Table(caption, headings("cluster", "balance", *result.levels[:most_levels]), cells, note)


def _prices(partition: Partition) -> Table:
    """Every quantity of the clustering, and of the plain one beside it."""
    both = [partition] if partition.plain is None else [partition, partition.plain]
    rows = tuple(
        (f"{metric} ({attribute})" if attribute else metric, *(_number(value) for _, _, value, _ in same))
        for same in zip(*map(quantities, both), strict=True)
        for metric, attribute, *_ in same[:1]
    )
    if partition.plain is None:
        return Table("", headings("quantity", "value"), rows)
    return Table("Price", headings("quantity", "with constraint", "plain"), rows)


def _number(value: float) -> str:
    """Six digits; a dash for what does not exist, such as the NCut of a cluster without edges."""
    return significant(value, 6) if np.isfinite(value) else DASH


def _solution(partition: Partition) -> Iterator[str]:
    e = partition.embedding
    values = ", ".join(significant(v, 4) for v in np.maximum(e.eigenvalues, 0.0)[:8])
    more = ", ..." if partition.k > 8 else ""
    yield f"Eigenvalues {values}{more}; gap after the last {significant(e.gaps[-1], 3)}"
    yield (
        f"Eigensolver: converged, residuals up to {tiny(e.residuals.max())}; {e.products} matrix-vector products, "
        f"{e.restarts} restarts"
    )
    if e.constraints:
        mark = "holds" if e.holds else "DOES NOT HOLD"
        balances = "; ".join(
            f"{table.attribute} {number(table.smallest_balance, 3)} in the least balanced cluster, "
            f"{number(table.overall_balance, 3)} in the graph"
            for table in partition.compositions
        )
        yield (
            f"Constraint |F'H|, {e.constraints} independent: {tiny(e.violation)} (at most {tiny(CONSTRAINT, 0)}): "
            f"{mark}, for the embedding. It does not bind the clusters that k-means makes of it. Balance: {balances}."
        )


@dataclass(frozen=True, repr=False)
class Partition(Worded):
    """Clusters of the vertices of a graph, what they cut, and how they are made up of groups.

    Attributes
    ----------
    method, title : str
    labels : array of int (n,)
        Cluster of each vertex, 1 the largest.
    nodes : list
        The vertices: as a networkx graph has them (numbers, text and tuples of these), else the text of their names.
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
        k, normalized, n_init, seed, and the weight of the graph.
    plain : Partition or None
        The clustering of the same graph without the constraint.
    notes : tuple of str
    """

    method: str
    title: str
    labels: np.ndarray
    nodes: list[Any]
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

        values = row_labels("truth", truth)
        if len(values) == self.given:
            values = values[self.rows]
        if len(values) != self.n:
            raise InputError(
                "truth", f"has {len(values)} labels and the partition {self.n} vertices; give one a vertex."
            )
        return misclassified(self.labels, values)

    @cached_property
    def estimates(self) -> Estimates:
        """Sizes, shares of groups, balance, association, cuts and eigenvalues, one row each; and the price."""
        return tidy_rows(self)

    def glance(self) -> pd.DataFrame:
        """One row about the partition."""
        return glance_row(self)

    def _content(self) -> Iterator[Block]:
        """Clusters by group, the check of the constraint as a number, and what it costs."""
        yield Title(1, self.title)
        yield Paragraph(attached.clusters(self), "finding")
        if self.compositions:
            yield Paragraph(UNTESTED)
        yield Paragraph(f"{self.n} vertices, {self.edges} edges, {self.k} clusters")
        yield from map(Paragraph, weighing(self))
        for one in self.compositions:
            yield Paragraph(f"Groups: {one.attribute} ({', '.join(one.levels)})")
        yield _clusters(self)
        yield from map(_composition, self.compositions)
        yield _prices(self)
        yield from map(Paragraph, (*_solution(self), *self.notes))

    def _brief(self) -> str:
        counted = f" ({links(self.settings['weight'])})" if "weight" in self.settings else ""
        about = f"{self.method}, {self.n} vertices, {self.edges} edges{counted}, {self.k} clusters"
        balance = (f"mean balance by {c.attribute} {number(c.mean_balance, 3)}" for c in self.compositions)
        return "; ".join([about, *balance, f"{'NCut' if self.normalized else 'RatioCut'} {significant(self._cut, 4)}"])

    @property
    def _cut(self) -> float:
        return self.ncut if self.normalized else self.ratio_cut

    def augment(self, data: Any = None) -> Any:
        """The table of vertices, in the order given, with a column ``.cluster``; missing for vertices left out.

        Without a table, the clustered vertices and their clusters.
        """
        import narwhals as nw
        import pandas as pd

        if data is None:
            return pd.DataFrame({"vertex": self.nodes, ".cluster": self.labels})
        from fairstats.data.tables import Columns

        table = Columns(data)
        if table.n != self.given:
            raise InputError("data", f"has {table.n} rows and the graph {self.given} vertices; give one row a vertex.")
        cluster: list[int | None] = [None] * self.given
        for row, one in zip(self.rows.tolist(), self.labels.tolist(), strict=True):
            cluster[row] = one
        native = nw.to_native(table._frame)
        if hasattr(native, "index"):  # pandas aligns on the index, which may be anything
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
            "nodes": list(map(label, self.nodes)),
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
