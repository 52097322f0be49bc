"""The bandwidth of a Gaussian kernel: the median rule."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import pdist


def median_bandwidth(rows: np.ndarray, most: int = 5000) -> float:
    """Return σ of the kernel exp(−d²/2σ²), σ² half the median squared distance of two different rows (n × k).

    Of more than ``most`` rows every m-th is used, so that the memory stays bounded; σ is 1 where half of the rows, or
    more, are one point.

    References
    ----------
    Lee, Kim, Olfat, Hasegawa-Johnson & Yoo (2022), AAAI 36, section 5.

    Examples
    --------
    >>> median_bandwidth(np.array([[0.0], [2.0]])) ** 2
    2.0000000000000004
    """
    few = rows[:: -(-len(rows) // most)]
    return float(np.sqrt(np.median(pdist(few, "sqeuclidean")) / 2)) or 1.0
