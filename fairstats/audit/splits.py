"""Random splits into training and test rows, stratified by group and outcome, of the same sizes every time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.intp]


def held_counts(sizes: Ints, share: float) -> Ints:
    """How many rows of each stratum are held out.

    Parameters
    ----------
    sizes : array of int (H,)
        Rows of each stratum.
    share : float
        The share of all rows to hold out.

    Returns
    -------
    array of int (H,)
        Summing to `share` of the rows by the largest remainders; a stratum of two or more is in both parts, a single
        row is always trained on.

    Examples
    --------
    >>> held_counts(np.array([100, 10, 2, 1]), 0.25).tolist()
    [25, 3, 1, 0]
    """
    exact = share * sizes
    held = np.floor(exact).astype(np.intp)
    missing = round(share * int(sizes.sum())) - int(held.sum())
    held[np.argsort(held - exact, kind="stable")[:missing]] += 1
    return np.where(sizes < 2, 0, np.clip(held, 1, np.maximum(sizes - 1, 1)))


def draw(strata: Ints, held: Ints, rng: np.random.Generator) -> NDArray[np.bool_]:
    """One split: which rows are held out.

    Parameters
    ----------
    strata : array of int (n,)
        Stratum of each row.
    held : array of int (H,)
        How many to hold out of each.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    array of bool (n,)

    Examples
    --------
    >>> out = draw(np.array([0, 0, 0, 1, 1]), np.array([1, 1]), np.random.default_rng(0))
    >>> int(out[:3].sum()), int(out[3:].sum())
    (1, 1)
    """
    order = rng.permutation(len(strata))
    order = order[np.argsort(strata[order], kind="stable")]
    starts = np.concatenate([[0], np.cumsum(np.bincount(strata, minlength=len(held)))])
    out = np.zeros(len(strata), dtype=bool)
    for start, count in zip(starts[:-1], held, strict=True):
        out[order[start : start + count]] = True
    return out
