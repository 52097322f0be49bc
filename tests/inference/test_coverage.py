"""The published coverage of the intervals, held as a promise: the same enumeration as the documentation's page."""

import numpy as np
import pytest
from scipy.stats import binom

from benchmarks.coverage.intervals import (
    COVERS,
    LEVEL,
    equalized_odds,
    one_rate,
    several_groups,
    sizes,
    support,
    two_rates,
    zero_widths,
)
from fairstats.inference.rates.rate_tests import fisher_exact, mid_p
from fairstats.inference.rates.two_rates import katz, koopman, miettinen_nurminen, newcombe

PAIRS = ((8, 8), (8, 200), (30, 30), (10, 10), (10, 30), (20, 20), (50, 50), (50, 500), (100, 100))


@pytest.fixture(scope="module")
def one():
    return {g.method: g.values for g in one_rate()}


@pytest.fixture(scope="module")
def two():
    return {g.method: g for g in two_rates(PAIRS)}


def test_wilson_covers_94_to_96_percent_on_average_and_nowhere_under_85(one):
    assert 0.94 <= one["wilson"].mean() <= 0.96
    assert one["wilson"].min() >= 0.85


def test_clopper_pearson_covers_at_least_95_percent_everywhere(one):
    assert one["clopper-pearson"].min() >= 0.95 - 1e-6


@pytest.mark.long
@pytest.mark.parametrize("method", ["newcombe", "koopman", "miettinen-nurminen"])
def test_intervals_of_two_rates_cover_90_percent_wherever_one_event_and_one_other_is_expected(two, method):
    assert (two[method].expected < 1).any()
    assert two[method].usual.min() >= 0.91


def test_wilson_covers_85_percent_with_one_event_expected_and_90_with_two():
    """Its own dips, which the documentation's page names."""
    wilson = next(g for g in one_rate() if g.method == "wilson")
    assert wilson.usual.min() >= 0.85
    assert wilson.values[wilson.expected >= 2].min() >= 0.90


@pytest.mark.parametrize("method", ["newcombe", "koopman", "miettinen-nurminen"])
def test_intervals_of_two_rates_cover_94_to_97_percent_on_average_and_nowhere_under_84(two, method):
    assert 0.94 <= two[method].values.mean() <= 0.97
    assert two[method].values.min() >= 0.84


def test_only_the_log_interval_is_ever_of_zero_width():
    assert {name for name, count in zero_widths().items() if count} == {"log"}


def test_fisher_keeps_its_size_and_the_2_sd_test_does_not():
    by_test = {g.method: g.values for g in sizes((*PAIRS, (10, 1000)))}
    assert by_test["fisher"].max() <= 0.05
    assert by_test["mid-p"].max() <= 0.061
    assert 0.08 < by_test["z (2-SD)"].max() < 0.1


@pytest.mark.long
def test_the_range_covers_93_to_97_percent_under_equality_in_every_cell():
    groups = ((10, 10), (10, 50), (10, 10, 10), (20, 40, 80), (20,) * 7)
    for grid in several_groups(groups, samples=6000, replicates=4000):
        assert grid.values.min() >= 0.93
        assert grid.values.max() <= 0.97


@pytest.mark.parametrize("samples", [150, pytest.param(600, marks=pytest.mark.slow)])
def test_equalized_odds_covers_93_to_97_percent_under_equality(samples):
    values = equalized_odds(samples=samples, replicates=500).values
    # two standard errors of the simulation beside the promise
    low, high = (share + way * 2 * np.sqrt(share * (1 - share) / samples) for share, way in ((0.93, -1), (0.97, 1)))
    assert np.all((values >= low) & (values <= high))


@pytest.mark.parametrize(
    ("name", "limits", "truth"),
    [
        ("newcombe", newcombe, lambda p1, p0: p1 - p0),
        ("miettinen-nurminen", miettinen_nurminen, lambda p1, p0: p1 - p0),
        ("koopman", koopman, lambda p1, p0: p1 / p0),
        ("log", katz, lambda p1, p0: p1 / p0),
    ],
)
def test_the_enumeration_asks_the_same_as_the_limits_themselves(name, limits, truth):
    e1, e0 = np.arange(13.0)[:, None], np.arange(22.0)
    for p1, p0 in ((0.31, 0.52), (0.07, 0.9), (0.43, 0.43)):
        low, high = limits(e1, 12, e0, 21, LEVEL)
        covered = (low <= truth(p1, p0)) & (truth(p1, p0) <= high)
        assert np.array_equal(COVERS[name](e1, 12, e0, 21, p1, p0), covered)


def test_the_conditional_size_is_that_of_the_tests_themselves():
    n1, n0, p = 13, 22, 0.3
    (e1, chance1), (e0, chance0) = support(n1, p), support(n0, p)
    chance = np.outer(chance1, chance0)
    by_test = {g.method: g.values[0] for g in sizes(((n1, n0),), (p,))}
    for name, test in (("fisher", fisher_exact), ("mid-p", mid_p)):
        assert chance[test(e1[:, None], n1, e0, n0) <= 0.05].sum() == pytest.approx(by_test[name], abs=1e-7)


def test_the_support_holds_all_but_a_billionth():
    counts, chance = support(10_000, 0.3)
    assert chance.sum() >= 1 - 1e-8
    assert chance == pytest.approx(binom.pmf(counts, 10_000, 0.3))
