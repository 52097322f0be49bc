"""The unit vectors of bounded ℓ1 norm that agree best with given ones: soft thresholds, found exactly by sorting."""

from __future__ import annotations

import numpy as np


def l1_sphere(V: np.ndarray, t: float) -> np.ndarray:
    """Find for each column v the maximizer of uᵀv over ‖u‖₂ ≤ 1, ‖u‖₁ ≤ t.

    Parameters
    ----------
    V : array (p, b)
        No column zero.
    t : float
        1 to √p.

    Returns
    -------
    array (p, b)
        Unit columns S_θ(v)/‖S_θ(v)‖, θ = 0 where ‖v‖₁/‖v‖₂ ≤ t, otherwise with ‖u‖₁ = t.

    Notes
    -----
    With the m largest entries active, ‖S_θ‖₁ = t‖S_θ‖₂ is a quadratic in θ whose smaller root is
    θ_m = (A₁ − t √((m A₂ − A₁²)/(m − t²)))/m, A₁ and A₂ the sums of those entries and of their squares; it counts when
    it lies between the m-th entry and the next. Where more than t² largest entries are tied no θ reaches ‖u‖₁ = t:
    any split among them is as good, and the lowest indices get it.

    References
    ----------
    Witten, Tibshirani & Hastie (2009), Biostatistics 10 (the problem; they search θ by bisection).

    Examples
    --------
    >>> l1_sphere(np.array([[3.0], [-4.0]]), 1.0).ravel().tolist()
    [0.0, -1.0]
    >>> u = l1_sphere(np.array([[3.0], [2.0], [1.0]]), 1.2)
    >>> round(float(np.abs(u).sum()), 12), round(float((u**2).sum()), 12)
    (1.2, 1.0)
    """
    V = V / np.abs(V).max(axis=0)  # squares of what is at most 1 neither overflow nor all vanish
    size = np.abs(V)
    out = V / np.linalg.norm(V, axis=0)
    over = np.flatnonzero(np.abs(out).sum(axis=0) > t * (1 + 1e-14))
    if not len(over):
        return out
    a = size[:, over]
    ordered = -np.sort(-a, axis=0)
    p = len(a)
    m = np.arange(1, p + 1)[:, None]
    A1, A2 = np.cumsum(ordered, axis=0), np.cumsum(ordered**2, axis=0)
    enough = m > t * t * (1 + 1e-12)
    with np.errstate(divide="ignore", invalid="ignore"):
        theta = (A1 - t * np.sqrt(np.maximum(m * A2 - A1**2, 0.0) / (m - t * t))) / m
    below = np.vstack([ordered[1:], np.zeros((1, len(over)))])
    slack = 1e-14 * ordered[0]
    fits = enough & (theta <= ordered + slack) & (theta >= below - slack)
    tied = (ordered >= ordered[0] * (1 - 1e-12)).sum(axis=0) > t * t * (1 + 1e-12)
    row = np.argmax(fits, axis=0)
    cut = np.maximum(a - theta[row, np.arange(len(over))], 0.0)
    for j, column in enumerate(over):
        if tied[j] or not fits[row[j], j] or not cut[:, j].any():
            cut[:, j] = _split(a[:, j], t)
        unit = cut[:, j] / np.linalg.norm(cut[:, j])
        out[:, column] = np.copysign(unit, V[:, column])
    return out


def _split(a: np.ndarray, t: float) -> np.ndarray:
    """‖u‖₁ = t and ‖u‖₂ = 1 on the first s = ⌈t²⌉ of the tied largest entries: s − 1 equal ones and a smaller."""
    tied = np.flatnonzero(a >= a.max() * (1 - 1e-12))
    s = int(np.ceil(t * t - 1e-12))
    u = np.zeros_like(a)
    if s <= 1:
        u[tied[0]] = 1.0
        return u
    alpha = (t * (s - 1) + np.sqrt(max((s - 1) * (s - t * t), 0.0))) / (s * (s - 1))
    u[tied[: s - 1]] = alpha
    u[tied[s - 1]] = t - (s - 1) * alpha
    return u
