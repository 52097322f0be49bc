"""Centering without loss: means taken twice, and sparse matrices shifted where they have no zeros to keep."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

BLOCK = 512  # rows at a time


def centering(X: Any, weights: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return column means in two parts, and the sums of squares about them.

    A mean of numbers near 1e8 is rounded at 1e-8: the rows less that mean still have one of their own, which adds a
    direction (1, …, 1) to their column space. It is told apart here, from the differences, which are exact.

    Parameters
    ----------
    X : array or sparse matrix (n, p)
    weights : array (n,), optional

    Returns
    -------
    center : array (p,)
        The means, rounded.
    rest : array (p,)
        What is left of them: X − center − rest has mean 0.
    squares : array (p,)

    Examples
    --------
    >>> center, rest, squares = centering(np.array([[1e16], [1e16 + 2.0]]))
    >>> center.tolist(), rest.tolist(), squares.tolist()
    ([1e+16], [1.0], [2.0])
    """
    mass = float(X.shape[0] if weights is None else weights.sum())
    with np.errstate(over="ignore", invalid="ignore"):  # judged by the result
        rough = np.asarray(X.mean(axis=0) if weights is None else weights @ X / mass).ravel()
        sums, squares = (_sparse_sums if sparse.issparse(X) else _dense_sums)(X, rough, weights)
        rest = sums / mass
        center = rough + rest
        squares = np.maximum(squares - mass * rest**2, 0.0)
        return center, (rough - center) + rest, squares


def _dense_sums(X: np.ndarray, rough: np.ndarray, weights: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Sums (p,) of X − rough and of its squares, block by block."""
    sums, squares = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    for i in range(0, X.shape[0], BLOCK):
        block = X[i : i + BLOCK] - rough
        w = np.ones(len(block)) if weights is None else weights[i : i + BLOCK]
        sums += w @ block
        squares += w @ block**2
    return sums, squares


def _sparse_sums(X: Any, rough: np.ndarray, weights: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """The same from what is stored: the zeros of a column all differ from its mean by that mean."""
    X, p = canonical(X), X.shape[1]
    w = np.ones(X.nnz) if weights is None else np.repeat(weights, np.diff(X.indptr))
    apart = X.data - rough[X.indices]
    zeros = (X.shape[0] if weights is None else weights.sum()) - np.bincount(X.indices, w, minlength=p)
    zeros = np.where(np.bincount(X.indices, minlength=p) == X.shape[0], 0.0, zeros)
    sums = np.bincount(X.indices, w * apart, minlength=p) - zeros * rough
    return sums, np.bincount(X.indices, w * apart**2, minlength=p) + zeros * rough**2


def canonical(X: Any) -> Any:
    """Return a sparse matrix by rows (CSR) with each entry stored once; X itself stays as it is."""
    X = X.tocsr()
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X


def shifted(X: Any, center: np.ndarray) -> tuple[Any, np.ndarray]:
    """Return X − center as far as X stays sparse, and what is still to be subtracted.

    A column without zeros is shifted: its mean may be any multiple of its spread, and products of the column less
    products of the mean would leave rounding. The mean of a column with zeros is no larger than √n times its spread.

    Examples
    --------
    >>> X, left = shifted(sparse.csr_array([[7.0, 0.0], [9.0, 4.0]]), np.array([8.0, 2.0]))
    >>> X.toarray().tolist(), left.tolist()
    ([[-1.0, 0.0], [1.0, 4.0]], [0.0, 2.0])
    """
    if not sparse.issparse(X):
        return X - center, np.zeros_like(center)
    X = canonical(X)
    full = X.shape[0] == np.bincount(X.indices, minlength=X.shape[1])
    if not full.any():
        return X, center
    moved = X.copy()
    moved.data = X.data - np.where(full, center, 0.0)[X.indices]
    return moved, np.where(full, 0.0, center)
