"""One mutant at a time in a process of its own, until a test fails.

Everything is imported and every test is collected once; for each mutant the process divides, the functions of the
changed file get their changed code in place, and tests run. What runs while modules are imported (tables, defaults,
classes) is changed in a process that has not imported the package yet.
"""

from __future__ import annotations

import gc
import importlib
import importlib.machinery
import importlib.util
import os
import resource
import signal
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType
from typing import Any

import pytest

from mutation.recording import QUIET
from mutation.sites import ROOT, Mutant, tree_of

PATIENCE, GRACE = 5.0, 5.0  # a test may take so many times its seconds, and so many more, before it is endless
BUSY = 30.0  # how much slower a clock on the wall may be
UNDIVIDED = (  # threads do not outlive the division of a process: tests of such engines run in processes of their own
    *("polars", "duckdb", "dask", "engine", "kind_of_table", "command_line", "tests/auditing/test_sources.py"),
    "tests/auditing/test_any_table.py",
)
HEAVY = (
    *("numpy", "scipy.stats", "scipy.optimize", "scipy.sparse.linalg", "scipy.special", "pandas", "pandas.testing"),
    *("sklearn.linear_model", "sklearn.cluster", "sklearn.metrics", "sklearn.pipeline", "matplotlib.pyplot"),
    *("hypothesis", "joblib"),
)


def dividable(name: str) -> bool:
    """Whether a test may run in a divided process that others share its imports with."""
    return not any(part in name for part in UNDIVIDED)


def preload() -> None:
    """Import what the tests need and is not ours, once, before the processes divide."""
    for name in HEAVY:
        if importlib.util.find_spec(name.partition(".")[0]):
            importlib.import_module(name)


def code_of(mutant: Mutant) -> CodeType:
    """The changed module, compiled."""
    return compile(tree_of(mutant), str(ROOT / mutant.file), "exec")


def within(code: CodeType) -> Iterator[CodeType]:
    """A piece of code and all that is in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from within(constant)


class Changed(importlib.machinery.SourceFileLoader):
    """The loader of the one module that is changed."""

    code: CodeType

    def get_code(self, fullname: str) -> Any:
        """Give the changed code."""
        return self.code


def change_import(mutant: Mutant, code: CodeType) -> str:
    """Let the import of a mutant's module, in this process, give the changed code; the module's name."""
    file = ROOT / mutant.file
    name = mutant.file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")

    class Finder:
        @staticmethod
        def find_spec(fullname: str, path: Any = None, target: Any = None) -> Any:
            if fullname != name:
                return None
            loader = Changed(fullname, str(file))
            loader.code = code
            return importlib.util.spec_from_file_location(fullname, file, loader=loader)

    sys.meta_path.insert(0, Finder)  # type: ignore[arg-type]
    return name


def functions() -> dict[str, list[FunctionType]]:
    """Every function of the package that exists, by its file."""
    found = defaultdict(list)
    gc.unfreeze()  # what is frozen is not listed
    for one in gc.get_objects():
        if type(one) is FunctionType and one.__code__.co_filename.startswith(str(ROOT)):
            found[one.__code__.co_filename].append(one)
    return found


def change_in_place(code: CodeType, known: list[FunctionType]) -> None:
    """Give the functions of a file their changed code."""
    new = {(part.co_qualname, part.co_firstlineno): part for part in within(code)}
    for function in known:
        part = new.get((function.__code__.co_qualname, function.__code__.co_firstlineno))
        if part is not None and len(part.co_freevars) == len(function.__code__.co_freevars):
            function.__code__ = part


def divided(run: Callable[[], int], seconds: float) -> str:
    """What became of a process that runs tests: killed (one failed), survived, or endless."""
    child = os.fork()
    if child:
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return "endless" if code < 0 else "killed" if code else "survived"
    code = 1
    try:
        os.setsid()
        limit = int(seconds * PATIENCE + 60)
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
        signal.alarm(int(BUSY * limit))
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        code = run()
    finally:
        os._exit(code)


class Trial:
    """A plugin of pytest that, in place of running the tests, hands them to whoever tries mutants with them."""

    def __init__(self, work: Callable[[Trial], None], seconds: dict[str, float]) -> None:
        self.work, self.seconds, self.failed = work, seconds, False

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try the mutants; no test counts for the session itself."""
        self.items = {item.nodeid: item for item in session.items}
        self.known = functions()
        gc.freeze()
        self.work(self)
        return True

    def pytest_runtest_logreport(self, report: Any) -> None:
        """See whether a test failed."""
        self.failed = self.failed or report.failed

    def attempt(self, mutant: Mutant | None, names: list[str], note: str = os.devnull) -> str:
        """Run tests against one mutant, or the code as it is; the test that failed is written to a file."""

        def run() -> int:
            if mutant is not None:
                code = code_of(mutant)
                if change_import(mutant, code) in sys.modules:
                    change_in_place(code, self.known[str(ROOT / mutant.file)])
            items = sorted((self.items[name] for name in names), key=lambda item: order[item.nodeid])
            for item, following in zip(items, [*items[1:], None], strict=True):
                limit = self.seconds[item.nodeid] * PATIENCE + GRACE
                signal.setitimer(signal.ITIMER_PROF, limit)
                signal.setitimer(signal.ITIMER_REAL, limit * BUSY)
                with open(note, "w") as file:
                    file.write(item.nodeid)
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if self.failed:
                    return 1
            return 0

        names = [name for name in names if name in self.items and dividable(name)]
        order = {name: place for place, name in enumerate(names)}
        return divided(run, sum(self.seconds[name] for name in names)) if names else "untested"


class FirstFailure:
    """A plugin of pytest that writes down which test failed first."""

    def __init__(self, note: str) -> None:
        self.note = note

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Write it down; nothing is written where the tests could not even be collected."""
        if report.failed:
            with open(self.note, "w") as file:
                file.write(report.nodeid)


def attempt_anew(mutant: Mutant | None, names: list[str], seconds: float, *plugins: object) -> str:
    """Run tests against one mutant in a process that has not imported the package."""

    def run() -> int:
        if mutant is not None:
            change_import(mutant, code_of(mutant))
        # pytest would import by itself the modules whose doctests it is asked for, to rewrite what they assert
        return int(pytest.main([*QUIET, "-x", "--assert=plain", *names], plugins=plugins) != 0)

    return divided(run, seconds) if names else "untested"


def sound(killer: str, names: list[str], seconds: float) -> bool:
    """Whether what failed passes without a mutant: the test that failed, or the collection of all where none ran."""
    return attempt_anew(None, [killer] if killer else ["--collect-only", *names], seconds) == "survived"
