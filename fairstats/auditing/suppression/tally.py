"""The people of one report as counts: every atom of its crossed tables by outcome, decision and known score."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Place = tuple[int, int]  # a table, and a group of it
KINDS = (3, 3, 2)  # outcome and decision: no, yes, unknown; score: unknown, known


def _mask(outcome: tuple[int, ...], decision: tuple[int, ...], score: tuple[int, ...] = (0, 1)) -> NDArray[np.bool_]:
    mask = np.zeros(KINDS, dtype=bool)
    mask[np.ix_(outcome, decision, score)] = True
    return mask.ravel()


_ANY = (0, 1, 2)
# the counts that a report publishes of a group, by the block of rates that they belong to
BLOCKS: dict[str, dict[str, NDArray[np.bool_]]] = {
    "people": {"n": _mask(_ANY, _ANY)},
    "outcome": {"positives": _mask((1,), _ANY), "negatives": _mask((0,), _ANY)},
    "decision": {"yes": _mask(_ANY, (1,)), "no": _mask(_ANY, (0,))},
    "score": {"scored": _mask(_ANY, _ANY, (1,))},
    "joint": {
        "tp": _mask((1,), (1,)),
        "fp": _mask((0,), (1,)),
        "fn": _mask((1,), (0,)),
        "tn": _mask((0,), (0,)),
    },
}
# denominators: a block is published of a group only where each of its own has `min_n` people
DENOMINATORS: dict[str, tuple[NDArray[np.bool_], ...]] = {
    "people": (_mask(_ANY, _ANY),),
    "outcome": (_mask((0, 1), _ANY),),
    "decision": (_mask(_ANY, (0, 1)),),
    "score": (_mask(_ANY, _ANY, (1,)),),
    "joint": (
        *(_mask((y,), (0, 1)) for y in (0, 1)),
        *(_mask((0, 1), (d,)) for d in (0, 1)),
        *(_mask((y,), _ANY, (1,)) for y in (0, 1)),  # of AUC and ROC
    ),
}


@dataclass(frozen=True)
class Tally:
    """People by atom and kind; an atom is a combination of groups that no table of the report divides further."""

    names: tuple[str, ...]  # of the tables
    labels: tuple[tuple[str, ...], ...]  # their groups
    member: NDArray[np.int64]  # (tables, atoms): the group of every atom
    counts: Floats  # (atoms, 18)
    blocks: tuple[str, ...]  # those that the columns at hand allow; "people" is the first

    def of(self, table: int) -> Floats:
        """People of every group of a table by kind, (groups, 18)."""
        found = np.zeros((len(self.labels[table]), self.counts.shape[1]))
        np.add.at(found, self.member[table], self.counts)
        return found

    def crossed(self, table: int) -> bool:
        """Whether a table is one of intersections."""
        return ":" in self.names[table]

    def holders(self) -> dict[Place, list[Place]]:
        """The groups of other tables that hold all people of a group.

        Examples
        --------
        >>> t = Tally(("g", "g:s"), (("a",), ("a:f", "a:m")), np.array([[0, 0], [0, 1]]), np.ones((2, 18)), ("people",))
        >>> t.holders()[1, 0]
        [(0, 0)]
        """
        found: dict[Place, list[Place]] = {}
        for i, labels in enumerate(self.labels):
            for g in range(len(labels)):
                atoms = np.flatnonzero(self.member[i] == g)
                inside = [(j, np.unique(self.member[j, atoms])) for j in range(len(self.names)) if j != i]
                found[i, g] = [(j, int(groups[0])) for j, groups in inside if groups.size == 1]
        return found

    def listed(self, place: Place) -> int:
        """The least size of a group that its listing gives away: the most groups of one table that lie within it."""
        atoms, peopled = self.member[place[0]] == place[1], self.counts.sum(axis=1) > 0
        return max(np.setdiff1d(row[atoms & peopled], row[~atoms]).size for row in self.member)

    def alone(self, table: int) -> Tally:
        """The tally of one table, its groups as atoms."""
        labels = self.labels[table]
        return Tally((self.names[table],), (labels,), np.arange(len(labels))[None, :], self.of(table), self.blocks)
