"""``fairstats fit``: one method, one table in, the adjusted table or a report out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from fairstats.cli.options import GROUPS, REPORT_WORDS, TO, announce, check_targets, options, write_report

METHODS = ("pca", "og")
DATA_SUFFIXES = (".csv", ".tsv", ".gz", ".parquet", ".feather", ".arrow")


@click.command(short_help="Take groups out of a table, or decompose it.")
@click.argument("method", type=click.Choice(METHODS))
@click.argument("file")
@options(
    GROUPS,
    click.option("--features", metavar="FORMULA", help='For example "~ (age + priors)**2"; or columns, by commas.'),
    click.option("-k", "k", type=int, default=2, show_default=True, help="Number of components."),
    click.option("--scale", is_flag=True, help="Divide every feature by its standard deviation first."),
    click.option("--missing", type=click.Choice(["raise", "level"]), default="raise", show_default=True,
                 help="People without a group are an error, or a group of their own."),
    click.option("--scores", metavar="FILE", help="Write the input with the component scores added to this table."),
    click.option("--summary", "print_summary", is_flag=True, help="Print the fit although files are written."),
    TO,
    REPORT_WORDS,
)  # fmt: skip
def fit(method: str, file: str, groups: list[str], features: str | None, scores: str | None, print_summary: bool,
        to: Sequence[str], title: str | None, auditor: str, templates: str | None,
        **settings: Any) -> None:  # fmt: skip
    """Fit METHOD to FILE and write the adjusted table (.parquet, .csv, ...) or a report (.html, .pdf, .json).

    \b
      fairstats fit og data.parquet --groups race --features "~ (age + priors_count + sex)**2" -k 10 \\
        --to adjusted.parquet
    """
    check_targets([*to, *([scores] if scores else [])])
    import fairstats as fs
    from fairstats.data.sources import read_table, write_table

    frame = read_table(file).frame
    chosen = {"groups": groups[0] if len(groups) == 1 else groups} if groups else {}
    result = getattr(fs, method)(_features(frame, features, groups), data=frame, **settings, **chosen)
    tables = {path: _adjusted for path in to if Path(path).suffix.lower() in DATA_SUFFIXES}
    write_report([result], [path for path in to if path not in tables], title, auditor, templates)
    if scores:
        tables[scores] = _with_scores
    for path, made in tables.items():
        write_table(made(result, frame), path)
    announce([*to, *([scores] if scores else [])])
    if print_summary or not (to or scores):
        click.echo(result.summary())


def _features(frame: Any, features: str | None, groups: list[str]) -> Any:
    """A formula as it is, names as a list, and without either every numeric column that is no group."""
    if features is None:
        taken = {name for group in groups for name in group.split(":")}
        return [c for c in frame.select_dtypes(["number", "bool"]).columns if c not in taken]
    return features if "~" in features else [name.strip() for name in features.split(",")]


def _adjusted(fit: Any, frame: Any) -> Any:
    """The input with its features replaced by the adjusted ones: no raw feature is left beside them by accident."""
    import pandas as pd

    formula = fit.frame.formula
    raw = set(fit.features if formula is None else formula.variables)
    made = pd.DataFrame(fit.reconstruct(frame), columns=list(fit.features), index=frame.index)
    return pd.concat([frame[[c for c in frame.columns if c not in raw and c not in made.columns]], made], axis=1)


def _with_scores(fit: Any, frame: Any) -> Any:
    return fit.augment(frame)
