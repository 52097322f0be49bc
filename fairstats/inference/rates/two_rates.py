"""Two rates compared: intervals of their difference and their ratio, and the rows that an audit makes of them.

Group 1 is compared with group 0, the reference: differences are p1 - p0, ratios p1 / p0. Everything broadcasts; a
denominator of 0 gives NaN. The score intervals live in `score`, the tests of equality in `exact`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairstats.arguments import choose
from fairstats.estimates import NAN, Estimate
from fairstats.inference.rates.equal_rates import TEST_NAMES, TESTS
from fairstats.inference.rates.one_rate import Interval, counts, critical, wilson
from fairstats.inference.rates.score_intervals import koopman, miettinen_nurminen

__all__ = ["DIFFERENCE_INTERVALS", "RATIO_INTERVALS", "TESTS", "difference", "koopman", "log_ratio"]
__all__ += ["miettinen_nurminen", "newcombe", "ratio"]

Floats = NDArray[np.float64]


def newcombe(
    e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike, conf_level: ArrayLike = 0.95
) -> tuple[Floats, Floats]:
    """Return Newcombe's hybrid score interval of p1 - p0 (his method 10), which combines two Wilson intervals.

    Parameters
    ----------
    e1, n1, e0, n0 : array_like
        Events and sizes of the group and of the reference (broadcast; may be fractional).
    conf_level : array_like
        Nominal coverage.

    Returns
    -------
    low, high : float or ndarray
        NaN where a size is 0.

    References
    ----------
    Newcombe (1998), Statistics in Medicine 17, 873-890, method 10 (no continuity correction).

    Examples
    --------
    >>> import fairstats as fs
    >>> [round(float(v), 4) for v in fs.stats.newcombe(56, 70, 48, 80)]
    [0.0524, 0.3339]
    """
    e1, n1, e0, n0, level = counts(e1, n1, e0, n0, conf_level)
    (low1, high1), (low0, high0) = wilson(e1, n1, level), wilson(e0, n0, level)
    with np.errstate(divide="ignore", invalid="ignore"):
        p1, p0 = e1 / n1, e0 / n0
    gap = p1 - p0
    return (gap - np.hypot(p1 - low1, high0 - p0))[()], (gap + np.hypot(high1 - p1, p0 - low0))[()]


def log_ratio(
    e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike, conf_level: ArrayLike = 0.95
) -> tuple[Floats, Floats]:
    """Return the delta-method (Katz) interval of p1 / p0, for comparison with software that prints it.

    Parameters
    ----------
    e1, n1, e0, n0 : array_like
        Events and sizes of the group and of the reference (broadcast).
    conf_level : array_like
        Nominal coverage.

    Returns
    -------
    low, high : float or ndarray
        (0, inf) where a rate is 0: the method has no information there. Of zero width where both rates are 1,
        which is why Koopman's is the default.

    References
    ----------
    Katz, Baptista, Azen & Pike (1978), Biometrics 34, 469-474, method C.

    Examples
    --------
    >>> import fairstats as fs
    >>> [round(float(v), 3) for v in fs.stats.log_ratio(36, 40, 16, 80)]
    [2.869, 7.059]
    """
    e1, n1, e0, n0, level = counts(e1, n1, e0, n0, conf_level)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        log = np.log(e1 / n1) - np.log(e0 / n0)
        half = critical(level) * np.sqrt(1 / e1 - 1 / n1 + 1 / e0 - 1 / n0)
        low, high = np.exp(log - half), np.exp(log + half)
    zero, empty = (e1 == 0) | (e0 == 0), (n1 <= 0) | (n0 <= 0)
    low, high = np.where(zero, 0.0, low), np.where(zero, np.inf, high)
    return np.where(empty, np.nan, low)[()], np.where(empty, np.nan, high)[()]


DIFFERENCE_INTERVALS: dict[str, Interval] = {"newcombe": newcombe, "miettinen-nurminen": miettinen_nurminen}
RATIO_INTERVALS: dict[str, Interval] = {"koopman": koopman, "log": log_ratio}
INTERVAL_NAMES = {
    "newcombe": "Newcombe interval",
    "miettinen-nurminen": "Miettinen-Nurminen interval",
    "koopman": "Koopman interval",
    "log": "log interval",
}


def difference(
    e1: float,
    n1: float,
    e0: float,
    n0: float,
    *,
    metric: str = "proportion",
    attribute: str = "",
    group: str = "",
    reference: str = "",
    interval: str = "newcombe",
    test: str = "unconditional",
    conf_level: float = 0.95,
) -> Estimate:
    """The difference of two rates, group minus reference, as a tidy row.

    Parameters
    ----------
    e1, n1, e0, n0 : float
        Events and sizes of the group and of the reference.
    metric, attribute, group, reference : str
        What the row is about.
    interval : {"newcombe", "miettinen-nurminen"}
        The interval.
    test : {"unconditional", "fisher", "mid-p", "z"}
        The test of equality.
    conf_level : float
        Nominal coverage.

    Returns
    -------
    Estimate
        ``n`` and ``events`` are the group's; ``std_error`` is the unpooled Wald one. Status ``"unestimable"`` where
        a group is empty.

    Raises
    ------
    InputError
        If `interval` or `test` is unknown.

    Examples
    --------
    >>> row = difference(56, 70, 48, 80, metric="selection rate", group="a", reference="b")
    >>> round(row.estimate, 3), round(row.p_value, 4), row.method
    (0.2, 0.0089, 'Newcombe interval; exact unconditional test')
    """
    limits = choose("interval", interval, DIFFERENCE_INTERVALS)
    row = _tested(e1, n1, e0, n0, test, Estimate(metric, attribute, group, "difference", reference))
    if row.status != "ok":
        return row
    p1, p0 = e1 / n1, e0 / n0
    low, high = limits(e1, n1, e0, n0, conf_level)
    return row.with_interval(
        p1 - p0,
        float(low),
        float(high),
        float(conf_level),
        std_error=float(np.sqrt(p1 * (1 - p1) / n1 + p0 * (1 - p0) / n0)),
        method=f"{INTERVAL_NAMES[interval]}; {TEST_NAMES[test]}",
    )


def ratio(
    e1: float,
    n1: float,
    e0: float,
    n0: float,
    *,
    metric: str = "proportion",
    attribute: str = "",
    group: str = "",
    reference: str = "",
    interval: str = "koopman",
    test: str = "unconditional",
    conf_level: float = 0.95,
) -> Estimate:
    """The ratio of two rates, group over reference, as a tidy row.

    Parameters
    ----------
    e1, n1, e0, n0 : float
        Events and sizes of the group and of the reference.
    metric, attribute, group, reference : str
        What the row is about.
    interval : {"koopman", "log"}
        The interval.
    test : {"unconditional", "fisher", "mid-p", "z"}
        The test of equality.
    conf_level : float
        Nominal coverage.

    Returns
    -------
    Estimate
        Infinite where only the reference has no events. Status ``"unestimable"`` where a group is empty or neither
        has events. ``std_error`` by the delta method, NaN without events on both sides.

    Raises
    ------
    InputError
        If `interval` or `test` is unknown.

    Examples
    --------
    >>> row = ratio(36, 40, 16, 80, metric="selection rate", group="a", reference="b")
    >>> row.estimate, round(row.conf_low, 3)
    (4.5, 2.94)
    """
    limits = choose("interval", interval, RATIO_INTERVALS)
    row = _tested(e1, n1, e0, n0, test, Estimate(metric, attribute, group, "ratio", reference))
    if row.status != "ok":
        return row
    if e1 == 0 and e0 == 0:
        return replace(row, p_value=NAN, statistic=NAN, status="unestimable", reason="no events in either group: 0/0")
    value = (e1 / n1) / (e0 / n0) if e0 else float("inf")
    low, high = limits(e1, n1, e0, n0, conf_level)
    return row.with_interval(
        value,
        float(low),
        float(high),
        float(conf_level),
        std_error=value * float(np.sqrt(1 / e1 - 1 / n1 + 1 / e0 - 1 / n0)) if e1 and e0 else NAN,
        method=f"{INTERVAL_NAMES[interval]}; {TEST_NAMES[test]}",
        reason="" if e0 else "the reference has no events",
    )


def _tested(e1: float, n1: float, e0: float, n0: float, test: str, about: Estimate) -> Estimate:
    outcome = choose("test", test, TESTS)
    row = replace(about, n=float(n1), events=float(e1))
    if n1 > 0 and n0 > 0:
        statistic, p = outcome(e1, n1, e0, n0)
        return replace(row, statistic=float(statistic), p_value=float(p))
    return replace(row, status="unestimable", reason=f"nobody in {'the reference' if n1 > 0 else 'the group'}")
