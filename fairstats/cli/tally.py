"""``fairstats tally``: people counted once; counts of months, files or sites added up."""

from __future__ import annotations

from typing import Any

import click

from fairstats.cli.inputs import FILES, INPUT_FORMAT, expanded, people
from fairstats.cli.options import GROUPS, columns, options
from fairstats.cli.outputs import Outputs, outputs
from fairstats.cli.terminal import say
from fairstats.errors import InputError


@click.command(short_help="Count people once; add up counts of months, files or sites.")
@FILES
@options(
    click.option("--decision", metavar="COLUMN", help="What was decided about the person (two values)."),
    click.option("--outcome", metavar="COLUMN", help="What happened to the person (two values)."),
    click.option("--score", metavar="COLUMN", help="A score, as a number."),
    GROUPS,
    click.option("--strata", multiple=True, callback=columns, metavar="COLUMN", help="Legitimate factors."),
    click.option("--weights", metavar="COLUMN", help="Weights of the rows."),
    click.option("--clusters", metavar="COLUMN", help="People of one cluster are not independent of each other."),
    INPUT_FORMAT,
    outputs(".npz: the tally; .json: its cells", "saved", "json"),
)  # fmt: skip
def tally(files: tuple[str, ...], input_format: str | None, out: Outputs, **choices: Any) -> None:
    """Count the people of FILE, or add up the tallies in FILE (.npz), which have to count the same columns.

    An audit of the tally gives the numbers of an audit of the people, and knows their columns. A tally may hold cells
    of one person: it is as confidential as the people are.

    \b
      fairstats tally may.csv --groups sex --decision hired --to may.npz
      fairstats tally may.npz june.npz --to both.npz
      fairstats audit both.npz
    """
    read = expanded(files)
    out.check(read)
    import fairstats

    given = {name: value for name, value in choices.items() if value not in (None, [])}
    source = people(read, input_format)
    if isinstance(source, fairstats.Tally):
        if given:
            raise InputError(
                f"--{next(iter(given))} was given beside saved tallies, whose columns are chosen already; leave it out."
            )
        counted = source
    else:
        counted = fairstats.tally(source, **given)
    out.write(saved=lambda: counted, json=lambda: _json(counted))
    if not out.on_stdout:
        say(_said(counted))


def _json(counted: Any) -> str:
    import json

    return json.dumps(counted.to_dict(), ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _said(counted: Any) -> str:
    names = ", ".join([*counted.factors, *counted.numbers])
    return f"{counted.rows.sum():,.0f} rows in {len(counted):,} cells of {names}."
