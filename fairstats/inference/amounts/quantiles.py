"""Quantiles of amounts by order statistics, and their differences and gaps by limits of both combined."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, ndtri, stdtrit

from fairstats.estimates import NAN
from fairstats.inference.amounts.means import EMPTY, Mean, mean_of
from fairstats.inference.rates.sampling import EMPTY_REPLICATE, TOO_FEW_UNITS
from fairstats.inference.rates.survey import FEW_CLUSTERS, ONE_CLUSTER
from fairstats.inference.scores.survey import Scored
from fairstats.language import message

Floats = NDArray[np.float64]

TOO_FEW = message("too few people for limits of this quantile")
ORDER = message("order statistics")
WOODRUFF = message("Woodruff's limits")
NOT_ABOVE_0 = message("a quantile is not above 0, so that there is no ratio")


@dataclass(frozen=True, eq=False)
class Quantiles:
    """The amounts of one group, ascending: any quantile with its limits.

    Of people who count one each the limits are the exact ones of order statistics, which hold whatever the
    distribution, ties included; of weighted or clustered people those of Woodruff: the share of amounts up to the
    quantile has its limits, and what these shares are the quantiles of are the limits.
    Source: Thompson (1936), Annals of Mathematical Statistics 7, 122-128; Scheffe & Tukey (1945), Annals of
    Mathematical Statistics 16, 187-192 (ties); Woodruff (1952), JASA 47, 635-646.
    """

    cells: Scored
    sampled: bool = False

    @cached_property
    def ascending(self) -> tuple[Floats, Sequence[float] | Floats]:
        """The amounts, and the weight up to each: of people who count one each their places, which need no memory."""
        values, weight = self.cells.values, self.cells.weight
        if np.any(values[1:] < values[:-1]):
            order = np.argsort(values, kind="stable")
            values, weight = values[order], weight[order]
        return values, range(1, values.size + 1) if np.all(weight == 1) else np.cumsum(weight, dtype=float)

    @property
    def n(self) -> float:
        """Summed weights."""
        return float(self.cells.weight.sum())

    def at(self, share: float) -> float:
        """The quantile: the least amount that at least this share is not above; in the gap of two their middle."""
        values, below = self.ascending
        if not values.size:
            return NAN
        target = share * below[-1]
        i = min(bisect_left(below, target * (1 - 1e-12)), values.size - 1)
        if self.cells.sampling is not None:  # the rule "math" of R's svyquantile
            return float(values[i])
        j = min(bisect_right(below, target * (1 + 1e-12)), values.size - 1)
        return float(values[i] / 2 + values[j] / 2)

    def limits(self, share: float, conf_level: float) -> tuple[float, float]:
        """Confidence limits of a quantile; infinite where the sample is too small for one."""
        if self.cells.clusters is None and not self.sampled:
            return self._exact(share, conf_level)
        return self._woodruff(share, conf_level)

    @property
    def method(self) -> str:
        """How the limits are made."""
        return WOODRUFF if self.sampled or self.cells.clusters is not None else ORDER

    def df(self, share: float) -> float:
        """Degrees of freedom of the share of amounts up to a quantile; NaN of people who count one each."""
        return NAN if self.method is ORDER else self.up_to(self.at(share)).df

    def lacking(self, share: float) -> str:
        """Why a quantile has no limits."""
        mean = self.up_to(self.at(share))
        return mean.reason if mean.reason in (TOO_FEW_UNITS, EMPTY_REPLICATE, FEW_CLUSTERS, ONE_CLUSTER) else TOO_FEW

    def beyond(self, ends: tuple[float, float]) -> float:
        """The fewest people at one of two amounts or beyond it; infinite where neither is a number."""
        values, people = self.cells.values, self.cells.people
        sides = (values <= ends[0], values >= ends[1])
        return min((float(people[side].sum()) for side, end in zip(sides, ends, strict=True) if math.isfinite(end)),
                   default=math.inf)  # fmt: skip

    def _exact(self, share: float, conf_level: float) -> tuple[float, float]:
        values, below = self.ascending
        if not values.size:
            return NAN, NAN
        n, alpha = round(below[-1]), (1 - conf_level) / 2
        # of the order statistics the last whose chance to lie above the quantile is at most alpha, and vice versa
        first, last = _outside(alpha, n, share), n - 1 - _outside(alpha, n, 1 - share)
        low = -math.inf if first < 0 else values[bisect_left(below, first + 0.5)]
        high = math.inf if last >= n else values[bisect_left(below, last + 0.5)]
        return float(low), float(high)

    def _woodruff(self, share: float, conf_level: float) -> tuple[float, float]:
        values, below = self.ascending
        quantile = self.at(share)
        mean = self.up_to(quantile)
        if not mean.variance > 0:
            return -math.inf, math.inf
        if self.cells.sampling is not None:
            return self._as_in_survey(mean, conf_level)
        # the variance of the share itself, whatever the share of those who are tied at the quantile
        spread = mean.variance * share * (1 - share) / max(mean.mean * (1 - mean.mean), 1e-12)
        half = float(stdtrit(mean.df, (1 + conf_level) / 2)) * math.sqrt(max(spread, mean.variance))
        low, high = share - half, share + half
        total = below[-1]
        least = -math.inf if low <= 0 else values[bisect_left(below, low * total * (1 - 1e-12))]
        most = math.inf if high >= 1 else values[min(bisect_left(below, high * total), values.size - 1)]
        return float(least), float(most)

    def up_to(self, quantile: float) -> Mean:
        """The share of amounts up to a quantile, as the mean of 0 and 1; the same at every level."""
        if quantile not in self._known:
            part = replace(self.cells, values=(self.cells.values <= quantile).astype(float))
            self._known[quantile] = mean_of(part, self.sampled)
        return self._known[quantile]

    @cached_property
    def _known(self) -> dict[float, Mean]:
        return {}

    def _as_in_survey(self, mean: Mean, conf_level: float) -> tuple[float, float]:
        """The quantiles at the limits of the share up to the estimate; R's ``svyquantile(interval.type = "mean")``."""
        values, below = self.ascending
        half = float(stdtrit(mean.df, (1 + conf_level) / 2)) * mean.std_error
        ends = []
        for share, beyond in ((mean.mean - half, -math.inf), (mean.mean + half, math.inf)):
            i = bisect_left(below, share * below[-1] * (1 - 1e-12))
            ends.append(float(values[min(i, values.size - 1)]) if 0 <= share <= 1 else beyond)
        return ends[0], ends[1]


SMALLEST, NEAR = 1e-12, 1e-7  # p-values: the smallest that is distinguished, and how near (relative) it is found


def _least(shows: Callable[[float], bool], most: float = 1 - 1e-9) -> float:
    """The smallest error at which limits, which move in steps, show something; 1 where none does.

    >>> round(_least(lambda alpha: alpha >= 0.03), 6)
    0.03
    """
    low, high = math.log(SMALLEST), math.log(most)
    if not shows(most):
        return 1.0
    if shows(SMALLEST):
        return SMALLEST
    while high - low > NEAR:
        middle = (low + high) / 2
        low, high = (low, middle) if shows(math.exp(middle)) else (middle, high)
    return math.exp(high)


CLOSE = 3  # people


def _outside(alpha: float, n: int, share: float) -> int:
    """The largest k for which a binomial count is at most k with a chance of at most alpha; -1 where there is none.

    >>> _outside(0.025, 30, 0.5), _outside(0.025, 5, 0.5)
    (9, -1)
    """
    low, high = -1, n
    # the normal approximation is off by a few at most; what it misses is found by halving
    near = n * share + float(ndtri(alpha)) * math.sqrt(n * share * (1 - share))
    for k in (math.floor(near) - CLOSE, math.ceil(near) + CLOSE):
        if low < k < high:
            low, high = (k, high) if bdtr(k, n, share) <= alpha else (low, k)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if bdtr(middle, n, share) <= alpha else (low, middle)
    return low


@dataclass(frozen=True, eq=False)
class QuantilePair:
    """One quantile of a group and of its reference: difference and ratio with limits that combine those of both.

    Source: Zou & Donner (2008), Statistics in Medicine 27, 1693-1702 (MOVER); of the ratio on the scale of logarithms,
    where the limits of a quantile are the logarithms of its limits.

    >>> one = np.ones(30)
    >>> low, high = (Quantiles(Scored(np.arange(30.0) + k, one, one, one)) for k in (1, 6))
    >>> pair = QuantilePair(low, high, 0.5)
    >>> pair.difference, pair.difference_limits(0.95)
    (-5.0, (-12.77..., 2.77...))
    """

    x: Quantiles
    y: Quantiles
    share: float

    @cached_property
    def both(self) -> tuple[float, float]:
        """The two quantiles."""
        return self.x.at(self.share), self.y.at(self.share)

    @property
    def difference(self) -> float:
        """The group's quantile less the reference's."""
        return self.both[0] - self.both[1]

    @property
    def ratio(self) -> float:
        """The group's quantile over the reference's; NaN where one is not above 0."""
        x, y = self.both
        return x / y if min(x, y) > 0 else NAN

    def difference_limits(self, conf_level: float) -> tuple[float, float]:
        """Limits of the difference."""
        return self._combined(conf_level, logs=False)

    def ratio_limits(self, conf_level: float) -> tuple[float, float]:
        """Limits of the ratio."""
        if not self.ratio > 0:
            return NAN, NAN
        low, high = self._combined(conf_level, logs=True)
        return min(math.exp(low), self.ratio), max(math.exp(high), self.ratio)  # whatever is lost in rounding

    def _combined(self, conf_level: float, *, logs: bool) -> tuple[float, float]:
        ends = [side.limits(self.share, conf_level) for side in (self.x, self.y)]
        x, y = self.both
        (l1, u1), (l2, u2) = ends
        if logs:
            x, y = math.log(x), math.log(y)
            l1, u1, l2, u2 = (math.log(v) if v > 0 else -math.inf for v in (l1, u1, l2, u2))
        return x - y - math.hypot(x - l1, u2 - y), x - y + math.hypot(u1 - x, y - l2)

    @cached_property
    def p_value(self) -> float:
        """Two-sided, of equal quantiles: the error at which the limits, both finite, leave equality out."""
        if self.reason:
            return NAN
        limits, null = (self.ratio_limits, 1.0) if self.ratio > 0 else (self.difference_limits, 0.0)

        def excluded(alpha: float) -> bool:
            low, high = limits(1 - alpha)
            return low > null or high < null

        def bounded(alpha: float) -> bool:
            return all(map(math.isfinite, self.difference_limits(1 - alpha)))

        p = _least(excluded)
        return p if bounded(p) else max(p, _least(bounded))

    def p_equivalence(self, low: float, high: float) -> float:
        """Of the claim that the ratio lies between two bounds."""
        if self.reason or not self.ratio > 0:
            return NAN

        def inside(alpha: float) -> bool:
            least, most = self.ratio_limits(1 - 2 * alpha)
            return low < least and most < high

        return _least(inside, 0.4999)

    @cached_property
    def reason(self) -> str:
        """Why there is no comparison, or ""."""
        if not (self.x.n and self.y.n):
            return EMPTY
        if all(map(math.isfinite, self.difference_limits(0.95))):
            return ""
        reasons = (side.lacking(self.share) for side in (self.x, self.y))
        return next((why for why in reasons if why != TOO_FEW), TOO_FEW)
