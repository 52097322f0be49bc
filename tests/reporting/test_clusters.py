"""Clusters in a report: the section, its figure, the JSON, and what a page without groups leaves out."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.cluster.embedding import Composition
from fairstats.errors import InputError
from fairstats.estimates import GLOSSARY
from fairstats.reporting.figures.fits import cluster_shares as clusters


@pytest.fixture(scope="module")
def partition() -> fairstats.Partition:
    result = fairstats.simulate.sbm(200, 3, (0.5, 0.3, 0.2), (0.5, 0.3, 0.2, 0.05), seed=1)
    names = np.array(["", "<b>north</b>", "south", "$east$"], dtype=object)[result.table["group"]]
    return fairstats.fair_spectral_clustering(result, {"region": names, "sex": np.arange(200) % 2}, 3)


def test_the_section_has_the_price_the_tables_and_the_figures(partition: fairstats.Partition) -> None:
    page = fairstats.report(partition, title="t").html
    body = page[page.index('<section id="clusters"') :]
    assert "The price of proportional clusters" in body and "Clusters by region" in body and "Clusters by sex" in body
    assert body.count("<figure") == 1 and page.count("<figure") == 2  # the first is on page one
    assert "&lt;b&gt;north" in body and "<b>north" not in page
    assert f"{partition.compositions[0].smallest_balance:.3f}" in body
    text = re.sub(r"<[^>]*>", " ", body[: body.index("</section>")])
    assert not re.search(r"\b(fair|unfair|biased|nan)\b", text, re.I)
    ids = re.findall(r'\bid="([^"]*)"', page)
    assert len(ids) == len(set(ids))


def test_every_number_of_the_partition_is_in_the_json_and_every_row_in_the_csv(partition: fairstats.Partition) -> None:
    report = fairstats.report(partition)
    document = json.loads(report.json)
    (written,) = document["partitions"]
    assert written["schema"] == "fairstats/partition/1" and written["labels"] == partition.labels.tolist()
    assert written["estimates"] == partition.estimates.to_records() and document["fits"] == []
    lines = report.csv.splitlines()
    assert lines[0] == ",".join(["result", *GLOSSARY]) and len(lines) == 1 + len(partition.estimates)


def test_a_clustering_without_groups_or_constraint_has_a_page_too() -> None:
    result = fairstats.simulate.sbm(100, 2, 1, (0.5, 0.3, 0.1, 0.05), seed=1)
    page = fairstats.report(fairstats.spectral_clustering(result, k=2)).html
    assert "Quantities of the clustering" in page and "without the constraint" not in page
    assert "<figure" not in page[page.index('<section id="clusters"') :]
    with pytest.raises(InputError, match="nothing to draw"):
        fairstats.plot(fairstats.spectral_clustering(result, k=2))


def test_an_audit_and_a_clustering_share_a_report(partition: fairstats.Partition) -> None:
    audit = fairstats.audit({"sex": ["f", "m"] * 40, "hired": [0, 1, 1, 1] * 20}, decision="hired", groups="sex")
    page = fairstats.report(audit, partition).html
    assert page.index('id="outcomes"') < page.index('id="clusters"') < page.index('id="limits"')


def test_the_figure_says_what_it_leaves_out(partition: fairstats.Partition) -> None:
    drawn = partition.plot()
    assert drawn.svg.startswith("<svg") and "in cluster 1" in drawn.alt
    assert "ordinary: cluster 1" in drawn.svg and "Open: the ordinary clustering." in drawn.caption
    many = Composition("g", list("abcdef"), np.ones((30, 6), dtype=int))
    assert clusters("c", many, caption="c").caption.endswith("Not drawn: 2 more groups and 6 smaller clusters.")


def test_the_group_of_the_largest_gap_is_drawn_and_in_the_table_however_small() -> None:
    table = Composition("g", list("abcdef"), np.array([[20, 20, 20, 20, 20, 0], [20, 20, 20, 20, 20, 50]]))
    assert table.widest == (0, 5)
    drawn = clusters("c", table, caption="c")
    assert " f, 20.0% of all: 0.0% in cluster 1, 33.3% in 2." in drawn.alt and " d, " not in drawn.alt


def test_the_table_of_a_clustering_is_its_clusters(partition: fairstats.Partition) -> None:
    (region, sex), built = partition.compositions, fairstats.table(partition)
    frame, ours = built.to_frame(), np.unique(partition.labels, return_counts=True)[1]
    assert frame["members"].tolist() == ["200", *map(str, ours), *map(str, partition.plain.cuts.sizes.astype(int))]
    for g, label in enumerate(region.levels):
        own = [100 * region.counts[c, g] / ours[c] for c in range(3)]
        assert frame[f"{label} (%)"].tolist()[1:4] == [f"{share:.1f}" for share in own]
    assert frame["balance"].tolist()[1:4] == [f"{min(row) / max(row):.3f}" for row in region.counts]
    assert "0 (%)" in fairstats.table(partition, attribute="sex").to_frame().columns and sex.levels == ["0", "1"]
    plain = fairstats.spectral_clustering(fairstats.simulate.sbm(100, 2, 1, (0.5, 0.3, 0.1, 0.05), seed=1), k=2)
    assert fairstats.table(plain).to_frame().iloc[0].tolist()[:2] == ["Eigenvalue: eigenvalue 1", "0.000"]
    assert plain.eigenvalues[0] == 0


def test_the_summary_says_what_was_not_tested_and_how_the_starts_of_k_means_ended() -> None:
    graph = fairstats.simulate.sbm(90, 3, (0.5, 0.3, 0.2), (0.5, 0.3, 0.2, 0.05), seed=1)
    groups = {"sex": np.where(np.arange(90) % 2, "f", "m")}

    def of(k: int, n_init: int) -> tuple[str, str]:
        result = fairstats.fair_spectral_clustering(graph, groups, k, n_init=n_init)
        said = " ".join(result.summary().split())
        assert "Whether chance alone could bring such differences was not tested" in said
        note = result.notes[0]
        assert note in said and note in fairstats.report(result).html
        rows = pd.DataFrame(result.embedding.H)
        within = ((rows - rows.groupby(result.labels).transform("mean")) ** 2).to_numpy().sum()
        return note, f"{within:.4g}"

    assert of(3, 10)[0] == "All 10 starts of k-means ended with the same sum of squares."
    assert of(3, 1)[0] == "k-means had one start: whether others end with other clusters is not known."
    note, within = of(6, 10)  # more clusters than the graph has
    found = re.fullmatch(
        r"(\d+) of 10 starts of k-means ended with the smallest .*, (\S+); the largest is (\S+)\.", note
    )
    assert found is not None and 1 <= int(found[1]) < 10 and found[2] == within and float(found[3]) > float(within)


def test_a_report_says_which_weights_count_and_which_attribute_a_sentence_is_of() -> None:
    network = nx.karate_club_graph()
    groups = pd.DataFrame(
        {"club": pd.Series(nx.get_node_attributes(network, "club")), "half": pd.Series({v: v % 2 for v in network})}
    )

    def said(weight: str | None, **options: object) -> tuple[str, str, str]:
        graph = fairstats.graph(network, weight=weight)
        result = fairstats.fair_spectral_clustering(graph, groups[["club"]] if options else groups, 2, **options)
        pages = [fairstats.report(result, **kind).html for kind in ({}, {"language": "de"})]
        texts = [" ".join(re.sub("<[^>]+>", " ", page).split()) for page in pages]
        return texts[0], texts[1], " ".join(result.summary().split())

    page, german, printed = said("weight")
    total = int(network.size(weight="weight"))
    for text in (page, printed):
        assert f"the 78 weigh {total} in all." in text and f"they add up to {2 * total}." in text
        assert len(set(re.findall(r"By (\w+) the proportional clustering is", text))) == 2
    assert f"Die 78 wiegen zusammen {total}." in german and "Links count by their strength" not in page
    assert "Links weighted by “weight”" in printed and "Links weighted by “weight”" in page
    assert "upper bound" not in page and "`" not in page
    page, german, printed = said(None, balance=1.0)
    for text in (page, printed):
        assert "Links without weights: each counts 1." in text and "they add up to 156." in text
        assert "The price, as low as a search found it: on average" in text and "upper bound" in text
    assert "Der Preis, so niedrig eine Suche ihn fand:" in german
    assert "(links without weights)" in fairstats.spectral_clustering(nx.path_graph(4))._brief()


def test_a_report_calls_the_members_of_a_network_by_their_noun(partition: fairstats.Partition) -> None:
    shown = fairstats.report(partition, labels={"unit": "pupils"}).html
    page = " ".join(re.sub("<[^>]+>", " ", shown).split())
    assert f"Network of {partition.n} pupils and" in page and "all pupils" in page
    assert f"{partition.n} pupils of a network were divided" in page
    plain = fairstats.report(partition).html
    assert f"Network of {partition.n} members and" in plain and "pupils" not in plain


def test_a_clustering_whose_number_is_that_of_the_ordinary_one_in_print_is_not_called_closer(
    partition: fairstats.Partition,
) -> None:
    plain = partition.plain
    assert plain is not None
    many = [replace(one, counts=one.counts * 10**6) for one in partition.compositions]
    beside = []
    for one in many:  # one person more where a group is over its share: a little farther
        counts = one.counts.copy()
        counts[one.widest] += int(np.sign(one.gaps[one.widest]))
        beside.append(replace(one, counts=counts))
        assert 0 < beside[-1].cramers_v - one.cramers_v < 1e-6
    found = replace(partition, compositions=many, plain=replace(plain, compositions=beside))
    said = " ".join(str(found).split())
    assert "no closer to the network's proportions" in said and "is closer to" not in said
