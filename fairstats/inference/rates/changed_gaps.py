"""By how much the difference of two rates changed between two sets of people."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq
from scipy.stats import t

from fairstats.inference.rates.one_rate import counts, wilson_at
from fairstats.language import stored

METHOD = stored("MOVER of Wilson limits, Student's t")
SIGNS = np.array([[-1.0, 1.0], [1.0, -1.0]])  # before and after; the group and the reference
NEAREST, FARTHEST = 1e-9, 1e6  # quantiles; beyond the last one Wilson's limits are 0 and 1 to five digits and more
Floats = NDArray[np.float64]


def changed_gap(events: ArrayLike, n: ArrayLike, conf_level: float = 0.95) -> tuple[float, float, float, float, float]:
    """Estimate by how much the difference of two rates changed, of independent people.

    Parameters
    ----------
    events, n : array_like, shape (2, 2)
        Numerators and denominators: a row for before and one for after, a column for the group and one for the group
        that it is compared with.
    conf_level : float

    Returns
    -------
    estimate, low, high, p, df : float
        The later difference less the earlier one, its interval, the two-sided p-value of no change, which is below
        1 - conf_level exactly where the interval leaves 0 out, and the degrees of freedom; NaN where nobody is in a
        denominator.

    Notes
    -----
    The limits are those of a linear function of four rates, from Wilson's limits of each (Zou, Huang & Zhang 2009),
    with a quantile of Student's t in place of the normal one. Its degrees of freedom are those of Satterthwaite for the
    sum of the four variances p(1 - p)/n, of p = (x + 2)/(n + 4), each with n - 2. So a test of no change at 5 % errs in
    at most 6 % in every one of 10 designs of groups of 8 to 30 people and some 200 sets of rates, by enumeration (with
    the normal quantile: 6.6 %); ``benchmarks/coverage/changed_gaps.py`` has more.

    References
    ----------
    Zou, Huang & Zhang (2009), Computational Statistics & Data Analysis 53, 1080-1085.

    Examples
    --------
    >>> estimate, low, high, p, df = changed_gap([[30, 60], [50, 60]], [[100, 120], [100, 120]])
    >>> round(estimate, 3), round(low, 3), round(high, 3), round(p, 4), round(df, 1)
    (0.2, 0.015, 0.377, 0.0337, 421.4)
    """
    e, m = counts(events, n)
    if (m <= 0).any():
        return (np.nan,) * 5
    change = float((SIGNS * e / m).sum())
    low, high = change_limits(e, m, conf_level)
    side = 0 if change > 0 else 1

    def nearer(quantile: float) -> float:
        return abs(change) - abs(change - _limits(e, m, quantile)[side])

    if nearer(NEAREST) <= 0:
        reached = 0.0
    else:
        reached = FARTHEST if nearer(FARTHEST) > 0 else float(brentq(nearer, NEAREST, FARTHEST, xtol=1e-12))
    df = _freedom(e, m)
    return change, low, high, float(2 * t.sf(reached, df)), df


def change_limits(events: Floats, n: Floats, conf_level: float = 0.95) -> tuple[float, float]:
    """The interval of `changed_gap`, of denominators that somebody is in.

    Examples
    --------
    >>> low, high = change_limits(np.array([[30, 60], [50, 60]]), np.array([[100, 120], [100, 120]]))
    >>> round(low, 3), round(high, 3)
    (0.015, 0.377)
    """
    return _limits(events, n, float(t.isf((1 - conf_level) / 2, _freedom(events, n))))


def _freedom(events: Floats, n: Floats) -> float:
    rates = (events + 2) / (n + 4)
    variances = rates * (1 - rates) / n
    return float(variances.sum() ** 2 / (variances**2 / np.maximum(n - 2, 1)).sum())


def _limits(events: Floats, n: Floats, quantile: float) -> tuple[float, float]:
    rates = events / n
    low, high = wilson_at(events, n, quantile)
    change = float((SIGNS * rates).sum())
    down = np.where(SIGNS > 0, rates - low, high - rates)
    up = np.where(SIGNS > 0, high - rates, rates - low)
    return max(change - float(np.sqrt((down**2).sum())), -2.0), min(change + float(np.sqrt((up**2).sum())), 2.0)
