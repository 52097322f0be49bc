"""Heavily tied scores under weights and clusters: a sample without spread of its own borrows that of all."""

from __future__ import annotations

import numpy as np
import pytest

import fairstats
from fairstats.inference.scores.survey import (
    Scored,
    design_effect,
    design_rank_omnibus,
    design_rank_test,
    pooled_floors,
)


def people(values: np.ndarray, rng: np.random.Generator) -> Scored:
    w = rng.uniform(0.7, 1.4, values.size)
    return Scored(values, w, w * w, np.ones(values.size))


def tied(n: int, rng: np.random.Generator) -> Scored:
    return people(np.maximum(rng.normal(size=n), 1.5), rng)


def test_equal_scores_with_nearly_all_at_a_floor_are_rarely_called_different() -> None:
    rng = np.random.default_rng(8)
    drawn = [(tied(15, rng), tied(500, rng)) for _ in range(300)]
    assert np.mean([design_effect(x, y).p_value <= 0.05 for x, y in drawn]) <= 0.04
    assert np.mean([design_rank_test(x, y).p_value <= 0.05 for x, y in drawn]) <= 0.04
    assert np.mean([design_rank_omnibus((x, y))[3] <= 0.05 for x, y in drawn]) <= 0.04
    # the variance of those people alone is what was wrong
    assert np.mean([design_effect(x, y, equal=False).p_value <= 0.05 for x, y in drawn]) >= 0.2


def test_one_common_score_far_from_the_others_is_still_shown() -> None:
    rng = np.random.default_rng(3)
    result = design_effect(people(np.full(15, 1.8), rng), people(rng.normal(size=300), rng))
    assert result.pooled
    assert result.p_value < 1e-4


def test_untied_scores_are_as_they_were() -> None:
    rng = np.random.default_rng(4)
    x, y = people(rng.normal(size=4), rng), people(rng.normal(size=30), rng)
    alike, apart = design_effect(x, y), design_effect(x, y, equal=False)
    assert (alike.p_value, alike.limits(0.95)) == (apart.p_value, apart.limits(0.95))


@pytest.mark.parametrize("design", [{"weights": "w", "weight_type": "probability"}, {"clusters": "c"}])
def test_an_audit_in_which_nobody_of_a_small_group_differs_shows_no_disparity(design: dict[str, str]) -> None:
    rng = np.random.default_rng(1)
    n = 515
    table = {"g": ["b"] * 15 + ["a"] * 500, "s": np.maximum(rng.normal(size=n), 1.5), "d": rng.random(n) < 0.5}
    table["s"][:15] = 1.5
    table |= {"w": rng.uniform(0.7, 1.4, n), "c": np.arange(n) // 3}
    audit = fairstats.audit(table, "d", "g", score="s", favorable=True, **design)
    (row,) = audit.estimates.where(metric="P(X>Y)", role="main", group="b")
    assert row.verdict != "disparity shown"


@pytest.mark.parametrize("others", range(1, 10))
def test_fewer_than_five_and_less_than_half_have_a_floor(others):
    """Of 16 people: from five on that score otherwise, their own variance is believed."""
    share = np.array([16.0 - others, others]) / 16
    samples = [Scored(np.array([0.0, 1.0]), share, share, share)] * 2
    floors = pooled_floors(samples, np.full(2, 16.0), [np.tile([0.25, 0.75], 2)] * 2)
    assert (floors > 0).tolist() == [others < 5] * 2
