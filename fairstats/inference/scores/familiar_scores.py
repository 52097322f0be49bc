"""Fairness metrics of predicted probabilities by their familiar names: balance of the classes, Brier parity."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairstats.choices import WeightType
from fairstats.estimates import NAN, Estimate
from fairstats.inference.mover import largest_difference
from fairstats.inference.rates.largest_gap import EXTREMES
from fairstats.inference.rates.people_by_group import labels, people, without
from fairstats.inference.scores.brier_score import mean_loss
from fairstats.inference.skewness_t import LossSample, inference
from fairstats.text import number

Floats = NDArray[np.float64]
METHOD = "Hall limits of the means, combined (MOVER, Bonferroni over all pairs)"
NO_SPREAD = "all weighted values of a group are equal, which leaves no error"


def balance_for_the_positive_class(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    groups: Any = None,
    sensitive_features: Any = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "probability",
    conf_level: float = 0.95,
) -> Estimate:
    """Estimate the highest less the lowest mean predicted probability of the positives of the groups, with an interval.

    Parameters
    ----------
    y_true : array_like, shape (n,)
        Outcomes 0 and 1.
    y_score : array_like, shape (n,)
        Predicted probabilities, in [0, 1].
    groups, sensitive_features, sample_weight, weight_type, conf_level
        As in `demographic_parity_difference`.

    Returns
    -------
    Estimate
        Each mean has Student's limits with Hall's correction for skewness (as in `brier`); the limits of two groups
        are combined, those of all pairs hold together. A group without positives is left out.

    Raises
    ------
    InputError
        If an argument cannot be used as it is.

    Notes
    -----
    For two groups it is the size of the signed difference of R's ``fairmetrics::eval_pos_class_bal``. fairlearn has no
    such function; its ``MetricFrame(metrics=mean_prediction, ...).difference()`` of the positives has the same value.

    References
    ----------
    Kleinberg, Mullainathan & Raghavan (2017), Inherent trade-offs in the fair determination of risk scores, ITCS;
    Zou & Donner (2008), Statistics in Medicine 27, 1693-1702.

    Examples
    --------
    >>> import fairstats as fs
    >>> y_true, y_score, groups = [1] * 40, [0.9, 0.7, 0.6, 0.4] * 10, (["m"] * 2 + ["f"] * 2) * 10
    >>> row = fs.stats.balance_for_the_positive_class(y_true, y_score, groups=groups)
    >>> round(row.estimate, 2), round(row.conf_low, 2), round(row.conf_high, 2)
    (0.3, 0.23, 0.37)
    """
    name, among = "balance for the positive class", ("positives", lambda y: y == 1)
    known = labels(groups, sensitive_features)
    return _gap(name, among, lambda y, s: s, y_true, y_score, known, sample_weight, weight_type, conf_level)


def balance_for_the_negative_class(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    groups: Any = None,
    sensitive_features: Any = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "probability",
    conf_level: float = 0.95,
) -> Estimate:
    """Estimate the highest less the lowest mean predicted probability of the negatives of the groups, with an interval.

    Parameters
    ----------
    y_true, y_score, groups, sensitive_features, sample_weight, weight_type, conf_level
        As in `balance_for_the_positive_class`.

    Returns
    -------
    Estimate
        As in `balance_for_the_positive_class`; a group without negatives is left out.

    Raises
    ------
    InputError
        If an argument cannot be used as it is.

    Notes
    -----
    For two groups it is the size of the signed difference of R's ``fairmetrics::eval_neg_class_bal``.

    References
    ----------
    Kleinberg, Mullainathan & Raghavan (2017), Inherent trade-offs in the fair determination of risk scores, ITCS.

    Examples
    --------
    >>> import fairstats as fs
    >>> y_true, y_score, groups = [0] * 40, [0.3, 0.1, 0.6, 0.4] * 10, (["m"] * 2 + ["f"] * 2) * 10
    >>> row = fs.stats.balance_for_the_negative_class(y_true, y_score, groups=groups)
    >>> round(row.estimate, 2), round(row.conf_low, 2), round(row.conf_high, 2)
    (0.3, 0.23, 0.37)
    """
    name, among = "balance for the negative class", ("negatives", lambda y: y == 0)
    known = labels(groups, sensitive_features)
    return _gap(name, among, lambda y, s: s, y_true, y_score, known, sample_weight, weight_type, conf_level)


def brier_parity(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    groups: Any = None,
    sensitive_features: Any = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "probability",
    conf_level: float = 0.95,
) -> Estimate:
    """Estimate the highest less the lowest Brier score of the groups, with an interval.

    Parameters
    ----------
    y_true, y_score, groups, sensitive_features, sample_weight, weight_type, conf_level
        As in `balance_for_the_positive_class`.

    Returns
    -------
    Estimate
        Each score has the limits of `brier`; the limits of two groups are combined, those of all pairs hold together.

    Raises
    ------
    InputError
        If an argument cannot be used as it is.

    Notes
    -----
    For two groups it is the size of the signed difference "Brier Score Parity" of R's
    ``fairmetrics::get_fairness_metrics``; of any number, fairlearn's
    ``MetricFrame(metrics=brier_score_loss, ...).difference()``. Groups with other base rates have other Brier scores
    although all scores are right.

    References
    ----------
    Brier (1950), Verification of forecasts expressed in terms of probability; Zou & Donner (2008), Statistics in
    Medicine 27, 1693-1702.

    Examples
    --------
    >>> import fairstats as fs
    >>> y_true, y_score, groups = [1, 0] * 30, [0.9, 0.2, 0.6, 0.5] * 15, (["m"] * 2 + ["f"] * 2) * 15
    >>> row = fs.stats.brier_parity(y_true, y_score, groups=groups)
    >>> round(row.estimate, 3), round(row.conf_low, 3), round(row.conf_high, 3)
    (0.18, 0.162, 0.198)
    """
    among = ("people", lambda y: y >= 0)
    loss: Loss = lambda y, s: (s - y) ** 2  # noqa: E731
    known = labels(groups, sensitive_features)
    return _gap("Brier score", among, loss, y_true, y_score, known, sample_weight, weight_type, conf_level)


Loss = Callable[[Floats, Floats], Floats]
Among = tuple[str, Callable[[Floats], NDArray[np.bool_]]]


def _gap(
    name: str,
    among: Among,
    value: Loss,
    y_true: Any,
    y_score: Any,
    groups: Any,
    sample_weight: Any,
    weight_type: WeightType,
    conf_level: float,
) -> Estimate:
    """The largest difference of the groups' means of some value over some people."""
    who, (y, s) = people(groups, sample_weight, weight_type, y_true=y_true, y_score=y_score)
    chosen = [who.of(g, among[1](y)) for g in range(len(who.groups))]
    n = np.array([who.weights[own].sum() for own in chosen])
    used = np.flatnonzero(n > 0)
    samples = [(value(y, s)[chosen[i]], who.weights[chosen[i]]) for i in used]
    row = Estimate(name, who.attribute, contrast="difference", role="all groups", n=float(n.sum()))
    absent = without(who, n, among[0])
    if used.size < 2:
        return replace(row, status="unestimable", reason=absent)
    means = np.array([np.average(values, weights=w) for values, w in samples])
    estimate, low, high = largest_difference(means, lambda level: _limits(samples, who.drawn, level), conf_level)
    ends = (used[int(np.argmax(means))], means.max()), (used[int(np.argmin(means))], means.min())
    seen = " and ".join(f"{who.groups[i]} ({number(float(mean), 3)})" for i, mean in ends)
    if np.isnan(high):
        return replace(row, estimate=estimate, reason="; ".join(filter(None, [f"{EXTREMES}{seen}", absent, NO_SPREAD])))
    reason = "; ".join(filter(None, [f"{EXTREMES}{seen}", absent]))
    return row.with_interval(estimate, low, high, conf_level, method=METHOD, reason=reason)


def _limits(samples: list[tuple[Floats, Floats]], drawn: bool, level: float) -> tuple[Floats, Floats]:
    ends = np.array([_of_one(values, w, drawn, level) for values, w in samples]).T
    return ends[0], ends[1]


def _of_one(values: Floats, w: Floats, drawn: bool, level: float) -> tuple[float, float]:
    """Limits of one mean; a frequency is so many people, an inverse probability one person."""
    if not drawn:
        made = mean_loss(np.repeat(values, w.astype(np.int64)), level)
        return made.low, made.high
    mean = float(np.average(values, weights=w))
    found = inference(mean, (LossSample.of(values, 1e-15, w),), level)
    if np.isnan(found.low):
        return NAN, NAN
    return max(0.0, min(found.low, mean)), min(1.0, max(found.high, mean))
