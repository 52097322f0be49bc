"""The page of a method: problem, estimator, guarantee, what its source gets wrong, cost, example, references.

The registry and the docstring say most of it, ``methods.toml`` the rest; a new row of the registry has its page.
"""

from __future__ import annotations

import inspect
import re
from textwrap import wrap

from collected import followed
from method_words import MOMENTS, ROWS, SOUND, WORDS, Words

from fairstats.methods.registry import METHODS

HEADINGS = ("Problem", "Estimator", "Guarantee", "Beside the paper", "Cost", "Example", "References")
# The page has these sections of the docstring under its own headings.
MOVED = ("Guarantees", "References", "Examples")


def sections(docstring: str) -> dict[str, str]:
    """The parts of a numpydoc docstring by heading; "" has what stands before the first."""
    parts = re.split(r"^([A-Z][A-Za-z ]+)\n-{3,}\n", docstring, flags=re.M)
    return {"": parts[0].strip()} | {parts[i]: parts[i + 1].strip("\n") for i in range(1, len(parts), 2)}


def without(docstring: list[str], moved: tuple[str, ...] = MOVED) -> list[str]:
    """The lines of a docstring without the sections that the page has elsewhere."""
    result = sections("\n".join(docstring))
    kept = [result.pop("")] + [
        f"{head}\n{'-' * len(head)}\n{text}" for head, text in result.items() if head not in moved
    ]
    return "\n\n".join(kept).splitlines()


def body(name: str, thing: object) -> list[str]:
    """The sections of a method's page."""
    wording = sections(inspect.getdoc(thing) or "")
    words = WORDS.get(name, Words())
    method = METHODS.get(name)
    cost = words.cost or wording.get("Costs", "") or (MOMENTS if method and method.moments else ROWS)
    parts = {
        "Problem": words.problem or wording[""],
        "Estimator": words.estimator or wording.get("Notes", wording[""]),
        "Guarantee": bullets(wording.get("Guarantees", "")) or "None: it is what the others are compared with.",
        "Beside the paper": words.differs or SOUND,
        "Cost": cost,
        "Example": wording.get("Examples", ""),
        "References": references(name, wording.get("References", "")),
    }
    lines = []
    for heading in HEADINGS:
        text = parts[heading] if heading == "Example" else barred(parts[heading])
        lines += [heading, "-" * len(heading), "", text, ""]
    return lines


def barred(text: str) -> str:
    """Text in which a bar is an absolute value, never a substitution."""
    return text.replace("|", r"\|")


def bullets(text: str) -> str:
    """Sentences of a section, one a point: a sentence begins with a line."""
    points = re.split(r"(?<=[.;])\n(?=[A-Z])", text.strip())
    return "\n".join("* " + "\n  ".join(point.splitlines()) for point in points if point)


def references(name: str, text: str) -> str:
    """Who proposed it, by the registry, or by the docstring where the registry has none."""
    result = METHODS[name].references if name in METHODS else re.split(r"(?<=\.)\n(?=[A-Z])", text)
    return "\n".join(
        "* " + "\n  ".join(wrap(followed(" ".join(one.split())), 110, break_on_hyphens=False)) for one in result
    )
