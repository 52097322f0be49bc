"""Change one thing in the package at a time and see whether a test fails.

    python tools/mutants.py cover methods      which tests run which lines (once; minutes)
    python tools/mutants.py run methods -n 60  a sample of mutants, each against the tests that run its line
    python tools/mutants.py report             what was killed, what survived

A room is a folder of the package (``inference``, ``methods``, ``auditing``, ``auditing/words``). Mutants are drawn
systematically from all sites in the order of file and operator, so that each has its share. Files are never changed: a
mutant lives in a process of its own, where the import of its module gives the changed code. Results are appended to
``build/mutants``, and what stands there is not run again. Equivalent mutants are named in ``tests/mutants.toml``, each
with its reason.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib.machinery
import importlib.util
import json
import os
import random
import resource
import signal
import sys
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
STORE = ROOT / "build" / "mutants"
TESTS = {
    "inference": ["tests/inference", "tests/oracle/test_harness.py"],
    "methods": ["tests/methods", "tests/laws"],
    "auditing": ["tests/auditing"],
    "auditing/words": ["tests/auditing", "tests/presets"],
}
SPOKEN = {"auditing/words"}  # where text is what the code makes
BUDGET = 20.0  # seconds of tests against one mutant, the quickest first
ENOUGH = 50  # calls of a function in one test whose lines are noted
PATIENCE = 5.0  # times as long as usual is an endless loop

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
    operator: str
    before: str
    after: str

    @property
    def key(self) -> str:
        """What names it in the results, whatever stands above it in the file."""
        return f"{self.file}: {self.before} → {self.after}"


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
            yield "text", ast.Constant(node.value[::-1] if len(set(node.value)) > 1 else node.value + "!")
    elif isinstance(node, ast.Call):
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name in OTHER:
            other = copy.copy(node.func)
            setattr(other, "attr" if isinstance(other, ast.Attribute) else "id", OTHER[name])
            yield "function", ast.Call(other, node.args, node.keywords)


def passed_over(tree: ast.AST) -> set[int]:
    """Nodes that run nothing worth a test: types, docstrings, messages of errors, decorators, names for export."""
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


def statements(tree: ast.AST) -> dict[int, int]:
    """The line in which the statement of each node begins."""
    begins: dict[int, int] = {}
    for node in ast.walk(tree):  # outer statements come first
        if isinstance(node, ast.stmt):
            begins |= {id(inner): node.lineno for inner in ast.walk(node)}
    return begins


def head(node: ast.AST) -> str:
    """The first line of a piece of code."""
    return ast.unparse(node).splitlines()[0]


def sites(file: Path, spoken: bool) -> Iterator[tuple[Mutant, ast.Module]]:
    """Every mutant of a file, with the changed tree."""
    name, text = str(file.relative_to(ROOT)), file.read_text(encoding="utf-8")
    tree = ast.parse(text)
    skipped, begins, at = passed_over(tree), statements(tree), 0
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            nodes = value if isinstance(value, list) else [value]
            for place, node in enumerate(nodes):
                if not isinstance(node, ast.AST) or id(node) in skipped:
                    continue
                for operator, new in changes(node, spoken):
                    ast.copy_location(new, node)
                    changed = [*nodes[:place], new, *nodes[place + 1 :]] if isinstance(value, list) else new
                    mutant = Mutant(name, node.lineno, begins[id(node)], at, operator, head(node), head(new))  # type: ignore[attr-defined]
                    setattr(parent, field, changed)
                    yield mutant, ast.fix_missing_locations(tree)
                    setattr(parent, field, value)
                    at += 1


def every(room: str) -> list[Mutant]:
    """All mutants of a room, in the order of file and operator."""
    files = sorted((ROOT / "fairstats" / room).rglob("*.py"))
    found = [mutant for file in files for mutant, _ in sites(file, room in SPOKEN)]
    return sorted(found, key=lambda m: (m.file, m.operator, m.at))


def sample(mutants: list[Mutant], n: int, seed: int) -> list[Mutant]:
    """Every so many-th of the list from a random start: each file and operator has its share."""
    step, start = len(mutants) / n, random.Random(seed).random()
    chosen = [mutants[int((i + start) * step)] for i in range(min(n, len(mutants)))]
    random.Random(seed).shuffle(chosen)
    return chosen


class Recorder:
    """A plugin of pytest that notes the lines of a room which each test runs."""

    def __init__(self, room: str) -> None:
        self.folder = str(ROOT / "fairstats" / room)
        self.lines: dict[str, set[int]] = defaultdict(set)
        self.calls: Counter[Any] = Counter()
        self.tests: dict[str, dict[str, Any]] = {}

    def enter(self, frame: Any, event: str, arg: Any) -> Any:
        """Follow what is in the room only."""
        code = frame.f_code
        if not code.co_filename.startswith(self.folder):
            return None
        self.calls[code] += 1
        if self.calls[code] > ENOUGH:
            return None
        seen = self.lines[code.co_filename]

        def line(frame: Any, event: str, arg: Any) -> Any:
            seen.add(frame.f_lineno)
            return line

        return line

    def pytest_runtest_protocol(self, item: Any) -> None:
        """Begin a test."""
        self.lines.clear()
        self.calls.clear()
        self.begun = time.process_time()
        sys.settrace(self.enter)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """End it; what ran while modules were imported belongs to no test."""
        sys.settrace(None)
        lines = {str(Path(f).relative_to(ROOT)): sorted(n) for f, n in self.lines.items() if n}
        if lines:
            self.tests[nodeid] = {"seconds": time.process_time() - self.begun, "lines": lines}


def cover(room: str, paths: list[str]) -> None:
    """Run tests once, and note which of them runs which line; what is known of other tests stays."""
    import pytest

    recorder, path = Recorder(room), store(room, "cover")
    pytest.main(["-q", "-p", "no:cacheprovider", *(paths or TESTS[room])], plugins=[recorder])
    STORE.mkdir(parents=True, exist_ok=True)
    known = json.loads(path.read_text()) if path.exists() else {}
    path.write_text(json.dumps({**known, **recorder.tests}))


def store(room: str, what: str) -> Path:
    """Where the results of a room are kept."""
    return STORE / f"{room.replace('/', '-')}.{what}.json"


class Changed(importlib.machinery.SourceFileLoader):
    """The loader of the one module that is changed."""

    tree: ast.Module

    def get_code(self, fullname: str) -> Any:
        """Compile the changed tree."""
        return compile(self.tree, self.path, "exec")


def change(mutant: Mutant, spoken: bool) -> None:
    """Let the import of a mutant's module, in this process, give the changed code."""
    file = ROOT / mutant.file
    name = mutant.file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
    tree = next(copy.deepcopy(tree) for one, tree in sites(file, spoken) if one.at == mutant.at)

    class Finder:
        @staticmethod
        def find_spec(fullname: str, path: Any = None, target: Any = None) -> Any:
            if fullname != name:
                return None
            loader = Changed(fullname, str(file))
            loader.tree = tree
            return importlib.util.spec_from_file_location(fullname, file, loader=loader)

    sys.meta_path.insert(0, Finder)  # type: ignore[arg-type]


def attempt(mutant: Mutant | None, spoken: bool, tests: list[str], seconds: float) -> str:
    """Run tests in a process of its own against one mutant, or the code as it is: killed, survived or endless."""
    child = os.fork()
    if child:
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return "endless" if code < 0 else "killed" if code else "survived"
    os.setsid()
    limit = int(seconds * PATIENCE + 20)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    signal.alarm(20 * limit)
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    if mutant is not None:
        change(mutant, spoken)
    import pytest

    code = pytest.main(["-q", "-x", "-p", "no:cacheprovider", "-p", "no:randomly", *tests])
    os._exit(int(code != 0))


def run(room: str, n: int, seed: int, again: bool) -> None:
    """Run a sample of mutants, those that have no result yet."""
    covering = json.loads(store(room, "cover").read_text())
    path = store(room, "results")
    known = json.loads(path.read_text()) if path.exists() else {}
    if again:
        known = {key: v for key, v in known.items() if v["outcome"] not in ("survived", "untested")}
    for name in ("numpy", "scipy.stats", "scipy.optimize", "pandas", "sklearn.linear_model", "pytest"):
        importlib.import_module(name)  # once, before the processes divide
    quick = sorted(covering, key=lambda test: covering[test]["seconds"])[:40]
    if attempt(None, False, quick, BUDGET) != "survived":
        sys.exit("tests fail without any change; mend them, or cover again")
    for mutant in sample(every(room), n, seed):
        if mutant.key in known:
            continue
        lines = {t: v["lines"].get(mutant.file, ()) for t, v in covering.items()}
        own = [t for t in lines if mutant.line in lines[t]] or [t for t in lines if mutant.statement in lines[t]]
        running = [(covering[t]["seconds"], t) for t in own]
        chosen, spent = [], 0.0
        for seconds, test in sorted(running):
            if chosen and spent + seconds > BUDGET:
                break
            chosen.append(test)
            spent += seconds
        outcome = attempt(mutant, room in SPOKEN, chosen, spent) if chosen else "untested"
        known[mutant.key] = {**vars(mutant), "outcome": outcome, "tests": len(chosen), "of": len(running)}
        path.write_text(json.dumps(known, indent=1))
        where = f"{mutant.file}:{mutant.line}  {mutant.before[:60]} → {mutant.after[:60]}"
        print(f"{outcome:9}{len(chosen):4} of {len(running):4} tests  {where}", flush=True)


def report(rooms: list[str]) -> None:
    """Print the share of killed mutants, and those that survive."""
    named = tomllib.loads((ROOT / "tests" / "mutants.toml").read_text()).get("equivalent", [])
    equal = {f"{e['file']}: {e['mutant']}" for e in named}
    print(f"{'room':16}{'mutants':>9}{'killed':>9}{'equivalent':>12}{'gaps':>7}{'score':>9}")
    for room in rooms:
        found = json.loads(store(room, "results").read_text())
        count = Counter("equivalent" if k in equal else v["outcome"] for k, v in found.items())
        killed, gaps = count["killed"] + count["endless"], count["survived"] + count["untested"]
        print(f"{room:16}{len(found):9}{killed:9}{count['equivalent']:12}{gaps:7}{killed / max(killed + gaps, 1):9.1%}")
        for key, value in found.items():
            if key not in equal and value["outcome"] in ("survived", "untested"):
                print(f"    {value['outcome']}: {value['file']}:{value['line']}  {value['before']} → {value['after']}")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("do", choices=["cover", "run", "report"])
    parser.add_argument("room", nargs="?", choices=list(TESTS))
    parser.add_argument("tests", nargs="*", help="of cover: the tests, where not all of the room's")
    parser.add_argument("-n", type=int, default=60)
    parser.add_argument("--seed", type=int, default=20261122)
    parser.add_argument("--again", action="store_true", help="of run: those that survived, once more")
    asked = parser.parse_args()
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    rooms = [asked.room] if asked.room else [room for room in TESTS if store(room, "results").exists()]
    if asked.do == "report":
        report(rooms)
    for room in rooms if asked.do != "report" else []:
        cover(room, asked.tests) if asked.do == "cover" else run(room, asked.n, asked.seed, asked.again)


if __name__ == "__main__":
    main()
