"""The bandwidth of a Gaussian kernel: the median rule."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import pdist


def median_bandwidth(rows: np.ndarray, most: int = 5000, weights: np.ndarray | None = None) -> float:
    """Return σ of the kernel exp(−d²/2σ²), σ² half the median squared distance of two different rows (n × k).

    Of more than ``most`` rows every m-th is used, so that the memory stays bounded; σ is 1 where half of the rows, or
    more, are one point. With weights (n,), a pair counts by the product of its weights.

    References
    ----------
    Lee, Kim, Olfat, Hasegawa-Johnson & Yoo (2022), AAAI 36, section 5.

    Examples
    --------
    >>> median_bandwidth(np.array([[0.0], [2.0]])) ** 2
    2.0000000000000004
    """
    few = rows[:: -(-len(rows) // most)]
    squares = pdist(few, "sqeuclidean")
    if weights is None:
        return float(np.sqrt(np.median(squares) / 2)) or 1.0
    w = weights[:: -(-len(rows) // most)]
    pairs = (w[:, None] * (w / w.max()))[np.triu_indices(len(w), 1)]
    order = np.argsort(squares)
    below = np.cumsum(pairs[order])
    # the midpoint of the two middle ones where half of the mass is reached exactly, as the plain median has it
    middle = [order[np.searchsorted(below, below[-1] / 2 * (1 + sign * 1e-12))] for sign in (-1, 1)]
    return float(np.sqrt(np.mean(squares[middle]) / 2)) or 1.0
