"""The people of one report as counts: every atom of its crossed tables by outcome, decision and known score."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

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
class AtomCounts:
    """People by atom and kind; an atom is a combination of groups that no table of the report divides further."""

    names: tuple[str, ...]  # of the tables
    labels: tuple[tuple[str, ...], ...]  # their groups
    member: NDArray[np.int64]  # (tables, atoms): the group of every atom
    counts: Floats  # (atoms, 18)
    blocks: tuple[str, ...]  # those that the columns at hand allow; "people" is the first

    @cached_property
    def sums(self) -> tuple[Floats, ...]:
        """People of every group by kind, (groups, 18), for each table."""
        found = tuple(np.zeros((len(labels), self.counts.shape[1])) for labels in self.labels)
        for total, groups in zip(found, self.member, strict=True):
            np.add.at(total, groups, self.counts)
        return found

    def atoms(self, place: Place) -> NDArray[np.bool_]:
        """Which atoms a group is made of."""
        return np.asarray(self.member[place[0]] == place[1])

    @cached_property
    def _coefficients(self) -> dict[tuple[Place, bytes], csr_array]:
        return {}

    def coefficients(self, place: Place, kinds: NDArray[np.bool_]) -> csr_array:
        """A count of a group as a row over atoms and kinds."""
        key = place, kinds.tobytes()
        if key not in self._coefficients:
            columns = np.add.outer(np.flatnonzero(self.atoms(place)) * kinds.size, np.flatnonzero(kinds)).ravel()
            shape, ends = (1, self.counts.size), [0, columns.size]
            self._coefficients[key] = csr_array((np.ones(columns.size), columns, ends), shape=shape)
        return self._coefficients[key]

    def crossed(self, table: int) -> bool:
        """Whether a table is one of intersections."""
        return ":" in self.names[table]

    @cached_property
    def _shared(self) -> dict[tuple[int, int], NDArray[np.int64]]:
        """The pairs of groups of two tables that share an atom with somebody in it."""
        peopled = self.counts.sum(axis=1) > 0
        tables = range(len(self.names))
        return {
            (i, j): np.unique(np.column_stack([self.member[i], self.member[j]])[peopled], axis=0)
            for i in tables
            for j in tables
        }

    @cached_property
    def holders(self) -> dict[Place, list[Place]]:
        """The groups of other tables that hold all people of a group.

        Examples
        --------
        >>> member = np.array([[0, 0], [0, 1]])
        >>> t = AtomCounts(("g", "g:s"), (("a",), ("a:f", "a:m")), member, np.ones((2, 18)), ("people",))
        >>> t.holders[1, 0]
        [(0, 0)]
        """
        found: dict[Place, list[Place]] = {
            (i, g): [] for i, labels in enumerate(self.labels) for g in range(len(labels))
        }
        for (i, j), pairs in self._shared.items():
            if i != j:
                groups, first, count = np.unique(pairs[:, 0], return_index=True, return_counts=True)
                for g, at in zip(groups[count == 1].tolist(), first[count == 1].tolist(), strict=True):
                    found[i, g].append((j, int(pairs[at, 1])))
        return found

    @cached_property
    def listed(self) -> dict[Place, int]:
        """The least size of a group that its listing gives away: the most groups of one table that lie within it."""
        found = {(i, g): int(total > 0) for i, sums in enumerate(self.sums) for g, total in enumerate(sums.sum(axis=1))}
        within = Counter((holder, place[0]) for place, held in self.holders.items() for holder in held)
        for (holder, _), count in within.items():
            found[holder] = max(found[holder], count)
        return found

    def alone(self, table: int) -> AtomCounts:
        """The counts of one table, its groups as atoms."""
        labels = self.labels[table]
        return AtomCounts(
            (self.names[table],), (labels,), np.arange(len(labels))[None, :], self.sums[table], self.blocks
        )
