"""What an attacker knows of a report, as equations in the counts of atoms by kind."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, kron, vstack

from fairstats.auditing.suppression.atom_counts import BLOCKS, AtomCounts

Hidden = dict[str, list[NDArray[np.bool_]]]  # block -> table -> whether a group is withheld


def sums(tally: AtomCounts, hidden: Hidden, block: str) -> csr_array:
    """The sums that are known while a block is decided on.

    Parameters
    ----------
    tally : AtomCounts
    hidden : dict
        What is withheld so far.
    block : str
        Of people, every kind of every group shown, and of everybody, is taken as known (whatever is withheld later
        leaves the ranges wider); of another block the sums that are published, and the totals of each column.

    Returns
    -------
    sparse array, shape (sums, 18 atoms)
    """
    active = _active(tally)
    everything = np.eye(active.size)[active]
    columns = np.array([m for b in tally.blocks if b != "joint" for m in BLOCKS[b].values()], dtype=float)
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
            masks = np.array([m for b in blocks for m in BLOCKS[b].values()], dtype=float)
            if block == "people" or np.linalg.matrix_rank(masks[:, active]) == active.sum():
                masks = everything
            parts.append(kron(which[(pattern == shown.T).all(axis=1)], csr_array(masks)))
    found = csr_array(vstack(parts, format="csr"))
    found.eliminate_zeros()
    return found


def _active(tally: AtomCounts) -> NDArray[np.bool_]:
    """Kinds that somebody is, and those that a report hides even where nobody is: the cells of both columns."""
    active = np.asarray(tally.counts.sum(axis=0) > 0)
    if "joint" in tally.blocks:
        for mask in BLOCKS["joint"].values():
            active = active | (mask & (BLOCKS["score"]["scored"] | ("score" not in tally.blocks)))
    return active


def floors(tally: AtomCounts, hidden: list[NDArray[np.bool_]]) -> csr_array:
    """A withheld group that is listed has somebody in it (unless all weigh 0): a row each, at least 1."""
    kinds = np.ones(tally.counts.shape[1], dtype=bool)
    rows = [
        tally.coefficients((table, group), kinds)
        for table, mask in enumerate(hidden)
        for group in np.flatnonzero(mask & (tally.sums[table].sum(axis=1) > 0)).tolist()
    ]
    return csr_array(vstack([csr_array((0, tally.counts.size)), *rows], format="csr"))
