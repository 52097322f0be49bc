"""``fairstats describe``: what is in a file, before anything is decided."""

from __future__ import annotations

import json
import textwrap
from dataclasses import asdict
from typing import Any

import click

from fairstats.cli.inputs import FILES, INPUT_FORMAT, expanded, table
from fairstats.cli.options import options
from fairstats.cli.terminal import say
from fairstats.cli.words import WIDTH

MOST = 6  # labels that are shown of a column


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
    from fairstats.cli.columns import described

    read = table(expanded(files), input_format=input_format)
    found = described(read.frame)
    if form == "json":
        facts = {"name": read.name, "sha256": read.sha256, "rows": read.rows, "columns": [_fields(c) for c in found]}
        click.echo(json.dumps(facts, ensure_ascii=False, indent=1))
        return
    lines = [f"{read.name}: {read.rows:,} rows, {read.columns} columns", f"SHA-256 {read.sha256}", ""]
    for column in found:
        lines += _lines(column)
    lines += textwrap.wrap("Next: fairstats protocol init FILE writes the choices of an audit, each to be made.", WIDTH)
    say("\n".join(lines))


def _fields(column: Any) -> dict[str, Any]:
    levels = [{"label": label, "n": n} for label, n in column.levels]
    return {**asdict(column), "levels": levels, "roles": list(column.roles)}


def _lines(column: Any) -> list[str]:
    from fairstats.cli.columns import counted

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
            counted(column.levels, MOST), WIDTH, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False
        )
    said = ", ".join(column.roles) or "none (an identifier, or all alike)"
    return [*lines, *textwrap.wrap(f"could be: {said}", WIDTH, initial_indent="    ", subsequent_indent="    "), ""]
