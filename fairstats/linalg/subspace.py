"""Leading eigenvectors within the complement of a given subspace, which is never formed."""

from __future__ import annotations

import numpy as np

from fairstats.linalg.eigen import top_eigen


def top_outside(C: np.ndarray, k: int, Q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The k leading eigenpairs of (I − QQᵀ)C(I − QQᵀ) among vectors orthogonal to Q.

    Parameters
    ----------
    C : array (p, p), positive semi-definite
    k : int
        At most p − r.
    Q : array (p, r), orthonormal columns

    Returns
    -------
    values : array (k,)
        Largest first, not below 0.
    vectors : array (p, k), orthonormal columns, QᵀU = 0

    Examples
    --------
    >>> top_outside(np.diag([3.0, 2.0, 1.0]), 1, np.eye(3)[:, :1])[0].tolist()
    [2.0]
    """
    if not Q.shape[1]:
        values, U = top_eigen(C, k)
        return np.maximum(values, 0.0), U
    CQ = C @ Q
    # −τQQᵀ sends Q to the end of the spectrum; plain (I − QQᵀ)C(I − QQᵀ) gives it the value 0, where a rank-deficient
    # C would let it back in. The four terms are one product of two p × 2r matrices.
    tau = float(np.trace(C))
    half = CQ - 0.5 * (Q @ (Q.T @ CQ)) + 0.5 * tau * Q
    outer = half @ Q.T
    values, U = top_eigen(C - outer - outer.T, k)
    return np.maximum(values, 0.0), U - Q @ (Q.T @ U)
