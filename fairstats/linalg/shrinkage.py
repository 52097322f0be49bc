"""A covariance matrix drawn toward a multiple of the identity, where rows are few for so many features."""

from __future__ import annotations

import numpy as np


def linear_shrinkage(S: np.ndarray, n: float) -> tuple[float, float]:
    """Return α and β of the estimate αS + βI with the least expected squared error, as n and p grow alike.

    The trace of the estimate is that of S. α is kept within 0 and 1, beyond which the formula is of use no more.

    Parameters
    ----------
    S : array (p, p)
        Covariances that divide by n.
    n : float
        Rows.

    References
    ----------
    Bodnar, Gupta & Parolya (2014), "On the strong convergence of the optimal linear shrinkage estimator for large
    dimensional covariance matrix", Journal of Multivariate Analysis 132, equations 3.9 and 3.10 with Σ₀ = (tr S/p) I.

    Examples
    --------
    >>> alpha, beta = linear_shrinkage(np.diag([4.0, 2.0]), 9)
    >>> bool(abs(alpha * 3 + beta - 3) < 1e-12)
    True
    """
    p = len(S)
    trace = float(np.trace(S))
    # p‖S‖² − (tr S)²: how far S is from a multiple of the identity; 0 where it is one, and nothing is to be drawn.
    spread = p * float(np.sum(S * S)) - trace**2
    if spread <= 1e-14 * trace**2:
        return 1.0, 0.0
    alpha = min(max(1.0 - trace**2 / n * p / spread, 0.0), 1.0)
    return alpha, (1.0 - alpha) * trace / p
