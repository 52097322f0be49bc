"""Truncated SVD of a matrix known by its products: block Krylov iteration (Musco & Musco 2015), residual checked."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fairstats.errors import NumericalError
from fairstats.linalg.eigen import fix_signs


def truncated_svd(
    times: Callable[[np.ndarray], np.ndarray],
    transposed: Callable[[np.ndarray], np.ndarray],
    shape: tuple[int, int],
    k: int,
    *,
    tolerance: float = 1e-9,
    seed: int = 0,
    most: int = 60,
) -> tuple[np.ndarray, np.ndarray]:
    """The k largest singular values and right singular vectors of A.

    Parameters
    ----------
    times, transposed : callables
        ``times(V) = A V`` for V (p × b), ``transposed(W) = Aᵀ W`` for W (n × b).
    shape : (n, p)
    k : int
    tolerance : float
        Accepted ‖AᵀA u − s²u‖ relative to s₁². The values are then exact to its square.
    seed : int
        The starting block is random but reproducible.
    most : int
        Iterations after which ``NumericalError`` is raised.

    Returns
    -------
    values : array (k,)
    vectors : array (p, k)
    """
    n, p = shape
    block = min(k + 8, n, p)
    # Aᵀ of a random block lies in the row space, so the basis never outgrows the rank.
    basis = np.linalg.qr(transposed(np.random.default_rng(seed).standard_normal((n, block))))[0]
    images = times(basis)
    last = basis.shape[1]
    for _ in range(most):
        values, rotation = np.linalg.eigh(images.T @ images)
        keep = rotation[:, ::-1][:, :k]
        squares = np.maximum(values[::-1][:k], 0.0)
        # AᵀA maps every block but the newest into the basis (block Lanczos), so what sticks out of the newest one is
        # both the next block and, weighted by the Ritz vectors' last entries, their residual.
        fresh = transposed(images[:, -last:])
        for _twice in range(2):
            fresh = fresh - basis @ (basis.T @ fresh)
        fresh, corner = np.linalg.qr(fresh)
        residual = np.linalg.norm(corner @ keep[-last:], axis=0).max()
        full = basis.shape[1] >= min(n, p)
        if full or residual <= tolerance * max(squares[0], np.finfo(float).tiny):
            return np.sqrt(squares), fix_signs(basis @ keep)
        fresh = fresh[:, : min(n, p) - basis.shape[1]]
        last = fresh.shape[1]
        basis = np.hstack([basis, fresh])
        images = np.hstack([images, times(fresh)])
    raise NumericalError(
        f"the truncated SVD did not reach a residual of {tolerance:g} in {most} iterations; "
        "ask for another k, or use rows ≥ columns so that the moments route is taken."
    )
