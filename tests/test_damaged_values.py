"""A value with one entry, row or dimension wrong is refused, or its answer says so; it is not read as another."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from tests.damaged_values import faults
from tests.test_wrong_values import EVERY_CALL

# A law that does not hold, by argument and damage: text is a class there, a number a number.
# And arguments that are passed on or not looked at here, and tables of which another column is damaged.
IGNORED: dict[str, set[str]] = {
    "Eraser.transform": {"groups"},
    "FeatureMap.reconstruct": {"groups"},
    "FairTransformer.fit": {"y"},
    "Graph.by_vertex": {"groups"},
    "KernelProjection.transform": {"groups"},
    "adjusted_gap": {"data"},
    "audit": {"data"},
    "compare": {"data"},
    "continuous": {"values"},
    "decompose": {"data"},
    "stats.distance_correlation": {"target with numbers as text"},
    "representation": {"data"},
    "representation of a pool": {"data", "benchmark"},
    "subgroup_scan": {"data"},
    "subgroup_scan of a score": {"data"},
    "tally": {"data"},
    "verify_report": {"data"},
}


@pytest.mark.long
@pytest.mark.parametrize("name", EVERY_CALL)
def test_a_damaged_value_is_refused_or_seen_in_the_answer(name: str, tmp_path: Path) -> None:
    with contextlib.chdir(tmp_path):
        function, valid = EVERY_CALL[name]()
        assert faults(function, valid, IGNORED.get(name, set())) == []
