"""What was saved once loads for good: a file of every format that is read stands in the tree."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import fairstats
from tests.saving.stored import made, path_of

WAY = "a class of results has changed: let FORMAT grow, or before a release run python -m tests.saving.stored"


def close(one: Any, other: Any) -> bool:
    """Whether two values of JSON are the same up to the last digits of numbers."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(close(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(close, one, other))
    if isinstance(one, float) and isinstance(other, (int, float)):
        return bool(np.isclose(one, other, rtol=1e-6, atol=1e-9))
    return one == other or ({type(one), type(other)} == {str} and one[:1].isdigit())  # versions and days


@pytest.mark.parametrize("name", ["audit", "fit", "eraser", "held"])
def test_a_stored_file_loads_and_says_what_the_result_says_today(name: str) -> None:
    try:
        stored = fairstats.load(path_of(name))
    except fairstats.errors.FileError as error:
        pytest.fail(f"{WAY} ({error})")
    kept, today = (json.loads(json.dumps(result.to_dict())) for result in (stored, made()[name]))
    assert close(kept, today), WAY
    assert len(stored.summary().splitlines()) == len(made()[name].summary().splitlines())
