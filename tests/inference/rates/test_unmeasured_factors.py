"""E-values and Rosenbaum's bound: published tables, the inequalities, and enumeration of every worst factor."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from scipy.stats import binom, nchypergeom_fisher

from fairstats.auditing.audit import audit
from fairstats.inference.rates.sensitivity import (
    bound_of_limits,
    e_value,
    e_value_of_interval,
    rosenbaum_bound,
    rosenbaum_p,
)
from fairstats.inference.rates.strata import conditional_odds_ratio
from fairstats.metrics import METRICS


@pytest.mark.parametrize(
    ("ratio", "low", "high", "value", "limit"),
    [
        (10.73, 8.02, 14.36, 20.95, 15.52),  # smoking and lung cancer: VanderWeele & Ding (2017), R's EValue
        (3.9, 1.8, 8.7, 7.26, 3.0),  # breastfeeding and infant deaths: the same paper
        (0.80, 0.71, 0.91, 1.81, 1.43),  # a ratio below 1: R's EValue
        (1.2, 0.9, 1.6, 1.69, 1.0),
    ],
)
def test_e_values_are_the_published_ones(ratio, low, high, value, limit):
    assert e_value(ratio) == pytest.approx(value, abs=0.006)
    assert e_value_of_interval(low, high) == pytest.approx(limit, abs=0.006)


def test_no_factor_weaker_than_the_e_value_makes_the_ratio_and_one_of_its_strength_does(rng):
    """A binary factor, no effect of the group: the ratio that the factor makes by itself."""
    for _ in range(3000):
        in_group, in_reference, rate = rng.random(3)
        relative = np.exp(rng.uniform(0, 3))
        result = (1 + (relative - 1) * in_group) / (1 + (relative - 1) * in_reference)
        if rate * relative > 1 or result <= 1:
            continue
        between = in_group / in_reference
        assert e_value(result) <= max(between, relative) * (1 + 1e-12)
    value = float(e_value(2.5))
    # everybody in the group has it, one in `value` of the reference: both ratios are the E-value
    assert value / (1 + (value - 1) / value) == pytest.approx(2.5)


def test_e_values_at_the_ends():
    assert e_value([1.0, 0.0, np.inf]).tolist() == [1.0, np.inf, np.inf]
    assert np.isnan(e_value(np.nan)) and np.isnan(e_value_of_interval(np.nan, 2.0))


@pytest.mark.parametrize("gamma", [1, 2, 4, 5, 6])
def test_pairs_are_binomial(gamma):
    e1, e0, one = np.repeat([1, 0], [110, 12]), np.repeat([0, 1], [110, 12]), np.ones(122)
    tail = binom.sf(109, 122, gamma / (1 + gamma))
    assert rosenbaum_p(e1, one, e0, one, gamma, mid=False) == pytest.approx(tail, rel=1e-9)
    assert rosenbaum_p(e0, one, e1, one, gamma, mid=False) == pytest.approx(tail, rel=1e-9)  # the other direction


def test_the_published_table_of_hammonds_pairs():
    """Rosenbaum (2002), table 4.1: upper bounds by the normal approximation, which the exact ones are near to."""
    e1, e0, one = np.repeat([1, 0], [110, 12]), np.repeat([0, 1], [110, 12]), np.ones(122)
    for gamma, published in ((4, 0.0036), (5, 0.03), (6, 0.1)):
        assert rosenbaum_p(e1, one, e0, one, gamma, mid=False) == pytest.approx(published, abs=0.008)
    assert rosenbaum_p(e1, one, e0, one, 3, mid=False) < 0.0001


def test_one_table_is_fishers_noncentral_law():
    for gamma in (1.0, 1.7, 3.0):
        law = nchypergeom_fisher(50, 24, 20, gamma)  # 50 people, 24 events, 20 in the group
        assert rosenbaum_p([15], [20], [9], [30], gamma, mid=False) == pytest.approx(law.sf(14), rel=1e-8)
        assert rosenbaum_p([15], [20], [9], [30], gamma) == pytest.approx(law.sf(14) - law.pmf(15) / 2, rel=1e-8)


def test_the_bound_is_the_worst_over_every_factor():
    """All 2^12 factors of two strata: assignment to the group has odds gamma where a person has the factor."""
    strata = [(np.array([1, 1, 1, 0, 0, 0]), 3), (np.array([1, 1, 0, 0, 0, 0]), 2)]
    observed = 5  # 3 of 3 and 2 of 2
    gamma, worst = 1.8, 0.0
    laws = []
    for outcome, size in strata:
        items = []
        for factor in product((0, 1), repeat=outcome.size):
            weights = {}
            for chosen in combinations(range(outcome.size), size):
                events = int(outcome[list(chosen)].sum())
                weights[events] = weights.get(events, 0.0) + gamma ** sum(factor[i] for i in chosen)
            total = sum(weights.values())
            items.append({events: w / total for events, w in weights.items()})
        laws.append(items)
    for first, second in product(*laws):
        worst = max(worst, sum(p * q for a, p in first.items() for b, q in second.items() if a + b >= observed))
    assert rosenbaum_p([3, 2], [3, 2], [0, 0], [3, 4], gamma, mid=False) == pytest.approx(worst, rel=1e-9)


@pytest.mark.parametrize("mid", [True, False])
def test_the_bound_is_where_p_passes_half_the_level_and_a_limit_of_the_odds_ratio(rng, mid):
    for _ in range(20):
        n1, n0 = rng.integers(2, 30, (2, 5))
        table = rng.binomial(n1, 0.6), n1, rng.binomial(n0, 0.3), n0
        bound = rosenbaum_bound(*table, mid=mid)
        assert bound == bound_of_limits(*conditional_odds_ratio(*table, mid=mid)[1:])
        if bound > 1:
            assert rosenbaum_p(*table, bound, mid=mid) == pytest.approx(0.025, rel=1e-6)
        else:
            assert rosenbaum_p(*table, mid=mid) >= 0.025


def test_no_stratum_says_anything():
    assert np.isnan(rosenbaum_p([2], [2], [3], [3])) and np.isnan(rosenbaum_bound([2], [2], [3], [3]))


def test_an_audit_within_strata_has_them_beside_its_verdict(rng):
    n = 800
    data = {"g": rng.choice(list("mw"), n), "f": rng.choice(list("kl"), n)}
    data["d"] = (rng.random(n) < np.where(data["g"] == "m", 0.6, 0.35)).astype(int)
    result = audit(data, "d", "g", strata="f", reference="m")
    ratio = result.estimates.where(metric="risk ratio within strata")[0]
    odds = result.estimates.where(metric="conditional odds ratio")[0]
    whole, limit = result.estimates.where(metric="E-value")
    bound = result.estimates.where(metric="Rosenbaum bound")[0]
    assert whole.estimate == pytest.approx(e_value(ratio.estimate)) and whole.term == "" and whole.role == "sensitivity"
    assert limit.estimate == pytest.approx(e_value(ratio.conf_high)) and limit.term == "limit"
    assert bound.estimate == pytest.approx(1 / odds.conf_high) and bound.estimate > 1
    assert "an unmeasured factor would need risk ratios of" in " ".join(result.summary().split())
    from fairstats.reporting.report import report

    page = report(result).html
    for name in ("E-value", "Rosenbaum bound"):
        assert METRICS[name].heading in page


def test_a_suppressed_or_weighted_comparison_has_none(rng):
    data = {"g": ["m"] * 50 + ["w"] * 50, "f": ["k", "l"] * 50, "d": [1, 0, 0, 1] * 25, "w": rng.uniform(1, 2, 100)}
    for arguments in ({"min_n": 60}, {"weights": "w", "weight_type": "probability"}):
        rows = audit(data, "d", "g", strata="f", **arguments).estimates
        assert not rows.where(metric=("E-value", "Rosenbaum bound"), status="ok")


def test_limits_that_are_zero_exclude_every_factor():
    assert bound_of_limits(0.0, 0.0) == np.inf
    assert bound_of_limits(0.0, 1.0) == bound_of_limits(0.5, 1.5) == 1.0
    assert bound_of_limits(3.0, np.inf) == 3.0 and bound_of_limits(0.1, 0.25) == 4.0
    assert np.isnan(bound_of_limits(np.nan, 0.5)) and np.isnan(bound_of_limits(0.5, np.nan))
