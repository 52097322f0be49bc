"""Several groups: intervals agree with their test, cover under equality and away from it, name what is missing."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm, studentized_range

import fairstats
from fairstats.errors import InputError
from fairstats.inference.rates.many_rates import max_difference, range_estimate, ratio_to_best, worst_ratio

QUICK = {"replicates": 499}
GROUPS = st.lists(st.integers(1, 60), min_size=2, max_size=6).flatmap(
    lambda n: st.tuples(st.tuples(*(st.integers(0, m) for m in n)), st.just(tuple(n)))
)


# coverage of the range under equality is in test_coverage.py, where it is enumerated
def coverage(function, n, p, truth, samples=150, **options):
    rng = np.random.default_rng(7)
    covered = 0
    for _ in range(samples):
        limits = function(rng.binomial(n, p), n, **options)
        covered += bool(np.all((limits.low <= truth) & (truth <= limits.high)))
    return covered / samples


@settings(max_examples=60)
@given(GROUPS)
def test_the_range_excludes_zero_exactly_where_its_test_rejects(data):
    limits = max_difference(*data, **QUICK)
    assert 0 <= limits.low <= limits.estimate + 1e-9
    assert limits.estimate <= limits.high <= 1
    assert (limits.low > 0) == (limits.joint.p_value <= 0.05)


@settings(max_examples=60)
@given(GROUPS)
def test_the_worst_ratio_excludes_one_exactly_where_its_test_rejects(data):
    limits = worst_ratio(*data, **QUICK)
    if math.isnan(limits.estimate):
        assert not any(data[0])
        return
    assert 0 <= limits.low <= limits.estimate + 1e-9
    assert limits.estimate <= limits.high * (1 + 1e-9) <= 1 + 1e-9
    if abs(limits.joint.p_value - 0.05) > 1e-9:  # at the level itself rounding decides
        assert (limits.high < 1) == (limits.joint.p_value <= 0.05)


@settings(max_examples=40)
@given(GROUPS, st.randoms(use_true_random=False))
def test_the_order_of_the_groups_does_not_matter_beyond_the_resampling(data, random):
    order = list(range(len(data[1])))
    random.shuffle(order)
    events, n = (np.asarray(v)[order] for v in data)
    one, other = max_difference(*data, replicates=4000), max_difference(events, n, replicates=4000)
    assert other.estimate == pytest.approx(one.estimate)
    assert other.joint.statistic == pytest.approx(one.joint.statistic)
    assert other.joint.p_value == pytest.approx(one.joint.p_value, abs=0.05)


def test_a_percentile_bootstrap_of_the_range_never_covers_zero_and_ours_does():
    rng = np.random.default_rng(0)
    n = np.array([200] * 5)
    events = rng.binomial(n, 0.3)
    resampled = np.ptp(rng.binomial(n, events / n, (2000, 5)) / n, axis=1)
    assert np.quantile(resampled, 0.025) > 0
    assert max_difference(events, n).low == 0


@pytest.mark.long
@pytest.mark.parametrize("p", [(0.2, 0.3, 0.5), (0.5, 0.5, 0.52)])
def test_the_range_is_covered_away_from_equality(p):
    assert coverage(max_difference, np.array([60, 90, 200]), p, np.ptp(p), **QUICK) >= 0.91


def test_differences_and_ratios_to_the_best_are_covered_together():
    n, p = np.array([60, 90, 200]), np.array([0.2, 0.3, 0.5])
    assert coverage(ratio_to_best, n, p, np.array([-0.3, -0.2, 0.2])) >= 0.91
    assert coverage(ratio_to_best, n, p, np.array([0.4, 0.6, 5 / 3]), contrast="ratio") >= 0.91


def test_no_group_is_worse_than_the_best_under_equality_more_often_than_five_percent():
    rng, n = np.random.default_rng(3), np.array([50] * 5)
    wrong = sum(bool(np.any(ratio_to_best(rng.binomial(n, 0.4), n).high < 0)) for _ in range(150))
    assert wrong / 150 <= 0.1


def test_one_group_that_truly_differs_does_not_make_another_one_worse_than_the_best():
    """With labels exchanged among all groups this was claimed falsely in 30% of such samples."""
    rng, n = np.random.default_rng(0), np.array([2000, 2000, 8, 8, 8, 8, 8])
    p = np.where(np.arange(7) == 1, 0.5, 0.99)
    for contrast, equal in (("difference", 0.0), ("ratio", 1.0)):
        items = [ratio_to_best(rng.binomial(n, p), n, contrast=contrast) for _ in range(300)]
        assert np.mean([(g.high[p > 0.9] < equal).any() for g in items]) <= 0.02
        assert all(g.high[1] < equal for g in items)


def test_equalized_odds_is_the_larger_of_two_ranges_under_one_level():
    tp, positives, fp, negatives = [40, 60, 50], [80, 80, 80], [10, 12, 30], [90, 90, 90]
    both = max_difference([tp, fp], [positives, negatives])
    one, other = max_difference(tp, positives), max_difference(fp, negatives)
    assert both.estimate == max(one.estimate, other.estimate)
    assert both.joint.conf_level > max(one.joint.conf_level, other.joint.conf_level)
    assert both.low < max(one.low, other.low)
    assert both.joint.statistic == pytest.approx(max(one.joint.statistic, other.joint.statistic))


def test_no_width_is_zero_where_nobody_has_the_property():
    limits = max_difference([0, 0, 0], [20, 30, 40])
    assert (limits.estimate, limits.low) == (0, 0)
    assert limits.high > 0.15
    assert limits.joint.p_value > 0.4


def test_fractional_counts_get_tukeys_normal_quantile():
    weighted = max_difference([50.5, 60.5, 55.5], [101, 101, 101])
    tukey = studentized_range.ppf(0.95, 3, np.inf) / np.sqrt(2)
    assert weighted.joint.conf_level == pytest.approx(1 - 2 * norm.sf(tukey), abs=0.002)


def test_the_same_seed_gives_the_same_limits():
    data = [3, 9, 14], [30, 30, 40]
    assert max_difference(*data, seed=4) == max_difference(*data, seed=4)


def test_a_range_is_of_all_groups_and_its_reason_names_the_extremes_and_the_empty_ones():
    row = range_estimate([20, 0, 60, 55], [100, 0, 100, 100], ["a", "b", "c", "d"], metric="TPR")
    assert (row.group, row.reference, row.n, row.events) == ("", "", 300, 135)
    assert (row.status, row.reason) == ("ok", "observed extremes: c (60 of 100) and a (20 of 100); nobody in b")
    ratio = range_estimate([20, 0, 60, 55], [100, 0, 100, 100], ["a", "b", "c", "d"], contrast="ratio")
    assert (ratio.group, ratio.contrast) == ("", "ratio")
    assert ratio.reason.startswith("observed extremes: a (20 of 100) and c (60 of 100)")
    assert ratio.estimate == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("events", "n", "contrast", "reason"),
    [
        ([3, 0], [9, 0], "difference", "nobody in b"),
        ([3, 0], [9, 0], "ratio", "nobody in b"),
        ([0, 0], [9, 9], "ratio", "no events in any group: 0/0"),
    ],
)
def test_a_range_that_cannot_be_estimated_says_why(events, n, contrast, reason):
    row = range_estimate(events, n, ["a", "b"], contrast=contrast)
    assert (row.status, row.reason) == ("unestimable", reason)
    assert math.isnan(row.conf_low)


def test_an_empty_group_has_no_distance_to_the_best():
    limits = ratio_to_best([20, 0, 60], [100, 0, 100])
    assert np.isnan(limits.low[1])
    assert limits.high[0] < 0


def test_unknown_contrast_names_the_choices():
    with pytest.raises(InputError, match="contrast has 'odds'; the choices are difference, ratio"):
        ratio_to_best([1, 2], [3, 4], contrast="odds")


@pytest.mark.parametrize("function", [fairstats.stats.max_difference, fairstats.stats.worst_ratio])
def test_an_argument_that_there_is_not_is_an_error_that_lists_those_there_are(function):
    assert function([1, 2], [3, 4], seed=1, replicates=99) == function([1, 2], [3, 4], seed=1, replicates=99)
    with pytest.raises(InputError, match="draws"):
        function([1, 2], [3, 4], draws=99)
    with pytest.raises(InputError, match="seed"):
        fairstats.stats.ratio_to_best([1, 2], [3, 4], seed=1)  # which draws nothing
