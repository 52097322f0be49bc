"""From a table of people to checked columns: the one place where the audit looks at data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from fairstats.arrays import Framed, is_binary
from fairstats.auditing.arguments import MEASURES
from fairstats.auditing.protocol import Protocol, check_columns
from fairstats.data.tables import (
    DECIMAL_COMMA,
    FEWEST_NUMBERED,
    Columns,
    Factor,
    check_labels,
    crossed,
    refuse_joined,
)
from fairstats.errors import InputError, Setting, listing, named, nearest, rows_at, snippet, warn, with_hint
from fairstats.labels import (
    INTEGER,
    column_parts,
    counts_everybody,
    is_missing,
    is_numeric_text,
    is_total,
    label,
    look_alike,
    refuse_reserved,
    renaming,
    unknown_labels,
)
from fairstats.metrics import UNKNOWN as UNKNOWN
from fairstats.provenance import Attribute, by_size, spelled
from fairstats.validation import FULL, HIGHEST_RATE, PAIRS, more, most, shown

# Group columns as coded levels: single attributes, intersections, strata; missing people are a level of their own.


def label_column(columns: Columns, role: str, name: str) -> Factor:
    """A column of labels, of which at least one is known."""
    factor = columns.labels(name, role)
    if not factor.levels:
        raise InputError(role, f"has the column {name!r}; all its values are missing; name another column.")
    return factor


def group_columns(columns: Columns, protocol: Protocol) -> dict[str, Factor]:
    """Every single column that an attribute needs; missing people have the code −1."""
    names = dict.fromkeys(p for g in protocol.groups for p in column_parts(g, columns.names))
    refuse_joined(names, columns.names, "groups")
    parts = {}
    for name in names:
        part = columns.labels(name, "groups")
        check_labels(name, part)  # how many groups there are is checked of all people, of whom these may be a part
        if protocol.missing == "raise":
            lost = np.flatnonzero(part.codes < 0)
            missing_refused(name, len(lost), f" ({rows_at(lost)})")
        parts[name] = part
    return parts


def missing_refused(name: str, lost: float, where: str = "") -> None:
    """Nobody is without a group where that was not allowed."""
    if lost:
        raise InputError(
            "groups",
            f"has {name!r} with {lost:g} missing values{where}; pass {Setting('missing', 'level')} to keep "
            f"them as a group, "
            f"or {Setting('missing', 'drop')} to leave them out.",
        )


def check_levels(name: str, labels: tuple[str, ...], way: str = "", every: Sequence[str] = ()) -> None:
    """Two groups at least, and no more than can be compared one by one; every: with those that were withheld whole."""
    withheld = [label for label in every if label not in labels]
    if len(labels) < 2 and withheld:
        fact = f"every cell of {listing(withheld)} was withheld; an audit needs two groups at least"
        raise InputError("groups", f"has {name!r}; {fact}; withhold less, or add tallies up first.")
    if len(labels) < 2:
        only = (
            f"its only level is {labels[0]!r}, missing values and blanks apart"
            if labels
            else "nobody has a known group"
        )
        raise InputError("groups", f"has {name!r}; {only}; an audit needs two groups at least.")
    if len(labels) > most("FAIRSTATS_MAX_GROUPS"):
        raise InputError(
            "groups",
            f"has {name!r} with {len(labels)} levels; an audit compares {more('FAIRSTATS_MAX_GROUPS')}; "
            f"join them into fewer groups first{way}.",
        )


# in smaller data strata of one person are no sign of a column of measurements
FEWEST_IN_STRATA = 20


def audited(
    parts: dict[str, Factor], protocol: Protocol, people: NDArray[np.float64], unsent: NDArray[np.bool_] | None = None
) -> tuple[Attribute, ...]:
    """The audited attributes in order: single ones, intersections among the groups, and those that are added.

    unsent: the cells of which people were withheld, whose groups are listed even where nobody of them was sent.
    """
    singles = [g for g in protocol.groups if g in parts]
    several = {g: column_parts(g, parts) for g in protocol.groups if g not in parts}
    for name, current in _intersections(protocol.intersections, singles, parts).items():
        if {*current} not in [{*other} for other in several.values()]:
            several[name] = current
    columns = {s: [s] for s in singles} | several
    factors = {name: crossed([parts[p] for p in current]) for name, current in columns.items()}
    for name in several:
        check_levels(name, factors[name].levels, f" or leave this intersection out by {Setting('intersections')}")
    hidden = np.zeros(people.size, dtype=bool) if unsent is None else unsent
    return tuple(
        by_size(as_levels(name, factor, columns[name]), people, {factor.levels[i] for i in factor.codes[hidden]})
        for name, factor in factors.items()
    )


def _intersections(which: tuple[str, ...], singles: list[str], parts: Mapping[str, Factor]) -> dict[str, list[str]]:
    """The columns of each intersection that is added to the groups."""
    if which == (PAIRS,):
        return {":".join(pair): list(pair) for pair in combinations(singles, 2)}
    if which == (FULL,):
        return {":".join(singles): singles} if len(singles) > 1 else {}
    entries = {name: column_parts(name, parts) for name in which}
    for name, current in entries.items():
        absent = [part for part in current if part not in parts]
        if absent:
            raise InputError(
                "intersections",
                with_hint(
                    f"has {name!r}; {absent[0]!r} is not among groups",
                    nearest(absent[0], parts),
                    f"it joins columns of groups by ':'; they are {listing(parts, 12)}.",
                ),
            )
        if len(set(current)) < 2:
            raise InputError("intersections", f"has {name!r}, which is one column; join two or more by ':'.")
    return entries


def as_levels(name: str, factor: Factor, columns: Sequence[str]) -> Attribute:
    """A factor without gaps as the levels of an attribute, which is of one column or of several."""
    return Attribute(name, factor.codes.astype(np.int32), factor.levels, tuple(columns) if len(columns) > 1 else ())


def strata_columns(columns: Columns, protocol: Protocol) -> dict[str, Factor]:
    """The legitimate factors; a missing one has the code −1."""
    parts = {}
    names = column_parts(protocol.strata, columns.names) if protocol.strata else ()
    refuse_joined(names, columns.names, "strata")
    for name in names:
        parts[name] = columns.labels(name, "strata")
        refuse_reserved(name, parts[name].levels, "strata")
    return parts


def strata_labels(factors: Mapping[str, Factor], strata: str) -> list[str]:
    """The label of every entry in the combinations of the legitimate factors."""
    levels = _strata(factors, strata)
    return [levels.labels[code] for code in levels.codes]


def _strata(factors: Mapping[str, Factor], strata: str) -> Attribute:
    columns = column_parts(strata, tuple(factors))
    return as_levels(strata, crossed([factors[name].with_missing_level() for name in columns]), columns)


def strata_levels(factors: Mapping[str, Factor], strata: str, people: NDArray[np.float64]) -> Attribute:
    """The combinations of the legitimate factors; a missing factor is a stratum of its own.

    Raises
    ------
    InputError
        If hardly two people share a stratum, as with a column of measurements.
    """
    levels = _strata(factors, strata)
    sizes = np.bincount(levels.codes, people, len(levels.labels))
    alone, total = float((sizes == 1).sum()), float(people.sum())
    if total >= FEWEST_IN_STRATA and alone > total / 2:
        raise InputError(
            "strata",
            f"has {strata!r}, with {int((sizes > 0).sum()):,} values for {total:,.0f} people; {alone:,.0f} of "
            "them share their value with nobody, so that there is nobody to compare them with; pass a column of few "
            f"values, such as ranges of a number ({snippet('pandas.cut(column, 5)')}).",
        )
    return by_size(levels, people)


def whole_way() -> str:
    """The way out of weights that are not whole."""
    return f"a frequency counts people; of weights of a survey pass {Setting('weight_type', 'probability')}"


MOST_CODES = 20  # different whole numbers that may be codes
MOST_PEOPLE = 2.0**53  # whole numbers are exact up to this
SCALE = "their squares cannot be added up; the scale of weights does not matter, so divide them by their mean"
FARTHEST = 1e50  # squares and products of sums of such weights, and of their inverses, are finite


@dataclass(frozen=True, eq=False)
class Observations:
    """Judged columns of equal length: labels (code −1 is missing), scores (NaN is missing), and weights.

    Where rows stand for several people each, ``sums`` has what a tally sums of them (``rows``, ``weight``, ...).
    """

    factors: dict[str, Factor]
    numbers: dict[str, NDArray[np.float64]]
    weights: NDArray[np.float64] | None = None
    weights_name: str = ""
    sums: dict[str, NDArray[np.float64]] | None = None
    grids: dict[str, int] | None = None  # levels of scores that are on a grid already
    cuts: dict[str, float] | None = None  # thresholds that no bin of a grid may hold


def observe(columns: Columns, protocol: Protocol, weights: NDArray[np.float64] | None = None) -> Observations:
    """Judge the columns that a protocol names, each in its role, once.

    columns: the table.
    protocol: what to look at.
    weights: those of the rows, where they are checked already.

    >>> data = Columns({"sex": ["f", "m", "m"], "hired": [1, 0, 1]})
    >>> seen = observe(data, Protocol(groups=("sex",), decision="hired"))
    >>> seen.factors["sex"].levels, seen.factors["hired"].codes.tolist()
    (('f', 'm'), [1, 0, 1])
    """
    check_roles(columns.names, protocol)
    check_columns(protocol.labels, columns.names)
    answers = {name: label_column(columns, role, name) for role, name, _ in answers_of(protocol) if name}
    check_answers(answers, protocol)
    numbers = {name: _numbers(columns, role, name) for role, name in numbers_of(protocol).items()}
    weights = checked_weights(columns, protocol) if weights is None else weights
    parts = group_columns(columns, protocol)
    clusters = _clusters(columns, protocol, parts)
    factors = parts | strata_columns(columns, protocol) | answers | clusters
    return Observations(factors, numbers, weights, protocol.weights, cuts=cuts(protocol))


def answers_of(protocol: Protocol) -> tuple[tuple[str, str, str], ...]:
    """Outcome and decision: the role, the column, and the label that is counted."""
    return ("outcome", protocol.outcome, protocol.positive), ("decision", protocol.decision, protocol.favorable)


def numbers_of(protocol: Protocol) -> dict[str, str]:
    """The columns of numbers that are measured, by their roles."""
    roles = (role for role, measure in MEASURES.items() if measure.numeric)
    return {role: name for role in roles if (name := protocol.argument(role))}


def cuts(protocol: Protocol) -> dict[str, float]:
    """The threshold at which scores become decisions, by the column of scores."""
    return {protocol.score: protocol.threshold} if protocol.score and protocol.threshold is not None else {}


def label_columns(protocol: Protocol) -> list[str]:
    """The columns whose values are labels."""
    roles = (protocol.outcome, protocol.decision, protocol.clusters, protocol.strata)
    return [*protocol.groups, *filter(None, roles)]


def check_roles(names: Iterable[str], protocol: Protocol) -> None:
    """No column is audited and is what it is audited by."""
    roles = {role: protocol.argument(role) for role in MEASURES}
    if protocol.outcome and protocol.outcome == protocol.decision:
        raise InputError(
            "outcome",
            f"has {protocol.outcome!r}; it is also the decision, which makes no error about itself; name the "
            "column of what happened, or leave outcome out.",
        )
    for name in protocol.groups:
        for part in column_parts(name, names):
            used = [role for role, column in roles.items() if column == part]
            if used:
                raise InputError(
                    "groups", f"has {part!r}; it is also the {used[0]}; name another column for one of them."
                )
    audited = {part: "audited" for name in protocol.groups for part in column_parts(name, names)}
    taken = audited | {column: f"the {role}" for role, column in roles.items() if column}
    for part in column_parts(protocol.strata, names) if protocol.strata else ():
        if part in taken:
            raise InputError(
                "strata",
                f"has {part!r}; it is also {taken[part]}, which does not vary within a stratum of it; name "
                "another column.",
            )


CHECKED_LATER = "checked later"  # among what is chosen: a study that is no audit says itself which decisions it takes


def check_answers(factors: Mapping[str, Factor], protocol: Protocol, several: bool = True) -> None:
    """Outcome and decision have two labels, or few classes where these are allowed; a label may be chosen of many."""
    for role, name, one in answers_of(protocol):
        levels = factors[name].levels if name else ()
        measured = len(levels) > MOST_CLASSES and all(map(is_numeric_text, levels)) and not spelled(one, levels)
        if (measured and CHECKED_LATER not in protocol.chosen) or (
            name and SIDES[role] not in protocol.chosen and not (several and are_classes(levels))
        ):
            check_binary(role, name, factors[name], one, audited=True, several=several)


WHOLE = re.compile(r"\d+(\.0)?|[1-9]\d{0,2}(,\d{3})+")  # a number of people as text
# what tables write where they withhold it: "*", "<5", "1-4", "s", nothing
WITHHELD = re.compile(
    r"\W*|[<\u2264].*|\d+ ?[-\u2013] ?\d+|\W*[scxd]\W*|\W*(suppress|withheld|withhold|redact|mask)\w*\W*"
    r"|(fewer|less) than \w+|under \w+|\w+ or (fewer|less)",
    re.IGNORECASE,
)


def refuse_counts(
    name: str,
    decision: Factor,
    groups: Sequence[Factor],
    rows: NDArray[np.float64],
    weighted: bool = False,
    way: str = "",
    role: str = "decision",
) -> None:
    """A table of groups with how many were selected is no list of people, however few different numbers it has.

    It has a row a group, with nobody to compare within it, or hardly two rows with the same number. Rows with
    weights may well be as few, and of theirs 0 or 1 and the numbers that follow are codes.

    rows: of each cell of the labels.
    way: what to do, where that is not what an audit takes.
    """
    labels = decision.levels
    counts = sorted(int(float(text.replace(",", ""))) for text in labels if WHOLE.fullmatch(text))
    others = [text for text in labels if not WHOLE.fullmatch(text) and not INTEGER.fullmatch(text)]
    if any(not WITHHELD.fullmatch(text) or any(map(str.isalpha, text)) for text in others):
        return
    if max(counts, default=0) < 2 or (weighted and counts[-1] <= len(labels)):
        return
    if _one_row_each(groups, rows) or (not weighted and 4 * len(labels) > 3 * rows.sum()):
        raise InputError(
            role, f"has {name!r} with {listing(counts)} in {rows.sum():.0f} rows; {way or counts_way(name)}."
        )


def _one_row_each(labels: Sequence[Factor], rows: NDArray[np.float64]) -> bool:
    cells = np.unique(np.stack([part.codes for part in labels]), axis=1, return_inverse=True)[1].ravel()
    return bool(np.bincount(cells, weights=rows).max() <= 1)


def refuse_counted_parts(
    role: str,
    protocol: Protocol,
    values: NDArray[np.float64],
    labels: Sequence[Factor],
    people: NDArray[np.float64],
    rows: NDArray[np.float64],
) -> None:
    """A number in the only row of its labels, whole and no larger than the people of the row, is a number of people.

    labels: of groups and strata; people, rows: of each cell.
    """
    counts = np.isnan(values) | ((values >= 0) & (values == np.round(values)) & (values <= people))
    if counts.all() and np.nanmax(values, initial=0) > 1 and _one_row_each(labels, rows):
        name = protocol.argument(role)
        raise InputError(
            role,
            f"has {name!r}, a whole number in a single row of each group, never above {protocol.weights!r} there; "
            f"{counts_way(name, protocol.weights)}; if they are not, give each person a row, without weights.",
        )


def counts_way(name: str, total: str = "") -> str:
    """What to do with a column of counts, where a decision was to be."""
    taken = snippet("fairstats.from_counts takes a table of counts")
    if total:
        given = f"{Setting('selected', name)}, {Setting('total', total)}"
        return f"if these are numbers of people, {taken}: pass {given}"
    selected, everybody = Setting("selected", name), Setting("total")
    return f"if these are numbers of people, {taken}: pass {selected}, and in {everybody} the number of all"


SLIP = 0.02  # a total so near the sum of its lines is meant to be that


def near_sum(n: float, others: float, known: float) -> bool:
    """Whether a line of totals has as many people as the other lines, but for a slip; or as those of known groups.

    >>> near_sum(1930, 1932, 1932), near_sum(1932, 2022, 1932), near_sum(1200, 732, 732), near_sum(60, 840, 840)
    (True, True, True, False)
    """
    return 0 < (1 - SLIP) * others <= n or 0 < (1 - SLIP) * known <= n <= (1 + SLIP) * known


def refuse_totals(parts: Mapping[str, Factor], people: NDArray[np.float64]) -> None:
    """In a long table of counts a line of totals is no group: its people would be counted twice.

    people: of each cell, as the weights count them.
    """
    for name, part in parts.items():
        n = np.bincount(part.codes + 1, people, len(part.levels) + 1)
        apart = n[0] + sum(n[1 + part.levels.index(level)] for level in unknown_labels(part.levels))
        for total, level in zip(n[1:], part.levels, strict=True):
            others = n.sum() - total
            if len(part.levels) > 2 and is_total(level) and near_sum(total, others, others - apart):
                raise InputError(
                    "groups",
                    f"has {level!r} in {name!r}, with {total:,.0f} people where the other rows have {others:,.0f}; "
                    "these would be counted twice; leave its rows out, or rename the group.",
                )


def refuse_everybody(
    name: str, favorable: str, decision: Factor, groups: Sequence[Factor], people: NDArray[np.float64]
) -> None:
    """In a long table of counts the label beside the favorable one is of the others, not of everybody.

    people: of each cell, as the weights count them.
    """
    other = next((label for label in decision.levels if label != favorable), "")
    if len(decision.levels) != 2 or favorable not in decision.levels or not counts_everybody(other):
        return
    if other.casefold() == "n" and favorable.casefold() in ("y", "yes", "j", "s", "o"):  # no
        return
    cells = np.unique(np.stack([part.codes for part in groups]), axis=1, return_inverse=True)[1].ravel()
    all_of, some = (
        np.bincount(cells, np.where(decision.codes == decision.levels.index(one), people, 0))
        for one in (other, favorable)
    )
    if (all_of >= some).all():
        taken = snippet("fairstats.from_counts takes a table of counts")
        raise InputError(
            "decision",
            f"has {name!r} with {favorable!r} and {other!r}, which by its name counts everybody, so that those with "
            f"{favorable!r} would be counted twice; {taken}, a line a group: pass "
            f"{Setting('selected', favorable)}, {Setting('total', other)}; or give, in the place of {other!r}, the "
            f"people without {favorable!r}: {other!r} less {favorable!r}.",
        )


SIDES = {"outcome": "positive", "decision": "favorable"}
MOST_CLASSES = 12  # labels that are compared one by one


def are_classes(labels: Sequence[str]) -> bool:
    """Whether labels are classes: three to twelve, and no measurements.

    Examples
    --------
    >>> are_classes(("accept", "reject", "review")), are_classes(("0", "1")), are_classes(("0.1", "0.5", "0.7"))
    (True, False, False)
    """
    numbers = [text.rstrip("% ") for text in labels]  # a rate in per cent is measured
    measured = all(map(is_numeric_text, numbers)) and (
        numbers != list(labels) or not all(INTEGER.fullmatch(text) for text in labels)
    )
    return 2 < len(labels) <= MOST_CLASSES and not measured


def classes_of(outcome: Factor | None, decision: Factor | None, protocol: Protocol) -> tuple[tuple[str, ...], bool]:
    """The classes of an audit, and whether these have an order; none where every column has two labels or a chosen one.

    Raises
    ------
    InputError
        If decision and outcome do not share their classes, the order misses one, or what is declared is of two labels.

    >>> factor = Factor(np.array([0, 1, 2]), ("a", "b", "c"))
    >>> classes_of(None, factor, Protocol(("g",), decision="d", class_order=("c", "a", "b")))
    (('c', 'a', 'b'), True)
    """
    several = {role: f for role, f in (("decision", decision), ("outcome", outcome)) if f is not None}
    many = [role for role, f in several.items() if len(f.levels) > 2 and SIDES[role] not in protocol.chosen]
    if not many:
        if protocol.class_order:
            role = next(iter(several))
            raise InputError(
                "class_order",
                f"has {listing(protocol.class_order)}; {role} has {protocol.argument(role)!r} with "
                f"{len(several[role].levels)} labels, of which one is compared; pass {Setting(SIDES[role])} alone.",
            )
        return (), False
    widest = max(several, key=lambda role: len(several[role].levels))
    labels = several[widest].levels
    _refuse_spellings(widest, protocol.argument(widest), several[widest])
    _refuse_beside_classes(many[0], several, labels, protocol)
    if not protocol.class_order:
        ordered = [factor.levels for factor in several.values() if factor.ordered and set(factor.levels) == set(labels)]
        apart = any(factor.ordered and factor.levels not in ordered for factor in several.values())
        if ordered and not apart and (len(ordered) == 1 or ordered[0] == ordered[1]):
            return ordered[0], True  # the other column has the same labels
        return labels, all(factor.ordered for factor in several.values())
    unknown = [label for label in protocol.class_order if label not in labels]
    left = [label for label in labels if label not in protocol.class_order]
    if unknown or left:
        fact = f"has {unknown[0]!r}; {protocol.argument(widest)!r} has no such label" if unknown else (
            f"has {listing(protocol.class_order)}, without {left[0]!r}"
        )  # fmt: skip
        way = f"its labels are {listing(sorted(labels), MOST_CLASSES)}; put each of them in its place."
        raise InputError("class_order", with_hint(fact, nearest(unknown[0], left) if unknown else "", way))
    return protocol.class_order, True


def _refuse_spellings(role: str, column: str, factor: Factor) -> None:
    same = next(iter(look_alike(factor.levels)), ())
    if same:
        first, *others = sorted(
            same, key=lambda one: -np.sum(factor.codes == factor.levels.index(one))
        )  # the usual one
        raise InputError(
            role,
            f"has {column!r}, which spells one class in several ways ({listing(map(repr, same))}): write it in one "
            f"way in all rows ({renaming(column, others, first)}), or, if these are different classes, call one of "
            "them otherwise.",
        )


def _refuse_beside_classes(role: str, several: Mapping[str, Factor], labels: Sequence[str], protocol: Protocol) -> None:
    """What is of two labels has no meaning for several classes."""
    side, levels = SIDES[role], several[role].levels
    classes = f"{len(levels)} classes ({listing(sorted(levels), MOST_CLASSES)})"
    one = f"{role} has {protocol.argument(role)!r} with {classes}"
    alone = f", without {named('class_order')}" if protocol.class_order else ""
    way = f"to set one label against the rest, name it with {Setting(side)}{alone}"
    for other, factor in several.items():
        if not set(factor.levels) <= set(labels):
            fact = f"{other} has {protocol.argument(other)!r} with others ({listing(sorted(factor.levels), 12)})"
            ways = _errors_of_one(protocol, labels, several) + alone
            if not protocol.strata and (several["outcome"].codes >= 0).all():  # nobody is left out of the strata
                ways += f"; to compare decisions within each label of {protocol.outcome!r} pass " + (
                    f"{Setting('strata', protocol.outcome)} in the place of {named('outcome')}"
                )
            raise InputError(f"{one}, and {fact}; errors by class need the same labels; {ways}.")
        if SIDES[other] in protocol.chosen:
            raise InputError(f"{one}, and {named(SIDES[other])} names one label of {other}; {way}, or drop the latter.")
    for name in ("score", "amount", "positive_prediction"):
        if protocol.argument(name):
            raise InputError(
                f"{one}, and {named(name)} has {protocol.argument(name)!r}; audit the two apart, or {way}."
            )
    if HIGHEST_RATE in protocol.reference:
        raise InputError("reference", f"has {HIGHEST_RATE!r}; {one}, each with another highest rate; name a group.")
    if protocol.labels.positive or protocol.labels.favorable:
        raise InputError("labels", f"has words for one label; {one}; leave these words out, or {way}.")


def _errors_of_one(protocol: Protocol, labels: Sequence[str], several: Mapping[str, Factor]) -> str:
    """How to ask for the errors of one class against the rest, with a class as an example."""
    label = protocol.class_order[-1] if protocol.class_order else sorted(labels)[0]
    both = f"{Setting('favorable', label)}, {Setting('positive_prediction', label)} and "
    if "positive" in protocol.chosen:
        return f"for the errors of one class, as of {label!r}, pass {both}{Setting('positive', protocol.positive)}"
    outcomes = listing(sorted(several["outcome"].levels), MOST_CLASSES)
    return (
        f"for the errors of one class, as of {label!r}, pass {both}in {named('positive')} the label of "
        f"{protocol.outcome!r} that it predicts (one of {outcomes})"
    )


def check_binary(
    role: str, name: str, factor: Factor, one: str = "", *, audited: bool = False, several: bool = False
) -> None:
    """An outcome or a decision has two values at most; ``one`` is the label that is counted, where it is named.

    What to do with more never leaves people out: who is decided on otherwise is no random part of them.

    audited: scores, amounts and counts are taken, too.
    several: so are classes.
    """
    labels = factor.levels
    if len(labels) == 1 and is_numeric_text(labels[0]) and one in ("", "1") and labels[0] not in ("0", "1"):
        (label,) = labels
        raise InputError(
            role,
            f"has {name!r} with one value alone, {label!r}; {role}s have two; name another column, or pass "
            f"{Setting(SIDES[role], label)} if everybody has it.",
        )
    if len(labels) <= 2:
        return
    if len(labels) <= MOST_CLASSES:
        _refuse_spellings(role, name, factor)

    def by(argument: str) -> str:  # values that were passed as such have no column's name
        return f"them as {Setting(argument)}" if name == role else str(Setting(argument, name))

    numeric = all(map(is_numeric_text, labels))
    label = one if one in labels else min(labels)
    against = f"to set {label!r} against all others, keep every row and pass {Setting(SIDES[role], label)}"
    whole = all(INTEGER.fullmatch(text) for text in labels)
    ways = [] if numeric and not (whole and len(labels) <= MOST_CODES) else [against]
    if numeric and audited and role == "decision":
        ways.append(
            f"if they are scores, pass {by('score')} and the cut-off as {Setting('threshold')}, "
            f"in place of {Setting('decision')}; if they are amounts such as pay, pass {by('amount')}"
        )
        if whole:
            ways.append(counts_way(name))
    elif numeric and audited:
        ways.append(
            f"if they are amounts such as pay, pass {by('amount')} in place of {Setting('outcome')}; "
            f"if they are scores, pass {by('score')}"
        )
    elif numeric and role == "decision" and not ways:
        ways.append("of scores or amounts make a column of 0 and 1 by your cut-off, and name that")
    taken = f"2 to {MOST_CLASSES} are taken" if several and (whole or not numeric) else "it must have two"
    fact = f"{role} has {name!r} with {len(labels)} values ({listing(sorted(labels))}); {taken}"
    raise InputError(f"{'; '.join([fact, *ways])}.")


AS_WITHHELD = (
    "where the count is withheld, leave its line out and say so, or take the lowest and then the highest number that "
    "it may be"
)


def _counts_of_text(role: str, name: str, column: Sequence[Any]) -> np.ndarray:
    """Texts such as "1480" and "1,480", as spreadsheets export counts, as numbers; a decimal comma is none."""
    texts = ["" if is_missing(value) else label(value).strip() for value in column]
    if not any(re.search(r"\d", text) for text in texts):
        kinds = listing(sorted({*texts} - {""}))
        raise InputError(role, f"has {name!r}, a column of text ({kinds}); name a column of numbers.")
    for row, text in enumerate(texts, 1):
        if not WHOLE.fullmatch(text):
            comma = ", with a decimal comma" if DECIMAL_COMMA.fullmatch(text) else ""
            way = AS_WITHHELD if WITHHELD.fullmatch(text) else "correct it"
            raise InputError(
                role,
                f"has {shown(text) if text else 'a blank'} in row {row:,} of {name!r}{comma}; a count of people is a "
                f"whole number such as 1520 or 1,520; {way}.",
            )
    return np.array([float(text.replace(",", "")) for text in texts])


def counts_in(columns: Columns, role: str, name: str) -> np.ndarray:
    """A column of numbers of people, also of text."""
    series = columns.series(name, role)
    return columns.numeric(name, role) if columns.is_numeric(name) else _counts_of_text(role, name, series.to_list())


def _numbers(columns: Columns, role: str, name: str, counted: bool = False) -> NDArray[np.float64]:
    values = counts_in(columns, role, name) if counted else columns.numeric(name, role)
    if np.isinf(values).any():
        rows = rows_at(np.flatnonzero(np.isinf(values)))
        raise InputError(role, f"has infinite values in {name!r} ({rows}); correct or drop them.")
    if np.isnan(values).all():
        raise InputError(role, f"has the column {name!r}; all its values are missing; name another column.")
    return values


# Units of time as R has them, in seconds, by the words for them.
_TIMES = {
    "secs": (1, ("s", "sec", "second", "seconds")),
    "mins": (60, ("min", "minute", "minutes")),
    "hours": (3600, ("h", "hour")),
    "days": (86400, ("d", "day")),
    "weeks": (604800, ("week",)),
}


def durations_as_numbers(data: Any, names: Mapping[str, Any], unit: str) -> tuple[Any, str]:
    """A pandas table with lengths of time as numbers, and the unit of the amount among them.

    names: the columns of the amount and the score by these roles, where there are any.
    unit: of the amount, "" for the one that the column had in R, else the largest of days, hours and minutes that no
        length but 0 is shorter than, or seconds; weeks are taken only where they are named.
    """
    if isinstance(data, Framed):
        frame, unit = durations_as_numbers(data.frame, names, unit)
        return replace(cast("Any", data), frame=frame), unit
    if type(data).__module__.partition(".")[0] != "pandas" or not hasattr(data, "columns"):
        return data, unit
    units = data.attrs.get("r_units", {})
    for role, name in names.items():
        if (
            not isinstance(name, str)
            or name not in data.columns
            or getattr(getattr(data[name], "dtype", None), "kind", "") != "m"
        ):
            continue
        lengths = data[name].to_numpy() / np.timedelta64(1, "s")
        shortest = min(np.abs(lengths[np.isfinite(lengths) & (lengths != 0)]), default=0.0)
        fitting = [one for one in ("mins", "hours", "days") if _TIMES[one][0] <= shortest]
        default = units.get(name) or (fitting[-1] if fitting else "secs")
        wanted = unit.casefold() if role == "amount" else ""
        meant = next((one for one, (_, words) in _TIMES.items() if wanted in (one, *words)), "" if wanted else default)
        if not meant:
            raise InputError(
                "unit",
                f"has {unit!r}, and the amounts are durations in {default}; pass one of {listing(list(_TIMES), 5)}.",
            )
        data = data.assign(**{name: lengths / _TIMES[meant][0]})
        unit = unit or meant if role == "amount" else unit
    return data, unit


def refuse_labels_as_score(protocol: Protocol, values: NDArray[np.float64]) -> None:
    """A score of 0 and 1 is a decision or a prediction, of which medians and ranks say nothing."""
    if protocol.threshold is None and is_binary(values):
        raise InputError(
            "score",
            f"has {protocol.score!r} with no other values than 0 and 1; if they are decisions or predictions, pass "
            f"{Setting('decision', protocol.score)} in place of {named('score')}.",
        )


def refuse_one_score(name: str, values: NDArray[np.float64]) -> None:
    """One score for everybody predicts nothing, and no threshold parts it."""
    known = values[~np.isnan(values)]
    if known.size and (known == known[0]).all():
        raise InputError(
            "score", f"has {name!r}, which is {known[0]:g} for everybody; nothing differs: name another column."
        )


def checked_weights(columns: Columns, protocol: Protocol) -> NDArray[np.float64] | None:
    """The weights of all rows, None where nobody is weighted."""
    if not protocol.weights:
        return None
    weights = _numbers(columns, "weights", protocol.weights, protocol.weight_type == "frequency")
    way = "fill them in or drop the rows"
    if protocol.design:  # whose variances need the units of all rows
        way = (
            f"fill them in, or give these rows weight 0, as those outside of {named('domain')} may have: they are in "
            "no count, and their units stay in the variances, which they would not if the rows were dropped"
        )
    _refuse_rows(np.isnan(weights), protocol.weights, "missing values", way)
    _refuse_rows(weights < 0, protocol.weights, "negative values", "a weight is at least 0")
    if protocol.weight_type == "frequency":
        _refuse_rows(
            weights != np.round(weights),
            protocol.weights,
            "values that are not whole",
            f"{whole_way()}, or its whole design by {named('design')}",
        )
    if not weights.any():
        raise InputError("weights", f"has {protocol.weights!r}; all weights are 0; name another column.")
    if protocol.weight_type == "frequency":
        check_people(protocol.weights, float(weights.sum()))
    far = (weights > FARTHEST) | ((weights > 0) & (weights < 1 / FARTHEST))
    _refuse_rows(far, protocol.weights, "values above 1e50 or below 1e-50", SCALE)
    low, high, n = weights.min(), weights.max(), len(weights)
    if n >= FEWEST_NUMBERED and high - low == n - 1 and (np.diff(np.sort(weights)) == 1).all():
        warn(
            f"{Setting('weights', protocol.weights)}: its values are {low:,.0f} to {high:,.0f}, each once, as rows are "
            "numbered; if they are no weights, name another column, or none."
        )
    return weights


def check_people(name: str, total: float) -> None:
    """Frequencies can be added up without loss."""
    if total > MOST_PEOPLE:
        raise InputError(
            "weights",
            f"has {name!r} with a sum of {total:.3g}; a frequency counts people, and counts above 2^53 "
            f"(9e15) are not exact; correct the column, or pass {Setting('weight_type', 'probability')}.",
        )


def _refuse_rows(bad: NDArray[np.bool_], name: str, fact: str, way: str) -> None:
    if bad.any():
        rows = rows_at(np.flatnonzero(bad))
        raise InputError("weights", f"has {name!r} with {int(bad.sum())} {fact} ({rows}); {way}.")


def _clusters(columns: Columns, protocol: Protocol, parts: dict[str, Factor]) -> dict[str, Factor]:
    """The cluster of every person; nobody who stays can be without one."""
    if not protocol.clusters:
        return {}
    clusters = label_column(columns, "clusters", protocol.clusters)
    lost = clusters.codes < 0
    if protocol.missing == "drop":
        lost &= np.all([part.codes >= 0 for part in parts.values()], axis=0)
    no_cluster(protocol.clusters, int(lost.sum()), f" ({rows_at(np.flatnonzero(lost))})")
    return {protocol.clusters: clusters}


def no_cluster(name: str, lost: float, where: str = "") -> None:
    """Nobody's dependence on others can be unknown."""
    if lost:
        raise InputError(
            "clusters",
            f"has {name!r} with {lost:g} missing values{where}; fill them in (people on their own are "
            "clusters of one: give each a label of its own), or drop the rows.",
        )
