"""Discrimination of a score by group: the statistics, and the rows that an audit makes of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from fairstats.estimates import Estimate
from fairstats.inference.scores.auc_difference import (
    METHOD,
    AreaGap,
    AucDifference,
    auc_difference,
    auc_difference_paired,
    auc_gap,
)
from fairstats.inference.scores.curves import ecdf, roc_curve, thin
from fairstats.inference.scores.delong import AucResult, auc, auc_interval

__all__ = [
    "AucDifference",
    "AucResult",
    "auc",
    "auc_difference",
    "auc_difference_estimate",
    "auc_difference_paired",
    "auc_estimate",
    "auc_gap",
    "auc_gap_row",
    "auc_row",
    "ecdf",
    "roc_curve",
    "thin",
]

NO_POSITIVES, NO_NEGATIVES = "nobody with the positive outcome", "nobody with the negative outcome"


def auc_estimate(
    scores: ArrayLike,
    y: ArrayLike,
    *,
    metric: str = "AUC",
    attribute: str = "",
    group: str = "",
    conf_level: float = 0.95,
) -> Estimate:
    """The row of an audit for the area under the ROC curve of a group.

    Parameters
    ----------
    scores, y : array_like, shape (n,)
        Scores and outcomes 0 and 1 of the group.
    metric, attribute, group : str
        What the row says it is about.
    conf_level : float
        Confidence level.

    Returns
    -------
    Estimate
        `n` people of whom `events` are positive; "unestimable" where nobody, or everybody, is.

    Examples
    --------
    >>> auc_estimate([0.2, 0.7], [1, 1], group="b").reason
    'nobody with the negative outcome'
    """
    return auc_row(auc(scores, y, conf_level), Estimate(metric, attribute, group), conf_level)


def auc_row(found: AucResult, about: Estimate, conf_level: float = 0.95) -> Estimate:
    """A row filled with an area that was estimated before, with limits at any level.

    Parameters
    ----------
    found : AucResult
        The area.
    about : Estimate
        What the row says it is about.
    conf_level : float
        Confidence level.

    Returns
    -------
    Estimate

    Examples
    --------
    >>> auc_row(auc([1, 2, 3, 4], [0, 1, 0, 1]), Estimate("AUC", group="b")).estimate
    0.75
    """
    positives, negatives = found.n_pos, found.n_neg
    row = replace(about, n=float(positives + negatives), events=float(positives))
    if min(positives, negatives) == 0:
        return replace(row, status="unestimable", reason=NO_NEGATIVES if positives else NO_POSITIVES)
    low, high, method = auc_interval(found.auc, found.std_error, positives, negatives, conf_level)
    return row.with_interval(found.auc, low, high, conf_level, std_error=found.std_error, method=method)


def auc_difference_estimate(
    scores: ArrayLike,
    y: ArrayLike,
    reference_scores: ArrayLike,
    reference_y: ArrayLike,
    *,
    metric: str = "AUC",
    attribute: str = "",
    group: str = "",
    reference: str = "",
    conf_level: float = 0.95,
) -> Estimate:
    """The row of an audit for the difference of two groups' areas, group minus reference.

    Parameters
    ----------
    scores, y : array_like, shape (n,)
        Scores and outcomes of the group.
    reference_scores, reference_y : array_like, shape (m,)
        Scores and outcomes of the reference group.
    metric, attribute, group, reference : str
        What the row says it is about.
    conf_level : float
        Confidence level.

    Returns
    -------
    Estimate
        Contrast "difference"; "unestimable" where one of the areas is.

    Examples
    --------
    >>> auc_difference_estimate([1, 2, 3, 4], [0, 1, 0, 1], [1, 2, 3, 4], [1, 0, 1, 0], group="b").estimate
    0.5
    """
    n, events = float(np.size(y)), float(np.sum(np.asarray(y) == 1))
    row = Estimate(metric, attribute, group, "difference", reference, n=n, events=events)
    return auc_gap_row(auc_gap(scores, y, reference_scores, reference_y), row, conf_level)


def auc_gap_row(gap: AreaGap, row: Estimate, conf_level: float = 0.95, method: str = METHOD) -> Estimate:
    """The row of an audit for the difference of two areas that are known.

    Parameters
    ----------
    gap : AreaGap
        The areas.
    row : Estimate
        What it is about, with n and events.
    conf_level : float
        Confidence level.
    method : str
        How the limits were made.

    Returns
    -------
    Estimate
        ``"unestimable"`` where one of the areas is.

    Examples
    --------
    >>> gap = auc_gap([1, 2, 3, 4], [0, 1, 0, 1], [1, 2, 3, 4], [1, 0, 1, 0])
    >>> auc_gap_row(gap, Estimate("AUC", "sex", "b", "difference", "a")).estimate
    0.5
    """
    d = gap.found(conf_level, method)
    if np.isnan(d.difference):
        return replace(row, status="unestimable", reason="one of the groups has only one outcome")
    row = row.with_interval(d.difference, d.low, d.high, conf_level, std_error=d.std_error, method=d.method)
    return replace(row, p_value=d.p_value)
