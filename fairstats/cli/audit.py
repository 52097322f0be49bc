"""``fairstats audit``: one table, or several files as one, in; the audit, a report, a gate's verdict out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from fairstats.choices import ADJUSTMENTS, FAMILIES, MISSING, REFERENCES, WEIGHT_TYPES, names
from fairstats.cli.gates import AUDIT, Gate, fail_on, judged
from fairstats.cli.inputs import FILES, INPUT_FORMAT, expanded, people
from fairstats.cli.options import GROUPS, columns, focus_of, options, own_words_of, report_words
from fairstats.cli.outputs import Outputs, is_quiet, outputs, write_report
from fairstats.cli.terminal import say, showing
from fairstats.errors import listing


@click.command(short_help="Audit decisions, outcomes or scores by group.")
@FILES
@options(
    click.option("--outcome", metavar="COLUMN", help="What happened to the person (two values)."),
    click.option("--decision", metavar="COLUMN", help="What was decided about the person (two values)."),
    click.option("--score", metavar="COLUMN", help="A score, as a number."),
    click.option("--threshold", type=float, help="Decision is 1 where score >= threshold, else 0."),
    GROUPS,
    click.option("--favorable", "--favourable", metavar="LABEL", help="The decision that helps the person. [1]"),
    click.option("--positive", metavar="LABEL", help="The outcome that counts as 1. [1]"),
    click.option("--predicts", metavar="LABEL",
                 help="The decision that predicts the positive outcome, where the labels do not tell."),
    click.option("--reference", metavar="RULE",
                 help=f"Whom the others are compared with: {', '.join(REFERENCES)}, a group, or "
                      "'sex=Male; race=White'. [largest_group]"),
    click.option("--conf-level", type=float, help="Confidence level. [0.95]"),
    click.option("--adjust", metavar="METHOD", help=f"Multiplicity: {names(ADJUSTMENTS)}. [bonferroni]"),
    click.option("--family", metavar="SCOPE", help=f"What is adjusted together: {names(FAMILIES)}. [rate]"),
    click.option("--equivalence", type=float, metavar="MARGIN",
                 help="Differences of rates inside this margin count as equivalent (declare it in advance)."),
    click.option("--strata", multiple=True, callback=columns, metavar="COLUMN", help="Compare within these strata."),
    click.option("--weights", metavar="COLUMN", help="Weights of the rows."),
    click.option("--weight-type", metavar="TYPE", help=f"{names(WEIGHT_TYPES)}. [frequency]"),
    click.option("--clusters", metavar="COLUMN", help="People of one cluster are not independent of each other."),
    click.option("--min-n", type=int, metavar="N", help="Suppress rates of fewer people than this. [1]"),
    click.option("--missing", metavar="RULE", help=f"People without a group: {names(MISSING)}. [level]"),
    click.option("--focus", metavar="COLUMN=GROUP,GROUP", callback=focus_of,
                 help="The comparison that the protocol names. [every group with its reference]"),
    click.option("--words", "said", multiple=True, metavar="KEY=TEXT", callback=own_words_of,
                 help="What the report calls people, decisions and groups: unit=arrestees, groups.race.1=Black; "
                 "repeatable."),
    click.option("--seed", type=int, help="Seed of everything that is resampled. [0]"),
    click.option("--protocol", metavar="TOML",
                 help="File with these choices, declared before looking at the data (fairstats protocol init)."),
    fail_on(AUDIT),
    click.option("--brief", is_flag=True, help="Print the answer and its rates alone."),
    INPUT_FORMAT,
    outputs(".html, .pdf, .json, .csv: report; .npz: the audit itself; .parquet ...: its rows", "report", "saved",
            "table", can_open=True),
    report_words,
)  # fmt: skip
def audit(files: tuple[str, ...], out: Outputs, gates: list[Gate], brief: bool, input_format: str | None,
          words: dict[str, Any], said: dict[str, Any] | None, **choices: Any) -> int:  # fmt: skip
    """Audit outcomes, decisions or scores in FILE by group.

    Prints the audit, or writes the report where --to names files. Several files, and patterns such as 'p*.parquet',
    are one table; - is standard input; saved tallies (.npz, fairstats tally) are added up.

    \b
      fairstats audit compas.csv --outcome two_year_recid --groups race \\
        --score decile_score --threshold 5 --favorable 0 --to audit.pdf
      zcat people.csv.gz | fairstats audit - --groups sex --decision hired --format json
    """
    read = expanded(files)
    out.check([*read, choices["protocol"]])
    from fairstats.auditing.audit import audit as run_audit
    from fairstats.auditing.tally import Tally

    given = {name: value for name, value in {**choices, "words": said}.items() if value not in (None, [])}
    source = people(read, input_format)
    with showing(is_quiet()):
        result = run_audit(source, **given)
    if isinstance(source, Tally):  # which does not know its files
        named = listing([Path(name).name for name in read], 3)
        result = replace(result, data=replace(result.data, name=named))
    write_report(out, [result], words, saved=lambda: result, table=result.tidy)
    if not out.on_stdout:
        say(result.finding() if out else str(result) if brief else result.summary())
    return judged(gates, result)
