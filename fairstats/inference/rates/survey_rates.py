"""Rates under probability weights and clusters: linearized errors, effective sample size, Rao-Scott tests.

A probability weight says how many people of the population one row stands for; it carries no more information than
one row. Intervals are Wilson's with the effective sample size, the comparison of several groups is Rao and Scott's
chi-square. Exact tests and permutations have no weighted form. Frequency weights are people: use plain counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import fdtrc, stdtrit

from fairstats.estimates import NAN, Estimate
from fairstats.inference.rates.one_rate import effective_size, wilson

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class WeightedRate:
    """A weighted rate with its linearized standard error and the size of the simple sample that would have it."""

    rate: float
    std_error: float
    effective_n: float
    design_effect: float
    units: int  # people, or clusters
    total: float  # summed weights
    events: float  # summed weights of those with the property


def weighted_rate(y: ArrayLike, weights: ArrayLike, clusters: ArrayLike | None = None) -> WeightedRate:
    """Estimate a rate from probability weights, with Taylor-linearized error and effective sample size.

    Parameters
    ----------
    y : array_like, shape (n,)
        0 or 1.
    weights : array_like, shape (n,)
        Non-negative; rows of weight 0 do not count.
    clusters : array_like, shape (n,), optional
        Labels of the sampling clusters; people by default.

    Returns
    -------
    WeightedRate
        The effective size is rate (1 - rate) / variance, at most n; where the rate is 0 or 1 the variance says
        nothing, and it is Kish's size of the clusters' weights. NaN without people.

    References
    ----------
    Korn & Graubard (1998), Survey Methodology 24, 193-201; Kish (1965), Survey Sampling. R: ``survey::svymean``.

    Examples
    --------
    >>> result = weighted_rate([0, 1, 1, 0], [1, 1, 1, 1])
    >>> result.rate, round(result.std_error, 4), round(result.effective_n, 4)
    (0.5, 0.2887, 3.0)
    """
    outcome, w = np.asarray(y, dtype=float), np.asarray(weights, dtype=float)
    used = w > 0
    outcome, w = outcome[used], w[used]
    if w.size == 0:
        return WeightedRate(NAN, NAN, NAN, NAN, 0, 0.0, 0.0)
    total = float(w.sum())
    rate = float(w @ outcome) / total
    code = _codes(clusters, used)
    residuals = np.bincount(code, weights=w * (outcome - rate) / total)
    units = residuals.size
    variance = float(residuals @ residuals) * units / (units - 1) if units > 1 else NAN
    # a rate of 1 may miss 1 by rounding of the weights
    constant = outcome.min() == outcome.max()
    size = effective_size(np.bincount(code, weights=w)) if constant else rate * (1 - rate) / variance
    size = min(size, float(w.size))
    return WeightedRate(rate, float(np.sqrt(variance)), size, w.size / size, units, total, float(w @ outcome))


def _codes(clusters: ArrayLike | None, used: NDArray[np.bool_]) -> NDArray[np.intp]:
    if clusters is None:
        return np.arange(int(used.sum()))
    return np.asarray(np.unique(np.asarray(clusters)[used], return_inverse=True)[1]).ravel()


def weighted_proportion(
    y: ArrayLike,
    weights: ArrayLike,
    clusters: ArrayLike | None = None,
    *,
    metric: str = "proportion",
    attribute: str = "",
    group: str = "",
    conf_level: float = 0.95,
) -> Estimate:
    """A rate under probability weights as a tidy row, with Wilson's interval at the effective sample size.

    Parameters
    ----------
    y, weights, clusters
        As in `weighted_rate`.
    metric, attribute, group : str
        What the row is about.
    conf_level : float
        Nominal coverage. With few clusters the size is reduced further, by the square of the normal over Student's
        quantile with clusters - 1 degrees of freedom.

    Returns
    -------
    Estimate
        n and events are summed weights. ``"unestimable"`` without people, or where one cluster leaves no error.

    References
    ----------
    Korn & Graubard (1998), Survey Methodology 24; Dean & Pagano (2015), J. Surv. Stat. Methodol. 3 (Wilson).

    Examples
    --------
    >>> row = weighted_proportion([0, 1, 1, 0, 1], [2, 1, 1, 1, 3], metric="selection rate")
    >>> row.estimate, row.n, row.conf_low < 0.625 < row.conf_high
    (0.625, 8.0, True)
    """
    result = weighted_rate(y, weights, clusters)
    about: dict[str, Any] = {"metric": metric, "attribute": attribute, "group": group}
    about |= {"n": result.total, "events": result.events}
    if result.units < 2:
        reason = "one person or cluster leaves no error" if result.units else "nobody in the denominator"
        return Estimate(**about, status="unestimable", reason=reason)
    tail = (1 + conf_level) / 2
    quantiles = stdtrit(float(np.asarray(y).size), tail) / stdtrit(result.units - 1.0, tail)
    size = result.effective_n * (float(quantiles) ** 2 if clusters is not None else 1.0)
    low, high = wilson(result.rate * size, size, conf_level)
    return Estimate(
        **about,
        estimate=result.rate,
        std_error=result.std_error,
        conf_low=float(low),
        conf_high=float(high),
        conf_level=conf_level,
        method=f"Wilson score interval, effective n {size:.4g}",
    )


def rao_scott(
    y: ArrayLike, codes: ArrayLike, weights: ArrayLike, clusters: ArrayLike | None = None
) -> tuple[float, float, float, float]:
    """Test that all groups have the same rate under weights or clusters (Rao and Scott's second-order correction).

    Parameters
    ----------
    y : array_like, shape (n,)
        0 or 1.
    codes : array_like of int, shape (n,)
        Group of each person.
    weights : array_like, shape (n,)
        Probability weights; rows of weight 0 do not count.
    clusters : array_like, shape (n,), optional
        Labels of the sampling clusters.

    Returns
    -------
    statistic, df1, df2, p : float
        F statistic; NaN with fewer than two groups or clusters, or where all or none have the property.

    References
    ----------
    Rao & Scott (1984), Annals of Statistics 12, 46-60; Thomas & Rao (1987), JASA 82 (F form).
    R: ``survey::svychisq``.

    Examples
    --------
    >>> y, codes = [0, 1, 1, 0, 1, 1, 1, 0], [0, 0, 0, 0, 1, 1, 1, 1]
    >>> [round(v, 3) for v in rao_scott(y, codes, [1, 2, 1, 1, 1, 1, 3, 1])]
    [0.552, 1.0, 7.0, 0.482]
    """
    outcome, w = np.asarray(y, dtype=float), np.asarray(weights, dtype=float)
    used = w > 0
    outcome, w = outcome[used], w[used]
    group = np.asarray(np.unique(np.asarray(codes)[used], return_inverse=True)[1]).ravel()
    code = _codes(clusters, used)
    units = int(code.max()) + 1 if code.size else 0
    if units < 2 or group.max() < 1 or outcome.min() == outcome.max():
        return NAN, NAN, NAN, NAN
    share, rate = w / w.sum(), float(w @ outcome) / float(w.sum())
    member = (group[:, None] == np.arange(group.max())).astype(float)  # all groups but the last
    pi = share @ member
    influence = (member - pi) * (outcome - rate)[:, None]
    theta = share @ influence
    sums = np.zeros((units, pi.size))
    np.add.at(sums, code, share[:, None] * (influence - theta))
    observed = sums.T @ sums * units / (units - 1)
    simple = rate * (1 - rate) * (np.diag(pi) - np.outer(pi, pi)) / w.size
    effects = np.linalg.solve(simple, observed)
    trace, square = float(np.trace(effects)), float(np.trace(effects @ effects))
    statistic = float(theta @ np.linalg.solve(simple, theta)) / trace
    df1 = trace**2 / square
    df2 = df1 * (units - 1)
    return statistic, df1, df2, float(fdtrc(df1, df2, statistic))
