"""Audits recounted by hand: exactly at their limits, with weights that repeat people, curves bin by bin."""

from __future__ import annotations

from dataclasses import fields
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

import fairstats as fs
from fairstats.auditing.attributes import check_levels
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.rows.calibration import calibration_curves, probabilities
from fairstats.auditing.rows.score_curves import score_curves
from fairstats.auditing.rows.score_designs import DesignSample
from fairstats.auditing.rows.score_pictures import BINS, score_pictures
from fairstats.auditing.rows.score_samples import Sample
from fairstats.auditing.rows.sensitivity import threshold_sweep
from fairstats.errors import InputError
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.scores.design_effects import design_effect
from fairstats.inference.scores.design_samples import Scored
from fairstats.studies.curve import BY_SCORE, HISTOGRAM, VALUES, Curve
from tests.pinned.people import people

NONE = np.array([])


def wilson(events: Any, n: Any, level: float = 0.95) -> tuple[Any, Any]:
    """Wilson's limits by their formula."""
    z = norm.ppf((1 + level) / 2)
    p, middle = events / n, (events + z * z / 2) / (n + z * z)
    half = z * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return np.clip(middle - half, 0, 1), np.clip(middle + half, 0, 1)


def sample(label: str, scores: Any, outcomes: Any = ()) -> Sample:
    scores, known = np.asarray(scores, dtype=float), np.asarray(outcomes, dtype=np.int8)
    return Sample(label, scores, scores[: known.size], known)


def of_kind(curves: tuple[Curve, ...], kind: str) -> list[Curve]:
    return [curve for curve in curves if curve.kind == kind]


def test_as_many_groups_as_are_allowed_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRSTATS_MAX_GROUPS", "4")
    check_levels("g", tuple("abcd"))
    check_levels("g", tuple("ab"))
    for labels in ("abcde", "a", ""):
        with pytest.raises(InputError, match="groups has 'g'"):
            check_levels("g", tuple(labels))


@pytest.mark.parametrize(
    ("scores", "read"),
    [
        ([[0, 1]], False),
        ([[0, 0], [0]], False),
        ([[1, 1]], False),
        ([[0, 0.5]], True),
        ([[0.5, 1]], True),
        ([[0, 1], [0.3]], True),
        ([[0.3], []], True),
        ([[], []], False),
        ([[0.3], [1.2]], False),
        ([[0.3], [-0.2]], False),
        ([[0.3, 1.001]], False),
    ],
)
def test_scores_are_probabilities_where_all_lie_in_0_to_1_and_one_between(
    scores: list[list[float]], read: bool
) -> None:
    assert probabilities(tuple(sample(str(i), s) for i, s in enumerate(scores))) is read


def test_an_area_of_weighted_people_is_not_taken_for_one_of_equal_scores() -> None:
    """Of positives that all have one score and negatives that have two, the variance is their own."""
    half, one = np.full(4, 0.5), np.ones(4)
    x, y = Scored(half, 2 * one, 4 * one, one), Scored(np.array([0.5, 0.5, 0.5, 0.1]), one, one, one)
    group = DesignSample("a", NONE, NONE, NONE, cells=x, positives=x, negatives=y)
    own, equal = (design_effect(x, y, equal=which) for which in (False, True))
    assert group.area.variance == own.variance != equal.variance
    assert group.area.estimate == pytest.approx((3 * 4 / 2 + 4) / 16)


NUMBERS = [f.name for f in fields(Estimate) if f.type == "float"]


def same(one: Estimates, other: Estimates) -> None:
    assert len(one) == len(other)
    for a, b in zip(one, other, strict=True):
        assert (a.metric, a.group, a.role, a.given, a.status, a.verdict) == (
            b.metric,
            b.group,
            b.role,
            b.given,
            b.status,
            b.verdict,
        )
        np.testing.assert_allclose(
            [getattr(a, name) for name in NUMBERS], [getattr(b, name) for name in NUMBERS], rtol=1e-9, atol=1e-12
        )


@pytest.mark.parametrize("min_n", [1, 20])
@pytest.mark.parametrize("asked", [{"decision": "hired"}, {"outcome": "good"}, {"score": "score", "threshold": 0.5}])
def test_people_who_count_several_times_are_as_many_people_in_every_stratum(asked: dict[str, Any], min_n: int) -> None:
    """Of one group there are 11 rows, which stand for 22 people."""
    data = people()
    again = data.loc[data.index.repeat(data["times"])].reset_index(drop=True)
    more = {"groups": "race", "strata": "dept", "min_n": min_n, "adjust": "max-t"} | asked
    one = fs.audit(data, weights="times", **more)
    other = fs.audit(again, **more)
    same(one.estimates, other.estimates)
    assert one.cells == other.cells or np.isnan(one.cells[0].tp)
    within = [row for row in one.estimates if row.given == "dept" and row.group == "z"]
    assert within and all(row.status != "suppressed" for row in within)


def test_areas_are_bounded_by_all_pairs_with_a_withheld_person() -> None:
    rng = np.random.default_rng(3)
    n = 700
    data = pd.DataFrame({"g": rng.choice(list("ab"), n, p=[0.7, 0.3]), "y": rng.random(n) < 0.3})
    data["s"] = np.round(rng.normal(data["y"], 1), 1)
    counted = fs.tally(data, None, "g", outcome="y", score="s").withhold(4)
    audit = fs.audit(counted, None, "g", outcome="y", score="s", reference="a")
    cells = pd.DataFrame({name: factor.labels for name, factor in counted.factors.items()})
    cells["known"] = np.where(np.isnan(counted.numbers["s"]), 0, counted.rows)
    cells["hidden"] = counted.most
    assert (cells.groupby(["g", "y"])[["known", "hidden"]].sum() > 0).all(axis=None)

    def kept(*sides: pd.DataFrame) -> float:
        return float(np.prod([side["known"].sum() / (side["known"] + side["hidden"]).sum() for side in sides]))

    found = 0
    for row in audit.estimates.only(role="bound", given="withheld cells"):
        own = cells[cells["g"] == row.group]
        if row.metric == "AUC" and row.contrast == "none":
            share = kept(own[own["y"] == "True"], own[own["y"] == "False"])
        elif row.metric == "P(X>Y)":
            share = kept(own, cells[cells["g"] == row.reference])
        else:
            continue
        assert (row.conf_low, row.conf_high) == pytest.approx((share * row.estimate, 1 - share * (1 - row.estimate)))
        found += 1
    assert found == 3


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
        for found, wanted in zip(
            (curve.x, curve.y, curve.low, curve.high), (by["s"].mean(), by["y"].mean(), low, high), strict=True
        ):
            np.testing.assert_allclose(found, wanted, atol=1e-12)
    shares = of_kind(curves, VALUES if few else HISTOGRAM)
    assert [c.group for c in shares] == ["a", "b"] and len(curves) == 4
    lines = np.append(np.unique(everybody), np.inf) if few else np.linspace(everybody.min(), everybody.max(), BINS + 1)
    for g, curve in zip(groups, shares, strict=True):
        np.testing.assert_allclose(curve.x, lines[:-1], atol=1e-12)
        np.testing.assert_allclose(curve.y, np.histogram(g.scores, lines)[0] / g.scores.size, atol=1e-12)


def test_a_threshold_at_an_end_of_the_scores_is_no_edge_of_its_own() -> None:
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
    kinds = [
        {c.group for c in of_kind(draw("g", groups([40, 39, 130]), Protocol(("g",), min_n=40)), kind)}
        for kind in ("ecdf", "roc", "calibration", BY_SCORE, HISTOGRAM)
    ]
    large = {"g2"} if draw is score_curves else {"g0", "g2"}
    expected = {score_curves: [large, {"g0", "g2"}, set()], calibration_curves: [set(), set(), large]}
    assert kinds[:3] == expected.get(draw, [set()] * 3) and kinds[3:] == [set(), set()]
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
        found = calibration_curves("g", (a, b), Protocol(("g",), min_n=least))
        for g, curve in zip((a, b), found, strict=True):
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
    """Against shares counted at each threshold and Newcombe's limits by their formula."""
    a, b, c = (sample(g, drawn(n, values, n)[0]) for g, n in (("a", 80), ("b", 60), ("c", 33)))
    rows = threshold_sweep("g", (a, b, c), "a", favors, Protocol(("g",), conf_level=level, min_n=34))
    pooled = np.sort(np.concatenate([a.scores, b.scores]))
    places = np.ceil(np.arange(1, 20) / 20 * pooled.size - 1e-9).astype(int) - 1
    thresholds = np.unique(pooled)[1:] if values <= 20 else np.unique(pooled[places])
    assert [row.given for row in rows] == [f"threshold {t:g}" for t in thresholds]
    for row, t in zip(rows, thresholds, strict=True):
        e1, e0 = (int(((g.scores >= t) == favors).sum()) for g in (b, a))
        p1, p0 = e1 / 60, e0 / 80
        (l1, u1), (l0, u0) = wilson(e1, 60, level), wilson(e0, 80, level)
        low, high = np.hypot(p1 - l1, u0 - p0), np.hypot(u1 - p1, p0 - l0)
        assert (row.group, row.reference, row.n, row.events, row.role) == ("b", "a", 60, e1, "sensitivity")
        assert (row.estimate, row.conf_low, row.conf_high) == pytest.approx((p1 - p0, p1 - p0 - low, p1 - p0 + high))
    for least, names in ((33, {"b", "c"}), (61, set()), (81, set())):
        assert {
            row.group for row in threshold_sweep("g", (a, b, c), "a", favors, Protocol(("g",), min_n=least))
        } == names
