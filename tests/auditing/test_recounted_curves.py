"""Curves and sweeps of scores recounted by hand: score by score, bin by bin, threshold by threshold."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import xlog1py, xlogy
from scipy.stats import norm

from fairstats.auditing.curves import BINS, calibration_curves, score_curves, score_pictures
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.scores import Sample
from fairstats.auditing.sensitivity import threshold_sweep
from fairstats.provenance import BY_SCORE, HISTOGRAM, VALUES, Curve
from tests.auditing.test_recounted import exact_p


def wilson(events: Any, n: Any, level: float = 0.95) -> tuple[Any, Any]:
    """Wilson's limits by their formula."""
    z = norm.ppf((1 + level) / 2)
    p, middle = events / n, (events + z * z / 2) / (n + z * z)
    half = z * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return np.clip(middle - half, 0, 1), np.clip(middle + half, 0, 1)


def score_p_at(gap: float, e1: int, n1: int, e0: int, n0: int) -> float:
    """Miettinen and Nurminen's test by its definition: the likelihood given the difference is maximized numerically.

    (statsmodels' is of another rate than the most likely one, except at 0.)
    """

    def loss(q: float) -> float:
        p = q + gap
        return -float(xlogy(e1, p) + xlog1py(n1 - e1, -p) + xlogy(e0, q) + xlog1py(n0 - e0, -q))

    ends = max(0.0, -gap), min(1.0, 1 - gap)
    q = minimize_scalar(loss, bounds=ends, method="bounded", options={"xatol": 1e-12}).x
    n = n1 + n0
    variance = ((q + gap) * (1 - q - gap) / n1 + q * (1 - q) / n0) * n / (n - 1)
    return float(2 * norm.sf(abs(e1 / n1 - e0 / n0 - gap) / np.sqrt(variance)))


def sample(label: str, scores: Any, outcomes: Any = ()) -> Sample:
    scores, present = np.asarray(scores, dtype=float), np.asarray(outcomes, dtype=np.int8)
    return Sample(label, scores, scores[: present.size], present)


def of_kind(curves: tuple[Curve, ...], kind: str) -> list[Curve]:
    return [curve for curve in curves if curve.kind == kind]


def drawn(n: int, values: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    scores = np.append(rng.choice(np.arange(values), n - values), np.arange(values)) / 32
    return scores, (rng.random(n) < 0.2 + 0.4 * scores).astype(np.int8)


@pytest.mark.parametrize("values", [2, 20, 21, 30])
def test_outcomes_by_score_and_shares_are_those_of_each_score_or_bin(values: int) -> None:
    """Up to 20 distinct scores stand one by one, more in bins at everybody's deciles and in 24 of one width."""
    groups = tuple(sample(g, *drawn(n, values, i)) for i, (g, n) in enumerate((("a", 90), ("b", 60))))
    curves = score_pictures("g", (*groups, sample("nobody", [])), Protocol(("g",), conf_level=0.9))
    everybody = np.concatenate([g.scores for g in groups])
    few = values <= 20
    edges = np.unique(everybody)[1:] if few else np.unique(np.quantile(everybody, np.arange(1, 10) / 10))
    assert [c.group for c in of_kind(curves, BY_SCORE)] == ["a", "b"]
    for g, curve in zip(groups, of_kind(curves, BY_SCORE), strict=True):
        frame = pd.DataFrame({"s": g.scores, "y": g.outcomes, "bin": np.digitize(g.scores, edges)})
        by = frame.groupby("bin")
        low, high = wilson(by["y"].sum(), by.size(), 0.9)
        for result, wanted in zip(
            (curve.x, curve.y, curve.low, curve.high), (by["s"].mean(), by["y"].mean(), low, high), strict=True
        ):
            np.testing.assert_allclose(result, wanted, atol=1e-12)
    shares = of_kind(curves, VALUES if few else HISTOGRAM)
    assert [c.group for c in shares] == ["a", "b"] and len(curves) == 4
    lines = np.append(np.unique(everybody), np.inf) if few else np.linspace(everybody.min(), everybody.max(), BINS + 1)
    for g, curve in zip(groups, shares, strict=True):
        np.testing.assert_allclose(curve.x, lines[:-1], atol=1e-12)
        np.testing.assert_allclose(curve.y, np.histogram(g.scores, lines)[0] / g.scores.size, atol=1e-12)


def test_a_threshold_at_an_end_of_the_scores_is_no_further_edge() -> None:
    group = sample("a", *drawn(90, 31))
    for threshold, bins in ((None, 24), (0.0, 24), (30 / 32, 24), (0.3, 25), (15 / 32, 24)):
        curve = of_kind(score_pictures("g", (group,), Protocol(("g",), score="s", threshold=threshold)), HISTOGRAM)[0]
        assert len(curve.x) == bins, threshold
        assert sum(curve.y) == pytest.approx(1)


@pytest.mark.parametrize("draw", [score_pictures, score_curves, calibration_curves])
def test_twelve_groups_are_drawn_and_each_of_min_n_people(draw: Any) -> None:
    def groups(sizes: list[int]) -> tuple[Sample, ...]:
        rng = np.random.default_rng(5)
        return tuple(sample(f"g{i}", rng.random(n).round(3), np.arange(n) % 2) for i, n in enumerate(sizes))

    for k in (11, 12, 13):
        seen = dict.fromkeys(curve.group for curve in draw("g", groups([12] * k), Protocol(("g",))))
        assert list(seen) == [f"g{i}" for i in range(min(k, 12))]
    for design in ({"clusters": "c"}, {"weights": "w", "weight_type": "probability"}):
        assert draw("g", groups([12]), Protocol(("g",), **design)) == () or (
            draw is score_curves and "clusters" in design
        )
    items = [
        {c.group for c in of_kind(draw("g", groups([40, 39, 130]), Protocol(("g",), min_n=40)), kind)}
        for kind in ("ecdf", "roc", "calibration", BY_SCORE, HISTOGRAM)
    ]
    large = {"g2"} if draw is score_curves else {"g0", "g2"}
    expected = {score_curves: [large, {"g0", "g2"}, set()], calibration_curves: [set(), set(), large]}
    assert items[:3] == expected.get(draw, [set()] * 3) and items[3:] == [set(), set()]
    one = groups([1])
    assert [c.kind for c in draw("g", one, Protocol(("g",)))] == {
        score_pictures: [BY_SCORE, VALUES],
        score_curves: ["ecdf"],
        calibration_curves: ["calibration"],
    }[draw]


def test_curves_of_calibration_are_means_of_the_bins_at_everybodys_deciles() -> None:
    a, b = sample("a", *drawn(200, 32)), sample("b", *drawn(90, 32, 4))
    edges = np.unique(np.quantile(np.concatenate([a.scores, b.scores]), np.arange(1, 10) / 10))
    for least in (1, 6):
        result = calibration_curves("g", (a, b), Protocol(("g",), min_n=least))
        for g, curve in zip((a, b), result, strict=True):
            by = pd.DataFrame({"s": g.scores, "y": g.outcomes}).groupby(np.digitize(g.scores, edges))
            means = by.mean()[by.size() >= least]
            at = [int(np.argmin(np.abs(means["s"].to_numpy() - x))) for x in curve.x]
            np.testing.assert_allclose(curve.x, means["s"].iloc[at])
            np.testing.assert_allclose(curve.y, means["y"].iloc[at])
            assert least > 1 or len(at) == len(means) == 10
            assert all(
                low < y < high or y in (0, 1) for low, y, high in zip(curve.low, curve.y, curve.high, strict=True)
            )


@pytest.mark.parametrize(("values", "favors", "level"), [*product((2, 20, 21, 32), (0, 1), (0.8, 0.95))])
def test_the_sweep_is_over_every_threshold_or_the_twentieths(values: int, favors: int, level: float) -> None:
    """Against shares counted at each threshold and the score test of the difference at each limit."""
    a, b, c = (sample(g, drawn(n, values, n)[0]) for g, n in (("a", 80), ("b", 60), ("c", 33)))
    rows = threshold_sweep("g", (a, b, c), "a", favors, Protocol(("g",), conf_level=level, min_n=34))
    pooled = np.sort(np.concatenate([a.scores, b.scores]))
    places = np.ceil(np.arange(1, 20) / 20 * pooled.size - 1e-9).astype(int) - 1
    thresholds = np.unique(pooled)[1:] if values <= 20 else np.unique(pooled[places])
    assert [row.given for row in rows] == [f"threshold {t:g}" for t in thresholds]
    ends = 0
    for row, t in zip(rows, thresholds, strict=True):
        e1, e0 = (int(((g.scores >= t) == favors).sum()) for g in (b, a))
        p1, p0 = e1 / 60, e0 / 80
        assert (row.group, row.reference, row.n, row.events, row.role) == ("b", "a", 60, e1, "sensitivity")
        assert row.estimate == pytest.approx(p1 - p0)
        p = float(exact_p(60, 80)[e1, e0])
        if abs(p - (1 - level)) > 1e-3:
            assert (row.conf_low > 0 or row.conf_high < 0) == (p <= 1 - level)
        for end in (row.conf_low, row.conf_high):
            if abs(end) > 1e-6 and abs(end) < 1 - 1e-6:  # an end at 0 may be extended to it
                assert score_p_at(end, e1, 60, e0, 80) == pytest.approx(1 - level, abs=1e-5)
                ends += 1
    assert ends > len(rows)
    for least, names in ((33, {"b", "c"}), (61, set()), (81, set())):
        assert {
            row.group for row in threshold_sweep("g", (a, b, c), "a", favors, Protocol(("g",), min_n=least))
        } == names


@pytest.mark.parametrize("draw", [1, 2, 9])
def test_a_roc_curve_has_a_band_where_every_point_may_be_shown(draw: int) -> None:
    group = sample("a", *drawn(120, 32, draw))
    for least in (1, 2, 20):
        curve = of_kind(score_curves("g", (group,), Protocol(("g",), min_n=least)), "roc")[0]
        assert bool(curve.low) == bool(curve.high) == (least == 1)
        fpr, tpr = (
            np.array([np.mean(group.scores[group.outcomes == y] >= t) for t in [*np.unique(group.scores), 2]])
            for y in (0, 1)
        )
        points = set(zip(np.round(fpr, 12), np.round(tpr, 12), strict=True))
        assert set(zip(np.round(curve.x, 12), np.round(curve.y, 12), strict=True)) <= points
        assert (curve.x[0], curve.y[0], curve.x[-1], curve.y[-1]) == (0, 0, 1, 1)
