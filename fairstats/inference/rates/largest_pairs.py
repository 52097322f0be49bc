"""The largest score over all pairs of groups, from the few pairs that can have it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Places = NDArray[np.intp]
# pairs that are looked at together, so that memory does not grow with the groups
AT_ONCE = 1 << 19


def largest_score(e: Floats, n: Floats, factor: Callable[[Floats], Floats]) -> Floats:
    """The largest |score| of equality over the pairs.

    Parameters
    ----------
    e : ndarray, shape (..., G)
        Events.
    n : ndarray, shape (G,)
        Sizes, all positive.
    factor : callable
        ``CONTRASTS[contrast].factor``: the variance factor as a function of the size of a pair.

    Returns
    -------
    ndarray, shape (...)

    Notes
    -----
    With T = n_i + n_j and d = p_i - p_j > 0, 1 / z^2 = 1 / T + p_i (1 - p_i) / (n_j d^2) + p_j (1 - p_j) / (n_i d^2):
    z rises with both sizes, with p_i and with -p_j. So of the upper groups of pairs only those matter than which no
    larger group has as high a rate, and likewise of the lower ones: about log(G) each, in place of all pairs.

    Examples
    --------
    >>> round(float(largest_score(np.array([1.0, 5.0, 3.0]), np.full(3, 10.0), lambda size: 1.0)), 4)
    1.9518
    """
    out = largest_scores(e.reshape(int(np.prod(e.shape[:-1])), n.size), n, [factor])[0]
    return out.reshape(e.shape[:-1])


def largest_scores(e: Floats, n: Floats, factors: list[Callable[[Floats], Floats]]) -> list[Floats]:
    """`largest_score` of rows of events, shape (replicates, G), for several factors, which rest on the same pairs.

    Examples
    --------
    >>> rows = np.array([[1.0, 5.0, 3.0]])
    >>> [float(v[0].round(4)) for v in largest_scores(rows, np.full(3, 10.0), [lambda size: 1.0, lambda size: 4.0])]
    [1.9518, 0.9759]
    """
    groups = np.argsort(-n, kind="stable")
    columns, sizes = np.ascontiguousarray(e.T[groups]), n[groups]

    def scores(row: Places, i: Places, j: Places) -> list[Floats]:
        own, other, total = columns[i, row], columns[j, row], sizes[i] + sizes[j]
        pooled = (own + other) / total
        with np.errstate(divide="ignore", invalid="ignore"):
            plain = (own / sizes[i] - other / sizes[j]) / np.sqrt(pooled * (1 - pooled) * total / (sizes[i] * sizes[j]))
            return [plain / np.sqrt(factor(total)) for factor in factors]

    return _largest_of_pairs(columns / sizes[:, None], scores)


def largest_normal(n: Floats, replicates: int, rng: np.random.Generator) -> Floats:
    """The largest |difference| over the pairs, in units of its error, of normal noise in groups of such sizes.

    Examples
    --------
    >>> largest_normal(np.array([3.0, 3.0]), 2, np.random.default_rng(0)).round(3).tolist()
    [0.182, 0.379]
    """
    groups = np.argsort(-n, kind="stable")
    noise, sizes = (rng.standard_normal((replicates, n.size)) / np.sqrt(n)).T[groups], n[groups]

    def scores(row: Places, i: Places, j: Places) -> list[Floats]:
        return [(noise[i, row] - noise[j, row]) / np.sqrt(1 / sizes[i] + 1 / sizes[j])]

    return _largest_of_pairs(noise, scores)[0]


def _largest_of_pairs(values: Floats, scores: Callable[[Places, Places, Places], list[Floats]]) -> list[Floats]:
    """In each column the largest scores of one group over another, which rise with its value and with both sizes.

    Groups are in descending order of size. A group that a larger one exceeds in value is not the upper one of the
    largest pair, and likewise for the lower one. Scores that are NaN do not count.
    """
    if not len(values):
        none = np.empty(0, dtype=np.intp)
        return [np.zeros(values.shape[1]) for _ in scores(none, none, none)]
    uppers, lowers = _records(values), _records(-values)
    (upper_row, upper), (_, lower) = np.nonzero(uppers), np.nonzero(lowers)
    below = lowers.sum(axis=1)
    first_below = np.cumsum(below) - below
    ends = np.cumsum(uppers.sum(axis=1))  # of the uppers of each replicate
    pairs = np.cumsum(below[upper_row])
    out: list[list[Floats]] = []
    start, row, rows = 0, 0, values.shape[1]
    while row < rows:
        done = pairs[start - 1] if start else 0
        until = max(int(np.searchsorted(pairs[ends - 1], done + AT_ONCE, side="right")), row + 1)
        own = np.arange(start, ends[until - 1])
        times = below[upper_row[own]]
        place = np.arange(times.sum()) - np.repeat(np.cumsum(times) - times, times)
        replicate = np.repeat(upper_row[own], times)
        firsts = np.concatenate([[0], pairs[ends[row : until - 1] - 1] - done])
        found = scores(replicate, np.repeat(upper[own], times), lower[first_below[replicate] + place])
        out.append([np.maximum.reduceat(np.where(v > 0, v, 0.0), firsts) for v in found])
        start, row = int(ends[until - 1]), until
    return [np.concatenate(parts) for parts in zip(*out, strict=True)]


def _records(values: Floats) -> NDArray[np.bool_]:
    """Whether a value exceeds all before it, as (replicates, groups); the first one does."""
    out = np.empty(values.shape[::-1], dtype=bool)
    largest = np.full(values.shape[1], -np.inf)
    for group, own in enumerate(values):
        np.greater(own, largest, out=out[:, group])
        np.maximum(own, largest, out=largest)
    return out
