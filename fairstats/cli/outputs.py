"""Where results go: files by their ending, standard output, the browser; nothing is overwritten that is not ours."""

from __future__ import annotations

import functools
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from fairstats.cli.formulas import for_spreadsheets
from fairstats.cli.options import READ, options
from fairstats.cli.packages import refuse_without_packages
from fairstats.cli.terminal import remark
from fairstats.errors import FileError, InputError, listing, visible
from fairstats.marks import check_overwriting

STDOUT = "-"
Beside = Mapping[str, Callable[[], Any]]
NOTHING: Beside = {}
QUIET = "fairstats.quiet"  # where the context of a command keeps whether notes are wanted
BINARY = ("pdf", "docx", "xlsx", "npz", "parquet", "feather", "arrow", "rds", "png")


@dataclass(frozen=True)
class Outputs:
    """What a command was asked to write: files, a form for standard output, and how."""

    to: tuple[str, ...] = ()
    form: str = ""  # of standard output, without its dot
    force: bool = False
    opened: bool = False
    kinds: tuple[str, ...] = ("report",)  # what this command can make; the first that has an ending, has it
    inert: bool = False  # whether formulas of spreadsheets get an apostrophe

    @property
    def files(self) -> list[str]:
        """The files, without standard output."""
        return [path for path in self.to if path != STDOUT]

    @property
    def on_stdout(self) -> bool:
        """Whether a result goes to standard output, which then holds nothing else."""
        return STDOUT in self.to

    def __bool__(self) -> bool:
        return bool(self.to)

    def check(self, inputs: Iterable[str | None] = (), more: Iterable[str] = ()) -> None:
        """Refuse, before the work, a target that cannot be written, is read, or holds what is not ours.

        Parameters
        ----------
        inputs : iterable of paths
            What is read.
        more : iterable of paths
            Further files that are written.

        Raises
        ------
        FileError
        """
        from fairstats.files import check_targets

        read = [*inputs, *click.get_current_context().meta.get(READ, ())]
        targets = [*self.files, *more]
        for path in self.to:
            refuse_without_packages(self._kind(path), f".{self.form}" if path == STDOUT else _ending(path))
        check_targets(targets, [path for path in read if path is not None and path != STDOUT])
        for path in more:
            if _ending(path) not in _ENDINGS["table"]:
                raise FileError(f"{path!r} is no table; its ending can be {listing(_ENDINGS['table'], 20)}; change it.")
        check_overwriting(targets, self.force)

    def _kind(self, path: str) -> str:
        ending = f".{self.form}" if path == STDOUT else _ending(path)
        known = {kind: _endings(kind) for kind in self.kinds}
        found = next((kind for kind, endings in known.items() if ending in endings), "")
        if not found:
            what = f"--format has {ending[1:]!r}" if path == STDOUT else f"--to has {path!r}"
            every = dict.fromkeys(end for endings in known.values() for end in endings)
            raise FileError(f"{what}; the ending can be {listing(every, 20)}; change it.")
        return found

    def write(self, *, read: Iterable[str] = (), beside: Beside = NOTHING, **makers: Callable[[], Any]) -> None:
        """Write every target by its ending; all is made before the first file is touched, and replaced together.

        Parameters
        ----------
        read : iterable of str
            SHA-256 of what the results were made of.
        beside : mapping of path to callable
            Further tables that the command was asked for, and what makes each.
        **makers : callable
            For each kind what makes it: the report, the table, the result to save, the drawing, the text.
        """
        from fairstats.files import check_kept
        from fairstats.replacing import make_folder, write_together

        cached = {kind: functools.cache(maker) for kind, maker in makers.items()}
        made = []
        for path in self.to:
            kind, ending = self._kind(path), f".{self.form}" if path == STDOUT else _ending(path)
            result = self._for_spreadsheets(cached[kind](), path, ending) if kind == "table" else cached[kind]()
            made.append((path, _BYTES[kind](result, path, ending)))
        for path, make in beside.items():
            frame = self._for_spreadsheets(make(), path, _ending(path))
            made.append((path, {path: _table_bytes(frame, _ending(path))}))
        files = {file: data for path, content in made if path != STDOUT for file, data in content.items()}
        check_kept([*self.files, *beside], read)
        for file in files:
            make_folder(Path(file).parent)
        write_together(files.items())
        for path, content in made:
            if path == STDOUT:
                _to_stdout(content[path], self.form)
        announce([*self.files, *beside])
        if self.opened:
            _open(self.files)

    def _for_spreadsheets(self, frame: Any, path: str, ending: str) -> Any:
        return for_spreadsheets(frame, path, self.inert, note) if ending[:4] in (".csv", ".tsv") else frame


def _endings(kind: str) -> Iterable[str]:
    if kind != "report":
        return _ENDINGS[kind]
    from fairstats.reporting.forms import WRITERS

    return WRITERS


def _report_files(report: Any, path: str, ending: str) -> dict[str, bytes]:
    made: dict[str, bytes] = report.form(path, ending)
    return made


def _one(make: Callable[[Any, str], bytes]) -> Callable[[Any, str, str], dict[str, bytes]]:
    return lambda result, path, ending: {path: make(result, ending)}


def _saved_bytes(result: Any, ending: str) -> bytes:
    from fairstats.saving.files import to_bytes

    return to_bytes(result)


def _drawing_bytes(drawing: Any, ending: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, f"figure{ending}")
        drawing.save(file)
        return file.read_bytes()


def _table_bytes(frame: Any, ending: str) -> bytes:
    from fairstats.data.sources import write_table

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, f"table{ending}")
        write_table(frame, file)
        return file.read_bytes()


# What belongs to a target: its file, and those beside it that it names.
_BYTES: dict[str, Callable[[Any, str, str], dict[str, bytes]]] = {
    "report": _report_files,
    "table": _one(_table_bytes),
    "saved": _one(_saved_bytes),
    "drawing": _one(_drawing_bytes),
    **dict.fromkeys(("toml", "json"), _one(lambda text, ending: str(text).encode())),
}
_ENDINGS: dict[str, tuple[str, ...]] = {
    "table": (".csv", ".tsv", ".csv.gz", ".tsv.gz", ".parquet", ".feather", ".arrow", ".rds"),
    "saved": (".npz",),
    "drawing": (".svg", ".png", ".pdf"),
    "toml": (".toml",),
    "json": (".json",),
}


def _ending(path: str) -> str:
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    return "".join(suffixes[-2:]) if suffixes[-1:] == [".gz"] else "".join(suffixes[-1:])


def _to_stdout(content: bytes, form: str) -> None:
    if form in BINARY and sys.stdout.isatty():
        raise InputError(f"--format has {form!r}, which is no text; send it into a file: --to FILE.{form}.")
    sys.stdout.flush()
    stream = getattr(sys.stdout, "buffer", None)
    if stream is None:  # a stand-in for a terminal that takes text only
        sys.stdout.write(content.decode())
    else:
        stream.write(content)
        stream.flush()


def _open(files: Sequence[str]) -> None:
    if not files:
        raise click.UsageError("--open shows a file that was written; name one: --to audit.html.")
    if click.launch(files[0]):
        note(f"{files[0]} was written, but nothing here opens it.")


def announce(files: Iterable[str]) -> None:
    """Say on stderr which files were written, unless nothing of the kind is wanted."""
    for path in files:
        if not is_quiet():
            click.echo(visible(f"wrote {path}"), err=True)


def note(text: str) -> None:
    """Say something on stderr that is no error."""
    if not is_quiet():
        remark(text)


def is_quiet() -> bool:
    """Return whether the command at work was told ``--quiet``."""
    context = click.get_current_context(silent=True)
    return bool(context and context.meta.get(QUIET))


def _set_quiet(context: click.Context, parameter: click.Parameter, given: bool) -> None:
    if given:
        context.meta[QUIET] = True


_QUIET = click.option("-q", "--quiet", is_flag=True, expose_value=False, is_eager=True, callback=_set_quiet,
                      help="Print results and errors, no notes.")  # fmt: skip


def outputs(forms: str, *kinds: str, default: str = "", can_open: bool = False) -> Callable[[Any], Any]:
    """Options of a command that writes, handed to it as ``out``.

    Parameters
    ----------
    forms : str
        The endings that ``--to`` takes, for the help.
    *kinds : str
        What the command makes: report, table, saved, drawing, toml, json; the first that has an ending, has it.
    default : str
        The form of standard output where --format is not given; "" where it must be.
    can_open : bool
        Whether there may be something to look at.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def collected(to: Sequence[str], form: str | None, force: bool, **arguments: Any) -> Any:
            opened, inert = arguments.pop("opened", False), arguments.pop("inert", False)
            targets = (STDOUT,) if form and not to else tuple(to)
            out = Outputs(targets, _form(targets, form, default), force, opened, kinds, inert)
            if opened and not out.files:
                raise click.UsageError("--open shows a file that was written; name one: --to audit.html.")
            return command(out=out, **arguments)

        inertly = [click.option("--inert", is_flag=True,
                                help="In a .csv, an apostrophe before text that a spreadsheet would run.")]  # fmt: skip
        opening = [click.option("--open", "opened", is_flag=True, help="Show the first file that was written.")]
        return options(
            click.option("--to", "to", multiple=True, metavar="FILE",
                         help=f"Write to this file, by its ending ({forms}); - is standard output; repeatable."),
            click.option("--format", "form", metavar="FORM",
                         help=f"Form of standard output: an ending without its dot.{f' [{default}]' * bool(default)}"),
            click.option("--force", is_flag=True,
                         help="Replace also a file that fairstats did not write; what is read is never replaced."),
            *(opening if can_open else []),
            *(inertly if "table" in kinds else []),
            _QUIET,
        )(collected)  # fmt: skip

    return decorate


def _form(to: Sequence[str], form: str | None, default: str) -> str:
    if form and STDOUT not in to:
        raise click.UsageError(f"--format {form} is of standard output; write --to - as well, or leave it out.")
    chosen = (form or default).lower().lstrip(".")
    if STDOUT in to and not chosen:
        raise click.UsageError("--to - is standard output; say in which form: --format json, csv or html.")
    return chosen


def write_report(out: Outputs, results: Sequence[Any], words: Mapping[str, Any], **others: Any) -> None:
    """Write the report on results, and whatever else the command can make of them."""
    if not (out or others.get("beside")):
        return
    from rich.console import Console

    from fairstats.reporting.report import report
    from fairstats.studies.provenance import digests

    with Console(stderr=True, quiet=is_quiet()).status("Writing ..."):
        out.write(read=digests(results), report=lambda: report(*results, **words), **others)
