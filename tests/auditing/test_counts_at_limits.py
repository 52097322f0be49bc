"""Lists that end somewhere and lines that end at column 80: just before the end, at it, and just beyond."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.auditing.curves import spaced


def of_groups(k: int, rows: int = 40) -> pd.DataFrame:
    """As many groups, each of as many people, whose chances rise from group to group."""
    g = np.repeat(np.arange(k), rows)
    d = np.tile(np.arange(rows), k) < rows * (g + 1) / (k + 2)
    return pd.DataFrame({"g": [f"g{i:02d}" for i in g], "d": d.astype(int)})


@pytest.mark.parametrize("k", [2, 8, 9, 10, 11])
def test_claims_are_the_first_eight_of_all_comparisons_with_a_verdict(k: int) -> None:
    result = fairstats.audit(of_groups(k), "d", "g", reference="g00")
    settled = result.estimates.only(role="main", contrast="difference").where(metric="selection rate")
    assert len(settled) == k - 1 and all(row.verdict for row in settled)
    assert len(result.claims()) == min(k - 1, 8)
    assert result.claims()[0].group == f"g{k - 1:02d}"  # the furthest from the reference


@pytest.mark.parametrize("k", [7, 8, 9, 10])
def test_a_tally_names_eight_labels_and_counts_the_others(k: int) -> None:
    text = " ".join(fairstats.tally(of_groups(k, 3), "d", "g").summary().split())
    assert len(re.findall(r"g\d\d \(3\)", text)) == min(k, 8)
    assert (f"{k - 8} more" in text) == (k > 8)


def test_the_lines_of_a_tally_fill_80_columns_and_no_more() -> None:
    widest = []
    for long in range(1, 24):
        data = {"g": [f"{i}" * long for i in range(1, 9)], "d": [0, 1] * 4}
        lines = fairstats.tally(data, "d", "g").summary().splitlines()
        widest.append(max(map(len, lines)))
        assert all(line.startswith("     ") for line in lines[1:-1] if not re.match(r"  [gd]  ", line))
    assert max(widest) == 80


@pytest.mark.long
@pytest.mark.parametrize("score", [False, True])
def test_the_lines_of_a_summary_keep_names_of_any_length_whole_within_80_columns(score: bool) -> None:
    rng = np.random.default_rng(2)
    data = pd.DataFrame({"g": np.arange(300) % 2, "d": rng.integers(0, 2, 300), "s": rng.normal(size=300)})
    arguments = {"score": "s"} if score else {"decision": "d"}
    numbers = r" \d+ +\S+ +\S+ to \S+ +\S+( [D?])?$" if score else r" \d+/\d+ +\S+ +\S+ to \S+ .* to .*[D?]$"
    room = set()
    for long in (*range(12, 40), 90):
        name = "n" * long
        lines = (
            fairstats.audit(data.assign(g=np.where(data.g == 1, name, "b")), groups="g", **arguments)
            .summary()
            .splitlines()
        )
        assert max(map(len, lines)) <= 80 and lines.count("Cautions") == 1
        assert sum(bool(re.search(numbers, line)) for line in lines) == 1 + score  # in one line, name beside or not
        if long <= 70:
            assert any(re.match(rf"  {name}( |$)", line) for line in lines)
            beside = any(re.match(rf"  {name} +\d", line) for line in lines)
            room.add((long, beside))
    fits = [long for long, beside in room if beside]
    assert fits and max(fits) + 1 == min(long for long, beside in room if not beside)  # a longer one has its own line


@pytest.mark.parametrize("least", [1, 2, 5, 30])
def test_points_of_a_curve_are_all_shown_or_apart_by_so_many_people(least: int) -> None:
    steps = np.random.default_rng(least).integers(1, 4, 40)
    people = np.cumsum(steps).astype(float)
    kept = spaced(people, least)
    if least == 1:
        assert kept.tolist() == list(range(40))
        return
    between = np.diff(np.r_[0.0, people[kept], people[-1]])
    assert (between >= least).all()
    after = people[kept[0] : kept[1]] if kept.size > 1 else []  # the first that is far enough is not passed over
    assert all(one - people[kept[0]] < least for one in after)


def test_one_person_with_a_score_is_a_group_of_a_sweep() -> None:
    data = {"g": ["a"] * 30 + ["b"], "s": [*np.linspace(0, 1, 30), 0.6]}
    rows = fairstats.audit(data, score="s", groups="g", threshold=0.5).estimates.only(role="sensitivity")
    swept = [row for row in rows if row.given.startswith("threshold")]
    assert swept and {row.group for row in swept if row.contrast == "difference"} == {"b"}


def test_of_two_labels_the_one_that_helps_is_required() -> None:
    with pytest.raises(fairstats.errors.InputError, match="whichever helps the person"):
        fairstats.audit({"g": ["a", "b"] * 4, "d": ["no", "yes"] * 4}, "d", "g", favorable="maybe")


def test_the_word_stands_beside_flagged_subgroups_and_no_others() -> None:
    data = {"g": ["a"] * 90 + ["b"] * 80 + ["c"] * 30, "d": [1] * 20 + [0] * 70 + [1] * 60 + [0] * 20 + [0, 1] * 15}
    result = fairstats.subgroup_scan(data, "d", "g")
    flagged = set(result.flagged().column("group"))
    lines = {line.split()[2]: line for line in result.summary().splitlines() if line.startswith("g = ")}
    assert set(lines) == {"a", "b", "c"} and 0 < len(flagged) < 3
    assert {group for group, line in lines.items() if not line.endswith(" not flagged")} == flagged


def test_claims_take_the_furthest_of_every_question_first_and_people_without_a_group_last() -> None:
    rng = np.random.default_rng(7)
    n = 800
    g, h = rng.choice(["a", "b"], n), rng.choice(["p", "q", "r", "s"], n, p=[0.4, 0.25, 0.2, 0.15])
    chance = 0.5 - 0.15 * (g == "b") + 0.2 * (h == "q") - 0.1 * (h == "r")
    data = pd.DataFrame({"g": g, "h": h, "d": (rng.random(n) < chance).astype(int)})
    data.loc[::11, "h"], data.loc[::11, "d"] = None, 0  # further from the reference than any group
    result = fairstats.audit(data, "d", ["g", "h"], reference="largest_group")
    lines = [(row.attribute, row.group) for row in result.claims()]
    rates = data.groupby("h")["d"].mean()
    items = [group for attribute, group in lines if attribute == "h"]
    assert len(lines) == 8 and [attribute for attribute, _ in lines[:3]] == ["g", "h", "g:h"]
    assert items[0] == "q" and abs(rates["q"] - rates["p"]) == max(abs(rates - rates["p"]))
    assert items[-1] == "(missing)" and set(items) == {"q", "r", "s", "(missing)"}
