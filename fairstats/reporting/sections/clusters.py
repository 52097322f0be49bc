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
    return {"reading": READING, "parts": [_part(i, partition) for i, partition in enumerate(bundle.partitions)]}


def constraint_row(partition: Partition) -> tuple[str, str, str, str]:
    """Return statement, value, bound and verdict of the constraint, as a row of a table of guarantees."""
    e = partition.embedding
    statement = (
        f"{name_of(partition)}, k = {partition.k}: |F'H|, {e.constraints} constraint{'s' * (e.constraints != 1)}"
    )
    return statement, words.tiny(e.violation), words.tiny(CONSTRAINT, 0), "holds" if e.holds else "does not hold"


def finding(partition: Partition) -> str:
    """The clustering in a sentence: the cut, the balance, and both without the constraint."""
    cut, value = ("NCut", partition.ncut) if partition.normalized else ("RatioCut", partition.ratio_cut)
    sentence = f"{partition.n} vertices in {partition.k} clusters: {cut} {words.compact(value)}"
    if partition.plain is not None:
        without = partition.plain.ncut if partition.normalized else partition.plain.ratio_cut
        sentence += f" ({words.compact(without)} without the constraint)"
    for i, composition in enumerate(partition.compositions):
        sentence += f"; mean balance of {composition.attribute} {words.number(composition.mean_balance, 3)}"
        if partition.plain is not None:
            sentence += f" ({words.number(partition.plain.compositions[i].mean_balance, 3)} without it)"
    return sentence + "."


def _part(index: int, partition: Partition) -> dict[str, Any]:
    form = "normalized" if partition.normalized else "unnormalized"
    return {
        "heading": f"{name_of(partition)}, {form} form, k = {partition.k}",
        "sentence": finding(partition),
        "solution": _solution(partition),
        "price": _price(partition),
        "tables": [_composition(partition, composition) for composition in partition.compositions],
        "figures": [
            figure(f"clusters-{index}-{a}", composition, caption=caption_of(composition))
            for a, composition in enumerate(partition.compositions)
        ],
        "notes": list(partition.notes),
    }


def _solution(partition: Partition) -> str:
    e = partition.embedding
    kept = ", ".join(words.significant(v, 4) for v in np.maximum(e.eigenvalues, 0.0)[:10])
    sentence = (
        f"Eigenvalues {kept}{', ...' if partition.k > 10 else ''}; gap after the last "
        f"{words.significant(e.gaps[-1], 3)}. The "
        f"eigensolver converged in {words.count(e.products)} matrix-vector products, with residuals up to "
        f"{words.tiny(e.residuals.max())}."
    )
    if e.constraints:
        _, value, bound, verdict = constraint_row(partition)
        sentence += (
            f" The constraint of the embedding, |F'H| = {value} (at most {bound}), {verdict}; k-means keeps it in "
            "part, and the balance says how much."
        )
    return sentence


def _price(partition: Partition) -> Table:
    plain = partition.plain
    theirs = [""] * 99 if plain is None else [words.compact(value) for _, _, value, _ in quantities(plain)]
    headings = [text("quantity"), Heading("this clustering" if plain is None else "with constraint")]
    headings += [] if plain is None else [Heading("without")]
    rows = [
        (f"{metric} ({attribute})" if attribute else metric, words.compact(value), *([other] if plain else []))
        for (metric, attribute, value, _), other in zip(quantities(partition), theirs, strict=False)
    ]
    note = "tr(H'LH) is what the eigenvectors minimize; cuts and balance are those of the clusters after k-means."
    caption = "Quantities of the clustering" if plain is None else "The price of the constraint"
    return table(caption, headings, rows, note)


def _composition(partition: Partition, composition: Composition) -> Table:
    levels = composition.levels[:MOST_LEVELS]
    headings = [text("cluster"), Heading("n"), Heading("cut/volume"), Heading("balance"), *map(Heading, levels)]
    with np.errstate(invalid="ignore"):
        cuts = partition.cuts.cuts / partition.cuts.volumes
    rows = [
        (
            str(c + 1),
            words.count(partition.cuts.sizes[c]),
            words.number(float(cuts[c]), 4),
            words.number(float(composition.balance[c]), 3),
            *(
                f"{words.count(composition.counts[c, g])} ({words.signed(composition.residuals[c, g])})"
                for g in range(len(levels))
            ),
        )
        for c in range(partition.k)
    ]
    note = (
        f"Counts, in brackets the standardized residual. Cramér's V {words.number(composition.cramers_v, 3)}; balance "
        f"of all vertices {words.number(composition.overall_balance, 3)}."
    )
    if len(composition.levels) > MOST_LEVELS:
        note += f" {len(composition.levels) - MOST_LEVELS} more levels stand in results.csv."
    return table(f"Clusters by {composition.attribute}", headings, rows, note)


def caption_of(composition: Composition) -> str:
    """The cell of the table that is furthest from what the graph has, in words."""
    c, g = np.unravel_index(int(np.argmax(np.abs(composition.residuals))), composition.residuals.shape)
    overall = composition.counts[:, g].sum() / composition.counts.sum()
    return (
        f"Cluster {c + 1} departs most: {words.percent(composition.shares[c, g])} % have {composition.attribute} = "
        f"{composition.levels[int(g)]}, against "
        f"{words.percent(overall)} % of all vertices."
    )
