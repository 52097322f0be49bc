"""Between two subspaces: the shortest rotation, and the point on it where a function is zero."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import optimize


def geodesic(A: np.ndarray, B: np.ndarray) -> Callable[[float], np.ndarray]:
    """Return the path t ↦ Y(t) (p × k, orthonormal) of shortest rotation from span A (t = 0) to span B (t = 1).

    Parameters
    ----------
    A, B : arrays (p, k), orthonormal columns

    References
    ----------
    Edelman, Arias & Smith (1998), SIAM J. Matrix Anal. Appl. 20, section 2.5.

    Examples
    --------
    >>> np.abs(geodesic(np.eye(3)[:, :1], np.eye(3)[:, 2:])(0.5).ravel()).round(6).tolist()
    [0.707107, 0.0, 0.707107]
    """
    left, cosines, right = np.linalg.svd(A.T @ B)
    start, end = A @ left, B @ right.T
    normal = end - start * cosines
    # Where a direction is shared its normal is rounding, and so is the angle: it stays where it is.
    length = np.linalg.norm(normal, axis=0)
    moving = length > 1e-12
    normal = np.where(moving, normal / np.where(moving, length, 1.0), 0.0)
    angles = np.where(moving, np.arctan2(length, cosines), 0.0)

    def at(t: float) -> np.ndarray:
        point = start * np.cos(t * angles) + normal * np.sin(t * angles)
        return np.linalg.qr(point)[0]

    return at


def balance(A: np.ndarray, B: np.ndarray, excess: Callable[[np.ndarray], float]) -> np.ndarray:
    """Return the subspace between A and B where ``excess``, which has different signs at A and B, is zero.

    Two eigenspaces of one matrix with a (nearly) tied eigenvalue are joined by a path of equally good subspaces, so
    a side condition that jumps between them can still be met exactly.
    """
    path = geodesic(A, B)
    at_start, at_end = excess(path(0.0)), excess(path(1.0))
    if at_start == 0 or at_end == 0 or (at_start > 0) == (at_end > 0):
        return path(0.0) if abs(at_start) <= abs(at_end) else path(1.0)
    return path(float(optimize.brentq(lambda t: excess(path(t)), 0.0, 1.0, xtol=1e-16, rtol=8.9e-16)))
