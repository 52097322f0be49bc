"""Calibration of predicted probabilities by group: Brier score, recalibration, the curve, and their rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike
from scipy.special import logit, ndtr, ndtri

from fairstats.errors import InputError
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.means import LossSample, inference
from fairstats.inference.rates.one_rate import wilson
from fairstats.inference.regression import maximize
from fairstats.inference.scores.merged import Floats
from fairstats.inference.validation import Level, Outcomes, Probabilities
from fairstats.language import message
from fairstats.validation import choose

NAN = float("nan")


# Logistic recalibration: how a predicted probability must be bent to fit what happened.


MOST_STEPS = 200
LONGEST_STEP = 4.0  # in logits
ROUNDING = 1e-12  # of logits that are equal but for the arithmetic of the model that gave them
NOT_SETTLED = message("the logistic recalibration did not converge in {n} steps", n=MOST_STEPS)


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


def recalibration(scores: Probabilities, y: Outcomes) -> Recalibration:
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
        0 or 1 (its logit is infinite), and for intercept and slope where all scores are equal up to rounding or the
        scores separate the outcomes, and where the fit does not converge.

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
    reason = NOT_SETTLED if np.isnan(in_the_large[0]) else _slope_reason(z, outcome)
    if reason:
        return Recalibration(*in_the_large, NAN, NAN, NAN, NAN, n, events, reason)
    middle = z.mean()
    (level, slope), cov = _logistic(np.column_stack([np.ones(n), z - middle]), outcome, np.zeros(n))
    if np.isnan(slope):
        return Recalibration(*in_the_large, NAN, NAN, NAN, NAN, n, events, NOT_SETTLED)
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

    scores, y: predicted probabilities, and outcomes 0 and 1 (or booleans), shape (n,).

    >>> probabilities([0.2, 1], [False, True])
    (array([0.2, 1. ]), array([0., 1.]))
    """
    p, outcome = np.asarray(scores, dtype=float).ravel(), np.asarray(y, dtype=float).ravel()
    if p.size != outcome.size:
        raise InputError("y", f"has {outcome.size} values for {p.size} scores; give one outcome for each score.")
    if np.isnan(p).any():
        raise InputError("scores", f"has {int(np.isnan(p).sum())} missing values; drop those rows.")
    outside = (p < 0) | (p > 1)
    if outside.any():
        raise InputError(
            "scores",
            f"has {int(outside.sum())} values outside [0, 1] (from {p.min():g} to {p.max():g}); calibration "
            "compares probabilities with what happened; pass predicted probabilities, or leave calibration out.",
        )
    if not np.isin(outcome, (0.0, 1.0)).all():
        raise InputError("y", "has values other than 0 and 1; code the outcome as 0 and 1.")
    return p, outcome


CERTAIN = message("scores of exactly 0 or 1 ({k}) have an infinite logit")


def _whole_reason(p: Floats, n: int, events: int) -> str:
    if events in (0, n):
        return "nobody with the positive outcome" if events == 0 else "nobody with the negative outcome"
    certain = int(np.sum((p == 0) | (p == 1)))
    return CERTAIN.format(k=certain) if certain else ""


def _slope_reason(z: Floats, outcome: Floats) -> str:
    if np.ptp(z) <= ROUNDING * max(1.0, float(np.abs(z).max())):
        return message("all scores are equal")
    cases, controls = z[outcome == 1], z[outcome == 0]
    apart = controls.max() <= cases.min() or cases.max() <= controls.min()
    return message("the scores separate the outcomes, so the slope is infinite") if apart else ""


def _logistic(x: Floats, y: Floats, offset: Floats) -> tuple[Floats, Floats]:
    """The coefficients of maximum likelihood, and the inverse information; NaN where they do not settle."""
    result = maximize(x, y, offset=offset, tolerance=1e-13, most_steps=MOST_STEPS, longest_step=LONGEST_STEP)
    if not result.settled:
        return np.full(x.shape[1], NAN), np.full((x.shape[1], x.shape[1]), NAN)
    return result.coefficients, np.asarray(np.linalg.inv(result.information))


# The calibration curve of predicted probabilities.


@dataclass(frozen=True)
class CalibrationCurve:
    """Observed rates against mean predictions, a row per occupied bin, with a simultaneous Wilson band."""

    predicted: Floats
    observed: Floats
    low: Floats
    high: Floats
    n: Floats
    events: Floats


def _quantile_edges(scores: Floats, bins: int) -> Floats:
    return np.unique(np.quantile(scores, np.arange(1, bins) / bins))


def _uniform_edges(scores: Floats, bins: int) -> Floats:
    return np.arange(1, bins) / bins


BINNINGS: dict[str, Callable[[Floats, int], Floats]] = {"quantile": _quantile_edges, "uniform": _uniform_edges}


def bin_edges(scores: ArrayLike, bins: int = 10, binning: str = "quantile") -> Floats:
    """Inner limits of the bins of a calibration curve, so that several groups can share them.

    scores: predicted probabilities of everybody, shape (n,).
    bins: how many bins; fewer where scores repeat.
    binning: equal numbers of people, or equal widths.
    Returns: ascending; a score equal to an edge belongs to the bin above it.

    >>> bin_edges([0.1, 0.2, 0.3, 0.4], bins=2).tolist()
    [0.25]
    """
    return choose("binning", binning, BINNINGS)(np.asarray(scores, dtype=float), int(bins))


def calibration_curve(
    scores: Probabilities, y: Outcomes, edges: Probabilities | None = None, conf_level: Level = 0.95
) -> CalibrationCurve:
    """Return the observed rate and the mean prediction of each bin of the predicted probabilities.

    Parameters
    ----------
    scores, y : array_like, shape (n,)
        Predicted probabilities in [0, 1], and outcomes 0 and 1.
    edges : array_like, optional
        Inner limits of the bins; deciles of `scores` by default. Give those of everybody to compare groups.
    conf_level : float
        Level at which the intervals of all occupied bins hold together. Bins are of different people, so each has
        Wilson's interval at the root of that level (Sidak); pointwise ones would hold together in 61% for ten bins.

    Returns
    -------
    CalibrationCurve
        Empty bins are left out.

    Raises
    ------
    InputError
        If a score is missing or outside [0, 1].

    References
    ----------
    Van Calster et al. (2019); the band: Wilson (1927); Sidak (1967), JASA 62, 626-633.

    Examples
    --------
    >>> import fairstats as fs
    >>> curve = fs.stats.calibration_curve([0.1, 0.2, 0.8, 0.9], [0, 0, 1, 1], edges=[0.5])
    >>> curve.predicted.round(2).tolist(), curve.observed.tolist()
    ([0.15, 0.85], [0.0, 1.0])
    """
    p, outcome = probabilities(scores, y)
    limits = bin_edges(p) if edges is None else np.asarray(edges, dtype=float)
    where = np.searchsorted(limits, p, side="right")
    n = np.bincount(where, minlength=limits.size + 1).astype(float)
    kept = n > 0
    events = np.bincount(where, weights=outcome, minlength=n.size)[kept].astype(float)
    total = np.bincount(where, weights=p, minlength=n.size)[kept]
    low, high = wilson(events, n[kept], conf_level ** (1 / max(kept.sum(), 1)))
    return CalibrationCurve(total / n[kept], events / n[kept], low, high, n[kept], events)


# How far predicted probabilities are from right: Spiegelhalter's z, the expected calibration error debiased.


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


def spiegelhalter_z(scores: Probabilities, y: Outcomes) -> Spiegelhalter:
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
    >>> [round(v, 3) for v in fs.stats.spiegelhalter_z([0.1, 0.2, 0.8, 0.9, 0.7], [0, 1, 1, 1, 0])]
    [0.934, 0.35]
    """
    p, outcome = probabilities(scores, y)
    variance = float(np.sum((1 - 2 * p) ** 2 * p * (1 - p)))
    if not variance > 0:
        return Spiegelhalter(NAN, NAN)
    z = float(np.sum((outcome - p) * (1 - 2 * p))) / np.sqrt(variance)
    return Spiegelhalter(float(z), 2 * float(ndtr(-abs(z))))


def calibration_error(scores: Probabilities, y: Outcomes, edges: Probabilities | None = None) -> CalibrationError:
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
    >>> result = fs.stats.calibration_error([0.1, 0.2, 0.8, 0.9], [0, 0, 1, 1], edges=[0.5])
    >>> round(result.binned, 2), round(result.squared, 4)
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

    scores, y: predicted probabilities in [0, 1] and outcomes 0 and 1 of the group, shape (n,).
    edges: inner limits of the bins, those of everybody to compare groups.
    attribute, group: what the rows say they are about.
    Returns: of the role "beside".

    >>> rows = calibration_checks([0.1, 0.3, 0.5, 0.7, 0.4], [0, 1, 0, 1, 1], [0.5], group="b")
    >>> rows.column("metric")
    ["Spiegelhalter's z", 'calibration error']
    """
    p, outcome = probabilities(scores, y)
    about = Estimate(
        SPIEGELHALTER, attribute, group, n=float(p.size), events=float(outcome.sum()), role="supplementary"
    )
    tested, error = spiegelhalter_z(p, outcome), calibration_error(p, outcome, edges)
    first = replace(about, method=message("Spiegelhalter's test")).with_test(tested.statistic, tested.p_value)
    second = replace(
        about, metric=ERROR, method=message("expected calibration error over {n} bins, debiased", n=error.bins)
    )
    return Estimates(
        [
            _estimable(replace(first, estimate=tested.statistic), "every score is 0, 1/2 or 1"),
            _estimable(replace(second, estimate=error.debiased), message("a group without scores")),
        ]
    )


def _estimable(row: Estimate, reason: str) -> Estimate:
    return row if row.estimate == row.estimate else replace(row, status="unestimable", reason=reason)


# The Brier score of predicted probabilities, and the difference of two groups', with limits for skewed losses.


FEW = 5  # people of one outcome below which the interval is called approximate
HALL = message("mean, Student corrected for skewness (Hall)")
MOVER = message("Hall limits combined (MOVER)")
LEAST_P = 1e-12
EQUAL = 1e-15  # losses that spread less are equal


class Brier(NamedTuple):
    """A Brier score with its standard error, interval and how the interval was made."""

    estimate: float
    std_error: float
    low: float
    high: float
    method: str


class BrierDifference(NamedTuple):
    """The difference of two Brier scores with its standard error, interval and two-sided p-value."""

    estimate: float
    std_error: float
    low: float
    high: float
    p_value: float


def brier_score(scores: Probabilities, y: Outcomes, conf_level: Level = 0.95) -> Brier:
    """Estimate the Brier score, the mean squared difference of predicted probability and outcome, with an interval.

    Parameters
    ----------
    scores, y : array_like, shape (n,)
        Predicted probabilities in [0, 1], and outcomes 0 and 1.
    conf_level : float
        Confidence level.

    Returns
    -------
    Brier
        Student's interval of a mean with Hall's correction for skewness, cut at 0 and 1: where outcomes are rare a few
        losses are large, and Student's own interval covers 90%. Where all losses are equal (to b, say) that would
        have no width: then a share q = (alpha/2)^(1/n) of people at least has that loss, so the mean lies within q b
        and 1 - q (1 - b) ("bound of equal losses").

    Raises
    ------
    InputError
        If a score is missing or outside [0, 1].

    References
    ----------
    Brier (1950), Verification of forecasts expressed in terms of probability; Hall (1992), On the removal of skewness
    by transformation, JRSS B 54, 221-228.

    Examples
    --------
    >>> import fairstats as fs
    >>> round(fs.stats.brier_score([0.1, 0.8, 0.6], [0, 1, 0]).estimate, 4)
    0.1367
    """
    p, outcome = probabilities(scores, y)
    return mean_loss((p - outcome) ** 2, conf_level)


def mean_loss(losses: ArrayLike, conf_level: float = 0.95) -> Brier:
    """The mean of losses between 0 and 1, with the limits of `brier`.

    >>> result = mean_loss([0.01, 0.04, 0.36])
    >>> round(result.estimate, 4), result.low < result.estimate < result.high
    (0.1367, True)
    """
    return _limits(LossSample.of(losses, noise=EQUAL), conf_level)


def _limits(sample: LossSample, conf_level: float) -> Brier:
    """The limits from the moments of the losses, which are taken once however many levels are asked for."""
    n, mean = sample.n, sample.mean
    if n == 0:
        return Brier(NAN, NAN, NAN, NAN, "")
    if not sample.variance > 0:
        share = ((1 - conf_level) / 2) ** (1 / n)
        return Brier(mean, 0.0 if n > 1 else NAN, share * mean, 1 - share * (1 - mean), "bound of equal losses")
    result = inference(mean, (sample,), conf_level)
    return Brier(mean, result.std_error, max(0.0, min(result.low, mean)), min(1.0, max(result.high, mean)), HALL)


def brier_difference(ours: ArrayLike, theirs: ArrayLike, conf_level: float = 0.95) -> BrierDifference:
    """Estimate the difference of two groups' Brier scores from their losses.

    ours, theirs: losses (squared differences of probability and outcome) of the group and of the reference, shape (n,).
    Returns: the limits of the two means are combined, so each side keeps its own skewness; p is one minus the level at
        which the interval ends at 0. NaN where a group has nobody.

    Welch's interval covers 90% of 60 people with rare outcomes against 500, and Hall's correction of the difference
    itself 91% of 60 against 60, where the two skewnesses cancel in its estimate.

    Source: Zou & Donner (2008), Statistics in Medicine 27, 1693-1702 (MOVER); Hall (1992), JRSS B 54, 221-228.

    >>> result = brier_difference([0.01, 0.04, 0.36], [0.01, 0.09, 0.25])
    >>> round(result.estimate, 3), result.p_value > 0.5
    (0.02, True)
    """
    return loss_difference(LossSample.of(ours, noise=EQUAL), LossSample.of(theirs, noise=EQUAL), conf_level)


def loss_difference(current: LossSample, other: LossSample, conf_level: float = 0.95) -> BrierDifference:
    """The difference of two mean losses from the moments of both, as `brier_difference`.

    >>> ours, theirs = LossSample.of([0.01, 0.04, 0.36]), LossSample.of([0.01, 0.09, 0.25])
    >>> round(loss_difference(ours, theirs).estimate, 3)
    0.02
    """
    if not current.n or not other.n:
        return BrierDifference(NAN, NAN, NAN, NAN, NAN)

    def limits(level: float) -> tuple[float, float]:
        a, b = _limits(current, level), _limits(other, level)
        gap = a.estimate - b.estimate
        below = float(np.hypot(a.estimate - a.low, b.high - b.estimate))
        return gap - below, gap + float(np.hypot(a.high - a.estimate, b.estimate - b.low))

    gap = current.mean - other.mean
    side = 0 if gap > 0 else 1

    def edge(p: float) -> float:
        return limits(1 - p)[side] * (1 if side == 0 else -1)

    p = 1.0
    if gap != 0 and edge(1 - 1e-9) > 0:
        p = LEAST_P if edge(LEAST_P) > 0 else float(scipy.optimize.brentq(edge, LEAST_P, 1 - 1e-9, xtol=1e-13))
    error = float(np.hypot(_limits(current, conf_level).std_error, _limits(other, conf_level).std_error))
    return BrierDifference(gap, error, *limits(conf_level), p)


WALD = message("logistic recalibration, Wald (against {n})")


def calibration_estimates(
    scores: ArrayLike, y: ArrayLike, *, attribute: str = "", group: str = "", conf_level: float = 0.95
) -> Estimates:
    """The rows of an audit for the calibration of one group: Brier score, intercept and slope.

    scores, y: predicted probabilities in [0, 1] and outcomes 0 and 1 of the group, shape (n,).
    attribute, group: what the rows say they are about.
    Returns: "Brier score"; "calibration intercept" (calibration in the large, tested against 0); "calibration slope"
        (tested against 1). What cannot be estimated says why.

    >>> rows = calibration_estimates([0.1, 0.3, 0.5, 0.7, 0.4], [0, 1, 0, 1, 1], group="b")
    >>> rows.column("metric")
    ['Brier score', 'calibration intercept', 'calibration slope']
    """
    p, outcome = probabilities(scores, y)
    row = Estimate("", attribute, group, n=float(p.size), events=float(outcome.sum()))
    score, fit = brier_score(p, outcome, conf_level), recalibration(p, outcome)
    first = row.with_interval(
        score.estimate,
        score.low,
        score.high,
        conf_level,
        metric="Brier score",
        std_error=score.std_error,
        method=score.method,
        reason=""
        if min(row.events, row.n - row.events) >= FEW
        else message("approximate: fewer than {n} of one outcome", n=FEW),
    )
    if not p.size:
        first = replace(first, status="unestimable", reason=message("a group without scores"), conf_level=NAN)
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

    ours, theirs: what `calibration_estimates` returns for the group and for its reference; the two groups are
        independent.
    losses: moments of the squared differences of probability and outcome of the group and of the reference, for the
        Brier score.
    reference: the level that the group is compared with.
    Returns: contrast "difference", tested against 0: Wald for intercept and slope; for the Brier score Hall's limits of
        the two means, combined.

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
        method=WALD.format(n=f"{null:g}"),
        status="ok",
        reason="",
    ).with_test(z, 2 * float(ndtr(-abs(z))), NAN)


def _brier_gap(row: Estimate, losses: tuple[LossSample, LossSample], reason: str, conf_level: float) -> Estimate:
    result = loss_difference(*losses, conf_level)
    return row.with_interval(
        result.estimate,
        result.low,
        result.high,
        conf_level,
        std_error=result.std_error,
        method=MOVER,
        status="ok",
        reason=reason,
        p_value=result.p_value,
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
