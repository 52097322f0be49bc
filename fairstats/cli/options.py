"""Options that several commands share, and the report that they ask for."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import click

from fairstats.errors import visible
from fairstats.language import ENGLISH, known

READ = "fairstats.read"  # where the context of a command keeps the files that its options have read


def columns(context: click.Context, parameter: click.Parameter, given: Sequence[str]) -> list[str]:
    """``--groups sex,race --groups age`` as one list."""
    return [name.strip() for value in given for name in value.split(",") if name.strip()]


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


def focus_of(context: click.Context, parameter: click.Parameter, given: str | None) -> dict[str, list[str]] | None:
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


def pairs_of(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> dict[str, str] | None:
    """``KEY=TEXT``, each time that it was given, as a mapping; None where it was not."""
    return _pairs(given) or None


def own_words_of(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> dict[str, Any] | None:
    """``unit=arrestees``, ``attributes.race=ancestry``, ``groups.race.1=Black`` as `fairstats.audit` takes words."""
    made: dict[str, Any] = {}
    for key, text in _pairs(given).items():
        name, *inside = key.split(".", 2)
        if len(inside) != {"attributes": 1, "groups": 2}.get(name, 0):
            raise click.BadParameter(
                f"{key!r} is no entry of words; write unit=..., attributes.COLUMN=... or groups.COLUMN.GROUP=...; "
                "names with dots go into a protocol file."
            )
        at = made
        for step in (name, *inside)[:-1]:
            at = at.setdefault(step, {})
        at[(name, *inside)[-1]] = text
    return made or None


def _pairs(given: tuple[str, ...]) -> dict[str, str]:
    split = [(entry, *entry.partition("=")) for entry in given]
    wrong = next((entry for entry, key, mark, text in split if not (key.strip() and mark and text.strip())), None)
    if wrong is not None:
        raise click.BadParameter(f"{wrong!r} is no KEY=TEXT, as in unit=arrestees.")
    return {key.strip(): text.strip() for _, key, _, text in split}


def splits_from(context: click.Context, parameter: click.Parameter, given: str | None) -> list[tuple[Any, Any]] | None:
    """A file with a column each split and a line each row, as pairs of masks."""
    if given is None:
        return None
    from fairstats.data.sources import read_table

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


GROUPS = click.option("--groups", multiple=True, callback=columns, metavar="COLUMN",
                      help="Column of groups; repeat it, or separate several by commas.")  # fmt: skip
_WORDS: dict[str, dict[str, Any]] = {
    "--title": {"help": "Title of the report."},
    "--auditor": {"default": "", "help": "Who audits, for page one of the report."},
    "--templates": {"metavar": "DIR", "help": "Folder whose templates override the report's, file by file."},
    "--preset": {"default": "generic", "show_default": True, "help": "Which report: a file of the templates' presets."},
    "--about": {
        "multiple": True,
        "metavar": "KEY=TEXT",
        "callback": pairs_of,
        "help": "What Local Law 144 has published (tool=..., vendor=...), with --preset ll144; repeatable.",
    },
    "--language": {
        "type": click.Choice(known()),
        "default": ENGLISH,
        "show_default": True,
        "help": "Of the report; what commands print stays English.",
    },
}


def report_words(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of a report, handed to the command as one dictionary; the last of its options."""

    @functools.wraps(command)
    def collected(**arguments: Any) -> Any:
        words = {name: arguments.pop(name) for name in (flag[2:] for flag in _WORDS)}
        return command(words=words, **arguments)

    return options(*(click.option(flag, **more) for flag, more in _WORDS.items()))(collected)


def one_or_several(names: list[str]) -> str | list[str] | None:
    """What ``groups=`` takes: a name, a list of names, or nothing."""
    return names[0] if len(names) == 1 else names or None


def named_or_formula(features: str) -> str | list[str]:
    """A formula as it is, ``age,priors`` as a list of names."""
    return features if "~" in features else [name.strip() for name in features.split(",")]
