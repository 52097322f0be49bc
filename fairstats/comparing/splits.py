"""Splits into training and test rows: random ones, stratified by group and outcome; or those that a caller brings."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fairstats.arguments import items
from fairstats.errors import InputError

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


class SplitRows(NamedTuple):
    """The rows of one split; those in neither part are left out of it."""

    train: Ints
    test: Ints


def given_splits(splits: Any, n: int) -> tuple[SplitRows, ...]:
    """Splits that the caller brings, judged.

    Parameters
    ----------
    splits : sequence of (train, test)
        Row numbers or masks, as scikit-learn's splitters yield them.
    n : int
        Number of rows.

    Returns
    -------
    tuple of SplitRows

    Raises
    ------
    InputError
        No split, one that is no pair, rows out of range, an empty part, a row in both parts.

    Examples
    --------
    >>> [len(r.train) for r in given_splits([([0, 1], [2]), ([1, 2], [0])], 3)]
    [2, 2]
    """
    pairs = items("splits", splits, "pairs of training rows and test rows")
    splits_judged = tuple(_rows(i, pair, n) for i, pair in enumerate(pairs))
    if not splits_judged:
        raise InputError("splits is empty; give pairs of training rows and test rows, or leave it out.")
    return splits_judged


def _rows(i: int, pair: Any, n: int) -> SplitRows:
    try:
        train, test = pair
    except (TypeError, ValueError):
        raise InputError(f"splits[{i}] is no pair; give training rows and test rows.") from None
    parts = []
    for name, part in (("training", train), ("test", test)):
        rows = np.asarray(part)
        rows = np.flatnonzero(rows) if rows.dtype == bool and rows.shape == (n,) else rows
        if rows.ndim != 1 or not len(rows) or rows.dtype.kind not in "iu":
            raise InputError(f"splits[{i}] has {name} rows that are no row numbers; give whole numbers or a mask.")
        if rows.min() < 0 or rows.max() >= n:
            wrong = rows[(rows < 0) | (rows >= n)]
            raise InputError(f"splits[{i}] has the {name} row {wrong[0]}; there are {n} rows, counted from 0.")
        parts.append(rows.astype(np.intp))
    both = np.intersect1d(parts[0], parts[1])
    if len(both):
        raise InputError(f"splits[{i}] has the row {both[0]} ({len(both)} in all) in both parts; take it out of one.")
    return SplitRows(*parts)
