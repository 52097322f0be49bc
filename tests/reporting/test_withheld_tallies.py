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
    cells = tally.to_frame()
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
