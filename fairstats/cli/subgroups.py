"""``fairstats subgroups``: people in; which combinations of their labels differ from everybody, and a gate, out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from fairstats.choices import MISSING, names
from fairstats.cli.gates import SUBGROUPS, Gate, fail_on, judged
from fairstats.cli.inputs import FILES, INPUT_FORMAT, expanded, people
from fairstats.cli.options import GROUPS, options, report_words
from fairstats.cli.outputs import Outputs, outputs, write_report
from fairstats.cli.terminal import say
from fairstats.errors import listing


@click.command(short_help="Find subgroups that differ from everybody.")
@FILES
@options(
    click.option("--decision", metavar="COLUMN", help="What was decided about the person (two values)."),
    click.option("--outcome", metavar="COLUMN", help="What happened to the person (two values)."),
    GROUPS,
    click.option("--metric", metavar="RATE", help="The rate, such as TPR or FPR. [selection rate]"),
    click.option("--favorable", "--favourable", metavar="LABEL", help="The decision that helps the person. [1]"),
    click.option("--positive", metavar="LABEL", help="The outcome that counts as 1. [1]"),
    click.option("--predicts", metavar="LABEL",
                 help="The decision that predicts the positive outcome, where the labels do not tell."),
    click.option("--depth", type=int, metavar="N", help="The most columns that a subgroup is a combination of. [2]"),
    click.option("--smallest", type=int, metavar="N", help="The least number of people in a subgroup. [10]"),
    click.option("--tolerance", type=float, metavar="SHARE",
                 help="How far from everybody is no disparity (declare it in advance). [0]"),
    click.option("--conf-level", type=float, help="Confidence level, of all limits together. [0.95]"),
    click.option("--fdr", type=float, metavar="SHARE", help="False discovery rate of what is flagged. [0.05]"),
    click.option("--adjust", metavar="METHOD", help="How flags are found: bh, or by under any dependence. [bh]"),
    click.option("--missing", metavar="RULE", help=f"People without a group: {names(MISSING)}. [level]"),
    click.option("--seed", type=int, help="Seed of the joint level of the limits. [0]"),
    fail_on(SUBGROUPS),
    INPUT_FORMAT,
    outputs(".html, .pdf, .json, .csv: report; .npz: the result", "report", "saved", "table", can_open=True),
    report_words,
)  # fmt: skip
def subgroups(files: tuple[str, ...], gates: list[Gate], input_format: str | None, out: Outputs, words: dict[str, Any],
              **choices: Any) -> int:  # fmt: skip
    """Find out which subgroups of the people in FILE differ from everybody, of all combinations of the groups' labels.

    Several files are one table; saved tallies (.npz, fairstats tally) are added up.

    \b
      fairstats subgroups people.csv --decision hired --groups sex,race,age_class
      fairstats subgroups people.csv --decision hired --outcome good --metric FPR \\
        --groups sex,race --tolerance 0.05 --fail-on disparity --to subgroups.html
    """
    read = expanded(files)
    out.check(read)
    import fairstats

    source = people(read, input_format)
    result = fairstats.subgroups(source, **{name: value for name, value in choices.items() if value not in (None, [])})
    if isinstance(source, fairstats.Tally):  # which does not know its files
        result = replace(result, method=listing([Path(name).name for name in read], 3))
    write_report(out, [result], words, saved=lambda: result, table=result.tidy)
    if not out.on_stdout:
        say(result.summary())
    return judged(gates, result)
