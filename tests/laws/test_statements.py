"""What a fit tells of itself is what it is: guarantees with their numbers, tests, limits, notes and the summary."""

from __future__ import annotations

import re
import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy_stats

import fairstats
from fairstats.data.centered import centered
from fairstats.data.groups import Groups
from fairstats.errors import FairstatsWarning, InputError
from fairstats.inference.representations.probes import _p_value
from fairstats.inference.scores.calibration import calibration_estimates
from fairstats.methods.fair_pca import equal_means
from fairstats.methods.location_scale import LevelRows, _alike
from fairstats.methods.results import Guarantee
from tests.laws.every_method import EVERY, OF, PROJECTIONS, sample

HELD, BROKEN = Guarantee("one", 0.0, 1e-9), Guarantee("other", 1.0, 1e-9)


@pytest.mark.parametrize("name", PROJECTIONS)
def test_all_guarantees_hold_only_where_each_does(name: str) -> None:
    X, g = sample()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FairstatsWarning)
        fit = EVERY[name](X, g, 2)
    for result, expected in (((HELD, HELD), True), ((HELD, BROKEN), False), ((BROKEN, HELD), False)):
        assert bool(replace(fit, guarantees=result).glance()["guarantees_hold"][0]) is expected


def test_the_guarantees_of_equal_locations_and_scales_are_these_distances() -> None:
    rng = np.random.default_rng(3)
    codes, mass = np.repeat([0, 1, 2], [30, 50, 40]), rng.uniform(0.5, 2, 120)
    rows = rng.normal(size=(120, 4)) * np.array([1.0, 2.0, 0.5])[codes][:, None] + np.array([0, 1, 3])[codes][:, None]
    pooled = np.array([1.0, 2.0, 0.7, 1.5])
    parts = [LevelRows(codes == c, mass) for c in range(3)]
    means, spreads = _alike(rows, parts, pooled)
    of_mean, of_sd = [], []
    for c in range(3):
        current, w = rows[codes == c], mass[codes == c]
        mean = np.average(current, axis=0, weights=w)
        free = w.sum() - (w @ w) / w.sum()
        of_mean.append(np.abs(mean) / pooled)
        of_sd.append(np.abs(np.sqrt(w @ (current - mean) ** 2 / free) - pooled) / pooled)
    assert means.value == pytest.approx(np.max(of_mean)) and not means.holds and "mean" in means.statement
    assert spreads.value == pytest.approx(np.max(of_sd)) and not spreads.holds and "deviation" in spreads.statement


def test_the_guarantee_of_equal_means_is_the_largest_correlation() -> None:
    X, g = sample()
    view = centered(X, Groups.of(g))
    fit = fairstats.pca(X, k=3)
    scores = np.asarray(fit.transform(X))
    result = equal_means(view, fit.loadings, np.sum((scores - scores.mean(axis=0)) ** 2, axis=0), "parity", None)
    direct = np.abs(np.corrcoef(np.column_stack([g == "a", scores]), rowvar=False)[0, 1:]).max()
    assert result.value == pytest.approx(direct) and not result.holds


@pytest.mark.parametrize("k", [1, 3])
def test_tests_of_components_are_those_of_an_analysis_of_variance_where_the_fit_was_blind(k: int) -> None:
    rng = np.random.default_rng(5)
    g = rng.choice(list("abc"), 150)
    X = rng.normal(size=(150, 5)) + 0.4 * (g == "b")[:, None]
    rows = fairstats.pca(X, g, k=k).tidy()
    rows = rows[rows["statistic"].notna()]
    scores = np.asarray(fairstats.pca(X, g, k=k).transform(X))
    assert len(rows) == k
    for j, (F, p) in enumerate(zip(rows["statistic"], rows["p_value"], strict=True)):
        expected = scipy_stats.f_oneway(*(scores[g == level, j] for level in "abc"))
        assert (F, p) == pytest.approx((expected.statistic, expected.pvalue))
    assert fairstats.fair_pca(X, g, k=k).tidy()["statistic"].isna().all()


@pytest.mark.long
@pytest.mark.parametrize("name", [n for n in EVERY if OF[n].reduces and n != "fair_pca-s"])
def test_k_may_be_all_that_the_error_says(name: str) -> None:
    X, g = sample(n=60)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FairstatsWarning)
        with pytest.raises(InputError, match=r"^k has 10000;") as refused:
            EVERY[name](X, g, 10_000)
        reach = re.search(r"it can be (\d+) to (\d+) here", str(refused.value))
        assert reach and reach[1] == "1"
        for k in (1, int(reach[2])):
            assert EVERY[name](X, g, k).k == k
        with pytest.raises(InputError, match=f"^k has {int(reach[2]) + 1};"):
            EVERY[name](X, g, int(reach[2]) + 1)


def test_a_path_of_another_method_is_refused() -> None:
    X, g = sample()
    for other in (fairstats.pca(X, g), fairstats.leace(X, g), "disparity_pca"):
        with pytest.raises(InputError, match=r"^fit has .*; the path is of disparity_pca"):
            fairstats.disparity_path(other, X, g)


@pytest.mark.parametrize("lost", [0, 2])
def test_components_without_variation_are_counted_and_otherwise_not_spoken_of(lost: int) -> None:
    X, g = sample(n=200)
    X[:, :lost] = 0.0
    fit = fairstats.fair_pca(X, g, k=6, equalize="covariance", directions=6)
    lines = [re.search(r"(\d+) of the components hold no variation", note) for note in fit.notes]
    assert [int(result[1]) for result in lines if result] == ([lost] if lost else [])


@pytest.mark.parametrize("levels", [2, 12, 14])
def test_the_summary_has_the_shares_and_up_to_twelve_groups(levels: int) -> None:
    rng = np.random.default_rng(9)
    g = np.array([f"g{i:02}" for i in range(levels)])[np.arange(300) % levels]
    fit = fairstats.og(rng.normal(size=(300, 4)), g, k=2)
    text = fit.summary()
    for words, share in (("explained by PCA of the same k", fit.pca_error), ("explained by this fit", fit.error)):
        assert f"{words} {100 - 100 * share / fit.total:.2f}%" in re.sub(" +", " ", text)
    assert sum(line.startswith("group=g") for line in text.splitlines()) == min(levels, 12)
    assert ("... and 2 more" in text) == (levels == 14)


def test_calibration_is_tested_against_0_and_1() -> None:
    rng = np.random.default_rng(11)
    p = rng.uniform(0.05, 0.95, 400)
    rows = {r.metric: r for r in calibration_estimates(p, (rng.uniform(size=400) < p**1.5).astype(float), group="b")}
    for metric, null in (("calibration intercept", 0.0), ("calibration slope", 1.0)):
        row = rows[metric]
        assert row.statistic == pytest.approx((row.estimate - null) / row.std_error)
        assert row.p_value == pytest.approx(2 * scipy_stats.norm.sf(abs(row.estimate - null) / row.std_error))
        assert 0.001 < row.p_value < 0.999 or abs(row.statistic) > 3


@pytest.mark.parametrize("offset", [0.0, 1e-15, -1e-15])
def test_permutations_that_tie_with_what_was_seen_count(offset: float) -> None:
    values: Any = np.array([0.5, 0.5 + offset, 0.5 - offset, 0.4, 0.6])
    assert _p_value(values).p_value == pytest.approx(4 / 5)


def test_a_constraint_that_does_not_bind_leaves_no_residual() -> None:
    pytest.importorskip("cvxpy")
    X, g = sample(n=60, p=4)
    loose = fairstats.comparators.fpca(X, g, k=2, delta=1e3, mu=0.0)
    assert loose.diagnostics["residual"] == 0.0
    assert loose.error == pytest.approx(fairstats.pca(X, k=2).error, rel=1e-3)


@pytest.mark.parametrize("name", ["og", "leace", "location_scale", "kernel linear"])
def test_scores_are_held_out_in_two_folds_of_seed_0_by_default(name: str) -> None:
    X, g = sample(n=60)
    fit = EVERY[name](X, g, 2)
    kept, reported = fit.crossfit(X, g), fit.crossfit(X, g, folds=2, seed=0)
    assert len(np.unique(kept.folds)) == 2 and kept.seed == 0
    np.testing.assert_array_equal(kept.folds, reported.folds)
    np.testing.assert_array_equal(kept.scores, reported.scores)


def test_the_summary_says_bounds_in_percentage_points() -> None:
    rng = np.random.default_rng(2)
    decided = rng.integers(0, 2, 120).astype(object)
    decided[:9] = None
    audit = fairstats.audit({"g": ["a", "b", "b"] * 40, "d": decided}, decision="d", groups="g")
    rows = [r for r in audit.estimates.only(role="bounds", contrast="difference") if r.metric == "selection rate"]
    text = audit.summary().replace("\n", " ").replace("−", "-")
    assert rows
    for row in rows:
        low, high = (f"{100 * end:+.1f}".replace("+0.0", "0.0") for end in (row.conf_low, row.conf_high))
        assert f"{row.group} {low} to {high}" in re.sub(" +", " ", text)


@pytest.mark.parametrize("name", [name for name in PROJECTIONS if name not in ("pca", "og")])
def test_components_that_were_chosen_by_looking_at_the_groups_are_not_tested_against_them(name: str) -> None:
    X, g = sample(n=40, p=5)
    with pytest.raises(InputError, match=r"by looking at the groups|fit has no groups"):
        fairstats.extra_error(PROJECTIONS[name](X, g), X, g, permutations=9)


@pytest.mark.parametrize("name", ["pca", "og"])
def test_a_test_of_components_refuses_rows_that_the_fit_did_not_have(name: str) -> None:
    X, g = sample(n=40, p=5)
    with pytest.raises(InputError, match="other rows than the fit"):
        fairstats.extra_error(PROJECTIONS[name](X, g), 1.1 * X, g, permutations=9)
