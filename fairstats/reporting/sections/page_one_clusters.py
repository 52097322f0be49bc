"""Page one of a clustering: whether the clusters hold the groups in the graph's proportions, and what that costs."""

from __future__ import annotations

from typing import Any

from fairstats.cluster.measures import Composition
from fairstats.language import mark, say
from fairstats.reporting import numbers as words
from fairstats.reporting.bundle import Bundle, name_of
from fairstats.reporting.figures.clusters import clusters
from fairstats.reporting.sections.clusters import caption_of, finding
from fairstats.reporting.sections.page_one_parts import blank, source_line, who_and_when
from fairstats.text import listed

MOST_LEVELS = 6
CLUSTER = mark(
    "Vertices are the people or things that a graph links, edges are its links. A cluster is a set of vertices that "
    "are linked more closely among themselves than with others: the less edge weight leads out of it, the better it is "
    "separated. Edge weight is how strong the links are; where all count alike, it is their number."
)
UNTESTED = mark(
    "There are no intervals and no tests: the edges of a graph are not independent, and the clusters were made from "
    "them, so how far chance reaches cannot be said."
)


def clusters_page(bundle: Bundle) -> dict[str, Any]:
    """The context of page one of a report on clusterings."""
    first, made = bundle.partitions[0], [one for part in bundle.partitions for one in part.compositions]
    bound = [part for part in bundle.partitions if part.plain is not None]
    counted = say("Graph of {n} vertices and {edges} edges", n=words.count(first.n), edges=words.count(first.edges))
    groups = listed(list(dict.fromkeys(one.attribute for one in made))) if made else ""
    return blank() | {
        "who": f"{counted} · {who_and_when(bundle)}",
        "question": _question(groups, bool(bound)),
        "sentence": " ".join(map(finding, bundle.partitions)),
        "context": [*dict.fromkeys(map(_levels, made)), *dict.fromkeys(map(_constraint, bound)), say(CLUSTER)],
        "figures": [clusters("page-one", made[0], caption=caption_of(made[0]))] if made else [],
        "unshown": [*_unshown(bool(made), bool(bound)), say(UNTESTED)],
        "source": source_line(bundle),
    }


def _question(groups: str, bound: bool) -> str:
    if not groups:
        return say("How well are the clusters separated from each other?")
    if not bound:
        return say("Does every cluster hold the groups of {groups} in the proportions of the graph?", groups=groups)
    return say(
        "Does every cluster hold the groups of {groups} in the proportions of the graph, and what does that cost?",
        groups=groups,
    )


def _levels(composition: Composition) -> str:
    """The groups of an attribute with their counts."""
    totals = composition.counts.sum(axis=0)
    each = [f"{level} ({words.count(n)})" for level, n in zip(composition.levels, totals, strict=True)]
    return say("Groups of {attribute}: {levels}.", attribute=composition.attribute, levels=listed(each, MOST_LEVELS))


def _constraint(partition: object) -> str:
    """What the constraint asks for, and what it is beside."""
    return say(
        "{method} asks that every cluster hold the groups in the proportions of the whole graph, which is the "
        "constraint; without it stands the ordinary clustering of the same graph into as many clusters.",
        method=name_of(partition),
    )


def _unshown(grouped: bool, bound: bool) -> list[str]:
    said = []
    if grouped:
        said.append(say("It does not show why groups are linked as they are, nor that equal proportions are fair."))
    if bound:
        said.append(
            say(
                "The constraint holds for the numbers that the clusters are made from; the clusters keep it in part, "
                "as the picture shows."
            )
        )
    return said
