"""``fairstats compare``: adjustments, a model, repeated splits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from fairstats.cli.options import GROUPS, REPORT_WORDS, TO, announce, check_targets, columns, options, write_report


@click.command(short_help="Compare what models predict from adjusted data.")
@click.argument("file")
@options(
    click.option("--outcome", required=True, metavar="COLUMN", help="What is to be predicted (two values)."),
    GROUPS,
    click.option("--features", required=True, metavar="FORMULA", help='For example "~ (age + priors)**2".'),
    click.option("--methods", multiple=True, callback=columns, default=("none,og",), show_default=True,
                 help="Adjustments to compare, by commas."),
    click.option("--model", default="logistic", show_default=True, help="The model that predicts."),
    click.option("-k", "k", type=int, help="Number of components."),
    click.option("--repeats", type=int, default=50, show_default=True, help="Random splits."),
    click.option("--seed", type=int, default=0, show_default=True),
    click.option("--jobs", type=int, default=1, show_default=True, help="Processes at once."),
    TO,
    REPORT_WORDS,
)  # fmt: skip
def compare(file: str, groups: list[str], to: Sequence[str], title: str | None, auditor: str, templates: str | None,
            **choices: Any) -> None:  # fmt: skip
    """Compare adjustments of FILE by what a model predicts from them, over repeated splits.

    \b
      fairstats compare data.csv --outcome y --groups race --features "~ age + priors" \\
        --methods none,og --model logistic --to compare.html
    """
    check_targets(to)
    import fairstats as fs
    from fairstats.data.sources import read_table

    frame = read_table(file).frame
    given = {name: value for name, value in choices.items() if value is not None}
    result = fs.compare(frame, groups=groups[0] if len(groups) == 1 else groups, progress=True, **given)
    if to:
        write_report([result], to, title, auditor, templates)
        announce(to)
    else:
        click.echo(result.summary())
