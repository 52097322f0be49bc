"""Later pages: figure, caption and table say the same of one comparison."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.document import Heading, Table
from fairstats.estimates import Estimate
from fairstats.reporting import tables, words
from fairstats.reporting.figures.rates import dot, funnel
from fairstats.reporting.sketch import ACCENT


def people(seed: int = 3) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    data = pd.DataFrame({"race": rng.choice(["a", "b", "c"], 1500, p=[0.5, 0.3, 0.2])})
    data["s"] = np.clip(rng.integers(1, 11, 1500) + 2 * (data["race"] == "b"), 1, 10)
    data["y"] = (rng.random(1500) < data["s"] / 12).astype(int)
    return data


@pytest.fixture(scope="module")
def flagged() -> fairstats.Report:
    """A report of an audit of a decision that flags people."""
    result = fairstats.audit(people(), outcome="y", score="s", threshold=6, favorable=0, groups="race")
    return fairstats.report(result)


def plain(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", re.sub(r"<(style|svg).*?</\1>", " ", html, flags=re.S)).split())


def markers(rows: list[Estimate], **more: object) -> dict[str, object]:
    """The shape and the fill of each group's mark, as matplotlib draws it."""
    drawing = dot("d", rows, caption="c.", **more)  # type: ignore[arg-type]
    axes = drawing.figure.axes[0]
    marks = [line for line in axes.lines if line.get_marker() not in ("None", None, "")]
    names = [r.group for r in sorted(rows, key=lambda r: -r.n)]
    return {name: (m.get_marker(), m.get_markerfacecolor()) for name, m in zip(names, marks, strict=True)}


def test_a_point_is_filled_where_a_difference_is_shown_and_open_elsewhere() -> None:
    rows = [
        Estimate("selection rate", group=g, n=n, estimate=p, conf_low=p - 0.1, conf_high=p + 0.1)
        for g, n, p in [("a", 90, 0.7), ("b", 80, 0.3), ("c", 70, 0.6)]
    ]
    assert markers(rows, reference="a", apart={"b"}) == {"a": ("s", "white"), "b": ("o", ACCENT), "c": ("o", "white")}
    assert {fill for _, fill in markers(rows, reference="a").values()} == {"white"}


def test_the_reason_of_a_withheld_group_stands_once_and_under_no_line() -> None:
    rows = [Estimate("selection rate", group="a", n=90.0, estimate=0.5, conf_low=0.4, conf_high=0.6)]
    why = {"status": "suppressed", "reason": "fewer than 10 people, or would reveal a smaller group"}
    lost = [Estimate("selection rate", group=g, **why) for g in "bcd"]  # type: ignore[arg-type]
    drawing = dot("d", [*rows, *lost], caption="c.", reference="a")
    texts = [t.get_text() for t in drawing.figure.axes[0].texts]
    assert texts.count("withheld") == 3 and not any("…" in t for t in texts)
    gaps = [Estimate("selection rate", group=g, contrast="difference", reference="a", **why) for g in "bcd"]  # type: ignore[arg-type]
    blocks = [(fairstats.Estimates([*rows, *lost]), tables.RATE), (fairstats.Estimates(gaps), tables.adjusted())]
    table = tables.groups_table("t", list("abcd"), blocks, reference="a")
    assert [row[-1] for row in table.rows] == ["reference", *["withheld"] * 3]
    assert table.note.count("fewer than 10 people") == 1


def test_a_funnel_says_with_what_the_table_compares() -> None:
    rows = [
        Estimate("selection rate", group=g, n=900.0, events=k, estimate=k / 900)
        for g, k in [("a", 460.0), ("b", 300.0)]
    ]
    assert "the table compares each with a instead" in funnel("f", rows, reference="a").caption


def test_a_flag_is_counted_alike_in_every_table(flagged) -> None:
    page = plain(flagged.html)
    assert re.search(r"Table \d+\. Share who were flagged: how large a gap", page) or (
        "Share who were flagged: with another method" in page
    )
    assert "Share who were not flagged by race: ratios to the highest" in page
    assert "Defined in the appendix: share who were flagged" in page
    assert "Selection rate by race" not in page and "Selection rate: what" not in page
    assert page.count("signs are reversed") == 1


def test_a_sweep_names_its_level(flagged) -> None:
    page = plain(flagged.html)
    assert re.search(r"(By|do|decides:) 95% limits, not adjusted", page)
    assert re.search(r"Band: 95% interval of \w+ at each cut-off by itself\.", page)


def test_results_stand_before_the_methods_and_the_last_page_says_what_is_attached(flagged) -> None:
    headings = re.findall(r'<h2 id="(\w+)-h">', flagged.html)
    assert headings.index("further") == headings.index("methods") - 1
    methods = flagged.html[flagged.html.index('id="methods"') : flagged.html.index('id="limits"')]
    assert "<figure" not in methods and "ratios to the highest" not in methods
    assert "largest gap of any two groups" in plain(methods) and "simultaneous" in plain(methods)
    for source in ("Cliff, N.", "Gardner, J.", "Smirnov, N.", "Kruskal, W."):
        assert source not in methods
    assert "results.json (everything); the web page holds the second." in plain(flagged.html)


def test_the_omnibus_test_has_its_statistic(flagged) -> None:
    found = re.search(r"chi-square test: χ² = ([\d.]+), df = 2, p", plain(flagged.html))
    data = people()
    counts = pd.crosstab(data["race"], data["s"] >= 6).to_numpy()
    expected = counts.sum(1, keepdims=True) * counts.sum(0) / counts.sum()
    assert found and float(found[1]) == pytest.approx(((counts - expected) ** 2 / expected).sum(), abs=0.05)


def test_a_ratio_has_its_level_and_does_not_print_1_for_a_limit_beside_it() -> None:
    data = people()
    data["d"], data["g"] = (data["s"] >= 6).astype(int), data["race"].where(data["race"] == "a", "b")
    page = plain(fairstats.report(fairstats.audit(data, decision="d", groups="g")).html)
    assert re.search(r"Ratio of the selection rate of a to that of b: [\d.]+ \([\d.]+ to [\d.]+, 95% interval\)", page)
    row = Estimate("impact ratio", contrast="ratio", estimate=0.92, conf_low=0.857, conf_high=0.9964)
    assert words.interval(row) == "0.857 to 0.996"
    assert words.interval(row.changed(conf_high=1.0)) == "0.86 to 1.00"


def test_no_word_of_a_heading_is_wider_than_its_column() -> None:
    headings = [Heading("group", kind="text"), *(Heading(f"{w} rate", "%") for w in ("Auswahlrate", "defendants"))]
    table = Table("t", tuple(headings), (("a", "1.0", "2.0"), ("b", "3.0", "4.0")))
    room = tables.HALF if tables.size(table) == "half" else tables.FULL
    for heading, share in zip(headings, tables.widths(table), strict=True):
        longest = max(tables._wide(word) for word in heading.label.split())
        assert room * share / 100 >= tables.BOLD * longest


def test_on_a_telephone_a_picture_scrolls_without_its_caption(flagged) -> None:
    for figure in re.findall(r"<figure\b.*?</figure>", flagged.html, re.S):
        if 'class="wide' in figure:
            frame = figure[figure.index('<div class="frame"') : figure.index("</div>")]
            assert "<svg" in frame and "figcaption" not in frame
