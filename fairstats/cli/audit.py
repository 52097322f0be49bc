"""``fairstats audit`` and the audit that ships, ``fairstats demo``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from fairstats.choices import ADJUSTMENTS, FAMILIES, MISSING, REFERENCES, WEIGHT_TYPES, names
from fairstats.cli.options import GROUPS, TO, announce, check_targets, columns, options, report_words, write_report
from fairstats.errors import listing, visible

GATE_FAILED = 1
GATES = {"disparity": "disparity shown"}


@click.command(short_help="Audit decisions, outcomes or scores by group.")
@click.argument("file")
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
    click.option("--adjust", metavar="METHOD", help=f"Multiplicity: {names(ADJUSTMENTS)}. [holm]"),
    click.option("--family", metavar="SCOPE", help=f"What is adjusted together: {names(FAMILIES)}. [rate]"),
    click.option("--equivalence", type=float, metavar="MARGIN",
                 help="Differences of rates inside this margin count as equivalent (declare it in advance)."),
    click.option("--strata", multiple=True, callback=columns, metavar="COLUMN", help="Compare within these strata."),
    click.option("--weights", metavar="COLUMN", help="Weights of the rows."),
    click.option("--weight-type", metavar="TYPE", help=f"{names(WEIGHT_TYPES)}. [frequency]"),
    click.option("--clusters", metavar="COLUMN", help="People of one cluster are not independent of each other."),
    click.option("--min-n", type=int, metavar="N", help="Suppress rates of fewer people than this. [1]"),
    click.option("--missing", metavar="RULE", help=f"People without a group: {names(MISSING)}. [level]"),
    click.option("--seed", type=int, help="Seed of everything that is resampled. [0]"),
    click.option("--protocol", metavar="TOML", help="File with these choices, declared before looking at the data."),
    click.option("--fail-on", type=click.Choice(list(GATES)), help="End with exit code 1 where this is shown."),
    TO,
    report_words,
)  # fmt: skip
def audit(file: str, to: Sequence[str], fail_on: str | None, words: dict[str, Any], **choices: Any) -> int:
    """Audit outcomes, decisions or scores in FILE by group.

    Prints the audit, or writes the report where --to names files (.html, .pdf, .json, .csv).

    \b
      fairstats audit compas.csv --outcome two_year_recid --groups race \\
        --score decile_score --threshold 5 --favorable 0 --to audit.pdf
    """
    check_targets(to, [file, choices["protocol"]])
    from fairstats.auditing.audit import audit as run_audit

    result = run_audit(file, **{name: value for name, value in choices.items() if value not in (None, [])})
    if to:
        write_report([result], to, words)
        announce(to)
        click.echo(result.finding())
    else:
        click.echo(result.summary())
    return _gate(result, fail_on)


def _gate(result: Any, fail_on: str | None) -> int:
    if fail_on is None:
        return 0
    failed = result.estimates.where(verdict=GATES[fail_on])
    if not len(failed):
        return 0
    where = listing(dict.fromkeys(f"{row.metric} of {row.group} against {row.reference}" for row in failed), 3)
    message = f"fairstats: gate failed: {GATES[fail_on]} in {len(failed)} comparisons: {where}."
    click.echo(visible(message), err=True)
    return GATE_FAILED


@click.command(short_help="Audit 5226 arrests in Toronto, with a report.")
@click.option("--to-dir", default=".", show_default=True, metavar="DIR", help="Where to write; made when absent.")
def demo(to_dir: str) -> None:
    """Audit 5226 arrests in Toronto: were Black arrestees released less often than White ones?"""
    from fairstats.auditing.audit import audit as run_audit
    from fairstats.data.datasets import ARRESTS

    folder = Path(to_dir)
    folder.mkdir(parents=True, exist_ok=True)
    result = run_audit(ARRESTS, groups="colour", decision="released", favorable="Yes")
    files = [str(folder / f"audit.{suffix}") for suffix in ("html", "pdf", "json")]
    write_report([result], files, {"title": "Released on a summons: 5226 arrests in Toronto"})
    click.echo(visible("\n".join(files)))
    click.echo(result.finding())
