"""How much the headline depends on choices and gaps: another interval, other thresholds, missing data, sample size."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from fairstats.auditing.counts import IMPACT_METRICS as SELECTIONS
from fairstats.auditing.counts import NONE, RATES, ROLE, CountTable, Evidence, tabulate
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.scores import Sample, refused, with_rows
from fairstats.auditing.tally import CodedTally, Withheld
from fairstats.estimates import NAN, TESTED, Estimate, Estimates
from fairstats.inference.multiplicity import Margins, rejected
from fairstats.inference.rates.adverse_impact import (
    CONCLUSIONS,
    EITHER_SIDE,
    OTHER_HIGHEST,
    SMALL_GROUP,
    SMALL_SHARE,
    side,
)
from fairstats.inference.rates.equivalence import (
    EXACT,
    NORMAL,
    detectable,
    detectable_rows,
    p_outside,
    p_within,
    tost_rates,
    tost_ratio,
)
from fairstats.inference.rates.exact import decisive_test, equivalence_of_rates, equivalence_of_ratio
from fairstats.inference.rates.one_rate import wilson
from fairstats.inference.rates.rate_tests import mid_p
from fairstats.inference.rates.sensitivity import (
    BOUND,
    E_VALUE,
    NOBODY,
    Gaps,
    PropertyCounts,
    bounds_with_error,
    difference_bounds,
    unmeasured_rows,
)
from fairstats.inference.rates.strata import NO_OVERLAP
from fairstats.inference.rates.strata_rows import (
    CONDITIONAL,
    LEFT_OUT,
    LEFT_OUT_OF_ONE,
    NOT_COMPARABLE,
    NOT_COMPARABLE_SENT,
    OTHER_WITHHELD,
    STRATUM_MISSING,
    WITHIN,
    CountedPeople,
    StratifiedCounts,
    StratifiedPeople,
    left_out_text,
    stratified,
    too_few,
)
from fairstats.inference.rates.two_rates import INTERVAL_NAMES, TEST_NAMES, koopman, miettinen_nurminen, newcombe
from fairstats.inference.verdicts import After, Comparison, Rows, Undecided, null_value
from fairstats.labels import MISSING_LEVEL, holds_missing, split
from fairstats.language import joined, message, parts, says, unjoined
from fairstats.metrics import METRICS, UNKNOWN, Metric
from fairstats.provenance import Attribute
from fairstats.text import number

Floats = NDArray[np.float64]


# The headline comparison given legitimate factors: within strata, all of them in the average.


DESIGN = message("the common odds ratio needs independent people; see the risk difference within strata")


def strata_rows(
    tally: CodedTally,
    levels: Attribute,
    metric: str,
    reference: str,
    protocol: Protocol,
    groups: Sequence[str] | None = None,
) -> list[Rows]:
    """Every group against the reference within strata of the legitimate factors.

    metric: the rate that is compared.
    reference: the group that the others are compared with.
    protocol: level, adjustment, margin, design.
    groups: the groups that are compared with it; by default all others.
    Returns: a group: the Mantel-Haenszel risk difference, which carries the verdict (a disparity is shown only where
        the exact stratified test rejects *and* the limits exclude 0), the risk ratio, the difference standardized to
        everybody, the conditional odds ratio, the shortfall in people, the common odds ratio with the limits and the
        p-value of the same test, and the test of its homogeneity, the share of the people in strata that hold both
        groups, and how strong an unmeasured factor would have to be (E-values, Rosenbaum's bound). Strata in which
        nobody or everybody has the property have a difference of 0 and are averaged. Under probability weights or
        clusters the two differences, with linearized errors and t. ``given`` names the factors, n is everybody who is
        averaged.
    Source: Greenland & Robins (1985), Biometrics 41; Mantel & Haenszel (1959), JNCI 22; Agresti (2013), Categorical
    Data Analysis, chapters 5 to 7.

    >>> from fairstats.inference.verdicts import decide_all
    >>> sex, dept = (Attribute(n, np.tile([0, 1], 8).astype(np.int32), ("m", "f")) for n in ("sex", "dept"))
    >>> tally = CodedTally((sex,), np.ones(16), decision=np.arange(16, dtype=np.int8) // 4% 2, strata=dept)
    >>> decide_all([strata_rows(tally, sex, "selection rate", "m", Protocol(("sex",), strata="dept"))])[0][0].status
    'unestimable'
    """
    groups = [label for label in levels.labels if label != reference] if groups is None else list(groups)
    events, n = stratum_counts(tally, levels, metric, tally.weight)
    people = n if protocol.weight_type != "probability" else stratum_counts(tally, levels, metric, tally.rows)[1]
    base = levels.labels.index(reference)
    places = [levels.labels.index(g) for g in groups]
    abouts = [Estimate("", levels.name, g, "difference", reference, given=protocol.strata) for g in groups]
    present = [(n[[i, base]] > 0).all(axis=0) for i in places]
    abouts = [
        with_rows(about, people[[i, base]][:, both].sum(), protocol)
        for about, i, both in zip(abouts, places, present, strict=True)
    ]
    # of nobody with a stratum nothing is withheld, unless small groups are
    shown = [protocol.min_n <= 1 or min(people[i].sum(), people[base].sum()) >= protocol.min_n for i in places]
    same = Estimates()
    tables: dict[str, tuple[Floats, Floats, Floats, Floats]] = {}
    odds: Rows
    if tally.clusters is None and protocol.weight_type != "probability":
        tables = {g: (events[i], n[i], events[base], n[base]) for g, i in zip(groups, places, strict=True)}
        compared: list[StratifiedCounts | StratifiedPeople] = [StratifiedCounts(*table) for table in tables.values()]
        for of in zip(tables.values(), abouts, shown, strict=True):
            same += _mantel_haenszel(*of, protocol)[1:]
    else:
        compared = [_people(tally, levels, metric, i, base) for i in places]
        blank = replace(abouts[0], metric="common odds ratio", contrast="ratio", status="unestimable", reason=DESIGN)
        odds = Estimates(replace(blank, group=g, n_unweighted=NAN) for g in groups)
    everybody = RATES[metric].fraction(tabulate(tally, levels, tally.weight))[1]
    known = RATES[metric].fraction(tabulate(tally, levels, tally.rows))[1]
    coverage = [
        _Coverage(with_rows(about, known[[i, base]].sum(), protocol), n[[i, base]], everybody[[i, base]])
        for about, i in zip(abouts, places, strict=True)
    ]
    within = [_within(*of, protocol) for of in zip(abouts, compared, coverage, shown, strict=True)]
    family = Undecided(within, protocol.multiplicity)
    if tables:
        odds = After(family, partial(_common_odds, tables=tables, protocol=protocol))
    common: list[Estimate] = []
    for covered, out in zip(coverage, shown, strict=True):
        common += covered.rows(protocol.min_n) if out else [_suppressing(protocol)(covered.row)]
    return [family, odds, same, Estimates(common), After(family, unmeasured_rows)]


WITHOUT_STRATUM = message("stratum missing")  # the term of the row that counts them


@dataclass(frozen=True, eq=False)
class _Coverage:
    """How many people of a group and of its reference are in strata that hold both; those without one are in none."""

    about: Estimate
    n: Floats  # of both, by stratum
    everybody: Floats

    @property
    def missing(self) -> float:
        """People of both whose stratum is missing."""
        return max(float(self.everybody.sum() - self.n.sum()), 0.0)

    @property
    def shares(self) -> Floats:
        """Of each of the two."""
        both = (self.n > 0).all(axis=0)
        return np.asarray(self.n[:, both].sum(axis=1) / np.where(self.everybody > 0, self.everybody, 1.0))

    @property
    def row(self) -> Estimate:
        """What the rows are about."""
        return replace(self.about, metric="common strata", contrast="none", role="supplementary")

    def rows(self, min_n: float) -> list[Estimate]:
        """The smaller share, and beside it the share without a stratum where there are such people."""
        if not self.n.sum(axis=1).min() > 0:
            return [self.row.blank(status="unestimable", reason=NO_OVERLAP)]
        total = float(self.everybody.sum())
        rows = [replace(self.row, n=total, estimate=float(self.shares.min()))]
        if self.missing >= max(min_n, 0.5):
            lost = {"events": self.missing, "estimate": self.missing / total}
            rows.append(replace(rows[0], term=WITHOUT_STRATUM, **lost))  # type: ignore[arg-type]
        return rows

    def without_verdict(self, min_n: float) -> str:
        """Why the strata hold too few of a group to answer for it; "" where they hold enough."""
        return too_few(self.about, self.shares, self.left_out(min_n))

    def left_out(self, min_n: float) -> str:
        """How many are left out since their stratum is missing."""
        return STRATUM_MISSING.format(n=number(self.missing, 0)) if self.missing >= max(min_n, 0.5) else ""


def _within(
    about: Estimate, compared: StratifiedCounts | StratifiedPeople, of: _Coverage, shown: bool, protocol: Protocol
) -> Comparison:
    margin = protocol.margin.difference
    if not shown:
        return Comparison(NAN, lambda level: compared.rows(about, level).map(_suppressing(protocol)))
    if reason := of.without_verdict(protocol.min_n):
        return Comparison(NAN, lambda level: compared.rows(about, level).map(partial(_unanswered, reason=reason)))
    left = of.left_out(protocol.min_n)
    equal = () if margin is None else (compared.p_equivalence(margin),)

    def rows(level: float) -> Estimates:
        return compared.rows(about, level).map(lambda row: replace(row, reason=joined([row.reason, left])))

    return Comparison(compared.p_value, rows, equal)


def _unanswered(row: Estimate, reason: str) -> Estimate:
    if row.status != "ok":
        return row
    return row.blank(n=row.n, n_unweighted=row.n_unweighted, status="unestimable", reason=reason)


def _common_odds(
    estimates: Estimates, tables: Mapping[str, tuple[Floats, Floats, Floats, Floats]], protocol: Protocol
) -> Estimates:
    """The common odds ratios, with the p-value and the limits that the decided comparisons have: one test, one answer.

    R's interval (Robins, Breslow & Greenland) and the Cochran-Mantel-Haenszel test are approximations that may lie on
    the other side of the level; `fairstats.stats.common_odds_ratio` and ``cmh_test`` have them.
    """
    rows = []
    for row in estimates.where(metric=CONDITIONAL):
        odds = _mantel_haenszel(tables[row.group], row, row.status != "suppressed", protocol)[0]
        if says(row.reason, NOT_COMPARABLE):
            odds = _unanswered(odds, row.reason)
        if odds.status == "ok" and row.conf_level == row.conf_level:
            ends = [v for v in (row.conf_low, odds.estimate, row.conf_high) if v == v and row.conf_low == row.conf_low]
            odds = replace(
                odds,
                conf_low=min(ends, default=NAN),
                conf_high=max(ends, default=NAN),
                conf_level=row.conf_level,
                p_value=row.p_value,
                p_adjusted=row.p_adjusted,
                statistic=NAN,
                df=NAN,
                reason=joined(dict.fromkeys([*unjoined(odds.reason), *unjoined(row.reason)])),
                method=joined([message("Mantel-Haenszel"), *unjoined(row.method)[1:]]),
            )
        rows.append(odds)
    return Estimates(rows)


def _mantel_haenszel(
    table: tuple[Floats, Floats, Floats, Floats],
    about: Estimate,
    shown: bool,
    protocol: Protocol,
) -> Estimates:
    """The common odds ratio, and the test that it is common."""
    estimates = stratified(
        *table,
        attribute=about.attribute,
        group=about.group,
        reference=about.reference,
        strata=protocol.strata,
        conf_level=protocol.conf_level,
        seed=protocol.seed,
    )
    return estimates if shown else estimates.map(_suppressing(protocol))


def _suppressing(protocol: Protocol) -> Callable[[Estimate], Estimate]:
    return lambda row: row.blank(status="suppressed", reason=message("fewer than {n} people", n=protocol.min_n))


def stratum_counts(tally: CodedTally, levels: Attribute, metric: str, sums: Floats) -> tuple[Floats, Floats]:
    """Events and people of a rate by group and stratum; people whose stratum is missing are in none.

    Examples
    --------
    >>> sex, dept = (Attribute(n, np.array([0, 1, 1], dtype=np.int32), ("a", "b")) for n in ("sex", "dept"))
    >>> tally = CodedTally((sex,), np.ones(3), decision=np.array([1, 0, 1], dtype=np.int8), strata=dept)
    >>> [v.tolist() for v in stratum_counts(tally, sex, "selection rate", tally.rows)]
    [[[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 2.0]]]
    """
    assert tally.strata is not None
    size = len(levels.labels), len(tally.strata.labels)
    cells = Attribute("", levels.codes * np.int32(size[1]) + tally.strata.codes, ("",) * (size[0] * size[1]))
    events, n = RATES[metric].fraction(tabulate(tally, cells, sums))
    present = np.array([not holds_missing(label) for label in tally.strata.labels])
    return events.reshape(size) * present, n.reshape(size) * present


def _people(tally: CodedTally, levels: Attribute, metric: str, group: int, base: int) -> StratifiedPeople:
    """The rows of two groups whose property is known: weights and clusters need the people themselves."""
    assert tally.strata is not None
    y = tally.outcome if metric == "base rate" else tally.decision
    assert y is not None
    chosen = (y != UNKNOWN) & ((levels.codes == group) | (levels.codes == base))
    used = np.flatnonzero(chosen & tally.strata_present)
    weighted = tally.weights is not None
    return StratifiedPeople(
        y[used] == (1 if metric == "base rate" else tally.favors),
        levels.codes[used] == group,
        tally.strata.codes[used],
        tally.weight[used] if weighted else None,
        None if tally.clusters is None else tally.clusters[used],
        CountedPeople(tally.rows[used], tally.weight[used], tally.square[used]),
        tally.sampling,
    )


# The headline difference whatever the missing groups and decisions are: bounds, and an interval around them.


GROUPS = message("missing groups")
MISSING = {"outcome": message("missing outcome"), "decision": message("missing decision")}
JOINTLY = {"outcome": message("missing groups and outcome"), "decision": message("missing groups and decision")}
SEVERAL: dict[str, str] = {  # of more than one person
    **{text: f"missing {name}s" for name, text in MISSING.items()},
    **{text: f"missing groups and {name}s" for name, text in JOINTLY.items()},
}
LOST = {  # code of such bounds -> what is missing
    GROUPS.template: ("groups",),
    **{text.template: (name,) for name, text in MISSING.items()},
    **{text.template: ("groups", name) for name, text in JOINTLY.items()},
}
WORST_CASE = message("worst cases over what is missing (Manski); without sampling error")
WITH_ERROR = message("worst cases over what is missing, with sampling error (Imbens-Manski)")
SAMPLING = message("with sampling error")


def missing_of(row: Estimate) -> tuple[str, ...]:
    """What bounds are over: missing groups, decisions or outcomes; nothing of another row.

    Examples
    --------
    >>> missing_of(Estimate("selection rate", "sex", "f", given=JOINTLY["decision"]))
    ('groups', 'decision')
    """
    return next((LOST[part.template] for part in parts(row.given) if part.template in LOST), ())


def bound_rows(
    part: Evidence, table: CountTable, group: int, base: int, row: Estimate, left_out: CountTable | None = None
) -> Iterator[Estimate]:
    """The bounds of one comparison: by each kind of gap, by both jointly, and the widest with sampling error.

    part: the rate.
    table: its attribute; of an intersection, people with a missing part may belong to every cell that agrees in the
        other parts.
    group, base: places of the group and of the reference.
    row: the comparison as audited.
    left_out: the people of whom some group is missing, where these are left out: of this attribute the group may be
        known.
    Yields: of the role "bound"; the ends are bounds, and confidence limits only where ``term`` says "with sampling
        error". Nothing where nothing is missing, or where people of unknown group are withheld.
    Source: Manski (2003), Partial Identification of Probability Distributions, chapter 1; Imbens & Manski (2004),
    Econometrica 72, 1845-1857.
    """
    label = table.labels[group]
    groups = [] if group in table.unknown or base in table.unknown else list(table.unknown)
    people = [_people_missing(part, table, i) for i in (group, base, *groups)]
    if any(not sum(present) for present in people[2:]):  # withheld: what they would allow is not known
        groups, people = [], people[:2]
    places = _places(table.labels, groups, people[2:], label, table.labels[base])
    if left_out is not None and not groups:
        absent = [_of_counts(part, left_out, i) for i in range(len(left_out.labels))]
        unknown = list(left_out.unknown)
        places = _places(left_out.labels, unknown, [absent[i] for i in unknown], label, table.labels[base])
        if any(map(sum, places)):  # otherwise nobody's group is unknown here
            more = [dict(zip(left_out.labels, absent, strict=True)).get(g, NOBODY) for g in (label, table.labels[base])]
            people = [_both(present, also) for present, also in zip(people, more, strict=True)]
    gaps = Gaps(people[0], people[1], *places)
    lacking = any(present[2] for present in gaps)
    outcome = "outcome" if part.metric == "base rate" else "decision"
    arguments: dict[str, Gaps] = {}
    if sum(sum(present) for present in gaps[2:]):
        arguments[GROUPS] = Gaps(*((a, b, 0.0) for a, b, _ in gaps))
    if people[0][2] + people[1][2] > 0:
        arguments[MISSING[outcome]] = Gaps(gaps.group, gaps.base)
    if lacking and GROUPS in arguments:
        arguments[JOINTLY[outcome]] = gaps
    blank = Estimate(row.metric, row.attribute, row.group, "difference", row.reference, n=row.n, events=row.events)
    blank = replace(blank, estimate=row.estimate, role="bounds", method=WORST_CASE)
    for given, which in arguments.items():
        low, high = difference_bounds(which)
        yield replace(blank, given=given, conf_low=low, conf_high=high)
    if arguments and part.exact:
        given, which = list(arguments.items())[-1]
        low, high = bounds_with_error(which, row.conf_level if row.conf_level == row.conf_level else 0.95)
        limits = replace(blank, given=given, term=SAMPLING, method=WITH_ERROR, conf_level=row.conf_level)
        yield replace(limits, conf_low=max(low, -1.0), conf_high=min(high, 1.0))


def _people_missing(part: Evidence, table: CountTable, group: int) -> PropertyCounts:
    """People of a group with the property, without it, and of whom it is not known."""
    unknown = _of_counts(part, table, group)[2]
    return float(part.events[group]), float(part.n[group] - part.events[group]), unknown


def _of_counts(part: Evidence, table: CountTable, group: int) -> PropertyCounts:
    """The same of people who are in no rate."""
    counts = table.counts[group].sum(axis=1) if part.metric == "base rate" else table.counts[group].sum(axis=0)
    event = 1 if part.metric == "base rate" else table.favors
    return float(counts[event]), float(counts[1 - event]), float(counts[NONE])


def _both(present: PropertyCounts, also: PropertyCounts) -> PropertyCounts:
    return present[0] + also[0], present[1] + also[1], present[2] + also[2]


def _places(
    labels: tuple[str, ...], groups: list[int], people: list[PropertyCounts], text: str, base: str
) -> tuple[PropertyCounts, PropertyCounts, PropertyCounts]:
    """The people of unknown group who may be of the group only, of the reference only, and of either."""
    sums = np.array([NOBODY] * 3)
    for i, present in zip(groups, people, strict=True):
        mine, theirs = (_agrees(labels[i], other) for other in (text, base))
        if mine or theirs:
            sums[2 if mine and theirs else 0 if mine else 1] += present
    first, second, third = ((float(a), float(b), float(c)) for a, b, c in sums)
    return first, second, third


def _agrees(missing: str, label: str) -> bool:
    """Whether people of a label with a missing part may be of another one.

    Examples
    --------
    >>> _agrees("f:(missing)", "f:old"), _agrees("m:(missing)", "f:old")
    (True, False)
    >>> _agrees("(missing)", "f:old")
    True
    """
    if missing == MISSING_LEVEL:  # of a single attribute, whose labels may hold a ":" that joins nothing
        return True
    return all(a in (b, MISSING_LEVEL) for a, b in zip(split(missing), split(label), strict=True))


NEWCOMBE = joined([INTERVAL_NAMES["newcombe"], TEST_NAMES["mid-p"]])
THRESHOLD = message("threshold {n}")
MOST_THRESHOLDS = 19
Compared = tuple[Estimate, int]  # a difference from the reference, and the place of its group
HEADLINES = {"selection rate": "decision", "base rate": "outcome"}


def sensitivity_rows(
    part: Evidence,
    table: CountTable,
    contrasts: Estimates,
    reference: str,
    protocol: Protocol,
    left_out: CountTable | None = None,
) -> Estimates:
    """What the comparisons of one rate would be with another method or other values for what is missing.

    part: the headline rate.
    table: its attribute.
    contrasts: its comparisons as audited.
    reference: the reference group.
    protocol: level, adjustment, smallest group.
    left_out: the people who are left out because a group of theirs is missing.
    Returns: rows of the roles sensitivity, bound and power: another interval, bounds for missing groups and missing
        values (the ends are bounds, not confidence limits), jointly and with sampling error, and the minimal detectable
        difference.
    Source: Miettinen & Nurminen (1985), Statistics in Medicine 4; Manski (2003), Partial Identification, chapter 1.

    >>> n = np.array([80.0, 40.0])
    >>> part = Evidence("selection rate", np.array([48.0, 12.0]), n, n, n, True, "")
    >>> table = CountTable("sex", ("m", "f"), np.zeros((2, 3, 3)), 1, False, True)
    >>> row = Estimate("selection rate", "sex", "f", "difference", "m", estimate=-0.3)
    >>> [(r.role, r.term) for r in sensitivity_rows(part, table, Estimates([row]), "m", Protocol(("sex",)))]
    [('sensitivity', ''), ('power', 'below'), ('power', 'above')]
    """
    base = table.labels.index(reference)
    places = {label: i for i, label in enumerate(table.labels)}
    compared = [(row, places[row.group]) for row in contrasts.where(contrast="difference", status="ok")]
    # what has to be solved for is solved for all groups together
    others = _other_intervals(part, base, compared) if part.exact else [[] for _ in compared]
    detected = power_rows(part, base, compared, [row.conf_level for row, _ in compared])
    rows: list[Estimate] = []
    for (row, i), other, power in zip(compared, others, detected, strict=True):
        rows += [*other, *bound_rows(part, table, i, base, row, left_out), *power]
    return Estimates(rows)


def _other_intervals(part: Evidence, base: int, compared: list[Compared]) -> list[list[Estimate]]:
    """Return Newcombe's interval with the mid-p test beside each difference."""
    events, sizes = part.counts
    at = [i for _, i in compared]
    table = events[at], sizes[at], np.full(len(at), events[base]), np.full(len(at), sizes[base])
    levels = [row.conf_level if row.conf_level == row.conf_level else 0.95 for row, _ in compared]
    ends, p = [v.tolist() for v in newcombe(*table, levels)], mid_p(*table).tolist()
    return [
        [
            Estimate(
                row.metric,
                row.attribute,
                row.group,
                "difference",
                row.reference,
                n=float(table[1][k]),
                events=float(table[0][k]),
                estimate=row.estimate,
                std_error=row.std_error,
                conf_low=ends[0][k],
                conf_high=ends[1][k],
                conf_level=levels[k],
                p_value=p[k],
                method=NEWCOMBE,
                role="sensitivity",
            )
        ]
        for k, (row, _) in enumerate(compared)
    ]


def power_rows(part: Evidence, base: int, compared: list[Compared], levels: list[float]) -> list[list[Estimate]]:
    """The smallest differences that each comparison would show with power 0.8, below the reference and above it.

    part: the rate.
    base: the place of the reference.
    compared: each comparison, and the place of its group.

    >>> n = np.array([80.0, 40.0])
    >>> part = Evidence("selection rate", np.array([48.0, 12.0]), n, n, n, True, "")
    >>> rows = power_rows(part, 0, [(Estimate("selection rate", "sex", "f", "difference", "m"), 1)], [0.95])[0]
    >>> [row.term for row in rows]
    ['below', 'above']
    """
    size = part.counts[1]
    sizes = [
        (size[i], size[base]) if part.design is None else part.design.pair(i, base).sizes(current)
        for (_, i), current in zip(compared, levels, strict=True)
    ]
    n1, n0 = np.array(sizes).reshape(-1, 2).T
    result = detectable(n1, float(part.rate[base]), n0, levels, exact=part.design is None)
    test = EXACT if part.design is None else NORMAL
    out = []
    for k, (row, _) in enumerate(compared):
        about = Estimate(row.metric, row.attribute, row.group, "difference", row.reference, n=float(n1[k]))
        out.append(list(detectable_rows(about, (result[0][k], result[1][k]), levels[k], test=test)))
    return out


def threshold_sweep(
    attribute: str, groups: tuple[Sample, ...], reference: str, favors: int, protocol: Protocol
) -> Estimates:
    """The difference of favorable shares that other thresholds on the same scores would have given.

    favors: 1 where a score at or above the threshold is favorable, 0 where one below it is.
    protocol: level and smallest group.
    Returns: one row a group and threshold, at the unadjusted level: every distinct score where there are few, otherwise
        the twentieths of the scores.

    >>> none = np.array([])
    >>> a, b = (Sample(g, np.arange(4.0) + k, none, none) for g, k in (("a", 0), ("b", 1)))
    >>> threshold_sweep("g", (a, b), "a", 1, Protocol(("g",))).column("given")
    ['threshold 1', 'threshold 2', 'threshold 3', 'threshold 4']
    """
    if refused(protocol):
        return Estimates()
    shown = [g for g in groups if g.scores.size >= max(protocol.min_n, 1)]
    base = next((g for g in shown if g.label == reference), None)
    if base is None:
        return Estimates()
    thresholds = _thresholds(np.concatenate([g.scores for g in shown]))
    counts = {g.label: _favored(g.scores, thresholds, favors) for g in shown}
    rows: list[Estimate] = []
    e0, n0 = counts[reference], float(base.scores.size)
    for g in shown:
        if g is base:
            continue
        e1, n1 = counts[g.label], float(g.scores.size)
        low, high = miettinen_nurminen(e1, n1, e0, n0, protocol.conf_level)
        # as the audited row: where the test does not reject, the limits do not leave equality out either
        apart = decisive_test(e1, n1, e0, n0) <= 1 - protocol.conf_level
        low, high = np.where(apart, low, np.minimum(low, 0)), np.where(apart, high, np.maximum(high, 0))
        about = Estimate("selection rate", attribute, g.label, "difference", reference, n=n1)
        rows += [
            about.with_interval(
                float(e1[k] / n1 - e0[k] / n0),
                float(low[k]),
                float(high[k]),
                protocol.conf_level,
                role="sensitivity",
                given=THRESHOLD.format(n=f"{t:g}"),
                events=float(e1[k]),
                method=INTERVAL_NAMES["miettinen-nurminen"],
            )
            for k, t in enumerate(thresholds.tolist())
        ]
    return Estimates(rows)


def threshold_of(row: Estimate) -> float:
    """The threshold that a row of the sweep is given; NaN for any other row."""
    return next((float(part.values["n"]) for part in parts(row.given) if part.template == THRESHOLD.template), NAN)


def _thresholds(scores: Floats) -> Floats:
    distinct = np.unique(scores)[1:]
    if distinct.size <= MOST_THRESHOLDS:
        return distinct
    return np.unique(np.quantile(scores, np.arange(1, 20) / 20, method="inverted_cdf"))


def _favored(scores: Floats, thresholds: Floats, favors: int) -> Floats:
    below = np.searchsorted(np.sort(scores), thresholds, side="left").astype(float)
    return scores.size - below if favors else below


# What cells that sites withheld could change: bounds of the rates, of their differences, of P(X>Y) and AUC.


WITHHELD = message("withheld cells")
OVER_CELLS = message("worst cases over the people of withheld cells; without sampling error")
OVER_EXTREMES = message("limits at the worst cases over the people of withheld cells")
OVER_SEARCHED = message("limits at the worst cases that a search over the people of withheld cells found")
OVERTURNED = message("people of withheld cells could overturn a verdict")
RATIO, SHORTFALL = SELECTIONS["selection rate"]  # to the highest rate
UNBOUNDED = message("what people of withheld cells could change has no bound here")
IMPOSSIBLE = message("the estimate from the cells that were sent is impossible with the people of withheld cells")
UNSENT = message("every cell of this group was withheld")
POWERLESS = message("the test is that of the worst case over withheld cells, whose power is not known")
EFFECT, AREA = "P(X>Y)", "AUC"


@dataclass(frozen=True)
class Interval:
    """The least and the largest that a number can be."""

    low: float
    high: float

    def __sub__(self, other: Interval) -> Interval:
        return Interval(self.low - other.high, self.high - other.low)

    def __truediv__(self, other: Interval) -> Interval:
        low = self.low / other.high if other.high else NAN
        return Interval(low, self.high / other.low if other.low else float("inf"))


def withheld_rows(rows: Iterable[Estimate], tally: CodedTally) -> Iterator[Estimate]:
    """Bound every rate and difference, P(X>Y) and AUC over what withheld cells may hold.

    rows: the rows of an audit.
    tally: what they were estimated of.
    Yields: of the role "bound", given "withheld cells": the ends are bounds, not confidence limits. Those of rates and
        their differences are attained by some people; those of P(X>Y) and AUC let withheld people have any score.

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
    result: dict[tuple[str, str, str], Interval] = {}
    rows = [row for row in rows if row.role in ("main", ROLE) and row.status == "ok" and not row.term]
    rates = _rates_by_group(rows)
    for row in rows:
        if row.given:
            worst = _within_worst(row, tally)
            if worst is not None:
                yield _bound(row, worst.bounds if _touched(row, tally) else Interval(row.estimate, row.estimate))
            continue
        key, base = (row.metric, row.attribute, row.group), (row.metric, row.attribute, row.reference)
        metric = METRICS[row.metric]
        if metric.is_rate and row.contrast == "none" and row.group:
            result[key] = rate_bounds(metric, row, hidden, tally.favors)
        elif row.metric == AREA and row.contrast == "none" and row.group:
            result[key] = _area_bounds(row, tally)
        elif row.metric == EFFECT:
            yield _bound(row, _moved(row.estimate, *(_sizes(row, g, tally) for g in (row.group, row.reference))))
            continue
        elif row.contrast == "difference" and key in result and base in result:
            yield _bound(row, result[key] - result[base])
            continue
        elif row.metric == RATIO and row.contrast == "ratio":
            current = result.get(("selection rate", row.attribute, row.group))
            if current is not None:
                best = _may_be_highest(row, rates, tally).values()
                yield _bound(row, current / Interval(min(v.low for v in best), max(v.high for v in best)))
            continue
        else:
            continue
        yield _bound(row, result[key])


def unsent_rows(rows: Iterable[Estimate], hidden: Withheld) -> list[Estimate]:
    """The rows with those of groups of which every cell was withheld as suppressed."""
    return [
        row.blank(status="suppressed", reason=UNSENT)
        if {row.group, row.reference} & {*hidden.unsent.get(row.attribute, ())}
        else row
        for row in rows
    ]


def at_worst(sections: Sequence[Sequence[Rows]], tally: CodedTally, protocol: Protocol) -> list[list[Rows]]:
    """The families of an audit, each comparison with the withheld people who speak most against its verdict.

    sections: rows in their order, before they are decided.
    tally: what they were estimated of.
    protocol: confidence level and margins.
    Returns: rates and their comparisons, the risk differences within strata, P(X>Y) and AUC are tested with the
        withheld people who speak most for equality, claims of equality with those who speak most against it, and limits
        hold those of all extremes. So every adjustment is of worst cases, and as all of them grow with each p-value of
        the family, no people can overturn it. Comparisons without bounds, and those of groups of which nobody was
        sent, have no p-value and count.
    Source: Manski (2003), Partial Identification of Probability Distributions, chapter 1: the worst case, here with the
    sampling error at it.
    """
    rates = _rates_by_group(row for rows in sections for entry in rows if isinstance(entry, Estimates) for row in entry)
    families: dict[int, Undecided] = {}

    def moved(of: Undecided) -> Undecided:
        if id(of) not in families:
            families[id(of)] = _family_at_worst(of, rates, tally, protocol)
        return families[id(of)]

    def entry_of(rows: Rows) -> Rows:
        if isinstance(rows, After):
            return replace(rows, of=moved(rows.of))
        return moved(rows) if isinstance(rows, Undecided) else rows

    return [[entry_of(rows) for rows in section] for section in sections]


Rates = dict[tuple[str, str, str], Estimate]


def _rates_by_group(rows: Iterable[Estimate]) -> Rates:
    return {
        (row.metric, row.attribute, row.group): row
        for row in rows
        if _plain(row) and row.status == "ok" and row.contrast == "none" and row.group
    }


def _family_at_worst(of: Undecided, rates: Rates, tally: CodedTally, protocol: Protocol) -> Undecided:
    if not of.comparisons:
        return of
    every = [True] * len(of.comparisons)
    first = of.first
    about = {"metric": RATIO} if first.metric == RATIO else {}  # they are named so once they are decided
    about |= {"role": first.role, "given": first.given, "term": first.term} if _stratum_of(first, tally) else {}
    rows_of = [[row.changed(**about) for row in rows] for rows in of.rows_at(protocol.conf_level, every)]
    worst = [
        [_worst_of(row, rates, tally, partial(_limits_of, one, k)) for k, row in enumerate(rows)]
        for one, rows in zip(of.comparisons, rows_of, strict=True)
    ]
    each = zip(of.comparisons, rows_of, worst, strict=True)
    comparisons = [_comparison_at_worst(*one, tally, protocol) for one in each]

    def together(level: float) -> list[list[Estimate]]:
        result = zip(of.comparisons, comparisons, of.rows_at(level, every), worst, strict=True)
        return [_rows_at_worst(rows, at, old.p_value, new.p_value, level) for old, new, rows, at in result]

    family = replace(of.family, withholds=True)
    return replace(of, comparisons=comparisons, family=family, about=of.first, together=together)


def _limits_of(of: Comparison, k: int, level: float) -> tuple[float, float]:
    row = of.rows(level)[k]
    return row.conf_low, row.conf_high


def _comparison_at_worst(
    of: Comparison, rows: Sequence[Estimate], worst: Sequence[_Worst | None], tally: CodedTally, protocol: Protocol
) -> Comparison:
    """The comparison with the largest p-values and the widest limits that withheld people leave."""
    if not _touched(rows[0], tally) and worst[0] is None:
        return of
    if of.apart and _may_count(rows[0], tally):
        of = replace(of, apart=False, p_value=NAN)
    first, null, p = worst[0], null_value(rows[0]), NAN
    smallest_p_equivalence = [NAN for _ in of.equal]
    equal: list[float | None] = [None if v is None else NAN for v in of.equal]
    if first is not None and of.p_value == of.p_value:
        p = 1.0
        if first.bounds.low > null or first.bounds.high < null:
            p = float(np.nanmax([first.p_value(), p_outside(first.limits, null), of.p_value]))
        for k, (v, one) in enumerate(zip(of.equal, worst, strict=False)):
            if v is not None and one is not None:
                smallest_p_equivalence[k] = one.smallest_p_equivalence(protocol.margin) if p < 1 else NAN
                inside = protocol.margin.around(rows[k])
                v = float(np.nanmax([v, one.p_equivalence(protocol.margin), p_within(one.limits, *inside)]))
            equal[k] = v if v is None or one is not None else 1.0  # of no numbers sent, and of any there may be

    def at(level: float) -> list[Estimate]:
        return _rows_at_worst(of.rows(level), worst, of.p_value, p, level)

    return replace(of, p_value=p, equal=tuple(equal), rows=at, smallest_p_equivalence=tuple(smallest_p_equivalence))


def _rows_at_worst(
    rows: Sequence[Estimate], worst: Sequence[_Worst | None], old: float, p: float, level: float
) -> list[Estimate]:
    """Rows with the limits that hold those of all extremes, and the p-value in place of that of the people sent."""
    result = []
    for row, one in zip(rows, worst, strict=True):
        if one is not None and row.status == "ok":
            row = _wider(row, *one.limits(level))
            row = replace(row, p_value=p) if row.p_value == old else row
        result.append(row)
    return result


def _may_count(row: Estimate, tally: CodedTally) -> bool:
    """Whether a group may have so many people that the rule of four fifths counts it, among all or in a stratum."""
    assert tally.withheld is not None
    levels = next(a for a in tally.attributes if a.name == row.attribute)
    sent, hidden = _cells_of(row, tally)
    n = tally.rows[sent & (levels.codes == levels.labels.index(row.group))].sum()
    there = hidden & (np.array(tally.withheld.labels[row.attribute], dtype=object) == row.group)
    return bool(n + tally.withheld.most[there].sum() >= SMALL_SHARE * tally.rows[sent].sum())


def _cells_of(row: Estimate, tally: CodedTally) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which of the cells that were sent, and of those withheld, a row is of: all, or those of its stratum."""
    assert tally.withheld is not None
    sent, hidden = np.ones(tally.rows.size, dtype=bool), np.ones(tally.withheld.most.size, dtype=bool)
    if not (stratum := _stratum_of(row, tally)) or tally.strata is None:
        return sent, hidden
    named = np.array([*tally.strata.labels, ""], dtype=object)[tally.strata.codes]
    return named == stratum, np.array(tally.withheld.strata, dtype=object) == stratum


def _stratum_of(row: Estimate, tally: CodedTally) -> str:
    """The stratum of which alone a row is, or ""."""
    alone = tally.strata is not None and row.given == tally.strata.name and row.role == "supplementary"
    return row.term if alone else ""


def tempered(
    rows: Iterable[Estimate],
    sent: Iterable[Estimate],
    bounds: Iterable[Estimate],
    tally: CodedTally,
    protocol: Protocol,
) -> list[Estimate]:
    """The rows of an audit whose comparisons were decided `at_worst`, with what else withheld people leave.

    sent: the rows as the people who were sent decide them.
    bounds: what `withheld_rows` made of the rows.
    tally: what they were estimated of.
    Returns: rates with limits that hold those of both extremes; a comparison without bounds is unestimable, any other
        row has its estimate only; the reason of a verdict that withheld people took back says so.
    """
    rows, before = list(rows), {_key(row): row for row in sent}
    entries = {(b.metric, b.attribute, b.group, b.reference): Interval(b.conf_low, b.conf_high) for b in bounds}
    rates = _rates_by_group(rows)
    out = []
    for row in rows:
        if _stratum_of(row, tally) and _touched(row, tally):  # a number of the cells that were sent is none of all
            out.append(row.blank(method=row.method, status="unestimable", reason=UNBOUNDED))
        elif row.status != "ok" or not _touched(row, tally):
            there = [part for part in parts(row.reason) if part.template == NOT_COMPARABLE.template]
            there = there if tally.withheld is not None and _touched(row, tally) else []
            out.append(replace(row, reason=NOT_COMPARABLE_SENT.format(**there[0].values)) if there else row)
        elif row.term in ("below", "above"):  # computed for the test of the people who were sent
            out.append(row.blank(n=row.n, method=row.method, status="unestimable", reason=POWERLESS))
        elif row.reference:
            known = row.p_adjusted == row.p_adjusted or row.metric not in (EFFECT, AREA)
            here = _worst_of(row, rates, tally, partial(_same, row)) if known else None
            out.append(_unbounded(row) if here is None else _outside_strata(row, tally))
        elif _plain(row) and row.group and METRICS[row.metric].is_rate and tally.withheld is not None:
            out.append(_rate_at_worst(row, tally, protocol))
        elif row.metric == AREA and _plain(row) and row.group and row.conf_low == row.conf_low:
            ends = entries[row.metric, row.attribute, row.group, ""]
            out.append(_wider(row, *_moved_limits(row, ends, (row.conf_low, row.conf_high))))
        else:
            out.append(_unbounded(row))
    marked = [_overturned(row, before.get(_key(row)), protocol) for row in out]
    return _of_the_highest(marked, rates, entries, tally, protocol)


def _same(row: Estimate, level: float) -> tuple[float, float]:
    """The limits that a row has already, whatever the level."""
    return row.conf_low, row.conf_high


def _key(row: Estimate) -> tuple[str, ...]:
    return row.metric, row.attribute, row.group, row.reference, row.contrast, row.role, row.given, row.term


def _overturned(row: Estimate, before: Estimate | None, protocol: Protocol) -> Estimate:
    """The row with the reason that withheld people could overturn what those who were sent show."""
    if before is None or row.status != "ok":
        return row
    was, now = (row.metric == RATIO and rejected(one.p_adjusted, protocol.conf_level) for one in (before, row))
    if row.verdict == before.verdict and (now or not was):
        return row
    return replace(row, reason=joined([row.reason, OVERTURNED]))


def _of_the_highest(
    rows: Iterable[Estimate],
    rates: Rates,
    entries: dict[tuple[str, str, str, str], Interval],
    tally: CodedTally,
    protocol: Protocol,
) -> list[Estimate]:
    """Ratios to the highest rate with what holds whatever people were withheld, and no number that hangs on them."""
    certain = {
        row.attribute: set(_may_be_highest(replace(row, group=""), rates, tally)) == {row.reference}
        for row in rows
        if row.metric == RATIO and row.reference and (row.role, row.term, row.given) == ("main", "", "")
    }
    result = []
    for row in rows:
        sure = certain.get(row.attribute, True)
        of_all = row.metric in (RATIO, SHORTFALL) and not row.term
        if not of_all or row.status != "ok" or (sure and not _touched(row, tally)):
            result.append(row)
        elif row.metric == SHORTFALL or row.role == "sensitivity":
            result.append(row.blank(n=row.n, events=row.events, status="unestimable", reason=UNBOUNDED))
        else:
            ends = entries.get((row.metric, row.attribute, row.group, row.reference))
            result.append(row if ends is None else _concluded(row, ends, sure, protocol))
    return result


def _groups_of(row: Estimate, rates: Rates, tally: CodedTally) -> dict[str, Estimate]:
    """The selection rates of all groups of an attribute, those of which every cell was withheld too."""
    assert tally.withheld is not None
    blank = Estimate("selection rate", row.attribute, n=0.0, events=0.0)
    groups = {g: one for (metric, a, g), one in rates.items() if (metric, a) == ("selection rate", row.attribute)}
    return groups | {g: replace(blank, group=g) for g in tally.withheld.unsent.get(row.attribute, ())}


def _may_be_highest(row: Estimate, rates: Rates, tally: CodedTally) -> dict[str, Interval]:
    """Groups beside the row's own that may have the highest rate of those which the rule counts, and their rates then.

    A rate that some other group exceeds, whatever people were withheld, is not the highest.
    """
    assert tally.withheld is not None
    everybody = tally.rows.sum() + tally.withheld.most.sum()
    groups = {g: one for g, one in _groups_of(row, rates, tally).items() if g != row.group and not holds_missing(g)}
    metric, hidden = METRICS["selection rate"], tally.withheld
    ends_of = {g: rate_bounds(metric, one, hidden, tally.favors) for g, one in groups.items()}
    # of a group of which so few are sent that others may take it out of what the rule counts, nothing is certain
    least = {g: ends_of[g].low if one.n >= SMALL_SHARE * everybody else 0.0 for g, one in groups.items()}
    lowest, reached = max(least.values(), default=0.0), least.get(row.reference, 0.0)
    result = {}
    for group, ends in ends_of.items():
        ahead = group == row.reference or (ends.high > reached and _may_count(groups[group], tally))
        if ahead and ends.high >= lowest:
            result[group] = Interval(max(ends.low, lowest), ends.high)
    return result


def _concluded(row: Estimate, ends: Interval, certain: bool, protocol: Protocol) -> Estimate:
    """A ratio to the highest rate with the conclusion that its bounds allow.

    certain: whether no other group may have the highest rate; where one may, limits have no one question.
    """
    where = {side(ends.low), side(ends.high)}
    apart = rejected(row.p_adjusted, protocol.conf_level)
    text: list[str] = [CONCLUSIONS[where.pop(), apart] if len(where) == 1 else EITHER_SIDE]
    if text[0] is not EITHER_SIDE and row.p_adjusted != row.p_adjusted:
        text = []  # not tested, as of a group that the rule does not count
    text += [part for part in (SMALL_GROUP, OVERTURNED) if says(row.reason, part)]
    if certain:
        return replace(row, reason=joined(text))
    without: dict[str, Any] = dict.fromkeys(
        ("std_error", "conf_low", "conf_high", "statistic", "p_value", "p_adjusted"), NAN
    )
    return replace(row, **without, reason=joined([*text, OTHER_HIGHEST]))


def decided_by_withheld(row: Estimate) -> bool:
    """Whether a comparison is missing because people of withheld cells have no bound in it, or may be all of a group.

    >>> row = Estimate("FPR", status="unestimable", reason=UNBOUNDED)
    >>> decided_by_withheld(row), decided_by_withheld(replace(row, reason=""))
    (True, False)
    """
    return row.status not in TESTED and any(says(row.reason, one) for one in (UNBOUNDED, UNSENT, NOT_COMPARABLE_SENT))


def _touched(row: Estimate, tally: CodedTally) -> bool:
    """Whether people of the row's groups, or of any where it is about all, may be in withheld cells.

    A ratio to the highest rate of one stratum is about each group that the rule may count there.
    """
    if tally.withheld is None or row.attribute not in tally.withheld.labels:
        return True
    hidden = set(np.array(tally.withheld.labels[row.attribute], dtype=object)[_cells_of(row, tally)[1]])
    if not row.group or {row.group, row.reference} & hidden:
        return True
    named = hidden if _stratum_of(row, tally) and row.reference else set()
    return any(_may_count(replace(row, group=group), tally) for group in named if group and not holds_missing(group))


def _plain(row: Estimate) -> bool:
    """Whether it is a rate, or a comparison, of the people as they are."""
    return row.role in ("main", ROLE) and not row.given and not row.term and row.metric in METRICS


def _rate_of(row: Estimate) -> str:
    """The rate that a row is of, or compares: ratios to the highest rate are ratios of selection rates."""
    return "selection rate" if row.metric == RATIO else row.metric


def _unbounded(row: Estimate) -> Estimate:
    """The row without limits and test: what withheld people do to them is not known."""
    inference = ("std_error", "conf_low", "conf_high", "statistic", "df", "p_value", "p_adjusted", "p_equivalence",
                 "margin_low", "margin_high")  # fmt: skip
    present = any(getattr(row, name) == getattr(row, name) for name in inference)
    compared = bool(row.reference) and row.estimate == row.estimate  # without limits, as a shift with ties
    if not (present or compared or row.verdict or row.metric in (E_VALUE, BOUND)):
        return row
    if row.reference or row.role == "omnibus" or row.estimate != row.estimate:
        return row.blank(n=row.n, events=row.events, method=row.method, status="unestimable", reason=UNBOUNDED)
    reason = joined([row.reason, UNBOUNDED])
    without: dict[str, Any] = dict.fromkeys(inference, NAN)
    return replace(row, **without, reason=reason)


@dataclass(frozen=True, eq=False)
class _Worst:
    """A comparison where withheld people make its groups the least alike, either way.

    Attributes
    ----------
    bounds : Interval
        Of the difference of all people, without sampling error.
    limits : callable
        Level → the lowest and the highest limit.
    p_value : callable
        The p-value of equality where the withheld people speak most for it.
    p_equivalence : callable
        Margins → the p-value of practical equality where they speak most against it.
    smallest_p_equivalence : callable
        Margins → that where they speak most for it.
    """

    bounds: Interval
    limits: Callable[[float], tuple[float, float]]
    p_value: Callable[[], float]
    p_equivalence: Callable[[Margins], float]
    smallest_p_equivalence: Callable[[Margins], float]


def _worst_of(
    row: Estimate, rates: Rates, tally: CodedTally, limits: Callable[[float], tuple[float, float]]
) -> _Worst | None:
    """A comparison at its extremes; None where the withheld people have no bound in it.

    limits: level → those of the people who were sent.
    """
    if tally.withheld is None or row.status != "ok" or not row.reference:
        return None
    if not _touched(row, tally) and (
        row.term or row.metric != RATIO or set(_may_be_highest(row, rates, tally)) == {row.reference}
    ):
        return None
    if row.given:
        return _within_worst(row, tally)
    if not _plain(row):
        return None
    if row.metric in (EFFECT, AREA):
        ends = _score_bounds(row, rates, tally)
        if ends is None or limits(row.conf_level)[0] != limits(row.conf_level)[0]:
            return None

        def nearest(level: float) -> tuple[float, float]:
            low, high = limits(level)
            return low + ends.high - row.estimate, high + ends.low - row.estimate

        return _Worst(
            ends,
            lambda level: _moved_limits(row, ends, limits(level)),
            lambda: NAN,
            lambda _: NAN,
            lambda margins: p_within(nearest, *margins.around(row)),
        )
    if row.contrast in INTERVALS and METRICS[_rate_of(row)].is_rate and tally.clusters is None:
        return _rates_worst(row, rates, tally)
    return None


# of a difference and of a ratio: the limits, and the tests of practical equality
INTERVALS: dict[str, tuple[Callable[..., Any], tuple[Callable[..., Any], ...]]] = {
    "difference": (miettinen_nurminen, (equivalence_of_rates, tost_rates)),
    "ratio": (koopman, (equivalence_of_ratio, tost_ratio)),
}


def _rates_worst(row: Estimate, rates: Rates, tally: CodedTally) -> _Worst | None:
    """Two rates at the corners of what their people may be: neither limits nor tests are extreme elsewhere.

    A ratio to the highest rate is to that of any group which may have it, with the people of whom it may.
    """
    assert tally.withheld is not None
    groups = {g: one for (metric, a, g), one in rates.items() if (metric, a) == (_rate_of(row), row.attribute)}
    lowest = {row.reference: 0.0}
    if row.metric == RATIO:
        groups = _groups_of(row, rates, tally)
        lowest = {group: ends.low for group, ends in _may_be_highest(row, rates, tally).items()}
    if not {row.group, *lowest} <= set(groups):
        return None
    box_of = partial(rate_box, METRICS[_rate_of(row)], hidden=tally.withheld, favors=tally.favors)
    sides = [_corners(*box_of(row=groups[row.group]))]
    sides.append([corner for g, rate in lowest.items() for corner in _corners(*box_of(row=groups[g]), rate)])
    e1, n1, e0, n0 = table = np.array([(*one, *other) for one, other in product(*sides)]).T
    if min(n1.min(), n0.min()) <= 0:
        return None
    gaps = e1 / n1 - e0 / n0 + null_value(row)  # on the same side of it as the ratio
    interval, tests = INTERVALS[row.contrast]

    def limits(level: float) -> tuple[float, float]:
        low, high = interval(*table, level)
        return float(np.min(low)), float(np.max(high))

    def equality(margins: Margins) -> NDArray[np.float64]:
        return np.nanmax([test(*table, getattr(margins, row.contrast)) for test in tests], axis=0)

    ends, p = Interval(float(gaps.min()), float(gaps.max())), lambda: float(np.max(decisive_test(*table)))
    return _Worst(ends, limits, p, lambda at: float(np.nanmax(equality(at))), lambda at: float(np.nanmin(equality(at))))


def _corners(least: Counts, most: Counts, lowest: float = 0.0) -> list[Counts]:
    """Events and people at the corners of a box of events and others, and along the least rate that is possible.

    >>> _corners((8.0, 0.0), (9.0, 4.0), 0.75)
    [(8.0, 8.0), (8.0, 10.0), (9.0, 9.0), (9.0, 12.0)]
    """
    if lowest <= least[0] / max(least[0] + most[1], 1.0):
        return [(e, e + o) for e in {least[0], most[0]} for o in {least[1], most[1]}]
    result = []
    for e in np.arange(least[0], most[0] + 1).tolist():
        fewest = e + least[1], e + min(most[1], math.floor(e / lowest - e + 1e-9))
        result += [(e, n) for n in dict.fromkeys(fewest) if n >= e + least[1]]
    return result


def _rate_at_worst(row: Estimate, tally: CodedTally, protocol: Protocol) -> Estimate:
    """A rate with limits that hold those of both extremes."""
    assert tally.withheld is not None
    extremes = rate_extremes(METRICS[row.metric], row, tally.withheld, tally.favors)
    if extremes[0] == extremes[1] == (row.events, row.n):
        return row
    level = row.conf_level if row.conf_level == row.conf_level else protocol.conf_level
    ends = [_of_rate(e, n, level) for e, n in extremes]
    return _wider(row, ends[0].low, ends[1].high)


Box = NDArray[np.float64]  # events and others of the group and of the reference, by stratum: shape (4, strata)


def _within_worst(row: Estimate, tally: CodedTally) -> _Worst | None:
    """The risk difference within strata at its extremes; None where the withheld people have no bound in it."""
    boxes = _stratum_boxes(row, tally)
    if boxes is None:
        return None
    _, low, high = boxes
    turned = [2, 3, 0, 1]
    ends, found = [], list[Box]()
    for place, order in enumerate(([0, 1, 2, 3], turned)):
        tables = [t[order] for level in LEVELS for t in _least_tables(low[order], high[order], level)]
        if any(_compared(table).effect.reason for table in tables):
            return None
        # that search knows the standard errors of many people only
        tables += [_climbed(tables, low, high, partial(_reach, place, level)) for level in LEVELS]
        first = _compared(tables[0])
        if (first.effect.difference < 0) == bool(place):
            tables.append(_climbed(tables, low, high, lambda one: one.p_value, inside=False))
        found += tables
        ends.append([_compared(table) for table in tables])
    bounds = Interval(ends[0][0].effect.difference, ends[1][0].effect.difference)

    def limits(conf_level: float) -> tuple[float, float]:
        lower = min(one.effect.limits(conf_level)[0] for one in ends[0])
        return lower, max(one.effect.limits(conf_level)[1] for one in ends[1])

    def p_equivalence(margins: Margins) -> float:
        assert margins.difference is not None
        return max(one.p_equivalence(margins.difference) for tables in ends for one in tables)

    def smallest_p_equivalence(margins: Margins) -> float:
        margin = margins.difference
        assert margin is not None
        best = _climbed(found, low, high, lambda one: -one.p_equivalence(margin))
        return _compared(best).p_equivalence(margin)

    def p_value() -> float:
        return max(one.p_value for one in ends[0 if bounds.low > 0 else 1])

    return _Worst(bounds, limits, p_value, p_equivalence, smallest_p_equivalence)


LEVELS = (0.95, 0.995)  # at which the extremes of limits are searched for


def _reach(place: int, level: float, one: StratifiedCounts) -> float:
    """How far below, or above, a limit lies."""
    return one.effect.limits(level)[place] * (1 if place else -1)


def _climbed(
    tables: list[Box], low: Box, high: Box, value: Callable[[StratifiedCounts], float], inside: bool = True
) -> Box:
    """The table with the largest value that the contents of one stratum after the other lead to from the best one.

    inside: whether contents one person away are tried beside the corners: limits may be the widest between these.
    """
    best = max(tables, key=lambda table: value(_compared(table)))
    top = before = value(_compared(best))
    steps = [*np.eye(4), *-np.eye(4)] if inside else []
    for _ in range(20):
        for stratum in np.flatnonzero((high > low).any(axis=0)):
            least, most = low[:, stratum], high[:, stratum]
            columns = [*product(*({*ends} for ends in zip(least, most, strict=True)))]
            columns += {tuple(np.clip(best[:, stratum] + step, least, most)) for step in steps}
            for column in columns:
                table = best.copy()
                table[:, stratum] = column
                if (current := value(_compared(table))) > top:
                    best, top = table, current
        if top == before:
            break
        before = top
    return best


def _compared(table: Box) -> StratifiedCounts:
    return StratifiedCounts(table[0], table[0] + table[1], table[2], table[2] + table[3])


def _stratum_boxes(row: Estimate, tally: CodedTally) -> tuple[Box, Box, Box] | None:
    """The people of each kind of whom a stratum was sent, and the fewest and the most that it may have."""
    hidden, strata = tally.withheld, tally.strata
    cut = tally.decision is None and tally.score is not None  # scores cut at a median that withheld people move
    if (
        row.metric != WITHIN
        or row.role not in ("main", ROLE)
        or hidden is None
        or strata is None
        or cut
        or tally.clusters is not None
    ):
        return None
    name = "base rate" if tally.decision is None else "selection rate"
    metric, levels = METRICS[name], next(a for a in tally.attributes if a.name == row.attribute)
    places = [levels.labels.index(group) for group in (row.group, row.reference)]
    events, n = stratum_counts(tally, levels, name, tally.rows)
    labels = [*strata.labels, *sorted(set(hidden.strata) - set(strata.labels))]
    low = np.zeros((4, len(labels)))
    low[:, : events.shape[1]] = np.stack([v for i in places for v in (events[i], n[i] - events[i])])
    sent, high = low.copy(), low.copy()
    kinds_of = tuple(set(cells) for cells in metric.cells(tally.favors))
    for i, label in enumerate(hidden.labels[row.attribute]):
        for start, group in ((0, row.group), (2, row.reference)):
            if label != group or holds_missing(hidden.strata[i]):
                continue
            at = labels.index(hidden.strata[i])
            members = {_kind(cell, *kinds_of) for cell in _cells(hidden, i)}
            for k, kind in ((start, "event"), (start + 1, "other")):
                if kind in members:
                    high[k, at] += hidden.most[i]
                    low[k, at] += hidden.least[i] if members == {kind} else 0.0
    return sent, low, high


def _outside_strata(row: Estimate, tally: CodedTally) -> Estimate:
    """With the people who are alone in their strata, and those beside whom the other group is withheld."""
    boxes = _stratum_boxes(row, tally)
    if boxes is None or row.n != row.n:  # of few people no counts are said
        return row
    sent, most = (one.reshape(2, 2, -1).sum(axis=1) for one in (boxes[0], boxes[2]))
    alone, beside = sent[most[::-1] == 0].sum(), sent[(sent[::-1] == 0) & (most[::-1] > 0)].sum()
    kept = [part for part in unjoined(row.reason) if not (says(part, LEFT_OUT) or says(part, LEFT_OUT_OF_ONE))]
    there = [OTHER_WITHHELD.format(n=number(beside, 0))] if beside > 0 else []
    return replace(row, reason=joined([*there, left_out_text(alone), *kept]))


def _least_tables(low: Box, high: Box, level: float) -> list[Box]:
    """Tables within a box: of the least difference, of the least lower limit, of the least test statistic.

    A stratum adds (a d - b c) / n to the weighted sum of the differences, and that less a multiple of its weight is a
    quotient of functions linear in each count: it is the least at a corner. So the first is exact, by Dinkelbach's
    iteration over the corners of all strata at once; the others, whose standard error is of all strata together, are
    searched for in the same way among corners and middles.
    """
    ways = np.array(list(product((0.0, 0.5, 1.0), repeat=4)))[:, :, None]
    grid = low + np.floor(ways * (high - low))
    a, b, c, d = (grid[:, k] for k in range(4))
    n1, n0, n = a + b, c + d, np.maximum(a + b + c + d, 1.0)
    gap, weight, events = (a * d - b * c) / n, n1 * n0 / n, a + c
    shares = [
        weight**2 * x * y / np.maximum(m, 1.0) ** 2 / np.maximum(m - 1, 1.0) for x, y, m in ((a, b, n1), (c, d, n0))
    ]
    same = n1 * n0 * events * (n - events) / n**2 / np.maximum(n - 1, 1.0)
    z, strata, result = float(ndtri((1 + level) / 2)), np.arange(low.shape[1]), []
    for variance, reach in ((same * 0.0, 0.0), (shares[0] + shares[1], z), (same, NAN)):
        chosen = np.zeros(low.shape[1], dtype=int)
        for _ in range(100):
            total, whole = gap[chosen, strata].sum(), weight[chosen, strata].sum()
            error = max(np.sqrt(variance[chosen, strata].sum()), 1e-9)
            if reach == reach:
                score = gap - (total - reach * error) / max(whole, 1e-9) * weight - reach / 2 * variance / error
            else:  # the statistic of Cochran, Mantel and Haenszel
                score = gap - max(total, 0.0) / error / 2 * variance / error
            best = score.argmin(axis=0)
            if (best == chosen).all():
                break
            chosen = best
        result.append(grid[chosen, :, strata].T)
    return result


def _of_rate(events: float, n: float, level: float) -> Interval:
    return Interval(*(float(v) for v in wilson(events, n, level))) if n > 0 else Interval(0.0, 1.0)


def _wider(row: Estimate, low: float, high: float) -> Estimate:
    """With limits that hold both extremes, the limits of the people who were sent, and the estimate.

    Error and statistic are of those who were sent, p and limits of the worst cases: the former are left out.
    """
    ends = [v for v in (row.conf_low, row.estimate, row.conf_high) if v == v]
    method = joined([row.method, OVER_SEARCHED if row.given else OVER_EXTREMES])
    row = replace(row, std_error=NAN, statistic=NAN, df=NAN)
    return replace(row, conf_low=min([low, *ends]), conf_high=max([high, *ends]), method=method)


def _moved_limits(row: Estimate, ends: Interval, limits: tuple[float, float]) -> tuple[float, float]:
    """Limits of P(X>Y), of an AUC or a difference of them, whose withheld people may have any score."""
    # the ends move with the estimate, by no more than withheld pairs are of all
    least = 0.0 if row.contrast == "none" else -1.0
    return max(limits[0] + ends.low - row.estimate, least), min(limits[1] + ends.high - row.estimate, 1.0)


def _score_bounds(row: Estimate, rates: Rates, tally: CodedTally) -> Interval | None:
    """P(X>Y), or a difference of AUCs, over the scores that withheld people may have."""
    if row.metric == EFFECT:
        return _moved(row.estimate, *(_sizes(row, group, tally) for group in (row.group, row.reference)))
    areas = [rates.get((AREA, row.attribute, group)) for group in (row.group, row.reference)]
    if row.contrast != "difference" or None in areas:
        return None
    first, other = (_area_bounds(one, tally) for one in areas if one is not None)
    return first - other


def _area_bounds(row: Estimate, tally: CodedTally) -> Interval:
    return _moved(row.estimate, *(_sizes(row, row.group, tally, outcome) for outcome in (1, 0)))


def rate_bounds(metric: Metric, row: Estimate, hidden: Withheld, favors: int) -> Interval:
    """The smallest and the largest rate that the people of a group and its withheld cells may have.

    row: the rate of the group: ``n``, ``events``.
    favors: the decision that helps the person.
    """
    result = rate_extremes(metric, row, hidden, favors)
    return Interval(*(events / n if n else bound for (events, n), bound in zip(result, (0.0, 1.0), strict=True)))


Counts = tuple[float, float]


def rate_extremes(metric: Metric, row: Estimate, hidden: Withheld, favors: int) -> tuple[Counts, Counts]:
    """Events and people with the smallest rate, and with the largest; see `rate_bounds`."""
    least, most = rate_box(metric, row, hidden, favors)
    return (least[0], least[0] + most[1]), (most[0], most[0] + least[1])


def rate_box(metric: Metric, row: Estimate, hidden: Withheld, favors: int) -> tuple[Counts, Counts]:
    """The fewest events and others that a group may have, and the most."""
    events, among = (set(cells) for cells in metric.cells(favors))
    least, most = np.array([row.events, row.n - row.events]), np.array([row.events, row.n - row.events])
    for i, label in enumerate(hidden.labels[row.attribute]):
        members = {_kind(cell, events, among) for cell in _cells(hidden, i)} if label == row.group else set()
        for k, kind in enumerate(("event", "other")):
            if kind in members:
                most[k] += float(hidden.most[i])
                least[k] += float(hidden.least[i]) if members == {kind} else 0.0
    return (float(least[0]), float(least[1])), (float(most[0]), float(most[1]))


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
    result = replace(blank, role="bounds", given=WITHHELD, method=OVER_CELLS, conf_low=ends.low, conf_high=ends.high)
    if row.estimate < ends.low or row.estimate > ends.high:
        return replace(result, reason=IMPOSSIBLE)
    return replace(result, estimate=row.estimate if ends.low == ends.high else NAN)
