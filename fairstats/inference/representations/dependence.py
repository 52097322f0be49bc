"""Two measures of any dependence of scores on groups, with permutation p-values: MMD² and distance correlation.

Both are averages over folds of an unbiased statistic, and labels are permuted within folds: rows of a fold went
through the same fit, rows of different folds did not. Neither has an interval: at independence a bootstrap of a
quantity that cannot be negative covers its value 0 never.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairstats.inference.scores.merged_samples import Floats

# permuted statistics this close to the observed one are ties of rounding
TIE = 1e-12


@dataclass(frozen=True)
class Permuted:
    """A statistic, its p-value (the observed one counts as a permutation; NaN without any), and how many were drawn."""

    statistic: float
    p_value: float
    permutations: int


def squared_distances(points: Floats) -> Floats:
    """Squared Euclidean distances of all pairs of rows.

    Parameters
    ----------
    points : ndarray, shape (n, k)

    Returns
    -------
    ndarray, shape (n, n)

    Examples
    --------
    >>> squared_distances(np.array([[0.0, 0.0], [3.0, 4.0]])).tolist()
    [[0.0, 25.0], [25.0, 0.0]]
    """
    centered = points - points.mean(axis=0)
    lengths = np.einsum("ij,ij->i", centered, centered)
    square = lengths[:, None] + lengths - 2 * centered @ centered.T
    np.maximum(square, 0.0, out=square)
    np.fill_diagonal(square, 0.0)
    return square


def _folds(folds: NDArray[np.intp], least: int) -> list[NDArray[np.intp]]:
    parts = [np.flatnonzero(folds == f) for f in np.unique(folds)]
    return [rows for rows in parts if rows.size >= least]


def _p_value(values: Floats) -> Permuted:
    observed, others = float(values[0]), values[1:]
    reached = int(np.sum(others >= observed - TIE * np.abs(values).max()))
    p = (1 + reached) / (1 + others.size) if others.size else float("nan")
    return Permuted(observed, p, int(others.size))


def mmd(
    scores: Floats, codes: NDArray[np.intp], folds: NDArray[np.intp], *, permutations: int = 999, seed: int = 0
) -> list[Permuted]:
    """Estimate the squared maximum mean discrepancy of each level against everybody else (Gaussian kernel, unbiased).

    Parameters
    ----------
    scores : ndarray, shape (n, k)
        Scores; memory and time grow with the square of the largest fold.
    codes : ndarray of int, shape (n,)
        Level of each row, 0 ... G - 1.
    folds : ndarray of int, shape (n,)
        Fold of each row; folds with fewer than two rows of the level, or of the others, do not count for it.
    permutations : int
        Random permutations of the labels within folds.
    seed : int
        Seed of those.

    Returns
    -------
    list of Permuted
        One for each level; NaN where no fold counts. The kernel is exp(-d²/(2 median²)), the median being that of
        all distances within folds, which does not look at the labels.

    References
    ----------
    Gretton et al. (2012), A kernel two-sample test, eq. (3); Phipson & Smyth (2010) for the p-value.

    Examples
    --------
    >>> import numpy as np
    >>> import fairstats as fs
    >>> rng = np.random.default_rng(0)
    >>> x, g = rng.normal(size=(60, 2)), np.repeat([0, 1], 30)
    >>> x[g == 1] *= 3
    >>> fs.stats.mmd(x, g, np.zeros(60, int), permutations=99)[1].p_value
    0.01
    """
    rng = np.random.default_rng(seed)
    parts = _folds(folds, 4)
    squares = [squared_distances(scores[rows]) for rows in parts]
    pairs = np.concatenate([d[np.triu_indices(len(d), 1)] for d in squares]) if parts else np.ones(1)
    width = 2 * (float(np.median(np.sqrt(pairs))) ** 2 or 1.0)
    levels = int(codes.max()) + 1
    total, weight = np.zeros((levels, permutations + 1)), np.zeros(levels)
    for rows, square in zip(parts, squares, strict=True):
        kernel = np.exp(-square / width)
        labels = _permuted(codes[rows], permutations, rng)
        for level in range(levels):
            inside = float(np.sum(codes[rows] == level))
            if 2 <= inside <= rows.size - 2:
                total[level] += rows.size * _unbiased_mmd(kernel, (labels == level).astype(float), inside)
                weight[level] += rows.size
    nothing = Permuted(float("nan"), float("nan"), 0)
    return [_p_value(total[j] / weight[j]) if weight[j] else nothing for j in range(levels)]


def _unbiased_mmd(kernel: Floats, chosen: Floats, n: float) -> Floats:
    """Unbiased MMD² for each column of `chosen`, an indicator of n of the rows."""
    m = kernel.shape[0] - n
    sums = kernel.sum(axis=1)
    within = np.einsum("ij,ij->j", chosen, kernel @ chosen)
    reach = sums @ chosen
    other = sums.sum() - 2 * reach + within
    return (within - n) / (n * (n - 1)) + (other - m) / (m * (m - 1)) - 2 * (reach - within) / (n * m)


def _permuted(labels: NDArray, permutations: int, rng: np.random.Generator) -> NDArray:
    """The labels (first column) and random permutations of them, shape (n, 1 + permutations)."""
    drawn = rng.permuted(np.tile(labels, (permutations, 1)), axis=1)
    return np.column_stack([labels, drawn.T])


def distance_correlation(
    scores: Floats, target: NDArray, folds: NDArray[np.intp], *, permutations: int = 999, seed: int = 0
) -> Permuted:
    """Estimate the squared distance correlation of scores and a group variable (levels or numbers), corrected for bias.

    Parameters
    ----------
    scores : ndarray, shape (n, k)
        Scores; memory and time grow with the square of the largest fold.
    target : ndarray, shape (n,)
        Whole-number codes of levels (two people are at distance 0 or 1), or floats (absolute difference).
    folds : ndarray of int, shape (n,)
        Fold of each row; those with fewer than four rows, or a constant target, do not count.
    permutations : int
        Random permutations of the target within folds.
    seed : int
        Seed of those.

    Returns
    -------
    Permuted
        0 on average at independence, 1 where distances are proportional; NaN where no fold counts.

    References
    ----------
    Székely & Rizzo (2013, 2014), The distance correlation t-test of independence in high dimension; Partial distance
    correlation. R: ``energy::bcdcor``.

    Examples
    --------
    >>> import numpy as np
    >>> import fairstats as fs
    >>> x = np.linspace(0, 1, 40)[:, None]
    >>> round(fs.stats.distance_correlation(x, x[:, 0], np.zeros(40, int), permutations=99).statistic, 6)
    1.0
    """
    rng = np.random.default_rng(seed)
    total, weight = np.zeros(permutations + 1), 0.0
    for rows in _folds(folds, 4):
        ours = u_centered(np.sqrt(squared_distances(scores[rows])))
        labels = np.asarray(target)[rows]
        theirs = _target_distances(labels)
        centered = u_centered(theirs)
        scale = np.sqrt(np.sum(ours * ours) * np.sum(centered * centered))
        if scale > 0:
            total += rows.size * _products(ours, theirs, labels, permutations, rng) / scale
            weight += rows.size
    if not weight:
        return Permuted(float("nan"), float("nan"), 0)
    return _p_value(total / weight)


def _target_distances(labels: NDArray) -> Floats:
    if labels.dtype.kind in "iu":
        return (labels[:, None] != labels).astype(float)
    return np.abs(labels[:, None] - labels)


def u_centered(distances: Floats) -> Floats:
    """U-centered distances: rows sum to zero, and products with other distances are unbiased.

    Parameters
    ----------
    distances : ndarray, shape (n, n)
        n of at least 3.

    Returns
    -------
    ndarray, shape (n, n)

    References
    ----------
    Székely & Rizzo (2014), definition 2.

    Examples
    --------
    >>> d = u_centered(np.array([[0, 1, 2, 3.0], [1, 0, 1, 2], [2, 1, 0, 1], [3, 2, 1, 0]]))
    >>> bool(np.abs(d.sum(axis=0)).max() < 1e-12)
    True
    """
    n = len(distances)
    sums = distances.sum(axis=0)
    centered = distances - (sums[:, None] + sums) / (n - 2) + sums.sum() / ((n - 1) * (n - 2))
    np.fill_diagonal(centered, 0.0)
    return centered


def _products(ours: Floats, theirs: Floats, labels: NDArray, permutations: int, rng: np.random.Generator) -> Floats:
    """Sums of products of U-centered distances, for the labels and their permutations.

    Rows of `ours` sum to zero, so the other factor need not be centered; and for levels, whose distance is
    1 - [same level], only the sums within levels remain, which are matrix products.
    """
    if labels.dtype.kind in "iu":
        drawn = _permuted(labels, permutations, rng)
        same = np.zeros(permutations + 1)
        for level in np.unique(labels):
            chosen = (drawn == level).astype(float)
            same += np.einsum("ij,ij->j", chosen, ours @ chosen)
        return -same
    orders = _permuted(np.arange(labels.size), permutations, rng)
    return np.array([float(np.sum(ours * theirs[np.ix_(order, order)])) for order in orders.T])
