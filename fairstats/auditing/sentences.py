"""The comparison that page one of a report draws: the two groups of the first answer, with its rate and its errors."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from fairstats import metrics
from fairstats.auditing.answer import (
    FEW,
    LEVELS,
    MOST_ANSWERS,
    ORDER,
    Answer,
    Audited,
    answer,
    answers,
    beside_gap,
    complement,
    contrast_of,
    declared,
    distance,
    lead_of,
    null_of,
    of_class,
    quantities,
    rest,
    seen,
    turned,
)
from fairstats.auditing.answer import RATES as WITHIN
from fairstats.auditing.classes import AT_ONCE as ALL_CLASSES
from fairstats.auditing.classes import IN_ORDER, SHARE
from fairstats.auditing.counts import ROLE, references_by_attribute
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.rates import SENSITIVE_RATES
from fairstats.auditing.scores import HARDLY_TIED, TIED
from fairstats.auditing.sensitivity import WITHHELD, missing_of
from fairstats.errors import snippet
from fairstats.estimates import SHOWN, Estimate, Estimates
from fairstats.inference.multiplicity import decided_families, pairs_of
from fairstats.inference.verdicts import decisive_interval, decisive_level
from fairstats.labels import split
from fairstats.language import DataText, mark, message, renamed, say, say_number, says, translated
from fairstats.language import parts as parts_of
from fairstats.metrics import GAPS_OF_AMOUNTS, METRICS, PERCENT, RATES
from fairstats.text import (
    capital,
    compact,
    count,
    level,
    level_number,
    listed,
    number,
    p_equals,
    percent,
    setting,
    span,
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

    order = [head, *(m for m in errors_of(audit) if m in gaps)]
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


def further_findings(audit: Audited, page: PageOne, result: tuple[Answer, ...]) -> Estimates:
    """Differences of other rates that are shown with all of page one allowed for, of other groups than its table's.

    Another rate or attribute comes before one more group that differs in the same rate as one before it.
    """
    lines = []
    members = {page.group, page.reference}
    for one in result:
        for metric in errors_of(audit):
            rows = audit.estimates.only(
                attribute=one.attribute, role="main", contrast="difference", metric=metric, term="", given=""
            )
            fit = [row for row in rows if shown(row, page.level)]
            fit = [row for row in fit if row.attribute != page.attribute or {row.group, row.reference} != members]
            lines += fit
    said = {(page.attribute, line.metric) for line in page.lines[1:] if line.verdict in SHOWN}
    new: list[Estimate] = []
    again: list[Estimate] = []
    for row in sorted(lines, key=lambda row: rest(row.group)):
        (again if (row.attribute, row.metric) in said else new).append(row)
        said.add((row.attribute, row.metric))
    return Estimates(sorted([*new, *again], key=lambda row: rest(row.group)))


def errors_of(audit: Audited) -> tuple[str, ...]:
    """The error that harms the person first: a wrong alarm, or a wrong refusal where the prediction is the favor."""
    helps = audit.protocol.positive_prediction == audit.protocol.favorable
    return ("FNR", "FPR", "PPV") if helps else ("FPR", "FNR", "PPV")


def line_of(audit: Audited, row: Estimate) -> Line:
    """A finding of another comparison as a line of page one."""
    about = {"metric": row.metric, "attribute": row.attribute, "role": "main", "contrast": "none", "given": ""}
    rates = {rate.group: rate for rate in audit.estimates.only(**about)}
    return Line(row.metric, rates[row.group], rates[row.reference], replace(row), False, True)


# How sentences call people, decisions and outcomes: in the protocol's words, or by column and label.


AT_LEAST, BELOW = message("{score} at least {threshold}"), message("{score} below {threshold}")
_OTHER = {"1": "0", "0": "1", "True": "False", "False": "True", "TRUE": "FALSE", "FALSE": "TRUE"}


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


_FAVORABLE = message("The favorable decision is {text}.")
_POSITIVE = message("The positive outcome is {text}.")
_PREDICTED = message("The positive outcome is {text}, predicted by {prediction}.")


def _other(column: str, label: str) -> str:
    """Of a column with two labels the one that is not meant."""
    return f"{column} = {_OTHER[label]}" if label in _OTHER else f"{column} ≠ {label}"


def _decided(protocol: Protocol, label: str, meant: bool) -> str:
    if meant or protocol.threshold is not None:
        return decision_text(protocol, label if meant else _OTHER[label])
    return _other(protocol.decision, label)


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
    return outcome_text(protocol) if part == "Y=1" else _other(protocol.outcome, protocol.positive)


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
    if text or not labels.score or protocol.threshold is None:
        return text
    label = protocol.favorable if favorable else _OTHER[protocol.favorable]
    sides = {"1": mark("had {score} of at least {threshold}"), "0": mark("had {score} below {threshold}")}
    return say(sides[label], score=labels.score, threshold=setting(protocol.threshold))


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


def spoken(protocol: Protocol, metric: str) -> bool:
    """Whether the protocol's words say all that a sentence on this rate needs."""
    return bool(protocol.labels.unit) and event(protocol, metric)[1] and among(protocol, metric)[1]


def people(protocol: Protocol, attribute: str, label: str, noun: str = "") -> str:
    """The people of a group: ``Black arrestees``, or ``arrestees whose area is "North"`` where it has no name.

    Examples
    --------
    >>> from fairstats.auditing.protocol import Words
    >>> people(Protocol(("area",), labels=Words(unit="arrestees")), "area", "North")
    'arrestees whose area is "North"'
    """
    unit = noun or protocol.labels.unit
    name = name_of(protocol, attribute, label)
    if has_noun(name, unit):
        return name
    if name:
        return say("{name} {people}", name=name, people=unit)
    return say('{people} whose {name} is "{label}"', people=unit, name=protocol.called(attribute), label=label)


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


SEXES = {
    **dict.fromkeys(("male", "m", "man", "men"), mark("men")),
    **dict.fromkeys(("female", "f", "woman", "women"), mark("women")),
}
YOUNG = re.compile(r"child|pupil|minor|juvenile|boy|girl|kind|schüler|jugendlich", re.IGNORECASE)
ADJECTIVES = frozenset(
    ("african-american", "african american", "asian", "black", "caucasian", "hispanic", "latino", "native american",
     "white")
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


def where(protocol: Protocol, attribute: str, label: str) -> str:
    """A group as the data have it: ``colour = Black``."""
    return f"{protocol.called(attribute)} = {quoted(label)}"


def bare(protocol: Protocol, attribute: str, label: str) -> str:
    """A group inside a sentence that says nothing else of it: its name, or ``colour = Black``."""
    name = name_of(protocol, attribute, label)
    return (
        people(protocol, attribute, label)
        if name and protocol.labels.unit
        else name or where(protocol, attribute, label)
    )


def label_of(protocol: Protocol, attribute: str, label: str) -> str:
    """A group in a sentence whose attribute has been named: its name, or its label."""
    return bare(protocol, attribute, label) if name_of(protocol, attribute, label) else quoted(label)


def placed(protocol: Protocol, attribute: str, label: str) -> str:
    """Where something is frequent: ``among Black arrestees``, or ``where colour = Black``."""
    if name_of(protocol, attribute, label):
        return say("among {people}", people=bare(protocol, attribute, label))
    return say("where {group}", group=where(protocol, attribute, label))


def quoted(label: str) -> str:
    """A label as a sentence has it: in quotes where it begins or ends with a blank, which nobody would see.

    Examples
    --------
    >>> quoted("female"), quoted("female ")
    ('female', '"female "')
    """
    return label if label == label.strip() else f'"{label}"'


def short_name(protocol: Protocol, attribute: str, label: str) -> str:
    """A group over a column: its name in the protocol's words, else its label."""
    return capital(protocol.labels.group(attribute, label)) or quoted(label)


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
            parts.append(f"{verdict} in {listed(named)}")
    return f"Also settled by {attribute}, {snippet('with numbers in tidy()')}: {'; '.join(parts)}." if parts else ""


# Which comparisons are adjusted together, how many such families were tested, and what that leaves open.


def family_text(audit: Audited) -> str:
    """Return the sentence that says which tests are adjusted together, and how.

    >>> from fairstats.auditing.audit import audit
    >>> family_text(audit({"sex": ["f", "m", "m"], "hired": [1, 0, 1]}, decision="hired", groups="sex"))
    'the comparisons of one rate over all attributes (sex: 1), adjusted by Bonferroni'
    """
    sizes = ", ".join(_size(audit, attribute) for attribute in audit.references)
    arguments = audit.protocol.p_adjust, audit.protocol.reference
    words = say(FAMILIES[audit.protocol.family].words)
    if adjustment(*arguments) is ALL_PAIRS:
        words = say(_PAIRS[audit.protocol.family])
    if audit.protocol.classes and audit.protocol.family == RATE:
        words = say("the comparisons of all classes, or of one error by class, over all attributes")
    return "; ".join(filter(None, (f"{words} ({sizes}), {adjusted_by(*arguments)}", count_text(audit))))


def _size(audit: Audited, attribute: str) -> str:
    """How many comparisons of an attribute are adjusted together, and how many of them are shown."""
    others = sum(c.attribute == attribute for c in audit.cells) - 1
    groups = {c.group for c in audit.cells if c.attribute == attribute and c.n == c.n}
    shown = len(groups - {audit.references[attribute]}) if audit.references[attribute] in groups else 0
    rule = references_by_attribute(audit.protocol.reference, audit.references)[attribute]
    each = len(audit.protocol.classes) + audit.protocol.ranked or 1  # of every group: its classes, and their order
    others, shown = each * others, each * shown
    values = {"name": attribute, "n": pairs_of(others) if rule == HIGHEST_RATE else others, "k": shown}
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
    values = {"n": count, "level": level(1 - protocol.conf_level)}
    if protocol.family == AUDIT:
        return say(
            "{n} sets of comparisons (a set a rate, intersections apart) are adjusted together: if nothing differed, "
            "the chance that any of them showed a difference would be {level}",
            **values,
        )
    if protocol.p_adjust == NONE:
        return say(
            "we made {n} sets of comparisons (a set a rate and attribute) without an adjustment: if nothing differed, "
            "the chance that one of them showed a difference would be more than {level}",
            **values,
        )
    return say(
        "we made {n} sets of comparisons (a set a rate, intersections apart): if nothing differed, the chance of a "
        "difference in any one of them would be {level}, in some of them more",
        **values,
    )


# An answer as one sentence that a newspaper could print, and the sentences that qualify it.


MOST_NAMED = 3  # further groups that a sentence names
SAME = 0.05  # of the test that an effect is the same in all strata

# by what is shown and whether the groups are several: with a verb phrase, and with column and label
SPOKEN = {
    "less": mark("{first} {event} less often than {other}: {numbers}."),
    "more": mark("{first} {event} more often than {other}: {numbers}."),
    "far-less": mark("{first} {event} far less often than {other}: {numbers}."),
    "far-more": mark("{first} {event} far more often than {other}: {numbers}."),
    "times": mark("{first} {event} {times} as often as {other}: {numbers}."),
    "equal": mark(
        "{first} and {other} {event} about equally often, within the declared margin of ±{margin} points: {numbers}."
    ),
    "all equal": mark(
        "The {n} groups compared with {other} {event} about as often, within the declared margin of ±{margin} points; "
        "the largest gap is that of {first}: {numbers}."
    ),
    "unknown": mark("No difference is shown in how often {first} and {other} {event}: {numbers}."),
    "all unknown": mark(
        "None of the {n} groups of {name} compared with {other} is shown to differ in how often they {event}; the "
        "largest gap is that of {first}: {numbers}."
    ),
}
PLACED = {
    "less": mark("{event} is less frequent {first_place} than {other_place}: {numbers}."),
    "more": mark("{event} is more frequent {first_place} than {other_place}: {numbers}."),
    "equal": mark(
        "{event} is about equally frequent {first_place} and {other_place}, within the declared margin of ±{margin} "
        "points: {numbers}."
    ),
    "all equal": mark(
        "{event} is about as frequent in the {n} groups compared with {other}, within the declared margin of ±{margin} "
        "points; the largest gap is that of {first}: {numbers}."
    ),
    "unknown": mark("No difference in {event} is shown between {first} and {other}: {numbers}."),
    "all unknown": mark(
        "No difference in {event} is shown between {other} and any of the {n} groups of {name} compared with it; the "
        "largest gap is that of {first}: {numbers}."
    ),
}
OF_QUANTITIES = {
    "less": mark("{metric} is lower {first_place} than {other_place}: {numbers}."),
    "more": mark("{metric} is higher {first_place} than {other_place}: {numbers}."),
    "equal": mark("{metric} is about equal {first_place} and {other_place}, within the declared margin: {numbers}."),
    "all equal": mark(
        "{metric} is about equal in the {n} groups compared with {other}, within the declared margin; the largest gap "
        "is that of {first}: {numbers}."
    ),
    "unknown": mark("No difference in {metric} is shown between {first} and {other}: {numbers}."),
    "all unknown": mark(
        "No difference in {metric} is shown between {other} and any of the {n} groups of {name} compared with it; the "
        "largest gap is that of {first}: {numbers}."
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
WITHIN_PLACED = {
    "less": mark(
        "Within the same {strata}, {event} is less frequent {first_place} than {other_place} ({adjusted}); "
        "{crude}."
    ),
    "more": mark(
        "Within the same {strata}, {event} is more frequent {first_place} than {other_place} ({adjusted}); "
        "{crude}."
    ),
    "alike": mark("Within the same {strata}, {event} is about as frequent {first_place} as {other_place} ({adjusted}); "
                  "{crude}."),
    "unknown": mark("Within the same {strata}, no difference in {event} is shown between {first} and {other} "
                    "({adjusted}); {crude}."),
    "cannot": mark("Whether {event} differs between {first} and {other} cannot be answered within {strata}: {why}; "
                   "{crude}."),
}  # fmt: skip


FAR = 0.2  # a difference whose whole interval lies beyond it is "far" more or less often
_TIMES = {
    "almost": (mark("almost twice"), mark("almost {n} times")),
    "about": (mark("about twice"), mark("about {n} times")),
    "over": (mark("more than twice"), mark("more than {n} times")),
}
_SMALL_NUMBERS = (
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
    ('almost twice', 'about three times', 'more than three times', '', 'about 15 times')
    """
    if not low > 0 or high / low < 1.85:
        return ""
    ratio = high / low
    n = math.floor(ratio + 0.15 + 1e-9)
    kind = "over" if ratio > n + 0.05 else "almost" if ratio < n - 0.05 else "about"
    twice, many = _TIMES[kind]
    if n == 2:
        return say(twice)
    return say(many, n=say(_SMALL_NUMBERS[n - 3]) if n < 10 else count(n))


def _emphasis(result: Answer, kind: str) -> tuple[str, str]:
    """Of a difference that is shown how large it is: "times" with their number, or "far"; of few people neither."""
    if kind not in ("less", "more") or result.row is None or not result.has_difference or result.bounds is not None:
        return kind, ""
    low, high = decisive_interval(result.row)
    if result.rate is not None and result.other is not None and not result.few:
        times = times_as(*sorted((result.rate.estimate, result.other.estimate), reverse=True))
        if times:
            return "times", times
    return (f"far-{kind}", "") if low >= FAR or high <= -FAR else (kind, "")


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
    hired = 1 is less frequent among women than among men: 20.0% against 60.0%, a gap of 40.0 percentage
    points (95% confidence interval ...).
    """
    if result.term:
        return _of_classes(audit, result, brief)
    if result.row is None and not result.has_difference:
        return nothing(audit, result)
    values = _called(audit, result)
    in_words = result.metric in without_event() or answer_event(audit.protocol, result)[1]
    if result.metric in LEVELS:
        return _of_amounts(audit, result)
    if result.within is not None:
        return single_spaced(_with_strata(audit, result, values, in_words))
    kind, times = _kind(result), ""
    if result.metric == "P(X>Y)" and result.gap is not None:
        return _of_scores(audit, result)
    if not result.has_difference:
        return nothing(audit, result)
    assert result.gap is not None
    if in_words and result.metric not in quantities() and bound_of(audit, result.gap) is None:
        kind, times = _emphasis(result, kind)
    if times and result.gap.estimate < 0:  # the higher rate comes first
        result = turned_around(result)
        values = _called(audit, result)
    apart = brief and has_gap_beside(audit, result)
    values["numbers"] = _shares(result) if apart else numbers(audit, result)
    if result.metric in quantities():
        return single_spaced(say(OF_QUANTITIES[kind], **values, metric=say(METRICS[result.metric].heading)))
    if in_words and (times or kind in ("less", "more", "far-less", "far-more", "equal")):
        values["first"] = capital(values["first"])
    return single_spaced(say((SPOKEN if in_words else PLACED)[kind], times=times, **values))


def has_gap_beside(audit: Audited, result: Answer) -> bool:
    """Whether the gap of an answer has a sentence of its own below the headline: where its rates say the claim."""
    plain = result.within is None and result.bounds is None and result.metric not in without_event()
    if not (plain and result.differs and result.gap is not None and result.has_difference):
        return False
    return bound_of(audit, result.gap) is None


def _shares(result: Answer) -> str:
    assert result.rate is not None and result.other is not None
    return say("{first} against {other}", first=share(result, result.rate), other=share(result, result.other))


def gap_beside(audit: Audited, result: Answer, name: str = "") -> str:
    """The gap of a brief headline with its interval; "" where the headline has it.

    name: of the attribute, where there are several.
    """
    if result.gap is None or not has_gap_beside(audit, result):
        return ""
    text = gap(audit, result.gap, result.few)
    return say("{name}: {gap}.", name=capital(name), gap=text) if name else f"{capital(text)}."


def _of_scores(audit: Audited, result: Answer) -> str:
    """Who scores higher, with the verdict of P(X>Y)."""
    assert result.gap is not None
    p, row = audit.protocol, result.gap
    margin = p.margin.auc
    if row.verdict == "equivalence shown" and margin is not None:
        settled = say("within the declared margin of 0.5 ± {margin}", margin=number(margin, 3).rstrip("0").rstrip("."))
    else:
        settled = say(SETTLED_OF_SENTENCE[row.verdict or "inconclusive"])
    one, other = (where(p, result.attribute, label) for label in (result.group, result.reference))
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


# Several classes: that which differs farthest, what else differs, and who gets the better class.


def _of_classes(audit: Audited, result: Answer, brief: bool) -> str:
    of, alone = seen(audit, result), replace(result, term="")
    if result.code != "inconclusive" or alone.first or not alone.has_difference:
        return sentence(of, alone, brief)
    p, a = audit.protocol, result.attribute
    return say(
        "No difference by {name} is shown in any of the {n} classes of {column}; the largest is that of {event} "
        "{first} and {other}: {numbers}.",
        name=p.called(a),
        n=len(p.classes),
        column=p.decision or p.outcome,
        event=answer_event(of.protocol, alone)[0],
        first=placed(p, a, result.group),
        other=placed(p, a, result.reference),
        numbers=numbers(of, alone),
    )


def classes_beside(audit: Audited, result: Answer) -> str:
    """Of an attribute how many comparisons of classes differ and which, and who gets the better class in order."""
    if not result.term:
        return ""
    p, a = audit.protocol, result.attribute
    metric = WITHIN if result.first else SHARE
    rows = [
        r for r in audit.estimates.only(metric=metric, attribute=a, role="main", contrast="difference") if r.verdict
    ]
    shown_rows = [row for row in rows if row.verdict in SHOWN]
    other = label_of(p, a, audit.references[a])
    lines = []
    if len(shown_rows) > 1:
        each = []
        for label in p.classes:
            names = [label_of(p, a, row.group) for row in shown_rows if row.term == label]
            each += [say("{label} ({groups})", label=label, groups=listed(names, MOST_NAMED))] if names else []
        lines.append(
            say(
                "Of {n} comparisons of classes with {other}, {k} are shown to differ: {each}.",
                n=len(rows),
                other=other,
                k=len(shown_rows),
                each="; ".join(each),
            )
        )
    effects = [row for row in audit.estimates.only(metric=IN_ORDER, attribute=a, status="ok") if row.verdict]
    lead = lead_of(effects)
    if lead is not None:
        lines.append(
            say(
                "In {pairs} random pairs of one person with {first} and one with {other} the first has the better "
                "class, ties counted half (P(X>Y) {estimate}, {ends}: {verdict}).",
                pairs=_of_hundred(lead),
                first=where(p, a, lead.group),
                other=where(p, a, lead.reference),
                estimate=number(lead.estimate, 3),
                ends=_effect_ends(audit, lead),
                verdict=say(SETTLED_OF_SENTENCE[lead.verdict or "inconclusive"]),
            )
        )
    for row in audit.estimates.only(metric=ALL_CLASSES, attribute=a, status="ok"):
        lines.append(say("Test of all classes and groups at once: {p}.", p=p_equals(row.p_value)))
    return " ".join(lines)


# Amounts: who gets less, in per cent of what the reference gets.


AMOUNT_SPOKEN = {
    "less": mark("{first} {verb} {gap}% less {rest} than {other}: {numbers}."),
    "more": mark("{first} {verb} {gap}% more {rest} than {other}: {numbers}."),
    "equal": mark("What {first} {event} is within the declared margin of what {other} {event}: {numbers}."),
    "unknown": mark("No difference is shown between what {first} and what {other} {event}: {numbers}."),
    "all equal": mark(
        "What the {n} groups compared with {other} {event} is within the declared margin; the largest gap is that of "
        "{first}: {numbers}."
    ),
    "all unknown": mark(
        "None of the {n} groups of {name} compared with {other} is shown to differ in what they {event}; the largest "
        "gap is that of {first}: {numbers}."
    ),
}
AMOUNT_PLACED = {
    "less": mark("The {statistic} is {gap}% lower {first_place} than {other_place}: {numbers}."),
    "more": mark("The {statistic} is {gap}% higher {first_place} than {other_place}: {numbers}."),
    "equal": mark(
        "The {statistic} is about equal {first_place} and {other_place}, within the declared margin: {numbers}."
    ),
    "unknown": mark("No difference of the {statistic} is shown between {first} and {other}: {numbers}."),
    "all equal": mark(
        "The {statistic} of the {n} groups compared with {other} is within the declared margin; the largest gap is "
        "that of {first}: {numbers}."
    ),
    "all unknown": mark(
        "No difference of the {statistic} is shown between {other} and any of the {n} groups of {name} compared with "
        "it; the largest gap is that of {first}: {numbers}."
    ),
}
AMOUNT_WITHIN = {
    "less": mark("Within the same {strata}, the {statistic} is {gap}% lower {first_place} than {other_place} "
                 "({adjusted}); {crude}."),
    "more": mark("Within the same {strata}, the {statistic} is {gap}% higher {first_place} than {other_place} "
                 "({adjusted}); {crude}."),
    "equal": mark("Within the same {strata}, the {statistic} is about equal {first_place} and {other_place} "
                  "({adjusted}); {crude}."),
    "unknown": mark("Within the same {strata}, no difference of the {statistic} is shown between {first} and {other} "
                    "({adjusted}); {crude}."),
    "cannot": mark("Whether the {statistic} differs between {first} and {other} cannot be answered within {strata}: "
                   "{why}; {crude}."),
}  # fmt: skip
STATISTICS = {"gap of means": mark("mean {amount}"), "gap of medians": mark("median {amount}")}


def _of_amounts(audit: Audited, result: Answer) -> str:
    """Who gets less, by the mean or, where means have no verdict, by the median."""
    p, row = audit.protocol, result.row
    about = p, result.attribute
    spoken_of_amount = bool(p.labels.amount and p.labels.unit)
    values = {
        "statistic": say(STATISTICS[result.metric], amount=p.argument("amount")),
        "n": str(len(result.family)),
        "name": p.called(result.attribute),
        **parts(p.labels.amount),
    }
    for key, label in {"first": result.group, "other": result.reference}.items():
        values[key] = people(*about, label) if spoken_of_amount else bare(*about, label)
        values[f"{key}_place"] = placed(*about, label)
    if result.within is not None:
        return capital(single_spaced(_amounts_within(audit, result, values)))
    if row is None or row.status != "ok":
        return nothing(audit, result)
    values |= {"gap": percent(abs(row.estimate)), "numbers": amount_numbers(audit, result)}
    table = AMOUNT_SPOKEN if spoken_of_amount else AMOUNT_PLACED
    return capital(single_spaced(say(table[_kind(result)], **values)))


def _amounts_within(audit: Audited, result: Answer, values: dict[str, str]) -> str:
    row, strata = result.within, strata_name(audit)
    assert row is not None
    crude = say("without regard to {strata} {numbers}", strata=strata, numbers=amount_numbers(audit, result))
    if row.status != "ok" or not row.verdict:
        why = _why(audit, result)
        return say(AMOUNT_WITHIN["cannot"], strata=strata, crude=crude, why=why, **values)
    kind = {"equivalence shown": "equal", "inconclusive": "unknown"}.get(row.verdict)
    kind = kind or ("less" if row.estimate > 0 else "more")
    gap = percent(abs(row.estimate))
    adjusted = say("{gap}% {direction}, {ends}", gap=gap, direction=direction(row), ends=interval(audit, row))
    if kind in ("less", "more"):
        adjusted = interval(audit, row)
    return say(AMOUNT_WITHIN[kind], strata=strata, crude=crude, adjusted=adjusted, gap=gap, **values)


def direction(row: Estimate) -> str:
    """Whether a gap in per cent is one below the reference."""
    return say("lower") if row.estimate >= 0 else say("higher")


def amount_numbers(audit: Audited, result: Answer) -> str:
    """Both means (or medians) with their unit, the gap and its interval."""
    row, one, other = result.gap, result.rate, result.other
    if row is None or one is None or other is None:
        return say("there is no comparison")
    p = audit.protocol
    values = {
        "statistic": say(mark("mean") if result.metric == "gap of means" else mark("median")),
        "first": compact(one.estimate),
        "other": compact(other.estimate),
        "gap": percent(abs(row.estimate)),
        "direction": direction(row),
        "interval": interval(audit, row),
    }
    if not p.unit:
        return say("{statistic} {first} against {other}, {gap}% {direction} ({interval})", **values)
    return say("{statistic} {first} against {other} {unit}, {gap}% {direction} ({interval})", unit=p.unit, **values)


def margin_of_gap(audit: Audited, result: Answer) -> str:
    """Whether a gap is beyond the declared margin, within it, or neither is settled."""
    row, margin = result.row, audit.protocol.margin.gap
    if row is None or margin is None or row.metric not in GAPS_OF_AMOUNTS or row.status != "ok" or not row.verdict:
        return ""
    return say(
        {
            "beyond": mark("A gap beyond the declared margin of {margin}% is shown."),
            "within": mark("The gap is shown to be within the declared margin of {margin}%."),
            "not settled": mark("Whether the gap is beyond the declared margin of {margin}% is not settled."),
        }[beside_gap(row, margin)],
        margin=percent(margin).removesuffix(".0"),
    )


def answer_event(protocol: Protocol, result: Answer) -> tuple[str, bool]:
    """What an answer counts, and whether the protocol's words say all that its sentence needs."""
    if not result.flags:
        return event(protocol, result.metric)[0], spoken(protocol, result.metric)
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
    text = "" if result.metric in without_event() else answer_event(p, result)[0]
    margin = percent(p.margin.difference or 0.0)
    values = {"n": str(len(result.family)), "margin": margin, "name": p.called(result.attribute), **parts(text)}
    in_words = result.metric not in without_event() and answer_event(p, result)[1]
    for key, label in named.items():
        values[key] = people(*about, label) if in_words else bare(*about, label)
        values[f"{key}_place"] = placed(*about, label)
    return values


def _kind(result: Answer) -> str:
    """Which sentence answers: a difference in one direction, equality, or neither; of two groups or of several."""
    if result.differs and result.row is not None:
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
    return say("{share}% ({k} of {n})", share=percent(row.estimate, 0), k=count(row.events), n=count(row.n))


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
        values |= {"interval": interval(audit, result.gap, result.few), **_between(result.gap, bound)}
        text = say(
            "{first} against {other} in the cells that were sent; over what may have been withheld the gap is between "
            "{low} and {high} percentage points ({interval})",
            **values,
        )
    if result.bounds is None:
        return text
    return say("{numbers}, among those whose {what} is known; {missing}", numbers=text, **_missing(audit, result))


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


def _between(row: Estimate, bound: Estimate) -> dict[str, str]:
    """Both bounds in points, in the direction that makes the difference positive."""
    ends = (bound.conf_low, bound.conf_high) if row.estimate >= 0 else (-bound.conf_high, -bound.conf_low)
    return dict(zip(("low", "high"), (percent(end + 0.0) for end in ends), strict=True))


def gap(audit: Audited, row: Estimate, few: bool = False) -> str:
    """A difference in points with its interval, both in the direction that makes the difference positive.

    Examples
    --------
    >>> from fairstats.auditing.audit import audit
    >>> result = audit({"sex": ["f", "m"] * 20, "hired": [1, 1, 0, 1] * 10}, "hired", "sex")
    >>> row = Estimate("selection rate", estimate=-0.117, conf_low=-0.143, conf_high=-0.091, conf_level=0.95)
    >>> gap(result, row)
    'a gap of 11.7 percentage points (95% confidence interval 9.1 to 14.3)'
    >>> gap(result, Estimate("selection rate", estimate=0.01, conf_low=-0.02, conf_high=0.043, conf_level=0.975))
    'a gap of 1.0 percentage points (95% confidence interval −2.0 to 4.3, adjusted for 2 comparisons)'
    """
    if METRICS[row.metric].scale != PERCENT:
        return say("a gap of {gap} ({interval})", gap=compact(abs(row.estimate)), interval=interval(audit, row))
    points = percent(abs(row.estimate), 0 if few else 1)
    values = {"points": points, "interval": interval(audit, row, few)}
    one, many = (
        mark("a gap of {points} percentage point ({interval})"),
        mark("a gap of {points} percentage points ({interval})"),
    )
    return say(one if points == "1" else many, **values)


def _ends(row: Estimate, few: bool = False) -> str:
    """The interval of a gap in its direction; of one within the margin the interval that says so."""
    low, high = decisive_interval(row)
    low, high = (low, high) if row.estimate >= 0 else (-high, -low)
    if row.metric in GAPS_OF_AMOUNTS:
        return say("{low}% to {high}%", low=percent(low + 0.0), high=percent(high + 0.0))
    if METRICS[row.metric].scale != PERCENT:
        return say("{low} to {high}", low=compact(low + 0.0), high=compact(high + 0.0))
    return say("{low} to {high}", low=percent(low + 0.0, 0 if few else 1), high=percent(high + 0.0, 0 if few else 1))


def _equal(row: Estimate) -> bool:
    return row.verdict == "equivalence shown" and row.margin_low == row.margin_low


def interval(audit: Audited, row: Estimate, few: bool = False) -> str:
    """The interval of a gap with the level that all comparisons of its family share; its p where it has no interval.

    Practical equality is read from the interval of level 1 − 2α, equally adjusted, as its two one-sided tests are.
    """
    if row.conf_low != row.conf_low or row.conf_high != row.conf_high:
        return p_text(row)
    together = audit.protocol.conf_level
    share = 2 * together - 1 if _equal(row) else together
    values = {"level": level_number(share), "ends": _ends(row, few)}
    if audit.protocol.p_adjust == BH and _equal(row):  # claims of equality are adjusted by Bonferroni even then
        if _claims_of_equality(audit, row) < 2:
            return say("{level}% confidence interval {ends}", **values)
        return say("{level}% confidence interval {ends}, adjusted for all comparisons", **values)
    many = (1 - together) / (1 - row.conf_level) if row.conf_level < 1 else 1.0
    if row.conf_level != row.conf_level or many < 1 + 1e-6:
        return say("{level}% confidence interval {ends}", **values)
    if abs(many - round(many)) < 1e-6 * many and audit.protocol.p_adjust != BH:
        return say("{level}% confidence interval {ends}, adjusted for {n} comparisons", n=count(round(many)), **values)
    if audit.protocol.p_adjust == BH:
        return say("{level}% confidence interval {ends}, adjusted for the false discovery rate", **values)
    return say("{level}% confidence interval {ends}, adjusted for all comparisons", **values)


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


def _missing(audit: Audited, result: Answer) -> dict[str, str]:
    """What is missing, and where the difference may lie over all of whom it is."""
    assert result.bounds is not None
    low, high = result.bounds.conf_low, result.bounds.conf_high
    ends = [
        say("{points} points less", points=percent(-v)) if v < 0 else say("{points} points more", points=percent(v))
        for v in (low, high)
    ]
    name = audit.protocol.called(result.attribute)
    lost = {"groups": name, "decision": say("decision"), "outcome": say("outcome")}
    what = listed([lost[part] for part in missing_of(result.bounds)])
    return {
        "what": what,
        "missing": say("over all who are missing the gap may lie between {low} and {high}", low=ends[0], high=ends[1]),
    }


def strata_name(audit: Audited) -> str:
    """The legitimate factors by the names that they were given."""
    return listed(list(map(audit.protocol.labels.attribute, audit.protocol.columns_of(audit.protocol.strata))))


def _with_strata(audit: Audited, result: Answer, values: dict[str, str], in_words: bool) -> str:
    """The comparison within strata and the crude one in one sentence; first the one that the answer is about."""
    assert result.within is not None
    strata = strata_name(audit)
    row, covered = result.within, result.within.status == "ok"
    crude = _pair_numbers(audit, result) if result.metric == "P(X>Y)" else numbers(audit, result)
    if not result.first:  # the law of the report asks for the crude numbers
        kept = _within_strata(audit, result, row) if covered else _why(audit, result)
        kind = _kind(result)
        text = say((SPOKEN if in_words else PLACED)[kind], **values, numbers=crude)
        return say(
            "{text} Within the same {strata} it is {adjusted}.", text=capital(text), strata=strata, adjusted=kept
        )
    values |= {"strata": strata, "crude": say("without regard to {strata} {numbers}", strata=strata, numbers=crude)}
    if result.metric == "P(X>Y)":
        return _with_strata_scores(audit, result, values, covered)
    table = WITHIN_SPOKEN if in_words else WITHIN_PLACED
    if not covered:
        return capital(say(table["cannot"], why=_why(audit, result), **values))
    kind = "unknown"
    if row.verdict in SHOWN:
        kind = "more" if row.estimate > 0 else "less"
    elif row.verdict == "equivalence shown":
        kind = "alike"
    return say(table[kind], adjusted=_within_strata(audit, result, row), **values)


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
    if all(name and not has_noun(name, p.labels.unit) for name in names):
        values |= dict(zip(("first", "other"), names, strict=True))
        return say(
            "Within the same {strata}, in {pairs} random pairs of one {first} and one {other} person the first has the "
            "higher {score} ({adjusted}); {crude}.",
            **values,
        )
    values |= dict(
        zip(("first", "other"), (where(p, result.attribute, g) for g in (result.group, result.reference)), strict=True)
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
    values = {
        "pairs": _with_ties(_of_hundred(row), row),
        "estimate": number(row.estimate, 3),
        "ends": _effect_ends(audit, row),
    }
    bound = bound_of(audit, row)
    if bound is None:
        return say("in {pairs} (P(X>Y) {estimate}, {ends})", **values)
    return say(
        "in {pairs} in the cells that were sent (P(X>Y) over what may have been withheld between {low} and {high}; "
        "{ends})",
        low=number(bound.conf_low, 3),
        high=number(bound.conf_high, 3),
        **values,
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
        values |= _between(row, bound)
        if row.estimate < 0:
            sided = mark("over what may have been withheld between {low} and {high} points less, {ends}: {verdict}")
        else:
            sided = mark("over what may have been withheld between {low} and {high} points more, {ends}: {verdict}")
        return say(sided, **values)
    if row.estimate < 0:
        return say("{points} points less, {ends}: {verdict}", **values)
    return say("{points} points more, {ends}: {verdict}", **values)


SETTLED_OF_SENTENCE = {
    "flagged": mark("flagged"),
    "disparity shown": mark("disparity shown"),
    "equivalence shown": mark("within the declared margin"),
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
    return " × ".join(protocol.labels.group(c, part) or quoted(part) for c, part in zip(columns, parts, strict=True))


def nothing(audit: Audited, result: Answer) -> str:
    """Why an attribute has no answer."""
    name = audit.protocol.called(result.attribute)
    if sum(cell.attribute == result.attribute for cell in audit.cells) < 2:
        return say("{name} has a single group: there is nothing to compare.", name=name)
    if not result.group:
        return say("No group of {name} could be compared with its reference.", name=name)
    why = translated(result.reason) or say("there is no rate")
    if result.absent > 1:  # the reason of each, those that share one together
        groups: dict[str, list[str]] = {}
        for row in _absent(audit, result):
            groups.setdefault(translated(row.reason) or say("there is no rate"), []).append(quoted(row.group))
        whose = "; ".join(f"{listed(labels)}: {text}" for text, labels in groups.items()) if len(groups) > 1 else why
        other = label_of(audit.protocol, result.attribute, result.reference)
        values = {"n": result.absent, "name": name, "other": other, "reason": whose}
        return say("None of the {n} groups of {name} can be compared with {other}: {reason}.", **values)
    both = (bare(audit.protocol, result.attribute, label) for label in (result.group, result.reference))
    return say("{groups} cannot be compared: {reason}.", groups=listed(list(both)), reason=why)


def _absent(audit: Audited, result: Answer) -> list[Estimate]:
    """The comparisons of an attribute that have no numbers."""
    contrast = contrast_of(result.metric)
    about = {"metric": result.metric, "attribute": result.attribute, "contrast": contrast, "role": "main"}
    rows = [row for row in audit.estimates.only(**about, term="", given="") if row.reference]
    return [row for row in rows if row.status != "ok"]


def others(audit: Audited, result: Answer) -> str:
    """The further groups whose difference is shown, and how many comparisons cannot be shown."""
    p, more = audit.protocol, [row for row in result.shown if row.group != result.group]
    alike = [row for row in result.family if row.verdict == "equivalence shown"]
    lines = []
    if result.differs and len(result.family) > 1:
        values = {
            "other": label_of(p, result.attribute, result.reference),
            "n": len(result.family),
            "k": len(result.shown),
        }
        if result.code == "flagged":
            lines.append(say("Groups that are flagged: {k} of the {n} that are compared with {other}.", **values))
        elif not more and alike:
            lines.append(
                say("Of {n} groups compared with {other} it is the only one with a disparity shown.", **values)
            )
        elif not more:
            lines.append(say("Of {n} groups compared with {other} it is the only one shown to differ.", **values))
        elif len(more) <= MOST_NAMED:
            names = listed([_rate_of(audit, result, row) for row in more])
            lines.append(say("Also shown to differ from {other}: {names}.", names=names, **values))
        elif len(result.shown) == len(result.family):
            lines.append(
                say("Both groups compared with {other} are shown to differ.", other=values["other"])
                if len(result.family) == 2
                else say("All {n} groups compared with {other} are shown to differ.", **values)
            )
        else:
            lines.append(say("Of {n} groups compared with {other}, {k} are shown to differ.", **values))
        if 0 < len(alike) <= MOST_NAMED:
            names = listed([_rate_of(audit, result, row) for row in alike])
            lines.append(say("Within the declared margin of {other}: {names}.", names=names, **values))
    if result.unknown:
        names = listed([_rate_of(audit, result, row) for row in result.unknown])
        whom = label_of(p, result.attribute, result.reference)
        if result.unknown[0].verdict == "disparity shown":
            lines.append(
                say("Beside the named groups, {names} is shown to differ from {other}.", names=names, other=whom)
            )
        else:
            lines.append(say("Beside the named groups, {names} is flagged beside {other}.", names=names, other=whom))
    apart = result.first or result.metric == "P(X>Y)"  # whose sentence is of one group
    entries = {"other": label_of(p, result.attribute, result.reference), "n": len(result.family)}
    if result.metric == "P(X>Y)" and result.code == "equivalence shown" and len(result.family) > 1:
        lines.append(
            say("Both groups compared with {other} are within the declared margin.", other=entries["other"])
            if len(result.family) == 2
            else say("All {n} groups compared with {other} are within the declared margin.", **entries)
        )
    if apart and result.code == "inconclusive" and len(result.family) > 1:
        lines.append(
            say("Neither of the groups compared with {other} is shown to differ.", other=entries["other"])
            if len(result.family) == 2
            else say("None of the {n} groups compared with {other} is shown to differ.", **entries)
        )
    values = {"n": result.absent, "name": p.called(result.attribute), "strata": strata_name(audit)}
    if result.absent and result.code != "unanswered" and result.first:
        lines.append(
            say_number(
                "{n} group of {name} cannot be compared within {strata}.",
                "{n} groups of {name} cannot be compared within {strata}.",
                result.absent,
                **values,
            )
        )
    elif result.absent and result.row is not None and not result.first:
        lines.append(
            say_number(
                "{n} group of {name} cannot be compared.",
                "{n} groups of {name} cannot be compared.",
                result.absent,
                **values,
            )
        )
    return " ".join(lines)


def _rate_of(audit: Audited, result: Answer, row: Estimate) -> str:
    """A group with its rate, where that is what was compared."""
    name = label_of(audit.protocol, result.attribute, row.group)
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
    rate = complement(items[0]) if result.flags else items[0]
    return say("{name} ({share}%)", name=name, share=percent(rate.estimate, 0 if rate.n < FEW else 1))


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


def finding(audit: Audited) -> str:
    """The key finding: a sentence for every declared attribute, differences first, each with its verdict.

    Where legitimate factors were declared, the comparison within their strata is the answer, and the crude numbers
    stand in the same sentence. A comparison goes the way of the tables: the group, then the reference.

    >>> from fairstats.auditing.audit import audit
    >>> data = {"sex": ["f"] * 50 + ["m"] * 50, "hired": [1] * 10 + [0] * 40 + [1] * 30 + [0] * 20}
    >>> print(finding(audit(data, decision="hired", groups="sex", reference="m")))
    hired = 1 is less frequent among women than among men: 20% (10 of 50) against 60% (30 of 50), a gap of 40
    percentage points (95% confidence interval ...). Disparity shown. At the rate of men it would have been 20 more of
    the 50 women.
    """
    result = answers(audit)
    lines = [overview(audit, result)]
    for one in spoken_of(result):
        if one.term:
            lines += [sentence(audit, one), verdict(one), beside_margin(seen(audit, one), one), left_out(one)]
            lines += [varying(seen(audit, one), one), classes_beside(audit, one)]
            continue
        lines += [sentence(audit, one), verdict(one), beside_margin(audit, one), others(audit, one), left_out(one)]
        lines += [varying(audit, one)]
        lines += [short_of(audit, one), unequal(audit, one), largest_gap(audit, one)] if len(result) == 1 else []
    lines += [*largest_gaps(audit, result), *meetings(audit, result)] if len(result) > 1 else meetings(audit, result)
    if len(result) > 1 and any(one.code == "inconclusive" for one in result):
        lines.append(say(NO_EVIDENCE))
    return " ".join(filter(None, lines))


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
    "equivalence shown": mark("{n} equivalent within the declared margin ({names})"),
}


def headline(audit: Audited, result: Sequence[Answer], brief: bool = False) -> str:
    """The answers alone: what page one of a report begins with; ``brief`` as in `sentence`."""
    together = open_together(result) if brief else ()
    lines = [overview(audit, result)]
    if brief:
        lines += [too_small(audit, one) for one in spoken_of(result)]
    lines += [sentence(audit, one, brief) for one in spoken_of(result) if one not in together]
    if together:
        p, (text, in_words) = audit.protocol, answer_event(audit.protocol, together[0])
        names = listed([p.called(one.attribute) for one in together])
        left = any(too_small(audit, one) for one in together)
        template = (OPEN_BETWEEN_OTHERS if left else OPEN_TOGETHER)[in_words]
        lines.append(single_spaced(say(template, names=names, people=p.labels.people(say("people")), **parts(text))))
    return " ".join(filter(None, lines))


def open_together(result: Sequence[Answer]) -> tuple[Answer, ...]:
    """The answers of several attributes that show nothing: a brief headline says so of all of them at once."""
    asked = [
        one
        for one in spoken_of(result)
        if one.code == "inconclusive" and one.has_difference and one.within is None and one.bounds is None
    ]
    alike = (
        len({(one.metric, one.term) for one in asked}) == 1
        and not asked[0].term
        and asked[0].metric not in without_event()
    )
    return tuple(asked) if alike and len(asked) > 1 else ()


OPEN_TOGETHER = {
    True: mark("No difference by {names} is shown in how often {people} {event}."),
    False: mark("No difference in {event} is shown by {names}."),
}


OPEN_BETWEEN_OTHERS = {
    True: mark("Between the others no difference by {names} is shown in how often {people} {event}."),
    False: mark("Between the others no difference in {event} is shown by {names}."),
}


def too_small(audit: Audited, result: Answer) -> str:
    """Of how many groups nothing is said, since they are withheld; "" where there are none."""
    k = sum(row.status == "suppressed" for row in _absent(audit, result))
    if not k:
        return ""
    n = sum(cell.attribute == result.attribute for cell in audit.cells)
    return say_number(
        "{k} of {n} groups of {name} is too small to report, or would let such a group be computed: nothing is said "
        "of it.",
        "{k} of {n} groups of {name} are too small to report, or would let such a group be computed: nothing is said "
        "of them.",
        k,
        k=k,
        n=n,
        name=audit.protocol.called(result.attribute),
    )


def verdict(result: Answer) -> str:
    """The verdict in words; "" where the sentence has it beside its numbers, or there is no comparison."""
    if not result.has_difference or result.first:
        return ""
    if result.bounds is not None and result.code == "equivalence shown":
        return say("Equivalence shown among those who are known, not over all.")
    if result.code == "disparity shown":
        return say("Disparity shown.")
    if result.code == "flagged":
        return say("Flagged: of all that is flagged a share may be false.")
    return say("Equivalence shown.") if result.code == "equivalence shown" else ""


def unequal(audit: Audited, result: Answer) -> str:
    """Of a difference that is not shown, that it is no evidence of equality, and what would have been shown."""
    if result.code != "inconclusive":
        return ""
    below, above = result.detectable
    if result.first or (math.isnan(below) and math.isnan(above)):
        return say("This does not show equality.")
    values = {"below": detectable_points(below), "above": detectable_points(above)}
    if values["below"] == values["above"]:
        return say(
            "This does not show that the rates are equal: a true difference of {below} percentage points, in either "
            "direction, would have been shown with a chance of 80%.",
            **values,
        )
    p, a = audit.protocol, result.attribute
    values |= {"first": bare(p, a, result.group), "other": label_of(p, a, result.reference)}
    if math.isnan(above):
        template = mark(
            "This does not show that the rates are equal: a true rate of {first} {below} percentage points below that "
            "of {other} would have been shown with a chance of 80%, one above it with a smaller one."
        )
    elif math.isnan(below):
        template = mark(
            "This does not show that the rates are equal: a true rate of {first} {above} percentage points above that "
            "of {other} would have been shown with a chance of 80%, one below it with a smaller one."
        )
    else:
        template = mark(
            "This does not show that the rates are equal: a true rate of {first} {below} percentage points below that "
            "of {other}, or {above} above it, would have been shown with a chance of 80%."
        )
    return say(template, **values)


def detectable_points(value: float) -> str:
    """A detectable difference in points, rounded away from zero: its power is promised of the number that is printed.

    Examples
    --------
    >>> detectable_points(0.19648), detectable_points(-0.19648), detectable_points(0.2)
    ('19.7', '−19.7', '20.0')
    """
    return percent(value if math.isnan(value) else math.copysign(math.ceil(round(1000 * abs(value), 6)) / 1000, value))


def beside_margin(audit: Audited, result: Answer) -> str:
    """Where the difference and the ratio lie beside the declared margins; "" where none was declared.

    Examples
    --------
    >>> from fairstats.auditing.audit import audit
    >>> data = {"sex": ["f"] * 50 + ["m"] * 50, "hired": [1] * 10 + [0] * 40 + [1] * 30 + [0] * 20}
    >>> result = audit(data, decision="hired", groups="sex", margin={"difference": 0.25})
    >>> beside_margin(result, answers(result)[0])
    'A difference is shown; that it is beyond the declared margin of ±25.0 points is not.'
    """
    row = result.row
    if result.metric in LEVELS:
        return margin_of_gap(audit, result)
    if row is None or result.metric in without_event():
        return _beside_scores(audit, result)
    where = ""  # two differences were named: which of them is spoken of
    if result.within is not None:
        strata = strata_name(audit)
        first = result.first
        where = say("within the same {strata}", strata=strata) if first else say(CRUDE, strata=strata)
    lines = [_beside_difference(audit, row, where), _beside_ratio(audit, result), _beside_scores(audit, result)]
    return " ".join(single_spaced(one) for one in lines if one)


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
        values["margin"] = number(margin, 3).rstrip("0").rstrip(".")
        if equal == len(items):
            template = mark(
                "{what} of {group} against {other} is {estimate} ({ends}), within the declared margin of ±{margin}."
            )
        else:
            template = mark(
                "{what} of {group} against {other} is {estimate} ({ends}); that it is within the declared margin of "
                "±{margin} is not shown."
            )
        if len(items) > 1:
            template = mark(
                "{what} is shown to be within the declared margin of ±{margin} in {k} of {n} comparisons; farthest is "
                "that of {group} against {other}, {estimate} ({ends})."
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
    if row.verdict not in SHOWN:
        return ""
    if min(row.conf_high, margin) < max(row.conf_low, -margin):
        return say("The whole interval {where} is beyond the declared margin of ±{points} points.", **points)
    if row.verdict == "flagged":
        return say(
            "A difference {where} is flagged; that it is beyond the declared margin of ±{points} points is not shown.",
            **points,
        )
    return say(
        "A difference {where} is shown; that it is beyond the declared margin of ±{points} points is not.", **points
    )


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
                    "The ratio {where} is {ratio} ({level}% confidence interval {low} to {high}), within the declared "
                    "margin of {least} to {most}.",
                    **values,
                )
            return say(
                "The ratio {where} is {ratio} ({level}% confidence interval {low} to {high}); that it is within the "
                "declared margin of {least} to {most} is not shown.",
                **values,
            )
    return ""


def varying(audit: Audited, result: Answer) -> str:
    """That the difference is not the same in all strata, where that is shown."""
    if result.within is None or not result.p_same < SAME:
        return ""
    values = {
        "name": audit.protocol.called(result.attribute),
        "strata": strata_name(audit),
        "p": p_equals(result.p_same),
    }
    return say("The difference by {name} is not the same in all strata of {strata} ({p}).", **values)


def left_out(result: Answer) -> str:
    """How many people of the two groups no stratum compares with the other group; "" where there are none."""
    if result.within is None or result.within.status != "ok" or result.rate is None or result.other is None:
        return ""
    alone, lines = result.rate.n + result.other.n - result.within.n - result.unplaced, []
    if result.unplaced >= 0.5:
        lines.append(say("The stratum of {n} people is missing, and they are left out.", n=count(result.unplaced)))
    if alone >= 0.5:
        lines.append(say("{n} people are in strata without the other group, and are left out.", n=count(alone)))
    return " ".join(lines)


def short_of(audit: Audited, result: Answer) -> str:
    """How many more, or fewer, of the group that fares worse would have been selected at the rate of the other."""
    if (result.has_difference and result.shortfall < 0 and not result.flags) or (result.flags and result.shortfall > 0):
        result = turned_around(result)  # the group is the favored one
    missing = result.shortfall
    if not result.differs or result.first or not abs(missing) >= 0.5 or result.rate is None or result.gap is None:
        return ""
    if bound_of(audit, result.gap) is not None:  # how many people the withheld ones make it is not known
        return ""
    p, a = audit.protocol, result.attribute
    values = {"n": number(abs(missing), 0), "size": number(result.rate.n, 0), "other": label_of(p, a, result.reference)}
    name = name_of(p, a, result.group)
    values["first"] = bare(p, a, result.group) if name else say("people of {group}", group=where(p, a, result.group))
    if missing > 0:
        return say("At the rate of {other} it would have been {n} more of the {size} {first}.", **values)
    return say("At the rate of {other} it would have been {n} fewer of the {size} {first}.", **values)


def chosen(audit: Audited, result: Answer) -> str:
    """How the two groups of an answer were chosen, where nobody named them."""
    p, a = audit.protocol, result.attribute
    named = p.headline or references_by_attribute(p.reference, audit.references)[a] != LARGEST_GROUP
    if named or not result.differs or result.first or len(result.family) < 2:
        return ""
    rows = audit.estimates.only(metric=result.metric, attribute=a, role="main", contrast="difference", status="ok")
    apart = [quoted(label) for label in dict.fromkeys(row.group for row in rows) if rest(label)]
    values = {"n": len(result.family), "name": p.called(a), "rest": listed(apart)}
    values |= {"other": label_of(p, a, result.reference), "first": label_of(p, a, result.group)}
    if apart and all(not rest(row.group) for row in result.family):
        return say(
            "Of {n} groups of {name} compared with {other}, the largest group, {first} is the one whose interval lies "
            "farthest from equality; {rest} is never named first.",
            **values,
        )
    return say(
        "Of {n} groups of {name} compared with {other}, the largest group, {first} is the one whose interval lies "
        "farthest from equality.",
        **values,
    )


def largest_gap(audit: Audited, result: Answer) -> str:
    """The largest gap of any two groups, which the data pick, with its simultaneous interval; "" for two groups."""
    if result.largest is None or result.first:
        return ""
    return f"{range_text(replace(result.largest, reason=_extremes(audit, result)))}."


def _extremes(audit: Audited, result: Answer) -> str:
    """Which two groups have the largest gap in the data, by the names that they were given."""
    assert result.largest is not None
    return renamed(result.largest.reason, lambda a, group: audit.protocol.labels.group(a, group) or group)


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
        values = {"name": audit.protocol.called(one.attribute), "seen": percent(row.estimate)}
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
    order = metrics.claimed()
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


# The sentences beside an answer: who scores higher, and the errors of both groups.


def who_scores_higher(audit: Audited, page: PageOne, result: Sequence[Answer]) -> str:
    """P(X>Y) of the two groups of page one, where there are no errors to speak of; "" where it is the answer."""
    if any(line.has_difference for line in page.lines[1:]) or _answered(page, result):
        return ""
    rows = audit.estimates.only(metric="P(X>Y)", attribute=page.attribute, role="main", status="ok", given="")
    for row in rows:
        if {row.group, row.reference} == {page.group, page.reference}:
            return random_pair(audit, page, row.estimate if row.group == page.group else 1 - row.estimate)
    return ""


def _answered(page: PageOne, result: Sequence[Answer]) -> bool:
    """Whether the answer of the attribute is that of P(X>Y)."""
    return any(one.attribute == page.attribute and one.metric == "P(X>Y)" for one in result)


def _beside(audit: Audited, page: PageOne, line: Line, elsewhere: bool = False) -> str:
    """Another rate of both groups, of 100 people each, with what is not settled."""
    protocol = audit.protocol
    text, _ = event(protocol, line.metric)
    condition, _ = among(protocol, line.metric)
    current, other = (number(100 * row.estimate, 0) for row in (line.rate, line.other))
    values = {"first": current, "other": other, **parts(text), **parts(condition, "condition")}
    if spoken(protocol, line.metric):
        one, two = (name_of(protocol, page.attribute, label) for label in (page.group, page.reference))
        if one and two:
            two = people(protocol, page.attribute, page.reference)
            rates = say(
                "Of those who {condition}, {first} of 100 {one} and {other} of 100 {two} {event}",
                one=one,
                two=two,
                **values,
            )
        else:  # the answer before has said which column these labels are of
            name = where if elsewhere else short_name
            if one or two:
                name = short_name
            one, two = (name(protocol, page.attribute, label) for label in (page.group, page.reference))
            rates = say(
                "Of those who {condition}, {first} of 100 ({one}) and {other} of 100 ({two}) {event}",
                one=one,
                two=two,
                **values,
            )
    else:  # a verb phrase of the one beside an equation of the other would be no sentence
        present = metrics.METRICS[line.metric]
        rates = say(
            "Where {condition}: {event} for {first} of 100 ({one}) and {other} of 100 ({two})",
            one=bare(protocol, page.attribute, page.group) if elsewhere else page.group,
            two=bare(protocol, page.attribute, page.reference) if elsewhere else page.reference,
            first=current,
            other=other,
            event=equation(protocol, present.event),
            condition=equation(protocol, present.given),
        )
    return single_spaced(_with_gap(line, rates))


def _with_gap(line: Line, rates: str) -> str:
    """Two rates with the interval of their difference, in the direction that makes the difference positive."""
    verdict, row = line.gap.verdict or "inconclusive", line.row  # as the tables have it
    low, high = decisive_interval(row)
    if low != low or high != high or (verdict == "inconclusive" and not low <= 0 <= high):
        return say(_SETTLED[verdict], rates=rates)
    low, high = (low, high) if row.estimate >= 0 else (-high, -low)
    points, ends = (
        tuple(percent(v + 0.0, 0 if line.few else 1) for v in part) for part in ((abs(row.estimate),), (low, high))
    )
    return say(_GAPS[verdict], rates=rates, points=points[0], low=ends[0], high=ends[1])


_GAPS = {
    "disparity shown": mark("{rates} (gap {points} points, {low} to {high})."),
    "flagged": mark("{rates} (gap {points} points, {low} to {high})."),
    "equivalence shown": mark("{rates}: the same, within the declared margin (gap {points} points, {low} to {high})."),
    "inconclusive": mark("{rates}; the gap of {points} points could be chance ({low} to {high})."),
}
_SETTLED = {
    "disparity shown": "{rates}.",
    "flagged": "{rates}.",
    "equivalence shown": mark("{rates}: the same, within the declared margin."),
    "inconclusive": mark("{rates}: the data do not settle whether that differs."),
}


# The main findings of page one: a claim, and the numbers that it rests on.


MOST_FINDINGS = 5
# Of an error by what is known of it: where a prediction harms the person, and where it helps. The group is the one that
# has more of the error; of predictive values the one whose predictions are right less often.
LEADS = {
    ("FPR", "shown"): (
        mark("False alarms are more frequent {place}."),
        mark("Mistaken favorable decisions are more frequent {place}."),
    ),
    ("FNR", "shown"): (
        mark("Missed cases are more frequent {place}."),
        mark("Mistaken refusals are more frequent {place}."),
    ),
    ("PPV", "shown"): (mark("A positive prediction is right less often {place}."),) * 2,
    ("FPR", "alone"): (
        mark("Looked at alone, false alarms are more frequent {place}."),
        mark("Looked at alone, mistaken favorable decisions are more frequent {place}."),
    ),
    ("FNR", "alone"): (
        mark("Looked at alone, missed cases are more frequent {place}."),
        mark("Looked at alone, mistaken refusals are more frequent {place}."),
    ),
    ("PPV", "alone"): (mark("Looked at alone, positive predictions are right less often {place}."),) * 2,
    ("FPR", "open"): (
        mark("Whether false alarms are more frequent {place} is not settled."),
        mark("Whether mistaken favorable decisions are more frequent {place} is not settled."),
    ),
    ("FNR", "open"): (
        mark("Whether missed cases are more frequent {place} is not settled."),
        mark("Whether mistaken refusals are more frequent {place} is not settled."),
    ),
    ("PPV", "open"): (mark("Whether positive predictions are right less often {place} is not settled."),) * 2,
    ("FPR", "equal"): (
        mark("False alarms are about equally frequent."),
        mark("Mistaken favorable decisions are about equally frequent."),
    ),
    ("FNR", "equal"): (
        mark("Missed cases are about equally frequent."),
        mark("Mistaken refusals are about equally frequent."),
    ),
    ("PPV", "equal"): (mark("Positive predictions are right about equally often."),) * 2,
}


ALONE = mark("Shown for this rate alone, not when all rates of this page are allowed for.")
TIMES_LEADS = {
    "FPR": (
        mark("False alarms are {times} as frequent {place}."),
        mark("Mistaken favorable decisions are {times} as frequent {place}."),
    ),
    "FNR": (
        mark("Missed cases are {times} as frequent {place}."),
        mark("Mistaken refusals are {times} as frequent {place}."),
    ),
}


def main_findings(audit: Audited, page: PageOne, result: tuple[Answer, ...]) -> list[tuple[str, str]]:
    """Up to five claims beside the answer, each with its numbers: errors, other groups, what cannot be equal at once.

    Errors of other groups than those of the answer are findings only where they are shown with every comparison allowed
    for that page one could have picked.
    """
    helps = audit.protocol.positive_prediction == audit.protocol.favorable
    lines = [(page, line, False) for line in page.lines[1:] if line.has_difference]
    for row in further_findings(audit, page, result):
        about = replace(page, attribute=row.attribute, group=row.group, reference=row.reference)
        lines.append((about, line_of(audit, row), True))
    out = []
    for about, line, elsewhere in lines:
        state = (
            "alone" if line.alone else {"equivalence shown": "equal", "inconclusive": "open"}.get(line.verdict, "shown")
        )
        row = line.row
        worse = row.estimate > 0 if line.metric != "PPV" else row.estimate < 0
        place = placed(audit.protocol, about.attribute, about.group if worse else about.reference)
        low, high = sorted((line.rate.estimate, line.other.estimate))
        times = "" if state != "shown" or line.few or line.metric not in TIMES_LEADS else times_as(high, low)
        template = TIMES_LEADS[line.metric][helps] if times else LEADS[line.metric, state][helps]
        text = _beside(audit, about, line, elsewhere=elsewhere)
        beside = say(ALONE) if line.alone else _fewer(audit, about, line)
        out.append((say(template, place=place, times=times), f"{text} {beside}".rstrip()))
    of_page = sum(line.has_difference for line in page.lines[1:])
    if of_page == len(ERRORS) and _base_rates_differ(audit, page):
        out = [*out[: MOST_FINDINGS - 1], (say(AT_ONCE, last=of_page), say(WHICH))]
    return out[:MOST_FINDINGS]


def _fewer(audit: Audited, page: PageOne, line: Line) -> str:
    """How many people of the group the error would have spared at the rate of the reference, where it is shown."""
    protocol, row = audit.protocol, line.row
    people_more = row.estimate * line.rate.n
    told = spoken(protocol, line.metric) and name_of(protocol, page.attribute, page.group)
    if line.metric == "PPV" or line.verdict not in SHOWN or not told or not people_more >= 0.5:
        return ""
    one, other = (people(protocol, page.attribute, label) for label in (page.group, page.reference))
    return say(
        "At the rate of {other} it would have been {n} fewer {one}.", n=count(round(people_more)), one=one, other=other
    )


ERRORS = ("FPR", "FNR", "PPV")  # of which no two groups with other outcome rates have all three alike
AT_ONCE = mark("The rates of findings 1 to {last} cannot all be equal between groups whose outcome rates differ.")
WHICH = mark("Which of them should be equal is a question of law and policy, not of statistics.")


def _base_rates_differ(audit: Audited, page: PageOne) -> bool:
    """Whether the interval of the difference of the outcome rates excludes 0; then not all error rates can be equal."""
    rows = audit.estimates.only(
        metric="base rate", attribute=page.attribute, contrast="difference", role="main", given=""
    )
    pair = {page.group, page.reference}
    return any({row.group, row.reference} == pair and not row.conf_low <= 0 <= row.conf_high for row in rows)


def outcome_rates(audit: Audited, page: PageOne) -> str:
    """The outcome rates of the two groups, as recorded: no verdict is passed on them."""
    rows = audit.estimates.only(metric="base rate", attribute=page.attribute, contrast="none", role="main", given="")
    rates = {row.group: row for row in rows if row.status == "ok"}
    if page.head.metric == "base rate" or not {page.group, page.reference} <= {*rates}:
        return ""
    text, _ = event(audit.protocol, "base rate")
    few = min(rates[group].n for group in (page.group, page.reference)) < FEW
    values = {
        key: percent(rates[group].estimate, 0 if few else 1)
        for key, group in (("x", page.group), ("y", page.reference))
    }
    about = audit.protocol, page.attribute
    if spoken(audit.protocol, "base rate"):
        one, two = (people(*about, group) for group in (page.group, page.reference))
        return single_spaced(say("{x}% of {one} and {y}% of {two} {event}.", one=one, two=two, **values, **parts(text)))
    one, two = (placed(*about, group) for group in (page.group, page.reference))
    return single_spaced(say("{event} for {x}% {one}, for {y}% {two}.", one=one, two=two, **values, **parts(text)))


def random_pair(audit: Audited, page: PageOne, chance: float) -> str:
    """P(X>Y) as what happens in a hundred random pairs."""
    labels = audit.protocol.labels
    score = labels.score or audit.protocol.score
    names = [labels.group(page.attribute, label) for label in (page.group, page.reference)]
    named = all(name and not has_noun(name, labels.unit) for name in names)  # "one Black arrestees person" is no noun
    one, two = names if named else [where(audit.protocol, page.attribute, g) for g in (page.group, page.reference)]
    values = {"n": number(100 * chance, 0), "one": one, "two": two, "score": score}
    if named:
        return say(
            "In {n} of 100 random pairs of one {one} and one {two} person the first has the higher value of {score} "
            "(ties count half; 50 is no difference).",
            **values,
        )
    return say(
        "In {n} of 100 random pairs of one person with {one} and one with {two} the first has the higher value of "
        "{score} (ties count half; 50 is no difference).",
        **values,
    )
