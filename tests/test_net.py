"""The numbers of some 60 audits, fits and comparisons are those of ``tests/snapshots/net.tsv``."""

from __future__ import annotations

import pytest

from tests.net import CASES, agree, lines, stored


@pytest.mark.parametrize("name", CASES)
def test_no_number_moved(name: str) -> None:
    kept = {about: values for about, values in stored().items() if about.split(" | ")[0] == name}
    found = lines(name)
    assert list(found) == list(kept)
    assert {about: (found[about], values) for about, values in kept.items() if not agree(found[about], values)} == {}
