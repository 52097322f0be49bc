"""A group of exactly ``min_n`` people counts where all groups are compared at once; with one fewer it does not."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairstats.auditing.audit import audit

SIZES = {"a": 80, "b": 70, "c": 24}
DESIGNS = {
    "people": {},
    "weights": {"weights": "w", "weight_type": "probability"},
    "clusters": {"clusters": "k"},
}


def people() -> pd.DataFrame:
    rng = np.random.default_rng(5)
    g = np.repeat(list(SIZES), list(SIZES.values()))
    n = g.size
    data = pd.DataFrame({"g": g, "k": np.arange(n) % 20, "w": rng.uniform(1, 3, n), "s": rng.random(n).round(2)})
    data["y"] = np.arange(n) % 2
    data["d"] = (data["s"] + 0.3 * data["y"] + 0.1 * (g == "b") > 0.6).astype(int)
    return data


@pytest.mark.parametrize("design", DESIGNS)
def test_the_smallest_group_that_counts_has_min_n_people(design: str) -> None:
    arguments = {"decision": "d", "score": "s", "groups": "g", **DESIGNS[design]}
    data = people()
    every = audit(data, min_n=1, **arguments).estimates
    compared = 0
    for most in (24, 25):
        rows = audit(data, min_n=most, **arguments).estimates
        for metric in ("score distribution", "selection rate"):
            for row in (r for r in rows if r.metric == metric and r.role == "omnibus" and r.status == "ok"):
                of_all = next(r for r in every if (r.metric, r.role, r.contrast) == (metric, row.role, row.contrast))
                assert (row.n == pytest.approx(of_all.n)) == (most == 24), (metric, row.contrast)
                compared += 1
    assert compared >= 4


@pytest.mark.long
@pytest.mark.parametrize("design", ["weights", "clusters"])
def test_equalized_odds_of_a_design_is_the_larger_range_at_half_the_error(design: str) -> None:
    rows = audit(people(), decision="d", outcome="y", groups="g", min_n=5, **DESIGNS[design]).estimates
    odds = next(r for r in rows if r.metric == "equalized odds difference")
    ranges = [r for r in rows if r.metric in ("TPR", "FPR") and r.role == "omnibus" and r.contrast == "difference"]
    assert len(ranges) == 2
    assert odds.estimate == max(r.estimate for r in ranges)
    assert odds.p_value == pytest.approx(min(1.0, 2 * min(r.p_value for r in ranges)))
    assert odds.conf_low <= max(r.conf_low for r in ranges) and odds.conf_high >= max(r.conf_high for r in ranges)
