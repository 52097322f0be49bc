"""Which groups a report withholds so that no count of fewer than `min_n` people is in it or follows from it.

What is protected
-----------------
A statement about fewer than `min_n` people; rows count, not weights. Of a **group** (single, intersection, people
without a group) of fewer than `min_n` people every number is withheld: its size, its events, every cell and rate, every
reason that tells a count ("no positives"), and whatever rests on them. Of a group of `min_n` people a **rate** is
withheld where its own denominator has fewer: with 3 positives among 60 people the base rate, 3 of 60, is a statement
about 60 and stays; the true positive rate is one about 3. Base rate, selection rate and any one of TPR, FPR, TNR, FNR,
PPV, NPV, accuracy give all four cells of outcome × decision, so these seven go together (and AUC, ROC and calibration
with them).

The range that is declared
--------------------------
An attacker knows every count that is printed of every group in every table of the report, the totals of each column
over all people (printed or not), that every group listed has somebody in it, and `min_n`. Solving the linear programs
for the least and the greatest value that agree with all of that,

- the size of a suppressed group may be anything from 1 (from the number of intersections within it that are listed) to
  ``min_n - 1``;
- any other count of it anything from 0 to ``min_n - 1``, or to as many as there are of that kind among all people
  withheld in its table, among those of them in a published group that holds it, or in that group, if these are fewer
  and the union has `min_n` people: what 60 people have in common is no secret of 4 of them;
- the size of a group that is withheld to protect others has a range as wide, wherever it lies (its other counts are
  statements about `min_n` people or more, and may be narrower);
- the numerators of withheld rates of a group that is shown may be anything that its own denominators, those of its
  intersections, and these unions (where their denominators have `min_n` people) allow, over a width of at most
  ``min_n - 1``.

Where no intersection of a table is shown, its counts other than sizes may follow from the single attributes as far as
these imply them: single attributes are not withheld for them. (So it is done at once where more than 1000 counts would
be unknown, some 250 small intersections: programs of that size take minutes.) Where a range would be narrower, further
groups are withheld, the cheapest first (complementary suppression), until none is. That cannot be had without loss: two
groups of an attribute are withheld, or none. What would be said of all groups at once, or of the highest rate, is
withheld with them (`marking.py`): of the groups shown it would be another finding, of all of them it would tell counts.

What is not protected
---------------------
The report against other reports of the same people, or against who knows some of them; a guess from how the
complementary groups were chosen (Wong et al. 2007); the range of a product of weights; that nobody, or everybody, of
`min_n` people or more has a property.

References
----------
Hundepool et al. (2012), Statistical Disclosure Control, chapter 4; Fischetti & Salazar (2001), Management Science 47
(ranges by linear programming); Repsilber (1994) and Giessing & Repsilber (2002) (complements as corners of a
rectangle); Wong, Fu, Wang & Pei (2007), Minimality attack, VLDB.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack

from fairstats.auditing.suppression.atom_counts import BLOCKS, DENOMINATORS, AtomCounts, Place
from fairstats.auditing.suppression.complements import Complements, Masks
from fairstats.auditing.suppression.feasible import Attack
from fairstats.auditing.suppression.published import Hidden, floors, sums
from fairstats.auditing.suppression.targets import targets

MOST_UNKNOWNS = 1000


def withheld(tally: AtomCounts, min_n: int, kept: tuple[Place, ...] = ()) -> Hidden:
    """Which groups are withheld, block by block: primary and complementary suppression over all tables of a report.

    Parameters
    ----------
    tally : AtomCounts
        People by atom and kind.
    min_n : int
        The smallest number of people that a statement may be about; 1 withholds nothing.
    kept : tuple of (int, int)
        Groups that are withheld as complements only where nothing else is left: the declared references.

    Returns
    -------
    dict
        Block → table → whether the group is withheld. ``"people"`` is everything; ``"joint"`` holds ``"outcome"`` and
        ``"decision"``, and these hold ``"people"``.

    Examples
    --------
    Of 100, 60 and 4 people the 4 are suppressed, and the 60 with them: 164 less 100 less 60 would give the 4 away.

    >>> counts = np.zeros((3, 18))
    >>> counts[:, 3] = 50, 30, 3
    >>> counts[:, 5] = 50, 30, 1
    >>> t = AtomCounts(("g",), (("a", "b", "c"),), np.array([[0, 1, 2]]), counts, ("people", "decision"))
    >>> withheld(t, 10)["people"][0].tolist()
    [False, True, True]
    """
    hidden: Hidden = {block: [np.zeros(len(labels), dtype=bool) for labels in tally.labels] for block in BLOCKS}
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
    found = []
    for table in range(len(tally.names)):
        counts = tally.sums[table]
        found.append(np.any([counts[:, mask].sum(axis=1) < min_n for mask in DENOMINATORS[block]], axis=0))
    return found


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
        for (table, group), held in holders.items():
            hidden[block][table][group] |= any(hidden[block][j][g] for j, g in held)


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
        places, kinds, low, high = targets(tally, hidden, block, min_n, small)
        rows = vstack([csr_array((0, tally.counts.size)), *map(tally.coefficients, places, kinds)], format="csr")
        known = sums(tally, hidden, block), floors(tally, hidden["people"])
        failing = attack.narrow(*known, rows, low, high, owners=places)
        if not _withhold_beside([(places[i], kinds[i]) for i in failing], choice, hidden[block]):
            return
        _contained(tally, hidden)


def _withhold_beside(failing: list[tuple[Place, NDArray[np.bool_]]], choice: Complements, hidden: Masks) -> bool:
    """Complements of groups that share no row or column, the others may need none then; whether there were any."""
    touched: set[Place] = set()
    found = False
    for place, kinds in failing:
        if not touched & choice.lines(place):
            for more in choice.beside(place, hidden, kinds):
                hidden[more[0]][more[1]] = found = True
                touched |= choice.lines(more)
    return found


def named(tally: AtomCounts, references: Mapping[str, str]) -> tuple[Place, ...]:
    """The places of declared references, by attribute."""
    return tuple(
        (t, labels.index(references[name]))
        for t, (name, labels) in enumerate(zip(tally.names, tally.labels, strict=True))
        if references.get(name) in labels
    )
