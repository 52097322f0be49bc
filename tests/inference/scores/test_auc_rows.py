"""ROC curves and areas against scikit-learn, brute force and theorems; pROC is in tests/oracle."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import roc_auc_score
from sklearn.metrics import roc_curve as sklearn_roc_curve

from fairstats.errors import InputError
from fairstats.inference.scores.roc import (
    auc,
    auc_difference,
    auc_difference_estimate,
    auc_difference_paired,
    auc_estimate,
    auc_gap,
    ecdf,
    roc_curve,
    thin,
)

people = st.lists(st.tuples(st.integers(0, 8), st.booleans()), min_size=4, max_size=40).filter(
    lambda rows: 0 < sum(y for _, y in rows) < len(rows)
)


def columns(rows):
    return np.array([s for s, _ in rows], dtype=float), np.array([y for _, y in rows], dtype=int)


@settings(max_examples=100, deadline=None)
@given(people)
def test_area_is_that_of_the_curve_and_of_scikit_learn(rows):
    scores, y = columns(rows)
    fpr, tpr, thresholds = roc_curve(scores, y)
    area = auc(scores, y).auc
    assert area == pytest.approx(roc_auc_score(y, scores), abs=1e-12)
    assert area == pytest.approx(np.trapezoid(tpr, fpr), abs=1e-12)
    theirs = sklearn_roc_curve(y, scores, drop_intermediate=False)
    assert [a.tolist() for a in (fpr, tpr, thresholds)] == [pytest.approx(b.tolist()) for b in theirs]


@settings(max_examples=100, deadline=None)
@given(people, st.sampled_from([0.5, 0.9, 0.95]))
def test_interval_stays_in_range_and_never_has_zero_width(rows, level):
    result = auc(*columns(rows), level)
    assert 0 <= result.low <= result.auc <= result.high <= 1
    assert result.high - result.low > 0


@settings(max_examples=60, deadline=None)
@given(people)
def test_turning_the_scores_round_mirrors_the_interval(rows):
    scores, y = columns(rows)
    a, b = auc(scores, y), auc(-scores, y)
    assert (b.auc, b.low, b.high) == pytest.approx((1 - a.auc, 1 - a.high, 1 - a.low), abs=1e-9)
    assert b.std_error == pytest.approx(a.std_error, abs=1e-12, nan_ok=True)


def test_standard_error_is_delongs_by_its_definition():
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 9, 15), rng.integers(0, 7, 22)
    wins = (x[:, None] > y) + (x[:, None] == y) / 2
    variance = wins.mean(1).var(ddof=1) / 15 + wins.mean(0).var(ddof=1) / 22
    result = auc([*x, *y], [1] * 15 + [0] * 22)
    assert result.std_error == pytest.approx(np.sqrt(variance), rel=1e-12)


@pytest.mark.parametrize("truth", [0.6, 0.9, 0.97])
def test_interval_covers(truth):
    rng = np.random.default_rng(9)
    gap = np.sqrt(2) * stats.norm.ppf(truth)
    y = np.repeat([1, 0], [25, 40])
    hits = 0
    for _ in range(1500):
        result = auc(np.concatenate([rng.normal(gap, size=25), rng.normal(size=40)]), y)
        hits += result.low <= truth <= result.high
    assert hits / 1500 >= 0.925


def test_bound_at_perfect_separation_is_the_theorem():
    result = auc([1, 2, 3, 7, 8], [0, 0, 0, 1, 1])
    assert result.auc == 1 and result.method == "exact bound"
    # were the area that bound, two disjoint pairs would both be in order with probability alpha/2
    assert result.low**2 == pytest.approx(0.025)


def test_methods_are_named():
    assert auc([5, 5, 5, 5], [0, 1, 0, 1]).method == "Newcombe 5"
    assert auc([1, 2, 3], [0, 1, 0]).method == "Newcombe 5"
    near = auc([1, 2, 3, 4, 5, 6, 7, 8], [0, 0, 0, 1, 0, 1, 1, 1])
    assert near.method == "DeLong, logit" and near.high < 1


def test_difference_of_groups_is_antisymmetric_and_agrees_with_its_interval():
    rng = np.random.default_rng(1)
    y, z = rng.integers(0, 2, 60), rng.integers(0, 2, 50)
    s, t = rng.normal(size=60) + y, rng.normal(size=50)
    forth, back = auc_difference(s, y, t, z), auc_difference(t, z, s, y)
    assert (forth.difference, forth.low, forth.p_value) == pytest.approx((-back.difference, -back.high, back.p_value))
    touching = auc_difference(s, y, t, z, conf_level=1 - forth.p_value)
    assert min(abs(touching.low), abs(touching.high)) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("size", [3, 12, 40])
def test_difference_with_a_perfect_group_keeps_its_uncertainty(size):
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 60)
    s = rng.normal(size=60) + y
    perfect = np.arange(2 * size), np.arange(2 * size) >= size
    d = auc_difference(*perfect, s, y)
    assert d.low < 1 - auc(s, y).high  # the perfect area may be smaller than it looks
    assert (d.p_value <= 0.05) == (not d.low <= 0 <= d.high)
    if d.p_value < 1:  # otherwise even the narrowest interval reaches 0
        touching = auc_difference(*perfect, s, y, conf_level=1 - d.p_value)
        assert touching.low == pytest.approx(0, abs=1e-9)


def test_with_few_positives_a_true_equality_is_rejected_no_more_often_than_said():
    """6 positives of 30 against 1000: DeLong's t rejects 13%."""
    rejected = 0
    for seed in range(600):
        rng = np.random.default_rng(seed)
        y, z = rng.permutation(np.arange(30) < 6), rng.random(1000) < 0.2
        s, t = rng.normal(size=30) + y, rng.normal(size=1000) + z
        rejected += auc_difference(s, y, t, z).p_value <= 0.05
    assert rejected / 600 <= 0.06


def test_equivalence_of_two_areas_inverts_the_limits():
    rng = np.random.default_rng(2)
    y, z = np.arange(80) < 40, np.arange(90) < 30
    gap = auc_gap(rng.normal(size=80) + y, y, rng.normal(size=90) + z, z)
    margin = abs(gap.difference) + 0.15
    low, high = gap.limits(1 - 2 * gap.p_equivalence(margin))
    assert max(-low, high) == pytest.approx(margin, abs=1e-7)


def test_two_perfect_groups_do_not_differ_and_the_interval_is_wide():
    d = auc_difference([1, 2, 3, 4], [0, 0, 1, 1], [1, 2, 3, 4, 5, 6], [0, 0, 0, 1, 1, 1])
    assert d.difference == 0 and d.p_value == 1 and d.low < -0.5 and d.high > 0.5


def test_paired_difference_by_the_covariance_of_placements():
    rng = np.random.default_rng(6)
    y = np.repeat([1, 0], [20, 30])
    a = rng.integers(0, 9, 50) + y
    b = a + rng.integers(0, 5, 50)
    wins = [((s[:20, None] > s[20:]) + (s[:20, None] == s[20:]) / 2) for s in (a, b)]
    v10 = np.cov(wins[0].mean(1), wins[1].mean(1)) / 20
    v01 = np.cov(wins[0].mean(0), wins[1].mean(0)) / 30
    contrast = np.array([1, -1])
    d = auc_difference_paired(a, b, y)
    assert d.difference == pytest.approx(wins[0].mean() - wins[1].mean(), abs=1e-12)
    assert d.std_error == pytest.approx(np.sqrt(contrast @ (v10 + v01) @ contrast), rel=1e-10)


def test_a_score_compared_with_itself_does_not_differ():
    d = auc_difference_paired([1, 2, 3, 4], [1, 2, 3, 4], [0, 1, 0, 1])
    assert d.difference == 0 and d.p_value == 1


def test_lengths_must_agree():
    with pytest.raises(InputError, match="y has 2 values for 3 scores"):
        auc([1, 2, 3], [0, 1])
    with pytest.raises(InputError, match="y has 2 values for 3 scores"):
        auc_difference_paired([1, 2, 3], [1, 2, 3], [0, 1])


def test_rows_of_groups_with_one_outcome_say_why():
    assert auc_estimate([1, 2], [0, 0]).reason == "nobody with the positive outcome"
    row = auc_difference_estimate([1, 2], [0, 0], [1, 2], [0, 1], group="b", reference="a")
    assert row.status == "unestimable" and row.contrast == "difference"
    good = auc_estimate([1, 3, 2, 4, 6, 5], [0, 0, 1, 1, 1, 0], attribute="race", group="b", conf_level=0.9)
    assert (good.n, good.events, good.conf_level, good.status) == (6, 3, 0.9, "ok")


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-3, 5), min_size=1, max_size=30), st.data())
def test_weighted_distribution_function_is_that_of_repetitions(x, data):
    w = data.draw(st.lists(st.integers(0, 4), min_size=len(x), max_size=len(x)).filter(any))
    values, shares = ecdf(x, w)
    repeated = np.repeat(x, w)
    assert shares == pytest.approx([(repeated <= v).mean() for v in values])
    assert values.tolist() == sorted(set(x))


def test_weights_of_a_distribution_are_not_negative():
    with pytest.raises(InputError, match="weights has a negative"):
        ecdf([1, 2], [1, -1])


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 3000), st.integers(2, 60), st.integers(0, 9))
def test_thinning_keeps_both_ends_and_the_shape(size, most, seed):
    rng = np.random.default_rng(seed)
    fpr, tpr, _ = roc_curve(rng.normal(size=size), np.arange(size) % 2)
    kept = thin(fpr, tpr, most)
    assert kept[0] == 0 and kept[-1] == fpr.size - 1 and kept.size <= max(most, 2)
    assert np.all(np.diff(kept) > 0)
    if most >= 50:
        drawn = np.interp(np.arange(fpr.size), kept, tpr[kept])
        along = np.interp(np.arange(fpr.size), kept, fpr[kept])
        assert np.hypot(drawn - tpr, along - fpr).max() <= 0.06 + 2 / most


def test_thinning_drops_what_lies_on_a_line():
    x = np.linspace(0, 1, 1001)
    assert thin(x, 3 * x).tolist() == [0, 1000]
