"""Demographic parity and equal opportunity by their familiar names: from people as arrays, with intervals that hold."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from fairstats.choices import WeightType
from fairstats.estimates import Estimate
from fairstats.inference.rates.familiar_rows import gap_row
from fairstats.inference.rates.people_by_group import labels
from fairstats.inference.rates.rate_gaps import Against


def demographic_parity_difference(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    groups: Any = None,
    sensitive_features: Any = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "probability",
    method: Against = "between_groups",
    conf_level: float = 0.95,
    seed: int = 0,
) -> Estimate:
    """Estimate the highest less the lowest share of positive predictions over the groups, with an interval.

    Parameters
    ----------
    y_true : array_like, shape (n,)
        Outcomes 0 and 1. They do not matter here; the argument is there because fairlearn has it.
    y_pred : array_like, shape (n,)
        Predictions 0 and 1.
    groups, sensitive_features : array_like, shape (n,), or table
        A label a person; several columns are their intersection. Two names for one argument, the second fairlearn's:
        pass one of them.
    sample_weight : array_like, shape (n,), optional
        Weights of the people.
    weight_type : {"probability", "frequency"}
        Whether a weight is an inverse sampling probability, so that intervals rest on effective sizes, or counts
        people.
    method : {"between_groups", "to_overall"}
        ``"to_overall"`` is the largest distance of a group from the rate of everybody.
    conf_level : float
        Confidence level of the interval.
    seed : int
        Of the permutations behind it.

    Returns
    -------
    Estimate
        The interval is `rate_range`'s: all pairs of groups have Miettinen-Nurminen intervals that hold jointly, of
        which it has the largest limits. With ``"to_overall"`` each group is compared with the others (Bonferroni),
        given the shares of the groups. Rows that carry an index are paired by it. A group without anybody is left
        out, and the reason says so.

    Raises
    ------
    InputError
        If an argument cannot be used as it is.

    Notes
    -----
    The estimate is that of ``fairlearn.metrics.demographic_parity_difference``, whose arguments this has; of two
    groups, the size of the signed difference of R's ``fairmetrics::eval_stats_parity``.

    References
    ----------
    Dwork, Hardt, Pitassi, Reingold & Zemel (2012), Fairness through awareness, ITCS; intervals: see `rate_range`.

    Examples
    --------
    >>> import fairstats as fs
    >>> y_pred, groups = [1] * 30 + [0] * 20 + [1] * 10 + [0] * 40, ["m"] * 50 + ["f"] * 50
    >>> row = fs.stats.demographic_parity_difference(y_pred, y_pred, groups=groups)
    >>> round(row.estimate, 2), round(row.conf_low, 2), round(row.conf_high, 2)
    (0.4, 0.21, 0.56)
    """
    asked = (y_true, y_pred, labels(groups, sensitive_features), sample_weight, weight_type, method, conf_level, seed)
    return gap_row("selection rate", ("positive rate",), "difference", *asked)


def demographic_parity_ratio(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    groups: Any = None,
    sensitive_features: Any = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "probability",
    method: Against = "between_groups",
    conf_level: float = 0.95,
    seed: int = 0,
) -> Estimate:
    """Estimate the lowest over the highest share of positive predictions of the groups, with an interval.

    Parameters
    ----------
    y_true, y_pred, groups, sensitive_features, sample_weight, weight_type, method, conf_level, seed
        As in `demographic_parity_difference`.

    Returns
    -------
    Estimate
        The interval is `worst_ratio`'s: all pairs of groups have Koopman intervals that hold jointly, of which it
        has the smallest limits. With ``"to_overall"`` it is the rate of a group over that of everybody, or the inverse
        where that is smaller (Bonferroni, given the shares of the groups).

    Raises
    ------
    InputError
        If an argument cannot be used as it is.

    Notes
    -----
    The estimate is that of ``fairlearn.metrics.demographic_parity_ratio``; R's ``fairmetrics::eval_stats_parity`` has
    the first group over the second, which may be above 1.

    References
    ----------
    29 CFR 1607.4(D); intervals: see `worst_ratio`.

    Examples
    --------
    >>> import fairstats as fs
    >>> y_pred, groups = [1] * 30 + [0] * 20 + [1] * 10 + [0] * 40, ["m"] * 50 + ["f"] * 50
    >>> row = fs.stats.demographic_parity_ratio(y_pred, y_pred, groups=groups)
    >>> round(row.estimate, 2), round(row.conf_low, 2), round(row.conf_high, 2)
    (0.33, 0.18, 0.59)
    """
    asked = (y_true, y_pred, labels(groups, sensitive_features), sample_weight, weight_type, method, conf_level, seed)
    return gap_row("selection rate", ("positive rate",), "ratio", *asked)


def equal_opportunity_difference(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    groups: Any = None,
    sensitive_features: Any = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "probability",
    method: Against = "between_groups",
    conf_level: float = 0.95,
    seed: int = 0,
) -> Estimate:
    """Estimate the highest less the lowest true positive rate of the groups, with an interval.

    Parameters
    ----------
    y_true, y_pred, groups, sensitive_features, sample_weight, weight_type, method, conf_level, seed
        As in `demographic_parity_difference`.

    Returns
    -------
    Estimate
        The interval is `rate_range`'s: all pairs of groups have Miettinen-Nurminen intervals that hold jointly, of
        which it has the largest limits. With ``"to_overall"`` each group is compared with the others (Bonferroni),
        given the shares of the groups. Rows that carry an index are paired by it. A group without positives is left
        out, and the reason says so.

    Raises
    ------
    InputError
        If an argument cannot be used as it is.

    Notes
    -----
    The estimate is that of ``fairlearn.metrics.equal_opportunity_difference``, where every group has positives:
    fairlearn counts the rate of a group without any as 0. R's ``fairmetrics::eval_eq_opp`` has the signed difference of
    false negative rates, which are one less these.

    References
    ----------
    Hardt, Price & Srebro (2016), Equality of opportunity in supervised learning, NIPS; intervals: see `rate_range`.

    Examples
    --------
    >>> import fairstats as fs
    >>> y_true, groups = [1] * 80, ["m"] * 40 + ["f"] * 40
    >>> row = fs.stats.equal_opportunity_difference(y_true, [1] * 30 + [0] * 10 + [1] * 20 + [0] * 20, groups=groups)
    >>> round(row.estimate, 2), row.reason
    (0.25, 'observed extremes: m (30 of 40) and f (20 of 40)')
    """
    asked = (y_true, y_pred, labels(groups, sensitive_features), sample_weight, weight_type, method, conf_level, seed)
    return gap_row("TPR", ("TPR",), "difference", *asked)


def equal_opportunity_ratio(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    groups: Any = None,
    sensitive_features: Any = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "probability",
    method: Against = "between_groups",
    conf_level: float = 0.95,
    seed: int = 0,
) -> Estimate:
    """Estimate the lowest over the highest true positive rate of the groups, with an interval.

    Parameters
    ----------
    y_true, y_pred, groups, sensitive_features, sample_weight, weight_type, method, conf_level, seed
        As in `demographic_parity_difference`.

    Returns
    -------
    Estimate
        The interval is `worst_ratio`'s: all pairs of groups have Koopman intervals that hold jointly, of which it
        has the smallest limits. With ``"to_overall"`` it is the rate of a group over that of everybody, or the inverse
        where that is smaller (Bonferroni, given the shares of the groups).

    Raises
    ------
    InputError
        If an argument cannot be used as it is.

    Notes
    -----
    The estimate is that of ``fairlearn.metrics.equal_opportunity_ratio``, where every group has positives. R's
    ``fairmetrics::eval_eq_opp`` has a ratio of false negative rates, which is another number.

    References
    ----------
    Hardt, Price & Srebro (2016), Equality of opportunity in supervised learning, NIPS; intervals: see `worst_ratio`.

    Examples
    --------
    >>> import fairstats as fs
    >>> y_true, groups = [1] * 80, ["m"] * 40 + ["f"] * 40
    >>> row = fs.stats.equal_opportunity_ratio(y_true, [1] * 30 + [0] * 10 + [1] * 20 + [0] * 20, groups=groups)
    >>> round(row.estimate, 2), row.reason
    (0.67, 'observed extremes: f (20 of 40) and m (30 of 40)')
    """
    asked = (y_true, y_pred, labels(groups, sensitive_features), sample_weight, weight_type, method, conf_level, seed)
    return gap_row("TPR", ("TPR",), "ratio", *asked)
