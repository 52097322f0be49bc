"""Two groups compared within strata of a legitimate factor: common odds ratio, CMH test, homogeneity of odds ratios.

A stratum in which one group is absent, or all or none have the property, says nothing about the comparison; it adds
nothing to these statistics.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import chdtrc

from fairstats.estimates import NAN
from fairstats.inference.rates.one_rate import counts, critical

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Strata:
    """The informative 2 x 2 tables: a, b are events and non-events of the group, c, d those of the reference."""

    a: Floats
    b: Floats
    c: Floats
    d: Floats
    dropped: int

    @property
    def n(self) -> Floats:
        """People by stratum."""
        return np.asarray(self.a + self.b + self.c + self.d)


def informative(e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike) -> Strata:
    """Keep the strata in which both groups have members and some, not all, have the property.

    Parameters
    ----------
    e1, n1, e0, n0 : array_like, shape (K,)
        Events and sizes of the group and of the reference by stratum.

    Returns
    -------
    Strata

    Examples
    --------
    >>> informative([1, 0], [5, 3], [2, 0], [6, 4]).dropped
    1
    """
    e1, n1, e0, n0 = (np.atleast_1d(v) for v in counts(e1, n1, e0, n0))
    events = e1 + e0
    keep = (n1 > 0) & (n0 > 0) & (events > 0) & (events < n1 + n0)
    return Strata(e1[keep], (n1 - e1)[keep], e0[keep], (n0 - e0)[keep], int(np.sum(~keep)))


def common_odds_ratio(
    e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike, conf_level: float = 0.95
) -> tuple[float, float, float, float]:
    """Estimate the odds ratio common to the strata, group over reference (Mantel and Haenszel).

    Parameters
    ----------
    e1, n1, e0, n0 : array_like, shape (K,)
        Events and sizes of the group and of the reference by stratum.
    conf_level : float
        Nominal coverage.

    Returns
    -------
    estimate, std_error, low, high : float
        ``std_error`` is that of the log odds ratio. NaN without an informative stratum; the standard error and the
        ends are NaN where the estimate is 0 or infinite.

    References
    ----------
    Mantel & Haenszel (1959), JNCI 22; Robins, Breslow & Greenland (1986), Biometrics 42 (variance).
    R: ``mantelhaen.test``.

    Examples
    --------
    >>> import fairstats as fs
    >>> [round(v, 4) for v in fs.stats.common_odds_ratio([30, 12], [50, 40], [20, 10], [50, 50])]
    [2.0156, 0.3142, 1.0887, 3.7316]
    """
    t = informative(e1, n1, e0, n0)
    r, s = t.a * t.d / t.n, t.b * t.c / t.n
    top, bottom = float(r.sum()), float(s.sum())
    if top == 0 or bottom == 0:
        return (NAN if top == bottom else (np.inf if top else 0.0)), NAN, NAN, NAN
    p, q = (t.a + t.d) / t.n, (t.b + t.c) / t.n
    variance = (
        np.sum(p * r) / (2 * top**2) + np.sum(p * s + q * r) / (2 * top * bottom) + np.sum(q * s) / (2 * bottom**2)
    )
    log, se = np.log(top / bottom), float(np.sqrt(variance))
    half = float(critical(conf_level)) * se
    return top / bottom, se, float(np.exp(log - half)), float(np.exp(log + half))


def cmh_test(
    e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike, *, correct: bool = True
) -> tuple[float, float]:
    """Test that group and event are independent within every stratum (Cochran, Mantel and Haenszel).

    Parameters
    ----------
    e1, n1, e0, n0 : array_like, shape (K,)
        Events and sizes of the group and of the reference by stratum.
    correct : bool
        Subtract 1/2 from the absolute deviation, as R does by default (nothing where it is below 1/2).

    Returns
    -------
    statistic, p : float
        Chi-square with one degree of freedom; NaN without an informative stratum.

    References
    ----------
    Cochran (1954), Biometrics 10; Mantel & Haenszel (1959), JNCI 22. R: ``mantelhaen.test``, which refuses a
    stratum of one person; here it does not count.

    Examples
    --------
    >>> import fairstats as fs
    >>> [round(v, 4) for v in fs.stats.cmh_test([30, 12], [50, 40], [20, 10], [50, 50])]
    [4.3187, 0.0377]
    """
    t = informative(e1, n1, e0, n0)
    if t.n.size == 0:
        return NAN, NAN
    group, events = t.a + t.b, t.a + t.c
    deviation = abs(float(np.sum(t.a - group * events / t.n)))
    variance = float(np.sum(group * (t.n - group) * events * (t.n - events) / (t.n**2 * (t.n - 1))))
    deviation -= 0.5 if correct and deviation >= 0.5 else 0.0
    statistic = deviation**2 / variance
    return statistic, float(chdtrc(1, statistic))


def breslow_day(
    e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike, *, tarone: bool = True
) -> tuple[float, float, float]:
    """Test that the odds ratio is the same in all strata (Breslow and Day).

    Parameters
    ----------
    e1, n1, e0, n0 : array_like, shape (K,)
        Events and sizes of the group and of the reference by stratum.
    tarone : bool
        Subtract Tarone's term: without it the statistic is not asymptotically chi-square, because the
        Mantel-Haenszel estimate is not efficient.

    Returns
    -------
    statistic, df, p : float
        NaN with fewer than two informative strata or a common odds ratio of 0 or infinity.

    References
    ----------
    Breslow & Day (1980), Statistical Methods in Cancer Research I, section 4.4; Tarone (1985), Biometrika 72.

    Examples
    --------
    >>> import fairstats as fs
    >>> [round(v, 4) for v in fs.stats.breslow_day([30, 12], [50, 40], [20, 10], [50, 50])]
    [0.1802, 1.0, 0.6712]
    """
    t = informative(e1, n1, e0, n0)
    odds = common_odds_ratio(e1, n1, e0, n0)[0]
    if t.n.size < 2 or not 0 < odds < np.inf:
        return NAN, NAN, NAN
    expected = _expected(t, odds)
    group, events = t.a + t.b, t.a + t.c
    cells = (expected, group - expected, events - expected, t.n - group - events + expected)
    variance = 1 / np.sum([1 / cell for cell in cells], axis=0)
    gap = t.a - expected
    statistic = float(np.sum(gap**2 / variance))
    # of equal strata both terms are one rounding error apart
    statistic = max(statistic - (float(gap.sum() ** 2 / variance.sum()) if tarone else 0.0), 0.0)
    df = float(t.n.size - 1)
    return statistic, df, float(chdtrc(df, statistic))


def _expected(t: Strata, odds: float) -> Floats:
    """The count of events in the group that has the common odds ratio and the margins of its stratum."""
    group, events = t.a + t.b, t.a + t.c
    # (1 - odds) x^2 + (n - group - events + odds (group + events)) x - odds group events = 0: the root inside
    linear = t.n - group - events + odds * (group + events)
    root = np.sqrt(linear**2 + 4 * (1 - odds) * odds * group * events)
    return np.asarray(2 * odds * group * events / (linear + root))
