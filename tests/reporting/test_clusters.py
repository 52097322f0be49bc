"""Clusters in a report: the section, its figure, the JSON, and what a page without groups leaves out."""

from __future__ import annotations

import json
import re

import numpy as np
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
    many = Composition("g", list("abcdef"), np.ones((30, 6), dtype=int))
    assert clusters("c", many, caption="c").caption.endswith("Not drawn: 2 smaller groups and 6 smaller clusters.")
