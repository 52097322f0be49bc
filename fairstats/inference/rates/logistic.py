"""Logistic regression with model-based, robust or cluster-robust errors, and a plain word when there is no maximum."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from fairstats.arguments import choose
from fairstats.inference.cluster_robust import ClusterRobust, cluster_robust
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
    robust: ClusterRobust | None = None  # where errors are not model-based

    def df(self, contrast: ArrayLike) -> float:
        """Degrees of freedom of a contrast of the coefficients; infinite for model-based errors."""
        return math.inf if self.robust is None else self.robust.df(contrast)


Covariance = Literal["model", "robust", "cluster"]
NAMES = {
    "model": "model-based errors",
    "robust": "robust errors (HC2), t",
    "cluster": "cluster-robust errors (CR2), t",
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
        Inverse information; Bell and McCaffrey's covariance of people (HC2); or of clusters (CR2), which few clusters
        do not make too small. The fit's ``df`` are Satterthwaite's.
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
    Bell & McCaffrey (2002), Survey Methodology 28; Pustejovsky & Tipton (2018), Journal of Business & Economic
    Statistics 36. R: ``clubSandwich::vcovCR(type = "CR2")`` of a ``glm``.

    Examples
    --------
    >>> import numpy as np
    >>> import fairstats as fs
    >>> x = np.column_stack([np.ones(8), [0, 0, 0, 0, 1, 1, 1, 1]])
    >>> fit = fs.stats.logistic(x, [0, 1, 0, 0, 1, 1, 0, 1])
    >>> fit.coefficients.round(4).tolist()
    [-1.0986, 2.1972]
    """
    choose("covariance", covariance, NAMES)
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
    if covariance == "model":
        bread = back @ np.linalg.inv(maximum.information * w.mean()) @ back.T
        return LogisticFit(beta, bread, outcome.size, "")
    fitted = expit(design @ beta)
    working = np.sqrt(w * fitted * (1 - fitted))
    residuals = np.sqrt(w) * (outcome - fitted) / np.sqrt(fitted * (1 - fitted))
    robust = cluster_robust(design * working[:, None], residuals, labels if covariance == "cluster" else None)
    return LogisticFit(beta, robust.covariance, outcome.size, "", robust)
