"""People counted where they are: in memory, in an engine, in files part by part; the one door of every audit."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, pairwise, permutations, product
from typing import TYPE_CHECKING, Any

import numpy as np

from fairstats.auditing.arguments import MEASURES, AuditArguments, likeness
from fairstats.auditing.input import (
    AS_WITHHELD,
    FARTHEST,
    SCALE,
    Observations,
    check_answers,
    check_people,
    check_roles,
    counts_in,
    cuts,
    group_columns,
    label_columns,
    missing_refused,
    near_sum,
    numbers_of,
    observe,
    strata_columns,
    whole_way,
)
from fairstats.auditing.local_law_144 import OTHER, RACE, SEX, kind_and_place
from fairstats.auditing.protocol import Protocol, check_columns, declare, read_protocol
from fairstats.auditing.tally import SUMS, Tally, added
from fairstats.data.batches import Condensed, WeightFacts, condensed, facts_of, lazy_frame
from fairstats.data.engines import Source, source_of
from fairstats.data.tables import (
    Columns,
    Factor,
    People,
    check_labels,
    crossed,
    refuse_joined,
    refuse_unknown,
)
from fairstats.errors import Call, InputError, Setting, listing, rows_at, table_name, warn
from fairstats.labels import (
    ADDED_UP,
    BLOCKS,
    HUNDREDS,
    OF_NOBODY,
    OTHER_ATTRIBUTES,
    PERSON_A_ROW,
    SAME_LINE,
    SEX_AND_RACE,
    SUM_OF_REST,
    SUM_OF_SOME,
    TAKEN_AS_MISSING,
    column_parts,
    counts_everybody,
    has_word_of_sum,
    is_total,
    ordered,
    refuse_reserved,
    renamed,
    says_sum,
    unknown_labels,
    written,
)
from fairstats.language import DataText, Message, listed, message, translated
from fairstats.provenance import DataSource, TableOfCounts, take_in
from fairstats.text import count
from fairstats.validation import answering, shown, word

if TYPE_CHECKING:
    from fairstats.auditing.tally import Tally


# What a tally was counted for: the columns that an audit of it need not name again.


CountedRoles = dict[str, tuple[str, ...]]
OTHERS = (*MEASURES, "strata", "weights", "clusters")
MOST_LINES = 1000  # of a long table of counts
FEWEST_LINES = 10  # a group, with counts of 0 and 1 alone, that look like a row a person
MOST_CODES = 20  # numbers that may be labels
ABOUT = 0.1  # by how much the people of two attributes of one table may differ, as not everybody answers
FILLERS = ("-", "\N{EN DASH}", "\N{EM DASH}", "*", "..", "any", "Any", "ANY", "NA", "N/A", "n/a")


def roles_of(declared: Protocol) -> CountedRoles:
    """Return the columns of a protocol by the argument that names them.

    Examples
    --------
    >>> roles_of(Protocol(("sex", "race"), decision="hired"))
    {'groups': ('sex', 'race'), 'decision': ('hired',)}
    """
    named = {role: declared.argument(role) for role in OTHERS}
    return {"groups": declared.groups} | {role: (name,) for role, name in named.items() if name}


def with_roles(tally: Tally, arguments: Mapping[str, Any], protocol: Any = None) -> dict[str, Any]:
    """Return the columns of a call, those that it leaves out as the tally was counted for them.

    Groups are the tally's where the call names none, and so are decision, outcome, score and amount where it names none
    of these; strata, weights and clusters where it names nothing else: who names one has chosen.

    tally: people counted.
    protocol: a file that may name columns, too.

    >>> import fairstats as fs
    >>> counted = fs.tally({"sex": ["f", "m"], "hired": [0, 1]}, "hired", "sex")
    >>> with_roles(counted, {"decision": None, "groups": None})
    {'decision': 'hired', 'groups': 'sex'}
    """
    declared = {} if protocol is None else read_protocol(protocol)[0]
    named = {role for role, value in arguments.items() if value is not None} | set(declared)
    current = dict(arguments)
    if "groups" not in named and "groups" in tally.roles:
        names = tally.roles["groups"]
        current["groups"] = list(names) if len(names) > 1 else names[0]
    left = () if named & set(MEASURES) else MEASURES if named & set(OTHERS) else OTHERS
    return current | {role: names[0] for role, names in tally.roles.items() if role in left}


@answering
def tally(
    data: People,
    decision: str | None = None,
    groups: str | Sequence[str] | None = None,
    *,
    outcome: str | None = None,
    score: str | None = None,
    amount: str | None = None,
    strata: str | Sequence[str] | None = None,
    weights: str | None = None,
    clusters: str | None = None,
) -> Tally:
    """Count the people of a table by all their labels at once; audits are made of the counts.

    Tallies of the same columns add up: of months, of files, of sites that may not share rows. `audit` of a tally gives
    the numbers that it gives of the people, and needs no column named again.

    Parameters
    ----------
    data : table, path, or where the rows are
        As in `audit`: a table, a file, a folder or a pattern, a database, a cluster.
    decision, groups, outcome, score, amount, strata, weights, clusters
        Columns, as in `audit`; an audit of the tally may look at some of them. People without a group are counted as
        such. Every cluster has a cell of its own, and every distinct score or amount up to 2^20 of them.

    Returns
    -------
    Tally
        Cells, which may hold a single person: a tally is as confidential as the people are.

    Raises
    ------
    InputError
        If a column is unknown or unusable for its role.
    FileError, SourceError
        If a file cannot be read, or an engine does not answer.

    Examples
    --------
    >>> import fairstats as fs
    >>> may = fs.tally({"sex": list("ffmm"), "hired": [0, 1, 1, 1]}, "hired", "sex")
    >>> june = fs.tally({"sex": list("fmmm"), "hired": [0, 0, 1, 1]}, "hired", "sex")
    >>> fs.audit(may + june).estimates.where(metric="selection rate", contrast="none").column("n")
    [5.0, 3.0]
    """
    arguments = AuditArguments(
        decision=decision,
        groups=groups,
        outcome=outcome,
        score=score,
        amount=amount,
        strata=strata,
        weights=weights,
        weight_type="probability" if weights is not None else AuditArguments.weight_type,
        clusters=clusters,
    )
    declared = declare(arguments, None)
    return replace(people(data, declared)[0], roles=roles_of(declared))


@answering
def from_counts(
    table: People,
    groups: str | Sequence[str],
    selected: str,
    total: str = "",
    *,
    not_selected: str = "",
    strata: str | Sequence[str] | None = None,
) -> Tally:
    """Take counts in place of people: a line a group, with how many there were and how many were selected.

    Parameters
    ----------
    table : table or path
        Rows of the same labels are added up. A row of totals, by its label or as the sum of the others, is refused,
        and so are the margins of one table, lines each of which has a label of one column only. A group that is the
        sum of the others and may be so by chance is taken with a warning.
    groups : str or list of str
        Columns of labels; people are in every one of them.
    selected, total : str
        Columns of whole numbers: people with the favorable decision, and all people of the line. Text such as
        ``"1480"`` and ``"1,480"`` is read as 1480.
    not_selected : str
        In the place of ``total`` the column of the others of the line, such as the rejected.
    strata : str or list of str, optional
        Columns of labels within which groups are compared, such as the job.

    Returns
    -------
    Tally
        What `audit`, `subgroup_scan` and all that take people take. The decision is the column `selected`, 1 for
        those who were selected and 0 for the others, and need not be named again.

    Raises
    ------
    InputError
        If a column is unknown, a count is missing, negative or no whole number, or more were selected than there were.
    FileError
        If the file cannot be read.

    See Also
    --------
    audit : Takes a long table of counts, a line a group and decision, with ``weights="n"``.

    Examples
    --------
    >>> import fairstats as fs
    >>> table = {"group": ["White", "Black"], "applicants": [520, 180], "hires": [156, 36]}
    >>> people = fs.from_counts(table, groups="group", selected="hires", total="applicants")
    >>> fs.audit(people).by_group()["selection rate"].to_dict()
    {'White': 0.3, 'Black': 0.2}
    """
    selected, total, not_selected = (
        word(role, name) for role, name in (("selected", selected), ("total", total), ("not_selected", not_selected))
    )
    if bool(total) == bool(not_selected):
        both = f"is given beside {Setting('total', total)}" if total else "is not given, and no total"
        raise InputError(
            "not_selected", f"{both}; name the column of all people as total, or that of those who were not selected."
        )
    which, other = ("total", total) if total else ("not_selected", not_selected)
    declared = declare(AuditArguments(decision=selected, groups=groups, strata=strata), None)
    if (lazy := lazy_frame(table)) is not None:
        table = lazy.collect().to_native()
    columns, source = take_in(table, label_columns(declared))
    _refuse_names(selected, which, other)
    if columns.names and not {selected, other, *declared.groups} & set(columns.names):
        numbers = [name for name in columns.names if columns.is_numeric(name)]
        wide = groups_in_columns(permutations(numbers, 2))
        way = "where these are the groups, transpose the table: a line a group, with its label and its two counts"
        if wide:
            labels = [name for name in columns.names if name not in numbers]
            way = f"where {listing(wide)} are groups with columns of their own, {long_way(labels)}"
        raise InputError(
            "groups",
            f"has {listing(declared.groups)}, beside {Setting('selected', selected)} and {Setting(which, other)}; "
            f"none is a column; the columns are {listing(columns.names)}; {way}.",
        )
    of_groups, of_strata = group_columns(columns, declared), strata_columns(columns, declared)
    for name, factor in of_groups.items():
        counts_as_lines = not {selected, other} & set(columns.names) and {selected, other} <= set(factor.levels)
        if counts_as_lines or is_transposed(factor.levels, selected, other):
            lines = listing([*map(repr, factor.levels)])
            raise InputError(
                "groups",
                f"has {name!r}, whose lines are {lines}, beside {selected!r} and {other!r}; the "
                f"columns are {listing(columns.names)}; where these are the groups, transpose the table: a line a "
                "group, with its label and its two counts.",
            )
    factors = of_groups | of_strata
    if selected in factors or other in factors or selected == other:
        raise InputError("selected", f"has {selected!r} and {which} {other!r}; name two columns of counts, no labels.")
    some, everybody = (count_column(columns, name, column) for name, column in (("selected", selected), (which, other)))
    if not_selected:
        everybody = some + everybody
        check_people(not_selected, float(everybody.sum()))
    beside = {name: columns.numeric(name, "total") for name in columns.names if columns.is_numeric(name)}
    if total and (whole := sum_beside(beside, some, everybody)):
        raise InputError(
            "total",
            f"has {total!r}, and {whole!r} is {selected!r} plus {total!r} on every line, so that {total!r} are those "
            f"who were not selected; a rate is of all people; pass {Setting('total', whole)}, or "
            f"{Setting('not_selected', total)} in place of total.",
        )
    if (some > everybody).any():
        row = int(np.argmax(some > everybody))
        raise InputError(
            "selected",
            f"has {some[row]:g} in row {row + 1}, where total has {everybody[row]:g}; nobody is selected who "
            "is not among all; correct the counts, or exchange the columns.",
        )
    refuse_margins(columns, (selected, other), of_groups, of_strata, everybody, some)
    notes = list[Message]()
    for role, names in (("groups", of_groups), ("strata", of_strata)):
        for name in names:
            refuse_total(role, name, factors, everybody, some)
            notes += refuse_sum(role, name, factors, everybody, some)
    notes += refuse_sums_beside("table", columns, (selected, other), factors, everybody, some)
    all_of = total or f"{selected} + {not_selected}"
    notes += _warn_of_lines(columns, selected, all_of, everybody)
    cells = len(np.unique(crossed(list(factors.values())).codes))
    if len(some) >= FEWEST_LINES * cells and some.max() == 1 and (everybody > 1).any():
        values = {"selected": DataText(selected), "total": DataText(all_of), "n": len(some), "groups": cells}
        notes.append(_warned(PERSON_A_ROW, **values, call=Call("audit")))
    beside_all = _labels_beside(columns, (selected, other, *factors))
    if len(factors) == 1:
        notes += _warn_of_blocks(*next(iter(factors.items())), everybody, some, alone=not beside_all)
    notes += _warn_of_attributes(of_groups, _labels_beside(columns, (selected, other, *of_groups)), everybody)
    notes += _warn_of_strata(columns, of_groups, beside_all)
    if not everybody.sum():
        raise InputError(which, f"has the column {other!r}; all its values are 0; name another column.")
    of_groups = {name: _known(name, factor, everybody) for name, factor in of_groups.items()}
    factors = of_groups | of_strata
    for name, factor in of_groups.items():
        people_of = np.bincount(factor.codes[factor.codes >= 0], everybody[factor.codes >= 0], len(factor.levels))
        if nobody := [label for label, n in zip(factor.levels, people_of, strict=True) if not n]:
            notes.append(_warned(OF_NOBODY, total=DataText(all_of), list_of=_several(nobody), name=DataText(name)))
    n = columns.n
    parts = {name: Factor(np.tile(f.codes, 2), f.levels, f.numbers, f.ordered) for name, f in factors.items()}
    parts[selected] = Factor(np.repeat(np.array([1, 0]), n), ("0", "1"), (True,))
    people = np.concatenate([some, everybody - some])
    present = np.flatnonzero(people > 0)
    sums = dict.fromkeys(SUMS, people[present])
    counted = Tally.of(Observations({name: f.take(present) for name, f in parts.items()}, {}, sums=sums))
    file = source.name if source.sha256 else ""
    roles = roles_of(declared) | {which: (other,)}
    return replace(counted, roles=roles, lines=source.rows, file=file, notes=tuple(notes))


def _warned(note: Message, **values: object) -> Message:
    """A note on the lines of a table, which is a warning at once, and a caution of every audit of the counts."""
    filled = note.format(**values)
    warn(translated(filled))
    return filled


def _several(labels: Iterable[str]) -> str:
    return listed(map(DataText, labels), 5)


def as_people(tally: Tally) -> Tally:
    """The tally whose weights are the counts of a table, as people who count once.

    >>> import fairstats as fs
    >>> table = {"sex": ["f", "m", "f"], "hired": [0, 1, 1], "n": [3, 4, 0]}
    >>> as_people(fs.tally(table, "hired", "sex", weights="n"))
    <Tally: 7 people of 3 rows in 2 cells of sex, hired>
    """
    present = np.flatnonzero(tally.weight)
    counted = {
        "factors": {name: factor.take(present) for name, factor in tally.factors.items()},
        "numbers": {name: x[present] for name, x in tally.numbers.items()},
        **dict.fromkeys(SUMS, tally.weight[present]),
        **{name: getattr(tally, name)[present] for name in ("least", "most")},
    }
    roles = {role: names for role, names in tally.roles.items() if role != "weights"}
    return replace(tally, **counted, weights="", roles=roles, lines=int(tally.rows.sum()))


def _known(name: str, factor: Factor, everybody: np.ndarray) -> Factor:
    """A column of groups in which those are missing whose label says so in words, with a warning of how many."""
    unknown = unknown_labels(factor.levels)
    known = factor.without(unknown) if unknown else factor
    if people := everybody[known.codes < 0].sum():
        blanks = ["blanks"] * bool(everybody[factor.codes < 0].any())
        warn(
            f"{name!r} has {listing([*blanks, *map(repr, unknown)])}: {people:g} people whose group is not known; they "
            "are counted as (missing), apart from the groups."
        )
    return known


def known_groups(tally: Tally, declared: Protocol) -> tuple[Tally, list[Message]]:
    """Under the law of employment, people whose label says that their group is not known have none, with a caution."""
    if not declared.four_fifths:
        return tally, []
    names = dict.fromkeys(part for group in declared.groups for part in column_parts(group, tuple(tally.factors)))
    found = {n: unknown_labels(tally.factors[n].levels) for n in names if n in tally.factors}
    found = {name: labels for name, labels in found.items() if labels}
    if not found:
        return tally, []
    known = {name: tally.factors[name].without(labels) for name, labels in found.items()}
    note = TAKEN_AS_MISSING.format(list_of=listed([written(*one) for one in found.items()]))
    return replace(tally, factors={**tally.factors, **known}), [note]


def refuse_margins(
    columns: Columns,
    counts: Sequence[str],
    groups: Mapping[str, Factor],
    strata: Mapping[str, Factor],
    everybody: np.ndarray,
    some: np.ndarray,
) -> None:
    """Lines of one column and lines of another, whether that is named or not, count everybody once a column.

    Blanks, and words and signs for everybody, show it whatever the sums; another label that repeats by the sums only.
    """
    every = {**groups, **strata, **_labels_beside(columns, (*counts, *groups, *strata))}
    for name, other in ((name, other) for name in groups for other in every if other != name):
        pair = every[name], every[other]
        named, repeated = _named(pair), _repeated(pair)
        if not _are_margins(pair, named, everybody):
            if not (repeated.sum(axis=0) == 1).all() or not _same_sums(repeated, everybody, some):
                continue
            named = repeated
        both = named.all(axis=0)
        lines = [
            f"{one!r} ({rows_at(np.flatnonzero(here & ~both))})" for one, here in zip((name, other), named, strict=True)
        ]
        lines += [f"both ({rows_at(np.flatnonzero(both))})"] if both.any() else []
        raise InputError(
            "groups",
            f"has {listing(groups)}; rows name {name!r} where they do not name {other!r}, and the other way round: "
            f"these are margins of one table, whose people would be counted {len(lines)} times; make a table of the "
            f"rows of one kind alone, those of {' or of '.join(lines)}; if {other!r} is a note, leave this column out.",
        )


def _named(factors: Iterable[Factor]) -> np.ndarray:
    """In which columns every row has a label that is no word or sign for everybody or for what is not known."""
    return ~np.array([_is_margin(factor) | np.isin(factor.codes, _fillers(factor)) for factor in factors])


def _fillers(factor: Factor) -> list[int]:
    fillers = {*FILLERS, *unknown_labels(factor.levels), *filter(says_sum, factor.levels)}
    return [code for code, label in enumerate(factor.levels) if label in fillers or label.casefold().startswith("any ")]


def _repeated(factors: Iterable[Factor]) -> np.ndarray:
    """In which columns every row has a label other than the most frequent one."""
    codes = [factor.with_missing_level().codes for factor in factors]
    return np.array([column != np.argmax(np.bincount(column)) for column in codes])


def _are_margins(pair: Sequence[Factor], named: np.ndarray, everybody: np.ndarray) -> bool:
    """Whether rows name one column alone, two labels at least of each, and are no fewer people than rows of both."""
    both = named.all(axis=0)
    for factor, here in zip(pair, named, strict=True):
        alone, crossed_with = (
            np.bincount(factor.codes[rows], everybody[rows], len(factor.levels)) for rows in (here & ~both, both)
        )
        if (alone > 0).sum() < 2 or (alone < crossed_with).any():
            return False
    return True


def _same_sums(named: np.ndarray, everybody: np.ndarray, some: np.ndarray) -> bool:
    """Whether the rows of every column, two at least, are as many people, as many of them selected."""
    sums = {(everybody[rows].sum(), some[rows].sum()) for rows in named}
    return bool(len(sums) == 1 and (named.sum(axis=1) > 1).all())


def _is_margin(factor: Factor) -> np.ndarray:
    """Rows whose label is a word for everybody, or blank."""
    words = [code for code, label in enumerate(factor.levels) if not label.strip() or is_total(label)]
    return np.isin(factor.codes, [-1, *words])


def _refuse_merged(role: str, factors: Mapping[str, Factor], everybody: np.ndarray) -> None:
    """A label on the first row of each block alone, as of merged cells: the rows below it are no people without one."""
    for name, factor in factors.items():
        first = np.flatnonzero(factor.codes >= 0)
        blank = factor.codes < 0
        if len(factor.levels) < 2 or len(first) != len(factor.levels) or not blank.any() or first[0] != 0:
            continue
        filled = replace(factor, codes=factor.codes[first][np.cumsum(~blank) - 1])
        cells = crossed([filled, *(part for other, part in factors.items() if other != name)]).codes
        if (np.diff([*first, len(blank)]) > 1).all() and len(np.unique(cells)) == len(cells):
            raise InputError(
                role,
                f"has {name!r}, which is blank for {everybody[blank].sum():,.0f} people, below a single row of each of "
                f"{listing(map(repr, factor.levels))}, as merged cells of a spreadsheet are; fill it down first: write "
                "into each blank the label above it.",
            )


def refuse_total(
    role: str, name: str, factors: Mapping[str, Factor], everybody: np.ndarray, some: np.ndarray | None = None
) -> None:
    """A line of the sum of the other lines is no group: its people would be counted twice.

    some: those of everybody who were selected, if that is known.
    """
    _refuse_merged(role, factors, everybody)
    factor, some = factors[name], everybody if some is None else some
    others = [part for other, part in factors.items() if other != name]
    margin = {id(part): _is_margin(part) for part in factors.values()}
    whole = ~np.any([*margin.values()], axis=0)
    for row in np.flatnonzero(margin[id(factor)]):
        # a total in another column, too, is one of everybody there
        alike = [(part.codes == part.codes[row]) | margin[id(part)][row] for part in others]
        beside = np.all(alike, axis=0) & whole
        same = np.all([part.codes == part.codes[row] for part in factors.values()], axis=0)  # a line, or several
        n, label = everybody[same].sum(), factor.labels[row] or ""
        if label.strip():
            unknown = np.isin(factor.codes, [factor.levels.index(one) for one in unknown_labels(factor.levels)])
            is_sum = near_sum(n, everybody[beside].sum(), everybody[beside & ~unknown].sum())
        else:  # people without a label are many or few; those of a sum are exactly the others
            sums = everybody[beside].sum(), some[beside].sum()
            is_sum = beside.sum() > 1 and n > 0 and sums == (n, some[same].sum())
        if is_sum:
            what = shown(label) if label.strip() else "a blank"
            raise InputError(
                role,
                f"has {what} in row {row + 1} of {name!r}, with {n:g} people where the other rows have "
                f"{everybody[beside].sum():g}; these would be counted twice; leave the row out, or rename the group.",
            )


def _refuse_subtotals(
    role: str, name: str, factors: Mapping[str, Factor], everybody: np.ndarray, some: np.ndarray
) -> None:
    """Rows without a label, or of everybody, below a heading of their own are sums of a pivot table: "North Total".

    By the name of the heading, or by the sums: of all rows together, or of one row and the rows of another heading.
    """
    for of, heading in permutations(factors, 2) if name in factors else ():
        blank, codes = _is_margin(factors[of]) & (everybody > 0), factors[heading].codes
        lines = ~blank & (codes >= 0)
        apart = blank & ~np.isin(codes, codes[lines])
        if name not in (of, heading) or not apart.any() or not lines.any():
            continue
        # rows of one heading are one, as those of both answers of a long table are
        keys = np.where(codes < 0, np.arange(len(codes)) + len(factors[heading].levels), codes)
        people, selected = (np.bincount(keys, x) for x in (everybody, some))
        several = keys[lines & (np.bincount(keys)[keys] > 1) & (people[keys] >= FEWEST)]
        by_sums = np.isin(people + 1j * selected, people[several] + 1j * selected[several])[keys]
        by_name = np.array([has_word_of_sum(label or "") for label in factors[heading].labels])
        same = all(x[apart].sum() == x[lines].sum() for x in (everybody, some)) and lines.sum() > 1
        if found := np.flatnonzero(apart & (by_sums | by_name | same)).tolist():
            raise InputError(
                role,
                f"has no group in {rows_at(found)} of {of!r}, with {everybody[found].sum():,.0f} people, beside "
                f"{listing([*dict.fromkeys(factors[heading].labels[row] or '' for row in found)])} in {heading!r}; "
                "these are sums of other rows, whose people would be counted twice; leave these rows out, or, if they "
                f"are people of unknown group, rename them in {heading!r}.",
            )


def refuse_sum(
    role: str, name: str, factors: Mapping[str, Factor], everybody: np.ndarray, some: np.ndarray
) -> list[Message]:
    """A group of as many people as all others together, as many of them selected, is their sum, or may be.

    It may be so by chance where its label says no sum, in one place only, and not first or last of four lines or more.
    Returns: what was warned of.
    """
    notes = list[Message]()
    _refuse_subtotals(role, name, factors, everybody, some)
    whole = ~np.any([_is_margin(part) for part in factors.values()], axis=0)
    counts = np.where(whole, [everybody, some], 0)
    factor = factors[name].with_missing_level()
    others = [part.with_missing_level() for other, part in factors.items() if other != name]
    cells = crossed([factor, *others]).codes
    first = np.unique(cells, return_index=True)[1]
    context = crossed(others).codes[first] if others else np.zeros(len(first), dtype=int)
    lines = np.array([np.bincount(cells, weights=v)[cells[first]] for v in counts])
    present = lines[0] > 0
    sums = np.array([np.bincount(context, weights=v)[context] for v in lines])
    enough = np.bincount(context, weights=present)[context] > 2
    is_sum = enough & (2 * lines == sums).all(axis=0)
    for code in np.unique(factor.codes[first][is_sum]):
        here = (factor.codes[first] == code) & present
        if not is_sum[here].all():
            continue
        n, selected = lines[:, here].sum(axis=1)
        label = factor.levels[code]
        beside = np.sort(first[(context == context[here][0]) & present])
        at_end = len(beside) > 3 and first[here][0] in beside[[0, -1]]
        if here.sum() > 1 or at_end or says_sum(label):
            raise InputError(
                role,
                f"has {label!r} in {name!r}, with {n:g} people, {selected:g} of them selected, as many "
                "as the other rows together; these would be counted twice; leave its rows out.",
            )
        of = {"label": DataText(label), "name": DataText(name), "n": count(n), "k": count(selected)}
        notes.append(_warned(SUM_OF_REST, **of))
    by_group = np.zeros((2, len(factor.levels), context.max(initial=-1) + 1))
    by_group[:, factor.codes[first], context] = lines
    for code, members in _sums_of_some(by_group):
        n, selected = by_group[:, code].sum(axis=1)
        label, parts = factor.levels[code], [repr(factor.levels[one]) for one in members]
        if says_sum(label) or len(members) > 3:
            raise InputError(
                role,
                f"has a sum of groups: {label!r} in {name!r} has {n:g} people, {selected:g} of them selected, exactly "
                f"as many as {listing(parts)} together; these would be counted twice; leave its rows out.",
            )
        of = {"label": DataText(label), "name": DataText(name), "n": count(n), "k": count(selected)}
        notes.append(_warned(SUM_OF_SOME, list_of=_several(parts), **of))
    return notes


FEWEST, MOST_SUMMED = 30, 20  # people of a group, and groups, of which sums of some are looked for


def _sums_of_some(counts: np.ndarray) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Groups that are the sum of two others, three or all but one in every stratum, people and selected, and of which.

    counts: people and selected, by group and stratum. Few people may be a sum by chance, and so may one of many groups.
    """
    people, some = counts.sum(axis=2)
    large = [int(code) for code in np.flatnonzero((people >= FEWEST) & (some > 0))]
    present = [int(code) for code in np.flatnonzero(people > 0)]
    sizes = sorted({2, 3, max(len(present) - 2, 2)}) if len(present) <= MOST_SUMMED else ()
    for code in large:
        parts = [one for one in present if one != code and (counts[:, one] <= counts[:, code]).all()]
        every = (group for size in sizes if size < len(present) - 1 for group in combinations(parts, size))
        found = next((group for group in every if (counts[:, group].sum(axis=1) == counts[:, code]).all()), None)
        if found is not None:
            yield code, found


def refuse_sums_beside(
    role: str,
    columns: Columns,
    counts: Sequence[str],
    factors: Mapping[str, Factor],
    everybody: np.ndarray,
    some: np.ndarray,
) -> list[Message]:
    """Lines of totals in a column that is not named, such as the job, double all counts as those of a named one do."""
    notes = list[Message]()
    for name, labels in _labels_beside(columns, (*counts, *factors)).items():
        beside = {**factors, name: labels}
        refuse_total(role, name, beside, everybody, some)
        notes += refuse_sum(role, name, beside, everybody, some)
    return notes


def _labels_beside(columns: Columns, used: Sequence[str]) -> dict[str, Factor]:
    """Columns of labels that are not used; of numbers those of a few codes, such as years, that are blank somewhere."""
    result = {}
    for name in columns.names:
        if name not in used and (not columns.is_numeric(name) or _is_blank_code(columns, name)):
            with suppress(InputError):  # lists or bytes, which are no labels
                result[name] = columns.labels(name, "strata")
    return result


def _is_blank_code(columns: Columns, name: str) -> bool:
    values = columns.numeric(name, "strata")
    known = values[~np.isnan(values)]
    return len(known) < len(values) and len(np.unique(known)) <= MOST_CODES and bool((known == np.round(known)).all())


# Names of counts of the people who were not selected, in English and in German, and of no others beside them. A failure
# of something (heart_failure) may be what is counted, and whoever has not been late may be selected.
_REFUSED = (
    r"(reject(ed|ions?)|refus(ed|als?)|den(ied|ials?)|fail(ed)?|declin(ed|es?)|turned[\W_]*down|abgelehnte?|absagen?)"
)
_NOT_SELECTED = re.compile(
    rf"(?!.*[+&/]|(.*[\W_])?(and|or|plus|und|oder|incl\w*|to(?![\W_]*date)|not[\W_]*{_REFUSED})([\W_]|$))"
    rf"((.*[\W_])?({_REFUSED}|unsuccessful|(not|non|un|nicht)[\W_]?(hire[ds]?|select(ed|ions?)|chosen|admitted|promoted|"
    r"advance[ds]?|moved?[\W_]*(forward|on|ahead|up)|progress(ed)?|offered|recommended|appointed|"
    r"approved|accepted|invited|interviewed|shortlisted|called|pass(ed)?|granted|eingestellte?|ausgewählte?|zugelassene?|angenommene?|beförderte?|bestanden)|"
    r"no[\W_]?(hire|offer|advance(ment)?|callback|interview|promotion)|"
    r"(kein|keine|ohne)[\W_](angebot|einladung|einstellung|zusage))([\W_].*)?"
    r"|((n|nr|num|number|counts?|total)[\W_]+(of[\W_]+)?)?failures?([\W_]+(n|counts?|total))?)",
    re.IGNORECASE,
)
# In the place of all people, any other negation and what is left of them, too; not those who have not withdrawn.
_NOT_ALL = re.compile(
    r"((n|nr|num|number|counts?)[\W_]+(of[\W_]+)?)?"
    r"(((do|does|did|was|were|has|have|is|are)[\W_]*n(o|[\W_])?t|not|never|without|nicht|ohne|keine?)(?![^\W_])"
    rf"(?![\W_]*(for[\W_]*profit|withdr|{_REFUSED})).+"
    r"|(all[\W_]+|the[\W_]+|die[\W_]+)*(others?|rest(liche)?|remain(ing|der)|left[\W_]*over|andere|übrige|sonstige)n?"
    r"([\W_]+(people|persons?|applicants?|applications?|candidates?|personen|bewerb\w+))?)",
    re.IGNORECASE,
)


_ANSWERS = ("1", "0"), ("true", "false"), ("yes", "no"), ("ja", "nein")  # columns of a cross table


_PER_CENT = re.compile(
    r"(.*[\W_])?(rates?|ratio|per ?cents?|percentages?|pct|prozent|quote|anteil)([\W_].*)?|.*%.*", re.IGNORECASE
)


def not_all(selected: str, total: str) -> bool:
    """Whether a column in the place of all people is by its name those who were not selected.

    >>> [not_all("matched", name) for name in ("unmatched", "did not match", "remaining", "no_of_people")]
    [True, True, True, False]
    """
    stems = "|".join(re.escape(part[: max(4, len(part) - 3)]) for part in re.findall(r"[^\W_]{4,}", selected))
    negated = re.match(rf"(non|un)[\W_]?({stems})", total, re.IGNORECASE) if stems else None
    answers = (selected.casefold(), total.casefold()) in _ANSWERS
    return bool(negated or answers or _NOT_SELECTED.fullmatch(total) or _NOT_ALL.fullmatch(total))


def _refuse_names(selected: str, role: str, other: str) -> None:
    """Columns that say by their names that they are no counts of the selected, or of all."""
    if _NOT_SELECTED.fullmatch(selected):
        raise InputError(
            "selected",
            f"has {selected!r}, by its name the people who were not selected; a rate counts those who were; make a "
            f"column of {other!r} less {selected!r} and name it, or, if the question is about these people, give this "
            "one another name, such as 'counted'.",
        )
    if role == "total" and not_all(selected, other):
        raise InputError(
            role,
            f"has {other!r}, by its name the people who were not selected; a rate is {selected!r} of all people; pass "
            f"{Setting('not_selected', other)} in place of total, or give this one another name if it is of all.",
        )
    if role == "not_selected" and counts_everybody(other):
        raise InputError(
            role,
            f"has {other!r}, by its name everybody; pass {Setting('total', other)} in place of not_selected, or give "
            "this one another name if it is of those who were not selected.",
        )
    for name, column in (("selected", selected), (role, other)):
        if _PER_CENT.fullmatch(column):
            raise InputError(
                name,
                f"has {column!r}, by its name per cents or rates; verdicts and limits need numbers of people; take the "
                "rate of each line times its people, or give the column another name if it is a count.",
            )


def sum_beside(columns: Mapping[str, np.ndarray], some: np.ndarray, others: np.ndarray) -> str:
    """The column of the sum of two others on every line: of all people, where these are those selected and the rest.

    >>> counts = {"n": np.array([5, 9]), "hired": np.array([2, 3]), "rejected": np.array([3, 6])}
    >>> sum_beside(counts, counts["hired"], counts["rejected"])
    'n'
    """
    sums = some + others
    found = (name for name, values in columns.items() if some.any() and others.any() and (values == sums).all())
    return next(found, "")


def is_transposed(labels: Sequence[str], selected: str, total: str) -> bool:
    """Whether the lines of a table are its counts, and the columns its groups.

    >>> is_transposed(["applicants", "hires"], "Black", "White"), is_transposed(["f", "m"], "hires", "applicants")
    (True, False)
    """
    (one, at), (other, place) = kind_and_place(selected), kind_and_place(total)
    if one == other != OTHER and at != place:
        return True
    all_of = [label for label in labels if counts_everybody(label) or _NOT_SELECTED.fullmatch(label)]
    some = [label for label in labels if label not in all_of and likeness(label, "decision") >= 0]
    return bool(all_of and some and len(all_of) + len(some) == len(labels))


def groups_in_columns(pairs: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """The words that two counts have in common, where other words are in their place in other pairs of columns.

    >>> groups_in_columns([("hires_f", "hires_m"), ("n_f", "n_m"), ("hires_f", "n_f"), ("hires_m", "n_m")])
    ('f', 'm')
    """
    found = dict[tuple[str, ...], list[str]]()
    for pair in pairs:
        one, other = (re.findall(r"[^\W_]+", name) for name in pair)  # of one group both
        group = [word for word in one if word in other]
        rest = tuple(" ".join(word for word in words if word not in group) for words in (one, other))
        if group and all(rest) and (likeness(rest[0], "decision") >= 0 or counts_everybody(rest[1])):
            found.setdefault(rest, []).append(" ".join(group))
    return next((tuple(groups) for groups in found.values() if len(groups) > 1), ())


def long_way(labels: Sequence[str]) -> str:
    """How a table of counts whose groups have columns of their own becomes one with a line a group."""
    each = " and ".join([*labels, "group"])
    return (
        f"make the table long: a line for each {each}, with the name of the group in a column and its two counts in "
        "two more (the guide 'Counts in place of people' shows how)"
    )


def _warn_of_lines(columns: Columns, selected: str, total: str, everybody: np.ndarray) -> list[Message]:
    """Lines may be there twice, and 100 people in every line be per cents."""
    notes, alike = list[Message](), columns.repeated() & (everybody > 0)
    if alike.any():
        notes.append(_warned(SAME_LINE, row=int(np.argmax(alike)) + 1))
    if len(everybody) > 1 and (everybody == 100).all():
        notes.append(_warned(HUNDREDS, total=DataText(total), selected=DataText(selected)))
    return notes


def _warn_of_blocks(
    name: str, factor: Factor, everybody: np.ndarray, some: np.ndarray, *, alone: bool
) -> list[Message]:
    """Lines of sex followed by lines of race: blocks of as many people, as many of them selected, may be the same.

    alone: whether no other column tells them apart, so that they are refused unless all lines have as many people.
    """
    sums = np.cumsum([everybody, some], axis=1)
    lines = len(everybody)
    for blocks in range(2, lines // 2 + 1) if len(factor.levels) == lines else ():
        ends = [np.flatnonzero((blocks * sums == k * sums[:, -1:]).all(axis=0)) for k in range(1, blocks)]
        places = [0, *(int(found[0]) + 1 if len(found) else 0 for found in ends), lines]
        if min(np.diff(places)) >= 2:
            first = [factor.labels[place] or "" for place in places[:-1]]
            n, k = (count(every / blocks) for every in sums[:, -1])
            if alone and (everybody != everybody[0]).any():
                rows = [f"{start + 1} to {end}" for start, end in pairwise(places)]
                raise InputError(
                    "groups",
                    f"has {name!r}, whose lines are {blocks} blocks of {n} people, {k} of them selected, which begin "
                    f"with {listing(first)}, as of the same people by sex and by race, who would be counted {blocks} "
                    f"times; make a table of the rows of one block alone, {' or '.join(rows)}; if these are different "
                    "people, put the lines in another order.",
                )
            return [_warned(BLOCKS, name=DataText(name), blocks=blocks, n=n, k=k, list_of=_several(first))]
    kinds = {kind: label for label in reversed(factor.levels) if (kind := kind_and_place(label)[0]) != OTHER}
    if len(kinds) < 2:
        return []
    labels = {"sex": DataText(kinds[SEX]), "race": DataText(kinds[RACE])}
    return [_warned(SEX_AND_RACE, name=DataText(name), **labels)]


def _warn_of_attributes(
    groups: Mapping[str, Factor], beside: Mapping[str, Factor], everybody: np.ndarray
) -> list[Message]:
    """Lines of sex and of race, which another column names: other labels for each, of about as many people."""
    notes = list[Message]()
    for (name, factor), (other, kinds) in product(groups.items(), beside.items()):
        known = (factor.codes >= 0) & (kinds.codes >= 0) & (everybody > 0)
        pairs = np.unique([factor.codes[known], kinds.codes[known]], axis=1)
        people = np.bincount(kinds.codes[known], everybody[known], len(kinds.levels))
        alone = len(np.unique(pairs[0])) == pairs.shape[1] and (np.bincount(pairs[1], minlength=len(people)) > 1).all()
        if known.all() and alone and len(people) > 1 and people.min() >= (1 - ABOUT) * people.max():
            of = {"name": DataText(name), "list_of": _several(kinds.levels), "column": DataText(other)}
            notes.append(_warned(OTHER_ATTRIBUTES, least=count(people.min()), most=count(people.max()), **of))
    return notes


def _warn_of_strata(columns: Columns, groups: Mapping[str, Factor], beside: Mapping[str, Factor]) -> list[Message]:
    """Lines of one group for several labels of a column such as the job are added up."""
    cells = crossed(list(groups.values())).codes
    over = [
        name
        for name, factor in beside.items()
        if likeness(name, "strata") >= 0
        and not columns.is_numeric(name)
        and np.unique([cells, factor.codes], axis=1).shape[1] > len(np.unique(cells))
    ]
    if not over:
        return []
    return [_warned(ADDED_UP, groups=_several(groups), list_of=_several(over), setting=Setting("strata", over[0]))]


def count_column(columns: Columns, role: str, name: str) -> np.ndarray:
    """A column of whole numbers of people."""
    values = counts_in(columns, role, name)
    wrong = ~np.isfinite(values) | (values < 0) | (values != np.round(values))
    if wrong.any():
        row = int(np.argmax(wrong))
        many = 1000 * values[row]  # a text such as 1.526, or 1,526 where commas are decimal, may have been 1526
        is_whole = 1000 <= many < 1e6 and math.isclose(many, round(many), abs_tol=1e-6)
        thousands = f", and {round(many)} where its mark is one of thousands" if is_whole else ""
        shares = bool(np.isfinite(values).all() and values.min() >= 0 and values.max() <= 100)
        way = "correct it; of per cents or shares take each times the people of its line" if shares else "correct it"
        way = AS_WITHHELD if np.isnan(values[row]) else way
        raise InputError(
            role,
            f"has {values[row]:g} in row {row + 1} of {name!r}; a count of people is a whole number{thousands}; {way}.",
        )
    check_people(name, float(values.sum()))
    return values


def people(data: Any, declared: Protocol) -> tuple[Tally, DataSource]:
    """Count people once, where they are, and say where that is.

    data: one row a person, or people already counted.
    declared: what to look at; only these columns are read.
    Returns: the tally does not depend on who holds the rows, nor in how many parts.
    Raises FileError, SourceError, DependencyError: if a file cannot be read, an engine does not answer, or a package is
    not installed.

    >>> people({"sex": ["f", "m"], "hired": [0, 1]}, Protocol(("sex",), decision="hired"))[0]
    <Tally: 2 rows in 2 cells of sex, hired>
    """
    if isinstance(data, Tally):
        check_columns(declared.labels, (*data.factors, *data.numbers))
        name = data.file or table_name() or (message("counts in memory") if data.lines else message("tally in memory"))
        rows = data.lines or int(data.rows.sum())
        wide, roles, counts = len(data.factors) + len(data.numbers), data.roles, None
        if data._of_counts and {"groups", "decision"} <= set(roles):
            (selected,) = roles["decision"]
            total, not_selected = ("".join(roles.get(role, ())) for role in ("total", "not_selected"))
            counts = TableOfCounts(roles["groups"], selected, total, roles.get("strata", ()), not_selected)
        return data, DataSource(name, data.digest(), rows, wide, counts)
    holder = source_of(data, lambda names: _roles(names, declared).labels)
    if holder is None:
        columns, source = take_in(data, label_columns(declared))
        _refuse_cells(columns.names, declared)
        counted = Tally.of(observe(columns, declared))
        _warn_of_a_long_table(columns, declared)
        _refuse_sums_of_a_long_table(columns, declared)
        return counted, replace(source, repeated=columns.repeated_rows())
    _refuse_cells(holder.columns, declared)
    tally = _tally(holder, declared)
    return tally, DataSource(holder.name, holder.sha256, int(tally.rows.sum()), len(holder.columns))


def _refuse_cells(names: Sequence[str], declared: Protocol) -> None:
    """The table of a tally has a line a cell, which is no person; how many a withheld one has is unknown."""
    if ".rows" not in names or (declared.weights and ".most" not in names):
        return
    hidden = "of withheld cells, whose people no column counts" if ".most" in names else "a line a cell, not a person"
    weights = "" if ".most" in names else f", or pass {Setting('weights', '.rows')}"
    raise InputError("data", f"is the table of a tally ('.rows'): {hidden}; pass the tally itself{weights}.")


def _warn_of_a_long_table(columns: Columns, declared: Protocol) -> None:
    """Where groups, decision and outcome have one row a combination, a column of whole numbers may count its people."""
    answers = [name for name in (declared.decision, declared.outcome) if name]
    if declared.weights or not answers or columns.n > MOST_LINES:
        return
    names = [part for group in declared.groups for part in column_parts(group, columns.names)]
    names += column_parts(declared.strata, columns.names) if declared.strata else []
    used = dict.fromkeys([*names, *answers])
    if len(used) < 2 or not {*used} <= {*columns.names}:
        return
    factors = [columns.labels(name, "groups") for name in used]
    cells, of_groups = (len(np.unique(crossed(part).codes)) for part in (factors, factors[:-1]))
    if columns.n < 4 or not cells == columns.n == of_groups * len(factors[-1].levels):
        return
    for name in columns.names:
        if name in used or not columns.is_numeric(name):
            continue
        values = columns.numeric(name, "weights")
        if (
            np.isfinite(values).all()
            and (values >= 0).all()
            and (values == np.round(values)).all()
            and values.max() > 1
        ):
            warn(
                f"every combination of {listing(used)} has one row, as in a table of counts; if {name!r} says of how "
                f"many people, pass {Setting('weights', name)}: now each row is one person."
            )
            return


def _refuse_sums_of_a_long_table(columns: Columns, declared: Protocol) -> None:
    """Where rows count people, lines of totals, also in a column that is not named, count them twice."""
    counts = bool(declared.weights) and declared.weight_type == "frequency"
    if not counts or not declared.decision or columns.n > MOST_LINES:
        return
    decision = columns.labels(declared.decision, "decision")
    chosen = declared.favorable if "favorable" in declared.chosen else decision.levels[-1]
    if chosen not in decision.levels or (len(decision.levels) > 2 and "favorable" not in declared.chosen):
        return
    everybody = counts_in(columns, "weights", declared.weights)
    some = np.where(decision.codes == decision.levels.index(chosen), everybody, 0.0)
    of_groups, of_strata = group_columns(columns, declared), strata_columns(columns, declared)
    factors, used = of_groups | of_strata, _roles(columns.names, declared).all
    refuse_margins(columns, used, of_groups, of_strata, everybody, some)
    for name in of_groups:
        refuse_sum("groups", name, factors, everybody, some)
    for name in of_strata:
        refuse_total("strata", name, factors, everybody, some)
        refuse_sum("strata", name, factors, everybody, some)
    refuse_sums_beside("data", columns, used, factors, everybody, some)


@dataclass(frozen=True)
class Roles:
    """The columns that a protocol asks for: of labels and of numbers, each with the argument that names it; weights."""

    labels: dict[str, str]
    numbers: dict[str, str]
    weights: str
    cuts: dict[str, float]

    @property
    def keys(self) -> list[str]:
        """Columns that rows are counted by."""
        return list(dict.fromkeys([*self.labels, *self.numbers]))

    @property
    def all(self) -> list[str]:
        """Columns that are read."""
        return list(dict.fromkeys([*self.keys, *([self.weights] if self.weights else [])]))


def _roles(names: Sequence[str], declared: Protocol) -> Roles:
    """The columns by their roles, in the order that a tally has them in."""
    labels = {part: "groups" for group in declared.groups for part in column_parts(group, names)}
    for part in column_parts(declared.strata, names) if declared.strata else ():
        labels.setdefault(part, "strata")
    for role in ("outcome", "decision", "clusters"):
        if getattr(declared, role):
            labels.setdefault(getattr(declared, role), role)
    numbers = {name: role for role, name in numbers_of(declared).items()}
    return Roles(labels, numbers, declared.weights, cuts(declared))


@dataclass(frozen=True, eq=False)
class Counted:
    """Some of the people, counted and not yet checked: a part may lack what the whole has."""

    tally: Tally
    facts: WeightFacts


def _tally(holder: Source, declared: Protocol) -> Tally:
    roles = _roles(holder.columns, declared)
    numbers = roles.numbers | {roles.weights: "weights"}
    for name, argument in (roles.labels | numbers).items():
        if name:
            if argument in ("groups", "strata"):
                refuse_joined([name], holder.columns, argument)
            refuse_unknown(name, holder.columns, argument, f"data ({holder.name})")
            if name in numbers and not holder.numeric.get(name, True):
                raise InputError(
                    f"{Setting(argument, name)} does not hold numbers in {holder.name}; name a column that does."
                )
    check_roles(holder.columns, declared)
    check_columns(declared.labels, holder.columns)
    total = holder.reduce(roles.all, partial(_count, roles=roles, name=holder.name), _join)
    return _checked_tally(_finished(total.tally, holder.labels_are_text), total.facts, declared)


def _count(part: Any, roles: Roles, name: str) -> Counted | None:
    """Count one part: rows in memory here, everything else in the engine that holds it."""
    if isinstance(part, Columns):
        columns, sums, facts, grids = part, None, WeightFacts(), None
        w = part.numeric(roles.weights, "weights") if roles.weights else None
        if w is not None:
            facts = facts_of(w)
            w = np.where(facts.usable(w), w, 0.0)
    else:
        result = (
            part
            if isinstance(part, Condensed)
            else condensed(
                part, roles.keys, roles.weights, name, {number: roles.cuts.get(number) for number in roles.numbers}
            )
        )
        if result is None or not result.columns.n:
            return None
        columns, sums, facts, grids, w = result.columns, result.sums, result.facts, result.grids, None
    factors = {column: columns.factor(column, argument) for column, argument in roles.labels.items()}
    numbers = {column: columns.numeric(column, role) for column, role in roles.numbers.items()}
    for column, x in numbers.items():
        if np.isinf(x).any():
            role = roles.numbers[column]
            raise InputError(role, f"has infinite values in {column!r} ({name}); correct or drop them.")
    return Counted(Tally.of(Observations(factors, numbers, w, roles.weights, sums, grids, roles.cuts)), facts)


def _join(parts: list[Counted]) -> Counted:
    return Counted(added([part.tally for part in parts]), sum((part.facts for part in parts[1:]), parts[0].facts))


def _finished(tally: Tally, labels_are_text: bool) -> Tally:
    """Labels, and the order of levels, as the whole in memory has them."""
    factors = {}
    for name, factor in tally.factors.items():
        to, marks = dict(zip(factor.levels, factor.levels, strict=True)), factor.numbers
        if labels_are_text:
            names, marks = renamed(factor.levels, factor.numbers)
            to = dict(names)
        levels = tuple(ordered({*to.values()}, list(marks)))
        place = {level: i for i, level in enumerate(levels)}
        codes = np.array([*(place[to[level]] for level in factor.levels), -1], dtype=np.intp)[factor.codes]
        factors[name] = Factor(codes, levels, marks)
    return added([replace(tally, factors=factors)])


def _checked_tally(tally: Tally, facts: WeightFacts, declared: Protocol) -> Tally:
    """Judge the whole as `input.observe` judges a table; which rows are at fault is not known here."""
    for role in ("outcome", "decision", "clusters"):
        if name := getattr(declared, role):
            _some(role, name, bool(tally.factors[name].levels))
    check_answers(tally.factors, declared)
    for role, name in numbers_of(declared).items():
        _some(role, name, not np.isnan(tally.numbers[name]).all())
    _check_weights(tally, facts, declared)
    for name in dict.fromkeys(p for g in declared.groups for p in column_parts(g, tuple(tally.factors))):
        part = tally.factors[name]
        check_labels(name, part)
        if declared.missing == "raise":
            missing_refused(name, float(tally.rows[part.codes < 0].sum()))
    for name in column_parts(declared.strata, tuple(tally.factors)) if declared.strata else ():
        refuse_reserved(name, tally.factors[name].levels, "strata")
    return tally


def _some(role: str, name: str, present: bool) -> None:
    if not present:
        raise InputError(role, f"has the column {name!r}; all its values are missing; name another column.")


def _check_weights(tally: Tally, facts: WeightFacts, declared: Protocol) -> None:
    name = declared.weights
    if not name:
        return
    refused: Iterable[tuple[bool, str, str]] = (
        (facts.unusable > 0, f"{facts.unusable} missing or infinite values", "fill them in or drop the rows"),
        (facts.negative > 0, f"{facts.negative} negative values", "a weight is at least 0"),
        (
            declared.weight_type == "frequency" and facts.fractions > 0,
            f"{facts.fractions} values that are not whole",
            whole_way(),
        ),
        (facts.most > FARTHEST or facts.least < 1 / FARTHEST, "values above 1e50 or below 1e-50", SCALE),
    )
    for bad, fact, way in refused:
        if bad:
            raise InputError("weights", f"has {name!r} with {fact}; {way}.")
    if not facts.most:
        raise InputError("weights", f"has {name!r}; all weights are 0; name another column.")
    if declared.weight_type == "frequency":
        check_people(name, float(tally.weight.sum()))
