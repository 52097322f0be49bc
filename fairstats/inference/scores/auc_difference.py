"""Two areas under the ROC curve compared: of two groups, or of two scores of the same people."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from fairstats.errors import InputError
from fairstats.inference.scores.delong import area, split_outcomes
from fairstats.inference.scores.merged_samples import Blocks, Floats, merge

NAN = float("nan")


@dataclass(frozen=True)
class AucDifference:
    """The difference of two areas with its interval and test."""

    difference: float
    std_error: float
    low: float
    high: float
    statistic: float
    df: float
    p_value: float
    method: str


def auc_difference(
    scores: ArrayLike, y: ArrayLike, reference_scores: ArrayLike, reference_y: ArrayLike, conf_level: float = 0.95
) -> AucDifference:
    """Estimate the difference of the areas under the ROC curve of two independent groups, group minus reference.

    Parameters
    ----------
    scores, y : array_like, shape (n,)
        Scores and outcomes of the group.
    reference_scores, reference_y : array_like, shape (m,)
        Scores and outcomes of the reference group.
    conf_level : float
        Confidence level.

    Returns
    -------
    AucDifference
        DeLong's test with Welch-Satterthwaite degrees of freedom, as R's ``pROC::roc.test(paired = FALSE)``. Where
        either area has no DeLong interval (0, 1, one case) the two intervals are combined by the method of variance
        estimates recovery (Newcombe's "square and add") and the p-value inverts that interval; `method` says so.

    References
    ----------
    DeLong et al. (1988); Zou & Donner (2008) for the recovery of variances.

    Examples
    --------
    >>> d = auc_difference([1, 2, 3, 4], [0, 1, 0, 1], [1, 2, 3, 4], [1, 0, 1, 0])
    >>> d.difference
    0.5
    """
    ours, theirs = split_outcomes(scores, y), split_outcomes(reference_scores, reference_y)
    a, b = area(ours, conf_level), area(theirs, conf_level)
    gap = a.auc - b.auc
    if np.isnan(gap):
        return AucDifference(NAN, NAN, NAN, NAN, NAN, NAN, NAN, "")
    se = float(np.hypot(a.std_error, b.std_error))
    if not (a.method.startswith("DeLong") and b.method.startswith("DeLong")):
        return _recovered(ours, theirs, gap, se, conf_level)
    n, m = a.n_pos + a.n_neg, b.n_pos + b.n_neg
    df = se**4 / (a.std_error**4 / (n - 1) + b.std_error**4 / (m - 1))
    half = float(stdtrit(df, (1 + conf_level) / 2)) * se
    p = 2 * float(stdtr(df, -abs(gap / se)))
    return AucDifference(gap, se, max(-1.0, gap - half), min(1.0, gap + half), gap / se, df, p, "DeLong")


def _recovered(ours: Blocks, theirs: Blocks, gap: float, se: float, conf_level: float) -> AucDifference:
    def limits(level: float) -> tuple[float, float]:
        a, b = area(ours, level), area(theirs, level)
        return (
            gap - float(np.hypot(a.auc - a.low, b.high - b.auc)),
            gap + float(np.hypot(a.high - a.auc, b.auc - b.low)),
        )

    end, toward = (0, 1.0) if gap > 0 else (1, -1.0)

    def margin(level: float) -> float:
        return toward * limits(level)[end]

    none, all_but = 1e-12, 1 - 1e-12
    if gap == 0 or margin(none) <= 0:
        p = 1.0
    else:
        p = 0.0 if margin(all_but) > 0 else 1 - float(brentq(margin, none, all_but))
    return AucDifference(gap, se, *limits(conf_level), NAN, NAN, p, "square-and-add of the two intervals")


def auc_difference_paired(scores: ArrayLike, other: ArrayLike, y: ArrayLike, conf_level: float = 0.95) -> AucDifference:
    """Estimate the difference of the areas under the ROC curve of two scores of the same people, first minus second.

    Parameters
    ----------
    scores, other : array_like, shape (n,)
        The two scores.
    y : array_like, shape (n,)
        Outcomes 0 and 1.
    conf_level : float
        Confidence level.

    Returns
    -------
    AucDifference
        DeLong's correlated test, R's ``pROC::roc.test(paired = TRUE)``: `df` is infinite (a normal reference). Where
        the variance of the difference is zero or undefined, only the difference is given and p = 1 if it is 0.

    Raises
    ------
    InputError
        If the lengths differ or a score is missing.

    References
    ----------
    DeLong, DeLong & Clarke-Pearson (1988).

    Examples
    --------
    >>> d = auc_difference_paired([1, 2, 3, 4, 5], [2, 1, 3, 5, 4], [0, 0, 1, 0, 1])
    >>> round(d.difference, 4), round(d.p_value, 4)
    (0.1667, 0.4795)
    """
    positive = np.asarray(y).ravel() == 1
    first, second = (_placements(np.asarray(s, dtype=float).ravel(), positive) for s in (scores, other))
    n, m = int(positive.sum()), int((~positive).sum())
    if min(n, m) == 0:
        return AucDifference(NAN, NAN, NAN, NAN, NAN, NAN, NAN, "")
    of_cases, of_controls = first[positive] - second[positive], first[~positive] - second[~positive]
    gap = float(of_cases.mean())
    se = float(np.sqrt(of_cases.var(ddof=1) / n + of_controls.var(ddof=1) / m)) if min(n, m) > 1 else NAN
    if not se > 0:
        return AucDifference(gap, se, NAN, NAN, NAN, NAN, 1.0 if gap == 0 else NAN, "DeLong, paired (no variance)")
    half = float(ndtri((1 + conf_level) / 2)) * se
    p = 2 * float(ndtr(-abs(gap / se)))
    return AucDifference(
        gap, se, max(-1.0, gap - half), min(1.0, gap + half), gap / se, float("inf"), p, "DeLong, paired"
    )


def _placements(scores: Floats, positive: NDArray[np.bool_]) -> Floats:
    """Each case's share of controls below it, each control's share of cases above it."""
    if scores.size != positive.size:
        raise InputError(f"y has {positive.size} values for {scores.size} scores; give one outcome for each score.")
    blocks = merge(scores[positive], scores[~positive])
    if min(blocks.n, blocks.m) == 0:
        return np.full(scores.size, NAN)
    where = np.searchsorted(blocks.values, scores)
    return np.where(positive, blocks.place_x()[where], blocks.place_y()[where])
