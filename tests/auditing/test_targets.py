"""What is declared of a withheld count: never more than follows from people whom everybody may count."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from fairstats.auditing import suppression
from fairstats.auditing.suppression import OF_SCORES, AtomCounts, Hidden, targets, withheld
from tests.auditing.test_complements import crossed

MIN_N = 9
BLOCK = ("people", "outcome", "decision", "joint")


def drawn(seed: int) -> tuple[AtomCounts, Hidden]:
    """People of two attributes by kind, and some of their groups withheld, no intersection wholly."""
    rng = np.random.default_rng(seed)
    cells = np.zeros((3, 4, 18))
    cells[..., [0, 2, 6, 8, 14]] = rng.poisson(rng.choice([0.7, 2, 6], (3, 4, 5)))
    cells[..., 0] += 1  # nobody is listed who is not there
    tally = crossed(cells, BLOCK)
    hidden = {block: [rng.random(len(labels)) < 0.4 for labels in tally.labels] for block in OF_SCORES.blocks}
    for masks in hidden.values():
        masks[2][0], masks[2][-1] = True, False
    return tally, hidden


def everyone(tally: AtomCounts) -> list[tuple[tuple[int, ...], int]]:
    """One line a person: the group in every table, and the kind."""
    counts = tally.counts.astype(int)
    return [
        (tuple(tally.member[:, atom]), kind)
        for atom, kind in product(*map(range, counts.shape))
        for _ in range(counts[atom, kind])
    ]


@pytest.mark.parametrize(("seed", "block"), [*product(range(8), ("people", "outcome", "decision"))])
def test_no_more_is_declared_than_people_have_in_common_who_are_no_secret(seed: int, block: str) -> None:
    """All withheld in the table, all of a shown group that holds this one, and those who are both, one by one."""
    tally, hidden = drawn(seed)
    small = [np.ones(len(labels), dtype=bool) for labels in tally.labels]
    persons = everyone(tally)
    places, masks, low, high = targets(tally, hidden, block, MIN_N, small)
    assert len(places) > 3
    for (table, group), mask, least, most in zip(places, masks, low, high, strict=True):
        current = [groups for groups, _ in persons if groups[table] == group]
        gone = {id(p) for p in persons if hidden[block][table][p[0][table]]}
        unions = [[p for p in persons if id(p) in gone]]
        for other in set(range(3)) - {table}:
            holder = {groups[other] for groups in current}
            if len(holder) == 1 and not hidden[block][other][min(holder)]:
                shown = [p for p in persons if p[0][other] in holder]
                unions += [shown, [p for p in shown if id(p) in gone]]
        items = [
            u for u in unions if all(sum(types[k] for _, k in u) >= MIN_N for types in OF_SCORES.denominators[block])
        ]
        if mask.all():  # the size of the group
            assert (least, most) == (tally.listed[table, group], max(MIN_N - 1, least))
            continue
        size = tally.listed[table, group] if block == "people" else len(current)
        others = [sum(not mask[k] for _, k in union) for union in items]
        assert least == max([0, *(size - n for n in others)])
        assert most == max(least, min([MIN_N - 1, *(sum(mask[k] for _, k in union) for union in items)]))


@pytest.mark.parametrize("one_by_one", [False, True])
@pytest.mark.parametrize("reference", [None, "b", "c"])
def test_a_declared_reference_is_withheld_for_others_only_where_nothing_else_is_left(
    one_by_one: bool, reference: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where so many counts are unknown that each table is examined by itself."""
    if one_by_one:
        monkeypatch.setattr(suppression, "MOST_UNKNOWNS", 0)
    tally = crossed(np.array([[2.0, 2], [30, 30], [40, 40], [50, 50]]))
    kept = suppression.named(tally, {"g": reference} if reference else {})
    gone = withheld(tally, 10, kept)["people"][0].tolist()
    assert gone == [True, reference != "b", reference == "b", False]
