"""The house keeps its shape: no circle among files, a sentence on every door."""

from __future__ import annotations

import ast
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
