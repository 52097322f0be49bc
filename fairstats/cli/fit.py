"""``fairstats fit``: one method, one table in, the adjusted table, the fit or a report out."""

from __future__ import annotations

import inspect
import tomllib
from collections.abc import Callable, Sequence
from typing import Any

import click

from fairstats.cli.inputs import FILES, INPUT_FORMAT, expanded, table
from fairstats.cli.options import GROUPS, named_or_formula, one_or_several, options, report_words
from fairstats.cli.outputs import Outputs, outputs, write_report
from fairstats.cli.terminal import say
from fairstats.errors import InputError, listing, nearest
from fairstats.methods.registry import METHODS

# What has an option of its own, or comes from the file.
_SPOKEN_FOR = {"X", "groups", "k", "data", "missing", "scale"}


class Offered(click.ParamType):
    """The methods that give a table back: read when a command runs, so that a new one needs no word here."""

    name = "method"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> str:
        """The name, or click's error with those that there are."""
        names = [row.name for row in METHODS.values() if row.result == "projection"]
        if value not in names:
            self.fail(f"{value!r} is no method{nearest(str(value), names)}; it can be {listing(names, 20)}.")
        return str(value)


@click.command(short_help="Take groups out of a table, or decompose it.")
@click.argument("method", type=Offered())
@FILES
@options(
    GROUPS,
    click.option("--features", metavar="FORMULA", help='For example "~ (age + priors)**2"; or columns, by commas.'),
    click.option("-k", "k", type=int, help="Number of components. [the method's own]"),
    click.option("--scale", is_flag=True, help="Divide every feature by its standard deviation first."),
    click.option("--set", "settings", multiple=True, metavar="NAME=VALUE",
                 help="A setting of METHOD itself, for example --set basis=residual; repeatable."),
    click.option("--missing", type=click.Choice(["raise", "level"]), default="raise", show_default=True,
                 help="People without a group are an error, or a group of their own."),
    click.option("--scores", metavar="FILE", help="Write the input with the component scores added to this table."),
    click.option("--summary", "print_summary", is_flag=True, help="Print the fit although files are written."),
    INPUT_FORMAT,
    outputs(".csv, .parquet ...: the adjusted table; .npz: the fit; .html, .pdf, .json: report", "table", "saved",
            "report", default="csv", can_open=True),
    report_words,
)  # fmt: skip
def fit(method: str, files: tuple[str, ...], groups: list[str], features: str | None, k: int | None, scale: bool,
        missing: str, settings: Sequence[str], scores: str | None, print_summary: bool, input_format: str | None,
        out: Outputs, words: dict[str, Any]) -> None:  # fmt: skip
    """Fit METHOD to FILE; write the adjusted table (.parquet, .csv), the fit (.npz), a report (.html, .pdf, .json).

    Several files, and patterns such as 'p*.parquet', are one table; - is standard input.

    \b
      fairstats fit og data.parquet --groups race --features "~ (age + priors_count + sex)**2" -k 10 \\
        --to adjusted.parquet
    """
    read = expanded(files)
    out.check(read, [scores] if scores else [])
    frame = table(read, groups, input_format).frame
    result = fitted(method, frame, groups, features, k, scale, missing, settings)
    beside = {scores: lambda: result.augment(frame)} if scores else {}
    write_report(out, [result], words, beside=beside, table=lambda: adjusted(result, frame), saved=lambda: result)
    if not out.on_stdout and (print_summary or not (out or scores)):
        say(result.summary())


def fitted(method: str, frame: Any, groups: list[str], features: str | None, k: int | None, scale: bool, missing: str,
           settings: Sequence[str]) -> Any:  # fmt: skip
    """Return the fit of a method by its name, with what the options said."""
    function = METHODS[method].function
    chosen = {"k": k, "scale": scale or None, "groups": one_or_several(groups)}
    given = {name: value for name, value in chosen.items() if value is not None} | _settings(function, settings)
    parameters = inspect.signature(function).parameters.values()
    lacking = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY and p.default is p.empty and p.name not in given]
    if lacking:
        raise InputError(f"{method} needs {listing(lacking)}; add {' '.join(f'--set {name}=...' for name in lacking)}.")
    return function(columns_of(frame, features, groups), data=frame, missing=missing, **given)


def _settings(function: Callable[..., Any], given: Sequence[str]) -> dict[str, Any]:
    """``t=3`` as ``{"t": 3}``: numbers and true or false as in TOML, anything else is text."""
    known = [name for name in inspect.signature(function).parameters if name not in _SPOKEN_FOR]
    settings = {}
    for text in given:
        name, _, value = text.partition("=")
        if name not in known:
            raise InputError(
                f"--set has {text!r}; {function.__name__} has no setting {name!r}{nearest(name, known)}; "
                f"its settings are {listing(known, 12)}."
            )
        settings[name] = _value(value)
    return settings


def _value(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def columns_of(frame: Any, features: str | None, groups: list[str]) -> Any:
    """A formula as it is, names as a list, and without either every numeric column that is no group."""
    if features is None:
        from fairstats.labels import column_parts

        taken = {name for group in groups for name in column_parts(group, frame.columns)}
        return [c for c in frame.select_dtypes(["number", "bool"]).columns if c not in taken]
    return named_or_formula(features)


def adjusted(fit: Any, frame: Any, on_unknown: str = "raise") -> Any:
    """The input with its features replaced by the adjusted ones: no raw feature is left beside them by accident."""
    import pandas as pd

    formula = fit.scaling.formula
    raw = set(fit.features if formula is None else formula.variables)
    made = pd.DataFrame(fit.reconstruct(frame, on_unknown=on_unknown), columns=list(fit.features), index=frame.index)
    return pd.concat([frame[[c for c in frame.columns if c not in raw and c not in made.columns]], made], axis=1)
