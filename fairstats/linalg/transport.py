"""Optimal transport of normal distributions with mean 0: maps, and barycenters in Wasserstein distance."""

from __future__ import annotations

import numpy as np

from fairstats.errors import NumericalError


def root(A: np.ndarray) -> np.ndarray:
    """Return the symmetric square root of a positive semi-definite matrix.

    Examples
    --------
    >>> root(np.diag([4.0, 9.0])).tolist()
    [[2.0, 0.0], [0.0, 3.0]]
    """
    values, V = np.linalg.eigh(A)
    return np.asarray((V * np.sqrt(np.maximum(values, 0.0))) @ V.T)


def transport(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """Return the positive definite T with TAT = B: the shortest map of N(0, A), A positive definite, to N(0, B).

    Examples
    --------
    >>> transport(np.diag([4.0, 1.0]), np.diag([9.0, 1.0])).round(12).tolist()
    [[1.5, 0.0], [0.0, 1.0]]
    """
    half = root(A)
    inverse = np.linalg.inv(half)
    T = inverse @ root(half @ B @ half) @ inverse
    return np.asarray((T + T.T) / 2)


def barycenter(K: np.ndarray, weights: np.ndarray, tolerance: float = 1e-13, most: int = 2000) -> np.ndarray:
    """Return the B with the least Σ w_g W₂²(N(0, K_g), N(0, B)), for positive definite K (G, p, p).

    B = Σ w_g (B^½ K_g B^½)^½ is found by the iteration of Álvarez-Esteban et al. (2016), from the mean of the K_g.

    Raises
    ------
    NumericalError
        It does not settle.

    Examples
    --------
    >>> float(barycenter(np.array([[[1.0]], [[9.0]]]), np.array([0.5, 0.5]))[0, 0].round(9))
    4.0
    """
    B = np.tensordot(weights, K, axes=1)
    for _ in range(most):
        half = root(B)
        inverse = np.linalg.inv(half)
        T = inverse @ sum(w * root(half @ Kg @ half) for w, Kg in zip(weights, K, strict=True)) @ inverse
        made = T @ B @ T
        made = (made + made.T) / 2
        change = float(np.linalg.norm(made - B))
        B = made
        if change <= tolerance * float(np.linalg.norm(B)):
            return np.asarray(B)
    raise NumericalError(f"the barycenter of {len(K)} covariance matrices did not settle in {most} steps.")
