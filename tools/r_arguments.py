"""Write into R's files an audit's arguments, their names elsewhere, and parts of results; with --check only compare."""

from __future__ import annotations

import re
import sys
import textwrap
from importlib import import_module
from pathlib import Path
from typing import Any

from fairstats.auditing.arguments import ARGUMENTS
from fairstats.result_classes import RESULT_CLASSES
from fairstats.validation import ELSEWHERE

FOLDER = Path(__file__).parents[1] / "r" / "fairstats" / "R"
FORMS = "# The form of each argument of an audit; tools/r_arguments.py writes it, and the signature of fair_audit().\n"
HEAD = "fair_audit <- function("
NAMES = "# What other libraries call an argument, as Python has it (ELSEWHERE); tools/r_arguments.py writes it.\n"
PARTS = "# What else Python's results have, by the class in R; tools/r_arguments.py writes it.\n"
# what functions of R, or of our package, look for in any result
# fmt: off
SOUGHT = {
    "about", "by_group", "call", "cells", "curves", "formula", "given", "glance", "groups", "labels", "levels",
    "matrix", "method", "names", "new_alarms", "nodes", "origin", "outcome", "protocol", "references",
    "rotation", "sdev", "shares", "splits", "summary", "terms", "tidy", "value", "x",
}
# fmt: on


def in_r(value: Any) -> str:
    """A default as R writes it."""
    if isinstance(value, tuple):
        return f"c({', '.join(map(in_r, value))})"
    if isinstance(value, bool):
        return str(value).upper()
    return "NULL" if value is None else f'"{value}"' if isinstance(value, str) else f"{value:g}"


def signature() -> str:
    """The head of the function: what is placed first, everything else by name."""
    first, *others = [f"{name} = {in_r(argument.default)}" for name, argument in ARGUMENTS.items()]
    entries = ["data", first, others[0], "...", *others[1:], "protocol = NULL"]
    return filled(HEAD, entries, ") {", len(HEAD))


def forms() -> str:
    """The vector of forms by argument."""
    entries = [f'{name} = "{argument.form}"' for name, argument in ARGUMENTS.items()]
    return f"{FORMS}audit_forms <- c(\n{filled('  ', entries, '', 2)}\n)\n"


def elsewhere() -> str:
    """The vector of our names by those of other libraries; one of several names here is there as often."""
    entries = [f'{name} = "{ours}"' for name, several in ELSEWHERE.items() for ours in several if ours != name]
    return f"{NAMES}names_elsewhere <- c(\n{filled('  ', entries, '', 2)}\n)\n"


def parts(source: str) -> str:
    """The list of Python's public names by class, without those that have a place in R."""
    placed = set(re.findall(r'"([\w.]+)"', source.split(PARTS)[0]))
    by_class: dict[str, set[str]] = {}
    for row in RESULT_CLASSES.values():
        one = getattr(import_module(row.home), row.name)
        public = {name for name in (*dir(one), *getattr(one, "__dataclass_fields__", ())) if not name.startswith("_")}
        by_class[row.r[0]] = by_class.get(row.r[0], set()) | public - placed - SOUGHT
    entries = [f"{name} = c({', '.join(map(in_r, sorted(names)))})" for name, names in by_class.items() if names]
    return (
        PARTS
        + "python_parts <- list(\n"
        + ",\n".join(filled("  ", one.split(", "), "", 4) for one in entries)
        + "\n)\n"
    )


def filled(start: str, entries: list[str], end: str, indent: int) -> str:
    """Entries, with commas between them, in lines that are full."""
    whole = [entry.replace(" ", "\0") for entry in entries]
    text = textwrap.fill(", ".join(whole), 118, initial_indent=start, subsequent_indent=" " * indent,
                         break_long_words=False, break_on_hyphens=False)  # fmt: skip
    return text.replace("\0", " ") + end


def with_vector(source: str, comment: str, vector: str) -> str:
    """The file with the vector below a comment replaced."""
    before, rest = source.split(comment, 1)
    return f"{before}{vector}{rest.split(chr(10) + ')' + chr(10), 1)[1]}"


def written(source: str) -> str:
    """The file of the audit with its signature and its forms replaced."""
    before, rest = source.split(HEAD, 1)
    body = rest.split(") {\n", 1)[1]
    return with_vector(f"{before}{signature()}\n{body}", FORMS, forms())


if __name__ == "__main__":
    for name, new in (
        ("audit.R", written),
        ("arguments.R", lambda source: with_vector(source, NAMES, elsewhere())),
        ("parts.R", lambda source: with_vector(source, PARTS, parts(source))),
    ):
        current = (FOLDER / name).read_text(encoding="utf-8")
        if "--check" in sys.argv and new(current) != current:
            sys.exit(f"{name} is not what is declared: run tools/r_arguments.py")
        (FOLDER / name).write_text(new(current), encoding="utf-8")
