"""The permutation distribution of Brunner and Munzel's studentized statistic, many permutations at once."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from fairstats.inference.scores.merged_samples import Blocks

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
PERMUTATIONS = 10_000
FEWEST_PERMUTATIONS = 1_999
# all divisions of the people into two groups are visited where there are no more than this
MOST_DIVISIONS = 50_000
# elements (permutations times people or values) that are worked on at once, and in all
CHUNK, BUDGET = 200_000, 4_000_000
# a larger share of the people is drawn by sorting random keys, a smaller one by drawing until all differ
SHARE = 0.2


class Studentized(NamedTuple):
    """Statistics of permutations (or of the data): plain, and on the logit scale; whether all were visited."""

    plain: Floats
    logit: Floats
    every: bool = False


def studentized(theta: Floats, variance: Floats) -> Studentized:
    """Estimates of P(X>Y) + P(X=Y)/2 minus 1/2 over their standard errors, and the same for their logits.

    Parameters
    ----------
    theta, variance : ndarray
        Estimates and their variances (of theta itself; the logit's follows by the delta method).

    Returns
    -------
    Studentized
        Infinite where only the variance is 0, 0 where both are.

    Examples
    --------
    >>> s = studentized(np.array([0.75, 0.0, 0.5]), np.array([0.04, 0.0, 0.0]))
    >>> s.plain.tolist(), s.logit.round(3).tolist()
    ([1.25, -inf, 0.0], [1.03, -inf, 0.0])
    """
    inside = (theta > 1e-12) & (theta < 1 - 1e-12)
    safe = np.where(inside, theta, 0.5)
    distance = np.where(inside, logit(safe) * safe * (1 - safe), theta - 0.5)
    return Studentized(_over(theta - 0.5, variance), _over(distance, variance))


def _over(deviation: Floats, variance: Floats) -> Floats:
    none = variance <= 0
    finite = deviation / np.sqrt(np.where(none, 1.0, variance))
    unbounded = np.where(np.abs(deviation) < 1e-12, 0.0, np.copysign(np.inf, deviation))
    return np.asarray(np.where(none, unbounded, finite))


def studentized_permutations(blocks: Blocks, seed: int = 0) -> Studentized | None:
    """The studentized statistic of the permuted people.

    Parameters
    ----------
    blocks : Blocks
        Two samples, merged, unweighted.
    seed : int
        Seed of the generator.

    Returns
    -------
    Studentized or None
        All divisions (each once) or 1,999 to 10,000 random ones; None where each permutation costs so much that even
        1,999 are out of reach.

    References
    ----------
    Neubert & Brunner (2007), CSDA 51, 5192-5204.

    Examples
    --------
    >>> from fairstats.inference.scores.merged_samples import merge
    >>> drawn = studentized_permutations(merge([1, 2], [3, 4]))
    >>> drawn.plain.round(3).tolist(), drawn.every
    ([-inf, -0.707, 0.0, 0.0, 0.707, inf], True)
    """
    sign, sizes = 1.0, blocks.sizes.astype(np.int64)
    n, total = int(blocks.n), int(sizes.sum())
    if 2 * n > total:
        n, sign = total - n, -1.0
    every = comb(total, n) <= MOST_DIVISIONS
    by_value = sizes.size < n and not every
    cost = sizes.size if by_value else n
    if BUDGET // cost < FEWEST_PERMUTATIONS and not every:
        return None
    draws = min(PERMUTATIONS, BUDGET // cost)
    rng = np.random.default_rng(seed)
    rows = max(1, CHUNK // max(cost, 1))
    parts = []
    of_person = np.repeat(np.arange(sizes.size), sizes)
    if every:
        for people in _all_subsets(total, n, rows):
            parts.append(_by_person(of_person[people], sizes, n))
    else:
        for start in range(0, draws, rows):
            chunk = min(rows, draws - start)
            if by_value:
                parts.append(_by_value(rng.multivariate_hypergeometric(sizes, n, size=chunk), sizes, n))
            else:
                parts.append(_by_person(of_person[_subsets(rng, total, n, chunk)], sizes, n))
    drawn = studentized(*(np.concatenate(part) for part in zip(*parts, strict=True)))
    return Studentized(sign * drawn.plain, sign * drawn.logit, every)


def _all_subsets(total: int, n: int, rows: int) -> Iterator[Ints]:
    flat = np.fromiter(chain.from_iterable(combinations(range(total), n)), dtype=np.int64).reshape(-1, n)
    for start in range(0, len(flat), rows):
        yield flat[start : start + rows]


def _subsets(rng: np.random.Generator, total: int, n: int, rows: int) -> Ints:
    """Random subsets of n of the people, one a row, ascending."""
    if n > SHARE * total:
        keys = rng.random((rows, total), dtype=np.float32)
        return np.sort(np.argpartition(keys, n - 1, axis=1)[:, :n], axis=1)
    # the first n different values of independent draws are a random subset
    repeated = n * n / (2 * (total - n))
    drawn = rng.integers(0, total, size=(rows, n + int(np.ceil(repeated + 7 * np.sqrt(repeated) + 7))))
    order = np.argsort(drawn, axis=1, kind="stable")
    ordered = np.take_along_axis(drawn, order, axis=1)
    new = np.ones(ordered.shape, dtype=bool)
    new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    by_draw = np.zeros_like(new)
    np.put_along_axis(by_draw, order, new, axis=1)
    by_draw &= np.cumsum(by_draw, axis=1) <= n
    kept = np.take_along_axis(by_draw, order, axis=1)
    full = kept.sum(axis=1) == n
    subsets = ordered[full][kept[full]].reshape(-1, n)
    if full.all():
        return subsets
    return np.concatenate([subsets, _subsets(rng, total, n, rows - len(subsets))])


def _by_value(x: Ints, sizes: Ints, n: int) -> tuple[Floats, Floats]:
    """Estimates and variances from how many of the n stand at each value, one permutation a row."""
    m = int(sizes.sum()) - n
    y = sizes - x
    place_x = (np.cumsum(y, axis=1) - y / 2) / m
    place_y = (n - np.cumsum(x, axis=1) + x / 2) / n
    theta = (x * place_x).sum(axis=1) / n
    return _with_variance(theta, (x * place_x**2).sum(axis=1), (y * place_y**2).sum(axis=1), n, m)


def _by_person(values: Ints, sizes: Ints, n: int) -> tuple[Floats, Floats]:
    """Estimates and variances from the values' numbers of the n people, ascending, one permutation a row."""
    m = int(sizes.sum()) - n
    upto = np.cumsum(sizes)
    rows = values.shape[0]
    at = np.arange(n)
    start = np.ones((rows, n), dtype=bool)
    start[:, 1:] = values[:, 1:] != values[:, :-1]
    # of the n: how many stand below a person's value, and how many at most at it
    below = np.maximum.accumulate(np.where(start, at, 0), axis=1)
    end = np.ones((rows, n), dtype=bool)
    end[:, :-1] = start[:, 1:]
    most = np.minimum.accumulate(np.where(end, at + 1, n)[:, ::-1], axis=1)[:, ::-1]
    here, last = sizes[values], upto[values]
    tied = most - below
    place_x = (last - here - below + (here - tied) / 2) / m
    # y between two neighbors of the n, and y at the values of the n, by the share of the n above them
    gap = np.zeros((rows, n + 1))
    gap[:, 0] = last[:, 0] - here[:, 0]
    gap[:, 1:-1] = np.where(start[:, 1:], last[:, 1:] - here[:, 1:] - last[:, :-1], 0)
    gap[:, -1] = upto[-1] - last[:, -1]
    above = (n - np.arange(n + 1)) / n
    squares = gap @ above**2
    squares += np.where(start, (here - tied) * ((n - (below + most) / 2) / n) ** 2, 0).sum(axis=1)
    return _with_variance(place_x.mean(axis=1), (place_x**2).sum(axis=1), squares, n, m)


def _with_variance(theta: Floats, squares_x: Floats, squares_y: Floats, n: int, m: int) -> tuple[Floats, Floats]:
    # both kinds of placements have the mean theta
    variance = np.zeros_like(theta)
    for squares, size in ((squares_x, n), (squares_y, m)):
        if size > 1:
            spread = squares - size * theta**2
            variance += np.where(spread > 1e-10 * size, spread, 0.0) / (size * (size - 1))
    return theta, variance
