"""The one maximum of a logistic likelihood: Newton's method with steps that never overshoot."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

Floats = NDArray[np.float64]


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

    Parameters
    ----------
    X : array (n, k)
        The columns as they are: an intercept is one of them. Newton's equations have the square of their condition
        number, so standardize or orthogonalize columns of very different size first.
    y : array (n,)
        0 or 1.
    weights, offset : arrays (n,), optional
    ridge : array (k,), optional
        Penalties of the squared coefficients.
    tolerance : float
        The last step is at most this, relative to 1 + |β_j|. Steps shrink quadratically, so what is left is rounding
        or the square of this.
    most_steps : int
    longest_step : float
        Bound on the change of any η_i in a step. A long one may land where every fitted probability is 0 or 1 and the
        information vanishes.

    Returns
    -------
    Maximum

    References
    ----------
    Albert & Anderson (1984), On the existence of maximum likelihood estimates in logistic regression models,
    Biometrika 71.

    Examples
    --------
    >>> X = np.column_stack([np.ones(8), [0, 0, 0, 0, 1, 1, 1, 1]])
    >>> maximize(X, [0, 1, 0, 0, 1, 1, 0, 1]).coefficients.round(4).tolist()
    [-1.0986, 2.1972]
    >>> maximize(X, [0, 0, 0, 0, 1, 1, 1, 1]).settled
    False
    """
    outcome = np.asarray(y, dtype=float)
    w = np.ones(len(outcome)) if weights is None else weights
    penalty = np.zeros(X.shape[1]) if ridge is None else ridge
    base = np.zeros(len(outcome)) if offset is None else offset

    def loss(b: Floats) -> float:
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
        beta, value = beta + size * step, trial
        if np.max(np.abs(step) / (1 + np.abs(beta))) < tolerance:
            return Maximum(beta, _information(X, w, expit(X @ beta + base), penalty), True)
    return Maximum(beta, _information(X, w, expit(X @ beta + base), penalty), False)


def _information(X: Floats, w: Floats, fitted: Floats, penalty: Floats) -> Floats:
    return (X.T * (w * fitted * (1 - fitted))) @ X + np.diag(penalty)
