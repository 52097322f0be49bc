"""Truncated SVD of a matrix known by its products: block Krylov iteration (Musco & Musco 2015), residual checked."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fairstats.errors import NumericalError
from fairstats.linalg.eigen import EPS, fix_signs


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
        fresh, corner = next_block(basis, transposed(images[:, -last:]), 64 * EPS * squares[0])
        residual = np.linalg.norm(corner @ keep[-last:], axis=0).max()
        fresh = fresh[:, : min(n, p) - basis.shape[1]]
        if not fresh.shape[1] or residual <= tolerance * squares[0]:
            return np.sqrt(squares), fix_signs(basis @ keep)
        last = fresh.shape[1]
        basis = np.hstack([basis, fresh])
        images = np.hstack([images, times(fresh)])
    raise NumericalError(
        f"the truncated SVD did not reach a residual of {tolerance:g} in {most} iterations; "
        "ask for another k, or use rows ≥ columns so that the moments route is taken."
    )


def next_block(basis: np.ndarray, block: np.ndarray, noise: float) -> tuple[np.ndarray, np.ndarray]:
    """What a block (p × b) adds to an orthonormal basis (p × m), and that part's triangle R.

    Directions shorter than ``noise`` are rounding and left out: normalised, they would point anywhere, back into the
    basis too. No column left means that the basis spans an invariant subspace.

    Examples
    --------
    >>> next_block(np.eye(3)[:, :1], np.array([[5.0, 1.0], [2.0, 0.0], [0.0, 1e-18]]), 1e-15)[0].round(9).T + 0.0
    array([[0., 1., 0.]])
    """
    fresh, corner = np.linalg.qr(block - basis @ (basis.T @ block))
    turn, sizes, _ = np.linalg.svd(corner)
    fresh = fresh @ turn[:, sizes > noise]
    # Again, now at length 1: a short column carried rounding of the basis out of proportion to itself.
    return np.linalg.qr(fresh - basis @ (basis.T @ fresh))[0], corner
