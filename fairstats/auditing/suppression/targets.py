"""The protected counts of a report, each with the range that is declared of it (see `disclosure`)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.suppression.atom_counts import BLOCKS, DENOMINATORS, AtomCounts, Floats, Place
from fairstats.auditing.suppression.published import Hidden

CELLS = tuple(BLOCKS["joint"].values())
Mask = NDArray[np.bool_]
Range = tuple[Mask, float, float]  # kinds of people, least, most


def targets(
    tally: AtomCounts, hidden: Hidden, block: str, min_n: int, small: list[Mask]
) -> tuple[list[Place], list[Mask], Floats, Floats]:
    """The protected counts: whose, of which kinds, and the ends of their ranges.

    Parameters
    ----------
    tally : AtomCounts
    hidden : dict
        What is withheld so far.
    block : str
        The block that is decided on.
    min_n : int
    small : list of ndarray
        Table → groups with a denominator under `min_n`; the other withheld ones are complements.

    Returns
    -------
    places, kinds : lists
    least, most : ndarray
        Of a complement `least` is NaN and `most` a width.
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
    found = [tally.counts[withheld].sum(axis=0)]
    for j, g in tally.holders[place]:
        if not hidden[j][g]:
            found += [tally.sums[j][g], tally.counts[tally.atoms((j, g)) & withheld].sum(axis=0)]
    large = [u for u in found if all(u[mask].sum() >= min_n for mask in DENOMINATORS[block])]
    return np.array(large).reshape(len(large), tally.counts.shape[1])


def _sizes(tally: AtomCounts, place: Place, around: Floats, min_n: int) -> list[Range]:
    """Every count of a withheld group, its size first."""
    (size,) = BLOCKS["people"].values()
    listed = tally.listed[place]
    found = [(size, float(listed), max(min_n - 1.0, listed))]
    for block in tally.blocks[1:]:
        for mask in (*BLOCKS[block].values(), *DENOMINATORS[block]):
            found.append(_count(mask, listed, around, min_n))
    return found


def _column(tally: AtomCounts, place: Place, block: str, around: Floats, min_n: int) -> list[Range]:
    """The counts of one column, in a group whose size is known."""
    size = tally.sums[place[0]][place[1]].sum()
    return [_count(mask, size, around, min_n) for mask in BLOCKS[block].values()]


def _count(mask: Mask, size: float, around: Floats, min_n: int) -> Range:
    """A count of a group of at least `size` people, no more than there are of these kinds around it."""
    least = float((size - around[:, ~mask].sum(axis=1)).max(initial=0.0))
    most = float(around[:, mask].sum(axis=1).min(initial=min_n - 1.0))
    return mask, least, max(least, most)


def _numerators(tally: AtomCounts, place: Place, around: Floats, min_n: int) -> list[Range]:
    """The four cells when the sums of rows and columns are known: one number is free, and moves all four."""
    cells = np.array(CELLS).T.astype(float)
    parts = tally.counts[tally.atoms(place)] @ cells
    tp, fp, fn, tn = own = tally.sums[place[0]][place[1]] @ cells
    spare = (around @ cells - own).min(axis=0, initial=np.inf)
    up = min(np.minimum(parts[:, 1], parts[:, 2]).sum(), spare[0], spare[3])
    down = min(np.minimum(parts[:, 0], parts[:, 3]).sum(), spare[1], spare[2])
    up = min(up, max(0.0, min_n - 1 - down))
    ends = ((tp - down, tp + up), (fp - up, fp + down), (fn - up, fn + down), (tn - down, tn + up))
    return [(mask, float(low), float(high)) for mask, (low, high) in zip(CELLS, ends, strict=True)]
