"""``fairstats protocol init``: the choices of an audit as a file to be filled in; none is made here."""

from __future__ import annotations

import json
import math
import re
import shlex
import textwrap
from collections.abc import Callable
from dataclasses import asdict, dataclass
from itertools import permutations
from typing import TYPE_CHECKING, Any

import click

from fairstats import __version__
from fairstats.auditing.arguments import ARGUMENTS, Argument, likeness, may_harm
from fairstats.cli.io import FILES, INPUT_FORMAT, WIDTH, Commands, Outputs, expanded, options, outputs, say, table
from fairstats.errors import FairstatsWarning, InputError, ignoring, listing
from fairstats.files import COMMENT
from fairstats.validation import REFERENCES, most

if TYPE_CHECKING:
    import pandas as pd


MOST = 8  # labels that are named beside a column


@click.group(cls=Commands, short_help="Declare the choices of an audit in a file.")
def protocol() -> None:
    """Declare the choices of an audit in a file, before looking at the rates."""


@protocol.command(short_help="Write audit.toml with every choice, to be made by you.")
@FILES
@options(INPUT_FORMAT, outputs(".toml", "toml", default="toml"))
def init(files: tuple[str, ...], input_format: str | None, out: Outputs) -> None:
    """Write the protocol of an audit of FILE: every choice with the columns and labels that it can be, none made.

    Each choice stands as a comment. Take the # from one line of each that you want, and keep the file with the date.

    \b
      fairstats protocol init people.csv --to audit.toml
      fairstats audit people.csv --protocol audit.toml
    """
    read = expanded(files)
    out.check(read)

    data = table(read, input_format=input_format)
    counts = counts_of(data.frame)
    counts = None if counts is None or counts.transposed or counts.wide else counts
    text = protocol_text(data, described(data.frame), next(iter(out.files), "audit.toml"), counts)
    if out:
        out.write(toml=lambda: text)
    else:
        click.echo(text, nl=False)


def protocol_text(data: Any, columns: list[ColumnFacts], path: str, counts: CountColumns | None = None) -> str:
    """Return the file at a path: the lines that look likely for these data, then every other argument, behind a #."""
    call = (
        f"FILE --selected {shlex.quote(counts.selected)} --{counts.role} {shlex.quote(counts.total)}"
        if counts
        else "FILE"
    )
    lines = [
        f"{COMMENT} {__version__} from {_plain(data.name)}: {data.rows:,} rows.",
        f"# SHA-256 of the data: {data.sha256}",
        "# Nothing is decided in this file yet. Take the # from the lines of your choice, before looking at the rates;",
        f"# what stays behind a # is not declared. Then: fairstats audit {_plain(call)} --protocol {_plain(path)}",
    ]
    if counts:
        lines.append(
            f"# If a row is no group with its numbers of people but a person, leave --selected and --{counts.role} out."
        )
    lines += [f"# Look at {_plain(c.name)}: {_plain('; '.join(c.notes))}." for c in columns if c.notes]
    guess = guessed(columns) if counts is None else _guessed_counts(columns, counts)
    titles = {"decision": "# The question", "labels": "# Its words", "conf_level": "# Everything else, by its default"}
    for name in (*_FIRST, *(name for name in ARGUMENTS if name not in _FIRST)):
        if counts and name in _OF_PEOPLE:
            continue
        lines += ["", titles[name]] if name in titles else []
        lines += [_selected(counts)] if counts and name == "decision" else _offered(ARGUMENTS[name], guess)
    return "\n".join(lines).rstrip() + "\n"


# What a file begins with; the other arguments follow in the order in which they are declared.
_FIRST = (
    *("decision", "outcome", "score", "threshold", "amount", "unit", "quantiles", "adjust_for"),
    *("favorable", "positive", "positive_prediction", "class_order", "groups", "reference", "labels", "about"),
)


# What a table of counts has no column for, and the sides of a decision that its columns tell.
_OF_PEOPLE = (
    *("outcome", "score", "threshold", "amount", "unit", "quantiles", "adjust_for", "favorable", "positive"),
    *("positive_prediction", "class_order", "weights", "weight_type", "clusters", "design"),
)


@dataclass(frozen=True)
class Guess:
    """The columns that look like what an audit asks for, by their names and what they hold; nothing is chosen."""

    decision: list[ColumnFacts]
    outcome: list[ColumnFacts]
    score: list[ColumnFacts]
    amount: list[ColumnFacts]
    groups: list[ColumnFacts]
    strata: list[ColumnFacts]
    weights: list[ColumnFacts]
    clusters: list[ColumnFacts]
    columns: list[ColumnFacts]


MOST_GUESSED = 3  # columns of one role
MOST_ATTRIBUTES = 3
MOST_LABELS = 12  # of an attribute that are named


def _alike(columns: list[ColumnFacts], role: str) -> list[ColumnFacts]:
    """The columns whose names look like a role, the likeliest first."""
    present = [(at, column) for column in columns if (at := likeness(column.name, role)) >= 0]
    return [column for _, column in sorted(present, key=lambda pair: pair[0])]


def guessed(columns: list[ColumnFacts]) -> Guess:
    """The likely columns of each role; where no name tells, those of two labels that are no group."""
    groups = _alike([c for c in _able(columns, "groups") if c.levels], "groups")
    two = [c for c in _able(columns, _TWO) if c not in groups]
    several = [] if _alike(_able(columns, "score"), "score") else _able(columns, _SEVERAL)
    several = [c for c in several if c not in groups]
    decision = _alike(two, "decision") or _alike(several, "decision")
    outcome = _alike([c for c in two if c not in decision], "outcome")
    if not outcome and decision and decision[0] in several:  # predicted in several classes, and so observed
        outcome = _alike([c for c in several if c not in decision], "outcome")
    if not decision and not outcome:
        decision = outcome = two
    taken = [*decision, *outcome]
    free = [c for c in columns if c not in taken]
    groups = groups or [c for c in _able(free, "groups") if 1 < len(c.levels) <= MOST_LABELS]
    return Guess(
        decision=decision[:MOST_GUESSED],
        outcome=outcome[:MOST_GUESSED],
        score=_alike(_able(free, "score"), "score")[:MOST_GUESSED],
        amount=_alike(_able(free, "amount"), "amount")[:MOST_GUESSED],
        groups=groups[:MOST_ATTRIBUTES],
        strata=_alike([c for c in _able(free, "strata") if c not in groups], "strata")[:1],
        weights=_alike(_able(free, "weights"), "weights")[:MOST_GUESSED],
        clusters=_alike(_able(free, "clusters"), "clusters")[:MOST_GUESSED],
        columns=columns,
    )


def _guessed_counts(columns: list[ColumnFacts], counts: CountColumns) -> Guess:
    """The columns of labels of a table of counts."""
    groups, strata = ([c for c in columns if c.name in names] for names in (counts.groups, counts.strata[:1]))
    return Guess([], [], [], [], groups, strata, [], [], [])


def _selected(counts: CountColumns) -> str:
    beside = "beside" if counts.summed else "of"
    return _plain(
        f"# decision: {counts.selected}, how many were selected {beside} {counts.total}; --selected names it."
    )


def _offered(argument: Argument, guess: Guess) -> list[str]:
    """The lines that may stand for an argument, what it is behind the first."""
    name, words = argument.name, argument.words
    if name in _LINES:
        return _LINES[name](guess)
    if argument.form == "column":
        likely = [
            _line(name, c.name, _levels(c) if name in _ROLES else f"{c.low} to {c.high}") for c in getattr(guess, name)
        ]
        if name in _ROLES and not (likely or guess.score):
            likely = [
                _line(name, c.name, f"in place of the {other}: {_levels(c)}")
                for other in _ROLES
                for c in getattr(guess, other)
            ]
        return likely or [_unnamed(name, guess)]
    return [_line(name, argument.default, words)]


def _unnamed(name: str, guess: Guess) -> str:
    """The line of a role that no column has a name of; as ``describe`` says it, which columns could be it."""
    taken = {c.name for role in (guess.decision, guess.outcome, guess.groups) for c in role}
    able = [c.name for c in _able(guess.columns, _TWO if name in _ROLES else name) if c.name not in taken]
    fact = f"no column has such a name; could be: {_plain(listing(able, 4))}" if able else "no column could be it"
    return f"# {name}: {fact}. {ARGUMENTS[name].words}"


_TWO, _SEVERAL = "outcome or decision", "decision of several classes"
_YES = ("1", "true", "yes", "y")
_ROLES = ("decision", "outcome")


def _labels_of(columns: list[ColumnFacts], other: Callable[[str], bool] = lambda _: False) -> list[str]:
    """The labels of columns of two, first that which means yes, or of some names the other."""
    labels = []
    for column in columns:
        no = other(column.name)
        labels += sorted((label for label, _ in column.levels), key=lambda label: (label.lower() in _YES) == no)
    return list(dict.fromkeys(labels))


def _label(name: str, labels: list[str]) -> list[str]:
    """One label, with the others that it can be."""
    first, *others = labels or ["..."]
    also = f" Or {listing(others, 4)}." if others else ""
    return [_line(name, first, f"{ARGUMENTS[name].words}{also}")]


def _class_order(guess: Guess) -> list[str]:
    classes = ([label for label, _ in c.levels] for c in guess.decision[:1] if len(c.levels) > 2)
    return [_line("class_order", next(classes, ["reject", "review", "accept"]), ARGUMENTS["class_order"].words)]


def _groups(guess: Guess) -> list[str]:
    if not guess.groups:
        return [_unnamed("groups", guess)]
    return [_line("groups", [c.name for c in guess.groups], "; ".join(f"{c.name}: {_levels(c)}" for c in guess.groups))]


def _reference(guess: Guess) -> list[str]:
    named = {c.name: c.levels[0][0] for c in guess.groups if guess.columns}  # rows of counts tell no sizes
    return [_line("reference", named or "largest_group", f"the largest groups; or a rule: {', '.join(REFERENCES)}")]


def _headline(guess: Guess) -> list[str]:
    groups = [c for c in guess.groups if len(c.levels) > 1][:1]
    words = ARGUMENTS["headline"].words
    lines = [_line("headline", {c.name: [label for label, _ in c.levels[1::-1]]}, words) for c in groups]
    return lines or [f"# headline: no groups to compare. {words}"]


def _strata(guess: Guess) -> list[str]:
    lines = [_line("strata", [c.name], ARGUMENTS["strata"].words) for c in guess.strata]
    return lines or [_unnamed("strata", guess)]


def _words(guess: Guess) -> list[str]:
    names = {c.name: c.name.replace("_", " ") for c in guess.groups}
    return [
        _line("labels.title", "...", "of the report"),
        _line("labels.unit", "people", 'a plural noun: "applicants"'),
        *(_line(f"labels.{name}", "...", text) for name, text in _PHRASES.items()),
        *([_line("labels.attributes", names)] if names else []),
        *(
            _line(f"labels.groups.{_toml(c.name)}", {label: label for label, _ in c.levels[:MOST_LABELS]})
            for c in guess.groups
        ),
    ]


_PHRASES = {
    "favorable": 'the decision that helps, as a verb: "were hired"',
    "unfavorable": '"were refused"',
    "positive": 'the outcome that counts as 1: "stayed"',
    "negative": '"left"',
    "amount": 'what people do with the amount, as a verb: "earn per hour"',
}


def _about(guess: Guess) -> list[str]:
    from fairstats.auditing.protocol import ABOUT

    shown = dict.fromkeys(("system", "version", "period", "prepared_by"), "...")
    return [_line("about", shown, f"also {', '.join(name for name in ABOUT if name not in shown)}")]


def _middle(score: ColumnFacts) -> float:
    """A threshold that the scores lie on both sides of; which one is right, only the user knows."""
    middle = (float(score.low) + float(score.high)) / 2
    return math.ceil(middle) if score.kind == "whole numbers" else float(f"{middle:.3g}")


DESIGN_EXAMPLE = {"weights": "weight", "strata": "stratum", "clusters": "psu", "nest": True}

# Arguments of whose lines the data, or what is usual, say more than their form.
_LINES: dict[str, Callable[[Guess], list[str]]] = {
    "threshold": lambda guess: [_line("threshold", _middle(c), ARGUMENTS["threshold"].words) for c in guess.score[:1]],
    "unit": lambda _: [_line("unit", "...", ARGUMENTS["unit"].words)],
    "adjust_for": lambda _: [_line("adjust_for", "~ grade + tenure", ARGUMENTS["adjust_for"].words)],
    "favorable": lambda guess: _label(
        "favorable",
        _labels_of(guess.decision or ([] if guess.score else guess.outcome), may_harm)
        or ["1", "0"] * bool(guess.score),
    ),
    "positive": lambda guess: _label("positive", _labels_of(guess.outcome)),
    "positive_prediction": lambda guess: _label(
        "positive_prediction",
        _labels_of(guess.decision, lambda name: may_harm(name) != any(may_harm(c.name) for c in guess.outcome[:1])),
    ),
    "class_order": _class_order,
    "groups": _groups,
    "reference": _reference,
    "labels": _words,
    "about": _about,
    "margin": lambda _: [_line("margin", 0.05, f"an example, not advice. {ARGUMENTS['margin'].words}")],
    "strata": _strata,
    "design": lambda _: [_line("design", DESIGN_EXAMPLE, ARGUMENTS["design"].words)],
    "headline": _headline,
    "law": lambda _: [_line("law", "employment", ARGUMENTS["law"].words)],
    "action_plan": lambda _: [_line("action_plan", True, ARGUMENTS["action_plan"].words)],
}


def _able(columns: list[ColumnFacts], role: str) -> list[ColumnFacts]:
    return [column for column in columns if role in column.roles]


def _levels(column: ColumnFacts) -> str:
    """The labels with their counts; "" of a column of numbers."""
    if column.distinct > MOST_LABELS or not column.levels:
        return ""
    return counted(column.levels, MOST, _plain) + (f"; {column.missing:,} missing" if column.missing else "")


def _line(name: str, value: Any, text: str = "") -> str:
    return f"# {name} = {_toml(value)}{f'  # {text}' if text else ''}"


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{_toml(k)} = {_toml(v)}' for k, v in value.items())} }}"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, str):
        # JSON's escapes are TOML's, but for DEL.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return repr(value)


def _plain(text: str) -> str:
    """Text that stays within the line of a comment."""
    return re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", " ", text)


# ``fairstats describe``: what is in a file, before anything is decided.


MOST_DESCRIBED = 6  # labels that are shown of a column


@click.command(short_help="Show what a file holds: columns, labels, missing values, possible roles.")
@FILES
@options(
    click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True,
                 help="Lines to read, or JSON."),
    INPUT_FORMAT,
)  # fmt: skip
def describe(files: tuple[str, ...], form: str, input_format: str | None) -> None:
    """Show the columns of FILE: what they hold, what is missing, which role each could play in an audit.

    A role is possible where the values allow it: two different ones for an outcome or a decision, repeated labels for
    groups and strata. Which one is right, only you know.

    \b
      fairstats describe people.csv
    """

    from fairstats.data.read import EQUAL
    from fairstats.data.tables import Columns

    read = table(expanded(files), input_format=input_format)
    result = described(read.frame)
    if form == "json":
        facts = {"name": read.name, "sha256": read.sha256, "rows": read.rows, "columns": [_fields(c) for c in result]}
        facts["equal_columns"] = read.frame.attrs.get(EQUAL, [])
        click.echo(json.dumps(facts, ensure_ascii=False, indent=1))
        return
    lines = [f"{read.name}: {read.rows:,} rows, {read.columns} columns", f"SHA-256 {read.sha256}", ""]
    for name in read.frame.attrs.get(EQUAL, []):
        lines += textwrap.wrap(f"{name} stands there several times with equal values: one of them is used.", WIDTH)
        lines.append("")
    name, n = Columns(read.frame).repeated_rows()
    if n:
        lines += textwrap.wrap(f"Rows that repeat an earlier one in every column, {name} included: {n:,}.", WIDTH)
        lines.append("")
    for column in result:
        lines += _lines(column)
    lines += textwrap.wrap(_of_counts(read.frame), WIDTH)
    lines += textwrap.wrap("Next: fairstats protocol init FILE writes the choices of an audit, each to be made.", WIDTH)
    say("\n".join(lines))


MOST_COUNTS = 500  # lines of a table of counts; longer ones are of people


@dataclass(frozen=True)
class CountColumns:
    """The columns of a table of counts, where every row has labels of its own and one count is part of another."""

    groups: list[str]
    strata: list[str]
    selected: str
    total: str
    transposed: bool = False  # the lines are the counts, and the columns the groups
    summed: bool = False  # the total is of those who were not selected
    wide: tuple[str, ...] = ()  # groups that have columns of their own

    @property
    def role(self) -> str:
        """What the second count is at the command line."""
        return "not-selected" if self.summed else "total"

    @property
    def options(self) -> str:
        """What names the columns at the command line."""
        options = {"groups": self.groups, "strata": self.strata, "selected": [self.selected], self.role: [self.total]}
        return " ".join(f"--{name} {shlex.quote(','.join(names))}" for name, names in options.items() if names)


def counts_of(frame: pd.DataFrame) -> CountColumns | None:
    """The columns of a table that looks like one of counts; None of people."""
    import pandas as pd

    from fairstats.auditing.people import groups_in_columns, is_transposed, not_all, sum_beside

    if len(frame) > MOST_COUNTS:
        return None
    marked = {str(name): frame[name].astype(str).str.strip() for name in frame}
    numbers = {name: pd.to_numeric(text.str.replace(",", "")).to_numpy() for name, text in marked.items()
               if len(text) and text.str.fullmatch(r"\d{1,3}(,\d{3})+|\d+").all()}  # fmt: skip
    labels = [
        str(name) for name in frame if str(name) not in numbers and not pd.api.types.is_numeric_dtype(frame[name])
    ]
    if frame.duplicated(labels or None).any() or (not labels and len(frame) > 1):
        return None
    pairs = list(permutations((name for name, column in numbers.items() if column.max() > 1), 2))
    rest = [(a, b) for a, b in pairs if not_all(a, b)]
    left = [(a, b) for a, b in pairs if a not in {name for _, name in rest}]
    parts = [
        (a, b)
        for a, b in left
        if (a, b) not in rest and (numbers[a] <= numbers[b]).all() and not sum_beside(numbers, numbers[a], numbers[b])
    ]
    found = next(iter(parts or [pair for pair in left if pair in rest]), None)
    wide = groups_in_columns(parts or rest)
    if found is None or not (labels or wide):
        return None
    strata = [name for name in labels if likeness(name, "strata") >= 0]
    groups = [name for name in labels if name not in strata] or labels
    selected, total = found
    transposed = any(is_transposed(marked[name].unique(), selected, total) for name in groups)
    strata = strata if groups != labels else []
    return CountColumns(groups, strata, selected, total, transposed, not parts, wide)


def _of_counts(frame: pd.DataFrame) -> str:
    """How to audit a table of counts."""
    of = counts_of(frame)
    if of is None:
        return ""
    if of.wide:
        from fairstats.auditing.people import long_way

        way = long_way([*of.strata, *of.groups])
        return f"If these are numbers of people, of {listing(of.wide)} in columns of their own, {way}."
    if of.transposed:
        return "If these are numbers of people, transpose the table: a line a group, with its label and its two counts."
    return f"If each row is a group and these are numbers of people: fairstats audit FILE {of.options}."


def _fields(column: Any) -> dict[str, Any]:
    levels = [{"label": label, "n": n} for label, n in column.levels]
    return {**asdict(column), "levels": levels, "roles": list(column.roles), "notes": column.notes}


def _lines(column: Any) -> list[str]:
    from fairstats.labels import quoted  # it brings NumPy, which help does not need

    facts = [column.kind]
    if column.kind != "empty":
        facts += [f"{column.distinct:,} different"]
    if column.missing:
        facts.append(f"{column.missing:,} missing")
    if column.low:
        facts.append(f"{column.low} to {column.high}")
    lines = textwrap.wrap(f"{column.name}: {', '.join(facts)}", WIDTH, subsequent_indent="    ")
    if column.levels and column.distinct <= 200:
        lines += textwrap.wrap(
            counted(column.levels, MOST_DESCRIBED, quoted),
            WIDTH,
            initial_indent="    ",
            subsequent_indent="    ",
            break_on_hyphens=False,
        )
    text = ", ".join(column.roles) or "none (an identifier, or all alike)"
    for line in (*column.notes, f"could be: {text}"):
        lines += textwrap.wrap(line, WIDTH, initial_indent="    ", subsequent_indent="    ")
    return [*lines, ""]


# What the columns of a table hold, and which role each could play: for ``describe`` and ``protocol init``.


FEW = 20  # more groups than these are listed by their number
MOST_SPELLED = 3  # labels in several spellings that have a line each


@dataclass(frozen=True)
class ColumnFacts:
    """One column: its kind, its distinct and its missing values, its labels with their counts, its possible roles."""

    name: str
    kind: str  # text, logical, date, whole numbers, numbers, empty
    rows: int
    missing: int
    distinct: int
    levels: tuple[tuple[str, int], ...]  # label and count, the most frequent first; only where they are few enough
    low: str
    high: str

    @property
    def roles(self) -> tuple[str, ...]:
        """What an audit could take the column for; facts alone, no guess."""
        present = self.rows - self.missing
        repeats = self.distinct < present
        is_number = self.kind in ("whole numbers", "numbers")
        from fairstats.auditing.input import are_classes
        from fairstats.data.tables import MOST_NUMBERS

        groups = MOST_NUMBERS if self.kind == "whole numbers" else most("FAIRSTATS_MAX_GROUPS")
        can = {
            "outcome or decision": 2 in (self.distinct, self.distinct - sum(len(s) - 1 for s in self.spellings)),
            "decision of several classes": repeats and are_classes([label for label, _ in self.levels]),
            "groups": 2 <= self.distinct <= groups and repeats and self.kind != "numbers",
            "score": is_number and self.distinct > 2,
            "amount": is_number and self.distinct > 2,
            "weights": (is_number or (self.kind == "text" and self.low != ""))  # counts as text
            and self.missing == 0
            and self.distinct > 1
            and float(self.low) >= 0,
            "strata": 2 <= self.distinct <= most("FAIRSTATS_MAX_GROUPS") and repeats and self.kind != "numbers",
            "clusters": self.distinct > FEW and repeats and self.kind != "numbers",
        }
        return tuple(role for role, possible in can.items() if possible)

    @property
    def spellings(self) -> list[tuple[str, ...]]:
        """Labels that differ by no more than blanks, case or the form of their characters."""
        from fairstats.labels import look_alike  # it brings NumPy, which help does not need

        return look_alike(label for label, _ in self.levels)

    @property
    def notes(self) -> list[str]:
        """What the labels give reason to look at, each with its count."""
        from fairstats.labels import like_missing, like_sums

        labels, n = [label for label, _ in self.levels], dict(self.levels)
        decides = likeness(self.name, "decision") >= 0
        missing = [
            label for label in like_missing(labels) if not (decides and may_harm(label))
        ]  # declined is a decision
        kinds = [(f"{len(same)} spellings of one label", list(same)) for same in self.spellings[:MOST_SPELLED]]
        if len(self.spellings) > MOST_SPELLED:
            every = [label for same in self.spellings[MOST_SPELLED:] for label in same]
            kinds.append(("other labels in several spellings", every))
        kinds += [("may be missing values", missing), ("may be sums of others", like_sums(labels))]
        return [
            f"{what}: {counted(tuple((label, n[label]) for label in found), MOST, repr)}"
            for what, found in kinds
            if found
        ]


def described(frame: pd.DataFrame) -> list[ColumnFacts]:
    """Return the facts about each column.

    >>> import pandas as pd
    >>> [c.roles for c in described(pd.DataFrame({"hired": [1, 0, 1, 1], "id": list("abcd")}))]
    [('outcome or decision', 'groups', 'weights', 'strata'), ()]
    """
    return [_column(str(name), frame[name]) for name in frame]


def _column(name: str, values: pd.Series) -> ColumnFacts:
    from fairstats.auditing.input import WHOLE

    present = values.dropna()
    kind = _kind(present)
    counts = present.value_counts()
    levels: tuple[tuple[str, int], ...] = ()
    if 0 < len(counts) <= most("FAIRSTATS_MAX_GROUPS") and kind != "numbers":
        levels = _column_levels(name, present)
    low, high = ("", "")
    texts = [str(value).strip() for value in counts.index] if kind == "text" else []
    if any("," in text for text in texts) and all(map(WHOLE.fullmatch, texts)):  # counts, as spreadsheets export them
        people = [int(float(text.replace(",", ""))) for text in texts]
        low, high = str(min(people)), str(max(people))
    if len(present) and kind in ("whole numbers", "numbers", "date"):
        low, high = (_shown(kind, value) for value in (present.min(), present.max()))
    return ColumnFacts(name, kind, len(values), int(values.isna().sum()), len(counts), levels, low, high)


def _column_levels(name: str, present: Any) -> tuple[tuple[str, int], ...]:
    """The labels as an audit has them, with their counts."""
    import numpy as np
    import pandas as pd

    from fairstats.data.tables import Columns

    try:
        with ignoring(FairstatsWarning):
            factor = Columns(pd.DataFrame({name: present})).factor(name, "groups")
    except InputError:
        return ()
    counts = np.bincount(factor.codes[factor.codes >= 0], minlength=len(factor.levels))
    order = np.argsort(-counts, kind="stable")
    return tuple((factor.levels[i], int(counts[i])) for i in order)


def _kind(present: Any) -> str:
    import pandas as pd

    if not len(present):
        return "empty"
    if pd.api.types.is_bool_dtype(present.infer_objects()):
        return "logical"
    if pd.api.types.is_datetime64_any_dtype(present):
        return "date"
    if pd.api.types.is_numeric_dtype(present):
        return "whole numbers" if ((present % 1) == 0).all() else "numbers"
    return "text"


def _shown(kind: str, value: Any) -> str:
    return str(value) if kind == "date" else f"{float(value):.6g}"


def counted(levels: tuple[tuple[str, int], ...], most: int, quote: Callable[[str], str] = str) -> str:
    """``Yes (4,334), No (892)`` or its first entries and how many more there are.

    >>> counted((("Yes", 4334), ("No", 892)), 6)
    'Yes (4,334), No (892)'
    """
    shown = [f"{quote(label)} ({n:,})" for label, n in levels[:most]]
    left = len(levels) - most
    return ", ".join(shown) + (f" and {left} more" if left > 0 else "")
