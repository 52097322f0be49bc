"""Logistic regression with model-based, robust or cluster-robust errors, and a plain word when there is no maximum."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from fairstats.arguments import choose
from fairstats.inference.logistic_likelihood import maximize

Floats = NDArray[np.float64]
# linear predictors beyond this are fitted probabilities of 0 or 1 in double precision: the maximum is at infinity
SEPARATED = 30.0


@dataclass(frozen=True)
class LogisticFit:
    """Coefficients, their covariance, and why there are none when the outcomes are separated."""

    coefficients: Floats
    covariance: Floats
    n: int
    reason: str


def _model(bread: Floats, scores: Floats, clusters: NDArray[Any]) -> Floats:
    return bread


def _robust(bread: Floats, scores: Floats, clusters: NDArray[Any]) -> Floats:
    n, k = scores.shape
    return bread @ (scores.T @ scores) @ bread * (n / (n - k))


def _cluster(bread: Floats, scores: Floats, clusters: NDArray[Any]) -> Floats:
    n, k = scores.shape
    _, code = np.unique(clusters, return_inverse=True)
    sums = np.zeros((code.max() + 1, k))
    np.add.at(sums, code, scores)
    correction = sums.shape[0] / (sums.shape[0] - 1) * (n - 1) / (n - k)
    return bread @ (sums.T @ sums) @ bread * correction


Covariance = Literal["model", "robust", "cluster"]
COVARIANCES: dict[str, Callable[[Floats, Floats, NDArray[Any]], Floats]] = {
    "model": _model,
    "robust": _robust,
    "cluster": _cluster,
}
NAMES = {
    "model": "model-based errors",
    "robust": "robust errors (HC1)",
    "cluster": "cluster-robust errors",
}


def logistic(
    x: ArrayLike,
    y: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    covariance: Covariance = "model",
    clusters: ArrayLike | None = None,
) -> LogisticFit:
    """Fit a logistic regression by maximum likelihood, with a choice of covariance.

    Parameters
    ----------
    x : array_like, shape (n, k)
        Design matrix with its intercept.
    y : array_like, shape (n,)
        0 or 1.
    weights : array_like, shape (n,), optional
        Probability weights go with robust or cluster-robust errors; model-based ones would take them for people.
    covariance : {"model", "robust", "cluster"}
        Inverse information, Huber-White with n/(n - k), or summed within clusters with G/(G - 1) (n - 1)/(n - k).
    clusters : array_like, shape (n,), optional
        Labels of the clusters, for ``covariance="cluster"``.

    Returns
    -------
    LogisticFit
        With a reason and NaN where the columns are collinear or separate the outcomes.

    Raises
    ------
    InputError
        If `covariance` is unknown.

    References
    ----------
    White (1980), Econometrica 48; Liang & Zeger (1986), Biometrika 73. R: ``glm(family = binomial)``.

    Examples
    --------
    >>> x = np.column_stack([np.ones(8), [0, 0, 0, 0, 1, 1, 1, 1]])
    >>> fit = logistic(x, [0, 1, 0, 0, 1, 1, 0, 1])
    >>> fit.coefficients.round(4).tolist()
    [-1.0986, 2.1972]
    """
    choice = choose("covariance", covariance, COVARIANCES)
    design, outcome = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    w = np.ones(outcome.size) if weights is None else np.asarray(weights, dtype=float)
    nothing = np.full(design.shape[1], np.nan)
    failed = LogisticFit(nothing, np.diag(nothing), outcome.size, "")
    labels = np.arange(outcome.size) if clusters is None else np.asarray(clusters)
    if np.linalg.matrix_rank(design) < design.shape[1]:
        return replace(failed, reason="the groups and covariates are collinear")
    if outcome.size <= design.shape[1] or np.unique(labels).size < 2:
        return replace(failed, reason="too few people or clusters for this many covariates")
    # Orthonormal columns: Newton's equations would square the condition number of the user's.
    Q, R = np.linalg.qr(design)
    maximum = maximize(Q, outcome, weights=w / w.mean(), tolerance=1e-10)
    if not maximum.settled or np.abs(Q @ maximum.coefficients).max() >= SEPARATED:
        return replace(failed, reason="the groups and covariates separate the outcomes: the estimate is infinite")
    back = np.linalg.inv(R)
    beta = back @ maximum.coefficients
    bread = back @ np.linalg.inv(maximum.information * w.mean()) @ back.T
    scores = design * (w * (outcome - expit(design @ beta)))[:, None]
    return LogisticFit(beta, choice(bread, scores, labels), outcome.size, "")
