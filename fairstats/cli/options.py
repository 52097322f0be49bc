"""Options that several commands share, and the report that they ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import click


def columns(context: click.Context, parameter: click.Parameter, given: Sequence[str]) -> list[str]:
    """``--groups sex,race --groups age`` as one list."""
    return [name.strip() for value in given for name in value.split(",") if name.strip()]


def options(*options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Several options as one decorator, shown by --help in the order given."""

    def decorate(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


GROUPS = click.option("--groups", multiple=True, callback=columns, metavar="COLUMN",
                      help="Column of groups; repeat it, or separate several by commas.")  # fmt: skip
TO = click.option("--to", "to", multiple=True, metavar="FILE",
                  help="Write to this file; the suffix decides the form; repeatable.")  # fmt: skip
REPORT_WORDS = options(
    click.option("--title", help="Title of the report."),
    click.option("--auditor", default="", help="Who audits, for page one of the report."),
    click.option("--templates", metavar="DIR", help="Folder whose templates override the report's, file by file."),
)


def check_targets(to: Sequence[str]) -> None:
    """A file that cannot be written is an error before the work, not after it."""
    from fairstats.data.sources import check_target as check

    for path in to:
        check(path)


def write_report(results: Sequence[Any], to: Sequence[str], title: str | None, auditor: str, templates: str | None
                  ) -> None:  # fmt: skip
    """Render the report to the files; nothing where there are none."""
    if not to:
        return
    from rich.console import Console

    from fairstats.report.report import report

    with Console(stderr=True).status("Writing the report ..."):
        report(*results, to=list(to), title=title, auditor=auditor, templates=templates)


def announce(files: Iterable[str]) -> None:
    """Say on stderr which files were written."""
    for path in files:
        click.echo(f"wrote {path}", err=True)
