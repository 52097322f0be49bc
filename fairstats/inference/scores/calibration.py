"""Calibration of predicted probabilities by group: Brier score, recalibration, the curve, and their rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from fairstats.estimates import Estimate, Estimates
from fairstats.inference.scores.brier_score import FEW, MOVER, Brier, brier, loss_difference
from fairstats.inference.scores.calibration_curve import CalibrationCurve, bin_edges, calibration_curve
from fairstats.inference.scores.recalibration import Recalibration, probabilities, recalibration
from fairstats.inference.skewness_t import LossSample

__all__ = [
    "Brier",
    "CalibrationCurve",
    "Recalibration",
    "bin_edges",
    "brier",
    "calibration_curve",
    "calibration_differences",
    "calibration_estimates",
    "recalibration",
]

NAN = float("nan")
WALD = "logistic recalibration, Wald"


def calibration_estimates(
    scores: ArrayLike, y: ArrayLike, *, attribute: str = "", group: str = "", conf_level: float = 0.95
) -> Estimates:
    """The rows of an audit for the calibration of one group: Brier score, intercept and slope.

    Parameters
    ----------
    scores, y : array_like, shape (n,)
        Predicted probabilities in [0, 1] and outcomes 0 and 1 of the group.
    attribute, group : str
        What the rows say they are about.
    conf_level : float
        Confidence level.

    Returns
    -------
    Estimates
        "Brier score"; "calibration intercept" (calibration in the large, tested against 0); "calibration slope"
        (tested against 1). What cannot be estimated says why.

    Raises
    ------
    InputError
        If a score is missing or outside [0, 1].

    Examples
    --------
    >>> rows = calibration_estimates([0.1, 0.3, 0.5, 0.7, 0.4], [0, 1, 0, 1, 1], group="b")
    >>> rows.column("metric")
    ['Brier score', 'calibration intercept', 'calibration slope']
    """
    p, outcome = probabilities(scores, y)
    row = Estimate("", attribute, group, n=float(p.size), events=float(outcome.sum()))
    score, fit = brier(p, outcome, conf_level), recalibration(p, outcome)
    first = row.with_interval(
        score.estimate,
        score.low,
        score.high,
        conf_level,
        metric="Brier score",
        std_error=score.std_error,
        method=score.method,
        reason="" if min(row.events, row.n - row.events) >= FEW else f"approximate: fewer than {FEW} of one outcome",
    )
    if not p.size:
        first = replace(first, status="unestimable", reason="a group without scores", conf_level=NAN)
    wald = [
        _wald(replace(row, metric=f"calibration {name}"), value, se, null, conf_level, fit.reason)
        for name, value, se, null in (
            ("intercept", fit.in_the_large, fit.in_the_large_se, 0.0),
            ("slope", fit.slope, fit.slope_se, 1.0),
        )
    ]
    return Estimates([first, *wald])


def calibration_differences(
    ours: Estimates,
    theirs: Estimates,
    losses: tuple[LossSample, LossSample],
    *,
    reference: str = "",
    conf_level: float = 0.95,
) -> Estimates:
    """The differences of two groups' calibration rows, group minus reference.

    Parameters
    ----------
    ours, theirs : Estimates
        What `calibration_estimates` returns for the group and for its reference; the two groups are independent.
    losses : tuple of LossSample
        Moments of the squared differences of probability and outcome of the group and of the reference, for the Brier
        score.
    reference : str
        The level that the group is compared with.
    conf_level : float
        Confidence level.

    Returns
    -------
    Estimates
        Contrast "difference", tested against 0: Wald for intercept and slope; for the Brier score Hall's limits of the
        two means, combined.

    Examples
    --------
    >>> a = calibration_estimates([0.1, 0.3, 0.5, 0.7, 0.4], [0, 1, 0, 1, 1], group="b")
    >>> losses = LossSample.of([0.01, 0.49, 0.25, 0.09, 0.36])
    >>> calibration_differences(a, a, (losses, losses), reference="a").column("estimate")
    [0.0, 0.0, 0.0]
    """
    rows = []
    for a, b in zip(ours, theirs, strict=True):
        row = replace(a, contrast="difference", reference=reference)
        gap, se = a.estimate - b.estimate, float(np.hypot(a.std_error, b.std_error))
        if a.metric == "Brier score" and gap == gap:
            rows.append(_brier_gap(row, losses, a.reason or b.reason, conf_level))
        else:
            rows.append(_wald(row, gap, se, 0.0, conf_level, a.reason or b.reason))
    return Estimates(rows)


def _wald(row: Estimate, value: float, se: float, null: float, conf_level: float, reason: str) -> Estimate:
    if np.isnan(value):
        return _unestimable(row, reason)
    half = float(ndtri((1 + conf_level) / 2)) * se
    z = (value - null) / se
    return row.with_interval(
        value,
        value - half,
        value + half,
        conf_level,
        std_error=se,
        method=f"{WALD} (against {null:g})",
        status="ok",
        reason="",
    ).with_test(z, 2 * float(ndtr(-abs(z))), NAN)


def _brier_gap(row: Estimate, losses: tuple[LossSample, LossSample], reason: str, conf_level: float) -> Estimate:
    made = loss_difference(*losses, conf_level)
    return row.with_interval(
        made.estimate,
        made.low,
        made.high,
        conf_level,
        std_error=made.std_error,
        method=MOVER,
        status="ok",
        reason=reason,
        p_value=made.p_value,
    )


def _unestimable(row: Estimate, reason: str) -> Estimate:
    return Estimate(
        row.metric,
        row.attribute,
        row.group,
        row.contrast,
        row.reference,
        n=row.n,
        events=row.events,
        status="unestimable",
        reason=reason,
    )
