"""Methods are written against one view of the data, each in a file that needs no other method's."""

from __future__ import annotations

import ast
from dataclasses import fields
from pathlib import Path

from fairstats.methods.registry import METHODS
from fairstats.saving import FITS, class_of

ROOT = Path(__file__).resolve().parents[2]


def _imports(file: Path) -> set[str]:
    """The modules that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
    return found


def test_no_method_returns_to_the_file_of_another() -> None:
    homes = {row.home.partition(":")[0] for row in METHODS.values()}
    for file in sorted((ROOT / "fairstats" / "methods").rglob("*.py")):
        if file.name == "registry.py":  # which names them for type checkers
            continue
        own = ".".join(file.relative_to(ROOT).with_suffix("").parts)
        assert not _imports(file) & (homes - {own}), own


KINDS = {"CenteredMoments", "CenteredRows"}


def _asks_which_kind(tree: ast.AST) -> list[str]:
    """Where a tree looks at the kind of a centered view: it may be made under its name, and nothing else."""
    made = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    found = [
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in KINDS and id(node) not in made
    ]
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
            looked_at = node.func.id in ("isinstance", "hasattr", "getattr", "type") and ast.unparse(node.args[0])
            if looked_at and looked_at.split(".")[-1] in ("view", "mapped"):
                found.append(ast.unparse(node))
    return found


def test_no_method_asks_which_kind_of_view_it_has() -> None:
    for file in sorted((ROOT / "fairstats" / "methods").rglob("*.py")):
        assert _asks_which_kind(ast.parse(file.read_text())) == [], file
    assert _asks_which_kind(ast.parse("isinstance(view, Rows)")) and _asks_which_kind(ast.parse("{CenteredRows: f}"))
    assert _asks_which_kind(ast.parse("isinstance(v, CenteredRows)"))
    assert not _asks_which_kind(ast.parse("CenteredRows(design).rows"))


def test_files_of_the_mathematics_fit_three_hundred_lines() -> None:
    for room in ("data", "linalg", "methods"):
        for file in sorted((ROOT / "fairstats" / room).rglob("*.py")):
            assert len(file.read_text().splitlines()) <= 300, file


def test_one_door_builds_a_linear_fit() -> None:
    def builds(file: Path) -> bool:
        calls = (node.func for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Call))
        return any(isinstance(call, ast.Name) and call.id == "Projection" for call in calls)

    doors = [file.name for file in sorted((ROOT / "fairstats").rglob("*.py")) if builds(file)]
    assert doors == ["from_loadings.py"]


# A group map with protected features has three fields more; a result of their own would take them.
LONGER = {"GroupMap": 15}


def test_a_fit_has_about_a_dozen_fields() -> None:
    for name in FITS:
        assert len(fields(class_of(name))) <= LONGER.get(name, 12), name
