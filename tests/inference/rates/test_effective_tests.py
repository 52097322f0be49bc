"""Few weighted people: the test with t alone is wrong too often, the exact test of effective counts keeps it honest."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import barnard_exact

import fairstats
from fairstats.inference.rates.exact import barnard_test
from fairstats.inference.rates.survey import (
    DesignFamily,
    DesignRates,
    exact_p_of_effective_counts,
    few_expected,
    rates_of_weighted,
)


def weighted(rng: np.random.Generator, people: tuple[int, ...], rate: float) -> DesignRates:
    sums = []
    for n in people:
        w, y = rng.uniform(1, 2, n), rng.random(n) < rate
        sums.append((w @ y, w.sum(), w**2 @ y, (w**2).sum(), n))
    events, n, e2, n2, count = np.array(sums, dtype=float).T
    return rates_of_weighted(events, n, e2, n2, count, int(count.sum()))


@pytest.mark.long
@pytest.mark.parametrize("rate", [0.01, 0.99])
def test_twelve_weighted_people_against_two_thousand_are_rarely_called_different(rate: float) -> None:
    rng = np.random.default_rng(5)
    pairs = [weighted(rng, (2000, 12), rate).pair(1, 0) for _ in range(600)]
    by_t = [abs(pair.z) > 1.97 for pair in pairs]
    assert np.mean([pair.p_value <= 0.05 for pair in pairs]) <= 0.04
    assert np.mean(by_t) >= 0.055  # what the rule mends


def test_equal_weights_have_the_exact_test_of_the_people_but_one_of_each_group() -> None:
    n, e = np.array([2000.0, 12.0]), np.array([20.0, 1.0])
    pair = rates_of_weighted(3 * e, 3 * n, 9 * e, 9 * n, n, 2012).pair(1, 0)
    assert pair.few
    assert pair.p_value == pytest.approx(float(barnard_test(1, 11, 20, 1999)), rel=1e-9)
    assert pair.p_value > 0.05


def test_small_tables_are_near_barnards_test() -> None:
    for e1, n1, e0, n0 in ((1, 10, 6, 12), (0, 8, 5, 15), (3, 9, 9, 11)):
        barnard = barnard_exact([[e1, n1 - e1], [e0, n0 - e0]], pooled=True).pvalue
        assert exact_p_of_effective_counts([e1 / n1, e0 / n0], [n1, n0]) == pytest.approx(barnard, abs=0.02)


def test_two_groups_have_one_p_in_pair_and_family_and_many_people_keep_the_t_test() -> None:
    result = weighted(np.random.default_rng(2), (300, 15), 0.2)
    assert DesignFamily(result, (0, 1)).omnibus()[3] == pytest.approx(result.pair(1, 0).p_value, rel=1e-9)
    assert not few_expected([0.5, 0.5], [100, 100])
    assert not weighted(np.random.default_rng(2), (300, 100), 0.5).pair(1, 0).few


def test_the_row_of_an_audit_names_the_test() -> None:
    people = {"g": ["a"] * 2000 + ["b"] * 12, "d": [1] * 20 + [0] * 1980 + [1] + [0] * 11, "w": [1.5] * 2012}
    audit = fairstats.audit(people, "d", "g", weights="w", weight_type="probability", reference="a")
    (row,) = (
        r
        for r in audit.estimates
        if r.metric == "selection rate" and r.role == "main" and r.contrast == "difference" and r.group == "b"
    )
    assert "exact unconditional test of effective counts" in row.method
    assert row.p_value > 0.05
    assert row.verdict == "inconclusive"
