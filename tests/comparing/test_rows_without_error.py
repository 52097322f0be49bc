"""Where a group does not vary from split to split its error is not known: no interval, in a difference either."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.comparing.metrics import CERTAIN
from fairstats.comparing.rows import FEW_OF_AN_OUTCOME


@pytest.fixture(scope="module")
def compared() -> fairstats.Comparison:
    """Group c has 24 people who are never predicted to repay; a and b vary."""
    rng = np.random.default_rng(8)
    group = np.repeat(["a", "b", "c"], [300, 200, 24])
    x = rng.normal(size=group.size) - 9.0 * (group == "c")
    repaid = (rng.random(group.size) < 1 / (1 + np.exp(-x - 9.0 * (group == "c")))).astype(int)
    people = pd.DataFrame({"g": group, "x": x, "y": repaid})
    return fairstats.compare(people, outcome="y", groups="g", features=["x"], methods=["none"], n_repeats=4, seed=1)


def test_a_difference_has_no_error_where_one_side_has_none(compared):
    level = compared.estimates.where(metric="positive rate", group="c", contrast="none")[0]
    gap = compared.estimates.where(metric="positive rate", group="c", contrast="difference")[0]
    assert level.estimate == 0 and CERTAIN in level.reason
    assert gap.estimate < 0 and CERTAIN in gap.reason
    assert all(math.isnan(v) for v in (gap.std_error, gap.conf_low, gap.p_value, gap.p_adjusted))
    other = compared.estimates.where(metric="positive rate", group="b", contrast="difference")[0]
    assert other.conf_low < other.estimate < other.conf_high and other.p_value >= 0
    assert any("do not vary from split to split (c)" in note for note in compared.notes)


def test_the_area_of_a_few_is_said_to_be_approximate(compared):
    reasons = {r.group: r.reason for r in compared.estimates.where(metric="AUC", contrast="none") if r.group}
    assert FEW_OF_AN_OUTCOME in reasons["c"]
    assert reasons["a"] == reasons["b"] == ""
