"""Demographic parity and equal opportunity by their familiar names: from people as arrays, with intervals that hold."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Annotated, Any, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fairstats.arrays import LARGEST, array
from fairstats.data.groups import Groups
from fairstats.data.tables import aligned, first_index, is_table
from fairstats.errors import InputError, Setting, listing, nearest, snippet, with_hint
from fairstats.estimates import NAN, Estimate, Estimates
from fairstats.inference.means import LossSample, inference, largest_difference
from fairstats.inference.rates.many_rates import NAMES, extremes, range_parts
from fairstats.inference.rates.one_rate import wilson
from fairstats.inference.rates.survey import DESIGN_NAMES, DesignFamily, DesignRates, rates_of_weighted
from fairstats.inference.rates.two_rates import koopman, miettinen_nurminen
from fairstats.inference.scores.calibration import mean_loss
from fairstats.inference.scores.roc import area_between
from fairstats.inference.validation import Level, PairedRows, Repeats, Seed, unchecked
from fairstats.labels import holds_missing, join
from fairstats.language import DataText, Message, joined, labels_of, message
from fairstats.metrics import METRICS
from fairstats.text import compact, count, number, percent
from fairstats.validation import WEIGHT_TYPES, Contrast, WeightType, one_of, random_seed, real, shown

Floats = NDArray[np.float64]


# Members as arrays, checked once: outcomes, predictions or probabilities, a group and a weight for each.


Mask = NDArray[np.bool_]


class GroupLabels(NamedTuple):
    """What was passed as the groups, and the name that it was passed by."""

    name: str
    values: Any


def labels(groups: Any, sensitive_features: Any) -> GroupLabels:
    """Return the groups by the one name that they were passed by: ours, or fairlearn's."""
    if sensitive_features is None:
        return GroupLabels("groups", groups)
    if groups is not None:
        raise InputError("groups and sensitive_features are two names of one argument; pass one of them.")
    return GroupLabels("sensitive_features", sensitive_features)


class RateSums(NamedTuple):
    """Of some people, by group: summed weights of those with a property and of all, the same of their squares."""

    events: Floats
    n: Floats
    events2: Floats
    n2: Floats
    people: Floats


@dataclass(frozen=True, eq=False)
class Members:
    """Who belongs to which group, and what each counts.

    ``drawn`` says that the weights are inverse sampling probabilities; otherwise a weight counts people.
    """

    groups: tuple[str, ...]
    codes: NDArray[np.intp]
    weights: Floats
    drawn: bool
    attribute: str = ""  # what the groups are of, where they came with a name

    def sums(self, event: Mask, among: Mask) -> RateSums:
        """The sums of one rate: how many of those ``among`` whom it is asked have the event."""
        current = among & (self.weights > 0)
        code, w, has = self.codes[current], self.weights[current], event[current]
        parts = (w * has, w, w * w * has, w * w, np.ones(w.size))
        return RateSums(*(np.bincount(code, part, len(self.groups)).astype(float) for part in parts))

    def of(self, group: int, among: Mask) -> Mask:
        """Which people of one group are among some, those without weight left out."""
        return among & (self.codes == group) & (self.weights > 0)


def people(
    groups: Any,
    sample_weight: Any,
    weight_type: WeightType,
    *,
    probabilities: bool = True,
    checks: Mapping[str, Callable[[str, Any], Floats]] | None = None,
    **rows: Any,
) -> tuple[Members, list[Floats]]:
    """Judge what was passed as one entry a person, and put it in the order of the first that carries an index.

    groups: a label a person; several columns are their intersection. `GroupLabels` also say by what name they came.
    probabilities: whether ``y_score`` are; otherwise they are any finite numbers.
    checks: what each of the rows has to be, where that is something else.
    **rows: ``y_true`` and ``y_pred``: 0 or 1; ``y_score``: `probabilities`; others: finite numbers.

    >>> result, (y,) = people(["a", "b", "b"], None, "probability", y_true=[1, 0, 1])
    >>> result.groups, result.codes.tolist(), y.tolist()
    (('a', 'b'), [0, 1, 1], [1.0, 0.0, 1.0])
    """
    one_of("weight_type", weight_type, WEIGHT_TYPES)
    called, groups = groups if isinstance(groups, GroupLabels) else GroupLabels("groups", groups)
    if groups is None:
        raise InputError(f"{called} is absent; pass a label a person, as groups or as sensitive_features.")
    given = {**rows, called: groups, "sample_weight": sample_weight}
    name, index = first_index(*given.items())
    in_order = {k: aligned(v, index, k, name) for k, v in given.items() if v is not None}
    types = checks or (ARRAY_CHECKS if probabilities else {**ARRAY_CHECKS, "y_score": _numbers})
    values = {k: types.get(k, _numbers)(k, in_order.get(k)) for k in rows}
    checked = Groups.of(in_order.get(called), missing="level")
    if checked.continuous_names:
        raise InputError(f"{called} has {shown(groups)}; it is a label a person; cut a measurement into classes.")
    weights = _weights("sample_weight", in_order.get("sample_weight"), weight_type)
    sizes = {**{k: v.size for k, v in values.items()}, called: checked.n}
    sizes |= {} if weights is None else {"sample_weight": weights.size}
    if len(set(sizes.values())) > 1:
        text = ", ".join(f"{k} has {size}" for k, size in sizes.items())
        raise InputError(f"{text} entries; these belong to the same people; pass as many of each.")
    codes, cells = checked.cells
    names = tuple(join(cell) if len(cell) > 1 else "".join(cell) for cell in cells)
    if unknown := sum(int(np.sum(codes == k)) for k, label in enumerate(names) if holds_missing(label)):
        raise InputError(
            f"{called} has {unknown} missing value{'s' * (unknown > 1)}; leave those people out, or give them a label."
        )
    drawn = weights is not None and weight_type == "probability"
    named = isinstance(getattr(groups, "name", None), str) or is_table(groups)
    attribute = ":".join(checked.names) if named else ""
    counts = np.ones(checked.n) if weights is None else weights
    return Members(names, codes, counts, drawn, attribute), list(values.values())


def _binary(name: str, value: Any) -> Floats:
    values = array(name, value, dims=(1,))
    wrong = ~np.isin(values, (0, 1))
    if wrong.any():
        way = f"{name} == the label that counts as 1"
        if ((values > 0) & (values < 1)).any():  # no labels: scores
            way = f"decisions, as {snippet(f'{name} >= 0.5')} makes them of scores"
        raise InputError(name, f"has {values[wrong][0]:g}; each is 0 or 1; pass {way}.")
    return values


def _shares(name: str, value: Any) -> Floats:
    return array(name, value, low=0, high=1, dims=(1,))


def _numbers(name: str, value: Any) -> Floats:
    return array(name, value, low=-LARGEST, high=LARGEST, dims=(1,))


ARRAY_CHECKS: dict[str, Callable[[str, Any], Floats]] = {"y_true": _binary, "y_pred": _binary, "y_score": _shares}


def _weights(name: str, value: Any, weight_type: str) -> Floats | None:
    if value is None:
        return None
    values = array(name, value, low=0, high=1e12, dims=(1,))
    if not values.any():
        raise InputError(name, "has zeros only; nobody would count; pass a weight above 0.")
    if weight_type == "frequency" and (values != np.round(values)).any():
        raise InputError(
            name,
            f"has {values[values != np.round(values)][0]:g}; a frequency counts people; of weights of a survey pass "
            f"{Setting('weight_type', 'probability')}.",
        )
    return values


def without(people: Members, n: Floats, text: Message) -> str:
    """The words for groups that have nobody a rate is about.

    >>> result, _ = people(["a", "b"], None, "probability", y_true=[1, 0])
    >>> without(result, np.array([1.0, 0.0]), message("no positives in {groups}"))
    'no positives in b'
    """
    empty: Sequence[str] = [label for label, size in zip(people.groups, n, strict=True) if size <= 0]
    return text.format(groups=labels_of(people.attribute, empty)) if empty else ""


# Treatment equality: whether the false negatives of every group are as many to its false positives.


METRIC = "treatment equality"
METHOD = "Wilson limits of the odds, combined (MOVER, Bonferroni over all pairs)"


def treatment_equality(
    y_true: PairedRows,
    y_pred: PairedRows,
    *,
    groups: Any = None,
    sensitive_features: Any = None,
    sample_weight: PairedRows | None = None,
    weight_type: WeightType = "probability",
    conf_level: Level = 0.95,
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
    row = Estimate(METRIC, who.attribute, contrast="difference", role="omnibus")
    row = replace(row, n=float(wrong.n.sum()), events=float(wrong.events.sum()))
    absent = without(who, wrong.n, message("no errors in {groups}"))
    lacking = _lacking(wrong, used, who)
    if lacking or used.size < 2:
        return replace(row, status="unestimable", reason=lacking or absent)
    odds = wrong.events[used] / (wrong.n - wrong.events)[used]
    low_to_high = largest_difference(odds, lambda level: _limits(wrong, used, who, level), conf_level)
    ends = (used[int(np.argmax(odds))], float(odds.max())), (used[int(np.argmin(odds))], float(odds.min()))
    reason = joined([extremes(who.attribute, [(who.groups[i], compact(value)) for i, value in ends]), absent])
    return row.with_interval(*low_to_high, conf_level, method=METHOD, reason=reason)


def _lacking(wrong: RateSums, used: NDArray[np.intp], who: Members) -> str:
    """Why there is no finite ratio, or no error of one, in some group."""
    endless = [who.groups[i] for i in used if wrong.events[i] >= wrong.n[i]]
    if endless:
        groups = labels_of(who.attribute, endless)
        return message("no false positives in {groups}: the ratio is infinite", groups=groups)
    if who.drawn and (wrong.people[used] < 2).any():
        return message("one weighted error in a group leaves no limits")
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


# The largest difference and the worst ratio of one rate or of several, between groups or to everybody, with limits.


Limits = tuple[float, float, float]  # estimate, low, high
Against = Literal["between_groups", "to_overall"]
Agg = Literal["worst_case", "mean"]
AGAINST = ("between_groups", "to_overall")
WORST: Final = "worst_case"
AGGS = (WORST, "mean")
TO_OVERALL = {
    "difference": "Miettinen-Nurminen intervals of each group and all others, Bonferroni",
    "ratio": "Koopman intervals of each group and all others, Bonferroni",
}
DESIGNED = ", effective sizes, t"


@dataclass(frozen=True)
class Gap:
    """A gap with its limits, the test of no gap, and how they were made."""

    estimate: float
    low: float
    high: float
    statistic: float
    p_value: float
    method: str


def gap(
    rates: Sequence[RateSums],
    people: Members,
    contrast: Contrast,
    against: Against,
    agg: Agg,
    conf_level: float,
    seed: int,
) -> Gap:
    """The largest difference (or smallest ratio) of some rates, or the mean of theirs, with limits that hold jointly.

    rates: one a rate; groups without anybody in a denominator do not count there.
    people: whose weights say which kind of inference there is.
    against: the highest rate and the lowest, or the group furthest from the rate of everybody.
    agg: of several rates.
    conf_level, seed: of the limits, and of the permutations behind them.
    Returns: NaN where a rate has fewer than two groups, a ratio is 0/0, or a weighted group has one person only.

    >>> from fairstats.inference.fairness_metrics import people
    >>> result, (y,) = people(["a"] * 50 + ["b"] * 50, None, "frequency", y=[1] * 40 + [0] * 10 + [1, 0] * 25)
    >>> matches = gap([result.sums(y == 1, y >= 0)], result, "difference", "between_groups", "worst_case", 0.95, 0)
    >>> round(matches.estimate, 2), matches.low > 0
    (0.3, True)
    """
    how = _to_overall if against == "to_overall" else _by_design if people.drawn else _by_counts
    parts, statistic, p, method = how(rates, people, contrast, conf_level, seed)
    if np.isnan(parts).any():
        return Gap(NAN, NAN, NAN, NAN, NAN, method)
    worst = np.max if contrast == "difference" else np.min
    estimate, low, high = (np.mean if agg == "mean" else worst)(parts, axis=0)
    return Gap(float(estimate), float(low), float(high), statistic, p, method)


GapParts = tuple[Floats, float, float, str]


def _by_counts(
    rates: Sequence[RateSums], people: Members, contrast: Contrast, conf_level: float, seed: int
) -> GapParts:
    events, n = np.array([r.events for r in rates]), np.array([r.n for r in rates])
    joint, parts = range_parts(events, n, conf_level, contrast, seed=seed)
    return parts, joint.statistic, joint.p_value, NAMES[contrast]


def _by_design(
    rates: Sequence[RateSums], people: Members, contrast: Contrast, conf_level: float, seed: int
) -> GapParts:
    """Each rate has its share of the error: nothing is asked of how several rates depend on each other."""
    level = 1 - (1 - conf_level) / len(rates)
    items = []
    for rate in rates:
        design = _design(rate, people)
        family = DesignFamily(design, tuple(np.flatnonzero(rate.n > 0).tolist()))
        whole = design.estimable[rate.n > 0].all()
        of = family.largest_difference if contrast == "difference" else family.worst_ratio
        items.append(of(level) if whole else (NAN, NAN, NAN, NAN))
    p = min(1.0, len(rates) * float(np.min([row[3] for row in items])))
    return np.array(items)[:, :3], NAN, p, DESIGN_NAMES[contrast]


def _design(rate: RateSums, people: Members) -> DesignRates:
    return rates_of_weighted(*rate, int(np.sum(people.weights > 0)))


def _to_overall(
    rates: Sequence[RateSums], people: Members, contrast: Contrast, conf_level: float, seed: int
) -> GapParts:
    """A group against everybody is a group against the others, less its own share; limits given the groups' shares."""
    groups = sum(int(np.sum(rate.n > 0)) for rate in rates)
    level = 1 - (1 - conf_level) / max(groups, 1)
    parts = [_furthest(rate, people, contrast, level) for rate in rates]
    return np.array(parts), NAN, NAN, TO_OVERALL[contrast] + DESIGNED * people.drawn


def _furthest(rate: RateSums, people: Members, contrast: Contrast, level: float) -> Limits:
    places = np.flatnonzero(rate.n > 0)
    total = float(rate.events.sum() / rate.n.sum()) if places.size else NAN
    if places.size < 2 or (contrast == "ratio" and not total > 0):
        return NAN, NAN, NAN
    values = np.array([_one_to_all(rate, people, int(i), contrast, level) for i in places])
    return tuple((np.max if contrast == "difference" else np.min)(values, axis=0).tolist())


def _one_to_all(rate: RateSums, people: Members, i: int, contrast: Contrast, level: float) -> Limits:
    two = RateSums(*(np.array([part[i], part.sum() - part[i]]) for part in rate))
    share = float(two.n[0] / two.n.sum())
    ratio, others = float(two.events[0] / two.n[0]), float(two.events[1] / two.n[1])
    overall = float(two.events.sum() / two.n.sum())
    if contrast == "difference":
        low, high = ((1 - share) * end for end in gap_limits(two, people, contrast, level))
        return abs(ratio - overall), max(0.0, low, -high), max(abs(low), abs(high))
    if ratio == others == 0:
        return NAN, NAN, NAN
    low, high = (_to_all(end, share) for end in gap_limits(two, people, contrast, level))
    ends = sorted((_at_most_one(low), _at_most_one(high)))
    return _at_most_one(ratio / overall), ends[0], 1.0 if low <= 1 <= high else ends[1]


def gap_limits(two: RateSums, people: Members, contrast: Contrast, level: float) -> tuple[float, float]:
    """Of the first group against the second."""
    if people.drawn:
        design = _design(two, people)
        pair = design.pair(0, 1)
        if not design.estimable.all():
            return NAN, NAN
        return pair.limits(level) if contrast == "difference" else pair.ratio_limits(level)
    interval: Callable[..., tuple[Floats, Floats]] = miettinen_nurminen if contrast == "difference" else koopman
    low, high = interval(two.events[0], two.n[0], two.events[1], two.n[1], level)
    return float(low), float(high)


def _to_all(ratio: float, share: float) -> float:
    """The ratio of a group to everybody from that to the others."""
    return 1 / share if np.isinf(ratio) else ratio / (share * ratio + 1 - share)


def _at_most_one(ratio: float) -> float:
    return min(ratio, 1 / ratio) if ratio > 0 else 0.0


# The row of a familiar statistic of rates: its estimate and limits, the groups at both ends, and why there is none.


NO_POSITIVES, NO_NEGATIVES = message("no positives in {groups}"), message("no negatives in {groups}")
WITHOUT = {  # what a rate is given -> the text of groups that have nobody of these
    "": message("no weight in {groups}"),
    "Y=1": NO_POSITIVES,
    "Y=0": NO_NEGATIVES,
    "D=1": message("no predicted positives in {groups}"),
    "D=0": message("no predicted negatives in {groups}"),
}
ONE_PERSON = message("one weighted person in a group leaves no error")


Sample = tuple[Members, list[Floats]]  # people, and what is known of each


def gap_row(
    name: str,
    rates: tuple[str, ...],
    contrast: Contrast,
    sample: Sample,
    method: Against,
    conf_level: float,
    seed: int,
    agg: Agg = WORST,
) -> Estimate:
    """The gap of one rate or of several as a tidy row of the role "all groups".

    Parameters
    ----------
    name : str
        The metric of the row.
    rates : tuple of str
        Rates of the vocabulary, made of outcome and prediction.
    sample : Members, (y_true, y_pred)
        What `people` returns.
    contrast, method, agg, conf_level, seed
        As in `gap`.

    Examples
    --------
    >>> rows = {"y_true": [1, 1, 0, 0] * 10, "y_pred": [1, 0, 0, 0] * 10}
    >>> sample = people(["a", "b"] * 20, None, "probability", **rows)
    >>> gap_row("TPR", ("TPR",), "difference", sample, "between_groups", 0.95, 0).reason
    'observed extremes: a (10 of 10) and b (0 of 10)'
    """
    one_of("method", method, AGAINST)
    one_of("agg", agg, AGGS)
    who, (y, d) = sample
    sums = {rate: rate_sums(rate, y, d, who) for rate in rates}
    result = gap(list(sums.values()), who, contrast, method, agg, conf_level, seed)
    n = float(np.sum([s.n.sum() for s in sums.values()]))
    row = Estimate(name, who.attribute, contrast=contrast, role="omnibus", n=n, method=result.method)
    if len(rates) == 1:
        row = replace(row, events=float(sums[rates[0]].events.sum()))
    absent = joined(left_out(rate, part, who) for rate, part in sums.items())
    if np.isnan(result.estimate):
        return replace(row, method="", status="unestimable", reason=absent or _why(sums, who))
    built = row.with_interval(result.estimate, result.low, result.high, conf_level)
    return replace(
        built,
        statistic=result.statistic,
        p_value=result.p_value,
        reason=joined([*_seen(sums, who, contrast), absent]),
    )


def rate_sums(rate: str, y: Any, d: Any, who: Members) -> RateSums:
    """The sums of a rate of the vocabulary, the positive prediction being the favorable one."""
    events, among = METRICS[rate].cells()

    def kept(cells: Any) -> Mask:
        return np.asarray(
            np.logical_or.reduce(
                [(y == current) & (d == other) for current, other in cells if 2 not in (current, other)]
            )
        )

    return who.sums(kept(events), kept(among))


def left_out(rate: str, part: RateSums, who: Members) -> str:
    """The words for groups without anybody in the denominator of a rate."""
    return without(who, part.n, WITHOUT[METRICS[rate].given])


def _why(sums: Mapping[str, RateSums], who: Members) -> str:
    if who.drawn and any(((part.people > 0) & (part.people < 2)).any() for part in sums.values()):
        return ONE_PERSON
    return message("no events in any group: 0/0")


def _seen(sums: Mapping[str, RateSums], who: Members, contrast: Contrast) -> list[Message]:
    items = []
    for rate, part in sums.items():
        shares = np.divide(part.events, part.n, out=np.full(part.n.size, np.nan), where=part.n > 0)
        ends = [int(np.nanargmax(shares)), int(np.nanargmin(shares))][:: 1 if contrast == "difference" else -1]
        seen = extremes(who.attribute, [(who.groups[i], _share(part, i, who)) for i in ends])
        items.append(message("{metric}: {seen}", metric=DataText(rate), seen=seen) if len(sums) > 1 else seen)
    return items


def _share(part: RateSums, i: int, who: Members) -> str:
    if who.drawn:
        return message("{share}%", share=percent(float(part.events[i] / part.n[i])))
    return message("{k} of {n}", k=count(float(part.events[i])), n=count(float(part.n[i])))


def demographic_parity_difference(
    y_true: PairedRows,
    y_pred: PairedRows,
    *,
    groups: Any = None,
    sensitive_features: Any = None,
    sample_weight: PairedRows | None = None,
    weight_type: WeightType = "probability",
    method: Against = "between_groups",
    conf_level: Level = 0.95,
    seed: Seed = 0,
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
        The interval is `max_difference`'s: all pairs of groups have Miettinen-Nurminen intervals that hold jointly, of
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
    Dwork, Hardt, Pitassi, Reingold & Zemel (2012), Fairness through awareness, ITCS; intervals: see `max_difference`.

    Examples
    --------
    >>> import fairstats as fs
    >>> y_pred, groups = [1] * 30 + [0] * 20 + [1] * 10 + [0] * 40, ["m"] * 50 + ["f"] * 50
    >>> row = fs.stats.demographic_parity_difference(y_pred, y_pred, groups=groups)
    >>> round(row.estimate, 2), round(row.conf_low, 2), round(row.conf_high, 2)
    (0.4, 0.21, 0.56)
    """
    sample = people(labels(groups, sensitive_features), sample_weight, weight_type, y_true=y_true, y_pred=y_pred)
    return gap_row("selection rate", ("positive rate",), "difference", sample, method, conf_level, seed)


def demographic_parity_ratio(
    y_true: PairedRows,
    y_pred: PairedRows,
    *,
    groups: Any = None,
    sensitive_features: Any = None,
    sample_weight: PairedRows | None = None,
    weight_type: WeightType = "probability",
    method: Against = "between_groups",
    conf_level: Level = 0.95,
    seed: Seed = 0,
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
    sample = people(labels(groups, sensitive_features), sample_weight, weight_type, y_true=y_true, y_pred=y_pred)
    return gap_row("selection rate", ("positive rate",), "ratio", sample, method, conf_level, seed)


def equal_opportunity_difference(
    y_true: PairedRows,
    y_pred: PairedRows,
    *,
    groups: Any = None,
    sensitive_features: Any = None,
    sample_weight: PairedRows | None = None,
    weight_type: WeightType = "probability",
    method: Against = "between_groups",
    conf_level: Level = 0.95,
    seed: Seed = 0,
) -> Estimate:
    """Estimate the highest less the lowest true positive rate of the groups, with an interval.

    Parameters
    ----------
    y_true, y_pred, groups, sensitive_features, sample_weight, weight_type, method, conf_level, seed
        As in `demographic_parity_difference`.

    Returns
    -------
    Estimate
        The interval is `max_difference`'s: all pairs of groups have Miettinen-Nurminen intervals that hold jointly, of
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
    Hardt, Price & Srebro (2016), Equality of opportunity in supervised learning, NIPS; intervals: see `max_difference`.

    Examples
    --------
    >>> import fairstats as fs
    >>> y_true, groups = [1] * 80, ["m"] * 40 + ["f"] * 40
    >>> row = fs.stats.equal_opportunity_difference(y_true, [1] * 30 + [0] * 10 + [1] * 20 + [0] * 20, groups=groups)
    >>> round(row.estimate, 2), row.reason
    (0.25, 'observed extremes: m (30 of 40) and f (20 of 40)')
    """
    sample = people(labels(groups, sensitive_features), sample_weight, weight_type, y_true=y_true, y_pred=y_pred)
    return gap_row("TPR", ("TPR",), "difference", sample, method, conf_level, seed)


def equal_opportunity_ratio(
    y_true: PairedRows,
    y_pred: PairedRows,
    *,
    groups: Any = None,
    sensitive_features: Any = None,
    sample_weight: PairedRows | None = None,
    weight_type: WeightType = "probability",
    method: Against = "between_groups",
    conf_level: Level = 0.95,
    seed: Seed = 0,
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
    sample = people(labels(groups, sensitive_features), sample_weight, weight_type, y_true=y_true, y_pred=y_pred)
    return gap_row("TPR", ("TPR",), "ratio", sample, method, conf_level, seed)


# Equalized odds, as difference and as ratio: from people as arrays, with intervals that hold for both rates.


def equalized_odds_difference(
    y_true: PairedRows,
    y_pred: PairedRows,
    *,
    groups: Any = None,
    sensitive_features: Any = None,
    sample_weight: PairedRows | None = None,
    weight_type: WeightType = "probability",
    method: Against = "between_groups",
    agg: Agg = "worst_case",
    conf_level: Level = 0.95,
    seed: Seed = 0,
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
    Hardt, Price & Srebro (2016), Equality of opportunity in supervised learning, NIPS; intervals: see `max_difference`.

    Examples
    --------
    >>> import fairstats as fs
    >>> y_true, groups = [1, 0] * 80, ["m"] * 80 + ["f"] * 80
    >>> y_pred = [1, 0, 1, 1] * 20 + [1, 0, 0, 0] * 10 + [1, 0, 0, 1] * 10
    >>> row = fs.stats.equalized_odds_difference(y_true, y_pred, groups=groups)
    >>> round(row.estimate, 2), round(row.conf_low, 2), round(row.conf_high, 2)
    (0.5, 0.33, 0.67)
    """
    sample = people(labels(groups, sensitive_features), sample_weight, weight_type, y_true=y_true, y_pred=y_pred)
    return gap_row("equalized odds difference", ("TPR", "FPR"), "difference", sample, method, conf_level, seed, agg)


def equalized_odds_ratio(
    y_true: PairedRows,
    y_pred: PairedRows,
    *,
    groups: Any = None,
    sensitive_features: Any = None,
    sample_weight: PairedRows | None = None,
    weight_type: WeightType = "probability",
    method: Against = "between_groups",
    agg: Agg = "worst_case",
    conf_level: Level = 0.95,
    seed: Seed = 0,
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
    sample = people(labels(groups, sensitive_features), sample_weight, weight_type, y_true=y_true, y_pred=y_pred)
    return gap_row("equalized odds ratio", ("TPR", "FPR"), "ratio", sample, method, conf_level, seed, agg)


# Fairness metrics of predictive values by their familiar names: predictive parity, equal accuracy of use.


def predictive_parity_difference(
    y_true: PairedRows,
    y_pred: PairedRows,
    *,
    groups: Any = None,
    sensitive_features: Any = None,
    sample_weight: PairedRows | None = None,
    weight_type: WeightType = "probability",
    method: Against = "between_groups",
    conf_level: Level = 0.95,
    seed: Seed = 0,
) -> Estimate:
    """Estimate the highest less the lowest positive predictive value of the groups, with an interval.

    Parameters
    ----------
    y_true, y_pred, groups, sensitive_features, sample_weight, weight_type, method, conf_level, seed
        As in `demographic_parity_difference`.

    Returns
    -------
    Estimate
        The interval is `max_difference`'s: all pairs of groups have Miettinen-Nurminen intervals that hold jointly, of
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
    Chouldechova (2017), Fair prediction with disparate impact, Big Data 5, 153-163; intervals: see `max_difference`.

    Examples
    --------
    >>> import fairstats as fs
    >>> y_pred, groups = [1] * 80, ["m"] * 40 + ["f"] * 40
    >>> row = fs.stats.predictive_parity_difference([1] * 30 + [0] * 10 + [1] * 20 + [0] * 20, y_pred, groups=groups)
    >>> round(row.estimate, 2), row.reason
    (0.25, 'observed extremes: m (30 of 40) and f (20 of 40)')
    """
    sample = people(labels(groups, sensitive_features), sample_weight, weight_type, y_true=y_true, y_pred=y_pred)
    return gap_row("PPV", ("PPV",), "difference", sample, method, conf_level, seed)


def predictive_parity_ratio(
    y_true: PairedRows,
    y_pred: PairedRows,
    *,
    groups: Any = None,
    sensitive_features: Any = None,
    sample_weight: PairedRows | None = None,
    weight_type: WeightType = "probability",
    method: Against = "between_groups",
    conf_level: Level = 0.95,
    seed: Seed = 0,
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
    sample = people(labels(groups, sensitive_features), sample_weight, weight_type, y_true=y_true, y_pred=y_pred)
    return gap_row("PPV", ("PPV",), "ratio", sample, method, conf_level, seed)


def conditional_use_accuracy_equality(
    y_true: PairedRows,
    y_pred: PairedRows,
    *,
    groups: Any = None,
    sensitive_features: Any = None,
    sample_weight: PairedRows | None = None,
    weight_type: WeightType = "probability",
    method: Against = "between_groups",
    agg: Agg = "worst_case",
    conf_level: Level = 0.95,
    seed: Seed = 0,
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
    & Research 50, 3-44; intervals: see `max_difference`.

    Examples
    --------
    >>> import fairstats as fs
    >>> y_true, groups = [1, 0] * 80, ["m"] * 80 + ["f"] * 80
    >>> y_pred = [1, 0, 1, 1] * 20 + [1, 0, 0, 0] * 10 + [1, 0, 0, 1] * 10
    >>> row = fs.stats.conditional_use_accuracy_equality(y_true, y_pred, groups=groups)
    >>> round(row.estimate, 2), round(row.conf_low, 2), round(row.conf_high, 2)
    (0.4, 0.18, 0.56)
    """
    sample = people(labels(groups, sensitive_features), sample_weight, weight_type, y_true=y_true, y_pred=y_pred)
    return gap_row(
        "conditional use accuracy difference", ("PPV", "NPV"), "difference", sample, method, conf_level, seed, agg
    )


# A metric of the caller's own, by group: any function of people, with bootstrap intervals.


Metric = Callable[..., Any]
Interval = Literal["percentile", "studentized"]
METHODS = {"percentile": message("bootstrap percentiles"), "studentized": "studentized bootstrap"}
INNER = 50  # resamples of a resample, for its standard error
FEW = 20  # people below which a bootstrap is coarse


def by_group(
    metric: Annotated[Metric, unchecked],
    y_true: PairedRows | None = None,
    y_pred: PairedRows | None = None,
    y_score: PairedRows | None = None,
    sample_weight: PairedRows | None = None,
    *,
    groups: Any = None,
    sensitive_features: Any = None,
    name: str = "",
    weight_type: WeightType = "probability",
    reference: str | None = None,
    interval: Interval = "percentile",
    replicates: Repeats = 2000,
    conf_level: Level = 0.95,
    seed: Seed = 0,
) -> Estimates:
    """Estimate any metric in every group, and its difference from a reference, with bootstrap intervals.

    Parameters
    ----------
    metric : callable
        Called with the people of one group as ``metric(y_true, y_pred, y_score, sample_weight)``, by position, where it
        takes four arguments; what was not passed is None, weights that were not passed are ones. A metric that takes
        fewer, as those of scikit-learn and fairlearn do, is called with what was passed, in this order, and with
        ``sample_weight=`` where weights were passed; one whose arguments are ``y_true`` and ``y_pred`` (or ``y_score``,
        ``y_proba``) with these, whatever else was passed. It returns a number.
    y_true, y_pred, y_score : array_like, shape (n,), optional
        Outcomes, decisions and scores: finite numbers, handed on as they are. At least one.
    sample_weight : array_like, shape (n,), optional
        Weights.
    groups, sensitive_features : array_like, shape (n,), or table
        A label a person; several columns are their intersection. Two names for one argument, the second fairlearn's:
        pass one of them.
    name : str
        The metric's name in the rows; that of the function by default.
    weight_type : {"probability", "frequency"}
        Whether a resample draws people with their weights, or people of whom a row counts several; ``metric`` is then
        given how often each was drawn.
    reference : str, optional
        The group that the others are compared with; the largest by default.
    interval : {"percentile", "studentized"}
        Percentiles of the resamples; or those of the t statistic, whose standard error in each resample is that of 50
        resamples of it: it covers better in small groups, and takes 51 times as long.
    replicates : int
        Resamples of each group.
    conf_level : float
        Confidence level of each interval; they are not adjusted for their number.
    seed : int
        Of the resamples.

    Returns
    -------
    Estimates
        One row a group, and one a difference. There is no interval, and the reason says so, where the metric is not
        finite in a group or in some resample, or is the same in all resamples. Groups are resampled apart. There is no
        row of the largest gap: the percentiles of a maximum never reach equality.

    Raises
    ------
    InputError
        If the metric raises an error or returns no number, or an argument cannot be used as it is.

    Notes
    -----
    A function of people needs the people: an audit has counted them, so that this is a statistic and no part of an
    audit. It is what fairlearn's ``MetricFrame(..., n_boot=, ci_quantiles=)`` does, there without resampling apart.
    Of a mean of exponential values the percentiles cover 90% in samples of 30 and 94% in samples of 60, the
    studentized interval about 93% and 96% (simulated).

    References
    ----------
    Efron & Tibshirani (1993), An Introduction to the Bootstrap, chapters 12 and 13; Hall (1992), The Bootstrap and
    Edgeworth Expansion.

    Examples
    --------
    >>> import fairstats as fs
    >>> import numpy as np
    >>> def cost(y, d): return float(np.mean(np.where(d > y, 1.0, 0.0) + np.where(d < y, 5.0, 0.0)))
    >>> y, d, groups = [1, 0, 1, 0] * 30, [1, 0, 0, 1] * 30, ["f", "f", "m", "m"] * 30
    >>> rows = fs.stats.by_group(cost, y, d, groups=groups, replicates=200)
    >>> [(r.group, r.contrast, r.estimate) for r in rows]
    [('f', 'none', 0.0), ('m', 'none', 3.0), ('m', 'difference', 3.0)]
    >>> rows[0].reason
    'the metric is the same in all resamples, which say nothing of its error'
    >>> from sklearn.metrics import accuracy_score
    >>> [r.estimate for r in fs.stats.by_group(accuracy_score, y, d, sensitive_features=groups, replicates=200)]
    [1.0, 0.0, -1.0]
    """
    if not callable(metric):
        raise InputError(
            "metric", f"has {shown(metric)}; it is a function such as accuracy_score(y_true, y_pred); pass one."
        )
    one_of("interval", interval, METHODS)
    text = name or getattr(metric, "__name__", "metric")
    arrays = {"y_true": y_true, "y_pred": y_pred, "y_score": y_score}
    given: dict[str, Any] = {key: value for key, value in arrays.items() if value is not None}
    if not given:
        raise InputError(
            "y_true, y_pred and y_score are all absent; a metric is of outcomes, decisions or scores; pass one of them."
        )
    any_number = dict.fromkeys(given, _numbers)
    named, weighted = labels(groups, sensitive_features), sample_weight is not None
    who, rows = people(named, sample_weight, weight_type, checks=any_number, **given)
    call = _call_of(metric, tuple(given), weighted)
    base = group_index(reference, who)
    present = dict(zip(given, rows, strict=True))
    resampled = _Resampled(metric, call, present, who, weight_type == "frequency" and weighted, replicates, seed)
    draws = [resampled.of(group, interval == "studentized") for group in range(len(who.groups))]
    pairs = list(zip(who.groups, draws, strict=True))
    out = [_row(Estimate(text, who.attribute, g, n=draw.n), [draw], interval, conf_level) for g, draw in pairs]
    for group, draw in pairs:
        if group != who.groups[base]:
            blank = Estimate(text, who.attribute, group, contrast="difference", reference=who.groups[base], n=draw.n)
            out.append(_row(blank, [draw, draws[base]], interval, conf_level))
    return Estimates(out)


ARRAYS = ("y_true", "y_pred", "y_score")
# What the second argument of a metric after y_true is called, and which of our arrays is meant, the first given.
SECOND = {
    "y_pred": ("y_pred", "y_score"),
    **dict.fromkeys(("y_score", "y_proba", "y_prob", "pred_decision"), ("y_score", "y_pred")),
}


class _Call(NamedTuple):
    """How a metric is called: with which arrays by position, and whether its weights are a fourth, a name or none."""

    arrays: tuple[str, ...]
    weights: Literal["fourth", "named", "none"]

    def __str__(self) -> str:
        more = {"fourth": ("sample_weight",), "named": ("sample_weight=...",), "none": ()}[self.weights]
        return f"metric({', '.join((*self.arrays, *more))})"


def _call_of(metric: Metric, given: tuple[str, ...], weighted: bool) -> _Call:
    """Read from a metric's parameters how it is called with the arrays that are given."""
    every = _Call(ARRAYS, "fourth")
    try:
        parameters = inspect.signature(metric).parameters
    except (TypeError, ValueError):  # some functions of C have none
        return every
    if "sensitive_features" in parameters:
        raise InputError(
            "metric takes sensitive_features: it is a number of all groups at once; "
            "pass the metric of one group (accuracy_score in place of accuracy_score_group_min), and take the least "
            "or largest of the rows; or call it by itself."
        )
    placed = [p for p in parameters.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    by_name = "sample_weight" in parameters
    entries = [p for p in placed if p.name != "sample_weight"]
    needed = sum(p.default is p.empty for p in entries)
    any_number = any(p.kind is p.VAR_POSITIONAL for p in parameters.values())
    first, second = [*(p.name for p in placed), "", ""][:2]
    if first == "y_true" and second in SECOND and needed <= 2:
        other = next((name for name in SECOND[second] if name in given), "")
        if "y_true" not in given or not other:
            lacking = "y_true" if "y_true" not in given else SECOND[second][0]
            raise InputError(f"{lacking} is absent; metric is a function of (y_true, {second}); pass it.")
        arrays: tuple[str, ...] = ("y_true", other)
    elif any_number or (len(placed) >= len(ARRAYS) + 1 and not (by_name and needed < len(ARRAYS))):
        return every
    elif needed <= len(given) <= len(entries):
        arrays = given
    elif len(entries) == len(ARRAYS):
        arrays = ARRAYS
    else:
        takes = f"{needed} to {len(entries)}" if needed < len(entries) else f"{needed}"
        raise InputError(
            f"metric takes {takes} array{'s' * (takes != '1')} by position, and {listing(given)} "
            f"{'is' if len(given) == 1 else 'are'} passed; pass as many as it takes."
        )
    if weighted and not by_name:
        raise InputError(
            "sample_weight", "has weights and metric takes no sample_weight; pass a metric that does, or no weights."
        )
    return _Call(arrays, "named" if weighted else "none")


@dataclass(frozen=True, eq=False)
class _Draws:
    """A metric of one group: its value, those of the resamples, and standard errors of both where asked."""

    n: float
    size: int
    value: float
    values: Floats
    error: float
    errors: Floats


@dataclass(frozen=True, eq=False)
class _Resampled:
    """The metric on the people of a group, and on resamples of them."""

    metric: Metric
    call: _Call
    rows: dict[str, Floats]
    who: Members
    counted: bool  # weights are people
    replicates: int
    seed: int

    def of(self, group: int, studentized: bool) -> _Draws:
        current = np.flatnonzero(self.who.of(group, np.ones(self.who.codes.size, dtype=bool)))
        weights = self.who.weights[current]
        label = self.who.groups[group]
        if not current.size:
            return _Draws(0.0, 0, NAN, np.empty(0), NAN, np.empty(0))
        value = self._value(current, weights, f"group {label!r}")
        rng = np.random.default_rng([self.seed, group])
        values, errors = np.full(self.replicates, NAN), np.full(self.replicates, NAN)
        if math.isfinite(value):
            where = f"a resample of group {label!r}"
            for at, (places, drawn) in enumerate(self._resamples(current, weights, self.replicates, rng)):
                values[at] = self._value(places, drawn, where)
                if studentized:
                    inner = [self._value(*again, where) for again in self._resamples(places, drawn, INNER, rng)]
                    errors[at] = float(np.std(inner, ddof=1))
        error = float(np.std(values, ddof=1)) if self.replicates > 1 else NAN
        size = int(weights.sum()) if self.counted else current.size
        return _Draws(float(weights.sum()), size, value, values, error, errors)

    def _resamples(
        self, values: NDArray[np.intp], weights: Floats, times: int, rng: np.random.Generator
    ) -> Iterator[tuple[NDArray[np.intp], Floats]]:
        for _ in range(times):
            if self.counted:
                drawn = rng.multinomial(int(weights.sum()), weights / weights.sum())
                yield values[drawn > 0], drawn[drawn > 0].astype(float)
            else:
                places = rng.integers(values.size, size=values.size)
                yield values[places], weights[places]

    def _value(self, places: NDArray[np.intp], weights: Floats, where: str) -> float:
        arrays = [self.rows[name][places] if name in self.rows else None for name in self.call.arrays]
        fourth = [weights] if self.call.weights == "fourth" else []
        named = {"sample_weight": weights} if self.call.weights == "named" else {}
        try:
            result = self.metric(*arrays, *fourth, **named)
        except Exception as error:
            raise InputError(
                f"metric raised {type(error).__name__} in {where} ({str(error)[:200]}); it is called as {self.call} "
                "with what was passed; correct it."
            ) from error
        number = real(result)
        if number is None:
            if isinstance(result, (float, np.floating)):  # NaN and infinity are answers
                return float(result)
            raise InputError(f"metric returned {shown(result)} in {where}; it returns one number; correct it.")
        return float(number)


def _row(blank: Estimate, draws: list[_Draws], interval: Interval, conf_level: float) -> Estimate:
    """The row of a group, or of a group less the reference."""
    value = draws[0].value - sum(draw.value for draw in draws[1:])
    if not math.isfinite(value):
        return replace(blank, status="unestimable", reason="the metric is not finite in the group, or in its reference")
    drawn = draws[0].values - sum(draw.values for draw in draws[1:])
    error = float(np.hypot.reduce([draw.error for draw in draws]))
    lost = int(np.sum(~np.isfinite(drawn)))
    reason = ""
    if lost:
        reason = f"the metric is not finite in {lost} of {drawn.size} resamples: no interval"
    elif np.ptp(drawn) == 0:
        reason = "the metric is the same in all resamples, which say nothing of its error"
    elif interval == "studentized":
        errors = np.hypot.reduce([draw.errors for draw in draws])
        if not (errors > 0).all():
            none = int(np.sum(~(errors > 0)))
            reason = f"the metric has no spread in {none} of {drawn.size} resamples: no studentized interval"
    if reason:
        return replace(blank, estimate=value, reason=reason)
    tails = np.array([(1 - conf_level) / 2, (1 + conf_level) / 2])
    low, high = np.quantile(drawn, tails)
    if interval == "studentized":
        t = np.quantile((drawn - value) / errors, tails)
        low, high = value - error * t[1], value - error * t[0]
    coarse = f"fewer than {FEW} people: the bootstrap is coarse" if min(draw.size for draw in draws) < FEW else ""
    result = blank.with_interval(value, float(low), float(high), conf_level, std_error=error)
    return replace(result, method=METHODS[interval], reason=coarse)


def group_index(reference: str | None, who: Members) -> int:
    if reference is None:
        return int(np.argmax(np.bincount(who.codes, weights=who.weights, minlength=len(who.groups))))
    if reference not in who.groups:
        raise InputError(
            "reference",
            with_hint(
                f"has {reference!r}; there is no such group",
                nearest(reference, who.groups),
                f"the groups are {listing(who.groups)}.",
            ),
        )
    return who.groups.index(reference)


# Fairness metrics of predicted probabilities by their familiar names: balance of the classes, Brier parity.


SCORES_METHOD = message("Hall limits of the means, combined (MOVER, Bonferroni over all pairs)")
NO_SPREAD = "all weighted values of a group are equal, which leaves no error"


def balance_for_the_positive_class(
    y_true: PairedRows,
    y_score: PairedRows,
    *,
    groups: Any = None,
    sensitive_features: Any = None,
    sample_weight: PairedRows | None = None,
    weight_type: WeightType = "probability",
    conf_level: Level = 0.95,
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
    name, among = "balance for the positive class", (NO_POSITIVES, lambda y: y == 1)
    sample = people(labels(groups, sensitive_features), sample_weight, weight_type, y_true=y_true, y_score=y_score)
    return _gap(name, among, lambda y, s: s, sample, conf_level)


def balance_for_the_negative_class(
    y_true: PairedRows,
    y_score: PairedRows,
    *,
    groups: Any = None,
    sensitive_features: Any = None,
    sample_weight: PairedRows | None = None,
    weight_type: WeightType = "probability",
    conf_level: Level = 0.95,
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
    name, among = "balance for the negative class", (NO_NEGATIVES, lambda y: y == 0)
    sample = people(labels(groups, sensitive_features), sample_weight, weight_type, y_true=y_true, y_score=y_score)
    return _gap(name, among, lambda y, s: s, sample, conf_level)


def brier_parity(
    y_true: PairedRows,
    y_score: PairedRows,
    *,
    groups: Any = None,
    sensitive_features: Any = None,
    sample_weight: PairedRows | None = None,
    weight_type: WeightType = "probability",
    conf_level: Level = 0.95,
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
    among = (message("no people in {groups}"), lambda y: y >= 0)
    loss: Loss = lambda y, s: (s - y) ** 2  # noqa: E731
    sample = people(labels(groups, sensitive_features), sample_weight, weight_type, y_true=y_true, y_score=y_score)
    return _gap("Brier score", among, loss, sample, conf_level)


Loss = Callable[[Floats, Floats], Floats]
Among = tuple[Message, Callable[[Floats], NDArray[np.bool_]]]


def _gap(name: str, among: Among, value: Loss, sample: Sample, conf_level: float) -> Estimate:
    """The largest difference of the groups' means of some value over some people."""
    who, (y, s) = sample
    chosen = [who.of(g, among[1](y)) for g in range(len(who.groups))]
    n = np.array([who.weights[current].sum() for current in chosen])
    used = np.flatnonzero(n > 0)
    samples = [(value(y, s)[chosen[i]], who.weights[chosen[i]]) for i in used]
    row = Estimate(name, who.attribute, contrast="difference", role="omnibus", n=float(n.sum()))
    absent = without(who, n, among[0])
    if used.size < 2:
        return replace(row, status="unestimable", reason=absent)
    means = np.array([np.average(values, weights=w) for values, w in samples])
    estimate, low, high = largest_difference(means, lambda level: _score_limits(samples, who.drawn, level), conf_level)
    ends = (used[int(np.argmax(means))], means.max()), (used[int(np.argmin(means))], means.min())
    seen = extremes(who.attribute, [(who.groups[i], number(float(mean), 3)) for i, mean in ends])
    if np.isnan(high):
        return replace(row, estimate=estimate, reason=joined([seen, absent, NO_SPREAD]))
    reason = joined([seen, absent])
    return row.with_interval(estimate, low, high, conf_level, method=SCORES_METHOD, reason=reason)


def _score_limits(samples: list[tuple[Floats, Floats]], drawn: bool, level: float) -> tuple[Floats, Floats]:
    ends = np.array([_of_one(values, w, drawn, level) for values, w in samples]).T
    return ends[0], ends[1]


def _of_one(values: Floats, w: Floats, drawn: bool, level: float) -> tuple[float, float]:
    """Limits of one mean; a frequency is so many people, an inverse probability one person."""
    if not drawn:
        built = mean_loss(np.repeat(values, w.astype(np.int64)), level)
        return built.low, built.high
    mean = float(np.average(values, weights=w))
    result = inference(mean, (LossSample.of(values, 1e-15, w),), level)
    if np.isnan(result.low):
        return NAN, NAN
    return max(0.0, min(result.low, mean)), min(1.0, max(result.high, mean))


# ABROCA: the area between the ROC curves of groups, with an interval that holds where the curves are one, too.


REPLICATES = 1999
FEWEST = 20  # people of an outcome in a group, from which on the bootstrap is known to hold (docs/verdicts.md)
POINTS = 1000  # false positive rates at which resampled curves are compared
AT_ONCE = 2_000_000  # numbers of resampled people that are held at a time
ABROCA_METHOD = "bootstrap of the area between estimated and resampled differences of curves"
ABROCA_NO_SPREAD = "no resampled curve differs from the estimated one, which leaves no error"


def abroca(
    y_true: PairedRows,
    y_score: PairedRows,
    *,
    groups: Any = None,
    sensitive_features: Any = None,
    sample_weight: PairedRows | None = None,
    weight_type: WeightType = "probability",
    conf_level: Level = 0.95,
    seed: Seed = 0,
) -> Estimate:
    """Estimate the largest area between the ROC curves of two groups, with an interval.

    Parameters
    ----------
    y_true : array_like, shape (n,)
        Outcomes 0 and 1.
    y_score : array_like, shape (n,)
        Scores; larger means more likely positive.
    groups, sensitive_features, sample_weight, weight_type, conf_level
        As in `demographic_parity_difference`.
    seed : int
        Of the bootstrap.

    Returns
    -------
    Estimate
        Between 0 and 1; at least the difference of the two AUCs, which it equals where the curves do not cross. A group
        without positives or without negatives is left out.

    Raises
    ------
    InputError
        If an argument cannot be used as it is.

    Notes
    -----
    It is positive by chance where all curves are one, and the more so the fewer people there are, so the percentiles of
    a bootstrap do not cover it. The area between two functions is a distance: the estimate differs from the truth by no
    more than the area between the estimated difference of the curves and the true one. The interval is the estimate
    less and plus the ``conf_level`` quantile of that area in 1999 bootstrap samples (people of each group and outcome
    resampled; the largest area over all pairs of groups), times the square root of n / (n - 1) of the smallest such
    sample, within 0 and 1. In large samples it covers at least as often as it says. With fewer than 20 people of an
    outcome in a group the row says that it is approximate.

    References
    ----------
    Gardner, Brooks & Baker (2019), Evaluating the fairness of predictive student models through slicing analysis,
    LAK 9, 225-234; Borchers & Baker (2025), ABROCA distributions for algorithmic bias assessment, LAK 15; Horváth,
    Horváth & Zhou (2008), Confidence bands for ROC curves, JSPI 138, 1894-1904 (the bootstrap of ROC curves).

    Examples
    --------
    >>> import fairstats as fs
    >>> y_true, y_score, groups = [0, 1, 0, 1] * 50, [1, 2, 3, 4, 1, 4, 3, 4] * 25, ["m"] * 4 + ["f"] * 4
    >>> row = fs.stats.abroca(y_true, y_score, groups=groups * 25)
    >>> round(row.estimate, 2), round(row.conf_low, 2), round(row.conf_high, 2)
    (0.25, 0.14, 0.36)
    """
    named = labels(groups, sensitive_features)
    who, (y, s) = people(named, sample_weight, weight_type, probabilities=False, y_true=y_true, y_score=y_score)
    items = [[who.of(g, y == label) for label in (0, 1)] for g in range(len(who.groups))]
    n = np.array([[who.weights[part].sum() for part in parts] for parts in items])
    used = np.flatnonzero(n.min(axis=1) > 0)
    row = Estimate("ABROCA", who.attribute, contrast="difference", role="omnibus", n=float(n.sum()))
    absent = joined((without(who, n[:, k], text) for k, text in ((1, NO_POSITIVES), (0, NO_NEGATIVES))))
    if used.size < 2:
        return replace(row, status="unestimable", reason=absent)
    samples = [_Sample.of(who, s, items[g]) for g in used]
    curves = [sample.observed for sample in samples]
    pairs = list(combinations(range(len(samples)), 2))
    areas = [area_between(curves[i], curves[j]) for i, j in pairs]
    i, j = pairs[int(np.argmax(areas))]
    seen = message(
        "observed extremes: {one} and {other}",
        one=DataText(who.groups[used[i]], who.attribute),
        other=DataText(who.groups[used[j]], who.attribute),
    )
    values = _distances(samples, pairs, random_seed(seed))
    fewest = min(min(sample.draws) for sample in samples)
    apart = float(np.quantile(values, conf_level, method="higher")) * math.sqrt(fewest / max(fewest - 1, 1))
    few = message("approximate: fewer than {n} of an outcome in a group", n=FEWEST) if fewest < FEWEST else ""
    estimate, reason = max(areas), joined([seen, absent, few])
    if apart == 0:
        return replace(row, estimate=estimate, reason=joined([reason, ABROCA_NO_SPREAD]))
    ends = max(0.0, estimate - apart), min(1.0, estimate + apart)
    return row.with_interval(estimate, *ends, conf_level, method=ABROCA_METHOD, reason=reason)


class _Sample(NamedTuple):
    """One group: by outcome, what its people count at each distinct score, from the highest, and how they are drawn."""

    place: tuple[NDArray[np.intp], NDArray[np.intp]]  # of the people of outcome 0 and 1 among the distinct scores
    chance: tuple[Floats, Floats]  # of a person to be drawn
    draws: tuple[int, int]
    value: tuple[Floats, Floats]  # what a person counts each time
    size: int

    @staticmethod
    def of(who: Members, s: Floats, parts: list[NDArray[np.bool_]]) -> _Sample:
        """Sort the people of a group; a frequency is so many people, an inverse probability one that counts more."""
        present, place = np.unique(-np.concatenate([s[part] for part in parts]), return_inverse=True)
        first, second = place[: parts[0].sum()], place[parts[0].sum() :]
        weights = [who.weights[part] for part in parts]
        if who.drawn:
            chance, value, draws = [np.full(w.size, 1 / w.size) for w in weights], weights, [w.size for w in weights]
        else:
            chance, value = [w / w.sum() for w in weights], [np.ones(w.size) for w in weights]
            draws = [int(w.sum()) for w in weights]
        return _Sample((first, second), tuple(chance), tuple(draws), tuple(value), present.size)  # type: ignore[arg-type]

    @property
    def observed(self) -> tuple[Floats, Floats]:
        """The curve: false and true positive rates from (0, 0) to (1, 1)."""
        fpr, tpr = (self._rising(k, (self.chance[k] * self.draws[k] * self.value[k])[None, :])[0] for k in (0, 1))
        return fpr, tpr

    def resampled(self, rng: np.random.Generator, times: int) -> tuple[Floats, Floats]:
        """Curves of people drawn again, a line a sample."""
        drawn = (rng.multinomial(self.draws[k], self.chance[k], size=times) * self.value[k] for k in (0, 1))
        fpr, tpr = (self._rising(k, counts) for k, counts in enumerate(drawn))
        return fpr, tpr

    def _rising(self, outcome: int, counts: Floats) -> Floats:
        """Shares of the people of an outcome at each score and above, from 0 to 1."""
        at = np.stack([np.bincount(self.place[outcome], line, self.size) for line in counts])
        sums = np.cumsum(at, axis=1)
        return np.hstack([np.zeros((len(sums), 1)), sums / sums[:, -1:]])


def _distances(samples: list[_Sample], pairs: list[tuple[int, int]], seed: int) -> Floats:
    """Of each bootstrap sample, the largest area between a resampled difference of two curves and the estimated one."""
    rng, at = np.random.default_rng(seed), (np.arange(POINTS) + 0.5) / POINTS
    base = [np.interp(at, *sample.observed) for sample in samples]
    items = []
    for times in _blocks(REPLICATES, max(max(map(len, sample.chance)) for sample in samples)):
        drawn = [sample.resampled(rng, times) for sample in samples]
        for k in range(times):
            off = [np.interp(at, fpr[k], tpr[k]) - b for (fpr, tpr), b in zip(drawn, base, strict=True)]
            items.append(max(float(np.abs(off[i] - off[j]).mean()) for i, j in pairs))
    return np.array(items)


def _blocks(times: int, people: int) -> Iterator[int]:
    size = max(1, AT_ONCE // people)
    for start in range(0, times, size):
        yield min(size, times - start)
