"""What every test may ask for: the folder of real data, and a seeded generator."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest


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
