"""The closed sets of choices of an audit, each choice with its words: what code, console, report and help all read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from fairstats.errors import InputError
from fairstats.language import say

# What a type checker knows of the tables below; a test says that they hold the same names.
Adjust = Literal["bonferroni", "holm", "bh", "none"]
FamilyOf = Literal["rate", "audit"]
ByP = Adjust  # where only p-values are adjusted
Missing = Literal["level", "drop", "raise"]
WeightType = Literal["frequency", "probability"]
Contrast = Literal["difference", "ratio"]
OnUnknown = Literal["raise", "mean"]  # a level of new rows that the fit has not seen
ON_UNKNOWN = ("raise", "mean")


@dataclass(frozen=True)
class Choice:
    """One value of an argument: its name in code, its words inside a sentence, and what it means."""

    name: str
    words: str
    meaning: str


def _table(*choices: Choice) -> dict[str, Choice]:
    return {choice.name: choice for choice in choices}


LARGEST_GROUP, HIGHEST_RATE = "largest_group", "highest_rate"
BONFERRONI: Final = "bonferroni"
HOLM: Final = "holm"
BH: Final = "bh"
NONE: Final = "none"
RATE, AUDIT = "rate", "audit"

ADJUSTMENTS = _table(
    Choice(BONFERRONI, "Bonferroni", "family-wise error, under any dependence; intervals that agree"),
    Choice(HOLM, "Holm", "family-wise error, under any dependence; p-values only"),
    Choice(BH, "Benjamini-Hochberg", "false discovery rate: comparisons are flagged"),
    Choice(NONE, "not adjusted", "each comparison at its own level"),
)
# Against the highest rate the reference is itself a result of the data, whatever adjustment was asked for.
ALL_PAIRS = Choice(
    "all pairs", "Bonferroni over all pairs of groups", "family-wise error, whichever group has the highest rate"
)
REFERENCES = _table(
    Choice(LARGEST_GROUP, "the largest group of each attribute", "chosen by size, not by the rates"),
    Choice(HIGHEST_RATE, "the group with the highest rate", "chosen by the rates; intervals are simultaneous"),
)
FAMILIES = _table(
    Choice(RATE, "the comparisons of one rate over all attributes", "every such family at the level of the audit"),
    Choice(AUDIT, "all comparisons of the audit", "all such families together at the level of the audit"),
)
NAMED = Choice("named", "named in the protocol", "a group given by its label")
MISSING = _table(
    Choice("level", "people without a group are kept as a level of their own", "a group (missing)"),
    Choice("drop", "people without a group are left out, and counted", "left out"),
    Choice("raise", "people without a group are an error", "an error"),
)
WEIGHT_TYPES = _table(
    Choice("frequency", "each row stands for that many people", "whole numbers"),
    Choice("probability", "inverse sampling probabilities", "linearized variances"),
)


def adjustment(adjust: str, reference: str) -> Choice:
    """The adjustment that is in force: against the highest rate, Bonferroni over all pairs of groups.

    Examples
    --------
    >>> adjustment("holm", "largest_group").words, adjustment("none", "highest_rate").words
    ('Holm', 'Bonferroni over all pairs of groups')
    """
    return ALL_PAIRS if reference == HIGHEST_RATE else ADJUSTMENTS[adjust]


def adjusted_by(adjust: str, reference: str) -> str:
    """How the comparisons of a family are adjusted, as the end of a sentence.

    Examples
    --------
    >>> adjusted_by("holm", "largest_group"), adjusted_by("none", "largest_group")
    ('adjusted by Holm', 'not adjusted')
    >>> adjusted_by("holm", "race=highest_rate; sex=Male")
    'adjusted by Holm; of race by Bonferroni over all pairs of groups'
    """
    chosen = adjustment(adjust, reference)
    words = say(chosen.words) if chosen.name == NONE else say("adjusted by {method}", method=say(chosen.words))
    parts = [part.rpartition("=") for part in reference.split("; ")]
    apart = [attribute for attribute, equals, rule in parts if equals and rule == HIGHEST_RATE]
    if not apart:
        return words
    names = f" {say('and')} ".join(apart)
    return say("{words}; of {names} by {method}", words=words, names=names, method=say(ALL_PAIRS.words))


def controllable(family: str, adjust: str, reference: str) -> None:
    """Refuse a scope of error control for which no rule is known.

    Raises
    ------
    InputError
        If all comparisons of an audit are to be held together without an adjustment, or by a false discovery rate
        where the data choose the reference.

    Examples
    --------
    >>> controllable("audit", "holm", "largest_group")
    """
    if family == AUDIT and adjust == NONE:
        raise InputError(
            "family has 'audit' and adjust has 'none'; without an adjustment no error rate is held over the audit; "
            "pass adjust='bonferroni', or leave family at 'rate'."
        )
    if family == AUDIT and adjust == BH and HIGHEST_RATE in reference:
        raise InputError(
            "family has 'audit', adjust has 'bh' and reference has 'highest_rate'; the share of false claims is not "
            "known where the data choose the reference; pass adjust='bonferroni', or name the reference."
        )


def reference_rule(reference: str) -> Choice:
    """The rule behind a reference; a label is no rule.

    Examples
    --------
    >>> reference_rule("largest_group").words, reference_rule("Male").words
    ('the largest group of each attribute', 'named in the protocol')
    """
    return REFERENCES.get(reference, NAMED)


def names(choices: Mapping[str, Choice] | Iterable[str]) -> str:
    """The names of a closed set as help prints them.

    Examples
    --------
    >>> names(MISSING)
    'level, drop or raise'
    """
    *first, last = choices
    return f"{', '.join(first)} or {last}" if first else last
