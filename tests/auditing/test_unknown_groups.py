"""People of unknown group: their bounds are those of all ways to place them, or nothing is said."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from fairstats.auditing.counts import NONE, CountTable, Evidence
from fairstats.auditing.sensitivity import GROUPS, bound_rows
from fairstats.estimates import Estimate

LABELS = ("f:old", "m:old", "f:(missing)", "(missing):old", "(missing):young", "m:(missing)")
MAY_BE = {2: {0}, 3: {0, 1}, 5: {1}}  # label: the cells compared that its people may belong to


def counted(yes: list[int], no: list[int], unknown: int = 0) -> tuple[Evidence, CountTable]:
    counts = np.zeros((len(LABELS), 3, 3))
    counts[:, NONE, 1], counts[:, NONE, 0] = yes, no
    counts[0, NONE, NONE] = unknown
    n = counts[:, NONE, :2].sum(axis=1)
    table = CountTable("sex:age", LABELS, counts, 1, False, True)
    return Evidence("selection rate", counts[:, NONE, 1], n, n, n, True, ""), table


@pytest.mark.parametrize("withheld", [*product([False, True], repeat=4)])
def test_bounds_are_the_extremes_over_all_ways_to_place_people_of_unknown_group(withheld: tuple[bool, ...]) -> None:
    """Every person may be of any cell that agrees with what is known; of withheld people nothing is said at all."""
    keep = np.array([True, True, *(not gone for gone in withheld)])
    yes, no = np.array([6, 9, 1, 2, 1, 0]) * keep, np.array([5, 4, 1, 1, 2, 2]) * keep
    part, table = counted(yes.tolist(), no.tolist())
    row = Estimate("selection rate", "sex:age", "f:old", "difference", "m:old", estimate=0.0, conf_level=0.95)
    entries = {r.given: (r.conf_low, r.conf_high) for r in bound_rows(part, table, 0, 1, row) if not r.term}
    if any(withheld):
        assert not entries
        return
    gaps = []
    ways = [[(*MAY_BE[i], None) for _ in range(yes[i] + no[i])] for i in MAY_BE]
    for placed in product(*(way for of_label in ways for way in of_label)):
        events, people = yes[:2].astype(float), (yes + no)[:2].astype(float)
        favored = [k < yes[i] for i in MAY_BE for k in range(yes[i] + no[i])]
        for cell, good in zip(placed, favored, strict=True):
            if cell is not None:
                people[cell] += 1
                events[cell] += good
        gaps.append(events[0] / people[0] - events[1] / people[1])
    assert entries == {GROUPS: (pytest.approx(min(gaps)), pytest.approx(max(gaps)))}


def test_missing_decisions_of_known_people_are_still_bounded_where_unknown_groups_are_withheld() -> None:
    part, table = counted([6, 9, 0, 2, 1, 0], [5, 4, 0, 1, 2, 2], unknown=3)
    row = Estimate("selection rate", "sex:age", "f:old", "difference", "m:old", estimate=0.0, conf_level=0.95)
    entries = {r.given: (r.conf_low, r.conf_high) for r in bound_rows(part, table, 0, 1, row) if not r.term}
    assert entries == {
        "missing decision": (pytest.approx(6 / 14 - 9 / 13), pytest.approx(9 / 14 - 9 / 13)),
    }
