"""Intervals by inverting non-central distributions: R² of one component, and the sum over components."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import optimize, special

from fairstats.inference.representations.quadratic_forms import MATCHED, STEEPEST, tail


def r2_interval(r2: float, q: int, n: int, conf_level: float = 0.95) -> tuple[float, float]:
    """Interval for the population R² (groups fixed), by inverting the non-central F.

    Parameters
    ----------
    r2 : float
        Observed, from q regressors and an intercept on n rows.

    Returns
    -------
    (low, high) : floats in [0, 1]

    Examples
    --------
    >>> low, high = r2_interval(0.1, 1, 100)
    >>> bool(0 < low < 0.1 < high < 1)
    True
    """
    rest = n - 1 - q
    if rest < 1:
        return 0.0, 1.0
    if r2 >= 1:
        return 1.0, 1.0
    F = (r2 / q) / ((1 - r2) / rest)
    alpha = 1 - conf_level
    ends = []
    for target in (1 - alpha / 2, alpha / 2):
        ends.append(
            _solve(
                lambda nc, t=target: special.ncfdtr(q, rest, nc, F) - t if nc > 0 else special.fdtr(q, rest, F) - t,
                n * r2 / (1 - r2) + 10.0,
            )
        )
    return ends[0] / (ends[0] + n), ends[1] / (ends[1] + n)


def total_interval(
    energy: np.ndarray, share: np.ndarray, n: int, q: int, conf_level: float
) -> tuple[float, float, str]:
    """Interval for ‖P_Z E(A)‖², the part of the components' squares that the groups explain in the population.

    Inverts Σ λ_j χ²_q(δ_j), λ_j = d_j²(1 − R_j²)/(n − 1 − q), along the observed proportions of the δ_j.

    Parameters
    ----------
    energy, share : array (k,)
        d_j² and R_j².
    n, q : int
        Rows, and columns of Z.

    Returns
    -------
    (low, high, method) : floats ≥ 0, str
        How the tails were computed: the less accurate way if any of them needed it.
    """
    rest = n - 1 - q
    if rest < 1:
        return 0.0, float(energy.sum()), STEEPEST
    lam = energy * (1 - share) / rest
    observed = float(energy @ share)
    if not (lam > 0).any():
        return observed, observed, STEEPEST
    # Noncentralities are unbiased guesses floored at 0, so that pure noise has no preferred direction of its own.
    shape = np.maximum(rest * share / np.maximum(1 - share, 1e-300) - q, 0.0)
    shape = shape if shape.any() else np.ones_like(shape)
    alpha = 1 - conf_level
    unit = float(lam @ shape)
    start = max(observed / unit, 1.0) if unit > 0 else 1.0
    used = set()

    def above(c: float) -> float:
        found = tail(observed, lam, q, c * shape)
        used.add(found.method)
        return found.value

    low = _solve(lambda c: alpha / 2 - above(c), start)
    high = _solve(lambda c: 1 - alpha / 2 - above(c), start)
    return low * unit, high * unit, MATCHED if MATCHED in used else STEEPEST


def _solve(excess: Any, start: float) -> float:
    """Root of a decreasing function on [0, ∞), 0 where it is already negative at 0."""
    if excess(0.0) <= 0:
        return 0.0
    high = start
    while excess(high) > 0:
        high *= 2
    return float(optimize.brentq(excess, 0.0, high, xtol=1e-10 * high, rtol=1e-10))
