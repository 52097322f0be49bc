"""Where falling functions cross zero, elementwise: the ends of intervals that invert a test, all pairs at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Places = NDArray[np.intp]
# a bracket this narrow, relative to its place and at all, is below the rounding error of a score
RELATIVE, ABSOLUTE = 4e-16, 1e-17
# halving alone needs about 70 evaluations; they are used up only where interpolation never helps
MOST_EVALUATIONS = 200
# 2^-64 of a range is below the rounding error of a score
BISECTIONS = 64
# so many crossings are solved before the others are asked whether theirs lies beyond
AT_ONCE = 32
# the second point goes this much beyond Newton's, so that it lands on the other side
OVERSHOOT = 1.25


def crossings(f: Callable[[Floats, Places], Floats], low: Floats, high: Floats, guess: Floats, scale: Floats) -> Floats:
    """Where each of many falling functions turns from positive to not positive.

    Parameters
    ----------
    f : callable
        ``f(t, at)`` are the values at `t` of the functions with the places `at`. Nothing is asked of them but that
        they are positive to the left and not to the right; a NaN counts as not positive.
    low, high : ndarray, shape (m,)
        Brackets; where a function does not turn inside, the result is an end. Not evaluated.
    guess, scale : ndarray, shape (m,)
        Where the turn may be, and how far t has to go there for f to fall by 1; they matter for speed only.

    Returns
    -------
    ndarray, shape (m,)
        To the last few bits of floating point; NaN where a bracket is.

    Notes
    -----
    Each bracket is cut at its guess, a little beyond the Newton point, and then by inverse quadratic interpolation
    where Chandrupatla's rule trusts it, by halving elsewhere: 6 to 9 evaluations for smooth functions where halving
    alone takes 60. Functions that are done are not evaluated again.

    References
    ----------
    Chandrupatla (1997), Advances in Engineering Software 28, 145-149.

    Examples
    --------
    >>> squares = np.array([2.0, 9.0])
    >>> ends = np.zeros(2), np.full(2, 10.0)
    >>> crossings(lambda t, at: squares[at] - t**2, *ends, np.ones(2), np.ones(2)).round(12).tolist()
    [1.414213562373, 3.0]
    """
    out = np.where(low == high, low, (low + high) / 2)
    at = np.flatnonzero(low < high)
    a, b = low[at], high[at]
    fa, fb = np.full(at.size, np.nan), np.full(at.size, np.nan)
    x, step = _inside(guess[at], a, b), OVERSHOOT * scale[at]
    for evaluation in range(MOST_EVALUATIONS):
        y = f(x, at)
        left = y > 0
        c, fc = np.where(left, a, b), np.where(left, fa, fb)  # the end that x replaces
        a, fa = np.where(left, x, a), np.where(left, y, fa)
        b, fb = np.where(left, b, x), np.where(left, fb, y)
        near = RELATIVE * np.abs(x) + ABSOLUTE
        on = (b - a > 2 * near) & (y != 0)
        out[at] = np.where(y == 0, x, (a + b) / 2)
        if not on.any():
            break
        other, f_other = np.where(left, b, a), np.where(left, fb, fa)
        following = x + y * step if evaluation == 0 else _between(x, y, other, f_other, c, fc)
        following = _inside(following, a, b) if evaluation == 0 else np.clip(following, a + near, b - near)
        at, x, step, a, b, fa, fb = (v[on] for v in (at, following, step, a, b, fa, fb))
    return out


def bisect(is_left: Callable[[Floats], NDArray[np.bool_]], low: Floats, high: Floats) -> Floats:
    """Where `is_left` turns from true to false, elementwise, by halving alone.

    Examples
    --------
    >>> float(bisect(lambda x: x < 0.3, np.array(0.0), np.array(1.0)).round(9))
    0.3
    """
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        left = is_left(middle)
        low, high = np.where(left, middle, low), np.where(left, high, middle)
    return (low + high) / 2


def outermost_crossing(
    f: Callable[[Floats, Places], Floats], low: Floats, high: Floats, guess: Floats, scale: Floats, *, largest: bool
) -> float:
    """The largest or the smallest of many crossings: most functions need one value each, no solving.

    A falling function that is still positive at the largest crossing so far has its own beyond it, and no other has.

    Parameters
    ----------
    f, low, high, guess, scale
        As in `crossings`.
    largest : bool
        Which end.

    Returns
    -------
    float
        NaN where no bracket is known; brackets that are NaN do not count.

    Examples
    --------
    >>> squares = np.arange(1.0, 101.0)
    >>> ends = np.zeros(100), np.full(100, 20.0)
    >>> f = lambda t, at: squares[at] - t**2
    >>> round(outermost_crossing(f, *ends, squares / 10, np.ones(100), largest=True), 12)
    10.0
    """
    sign = 1 if largest else -1
    settled = low[(low == high)]
    best = float(np.max(sign * settled)) if settled.size else -np.inf
    left, found = np.flatnonzero(low < high), bool(settled.size)
    while left.size and best < np.inf:
        first = left[np.argsort(-sign * guess[left])[:AT_ONCE]]
        solved = crossings(_some(f, first), low[first], high[first], guess[first], scale[first])
        best, found = max(best, float(np.max(sign * solved))), True
        left = left[~np.isin(left, first)]
        there = sign * (best + RELATIVE * abs(best) + ABSOLUTE)  # what crosses within rounding is not beyond
        left = left[(f(np.full(left.size, there), left) > 0) == largest]
    return sign * best if found else float("nan")


def _some(f: Callable[[Floats, Places], Floats], places: Places) -> Callable[[Floats, Places], Floats]:
    return lambda t, at: f(t, places[at])


def _inside(x: Floats, a: Floats, b: Floats) -> Floats:
    """A guess kept off the ends of its bracket; the middle where there is none."""
    margin = 1e-6 * (b - a)
    return np.clip(np.where(np.isfinite(x), x, (a + b) / 2), a + margin, b - margin)


def _between(x: Floats, y: Floats, other: Floats, f_other: Floats, c: Floats, fc: Floats) -> Floats:
    """The next point between x and the other end: inverse quadratic where it can be trusted, else the middle."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        place, value = (x - other) / (c - other), (y - f_other) / (fc - f_other)
        trusted = (value**2 < place) & ((1 - value) ** 2 < 1 - place)
        share = y / (f_other - y) * fc / (f_other - fc) + (c - x) / (other - x) * y / (fc - y) * f_other / (
            fc - f_other
        )
    return x + np.where(trusted & np.isfinite(share), share, 0.5) * (other - x)
