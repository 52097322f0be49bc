"""Reports of tallies with withheld cells show no rate that the withheld people may prove wrong."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fairstats as fs
from fairstats.errors import InputError


def test_rates_that_withheld_people_decide_are_drawn_and_printed_as_ranges(tmp_path) -> None:
    """Against every completion of the cells: a group of 60 whose 2 to 22 selected people were withheld has no 0%."""
    rng = np.random.default_rng(31)
    people = pd.DataFrame(
        {"g": rng.choice(["a", "b", "c"], 1000, p=[0.6, 0.32, 0.08]), "h": rng.choice(["x", "y"], 1000)}
    )
    people["y"] = (rng.random(1000) < np.where(people.g == "b", 0.06, 0.15)).astype(int)
    tally = fs.tally(people, "y", ["g", "h"]).withhold(min_n=12)
    cells = tally.to_frame().fillna({".rows": 0})
    audit = fs.audit(tally)
    fs.report(audit, to=tmp_path / "r.md")
    page = (tmp_path / "r.md").read_text()
    summary = audit.summary()

    reached = {}  # by each group, the least and most of its rate
    for group, part in cells.groupby("g"):
        sent = part[".rows"].to_numpy()
        ends = []
        for most in (False, True):  # rates rise with every withheld person who was selected
            rows = sent + np.where(part.y.astype(str) == "1", part[".most" if most else ".least"], 0)
            share = 100 * rows[part.y.astype(str) == "1"].sum() / rows.sum()
            ends.append(f"{share:.1f}")
            reached.setdefault(group, []).append(share)
        counts = f"{part['.rows'][part.y.astype(str) == '1'].sum()}/{sent.sum()}"
        printed = ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"
        assert re.search(f"^  {group} +{counts} +{printed}  ", summary, re.MULTILINE)
        drawn = [re.escape(f"{group} (n = {sent.sum()}): "), re.escape(f"| {group} |"), f"{ends[0]} to {ends[1]}"]
        if ends[0] == ends[1]:
            assert re.search(f"{drawn[0]}{ends[0]}%, interval", page)
        else:
            assert len(re.findall(f"{drawn[0]}{drawn[2]}% as withheld people may be", page)) == 1
            assert re.search(f"^{drawn[1]} [0-9]+ \\| {sent.sum()} \\| {drawn[2]} \\|", page, re.MULTILINE)
    assert "| c | 0 | 60 | 0.0 |" not in page and "0.0% (c)" not in page

    for group in "bc":  # a's rate has one value: the bounds of the difference are those of the other rate, less it
        gap = [f"{end - reached['a'][0]:+.1f}".replace("-", "−") for end in reached[group]]
        assert re.search(f"^  {group} .* {re.escape(' to '.join(gap))} ", summary, re.MULTILINE)
        printed = re.escape(" to ".join(gap).replace("+", ""))
        assert re.search(f"^\\| {group} \\| .* \\| {printed} \\| ", page, re.MULTILINE)
    assert "| b | 330 | 4.2 to 7.0 | ● −8.4 to −5.5 (" in page  # page one

    rows = cells[".rows"].sum(), cells[".least"].sum(), cells[".most"].sum()
    assert (
        f"| rows read | {rows[0]} | in the cells that were sent; the cells that were withheld have {rows[1]} to" in page
    )
    assert "rows read were analyzed" not in page and f"Audit of {rows[0]} people in the cells that were sent" in page


def test_a_report_of_what_is_only_bounded_agrees_with_its_data(tmp_path: Path) -> None:
    tally = fs.tally(fs.arrests(), "released", "sex").withhold(min_n=70)
    result = fs.audit(tally, favorable="Yes")
    written = fs.report(result, to=tmp_path / "audit.json")
    assert fs.verify_report(tmp_path / "audit.json", tally).ok
    assert written.id in fs.report(result).html
    statuses = [row["status"] for row in json.loads((tmp_path / "audit.json").read_text())["audit"]["estimates"]]
    assert statuses.count("bounded") == result.estimates.column("status").count("bounded") > 0
    rates = fs.table(result, "rates").to_frame()
    assert rates[rates.iloc[:, 0] == "Women"].iloc[0].astype(str).str.contains("84.6 to 99.7").any()
    gaps = fs.table(result, "differences").to_frame().astype(str)
    assert "100.0" not in set(gaps.to_numpy().ravel())
    with pytest.raises(InputError, match="withheld, and Local Law 144 asks for all counts"):
        fs.local_law_144(result)


SIZES = {"a": (400, 100), "b": (100, 29), "c": (60, 90)}  # people of each group with the decision 1 and without it


def tally_of_sizes(**columns: str) -> fs.Tally:
    """One to 29 people of b without the decision are withheld."""
    rows = [(g, d) for g, pair in SIZES.items() for d, n in zip((1, 0), pair, strict=True) for _ in range(n)]
    people = pd.DataFrame(rows, columns=["g", "d"]).assign(s=lambda x: x.index % 2, o=lambda x: x.d)
    return fs.tally(people, "d", "g", **columns).withhold(min_n=30)


@pytest.mark.parametrize("kind", ["differences", "claims", "forest"])
def test_differences_that_withheld_people_decide_are_drawn_as_bars(kind: str) -> None:
    import matplotlib.pyplot as plt

    audit = fs.audit(tally_of_sizes(), margin=0.1)
    figure = plt.figure()
    drawing = fs.plot(audit, kind, ax=figure if kind == "forest" else figure.add_subplot())
    axes = figure.axes[0]
    low, high = (100 * 100 / (100 + hidden) - 80 for hidden in (29, 1))
    bars = [b for b in axes.patches if 0 < b.get_height() < 0.5]
    assert [(b.get_x(), b.get_x() + b.get_width()) for b in bars] == [pytest.approx((low, high))]
    marked = [line.get_xdata()[0] for line in axes.lines if line.get_marker() not in ("None", None, "")]
    assert marked == [pytest.approx(40 - 80)]  # c alone has a point
    plt.close(figure)
    printed = f"{low:.1f} to {high:.1f} points as withheld people may be".replace("-", "−")
    assert f"b against a (g): {printed}, interval" in drawing.alt
    assert "Bars in place of points: what they may be over the people of withheld cells." in drawing.caption
    assert ("Ratios without a point" in drawing.caption) == (kind == "forest")
    if kind == "differences":  # of a flag the people who have it are counted
        flag = fs.audit(tally_of_sizes(outcome="o"), favorable="0", positive_prediction="1")
        assert f"b against a (g): {printed}, interval" in fs.plot(flag, kind).alt


def test_within_strata_and_of_rates_no_figure_has_a_point_of_the_cells_that_were_sent(tmp_path: Path) -> None:
    audit = fs.audit(tally_of_sizes(strata="s"))
    within = audit.estimates.only(metric="risk difference within strata", role="bounds", group="b")[0]
    ends = f"{100 * within.conf_low:.1f} to {100 * within.conf_high:.1f}".replace("-", "−")
    for kind in ("differences", "claims", "crude_adjusted"):
        drawing = fs.plot(audit, kind)
        assert ends in drawing.alt and "Bars in place of points" in drawing.caption
    fs.report(audit, to=tmp_path / "r.md")
    assert f"adjusted {ends} (" in (tmp_path / "r.md").read_text()
    assert fs.plot(audit, "rates").caption.startswith("Selection rate; withheld people decide that of b")


def test_a_funnel_leaves_out_groups_whose_rates_withheld_people_decide() -> None:
    rows = [(f"g{i:02}", d) for i in range(24) for d, n in ((1, 5 if i == 3 else 40), (0, 60)) for _ in range(n)]
    audit = fs.audit(fs.tally(pd.DataFrame(rows, columns=["g", "d"]), "d", "g").withhold(min_n=12))
    funnel = fs.plot(audit, "funnel")
    assert "of 23 groups" in funnel.caption
    assert "Not drawn: g03, whose rates people of withheld cells decide." in funnel.caption


def test_chances_and_areas_that_withheld_people_decide_are_ranges_everywhere(tmp_path: Path) -> None:
    """Against every pair with a withheld person counted for the one group, and for the other."""
    rng = np.random.default_rng(3)
    people = pd.DataFrame({"g": np.repeat(["a", "b"], (600, 300))})
    people["s"] = np.clip(rng.normal(5 + (people.g == "b"), 2, 900).round(), 0, 10)
    people["o"] = (rng.random(900) < 0.1 * people.s).astype(int)
    tally = fs.tally(people, score="s", groups="g", outcome="o").withhold(min_n=10)
    audit, cells = fs.audit(tally), tally.to_frame()
    sent = {g: part.groupby("s")[".rows"].sum() for g, part in cells.groupby("g")}
    most = {g: part[".most"].sum() for g, part in cells.groupby("g")}
    n = {g: scores.sum() for g, scores in sent.items()}
    above = sum(
        k * m * (float(x > y) + 0.5 * float(x == y)) for x, k in sent["b"].items() for y, m in sent["a"].items()
    )
    pairs = (n["a"] + most["a"]) * (n["b"] + most["b"])
    ends = above / pairs, (above + pairs - n["a"] * n["b"]) / pairs
    chance = " to ".join(f"{end:.3f}" for end in ends)
    table = fs.table(audit, "scores")
    assert chance in str(table) and chance in audit.summary()
    assert f"with probability {chance} (" in fs.plot(audit, "ecdf").caption
    assert f"higher score: b against a (g): {chance} as withheld people may be" in fs.plot(audit, "claims").alt
    fs.report(audit, to=tmp_path / "r.md")
    assert f"| {chance} |" in (tmp_path / "r.md").read_text()
    area = audit.estimates.only(metric="AUC", contrast="none", role="bounds", group="b")[0]
    shown = f"{area.conf_low:.3f} to {area.conf_high:.3f}"
    assert shown in str(table) and shown in audit.summary()
    assert f"b: AUC {shown}, interval" in fs.plot(audit, "roc").alt
    assert fs.plot(audit, "roc").caption.startswith("AUC; withheld people decide that of ")
    sent_alone = f"{above / (n['a'] * n['b']):.3f}"
    assert sent_alone not in str(table) + audit.summary() + fs.plot(audit, "claims").alt
    shift = audit.estimates.only(metric="score shift", contrast="difference", role="main")[0]
    assert shift.status == "unestimable"


def test_the_chance_beside_strata_is_what_withheld_people_leave() -> None:
    rng = np.random.default_rng(3)
    people = pd.DataFrame({"g": np.repeat(["a", "b"], (600, 300)), "t": np.tile(["x", "y"], 450)})
    people["s"] = np.clip(rng.normal(5, 2, 900).round(), 0, 10)
    audit = fs.audit(fs.tally(people, score="s", groups="g", strata="t").withhold(min_n=10))
    bound = audit.estimates.only(metric="P(X>Y)", role="bounds")[0]
    text = f"over what may have been withheld (P(X>Y) between {bound.conf_low:.3f} and {bound.conf_high:.3f}; "
    assert text in audit.finding() and "cells that were sent" not in audit.finding()
