"""Curves of a score: the ROC curve, the distribution function, and thinning for a figure."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairstats.errors import InputError
from fairstats.inference.scores.merged_samples import Blocks, Floats, merge


def roc_curve(scores: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """Return all vertices of the ROC curve of a score.

    Parameters
    ----------
    scores : array_like, shape (n,)
        Larger means more likely positive.
    y : array_like, shape (n,)
        Outcomes 0 and 1 (or booleans).

    Returns
    -------
    fpr, tpr, thresholds : ndarray
        The rates when everybody at or above the threshold is called positive, from (0, 0) at an infinite threshold to
        (1, 1); one vertex per distinct score. NaN rates where nobody has that outcome.

    Raises
    ------
    InputError
        If a score is missing.

    References
    ----------
    Fawcett (2006), An introduction to ROC analysis.

    Examples
    --------
    >>> import fairstats as fs
    >>> fpr, tpr, thresholds = fs.stats.roc_curve([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1])
    >>> fpr.tolist(), tpr.tolist()
    ([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0])
    """
    values, positive = np.asarray(scores, dtype=float).ravel(), np.asarray(y).ravel() == 1
    return roc_of(merge(values[positive], values[~positive]))


def roc_of(blocks: Blocks) -> tuple[Floats, Floats, Floats]:
    """The ROC curve of positive people merged with negative ones, as `roc_curve` has it.

    Examples
    --------
    >>> [v.tolist() for v in roc_of(merge([2], [1]))]
    [[0.0, 0.0, 1.0], [0.0, 1.0, 1.0], [inf, 2.0, 1.0]]
    """
    return (
        _from_above(blocks.y, blocks.m),
        _from_above(blocks.x, blocks.n),
        np.concatenate([[np.inf], blocks.values[::-1]]),
    )


def _from_above(counts: Floats, total: float) -> Floats:
    reached = np.concatenate([[0.0], np.cumsum(counts[::-1])])
    return reached / total if total else np.full(reached.size, np.nan)


def ecdf(x: ArrayLike, weights: ArrayLike | None = None) -> tuple[Floats, Floats]:
    """Return the empirical distribution function: the distinct values, and the share of the sample at or below each.

    Parameters
    ----------
    x : array_like, shape (n,)
        The sample.
    weights : array_like, shape (n,), optional
        Non-negative weights; equal by default.

    Returns
    -------
    values, shares : ndarray
        The last share is 1.

    Raises
    ------
    InputError
        If a value is missing or the weights are negative or sum to nothing.

    References
    ----------
    R: ``ecdf``.

    Examples
    --------
    >>> import fairstats as fs
    >>> [a.tolist() for a in fs.stats.ecdf([3, 1, 1, 2])]
    [[1.0, 2.0, 3.0], [0.5, 0.75, 1.0]]
    """
    if weights is not None:
        w = np.asarray(weights, dtype=float)
        if not (np.all(w >= 0) and w.sum() > 0):
            raise InputError("weights has a negative or missing value, or no positive one; weights are 0 or more.")
    blocks = merge(x, [], weights)
    if blocks.values.size == 0:
        return blocks.values, blocks.x
    return blocks.values, np.cumsum(blocks.x) / blocks.n


def thin(x: ArrayLike, y: ArrayLike, most: int = 200) -> NDArray[np.int64]:
    """Which points of a monotone curve to draw: at most so many, evenly along its length, both ends among them.

    Parameters
    ----------
    x, y : array_like, shape (n,)
        The curve.
    most : int
        The most points to keep, at least 2.

    Returns
    -------
    ndarray of int
        Positions to keep, ascending; all of them where the curve has no more than `most` points once those on a
        straight line between their neighbors are gone.

    Examples
    --------
    >>> thin([0, 1, 2, 3], [0, 0, 0, 1]).tolist()
    [0, 2, 3]
    """
    a, b = np.asarray(x, dtype=float).ravel(), np.asarray(y, dtype=float).ravel()
    if a.size <= 2:
        return np.arange(a.size)
    dx, dy = np.diff(a), np.diff(b)
    ahead, behind = dx[1:] * dy[:-1], dx[:-1] * dy[1:]
    turns = np.abs(ahead - behind) > 1e-9 * (np.abs(ahead) + np.abs(behind))
    kept = np.concatenate([[0], np.flatnonzero(turns) + 1, [a.size - 1]])
    if kept.size <= most:
        return kept
    spans = [max(float(np.ptp(v[kept])), np.finfo(float).tiny) for v in (a, b)]
    along = np.concatenate(
        [[0.0], np.cumsum(np.abs(np.diff(a[kept])) / spans[0] + np.abs(np.diff(b[kept])) / spans[1])]
    )
    wanted = np.searchsorted(along, np.linspace(0, along[-1], most))
    return np.unique(kept[np.concatenate([[0], wanted[1:-1], [kept.size - 1]])])
