"""The numbers of some 60 audits, fits and comparisons are those of ``tests/snapshots/net.tsv``."""

from __future__ import annotations

import pytest

from tests.net import CASES, agree, lines, stored


@pytest.mark.parametrize("name", CASES)
def test_no_number_moved(name: str) -> None:
    kept = {about: values for about, values in stored().items() if about.split(" | ")[0] == name}
    result = lines(name)
    assert list(result) == list(kept)
    assert {about: (result[about], values) for about, values in kept.items() if not agree(result[about], values)} == {}
