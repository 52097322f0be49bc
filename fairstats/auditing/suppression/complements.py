"""The choice of a complement: which further group is withheld beside one that could be computed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.suppression.tally import Place, Tally

Masks = list[NDArray[np.bool_]]


class Complements:
    """Candidates in order of their cost, the number of people who are no longer shown.

    In a table with withheld or no holders the smallest group shown is withheld. In an intersection whose holders are
    shown, it is the three other corners of a rectangle: people may then change places along its sides while every row
    and column keeps its sum.

    Examples
    --------
    >>> t = Tally(("g",), (("a", "b", "c"),), np.array([[0, 1, 2]]), np.diag([9.0, 7.0, 1.0]), ("people",))
    >>> Complements(t, 3, ()).beside((0, 2), [np.array([False, False, True])])
    [(0, 1)]
    """

    def __init__(self, tally: Tally, min_n: int, kept: tuple[Place, ...]) -> None:
        self._sizes = [tally.of(table).sum(axis=1) for table in range(len(tally.names))]
        self._least = min_n
        self._kept = set(kept)
        self._crossed = [tally.crossed(table) for table in range(len(tally.names))]
        self._holders = tally.holders()
        self._everybody = tally.counts.sum()

    def beside(self, place: Place, hidden: Masks) -> list[Place]:
        """Groups to withhold so that the count of `place` has more room; none where all are withheld.

        Parameters
        ----------
        place : (int, int)
            Table and group whose count has too narrow a range.
        hidden : list of ndarray
            Table → whether a group is withheld already.

        Returns
        -------
        list of (int, int)
        """
        table, _ = place
        shown = [holder for holder in self._holders[place] if not hidden[holder[0]][holder[1]]]
        corners = self._rectangle(place, hidden) if shown and self._crossed[table] else []
        if corners:
            return corners
        siblings = [(table, g) for g in range(len(hidden[table]))]
        others = [(t, g) for t in range(len(hidden)) for g in range(len(hidden[t]))]
        for candidates in (siblings, shown, others):
            left = [c for c in candidates if not hidden[c[0]][c[1]]]
            if left:
                return [min(left, key=self._price)]
        return []

    def _price(self, place: Place) -> tuple[float, Place]:
        return self._cost(place), place

    def _cost(self, place: Place) -> float:
        return float(self._sizes[place[0]][place[1]]) + (self._everybody if place in self._kept else 0)

    def _rectangle(self, place: Place, hidden: Masks) -> list[Place]:
        """The cheapest rectangle with enough people on its sides, and at least one corner that is shown."""
        table, cell = place
        where = [dict(self._holders[table, g]) for g in range(len(hidden[table]))]
        at = {tuple(sorted(w.items())): g for g, w in enumerate(where)}
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
                room = min(self._sizes[table][first], self._sizes[table][second]) >= self._least
                if new:
                    found.append((not room, sum(map(self._cost, new)), new))
        return min(found)[2] if found else []
