"""Many crossings found at once are those that are found one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

from fairstats.inference.rates import rate_tests
from fairstats.inference.rates.rate_tests import crossings, outermost_crossing

FALLING = [
    lambda t, a: a - t,
    lambda t, a: a**3 - t**3,
    lambda t, a: np.exp(-t) - np.exp(-a),
    lambda t, a: np.arctan(50 * (a - t)),
    lambda t, a: np.where(t < a, np.inf, -1.0),
    lambda t, a: np.where(t < a, 1e-8, -1e8),
    lambda t, a: np.where(t < a, 1.0, np.nan),
]


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.floats(-5, 5), st.integers(0, len(FALLING) - 1)), min_size=1, max_size=12), st.floats(-9, 9)
)
def test_every_function_crosses_where_it_alone_would(cases, guess):
    roots, types = np.array([a for a, _ in cases]), np.array([kind for _, kind in cases])

    def f(t, at):
        return np.array([float(FALLING[types[i]](ti, roots[i])) for ti, i in zip(t, at, strict=True)])

    m = roots.size
    bracket = np.full(m, -10.0), np.full(m, 10.0)
    values = crossings(f, *bracket, np.full(m, guess), np.ones(m))
    assert values == pytest.approx(roots, abs=1e-5)  # a cube is flat at 0; below to the last digits
    flat = (types == 1) & (np.abs(roots) < 0.1)
    assert values[~flat] == pytest.approx(roots[~flat], rel=1e-12, abs=1e-14)
    for largest, end in ((True, values.max()), (False, values.min())):
        assert outermost_crossing(f, *bracket, roots + guess, np.ones(m), largest=largest) == pytest.approx(
            end, abs=1e-5
        )


def test_smooth_functions_take_few_evaluations_and_are_those_of_brent():
    rng, evaluations = np.random.default_rng(1), []
    a, b = rng.uniform(0.1, 3, 500), rng.uniform(0.2, 2, 500)

    def f(t, at):
        evaluations.append(t.size)
        return a[at] - np.log1p(t) * b[at]

    values = crossings(f, np.zeros(500), np.full(500, 1e8), a / b, 1 / b)
    assert np.expm1(a / b) == pytest.approx(values, rel=1e-13)
    assert brentq(lambda t: a[0] - np.log1p(t) * b[0], 0, 1e8, xtol=1e-14) == pytest.approx(values[0], rel=1e-9)
    assert sum(evaluations) / 500 < 20  # halving takes 80


def test_a_function_that_does_not_turn_gives_the_end_and_an_unknown_bracket_nothing():
    low, high = np.array([0.0, 0.0, np.nan, 2.0, -np.inf]), np.array([1.0, 1.0, 1.0, 2.0, -np.inf])
    sign = np.array([1.0, -1.0, 1.0, 1.0, 1.0])
    values = crossings(lambda t, at: sign[at], low, high, np.full(5, 0.5), np.ones(5))
    assert values == pytest.approx([1.0, 0.0, np.nan, 2.0, -np.inf], nan_ok=True, abs=1e-15)
    unknown = np.array([np.nan])
    assert np.isnan(outermost_crossing(lambda t, at: t, unknown, unknown, unknown, unknown, largest=True))


@pytest.mark.parametrize("largest", [True, False])
def test_the_outermost_of_many_is_found_without_solving_the_others(largest, monkeypatch):
    solved, rng = [], np.random.default_rng(2)
    roots = rng.normal(size=3000).round(2)  # with ties
    whole = rate_tests.crossings
    monkeypatch.setattr(rate_tests, "crossings", lambda f, *ends: solved.append(ends[0].size) or whole(f, *ends))
    ends = np.full(3000, -9.0), np.full(3000, 9.0)
    misleading = roots + rng.normal(size=3000)
    result = outermost_crossing(lambda t, at: roots[at] - t, *ends, misleading, np.ones(3000), largest=largest)
    assert result == pytest.approx(roots.max() if largest else roots.min(), abs=1e-14)
    assert sum(solved) <= 4 * rate_tests.AT_ONCE
