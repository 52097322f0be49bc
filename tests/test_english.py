"""The English of the package: American spelling, first lines that can be checked, no private signs."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import fairstats

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("fairstats", "tests", "templates", "docs", "benchmarks", "vignettes", "tools", "r")
ENDINGS = {".py", ".md", ".j2", ".R", ".Rmd", ".Rd", ".css", ".toml", ".sh"}

# British forms, each as an expression for what stands between two non-letters.
ISE = "normal|standard|summar|organ|recogn|minim|maxim|optim|general|linear|random|student|residual|penal|regular|"
ISE += "serial|initial|util|categor|parametr|symmetr|orthogonal|diagonal|vector|discret|special|equal|factor|binar|"
ISE += "visual|hypothes|stabil|character|critic|emphas|real|local|custom|synchron|prior|token"
BRITISH = [
    rf"\w*?(?:{ISE})is(?:e|ed|es|er|ers|ing|ation|ations|able)",
    r"(?:un)?favour\w*|behaviour\w*|neighbour\w*|labour\w*|honour\w*|colour\w*|(?:un|re)?centr(?:e|es|ed|ing)",
    r"gr(?:ey|eys|eyed)|licence[sd]?|judgement\w*|(?:mis)?spelt|learnt|analys(?:e|ed|ing)|whilst|amongst",
    r"(?:un|re)?labell(?:ed|ing)|modell(?:ed|ing)|cancell(?:ed|ing)|programme|catalogue|artefact\w*|defence|fulfil",
    r"towards|afterwards|upwards|downwards|forwards|backwards|outwards",
]
WORD = re.compile(rf"(?<![A-Za-z])(?:{'|'.join(BRITISH)})(?![A-Za-z])", re.I)
# What is allowed to be British, and why.
ALLOWED = [
    r"colour",  # a column of the arrests table, which is R's
    r"predictive modelling",  # the title of Aliverti et al. (2021)
    r"haven_labelled|haven::labelled\w*",  # a class of R's haven and what makes it
    r"credit_samadi\w*|expvar_centred",  # names in files of the papers' authors
    r"--favourable|\bfavourable\b(?=\W+favorable)|(?<=\"favorable\": 1, \")favourable\b",  # answered with ours
    r"centre = TRUE",  # an argument that nothing has, in a test that says so
    r"aria-labelledby",
]
HERE = {"tests/test_english.py"}  # which has to say the words
OLD_NAMES = {"CHANGELOG.md"}  # which tells names of before 0.2


def texts() -> Iterator[tuple[str, str]]:
    """Yield every text of the tree by its path."""
    files = [f for folder in FOLDERS for f in (ROOT / folder).rglob("*") if f.suffix in ENDINGS and f.is_file()]
    for file in sorted([*files, *ROOT.glob("*.md"), ROOT / "Makefile", ROOT / "pyproject.toml"]):
        name = str(file.relative_to(ROOT))
        if name not in HERE | OLD_NAMES and "fairstats.Rcheck" not in name and not name.startswith("docs/_build/"):
            yield name, file.read_text(encoding="utf-8")


def british(text: str) -> list[str]:
    """Return the British forms in a text, but for those that are allowed.

    A name is judged by its parts: ``_favourable_rows`` and ``CentredRows`` have one each.
    """
    plain = re.sub("|".join(ALLOWED), " ", text)
    split = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", plain)
    return [found[0] for found in WORD.finditer(split)]


def test_the_spelling_is_american_in_names_and_in_text() -> None:
    found = {name: forms for name, text in texts() if (forms := british(text))}
    assert found == {}


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("the favourable rows are normalised", ["favourable", "normalised"]),
        ("def _uncentred(x): standardised_rows = 3", ["uncentred", "standardised"]),
        ("class CentredRows", ["Centred"]),
        ("otherwise, precise, a hypothesis of minimis characteristics", []),
        ("high-dimensional predictive modelling; groups='colour'", []),
    ],
)
def test_the_search_finds_british_forms_and_no_others(text: str, forms: list[str]) -> None:
    assert british(text) == forms


def test_there_are_no_private_signs() -> None:
    assert [name for name, text in texts() if "\N{BLACK CIRCLE}" in text] == []


# How a function that users call begins to say what it does.
VERBS = {
    "Adjust",
    "Audit",
    "Change",
    "Cluster",
    "Compare",
    "Compute",
    "Count",
    "Draw",
    "Estimate",
    "Find",
    "Fit",
    "Give",
    "Make",
}
VERBS |= {"Judge", "Mark", "Read", "Reconstruct", "Replace", "Return", "Start", "Take", "Test", "Write"}


def public() -> dict[str, object]:
    """Return every public function by its name."""
    doors = {"": fairstats, "stats.": fairstats.stats, "comparators.": fairstats.comparators}
    found = {f"{door}{name}": getattr(module, name) for door, module in doors.items() for name in module.__all__}
    own = {"datasets": fairstats.datasets, "simulate": fairstats.simulate}
    for door, module in own.items():
        for name, thing in vars(module).items():
            if not name.startswith("_") and getattr(thing, "__module__", "") == module.__name__:
                found[f"{door}.{name}"] = thing
    return {name: thing for name, thing in found.items() if inspect.isroutine(thing)}


@pytest.mark.parametrize("name", sorted(public()))
def test_a_public_function_begins_with_what_it_does_and_ends_its_first_line_as_a_sentence(name: str) -> None:
    first = (inspect.getdoc(public()[name]) or "").splitlines()[0]
    assert first.partition(" ")[0].rstrip(",") in VERBS, first
    assert first.endswith("."), first


# How the functions of the mathematics begin, beside those.
INNER = {"Append", "Apply", "Build", "Check", "Code", "Decorate", "Keep", "Maximize", "Merge", "Multiply", "Raise"}
INNER |= {"Refuse", "Say", "Solve", "Turn"}


@pytest.mark.parametrize("room", ["data", "linalg", "methods"])
def test_a_function_of_the_mathematics_begins_with_what_it_does(room: str) -> None:
    """Properties are things, and begin with what they are."""
    lines = {}
    for file in sorted((ROOT / "fairstats" / room).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if not isinstance(node, ast.FunctionDef) or node.name.startswith("_"):
                continue
            decorators = {ast.unparse(decorator) for decorator in node.decorator_list}
            if not decorators & {"property", "cached_property"} and (text := ast.get_docstring(node)):
                lines[f"{file.relative_to(ROOT)}:{node.name}"] = text.splitlines()[0]
    assert len(lines) > 20
    assert {k: v for k, v in lines.items() if v.partition(" ")[0].rstrip(",") not in VERBS | INNER} == {}


def test_every_first_line_of_a_docstring_ends_as_a_sentence() -> None:
    for file in sorted((ROOT / "fairstats").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and (text := ast.get_docstring(node)):
                first = text.splitlines()[0]
                assert first.rstrip("*`")[-1] in ".?:", f"{file.relative_to(ROOT)}: {first}"
