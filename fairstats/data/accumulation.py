"""One pass over rows: their counts, sums and sums of products by cell, block by block."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import sparse

BLOCK_BYTES = 1 << 20  # a block of rows that stays in the second-level cache while it is shifted and multiplied


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
    rows = int(np.clip(BLOCK_BYTES // (8 * d), 128, 4096)) if d < 512 else min(n, 2048)
    # Rows of weight 0 may lie anywhere, and would place the shift where the others are not.
    first = slice(0, 1024) if weights is None else np.flatnonzero(weights)[:1024]
    shift = np.asarray(X[first].mean(axis=0), dtype=float).ravel()
    shift = np.where(np.isfinite(shift), shift, 0.0)
    sums, mass = np.zeros((G, d)), np.zeros(G)
    products = np.zeros((G if by_cell else 1, d, d))
    order, bounds = _by_cell_order(codes, G, rows, by_cell)
    for start, stop in bounds:
        take = slice(start, stop) if order is None else order[start:stop]
        block = X[take]
        block = block.toarray() if sparse.issparse(block) else block
        block = block - shift
        cell = codes[take]
        w = None if weights is None else weights[take]
        spread = np.zeros((stop - start, G))
        spread[np.arange(stop - start), cell] = 1.0 if w is None else w
        sums += spread.T @ block
        mass += spread.sum(axis=0)
        if w is not None:
            block *= np.sqrt(w)[:, None]
        products[cell[0] if by_cell else 0] += block.T @ block
    safe = np.where(mass > 0, mass, 1.0)[:, None]
    delta = sums / safe
    if by_cell:
        products -= np.einsum("g,gi,gj->gij", mass, delta, delta)
    else:
        products[0] -= (delta * mass[:, None]).T @ delta
    count = np.bincount(codes, minlength=G)
    squares = count.astype(float) if weights is None else np.bincount(codes, weights**2, minlength=G)
    return Sums(count, mass, squares, shift, delta, products)


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
