"""Write the arguments of an audit into R's ``fair_audit``, from what is declared of them; with --check only compare."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path
from typing import Any

from fairstats.auditing.arguments import ARGUMENTS

FILE = Path(__file__).parents[1] / "r" / "fairstats" / "R" / "audit.R"
FORMS = "# The form of each argument of an audit; tools/r_arguments.py writes it, and the signature of fair_audit().\n"
HEAD = "fair_audit <- function("


def in_r(value: Any) -> str:
    """A default as R writes it."""
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


def filled(start: str, entries: list[str], end: str, indent: int) -> str:
    """Entries, with commas between them, in lines that are full."""
    whole = [entry.replace(" ", "\0") for entry in entries]
    text = textwrap.fill(", ".join(whole), 118, initial_indent=start, subsequent_indent=" " * indent,
                         break_long_words=False, break_on_hyphens=False)  # fmt: skip
    return text.replace("\0", " ") + end


def written(source: str) -> str:
    """The file with its signature and its forms replaced."""
    before, rest = source.split(HEAD, 1)
    body = rest.split(") {\n", 1)[1]
    source = f"{before}{signature()}\n{body}"
    before, rest = source.split(FORMS, 1)
    return f"{before}{forms()}{rest.split(chr(10) + ')' + chr(10), 1)[1]}"


if __name__ == "__main__":
    current = FILE.read_text(encoding="utf-8")
    if "--check" in sys.argv:
        sys.exit(written(current) != current and f"{FILE.name} is not what is declared: run tools/r_arguments.py")
    FILE.write_text(written(current), encoding="utf-8")
