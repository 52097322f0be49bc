#!/usr/bin/env python3
"""Print the files of the package that import each other in a circle; exit with 1 where there are any.

    python tools/import_circles.py [FOLDER]

Imports inside functions, those that only a type checker follows, and modules that are named by a text such as
``"fairstats.saving"`` count. The package's ``__init__`` does not: it attaches everything, and only the outermost
folders (``cli``, ``r``) import it. Tarjan's algorithm.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path


def modules(package: Path) -> dict[str, Path]:
    """Return the dotted name of every file of the package."""
    root = package.parent
    return {
        ".".join(file.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): file
        for file in sorted(package.rglob("*.py"))
    }


def _named(node: ast.AST) -> Iterator[str]:
    """Yield the modules that an expression names by a text."""
    text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
    if text.startswith("fairstats.") and " " not in text:
        yield text.partition(":")[0]


def imports(package: Path) -> dict[str, set[str]]:
    """Return for every file of the package those that it imports, by their dotted names."""
    entries = {name: file for name, file in modules(package).items() if name != package.name}
    graph: dict[str, set[str]] = {}
    for name, file in entries.items():
        names: set[str] = set()
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names.update(_named(node))
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                inner = {f"{node.module}.{alias.name}" for alias in node.names}
                names |= {name if name in entries else node.module for name in inner}
        graph[name] = {other for other in names if other in entries and other != name}
    return graph


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Return the strongly connected components of more than one file (Tarjan 1972)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    result: list[list[str]] = []

    def visit(name: str) -> None:
        order[name] = low[name] = len(order)
        stack.append(name)
        for other in sorted(graph[name]):
            if other not in order:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], order[other])
        if low[name] == order[name]:
            at = stack.index(name)
            if len(stack) - at > 1:
                result.append(sorted(stack[at:]))
            del stack[at:]

    sys.setrecursionlimit(10_000)
    for name in graph:
        if name not in order:
            visit(name)
    return result


def main() -> int:
    """Print the circles."""
    package = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[1] / "fairstats"
    result = circles(imports(package))
    for files in result:
        print(f"{len(files)} files import each other in a circle: {', '.join(files)}")
    if not result:
        print("No circle among files.")
    return int(bool(result))


if __name__ == "__main__":
    sys.exit(main())
