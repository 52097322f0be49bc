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
    """The clustering in a sentence: the balance, the edges that leave a cluster, and both without the constraint."""
    plain = partition.plain
    said = [say("{n} vertices in {k} clusters", n=words.count(partition.n), k=partition.k)]
    for i, composition in enumerate(partition.compositions):
        about = {"attribute": composition.attribute, "balance": words.number(composition.mean_balance, 3)}
        if plain is None:
            said.append(say("mean balance of {attribute} {balance}", **about))
        else:
            free = words.number(plain.compositions[i].mean_balance, 3)
            said.append(
                say("mean balance of {attribute} {balance} ({free} without the constraint)", free=free, **about)
            )
    said.append(_leaving(partition))
    return f"{'; '.join(said)}."


def _leaving(partition: Partition) -> str:
    """What of the edges leads out of a cluster: the mean over the clusters, of which NCut and RatioCut are the sum."""
    k, plain = partition.k, partition.plain
    if partition.normalized:
        own = words.percent(partition.ncut / k)
        if plain is None:
            return say("on average {share} % of the edge weight of a cluster leads out of it", share=own)
        return say(
            "on average {share} % of the edge weight of a cluster leads out of it ({free} % without the constraint)",
            share=own,
            free=words.percent(plain.ncut / k),
        )
    own = words.compact(partition.ratio_cut / k)
    if plain is None:
        return say("on average an edge weight of {weight} a vertex leads out of a cluster", weight=own)
    return say(
        "on average an edge weight of {weight} a vertex leads out of a cluster ({free} without the constraint)",
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
            f"{again(metric)} ({attribute})" if attribute else again(metric),
            words.compact(value),
            *([other] if plain else []),
        )
        for (metric, attribute, value, _), other in zip(quantities(partition), theirs, strict=False)
    ]
    note = say("tr(H'LH) is what the eigenvectors minimize; cuts and balance are those of the clusters after k-means.")
    caption = say("Quantities of the clustering") if plain is None else say("The price of the constraint")
    return table(caption, headings, rows, note)


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
        "Counts, in brackets the standardized residual. Cramér's V {v}; balance of all vertices {balance}.",
        v=words.number(composition.cramers_v, 3),
        balance=words.number(composition.overall_balance, 3),
    )
    if len(composition.levels) > MOST_LEVELS:
        missing = say("{n} more levels stand in results.csv.", n=len(composition.levels) - MOST_LEVELS)
        note = f"{note} {missing}"
    return table(say("Clusters by {attribute}", attribute=composition.attribute), headings, rows, note)


def caption_of(composition: Composition) -> str:
    """The cell of the table that is furthest from what the graph has, in words."""
    c, g = np.unravel_index(int(np.argmax(np.abs(composition.residuals))), composition.residuals.shape)
    overall = composition.counts[:, g].sum() / composition.counts.sum()
    return say(
        "Cluster {c} departs most: {share} % have {attribute} = {level}, against {overall} % of all vertices.",
        c=c + 1,
        share=words.percent(composition.shares[c, g]),
        attribute=composition.attribute,
        level=composition.levels[int(g)],
        overall=words.percent(overall),
    )
