"""The exact unconditional test: brute force over all tables, scipy's Barnard test, and its size."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import barnard_exact, beta, binom

from fairstats.inference.rates import exact
from fairstats.inference.rates.exact import (
    EXACT_BELOW,
    GAMMA,
    _as_far_apart,
    barnard_test,
    clopper_pearson_set,
    reach,
    region,
    smallest_expected,
    supremum,
)
from fairstats.inference.rates.rate_tests import fisher_exact, z_test

SIZE = st.integers(1, 40)
TABLES = st.tuples(SIZE, SIZE).flatmap(
    lambda n: st.tuples(st.integers(0, n[0]), st.just(n[0]), st.integers(0, n[1]), st.just(n[1]))
)


def enumerated(e1, n1, e0, n0):
    """The largest chance of a |z| as large as observed, over a dense grid of Berger and Boos's set."""
    x, y = np.meshgrid(np.arange(n1 + 1), np.arange(n0 + 1), indexing="ij")
    z = np.abs(z_test(x, n1, y, n0)[0])
    extreme = z >= z[e1, e0] * (1 - 1e-9)
    e, n = e1 + e0, n1 + n0
    low = beta.ppf(GAMMA / 2, e, n - e + 1) if e else 0.0
    high = beta.isf(GAMMA / 2, e + 1, n - e) if e < n else 1.0
    rates = np.linspace(low, high, 1500)[:, None]
    p1, p0 = binom.pmf(np.arange(n1 + 1), n1, rates), binom.pmf(np.arange(n0 + 1), n0, rates)
    return float(np.einsum("gx,xy,gy->g", p1, extreme, p0).max())


@given(TABLES)
@settings(max_examples=40)
def test_it_is_the_largest_chance_of_so_extreme_a_table(table):
    p, fisher = float(barnard_test(*table)), float(fisher_exact(*table))
    if fisher < 1e-5:
        assert p == pytest.approx(fisher, rel=1e-9)
    else:
        assert p == pytest.approx(min(1.0, enumerated(*table) + 2 * GAMMA), rel=1e-4, abs=1e-9)


@pytest.mark.parametrize("table", [(7, 15, 12, 15), (8, 22, 1, 4), (7, 12, 1, 12), (50, 100, 30, 90)])
def test_it_is_barnards_test_where_the_data_do_not_exclude_the_worst_rate(table):
    e1, n1, e0, n0 = table
    theirs = barnard_exact([[e1, e0], [n1 - e1, n0 - e0]], n=256).pvalue
    # scipy's optimizer may stop just below the largest value
    assert theirs * (1 - 1e-6) <= barnard_test(*table) <= theirs * 1.006 + 3 * GAMMA


@given(TABLES)
def test_it_does_not_care_which_group_comes_first_or_what_counts_as_an_event(table):
    e1, n1, e0, n0 = table
    p = float(barnard_test(*table))
    assert float(barnard_test(e0, n0, e1, n1)) == pytest.approx(p, rel=1e-9)
    assert float(barnard_test(n1 - e1, n1, n0 - e0, n0)) == pytest.approx(p, rel=1e-9)


@pytest.mark.parametrize(("n1", "n0"), [(8, 8), (8, 12), (9, 40), (25, 25)])
def test_its_size_never_exceeds_the_level(n1, n0):
    # Newcombe's interval and the z-test reject up to 9.3% in these cells
    x, y = np.meshgrid(np.arange(n1 + 1), np.arange(n0 + 1), indexing="ij")
    p = barnard_test(x, n1, y, n0)
    for alpha in (0.05, 0.01):
        for rate in (0.005, 0.02, 0.05, 0.1, 0.21, 0.33, 0.5):
            weight = binom.pmf(x, n1, rate) * binom.pmf(y, n0, rate)
            assert weight[p <= alpha].sum() <= alpha


def test_one_of_twelve_against_one_in_a_hundred_shows_nothing():
    # z is 2.5 and Newcombe's interval excludes 0
    assert z_test(1, 12, 20, 2000)[1] < 0.02
    assert barnard_test(1, 12, 20, 2000) > 0.05


def test_its_size_holds_for_twelve_people_against_two_thousand():
    n1, n0, rate = 12, 2000, 0.01
    x, y = np.arange(n1 + 1), np.arange(binom.ppf(1e-6, n0, rate), binom.isf(1e-6, n0, rate) + 1)
    inside = binom.pmf(x, n1, rate) > 1e-7
    p = barnard_test(x[inside, None], n1, y[None, :], n0)
    weight = binom.pmf(x[inside, None], n1, rate) * binom.pmf(y, n0, rate)
    assert weight[p <= 0.05].sum() <= 0.05
    assert weight[z_test(x[inside, None], n1, y[None, :], n0)[1] <= 0.05].sum() > 0.1


def test_it_is_more_powerful_than_fishers_test():
    x, y = np.meshgrid(np.arange(21), np.arange(21), indexing="ij")
    weight = binom.pmf(x, 20, 0.6) * binom.pmf(y, 20, 0.2)
    ours, fishers = (weight[test(x, 20, y, 20) <= 0.05].sum() for test in (barnard_test, fisher_exact))
    assert ours > fishers + 0.05


def test_where_every_expected_count_is_large_it_is_the_z_test():
    table = (5100, 10_000, 5000, 10_000)
    assert smallest_expected(*table) >= EXACT_BELOW
    assert barnard_test(*table) == z_test(*table)[1]


def test_just_below_that_the_z_test_is_close():
    table = (1990, 4000, 1890, 4000)
    assert smallest_expected(*table) < EXACT_BELOW
    assert barnard_test(*table) == pytest.approx(float(z_test(*table)[1]), rel=0.03)


@pytest.mark.parametrize("table", [(0, 0, 3, 10), (3, 10, 0, 0), (2.5, 7, 3, 9)])
def test_empty_groups_and_fractional_counts_have_no_exact_test(table):
    assert math.isnan(barnard_test(*table))


def test_equal_rates_and_no_events_have_p_one():
    assert barnard_test([0, 5], 10, [0, 10], 20).tolist() == [1.0, 1.0]


@given(st.integers(1, 90), st.integers(1, 3000), st.floats(0, 1), st.floats(0, 1), st.sampled_from([0.02, 0.4, 1.0]))
@settings(max_examples=150, deadline=None)
def test_the_region_between_two_roots_is_the_one_that_halving_finds(n1, n0, share1, share0, most):
    e1, e0 = round(share1 * most * n1), round(share0 * most * n0)
    observed = abs(float(z_test(e1, n1, e0, n0)[0]))
    if observed == 0:
        return
    score = lambda x, y: z_test(x, n1, y, n0)[0]  # noqa: E731
    slow = region(score, lambda x, y: -score(x, y), observed, n1, n0, 0, n1)
    fast = _as_far_apart(np.array([observed]), *np.array([[n1], [n0], [0], [n1]]))
    assert fast.upto.tolist() == slow.upto.tolist()
    assert fast.since.tolist() == slow.since.tolist()


@pytest.mark.long
@given(TABLES, st.sampled_from([1, 7, 60]))
@settings(max_examples=60, deadline=None)
def test_the_largest_chance_is_that_of_a_dense_grid(table, times):
    e1, n1, e0, n0 = (times * v for v in table)
    observed = abs(float(z_test(e1, n1, e0, n0)[0]))
    if observed == 0:
        return
    low, high = clopper_pearson_set([e1 + e0], [n1 + n0], GAMMA)
    size = np.array([n1])
    tables = _as_far_apart(np.array([observed]), size, np.array([n0]), *reach(size, low, high))
    grid = np.sin(np.linspace(*np.arcsin(np.sqrt([low, high])), 4001)).T ** 2
    dense = tables.probability(grid, grid).max()
    assert supremum(lambda p: tables.probability(p, p), low, high) == pytest.approx(dense, rel=2e-6)


@pytest.mark.long
@pytest.mark.parametrize("e1", [0, 1, 3, 6, 12])
def test_few_people_beside_very_many_have_the_chances_that_add_up_one_by_one(monkeypatch, e1):
    n1, n0 = np.array([12]), np.array([300_000])
    observed = np.abs(z_test(e1, 12, 90_000, 300_000)[0])
    tables = _as_far_apart(np.array([observed]), n1, n0, np.array([0]), n1)
    rates = np.array([[0.0, 0.001, 0.297, 0.3, 0.301, 0.7, 1.0]])
    each = binom.pmf(np.arange(13)[:, None], 12, rates)
    lower, upper = binom.cdf(tables.upto[:, None], n0, rates), binom.sf(tables.since[:, None] - 1, n0, rates)
    wanted = pytest.approx((each * (lower + upper)).sum(axis=0), rel=1e-8, abs=1e-12)
    assert tables.probability(rates, rates)[0] == wanted
    monkeypatch.setattr(exact, "MANY_A_STEP", np.inf)
    assert tables.probability(rates, rates)[0] == wanted


def test_many_tables_together_are_each_by_itself(monkeypatch):
    rng = np.random.default_rng(7)
    n1, n0 = rng.integers(0, 300, 60), rng.choice([40, 50_000], 60)
    e1, e0 = rng.binomial(n1, 0.4), rng.binomial(n0, 0.5)
    together = barnard_test(e1, n1, e0, n0)
    monkeypatch.setattr(exact, "KEPT", -1)  # computed again
    alone = [float(barnard_test(*(int(v) for v in row))) for row in zip(e1, n1, e0, n0, strict=True)]
    assert together == pytest.approx(alone, rel=1e-12, nan_ok=True)
