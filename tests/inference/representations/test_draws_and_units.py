"""What is drawn keeps the groups' sizes; what has no unit is the same in any; one component is the whole of one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats
from sklearn.kernel_approximation import Nystroem

import fairstats
from fairstats.data.design import Design
from fairstats.estimates import Estimate
from fairstats.inference.means import LossSample
from fairstats.inference.representations import choosing_k, fit_studies
from fairstats.inference.representations.extra_error import from_rows, share_interval, total_interval
from fairstats.inference.representations.fit_studies import filled
from fairstats.inference.representations.probes import _non_linear, probe_predictions
from tests.laws.every_result import X as FEW
from tests.laws.every_result import people

RNG = np.random.default_rng(23)
N = 90
G = np.repeat(["a", "b", "c"], [15, 25, 50])[RNG.permutation(N)]
X = RNG.standard_normal((N, 4)) * [3, 2, 1, 1] + 0.5 * (G == "b")[:, None]


def test_samples_of_a_study_have_as_many_people_of_every_group_as_the_data(monkeypatch: pytest.MonkeyPatch) -> None:
    fit, drawn = fairstats.og(X, G, k=2), list[Design]()

    def taken(design: Design, *_: Any, **__: Any) -> fairstats.Projection:
        drawn.append(design)
        return fit

    monkeypatch.setattr(fit_studies, "refit", lambda _: taken)
    fairstats.bootstrap_loadings(fit, X, G, replicates=20, seed=3)
    assert len(drawn) == 20
    whole = {tuple(row): label for row, label in zip(X, G, strict=True)}
    seen = [[tuple(row) for row in np.asarray(design.X)] for design in drawn]
    for rows in seen:
        assert sorted(whole[row] for row in rows) == sorted(G) and len(set(rows)) < N
    counts = [sum(rows.count(row) for rows in seen) for row in whole]
    assert stats.chisquare(counts).pvalue > 1e-4  # everybody is drawn as often


@pytest.mark.parametrize("weighted", [False, True])
def test_the_fewest_components_within_a_standard_error_have_no_unit(weighted: bool) -> None:
    rng, seen = np.random.default_rng(5), set()
    w = rng.uniform(0.5, 2, N) if weighted else None
    for gain in (0.0, 0.05, 0.2, 0.6):
        errors = rng.chisquare(2, (N, 5)) + 10 - gain * np.arange(5)
        items = [
            [row.estimate for row in choosing_k._fewest("ours", unit * np.c_[errors[:, :1] + 1, errors], w)]
            for unit in (1e-7, 1.0, 1e7)
        ]
        assert items[0] == items[1] == items[2]
        share = np.full(N, 1 / N) if w is None else w / w.sum()
        means = share @ errors
        best = int(np.argmin(means))
        apart = errors - errors[:, [best]]
        error = np.sqrt(share**2 @ (apart - share @ apart) ** 2 * N / (N - 1))
        assert items[1] == [best + 1, int(np.argmax(share @ apart <= error + 1e-12)) + 1]
        seen.add(tuple(items[1]))
    assert len(seen) > 1


@pytest.mark.long
@pytest.mark.parametrize("probe", ["linear probe", "non-linear probe"])
def test_what_a_probe_predicts_does_not_depend_on_the_unit_of_weights(probe: str) -> None:
    codes, folds, w = (G == "b").astype(int), np.arange(N) % 2, np.linspace(0.5, 2, N)

    def predicted(weights: np.ndarray | None) -> np.ndarray:
        return probe_predictions(X[:, :2], codes, folds, probe, weights=weights)[0]

    np.testing.assert_allclose(predicted(1e3 * w), predicted(w), atol=1e-5)
    np.testing.assert_allclose(predicted(np.full(N, 7.0)), predicted(None), atol=1e-5)


@pytest.mark.parametrize("method", ["pca", "og"])
def test_of_a_single_component_the_row_and_the_whole_are_one(method: str) -> None:
    fit = getattr(fairstats, method)(FEW, "race", data=people(), k=1)
    result = fairstats.extra_error(fit, people(), permutations=0)
    (row,) = result.estimates.where(metric="R2")
    assert 0 < row.p_value < 1 and row.reason == ""
    assert (row.p_value, row.p_adjusted) == pytest.approx((result.p_asymptotic, result.p_asymptotic))
    assert row.estimate == pytest.approx(result.observed / result.energy)
    assert row.df == 2 and np.isfinite(row.statistic)


@pytest.mark.parametrize("level", [0.5, 0.95])
def test_limits_of_a_share_are_those_of_the_part_and_of_the_rest_by_mover(level: float) -> None:
    """Zou and Donner: distances from the estimate on the logarithmic scale, squared, add up."""
    A = X[:, :1] - X[:, :1].mean()
    D = (G[:, None] == ["b", "c"]).astype(float)
    part = from_rows(A, D, np.unique(G, return_inverse=True)[1])
    low, high, _ = share_interval(part, level)
    ends = np.array(total_interval(part, level)[:2])
    within = sum(np.sum((A[v == G] - A[v == G].mean()) ** 2) for v in "abc") * N / (N - 3)
    z = stats.norm.ppf((1 + level) / 2) * float(part.rest_error[0])
    odds = np.array([low, high]) / (1 - np.array([low, high])) * within
    inside = ends > 0
    far = np.log(odds[inside] / part.explained) ** 2
    np.testing.assert_allclose(far, np.log(ends[inside] / part.explained) ** 2 + z**2, rtol=1e-6)
    assert inside[1] and (low == 0) == (not inside[0])


def test_refits_judge_the_very_statistics_of_the_held_out_scores() -> None:
    """And the p-value of a number is its own: scores that follow age tell nothing about the group."""
    rng = np.random.default_rng(3)
    age = rng.normal(size=160)
    rows = rng.normal(size=(160, 4)) + np.outer(3 * age, [1, 0, 0, 0])
    groups = {"g": np.array(["a", "b"] * 80), "age": fairstats.continuous(age)}
    fit = fairstats.pca(rows, groups, k=1)
    estimates = fairstats.leakage(fit, rows, groups, permutations=19).estimates
    kept = fairstats.leakage(fit.crossfit(rows, groups), permutations=19).estimates
    assert [(r.metric, r.attribute, r.group) for r in estimates] == [(r.metric, r.attribute, r.group) for r in kept]
    for ours, theirs in zip(estimates, kept, strict=True):
        assert (ours.n, ours.events) == pytest.approx((theirs.n, theirs.events), nan_ok=True)
        if "non-linear" not in ours.metric:  # two different probes
            assert ours.estimate == pytest.approx(theirs.estimate, nan_ok=True)
    age_row, g_row = (estimates.where(metric="distance correlation", attribute=a)[0] for a in ("age", "g"))
    assert age_row.p_value == pytest.approx(1 / 20) and g_row.p_value > 1 / 20


def test_the_kernel_of_a_probe_is_as_wide_as_standardized_rows_lie_apart() -> None:
    for k in (1, 2, 5):
        rows = stats.zscore(np.random.default_rng(k).standard_normal((200, k)))
        apart = np.mean(np.sum((rows[:, None] - rows) ** 2, axis=2))
        (landmarks,) = _attributes(_non_linear(200, k, 0), Nystroem)
        assert landmarks.gamma * apart == pytest.approx(1)


def _attributes(result: Any, kind: type) -> list[Any]:
    """What of a kind an object holds, however deep."""
    if isinstance(result, kind):
        return [result]
    inside = result if isinstance(result, tuple) else tuple(getattr(result, "__dict__", {}).values())
    return [one for part in inside for one in _attributes(part, kind)]


def test_a_group_that_loses_alike_has_a_gap_with_limits_where_the_other_does_not() -> None:
    """Its own mean has none; the gap's standard error is that of the other group's mean."""
    spread, alike = LossSample.of(np.arange(12.0), 0.0), LossSample.of(np.full(9, 2.0), 0.0)
    blank = Estimate("loss", "sex", "f")
    for samples in ((spread, alike), (alike, spread)):
        row = filled(blank, samples[0].mean - samples[1].mean, samples, 0.9, tested=True)
        assert row.std_error == pytest.approx(np.sqrt(13 / 12)) and row.conf_low < row.conf_high and row.p_value < 0.05
    for samples in ((alike,), (alike, alike)):
        row = filled(blank, 2.0, samples, 0.9, tested=True)
        assert row.std_error == 0 and np.isnan(row.conf_low) and row.reason


@pytest.mark.parametrize("method", ["leace", "og", "fair_pca"])
def test_prices_of_scaled_features_have_no_unit(method: str) -> None:
    options: dict[str, Any] = {"scale": True} | ({} if method == "leace" else {"k": 2})
    units = np.array([1e-3, 1.0, 50.0, 1e4])
    plain, other = (
        [
            r.estimate
            for r in fairstats.price_of_fairness(getattr(fairstats, method)(rows, G, **options), rows, G).estimates
            if not r.term
        ]
        for rows in (X, X * units)
    )
    np.testing.assert_allclose(other, plain, rtol=1e-6, atol=1e-9)


def test_degrees_of_freedom_weigh_the_noise_as_it_moves_the_quantile() -> None:
    """The normal quantile of ‖m + ε‖² is tr Ω + ‖m‖² + z (2 tr Ω² + 4 mᵀΩm)^½: its slope in Ω, by differences."""
    A = X[:, :2] + (G == "c")[:, None] - X[:, :2].mean(axis=0)
    labels = np.unique(G, return_inverse=True)[1]
    part = from_rows(A, (labels[:, None] == [1, 2]).astype(float), labels)
    part = replace(part, directions=np.empty(0), freedom=part.freedom[:1])
    omega, z = part.noise, stats.norm.ppf(0.975)
    m = part.effect.ravel() * np.sqrt(max(part.explained - np.trace(omega), 0) / part.explained)

    def quantile(noise: np.ndarray) -> float:
        return float(np.trace(noise) + z * np.sqrt(2 * np.sum(noise**2) + 4 * m @ noise @ m))

    W, step = np.empty_like(omega), 1e-6 * np.trace(omega)
    for i, j in np.ndindex(*omega.shape):
        one = np.zeros_like(omega)
        one[i, j] += step / 2
        one[j, i] += step / 2
        W[i, j] = (quantile(omega + one) - quantile(omega - one)) / (2 * step)
    wanted = np.sum(omega * W) ** 2 / np.trace(omega @ W @ omega @ W) * float(part.freedom[0])
    assert part.degrees(0.95) == pytest.approx(wanted, rel=1e-6) and m @ m > 0


def test_weights_that_hardly_differ_change_no_test_of_a_probe() -> None:
    rng, g = np.random.default_rng(8), np.array(["a", "b"] * 60)
    rows = rng.standard_normal((120, 2)) + 0.4 * (g == "b")[:, None]
    kept = fairstats.pca(rows, g, k=1).crossfit(rows, g)
    (plain,) = fairstats.leakage(kept, permutations=0).estimates.where(metric="AUC of linear probe")
    nearly = kept.counted(1 + 1e-6 * np.arange(120))
    (row,) = fairstats.leakage(nearly, permutations=0).estimates.where(metric="AUC of linear probe")
    assert (row.estimate, row.p_value) == pytest.approx((plain.estimate, plain.p_value), abs=0.02)
    assert row.statistic == pytest.approx((row.estimate - 0.5) / row.std_error)
    assert row.method.endswith("within folds")


@pytest.mark.parametrize("unit", [1e-6, 0.3, 1e6])
def test_a_quadratic_form_has_no_unit(unit: float) -> None:
    coefs = np.array([0.9, 0.5, 0.1])
    plain = fairstats.stats.quadratic_form_sf(2.0, coefs, 2)
    assert 0.1 < plain < 0.9 and fairstats.stats.quadratic_form_sf(2.0 * unit, coefs * unit, 2) == pytest.approx(
        plain, rel=1e-9
    )
