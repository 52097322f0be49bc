"""Methods are written against one view of the data."""

from __future__ import annotations

import ast
from dataclasses import fields
from pathlib import Path

from fairstats.result_classes import FITS, class_of

ROOT = Path(__file__).resolve().parents[2]


KINDS = {"CenteredMoments", "CenteredRows"}


def _asks_which_kind(tree: ast.AST) -> list[str]:
    """Where a tree looks at the kind of a centered view: it may be made, or derived, under its name."""
    members = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    members |= {id(base) for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for base in node.bases}
    items = [
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and node.id in KINDS and id(node) not in members
    ]
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
            looked_at = node.func.id in ("isinstance", "hasattr", "getattr", "type") and ast.unparse(node.args[0])
            if looked_at and looked_at.split(".")[-1] in ("view", "mapped"):
                items.append(ast.unparse(node))
    return items


def test_no_method_asks_which_kind_of_view_it_has() -> None:
    for file in sorted((ROOT / "fairstats" / "methods").rglob("*.py")):
        assert _asks_which_kind(ast.parse(file.read_text())) == [], file
    assert _asks_which_kind(ast.parse("isinstance(view, Rows)")) and _asks_which_kind(ast.parse("{CenteredRows: f}"))
    assert _asks_which_kind(ast.parse("isinstance(v, CenteredRows)"))
    assert not _asks_which_kind(ast.parse("CenteredRows(design).rows"))


# A group map with protected features has three fields more; a result of their own would take them.
LONGER = {"GroupAdjustment": 15}


def test_a_fit_has_about_a_dozen_fields() -> None:
    for name in FITS:
        assert len(fields(class_of(name))) <= LONGER.get(name, 12), name
