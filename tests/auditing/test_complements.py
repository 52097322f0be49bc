"""What is withheld beside a small group: which one, of two that would do; and what counts as small at all."""

from __future__ import annotations

import numpy as np
import pytest

from fairstats.auditing import suppression
from fairstats.auditing.suppression import OF_SCORES, AtomCounts, Complements, withheld

EVERYBODY = np.ones(18, dtype=bool)


def crossed(cells: np.ndarray, blocks: tuple[str, ...] = ("people",)) -> AtomCounts:
    """Two attributes and their intersection, of cells (a, b) of people of one kind, or (a, b, 18) of all kinds."""
    a, b = cells.shape[:2]
    member = np.array([[i, j, i * b + j] for i in range(a) for j in range(b)]).T
    counts = np.zeros((a * b, 18))
    if cells.ndim == 2:
        counts[:, 0] = cells.ravel()
    else:
        counts[:] = cells.reshape(a * b, 18)
    g, h = tuple("abcd"[:a]), tuple("wxyz"[:b])
    labels = (g, h, tuple(f"{p}:{q}" for p in g for q in h))
    return AtomCounts(("g", "h", "g:h"), labels, member, counts, blocks, ("g:h",))


def masks(tally: AtomCounts, *hidden: tuple[int, int]) -> list[np.ndarray]:
    items = [np.zeros(len(labels), dtype=bool) for labels in tally.labels]
    for table, group in hidden:
        items[table][group] = True
    return items


@pytest.mark.parametrize("already", [False, True])
def test_a_holder_whose_size_tells_its_parts_is_withheld_itself_and_then_the_smallest_beside_it(already: bool) -> None:
    """Of 10 people in three listed cells nobody can have more than 8: less than the 9 that are declared."""
    tally = crossed(np.array([[4.0, 3, 3], [1, 4, 5], [20, 20, 20], [30, 30, 30]]))
    place = (2, 3)  # the first cell of the second group
    hidden = masks(tally, place, *([(0, 1)] if already else []))
    beside = Complements(tally, 10, ()).beside(place, hidden, EVERYBODY)
    assert beside == [(0, 0) if already else (0, 1)]


def test_of_two_rectangles_the_cheaper_one_that_has_room_is_withheld() -> None:
    """The sides of the cheapest could give or take 2 people only, where 4 may be: it protects too little."""
    tally = crossed(np.array([[1.0, 2, 3], [2, 1, 50], [3, 50, 1]]))
    choice = Complements(tally, 5, ()).beside((2, 0), masks(tally, (2, 0)), EVERYBODY)
    assert sorted(choice) == [(2, 2), (2, 6), (2, 8)]
    choice = Complements(tally, 4, ()).beside((2, 0), masks(tally, (2, 0)), EVERYBODY)
    assert sorted(choice) == [(2, 1), (2, 3), (2, 4)]  # 3 may be: the cheapest has the room


@pytest.mark.parametrize("seed", range(4))
def test_what_is_protected_as_small_is_small_and_shown_as_people(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng, seen = np.random.default_rng(seed), []
    cells = np.zeros((3, 3, 18))
    cells[..., [0, 2, 6, 8]] = rng.poisson(rng.choice([2, 9, 30], (3, 3, 4)))
    tally = crossed(cells, ("people", "outcome", "decision", "joint"))
    whole = suppression._protect
    monkeypatch.setattr(suppression, "_protect", lambda *given: seen.append((given[2], given[5])) or whole(*given))
    hidden = withheld(tally, 8)
    assert {block for block, _ in seen} & {"people", "decision", "joint"}
    for block, protected in seen:
        for table, mask in enumerate(protected):
            least = np.min([tally.sums[table][:, types].sum(axis=1) for types in OF_SCORES.denominators[block]], axis=0)
            assert (least[mask] < 8).all()
            assert block == "people" or not (mask & hidden["people"][table]).any()
    for block in ("people", "decision"):
        for table, mask in enumerate(hidden[block]):
            least = np.min([tally.sums[table][:, types].sum(axis=1) for types in OF_SCORES.denominators[block]], axis=0)
            assert mask[least < 8].all()


@pytest.mark.parametrize("block", OF_SCORES.denominators)
@pytest.mark.parametrize("least", [1, 4, 5, 6])
def test_a_group_of_min_n_people_is_large_enough(block: str, least: int) -> None:
    tally = crossed(np.full((2, 2, 18), 5.0), tuple(OF_SCORES.denominators))
    fewest = min(tally.sums[2][0][types].sum() for types in OF_SCORES.denominators[block])
    for few, small in ((fewest, False), (fewest + 1, True)):
        assert all((mask == small).all() for mask in suppression._small(tally, block, int(few))[2:])
    assert not suppression._small(tally, block, least)[0].any()


def test_the_kinds_of_people_add_up_and_denominators_are_sums_of_what_is_published() -> None:
    n, joint = OF_SCORES.blocks["people"]["n"], OF_SCORES.blocks["joint"]
    assert n.all()
    total = {name: sum(mask.astype(int) for mask in block.values()) for name, block in OF_SCORES.blocks.items()}
    assert all(result.max() == 1 for result in total.values())  # no person is counted twice in a block
    assert [int(total[name].sum()) for name in ("outcome", "decision", "joint")] == [12, 12, 8]
    assert (OF_SCORES.denominators["outcome"][0] == total["outcome"]).all()
    assert (OF_SCORES.denominators["decision"][0] == total["decision"]).all()
    pairs = [joint[a] | joint[b] for a, b in (("fp", "tn"), ("tp", "fn"), ("fn", "tn"), ("tp", "fp"))]
    scored = OF_SCORES.blocks["score"]["known"]
    areas = [OF_SCORES.blocks["outcome"][name] & scored for name in ("negatives", "positives")]
    for result, wanted in zip(OF_SCORES.denominators["joint"], [*pairs, *areas], strict=True):
        np.testing.assert_array_equal(result, wanted)
