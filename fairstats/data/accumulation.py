"""One pass over rows: their counts, sums and sums of products by cell, block by block."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import sparse

from fairstats.data.factors import counted

BLOCK_BYTES = 1 << 20  # a block of rows that stays in the second-level cache while it is shifted and multiplied
LONG_BYTES = 4 * BLOCK_BYTES  # of rows that are multiplied where they are, which long products are best for
NEAR = 0.5  # standard deviations: closer to 0 than this, a mean costs less than a third of a bit
FAR = 10.0  # standard deviations within groups: a group's mean further off than this costs more than two digits
ONE_BY_ONE = 4  # groups up to which one product a group is faster than one of all


@dataclass(frozen=True)
class Sums:
    """The sums that one pass over rows computes, by cell: weights, shifted means, second moments."""

    n: np.ndarray
    weight: np.ndarray
    squares: np.ndarray
    shift: np.ndarray
    delta: np.ndarray
    scatter: np.ndarray


def accumulate(X: Any, codes: np.ndarray, G: int, weights: np.ndarray | None, by_cell: bool) -> Sums:
    """Return shifted sums and products in one pass, block by block, so that a block is read from memory once."""
    n, d = X.shape
    shift = _shift(X, weights)
    centers = _centers(X, codes, G, weights, shift)
    # Rows that are neither shifted nor weighted are multiplied where they are.
    as_they_are = shift is None and centers is None and weights is None and not sparse.issparse(X)
    count = counted(codes, G)
    mass = count.astype(float) if weights is None else np.bincount(codes, weights, minlength=G)
    squares = mass if weights is None else np.bincount(codes, weights**2, minlength=G)
    sums = np.zeros((G, d))
    products: list[np.ndarray | None] = [None] * (G if by_cell else 1)
    order, bounds = _by_cell_order(codes, G, _block_rows(n, d, LONG_BYTES if as_they_are else BLOCK_BYTES), by_cell)
    for start, stop in bounds:
        take = slice(start, stop) if order is None else order[start:stop]
        block = X[take]
        block = block.toarray() if sparse.issparse(block) else block
        cell = codes[take]
        if centers is not None:
            block = block - (centers[cell[0]] if by_cell else centers[cell])
        elif not as_they_are:
            block = block - (0.0 if shift is None else shift)
        w = None if weights is None else weights[take]
        at = int(cell[0]) if by_cell else 0
        if by_cell:
            sums[at] += (np.ones(len(block)) if w is None else w) @ block
        else:
            sums += _by_group(block, cell, G, w)
        if w is not None:
            block *= np.sqrt(w)[:, None]
        product = block.T @ block
        known = products[at]
        products[at] = product if known is None else np.add(known, product, out=known)
    delta = sums / np.where(mass > 0, mass, 1.0)[:, None]
    scatter = _about_means(products, delta, mass)
    shift = np.zeros(d) if shift is None else shift
    return Sums(count, mass, squares, shift, delta if centers is None else delta + (centers - shift), scatter)


def _shift(X: Any, weights: np.ndarray | None) -> np.ndarray | None:
    """A mean of the first rows, about which sums keep their digits; None where 0 does as well for every column."""
    # Rows of weight 0 may lie anywhere, and would place the shift where the others are not.
    first = X[slice(0, 1024) if weights is None else np.flatnonzero(weights)[:1024]]
    shift = np.asarray(first.mean(axis=0), dtype=float).ravel()
    shift = np.where(np.isfinite(shift), shift, 0.0)
    if sparse.issparse(X):
        return shift
    apart = first - shift
    spread = np.sqrt(np.einsum("ij,ij->j", apart, apart) / len(apart))
    return None if (np.abs(shift) <= NEAR * spread).all() else shift


def _centers(
    X: Any, codes: np.ndarray, G: int, weights: np.ndarray | None, shift: np.ndarray | None
) -> np.ndarray | None:
    """Means (G, d) of the first rows of each cell, where one shift for all would cost digits; else None."""
    rows = slice(0, 4096) if weights is None else np.flatnonzero(weights)[:4096]
    first, own = X[rows], codes[rows]
    first = first.toarray() if sparse.issparse(first) else first
    base = np.zeros(X.shape[1]) if shift is None else shift
    count = np.bincount(own, minlength=G)[:, None]
    if G == 1 or not np.isfinite(first).all():
        return None
    means = np.where(count > 0, base + _by_group(first - base, own, G, None) / np.maximum(count, 1), base)
    within = np.sqrt(np.mean((first - means[own]) ** 2, axis=0))
    far = (np.abs(means - base) > FAR * within) & (within > 0)
    return means if far.any() else None


def _block_rows(n: int, d: int, size: int) -> int:
    if d < 512:
        return int(np.clip(size // (8 * d), 128, 16_384))
    return min(n, max(2048, 4_096_000 // d))


def _by_group(block: np.ndarray, cell: np.ndarray, G: int, w: np.ndarray | None) -> np.ndarray:
    """Sums (G, d) of the rows of each group, times their weights."""
    member = (cell == np.arange(G)[:, None]).astype(float)
    if w is not None:
        member *= w
    return np.stack([each @ block for each in member]) if G <= ONE_BY_ONE else member @ block


def _about_means(products: list[np.ndarray | None], delta: np.ndarray, mass: np.ndarray) -> np.ndarray:
    """Sums of squares and products about the cells' means, by cell or pooled (1 or G, d, d)."""
    d = delta.shape[1]
    if len(products) == 1:
        known = products[0]
        made = np.zeros((d, d)) if known is None else known
        made -= (delta * mass[:, None]).T @ delta
        return made[None]
    scatter = np.zeros((len(products), d, d))
    for into, known, m, weight in zip(scatter, products, delta, mass, strict=True):
        if known is not None:
            np.subtract(known, np.outer(weight * m, m), out=into)
    return scatter


def _by_cell_order(
    codes: np.ndarray, G: int, rows: int, by_cell: bool
) -> tuple[np.ndarray | None, list[tuple[int, int]]]:
    """Blocks of rows; with ``by_cell`` each block is of one cell."""
    n = len(codes)
    if not by_cell or G == 1:
        return None, [(i, min(i + rows, n)) for i in range(0, n, rows)]
    order = np.argsort(codes, kind="stable")
    edges = np.concatenate([[0], np.cumsum(np.bincount(codes, minlength=G))])
    return order, [(i, min(i + rows, b)) for a, b in pairwise(edges.tolist()) for i in range(a, b, rows)]
