"""``fairstats cluster``: edges and people in, clusters and how they are made up of groups out."""

from __future__ import annotations

from typing import Any

import click

from fairstats.cli.options import GROUPS, one_or_several, options, report_words
from fairstats.cli.outputs import Outputs, outputs, write_report
from fairstats.cli.terminal import say


@click.command(short_help="Cluster a graph so that clusters hold each group as the graph does.")
@click.argument("edges")
@options(
    click.option("--nodes", metavar="FILE", help="Table with one row a vertex: its name and its groups."),
    GROUPS,
    click.option("-k", "k", type=int, default=2, show_default=True, help="Number of clusters."),
    click.option("--from", "source", metavar="COLUMN", help="Column of EDGES with one end. [the first]"),
    click.option("--to-node", "target", metavar="COLUMN", help="Column of EDGES with the other end. [the second]"),
    click.option("--weight", metavar="COLUMN", help="Column of EDGES with weights. [weight, where there is one]"),
    click.option("--id", "id", metavar="COLUMN", help="Column of the node table with the names. [the first]"),
    click.option("--normalized/--unnormalized", default=True, show_default=True,
                 help="Balance the volumes of clusters (NCut) or their sizes (RatioCut)."),
    click.option("--largest-component", is_flag=True, help="Cluster the largest connected component only."),
    click.option("--missing", type=click.Choice(["raise", "level"]), default="raise", show_default=True,
                 help="Vertices without a group are an error, or a group of their own."),
    click.option("--plain", is_flag=True, help="Without the constraint: groups are described, not balanced."),
    click.option("--starts", type=int, default=10, show_default=True, help="Starts of k-means."),
    click.option("--seed", type=int, default=0, show_default=True, help="Seed of all starts."),
    click.option("--summary", "print_summary", is_flag=True, help="Print the clustering although files are written."),
    outputs(".csv, .parquet ...: the vertices with their clusters; .npz: the clustering; .html, .pdf, .json: report",
            "table", "saved", "report", default="csv", can_open=True),
    report_words,
)  # fmt: skip
def cluster(edges: str, nodes: str | None, groups: list[str], k: int, source: str | None, target: str | None,
            weight: str | None, id: str | None, largest_component: bool, plain: bool, print_summary: bool,
            out: Outputs, words: dict[str, Any], **choices: Any) -> None:  # fmt: skip
    """Cluster the graph of EDGES, a table with one row an edge.

    Prints the clustering, or writes the vertices with their cluster (.csv, .parquet, ...) or a report (.html, .pdf,
    .json) where --to names files.

    \b
      fairstats cluster edges.csv --nodes nodes.csv --groups gender -k 5 \\
        --to clusters.csv --to clusters.pdf
    """
    out.check([edges, nodes])
    if not plain and not (nodes and groups):
        raise click.UsageError("name the groups with --nodes and --groups, or cluster without them by --plain.")
    if groups and not nodes:
        raise click.UsageError("--groups names columns of the node table; give it with --nodes.")
    import fairstats
    from fairstats.data.sources import read_table

    people = read_table(nodes, labels=[*groups, *filter(None, [id])]).frame if nodes else None
    graph = fairstats.graph(
        read_table(edges, labels=filter(None, [source, target])).frame,
        nodes=people,
        source=source,
        target=target,
        weight=weight,
        id=id,
        component="largest" if largest_component else "all",
    )
    method = fairstats.spectral if plain else fairstats.fair_spectral
    partition = method(graph, one_or_several(groups), k, **choices)
    write_report(out, [partition], words, table=lambda: _vertices(partition, people), saved=lambda: partition)
    if not out.on_stdout and (print_summary or not out):
        say(partition.summary())


def _vertices(partition: Any, people: Any) -> Any:
    """The node table with the clusters added; without one, the names of the vertices and their clusters."""
    import pandas as pd

    return (
        partition.augment(people)
        if people is not None
        else pd.DataFrame({"vertex": partition.nodes, ".cluster": partition.labels})
    )
