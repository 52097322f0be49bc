"""Truncated SVD of a matrix known by its products: block Krylov iteration (Musco & Musco 2015), residual checked."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from fairstats.errors import NumericalError
from fairstats.linalg.eigen import EPS, fix_signs
from fairstats.linalg.lanczos import largest_pairs

Product = Callable[[np.ndarray], np.ndarray]

_UNITS = 64  # units of rounding, relative to ‖A‖, up to which a remainder is taken for none
_BLOCKS = 10  # a spectrum that has not converged after so many is flat
_APART = 1e3  # of singular values no further apart than this, squares in one matrix keep ten digits of the smaller one


def truncated_svd(
    times: Product,
    transposed: Product,
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
    Squared, a direction 1e-6 times as long as the first would drown in the rounding of it. So A V = W B is kept with V
    and W both orthonormal, and B's singular values are A's. Directions that stand out converge soon. Those of a flat
    spectrum do not: then the long ones are set aside, and the others, which are of like size, are found by a Lanczos
    iteration with restarts on AᵀA or AAᵀ, whichever is smaller (products of it, never the matrix).

    References
    ----------
    Golub, Luk & Overton (1981), ACM Trans. Math. Softw. 7, 149-169 (block bidiagonalization).
    Wu & Simon (2000), SIAM J. Matrix Anal. Appl. 22, 602-616 (thick restart).
    """
    n, p = shape
    rng = np.random.default_rng(seed)
    # Aᵀ of a random block lies in the row space, so the basis never outgrows the rank.
    start = transposed(rng.standard_normal((n, min(k + 8, n, p))))
    V, _ = next_block(np.empty((p, 0)), start, _rounding(start))
    W, B, fresh, noise, judged = np.empty((n, 0)), np.empty((0, 0)), V, 0.0, 0
    for blocks in range(1, most + 1):
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
            asked = np.maximum(asked, noise * values[:k])
            if not fresh.shape[1] or (len(values) >= k and np.all(residual <= asked)):
                return _completed(values[:k], V @ right[:k].T, k, rng)
            if blocks >= _BLOCKS and min(n, p) > 4 * len(B):
                long = int(np.sum(values[:k] > _APART * values[k - 1]))
                if np.all(residual[:long] <= asked[:long]):
                    found = _Triplets(W @ left[:, : k + 1], values[: k + 1], V @ right[: k + 1].T)
                    return _flat_rest(times, transposed, found, long, float(asked[long:].min()))
        V = np.hstack([V, fresh])
    raise NumericalError(
        f"the truncated SVD did not reach a residual of {tolerance:g} in {most} iterations; "
        "ask for another k, or use rows ≥ columns so that the moments route is taken."
    )


class _Triplets(NamedTuple):
    """Singular triplets, one more than are wanted; the last of them not yet good to what is asked."""

    left: np.ndarray  # (n, k + 1)
    values: np.ndarray  # (k + 1,)
    right: np.ndarray  # (p, k + 1)


def _flat_rest(
    times: Product, transposed: Product, found: _Triplets, long: int, accepted: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return the k largest singular values and right singular vectors, the first ``long`` as they were found."""
    tall = len(found.left) >= len(found.right)
    near = found.right if tall else found.left
    there, back = (times, transposed) if tall else (transposed, times)
    aside = near[:, :long]

    def off(V: np.ndarray) -> np.ndarray:
        return V - aside @ (aside.T @ V)

    size, k = float(found.values[long]) ** 2, len(found.values) - 1
    pairs = largest_pairs(lambda V: off(back(there(off(V)))), near[:, long:], k - long, size, tolerance=accepted / size)
    rest = pairs.vectors if tall else transposed(pairs.vectors)
    vectors, triangle = np.linalg.qr(np.hstack([found.right[:, :long], rest]))
    values = np.linalg.norm(times(vectors), axis=0)
    order = np.argsort(-values, kind="stable")
    return values[order], fix_signs((vectors * np.sign(np.diag(triangle)))[:, order])


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
