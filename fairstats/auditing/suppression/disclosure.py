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
An attacker knows every count that is printed of every group in every table of the report, the totals of all people
(printed or not), that every group listed has somebody in it, and `min_n`. Solving the linear programs for the least and
the greatest value that agree with all of that,

- the size of a suppressed group may be anything from 1 (from the number of intersections within it that are listed) to
  ``min_n - 1``;
- any other count of it anything from 0 to ``min_n - 1``, or to as many as there are of that kind among all people
  withheld in its table, among those of them in a published group that holds it (where they are `min_n` or more), or in
  that group, if these are fewer: what 60 people have in common is no secret of 4 of them;
- the size of a group that is withheld to protect others has a range as wide, wherever it lies (its other counts are
  statements about `min_n` people or more, and may be narrower);
- the numerators of withheld rates of a group that is shown may be anything that its own denominators, those of its
  intersections, and the people withheld around it (as above) allow, over a width of at most ``min_n - 1``.

Where no intersection of a table is shown, its counts other than sizes may follow from the single attributes as far as
these imply them: single attributes are not withheld for them. Where a range would be narrower, further groups are
withheld, the cheapest first (complementary suppression), until none is. That cannot be had without loss: two groups of
an attribute are withheld, or none. Statistics over all groups are those of the groups shown.

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
from scipy.sparse import csr_array, kron, vstack

from fairstats.auditing.suppression.complements import Complements
from fairstats.auditing.suppression.feasible import Attack
from fairstats.auditing.suppression.tally import BLOCKS, DENOMINATORS, Floats, Place, Tally

Hidden = dict[str, list[NDArray[np.bool_]]]  # block -> table -> group
MOST_UNKNOWNS = 20_000
CELLS = tuple(BLOCKS["joint"].values())


def withheld(tally: Tally, min_n: int, kept: tuple[Place, ...] = ()) -> Hidden:
    """Which groups are withheld, block by block: primary and complementary suppression over all tables of a report.

    Parameters
    ----------
    tally : Tally
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
    >>> t = Tally(("g",), (("a", "b", "c"),), np.array([[0, 1, 2]]), counts, ("people", "decision"))
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
        if _unknowns(tally, hidden[block]) > MOST_UNKNOWNS:
            _apart(tally, hidden, block, min_n, kept)
        else:
            _protect(tally, hidden, block, min_n, kept)
    return hidden


def _small(tally: Tally, block: str, min_n: int) -> list[NDArray[np.bool_]]:
    """The groups with a denominator of the block under `min_n`: primary suppression."""
    found = []
    for table in range(len(tally.names)):
        counts = tally.of(table)
        found.append(np.any([counts[:, mask].sum(axis=1) < min_n for mask in DENOMINATORS[block]], axis=0))
    return found


def _contained(tally: Tally, hidden: Hidden) -> None:
    """What is withheld of a group is withheld of every part of it, and with its people every block, and so on."""
    for block in tally.blocks[1:]:
        for table, mask in enumerate(hidden["people"]):
            hidden[block][table] |= mask
    if "joint" in tally.blocks:
        for block in ("outcome", "decision"):
            for table, mask in enumerate(hidden[block]):
                hidden["joint"][table] |= mask
    holders = tally.holders()
    for block in tally.blocks:
        for (table, group), held in holders.items():
            hidden[block][table][group] |= any(hidden[block][j][g] for j, g in held)


def _unknowns(tally: Tally, hidden: list[NDArray[np.bool_]]) -> int:
    finest = int(np.argmax([len(labels) for labels in tally.labels]))
    return int(hidden[finest].sum()) * int((tally.counts.sum(axis=0) > 0).sum())


def _apart(tally: Tally, hidden: Hidden, block: str, min_n: int, kept: tuple[Place, ...]) -> None:
    """Too many withheld cells to look at: no cell of an intersection is shown, and each single table is looked at."""
    for table in range(len(tally.names)):
        if tally.crossed(table):
            hidden[block][table][:] = True
            continue
        alone: Hidden = {name: [masks[table]] for name, masks in hidden.items()}
        _protect(tally.alone(table), alone, block, min_n, tuple((0, g) for t, g in kept if t == table))
    _contained(tally, hidden)


def _protect(tally: Tally, hidden: Hidden, block: str, min_n: int, kept: tuple[Place, ...]) -> None:
    """Withhold the block of more groups until no protected count has too narrow a range."""
    primary = [h.copy() for h in hidden[block]]
    small = [p & ~h for p, h in zip(primary, hidden["people"], strict=True)] if block != "people" else primary
    if not any(mask.any() for mask in small):
        return
    attack, choice = Attack(tally.counts.ravel()), Complements(tally, min_n, kept)
    while True:
        places, rows, low, high = _targets(tally, hidden, block, min_n, small)
        failing = attack.narrow(_published(tally, hidden, block), _floors(tally, hidden), rows, low, high)
        if failing is None:
            return
        more = choice.beside(places[failing], hidden[block])
        if not more:  # nothing of the block is shown any more
            return
        for table, group in more:
            hidden[block][table][group] = True
        _contained(tally, hidden)


def _published(tally: Tally, hidden: Hidden, block: str) -> csr_array:
    """The sums that an attacker knows. Of people: every kind of every group shown, and of everybody."""
    atoms, kinds = tally.counts.shape
    active = tally.counts.sum(axis=0) > 0
    for mask in CELLS:
        active |= mask & ("joint" in tally.blocks) & (BLOCKS["score"]["scored"] | ("score" not in tally.blocks))
    everything = np.eye(kinds)[active]
    parts = [kron(csr_array(np.ones((1, atoms))), csr_array(_masks(tally, everything, block)))]
    parts.append(kron(csr_array(np.eye(atoms)), csr_array(np.eye(kinds)[~active])))  # kinds that nobody is
    for table in range(len(tally.names)):
        for group in range(len(tally.labels[table])):
            shown = [b for b in tally.blocks if not hidden[b][table][group]]
            if not shown:
                continue
            masks = np.array([m for b in shown for m in BLOCKS[b].values()], dtype=float)
            if block == "people" or np.linalg.matrix_rank(masks[:, active]) == active.sum():
                masks = everything
            own = csr_array((tally.member[table] == group)[None, :].astype(float))
            parts.append(kron(own, csr_array(masks)))
    found = csr_array(vstack(parts, format="csr"))
    found.eliminate_zeros()
    return found


def _masks(tally: Tally, everything: Floats, block: str) -> Floats:
    """What is known of everybody: each kind for the sizes of groups, the totals of each column for rates."""
    if block == "people":
        return everything
    return np.array([m for b in tally.blocks if b != "joint" for m in BLOCKS[b].values()], dtype=float)


def _floors(tally: Tally, hidden: Hidden) -> csr_array:
    """A group that is listed has somebody in it (unless all weigh 0)."""
    kinds = tally.counts.shape[1]
    rows = [
        np.kron(tally.member[table] == group, np.ones(kinds))
        for table, mask in enumerate(hidden["people"])
        for group in np.flatnonzero(mask & (tally.of(table).sum(axis=1) > 0))
    ]
    return csr_array(np.array(rows).reshape(len(rows), tally.counts.size))


def _targets(
    tally: Tally, hidden: Hidden, block: str, min_n: int, small: list[NDArray[np.bool_]]
) -> tuple[list[Place], csr_array, Floats, Floats]:
    """The protected counts, with the range that is declared of each."""
    holders, places, rows, low, high = tally.holders(), [], [], [], []
    for table in range(len(tally.names)):
        counts = tally.of(table)
        withheld_atoms = hidden[block][table][tally.member[table]]
        pool = tally.counts[withheld_atoms].sum(axis=0)
        for group in np.flatnonzero(hidden[block][table]):
            place = (table, int(group))
            # of a complement, and where nothing of an intersection is shown, the size is protected and nothing else
            size_only = not small[table][group] or (hidden[block][table].all() and tally.crossed(table))
            if size_only and block != "people":
                continue
            around = [pool]
            for j, g in holders[place]:
                if not hidden[block][j][g]:
                    held = tally.member[j] == g
                    part = tally.counts[held & withheld_atoms].sum(axis=0)
                    around += [tally.counts[held].sum(axis=0), *([part] if part.sum() >= min_n else [])]
            atoms = tally.member[table] == group
            listed = tally.listed(place) if block == "people" else counts[group].sum()
            ranges = _ranges(tally, block, counts[group], around, atoms, listed, min_n)
            for mask, least, most in ranges[:1] if size_only else ranges:
                places.append(place)
                rows.append(np.kron(atoms, mask))
                low.append(least if small[table][group] else np.nan)
                high.append(most if small[table][group] else most - least)
    return places, csr_array(np.array(rows, dtype=float)), np.array(low), np.array(high)


def _ranges(
    tally: Tally, block: str, own: Floats, around: list[Floats], atoms: NDArray[np.bool_], listed: float, min_n: int
) -> list[tuple[NDArray[np.bool_], float, float]]:
    """Each count of a group with its declared range.

    `around` are the people withheld in its table and its published holders; `listed` people are known to be in it.
    """
    if block == "joint":
        return _numerators(tally.counts[atoms], own, around, min_n)
    asked = tally.blocks if block == "people" else (block,)
    masks = {name: mask for b in asked for name, mask in BLOCKS[b].items()}
    if block == "people":
        sums = {f"{b} {i}": mask for b in asked for i, mask in enumerate(DENOMINATORS[b])}
        masks = {**masks, **sums}
    found = []
    for name, mask in masks.items():
        least = max(0.0, *(listed - a[~mask].sum() for a in around))
        most = min(min_n - 1.0, *(a[mask].sum() for a in around)) if name != "n" else min_n - 1.0
        found.append((mask, least, max(least, most)))
    return found


def _numerators(
    parts: Floats, own: Floats, around: list[Floats], min_n: int
) -> list[tuple[NDArray[np.bool_], float, float]]:
    """The four cells when the sums of rows and columns are known: one number is free, and moves all four."""
    by_part = [parts[:, mask].sum(axis=1) for mask in CELLS]
    tp, fp, fn, tn = (float(own[mask].sum()) for mask in CELLS)
    spare = [min(a[mask].sum() - own[mask].sum() for a in around) for mask in CELLS]
    up = min(np.minimum(by_part[1], by_part[2]).sum(), spare[0], spare[3])
    down = min(np.minimum(by_part[0], by_part[3]).sum(), spare[1], spare[2])
    up = min(up, max(0.0, min_n - 1 - down))
    ends = ((tp - down, tp + up), (fp - up, fp + down), (fn - up, fn + down), (tn - down, tn + up))
    return [(mask, *pair) for mask, pair in zip(CELLS, ends, strict=True)]


def named(tally: Tally, references: Mapping[str, str]) -> tuple[Place, ...]:
    """The places of declared references, by attribute."""
    return tuple(
        (t, labels.index(references[name]))
        for t, (name, labels) in enumerate(zip(tally.names, tally.labels, strict=True))
        if references.get(name) in labels
    )
