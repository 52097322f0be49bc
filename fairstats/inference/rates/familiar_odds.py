"""Equalized odds, as difference and as ratio: from people as arrays, with intervals that hold for both rates."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from fairstats.choices import WeightType
from fairstats.estimates import Estimate
from fairstats.inference.rates.familiar_rows import gap_row
from fairstats.inference.rates.people_by_group import labels
from fairstats.inference.rates.rate_gaps import Against, Agg


def equalized_odds_difference(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    groups: Any = None,
    sensitive_features: Any = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "probability",
    method: Against = "between_groups",
    agg: Agg = "worst_case",
    conf_level: float = 0.95,
    seed: int = 0,
) -> Estimate:
    """Estimate the larger of the ranges of true and false positive rates over the groups, with an interval.

    Parameters
    ----------
    y_true : array_like, shape (n,)
        Outcomes 0 and 1.
    y_pred : array_like, shape (n,)
        Predictions 0 and 1.
    groups, sensitive_features, sample_weight, weight_type, method, conf_level, seed
        As in `demographic_parity_difference`.
    agg : {"worst_case", "mean"}
        The larger of the two gaps, or their mean.

    Returns
    -------
    Estimate
        The intervals of all pairs of groups in both rates hold together: the critical value is that of the largest
        statistic over both, which rest on different people. The largest gap has the largest of their limits, the mean
        of two the mean of theirs. Under probability weights each rate has half the error. With ``"to_overall"`` each
        group is compared with the others (Bonferroni). There is no estimate where a rate has fewer than two groups.

    Raises
    ------
    InputError
        If an argument cannot be used as it is.

    Notes
    -----
    The estimate is that of ``fairlearn.metrics.equalized_odds_difference``, where every group has positives and
    negatives: fairlearn counts the rate of a group without any as 0. R's ``fairmetrics::eval_eq_odds`` has two signed
    differences, of the false negative and of the false positive rates.

    References
    ----------
    Hardt, Price & Srebro (2016), Equality of opportunity in supervised learning, NIPS; intervals: see `rate_range`.

    Examples
    --------
    >>> import fairstats as fs
    >>> y_true, groups = [1, 0] * 80, ["m"] * 80 + ["f"] * 80
    >>> y_pred = [1, 0, 1, 1] * 20 + [1, 0, 0, 0] * 10 + [1, 0, 0, 1] * 10
    >>> row = fs.stats.equalized_odds_difference(y_true, y_pred, groups=groups)
    >>> round(row.estimate, 2), round(row.conf_low, 2), round(row.conf_high, 2)
    (0.5, 0.33, 0.67)
    """
    known = labels(groups, sensitive_features)
    asked = (y_true, y_pred, known, sample_weight, weight_type, method, conf_level, seed, agg)
    return gap_row("equalized odds difference", ("TPR", "FPR"), "difference", *asked)


def equalized_odds_ratio(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    groups: Any = None,
    sensitive_features: Any = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "probability",
    method: Against = "between_groups",
    agg: Agg = "worst_case",
    conf_level: float = 0.95,
    seed: int = 0,
) -> Estimate:
    """Estimate the smaller of the worst ratios of true and of false positive rates, with an interval.

    Parameters
    ----------
    y_true : array_like, shape (n,)
        Outcomes 0 and 1.
    y_pred : array_like, shape (n,)
        Predictions 0 and 1.
    groups, sensitive_features, sample_weight, weight_type, method, conf_level, seed
        As in `demographic_parity_difference`.
    agg : {"worst_case", "mean"}
        The smaller of the two ratios, or their mean.

    Returns
    -------
    Estimate
        The intervals of all pairs of groups in both rates hold together: the critical value is that of the largest
        statistic over both, which rest on different people. The smallest ratio has the smallest of their limits, the
        mean of two the mean of theirs. Under probability weights each rate has half the error. With ``"to_overall"``
        each group is compared with the others (Bonferroni). There is no estimate where a rate has fewer than two
        groups.

    Raises
    ------
    InputError
        If an argument cannot be used as it is.

    Notes
    -----
    The estimate is that of ``fairlearn.metrics.equalized_odds_ratio``, where every group has positives and negatives.

    References
    ----------
    Hardt, Price & Srebro (2016), Equality of opportunity in supervised learning, NIPS; intervals: see `worst_ratio`.

    Examples
    --------
    >>> import fairstats as fs
    >>> y_true, groups = [1, 0] * 80, ["m"] * 80 + ["f"] * 80
    >>> y_pred = [1, 0, 1, 1] * 20 + [1, 0, 0, 0] * 10 + [1, 0, 0, 1] * 10
    >>> row = fs.stats.equalized_odds_ratio(y_true, y_pred, groups=groups)
    >>> round(row.estimate, 2), round(row.conf_low, 2), round(row.conf_high, 2)
    (0.5, 0.24, 0.67)
    """
    known = labels(groups, sensitive_features)
    asked = (y_true, y_pred, known, sample_weight, weight_type, method, conf_level, seed, agg)
    return gap_row("equalized odds ratio", ("TPR", "FPR"), "ratio", *asked)
