"""The probability of superiority (and the AUC) from probability weights and clusters."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from fairstats.errors import InputError
from fairstats.estimates import Estimate
from fairstats.inference.scores.design_effects import ROUNDING, DesignEffect, design_effect
from fairstats.inference.scores.design_samples import Scored
from fairstats.inference.scores.merged_samples import Floats

NAN = float("nan")


@dataclass(frozen=True)
class DesignSuperiority:
    """P(X>Y) + P(X=Y)/2 in the population: estimate, linearized error, interval, test against 1/2."""

    estimate: float
    std_error: float
    low: float
    high: float
    df: float
    p_value: float
    method: str


def superiority_by_design(
    x: ArrayLike,
    y: ArrayLike,
    *,
    x_weights: ArrayLike | None = None,
    y_weights: ArrayLike | None = None,
    x_clusters: ArrayLike | None = None,
    y_clusters: ArrayLike | None = None,
    conf_level: float = 0.95,
) -> DesignSuperiority:
    """Estimate the probability of superiority, P(X>Y) + P(X=Y)/2, from a weighted or clustered sample.

    With the positives' scores as x and the negatives' as y it is the AUC.

    Parameters
    ----------
    x, y : array_like, shape (n,) and (m,)
        The two samples.
    x_weights, y_weights : array_like, optional
        Probability weights, not negative; equal by default.
    x_clusters, y_clusters : array_like, optional
        Labels of the primary sampling units, both or neither; a label in both samples is one unit.
    conf_level : float
        Confidence level.

    Returns
    -------
    DesignSuperiority
        The standard error is that of the linearized statistic: each observation's (weighted) placement around the
        estimate, summed within clusters. Without weights and clusters that is DeLong's. Interval and test are on the
        logit scale, with Student's t; their variance is CR2 by cluster, that of uneven weights at least Kish's. At 0 or
        1, and without a variance, they are Newcombe's with effective sizes. NaN with fewer than four clusters in a
        sample, as there is no error then.

    Raises
    ------
    InputError
        If a score is missing, a weight is negative or missing, or only one sample has clusters.

    References
    ----------
    Obuchowski (1997), Nonparametric analysis of clustered ROC curve data; Binder (1983) for linearization; Kish (1965)
    for effective sizes.

    Examples
    --------
    >>> import fairstats as fs
    >>> found = fs.stats.superiority_by_design([1, 2, 4], [0, 2, 3], x_weights=[1, 2, 1], y_weights=[1, 1, 2])
    >>> round(found.estimate, 4), found.method
    (0.5, 'linearized, logit, t')
    """
    a, b = np.asarray(x, dtype=float).ravel(), np.asarray(y, dtype=float).ravel()
    if (x_clusters is None) != (y_clusters is None):
        raise InputError("x_clusters and y_clusters: only one was given; give both, or neither.")
    if min(a.size, b.size) == 0:
        return DesignSuperiority(NAN, NAN, NAN, NAN, NAN, NAN, "")
    v, w = _shares("x_weights", x_weights, a.size), _shares("y_weights", y_weights, b.size)
    codes = None
    if x_clusters is not None and y_clusters is not None:
        labels = np.concatenate([np.ravel(x_clusters), np.ravel(y_clusters)]).astype(str)
        codes = np.unique(labels, return_inverse=True)[1].ravel()
    of_x = Scored(a, v, v * v, np.ones(a.size), None if codes is None else codes[: a.size])
    of_y = Scored(b, w, w * w, np.ones(b.size), None if codes is None else codes[a.size :])
    return superiority_of_effect(design_effect(of_x.take(v > 0), of_y.take(w > 0)), conf_level)


def superiority_of_effect(found: DesignEffect, conf_level: float) -> DesignSuperiority:
    """An effect with its limits at one level.

    Examples
    --------
    >>> superiority_of_effect(DesignEffect(float("nan")), 0.95).method
    ''
    """
    if np.isnan(found.estimate):
        return DesignSuperiority(NAN, NAN, NAN, NAN, NAN, NAN, "")
    low, high = found.limits(conf_level)
    return DesignSuperiority(found.estimate, found.std_error, low, high, found.df, found.p_value, found.method)


def weighted_median(values: ArrayLike, weights: ArrayLike) -> float:
    """The value with half of the weight on either side; between two values their mean.

    Parameters
    ----------
    values, weights : array_like, shape (n,)
        Numbers, and their weights, not negative.

    Returns
    -------
    float
        NaN without weight. With equal weights the median.

    Examples
    --------
    >>> weighted_median([3, 1, 2], [1, 1, 5]), weighted_median([1, 2], [1, 1])
    (2.0, 1.5)
    """
    v, w = np.asarray(values, dtype=float), np.asarray(weights, dtype=float)
    v, w = v[w > 0], w[w > 0]
    if not v.size:
        return NAN
    order = np.argsort(v)
    below = np.cumsum(w[order])
    half = below[-1] / 2
    low = int(np.searchsorted(below, half * (1 - ROUNDING)))
    high = int(np.searchsorted(below, half * (1 + ROUNDING), side="right"))
    return float(v[order[low]] + v[order[high]]) / 2


def _shares(name: str, weights: ArrayLike | None, size: int) -> Floats:
    if weights is None:
        return np.full(size, 1 / size)
    w = np.asarray(weights, dtype=float).ravel()
    if w.size != size or not (np.all(w >= 0) and np.isfinite(w).all() and w.sum() > 0):
        raise InputError(f"{name} has {w.size} values for {size} scores, or one negative or missing; weigh each score.")
    return w / w.sum()


def design_estimate(row: Estimate, found: DesignSuperiority, conf_level: float = 0.95) -> Estimate:
    """The row of an audit for a probability of superiority, or an AUC, from weights or clusters.

    Parameters
    ----------
    row : Estimate
        Metric, attribute, group, reference, n and events.
    found : DesignSuperiority
        What `superiority_by_design` returned.
    conf_level : float
        The level it was asked for.

    Returns
    -------
    Estimate

    Examples
    --------
    >>> found = superiority_by_design([1, 2, 4], [0, 2, 3], x_weights=[1, 2, 1])
    >>> design_estimate(Estimate("AUC", "race", "b", n=6.0), found).status
    'ok'
    """
    if np.isnan(found.estimate):
        return replace(row, status="unestimable", reason="a group without scores, or with fewer than four clusters")
    return row.with_interval(
        found.estimate,
        found.low,
        found.high,
        conf_level,
        std_error=found.std_error,
        df=found.df,
        p_value=found.p_value,
        method=found.method,
    )
