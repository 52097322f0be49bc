"""The exact unconditional test that two rates are equal: nothing is conditioned on, as in an audit nothing is fixed."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr

from fairstats.inference.rates.least_favorable import (
    GAMMA,
    NEGLIGIBLE,
    Score,
    clopper_pearson_set,
    reach,
    region,
    supremum,
)
from fairstats.inference.rates.one_rate import counts
from fairstats.inference.rates.score_statistics import standardized
from fairstats.inference.rates.two_rate_tests import fisher_exact, z_test

Floats = NDArray[np.float64]
# below this Fisher's p-value stands for itself: an unconditional one could not fall under GAMMA
FISHER_BELOW = 1e-5
# the smallest expected count from which the normal approximation stands for the exact test
EXACT_BELOW = 2000.0


def _pooled(n1: int, n0: int) -> Score:
    """The pooled z statistic of group 1 minus group 0 as a function of the counts."""

    def score(x: Floats, y: Floats) -> Floats:
        pooled = (x + y) / (n1 + n0)
        variance = pooled * (1 - pooled) * (1 / n1 + 1 / n0)
        gap = x / n1 - y / n0
        return np.where(variance > 0, gap / np.sqrt(np.where(variance > 0, variance, 1.0)), 0.0)

    return score


@lru_cache(maxsize=4096)
def _equal_rates(e1: int, n1: int, e0: int, n0: int) -> float:
    """Two-sided exact unconditional p of p1 = p0, n1 <= n0 (Agresti and Min's region: large |z|)."""
    fisher = float(fisher_exact(e1, n1, e0, n0))
    if fisher < FISHER_BELOW:
        return fisher
    score = _pooled(n1, n0)
    observed = abs(float(score(np.array(float(e1)), np.array(float(e0)))))
    if observed == 0:
        return 1.0
    low, high = clopper_pearson_set(e1 + e0, n1 + n0, GAMMA)
    tables = region(score, lambda x, y: -score(x, y), observed, n1, n0, *reach(n1, low, high))
    top = supremum(lambda p: tables.probability(p, p), low, high, n1 + n0)
    return min(1.0, top + GAMMA + FISHER_BELOW + 4 * NEGLIGIBLE)


def _one(e1: float, n1: float, e0: float, n0: float) -> float:
    table = np.array([e1, n1, e0, n0])
    if not np.all(np.isfinite(table)) or np.any(table != np.round(table)) or n1 <= 0 or n0 <= 0:
        return float("nan")
    if smallest_expected(e1, n1, e0, n0) >= EXACT_BELOW:
        return float(z_test(e1, n1, e0, n0)[1])
    a, b = ((int(e1), int(n1)), (int(e0), int(n0))) if n1 <= n0 else ((int(e0), int(n0)), (int(e1), int(n1)))
    # everything is symmetric in events and non-events: the cache is used twice as well
    if a[0] + b[0] > (a[1] + b[1]) / 2:
        a, b = (a[1] - a[0], a[1]), (b[1] - b[0], b[1])
    return _equal_rates(*a, *b)


def decisive_test(e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike) -> Floats:
    """The p-value of p1 = p0 that verdicts are read from: the larger of the exact one and that of the interval.

    Parameters
    ----------
    e1, n1, e0, n0 : array_like
        Events and sizes of the two groups (broadcast).

    Returns
    -------
    float or ndarray
        The larger of `unconditional_test` and the p-value at which Miettinen and Nurminen's interval touches 0, so that
        a difference is shown only where the interval says so too.

    References
    ----------
    Agresti & Min (2001), Biometrics 57, 963-971; Miettinen & Nurminen (1985), Statistics in Medicine 4, 213-226.

    Examples
    --------
    >>> round(float(decisive_test(7, 12, 1, 12)), 4)
    0.011
    """
    return np.asarray(np.fmax(unconditional_test(e1, n1, e0, n0), score_p(e1, n1, e0, n0)))[()]


def score_p(e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike) -> Floats:
    """The p-value at which Miettinen and Nurminen's interval touches 0: the pooled z-test with N/(N - 1).

    Examples
    --------
    >>> round(float(score_p(7, 12, 1, 12)), 4)
    0.011
    """
    e1, n1, e0, n0 = counts(e1, n1, e0, n0)
    with np.errstate(divide="ignore", invalid="ignore"):
        pooled, size = (e1 + e0) / (n1 + n0), n1 + n0
        variance = pooled * (1 - pooled) * (1 / n1 + 1 / n0) * size / (size - 1)
        z = standardized(e1 / n1 - e0 / n0, variance)
    return np.asarray(2 * ndtr(-np.abs(z)))[()]


def smallest_expected(e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike) -> Floats:
    """The smallest of the four expected counts of a table under equal rates.

    Parameters
    ----------
    e1, n1, e0, n0 : array_like
        Events and sizes of the two groups (broadcast).

    Returns
    -------
    float or ndarray

    Examples
    --------
    >>> float(smallest_expected(1, 10, 5, 20))
    2.0
    """
    e1, n1, e0, n0 = counts(e1, n1, e0, n0)
    with np.errstate(divide="ignore", invalid="ignore"):
        pooled = (e1 + e0) / (n1 + n0)
        return np.asarray(np.minimum(n1, n0) * np.minimum(pooled, 1 - pooled))[()]


def unconditional_test(e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike) -> Floats:
    """Test p1 = p0 exactly without conditioning, two-sided: the largest chance of a |z| as large as observed.

    Its size never exceeds the level, whatever the rate and the sizes; it is more powerful than Fisher's test, whose
    size is far below the level in small tables. It is the test behind the verdict "disparity shown".

    Parameters
    ----------
    e1, n1, e0, n0 : array_like
        Events and sizes of the two groups (whole counts, broadcast).

    Returns
    -------
    float or ndarray
        p-value; NaN where a group is empty or a count is not whole (weighted data have no exact test).

    Notes
    -----
    The statistic is the pooled z. The unknown common rate is looked for in its Clopper-Pearson set of level
    1 - 1e-5, and 1e-5 is added (Berger & Boos), which takes nothing from validity and keeps rates that the data
    exclude from spoiling the power. Where Fisher's p-value is below 1e-5 it is reported itself, and another 1e-5
    is added elsewhere, so that the p-value is valid at every level. Where every expected count is at least
    `EXACT_BELOW` (2000) the z-test stands instead.

    Largest size at 5 % over rates .005 to .995, enumerated:

    ============  =====  ========  ==================  ======  =============
    n1, n0          z    Newcombe  Newcombe and mid-p  Fisher  unconditional
    ============  =====  ========  ==================  ======  =============
    8, 8           7.7      7.7           2.1           2.1         2.8
    8, 200         7.0      7.0           5.1           2.7         4.8
    8, 3000       12.2     12.2           6.8           3.7         4.9
    12, 2000      11.1     11.1           5.6           3.9         5.0
    20, 20         5.3      5.3           3.9           2.5         4.9
    30, 30         5.4      5.2           3.5           2.7         4.7
    200, 200       5.1      5.1           4.6           4.0         4.9
    ============  =====  ========  ==================  ======  =============

    Beyond `EXACT_BELOW` the z-test has at most 5.04 %.

    References
    ----------
    Barnard (1947), Biometrika 34; Berger & Boos (1994), JASA 89, 1012-1016; Chan & Zhang (1999), Biometrics 55,
    1202-1209; Agresti & Min (2001), Biometrics 57, 963-971; Fagerland, Lydersen & Laake (2015), SMMR 24, 224-254.
    R: ``exact2x2::uncondExact2x2``; scipy: ``barnard_exact`` (the same region, without Berger and Boos).

    Examples
    --------
    >>> import fairstats as fs
    >>> round(float(fs.stats.unconditional_test(7, 12, 1, 12)), 4)
    0.0103
    >>> round(float(fs.stats.unconditional_test(1, 12, 20, 2000)), 3)  # z = 2.5, its p is 0.013
    0.08
    """
    arrays = counts(e1, n1, e0, n0)
    p = [_one(*(float(v) for v in row)) for row in zip(*(a.ravel() for a in arrays), strict=True)]
    return np.array(p).reshape(arrays[0].shape)[()]
