"""The command line: parse, call, print. Results go to stdout or to files, progress and notes to stderr."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

from fairstats import __citation__, __version__
from fairstats.cli.audits import (
    alternatives,
    audit,
    compare_audits,
    compare_models,
    completion,
    decompose,
    demo,
    group_probabilities,
    help_,
    matched_pairs,
    monitor,
    pay,
    report,
    representation,
    stages,
    subgroup_scan,
    tally,
    verify,
)
from fairstats.cli.fits import (
    apply,
    cluster,
    compare,
    extra_error,
    fit,
    leakage,
    plot,
    price,
    proxies,
    select_k,
    tradeoff,
)
from fairstats.cli.io import Commands, Shell, complain, is_quiet, remark, usage
from fairstats.cli.protocol import describe, protocol
from fairstats.errors import FairstatsError, FairstatsWarning, was_interrupted, writing_for

BAD_INPUT, FAULT, INTERRUPTED, PIPE_CLOSED = 2, 3, 130, 141
_NAMES = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class _Commands(Commands):
    """The commands; messages speak of the options of the one that runs."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None and isinstance(ctx.obj, Shell):
            ctx.obj.learn(command, audit, group_probabilities)  # a caution of an audit names its --known
            ctx.obj.commands = self.commands
        return name, command, rest


@click.group(cls=_Commands, context_settings=_NAMES)
@click.version_option(__version__, "-V", "--version", prog_name="fairstats", message="%(prog)s %(version)s")
@click.version_option(__version__, "--citation", message=__citation__, help="Show how to cite the software, and exit.")
def cli() -> None:
    """Audit decisions by group, and take groups out of data, with intervals and guarantees.

    FILE is a table: .csv (separator and encoding are found), .tsv, both also with .gz, .parquet, .feather, .arrow,
    .rds; - is standard input; several files, and patterns such as 'p*.parquet', are one table.

    \b
    A first audit:
      fairstats describe people.csv                       what is in the file
      fairstats protocol init people.csv --to audit.toml  the choices, made before looking
      fairstats audit people.csv --protocol audit.toml --to audit.pdf
      fairstats verify audit.pdf people.csv               does the report follow from the data?

    \b
    Exit code 0: done.
              1: a gate declared by --fail-on failed, or a report does not follow from the data.
              2: bad usage or input; a gate that the data cannot answer; an extra is not installed.
              3: a fault of the program; please report it.
              4: the numbers of a report are verified, its pages are not.
            130: interrupted; no file was changed half-way.

    Completion of commands and options by TAB: fairstats completion --help.
    """


COMMANDS: Sequence[click.Command] = (
    *(
        describe,
        protocol,
        audit,
        tally,
        compare_audits,
        subgroup_scan,
        decompose,
        representation,
        stages,
        matched_pairs,
        compare_models,
        monitor,
        alternatives,
        group_probabilities,
        pay,
        verify,
        report,
        plot,
    ),
    *(fit, apply, leakage, price, extra_error, select_k, proxies, tradeoff, compare, cluster, demo, completion, help_),
)
for command in COMMANDS:
    cli.add_command(command)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and end the process with its exit code."""
    gc.set_threshold(100_000, 50, 100)  # a process of its own, and a short one: garbage is looked for seldom
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    arguments: the words after ``fairstats``; those of the process when absent.
    Returns: the exit code.

    >>> run(["audit", "no-such-file.csv", "--groups", "sex", "--decision", "hired"])
    2
    """
    shell = Shell()
    with writing_for(shell):
        return _exit_code(arguments, shell)


def _exit_code(arguments: Sequence[str] | None, shell: Shell) -> int:
    try:
        with _spoken_warnings(), _ended_as_interrupted():
            return cli.main(arguments, prog_name="fairstats", standalone_mode=False, obj=shell) or 0
    except click.ClickException as error:
        if type(error).__name__ == "NoArgsIsHelpError":  # whose text is the help itself; click has it from 8.2 on
            error.show()
        else:
            complain(usage(error))
        return BAD_INPUT
    except (click.Abort, KeyboardInterrupt):
        return _interrupted()
    except BrokenPipeError:
        # Whoever read our output has enough of it; Python would complain once more when it flushes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except FairstatsError as error:
        complain(str(error))
        return BAD_INPUT
    except OSError as error:
        what = error.strerror or str(error)
        complain(f"{error.filename!r}: {what}." if error.filename else f"{what}.")
        return BAD_INPUT
    except MemoryError:
        complain("this needs more memory than there is; take fewer rows, columns or groups at once.")
        return BAD_INPUT
    except Exception as problem:  # noqa: BLE001 - a crash must not end with 1, which means "the gate failed"
        if was_interrupted(problem):
            return _interrupted()
        traceback.print_exc()
        click.echo("fairstats: this is a fault of the program, not of your input; please report it.", err=True)
        return FAULT


def _interrupted() -> int:
    click.echo("fairstats: interrupted; no file was changed half-way.", err=True)
    return INTERRUPTED


@contextmanager
def _ended_as_interrupted() -> Iterator[None]:
    """SIGTERM as Ctrl-C: what is half written is taken away, and the processes of ``--n-jobs`` end."""

    def end(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    in_main = threading.current_thread() is threading.main_thread()
    if not in_main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:  # somebody else's, who embeds us
        yield
        return
    signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextmanager
def _spoken_warnings() -> Iterator[None]:
    """Our own warnings as one line each on stderr, nobody else's."""

    def show(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
        if issubclass(category, FairstatsWarning) and not is_quiet():
            remark(str(message))

    with warnings.catch_warnings():
        warnings.simplefilter("default", FairstatsWarning)
        warnings.showwarning = show
        yield
