"""The count table group × outcome × decision: everything about rates is a function of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairstats.auditing.arguments import MEASURES
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.tally import CodedTally
from fairstats.errors import InputError, Setting, listing, nearest, with_hint
from fairstats.estimates import NAN, Estimate, Role, Status
from fairstats.inference.multiplicity import Margins
from fairstats.inference.rates.equivalence import tost_rates, tost_ratio
from fairstats.inference.rates.exact import (
    decided_by,
    decisive_test,
    equivalence_of_rates,
    equivalence_of_ratio,
)
from fairstats.inference.rates.rate_tests import z_test
from fairstats.inference.rates.sampling import SampledPeople
from fairstats.inference.rates.survey import DesignPair, DesignRates, limits_of, rates_of_clusters, rates_of_weighted
from fairstats.inference.rates.two_rates import INTERVAL_NAMES, TEST_NAMES, koopman, miettinen_nurminen
from fairstats.inference.scores.survey import weighted_median
from fairstats.labels import holds_missing, is_total, join
from fairstats.language import joined, message
from fairstats.metrics import METRICS, UNKNOWN, Cells, Metric, rates
from fairstats.provenance import Attribute
from fairstats.validation import HIGHEST_RATE, LARGEST_GROUP, REFERENCES

Floats = NDArray[np.float64]


Fraction = tuple[Floats, Floats]

NO, YES, NONE = 0, 1, UNKNOWN
TIED = 1e-12  # rates that differ by less are equal: sums of weights such as 0.1 are rounded


@dataclass(frozen=True)
class Cell:
    """The counts of one level of one attribute: the table group × outcome × decision (NaN where one is absent)."""

    attribute: str
    group: str
    n: float
    positives: float
    negatives: float
    favorable: float
    unfavorable: float
    tp: float  # decision "1" is the decision that says "positive" of the outcome
    fp: float
    fn: float
    tn: float


@dataclass(frozen=True)
class CountTable:
    """Counts (or summed weights) of one attribute: ``counts[group, outcome, decision]``, each 0, 1 or unknown."""

    attribute: str
    labels: tuple[str, ...]
    counts: Floats  # (G, 3, 3)
    favors: int
    has_outcome: bool
    has_decision: bool

    @property
    def n(self) -> Floats:
        """People (or summed weights) by group."""
        return np.asarray(self.counts.sum(axis=(1, 2)))

    @cached_property
    def unknown(self) -> tuple[int, ...]:
        """The groups of people of whom a part of the label is missing."""
        return tuple(i for i, label in enumerate(self.labels) if holds_missing(label))


def tabulate(tally: CodedTally, levels: Attribute, sums: Floats) -> CountTable:
    """Sum the cells of a tally over one attribute, outcome and decision.

    tally: people by cell.
    sums: what is summed: ``tally.rows``, ``tally.weight``, ``tally.square``, shape (cells,).

    >>> sex = Attribute("sex", np.array([0, 0, 1], dtype=np.int32), ("m", "f"))
    >>> tally = CodedTally((sex,), np.ones(3), decision=np.array([1, 0, 1], dtype=np.int8))
    >>> tabulate(tally, sex, tally.rows).n.tolist()
    [2.0, 1.0]
    """
    unknown = np.int32(UNKNOWN)
    outcome = unknown if tally.outcome is None else tally.outcome
    decision = unknown if tally.decision is None else tally.decision
    place = levels.codes * np.int32(9) + outcome * np.int32(3) + decision
    counts = np.bincount(place, weights=sums, minlength=9 * len(levels.labels)).astype(float)
    return CountTable(
        levels.name,
        levels.labels,
        counts.reshape(-1, 3, 3),
        tally.favors,
        tally.outcome is not None,
        tally.decision is not None,
    )


@dataclass(frozen=True)
class Rate:
    """A rate: its numerator and denominator by group, what it needs, and what its denominator lacks when empty."""

    fraction: Callable[[CountTable], Fraction]
    outcome: bool
    decision: bool
    empty: str


def _rate(metric: Metric) -> Rate:
    def fraction(t: CountTable) -> Fraction:
        events, n = (_places(cells) for cells in metric.cells(t.favors))
        return t.counts[:, *events].sum(axis=1), t.counts[:, *n].sum(axis=1)

    return Rate(fraction, "outcome" in metric.columns, "decision" in metric.columns, metric.empty)


def _places(cells: Cells) -> tuple[list[int], list[int]]:
    return [y for y, _ in cells], [d for _, d in cells]


IMPACT_METRICS = {
    "selection rate": ("impact ratio", "shortfall"),
    "scoring rate": ("scoring impact ratio", "scoring shortfall"),
}
ROLE: Role = "headline"
RATES: dict[str, Rate] = {metric.name: _rate(metric) for metric in rates("audit")}


def available(table: CountTable) -> dict[str, Rate]:
    """The rates that the columns at hand allow.

    Examples
    --------
    >>> list(available(CountTable("sex", ("a", "b"), np.ones((2, 3, 3)), 1, False, True)))
    ['selection rate']
    """
    have = (table.has_outcome, table.has_decision)
    return {name: r for name, r in RATES.items() if (have[0] or not r.outcome) and (have[1] or not r.decision)}


def cells(table: CountTable) -> tuple[Cell, ...]:
    """The counts by group for the report.

    table: one attribute.
    Returns: NaN where a column is absent.

    >>> cells(CountTable("sex", ("a",), np.ones((1, 3, 3)), 1, True, True))[0].tp
    1.0
    """
    c, y, d = table.counts, table.has_outcome, table.has_decision
    columns: dict[str, tuple[Any, bool]] = {
        "positives": (c[:, YES].sum(axis=1), y),
        "negatives": (c[:, NO].sum(axis=1), y),
        "favorable": (c[:, :, table.favors].sum(axis=1), d),
        "unfavorable": (c[:, :, 1 - table.favors].sum(axis=1), d),
        "tp": (c[:, YES, YES], y and d),
        "fp": (c[:, NO, YES], y and d),
        "fn": (c[:, YES, NO], y and d),
        "tn": (c[:, NO, NO], y and d),
    }
    n = table.n
    return tuple(
        Cell(
            table.attribute,
            label,
            float(n[i]),
            **{k: float(v[i]) if present else float("nan") for k, (v, present) in columns.items()},
        )
        for i, label in enumerate(table.labels)
    )


def block_of(metric: str, protocol: Protocol) -> str:
    """Return the block of counts that a metric is computed from; other metrics belong to the headline rate's block."""
    columns = METRICS[metric].columns if metric in METRICS else ()
    if "outcome" in columns and len(columns) > 1:
        return "joint"
    if len(columns) == 1 and columns != ("decision",):
        return columns[0]
    if protocol.decision or protocol.threshold is not None:
        return "decision"
    return next((role for role in ("score", *MEASURES) if protocol.argument(role)), "outcome")


# The counts behind a rate by group, as printed, and what they are worth under weights and clusters.


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
    tells_rows: bool = False  # whether people are told beside n, which are summed weights

    @property
    def rate(self) -> Floats:
        """Events over n, NaN in an empty group."""
        return np.divide(self.events, self.n, out=np.full(self.n.shape, np.nan), where=self.n > 0)

    def estimable(self, min_n: int) -> NDArray[np.bool_]:
        """Whether each group has enough people, and a variance where the design needs one."""
        enough = self.people >= max(min_n, 1)
        return enough if self.design is None else enough & self.design.estimable

    def counted(self, i: int) -> dict[str, float]:
        """What a row says of the counts of one group."""
        rows = float(self.people[i]) if self.tells_rows else NAN
        return {"n": float(self.n[i]), "n_unweighted": rows, "events": float(self.events[i])}

    @property
    def counts(self) -> tuple[Floats, Floats]:
        """Events and sizes of samples of independent people that would be worth as much as the groups."""
        whole = self.size == self.n
        return np.where(whole, self.events, self.rate * self.size), np.where(whole, self.n, self.size)


@dataclass(frozen=True, eq=False)
class Weighed:
    """One attribute: its people, its counts, and every rate with what it is worth."""

    people: CodedTally
    joined: CodedTally  # where outcomes whose cells with the decision or the score are withheld are unknown
    levels: Attribute
    table: CountTable
    rates: tuple[Evidence, ...]
    cells: tuple[Cell, ...]  # the counts that are published
    known_only: str = ""  # one of KNOWN_ONLY, where the outcome is known of one decision alone
    calibrated: bool = False  # whether scores are probabilities of the outcome: those of everybody, also if not shown


def counts_left_out(
    current: Weighed, protocol: Protocol, coded: Callable[[CodedTally], CodedTally] = lambda tally: tally
) -> CountTable | None:
    """The people without a group who are left out, where small groups are not withheld: bounds would tell of them.

    coded: their decisions as they are counted.
    """
    lost = current.people.left_out
    if lost is None or protocol.min_n > 1 or not lost.size:
        return None
    return tabulate(coded(lost), next(a for a in lost.attributes if a.name == current.levels.name), lost.weight)


def weigh(people: CodedTally, joined: CodedTally, levels: Attribute, protocol: Protocol) -> Weighed:
    """Count and weigh one attribute; scores without decisions add the share above the median.

    people, joined: the people, and the same where outcomes whose cells with the decision or the score are withheld are
        unknown.
    protocol: kind of weights, clusters, confidence level.

    >>> sex = Attribute("sex", np.array([0, 0, 1], dtype=np.int32), ("m", "f"))
    >>> tally = CodedTally((sex,), np.ones(3), decision=np.array([1, 0, 1], dtype=np.int8))
    >>> [rate.metric for rate in weigh(tally, tally, sex, Protocol(("sex",))).rates]
    ['selection rate']
    """
    table, rates = evidence(people, levels, protocol)
    both = table
    if joined is not people:
        both, other = evidence(joined, levels, protocol)
        rates = tuple(b if block_of(b.metric, protocol) == "joint" else a for a, b in zip(rates, other, strict=True))
    if people.score is not None and people.decision is None:
        rates = (*rates, scoring(people, levels, protocol)[1])
    by_decision = table.counts.sum(axis=0)[:, [NO, YES]]
    side = least_known(by_decision[[NO, YES]].sum(axis=0), by_decision.sum(axis=0))
    known_only = "" if side is None else KNOWN_ONLY[side != table.favors]
    if side is not None:
        rates = tuple(_without(part, side, table.favors, known_only) for part in rates)
    entries = {cell.group: cell for cell in cells(table)}
    joint = ("tp", "fp", "fn", "tn")
    counts = (replace(entries[c.group], **{name: getattr(c, name) for name in joint}) for c in cells(both))
    return Weighed(people, joined, levels, table, rates, tuple(counts), known_only)


KNOWN_ONLY = (
    message("the outcome is known only of those with the unfavorable decision"),
    message("the outcome is known only of those with the favorable decision"),
)
PRACTICALLY_NOBODY = 0.01  # whose outcome is known of one decision, as a part of the share of the other


def least_known(known: Floats, people: Floats, part: float = PRACTICALLY_NOBODY) -> int | None:
    """The decision of which the outcome is known less than `part` times as often as of the other; None without one.

    known, people: by decision, 0 and 1, those whose outcome is known, and all.

    >>> least_known(np.array([0.0, 10.0]), np.array([9.0, 10.0])), least_known(np.array([1.0, 9.0]), np.full(2, 10.0))
    (0, None)
    """
    if not people.all():
        return None
    shares = known / people
    least = int(np.argmin(shares))
    return least if shares[least] < part * shares[1 - least] else None


def of_decision(metric: str, decision: int, favors: int) -> bool:
    """Whether a rate of outcomes and decisions counts people of a decision in its denominator, as AUC does of both.

    >>> of_decision("PPV", 0, 1), of_decision("FNR", 0, 1), of_decision("base rate", 0, 1), of_decision("AUC", 0, 1)
    (False, True, False, True)
    """
    if metric == "AUC":
        return True
    rate = RATES.get(metric)
    joint = rate is not None and rate.outcome and rate.decision
    return joint and any(d == decision for _, d in METRICS[metric].cells(favors)[1])


def _without(part: Evidence, decision: int, favors: int, why: str) -> Evidence:
    """A rate without numbers where its denominator has people of a decision of whom no outcome is known."""
    if not of_decision(part.metric, decision, favors):
        return part
    none = np.zeros(part.n.shape)
    return Evidence(part.metric, none, none, none, none, True, why, tells_rows=part.tells_rows)


def evidence(tally: CodedTally, levels: Attribute, protocol: Protocol) -> tuple[CountTable, tuple[Evidence, ...]]:
    """Count one attribute and weigh every rate that its table allows.

    Frequency weights count people. With probability weights or clusters a rate is worth the effective sample size
    p(1 - p)/v of its variance v, at most Kish's size of the weights; at a rate of 0 or 1, where v is 0, it is Kish's
    size (of the clusters' totals). The sizes are those of `fairstats.inference.rates.survey`, from tables.

    Standard errors are those of a domain of the whole sample, as R's ``survey::svyby`` has them: a cluster (or a
    weighted person) outside the group counts as one that adds nothing. Sizes, hence intervals and tests, rest on the
    group's own clusters, of which there may be few.

    tally: people by cell.
    protocol: kind of weights, clusters, confidence level.
    Source: Korn & Graubard (1998), Survey Methodology 24; Rao & Scott (1992), Biometrics 48; Kish (1965), section 11.7.

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
    if tally.sampling is not None:
        parts = _surveyed(tally, levels, table, used)
    else:
        check = _weighted if tally.clusters is None else _clustered
        parts = check(tally, levels, table, used, squares)
    return table, tuple(replace(part, tells_rows=protocol.tells_rows) for part in parts)


def scoring(tally: CodedTally, levels: Attribute, protocol: Protocol) -> tuple[CountTable, Evidence]:
    """The scoring rate: the share that scores above the median of the whole sample, people of unknown group included.

    protocol: kind of weights, clusters, confidence level.
    Returns: counts in which "decided favorably" is a score above the median.
    Source: Rules of the City of New York, title 6, section 5-300, "scoring rate".

    >>> sex = Attribute("sex", np.array([0, 0, 1], dtype=np.int32), ("m", "f"))
    >>> tally = CodedTally((sex,), np.ones(3), numbers={"score": np.array([1.0, 2.0, 3.0])})
    >>> scoring(tally, sex, Protocol(("sex",)))[1].events.tolist()
    [0.0, 1.0]
    """
    table, parts = evidence(cut_at_median(tally), levels, protocol)
    return table, replace(parts[0], metric="scoring rate", empty=message("no known score"))


def cut_at_median(tally: CodedTally) -> CodedTally:
    """The tally with a score above the median as the favorable decision.

    Examples
    --------
    >>> cut_at_median(CodedTally((), np.ones(3), numbers={"score": np.array([1.0, 2, 3])})).decision.tolist()
    [0, 0, 1]
    """
    return replace(tally, decision=above_median(tally), outcome=None, favors=1)


def above_median(tally: CodedTally) -> NDArray[np.int8]:
    """Whether a score exceeds the (weighted) median of everybody's, `UNKNOWN` where there is none.

    Examples
    --------
    >>> above_median(CodedTally((), np.array([3.0, 1, 1]), numbers={"score": np.array([1.0, 2, np.nan])})).tolist()
    [0, 1, 2]
    """
    assert tally.score is not None
    present = ~np.isnan(tally.score)
    middle = weighted_median(tally.score[present], tally.weight[present])
    return np.where(present, tally.score > middle, UNKNOWN).astype(np.int8)


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


def _surveyed(tally: CodedTally, levels: Attribute, table: CountTable, people: CountTable) -> tuple[Evidence, ...]:
    """Every rate with the variance of the whole design; nobody of its sample is left out."""
    assert tally.sampling is not None and tally.clusters is not None
    unknown = np.full(tally.rows.size, UNKNOWN)
    outcome, decision = (unknown if v is None else v for v in (tally.outcome, tally.decision))
    cells = SampledPeople(tally.used, tally.weight, tally.square, tally.clusters.astype(np.intp))
    out = []
    for metric, rate in available(table).items():
        (events, n), count = rate.fraction(table), rate.fraction(people)[1]
        top, bottom = np.zeros((3, 3)), np.zeros((3, 3))
        for places, into in zip(METRICS[metric].cells(tally.favors), (top, bottom), strict=True):
            into[tuple(zip(*places, strict=True))] = 1.0
        design = tally.sampling.rates(
            top[outcome, decision],
            bottom[outcome, decision],
            cells,
            levels.codes.astype(np.intp),
            len(levels.labels),
        )
        out.append(Evidence(metric, events, n, count, design.size, False, rate.empty, design))
    return tuple(out)


# Groups compared with a base in one rate: tests and intervals, for independent people and for weighted samples.


Places = NDArray[np.intp]
POOLED = message("pooled Z")
BY_SIZE = {  # the smallest groups first
    "unconditional": message("exact unconditional test and score test: the larger p"),
    "fisher": message("Fisher's exact test and score test: the larger p"),
    "z": TEST_NAMES["z"],
}
DECISIVE = {name: test if name == "z" else joined([test, POOLED]) for name, test in BY_SIZE.items()}
WEIGHTED = message("Rao-Scott score test on effective sizes, t")
FEW_WEIGHTED = joined([WEIGHTED, message("at least the p of the exact unconditional test of effective counts")])


AT_ONCE = 4096  # comparisons whose limits are solved together


@dataclass(frozen=True, eq=False)
class Against:
    """Some groups against one base in one rate, computed for all of them together.

    Attributes
    ----------
    part : Evidence
        The rate.
    base : int
        The place of the reference among the labels.
    groups : tuple of int
        Those of the groups that are compared with it.
    min_n : int
        Groups of fewer people are not compared.
    """

    part: Evidence
    base: int
    groups: tuple[int, ...]
    min_n: int = 1

    @cached_property
    def tables(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Events and effective sizes of the groups and of the base."""
        e, n = self.part.counts
        places = list(self.groups)
        return e[places], n[places], np.full(len(places), e[self.base]), np.full(len(places), n[self.base])

    @cached_property
    def comparable(self) -> Places:
        """Which of the groups, by place in `groups`, can be compared."""
        shown, (_, n1, _, n0) = self.part.estimable(self.min_n), self.tables
        return np.flatnonzero(shown[list(self.groups)] & shown[self.base] & (n1 > 0) & (n0 > 0))

    @cached_property
    def pairs(self) -> list[DesignPair]:
        """The pairs that can be compared, under a design."""
        assert self.part.design is not None
        return [self.part.design.pair(self.groups[k], self.base) for k in self.comparable]

    def _of_comparable(self, values: ArrayLike) -> Floats:
        """Values of those that can be compared among NaN for the others."""
        out = np.full(len(self.groups), NAN)
        out[self.comparable] = values
        return out

    def _each(self, of_pair: Callable[[DesignPair], float], of_tables: Callable[..., ArrayLike]) -> Floats:
        if self.part.design is not None:
            return self._of_comparable([of_pair(pair) for pair in self.pairs])
        return self._of_comparable(of_tables(*(v[self.comparable] for v in self.tables)))

    @cached_property
    def z(self) -> Floats:
        """The pooled Z statistics; on effective sizes and with the correlation of the two rates under a design."""
        return self._each(lambda pair: pair.z, lambda *tables: z_test(*tables)[0])

    @cached_property
    def p_values(self) -> Floats:
        """The test that decides: exact of independent people, otherwise the score test on effective sizes, with t."""
        return self._each(lambda pair: pair.p_value, decisive_test)

    def p_equivalence(self, margin: float) -> Floats:
        """Two one-sided tests that each difference lies within a margin."""
        tests: list[Callable[..., Floats]] = [equivalence_of_rates, tost_rates]
        return self._each(
            lambda pair: pair.p_equivalence(margin), lambda *of: np.maximum(*(test(*of, margin) for test in tests))
        )

    def p_equivalence_of_ratio(self, least: float) -> Floats:
        """Two one-sided tests that each ratio lies between `least` and its inverse."""
        tests: list[Callable[..., Floats]] = [equivalence_of_ratio, tost_ratio]
        return self._each(
            lambda pair: pair.p_equivalence_of_ratio(least),
            lambda *of: np.maximum(*(test(*of, least) for test in tests)),
        )

    def limits(self, level: float, contrast: str) -> tuple[Floats, Floats]:
        """Score limits: Miettinen and Nurminen's, or Koopman's; under a design with t and the correlation."""
        if self.part.design is not None:
            low, high = limits_of(self.pairs, level, contrast)
        else:
            self.solve([self], [level])
            low, high = self.solved[level, contrast]
        return self._of_comparable(low), self._of_comparable(high)

    @cached_property
    def solved(self) -> dict[tuple[float, str], tuple[Floats, Floats]]:
        """Score limits of those that can be compared, by level and contrast, as far as they are solved."""
        return {}

    def _unsolved(self, level: float) -> bool:
        return self.part.design is None and (level, "ratio") not in self.solved

    @staticmethod
    def solve(many: Sequence[Against], levels: Sequence[float]) -> None:
        """Solve the limits of many, each at its level, together; under a design each is solved by itself."""
        left = [(one, level) for one, level in zip(many, levels, strict=True) if one._unsolved(level)]
        sizes = [one.comparable.size for one, _ in left]
        for at in np.split(np.arange(len(left)), np.flatnonzero(np.diff(np.cumsum(sizes) // AT_ONCE)) + 1):
            part, ends = [left[i] for i in at], np.cumsum([sizes[i] for i in at])[:-1]
            if not part:
                continue
            tables = zip(*([v[one.comparable] for v in one.tables] for one, _ in part), strict=True)
            e1, n1, e0, n0 = map(np.concatenate, tables)
            level = np.repeat([level for _, level in part], [sizes[i] for i in at])
            for contrast, interval in (("difference", miettinen_nurminen), ("ratio", koopman)):
                both = (np.split(v, ends) for v in interval(e1, n1, e0, n0, level))
                for (one, at_level), *limits in zip(part, *both, strict=True):
                    one.solved[at_level, contrast] = limits[0], limits[1]

    def equal(self, margins: Margins) -> list[tuple[float | None, float | None]]:
        """Of each difference and ratio, where a margin was declared: the p-value of practical equality."""
        none = [None] * len(self.groups)
        of_difference = none if margins.difference is None else self.p_equivalence(margins.difference).tolist()
        of_ratio = none if margins.ratio is None else self.p_equivalence_of_ratio(margins.ratio).tolist()
        return list(zip(of_difference, of_ratio, strict=True))

    def one(self, k: int) -> Against:
        """The same for one of the groups, by place in `groups`."""
        return replace(self, groups=self.groups[k : k + 1])

    def rows(self, attribute: str, labels: tuple[str, ...], level: float) -> list[tuple[Estimate, Estimate]]:
        """The difference and the ratio of each group: one hypothesis, hence one p."""
        part, base = self.part, self.base
        e1, n1, e0, n0 = self.tables
        with np.errstate(divide="ignore", invalid="ignore"):
            p1, p0 = e1 / n1, e0 / n0
            ratio = p1 / p0
            errors = (
                np.sqrt(p1 * (1 - p1) / n1 + p0 * (1 - p0) / n0),
                ratio * np.sqrt(1 / e1 - 1 / n1 + 1 / e0 - 1 / n0),
            )
        df = np.full(p1.size, NAN)
        tests: list[str] = [WEIGHTED] * p1.size
        if part.exact:
            tests = [DECISIVE[name] for name in decided_by(*self.tables, self.p_values)]
        if part.design is not None:
            df, *errors = (  # type: ignore[assignment]
                self._of_comparable([getattr(pair, name) for pair in self.pairs])
                for name in ("df", "std_error", "ratio_std_error")
            )
            for k, pair in zip(self.comparable.tolist(), self.pairs, strict=True):
                tests[k] = FEW_WEIGHTED if pair.few else WEIGHTED
        errors = errors[0], np.where((e1 > 0) & (e0 > 0), errors[1], NAN)
        columns = {
            contrast: np.stack([estimate, error, *self.limits(level, contrast), self.z, df, self.p_values]).T.tolist()
            for contrast, estimate, error in zip(INTERVALS, (p1 - p0, ratio), errors, strict=True)
        }
        present = set(self.comparable.tolist())
        methods = {(c, test): joined([name, test]) for c, name in INTERVALS.items() for test in {*tests}}
        out = []
        for k, i in enumerate(self.groups):
            about: dict[str, Any] = {"attribute": attribute, "group": labels[i], "reference": labels[base]}
            about |= part.counted(i)
            both = []
            for contrast in INTERVALS:
                about["contrast"] = contrast
                if k not in present:
                    both.append(without_numbers(part, [i, base], self.min_n, about))
                elif contrast == "ratio" and e1[k] == 0 and e0[k] == 0:
                    both.append(Estimate(part.metric, **about, status="unestimable", reason=NO_EVENTS))
                else:
                    estimate, std_error, low, high, z, free, p = columns[contrast][k]
                    both.append(
                        Estimate(
                            part.metric,
                            **about,
                            estimate=estimate,
                            std_error=std_error,
                            conf_low=low,
                            conf_high=high,
                            conf_level=level,
                            statistic=z,
                            df=free,
                            p_value=p,
                            method=methods[contrast, tests[k]],
                            reason=NO_EVENTS_IN_REFERENCE if contrast == "ratio" and e0[k] == 0 else "",
                        )
                    )
            out.append((both[0], both[1]))
        return out


NO_EVENTS, NO_EVENTS_IN_REFERENCE = message("no events in either group: 0/0"), message("the reference has no events")
INTERVALS = {"difference": INTERVAL_NAMES["miettinen-nurminen"], "ratio": INTERVAL_NAMES["koopman"]}


def without_numbers(part: Evidence, places: list[int], min_n: int, about: dict[str, Any]) -> Estimate:
    """The row of groups of which one is too small, empty, or without a variance."""
    people = min(part.people[i] for i in places)
    reason: str
    status: Status = "suppressed" if 0 < people < min_n else "unestimable"
    if status == "suppressed":
        about, reason = about | {"events": NAN}, message("fewer than {n} people", n=min_n)
    elif part.empty in KNOWN_ONLY:
        about, reason = about | {"events": NAN}, part.empty
    elif people == 0:
        current = part.people[places[0]] == 0
        side = message("{text} in the group") if current else message("{text} in the reference")
        about, reason = about | {"events": NAN}, part.empty if len(places) == 1 else side.format(text=part.empty)
    elif part.design is not None and not part.design.estimable[places].all():
        reason = part.design.lacking(places)
    elif len(places) == 1:  # people whose weights are all 0
        reason = message("nobody in the denominator")
    else:
        reason = message("nobody in the reference") if part.n[places[0]] else message("nobody in the group")
    return Estimate(part.metric, **about, status=status, reason=reason)


# Whom the groups of each attribute are compared with: a declared level, the largest group, or the highest rate.


def references_by_attribute(reference: str, attributes: Iterable[str]) -> dict[str, str]:
    """Which rule or level each attribute has: ``sex=Male; race=White`` names them one by one.

    Examples
    --------
    >>> references_by_attribute("race=White", ["sex", "race"])
    {'sex': 'largest_group', 'race': 'White'}
    >>> references_by_attribute("race=Other, mixed,sex=Male", ["sex", "race"])
    {'sex': 'Male', 'race': 'Other, mixed'}
    >>> references_by_attribute("Male", ["sex"])
    {'sex': 'Male'}
    """
    present = tuple(attributes)
    ahead = "|".join(map(re.escape, present))  # a label may have a comma: only one before an attribute separates
    parts = [part.partition("=") for part in re.split(rf"\s*[;,]\s*(?=(?:{ahead})=)", reference)]
    if not all(separator and attribute in present for attribute, separator, _ in parts):
        return dict.fromkeys(present, reference)
    named = {attribute: level for attribute, _, level in parts}
    return {attribute: named.get(attribute, LARGEST_GROUP) for attribute in present}


def refer(protocol: Protocol, tables: Sequence[tuple[CountTable, tuple[Evidence, ...]]]) -> dict[str, tuple[str, str]]:
    """The rule and the reference group of every attribute.

    protocol: the declared rule or level, smallest group.
    tables: counts and rates of each attribute.
    Returns: attribute → rule and level.

    >>> table = CountTable("sex", ("a", "b"), np.ones((2, 3, 3)), 1, False, True)
    >>> refer(Protocol(("sex",)), [(table, ())])
    {'sex': ('largest_group', 'a')}
    """
    rules = _rules(protocol, [table for table, _ in tables])
    rules |= _crossed(protocol, rules, [table for table, _ in tables])
    return {
        table.attribute: (
            rules[table.attribute],
            choose_reference(rules[table.attribute], table, rates, protocol.min_n),
        )
        for table, rates in tables
    }


FEWEST_CROSSED = 30  # people of a crossing that others are compared with: of fewer the largest group takes its place


def _crossed(protocol: Protocol, rules: Mapping[str, str], tables: Sequence[CountTable]) -> dict[str, str]:
    """Where every column of an intersection has a named reference, the group that is all of them, if large enough."""
    out = {}
    for table in tables:
        levels = [rules.get(column, LARGEST_GROUP) for column in protocol.columns_of(table.attribute)]
        where = dict(zip(table.labels, table.n, strict=True))
        if len(levels) > 1 and rules[table.attribute] == LARGEST_GROUP and not {*levels} & {*REFERENCES}:
            label = join(levels)
            if where.get(label, 0.0) >= max(protocol.min_n, FEWEST_CROSSED):
                out[table.attribute] = label
    return out


def _rules(protocol: Protocol, tables: Sequence[CountTable]) -> dict[str, str]:
    """The rule or level of each attribute; a level given for all holds where it exists, the largest group elsewhere."""
    rules = references_by_attribute(protocol.reference, [t.attribute for t in tables])
    level = protocol.reference
    for table in tables:
        rule = rules[table.attribute]
        if rule not in REFERENCES and not any(rule in one.labels for one in tables):
            _refuse_other_columns(rule, [t.attribute for t in tables], protocol)
    if level in REFERENCES or any(rule != level for rule in rules.values()):
        return rules
    holding = [t.attribute for t in tables if level in t.labels]
    if not holding:
        items = list(dict.fromkeys(label for t in tables for label in t.labels))
        parts = [part.strip() for part in level.split(",")]
        of = {t.attribute: part for t in tables for part in parts if part in t.labels}
        if len(parts) > 1 and {*of.values()} == {*parts}:
            fact = f"has {level!r}; no group is called so, but one of each attribute"
            raise InputError("reference", f"{fact}; pass {Setting('reference', of)}.")
        raise InputError(
            "reference",
            with_hint(
                f"has {level!r}; no group is called so",
                nearest(level, items),
                f"the groups are {listing(items, 12)}; pass one of them, 'largest_group' or 'highest_rate'.",
            ),
        )
    return {name: level if name in holding else "largest_group" for name in rules}


def _refuse_other_columns(rule: str, present: Sequence[str], protocol: Protocol) -> None:
    """Refuse a reference of a column that is not audited: ``Male; country=US`` where country is none of the groups."""
    for attribute, separator, _ in (part.partition("=") for part in re.split(r"\s*[;,]\s*", rule)):
        if separator and attribute not in present and not attribute.endswith(("<", ">")):
            groups = [name for name in present if not protocol.is_crossed(name)]
            raise InputError(
                "reference",
                with_hint(
                    f"names {attribute!r}, which is not among groups {', '.join(groups)}",
                    nearest(attribute, present),
                    "drop it or add it to groups.",
                ),
            )


def choose_reference(rule: str, table: CountTable, parts: tuple[Evidence, ...], min_n: int) -> str:
    """The level that the others are compared with.

    rule: ``largest_group``, ``highest_rate`` (of the selection rate; without decisions of the scoring rate, without
        scores of the base rate), or a level.
    table: one attribute.
    parts: its rates.
    min_n: a smaller group cannot be the reference by a rule.

    >>> t = CountTable("sex", ("a", "b"), np.ones((2, 3, 3)), 1, False, True)
    >>> choose_reference("largest_group", t, (), 1)
    'a'
    """
    if rule not in REFERENCES:
        if rule in table.labels:
            return rule
        raise InputError(
            "reference",
            with_hint(
                f"has {rule!r}; {table.attribute!r} has no such group",
                nearest(rule, table.labels),
                f"its groups are {listing(table.labels)}; pass one of them, 'largest_group' or 'highest_rate'.",
            ),
        )
    if rule == HIGHEST_RATE and not parts:
        raise InputError(
            "reference",
            f"has {HIGHEST_RATE!r}; there is no rate without a decision, an outcome or a score; pass "
            f"a group, or {LARGEST_GROUP!r}.",
        )
    if rule == HIGHEST_RATE:
        return table.labels[max(highest_rate(headline_rate(parts), table.labels, min_n), 0)]
    values = _groups(table.labels)
    fit = values & (table.n >= min_n)
    return table.labels[int(np.argmax(np.where(fit if fit.any() else values, table.n, -1.0)))]


def _groups(labels: Sequence[str]) -> NDArray[np.bool_]:
    """Which labels are of people with a group; a word for everybody is none beside others."""
    known = np.array([not holds_missing(label) for label in labels])
    groups = known & np.array([not is_total(label) for label in labels])
    return groups if groups.any() else known


def highest_rate(part: Evidence, labels: tuple[str, ...], min_n: int, share: float = 0.0, absent: float = 0.0) -> int:
    """The place of the group with the highest rate.

    Returns
    -------
    int
        -1 where no group can be estimated; the largest of several equal ones.

    labels: its groups; people without a group are never the highest, nor is a sum of groups.
    min_n: a smaller group is not looked at.
    share: nor is one with a smaller share of the people, unless all are that small.
    absent: people of withheld groups, who are among those that the share is of.

    >>> n = np.array([500.0, 490.0, 10.0])
    >>> part = Evidence("selection rate", np.array([200.0, 245.0, 9.0]), n, n, n, True, "")
    >>> highest_rate(part, ("a", "b", "c"), 1), highest_rate(part, ("a", "b", "c"), 1, 0.02)
    (2, 1)
    """
    fit = part.estimable(min_n) & ~np.isnan(part.rate)
    fit &= _groups(labels)
    large = fit & (part.people >= share * (part.people.sum() + absent))
    fit = large if large.any() else fit
    if not fit.any():
        return -1
    rates = np.where(fit, part.rate, -1.0)
    return int(np.argmax(np.where(rates >= rates.max() - TIED, part.n, -1.0)))


def headline_rate(parts: Sequence[Evidence]) -> Evidence:
    """The rate that an audit is about: of decisions, else of scores above the median, else of outcomes.

    Examples
    --------
    >>> n = np.ones(2)
    >>> headline_rate([Evidence(m, n, n, n, n, True, "") for m in ("base rate", "selection rate")]).metric
    'selection rate'
    """
    by_metric = {part.metric: part for part in parts}
    return next(by_metric[m] for m in ("selection rate", "scoring rate", "base rate") if m in by_metric)
