"""Tables that pages include: what other libraries call a metric, and every source that a docstring names."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable

from fairstats.estimates import GLOSSARY
from fairstats.methods.registry import METHODS
from fairstats.metrics import METRICS

LIBRARIES = ("fairlearn", "aequitas", "yardstick")


def names_elsewhere() -> str:
    """A table of the metrics that have a name in another library."""
    lines = ["| fairstats | " + " | ".join(LIBRARIES) + " |", "|---|" + "---|" * len(LIBRARIES)]
    for metric in METRICS.values():
        if any(library in metric.aliases for library in LIBRARIES):
            cells = (f"`{metric.aliases[library]}`" if library in metric.aliases else "" for library in LIBRARIES)
            lines.append(f"| {metric.name} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def bibliography(things: Iterable[object]) -> str:
    """A list of the sources that the registry of methods and the docstrings name, each once, by author."""
    members = {_plain(reference) for method in METHODS.values() for reference in method.references}
    for thing in things:
        members |= set(map(_plain, _references(inspect.getdoc(thing) or "")))
    return "\n".join(f"- {reference}" for reference in sorted(members, key=str.casefold) if reference) + "\n"


def columns() -> str:
    """The page of the columns that every table of estimates has, from the one glossary of them."""
    lines = [
        "# Columns",
        "",
        "What stands in `result.tidy()`, in `results.csv` and in R's `tidy()` (there with broom's names).",
        "",
    ]
    lines += ["| column | what it holds |", "|---|---|"]
    lines += [f"| `{column.name}` | {_cell(column.meaning)} |" for column in GLOSSARY.values()]
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", r"\|")


def sources(bibtex: str) -> str:
    """A list of the entries of a BibTeX file, by author, each with a DOI that can be followed."""
    lines = []
    for entry in re.findall(r"^@\w+\{.*?^\}", bibtex, flags=re.S | re.M):
        field = dict(re.findall(r"^  (\w+) = \{(.*)\}", entry, flags=re.M))
        people = [name.strip("{}").split(", ")[0] for name in field["author"].split(" and ")]
        items = [name for name in people if name != "others"]
        people = [*items[:3], "others"] if len(items) > 4 or len(items) < len(people) else people
        who = " and ".join(filter(None, (", ".join(people[:-1]), people[-1])))
        where = field.get("journal") or field.get("publisher") or field["note"]
        link = f"[doi:{field['doi']}](<https://doi.org/{field['doi'].replace('<', '%3C').replace('>', '%3E')}>)"
        link = link.replace(f"[doi:{field['doi']}]", f"[doi:{field['doi'].replace('<', '&lt;').replace('>', '&gt;')}]")
        lines.append(f"- {who} ({field['year']}). {field['title']}. {where}. {link}")
    return "\n".join(sorted(lines, key=str.casefold)) + "\n"


def _references(docstring: str) -> list[str]:
    """The paragraphs of the section "References"."""
    section = re.search(r"^References\n-+\n(.*?)(?=\n\n[A-Z][a-z]+\n-{3,}|\Z)", docstring, flags=re.S | re.M)
    return [] if section is None else re.split(r"\n\s*\n|(?<=\.)\n(?=[A-Z])", section.group(1))


DOI = re.compile(r"doi:(10\.\S+?)(?=[.,;)]*(?:\s|$))")


def _plain(reference: str) -> str:
    """One line of Markdown, with a DOI that can be followed."""
    return DOI.sub(r"[doi:\1](https://doi.org/\1)", " ".join(reference.split()))


def followed(reference: str) -> str:
    """The same in reStructuredText."""
    return DOI.sub(r"`doi:\1 <https://doi.org/\1>`__", " ".join(reference.split()))
