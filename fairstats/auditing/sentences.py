"""The comparison that page one of a report draws: the two groups of the first answer, with its rate and its errors."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from fairstats import metrics
from fairstats.auditing.answer import (
    ADJUSTED,
    ALIKE,
    FEW,
    LEVELS,
    MOST_ANSWERS,
    MUCH,
    MUCH_LESS,
    OF_GAPS,
    ORDER,
    SMALL,
    Answer,
    Audited,
    MarginWord,
    amounts_of,
    answer,
    answered_within,
    answers,
    beside_gap,
    complement,
    contrast_of,
    decisions_beside,
    declared,
    distance,
    distorted,
    errors_as,
    flags,
    lacking_amounts,
    lead_of,
    null_of,
    of_class,
    open_within,
    outcome_difference,
    overturned_by,
    people_in,
    quantities,
    ratios_by_stratum,
    ratios_within,
    rest,
    seen,
    sizes_of,
    turned,
    undone,
    unknown,
    varying_rows,
    widest,
    without_outcomes,
)
from fairstats.auditing.answer import RATES as WITHIN
from fairstats.auditing.arguments import MEASURES
from fairstats.auditing.classes import IN_ORDER, SHARE
from fairstats.auditing.classes import PPV as CLASS_PPV
from fairstats.auditing.classes import TPR as CLASS_TPR
from fairstats.auditing.counts import ROLE, references_by_attribute
from fairstats.auditing.protocol import NO_WORDS, OPPOSITE, OfClass, Protocol, Resolved, Words
from fairstats.auditing.rates import SENSITIVE_RATES
from fairstats.auditing.scores import HARDLY_TIED, TIED, designed
from fairstats.auditing.sensitivity import OVERTURNED, WITHHELD, missing_of
from fairstats.auditing.suppression import HIGHEST_RATE as HIGHEST_WITHHELD
from fairstats.errors import Setting, snippet, strong
from fairstats.estimates import SHOWN, TENTATIVE, Estimate, Estimates, alone
from fairstats.inference.multiplicity import decided_families, pairs_of, rejected
from fairstats.inference.rates.adverse_impact import BELOW as BELOW_LINE
from fairstats.inference.rates.adverse_impact import (
    CONCLUSIONS,
    OTHER_HIGHEST,
    SMALL_GROUP,
    below_line,
    concluded_side,
    counted_by_rule,
)
from fairstats.inference.rates.many_rates import TEST_NAMES
from fairstats.inference.rates.strata_rows import LEFT_OUT, LEFT_OUT_OF_ONE, OTHER_WITHHELD
from fairstats.inference.rates.survey import FEW_CLUSTERS
from fairstats.inference.verdicts import beyond, comparisons_of, decisive_interval, decisive_level, remains
from fairstats.labels import PERHAPS_MISSING, SEXES, TAKEN_AS_MISSING, holds_missing, like_missing, quoted, split
from fairstats.language import DataText, joined, mark, message, renamed, say, say_number, says, translated
from fairstats.language import parts as parts_of
from fairstats.metrics import GAPS_OF_AMOUNTS, METRICS, PERCENT, RATES
from fairstats.text import (
    DASH,
    capital,
    compact,
    count,
    difference_in_points,
    impact_ratio,
    level,
    level_number,
    listed,
    number,
    p_equals,
    percent,
    ratio_span,
    setting,
    signed,
    span,
    subtracts,
)
from fairstats.validation import (
    ALL_PAIRS,
    AUDIT,
    BH,
    FAMILIES,
    HIGHEST_RATE,
    LARGEST_GROUP,
    NONE,
    RATE,
    adjusted_by,
    adjustment,
)

RESERVED = 0.2  # of the level, for findings beside answers that show no difference
EVERY = (*SENSITIVE_RATES, "P(X>Y)")  # the rates whose comparisons may be findings of page one


@dataclass(frozen=True)
class Line:
    """One question of page one: both rates, and their difference, group less reference."""

    metric: str
    rate: Estimate
    other: Estimate
    gap: Estimate  # the row of the table of estimates that the difference is
    turned: bool  # whether that row is of the reference less the group
    shown: bool = False  # whether a difference is shown with every comparison allowed for that page one picks from

    @property
    def row(self) -> Estimate:
        """The difference, of the group less the reference."""
        return turned(self.gap) if self.turned else self.gap

    @property
    def has_difference(self) -> bool:
        """Whether there is a difference to print."""
        return self.gap.status == "ok" and not math.isnan(self.gap.estimate)

    @property
    def few(self) -> bool:
        """Whether the smaller of the two groups has too few people for decimals of a share."""
        return min(self.rate.n, self.other.n) < FEW

    @property
    def alone(self) -> bool:
        """Whether its own family shows a difference, and page one with all of its rates allowed for does not."""
        return self.gap.verdict in SHOWN and not self.shown

    @property
    def verdict(self) -> str:
        """The verdict of page one: a difference that only its own family shows is not settled here."""
        return "inconclusive" if self.alone else self.gap.verdict


@dataclass(frozen=True)
class PageOne:
    """The comparison of page one."""

    attribute: str
    group: str
    reference: str
    lines: tuple[Line, ...]  # the first is that of the answer
    level: float  # up to which an adjusted p-value of another rate than the answer's is a finding of page one

    @property
    def head(self) -> Line:
        """The answer."""
        return self.lines[0]


def page_one(audit: Audited, result: tuple[Answer, ...] | None = None) -> PageOne | None:
    """Find the comparison of page one; None where no two groups can be compared."""
    result = result or answers(audit)
    lead = next((one for one in result if one.group), None)
    if lead is None:
        return None
    both = {lead.group, lead.reference}
    gaps: dict[str, Estimate] = {}
    for role in (ROLE, "main"):
        rows = audit.estimates.only(attribute=lead.attribute, role=role, contrast="difference", term="", given="")
        for row in rows:
            if (
                {row.group, row.reference} == both
                and row.metric in SENSITIVE_RATES
                and (row.verdict or row.status != "ok")
            ):
                gaps.setdefault(row.metric, row)
    rates = {
        (row.metric, row.group): row
        for row in audit.estimates.only(attribute=lead.attribute, role="main", contrast="none", given="")
    }
    head = lead.metric if lead.metric in gaps else next((m for m in SENSITIVE_RATES[:3] if m in gaps), "")
    if not head:
        return None
    level = level_of(audit, result)

    def line(metric: str) -> Line:
        gap = gaps[metric]
        current, other = (rates[metric, label] for label in (lead.group, lead.reference))
        return Line(metric, current, other, gap, gap.group != lead.group, metric == head or shown(gap, level))

    order = [head, *(m for m in found_of(audit) if m in gaps)]
    return PageOne(lead.attribute, lead.group, lead.reference, tuple(map(line, order)), level)


def rates_of(audit: Audited) -> tuple[str, ...]:
    """The rates (and P(X>Y)) that findings of page one are picked from: those that have verdicts."""
    names = declared(audit)
    rows = [row for row in audit.estimates.only(role="main", given="") if row.attribute in names and row.verdict]
    return tuple(metric for metric in EVERY if any(row.metric == metric for row in rows))


def level_of(audit: Audited, result: tuple[Answer, ...]) -> float:
    """The level of findings beside the answers, which a page picks from several rates: Bonferroni over these.

    Where no answer shows a difference, they have a fifth of the level: of pages about people among whom nothing
    differs, answers and all, at most six in a hundred then claim a difference. Where one does, all of it.
    """
    alpha = 1 - audit.protocol.conf_level
    share = 1.0 if any(one.differs for one in result) else RESERVED
    return share * alpha / max(len(rates_of(audit)) - 1 + bool(_intersections(audit)), 1)


def _intersections(audit: Audited) -> list[str]:
    return [name for name in audit.references if audit.protocol.is_crossed(name)]


def shown(row: Estimate, level: float) -> bool:
    """Whether a difference in a rate that is not the answer's is shown, with all rates of page one allowed for."""
    return row.verdict in SHOWN and row.p_adjusted <= level


def page_level(audit: Audited) -> float:
    """The level of page one, above which an error that is shown is tentative; NaN where it has none."""
    page = None if audit.protocol.classes else page_one(audit)
    return math.nan if page is None else page.level


def may_be_tentative(audit: Audited) -> set[str]:
    """The rates that page one has beside its answer, and what is left of them to 100%: the same comparisons."""
    return {name for metric in errors_of(audit) for name in (metric, METRICS[metric].complement)}


def with_tentative(audit: Audited) -> Estimates:
    """The rows, each that is tentative on page one with that as its reason."""
    level, rates = page_level(audit), may_be_tentative(audit)
    return audit.estimates.map(
        lambda row: (
            row.changed(reason=joined([row.reason, TENTATIVE])) if row.metric in rates and alone(row, level) else row
        )
    )


def further_findings(audit: Audited, page: PageOne, result: tuple[Answer, ...]) -> Estimates:
    """Differences of other rates that are shown with all of page one allowed for, of other groups than its table's.

    Another rate or attribute comes before one more group that differs in the same rate as one before it.
    """
    lines = []
    members = {page.group, page.reference}
    for one in result:
        for metric in found_of(audit):
            rows = audit.estimates.only(
                attribute=one.attribute, role="main", contrast="difference", metric=metric, term="", given=""
            )
            fit = [row for row in rows if shown(row, page.level)]
            fit = [row for row in fit if row.attribute != page.attribute or {row.group, row.reference} != members]
            lines += fit
    mentioned = {(page.attribute, line.metric) for line in page.lines[1:] if line.verdict in SHOWN}
    new: list[Estimate] = []
    again: list[Estimate] = []
    for row in sorted(lines, key=lambda row: rest(row.group)):
        (again if (row.attribute, row.metric) in mentioned else new).append(row)
        mentioned.add((row.attribute, row.metric))
    return Estimates(sorted([*new, *again], key=lambda row: rest(row.group)))


def errors_of(audit: Audited) -> tuple[str, ...]:
    """The error that harms the person first: a wrong alarm, or a wrong refusal where the prediction is the favor."""
    helps = audit.protocol.positive_prediction == audit.protocol.favorable
    return ("FNR", "FPR", "PPV") if helps else ("FPR", "FNR", "PPV")


def found_of(audit: Audited) -> tuple[str, ...]:
    """The errors that may be findings: not those of people of a decision of which outcomes are much less known."""
    return tuple(metric for metric in errors_of(audit) if not distorted(audit, metric))


def line_of(audit: Audited, row: Estimate) -> Line:
    """A finding of another comparison as a line of page one."""
    about = {"metric": row.metric, "attribute": row.attribute, "role": "main", "contrast": "none", "given": ""}
    rates = {rate.group: rate for rate in audit.estimates.only(**about)}
    return Line(row.metric, rates[row.group], rates[row.reference], replace(row), False, True)


# How sentences call people, decisions and outcomes: in the protocol's words, or by column and label.


AT_LEAST, BELOW = message("{score} at least {threshold}"), message("{score} below {threshold}")


def decision_text(protocol: Protocol, label: str) -> str:
    """A decision by column and label: ``released = Yes``, or ``decile_score below 5``.

    Examples
    --------
    >>> decision_text(Protocol(("race",), score="decile_score", threshold=5.0), "0")
    'decile_score below 5'
    """
    return translated(decision_message(protocol, label))


def decision_message(protocol: Protocol, label: str) -> str:
    """The same for a result to hold."""
    if protocol.threshold is None:
        return DataText(f"{protocol.decision} = {label}")
    values = {"score": DataText(protocol.score), "threshold": f"{protocol.threshold:.12g}"}
    return AT_LEAST.format(**values) if label == "1" else BELOW.format(**values)


def outcome_text(protocol: Protocol) -> str:
    """The positive outcome by column and label: ``two_year_recid = 1``."""
    return f"{protocol.outcome} = {protocol.positive}"


def measured(protocol: Protocol) -> tuple[str, ...]:
    """Which columns decision and outcome are, and which of their labels are meant: for who has the result alone.

    Examples
    --------
    >>> choices = {"threshold": 5.0, "favorable": "0", "positive_prediction": "1"}
    >>> rules = Protocol(("race",), outcome="recid", score="decile", **choices)
    >>> print(*measured(rules), sep="\\n")
    The favorable decision is decile below 5.
    The positive outcome is recid = 1, predicted by decile at least 5.
    """
    decided = bool(protocol.decision) or protocol.threshold is not None
    text = [_FAVORABLE.format(text=decision_message(protocol, protocol.favorable))] if decided else []
    if protocol.outcome and protocol.positive_prediction and decided:
        predicted = decision_message(protocol, protocol.positive_prediction)
        text.append(_PREDICTED.format(text=DataText(outcome_text(protocol)), prediction=predicted))
    elif protocol.outcome:
        text.append(_POSITIVE.format(text=DataText(outcome_text(protocol))))
    return tuple(text)


def measured_among(statements: Sequence[str]) -> list[str]:
    """Those of the statements of a result that `measured` made.

    Examples
    --------
    >>> result = measured(Protocol(("sex",), outcome="paid"))
    >>> measured_among(["No change is shown.", *result])
    ['The positive outcome is paid = 1.']
    """
    return [text for text in statements if any(says(text, code) for code in (_FAVORABLE, _POSITIVE, _PREDICTED))]


CODED = message(
    "{name} is coded {one} and {other}, and nothing says which of the two helps the person: {one} was taken. If "
    "{other} does, every gap goes the other way; pass {setting}."
)


HARMING = message(
    "By its name {name} may harm the person, and nothing says which value helps: {text} was taken. If the other one "
    "does, every gap goes the other way; pass {setting}."
)
CODED_OUTCOME = message(
    "{name} is coded {one} and {other}, and nothing says which of the two is the positive outcome: {one} was taken. If "
    "{other} is, everything about the outcome is inverted; pass {setting}."
)
OPPOSED = message(
    "By their names {outcome} harms the person and {decision} does not, and nothing says which decision predicts "
    "{event}: {text} was taken. If the other one does, error rates are inverted; pass {setting}."
)
AGAINST = message(
    "Decisions agree with the outcome less often than by chance: the balanced accuracy, the mean of TPR and TNR, is "
    "{share}%, and below 50% in {k} of {n} groups of {attribute}. If {text} is the decision that predicts {event}, "
    "error rates are inverted; pass {setting}."
)
SCORED_AGAINST = message(
    "Scores agree with the outcome less often than by chance: the AUC is {share}, and below 0.5 in {k} of {n} groups "
    "of {attribute}. If low scores are those that predict {event}, turn the scores round, or pass {setting}."
)


UNCLEAR = CODED, HARMING, CODED_OUTCOME, OPPOSED, AGAINST, SCORED_AGAINST


def unclear_side(audit: Audited) -> list[str]:
    """That nobody said which of two values is meant, where names or the data leave it open: gaps hang on it."""
    return [translated(note) for note in audit.notes if any(says(note, one) for one in UNCLEAR)]


_FAVORABLE = message("The favorable decision is {text}.")
_POSITIVE = message("The positive outcome is {text}.")
_PREDICTED = message("The positive outcome is {text}, predicted by {prediction}.")


def _other(protocol: Protocol, column: str, label: str) -> str:
    """Of a column with two labels the one that is not meant."""
    if label not in OPPOSITE or (isinstance(protocol, Resolved) and column in protocol.unlike):
        return f"{column} ≠ {label}"
    return f"{column} = {OPPOSITE[label]}"


def _decided(protocol: Protocol, label: str, meant: bool) -> str:
    if meant or protocol.threshold is not None:
        return decision_text(protocol, label if meant else OPPOSITE[label])
    return _other(protocol, protocol.decision, label)


def equation(protocol: Protocol, part: str) -> str:
    """A part of a rate ("D=+", "Y=0") by column and label.

    Examples
    --------
    >>> rules = Protocol(("sex",), outcome="paid", decision="lent", positive_prediction="yes")
    >>> equation(rules, "D=0"), equation(rules, "Y=0")
    ('lent ≠ yes', 'paid = 0')
    """
    if part == "D=+":
        return decision_text(protocol, protocol.favorable)
    if part in ("D=1", "D=0"):
        return _decided(protocol, protocol.positive_prediction, part == "D=1")
    return outcome_text(protocol) if part == "Y=1" else _other(protocol, protocol.outcome, protocol.positive)


def phrase(protocol: Protocol, part: str) -> str:
    """A part of a rate as the verb phrase of the protocol's words, "" where it has none.

    Where the decision is a cut of a score whose noun they have, the phrase is made of that.

    Examples
    --------
    >>> from fairstats.auditing.protocol import Words
    >>> current = Words(favorable="were hired", unfavorable="were not")
    >>> rules = Protocol(("sex",), positive_prediction="0", favorable="1", labels=current)
    >>> phrase(rules, "D=+"), phrase(rules, "D=1"), phrase(rules, "Y=1")
    ('were hired', 'were not', '')
    """
    labels = protocol.labels
    if part in ("Y=1", "Y=0"):
        return labels.positive if part == "Y=1" else labels.negative
    favorable = part == "D=+" or (part == "D=1") == (protocol.positive_prediction == protocol.favorable)
    text = labels.favorable if favorable else labels.unfavorable
    if isinstance(protocol, Resolved) and protocol.counted and not (labels.favorable or labels.unfavorable):
        return say("were selected") if favorable == (protocol.favorable == "1") else say("were not selected")
    if text or not labels.score or protocol.threshold is None:
        return text
    return _scored(protocol, protocol.favorable if favorable else OPPOSITE[protocol.favorable], labels.score)


def with_plain_verbs(protocol: Resolved) -> Resolved:
    """The protocol with plain verbs for the cut of a score, and for an outcome, that nobody put into words.

    Page one alone speaks so, and says of which columns: "had `decile_score` of at least 5" is not read by a stranger.

    Examples
    --------
    >>> rules = Resolved(("race",), score="decile", threshold=5.0, positive_prediction="1", favorable="0")
    >>> phrase(with_plain_verbs(rules), "D=1")
    'were flagged'
    """
    labels = protocol.labels
    if protocol.threshold is None or labels.favorable or labels.unfavorable or labels.score:
        return protocol
    unfavorable, favorable = PLAIN_DEEDS[errors_as(protocol)]
    labels = replace(labels, favorable=say(favorable), unfavorable=say(unfavorable))
    if protocol.outcome and not (labels.positive or labels.negative):
        labels = replace(labels, positive=say(HAD_THE_OUTCOME), negative=say("did not have the outcome"))
    return replace(protocol, labels=labels)


PLAIN_DEEDS = (  # by errors_as
    (mark("were flagged"), mark("were not flagged")),
    (mark("were not approved"), mark("were approved")),
    (mark("were not selected"), mark("were selected")),
)
HAD_THE_OUTCOME = mark("had the outcome")


def without_auxiliary(phrase: str) -> str:
    """A verb phrase without the verb that a list of people has to have: ``rated high risk``."""
    return phrase.removeprefix("were ").removeprefix("wurden ")


def short_deed(protocol: Resolved) -> str:
    """What a prediction did to people, as a participle: of the words where they have one, otherwise in general.

    Examples
    --------
    >>> from fairstats.auditing.protocol import Words
    >>> rules = Resolved(("sex",), positive_prediction="1", favorable="1", labels=Words(favorable="were hired"))
    >>> short_deed(rules), short_deed(Resolved(("sex",), positive_prediction="1", favorable="0"))
    ('hired', 'flagged')
    """
    text = phrase(protocol, "D=1")
    if text == without_auxiliary(text) and protocol.among_several:
        return decision_text(protocol, protocol.positive_prediction)
    if text == without_auxiliary(text):
        text = say(PLAIN_DEEDS[errors_as(protocol)][not flags(protocol)])
    return without_auxiliary(text)


def _scored(protocol: Protocol, label: str, score: str) -> str:
    """On which side of the cut a score is, as a verb phrase."""
    assert protocol.threshold is not None
    side = mark("had {score} of at least {threshold}") if label == "1" else mark("had {score} below {threshold}")
    return say(side, score=score, threshold=setting(protocol.threshold))


def event(protocol: Protocol, metric: str) -> tuple[str, bool]:
    """What a rate counts, and whether that is a verb phrase of the protocol's words."""
    if metric == "scoring rate":
        score = protocol.labels.score
        if score:
            return say("had {score} above the median", score=score), True
        return say("{score} above the median", score=protocol.score), False
    part = metrics.METRICS[metric].event
    text = phrase(protocol, part)
    return (text, True) if text else (equation(protocol, part), False)


def among(protocol: Protocol, metric: str) -> tuple[str, bool]:
    """Among whom a rate counts, "" for everybody, and whether that is a verb phrase of the protocol's words."""
    part = metrics.METRICS[metric].given
    if not part:
        return "", True
    text = phrase(protocol, part)
    return (text, True) if text else (equation(protocol, part), False)


def share_of(protocol: Protocol, metric: str) -> str:
    """What a rate is a share of, and of whom: in the protocol's words, or by column and label.

    Examples
    --------
    >>> choices = {"threshold": 5.0, "favorable": "0", "positive_prediction": "1"}
    >>> rules = Protocol(("race",), outcome="recid", score="decile", **choices)
    >>> share_of(rules, "FPR")
    'of people with recid = 0, the share with decile at least 5'
    >>> share_of(rules, "accuracy")
    'share of people whose prediction equals their outcome'
    """
    if metric not in SHARES:
        return say(metrics.METRICS[metric].meaning)
    (text, reported), (condition, whom) = event(protocol, metric), among(protocol, metric)
    values = {**parts(text), **parts(condition, "condition")}
    if not condition:
        return single_spaced(say(_SHARE[reported], **values))
    return single_spaced(say(_SHARE_AMONG[whom, reported], **values))


# rates that count a decision or an outcome, not whether the two agree
SHARES = {row.name for row in RATES if row.event in ("D=+", "D=1", "D=0", "Y=1", "Y=0")}
_SHARE = {True: mark("the share of all who {event}"), False: mark("the share of all people with {event}")}
_SHARE_AMONG = {
    (True, True): mark("of those who {condition}, the share who {event}"),
    (True, False): mark("of those who {condition}, the share with {event}"),
    (False, True): mark("of people with {condition}, the share who {event}"),
    (False, False): mark("of people with {condition}, the share with {event}"),
}


def parts(text: str, name: str = "") -> dict[str, str]:
    """A verb phrase whole, and as its verb and the rest: languages differ in what stands between the two.

    Examples
    --------
    >>> parts("were hired")
    {'event': 'were hired', 'verb': 'were', 'rest': 'hired'}
    >>> parts("were held", "condition")
    {'condition': 'were held', 'condition_verb': 'were', 'condition_rest': 'held'}
    """
    verb, _, rest = text.partition(" ")
    before = f"{name}_" if name else ""
    return {name or "event": text, f"{before}verb": verb, f"{before}rest": rest}


def single_spaced(sentence: str) -> str:
    """A sentence one of whose places may be empty: a verb phrase may be the verb alone."""
    return " ".join(filter(None, sentence.split(" ")))


def deed(protocol: Protocol, part: str) -> str:
    """A part of a rate as a verb phrase: that of the protocol's words, or with column and label as code.

    Examples
    --------
    >>> deed(Protocol(("sex",), decision="lent", positive_prediction="yes"), "D=1")
    'had `lent = yes`'
    """
    text = phrase(protocol, part)
    if text:
        return text
    if protocol.threshold is None or part.startswith("Y"):
        return say("had {what}", what=in_code(equation(protocol, part)))
    label = protocol.favorable if part == "D=+" else protocol.positive_prediction
    return _scored(protocol, OPPOSITE[label] if part == "D=0" else label, in_code(protocol.score))


def score_noun(protocol: Protocol) -> str:
    """The score by its noun in the protocol's words, else by its column."""
    return protocol.labels.score or protocol.score


_LABELS: ContextVar[Words] = ContextVar("labels of a report of results that have none", default=NO_WORDS)


@contextmanager
def labeled(labels: Words) -> Iterator[None]:
    """While a report is made, columns and groups of results that have no labels are called by these."""
    token = _LABELS.set(labels)
    try:
        yield
    finally:
        _LABELS.reset(token)


def in_code(column: str) -> str:
    """The name of a column as pages set code; the name that the report's labels give it, as it is.

    Examples
    --------
    >>> with labeled(Words(attributes=(("colour", "color"),))):
    ...     in_code("colour"), in_code("age")
    ('color', '`age`')
    """
    return dict(_LABELS.get().attributes).get(column) or (f"`{column}`" if column else "")


def column_name(column: str) -> str:
    """The same in titles, tables and figures, which set no code."""
    return _LABELS.get().attribute(column)


def unit_of(otherwise: str) -> str:
    """What the report's labels call the people, or what else is given."""
    return _LABELS.get().unit or otherwise


def level_name(attribute: str, label: str) -> str:
    """A group beside its column: the name that the report's labels give it, or its label."""
    return _LABELS.get().group(attribute, label) or label


def rate_deed(protocol: Protocol, metric: str) -> str:
    """What a rate counts, as a verb phrase."""
    if metric != "scoring rate":
        return deed(protocol, METRICS[metric].event)
    return say("had {score} above the median", score=protocol.labels.score or in_code(protocol.score))


def people(protocol: Protocol, attribute: str, label: str, noun: str = "") -> str:
    """The people of a group: ``Black arrestees``; where it has no name, by the label of its column.

    Examples
    --------
    >>> from fairstats.auditing.protocol import Words
    >>> people(Protocol(("area",), labels=Words(unit="arrestees")), "area", "North")
    'arrestees whose area is "North"'
    >>> people(Protocol(("area",)), "area", "North"), people(Protocol(("race",)), "race", "Black")
    ('people with `area` North', 'Black people')
    """
    unit = noun or protocol.labels.unit
    name = name_of(protocol, attribute, label)
    if says_who(protocol, attribute, name, unit):
        return name
    if name:
        return say("{name} {people}", name=name, people=unit or say("people"))
    if unit:
        return say('{people} whose {name} is "{label}"', people=unit, name=protocol.called(attribute), label=label)
    if label.strip().casefold() in ADJECTIVES:
        return say("{label} people", label=label)
    return say("people with {group}", group=where(protocol, attribute, label))


def group_name(attribute: str, label: str) -> str:
    """The name that the report's labels give a group, in tables and figures; else its label."""
    return capital(_LABELS.get().group(attribute, label)) or label


def group_people(attribute: str, label: str) -> str:
    """The people of a group of a result that has no protocol: ``women``, ``Black people``.

    Examples
    --------
    >>> group_people("sex", "women"), group_people("race", "Black"), group_people("area", "North")
    ('women', 'Black people', 'people with `area` North')
    """
    if has_noun(label, say("people")) and not _LABELS.get().group(attribute, label):
        return inside(label)
    return people(Protocol((attribute,), labels=_LABELS.get()), attribute, label)


def group_cell(attribute: str, label: str, otherwise: str = "") -> str:
    """The same in a table or under a figure, which set no code: without a name its label, or what else is given.

    Examples
    --------
    >>> group_cell("race", "Black"), group_cell("area", "North")
    ('Black people', 'North')
    """
    text = group_people(attribute, label)
    return otherwise or label if "`" in text else capital(text)


YES = frozenset(("yes", "true", "1", "1.0", "ja"))


def as_word(column: str, label: str) -> str:
    """A label that says yes to a column named by a participle, as that word, else column and label as code.

    Examples
    --------
    >>> as_word("hired", "True"), as_word("loan", "yes"), as_word("loan", "")
    ('“hired”', '`loan = yes`', '`loan`')
    """
    if name := _LABELS.get().group(column, label):
        return say("“{word}”", word=name)
    if label.casefold() in YES and column.isalpha() and column.casefold().endswith("ed"):
        return say("“{word}”", word=column)
    return in_code(f"{column} = {label}" if label else column)


def other_people(protocol: Protocol, attribute: str, label: str) -> str:
    """The people of a group beside those of another one of the same attribute, whose column was named."""
    plain = name_of(protocol, attribute, label) or label.strip().casefold() in ADJECTIVES
    if plain or protocol.labels.unit:
        return people(protocol, attribute, label)
    return say("those with {label}", label=quoted(label))


# names of groups that are nouns, in every language of reports
NOUNS = frozenset(
    [
        "men",
        "women",
        "boys",
        "girls",
        "males",
        "females",
        "people",
        "persons",
        "adults",
        "children",
        "others",
        "männer",
        "frauen",
        "jungen",
        "mädchen",
        "personen",
        "menschen",
        "erwachsene",
        "kinder",
        "andere",
    ]
)


ENGLISH_NOUNS = NOUNS - {
    "männer",
    "frauen",
    "jungen",
    "mädchen",
    "personen",
    "menschen",
    "erwachsene",
    "kinder",
    "andere",
}


def inside(name: str) -> str:
    """The name of a group inside a sentence: an English noun without a capital.

    Examples
    --------
    >>> inside("Women"), inside("White"), inside("Frauen")
    ('women', 'White', 'Frauen')
    """
    return name[:1].lower() + name[1:] if name.casefold() in ENGLISH_NOUNS else name


YOUNG = re.compile(r"child|pupil|minor|juvenile|boy|girl|kind|schüler|jugendlich", re.IGNORECASE)
ADJECTIVES = frozenset(
    ("african-american", "african american", "alaska native", "american indian", "asian", "black", "caucasian",
     "employed", "hispanic", "latino", "multiracial", "native", "native american", "native hawaiian", "pacific",
     "pacific islander", "unemployed", "white")
)  # fmt: skip


def name_of(protocol: Protocol, attribute: str, label: str) -> str:
    """The name of a group: as declared, else men and women of an attribute of sex, or an adjective beside a unit.

    Examples
    --------
    >>> from fairstats.auditing.protocol import Words
    >>> name_of(Protocol(("sex",)), "sex", "Female"), name_of(Protocol(("race",)), "race", "White")
    ('women', '')
    >>> name_of(Protocol(("race",), labels=Words(unit="applicants")), "race", "White")
    'White'
    """
    unit, plain = protocol.labels.unit, label.strip().casefold()
    if declared := protocol.labels.group(attribute, label):
        return declared
    if attribute.casefold() in ("sex", "gender") and plain in SEXES and label == label.strip():
        named = any(column == attribute for column, *_ in protocol.labels.groups)
        named |= isinstance(protocol, Resolved) and attribute in protocol.sexes_twice
        return "" if named or YOUNG.search(unit) else say(SEXES[plain])
    return label if unit and plain in ADJECTIVES else ""


def has_noun(name: str, unit: str) -> bool:
    """Whether the name of a group says already what the people are.

    Examples
    --------
    >>> has_noun("Black arrestees", "arrestees"), has_noun("Black", "arrestees"), has_noun("Black", "")
    (True, False, False)
    """
    if not (name and unit):
        return False
    return name.split()[-1].casefold() in NOUNS or re.search(rf"\b{re.escape(unit)}\b", name, re.IGNORECASE) is not None


PLURAL = re.compile(r"[^sui]s$", re.IGNORECASE)  # "Homeless" and "Religious" are none


def says_who(protocol: Protocol, attribute: str, name: str, unit: str = "") -> bool:
    """Whether a group's name needs no unit: it has a noun, or every declared name of its attribute is a plural.

    Examples
    --------
    >>> from fairstats.auditing.protocol import label_words
    >>> labels = label_words({"unit": "applicants", "groups": {"origin": {"l": "Locals", "m": "Migrants"}}})
    >>> says_who(Protocol(("origin",), labels=labels), "origin", "Migrants")
    True
    """
    names = [one for column, _, one in protocol.labels.groups if column == attribute]
    plural = name in names and all(PLURAL.search(one) or has_noun(one, say("people")) for one in names)
    return plural or has_noun(name, unit or protocol.labels.unit or say("people"))


def where(protocol: Protocol, attribute: str, label: str) -> str:
    """A group by the label of its column: ```colour` Black``, or ``color Black`` where the column has a name."""
    named = dict(protocol.labels.attributes)
    columns = " × ".join(named.get(c) or in_code(c) for c in protocol.columns_of(attribute))
    return f"{columns} {quoted(label)}"


def label_of(protocol: Protocol, attribute: str, label: str) -> str:
    """A group in a sentence whose attribute has been named: its name, or its label."""
    return people(protocol, attribute, label) if name_of(protocol, attribute, label) else quoted(label)


def placed(protocol: Protocol, attribute: str, label: str) -> str:
    """Where something is frequent: ``among Black arrestees``."""
    return say("among {people}", people=people(protocol, attribute, label))


def both_people(protocol: Protocol, attribute: str, label: str, other: str) -> tuple[str, str]:
    """Two groups in one sentence, whose noun is said once: ``Black`` and ``White arrestees``."""
    names = [name_of(protocol, attribute, one) for one in (label, other)]
    if all(names) and not any(says_who(protocol, attribute, name) for name in names):
        return names[0], people(protocol, attribute, other)
    return people(protocol, attribute, label), other_people(protocol, attribute, other)


ERROR_NOUNS = {  # by errors_as
    "FPR": (mark("false alarms"), mark("mistaken approvals"), mark("false positives")),
    "FNR": (mark("missed cases"), mark("mistaken refusals"), mark("false negatives")),
}


def error_noun(protocol: Resolved, metric: str) -> str:
    """What a sentence calls an error: as the protocol's words do, else by what the prediction does to people.

    Examples
    --------
    >>> from fairstats.auditing.protocol import Words
    >>> rules = Resolved(("sex",), favorable="1", positive_prediction="0")
    >>> error_noun(rules, "FPR"), error_noun(replace(rules, labels=Words(false_positives="late alarms")), "FPR")
    ('false alarms', 'late alarms')
    """
    if metric == "PPV":
        if protocol.labels.positive:
            values = {"decided": short_deed(protocol), "had": deed(protocol, "Y=1")}
            return say("the share of those {decided} who {had}", **values)
        return say("the share right when {deed}", deed=short_deed(protocol))
    named = protocol.labels.false_positives if metric == "FPR" else protocol.labels.false_negatives
    return named or say(ERROR_NOUNS[metric][errors_as(protocol)])


def error_word(protocol: Resolved, metric: str) -> str:
    """What an error is called over its column."""
    return say("right when {deed}", deed=short_deed(protocol)) if metric == "PPV" else error_noun(protocol, metric)


def short_name(protocol: Protocol, attribute: str, label: str) -> str:
    """A group over a column: its name in the protocol's words, men and women, else its label."""
    return capital(name_of(protocol, attribute, label)) or quoted(label)


# What an audit decided and a page has no room for: every settled comparison is named somewhere.


SETTLED = (*SHOWN, "equivalence shown")


def further(audit: Audited, attribute: str, printed: Collection[str]) -> list[Estimate]:
    """The audited comparisons of an attribute that are settled, in metrics that are not printed elsewhere.

    attribute: an attribute, or intersection.

    >>> from fairstats.auditing.audit import audit
    >>> result = audit({"g": ["a", "b"] * 40, "d": [1, 0] * 40}, "d", "g")
    >>> [(row.metric, row.group) for row in further(result, "g", {"impact ratio"})]
    [('selection rate', 'b')]
    """
    result: list[Estimate] = []
    reported = set(printed)
    rows = [row for row in audit.estimates.only(attribute=attribute, role="main") if row.verdict in SETTLED]
    for metric in dict.fromkeys(row.metric for row in rows):
        if metric in reported or metrics.METRICS[metric].complement in reported:  # 100% less it is the same fact
            continue
        reported.add(metric)
        result += [row for row in rows if row.metric == metric]
    return result


def further_text(audit: Audited, attribute: str, printed: Collection[str]) -> str:
    """One sentence that names them, by verdict and metric; nothing where there are none.

    Examples
    --------
    >>> from fairstats.auditing.audit import audit
    >>> result = audit({"g": ["a", "b"] * 40, "d": [1, 0] * 40}, "d", "g")
    >>> further_text(result, "g", {"impact ratio"})
    'Also settled by g, with numbers in tidy(): disparity shown in selection rate (b).'
    """
    rows = further(audit, attribute, printed)
    parts = []
    for verdict in SETTLED:
        named = []
        for metric in dict.fromkeys(row.metric for row in rows if row.verdict == verdict):
            mine = [r for r in rows if (r.verdict, r.metric) == (verdict, metric) and r.group]
            groups = [f"{r.group} at {r.term}" if metric == "amount quantile" else r.group for r in mine]
            named.append(metrics.in_text(metric) + (f" ({listed(groups)})" if groups else ""))
        if named:
            parts.append(f"{strong(verdict)} in {listed(named)}")
    return f"Also settled by {attribute}, {snippet('with numbers in tidy()')}: {'; '.join(parts)}." if parts else ""


# Which comparisons are adjusted together, how many such families were tested, and what that leaves open.


def family_text(audit: Audited) -> str:
    """Return the sentence that says which tests are adjusted together, and how.

    >>> from fairstats.auditing.audit import audit
    >>> family_text(audit({"sex": ["f", "m", "m"], "hired": [1, 0, 1]}, decision="hired", groups="sex"))
    'the comparisons of one rate over all attributes (sex: 1), adjusted by Bonferroni'
    """
    p = audit.protocol
    crossed = [a for a in audit.references if p.family == RATE and p.is_crossed(a)]
    apart, sizes = _sizes(audit, crossed), _sizes(audit, [a for a in audit.references if a not in crossed])
    arguments = audit.protocol.p_adjust, audit.protocol.reference
    words = say(FAMILIES[audit.protocol.family].words)
    if adjustment(*arguments) is ALL_PAIRS:
        words = say(_PAIRS[audit.protocol.family])
    if audit.protocol.family == RATE and compared_amounts(audit):
        words = say("the comparisons of one measure with the reference, over all attributes")
    if audit.protocol.classes and audit.protocol.family == RATE:
        words = say(_CLASSES[p.ranked, bool(p.outcome and p.decision)])
    if apart and sizes and p.p_adjust != NONE:
        words = say(
            "{words} ({sizes}), and those of combinations apart ({apart})", words=words, sizes=sizes, apart=apart
        )
    else:
        words = f"{words} ({', '.join(filter(None, [sizes, apart]))})"
    return "; ".join(filter(None, (f"{words}, {adjusted_by(*arguments)}", count_text(audit))))


# by whether the classes have an order, and errors
_CLASSES = {
    (False, False): mark("the comparisons of all classes over all attributes"),
    (False, True): mark("the comparisons of all classes, or of one error by class, over all attributes"),
    (True, False): mark("the comparisons of all classes and their order over all attributes"),
    (True, True): mark("the comparisons of all classes and their order, or of one error by class, over all attributes"),
}


def _sizes(audit: Audited, attributes: Sequence[str]) -> str:
    """How many comparisons of these attributes are adjusted together."""
    p, classes = audit.protocol, len(audit.protocol.classes)
    # of every group: its classes, and their order
    sizes = ", ".join(_size(audit, a, classes + p.ranked or 1) for a in attributes)
    if not (attributes and p.ranked and p.outcome and p.decision and p.family == RATE):
        return sizes
    fewer = ", ".join(_size(audit, a, classes) for a in attributes)
    return say("{sizes}; of one error, which has no order, {fewer}", sizes=sizes, fewer=fewer)


def _size(audit: Audited, attribute: str, each: int) -> str:
    """How many comparisons of an attribute are adjusted together, and how many of them are shown.

    each: how many there are of every group.
    """
    others = sum(c.attribute == attribute for c in audit.cells) - 1
    groups = {c.group for c in audit.cells if c.attribute == attribute and c.n == c.n}
    shown = len(groups - {audit.references[attribute]}) if audit.references[attribute] in groups else 0
    rule = references_by_attribute(audit.protocol.reference, audit.references)[attribute]
    others, shown = each * others, each * shown
    values = {
        "name": audit.protocol.called(attribute),
        "n": pairs_of(others) if rule == HIGHEST_RATE else others,
        "k": shown,
    }
    if values["n"] == shown:
        return say("{name}: {n}", **values)
    if not shown:
        return say("{name}: {n}, those of withheld groups too, of which none is shown", **values)
    if shown == others:
        return say_number("{name}: {n}, of which {k} is shown", "{name}: {n}, of which {k} are shown", shown, **values)
    return say_number(
        "{name}: {n}, those of withheld groups too, of which {k} is shown",
        "{name}: {n}, those of withheld groups too, of which {k} are shown",
        shown,
        **values,
    )


_PAIRS = {
    RATE: mark("the comparisons of all pairs of groups of one rate over all attributes"),
    AUDIT: mark("all comparisons of all pairs of groups of the audit"),
}


def compared_amounts(audit: Audited) -> list[str]:
    """The metrics that are compared, where all are of amounts; else none."""
    names = list(dict.fromkeys(metric for _, metric, _ in decided_families(audit.estimates)))
    return names if all("amount" in METRICS[name].needs for name in names) else []


def families_of(audit: Audited) -> int:
    """How many families of tests there are: one rate over all attributes each, intersections apart."""
    checked = decided_families(audit.estimates)
    if audit.protocol.p_adjust == NONE:
        return len(checked)
    crossed = audit.protocol.is_crossed
    return len({(SHARE if m == IN_ORDER else m, given, crossed(attribute)) for attribute, m, given in checked})


def count_text(audit: Audited) -> str:
    """Return how many families were tested and what their number does to the level; "" for one.

    >>> from fairstats.auditing.audit import audit
    >>> data = {"sex": ["f", "m"] * 20, "age": ["old", "old", "young", "young"] * 10, "hired": [1, 0, 0, 0] * 10}
    >>> count_text(audit(data, "hired", ["sex", "age"], family="audit")).partition(":")[0]
    '2 sets of comparisons (a set a rate, intersections apart) are adjusted together'
    """
    protocol, count = audit.protocol, families_of(audit)
    if count < 2:
        return ""
    values: dict[str, object] = {"n": count, "level": level(1 - protocol.conf_level)}
    if protocol.p_adjust == NONE and protocol.family != AUDIT:
        return say(
            "we made {n} sets of comparisons (a set a rate and attribute) without an adjustment: if nothing differed, "
            "the chance that one of them showed a difference would be more than {level}",
            **values,
        )
    names = compared_amounts(audit)
    values["names"] = listed([metrics.in_text(name) for name in names], len(names))
    of_amounts = any("amount" in METRICS[metric].needs for _, metric, _ in decided_families(audit.estimates))
    kind = AUDIT if protocol.family == AUDIT else "amounts" if names else "mixed" if of_amounts else "rates"
    crossed = any(protocol.is_crossed(attribute) for attribute, *_ in decided_families(audit.estimates))
    return say(SETS[kind][crossed], **values)


# sets of comparisons without combinations, and with them
SETS = {
    AUDIT: (
        mark(
            "{n} sets of comparisons (a set a rate) are adjusted together: if nothing differed, the chance that any of "
            "them showed a difference would be {level}"
        ),
        mark(
            "{n} sets of comparisons (a set a rate, intersections apart) are adjusted together: if nothing differed, "
            "the chance that any of them showed a difference would be {level}"
        ),
    ),
    "amounts": (
        mark(
            "{n} sets of comparisons were made, one for each measure ({names}): each has a chance of at most {level} "
            "of a false finding, all together a higher one"
        ),
        mark(
            "{n} sets of comparisons were made, one for each measure ({names}), those of combinations apart: each has "
            "a chance of at most {level} of a false finding, all together a higher one"
        ),
    ),
    "mixed": (
        mark(
            "{n} sets of comparisons were made, one for each rate and each measure of the amount: each has a chance of "
            "at most {level} of a false finding, all together a higher one"
        ),
        mark(
            "{n} sets of comparisons were made, one for each rate and each measure of the amount, those of "
            "combinations apart: each has a chance of at most {level} of a false finding, all together a higher one"
        ),
    ),
    "rates": (
        mark(
            "{n} sets of comparisons were made, one for each rate: each has a chance of at most {level} of a false "
            "finding, all together a higher one"
        ),
        mark(
            "{n} sets of comparisons were made, one for each rate, those of combinations apart: each has a chance of "
            "at most {level} of a false finding, all together a higher one"
        ),
    ),
}


# An answer as one sentence that a newspaper could print, and the sentences that qualify it.


MOST_NAMED = 3  # further groups that a sentence names

# by what is shown and whether the groups are several: with a verb phrase, and with column and label
SPOKEN = {
    "less": mark("{first} {event} less often than {other}: {numbers}."),
    "more": mark("{first} {event} more often than {other}: {numbers}."),
    "times": mark("{first} {event} {times} as often as {other}: {numbers}."),
    "equal": mark("{first} and {other} {event} about equally often, within the margin of ±{margin} points: {numbers}."),
    "equal less": mark("{first} {event} less often than {other}, within the margin of ±{margin} points: {numbers}."),
    "equal more": mark("{first} {event} more often than {other}, within the margin of ±{margin} points: {numbers}."),
    "all equal": mark(
        "The {n} groups compared with {other} {event} about as often, within the margin of ±{margin} points; "
        "{largest} is that of {first}: {numbers}."
    ),
    "unknown": mark("No difference is shown in how often {first} and {other} {event}: {numbers}."),
    "all unknown": mark(
        "None of the {n} groups of {name} compared with {other} is shown to differ in how often they {event}; "
        "{largest} is that of {first}: {numbers}."
    ),
}
OF_QUANTITIES = {
    "less": mark("{metric} is lower {first_place} than {other_place}: {numbers}."),
    "more": mark("{metric} is higher {first_place} than {other_place}: {numbers}."),
    "equal": mark("{metric} is about equal {first_place} and {other_place}, within the margin: {numbers}."),
    "all equal": mark(
        "{metric} is about equal in the {n} groups compared with {other}, within the margin; {largest} "
        "is that of {first}: {numbers}."
    ),
    "unknown": mark("No difference in {metric} is shown between {first} and {other}: {numbers}."),
    "all unknown": mark(
        "No difference in {metric} is shown between {other} and any of the {n} groups of {name} compared with it; "
        "{largest} is that of {first}: {numbers}."
    ),
}
WITHIN_SPOKEN = {
    "less": mark("Within the same {strata}, {first} {event} less often than {other} ({adjusted}); {crude}."),
    "more": mark("Within the same {strata}, {first} {event} more often than {other} ({adjusted}); {crude}."),
    "alike": mark("Within the same {strata}, {first} {event} about as often as {other} ({adjusted}); {crude}."),
    "unknown": mark("Within the same {strata}, no difference is shown in how often {first} and {other} {event} "
                    "({adjusted}); {crude}."),
    "cannot": mark("How often {first} and {other} {event} cannot be answered within {strata}: {why}; {crude}."),
}  # fmt: skip

FAR = 0.2  # of a difference whose whole interval lies beyond it the ratio is given, too
_TIMES = {
    "almost": (mark("almost twice"), mark("almost {n} times")),
    "about": (mark("about twice"), mark("about {n} times")),
}
_SMALL_NUMBERS = (
    mark("two"),
    mark("three"),
    mark("four"),
    mark("five"),
    mark("six"),
    mark("seven"),
    mark("eight"),
    mark("nine"),
)


def times_as(high: float, low: float) -> str:
    """How many times as often, where that is about twice or more; "" where it is not.

    >>> times_as(0.45, 0.235), times_as(0.26, 0.0875), times_as(0.6, 0.18), times_as(0.6, 0.4), times_as(0.9, 0.06)
    ('almost twice', 'about three times', 'about 3.3 times', '', 'about 15 times')
    """
    if not low > 0 or high / low < 1.85:
        return ""
    ratio = high / low
    n = math.floor(ratio + 0.15 + 1e-9)
    twice, many = _TIMES["almost" if ratio < n - 0.05 and n < 10 else "about"]
    if n >= 10:
        return say(many, n=count(round(ratio)))
    if ratio > n + 0.05:
        return say(many, n=number(ratio, 1))
    return say(twice) if n == 2 else say(many, n=_in_words(n))


def _in_words(n: int) -> str:
    """A whole number from two on, below ten as a word."""
    return say(_SMALL_NUMBERS[n - 2]) if n < 10 else count(n)


def _emphasis(result: Answer, kind: str) -> tuple[str, str]:
    """Of a difference that is shown how many times as often, where that is about twice or more, or the gap is large."""
    if kind not in ("less", "more") or result.row is None or not result.has_difference or result.bounds is not None:
        return kind, ""
    low, high = decisive_interval(result.row)
    if result.rate is not None and result.other is not None and not result.few:
        most, least = sorted((result.rate.estimate, result.other.estimate), reverse=True)
        times = times_as(most, least)
        if not times and least > 0 and (low >= FAR or high <= -FAR):
            times = say(_TIMES["about"][1], n=number(most / least, 1))
        if times:
            return "times", times
    return kind, ""


def turned_around(result: Answer) -> Answer:
    """The same answer of the reference against the group."""
    assert result.gap is not None
    return replace(
        result,
        group=result.reference,
        reference=result.group,
        rate=result.other,
        other=result.rate,
        gap=turned(result.gap),
    )


def sentence(audit: Audited, result: Answer, brief: bool = False) -> str:
    """The answer in one sentence: who, compared with whom, both shares, the gap with its interval, what is missing.

    brief: without the gap of a difference that is shown, which then stands elsewhere (`gap_beside`).

    Examples
    --------
    >>> from fairstats.auditing.audit import audit
    >>> from fairstats.auditing.answer import answer
    >>> data = {"sex": ["f"] * 100 + ["m"] * 100, "hired": [1] * 20 + [0] * 80 + [1] * 60 + [0] * 40}
    >>> result = audit(data, decision="hired", groups="sex", reference="m")
    >>> print(sentence(result, answer(result, "sex")))
    Men had `hired = 1` about three times as often as women: 60.0% against 20.0%, a gap of 40.0 percentage points (95%
    confidence interval ...).
    """
    if result.term:
        return _of_classes(audit, result, brief)
    if result.row is None and not result.has_difference:
        return nothing(audit, result)
    values = _called(audit, result)
    if result.metric in LEVELS or (result.metric in STATISTICS and result.within is not None):
        return _of_amounts(audit, result)
    if result.within is not None:
        return single_spaced(_with_strata(audit, result, values))
    kind, times = _kind(result), ""
    if result.metric == "P(X>Y)" and result.gap is not None:
        return _of_scores(audit, result)
    if not result.has_difference:
        return nothing(audit, result)
    assert result.gap is not None
    if several(audit, result):
        return _of_several(audit, result, brief)
    if result.metric not in quantities() and bound_of(audit, result.gap) is None:
        kind, times = _emphasis(result, kind)
    if kind == "equal" and result.metric not in quantities() and remains(result.gap):  # small, but not nothing
        kind = f"equal {'more' if result.gap.estimate > 0 else 'less'}"
    if times and result.gap.estimate < 0:  # the higher rate comes first
        result = turned_around(result)
        values = _called(audit, result)
    apart = brief and has_gap_beside(audit, result)
    over_all = "" if result.metric in quantities() else open_over_all(audit, result)
    compared = replace(result, bounds=None) if over_all else result  # another sentence has the bounds
    values["numbers"] = _shares(audit, compared) if apart else numbers(audit, compared)
    if result.metric in quantities():
        if audit.protocol.labels.amount:
            spoken = values | parts(audit.protocol.labels.amount)
            return capital(single_spaced(say(AMOUNT_SPOKEN_MOVED[kind], **spoken)))
        name = say(METRICS[result.metric].heading)
        if result.metric in STATISTICS:
            name = say(STATISTICS[result.metric], amount=audit.protocol.argument("amount"))
        return capital(single_spaced(say(OF_QUANTITIES[kind], **values, metric=name)))
    if times or kind.split()[0] in ("less", "more", "equal"):
        values["first"] = capital(values["first"])
    plain = single_spaced(say(SPOKEN[kind], times=times, **values))
    if over_all:
        name = audit.protocol.called(result.attribute)
        return " ".join([say("Among those with known {what}: {sentence}", what=name, sentence=plain), over_all])
    return plain


def open_over_all(audit: Audited, result: Answer) -> str:
    """That no gap is shown over all people, where one is among those alone whose group is known; "" elsewhere."""
    n = unknown(audit, result.attribute)
    if result.bounds is None or missing_of(result.bounds) != ("groups",) or not n > 0:
        return ""
    if result.gap is None or result.gap.verdict not in SHOWN:
        return ""
    p = audit.protocol
    rows: Sequence[Estimate] = result.family
    if p.classes:
        about = {"metric": SHARE, "attribute": result.attribute, "role": "main", "contrast": "difference"}
        rows = [row for row in audit.estimates.only(**about) if not holds_missing(row.group)]
    if isinstance(p, OfClass) or any(row.verdict in SHOWN and undone(audit, row) is None for row in rows):
        return ""  # of one of several classes it is said of all of them
    if not p.classes:
        return f"{_missing(audit, result, OVER_ALL)['missing']}."
    return say(
        "Over all {people} no gap to {other} is shown in any class: {name} is not known for {n} of them.",
        people=p.labels.people(say("people")),
        other=other_people(p, result.attribute, result.reference),
        name=p.called(result.attribute),
        n=count(n),
    )


def several(audit: Audited, result: Answer) -> bool:
    """Whether the sentence of an answer names every group that is shown to differ: where nobody declared a reference.

    The largest group is then the reference, and no one of the pairs is the question.
    """
    p, a = audit.protocol, result.attribute
    named = p.headline[:1] == (a,) or references_by_attribute(p.reference, audit.references)[a] != LARGEST_GROUP
    if named or not result.differs or result.first or result.bounds is not None or len(result.all_shown) < 2:
        return False
    known = METRICS[result.metric].scale == PERCENT and result.metric not in without_event()
    return known and all(bound_of(audit, row) is None for row in result.all_shown)


MOST_IN_SENTENCE = 6


def by_size(audit: Audited, attribute: str) -> list[str]:
    """The groups of an attribute, largest first, those of people of unknown group last; ordered columns by level."""
    cells = [c for c in audit.cells if c.attribute == attribute]
    if any(name == attribute for name, *_ in audit.protocol.order):
        return [c.group for c in cells]
    return [c.group for c in sorted(cells, key=lambda c: (holds_missing(c.group), -c.n if c.n == c.n else 1))]


def _in_table_order(audit: Audited, attribute: str, rows: Sequence[Estimate]) -> list[Estimate]:
    """The first rows that a sentence has room for in the order of the table, then the others."""
    order = by_size(audit, attribute)
    return [*sorted(rows[:MOST_IN_SENTENCE], key=lambda row: order.index(row.group)), *rows[MOST_IN_SENTENCE:]]


OF_SEVERAL = {
    "less": mark("{group}, {size}, {event} more often ({share}%) than {l} of the {n} other groups: {below}."),
    "more": mark("{group}, {size}, {event} less often ({share}%) than {k} of the {n} other groups: {above}."),
    "all less": mark("{group}, {size}, {event} more often ({share}%) than every other group: {below}."),
    "all more": mark("{group}, {size}, {event} less often ({share}%) than every other group: {above}."),
    "both": mark(
        "Compared with {reference}, {people} {event} less often in {l} of the {n} other groups, {below}, and more "
        "often in {k}, {above}."
    ),
}


def _of_several(audit: Audited, result: Answer, brief: bool) -> str:
    """Every group that is shown to differ from the largest one, in one sentence; without ``brief`` with their gaps."""
    assert result.other is not None
    p, a = audit.protocol, result.attribute
    rows = not_small(result.all_shown) if brief else result.all_shown
    rows = _in_table_order(audit, a, rows)
    below, above = ([row for row in rows if (row.estimate < 0) == side] for side in (True, False))
    kind = "both" if below and above else "less" if below else "more"
    values = {
        **_largest(audit, result),
        "people": p.labels.unit or say("people"),
        "below": listed([_name_and_share(audit, result, row) for row in below], MOST_IN_SENTENCE),
        "above": listed([_name_and_share(audit, result, row) for row in above], MOST_IN_SENTENCE),
        **parts(answer_deed(p, result)),
    }
    n = sum(cell.attribute == a and not holds_missing(cell.group) for cell in audit.cells) - 1
    kind = f"all {kind}" if max(len(below), len(above)) == n else kind
    text = single_spaced(say(OF_SEVERAL[kind], n=n, l=len(below), k=len(above), **values))
    if kind == "both" or values["group"] != quoted(result.reference):  # a label keeps its letters
        text = capital(text)
    if brief:
        return text
    left = [row for row in result.compared if row.verdict == "inconclusive"]
    if len(left) > MOST_NAMED:
        text = f"{text} {say('Whether {n} others differ is not settled.', n=len(left))}"
    elif left:
        names = listed([group_and_rate(audit, result, row) for row in left])
        text = f"{text} {say('Not settled: {names}.', names=names)}"
    return f"{text} {_gaps_of_several(audit, rows)}"


def _largest(audit: Audited, result: Answer) -> dict[str, str]:
    """The largest group of an attribute by its parts: who, that it is the largest, its rate, and all of them in one."""
    assert result.other is not None
    p, a = audit.protocol, result.attribute
    named = name_of(p, a, result.reference) or result.reference.strip().casefold() in ADJECTIVES
    group = people(p, a, result.reference) if named else quoted(result.reference)
    values = {"group": group, "name": p.called(a)}
    values["share"] = percent(result.other.estimate, 0 if result.other.n < FEW else 1)
    values |= parts(answer_deed(p, result))
    sizes = sorted(cell.n for cell in audit.cells if cell.attribute == a and cell.n == cell.n)
    tied = sizes[-2:-1] == sizes[-1:]
    values["size"] = say(mark("one of the largest groups of {name}") if tied else mark("the largest group by {name}"),
                         name=p.called(a))  # fmt: skip
    return values | {"reference": say("{group} ({share}% {event}; {size})", **values)}


def _name_and_share(audit: Audited, result: Answer, row: Estimate) -> str:
    """A group with its rate: ``Caucasian (34.8%)``."""
    rates = audit.estimates.only(
        metric=result.metric, attribute=row.attribute, group=row.group, role="main", contrast="none", given=""
    )
    rate = complement(rates[0]) if result.flags else rates[0]
    share = percent(rate.estimate, 0 if rate.n < FEW else 1)
    return say("{name} ({share}%)", name=short_name(audit.protocol, row.attribute, row.group), share=share)


def _gaps_of_several(audit: Audited, rows: Sequence[Estimate]) -> str:
    """The gaps of several groups, each with its interval in its direction."""
    items = []
    for row in rows[:MOST_IN_SENTENCE]:
        values = {"group": label_of(audit.protocol, row.attribute, row.group), "points": percent(abs(row.estimate))}
        values["ends"] = p_equals(row.p_adjusted) if row.conf_low != row.conf_low else _ends(row)
        side = mark("{group} {points} less ({ends})") if row.estimate < 0 else mark("{group} {points} more ({ends})")
        items.append(say(side, **values))
    if rows[0].conf_low != rows[0].conf_low:
        return say("Gaps in percentage points, with adjusted p: {gaps}.", gaps=listed(items))
    return say("Gaps in percentage points ({level}): {gaps}.", level=_level_text(audit, rows[0]), gaps=listed(items))


def answer_deed(protocol: Protocol, result: Answer) -> str:
    """What an answer counts, as a verb phrase."""
    return deed(protocol, "D=1") if result.flags else rate_deed(protocol, result.metric)


def has_gap_beside(audit: Audited, result: Answer) -> bool:
    """Whether the gap of an answer has a sentence of its own below the headline: where its rates say the claim."""
    plain = result.within is None and result.metric not in without_event()
    if not (plain and result.gap is not None and result.has_difference):
        return False
    return bound_of(audit, result.gap) is None


def _shares(audit: Audited, result: Answer) -> str:
    assert result.rate is not None and result.other is not None
    values = {"first": share(result, result.rate), "other": share(result, result.other)}
    if result.bounds is None:
        return say("{first} against {other}", **values)
    values["what"] = _missing(audit, result)["what"]
    if result.code == "inconclusive":
        return say("{first} against {other}, among those with known {what}", **values)
    return say(
        "{first} against {other}, among those with known {what}; those who are missing could overturn it", **values
    )


def gap_beside(audit: Audited, result: Answer, name: str = "", in_table: bool = False) -> str:
    """The gap of a brief headline with its interval, or how far the gaps of several groups reach; "" where it has them.

    name: of the attribute, where there are several; in_table: whether a table beside says for how many comparisons.
    """
    if result.gap is None or not has_gap_beside(audit, result) or (several(audit, result) and not in_table):
        return ""
    if several(audit, result):
        rows = not_small(result.all_shown)
        low, high = (percent(end(abs(row.estimate) for row in rows)) for end in (min, max))
        alike = mark("{n} gaps, each of {low} percentage points and beyond chance (intervals in the table)")
        apart = mark("{n} gaps of {low} to {high} percentage points, each beyond chance (intervals in the table)")
        one = mark("a gap of {low} percentage points, beyond chance (interval in the table)")
        text = say(one if len(rows) == 1 else alike if low == high else apart, n=len(rows), low=low, high=high)
    else:
        rates = () if result.few or result.rate is None or result.other is None else (result.rate, result.other)
        text = gap(audit, result.gap, result.few, in_table, rates)
        if open_over_all(audit, result):
            among = mark("{name}, among those known") if name else mark("among those known")
            name = say(among, name=name)
        elif result.bounds is not None:
            text = say("{gap}; {missing}", gap=text, missing=_missing(audit, result)["missing"])
    return say("{name}: {gap}.", name=capital(name), gap=text) if name else f"{capital(text)}."


def _large(rows: Iterable[Estimate]) -> list[Estimate]:
    """The comparisons of groups that are not small, which alone the lead of a page names; the table has the others."""
    return [row for row in rows if people_in(row) >= FEWEST_CROSSED]


def not_small(rows: Sequence[Estimate]) -> list[Estimate]:
    """The comparisons of groups that are not small; all where every group is."""
    return _large(rows) or list(rows)


def shown_beside(audit: Audited, result: Answer) -> list[Estimate]:
    """The differences from the reference that are shown, of other groups than the one that is named."""
    further = [row for row in result.all_shown if row.group != result.group]
    outside = _outside_pair(audit, result)
    return [*further, *(map(complement, outside) if result.flags else outside)]


def also(audit: Audited, result: Answer) -> str:
    """Which further groups differ from the reference beyond chance; their rates stand in the table beside."""
    if several(audit, result) or not has_gap_beside(audit, result):
        return ""
    rows, other = shown_beside(audit, result), other_people(audit.protocol, result.attribute, result.reference)
    less, more = (
        [group_and_rate(audit, result, row) for row in rows if (row.estimate < 0) == side] for side in (True, False)
    )
    if not rows:
        return ""
    values = {"more": listed(more, MOST_NAMED), "less": listed(less, MOST_NAMED), "other": other}
    values["deed"] = without_auxiliary(answer_deed(audit.protocol, result))
    text = mark("{less}: {deed} less often than {other}.") if less else mark("{more}: {deed} more often than {other}.")
    if less and more:
        text = mark("{more}: {deed} more often than {other}; {less}: less often.")
    sentence = single_spaced(say(text, **values))
    return say("Among those known: {sentence}", sentence=sentence) if open_over_all(audit, result) else sentence


def open_beside(audit: Audited, result: Answer) -> str:
    """The numbers of an answer that is open, where the headline says so of several at once; with a table beside."""
    p, a = audit.protocol, result.attribute
    one, other = both_people(p, a, result.group, result.reference)
    assert result.gap is not None and result.rate is not None and result.other is not None
    values = {"name": capital(p.called(a)), "one": one, "other": other, "n": len(result.family)}
    values |= {"first": share(result, result.rate), "second": share(result, result.other)}
    values["gap"] = gap(audit, result.gap, result.few, in_table=True)
    if result.among_large:
        text = mark("{name}: {largest} is that of {first} of {one} and {second} of {other}, {gap}.")
        return say(text, largest=_largest_gap_of(result), **values)
    if len(result.family) > 1:
        return say(
            "{name}: the largest of {n} gaps is that of {first} of {one} and {second} of {other}, {gap}.", **values
        )
    return say("{name}: {first} of {one} and {second} of {other}, {gap}.", **values)


def _of_scores(audit: Audited, result: Answer) -> str:
    """Who scores higher, with the verdict of P(X>Y)."""
    assert result.gap is not None
    p, row = audit.protocol, result.gap
    margin = p.margin.auc
    if row.verdict == "equivalence shown" and margin is not None:
        settled = say("within the margin of 0.5 ± {margin}", margin=setting(margin))
    else:
        settled = say(SETTLED_OF_SENTENCE[row.verdict or "inconclusive"])
    one, other = where(p, result.attribute, result.group), quoted(result.reference)
    return say(
        "In {pairs} random pairs of one person with {first} and one with {other} the first has the higher {score}, "
        "ties counted half (P(X>Y) {estimate}, {ends}: {verdict}).",
        pairs=_of_hundred(row),
        first=one,
        other=other,
        score=p.labels.score or p.score,
        estimate=number(row.estimate, 3),
        ends=_effect_ends(audit, row),
        verdict=settled,
    )


# Several classes: that which differs farthest, and what else differs.


FARTHEST = mark("By {name}, {event} differs most clearly between {first} and {other}: {numbers}.")
NO_CLASS = mark(
    "No difference by {name} is shown in any of the {n} classes of {column}; {largest} is that of {event} between "
    "{first} and {other}: {numbers}."
)
# the same above a table with the interval's level
FARTHEST_BRIEF = mark("By {name}, {event} differs most clearly: {one} of {first}, {two} of {other}; {gap}.")
NO_CLASS_BRIEF = mark(
    "By {name}, no difference is shown in any class; {largest} is in {event}: {one} of {first}, {two} of {other}; "
    "{gap}."
)


def _of_classes(audit: Audited, result: Answer, brief: bool = False) -> str:
    of, alone = seen(audit, result), replace(result, term="")
    is_open = result.code == "inconclusive" and not alone.first
    crude = result.differs and alone.within is None and alone.bounds is None
    if not (alone.has_difference and (is_open or crude)):
        over_all = "" if alone.first else open_over_all(audit, alone)
        return " ".join(filter(None, (over_all, sentence(of, alone))))
    p, a = audit.protocol, result.attribute
    column = p.decision or p.outcome
    values = {
        "name": p.called(a),
        "event": in_code(f"{column} = {result.term}"),
        "first": label_of(p, a, result.group),
        "other": label_of(p, a, result.reference),
        "largest": _largest_gap_of(result),
    }
    row, one, two = alone.gap, alone.rate, alone.other
    whole = alone.bounds is None and p.missing != "drop"  # else what is not known belongs to the numbers
    if brief and whole and row and one and two and bound_of(of, row) is None:
        values |= {"one": share(alone, one), "two": share(alone, two), "gap": _points(of, row, alone.few)}
        return say(NO_CLASS_BRIEF if is_open else FARTHEST_BRIEF, **values)
    text = NO_CLASS if is_open else FARTHEST
    return say(text, n=len(p.classes), column=column, numbers=numbers(of, alone), **values)


def without_ratio(audit: Audited) -> str:
    """Under the law of employment why several classes, or weights, have no impact ratio; "" elsewhere."""
    p = audit.protocol
    if p.four_fifths and designed(p):
        return say(
            "Impact ratio and four fifths are of people counted one by one, not under survey weights or clusters."
        )
    if not (p.classes and p.four_fifths):
        return ""
    setting = Setting("favorable", p.classes[-1]) if p.ranked else Setting("favorable")
    return say(
        "The impact ratio and four fifths are of one class, that which helps, against the rest: name it by {setting}.",
        setting=str(setting),
    )


def _points(audit: Audited, row: Estimate, few: bool) -> str:
    """A gap in points, less or more than the reference, with its interval."""
    values = {"points": percent(abs(row.estimate), 0 if few else 1), "interval": interval(audit, row, few, True)}
    if row.estimate < 0:
        return say("{points} points less ({interval})", **values)
    return say("{points} points more ({interval})", **values)


def classes_beside(audit: Audited, result: Answer) -> list[str]:
    """Of an attribute whether the order of classes differs, how many comparisons of classes do, which, and which way.

    People without a group are counted apart from those of named groups.
    """
    p, a = audit.protocol, result.attribute
    about = {"metric": WITHIN if result.first else SHARE, "attribute": a, "role": "main", "contrast": "difference"}
    every = [row for row in audit.estimates.only(**about) if row.verdict]
    rows, without = ([r for r in every if holds_missing(r.group) == is_missing] for is_missing in (False, True))
    apart, alike = ([row for row in rows if row.verdict in verdicts] for verdicts in (SHOWN, ("equivalence shown",)))

    def by_class(these: Sequence[Estimate], text: str = WITH_GROUPS) -> list[str]:
        groups = {label: [label_of(p, a, row.group) for row in these if row.term == label] for label in p.classes}
        return [say(text, label=label, groups=listed(names, MOST_NAMED)) for label, names in groups.items() if names]

    def either_way(these: Sequence[Estimate], more: str = MORE_OFTEN, less: str = LESS_OFTEN) -> list[str]:
        shown = [row for row in these if row.verdict in SHOWN]
        sides = (more, [r for r in shown if r.estimate > 0]), (less, [r for r in shown if r.estimate < 0])
        return [text for words, some in sides for text in by_class(some, words)]

    other = label_of(p, a, audit.references[a])
    values = {"n": len(rows), "k": len(apart), "other": other, "each": "; ".join(either_way(apart))}
    ranked = [row for row in audit.estimates.only(metric=IN_ORDER, attribute=a) if row.verdict in SHOWN]
    effects = [row for row in ranked if not holds_missing(row.group)]
    lines = []
    for text, side in ((WORSE, -1), (BETTER, 1)):
        names = [_in_order(audit, row) for row in effects if side * (row.estimate - null_of(row)) > 0]
        if names:
            lines.append(say(text, groups=listed(names, MOST_NAMED), other=other, order=" < ".join(p.classes)))
    if len(apart) > 1:
        text = mark("Of {n} comparisons of classes with {other}, {k} are shown to differ: {each}.")
        lines.append(say(text, **values))
    elif apart and len(rows) > 1:
        lines.append(say("No other of {n} comparisons of classes with {other} is shown to differ.", **values))
    standing = [row for row in apart if undone(audit, row) is None]
    if 0 < len(standing) < len(apart):
        text = mark("Of these, those who are missing could not overturn: {each}.")
        lines.append(say(text, each="; ".join(either_way(standing))))
    each = either_way(without, mark("{label} more often"), mark("{label} less often"))
    each += [
        say(mark("worse in the order") if row.estimate < null_of(row) else mark("better in the order"))
        for row in ranked
        if holds_missing(row.group)
    ]
    if each:
        text = mark("People with no recorded {name} are shown to differ from {other}, too: {each}.")
        lines.append(say(text, name=p.called(a), other=other, each="; ".join(each)))
    same = [row for row in apart if row.term == result.term]
    least = min((abs(row.estimate) for row in same if row.group == result.group), default=math.inf)
    larger = [row for row in same if abs(row.estimate) > least]
    if larger:  # with wider intervals, or of no group of its own
        named = [
            say("{group} ({gap} points)", group=label_of(p, a, row.group), gap=percent(abs(row.estimate)))
            for row in larger
        ]
        text = mark("Larger gaps in {label}, shown as well: {groups}.")
        lines.append(say(text, label=result.term, groups=listed(named, MOST_NAMED)))
    if alike and len(rows) > 1:
        lines.append(say("Within the margin of {other}: {names}.", names="; ".join(by_class(alike)), other=other))
    return lines


WITH_GROUPS = mark("{label} ({groups})")
MORE_OFTEN = mark("{label} more often ({groups})")
LESS_OFTEN = mark("{label} less often ({groups})")
WORSE = mark(
    "In the order {order} (P(X>Y): the chance of a better class, 0.5 where alike), the classes of {groups} are shown "
    "to be worse than those of {other}."
)
BETTER = mark(
    "In the order {order} (P(X>Y): the chance of a better class, 0.5 where alike), the classes of {groups} are shown "
    "to be better than those of {other}."
)


def _in_order(audit: Audited, row: Estimate) -> str:
    """A group with its P(X>Y), which no strata are in."""
    p = audit.protocol
    values = {
        "group": label_of(p, row.attribute, row.group),
        "estimate": number(row.estimate, 3),
        "ends": _effect_ends(audit, row),
    }
    if not p.strata:
        return say("{group} (P(X>Y) {estimate}, {ends})", **values)
    text = mark("{group} (P(X>Y) {estimate}, {ends}, without regard to {strata})")
    return say(text, **values, strata=p.called(p.strata))


# of each error by class: where a difference is shown, with the largest, and where none is
CLASS_ERRORS = {
    CLASS_TPR: (
        mark(
            "True positive rates by class: a difference from {other} is shown in {k} of {n} comparisons, the largest "
            "where {outcome} is {label}: {decision} is {label} for {rate}% of {group} and {other_rate}% of {other}, "
            "{gap}."
        ),
        mark("True positive rates by class: a difference from {other} is shown in none of {n} comparisons."),
    ),
    CLASS_PPV: (
        mark(
            "Predictive values by class: a difference from {other} is shown in {k} of {n} comparisons, the largest "
            "where {decision} is {label}: {outcome} is {label} for {rate}% of {group} and {other_rate}% of {other}, "
            "{gap}."
        ),
        mark("Predictive values by class: a difference from {other} is shown in none of {n} comparisons."),
    ),
}


def class_errors(audit: Audited, attribute: str) -> list[str]:
    """Of each error by class how many gaps are shown, and the largest of these with both rates."""
    p, lines, counted = audit.protocol, list[str](), dict[str, int]()

    def called(group: str) -> str:
        if p.is_crossed(attribute):
            return crossed_people(p, p.columns_of(attribute), split(group))
        return label_of(p, attribute, group)

    for metric, (some, none) in CLASS_ERRORS.items():
        rows = audit.estimates.only(metric=metric, attribute=attribute, role="main", status="ok")
        compared = [row for row in rows if row.contrast == "difference" and row.verdict]
        gaps = [row for row in compared if row.verdict in SHOWN]
        values = {"n": len(compared), "k": len(gaps), "other": called(audit.references[attribute])}
        counted |= {metric: len(gaps)} if compared else {}
        if not gaps:
            lines += [say(none, **values)] if compared else []
            continue
        far = max(gaps, key=lambda row: abs(row.estimate))
        rates = {r.group: r for r in rows if (r.term, r.given, r.contrast) == (far.term, far.given, "none")}
        if not {far.group, far.reference} <= set(rates):
            continue
        rate, other = rates[far.group], rates[far.reference]
        few = min(rate.n, other.n) < FEW
        values |= {"decision": in_code(p.decision), "outcome": in_code(p.outcome), "label": far.term}
        values |= {"group": called(far.group), "gap": gap(audit, far, few)}
        values |= {
            "rate": percent(rate.estimate, 0 if few else 1),
            "other_rate": percent(other.estimate, 0 if few else 1),
        }
        lines.append(say(some, **values))
    if len(counted) == len(CLASS_ERRORS) and not any(counted.values()):
        of = {"name": p.called(attribute), "other": called(audit.references[attribute])}
        return [say(NO_CLASS_ERROR, **of)]
    return lines


NO_CLASS_ERROR = mark(
    "No difference by {name} from {other} is shown in the true positive rate or predictive value of any class."
)


def chi_square(row: Estimate) -> str:
    """The p-value of a test, with the chi-square that it is of where it is of one.

    >>> row = Estimate("class distribution", "g", statistic=12.34, df=4.0, p_value=0.015)
    >>> chi_square(row), chi_square(replace(row, method=TEST_NAMES["chi-square"]))
    ('p = 0.015', 'χ² = 12.3, df = 4, p = 0.015')
    """
    p = p_equals(row.p_value)
    if row.statistic != row.statistic or row.df != row.df or row.method not in TEST_NAMES.values():
        return p
    return say("χ² = {statistic}, df = {df}, {p}", statistic=number(row.statistic, 1), df=number(row.df, 0), p=p)


# Amounts: who gets less, in per cent of what the reference gets.


AMOUNT_SPOKEN = {
    "less": mark("{first} {verb} {gap}% less {rest} than {other} ({interval}): {levels}."),
    "more": mark("{first} {verb} {gap}% more {rest} than {other} ({interval}): {levels}."),
    "equal": mark("What {first} {event} is within the margin of what {other} {event}: {numbers}."),
    "equal less": mark("{first} {verb} {gap}% less {rest} than {other}, a gap within the margin of {margin}% "
                       "({interval}): {levels}."),
    "equal more": mark("{first} {verb} {gap}% more {rest} than {other}, a gap within the margin of {margin}% "
                       "({interval}): {levels}."),
    "unknown": mark("No difference is shown between what {first} and what {other} {event}: {numbers}."),
    "all equal": mark(
        "What the {n} groups compared with {other} {event} is within the margin; {largest} is that of "
        "{first}: {numbers}."
    ),
    "all unknown": mark(
        "None of the {n} groups of {name} compared with {other} is shown to differ in what they {event}; {largest} "
        "is that of {first}: {numbers}."
    ),
}  # fmt: skip
AMOUNT_PLACED = {
    "less": mark("The {statistic} is {gap}% lower {first_place} than {other_place} ({interval}): {levels}."),
    "more": mark("The {statistic} is {gap}% higher {first_place} than {other_place} ({interval}): {levels}."),
    "equal": mark("The {statistic} is about equal {first_place} and {other_place}, within the margin: {numbers}."),
    "equal less": mark("The {statistic} is {gap}% lower {first_place} than {other_place}, a gap within the margin of "
                       "{margin}% ({interval}): {levels}."),
    "equal more": mark("The {statistic} is {gap}% higher {first_place} than {other_place}, a gap within the margin of "
                       "{margin}% ({interval}): {levels}."),
    "unknown": mark("No difference of the {statistic} is shown between {first} and {other}: {numbers}."),
    "all equal": mark(
        "The {statistic} of the {n} groups compared with {other} is within the margin; {largest} is "
        "that of {first}: {numbers}."
    ),
    "all unknown": mark(
        "No difference of the {statistic} is shown between {other} and any of the {n} groups of {name} compared with "
        "it; {largest} is that of {first}: {numbers}."
    ),
}  # fmt: skip
AMOUNT_WITHIN = {
    "less": mark("within the same {strata}, the {statistic} is {gap}% lower {first_place} than {other_place} "
                 "({adjusted}); {crude}."),
    "more": mark("within the same {strata}, the {statistic} is {gap}% higher {first_place} than "
                 "{other_place} ({adjusted}); {crude}."),
    "equal less": mark("averaged over the strata of {strata}, the {statistic} is {gap}% lower {first_place} "
                       "than {other_place}, a gap within the margin of {margin}% ({adjusted}); {crude}."),
    "equal more": mark("averaged over the strata of {strata}, the {statistic} is {gap}% higher {first_place} "
                       "than {other_place}, a gap within the margin of {margin}% ({adjusted}); {crude}."),
    "equal": mark("averaged over the strata of {strata}, the {statistic} is about equal {first_place} and "
                  "{other_place} ({adjusted}); {crude}."),
    "unknown": mark("within the same {strata}, no difference of the {statistic} is shown between {first} and "
                    "{other} ({adjusted}); {crude}."),
    "cannot": mark("whether the {statistic} differs between {first} and {other} cannot be answered within "
                   "{strata}: {why}; {crude}."),
}  # fmt: skip
AMOUNT_ALIKE = {
    "less": mark("among people alike in {strata}, the {statistic} is {gap}% lower {first_place} than "
                 "{other_place} ({adjusted}); {crude}."),
    "more": mark("among people alike in {strata}, the {statistic} is {gap}% higher {first_place} than "
                 "{other_place} ({adjusted}); {crude}."),
    "equal less": mark("among people alike in {strata}, the {statistic} is {gap}% lower {first_place} than "
                       "{other_place}, a gap within the margin of {margin}% ({adjusted}); {crude}."),
    "equal more": mark("among people alike in {strata}, the {statistic} is {gap}% higher {first_place} than "
                       "{other_place}, a gap within the margin of {margin}% ({adjusted}); {crude}."),
    "equal": mark("among people alike in {strata}, the {statistic} is about equal {first_place} and "
                  "{other_place} ({adjusted}); {crude}."),
    "unknown": mark("among people alike in {strata}, no difference of the {statistic} is shown between "
                    "{first} and {other} ({adjusted}); {crude}."),
    "cannot": mark("whether the {statistic} differs between {first} and {other} cannot be answered among "
                   "people alike in {strata}: {why}; {crude}."),
}  # fmt: skip
# of amounts without a ratio: with some below 0
AMOUNT_MOVED = {
    "less": mark("{where}, the {statistic} is lower {first_place} than {other_place}: {adjusted}; {crude}."),
    "more": mark("{where}, the {statistic} is higher {first_place} than {other_place}: {adjusted}; {crude}."),
    "unknown": mark("{where}, no difference of the {statistic} is shown between {first} and {other}: "
                    "{adjusted}; {crude}."),
    "cannot": mark("{where}, it cannot be answered whether the {statistic} differs between {first} and "
                   "{other}: {why}; {crude}."),
}  # fmt: skip
# the same in the words of the protocol, within strata and among people alike, with a ratio and without
AMOUNT_SPOKEN_THERE = {
    "less": mark("{where}, {first} {verb} {gap}% less {rest} than {other} ({adjusted}); {crude}."),
    "more": mark("{where}, {first} {verb} {gap}% more {rest} than {other} ({adjusted}); {crude}."),
    "moved less": mark("{where}, {first} {verb} less {rest} than {other}: {adjusted}; {crude}."),
    "moved more": mark("{where}, {first} {verb} more {rest} than {other}: {adjusted}; {crude}."),
    "moved unknown": mark("{where}, no difference is shown between what {first} and what {other} {event}: "
                          "{adjusted}; {crude}."),
    "equal": mark("{where}, what {first} {event} is about equal to what {other} {event} ({adjusted}); {crude}."),
    "equal less": mark("{where}, {first} {verb} {gap}% less {rest} than {other}, a gap within the margin of "
                       "{margin}% ({adjusted}); {crude}."),
    "equal more": mark("{where}, {first} {verb} {gap}% more {rest} than {other}, a gap within the margin of "
                       "{margin}% ({adjusted}); {crude}."),
    "unknown": mark("{where}, no difference is shown between what {first} and what {other} {event} "
                    "({adjusted}); {crude}."),
    "cannot": mark("{where}, it cannot be answered whether what {first} {event} differs from what {other} "
                   "{event}: {why}; {crude}."),
}  # fmt: skip
AMOUNT_SPOKEN_MOVED = AMOUNT_SPOKEN | {
    "less": mark("{first} {verb} less {rest} than {other}: {numbers}."),
    "more": mark("{first} {verb} more {rest} than {other}: {numbers}."),
}
AMOUNT_SPOKEN_BESIDE = {
    "less": mark("{where}, {first} {verb} {gap}% less {rest} than {other} ({ends}): {verdict}."),
    "more": mark("{where}, {first} {verb} {gap}% more {rest} than {other} ({ends}): {verdict}."),
}
STATISTICS = {
    **dict.fromkeys(("gap of means", "mean amount"), mark("mean {amount}")),
    **dict.fromkeys(("gap of medians", "median amount"), mark("median {amount}")),
}


def _of_amounts(audit: Audited, result: Answer) -> str:
    """Who gets less, by the mean or, where means have no verdict, by the median."""
    p, row = audit.protocol, result.row
    about = p, result.attribute
    values = {
        "statistic": say(STATISTICS[result.metric], amount=p.argument("amount")),
        "n": str(len(result.family)),
        "name": p.of_groups(result.attribute),
        "largest": _largest_gap_of(result),
        **parts(p.labels.amount),
    }
    for key, label in {"first": result.group, "other": result.reference}.items():
        values[key] = people(*about, label)
        values[f"{key}_place"] = placed(*about, label)
    if result.within is not None:
        write = _amounts_within if result.within.metric in GAPS_OF_AMOUNTS else _moved_within
        return capital(single_spaced(write(audit, result, values)))
    if row is None or row.status != "ok":
        return nothing(audit, result)
    values |= {"gap": percent(abs(row.estimate)), "numbers": amount_numbers(audit, result)}
    values |= {"interval": interval(audit, row), "levels": _levels(audit, result)}
    table, kind = AMOUNT_SPOKEN if p.labels.amount else AMOUNT_PLACED, _kind(result)
    if kind == "equal" and p.margin.gap is not None and remains(row):  # small, but not nothing
        kind = f"equal {'less' if row.estimate > 0 else 'more'}"
        values |= {"margin": _whole(p.margin.gap)}
    return capital(single_spaced(say(table[kind], **values)))


def _amounts_within(audit: Audited, result: Answer, values: dict[str, str]) -> str:
    row = result.within
    assert row is not None
    strata, table = names_of(audit, row.given), AMOUNT_ALIKE if row.metric == ALIKE else AMOUNT_WITHIN
    if audit.protocol.labels.amount:
        table, values = AMOUNT_SPOKEN_THERE, values | {"where": _where_alike(audit, row)}
    plainly = mark("without regard to {strata}, {first} against {other}: {numbers}")
    sides = {name: values[name] for name in ("first", "other")}
    crude = say(plainly, strata=strata, numbers=amount_numbers(audit, result, again=True), **sides)
    if audit.protocol.labels.amount and result.gap is not None and result.gap.metric in GAPS_OF_AMOUNTS:
        crude = _crude_spoken(audit, result, strata, values) or crude
    if row.status != "ok" or not row.verdict:
        why = _why(audit, result)
        return say(table["cannot"], strata=strata, crude=crude, why=why, **values)
    kind = {"equivalence shown": "equal", "inconclusive": "unknown"}.get(row.verdict)
    kind = kind or ("less" if row.estimate > 0 else "more")
    gap = percent(abs(row.estimate))
    adjusted = say("{gap}% {direction}, {ends}", gap=gap, direction=direction(row), ends=interval(audit, row))
    if kind == "equal" and row.metric != ALIKE:
        values = values | {"where": _averaged(strata)}
    if kind == "equal" and remains(row):  # small, but not nothing
        kind = f"equal {'less' if row.estimate > 0 else 'more'}"
        values = values | {"margin": _whole(audit.protocol.margin.gap or 0.0)}
    if kind not in ("equal", "unknown"):
        adjusted = interval(audit, row)
    return say(table[kind], strata=strata, crude=crude, adjusted=adjusted, gap=gap, **values)


def _crude_spoken(audit: Audited, result: Answer, strata: str, named: dict[str, str]) -> str:
    """The gap without regard to strata, in the words of the protocol."""
    row = result.gap
    if row is None or not result.has_difference or not row.estimate:
        return ""
    values = {
        **{name: named[name] for name in ("verb", "rest")},
        "group": named["first"],
        "reference": named["other"],
        "strata": strata,
        "gap": percent(abs(row.estimate)),
        "interval": interval(audit, row, again=True),
        "levels": _levels(audit, result),
    }
    less = mark("without regard to {strata}, {group} {verb} {gap}% less {rest} than {reference} ({interval}): {levels}")
    more = mark("without regard to {strata}, {group} {verb} {gap}% more {rest} than {reference} ({interval}): {levels}")
    return say(less if row.estimate > 0 else more, **values)


def _moved_within(audit: Audited, result: Answer, values: dict[str, str]) -> str:
    """The difference of means within strata, or adjusted, of amounts that have no ratio."""
    row = result.within
    assert row is not None
    names, spoken = names_of(audit, row.given), bool(audit.protocol.labels.amount)
    plainly = mark("without regard to {strata}, {first} against {other}: {numbers}")
    sides = {name: values[name] for name in ("first", "other")}
    crude = say(plainly, strata=names, numbers=numbers(audit, result), **sides)
    values |= {"where": _where_alike(audit, row), "crude": crude}
    table = AMOUNT_SPOKEN_THERE if spoken else AMOUNT_MOVED
    if row.status != "ok" or not row.verdict:
        return say(table["cannot"], why=_why(audit, result), **values)
    kind = "unknown" if row.verdict == "inconclusive" else "less" if row.estimate < 0 else "more"
    return say(table[f"moved {kind}" if spoken else kind], adjusted=gap(audit, row), **values)


def _where_alike(audit: Audited, row: Estimate) -> str:
    """Among whom a gap is that holds something fixed."""
    names = names_of(audit, row.given)
    adjusted = row.metric in ADJUSTED
    return say(mark("among people alike in {strata}") if adjusted else mark("within the same {strata}"), strata=names)


def alike_beside(audit: Audited, result: Answer) -> str:
    """The gap of amounts adjusted for covariates, where the answer is another one, or what an adjusted answer rests on.

    Examples
    --------
    >>> from fairstats.auditing.audit import audit
    >>> pay = [90.0, 80, 70, 90, 60, 50, 70, 60] * 9
    >>> people = {"pay": pay, "sex": ["m", "f"] * 36, "old": [1, 1, 0, 0, 0, 1, 1, 0] * 9}
    >>> result = audit(people, amount="pay", groups="sex", strata="old", adjust_for="~ old", reference="m")
    >>> alike_beside(result, answers(result)[0])
    'Among people alike in old, the mean pay is 3.4% lower among women than among men (...): not settled.'
    """
    p, row = audit.protocol, result.alike
    adjusted = row or result.within
    if adjusted is None or adjusted.metric not in ADJUSTED or amounts_of(audit):
        return ""  # beside a decision the answer on the amounts says it
    lines = []
    if row is not None:
        about, why = (p, result.attribute), translated(adjusted.reason)
        values = {
            "names": names_of(audit, row.given),
            "statistic": say(STATISTICS["gap of means"], amount=p.argument("amount")),
            "first": placed(*about, row.group),
            "other": placed(*about, row.reference),
        }
        if row.status != "ok" or not row.verdict:
            return say("Among people alike in {names}, the gap of the {statistic} cannot be answered: {why}.",
                       names=values["names"], statistic=values["statistic"], why=why)  # fmt: skip
        if row.metric != ALIKE:
            less = mark(
                "Among people alike in {names}, the {statistic} is lower {first} than {other}, {gap}: {verdict}."
            )
            more = mark(
                "Among people alike in {names}, the {statistic} is higher {first} than {other}, {gap}: {verdict}."
            )
            values |= {"gap": gap(audit, row), "verdict": say(SETTLED_OF_SENTENCE[row.verdict])}
            return single_spaced(say(less if row.estimate < 0 else more, **values))
        lower = mark("Among people alike in {names}, the {statistic} is {gap}% lower {first} than {other} ({ends}): "
                     "{verdict}.")  # fmt: skip
        higher = mark("Among people alike in {names}, the {statistic} is {gap}% higher {first} than {other} ({ends}): "
                      "{verdict}.")  # fmt: skip
        values |= {"gap": percent(abs(row.estimate)), "verdict": say(SETTLED_OF_SENTENCE[row.verdict])}
        if p.labels.amount:
            lower, higher = AMOUNT_SPOKEN_BESIDE.values()
            values |= {"first": people(*about, row.group), "other": people(*about, row.reference)}
            values |= {"where": capital(_where_alike(audit, row)), **parts(p.labels.amount)}
        said = say(lower if row.estimate >= 0 else higher, ends=interval(audit, row), **values)
        lines.append(single_spaced(said))
    if adjusted.status == "ok" and adjusted.verdict and adjusted.reason:
        lines.append(say("A caution: {why}.", why=translated(adjusted.reason)))
    return " ".join(lines)


def direction(row: Estimate) -> str:
    """Whether a gap in per cent is one below the reference."""
    return say("lower") if row.estimate >= 0 else say("higher")


def amount_numbers(audit: Audited, result: Answer, again: bool = False) -> str:
    """Both means (or medians) with their unit, the gap and its interval; again: as of `interval`."""
    row = result.gap
    if row is None or not result.has_difference:
        return say("there is no comparison")
    if row.metric not in GAPS_OF_AMOUNTS:
        return numbers(audit, result)
    values = {"gap": percent(abs(row.estimate)), "direction": direction(row)}
    values |= {"levels": _levels(audit, result), "interval": interval(audit, row, again=again)}
    return say("{levels}, {gap}% {direction} ({interval})", **values)


def _levels(audit: Audited, result: Answer) -> str:
    """Both means (or medians) with their unit."""
    if result.rate is None or result.other is None:
        return ""
    statistic = say(mark("mean") if result.metric == "gap of means" else mark("median"))
    other = " ".join(filter(None, (compact(result.other.estimate), audit.protocol.unit)))
    return say(
        "{statistic} {first} against {other}", statistic=statistic, first=compact(result.rate.estimate), other=other
    )


def margin_of_gap(audit: Audited, result: Answer) -> str:
    """Whether a gap is beyond the margin, within it, or neither is settled."""
    row, margin = result.row, audit.protocol.margin.gap
    if row is not None and row.metric in OF_GAPS:
        return _no_gap(audit, row)
    if row is None or margin is None or row.metric not in GAPS_OF_AMOUNTS or row.status != "ok" or not row.verdict:
        return ""
    side = beside_gap(row, margin)
    small = side == "within" and remains(row)
    if not row.given:
        return say(MARGIN_THERE["remains"] if small else MARGIN_OF_GAP[side], margin=_whole(margin))
    average = side == "within" and row.metric != ALIKE
    where = _averaged(names_of(audit, row.given)) if average else _where_alike(audit, row)
    text = MARGIN_THERE["remains" if small else side]
    said = say(text, where=capital(where), margin=_whole(margin))
    return f"{said} {_by_stratum(audit, row, margin)}".strip()


def _averaged(strata: str) -> str:
    return say("averaged over the strata of {strata}", strata=strata)


def word_of_stratum(row: Estimate, margin: float) -> MarginWord:
    """What the interval of one stratum shows; "within" where all of it is."""
    return "within" if -margin < row.conf_low and row.conf_high < margin else beside_gap(row, margin)


def _by_stratum(audit: Audited, row: Estimate, margin: float) -> str:
    """In how many strata, each by itself, the gap is within the margin, beyond it, or neither."""
    about = {"metric": "gap of means", "role": "supplementary", "attribute": row.attribute, "given": row.given}
    pair = (row.group, row.reference)
    rows = [one for one in audit.estimates.only(**about) if (one.group, one.reference) == pair]
    words = [word_of_stratum(one, margin) for one in rows if one.status == "ok"]
    if row.metric == ALIKE or not rows:
        return ""
    values = {"strata": names_of(audit, row.given), "n": len(rows), "without": len(rows) - len(words)}
    values |= {"within": words.count("within"), "beyond": words.count("beyond"), "open": words.count("not settled")}
    text = mark(
        "By {strata}, each stratum by itself: within the margin in {within} of {n}, beyond it in {beyond}, not settled "
        "in {open}."
    )
    if len(words) < len(rows):
        text = mark(
            "By {strata}, each stratum by itself: within the margin in {within} of {n}, beyond it in {beyond}, not "
            "settled in {open}, without a gap or withheld in {without}."
        )
    return say(text, **values)


MARGIN_OF_GAP = {
    "beyond": mark("A gap beyond the margin of {margin}% is shown."),
    "within": mark("The gap is shown to be within the margin of {margin}%."),
    "not settled": mark("Whether the gap is beyond the margin of {margin}% is not settled."),
}
MARGIN_THERE = {
    "beyond": mark("{where}, a gap beyond the margin of {margin}% is shown."),
    "within": mark("{where}, the gap is shown to be within the margin of {margin}%."),
    "remains": mark("A gap remains, though within the margin: it is shown not to be 0."),
    "not settled": mark("{where}, it is not settled whether the gap is beyond the margin of {margin}%."),
}


def _whole(margin: float) -> str:
    """A margin in per cent, with a decimal where it needs one."""
    return percent(margin, 0 if abs(100 * margin - round(100 * margin)) < 1e-9 else 1)


def _no_gap(audit: Audited, row: Estimate) -> str:
    """Why a difference in the unit of the amount has no gap in per cent beside it, which a margin would be for."""
    about = {
        "metric": OF_GAPS[row.metric],
        "attribute": row.attribute,
        "role": row.role,
        "given": row.given,
        "term": "",
    }
    pair, margin = {row.group, row.reference}, audit.protocol.margin.gap
    gaps = [one for one in audit.estimates.only(**about) if {one.group, one.reference} == pair and one.status != "ok"]
    if not gaps or not gaps[0].reason:
        return ""
    why = capital(translated(gaps[0].reason))
    if margin is None:
        return say("{why}: no gap in per cent is given.", why=why)
    return say("{why}: no gap in per cent is given, and the margin of {margin}% is not answered.",
               why=why, margin=_whole(margin))  # fmt: skip


def answer_event(protocol: Protocol, result: Answer) -> tuple[str, bool]:
    """What an answer counts, and whether the protocol's words say all that its sentence needs."""
    if not result.flags:
        text, in_words = event(protocol, result.metric)
        return text, bool(protocol.labels.unit) and in_words and among(protocol, result.metric)[1]
    text = phrase(protocol, "D=1")
    return text or equation(protocol, "D=1"), bool(text and protocol.labels.unit)


def without_event() -> list[str]:
    """The metrics of answers that are no share of people to whom something happened."""
    return ["P(X>Y)", *quantities()]


def _called(audit: Audited, result: Answer) -> dict[str, str]:
    """What the sentences call the groups, the attribute and what was decided."""
    p = audit.protocol
    about = p, result.attribute
    named = {"first": result.group, "other": result.reference}
    text = "" if result.metric in without_event() else answer_deed(p, result)
    margin = percent(p.margin.difference or 0.0)
    values = {"n": str(len(result.family)), "margin": margin, "name": p.of_groups(result.attribute), **parts(text)}
    values["largest"] = _largest_gap_of(result)
    for key, label in named.items():
        values[key] = (people if key == "first" else other_people)(*about, label)
        values[f"{key}_place"] = placed(*about, label)
    return values


LARGEST = mark("the largest gap")
LARGEST_OF_LARGE = mark("the largest gap among groups of at least {few} people")


def _largest_gap_of(result: Answer) -> str:
    """What the gap is that is named where none is shown."""
    return say(LARGEST_OF_LARGE, few=SMALL) if result.among_large else say(LARGEST)


def _kind(result: Answer) -> str:
    """Which sentence answers: a difference in one direction, equality, or neither; of two groups or of several."""
    if result.row is not None and (result.differs or (len(result.family) == 1 and _margin_open(result.row))):
        above = result.row.estimate > null_of(result.row)
        return "more" if above != (result.row.metric in GAPS_OF_AMOUNTS) else "less"  # a gap above 0 is one below
    kind = "equal" if result.code == "equivalence shown" else "unknown"
    return f"all {kind}" if len(result.family) > 1 else kind


def share(result: Answer, row: Estimate) -> str:
    """A share in per cent, with its counts and no decimals where the smaller group has few people; other numbers."""
    if METRICS[row.metric].scale != PERCENT:
        return compact(row.estimate)
    if not result.few:
        return say("{share}%", share=percent(row.estimate))
    return say("{share}% ({k} of {n})", share=percent(row.estimate, 0), k=number(row.events, 0), n=number(row.n, 0))


def _share_or_ends(audit: Audited, result: Answer, row: Estimate) -> str:
    """A share as `share` has it, its least and its largest where people of withheld cells decide it."""
    about = {"metric": row.metric, "attribute": row.attribute, "group": row.group, "contrast": "none", "role": "bounds"}
    for bound in audit.estimates.only(**about, given=WITHHELD, status="ok"):
        ends = (bound.conf_low, bound.conf_high)
        if not ends[0] == ends[1] == bound.estimate:
            low, high = (1 - ends[1], 1 - ends[0]) if result.flags else ends
            if METRICS[row.metric].scale != PERCENT:
                return span(low, high, compact)
            return say("{share}%", share=span(low, high, lambda end: percent(end, 0 if result.few else 1)))
    return share(result, row)


def numbers(audit: Audited, result: Answer) -> str:
    """Both shares, the gap in the direction that makes it positive, and what is missing."""
    if result.gap is None or result.rate is None or result.other is None:
        return ""
    values = {
        "first": share(result, result.rate),
        "other": share(result, result.other),
        "gap": gap(audit, result.gap, result.few),
    }
    bound = bound_of(audit, result.gap, result.flags)
    if bound is None:
        text = say("{first} against {other}, {gap}", **values)
    else:  # the difference of those who were sent may be one that is known to be impossible
        values |= {"interval": interval(audit, result.gap, result.few), **_between(bound)}
        values |= {"first": _share_or_ends(audit, result, result.rate)}
        values |= {"other": _share_or_ends(audit, result, result.other)}
        text = say(BOUNDED_GAP[_side(bound)], **values)
    if result.bounds is None:
        p = audit.protocol
        if p.missing == "drop" and p.min_n > 1 and unknown(audit, result.attribute) > 0:
            return say(
                "{numbers}, among those with known {what} (by how much the others could change this is not "
                "computed where small groups are withheld)",
                numbers=text,
                what=p.called(result.attribute),
            )
        return text
    return say("{numbers}, among those with known {what}; {missing}", numbers=text, **_missing(audit, result))


def bound_of(audit: Audited, row: Estimate, flagged: bool = False) -> Estimate | None:
    """The bounds of a comparison over cells that were withheld; None where these move nothing.

    flagged: whether the comparison is that of the decision that harms.
    """
    about = {"metric": row.metric, "attribute": row.attribute, "contrast": row.contrast, "role": "bounds"}
    for bound in audit.estimates.only(**about, given=WITHHELD):
        if {bound.group, bound.reference} == {row.group, row.reference}:
            moved = not bound.conf_low == bound.conf_high == bound.estimate
            bound = bound if bound.group == row.group else turned(bound)
            return (complement(bound) if flagged else bound) if moved else None
    return None


BOUNDED_GAP = {
    "less": mark(
        "{first} against {other} over what may have been withheld; the gap is between {low} and {high} percentage "
        "points less ({interval})"
    ),
    "more": mark(
        "{first} against {other} over what may have been withheld; the gap is between {low} and {high} percentage "
        "points more ({interval})"
    ),
    "either": mark(
        "{first} against {other} over what may have been withheld; the gap is between {low} percentage points less and "
        "{high} more ({interval})"
    ),
}


def _side(bound: Estimate) -> str:
    """Whether the group has less or more than the reference over all that may have been withheld, or either."""
    return "more" if bound.conf_low >= 0 else "less" if bound.conf_high <= 0 else "either"


def _between(bound: Estimate) -> dict[str, str]:
    """Both bounds in points without their signs: the smaller first, or that of less."""
    ends = (bound.conf_low, bound.conf_high)
    ends = ends[::-1] if _side(bound) == "less" else ends
    return dict(zip(("low", "high"), (percent(abs(end)) for end in ends), strict=True))


def points_apart(row: Estimate, rates: Sequence[Estimate]) -> str:
    """A gap in points beside the two shares as they are printed, from which it may differ by rounding."""
    shares = sorted((rate.estimate for rate in rates), reverse=True)
    return translated(difference_in_points(abs(row.estimate), *shares))


def gap(
    audit: Audited, row: Estimate, few: bool = False, in_table: bool = False, rates: Sequence[Estimate] = ()
) -> str:
    """A difference in points with its interval: in the direction that makes it positive, or in words where it may be 0.

    rates: both, where they stand beside it with one decimal.

    Examples
    --------
    >>> from fairstats.auditing.audit import audit
    >>> result = audit({"sex": ["f", "m"] * 20, "hired": [1, 1, 0, 1] * 10}, "hired", "sex")
    >>> row = Estimate("selection rate", estimate=-0.117, conf_low=-0.143, conf_high=-0.091, conf_level=0.95)
    >>> gap(result, row)
    'a gap of 11.7 percentage points (95% confidence interval 9.1 to 14.3)'
    >>> row = Estimate("selection rate", "sex", "f", estimate=-0.01, conf_low=-0.04, conf_high=0.02, conf_level=0.975)
    >>> gap(result, row)
    '1.0 percentage points less among women (95% confidence interval 4.0 less to 2.0 more, adjusted for 2 comparisons)'
    """
    if METRICS[row.metric].scale != PERCENT:
        values = {"gap": compact(abs(row.estimate)), "interval": interval(audit, row)}
        if audit.protocol.unit and row.metric in OF_GAPS:
            return say("a gap of {gap} {unit} ({interval})", unit=audit.protocol.unit, **values)
        return say("a gap of {gap} ({interval})", **values)
    points = points_apart(row, rates) if rates else percent(abs(row.estimate), 0 if few else 1)
    values = {"points": points, "interval": interval(audit, row, few, in_table)}
    if covers_none(row):
        values["people"] = people(audit.protocol, row.attribute, row.group)
        if row.estimate < 0:
            return say("{points} percentage points less among {people} ({interval})", **values)
        return say("{points} percentage points more among {people} ({interval})", **values)
    one, many = (
        mark("a gap of {points} percentage point ({interval})"),
        mark("a gap of {points} percentage points ({interval})"),
    )
    return say(one if points == "1" else many, **values)


def covers_none(row: Estimate) -> bool:
    """Whether the interval of a difference of shares holds 0: it is then said with its direction, and keeps its sign.

    Examples
    --------
    >>> covers_none(Estimate("FPR", estimate=-0.1, conf_low=-0.2, conf_high=0.1))
    True
    """
    low, high = decisive_interval(row)
    return METRICS[row.metric].scale == PERCENT and row.metric not in GAPS_OF_AMOUNTS and low <= 0 <= high


def _reversed(row: Estimate) -> bool:
    """Whether a difference is printed in the other direction, in which it is positive."""
    return row.estimate < 0 and not covers_none(row)


def _ends(row: Estimate, few: bool = False) -> str:
    """The interval of a gap in the direction in which it is printed; of one within the margin the one that says so."""
    low, high = decisive_interval(row)
    low, high = (-high, -low) if _reversed(row) else (low, high)
    if covers_none(row):
        sides = (percent(abs(end), 0 if few else 1) for end in (low, high))
        return say("{low} less to {high} more", **dict(zip(("low", "high"), sides, strict=True)))
    if row.metric in GAPS_OF_AMOUNTS:
        if low < 0 < high:  # as of shares, with the direction of either end
            less = mark("{low}% higher to {high}% lower")
            more = mark("{low}% lower to {high}% higher")
            return say(more if row.estimate < 0 else less, low=percent(-low), high=percent(high))
        return say("{low}% to {high}%", low=percent(low + 0.0), high=percent(high + 0.0))
    if METRICS[row.metric].scale != PERCENT:
        return say("{low} to {high}", low=compact(low + 0.0), high=compact(high + 0.0))
    return say("{low} to {high}", low=percent(low + 0.0, 0 if few else 1), high=percent(high + 0.0, 0 if few else 1))


def _equal(row: Estimate) -> bool:
    return row.verdict == "equivalence shown" and row.margin_low == row.margin_low


def interval(
    audit: Audited, row: Estimate, few: bool = False, in_table: bool = False, ends: str = "", again: bool = False
) -> str:
    """The interval of a gap with the level that all comparisons of its family share; its p where it has no interval.

    in_table: whether a table beside says for how many comparisons it is adjusted; ends: the limits as they are written;
    again: whether the sentence has said that people of unknown group are among the compared.

    Practical equality is read from the interval of level 1 − 2α, equally adjusted, as its two one-sided tests are.
    """
    if row.conf_low != row.conf_low or row.conf_high != row.conf_high:
        return p_text(row)
    together = audit.protocol.conf_level
    share = 2 * together - 1 if _equal(row) else together
    values = {"level": level_number(share), "ends": ends or _ends(row, few)}
    if audit.protocol.p_adjust == BH and _equal(row):  # claims of equality are adjusted by Bonferroni even then
        if _claims_of_equality(audit, row) < 2:
            return say("{level}% confidence interval {ends}", **values)
        return say("{level}% confidence interval {ends}, adjusted for all comparisons", **values)
    many = _comparisons(audit, row)
    if in_table:
        return say("{level}% interval {ends}", **values)
    if many < 1 + 1e-6:
        return say("{level}% confidence interval {ends}", **values)
    if abs(many - round(many)) < 1e-6 * many and audit.protocol.p_adjust != BH:
        n = count(round(many))
        if not again and (unknown := _compared_unknown(audit, row)):
            with_unknown = mark(
                "{level}% confidence interval {ends}, adjusted for {n} comparisons, {k} of them of people of unknown "
                "group"
            )
            if unknown == 1:
                with_unknown = mark(
                    "{level}% confidence interval {ends}, adjusted for {n} comparisons, one of them of people of "
                    "unknown group"
                )
            return say(with_unknown, n=n, k=count(unknown), **values)
        return say("{level}% confidence interval {ends}, adjusted for {n} comparisons", n=n, **values)
    if audit.protocol.p_adjust == BH:
        return say("{level}% confidence interval {ends}, adjusted for the false discovery rate", **values)
    return say("{level}% confidence interval {ends}, adjusted for all comparisons", **values)


def _compared_unknown(audit: Audited, row: Estimate) -> int:
    """How many groups of people without a recorded one are compared in the family of a row, with a stricter level."""
    crossed = audit.protocol.is_crossed
    rows = audit.estimates.only(metric=row.metric, contrast=row.contrast, role=row.role, status="ok")
    alike = (one for one in rows if one.reference and crossed(one.attribute) == crossed(row.attribute))
    return sum(holds_missing(one.group) for one in alike)


def _comparisons(audit: Audited, row: Estimate) -> float:
    """For how many comparisons the interval of a row is adjusted."""
    if not row.conf_level < 1:
        return 1.0
    return (1 - audit.protocol.conf_level) / (1 - row.conf_level)


def _level_text(audit: Audited, row: Estimate) -> str:
    """The level of several intervals of one family, in words."""
    values = {"level": level_number(audit.protocol.conf_level), "n": count(round(_comparisons(audit, row)))}
    if audit.protocol.p_adjust == BH:
        return say("{level}% confidence intervals, adjusted for the false discovery rate", **values)
    return say("{level}% confidence intervals, adjusted for {n} comparisons", **values)


def p_text(row: Estimate) -> str:
    """The p-value of a verdict in words: where practical equality is shown, that of its test.

    Examples
    --------
    >>> p_text(Estimate("FPR", verdict="equivalence shown", p_adjusted=0.194, p_equivalence=0.008))
    'adjusted p = 0.008 of practical equality'
    """
    if row.verdict == "equivalence shown":
        return say("adjusted {p} of practical equality", p=p_equals(row.p_equivalence))
    return say("adjusted {p}", p=p_equals(row.p_adjusted))


def _claims_of_equality(audit: Audited, row: Estimate) -> int:
    """How many comparisons of the audit have a test of practical equality; at most those of its question."""
    about = {} if audit.protocol.family == AUDIT else {"metric": row.metric, "given": row.given}
    rows = audit.estimates.only(**about, contrast=row.contrast, role=row.role)
    return sum(one.p_equivalence == one.p_equivalence for one in rows)


# by whether the bounds have their sampling error
UNDONE_BY = {
    True: mark(
        "this does not survive the {n} {people} whose {name} is not known: with them at worst, and sampling error, the "
        "gap lies between {low} and {high}"
    ),
    False: mark(
        "this does not survive the {n} {people} whose {name} is not known: with them at worst, the gap lies between "
        "{low} and {high}"
    ),
}
OVER_ALL = {
    True: mark(
        "Over all {people} no gap to {other} is shown: with the {n} whose {name} is not known at worst, and sampling "
        "error, that of {group} may be anything between {low} and {high}"
    ),
    False: mark(
        "Over all {people} no gap to {other} is shown: with the {n} whose {name} is not known at worst, that of "
        "{group} may be anything between {low} and {high}"
    ),
}
UNDONE = {
    True: mark(
        "this does not survive those who are missing: with them at worst, and sampling error, the gap lies between "
        "{low} and {high}"
    ),
    False: mark(
        "this does not survive those who are missing: with them at worst, the gap lies between {low} and {high}"
    ),
}


def _missing(audit: Audited, result: Answer, undone_by: Mapping[bool, str] = UNDONE_BY) -> dict[str, str]:
    """What is missing, and where the difference may lie over all of whom it is."""
    assert result.bounds is not None
    low, high = result.bounds.conf_low, result.bounds.conf_high
    ends = [
        say("{points} points less", points=percent(-v)) if v < 0 else say("{points} points more", points=percent(v))
        for v in (low, high)
    ]
    name = audit.protocol.called(result.attribute)
    lost = {"groups": name, "decision": say("decision"), "outcome": say("outcome")}
    what = missing_of(result.bounds)
    n = unknown(audit, result.attribute)
    values = {"low": ends[0], "high": ends[1], "name": name}
    if result.gap is None or result.gap.verdict not in SHOWN:
        missing = say("over all who are missing the gap may lie between {low} and {high}", **values)
    elif what == ("groups",) and n > 0:
        missing = say(
            undone_by[bool(result.bounds.term)],
            n=count(n),
            people=audit.protocol.labels.people(say("people")),
            group=people(audit.protocol, result.attribute, result.group),
            other=other_people(audit.protocol, result.attribute, result.reference),
            **values,
        )
    else:
        missing = say(UNDONE[bool(result.bounds.term)], **values)
    groups = dict.fromkeys(cell.group for cell in audit.cells if cell.attribute == result.attribute)
    if labels := like_missing(groups):  # whoever has such a label widens the bound once it is made missing
        missing = say(
            "{missing}, not counting people labeled {labels}, a group of their own here (if their {name} is not known, "
            "leave these cells empty)",
            missing=missing,
            labels=listed([f'"{label}"' for label in labels], 3),
            name=name,
        )
    return {"what": listed([lost[part] for part in what]), "missing": missing}


def strata_name(audit: Audited) -> str:
    """The legitimate factors, or what is adjusted for, by the names that they were given."""
    return names_of(audit, audit.protocol.strata or audit.protocol.alike)


def within_heading(audit: Audited) -> str:
    """The heading of numbers within declared strata, or adjusted for covariates."""
    strata = strata_name(audit)
    return (
        say("within {strata}", strata=strata) if audit.protocol.strata else say("adjusted for {strata}", strata=strata)
    )


def names_of(audit: Audited, given: str) -> str:
    """The columns of strata, or of a formula, by their names in sentences."""
    return listed(list(map(audit.protocol.labels.attribute, audit.protocol.columns_of(given))))


def _with_strata(audit: Audited, result: Answer, values: dict[str, str]) -> str:
    """The comparison within strata and the crude one in one sentence; first the one that the answer is about."""
    assert result.within is not None
    strata = strata_name(audit)
    row, covered = result.within, result.within.status == "ok"
    crude = _pair_numbers(audit, result) if result.metric == "P(X>Y)" else numbers(audit, result)
    if not result.first:  # the law of the report asks for the crude numbers
        kept = _within_strata(audit, result, row) if covered else _why(audit, result)
        kind = _kind(result)
        text = say(SPOKEN[kind], **values, numbers=crude)
        return say(
            "{text} Within the same {strata} it is {adjusted}.", text=capital(text), strata=strata, adjusted=kept
        )
    values |= {"strata": strata, "crude": say("without regard to {strata} {numbers}", strata=strata, numbers=crude)}
    if result.metric == "P(X>Y)":
        return _with_strata_scores(audit, result, values, covered)
    if not covered:
        return capital(say(WITHIN_SPOKEN["cannot"], why=_why(audit, result), **values))
    kind = "unknown"
    if row.verdict in SHOWN or _margin_open(row):
        kind = "more" if row.estimate > 0 else "less"
    elif row.verdict == "equivalence shown":
        kind = "alike"
    return say(WITHIN_SPOKEN[kind], adjusted=_within_strata(audit, result, row), **values)


def _with_strata_scores(audit: Audited, result: Answer, values: dict[str, str], covered: bool) -> str:
    row = result.within
    assert row is not None
    values["score"] = audit.protocol.labels.score or audit.protocol.score
    if not covered:
        return say(
            "Which of {first} and {other} has the higher {score} cannot be answered within {strata}: {why}; {crude}.",
            why=_why(audit, result),
            **values,
        )
    values["score"] = _with_ties(values["score"], row)
    values |= {"pairs": _of_hundred(row), "adjusted": _within_strata(audit, result, row)}
    p = audit.protocol
    names = [p.labels.group(result.attribute, label) for label in (result.group, result.reference)]
    if all(name and not says_who(p, result.attribute, name) for name in names):
        values |= dict(zip(("first", "other"), names, strict=True))
        return say(
            "Within the same {strata}, in {pairs} random pairs of one {first} and one {other} person the first has the "
            "higher {score} ({adjusted}); {crude}.",
            **values,
        )
    values |= dict(
        zip(("first", "other"), (where(p, result.attribute, result.group), quoted(result.reference)), strict=True)
    )
    return say(
        "Within the same {strata}, in {pairs} random pairs of one person with {first} and one with {other} the first "
        "has the higher {score} ({adjusted}); {crude}.",
        **values,
    )


def _with_ties(text: str, row: Estimate) -> str:
    """Of pairs that are counted, that those with the same score count half, and how many they are."""
    for part in parts_of(row.reason):
        if part.template == TIED.template:
            return say("{text}, with half of the {n} ties counted", text=text, n=str(part.values["n"]))
        if part.template == HARDLY_TIED.template:
            return say("{text}, with half of the few ties counted (fewer than 1 of 100 pairs)", text=text)
    return text


def _of_hundred(row: Estimate) -> str:
    return say("{n} of 100", n=number(100 * row.estimate, 0))


def _pair_numbers(audit: Audited, result: Answer) -> str:
    """P(X>Y) without regard to strata."""
    row = result.gap
    if row is None:
        return say("there is no comparison")
    ends, bound = _effect_ends(audit, row), bound_of(audit, row)
    if bound is None:
        pairs = _with_ties(_of_hundred(row), row)
        return say("in {pairs} (P(X>Y) {estimate}, {ends})", pairs=pairs, estimate=number(row.estimate, 3), ends=ends)
    pairs = _with_ties(say("{n} of 100", n=span(bound.conf_low, bound.conf_high, _in_hundred)), row)
    return say(
        "in {pairs} over what may have been withheld (P(X>Y) between {low} and {high}; {ends})",
        pairs=pairs,
        low=number(bound.conf_low, 3),
        high=number(bound.conf_high, 3),
        ends=ends,
    )


def _effect_ends(audit: Audited, row: Estimate) -> str:
    """The interval of P(X>Y) with its level where it is another one than the audit's, or its p where it has none."""
    if math.isnan(row.conf_low):
        return interval(audit, row)
    ends = span(*decisive_interval(row), lambda end: number(end, 3))
    if not _equal(row):
        return ends
    return say("{level} confidence interval {ends}", level=decisive_level(row), ends=ends)


def _within_strata(audit: Audited, result: Answer, row: Estimate) -> str:
    """A comparison within strata with its interval and its verdict."""
    verdict = say(SETTLED_OF_SENTENCE[row.verdict or "inconclusive"])
    if result.metric == "P(X>Y)":
        text = say("P(X>Y) {estimate}, {ends}", estimate=number(row.estimate, 3), ends=_effect_ends(audit, row))
        return say("{text}: {verdict}", text=text, verdict=verdict)
    few = result.few
    points = percent(abs(row.estimate), 0 if few else 1)
    named = _equal(row) or row.conf_low != row.conf_low  # by its level, or by p where there is no interval
    ends = interval(audit, row, few) if named else _ends(row, few)
    values = {"points": points, "ends": ends, "verdict": verdict}
    bound = bound_of(audit, row, result.flags)
    if bound is not None:
        return say(BOUNDED_WITHIN[_side(bound)], **values, **_between(bound))
    if row.estimate < 0:
        return say("{points} points less, {ends}: {verdict}", **values)
    return say("{points} points more, {ends}: {verdict}", **values)


BOUNDED_WITHIN = {
    "less": mark("over what may have been withheld between {low} and {high} points less, {ends}: {verdict}"),
    "more": mark("over what may have been withheld between {low} and {high} points more, {ends}: {verdict}"),
    "either": mark("over what may have been withheld between {low} points less and {high} more, {ends}: {verdict}"),
}
SETTLED_OF_SENTENCE = {
    "flagged": mark("flagged"),
    "disparity shown": mark("disparity shown"),
    "equivalence shown": mark("within the margin"),
    "inconclusive": mark("not settled"),
}


def _why(audit: Audited, result: Answer) -> str:
    """Why there is no answer within strata."""
    assert result.within is not None
    return translated(result.within.reason) or say("no stratum holds both groups")


# of attributes that show nothing and an intersection that does, by its verdict
MEETING = {
    "disparity shown": mark(
        "No difference is shown by {names} alone; where they meet ({name}) one is shown: {first} against {other}, "
        "{numbers}."
    ),
    "flagged": mark(
        "No difference is shown by {names} alone; where they meet ({name}) one is flagged: {first} against {other}, "
        "{numbers}."
    ),
}
MEETING_WITHIN = mark(
    "Within the same {strata}, no difference is shown by {names} alone; where they meet ({name}): {first} against "
    "{other}, {adjusted}."
)


def meetings(audit: Audited, result: Sequence[Answer]) -> list[str]:
    """Intersections that show a difference where none of their attributes does, each with its own adjusted verdict.

    The comparisons of intersections are a family of their own, as in the tables; here they have to be shown at the
    level of findings beside the answers.

    >>> from fairstats.auditing.audit import audit
    >>> from fairstats.auditing.answer import answers
    >>> data = {"a": ["x", "x", "y", "y"] * 90, "b": ["u", "v"] * 180, "d": [1, 0, 0, 1] * 80 + [0, 1, 1, 0] * 10}
    >>> result = audit(data, "d", ["a", "b"])
    >>> meetings(result, answers(result))[0][:82]
    'No difference is shown by a and b alone; where they meet (a × b) one is shown: x ×'
    """
    differing = {one.attribute: one.differs for one in result}
    crude = any(one.within is not None and not one.first for one in result)
    items = []
    intersections = _intersections(audit)
    for name in intersections:
        columns = audit.protocol.columns_of(name)
        if name in differing or any(differing.get(column, True) for column in columns):
            continue
        one = answer(audit, name, crude=crude)
        if one.row is None or one.row.p_adjusted > level_of(audit, tuple(result)) / len(intersections):
            continue
        if not one.differs or one.metric == "P(X>Y)" or not (one.first or one.has_difference):
            continue
        current, other = (_meeting(audit.protocol, columns, label) for label in (one.group, one.reference))
        values = {
            "names": listed(list(map(audit.protocol.labels.attribute, columns))),
            "first": current,
            "other": other,
        }
        values["name"] = audit.protocol.called(name)
        if one.first:
            kept = _within_strata(audit, one, one.row)
            items.append(say(MEETING_WITHIN, **values, strata=strata_name(audit), adjusted=kept))
        else:
            items.append(say(MEETING[one.code], **values, numbers=numbers(audit, one)))
    return items


def _meeting(protocol: Protocol, columns: Sequence[str], label: str) -> str:
    """A group of an intersection by those that it is of."""
    parts = split(label)
    return named_meeting(protocol, columns, parts) or " × ".join(
        protocol.labels.group(c, part) or quoted(part) for c, part in zip(columns, parts, strict=True)
    )


def nothing(audit: Audited, result: Answer) -> str:
    """Why an attribute has no answer."""
    if sum(cell.attribute == result.attribute for cell in audit.cells) < 2:
        called = audit.protocol.called(result.attribute)
        return say("{name} has a single group: there is nothing to compare.", name=called)
    name = audit.protocol.of_groups(result.attribute)
    if not result.group:
        return say("No group of {name} could be compared with its reference.", name=name)
    why = translated(result.reason) or say("there is no rate")
    absent = _absent(audit, result)
    withheld = bool(absent) and all(row.status == "suppressed" for row in absent)
    if len(result.absent) > 1:  # the reason of each, those that share one together
        groups: dict[str, list[str]] = {}
        for row in absent:
            groups.setdefault(translated(row.reason) or say("there is no rate"), []).append(quoted(row.group))
        whose = "; ".join(f"{listed(labels)}: {text}" for text, labels in groups.items()) if len(groups) > 1 else why
        other = label_of(audit.protocol, result.attribute, result.reference)
        values = {"n": len(result.absent), "name": name, "other": other, "reason": whose}
        text = say("None of the {n} groups of {name} can be compared with {other}: {reason}.", **values)
        return f"{text} {say(JOIN_GROUPS)}" if withheld else text
    both = (who(audit.protocol, result.attribute, label)
            for who, label in ((people, result.group), (other_people, result.reference)))  # fmt: skip
    text = capital(say("{groups} cannot be compared: {reason}.", groups=listed(list(both)), reason=why))
    return f"{text} {say(JOIN_GROUPS)}" if withheld else text


JOIN_GROUPS = mark("Join small groups in the data, or leave their people out of it.")


def _absent(audit: Audited, result: Answer) -> list[Estimate]:
    """The comparisons of an attribute that have no numbers."""
    contrast = contrast_of(result.metric)
    about = {"metric": result.metric, "attribute": result.attribute, "contrast": contrast, "role": "main"}
    rows = [row for row in audit.estimates.only(**about, term="", given="") if row.reference]
    return [row for row in rows if row.status != "ok"]


IN_SEVERAL_STRATA = message(
    "Labels of {clusters} stand in several strata of {strata}, and people of one label count as one cluster. If labels "
    "begin anew in each stratum, give each cluster a label of its own; of a survey that drew clusters within these "
    "strata pass {design} with {setting}."
)


def repeated_clusters(audit: Audited, result: Answer, first: bool = True) -> str:
    """That labels of clusters stand in several strata: the note where groups have too few to be compared.

    first: whether the answer is the first one, which says it of all.
    """
    note = next((note for note in audit.notes if says(note, IN_SEVERAL_STRATA)), None)
    if note is not None and not result.compared:
        few = any(says(row.reason, FEW_CLUSTERS) for row in _absent(audit, result))
        return translated(note) if few else ""
    if note is None or not first:
        return ""
    text = mark(
        "Labels of {clusters} stand in several strata, and each counts as one cluster; where labels begin anew in each "
        "stratum there are more clusters, and intervals and verdicts are other ones."
    )
    return say(text, clusters=audit.protocol.clusters)


def unknown_beside(audit: Audited, result: Answer) -> str:
    """People of unknown group who are shown to differ, where the sentence of the answer does not count them."""
    found = [row for row in result.unknown if row.verdict in SHOWN]
    if not (found := [row for row in found if not result.differs or holds_missing(row.group)]):
        return ""
    names = listed([group_and_rate(audit, result, row) for row in found])
    whom = label_of(audit.protocol, result.attribute, result.reference)
    shown = mark("Beside the named groups, shown to differ from {other}: {names}.")
    flagged = mark("Beside the named groups, flagged beside {other}: {names}.")
    return say(shown if found[0].verdict == "disparity shown" else flagged, names=names, other=whom)


def others(audit: Audited, result: Answer) -> str:
    """The further groups whose difference is shown, and how many comparisons cannot be shown."""
    p, more = audit.protocol, [row for row in result.all_shown if row.group != result.group]
    alike = [row for row in result.compared if row.verdict == "equivalence shown"]
    lines = []
    named_all = several(audit, result)
    whom = label_of(p, result.attribute, result.reference)
    if open_over_all(audit, result):
        whom = say("{other} (among those known)", other=whom)
    if result.differs and len(result.compared) > 1 and not named_all:
        values = {
            "other": whom,
            "n": len(result.compared),
            "k": len(result.all_shown),
        }
        if result.code == "flagged":
            lines.append(say("Groups that are flagged: {k} of the {n} that are compared with {other}.", **values))
        elif not more and alike:
            lines.append(
                say("Of {n} groups compared with {other} it is the only one with a disparity shown.", **values)
            )
        elif not more and result.metric in STATISTICS:  # others may differ in what this is not about
            values["statistic"] = say(STATISTICS[result.metric], amount=p.argument("amount"))
            only = mark("Of {n} groups compared with {other} it is the only one whose {statistic} is shown to differ.")
            lines.append(say(only, **values))
        elif not more:
            lines.append(say("Of {n} groups compared with {other} it is the only one shown to differ.", **values))
        elif len(more) <= MOST_NAMED:
            names = listed([group_and_rate(audit, result, row, side=True) for row in more])
            lines.append(say("Also shown to differ from {other}: {names}.", names=names, **values))
        elif len(result.all_shown) == len(result.compared):
            lines.append(
                say("Both groups compared with {other} are shown to differ.", other=values["other"])
                if len(result.compared) == 2
                else say("All {n} groups compared with {other} are shown to differ.", **values)
            )
        else:
            lines.append(say("Of {n} groups compared with {other}, {k} are shown to differ.", **values))
    if outside := _outside_pair(audit, result):
        names = listed([group_and_rate(audit, result, row, side=True) for row in outside], MOST_NAMED)
        lines.append(say("Also shown to differ from {other}: {names}.", other=whom, names=names))
    if result.differs and len(result.compared) > 1 and 0 < len(alike) <= MOST_NAMED:
        names, other = (
            listed([group_and_rate(audit, result, row) for row in alike]),
            label_of(p, result.attribute, result.reference),
        )
        lines.append(say("Within the margin of {other}: {names}.", names=names, other=other))
    left = [row for row in result.unknown if row.verdict == "inconclusive" and not holds_missing(row.group)]
    if left and not result.differs and len(result.family) > 1:  # whose sentence counts the named groups only
        names = listed([group_and_rate(audit, result, row) for row in left])
        lines.append(say("Not settled: {names}.", names=names))
    apart = result.first or result.metric == "P(X>Y)"  # whose sentence is of one group
    entries = {"other": label_of(p, result.attribute, result.reference), "n": len(result.family)}
    if result.metric == "P(X>Y)" and result.code == "equivalence shown" and len(result.family) > 1:
        lines.append(
            say("Both groups compared with {other} are within the margin.", other=entries["other"])
            if len(result.family) == 2
            else say("All {n} groups compared with {other} are within the margin.", **entries)
        )
    if apart and result.code == "inconclusive" and len(result.family) > 1:
        lines.append(
            say("Neither of the groups compared with {other} is shown to differ.", other=entries["other"])
            if len(result.family) == 2
            else say("None of the {n} groups compared with {other} is shown to differ.", **entries)
        )
    groups = listed([label_of(p, result.attribute, group) for group in result.absent], MOST_NAMED)
    values = {"n": len(result.absent), "groups": groups, "name": p.of_groups(result.attribute)}
    values |= {"strata": strata_name(audit)}
    if result.absent and result.code != "unanswered" and result.first:
        lines.append(
            say_number(
                "{n} group of {name} cannot be compared within {strata} ({groups}).",
                "{n} groups of {name} cannot be compared within {strata} ({groups}).",
                len(result.absent),
                **values,
            )
        )
    elif result.absent and result.row is not None and not result.first:
        lines.append(
            say_number(
                "{n} group of {name} cannot be compared ({groups}).",
                "{n} groups of {name} cannot be compared ({groups}).",
                len(result.absent),
                **values,
            )
        )
    return " ".join(lines)


def _outside_pair(audit: Audited, result: Answer) -> list[Estimate]:
    """Where a pair of groups is the declared question: other groups that are shown to differ from its second."""
    if audit.protocol.headline[:1] != (result.attribute,) or result.first or not result.has_difference:
        return []
    about = {"metric": result.metric, "attribute": result.attribute, "contrast": contrast_of(result.metric)}
    rows = audit.estimates.only(**about, role="main", given="", term="", verdict="disparity shown")
    return [row for row in rows if row.reference == result.reference and row.group != result.group]


def group_and_rate(audit: Audited, result: Answer, row: Estimate, side: bool = False) -> str:
    """A group with its rate, where that is what was compared.

    side: whether to say that the rate is below or above that of the reference, too.
    """
    name = short_name(audit.protocol, result.attribute, row.group)
    if row.metric in GAPS_OF_AMOUNTS:
        return say("{name} ({gap}% {direction})", name=name, gap=percent(abs(row.estimate)), direction=direction(row))
    rates = audit.estimates.only(
        metric=result.metric, attribute=result.attribute, role="main", contrast="none", given=""
    )
    items = [rate for rate in rates if rate.group == row.group and rate.status == "ok"]
    if not items or result.first or result.metric == "P(X>Y)" or bound_of(audit, row) is not None:
        return name
    if METRICS[result.metric].scale != PERCENT:
        return say("{name} ({value})", name=name, value=compact(items[0].estimate))
    base = next((rate for rate in rates if rate.group == row.reference and rate.status == "ok"), None)
    if side and base is not None:
        less = (items[0].estimate < base.estimate) != result.flags
        name = say("{name} less often", name=name) if less else say("{name} more often", name=name)
    rate = complement(items[0]) if result.flags else items[0]
    if side and few_counted(rate):
        return say("{name} ({k} of only {n})", name=name, k=number(rate.events, 0), n=number(rate.n, 0))
    return say("{name} ({rate})", name=name, rate=rate_or_count(rate))


FEWEST_COUNTED = 30


def few_counted(row: Estimate, few: int = FEWEST_COUNTED) -> bool:
    """Whether a rate is of few people, who are counted and not sums of weights."""
    return row.n < few and abs(row.events / row.n - row.estimate) < 1e-9


def rate_or_count(row: Estimate, few: int = FEWEST_COUNTED) -> str:
    """A rate in per cent; of fewer people who are counted, how many of them.

    Examples
    --------
    >>> rate_or_count(Estimate("FPR", estimate=2 / 23, events=2, n=23))
    '2 of 23'
    """
    if row.n >= few:
        return say("{share}%", share=percent(row.estimate, 0 if row.n < FEW else 1))
    if few_counted(row, few):
        return say("{k} of {n}", k=number(row.events, 0), n=number(row.n, 0))
    return say("{share}% of {n}", share=percent(row.estimate, 0), n=number(row.n, 0))


# The finding of an audit in sentences, and the claims of page one, in an order that the design fixes.


MOST_CLAIMS = 8
EFFECT = "risk difference within strata"
OTHERWISE = mark("The {metric} of {group} and {reference} ({attribute}) differ by {estimate} ({interval}).")


def roles(protocol: Protocol) -> dict[str, str]:
    """What the sentences of the vocabulary call outcome, decision and score."""
    return {
        "outcome": outcome_text(protocol),
        "decision": decision_text(protocol, protocol.favorable),
        "score": protocol.score,
    }


def finding(audit: Audited, result: tuple[Answer, ...] = (), alone: bool = False) -> str:
    """The key finding: a sentence for every declared attribute, differences first, each with its verdict.

    Where legitimate factors were declared, the comparison within their strata is the answer, and the crude numbers
    stand in the same sentence. A comparison goes the way of the tables: the group, then the reference.

    result: the answers where they are known.
    alone: whether neither a table of errors nor a line of combinations of attributes, which nobody named, follows.

    >>> from fairstats.auditing.audit import audit
    >>> data = {"sex": ["f"] * 50 + ["m"] * 50, "hired": [1] * 10 + [0] * 40 + [1] * 30 + [0] * 20}
    >>> print(finding(audit(data, decision="hired", groups="sex", reference="m")))
    Women had `hired = 1` less often than men: 20% (10 of 50) against 60% (30 of 50), a gap of 40 percentage points
    (95% confidence interval ...). Disparity shown. At the rate of men, 20 more women would have had `hired = 1`
    (arithmetic only).
    """
    return " ".join(text for _, text in finding_parts(audit, result, alone))


FIRST, EACH, BESIDE = range(3)  # what a short form of the finding keeps longest: what leads, each answer, the rest


def finding_parts(
    audit: Audited, result: tuple[Answer, ...] = (), alone: bool = False, brief: bool = False, crude: bool = False
) -> list[tuple[int, str]]:
    """The sentences of `finding` in their order, each with its rank: a short form leaves out the highest first.

    brief: as in `sentence`; crude: whether ratios without regard to strata come first.
    """
    result = result or answers(audit, crude=crude)
    spoken = spoken_of(result)
    amounts = amounts_of(audit)  # whose finding says it where there are some
    of_labels = PERHAPS_MISSING, TAKEN_AS_MISSING
    noted = [translated(note) for note in audit.notes if any(says(note, one) for one in of_labels)]
    unclear = [] if amounts else noted
    lines = [(FIRST, overview(audit, result))]
    ruled = four_fifths(audit, result[0].metric, crude) if result and audit.protocol.four_fifths else []
    first, each = (EACH, BESIDE) if ruled else (FIRST, EACH)  # what that law asks comes before the answers
    lines[:0] = [(EACH if at else FIRST, text) for at, text in enumerate(ruled)]
    if ruled:
        low = low_in_a_stratum(audit, result[0].metric)
        lines += [(EACH, text) for text in low]
        lines += [(BESIDE, text) for text in ratios_beside(audit, result[0].metric, crude)]
        if low:
            call = snippet("fairstats.table(result, 'impact by stratum')")
            lines.append((BESIDE, say("The ratios of each {strata}: {call}.", call=call, strata=strata_name(audit))))
    # combinations that were named are a question, which is answered below
    named = bool({*audit.protocol.intersections} & {*audit.references})
    farthest = _farthest_combination(audit, spoken) if alone and not named else ""
    if len(result) > MOST_ANSWERS:
        lines.append((FIRST, farthest))
    for one in spoken:
        view = seen(audit, one)
        answered = " ".join(filter(None, [sentence(audit, one, brief), verdict(one)]))
        if not one.term and not one.differs:
            answered = f"{answered} {unknown_beside(audit, one)}".strip()
        lines.append((first if one is spoken[0] else each, answered))
        lines += [(first, text) for text in (unclear_side(audit) if one is spoken[0] else ())]
        lines += [(first, text) for text in (unclear if one is spoken[0] and many_unclear(audit) else ())]
        if one.term:
            beside = [left_out(one), varying(view, one.family), *classes_beside(audit, one)]
            beside += class_errors(audit, one.attribute)
            lines.append((EACH, without_ratio(audit) if one is spoken[0] else ""))
            lines.append((EACH, beside_margin(view, one)))
        else:
            unknown = unknown_beside(audit, one) if one.differs else ""
            beside = [others(audit, one), unknown, left_out(one)]
            lines.append((EACH, without_ratio(audit) if one is spoken[0] else ""))
            lines.append((EACH, beside_margin(audit, one)))
            beside += [varying(audit, one.family), alike_beside(audit, one)]
            beside += [short_of(audit, one), unequal(audit, one), largest_gap(audit, one)] if len(result) == 1 else []
            beside += [without_amount(audit, one), repeated_clusters(audit, one, one is spoken[0])]
        lines += [(BESIDE, text) for text in beside]
        if one is spoken[0] and len(result) <= MOST_ANSWERS:
            lines.append((FIRST, farthest))
    lines += [(BESIDE, text) for text in (outcomes_and_errors(audit, result) if alone else ())]
    gaps = largest_gaps(audit, result) if len(result) > 1 else []
    lines += [(BESIDE, text) for text in (*gaps, *meetings(audit, result))]
    if named:
        lines += [(EACH, f"{claim} {text}") for claim, text in combinations_found(audit, result, counted=True)]
        lines += [(EACH, found.text) for one in spoken_of(result) for found in reversals(audit, one)]
    lines += scores_beside(audit, spoken)
    lines += [(EACH, quality_of_scores(audit, one.attribute)) for one in spoken]
    if len(result) > 1 and any(one.code == "inconclusive" for one in result):
        lines.append((BESIDE, say(NO_EVIDENCE)))
    if amounts:
        lines += [(EACH, who_has_amounts(audit)), (EACH, finding(amounts))]
    elif not many_unclear(audit):
        lines += [(BESIDE, text) for text in unclear]
    return [(rank, text) for rank, text in lines if text]


MANY = 0.1  # of the people of an attribute


def many_unclear(audit: Audited) -> bool:
    """Whether labels that may mean that the group is not known have a tenth of the people or more."""
    people = dict[str, dict[str, float]]()
    for cell in audit.cells:
        people.setdefault(cell.attribute, {})[cell.group] = cell.n
    return any(sum(of[label] for label in like_missing(of)) >= MANY * sum(of.values()) > 0 for of in people.values())


NO_EVIDENCE = mark("Where no difference is shown, equality is not shown either.")


def spoken_of(result: Sequence[Answer]) -> Sequence[Answer]:
    """The answers that have a sentence: all of few attributes; of many the worst, or the first where none is bad."""
    if len(result) <= MOST_ANSWERS:
        return result
    return [one for one in result if one.differs][:MOST_ANSWERS] or result[:1]


def overview(audit: Audited, result: Sequence[Answer]) -> str:
    """Of many attributes how many show what; "" where each has its sentence."""
    if len(result) <= MOST_ANSWERS:
        return ""
    each = []
    for code in ORDER:
        names = [audit.protocol.called(one.attribute) for one in result if one.code == code]
        if names:
            each.append(say(COUNTED[code], n=len(names), names=listed(names, 12)))
    return say("{n} attributes: {each}.", n=len(result), each="; ".join(each))


COUNTED = {
    "disparity shown": mark("{n} with a disparity shown ({names})"),
    "flagged": mark("{n} flagged ({names})"),
    "inconclusive": mark("{n} without a difference from the reference group shown ({names})"),
    "unanswered": mark("{n} without an answer ({names})"),
    "equivalence shown": mark("{n} equivalent within the margin ({names})"),
}


def headline(
    audit: Audited,
    result: Sequence[Answer],
    brief: bool = False,
    withheld: Mapping[str, float] | None = None,
    most: int = MOST_ANSWERS,
) -> str:
    """The answers alone: what page one of a report begins with; ``brief`` as in `sentence`.

    withheld: how many people the withheld groups of an attribute are together, where that may be said.
    most: attributes that have a sentence of their own.
    """
    together = open_together(result) if brief else ()
    lines = [overview(audit, result)]
    apart = [one for one in spoken_of(result) if one not in together]
    for one in apart[:most]:
        lines.append(
            _smaller_gap(audit, one, apart[0]) if brief and one is not apart[0] else sentence(audit, one, brief)
        )
        if one.term and (audit.protocol.margin.difference is None or one.bounds is not None):
            lines.append(_verdict(one))  # the table of classes has verdicts only beside a margin
    if together:
        p, text = audit.protocol, answer_deed(audit.protocol, together[0])
        names = listed([p.called(one.attribute) for one in together])
        others = listed([other_people(p, one.attribute, audit.references[one.attribute]) for one in together])
        left = any(too_small(audit, one) for one in together)
        template = OPEN_BETWEEN_OTHERS if left else OPEN_TOGETHER
        values = {"names": names, "others": others, "people": p.labels.people(say("people")), **parts(text)}
        lines.append(single_spaced(say(template, **values)))
    if brief:  # the result first
        lines += [too_small(audit, one, (withheld or {}).get(one.attribute, 0)) for one in spoken_of(result)]
    return " ".join(filter(None, lines))


MUCH_SMALLER = 0.5  # of the gap of the first answer


def _smaller_gap(audit: Audited, one: Answer, first: Answer) -> str:
    """The sentence of a further answer; of one whose gap is much smaller than that of the first, that it is."""
    both = [other for other in (one, first) if other.code == "disparity shown" and other.metric == first.metric]
    plain = [other for other in both if has_gap_beside(audit, other) and not other.few and not several(audit, other)]
    small, large = ([abs(other.gap.estimate) for other in plain if other.gap is not None] + [0.0, 0.0])[:2]
    if not 0 < small <= MUCH_SMALLER * large or one.bounds is not None or one.rate is None or one.other is None:
        return sentence(audit, one, brief=True)
    p, a = audit.protocol, one.attribute
    names = both_people(p, a, one.group, one.reference)
    values = dict(zip(("one", "two", "x", "y"), (*names, share(one, one.rate), share(one, one.other)), strict=True))
    return single_spaced(
        say("By {name} the gap is much smaller: {x} of {one} against {y} of {two}.", name=p.called(a), **values)
    )


def qualified(audit: Audited, page: PageOne, result: tuple[Answer, ...]) -> dict[str, int]:
    """The attributes of which a group is flagged less often while fewer of those flagged have the outcome.

    Each with the number of the finding that says so: the first sentence alone sounds as if the group were better off.
    """
    if not flags(audit.protocol):
        return {}
    about = {"metric": "PPV", "role": "main", "contrast": "difference", "given": "", "term": ""}
    gaps = {(row.attribute, row.group, row.reference): row for row in audit.estimates.only(**about)}
    found = [(state, metric) for state, metric, *_ in _errors_found(audit, page, result)]
    out = {}
    for one in result if ("shown", "PPV") in found else ():
        right = gaps.get((one.attribute, one.group, one.reference))
        less = one.code == "disparity shown" and one.gap is not None and one.gap.estimate < 0
        if less and right is not None and right.verdict in SHOWN and right.estimate < 0:
            out[one.attribute] = found.index(("shown", "PPV")) + 1
    return out


def but_of(audit: Audited, one: Answer, n: int) -> str:
    """That fewer of the flagged of a group have the outcome, which finding n says, where it is flagged less often."""
    p = audit.protocol
    values = {"group": people(p, one.attribute, one.group), "deed": short_deed(p), **parts(deed(p, "Y=1"))}
    values["other"] = other_people(p, one.attribute, one.reference)
    text = say("Of those {deed}, a smaller share of {group} than of {other} {event} (finding {n}).", n=n, **values)
    return single_spaced(text)


def open_together(result: Sequence[Answer]) -> tuple[Answer, ...]:
    """The answers of several attributes that show nothing: a brief headline says so of all of them at once."""
    entries = [
        one
        for one in spoken_of(result)
        if one.code == "inconclusive" and one.has_difference and one.within is None and one.bounds is None
    ]
    alike = len({one.metric for one in entries}) == 1 and entries[0].metric not in without_event()
    return tuple(entries) if alike and len(entries) > 1 and not entries[0].term else ()


OPEN_TOGETHER = mark("No difference by {names} is shown in how often {people} {event}, compared with {others}.")
OPEN_BETWEEN_OTHERS = mark(
    "Among the groups that are not withheld, no difference by {names} is shown in how often {people} {event}, compared "
    "with {others}."
)


def too_small(audit: Audited, result: Answer, people: float = 0) -> str:
    """How many groups are withheld, and how many people they are together if known; "" where there are none."""
    absent = [row.group for row in _absent(audit, result) if row.status == "suppressed"]
    if not absent:
        return ""
    # one of which every cell was withheld has no counts
    k, n = len(absent), len({*absent, *(c.group for c in audit.cells if c.attribute == result.attribute)})
    values = {"k": k, "n": n, "name": audit.protocol.of_groups(result.attribute), "people": number(people, 0)}
    if people:
        return say(
            "{k} of {n} groups of {name} are withheld, to protect small numbers: these {people} people are not "
            "compared.",
            **values,
        )
    return say_number(
        "{k} of {n} groups of {name} is withheld, to protect small numbers: it is not compared.",
        "{k} of {n} groups of {name} are withheld, to protect small numbers: they are not compared.",
        k,
        **values,
    )


def detectable_too(audit: Audited, result: Answer) -> str:
    """What would have been shown of one more answer that is open, beside `unequal`."""
    if result.code != "inconclusive" or result.first or any(map(math.isnan, result.detectable)):
        return ""
    p, a, (below, above) = audit.protocol, result.attribute, map(detectable_points, result.detectable)
    groups = {"first": people(p, a, result.group), "other": other_people(p, a, result.reference)}
    if below == above:
        return say("Between {first} and {other}: {below} points.", below=below, **groups)
    return say(
        "Between {first} and {other}: {below} points ({above} if the rate of {first} is the higher one).",
        below=below,
        above=above,
        **groups,
    )


def verdict(result: Answer) -> str:
    """The verdict in words; "" where the sentence has it beside its numbers, or there is no comparison."""
    return strong(_verdict(result))


def _verdict(result: Answer) -> str:
    if not result.has_difference or result.first or result.within is not None:  # the sentence has both verdicts
        return ""
    if result.bounds is not None and result.code == "equivalence shown":
        return say("Equivalence shown among those who are known, not over all.")
    if result.bounds is not None and result.code == "disparity shown":
        return say("Disparity shown among those who are known, not over all.")
    if result.code == "disparity shown":
        return say("Disparity shown.")
    if result.code == "flagged":
        return say("Flagged: of all that is flagged a share may be false.")
    return say("Equivalence shown.") if result.code == "equivalence shown" else ""


def unequal(audit: Audited, result: Answer) -> str:
    """Of a difference that is not shown, that it is no evidence of equality, and what would have been shown."""
    if result.code != "inconclusive" or (result.row is not None and _margin_open(result.row)):
        return ""
    below, above = result.detectable
    if result.first or (math.isnan(below) and math.isnan(above)):
        return say("This does not show equality.")
    values = {"below": detectable_points(below), "above": detectable_points(above)}
    p, a = audit.protocol, result.attribute
    values |= {"first": people(p, a, result.group), "other": other_people(p, a, result.reference)}
    if values["below"] == values["above"]:
        template = mark(
            "This does not show that the rates are equal: only a true gap of {below} percentage points or more had a "
            "good chance (80%) of being shown."
        )
    elif math.isnan(above):
        template = mark(
            "This does not show that the rates are equal: only a true rate of {first} {below} percentage points or "
            "more below that of {other} had a good chance (80%) of being shown; one above it is easier to miss."
        )
    elif math.isnan(below):
        template = mark(
            "This does not show that the rates are equal: only a true rate of {first} {above} percentage points or "
            "more above that of {other} had a good chance (80%) of being shown; one below it is easier to miss."
        )
    else:
        template = mark(
            "This does not show that the rates are equal: only a true gap of {below} percentage points or more between "
            "{first} and {other} ({above} if the rate of {first} is the higher one) had a good chance (80%) of being "
            "shown."
        )
    if result.bounds is None:
        return say(template, **values)
    values |= {"sentence": say(template, **values), "what": _missing(audit, result)["what"]}
    return say("{sentence} That is among those with known {what}.", **values)


def detectable_points(value: float) -> str:
    """A detectable difference in points, rounded away from zero: its power is promised of the number that is printed.

    Examples
    --------
    >>> detectable_points(0.19648), detectable_points(-0.19648), detectable_points(0.2)
    ('19.7', '−19.7', '20.0')
    """
    return percent(value if math.isnan(value) else math.copysign(math.ceil(round(1000 * abs(value), 6)) / 1000, value))


def beside_margin(audit: Audited, result: Answer) -> str:
    """Where the difference and the ratio lie beside the margins; "" where none was declared.

    Examples
    --------
    >>> from fairstats.auditing.audit import audit
    >>> data = {"sex": ["f"] * 50 + ["m"] * 50, "hired": [1] * 10 + [0] * 40 + [1] * 30 + [0] * 20}
    >>> result = audit(data, decision="hired", groups="sex", margin={"difference": 0.25})
    >>> beside_margin(result, answers(result)[0])
    'A difference is shown; that it is beyond the margin of ±25.0 points is not.'
    """
    row = result.row
    if result.metric in quantities():
        return margin_of_gap(audit, result)
    if row is None or result.metric in without_event():
        return _beside_scores(audit, result)
    where = ""  # two differences were named: which of them is spoken of
    if result.within is not None:
        strata = strata_name(audit)
        first = result.first
        where = say("within the same {strata}", strata=strata) if first else say(CRUDE, strata=strata)
    about = {"attribute": row.attribute, "metric": row.metric, "contrast": row.contrast, "role": "main"}
    if len(audit.estimates.only(**about, given=row.given, term=row.term)) > 1:  # the others may not be beyond it
        where = say("for {group} {where}", group=short_name(audit.protocol, result.attribute, row.group), where=where)
    far = _of_several_beside(audit, result) if several(audit, result) else _beside_difference(audit, row, where)
    lines = [far, _beside_ratio(audit, result), _beside_scores(audit, result)]
    return " ".join(single_spaced(one) for one in lines if one)


def _of_several_beside(audit: Audited, result: Answer) -> str:
    """Which of the differences that an answer names lie beyond the margin; "" where none was declared."""
    margin = audit.protocol.margin.difference
    if margin is None:
        return ""
    sides: dict[bool, list[str]] = {True: [], False: []}
    for row in _in_table_order(audit, result.attribute, result.all_shown):
        sides[beyond(row, margin)].append(short_name(audit.protocol, result.attribute, row.group))
    values = {"points": percent(margin), "groups": listed(sides[True]), "others": listed(sides[False])}
    if not sides[False]:
        return say("Each whole interval is beyond the margin of ±{points} points.", **values)
    if not sides[True]:
        return say("For none of them is it shown that the gap is beyond the margin of ±{points} points.", **values)
    return say(
        "The whole interval is beyond the margin of ±{points} points for {groups}; for {others} that is not shown.",
        **values,
    )


def _beside_scores(audit: Audited, result: Answer) -> str:
    """Which statistics of scores that a margin was declared for are within it, of those the answer is not about."""
    margin = audit.protocol.margin.auc
    if margin is None:
        return ""
    lines = []
    rows = audit.estimates.only(attribute=result.attribute, role="main", term="")
    tested = [row for row in rows if row.metric in OF_SCORES and row.p_equivalence == row.p_equivalence]
    for metric, given in dict.fromkeys((row.metric, row.given) for row in tested):
        items = [row for row in tested if (row.metric, row.given) == (metric, given)]
        if items[0].metric == result.metric or any(row is result.row for row in items):
            continue
        far = max(items, key=lambda row: abs(row.estimate - null_of(row)))
        equal = sum(row.verdict == "equivalence shown" for row in items)
        values = {"what": say(OF_SCORES[metric]), "n": len(items), "k": equal, "estimate": number(far.estimate, 3)}
        values |= {"group": label_of(audit.protocol, result.attribute, far.group), "ends": _effect_ends(audit, far)}
        values |= {"other": label_of(audit.protocol, result.attribute, far.reference)}
        values["margin"] = setting(margin)
        if equal == len(items):
            template = mark("{what} of {group} against {other} is {estimate} ({ends}), within the margin of ±{margin}.")
        else:
            template = mark(
                "{what} of {group} against {other} is {estimate} ({ends}); that it is within the margin of "
                "±{margin} is not shown."
            )
        if len(items) > 1:
            values["null"] = setting(null_of(far))
            template = mark(
                "{what} is shown to be within {margin} of {null} for {k} of {n} groups; the farthest is {group}, "
                "{estimate} ({ends})."
            )
            if equal == 0:
                template = mark(
                    "{what} is shown to be within {margin} of {null} for none of {n} groups; the farthest is {group}, "
                    "{estimate} ({ends})."
                )
        lines.append(say(template, **values))
    return " ".join(lines)


OF_SCORES = {
    "P(X>Y)": mark("P(X>Y)"),
    "P(X>Y) within strata": mark("P(X>Y) within strata"),
    "AUC": mark("The difference of AUCs"),
}
CRUDE = mark("without regard to {strata}")


def _beside_difference(audit: Audited, row: Estimate, where: str) -> str:
    """Whether a difference that is shown is beyond the margin, or within it all the same."""
    margin = audit.protocol.margin.difference
    present = row.conf_low == row.conf_low
    if margin is None or not present:
        return ""
    points = {"points": percent(margin), "where": where}
    if row.verdict == "equivalence shown" and (row.conf_low > 0 or row.conf_high < 0):
        low, high = sorted((abs(row.conf_low), abs(row.conf_high)))
        values = {"level": level_number(audit.protocol.conf_level), "low": percent(low), "high": percent(high)}
        return say(
            "There is a difference {where} ({level}% confidence interval {low} to {high}), within the margin.",
            where=where,
            **values,
        )
    if _margin_open(row):
        return say(
            "A difference {where} is shown; whether it is within the margin of ±{points} points depends on the people "
            "of withheld cells.",
            **points,
        )
    if row.verdict not in SHOWN:
        return ""
    if min(row.conf_high, margin) < max(row.conf_low, -margin):
        return say("The whole interval {where} is beyond the margin of ±{points} points.", **points)
    if row.verdict == "flagged":
        return say(
            "A difference {where} is flagged; that it is beyond the margin of ±{points} points is not shown.",
            **points,
        )
    return say("A difference {where} is shown; that it is beyond the margin of ±{points} points is not.", **points)


def _margin_open(row: Estimate) -> bool:
    """Whether there is a difference of which withheld people decide whether it is within the margin."""
    open_row = row.contrast == "difference" and row.verdict == "inconclusive" and says(row.reason, OVERTURNED)
    return open_row and (row.conf_low > 0 or row.conf_high < 0)


def _beside_ratio(audit: Audited, result: Answer) -> str:
    """Whether the ratio of both rates is within a margin that was declared for ratios."""
    least = audit.protocol.margin.ratio
    if least is None:
        return ""
    about = {"metric": result.metric, "attribute": result.attribute, "contrast": "ratio", "role": "main", "given": ""}
    for row in audit.estimates.only(**about):
        if (row.group, row.reference) == (result.group, result.reference) and row.margin_low == row.margin_low:
            values = {
                "where": " ".join(
                    [
                        *([say("of the favorable decision")] if result.flags else []),
                        *([say(CRUDE, strata=strata_name(audit))] if audit.protocol.strata else []),
                    ]
                ),
                "ratio": number(row.estimate, 2),
                "level": level_number(2 * audit.protocol.conf_level - 1),
                "low": number(row.margin_low, 2),
                "high": number(row.margin_high, 2),
                "least": number(least, 2),
                "most": number(1 / least, 2),
            }
            if row.verdict == "equivalence shown":
                return say(
                    "The ratio {where} is {ratio} ({level}% confidence interval {low} to {high}), within the "
                    "margin of {least} to {most}.",
                    **values,
                )
            return say(
                "The ratio {where} is {ratio} ({level}% confidence interval {low} to {high}); that it is within the "
                "margin of {least} to {most} is not shown.",
                **values,
            )
    return ""


def varying(audit: Audited, compared: Sequence[Estimate]) -> str:
    """That the difference of a group is not the same in all strata that its test is of, for whichever that is shown."""
    rows = varying_rows(audit.estimates, compared)
    if not rows:
        return ""
    about, more = (audit.protocol, rows[0].attribute), len(rows) - MOST_NAMED
    pairs = [
        say(
            "{one} against {other}, {p}",
            one=people(*about, row.group),
            other=other_people(*about, row.reference),
            p=p_equals(row.p_value),
        )
        for row in rows[:MOST_NAMED]
    ]
    pairs += [say_number("{n} more group", "{n} more groups", more, n=more)] if more > 0 else []
    return say(
        "The difference by {name} is not the same in all strata of {strata} that hold both groups ({pairs}).",
        name=audit.protocol.called(rows[0].attribute),
        strata=strata_name(audit),
        pairs="; ".join(pairs),
    )


def left_out(result: Answer) -> str:
    """How many people of the two groups no stratum compares with the other group; "" where there are none."""
    if result.within is None or result.within.status != "ok" or result.rate is None or result.other is None:
        return ""
    alone, lines = result.rate.n + result.other.n - result.within.n - result.unplaced, []
    if says(result.within.reason, OTHER_WITHHELD):  # which has both kinds
        kinds = (OTHER_WITHHELD.template, LEFT_OUT.template, LEFT_OUT_OF_ONE.template)
        each = [part for part in parts_of(result.within.reason) if part.template in kinds]
        lines += [f"{capital(translated(part))}." for part in each]
        alone = 0.0
    if result.unplaced >= 0.5:
        lines.append(say("The stratum of {n} people is missing, and they are left out.", n=number(result.unplaced, 0)))
    if alone >= 0.5 and result.within.metric in ADJUSTED:
        lines.append(
            say_number(
                "Of {n} person a covariate is missing, and it is left out.",
                "Of {n} people a covariate is missing, and they are left out.",
                round(alone),
                n=number(alone, 0),
            )
        )
    elif alone >= 0.5 and result.metric in STATISTICS:  # of amounts it is not known how many have no stratum
        lines.append(
            say_number(
                "{n} person is in no stratum, or in one without the other group, and is left out.",
                "{n} people are in no stratum, or in one without the other group, and are left out.",
                round(alone),
                n=number(alone, 0),
            )
        )
    elif alone >= 0.5:
        lines.append(
            say_number(
                "{n} person is in a stratum without the other group, and is left out.",
                "{n} people are in strata without the other group, and are left out.",
                round(alone),
                n=number(alone, 0),
            )
        )
    return " ".join(lines)


def gives_amounts(audit: Audited) -> bool | None:
    """Whether the favorable decision alone comes with an amount, or the other one alone; None where neither does."""
    steps = [step.label for step in audit.flow]
    return next((not side for side, label in MEASURES["amount"].none.items() if label in steps), None)


def who_has_amounts(audit: Audited) -> str:
    """Which people alone have an amount, where one decision comes with none; "" elsewhere."""
    p, favorable = audit.protocol, gives_amounts(audit)
    if favorable is None:
        return ""
    text = deed(p, "D=+") if favorable else deed(replace(p, positive_prediction=p.favorable), "D=0")
    return single_spaced(
        say("Only {people} who {event} have an amount.", people=p.labels.people(say("people")), **parts(text))
    )


def without_amount(audit: Audited, result: Answer) -> str:
    """Of which groups the amount is missing most and least often, where that is much or differs; "" elsewhere."""
    found = lacking_amounts(audit.estimates, result.attribute) if result.metric in STATISTICS else None
    if found is None or not (found[0].conf_high < found[1].conf_low or found[1].estimate >= MUCH):
        return ""
    least, most = found
    missing = mark("The amount is missing for {share}% of {first} and {least}% of {other}.")
    if gives_amounts(audit) is not None:
        missing = mark(
            "Of those whose decision comes with an amount, it is missing for {share}% of {first} and {least}% of "
            "{other}."
        )
    return say(
        missing,
        share=percent(most.estimate),
        least=percent(least.estimate),
        first=people(audit.protocol, result.attribute, most.group),
        other=other_people(audit.protocol, result.attribute, least.group),
    )


def short_of(audit: Audited, result: Answer) -> str:
    """How many more, or fewer, of the group would have had the decision at the rate of its reference."""
    more = result.shortfall
    if not result.differs or result.first or not abs(more) >= 0.5 or result.rate is None or result.gap is None:
        return ""
    if several(audit, result) or bound_of(audit, result.gap) is not None:
        return ""  # no one pair is the question, or the withheld people are not known
    if result.flags and more > 0:
        return ""  # nobody asks for more people whom a decision harms
    about = audit.protocol, result.attribute
    groups = people(*about, result.group), other_people(*about, result.reference)
    text = would_have_been(*groups, more, answer_deed(audit.protocol, result))
    weighted = audit.protocol.weight_type == "probability"
    if result.bounds is not None and missing_of(result.bounds) == ("groups",):
        name = audit.protocol.called(result.attribute)
        template = mark("{more} (arithmetic only, of those with known {name}).")
        if weighted:
            template = mark("{more} (arithmetic only, in sums of weights, of those with known {name}).")
        return say(template, more=text.removesuffix("."), name=name)
    if weighted:
        return say("{more} (arithmetic only, in sums of weights).", more=text.removesuffix("."))
    return say("{more} (arithmetic only).", more=text.removesuffix("."))


AUXILIARIES = {"were": "were", "wurden": "were", "had": "had"}
WOULD_HAVE = {  # by the verb of the phrase of what happened, and whether it would have been more
    ("were", True): mark("At the rate of {other}, {n} more {first} would have been {rest}."),
    ("were", False): mark("At the rate of {other}, {n} fewer {first} would have been {rest}."),
    ("had", True): mark("At the rate of {other}, {n} more {first} would have had {rest}."),
    ("had", False): mark("At the rate of {other}, {n} fewer {first} would have had {rest}."),
    ("", True): mark("At the rate of {other} it would have been {n} more {first}."),
    ("", False): mark("At the rate of {other} it would have been {n} fewer {first}."),
}


def would_have_been(first: str, other: str, more: float, text: str) -> str:
    """How many more people (fewer below 0) it would have been at the rate of the others.

    Examples
    --------
    >>> would_have_been("women", "men", 591.2, "were hired")
    'At the rate of men, 591 more women would have been hired.'
    """
    verb, _, rest = text.partition(" ")
    template = WOULD_HAVE[AUXILIARIES.get(verb, ""), more > 0]
    return say(template, n=number(abs(more), 0), first=first, other=other, rest=rest)


def largest_gap(audit: Audited, result: Answer) -> str:
    """The largest gap of any two groups, which the data pick, with its simultaneous interval.

    "" for two groups, and where its interval, which is that of all pairs, leaves open what the answer shows.
    """
    row = result.largest
    if row is None or result.first or (result.shown and not row.conf_low > 0):
        return ""
    gap = f"{range_text(replace(row, reason=_extremes(audit, result)))}."
    if result.code == "inconclusive" and row.conf_low > 0:
        return say("Yet the groups are not all alike, if any two are compared. {gap}", gap=gap)
    return gap


def _extremes(audit: Audited, result: Answer) -> str:
    """Which two groups have the largest gap in the data, by the names that they were given."""
    assert result.largest is not None
    return renamed(result.largest.reason, lambda a, group: audit.protocol.labels.group(a, group) or quoted(group))


def largest_gaps(audit: Audited, result: Sequence[Answer]) -> list[str]:
    """Of several attributes those without a difference from the reference whose groups differ all the same.

    The interval of a largest gap holds for all pairs of groups of its attribute, and for no other attribute: it is said
    where its test is significant at the level of findings beside the answers, over all attributes left open.
    """
    unsettled = [(one, row) for one in result if (row := one.largest) is not None and one.code == "inconclusive"]
    level = level_of(audit, tuple(result)) / max(len(unsettled), 1)
    apart = [(one, row) for one, row in unsettled if not one.first and row.conf_low > 0 and row.p_value <= level]
    apart.sort(key=lambda pair: -pair[1].conf_low)
    lines = []
    for one, row in apart[:MOST_ANSWERS]:
        values = {"name": audit.protocol.of_groups(one.attribute), "seen": percent(row.estimate)}
        values |= {"span": span(row.conf_low, row.conf_high, percent), "level": level_number(row.conf_level)}
        extremes = translated(_extremes(audit, one))
        template = mark(
            "The groups of {name} are not all alike: the largest gap of any two is {span} points "
            "({level}% simultaneous interval, not adjusted for the other attributes); {seen} in these data "
            "({extremes})."
        )
        lines.append(say(template, extremes=extremes, **values))
    if more := len(apart) - len(lines):
        lines.append(
            say_number(
                "The same is shown of {n} further attribute.",
                "The same is shown of {n} further attributes.",
                more,
                n=more,
            )
        )
    return lines


def gap_text(row: Estimate) -> str:
    """A difference in points with the interval that its verdict is read from, in the direction that makes it positive.

    Examples
    --------
    >>> gap_text(Estimate("selection rate", estimate=-0.117, conf_low=-0.143, conf_high=-0.091, conf_level=0.95))
    '11.7 percentage points less (95% confidence interval 9.1 to 14.3)'
    >>> gap_text(Estimate("selection rate", estimate=-0.017, conf_low=-0.043, conf_high=0.011, conf_level=0.95))
    '1.7 percentage points less (95% confidence interval 4.3 less to 1.1 more)'
    """
    points = percent(abs(row.estimate))
    if math.isnan(row.conf_low):  # Holm's steps have p-values alone
        if row.estimate < 0:
            return say("{points} percentage points less", points=points)
        return say("{points} percentage points more", points=points)
    least, most = decisive_interval(row)
    ends = sorted((least, most), key=abs)
    if least < 0 < most:
        low, high = percent(-least), percent(most)
        interval = say("{low} less to {high} more", low=low, high=high)
    else:
        interval = say("{low} to {high}", low=percent(abs(ends[0])), high=percent(abs(ends[1])))
    values = {"points": points, "level": decisive_level(row), "interval": interval}
    if row.estimate < 0:
        return say("{points} percentage points less ({level} confidence interval {interval})", **values)
    return say("{points} percentage points more ({level} confidence interval {interval})", **values)


def claim_text(audit: Audited, row: Estimate) -> str:
    """One comparison as the sentence of its metric.

    Parameters
    ----------
    audit : Audited
        The audit.
    row : Estimate
        A row with a verdict.

    Returns
    -------
    str
    """
    present = metrics.METRICS.get(row.metric)
    template = (present.sentence if present else "") or OTHERWISE
    current, base = ("", "")
    found = row
    if row.term and row.term in audit.protocol.classes:  # said of the class against the rest
        audit = of_class(audit, row.term)
        found = row.changed(metric="selection rate" if row.metric == SHARE else row.metric, term="")
    if present is not None and "{rate}" in template:
        current, base = (_rate(audit, found, group) for group in (row.group, row.reference))
    side = mark("lower") if row.estimate < 0 else mark("higher")
    low, high = (number(end, 3) for end in decisive_interval(row))
    interval = say("{low} to {high}", low=low, high=high)
    return say(
        template,
        **roles(audit.protocol),
        metric=say(present.heading) if present else capital(row.metric),
        group=row.group,
        reference=row.reference,
        attribute=row.attribute,
        given=row.given,
        rate=current,
        base=base,
        gap=gap_text(row),
        estimate=number(row.estimate, 3),
        size=number(abs(row.estimate), 3),
        side=say(side),
        interval=say("{level} interval {interval}", level=decisive_level(row), interval=interval),
    )


def _rate(audit: Audited, row: Estimate, group: str) -> str:
    result = audit.estimates.where(
        metric=row.metric, attribute=row.attribute, group=group, contrast="none", role="main"
    )
    return percent(float(result[0].estimate))


def range_text(row: Estimate) -> str:
    """The largest difference over all groups; its interval belongs to no one pair of them.

    Examples
    --------
    >>> range_text(Estimate("FPR", estimate=0.4, conf_low=0.2, conf_high=0.55, conf_level=0.95, reason="observed: a"))
    'The largest gap of any two groups is 20.0 to 55.0 points (95% simultaneous interval); 40.0 in these data (observed:
    a)'
    """
    text = say(
        "The largest gap of any two groups is {span} points ({level}% simultaneous interval); {seen} in these data",
        span=span(row.conf_low, row.conf_high, percent),
        level=level_number(row.conf_level),
        seen=percent(row.estimate),
    )
    return f"{text} ({translated(row.reason)})" if row.reason else text


def claims(audit: Audited) -> Estimates:
    """At most eight comparisons for page one: of every rate and attribute the one furthest from equality, first.

    The order is fixed by the audit's design: single attributes before intersections, metrics in a set order, and
    attributes in the order in which they were declared; their names play no part. Within a metric and attribute the
    comparison whose interval is furthest from equality comes first, so no small group wins by noise.

    Returns: rows with a verdict.

    >>> from fairstats.auditing.audit import audit
    >>> data = {"sex": ["f"] * 50 + ["m"] * 50, "hired": [1] * 10 + [0] * 40 + [1] * 30 + [0] * 20}
    >>> len(claims(audit(data, decision="hired", groups="sex")))
    1
    """
    order = [metric for metric in metrics.claimed() if not distorted(audit, metric)]
    declared = list(audit.references)
    by_question: dict[tuple[bool, int, int], list[Estimate]] = {}
    for row in audit.estimates:
        if row.verdict and row.role != ROLE and row.contrast != "ratio" and row.metric in order:
            key = (audit.protocol.is_crossed(row.attribute), order.index(row.metric), declared.index(row.attribute))
            by_question.setdefault(key, []).append(row)
    ranked = [sorted(rows, key=_rank, reverse=True) for _, rows in sorted(by_question.items())]
    deepest = max((len(rows) for rows in ranked), default=0)
    ordered = [rows[depth] for depth in range(deepest) for rows in ranked if depth < len(rows)]
    return Estimates(ordered[:MOST_CLAIMS])


def _rank(row: Estimate) -> tuple[bool, tuple[float, float]]:
    """Return the sort key of a claim; comparisons of people without a group come last."""
    return not rest(row.group), distance(row)


# The rule of four fifths: the lowest ratio to a highest rate.


FOUR_FIFTHS = {"selection rate": "impact ratio", "scoring rate": "scoring impact ratio"}


def four_fifths(audit: Audited, metric: str, crude: bool = False) -> list[str]:
    """The lowest ratio to a highest rate over all attributes, which is what the rule of four fifths looks at.

    Where strata were declared they are the question: the ratio within them is the one that the rule is applied to.

    metric: the rate that the answers are about.
    crude: whether it is of the ratio without regard to strata, as some reports ask.
    Returns: the sentence that answers the rule, and those on its interval, the other ratios and groups not counted.
    """
    ratios = FOUR_FIFTHS.get(metric, "")
    rows, items, counted = _ratios_to_highest(audit, ratios)
    stratified = [name for name in declared(audit) if answered_within(audit, name, metric)]
    if not ratios or not counted:
        if ratios and any(r.reason == HIGHEST_WITHHELD for r in rows):
            return [say(NO_RATIO)]
        every = audit.estimates.only(metric=metric, contrast="none", role="main", status="ok")
        return [say(NOBODY_SELECTED)] if ratios and every and not any(r.estimate for r in every) else []
    if crude or not stratified:
        if not (bounds := audit.estimates.only(metric=ratios, role="bounds", given=WITHHELD)):
            return _ruled(audit, metric, items, rows)
        unsent = [row for row in rows if row.status == "suppressed" and not holds_missing(row.group)]
        text = _four_fifths_withheld(audit, counted, unsent, bounds)
        return [say("Without regard to {strata}: {text}", strata=strata_name(audit), text=text) if stratified else text]
    lines = [text for name in stratified if (text := not_settled_within(audit, name))]
    if within := [row for row in ratios_within(audit) if row.attribute in stratified]:
        return [*lines, *_ruled(audit, metric, within, within)]
    return lines or [say("The rule of four fifths cannot be answered within {strata}.", strata=strata_name(audit))]


def not_settled_within(audit: Audited, attribute: str) -> str:
    """Of which groups people of withheld cells decide the ratio within strata; "" where of none."""
    groups = [short_name(audit.protocol, attribute, group) for group in open_within(audit, attribute)]
    text = mark(
        "The rule of four fifths is not settled within {strata}: people of withheld cells decide the ratio of {groups}."
    )
    return say(text, strata=strata_name(audit), groups=listed(groups, 3)) if groups else ""


def ratios_beside(audit: Audited, metric: str, crude: bool = False) -> list[str]:
    """What stands beside `four_fifths` where strata were declared: the lowest ratio without regard to them.

    crude: as there; it is that within them, then.
    """
    ratios = FOUR_FIFTHS.get(metric, "")
    _, _, counted = _ratios_to_highest(audit, ratios)
    stratified = any(answered_within(audit, name, metric) for name in declared(audit))
    if not counted or not stratified:
        return []
    if audit.estimates.only(metric=ratios, role="bounds", given=WITHHELD):
        return four_fifths(audit, metric, not crude)
    beside = [_lowest(audit, metric, min(counted, key=lambda r: r.estimate), "pooled")]
    if not ratios_by_stratum(audit)[1]:
        beside.append(say("For the ratios of each {strata} by itself audit its rows alone.", strata=strata_name(audit)))
    return four_fifths(audit, metric) if crude else beside


def low_in_a_stratum(audit: Audited, metric: str) -> list[str]:
    """Which ratios of a single stratum are below four fifths, which the ratio within all of them together may hide.

    Those beyond chance are said first, then the others. They are found among all strata, for whose pairs of groups p
    is adjusted.
    """
    rows, n = ratios_by_stratum(audit)
    names = {row.attribute for row in rows if answered_within(audit, row.attribute, metric)}
    strata = {
        row.term for row in audit.estimates.only(metric=metric, role="supplementary", contrast="none") if row.term
    }
    if not names or len(strata) < 2:
        return []
    every = sorted(
        (row for row in rows if row.attribute in names and below_line(row.estimate)), key=lambda r: r.estimate
    )
    shown = [row for row in every if rejected(row.p_adjusted, audit.protocol.conf_level)]
    left = [row for row in every if row not in shown]
    if not every:
        ratios = audit.estimates.only(
            metric=FOUR_FIFTHS.get(metric, ""), contrast="ratio", role="supplementary", attribute=names
        )
        there = {(row.attribute, row.term) for row in ratios if row.status == "ok"}
        if {(name, term) for name in names for term in strata} - there:
            return []  # nobody was selected there, there is one group, or withheld people decide
        text = mark("In no {strata} by itself is a ratio below 0.80.")
        if any(row.p_value != row.p_value for row in ratios):  # small groups, low or the highest
            text = mark("In no {strata} by itself is a ratio of groups that the rule counts below 0.80.")
        return [say(text, strata=strata_name(audit))]
    lines = [
        *_low(audit, metric, shown, len(strata), ONE_LOW_SHOWN, MANY_LOW_SHOWN, most=2),
        *_low(audit, metric, left, len(strata), ONE_LOW, MANY_LOW, most=1),
    ]
    if n > 1:
        lines.append(say("Chance is adjusted for {n} comparisons in all strata.", n=n))
    return lines


def _low(
    audit: Audited,
    metric: str,
    rows: Sequence[Estimate],
    strata: int,
    one: str,
    many: str,
    most: int,
) -> list[str]:
    """A sentence on each ratio; on more than so many one, with the lowest; and how many more there are in its stratum.

    rows: all beyond chance, or none.
    """
    p, k = audit.protocol, len({row.term for row in rows})
    rates = audit.estimates.only(metric=metric, role="supplementary", contrast="none")
    rate_of = {(one.attribute, one.term, one.group): one for one in rates}
    lines = []
    named = rows[: most if len(rows) <= most else 1]
    for row in named:
        best = rate_of[row.attribute, row.term, row.reference]
        values = {
            "stratum": row.term,
            "first": people(p, row.attribute, row.group),
            "other": other_people(p, row.attribute, row.reference),
            "ratio": impact_ratio(row.estimate),
            "x": count(row.events),
            "m": count(row.n),
            "y": count(best.events),
            "w": count(best.n),
            **parts(rate_deed(p, metric)),
        }
        text = many if len(rows) > most and k > 1 else one
        lines.append(single_spaced(say(text, strata=strata_name(audit), k=k, n=strata, **values)))
        if text == one and (others := [r for r in rows if r not in named]):  # in the same stratum
            lines.append(
                say_number(
                    "There one more ratio is below 0.80: {ratio}.",
                    "There {n} more ratios are below 0.80, the lowest of them {ratio}.",
                    len(others),
                    n=len(others),
                    ratio=impact_ratio(others[0].estimate),
                )
            )
    return lines


def _ruled(audit: Audited, metric: str, items: Sequence[Estimate], rows: Sequence[Estimate]) -> list[str]:
    """The sentence on the lowest ratio, and those on its interval, the other ratios and groups not counted.

    items: the ratios of known groups; rows: all, whose tests are adjusted together.
    """
    counted = counted_by_rule(items)
    row = min(counted, key=lambda r: r.estimate)
    below = concluded_side(row) == BELOW_LINE
    kind = "above" if not below else "below" if says(row.reason, CONCLUSIONS[BELOW_LINE, True]) else "chance"
    if kind == "below" and (missing := overturned_by(audit, row, metric)):
        kind = "group" if missing == ("groups",) else "known"
    lines = [_lowest(audit, metric, row, kind)]
    many = comparisons_of((row.conf_level,), audit.protocol.conf_level)  # of all pairs, whatever the other rule
    if below and many > 1 and p_equals(row.p_value) != p_equals(row.p_adjusted):
        p = {"p": p_equals(row.p_value), "adjusted": p_equals(row.p_adjusted), "n": many}
        text = mark(
            "That difference: {p} by itself, {adjusted} adjusted for {n} comparisons (each pair of groups, as the "
            "highest rate is found in the data)."
        )
        if row.given and row.role == "main":  # with the reference, which the data did not choose
            text = mark("That difference: {p} by itself, {adjusted} adjusted for {n} comparisons.")
        elif any(r.p_adjusted != r.p_adjusted for r in rows if (r.attribute, r.status) == (row.attribute, "ok")):
            text = mark(
                "That difference: {p} by itself, {adjusted} adjusted for {n} comparisons (pairs of counted groups, as "
                "the highest rate is found in the data)."
            )
        lines.append(say(text, **p))
        lines += _shown_of_declared(audit, row, metric) if kind == "chance" else []
    if (below or row.given) and row.conf_high == row.conf_high:
        template = mark("Whether the true ratio is below 0.80 is not settled (interval {interval}).")
        if row.conf_high < 0.8:
            template = mark("The true ratio is shown to be below 0.80 (interval {interval}).")
        elif row.conf_low >= 0.8:
            template = mark("The true ratio is shown not to be below 0.80 (interval {interval}).")
        interval = ratio_span(row.conf_low, row.conf_high)
        if many > 1 and len(lines) == 1:  # no other sentence says for how many
            interval = say("{interval}, adjusted for {n} comparisons", interval=interval, n=many)
        gaps = audit.estimates.only(attribute=row.attribute, contrast="difference", role="main", given=row.given)
        if many == 1 < comparisons_of((one.conf_level for one in gaps), audit.protocol.conf_level):
            interval = say("{interval}, not adjusted", interval=interval)
        lines.append(say(template, interval=interval))
    return [
        *lines,
        *_other_ratios(audit, [r for r in counted if r is not row], metric),
        *_under_two_percent(audit, items),
    ]


def _shown_of_declared(audit: Audited, row: Estimate, metric: str) -> list[str]:
    """That the pair of a ratio which is not beyond chance differs among the fewer comparisons that were declared."""
    gaps = audit.estimates.only(attribute=row.attribute, contrast="difference", role="main", given=row.given, term="")
    same = {row.group, row.reference}
    found = [g for g in gaps if g.metric in (metric, WITHIN) and {g.group, g.reference} == same and g.verdict in SHOWN]
    n = comparisons_of([gap.conf_level for gap in found], audit.protocol.conf_level)
    return [
        say_number(
            "The declared comparison with {other} shows the same difference ({p}).",
            "Among the {n} declared comparisons, with {other}, the same difference is shown ({p}).",
            n,
            n=n,
            other=other_people(audit.protocol, gap.attribute, gap.reference),
            p=p_equals(gap.p_adjusted),
        )
        for gap in found
    ]


def _lowest(audit: Audited, metric: str, row: Estimate, kind: str) -> str:
    """The sentence on one ratio, with the rates that it is of, or the strata that it is within."""
    about = audit.protocol, row.attribute
    values = {
        "ratio": impact_ratio(row.estimate),
        "first": people(*about, row.group),
        "other": other_people(*about, row.reference) if row.reference else DASH,
        "name": audit.protocol.called(row.attribute),
        **parts(rate_deed(audit.protocol, metric)),
    }
    alone = {"metric": metric, "contrast": "none", "role": "main", "given": "", "term": ""}
    rates = {one.group: one for one in audit.estimates.only(**alone, attribute=row.attribute) if one.status == "ok"}
    digits = 0 if any(rates[g].n < FEW for g in (row.group, row.reference) if g in rates) else 1
    named = {"strata": strata_name(audit) if audit.protocol.strata else ""}
    for name, group in (("x", row.group), ("y", row.reference)):
        named[name] = percent(rates[group].estimate, digits) if group in rates else DASH
    of = mark("{x}% against {y}%")
    if row.given:
        of = mark("within the same {strata}, all taken together")
    elif answered_within(audit, row.attribute, metric):
        of = mark("without regard to {strata}: {x}% against {y}%")
    equal = math.isclose(row.estimate, 1, rel_tol=1e-9)
    template = (LOWEST_EQUAL if equal else LOWEST_ABOVE_ONE if row.estimate > 1 else LOWEST)[kind]
    return capital(single_spaced(say(template, rates=say(of, **named), **values)))


def _other_ratios(audit: Audited, others: Sequence[Estimate], metric: str) -> list[str]:
    """Which ratios but the lowest are below four fifths."""
    names = declared(audit)
    short = sorted((r for r in others if concluded_side(r) == BELOW_LINE), key=lambda r: r.estimate)
    if not short and others:
        within = bool(others[0].given)
        about = {"names": listed([audit.protocol.called(name) for name in names])}
        about |= {"strata": strata_name(audit)} if within else {}
        return [say(NO_OTHER_BELOW[len(names) > 1, within], **about)]
    if not short:
        return []
    each = [
        say(
            WITH_RATIO
            if not says(r.reason, CONCLUSIONS[BELOW_LINE, True])
            else WITH_RATIO_KNOWN
            if overturned_by(audit, r, metric)
            else WITH_RATIO_SHOWN,
            group=label_of(audit.protocol, r.attribute, r.group),
            ratio=impact_ratio(r.estimate),
        )
        for r in short
    ]
    values = {"groups": listed(each, MOST_BELOW), "n": len(others)}
    if len(others) == 1:
        return [say("The other ratio is below 0.80 as well: {groups}.", **values)]
    if len(others) == len(short):
        both = mark("Both other ratios are below 0.80, too: {groups}.")
        return [
            say(both if len(others) == 2 else mark("All {n} other ratios are below 0.80, too: {groups}."), **values)
        ]
    return [
        say_number(
            "{k} of the other {n} ratios is below 0.80: {groups}.",
            "{k} of the other {n} ratios are below 0.80: {groups}.",
            len(short),
            k=len(short),
            **values,
        )
    ]


NO_OTHER_BELOW = {  # by whether there are several attributes, whose intersections may be below, and within strata
    (False, False): mark("No other ratio is below 0.80."),
    (False, True): mark("No other ratio within the same {strata} is below 0.80."),
    (True, False): mark("By {names}, each by itself, no other group is below 0.80."),
    (True, True): mark("By {names}, each by itself, no other group is below 0.80 within the same {strata}."),
}


def _under_two_percent(audit: Audited, items: Sequence[Estimate]) -> list[str]:
    """The groups that are too few for the rule, with their ratios; where all are, they are counted nevertheless."""
    small, counted = [r for r in items if says(r.reason, SMALL_GROUP)], counted_by_rule(items)
    texts = {
        False: mark("Not counted, with under 2% of the people: {groups}."),
        True: mark("With under 2% of the people, and so not counted beside larger groups: {groups}."),
    }
    lines = []
    for nevertheless, text in texts.items():
        each = [
            say(WITH_RATIO, group=label_of(audit.protocol, r.attribute, r.group), ratio=impact_ratio(r.estimate))
            for r in small
            if (r in counted) is nevertheless
        ]
        lines += [say(text, groups=listed(each, MOST_BELOW))] if each else []
    return lines


ONE_LOW_SHOWN = mark(
    "In {strata} {stratum} by itself {first} {event} at {ratio} of the rate of {other} ({x} of {m} against {y} of "
    "{w}), beyond chance."
)
ONE_LOW = mark(
    "In {strata} {stratum} by itself {first} {event} at {ratio} of the rate of {other} ({x} of {m} against {y} of "
    "{w}), not shown to be beyond chance."
)
MANY_LOW_SHOWN = mark(
    "In {k} of {n} strata of {strata}, each by itself, a ratio is below 0.80 beyond chance; the lowest: in {stratum} "
    "{first} {event} at {ratio} of the rate of {other} ({x} of {m} against {y} of {w})."
)
MANY_LOW = mark(
    "In {k} of {n} strata of {strata}, each by itself, a ratio is below 0.80, not shown to be beyond chance; the "
    "lowest: in {stratum} {first} {event} at {ratio} of the rate of {other} ({x} of {m} against {y} of {w})."
)
MOST_BELOW = 8  # ratios that a sentence names
WITH_RATIO = mark("{group} ({ratio})")
WITH_RATIO_SHOWN = mark("{group} ({ratio}, beyond chance)")
WITH_RATIO_KNOWN = mark("{group} ({ratio}, beyond chance among those who are known)")
LOWEST = {  # by the side of four fifths, and whether the difference is significant, of all or of those who are known
    "below": mark(
        "{first} {event} at {ratio} of the rate of {other}, the highest ({rates}): below four fifths (0.80) "
        "in these data; the difference is beyond chance."
    ),
    "group": mark(
        "{first} {event} at {ratio} of the rate of {other}, the highest ({rates}): below four fifths (0.80) "
        "in these data; the difference is beyond chance among those whose {name} is known."
    ),
    "known": mark(
        "{first} {event} at {ratio} of the rate of {other}, the highest ({rates}): below four fifths (0.80) "
        "in these data; the difference is beyond chance among those who are known."
    ),
    "chance": mark(
        "{first} {event} at {ratio} of the rate of {other}, the highest ({rates}): below four fifths (0.80) "
        "in these data; whether the difference is beyond chance is not settled."
    ),
    "above": mark(
        "{first} {event} at {ratio} of the rate of {other}, the highest ({rates}): not below four fifths (0.80)."
    ),
    "pooled": mark("{first} {event} at {ratio} of the rate of {other}, the highest ({rates})."),
}
LOWEST_EQUAL = {
    "above": mark("{first} and {other} {event} at the same rate ({rates}): not below four fifths (0.80)."),
    "pooled": mark("{first} and {other} {event} at the same rate ({rates})."),
}
LOWEST_ABOVE_ONE = {  # where the others have under 2% of the people, and so set no highest rate
    "above": mark(
        "{first} {event} at {ratio} of the rate of {other}, the highest of groups with 2% of the people or more "
        "({rates}): not below four fifths (0.80)."
    ),
    "pooled": mark(
        "{first} {event} at {ratio} of the rate of {other}, the highest of groups with 2% of the people or more "
        "({rates})."
    ),
}
NOBODY_SELECTED = mark("No impact ratio: the rate of every group is 0, so there is no highest one to compare with.")
NO_RATIO = mark("Impact ratio withheld: the highest group may be a withheld one.")


def _ratios_to_highest(audit: Audited, ratios: str) -> tuple[list[Estimate], list[Estimate], list[Estimate]]:
    """All ratios of the declared attributes, those of known groups, and of these the ones that the rule counts."""
    names = declared(audit)
    rows = [r for r in audit.estimates.only(metric=ratios, role="main", contrast="ratio") if r.attribute in names]
    items = [r for r in rows if r.status == "ok" and r.estimate == r.estimate and not holds_missing(r.group)]
    return rows, items, counted_by_rule(items)


def _four_fifths_withheld(
    audit: Audited, rows: Sequence[Estimate], unsent: Sequence[Estimate], bounds: Estimates
) -> str:
    """On which side of the line ratios are whatever the people of withheld cells are, and of which that is open.

    unsent: of groups of which nobody is known.
    """

    def beside(row: Estimate) -> str:
        group, best = (short_name(audit.protocol, row.attribute, label) for label in (row.group, row.reference))
        if row.status == "suppressed":
            return say("{group}, withheld", group=group)
        ratio = ratio_of(row, bounds)
        if says(row.reason, OTHER_HIGHEST):
            return say("{group}, {ratio} of the highest rate of another group", group=group, ratio=ratio)
        return say("{group}, {ratio} of the rate of {best}", group=group, best=best, ratio=ratio)

    below = [row for row in rows if concluded_side(row) == BELOW_LINE]
    either = [row for row in rows if not concluded_side(row)]
    values = {"below": listed(list(map(beside, below))), "open": listed(list(map(beside, [*either, *unsent])))}
    if any(says(row.reason, OTHER_HIGHEST) for row in rows):
        return say(
            "Four-fifths rule (at least 0.80), whatever people were withheld: below it {below}; on either side of it "
            "{open}; which group has the highest rate is not known.",
            **values,
        )
    return say(
        "Four-fifths rule (at least 0.80), whatever people were withheld: below it {below}; on either side of it "
        "{open}.",
        **values,
    )


def ratio_of(row: Estimate, rows: Estimates) -> str:
    """A ratio, or where it may lie over the people of withheld cells."""
    about = {"metric": row.metric, "attribute": row.attribute, "group": row.group, "contrast": row.contrast}
    for bound in rows.only(**about, role="bounds", given=WITHHELD):
        if not bound.conf_low == bound.conf_high == bound.estimate:
            return span(bound.conf_low, bound.conf_high, impact_ratio)
    return impact_ratio(row.estimate)


# The sentences beside an answer: who scores higher, and the errors of both groups.


def who_scores_higher(audit: Audited, page: PageOne, result: Sequence[Answer]) -> str:
    """Who has the higher score on page one, where there are no errors to speak of; "" where that is the answer."""
    if any(line.has_difference for line in page.lines[1:]) or _answered(page, result):
        return ""
    return _with_unknown(audit, answer(audit, page.attribute, scored=True))


def scores_beside(audit: Audited, result: Sequence[Answer]) -> list[tuple[int, str]]:
    """Of each answer about something else who has the higher score, with its rank, as of `finding_parts`."""
    if not audit.protocol.score or audit.protocol.classes:
        return []
    each = [answer(audit, one.attribute, scored=True) for one in result if one.metric != "P(X>Y)"]
    return [(BESIDE, _with_unknown(audit, one)) for one in each]


def _with_unknown(audit: Audited, result: Answer) -> str:
    """Who has the higher score, with groups of unknown people that are shown to differ where no known one is."""
    text = scores_sentence(audit, result)
    found = [row for row in result.unknown if row.verdict in SHOWN and not holds_missing(row.group)]
    if not text or not found or (result.row is not None and result.row.verdict in SHOWN):
        return text
    about = audit.protocol, result.attribute
    names = [
        say("{group} ({pairs} of 100)", group=short_name(*about, row.group), pairs=_in_hundred(row.estimate))
        for row in found
    ]
    other = label_of(*about, result.reference)
    beside = say("Beside the named groups, shown to differ from {other}: {names}.", names=listed(names), other=other)
    return f"{text} {beside}"


def scores_sentence(audit: Audited, result: Answer) -> str:
    """Who has the higher score, as what happens in a hundred random pairs, with its interval and its verdict."""
    p, row = audit.protocol, result.row
    if row is None or not row.verdict:
        return ""
    about, bound = (p, result.attribute), bound_of(audit, row)
    unnamed = [one for one in result.unknown if not holds_missing(one.group)]
    more = len(result.shown) - 1 + sum(one.verdict in SHOWN for one in unnamed)
    values = {"score": score_noun(p), "one": people(*about, row.group), "other": other_people(*about, row.reference)}
    values["pairs"] = _in_hundred(row.estimate)
    ends = span(*decisive_interval(row), _in_hundred)
    values["interval"] = interval(audit, row, in_table=True, ends=ends)
    if row.conf_low == row.conf_low and (many := round(_comparisons(audit, row))) > 1:
        adjusted = mark("{interval}, adjusted for {n} comparisons")
        if p.p_adjust == BH:
            adjusted = mark("{interval}, adjusted for the false discovery rate")
        values["interval"] = say(adjusted, interval=values["interval"], n=count(many))
    if bound is not None:
        values["pairs"] = span(bound.conf_low, bound.conf_high, _in_hundred)
        values["interval"] = say("over what may have been withheld; {interval}", interval=values["interval"])
    values["strata"] = say(" within the same {strata}", strata=strata_name(audit)) if result.first else ""
    values["verdict"] = say(SETTLED_OF_SENTENCE[row.verdict])
    if more > 0 and row.verdict in SHOWN:
        m = len(result.family) - 1 + len(unnamed)
        others = {"k": count(more), "m": count(m), "verdict": values["verdict"]}
        some = mark("{verdict}, as for {k} of the other {m} groups")
        every = say_number("{verdict}, as for the other group", "{verdict}, as for all {m} other groups", m, **others)
        values["verdict"] = every if more == m else say(some, **others)
    if row.verdict in SHOWN:
        template = SCORES_LOWER if row.estimate < SAME_CHANCE else SCORES_HIGHER
    elif row.verdict == "equivalence shown":
        template = SCORES_ALIKE
    else:
        template = SCORES_OPEN if len(result.family) == 1 else SCORES_ALL_OPEN
    return capital(single_spaced(say(template, **values)))


QUALITY = ("AUC", "Brier score", "calibration intercept", "calibration slope")


def quality_of_scores(audit: Audited, attribute: str) -> str:
    """In what a score without decisions is shown to predict the outcome differently, of the group of which most is."""
    p = audit.protocol
    if p.decision or not p.score or not p.outcome or p.classes:
        return ""
    rows = [row for m in QUALITY for row in audit.estimates.only(attribute=attribute, metric=m, role="main")]
    shown = [row for row in rows if row.contrast == "difference" and row.verdict in SHOWN]
    if not shown:
        return ""
    counts = Counter(row.group for row in shown)
    group, reference = max(counts, key=lambda name: counts[name]), audit.references[attribute]
    levels = {(row.metric, row.group): row for row in rows if row.contrast == "none" and row.status == "ok"}
    parts = [
        say(
            "{metric} {one} against {other}",
            metric=metrics.in_text(metric),
            one=number(levels[metric, group].estimate, 3),
            other=number(levels[metric, reference].estimate, 3),
        )
        for metric in dict.fromkeys(row.metric for row in shown if row.group == group)
        if (metric, group) in levels and (metric, reference) in levels
    ]
    if not parts:
        return ""
    text = say(
        "How well {score} predicts the outcome differs by group ({verdict}; {one} against {other}): {parts}.",
        score=score_noun(p),
        verdict=say(SETTLED_OF_SENTENCE[next(row.verdict for row in shown)]),
        one=people(p, attribute, group),
        other=other_people(p, attribute, reference),
        parts="; ".join(parts),
    )
    if len(counts) == 1:
        return text
    others = say_number(
        "So it does for {k} other group.", "So it does for {k} other groups.", len(counts) - 1, k=count(len(counts) - 1)
    )
    return f"{text} {others}"


SAME_CHANCE = 0.5
SCORES_LOWER = mark(
    "{one} tend to have a lower {score} than {other}{strata}: the higher one in {pairs} of 100 random pairs "
    "({interval}, ties half; {verdict})."
)
SCORES_HIGHER = mark(
    "{one} tend to have a higher {score} than {other}{strata}: the higher one in {pairs} of 100 random pairs "
    "({interval}, ties half; {verdict})."
)
SCORES_ALIKE = mark(
    "{one} have a higher {score} than {other}{strata} in {pairs} of 100 random pairs "
    "({interval}, ties half: {verdict})."
)
SCORES_OPEN = mark(
    "That {one} and {other} differ in {score}{strata} is not shown: the first have the higher one in {pairs} of 100 "
    "random pairs ({interval}, ties half)."
)
SCORES_ALL_OPEN = mark(
    "That any group differs from {other} in {score}{strata} is not shown: {one}, the farthest, have the higher one in "
    "{pairs} of 100 random pairs ({interval}, ties half)."
)


def _in_hundred(chance: float) -> str:
    """A chance as a number of a hundred pairs, with as many digits as say whether it is 50.

    >>> _in_hundred(0.419), _in_hundred(0.4961), _in_hundred(0.5)
    ('42', '49.6', '50')
    """
    digits = 0
    while digits < 4 and abs(chance - SAME_CHANCE) > 1e-9 and round(100 * chance, digits) == 50:
        digits += 1
    return number(100 * chance, digits)


def _answered(page: PageOne, result: Sequence[Answer]) -> bool:
    """Whether the answer of the attribute is that of P(X>Y)."""
    return any(one.attribute == page.attribute and one.metric == "P(X>Y)" for one in result)


def _shares_of(line: Line) -> tuple[str, str]:
    """The shares of both groups as the table has them."""
    one, other = (
        say("{share}%", share=percent(row.estimate, 0 if row.n < FEW else 1)) for row in (line.rate, line.other)
    )
    return one, other


FEWEST_WITHOUT_COUNT = 500


def _with_count(named: str, rate: Estimate) -> str:
    """People of whom a rate is printed; of fewer than 500, how many of how many."""
    if not few_counted(rate, FEWEST_WITHOUT_COUNT):
        return named
    return say("{people} ({k} of {n})", people=named, k=number(rate.events, 0), n=number(rate.n, 0))


def _named_rate(protocol: Protocol, attribute: str, rate: Estimate) -> str:
    """Whose rate, and the rate; of fewer than 100 people, how many of how many."""
    name, share = short_name(protocol, attribute, rate.group), rate_or_count(rate)
    if FEWEST_COUNTED <= rate.n < FEW:
        values = {"k": number(rate.events, 0), "n": count(rate.n)}
        return say("{name} {share} ({k} of {n})", name=name, share=share, **values)
    return say("{name} {share}", name=name, share=share)


def _beside(audit: Audited, page: PageOne, line: Line) -> str:
    """Another rate of both groups, the higher first as the claim has them, with what is not settled."""
    order = 1 if line.row.estimate > 0 else -1
    groups, rates_of = (page.group, page.reference)[::order], (line.rate, line.other)[::order]
    shares, about = _shares_of(line)[::order], (audit.protocol, page.attribute)
    names = both_people(*about, *groups)[0], people(*about, groups[1])  # "such those with b" is no English
    one, two = map(_with_count, names, rates_of)
    rates = say(
        "Of those who {condition}, {first} of {one} and {other} of {two} {event}",
        one=one,
        two=two,
        first=shares[0],
        other=shares[1],
        **parts(deed(audit.protocol, METRICS[line.metric].event)),
        **condition_of(audit, line.metric),
    )
    return single_spaced(_with_gap(audit, line, rates))


def _with_gap(audit: Audited, line: Line, rates: str) -> str:
    """Rates with the interval of their difference: in the direction that makes it positive, or with its direction."""
    row = line.row
    verdict = line.gap.verdict or "inconclusive"  # as the tables have it
    low, high = decisive_interval(row)
    if low != low or high != high or (verdict == "inconclusive" and not low <= 0 <= high):
        return say(_SETTLED[verdict], rates=rates)
    values = {
        "rates": rates,
        "points": percent(abs(row.estimate), 0) if line.few else points_apart(row, (line.rate, line.other)),
        "ends": _ends(row, line.few),
        "people": people(audit.protocol, row.attribute, row.group),
    }
    if line.alone:  # the claim says that it is tentative
        return say(_GAPS["disparity shown"], **values)
    margin = audit.protocol.margin.difference
    if not covers_none(row) and margin is not None and verdict == "disparity shown":
        size = mark("beyond margin") if beyond(row, margin) else mark("size open: perhaps within the margin")
        size = say(size)
        return say("{rates} (gap {points} points, {ends}; {size}).", size=size, **values)
    if not covers_none(row):
        return say(_GAPS[verdict], **values)
    sides = _GAPS_LESS if row.estimate < 0 else _GAPS_MORE
    return say(sides[verdict == "equivalence shown"], **values)


_GAPS = {
    "disparity shown": mark("{rates} (gap {points} points, {ends})."),
    "flagged": mark("{rates} (gap {points} points, {ends})."),
    "equivalence shown": mark("{rates}: a difference within the margin (gap {points} points, {ends})."),
}
# of a gap that may be 0, by whether it is shown to be within the margin
_GAPS_LESS = (
    mark("{rates}, {points} points less among {people} (interval {ends})."),
    mark("{rates}: the same, within the margin ({points} points less among {people}, {ends})."),
)
_GAPS_MORE = (
    mark("{rates}, {points} points more among {people} (interval {ends})."),
    mark("{rates}: the same, within the margin ({points} points more among {people}, {ends})."),
)
_SETTLED = {
    "disparity shown": "{rates}.",
    "flagged": "{rates}.",
    "equivalence shown": mark("{rates}: the same, within the margin."),
    "inconclusive": mark("{rates}: the data do not settle whether that differs."),
}


# The main findings of page one: a claim, and the numbers that it rests on.


MOST_FINDINGS = 5
# Of an error by what is known of it. The group is the one that has more of the error; of predictive values the first is
# the one whose predictions are right less often.
LEADS = {
    ("FPR", "shown"): mark("{errors} are more frequent {place}."),
    ("FNR", "shown"): mark("{errors} are more frequent {place}."),
    ("PPV", "shown"): mark("Of those who {condition}, a smaller share of {first} than of {other} {event}:"),
    ("FPR", "alone"): mark("Tentative: {errors} may be more frequent {place}."),
    ("FNR", "alone"): mark("Tentative: {errors} may be more frequent {place}."),
    ("PPV", "alone"): mark(
        "Tentative: of those who {condition}, perhaps a smaller share of {first} than of {other} {event}:"
    ),
    ("FPR", "equal"): mark("{errors} are about equally frequent among {first} and {other}."),
    ("FNR", "equal"): mark("{errors} are about equally frequent among {first} and {other}."),
    ("PPV", "equal"): mark("Of those who {condition}, about as many {first} as {other} {event}:"),
}
STATES = ("shown", "alone", "equal")  # in which order findings stand; what is open is none

THAN_AMONG, AS_AMONG = mark("{place} than {other}"), mark("{place} as {other}")
THAN = mark("among {one} than {two}")  # of several attributes in one claim
TIMES_LEADS = mark("{errors} are {times} as frequent {place}.")


def main_findings(audit: Audited, page: PageOne, result: tuple[Answer, ...]) -> list[tuple[str, str]]:
    """Up to five claims beside the answer, each with its numbers: errors that are shown, combinations, other errors.

    Of one error that is shown in two attributes the second follows the first. Errors of other groups than those of an
    answer are findings only where they are shown with every comparison allowed for that page one could have picked.
    """
    return [(claim, text) for _, claim, text in _findings(audit, page, result)]


def numbers_of_findings(audit: Audited, page: PageOne, result: tuple[Answer, ...]) -> dict[str, list[int]]:
    """The numbers of the main findings of each error."""
    numbered = dict[str, list[int]]()
    for n, (metric, *_) in enumerate(_findings(audit, page, result), 1):
        numbered.setdefault(metric, []).append(n)
    return numbered


def _findings(audit: Audited, page: PageOne, result: tuple[Answer, ...]) -> list[tuple[str, str, str]]:
    """The main findings, each with its error before it; of combinations with ""."""
    errors = _errors_found(audit, page, result)
    crossed = combinations_found(audit, result, counted=bool({*audit.protocol.intersections} & {*audit.references}))
    out = [
        *(found for state, *found in errors if state == "shown"),
        *(("", *found) for found in crossed),
        *(found for state, *found in errors if state != "shown"),
    ]
    return [(metric, claim, text) for metric, claim, text in out[:MOST_FINDINGS]]


BY_CHANCE = mark(
    "Tentative: its interval leaves out 0, but of several rates compared in addition to the gap one may differ this "
    "much by chance."
)


def has_tentative(audit: Audited, page: PageOne, result: tuple[Answer, ...]) -> bool:
    """Whether a difference in an error is beyond chance for that rate alone."""
    return any(state == "alone" for state, *_ in _errors_found(audit, page, result))


def at_once(audit: Audited, page: PageOne) -> str:
    """That not all errors can be equal, where page one has every one; "" elsewhere."""
    if not _cannot_be_equal(audit, page):
        return ""
    one, two, three = (error_noun(audit.protocol, metric) for metric in ERRORS)
    return single_spaced(say(AT_ONCE, one=one, two=two, three=three, **parts(outcome_event(audit))))


def outcomes_and_errors(audit: Audited, result: tuple[Answer, ...]) -> list[str]:
    """The outcomes of the groups of the first answer, the errors that are shown to differ, and what is not settled."""
    page = page_one(audit, result) if audit.protocol.outcome and not audit.protocol.classes else None
    if page is None or not page.lines[1:]:
        return []
    lead = next(one for one in result if one.attribute == page.attribute)
    errors = _errors_found(audit, page, result, counted=True)
    found = [f"{claim} {text}" for state, _, claim, text in errors if state == "shown"]
    return [outcomes_beside(audit, lead, page.level), *found, not_settled(audit, result)]


ALSO_COMPARED = mark("Also compared, not settled")


def not_settled(audit: Audited, result: Sequence[Answer], tabled: Collection[str] | None = None) -> str:
    """Of which errors no difference by an attribute is shown, nor that there is none; "" where there are none.

    tabled: the errors that have a column beside it, which shows that; without them neither gaps nor limits are said.
    """
    p, found, with_gaps = audit.protocol, list[str](), False
    lead, *_ = spoken_of(result)
    # what is open of the first answer stands first
    metrics = [metric for metric in found_of(audit) if p.outcome and metric not in (tabled or ())]
    for metric in sorted(metrics, key=lambda name: not _is_open(audit, lead, name)):
        about = {"metric": metric, "role": "main", "term": "", "given": "", "status": "ok"}
        each = []
        for one in spoken_of(result):
            rows = audit.estimates.only(**about, attribute=one.attribute)
            rates = {row.group: row for row in rows.only(contrast="none")}
            pair = [rates[group] for group in (one.group, one.reference) if group in rates]
            if not _is_open(audit, one, metric):
                continue
            if len(pair) < 2 or min(map(people_in, pair)) < FEWEST_CROSSED:
                each.append(say("by {name}", name=p.called(one.attribute)))
                continue
            first, other = (_named_rate(p, one.attribute, row) for row in pair)
            text = say("{first}, {other}", first=first, other=other)
            named = {one.group, one.reference}
            row = next((r for r in rows.only(contrast="difference") if {r.group, r.reference} == named), None)
            if tabled is None and row is not None and row.conf_low == row.conf_low:
                row = row if row.group == one.group else turned(row)
                digits = 0 if min(rate.n for rate in pair) < FEW else 1
                limits, decimals = decisive_interval(row), partial(percent, digits=digits)
                values = {"gap": signed(100 * row.estimate, digits), "ends": span(*limits, decimals)}
                apart = mark("{rates}: {gap}, {ends}")
                less, more = (round(100 * rate.estimate, 0 if rate.n < FEW else 1) for rate in pair)
                if not subtracts(less, more, 100 * row.estimate, digits):
                    apart = mark("{rates}: about {gap}, {ends}")
                text = say(apart, rates=text, **values)
                with_gaps = True
            each.append(text)
        if each:
            found.append(say("{errors} ({each})", errors=error_noun(p, metric), each="; ".join(each)))
    values = {"lead": say(ALSO_COMPARED), "each": "; ".join(found)}
    if with_gaps:
        return say("{lead} (gaps in points): {each}.", **values)
    return say("{lead}: {each}.", **values) if found else ""


def _is_open(audit: Audited, one: Answer, metric: str) -> bool:
    """Whether no group of an attribute is shown to differ from the reference in a rate, nor to be like it."""
    about = {"attribute": one.attribute, "metric": metric, "role": "main", "term": "", "given": "", "status": "ok"}
    rows = audit.estimates.only(**about, contrast="difference")
    return bool(rows) and all(row.verdict == "inconclusive" for row in rows)


def combinations_found(audit: Audited, result: Sequence[Answer], counted: bool = False) -> list[tuple[str, str]]:
    """Claims of intersections with their numbers: where two attributes that differ meet, or the farthest groups.

    counted: as in `where_crossed`.
    """
    spoken, of, found = spoken_of(result), meeting(audit, result), list[tuple[str, str]]()
    if of is not None and of.row is not None:
        found = where_crossed(audit, spoken, list(filter(None, (_wider_than_meeting(audit, of), of.name))), counted)
        if not found:
            found = [(_both_at_once(audit, of), "")]
        elif farthest_shown(crossed_gaps(audit, of.name, of.lead.metric)) is not of.row:
            found[-1] = found[-1][0], f"{found[-1][1]} {_both_at_once(audit, of)}"
    elif any(one.code != "equivalence shown" for one in spoken):  # else it is said what is open there
        found = where_crossed(audit, spoken, counted=counted)
    return found


def outcomes_apart(audit: Audited, result: Answer, gap: Estimate | None) -> Estimate | None:
    """The difference of the outcomes of the groups of a gap, where it is beyond chance."""
    row = outcome_difference(audit, result, gap)
    return row if row is not None and remains(row) else None


def outcome_event(audit: Audited, text: str = "") -> str:
    """The outcome as a verb phrase, and of whom it is known where that hangs on the decision.

    text: the phrase, by default that of the protocol.
    """
    text, side = text or deed(audit.protocol, "Y=1"), without_outcomes(audit)
    if side is not None:
        values = parts(deed(audit.protocol, f"D={1 - side}"), "condition")
        return single_spaced(say("{event}, of those who {condition}", event=text, **values))
    known_unlike = without_outcomes(audit, MUCH_LESS) is not None
    return say("{event}, of those whose outcome is known", event=text) if known_unlike else text


def known_alone(audit: Audited, attribute: str) -> str:
    """Of whom the AUC of a score is, where the outcome is known of one decision, or nearly so; else nothing."""
    side = without_outcomes(audit)
    rows = audit.estimates.only(attribute=attribute, metric="AUC", role="main", contrast="none", given="")
    n = sum(row.n for row in rows)
    if side is None or not n > 0:
        return ""
    cells = [cell for cell in audit.cells if cell.attribute == attribute]
    others = sum(cell.tp + cell.fp if side else cell.tn + cell.fn for cell in cells)
    values = parts(deed(audit.protocol, f"D={1 - side}").replace("`", ""), "condition")  # captions have no code
    values |= {"n": count(n), "people": audit.protocol.labels.unit or say("people")}
    if others == 0:
        return single_spaced(say("of the {n} {people} whose outcome is known, all of whom {condition}", **values))
    return single_spaced(say("of the {n} {people} whose outcome is known, nearly all of whom {condition}", **values))


def _outcome_rates(audit: Audited, attribute: str) -> dict[str, Estimate]:
    """The outcome rate of each group of an attribute, or of an intersection, that has one."""
    about = {"metric": "base rate", "attribute": attribute, "role": "main", "given": "", "contrast": "none", "term": ""}
    return {row.group: row for row in audit.estimates.only(**about, status="ok")}


def outcomes_beside(audit: Audited, result: Answer, level: float, after_gap: bool = False) -> str:
    """The outcomes of the groups of an answer: a gap in decisions alone could be read as leniency, or as harshness.

    level: of findings beside the answers, which a comparison of both gaps is; after_gap: whether the sentence before it
    has the gap in decisions.
    """
    rates = _outcome_rates(audit, result.attribute)
    if result.metric == "base rate" or not {result.group, result.reference} <= {*rates}:
        return ""
    allowed = level / (1 - audit.protocol.conf_level)
    if several(audit, result):
        lines = _outcomes_of_several(audit, result, rates, allowed)
    else:
        lines = [_outcomes_of_two(audit, result, rates, allowed, after_gap)]
    if result.within is not None:  # the answer is of a gap that holds something fixed
        lines.append(say("These rates are without regard to {strata}.", strata=names_of(audit, result.within.given)))
    return " ".join(lines)


def _outcomes_of_two(
    audit: Audited, result: Answer, rates: Mapping[str, Estimate], allowed: float, after_gap: bool
) -> str:
    """Whether the outcomes of two groups differ, too, and whether by more than the decisions."""
    p, row = audit.protocol, outcomes_apart(audit, result, result.gap)
    kind, values = "open", parts(outcome_event(audit))
    in_times = result.gap is not None and _emphasis(result, _kind(result))[0] == "times"
    if result.gap is not None and row is not None:
        beside = decisions_beside(audit, row, result.gap, allowed)
        apart = {beside.points, beside.ratio} == {"more", "less"}  # ratios say the opposite of points
        kind = ("" if apart else beside.points) if result.differs else "alone"
    pair = (result.group, result.reference)
    if row is not None:
        shares = [rates[group] for group in pair]
        few = min(rate.n for rate in shares) < FEW
        values["points"] = percent(abs(row.estimate), 0) if few else points_apart(row, shares)
    if result.gap is not None and result.gap.estimate < 0 and in_times:
        pair = pair[::-1]  # as in the headline
    one, two = both_people(p, result.attribute, *pair)
    x, y = (rate_or_count(rates[group]) for group in pair)
    each = say("{x} of {one} and {y} of {two} {event}", x=x, y=y, one=one, two=two, **values)
    if result.gap is not None and row is not None:
        values["gap"] = percent(abs(result.gap.estimate), 0 if result.few else 1)
        values["deed"] = short_deed(p)
    least, most = sorted(rates[group].estimate for group in pair)
    if kind in ("more", "less", "") and in_times and result.within is None and least > 0:
        values["n"] = number(most / least, 1)
        in_points = mark("{each}: {n} times as often, a gap of {points} points.")
        return single_spaced(say(in_points, each=each, **values))
    # the gap in decisions is one within strata, that in outcomes is not
    of_two = OUTCOMES if after_gap or result.within is not None else OUTCOMES_OF_TWO
    return single_spaced(say(of_two[kind], each=each, **values))


def _outcomes_of_several(audit: Audited, result: Answer, rates: Mapping[str, Estimate], allowed: float) -> list[str]:
    """The outcome rates of the largest group and of the others, by whether their gap is that in decisions."""
    p, a = audit.protocol, result.attribute
    found: dict[str, list[tuple[Estimate, Estimate | None]]] = {}  # by how decisions differ beside them
    for gap in _in_table_order(audit, a, not_small(result.all_shown)):
        if gap.group in rates:
            row = outcomes_apart(audit, result, gap)
            side = "open" if row is None else decisions_beside(audit, row, gap, allowed).points
            found.setdefault(side, []).append((rates[gap.group], row))
    lines: list[str] = []
    values = parts(outcome_event(audit)) | {
        "share": rate_or_count(rates[result.reference]),
        "reference": people(p, a, result.reference),
    }
    sides = [side for side in OUTCOMES if side in found]
    for side in [side for side in sides if side != "open"] or sides:
        names = [
            say("{rate} ({name})", rate=rate_or_count(rate), name=short_name(p, a, rate.group))
            for rate, _ in found[side]
        ]
        gaps = [abs(row.estimate) for _, row in found[side] if row is not None]
        if gaps:
            ends = [percent(end(gaps)) for end in (min, max)]
            values["points"] = ends[0] if len({*ends}) == 1 else say("{low} to {high}", low=ends[0], high=ends[1])
        each = say("{share} of {reference} {event}, against {others}", others=listed(names, MOST_IN_SENTENCE), **values)
        lines.append(single_spaced(say(OUTCOMES[side], each=each, **values)))
    return lines


OUTCOMES = {  # by how they differ beside a gap in decisions
    "more": mark("{each}, a smaller gap: {points} points."),
    "less": mark("{each}, a larger gap: {points} points."),
    "": mark("{each}, a gap of {points} points."),
    "opposite": mark("{each}, a gap the other way: {points} points."),
    "alone": mark("{each}, a gap of {points} points."),
    "open": mark("{each}: a difference is not shown."),
}
OUTCOMES_OF_TWO = OUTCOMES | {  # with the one gap in decisions, where it does not stand before
    "more": mark("{each}, a smaller gap: {points} points ({deed}: {gap})."),
    "less": mark("{each}, a larger gap: {points} points ({deed}: {gap})."),
    "": mark("{each}, a gap of {points} points ({deed}: {gap})."),
}


def _errors_found(
    audit: Audited, page: PageOne, result: tuple[Answer, ...], counted: bool = False
) -> list[tuple[str, str, str, str]]:
    """Of each error that is not open its state, metric, claim and numbers, once by attribute.

    counted: with how many fewer people it would be at the rate of the reference.
    """
    lead = next(one for one in result if one.attribute == page.attribute)
    of_all = several(audit, lead)
    found = [row for m in found_of(audit) if of_all for row in _errors_of_several(audit, page, lead, m)]
    named = {(metric, page.attribute) for _, metric, *_ in found}
    lines = [(page, line) for line in page.lines[1:] if line.has_difference and not of_all]
    lines += [pair for pair in elsewhere(audit, page, result) if not (of_all and pair[0].attribute == page.attribute)]
    kept, again = list[tuple[PageOne, Line]](), dict[tuple[str, str], list[Line]]()
    for about, line in lines:
        if _state(line) in STATES and (line.metric, about.attribute) not in named:
            named.add((line.metric, about.attribute))
            kept.append((about, line))
        elif _state(line) == "shown":
            again.setdefault((line.metric, about.attribute), []).append(line)
    kept.sort(
        key=lambda one: -distance(one[1].gap)[0] if one[1].metric == "PPV" else 0.0
    )  # the claim is of the farthest
    for about, line in kept:
        at = next((i for i, one in enumerate(found) if one[:2] == (_state(line), line.metric)), None)
        if at is None:
            alike = [pair for pair in kept if (_state(pair[1]), pair[1].metric) == (_state(line), line.metric)]
            state, metric, claim, text = _error(audit, alike)
            fewer = _fewer(audit, about, line) if counted and metric != "PPV" else ""
            found.append((state, metric, claim, f"{text} {fewer}".rstrip()))
            at = len(found) - 1
        else:
            state, metric, claim, text = found[at]
            found[at] = state, metric, claim, f"{text} {_likewise(audit, about, line)}"
        if others := _others_beyond(audit, about, line.metric, again.get((line.metric, about.attribute), [])):
            state, metric, claim, text = found[at]
            found[at] = state, metric, claim, f"{text} {others}"
    return sorted(found, key=lambda one: (STATES.index(one[0]), errors_of(audit).index(one[1])))


def _state(line: Line) -> str:
    known = {"equivalence shown": "equal", "inconclusive": "open"}
    return "alone" if line.alone else known.get(line.verdict, "shown")


def elsewhere(audit: Audited, page: PageOne, result: tuple[Answer, ...]) -> list[tuple[PageOne, Line]]:
    """Errors of other comparisons: those that are shown, and of the other answers' pairs those shown by themselves."""
    rows = list(further_findings(audit, page, result))
    said = {(row.attribute, row.metric) for row in rows}
    for one in result:
        if one.attribute == page.attribute or not one.group:
            continue
        about = {"attribute": one.attribute, "role": "main", "contrast": "difference", "term": "", "given": ""}
        for row in audit.estimates.only(**about, group=one.group):
            new = row.metric in found_of(audit) and (row.attribute, row.metric) not in said
            rows += [row] if new and row.verdict in SHOWN and row.reference == one.reference else []
    out = []
    for row in rows:
        about_page = replace(page, attribute=row.attribute, group=row.group, reference=row.reference)
        out.append((about_page, replace(line_of(audit, row), shown=shown(row, page.level))))
    return out


def _error(audit: Audited, alike: Sequence[tuple[PageOne, Line]]) -> tuple[str, str, str, str]:
    """A finding of one error of two groups: what is known of it, its rate, the claim, the numbers.

    alike: the comparison and those of other attributes of which the same is known; a tentative claim names all.
    """
    page, line = alike[0]
    p, state = audit.protocol, _state(line)
    higher = line.row.estimate > 0
    if line.metric == "PPV":  # whose predictions are right less often comes first
        first, other = (page.reference, page.group) if higher else (page.group, page.reference)
        values = parts(deed(p, METRICS["PPV"].event)) | condition_of(audit, "PPV")
        one, two = both_people(p, page.attribute, first, other)
        values |= {"first": one, "other": two}
        shares = _shares_of(line)[:: -1 if higher else 1]
        rates = say("{first} against {other}", first=shares[0], other=shares[1])
        return state, "PPV", single_spaced(say(LEADS["PPV", state], **values)), _with_gap(audit, line, rates)
    low, high = sorted(round(rate.estimate, 3) for rate in (line.rate, line.other))  # as they are printed
    times = "" if state != "shown" or line.few else times_as(high, low)
    place = placed(p, page.attribute, page.group if higher else page.reference)
    if times or sum(cell.attribute == page.attribute for cell in audit.cells) > 2:  # others may have more of it
        place = _than(audit, page, line, AS_AMONG if times else THAN_AMONG)
    if state == "alone" and len(alike) > 1:
        place = listed([_than(audit, *pair, template=THAN) for pair in alike])
    one, two = people(p, page.attribute, page.group), people(p, page.attribute, page.reference)
    values = {"place": place, "times": times, "first": one, "other": two, "errors": error_noun(p, line.metric)}
    claim = single_spaced(say(TIMES_LEADS if times else LEADS[line.metric, state], **values))
    return state, line.metric, capital(claim), _beside(audit, page, line)


def condition_of(audit: Audited, metric: str) -> dict[str, str]:
    """The people of whom a rate is, as the parts of a sentence."""
    return parts(deed(audit.protocol, METRICS[metric].given), "condition")


def _than(audit: Audited, page: PageOne, line: Line, template: str) -> str:
    """Among whom there is more of an error, than among whom."""
    p, a = audit.protocol, page.attribute
    more, less = (page.group, page.reference)[:: 1 if line.row.estimate > 0 else -1]
    one, two = both_people(p, a, more, less)
    return say(template, place=placed(p, a, more), other=placed(p, a, less), one=one, two=two)


def _likewise(audit: Audited, page: PageOne, line: Line) -> str:
    """The same error of the groups of another attribute, in short: the group that has more of it first."""
    order = -1 if line.row.estimate < 0 else 1
    pairs, shares = ((page.group, line.rate), (page.reference, line.other))[::order], _shares_of(line)[::order]
    names = both_people(audit.protocol, page.attribute, *(group for group, _ in pairs))
    one, two = (_with_count(name, rate) for name, (_, rate) in zip(names, pairs, strict=True))
    values = {"name": audit.protocol.called(page.attribute), "one": one, "two": two}
    rates = say("By {name}: {first} of {one} and {other} of {two}", first=shares[0], other=shares[1], **values)
    return single_spaced(_with_gap(audit, line, rates))


def _others_beyond(audit: Audited, page: PageOne, metric: str, lines: Sequence[Line]) -> str:
    """Further groups that are shown to differ from the reference in the error of a finding, with their rates.

    lines: those that are shown; of other groups by whose own test alone they differ it is said that this is tentative.
    """
    p, a, said = audit.protocol, page.attribute, list[str]()
    sure = [(line.row, line.rate) for line in lines if line.row.reference == page.reference != line.row.group]
    about = {"attribute": a, "metric": metric, "role": "main", "contrast": "difference", "term": "", "given": ""}
    others = audit.estimates.only(**about, reference=page.reference)
    tentative = [line_of(audit, row) for row in others if row.group != page.group and alone(row, page.level)]
    perhaps = [(line.row, line.rate) for line in tentative]
    for text, higher, rows in (
        (mark("{groups}: more than {other}."), True, sure),
        (mark("{groups}: less than {other}."), False, sure),
        (mark("Tentative: {groups}, more than {other}."), True, perhaps),
        (mark("Tentative: {groups}, less than {other}."), False, perhaps),
    ):
        each = [
            say("{name} ({rate})", name=short_name(p, a, row.group), rate=rate_or_count(rate))
            for row, rate in rows
            if (row.estimate > 0) == higher
        ]
        if each:
            said.append(say(text, groups=listed(each, MOST_NAMED), other=other_people(p, a, page.reference)))
    return " ".join(said)


OF_SEVERAL_LEADS = {  # by whether it is one of predictive values, and whether the others have less
    (False, True): mark("{errors} are more frequent {place}."),
    (False, False): mark("{errors} are less frequent {place}."),
    (True, True): mark("Of those who {condition}, {first} {event} more often than {n} of {count} other groups."),
    (True, False): mark("Of those who {condition}, {first} {event} less often than {n} of {count} other groups."),
}
SEVERAL_BEYOND = mark("Of those who {condition}, {share}% of {first} {event}, against {others}.")


def _errors_of_several(audit: Audited, page: PageOne, lead: Answer, metric: str) -> list[tuple[str, str, str, str]]:
    """One error of the largest group beside that of every group that is shown to differ from it."""
    p, a, reference, right = audit.protocol, page.attribute, lead.reference, metric == "PPV"
    about = {"metric": metric, "attribute": a, "role": "main", "given": "", "term": "", "status": "ok"}
    rates = {row.group: row for row in audit.estimates.only(**about, contrast="none")}
    rows = [r for r in audit.estimates.only(**about, contrast="difference") if r.group in rates]
    rows = [row for row in rows if not holds_missing(row.group)]
    if reference not in rates or not rows:
        return []
    values = parts(deed(p, METRICS[metric].event)) | condition_of(audit, metric)
    values |= {"first": people(p, a, reference), "errors": error_noun(p, metric), "count": str(len(rows))}
    values["share"] = percent(rates[reference].estimate, 0 if rates[reference].n < FEW else 1)
    result = []
    for less in (True, False):  # of the others
        fit = [r for r in rows if shown(r, page.level) and (r.estimate < 0) == less]
        if not fit:
            continue
        names = [
            say("{rate} ({name})", rate=rate_or_count(rates[r.group]), name=short_name(p, a, r.group)) for r in fit
        ]
        place = placed(p, a, reference)
        if len(fit) < len(rows):
            place = say("{place} than in {n} of {count} other groups", place=place, n=len(fit), count=len(rows))
        claim = say(OF_SEVERAL_LEADS[right, less], place=place, n=len(fit), **values)
        text = say(SEVERAL_BEYOND, others=listed(names, MOST_IN_SENTENCE), **values)
        result.append(("shown", metric, capital(single_spaced(claim)), single_spaced(text)))
    return result


@dataclass(frozen=True)
class Meeting:
    """Where the worse groups of two attributes meet, and the better ones: their rates and their comparison, if any."""

    name: str
    lead: Answer
    rates: Mapping[tuple[str, ...], Estimate]
    lows: tuple[str, ...]
    highs: tuple[str, ...]
    row: Estimate | None

    def others(self, audit: Audited) -> tuple[int, int]:
        """How many further groups that meet are shown to fare worse than the reference, and how many better."""
        if self.row is None or tuple(split(self.row.group)) != (self.highs if self.lead.flags else self.lows):
            return 0, 0
        about = {"metric": self.row.metric, "attribute": self.name, "contrast": "difference", "role": "main"}
        rows = audit.estimates.only(**about, given="", term="", status="ok", reference=self.row.reference)
        worse = [row.estimate * self.row.estimate > 0 for row in rows if row.verdict in SHOWN and row is not self.row]
        return sum(worse), len(worse) - sum(worse)

    def worse(self, protocol: Protocol) -> str:
        """The people who fare worse."""
        return self._named(protocol, self.lead.flags)

    def better(self, protocol: Protocol) -> str:
        """The people who fare better."""
        return self._named(protocol, not self.lead.flags)

    def _named(self, protocol: Protocol, high: bool) -> str:
        return crossed_people(protocol, protocol.columns_of(self.name), self.highs if high else self.lows)


def meeting(audit: Audited, result: Sequence[Answer]) -> Meeting | None:
    """Where two attributes that both differ meet, if their rates do too."""
    fit = [one for one in result if one.differs and one.has_difference and not several(audit, one)]
    if len(fit) < 2 or len({one.metric for one in fit[:2]}) > 1 or any(one.within or one.bounds for one in fit[:2]):
        return None
    p, pair = audit.protocol, fit[:2]
    name = next((n for n in _intersections(audit) if set(p.columns_of(n)) == {one.attribute for one in pair}), "")
    order = sorted(pair, key=lambda one: p.columns_of(name).index(one.attribute)) if name else []
    rates = _crossed_rates(audit, name, pair[0])
    lows = tuple(one.group if one.gap.estimate < 0 else one.reference for one in order)  # type: ignore[union-attr]
    highs = tuple(one.reference if one.gap.estimate < 0 else one.group for one in order)  # type: ignore[union-attr]
    if lows not in rates or highs not in rates:
        return None
    low, high = rates[lows], rates[highs]
    row = _declared_row(audit, low, high)
    apart = low.conf_high < high.conf_low if row is None else row.verdict in SHOWN
    if not apart or min(map(people_in, (low, high))) < FEW:
        return None
    return Meeting(name, pair[0], rates, lows, highs, row)


def _both_at_once(audit: Audited, found: Meeting) -> str:
    """The rates where the worse groups of two attributes meet, and the better ones, with their gap."""
    p, name, lead, row = audit.protocol, found.name, found.lead, found.row
    assert row is not None
    lows, highs, rates = found.lows, found.highs, found.rates
    low, high = rates[lows], rates[highs]
    first, second = (high, low) if lead.flags else (low, high)
    named = {"one": lows, "two": highs} if first is low else {"one": highs, "two": lows}
    called = {key: crossed_people(p, p.columns_of(name), groups) for key, groups in named.items()}
    values = called | {"first": rate_or_count(first), "other": rate_or_count(second)}
    said = capital(say("{one} {first}, {two} {other}", **values))
    if row.conf_low != row.conf_low:
        return say(_SETTLED["disparity shown"], rates=said)
    gaps = {"points": percent(abs(row.estimate)), "ends": _ends(row)}
    return say(_GAPS["disparity shown"], rates=said, **gaps)


def _farthest(columns: Sequence[str], rates: Mapping[tuple[str, ...], Estimate], fewest: int) -> list[tuple[str, ...]]:
    """The combinations of all columns with the lowest and the highest rate, of those with so many people."""
    known = [g for g, row in rates.items() if people_in(row) >= fewest and not holds_missing(row.group)]
    kept = [groups for groups in known if len(groups) == len(columns)]
    ends = [end(kept, key=lambda groups: rates[groups].estimate) for end in (min, max)] if kept else []
    return ends if len({*ends}) > 1 else []


def _sides(rows: Sequence[Estimate], flags: bool) -> tuple[int, int]:
    """How many groups are shown to have a lower and a higher rate than the reference, as the rates are printed."""
    lower = [(row.estimate < 0) != flags for row in rows if row.verdict in SHOWN]
    return sum(lower), len(lower) - sum(lower)


def columns_named(protocol: Protocol, name: str) -> str:
    """The attributes of an intersection at the head of a sentence: ``Sex and race``."""
    return capital(listed([protocol.called(column) for column in protocol.columns_of(name)]))


def _wider_than_meeting(audit: Audited, of: Meeting) -> str:
    """The intersection with the widest gap that is shown, where that is wider than any where two answers meet."""
    gaps = {name: widest(rows) for name, rows in gaps_of_combinations(audit, of.lead.metric).items()}
    first = max(gaps, key=lambda name: gaps[name])
    return first if gaps[first] > gaps[of.name] else ""


def gaps_of_combinations(audit: Audited, metric: str) -> dict[str, list[Estimate]]:
    """The differences of a rate within each intersection."""
    return {name: crossed_gaps(audit, name, metric) for name in _intersections(audit)}


def _farthest_combination(audit: Audited, result: Sequence[Answer]) -> str:
    """The difference between combinations of attributes that is shown and farther from equality than every answer."""
    lead = _lead_of_combinations(result)
    rows = [] if lead is None else [row for one in gaps_of_combinations(audit, lead.metric).values() for row in one]
    row = farthest_shown(rows)
    gaps = [one.gap for one in result if one.gap is not None]
    if lead is None or row is None or any(distance(gap) >= distance(row) for gap in gaps):
        return ""
    columns, rates = audit.protocol.columns_of(row.attribute), _crossed_rates(audit, row.attribute, lead)
    ends = _pair_of(row)
    if not {*ends} <= {*rates}:
        return ""
    one, two = (crossed_people(audit.protocol, columns, groups) for groups in ends)
    values = {"gap": gap(audit, row), "low": _with_few(rates[ends[0]]), "high": _with_few(rates[ends[1]])}
    text = say(
        "The farthest difference that is shown is one of combinations: {low} of {one} against {high} of {two} {event}, "
        "{gap}.",
        one=one,
        two=two,
        **values,
        **parts(answer_deed(audit.protocol, lead)),
    )
    return single_spaced(text)


def _lead_of_combinations(result: Sequence[Answer]) -> Answer | None:
    """The answer whose rate combinations are compared by."""
    lead = next((one for one in result if one.has_difference and one.within is None and not one.taken_back), None)
    shares = lead is not None and METRICS[lead.metric].scale == PERCENT and lead.metric not in without_event()
    return lead if shares else None


def crossed_gaps(audit: Audited, name: str, metric: str) -> list[Estimate]:
    """The differences of an attribute, or of an intersection, but those of people whose group is missing."""
    about = {"metric": metric, "attribute": name, "contrast": "difference", "role": "main"}
    rows = audit.estimates.only(**about, given="", term="", status="ok")
    return [row for row in rows if not holds_missing(row.group)]


def where_crossed(
    audit: Audited, result: Sequence[Answer], names: Sequence[str] = (), counted: bool = False
) -> list[tuple[str, str]]:
    """Of intersections the lowest and highest rate of groups that are not small, and how many comparisons are shown.

    names: the intersections, else all, that with the widest gap that is shown first; counted: whether to say of how
    many groups a difference is shown, too, which a page has over their table.
    """
    lines = []
    lead = _lead_of_combinations(result)
    if lead is None:
        return []
    p = audit.protocol
    gaps = {name: crossed_gaps(audit, name, lead.metric) for name in names or _intersections(audit)}
    alike, first = list[str](), gaps_of_combinations(audit, lead.metric)
    for name, rows in sorted(gaps.items(), key=lambda one: widest(first[one[0]]), reverse=True):
        columns, rates = p.columns_of(name), _crossed_rates(audit, name, lead)
        if rows and len(gaps) > MOST_IN_FULL and not any(row.verdict in SHOWN for row in rows):
            alike.append(" × ".join(p.called(column) for column in columns))
            continue
        ends = _farthest(columns, rates, FEWEST_CROSSED)
        if not ends or not rows:
            continue
        whole = [row for row in rows if {*_pair_of(row)} <= {*rates} and len(split(row.group)) == len(columns)]
        gap_shown = farthest_shown(whole)
        one, two = ends if gap_shown is None else _pair_of(gap_shown)
        values = {"names": columns_named(p, name), "n": len(rows)}
        values |= {"one": crossed_people(p, columns, one), "first": _with_few(rates[one])}
        values |= {"two": crossed_people(p, columns, two), "second": _with_few(rates[two])}
        values |= {"reference": crossed_people(p, columns, split(rows[0].reference))}
        values |= parts(answer_deed(p, lead))
        apart = [crossed_people(p, columns, split(row.group)) for row in rows if row.verdict in SHOWN]
        named = 0 < len(apart) <= MOST_CROSSED and len(apart) < len(rows)
        values["groups"] = listed(apart) if named else ""
        small = sum(len(g) == len(columns) and people_in(row) < FEWEST_CROSSED and not holds_missing(row.group)
                    for g, row in rates.items())  # fmt: skip
        values["without"] = say(", in groups of {fewest} people or more", fewest=FEWEST_CROSSED) if small else ""
        open_rows = [row for row in rows if row.verdict not in SHOWN]
        few = [row for row in open_rows if people_in(row) < FEWEST_CROSSED]
        (k, m), beside = _sides(rows, lead.flags), dict[str, str]()
        text = mark("{k} are shown lower, {m} higher") if k and m else mark("{k} are shown lower")
        margin = p.margin.difference
        far = 0 if margin is None else _sides([row for row in rows if beyond(row, margin)], lead.flags)[0]
        if 0 < far < k and margin is not None:
            text = mark("{k} are shown lower ({far} beyond {margin}), {m} higher")
            text = text if m else mark("{k} are shown lower ({far} beyond {margin})")
            beside = {"far": count(far), "margin": percent(margin)}
        found = say(text if k else mark("{m} are shown higher"), k=count(k), m=count(m), **beside)
        if small and len(few) == len(open_rows) == small:
            found += say("; the other {n} (under {fewest} people) are not settled", n=small, fewest=FEWEST_CROSSED)
        elif left := sum(row.verdict == "inconclusive" for row in open_rows):
            found += say_number("; {n} is not settled", "; {n} are not settled", left, n=count(left))
            if few:
                found = f"{found} {say('({n} of them under {fewest} people)', n=len(few), fewest=FEWEST_CROSSED)}"
        values["found"] = found
        template = CROSSED_NAMED if named else CROSSED if apart else CROSSED_NONE
        if gap_shown is None:
            claim = say("{names} together: from {first} of {one} to {second} of {two} {event}{without}.", **values)
        else:
            claim = say("{names} together: {first} of {one} against {second} of {two} {event}.", **values)
        size = "" if gap_shown is None else _crossed_gap(audit, gap_shown, (rates[one], rates[two]), counted)
        beyond_it = _rates_between(p, columns, rates, (one, two)) if size and counted else ""
        if gap_shown is not None and not beyond_it:
            beyond_it = _farther(p, columns, rates, whole, gap_shown, answer_deed(p, lead), counted)
        how_many = say(template, **values) if counted or not size else ""
        text = " ".join(filter(None, (size, how_many, beyond_it)))
        lines.append((single_spaced(claim), text))
    if alike:
        each = listed(alike, MOST_NAMED)
        lines.append((say("No group is shown to differ from its reference by {each}.", each=each), ""))
    return lines


def _pair_of(row: Estimate) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The two combinations that a row compares."""
    return tuple(split(row.group)), tuple(split(row.reference))


def farthest_shown(rows: Sequence[Estimate]) -> Estimate | None:
    """The difference that is shown whose interval lies farthest from none, of groups that are not small if it can."""
    found = [row for row in rows if row.verdict in SHOWN]
    return lead_of([row for row in found if people_in(row) >= FEWEST_CROSSED] or found)


def _crossed_gap(audit: Audited, row: Estimate, rates: Sequence[Estimate], counted: bool) -> str:
    """The gap between the two groups of a claim, with its interval where there is one, and their outcomes.

    counted: whether to say for how many comparisons the interval is adjusted, which a page has over their table.
    """
    few = min(rate.n for rate in rates) < FEW
    points = percent(abs(row.estimate), 0) if few else points_apart(row, rates)
    size = say("Gap {points} points", points=points)
    if row.conf_low == row.conf_low:
        many = comparisons_of([row.conf_level], audit.protocol.conf_level)
        adjusted = mark("Gap {points} points ({ends}, adjusted for {n} comparisons)")
        flagged = audit.protocol.p_adjust == BH  # which a page has to say of each interval
        if flagged:
            adjusted = mark("Gap {points} points ({ends}, adjusted for the false discovery rate)")
        template = adjusted if many > 1 and (counted or flagged) else mark("Gap {points} points ({ends})")
        size = say(template, points=points, ends=_ends(row, few), n=many)
    outcomes = _outcome_rates(audit, row.attribute)
    if row.metric == "base rate" or not {rate.group for rate in rates} <= {*outcomes}:
        return f"{size}."
    x, y = (rate_or_count(outcomes[rate.group]) for rate in rates)
    text = say("{size}; {x} against {y} {event}.", size=size, x=x, y=y, **parts(outcome_event(audit)))
    return single_spaced(text)


WIDER = 1.7  # than the gap of a claim, before the ends of all rates are said


def _rates_between(
    protocol: Protocol,
    columns: Sequence[str],
    rates: Mapping[tuple[str, ...], Estimate],
    named: tuple[tuple[str, ...], tuple[str, ...]],
) -> str:
    """The lowest and the highest rate of combinations of 100 people or more, if much farther apart than those named."""
    ends = _farthest(columns, rates, FEW)
    apart = [abs(rates[one].estimate - rates[two].estimate) for one, two in filter(None, (ends, named))]
    if len(apart) < 2 or apart[0] < WIDER * apart[1]:
        return ""
    each = [
        say("{rate} ({name})", rate=rate_or_count(rates[g]), name=crossed_people(protocol, columns, g)) for g in ends
    ]
    text = mark("Rates of groups of {n} people or more: {low} to {high}.")
    return say(text, n=FEW, low=each[0], high=each[1])


def _farther(
    protocol: Protocol,
    columns: Sequence[str],
    rates: Mapping[tuple[str, ...], Estimate],
    rows: Sequence[Estimate],
    named: Estimate,
    deed: str,
    counted: bool,
) -> str:
    """How many others differ from the reference; counted: only where one is farther off by its rate, with that one.

    A rate may be farther off although its interval is not.
    """
    beyond_chance = [row for row in rows if row.verdict in SHOWN and row.reference == named.reference]
    same_side = [row for row in beyond_chance if row.estimate * named.estimate > 0]
    reference = crossed_people(protocol, columns, _pair_of(named)[1])
    if not counted:  # by their rates: of flags a difference is that of the others
        others = [_pair_of(row) for row in beyond_chance if row != named]
        lower = [rates[group].estimate < rates[other].estimate for group, other in others]
        return _others_apart(deed, sum(lower), len(lower) - sum(lower), reference)
    apart = [
        row
        for row in same_side
        if people_in(rates[_pair_of(row)[0]]) >= FEWEST_CROSSED and abs(row.estimate) > abs(named.estimate)
    ]
    if not apart:
        return ""
    group, other = _pair_of(max(apart, key=lambda row: abs(row.estimate)))
    is_lower, n = rates[group].estimate < rates[other].estimate, len(same_side) - 1
    values = {"people": crossed_people(protocol, columns, group), "rate": rate_or_count(rates[group], FEW)}
    if n == 1:
        below = mark("{people} ({rate}) are below {reference} beyond chance, too.")
        above = mark("{people} ({rate}) are above {reference} beyond chance, too.")
        return capital(say(below if is_lower else above, reference=reference, **values))
    below = mark("{n} others are below {reference} beyond chance, too; the lowest: {people} ({rate}).")
    above = mark("{n} others are above {reference} beyond chance, too; the highest: {people} ({rate}).")
    return say(below if is_lower else above, n=n, reference=reference, **values)


def _others_apart(deed: str, below: int, above: int, reference: str) -> str:
    """How many further combinations have a lower and a higher rate than the reference, beyond chance."""
    values = {"below": count(below), "above": count(above), "reference": reference, "deed": without_auxiliary(deed)}
    text = mark("Other combinations {deed} less often than {reference}, beyond chance: {below}; more often: {above}.")
    if not above:
        text = mark("Other combinations {deed} less often than {reference}, beyond chance: {below}.")
    if not below:
        text = mark("Other combinations {deed} more often than {reference}, beyond chance: {above}.")
    return single_spaced(say(text, **values)) if below or above else ""


def _with_few(rate: Estimate) -> str:
    """A rate in per cent, of fewer than 100 people with their counts."""
    if not few_counted(rate, FEW):
        return rate_or_count(rate)
    values = {"k": number(rate.events, 0), "n": number(rate.n, 0)}
    return say("{share}% ({k} of {n})", share=percent(rate.estimate, 0), **values)


CROSSED = mark("Of the {n} groups compared with {reference} {found}.")
MOST_CROSSED = 3  # groups that are named
MOST_IN_FULL = 2  # intersections where nothing is shown that are each described
CROSSED_NAMED = mark("Of the {n} groups compared with {reference} a difference is shown for {groups}.")
CROSSED_NONE = mark("Of the {n} groups compared with {reference} none is shown to differ.")


AMOUNTS_CROSSED = mark(
    "{where}: the {statistic} is shown to be lower for {k} and higher for {m} of the {n} groups compared with "
    "{reference}; farthest from it are {group}: {gap}."
)
AMOUNTS_CROSSED_NONE = mark(
    "{where}: the {statistic} is not shown to differ for any of the {n} groups compared with {reference}."
)


def amounts_where_crossed(audit: Audited, result: Sequence[Answer]) -> list[str]:
    """Of intersections for how many groups the measure of the first answer is shown to be lower or higher."""
    lead, lines, p = next((one.row for one in result if one.row is not None), None), [], audit.protocol
    if lead is None or lead.metric not in {*GAPS_OF_AMOUNTS, *OF_GAPS}:
        return []
    for name in (one for one in _intersections(audit) if one not in declared(audit)):
        about = {"metric": lead.metric, "contrast": lead.contrast, "given": lead.given, "role": "main", "term": ""}
        rows = [row for row in audit.estimates.only(attribute=name, **about) if row.status == "ok" and row.verdict]
        far = lead_of(rows, sizes_of(audit, name))
        if far is None:
            continue
        columns, below = p.columns_of(name), -1 if lead.metric in OF_GAPS else 1
        lower = [below * row.estimate > 0 for row in rows if row.verdict in SHOWN]
        group, reference = (crossed_people(p, columns, split(one)) for one in (far.group, far.reference))
        size = gap(audit, far)
        if lead.metric in GAPS_OF_AMOUNTS:
            values = {"gap": percent(abs(far.estimate)), "direction": direction(far), "interval": interval(audit, far)}
            size = say("{gap}% {direction} ({interval})", **values)
        where = say("{names} together", names=columns_named(p, name))
        if far.given:
            where = say("{where}, {alike}", where=where, alike=_where_alike(audit, far))
        values = {"n": count(len(rows)), "k": count(sum(lower)), "m": count(len(lower) - sum(lower))}
        statistic = say(STATISTICS[result[0].metric], amount=p.argument("amount"))
        text = AMOUNTS_CROSSED if lower else AMOUNTS_CROSSED_NONE
        lines.append(say(text, where=where, statistic=statistic, reference=reference, group=group, gap=size, **values))
    return lines


def _crossed_rates(audit: Audited, name: str, one: Answer) -> dict[tuple[str, ...], Estimate]:
    """The rates of an intersection by the groups that meet, of the decision that the answer is about."""
    about = {"metric": one.metric, "attribute": name, "role": "main", "contrast": "none", "given": "", "term": ""}
    rows = [row for row in audit.estimates.only(**about) if row.status == "ok"] if name else []
    return {tuple(split(row.group)): complement(row) if one.flags else row for row in rows}


def named_meeting(protocol: Protocol, columns: Sequence[str], groups: Sequence[str]) -> str:
    """The people where groups meet, by their names; "" where a group has none that fits the others.

    Examples
    --------
    >>> named_meeting(Protocol(("race", "sex")), ("race", "sex"), ("White", "M"))
    'White men'
    >>> named_meeting(Protocol(("race", "sex")), ("race", "sex"), ("Other", "M"))
    ''
    """
    names = [name_of(protocol, c, g) or (g if g.strip().casefold() in ADJECTIVES else "")
             for c, g in zip(columns, groups, strict=True)]  # fmt: skip
    nouns = [name for column, name in zip(columns, names, strict=True) if says_who(protocol, column, name)]
    if all(names) and len(nouns) == 1:
        return " ".join([*(name for name in names if name not in nouns), *nouns])
    if all(names):
        return say("{name} {people}", name=" ".join(names), people=protocol.labels.unit or say("people"))
    return ""


def crossed_people(protocol: Protocol, columns: Sequence[str], groups: Sequence[str]) -> str:
    """The people where groups meet: ``Black women``; a group that has no name by its column, ``women with race Other``.

    Examples
    --------
    >>> crossed_people(Protocol(("race", "sex")), ("race", "sex"), ("Black", "Female"))
    'Black women'
    >>> crossed_people(Protocol(("race", "sex")), ("race", "sex"), ("Other", "Female"))
    'women with `race` Other'
    """
    if name := named_meeting(protocol, columns, groups):
        return name
    names = [name_of(protocol, c, g) for c, g in zip(columns, groups, strict=True)]
    nouns = [name for column, name in zip(columns, names, strict=True) if says_who(protocol, column, name)]
    adjectives = [name for name in names if name and name not in nouns]
    whom = nouns[0] if len(nouns) == 1 else protocol.labels.unit or say("people")
    if adjectives:
        whom = say("{name} {people}", name=" ".join(adjectives), people=whom)
    parts = zip(columns, groups, names, strict=True)
    rest = " × ".join(where(protocol, c, g) for c, g, name in parts if not name or (name in nouns and len(nouns) > 1))
    return say("{people} with {group}", people=whom, group=rest)


REVERSED = {  # by the verdict of the table where the two crossed groups are compared, if they are
    "open": mark(
        "Among {people} the gap by {name} may be the other way: {share} of {first}, {base} of {other} (not settled)."
    ),
    "tentative": mark(
        "Among {people} the gap by {name} may be the other way: {share} of {first}, {base} of {other} ({points} "
        "points, {low} to {high} if tested alone)."
    ),
    "shown": mark(
        "Among {people} the gap by {name} is the other way round, beyond chance: {share} of {first} and {base} of "
        "{other} {event}."
    ),
}
FEWEST_CROSSED = 30


class Reversal(NamedTuple):
    """A group of another attribute among whom an answer is the other way round."""

    intersection: str
    shown: bool  # whether beyond chance
    text: str


def reversals(audit: Audited, result: Answer) -> list[Reversal]:
    """Groups of another attribute among whom the answer is the other way round.

    Both crossed groups have 30 people or more, and the interval of their difference, made of those of their rates
    (square-and-add: Newcombe 1998, Zou and Donner 2008), excludes none.
    """
    if not result.differs or not result.has_difference or result.within is not None or several(audit, result):
        return []
    if METRICS[result.metric].scale != PERCENT or result.metric in without_event():
        return []
    assert result.gap is not None
    p, found = audit.protocol, list[Reversal]()
    for name in _intersections(audit):
        columns = p.columns_of(name)
        if result.attribute not in columns or len(columns) != 2:
            continue
        at = columns.index(result.attribute)
        rates = _crossed_rates(audit, name, result)
        for groups in [g for g in rates if len(g) == 2 and g[at] == result.group]:
            base = rates.get(tuple(result.reference if i == at else g for i, g in enumerate(groups)))
            if base is None or min(map(people_in, (rates[groups], base))) < FEWEST_CROSSED or rest(groups[1 - at]):
                continue
            tested = _declared_row(audit, rates[groups], base)
            kind = "tentative" if tested is None else "shown" if tested.verdict in SHOWN else "open"
            if _opposite(rates[groups], base, result.gap.estimate):
                text = _reversal(audit, result, (columns[1 - at], groups[1 - at]), rates[groups], base, kind)
                found.append(Reversal(name, kind == "shown", text))
    return found


def _declared_row(audit: Audited, rate: Estimate, base: Estimate) -> Estimate | None:
    """The comparison of two crossed groups, where one of them is the reference of its intersection."""
    about = {"metric": rate.metric, "attribute": rate.attribute, "role": "main", "contrast": "difference"}
    rows = audit.estimates.only(**about, term="", given="", status="ok")
    return next((row for row in rows if {row.group, row.reference} == {rate.group, base.group}), None)


def _opposite(row: Estimate, base: Estimate, gap: float) -> bool:
    """Whether the difference of two rates has the other sign than a gap, beyond chance."""
    low, high = _limits_alone(row, base)
    return (gap < 0 < low) or (high < 0 < gap)  # none hold where a rate has no limits


def _limits_alone(row: Estimate, base: Estimate) -> tuple[float, float]:
    """The limits of the difference of two rates, made of those of the rates."""
    d = row.estimate - base.estimate
    low = d - math.hypot(row.estimate - row.conf_low, base.conf_high - base.estimate)
    return low, d + math.hypot(row.conf_high - row.estimate, base.estimate - base.conf_low)


def _reversal(audit: Audited, result: Answer, among: tuple[str, str], row: Estimate, base: Estimate, kind: str) -> str:
    p = audit.protocol
    first, other = people(p, result.attribute, result.group), other_people(p, result.attribute, result.reference)
    values = {"people": people(p, *among), "first": first, "other": other, "name": p.called(result.attribute)}
    values |= {"share": share(result, row), "base": share(result, base)}
    apart = row.estimate - base.estimate
    ends = sorted(math.copysign(1.0, apart) * end for end in _limits_alone(row, base))
    points = (percent(one) for one in (abs(apart), *ends))
    values |= dict(zip(("points", "low", "high"), points, strict=True))
    return single_spaced(say(REVERSED[kind], **values, **parts(answer_deed(p, result))))


def _fewer(audit: Audited, page: PageOne, line: Line) -> str:
    """How many people of the group the error would have spared at the rate of the reference, where it is shown."""
    more, named = line.row.estimate * line.rate.n, audit.protocol.labels
    if line.verdict not in SHOWN or not more >= 0.5 or named.false_positives or named.false_negatives:
        return ""
    first, other = (people(audit.protocol, page.attribute, group) for group in (page.group, page.reference))
    values = {"n": count(round(more)), "first": first, "other": other}
    values["errors"] = error_noun(audit.protocol, line.metric)
    fewer = mark(
        "At the rate of these {other}, there would have been {n} fewer {errors} among {first} (arithmetic only)."
    )
    if audit.protocol.weight_type == "probability":
        fewer = mark(
            "At the rate of these {other}, there would have been {n} fewer {errors} among {first} (arithmetic only, in "
            "sums of weights)."
        )
    return say(fewer, **values)


ERRORS = ("FPR", "FNR", "PPV")  # of which no two groups with other outcome rates have all three alike
AT_ONCE = mark(
    "Where groups differ in how many {event}, a rule with both kinds of error cannot make {one}, {two} and {three} "
    "equal in all of them (Chouldechova 2017); which should be equal is for law or policy."
)


def cites_theorem(audit: Audited, result: tuple[Answer, ...]) -> bool:
    """Whether page one says that not all errors can be equal."""
    page = page_one(audit, result)
    return page is not None and _cannot_be_equal(audit, page)


def _cannot_be_equal(audit: Audited, page: PageOne) -> bool:
    """Whether page one has every error, of groups whose outcome rates differ."""
    metrics = {line.metric for line in page.lines[1:] if line.has_difference}
    return metrics == {*ERRORS} and _base_rates_differ(audit, page)


def _base_rates_differ(audit: Audited, page: PageOne) -> bool:
    """Whether the outcome rates differ beyond chance; then not all error rates can be equal."""
    rows = audit.estimates.only(
        metric="base rate", attribute=page.attribute, contrast="difference", role="main", given=""
    )
    pair = {page.group, page.reference}
    return any({row.group, row.reference} == pair and remains(row) for row in rows)
