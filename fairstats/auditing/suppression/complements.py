"""The choice of a complement: which further group is withheld beside one that could be computed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.suppression.atom_counts import AtomCounts, Place

Masks = list[NDArray[np.bool_]]


class Complements:
    """Candidates in order of their cost, the number of people who are no longer shown.

    In a table with withheld or no holders the smallest group shown is withheld. In an intersection whose holders are
    shown, it is the three other corners of a rectangle: people may then change places along its sides while every row
    and column keeps its sum. A holder so small that its size alone tells how many are in its parts is withheld itself,
    or a further group beside it.

    Examples
    --------
    >>> t = AtomCounts(("g",), (("a", "b", "c"),), np.array([[0, 1, 2]]), np.diag([9.0, 7.0, 1.0]), ("people",))
    >>> Complements(t, 3, ()).beside((0, 2), [np.array([False, False, True])], np.ones(3, dtype=bool))
    [(0, 1)]
    """

    def __init__(self, tally: AtomCounts, min_n: int, kept: tuple[Place, ...]) -> None:
        self._sizes = [tally.sums[table].sum(axis=1) for table in range(len(tally.names))]
        self._sums, self._least = tally.sums, min_n
        self._kept = set(kept)
        self._crossed = [tally.crossed(table) for table in range(len(tally.names))]
        self._holders, self._listed = tally.holders, tally.listed
        self._everybody = tally.counts.sum()

    def lines(self, place: Place) -> set[Place]:
        """The rows and columns that an intersection stands in; of another group its whole table."""
        return set(self._holders[place]) if self._crossed[place[0]] else {(place[0], -1)}

    def beside(self, place: Place, hidden: Masks, kinds: NDArray[np.bool_]) -> list[Place]:
        """Groups to withhold so that the count of `place` has more room; none where all are withheld.

        Parameters
        ----------
        place : (int, int)
            Table and group whose count has too narrow a range.
        hidden : list of ndarray
            Table → whether a group is withheld already.
        kinds : ndarray
            The kinds of people that are counted.

        Returns
        -------
        list of (int, int)
        """
        table, _ = place
        shown = [holder for holder in self._holders[place] if not hidden[holder[0]][holder[1]]]
        for holder in self._holders[place]:
            if self._room(place, holder, hidden) < self._least - 1:
                rest = [(holder[0], g) for g in np.flatnonzero(~hidden[holder[0]]).tolist()]
                if rest:
                    return [holder if holder in rest else min(rest, key=self._price)]
        corners = self._rectangle(place, hidden, kinds) if shown and self._crossed[table] else []
        if corners:
            return corners
        siblings = [(table, g) for g in range(len(hidden[table]))]
        others = [(t, g) for t in range(len(hidden)) for g in range(len(hidden[t]))]
        for candidates in (siblings, shown, others):
            left = [c for c in candidates if not hidden[c[0]][c[1]]]
            if left:
                return [min(left, key=self._price)]
        return []

    def _room(self, place: Place, holder: Place, hidden: Masks) -> float:
        """The greatest size of a group if all others listed in its holder (or withheld beside that) are one person."""
        table = holder[0]
        known = (
            [holder] if not hidden[table][holder[1]] else [(table, g) for g in np.flatnonzero(hidden[table]).tolist()]
        )
        spare = sum(float(self._sizes[t][g]) - self._listed[t, g] for t, g in known)
        return spare + self._listed[place]

    def _price(self, place: Place) -> tuple[float, Place]:
        return self._cost(place), place

    def _cost(self, place: Place) -> float:
        return float(self._sizes[place[0]][place[1]]) + (self._everybody if place in self._kept else 0)

    def _rectangle(self, place: Place, hidden: Masks, kinds: NDArray[np.bool_]) -> list[Place]:
        """The cheapest rectangle with enough people of these kinds at its corners, one of them still shown."""
        table, cell = place
        where = [dict(self._holders[table, g]) for g in range(len(hidden[table]))]
        at = {tuple(sorted(w.items())): g for g, w in enumerate(where)}
        people = self._sums[table][:, kinds].sum(axis=1)
        found: list[tuple[bool, float, list[Place]]] = []
        for other, across in enumerate(where):
            for side in across:
                if across.get(side) == where[cell].get(side):
                    continue
                first = at.get(tuple(sorted({**where[cell], side: across[side]}.items())))
                second = at.get(tuple(sorted({**across, side: where[cell].get(side, -1)}.items())))
                if first is None or second is None or len({cell, other, first, second}) < 4:
                    continue
                new = [(table, g) for g in (other, first, second) if not hidden[table][g]]
                room = min(people[first], people[second]) + people[cell] >= self._least - 1
                room &= bool(people[other] >= people[cell])
                if new:
                    found.append((not room, sum(map(self._cost, new)), new))
        return min(found)[2] if found else []
