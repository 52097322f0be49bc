"""The few pairs that are looked at hold the largest score of all."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairstats.inference.rates import many_rates
from fairstats.inference.rates.many_rates import CONTRASTS, largest_score


def largest_by_all_pairs(e, n, factor):
    """The largest |score| of equality, pair by pair."""
    out = np.zeros(e.shape[:-1])
    for i, j in zip(*np.triu_indices(n.size, 1), strict=True):
        pooled = (e[..., i] + e[..., j]) / (n[i] + n[j])
        with np.errstate(divide="ignore", invalid="ignore"):
            variance = pooled * (1 - pooled) * (1 / n[i] + 1 / n[j]) * factor(n[i] + n[j])
            out = np.fmax(out, np.abs(e[..., i] / n[i] - e[..., j] / n[j]) / np.sqrt(variance))
    return out


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.sampled_from([1, 2, 2.5, 7, 7, 40, 41, 3000]), min_size=1, max_size=12),
    st.integers(0, 999),
    st.integers(1, 40),
    st.sampled_from(list(CONTRASTS)),
)
def test_the_largest_score_of_few_pairs_is_that_of_all(sizes, seed, at_once, contrast):
    n, rng = np.array(sizes, dtype=float), np.random.default_rng(seed)
    e = np.minimum(rng.binomial(n.astype(int), rng.choice([0.02, 0.3, 0.98]), (25, n.size)), n)
    factor = CONTRASTS[contrast].factor
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(many_rates, "AT_ONCE", at_once)
        values = largest_score(e, n, factor)
    assert values == pytest.approx(largest_by_all_pairs(e, n, factor), rel=1e-13, abs=1e-15)
    assert largest_score(e[0], n, factor) == values[0]


def test_the_largest_normal_difference_of_few_pairs_is_that_of_all():
    n = np.array([5.0, 80, 80, 13, 2000, 5, 1, 300])
    noise = np.random.default_rng(8).standard_normal((400, n.size)) / np.sqrt(n)
    every = np.abs(noise[:, :, None] - noise[:, None, :]) / np.sqrt(1 / n[:, None] + 1 / n)
    result = many_rates.largest_normal(n, 400, np.random.default_rng(8))
    assert result == pytest.approx(every.max(axis=(1, 2)), rel=1e-13)


def test_a_hundred_groups_need_few_of_their_pairs(monkeypatch):
    rng, looked = np.random.default_rng(9), []
    n = rng.integers(800, 1200, 100).astype(float)
    e = rng.binomial(n.astype(int), 0.3, (200, 100)).astype(float)
    factor = lambda total: looked.append(total.size) or total / (total - 1)  # noqa: E731
    largest_score(e, n, factor)
    assert sum(looked) < 200 * 4950 / 50
