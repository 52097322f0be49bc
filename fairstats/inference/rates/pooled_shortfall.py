"""The pooled shortfall of a group: how many people fewer had the property than equal rates within strata would give."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from fairstats.inference.rates.one_rate import counts


@dataclass(frozen=True)
class PooledShortfall:
    """How many people of the group fewer had the property than equal rates within strata would give, and its error."""

    people: float
    std_error: float
    observed: float
    expected: float

    @property
    def deviations(self) -> float:
        """The shortfall in standard deviations (under equal rates): the "number of standard deviations" of a court."""
        return self.people / self.std_error if self.std_error > 0 else (0.0 if self.people == 0 else np.inf)


def pooled_shortfall(e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike) -> PooledShortfall:
    """Return the pooled shortfall of a group in people: expected minus observed events, summed over strata.

    Parameters
    ----------
    e1, n1, e0, n0 : array_like, shape (K,)
        Events and sizes of the group and of the reference by stratum.

    Returns
    -------
    PooledShortfall
        Its standard deviation is that of equal rates within every stratum (hypergeometric), so the squared number of
        standard deviations is the Cochran-Mantel-Haenszel statistic without correction. The shortfall is the
        Mantel-Haenszel risk difference times minus the sum of n1 n0 / (n1 + n0): its confidence limits are the
        difference's, multiplied.

    References
    ----------
    Mantel & Haenszel (1959), JNCI 22, 719-748; Gastwirth & Greenhouse (1995), Statistics in Medicine 14, 1641-1653;
    Hazelwood School District v. United States, 433 U.S. 299 (1977), n. 14.

    Examples
    --------
    >>> import fairstats as fs
    >>> s = fs.stats.pooled_shortfall([3, 10], [20, 40], [30, 20], [80, 50])
    >>> round(s.people, 2), round(s.std_error, 2), round(s.deviations, 2)
    (6.93, 2.93, 2.37)
    """
    e1, n1, e0, n0 = (np.atleast_1d(v) for v in counts(e1, n1, e0, n0))
    n = n1 + n0
    safe = np.where(n > 0, n, 1.0)
    expected = float(np.sum(n1 * (e1 + e0) / safe))
    spread = n1 * n0 * (e1 + e0) * (n - e1 - e0) / (safe**2 * np.maximum(n - 1, 1))
    observed = float(e1.sum())
    return PooledShortfall(expected - observed, float(np.sqrt(spread.sum())), observed, expected)
