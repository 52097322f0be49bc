"""The counts behind a rate by group, as printed, and what they are worth under weights and clusters."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.coding import CodedTally
from fairstats.auditing.counts import Cell, CountTable, Rate, available, block, cells, tabulate
from fairstats.auditing.input import UNKNOWN
from fairstats.auditing.protocol import Protocol
from fairstats.inference.rates.design_rates import DesignRates
from fairstats.inference.rates.design_sums import rates_of_clusters, rates_of_weighted
from fairstats.inference.scores.survey_ranks import weighted_median
from fairstats.studies.attribute import Attribute

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Evidence:
    """One rate by group: the events and n that are printed, the people counted, and the effective sample size."""

    metric: str
    events: Floats
    n: Floats
    people: Floats  # rows in the denominator: what `min_n` looks at
    size: Floats  # effective sample size; n where every row is one independent person
    exact: bool  # whole counts of independent people: exact tests apply
    empty: str  # why it cannot be estimated when the denominator is empty
    design: DesignRates | None = None  # under probability weights or clusters: errors, correlations, degrees of freedom

    @property
    def rate(self) -> Floats:
        """Events over n, NaN in an empty group."""
        return np.divide(self.events, self.n, out=np.full(self.n.shape, np.nan), where=self.n > 0)

    def estimable(self, min_n: int) -> NDArray[np.bool_]:
        """Whether each group has enough people, and a variance where the design needs one."""
        enough = self.people >= max(min_n, 1)
        return enough if self.design is None else enough & self.design.estimable

    def effective(self, i: int) -> tuple[float, float]:
        """Return the events and the size of a sample of independent people that would be worth as much as group i."""
        if self.size[i] == self.n[i]:
            return float(self.events[i]), float(self.n[i])
        return float(self.rate[i] * self.size[i]), float(self.size[i])


@dataclass(frozen=True, eq=False)
class Weighed:
    """One attribute: its people, its counts, and every rate with what it is worth."""

    people: CodedTally
    joined: CodedTally  # where outcomes whose cells with the decision or the score are withheld are unknown
    levels: Attribute
    table: CountTable
    rates: tuple[Evidence, ...]
    cells: tuple[Cell, ...]  # the counts that are published


def weigh(people: CodedTally, joined: CodedTally, levels: Attribute, protocol: Protocol) -> Weighed:
    """Count and weigh one attribute; scores without decisions add the share above the median.

    Parameters
    ----------
    people, joined : CodedTally
        The people, and the same where outcomes whose cells with the decision or the score are withheld are unknown.
    levels : Attribute
        The attribute.
    protocol : Protocol
        Kind of weights, clusters, confidence level.

    Returns
    -------
    Weighed

    Examples
    --------
    >>> sex = Attribute("sex", np.array([0, 0, 1], dtype=np.int32), ("m", "f"))
    >>> tally = CodedTally((sex,), np.ones(3), decision=np.array([1, 0, 1], dtype=np.int8))
    >>> [rate.metric for rate in weigh(tally, tally, sex, Protocol(("sex",))).rates]
    ['selection rate']
    """
    table, rates = evidence(people, levels, protocol)
    both = table
    if joined is not people:
        both, other = evidence(joined, levels, protocol)
        rates = tuple(b if block(b.metric, protocol) == "joint" else a for a, b in zip(rates, other, strict=True))
    if people.score is not None and people.decision is None:
        rates = (*rates, scoring(people, levels, protocol)[1])
    own = {cell.group: cell for cell in cells(table)}
    joint = ("tp", "fp", "fn", "tn")
    counts = (replace(own[c.group], **{name: getattr(c, name) for name in joint}) for c in cells(both))
    return Weighed(people, joined, levels, table, rates, tuple(counts))


def evidence(tally: CodedTally, levels: Attribute, protocol: Protocol) -> tuple[CountTable, tuple[Evidence, ...]]:
    """Count one attribute and weigh every rate that its table allows.

    Frequency weights count people. With probability weights or clusters a rate is worth the effective sample size
    p(1 - p)/v of its variance v, at most Kish's size of the weights; at a rate of 0 or 1, where v is 0, it is Kish's
    size (of the clusters' totals). The sizes are those of `fairstats.inference.rates.design_rates`, from tables.

    Standard errors are those of a domain of the whole sample, as R's ``survey::svyby`` has them: a cluster (or a
    weighted person) outside the group counts as one that adds nothing. Sizes, hence intervals and tests, rest on the
    group's own clusters, of which there may be few.

    Parameters
    ----------
    tally : CodedTally
        People by cell.
    levels : Attribute
        The attribute.
    protocol : Protocol
        Kind of weights, clusters, confidence level.

    Returns
    -------
    CountTable, tuple of Evidence

    References
    ----------
    Korn & Graubard (1998), Survey Methodology 24; Rao & Scott (1992), Biometrics 48; Kish (1965), section 11.7.

    Examples
    --------
    >>> sex = Attribute("sex", np.array([0, 0, 1], dtype=np.int32), ("m", "f"))
    >>> tally = CodedTally((sex,), np.ones(3), decision=np.array([1, 0, 1], dtype=np.int8))
    >>> evidence(tally, sex, Protocol(("sex",)))[1][0].rate.tolist()
    [0.5, 1.0]
    """
    table = tabulate(tally, levels, tally.weight)
    sampled = protocol.weight_type == "probability"
    if tally.clusters is None and not sampled:
        return table, tuple(_plain(metric, rate, table) for metric, rate in available(table).items())
    used, squares = (tabulate(tally, levels, v) for v in (tally.used, tally.square)) if sampled else (table, table)
    judge = _weighted if tally.clusters is None else _clustered
    return table, judge(tally, levels, table, used, squares)


def scoring(tally: CodedTally, levels: Attribute, protocol: Protocol) -> tuple[CountTable, Evidence]:
    """The scoring rate: the share that scores above the median of the whole sample, people of unknown group included.

    Parameters
    ----------
    tally : CodedTally
        With scores.
    levels : Attribute
        The attribute.
    protocol : Protocol
        Kind of weights, clusters, confidence level.

    Returns
    -------
    CountTable, Evidence
        Counts in which "decided favorably" is a score above the median.

    References
    ----------
    Rules of the City of New York, title 6, section 5-300, "scoring rate".

    Examples
    --------
    >>> sex = Attribute("sex", np.array([0, 0, 1], dtype=np.int32), ("m", "f"))
    >>> tally = CodedTally((sex,), np.ones(3), score=np.array([1.0, 2.0, 3.0]))
    >>> scoring(tally, sex, Protocol(("sex",)))[1].events.tolist()
    [0.0, 1.0]
    """
    table, parts = evidence(cut_at_median(tally), levels, protocol)
    return table, replace(parts[0], metric="scoring rate", empty="no known score")


def cut_at_median(tally: CodedTally) -> CodedTally:
    """The tally with a score above the median as the favorable decision.

    Examples
    --------
    >>> cut_at_median(CodedTally((), np.ones(3), score=np.array([1.0, 2, 3]))).decision.tolist()
    [0, 0, 1]
    """
    return replace(tally, decision=above_median(tally), outcome=None, favors=1)


def above_median(tally: CodedTally) -> NDArray[np.int8]:
    """Whether a score exceeds the (weighted) median of everybody's, `UNKNOWN` where there is none.

    Examples
    --------
    >>> above_median(CodedTally((), np.array([3.0, 1, 1]), score=np.array([1.0, 2, np.nan]))).tolist()
    [0, 1, 2]
    """
    assert tally.score is not None
    known = ~np.isnan(tally.score)
    middle = weighted_median(tally.score[known], tally.weight[known])
    return np.where(known, tally.score > middle, UNKNOWN).astype(np.int8)


def _plain(metric: str, rate: Rate, table: CountTable) -> Evidence:
    events, n = rate.fraction(table)
    return Evidence(metric, events, n, n, n, True, rate.empty)


def _weighted(
    tally: CodedTally, levels: Attribute, table: CountTable, people: CountTable, squares: CountTable
) -> tuple[Evidence, ...]:
    drawn, out = int(tally.used.sum()), []
    for metric, rate in available(table).items():
        (events, n), count = rate.fraction(table), rate.fraction(people)[1]
        design = rates_of_weighted(events, n, *rate.fraction(squares), count, drawn)
        out.append(Evidence(metric, events, n, count, design.size, False, rate.empty, design))
    return tuple(out)


def _clustered(
    tally: CodedTally, levels: Attribute, table: CountTable, people: CountTable, squares: CountTable
) -> tuple[Evidence, ...]:
    assert tally.clusters is not None
    groups, clusters = len(levels.labels), int(tally.clusters.max(initial=0)) + 1
    cells = Attribute(levels.name, tally.clusters * np.int32(groups) + levels.codes, ("",) * (groups * clusters))
    by_cluster = tabulate(tally, cells, tally.weight)
    drawn = len(np.unique(tally.clusters[tally.used > 0]))
    out = []
    for metric, rate in available(table).items():
        (events, n), count = rate.fraction(table), rate.fraction(people)[1]
        e, d = (v.reshape(clusters, groups) for v in rate.fraction(by_cluster))
        design = rates_of_clusters(e, d, rate.fraction(squares)[1], drawn)
        out.append(Evidence(metric, events, n, count, design.size, False, rate.empty, design))
    return tuple(out)
