"""Lists that end somewhere and lines that end at column 80: just before the end, at it, and just beyond."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import fairstats as fs


def of_groups(k: int, rows: int = 40) -> pd.DataFrame:
    """As many groups, each of as many people, whose chances rise from group to group."""
    g = np.repeat(np.arange(k), rows)
    d = np.tile(np.arange(rows), k) < rows * (g + 1) / (k + 2)
    return pd.DataFrame({"g": [f"g{i:02d}" for i in g], "d": d.astype(int)})


@pytest.mark.parametrize("k", [2, 8, 9, 10, 11])
def test_claims_are_the_first_eight_of_all_comparisons_with_a_verdict(k: int) -> None:
    result = fs.audit(of_groups(k), "d", "g", reference="g00")
    settled = result.estimates.only(role="main", contrast="difference").where(metric="selection rate")
    assert len(settled) == k - 1 and all(row.verdict for row in settled)
    assert len(result.claims()) == min(k - 1, 8)
    assert result.claims()[0].group == f"g{k - 1:02d}"  # the furthest from the reference


@pytest.mark.parametrize("k", [7, 8, 9, 10])
def test_a_tally_names_eight_labels_and_counts_the_others(k: int) -> None:
    said = " ".join(fs.tally(of_groups(k, 3), "d", "g").summary().split())
    assert len(re.findall(r"g\d\d \(3\)", said)) == min(k, 8)
    assert (f"{k - 8} more" in said) == (k > 8)


def test_the_lines_of_a_tally_fill_80_columns_and_no_more() -> None:
    widest = []
    for long in range(1, 24):
        data = {"g": [f"{i}" * long for i in range(1, 9)], "d": [0, 1] * 4}
        lines = fs.tally(data, "d", "g").summary().splitlines()
        widest.append(max(map(len, lines)))
        assert all(line.startswith("     ") for line in lines[1:-1] if not re.match(r"  [gd]  ", line))
    assert max(widest) == 80


@pytest.mark.parametrize("score", [False, True])
def test_the_lines_of_a_summary_keep_names_of_any_length_whole_within_80_columns(score: bool) -> None:
    rng = np.random.default_rng(2)
    data = pd.DataFrame({"g": np.arange(300) % 2, "d": rng.integers(0, 2, 300), "s": rng.normal(size=300)})
    asked = {"score": "s"} if score else {"decision": "d"}
    numbers = r" \d+ +\S+ +\S+ to \S+ +\S+( [Di])?$" if score else r" \d+/\d+ +\S+ +\S+ to \S+ .* to .*[Di]$"
    room = set()
    for long in (*range(12, 40), 90):
        name = "n" * long
        lines = fs.audit(data.assign(g=np.where(data.g == 1, name, "b")), groups="g", **asked).summary().splitlines()
        assert max(map(len, lines)) <= 80 and lines.count("Cautions") == 1
        assert sum(bool(re.search(numbers, line)) for line in lines) == 1 + score  # in one line, name beside or not
        if long <= 70:
            assert any(re.match(rf"  {name}( |$)", line) for line in lines)
            beside = any(re.match(rf"  {name} +\d", line) for line in lines)
            room.add((long, beside))
    fits = [long for long, beside in room if beside]
    assert fits and max(fits) + 1 == min(long for long, beside in room if not beside)  # a longer one has its own line
