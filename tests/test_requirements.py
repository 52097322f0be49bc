"""What the tests use is what `make test` installs: R packages, Python modules and programs, each by its name.

A machine that happens to have a package hides that nobody installs it. Names are read from the code, and compared with
tools/system-packages.txt (with everything that its packages bring) and with the extra ``dev``.
"""

from __future__ import annotations

import ast
import functools
import importlib.metadata
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).resolve().parents[1]
R_PACKAGE = ROOT / "r" / "fairstats"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
OLDEST_PYTHON = "3.11.0"  # of those that requires-python promises

# R packages that come with R itself.
WITH_R = {
    "base",
    "compiler",
    "datasets",
    "grDevices",
    "graphics",
    "grid",
    "methods",
    "parallel",
    "splines",
    "stats",
    "tools",
    "utils",
}
# R packages that are named and need not be there, each with the reason.
R_ELSEWHERE = {
    "fairstats": "it is under test",
    "noSuchPackage": "that there is none is the test",
    "gt": "Debian has none; its tests give us a stand-in",
    "parsnip": "Debian has none; its tests give us a stand-in",
    "rsample": "Debian has none; its tests give us a stand-in",
    "srvyr": "named in a message",
    "sva": "Debian's Bioconductor brings 300 packages; the golden numbers of ComBat were made with it",
    "workflows": "Debian has none; its tests give us a stand-in",
    "yardstick": "Debian has none; its tests give us a stand-in",
}
# The package of Debian that has a program.
PROGRAM = {
    "R": "r-base-core",
    "Rscript": "r-base-core",
    "chromium": "chromium|chromium-browser",
    "chromium-browser": "chromium|chromium-browser",
    "initdb": "postgresql",
    "pandoc": "pandoc",
    "pdfdetach": "poppler-utils",
    "pdffonts": "poppler-utils",
    "pdfinfo": "poppler-utils",
    "pdftotext": "poppler-utils",
    "pg_ctl": "postgresql",
    "qpdf": "qpdf",
}
PROGRAMS_ELSEWHERE = {
    "bash": "of the base system",
    "node": "only pyright needs it, whose test is skipped without",
    "uv": "of the extra dev",
}
# Modules that are of a distribution of another name.
DISTRIBUTION = {
    "IPython": "ipykernel",
    "PIL": "pillow",
    "bs4": "beautifulsoup4",
    "docx": "python-docx",
    "google": "protobuf",
    "great_tables": "great-tables",
    "ibis": "ibis-framework",
    "sklearn": "scikit-learn",
    "sphinx_design": "sphinx-design",
    "yaml": "pyyaml",
}

_BY_NAME = re.compile(
    r"\b(?:library|require|requireNamespace|loadNamespace|skip_if_not_installed|importr|requires_r|requires_bridge)"
    r"""\(\s*((?:["'][A-Za-z][A-Za-z0-9.]*["'](?:,\s*)?)+|[A-Za-z][A-Za-z0-9.]*\))"""
)
_QUALIFIED = re.compile(r"(?<![\w./`:])([A-Za-z][A-Za-z0-9.]+):::?[A-Za-z_.]")


def r_packages(text: str) -> set[str]:
    """Names of R packages in R code, or in Python that holds R code."""
    named = {word for result in _BY_NAME.finditer(text) for word in re.findall(r"[A-Za-z][A-Za-z0-9.]*", result[1])}
    return named | set(_QUALIFIED.findall(text))


def r_packages_of_the_tests() -> dict[str, str]:
    """Every R package that tests, the R package and its description name, with a file that does."""
    files = [*ROOT.glob("tests/**/*.py"), *R_PACKAGE.glob("R/*.R"), *R_PACKAGE.glob("tests/**/*.R")]
    files += [*R_PACKAGE.glob("vignettes/*.Rmd")]
    entries = {
        name: str(file.relative_to(ROOT))
        for file in files
        for name in r_packages(_without_markers(file.read_text()) if file.name != Path(__file__).name else "")
    }
    description = (R_PACKAGE / "DESCRIPTION").read_text()
    for field in ("Imports", "Suggests"):
        listed = re.search(rf"^{field}:\n((?: .*\n)+)", description, re.M)
        assert listed, field
        entries |= dict.fromkeys(re.findall(r"^ +([\w.]+)", listed[1], re.M), "DESCRIPTION")
    unbound = {"p", "package"}  # variables of functions that take a name
    return {name: place for name, place in entries.items() if name not in WITH_R | unbound}


def _without_markers(text: str) -> str:
    """The text without what looks like R: filters of warnings, commands to a CI, pseudo-elements of style sheets."""
    return re.sub(r"(?:ignore|error)::\w|\w+::(?:after|before)\{", "", text)


@functools.cache
def system_packages() -> tuple[str, ...]:
    """What tools/system-packages.txt lists for the tests, alternatives together."""
    text = (ROOT / "tools" / "system-packages.txt").read_text()
    return tuple(name for line in re.findall(r"^(?:report|checks|r): (.*)$", text, re.M) for name in line.split())


@functools.cache
def brought() -> frozenset[str]:
    """These packages with everything that they depend on, without what they recommend."""
    if shutil.which("apt-cache") is None:
        pytest.skip("apt-cache is missing: this is no Debian, whose packages are compared")
    without = [f"--no-{kind}" for kind in ("recommends", "suggests", "conflicts", "breaks", "replaces", "enhances")]
    items = [name.split("|")[0] for name in system_packages()]
    done = subprocess.run(["apt-cache", "depends", "--recurse", *without, *items], capture_output=True, text=True)
    names = frozenset(re.findall(r"^(\S+)$", done.stdout, re.M))
    if not {"r-base-core", *items} <= names:
        pytest.skip(f"apt-cache knows no {sorted({'r-base-core', *items} - names)[0]}: apt-get update was not run")
    return names


def test_every_r_package_that_is_named_is_installed_by_make_test() -> None:
    missing = {
        name: place
        for name, place in r_packages_of_the_tests().items()
        if name not in R_ELSEWHERE and f"r-cran-{name.lower()}" not in brought()
    }
    assert missing == {}, "add r-cran-... to tools/system-packages.txt, or say in R_ELSEWHERE why not"


def test_the_excepted_r_packages_are_named_and_are_not_in_debian() -> None:
    assert {"gt", "yardstick", "sva", "noSuchPackage"} <= set(R_ELSEWHERE)
    assert {name for name in R_ELSEWHERE if f"r-cran-{name.lower()}" in brought()} == set()


def test_the_search_finds_packages_wherever_they_are_named() -> None:
    text = """
    requires_r("sandwich", "survey")
    run("library(pROC); x <- nnet::multinom(y ~ x); igraph:::f; if (!requireNamespace('Matrix', quietly = TRUE)) 1")
    # `fairmetrics::eval` in a comment, tests/x.py::test_it, and a slice [::2]
    """
    assert r_packages(text) == {"sandwich", "survey", "pROC", "nnet", "igraph", "Matrix"}


def python_files() -> Iterator[tuple[Path, ast.Module]]:
    for folder in ("tests", "fuzz", "benchmarks/coverage"):
        for file in sorted((ROOT / folder).glob("**/*.py")):
            yield file, ast.parse(file.read_text())


def modules_of_the_tests() -> dict[str, str]:
    """Every module that tests import, importorskip's included, with a file that does."""
    result: dict[str, str] = {}
    for file, tree in python_files():
        for node in ast.walk(tree):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "importorskip":
                names = [part.value for part in node.args[:1] if isinstance(part, ast.Constant)]
            result |= {name.partition(".")[0]: str(file.relative_to(ROOT)) for name in names}
    return result


@functools.cache
def requirements(extra: str) -> tuple[Requirement, ...]:
    """What an extra asks for, with what the extras that it names and the package itself do."""
    result: list[Requirement] = []
    for arguments in map(Requirement, PROJECT["dependencies"] + PROJECT["optional-dependencies"][extra]):
        result += (
            [r for other in arguments.extras for r in requirements(other)]
            if arguments.name == "fairstats"
            else [arguments]
        )
    return tuple(result)


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def brought_by(arguments: tuple[Requirement, ...]) -> set[str]:
    """The distributions of requirements with those that they require, as they are installed here."""
    todo = {(_plain(r.name), extra) for r in arguments for extra in ("", *r.extras)}
    result: set[tuple[str, str]] = set()
    while todo:
        name, extra = todo.pop()
        result.add((name, extra))
        try:
            needs = map(Requirement, importlib.metadata.requires(name) or [])
        except importlib.metadata.PackageNotFoundError:
            continue
        used = [need for need in needs if need.marker is None or need.marker.evaluate({"extra": extra})]
        todo |= {(_plain(need.name), more) for need in used for more in ("", *need.extras)} - result
    return {name for name, _ in result}


def test_every_python_module_that_tests_import_is_of_the_extra_dev() -> None:
    ours = {"fairstats", "tests", "fuzz", "benchmarks", "unfinished"}
    ours |= {file.stem for file in ROOT.glob("docs/_site/*.py")} | {file.stem for file in ROOT.glob("tools/*.py")}
    theirs = {n: place for n, place in modules_of_the_tests().items() if n not in sys.stdlib_module_names | ours}
    present = brought_by(requirements("dev")) | {"numpydoc", "snowballstemmer"}  # of docs: skipped without
    missing = {n: place for n, place in theirs.items() if _plain(DISTRIBUTION.get(n, n)) not in present}
    assert missing == {}, "add it to the extra dev in pyproject.toml (and make lock)"


@functools.cache
def programs_of_the_tests() -> dict[str, str]:
    """Every program that tests look for or start by its name, with a file that does."""
    result: dict[str, str] = {}
    for file, tree in python_files():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and node.args:
                called = getattr(node.func, "attr", getattr(node.func, "id", ""))
                first: ast.expr = node.args[0]
                listed = isinstance(first, (ast.List, ast.Tuple)) and first.elts
                starts = called in ("run", "Popen", "check_output", "check_call") and listed
                if starts:
                    first = first.elts[0]  # type: ignore[attr-defined]
                if (starts or called in ("which", "tool")) and isinstance(first, ast.Constant):
                    result[str(first.value)] = str(file.relative_to(ROOT))
    words = {"fairstats", "apt-cache"}  # ours, and what this file looks for
    for command in _commands():
        words.add(command)
    return {name: place for name, place in result.items() if name not in words and not name.startswith("-")}


def _commands() -> set[str]:
    """First words of our own command line, which tests pass to a function named run, and the misspelled ones."""
    from fairstats.cli import cli

    return {*cli.commands, "aduit", "completion", "help"}


def test_every_program_that_tests_start_is_of_a_package_that_make_test_installs() -> None:
    unknown = {n: place for n, place in programs_of_the_tests().items() if n not in {**PROGRAM, **PROGRAMS_ELSEWHERE}}
    assert unknown == {}, "say in PROGRAM which package of Debian has it, or in PROGRAMS_ELSEWHERE why none is needed"
    packages = {PROGRAM[name] for name in programs_of_the_tests() if name in PROGRAM}
    assert packages <= set(system_packages()), packages - set(system_packages())


@pytest.mark.parametrize("extras", ["report", "dev", "docs"])
def test_what_a_lock_pins_runs_on_the_oldest_python_that_is_promised(extras: str) -> None:
    """Debian 12 has Python 3.11.2: a package that asks for 3.11.5 cannot be installed there."""
    assert SpecifierSet(PROJECT["requires-python"]).contains(OLDEST_PYTHON)
    pins = re.findall(r"^([\w.-]+)==(\S+)", (ROOT / "locks" / f"{extras}.txt").read_text(), re.M)
    assert len(pins) > 20
    for name, version in pins:
        try:
            here = importlib.metadata.metadata(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        if here["Version"] == version and here.get("Requires-Python"):
            assert SpecifierSet(here["Requires-Python"]).contains(OLDEST_PYTHON), (name, here["Requires-Python"])
