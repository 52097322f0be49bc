"""The answer of an audit, attribute by attribute, in codes and rows: sentences are made of it where it is printed.

Everything that begins with the answer makes it of the same `Answer`: `Audit.finding`, a printed audit, the last line of
a command, R, page one of a report.
"""

from __future__ import annotations

import math
import re
import textwrap
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from statistics import NormalDist
from types import MappingProxyType
from typing import Any, Literal, Protocol, TypeVar

import numpy as np

from fairstats import metrics
from fairstats.auditing.arguments import MEASURES
from fairstats.auditing.classes import CUMULATIVE, IN_ORDER, MEANT, OF_CLASSES, SHARE
from fairstats.auditing.counts import IMPACT_METRICS, PRACTICALLY_NOBODY, ROLE, Cell, least_known, of_decision
from fairstats.auditing.protocol import OfClass, Resolved
from fairstats.auditing.protocol import Protocol as Declared
from fairstats.auditing.rates import HEADLINES
from fairstats.auditing.sensitivity import SAMPLING, WITHHELD, WITHOUT_STRATUM, decided_by_withheld, missing_of
from fairstats.auditing.tally import MISSING_OF
from fairstats.errors import InputError, Setting, listing, with_hint
from fairstats.estimates import NAN, SHOWN, Estimate, Estimates
from fairstats.inference.multiplicity import NO_MARGINS, Margins, rejected
from fairstats.inference.rates.adverse_impact import CONCLUSIONS, SMALL_GROUP, counted_by_rule, side
from fairstats.inference.rates.many_rates import uncounted
from fairstats.inference.rates.paired import limits_of_sum
from fairstats.inference.verdicts import comparisons_of, decisive_interval, decisive_level
from fairstats.labels import holds_missing, like_missing
from fairstats.language import DataText, joined, message, says
from fairstats.metrics import AREAS, GAPS_OF_AMOUNTS, METRICS, PERCENT, SCORE
from fairstats.provenance import FlowStep, read_and_analyzed
from fairstats.text import compact, count, number, percent, signed, span
from fairstats.validation import FULL, GATE_NAMES, gate_name, shown


class Audited(Protocol):
    """What answers and their sentences read of an `Audit`."""

    @property
    def protocol(self) -> Resolved:
        """The declared questions, with the labels that were found."""

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The counts of each group."""

    @property
    def references(self) -> dict[str, str]:
        """The reference group of each attribute."""

    @property
    def estimates(self) -> Estimates:
        """The rows."""

    @property
    def flow(self) -> tuple[FlowStep, ...]:
        """How many were read, lost and analyzed."""

    @property
    def notes(self) -> tuple[str, ...]:
        """The cautions."""


# Which comparison of several is named first, and how far each is from equality.


_COLLECTIVE = re.compile(r"(all |any )?others?\b|sonstige|andere", re.IGNORECASE)
_UNKNOWN = re.compile(
    r"unknown|unspecified|undisclosed|declined|refused|missing|n/?a$|"
    r"not (known|stated|reported|specified|available|given|disclosed)|no (answer|response)|prefer not|"
    r"unbekannt|keine angabe|ohne angabe",
    re.IGNORECASE,
)


_NONE = re.compile(r"\W*none\W*", re.IGNORECASE)  # of several religions, say, a group; Python's None is missing


def turned(row: Estimate) -> Estimate:
    """A comparison the other way around: of the reference with the group.

    Examples
    --------
    >>> row = turned(Estimate("FPR", "g", "b", "difference", "a", estimate=0.1, conf_low=0.0, conf_high=0.3))
    >>> row.group, row.estimate, row.conf_low, row.conf_high
    ('a', -0.1, -0.3, 0.0)
    """
    null = null_of(row)
    other = replace(row, group=row.reference, reference=row.group)
    if row.metric in GAPS_OF_AMOUNTS:  # one less a ratio becomes one less its inverse
        ends = (_inverted(end) for end in (row.estimate, row.conf_high, row.conf_low))
        margins = {"margin_low": _inverted(row.margin_high), "margin_high": _inverted(row.margin_low)}
        return other.with_interval(*ends, **margins)
    estimate, low, high = (2 * null - end + 0.0 for end in (row.estimate, row.conf_high, row.conf_low))
    ends = (2 * null - end + 0.0 for end in (row.margin_high, row.margin_low))
    return other.with_interval(estimate, low, high, **dict(zip(("margin_low", "margin_high"), ends, strict=True)))


def _inverted(gap: float) -> float:
    return 1 - 1 / (1 - gap) if gap < 1 else -math.inf


def null_of(row: Estimate) -> float:
    """The value of no difference."""
    present = metrics.METRICS.get(row.metric)
    return present.null if present and row.contrast == "none" else 0.0


def distance(row: Estimate) -> tuple[float, float]:
    """How far the interval is from equality; where it covers it, how little the data speak for equality.

    Ordering by the size of the estimate would let the smallest groups win by noise.

    Examples
    --------
    >>> distance(Estimate("FPR", contrast="difference", conf_low=0.1, conf_high=0.3, p_value=0.001))
    (0.1, 0.999)
    """
    present = metrics.METRICS.get(row.metric)
    null = present.null if present else 0.0
    p = row.p_value if row.p_value == row.p_value else 1.0
    ends = (row.conf_low - null, null - row.conf_high)
    return max([0.0, *(end for end in ends if end == end)]), 1 - p


def rest(label: str) -> bool:
    """Whether a label is no group of its own: everybody else, or people of whom it is not known.

    Examples
    --------
    >>> rest("Other"), rest("n/a"), rest("?"), rest("other/unknown"), rest("Mother tongue: German"), rest("Nonesuch")
    (True, True, True, True, False, False)
    """
    return _COLLECTIVE.match(label.strip()) is not None or of_unknown(label)


def of_unknown(label: str) -> bool:
    """Whether a label stands for people whose group is not known.

    >>> of_unknown("Other"), of_unknown("Other/Unknown"), of_unknown("not stated"), of_unknown("None")
    (False, True, True, False)
    """
    if holds_missing(label) or _UNKNOWN.match(label.strip()):
        return True
    return like_missing([label]) != [] and not _NONE.fullmatch(label)


def of_missing(row: Estimate) -> bool:
    """Whether a comparison is one of people whose group is missing, about whom no gate and no claim asks."""
    return bool(row.reference) and (holds_missing(row.group) or holds_missing(row.reference))


def people_in(row: Estimate) -> float:
    """The people in the data whom a row is of, where its n is a sum of weights."""
    return row.n if math.isnan(row.n_unweighted) else row.n_unweighted


def sizes_of(audit: Audited, attribute: str) -> dict[str, float]:
    """The people in the data of each group of an attribute: comparisons within strata count both groups."""
    sizes: dict[str, float] = {}
    for row in audit.estimates.only(attribute=attribute, role="main", contrast="none", given="", status="ok"):
        if row.group:
            sizes[row.group] = max(people_in(row), sizes.get(row.group, 0.0))
    return sizes


def lead_of(rows: Sequence[Estimate], sizes: Mapping[str, float] = MappingProxyType({})) -> Estimate | None:
    """The comparison that is named: of those shown the farthest from equality, else the largest estimate.

    sizes: the people of each group, where a row does not have them.
    The largest *estimate* of groups of unequal size is often that of a small one without any difference: it is picked
    among groups of at least 30 people, where there are any. Everybody else ("Other") is named where nobody of a group
    of its own is shown to differ.

    >>> rows = [Estimate("TPR", group=group, estimate=gap, n=n) for group, gap, n in (("a", 0.3, 5), ("b", 0.1, 90))]
    >>> lead_of(rows).group, lead_of(rows[:1]).group
    ('b', 'a')
    """
    named = _of_groups(rows)
    shown = [row for row in named if row.verdict in SHOWN]
    shown = [row for row in shown if not rest(row.group)] or shown
    if not named:
        return None
    named = [row for row in named if not sizes.get(row.group, people_in(row)) < SMALL] or named
    return max(shown or named, key=distance if shown else lambda row: (abs(row.estimate - null_of(row)), 0.0))


def widest(rows: Sequence[Estimate]) -> tuple[float, float]:
    """How far the gap that is shown to be farthest from equality is from it; less than any where none is shown."""
    lead = lead_of(rows)
    return distance(lead) if lead is not None and lead.verdict in SHOWN else (-1.0, 0.0)


def _of_groups(rows: Sequence[Estimate]) -> list[Estimate]:
    """The comparisons of groups that are known; all where there are none: unknown people are never the answer."""
    return [row for row in rows if not of_unknown(row.group)] or list(rows)


Code = Literal["disparity shown", "flagged", "inconclusive", "unanswered", "equivalence shown"]
ORDER: tuple[Code, ...] = ("disparity shown", "flagged", "inconclusive", "unanswered", "equivalence shown")
# comparisons within strata that carry a verdict
RATES, SCORES = "risk difference within strata", "P(X>Y) within strata"
RATIOS = "risk ratio within strata"
AMOUNTS, ALIKE = "gap of means within strata", "adjusted gap of means"
IN_UNIT = {AMOUNTS: "mean difference within strata", ALIKE: "adjusted gap"}  # of amounts that have no ratio
ADJUSTED = (ALIKE, IN_UNIT[ALIKE])
# the numbers of groups that a gap is of
LEVELS = {"gap of means": "mean amount", "gap of medians": "median amount"}
OF_GAPS = {unit: gap for gap, unit in (LEVELS | IN_UNIT).items()}  # the gap in per cent of a difference in the unit
SAME, COMMON = "homogeneity of differences", "common strata"
ALPHA_SAME = 0.05  # of the test that a difference is the same in all strata
FEW = 100  # people; a share of fewer has no decimals
SMALL = 30  # people; of fewer there is a caution


A = TypeVar("A", bound="Audited")


@dataclass(frozen=True)
class Answer:
    """What an audit answers of one attribute: who differs from the reference, by how much, and what qualifies it."""

    attribute: str
    code: Code
    metric: str = ""  # the rate (or P(X>Y)) that the answer is about
    group: str = ""  # of the groups whose difference is shown the one farthest from equality; else the largest estimate
    reference: str = ""
    rate: Estimate | None = None  # the rates of the two
    other: Estimate | None = None
    gap: Estimate | None = None  # their difference, group less reference, without regard to strata
    within: Estimate | None = None  # the same within strata, or adjusted for covariates, where these were declared
    alike: Estimate | None = None  # the gap of amounts adjusted for covariates, where the answer is another one
    first: bool = False  # whether the answer is that within strata
    unplaced: float = 0.0  # people of the two whose stratum is missing
    family: tuple[Estimate, ...] = ()  # the comparisons that the code is of
    unknown: tuple[Estimate, ...] = ()  # comparisons of people of unknown groups, beside the family
    absent: tuple[str, ...] = ()  # groups whose comparisons cannot be shown
    bounds: Estimate | None = None  # over whatever is missing, where they take back the verdict, or that none is shown
    largest: Estimate | None = None  # the largest gap of any two groups, where there are three or more
    # the smallest true differences below and above the reference that would have been shown with a chance of 80%
    detectable: tuple[float, float] = (NAN, NAN)
    reason: str = ""  # why there is no answer, as a row has it
    term: str = ""  # the class that it is about, where there are several
    among_large: bool = False  # nothing is shown: the group was picked among those of 30 people, and some are smaller
    flags: bool = False  # its rows are those of the decision that harms (`flags`)

    @property
    def shown(self) -> tuple[Estimate, ...]:
        """The comparisons whose difference is shown, farthest from equality first."""
        return tuple(sorted((r for r in self.family if r.verdict in SHOWN), key=distance, reverse=True))

    @property
    def all_shown(self) -> tuple[Estimate, ...]:
        """The comparisons of groups whose difference is shown, those of unknown groups last."""
        return (*self.shown, *(r for r in self.compared if r in self.unknown and r.verdict in SHOWN))

    @property
    def compared(self) -> tuple[Estimate, ...]:
        """Every comparison of groups with a verdict: what a sentence counts that says of how many groups.

        People whose group is missing are none of them.
        """
        return (*self.family, *(row for row in self.unknown if not holds_missing(row.group)))

    @property
    def differs(self) -> bool:
        """Whether a difference is shown, or flagged."""
        return self.code in SHOWN

    @property
    def taken_back(self) -> bool:
        """Whether a verdict is one among those alone who are known."""
        return self.bounds is not None and self.code != "inconclusive"

    @property
    def row(self) -> Estimate | None:
        """The comparison that carries the verdict."""
        return self.within if self.first else self.gap

    @property
    def has_difference(self) -> bool:
        """Whether there are rates and a difference to print."""
        return self.gap is not None and self.rate is not None and self.other is not None

    @property
    def shortfall(self) -> float:
        """How many more of the group would have been selected at the reference's rate; negative for fewer."""
        if self.gap is None or self.rate is None or self.metric != "selection rate":
            return NAN
        return -self.gap.estimate * self.rate.n

    @property
    def few(self) -> bool:
        """Whether the smaller of the two groups has too few people for decimals of a share."""
        return any(row is not None and row.n < FEW for row in (self.rate, self.other))


def answers(audit: Audited, *, crude: bool = False) -> tuple[Answer, ...]:
    """Answer every declared attribute: that of the headline, differences, what is not settled; in the protocol's order.

    crude: whether the numbers without regard to strata stand first, as the law of some reports asks.

    >>> from fairstats.auditing.audit import audit
    >>> data = {"sex": ["f"] * 50 + ["m"] * 50, "hired": [1] * 10 + [0] * 40 + [1] * 30 + [0] * 20}
    >>> [(a.code, a.group, a.reference) for a in answers(audit(data, "hired", "sex", reference="m"))]
    [('disparity shown', 'f', 'm')]
    """
    if audit.protocol.classes:
        items = [_of_classes(audit, attribute, crude) for attribute in declared(audit)]
    else:
        items = [answer(audit, attribute, crude=crude) for attribute in declared(audit)]
    first = audit.protocol.headline[:1]
    return tuple(
        sorted(items, key=lambda one: ((one.attribute,) != first, ORDER.index(one.code), *_worse(one, len(items))))
    )


MOST_ANSWERS = 4  # attributes that have a sentence of their own


def _worse(result: Answer, many: int) -> tuple[float, ...]:
    """Of attributes too many for a sentence each the one farthest from equality first; the protocol's order of few."""
    shown = result.shown
    return tuple(-value for value in distance(shown[0])) if many > MOST_ANSWERS and shown else ()


def declared(audit: Audited) -> list[str]:
    """The attributes that are asked about; an intersection of attributes that are is a table, no question.

    Examples
    --------
    >>> from fairstats.auditing.audit import audit
    >>> data = {"sex": ["f", "m"] * 20, "age": ["old", "old", "young", "young"] * 10, "hired": [1, 0, 0, 0] * 10}
    >>> declared(audit(data, "hired", ["sex", "age"])), declared(audit(data, "hired", "sex:age"))
    (['sex', 'age'], ['sex:age'])
    """
    names = [name for name in audit.protocol.groups if name in audit.references] or list(audit.references)
    columns = {name: audit.protocol.columns_of(name) for name in names}
    return [name for name in names if len(columns[name]) == 1 or not set(columns[name]) <= set(names)]


def answer(audit: Audited, attribute: str, *, crude: bool = False, scored: bool = False) -> Answer:
    """The answer of one attribute; see `answers`. scored: that of scores, whatever else there is."""
    within = _within(audit, attribute, scored=scored)
    scored = scored or answered_by_scores(audit, attribute)
    metric = "P(X>Y)" if scored else _headline(audit, attribute)
    gaps = _gaps(audit, attribute, metric)
    pair = audit.protocol.headline[1:] if audit.protocol.headline[:1] == (attribute,) else ()
    if pair:  # the protocol names one comparison: it is the answer, in its direction
        gaps = _of_pair([*_gaps(audit, attribute, metric, ROLE), *gaps], pair)
        within = _of_pair([*_within(audit, attribute, ROLE, scored), *within], pair)
    first = bool(within) and not crude
    family = within if first else gaps
    fit = [row for row in family if row.status == "ok" and row.verdict]
    absent = tuple(row.group for row in family if row not in fit)
    blank = Answer(attribute, "unanswered", metric, first=first, absent=absent)
    sizes = sizes_of(audit, attribute)
    lead = lead_of(fit, sizes) or lead_of([row for row in gaps if row.status == "ok" and row.verdict], sizes)
    if lead is None:
        reason = next((row.reason for row in family if row.status != "ok"), "")
        named = family[0] if family else None
        return replace(
            blank, group=named.group if named else "", reference=named.reference if named else "", reason=reason
        )
    result = _about(audit, replace(blank, group=lead.group, reference=lead.reference), gaps, within)
    named_groups = fit if pair else _of_groups(fit)
    unknown = tuple(row for row in fit if row not in named_groups)
    code = _code(named_groups)
    if first and (result.within is None or result.within.status != "ok"):
        code = "unanswered"
    result = replace(result, code=code, family=tuple(named_groups), unknown=unknown)
    small = {row.group for row in named_groups if sizes.get(row.group, people_in(row)) < SMALL}
    result = replace(result, among_large=0 < len(small) < len(named_groups) and lead.verdict not in SHOWN)
    result = replace(result, bounds=_bounds(audit, result))
    # the law of a report that asks for the crude numbers asks for those of selections
    return _of_flags(result) if metric == "selection rate" and flags(audit.protocol) and not crude else result


# Several classes: the audit of each against the rest, and the class that an answer is about.


def of_class(audit: A, label: str) -> A:
    """The audit of one class against the rest, with the levels and p-values of the family of all classes.

    >>> from fairstats.auditing.audit import audit
    >>> data = {"sex": ["f", "m"] * 30, "decision": ["no", "wait", "yes"] * 20}
    >>> one = of_class(audit(data, "decision", "sex"), "wait")
    >>> one.protocol.favorable, [row.events for row in one.estimates.only(metric="selection rate", contrast="none")]
    ('wait', [10.0, 10.0])
    """
    p = audit.protocol
    both = bool(p.outcome and p.decision)
    sides: dict[str, Any] = {
        "decision": p.decision or p.outcome,
        "outcome": p.outcome if both else "",
        "favorable": label,
    }
    sides |= {"positive": label if both else "", "positive_prediction": label if both else ""}
    called = {ours: name for name, ours in OF_CLASSES.items()}
    rows = (
        r.changed(metric=called.get(r.metric, r.metric), term=sampling_term(r))
        for r in audit.estimates
        if r.term == label
    )
    kept = Estimates(row for row in rows if row.metric != CUMULATIVE)
    whole: Any = audit
    values = {field.name: getattr(p, field.name) for field in fields(p)}
    one: A = replace(whole, protocol=OfClass(**values | sides | {"classes": ()}), estimates=kept)
    return one


def sampling_term(row: Estimate) -> str:
    """The term of bounds that have the sampling error, which those of a class lack: they have its level alone."""
    return SAMPLING if row.role == "bounds" and row.conf_level == row.conf_level else ""


def seen(audit: A, result: Answer) -> A:
    """The audit that an answer is of: of one class against the rest where there are several."""
    return of_class(audit, result.term) if result.term else audit


def _of_classes(audit: Audited, attribute: str, crude: bool) -> Answer:
    """The answer of the class that differs farthest."""
    each = (
        replace(answer(of_class(audit, label), attribute, crude=crude), term=label) for label in audit.protocol.classes
    )
    return min(each, key=farther)


def farther(result: Answer) -> tuple[float, ...]:
    """By which the answer comes first that differs farthest, or may."""
    lead = result.shown[:1] or ([result.row] if result.row is not None else [])
    return ORDER.index(result.code), *(-value for row in lead for value in (*distance(row), abs(row.estimate)))


def errors_as(protocol: Resolved) -> int:
    """Which words an error has: where the prediction harms (0), where it helps (1), and in general (2).

    In general where nobody said which, and of one label of several: who was not accepted was not refused, but perhaps
    reviewed.

    >>> errors_as(Resolved(("race",), favorable="0", positive_prediction="1"))
    0
    >>> errors_as(Resolved(("race",), decision="d", favorable="1", positive_prediction="1"))
    2
    """
    return 0 if flags(protocol) else 2 if of_default_side(protocol) or protocol.among_several else 1


def of_default_side(protocol: Declared) -> bool:
    """Whether the decision that helps is the default, 1, of which nobody said that it does."""
    has_side = bool(protocol.decision) or protocol.threshold is not None
    return has_side and protocol.favorable in ("1", "True") and "favorable" not in protocol.chosen


def flags(protocol: Resolved) -> bool:
    """Whether the decision flags people: it predicts the outcome, and harms whom it names.

    Answers are then about who is flagged; tables stay those of the favorable decision.

    >>> flags(Resolved(("race",), favorable="0", positive_prediction="1"))
    True
    """
    return bool(protocol.positive_prediction) and protocol.positive_prediction != protocol.favorable


def complement(row: Estimate) -> Estimate:
    """A share, or a difference of shares, of the other decision.

    >>> row = complement(Estimate("selection rate", estimate=0.75, conf_low=0.5, conf_high=1.0, n=8, events=6))
    >>> row.estimate, row.conf_low, row.conf_high, row.events
    (0.25, 0.0, 0.5, 2)
    """
    whole = 1.0 if row.contrast == "none" and row.given == "" else 0.0
    ends = (whole - end + 0.0 for end in (row.margin_high, row.margin_low))
    other = row.with_interval(
        whole - row.estimate + 0.0,
        whole - row.conf_high + 0.0,
        whole - row.conf_low + 0.0,
        **dict(zip(("margin_low", "margin_high"), ends, strict=True)),
    )
    return replace(other, events=row.n - row.events) if whole else other


def _of_flags(result: Answer) -> Answer:
    """The answer about who is flagged, in place of who is spared."""

    def other(row: Estimate | None) -> Estimate | None:
        return None if row is None else complement(row)

    return replace(
        result,
        flags=True,
        rate=other(result.rate),
        other=other(result.other),
        gap=other(result.gap),
        within=other(result.within),
        bounds=other(result.bounds),
        family=tuple(map(complement, result.family)),
        unknown=tuple(map(complement, result.unknown)),
        detectable=result.detectable[::-1],
        largest=result.largest and result.largest.changed(reason=uncounted(result.largest.reason)),
    )


def answered_by_scores(audit: Audited, attribute: str) -> bool:
    """Whether the answer is of scores: within strata, or where a margin was declared for P(X>Y) alone.

    Beside no decision: nobody declared the median as a cut.
    """
    if within := _within(audit, attribute):
        return within[0].metric == SCORES
    p = audit.protocol
    scores = bool(p.score) and p.threshold is None and not p.decision
    alone = p.margin.auc is not None and p.margin.difference is None and p.margin.ratio is None
    return scores and alone and bool(_gaps(audit, attribute, "P(X>Y)"))


def _headline(audit: Audited, attribute: str) -> str:
    """The rate that the audit is about: of decisions, of high scores, or of outcomes where there is nothing else."""
    rows = audit.estimates.only(attribute=attribute, role="main", term="", given="")
    items = [row for row in rows if row.reference and (row.verdict or row.status != "ok")]
    rates = {row.metric for row in items if row.contrast == "difference" and row.metric in HEADLINES}
    numbers = [row for row in items if row.contrast == contrast_of(row.metric)]
    answered = {row.metric for row in numbers if row.verdict}
    by_rank = [*HEADLINES, *(metric for metric in quantities() if metric in answered), *quantities()]
    return next((metric for metric in by_rank if metric in rates | {row.metric for row in numbers}), "")


def amounts_alone(protocol: Resolved) -> bool:
    """Whether an audit is of amounts, beside no decision, outcome or score."""
    return bool(protocol.argument("amount")) and not (protocol.decision or protocol.outcome or protocol.score)


def amounts_of(audit: A) -> A | None:
    """The audit of the amounts that stand beside a decision, an outcome or a score; None where there are none.

    >>> from fairstats.auditing.audit import audit
    >>> data = {"sex": ["f", "m"] * 30, "got": [1, 1, 0] * 20, "pay": [20.0, 30.0, None] * 20}
    >>> [one.metric for one in answers(amounts_of(audit(data, "got", "sex", amount="pay")))]
    ['gap of means']
    """
    p = audit.protocol
    if not p.argument("amount") or amounts_alone(p):
        return None
    roles = "decision", "outcome", "score", "favorable", "positive", "positive_prediction"
    sides: dict[str, Any] = dict.fromkeys(roles, "")
    kept = Estimates(row for row in audit.estimates if (m := METRICS.get(row.metric)) and "amount" in m.needs)
    whole: Any = audit
    one: A = replace(whole, protocol=replace(p, **sides, threshold=None), estimates=kept)
    return one


def lacking_amounts(rows: Estimates, attribute: str) -> tuple[Estimate, Estimate] | None:
    """The groups of which the amount is missing least and most often, apart if two are; None where nobody lacks it."""
    mine = [row for row in rows.only(metric=MEASURES["amount"].lacking, attribute=attribute) if row.status == "ok"]
    if len(mine) < 2:
        return None
    least, most = min(mine, key=lambda row: row.conf_high), max(mine, key=lambda row: row.conf_low)
    if least.conf_high < most.conf_low:
        return least, most
    least, *_, most = sorted(mine, key=lambda row: row.estimate)
    return least, most


MUCH = 0.05  # of the people; from there on what is missing is said


def contrast_of(metric: str) -> str:
    """How the comparisons of a metric are called in a row: its own null says what is equal, or the difference does."""
    return "none" if metric == "P(X>Y)" or metric in GAPS_OF_AMOUNTS else "difference"


def quantities() -> list[str]:
    """The metrics that answers are about where there is no rate, by rank, of each measure of numbers."""
    return [metric for measure in MEASURES.values() for metric in measure.metrics]


def _gaps(audit: Audited, attribute: str, metric: str, role: str = "main") -> list[Estimate]:
    about = {"attribute": attribute, "metric": metric, "role": role, "contrast": contrast_of(metric)}
    return [row for row in audit.estimates.only(**about, term="", given="") if row.reference]


def _within(audit: Audited, attribute: str, role: str = "main", scored: bool = False) -> list[Estimate]:
    """The comparisons within strata: of decisions or outcomes, or of scores, as where there is no decision.

    Of amounts without strata those that are adjusted for covariates.
    """
    p, amounts = audit.protocol, amounts_alone(audit.protocol)
    if not p.strata:
        return _alike(audit, attribute, role) if amounts else []
    scored = scored or bool(p.score and p.threshold is None and not p.decision)
    metric = AMOUNTS if amounts else SCORES if scored else RATES
    return [row for row in _of_amounts(audit, attribute, role, metric) if row.given == p.strata and row.reference]


def _of_amounts(audit: Audited, attribute: str, role: str, metric: str) -> list[Estimate]:
    """The rows of a metric; of gaps that have no ratio the differences."""
    rows, in_unit = (
        [*audit.estimates.only(attribute=attribute, role=role, metric=name)] for name in (metric, IN_UNIT.get(metric))
    )
    return in_unit if any(row.verdict for row in in_unit) and not any(row.verdict for row in rows) else rows


def _alike(audit: Audited, attribute: str, role: str = "main") -> list[Estimate]:
    """The gaps of amounts that are adjusted for covariates."""
    return _of_amounts(audit, attribute, role, ALIKE) if audit.protocol.adjust_for else []


def _of_pair(rows: Iterable[Estimate], pair: Sequence[str]) -> list[Estimate]:
    """The comparison of two declared groups, in the declared direction."""
    result = [row for row in rows if {row.group, row.reference} == set(pair)][:1]
    return [row if row.group == pair[0] else turned(row) for row in result]


def _code(rows: Sequence[Estimate]) -> Code:
    verdicts = {row.verdict for row in rows}
    for word in SHOWN:
        if word in verdicts:
            return word
    return "equivalence shown" if verdicts == {"equivalence shown"} else "inconclusive" if verdicts else "unanswered"


def _about(audit: Audited, result: Answer, gaps: Iterable[Estimate], within: Iterable[Estimate]) -> Answer:
    """The rows that belong to the two groups of an answer."""
    both = (result.group, result.reference)

    def one(rows: Iterable[Estimate]) -> Estimate | None:
        return next((row for row in rows if (row.group, row.reference) == both), None)

    metric = "" if result.metric == "P(X>Y)" else LEVELS.get(result.metric, result.metric)
    about = {"metric": metric, "attribute": result.attribute, "given": "", "status": "ok"}
    rates = audit.estimates.only(**about, role="main", contrast="none") if metric else ()
    current, other = (next((row for row in rates if row.group == group), None) for group in both)
    gap, kept = one(row for row in gaps if row.status == "ok"), one(within)
    largest = audit.estimates.only(**about, role="omnibus", contrast="difference") if metric else ()
    many = sum(not holds_missing(c.group) for c in audit.cells if c.attribute == result.attribute) > 2
    result = replace(
        result, rate=current, other=other, gap=gap, within=kept, largest=largest[0] if many and largest else None
    )
    if kept is None or kept.metric not in ADJUSTED:
        both_ways = [row for row in _alike(audit, result.attribute) if {row.group, row.reference} == set(both)]
        result = replace(result, alike=next(iter(both_ways), None))
    if kept is not None:
        result = replace(result, unplaced=_unplaced(audit, kept))
    return replace(result, detectable=_detectable(audit, result))


def _unplaced(audit: Audited, within: Estimate) -> float:
    """How many people of two groups are in no stratum, since it is missing."""
    rows = audit.estimates.only(metric=COMMON, attribute=within.attribute, term=WITHOUT_STRATUM, status="ok")
    both = {within.group, within.reference}
    return next((row.events for row in rows if {row.group, row.reference} == both), 0.0)


def varying_rows(rows: Estimates, compared: Sequence[Estimate]) -> list[Estimate]:
    """The tests by which a difference of groups that are compared is not the same in all strata, smallest p first.

    rows: of the audit. compared: of scores there are none; the tests are of shares above the median.
    """
    pairs = [(row.attribute, {row.group, row.reference}) for row in compared if row.metric not in ("P(X>Y)", SCORES)]
    tests = (row for row in rows.only(metric=SAME, status="ok") if row.p_value < ALPHA_SAME)
    found = [row for row in tests if (row.attribute, {row.group, row.reference}) in pairs]
    return sorted(found, key=lambda row: row.p_value)


def _detectable(audit: Audited, result: Answer) -> tuple[float, float]:
    if result.gap is None:
        return NAN, NAN
    about = {"metric": result.metric, "attribute": result.attribute}
    rows = [*audit.estimates.only(**about, role=ROLE), *audit.estimates.only(**about, role="power")]
    entries = {(r.group, r.reference, r.term): abs(r.estimate) for r in rows if r.term and r.estimate == r.estimate}
    both, sides = (result.group, result.reference), ("below", "above")
    if not any((*both, side) in entries for side in sides):  # the rows are of the comparison the other way around
        both, sides = (result.reference, result.group), ("above", "below")
    below, above = (entries.get((*both, side), NAN) for side in sides)
    return below, above


def _bounds(audit: Audited, result: Answer) -> Estimate | None:
    """The bounds of the comparison of an answer over all that is missing, where they take its verdict back.

    Where no difference is shown, if many people have no group: over all of them there may be one.
    """
    if result.gap is None or result.gap.verdict != "inconclusive":
        return None if result.gap is None else takes_back(audit, result.gap)
    row, lost = over_missing(audit, result.gap), unknown(audit, result.attribute)
    if row is None or not lost or not lost >= MUCH * read_and_analyzed(audit.flow)[0].n:
        return None
    return row if row.conf_low <= 0 <= row.conf_high else None


def takes_back(audit: Audited, gap: Estimate) -> Estimate | None:
    """The bounds of a comparison over all that is missing, where they cover what its verdict excludes."""
    row = over_missing(audit, gap)
    if row is None or gap.verdict not in (*SHOWN, "equivalence shown"):
        return None
    if gap.verdict in SHOWN:
        return row if row.conf_low <= 0 <= row.conf_high else None
    low, high = _margin_in_points(audit, gap)
    return None if low <= row.conf_low and row.conf_high <= high else row


def overturned_by(audit: Audited, ratio: Estimate, metric: str) -> tuple[str, ...]:
    """What is missing where it could overturn the difference that is beyond chance beside a ratio; else nothing.

    metric: the rate of the ratio. Of two groups neither of which is the reference the bounds are of one group against
    it less those of the other, which are never too narrow; where these are not known, whoever has no group could
    overturn it.
    """
    gap = replace(ratio, metric=metric, contrast="difference")
    row = over_missing(audit, gap)
    if row is not None:
        return missing_of(row) if row.conf_low <= 0 <= row.conf_high else ()
    about = {"metric": metric, "attribute": gap.attribute, "contrast": "difference", "role": "main", "given": ""}
    rows = audit.estimates.only(**about, status="ok")
    base, lost = audit.references.get(gap.attribute, ""), unknown(audit, gap.attribute) > 0
    sides = list[Estimate]()
    for group in (gap.group, gap.reference):
        bounds = over_missing(audit, replace(gap, group=group, reference=base))
        known = [] if lost else _of_pair(rows, (group, base))  # of whom nothing is missing
        sides += known if bounds is None else [bounds]
    if len(sides) < 2:
        return ("groups",) if lost else ()
    one, other = sides
    if not one.conf_low - other.conf_high <= 0 <= one.conf_high - other.conf_low:
        return ()
    return tuple(dict.fromkeys((*missing_of(one), *missing_of(other))))


def unknown(audit: Audited, attribute: str) -> float:
    """How many people have no group of an attribute; 0 of a crossed one, NaN where that is withheld."""
    label = MISSING_OF.format(name=DataText(attribute))
    return next((step.n for step in audit.flow if step.label == label), 0.0)


def over_missing(audit: Audited, gap: Estimate) -> Estimate | None:
    """The bounds of a comparison over everything that is missing."""
    about = {"metric": gap.metric, "attribute": gap.attribute, "role": "bounds", "contrast": "difference"}
    pair = {gap.group, gap.reference}
    missing = [row for row in audit.estimates.only(**about) if missing_of(row) and row.term in (gap.term, SAMPLING)]
    items = [row for row in missing if {row.group, row.reference} == pair]
    if not items:
        return None
    # the last is over everything that is missing, with sampling error where that is known
    return items[-1] if items[-1].group == gap.group else turned(items[-1])


def _margin_in_points(audit: Audited, gap: Estimate) -> tuple[float, float]:
    """The declared margin of a comparison as differences; that of a ratio at the rate of its reference."""
    margins = audit.protocol.margin
    if gap.contrast == "ratio" and margins.ratio is not None:
        about = {"metric": gap.metric, "attribute": gap.attribute, "group": gap.reference, "contrast": "none"}
        base = next((r.estimate for r in audit.estimates.only(**about, role="main", given="", status="ok")), NAN)
        return base * (margins.ratio - 1), base * (1 / margins.ratio - 1)
    margin = NAN if margins.difference is None else margins.difference
    return -margin, margin


MarginWord = Literal["beyond", "within", "not settled"]


def beside_gap(row: Estimate, margin: float) -> MarginWord:
    """Whether a gap of amounts is shown to be beyond a margin, shown to be within it, or neither.

    >>> beside_gap(Estimate("gap of means", conf_low=0.06, conf_high=0.2), 0.05)
    'beyond'
    """
    if row.verdict == "equivalence shown":
        return "within"
    return "beyond" if row.conf_low > margin or row.conf_high < -margin else "not settled"


# What a gate requires of an audit: that every declared comparison is shown to be within the declared margin.


@dataclass(frozen=True, repr=False)
class Passed:
    """Whether an audit passes: true where every comparison, of which there is one at least, is within its margin.

    ``failures`` are those that are not.

    A comparison that is inconclusive, suppressed or not estimable fails as one with a disparity does: that nothing is
    known of a group is no reason to pass.
    """

    failures: Estimates
    compared: int
    strata: str = ""  # which were declared: a comparison that holds them not fixed says so
    unnamed: tuple[str, ...] = ()  # intersections that the audit has and nobody named
    apart: int = 0  # how many of their comparisons are shown to differ
    small: tuple[str, ...] = ()  # groups of which an undecided comparison counts fewer than 30 people, and how many
    margins: Margins = NO_MARGINS
    without: tuple[tuple[str, str], ...] = ()  # metrics that no margin is for, and the name of the margin that would be
    metrics: tuple[str, ...] = ()  # the metric of every comparison, of one of several classes with it
    bounds: Estimates = field(default_factory=Estimates)  # over the people of withheld cells

    def __bool__(self) -> bool:
        return not self.failures and self.compared > 0

    @property
    def not_compared(self) -> list[str]:
        """What the audit has and nobody declared or named, with how it is included."""
        without, lines = dict(self.without), list[str]()
        for kind in dict.fromkeys(without.values()):
            names = listing([name for name, one in without.items() if one == kind], 9)
            lines.append(f"{names} ({margin_needed(kind, self.margins)})")
        if self.unnamed:
            found = (
                f", where {self.apart} difference{' is' if self.apart == 1 else 's are'} shown" if self.apart else ""
            )
            lines.append(f"{listing(self.unnamed)}{found} (included with {Setting('intersections', [*self.unnamed])})")
        return lines

    @property
    def by_metric(self) -> str:
        """Of each metric how many of its comparisons are within the margin, as those of a criterion; "" of one."""
        failed = Counter(map(_called, self.failures))
        of = [f"{name} {n - failed[name]} of {n}" for name, n in Counter(self.metrics).items()]
        return f"within the margin: {', '.join(of)}" if len(of) > 1 else ""

    def __str__(self) -> str:
        if not self.compared:
            return "fails: there is no comparison that the declared margin is for"
        of_each = [self.by_metric] if self.by_metric else []
        not_compared = [f"not included: {one}" for one in self.not_compared]
        if not self.failures:
            who = "the one comparison is" if self.compared == 1 else f"all {self.compared} comparisons are"
            head = f"passes: {who} shown to be within the declared margin"
            return _lines(head, [*of_each, *not_compared])
        failed, many = len(self.failures), "comparison" if self.compared == 1 else "comparisons"
        lines, failures = [], farthest_first(self.failures, self.margins)
        names = dict.fromkeys(f"{_called(row)} by {row.attribute}" for row in failures)
        # the names come early: pytest cuts the middle out of what it shows of a failed assertion
        who = f"{failed} of {self.compared} {many} ({listing(names, 3)}) {'is' if failed == 1 else 'are'}"
        for row in failures:
            numbers = f", {numbers_of(row, self.margins, self.bounds)}" if row.status == "ok" else ""
            lines.append(f"{place(row, self.strata)}: {row.verdict or row.status}{numbers}")
        lines += [*filter(None, [undecided(self.small, self.failures)]), *not_compared]
        return _lines(f"fails: {who} not shown to be within the margin", [*of_each, *lines])

    __repr__ = __str__


def _lines(head: str, below: Iterable[str]) -> str:
    wrapped = (textwrap.wrap(one, 78, break_on_hyphens=False, subsequent_indent="  ") for one in (head, *below))
    return "\n  ".join(line for lines in wrapped for line in lines)


def farthest_first(rows: Iterable[Estimate], margins: Margins) -> list[Estimate]:
    """Comparisons by their size as a multiple of their margin, the largest first; at the end those without a number.

    >>> rows = [Estimate("TPR", contrast="difference", estimate=gap, status="ok") for gap in (0.04, -0.1)]
    >>> [row.estimate for row in farthest_first(rows, Margins(difference=0.05))]
    [-0.1, 0.04]
    """

    def size(row: Estimate) -> float:
        low, high = margins.around(row)
        if row.status != "ok" or not math.isfinite(high):
            return -1.0
        if row.contrast == "ratio":
            return abs(math.log(row.estimate)) / math.log(high) if row.estimate > 0 else math.inf
        return abs(row.estimate - (low + high) / 2) / (high - low)

    return sorted(rows, key=size, reverse=True)


def over_withheld(audit: Audited) -> Estimates:
    """Between which values the people of withheld cells leave each number that depends on them."""
    rows = audit.estimates.only(role="bounds", given=WITHHELD, status="ok")
    return Estimates(row for row in rows if not row.conf_low == row.conf_high == row.estimate)


def numbers_of(row: Estimate, margins: Margins = NO_MARGINS, bounds: Iterable[Estimate] = ()) -> str:
    """What a comparison is, and its interval; with a margin the interval that would have to lie within it.

    bounds: as of `over_withheld`, which stand for the estimate.

    >>> row = Estimate("TPR", contrast="difference", estimate=0.04, conf_low=0.01, conf_high=0.07, conf_level=0.95)
    >>> numbers_of(row.changed(margin_low=0.015, margin_high=0.065), Margins(difference=0.05))
    '+4.0 points (90% interval +1.5 to +6.5; margin −5.0 to +5.0)'
    """
    low, high = margins.around(row)
    bounded, present = math.isfinite(high), METRICS.get(row.metric)
    of = row.changed(verdict="equivalence shown") if bounded else row
    show: Callable[[float], str] = partial(number, digits=3)
    unit = ""
    if row.metric in GAPS_OF_AMOUNTS:
        show, unit = percent, "%"
    elif row.contrast != "ratio" and present is not None and present.scale != SCORE:
        show, unit = (_points, " points") if present.scale == PERCENT else (compact, "")
    ends = decisive_interval(of)
    beside = [f"{decisive_level(of)} interval {span(*ends, show)}"] if ends[0] == ends[0] else []
    beside += [f"margin {span(low, high, show)}"] if bounded else []
    text = f"{show(row.estimate)}{unit}"
    for one in bounds:
        decided = not one.conf_low == one.conf_high == row.estimate
        if decided and all(getattr(one, name) == getattr(row, name) for name in OF_PAIR):
            text = f"{span(one.conf_low, one.conf_high, show)}{unit} over what may have been withheld"
    return f"{text} ({'; '.join(beside)})"


OF_PAIR = ("metric", "attribute", "group", "reference", "contrast")


def _points(share: float) -> str:
    return signed(100 * share)


def without_margin(audit: Audited) -> dict[str, str]:
    """The metrics with verdicts that no declared margin is for, each with the margin that would be, "" for none.

    >>> from fairstats.auditing.audit import audit
    >>> data = {"sex": ["f", "m"] * 90, "hired": [1, 1, 0, 0] * 45, "score": [1, 2, 3] * 60}
    >>> without_margin(audit(data, "hired", "sex", score="score", margin=0.1))
    {'P(X>Y)': 'auc'}
    """
    rows, result = compared(audit), dict[str, str]()
    included = {name for row in rows for name in (row.metric, getattr(METRICS.get(row.metric), "complement", ""))}
    for row in answering_rows(audit).only(role="main", status="ok"):
        present = METRICS.get(row.metric)
        if not row.verdict or present is None or {row.metric, present.complement} & (included | result.keys()) - {""}:
            continue
        kind = "gap" if row.metric in GAPS_OF_AMOUNTS else "difference" if present.scale == PERCENT else ""
        kind = "auc" if row.metric in AREAS and not audit.protocol.classes else kind
        if kind and getattr(audit.protocol.margin, kind) is not None:
            continue  # crude beside what is compared within strata
        if kind or "amount" not in present.needs:  # further statistics of amounts stand beside their gap
            result[row.metric] = kind
    return result


def margin_needed(kind: str, margins: Margins) -> str:
    """The margin that the comparisons of a metric need, beside those that are declared; that there is none.

    >>> margin_needed("auc", Margins(difference=0.1)), margin_needed("", NO_MARGINS)
    ("such comparisons need margin={'difference': 0.1, 'auc': 0.05}", 'no margin can be declared for such comparisons')
    """
    if not kind:
        return "no margin can be declared for such comparisons"
    declared = {field.name: value for field in fields(margins) if (value := getattr(margins, field.name)) is not None}
    return f"such comparisons need {Setting('margin', declared | {kind: 0.05})}"


def small_among(audit: Audited, rows: Iterable[Estimate]) -> tuple[str, ...]:
    """The groups of which some comparisons count fewer than 30 people: all of the group, or those of one rate.

    >>> from fairstats.auditing.audit import audit
    >>> data = {"g": ["a", "b"] * 50 + ["c"] * 6, "y": [0, 0, 1, 1] * 25 + [1] * 6, "d": [1, 0] * 53}
    >>> result = audit(data, "d", "g", outcome="y", margin=0.1)
    >>> small_among(result, result.estimates.only(contrast="difference", metric=("selection rate", "TPR")))
    ('c (6)', 'b (TPR of 25)')
    """
    rows = list(rows)
    among = {(row.attribute, group) for row in rows for group in (row.group, row.reference) if group}
    few = {(cell.attribute, cell.group): cell.n for cell in audit.cells if cell.n < SMALL}
    labels = audit.protocol.classes

    def where(name: str, group: str) -> str:
        """The classes in which a group is not decided, where it is in others."""
        terms = {row.term for row in rows if row.attribute == name and group in (row.group, row.reference)}
        open_in = [label for label in labels if label in terms]
        return f"; in {listing(open_in, len(labels))}" if 0 < len(open_in) < len(labels) else ""

    found = [f"{g} ({count(n)}{where(name, g)})" for (name, g), n in few.items() if (name, g) in among]
    parts = [r for r in rows if 0 < r.n < SMALL and r.group and (r.attribute, r.group) not in few]
    return tuple(dict.fromkeys([*found, *(f"{row.group} ({row.metric} of {count(row.n)})" for row in parts)]))


def undecided(small: Sequence[str], failures: Iterable[Estimate]) -> str:
    """Which groups fail a gate for want of people, and the way out; "" where none does.

    >>> undecided(["z (6)"], [])
    'too few people (under 30) to decide: z (6); join small groups in the data'
    """
    why = [f"too few people (under {SMALL}) to decide: {listing(small)}"] if small else []
    why += ["withheld groups cannot pass"] if any(row.status == "suppressed" for row in failures) else []
    return "; ".join([*why, "join small groups in the data"]) if why else ""


def place(row: Estimate, strata: str = "") -> str:
    """Which comparison a row is: metric, class, attribute, groups; whether the declared strata are held fixed."""
    given = f", within {row.given}" if row.given else f", without regard to {strata}" if strata else ""
    among = f"{row.group} against {row.reference}" if row.reference else row.group or "its groups"
    return f"{_called(row)} by {row.attribute} of {among}{given}"


def _called(row: Estimate) -> str:
    """The metric of a comparison, with the class where it is of one of several."""
    called = f"{row.metric} of {row.term}" if row.term else row.metric
    return called + (" (ratio)" if row.contrast == "ratio" and row.metric not in WITHIN_STRATA else "")


def of_metrics(
    rows: Iterable[Estimate],
    metric: str | Sequence[str],
    without: Mapping[str, str] = MappingProxyType({}),
    margins: Margins = NO_MARGINS,
    protocol: Declared | None = None,
) -> list[Estimate]:
    """The rows of some metrics, criteria or classes, under our names or familiar ones, those within strata included.

    Differences of a complement are, too: its ratio is another claim, since 0.9 against 0.8 is nearly equal and 0.1
    against 0.2 is not.

    without, margins: metrics that have rows, though no margin; and the declared margins.
    protocol: of the audit that the rows are of, if they are of one.

    >>> rows = [Estimate("TPR"), Estimate("FPR"), Estimate("risk difference within strata")]
    >>> [row.metric for row in of_metrics(rows, ["recall", "selection rate"])]
    ['TPR', 'risk difference within strata']
    >>> rows = [Estimate("class TPR", term=term) for term in ("accept", "reject")]
    >>> [row.term for row in of_metrics(rows, "TPR of accept")]
    ['accept']
    """
    names = [metric] if isinstance(metric, str) else metric
    if not isinstance(names, (list, tuple)) or not names or not all(isinstance(name, str) for name in names):
        raise InputError("metric", f"has {shown(metric)}; a metric is named by text; pass one name or a list.")
    rows, kept = list(rows), set[int]()
    there = dict.fromkeys(row.metric for row in rows)
    of_classes = dict.fromkeys(row.term for row in rows if row.metric in OF_CLASSES.values())
    for name in names:
        if name in of_classes and name not in METRICS:
            kept |= {k for k, row in enumerate(rows) if row.term == name}
            continue
        term = next((term for term in of_classes if name.endswith(f" of {term}")), "")  # as tables have it
        ours, contrast = metrics.ours(name.removesuffix(f" of {term}") if term else name)
        looked_up = ours if contrast or term else name
        for wanted in metrics.named(looked_up, (*there, *of_classes, *without)):
            same = {wanted.name, MEANT.get(wanted.name, wanted.name)}
            found = {
                k
                for k, row in enumerate(rows)
                if contrast in ("", row.contrast)
                and term in ("", row.term)
                and (
                    same & {row.metric, *WITHIN_STRATA.get(row.metric, ())}
                    or (row.metric == wanted.complement and row.contrast != "ratio")
                )
            }
            if not found:
                if protocol is not None:
                    refuse_lacking(protocol, name)
                kinds = {wanted.complement or wanted.name, *same}
                kind = next((kind for one, kind in without.items() if one in kinds), None)
                fact = "no comparison of this audit is of it" if kind is None else margin_needed(kind, margins)
                way = f"they are of {listing(there, 12)}."
                raise InputError("metric", with_hint(f"has {name!r}; {fact}", metrics.meant_by(name), way))
            kept |= found
    return [row for k, row in enumerate(rows) if k in kept]


def refuse_lacking(protocol: Declared, name: str) -> None:
    """Refuse a metric, or a criterion, of a column that the audit was not given, or of an order of classes.

    >>> refuse_lacking(Resolved(("sex",), decision="hired"), "recall")
    Traceback (most recent call last):
    fairstats.errors.InputError: metric has 'recall', which needs an outcome; this audit has none; name its column by
    outcome=.
    """
    classes, ranked = (protocol.classes, protocol.ranked) if isinstance(protocol, Resolved) else ((), False)
    if classes and MEANT.get(name, name) == IN_ORDER:
        if ranked:
            return
        raise InputError(
            "metric",
            f"has {name!r}, which needs an order of the classes; this audit has none; give it from the worst to the "
            f"best by {Setting('class_order')}.",
        )
    present = {
        "outcome": protocol.outcome,
        "decision": protocol.decision or protocol.threshold is not None or bool(classes),
        "score": protocol.score,
    }
    columns = dict.fromkeys(column for one in metrics.known(metrics.ours(name)[0]) for column in one.columns)
    absent = [column for column in columns if not present.get(column, True)]
    if absent:
        called = {"outcome": "an outcome", "decision": "a decision", "score": "a score"}
        needed = " and ".join(called[column] for column in absent)
        ways = " and ".join(str(Setting(column)) for column in absent)
        raise InputError(
            "metric", f"has {name!r}, which needs {needed}; this audit has none; name its column by {ways}."
        )


def passes(audit: Audited, metric: str | Sequence[str] | None = None) -> Passed:
    """Ask whether every declared comparison, or each of some metrics, is shown to be within its margin.

    >>> from fairstats.auditing.audit import audit
    >>> data = {"sex": ["f", "m"] * 900, "hired": [1, 1, 0, 0] * 450}
    >>> bool(passes(audit(data, "hired", "sex", margin=0.1)))
    True
    >>> print(passes(audit(data, "hired", "sex", margin=0.01)))
    fails: 1 of 1 comparison (selection rate by sex) is not shown to be within the margin
      selection rate by sex of m against f: inconclusive, 0.0 points (...; margin −1.0 to +1.0)
    """
    given = [metric] if isinstance(metric, str) else metric if isinstance(metric, (list, tuple)) else []
    gate_names = GATE_NAMES.difference(audit.protocol.classes)  # one of which may be called as a gate is
    gates = [one for one in given if isinstance(one, str) and gate_name(one) in gate_names]
    if gates:
        raise InputError(
            "metric",
            f"has {gates[0]!r}; that is a gate of --fail-on, at the command line; passes takes metrics that have a "
            "margin, such as 'selection rate', or None for all.",
        )
    if not audit.protocol.margin:
        if metric is not None:  # a word that is no metric is refused for what it is
            of_metrics(audit.estimates, metric, protocol=audit.protocol)
        raise InputError(
            "margin",
            "is absent; no margin was declared, so no comparison can be shown to be within it; declare it "
            f"in advance: {Setting('margin', 0.05)}.",
        )
    rows, without, margins = compared(audit), without_margin(audit), audit.protocol.margin
    if metric is not None:
        rows, without = of_metrics(rows, metric, without, margins, audit.protocol), {}
    left = Estimates(row for row in rows if row.verdict != "equivalence shown")
    unnamed = tuple(name for name in audit.references if name not in attributes_compared(audit))
    called = tuple(map(_called, rows))
    apart = sum(row.verdict in SHOWN and _called(row) in called for row in compared(audit, unnamed))
    strata = audit.protocol.strata or audit.protocol.alike
    small = small_among(audit, (row for row in left if row.verdict not in SHOWN))
    bounds = over_withheld(audit)
    return Passed(left, len(rows), strata, unnamed, apart, small, margins, tuple(without.items()), called, bounds)


# the comparisons without regard to strata that one within strata answers in their place, of rates and of scores
_IN_PLACE_OF_RATES = frozenset((*HEADLINES, *(metric for pair in IMPACT_METRICS.values() for metric in pair)))
WITHIN_STRATA = {
    RATES: _IN_PLACE_OF_RATES,
    RATIOS: _IN_PLACE_OF_RATES,
    SCORES: frozenset(("P(X>Y)",)),
    AMOUNTS: frozenset(("gap of means", "mean amount", "gap of medians", "median amount")),
    ALIKE: frozenset(("gap of means", "mean amount", "gap of medians", "median amount")),
    "P(X>Y) of amounts within strata": frozenset(("P(X>Y) of amounts",)),
}


def answered_within(audit: Audited, attribute: str, metric: str) -> bool:
    """Whether declared strata or covariates answer what crude comparisons of a metric would, which have no verdict."""
    held = tuple({audit.protocol.strata, audit.protocol.alike} - {""})
    rows = audit.estimates.only(attribute=attribute, role="main", given=held) if held else ()
    return any(metric in WITHIN_STRATA.get(row.metric, ()) or (row.metric, metric) == (RATES, SHARE) for row in rows)


FIRST_RATES = (SHARE, *HEADLINES)  # the first that an audit has is what its differences are of


def held_fixed(protocol: Resolved) -> str:
    """What rows that answer in the place of crude ones are given: declared strata, else covariates of amounts."""
    return protocol.strata or protocol.alike


def is_crude(protocol: Resolved, metric: str) -> bool:
    """Whether comparisons of a metric hold nothing fixed where strata, or covariates of amounts, are declared."""
    return bool(protocol.strata or (protocol.alike and "amount" in METRICS[metric].needs))


def metric_within(audit: Audited, attribute: str, metric: str) -> str:
    """The metric of the differences within strata, or adjusted, that answer in the place of crude ones, "" for none."""
    if not (given := held_fixed(audit.protocol)) or metric not in (*FIRST_RATES, LEVELS["gap of means"]):
        return ""
    rows = audit.estimates.only(attribute=attribute, role="main", contrast="difference")
    rate = next((one for one in FIRST_RATES if rows.only(metric=one, given="")), "")
    means = IN_UNIT[AMOUNTS if audit.protocol.strata else ALIKE]
    name = {rate: RATES, LEVELS["gap of means"]: means}.get(metric, "")
    return name if name and rows.only(metric=name, given=given) else ""


NO_RATIO_WITHIN = message("a declared margin of ratios has no test within strata")
OVERTURNED = "\N{DOUBLE DAGGER}"  # among those who are known, not whatever those are who are missing
IF_OVERTURNED = "among those who are known; those who are missing could overturn it"
OVER_MISSING = message("within the margin among those who are known, not whatever those are who are missing")


def _over_all(audit: Audited, row: Estimate) -> Estimate:
    """A comparison within its margin as one that is not, where those who are missing may take it beyond.

    Of a ratio, and within strata, the bounds are those of the crude difference, as in the sentence.
    """
    if row.verdict != "equivalence shown" or undone(audit, row) is None:
        return row
    return replace(row, verdict="inconclusive", reason=OVER_MISSING)


def undone(audit: Audited, row: Estimate) -> Estimate | None:
    """The bounds that take the verdict of a row back; within strata those of the crude difference."""
    metric = row.metric
    if metric in (RATES, RATIOS):
        metric = SHARE if row.term else _headline(audit, row.attribute)
    return takes_back(audit, replace(row, metric=metric, given=""))


def answering_rows(audit: Audited) -> Estimates:
    """The rows that a gate compares: those within declared strata, or adjusted, in the place of the crude ones.

    Returns: without these all rows. Rates of errors have no comparison within strata: their crude ones stay.

    >>> from fairstats.auditing.audit import audit
    >>> data = {"sex": list("ffmm") * 50, "job": list("abab") * 50, "hired": [1, 0, 0, 1] * 50}
    >>> rows = answering_rows(audit(data, "hired", "sex", strata="job"))
    >>> [row.metric for row in rows if row.verdict]
    ['risk difference within strata']
    """
    rows = audit.estimates
    strata = {audit.protocol.strata, audit.protocol.alike} - {""}
    within = [row for row in rows.only(role="main") if row.metric in WITHIN_STRATA and row.given in strata]
    if not within:
        return rows
    answered = {(row.attribute, metric) for row in within for metric in WITHIN_STRATA[row.metric]}
    return Estimates(row for row in rows if row.given or (row.attribute, row.metric) not in answered)


def ratios_within(audit: Audited) -> Estimates:
    """Ratios within declared strata to the group for which they are highest, of every attribute that has some.

    Returns: each with the conclusion of the rule of four fifths as its reason. Under the law of employment the highest
        is that of a group which the rule counts, and ratios were compared by themselves, at the level of all pairs;
        elsewhere those of which neither group is the reference are a ratio of two ratios, without limits and test.

    >>> from fairstats.auditing.audit import audit
    >>> data = {"sex": list("ffmm") * 50, "job": list("abab") * 50, "hired": [1, 0, 1, 1] * 50}
    >>> [(row.group, row.reference, row.estimate) for row in ratios_within(audit(data, "hired", "sex", strata="job"))]
    [('f', 'm', 0.5)]
    """
    protocol, out = audit.protocol, list[Estimate]()
    every = audit.estimates.only(metric=RATIOS, given=protocol.strata, status="ok") if protocol.strata else ()
    for attribute in audit.references:
        rows = [row for row in every if row.attribute == attribute and not of_missing(row)]
        direct = {row.group: row for row in rows if row.role == "supplementary"}
        compared = [row for row in rows if row.role == "main"]
        if not compared or open_within(audit, attribute):
            continue
        base = compared[0].reference
        known = {row.group: row for row in (compared[0].changed(group=base, estimate=1.0), *compared)}
        counted = counted_by_rule([*known.values()], audit.estimates) if protocol.four_fifths else [*known.values()]
        best = max(counted, key=lambda row: float(row.estimate))
        counted = counted if len(counted) > 1 else [*known.values()]
        best = known[next(iter(direct.values())).reference] if direct else best
        for group, row in known.items():
            if row is best or not row.estimate / (best.estimate or NAN) < math.inf:
                continue
            row = direct.get(group) or (row if best.group == base else _of_ratios(row, best))
            reason = CONCLUSIONS[side(row.estimate), rejected(row.p_adjusted, protocol.conf_level)]
            small = known[group] not in counted
            out.append(row.changed(reason=joined([reason, SMALL_GROUP]) if small else reason))
    return Estimates(out)


def open_within(audit: Audited, attribute: str) -> list[str]:
    """The groups whose ratio within declared strata hangs on people of withheld cells: any may be the highest.

    Under the law of employment those that the rule counts.
    """
    protocol = audit.protocol
    if not protocol.strata:
        return []
    about = {"attribute": attribute, "given": protocol.strata, "role": "main"}
    rows = audit.estimates.only(metric=(RATES, RATIOS), **about)
    small = {row.group for row in audit.estimates.only(attribute=attribute) if says(row.reason, SMALL_GROUP)}
    left_out = small if protocol.four_fifths else ()
    there = filter(decided_by_withheld, rows)
    return [*dict.fromkeys(row.group for row in there if row.group not in left_out and not holds_missing(row.group))]


def _of_ratios(row: Estimate, best: Estimate) -> Estimate:
    """The ratio of a group to another than the reference; that of the reference has the limits of the comparison."""
    if row.group != best.reference:
        blank = dict.fromkeys(("conf_low", "conf_high", "p_value", "p_adjusted"), NAN)
        return row.changed(estimate=row.estimate / best.estimate, reference=best.group, **blank)
    low, high = (1 / end if end else math.inf for end in (best.conf_high, best.conf_low))
    about = {"group": best.reference, "reference": best.group}
    return best.changed(estimate=1 / best.estimate, conf_low=low, conf_high=high, **about)


def ratios_by_stratum(audit: Audited) -> tuple[Estimates, int]:
    """The impact ratios of each stratum by itself, of declared attributes and of groups that the rule counts there.

    Returns: with them for how many pairs, of all strata and attributes together, test and limits are adjusted. 0 where
        no stratum has ratios of its own.

    >>> from fairstats.auditing.audit import audit
    >>> data = {"sex": list("ffmm") * 50, "job": list("abab") * 50, "hired": [1, 0, 1, 1] * 50}
    >>> rows, n = ratios_by_stratum(audit(data, "hired", "sex", strata="job", law="employment"))
    >>> [(row.term, row.group, row.estimate) for row in rows], n
    ([('a', 'm', 1.0), ('b', 'f', 0.0)], 2)
    """
    p = audit.protocol
    about = {"role": "supplementary", "given": p.strata, "attribute": declared(audit)}
    if not (p.strata and p.four_fifths):
        return Estimates(()), 0
    ratios = audit.estimates.only(metric=IMPACT_METRICS["selection rate"][0], contrast="ratio", **about)
    n = comparisons_of(ratios.column("conf_level"), p.conf_level) if len(ratios) else 0
    tested = (row for row in ratios if row.status == "ok" and row.p_value == row.p_value)
    return Estimates(row for row in tested if not holds_missing(row.group)), n


def attributes_compared(audit: Audited) -> list[str]:
    """The attributes that a gate compares: all that were declared, intersections that were named or all that is full.

    >>> from fairstats.auditing.audit import audit
    >>> data = {"sex": ["f", "m"] * 20, "age": ["old", "old", "young", "young"] * 10, "hired": [1, 0, 0, 0] * 10}
    >>> attributes_compared(audit(data, "hired", ["sex", "age"], intersections="full"))
    ['sex', 'age', 'sex:age']
    """
    named = audit.protocol.intersections
    return [*audit.references] if FULL in named else [*declared(audit), *named]


def compared(audit: Audited, names: Collection[str] | None = None) -> list[Estimate]:
    """The comparisons of the declared attributes that the declared margins are for, whatever became of them.

    People whose group is missing are none of them: what they may change is in the bounds of the others.
    Where strata were declared, those within strata stand for the crude ones (`answering_rows`).
    A rate and what is left of it to 100% are one comparison; an intersection counts where it was named.
    """
    if audit.protocol.classes:
        views = ((label, of_class(audit, label)) for label in audit.protocol.classes)
        each = ((label, row) for label, view in views for row in compared(view, names))
        return [replace(row, term=label, metric=OF_CLASSES.get(row.metric, row.metric)) for label, row in each]
    names, result = attributes_compared(audit) if names is None else names, dict[tuple[object, ...], Estimate]()
    rows = [*answering_rows(audit).only(role="main", term="")]
    if audit.protocol.strata and audit.protocol.margin.ratio is not None:  # which has no test within strata
        ratios = audit.estimates.only(role="main", term="", contrast="ratio", given="")
        answered = {row.attribute for row in rows if row.metric == RATES}
        rows += [_unanswered(row) if row.attribute in answered and row.metric in HEADLINES else row for row in ratios]
    for row in rows:
        present = METRICS.get(row.metric)
        if row.attribute not in names or present is None or not row.reference or not _for_margin(row, audit):
            continue
        if of_missing(row):
            continue
        metric = min(row.metric, present.complement or row.metric, key=list(METRICS).index)
        if row.contrast == "ratio":  # a ratio of complements is another one than that of the rates
            metric = row.metric
        result.setdefault((metric, row.attribute, row.group, row.reference, row.contrast, row.given), row)
    return [_over_all(audit, row) for row in result.values()]


def _unanswered(row: Estimate) -> Estimate:
    """A crude ratio in the place of that within strata, of which there is no test: declared strata are the question."""
    if row.status != "ok" or row.p_equivalence != row.p_equivalence:
        return row
    return replace(row, verdict="", status="unestimable", reason=NO_RATIO_WITHIN)


def _for_margin(row: Estimate, audit: Audited) -> bool:
    """Whether a declared margin is for a row: one that was tested, or would have been had there been enough people."""
    margins, protocol = audit.protocol.margin, audit.protocol
    if row.status == "ok":
        return row.p_equivalence == row.p_equivalence
    if says(row.reason, NO_RATIO_WITHIN):
        return True
    if row.metric in (RATES, SCORES):
        return (margins.difference if row.metric == RATES else margins.auc) is not None
    if row.metric in GAPS_OF_AMOUNTS:
        return margins.gap is not None
    decided = protocol.decision or protocol.score
    if row.metric == "base rate" and decided:  # it describes the outcome
        return False
    tested = {(r.metric, r.contrast) for r in audit.estimates.only(role="main", status="ok")
              if r.p_equivalence == r.p_equivalence}  # fmt: skip
    if (row.metric, row.contrast) in tested:
        return True
    rate = METRICS[row.metric].is_rate and METRICS[row.metric].scale == PERCENT
    return rate and not row.given and getattr(margins, row.contrast, None) is not None


# The outcomes of an answer's groups beside what was decided.


MUCH_LESS = 0.1  # of the share whose outcome is known of one decision, before errors are no findings


def without_outcomes(audit: Audited, part: float = PRACTICALLY_NOBODY) -> int | None:
    """The decision (1 predicts the positive outcome) of which outcomes are known so much less often than of the other.

    >>> from fairstats.auditing.audit import audit
    >>> data = {"sex": ["f", "m"] * 50, "lent": [1] * 50 + [0] * 50, "paid": [1, 1, 1, 1, 0] * 10 + [None] * 50}
    >>> without_outcomes(audit(data, "lent", "sex", outcome="paid"))
    0
    """
    cells = [cell for cell in audit.cells if cell.attribute == next(iter(audit.references)) and cell.tp == cell.tp]
    known = np.array([[cell.tn + cell.fn, cell.tp + cell.fp] for cell in cells]).reshape(-1, 2).sum(axis=0)
    people = np.array([[cell.unfavorable, cell.favorable] for cell in cells]).reshape(-1, 2).sum(axis=0)
    return least_known(known, people[::-1] if flags(audit.protocol) else people, part)


def distorted(audit: Audited, metric: str) -> bool:
    """Whether a rate counts people of a decision of which outcomes are known much less often than of the other."""
    side = without_outcomes(audit, MUCH_LESS)
    return side is not None and of_decision(metric, side, int(not flags(audit.protocol)))


def outcome_difference(audit: Audited, result: Answer, gap: Estimate | None) -> Estimate | None:
    """The difference of the outcome rates of the two groups of a gap in decisions; None where there is none."""
    if gap is None or gap.metric != "selection rate":
        return None
    about = {
        "metric": "base rate",
        "attribute": result.attribute,
        "role": "main",
        "given": "",
        "contrast": "difference",
    }
    rows = audit.estimates.only(**about, group=gap.group, term="", status="ok")
    return next((row for row in rows if row.reference == gap.reference), None)


@dataclass(frozen=True)
class Beside:
    """How a gap in decisions compares with that in outcomes: whether it is ``more`` or ``less``, "" is not settled."""

    points: str = ""  # ``opposite`` where they differ in opposite directions
    ratio: str = ""
    difference: tuple[float, float, float] = (NAN, NAN, NAN)  # of both gaps, with its limits, as the rows have signs
    factor: tuple[float, float, float] = (NAN, NAN, NAN)  # the ratio of decisions over that of outcomes


def decisions_beside(audit: Audited, outcomes: Estimate, gap: Estimate, share: float = 1.0) -> Beside:
    """Whether decisions differ more or less than outcomes, in points and as ratios.

    share: of the gap's level of error that is allowed, where the comparison is one of several claims.
    Both are of the same people: limits of points and logarithms of ratios are combined by their correlation (Zou and
    Donner 2008), with Newcombe's (1998) correction, without which few people who are decided on as their outcome says
    leave nothing uncertain.
    """
    side = math.copysign(1.0, gap.estimate)
    if math.isnan(outcomes.conf_low) or math.isnan(gap.conf_low):
        return Beside()  # a step-down has no intervals to combine
    low, high = sorted((side * outcomes.conf_low, side * outcomes.conf_high))
    about = {"attribute": gap.attribute, "role": "main", "given": "", "term": "", "contrast": "none", "status": "ok"}
    joint = logs = spread = 0.0
    errors = [0.0, 0.0]
    for sign, group in ((side, gap.group), (-side, gap.reference)):
        rows = {row.metric: row for row in audit.estimates.only(**about, group=group)}
        if not {"selection rate", "base rate", "TPR"} <= {*rows}:
            return Beside("opposite" if high < 0 else "")
        d, y = rows["selection rate"], rows["base rate"]
        decided, had = complement(d).estimate if flags(audit.protocol) else d.estimate, y.estimate
        both = max(rows["TPR"].estimate * had - decided * had - 0.5 / y.n, 0.0)
        each = math.sqrt(decided * (1 - decided) * had * (1 - had))
        shared = min(both / each, 1.0) * d.std_error * y.std_error if each > 0 else 0.0
        joint += shared
        errors = [errors[0] + d.std_error**2, errors[1] + y.std_error**2]
        if decided * had > 0:
            logs += sign * math.log(decided / had)
            spread += (d.std_error / decided) ** 2 + (y.std_error / had) ** 2 - 2 * shared / (decided * had)
        else:
            spread = math.inf
    product = math.sqrt(errors[0] * errors[1])
    least, most = sorted((side * gap.conf_low, side * gap.conf_high))
    z = NormalDist().inv_cdf
    far = z((1 + gap.conf_level) / 2)  # limits of another level are taken as so much wider
    wider = z(1 - share * (1 - gap.conf_level) / 2) / far
    values = side * gap.estimate, -side * outcomes.estimate
    correlation = -joint / product if product > 0 else 0.0
    lower, upper = limits_of_sum(values[0], (least, most), values[1], (-high, -low), correlation)
    lower, upper = (sum(values) + wider * (end - sum(values)) for end in (lower, upper))
    half = wider * far * math.sqrt(max(spread, 0.0))
    apart, ends = gap.estimate - outcomes.estimate, sorted((side * float(lower), side * float(upper)))
    middle, difference = side * logs, (apart, ends[0], ends[1])
    factor = math.exp(middle), math.exp(middle - half), math.exp(middle + half)
    if low <= 0:
        return Beside("opposite" if high < 0 else "", "", difference, factor)
    points = "more" if lower > 0 else "less" if upper < 0 else ""
    ratio = "more" if logs > 0 else "less"
    return Beside(points, ratio if abs(logs) > half else "", difference, factor)
