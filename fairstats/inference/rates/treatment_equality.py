"""Treatment equality: whether the false negatives of every group are as many to its false positives."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairstats.choices import WeightType
from fairstats.estimates import Estimate
from fairstats.inference.mover import largest_difference
from fairstats.inference.rates.design_sums import rates_of_weighted
from fairstats.inference.rates.largest_gap import EXTREMES
from fairstats.inference.rates.one_rate import wilson
from fairstats.inference.rates.people_by_group import Members, RateSums, labels, people, without
from fairstats.text import compact

Floats = NDArray[np.float64]
METRIC = "treatment equality"
METHOD = "Wilson limits of the odds, combined (MOVER, Bonferroni over all pairs)"


def treatment_equality(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    groups: Any = None,
    sensitive_features: Any = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "probability",
    conf_level: float = 0.95,
) -> Estimate:
    """Estimate the largest less the smallest ratio of false negatives to false positives of the groups.

    Parameters
    ----------
    y_true, y_pred : array_like, shape (n,)
        Outcomes and predictions, 0 and 1.
    groups, sensitive_features, sample_weight, weight_type, conf_level
        As in `demographic_parity_difference`.

    Returns
    -------
    Estimate
        Among the errors of a group the share q that are false negatives is a proportion, and their ratio to the false
        positives is q / (1 - q). Wilson's limits of q give those of the ratio; the limits of two groups are combined,
        those of all pairs hold together. There is no estimate where a group has false negatives and no false
        positives: its ratio is infinite. A group without errors is left out.

    Raises
    ------
    InputError
        If an argument cannot be used as it is.

    Notes
    -----
    For two groups it is the size of the signed difference of R's ``fairmetrics::eval_treatment_equality``. fairlearn
    has no such function.

    References
    ----------
    Berk, Heidari, Jabbari, Kearns & Roth (2018), Fairness in criminal justice risk assessments, Sociological Methods
    & Research 50, 3-44; Zou & Donner (2008), Statistics in Medicine 27, 1693-1702.

    Examples
    --------
    >>> import fairstats as fs
    >>> y_true, y_pred = [1] * 40 + [0] * 40, [0] * 20 + [1] * 40 + [0] * 20
    >>> groups = ["m", "f"] * 10 + ["m"] * 20 + ["m", "f", "f", "f"] * 5 + ["f"] * 20
    >>> row = fs.stats.treatment_equality(y_true, y_pred, groups=groups)
    >>> round(row.estimate, 2), row.reason
    (1.33, 'observed extremes: m (2.000) and f (0.6667)')
    """
    who, (y, d) = people(labels(groups, sensitive_features), sample_weight, weight_type, y_true=y_true, y_pred=y_pred)
    wrong = who.sums(y == 1, y != d)
    used = np.flatnonzero(wrong.n > 0)
    row = Estimate(METRIC, who.attribute, contrast="difference", role="all groups")
    row = replace(row, n=float(wrong.n.sum()), events=float(wrong.events.sum()))
    absent = without(who, wrong.n, "errors")
    lacking = _lacking(wrong, used, who)
    if lacking or used.size < 2:
        return replace(row, status="unestimable", reason=lacking or absent)
    odds = wrong.events[used] / (wrong.n - wrong.events)[used]
    low_to_high = largest_difference(odds, lambda level: _limits(wrong, used, who, level), conf_level)
    ends = (used[int(np.argmax(odds))], float(odds.max())), (used[int(np.argmin(odds))], float(odds.min()))
    seen = " and ".join(f"{who.groups[i]} ({compact(value)})" for i, value in ends)
    reason = "; ".join(filter(None, [f"{EXTREMES}{seen}", absent]))
    return row.with_interval(*low_to_high, conf_level, method=METHOD, reason=reason)


def _lacking(wrong: RateSums, used: NDArray[np.intp], who: Members) -> str:
    """Why there is no finite ratio, or no error of one, in some group."""
    endless = [who.groups[i] for i in used if wrong.events[i] >= wrong.n[i]]
    if endless:
        return f"no false positives in {', '.join(endless)}: the ratio is infinite"
    if who.drawn and (wrong.people[used] < 2).any():
        return "one weighted error in a group leaves no limits"
    return ""


def _limits(wrong: RateSums, used: NDArray[np.intp], who: Members, level: float) -> tuple[Floats, Floats]:
    if who.drawn:
        design = rates_of_weighted(*wrong, int(np.sum(who.weights > 0)))
        shares = np.array([design.limits(int(i), level) for i in used]).T
    else:
        shares = np.array(wilson(wrong.events[used], wrong.n[used], level))
    with np.errstate(divide="ignore"):
        low, high = shares / (1 - shares)
    return low, high
