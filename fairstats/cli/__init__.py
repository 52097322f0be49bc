"""The command line: parse, call, print. Results go to stdout or to files, progress and notes to stderr.

Exit codes: 0 done; 1 a declared gate failed; 2 bad usage or input; 3 a fault of the program; 130 interrupted.
"""

from __future__ import annotations

import os
import sys
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

from fairstats import __version__
from fairstats.cli.audit import audit, demo
from fairstats.cli.cluster import cluster
from fairstats.cli.compare import compare
from fairstats.cli.fit import apply, fit
from fairstats.errors import FairstatsError, FairstatsWarning, visible

BAD_INPUT, FAULT, INTERRUPTED, PIPE_CLOSED = 2, 3, 130, 141


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="fairstats", message="%(prog)s %(version)s")
def cli() -> None:
    """Audit decisions by group, and take groups out of data, with intervals and guarantees.

    FILE is a table: .csv (separator and encoding are found), .tsv, .parquet, .feather, .arrow, .rds.
    Exit code 0: done. 1: a gate declared by --fail-on failed. 2: bad usage or input.
    """


for command in (audit, fit, apply, compare, cluster, demo):
    cli.add_command(command)


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
        click.echo(visible(f"fairstats: error: {error}"), err=True)
        return BAD_INPUT
    except Exception:  # noqa: BLE001 - a crash must not end with 1, which a pipeline reads as "the gate failed"
        traceback.print_exc()
        click.echo("fairstats: this is a fault of the program, not of your input; please report it.", err=True)
        return FAULT


@contextmanager
def _spoken_warnings() -> Iterator[None]:
    """Our own warnings as one line each on stderr, nobody else's."""

    def show(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
        if issubclass(category, FairstatsWarning):
            click.echo(visible(f"fairstats: note: {message}"), err=True)

    with warnings.catch_warnings():
        warnings.simplefilter("default", FairstatsWarning)
        warnings.showwarning = show
        yield
