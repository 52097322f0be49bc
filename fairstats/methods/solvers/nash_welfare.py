"""Maximize the product of the groups' kept variations (Nash welfare): cutting planes, then rank reduction."""

from __future__ import annotations

import numpy as np

from fairstats.errors import NumericalError
from fairstats.linalg.subspace import leading_pairs
from fairstats.methods.solvers.minimax_rank import extreme
from fairstats.methods.solvers.minimax_solvers import Minimax, dual

BARRIERS = 10.0 ** -np.arange(1, 15)


def nash(S: np.ndarray, k: int, tolerance: float = 1e-9, most: int = 500) -> Minimax:
    """Find P, 0 ⪯ P ⪯ I, tr P ≤ k, of the largest Π_g tr(S_g P).

    The logarithm of the product is concave, and Σ log x_g = min over y > 0 of Σ (x_g y_g − 1 − log y_g): y bounds what
    any P reaches by −Σ log y_g, where y is scaled so that the k largest eigenvalues of Σ y_g S_g sum to G. A model made
    of the subspaces met so far gives the next y. At the optimum x the same P makes the least of tr(S_g P)/x_g as large
    as can be, so that the minimax solver finds it, for two groups as a subspace.

    Parameters
    ----------
    S : array (G, p, p)
        Second moments, none of them 0.
    k : int
    tolerance : float
        Accepted difference of Σ log tr(S_g P) from its bound, a group.

    Returns
    -------
    Minimax
        ``dual``: 1/tr(S_g P), scaled to sum to 1; ``bound``: Σ log tr(S_g P) is at most that for every P.

    Raises
    ------
    NumericalError
        The bound is not met in ``most`` steps.

    References
    ----------
    Tantipongpipat, Samadi, Singh, Morgenstern & Vempala (2019), "Multi-criteria dimensionality reduction with
    applications to fairness", NeurIPS, sections 1 and 2.

    Examples
    --------
    >>> found = nash(np.stack([np.diag([4.0, 1.0]), np.diag([1.0, 4.0])]), 1)
    >>> round(float(np.exp(found.bound)), 6)  # the direction between the axes keeps 2.5 of each
    6.25
    """
    G = len(S)
    units = np.trace(S, axis1=1, axis2=2)
    S = S / units[:, None, None]  # the product's maximum does not depend on the groups' units
    cuts: list[np.ndarray] = []
    spaces: list[np.ndarray] = []
    for y in (*(np.eye(G) + 1e-3), np.ones(G)):
        _cut(S, y, k, cuts, spaces)
    for _ in range(most):
        y, mixture = _model(np.array(cuts))
        value = _cut(S, y, k, cuts, spaces)
        if np.log(value) <= tolerance:
            break
    else:
        raise NumericalError(f"the Nash welfare did not meet its bound in {most} steps (it is {np.log(value):g} off).")
    x = value / (G * y)  # what every group is kept at the optimum, by the bound
    even = S / x[:, None, None]
    if G == 2:
        found = dual(even, np.ones(2), k)
        V, lam = found.vectors, found.fractions
    else:
        used = np.flatnonzero(mixture > 1e-12)
        stacked = np.hstack([spaces[i] * np.sqrt(mixture[i]) for i in used])
        V, s, _ = np.linalg.svd(stacked, full_matrices=False)
        V, lam = extreme(even, np.ones(G), k, V, s**2, np.full(G, 1 / G), 0.0)
    weights = 1 / (x * units)
    return Minimax(V, lam, weights / weights.sum(), float(np.log(x * units).sum()), len(cuts))


def _cut(S: np.ndarray, y: np.ndarray, k: int, cuts: list[np.ndarray], spaces: list[np.ndarray]) -> float:
    """Add the best subspace of Σ y_g S_g with what it keeps of each group; return the sum of the k largest values."""
    values, U = leading_pairs(np.tensordot(y, S, axes=1), k)
    cuts.append(np.array([np.sum(U * (Sg @ U)) for Sg in S]))
    spaces.append(U)
    return float(values.sum())


def _model(C: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """y (G,) of the largest Σ log y_g with Cy ≤ 1 (m × G), and the mixture (m,) of cuts that proves it.

    Newton's method along a logarithmic barrier of weight τ → 0. At its optima 1/y_g = Σ_i μ_i C_ig with
    μ_i = τ/(1 − C_i y): the mixture μ/Σμ keeps 1/(G y_g) of each group.
    """
    y = np.full(C.shape[1], 0.5 / C.sum(axis=1).max())
    for tau in BARRIERS:
        for _ in range(50):
            slack = 1 - C @ y
            gradient = -1 / y + tau * (C.T @ (1 / slack))
            hessian = np.diag(y**-2.0) + tau * (C / slack[:, None] ** 2).T @ C
            step = -np.linalg.solve(hessian, gradient)
            size = float(np.sqrt(max(-gradient @ step, 0.0) / tau))  # the objective over τ is self-concordant
            limit = min(_room(y, step), _room(slack, -(C @ step)))
            y = y + step * min(1.0 if size < 0.25 else 1 / (1 + size), 0.99 * limit)
            if size < 1e-7:
                break
    mixture = tau / (1 - C @ y)
    return y, mixture / mixture.sum()


def _room(values: np.ndarray, step: np.ndarray) -> float:
    down = step < 0
    return float((values[down] / -step[down]).min(initial=np.inf))
