"""``fairstats fit`` and ``fairstats apply``: one method, one table in, the adjusted table or a report out."""

from __future__ import annotations

import inspect
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

import fairstats
from fairstats.cli.options import (
    GROUPS,
    TO,
    announce,
    check_targets,
    named_or_formula,
    one_or_several,
    options,
    report_words,
    write_report,
)
from fairstats.errors import InputError, listing, nearest
from fairstats.methods.registry import METHODS

# What has an option of its own, or comes from the file.
_SPOKEN_FOR = {"X", "groups", "k", "data", "missing", "scale"}
DATA_SUFFIXES = (".csv", ".tsv", ".gz", ".parquet", ".feather", ".arrow", ".rds")


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
@click.argument("file")
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
    TO,
    report_words,
)  # fmt: skip
def fit(method: str, file: str, groups: list[str], features: str | None, k: int | None, scale: bool, missing: str,
        settings: Sequence[str], scores: str | None, print_summary: bool, to: Sequence[str],
        words: dict[str, Any]) -> None:  # fmt: skip
    """Fit METHOD to FILE; write the adjusted table (.parquet, .csv), the fit (.npz), a report (.html, .pdf, .json).

    \b
      fairstats fit og data.parquet --groups race --features "~ (age + priors_count + sex)**2" -k 10 \\
        --to adjusted.parquet
    """
    check_targets([*to, *([scores] if scores else [])], [file])
    from fairstats.data.sources import read_table

    function = METHODS[method].function
    chosen = {"k": k, "scale": scale or None, "groups": one_or_several(groups)}
    given = {name: value for name, value in chosen.items() if value is not None} | _settings(function, settings)
    frame = read_table(file, labels=groups).frame
    result = function(_features(frame, features, groups), data=frame, missing=missing, **given)
    tables, saved = _ending(to, DATA_SUFFIXES), _ending(to, (".npz",))
    tables_adjusted = {path: _adjusted(result, frame) for path in tables}
    write_report([result], [path for path in to if path not in (*tables, *saved)], words)
    _write_tables(tables_adjusted | ({scores: result.augment(frame)} if scores else {}))
    for path in saved:
        result.save(path)
    announce([*to, *([scores] if scores else [])])
    if print_summary or not (to or scores):
        click.echo(result.summary())


@click.command(short_help="Apply a saved fit to new rows.")
@click.argument("saved")
@click.argument("file")
@options(
    click.option("--on-unknown", type=click.Choice(["raise", "mean"]), default="raise", show_default=True,
                 help="A group that the fit has not seen is an error, or treated as average."),
    click.option("--scores", metavar="FILE", help="Write the input with the component scores added to this table."),
    click.option("--to", "to", metavar="FILE", help="Write the adjusted table (.parquet, .csv, ...)."),
)  # fmt: skip
def apply(saved: str, file: str, on_unknown: str, scores: str | None, to: str | None) -> None:
    """Apply the fit in SAVED (from fairstats fit --to fit.npz) to the rows of FILE.

    \b
      fairstats apply fit.npz new.csv --to adjusted.csv
    """
    targets = [path for path in (to, scores) if path]
    if not targets:
        raise click.UsageError("name a file to write: --to for the adjusted table, --scores for the scores.")
    check_targets(targets, [saved, file])
    from fairstats.data.sources import read_table

    result = fairstats.load(saved)
    if not isinstance(result, fairstats.Projection):
        name = type(result).__name__
        raise InputError(f"SAVED has {saved!r}, which holds a result of the class {name}; apply a fit with components.")
    frame = read_table(file, labels=result.encoding.names if result.encoding else ()).frame
    adjusted = {to: _adjusted(result, frame, on_unknown)} if to else {}
    _write_tables(adjusted | ({scores: result.augment(frame)} if scores else {}))
    announce(targets)


def _ending(to: Sequence[str], suffixes: tuple[str, ...]) -> list[str]:
    return [path for path in to if Path(path).suffix.lower() in suffixes]


def _write_tables(tables: dict[str, Any]) -> None:
    from fairstats.data.sources import write_table

    for path, table in tables.items():
        write_table(table, path)


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


def _features(frame: Any, features: str | None, groups: list[str]) -> Any:
    """A formula as it is, names as a list, and without either every numeric column that is no group."""
    if features is None:
        from fairstats.labels import column_parts

        taken = {name for group in groups for name in column_parts(group, frame.columns)}
        return [c for c in frame.select_dtypes(["number", "bool"]).columns if c not in taken]
    return named_or_formula(features)


def _adjusted(fit: Any, frame: Any, on_unknown: str = "raise") -> Any:
    """The input with its features replaced by the adjusted ones: no raw feature is left beside them by accident."""
    import pandas as pd

    formula = fit.scaling.formula
    raw = set(fit.features if formula is None else formula.variables)
    adjusted = pd.DataFrame(
        fit.reconstruct(frame, on_unknown=on_unknown), columns=list(fit.features), index=frame.index
    )
    return pd.concat(
        [frame[[c for c in frame.columns if c not in raw and c not in adjusted.columns]], adjusted], axis=1
    )
