"""What a command says: results to stdout in a shell's words, one line of error to stderr."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from fairstats.cli.words import printed, spoken
from fairstats.errors import nearest, punctuated, visible
from fairstats.progress import heard_by

FLAGS: dict[str, str] = {"X": "--features"}  # the argument of every method, which no option is named after


def say(text: str) -> None:
    """Print a summary or a finding."""
    click.echo(printed(text, FLAGS))


def remark(text: str) -> None:
    """Print a note to stderr, as one line."""
    click.echo(f"fairstats: note: {_one_line(text)}", err=True)


@contextmanager
def showing(is_quiet: bool) -> Iterator[None]:
    """A bar on stderr, where that is a terminal, for whatever the block says of how far it is."""
    if is_quiet or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        tasks: dict[str, Any] = {"rows": bar.add_task("rows", total=None)}

        def tell(what: str, done: int, total: int) -> None:
            if what not in tasks:
                bar.update(tasks["rows"], completed=1, total=1)
                tasks[what] = bar.add_task(what, total=total)
            bar.update(tasks[what], completed=done)

        with heard_by(tell):
            yield


def complain(text: str) -> None:
    """Print the one line of an error."""
    click.echo(f"fairstats: error: {_one_line(text)}", err=True)


def _one_line(text: str) -> str:
    return " ".join(visible(spoken(text, FLAGS)).split("\n"))


def usage(error: click.ClickException) -> str:
    """Return click's message as one line of ours, with the way to the help."""
    text = punctuated(error.format_message()).strip().replace("\n", " ")
    if isinstance(error, click.NoSuchOption):  # of click's guesses the nearest alone
        text = f"no such option {error.option_name!r}{nearest(error.option_name, error.possibilities or ())}"
    text = re.sub(r"[.;]? \(?Did you mean (one of: )?", "; did you mean ", text).rstrip("?.")
    text = text.rstrip(")") if text.count(")") > text.count("(") else text
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "fairstats"
    first = text[:1] if text[:2].isupper() else text[:1].lower()
    return f"{first}{text[1:]}; {path} --help tells what it takes."


def learn(commands: Iterable[click.Command]) -> None:
    """Note the option of each argument: an argument has one option in whatever command it stands."""
    for command in commands:
        for parameter in command.params:
            if isinstance(parameter, click.Option) and parameter.name:
                long = [flag for flag in parameter.opts if flag.startswith("--")]
                FLAGS.setdefault(parameter.name, (long or parameter.opts)[0])
