"""How far predicted probabilities are from right: Spiegelhalter's z, the expected calibration error debiased."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from fairstats.estimates import Estimate, Estimates
from fairstats.inference.scores.calibration_curve import calibration_curve
from fairstats.inference.scores.recalibration import probabilities

NAN = float("nan")
SPIEGELHALTER, ERROR = "Spiegelhalter's z", "calibration error"


class Spiegelhalter(NamedTuple):
    """A test that predicted probabilities are right: the statistic, and its two-sided p-value."""

    statistic: float
    p_value: float


class CalibrationError(NamedTuple):
    """The expected calibration error as binned, less its bias, and the squared one less its bias."""

    binned: float
    debiased: float
    squared: float
    bins: int


def spiegelhalter(scores: ArrayLike, y: ArrayLike) -> Spiegelhalter:
    """Test whether outcomes occur as often as the predicted probabilities say, by the Brier score's own variance.

    Parameters
    ----------
    scores, y : array_like, shape (n,)
        Predicted probabilities in [0, 1], and outcomes 0 and 1.

    Returns
    -------
    Spiegelhalter
        Above 0 where the Brier score is larger than right probabilities would have it: they are too far from 1/2.
        NaN where every probability is 0, 1/2 or 1, which leaves the statistic without variance.

    Raises
    ------
    InputError
        If a score is missing or outside [0, 1].

    References
    ----------
    Spiegelhalter (1986), Probabilistic prediction in patient management and clinical trials, Statistics in Medicine 5,
    421-433. R: ``rms::val.prob``.

    Examples
    --------
    >>> import fairstats as fs
    >>> [round(v, 3) for v in fs.stats.spiegelhalter([0.1, 0.2, 0.8, 0.9, 0.7], [0, 1, 1, 1, 0])]
    [0.934, 0.35]
    """
    p, outcome = probabilities(scores, y)
    variance = float(np.sum((1 - 2 * p) ** 2 * p * (1 - p)))
    if not variance > 0:
        return Spiegelhalter(NAN, NAN)
    z = float(np.sum((outcome - p) * (1 - 2 * p))) / np.sqrt(variance)
    return Spiegelhalter(float(z), 2 * float(ndtr(-abs(z))))


def calibration_error(scores: ArrayLike, y: ArrayLike, edges: ArrayLike | None = None) -> CalibrationError:
    """Estimate how far observed rates are from predicted ones, averaged over people, without the bias of few people.

    Parameters
    ----------
    scores, y : array_like, shape (n,)
        Predicted probabilities in [0, 1], and outcomes 0 and 1.
    edges : array_like, optional
        Inner limits of the bins; deciles of `scores` by default.

    Returns
    -------
    CalibrationError
        ``binned``, the expected calibration error: the mean over people of |observed rate - mean prediction| of their
        bin, which is positive where the probabilities are right, and the more so the fewer people a bin has.
        ``debiased`` subtracts by how much noise of the observed size raises it, which takes out part of that bias (a
        third to a half where the probabilities are right), and is 0 at least. ``squared``, the
        mean squared gap less its variance, is unbiased and may be negative; bins of one person do not count in it.

    Notes
    -----
    No interval is given: near 0 none is known that covers. Compare groups only over the same edges.

    References
    ----------
    Kumar, Liang & Ma (2019), Verified uncertainty calibration, NeurIPS 32 (the debiased estimators); Bröcker (2012),
    Climate Dynamics 39, 655-667; Naeini, Cooper & Hauskrecht (2015), AAAI 29.

    Examples
    --------
    >>> import fairstats as fs
    >>> made = fs.stats.calibration_error([0.1, 0.2, 0.8, 0.9], [0, 0, 1, 1], edges=[0.5])
    >>> round(made.binned, 2), round(made.squared, 4)
    (0.15, 0.0225)
    """
    p, outcome = probabilities(scores, y)
    if not p.size:
        return CalibrationError(NAN, NAN, NAN, 0)
    curve = calibration_curve(p, outcome, edges)
    n = curve.n.sum()
    gap, share = curve.predicted - curve.observed, curve.n / n
    spread = curve.observed * (1 - curve.observed)
    error = np.sqrt(spread / curve.n)
    binned = float(share @ np.abs(gap))
    with np.errstate(divide="ignore", invalid="ignore"):
        at = np.where(error > 0, np.abs(gap) / error, np.inf)
    # the mean of |N(gap, error)|: what the binned error would be on average if these gaps were the true ones
    folded = error * np.sqrt(2 / np.pi) * np.exp(-(at**2) / 2) + np.abs(gap) * (1 - 2 * ndtr(-at))
    repeated = curve.n > 1
    noise = np.where(repeated, spread / np.maximum(curve.n - 1, 1), 0.0)
    squared = float(share[repeated] @ (gap**2 - noise)[repeated] / share[repeated].sum()) if repeated.any() else NAN
    return CalibrationError(binned, max(0.0, 2 * binned - float(share @ folded)), squared, int(curve.n.size))


def calibration_checks(
    scores: ArrayLike, y: ArrayLike, edges: ArrayLike | None = None, *, attribute: str = "", group: str = ""
) -> Estimates:
    """The rows beside the calibration of one group: Spiegelhalter's test, and the debiased calibration error.

    Parameters
    ----------
    scores, y : array_like, shape (n,)
        Predicted probabilities in [0, 1] and outcomes 0 and 1 of the group.
    edges : array_like, optional
        Inner limits of the bins, those of everybody to compare groups.
    attribute, group : str
        What the rows say they are about.

    Returns
    -------
    Estimates
        Of the role "beside".

    Examples
    --------
    >>> rows = calibration_checks([0.1, 0.3, 0.5, 0.7, 0.4], [0, 1, 0, 1, 1], [0.5], group="b")
    >>> rows.column("metric")
    ["Spiegelhalter's z", 'calibration error']
    """
    p, outcome = probabilities(scores, y)
    about = Estimate(SPIEGELHALTER, attribute, group, n=float(p.size), events=float(outcome.sum()), role="beside")
    tested, error = spiegelhalter(p, outcome), calibration_error(p, outcome, edges)
    first = replace(about, method="Spiegelhalter's test").with_test(tested.statistic, tested.p_value)
    second = replace(about, metric=ERROR, method=f"expected calibration error over {error.bins} bins, debiased")
    return Estimates(
        [
            _known(replace(first, estimate=tested.statistic), "every score is 0, 1/2 or 1"),
            _known(replace(second, estimate=error.debiased), "a group without scores"),
        ]
    )


def _known(row: Estimate, reason: str) -> Estimate:
    return row if row.estimate == row.estimate else replace(row, status="unestimable", reason=reason)
