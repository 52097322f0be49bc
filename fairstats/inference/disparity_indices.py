"""Indices that regulators' and vendors' tools print by names of their own, with intervals."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from fairstats.arrays import row_labels, unwrapped
from fairstats.errors import InputError
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.fairness_metrics import ARRAY_CHECKS, RateSums, gap_limits, group_index, labels, people
from fairstats.inference.means import LossSample, inference
from fairstats.inference.rates.equivalence import p_outside
from fairstats.inference.rates.strata_rows import CountedPeople, stratified_rates_of_cells
from fairstats.inference.validation import Level, PairedRows, Positive
from fairstats.language import message
from fairstats.validation import WeightType

Floats = NDArray[np.float64]

CDD_METHOD = message("difference of two standardized shares (Wilson limits combined, t)")
ENTROPY_METHOD = message("delta method, limits corrected for skewness")
ODDS_METHOD = message("Miettinen-Nurminen limits of two differences, combined (MOVER)")
AT_ZERO = message("where the groups are alike its distribution is not normal; test the groups' rates instead")
ONE_SIDED = message("no stratum has people with either decision")


def conditional_demographic_disparity(
    y_pred: PairedRows,
    *,
    groups: Any = None,
    sensitive_features: Any = None,
    strata: PairedRows | None = None,
    sample_weight: PairedRows | None = None,
    weight_type: WeightType | None = None,
    conf_level: Level = 0.95,
) -> Estimates:
    """Estimate by how much each group's share of the refused exceeds its share of the accepted, within strata.

    Parameters
    ----------
    y_pred : array_like, shape (n,)
        Decisions, 1 for those that help the person, else 0.
    groups, sensitive_features, sample_weight, conf_level
        As in `demographic_parity_difference`.
    strata : array_like, shape (n,), optional
        A legitimate factor. Without it it is the demographic disparity of everybody.
    weight_type : {"frequency", "probability"}, optional
        Needed where all weights are whole numbers, which may be either; others are of probability.

    Returns
    -------
    Estimates
        A row a group, in [-1, 1]; above 0 where the group is a larger part of the refused. Strata weigh as their
        people. A stratum where everybody has the same decision has no such difference and is left out.

    Raises
    ------
    InputError
        If an argument cannot be used as it is.

    Notes
    -----
    Given the decisions, shares of a group among refused and accepted are two rates, and the index is their difference,
    standardized over strata; so its limits are those of `stratified_rates`. Amazon SageMaker Clarify (CDDL, CDDPL)
    prints the same number where every stratum has both decisions; elsewhere it counts the missing share as 0.

    References
    ----------
    Wachter, Mittelstadt & Russell (2021), Why fairness cannot be automated, Computer Law & Security Review 41, 105567.

    Examples
    --------
    >>> import fairstats as fs
    >>> admitted, sex = [1] * 30 + [0] * 20 + [1] * 10 + [0] * 40, ["m"] * 50 + ["f"] * 50
    >>> row = fs.stats.conditional_demographic_disparity(admitted, groups=sex)[0]
    >>> row.group, round(row.estimate, 4), round(row.conf_low, 2), round(row.conf_high, 2)
    ('f', 0.4167, 0.21, 0.57)
    """
    if weight_type is None:
        weight_type = _weights_of_probability(sample_weight)
    given: dict[str, Any] = {"y_pred": y_pred} if strata is None else {"y_pred": y_pred, "strata": strata}
    checks = {**ARRAY_CHECKS, "strata": _stratum}
    who, (accepted, *within) = people(
        labels(groups, sensitive_features), sample_weight, weight_type, checks=checks, **given
    )
    codes = within[0].astype(np.intp) if within else np.zeros(accepted.size, dtype=np.intp)
    w, refused = who.weights, accepted == 0
    counted = CountedPeople(np.ones(w.size), w, w * w) if who.drawn else CountedPeople(w, w, w)
    weight = np.bincount(codes, weights=w)
    rows = []
    for i, group in enumerate(who.groups):
        result = stratified_rates_of_cells(who.codes == i, refused, codes, counted, standard=weight, weighted=who.drawn)
        row = Estimate("conditional demographic disparity", who.attribute, group, n=float(w.sum()))
        if np.isnan(result.difference):
            rows.append(row.blank(n=row.n, status="unestimable", reason=result.reason or ONE_SIDED))
            continue
        rows.append(
            row.with_interval(
                result.difference,
                *result.limits(conf_level),
                conf_level,
                p_value=p_outside(result.limits, 0.0),
                method=CDD_METHOD,
            )
        )
    return Estimates(rows)


def _weights_of_probability(sample_weight: Any) -> WeightType:
    """Refuse whole numbers of which it is not said whether they count people."""
    weights = unwrapped(sample_weight)
    weights = np.asarray([] if weights is None else weights)
    if weights.dtype.kind in "iuf" and (weights > 1).any() and (weights == np.round(weights)).all():
        raise InputError(
            "weight_type",
            "is missing, and sample_weight holds whole numbers; pass 'frequency' where they count people, "
            "'probability' where people were sampled.",
        )
    return "probability"


def _stratum(name: str, value: Any) -> Floats:
    if isinstance(value, (list, tuple)) and any(np.ndim(one) for one in value):
        raise InputError(
            name,
            "has several columns; it is one label a row; join them, as [f'{a}, {b}' for a, b in zip(first, second)].",
        )
    return np.unique(row_labels(name, value), return_inverse=True)[1].astype(float)


def generalized_entropy(
    y_true: PairedRows,
    y_pred: PairedRows,
    *,
    groups: Any = None,
    sensitive_features: Any = None,
    alpha: Positive = 2.0,
    sample_weight: PairedRows | None = None,
    weight_type: WeightType = "probability",
    conf_level: Level = 0.95,
) -> Estimates:
    """Estimate how unequally predictions benefit people, and which part of that lies between groups.

    Parameters
    ----------
    y_true, y_pred : array_like, shape (n,)
        Outcomes and predictions, 0 and 1. A person's benefit is 1 + prediction - outcome: 0, 1 or 2.
    groups, sensitive_features, sample_weight, weight_type, conf_level
        As in `demographic_parity_difference`.
    alpha : float
        Of the index, above 0; 1 is Theil's, 2 half the squared coefficient of variation.

    Returns
    -------
    Estimates
        Rows "generalized entropy", "generalized entropy between groups" and "generalized entropy within groups", of
        which the last two add up to the first. The part between groups has no interval: where groups are alike it is
        at its lowest value, near which the delta method does not hold.

    Raises
    ------
    InputError
        If an argument cannot be used as it is.

    Notes
    -----
    The values are those of AIF360's ``generalized_entropy_index``, ``theil_index`` and
    ``between_all_groups_generalized_entropy_index``.

    References
    ----------
    Speicher, Heidari, Grgic-Hlaca, Gummadi, Singla, Weller & Zafar (2018), A unified approach to quantifying
    algorithmic unfairness, KDD; Cowell & Flachaire (2007), Income distribution and inequality measurement: the problem
    of extreme values, Journal of Econometrics 141, 1044-1072 (variance).

    Examples
    --------
    >>> import fairstats as fs
    >>> y_true, y_pred = [1, 0, 1, 0] * 20, [1, 1, 0, 0] * 20
    >>> rows = fs.stats.generalized_entropy(y_true, y_pred, groups=["a", "a", "b", "b"] * 20)
    >>> [round(row.estimate, 4) for row in rows]
    [0.25, 0.125, 0.125]
    """
    who, (y, d) = people(labels(groups, sensitive_features), sample_weight, weight_type, y_true=y_true, y_pred=y_pred)
    benefit, w = 1 + d - y, who.weights
    share = w / w.sum()
    sizes = np.bincount(who.codes, share)
    mean = np.bincount(who.codes, share * benefit) / np.where(sizes > 0, sizes, 1.0)
    whole, of_whole = _entropy(benefit, benefit, share, alpha)
    between, of_between = _entropy(mean[who.codes], benefit, share, alpha)
    parts: list[tuple[str, float, Floats | None]] = [
        ("generalized entropy", whole, of_whole),
        ("generalized entropy between groups", between, None),
        ("generalized entropy within groups", whole - between, of_whole - of_between),
    ]
    rows = []
    for name, value, influence in parts:
        row = Estimate(name, who.attribute, n=float(w.sum()), estimate=value)
        if influence is None:
            rows.append(row.blank(n=row.n, estimate=value, reason=AT_ZERO))
            continue
        values, counts = (influence, w) if who.drawn else (np.repeat(influence, w.astype(np.int64)), None)
        result = inference(value, (LossSample.of(values, 1e-15, counts),), conf_level)
        rows.append(
            row.with_interval(value, max(0.0, result.low), result.high, conf_level, method=ENTROPY_METHOD)
            if np.isfinite(result.low)
            else row
        )
    return Estimates(rows)


def _entropy(values: Floats, benefit: Floats, share: Floats, alpha: float) -> tuple[float, Floats]:
    """The entropy of benefits, or of their groups' means in place of them, with each person's influence on it."""
    mean = float(share @ benefit)
    if mean == 0:
        return 0.0, np.zeros(benefit.size)
    if alpha == 1:
        value, slope = xlogy(values, values), np.log(np.where(values > 0, values, 1.0)) + 1
    else:
        value, slope = values**alpha, alpha * np.where(values > 0, values, 1.0) ** (alpha - 1) * (values > 0)
    level = float(share @ value)
    change = value - level + slope * (benefit - values)
    if alpha == 1:
        return level / mean - np.log(mean), change / mean - (level / mean + 1) * (benefit - mean) / mean
    scale = alpha * (alpha - 1)
    power = mean**alpha
    return (level / power - 1) / scale, (change - alpha * level * (benefit - mean) / mean) / (power * scale)


def average_odds_difference(
    y_true: PairedRows,
    y_pred: PairedRows,
    *,
    groups: Any = None,
    sensitive_features: Any = None,
    reference: str | None = None,
    sample_weight: PairedRows | None = None,
    weight_type: WeightType = "probability",
    conf_level: Level = 0.95,
) -> Estimates:
    """Estimate for each group the mean of its differences of true and of false positive rate from a reference.

    Parameters
    ----------
    y_true, y_pred, groups, sensitive_features, sample_weight, weight_type, conf_level
        As in `equalized_odds_difference`.
    reference : str, optional
        The group that others are compared with; the largest.

    Returns
    -------
    Estimates
        A row for every other group, signed: group minus reference. The two rates rest on different people, so that
        the limits of their differences are combined as independent ones.

    Raises
    ------
    InputError
        If an argument cannot be used as it is.

    Notes
    -----
    The value is that of AIF360's ``average_odds_difference`` and holisticai's ``average_odds_diff``. Differences of
    opposite signs cancel in it; `equalized_odds_difference` does not let them.

    References
    ----------
    Bellamy et al. (2019), AI Fairness 360, IBM Journal of Research and Development 63 (4/5); Zou & Donner (2008),
    Statistics in Medicine 27, 1693-1702.

    Examples
    --------
    >>> import fairstats as fs
    >>> y_true, groups = [1, 0] * 80, ["m"] * 80 + ["f"] * 80
    >>> y_pred = [1, 0, 1, 1] * 20 + [1, 0, 0, 0] * 10 + [1, 0, 0, 1] * 10
    >>> row = fs.stats.average_odds_difference(y_true, y_pred, groups=groups, reference="m")[0]
    >>> row.group, round(row.estimate, 2), round(row.conf_low, 2), round(row.conf_high, 2)
    ('f', -0.38, -0.5, -0.25)
    """
    who, (y, d) = people(labels(groups, sensitive_features), sample_weight, weight_type, y_true=y_true, y_pred=y_pred)
    base = group_index(reference, who)
    sums = who.sums(d == 1, y == 1), who.sums(d == 1, y == 0)
    rows = []
    for i, group in enumerate(who.groups):
        if i == base:
            continue
        about = "average odds difference", who.attribute, group, "difference", who.groups[base]
        row = Estimate(*about, n=float(sum(rate.n[i] for rate in sums)))
        if min(rate.n[[i, base]].min() for rate in sums) == 0:
            reason = message("no positives, or no negatives, in one of the two groups")
            rows.append(row.blank(n=row.n, status="unestimable", reason=reason))
            continue
        pairs = [RateSums(*(part[[i, base]] for part in rate)) for rate in sums]
        gaps = np.array([pair.events[0] / pair.n[0] - pair.events[1] / pair.n[1] for pair in pairs])

        def limits(level: float, pairs: Any = pairs, gaps: Floats = gaps) -> tuple[float, float]:
            low, high = np.array([gap_limits(pair, who, "difference", level) for pair in pairs]).T
            return tuple(gaps.mean() + sign * np.linalg.norm(gaps - end) / 2 for sign, end in ((-1, low), (1, high)))

        p = p_outside(limits, 0.0)
        value = float(gaps.mean())
        rows.append(row.with_interval(value, *limits(conf_level), conf_level, p_value=p, method=ODDS_METHOD))
    return Estimates(rows)
