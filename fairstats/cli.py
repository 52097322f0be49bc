"""The command line: parse, call, print. Results go to stdout or to files, progress and notes to stderr.

Exit codes: 0 done; 1 a declared gate failed; 2 bad usage or input; 3 a fault of the program; 130 interrupted.
"""

from __future__ import annotations

import os
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from fairstats.errors import FairstatsError, FairstatsWarning, listing

GATE_FAILED, BAD_INPUT, FAULT, PIPE_CLOSED, INTERRUPTED = 1, 2, 3, 141, 130
GATES = {"disparity": "disparity shown"}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and end the process with its exit code."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Parameters
    ----------
    arguments : sequence of str, optional
        The words after ``fairstats``; those of the process when absent.

    Returns
    -------
    int
        The exit code.

    Examples
    --------
    >>> run(["audit", "no-such-file.csv", "--groups", "sex", "--decision", "hired"])
    2
    """
    try:
        with _spoken_warnings():
            return cli.main(arguments, prog_name="fairstats", standalone_mode=False) or 0
    except click.ClickException as error:
        error.show()
        return BAD_INPUT
    except (click.Abort, KeyboardInterrupt):
        click.echo("fairstats: interrupted; no file was changed half-way.", err=True)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has enough of it; Python would complain once more when it flushes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except (FairstatsError, OSError) as error:
        click.echo(f"fairstats: error: {error}", err=True)
        return BAD_INPUT
    except Exception:  # noqa: BLE001 - a crash must not end with 1, which a pipeline reads as "the gate failed"
        traceback.print_exc()
        click.echo("fairstats: this is a fault of the program, not of your input; please report it.", err=True)
        return FAULT


@contextmanager
def _spoken_warnings() -> Any:
    """Our own warnings as one line each on stderr, nobody else's."""

    def show(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
        if issubclass(category, FairstatsWarning):
            click.echo(f"fairstats: note: {message}", err=True)

    with warnings.catch_warnings():
        warnings.simplefilter("default", FairstatsWarning)
        warnings.showwarning = show
        yield


def _columns(context: click.Context, parameter: click.Parameter, given: Sequence[str]) -> list[str]:
    """``--groups sex,race --groups age`` as one list."""
    return [name.strip() for value in given for name in value.split(",") if name.strip()]


def _options(*options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def decorate(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


GROUPS = click.option("--groups", multiple=True, callback=_columns, metavar="COLUMN",
                      help="Column of groups; repeat it, or separate several by commas.")  # fmt: skip
TO = click.option("--to", "to", multiple=True, metavar="FILE",
                  help="Write to this file; the suffix decides the form; repeatable.")  # fmt: skip
REPORT_WORDS = _options(
    click.option("--title", help="Title of the report."),
    click.option("--auditor", default="", help="Who audits, for page one of the report."),
    click.option("--templates", metavar="DIR", help="Folder whose templates override the report's, file by file."),
)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="fairstats", prog_name="fairstats", message="%(prog)s %(version)s")
def cli() -> None:
    """Audit decisions by group, and take groups out of data, with intervals and guarantees.

    FILE is a table: .csv (separator and encoding are found), .tsv, .parquet, .feather, .arrow.
    Exit code 0: done. 1: a gate declared by --fail-on failed. 2: bad usage or input.
    """


@cli.command(short_help="Audit decisions, outcomes or scores by group.")
@click.argument("file")
@_options(
    click.option("--outcome", metavar="COLUMN", help="What happened to the person (two values)."),
    click.option("--decision", metavar="COLUMN", help="What was decided about the person (two values)."),
    click.option("--score", metavar="COLUMN", help="A score, as a number."),
    click.option("--threshold", type=float, help="Decision is 1 where score >= threshold, else 0."),
    GROUPS,
    click.option("--favorable", metavar="LABEL", help="The decision that helps the person. [1]"),
    click.option("--positive", metavar="LABEL", help="The outcome that counts as 1. [1]"),
    click.option("--predicts", metavar="LABEL",
                 help="The decision that predicts the positive outcome, where the labels do not tell."),
    click.option("--reference", metavar="RULE",
                 help="Whom the others are compared with: largest_group, highest_rate, or a group. [largest_group]"),
    click.option("--conf-level", type=float, help="Confidence level. [0.95]"),
    click.option("--adjust", metavar="METHOD", help="Multiplicity: holm, bh, bonferroni or none. [holm]"),
    click.option("--equivalence", type=float, metavar="MARGIN",
                 help="Differences of rates inside this margin count as equivalent (declare it in advance)."),
    click.option("--strata", multiple=True, callback=_columns, metavar="COLUMN", help="Compare within these strata."),
    click.option("--weights", metavar="COLUMN", help="Weights of the rows."),
    click.option("--weight-type", metavar="TYPE", help="frequency or probability. [frequency]"),
    click.option("--clusters", metavar="COLUMN", help="People of one cluster are not independent of each other."),
    click.option("--min-n", type=int, metavar="N", help="Suppress rates of fewer people than this. [1]"),
    click.option("--missing", metavar="RULE", help="People without a group: level, drop or raise. [level]"),
    click.option("--seed", type=int, help="Seed of everything that is resampled. [0]"),
    click.option("--protocol", metavar="TOML", help="File with these choices, declared before looking at the data."),
    click.option("--fail-on", type=click.Choice(list(GATES)), help="End with exit code 1 where this is shown."),
    TO,
    REPORT_WORDS,
)  # fmt: skip
def audit(file: str, to: Sequence[str], fail_on: str | None, title: str | None, auditor: str, templates: str | None,
          **choices: Any) -> int:  # fmt: skip
    """Audit outcomes, decisions or scores in FILE by group.

    Prints the audit, or writes the report where --to names files (.html, .pdf, .json, .csv).

    \b
      fairstats audit compas.csv --outcome two_year_recid --groups race \\
        --score decile_score --threshold 5 --favorable 0 --to audit.pdf
    """
    _check_targets(to)
    from fairstats.audit.audit import audit as run_audit

    result = run_audit(file, **{name: value for name, value in choices.items() if value not in (None, [])})
    if to:
        _write_report([result], to, title, auditor, templates)
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
    click.echo(f"fairstats: gate failed: {GATES[fail_on]} in {len(failed)} comparisons: {where}.", err=True)
    return GATE_FAILED


@cli.command(short_help="Audit 5226 arrests in Toronto, with a report.")
@click.option("--to-dir", default=".", show_default=True, metavar="DIR", help="Where to write; made when absent.")
def demo(to_dir: str) -> None:
    """Audit 5226 arrests in Toronto: were Black arrestees released less often than White ones?"""
    from fairstats.audit.audit import audit as run_audit
    from fairstats.data.datasets import ARRESTS

    folder = Path(to_dir)
    folder.mkdir(parents=True, exist_ok=True)
    result = run_audit(ARRESTS, groups="colour", decision="released", favorable="Yes")
    files = [str(folder / f"audit.{suffix}") for suffix in ("html", "pdf", "json")]
    _write_report([result], files, "Released on a summons: 5226 arrests in Toronto", "", None)
    click.echo("\n".join(files))
    click.echo(result.finding())


def _check_targets(to: Sequence[str]) -> None:
    """A file that cannot be written is an error before the work, not after it."""
    from fairstats.data.sources import check_target

    for path in to:
        check_target(path)


def _write_report(results: Sequence[Any], to: Sequence[str], title: str | None, auditor: str, templates: str | None
                  ) -> None:  # fmt: skip
    if not to:
        return
    from rich.console import Console

    from fairstats.report.report import report

    with Console(stderr=True).status("Writing the report ..."):
        report(*results, to=list(to), title=title, auditor=auditor, templates=templates)
    for path in to:
        click.echo(f"wrote {path}", err=True)


if __name__ == "__main__":
    main()
