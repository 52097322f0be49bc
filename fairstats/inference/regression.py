"""Covariance of regression coefficients when people of one cluster are dependent and clusters are few (CR2)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from fairstats.inference.validation import Column, Columns, Matrix, Outcomes, RowLabels, Weights, regression
from fairstats.language import message
from fairstats.validation import choose

Floats = NDArray[np.float64]


# a direction that one cluster alone determines has no error left to be raised
DETERMINED = 1e-10


@dataclass(frozen=True, eq=False)
class ClusterRobust:
    """Bell and McCaffrey's covariance of least squares, with the degrees of freedom of any contrast.

    covariance: of the coefficients, shape (k, k).
    root: R of the design's QR decomposition, shape (k, k).
    leverage, raised: of each cluster Q'Q, and the inverse root of I - Q'Q, shape (K, k, k).
    """

    covariance: Floats
    root: Floats
    leverage: Floats
    raised: Floats

    def df(self, contrast: ArrayLike) -> float:
        """Satterthwaite's degrees of freedom of the variance of a contrast of the coefficients.

        contrast: its weights, shape (k,).
        Returns: (tr A)²/tr A² for the covariance A of the clusters' parts, were people independent with the variance
            that the regression assumes. K - 1 for a mean of K equal clusters.
        Source: Pustejovsky & Tipton (2018), Journal of Business & Economic Statistics 36, 672-683, equation (11).
        """
        direction = np.linalg.solve(self.root.T, np.asarray(contrast, dtype=float))
        current = self.raised @ direction  # (K, k)
        parts = np.einsum("ki,kij->kj", current, self.leverage)
        alone = np.sum(parts * current, axis=1)
        lengths = np.sum(parts**2, axis=1)
        trace = float(np.sum(alone - lengths))
        square = float(np.sum(alone**2) - 2 * np.sum(alone * lengths) + np.sum((parts.T @ parts) ** 2))
        return trace**2 / square if square > 0 else float("nan")


def cluster_robust(x: ArrayLike, residuals: ArrayLike, clusters: ArrayLike | None = None) -> ClusterRobust:
    """Estimate the covariance of least-squares coefficients with errors that are dependent within clusters (CR2).

    x: design of full rank; of weighted least squares, and of a generalized linear model at its maximum, with each row
        times the root of its (working) weight, shape (n, k).
    residuals: times the same roots; of a generalized linear model these are Pearson's residuals, shape (n,).
    clusters: labels; every row for itself by default, which is HC2, shape (n,).

    With few clusters the usual sandwich is too small, and its normal quantiles too short: 8 clusters reject 9 to 13%
    of true hypotheses at 5%. Here each cluster's residuals are divided by the root of I - H, the part of their
    variance that the fit left; that needs k × k matrices only, whatever the size of a cluster.

    Source: Bell & McCaffrey (2002), Survey Methodology 28, 169-181; Pustejovsky & Tipton (2018), Journal of Business &
    Economic Statistics 36, 672-683. R: ``clubSandwich::vcovCR``; of ``lm`` also ``sandwich::vcovCL(type = "HC2")``.

    >>> result = cluster_robust(np.ones((8, 1)), [1, 1, -1, -1, 1, -1, 1, -1], [0, 0, 1, 1, 2, 2, 3, 3])
    >>> round(float(result.covariance[0, 0]), 4), round(result.df([1]), 4)
    (0.1667, 3.0)
    """
    design, r = np.asarray(x, dtype=float), np.asarray(residuals, dtype=float)
    q, root = np.linalg.qr(design)
    labels = np.arange(r.size) if clusters is None else np.asarray(clusters)
    code = np.unique(labels, return_inverse=True)[1].ravel()
    order = np.argsort(code, kind="stable")
    starts = np.flatnonzero(np.diff(code[order], prepend=-1))
    rows = q[order]
    leverage = np.array([part.T @ part for part in np.split(rows, starts[1:])])
    sums = np.add.reduceat(rows * r[order][:, None], starts, axis=0)
    values, vectors = np.linalg.eigh(leverage)
    left = 1 - values
    scale = np.where(left > DETERMINED, 1 / np.sqrt(np.where(left > DETERMINED, left, 1.0)), 0.0)
    raised = np.einsum("kij,kj,klj->kil", vectors, scale, vectors)
    scores = np.linalg.solve(root, np.einsum("kij,kj->ki", raised, sums).T)
    return ClusterRobust(scores @ scores.T, root, leverage, raised)


# The one maximum of a logistic likelihood: Newton's method with steps that never overshoot.


# linear predictors beyond this are fitted probabilities of 0 or 1 in double precision: the maximum is at infinity
SEPARATED = 30.0


@dataclass(frozen=True)
class Maximum:
    """Coefficients (k,), the information there (k, k), and whether they settled.

    They do not where the columns separate the outcomes: the likelihood then grows without end.
    """

    coefficients: Floats
    information: Floats
    settled: bool


def maximize(
    X: Floats,
    y: ArrayLike,
    *,
    weights: Floats | None = None,
    offset: Floats | None = None,
    ridge: Floats | None = None,
    tolerance: float = 1e-8,
    most_steps: int = 100,
    longest_step: float = float("inf"),
) -> Maximum:
    """Maximize Σ w_i (y_i η_i − log(1 + e^η_i)) − Σ ridge_j β_j²/2 over β, with η = Xβ + offset.

    X (n, k): the columns as they are: an intercept is one of them. Newton's equations have the square of their
        condition number, so standardize or orthogonalize columns of very different size first.
    y: 0 or 1, shape (n,).
    weights, offset: shape (n,).
    ridge: Penalties of the squared coefficients, shape (k,).
    tolerance: the last step is at most this, relative to 1 + |β_j|. Steps shrink quadratically, so what is left is
        rounding or the square of this.
    longest_step: bound on the change of any η_i in a step. A long one may land where every fitted probability is 0 or 1
        and the information vanishes.
    Source: Albert & Anderson (1984), On the existence of maximum likelihood estimates in logistic regression models,
    Biometrika 71.
    """
    outcome = np.asarray(y, dtype=float)
    w = np.ones(len(outcome)) if weights is None else weights
    penalty = np.zeros(X.shape[1]) if ridge is None else ridge
    base = np.zeros(len(outcome)) if offset is None else offset

    def loss(b: Floats) -> float:
        with np.errstate(over="ignore", invalid="ignore"):  # of a step without end, which is then halved
            eta = X @ b + base
            return float(w @ (np.logaddexp(0.0, eta) - outcome * eta) + penalty @ (b * b) / 2)

    beta = np.zeros(X.shape[1])
    value = loss(beta)
    for _ in range(most_steps):
        fitted = expit(X @ beta + base)
        try:
            step = np.linalg.solve(_information(X, w, fitted, penalty), X.T @ (w * (outcome - fitted)) - penalty * beta)
        except np.linalg.LinAlgError:  # every fitted probability is 0 or 1
            break
        reach = float(np.max(np.abs(X @ step)))
        size = min(1.0, longest_step / reach) if reach > 0 else 1.0
        trial = loss(beta + size * step)
        while not trial <= value * (1 + 1e-12) and size > 1e-10:
            size /= 2
            trial = loss(beta + size * step)
        if not trial <= value * (1 + 1e-12):  # the information is singular up to rounding, and its steps are noise
            break
        beta, value = beta + size * step, trial
        if np.max(np.abs(step) / (1 + np.abs(beta))) < tolerance:
            # far out along a separation steps are small beside the coefficients, too
            settled = ridge is not None or offset is not None or not _is_separated(X[w > 0], beta)
            return Maximum(beta, _information(X, w, expit(X @ beta + base), penalty), settled)
    return Maximum(beta, _information(X, w, expit(X @ beta + base), penalty), False)


def _is_separated(X: Floats, beta: Floats) -> bool:
    """Whether the rows whose fitted probability is neither 0 nor 1 leave some coefficients open, which all rows fix."""
    inside = np.abs(X @ beta) < SEPARATED
    if inside.all():
        return False
    scaled = X / np.maximum(np.linalg.norm(X, axis=0), np.finfo(float).tiny)
    return not inside.any() or bool(np.linalg.matrix_rank(scaled[inside]) < np.linalg.matrix_rank(scaled))


def _information(X: Floats, w: Floats, fitted: Floats, penalty: Floats) -> Floats:
    return (X.T * (w * fitted * (1 - fitted))) @ X + np.diag(penalty)


# Logistic regression with model-based, robust or cluster-robust errors, and a plain word when there is no maximum.


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
    "model": message("model-based errors"),
    "robust": message("robust errors (HC2), t"),
    "cluster": message("cluster-robust errors (CR2), t"),
}


def logistic(
    x: Matrix,
    y: Outcomes,
    *,
    weights: Weights | None = None,
    covariance: Covariance = "model",
    clusters: RowLabels | None = None,
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


# Groups compared with covariates held fixed: average marginal effects of a logistic regression.


def average_marginal_effect(
    fit: Annotated[LogisticFit, regression], x: Matrix, weights: Weights, column: Column, dummies: Columns
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
    rows, people = np.asarray(x, dtype=float), np.asarray(weights, dtype=float)
    effect, gradient = _effect(fit, rows, people, column, dummies)
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
