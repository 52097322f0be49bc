"""What cells that sites withheld could change: bounds of the rates, of their differences, of P(X>Y) and AUC."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from fairstats.auditing.coding import CodedTally
from fairstats.auditing.input import UNKNOWN
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.withheld_cells import Withheld
from fairstats.estimates import NAN, Estimate
from fairstats.glossary import SHOWN
from fairstats.inference.margins import Margins
from fairstats.inference.rates.equivalence import p_outside, p_within
from fairstats.inference.rates.one_rate import wilson
from fairstats.inference.rates.score_intervals import koopman, miettinen_nurminen
from fairstats.inference.rates.unconditional import unconditional_test
from fairstats.metrics import METRICS, Metric

WITHHELD = "withheld cells"
OVER_CELLS = "worst cases over the people of withheld cells; without sampling error"
OVER_EXTREMES = "limits at the worst cases over the people of withheld cells"
DECIDED = (*SHOWN, "equivalence shown")
OVERTURNED = "people of withheld cells could overturn a verdict"
EFFECT, AREA = "P(X>Y)", "AUC"


@dataclass(frozen=True)
class Interval:
    """The least and the largest that a number can be."""

    low: float
    high: float

    def __sub__(self, other: Interval) -> Interval:
        return Interval(self.low - other.high, self.high - other.low)


def withheld_rows(rows: Iterable[Estimate], tally: CodedTally) -> Iterator[Estimate]:
    """Bound every rate and difference, P(X>Y) and AUC over what withheld cells may hold.

    Parameters
    ----------
    rows : iterable of Estimate
        The rows of an audit.
    tally : CodedTally
        What they were estimated of.

    Yields
    ------
    Estimate
        Of the role "bound", given "withheld cells": the ends are bounds, not confidence limits. Those of rates and
        their differences are attained by some people; those of P(X>Y) and AUC let withheld people have any score.

    Examples
    --------
    >>> none = np.zeros(1, dtype=np.int8)
    >>> hidden = Withheld({"sex": ["f"]}, None, none, False, np.ones(1), np.full(1, 4.0), ("sex f, hired 0",))
    >>> tally = CodedTally((), np.zeros(0), withheld=hidden)
    >>> row = Estimate("selection rate", "sex", "f", n=16, events=8, estimate=0.5)
    >>> [(round(r.conf_low, 2), round(r.conf_high, 2)) for r in withheld_rows([row], tally)]
    [(0.4, 0.47)]
    """
    hidden = tally.withheld
    if hidden is None:
        return
    found: dict[tuple[str, str, str], Interval] = {}
    for row in [row for row in rows if row.role == "main" and row.status == "ok" and not row.given and not row.term]:
        key, base = (row.metric, row.attribute, row.group), (row.metric, row.attribute, row.reference)
        metric = METRICS[row.metric]
        if metric.is_rate and row.contrast == "none" and row.group:
            found[key] = rate_bounds(metric, row, hidden, tally.favors)
        elif row.metric == AREA and row.contrast == "none" and row.group:
            found[key] = _moved(row.estimate, *(_sizes(row, row.group, tally, outcome) for outcome in (1, 0)))
        elif row.metric == EFFECT:
            yield _bound(row, _moved(row.estimate, *(_sizes(row, g, tally) for g in (row.group, row.reference))))
            continue
        elif row.contrast == "difference" and key in found and base in found:
            yield _bound(row, found[key] - found[base])
            continue
        else:
            continue
        yield _bound(row, found[key])


def tempered(
    rows: Iterable[Estimate], bounds: Iterable[Estimate], tally: CodedTally, protocol: Protocol
) -> list[Estimate]:
    """Rows whose limits cover what withheld people may do, and whose verdict none of them could overturn.

    Parameters
    ----------
    rows : iterable of Estimate
        The rows of an audit.
    bounds : iterable of Estimate
        What `withheld_rows` made of them; a comparison that it does not bound has no verdict.
    tally : CodedTally
        What they were estimated of.
    protocol : Protocol
        Confidence level and margins.

    Returns
    -------
    list of Estimate
        Rates and their comparisons are tested again with the withheld people who speak most for equality, and the
        p-value is that one, times the comparisons of the family; limits hold those of both extremes, and the estimate.

    References
    ----------
    Manski (2003), Partial Identification of Probability Distributions, chapter 1: the worst case, here with the
    sampling error at it.

    Examples
    --------
    >>> hidden = Withheld({"sex": ["f"]}, None, np.zeros(1, dtype=np.int8), False, np.ones(1), np.full(1, 40.0), ("",))
    >>> tally = CodedTally((), np.zeros(0), withheld=hidden)
    >>> own = Estimate("selection rate", "sex", "m", n=90, events=60)
    >>> row = Estimate("selection rate", "sex", "f", "difference", "m", n=50, events=50, estimate=1 / 3, p_value=1e-6,
    ...                conf_level=0.95, verdict="disparity shown")
    >>> other = replace(row, contrast="none", reference="")
    >>> found = tempered([own, other, row], [row], tally, Protocol(("sex",)))[2]
    >>> found.verdict, round(found.conf_low, 2) < 0 < found.estimate < found.conf_high
    ('inconclusive', True)
    """
    rows = list(rows)
    known = {(b.metric, b.attribute, b.group, b.reference): Interval(b.conf_low, b.conf_high) for b in bounds}
    rates = {(r.metric, r.attribute, r.group): r for r in rows if _plain(r) and r.contrast == "none" and r.group}
    asked = Counter((r.metric, r.attribute, r.contrast) for r in rows if _plain(r) and r.p_value == r.p_value)
    out = []
    for row in rows:
        if (
            _plain(row)
            and METRICS[row.metric].is_rate
            and row.contrast in ("none", "difference", "ratio")
            and row.group
        ):
            extremes = _extremes(row, rates, tally)
            if extremes is not None:
                family = asked[row.metric, row.attribute, row.contrast]
                out.append(_worst(row, extremes, family, tally.clusters is None, protocol))
                continue
        ends = known.get((row.metric, row.attribute, row.group, row.reference))
        out.append(_moved_limits(row, ends, protocol.equivalence))
    return out


def _plain(row: Estimate) -> bool:
    """Whether it is a rate, or a comparison, of the people as they are."""
    return row.role == "main" and row.status == "ok" and not row.given and not row.term and row.metric in METRICS


Table = tuple[float, float, float, float]


def _extremes(
    row: Estimate, rates: dict[tuple[str, str, str], Estimate], tally: CodedTally
) -> tuple[Table, Table] | None:
    """Events and people of the group and of the reference where their rates are the least alike, either way."""
    hidden = tally.withheld
    own, base = (rates.get((row.metric, row.attribute, g)) for g in (row.group, row.reference))
    if hidden is None or own is None or (row.contrast != "none" and base is None):
        return None
    metric = METRICS[row.metric]
    low, high = rate_extremes(metric, own, hidden, tally.favors)
    if base is None:
        return (*low, NAN, NAN), (*high, NAN, NAN)
    least, most = rate_extremes(metric, base, hidden, tally.favors)
    return (*low, *most), (*high, *least)


def _worst(
    row: Estimate, extremes: tuple[Table, Table], family: int, independent: bool, protocol: Protocol
) -> Estimate:
    """A rate or a comparison at both extremes of the withheld people."""
    observed = (row.events, row.n)
    if extremes[0][:2] == extremes[1][:2] == observed and row.contrast == "none":
        return row
    level = row.conf_level if row.conf_level == row.conf_level else protocol.conf_level
    if row.contrast == "none":
        ends = [_of_rate(e, n, level) for e, n, *_ in extremes]
        return _wider(row, ends[0].low, ends[1].high)
    if not independent or min(n for table in extremes for n in (table[1], table[3])) <= 0:
        return _overturned(replace(row, conf_low=NAN, conf_high=NAN, p_value=NAN, p_adjusted=NAN, p_equivalence=NAN))
    limits = miettinen_nurminen if row.contrast == "difference" else koopman

    def at(table: Table, conf_level: float) -> tuple[float, float]:
        low, high = limits(*table, conf_level)
        return float(low), float(high)

    def both(conf_level: float) -> tuple[float, float]:
        return at(extremes[0], conf_level)[0], at(extremes[1], conf_level)[1]

    null = 1.0 if row.contrast == "ratio" else 0.0
    gaps = [e1 / n1 - e0 / n0 for e1, n1, e0, n0 in extremes]
    p = 1.0
    if min(gaps) > 0 or max(gaps) < 0:
        nearest = extremes[0] if min(gaps) > 0 else extremes[1]
        p = max(float(unconditional_test(*nearest)), p_outside(both, null), row.p_value)
    many = family if protocol.adjust != "none" else 1
    adjusted = min(1.0, max(p * many, row.p_adjusted)) if row.p_adjusted == row.p_adjusted else row.p_adjusted
    made = _wider(replace(row, p_value=p, p_adjusted=adjusted), *both(level))
    if row.margin_low == row.margin_low:  # from these practical equality is read
        low, high = both(max(1 - 2 * (1 - level), 0.0))
        made = replace(made, margin_low=min(low, row.margin_low), margin_high=max(high, row.margin_high))
    alpha = 1 - protocol.conf_level
    if row.verdict in SHOWN and (adjusted > alpha or made.conf_low <= null <= made.conf_high):
        return _overturned(made)
    margin = protocol.equivalence.difference if row.contrast == "difference" else protocol.equivalence.ratio
    if row.p_equivalence == row.p_equivalence and margin is not None:
        inside = (-margin, margin) if row.contrast == "difference" else (margin, 1 / margin)
        equal = min(1.0, max(p_within(both, *inside) * many, row.p_equivalence))
        made = replace(made, p_equivalence=equal)
        if row.verdict == "equivalence shown" and equal > alpha:
            return _overturned(made)
    return made


def _of_rate(events: float, n: float, level: float) -> Interval:
    return Interval(*(float(v) for v in wilson(events, n, level))) if n > 0 else Interval(0.0, 1.0)


def _wider(row: Estimate, low: float, high: float) -> Estimate:
    """With limits that hold both extremes, the limits of the people who were sent, and the estimate."""
    ends = [v for v in (row.conf_low, row.estimate, row.conf_high) if v == v]
    method = "; ".join(filter(None, [row.method, OVER_EXTREMES]))
    return replace(row, conf_low=min([low, *ends]), conf_high=max([high, *ends]), method=method)


def _moved_limits(row: Estimate, ends: Interval | None, margins: Margins) -> Estimate:
    """P(X>Y) and AUC, whose withheld people may have any score, and what has no bounds."""
    if row.metric in (EFFECT, AREA) and _plain(row) and ends is not None and row.conf_low == row.conf_low:
        # the ends move with the estimate, by no more than withheld pairs are of all
        shift = ends.low - row.estimate, ends.high - row.estimate
        low, high = row.conf_low + shift[0], row.conf_high + shift[1]
        least = 0.0 if row.contrast == "none" else -1.0
        if row.margin_low == row.margin_low:
            row = replace(row, margin_low=row.margin_low + shift[0], margin_high=row.margin_high + shift[1])
        row = _wider(row, max(low, least), min(high, 1.0))
        null = 0.5 if row.contrast == "none" else 0.0
        apart = row.conf_low > null or row.conf_high < null
        close = (
            row.contrast == "difference" and margins.auc is not None and max(-row.conf_low, row.conf_high) < margins.auc
        )
        stands = apart if row.verdict in SHOWN else close
        if row.verdict in DECIDED and not stands:
            return _overturned(replace(row, p_value=NAN, p_adjusted=NAN, p_equivalence=NAN))
        return row
    return _overturned(row) if row.verdict in DECIDED else row


def _overturned(row: Estimate) -> Estimate:
    if row.verdict not in DECIDED:
        return row
    return replace(row, verdict="inconclusive", reason="; ".join(filter(None, [row.reason, OVERTURNED])))


def rate_bounds(metric: Metric, row: Estimate, hidden: Withheld, favors: int) -> Interval:
    """The smallest and the largest rate that the people of a group and its withheld cells may have.

    Parameters
    ----------
    metric : Metric
        The rate.
    row : Estimate
        The rate of the group: ``n``, ``events``.
    hidden : Withheld
        The cells.
    favors : {0, 1}
        The decision that helps the person.

    Returns
    -------
    Interval

    Examples
    --------
    >>> one = np.ones(1, dtype=np.int8)
    >>> hidden = Withheld({"sex": ["f"]}, None, one, False, np.ones(1), np.full(1, 4.0), ("",))
    >>> row = Estimate("selection rate", "sex", "f", n=16, events=8)
    >>> rate_bounds(METRICS["selection rate"], row, hidden, 1).high
    0.6
    """
    found = rate_extremes(metric, row, hidden, favors)
    return Interval(*(events / n if n else bound for (events, n), bound in zip(found, (0.0, 1.0), strict=True)))


Counts = tuple[float, float]


def rate_extremes(metric: Metric, row: Estimate, hidden: Withheld, favors: int) -> tuple[Counts, Counts]:
    """Events and people with the smallest rate, and with the largest; see `rate_bounds`."""
    events, among = (set(cells) for cells in metric.cells(favors))
    low, high = np.array([row.events, row.n], dtype=float), np.array([row.events, row.n], dtype=float)
    for i, label in enumerate(hidden.labels[row.attribute]):
        if label != row.group:
            continue
        kinds = {_kind(cell, events, among) for cell in _cells(hidden, i)}
        least, most = float(hidden.least[i]), float(hidden.most[i])
        if "event" in kinds:
            high += most
            low += least if kinds == {"event"} else 0.0
        if "other" in kinds:
            low[1] += most
            high[1] += least if kinds == {"other"} else 0.0
    return (float(low[0]), float(low[1])), (float(high[0]), float(high[1]))


def _cells(hidden: Withheld, i: int) -> list[tuple[int, int]]:
    """The places in the count table that the people of a withheld cell may have."""
    outcome = UNKNOWN if hidden.outcome is None else int(hidden.outcome[i])
    decision = UNKNOWN if hidden.decision is None else int(hidden.decision[i])
    if hidden.by_score and decision == UNKNOWN:
        return [(outcome, d) for d in (0, 1, UNKNOWN)]
    return [(outcome, decision)]


def _kind(cell: tuple[int, int], events: set[tuple[int, int]], among: set[tuple[int, int]]) -> str:
    return "event" if cell in events else "other" if cell in among else "outside"


def _sizes(row: Estimate, label: str, tally: CodedTally, outcome: int | None = None) -> tuple[float, float]:
    """How many scores of a group are known, and how many more there may be among its withheld people."""
    levels = next(a for a in tally.attributes if a.name == row.attribute)
    assert tally.score is not None and tally.withheld is not None
    mine = (levels.codes == levels.labels.index(label)) & ~np.isnan(tally.score)
    there = np.array(tally.withheld.labels[row.attribute], dtype=object) == label
    if outcome is not None:
        assert tally.outcome is not None and tally.withheld.outcome is not None
        mine &= tally.outcome == outcome
        there &= tally.withheld.outcome == outcome
    return float(tally.rows[mine].sum()), float(tally.withheld.most[there].sum())


def _moved(estimate: float, x: tuple[float, float], y: tuple[float, float]) -> Interval:
    """Of all pairs, those with a withheld person may all speak one way."""
    kept = x[0] * y[0] / ((x[0] + x[1]) * (y[0] + y[1]))
    return Interval(kept * estimate, kept * estimate + 1 - kept)


def _bound(row: Estimate, ends: Interval) -> Estimate:
    blank = Estimate(row.metric, row.attribute, row.group, row.contrast, row.reference, n=row.n, events=row.events)
    made = replace(blank, estimate=row.estimate, role="bound", given=WITHHELD, method=OVER_CELLS)
    return replace(made, conf_low=ends.low, conf_high=ends.high)
