"""The power of the test of two rates, and the smallest difference that it would detect.

Computed from group sizes and the reference rate alone, never from the observed difference ("observed power" is the
p-value in another scale).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr

from fairstats.estimates import Estimate, Estimates
from fairstats.inference.rates.one_rate import counts, critical

Floats = NDArray[np.float64]
BISECTIONS = 60


def power(p1: ArrayLike, n1: ArrayLike, p0: ArrayLike, n0: ArrayLike, conf_level: ArrayLike = 0.95) -> Floats:
    """Return the power of the two-sided pooled z-test of p1 = p0 (normal approximation).

    Parameters
    ----------
    p1, n1, p0, n0 : array_like
        True rates and sizes of the group and of the reference (broadcast).
    conf_level : array_like
        1 - alpha, after any adjustment.

    Returns
    -------
    float or ndarray

    References
    ----------
    Fleiss, Levin & Paik (2003), Statistical Methods for Rates and Proportions, chapter 4 (no correction).

    Examples
    --------
    >>> import fairstats as fs
    >>> round(float(fs.stats.power(0.6, 100, 0.4, 100)), 3)
    0.812
    """
    p1, n1, p0, n0, level = counts(p1, n1, p0, n0, conf_level)
    pooled = (n1 * p1 + n0 * p0) / (n1 + n0)
    with np.errstate(divide="ignore", invalid="ignore"):
        null = np.sqrt(pooled * (1 - pooled) * (1 / n1 + 1 / n0))
        true = np.sqrt(p1 * (1 - p1) / n1 + p0 * (1 - p0) / n0)
        upper, lower = (p1 - p0 - critical(level) * null) / true, (p0 - p1 - critical(level) * null) / true
    return np.asarray(ndtr(upper) + ndtr(lower))[()]


def detectable(
    n1: ArrayLike, p0: ArrayLike, n0: ArrayLike, conf_level: ArrayLike = 0.95, target: float = 0.8
) -> tuple[Floats, Floats]:
    """The smallest rates below and above the reference rate that the test would detect with the target power.

    Parameters
    ----------
    n1 : array_like
        Size of the group.
    p0, n0 : array_like
        Rate and size of the reference (broadcast).
    conf_level : array_like
        1 - alpha, after any adjustment.
    target : float
        Wanted power.

    Returns
    -------
    below, above : float or ndarray
        The differences p1 - p0 (negative, positive); NaN where even a rate of 0 (of 1) would not be detected.

    References
    ----------
    Fleiss, Levin & Paik (2003), Statistical Methods for Rates and Proportions, chapter 4.

    Examples
    --------
    >>> [round(float(v), 3) for v in detectable(100, 0.4, 100)]
    [-0.182, 0.197]
    """
    n1, p0, n0, level = counts(n1, p0, n0, conf_level)
    return _search(n1, p0, n0, level, target, np.zeros_like(p0)), _search(n1, p0, n0, level, target, np.ones_like(p0))


def _search(n1: Floats, p0: Floats, n0: Floats, level: Floats, target: float, end: Floats) -> Floats:
    near, far = p0, end
    # at the very end the true variance of that group is 0; a step inside keeps the power defined
    inside = end + (p0 - end) * 1e-9
    reached = power(inside, n1, p0, n0, level) >= target
    for _ in range(BISECTIONS):
        middle = (near + far) / 2
        enough = power(middle, n1, p0, n0, level) >= target
        near, far = np.where(enough, near, middle), np.where(enough, middle, far)
    return np.where(reached & (n1 > 0) & (n0 > 0), far - p0, np.nan)[()]


def minimal_detectable_difference(
    n1: float,
    p0: float,
    n0: float,
    *,
    metric: str = "proportion",
    attribute: str = "",
    group: str = "",
    reference: str = "",
    conf_level: float = 0.95,
    target: float = 0.8,
) -> Estimates:
    """Return the smallest differences below and above the reference that the comparison would detect, as tidy rows.

    Parameters
    ----------
    n1, n0 : float
        Sizes of the group and of the reference.
    p0 : float
        Rate of the reference.
    metric, attribute, group, reference : str
        What the rows are about.
    conf_level : float
        1 - alpha, after any adjustment.
    target : float
        Wanted power.

    Returns
    -------
    Estimates
        Two rows, told apart by ``term``; ``"unestimable"`` where even a rate of 0 (of 1) would not be detected.

    Examples
    --------
    >>> import fairstats as fs
    >>> rows = fs.stats.minimal_detectable_difference(100, 0.4, 100)
    >>> rows.column("term"), [round(v, 3) for v in rows.column("estimate")]
    (['below', 'above'], [-0.182, 0.197])
    """
    about = Estimate(metric, attribute, group, "difference", reference, n=float(n1))
    return detectable_rows(about, detectable(n1, p0, n0, conf_level, target), conf_level, target)


def detectable_rows(
    about: Estimate, found: tuple[ArrayLike, ArrayLike], conf_level: float, target: float = 0.8
) -> Estimates:
    """The two rows of `minimal_detectable_difference`, filled with differences that were solved before.

    Parameters
    ----------
    about : Estimate
        What the rows say they are about.
    found : (float, float)
        What `detectable` returns.
    conf_level, target : float
        For which it was solved.

    Returns
    -------
    Estimates

    Examples
    --------
    >>> detectable_rows(Estimate("TPR"), detectable(100, 0.4, 100), 0.95).column("term")
    ['below', 'above']
    """
    rows = []
    for side, end, value in zip(("below", "above"), (0, 1), found, strict=True):
        row = replace(about, role="power", term=side, method=f"pooled z-test at {conf_level:g}, power {target:g}")
        if np.isnan(value):
            reason = f"even a true rate of {end} would be told from the reference with a probability below {target:g}"
            rows.append(replace(row, status="unestimable", reason=reason))
        else:
            rows.append(replace(row, estimate=float(np.asarray(value))))
    return Estimates(rows)
