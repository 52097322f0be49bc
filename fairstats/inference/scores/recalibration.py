"""Logistic recalibration: how a predicted probability must be bent to fit what happened."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logit

from fairstats.errors import InputError, NumericalError
from fairstats.inference.logistic_likelihood import maximize
from fairstats.inference.scores.merged_samples import Floats

NAN = float("nan")
MOST_STEPS = 200
LONGEST_STEP = 4.0  # in logits


@dataclass(frozen=True)
class Recalibration:
    """Three logistic fits of the outcome on the logit of the score; `reason` says what cannot be estimated.

    `in_the_large` is the intercept with the slope fixed at 1 (0 when the mean prediction is right); `intercept` and
    `slope` belong to the fit with both free (0 and 1 when calibrated).
    """

    in_the_large: float
    in_the_large_se: float
    intercept: float
    intercept_se: float
    slope: float
    slope_se: float
    n: int
    events: int
    reason: str = ""


def recalibration(scores: ArrayLike, y: ArrayLike) -> Recalibration:
    """Estimate calibration in the large, intercept and slope of predicted probabilities by logistic regression.

    Parameters
    ----------
    scores : array_like, shape (n,)
        Predicted probabilities in [0, 1].
    y : array_like, shape (n,)
        Outcomes 0 and 1.

    Returns
    -------
    Recalibration
        Maximum-likelihood estimates with Wald standard errors: R's ``glm(y ~ 1 + offset(qlogis(p)), binomial)`` and
        ``glm(y ~ qlogis(p), binomial)``. NaN, with a reason, where there is only one outcome, where a score is exactly
        0 or 1 (its logit is infinite), and for intercept and slope where all scores are equal or the scores separate
        the outcomes.

    Raises
    ------
    InputError
        If a score is missing or outside [0, 1].

    References
    ----------
    Cox (1958), Two further applications of a model for binary regression; Van Calster et al. (2019), Calibration: the
    Achilles heel of predictive analytics.

    Examples
    --------
    >>> import fairstats as fs
    >>> fit = fs.stats.recalibration([0.1, 0.3, 0.5, 0.7, 0.9, 0.4], [0, 0, 1, 1, 1, 1])
    >>> round(fit.in_the_large, 3)
    1.03
    """
    p, outcome = probabilities(scores, y)
    n, events = p.size, int(outcome.sum())
    reason = _whole_reason(p, n, events)
    if reason:
        return Recalibration(NAN, NAN, NAN, NAN, NAN, NAN, n, events, reason)
    z = logit(p)
    large, large_cov = _logistic(np.ones((n, 1)), outcome, z)
    in_the_large = float(large[0]), float(np.sqrt(large_cov[0, 0]))
    reason = _slope_reason(z, outcome)
    if reason:
        return Recalibration(*in_the_large, NAN, NAN, NAN, NAN, n, events, reason)
    middle = z.mean()
    (level, slope), cov = _logistic(np.column_stack([np.ones(n), z - middle]), outcome, np.zeros(n))
    intercept_variance = cov[0, 0] - 2 * middle * cov[0, 1] + middle * middle * cov[1, 1]
    return Recalibration(
        *in_the_large,
        float(level - slope * middle),
        float(np.sqrt(intercept_variance)),
        float(slope),
        float(np.sqrt(cov[1, 1])),
        n,
        events,
    )


def probabilities(scores: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
    """The scores as probabilities and the outcomes as 0.0 and 1.0.

    Parameters
    ----------
    scores, y : array_like, shape (n,)
        Predicted probabilities, and outcomes 0 and 1 (or booleans).

    Returns
    -------
    scores, y : ndarray

    Raises
    ------
    InputError
        If the lengths differ, a score is missing or outside [0, 1], or an outcome is neither 0 nor 1.

    Examples
    --------
    >>> probabilities([0.2, 1], [False, True])
    (array([0.2, 1. ]), array([0., 1.]))
    """
    p, outcome = np.asarray(scores, dtype=float).ravel(), np.asarray(y, dtype=float).ravel()
    if p.size != outcome.size:
        raise InputError(f"y has {outcome.size} values for {p.size} scores; give one outcome for each score.")
    if np.isnan(p).any():
        raise InputError(f"scores has {int(np.isnan(p).sum())} missing values; drop those rows.")
    outside = (p < 0) | (p > 1)
    if outside.any():
        raise InputError(
            f"scores has {int(outside.sum())} values outside [0, 1] (from {p.min():g} to {p.max():g}); calibration "
            "compares probabilities with what happened; pass predicted probabilities, or leave calibration out."
        )
    if not np.isin(outcome, (0.0, 1.0)).all():
        raise InputError("y has values other than 0 and 1; code the outcome as 0 and 1.")
    return p, outcome


def _whole_reason(p: Floats, n: int, events: int) -> str:
    if events in (0, n):
        return "nobody with the positive outcome" if events == 0 else "nobody with the negative outcome"
    certain = int(np.sum((p == 0) | (p == 1)))
    return f"{certain} scores are exactly 0 or 1, and their logit is infinite" if certain else ""


def _slope_reason(z: Floats, outcome: Floats) -> str:
    if np.ptp(z) == 0:
        return "all scores are equal"
    cases, controls = z[outcome == 1], z[outcome == 0]
    apart = controls.max() <= cases.min() or cases.max() <= controls.min()
    return "the scores separate the outcomes, so the slope is infinite" if apart else ""


def _logistic(x: Floats, y: Floats, offset: Floats) -> tuple[Floats, Floats]:
    """The coefficients of maximum likelihood, and the inverse information."""
    found = maximize(x, y, offset=offset, tolerance=1e-13, most_steps=MOST_STEPS, longest_step=LONGEST_STEP)
    if not found.settled:
        raise NumericalError(f"scores: the logistic recalibration did not converge in {MOST_STEPS} steps.")
    return found.coefficients, np.asarray(np.linalg.inv(found.information))
