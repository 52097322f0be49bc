"""The house keeps its shape: no circle among files, a sentence on every door, a map that is true, files of a size."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def test_no_files_import_each_other_in_a_circle() -> None:
    done = subprocess.run([sys.executable, ROOT / "tools" / "import_circles.py"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert done.stdout == "No circle among files.\n"


def test_the_search_for_circles_finds_one_through_a_function_and_none_through_types(tmp_path: Path) -> None:
    package = tmp_path / "house"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "a.py").write_text("import house.b\n")
    (package / "b.py").write_text("def f():\n    from house import a\n    return a\n")
    (package / "c.py").write_text("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from house import d\n")
    (package / "d.py").write_text("from house import c\n")
    command = [sys.executable, ROOT / "tools" / "import_circles.py", package]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stdout == "2 files import each other in a circle: house.a, house.b\n"


def test_every_package_says_what_lives_in_it() -> None:
    for file in (ROOT / "fairstats").rglob("__init__.py"):
        said = ast.get_docstring(ast.parse(file.read_text()))
        assert said and said.splitlines()[0].endswith("."), file


ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text()
MAP = re.split(r"^### ", ARCHITECTURE[: ARCHITECTURE.index("## Who may import whom")], flags=re.M)[1:]


def test_the_map_names_every_file_of_the_package_in_its_room_and_no_other() -> None:
    there = {str(file.relative_to(ROOT)) for file in (ROOT / "fairstats").rglob("*.py")}
    listed = []
    for room in MAP:
        heading = re.match(r"`(fairstats/[\w/]*)`\n", room)
        if heading:
            cells = re.findall(r"^\| (`[^|]*) \|", room, flags=re.M)
            listed += [f"{heading[1]}{name}" for cell in cells for name in re.findall(r"`([\w.]+\.py)`", cell)]
    assert sorted(listed) == sorted(set(listed)), "a file is in the map twice"
    doors = {file for file in there if file.endswith("/__init__.py")}
    assert set(listed) - there == set(), "the map names a file that does not exist"
    assert there - doors - set(listed) == set(), "ARCHITECTURE.md names no such file: give it a row"


def test_no_folder_has_the_name_of_a_public_function() -> None:
    import fairstats

    folders = {file.parent.name for file in (ROOT / "fairstats").glob("*/__init__.py")}
    assert folders & set(fairstats.__all__) == set()


LOADS_OTHERS_LIBRARIES = {"fairstats/comparing/models.py", "fairstats/r/engine.py"}


def test_the_files_that_load_others_by_name_are_those_that_the_architecture_says() -> None:
    (paragraph,) = re.findall(r"^Files that load others of the package by name: (.*?)\n\n", ARCHITECTURE, re.M | re.S)
    said = {f"fairstats/{name}" for name in re.findall(r"`([\w/]+\.py)`", paragraph.partition(". ")[0])}
    there = {
        str(file.relative_to(ROOT))
        for file in (ROOT / "fairstats").rglob("*.py")
        if re.search(r"\bimport_module\(", file.read_text())
    }
    assert there - LOADS_OTHERS_LIBRARIES == said


MOST_LINES, MOST_LINES_OF_A_FUNCTION = 300, 80
# What is longer, with its length and why. The numbers may only fall; a line goes when its reason does.
LONGER_FILES: dict[str, int] = {}
LONGER_FUNCTIONS: dict[str, int] = {}


def test_files_and_functions_keep_their_size() -> None:
    files, functions = {}, {}
    for file in sorted((ROOT / "fairstats").rglob("*.py")):
        name, text = str(file.relative_to(ROOT)), file.read_text()
        files[name] = len(text.splitlines())
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                functions[f"{name}:{node.name}"] = _lines(node)
    for sizes, most, longer in (
        (files, MOST_LINES, LONGER_FILES),
        (functions, MOST_LINES_OF_A_FUNCTION, LONGER_FUNCTIONS),
    ):
        grown = {name: size for name, size in sizes.items() if size > longer.get(name, most)}
        assert grown == {}, f"at most {most} lines"
        assert {name for name in longer if sizes.get(name, 0) <= most} == set(), "no exception any more: take it out"


def _lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the lines of a function without its docstring."""
    first = function.body[0]
    said = ast.get_docstring(function) is not None
    return function.end_lineno - function.lineno + 1 - (first.end_lineno - first.lineno + 1 if said else 0)


# Names that two classes still have; the list may only shrink.
SHARED_NAMES = {"Comparison", "DesignPair", "Null", "Sample", "Table"}


def test_one_class_name_is_one_thing() -> None:
    homes: dict[str, list[str]] = {}
    for file in sorted((ROOT / "fairstats").rglob("*.py")):
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(file.name)
    assert {name: files for name, files in homes.items() if len(files) > 1 and name not in SHARED_NAMES} == {}


def test_the_lists_of_adjustments_agree() -> None:
    from fairstats import choices
    from fairstats.inference import multiplicity
    from fairstats.reporting import readings

    assert {*multiplicity.ADJUSTMENTS, choices.MAX_T} == set(choices.ADJUSTMENTS)
    assert {*readings.ADJUSTMENTS, choices.NONE} == {*choices.ADJUSTMENTS, choices.ALL_PAIRS.name}


def test_methods_are_listed_in_the_registry_and_nowhere_else() -> None:
    from fairstats import comparators
    from fairstats.methods.registry import METHODS

    assert set(comparators.__all__) == {name for name, row in METHODS.items() if row.comparator}
    for file in sorted((ROOT / "fairstats").rglob("*.py")):
        constants = (node.value for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Constant))
        named = {value for value in constants if isinstance(value, str) and value in METHODS}
        assert len(named) <= 2 or file.name in ("registry.py", "comparators.py"), (file, named)


def test_the_readme_names_every_method() -> None:
    from fairstats.methods.registry import METHODS

    named = set(re.findall(r"`(\w+)`", (ROOT / "README.md").read_text()))
    assert {name for name in METHODS if name not in named} == set()
