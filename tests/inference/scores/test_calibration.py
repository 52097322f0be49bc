"""Calibration against statsmodels, theorems and simulation; R's glm is in tests/oracle."""

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, logit
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.weightstats import CompareMeans, DescrStatsW

from fairstats.errors import InputError
from fairstats.inference.means import LossSample
from fairstats.inference.scores.calibration import (
    bin_edges,
    brier_difference,
    brier_score,
    calibration_curve,
    calibration_differences,
    calibration_estimates,
    mean_loss,
    recalibration,
)


def simulated(size, intercept=0.0, slope=1.0, seed=0):
    rng = np.random.default_rng(seed)
    z = rng.normal(size=size)
    return expit(z), (rng.random(size) < expit(intercept + slope * z)).astype(int)


@pytest.mark.parametrize(("size", "intercept", "slope"), [(40, 0.0, 1.0), (300, 0.8, 0.5), (2000, -1.5, 2.0)])
def test_recalibration_is_statsmodels(size, intercept, slope):
    p, y = simulated(size, intercept, slope)
    ours = recalibration(p, y)
    free = sm.GLM(y, sm.add_constant(logit(p)), sm.families.Binomial()).fit(tol=1e-14)
    large = sm.GLM(y, np.ones((size, 1)), sm.families.Binomial(), offset=logit(p)).fit(tol=1e-14)
    assert (ours.intercept, ours.slope) == pytest.approx(tuple(free.params), abs=1e-8)
    assert (ours.intercept_se, ours.slope_se) == pytest.approx(tuple(free.bse), abs=1e-8)
    assert (ours.in_the_large, ours.in_the_large_se) == pytest.approx((large.params[0], large.bse[0]), abs=1e-8)


def test_scores_bent_by_a_known_line_are_bent_back():
    p, y = simulated(200_000, 0.4, 0.7)
    fit = recalibration(p, y)
    assert fit.intercept == pytest.approx(0.4, abs=4 * fit.intercept_se)
    assert fit.slope == pytest.approx(0.7, abs=4 * fit.slope_se)


def test_recalibrated_scores_are_calibrated():
    p, y = simulated(400, 0.8, 0.5)
    fit = recalibration(p, y)
    again = recalibration(expit(fit.intercept + fit.slope * logit(p)), y)
    assert (again.in_the_large, again.intercept, again.slope) == pytest.approx((0, 0, 1), abs=1e-9)


def test_far_off_scores_still_converge():
    y = np.array([0, 1] * 30)
    fit = recalibration(expit(np.linspace(-30, -20, 60)), y)
    assert fit.in_the_large > 15 and abs(fit.slope) < 2
    # two in a hundred are negative and the scores say the reverse: a full Newton step would overshoot for good
    fit = recalibration(expit(np.linspace(-9, -5, 100)), np.arange(100) % 50 != 25)
    assert np.mean(expit(fit.intercept + fit.slope * np.linspace(-9, -5, 100))) == pytest.approx(0.98)


@pytest.mark.parametrize(
    ("p", "y", "reason"),
    [
        ([0.2, 0.3], [0, 0], "nobody with the positive outcome"),
        ([0.2, 0.3], [1, 1], "nobody with the negative outcome"),
        ([0.0, 0.3, 0.6], [0, 1, 0], "scores of exactly 0 or 1 (1)"),
        ([0.3, 0.3, 0.3], [0, 1, 0], "all scores are equal"),
        ([0.5 - 3e-16, 0.5, 0.5 + 1e-15, 0.5], [0, 1, 1, 0], "all scores are equal"),
        ([0.1, 0.2, 0.2, 0.9], [0, 0, 1, 1], "separate the outcomes"),
        ([0.9, 0.2, 0.1], [0, 1, 1], "separate the outcomes"),
    ],
)
def test_what_cannot_be_estimated_says_why(p, y, reason):
    rows = calibration_estimates(p, y, group="b")
    slope = rows.where(metric="calibration slope")[0]
    assert slope.status == "unestimable" and reason in slope.reason and np.isnan(slope.estimate)
    assert rows[0].status == "ok"


def test_scores_that_are_no_probabilities_are_refused():
    with pytest.raises(InputError, match=r"scores has 2 values outside \[0, 1\] \(from -1 to 10\)"):
        brier_score([-1, 0.5, 10], [0, 1, 1])
    with pytest.raises(InputError, match="1 missing"):
        recalibration([np.nan, 0.5], [0, 1])
    with pytest.raises(InputError, match="other than 0 and 1"):
        calibration_curve([0.1, 0.5], [0, 2])


def test_brier_is_the_mean_of_the_losses_with_students_interval_where_nothing_is_skewed():
    p, y = np.array([0.1, 0.2, 0.3] * 20), np.array([1, 0, 1] * 20)
    losses = np.tile([0.1, 0.2, 0.3], 20)
    assert brier_score(p, y).estimate == pytest.approx(np.mean((p - y) ** 2))
    result = mean_loss(losses)
    assert result.estimate == pytest.approx(0.2) and result.method.endswith("(Hall)")
    assert (result.low, result.high) == pytest.approx(DescrStatsW(losses).tconfint_mean())


@pytest.mark.parametrize(("current", "other", "mean"), [(60, 500, -3.0), (60, 60, -3.0)])
def test_brier_intervals_cover_where_outcomes_are_rare(current, other, mean):
    rng = np.random.default_rng(6)
    chance = 1 / (1 + np.exp(-rng.normal(mean, 1, 1_000_000)))
    truth = float(np.mean(chance * (1 - chance)))
    one, gap, draws = 0, 0, 400
    for _ in range(draws):
        losses = []
        for n in (current, other):
            p = 1 / (1 + np.exp(-rng.normal(mean, 1, n)))
            losses.append((p - (rng.random(n) < p)) ** 2)
        first, between = mean_loss(losses[0]), brier_difference(*losses)
        one += first.low <= truth <= first.high
        gap += between.low <= 0 <= between.high
        assert (between.p_value > 0.05) == (between.low < 0 < between.high)
    assert one / draws > 0.93 and gap / draws > 0.93  # Student: 0.90, Welch 0.90 against many


@pytest.mark.parametrize("gap", [-1.0, -0.5, -0.25, 0.0, 0.25, 0.5, 1.0])
def test_the_p_of_a_difference_is_one_less_the_level_whose_limits_reach_none(gap):
    """Also where all losses of one side are 1 and all of the other 0: the difference is then exactly 1."""
    spread = 0.0 if abs(gap) == 1 else 0.2
    noise = spread * np.tile([-1.0, 1.0], 10)
    current, other = (np.clip(max(sign * gap, 0.0) + noise * (abs(gap) < 1) + spread, 0, 1) for sign in (1, -1))
    result = brier_difference(current, other)
    assert result.estimate == pytest.approx(gap)
    assert brier_difference(other, current).p_value == pytest.approx(result.p_value)
    if gap == 0:
        assert result.p_value == 1
        return
    assert (result.p_value < 0.05) == (result.low > 0 or result.high < 0)
    assert result.p_value < 0.02
    if result.p_value > 1e-6:
        edge = brier_difference(current, other, conf_level=1 - result.p_value)
        assert min(abs(edge.low), abs(edge.high)) == pytest.approx(0, abs=1e-6)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from([0.0, 0.3, 0.5, 1.0]), st.booleans()), min_size=1, max_size=20))
def test_brier_interval_never_has_zero_width(rows):
    p, y = zip(*rows, strict=True)
    result = brier_score(p, np.array(y, dtype=int))
    assert 0 <= result.low <= result.estimate <= result.high <= 1 and result.high > result.low


def test_bound_of_equal_losses_is_clopper_pearson_for_perfect_predictions():
    assert brier_score([0, 1, 0, 1], [0, 1, 0, 1]).high == pytest.approx(proportion_confint(0, 4, method="beta")[1])


def test_curve_counts_everybody_once_with_a_simultaneous_wilson_band():
    p, y = simulated(500)
    curve = calibration_curve(p, y)
    assert curve.n.sum() == 500 and curve.events.sum() == y.sum() and curve.n.size == 10
    assert curve.n @ curve.predicted == pytest.approx(p.sum())
    low, high = proportion_confint(curve.events, curve.n, alpha=1 - 0.95**0.1, method="wilson")
    assert curve.low.tolist() == pytest.approx(low.tolist()) and curve.high.tolist() == pytest.approx(high.tolist())


def test_groups_can_share_bins_and_empty_bins_are_left_out():
    edges = bin_edges(np.linspace(0, 1, 101), bins=4, binning="uniform")
    assert edges.tolist() == [0.25, 0.5, 0.75]
    assert calibration_curve([0.1, 0.9, 0.25], [0, 1, 1], edges).n.tolist() == [1, 1, 1]
    with pytest.raises(InputError, match="did you mean 'quantile'"):
        bin_edges([0.1], binning="quantiles")


def test_tied_scores_make_fewer_bins_not_wrong_ones():
    curve = calibration_curve(np.repeat([0.2, 0.4], 50), np.arange(100) % 2)
    assert curve.predicted.tolist() == pytest.approx([0.2, 0.4]) and curve.n.tolist() == [50, 50]


def test_differences_are_mover_and_wald():
    (p, y), (q, z) = simulated(80, seed=1), simulated(50, 0.5, 0.6, seed=2)
    a, b = calibration_estimates(p, y, group="b"), calibration_estimates(q, z, group="a")
    losses = (p - y) ** 2, (q - z) ** 2
    rows = calibration_differences(a, b, (LossSample.of(losses[0]), LossSample.of(losses[1])), reference="a")
    result = brier_difference(*losses)
    assert (rows[0].conf_low, rows[0].conf_high, rows[0].p_value) == (result.low, result.high, result.p_value)
    welch = CompareMeans(DescrStatsW(losses[0]), DescrStatsW(losses[1]))
    assert (result.low, result.high) == pytest.approx(welch.tconfint_diff(usevar="unequal"), abs=0.02)
    assert rows[2].estimate == pytest.approx(a[2].estimate - b[2].estimate)
    assert rows[2].std_error == pytest.approx(np.sqrt(a[2].std_error ** 2 + b[2].std_error ** 2))
    assert set(rows.column("contrast")) == {"difference"} and set(rows.column("reference")) == {"a"}


def test_a_difference_with_an_unestimable_side_is_unestimable():
    p, y = simulated(80)
    rows = calibration_differences(
        calibration_estimates(p, y),
        calibration_estimates([0.2, 0.4], [0, 0]),
        (LossSample.of((p - y) ** 2), LossSample.of([0.04, 0.16])),
    )
    assert rows[1].status == rows[2].status == "unestimable" and "positive outcome" in rows[1].reason


def test_slope_interval_covers():
    hits = 0
    for seed in range(600):
        row = calibration_estimates(*simulated(150, 0.2, 0.8, seed=seed))[2]
        hits += row.conf_low <= 0.8 <= row.conf_high
    assert 0.925 <= hits / 600 <= 0.98


@pytest.mark.parametrize("loss", [0.0, 0.04, 1.0])
def test_equal_losses_have_no_spread_and_one_has_none_that_is_known(loss):
    assert mean_loss([loss] * 5).std_error == 0 and np.isnan(mean_loss([loss]).std_error)
