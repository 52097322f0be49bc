"""Truncated SVD of a matrix known by its products: block Krylov iteration (Musco & Musco 2015), residual checked."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fairstats.errors import NumericalError
from fairstats.linalg.eigen import EPS, fix_signs

_UNITS = 64  # units of rounding, relative to ‖A‖, up to which a remainder is taken for none


def truncated_svd(
    times: Callable[[np.ndarray], np.ndarray],
    transposed: Callable[[np.ndarray], np.ndarray],
    shape: tuple[int, int],
    k: int,
    *,
    tolerance: float = 1e-9,
    values_only: bool = False,
    seed: int = 0,
    most: int = 60,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the k largest singular values and right singular vectors of A.

    Parameters
    ----------
    times, transposed : callables
        ``times(V) = A V`` for V (p × b), ``transposed(W) = Aᵀ W`` for W (n × b).
    shape : (n, p)
    k : int
    tolerance : float
        Accepted ‖AᵀAu − s²u‖ relative to s₁², and ten times that relative to s² itself: a direction that dominates does
        not loosen what is asked of the next ones. Less than rounding, 64 ε s₁ s, cannot be had. Values are good to the
        square.
    values_only : bool
        Only sums of squares are wanted: relative to s₁² will do.
    seed : int
        The starting block is random but reproducible.
    most : int
        Iterations after which ``NumericalError`` is raised.

    Returns
    -------
    values : array (k,)
    vectors : array (p, k)
        Orthonormal; beyond the rank of A they are any directions, and the values are 0.

    Notes
    -----
    AᵀA is never formed, small or large: squared, a direction 1e-6 times as long as the first would drown in the
    rounding of it. A V = W B is kept with V and W both orthonormal, and B's singular values are A's.

    References
    ----------
    Golub, Luk & Overton (1981), ACM Trans. Math. Softw. 7, 149-169 (block bidiagonalization).
    """
    n, p = shape
    rng = np.random.default_rng(seed)
    # Aᵀ of a random block lies in the row space, so the basis never outgrows the rank.
    start = transposed(rng.standard_normal((n, min(k + 8, n, p))))
    V, _ = next_block(np.empty((p, 0)), start, _rounding(start))
    W, B, fresh, noise, judged = np.empty((n, 0)), np.empty((0, 0)), V, 0.0, 0
    for _ in range(most):
        image = times(fresh)
        side = W.T @ image
        noise = max(noise, _rounding(image))
        new, _ = next_block(W, image, noise)
        B = np.block([[B, side], [np.zeros((new.shape[1], B.shape[1])), new.T @ image]])
        W = np.hstack([W, new])
        fresh, corner = next_block(V, transposed(new), noise)
        fresh = fresh[:, : min(n, p) - V.shape[1]]
        # Judged at every step while that costs less than the products, then each time B has grown by an eighth.
        if not fresh.shape[1] or 5 * len(B) ** 3 <= n * p * new.shape[1] or len(B) >= 1.125 * judged:
            judged = len(B)
            left, values, right = np.linalg.svd(B, full_matrices=False)
            # Aᵀ maps every block of W but the newest into V: what sticks out of it is left of Aᵀw − su.
            residual = values[:k] * np.linalg.norm(corner @ left[len(B) - new.shape[1] :, :k], axis=0)
            squares = values[:k] ** 2
            asked = np.full(len(squares), squares.max(initial=0.0))
            asked = tolerance * (asked if values_only else np.minimum(asked, 10 * squares))
            if not fresh.shape[1] or (len(values) >= k and np.all(residual <= np.maximum(asked, noise * values[:k]))):
                return _completed(values[:k], V @ right[:k].T, k, rng)
        V = np.hstack([V, fresh])
    raise NumericalError(
        f"the truncated SVD did not reach a residual of {tolerance:g} in {most} iterations; "
        "ask for another k, or use rows ≥ columns so that the moments route is taken."
    )


def _rounding(image: np.ndarray) -> float:
    """Return the size of the rounding errors of a product with these columns."""
    return _UNITS * EPS * float(np.linalg.norm(image, 2)) if image.size else 0.0


def _completed(
    values: np.ndarray, vectors: np.ndarray, k: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Fill up to k singular values with zeros, and directions orthogonal to the others, where the rank is below k."""
    lost = k - len(values)
    if lost:
        more, _ = next_block(vectors, rng.standard_normal((len(vectors), lost)), 0.0)
        values, vectors = np.pad(values, (0, lost)), np.hstack([vectors, more])
    return values, fix_signs(vectors)


def next_block(basis: np.ndarray, block: np.ndarray, noise: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the part of a block (p × b) that is outside an orthonormal basis (p × m), orthonormal, and its triangle R.

    Directions shorter than ``noise`` are rounding and left out: normalized, they would point anywhere, back into the
    basis too. No column left means that the basis spans an invariant subspace.

    Examples
    --------
    >>> next_block(np.eye(3)[:, :1], np.array([[5.0, 1.0], [2.0, 0.0], [0.0, 1e-18]]), 1e-15)[0].round(9).T + 0.0
    array([[0., 1., 0.]])
    """
    fresh, corner = np.linalg.qr(block - basis @ (basis.T @ block))
    if not corner.size:
        return fresh, corner
    turn, sizes, _ = np.linalg.svd(corner)
    fresh = fresh @ turn[:, sizes > noise]
    # Again, now at length 1: a short column carried rounding of the basis out of proportion to itself.
    return np.linalg.qr(fresh - basis @ (basis.T @ fresh))[0], corner
