"""The probability of superiority (and the AUC) from probability weights and clusters."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit, stdtr, stdtrit

from fairstats.errors import InputError
from fairstats.estimates import Estimate
from fairstats.inference.scores.merged_samples import Floats, merge
from fairstats.inference.scores.superiority import newcombe_auc

NAN = float("nan")
# shares sum to one only up to this
ROUNDING = 1e-12


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
        The variance is that of the linearized statistic: each observation's (weighted) placement around the
        estimate, summed within clusters. Without weights and clusters that is DeLong's. The interval is on the logit
        scale, with Student's t on (clusters - 2) degrees of freedom where there are clusters; at 0 or 1, and
        without a variance, it is Newcombe's with effective sizes.

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
    >>> found = superiority_by_design([1, 2, 4], [0, 2, 3], x_weights=[1, 2, 1], y_weights=[1, 1, 2])
    >>> round(found.estimate, 4), found.method
    (0.5, 'linearized, logit')
    """
    a, b = np.asarray(x, dtype=float).ravel(), np.asarray(y, dtype=float).ravel()
    if (x_clusters is None) != (y_clusters is None):
        raise InputError("x_clusters and y_clusters: only one was given; give both, or neither.")
    if min(a.size, b.size) == 0:
        return DesignSuperiority(NAN, NAN, NAN, NAN, NAN, NAN, "")
    v, w = _shares("x_weights", x_weights, a.size), _shares("y_weights", y_weights, b.size)
    theta, placed = influence(a, b, v, w)
    if x_clusters is None or y_clusters is None:
        variance, df = sum(_independent(part) for part in placed), float("inf")
        sizes = 1 / float(v @ v), 1 / float(w @ w)
    else:
        labels = np.unique(
            np.concatenate([np.ravel(x_clusters), np.ravel(y_clusters)]).astype(str), return_inverse=True
        )[1]
        variance, df = _clustered(np.concatenate(placed), labels)
        sizes = (float(np.unique(labels[: a.size]).size), float(np.unique(labels[a.size :]).size))
    return finished(theta, float(np.sqrt(variance)), df, sizes, conf_level)


def influence(x: Floats, y: Floats, v: Floats, w: Floats) -> tuple[float, tuple[Floats, Floats]]:
    """The probability of superiority, and what each observation adds to it (linearized), for shares v and w.

    Examples
    --------
    >>> theta, (of_x, of_y) = influence(np.array([1.0, 3.0]), np.array([2.0]), np.full(2, 0.5), np.ones(1))
    >>> theta, of_x.tolist(), of_y.tolist()
    (0.5, [-0.25, 0.25], [0.0])
    """
    blocks = merge(x, y, v, w)
    theta = float(blocks.u())
    of_x = v * (blocks.place_x()[np.searchsorted(blocks.values, x)] - theta)
    of_y = w * (blocks.place_y()[np.searchsorted(blocks.values, y)] - theta)
    return theta, (of_x, of_y)


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


def _independent(parts: Floats) -> float:
    return float(parts @ parts) * parts.size / (parts.size - 1) if parts.size > 1 else NAN


def _clustered(parts: Floats, labels: NDArray[np.intp]) -> tuple[float, float]:
    sums = np.bincount(labels, weights=parts)
    count = sums.size
    # two totals were estimated, one of each sample
    return (float(sums @ sums) * count / (count - 1), float(count - 2)) if count > 2 else (NAN, NAN)


def finished(theta: float, se: float, df: float, sizes: tuple[float, float], conf_level: float) -> DesignSuperiority:
    """Interval and test from the estimate, its error, degrees of freedom and the effective sizes of the samples."""
    if not se > 0 or min(theta, 1 - theta) < ROUNDING:
        low, high = newcombe_auc(min(max(theta, 0.0), 1.0), *sizes, conf_level)
        return DesignSuperiority(theta, se, low, high, df, NAN, "Newcombe 5, effective sizes")
    scale = theta * (1 - theta)
    reach = float(stdtrit(df, (1 + conf_level) / 2)) * se / scale
    p = 2 * float(stdtr(df, -abs(logit(theta)) * scale / se))
    method = "linearized, logit" if np.isinf(df) else "linearized by cluster, logit"
    return DesignSuperiority(
        theta, se, float(expit(logit(theta) - reach)), float(expit(logit(theta) + reach)), df, p, method
    )


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
        return replace(row, status="unestimable", reason="a group without scores")
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
