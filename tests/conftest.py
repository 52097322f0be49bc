"""What every test may ask for: the folder of real data, and a seeded generator."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

settings.register_profile("untimed", deadline=None)  # how long an example takes says what else the machine does
settings.load_profile("untimed")

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
    """Keep what collection made out of every later search for garbage: two million objects, a second each time."""
    gc.freeze()


# Modules whose examples call R.
NEED_R = {"fairstats.r.sessions", "fairstats.r.models"}


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip examples that need R where R or rpy2 is missing; fail them in CI."""
    if isinstance(item, pytest.DoctestItem) and _needs_r(item):
        from tests.r.bridge import requires_bridge

        requires_bridge()


def _needs_r(item: pytest.DoctestItem) -> bool:
    return item.dtest is not None and item.dtest.globs.get("__name__") in NEED_R
