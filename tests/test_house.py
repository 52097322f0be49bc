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


def test_every_package_says_what_lives_in_it() -> None:
    for file in (ROOT / "fairstats").rglob("__init__.py"):
        text = ast.get_docstring(ast.parse(file.read_text()))
        assert text and text.splitlines()[0].endswith("."), file


def test_no_folder_has_the_name_of_a_public_function() -> None:
    import fairstats

    folders = {file.parent.name for file in (ROOT / "fairstats").glob("*/__init__.py")}
    assert folders & set(fairstats.__all__) == set()


# Names that two classes still have; the list may only shrink.
SHARED_NAMES = {"Answer", "Comparison", "DesignPair", "Null", "Sample", "Table"}


def test_one_class_name_is_one_thing() -> None:
    homes: dict[str, list[str]] = {}
    for file in sorted((ROOT / "fairstats").rglob("*.py")):
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(file.name)
    assert {name: files for name, files in homes.items() if len(files) > 1 and name not in SHARED_NAMES} == {}


def test_the_lists_of_adjustments_agree() -> None:
    from fairstats import validation
    from fairstats.inference import multiplicity
    from fairstats.reporting import words

    assert set(multiplicity.ADJUSTMENTS) == set(validation.ADJUSTMENTS)
    assert {*words.ADJUSTMENTS, validation.NONE} == {*validation.ADJUSTMENTS, validation.ALL_PAIRS.name}


def test_methods_are_listed_in_the_registry_and_nowhere_else() -> None:
    from fairstats import comparators
    from fairstats.methods.registry import METHODS

    assert set(comparators.__all__) == {name for name, row in METHODS.items() if row.comparator}
    for file in sorted((ROOT / "fairstats").rglob("*.py")):
        nodes = list(ast.walk(ast.parse(file.read_text())))
        here = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
        constants = (node.value for node in nodes if isinstance(node, ast.Constant))
        named = {value for value in constants if isinstance(value, str) and value in METHODS} - here
        assert len(named) <= 2 or file.name in ("registry.py", "comparators.py"), (file, named)


def test_the_readme_names_every_method() -> None:
    from fairstats.methods.registry import METHODS

    named = set(re.findall(r"`(\w+)`", (ROOT / "README.md").read_text()))
    assert {name for name in METHODS if name not in named} == set()
