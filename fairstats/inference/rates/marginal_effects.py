"""Groups compared with covariates held fixed: average marginal effects of a logistic regression.

An adjusted difference answers another question than the rate itself. A covariate that is itself a result of unequal
treatment takes away part of what is looked for; which ones are legitimate is argued, not computed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from fairstats.inference.rates.logistic import LogisticFit

Floats = NDArray[np.float64]


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
