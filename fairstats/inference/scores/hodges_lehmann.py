"""The Hodges-Lehmann shift: order statistics of all differences of two samples, without forming them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from fairstats.errors import InputError
from fairstats.inference.scores.difference_selection import merged_order_statistics
from fairstats.inference.scores.mann_whitney import EXACT_BELOW, u_distribution
from fairstats.inference.scores.merged_samples import Blocks, merge


class Shift(NamedTuple):
    """A shift with its interval."""

    estimate: float
    low: float
    high: float


def hodges_lehmann(x: ArrayLike, y: ArrayLike, conf_level: float = 0.95) -> Shift:
    """Estimate the shift of x against y: the median of all n m differences (Hodges and Lehmann), with Moses' interval.

    The interval runs between two order statistics of the differences. Below 50 and 50 observations their places
    come from the exact distribution of U, above from its normal approximation. Both take U without ties: with tied
    values the closed interval then covers at least as often as stated (Noether 1967). Where no interval can reach
    `conf_level` (3 against 3 at 0.95) its ends are infinite; R prints the range of the differences and a warning.
    R's ``wilcox.test`` equals this for small samples without ties; otherwise it searches for the shift numerically.

    Parameters
    ----------
    x, y : array_like, shape (n,) and (m,)
        The two samples; finite.
    conf_level : float
        Confidence level.

    Returns
    -------
    Shift
        ``(estimate, low, high)``, in the unit of the scores; NaN where a sample is empty.

    Raises
    ------
    InputError
        If a value is missing or infinite.

    References
    ----------
    Hodges & Lehmann (1963); Moses' interval: Hollander, Wolfe & Chicken (2014), section 4.3; Noether (1967). The
    selection: `fairstats.inference.scores.difference_selection`.

    Examples
    --------
    >>> import fairstats as fs
    >>> fs.stats.hodges_lehmann([1, 2, 3, 4, 5], [0, 0, 1, 1, 2])
    Shift(estimate=2.0, low=0.0, high=4.0)
    """
    a, b = np.asarray(x, dtype=float).ravel(), np.asarray(y, dtype=float).ravel()
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise InputError("x or y has missing or infinite values; a shift needs finite scores; drop those rows.")
    return shift_of(merge(a, b), conf_level)


def shift_of(blocks: Blocks, conf_level: float = 0.95) -> Shift:
    """The Hodges-Lehmann shift of two samples already merged.

    Parameters
    ----------
    blocks : Blocks
        The samples, unweighted, finite.
    conf_level : float
        Confidence level.

    Returns
    -------
    Shift
        NaN where a sample is empty.

    Examples
    --------
    >>> shift_of(merge([1, 2, 3, 4, 5], [0, 0, 1, 1, 2]))
    Shift(estimate=2.0, low=0.0, high=4.0)
    """
    n, m = int(blocks.n), int(blocks.m)
    if min(n, m) == 0:
        return Shift(np.nan, np.nan, np.nan)
    total = n * m
    place = _place(n, m, conf_level)
    wanted = [(total + 1) // 2, total // 2 + 1]
    if place:
        wanted += [place, total + 1 - place]
    found = merged_order_statistics(blocks, wanted)
    ends = found[2:] if place else [-np.inf, np.inf]
    # half of each, not half of the sum, which may overflow
    return Shift(float(found[0] / 2 + found[1] / 2), float(ends[0]), float(ends[1]))


def _place(n: int, m: int, conf_level: float) -> int:
    """The 1-based place of the lower end among the sorted differences; 0 where no place covers often enough."""
    alpha = (1 - conf_level) / 2
    if max(n, m) < EXACT_BELOW:
        _, probabilities = u_distribution(np.ones(n + m), n)
        # U is 0, 1, ... here; rounding of the sum must not move a place where alpha is attained exactly
        return int(np.searchsorted(np.cumsum(probabilities), alpha * (1 - 1e-12)))
    deviation = np.sqrt(n * m / 12 * (n + m + 1))
    return max(0, int(np.floor(n * m / 2 + 0.5 + float(ndtri(alpha)) * deviation)))
