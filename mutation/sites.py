"""What can be changed in a file, one thing at a time: comparisons, signs, numbers, branches, flags, texts."""

from __future__ import annotations

import ast
import copy
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
STORE = ROOT / "build" / "mutants"
WORDS = "auditing/words"  # where text is what the code makes
ROOMS = ("inference", "methods", "auditing", WORDS)

TURNED: dict[type, tuple[type, ...]] = {
    ast.Lt: (ast.LtE, ast.Gt), ast.LtE: (ast.Lt,), ast.Gt: (ast.GtE, ast.Lt), ast.GtE: (ast.Gt,),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,), ast.NotIn: (ast.In,), ast.Add: (ast.Sub,), ast.Sub: (ast.Add,), ast.Mult: (ast.Div,),
    ast.Div: (ast.Mult,), ast.Pow: (ast.Mult,), ast.BitAnd: (ast.BitOr,), ast.BitOr: (ast.BitAnd,),
    ast.And: (ast.Or,), ast.Or: (ast.And,),
}  # fmt: skip
PAIRS = (("min", "max"), ("minimum", "maximum"), ("argmin", "argmax"), ("any", "all"), ("floor", "ceil"))
OTHER = {
    **{a: b for pair in PAIRS for a, b in (pair, pair[::-1])},
    "sqrt": "abs",
    "mean": "sum",
    "cumsum": "cumprod",
}


@dataclass(frozen=True)
class Mutant:
    """One change: where, what kind, and how the line reads before and after."""

    file: str
    line: int
    statement: int  # the line that its statement begins in
    at: int  # which site of the file
    local: bool  # within the body of a function: not run while its module is imported
    operator: str
    before: str
    after: str
    within: str  # the statement's first line
    again: int  # how many sites before it in the file read the same

    @property
    def key(self) -> str:
        """What names it in the results, whatever stands above it in the file."""
        return f"{self.file}: {self.within}: {self.before} → {self.after}" + f" ({self.again + 1})" * (self.again > 0)


def changes(node: ast.AST, spoken: bool) -> Iterator[tuple[str, ast.AST]]:
    """The ways in which one node of the tree can be changed."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        for op in TURNED.get(type(node.ops[0]), ()):
            yield "comparison", ast.Compare(node.left, [op()], node.comparators)
    elif isinstance(node, ast.BinOp):
        for op in TURNED.get(type(node.op), ()):
            yield "arithmetic", ast.BinOp(node.left, op(), node.right)
    elif isinstance(node, ast.BoolOp):
        yield "logic", ast.BoolOp(TURNED[type(node.op)][0](), node.values)
    elif isinstance(node, ast.UnaryOp):
        yield "sign", node.operand
    elif isinstance(node, ast.IfExp):
        yield "branch", ast.IfExp(node.test, node.orelse, node.body)
    elif isinstance(node, ast.If):
        yield "branch", ast.If(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)
    elif isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            yield "flag", ast.Constant(not node.value)
        elif isinstance(node.value, (int, float)):
            yield "number", ast.Constant(node.value + 1)
        elif spoken and isinstance(node.value, str) and node.value.strip():
            yield "text", ast.Constant(node.value[::-1] if node.value != node.value[::-1] else node.value + "!")
    elif isinstance(node, ast.Call):
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name in OTHER:
            other = copy.copy(node.func)
            setattr(other, "attr" if isinstance(other, ast.Attribute) else "id", OTHER[name])
            yield "function", ast.Call(other, node.args, node.keywords)


def passed_over(tree: ast.AST) -> set[int]:
    """Nodes that run nothing worth a test: types, docstrings, messages of errors, decorators, names for export.

    And ``strict=True`` of a zip, which is an assertion: of lists of one length it changes nothing.
    """
    skipped: set[int] = set()
    for node in ast.walk(tree):
        parts: list[Any] = []
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            parts += [
                node.returns,
                *node.decorator_list,
                *(a.annotation for a in ast.walk(node.args) if isinstance(a, ast.arg)),
            ]
        if isinstance(node, ast.ClassDef):
            parts += node.decorator_list
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "zip":
            parts += [keyword for keyword in node.keywords if keyword.arg == "strict"]
        if isinstance(node, ast.AnnAssign):
            parts.append(node.annotation)
        if isinstance(node, (ast.Raise, ast.Assert)) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        ):
            parts.append(node)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            parts.append(node)
        skipped |= {id(inner) for part in parts if part is not None for inner in ast.walk(part)}
    return skipped


def bodies(tree: ast.AST) -> set[int]:
    """Nodes within the bodies of functions."""
    functions = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    return {id(inner) for function in functions for part in function.body for inner in ast.walk(part)}


def statements(tree: ast.AST) -> dict[int, ast.stmt]:
    """The innermost statement of each node."""
    begins: dict[int, ast.stmt] = {}
    for node in ast.walk(tree):  # outer statements come first
        if isinstance(node, ast.stmt):
            begins |= {id(inner): node for inner in ast.walk(node)}
    return begins


def head(node: ast.AST) -> str:
    """The first line of a piece of code."""
    return ast.unparse(node).splitlines()[0]


def sites(file: Path) -> Iterator[tuple[Mutant, ast.Module]]:
    """Every mutant of a file, with the changed tree, which is good until the next is asked for."""
    name, text = str(file.relative_to(ROOT)), file.read_text(encoding="utf-8")
    tree = ast.parse(text)
    skipped, begins, local, at = passed_over(tree), statements(tree), bodies(tree), 0
    spoken, alike = WORDS in name, Counter[tuple[str, ...]]()
    rows = text.splitlines()
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            nodes = value if isinstance(value, list) else [value]
            for place, node in enumerate(nodes):
                if not isinstance(node, ast.AST) or id(node) in skipped:
                    continue
                for operator, new in changes(node, spoken):
                    ast.copy_location(new, node)
                    changed = [*nodes[:place], new, *nodes[place + 1 :]] if isinstance(value, list) else new
                    statement = begins[id(node)]
                    place_of = node.lineno, statement.lineno, at, id(node) in local  # type: ignore[attr-defined]
                    reads = head(node), head(new), rows[statement.lineno - 1].strip()
                    mutant = Mutant(name, *place_of, operator, *reads, alike[reads])
                    alike[reads] += 1
                    setattr(parent, field, changed)
                    yield mutant, tree
                    setattr(parent, field, value)
                    at += 1


def every(room: str) -> list[Mutant]:
    """All mutants of a room, in the order of file and operator."""
    files = sorted((ROOT / "fairstats" / room).rglob("*.py"))
    own = [file for file in files if room == WORDS or WORDS not in str(file)]
    found = [mutant for file in own for mutant, _ in sites(file)]
    return sorted(found, key=lambda m: (m.file, m.operator, m.at))


def tree_of(mutant: Mutant) -> ast.Module:
    """The changed tree of one mutant."""
    return ast.fix_missing_locations(next(tree for one, tree in sites(ROOT / mutant.file) if one.at == mutant.at))


def sample(mutants: list[Mutant], n: int, seed: int) -> list[Mutant]:
    """Every so many-th of the list from a random start: each file and operator has its share."""
    step, start = len(mutants) / n, random.Random(seed).random()
    chosen = [mutants[int((i + start) * step)] for i in range(min(n, len(mutants)))]
    random.Random(seed).shuffle(chosen)
    return chosen
