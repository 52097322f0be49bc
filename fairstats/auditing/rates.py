"""Rates by group and their comparison with the reference, as tidy rows with adjusted intervals and verdicts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.counts import (
    IMPACT_METRICS,
    ROLE,
    Against,
    Evidence,
    headline_rate,
    highest_rate,
    without_numbers,
)
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.scores import Sample, designed, distributions_at_once, with_rows
from fairstats.auditing.sensitivity import power_rows, strata_rows, stratum_counts
from fairstats.auditing.tally import CodedTally
from fairstats.estimates import NAN, Estimate, Estimates
from fairstats.inference.multiplicity import rejected
from fairstats.inference.rates.adverse_impact import (
    CONCLUSIONS,
    FOUR_FIFTHS,
    ROUNDING,
    SMALL_GROUP,
    SMALL_SHARE,
    below_line,
    impact_ratio,
    one_more,
    one_moved,
    shortfall,
    side,
)
from fairstats.inference.rates.exact import equivalence_of_range
from fairstats.inference.rates.many_rates import NAMES, max_difference, omnibus, permutations_of, range_row, ranges
from fairstats.inference.rates.one_rate import INTERVAL_NAMES, wilson
from fairstats.inference.rates.shrinkage import METHOD as SHRUNKEN
from fairstats.inference.rates.shrinkage import shrunken
from fairstats.inference.rates.strata_rows import RATIO_WITHIN
from fairstats.inference.rates.survey import DESIGN_NAMES, DesignFamily, design_family_rows
from fairstats.inference.scores.rank_tests import kruskal_wallis
from fairstats.inference.verdicts import After, Comparison, Rows, Undecided
from fairstats.labels import holds_missing
from fairstats.language import joined, labels_of, message
from fairstats.provenance import Attribute
from fairstats.validation import BONFERRONI, HIGHEST_RATE

DESCRIPTIVE = message("describes the outcome, not the decisions: no verdict")
WILSON = INTERVAL_NAMES["wilson"]


def rate_rows(part: Evidence, attribute: str, labels: tuple[str, ...], protocol: Protocol) -> Estimates:
    """One rate of every group with its own denominator and Wilson's interval.

    protocol: confidence level and smallest group.
    Returns: one row a group, whatever its status.

    >>> ten = np.full(2, 10.0)
    >>> part = Evidence("selection rate", ten / 2, ten, ten, ten, True, "")
    >>> rate_rows(part, "sex", ("m", "f"), Protocol(("sex",))).column("estimate")
    [0.5, 0.5]
    """
    e, n = part.counts
    low, high = wilson(e, n, protocol.conf_level)
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = e / n
        error = np.sqrt(rate * (1 - rate) / n) if part.design is None else part.design.std_error
    shown, rows = part.estimable(protocol.min_n) & (n > 0), []
    for i, group in enumerate(labels):
        about: dict[str, Any] = {"attribute": attribute, "group": group, **part.counted(i)}
        if not shown[i]:
            rows.append(without_numbers(part, [i], protocol.min_n, about))
            continue
        ends, df = (float(low[i]), float(high[i])), NAN
        if part.design is not None:
            ends, df = part.design.limits(i, protocol.conf_level), part.design.df(i)
        rows.append(
            Estimate(
                part.metric,
                **about,
                estimate=float(rate[i]),
                std_error=float(error[i]),
                conf_low=ends[0],
                conf_high=ends[1],
                conf_level=protocol.conf_level,
                df=df,
                method=WILSON if part.design is None else part.design.method(i),
            )
        )
    return Estimates(rows)


FEWEST_GROUPS = 10  # of which a mean and a spread of true rates can be estimated


def shrunken_rows(part: Evidence, attribute: str, labels: tuple[str, ...], protocol: Protocol) -> Estimates:
    """One rate of every group drawn toward the mean of all, where there are many groups; none of them has a verdict.

    >>> part = Evidence("selection rate", np.arange(10.0), *[np.full(10, 12.0)] * 3, True, "")
    >>> [round(row.estimate, 2) for row in shrunken_rows(part, "site", tuple("abcdefghij"), Protocol(("site",)))[::3]]
    [0.13, 0.29, 0.46, 0.62]
    """
    some = np.flatnonzero(part.estimable(protocol.min_n) & (part.n > 0))
    if some.size < FEWEST_GROUPS or not part.exact:
        return Estimates()
    e, n = part.events[some], part.n[some]
    estimates, lows, highs, *_ = shrunken(e, n, protocol.conf_level)
    return Estimates(
        Estimate(part.metric, attribute, labels[i], n=float(n[j]), events=float(e[j]), role="shrunken").with_interval(
            float(estimates[j]), float(lows[j]), float(highs[j]), protocol.conf_level, method=SHRUNKEN
        )
        for j, i in enumerate(some)
    )


def contrasts(
    part: Evidence,
    attribute: str,
    labels: tuple[str, ...],
    reference: str,
    protocol: Protocol,
    verdicts: bool = True,
    question: str = "",
    apart: Collection[str] = (),
) -> Undecided:
    """Differences from and ratios to the reference group; the family is the comparisons of one rate.

    attribute, labels, reference: the attribute, its groups and the one they are compared with.
    protocol: confidence level, adjustment, margin, smallest group.
    verdicts: False for a rate that describes the outcome and not the audited decisions.
    question: the metric that these comparisons are of, where it is not the rate: all single attributes are one family
        in it.
    apart: groups that are compared in no family, and without a test.
    Returns: for every other group a difference (with the verdict) and a ratio: the same hypothesis, hence the same p.
    """
    base = labels.index(reference)
    against = Against(part, base, tuple(i for i in range(len(labels)) if i != base), protocol.min_n)
    equal = against.equal(protocol.margin) if verdicts else [()] * len(against.groups)
    comparisons = [
        Comparison(
            p,
            partial(one_row, against, k, attribute, labels),
            current,
            without=None if verdicts else DESCRIPTIVE,
            apart=labels[against.groups[k]] in apart,
        )
        for k, (p, current) in enumerate(zip(against.p_values.tolist(), equal, strict=True))
    ]
    together = partial(against.rows, attribute, labels)
    about = Estimate(question or part.metric, attribute)
    return Undecided(comparisons, protocol.multiplicity, about, together=together, ahead=against)


def one_row(
    against: Against, k: int, attribute: str, labels: tuple[str, ...], level: float
) -> tuple[Estimate, Estimate]:
    """The difference and the ratio of one of the groups."""
    return against.one(k).rows(attribute, labels, level)[0]


Floats = NDArray[np.float64]
Places = NDArray[np.int64]


def range_equivalence(part: Evidence, shown: Places, margin: float | None) -> float | None:
    """The p-value of the claim that no two groups differ by the declared margin; None where none was declared.

    part: the rate.
    shown: the places of the groups.
    Returns: NaN with fewer than two groups.

    >>> n = np.array([5000.0, 5000.0])
    >>> part = Evidence("FPR", np.array([1000.0, 1010.0]), n, n, n, True, "")
    >>> range_equivalence(part, np.array([0, 1]), None) is None
    True
    """
    if margin is None:
        return None
    if part.design is not None:
        return DesignFamily(part.design, tuple(shown.tolist())).p_equivalence(margin)
    e, n = part.counts
    return equivalence_of_range(e[shown].tolist(), n[shown].tolist(), margin)


# All groups at once: omnibus tests, and the largest gap between any two groups with its simultaneous interval.


NOT_KNOWN = message("without people whose group is missing")
ONE_GROUP = message("fewer than two groups with both outcomes")


def rates_at_once(
    parts: Sequence[Evidence], attribute: str, labels: tuple[str, ...], protocol: Protocol
) -> list[Estimates]:
    """Of three known groups or more, for each rate: the test that all have it, the largest difference, worst ratio.

    protocol: confidence level, smallest group, seed.
    Returns: rows of the role "all groups"; none for two groups, whose one comparison says it all. With a declared
        margin the largest difference has the p-value of the claim that all groups lie within it. More than 50 groups
        have fewer permutations (`permutations_of`).
    Source: See `fairstats.inference.rates.many_rates` (never a percentile bootstrap of a maximum) and `omnibus`.

    >>> ten = np.full(3, 10.0)
    >>> part = Evidence("FPR", np.array([1.0, 5.0, 9.0]), ten, ten, ten, True, "")
    >>> rates_at_once([part], "g", ("a", "b", "c"), Protocol(("g",)))[0].column("contrast")
    ['none', 'difference', 'ratio']
    """
    if sum(not holds_missing(label) for label in labels) < 3:
        return [Estimates() for _ in parts]
    counted = _by_counts([part for part in parts if part.design is None], attribute, labels, protocol)
    out = []
    for part in parts:
        rows = _all_survey(part, attribute, labels, protocol) if part.design else next(counted)
        shown = _known(part, labels, protocol)
        rows = [with_rows(row, part.people[shown].sum(), protocol) for row in rows]
        left_out = [label for i, label in enumerate(labels) if i not in shown and not holds_missing(label)]
        cautions = [message("without {groups}", groups=labels_of(attribute, left_out))] if left_out else []
        cautions += [NOT_KNOWN] if any(map(holds_missing, labels)) else []
        out.append(Estimates(replace(row, reason=joined([row.reason, *cautions])) for row in rows))
    return out


def _known(part: Evidence, labels: tuple[str, ...], protocol: Protocol) -> Places:
    """The places of the groups that can be estimated: people whose group is not known are no group among others."""
    known = [not holds_missing(label) for label in labels]
    return np.flatnonzero(part.estimable(protocol.min_n) & np.array(known, dtype=bool))


def _by_counts(
    parts: Sequence[Evidence], attribute: str, labels: tuple[str, ...], protocol: Protocol
) -> Iterator[list[Estimate]]:
    shown = [_known(part, labels, protocol) for part in parts]
    counts = [(part.counts[0][at], part.counts[1][at]) for part, at in zip(parts, shown, strict=True)]
    names = [[labels[i] for i in at] for at in shown]
    draws: list[dict[str, Any]] = [{"replicates": permutations_of(len(one)), "seed": protocol.seed} for one in names]
    limits = ranges(counts, protocol.conf_level, draws)
    for k, (part, of) in enumerate(zip(parts, counts, strict=True)):
        test = omnibus(*of, metric=part.metric, attribute=attribute)
        if test.reason and test.status == "ok" and part.exact:
            test = omnibus(*of, metric=part.metric, attribute=attribute, test="permutation", **draws[k])
        rows = [
            range_row(gaps[k], *of, names[k], part.metric, attribute, contrast, protocol.conf_level)
            for contrast, gaps in limits.items()
        ]
        p_equal = range_equivalence(part, shown[k], protocol.margin.difference)
        if p_equal is not None and rows[0].status == "ok":
            rows[0] = replace(rows[0], p_equivalence=p_equal)
        yield [test, *rows]


def _all_survey(part: Evidence, attribute: str, labels: tuple[str, ...], protocol: Protocol) -> Estimates:
    assert part.design is not None
    shown = _known(part, labels, protocol)
    rows = design_family_rows(
        DesignFamily(part.design, tuple(shown.tolist())),
        part.events,
        part.n,
        labels,
        metric=part.metric,
        attribute=attribute,
        conf_level=protocol.conf_level,
    )
    p_equal = range_equivalence(part, shown, protocol.margin.difference)
    if p_equal is not None and rows[1].status == "ok":
        rows = Estimates([rows[0], replace(rows[1], p_equivalence=p_equal), rows[2]])
    return rows


def equalized_odds(
    parts: tuple[Evidence, ...], attribute: str, labels: tuple[str, ...], protocol: Protocol
) -> Estimates:
    """The larger of the ranges of TPR and FPR over the groups, with a simultaneous interval.

    parts: the rates of the attribute.
    protocol: confidence level, smallest group, seed.
    Returns: one row; none without TPR and FPR.
    Source: Hardt, Price & Srebro (2016), Equality of Opportunity in Supervised Learning, definition 2.1.

    >>> equalized_odds((), "g", ("a", "b"), Protocol(("g",)))
    no estimates
    """
    both = [part for part in parts if part.metric in ("TPR", "FPR")]
    if len(both) < 2:
        return Estimates()
    blank = Estimate("equalized odds difference", attribute, contrast="difference", role="omnibus")
    if any(part.design is not None for part in both):
        return Estimates([_odds_survey(both, blank, labels, protocol)])
    events, n = np.zeros((2, len(labels))), np.zeros((2, len(labels)))
    shown_of_each = [_known(part, labels, protocol) for part in both]
    for row, (part, shown) in enumerate(zip(both, shown_of_each, strict=True)):
        events[row, shown], n[row, shown] = (v[shown] for v in part.counts)
    draws = permutations_of(len(labels))
    limits = max_difference(events, n, protocol.conf_level, replicates=draws, seed=protocol.seed)
    if np.isnan(limits.estimate):
        return Estimates([replace(blank, status="unestimable", reason=ONE_GROUP)])
    return Estimates(
        [
            blank.with_interval(
                limits.estimate,
                limits.low,
                limits.high,
                protocol.conf_level,
                n=float(np.sum([part.n[shown].sum() for part, shown in zip(both, shown_of_each, strict=True)])),
                method=NAMES["difference"],
            ).with_test(limits.joint.statistic, limits.joint.p_value)
        ]
    )


def _odds_survey(both: list[Evidence], blank: Estimate, labels: tuple[str, ...], protocol: Protocol) -> Estimate:
    """The larger of both ranges, each at half the error: people of one cluster tie TPR and FPR together."""
    level = 1 - (1 - protocol.conf_level) / len(both)
    ranges, n = [], 0.0
    for part in both:
        assert part.design is not None
        shown = _known(part, labels, protocol)
        n += float(part.n[shown].sum())
        ranges.append(DesignFamily(part.design, tuple(shown.tolist())).largest_difference(level))
    if any(np.isnan(result[0]) for result in ranges):
        return replace(blank, status="unestimable", reason=ONE_GROUP)
    estimate, low, high, _ = (float(v) for v in np.max(ranges, axis=0))
    p = min(1.0, len(both) * min(result[3] for result in ranges))
    row = blank.with_interval(estimate, low, high, protocol.conf_level, n=n, method=DESIGN_NAMES["difference"])
    return replace(row, p_value=p)


def scores_at_once(attribute: str, groups: tuple[Sample, ...], protocol: Protocol) -> Estimates:
    """The Kruskal-Wallis (or design-based) test that three known groups or more have one distribution of scores.

    protocol: smallest group, design.

    >>> none = np.array([])
    >>> groups = tuple(Sample(g, np.arange(9.0) + k, none, none) for g, k in (("a", 0), ("b", 2), ("c", 4)))
    >>> scores_at_once("g", groups, Protocol(("g",)))[0].method
    'Kruskal-Wallis'
    """
    groups = tuple(one for one in groups if not holds_missing(one.label))
    if len(groups) < 3:
        return Estimates()
    blank = Estimate("score distribution", attribute, role="omnibus")
    if designed(protocol):
        return distributions_at_once(blank, groups, max(protocol.min_n, 1))
    shown = [g.scores for g in groups if g.scores.size >= max(protocol.min_n, 1)]
    blank = replace(blank, n=float(sum(s.size for s in shown)))
    test = kruskal_wallis(shown)
    if np.isnan(test.statistic):
        return Estimates([replace(blank, status="unestimable", reason=message("fewer than two groups have scores"))])
    return Estimates([replace(blank, statistic=test.statistic, df=test.df, p_value=test.p_value, method=test.method)])


# The adverse-impact pack of selections: ratio, practical × statistical conclusion, shortfall, one selection more.


MORE, MOVED, TO_FOUR_FIFTHS = (
    message("one selection more"),
    message("one selection moved"),
    message("four fifths of the highest rate"),
)


def impact_rows(
    part: Evidence, attribute: str, labels: tuple[str, ...], protocol: Protocol, absent: float = 0.0
) -> Rows:
    """What the practical and the statistical rule say of each group's selections, and how much hangs on one person.

    The rule of four fifths compares with the group that has the highest rate, whatever reference the audit declares
    for its differences. That group is picked by the data, so ratios have simultaneous intervals (Bonferroni over all
    pairs of groups, and over the single attributes as differences are: one pair has one adjusted p-value).
    Under the law of employment they are the pairs of groups that the rule counts, unless differences are from the
    highest rate too: who is counted rests on labels and sizes, not on who was selected, so the level holds.

    part: the selection rate, or the scoring rate.
    protocol: level and smallest group.
    absent: people of withheld groups, who are among those that a share of 2% is of.
    Returns: a group: the impact ratio (the reason is the conclusion of the matrix), the shortfall in people to the
        highest rate and to four fifths of it, and the ratio with one selection more or moved. None for weighted people.
    Source: 29 CFR 1607.4(D); 29 CFR 1607.15(A)(2)(a) (2% of labor force or workforce); Morris & Dunleavy (2017),
    Adverse Impact Analysis.

    >>> from fairstats.inference.verdicts import decide_all
    >>> n = np.array([80.0, 40.0])
    >>> part = Evidence("selection rate", np.array([48.0, 12.0]), n, n, n, True, "")
    >>> rows = decide_all([[impact_rows(part, "sex", ("men", "women"), Protocol(("sex",)))]])[0]
    >>> rows.column("metric"), rows[1].estimate
    (['impact ratio', 'shortfall', 'shortfall', 'impact ratio', 'impact ratio'], 12.0)
    """
    base = highest_rate(part, labels, protocol.min_n, SMALL_SHARE, absent)
    if not part.exact or base < 0:
        return Estimates()
    current, other = (part.events, part.n), (part.events[base], part.n[base])
    target = other[0] / other[1]
    flagged = below_line(impact_ratio(*current, *other))
    changed = {"more": one_more(*current, *other), "moved": one_moved(*current, *other)}
    hangs = flagged & np.any([v >= FOUR_FIFTHS - ROUNDING for v in changed.values()], axis=0)
    missing = {"missing": shortfall(*current, target), "to_four_fifths": shortfall(*current, FOUR_FIFTHS * target)}
    columns = {"n": part.n, "selected": part.events, "hangs": hangs, **changed, **missing}
    facts = (_Fact(*values) for values in zip(*(columns[f].tolist() for f in _Fact._fields), strict=True))
    present = dict(zip(labels, facts, strict=True))
    everybody = float(part.people.sum()) + absent
    small = {label for label, people in zip(labels, part.people, strict=True) if people < SMALL_SHARE * everybody}
    by_law = protocol.four_fifths and protocol.reference != HIGHEST_RATE
    fit = part.estimable(protocol.min_n)
    known = {label for label, is_fit in zip(labels, fit, strict=True) if is_fit and not holds_missing(label)}
    few = small if known - small - {labels[base]} else set()  # where all others are small, all are counted
    apart = {label for label in labels if label in few or holds_missing(label)} if by_law else set()
    rule, metric = replace(protocol, reference=HIGHEST_RATE), IMPACT_METRICS[part.metric][0]

    def rows(compared: Estimates) -> Estimates:
        packs = []
        for row in compared.where(contrast="ratio"):
            about = row.changed(metric=metric)
            packs += _group(about, present[row.group], part.metric, protocol, row.group in small, row.group in apart)
        return Estimates(packs)

    return After(contrasts(part, attribute, labels, labels[base], rule, False, metric, apart), rows)


def ratio_rows_within(
    of: Rows, tally: CodedTally, levels: Attribute, part: Evidence, protocol: Protocol, absent: float = 0.0
) -> list[Rows]:
    """The ratios within strata to the group for which they are highest.

    The rule of four fifths compares with the highest rate, which the data pick: these ratios have limits at the level
    of all pairs, as those of `impact_rows`, which has the groups that it counts. So has one whose highest group happens
    to be the reference.

    of: the comparisons with the reference within strata.
    part: the selection rate, of which the sizes of the groups are.
    absent: people of withheld groups, who are among those that a share of 2% is of.

    >>> gap = Comparison(0.5, lambda level: [Estimate(RATIO_WITHIN, group="b", reference="a", estimate=0.9)])
    >>> sex, none = Attribute("sex", np.array([0, 1]), ("a", "b")), np.ones(2)
    >>> part = Evidence("selection rate", none, none, none, none, True, "")
    >>> rules = Protocol(("sex",))
    >>> ratio_rows_within(Undecided([gap], rules.multiplicity), CodedTally((sex,), none), sex, part, rules)
    []
    """
    assert isinstance(of, Undecided)
    every = [row for one in of.comparisons for row in one.rows(protocol.conf_level) if row.metric == RATIO_WITHIN]
    ratios = {row.group: row.estimate for row in every if row.status == "ok"}
    if not ratios or not np.isfinite([*ratios.values()]).all():
        return []
    reference, labels = every[0].reference, levels.labels
    ratios[reference] = 1.0
    relative = np.array([ratios.get(label, NAN) for label in labels]) / max(ratios.values())
    best = highest_rate(replace(part, events=part.n * relative), labels, protocol.min_n, SMALL_SHARE, absent)
    small = part.people < SMALL_SHARE * (part.people.sum() + absent)
    same = protocol.multiplicity.all_pairs or (len(labels) == 2 and len(protocol.groups) == 1)
    if best < 0 or (same and labels[best] == reference):  # the comparisons with it are those of all pairs
        return []
    known = [g for g in labels if g in ratios and not holds_missing(g)]
    few = {g for g, is_small in zip(labels, small > small[best], strict=True) if is_small}
    known = known if {*known} - few == {labels[best]} else [g for g in known if g not in few]
    others = [label for label in known if label != labels[best]]
    rule = replace(protocol, reference=HIGHEST_RATE)
    family = strata_rows(tally, levels, part.metric, labels[best], rule, others)[0]
    assert isinstance(family, Undecided)
    about = Estimate(IMPACT_METRICS[part.metric][0], levels.name, given=protocol.strata)
    compared = [replace(one, without=DESCRIPTIVE) for one in family.comparisons]

    def rows(decided: Estimates) -> Estimates:
        return Estimates(replace(row, role="supplementary") for row in decided.where(metric=RATIO_WITHIN))

    return [After(replace(family, comparisons=compared, about=about), rows)]


MOST_STRATA = 100  # that have ratios by themselves


def impact_rows_by_stratum(tally: CodedTally, levels: Attribute, protocol: Protocol) -> list[Rows]:
    """The rates and the impact ratios of each stratum by itself, to the highest rate there; the strata are terms.

    Returns: the ratios of `impact_rows` of its people alone, with limits and tests adjusted (Bonferroni) for the pairs
        of all strata and single attributes, since which ratios are low is found in the data; none of weighted people
        or where small groups are withheld: no count of a stratum is told then.

    >>> sex, job = Attribute("sex", np.array([0, 1]), ("f", "m")), Attribute("job", np.array([0, 0]), ("clerk",))
    >>> tally = CodedTally((sex,), np.array([9.0, 8.0]), decision=np.array([0, 1], dtype=np.int8), strata=job)
    >>> rates, ratios = impact_rows_by_stratum(tally, sex, Protocol(("sex",), strata="job"))
    >>> [(row.term, row.group, row.events, row.n) for row in rates]
    [('clerk', 'f', 0.0, 9.0), ('clerk', 'm', 8.0, 8.0)]
    """
    weighted = protocol.weight_type == "probability" or tally.clusters is not None
    if tally.strata is None or weighted or protocol.min_n > 1 or len(tally.strata.labels) > MOST_STRATA:
        return []
    events, n = stratum_counts(tally, levels, "selection rate", tally.weight)
    hidden = set[tuple[str, str]]()
    if tally.withheld is not None:
        hidden = {*zip(tally.withheld.labels[levels.name], tally.withheld.strata, strict=True)}
    entries: list[Rows] = []
    for h, stratum in enumerate(tally.strata.labels):
        # a group of which nobody was sent here may be the highest, and counts in the adjustment
        unsent = np.array([(label, stratum) in hidden for label in levels.labels]) & (n[:, h] == 0)
        there = np.flatnonzero((n[:, h] > 0) | unsent)
        if unsent[there].all():
            continue
        labels, k, size = tuple(levels.labels[i] for i in there), events[there, h], n[there, h]
        part = Evidence("selection rate", k, size, size, size, True, "")
        about = {"role": "supplementary", "given": protocol.strata, "term": stratum}
        rates = rate_rows(part, levels.name, labels, protocol)
        entries.append(Estimates(row.changed(**about) for row in rates if row.n > 0))
        ratios = impact_rows(part, levels.name, labels, protocol)
        if isinstance(ratios, After):
            family = replace(ratios.of.family, p_adjust=BONFERRONI)  # over attributes too, whatever other rates have
            of = replace(ratios.of, family=family, about=ratios.of.first.changed(**about))
            entries.append(After(of, partial(_ratios_of_stratum, of=ratios, about=about)))
    return entries


def _ratios_of_stratum(decided: Estimates, of: After, about: Mapping[str, str]) -> Estimates:
    """The ratios alone; which groups are small is said of all people."""
    rows = of.rows(decided).where(role="main", contrast="ratio")
    return rows.map(lambda row: row.changed(**about, reason="" if row.status == "ok" else row.reason))


ONE_MORE = message("one selection more would lift the ratio to four fifths")
ONE_MOVED = message("one selection moved from the reference would lift the ratio to four fifths")


class _Fact(NamedTuple):
    """What the rule of four fifths looks at in one group."""

    n: float
    selected: float
    hangs: bool  # whether one selection more, or moved, takes the ratio from below four fifths to at least that
    more: float
    moved: float
    missing: float
    to_four_fifths: float


def _group(about: Estimate, fact: _Fact, rate: str, protocol: Protocol, small: bool, apart: bool) -> list[Estimate]:
    if about.status != "ok":
        return [about]
    shown = rejected(about.p_adjusted, protocol.conf_level)
    conclusion: str = "" if apart else CONCLUSIONS[side(about.estimate), shown]
    if fact.hangs:
        more = fact.more >= FOUR_FIFTHS - ROUNDING
        conclusion = joined([conclusion, ONE_MORE if more else ONE_MOVED])
    if small:
        conclusion = joined([conclusion, SMALL_GROUP])
    ratio, missing = IMPACT_METRICS[rate]
    blank = Estimate(missing, about.attribute, about.group, "difference", about.reference, n=fact.n)
    blank = blank.changed(events=fact.selected, method=message("selections missing to the highest rate"))
    recounted = blank.changed(metric=ratio, contrast="ratio", method=message("recounted"), role="sensitivity")
    return [
        about.changed(reason=conclusion),
        blank.changed(estimate=fact.missing),
        blank.changed(
            estimate=fact.to_four_fifths,
            role="supplementary",
            given=TO_FOUR_FIFTHS,
            method=message("{text} × 0.8", text=blank.method),
        ),
        _or_not(recounted.changed(estimate=fact.more, given=MORE)),
        _or_not(recounted.changed(estimate=fact.moved, given=MOVED)),
    ]


def _or_not(row: Estimate) -> Estimate:
    present = row.estimate == row.estimate
    return row if present else row.changed(status="unestimable", reason=message("no such selection is possible"))


# The comparison that the protocol names for page one, where it is none with the reference.


HEADLINES = ("selection rate", "scoring rate", "base rate")
SENSITIVE_RATES = ("selection rate", "scoring rate", "base rate", "FPR", "FNR", "PPV")  # the questions of page one


def headline_rows(
    rates: Sequence[Evidence], attribute: str, labels: tuple[str, ...], reference: str, protocol: Protocol
) -> list[Rows]:
    """The rows of a comparison that the protocol names, where the comparisons with the reference do not hold it.

    attribute, labels, reference: the attribute, its groups, and the one that the others are compared with.
    protocol: the declared comparison, level, adjustment, margin, smallest group.
    Returns: of every question of page one the difference of the two groups, in the declared direction. Of the first
        question also the smallest difference that this comparison would show with power 0.8.
    Source: Fleiss, Levin & Paik (2003), Statistical Methods for Rates and Proportions, chapter 4 (power).
    """
    pair = focus_apart(protocol, attribute, reference)
    if not pair or not rates:
        return []
    head = headline_rate(rates)
    group, base = (labels.index(label) for label in pair)
    rows: list[Rows] = []
    for part in rates:
        if part.metric not in SENSITIVE_RATES or not _has_verdict(part.metric, rates, protocol):
            continue
        family = _family(part, (group, base), attribute, labels, protocol)
        rows.append(family)
        if part is head:
            rows.append(After(family, partial(_power, part, (group, base))))
    return as_focus(rows)


def focus_apart(protocol: Protocol, attribute: str, reference: str) -> tuple[str, ...]:
    """The declared pair of an attribute; () where it is another's, or a comparison with the reference."""
    if protocol.headline[:1] != (attribute,) or reference in protocol.headline[1:]:
        return ()
    return protocol.headline[1:]


def as_focus(rows: Iterable[Rows]) -> list[Rows]:
    """The rows of one declared comparison, with its role; each question is a family by itself."""
    present: dict[int, Undecided] = {}

    def family(of: Undecided) -> Undecided:
        comparisons = [replace(one, rows=partial(_marked, one.rows)) for one in of.comparisons]
        alone = Undecided(comparisons, replace(of.family, all_pairs=False, over_audit=False), alone=True)
        return present.setdefault(id(of), alone)

    def focused(entry: Rows) -> Rows:
        if isinstance(entry, After):
            return After(family(entry.of), partial(_marked, entry.rows))
        return family(entry) if isinstance(entry, Undecided) else _marked(Estimates, entry)

    return [focused(entry) for entry in rows]


def _marked(make: Callable[[Any], Iterable[Estimate]], of: Any) -> Estimates:
    return Estimates(replace(row, role=ROLE) for row in make(of))


def _has_verdict(metric: str, rates: Sequence[Evidence], protocol: Protocol) -> bool:
    """Base rates describe the outcome: where there are decisions or scores they are no question of page one."""
    decided = bool(protocol.score) or any(part.metric == "selection rate" for part in rates)
    return metric != "base rate" or not decided


def _family(
    part: Evidence,
    places: tuple[int, int],
    attribute: str,
    labels: tuple[str, ...],
    protocol: Protocol,
) -> Undecided:
    group, base = places
    against = Against(part, base, (group,), protocol.min_n)

    def rows(level: float) -> Sequence[Estimate]:
        return against.rows(attribute, labels, level)[0][:1]

    one = Comparison(float(against.p_values[0]), rows, against.equal(protocol.margin)[0][:1])
    return Undecided([one], protocol.multiplicity)


def _power(part: Evidence, places: tuple[int, int], rows: Estimates) -> Estimates:
    """The smallest differences that the comparison would show, at the level of its interval."""
    items = list(rows.only(status="ok"))
    result = power_rows(part, places[1], [(row, places[0]) for row in items], [row.conf_level for row in items])
    return Estimates(one for current in result for one in current)
