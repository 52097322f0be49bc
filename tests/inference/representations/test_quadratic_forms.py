"""Tails of quadratic forms: against chi-squared distributions, Imhof's integral and a convolution."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from fairstats.inference.representations.quadratic_forms import upper_tail


@settings(max_examples=60, deadline=None)
@given(st.floats(1e-3, 300), st.integers(1, 40), st.floats(0.01, 100), st.floats(0, 30))
def test_equal_coefficients_are_a_chi_squared(x: float, df: int, scale: float, delta: float) -> None:
    ours = upper_tail(x * scale, np.array([scale, scale]), df, np.array([delta, 0.0]))
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
    assert upper_tail(x, lam, 6, delta) == pytest.approx(imhof(x, lam, 6, delta), abs=1e-8)


@pytest.mark.parametrize("x", [0.5, 4.0, 25.0, 90.0])
def test_two_terms_of_one_degree_are_a_convolution(x: float) -> None:
    def density(v: float) -> float:
        return float(stats.chi2.sf((x - v**2) / 3, 1) * stats.norm.pdf(v) * 2)

    inside = integrate.quad(density, 0, np.sqrt(x), epsabs=1e-14, limit=500)[0]
    assert upper_tail(x, np.array([3.0, 1.0]), 1) == pytest.approx(inside + 2 * stats.norm.sf(np.sqrt(x)), rel=1e-7)


def test_ends() -> None:
    assert upper_tail(0.0, np.array([1.0]), 1) == 1.0
    assert upper_tail(1.0, np.array([0.0]), 1) == 0.0
