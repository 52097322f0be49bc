"""``fairstats protocol init``: the choices of an audit as a file to be filled in; none is made here."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import click

from fairstats import __version__
from fairstats.choices import ADJUSTMENTS, FAMILIES, MISSING, REFERENCES, WEIGHT_TYPES, names
from fairstats.cli.inputs import FILES, INPUT_FORMAT, expanded, table
from fairstats.cli.options import options
from fairstats.cli.outputs import Outputs, outputs
from fairstats.errors import listing
from fairstats.marks import COMMENT

if TYPE_CHECKING:
    from fairstats.cli.columns import ColumnFacts

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
    from fairstats.cli.columns import described

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
    for question, found in [*_roles(columns), *_rules(columns)]:
        lines += [f"# {question}", *(dict.fromkeys(found) or ["# (no column of these data can be that)"]), ""]
    return "\n".join(lines).rstrip() + "\n"


Part = tuple[str, list[str]]


def _roles(columns: list[ColumnFacts]) -> list[Part]:
    """Who is compared by what: one line a column that can have the role."""
    two, groups = _able(columns, "outcome or decision"), _able(columns, "groups")
    scores = [_line("score", c.name, f"{c.low} to {c.high}") for c in _able(columns, "score")]
    return [
        ("What was decided about people (two values).", [_line("decision", c.name, _levels(c)) for c in two]),
        (
            "Which decision helps the person. Of a score with a threshold: 1 from there on, 0 below.",
            list(dict.fromkeys([*_labels("favorable", two), *([_line("favorable", 0)] if scores else [])])),
        ),
        ("What happened to them (two values).", [_line("outcome", c.name, _levels(c)) for c in two]),
        ("Which outcome counts as 1.", _labels("positive", two)),
        ("Which decision says that the outcome is positive, where the labels do not tell.", _labels("predicts", two)),
        (
            "A score; with a threshold, which is yours to know, it makes the decision: 1 from there on, else 0.",
            [*scores, *([_line("threshold", 0)] if scores else [])],
        ),
        (
            "Groups to compare, in one line; several are audited one by one and then together.",
            [
                *(_line("groups", [c.name], _levels(c)) for c in groups),
                *([_line("groups", [c.name for c in groups[:2]])] if len(groups) > 1 else []),
            ],
        ),
    ]


def _rules(columns: list[ColumnFacts]) -> list[Part]:
    """How they are compared."""
    groups = _able(columns, "groups")
    named = [_line("reference", {c.name: c.levels[0][0]}) for c in groups if c.levels]
    weights = [_line("weights", c.name, f"{c.low} to {c.high}") for c in _able(columns, "weights") if c.distinct > 2]
    kinds = [_line("weight_type", name, row.words) for name, row in WEIGHT_TYPES.items()]
    return [
        (
            "Whom the others are compared with.",
            [*(_line("reference", name, row.words) for name, row in REFERENCES.items()), *named],
        ),
        (
            "The comparison that the report begins with; without it the groups with the lowest and the highest rate.",
            [_line("focus", {c.name: [label for label, _ in c.levels[:2]]}) for c in groups if len(c.levels) > 1],
        ),
        (
            "Differences of rates inside this margin do not matter. What would be too much, for these decisions?",
            [_line("equivalence", 0.05, "an example, not advice")],
        ),
        (
            "Legitimate factors: compare within these strata.",
            [_line("strata", [c.name], _levels(c)) for c in _able(columns, "strata")],
        ),
        ("Weights of the rows.", [*weights, *(kinds if weights else [])]),
        (
            "People of one cluster are not independent of each other.",
            [_line("clusters", c.name, f"{c.distinct:,} clusters") for c in _able(columns, "clusters")],
        ),
        (
            "Level, multiplicity, small groups, people without a group, seed: what holds unless you say otherwise.",
            [
                _line("conf_level", 0.95),
                _line("adjust", "bonferroni", names(ADJUSTMENTS)),
                _line("family", "rate", names(FAMILIES)),
                _line("min_n", 1, "rates of fewer people are suppressed"),
                _line("missing", "level", names(MISSING)),
                _line("seed", 0),
            ],
        ),
        (
            "What sentences of the report say: people, decisions and outcomes as verbs, names of columns and groups.",
            [
                _line("words.unit", "people"),
                *(_line(f"words.{name}", "...") for name in ("favorable", "unfavorable", "positive", "negative")),
                *([_line("words.attributes", {c.name: c.name for c in groups})] if groups else []),
                *(_line(f"words.groups.{_toml(c.name)}", {label: label for label, _ in c.levels}) for c in groups),
            ],
        ),
    ]


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
    from fairstats.cli.columns import counted

    if not column.levels:
        return f"{column.distinct:,} labels"
    return counted(column.levels, MOST, _plain) + (f"; {column.missing:,} missing" if column.missing else "")


def _line(name: str, value: Any, said: str = "") -> str:
    return f"# {name} = {_toml(value)}{f'  # {said}' if said else ''}"


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
