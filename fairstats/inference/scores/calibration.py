"""Calibration of predicted probabilities by group: Brier score, recalibration, the curve, and their rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from fairstats.estimates import Estimate, Estimates
from fairstats.inference.scores.calibration_curve import Brier, CalibrationCurve, bin_edges, brier, calibration_curve
from fairstats.inference.scores.recalibration import Recalibration, probabilities, recalibration

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
    ours: Estimates, theirs: Estimates, *, reference: str = "", conf_level: float = 0.95
) -> Estimates:
    """The differences of two groups' calibration rows, group minus reference.

    Parameters
    ----------
    ours, theirs : Estimates
        What `calibration_estimates` returns for the group and for its reference; the two groups are independent.
    reference : str
        The level that the group is compared with.
    conf_level : float
        Confidence level.

    Returns
    -------
    Estimates
        Contrast "difference", tested against 0: Wald for intercept and slope, Welch for the Brier score.

    Examples
    --------
    >>> a = calibration_estimates([0.1, 0.3, 0.5, 0.7, 0.4], [0, 1, 0, 1, 1], group="b")
    >>> calibration_differences(a, a, reference="a").column("estimate")
    [0.0, 0.0, 0.0]
    """
    rows = []
    for a, b in zip(ours, theirs, strict=True):
        row = replace(a, contrast="difference", reference=reference)
        gap, se = a.estimate - b.estimate, float(np.hypot(a.std_error, b.std_error))
        reason = a.reason or b.reason
        if a.metric == "Brier score" and not reason:
            rows.append(_welch(row, gap, (a.std_error, a.n), (b.std_error, b.n), conf_level))
        else:
            rows.append(_wald(row, gap, se, 0.0, conf_level, reason))
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


def _welch(
    row: Estimate, gap: float, ours: tuple[float, float], theirs: tuple[float, float], conf_level: float
) -> Estimate:
    (a, n), (b, m) = ours, theirs
    if not (np.isfinite(a) and np.isfinite(b) and a + b > 0):
        return _unestimable(row, "the losses of a group do not vary")
    se = float(np.hypot(a, b))
    df = se**4 / (a**4 / (n - 1) + b**4 / (m - 1))
    half, t = float(stdtrit(df, (1 + conf_level) / 2)) * se, gap / se
    return row.with_interval(gap, gap - half, gap + half, conf_level, std_error=se, method="Welch").with_test(
        t, 2 * float(stdtr(df, -abs(t))), df
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
