"""Rates of several groups under probability weights or clusters: effective sizes, correlations, degrees of freedom.

A unit is a cluster, or a weighted person. Everything here is a function of three small arrays: what each rate is worth
(`size`), how the rates move together (`correlation`), and how much the units of two groups overlap (`overlap`), from
which the degrees of freedom of any comparison follow.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

from fairstats.inference.rates.design_scores import (
    correlated_difference_score,
    correlated_ratio_score,
    difference_limits,
    ratio_limits,
)
from fairstats.inference.rates.effective_tests import exact_p_of_effective_counts, few_expected
from fairstats.inference.rates.one_rate import critical, wilson

Floats = NDArray[np.float64]
NAN = float("nan")
FEWEST_CLUSTERS, FEWEST_PEOPLE = 4, 2
LEAST_OVERLAP = 1 + 1e-9  # one degree of freedom: two effective clusters, but for rounding
BURSTS = 3.0  # kurtosis of events in bursts of geometric length, over that of single events
FEW_CLUSTERS = "fewer than four clusters in a group"
ONE_CLUSTER = "one cluster holds most of a group"
ONE_PERSON = "one person leaves no error"


@dataclass(frozen=True, eq=False)
class DesignRates:
    """Rates of G groups with what a survey design makes of them.

    Attributes
    ----------
    rate, size : ndarray, shape (G,)
        Weighted rates and effective sizes.
    linearized : ndarray, shape (G, G)
        Covariance of the rates by Taylor linearization: that of R's ``survey::svyby(covmat = TRUE)``.
    units : ndarray, shape (G,)
        Weighted people or clusters of each group.
    overlap : ndarray, shape (G, G)
        tr(Aᵢ Aⱼ) / (tr Aᵢ tr Aⱼ) for the covariances Aᵢ of the units' residuals if people were independent: one over
        the degrees of freedom of a rate's own variance on the diagonal.
    correlation : ndarray, shape (G, G)
        Of the rates, where clusters hold people of several groups; of the CR2 covariance.
    clustered : bool
        Whether units are clusters.

    References
    ----------
    Korn & Graubard (1998), Survey Methodology 24, 193-201; Bell & McCaffrey (2002), Survey Methodology 28, 169-181;
    Pustejovsky & Tipton (2018), Journal of Business & Economic Statistics 36, 672-683.
    """

    rate: Floats
    size: Floats
    linearized: Floats
    units: NDArray[np.int64]
    overlap: Floats
    correlation: Floats
    clustered: bool

    @property
    def std_error(self) -> Floats:
        """Linearized standard errors of the rates."""
        return np.sqrt(np.diag(self.linearized))

    @property
    def estimable(self) -> NDArray[np.bool_]:
        """Whether a group has units enough for a variance: two people, or four clusters worth two equal ones."""
        if not self.clustered:
            return np.asarray(self.units >= FEWEST_PEOPLE)
        return np.asarray((self.units >= FEWEST_CLUSTERS) & (np.diag(self.overlap) <= LEAST_OVERLAP))

    def lacking(self, places: Sequence[int]) -> str:
        """Why groups of which one is not estimable are not."""
        if not self.clustered:
            return ONE_PERSON
        return FEW_CLUSTERS if self.units[list(places)].min() < FEWEST_CLUSTERS else ONE_CLUSTER

    def uncertainty(self, places: Sequence[int], rate: float) -> Floats:
        """The overlap of some groups, with what rare events add to the uncertainty of their variances.

        A variance of counts is less certain than Satterthwaite's normal theory says, by half their excess kurtosis.
        For a rate p and an effective size n that of a binomial count is (1 - 6 p (1 - p))/(n p (1 - p)); events that
        come in bursts of geometric length have thrice that. Without it the test of two rates of 5 or 10 % in 8 to 30
        clusters rejects 7 to 9 %.
        """
        chosen = list(places)
        out = self.overlap[np.ix_(chosen, chosen)]
        product = rate * (1 - rate)
        if not self.clustered or not 0 < product < 1 / 6:
            return out
        return np.asarray(out + np.diag(BURSTS / 2 * (1 - 6 * product) / (self.size[chosen] * product)))

    def df(self, i: int) -> float:
        """Degrees of freedom of the variance of one rate."""
        return float(1 / self.uncertainty([i], float(self.rate[i]))[0, 0])

    def limits(self, i: int, conf_level: float) -> tuple[float, float]:
        """Wilson's limits of one rate, with Student's t."""
        size = student_size(float(self.size[i]), self.df(i), conf_level)
        low, high = wilson(float(self.rate[i]) * size, size, conf_level)
        return float(low), float(high)

    def pair(self, i: int, j: int) -> DesignPair:
        """Group i compared with group j."""
        return DesignPair(self, i, j)


def student_size(size: float, df: float, conf_level: float) -> float:
    """The effective size times the squared ratio of the normal to Student's quantile (Korn and Graubard).

    Examples
    --------
    >>> round(student_size(100, 7, 0.95), 1), student_size(100, np.inf, 0.95)
    (68.7, 100.0)
    """
    if not np.isfinite(df):
        return float(size)
    return float(size * (critical(conf_level) / stdtrit(df, (1 + conf_level) / 2)) ** 2)


@dataclass(frozen=True)
class DesignPair:
    """Two of the rates: test and limits of their difference and ratio, with their correlation and Student's t."""

    of: DesignRates
    i: int
    j: int

    @property
    def four(self) -> tuple[float, float, float, float]:
        """Rate and effective size of the one and of the other."""
        rate, size = self.of.rate, self.of.size
        return float(rate[self.i]), float(size[self.i]), float(rate[self.j]), float(size[self.j])

    @property
    def correlation(self) -> float:
        """Of the two rates."""
        return float(self.of.correlation[self.i, self.j])

    @cached_property
    def df(self) -> float:
        """Degrees of freedom by Satterthwaite: of a sum of two variances whose units overlap."""
        p1, n1, p0, n0 = self.four
        uncertain = self.of.uncertainty([self.i, self.j], (p1 * n1 + p0 * n0) / (n1 + n0))
        variance = np.array([1 / n1, 1 / n0])
        return float(variance.sum() ** 2 / (variance @ uncertain @ variance))

    @property
    def std_error(self) -> float:
        """Linearized standard error of the difference, covariance included."""
        return self._linearized(1.0, 1.0)

    @property
    def ratio_std_error(self) -> float:
        """Linearized standard error of the ratio; NaN where a rate is 0."""
        own, _, other, _ = self.four
        return self._linearized(1 / other, own / other**2) if own > 0 and other > 0 else NAN

    def _linearized(self, slope: float, base_slope: float) -> float:
        places, slopes = [self.i, self.j], np.array([slope, -base_slope])
        return math.sqrt(max(float(slopes @ self.of.linearized[np.ix_(places, places)] @ slopes), 0.0))

    @cached_property
    def z(self) -> float:
        """The difference over its error at one common rate, on effective sizes."""
        return float(np.nan_to_num(correlated_difference_score(self.four, self.correlation, 0.0), posinf=0, neginf=0))

    @cached_property
    def few(self) -> bool:
        """Whether weighted people are so few, or so alike, that the exact test has to agree."""
        p1, n1, p0, n0 = self.four
        return not self.of.clustered and min(n1, n0) > 0 and few_expected([p1, p0], [n1, n0])

    @cached_property
    def p_value(self) -> float:
        """Two-sided, by Student's t; where few events are expected not below that of the exact test."""
        p = 2 * float(stdtr(self.df, -abs(self.z)))
        if not self.few:
            return p
        p1, n1, p0, n0 = self.four
        return max(p, exact_p_of_effective_counts([p1, p0], [n1, n0]))

    def limits(self, conf_level: float) -> tuple[float, float]:
        """Limits of the difference: those that the score test with t does not reject."""
        low, high = difference_limits(self.four, self.correlation, self._quantile(conf_level))
        return float(low), float(high)

    def ratio_limits(self, conf_level: float) -> tuple[float, float]:
        """Limits of the ratio, of the same test; none for 0/0."""
        if self.four[0] == self.four[2] == 0:
            return NAN, NAN
        low, high = ratio_limits(self.four, self.correlation, self._quantile(conf_level))
        return float(low), float(high)

    def p_equivalence(self, margin: float) -> float:
        """p-value of the claim that the difference lies within plus or minus a margin: two one-sided score tests."""
        above, below = correlated_difference_score(self.four, self.correlation, np.array([-margin, margin]))
        return float(max(stdtr(self.df, -above), stdtr(self.df, below)))

    def p_equivalence_of_ratio(self, least: float) -> float:
        """p-value of the claim that the ratio lies between a bound and its inverse: two one-sided score tests."""
        above, below = correlated_ratio_score(self.four, self.correlation, np.array([least, 1 / least]))
        return float(max(stdtr(self.df, -above), stdtr(self.df, below)))

    def sizes(self, conf_level: float) -> tuple[float, float]:
        """Sizes of two samples of independent people whose comparison by a normal test would be as sharp."""
        _, n1, _, n0 = self.four
        shared = 1 - 2 * self.correlation / math.sqrt(n1 * n0) / (1 / n1 + 1 / n0)
        factor = student_size(1.0, self.df, conf_level) / max(shared, 1e-9)
        return n1 * factor, n0 * factor

    def _quantile(self, conf_level: float) -> float:
        return float(stdtrit(self.df, (1 + conf_level) / 2))
