"""Several rates at once under probability weights or clusters: one rate for all, all pairs, the largest gap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.special import fdtrc, stdtrit

from fairstats.inference.rates.design_rates import DesignPair, DesignRates
from fairstats.inference.rates.design_scores import difference_limits, ratio_limits
from fairstats.inference.rates.effective_tests import exact_p_of_effective_counts, few_expected

Floats = NDArray[np.float64]
NAN = float("nan")


@dataclass(frozen=True, eq=False)
class DesignFamily:
    """Some groups of a design, compared all with all.

    Attributes
    ----------
    of : DesignRates
        The rates.
    places : tuple of int
        Which groups.
    """

    of: DesignRates
    places: tuple[int, ...]

    @cached_property
    def pairs(self) -> tuple[DesignPair, ...]:
        """All pairs of groups."""
        return tuple(self.of.pair(i, j) for i, j in combinations(self.places, 2))

    def omnibus(self) -> tuple[float, float, float, float]:
        """Test that all groups have one rate: an approximate Hotelling T² on effective sizes.

        Returns
        -------
        statistic, df1, df2, p : float
            NaN with fewer than two groups, or where the units are too few for so many groups. F with G - 1 and
            η - G + 2 degrees of freedom; for two groups it is the square of `DesignPair.z`, with the same p. Where few
            events of weighted people are expected, p is not below that of an exact test of effective counts.

        Notes
        -----
        T² is the Wald statistic of the G - 1 differences; their covariance has one rate, the pooled one, and the
        correlations that clusters make. It is divided by η/(η - G + 2) (G - 1), where η matches the total variance
        of that covariance's entries to a Wishart distribution's, for people who are independent.

        References
        ----------
        Tipton & Pustejovsky (2015), Journal of Educational and Behavioral Statistics 40, 604-634 (their HTZ); Zhang
        (2012), Journal of Multivariate Analysis; Rao & Scott (1992), Biometrics 48 (effective sizes).
        """
        places = list(self.places)
        q = len(places) - 1
        if q < 1:
            return NAN, NAN, NAN, NAN
        size, rate = self.of.size[places], self.of.rate[places]
        pooled = float(size @ rate / size.sum())
        if not 0 < pooled < 1:
            return 0.0, float(q), NAN, 1.0
        shared = np.outer(1 / np.sqrt(size), 1 / np.sqrt(size)) * self.of.correlation[np.ix_(places, places)]
        statistic, df1, df2, p = hotelling(rate, pooled * (1 - pooled) * shared, self.of.uncertainty(places, pooled))
        if not self.of.clustered and few_expected(rate, size):
            p = max(p, exact_p_of_effective_counts(rate, size))
        return statistic, df1, df2, p

    def joint_p(self) -> float:
        """The smallest p of all pairs, times their number (Bonferroni): the p of no difference anywhere.

        Groups that share clusters estimate the errors of their differences from few units, each differently, so that
        multivariate t and Tukey's distribution are too optimistic (16 % false for 6 groups in 8 clusters).
        """
        return min(1.0, min(pair.p_value for pair in self.pairs) * len(self.pairs)) if self.pairs else NAN

    def joint_level(self, conf_level: float) -> float:
        """The level of each pair's limits at which those of all pairs hold together (Bonferroni)."""
        return 1 - (1 - conf_level) / len(self.pairs)

    def largest_difference(self, conf_level: float) -> tuple[float, float, float, float]:
        """The highest rate minus the lowest: estimate, simultaneous limits, and the joint p of no difference.

        The largest of all differences has the largest of their limits.
        """
        if not self.pairs:
            return NAN, NAN, NAN, NAN
        low, high = limits_of(self.pairs, self.joint_level(conf_level))
        estimate = float(np.ptp(self.of.rate[list(self.places)]))
        return estimate, max(0.0, float(np.max([low, -high]))), float(np.max([high, -low])), self.joint_p()

    def worst_ratio(self, conf_level: float) -> tuple[float, float, float, float]:
        """The lowest rate over the highest: estimate, simultaneous limits, and the joint p of no difference."""
        rates = self.of.rate[list(self.places)]
        if not self.pairs or not rates.max() > 0:
            return NAN, NAN, NAN, NAN
        low, high = limits_of(self.pairs, self.joint_level(conf_level), "ratio")
        with np.errstate(divide="ignore"):
            least, most = float(np.nanmin([low, 1 / high])), float(np.nanmin([high, 1 / low]))
        return float(rates.min() / rates.max()), least, min(1.0, most), self.joint_p()

    def p_equivalence(self, margin: float) -> float:
        """p-value of the claim that no two groups differ by the margin: the largest of all pairs (Berger)."""
        return max((pair.p_equivalence(margin) for pair in self.pairs), default=NAN)


def limits_of(pairs: Sequence[DesignPair], conf_level: float, contrast: str = "difference") -> tuple[Floats, Floats]:
    """The limits of several pairs at one level, solved for together.

    Parameters
    ----------
    pairs : sequence of DesignPair
        Whose rates have an error.
    conf_level : float
        Level of each.
    contrast : {"difference", "ratio"}
        What is compared.

    Returns
    -------
    low, high : ndarray, shape (pairs,)
        As `DesignPair.limits` and `DesignPair.ratio_limits`.

    Examples
    --------
    >>> from fairstats.inference.rates.design_sums import rates_of_weighted
    >>> e, n = np.array([20.0, 60.0]), np.full(2, 100.0)
    >>> pair = rates_of_weighted(e, n, e, n, n, 200).pair(1, 0)
    >>> bool(limits_of([pair], 0.9)[0][0] == pair.limits(0.9)[0])
    True
    """
    if not pairs:
        return np.empty(0), np.empty(0)
    p1, n1, p0, n0 = np.array([pair.four for pair in pairs]).T
    t = stdtrit(np.array([pair.df for pair in pairs]), (1 + conf_level) / 2)
    correlation = np.array([pair.correlation for pair in pairs])
    if contrast == "difference":
        return difference_limits((p1, n1, p0, n0), correlation, t)
    low, high = ratio_limits((p1, n1, p0, n0), correlation, t)
    none = (p1 == 0) & (p0 == 0)  # 0/0
    return np.where(none, np.nan, low), np.where(none, np.nan, high)


def hotelling(estimates: Floats, covariance: Floats, uncertain: Floats) -> tuple[float, float, float, float]:
    """Test that estimates of G groups have one expectation, from a covariance that few units make uncertain.

    Parameters
    ----------
    estimates : ndarray, shape (G,)
        One of each group.
    covariance : ndarray, shape (G, G)
        Their covariance.
    uncertain : ndarray, shape (G, G)
        `DesignRates.overlap`: how much the units of two groups overlap.

    Returns
    -------
    statistic, df1, df2, p : float
        F; NaN where the covariance is singular, or the units are too few for so many groups.

    References
    ----------
    Tipton & Pustejovsky (2015), Journal of Educational and Behavioral Statistics 40, 604-634.

    Examples
    --------
    >>> [round(v, 4) for v in hotelling(np.array([0.0, 2.0]), np.eye(2), np.eye(2) / 9)]
    [2.0, 1.0, 18.0, 0.1744]
    """
    q = estimates.size - 1
    differences = np.column_stack([np.eye(q), -np.ones(q)])
    gaps, spread = differences @ estimates, differences @ covariance @ differences.T
    if np.linalg.matrix_rank(spread, hermitian=True) < q:
        return NAN, NAN, NAN, NAN
    variance = np.diag(covariance)
    weight = differences.T @ np.linalg.solve(differences @ np.diag(variance) @ differences.T, differences)
    own, both = np.diag(weight) * variance, weight**2 * np.outer(variance, variance)
    free = float(q * (q + 1) / np.sum((np.outer(own, own) + both) * uncertain))
    if free <= q - 1:
        return NAN, NAN, NAN, NAN
    statistic = (free - q + 1) / (free * q) * float(gaps @ np.linalg.solve(spread, gaps))
    return statistic, float(q), free - q + 1, float(fdtrc(q, free - q + 1, statistic))
