"""What the fuzzers found, and the seeds that they begin from: each an answer, which an error of ours is too."""

from __future__ import annotations

from pathlib import Path

import pytest

from fuzz.texts import TARGETS, attempt

SEEDS = Path(__file__).parent.parent / "fuzz" / "seeds"
FOUND: list[tuple[str, bytes]] = [
    ("saved", b"z([\0"),  # text where a diagnostic has a number: the summary could not be said
]


@pytest.mark.parametrize("target", TARGETS)
def test_every_target_has_seeds_that_are_answered(target: str) -> None:
    seeds = list((SEEDS / target).iterdir())
    assert seeds
    for seed in seeds:
        attempt(target, seed.read_bytes())


@pytest.mark.parametrize(("target", "raw"), FOUND)
def test_what_was_found_is_answered(target: str, raw: bytes) -> None:
    attempt(target, raw)
