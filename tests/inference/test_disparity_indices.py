"""Indices of other tools: the same numbers as theirs, with limits that keep what they promise."""

from __future__ import annotations

import numpy as np
import pytest

import fairstats as fs
from fairstats import stats


def people(n: int = 200, seed: int = 7) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    g = rng.integers(0, 2, n)
    y = rng.binomial(1, 0.3 + 0.2 * g)
    return g, y, rng.binomial(1, 0.2 + 0.4 * y + 0.1 * g)


def test_entropy_and_odds_are_those_of_aif360() -> None:
    """Printed by AIF360 0.6.1 for these people (unprivileged 0, privileged 1)."""
    g, y, d = people()
    whole, between, _ = stats.generalized_entropy(y, d, groups=g)
    assert whole.estimate == pytest.approx(0.14306340847873053, rel=1e-12)
    assert between.estimate == pytest.approx(0.0006218377850278151, rel=1e-9)
    assert stats.generalized_entropy(y, d, groups=g, alpha=3)[0].estimate == pytest.approx(
        0.14333942547104897, rel=1e-12
    )
    assert stats.generalized_entropy(y, d, groups=g, alpha=1)[0].estimate == pytest.approx(0.196811511618154, rel=1e-12)
    (row,) = stats.average_odds_difference(y, d, groups=g, reference="1")
    assert row.estimate == pytest.approx(-0.0638665546665731, rel=1e-9)


@pytest.mark.parametrize("alpha", [0.5, 1.0, 2.0, 3.0])
def test_entropy_within_is_the_weighted_entropy_of_the_groups(alpha: float) -> None:
    g, y, d = people()
    _, between, within = stats.generalized_entropy(y, d, groups=g, alpha=alpha)
    benefit = 1.0 + d - y
    parts = 0.0
    for k in (0, 1):
        ratio = benefit[g == k].mean() / benefit.mean()
        b = benefit[g == k] / benefit[g == k].mean()
        index = (
            np.mean(b * np.log(np.where(b > 0, b, 1))) if alpha == 1 else np.mean(b**alpha - 1) / alpha / (alpha - 1)
        )
        parts += np.mean(g == k) * ratio**alpha * index
    assert within.estimate == pytest.approx(parts, rel=1e-9)
    assert np.isnan(between.conf_low) and between.reason


def test_disparity_within_strata_is_that_of_clarify() -> None:
    """The sum over strata of n(s)/n times the share of the group among the refused less that among the accepted."""
    g, s, d = people(300, 5)
    expected = 0.0
    for k in (0, 1):
        of = s == k
        gap = np.mean(g[of & (d == 0)]) - np.mean(g[of & (d == 1)])
        expected += of.mean() * gap
    first, second = stats.conditional_demographic_disparity(d, groups=g, strata=s)
    assert second.estimate == pytest.approx(expected, abs=1e-12)
    assert first.estimate == pytest.approx(-expected, abs=1e-12)
    plain = stats.conditional_demographic_disparity(d, groups=g)[1]
    assert plain.estimate == pytest.approx(np.mean(g[d == 0]) - np.mean(g[d == 1]), abs=1e-12)


def test_a_frequency_is_so_many_people() -> None:
    g, y, d = people(60)
    w = np.random.default_rng(1).integers(1, 4, g.size)
    many = [np.repeat(v, w) for v in (g, y, d)]
    counted = {"sample_weight": w, "weight_type": "frequency"}
    for weighed, repeated in (
        (
            stats.generalized_entropy(y, d, groups=g, **counted),
            stats.generalized_entropy(many[1], many[2], groups=many[0]),
        ),
        (
            stats.average_odds_difference(y, d, groups=g, **counted),
            stats.average_odds_difference(many[1], many[2], groups=many[0]),
        ),
        (
            stats.conditional_demographic_disparity(d, groups=g, strata=y, **counted),
            stats.conditional_demographic_disparity(many[2], groups=many[0], strata=many[1]),
        ),
    ):
        for one, other in zip(weighed, repeated, strict=True):
            assert (one.estimate, one.conf_low, one.conf_high) == pytest.approx(
                (other.estimate, other.conf_low, other.conf_high), nan_ok=True
            )


def test_what_cannot_be_estimated_says_why() -> None:
    row = stats.conditional_demographic_disparity([1, 1, 0, 0], groups=["a", "b", "a", "b"], strata=[0, 0, 1, 1])[0]
    assert row.status == "unestimable" and row.reason
    (odds,) = stats.average_odds_difference([1, 1, 1, 0], [1, 0, 1, 0], groups=["a", "a", "b", "b"], reference="b")
    assert odds.status == "unestimable" and odds.reason == "no positives, or no negatives, in one of the two groups"


@pytest.mark.slow
@pytest.mark.parametrize(("n", "strata"), [(60, 2), (200, 3), (200, 10), (1000, 5)])
def test_sizes_and_coverage(n: int, strata: int) -> None:
    rng = np.random.default_rng(3)

    def draw(n: int) -> tuple[np.ndarray, ...]:
        s = rng.integers(0, strata, n)
        g = (rng.random(n) < 0.3 + 0.1 * (s % 2)).astype(int)
        y = (rng.random(n) < 0.4 + 0.1 * g).astype(int)
        return s, g, y, (rng.random(n) < 0.35 + 0.05 * (s % 3) - 0.15 * g + 0.2 * y).astype(int)

    def rows(s: np.ndarray, g: np.ndarray, y: np.ndarray, d: np.ndarray) -> list:
        disparity = stats.conditional_demographic_disparity(d, groups=g, strata=s)[1]
        entropy = stats.generalized_entropy(y, d, groups=g)
        return [disparity, entropy[0], entropy[2], stats.average_odds_difference(y, d, groups=g, reference="0")[0]]

    truth = [row.estimate for row in rows(*draw(2_000_000))]
    covered, false, repeats = np.zeros(4), 0, 400
    for _ in range(repeats):
        s, g, y, d = draw(n)
        covered += [row.conf_low <= t <= row.conf_high for row, t in zip(rows(s, g, y, d), truth, strict=True)]
        mixed = g.copy()
        for k in range(strata):
            mixed[s == k] = rng.permutation(g[s == k])
        false += stats.conditional_demographic_disparity(d, groups=mixed, strata=s)[1].p_value <= 0.05
    assert (covered / repeats).min() > 0.92  # .932 to .978, standard error .011
    assert false / repeats < 0.07  # .043 to .050


def test_whole_weights_need_a_type_and_several_strata_are_one_label() -> None:
    d, g = [1, 0, 1, 0], ["a", "a", "b", "b"]
    with pytest.raises(fs.InputError, match="weight_type is missing, and sample_weight holds whole numbers"):
        stats.conditional_demographic_disparity(d, groups=g, sample_weight=[100, 50, 60, 80])
    stats.conditional_demographic_disparity(d, groups=g, sample_weight=[1.5, 0.5, 0.6, 0.8])
    with pytest.raises(fs.InputError, match=r"strata has several columns; .* join them"):
        stats.conditional_demographic_disparity(d, groups=g, strata=[list("abab"), list("aabb")])
