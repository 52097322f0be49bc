"""What every test may ask for, in which order tests run where one asks, and which of them did not run."""

from __future__ import annotations

import gc
import os
import random
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from tests import skipped

settings.register_profile("untimed", deadline=None)  # how long an example takes says what else the machine does
settings.load_profile("untimed")
# Hypothesis would look for constants in every module that is loaded: twenty seconds a worker, and examples that depend
# on what ran before.
providers.is_local_module_file = lambda path: False

collect_ignore = ["typed_script.py"]  # read by a type checker, never run


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder that holds ``data/`` and ``golden/``; a test that needs it is skipped where it is absent."""
    folder = os.environ.get("FAIRSTATS_DATA", "")
    if not folder:
        pytest.skip("FAIRSTATS_DATA is unset: it names the folder with data/ and golden/")
    path = Path(folder)
    assert path.is_dir(), f"FAIRSTATS_DATA names {folder}, which is not a folder"
    return path


@pytest.fixture
def rng() -> np.random.Generator:
    """Random numbers that are the same in every run."""
    return np.random.default_rng(20260401)


def pytest_collection_finish() -> None:
    """Keep what collection made out of every later search for garbage: two million objects, a second each time.

    What tests make is searched seldom, as in a process of the command line.
    """
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--shuffle", type=int, metavar="SEED", help="run files, and tests of a file, in a random order")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put files, and the tests of each, in an order that the seed decides: no test may need what ran before it."""
    seed = config.getoption("--shuffle")
    if seed is not None:
        rng = random.Random(seed)
        files = [list(tests) for _, tests in groupby(items, key=lambda item: item.path)]
        rng.shuffle(files)
        for tests in files:
            rng.shuffle(tests)
        items[:] = [test for tests in files for test in tests]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which tests did not run, and why."""
    result = skipped.reasons(terminalreporter.stats.get("skipped", []))
    if result:
        terminalreporter.section("not run")
        for line in skipped.table(result):
            terminalreporter.write_line(line)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """In CI, end with a failure where a test was skipped for a reason that `skipped` does not know."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") != "true" or reporter is None or hasattr(session.config, "workerinput"):
        return
    unknown = skipped.unknown(skipped.reasons(reporter.stats.get("skipped", [])))
    if unknown and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        reporter.write_line(f"\n{len(unknown)} reasons to skip tests are not known (tests/skipped.py)", red=True)


# Of generators that the tests of a file share: their states before the first of these.
STATES: dict[Path, Any] = {}

# Modules whose examples call R.
NEED_R = {"fairstats.r.sessions", "fairstats.r.models"}


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Start a file's generator where it began; skip examples that need R where it is missing, in CI fail them."""
    generator = getattr(getattr(item, "module", None), "RNG", None)
    if isinstance(generator, np.random.Generator):  # what a test draws is the same whatever ran before it
        generator.bit_generator.state = STATES.setdefault(item.path, generator.bit_generator.state)
    if isinstance(item, pytest.DoctestItem) and _needs_r(item):
        from tests.r.bridge import requires_bridge

        requires_bridge()


def _needs_r(item: pytest.DoctestItem) -> bool:
    return item.dtest is not None and item.dtest.globs.get("__name__") in NEED_R
