"""Kruskal-Wallis and Dunn against scipy, the permutation distribution and the two-sample test."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from fairstats.errors import InputError
from fairstats.inference.scores.merged import merge
from fairstats.inference.scores.rank_tests import dunn, kruskal_estimates, kruskal_wallis

samples = st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=12), min_size=2, max_size=5)


@settings(max_examples=80, deadline=None)
@given(samples)
def test_statistic_and_p_value_are_scipys(groups):
    ours = kruskal_wallis(groups)
    if len({v for g in groups for v in g}) == 1:
        assert (ours.statistic, ours.p_value) == (0.0, 1.0)
        return
    theirs = stats.kruskal(*groups)
    assert (ours.statistic, ours.p_value) == pytest.approx((theirs.statistic, theirs.pvalue), abs=1e-10)


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(samples)
def test_statistic_has_mean_groups_minus_one_under_permutations(groups):
    # E H = G - 1 exactly, whatever the ties, is a theorem; checked by averaging random relabellings
    pooled = np.concatenate(groups)
    if len(set(pooled.tolist())) == 1:
        return
    rng = np.random.default_rng(0)
    cuts = np.cumsum([len(g) for g in groups])[:-1]
    values = [kruskal_wallis(np.split(rng.permutation(pooled), cuts)).statistic for _ in range(400)]
    assert np.mean(values) == pytest.approx(len(groups) - 1, abs=5 * np.std(values) / 20 + 1e-9)


def test_two_groups_are_the_uncorrected_mann_whitney_test():
    x, y = np.array([1, 4, 4, 6, 9.0]), np.array([0, 2, 4, 5.0])
    z = kruskal_wallis([x, y]).statistic ** 0.5
    sizes = merge(x, y).sizes
    variance = 5 * 4 / 12 * (10 - np.sum(sizes**3 - sizes) / 72)
    assert z == pytest.approx(abs(merge(x, y).u() - 10) / np.sqrt(variance))
    assert dunn([x, y])[0].statistic == pytest.approx(z)


def test_dunn_follows_its_formula_with_ties_and_holm():
    rng = np.random.default_rng(1)
    groups = [rng.integers(k, 8 + k, 12 + k) for k in range(4)]
    ranks = np.split(stats.rankdata(np.concatenate(groups)), np.cumsum([g.size for g in groups])[:-1])
    pooled = np.concatenate(groups)
    size, ties = pooled.size, np.unique(pooled, return_counts=True)[1]
    spread = size * (size + 1) / 12 - np.sum(ties**3 - ties) / (12 * (size - 1))
    pairs = dunn(groups)
    raw = []
    for pair in pairs:
        a, b = ranks[pair.first], ranks[pair.second]
        z = (a.mean() - b.mean()) / np.sqrt(spread * (1 / a.size + 1 / b.size))
        assert pair.statistic == pytest.approx(z)
        raw.append(2 * stats.norm.sf(abs(z)))
    worst = sorted(range(6), key=lambda k: raw[k])
    stepped = np.minimum(1, np.maximum.accumulate([(6 - i) * raw[k] for i, k in enumerate(worst)]))
    assert [pairs[k].p_adjusted for k in worst] == pytest.approx(stepped.tolist())


def test_size_of_the_test_under_the_null():
    rng = np.random.default_rng(3)
    hits = sum(
        kruskal_wallis([rng.integers(0, 10, size) for size in (15, 25, 40)]).p_value <= 0.05 for _ in range(2000)
    )
    assert 0.03 <= hits / 2000 <= 0.065


def test_a_group_without_scores_is_shown_and_does_not_count():
    rows = kruskal_estimates({"a": [1, 2, 3.0], "b": [], "c": [2, 3, 4.0]}, attribute="race")
    assert rows[0].df == 1 and rows[0].p_value == pytest.approx(stats.kruskal([1, 2, 3], [2, 3, 4]).pvalue)
    assert [r.status for r in rows] == ["ok", "unestimable", "ok", "unestimable"]
    assert rows[2].p_adjusted == pytest.approx(rows[2].p_value)  # the family is what could be compared


def test_missing_scores_are_refused():
    with pytest.raises(InputError, match="1 missing"):
        kruskal_wallis([[1.0, np.nan], [2.0]])


def test_rows_are_shares_of_the_ladder():
    rows = kruskal_estimates({"low": np.arange(50), "high": 100 + np.arange(50)})
    assert rows[1].estimate == pytest.approx(0.5) and rows[1].group == "high" and rows[1].reference == "low"
    assert rows[1].conf_low < 0.5 < rows[1].conf_high and rows[1].statistic > 0


def test_one_score_for_everybody_leaves_differences_of_ranks_no_interval():
    row = kruskal_estimates({"a": np.ones(8), "b": np.ones(9)})[1]
    assert (row.estimate, row.p_value, row.status) == (0, 1, "ok")
    assert np.isnan([row.conf_low, row.conf_high]).all()
    assert "every score is the same" in row.reason
