"""Rates under probability weights and clusters: linearized errors, effective sample size, Rao-Scott tests.

A probability weight says how many people of the population one row stands for; it carries no more information than
one row. Intervals are Wilson's with the effective sample size and Student's t, the comparison of several groups is Rao
and Scott's chi-square. Exact tests and permutations have no weighted form. Frequency weights are people: use plain
counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import fdtrc, stdtr, stdtrit

from fairstats.arrays import Floats
from fairstats.estimates import NAN, Estimate, Estimates
from fairstats.inference.rates.exact import barnard_test
from fairstats.inference.rates.many_rates import extremes, furthest, permutation_test
from fairstats.inference.rates.one_rate import counts, critical, wilson
from fairstats.inference.rates.rate_tests import bisect, restricted_difference, restricted_ratio, standardized
from fairstats.inference.rates.two_rates import LOG_RATIO_BOUND
from fairstats.inference.validation import Codes, Outcomes, RowLabels, Weights
from fairstats.language import message

# Score tests of two correlated rates with Student's t, and the limits that invert them.


Four = tuple[ArrayLike, ArrayLike, ArrayLike, ArrayLike]


def correlated_difference_score(rates: Four, correlation: ArrayLike, delta: ArrayLike) -> Floats:
    """The score statistic of p1 - p0 = delta for two rates that move together.

    rates: rate and effective size of the group, then of the reference (broadcast).
    correlation: of the two estimated rates.
    delta: the hypothesized difference.
    Returns: as Miettinen and Nurminen's, with their covariance and without N/(N - 1): at 0 the pooled z.
    Source: Miettinen & Nurminen (1985), Statistics in Medicine 4, 213-226.

    >>> round(float(correlated_difference_score((0.8, 70, 0.6, 80), 0.0, 0.0)), 4)
    2.6502
    """
    p1, n1, p0, n0, rho, delta = counts(*rates, correlation, delta)
    near1, near0 = restricted_difference(p1 * n1, n1, p0 * n0, n0, delta)
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = _joined(near1 * (1 - near1) / n1, near0 * (1 - near0) / n0, rho)
    return standardized(p1 - p0 - delta, variance)


def correlated_ratio_score(rates: Four, correlation: ArrayLike, theta: ArrayLike) -> Floats:
    """The score statistic of p1 = theta p0 for two rates that move together; Koopman's where the correlation is 0.

    rates, correlation: as in `correlated_difference_score`.
    theta: the hypothesized ratio, > 0.
    Source: Koopman (1984), Biometrics 40, 513-517.

    >>> round(float(correlated_ratio_score((0.9, 40, 0.2, 80), 0.0, 1.0)), 4)
    7.2947
    """
    p1, n1, p0, n0, rho, theta = counts(*rates, correlation, theta)
    near1, near0 = restricted_ratio(p1 * n1, n1, p0 * n0, n0, theta)
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = _joined(near1 * (1 - near1) / n1, theta**2 * near0 * (1 - near0) / n0, rho)
    return standardized(p1 - theta * p0, variance)


def _joined(values: Floats, other: Floats, rho: Floats) -> Floats:
    return np.asarray(np.maximum(values + other - 2 * rho * np.sqrt(np.maximum(values * other, 0.0)), 0.0))


def difference_limits(rates: Four, correlation: ArrayLike, critical: ArrayLike) -> tuple[Floats, Floats]:
    """All differences whose score is within plus or minus a critical value.

    rates, correlation: as in `correlated_difference_score`.
    critical: quantile of Student's t.

    >>> [round(float(v), 3) for v in difference_limits((0.8, 70, 0.6, 80), 0.0, 1.96)]
    [0.053, 0.338]
    """
    p1, n1, p0, n0, rho, t = counts(*rates, correlation, critical)
    gap = p1 - p0

    def score(delta: Floats) -> Floats:
        return correlated_difference_score((p1, n1, p0, n0), rho, delta)

    low = bisect(lambda d: score(d) > t, np.full(gap.shape, -1.0), gap)
    return low[()], bisect(lambda d: score(d) >= -t, gap, np.full(gap.shape, 1.0))[()]


def ratio_limits(rates: Four, correlation: ArrayLike, critical: ArrayLike) -> tuple[Floats, Floats]:
    """All ratios whose score is within plus or minus a critical value; from 0 or to infinity where a rate is 0.

    rates, correlation, critical: as in `difference_limits`.

    >>> [round(float(v), 3) for v in ratio_limits((0.9, 40, 0.2, 80), 0.0, 1.959964)]
    [2.94, 7.152]
    """
    p1, n1, p0, n0, rho, t = counts(*rates, correlation, critical)

    def score(log_theta: Floats) -> Floats:
        return correlated_ratio_score((p1, n1, p0, n0), rho, np.exp(log_theta))

    with np.errstate(divide="ignore", invalid="ignore"):
        center = np.log(p1) - np.log(p0)
    center = np.clip(np.nan_to_num(center), -LOG_RATIO_BOUND, LOG_RATIO_BOUND)
    bound = np.full(center.shape, LOG_RATIO_BOUND)
    low = _exp(lambda v: score(v) > t, -bound, center)
    high = _exp(lambda v: score(v) >= -t, center, bound)
    return np.where(p1 > 0, low, 0.0)[()], np.where(p0 > 0, high, np.inf)[()]


def _exp(is_left: Callable[[Floats], NDArray[np.bool_]], low: Floats, high: Floats) -> Floats:
    return np.asarray(np.exp(bisect(is_left, low, high)))


# Exact tests of effective counts, which keep a test with Student's t honest where few events are expected.


# the expected number of events, or of non-events, in a group below which a normal approximation needs help
FEW = 15.0


def few_expected(rates: ArrayLike, sizes: ArrayLike) -> bool:
    """Whether under one common rate some group expects fewer than 15 events, or fewer than 15 without.

    rates, sizes: weighted rates and effective sizes, shape (G,).

    >>> few_expected([0.01, 0.01], [12, 2000]), few_expected([0.4, 0.5], [120, 2000])
    (True, False)
    """
    p, n = np.asarray(rates, dtype=float), np.asarray(sizes, dtype=float)
    pooled = float(p @ n / n.sum())
    return bool(n.min() * min(pooled, 1 - pooled) < FEW)


def exact_p_of_effective_counts(rates: ArrayLike, sizes: ArrayLike) -> float:
    """p-value of one rate for all groups, as if effective counts had been observed, rounded to whole people.

    With equal weights they are the people, but for one of each group (a variance divides by n - 1). The t test alone
    calls equal rates of 12 and 2000 people with weights between 1 and 2 different in 7 to 8% of samples (1 or 99% of
    them selected); where this p has to be below 5% too, in 2%.

    rates, sizes: weighted rates and effective sizes of two groups or more, shape (G,).
    Returns: of the exact unconditional test of two groups; of the permutation test of more.

    >>> round(exact_p_of_effective_counts([1 / 12, 0.01], [12, 2000]), 3)
    0.08
    """
    p, sizes = np.asarray(rates, dtype=float), np.asarray(sizes, dtype=float)
    n = np.maximum(np.round(sizes), 1.0)
    events = np.minimum(np.round(p * sizes), n)
    if n.size == 2:
        return float(barnard_test(events[0], n[0], events[1], n[1]))
    return float(permutation_test(events, n))


# Rates of several groups under probability weights or clusters: effective sizes, correlations, degrees of freedom.


FEWEST_CLUSTERS, FEWEST_PEOPLE = 4, 2
LEAST_OVERLAP = 1 + 1e-9  # one degree of freedom: two effective clusters, but for rounding
BURSTS = 3.0  # kurtosis of events in bursts of geometric length, over that of single events
FEW_CLUSTERS = message("fewer than four clusters in a group")
ONE_CLUSTER = message("one cluster holds most of a group")
EFFECTIVE = message("Wilson score interval on the effective size, t")
ONE_PERSON = message("one person leaves no error")


@dataclass(frozen=True, eq=False)
class DesignRates:
    """Rates of G groups with what a survey design makes of them.

    rate, size: weighted rates and effective sizes, shape (G,).
    linearized: covariance of the rates by Taylor linearization: that of R's ``survey::svyby(covmat = TRUE)``, shape
        (G, G).
    units: weighted people or clusters of each group, shape (G,).
    overlap: tr(Aᵢ Aⱼ) / (tr Aᵢ tr Aⱼ) for the covariances Aᵢ of the units' residuals if people were independent: one
        over the degrees of freedom of a rate's own variance on the diagonal, shape (G, G).
    correlation: of the rates, where clusters hold people of several groups; of the jackknife's covariance, shape
        (G, G).
    clustered: whether units are clusters.
    Source: Korn & Graubard (1998), Survey Methodology 24, 193-201; Bell & McCaffrey (2002), Survey Methodology 28,
    169-181; Pustejovsky & Tipton (2018), Journal of Business & Economic Statistics 36, 672-683.
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

    @property
    def guarded(self) -> bool:
        """Whether an exact test of effective counts has to agree where few events are expected."""
        return not self.clustered

    def lacking(self, places: Sequence[int]) -> str:
        """Why groups of which one is not estimable are not."""
        if not self.clustered:
            return ONE_PERSON
        return FEW_CLUSTERS if self.units[list(places)].min() < FEWEST_CLUSTERS else ONE_CLUSTER

    def uncertainty(self, places: Sequence[int], rate: float) -> Floats:
        """The overlap of some groups, with what rare events add to the uncertainty of their variances.

        A variance of counts is less certain than Satterthwaite's normal theory says, by half their excess kurtosis.
        For a rate p and an effective size n that of a binomial count is (1 - 6 p (1 - p))/(n p (1 - p)); events that
        come in bursts of geometric length have thrice that. Without it the test of two rates of 5 or 10% in 8 to 30
        clusters rejects 7 to 9%.
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

    def method(self, i: int) -> str:
        """How the limits of one rate are made."""
        return EFFECTIVE

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
        current, _, other, _ = self.four
        return self._linearized(1 / other, current / other**2) if current > 0 and other > 0 else NAN

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
        return self.of.guarded and min(n1, n0) > 0 and few_expected([p1, p0], [n1, n0])

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


# Rates under weights and clusters from sums over people and clusters: variances, effective sizes, overlap of units.


MOST_OVERLAP = 4.0  # a quarter of a degree of freedom, whose quantiles are still finite: it shows nothing


def rates_of_weighted(events: Floats, n: Floats, e2: Floats, n2: Floats, people: Floats, drawn: int) -> DesignRates:
    """Rates of weighted people, from the sums of their weights and of the squares.

    events, n: summed weights of those with the property, and of all, shape (G,).
    e2, n2: summed squares of the same weights, shape (G,).
    people: people of positive weight, shape (G,).
    drawn: people of positive weight in the whole sample, whose domains the groups are.
    Returns: the effective size is p(1 - p)/v or Kish's n²/n2, whichever is smaller: where the weights are uneven the
        variance v is estimated from few people, and is too small more often than too large. t has Kish's size less one
        degrees of freedom.
    Source: Kish (1965), Survey Sampling, section 11.7; Dean & Pagano (2015), J. Surv. Stat. Methodol. 3, 484-503;
    Franco, Little, Louis & Slud (2019), J. Surv. Stat. Methodol. 7, 334-364.

    >>> one = np.array([60.0])
    >>> result = rates_of_weighted(one / 2, one, one, 2 * one, one, 60)
    >>> result.size.tolist(), round(result.df(0), 1)
    ([29.5], 29.0)
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        p = events / n
        squared = ((1 - p) ** 2 * e2 + p**2 * (n2 - e2)) / n**2
        kish = np.where(n2 > 0, n**2 / n2, 0.0)
        size = _size(p, people / (people - 1) * squared, kish, kish)
        current = 1 / np.maximum(kish - 1, 0)
    linearized = np.diag(bessel(drawn) * np.maximum(squared, 0))
    return DesignRates(p, size, linearized, people.astype(np.int64), np.diag(current), np.eye(n.size), False)


def rates_of_clusters(e: Floats, d: Floats, n2: Floats, drawn: int) -> DesignRates:
    """Rates of clustered people, weighted or not, from the sums of each cluster.

    e, d: people (or their summed weights) of each cluster and group with the property, and all, shape (K, G).
    n2: summed squares of the weights; people where there are none, shape (G,).
    drawn: clusters in the whole sample.
    Returns: variances are the delete-one jackknife's (CR3): the sum of squares of what the rate changes by without each
        cluster, which is the cluster's residual over 1 - s where it holds the share s of the group. The effective size
        is never above that of the weights (that of the people without weights); at a rate of 0 or 1 it is Kish's size
        of the clusters' totals. t has Satterthwaite's degrees of freedom, at most Kish's size of the clusters' totals
        less one: K - 1 for equal clusters.

    The expectation of this variance is never below the true one, whatever the sizes of the clusters and however alike
    their people are. CR2 (the root of 1 - s) expects that of independent people, so that it is too small where people
    of one cluster are alike and one cluster is much larger than others, or one group has few: it let 6 to 8% of
    equal rates be called different, with a correlation of 0.5 within clusters.

    Source: Bell & McCaffrey (2002), Survey Methodology 28, 169-181; MacKinnon, Nielsen & Webb (2023), Journal of
    Applied Econometrics 38, 671-694. R: ``clubSandwich::vcovCR(type = "CR3")``.

    >>> e, d = np.array([[1.0], [2.0], [3.0], [0.0]]), np.full((4, 1), 4.0)
    >>> result = rates_of_clusters(e, d, np.array([16.0]), 4)
    >>> result.rate.tolist(), result.size.round(4).tolist(), round(result.df(0), 3)
    ([0.375], [6.75], 3.0)
    """
    n, events = d.sum(axis=0), e.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = events / n
        share = np.nan_to_num(d / n)
        plain = np.nan_to_num((e - p * d) / n)
        raised = 1 / np.where(share < 1, 1 - share, np.inf)
        residual = plain * raised
        sums = residual.T @ residual
        total = n**2 / np.sum(d * d, axis=0)
        size = _size(p, np.diag(sums), n**2 / n2, total)
        spread = np.sqrt(np.diag(sums))
        correlation = np.nan_to_num(sums / np.outer(spread, spread))
    np.fill_diagonal(correlation, 1.0)
    linearized = bessel(drawn) * plain.T @ plain
    return DesignRates(p, size, linearized, (d > 0).sum(axis=0), overlap_of(share), correlation, True)


def overlap_of(share: Floats) -> Floats:
    """How much the clusters of two groups overlap: tr(Aᵢ Aⱼ) / (tr Aᵢ tr Aⱼ) for equally uncertain people.

    Aᵢ is the covariance of what the rate of group i changes by without each cluster if its people were independent; the
    inverse of the diagonal are Satterthwaite's degrees of freedom, at most the effective clusters 1/Σs² less one.

    share: the clusters' shares of each group, shape (K, G).
    Returns: shape (G, G).
    Source: Pustejovsky & Tipton (2018), Journal of Business & Economic Statistics 36, 672-683, equation (11).

    >>> overlap_of(np.array([[0.25, 0.5], [0.25, 0.5], [0.25, 0.0], [0.25, 0.0]])).round(4).tolist()
    [[0.3333, 0.3333], [0.3333, 1.0]]
    """
    odds = share / np.where(share < 1, 1 - share, 1.0)
    trace = odds.sum(axis=0)
    trace[trace == 0] = 1.0  # a group without people has none
    product, squared = odds.T @ odds, odds**2
    # of positive semidefinite matrices: from 0 to 1, but for rounding
    out = np.clip((product + product**2 - squared.T @ squared) / np.outer(trace, trace), 0.0, 1.0)
    squares = np.sum(share * share, axis=0)
    fewest = np.minimum(squares / np.where(squares < 1, 1 - squares, 1.0), MOST_OVERLAP)
    np.fill_diagonal(out, np.maximum(np.diag(out), fewest))
    return out


def bessel(drawn: int) -> float:
    """Return n / (n − 1), Bessel's factor of the units drawn; NaN for one unit, which has no variance.

    >>> bessel(5)
    1.25
    """
    return drawn / (drawn - 1) if drawn > 1 else NAN


def _size(p: Floats, variance: Floats, most: Floats, constant: Floats) -> Floats:
    """p(1 - p)/v, at most the size of the weights; where the rate is 0 or 1 the variance says nothing."""
    varied = (p > 0) & (1 - p > 1e-12) & (variance > 0)
    size = np.where(varied, p * (1 - p) / np.where(varied, variance, 1.0), constant)
    return np.nan_to_num(np.minimum(size, most))


@dataclass(frozen=True)
class WeightedRate:
    """A weighted rate with its linearized standard error and the size of the simple sample that would have it."""

    rate: float
    std_error: float
    effective_n: float
    design_effect: float
    units: int  # people, or clusters
    total: float  # summed weights
    events: float  # summed weights of those with the property
    df: float = NAN  # degrees of freedom of the error


def survey_rate(y: Outcomes, weights: Weights, clusters: RowLabels | None = None) -> WeightedRate:
    """Estimate a rate from probability weights, with Taylor-linearized error and effective sample size.

    Parameters
    ----------
    y : array_like, shape (n,)
        0 or 1.
    weights : array_like, shape (n,)
        Non-negative; rows of weight 0 do not count.
    clusters : array_like, shape (n,), optional
        Labels of the sampling clusters; people by default.

    Returns
    -------
    WeightedRate
        The standard error is R's. The effective size is rate (1 - rate) / variance, at most Kish's size of the
        weights, with a variance that is not too small when one cluster is large (the jackknife's); where the rate is 0
        or 1 the variance says nothing, and it is Kish's size of the clusters' weights. The degrees of freedom are
        Kish's size less one, of clusters Satterthwaite's. NaN without people.

    References
    ----------
    Korn & Graubard (1998), Survey Methodology 24, 193-201; Kish (1965), Survey Sampling; Bell & McCaffrey (2002),
    Survey Methodology 28, 169-181. R: ``survey::svymean``.

    Examples
    --------
    >>> import fairstats as fs
    >>> result = fs.stats.survey_rate([0, 1, 1, 0], [1, 1, 1, 1])
    >>> result.rate, round(result.std_error, 4), round(result.effective_n, 4)
    (0.5, 0.2887, 3.0)
    """
    outcome, w = np.asarray(y, dtype=float), np.asarray(weights, dtype=float)
    used = w > 0
    outcome, w = outcome[used], w[used]
    if w.size == 0:
        return WeightedRate(NAN, NAN, NAN, NAN, 0, 0.0, 0.0)
    design, units = _design(outcome, w, None if clusters is None else _codes(clusters, used))
    size = float(design.size[0])
    return WeightedRate(
        float(design.rate[0]),
        float(design.std_error[0]),
        size,
        w.size / size if size > 0 else NAN,
        units,
        float(w.sum()),
        float(w @ outcome),
        design.df(0) if units > 1 else NAN,
    )


def _design(outcome: Floats, w: Floats, code: NDArray[np.intp] | None) -> tuple[DesignRates, int]:
    """The rate of one group of people, and how many units it has."""
    squares = w * w
    if code is None:
        events, n, e2, n2, people = np.array([[w @ outcome], [w.sum()], [squares @ outcome], [squares.sum()], [w.size]])
        return rates_of_weighted(events, n, e2, n2, people, w.size), w.size
    e, d = (np.bincount(code, weights=v).astype(float)[:, None] for v in (w * outcome, w))
    return rates_of_clusters(e, d, np.array([squares.sum()]), len(d)), len(d)


def _codes(clusters: ArrayLike | None, used: NDArray[np.bool_]) -> NDArray[np.intp]:
    if clusters is None:
        return np.arange(int(used.sum()))
    return np.asarray(np.unique(np.asarray(clusters)[used], return_inverse=True)[1]).ravel()


def rao_scott(
    y: Outcomes, codes: Codes, weights: Weights, clusters: RowLabels | None = None
) -> tuple[float, float, float, float]:
    """Test that all groups have the same rate under weights or clusters (Rao and Scott's second-order correction).

    Parameters
    ----------
    y : array_like, shape (n,)
        0 or 1.
    codes : array_like of int, shape (n,)
        Group of each person.
    weights : array_like, shape (n,)
        Probability weights; rows of weight 0 do not count.
    clusters : array_like, shape (n,), optional
        Labels of the sampling clusters.

    Returns
    -------
    statistic, df1, df2, p : float
        F statistic; NaN with fewer than two groups or clusters, or where all or none have the property.

    References
    ----------
    Rao & Scott (1984), Annals of Statistics 12, 46-60; Thomas & Rao (1987), JASA 82 (F form).
    R: ``survey::svychisq``.

    Examples
    --------
    >>> import fairstats as fs
    >>> y, codes = [0, 1, 1, 0, 1, 1, 1, 0], [0, 0, 0, 0, 1, 1, 1, 1]
    >>> [round(v, 3) for v in fs.stats.rao_scott(y, codes, [1, 2, 1, 1, 1, 1, 3, 1])]
    [0.552, 1.0, 7.0, 0.482]
    """
    outcome, w = np.asarray(y, dtype=float), np.asarray(weights, dtype=float)
    used = w > 0
    outcome, w = outcome[used], w[used]
    group = np.asarray(np.unique(np.asarray(codes)[used], return_inverse=True)[1]).ravel()
    code = _codes(clusters, used)
    units = int(code.max()) + 1 if code.size else 0
    if units < 2 or group.max() < 1 or outcome.min() == outcome.max():
        return NAN, NAN, NAN, NAN
    share, rate = w / w.sum(), float(w @ outcome) / float(w.sum())
    member = (group[:, None] == np.arange(group.max())).astype(float)  # all groups but the last
    pi = share @ member
    influence = (member - pi) * (outcome - rate)[:, None]
    theta = share @ influence
    sums = np.zeros((units, pi.size))
    np.add.at(sums, code, share[:, None] * (influence - theta))
    observed = sums.T @ sums * units / (units - 1)
    simple = rate * (1 - rate) * (np.diag(pi) - np.outer(pi, pi)) / w.size
    effects = np.linalg.solve(simple, observed)
    trace, square = float(np.trace(effects)), float(np.trace(effects @ effects))
    statistic = float(theta @ np.linalg.solve(simple, theta)) / trace
    df1 = trace**2 / square
    df2 = df1 * (units - 1)
    return statistic, df1, df2, float(fdtrc(df1, df2, statistic))


# Several rates at once under probability weights or clusters: one rate for all, all pairs, the largest gap.


@dataclass(frozen=True, eq=False)
class DesignFamily:
    """Some groups of a design, compared all with all.

    of: the rates.
    places: which groups.
    """

    of: DesignRates
    places: tuple[int, ...]

    @cached_property
    def pairs(self) -> tuple[DesignPair, ...]:
        """All pairs of groups."""
        return tuple(self.of.pair(i, j) for i, j in combinations(self.places, 2))

    def omnibus(self) -> tuple[float, float, float, float]:
        """Test that all groups have one rate: an approximate Hotelling T² on effective sizes.

        Returns statistic, df1, df2, p: NaN with fewer than two groups, or where the units are too few for so many
            groups. F with G - 1 and η - G + 2 degrees of freedom; for two groups it is the square of `DesignPair.z`,
            with the same p. Where few events of weighted people are expected, p is not below that of an exact test of
            effective counts.

        T² is the Wald statistic of the G - 1 differences; their covariance has one rate, the pooled one, and the
        correlations that clusters make. It is divided by η/(η - G + 2) (G - 1), where η matches the total variance
        of that covariance's entries to a Wishart distribution's, for people who are independent.

        Source: Tipton & Pustejovsky (2015), Journal of Educational and Behavioral Statistics 40, 604-634 (their HTZ);
        Zhang (2012), Journal of Multivariate Analysis; Rao & Scott (1992), Biometrics 48 (effective sizes).
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
        if self.of.guarded and few_expected(rate, size):
            p = max(p, exact_p_of_effective_counts(rate, size))
        return statistic, df1, df2, p

    def joint_p(self) -> float:
        """The smallest p of all pairs, times their number (Bonferroni): the p of no difference anywhere.

        Groups that share clusters estimate the errors of their differences from few units, each differently, so that
        multivariate t and Tukey's distribution are too optimistic (16% false for 6 groups in 8 clusters).
        """
        return min(1.0, min(pair.p_value for pair in self.pairs) * len(self.pairs)) if self.pairs else NAN

    def simultaneous_level(self, conf_level: float) -> float:
        """The level of each pair's limits at which those of all pairs hold together (Bonferroni)."""
        return 1 - (1 - conf_level) / len(self.pairs)

    def largest_difference(self, conf_level: float) -> tuple[float, float, float, float]:
        """The highest rate minus the lowest: estimate, simultaneous limits, and the joint p of no difference.

        The largest of all differences has the largest of their limits.
        """
        if not self.pairs:
            return NAN, NAN, NAN, NAN
        low, high = limits_of(self.pairs, self.simultaneous_level(conf_level))
        estimate = float(np.ptp(self.of.rate[list(self.places)]))
        return estimate, max(0.0, float(np.max([low, -high]))), float(np.max([high, -low])), self.joint_p()

    def worst_ratio(self, conf_level: float) -> tuple[float, float, float, float]:
        """The lowest rate over the highest: estimate, simultaneous limits, and the joint p of no difference."""
        rates = self.of.rate[list(self.places)]
        if not self.pairs or not rates.max() > 0:
            return NAN, NAN, NAN, NAN
        low, high = limits_of(self.pairs, self.simultaneous_level(conf_level), "ratio")
        with np.errstate(divide="ignore"):
            least, most = float(np.nanmin([low, 1 / high])), float(np.nanmin([high, 1 / low]))
        return float(rates.min() / rates.max()), least, min(1.0, most), self.joint_p()

    def p_equivalence(self, margin: float) -> float:
        """p-value of the claim that no two groups differ by the margin: the largest of all pairs (Berger)."""
        return max((pair.p_equivalence(margin) for pair in self.pairs), default=NAN)


def limits_of(pairs: Sequence[DesignPair], conf_level: float, contrast: str = "difference") -> tuple[Floats, Floats]:
    """The limits of several pairs at one level, solved for together.

    pairs: whose rates have an error.
    contrast: what is compared.
    Returns low, high: as `DesignPair.limits` and `DesignPair.ratio_limits`, shape (pairs,).

    >>> from fairstats.inference.rates.survey import rates_of_weighted
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

    estimates: one of each group, shape (G,).
    covariance: their covariance, shape (G, G).
    uncertain: `DesignRates.overlap`: how much the units of two groups overlap, shape (G, G).
    Returns statistic, df1, df2, p: f; NaN where the covariance is singular, or the units are too few for so many
        groups.
    Source: Tipton & Pustejovsky (2015), Journal of Educational and Behavioral Statistics 40, 604-634.

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
    current, both = np.diag(weight) * variance, weight**2 * np.outer(variance, variance)
    free = float(q * (q + 1) / np.sum((np.outer(current, current) + both) * uncertain))
    if free <= q - 1:
        return NAN, NAN, NAN, NAN
    statistic = (free - q + 1) / (free * q) * float(gaps @ np.linalg.solve(spread, gaps))
    return statistic, float(q), free - q + 1, float(fdtrc(q, free - q + 1, statistic))


# The tidy rows of all groups at once under probability weights or clusters.


OMNIBUS = message("approximate Hotelling test on effective sizes, F")
METHOD = message("simultaneous {name} intervals on effective sizes, t (Bonferroni, all pairs)")
DESIGN_NAMES = {"difference": METHOD.format(name="Miettinen-Nurminen"), "ratio": METHOD.format(name="Koopman")}
TOO_FEW = message("too few clusters or people for so many groups")


def design_family_rows(
    family: DesignFamily,
    events: ArrayLike,
    n: ArrayLike,
    labels: Sequence[str],
    *,
    metric: str = "proportion",
    attribute: str = "",
    conf_level: float = 0.95,
) -> Estimates:
    """The test that all groups have one rate, the largest difference and the worst ratio, as tidy rows.

    family: the groups that have a variance.
    events, n: summed weights (or people) with the property and all, of every group of the attribute, shape (G,).
    labels: their names.
    metric, attribute: what the rows are about.
    conf_level: nominal coverage of the limits of all pairs together.
    Returns: three rows, ``"unestimable"`` with their reason where the design has too few units.

    >>> from fairstats.inference.rates.survey import rates_of_weighted
    >>> e, n = np.array([20.0, 60.0, 55.0]), np.full(3, 100.0)
    >>> family = DesignFamily(rates_of_weighted(e, n, e, n, n, 300), (0, 1, 2))
    >>> rows = design_family_rows(family, e, n, "abc")
    >>> round(rows[1].estimate, 2), rows[1].reason
    (0.4, 'observed extremes: b (60.0%) and a (20.0%)')
    """
    places = list(family.places)
    e, size = np.asarray(events, dtype=float)[places], np.asarray(n, dtype=float)[places]
    about = Estimate(metric, attribute, role="omnibus", n=float(size.sum()), events=float(e.sum()))
    if len(places) < 2:
        blank = replace(about, status="unestimable", reason=message("fewer than two groups with an error"))
        return Estimates(replace(blank, contrast=c) for c in ("none", "difference", "ratio"))
    statistic, df, _, p = family.omnibus()
    test = replace(about, statistic=statistic, df=df, p_value=p, method=OMNIBUS)
    if math.isnan(p):
        test = replace(about, status="unestimable", reason=TOO_FEW)
    rates = family.of.rate[places]
    ends = [(labels[places[i]], message("{share}%", share=f"{100 * float(rates[i]):.1f}")) for i in furthest(rates)]
    rows = [test]
    entries = {"difference": family.largest_difference(conf_level), "ratio": family.worst_ratio(conf_level)}
    for contrast, (estimate, low, high, p_joint) in entries.items():
        row = replace(about, contrast=contrast, method=DESIGN_NAMES[contrast])
        if math.isnan(estimate):
            rows.append(replace(row, status="unestimable", reason=message("no events in any group: 0/0")))
            continue
        seen = extremes(attribute, ends if contrast == "difference" else ends[::-1])
        row = row.with_interval(estimate, low, high, conf_level, reason=seen)
        rows.append(replace(row, p_value=p_joint))
    return Estimates(rows)
