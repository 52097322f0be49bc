"""Two standardized rates with their variances: the limits of their difference and of their ratio."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, stdtrit

from fairstats.errors import InputError
from fairstats.inference.rates.design_rates import DesignPair
from fairstats.inference.rates.equivalence import p_outside, p_within
from fairstats.inference.rates.one_rate import wilson

NAN = float("nan")


@dataclass(frozen=True)
class StratifiedRates:
    """The rates of two groups as they would be if both were spread over the strata alike.

    Attributes
    ----------
    rate1, rate0 : float
        Standardized rates of the group and of the reference.
    variance1, variance0, covariance : float
        Linearized, of the standardized rates; the covariance is 0 unless clusters cross the groups.
    size1, size0 : float
        Effective sizes for Wilson's limits.
    df : float
        Degrees of freedom of the variance of the difference.
    n1, n0 : float
        People (or weights) of the strata with both groups.
    left_out : float
        People (or weights) in strata where one group is absent.
    total : float
        Sum of the strata's weights; the shortfall in people is ``-total * (rate1 - rate0)`` under Mantel-Haenszel.
    strata : int
        Strata with both groups.
    estimand : str
        What is averaged, in words.
    reason : str
        Why nothing can be estimated.
    pair : DesignPair or None
        Of clusters: the two rates as a pair under a design, which has the limits and tests.
    """

    rate1: float
    rate0: float
    variance1: float
    variance0: float
    covariance: float
    size1: float
    size0: float
    df: float
    n1: float
    n0: float
    left_out: float
    total: float
    strata: int
    estimand: str
    reason: str = ""
    pair: DesignPair | None = None

    @property
    def difference(self) -> float:
        """Rate of the group minus rate of the reference."""
        return self.rate1 - self.rate0

    @property
    def ratio(self) -> float:
        """Rate of the group over rate of the reference; infinite or NaN where the reference's is 0."""
        if self.rate0 > 0:
            return self.rate1 / self.rate0
        return np.inf if self.rate1 > 0 else NAN

    @property
    def std_error(self) -> float:
        """Standard error of the difference."""
        return float(np.sqrt(max(self.variance1 + self.variance0 - 2 * self.covariance, 0.0)))

    def limits(self, conf_level: float = 0.95) -> tuple[float, float]:
        """Confidence limits of the difference: Wilson's limits of both rates combined as in Newcombe's interval.

        Their quantile is Student's, so that few strata and few people in each do not make them too short. With
        clusters they are those of a score test, as rates then move together.
        """
        if self.reason:
            return NAN, NAN
        if self.pair is not None:
            return self.pair.limits(conf_level)
        (low1, high1), (low0, high0) = self._of_rates(conf_level)
        low = self.difference - np.hypot(self.rate1 - low1, high0 - self.rate0)
        return float(low), float(self.difference + np.hypot(high1 - self.rate1, self.rate0 - low0))

    def ratio_limits(self, conf_level: float = 0.95) -> tuple[float, float]:
        """Confidence limits of the ratio by Donner and Zou's MOVER, which holds at rates of 0 too.

        With clusters those of a score test.
        """
        if self.reason or (self.rate1 == 0 and self.rate0 == 0):
            return NAN, NAN
        p1, p0 = self.rate1, self.rate0
        if self.pair is not None:
            return self.pair.ratio_limits(conf_level)
        (low1, high1), (low0, high0) = self._of_rates(conf_level)
        product = p1 * p0

        def root(end1: float, end0: float) -> float:
            return float(np.sqrt(max(product**2 - end1 * (2 * p1 - end1) * end0 * (2 * p0 - end0), 0.0)))

        below = product + root(low1, high0)  # 0 where the reference has no events and the level is tiny
        low = 0.0 if low1 <= 0 else low1 * (2 * p1 - low1) / below if below > 0 else np.inf
        return low, (product + root(high1, low0)) / (low0 * (2 * p0 - low0)) if low0 > 0 else np.inf

    def p_equivalence(self, margin: float) -> float:
        """p-value of the claim that the difference lies within plus or minus a margin (two one-sided tests).

        It is the alpha at which the limits of level 1 - 2 alpha just reach the margin, so limits and test agree.

        Raises
        ------
        InputError
            If `margin` is not in (0, 1).
        """
        if not 0 < margin < 1:
            raise InputError(f"margin={margin!r} is not between 0 and 1; a difference of two rates is like 0.05.")
        if self.reason:
            return NAN
        if self.pair is not None:
            return self.pair.p_equivalence(margin)
        return p_within(self.limits, -margin, margin)

    @property
    def p_value(self) -> float:
        """Two-sided p of no difference, by t: for weighted and clustered people, who have no exact test.

        Under weights it is the error at which the limits reach 0, as they know when a variance is too small to be true.
        """
        if self.reason:
            return NAN
        return self.pair.p_value if self.pair is not None else p_outside(self.limits, 0.0)

    def _of_rates(self, conf_level: float) -> tuple[tuple[float, float], tuple[float, float]]:
        df = self.df if np.isfinite(self.df) else 1e12
        t = float(stdtrit(df, (1 + conf_level) / 2))
        level = 1 - 2 * float(ndtr(-t))
        sides = ((self.rate1, self.size1), (self.rate0, self.size0))
        (low1, high1), (low0, high0) = (wilson(rate * size, size, level) for rate, size in sides)
        return (float(low1), float(high1)), (float(low0), float(high0))
