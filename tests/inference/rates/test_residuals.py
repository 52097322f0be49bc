"""Mean residuals of scores: the law of the outcomes by convolution, limits of equal scores as Clopper and Pearson's."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom, binomtest, norm

from fairstats.inference.rates.residuals import GROUPED, LEAST, SumOfOutcomes, residual_limits, residual_p


def convolved(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    law = np.ones(1)
    for chance in chances:
        law = np.convolve(law, [1 - chance, chance])
    return law


def of(scores: NDArray[np.float64]) -> SumOfOutcomes:
    values, people = np.unique(scores, return_counts=True)
    return SumOfOutcomes.of(values, people.astype(float))


@pytest.mark.parametrize("n", [1, 2, 9, 40, GROUPED])
def test_the_law_of_few_people_is_the_convolution_of_their_outcomes(n: int) -> None:
    rng = np.random.default_rng(n)
    scores = rng.beta(0.5, 1, n).round(2)
    law, whole = of(scores), convolved(scores)
    got = np.zeros(n + 1)
    got[law.first : law.first + law.chance.size] = law.chance
    np.testing.assert_allclose(got, whole, atol=2 * LEAST)
    for residual in (-0.5 * law.mean, -0.01 * law.mean, 0.0, 0.3 * (1 - law.mean)):
        more = residual / (1 - law.mean) if residual > 0 else 0.0
        less = -residual / law.mean if residual < 0 else 0.0
        moved = convolved((scores + more * (1 - scores)) * (1 - less))
        for events in range(n + 1):
            assert law.at_least(events, residual) == pytest.approx(moved[events:].sum(), abs=1e-11)
            assert law.mirrored.at_least(n - events, -residual) == pytest.approx(moved[: events + 1].sum(), abs=1e-11)


def test_limits_of_equal_scores_are_those_of_clopper_and_pearson() -> None:
    for n, score in ((10, 0.5), (30, 0.02), (500, 0.3)):
        law = of(np.full(n, score))
        for events in {0, 1, n // 3, n - 1, n}:
            exact = binomtest(events, n).proportion_ci(0.95, "exact")
            low, high = residual_limits(law, events, 0.025)
            assert low == pytest.approx(exact.low - score, abs=1e-9)
            assert high == pytest.approx(exact.high - score, abs=1e-9)
            tails = binom.sf(events - 1, n, score), binom.cdf(events, n, score)
            assert residual_p(law, events) == pytest.approx(min(1.0, max(2 * min(tails), LEAST)), rel=1e-6, abs=1e-12)


def test_many_scores_are_grouped_at_little_cost() -> None:
    scores = np.random.default_rng(0).beta(1, 4, 3000)
    law, whole = of(scores), convolved(scores)
    for sd in (-4, -2, 2, 4):
        events = int(scores.sum() + sd * np.sqrt((scores * (1 - scores)).sum()))
        exact = whole[events:].sum()
        assert law.at_least(events, 0.0) == pytest.approx(exact, rel=5e-3)
        assert min(law.at_least(events, 0.0), 1 - exact) >= 0.999 * min(exact, 1 - exact)  # never too small
    large = SumOfOutcomes.of(np.linspace(0, 1, 2001), np.full(2001, 100.0))
    sd = np.sqrt(100 * (np.linspace(0, 1, 2001) * np.linspace(1, 0, 2001)).sum())
    assert large.at_least(int(large.n * large.mean + 2 * sd), 0.0) == pytest.approx(norm.sf(2), rel=0.02)


def test_p_values_are_the_limits_turned_round() -> None:
    scores = np.random.default_rng(3).beta(1, 2, 60)
    law = of(scores)
    for margin in (0.0, 0.05, 0.6):
        for events in range(0, 61, 3):
            p = residual_p(law, events, margin)
            for factor, beyond in ((0.999, False), (1.001, True)):
                if LEAST < p * factor < 1:
                    low, high = residual_limits(law, events, p * factor / 2)
                    assert (low > margin or high < -margin) == beyond


def test_an_outcome_that_its_score_rules_out_is_no_chance() -> None:
    law = of(np.array([0.0, 0.0, 1.0]))
    assert residual_p(law, 1) == 1.0 and residual_p(law, 2) == LEAST == residual_p(law, 0)
    low, high = residual_limits(law, 2, 0.025)
    assert low > 0 and high == pytest.approx(1 - law.mean, abs=0.02)
    assert residual_limits(of(np.zeros(5)), 0, 0.025)[0] == 0
    assert residual_limits(of(np.ones(5)), 5, 0.025)[1] == 0
