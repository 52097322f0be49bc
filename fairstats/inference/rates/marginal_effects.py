"""Groups compared with covariates held fixed: logistic regression, adjusted odds ratios, average marginal effects.

An adjusted difference answers another question than the rate itself. A covariate that is itself a result of unequal
treatment takes away part of what is looked for; which ones are legitimate is argued, not computed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, ndtr, stdtr, stdtrit

from fairstats.estimates import Estimate, Estimates
from fairstats.inference.rates.design_rates import FEW_CLUSTERS, FEWEST_CLUSTERS
from fairstats.inference.rates.logistic import NAMES, Covariance, LogisticFit, logistic
from fairstats.inference.rates.one_rate import critical

Floats = NDArray[np.float64]


def adjusted_rows(
    y: ArrayLike,
    codes: ArrayLike,
    labels: Sequence[str],
    covariates: ArrayLike,
    *,
    reference: str,
    attribute: str = "",
    weights: ArrayLike | None = None,
    covariance: Covariance = "model",
    clusters: ArrayLike | None = None,
    conf_level: float = 0.95,
) -> Estimates:
    """Every group against the reference with covariates held fixed: adjusted odds ratio and average marginal effect.

    Parameters
    ----------
    y : array_like, shape (n,)
        0 or 1.
    codes : array_like of int, shape (n,)
        Group of each person.
    labels : sequence of str
        Names of the groups, by code.
    covariates : array_like, shape (n, q)
        Numeric columns without intercept.
    reference : str
        The group to compare with; one of `labels`.
    attribute : str
        Name of the group variable.
    weights, covariance, clusters
        As in `logistic`.
    conf_level : float
        Nominal coverage.

    Returns
    -------
    Estimates
        Two rows a group. The marginal effect is the mean over the people of the change in their fitted probability
        if they belonged to the group instead of the reference, covariates as they are; delta-method error. A group
        in which all or none have the property has no finite odds ratio: its rows are ``"unestimable"``, and its
        people are left out of the fit, which is the limit of the likelihood.

    References
    ----------
    Agresti (2013), Categorical Data Analysis, chapter 5; Lane & Nelder (1982), Biometrics 38 (marginal prediction).

    Examples
    --------
    >>> y, codes = [0, 1, 0, 0, 1, 1, 0, 1], [0, 0, 0, 0, 1, 1, 1, 1]
    >>> rows = adjusted_rows(y, codes, ["a", "b"], np.zeros((8, 0)), reference="a")
    >>> rows.column("metric"), [round(v, 3) for v in rows.column("estimate")]
    (['adjusted odds ratio', 'average marginal effect'], [9.0, 0.5])
    """
    outcome, code = np.asarray(y, dtype=float), np.asarray(codes)
    base, size = list(labels).index(reference), len(labels)
    n = np.bincount(code, minlength=size).astype(float)
    events = np.bincount(code, weights=outcome, minlength=size)
    usable = [g for g in range(size) if 0 < events[g] < n[g]]
    others = [g for g in usable if g != base]
    keep = np.isin(code, usable)
    dummies = (code[keep, None] == np.array(others)).astype(float)
    z = np.asarray(covariates, dtype=float).reshape(outcome.size, -1)[keep]
    x = np.column_stack([np.ones(dummies.shape[0]), dummies, z])
    w = (np.ones(outcome.size) if weights is None else np.asarray(weights, dtype=float))[keep]
    within = None if clusters is None else np.asarray(clusters)[keep]
    fit = None
    if base in usable and others:
        fit = logistic(x, outcome[keep], weights=w, covariance=covariance, clusters=within)
    rows: list[Estimate] = []
    for g in (g for g in range(size) if g != base):
        about = Estimate("", attribute, str(labels[g]), reference=reference, n=float(n[g]), events=float(events[g]))
        about = replace(about, method=f"logistic regression, {NAMES[covariance]}")
        reason = _reason(fit, g in usable) or _few(clusters, code, (g, base), covariance)
        if fit is None or reason:
            rows += _unestimable(about, reason)
        else:
            rows += _two_rows(fit, x, w, 1 + others.index(g), slice(1, 1 + len(others)), about, conf_level)
    return Estimates(rows)


def _few(clusters: ArrayLike | None, code: NDArray[np.int64], groups: tuple[int, int], covariance: str) -> str:
    """Why a group within few clusters has no error, or ""."""
    if covariance != "cluster" or clusters is None:
        return ""
    labels = np.asarray(clusters)
    return FEW_CLUSTERS if min(np.unique(labels[code == g]).size for g in groups) < FEWEST_CLUSTERS else ""


def _reason(fit: LogisticFit | None, usable: bool) -> str:
    if not usable:
        return "all or none of the group have the property: the odds ratio is 0 or infinite"
    return "all or none of the reference have the property" if fit is None else fit.reason


def _unestimable(about: Estimate, reason: str) -> list[Estimate]:
    row = replace(about, status="unestimable", reason=reason)
    return [
        replace(row, metric="adjusted odds ratio", contrast="ratio"),
        replace(row, metric="average marginal effect", contrast="difference"),
    ]


def _two_rows(
    fit: LogisticFit, x: Floats, w: Floats, column: int, dummies: slice, about: Estimate, conf_level: float
) -> list[Estimate]:
    log_odds = fit.coefficients
    log, se = float(log_odds[column]), float(np.sqrt(fit.covariance[column, column]))
    effect, gradient = _effect(fit, x, w, column, dummies)
    effect_se = float(np.sqrt(gradient @ fit.covariance @ gradient))
    unit = np.eye(log_odds.size)[column]
    dfs = fit.df(unit), fit.df(gradient)
    half = np.array([_quantile(df, conf_level) * v for df, v in zip(dfs, (se, effect_se), strict=True)])
    return [
        about.with_interval(
            float(np.exp(log)),
            float(np.exp(log - half[0])),
            float(np.exp(log + half[0])),
            conf_level,
            metric="adjusted odds ratio",
            contrast="ratio",
            std_error=float(np.exp(log)) * se,
        ).with_test(log / se, _p(log / se, dfs[0]), _shown(dfs[0])),
        about.with_interval(
            effect,
            effect - float(half[1]),
            effect + float(half[1]),
            conf_level,
            metric="average marginal effect",
            contrast="difference",
            std_error=effect_se,
        ).with_test(effect / effect_se, _p(effect / effect_se, dfs[1]), _shown(dfs[1])),
    ]


def average_marginal_effect(
    fit: LogisticFit, x: Floats, weights: Floats, column: int, dummies: slice
) -> tuple[float, float]:
    """Return the mean change of the fitted probability from the reference to one group, and its delta-method error.

    Parameters
    ----------
    fit : LogisticFit
        The fit.
    x : ndarray, shape (n, k)
        Its design.
    weights : ndarray, shape (n,)
        Weights of the mean.
    column : int
        Column of the group.
    dummies : slice
        Columns of all groups; statsmodels moves one of them alone, so a person of a third group would be in two.

    Returns
    -------
    effect, std_error : float

    References
    ----------
    Lane & Nelder (1982), Biometrics 38, 613-621.

    Examples
    --------
    >>> import numpy as np
    >>> import fairstats as fs
    >>> x = np.column_stack([np.ones(8), [0, 0, 0, 0, 1, 1, 1, 1]])
    >>> fit = fs.stats.logistic(x, [0, 1, 0, 0, 1, 1, 0, 1])
    >>> [round(v, 4) for v in fs.stats.average_marginal_effect(fit, x, np.ones(8), 1, slice(1, 2))]
    [0.5, 0.3062]
    """
    effect, gradient = _effect(fit, x, weights, column, dummies)
    return effect, float(np.sqrt(gradient @ fit.covariance @ gradient))


def _effect(fit: LogisticFit, x: Floats, weights: Floats, column: int, dummies: slice) -> tuple[float, Floats]:
    """The effect and its derivatives by the coefficients."""
    without = x.copy()
    without[:, dummies] = 0.0
    with_group = without.copy()
    with_group[:, column] = 1.0
    p1, p0 = expit(with_group @ fit.coefficients), expit(without @ fit.coefficients)
    share = weights / weights.sum()
    gradient = (share * p1 * (1 - p1)) @ with_group - (share * p0 * (1 - p0)) @ without
    return float(share @ (p1 - p0)), gradient


def _quantile(df: float, conf_level: float) -> float:
    return float(critical(conf_level)) if math.isinf(df) else float(stdtrit(df, (1 + conf_level) / 2))


def _p(statistic: float, df: float) -> float:
    return 2 * float(ndtr(-abs(statistic)) if math.isinf(df) else stdtr(df, -abs(statistic)))


def _shown(df: float) -> float | None:
    return None if math.isinf(df) else df
