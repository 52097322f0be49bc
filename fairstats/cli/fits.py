"""``fairstats fit``: one method, one table in, the adjusted table, the fit or a report out."""

from __future__ import annotations

import inspect
import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from fairstats.cli.io import (
    BRIEF,
    FILES,
    GROUPS,
    INPUT_FORMAT,
    STDOUT,
    Gate,
    Outputs,
    Share,
    columns,
    exit_code,
    expanded,
    fail_on,
    loaded,
    named_or_formula,
    note,
    of_rows,
    one_or_more,
    one_or_several,
    options,
    outputs,
    report_words,
    say,
    source,
    splits_from,
    table,
    whole_numbers,
    write_report,
)
from fairstats.errors import InputError, listing, nearest, with_hint
from fairstats.methods.registry import METHODS
from fairstats.validation import GATES

MOST_NAMED = 40  # columns in a note
# What has an option of its own, or comes from the file.
_SPOKEN_FOR = {"X", "groups", "k", "data", "missing", "scale"}
OF_FEATURES = 'For example "~ (age + priors)**2"; or columns, by commas. [all columns of numbers but the groups]'


class Offered(click.ParamType):
    """The methods that give a table back: read when a command runs, so that a new one needs no word here."""

    name = "method"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> str:
        """The name, or click's error with those that there are."""
        names = [row.name for row in METHODS.values() if row.result == "projection"]
        if value not in names:
            first = f"; METHOD comes before FILE, as in 'og {value}'." if Path(value).is_file() else ""
            hint = first or nearest(str(value), names)
            self.fail(with_hint(f"{value!r} is no method", hint, f"it can be {listing(names, 20)}."))
        return str(value)


@click.command(short_help="Take groups out of a table, or decompose it.")
@click.argument("method", type=Offered())
@FILES
@options(
    GROUPS,
    click.option("--features", metavar="FORMULA", help=OF_FEATURES),
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
    result = fitted(method, frame, columns_of(frame, features, groups), groups, k, scale, missing, settings)
    beside = {scores: lambda: scored(result, frame)} if scores else {}
    write_report(out, [result], words, beside=beside, table=lambda: adjusted(result, frame), saved=lambda: result)
    if not out.on_stdout and (print_summary or not (out or scores)):
        say(result.summary)


def fitted(method: str, frame: Any, features: Any, groups: list[str], k: int | None, scale: bool, missing: str,
           settings: Sequence[str]) -> Any:  # fmt: skip
    """Return the fit of a method by its name, with what the options said."""
    function = METHODS[method].function
    chosen = {"k": k, "scale": scale or None, "groups": one_or_several(groups)}
    given = {name: value for name, value in chosen.items() if value is not None} | _settings(function, settings)
    parameters = inspect.signature(function).parameters.values()
    lacking = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY and p.default is p.empty and p.name not in given]
    if lacking:
        raise InputError(f"{method} needs {listing(lacking)}; add {' '.join(f'--set {name}=...' for name in lacking)}.")
    return function(features, data=frame, missing=missing, **given)


def _settings(function: Callable[..., Any], given: Sequence[str], too: Sequence[str] = ()) -> dict[str, Any]:
    """``t=3`` as ``{"t": 3}``: numbers, lists, and true or false as in TOML or Python, anything else is text.

    too: names that have no option of their own here.
    """
    known = inspect.signature(function).parameters
    items = [name for name in known if name in too or name not in _SPOKEN_FOR]
    settings = {}
    for text in given:
        name, _, value = text.partition("=")
        if name not in items:
            raise InputError(
                with_hint(
                    f"--set has {text!r}; {function.__name__} has no setting {name!r}",
                    nearest(name, items),
                    f"its settings are {listing(items, 12)}.",
                )
            )
        settings[name] = _value(value)
    return settings


def _value(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return {"True": True, "False": False}.get(text, text)


def columns_of(frame: Any, features: str | None, groups: list[str]) -> Any:
    """A formula as it is, names as a list, and without either every numeric column that is no group, which is said."""
    if features is None:
        from fairstats.data.tables import warn_of_row_numbers
        from fairstats.labels import column_parts

        taken = {name for group in groups for name in column_parts(group, frame.columns)}
        numbers = [c for c in frame.select_dtypes(["number", "bool"]).columns if c not in taken]
        others = [c for c in frame.columns if c not in taken and c not in numbers]
        left = f", and not {listing(others, MOST_NAMED)}, which {'hold' if len(others) > 1 else 'holds'} no numbers"
        used = f"{len(numbers)} features, as --features names none: {listing(numbers, MOST_NAMED)}"
        note(f"{used}{left if others else ''}.")
        warn_of_row_numbers(frame[numbers].to_numpy(dtype=float), numbers, "features")
        return numbers
    return named_or_formula(features)


def adjusted(fit: Any, frame: Any, on_unknown: str = "raise") -> Any:
    """The input with its features replaced by the adjusted ones: no raw feature is left beside them by accident."""
    import pandas as pd

    formula = fit.scaling.formula
    raw = set(fit.features if formula is None else formula.variables)
    result = pd.DataFrame(fit.reconstruct(frame, on_unknown=on_unknown), columns=list(fit.features), index=frame.index)
    return pd.concat([frame[[c for c in frame.columns if c not in raw and c not in result.columns]], result], axis=1)


def scored(fit: Any, frame: Any, on_unknown: str = "raise") -> Any:
    """The input with the component scores beside it; those of a kernel never depend on the group."""
    import fairstats
    from fairstats.methods.results import beside_scores

    given = {} if isinstance(fit, fairstats.KernelProjection) else {"on_unknown": on_unknown}
    return beside_scores(frame, fit.transform(frame, **given))


# ``fairstats apply``: a saved fit and new rows in, the adjusted rows out.


@click.command(short_help="Apply a saved fit to new rows.")
@click.argument("saved")
@FILES
@options(
    click.option("--on-unknown", type=click.Choice(["raise", "mean"]), default="raise", show_default=True,
                 help="A group that the fit has not seen is an error, or treated as average."),
    click.option("--scores", metavar="FILE",
                 help="Write the input with the component scores added to this table; - is standard output."),
    INPUT_FORMAT,
    outputs(".csv, .parquet ...: the adjusted table", "table", default="csv"),
)  # fmt: skip
def apply(saved: str, files: tuple[str, ...], on_unknown: str, scores: str | None, input_format: str | None,
          out: Outputs) -> None:  # fmt: skip
    """Apply the fit in SAVED (from fairstats fit --to fit.npz) to the rows of FILE.

    \b
      fairstats apply fit.npz new.csv --to adjusted.csv
    """
    if not (out or scores):
        raise click.UsageError("nothing is to be written; name --to for the adjusted table, --scores for the scores.")
    if out.on_stdout and scores == STDOUT:
        raise click.UsageError("standard output takes one table; name a file for --to or for --scores.")
    read = expanded(files)
    out.check([saved, *read], [scores] if scores and scores != STDOUT else [])
    import fairstats
    from fairstats.methods.crossfit import groups_like

    kinds = (fairstats.Projection, fairstats.KernelProjection)
    fit = loaded(saved, kinds, "fit with components", "fairstats fit --to fit.npz")
    if out and isinstance(fit, fairstats.KernelProjection):
        raise InputError("--to", "is for adjusted features, which a kernel's components have none of; name --scores.")
    of_rows(read)
    frame = table(read, fit.encoding.names if fit.encoding else (), input_format).frame
    if on_unknown == "mean" and isinstance(fit, fairstats.Projection) and fit.encoding and fit.coefficients is not None:
        groups = groups_like(fit.encoding, frame, None, len(frame), f"the scores of {fit.method} depend on")
        if n := len(fit.encoding.unseen(groups)):
            note(f"{n} of {len(frame)} rows are treated as average, as the fit has not seen their groups.")
    beside = {scores: lambda: scored(fit, frame, on_unknown)} if scores else {}
    if scores == STDOUT:
        replace(out, to=(STDOUT,)).write(table=beside.pop(STDOUT))
    out.write(beside=beside, table=lambda: adjusted(fit, frame, on_unknown))


# Of a method and people, or of a fit that was saved and the people of its rows: leakage, price, extra error.


OF_ROWS = (
    GROUPS,
    click.option("--features", metavar="FORMULA", help=OF_FEATURES),
    click.option("--scale", is_flag=True, help="Divide every feature by its standard deviation first."),
    click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A setting of METHOD; repeatable."),
    click.option("--missing", type=click.Choice(["raise", "level"]), default="raise", show_default=True,
                 help="People without a group are an error, or a group of their own."),
)  # fmt: skip
OF_FIT = (*OF_ROWS, click.option("-k", "k", type=int, help="Number of components. [the method's own]"))


def _about_fit(
    study: Callable[..., Any], start: Any, method: str, read: list[str], input_format: str | None, fit: dict[str, Any]
) -> Any:
    """What ``study(fit, rows, groups, data=)`` finds of the fit ``start``, or of METHOD fitted to the rows first."""
    from fairstats.provenance import take_in

    if not read:
        path = click.get_current_context().command_path
        raise click.UsageError(f"missing argument 'FILE...', after METHOD or a saved fit, as in {path} og people.csv.")
    groups = fit["groups"] or (list(start.encoding.names) if start is not None and start.encoding else [])
    people = table(read, groups, input_format)
    if start is None:
        name = Offered().convert(method, None, click.get_current_context())
        rows = columns_of(people.frame, fit["features"], groups)
        start = fitted(name, people.frame, **{**fit, "features": rows})
    else:
        of_rows(read)
        formula = start.scaling.formula
        rows = list(start.features) if formula is None else formula.text
    result = study(start, rows, one_or_several(groups), data=people)
    return result if result.data else replace(result, data=(take_in(people)[1],))


# ``fairstats leakage``: what scores of new people still tell about the groups.


@click.command(short_help="Test what adjusted scores still tell about the groups.")
@click.argument("method")
@click.argument("files", nargs=-1, metavar="[FILE...]")
@options(
    *OF_FIT,
    click.option("--margin", type=Share(), metavar="MARGIN",
                 help="An AUC below 0.5 + MARGIN does not matter (declare it in advance)."),
    click.option("--held-out", is_flag=True,
                 help="Test the held-out scores themselves, by boosted trees, too; nothing is compared with refits."),
    click.option("--folds", type=int, help="Folds that scores are held out by. [2]"),
    click.option("--permutations", type=int, help="Refits on exchanged rows. [199]"),
    click.option("--conf-level", type=Share(), help="Confidence level. [0.95]"),
    click.option("--seed", type=int, help="Seed of everything that is drawn. [0]"),
    fail_on(GATES["leakage"]),
    INPUT_FORMAT,
    outputs(".html, .pdf, .json, .csv: report; .npz: the result", "report", "saved", "table", can_open=True),
    report_words,
)  # fmt: skip
def leakage(method: str, files: tuple[str, ...], held_out: bool, gates: list[Gate], input_format: str | None,
            out: Outputs, words: dict[str, Any], **choices: Any) -> int:  # fmt: skip
    """Fit METHOD to FILE, hold scores out, and test whether probes tell the groups from them.

    A leak is what scores tell beyond what those of refits to exchanged rows do; with --held-out whatever they tell.
    --fail-on disparity fails on either: on a leak, and on a group that is recognized in the scores though refits tell
    as much.

    In the place of METHOD may stand a fit that was saved (fairstats fit --to fit.npz), with FILE of its rows, or of
    other rows, on which the fit itself is tested; or held-out scores that were saved, without FILE.

    \b
      fairstats leakage og people.csv --groups race --features "age,priors" -k 2 \\
        --fail-on 'leakage>0.6'
    """
    import fairstats

    read, start = _start(method, files, out, (fairstats.Projection, fairstats.OutOfFoldScores))
    of_fit, given = _divided(choices)
    if isinstance(start, fairstats.OutOfFoldScores):
        if read:
            raise InputError("FILE", f"has {read[0]!r} beside held-out scores, which need no rows; leave it out.")
        result = fairstats.leakage(scores=start, **given)
    else:
        study = partial(_of_held_out if held_out else fairstats.leakage, **given)
        result = _about_fit(study, start, method, read, input_format, of_fit)
    write_report(out, [result], words, saved=lambda: result, table=result.tidy)
    if not out.on_stdout:
        say(result.summary)
    return exit_code(gates, result)


def _of_held_out(fit: Any, X: Any, groups: Any, *, data: Any, folds: int = 2, seed: int = 0, **given: Any) -> Any:
    """Leakage of scores that are held out: of the rows of ``fit`` in folds, of others by the fit itself."""
    import fairstats
    from fairstats.inference.representations.fit_studies import other_rows
    from fairstats.methods.crossfit import design_like

    if other_rows(fit, design_like(fit, X, groups, data)):
        return fairstats.leakage(fit, X, groups, data=data, folds=folds, seed=seed, **given)
    return fairstats.leakage(fit.crossfit(X, groups, data=data, folds=folds, seed=seed), seed=seed, **given)


def _start(method: str, files: tuple[str, ...], out: Outputs, kinds: tuple[type, ...]) -> tuple[list[str], Any]:
    """The files to read, and what METHOD holds where it is a saved result; None where it is a name."""
    read = expanded(files)
    saved = [method] if Path(method).suffix.lower() == ".npz" else []
    out.check([*saved, *read])
    kind = "fit" if len(kinds) == 1 else "fit or held-out scores"
    return read, loaded(method, kinds, kind, "fairstats fit") if saved else None


def _divided(choices: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options of the fit, and those of the study of it that were given."""
    names = ("groups", "features", "k", "scale", "settings", "missing")
    return {name: choices.pop(name) for name in names}, {n: value for n, value in choices.items() if value is not None}


def _study_of_fit(
    study: Callable[..., Any],
    method: str,
    files: tuple[str, ...],
    input_format: str | None,
    out: Outputs,
    words: dict[str, Any],
    choices: dict[str, Any],
) -> None:
    """Write or print what a study finds of one fit."""
    import fairstats

    read, start = _start(method, files, out, (fairstats.Projection,))
    of_fit, given = _divided(choices)
    result = _about_fit(partial(study, **given), start, method, read, input_format, of_fit)
    write_report(out, [result], words, saved=lambda: result, table=result.tidy)
    if not out.on_stdout:
        say(result.summary)


# ``fairstats price``: what a method's condition costs new people.


@click.command(short_help="Estimate what taking the groups out costs new people.")
@click.argument("method")
@FILES
@options(
    *OF_FIT,
    click.option("--folds", type=int, help="Folds; the method is fitted without each in turn. [5]"),
    click.option("--conf-level", type=Share(), help="Confidence level. [0.95]"),
    click.option("--seed", type=int, help="Seed of the folds. [0]"),
    INPUT_FORMAT,
    outputs(".html, .pdf, .json, .csv: report; .npz: the result", "report", "saved", "table", can_open=True),
    report_words,
)  # fmt: skip
def price(method: str, files: tuple[str, ...], input_format: str | None, out: Outputs, words: dict[str, Any],
          **choices: Any) -> None:  # fmt: skip
    """Estimate the error of METHOD beyond that of principal components, on people in FILE whom its fits did not see.

    In the place of METHOD may stand a fit that was saved (fairstats fit --to fit.npz), with its rows.

    \b
      fairstats price fair_pca people.csv --groups race --features "age,priors,charges" -k 2
    """
    import fairstats

    _study_of_fit(fairstats.price_of_fairness, method, files, input_format, out, words, choices)


# ``fairstats extra-error``: how much of the components the groups explain.


@click.command(short_help="Test how much of a fit's components the groups explain.")
@click.argument("method")
@FILES
@options(
    *OF_FIT,
    click.option("--permutations", type=int, help="Permutations of the rows. [999]"),
    click.option("--conf-level", type=Share(), help="Confidence level. [0.95]"),
    click.option("--seed", type=int, help="Seed of the permutations. [0]"),
    INPUT_FORMAT,
    outputs(".html, .pdf, .json, .csv: report; .npz: the result", "report", "saved", "table", can_open=True),
    report_words,
)  # fmt: skip
def extra_error(method: str, files: tuple[str, ...], input_format: str | None, out: Outputs, words: dict[str, Any],
                **choices: Any) -> None:  # fmt: skip
    """Estimate how much of the components of METHOD (og, or pca with groups) the groups of FILE explain.

    In the place of METHOD may stand a fit that was saved (fairstats fit --to fit.npz), with its rows.

    \b
      fairstats extra-error og people.csv --groups race --features "age,priors" -k 2
    """
    import fairstats

    _study_of_fit(fairstats.extra_error, method, files, input_format, out, words, choices)


# ``fairstats select-k``: how many components the data support.


@click.command(short_help="Find how many components the data support.")
@click.argument("method", type=Offered())
@FILES
@options(
    *OF_ROWS,
    click.option("--max-k", type=int, help="The largest number to try. [10, or what the folds allow]"),
    click.option("--folds", type=int, help="Folds of the cross-validation. [5]"),
    click.option("--permutations", type=int, help="Of the parallel analysis; 0 leaves it out. [99]"),
    click.option("--conf-level", type=Share(), help="Confidence level of the errors. [0.95]"),
    click.option("--seed", type=int, help="Seed of folds and permutations. [0]"),
    INPUT_FORMAT,
    outputs(".html, .pdf, .json, .csv: report; .npz: the result", "report", "saved", "table", can_open=True),
    report_words,
)  # fmt: skip
def select_k(method: str, files: tuple[str, ...], groups: list[str], features: str | None, settings: Sequence[str],
             input_format: str | None, out: Outputs, words: dict[str, Any], **choices: Any) -> None:  # fmt: skip
    """Find how many components of METHOD predict held-out people in FILE best, and how many are more than chance.

    \b
      fairstats select-k og people.csv --groups race --features "~ (age + priors)**2" --scale
    """
    read = expanded(files)
    out.check(read)
    import fairstats

    given = {name: value for name, value in choices.items() if value is not None}
    given |= _settings(METHODS[method].function, settings)
    people = table(read, groups, input_format)
    result = fairstats.select_k(columns_of(people.frame, features, groups), one_or_several(groups), method, data=people,
                                **given)  # fmt: skip
    write_report(out, [result], words, saved=lambda: result, table=result.tidy)
    if not out.on_stdout:
        say(result.summary)


# ``fairstats compare``: adjustments, a model, repeated splits.


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
    click.option("--n-repeats", type=int, help="Random splits. [50]"),
    click.option("--test-size", type=Share(), help="Share of people held out. [0.25]"),
    click.option("--threshold", type=float, help="Scores from here on predict the positive outcome. [0.5]"),
    click.option("--conf-level", type=Share(), help="Confidence level. [0.95]"),
    click.option("--missing", metavar="RULE", help="People without a group: raise, level or drop. [raise]"),
    click.option("--seed", type=int, help="Seed of the splits and the models. [0]"),
    click.option("--n-jobs", type=int, help="Processes at once. [1]"),
    BRIEF,
    INPUT_FORMAT,
    outputs(".html, .pdf, .json, .csv: report; .npz: the comparison; .parquet ...: its rows", "report", "saved",
            "table", can_open=True),
    report_words,
)  # fmt: skip
def compare(files: tuple[str, ...], groups: list[str], features: str, brief: bool, input_format: str | None,
            out: Outputs, words: dict[str, Any], **choices: Any) -> None:  # fmt: skip
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
        say(result.__str__ if brief else result.summary)


def _cells(folder: str | None) -> list[str]:
    """The stored cells of a comparison, which a report must not replace."""
    return [] if folder is None else [str(cell) for cell in Path(folder).glob("?" * 40 + ".json")]


# ``fairstats proxies``: people in; which features give the group away out.


@click.command(short_help="Find the features that give the group away.")
@FILES
@options(
    GROUPS,
    click.option("--features", metavar="COLUMNS", multiple=True, callback=columns,
                 help="Columns, by commas. [all but those of the groups]"),
    click.option("--codes", metavar="COLUMNS", multiple=True, callback=columns,
                 help="Features whose numbers are codes (postcodes, occupations): each value is a class. [none]"),
    click.option("--conf-level", type=Share(), help="Confidence level of all features together. [0.95]"),
    click.option("--p-adjust", metavar="METHOD", help="Multiplicity: bonferroni, holm, bh, none. [bonferroni]"),
    click.option("--missing", metavar="RULE", help="People without a group: drop, level or raise. [drop]"),
    click.option("--seed", type=int, help="Seed of the parts, the trees and the permutations. [0]"),
    fail_on(GATES["study"]),
    INPUT_FORMAT,
    outputs(".html, .pdf, .json, .csv: report; .npz: the result", "report", "saved", "table", can_open=True),
    report_words,
)  # fmt: skip
def proxies(files: tuple[str, ...], groups: list[str], gates: list[Gate], input_format: str | None, out: Outputs,
            words: dict[str, Any], **choices: Any) -> int:  # fmt: skip
    """Find which features of the people in FILE give their group away, alone and beside all others.

    \b
      fairstats proxies people.csv --groups sex --features age,job,postcode --to proxies.html

    --fail-on disparity fails where a feature, alone or beside the others, or all together are shown to tell the group.
    """
    read = expanded(files)
    out.check(read)
    import fairstats

    given = {name: value for name, value in choices.items() if value not in (None, [])}
    people = table(read, groups, input_format)
    result = fairstats.proxies(people, one_or_several(groups), **given)
    write_report(out, [result], words, saved=lambda: result, table=result.tidy)
    if not out.on_stdout:
        say(result.summary)
    return exit_code(gates, result)


# ``fairstats tradeoff``: people in; what each method costs and leaves out.


@click.command(short_help="Compare what methods cost with what they leave.")
@FILES
@options(
    GROUPS,
    click.option("--features", metavar="FORMULA", help=OF_FEATURES),
    click.option("--methods", multiple=True, callback=columns, metavar="NAMES",
                 help="Methods, by commas. [all that make components and need no setting]"),
    click.option("--set", "settings", multiple=True, metavar="METHOD.NAME=VALUE",
                 help="A setting of one of the methods; of a list, such as [0, 0.5, 1], each value. Repeatable."),
    click.option("-k", "k", type=int, help="Number of components. [2]"),
    click.option("--scale", is_flag=True, help="Divide every feature by its standard deviation first."),
    click.option("-y", "--outcome", "y", metavar="COLUMN",
                 help="An outcome of two values: accuracy against leakage. [error against its gap]"),
    click.option("--folds", type=int, help="Folds; every method is fitted without each in turn. [5]"),
    click.option("--conf-level", type=Share(), help="Confidence level of all intervals together. [0.95]"),
    click.option("--seed", type=int, help="Seed of folds and limits. [0]"),
    INPUT_FORMAT,
    outputs(".html, .pdf, .json, .csv: report; .npz: the result", "report", "saved", "table", can_open=True),
    report_words,
)  # fmt: skip
def tradeoff(files: tuple[str, ...], groups: list[str], features: str | None, methods: list[str],
             settings: Sequence[str], input_format: str | None, out: Outputs, words: dict[str, Any],
             **choices: Any) -> None:  # fmt: skip
    """Compare what methods cost the people in FILE with what they leave of the groups, on people whom no fit has seen.

    \b
      fairstats tradeoff people.csv --groups race --features age,priors,charges \\
        --methods pca,og,fair_pca -k 2 --scale --to tradeoff.html
    """
    read = expanded(files)
    out.check(read)
    import fairstats
    from fairstats.inference.representations.tradeoff import DEFAULT

    given = {name: value for name, value in choices.items() if value is not None}
    people = table(read, groups, input_format)
    kept = dict.fromkeys(methods or DEFAULT)
    result = fairstats.tradeoff(
        columns_of(people.frame, features, [*groups, *filter(None, [choices["y"]])]),
        one_or_several(groups),
        [(name, _of_method(name, kept, settings)) for name in kept],
        data=people,
        **given,
    )
    write_report(out, [result], words, saved=lambda: result, table=result.tidy)
    if not out.on_stdout:
        say(result.summary())


def _of_method(name: str, kept: Iterable[str], given: Sequence[str]) -> dict[str, Any]:
    """``fair_pca.tradeoff=0.5`` as a setting of that method, which has to be one of those compared."""
    mine = []
    for text in given:
        method, dot, rest = text.partition(".")
        if not dot or method not in kept:
            raise InputError(f"--set has {text!r}; write METHOD.NAME=VALUE, and for METHOD {listing(kept, 12)}.")
        mine += [rest] if method == name else []
    needs = METHODS[name].needs if name in METHODS else {}
    if lacking := [one for one in needs if one not in {text.partition("=")[0] for text in mine}]:
        ways = " ".join(f"--set '{name}.{one}={needs[one]}'" for one in lacking)
        raise InputError("--methods", f"has {name!r}, which needs {listing(lacking)}; add it, such as {ways}.")
    return _settings(METHODS[name].function, mine, ("k", "scale")) if mine and name in METHODS else {}


# ``fairstats cluster``: edges and people in, clusters and how they are made up of groups out.


@click.command(short_help="Cluster a graph so that clusters hold each group as the graph does.")
@click.argument("edges")
@options(
    click.option("--nodes", metavar="FILE", help="Table with one row a vertex: its name and its groups."),
    GROUPS,
    click.option("-k", "k", type=int, default=2, show_default=True, help="Number of clusters."),
    click.option("--from", "source", metavar="COLUMN", help="Column of EDGES with one end. [the first]"),
    click.option("--to-node", "target", metavar="COLUMN", help="Column of EDGES with the other end. [the second]"),
    click.option("--weight", metavar="COLUMN", help="Column of EDGES with weights. [weight, where there is one]"),
    click.option("--unweighted", is_flag=True, help="Every link weighs 1, whatever the columns of EDGES."),
    click.option("--id", "id", metavar="COLUMN", help="Column of the node table with the names. [the first]"),
    click.option("--normalized/--unnormalized", default=True, show_default=True,
                 help="Balance the volumes of clusters (NCut) or their sizes (RatioCut)."),
    click.option("--normalize-rows", is_flag=True,
                 help="Rows of the embedding of length 1 before k-means, where degrees differ much."),
    click.option("--balance", type=float,
                 help="Move vertices until every cluster has this share of the balance of all, such as 0.8."),
    click.option("--largest-component", is_flag=True, help="Cluster the largest connected component only."),
    click.option("--missing", type=click.Choice(["raise", "level"]), default="raise", show_default=True,
                 help="Vertices without a group are an error, or a group of their own."),
    click.option("--unconstrained", is_flag=True, help="Without the constraint: groups are described, not balanced."),
    click.option("--n-init", type=int, default=10, show_default=True, help="Starts of k-means."),
    click.option("--seed", type=int, default=0, show_default=True, help="Seed of all starts."),
    click.option("--summary", "print_summary", is_flag=True, help="Print the clustering although files are written."),
    outputs(".csv, .parquet ...: the vertices with their clusters; .npz: the clustering; .html, .pdf, .json: report",
            "table", "saved", "report", default="csv", can_open=True),
    report_words,
)  # fmt: skip
def cluster(edges: str, nodes: str | None, groups: list[str], k: int, source: str | None, target: str | None,
            weight: str | None, unweighted: bool, id: str | None, largest_component: bool, unconstrained: bool,
            print_summary: bool, balance: float | None, out: Outputs, words: dict[str, Any],
            **choices: Any) -> None:  # fmt: skip
    """Cluster the graph of EDGES, a table with one row an edge.

    Prints the clustering, or writes the vertices with their cluster (.csv, .parquet, ...) or a report (.html, .pdf,
    .json) where --to names files.

    \b
      fairstats cluster edges.csv --nodes nodes.csv --groups gender -k 5 \\
        --to clusters.csv --to clusters.pdf
    """
    out.check([edges, nodes])
    if not unconstrained and not (nodes and groups):
        raise click.UsageError("name the groups with --nodes and --groups, or cluster without them by --unconstrained.")
    if groups and not nodes:
        raise click.UsageError("--groups names columns of the node table; give it with --nodes.")
    if unconstrained and balance is not None:
        raise click.UsageError("--balance is of groups that are balanced; leave out --unconstrained.")
    if unweighted and weight is not None:
        raise click.UsageError(f"--weight {weight} names weights that --unweighted leaves out; give one of the two.")
    import fairstats
    from fairstats.data.read import read_table

    people = read_table(nodes, labels=[*groups, *filter(None, [id])]).frame if nodes else None
    graph = fairstats.graph(
        read_table(edges, labels=filter(None, [source, target])).frame,
        nodes=people,
        source=source,
        target=target,
        weight=None if unweighted else weight or "weight",
        id=id,
        component="largest" if largest_component else "all",
    )
    method = fairstats.spectral_clustering if unconstrained else fairstats.fair_spectral_clustering
    choices |= {} if unconstrained else {"balance": balance}
    partition = method(graph, one_or_several(groups), k, **choices)

    def clustered() -> Any:
        if people is not None and partition.n < partition.given:
            left = partition.given - partition.n
            note(f"{left} of {partition.given} vertices lie outside the largest component: their .cluster is empty.")
        return partition.augment(people)

    write_report(out, [partition], words, table=clustered, saved=lambda: partition)
    if not out.on_stdout and (print_summary or not out):
        say(partition.summary)


# ``fairstats plot``: one figure of one saved result.


@click.command(short_help="Draw one figure of a saved result.")
@click.argument("saved")
@options(
    click.option("--kind", metavar="KIND", help="Which figure; without --to all kinds are listed. [the first]"),
    click.option("--metric", metavar="METRIC", help="Of which metric. [the first that the figure can show]"),
    click.option("--attribute", metavar="COLUMN", help="By which group column. [the first]"),
    click.option("--term", "--group", "term", metavar="NAME",
                 help="Of periods watched the group, of a comparison the method and model, of scores the component."),
    click.option("--dpi", type=int, default=300, help="Dots an inch of a .png, 50 to 2400. [300]"),
    outputs(".svg, .png, .pdf", "drawing", default="svg", can_open=True),
)  # fmt: skip
def plot(saved: str, out: Outputs, dpi: int, **choices: Any) -> None:
    """Draw one figure of the result in SAVED: a file (.npz) that a command such as audit, compare-models, alternatives,
    monitor, fit or leakage wrote by --to.

    \b
      fairstats audit people.csv --groups race --decision hired --to audit.npz
      fairstats plot audit.npz                                   (lists its figures)
      fairstats plot audit.npz --kind differences --attribute race --to race.svg

    A title or a size of your own is set in Python: fairstats.plot(result).figure is a matplotlib figure.
    """
    out.check([saved])
    import fairstats

    result: Any = fairstats.load(saved)
    given = {name: value for name, value in choices.items() if value is not None}
    if not out:
        if given:
            fairstats.plot(result, **given)  # what is no figure of it is refused here, too
        types = getattr(result, "plots", ())
        if not types:
            raise InputError(f"{saved!r} holds a result of which there is nothing to draw.")
        say("\n".join(types))
        return
    drawing = fairstats.plot(result, **given)
    out.write(drawing=lambda: partial(drawing.save, dpi=dpi), read=drawing.sources)
    if not out.on_stdout:
        say(drawing.caption)
