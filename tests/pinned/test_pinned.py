"""The numbers of every public statistic, audit, fit and inference are those that stand in ``tests/snapshots/numbers``.

That they are right is what the other tests say, each against something independent. These say that they stay: whoever
changes one sees which, and writes them again on purpose (``python -m tests.pinned.reading``), with a line in CHANGELOG.
"""

from __future__ import annotations

from importlib import import_module

import pytest

from tests.pinned.reading import CLOSE, PLACES, agree, reading, stored

ALL = [(place, name) for place in PLACES for name in import_module(f"tests.pinned.{place}").CASES]


def closeness(place: str, name: str) -> float:
    """How far apart two readings may be: rounding, or for a search what two of its ends may be."""
    loose = getattr(import_module(f"tests.pinned.{place}"), "LOOSE", {})
    return max((far for method, far in loose.items() if name.partition(",")[0] == method), default=CLOSE)


@pytest.mark.parametrize(("place", "name"), ALL)
def test_the_numbers_are_what_they_were(place: str, name: str) -> None:
    pinned = stored(place)[name]
    found = reading(import_module(f"tests.pinned.{place}").CASES[name])
    assert list(found) == list(pinned)
    close = closeness(place, name)
    changed = {at: (found[at], values) for at, values in pinned.items() if not agree(found[at], values, close)}
    assert changed == {}


@pytest.mark.parametrize("place", PLACES)
def test_no_case_is_pinned_that_nobody_runs(place: str) -> None:
    assert list(stored(place)) == list(import_module(f"tests.pinned.{place}").CASES)


def test_a_reading_sees_one_number_of_many_that_changed() -> None:
    """The reading itself can fail: another number, a sign, an order, a text, a number that is no longer known."""
    one = reading(lambda: {"a": [1.0, 2.0, 3.0], "b": "text", "c": list(range(50)), "d": None})
    for other in (
        {"a": [1.0, 2.0, 3.00001], "b": "text", "c": list(range(50)), "d": None},
        {"a": [1.0, 3.0, 2.0], "b": "text", "c": list(range(50)), "d": None},
        {"a": [1.0, 2.0, 3.0], "b": "texts", "c": list(range(50)), "d": None},
        {"a": [1.0, 2.0, 3.0], "b": "text", "c": [*range(48), 49, 48], "d": None},
        {"a": [1.0, 2.0, float("nan")], "b": "text", "c": list(range(50)), "d": None},
        {"a": [1.0, 2.0, 3.0], "b": "text", "c": list(range(50)), "d": 0.0},
    ):
        again = reading(lambda other=other: other)
        assert not all(agree(again[at], values) for at, values in one.items())
    same = reading(lambda: {"a": [1.0, 2.0, 3.0 + 1e-9], "b": "text", "c": list(range(50)), "d": None})
    assert all(agree(same[at], values) for at, values in one.items())
