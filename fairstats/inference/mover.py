"""The largest difference of independent estimates whose own limits are skewed: MOVER for all pairs of groups."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def largest_difference(
    estimates: ArrayLike, limits: Callable[[float], tuple[ArrayLike, ArrayLike]], conf_level: float
) -> tuple[float, float, float]:
    """The largest of G independent estimates less the smallest, with limits from those of each.

    Parameters
    ----------
    estimates : array_like, shape (G,)
        One a group.
    limits : callable
        The lower and the upper limits of all groups at a confidence level.
    conf_level : float
        Nominal coverage.

    Returns
    -------
    estimate, low, high : float
        Each difference of two gets the limits of Zou and Donner at the level 1 - (1 - conf_level) / pairs
        (Bonferroni), so that those of all pairs hold together; the largest difference has the largest of their limits.

    References
    ----------
    Zou & Donner (2008), Statistics in Medicine 27, 1693-1702 (MOVER).

    Examples
    --------
    >>> found = largest_difference([1.0, 3.0], lambda level: ([0.0, 2.0], [2.0, 4.0]), 0.95)
    >>> [round(v, 3) for v in found]
    [2.0, 0.586, 3.414]
    """
    own = np.asarray(estimates, dtype=float)
    pairs = own.size * (own.size - 1) // 2
    low, high = (np.asarray(ends, dtype=float) for ends in limits(1 - (1 - conf_level) / pairs))
    down, up = own - low, high - own
    others = ~np.eye(own.size, dtype=bool)
    apart = own[:, None] - own
    lower = (apart - np.hypot(down[:, None], up))[others]
    upper = (apart + np.hypot(up[:, None], down))[others]
    return float(np.ptp(own)), max(0.0, float(lower.max())), float(upper.max())
