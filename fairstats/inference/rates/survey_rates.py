"""Rates under probability weights and clusters: linearized errors, effective sample size, Rao-Scott tests.

A probability weight says how many people of the population one row stands for; it carries no more information than
one row. Intervals are Wilson's with the effective sample size and Student's t, the comparison of several groups is Rao
and Scott's chi-square. Exact tests and permutations have no weighted form. Frequency weights are people: use plain
counts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import fdtrc

from fairstats.estimates import NAN
from fairstats.inference.rates.design_rates import (
    DesignRates,
)
from fairstats.inference.rates.design_sums import rates_of_clusters, rates_of_weighted

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
    df: float = NAN  # degrees of freedom of the error


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
        The standard error is R's. The effective size is rate (1 - rate) / variance, at most Kish's size of the
        weights, with a variance that is not too small when one cluster is large (CR2); where the rate is 0 or 1 the
        variance says nothing, and it is Kish's size of the clusters' weights. The degrees of freedom are Kish's size
        less one, of clusters Satterthwaite's. NaN without people.

    References
    ----------
    Korn & Graubard (1998), Survey Methodology 24, 193-201; Kish (1965), Survey Sampling; Bell & McCaffrey (2002),
    Survey Methodology 28, 169-181. R: ``survey::svymean``.

    Examples
    --------
    >>> import fairstats as fs
    >>> result = fs.stats.weighted_rate([0, 1, 1, 0], [1, 1, 1, 1])
    >>> result.rate, round(result.std_error, 4), round(result.effective_n, 4)
    (0.5, 0.2887, 3.0)
    """
    outcome, w = np.asarray(y, dtype=float), np.asarray(weights, dtype=float)
    used = w > 0
    outcome, w = outcome[used], w[used]
    if w.size == 0:
        return WeightedRate(NAN, NAN, NAN, NAN, 0, 0.0, 0.0)
    design, units = _design(outcome, w, None if clusters is None else _codes(clusters, used))
    size = float(design.size[0])
    return WeightedRate(
        float(design.rate[0]),
        float(design.std_error[0]),
        size,
        w.size / size if size > 0 else NAN,
        units,
        float(w.sum()),
        float(w @ outcome),
        design.df(0) if units > 1 else NAN,
    )


def _design(outcome: Floats, w: Floats, code: NDArray[np.intp] | None) -> tuple[DesignRates, int]:
    """The rate of one group of people, and how many units it has."""
    squares = w * w
    if code is None:
        events, n, e2, n2, people = np.array([[w @ outcome], [w.sum()], [squares @ outcome], [squares.sum()], [w.size]])
        return rates_of_weighted(events, n, e2, n2, people, w.size), w.size
    e, d = (np.bincount(code, weights=v).astype(float)[:, None] for v in (w * outcome, w))
    return rates_of_clusters(e, d, np.array([squares.sum()]), len(d)), len(d)


def _codes(clusters: ArrayLike | None, used: NDArray[np.bool_]) -> NDArray[np.intp]:
    if clusters is None:
        return np.arange(int(used.sum()))
    return np.asarray(np.unique(np.asarray(clusters)[used], return_inverse=True)[1]).ravel()


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
    >>> import fairstats as fs
    >>> y, codes = [0, 1, 1, 0, 1, 1, 1, 0], [0, 0, 0, 0, 1, 1, 1, 1]
    >>> [round(v, 3) for v in fs.stats.rao_scott(y, codes, [1, 2, 1, 1, 1, 1, 3, 1])]
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
