"""Linear equations with a positive semi-definite matrix known by its products: conjugate gradients."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fairstats.errors import NumericalError


def solved(times: Callable[[np.ndarray], np.ndarray], B: np.ndarray, tolerance: float, most: int = 3000) -> np.ndarray:
    """Return the solution Y of least length of A Y = B, for B (p × q) within the column space of A.

    Parameters
    ----------
    times : callable
        ``times(V) = A V`` for V (p × b), A symmetric positive semi-definite.
    B : array (p, q)
    tolerance : float
        Accepted ‖AY − B‖ of a column, relative to that of B.
    most : int
        Steps after which ``NumericalError`` is raised.

    Returns
    -------
    array (p, q)

    References
    ----------
    Hestenes & Stiefel (1952), J. Res. Natl. Bur. Stand. 49, 409-436.

    Examples
    --------
    >>> solved(lambda V: np.diag([2.0, 4.0, 0.0]) @ V, np.array([[2.0], [2.0], [0.0]]), 1e-12).ravel().tolist()
    [1.0, 0.5, 0.0]
    """
    Y, rest, step = np.zeros_like(B), B.copy(), B.copy()
    square = np.sum(rest**2, axis=0)
    asked = tolerance**2 * square
    for _ in range(most):
        if np.all(square <= asked):
            return Y
        image = times(step)
        curve = np.sum(step * image, axis=0)
        length = np.where(curve > 0, square / np.where(curve > 0, curve, 1.0), 0.0)
        length = np.where(square > asked, length, 0.0)  # a column that is done stays as it is
        Y += length * step
        rest = rest - length * image
        new = np.sum(rest**2, axis=0)
        step = rest + np.where(square > 0, new / np.where(square > 0, square, 1.0), 0.0) * step
        square = new
    raise NumericalError(
        f"X has columns that are nearly combinations of others: linear equations with its correlations left residuals "
        f"of {np.sqrt((square / np.maximum(asked, 1e-300)).max()) * tolerance:.0e} after {most} steps, {tolerance:.0e} "
        "needed; leave out such columns, or pass fairstats.moments(X, groups), which takes 8 bytes for each pair of "
        "columns."
    )
