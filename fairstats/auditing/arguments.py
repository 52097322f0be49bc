"""The arguments of an audit, each declared once: its type, its default, its form, its words.

What reads them makes its own from here: the checks and the entries of ``audit.toml`` (`protocol.py`), the options and
the file of ``fairstats protocol init`` (`cli`), the signature of R's ``fair_audit`` (`tools/r_arguments.py`). Nothing
here loads NumPy, so that help is printed at once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from fairstats.language import message
from fairstats.validation import (
    ADJUSTMENTS,
    FAMILIES,
    INTERSECTIONS,
    LARGEST_GROUP,
    LAWS,
    MISSING,
    PAIRS,
    REFERENCES,
    WEIGHT_TYPES,
    Adjust,
    Choice,
    FamilyOf,
    Law,
    WeightType,
    names,
)
from fairstats.validation import Missing as Absent

# What a value is: each form has one check, one way to be written at a shell, in a file and in R.
Form = Literal[
    "column",
    "columns",
    "label",
    "number",
    "level",
    "count",
    "seed",
    "choice",
    "reference",
    "margin",
    "intersections",
    "headline",
    "labels",
    "order",
    "shares",
    "formula",
    "about",
    "design",
    "flag",
]
Choices = Mapping[str, Choice]


class DefaultLabel(int):
    """The default of a label, which is not the same number from the caller."""


ONE = DefaultLabel(1)


def _of(form: Form, words: str, choices: Choices | None = None) -> dict[str, Any]:
    return {"form": form, "words": words, "choices": choices or {}}


def _choice(words: str, choices: Choices) -> dict[str, Any]:
    return _of("choice", f"{words}: {names(choices)}.", choices)


@dataclass(frozen=True)
class AuditArguments:
    """The arguments of an audit as the caller said them."""

    decision: str | None = field(
        default=None, metadata=_of("column", "What was decided about the person (two values, or several classes).")
    )
    groups: str | Sequence[str] | None = field(default=None, metadata=_of("columns", "Columns of groups."))
    outcome: str | None = field(
        default=None, metadata=_of("column", "What happened to the person (two values, or several classes).")
    )
    score: str | None = field(default=None, metadata=_of("column", "A score, as a number."))
    amount: str | None = field(
        default=None,
        metadata=_of("column", "An amount that is given as a number, such as pay; of a score, its mean by group."),
    )
    unit: str | None = field(
        default=None,
        metadata=_of(
            "label", "What amounts are counted in, such as EUR/h; points: of a scale, without gaps in per cent."
        ),
    )
    quantiles: Sequence[float] = field(
        default=(0.1, 0.5, 0.9),
        metadata=_of("shares", "Quantiles of the amounts that are compared beside the median."),
    )
    adjust_for: str | Sequence[str] | None = field(
        default=None,
        metadata=_of("formula", "Covariates of amounts: the gap of people who are alike in '~ grade + C(site)'."),
    )
    threshold: float | None = field(
        default=None, metadata=_of("number", "Decision is 1 where score >= threshold, else 0.")
    )
    favorable: Any = field(default=ONE, metadata=_of("label", "The decision that helps the person."))
    positive: Any = field(default=ONE, metadata=_of("label", "The outcome that counts as 1."))
    positive_prediction: Any = field(
        default=None,
        metadata=_of("label", "The decision that predicts the positive outcome, where the labels do not tell."),
    )
    class_order: Sequence[Any] | None = field(
        default=None,
        metadata=_of("order", "The order of three classes or more, that which helps the person most last."),
    )
    reference: Any = field(
        default=LARGEST_GROUP,
        metadata=_of(
            "reference",
            f"Whom the others are compared with: {', '.join(REFERENCES)}, a group, or 'sex=Male; race=White'.",
            REFERENCES,
        ),
    )
    conf_level: float = field(default=0.95, metadata=_of("level", "Confidence level."))
    p_adjust: Adjust = field(default="bonferroni", metadata=_choice("Multiplicity", ADJUSTMENTS))
    family: FamilyOf = field(default="rate", metadata=_choice("What is adjusted together", FAMILIES))
    margin: float | Mapping[str, float] | None = field(
        default=None,
        metadata=_of(
            "margin",
            "Differences of rates inside this margin count as equivalent; of amounts gap=0.05 (declare it in advance).",
        ),
    )
    strata: str | Sequence[str] | None = field(
        default=None, metadata=_of("columns", "Legitimate factors: compare within these strata.")
    )
    weights: str | None = field(default=None, metadata=_of("column", "Weights of the rows."))
    weight_type: WeightType = field(default="frequency", metadata=_choice("What a weight is", WEIGHT_TYPES))
    clusters: str | None = field(
        default=None, metadata=_of("column", "People of one cluster are not independent of each other.")
    )
    design: Any = field(
        default=None,
        metadata=_of("design", "A survey's design: weights=..., strata=..., clusters=..., fpc=..., nest=true."),
    )
    min_n: int = field(default=1, metadata=_of("count", "Suppress rates of fewer people than this."))
    missing: Absent = field(default="level", metadata=_choice("People without a group", MISSING))
    intersections: Literal["pairs", "full"] | Sequence[str] | Literal[False] = field(
        default=PAIRS,
        metadata=_of(
            "intersections",
            f"Of several columns of groups: {names(INTERSECTIONS)}, none, or sex:race.",
            INTERSECTIONS,
        ),
    )
    shrunken: bool = field(
        default=False,
        metadata=_of("flag", "Beside the rates of many small groups those drawn toward their mean, without a verdict."),
    )
    headline: Mapping[str, Sequence[Any]] | None = field(
        default=None,
        metadata=_of("headline", "The comparison that the protocol names, in place of every group with its reference."),
    )
    labels: Mapping[str, Any] | None = field(
        default=None,
        metadata=_of(
            "labels", "What the report calls people, decisions and groups: unit=arrestees, groups.race.1=Black."
        ),
    )
    law: Law | None = field(
        default=None,
        metadata=_choice("Under whose law: only that of employment has the rule of four fifths", LAWS),
    )
    about: Mapping[str, Any] | None = field(
        default=None,
        metadata=_of(
            "about",
            "The audited system and who answers for the audit: system=..., period=..., prepared_by='Name, role'.",
        ),
    )
    action_plan: bool = field(
        default=False, metadata=_of("flag", "A table on page one of what is to be decided, by whom, until when.")
    )
    seed: int = field(default=0, metadata=_of("seed", "Seed of everything that is resampled."))

    def given(self) -> dict[str, Any]:
        """Return the arguments that are not the defaults."""
        return {f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) != f.default}


# What may be measured of people: each measure is one column, which the argument of its name names.


@dataclass(frozen=True)
class MeasuredColumn:
    """One column that an audit measures, of two labels or of numbers, and what becomes of people who lack it.

    A cell of a tally keeps the label, or the number. Tallies, engines, suppression, the flow of counts and answers read
    this row and never ask which measure it is; `SECTIONS` of `audit.py` names the function that makes its rows.
    """

    lacking: str  # the step of the flow of people without it
    left_out: str  # and what becomes of them
    numeric: bool = False
    metrics: tuple[str, ...] = ()  # of numbers: whose comparisons an answer is about where there is no rate, by rank
    summed: bool = False  # of numbers: whether means are given, which may give a dominating member away
    # of numbers that one decision may come without: the step of these people, by whether it is the favorable one
    none: Mapping[bool, str] = field(default_factory=dict)


MEASURES = {
    "outcome": MeasuredColumn(message("outcome missing"), message("left out of the rates that need the outcome")),
    "decision": MeasuredColumn(message("decision missing"), message("left out of the rates that need the decision")),
    "score": MeasuredColumn(message("score missing"), message("left out of the comparison of scores"), numeric=True),
    "amount": MeasuredColumn(
        message("amount missing"),
        message("left out of the comparison of amounts"),
        numeric=True,
        metrics=("gap of means", "mean amount", "gap of medians", "median amount"),
        summed=True,
        none={
            True: message("no amount (favorable decision)"),
            False: message("no amount (unfavorable decision)"),
        },
    ),
}


@dataclass(frozen=True)
class Argument:
    """What is declared of one argument; ``choices`` is the closed set that its form reads, if any."""

    name: str
    default: Any
    form: Form
    words: str
    choices: Choices


ARGUMENTS = {f.name: Argument(f.name, f.default, **f.metadata) for f in fields(AuditArguments)}


def of_form(*forms: Form) -> tuple[str, ...]:
    """The names of the arguments of some forms.

    Examples
    --------
    >>> of_form("columns")
    ('groups', 'strata')
    """
    return tuple(name for name, argument in ARGUMENTS.items() if argument.form in forms)


# Beginnings of the words in the names of columns.
_STEMS = {
    "decision": "decision decid hire admit admiss approv grant deny deni releas accept reject select promot offer call "
    "predict pred yhat flag loan lent detain refus score rating",
    "outcome": "outcome recid reoffend rearrest repaid repay paid default success label target truth income risk y",
    "score": "score decile prob risk rating",
    "amount": "salary wage pay earning bonus amount price cost expenditure limit",
    "groups": "race ethnic sex gender female male color colour age nation country citizen foreign religion disab afam "
    "black hispanic marital veteran minority",
    "truth": "true truth actual observed gold",
    "prediction": "pred yhat",
    "strata": "department dept job position rank degree education grade region district",
    "weights": "weight wt wgt",
    "clusters": "cluster psu site school judge officer",
}


_HARM = (
    "(reject|den(y|ied|ial)|default|fraud|refus|declin|fired|layoff|laid_?off|dismiss|terminat|arrest|detain|convict|"
    "recid|suspen|expel|evict|churn|delinquen|dropout|fail|risk|flagged|adverse|sanction|injur|readmi(t|ss)|"
    "(?<![a-z])(bad|held|died)(?![a-z]))"
)
_NEGATED = rf"(?<![a-z])(no|not|non|never|un|low|without)[ _-]?{_HARM}"
_HARMING = re.compile(
    rf"(?!(no|not|non|never|low)[ _-])((?!{_NEGATED}).)*{_HARM}|flags?(?![a-z])|"
    r"(.*[ _-])?not[ _-]?(hired|selected|admitted|approved|accepted|promoted|granted|released|offered|paid|repaid)",
    re.IGNORECASE,
)


def may_harm(name: str) -> bool:
    """Whether a column's name is that of a decision, or of an outcome, that harms the person.

    >>> may_harm("loan_rejected"), may_harm("hired"), may_harm("Application Denied"), may_harm("low_risk")
    (True, False, True, False)
    >>> [*map(may_harm, ("not_hired", "bad", "badge", "held", "withheld", "flagged", "died", "studied", "no_fail"))]
    [True, True, False, True, False, True, True, False, False]
    >>> [*map(may_harm, ("survived_no_injury", "never_arrested", "is_not_default", "notdenied", "unflagged"))]
    [False, False, False, False, False]
    >>> [*map(may_harm, ("run_failed", "casino_fraud", "flag", "flagship", "is_noncitizen_detained"))]
    [True, True, True, False, True]
    """
    return _HARMING.match(name) is not None


def likeness(name: str, role: str) -> int:
    """The place of the first stem of a role that a word in the name of a column begins with; -1 where none does.

    >>> likeness("two_year_recid", "outcome") >= 0, likeness("is_recid", "groups"), likeness("RaceEthnicity", "groups")
    (True, -1, 0)
    """
    words = [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)]
    matched = (
        place
        for place, stem in enumerate(_STEMS[role].split())
        if any(word == stem or (len(stem) > 2 and word.startswith(stem)) for word in words)
    )
    return next(matched, -1)
