"""``fairstats compare``: adjustments, a model, repeated splits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from fairstats.cli.inputs import FILES, INPUT_FORMAT, expanded, source
from fairstats.cli.options import (
    GROUPS,
    columns,
    named_or_formula,
    one_or_more,
    one_or_several,
    options,
    report_words,
    splits_from,
    whole_numbers,
)
from fairstats.cli.outputs import Outputs, outputs, write_report
from fairstats.cli.terminal import say


@click.command(short_help="Compare what models predict from adjusted data.")
@FILES
@options(
    click.option("--outcome", required=True, metavar="COLUMN", help="What is to be predicted (two values)."),
    GROUPS,
    click.option("--features", required=True, metavar="FORMULA",
                 help='For example "~ (age + priors)**2"; or columns, by commas.'),
    click.option("--methods", multiple=True, callback=columns, default=("none,og",), show_default=True,
                 help="Adjustments, by commas; the first is what the others are compared with."),
    click.option("--model", default="logistic", show_default=True, callback=one_or_more,
                 help="What predicts, by commas: logistic, linear-svm, rbf-svm, mlp, lasso, random-forest."),
    click.option("--representation", is_flag=True, help="Also variance kept, MMD² and fitting time."),
    click.option("--train-on", type=click.Choice(["training", "measured"]),
                 help="Train on the training rows, or on the rows measured as some papers do. [training]"),
    click.option("--splits", metavar="CSV", callback=splits_from,
                 help="Splits that are given: a column each, with train, test or nothing in the line of each row."),
    click.option("--cache", metavar="FOLDER", help="Keep finished cells there; go on from them."),
    click.option("--positive", metavar="LABEL", help="The outcome that is predicted. [1]"),
    click.option("--favorable", "--favourable", metavar="LABEL", help="The predicted outcome that helps the person."),
    click.option("-k", "k", callback=whole_numbers, metavar="K[,K...]",
                 help="Number of components, or several. [10, or the number of features]"),
    click.option("--scale/--no-scale", default=True, show_default=True, help="Whether features are standardized."),
    click.option("--repeats", type=int, help="Random splits. [50]"),
    click.option("--test-size", type=float, help="Share of people held out. [0.25]"),
    click.option("--threshold", type=float, help="Scores from here on predict the positive outcome. [0.5]"),
    click.option("--conf-level", type=float, help="Confidence level. [0.95]"),
    click.option("--missing", metavar="RULE", help="People without a group: raise, level or drop. [raise]"),
    click.option("--seed", type=int, help="Seed of the splits and the models. [0]"),
    click.option("--jobs", type=int, help="Processes at once. [1]"),
    INPUT_FORMAT,
    outputs(".html, .pdf, .json, .csv: report; .npz: the comparison; .parquet ...: its rows", "report", "saved",
            "table", can_open=True),
    report_words,
)  # fmt: skip
def compare(files: tuple[str, ...], groups: list[str], features: str, input_format: str | None, out: Outputs,
            words: dict[str, Any], **choices: Any) -> None:  # fmt: skip
    """Compare adjustments of FILE by what a model predicts from them, over repeated splits.

    Several files, and patterns such as 'p*.parquet', are one table; - is standard input.

    \b
      fairstats compare data.csv --outcome y --groups race --features "~ age + priors" \\
        --methods none,og --model logistic --to compare.html
    """
    read = expanded(files)
    out.check([*read, *_cells(choices["cache"])])
    from fairstats.comparing.compare import compare as run_comparison

    given = {name: value for name, value in choices.items() if value is not None}
    result = run_comparison(
        source(read, input_format), groups=one_or_several(groups), features=named_or_formula(features), **given
    )
    write_report(out, [result], words, saved=lambda: result, table=result.tidy)
    if not out:
        say(result.summary())


def _cells(folder: str | None) -> list[str]:
    """The stored cells of a comparison, which a report must not replace."""
    return [] if folder is None else [str(cell) for cell in Path(folder).glob("?" * 40 + ".json")]
