"""Intervals for what the groups explain in the population, by inverting non-central quadratic forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.polynomial.legendre import leggauss
from scipy import optimize
from scipy.special import gammaincinv, ndtri

from fairstats.inference.representations.group_part import GroupPart
from fairstats.inference.representations.quadratic_forms import Tail, least_accurate, matched_tail, tail

# from so many degrees of freedom on the noise counts as known
KNOWN = 1000.0
NODES = 16
# a tail this close to its target is there; more corrections than this are not worth it
CLOSE, CORRECTIONS = 1e-7, 6


class Limits(NamedTuple):
    """The ends of an interval, and how the tails were computed."""

    low: float
    high: float
    method: str


class _Form:
    """The distribution of ‖m + ε‖², ε a multivariate t with the noise of a group part, m along a fixed direction."""

    def __init__(self, part: GroupPart, conf_level: float, *, upper: bool = False) -> None:
        self.variances, along = part.axes
        self.fixed = max(part.explained - float(along @ along), 0.0)  # along no axis of the noise
        if upper:
            # What noise may have hidden lies along its widest axes: there the distribution reaches farthest down.
            widest = self.variances**2 * float(self.variances.sum() / np.sum(self.variances**2))
            self.shape = along**2 + 2 * widest
        else:
            # Squares less their noise, floored at 0, so that pure noise has no preferred direction of its own.
            self.shape = np.maximum(along**2 - self.variances, 0.0)
        if not self.shape.any() and self.fixed <= 0:
            self.shape = np.ones_like(self.variances)
        self.unit = float(self.shape.sum()) + self.fixed
        df = part.degrees(conf_level)
        if df > KNOWN:
            self.scales, self.shares = np.ones(1), np.ones(1)
        else:
            # Gauss-Legendre in the cube root of the probability: the far tail is that of the least chi-squares.
            points, weights = leggauss(NODES)
            root = (1 + points) / 2
            self.scales, self.shares = df / (2 * gammaincinv(df / 2, root**3)), 1.5 * weights * root**2
        self.methods: set[str] = set()

    def above(self, c: float, x: float) -> float:
        """P(‖m + ε‖² > x) where m has c times the shape."""
        found = [
            tail(x - c * self.fixed, s * self.variances, 1, c * self.shape / (s * self.variances)) for s in self.scales
        ]
        self.methods.update(each.method for each in found)
        return float(self.shares @ [each.value for each in found])

    def roughly(self, c: float, x: float) -> float:
        """The same by four moments, to begin a search with."""
        left = x - c * self.fixed
        if left <= 0:
            return 1.0
        lam = self.scales[:, None] * self.variances
        return float(self.shares @ np.atleast_1d(matched_tail(left, lam, 1, c * self.shape / lam)))


def null_tail(part: GroupPart) -> Tail:
    """P(‖ε‖² ≥ ‖P_Z A‖²) where the groups have equal means: the p-value that lets them differ in spread.

    Examples
    --------
    >>> from fairstats.inference.representations.group_part import from_rows
    >>> A, g = np.array([[0.0], [2.0], [1.0], [3.0], [5.0], [4.0]]), np.array([0, 0, 0, 1, 1, 1])
    >>> round(null_tail(from_rows(A, (g == 1.0)[:, None], g)).value, 4)  # Welch's t test
    0.0213
    """
    form = _Form(part, 0.95)
    value = form.above(0.0, part.explained)
    return Tail(value, least_accurate(form.methods))


def total_interval(part: GroupPart, conf_level: float) -> Limits:
    """Interval for ‖P_Z E(A)‖², the part of the scores' squares that the groups explain in the population.

    Inverts the distribution of ‖m + ε‖² along the observed direction of the effect, for the upper end with what noise
    may have hidden along its widest axes. ε is a multivariate t with the heteroscedastic covariance of the group part
    and Satterthwaite's degrees of freedom, so that for one component and two groups it is Welch's, which Welch, James
    and Johansen extend to several.

    Parameters
    ----------
    part : GroupPart
        Its covariance is known.
    conf_level : float

    Returns
    -------
    Limits
        (low, high) ≥ 0, and how the tails were computed: the least accurate way if several were needed.

    References
    ----------
    Johansen (1980), The Welch-James approximation to the distribution of the residual sum of squares in a weighted
    linear regression, Biometrika 67, 85-92; Brunner, Dette & Munk (1997), JASA 92, 1494-1502.

    Examples
    --------
    >>> from fairstats.inference.representations.group_part import from_rows
    >>> A, g = np.array([[0.0], [2.0], [1.0], [3.0], [5.0], [4.0]]), np.array([0, 0, 0, 1, 1, 1])
    >>> low, high, method = total_interval(from_rows(A, (g == 1.0)[:, None], g), 0.95)
    >>> [round(float(np.sqrt(high / 1.5)), 2), low < 1.0]  # Welch's interval of the difference ends at 5.27
    [5.26, True]
    """
    observed = part.explained
    below, beyond = _Form(part, conf_level), _Form(part, conf_level, upper=True)
    alpha = 1 - conf_level
    low = _root(below, observed, alpha / 2) * below.unit
    high = _root(beyond, observed, 1 - alpha / 2) * beyond.unit
    return Limits(low, max(low, high), least_accurate(below.methods | beyond.methods))


def share_interval(part: GroupPart, conf_level: float) -> Limits:
    """Interval for the population R² of one component, the groups' part against what is left.

    The interval of the groups' part, widened on the logarithmic scale by the error of the residual variance (MOVER).

    Parameters
    ----------
    part : GroupPart
        Of one component; its covariance is known.
    conf_level : float

    Returns
    -------
    Limits
        In [0, 1].

    References
    ----------
    Zou & Donner (2008), Construction of confidence limits about effect measures, Statistics in Medicine 27, 1693-1702.

    Examples
    --------
    >>> from fairstats.inference.representations.group_part import from_rows
    >>> A, g = np.array([[0.0], [2.0], [1.0], [3.0], [5.0], [4.0]]), np.array([0, 0, 0, 1, 1, 1])
    >>> low, high, _ = share_interval(from_rows(A, (g == 1.0)[:, None], g), 0.95)
    >>> bool(0 < low < 0.77 < high < 1)
    True
    """
    low, high, method = total_interval(part, conf_level)
    left = part.n * float(part.rest[0]) / max(float(part.freedom.sum()), 1.0)
    if left <= 0:
        return Limits(float(low > 0), float(high > 0), method)
    z = float(ndtri((1 + conf_level) / 2)) * float(part.rest_error[0])
    found = max(part.explained, np.finfo(float).tiny)
    ends = [value * np.exp(sign * _added(value, found, z)) for value, sign in ((low, -1.0), (high, 1.0))]
    return Limits(float(ends[0] / (ends[0] + left)), float(ends[1] / (ends[1] + left)), method)


def _added(end: float, found: float, z: float) -> float:
    """How much farther an end lies from the estimate with a second error z, on the logarithmic scale."""
    reach = abs(np.log(found / end)) if end > 0 else 0.0
    return float(np.hypot(reach, z) - reach)


def _root(form: _Form, x: float, target: float) -> float:
    """The c at which the tail above x is the target, 0 where it is there already.

    The approximation by moments is off by nearly the same wherever c is close to the root, so its own root, corrected,
    is the root after two or three steps.
    """
    if form.above(0.0, x) >= target:
        return 0.0
    off = 0.0
    for _ in range(CORRECTIONS):
        c = _solve(lambda c, aim=target - off: form.roughly(c, x) - aim)  # type: ignore[misc]
        value = form.above(c, x)
        if abs(value - target) < CLOSE:
            return c
        off = value - form.roughly(c, x)
        if not 0 < target - off < 1:
            break
    return _solve(lambda c: form.above(c, x) - target)


def _solve(excess: Callable[[float], float]) -> float:
    """Root of an increasing function on [0, ∞), 0 where it is already positive at 0."""
    if excess(0.0) >= 0:
        return 0.0
    high = 1.0
    while excess(high) < 0:
        high *= 2
    return float(optimize.brentq(excess, 0.0, high, xtol=1e-8 * high, rtol=1e-7))
