"""``fairstats protocol init``: the choices of an audit as a file to be filled in; none is made here."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import click

from fairstats import __version__
from fairstats.auditing.arguments import ARGUMENTS, Argument
from fairstats.cli.io import FILES, INPUT_FORMAT, WIDTH, Outputs, expanded, options, outputs, say, table
from fairstats.errors import FairstatsWarning, InputError, ignoring, listing
from fairstats.files import COMMENT
from fairstats.validation import INTERSECTIONS, REFERENCES, most

if TYPE_CHECKING:
    import pandas as pd


MOST = 8  # labels that are named beside a column


@click.group(short_help="Declare the choices of an audit in a file.")
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
    text = protocol_text(data, described(data.frame))
    if out:
        out.write(toml=lambda: text)
    else:
        click.echo(text, nl=False)


def protocol_text(data: Any, columns: list[ColumnFacts]) -> str:
    """Return the file: questions, and below each the lines that the data allow, all behind a #."""
    lines = [
        f"{COMMENT} {__version__} from {_plain(data.name)}: {data.rows:,} rows.",
        f"# SHA-256 of the data: {data.sha256}",
        "#",
        "# Nothing is decided in this file yet. Take the # from the lines of your choice, before looking at the rates;",
        "# what stays behind a # is not declared. Then: fairstats audit FILE --protocol audit.toml",
        "",
    ]
    for argument in ARGUMENTS.values():
        offered = dict.fromkeys(_offered(argument, columns)) or ["# (no column of these data can be that)"]
        lines += [*textwrap.wrap(argument.words, 120, initial_indent="# ", subsequent_indent="# "), *offered, ""]
    return "\n".join(lines).rstrip() + "\n"


def _offered(argument: Argument, columns: list[ColumnFacts]) -> list[str]:
    """The lines that may stand for an argument: of its own where the data say more than its form."""
    name = argument.name
    if name in _LINES:
        return _LINES[name](columns)
    if argument.form == "column":
        return [_line(name, c.name, _levels(c)) for c in _able(columns, _ROLES.get(name, name))]
    if argument.form == "columns":
        return [_line(name, [c.name], _levels(c)) for c in _able(columns, name)]
    if argument.form == "label":
        return _labels(name, _able(columns, _TWO))
    if argument.choices:
        return [_line(name, choice.name, choice.words) for choice in argument.choices.values()]
    return [_line(name, argument.default)]


_TWO = "outcome or decision"
_ROLES = {"outcome": _TWO, "decision": _TWO}


def _groups(columns: list[ColumnFacts]) -> list[str]:
    groups = _able(columns, "groups")
    pair = [_line("groups", [c.name for c in groups[:2]])] if len(groups) > 1 else []
    return [*(_line("groups", [c.name], _levels(c)) for c in groups), *pair]


def _favorable(columns: list[ColumnFacts]) -> list[str]:
    scores = [_line("favorable", 0)] if _able(columns, "score") else []
    return [*_labels("favorable", _able(columns, _TWO)), *scores]


def _reference(columns: list[ColumnFacts]) -> list[str]:
    named = [_line("reference", {c.name: c.levels[0][0]}) for c in _able(columns, "groups") if c.levels]
    return [*(_line("reference", name, row.words) for name, row in REFERENCES.items()), *named]


def _headline(columns: list[ColumnFacts]) -> list[str]:
    groups = [c for c in _able(columns, "groups") if len(c.levels) > 1]
    return [_line("headline", {c.name: [label for label, _ in c.levels[:2]]}) for c in groups]


def _intersections(columns: list[ColumnFacts]) -> list[str]:
    return [
        *(_line("intersections", name, row.words) for name, row in INTERSECTIONS.items()),
        "# intersections = false",
    ]


def _words(columns: list[ColumnFacts]) -> list[str]:
    groups = _able(columns, "groups")
    return [
        _line("labels.unit", "people"),
        *(_line(f"labels.{name}", "...") for name in ("favorable", "unfavorable", "positive", "negative")),
        *([_line("labels.attributes", {c.name: c.name for c in groups})] if groups else []),
        *(_line(f"labels.groups.{_toml(c.name)}", {label: label for label, _ in c.levels}) for c in groups),
    ]


# Arguments of whose lines the data, or what is usual, say more than their form.
_LINES: dict[str, Callable[[list[ColumnFacts]], list[str]]] = {
    "groups": _groups,
    "score": lambda columns: [_line("score", c.name, f"{c.low} to {c.high}") for c in _able(columns, "score")],
    "threshold": lambda columns: [_line("threshold", 0)] if _able(columns, "score") else [],
    "favorable": _favorable,
    "reference": _reference,
    "margin": lambda _: [_line("margin", 0.05, "an example, not advice")],
    "weights": lambda columns: [
        _line("weights", c.name, f"{c.low} to {c.high}") for c in _able(columns, "weights") if c.distinct > 2
    ],
    "intersections": _intersections,
    "headline": _headline,
    "labels": _words,
}


def _able(columns: list[ColumnFacts], role: str) -> list[ColumnFacts]:
    return [column for column in columns if role in column.roles]


def _labels(name: str, columns: list[ColumnFacts]) -> list[str]:
    """Each label once, with the columns that have it."""
    of: dict[str, list[str]] = {}
    for column in columns:
        for label, _ in column.levels:
            of.setdefault(label, []).append(_plain(column.name))
    return [_line(name, label, f"of {listing(names)}") for label, names in of.items()]


def _levels(column: ColumnFacts) -> str:

    if not column.levels:
        return f"{column.distinct:,} labels"
    return counted(column.levels, MOST, _plain) + (f"; {column.missing:,} missing" if column.missing else "")


def _line(name: str, value: Any, text: str = "") -> str:
    return f"# {name} = {_toml(value)}{f'  # {text}' if text else ''}"


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{_toml(k)} = {_toml(v)}' for k, v in value.items())} }}"
    if isinstance(value, list):
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

    read = table(expanded(files), input_format=input_format)
    result = described(read.frame)
    if form == "json":
        facts = {"name": read.name, "sha256": read.sha256, "rows": read.rows, "columns": [_fields(c) for c in result]}
        click.echo(json.dumps(facts, ensure_ascii=False, indent=1))
        return
    lines = [f"{read.name}: {read.rows:,} rows, {read.columns} columns", f"SHA-256 {read.sha256}", ""]
    for column in result:
        lines += _lines(column)
    lines += textwrap.wrap("Next: fairstats protocol init FILE writes the choices of an audit, each to be made.", WIDTH)
    say("\n".join(lines))


def _fields(column: Any) -> dict[str, Any]:
    levels = [{"label": label, "n": n} for label, n in column.levels]
    return {**asdict(column), "levels": levels, "roles": list(column.roles)}


def _lines(column: Any) -> list[str]:

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
            counted(column.levels, MOST_DESCRIBED),
            WIDTH,
            initial_indent="    ",
            subsequent_indent="    ",
            break_on_hyphens=False,
        )
    text = ", ".join(column.roles) or "none (an identifier, or all alike)"
    return [*lines, *textwrap.wrap(f"could be: {text}", WIDTH, initial_indent="    ", subsequent_indent="    "), ""]


# What the columns of a table hold, and which role each could play: for ``describe`` and ``protocol init``.


FEW = 20  # more groups than these are listed by their number


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
        from fairstats.data.tables import MOST_NUMBERS

        groups = MOST_NUMBERS if self.kind == "whole numbers" else most("FAIRSTATS_MAX_GROUPS")
        can = {
            "outcome or decision": self.distinct == 2,
            "groups": 2 <= self.distinct <= groups and repeats and self.kind != "numbers",
            "score": is_number and self.distinct > 2,
            "weights": is_number and self.missing == 0 and self.distinct > 1 and float(self.low) >= 0,
            "strata": 2 <= self.distinct <= most("FAIRSTATS_MAX_GROUPS") and repeats and self.kind != "numbers",
            "clusters": self.distinct > FEW and repeats and self.kind != "numbers",
        }
        return tuple(role for role, possible in can.items() if possible)


def described(frame: pd.DataFrame) -> list[ColumnFacts]:
    """Return the facts about each column.

    >>> import pandas as pd
    >>> [c.roles for c in described(pd.DataFrame({"hired": [1, 0, 1, 1], "id": list("abcd")}))]
    [('outcome or decision', 'groups', 'weights', 'strata'), ()]
    """
    return [_column(str(name), frame[name]) for name in frame]


def _column(name: str, values: pd.Series) -> ColumnFacts:
    present = values.dropna()
    kind = _kind(present)
    counts = present.value_counts()
    levels: tuple[tuple[str, int], ...] = ()
    if 0 < len(counts) <= most("FAIRSTATS_MAX_GROUPS") and kind != "numbers":
        levels = _column_levels(name, present)
    low, high = ("", "")
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
