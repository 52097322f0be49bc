"""``fairstats leakage``: what scores of new people still tell about the groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from fairstats.cli.fit import Offered, columns_of, fitted
from fairstats.cli.gates import LEAKAGE, Gate, fail_on, judged
from fairstats.cli.inputs import INPUT_FORMAT, expanded, loaded, table
from fairstats.cli.options import GROUPS, options, report_words
from fairstats.cli.outputs import Outputs, outputs, write_report
from fairstats.cli.terminal import say
from fairstats.errors import InputError


@click.command(short_help="Test what adjusted scores still tell about the groups.")
@click.argument("method")
@click.argument("files", nargs=-1, metavar="[FILE...]")
@options(
    GROUPS,
    click.option("--features", metavar="FORMULA", help='For example "~ (age + priors)**2"; or columns, by commas.'),
    click.option("-k", "k", type=int, help="Number of components. [the method's own]"),
    click.option("--scale", is_flag=True, help="Divide every feature by its standard deviation first."),
    click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A setting of METHOD; repeatable."),
    click.option("--missing", type=click.Choice(["raise", "level"]), default="raise", show_default=True,
                 help="People without a group are an error, or a group of their own."),
    click.option("--equivalence", type=float, metavar="MARGIN",
                 help="An AUC below 0.5 + MARGIN does not matter (declare it in advance)."),
    click.option("--folds", type=int, help="Folds that scores are held out by. [2]"),
    click.option("--permutations", type=int, help="Refits on exchanged rows. [199]"),
    click.option("--conf-level", type=float, help="Confidence level. [0.95]"),
    click.option("--seed", type=int, help="Seed of everything that is drawn. [0]"),
    fail_on(LEAKAGE),
    INPUT_FORMAT,
    outputs(".html, .pdf, .json, .csv: report; .npz: the result", "report", "saved", "table", can_open=True),
    report_words,
)  # fmt: skip
def leakage(method: str, files: tuple[str, ...], groups: list[str], features: str | None, k: int | None, scale: bool,
            settings: Sequence[str], missing: str, gates: list[Gate], input_format: str | None, out: Outputs,
            words: dict[str, Any], **choices: Any) -> int:  # fmt: skip
    """Fit METHOD to FILE, hold scores out, and test whether probes tell the groups from them.

    In the place of METHOD may stand a fit that was saved (fairstats fit --to fit.npz), with the rows of FILE, or
    held-out scores that were saved, without FILE.

    \b
      fairstats leakage og people.csv --groups race --features "age,priors" -k 2 \\
        --fail-on 'leakage>0.6'
    """
    read = expanded(files)
    saved = [method] if Path(method).suffix.lower() == ".npz" else []
    out.check([*saved, *read])
    import fairstats

    given = {name: value for name, value in choices.items() if value is not None}
    start = loaded(method, (fairstats.Projection, fairstats.HeldOut), "fit or held-out scores", "fairstats fit") \
        if saved else None  # fmt: skip
    if isinstance(start, fairstats.HeldOut):
        if read:
            raise InputError(f"FILE has {read[0]!r} beside held-out scores, which need no rows; leave it out.")
        result = fairstats.leakage(scores=start, **given)
    elif not read:
        raise click.UsageError("missing argument 'FILE...'.")
    else:
        from fairstats.studies.provenance import DataSource

        names = groups or (list(start.encoding.names) if start is not None and start.encoding else [])
        rows_read = table(read, names, input_format)
        frame = rows_read.frame
        if start is None:
            name = Offered().convert(method, None, click.get_current_context())
            start = fitted(name, frame, groups, features, k, scale, missing, settings)
            rows = columns_of(frame, features, groups)
        else:
            formula = start.scaling.formula
            rows = list(start.features) if formula is None else formula.text
        result = fairstats.leakage(start, rows, names[0] if len(names) == 1 else names, data=frame, **given)
        source = DataSource(rows_read.name, rows_read.sha256, rows_read.rows, rows_read.columns)
        result = replace(result, data=(source,))
    write_report(out, [result], words, saved=lambda: result, table=result.tidy)
    if not out.on_stdout:
        say(result.summary())
    return judged(gates, result)
