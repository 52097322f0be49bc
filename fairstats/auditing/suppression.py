"""Between counting and estimation: what is withheld is taken out of the data, so that nothing behind it can leak it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.sparse import csr_array, hstack, kron, vstack
from scipy.sparse import identity as eye

from fairstats.auditing.arguments import MEASURES
from fairstats.auditing.counts import IMPACT_METRICS, Cell, Weighed, above_median, block_of, references_by_attribute
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.tally import COMPLETE, MISSING_COVARIATE, MISSING_OF, STRATUM_MISSING, CodedTally
from fairstats.errors import NumericalError
from fairstats.estimates import NAN, Estimate, Estimates
from fairstats.inference.rates.adverse_impact import SMALL_SHARE
from fairstats.inference.rates.strata_rows import LEFT_OUT, LEFT_OUT_OF_ONE
from fairstats.labels import MISSING_LEVEL, holds_missing
from fairstats.language import joined, message, says, unjoined
from fairstats.metrics import UNKNOWN
from fairstats.provenance import ANALYZED, Attribute, FlowStep

Floats = NDArray[np.float64]


# The people of one report as counts: every atom of its crossed tables by outcome, decision and known score.


Place = tuple[int, int]  # a table, and a group of it
_ANY = (0, 1, 2)


@dataclass(frozen=True)
class Kinds:
    """What people are told apart by: outcome and decision (no, yes, unknown), and of each number whether it is known.

    Kinds are numbered, those of the first outcome first; a mask says which of them are counted.
    """

    numbers: tuple[str, ...] = ("score",)

    @property
    def shape(self) -> tuple[int, ...]:
        """How many values each of them has."""
        return (3, 3, *(2 for _ in self.numbers))

    @property
    def size(self) -> int:
        """How many kinds there are."""
        return math.prod(self.shape)

    def mask(self, outcome: tuple[int, ...], decision: tuple[int, ...], known: str = "") -> NDArray[np.bool_]:
        """The kinds of these outcomes and decisions, and of which a number is known where one is named."""
        mask = np.zeros(self.shape, dtype=bool)
        mask[np.ix_(outcome, decision, *((1,) if name == known else (0, 1) for name in self.numbers))] = True
        return mask.ravel()

    @cached_property
    def blocks(self) -> dict[str, dict[str, NDArray[np.bool_]]]:
        """The counts that a report publishes of a group, by the block of rates that they belong to."""
        return {
            "people": {"n": self.mask(_ANY, _ANY)},
            "outcome": {"positives": self.mask((1,), _ANY), "negatives": self.mask((0,), _ANY)},
            "decision": {"yes": self.mask(_ANY, (1,)), "no": self.mask(_ANY, (0,))},
            **{name: {"known": self.mask(_ANY, _ANY, name)} for name in self.numbers},
            "joint": {
                "tp": self.mask((1,), (1,)),
                "fp": self.mask((0,), (1,)),
                "fn": self.mask((1,), (0,)),
                "tn": self.mask((0,), (0,)),
            },
        }

    @cached_property
    def denominators(self) -> dict[str, tuple[NDArray[np.bool_], ...]]:
        """A block is published of a group only where each of its own denominators has `min_n` people."""
        return {
            "people": (self.mask(_ANY, _ANY),),
            "outcome": (self.mask((0, 1), _ANY),),
            "decision": (self.mask(_ANY, (0, 1)),),
            **{name: (self.mask(_ANY, _ANY, name),) for name in self.numbers},
            "joint": (
                *(self.mask((y,), (0, 1)) for y in (0, 1)),
                *(self.mask((0, 1), (d,)) for d in (0, 1)),
                *(self.mask((y,), _ANY, "score") for y in (0, 1)),  # of AUC and ROC
            ),
        }


OF_SCORES = Kinds()


@dataclass(frozen=True)
class AtomCounts:
    """People by atom and kind; an atom is a combination of groups that no table of the report divides further."""

    names: tuple[str, ...]  # of the tables
    labels: tuple[tuple[str, ...], ...]  # their groups
    member: NDArray[np.int64]  # (tables, atoms): the group of every atom
    counts: Floats  # (atoms, kinds)
    blocks: tuple[str, ...]  # those that the columns at hand allow; "people" is the first
    joint: tuple[str, ...] = ()  # the tables of intersections
    kinds: Kinds = OF_SCORES

    @cached_property
    def sums(self) -> tuple[Floats, ...]:
        """People of every group by kind, (groups, kinds), for each table."""
        result = tuple(np.zeros((len(labels), self.counts.shape[1])) for labels in self.labels)
        for total, groups in zip(result, self.member, strict=True):
            np.add.at(total, groups, self.counts)
        return result

    def atoms(self, place: Place) -> NDArray[np.bool_]:
        """Which atoms a group is made of."""
        return np.asarray(self.member[place[0]] == place[1])

    @cached_property
    def _coefficients(self) -> dict[tuple[Place, bytes], csr_array]:
        return {}

    def coefficients(self, place: Place, values: NDArray[np.bool_]) -> csr_array:
        """A count of a group as a row over atoms and kinds."""
        key = place, values.tobytes()
        if key not in self._coefficients:
            columns = np.add.outer(np.flatnonzero(self.atoms(place)) * values.size, np.flatnonzero(values)).ravel()
            shape, ends = (1, self.counts.size), [0, columns.size]
            self._coefficients[key] = csr_array((np.ones(columns.size), columns, ends), shape=shape)
        return self._coefficients[key]

    def crossed(self, table: int) -> bool:
        """Whether a table is one of intersections."""
        return self.names[table] in self.joint

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
        result: dict[Place, list[Place]] = {
            (i, g): [] for i, labels in enumerate(self.labels) for g in range(len(labels))
        }
        for (i, j), pairs in self._shared.items():
            if i != j:
                groups, first, count = np.unique(pairs[:, 0], return_index=True, return_counts=True)
                for g, at in zip(groups[count == 1].tolist(), first[count == 1].tolist(), strict=True):
                    result[i, g].append((j, int(pairs[at, 1])))
        return result

    @cached_property
    def listed(self) -> dict[Place, int]:
        """The least size of a group that its listing gives away: the most groups of one table that lie within it."""
        entries = {
            (i, g): int(total > 0) for i, sums in enumerate(self.sums) for g, total in enumerate(sums.sum(axis=1))
        }
        within = Counter((holder, place[0]) for place, kept in self.holders.items() for holder in kept)
        for (holder, _), count in within.items():
            entries[holder] = max(entries[holder], count)
        return entries

    def alone(self, table: int) -> AtomCounts:
        """The counts of one table, its groups as atoms."""
        names, labels, counts = (self.names[table],), self.labels[table], self.sums[table]
        return replace(self, names=names, labels=(labels,), member=np.arange(len(labels))[None, :], counts=counts)


# The choice of a complement: which further group is withheld beside one that could be computed.


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

    def beside(self, place: Place, hidden: Masks, values: NDArray[np.bool_]) -> list[Place]:
        """Groups to withhold so that the count of `place` has more room; none where all are withheld.

        place: table and group whose count has too narrow a range.
        hidden: table → whether a group is withheld already.
        kinds: the kinds of people that are counted.
        """
        table, _ = place
        shown = [holder for holder in self._holders[place] if not hidden[holder[0]][holder[1]]]
        for holder in self._holders[place]:
            if self._room(place, holder, hidden) < self._least - 1:
                rest = [(holder[0], g) for g in np.flatnonzero(~hidden[holder[0]]).tolist()]
                if rest:
                    return [holder if holder in rest else min(rest, key=self._price)]
        corners = self._rectangle(place, hidden, values) if shown and self._crossed[table] else []
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
        present = (
            [holder] if not hidden[table][holder[1]] else [(table, g) for g in np.flatnonzero(hidden[table]).tolist()]
        )
        spare = sum(float(self._sizes[t][g]) - self._listed[t, g] for t, g in present)
        return spare + self._listed[place]

    def _price(self, place: Place) -> tuple[float, Place]:
        return self._cost(place), place

    def _cost(self, place: Place) -> float:
        return float(self._sizes[place[0]][place[1]]) + (self._everybody if place in self._kept else 0)

    def _rectangle(self, place: Place, hidden: Masks, values: NDArray[np.bool_]) -> list[Place]:
        """The cheapest rectangle with enough people of these kinds at its corners, one of them still shown."""
        table, cell = place
        where = [dict(self._holders[table, g]) for g in range(len(hidden[table]))]
        at = {tuple(sorted(w.items())): g for g, w in enumerate(where)}
        people = self._sums[table][:, values].sum(axis=1)
        result: list[tuple[bool, float, list[Place]]] = []
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
                    result.append((not room, sum(map(self._cost, new)), new))
        return min(result)[2] if result else []


# What an attacker knows of a report, as equations in the counts of atoms by kind.


Hidden = dict[str, list[NDArray[np.bool_]]]  # block -> table -> whether a group is withheld


def sums(tally: AtomCounts, hidden: Hidden, block: str) -> csr_array:
    """The sums that are known while a block is decided on.

    hidden: what is withheld so far.
    block: of people, every kind of every group shown, and of everybody, is taken as known (whatever is withheld later
        leaves the ranges wider); of another block the sums that are published, and the totals of each column.
    Returns: shape (sums, kinds × atoms).
    """
    active = _active(tally)
    everything = np.eye(active.size)[active]
    columns = np.array([m for b in tally.blocks if b != "joint" for m in tally.kinds.blocks[b].values()], dtype=float)
    atoms = len(tally.counts)
    everybody, nobody = csr_array(np.ones((1, atoms))), csr_array(np.eye(active.size)[~active])
    parts = [kron(everybody, csr_array(everything if block == "people" else columns)), kron(everybody, nobody)]
    for table, groups in enumerate(tally.member):
        which = csr_array((np.ones(atoms), (groups, np.arange(atoms))), shape=(len(tally.labels[table]), atoms))
        shown = np.array([~hidden[b][table] for b in tally.blocks])
        for pattern in np.unique(shown.T, axis=0):
            blocks = [b for b, yes in zip(tally.blocks, pattern, strict=True) if yes]
            if not blocks:
                continue
            masks = np.array([m for b in blocks for m in tally.kinds.blocks[b].values()], dtype=float)
            if block == "people" or np.linalg.matrix_rank(masks[:, active]) == active.sum():
                masks = everything
            parts.append(kron(which[(pattern == shown.T).all(axis=1)], csr_array(masks)))
    result = csr_array(vstack(parts, format="csr"))
    result.eliminate_zeros()
    return result


def _active(tally: AtomCounts) -> NDArray[np.bool_]:
    """Kinds that somebody is, and those that a report hides even where nobody is: the cells of both columns."""
    active = np.asarray(tally.counts.sum(axis=0) > 0)
    if "joint" in tally.blocks:
        everybody = np.ones(active.size, dtype=bool)
        known = [tally.kinds.blocks[name]["known"] for name in tally.kinds.numbers if name in tally.blocks]
        for mask in tally.kinds.blocks["joint"].values():
            active = active | (mask & np.all([everybody, *known], axis=0))
    return active


def floors(tally: AtomCounts, hidden: list[NDArray[np.bool_]]) -> csr_array:
    """A withheld group that is listed has somebody in it (unless all weigh 0): a row each, at least 1."""
    values = np.ones(tally.counts.shape[1], dtype=bool)
    rows = [
        tally.coefficients((table, group), values)
        for table, mask in enumerate(hidden)
        for group in np.flatnonzero(mask & (tally.sums[table].sum(axis=1) > 0)).tolist()
    ]
    return csr_array(vstack([csr_array((0, tally.counts.size)), *rows], format="csr"))


# The protected counts of a report, each with the range that is declared of it (see `disclosure`).


Mask = NDArray[np.bool_]
Range = tuple[Mask, float, float]  # kinds of people, least, most


def targets(
    tally: AtomCounts, hidden: Hidden, block: str, min_n: int, small: list[Mask]
) -> tuple[list[Place], list[Mask], Floats, Floats]:
    """The protected counts: whose, of which kinds, and the ends of their ranges.

    hidden: what is withheld so far.
    block: the block that is decided on.
    small: table → groups with a denominator under `min_n`; the other withheld ones are complements.
    Returns least, most: of a complement `least` is NaN and `most` a width.
    """
    places: list[Place] = []
    masks, low, high = [], [], []
    for table, gone in enumerate(hidden[block]):
        for group in np.flatnonzero(gone).tolist():
            place = (table, group)
            # of a complement, and where nothing of an intersection is shown, the size is protected and nothing else
            size_only = not small[table][group] or (gone.all() and tally.crossed(table))
            if size_only and block != "people":
                continue
            around = _around(tally, place, hidden[block], block, min_n)
            if block == "people":
                ranges = _sizes(tally, place, around, min_n)[: 1 if size_only else None]
            elif block == "joint":
                ranges = _numerators(tally, place, around, min_n)
            else:
                ranges = _column(tally, place, block, around, min_n)
            for mask, least, most in ranges:
                places.append(place)
                masks.append(mask)
                low.append(least if small[table][group] else np.nan)
                high.append(most if small[table][group] else most - least)
    return places, masks, np.array(low), np.array(high)


def _around(tally: AtomCounts, place: Place, hidden: list[Mask], block: str, min_n: int) -> Floats:
    """The people withheld in the table of a group, those in published groups that hold it, and those that are both.

    Only unions of which the block's denominators have `min_n` people or more: what is true of them is no secret.
    """
    withheld = hidden[place[0]][tally.member[place[0]]]
    items = [tally.counts[withheld].sum(axis=0)]
    for j, g in tally.holders[place]:
        if not hidden[j][g]:
            items += [tally.sums[j][g], tally.counts[tally.atoms((j, g)) & withheld].sum(axis=0)]
    large = [u for u in items if all(u[mask].sum() >= min_n for mask in tally.kinds.denominators[block])]
    return np.array(large).reshape(len(large), tally.counts.shape[1])


def _sizes(tally: AtomCounts, place: Place, around: Floats, min_n: int) -> list[Range]:
    """Every count of a withheld group, its size first."""
    (size,) = tally.kinds.blocks["people"].values()
    listed = tally.listed[place]
    items = [(size, float(listed), max(min_n - 1.0, listed))]
    for block in tally.blocks[1:]:
        for mask in (*tally.kinds.blocks[block].values(), *tally.kinds.denominators[block]):
            items.append(_count(mask, listed, around, min_n))
    return items


def _column(tally: AtomCounts, place: Place, block: str, around: Floats, min_n: int) -> list[Range]:
    """The counts of one column, in a group whose size is known."""
    size = tally.sums[place[0]][place[1]].sum()
    return [_count(mask, size, around, min_n) for mask in tally.kinds.blocks[block].values()]


def _count(mask: Mask, size: float, around: Floats, min_n: int) -> Range:
    """A count of a group of at least `size` people, no more than there are of these kinds around it."""
    least = float((size - around[:, ~mask].sum(axis=1)).max(initial=0.0))
    most = float(around[:, mask].sum(axis=1).min(initial=min_n - 1.0))
    return mask, least, max(least, most)


def _numerators(tally: AtomCounts, place: Place, around: Floats, min_n: int) -> list[Range]:
    """The four cells when the sums of rows and columns are known: one number is free, and moves all four."""
    masks = tally.kinds.blocks["joint"].values()
    cells = np.array([*masks]).T.astype(float)
    parts = tally.counts[tally.atoms(place)] @ cells
    tp, fp, fn, tn = current = tally.sums[place[0]][place[1]] @ cells
    spare = (around @ cells - current).min(axis=0, initial=np.inf)
    up = min(np.minimum(parts[:, 1], parts[:, 2]).sum(), spare[0], spare[3])
    down = min(np.minimum(parts[:, 0], parts[:, 3]).sum(), spare[1], spare[2])
    up = min(up, max(0.0, min_n - 1 - down))
    ends = ((tp - down, tp + up), (fp - up, fp + down), (fn - up, fn + down), (tn - down, tn + up))
    return [(mask, float(low), float(high)) for mask, (low, high) in zip(masks, ends, strict=True)]


# What can be computed from published sums: the range of a count over all tables that agree with them.


TOLERANCE = 1e-6


class Attack:
    """Ranges of counts x ≥ 0 under published sums A x = A x₀ and floors B x ≥ 1, x₀ being the truth.

    Every solution of a linear program is kept as a witness: publishing less leaves it a solution, so that what was once
    shown to be wide is never solved again.

    truth: x₀, shape (v,).

    Two groups of which the sum, 7, is known: either may have everybody but one.

    >>> attack = Attack(np.array([2.0, 5.0]))
    >>> pair = csr_array(np.eye(2))
    >>> attack.narrow(csr_array([[1.0, 1.0]]), pair, pair, np.array([1.0, 1.0]), np.array([6.0, 6.0]))
    []
    >>> attack.narrow(csr_array([[1.0, 1.0]]), pair, pair, np.array([1.0, 1.0]), np.array([6.0, 7.0]))
    [1]
    """

    def __init__(self, truth: Floats) -> None:
        self.truth = truth
        self._witnesses = [truth]

    def narrow(
        self,
        sums: csr_array,
        floors: csr_array,
        counts: csr_array,
        low: Floats,
        high: Floats,
        owners: Sequence[Hashable] | None = None,
    ) -> list[int]:
        """The counts whose range does not reach from `low` to `high`.

        Parameters
        ----------
        sums, floors : sparse, shape (m, v)
            A and B.
        counts : sparse, shape (k, v)
            The protected counts.
        low, high : ndarray, shape (k,)
            What must be possible; ``high - low`` with NaN in `low` asks for a width, wherever the range lies.

        owners : sequence, optional
            Whose count it is: of each owner the first one is looked for.
        """
        program, seen = _Program(sums, floors, self.truth), _Seen(counts, low, high)
        for witness in self._witnesses:
            seen.add(witness)
        for sign in (1.0, -1.0):
            left = np.flatnonzero(seen.short(sign) & ~np.isnan(low))
            if left.size > 1:  # one program that brings as many counts as it can to their ends at once
                self._keep(program.joint(counts[left], sign, (high if sign > 0 else -low)[left]), seen)
        failing: dict[Hashable, int] = {}
        for i, owner in enumerate(owners or range(counts.shape[0])):
            for sign in (1.0, -1.0):
                if owner not in failing and seen.short(sign)[i]:
                    self._keep(program.extreme(counts[[i]], sign), seen)
                    if seen.short(sign)[i] and (sign < 0 or low[i] == low[i]):
                        failing[owner] = i
        return list(failing.values())

    def _keep(self, witness: Floats, seen: _Seen) -> None:
        self._witnesses.append(witness)
        seen.add(witness)


class _Seen:
    """The least and greatest values of counts over the solutions seen so far."""

    def __init__(self, counts: csr_array, low: Floats, high: Floats) -> None:
        self.counts, self.low, self.high = counts, low, high
        self.least, self.most = np.full(low.size, np.inf), np.full(low.size, -np.inf)

    def add(self, solution: Floats) -> None:
        """Look at one solution."""
        values = self.counts @ solution
        self.least, self.most = np.minimum(self.least, values), np.maximum(self.most, values)

    def short(self, sign: float) -> NDArray[np.bool_]:
        """Which counts have not been seen at their upper (sign 1) or lower end, or over their width."""
        end = self.most < self.high - TOLERANCE if sign > 0 else self.least > self.low + TOLERANCE
        return np.where(np.isnan(self.low), self.most - self.least < self.high - TOLERANCE, end)


class _Program:
    """The linear program without the variables that the sums fix one by one."""

    def __init__(self, sums: csr_array, floors: csr_array, truth: Floats) -> None:
        single = np.diff(sums.indptr) == 1
        fixed = np.zeros(truth.size, dtype=bool)
        fixed[sums[single].indices] = True
        self.truth, self.free = truth, np.flatnonzero(~fixed)
        left = sums[:, self.free]
        self.sums = left[np.diff(left.indptr) > 0]
        self.equal = self.sums @ truth[self.free]
        self.floors = floors[:, self.free]
        self.least = 1 - (floors @ truth - self.floors @ truth[self.free])

    def extreme(self, count: csr_array, sign: float) -> Floats:
        """A solution at which the count is greatest (sign 1) or smallest (sign -1)."""
        return self._solved(-sign * count[:, self.free].toarray().ravel(), self.sums, -self.floors, -self.least, None)

    def joint(self, counts: csr_array, sign: float, ends: Floats) -> Floats:
        """A solution at which the sum of the counts, each counted up to its end only, is greatest."""
        k, rows = counts.shape[0], counts[:, self.free]
        at_truth = sign * (counts @ self.truth - rows @ self.truth[self.free])  # the part that is known
        cost = np.concatenate([np.zeros(self.free.size), -np.ones(k)])
        equal = hstack([self.sums, csr_array((self.sums.shape[0], k))], format="csr")
        above = vstack(
            [hstack([-self.floors, csr_array((self.floors.shape[0], k))]), hstack([-sign * rows, eye(k)])], format="csr"
        )
        bounds = [(0, None)] * self.free.size + [(None, float(end)) for end in ends]
        return self._solved(cost, equal, above, np.concatenate([-self.least, at_truth]), bounds)

    def _solved(self, cost: Floats, equal: csr_array, above: csr_array, limit: Floats, bounds: list | None) -> Floats:
        if not self.free.size:
            return self.truth
        result = scipy.optimize.linprog(
            cost, A_ub=above, b_ub=limit, A_eq=equal, b_eq=self.equal, bounds=bounds or (0, None), method="highs"
        )
        if result.status not in (0, 3):
            raise NumericalError(f"the linear program of the suppression ended with: {result.message}")
        solution = self.truth.copy()
        solution[self.free] = result.x[: self.free.size]
        return solution


# Which groups a report withholds so that no count of fewer than `min_n` people is in it or follows from it.


MOST_UNKNOWNS = 1000


def withheld(tally: AtomCounts, min_n: int, kept: tuple[Place, ...] = ()) -> Hidden:
    """Which groups are withheld, block by block: primary and complementary suppression over all tables of a report.

    tally: people by atom and kind.
    min_n: the smallest number of people that a statement may be about; 1 withholds nothing.
    kept: groups that are withheld as complements only where nothing else is left: the declared references.
    Returns: block → table → whether the group is withheld. ``"people"`` is everything; ``"joint"`` holds ``"outcome"``
        and ``"decision"``, and these hold ``"people"``.
    """
    blocks = tally.kinds.blocks
    hidden: Hidden = {block: [np.zeros(len(labels), dtype=bool) for labels in tally.labels] for block in blocks}
    if min_n <= 1:
        return hidden
    for block in tally.blocks:
        small = _small(tally, block, min_n)
        for table, mask in enumerate(small):
            hidden[block][table] |= mask
        _contained(tally, hidden)
        if not any(h.any() for h in hidden[block]):
            continue
        people = hidden["people"] if block != "people" else [np.zeros_like(mask) for mask in small]
        primary = [mask & ~gone for mask, gone in zip(small, people, strict=True)]
        _protect(tally, hidden, block, min_n, kept, primary)
    return hidden


def _small(tally: AtomCounts, block: str, min_n: int) -> list[NDArray[np.bool_]]:
    """The groups with a denominator of the block under `min_n`: primary suppression."""
    items = []
    for table in range(len(tally.names)):
        counts = tally.sums[table]
        items.append(np.any([counts[:, mask].sum(axis=1) < min_n for mask in tally.kinds.denominators[block]], axis=0))
    return items


def _contained(tally: AtomCounts, hidden: Hidden) -> None:
    """Extend what is withheld to every part of a group, and to every block of a group whose people are withheld."""
    for block in tally.blocks[1:]:
        for table, mask in enumerate(hidden["people"]):
            hidden[block][table] |= mask
    if "joint" in tally.blocks:
        for block in ("outcome", "decision"):
            for table, mask in enumerate(hidden[block]):
                hidden["joint"][table] |= mask
    holders = tally.holders
    for block in tally.blocks:
        for (table, group), kept in holders.items():
            hidden[block][table][group] |= any(hidden[block][j][g] for j, g in kept)


def _unknowns(tally: AtomCounts, hidden: list[NDArray[np.bool_]]) -> int:
    finest = int(np.argmax([len(labels) for labels in tally.labels]))
    return int(hidden[finest].sum()) * int((tally.counts.sum(axis=0) > 0).sum())


def _apart(tally: AtomCounts, hidden: Hidden, block: str, min_n: int, kept: tuple[Place, ...], small: Masks) -> None:
    """Withhold all cells of an intersection where too many would have to be examined, and examine each single table."""
    for table in range(len(tally.names)):
        if tally.crossed(table):
            hidden[block][table][:] = True
            continue
        alone: Hidden = {name: [masks[table]] for name, masks in hidden.items()}
        _protect(tally.alone(table), alone, block, min_n, tuple((0, g) for t, g in kept if t == table), [small[table]])
    _contained(tally, hidden)


def _protect(tally: AtomCounts, hidden: Hidden, block: str, min_n: int, kept: tuple[Place, ...], small: Masks) -> None:
    """Withhold the block of more groups until no count of `small` ones has too narrow a range."""
    if not any(mask.any() for mask in small):
        return
    attack, choice = Attack(tally.counts.ravel()), Complements(tally, min_n, kept)
    while True:
        if _unknowns(tally, hidden[block]) > MOST_UNKNOWNS and len(tally.names) > 1:
            _apart(tally, hidden, block, min_n, kept, small)
            return
        places, types, low, high = targets(tally, hidden, block, min_n, small)
        rows = vstack([csr_array((0, tally.counts.size)), *map(tally.coefficients, places, types)], format="csr")
        present = sums(tally, hidden, block), floors(tally, hidden["people"])
        failing = attack.narrow(*present, rows, low, high, owners=places)
        if not _withhold_beside([(places[i], types[i]) for i in failing], choice, hidden[block]):
            return
        _contained(tally, hidden)


def _withhold_beside(failing: list[tuple[Place, NDArray[np.bool_]]], choice: Complements, hidden: Masks) -> bool:
    """Complements of groups that share no row or column, the others may need none then; whether there were any."""
    touched: set[Place] = set()
    result = False
    for place, types in failing:
        if not touched & choice.lines(place):
            for more in choice.beside(place, hidden, types):
                hidden[more[0]][more[1]] = result = True
                touched |= choice.lines(more)
    return result


def named(tally: AtomCounts, references: Mapping[str, str]) -> tuple[Place, ...]:
    """The places of declared references, by attribute."""
    return tuple(
        (t, labels.index(references[name]))
        for t, (name, labels) in enumerate(zip(tally.names, tally.labels, strict=True))
        if references.get(name) in labels
    )


@dataclass(frozen=True)
class View:
    """One attribute as it may be reported: its levels, and two looks at its people.

    In `shown` people of withheld groups are absent, and outcomes, decisions and scores whose rates are withheld are
    unknown; in `joined` so are outcomes whose cells with the decision or the score are.
    """

    levels: Attribute
    shown: CodedTally
    joined: CodedTally
    hidden: dict[str, frozenset[str]]  # block -> withheld groups
    absent: dict[str, float] = field(default_factory=dict)  # block -> people of the withheld groups, all together
    everybody: float = 0.0  # people, those of withheld groups included


def views(tally: CodedTally, protocol: Protocol, codings: Sequence[CodedTally] = ()) -> tuple[View, ...]:
    """Every attribute with what `min_n` withholds taken out; the data themselves where it withholds nothing.

    tally: people by cell.
    codings: the same people in the codes of each class, where there are several: what one withholds all withhold.
    protocol: smallest group, references, kind of weights.

    >>> sex = Attribute("sex", np.repeat([0, 1, 2], (9, 8, 1)).astype(np.int32), ("m", "f", "x"))
    >>> tally = CodedTally((sex,), np.ones(18), decision=np.arange(18, dtype=np.int8) % 2)
    >>> view = views(tally, Protocol(("sex",), decision="hired", min_n=3))[0]
    >>> sorted(view.hidden["people"]), view.shown.size
    (['f', 'x'], 9)
    """
    if protocol.min_n <= 1:
        return tuple(View(levels, tally, tally, {}) for levels in tally.attributes)
    counts = atom_counts(tally, protocol)
    rules = references_by_attribute(protocol.reference, counts.names)
    kept = named(counts, rules)
    hidden, *others = (
        withheld(atom_counts(one, protocol) if codings else counts, protocol.min_n, kept) for one in codings or [tally]
    )
    for other in others:
        hidden = {block: [a | b for a, b in zip(hidden[block], masks, strict=True)] for block, masks in other.items()}
    summed = [name for name in tally.numbers if MEASURES[name].summed]
    for name in summed:
        if name not in counts.blocks:  # known of everybody: what is withheld of them is withheld of it
            hidden[name] = [mask.copy() for mask in hidden["people"]]
        _hide_dominated(hidden[name], tally, counts, name, protocol)
    items = []
    for table, levels in enumerate(tally.attributes):
        masks = {block: hidden[block][table] for block in hidden}
        masks |= {
            name: masks["people"] for name in counts.kinds.numbers if name not in counts.blocks and name not in summed
        }
        if not protocol.decision:  # the scores are known where the decision made of them is
            masks["score"] = masks["decision"]
        masks = {block: mask[: len(levels.labels)] for block, mask in masks.items()}  # those left out are no level
        items.append(_view(tally, levels, masks, tally.people(protocol.weight_type), protocol.min_n))
    return tuple(items)


# Sums and means: that of a group with a dominating member gives this member away, however many its people are.


NEAR = 0.1  # an estimate of the largest amount from the sum, by whoever has the second largest, is off by this share


def dominated(values: Floats, people: Floats) -> bool:
    """Whether the sum of amounts tells the person with the second largest nearly that of the largest: the p% rule.

    values: the amounts of a group by cell.
    people: how many have each.
    Source: Hundepool et al. (2012), Statistical Disclosure Control, section 4.2.2.

    >>> dominated(np.array([9.0, 1.0, 2.0]), np.array([3.0, 3.0, 1.0])), dominated(np.array([99.0, 1, 2]), np.ones(3))
    (False, True)
    """
    sizes = np.abs(values[people > 0])
    counts = people[people > 0]
    order = np.argsort(-sizes)[:2]
    largest = np.repeat(sizes[order], np.minimum(counts[order], 2).astype(np.int64))[:2]
    rest = float(sizes @ counts) - float(largest.sum())
    return bool(largest.size > 0 and largest[0] > 0 and rest < NEAR * largest[0])


def _hide_dominated(hidden: Masks, tally: CodedTally, counts: AtomCounts, name: str, protocol: Protocol) -> None:
    """Withhold sums of dominated groups, and beside them what they could be computed from.

    Of a single attribute the smallest further groups are withheld until the sum of all withheld ones is not dominated;
    of an intersection all its sums, as each of its rows and columns has a sum of its own.
    """
    known = ~np.isnan(tally.numbers[name])
    values, people = tally.numbers[name][known], tally.people(protocol.weight_type)[known]
    for table, levels in enumerate(tally.attributes):
        codes, gone = levels.codes[known], hidden[table]
        sizes = np.bincount(codes, people, len(levels.labels))
        first = [
            g
            for g in np.flatnonzero((sizes > 0) & ~gone[: sizes.size]).tolist()
            if dominated(values[codes == g], people[codes == g])
        ]
        if not first:
            continue
        gone[first] = True
        if counts.crossed(table):
            gone[:] = True
            continue
        left = [g for g in np.argsort(sizes, kind="stable").tolist() if sizes[g] > 0 and not gone[g]]
        while left and (gone.sum() < 2 or dominated(values[gone[codes]], people[gone[codes]])):
            gone[left.pop(0)] = True
    for (table, group), holders in counts.holders.items():
        hidden[table][group] |= any(hidden[t][g] for t, g in holders)


def atom_counts(tally: CodedTally, protocol: Protocol) -> AtomCounts:
    """The people of all tables of an audit; scores that are not cut decide by whether they exceed the median."""
    decision = tally.decision
    if decision is None and tally.score is not None:
        decision = above_median(tally)
    unknown = np.full(tally.rows.size, UNKNOWN, dtype=np.int8)
    kinds = Kinds(("score", *(name for name in tally.numbers if name != "score")))
    kind = (unknown if tally.outcome is None else tally.outcome) * np.int64(3)
    kind += unknown if decision is None else decision
    have = {"outcome": tally.outcome is not None, "decision": decision is not None}
    for name in kinds.numbers:
        known = np.ones(tally.rows.size, dtype=bool)
        if name in tally.numbers and (name != "score" or protocol.decision):
            known = ~np.isnan(tally.numbers[name])
        kind = 2 * kind + known
        have[name] = not known.all()
    atom, member = _atoms(tally.attributes)
    weights = tally.weight if protocol.weight_type != "probability" else tally.used
    place, least = atom * kinds.size + kind, kinds.size * member.shape[1]
    counts = np.bincount(place, weights=weights, minlength=least).astype(float).reshape(-1, kinds.size)
    have["joint"] = have["outcome"] and have["decision"]
    labels = tuple(levels.labels for levels in tally.attributes)
    if few_dropped(tally, protocol):  # all rows less those of the groups: one more group of every table
        member = np.column_stack([member, [len(levels) for levels in labels]])
        counts = np.vstack([counts, np.where(np.arange(kinds.size) == kinds.size - 1, tally.dropped, 0.0)])
        labels = tuple((*levels, MISSING_LEVEL) for levels in labels)
    return AtomCounts(
        tuple(levels.name for levels in tally.attributes),
        labels,
        member,
        counts,
        ("people", *(block for block, present in have.items() if present)),
        tuple(levels.name for levels in tally.attributes if levels.columns),
        kinds,
    )


def few_dropped(tally: CodedTally, protocol: Protocol) -> bool:
    """Whether so few people were left out without a group that their number is withheld."""
    return 0 < tally.dropped < protocol.min_n


def _atoms(attributes: tuple[Attribute, ...]) -> tuple[np.ndarray, np.ndarray]:
    """The atom of every row, and the group of every atom in every attribute."""
    atom = np.zeros(attributes[0].codes.size, dtype=np.int64)
    for levels in attributes:
        flat = atom * len(levels.labels) + levels.codes
        atom = np.unique(flat, return_inverse=True)[1].astype(np.int64)
    first = np.unique(atom, return_index=True)[1]
    return atom, np.array([levels.codes[first] for levels in attributes], dtype=np.int64)


def _view(tally: CodedTally, levels: Attribute, masks: dict[str, np.ndarray], people: np.ndarray, min_n: int) -> View:
    if not any(mask.any() for mask in masks.values()):
        return View(levels, tally, tally, {})
    gone = masks["people"]
    rows = ~gone[levels.codes]
    codes = levels.codes[rows]
    # the order of size would tell how large a withheld group is: these come last, by name
    order = [i for i in range(gone.size) if not gone[i]]
    if not order and float(people.sum()) >= 2 * (min_n + gone.size):  # any group may then still have `min_n` or more
        order = [0]  # so that suppression moves no reference that is the largest group
    order += sorted(
        {*np.flatnonzero(gone).tolist()} - {*order}, key=lambda i: (holds_missing(levels.labels[i]), levels.labels[i])
    )
    place = np.empty(gone.size, dtype=np.int32)
    place[order] = np.arange(gone.size, dtype=np.int32)
    ordered = replace(levels, codes=place[codes], labels=tuple(levels.labels[i] for i in order))

    def lost(block: str) -> np.ndarray:
        return masks[block][codes]

    kept = tally.take(rows)
    outcome, decision = kept.outcome, kept.decision
    shown = replace(
        kept,
        attributes=(ordered,),
        outcome=None if outcome is None else np.where(lost("outcome"), UNKNOWN, outcome).astype(np.int8),
        decision=None if decision is None else np.where(lost("decision"), UNKNOWN, decision).astype(np.int8),
        numbers={role: np.where(lost(role), NAN, x) for role, x in kept.numbers.items()},
    )
    joined = shown
    if shown.outcome is not None:
        joined = replace(shown, outcome=np.where(lost("joint"), UNKNOWN, shown.outcome).astype(np.int8))
    named_blocks = {b: frozenset(levels.labels[i] for i in np.flatnonzero(mask)) for b, mask in masks.items()}
    absent = {b: float(people[mask[levels.codes]].sum()) for b, mask in masks.items()}
    return View(ordered, shown, joined, named_blocks, absent, float(people.sum()))


# After estimation: rows, counts and steps of what is withheld say "suppressed", and have no number.


CELLS = {
    "outcome": ("positives", "negatives"),
    "decision": ("favorable", "unfavorable"),
    "joint": ("tp", "fp", "fn", "tn"),
}

ALL_GROUPS = message("some of the groups are withheld")
HIGHEST_RATE = message("the group with the highest rate may be a withheld one")
FEW_IN_STRATA = message("counts are withheld, as a stratum has fewer than {n} people of a group")
COMMON_STRATA = "common strata"
HIGHEST = frozenset(name for pair in IMPACT_METRICS.values() for name in pair)


def reason(protocol: Protocol, few_left_out: bool = False) -> str:
    """Return why a row is suppressed, in the same words for a small group and for one withheld to protect it."""
    if few_left_out:
        return message(
            "fewer than {n} people, or would reveal a smaller group, or those left out without a group",
            n=protocol.min_n,
        )
    if protocol.argument("amount"):
        return message(
            "fewer than {n} people, one amount that dominates, or would reveal such a group", n=protocol.min_n
        )
    return message("fewer than {n} people, or would reveal a smaller group", n=protocol.min_n)


def suppressed(rows: Estimates, view: View, protocol: Protocol, few_left_out: bool = False) -> Estimates:
    """The rows of one attribute, those of withheld groups and rates without a number and with status "suppressed".

    What is said of all groups at once, and of the highest rate, would be another finding without the withheld groups,
    and with them it would tell their counts: it is suppressed too. The highest rate is known where the people withheld
    are so few that the rule counts none of their groups.

    rows: estimated from the views: a withheld group was empty, and is said to be suppressed, not empty.
    protocol: smallest group.
    few_left_out: whether groups are withheld beside people without a group, too few to be counted, who are left out.

    >>> import numpy as np
    >>> from fairstats.provenance import Attribute
    >>> view = View(Attribute("sex", np.array([]), ("m", "x")), None, None, {"people": frozenset("x")})
    >>> row = Estimate("TPR", "sex", "x", n=0.0, status="unestimable", reason="no positives")
    >>> suppressed(Estimates([row]), view, Protocol(("sex",), min_n=3))[0].status
    'suppressed'
    """
    if not view.hidden:
        return rows
    why = reason(protocol, few_left_out)

    def marked(row: Estimate) -> Estimate:
        text = block_of(row.metric, protocol)
        text = text if text in view.hidden else "people"
        lost = view.hidden[text]
        if row.group in lost or row.reference in lost:
            return row.blank(status="suppressed", reason=why)
        if lost and row.role == "omnibus":
            return row.blank(status="suppressed", reason=ALL_GROUPS)
        if lost and row.metric in HIGHEST and view.absent[text] >= SMALL_SHARE * view.everybody:
            return row.blank(status="suppressed", reason=HIGHEST_RATE)
        return row

    return rows.map(marked)


def without_counts_of_few(rows: Estimates, view: View, protocol: Protocol) -> Estimates:
    """The comparisons within strata without counts, where a stratum has few people of a group.

    The total of two groups less those in strata that hold both are the people in the other strata, and so are their
    decisions; a share of people in strata of both is withheld then.
    """
    if not _few_in_strata(view, protocol):
        return rows
    few = FEW_IN_STRATA.format(n=protocol.min_n)

    def marked(row: Estimate) -> Estimate:
        if row.given != protocol.strata or row.term in view.joined.strata.labels:  # type: ignore[union-attr]
            return row
        if row.metric == COMMON_STRATA:
            return row.blank(status="suppressed", reason=few)
        kept = [part for part in unjoined(row.reason) if not (says(part, LEFT_OUT) or says(part, LEFT_OUT_OF_ONE))]
        return replace(row, n=NAN, events=NAN, reason=joined([*kept, few]))

    return rows.map(marked)


def _few_in_strata(view: View, protocol: Protocol) -> bool:
    """Whether a stratum, or those without one, has a group of fewer than `min_n` people who count."""
    tally, groups = view.joined, len(view.levels.labels)
    if tally.strata is None or protocol.min_n <= 1:
        return False
    stratum = np.where(tally.strata_present, tally.strata.codes, len(tally.strata.labels))
    cell, people = stratum * np.int64(groups) + view.levels.codes, tally.people(protocol.weight_type)
    known = [np.ones(cell.size, dtype=bool), *(~np.isnan(values) for values in tally.numbers.values())]
    known += [codes != UNKNOWN for codes in (tally.outcome, tally.decision) if codes is not None]
    sizes = [np.bincount(cell[mask], people[mask]) for mask in known]
    return any(bool(((n > 0) & (n < protocol.min_n)).any()) for n in sizes)


def published(current: Weighed, view: View) -> tuple[Cell, ...]:
    """The counts by group, NaN where they are withheld, here or before they came here."""
    hidden = view.shown.withheld
    unsent = () if hidden is None else hidden.unsent[view.levels.name]
    return tuple(
        Cell(cell.attribute, cell.group, *[NAN] * 9)
        if cell.group in unsent
        else _published(cell, view)
        if view.hidden
        else cell
        for cell in current.cells
    )


def _published(cell: Cell, view: View) -> Cell:
    gone = [name for kind, names in CELLS.items() if cell.group in view.hidden[kind] for name in names]
    values = dict.fromkeys(gone, NAN) | ({"n": NAN} if cell.group in view.hidden["people"] else {})
    return replace(cell, **values)  # type: ignore[arg-type]


def marked_flow(tally: CodedTally, result: tuple[View, ...], protocol: Protocol) -> tuple[FlowStep, ...]:
    """Return the flow of counts without the size of withheld people without a group, and what it would follow from."""
    lost: set[str] = {
        MISSING_OF.format(name=view.levels.name)
        for view in result
        if view.hidden and MISSING_LEVEL in view.hidden["people"]
    }
    steps = {s.label: s.n for s in tally.flow}
    if protocol.missing == "drop":
        names = [view.levels.name for view in result]
        columns = {*names, *(part for name in names for part in protocol.columns_of(name))}
        left_out = {label for c in columns if steps.get(label := MISSING_OF.format(name=c))}
        few = any(steps[label] < protocol.min_n for label in left_out)
        lost |= (left_out if few else set()) | ({*ANALYZED, COMPLETE} if few_dropped(tally, protocol) else set())
    of_some = STRATUM_MISSING, MISSING_COVARIATE
    lost |= {s.label for s in tally.flow if s.n < protocol.min_n and any(says(s.label, text) for text in of_some)}
    return tuple(_suppressed(s) if s.label in lost else s for s in tally.flow)


def _suppressed(step: FlowStep) -> FlowStep:
    return replace(step, n=NAN, reason=joined([step.reason, message("suppressed")], ", "))
