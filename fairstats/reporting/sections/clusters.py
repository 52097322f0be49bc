"""Clusters: how the clusters of a graph are made up of groups, and what making them alike costs."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairstats.cluster.describe import quantities
from fairstats.cluster.embedding import CONSTRAINT
from fairstats.cluster.measures import Composition
from fairstats.cluster.partition import Partition
from fairstats.comparing.result import Comparison
from fairstats.language import again, mark, say, say_number
from fairstats.reporting import numbers as words
from fairstats.reporting.bundle import Bundle, name_of
from fairstats.reporting.figures.clusters import clusters as figure
from fairstats.reporting.tables import Heading, Table, table, text

MOST_LEVELS = 6
READING = mark(
    "Balance is the smallest ratio of two levels' counts within a cluster: 1 is as many of each, 0 that one is absent. "
    "No p-value stands here: the vertices of a graph are not independent, and the clusters were made from it."
)


QUANTITIES = {
    "RatioCut": mark("edge weight a vertex that leads out, summed over the clusters (RatioCut)"),
    "NCut": mark("share of edge weight that leads out, summed over the clusters (NCut)"),
    "tr(H'LH)": mark("what the eigenvectors make smallest (tr(H'LH))"),
    "Cramer's V": mark("Cramér's V"),
}


def clusters(bundle: Bundle) -> dict[str, Any] | None:
    """The context of ``sections/clusters.html.j2``."""
    if not bundle.partitions:
        return None
    parts = [_part(i, partition) for i, partition in enumerate(bundle.partitions)]
    if bundle.audit is None and not bundle.fits and not any(isinstance(one, Comparison) for one in bundle.others):
        for part in parts:  # page one says it, and draws the first
            part["sentence"] = ""
        drawn = next((part for part in parts if part["figures"]), None)
        if drawn is not None:
            drawn["figures"] = drawn["figures"][1:]
    return {"reading": say(READING), "parts": parts}


def constraint_row(partition: Partition) -> tuple[str, str, str, str]:
    """Return statement, value, bound and verdict of the constraint, as a row of a table of guarantees."""
    e = partition.embedding
    statement = say_number(
        "{method}, k = {k}: |F'H|, {n} constraint",
        "{method}, k = {k}: |F'H|, {n} constraints",
        e.constraints,
        method=name_of(partition),
        k=partition.k,
        n=e.constraints,
    )
    holds = say("holds") if e.holds else say("does not hold")
    return statement, words.tiny(e.violation), words.tiny(CONSTRAINT, 0), holds


def finding(partition: Partition) -> str:
    """The clustering in sentences: where it is farthest from the graph's proportions, and the edges that lead out."""
    said = [_departing(partition, i) for i in range(len(partition.compositions))]
    if not said:
        said = [say("{n} vertices in {k} clusters.", n=words.count(partition.n), k=partition.k)]
    return " ".join([*said, _leaving(partition)])


def _departing(partition: Partition, at: int) -> str:
    """The share of a group in the cluster that departs most, beside all vertices; and the same without a constraint."""
    own, plain = partition.compositions[at], partition.plain
    values = {"n": words.count(partition.n), "k": partition.k} | farthest(own)
    if plain is None:
        return say(
            "Of {k} clusters the one that departs most has {share} % with {attribute} = {level}, against {overall} % "
            "of all {n} vertices.",
            **values,
        )
    free = {f"free_{name}": value for name, value in farthest(plain.compositions[at]).items()}
    return say(
        "Of {k} clusters the one that departs most has {share} % with {attribute} = {level}, against {overall} % of "
        "all {n} vertices; without the constraint it has {free_share} % with {attribute} = {free_level}, against "
        "{free_overall} %.",
        **values,
        **free,
    )


def farthest(composition: Composition) -> dict[str, str]:
    """The cell of the table that is furthest from what the graph has: its cluster, group and both shares."""
    residuals = np.abs(np.nan_to_num(composition.residuals))
    c, g = np.unravel_index(int(np.argmax(residuals)), residuals.shape)
    overall = composition.counts[:, g].sum() / composition.counts.sum()
    return {
        "c": str(c + 1),
        "share": words.percent(composition.shares[c, g]),
        "attribute": composition.attribute,
        "level": composition.levels[int(g)],
        "overall": words.percent(overall),
    }


def _leaving(partition: Partition) -> str:
    """What of the edges leads out of a cluster: the mean over the clusters, of which NCut and RatioCut are the sum."""
    k, plain = partition.k, partition.plain
    if partition.normalized:
        own = words.percent(partition.ncut / k)
        if plain is None:
            return say("On average {share} % of the edge weight of a cluster leads out of it.", share=own)
        return say(
            "The price: on average {share} % of the edge weight of a cluster leads out of it, {free} % without the "
            "constraint.",
            share=own,
            free=words.percent(plain.ncut / k),
        )
    own = words.compact(partition.ratio_cut / k)
    if plain is None:
        return say("On average an edge weight of {weight} a vertex leads out of a cluster.", weight=own)
    return say(
        "The price: on average an edge weight of {weight} a vertex leads out of a cluster, {free} without the "
        "constraint.",
        weight=own,
        free=words.compact(plain.ratio_cut / k),
    )


def _part(index: int, partition: Partition) -> dict[str, Any]:
    form = say("normalized form") if partition.normalized else say("unnormalized form")
    return {
        "heading": f"{name_of(partition)}, {form}, k = {partition.k}",
        "sentence": finding(partition),
        "solution": _solution(partition),
        "price": _price(partition),
        "tables": [_composition(partition, composition) for composition in partition.compositions],
        "figures": [
            figure(f"clusters-{index}-{a}", composition, caption=caption_of(composition))
            for a, composition in enumerate(partition.compositions)
        ],
        "notes": [again(note) for note in partition.notes],
    }


def _solution(partition: Partition) -> str:
    e = partition.embedding
    kept = ", ".join(words.significant(v, 4) for v in np.maximum(e.eigenvalues, 0.0)[:10])
    sentence = say(
        "Eigenvalues {values}; gap after the last {gap}. The eigensolver converged in {n} matrix-vector products, with "
        "residuals up to {residual}.",
        values=f"{kept}{', ...' if partition.k > 10 else ''}",
        gap=words.significant(e.gaps[-1], 3),
        n=words.count(e.products),
        residual=words.tiny(e.residuals.max()),
    )
    if e.constraints:
        _, value, bound, verdict = constraint_row(partition)
        held = say(
            "The constraint of the embedding, |F'H| = {value} (at most {bound}), {holds}; k-means keeps it in part, "
            "and the balance says how much.",
            value=value,
            bound=bound,
            holds=verdict,
        )
        sentence = f"{sentence} {held}"
    return sentence


def _price(partition: Partition) -> Table:
    plain = partition.plain
    theirs = [""] * 99 if plain is None else [words.compact(value) for _, _, value, _ in quantities(plain)]
    headings = [text(say("quantity"))]
    headings.append(Heading(say("this clustering") if plain is None else say("with constraint")))
    headings += [] if plain is None else [Heading(say("without"))]
    rows = [
        (
            f"{_quantity(metric)} ({attribute})" if attribute else _quantity(metric),
            words.compact(value),
            *([other] if plain else []),
        )
        for (metric, attribute, value, _), other in zip(quantities(partition), theirs, strict=False)
    ]
    note = say(
        "tr(H'LH) is of the eigenvectors; all else is of the clusters that k-means makes of them. Cramér's V: 0 where "
        "clusters and groups are unrelated, 1 where one tells the other."
    )
    caption = say("Quantities of the clustering") if plain is None else say("The price of the constraint")
    return table(caption, headings, rows, note)


def _quantity(metric: str) -> str:
    return say(QUANTITIES[metric]) if metric in QUANTITIES else again(metric)


def _composition(partition: Partition, composition: Composition) -> Table:
    levels = composition.levels[:MOST_LEVELS]
    headings = [text(say("cluster")), Heading("n"), Heading(say("cut/volume")), Heading(say("balance"))]
    headings += map(Heading, levels)
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
    note = say(
        "Counts; in brackets how far they are from the graph's proportions, in standard deviations (standardized "
        "residual). Cut/volume: the share of a cluster's edge weight that leads out of it. Balance of all vertices: "
        "{balance}.",
        balance=words.number(composition.overall_balance, 3),
    )
    if len(composition.levels) > MOST_LEVELS:
        missing = say("{n} more levels stand in results.csv.", n=len(composition.levels) - MOST_LEVELS)
        note = f"{note} {missing}"
    return table(say("Clusters by {attribute}", attribute=composition.attribute), headings, rows, note)


def caption_of(composition: Composition) -> str:
    """The cell of the table that is furthest from what the graph has, in words."""
    return say(
        "Cluster {c} departs most: {share} % have {attribute} = {level}, against {overall} % of all vertices (dashed).",
        **farthest(composition),
    )
