"""Tails of Σ λ_j χ²_{q}(δ_j), by integrating the moment generating function along its path of steepest descent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from scipy import optimize
from scipy.special import chdtr, chdtrc, chndtr, ndtr

from fairstats.inference.validation import Coefficients, Noncentrality, Positive

# ways to compute a tail, the most accurate first
STEEPEST = "steepest descent"
INVERTED = "Davies's integral"
MATCHED = "Liu-Tang-Zhang approximation"
WAYS = (STEEPEST, INVERTED, MATCHED)
# shares of the bend of steepest descent: where another coefficient's singularity is near, a flatter path passes it
BENDS = (1.0, 0.25, 0.0625, 0.015625, 0.00390625)
STEPS = (0.2, 0.1, 0.05, 0.025, 0.0125)
# Davies's rule: at most so many steps, in blocks, until the terms are this small
MOST_STEPS, BLOCK, LEFT_OUT = 1_000_000, 4096, 1e-8
# SciPy's noncentral chi-squared is slow, and ends in NaN, for a noncentrality beyond this
FAR = 1e7


class Tail(NamedTuple):
    """A tail probability and how it was computed."""

    value: float
    method: str


def least_accurate(ways: Iterable[str]) -> str:
    """Return the least accurate of the ways in which tails were computed.

    >>> least_accurate({"Davies's integral", "steepest descent"})
    "Davies's integral"
    """
    return max(ways, key=WAYS.index, default=STEEPEST)


def quadratic_form_sf(x: float, coefs: Coefficients, df: Positive, noncentrality: Noncentrality = 0.0) -> float:
    """Return P(Σ λ_j χ²_df(δ_j) > x) for λ_j ≥ 0, with relative accuracy also far in the tail; see `tail`.

    Parameters
    ----------
    x : float
        Where the tail begins.
    coefs : array (k,)
        λ_j; zeros are dropped.
    df : float
        Degrees of freedom of every term.
    noncentrality : array (k,) or float
        δ_j.

    Returns
    -------
    float
        The probability, 0 to 1.

    Examples
    --------
    >>> import numpy as np
    >>> import fairstats as fs
    >>> round(fs.stats.quadratic_form_sf(3.841458820694124, np.array([1.0]), 1), 12)
    0.05
    """
    return tail(x, coefs, df, noncentrality).value


def tail(x: float, coefs: np.ndarray, df: float, noncentrality: np.ndarray | float = 0.0) -> Tail:
    """P(Σ λ_j χ²_df(δ_j) > x) for λ_j ≥ 0, with relative accuracy also far in the tail, and how it was computed.

    coefs: λ_j; zeros are dropped, shape (k,).
    df: degrees of freedom of every term.
    noncentrality: δ_j, shape (k,).
    Returns: never an error on finite input: where the integral does not converge on any of five paths, Davies's along
        the imaginary axis stands in (absolute error below 1e-6), else four moments are matched (Liu, Tang & Zhang);
        `method` says which.

    P = (1/2πi) ∫ exp(K(s) − sx)/s ds along a line through the saddlepoint, where the integrand does not cancel
    (Rice 1980). The line is bent into the parabola of steepest descent, which goes round the branch cut of K, so
    the trapezoid rule converges geometrically for any degrees of freedom; Imhof's and Davies's integral is the same one
    along the imaginary axis, where it cancels and decays slowly. A large noncentrality of a smaller coefficient has its
    own singularity on the right, which the parabola may graze; then flatter ones are tried.

    Source: Rice (1980), SIAM J. Sci. Stat. Comput. 1; Imhof (1961), Biometrika 48; Davies (1980), Applied Statistics
    29; Liu, Tang & Zhang (2009), Computational Statistics & Data Analysis 53, 853-856.

    >>> tail(0.0, np.array([1.0]), 1)
    Tail(value=1.0, method='steepest descent')
    """
    lam = np.asarray(coefs, dtype=float)
    delta = np.broadcast_to(np.asarray(noncentrality, dtype=float), lam.shape)
    use = lam > lam.max(initial=0.0) * 1e-14
    lam, delta = lam[use], delta[use]
    if x <= 0 or not lam.size:
        return Tail(float(x <= 0), STEEPEST)
    x, lam = x / lam.max(), lam / lam.max()
    if chdtr(df, x) < 1e-17:  # the largest term alone exceeds x
        return Tail(1.0, STEEPEST)
    # Chernoff's bound at a quarter: where it is below the least double, so is the probability
    if float(np.sum(0.5 * df * -np.log1p(-0.5 * lam) + 0.25 * delta * lam / (1 - 0.5 * lam))) - 0.25 * x < -746:
        return Tail(0.0, STEEPEST)
    saddle = _saddle(x, lam, df, delta)
    _, k2, k3 = _derivatives(saddle, lam, df, delta)
    # Keep off the pole at 0, on its right, where the saddlepoint is close to it.
    c = saddle if abs(saddle) * np.sqrt(k2) > 0.5 else min(0.5 / np.sqrt(k2), 0.25)
    _, k2, k3 = _derivatives(c, lam, df, delta)
    width, bend = 1 / np.sqrt(k2), k3 / (6 * k2)
    for share in BENDS:
        last = np.nan
        for step in STEPS:
            value = _integral(x, lam, df, delta, c, width * step, bend * share)
            if abs(value - last) <= 1e-11 * abs(value):
                return Tail(float(np.clip(value + (c < 0), 0.0, 1.0)), STEEPEST)
            last = value
    other = inverted_tail(x, lam, df, delta)
    return Tail(float(matched_tail(x, lam, df, delta)), MATCHED) if other is None else Tail(other, INVERTED)


def inverted_tail(x: float, lam: np.ndarray, df: float, delta: np.ndarray) -> float | None:
    """P(Σ λ_j χ²_df(δ_j) > x) by the trapezoid rule for the inversion of the characteristic function.

    x, lam, df, delta: as in `tail`, without zeros among the coefficients.
    Returns: None where the characteristic function has not died down after a million steps, or where the probability is
        as small as the error of the rule.
    Source: Davies (1973), Biometrika 60, 415-417; Davies (1980), Applied Statistics 29, 323-333.

    >>> round(inverted_tail(6.0, np.array([1.0, 0.5]), 2, np.array([0.0, 0.0])), 6)
    0.097095
    """
    mean, variance = float(np.sum(lam * (df + delta))), float(np.sum(2 * lam**2 * (df + 2 * delta)))
    # The rule adds the probability of what lies this far away from x, on either side.
    step = 2 * np.pi / (2 * (abs(x - mean) + 20 * np.sqrt(variance) + 80 * float(lam.max())))
    total = 0.0
    for start in range(0, MOST_STEPS, BLOCK):
        u = (start + np.arange(BLOCK) + 0.5) * step
        d = 1 - 2j * np.outer(u, lam)
        log = -0.5 * df * np.log(d).sum(axis=1) + (1j * u[:, None] * lam * delta / d).sum(axis=1) - 1j * u * x
        terms = np.exp(log) / (u / step)
        total += float(terms.imag.sum())
        if abs(terms[-1]) * (u[-1] / step) < LEFT_OUT:
            value = 0.5 + total / np.pi
            return value if 1e-5 < value < 1 - 1e-5 else None
    return None


def matched_tail(x: float, lam: np.ndarray, df: float, delta: np.ndarray) -> np.ndarray:
    """P(Σ λ_j χ²_df(δ_j) > x) by a noncentral χ² with the same mean, variance, skewness and nearly the same kurtosis.

    x, lam, df, delta: as in `tail`, without zeros among the coefficients; or several forms, one a row.
    Returns: one probability a form; accurate to 1e-10 in absolute terms beyond the approximation itself.
    Source: Liu, Tang & Zhang (2009), Computational Statistics & Data Analysis 53, 853-856.

    >>> round(float(matched_tail(3.841458820694124, np.array([1.0]), 1, np.array([0.0]))), 9)
    0.05
    """
    c1, c2, c3, c4 = (np.sum(lam**k * (df + k * delta), axis=-1) for k in (1, 2, 3, 4))
    skew, kurtosis = c3 / c2**1.5, c4 / c2**2
    gap = np.maximum(skew**2 - kurtosis, 0.0)
    a = 1 / (skew - np.sqrt(gap))
    noncentral = np.where(gap > 0, skew * a**3 - a**2, 0.0)
    degrees = np.where(gap > 0, a**2 - 2 * noncentral, a**2)
    point = (x - c1) / np.sqrt(2 * c2) * np.sqrt(2) * a + degrees + noncentral
    central = noncentral <= 0
    value = np.where(
        central,
        chdtrc(degrees, np.maximum(point, 0.0)),
        1 - chndtr(np.maximum(point, 0.0), degrees, np.where(central | (noncentral > FAR), 1.0, noncentral)),
    )
    far = noncentral > FAR
    if far.any():
        value = np.where(far, _far_tail(np.maximum(point, 0.0), degrees, np.where(far, noncentral, FAR)), value)
    return np.clip(np.where(point <= 0, 1.0, value), 0.0, 1.0)


def _far_tail(x: np.ndarray, df: np.ndarray, delta: np.ndarray) -> np.ndarray:
    """P(χ²_df(δ) > x) for a large δ, to 1e-10 (Sankaran 1963, Biometrika 50, 199-204), where SciPy ends in NaN."""
    mean, double = df + delta, df + 2 * delta
    power = 1 - 2 * mean * (df + 3 * delta) / (3 * double**2)
    p = double / mean**2
    m = (power - 1) * (1 - 3 * power)
    center = 1 + power * p * (power - 1 - 0.5 * (2 - power) * m * p)
    return np.asarray(ndtr((center - (x / mean) ** power) / (power * np.sqrt(2 * p) * (1 + 0.5 * m * p))))


def _derivatives(t: float, lam: np.ndarray, df: float, delta: np.ndarray) -> tuple[float, float, float]:
    """K'(t), K''(t), K'''(t) of the cumulant generating function."""
    d = 1 - 2 * t * lam
    return (
        _slope(t, lam, df, delta),
        float(np.sum(2 * df * lam**2 / d**2 + 4 * delta * lam**2 / d**3)),
        float(np.sum(8 * df * lam**3 / d**3 + 24 * delta * lam**3 / d**4)),
    )


def _slope(t: float, lam: np.ndarray, df: float, delta: np.ndarray) -> float:
    """K'(t) alone, which the search for the saddlepoint asks for a dozen times a tail."""
    ratio = lam / (1 - 2 * t * lam)
    return float(df * ratio.sum() + delta @ (ratio * (ratio / lam)))


def _saddle(x: float, lam: np.ndarray, df: float, delta: np.ndarray) -> float:
    """The root of K'(t) = x."""
    low, gap = -1.0, 0.5
    while _slope(low, lam, df, delta) > x:
        low *= 4
    while _slope(0.5 - gap, lam, df, delta) < x:
        gap /= 4
    return float(optimize.brentq(lambda t: _slope(t, lam, df, delta) - x, low, 0.5 - gap, xtol=1e-15, maxiter=1000))


def _integral(x: float, lam: np.ndarray, df: float, delta: np.ndarray, c: float, step: float, bend: float) -> float:
    """(1/π) ∫₀^∞ Im[exp(K(s) − sx)/s · s'(u)] du along s = c + iu + bend·u², by the midpoint rule."""
    total, start, largest = 0.0, 0, 0.0
    for _ in range(400):
        u = (start + np.arange(256) + 0.5) * step
        s = c + 1j * u + bend * u**2
        d = 1 - 2 * np.outer(s, lam)
        with np.errstate(over="ignore", invalid="ignore"):  # a path too near a singularity: seen by the caller
            log = -0.5 * df * np.log(d).sum(axis=1) + (s[:, None] * lam * delta / d).sum(axis=1) - s * x
            terms = np.exp(log) / s * (1j + 2 * bend * u)
        if not np.isfinite(terms).all():
            return np.nan
        total += float(terms.imag.sum())
        size = np.abs(terms)
        largest = max(largest, float(size.max()))
        start += 256
        if size[-1] <= 1e-17 * largest:
            break
    return total * step / np.pi
