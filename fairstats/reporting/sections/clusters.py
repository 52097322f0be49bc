"""Clusters: how the clusters of a graph are made up of groups, and what making them alike costs."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairstats.cluster.describe import quantities
from fairstats.cluster.embedding import CONSTRAINT
from fairstats.cluster.measures import Composition
from fairstats.cluster.partition import Partition
from fairstats.reporting import numbers as words
from fairstats.reporting.bundle import Bundle, name_of
from fairstats.reporting.figures.clusters import clusters as figure
from fairstats.reporting.tables import Heading, Table, table, text

MOST_LEVELS = 6
READING = (
    "Balance is the smallest ratio of two levels' counts within a cluster: 1 is as many of each, 0 that one is absent. "
    "No p-value stands here: the vertices of a graph are not independent, and the clusters were made from it."
)


def clusters(bundle: Bundle) -> dict[str, Any] | None:
    """The context of ``sections/clusters.html.j2``."""
    if not bundle.partitions:
        return None
    return {"reading": READING, "parts": [_part(i, made) for i, made in enumerate(bundle.partitions)]}


def constraint_row(made: Partition) -> tuple[str, str, str, str]:
    """Return statement, value, bound and verdict of the constraint, as a row of a table of guarantees."""
    e = made.embedding
    said = f"{name_of(made)}, k = {made.k}: |F'H|, {e.constraints} constraint{'s' * (e.constraints != 1)}"
    return said, f"{e.violation:.1e}", f"{CONSTRAINT:.0e}", "holds" if e.holds else "does not hold"


def finding(made: Partition) -> str:
    """The clustering in a sentence: the cut, the balance, and both without the constraint."""
    cut, value = ("NCut", made.ncut) if made.normalized else ("RatioCut", made.ratio_cut)
    said = f"{made.n} vertices in {made.k} clusters: {cut} {words.compact(value)}"
    if made.plain is not None:
        without = made.plain.ncut if made.normalized else made.plain.ratio_cut
        said += f" ({words.compact(without)} without the constraint)"
    for i, found in enumerate(made.compositions):
        said += f"; mean balance of {found.attribute} {words.number(found.mean_balance, 3)}"
        if made.plain is not None:
            said += f" ({words.number(made.plain.compositions[i].mean_balance, 3)} without it)"
    return said + "."


def _part(index: int, made: Partition) -> dict[str, Any]:
    return {
        "heading": f"{name_of(made)}, {'normalized' if made.normalized else 'unnormalized'} form, k = {made.k}",
        "sentence": finding(made),
        "solution": _solution(made),
        "price": _price(made),
        "tables": [_composition(made, found) for found in made.compositions],
        "figures": [
            figure(f"clusters-{index}-{a}", found, caption=caption_of(found))
            for a, found in enumerate(made.compositions)
        ],
        "notes": list(made.notes),
    }


def _solution(made: Partition) -> str:
    e = made.embedding
    kept = ", ".join(f"{v:.4g}" for v in np.maximum(e.eigenvalues, 0.0)[:10])
    said = (
        f"Eigenvalues {kept}{', ...' if made.k > 10 else ''}; gap after the last {e.gaps[-1]:.3g}. The eigensolver "
        f"converged in {e.products} matrix-vector products, with residuals up to {e.residuals.max():.1e}."
    )
    if e.constraints:
        _, value, bound, verdict = constraint_row(made)
        said += (
            f" The constraint of the embedding, |F'H| = {value} (at most {bound}), {verdict}; k-means keeps it in "
            "part, and the balance says how much."
        )
    return said


def _price(made: Partition) -> Table:
    plain = made.plain
    theirs = [""] * 99 if plain is None else [words.compact(value) for _, _, value, _ in quantities(plain)]
    headings = [text("quantity"), Heading("this clustering" if plain is None else "with constraint")]
    headings += [] if plain is None else [Heading("without")]
    rows = [
        (f"{metric} ({attribute})" if attribute else metric, words.compact(value), *([other] if plain else []))
        for (metric, attribute, value, _), other in zip(quantities(made), theirs, strict=False)
    ]
    note = "tr(H'LH) is what the eigenvectors minimize; cuts and balance are those of the clusters after k-means."
    caption = "Quantities of the clustering" if plain is None else "The price of the constraint"
    return table(caption, headings, rows, note)


def _composition(made: Partition, found: Composition) -> Table:
    levels = found.levels[:MOST_LEVELS]
    headings = [text("cluster"), Heading("n"), Heading("cut/volume"), Heading("balance"), *map(Heading, levels)]
    with np.errstate(invalid="ignore"):
        cuts = made.cuts.cuts / made.cuts.volumes
    rows = [
        (
            str(c + 1),
            words.count(made.cuts.sizes[c]),
            words.number(float(cuts[c]), 4),
            words.number(float(found.balance[c]), 3),
            *(f"{found.counts[c, g]} ({found.residuals[c, g]:+.1f})" for g in range(len(levels))),
        )
        for c in range(made.k)
    ]
    note = (
        f"Counts, in brackets the standardised residual. Cramér's V {words.number(found.cramers_v, 3)}; balance of all "
        f"vertices {words.number(found.overall_balance, 3)}."
    )
    if len(found.levels) > MOST_LEVELS:
        note += f" {len(found.levels) - MOST_LEVELS} more levels stand in results.csv."
    return table(f"Clusters by {found.attribute}", headings, rows, note)


def caption_of(found: Composition) -> str:
    """The cell of the table that is furthest from what the graph has, in words."""
    c, g = np.unravel_index(int(np.argmax(np.abs(found.residuals))), found.residuals.shape)
    overall = found.counts[:, g].sum() / found.counts.sum()
    return (
        f"Cluster {c + 1} departs most: {words.percent(found.shares[c, g])} % have {found.attribute} = "
        f"{found.levels[int(g)]}, against "
        f"{words.percent(overall)} % of all vertices."
    )
