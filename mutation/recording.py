"""Which tests run which lines, noted while the tests run once.

Lines that a shared fixture runs belong to every test that asks for it, whoever came first; lines that run while modules
are imported or tests are collected belong to no test (``IMPORTED``).
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from mutation.sites import ROOT, STORE

PACKAGE = str(ROOT / "fairstats") + "/"
ENOUGH = 30  # calls of a function in one test whose lines are all noted; later ones at every doubling
IMPORTED = "(imports)"
QUIET = (
    *("-q", "-p", "no:cacheprovider", "-p", "no:randomly", "-p", "mutation.recording"),
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),
)

Lines = dict[str, set[int]]


class Recorder:
    """A plugin of pytest that notes the lines of the package which each test runs."""

    def __init__(self) -> None:
        self.lines: Lines = defaultdict(set)
        self.calls: Counter[Any] = Counter()
        self.shared: dict[Any, Lines] = {}
        self.passed: dict[str, bool] = {}
        self.tests: dict[str, dict[str, Any]] = {}

    def enter(self, frame: Any, event: str, arg: Any) -> Any:
        """Follow what is in the package only."""
        code = frame.f_code
        if not code.co_filename.startswith(PACKAGE):
            return None
        self.calls[code] += 1
        count = self.calls[code]
        if count > ENOUGH and count & (count - 1):
            return None
        seen = self.lines[code.co_filename]

        def line(frame: Any, event: str, arg: Any) -> Any:
            seen.add(frame.f_lineno)
            return line

        return line

    def pytest_sessionstart(self) -> None:
        """Note what runs while tests are collected."""
        sys.settrace(self.enter)

    def pytest_collection_finish(self) -> None:
        """End that."""
        sys.settrace(None)
        self.tests[IMPORTED] = {"seconds": 0.0, "lines": plain(self.lines)}

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any, request: Any) -> Iterator[None]:
        """Note the lines of a fixture by themselves."""
        sys.settrace(None)
        outer, self.lines = self.lines, defaultdict(set)
        sys.settrace(self.enter)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            own, self.lines = self.lines, outer
            if fixturedef.scope != "function":
                self.shared[fixturedef] = own
            merge(self.lines, own)
            sys.settrace(self.enter)

    def pytest_runtest_protocol(self, item: Any) -> None:
        """Begin a test."""
        self.lines = defaultdict(set)
        self.calls.clear()
        self.passed[item.nodeid] = True
        self.begun = time.process_time()
        sys.settrace(self.enter)

    def pytest_runtest_makereport(self, item: Any, call: Any) -> None:
        """Only a test that passes can tell a mutant."""
        if call.excinfo is not None:
            self.passed[item.nodeid] = False

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self, item: Any) -> Iterator[None]:
        """End a test."""
        sys.settrace(None)
        seconds = time.process_time() - self.begun
        for found in getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {}).values():
            merge(self.lines, self.shared.get(found[-1], {}))
        if self.passed[item.nodeid]:  # also one that runs no line, and only reads what an import has made
            self.tests[item.nodeid] = {"seconds": round(seconds, 3), "lines": plain(self.lines)}
        return (yield)


def merge(into: Lines, lines: Lines) -> None:
    """Add lines to lines."""
    for file, found in lines.items():
        into[file] |= found


def plain(lines: Lines) -> dict[str, list[int]]:
    """Lines by the file's place in the tree, as JSON holds them."""
    return {file.removeprefix(f"{ROOT}/"): sorted(found) for file, found in lines.items() if found}


def pytest_configure() -> None:
    """Let hypothesis draw the same examples each time, however slow the machine is (this module is a plugin)."""
    hypothesis.settings.register_profile("mutation", deadline=None, derandomize=True, database=None)
    hypothesis.settings.load_profile("mutation")


def record(paths: list[str]) -> None:
    """Run tests once and store what they run; one file of records for every path."""
    for path in paths:
        recorder = Recorder()
        pytest.main([*QUIET, path], plugins=[recorder])
        STORE.mkdir(parents=True, exist_ok=True)
        stored(path).write_text(json.dumps(recorder.tests))


def stored(path: str) -> Path:
    """Where the record of some tests is kept."""
    return STORE / f"{path.replace('/', '-').removesuffix('.py')}.lines.json"


def recorded() -> dict[str, dict[str, Any]]:
    """Every test of the record: its seconds, and its lines by file; with what imports run."""
    tests: dict[str, dict[str, Any]] = {}
    imported: dict[str, set[int]] = defaultdict(set)
    for file in sorted(STORE.glob("*.lines.json"), key=lambda file: file.stat().st_mtime):  # the latest holds
        found = json.loads(file.read_text())
        for name, lines in found.pop(IMPORTED)["lines"].items():
            imported[name] |= set(lines)
        tests |= {name: lines for name, lines in found.items() if there(name)}
    for test in tests.values():
        test["lines"] = {name: set(lines) for name, lines in test["lines"].items()}
    return tests | {IMPORTED: {"seconds": 0.0, "lines": dict(imported)}}


@cache
def text_of(file: str) -> str:
    """What a file of tests reads."""
    return (ROOT / file).read_text(encoding="utf-8") if (ROOT / file).exists() else ""


def there(name: str) -> bool:
    """Whether a test of the record may still exist; an example of a docstring is asked for its file only."""
    file, _, test = name.partition("::")
    text = text_of(file)
    return bool(text) and (file.startswith("fairstats/") or f"def {test.partition('[')[0]}(" in text)


class Names:
    """A plugin of pytest that writes down the names of the tests that were collected."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Write them down."""
        self.path.write_text(json.dumps([item.nodeid for item in session.items]))
