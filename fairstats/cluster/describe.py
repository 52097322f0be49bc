"""The tidy rows, the one-row glance, the text summary and the price table of a partition."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from fairstats.cluster.embedding import CONSTRAINT
from fairstats.cluster.measures import Composition
from fairstats.estimates import Estimate, Estimates
from fairstats.text import count, number, signed, significant, tiny

if TYPE_CHECKING:
    import pandas as pd

    from fairstats.cluster.partition import Partition

WIDTH = 80
BESIDE = "plain spectral clustering"
RATIO = "smallest over largest count of a level"
CUT = {"RatioCut": "sum over the clusters of cut over size", "NCut": "sum over the clusters of cut over volume"}


def quantities(partition: Partition) -> Iterator[tuple[str, str, float, str]]:
    """(metric, attribute, value, method) of everything that is compared with the plain clustering."""
    yield "RatioCut", "", partition.ratio_cut, CUT["RatioCut"]
    yield "NCut", "", partition.ncut, CUT["NCut"]
    yield "tr(H'LH)", "", partition.embedding.objective, "sum of the eigenvalues of the embedding"
    for table in partition.compositions:
        yield "mean balance", table.attribute, table.mean_balance, f"mean over the clusters of {RATIO}"
        yield "smallest balance", table.attribute, table.smallest_balance, f"least balanced cluster, {RATIO}"
        yield "Cramer's V", table.attribute, table.cramers_v, "clusters by groups, descriptive"


def tidy_rows(partition: Partition) -> Estimates:
    """The rows of ``Partition.estimates``."""
    rows = [row for table in partition.compositions for row in _of_clusters(partition, table)]
    for metric, attribute, value, method in quantities(partition):
        rows.append(Estimate(metric, attribute, n=float(partition.n), estimate=value, method=method))
    method = "Laplacian within the constraints"
    for j, value in enumerate(partition.eigenvalues.tolist()):
        rows.append(Estimate("eigenvalue", term=f"eigenvalue {j + 1}", role="component", estimate=value, method=method))
    if np.isfinite(partition.embedding.following):
        gap, last = float(partition.embedding.gaps[-1]), f"eigenvalue {len(partition.eigenvalues)}"
        method = "next eigenvalue (from above) minus the last one"
        rows.append(Estimate("eigengap", term=last, role="component", estimate=gap, method=method))
    if partition.embedding.constraints:
        rows.append(
            Estimate(
                "|F'H|",
                role="guarantee",
                n=float(partition.n),
                estimate=partition.embedding.violation,
                method="Frobenius norm",
            )
        )
    return Estimates([*rows, *price_rows(partition)])


def _of_clusters(partition: Partition, table: Composition) -> Iterator[Estimate]:
    sizes, residuals = partition.cuts.sizes, table.residuals
    for c in range(partition.k):
        term = f"cluster {c + 1}"
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
                method="statistic: standardized residual, descriptive",
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


def summarize(partition: Partition) -> str:
    """The text of ``Partition.summary``."""
    lines = [partition.title, f"{partition.n} vertices, {partition.edges} edges, {partition.k} clusters"]
    for table in partition.compositions:
        lines += textwrap.wrap(f"Groups: {table.attribute} ({', '.join(table.levels)})", WIDTH, subsequent_indent="  ")
    lines += ["", *_clusters(partition)]
    for table in partition.compositions:
        lines += ["", *_composition(table)]
    lines += ["", *price_table(partition), "", *_solution(partition)]
    for note in partition.notes:
        lines += ["", *textwrap.wrap(note, WIDTH)]
    return "\n".join(lines)


def _clusters(partition: Partition, most: int = 20) -> list[str]:
    cuts = partition.cuts
    lines = ["cluster     size       volume          cut   cut/size   cut/volume"]
    for c in range(min(partition.k, most)):
        volume = cuts.volumes[c]
        share = f"{number(cuts.cuts[c] / volume, 4):>12}" if volume else f"{'-':>12}"
        lines.append(
            f"{c + 1:>7} {number(cuts.sizes[c], 0):>8} {significant(volume, 6):>12} {significant(cuts.cuts[c], 6):>12} "
            f"{significant(cuts.cuts[c] / cuts.sizes[c], 4):>10} {share}"
        )
    return lines + ([f"  ... and {partition.k - most} more; all in tidy()"] if partition.k > most else [])


def _composition(table: Composition, most_rows: int = 20, most_levels: int = 4) -> list[str]:
    shown = table.levels[:most_levels]
    lines = [
        f"{table.attribute}: count (standardized residual) by cluster; Cramér's V {number(table.cramers_v, 3)}",
        "cluster  balance" + "".join(f"{level[:14]:>16}" for level in shown),
    ]
    for c, counts in enumerate(table.counts[:most_rows]):
        cells = [f"{count(n)} ({signed(r)})" for n, r in zip(counts[:most_levels], table.residuals[c], strict=False)]
        lines.append(f"{c + 1:>7} {number(table.balance[c], 3):>8}" + "".join(f"{cell:>16}" for cell in cells))
    totals = table.counts.sum(axis=0)[:most_levels]
    lines.append(f"{'graph':>7} {number(table.overall_balance, 3):>8}" + "".join(f"{count(n):>16}" for n in totals))
    left = [f"{len(table.levels) - most_levels} more levels"] if len(table.levels) > most_levels else []
    left += [f"{len(table.counts) - most_rows} more clusters"] if len(table.counts) > most_rows else []
    return lines + ([f"  ... and {' and '.join(left)}; all in tidy()"] if left else [])


def price_table(partition: Partition) -> list[str]:
    """Every quantity of the clustering, and of the plain one beside it."""
    if partition.plain is None:
        return [
            f"{_named(metric, attribute):<36} {_number(value):>12}"
            for metric, attribute, value, _ in quantities(partition)
        ]
    lines = ["Price" + " " * 32 + "with constraint        plain"]
    for (metric, attribute, ours, _), (_, _, theirs, _) in zip(
        quantities(partition), quantities(partition.plain), strict=True
    ):
        lines.append(f"  {_named(metric, attribute):<34} {_number(ours):>15} {_number(theirs):>12}")
    return lines


def _number(value: float) -> str:
    """Six digits; a dash for what does not exist, such as the NCut of a cluster without edges."""
    return significant(value, 6) if np.isfinite(value) else "-"


def _named(metric: str, attribute: str) -> str:
    return f"{metric} ({attribute[:16]})" if attribute else metric


def _solution(partition: Partition) -> list[str]:
    e = partition.embedding
    values = ", ".join(significant(v, 4) for v in np.maximum(e.eigenvalues, 0.0)[:8]) + (
        ", ..." if partition.k > 8 else ""
    )
    lines = textwrap.wrap(f"Eigenvalues {values}; gap after the last {significant(e.gaps[-1], 3)}", WIDTH)
    lines += textwrap.wrap(
        f"Eigensolver: converged, residuals up to {tiny(e.residuals.max())}; {e.products} matrix-vector products, "
        f"{e.restarts} restarts",
        WIDTH,
    )
    if e.constraints:
        mark = "holds" if e.holds else "DOES NOT HOLD"
        lines += textwrap.wrap(
            f"Constraint |F'H|, {e.constraints} independent: {tiny(e.violation)} (at most {tiny(CONSTRAINT, 0)}): "
            f"{mark}. It is one of the embedding; k-means keeps it in part, see the balance.",
            WIDTH,
        )
    return lines
