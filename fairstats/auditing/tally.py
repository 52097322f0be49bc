"""People counted: how many there are of every combination of values, of which each number of an audit is a function."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from fairstats.arguments import whole
from fairstats.auditing.cells import firsts, on_grids, places, sorted_cells
from fairstats.auditing.input import Observations
from fairstats.auditing.tally_shown import ShownTally
from fairstats.data.factors import Factor, counted
from fairstats.data.grids import EXACT, level_of_cells
from fairstats.errors import InputError, listing
from fairstats.labels import ordered

SCHEMA = "fairstats/tally/1"
SUMS = ("rows", "used", "weight", "square")
BOUNDS = ("least", "most")  # of the people of a cell that was withheld


@dataclass(frozen=True, eq=False, repr=False)
class Tally(ShownTally):
    """Counts of people by every combination of their labels and scores; tallies of parts add up to that of the whole.

    Attributes
    ----------
    factors : dict of str to Factor
        Columns of labels: groups, factors of strata, outcome, decision, clusters; the label of each cell, code −1 where
        it is missing.
    numbers : dict of str to ndarray, shape (cells,)
        Scores, each distinct value in a cell of its own; NaN where it is missing.
    rows, used : ndarray, shape (cells,)
        Rows, and those of a weight above 0.
    weight, square : ndarray, shape (cells,)
        Sums of the weights and of their squares; the number of rows where nobody is weighted.
    weights : str
        The column of weights, "" where nobody is weighted.
    grids : dict of str to int
        Of scores with more than 2^20 distinct values, the level of the grid that they are on (`data.grids`).
    cuts : dict of str to float
        Thresholds that no bin of such a grid holds.
    least, most : ndarray, shape (cells,)
        Of cells that were withheld (`withhold`), how many people they may have; 0 elsewhere.
    roles : dict of str to tuple of str
        The columns by the argument of `fairstats.tally` that named them; an audit need not name them again.

    Examples
    --------
    >>> import fairstats as fs
    >>> tally = fs.tally({"sex": list("ffmf"), "hired": [1, 1, 1, 1]}, "hired", "sex")
    >>> tally.rows.tolist(), (tally + tally).rows.tolist()
    ([3.0, 1.0], [6.0, 2.0])
    """

    factors: dict[str, Factor]
    numbers: dict[str, np.ndarray]
    rows: np.ndarray
    used: np.ndarray
    weight: np.ndarray
    square: np.ndarray
    weights: str = ""
    grids: dict[str, int] = field(default_factory=dict)
    cuts: dict[str, float] = field(default_factory=dict)
    least: np.ndarray = field(default_factory=lambda: np.empty(0))
    most: np.ndarray = field(default_factory=lambda: np.empty(0))
    roles: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def digest(self) -> str:
        """The SHA-256 of what was counted, whatever the order of the cells and in however many parts.

        Examples
        --------
        >>> import fairstats as fs
        >>> one, two = (fs.tally({"g": list(g), "d": d}, "d", "g") for g, d in (("ab", [1, 0]), ("ba", [0, 1])))
        >>> one.digest() == two.digest(), (one + two).digest() == one.digest()
        (True, False)
        """
        columns = [
            *(
                np.array([repr(c), *map(repr, f.levels)])[f.codes + 1].astype(str)
                for c, f in sorted(self.factors.items())
            ),
            *(values for _, values in sorted(self.numbers.items())),
            *(part for part in (self.rows, self.used, self.weight, self.square, self.least, self.most) if part.size),
        ]
        cells = [[v if isinstance(v, str) else f"{v:.9g}" for v in column.tolist()] for column in columns]
        names = [*sorted(self.factors), *sorted(self.numbers), self.weights, repr(sorted(self.grids.items()))]
        lines = [repr(names), *sorted("\t".join(cell) for cell in zip(*cells, strict=True))]
        return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()

    @classmethod
    def of(cls, observations: Observations) -> Tally:
        """Count judged columns, in one pass."""
        w = observations.weights
        values = {} if w is None else {"used": (w > 0).astype(float), "weight": w, "square": w * w}
        values = values if observations.sums is None else observations.sums
        grids, cuts = observations.grids or {}, observations.cuts or {}
        return _counted(observations.factors, observations.numbers, values, observations.weights_name, grids, cuts)

    def __len__(self) -> int:
        """Cells with somebody in them."""
        return self.rows.size

    def __radd__(self, other: object) -> Tally:
        """0 + a tally is the tally, so that ``sum`` adds up a list of them."""
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def __add__(self, other: Tally) -> Tally:
        """The tally of both sets of people.

        Raises
        ------
        InputError
            If the two do not count the same columns.
        """
        if not isinstance(other, Tally):
            return NotImplemented
        own, others = _columns(self), _columns(other)
        if own != others:
            raise InputError(
                f"other counts {listing(sorted(others), 12)}; this tally counts {listing(sorted(own), 12)}; tallies of "
                "the same columns add up; count both with the same arguments."
            )
        return added([self, other])

    def withhold(self, min_n: int) -> Tally:
        """Withhold the cells of few people, before a tally leaves the site that counted it.

        Scores are first put on the finest grid whose cells hold at least 95 % of those people whom
        any grid would keep. Then every cell of fewer than ``min_n`` people loses its count: what is left says that the
        cell exists, without its score, and has between 1 and ``min_n - 1`` people; where the people of one combination
        that lost their scores are ``min_n`` or more together, their number is left. Tallies of several sites add up as
        before; an audit of them says which cells were withheld, and bounds what they could change.

        Parameters
        ----------
        min_n : int
            The least number of people in a cell that may leave; at least 2.

        Returns
        -------
        Tally

        Raises
        ------
        InputError
            If people are weighted: the weights of a withheld cell have no bound.

        Notes
        -----
        Who knows the total of a site from elsewhere can compute its only withheld cell. Nothing is protected from who
        knows people of the cell.

        Examples
        --------
        >>> import fairstats as fs
        >>> fs.tally({"sex": list("fffm"), "hired": [1, 1, 1, 1]}, "hired", "sex").withhold(3)
        <Tally: 3 rows in 1 cells of sex, hired; 1 withheld>
        """
        least = whole("min_n", min_n, 2)
        if self.weights:
            raise InputError(
                f"min_n has {least}; this tally sums the weights of {self.weights!r}, and what withheld people weigh "
                "has no bound; count people without weights."
            )
        grids = dict(self.grids)
        place, _ = places(self.factors)
        for name, x in self.numbers.items():
            level = level_of_cells(x, place, self.rows, least, grids.get(name, EXACT), self.cuts.get(name))
            grids |= {name: level} if level < EXACT else {}
        made = _counted(self.factors, self.numbers, self._values(), "", grids, self.cuts)
        small = (made.rows > 0) & (made.rows < least)
        numbers = {name: np.where(small, np.nan, x) for name, x in made.numbers.items()}
        sums = {name: np.where(small, 0.0, getattr(made, name)) for name in SUMS}
        left = _counted(made.factors, numbers, sums | {n: getattr(made, n) for n in BOUNDS}, "", made.grids, made.cuts)
        # The cells of one combination that lost their scores are one cell: how many they were would tell their people.
        lost = _counted(
            made.factors, numbers, {"rows": np.where(small, made.rows, 0.0)}, "", made.grids, made.cuts
        ).rows
        many = np.where(lost < least, 0.0, lost)
        low, high = np.where(many > 0, many, lost > 0), np.where(many > 0, many, (lost > 0) * (least - 1.0))
        return replace(left, least=left.least + low, most=left.most + high, roles=self.roles)

    def withheld(self) -> list[dict[str, Any]]:
        """Return the cells that were withheld: their labels, and how many people they have at least and at most.

        Examples
        --------
        >>> import fairstats as fs
        >>> fs.tally({"sex": list("fffm"), "hired": [1, 1, 1, 1]}, "hired", "sex").withhold(3).withheld()
        [{'sex': 'm', 'hired': '1', 'least': 1, 'most': 2}]
        """
        hidden = np.flatnonzero(self.most > 0)
        columns = {name: factor.labels[hidden].tolist() for name, factor in self.factors.items()}
        columns |= {name: getattr(self, name)[hidden].astype(int).tolist() for name in BOUNDS}
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def _values(self) -> dict[str, np.ndarray]:
        return {name: getattr(self, name) for name in (*SUMS, *BOUNDS)}

    def to_dict(self) -> dict[str, Any]:
        """Return the cells as plain values: the levels of each column, and column by column what every cell holds.

        Returns
        -------
        dict
            ``schema``; ``labels``: column to levels; ``cells``: column to codes of levels (−1 is missing) or scores
            (None is missing), and ``rows``, ``used``, ``weight``, ``square``, where cells are withheld ``least`` and
            ``most``; ``weights``: the column of weights; ``grids``: levels of scores on a grid; ``roles``: argument to
            columns.
        """
        numbers = {name: [None if v != v else v for v in x.tolist()] for name, x in self.numbers.items()}
        codes = {name: factor.codes.tolist() for name, factor in self.factors.items()}
        sums = {name: getattr(self, name).tolist() for name in (*SUMS, *(BOUNDS if self.most.any() else ()))}
        return {
            "schema": SCHEMA,
            "weights": self.weights,
            "grids": dict(self.grids),
            "roles": {role: list(names) for role, names in self.roles.items()},
            "labels": {name: list(factor.levels) for name, factor in self.factors.items()},
            "cells": {"labels": codes, "numbers": numbers, **sums},
        }


def added(tallies: Sequence[Tally]) -> Tally:
    """The tally of all people of several tallies of the same columns.

    Examples
    --------
    >>> one = Tally.of(Observations({"sex": Factor(np.array([0, 1]), ("f", "m"))}, {}))
    >>> added([one, one, one]).rows.tolist()
    [3.0, 3.0]
    """
    first = tallies[0]
    factors = {name: _joined(name, [tally.factors[name] for tally in tallies]) for name in first.factors}
    numbers = {name: np.concatenate([tally.numbers[name] for tally in tallies]) for name in first.numbers}
    values = {name: np.concatenate([getattr(tally, name) for tally in tallies]) for name in (*SUMS, *BOUNDS)}
    if any(tally.cuts != first.cuts for tally in tallies):
        raise InputError("the scores of these tallies are cut at different thresholds; count them with the same one.")
    grids = {
        name: min(tally.grids.get(name, EXACT) for tally in tallies)
        for name in first.numbers
        if any(name in tally.grids for tally in tallies)
    }
    # a role that another site gave to another column is nobody's: the audit has to name it
    roles = {role: names for role, names in first.roles.items() if all(t.roles.get(role) == names for t in tallies)}
    return replace(_counted(factors, numbers, values, first.weights, grids, first.cuts), roles=roles)


def _columns(tally: Tally) -> set[str]:
    weights = {f"weights {tally.weights}"} if tally.weights else set()
    return {*tally.factors, *(f"scores {name}" for name in tally.numbers), *weights}


def _joined(name: str, factors: list[Factor]) -> Factor:
    """Columns of labels, one after the other; a part without labels does not say whether they are numbers."""
    known = [factor for factor in factors if factor.levels] or factors[:1]
    numbers, levels = known[0].numbers, known[0].levels
    if any(factor.numbers != numbers for factor in known):
        raise InputError(
            f"the column {name!r} holds numbers in one part of the data and text in another, so it cannot be known "
            "whether 1 and '1' are one group; read it as text in all."
        )
    if any(factor.levels != levels for factor in known):
        levels = tuple(ordered({level for factor in known for level in factor.levels}, list(numbers)))
    place = {level: i for i, level in enumerate(levels)}
    codes = [np.array([*(place[v] for v in f.levels), -1], dtype=np.intp)[f.codes] for f in factors]
    return Factor(np.concatenate(codes), levels, numbers, all(f.ordered and f.levels == levels for f in known))


def _counted(
    factors: Mapping[str, Factor],
    numbers: Mapping[str, np.ndarray],
    values: Mapping[str, np.ndarray],
    weights: str,
    grids: Mapping[str, int],
    cuts: Mapping[str, float],
) -> Tally:
    """One cell a combination that occurs, in the order of the levels and then of the scores."""
    numbers, grids = on_grids(numbers, grids, cuts)
    place, cells = places(factors)
    if numbers:
        order, starts = sorted_cells(place, cells, list(numbers.values()))
        first = order[starts]
        sums = {name: np.add.reduceat(v[order], starts) for name, v in values.items()}
        rows = np.diff(starts, append=place.size).astype(float)
    else:
        first = firsts(place, cells)
        sums = {name: np.bincount(place, weights=v, minlength=cells) for name, v in values.items()}
        rows = counted(place, cells).astype(float)
    sums = {"rows": rows} | sums  # rows that stand for several people say how many
    columns: dict[str, Any] = {name: sums.get(name, sums["rows"]) for name in SUMS}
    columns |= {name: sums.get(name, np.zeros(first.size)) for name in BOUNDS}
    return Tally(
        {name: factor.take(first) for name, factor in factors.items()},
        {name: x[first] for name, x in numbers.items()},
        **columns,
        weights=weights,
        grids=dict(grids),
        cuts=dict(cuts),
    )
