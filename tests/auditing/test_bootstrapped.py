"""The bootstrap from the count table: the same rates, close to the analytic intervals, fast at any number of people."""

from __future__ import annotations

import time

import numpy as np
import pandas as pd
import pytest

from fairstats.auditing.audit import audit
from fairstats.auditing.result import bootstrap
from fairstats.errors import InputError


def people(rng: np.random.Generator, n: int) -> pd.DataFrame:
    """Seven groups with outcomes and decisions."""
    return pd.DataFrame(
        {"g": rng.integers(0, 7, n), "y": rng.integers(0, 2, n), "d": (rng.random(n) < 0.4).astype(int)}
    )


@pytest.mark.parametrize("favorable", [0, 1])
def test_estimates_are_those_of_the_audit_and_intervals_are_close(rng, favorable):
    result = audit(people(rng, 7000), outcome="y", decision="d", groups="g", favorable=favorable)
    for row in bootstrap(result, replicates=4000):
        wanted = result.estimates.where(metric=row.metric, group=row.group, contrast="none", role="main")[0]
        assert (row.estimate, row.n, row.events) == pytest.approx((wanted.estimate, wanted.n, wanted.events))
        assert (row.conf_low, row.conf_high) == pytest.approx((wanted.conf_low, wanted.conf_high), abs=0.008)


def test_the_seed_of_the_audit_makes_it_repeatable(rng):
    data = people(rng, 700)
    one, two, other = (audit(data, outcome="y", decision="d", groups="g", seed=s) for s in (1, 1, 2))
    assert bootstrap(one, replicates=200) == bootstrap(two, replicates=200)
    assert bootstrap(one, replicates=200) != bootstrap(other, replicates=200)


def test_suppressed_groups_stay_suppressed(rng):
    data = people(rng, 700)
    data.loc[:3, "g"] = 99
    rows = bootstrap(audit(data, outcome="y", decision="d", groups="g", min_n=10), replicates=100)
    assert [r.status for r in rows.where(group="99")] == ["suppressed"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"decision": "d"}, "no table of outcome and decision"),
        ({"outcome": "y", "decision": "d", "clusters": "g2"}, "weights or clusters"),
    ],
)
def test_what_cannot_be_bootstrapped(rng, arguments, message):
    result = audit(people(rng, 700).assign(g2=lambda d: d.index % 50), groups="g", **arguments)
    with pytest.raises(InputError, match=message):
        bootstrap(result)


@pytest.mark.slow
def test_ten_million_people_with_ten_thousand_replicates_take_seconds(rng):
    data = people(rng, 10_000_000)
    start = time.perf_counter()
    rows = bootstrap(audit(data, outcome="y", decision="d", groups="g"))
    elapsed = time.perf_counter() - start
    assert len(rows) == 63
    assert elapsed < 5
