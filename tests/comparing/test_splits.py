"""Splits are stratified, of one size, and uniform within strata."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairstats.comparing.plan import draw, holdout_counts

sizes = st.lists(st.integers(1, 60), min_size=1, max_size=8).map(np.array)


@given(sizes, st.floats(0.05, 0.9))
def test_every_stratum_of_two_is_in_both_parts(sizes, share):
    values = holdout_counts(sizes, share)
    assert (values[sizes == 1] == 0).all()
    assert ((values >= 1) & (values < sizes))[sizes > 1].all()
    assert (np.abs(values - share * sizes) <= 1)[sizes > 1].all() or share > 0.5 or sizes.min() < 3


@pytest.mark.long
@given(st.lists(st.integers(20, 400), min_size=1, max_size=6).map(np.array), st.floats(0.1, 0.9))
def test_large_strata_add_up_to_the_requested_share(sizes, share):
    assert holdout_counts(sizes, share).sum() == round(share * int(sizes.sum()))


def test_a_draw_takes_the_requested_number_of_each_stratum_and_everybody_equally_often():
    strata = np.array([0] * 8 + [1] * 4)
    values = np.array([2, 1])
    taken = np.zeros(12)
    for seed in np.random.SeedSequence(5).spawn(4000):
        out = draw(strata, values, np.random.default_rng(seed))
        assert out[:8].sum() == 2 and out[8:].sum() == 1
        taken += out
    # binomial(4000, 1/4): standard deviation 27
    assert np.abs(taken - 1000).max() < 120
