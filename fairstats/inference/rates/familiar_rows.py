"""The row of a familiar statistic of rates: its estimate and limits, the groups at both ends, and why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from fairstats.arguments import one_of
from fairstats.choices import Contrast, WeightType
from fairstats.estimates import Estimate
from fairstats.inference.rates.largest_gap import EXTREMES
from fairstats.inference.rates.people_by_group import Mask, Members, RateSums, people, without
from fairstats.inference.rates.rate_gaps import AGAINST, AGGS, WORST, Against, Agg, gap
from fairstats.metrics import METRICS
from fairstats.text import count, percent

WHOM = {"Y=1": "positives", "Y=0": "negatives", "D=1": "predicted positives", "D=0": "predicted negatives"}
ONE_PERSON = "one weighted person in a group leaves no error"


def gap_row(
    name: str,
    rates: tuple[str, ...],
    contrast: Contrast,
    y_true: Any,
    y_pred: Any,
    groups: Any,
    sample_weight: Any,
    weight_type: WeightType,
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
    contrast, method, agg, conf_level, seed
        As in `gap`.
    y_true, y_pred, groups, sample_weight, weight_type
        As in `people`.

    Examples
    --------
    >>> y = ([1, 1, 0, 0] * 10, [1, 0, 0, 0] * 10, ["a", "b"] * 20)
    >>> asked = (None, "probability", "between_groups", 0.95, 0)
    >>> gap_row("TPR", ("TPR",), "difference", *y, *asked).reason
    'observed extremes: a (10 of 10) and b (0 of 10)'
    """
    one_of("method", method, AGAINST)
    one_of("agg", agg, AGGS)
    who, (y, d) = people(groups, sample_weight, weight_type, y_true=y_true, y_pred=y_pred)
    sums = {rate: rate_sums(rate, y, d, who) for rate in rates}
    found = gap(list(sums.values()), who, contrast, method, agg, conf_level, seed)
    n = float(np.sum([s.n.sum() for s in sums.values()]))
    row = Estimate(name, who.attribute, contrast=contrast, role="all groups", n=n, method=found.method)
    if len(rates) == 1:
        row = replace(row, events=float(sums[rates[0]].events.sum()))
    absent = "; ".join(filter(None, (left_out(rate, part, who) for rate, part in sums.items())))
    if np.isnan(found.estimate):
        return replace(row, method="", status="unestimable", reason=absent or _why(sums, who))
    made = row.with_interval(found.estimate, found.low, found.high, conf_level)
    return replace(
        made,
        statistic=found.statistic,
        p_value=found.p_value,
        reason="; ".join(filter(None, [f"{EXTREMES}{_seen(sums, who, contrast)}", absent])),
    )


def rate_sums(rate: str, y: Any, d: Any, who: Members) -> RateSums:
    """The sums of a rate of the vocabulary, the positive prediction being the favorable one."""
    events, among = METRICS[rate].cells()

    def held(cells: Any) -> Mask:
        return np.asarray(
            np.logical_or.reduce([(y == own) & (d == other) for own, other in cells if 2 not in (own, other)])
        )

    return who.sums(held(events), held(among))


def left_out(rate: str, part: RateSums, who: Members) -> str:
    """The words for groups without anybody in the denominator of a rate."""
    return without(who, part.n, WHOM.get(METRICS[rate].given, "weight"))


def _why(sums: Mapping[str, RateSums], who: Members) -> str:
    if who.drawn and any(((part.people > 0) & (part.people < 2)).any() for part in sums.values()):
        return ONE_PERSON
    return "no events in any group: 0/0"


def _seen(sums: Mapping[str, RateSums], who: Members, contrast: Contrast) -> str:
    said = []
    for rate, part in sums.items():
        shares = np.divide(part.events, part.n, out=np.full(part.n.size, np.nan), where=part.n > 0)
        ends = [int(np.nanargmax(shares)), int(np.nanargmin(shares))][:: 1 if contrast == "difference" else -1]
        words = " and ".join(f"{who.groups[i]} ({_share(part, i, who)})" for i in ends)
        said.append(f"{rate} {words}" if len(sums) > 1 else words)
    return "; ".join(said)


def _share(part: RateSums, i: int, who: Members) -> str:
    if who.drawn:
        return f"{percent(float(part.events[i] / part.n[i]))} %"
    return f"{count(float(part.events[i]))} of {count(float(part.n[i]))}"
