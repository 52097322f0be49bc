"""The protocol: what was decided before looking at the rates, checked once, from arguments or from ``audit.toml``."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from fairstats.auditing.arguments import ARGUMENTS, MEASURES, AuditArguments, DefaultLabel, Form
from fairstats.auditing.covariates import formula_text
from fairstats.auditing.designs import NO_DESIGN, SurveyDesign, design_of, refuse_beside
from fairstats.data.groups import Continuous
from fairstats.errors import (
    ANY_OF,
    Call,
    FileError,
    InputError,
    Setting,
    entry_of,
    in_code,
    listing,
    named,
    nearest,
    reason,
    snippet,
    visible,
    with_hint,
)
from fairstats.files import existing
from fairstats.inference.multiplicity import NO_MARGINS, Family, Margins, margins
from fairstats.labels import column_parts, is_numeric_text, label, one_label, refuse_spellings
from fairstats.language import say
from fairstats.provenance import counterpart, spelled, truth
from fairstats.validation import (
    ALL_PAIRS,
    AUDIT,
    ELSEWHERE,
    EMPLOYMENT,
    FULL,
    INTERSECTIONS,
    PAIRS,
    Adjust,
    FamilyOf,
    Missing,
    adjustment,
    confidence,
    controllable,
    flag,
    no_formula,
    number,
    one_of,
    random_seed,
    real,
    refuse_long,
    shown,
    text,
    whole,
)

# The words and the comparison that a protocol declares: how its sentences call people, decisions and groups.


_PHRASE = "pass words as they stand in a sentence, without a full stop"
_TWINS = (("favorable", "unfavorable"), ("positive", "negative"))
_MAPS = ("attributes", "groups")


@dataclass(frozen=True)
class Words:
    """What the sentences of a report call the people, what was decided, what happened, and the groups.

    title: of the report.
    unit: the people, as a plural noun: "arrestees".
    population: what follows that noun where the data are described: "arrested in Toronto, 1997 to 2002".
    favorable, unfavorable: verb phrases of the two decisions: "were released", "were held".
    positive, negative: verb phrases of the two outcomes: "were re-arrested", "were not re-arrested".
    false_positives, false_negatives: what the two errors are called, as plural nouns: "loans not repaid".
    score: the score as a noun with its article: "the COMPAS score".
    amount: what people do with the amount, as a verb phrase: "earn per hour".
    attributes: names of the attributes, each (column, name).
    groups: names of their groups, each (column, label, name): as they stand before the unit, "Black", or plural nouns
        where all of the column are, "Migrants".
    """

    title: str = ""
    unit: str = ""
    population: str = ""
    favorable: str = ""
    unfavorable: str = ""
    positive: str = ""
    negative: str = ""
    false_positives: str = ""
    false_negatives: str = ""
    score: str = ""
    amount: str = ""
    attributes: tuple[tuple[str, str], ...] = ()
    groups: tuple[tuple[str, str, str], ...] = ()

    def attribute(self, column: str) -> str:
        """The name of a column."""
        return dict(self.attributes).get(column, column)

    def people(self, noun: str) -> str:
        """The people with what is said of the population; its noun is said once where both have it.

        Examples
        --------
        >>> Words(unit="people", population="people arrested in Toronto").people("people")
        'people arrested in Toronto'
        """
        noun = self.unit or noun
        repeated = self.population.lower().startswith(f"{noun.lower()} ")
        return self.population if repeated else f"{noun} {self.population}".rstrip()

    def group(self, column: str, label: str) -> str:
        """The name of a group, "" where none was given."""
        return next((name for a, current, name in self.groups if (a, current) == (column, label)), "")

    def given(self) -> dict[str, Any]:
        """The words that were given, as `fairstats.audit` takes them.

        Examples
        --------
        >>> label_words({"unit": "arrestees", "groups": {"colour": {"1": "Black"}}}).given()
        {'unit': 'arrestees', 'groups': {'colour': {'1': 'Black'}}}
        """
        wording: dict[str, Any] = {name: getattr(self, name) for name in KEYS if name not in _MAPS}
        names: dict[str, dict[str, str]] = {}
        for column, level, name in self.groups:
            names.setdefault(column, {})[level] = name
        wording |= {"attributes": dict(self.attributes), "groups": names}
        return {name: value for name, value in wording.items() if value}


NO_WORDS = Words()
KEYS = tuple(f.name for f in fields(Words))


def label_words(value: Any) -> Words:
    """Judge the words of a protocol, without the data.

    value: some of the names of `Words`; ``attributes`` maps columns to names, ``groups`` columns to names by label.

    >>> result = label_words({"unit": "arrestees", "groups": {"colour": {"Black": "Black"}}})
    >>> result.unit, result.group("colour", "Black")
    ('arrestees', 'Black')
    """
    if isinstance(value, Words):
        return value
    if value is None:
        return NO_WORDS
    if not isinstance(value, Mapping):
        raise InputError(
            "labels",
            f"has {shown(value)}; it is a mapping of {', '.join(KEYS)}; {_whole()}.",
        )
    unknown = [name for name in value if name not in KEYS]
    phrases = [name for name in (*sum(_TWINS, ()), "score", "amount") if name in value]
    twins = {one: other for pair in _TWINS for one, other in (pair, pair[::-1])}
    lacks = [twins[name] for name in phrases if name in twins and twins[name] not in value]
    if lacks or (phrases and "unit" not in value):
        lacks += [] if "unit" in value else ["unit"]
    if unknown or lacks:
        raise InputError("labels", _wrong_entries(unknown, phrases, lacks))
    wording: dict[str, Any] = {k: _phrase(entry_of("labels", k), v) for k, v in value.items() if k not in _MAPS}
    attributes = _mapping(entry_of("labels", "attributes"), value.get("attributes", {}))
    groups = _mapping(entry_of("labels", "groups"), value.get("groups", {}))
    return Words(
        **wording,
        attributes=tuple((a, _phrase(entry_of("labels", "attributes", a), v)) for a, v in attributes.items()),
        groups=tuple(
            (a, one_label("labels", label), _phrase(entry_of("labels", "groups", a, label), name))
            for a, names in groups.items()
            for label, name in _mapping(entry_of("labels", "groups", a), names).items()
        ),
    )


# where a label is wrong, everything that is wrong is said at once, beside a whole example
WHOLE = {
    "unit": "applicants",
    "favorable": "were hired",
    "unfavorable": "were not hired",
    "attributes": {"sex": "sex"},
    "groups": {"sex": {"f": "female", "m": "male"}},
}


def _wrong_entries(unknown: Sequence[Any], phrases: Sequence[str], lacks: Sequence[str]) -> str:
    facts, ways = [], []
    if unknown:
        hint = nearest(str(unknown[0]), KEYS) if len(unknown) == 1 else ""
        fact = "there is no such entry" if len(unknown) == 1 else "there are no such entries"
        facts.append(f"has {', '.join(map(shown, unknown))}; {fact}{hint.rstrip('?')}")
        ways.append(f"the entries are {', '.join(KEYS)}")
    if lacks:
        of = "phrases are of both sides of a decision or an outcome, and of the people"
        said_of = f", and say by {named('favorable')} of which label 'favorable' is said" * ("favorable" in phrases)
        fact = f"has {phrases[0]!r} without {' and '.join(map(repr, lacks))}; {of}"
        facts.append(f"{fact}; add {'both' if lacks[1:] else 'it'}{said_of}")
    return f"{'; it '.join(facts)}; {'; '.join([*ways, _whole()])}."


def _whole() -> str:
    return f"a whole one is {in_code(WHOLE)}, with {Setting('favorable', 1)} beside it"


def _mapping(wording: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InputError(wording, f"has {shown(value)}; it maps each name in the data to words; {_whole()}.")
    return value


def _phrase(wording: str, value: Any) -> str:
    phrase = text(wording, value, _PHRASE)
    if not phrase.strip() or "\n" in phrase or phrase.rstrip().endswith("."):
        raise InputError(wording, f"has {shown(value)}; that is no phrase of a sentence; {_PHRASE}.")
    return " ".join(phrase.split())


# What the audited system is, and who answers for the audit.


@dataclass(frozen=True)
class About:
    """What describes an audit and changes none of its numbers; each "" where nobody said it.

    system, version, vendor: of what decides or scores.
    period, jurisdiction: when and where the people were decided on.
    intended_use, known_limits: as in a model card.
    prepared_by, reviewed_by, approved_by: name and role: "A. Lee, model risk".
    next_review: a date.
    """

    system: str = ""
    version: str = ""
    vendor: str = ""
    period: str = ""
    jurisdiction: str = ""
    intended_use: str = ""
    known_limits: str = ""
    prepared_by: str = ""
    reviewed_by: str = ""
    approved_by: str = ""
    next_review: str = ""

    def given(self) -> dict[str, str]:
        """What was said, as `fairstats.audit` takes it."""
        return {name: value for name, value in vars(self).items() if value}


ABOUT = tuple(f.name for f in fields(About))
WORDS = tuple(f.name for f in fields(Words))


def about_of(value: Any) -> About:
    """Check what is said of an audit, without the data.

    >>> about_of({"system": "Screener", "next_review": date(2027, 1, 31)}).given()
    {'system': 'Screener', 'next_review': '2027-01-31'}
    """
    if isinstance(value, About):
        return value
    if not isinstance(value, Mapping):
        raise InputError(
            "about",
            f"has {shown(value)}; it is a mapping of {listing(ABOUT, len(ABOUT))}; pass some of them, as in "
            f"{in_code({'system': 'Screener', 'version': '2.1'})}.",
        )
    result = {}
    for name, entry in value.items():
        if name not in ABOUT:
            hint = nearest(str(name), ABOUT)
            known = f"the entries are {', '.join(ABOUT)}."
            raise InputError("about", with_hint(f"has {shown(name)}; there is no such entry", hint, known))
        entry = entry.isoformat() if type(entry) is date else entry
        result[name] = " ".join(text(entry_of("about", name), entry, "pass text, in quotes").split())
        refuse_long(**{entry_of("about", name): result[name]})
    return About(**result)


def check_labels(words: Words, labels: Mapping[str, Sequence[str]]) -> None:
    """Refuse names of attributes and groups that the data do not have, and one name of two of them.

    labels: the groups of each attribute.

    >>> check_labels(Words(attributes=(("sex", "gender"),)), {"sex": ["f", "m"]})
    """
    check_columns(words, tuple(labels))
    check_groups(words, labels)


def check_columns(words: Words, names: Sequence[str]) -> None:
    """Refuse words for columns that are not among names; several audits of one table may share their labels.

    >>> check_columns(Words(attributes=(("race", "origin"), ("sex:race", "both"))), ("sex", "race", "hired"))
    """
    for column in (*(a for a, _ in words.attributes), *(a for a, _, _ in words.groups)):
        if not {*column_parts(column, names)} <= {*names}:
            raise InputError(
                "labels",
                with_hint(
                    f"names the attribute {column!r}; there is no such column",
                    nearest(column, names),
                    f"there are {listing(names, 12)}.",
                ),
            )


def check_groups(words: Words, labels: Mapping[str, Sequence[str]]) -> None:
    """Refuse names of groups that the attributes among labels do not have."""
    for column, level, _ in words.groups:
        if column in labels:
            _check_group("labels", column, level, labels[column])
    audited = {column: name for column, name in words.attributes if column in labels}
    _refuse_one_name(audited, labels, "the attribute {!r}")
    for column in dict.fromkeys(a for a, _, _ in words.groups if a in labels):
        names = {label: name for a, label, name in words.groups if a == column}
        _refuse_one_name(names, labels[column], f"the group {{!r}} of {column!r}")


def _refuse_one_name(names: Mapping[str, str], labels: Iterable[str], kind: str) -> None:
    """Refuse a name that another label has too, as its own or as its name: no sentence would tell the two apart."""
    for one, name in names.items():
        for other in labels:
            if other != one and names.get(other, other).casefold() == name.casefold():
                raise InputError(
                    "labels",
                    f"has the name {name!r} for {kind.format(one)}, which {kind.format(other)} would have too; "
                    "give each its own name.",
                )


def _check_group(argument: str, column: str, label: str, labels: Sequence[str]) -> None:
    if label not in labels:
        raise InputError(
            argument,
            with_hint(
                f"names the group {label!r}; {column!r} has no such group",
                nearest(label, labels),
                f"its groups are {listing(list(labels), 12)}.",
            ),
        )


def headline_pair(value: Any) -> tuple[str, ...]:
    """Judge the comparison of page one: an attribute and two of its groups, ``{"race": ["Black", "White"]}``.

    value: one attribute to two labels.
    Returns: attribute and two labels; empty where none is declared.

    >>> headline_pair({"race": ["Black", "White"]})
    ('race', 'Black', 'White')
    >>> headline_pair(("race", "Black", "White"))
    ('race', 'Black', 'White')
    """
    if value is None or (isinstance(value, tuple) and not value):
        return ()
    if isinstance(value, tuple) and len(value) == 3 and all(isinstance(part, str) for part in value):
        return value  # as a protocol holds it
    if not isinstance(value, Mapping) or len(value) != 1:
        raise InputError(
            "headline",
            f"has {shown(value)}; it maps one attribute to the two groups of page one; "
            f"pass {in_code({'race': ['Black', 'White']})}.",
        )
    ((column, pair),) = value.items()
    if not isinstance(pair, (list, tuple)) or len(pair) != 2:
        raise InputError(
            "headline", f"has {shown(pair)} for {shown(column)}; a comparison is of two groups; pass two labels."
        )
    labels = tuple(one_label("headline", label) for label in pair)
    if labels[0] == labels[1]:
        raise InputError(
            "headline", f"has the group {labels[0]!r} twice; a comparison is of two groups; name another one."
        )
    return (text("headline", column, "name the attribute"), *labels)


def check_headline(headline: tuple[str, ...], labels: Mapping[str, Sequence[str]]) -> None:
    """Refuse a focus on an attribute or a group that the data do not have.

    headline: as declared.

    >>> check_headline(("sex", "f", "m"), {"sex": ["f", "m"]})
    """
    if not headline:
        return
    column, *pair = headline
    if column not in labels:
        raise InputError(
            "headline",
            with_hint(
                f"names the attribute {column!r}; the audited attributes are {listing(list(labels))}",
                nearest(column, labels),
                "name one of them.",
            ),
        )
    for level in pair:
        _check_group("headline", column, level, labels[column])


@dataclass(frozen=True)
class Protocol:
    """What was decided before looking: labels are text, as the groups are."""

    groups: tuple[str, ...]  # audited attributes; "sex:race" is the intersection
    outcome: str = ""  # column names; "" where the audit has none
    decision: str = ""
    score: str = ""
    unit: str = ""  # of the amounts
    quantiles: tuple[float, ...] = (0.1, 0.5, 0.9)  # of the amounts
    adjust_for: str = ""  # a formula of covariates, "~ grade + tenure", of the amounts
    measured: tuple[tuple[str, str], ...] = ()  # further measures: the argument, and the column that it names
    threshold: float | None = AuditArguments.threshold  # decision = score >= threshold
    positive: str = label(AuditArguments.positive)  # the outcome label that counts as 1
    favorable: str = label(AuditArguments.favorable)  # the decision label that helps the person
    positive_prediction: str = (
        ""  # the decision label that says "positive" of the outcome; "" where that cannot be asked
    )
    chosen: tuple[str, ...] = ()  # which of favorable and positive the caller chose: of several labels against the rest
    class_order: tuple[str, ...] = ()  # several classes from the worst to the best, where they have an order
    reference: str = AuditArguments.reference  # the rule, or a level
    conf_level: float = AuditArguments.conf_level
    p_adjust: Adjust = AuditArguments.p_adjust
    family: FamilyOf = AuditArguments.family  # whose false claims are bounded: those of one rate, or of the whole audit
    margin: Margins = NO_MARGINS
    min_n: int = AuditArguments.min_n
    missing: Missing = AuditArguments.missing  # what happens to people without a group
    intersections: tuple[str, ...] = (PAIRS,)  # or "full", or their names; none where it is empty
    shrunken: bool = AuditArguments.shrunken  # whether rates drawn toward the mean of all groups stand beside them
    strata: str = ""
    weights: str = ""
    weight_type: str = ""
    clusters: str = ""
    design: SurveyDesign = NO_DESIGN  # how the people of a survey were drawn
    order: tuple[tuple[str, ...], ...] = ()  # of ordered columns: an attribute, and its groups as tables have them
    crossed: tuple[tuple[str, ...], ...] | None = None  # intersections: name and columns; None before data are known
    headline: tuple[str, ...] = ()  # attribute and two groups: the comparison of page one
    labels: Words = NO_WORDS  # what sentences call people, decisions and groups
    law: str = ""  # under whose law: a name of `LAWS`
    about: About = About()  # the audited system, and who answers for the audit
    action_plan: bool = AuditArguments.action_plan  # whether page one has a table of what is to be decided
    seed: int = AuditArguments.seed
    declared: bool = False  # True only when read from a protocol file
    source: str = ""  # that file's name
    sha256: str = ""  # and its hash
    changed: str = ""  # when that file was last changed, ISO 8601 in UTC

    @property
    def multiplicity(self) -> Family:
        """How the comparisons of one rate are adjusted, and the declared margins."""
        all_pairs = adjustment(self.p_adjust, self.reference) is ALL_PAIRS
        over_audit, withholds = self.family == AUDIT, self.min_n > 1
        return Family(self.conf_level, self.p_adjust, all_pairs, over_audit, self.margin, withholds)

    @property
    def tells_rows(self) -> bool:
        """Whether rows of data are counted beside summed weights: not where small numbers are withheld."""
        return self.weight_type == "probability" and self.min_n <= 1

    @property
    def four_fifths(self) -> bool:
        """Whether the rule of four fifths is spoken of: only the law of employment has it."""
        return self.law == EMPLOYMENT

    @property
    def alike(self) -> str:
        """What people are alike in where gaps of amounts are adjusted: the right-hand side of the formula."""
        return self.adjust_for.removeprefix("~ ")

    def argument(self, name: str) -> Any:
        """What was declared of an argument of `audit`: of a measure its column, "" where it has none."""
        return getattr(self, name) if name in _FIELDS else dict(self.measured).get(name, "")

    def columns_of(self, name: str) -> tuple[str, ...]:
        """The columns that an attribute, or the strata, are of: several of an intersection.

        Examples
        --------
        >>> present = Protocol(("a:b", "c", "a:b:c"), crossed=(("a:b:c", "a:b", "c"),))
        >>> present.columns_of("a:b"), present.columns_of("a:b:c")
        (('a:b',), ('a:b', 'c'))
        """
        if self.crossed is None:  # as declared, or from a file of an older version: by the names
            return tuple(column_parts(name, [present for present in self.groups if ":" not in present]))
        return next((tuple(columns) for present, *columns in self.crossed if present == name), (name,))

    def is_crossed(self, name: str) -> bool:
        """Whether an attribute is an intersection; a column whose own name holds ":" is none."""
        return len(self.columns_of(name)) > 1

    def called(self, name: str) -> str:
        """The name of an attribute in sentences, of an intersection those of its columns with a cross between them."""
        return " × ".join(map(self.labels.attribute, self.columns_of(name)))

    def of_groups(self, name: str) -> str:
        """The same after "groups of": those of a column called "group" are the groups of these data."""
        called = self.called(name)
        return say("these data") if called.casefold() in ("group", "groups", "gruppe", "gruppen") else called


_FIELDS = frozenset(f.name for f in fields(Protocol))


def declare(arguments: AuditArguments, file: str | Path | None = None, counted: Collection[str] = ()) -> Protocol:
    """Check what can be checked without data and freeze it.

    file: a protocol file. What it declares wins over defaults; contradicting or completing it is an error.
    counted: arguments that a tally says, and no caller.

    >>> declare(AuditArguments(groups="race", decision="hired", favorable="yes")).groups
    ('race',)
    """
    result = replace(_checked(arguments), chosen=_chosen(arguments))
    if file is None:
        return _together(result)
    declared, origin = read_protocol(file)
    try:
        planned = _checked(replace(AuditArguments(), **declared))
    except InputError as error:
        what = f"entry {error.argument} {error.fact}" if error.argument else error.fact
        raise InputError("protocol", f"has {origin['source']!r}: {what}") from error
    _refuse_beside_file(arguments, result, planned, declared, origin["source"], counted)
    measured = dict(result.measured) | dict(planned.measured)
    values = {f.name: getattr(planned if f.name in declared else result, f.name) for f in fields(result)}
    chosen = _chosen(replace(arguments, **{name: declared[name] for name in _CHOSEN if name in declared}))
    values |= {"measured": tuple(measured.items()), "chosen": chosen}
    return _together(Protocol(**{**values, **origin}))


def read_protocol(file: str | Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Read ``audit.toml``: the arguments of `audit` by name, at the top or under ``[audit]``.

    Returns declared, origin: the arguments, and the file's name, SHA-256 and time of its last change.
    Raises FileError if the file cannot be read.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "audit.toml"
    >>> _ = path.write_text('groups = ["sex"]\\ndecision = "hired"')
    >>> read_protocol(path)[0]
    {'groups': ['sex'], 'decision': 'hired'}
    """
    path = existing(file, "protocol")
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise FileError(f"protocol has {str(file)!r}; it cannot be read ({error.strerror}); check the path.") from error
    try:
        content = tomllib.loads(raw.decode("utf-8"))
    except (RecursionError, ValueError) as error:  # not TOML, not UTF-8, a number of thousands of digits
        raise InputError(
            "protocol",
            f"has {str(file)!r}; it is not TOML: {reason(error)}; write one name = value a line, text in quotes.",
        ) from error
    declared = content.get("audit", content)
    if not isinstance(declared, dict):
        raise InputError(
            "protocol", f"has {str(file)!r}; its entry audit is no table; write [audit] above the entries."
        )
    present = tuple(ARGUMENTS)
    for name in declared:
        if name not in present:
            meant = ("labels",) if name == "label" and isinstance(declared[name], dict) else ELSEWHERE.get(name, ())
            new = next((ours for ours in meant if ours in present), "")
            called = f"; it is called {new} here" if new else ""
            table = next((of for of, names in (("labels", WORDS), ("about", ABOUT)) if name in names), "")
            called = f"; it belongs to {table}: {table}.{name}" if table and not new else called
            raise InputError(
                "protocol",
                with_hint(
                    f"has the entry {name!r}; an audit has no such argument{called}",
                    "" if new or table else nearest(name, present),
                    f"the entries are {', '.join(present)}.",
                ),
            )
    if declared.get("intersections") == "none":  # as the command has it
        declared["intersections"] = False
    changed = datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat(timespec="seconds")
    origin = {"source": visible(path.name), "sha256": hashlib.sha256(raw).hexdigest(), "changed": changed}
    return declared, {"declared": True, **origin}


# The rules of a verdict, which could be chosen after a look; what the data are, and words, may be said with the call.
_RULES = (
    *("threshold", "adjust_for", "reference", "conf_level", "p_adjust", "family", "margin", "strata", "min_n"),
    *("missing", "intersections", "headline", "law", "seed"),
)


def _refuse_beside_file(
    arguments: AuditArguments,
    protocol: Protocol,
    planned: Protocol,
    declared: dict[str, Any],
    source: str,
    counted: Collection[str],
) -> None:
    """What the caller said beside the file must be what the file says: a label is its text, a name a list of one.

    A rule that is not in the file is refused: it may have been chosen after looking.
    """
    for name in arguments.given():
        if name in _RULES and name not in declared and name not in counted:
            raise InputError(
                name,
                f"has {shown(getattr(arguments, name))}; it is not in the protocol {source}; drop the argument, or add "
                "it to the file before looking at the data.",
            )
        if name in declared and _text(protocol.argument(name)) != _text(planned.argument(name)):
            raise InputError(
                name,
                f"has {shown(getattr(arguments, name))}; the protocol {source} has "
                f"{shown(declared[name])}; "
                f"drop the argument, or declare the other value in the file before looking at the data.",
            )


_CHOSEN = "favorable", "positive", "positive_prediction"


def _chosen(arguments: AuditArguments) -> tuple[str, ...]:
    """Which labels are not the default."""
    of = {name: getattr(arguments, name) for name in _CHOSEN}
    return tuple(name for name, value in of.items() if value is not None and not isinstance(value, DefaultLabel))


def _text(value: Any) -> Any:
    return value.upper() if isinstance(value, str) else value


def _checked(arguments: AuditArguments) -> Protocol:
    """Every argument on its own; what is left out is as the protocol has it."""
    values: dict[str, Any] = {"groups": ()}
    for name, argument in ARGUMENTS.items():
        value = getattr(arguments, name)
        if name == "reference" and isinstance(value, (list, tuple)):
            raise InputError(name, _of_each(value, values["groups"]))
        if value is not None or argument.default is not None:
            values[name] = CHECKS[argument.form](name, value)
    measured = tuple((name, values.pop(name)) for name in MEASURES if name in values and name not in _FIELDS)
    return Protocol(**{**values, "measured": measured, "strata": ":".join(values.get("strata", ()))})


def _together(p: Protocol) -> Protocol:
    """The arguments beside each other; what has no meaning without another is cleared."""
    undo = f", or take the # from a line of the protocol {p.source!r} that does" if p.source else ""
    if p.threshold is not None and not p.score:
        raise InputError("threshold", f"has {p.threshold:g}; it needs scores; name the column with {Setting('score')}.")
    if not any(map(p.argument, MEASURES)):
        *names, last = MEASURES
        raise InputError(
            f"{', '.join(map(named, names))} and {named(last)} are all absent; nothing can be audited; name "
            f"at least one column{undo}."
        )
    if not p.groups and "~" in p.decision:
        raise InputError("decision", f"has {p.decision!r}, which {no_formula(p.decision)}")
    if not p.groups:
        raise InputError("groups", f"is absent; an audit compares groups; name one column or several{undo}.")
    controllable(p.family, p.p_adjust, p.reference)
    if p.threshold is not None:
        if p.decision:
            raise InputError(
                "threshold",
                f"has {p.threshold:g} and {named('decision')} has {p.decision!r}; the decisions would be defined "
                f"twice; drop one of the two.",
            )
        for name, value in (("favorable", p.favorable), ("positive_prediction", p.positive_prediction or "1")):
            if value not in ("0", "1"):
                raise InputError(
                    name,
                    f"has {value!r}; a threshold makes the decisions 1 (score at or above it) and 0; "
                    f"pass {Setting(name, 1)} or {Setting(name, 0)}.",
                )
    if p.design:
        weights = p.weights if p.weights != p.design.weights else ""
        refuse_beside({"weights": weights, "clusters": p.clusters})
        p = replace(p, weights=p.design.weights, weight_type="probability")
    _refuse_without_effect(p)
    _refuse_two_ways(p)
    return p if p.weights else replace(p, weight_type="")


def _refuse_without_effect(p: Protocol) -> None:
    """What would do nothing is refused: nothing asked for is ignored in silence."""
    if p.weight_type not in (AuditArguments.weight_type, "") and not p.weights:
        raise InputError(
            "weight_type",
            f"has {p.weight_type!r}; there are no weights that it could be of; name their column with "
            f"{Setting('weights')}, or drop weight_type.",
        )
    if p.positive != label(AuditArguments.positive) and not p.outcome:
        raise InputError(
            "positive",
            f"has {p.positive!r}; it is a label of the outcome, and there is none; name the column with "
            f"{Setting('outcome')}, or drop positive (the decision that helps is {Setting('favorable')}).",
        )
    if p.favorable != label(AuditArguments.favorable) and not (p.decision or p.score):
        raise InputError(
            "favorable",
            f"has {p.favorable!r}; it is a label of the decision, and there is none; name the column with "
            f"{Setting('decision')}, or drop favorable (the label of an outcome is {Setting('positive')}).",
        )
    if p.positive_prediction and not (p.decision or p.threshold is not None):
        raise InputError(
            "positive_prediction",
            f"has {p.positive_prediction!r}; it is the decision that predicts the outcome, and there is no decision; "
            f"name the column with {Setting('decision')}, or drop positive_prediction.",
        )
    if p.positive_prediction and not p.outcome:
        raise InputError(
            "positive_prediction",
            f"has {p.positive_prediction!r}; it is the decision that predicts the outcome, and there is no outcome; "
            f"name the column with {Setting('outcome')}, or drop positive_prediction.",
        )
    if p.intersections == (FULL,) and len(p.groups) == 1 and ":" not in p.groups[0]:
        raise InputError(
            "intersections",
            f"has {FULL!r}, and {named('groups')} names one column, {p.groups[0]!r}; an intersection has two or more; "
            "name them, or drop intersections.",
        )
    if p.shrunken and (p.weights or p.clusters):
        raise InputError(
            "shrunken",
            f"has {in_code(p.shrunken)}; rates are drawn of people who count once and are independent; "
            f"drop {named('weights' if p.weights else 'clusters')}, or shrunken.",
        )
    if p.margin.auc is not None and not (p.score or p.argument("amount")):
        raise InputError(
            "margin",
            f"has 'auc' ({p.margin.auc:g}); it is for comparisons of scores, and there are none; name the "
            f"column with {Setting('score')}, or drop this margin.",
        )
    if not p.argument("amount"):
        for name, given in (("unit", p.unit), ("quantiles", p.quantiles != AuditArguments.quantiles)):
            if given:
                raise InputError(
                    name,
                    f"has {shown(p.unit if name == 'unit' else p.quantiles)}; it is of amounts, and there are none; "
                    f"name their column with {Setting('amount')}, or drop {name}.",
                )
    if p.adjust_for and not p.argument("amount"):
        others = f"of decisions {Call('adjusted_gap')} and {Call('decompose')} take covariates"
        if p.design:  # which neither of them takes
            column = p.decision or p.outcome or p.score
            others = f"of a decision coded 0 and 1, {Setting('amount', column)} compares adjusted shares"
        raise InputError(
            "adjust_for",
            f"has {shown(p.adjust_for)}; it adjusts gaps of amounts, and there are none; name their column with "
            f"{Setting('amount')}; {others}, {Setting('strata')} legitimate factors.",
        )
    if p.margin.gap is not None and not p.argument("amount"):
        raise InputError(
            "margin",
            f"has 'gap' ({p.margin.gap:g}); it is for gaps of amounts in per cent, and there are none; name the column "
            f"with {Setting('amount')}, or drop this margin.",
        )
    if p.margin.difference is not None and p.argument("amount") and not (p.decision or p.outcome or p.score):
        raise InputError(
            "margin",
            f"has {p.margin.difference:g} for differences of rates, and there are none; of amounts, as a share of the "
            f"reference's, pass {Setting('margin', {'gap': p.margin.difference})}.",
        )
    if p.margin.leakage is not None:
        raise InputError(
            "margin",
            f"has 'leakage' ({p.margin.leakage:g}); no row of an audit measures leakage; pass it to "
            f"{Call('leakage')}, or drop this margin.",
        )


def _refuse_two_ways(p: Protocol) -> None:
    """An order of classes is of all of them; a label that is chosen is set against the rest."""
    if not p.class_order:
        return
    if not (p.decision or p.outcome):
        raise InputError(
            "class_order",
            f"has {listing(p.class_order)}; it is of decisions or outcomes, and there are none; name their column with "
            f"{Setting('decision')}, or drop class_order.",
        )
    sides = [side for column, side in ((p.decision, "favorable"), (p.outcome, "positive")) if column]
    if all(side in p.chosen for side in sides):  # else the data tell of which column the classes are
        raise InputError(
            "class_order",
            f"has {listing(p.class_order)} and {named(sides[0])} has {p.argument(sides[0])!r}, which sets one "
            f"label against the rest; drop one of the two.",
        )


def _order(argument: str, value: Any) -> tuple[str, ...]:
    """Labels in order, each once."""
    if not isinstance(value, (list, tuple)):
        raise InputError(argument, f"has {shown(value)}; it is a list of labels, the best last; pass all labels.")
    labels = tuple(one_label(argument, one) for one in value)
    repeated = sorted({one for one in labels if labels.count(one) > 1})
    if repeated:
        raise InputError(argument, f"has {repeated[0]!r} more than once; each label has one place; drop the repeat.")
    if len(labels) < 3:
        raise InputError(
            argument,
            f"has {shown(value)}; it lists all labels of the column, three or more, the best last; where the column "
            f"has two, leave it out and name the one that helps ({Setting('favorable')}).",
        )
    return labels


def _names(argument: str, value: Any) -> tuple[str, ...]:
    """The names of columns, each once."""
    if isinstance(value, Continuous):
        raise InputError(
            argument,
            f"has {Call('continuous', (repr(value.name or value.values),))}, which is no set of groups; an audit "
            "compares groups; cut the numbers into classes, and name the column that has them."
            if isinstance(value.values, str) or value.name
            else f"{argument} has continuous numbers; an audit compares groups; cut them into classes.",
        )
    names = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, (list, tuple)) else (value,)
    for name in names:
        if not isinstance(name, str) or not name:
            raise InputError(argument, f"has {shown(name)}; a column is named by text; pass one name or a list.")
    repeated = sorted({n for n in names if names.count(n) > 1})
    if repeated:
        raise InputError(argument, f"has {repeated[0]!r} more than once; each column is used once; drop the repeat.")
    return names


def _intersections(value: Any) -> tuple[str, ...]:
    if value is False:
        return ()
    ways = f"pass 'pairs', 'full', a list such as {in_code(['sex:race'])}, or {in_code(False)} for none"
    if isinstance(value, str) and value in INTERSECTIONS:
        return (value,)
    if isinstance(value, str) and ":" not in value:
        fact = f"has {value!r}; the choices are {', '.join(INTERSECTIONS)}"
        raise InputError("intersections", with_hint(fact, nearest(value, INTERSECTIONS), f"{ways}."))
    if value is True or value is None:
        raise InputError("intersections", f"has {in_code(value)}; it says which columns are crossed; {ways}.")
    names = _names("intersections", value)
    if len(names) == 1 and names[0] in INTERSECTIONS:  # as a protocol keeps it
        return names
    for name in names:
        if ":" not in name:
            raise InputError("intersections", f"has {name!r} in a list, which joins no columns; {ways}.")
    return names


def _column(argument: str, value: Any) -> str:
    way = "pass the name of a column of data"
    if argument in ("decision", "outcome") and isinstance(value, (list, tuple)) and len(value) > 1:
        weights = named("weights")
        way += f"; of counts in a column a label make a line for every group and label, with its number in {weights}"
        way += f"; the decisions of several models are for {Call('compare_models')}" * (argument == "decision")
    if argument == "clusters" and isinstance(value, (list, tuple)) and len(value) > 1:
        way = f"pass the one column of who is not independent; the stages of a survey are for {Call('survey_design')}"
    if callable(value) or hasattr(value, "predict"):
        way = f"pass what it predicts, {snippet('model.predict(X)')}, or the name of a column of data"
    return text(argument, value, way)


def _choice(argument: str, value: Any) -> str:
    if isinstance(value, str) and (argument, value) == (
        "p_adjust",
        "max-t",
    ):  # which the package had: why it is no more
        raise InputError(
            "p_adjust",
            "has 'max-t'; exchanging the labels of all groups says nothing of one comparison once another is "
            f"real (it made false claims in up to 33%); pass {Setting('p_adjust', 'bonferroni')}.",
        )
    if argument == "law" and isinstance(value, str) and re.search(r"144|nyc|new york", value, re.IGNORECASE):
        raise InputError(
            "law",
            f"has {value!r}; the tables of Local Law 144 are made by {Call('local_law_144', ('audit',))}, and stand in "
            f"a report with {Setting('preset', 'll144')}; leave law out.",
        )
    return one_of(argument, value, ARGUMENTS[argument].choices)


def _label(argument: str, value: Any) -> str:
    if isinstance(value, (list, tuple, set)) and len(value) == 1:
        (value,) = value
    if isinstance(value, (list, tuple, set)) and value:
        raise _one_label_only(argument, shown(value))
    return one_label(argument, value)


def _one_label_only(argument: str, given: str) -> InputError:
    if argument not in _HELPS:
        return InputError(argument, f"has {given}; it is one label; name one.")
    return InputError(
        argument,
        f"has {given}; it is one label; to set these together against the others, {snippet(ANY_OF)}; or leave it out, "
        f"and every label is compared with the rest ({named('class_order')} gives them an order).",
    )


def _of_each(value: Sequence[Any], groups: Sequence[str]) -> str:
    """What to write where a list has a reference for each attribute."""
    if len(value) == 1 and isinstance(value[0], str):
        return f"has {shown(value)}, a list; it is one label, or a mapping; pass {value[0]!r}."
    pairs = dict(zip(groups, value, strict=False)) if len(value) == len(groups) else {"sex": "Male", "race": "White"}
    such = "" if len(value) == len(groups) else "a mapping such as "
    return f"has {shown(value)}; nothing says of which attribute each is; pass {such}{Setting('reference', pairs)}."


def _reference(argument: str, value: Any) -> str:
    if isinstance(value, Mapping):
        named = {text(argument, a, "name each attribute"): one_label(argument, v) for a, v in value.items()}
        return "; ".join(f"{attribute}={level}" for attribute, level in named.items())
    return one_label(argument, value)


def _shares(argument: str, value: Any) -> tuple[float, ...]:
    """Shares between 0 and 1, each once, ascending."""
    values = value if isinstance(value, (list, tuple)) else (value,)
    shares = [real(one) for one in values]
    if not shares or any(one is None or not 0 < one < 1 for one in shares):
        raise InputError(
            argument,
            f"has {shown(value)}; these are shares above 0 and below 1, as in {in_code((0.1, 0.5, 0.9))}.",
        )
    return tuple(sorted({float(one) for one in shares if one is not None}))


# How the value of each form is checked on its own, and what it becomes in a protocol.
CHECKS: dict[Form, Callable[[str, Any], Any]] = {
    "column": _column,
    "columns": _names,
    "label": _label,
    "number": number,
    "level": lambda _, value: confidence(value),
    "count": lambda argument, value: whole(argument, value, 1),
    "seed": lambda _, value: random_seed(value),
    "choice": _choice,
    "reference": _reference,
    "margin": lambda _, value: margins(value),
    "intersections": lambda _, value: _intersections(value),
    "headline": lambda _, value: headline_pair(value),
    "labels": lambda _, value: label_words(value),
    "order": _order,
    "shares": _shares,
    "formula": formula_text,
    "about": lambda _, value: about_of(value),
    "design": lambda _, value: design_of(value),
    "flag": flag,
}


# The protocol as the data spell it: what was declared stays as it is, what every later stage reads is this.


MOST_WAYS = 5  # labels that an error offers one by one
_HELPS = {"favorable": "helps the person", "positive": "is the event"}


@dataclass(frozen=True)
class Resolved(Protocol):
    """A protocol whose labels are those of the data, with the decision that predicts the outcome and all attributes.

    classes: of a decision, or an outcome, of three labels or more that are all compared; in their order, if `ranked`.
    counted: whether the decision is a column of counts, which says how many were selected, and no column of 1 and 0.
    sexes_twice: attributes whose labels are not called "women" and "men": two of one sex, or one sex alone is clear.
    unlike: columns, coded 1 and 2 for instance, whose other label is not the opposite of the one that is meant.
    among_several: whether the decision has three labels or more, of which the favorable one is set against the rest.
    """

    classes: tuple[str, ...] = ()
    ranked: bool = False
    counted: bool = False
    sexes_twice: tuple[str, ...] = ()
    unlike: tuple[str, ...] = ()
    among_several: bool = False


class OfClass(Resolved):
    """A protocol of one class of several against the rest: its favorable label, or positive one, is that class."""


OPPOSITE = {"1": "0", "0": "1", "True": "False", "False": "True", "TRUE": "FALSE", "FALSE": "TRUE"}


def resolve(
    declared: Protocol,
    *,
    outcome: tuple[str, ...] | None,
    decision: tuple[str, ...] | None,
    attributes: tuple[str, ...],
    crossed: tuple[tuple[str, ...], ...] = (),
    counted: bool = False,
) -> Resolved:
    """Say a declared protocol in the words of the data.

    counted: as in `Resolved`; 1 is then no default that may be the other side.

    declared: as it was declared.
    outcome, decision: the labels that the columns have, one or two; None where there is no such column.
    attributes: what is audited, the intersection of several groups included.
    crossed: the name of each intersection, and the columns that it is of.

    >>> declared = Protocol(("sex",), outcome="paid", decision="lent")
    >>> result = resolve(declared, outcome=("False", "True"), decision=("0", "1"), attributes=("sex",))
    >>> result.positive, result.favorable, result.positive_prediction
    ('True', '1', '1')
    """
    positive, favorable, positive_prediction = declared.positive, declared.favorable, declared.positive_prediction
    among_several = False
    events: tuple[str, ...] = ()
    if outcome is not None:
        beside = ""  # no choice of the positive label tells which decision predicts it: both are asked for at once
        if decision and not positive_prediction and not any(_alike(decision, one) for one in outcome):
            beside = f", and the decision that predicts it: {_either('positive_prediction', decision)}"
        if decision and not spelled(favorable, _second(decision, favorable, positive_prediction)):
            beside = f"{beside}, and the decision that helps the person: {_either('favorable', decision)}"
        events = _second(outcome, positive)
        positive = _met("positive", positive, events, declared.outcome, beside)
    if decision is not None:
        labels = _second(decision, favorable, positive_prediction, "" if outcome is None else positive)
        favorable, among_several = _met("favorable", favorable, labels, declared.decision), len(labels) > 2
        positive_prediction = "" if outcome is None else _positive_prediction(declared, positive, labels, events)
        if among_several and positive_prediction not in ("", favorable):
            raise InputError(
                "favorable",
                f"has {favorable!r}, and positive_prediction is {positive_prediction!r}; {declared.decision!r} has "
                f"{len(labels)} labels, of which one is set against the rest; pass the same label for both.",
            )
    elif declared.threshold is not None:
        positive_prediction = positive_prediction or "1"
    if not counted:
        _refuse_unsaid_side(declared, favorable)
    values = {field.name: getattr(declared, field.name) for field in fields(declared)}
    words: dict[str, Any] = {
        "positive": positive,
        "favorable": favorable,
        "positive_prediction": positive_prediction,
        "groups": attributes,
        "among_several": among_several,
    }
    words |= {"crossed": crossed}
    columns = (declared.outcome, positive, outcome), (declared.decision, favorable, decision)
    words["unlike"] = tuple(
        column
        for column, meant, labels in columns
        if meant in OPPOSITE and {*(labels or ())} - {meant, OPPOSITE[meant]}
    )
    return Resolved(**(values | words))


def _refuse_unsaid_side(declared: Protocol, favorable: str) -> None:
    """Words for the favorable decision need its label: a default would put them on either side."""
    phrase = declared.labels.favorable
    if phrase and "favorable" not in declared.chosen and (declared.decision or declared.threshold is not None):
        reached = "" if declared.threshold is None else f", which is a score of {declared.threshold:g} or more"
        side = Setting("favorable", 1 if favorable == "1" else favorable)
        raise InputError(
            "labels",
            f"has 'favorable' ({shown(phrase)}) and favorable is absent; the phrase would be said of the "
            f"default, {favorable}{reached}; pass {side} if that is meant, otherwise the other label.",
        )


def _met(argument: str, label: str, labels: tuple[str, ...], column: str, beside: str = "") -> str:
    """The label as the data spell it: 1, and R's TRUE, mean True where the column is logical; beside: more to pass."""
    spelling = spelled(label, labels)
    if spelling:
        refuse_spellings(argument, spelling, labels, column)
        return spelling
    listed = [spelled(one.strip(), labels) for one in label.split(",")]  # as a list is written at the command line
    if len(listed) > 1 and all(listed):
        raise _one_label_only(argument, repr(label))
    ways = _either(argument, labels)
    which = f", whichever {_HELPS[argument]}" if argument in _HELPS and len(labels) > 1 else ""
    default = ", its default" if label == "1" else ""
    raise InputError(
        argument,
        with_hint(
            f"has {label!r}{default}; {column!r} has no such label",
            nearest(label, labels),
            f"its labels are {listing(sorted(labels))}; pass {ways}{which}{beside}.",
        ),
    )


def _either(argument: str, labels: Sequence[str]) -> str:
    """The settings that name one of some labels, the first of many."""
    ways = [str(Setting(argument, label)) for label in sorted(labels)]
    return " or ".join(ways if len(ways) <= MOST_WAYS else [*ways[:MOST_WAYS], "another of them"])


def _second(labels: tuple[str, ...], *arguments: str) -> tuple[str, ...]:
    """The two labels of a column in which one is never met: an audit in which nobody was selected is an audit."""
    if len(labels) != 1:
        return labels
    lines = [text for text in arguments if text and not spelled(text, labels)]
    other = counterpart(labels[0])
    if other and all(spelled(text, (*labels, other)) for text in lines):
        return (*labels, other)
    if any(counterpart(text) for text in lines) and not is_numeric_text(labels[0]):
        return labels  # 1 beside a word is nobody's label, but the default
    return (*labels, *lines[:1]) if lines else (*labels, other or "True")


def _alike(labels: Sequence[str], positive: str) -> list[str]:
    """The decisions that say what a label of the outcome says."""
    return [one for one in labels if one == positive or truth(one) == truth(positive) != ""]


def _positive_prediction(declared: Protocol, positive: str, labels: tuple[str, ...], events: tuple[str, ...]) -> str:
    """The decision label that says "positive": the outcome's own label where both columns speak of the same thing.

    A code is the same in both where the other one is, too: 1 of 1 and 2 need not be 1 of 0 and 1.
    """
    if declared.positive_prediction:
        return _met("positive_prediction", declared.positive_prediction, labels, declared.decision)
    same = _alike(labels, positive)
    others = [{truth(one) or one for one in column} for column in (labels, events)]
    if same and (not truth(positive) or len(labels) > 2 or others[0] == others[1]):
        return same[0]
    if len(labels) > 2:  # where any other label than the favorable one would be refused
        favored = spelled(declared.favorable, labels)
        raise InputError(
            "positive_prediction",
            f"is not given; {declared.decision!r} has the labels {listing(sorted(labels))}, of which {favored!r} is "
            f"set against the rest, and the positive label of {declared.outcome!r} is {positive!r}; pass "
            f"{Setting('positive_prediction', favored)} if {favored!r} predicts {positive!r}; if it predicts another "
            f"label of {declared.outcome!r}, name that one in {named('positive')} as well.",
        )
    beside = f" ({listing(sorted(events))})" if same else ""
    raise InputError(
        "decision",
        f"has {declared.decision!r} with the labels {listing(sorted(labels))}, and the positive label of "
        f"{declared.outcome!r}{beside} is {positive!r}; which decision predicts it cannot be known from the names; "
        f"pass {_either('positive_prediction', labels)}.",
    )
