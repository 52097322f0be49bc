"""What a command says: results to stdout in a shell's words, one line of error to stderr."""

from __future__ import annotations

import functools
import glob
import json
import os
import re
import shlex
import sys
import tempfile
import zlib
from collections import ChainMap
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from fairstats.auditing.arguments import ARGUMENTS, Argument, Form
from fairstats.document import PAPERS
from fairstats.errors import (
    ANY_OF,
    OF_FILES,
    FileError,
    FrontEnd,
    InputError,
    Setting,
    heard_by,
    listing,
    named,
    nearest,
    not_installed,
    visible,
    with_hint,
)
from fairstats.estimates import SHOWN, TESTED, VERDICTS
from fairstats.files import check_overwriting, refuse_copies
from fairstats.former import COMMANDS as FORMER
from fairstats.labels import holds_missing, is_unknown, split
from fairstats.language import ENGLISH, languages
from fairstats.metrics import GAPS_OF_AMOUNTS, METRICS, PROBES
from fairstats.metrics import known as known_metrics
from fairstats.text import impact_ratio
from fairstats.validation import ELSEWHERE, gate_name

if TYPE_CHECKING:
    from fairstats.data.read import Table


# Messages in a shell's words: arguments are options, tables are files.


WIDTH = 80
# Pieces of Python, and what takes their place.
_SNIPPETS = {
    "fairstats.leakage(fit.crossfit(X, groups))": "--held-out",
    "fairstats.from_counts takes a table of counts": "a table of counts is read",
    "pass what fairstats.from_counts makes of them": "pass the tally that fairstats tally makes of them",
    "tidy()": "--to FILE.csv",
    "finding() has the whole answer": "without --brief or --to the whole answer is printed",
    "summary() has all numbers": "without --brief or --to all numbers are printed",
    "summary() has all": "without --brief or --to all is printed",
    "are in tidy()": "are written by --to FILE.csv",
    "all in tidy()": "all written by --to FILE.csv",
    "with numbers in tidy()": "with numbers in what --to FILE.csv writes",
    " (of a file read_table(path, labels=[...]))": " in the file",
    "; a fit takes them as numbers by {}": "",  # a command has no such form
    ", with the table as data=": "",  # which is the command's file
    "say so: read_table(path, labels=[...])": "make them text in the file",
    "tidy() has all": "--to FILE.csv writes all",
    ", as in methods=[..., ('fair_pca', {'k': [1, 2, 3]})]": ", as in --set 'fair_pca.k=[1, 2, 3]'",
    "report() was given": "the report was given",
    "fairstats.table(result, 'impact by stratum')": "a report (--to FILE.html)",
    ANY_OF: "make one label of these in the file",
    "load reads what result.save(path) writes, .npz files, and the audit in a report's .json": (
        "give a file that --to FILE.npz wrote, or the .json of an audit"
    ),
    "save each of them by result.save(path), and load that .npz file": "write each of them by --to FILE.npz",
}
# Arguments that are flags of another name, with the value that the flag stands for.
_FLAGS = {
    ("component", "largest"): "--largest-component",
    ("nest", True): "--design nest=true",
    ("overwrite", True): "--force",
    ("weight", None): "--unweighted",
}
_PLAIN = re.compile(r"[\w.,:-]+")  # a value that a shell takes without quotes
# Letters of what is bold stand for themselves in a plane of Unicode that is for private use, as wide as they are, until
# the text is laid out and printed.
_PLANE = 0xF0000
_BOLD = {code: _PLANE + code for code in range(ord("!"), ord("~") + 1)}
_RUN = re.compile("[{0}-{1}]+(?: [{0}-{1}]+)*".format(*map(chr, (min(_BOLD.values()), max(_BOLD.values())))))


class Shell(FrontEnd):
    """A shell's words: the options of the command that runs, else those of an audit."""

    def __init__(self) -> None:
        self.options: dict[str, click.Option] = {}
        self.commands: Collection[str] = ()
        self.is_bold = False  # while a text for a terminal is made
        self.entries: Collection[str] = ()  # arguments that a protocol file has, not the command line
        self.written = ""  # the file to which every number was written
        self.rows = ""  # the files of the rows, where a saved fit says what their features are

    def learn(self, command: click.Command, *general: click.Command) -> None:
        """Note the option of each argument; a command that takes settings has them for what it has no option of, and
        one that takes a saved result has what that was made with."""
        present, *others = ({p.name: p for p in c.params if isinstance(p, click.Option) and p.name}
                            for c in (command, *general))  # fmt: skip
        is_alone = "settings" in present or any(p.name == "saved" and p.nargs == 1 for p in command.params)
        self.options = present if is_alone else dict(ChainMap(present, *others))

    def _option(self, argument: str) -> click.Option | None:
        return self.options.get("features" if argument == "X" else argument)

    def named(self, argument: str) -> str:
        if argument in self.entries:
            return argument
        if argument == "X" and self.rows:
            return self.rows
        option = self._option(argument)
        return _long(option.opts) if option else "FILE" if argument == "X" else argument

    def setting(self, argument: str, value: Any) -> str:
        if isinstance(value, Mapping):  # a margin, or a column, by its name
            pairs = (f"{name}={one if isinstance(one, str) else f'{one:g}'}" for name, one in value.items())
            return f"{self.named(argument)} {','.join(pairs)}"
        if argument in self.entries:
            return argument if value is ... else f"{argument} = {json.dumps(value, ensure_ascii=False, default=str)}"
        if isinstance(value, (list, tuple)) and all(isinstance(one, str) and "," not in one for one in value):
            value = ",".join(value)  # several, as options read them
        given = "" if value is ... else value if isinstance(value, str) and _PLAIN.fullmatch(value) else repr(value)
        if isinstance(value, (str, bool, type(None))) and (argument, value) in _FLAGS:
            return _FLAGS[argument, value]
        if argument == "path":
            return repr(value)
        option = self._option(argument)
        if option is None and argument in ("X", "features"):
            return f"column {given}"
        if option is None:
            return f"--set {argument}={given}" if "settings" in self.options else super().setting(argument, value)
        if option.is_flag and isinstance(value, bool):
            return _long(option.opts) if value else _long(option.secondary_opts) or f"no {_long(option.opts)}"
        return f"{_long(option.opts)} {given}".rstrip()

    def call(self, function: str, arguments: Sequence[str | tuple[str, Any]] | None) -> str:
        command = function.replace("_", "-")
        if command in self.commands and arguments and not all(isinstance(one, str) for one in arguments):
            given = [one if isinstance(one, str) else self.given(*one) for one in arguments]
            return f"fairstats {command} {' '.join(given)}"
        if function == "survey_design" and "design" in self.options:
            return f"{self.named('design')} KEY=COLUMN"
        if arguments is None and command in self.commands:
            return f"fairstats {command}"
        return super().call(function, arguments)

    def files(self, paths: Sequence[str]) -> str:
        return shlex.join(paths)

    def given(self, argument: str, value: Any) -> str:
        if argument == OF_FILES:
            return self.files(value)
        written = shlex.quote(",".join(value) if isinstance(value, (list, tuple)) else str(value))
        return f"--{argument.replace('_', '-')} {written}" if argument else written

    def snippet(self, text: str) -> str:
        if self.written and text in _SNIPPETS:
            text = text.replace("tidy()", self.written)
        return _SNIPPETS.get(text, text)

    def in_classes(self, column: str, bounds: Sequence[float]) -> str:
        return f"with the bounds {', '.join(f'{bound:g}' for bound in bounds)}"

    def renaming(self, column: str, labels: Sequence[str], one: str) -> str:
        return f"in Python {super().renaming(column, labels, one)}"

    def takes(self, argument: str, value: str) -> bool:
        option = self._option(argument)
        return option is not None and (not isinstance(option.type, click.Choice) or value in option.type.choices)

    def leaving_out(self, column: str) -> str:
        return f"leave {f'the rows without {column!r}' if column else 'these rows'} out of the file first"

    def filling(self, column: str, label: str) -> str:
        from fairstats.provenance import counterpart

        return f"write a second label, such as {counterpart(label) or 'no'!r}, into the empty cells of {column!r}"

    def strong(self, verdict: str) -> str:
        return verdict.translate(_BOLD) if self.is_bold else verdict


@contextmanager
def of_file(file: str | None, given: Collection[str], every: Iterable[str]) -> Iterator[None]:
    """Errors about arguments that a protocol file has, or may have, speak of its entries: the call cannot add rules."""
    shell = click.get_current_context().find_object(Shell)
    if file is None or shell is None:
        yield
        return
    shell.entries = {*every} - {*given}
    try:
        yield
    except InputError as error:
        if error.argument not in shell.entries:
            raise
        raise InputError("protocol", f"has {file!r}: entry {error}") from error
    finally:
        shell.entries = ()


def _long(flags: Sequence[str]) -> str:
    return next((flag for flag in flags if flag.startswith("--")), flags[0] if flags else "")


def say(text: str | Callable[[], str]) -> None:
    """Print a summary or a finding; of what makes one, verdicts are bold at a terminal that can, NO_COLOR unset."""
    if isinstance(text, str):
        click.echo(visible(text))
        return
    shell = click.get_current_context().find_object(Shell)
    if shell is None or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not sys.stdout.isatty():
        click.echo(visible(text()))
        return
    shell.is_bold = True
    try:
        current = visible(text())
    finally:
        shell.is_bold = False
    click.echo(_RUN.sub(lambda run: f"\x1b[1m{''.join(chr(ord(c) % _PLANE) for c in run[0])}\x1b[0m", current))


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
    return " ".join(visible(text).split("\n"))


class Commands(click.Group):
    """Commands of which a misspelled or a former name is an error that tells today's."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        name = args[0]
        if not name.startswith("-") and self.get_command(ctx, name) is None:
            hint = f"; it is called {FORMER[name]} now" if name in FORMER else nearest(name, self.commands)
            if not hint and Path(name).suffix and "init" in self.commands:
                hint = f"; a protocol of a table is begun by {ctx.command_path} init {name}"
            raise click.UsageError(f"no such command {name!r}{hint}", ctx)
        found = super().resolve_command(ctx, args)
        if found[1] is not None:
            _refuse_options_as_values(found[1], found[2], ctx)
        return found


def _refuse_options_as_values(command: click.Command, words: Sequence[str], ctx: click.Context) -> None:
    """Refuse an option whose value was forgotten, which click would take from the name of the next option."""
    inside = click.Context(command, info_name=command.name, parent=ctx)
    known = {flag: one for one in command.get_params(inside) if isinstance(one, click.Option) for flag in one.opts}
    rest = iter(words)
    for word in rest:
        if word == "--":
            return
        option = known.get(word)
        if option is not None and not option.is_flag and not option.count and (value := next(rest, "")) in known:
            raise click.UsageError(f"{word} needs a value; {value!r} follows it", inside)


def usage(error: click.ClickException) -> str:
    """Return click's message as one line of ours, with the way to the help."""
    text = error.format_message().strip().replace("\n", " ")
    if isinstance(error, click.NoSuchOption):
        text = f"no such option {error.option_name!r}{_meant(error)}"
    text = text.rstrip("?.")
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "fairstats"
    if isinstance(error, click.NoSuchOption) and (why := _once_each(path, error.option_name)):
        return why
    words = [] if context is None else context.command.collect_usage_pieces(context)[1:]
    if isinstance(error, click.MissingParameter) and isinstance(error.param, click.Argument) and len(words) > 1:
        text += f"; the words are, in this order, {path} {' '.join(words)}"
    first = text[:1] if text[:2].isupper() else text[:1].lower()
    return f"{first}{text[1:]}; {path} --help tells what it takes."


def _once_each(path: str, option: str) -> str:
    """Why a report of pay takes no weights, clusters and covariates, and what does; "" of other options."""
    if not path.endswith(" pay") or option not in ("--weights", "--clusters", "--strata", "--adjust-for"):
        return ""
    return (
        f"{option} is no option of {path}: the law counts every worker once, and compares them as they are; pass a row "
        f"a worker, or take fairstats audit --amount, which has {option}."
    )


def _takes_files(ctx: click.Context) -> bool:
    return any(piece.startswith("FILE") for piece in ctx.command.collect_usage_pieces(ctx))


def _meant(error: click.NoSuchOption) -> str:
    """The option that was meant: of another library's word ours, else the nearest by its letters without dashes."""
    if error.ctx is None:
        return ""
    entries = {parameter.name: flag.lstrip("-") for parameter in error.ctx.command.get_params(error.ctx)
             for flag in parameter.opts[:1] if parameter.name and flag.startswith("--")}  # fmt: skip
    name = error.option_name.lstrip("-")
    if name in ("file", "files", "csv", "data", "input") and _takes_files(error.ctx):
        return f"; the file is a word without an option: {error.ctx.command_path} FILE"
    if name == "alpha" and "conf_level" in entries:
        return "; its complement is: 0.05 is --conf-level 0.95"
    also = {"label": ("outcome",)} if "outcome" in entries else {}  # in Python it is nearest to labels=
    elsewhere = also | ELSEWHERE
    ours = next((entries[n] for n in elsewhere.get(name.replace("-", "_"), ()) if n in entries), "")
    hint = f"; did you mean {ours!r}?" if ours else nearest(name, entries.values())
    if not hint:
        parameters = error.ctx.command.get_params(error.ctx)
        if any(f"-{name}" in parameter.opts for parameter in parameters):
            return f"; did you mean '-{name}'?"
        if any(isinstance(parameter, click.Argument) and parameter.name == name for parameter in parameters):
            words = " ".join(error.ctx.command.collect_usage_pieces(error.ctx)[1:])
            return f"; {name.upper()} is a word without an option: {error.ctx.command_path} {words}"
    one_dash = "" if error.option_name.startswith("--") else "; options are words after two dashes"
    return hint.replace("mean '", "mean '--") or one_dash


# ``--fail-on``: what ends a command with exit code 1, checked from the rows of its result.


GATE_FAILED = 1
MOST_CHOICES = 3  # classes that an error offers one by one
_LIMITED = re.compile(r"(ratio)\s*<\s*([0-9.]+)|(leakage|worse)\s*>\s*([0-9.]+)")


@dataclass(frozen=True)
class Gate:
    """One condition under which a command fails: its name, its limit where it has one, and the text it was given as."""

    name: str
    limit: float
    text: str
    metric: tuple[str, ...] = ()  # those that it is about; none are all


BRIEF = click.option("--brief", is_flag=True, help="Print the answer and its rates alone.")


def fail_on(forms: Sequence[str], disparity: str = "") -> Any:
    """The option of a command whose gates have these forms; ``disparity``: what that one means there."""

    def read(context: click.Context, parameter: click.Parameter, given: Sequence[str]) -> list[Gate]:
        return [_gate(text.strip(), forms) for value in given for text in value.split(",")]

    wording = " or ".join([*([", ".join(forms[:-1])] if forms[1:] else []), forms[-1]])
    number = " (any number)" if any(char.isdigit() for char in wording) else ""
    return click.option(
        "--fail-on", "gates", multiple=True, callback=read, metavar="GATE",
        help=f"End with exit code 1 where this holds: {wording}{number}; repeatable."
        + (f" disparity: {disparity}." if disparity else ""),
    )  # fmt: skip


def _gate(text: str, forms: Sequence[str]) -> Gate:
    limited = _LIMITED.fullmatch(text)
    name = (limited[1] or limited[3]) if limited else text
    if not any(gate_name(form) == name for form in forms):
        number = re.fullmatch(r"([a-z-]+)\W+([0-9.]+)", text)
        form = next((form for form in forms if number and re.match(rf"{number[1]}[<>]", form)), "")
        hint = f"; did you mean '{re.sub('[0-9.]+', number[2], form)}'?" if number and form else nearest(text, forms)
        raise click.BadParameter(
            with_hint(f"{text!r} is no gate of this command", hint, f"it can be {listing(forms)}.")
        )
    try:
        limit = float(limited[2] or limited[4]) if limited else 0.0
    except ValueError:
        limit = 2.0
    if limit > 1 or (limited is None and text in ("ratio", "leakage")):
        raise click.BadParameter(f"{text!r} has no number from 0 to 1, as in {forms[-1]}.")
    return Gate(name, limit, text)


def failures(gates: Sequence[Gate], result: Any, tables: Sequence[Any] = ()) -> list[str]:
    """Return one line for each gate that failed: what, where, how often; tables: of a law, which a ratio is of."""
    from fairstats.auditing.result import Audit, as_sent

    result = as_sent(result) if isinstance(result, Audit) else result
    ways = (functools.partial(_of_law, tables=tables) if tables else _WAYS[gate.name] for gate in gates)
    return [line for gate, way in zip(gates, ways, strict=True) if (line := way(gate, result))]


def _of_law(gate: Gate, audit: Any, tables: Sequence[Any]) -> str:
    """What a gate compares where a law's tables are published: only categories that have an impact ratio there."""
    if gate.name == "ratio":
        return _impact_ratio(gate, audit, tables)
    from fairstats.auditing.answer import attributes_compared, declared
    from fairstats.estimates import Estimates

    rated = {one.attribute: {c.category for c in one.categories if c.status != "excluded"} for one in tables}
    pairs = [{(row.attribute, group) for group in (row.group, row.reference) if group} for row in audit.estimates]
    outside = {(name, group) for pair in pairs for name, group in pair if group not in rated.get(name, {group})}
    for name in attributes_compared(audit):
        if (name, label := audit.references.get(name, "")) in outside:
            raise InputError(
                f"--fail-on has {gate.text!r}; it compares categories that have an impact ratio, and those of {name} "
                f"are compared with {label!r}, which has none; name another by --reference."
            )
    among = {name for name, _ in outside}  # whose tests of all groups at once count these people, too
    kept = (row for row, pair in zip(audit.estimates, pairs, strict=True) if not pair & outside)
    rows = Estimates(row for row in kept if row.group or row.attribute not in among)
    line = _WAYS[gate.name](gate, replace(audit, estimates=rows))
    left = listing([group for name, group in sorted(outside) if name in declared(audit)], 3)
    return f"{line} Not included, as they have no impact ratio: {left}." if line and left else line


def _requested(result: Any) -> tuple[Any, str]:
    """The rows that a gate compares, and the declared strata: an audit that has some is compared within them."""
    from fairstats.auditing.result import Audit

    if not isinstance(result, Audit):
        from fairstats.auditing.group_studies import GroupStudy, conditions_of, is_improvement
        from fairstats.estimates import Estimates

        every = result.estimates
        met = [row for _, row, shown in conditions_of(result) if shown] if isinstance(result, GroupStudy) else []
        compared = (row for row in every if row.changed(verdict="") not in met)
        return Estimates(row for row in compared if not is_improvement(row, every)), ""
    from fairstats.auditing.answer import answering_rows, of_missing
    from fairstats.estimates import Estimates

    rows = Estimates(row for row in answering_rows(result) if not of_missing(row))
    return rows, result.protocol.strata or result.protocol.alike


def _disparity(gate: Gate, result: Any) -> str:
    from fairstats.auditing.subgroups import SubgroupScan, farthest_first, follows, who

    arguments, strata = _requested(result)
    arguments = _of_metrics(gate, result, arguments)
    rows = [row for row in arguments.where(verdict=SHOWN) if not _beside_a_margin(row, arguments)]
    if not rows:
        what, others = result._other_disparities()
        if others:
            return _line(what, "comparisons", others)
        if why := result._unanswerable():
            raise InputError(f"--fail-on has {gate.text!r}; {why}")
        _refuse_refuted(gate, arguments)
        for of in _questions([row for row in arguments if row.reference or row.verdict], strata):
            _answered(gate, result, of, VERDICTS)
        return ""
    if any(row.model and row.versus for row in rows):
        return _worse_of_models(rows, arguments)
    rows = _once(gate, rows)
    if isinstance(result, SubgroupScan):
        rows = sorted(farthest_first(rows), key=follows)  # first those that do not follow from others
        rows = [row.changed(group=who(row.attribute, row.group)) for row in rows]
    word = SHOWN[0] if any(row.verdict == SHOWN[0] for row in rows) else SHOWN[1]
    return (
        _line(word, "comparisons", rows, strata, value=_numbers(result)) + _side(result, rows) + _undone(result, rows)
    )


def _side(result: Any, rows: Sequence[Any]) -> str:
    """Of which decision selection rates are, where everything else that is printed is about the other one."""
    from fairstats.auditing.answer import flags
    from fairstats.auditing.result import Audit
    from fairstats.auditing.sentences import decision_text

    if not isinstance(result, Audit) or not flags(result.protocol):
        return ""
    text = decision_text(result.protocol, result.protocol.favorable)
    return f" Selection rate: {text}." if any(row.metric == "selection rate" for row in rows) else ""


def _of_metrics(gate: Gate, result: Any, rows: Any) -> Any:
    """The rows of the metrics of a gate; of metrics whose rows have no verdict, such as tests, there are none."""
    from fairstats.auditing.answer import of_metrics
    from fairstats.auditing.result import Audit
    from fairstats.estimates import Estimates

    if not gate.metric:
        return rows
    decided = {row.metric for row in rows if row.verdict or row.status != "ok"}
    among = [row for row in rows if row.metric in decided] or rows
    protocol = result.protocol if isinstance(result, Audit) else None
    return Estimates(of_metrics(among, gate.metric, protocol=protocol))


def _place_of(row: Any) -> tuple[str, ...]:
    return row.attribute, row.group, row.reference, row.given, row.term, row.model, row.versus


def _once(gate: Gate, rows: Sequence[Any]) -> list[Any]:
    """Each comparison once: a difference of rates is that of their complements, the one that was named stays."""
    terms = {row.term for row in rows}
    named = [metric.name for name in gate.metric if name not in terms for metric in known_metrics(name)]
    of: dict[tuple[object, ...], Any] = {}
    for row in sorted(rows, key=lambda row: row.metric not in named):
        present = METRICS.get(row.metric)
        same = {row.metric, present.complement if present and row.contrast != "ratio" else ""} - {""}
        of.setdefault((frozenset(same), row.role, row.contrast, *_place_of(row)), row)
    return list(of.values())


def _worse_of_models(rows: Sequence[Any], arguments: Any) -> str:
    """Which gaps are shown to be larger than the baseline's, which changed without that, and which rates are lower."""
    from fairstats.auditing.group_studies import direction

    of = {name: [row for row in rows if direction(row, arguments) == name] for name in _WORSE}
    return (
        "; ".join(_line(_WORSE[name], "comparisons", kept).removesuffix(".") for name, kept in of.items() if kept) + "."
    )


_WORSE = {
    "larger": "a larger gap is shown",
    "changed": "a changed gap is shown, and which is larger is not settled,",
    "lower": "a lower rate is shown",
}


def _refuse_refuted(gate: Gate, rows: Iterable[Any]) -> None:
    """Refuse to pass groups known as probabilities whose verdict is withheld: what it rests on is refuted."""
    from fairstats.auditing.group_probabilities import WITHHELD
    from fairstats.language import parts

    codes = {text.template for text in WITHHELD.values()}
    for row in rows:
        if any(part.template in codes for part in parts(row.reason)):
            raise InputError(
                f"--fail-on has {gate.text!r}; {row.reason}, so there is nothing to pass; leave out --known, which "
                "leaves the probabilities unchecked, or name people who were drawn at random."
            )


def _undone(result: Any, rows: Sequence[Any]) -> str:
    """Which of the differences do not survive those who are missing, counted at worst."""
    from fairstats.auditing.answer import undone
    from fairstats.auditing.result import Audit

    if not isinstance(result, Audit):
        return ""
    bounds = {(r.attribute, r.group, r.reference, r.term): f for r in rows if (f := undone(result, r)) is not None}
    if not bounds:
        return ""
    places = [
        f"{group} less {reference}{f' in {term}' if result.protocol.classes else ''} lies between "
        f"{100 * row.conf_low:+.1f} and {100 * row.conf_high:+.1f} points"
        for (_, group, reference, term), row in bounds.items()
    ]
    return f" With those who are missing counted at worst this does not survive: {listing(places, 3)}."


def _beside_a_margin(row: Any, rows: Any) -> bool:
    """Whether a row is a statistic of amounts beside a gap of the same groups, which a declared margin decides."""
    from fairstats.auditing.amounts import GEOMETRIC, OF_SCORES, QUANTILE

    if row.metric not in (GEOMETRIC, QUANTILE, *OF_SCORES.values()) or row.p_equivalence == row.p_equivalence:
        return False
    gaps = rows.where(attribute=row.attribute, group=row.group, reference=row.reference, metric=sorted(GAPS_OF_AMOUNTS))
    return any(gap.verdict and gap.p_equivalence == gap.p_equivalence for gap in gaps)


def _questions(rows: Sequence[Any], strata: str) -> list[Sequence[Any]]:
    """All rows; where there are some within strata these too, for which no crude one of another rate can answer."""
    within = [row for row in rows if strata and row.given == strata]
    return [rows, within] if within else [rows]


def _answered(gate: Gate, result: Any, rows: Sequence[Any], verdicts: Sequence[str]) -> None:
    """Refuse to pass an attribute of which no comparison has one of these verdicts, as where all are withheld."""
    members = {row.attribute for row in rows if row.status == "ok" and row.verdict in verdicts}
    reasons = {row.attribute: row.reason for row in reversed(rows) if row.status != "ok"}
    arguments = _attributes(result)
    lost = [name for name in (reasons if arguments is None else arguments) if name not in members]
    if not lost or (arguments is None and members):
        return
    why = f" ({reasons[lost[0]]})" if reasons.get(lost[0]) else ""
    raise InputError(
        f"--fail-on has {gate.text!r}; no comparison of {listing(lost)} can be made{why}, so there is nothing to pass; "
        "join small groups, or withhold fewer (--min-n)."
    )


def _attributes(result: Any) -> list[str] | None:
    """The attributes that an audit is about; None of another result."""
    from fairstats.auditing.answer import declared
    from fairstats.auditing.result import Audit

    return declared(result) if isinstance(result, Audit) else None


def _no_equivalence(gate: Gate, result: Any) -> str:
    """Every comparison that the margin is for; one that could not be estimated is not shown to be equivalent either."""
    from fairstats.auditing.result import Audit

    what, of = "equivalence is not shown", "comparisons"
    if isinstance(result, Audit) and result.protocol.margin:
        from fairstats.auditing.answer import farthest_first, passes, undecided

        found = passes(result, gate.metric or None)
        if not found.compared:
            raise InputError(
                f"--fail-on has {gate.text!r}; the audit has no comparison that the margin of --margin is for; "
                "name --decision."
            )
        if found:
            return ""
        left = farthest_first(found.failures, found.margins)
        line = _line(what, of, left, found.strata, found.compared, _numbers(result, found.margins))
        notes = [found.by_metric, undecided(found.small, left), *(f"not included: {one}" for one in found.not_compared)]
        line += _side(result, left)
        return " ".join([line, *(f"{note[:1].upper()}{note[1:]}." for note in notes if note)])
    rows = [row for row in result.estimates.where(role="main") if row.metric in PROBES.values()]
    if isinstance(result, Audit) or result.margin is None or not rows:
        raise InputError(
            f"--fail-on has {gate.text!r}; no margin was declared, so equivalence cannot be shown; declare it in "
            "advance: --margin 0.05."
        )
    left = [row for row in rows if row.verdict != "equivalence shown"]
    return _line(what, of, left, _requested(result)[1], len(rows)) if left else ""


def _numbers(result: Any, *margins: Any) -> Callable[[Any], str]:
    """What writes the numbers of a comparison of an audit, beside declared margins; of another result none."""
    from fairstats.auditing.answer import NO_MARGINS, numbers_of, over_withheld
    from fairstats.auditing.result import Audit

    if not isinstance(result, Audit):
        return lambda row: ""
    beside = *(margins or [NO_MARGINS]), over_withheld(result)
    return lambda row: f": {numbers_of(row, *beside)}" if row.status == "ok" else ""


def _ratio(gate: Gate, result: Any) -> str:
    """The lower rate over the highest one, of the groups that the rule of four fifths counts under its law."""
    from fairstats.auditing.answer import RATIOS, open_within, ratios_within
    from fairstats.inference.rates.adverse_impact import counted_by_rule

    arguments, strata = _requested(result)
    ratios = [r for role in ("main", "omnibus") for r in arguments.where(role=role, contrast="ratio")]
    ratios = [row for row in ratios if row.metric in ("selection rate", "impact ratio", RATIOS)]
    decided = not result.protocol.strata or result.protocol.decision or result.protocol.threshold is not None
    if result.protocol.decision and (classes := result.protocol.classes):
        ranked = result.protocol.ranked
        offered = classes[-1:] if ranked else classes[:MOST_CHOICES]  # the best is the last
        ways = " or ".join(str(Setting("favorable", label)) for label in offered)
        instead = f" in the place of {named('class_order')}" if ranked else ""
        raise InputError(
            f"--fail-on has {gate.text!r}; {len(classes)} classes have no ratio of selection rates; name the one that "
            f"helps the person{instead}: {ways}."
        )
    if not ratios or not decided:
        raise InputError(f"--fail-on has {gate.text!r}; the audit has no ratio of selection rates; name --decision.")
    within = list(ratios_within(result))
    stratified = {row.attribute for row in within}
    ratios = [row for row in ratios if row.metric != RATIOS or row.attribute not in stratified]
    if result.protocol.four_fifths:
        ratios, within = counted_by_rule(ratios, result.estimates), counted_by_rule(within)
    line = _below(gate, result, [*ratios, *within], "ratio of selection rates", strata)
    open_groups = {name: groups for name in _attributes(result) or () if (groups := open_within(result, name))}
    alone = _low_alone(gate, result, {*stratified, *open_groups})
    low = [row for row, is_shown in alone if is_shown]
    if low:
        what = f"ratio below {gate.limit:g}, beyond chance, in one {strata} alone"
        single = _line(what, "comparisons", low, value=lambda row: f" ({impact_ratio(row.estimate, gate.limit)})")
        line = " ".join(filter(None, (line, single)))
    if open_groups and not line:
        name, groups = next(iter(open_groups.items()))
        raise InputError(
            f"--fail-on has {gate.text!r}; people of withheld cells decide the ratio within {strata} of "
            f"{listing(groups)} ({name}), so it is undecided; withhold fewer."
        )
    if within and not line:
        _remark_others(gate, result, strata, stratified, [row for row, _ in alone])
    return line


def _low_alone(gate: Gate, result: Any, stratified: Collection[str]) -> list[tuple[Any, bool]]:
    """The ratios of single strata below the limit, and whether each is so beyond chance, among all strata."""
    from fairstats.auditing.answer import ratios_by_stratum
    from fairstats.inference.multiplicity import rejected
    from fairstats.inference.rates.adverse_impact import below_line

    rows = [row for row in ratios_by_stratum(result)[0] if row.attribute in stratified]
    low = sorted((row for row in rows if below_line(row.estimate, gate.limit)), key=lambda row: float(row.estimate))
    return [(row, rejected(row.p_adjusted, result.protocol.conf_level)) for row in low]


def _remark_others(gate: Gate, result: Any, strata: str, stratified: Collection[str], alone: Sequence[Any]) -> None:
    """Where a gate passes within all strata together, which ratios of one alone, or without them, are below it."""
    from fairstats.auditing.answer import ratios_by_stratum
    from fairstats.inference.rates.adverse_impact import below_line, counted_by_rule

    rows = [
        r for r in result.estimates.only(metric="impact ratio", role="main", status="ok") if r.attribute in stratified
    ]
    rows = counted_by_rule(rows) if result.protocol.four_fifths else rows
    below = [row for row in rows if below_line(row.estimate, gate.limit) and not holds_missing(row.group)]
    found = {f"in one {strata} alone, not shown to be beyond chance": alone, f"without regard to {strata}": below}
    each = [
        f"; below it {where}: "
        + listing(
            [
                f"{f'{r.term}, ' if r.term else ''}{r.group} against {r.reference} "
                f"({impact_ratio(r.estimate, gate.limit)})"
                for r in low
            ],
            3,
        )
        for where, low in found.items()
        if low
    ]
    if result.protocol.four_fifths and not ratios_by_stratum(result)[1]:
        each.append(f"; those of each {strata} alone are not in this audit")
    if each:
        remark(
            f"over all strata of {strata} together (Mantel-Haenszel) no ratio is below {gate.limit:g}{''.join(each)}."
        )


def _impact_ratio(gate: Gate, result: Any, tables: Sequence[Any]) -> str:
    """The ratios of a law's tables, to the highest rate of each."""
    ratios = [row for one in tables for row in one.estimates.where(contrast="ratio") if row.group != one.highest]
    return _below(gate, result, ratios, "impact ratio", tables=True)


def _below(gate: Gate, result: Any, ratios: Sequence[Any], what: str, strata: str = "", tables: bool = False) -> str:
    from fairstats.auditing.answer import SMALL, small_among
    from fairstats.inference.rates.adverse_impact import below_line

    known = [row for row in ratios if row.status == "ok"]
    of_groups = _by_group(known)
    below = [row for row in of_groups if below_line(row.estimate, gate.limit)]
    if not below:
        _answered(gate, result, ratios, ("", *VERDICTS))
        return ""
    below.sort(key=lambda row: float(row.estimate))
    members = {(row.attribute, group) for row in of_groups for group in (row.group, row.reference)}
    line = _line(
        f"{what} below {gate.limit:g}",
        "groups",
        [row.changed(metric="impact ratio") if row.metric == "selection rate" else row for row in below],
        strata,
        len(members),
        lambda row: f" ({impact_ratio(row.estimate, gate.limit)})",
    )
    small = small_among(result, below)
    line += _counted_although(result, below, tables)
    return line + (f" Under {SMALL} people: {listing(small)}; join small groups in the data." if small else "")


def _counted_although(result: Any, rows: Sequence[Any], tables: bool) -> str:
    """Groups below a line that Local Law 144 permits to exclude; where it was not named also those that it leaves out.

    tables: whether they are categories of its tables.
    """
    from fairstats.auditing.local_law_144 import SMALL_SHARE

    total: dict[str, float] = {}
    for cell in result.cells:
        total[cell.attribute] = total.get(cell.attribute, 0) + cell.n
    n = {(cell.attribute, cell.group): cell.n / total[cell.attribute] for cell in result.cells if total[cell.attribute]}
    unknown = [row.group for row in rows if row.group and any(is_unknown(part) for part in split(row.group))]
    small = [
        row.group for row in rows if n.get((row.attribute, row.group), 1) < SMALL_SHARE and row.group not in unknown
    ]
    if tables:
        return (
            f" Under {100 * SMALL_SHARE:g}% of the data used, which may be excluded: {listing(small, 3)}."
            if small
            else ""
        )
    parts = [f"under {100 * SMALL_SHARE:g}% of the people: {listing(small, 3)}"] if small else []
    parts += [f"perhaps of unknown group: {listing(unknown, 3)}"] if unknown else []
    return f" Counted, too ({'; '.join(parts)}); --preset ll144 asks the tables of Local Law 144." if parts else ""


def _by_group(rows: Iterable[Any]) -> list[Any]:
    """The lowest ratio of each group, of equal ones that to the highest rate; of all at once where no group has one."""
    lowest: dict[tuple[str, str], Any] = {}
    for row in sorted(rows, key=lambda row: (float(row.estimate), row.metric == "selection rate")):
        lowest.setdefault((row.attribute, row.group), row)
    paired = {attribute for attribute, group in lowest if group}
    return [row for row in lowest.values() if row.group or row.attribute not in paired]


def _leakage(gate: Gate, result: Any) -> str:
    rows = [row for row in result.estimates if row.metric in PROBES.values() and row.estimate > gate.limit]
    return _line(f"AUC of a probe above {gate.limit:g}", "rows", rows) if rows else ""


def _drift(gate: Gate, result: Any) -> str:
    """A group that has no rate any more is no change that is shown, and no peace either."""
    rows = result.drifts()
    return _line("a change is shown", "comparisons", rows) if len(rows) else _absent(result)


def _worse(gate: Gate, result: Any) -> str:
    """A difference that is larger than before, and surely moved there by more than the limit."""
    rows = result.worsened(gate.limit)
    by = f" by more than {gate.limit:g}" if gate.limit else ""
    return _line(f"a difference became larger{by}", "comparisons", rows) if len(rows) else _absent(result)


def _absent(result: Any) -> str:
    rows = [row for row in result.estimates if row.status not in TESTED]
    return _line("there is no rate to compare", "comparisons", rows) if rows else ""


def _alarm(gate: Gate, result: Any) -> str:
    if not result.shown():
        _answered(gate, result, result.compared(), VERDICTS)
    alarms = result.new_alarms if gate.name == "new-alarm" else result.alarms
    by_period: dict[str, list[str]] = {}
    for row in sorted(result.shown(), key=lambda row: result.periods.index(result.alarms[row.group])):
        if row.group in alarms:
            by_period.setdefault(alarms[row.group], []).append(_place(row))
    raised = [f"in {period}: {listing(places, 3)}" for period, places in by_period.items()]
    return f"gate failed: {gate.name.replace('-', ' ')} {'; '.join(raised)}." if raised else ""


def exchanged_labels(result: Any) -> str:
    """The sentences on periods of this call whose labels may mean others than before; "" where there are none."""
    from fairstats.auditing.monitor import moved_labels

    return " ".join(moved_labels(result))


def _labels(gate: Gate, result: Any) -> str:
    if not (found := exchanged_labels(result)):
        return ""
    remedy = ""
    if result.settings.get("state"):
        remedy = (
            " The state has these periods now: if labels are wrong, correct the file and call again with the copy of "
            "the state from before, or begin another state with all periods."
        )
    return f"gate failed: {gate.name}. {found}{remedy}"


def _alternative(gate: Gate, result: Any) -> str:
    """A candidate that is as accurate and leaves a smaller gap: the model in use need not be kept."""
    if not result.found:
        return ""
    row = next(row for row in result.compared() if row.group)
    return f"gate failed: {row.model} is a less discriminatory alternative to {row.versus}: {_place(row)}."


_WAYS = {
    "alternative": _alternative,
    "alarm": _alarm,
    "new-alarm": _alarm,
    "labels": _labels,
    "drift": _drift,
    "worse": _worse,
    "disparity": _disparity,
    "no-equivalence": _no_equivalence,
    "ratio": _ratio,
    "leakage": _leakage,
}


def _line(
    what: str,
    of: str,
    rows: Sequence[Any],
    strata: str = "",
    total: int = 0,
    value: Callable[[Any], str] = lambda _: "",
) -> str:
    items = sorted(rows, key=lambda row: bool(strata) and row.given != strata)  # what was declared first
    whose: dict[str, set[str]] = {}
    for row in items:
        whose.setdefault(_place(row, strata), set()).add(row.attribute)
    places = dict.fromkeys(
        place + (f" ({row.attribute})" if len(whose[place]) > 1 else "") + value(row)  # two attributes share labels
        for row, place in ((row, _place(row, strata)) for row in items)
    )
    of = of if len(rows) > 1 or total > 1 else of.removesuffix("s")
    many = f"{len(rows)} of {total}" if total else str(len(rows))
    return f"gate failed: {what} in {many} {of}: {listing(places, 3)}."


def _place(row: Any, strata: str = "") -> str:
    among = f"{row.group} against {row.reference}" if row.reference else row.group
    among = among or ("" if row.model else f"the groups of {row.attribute}")
    crude = f" (without regard to {strata})" if strata and not row.given else ""
    models = f" ({row.model} against {row.versus})" if row.model and row.versus else ""
    metric = f"{row.metric} ({row.term})" if row.term else row.metric  # of a class, or of a feature
    return f"{metric} of {among}{models}{crude}" if among else f"{metric}{models}"


def _not_compared(gate: Gate, result: Any) -> list[str]:
    """What a gate that passes does not include: what has no margin, unnamed intersections, people without a group."""
    from fairstats.auditing.result import Audit

    if not isinstance(result, Audit):
        return []
    from fairstats.auditing.answer import of_missing

    among = [row for row in result.estimates.where(verdict=SHOWN) if of_missing(row) and row.group]
    differ = {(row.attribute, row.group, row.reference): row for row in among}.values()
    lines = [f"{row.group} of {row.attribute}, shown to differ from {row.reference}" for row in differ]
    left = result.passes(gate.metric or None).not_compared if gate.name == "no-equivalence" else []
    return [*left, *lines]


def exit_code(gates: Sequence[Gate], result: Any, tables: Sequence[Any] = ()) -> int:
    """Say on stderr which gates failed, or what those that pass do not include; return the exit code."""
    lines = failures(gates, result, tables)
    beside = [] if lines else [(gate.text, one) for gate in gates for one in _not_compared(gate, result)]
    left = [f"{gate} does not include {one}." for gate, one in beside]
    for line in lines + left:
        click.echo(visible(f"fairstats: {line}"), err=True)
    return GATE_FAILED if lines else 0


# FILE on the command line: a path, ``-`` for standard input, several files and patterns as one table.


STDIN = "-"
STDIN_NAME = "standard input"
IN_PARTS = (".parquet", ".feather", ".arrow")
FORMATS = ("csv", "tsv", "parquet", "feather", "arrow", "rds", "xlsx", "json")
_MARKS = (
    (b"PAR1", "parquet"), (b"ARROW1", "arrow"), (b"X\n\0\0", "rds"), (b"RDX", "rds"), (b"A\n", "rds"),
    (b"PK\3\4", "xlsx"), (b"[", "json"), (b"{", "json"),
)  # fmt: skip

FILES = click.argument("files", nargs=-1, required=True, metavar="FILE...")
INPUT_FORMAT = click.option("--input-format", type=click.Choice(FORMATS),
                            help="What standard input holds. [found from its first bytes]")  # fmt: skip


def expanded(files: Sequence[str]) -> list[str]:
    """Return the files with every pattern replaced by what it matches, in the order of names.

    Raises FileError: a pattern matches nothing, or standard input stands beside something else or twice.
    """
    names: list[str] = []
    for name in files:
        if re.fullmatch(r"\w+", name) and not Path(name).exists() and any(Path(other).is_file() for other in files):
            raise FileError(
                f"there is no file {name!r}; if it is one of several columns of an option, write them by commas (A,B), "
                "or the option again."
            )
        is_pattern = any(letter in name for letter in "*?[") and not Path(name).exists()
        matches = sorted(glob.glob(name, recursive=True)) if is_pattern else [name]
        if not matches:
            raise FileError(f"no file matches {name!r}; check the folder and the ending.")
        names += matches
    if names.count(STDIN) > 1:
        raise InputError("FILE has '-' twice; standard input can be read once.")
    places = [Path(name).resolve() for name in names]
    if twice := next((name for name, place in zip(names, places, strict=True) if places.count(place) > 1), None):
        raise InputError(f"FILE has {twice!r} twice, whose people would be counted twice; name it once.")
    refuse_copies(names, "FILE")
    return names


def source(files: Sequence[str], input_format: str | None = None) -> Any:
    """Return what `fairstats.audit` reads: the path of one file, several as one table, or the sum of saved tallies."""
    if len(files) == 1 and files[0] != STDIN and not _is_saved(files[0]):
        return files[0]
    if any(map(_is_saved, files)):
        return _tallies(files)
    from fairstats.data.read import Several

    return Several(tuple(files), lambda name, labels: _one(name, labels, input_format))


def people(files: Sequence[str], input_format: str | None = None) -> Any:
    """Return the same for what only counts people: several files of Parquet or Arrow stay paths, read in parts."""
    if len(files) > 1 and all(Path(name).suffix.lower() in IN_PARTS for name in files):
        return list(files)
    return source(files, input_format)


def table(files: Sequence[str], labels: Iterable[str] = (), input_format: str | None = None) -> Table:
    """Return the files as one table."""
    from fairstats.data.read import Several

    return Several(tuple(files), lambda name, labels: _one(name, labels, input_format)).table(labels)


def _one(name: str, labels: Iterable[str], input_format: str | None) -> Table:
    from fairstats.data.read import read_file, read_table

    if name != STDIN:
        return read_table(name, labels=labels)
    content = sys.stdin.buffer.read()
    if not content or content.isspace():
        raise FileError("the standard input is empty; pipe a table into it, with a header line and at least one row.")
    from dataclasses import replace

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, f"stdin.{input_format or sniffed(content)}")
        file.write_bytes(content)
        return replace(read_file(file, f"the {STDIN_NAME}", tuple(labels)), name=STDIN_NAME, paths=(STDIN,))


def sniffed(content: bytes) -> str:
    """Return the ending of a file with this content: by its first bytes, else text with separators.

    >>> import gzip
    >>> sniffed(b"PAR1..."), sniffed(b"sex,hired\\n"), sniffed(gzip.compress(b"a,b\\n1,2\\n"))
    ('parquet', 'csv', 'csv.gz')
    """
    compressed = content[:2] == b"\x1f\x8b"
    try:
        first = zlib.decompressobj(wbits=31).decompress(content, 8) if compressed else content[:8]
    except zlib.error:
        first = b""
    kind = next((name for mark, name in _MARKS if first.startswith(mark)), "csv")
    return f"{kind}.gz" if compressed and kind == "csv" else kind


def _is_saved(name: str) -> bool:
    return Path(name).suffix.lower() == ".npz"


def _tallies(files: Sequence[str]) -> Any:
    """The saved tallies, added up."""
    import fairstats

    parts = []
    for name in files:
        if not _is_saved(name):
            raise InputError(f"FILE has {name!r} beside saved tallies; count it first: fairstats tally {name} ...")
        parts.append(loaded(name, fairstats.Tally, "tally", "fairstats tally"))
    return sum(parts)


def of_rows(files: Sequence[str]) -> None:
    """Let errors about the rows of a saved fit name their files."""
    shell = click.get_current_context().find_object(Shell)
    if shell is not None:
        shell.rows = listing([f"the {STDIN_NAME}" if name == STDIN else repr(name) for name in files])


def loaded(name: str, kind: type | tuple[type, ...], what: str, maker: str) -> Any:
    """Return the saved result of a file; InputError where it is of another kind."""
    import fairstats

    result: Any = fairstats.load(name)
    if not isinstance(result, kind):
        raise InputError(
            f"{name!r} holds {_article(type(result).__name__.lower())}; what is needed is {_article(what)}, as "
            f"{maker} saves it."
        )
    return result


def _article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


# Options that several commands share, and the report that they ask for.


READ = "fairstats.read"  # where the context of a command keeps the files that its options have read


def columns(context: click.Context, parameter: click.Parameter, given: Sequence[str]) -> list[str]:
    """``--groups sex,race --groups age`` as one list."""
    return [name.strip() for value in given for name in value.split(",") if name.strip()]


def formula_of(context: click.Context, parameter: click.Parameter, given: str | None) -> str | list[str] | None:
    """``--adjust-for "~ grade + tenure"`` as it is, ``grade,tenure`` as a list."""
    return given if given is None or "+" in given else named_or_formula(given)


def intersections_of(context: click.Context, parameter: click.Parameter, given: Sequence[str]) -> Any:
    """``--intersections full`` as it is, ``none`` as False, ``--intersections sex:race`` as a list."""
    result = columns(context, parameter, given)
    if result == ["none"]:
        return False
    if len(result) == 1 and ":" not in result[0] and result[0] not in ("pairs", "full"):
        hint = nearest(result[0], ("pairs", "full", "none"))
        raise click.BadParameter(with_hint(f"{result[0]!r} is no choice", hint, "pass pairs, full, none or sex:race."))
    return result[0] if len(result) == 1 and ":" not in result[0] else result


def order_of(context: click.Context, parameter: click.Parameter, given: Sequence[str]) -> list[str] | None:
    """``--class-order reject,review,accept`` as a list."""
    return columns(context, parameter, given) or None


def label_given(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> str | list[str] | None:
    """``--favorable accept`` as text; given more than once the last does not win silently: it is refused as a list."""
    return list(given) if len(given) > 1 else next(iter(given), None)


def one_or_more(context: click.Context, parameter: click.Parameter, given: str) -> str | list[str]:
    """``logistic`` as it is, ``logistic,lasso`` as a list."""
    names = [name.strip() for name in given.split(",") if name.strip()]
    return names[0] if len(names) == 1 else names


def whole_numbers(context: click.Context, parameter: click.Parameter, given: str | None) -> int | list[int] | None:
    """``-k 5`` as a number, ``-k 2,5,10`` as a list."""
    if given is None:
        return None
    try:
        numbers = [int(part) for part in given.split(",")]
    except ValueError:
        raise click.BadParameter(f"{given!r} is not a whole number, or several separated by commas.") from None
    return numbers[0] if len(numbers) == 1 else numbers


def headline_of(context: click.Context, parameter: click.Parameter, given: str | None) -> dict[str, list[str]] | None:
    """``race=Black,White`` as the attribute and its two groups."""
    if given is None:
        return None
    column, _, groups = given.partition("=")
    pair = [name.strip() for name in groups.split(",")]
    if not column.strip() or len(pair) != 2 or not all(pair):
        raise click.BadParameter(
            f"{given!r} is no column and two of its groups, as in race=Black,White; names with commas go into a "
            "protocol file."
        )
    return {column.strip(): pair}


class Number(click.ParamType):
    """A number; of a share in per cent it is not known what 100% is."""

    name = "float"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> float:
        """The number, or click's error with an example."""
        try:
            return float(value)
        except ValueError:
            self.fail(f"{value!r} is no number; write it as the column has it, such as 0.5 or 50.", parameter, context)


class Share(click.ParamType):
    """A number, which may be written in per cent: ``0.05`` or ``5%``."""

    name = "float"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> float:
        """The number, or click's error with an example."""
        try:
            return value if isinstance(value, float) else share_of(value)
        except ValueError:
            self.fail(f"{value!r} is no number; write 0.05 or 5%.", parameter, context)


def share_of(text: str) -> float:
    """The number of a text; ValueError where it is none.

    >>> share_of("0.05"), share_of("5 %")
    (0.05, 0.05)
    """
    number = text.strip()
    return float(number[:-1]) / 100 if number.endswith("%") else float(number)


def margin_of(context: click.Context, parameter: click.Parameter, given: str | None) -> float | dict[str, float] | None:
    """``0.05`` as a number, ``gap=0.05,ratio=0.8`` as a mapping."""
    if given is None:
        return None
    try:
        if "=" not in given:
            return share_of(given)
        return {name.strip(): share_of(value) for name, _, value in (part.partition("=") for part in given.split(","))}
    except ValueError as error:
        raise click.BadParameter(f"{given!r} is no number, nor a margin by name, as in gap=0.05,ratio=0.8.") from error


def shares_of(context: click.Context, parameter: click.Parameter, given: Sequence[str]) -> tuple[float, ...]:
    """``--quantiles 0.1,0.9`` as numbers; the default where there are none."""
    try:
        return tuple(map(share_of, columns(context, parameter, given))) or ARGUMENTS[str(parameter.name)].default
    except ValueError:
        raise click.BadParameter(f"{','.join(given)!r} is no list of numbers; write 0.1,0.9.") from None


def pairs_of(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> dict[str, str] | None:
    """``KEY=TEXT``, each time that it was given, as a mapping; None where it was not."""
    return _pairs(given) or None


def design_entries(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> dict[str, Any] | None:
    """``strata=region``, ``nest=true``, ``replicate_weights=rw*`` as `fairstats.survey_design` takes them."""
    entries = (entry for one in given for entry in re.split(r",(?=\s*\w+=)", one))
    result: dict[str, Any] = dict(_pairs(tuple(entries)))
    for key, text in result.items():
        if key in ("nest", "mse", "combined_weights"):
            if text.lower() not in ("true", "false"):
                raise click.BadParameter(f"{key}={text!r} is neither true nor false; write {key}=true.")
            result[key] = text.lower() == "true"
        elif key in ("scale", "rscales"):
            try:
                numbers = [float(one) for one in text.split(",")]
            except ValueError as error:
                raise click.BadParameter(f"{key}={text!r} is no number; write {key}=0.5.") from error
            result[key] = numbers if key == "rscales" else numbers[0]
        elif key in ("replicate_weights", "calibration") or (key in ("clusters", "fpc", "drawn") and "," in text):
            result[key] = text.split(",")
    return result or None


def labels_of(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> dict[str, Any] | None:
    """``unit=arrestees``, ``attributes.race=ancestry``, ``groups.race.1=Black`` as `fairstats.audit` takes labels."""
    from fairstats.auditing.protocol import KEYS

    result: dict[str, Any] = {}
    for key, text in _pairs(given).items():
        name, *inside = key.split(".", 2)
        if name not in KEYS or len(inside) != {"attributes": 1, "groups": 2}.get(name, 0):
            raise click.BadParameter(
                f"{key!r} is no entry of labels; write unit=..., attributes.COLUMN=..., groups.COLUMN.GROUP=... (as in "
                f"groups.sex.M=Men) or one of {', '.join(KEYS[:-2])}; "
                "names with dots go into a protocol file."
            )
        at = result
        for step in (name, *inside)[:-1]:
            at = at.setdefault(step, {})
        at[(name, *inside)[-1]] = text
    return result or None


def _pairs(given: tuple[str, ...]) -> dict[str, str]:
    split = [(entry, *entry.partition("=")) for entry in given]
    for entry, _, _, text in split:
        if found := re.search(r",\s*([\w.]+)=", text):
            raise click.BadParameter(
                f"{entry!r} has a second entry, {found[1]}; write the option once for each, as in unit=arrestees."
            )
    wrong = next((entry for entry, key, mark, text in split if not (key.strip() and mark and text.strip())), None)
    if wrong is not None:
        raise click.BadParameter(f"{wrong!r} is no KEY=TEXT, as in unit=arrestees.")
    return {key.strip(): text.strip() for _, key, _, text in split}


def splits_from(context: click.Context, parameter: click.Parameter, given: str | None) -> list[tuple[Any, Any]] | None:
    """A file with a column each split and a line each row, as pairs of masks."""
    if given is None:
        return None
    from fairstats.data.read import read_table

    context.meta.setdefault(READ, []).append(given)
    frame = read_table(given).frame
    strange = sorted({str(v) for c in frame for v in frame[c].dropna().unique()} - {"train", "test"})
    if strange:
        raise click.BadParameter(visible(f"{given} holds {strange[0]!r}; each cell says train, test or nothing."))
    return [(frame[c].eq("train").to_numpy(bool), frame[c].eq("test").to_numpy(bool)) for c in frame]


def options(*options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Several options as one decorator, shown by --help in the order given."""

    def decorate(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


# How the values of each form of an audit's arguments are written at a shell.
_FORMS: dict[Form, dict[str, Any]] = {
    "column": {"metavar": "COLUMN"},
    "columns": {"multiple": True, "callback": columns, "metavar": "COLUMN"},
    "label": {"multiple": True, "callback": label_given, "metavar": "LABEL"},  # of several the audit says what to do
    "number": {"type": Number()},
    "level": {"type": Share()},
    "count": {"type": int, "metavar": "N"},
    "seed": {"type": int},
    "choice": {"metavar": "NAME"},
    "reference": {"metavar": "RULE"},
    "margin": {"callback": margin_of, "metavar": "MARGIN"},
    "intersections": {"multiple": True, "callback": intersections_of, "metavar": "WHICH"},
    "headline": {"callback": headline_of, "metavar": "COLUMN=GROUP,GROUP"},
    "labels": {"multiple": True, "callback": labels_of, "metavar": "KEY=TEXT"},
    "order": {"multiple": True, "callback": order_of, "metavar": "LABEL"},
    "shares": {"multiple": True, "callback": shares_of, "metavar": "SHARE"},
    "formula": {"callback": formula_of, "metavar": "FORMULA"},
    "about": {"multiple": True, "callback": pairs_of, "metavar": "KEY=TEXT"},
    "design": {"multiple": True, "callback": design_entries, "metavar": "KEY=COLUMN"},
    "flag": {"is_flag": True, "default": None},
}
_SPELLINGS = {"favorable": ("--favourable",)}


def of_audit(*names: str) -> Callable[[Any], Any]:
    """The options of arguments of an audit, from what is declared of them; without names all of them."""
    return options(*map(_option_of, map(ARGUMENTS.__getitem__, names or ARGUMENTS)))


def of_labels(words: str) -> Callable[[Any], Any]:
    """The option of labels of a command that takes some of those of an audit."""
    return options(_option_of(replace(ARGUMENTS["labels"], words=words)))


def _option_of(argument: Argument) -> Callable[[Any], Any]:
    form = _FORMS[argument.form]
    by_commas = ", or by commas" if argument.form in ("columns", "order", "shares") else ""
    repeatable = f"; repeatable{by_commas}." if form.get("multiple") and argument.form != "label" else "."
    shown = ",".join(map(str, argument.default)) if argument.form == "shares" else argument.default
    default = "" if argument.default in (None, False) else f" [{shown}]"
    words = f"{argument.words.removesuffix('.')}{repeatable}{default}"
    flags = (f"--{argument.name.replace('_', '-')}", *_SPELLINGS.get(argument.name, ()))
    return click.option(*flags, **form, help=words)


GROUPS = of_audit("groups")
_WORDS: dict[str, dict[str, Any]] = {
    "--title": {"help": "Title of the report."},
    "--auditor": {"default": "", "help": "Who audits, for page one of the report."},
    "--templates": {"metavar": "DIR", "help": "Folder whose templates override the report's, file by file."},
    "--preset": {
        "default": "generic",
        "show_default": True,
        "help": "Which report: generic, comparison, four_fifths, ll144, method, monitoring, or a file of presets/ in "
        "--templates.",
    },
    "--ll144-notice": {
        "multiple": True,
        "metavar": "KEY=TEXT",
        "callback": pairs_of,
        "help": "What Local Law 144 has published (tool=..., vendor=...), with --preset ll144; repeatable.",
    },
    "--paper": {
        "type": click.Choice(list(PAPERS)),
        "default": "a4",
        "show_default": True,
        "help": "Of .pdf and .docx.",
    },
    "--language": {
        "type": click.Choice(languages()),
        "default": ENGLISH,
        "show_default": True,
        "help": "Of the report and of .tex; .csv, .json and what commands print stay English.",
    },
}


OF_A_REPORT = ("title", "auditor", "templates", "paper", "language", "ll144_notice")
# What reports of some endings have: the endings that it is of, or (False) those that it is not of.
_WITH_PAPER = (".pdf", ".docx", ".html")
_OF_DATA = (".csv", ".json", ".npz", *IN_PARTS)


def _refuse_words_of_others(out: Outputs) -> None:
    """Refuse the size of paper, or the language, where no output has one."""
    source = click.get_current_context().get_parameter_source
    endings = [out.ending(path) for path in out.to]
    if source("paper") == ParameterSource.COMMANDLINE and not {*endings} & {*_WITH_PAPER}:
        raise click.UsageError(f"--paper is of {listing(_WITH_PAPER)}, and none is written; leave it out.")
    if source("language") == ParameterSource.COMMANDLINE and {*endings} <= {*_OF_DATA}:
        raise click.UsageError(f"--language is of a report, and {listing(endings)} stay English; leave it out.")


def report_words(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of a report, handed to the command as one dictionary; the last of its options."""

    @functools.wraps(command)
    def collected(**arguments: Any) -> Any:
        words = {name: arguments.pop(name) for name in (flag[2:].replace("-", "_") for flag in _WORDS)}
        if not arguments.get("out"):
            source = click.get_current_context().get_parameter_source
            given = [name for name in OF_A_REPORT if source(name) == ParameterSource.COMMANDLINE]
            if given:
                option = given[0].replace("_", "-")
                raise click.UsageError(f"--{option} is of a report, and none is written; add --to report.pdf.")
        else:
            _refuse_words_of_others(arguments["out"])
        return command(words=words, **arguments)

    return options(*(click.option(flag, **more) for flag, more in _WORDS.items()))(collected)


def one_or_several(names: list[str]) -> str | list[str] | None:
    """What ``groups=`` takes: a name, a list of names, or nothing."""
    return names[0] if len(names) == 1 else names or None


def named_or_formula(features: str) -> str | list[str]:
    """A formula as it is, ``age,priors`` as a list of names."""
    return features if "~" in features else [name.strip() for name in features.split(",")]


# Which packages a form of output needs; one that is missing is said before the work.


_FIGURE = ("a figure", "matplotlib", "matplotlib", "report")
_PDF = ("a PDF", "weasyprint", "weasyprint", "report")
_ARROW = ("a Parquet or Arrow file", "pyarrow", "pyarrow", "scale")
_NEEDED = {
    ".pdf": (_PDF,),
    ".docx": (_FIGURE, ("a Word document", "docx", "python-docx", "tables")),
    **dict.fromkeys((".parquet", ".feather", ".arrow"), (_ARROW,)),
}


def refuse_without_packages(kind: str, ending: str) -> None:
    """A package that is missing is said before the work: of a kind of output, or of the ending of its file."""
    needed = (_FIGURE,) if kind == "drawing" else _NEEDED.get(ending, ())
    for what, module, package, extra in needed:
        if find_spec(module) is None:
            raise not_installed(what, package, extra)


# Text of data that a spreadsheet would run as a formula: said, or made inert where that was asked for.


def for_spreadsheets(frame: Any, path: str, is_inert: bool, say: Callable[[str], None]) -> Any:
    """Return a table for a .csv file, and say where it holds such text.

    Data are written as they are, so that what is read back is what was written; only where ``is_inert`` asks for it,
    such text gets an apostrophe.

    >>> import pandas as pd
    >>> for_spreadsheets(pd.DataFrame({"g": ["=1+2", "b"]}), "a.csv", True, print)["g"].tolist()
    ["'=1+2", 'b']
    """
    from pandas.api.types import is_numeric_dtype

    from fairstats.reporting.bundle import inert

    result, is_stated = frame.copy(deep=False), False
    for column in (name for name in frame if not is_numeric_dtype(frame[name])):
        entries = {value: inert(value) for value in frame[column].unique() if isinstance(value, str)}
        formulas = [value for value, other in entries.items() if value != other]
        if formulas and is_inert:
            result[column] = frame[column].astype(object).map(lambda value, changed=entries: changed.get(value, value))
        elif formulas and not is_stated:
            is_stated = True
            say(
                f"{path} has {formulas[0]!r} in the column {column}, which a spreadsheet would run as a formula; "
                "--inert puts an apostrophe before such text."
            )
    return result


# Where results go: files by their ending, standard output, the browser; nothing is overwritten that is not ours.


STDOUT = "-"
Beside = Mapping[str, Callable[[], Any]]
NOTHING: Beside = {}
QUIET = "fairstats.errors"  # where the context of a command keeps whether notes are wanted
BINARY = ("pdf", "docx", "xlsx", "npz", "parquet", "feather", "arrow", "rds", "png")


@dataclass(frozen=True)
class Outputs:
    """What a command was asked to write: files, a form for standard output, and how."""

    to: tuple[str, ...] = ()
    form: str = ""  # of standard output, without its dot
    force: bool = False
    opened: bool = False
    forms: tuple[str, ...] = ("report",)  # what this command can make; the first that has an ending, has it
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

        more: further files that are written.
        """
        from fairstats.files import check_targets

        read = [*inputs, *click.get_current_context().meta.get(READ, ())]
        targets = [*self.files, *more]
        if self.inert and not any(end[:4] in (".csv", ".tsv") for end in map(self.ending, (*self.to, *more))):
            raise click.UsageError("--inert is of a .csv, and none is written; name one, or leave it out.")
        for path in self.to:
            refuse_without_packages(self.kind(path), self.ending(path))
        check_targets(targets, [path for path in read if path is not None and path != STDOUT])
        for path in more:
            if _ending(path) not in _ENDINGS["table"]:
                raise FileError(f"{path!r} is no table; its ending can be {listing(_ENDINGS['table'], 20)}; change it.")
        check_overwriting(targets, self.force)

    def ending(self, path: str) -> str:
        """The ending of a target, of standard output that of its form."""
        return f".{self.form}" if path == STDOUT else _ending(path)

    def kind(self, path: str) -> str:
        """Which of the forms the ending asks for."""
        ending = self.ending(path)
        entries = {kind: _endings(kind) for kind in self.forms}
        result = next((kind for kind, endings in entries.items() if ending in endings), "")
        if not result:
            what = f"--format has {ending[1:]!r}" if path == STDOUT else f"--to has {path!r}"
            every = dict.fromkeys(end for endings in entries.values() for end in endings)
            out = f"the ending can be {listing(every, 20)}"
            if ending in (".xlsx", ".xls"):
                sheet = "save('table.xlsx')"
                out += f"; for a spreadsheet write .csv, or one table by Python, fairstats.table(result).{sheet}"
            way = "change it"
            if ending in _ENDINGS["drawing"] and {"report", "saved"} <= {*self.forms}:
                way += f", or write result.npz and draw it: fairstats plot result.npz --to {Path(path).name}"
            raise FileError(f"{what}; {out}; {way}.")
        return result

    def write(self, *, read: Iterable[str] = (), beside: Beside = NOTHING, **makers: Callable[[], Any]) -> None:
        """Write every target by its ending; all is made before the first file is touched, and replaced together.

        read: SHA-256 of what the results were made of.
        beside: further tables that the command has to write, and what makes each.
        **makers: for each kind what makes it: the report, the table, the result to save, the drawing, the text.
        """
        from fairstats.files import check_kept, make_folder, write_together

        cached = {kind: functools.cache(maker) for kind, maker in makers.items()}
        items = []
        for path in self.to:
            kind, ending = self.kind(path), self.ending(path)
            result = self._for_spreadsheets(cached[kind](), path, ending) if kind == "table" else cached[kind]()
            items.append((path, _BYTES[kind](result, path, ending)))
        for path, make in beside.items():
            frame = self._for_spreadsheets(make(), path, _ending(path))
            items.append((path, {path: _table_bytes(frame, _ending(path))}))
        files = {file: data for path, content in items if path != STDOUT for file, data in content.items()}
        check_kept([*self.files, *beside], read)
        for file in files:
            make_folder(Path(file).parent)
        write_together(files.items())
        for path, content in items:
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
    from fairstats.reporting.report import WRITERS

    return WRITERS


def _report_files(report: Any, path: str, ending: str) -> dict[str, bytes]:
    result: dict[str, bytes] = report.form(path, ending)
    return result


def _one_output(make: Callable[[Any, str], bytes]) -> Callable[[Any, str, str], dict[str, bytes]]:
    return lambda result, path, ending: {path: make(result, ending)}


def _saved_bytes(result: Any, ending: str) -> bytes:
    from fairstats.saving import to_bytes

    return to_bytes(result)


def _drawing_bytes(save: Any, ending: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, f"figure{ending}")
        save(file)
        return file.read_bytes()


def _table_bytes(frame: Any, ending: str) -> bytes:
    from fairstats.data.read import write_table

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, f"table{ending}")
        write_table(frame, file)
        return file.read_bytes()


# What belongs to a target: its file, and those beside it that it names.
_BYTES: dict[str, Callable[[Any, str, str], dict[str, bytes]]] = {
    "report": _report_files,
    "table": _one_output(_table_bytes),
    "saved": _one_output(_saved_bytes),
    "drawing": _one_output(_drawing_bytes),
    "latex": _one_output(lambda content, ending: content),
    **dict.fromkeys(("toml", "json"), _one_output(lambda text, ending: str(text).encode())),
}
_ENDINGS: dict[str, tuple[str, ...]] = {
    "table": (".csv", ".tsv", ".csv.gz", ".tsv.gz", ".parquet", ".feather", ".arrow", ".rds"),
    "saved": (".npz",),
    "latex": (".tex",),
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


def outputs(forms: str, *text: str, default: str = "", can_open: bool = False) -> Callable[[Any], Any]:
    """Options of a command that writes, handed to it as ``out``.

    forms: the endings that ``--to`` takes, for the help.
    *kinds: what the command makes: report, table, saved, drawing, toml, json; the first that has an ending, has it.
    default: the form of standard output where --format is not given; "" where it must be.
    can_open: whether there may be something to look at.
    """
    kinds = (*text, "latex") if "report" in text else text
    forms = f"{forms}; .tex: its tables for LaTeX, with booktabs" if "report" in text else forms

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def collected(to: Sequence[str], form: str | None, force: bool, **arguments: Any) -> Any:
            opened, inert = arguments.pop("opened", False), arguments.pop("inert", False)
            targets = (STDOUT,) if form and not to else tuple(path for given in to for path in _paths(given, kinds))
            out = Outputs(targets, _form(targets, form, default), force, opened, kinds, inert)
            if opened and not out.files:
                raise click.UsageError("--open shows a file that was written; name one: --to audit.html.")
            return command(out=out, **arguments)

        inertly = [click.option("--inert", is_flag=True,
                                help="In a .csv, an apostrophe before text that a spreadsheet would run.")]  # fmt: skip
        opening = [click.option("--open", "opened", is_flag=True, help="Show the first file that was written.")]
        return options(
            click.option("--to", "to", multiple=True, metavar="FILE",
                         help=f"Write to this file, by its ending ({forms}); - is standard output; "
                              "repeatable, or separated by commas."),
            click.option("--format", "form", metavar="FORM",
                         help=f"Form of standard output: an ending without its dot.{f' [{default}]' * bool(default)}"),
            click.option("--force", is_flag=True,
                         help="Replace also a file that fairstats did not write; what is read is never replaced."),
            *(opening if can_open else []),
            *(inertly if "table" in text else []),
            _QUIET,
        )(collected)  # fmt: skip

    return decorate


def _paths(given: str, kinds: Sequence[str]) -> list[str]:
    """Return the files of a list with commas, where each part has an ending; else the one file.

    One that is not of the kinds, in small letters (b.xlsx), is refused by itself: J.Smith, audit.html is one file.
    """
    parts, known = [part.strip() for part in given.split(",")], {end for kind in kinds for end in _endings(kind)}
    ends = [part == STDOUT or _ending(part) in known or re.search(r"\w\.[a-z]\w{1,6}$", part) for part in parts]
    return parts if all(ends) else [given]


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

    from fairstats.provenance import digests
    from fairstats.reporting.report import report
    from fairstats.reporting.result_table import latex_file

    with Console(stderr=True, quiet=is_quiet()).status("Writing ..."):
        made: dict[str, Any] = {
            "report": lambda: report(*results, **words),
            "latex": lambda: latex_file(results, words.get("language", ENGLISH)),
        }
        out.write(read=digests(results), **made, **others)
    shell = click.get_current_context().find_object(Shell)
    if shell is not None:  # of the other kind a .csv is of people
        shell.written = next((p for p in out.files if _ending(p) == ".csv" and out.kind(p) == "report"), "")
