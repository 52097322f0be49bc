"""The protocol as the data spell it: what was declared stays as it is, what every later stage reads is this."""

from __future__ import annotations

from dataclasses import dataclass, fields

from fairstats.auditing.protocol import Protocol
from fairstats.errors import InputError, listing, nearest
from fairstats.labels import is_numeric_text
from fairstats.studies.yes_no import counterpart, spelled, truth

_HELPS = {"favorable": "helps the person", "positive": "is the event"}


@dataclass(frozen=True)
class Resolved(Protocol):
    """A protocol whose labels are those of the data, with the decision that predicts the outcome and all attributes."""


def resolve(
    declared: Protocol,
    *,
    outcome: tuple[str, ...] | None,
    decision: tuple[str, ...] | None,
    attributes: tuple[str, ...],
) -> Resolved:
    """Say a declared protocol in the words of the data.

    Parameters
    ----------
    declared : Protocol
        As it was declared.
    outcome, decision : tuple of str or None
        The labels that the columns have, one or two; None where there is no such column.
    attributes : tuple of str
        What is audited, the intersection of several groups included.

    Returns
    -------
    Resolved

    Raises
    ------
    InputError
        If a label is not among two that are met, or the decision that predicts the outcome cannot be told.

    Examples
    --------
    >>> declared = Protocol(("sex",), outcome="paid", decision="lent")
    >>> made = resolve(declared, outcome=("False", "True"), decision=("no", "1"), attributes=("sex",))
    >>> made.positive, made.favorable, made.predicts
    ('True', '1', '1')
    """
    positive, favorable, predicts = declared.positive, declared.favorable, declared.predicts
    if outcome is not None:
        positive = _met("positive", positive, _second(outcome, positive), declared.outcome)
    if decision is not None:
        labels = _second(decision, favorable, predicts, "" if outcome is None else positive)
        favorable = _met("favorable", favorable, labels, declared.decision)
        predicts = "" if outcome is None else _predicts(declared, positive, labels)
    elif declared.threshold is not None:
        predicts = predicts or "1"
    values = {field.name: getattr(declared, field.name) for field in fields(declared)}
    words = {"positive": positive, "favorable": favorable, "predicts": predicts, "groups": attributes}
    return Resolved(**(values | words))


def _met(argument: str, label: str, labels: tuple[str, ...], column: str) -> str:
    """The label as the data spell it: 1, and R's TRUE, mean True where the column is logical."""
    spelling = spelled(label, labels)
    if spelling:
        return spelling
    ways = " or ".join(f"{argument}={one!r}" for one in sorted(labels))
    which = f", whichever {_HELPS[argument]}" if argument in _HELPS and len(labels) > 1 else ""
    default = ", its default" if label == "1" else ""
    raise InputError(
        f"{argument} has {label!r}{default}; {column!r} has no such label{nearest(label, labels)}; "
        f"its labels are {listing(sorted(labels))}; pass {ways}{which}."
    )


def _second(labels: tuple[str, ...], *asked: str) -> tuple[str, ...]:
    """The two labels of a column in which one is never met: an audit in which nobody was selected is an audit."""
    if len(labels) != 1:
        return labels
    told = [text for text in asked if text and not spelled(text, labels)]
    other = counterpart(labels[0])
    if other and all(spelled(text, (*labels, other)) for text in told):
        return (*labels, other)
    if any(counterpart(text) for text in told) and not is_numeric_text(labels[0]):
        return labels  # 1 beside a word is nobody's label, but the default
    return (*labels, *told[:1]) if told else (*labels, other or "True")


def _predicts(declared: Protocol, positive: str, labels: tuple[str, ...]) -> str:
    """The decision label that says "positive": the outcome's own label where both columns speak of the same thing."""
    if declared.predicts:
        return _met("predicts", declared.predicts, labels, declared.decision)
    same = [one for one in labels if one == positive or truth(one) == truth(positive) != ""]
    if same:
        return same[0]
    raise InputError(
        f"decision has {declared.decision!r} with the labels {listing(sorted(labels))}, and the positive label of "
        f"{declared.outcome!r} is {positive!r}; which decision predicts it cannot be known from the names; "
        f"pass predicts= with one of the decision's labels."
    )
