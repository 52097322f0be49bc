"""How sentences call people, decisions and outcomes: in the protocol's words, or by column and label."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fairstats import metrics
from fairstats.auditing.protocol import Protocol
from fairstats.language import mark, say, stored
from fairstats.text import capital, setting
from fairstats.vocabulary.rates import RATES

AT_LEAST, BELOW = stored("{score} at least {threshold}"), stored("{score} below {threshold}")
_OTHER = {"1": "0", "0": "1", "True": "False", "False": "True", "TRUE": "FALSE", "FALSE": "TRUE"}


def decision_text(protocol: Protocol, label: str) -> str:
    """A decision by column and label: ``released = Yes``, or ``decile_score below 5``.

    Examples
    --------
    >>> decision_text(Protocol(("race",), score="decile_score", threshold=5.0), "0")
    'decile_score below 5'
    """
    if protocol.threshold is None:
        return f"{protocol.decision} = {label}"
    values = {"score": protocol.score, "threshold": setting(protocol.threshold)}
    return say(AT_LEAST, **values) if label == "1" else say(BELOW, **values)


def outcome_text(protocol: Protocol) -> str:
    """The positive outcome by column and label: ``two_year_recid = 1``."""
    return f"{protocol.outcome} = {protocol.positive}"


def measured(protocol: Protocol) -> tuple[str, ...]:
    """Which columns decision and outcome are, and which of their labels are meant: for who has the result alone.

    Examples
    --------
    >>> rules = Protocol(("race",), outcome="recid", score="decile", threshold=5.0, favorable="0", predicts="1")
    >>> print(*measured(rules), sep="\\n")
    The favorable decision is decile below 5.
    The positive outcome is recid = 1, predicted by decile at least 5.
    """
    decided = bool(protocol.decision) or protocol.threshold is not None
    said = [_FAVORABLE.format(said=decision_text(protocol, protocol.favorable))] if decided else []
    if protocol.outcome and protocol.predicts and decided:
        predicted = decision_text(protocol, protocol.predicts)
        said.append(_PREDICTED.format(said=outcome_text(protocol), said_how=predicted))
    elif protocol.outcome:
        said.append(_POSITIVE.format(said=outcome_text(protocol)))
    return tuple(said)


def measured_among(statements: Sequence[str]) -> list[str]:
    """Those of the statements of a result that `measured` made.

    Examples
    --------
    >>> measured_among(["No change is shown.", "The positive outcome is paid = 1."])
    ['The positive outcome is paid = 1.']
    """
    beginnings = tuple(template.partition("{")[0] for template in (_FAVORABLE, _POSITIVE, _PREDICTED))
    return [text for text in statements if text.startswith(beginnings)]


_FAVORABLE = stored("The favorable decision is {said}.")
_POSITIVE = stored("The positive outcome is {said}.")
_PREDICTED = stored("The positive outcome is {said}, predicted by {said_how}.")


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
    >>> rules = Protocol(("sex",), outcome="paid", decision="lent", predicts="yes")
    >>> equation(rules, "D=0"), equation(rules, "Y=0")
    ('lent ≠ yes', 'paid = 0')
    """
    if part == "D=+":
        return decision_text(protocol, protocol.favorable)
    if part in ("D=1", "D=0"):
        return _decided(protocol, protocol.predicts, part == "D=1")
    return outcome_text(protocol) if part == "Y=1" else _other(protocol.outcome, protocol.positive)


def phrase(protocol: Protocol, part: str) -> str:
    """A part of a rate as the verb phrase of the protocol's words, "" where it has none.

    Where the decision is a cut of a score whose noun they have, the phrase is made of that.

    Examples
    --------
    >>> from fairstats.auditing.own_words import Words
    >>> own = Words(favorable="were hired", unfavorable="were not")
    >>> rules = Protocol(("sex",), predicts="0", favorable="1", words=own)
    >>> phrase(rules, "D=+"), phrase(rules, "D=1"), phrase(rules, "Y=1")
    ('were hired', 'were not', '')
    """
    own = protocol.words
    if part in ("Y=1", "Y=0"):
        return own.positive if part == "Y=1" else own.negative
    favorable = part == "D=+" or (part == "D=1") == (protocol.predicts == protocol.favorable)
    said = own.favorable if favorable else own.unfavorable
    if said or not own.score or protocol.threshold is None:
        return said
    label = protocol.favorable if favorable else _OTHER[protocol.favorable]
    sides = {"1": mark("had {score} of at least {threshold}"), "0": mark("had {score} below {threshold}")}
    return say(sides[label], score=own.score, threshold=setting(protocol.threshold))


def event(protocol: Protocol, metric: str) -> tuple[str, bool]:
    """What a rate counts, and whether that is a verb phrase of the protocol's words."""
    if metric == "scoring rate":
        own = protocol.words.score
        if own:
            return say("had {score} above the median", score=own), True
        return say("{score} above the median", score=protocol.score), False
    part = metrics.METRICS[metric].event
    said = phrase(protocol, part)
    return (said, True) if said else (equation(protocol, part), False)


def among(protocol: Protocol, metric: str) -> tuple[str, bool]:
    """Among whom a rate counts, "" for everybody, and whether that is a verb phrase of the protocol's words."""
    part = metrics.METRICS[metric].given
    if not part:
        return "", True
    said = phrase(protocol, part)
    return (said, True) if said else (equation(protocol, part), False)


def share_of(protocol: Protocol, metric: str) -> str:
    """What a rate is a share of, and of whom: in the protocol's words, or by column and label.

    Examples
    --------
    >>> rules = Protocol(("race",), outcome="recid", score="decile", threshold=5.0, favorable="0", predicts="1")
    >>> share_of(rules, "FPR")
    'of people with recid = 0, the share with decile at least 5'
    >>> share_of(rules, "accuracy")
    'share of people whose prediction equals their outcome'
    """
    if metric not in SHARES:
        return say(metrics.METRICS[metric].meaning)
    (said, told), (condition, whom) = event(protocol, metric), among(protocol, metric)
    values = {**parts(said), **parts(condition, "condition")}
    if not condition:
        return single_spaced(say(_SHARE[told], **values))
    return single_spaced(say(_SHARE_AMONG[whom, told], **values))


# rates that count a decision or an outcome, not whether the two agree
SHARES = {row.name for row in RATES if row.event in ("D=+", "D=1", "D=0", "Y=1", "Y=0")}
_SHARE = {True: mark("the share of all who {said}"), False: mark("the share of all people with {said}")}
_SHARE_AMONG = {
    (True, True): mark("of those who {condition}, the share who {said}"),
    (True, False): mark("of those who {condition}, the share with {said}"),
    (False, True): mark("of people with {condition}, the share who {said}"),
    (False, False): mark("of people with {condition}, the share with {said}"),
}


def parts(said: str, name: str = "") -> dict[str, str]:
    """A verb phrase whole, and as its verb and the rest: languages differ in what stands between the two.

    Examples
    --------
    >>> parts("were hired")
    {'said': 'were hired', 'verb': 'were', 'rest': 'hired'}
    >>> parts("were held", "condition")
    {'condition': 'were held', 'condition_verb': 'were', 'condition_rest': 'held'}
    """
    verb, _, rest = said.partition(" ")
    before = f"{name}_" if name else ""
    return {name or "said": said, f"{before}verb": verb, f"{before}rest": rest}


def single_spaced(sentence: str) -> str:
    """A sentence one of whose places may be empty: a verb phrase may be the verb alone."""
    return " ".join(filter(None, sentence.split(" ")))


def spoken(protocol: Protocol, metric: str) -> bool:
    """Whether the protocol's words say all that a sentence on this rate needs."""
    return bool(protocol.words.unit) and event(protocol, metric)[1] and among(protocol, metric)[1]


def people(protocol: Protocol, attribute: str, label: str, noun: str = "") -> str:
    """The people of a group: ``Black arrestees``, or ``arrestees whose colour is "Black"`` where it has no name.

    Examples
    --------
    >>> from fairstats.auditing.own_words import Words
    >>> people(Protocol(("colour",), words=Words(unit="arrestees")), "colour", "Black")
    'arrestees whose colour is "Black"'
    """
    own, unit = protocol.words, noun or protocol.words.unit
    name = own.group(attribute, label)
    if has_noun(name, unit):
        return name
    if name:
        return say("{name} {people}", name=name, people=unit)
    return say('{people} whose {name} is "{label}"', people=unit, name=own.attribute(attribute), label=label)


def has_noun(name: str, unit: str) -> bool:
    """Whether the name of a group says already what the people are.

    Examples
    --------
    >>> has_noun("Black arrestees", "arrestees"), has_noun("Black", "arrestees"), has_noun("Black", "")
    (True, False, False)
    """
    return bool(unit) and re.search(rf"\b{re.escape(unit)}\b", name, re.IGNORECASE) is not None


def where(protocol: Protocol, attribute: str, label: str) -> str:
    """A group as the data have it: ``colour = Black``."""
    return f"{protocol.words.attribute(attribute)} = {quoted(label)}"


def bare(protocol: Protocol, attribute: str, label: str) -> str:
    """A group inside a sentence that says nothing else of it: its name, or ``colour = Black``."""
    name = protocol.words.group(attribute, label)
    return (
        people(protocol, attribute, label)
        if name and protocol.words.unit
        else name or where(protocol, attribute, label)
    )


def label_of(protocol: Protocol, attribute: str, label: str) -> str:
    """A group in a sentence whose attribute has been named: its name, or its label."""
    return bare(protocol, attribute, label) if protocol.words.group(attribute, label) else quoted(label)


def placed(protocol: Protocol, attribute: str, label: str) -> str:
    """Where something is frequent: ``among Black arrestees``, or ``where colour = Black``."""
    if protocol.words.group(attribute, label):
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
    return capital(protocol.words.group(attribute, label)) or quoted(label)
