"""What cells that sites withheld could change: bounds of the rates, of their differences, of P(X>Y) and AUC."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from fairstats.auditing.coding import CodedTally
from fairstats.auditing.input import UNKNOWN
from fairstats.auditing.withheld_cells import Withheld
from fairstats.estimates import Estimate
from fairstats.inference.margins import Margins
from fairstats.metrics import METRICS, Metric

WITHHELD = "withheld cells"
OVER_CELLS = "worst cases over the people of withheld cells; without sampling error"
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


def tempered(rows: Iterable[Estimate], bounds: Iterable[Estimate], margins: Margins) -> list[Estimate]:
    """Rows whose verdict stands only where withheld people could not overturn it.

    Parameters
    ----------
    rows : iterable of Estimate
        The rows of an audit.
    bounds : iterable of Estimate
        What `withheld_rows` made of them; a comparison that it does not bound has no verdict.
    margins : Margins
        The margins of practical equality.

    Returns
    -------
    list of Estimate

    Examples
    --------
    >>> row = Estimate("FPR", "sex", "f", "difference", "m", estimate=0.2, verdict="disparity shown")
    >>> bound = replace(row, role="bound", conf_low=-0.1, conf_high=0.3, verdict="")
    >>> tempered([row], [bound], Margins())[0].verdict
    'inconclusive'
    """
    known = {(b.metric, b.attribute, b.group, b.reference): Interval(b.conf_low, b.conf_high) for b in bounds}
    return [_tempered(row, known.get((row.metric, row.attribute, row.group, row.reference)), margins) for row in rows]


def _tempered(row: Estimate, ends: Interval | None, margins: Margins) -> Estimate:
    if row.verdict not in ("disparity shown", "equivalence shown"):
        return row
    plain = row.role == "main" and not row.given and not row.term  # the comparison that the bounds are of
    if ends is not None and plain:
        margin = margins.auc if row.metric == AREA else margins.difference
        null = 0.5 if row.metric == EFFECT else 0.0
        apart = ends.low > null or ends.high < null
        close = row.contrast == "difference" and margin is not None and max(-ends.low, ends.high) < margin
        if apart if row.verdict == "disparity shown" else close:
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
    return Interval(*(float(events / n) if n else bound for (events, n), bound in ((low, 0.0), (high, 1.0))))


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
