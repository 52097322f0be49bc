"""Tails of quadratic forms: against chi-squared distributions, Imhof's integral and a convolution."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from fairstats.inference.representations import quadratic_forms
from fairstats.inference.representations.quadratic_forms import matched_tail, quadratic_form_sf, tail


@settings(max_examples=60, deadline=None)
@given(st.floats(1e-3, 300), st.integers(1, 40), st.floats(0.01, 100), st.floats(0, 30))
def test_equal_coefficients_are_a_chi_squared(x: float, df: int, scale: float, delta: float) -> None:
    ours = quadratic_form_sf(x * scale, np.array([scale, scale]), df, np.array([delta, 0.0]))
    theirs = stats.ncx2.sf(x, 2 * df, delta) if delta else stats.chi2.sf(x, 2 * df)
    assert ours == pytest.approx(theirs, rel=1e-8, abs=1e-14)


def imhof(x: float, lam: np.ndarray, df: int, delta: np.ndarray) -> float:
    def integrand(u: float) -> float:
        lu = lam * u
        theta = 0.5 * np.sum(df * np.arctan(lu) + delta * lu / (1 + lu**2)) - 0.5 * x * u
        rho = np.exp(0.25 * df * np.log1p(lu**2).sum() + 0.5 * np.sum(delta * lu**2 / (1 + lu**2)))
        return float(np.sin(theta) / (u * rho))

    return 0.5 + integrate.quad(integrand, 1e-12, 60, limit=2000)[0] / np.pi


@pytest.mark.parametrize("x", [2.0, 20.0, 60.0])
def test_unequal_coefficients_are_imhofs(x: float) -> None:
    lam, delta = np.array([5.0, 2.0, 1.0]), np.array([1.0, 0.0, 2.0])
    assert quadratic_form_sf(x, lam, 6, delta) == pytest.approx(imhof(x, lam, 6, delta), abs=1e-8)


@pytest.mark.parametrize("x", [0.5, 4.0, 25.0, 90.0])
def test_two_terms_of_one_degree_are_a_convolution(x: float) -> None:
    def density(v: float) -> float:
        return float(stats.chi2.sf((x - v**2) / 3, 1) * stats.norm.pdf(v) * 2)

    inside = integrate.quad(density, 0, np.sqrt(x), epsabs=1e-14, limit=500)[0]
    assert quadratic_form_sf(x, np.array([3.0, 1.0]), 1) == pytest.approx(
        inside + 2 * stats.norm.sf(np.sqrt(x)), rel=1e-7
    )


def test_ends() -> None:
    assert quadratic_form_sf(0.0, np.array([1.0]), 1) == 1.0
    assert quadratic_form_sf(1.0, np.array([0.0]), 1) == 0.0


def with_a_strong_small_component(seed: int) -> tuple[float, np.ndarray, int, np.ndarray]:
    """Coefficients over four decades, noncentralities up to 10,000: what a strong effect in a late component gives."""
    rng = np.random.default_rng(seed)
    k, df = int(rng.integers(1, 8)), int(rng.integers(1, 6))
    lam, delta = 10 ** rng.uniform(-4, 0, k), np.where(rng.random(k) < 0.5, 0, 10 ** rng.uniform(-2, 4, k))
    mean, sd = (lam * (df + delta)).sum(), np.sqrt((2 * lam**2 * (df + 2 * delta)).sum())
    return max(float(mean + sd * rng.uniform(-6, 30)), 1e-9), lam, df, delta


def test_it_never_fails_on_finite_input() -> None:
    # one path alone failed in 72 of 3000 of these
    tails = [tail(*with_a_strong_small_component(seed)) for seed in range(400)]
    assert all(0 <= t.value <= 1 for t in tails)
    assert {t.method for t in tails} == {"steepest descent"}


def test_where_one_path_grazes_a_singularity_another_is_right() -> None:
    lam, delta = np.array([6.82730924, 9.59036145, 3.97991968]), np.array([119.74687, 0.0740290923, 0.173564342])
    draws = np.random.default_rng(0)
    q = sum(c * draws.noncentral_chisquare(1, d, 400_000) for c, d in zip(lam, delta, strict=True))
    for x in (700.0, 1000.0, 1200.0):
        share = np.mean(q > x)
        assert tail(x, lam, 1, delta).value == pytest.approx(share, abs=5 * np.sqrt(share / 400_000))
    assert 0 < tail(16642.0, lam, 1, delta).value < 1e-300


def test_matched_moments_are_close_where_nothing_else_converges() -> None:
    for seed in range(60):
        x, lam, df, delta = with_a_strong_small_component(seed)
        exact, near = tail(x, lam, df, delta).value, matched_tail(x, lam, df, delta)
        if exact > 1e-3:
            assert near == pytest.approx(exact, abs=0.01)


def test_matched_moments_of_one_term_are_exact() -> None:
    for delta in (0.0, 3.0):
        exact = stats.ncx2.sf(9.0, 4, delta) if delta else stats.chi2.sf(9.0, 4)
        assert matched_tail(18.0, np.array([2.0]), 4, np.array([delta])) == pytest.approx(exact, rel=1e-7)


@pytest.mark.parametrize("delta", [3e6, 1.1e7, 1e8, 1e10, 1e12, 1e14])
@pytest.mark.parametrize("z", [-4.0, -1.0, 0.0, 0.5, 3.0])
def test_matched_moments_of_a_far_term_are_those_of_a_normal_square(delta: float, z: float) -> None:
    """SciPy's noncentral chi-squared is NaN for the largest; (Z + d)² has two normal tails whatever d is."""
    s, d = np.sqrt(delta) + z, np.sqrt(delta)
    assert matched_tail(s * s, np.ones(1), 1, np.array([delta])) == pytest.approx(
        stats.norm.sf(s - d) + stats.norm.cdf(-s - d), abs=1e-9 + 1e-15 * d
    )
    both = matched_tail(s * s, np.ones((2, 1)), 1, np.array([[delta], [2.0]]))  # a near form beside it
    alone = [float(matched_tail(s * s, np.ones(1), 1, np.array([v]))) for v in (delta, 2.0)]
    assert both.tolist() == pytest.approx(alone, abs=1e-9)


def test_when_no_path_converges_the_method_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quadratic_forms, "BENDS", ())
    result = tail(5.0, np.array([2.0, 1.0]), 1, np.array([0.5, 0.0]))
    assert result.method == "Liu-Tang-Zhang approximation"
    monkeypatch.undo()
    assert result.value == pytest.approx(tail(5.0, np.array([2.0, 1.0]), 1, np.array([0.5, 0.0])).value, abs=0.01)


def test_a_tail_below_the_least_double_is_zero_however_far() -> None:
    assert [quadratic_form_sf(x, np.array([1.0, 0.5]), 1) for x in (1e4, 2.0**63, 1e300)] == [0.0, 0.0, 0.0]
    assert 0 < quadratic_form_sf(1400.0, np.array([1.0, 0.5]), 1) < 1e-300


@given(st.floats(-3.0, 0.45), st.integers(1, 12), st.integers(0, 10_000))
@settings(max_examples=40, deadline=None)
def test_derivatives_are_those_of_the_cumulant_function(t: float, df: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    lam, delta = rng.uniform(0.05, 1.0, 4), rng.uniform(0.0, 9.0, 4)

    def K(s: complex) -> complex:
        d = 1 - 2 * s * lam
        return complex(np.sum(-0.5 * df * np.log(d) + delta * s * lam / d))

    around = np.exp(2j * np.pi * np.arange(64) / 64) * 0.04  # Cauchy's integral, by the trapezoid rule
    values = np.array([K(t + z) for z in around])
    expected = [factor * np.mean(values / around**n).real for n, factor in ((1, 1), (2, 2), (3, 6))]
    assert quadratic_forms._derivatives(t, lam, df, delta) == pytest.approx(expected, rel=1e-9)
