"""Fairness metrics of predictive values by their familiar names: predictive parity, equal accuracy of use."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from fairstats.choices import WeightType
from fairstats.estimates import Estimate
from fairstats.inference.rates.familiar_rows import gap_row
from fairstats.inference.rates.people_by_group import labels
from fairstats.inference.rates.rate_gaps import Against, Agg


def predictive_parity_difference(
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
    """Estimate the highest less the lowest positive predictive value of the groups, with an interval.

    Parameters
    ----------
    y_true, y_pred, groups, sensitive_features, sample_weight, weight_type, method, conf_level, seed
        As in `demographic_parity_difference`.

    Returns
    -------
    Estimate
        The interval is `rate_range`'s: all pairs of groups have Miettinen-Nurminen intervals that hold jointly, of
        which it has the largest limits. With ``"to_overall"`` each group is compared with the others (Bonferroni),
        given the shares of the groups. Rows that carry an index are paired by it. A group without positive
        predictions is left out, and the reason says so.

    Raises
    ------
    InputError
        If an argument cannot be used as it is.

    Notes
    -----
    The estimate is that of fairlearn's ``MetricFrame(metrics=precision_score, ...).difference()``, where every group
    has positive predictions; of two groups, the size of the signed difference of R's
    ``fairmetrics::eval_pos_pred_parity``.

    References
    ----------
    Chouldechova (2017), Fair prediction with disparate impact, Big Data 5, 153-163; intervals: see `rate_range`.

    Examples
    --------
    >>> import fairstats as fs
    >>> y_pred, groups = [1] * 80, ["m"] * 40 + ["f"] * 40
    >>> row = fs.stats.predictive_parity_difference([1] * 30 + [0] * 10 + [1] * 20 + [0] * 20, y_pred, groups=groups)
    >>> round(row.estimate, 2), row.reason
    (0.25, 'observed extremes: m (30 of 40) and f (20 of 40)')
    """
    asked = (y_true, y_pred, labels(groups, sensitive_features), sample_weight, weight_type, method, conf_level, seed)
    return gap_row("PPV", ("PPV",), "difference", *asked)


def predictive_parity_ratio(
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
    """Estimate the lowest over the highest positive predictive value of the groups, with an interval.

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
    The estimate is that of fairlearn's ``MetricFrame(metrics=precision_score, ...).ratio()``, where every group has
    positive predictions; R's ``fairmetrics::eval_pos_pred_parity`` has the first group over the second.

    References
    ----------
    Chouldechova (2017), Fair prediction with disparate impact, Big Data 5, 153-163; intervals: see `worst_ratio`.

    Examples
    --------
    >>> import fairstats as fs
    >>> y_pred, groups = [1] * 80, ["m"] * 40 + ["f"] * 40
    >>> row = fs.stats.predictive_parity_ratio([1] * 30 + [0] * 10 + [1] * 20 + [0] * 20, y_pred, groups=groups)
    >>> round(row.estimate, 2), row.reason
    (0.67, 'observed extremes: f (20 of 40) and m (30 of 40)')
    """
    asked = (y_true, y_pred, labels(groups, sensitive_features), sample_weight, weight_type, method, conf_level, seed)
    return gap_row("PPV", ("PPV",), "ratio", *asked)


def conditional_use_accuracy_equality(
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
    """Estimate the larger of the ranges of positive and negative predictive values, with an interval.

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
    R's ``fairmetrics::eval_cond_acc_equality`` has two signed differences, of the positive and of the negative
    predictive values; this is the larger of their sizes. fairlearn has no such function.

    References
    ----------
    Berk, Heidari, Jabbari, Kearns & Roth (2018), Fairness in criminal justice risk assessments, Sociological Methods
    & Research 50, 3-44; intervals: see `rate_range`.

    Examples
    --------
    >>> import fairstats as fs
    >>> y_true, groups = [1, 0] * 80, ["m"] * 80 + ["f"] * 80
    >>> y_pred = [1, 0, 1, 1] * 20 + [1, 0, 0, 0] * 10 + [1, 0, 0, 1] * 10
    >>> row = fs.stats.conditional_use_accuracy_equality(y_true, y_pred, groups=groups)
    >>> round(row.estimate, 2), round(row.conf_low, 2), round(row.conf_high, 2)
    (0.4, 0.18, 0.56)
    """
    known = labels(groups, sensitive_features)
    asked = (y_true, y_pred, known, sample_weight, weight_type, method, conf_level, seed, agg)
    return gap_row("conditional use accuracy difference", ("PPV", "NPV"), "difference", *asked)
