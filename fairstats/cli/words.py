"""What the package says to callers of Python, said to somebody at a shell: arguments are options, tables are files."""

from __future__ import annotations

import os
import re
import sys
import textwrap
from collections.abc import Mapping

from fairstats.errors import visible

WIDTH = 80
# What no rule turns into a shell's words.
_PHRASES = (
    ("are in tidy()", "are written by --to FILE.csv"),
    ("all in tidy()", "all written by --to FILE.csv"),
    ('component="largest"', "--largest-component"),
    ("normalized=False", "--unnormalized"),
    ("in tidy()", "in what --to FILE.csv writes"),
    ("(of a file read_table(path, labels=[...]))", "in the file"),
    ("read_table(path, labels=[...])", "make them text in the file"),
    ("or pass overwrite=True", "or replace it with --force"),
    ("use fairstats.compare", "use fairstats compare"),
    ("report() was given", "the report was given"),
    ("outcome, decision and score are all absent", "--outcome, --decision and --score are all absent"),
    (
        "load reads what result.save(path) writes, .npz files, and the audit in a report's .json",
        "give a file that --to FILE.npz wrote, or the .json of an audit",
    ),
    ("save each of them by result.save(path), and load that .npz file", "write each of them by --to FILE.npz"),
)
_BOLD = re.compile(
    r"(?<= )[DEi]$|\b(?:[Dd]isparity|[Ee]quivalence|leak) shown\b|\bInconclusive\b|\bno leak\b(?= beyond)",
    re.M,
)


def spoken(text: str, options: Mapping[str, str]) -> str:
    """Return a message or a summary in a shell's words.

    Parameters
    ----------
    text : str
    options : mapping
        Argument to option: ``conf_level`` to ``--conf-level``.

    Examples
    --------
    >>> flags = {"conf_level": "--conf-level", "favorable": "--favorable", "score": "--score"}
    >>> spoken("conf_level has 95; pass 0.95.", flags)
    '--conf-level has 95; pass 0.95.'
    >>> spoken("pass favorable=1 or favorable='not hired'; name the column with score=.", flags)
    "pass --favorable 1 or --favorable 'not hired'; name the column with --score."
    """
    for python, shell in _PHRASES:
        text = text.replace(python, shell)
    names = "|".join(sorted(map(re.escape, options), key=len, reverse=True))
    if names:
        value = r"'[\w.-]+'|'[^'\n]*'|\"[^\"\n]*\"|[\w-]+(?:\.\d+)?|"
        text = re.sub(rf"(?<![\w.-])({names})=(?!=)({value})", lambda found: _option(options, *found.groups()), text)
        fact = r"(?= has\b| is (?:absent|missing)[,;.])"
        noun = "".join(rf"(?<!\b{word} )" for word in ("no", "the", "an", "each", "every", "this"))  # no argument then
        text = re.sub(rf"(?<![\w.'\"-]){noun}({names}){fact}", lambda found: options[found[1]], text)
    return re.sub(r"(?<![\w.-])path=(?=')", "", text)


def _option(options: Mapping[str, str], name: str, value: str) -> str:
    bare = value[1:-1] if re.fullmatch(r"'[\w.-]+'", value) else value
    return f"{options[name]} {bare}".rstrip()


def printed(text: str, options: Mapping[str, str]) -> str:
    """Return a summary as it is printed: in a shell's words, within the width, verdicts bold on a terminal."""
    lines: list[str] = []
    for line in text.split("\n"):
        said = spoken(line, options)
        indent = " " * (len(line) - len(line.lstrip()) + 2)
        too_long = said != line and len(said) > WIDTH
        lines += textwrap.wrap(said, WIDTH, subsequent_indent=indent, replace_whitespace=False) if too_long else [said]
    return embolden(visible("\n".join(lines)))


def embolden(text: str) -> str:
    """Return the text with its verdicts bold, where somebody reads it at a terminal that can and NO_COLOR is unset."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not sys.stdout.isatty():
        return text
    return _BOLD.sub(lambda found: f"\x1b[1m{found.group()}\x1b[0m", text)
