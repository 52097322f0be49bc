"""The Fantope: symmetric matrices with eigenvalues in [0, 1] and a given trace, the hull of projectors of that rank."""

from __future__ import annotations

import numpy as np


def onto_fantope(P: np.ndarray, k: int) -> np.ndarray:
    """Return the nearest symmetric matrix, eigenvalues in [0, 1], trace k (Vu, Cho, Lei & Rohe 2013, Lemma 4.1).

    Examples
    --------
    >>> onto_fantope(np.diag([1.5, 0.5, -0.2]), 1).round(9).diagonal().tolist()
    [1.0, 0.0, 0.0]
    """
    values, V = np.linalg.eigh(0.5 * (P + P.T))
    return (V * capped(values, k)) @ V.T


def capped(values: np.ndarray, k: float) -> np.ndarray:
    """Return the nearest vector, entries in [0, 1], sum k: min(max(v − θ, 0), 1), θ between two breakpoints.

    Examples
    --------
    >>> capped(np.array([0.9, 0.5, 0.2]), 1).round(9).tolist()
    [0.7, 0.3, 0.0]
    """
    points = np.unique(np.concatenate([values, values - 1.0]))
    sums = np.clip(values - points[:, None], 0.0, 1.0).sum(axis=1)  # falls from p to 0 along the points
    j = int(np.searchsorted(-sums, -float(k), side="right")) - 1
    j = min(j, len(points) - 2)
    slope = (sums[j] - sums[j + 1]) / (points[j + 1] - points[j])
    theta = points[j] + ((sums[j] - k) / slope if slope > 0 else 0.0)
    return np.clip(values - theta, 0.0, 1.0)
