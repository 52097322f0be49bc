"""The probability that a score of one group exceeds one of another: interval and standard error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike
from scipy.special import chdtrc, kolmogorov, ndtr, ndtri

from fairstats.errors import InputError
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.multiplicity import p_adjust
from fairstats.inference.scores.hodges_lehmann import shift_of
from fairstats.inference.scores.merged import EMPTY, Blocks, Floats, RankTest, merge, order_of, rank_test
from fairstats.inference.validation import Level, Positive, Rate, Sample, Samples
from fairstats.language import joined, message
from fairstats.validation import ByP

NAN = float("nan")


class Superiority(NamedTuple):
    """An estimated probability (or Cliff's delta) with its standard error and interval."""

    estimate: float
    std_error: float
    low: float
    high: float


def probability_of_superiority(x: Sample, y: Sample, conf_level: Level = 0.95) -> Superiority:
    """Estimate the probability that a random x exceeds a random y, P(X>Y) + P(X=Y)/2, with Newcombe's interval.

    Parameters
    ----------
    x, y : array_like, shape (n,) and (m,)
        The two samples.
    conf_level : float
        Confidence level.

    Returns
    -------
    Superiority
        ``(estimate, std_error, low, high)``. The standard error is DeLong's (NaN with one observation in a sample);
        the interval is Newcombe's method 5, never of zero width, which holds for samples down to one against one.

    References
    ----------
    Newcombe (2006), Confidence intervals for an effect size measure based on the Mann-Whitney statistic, part 2,
    method 5. R: ``auRoc::auc.nonpara.mw(method = "newcombe")``.

    Examples
    --------
    >>> import fairstats as fs
    >>> [round(v, 4) for v in fs.stats.probability_of_superiority([1.1, 2.2, 3.3], [0.4, 0.5, 2.0])]
    [0.8889, 0.1571, 0.401, 0.9884]
    """
    return superiority_of(merge(x, y), conf_level)


def superiority_of(blocks: Blocks, conf_level: float = 0.95) -> Superiority:
    """The probability of superiority of two samples already merged.


    >>> superiority_of(merge([1, 2], [3, 4])).estimate
    0.0
    """
    n, m = blocks.n, blocks.m
    if min(n, m) == 0:
        return Superiority(NAN, NAN, NAN, NAN)
    theta = blocks.u() / (n * m)
    return Superiority(theta, float(np.sqrt(sum(placement_variances(blocks)))), *newcombe_auc(theta, n, m, conf_level))


def placement_variances(blocks: Blocks) -> tuple[float, float]:
    """The two parts of the variance of U/(nm), one from each sample (DeLong's S10/n and S01/m; Brunner-Munzel's too).

    blocks: two samples, merged.
    Returns: NaN for a sample of one.

    >>> placement_variances(merge([1, 3], [2, 4]))
    (0.0625, 0.0625)
    """
    return _variance(blocks.place_x(), blocks.x), _variance(blocks.place_y(), blocks.y)


def _variance(places: Floats, counts: Floats) -> float:
    size = counts.sum()
    if size <= 1:
        return NAN
    centered = places - counts @ places / size
    return float(counts @ (centered * centered) / (size - 1) / size)


def newcombe_auc(theta: Rate, n: Positive, m: Positive, conf_level: Level = 0.95) -> tuple[float, float]:
    """Return Newcombe's interval (method 5) for P(X>Y) + P(X=Y)/2, from the estimate and the sample sizes alone.

    The limits solve (theta - estimate)^2 = z^2 V(theta), V being Hanley and McNeil's variance under an exponential
    model with both sizes in its numerator replaced by their mean.

    Parameters
    ----------
    theta : float
        The estimate, in [0, 1].
    n, m : float
        Sizes of the samples.
    conf_level : float
        Confidence level.

    Returns
    -------
    (float, float)
        The limits; at 0 and 1 one of them is the estimate itself, the other is not.

    References
    ----------
    Newcombe (2006), Statistics in Medicine 25:559-573, method 5.

    Examples
    --------
    >>> import fairstats as fs
    >>> [round(v, 4) for v in fs.stats.newcombe_auc(1.0, 10, 10)]
    [0.8002, 1.0]
    """
    # the variance is the same at theta and at 1 - theta
    return _newcombe_low(theta, n, m, conf_level), 1 - _newcombe_low(1 - theta, n, m, conf_level)


def _newcombe_low(theta: float, n: float, m: float, conf_level: float) -> float:
    z2 = float(ndtri((1 + conf_level) / 2)) ** 2 / (n * m)
    star = (n + m) / 2 - 1

    def spread(t: float) -> float:
        """The variance over 1 - t."""
        return z2 * t * (1 + star * (1 - t) / (2 - t) + star * t / (1 + t))

    if theta <= 0:
        return 0.0
    if theta >= 1:  # t = 1 solves the equation too; divided by 1 - t it is the other root that counts
        return float(scipy.optimize.brentq(lambda t: (1 - t) - spread(t), 0.0, 1.0, xtol=1e-15, rtol=1e-14))
    return float(
        scipy.optimize.brentq(lambda t: (theta - t) ** 2 - (1 - t) * spread(t), 0.0, theta, xtol=1e-15, rtol=1e-14)
    )


def cliffs_delta(x: Sample, y: Sample, conf_level: Level = 0.95) -> Superiority:
    """Estimate Cliff's delta, P(X>Y) - P(X<Y): the probability of superiority on the scale from -1 to 1.

    Parameters
    ----------
    x, y : array_like, shape (n,) and (m,)
        The two samples.
    conf_level : float
        Confidence level.

    Returns
    -------
    Superiority
        ``(estimate, std_error, low, high)``; the interval is Newcombe's, transformed.

    References
    ----------
    Cliff (1993), Dominance statistics.

    Examples
    --------
    >>> import fairstats as fs
    >>> fs.stats.cliffs_delta([2, 3], [1, 1]).estimate
    1.0
    """
    theta, se, low, high = probability_of_superiority(x, y, conf_level)
    return Superiority(2 * theta - 1, 2 * se, 2 * low - 1, 2 * high - 1)


# The two-sample Kolmogorov-Smirnov test, exact given the ties for small samples.


# R's ks.test is exact below this product of the sample sizes
EXACT_BELOW = 10_000


def kolmogorov_smirnov(x: Sample, y: Sample) -> RankTest:
    """Test that two samples have one distribution by the largest distance of their distribution functions, two-sided.

    Parameters
    ----------
    x, y : array_like, shape (n,) and (m,)
        The two samples.

    Returns
    -------
    RankTest
        `statistic` is the distance D. The p-value is exact given the ties for n m < 10 000 (as R's ``ks.test`` since
        4.2), Kolmogorov's limit above (R stops its series at 1e-6). NaN where a sample is empty.

    Raises
    ------
    InputError
        If a value is missing.

    References
    ----------
    Hodges (1958), The significance probability of the Smirnov two-sample test; Schröer & Trenkler (1995) for ties.

    Examples
    --------
    >>> import fairstats as fs
    >>> test = fs.stats.kolmogorov_smirnov([1, 2, 3], [4, 5, 6])
    >>> test.statistic, round(test.p_value, 6)
    (1.0, 0.1)
    """
    return distance_test(merge(x, y))


def distance_test(blocks: Blocks) -> RankTest:
    """Kolmogorov and Smirnov's test of two samples already merged.

    blocks: the samples, unweighted.

    >>> distance_test(merge([1, 2], [3, 4])).statistic
    1.0
    """
    n, m = round(blocks.n), round(blocks.m)
    if min(n, m) == 0:
        return RankTest(float("nan"), float("nan"), message("a group without scores"))
    # in whole numbers, n m times the distance, so that equal distances compare equal
    distance = int(np.abs(np.cumsum(blocks.x) * m - np.cumsum(blocks.y) * n).max())
    statistic = distance / (n * m)
    if n * m < EXACT_BELOW:
        return RankTest(statistic, _exact(blocks, n, m, distance), message("Kolmogorov-Smirnov, exact given the ties"))
    p = float(kolmogorov(np.sqrt(n * m / (n + m)) * statistic))
    return RankTest(statistic, p, message("Kolmogorov-Smirnov, asymptotic"))


def _exact(blocks: Blocks, n: int, m: int, distance: int) -> float:
    """Probability that a random path from (0, 0) to (n, m) is as far from the diagonal at the end of some block.

    Summed as absorbed mass, not as one minus the rest, so that a tiny p-value keeps its digits: every term is positive.
    """
    if distance == 0:
        return 1.0
    from_x = np.arange(n + 1)
    ends = set(np.cumsum(blocks.sizes).astype(int).tolist())
    mass = np.zeros(n + 1)
    mass[0] = 1.0
    absorbed = 0.0
    for step in range(n + m):
        left = n + m - step
        advance = mass * (n - from_x) / left
        mass = mass * np.clip(m - (step - from_x), 0, None) / left
        mass[1:] += advance[:-1]
        if step + 1 in ends:
            far = np.abs(from_x * m - (step + 1 - from_x) * n) >= distance
            absorbed += float(mass[far].sum())
            mass[far] = 0.0
    return min(1.0, absorbed)


# Several groups of scores at once: the Kruskal-Wallis test and Dunn's comparisons of all pairs.


ONE_VALUE = message("every score is the same: the spread of the ranks is unknown")


@dataclass(frozen=True)
class KruskalWallis:
    """The Kruskal-Wallis test."""

    statistic: float
    df: float
    p_value: float
    method: str = "Kruskal-Wallis"


@dataclass(frozen=True)
class DunnPair:
    """One pair of groups, by position: the difference of mean ranks (first minus second) and its test."""

    first: int
    second: int
    difference: float
    std_error: float
    statistic: float
    p_value: float
    p_adjusted: float


@dataclass(frozen=True)
class _Ranked:
    sizes: Floats
    mean_ranks: Floats
    variance: float  # of a rank, with divisor N - 1: the tie correction is in it


def _rank(groups: Sequence[ArrayLike]) -> _Ranked:
    samples = [np.asarray(g, dtype=float).ravel() for g in groups]
    values, codes = np.concatenate(samples), np.repeat(np.arange(len(samples)), [s.size for s in samples])
    if np.isnan(values).any():
        raise InputError("groups", f"has {int(np.isnan(values).sum())} missing scores; ranks need numbers; drop them.")
    order = order_of(values)
    ordered = values[order]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    ends = np.append(starts[1:], values.size)
    # centered midranks: no digits are lost to the mean rank of many people
    centered = np.repeat((starts + ends - values.size) / 2, ends - starts)
    sizes = np.bincount(codes, minlength=len(samples)).astype(float)
    sums = np.bincount(codes[order], weights=centered, minlength=len(samples))
    means = np.divide(sums, sizes, out=np.full(sizes.size, NAN), where=sizes > 0)
    return _Ranked(sizes, means, float(centered @ centered) / max(values.size - 1, 1))


def kruskal_wallis(groups: Samples) -> KruskalWallis:
    """Test that several groups of scores have one distribution (Kruskal and Wallis), corrected for ties.

    Parameters
    ----------
    groups : sequence of array_like
        The scores, one array a group; empty ones do not count.

    Returns
    -------
    KruskalWallis
        Chi-square p-value on (groups - 1) degrees of freedom. One value for everybody is no evidence: statistic 0 and
        p = 1 (R: NaN). NaN with fewer than two groups.

    Raises
    ------
    InputError
        If a score is missing.

    References
    ----------
    Kruskal & Wallis (1952). R: ``kruskal.test``.

    Examples
    --------
    >>> import fairstats as fs
    >>> test = fs.stats.kruskal_wallis([[1, 2, 3], [2, 4, 6], [5, 7, 9]])
    >>> round(test.statistic, 4), test.df, round(test.p_value, 4)
    (5.4006, 2.0, 0.0672)
    """
    return _kruskal(_rank(groups)) if len(groups) else KruskalWallis(NAN, NAN, NAN)


def _kruskal(ranked: _Ranked) -> KruskalWallis:
    kept = ranked.sizes > 0
    df = float(kept.sum() - 1)
    if df < 1:
        return KruskalWallis(NAN, NAN, NAN)
    between = float(ranked.sizes[kept] @ ranked.mean_ranks[kept] ** 2)
    statistic = between / ranked.variance if ranked.variance > 0 else 0.0
    return KruskalWallis(statistic, df, float(chdtrc(df, statistic)))


def dunn(groups: Samples, method: ByP = "holm") -> list[DunnPair]:
    """Compare all pairs of groups by their mean ranks in the pooled sample (Dunn).

    Parameters
    ----------
    groups : sequence of array_like
        The scores, one array a group.
    method : {"bonferroni", "holm", "bh", "none"}
        How the two-sided p-values are adjusted.

    Returns
    -------
    list of DunnPair
        Every pair once, in order; NaN where one of the two is empty.

    Raises
    ------
    InputError
        If a score is missing or `method` is unknown.

    References
    ----------
    Dunn (1964), Multiple comparisons using rank sums (with her correction for ties). R: ``dunn.test``, ``FSA``.

    Examples
    --------
    >>> import fairstats as fs
    >>> pairs = fs.stats.dunn([[1, 2, 3], [2, 4, 6], [5, 7, 9]])
    >>> [round(pair.p_adjusted, 4) for pair in pairs]
    [0.4064, 0.061, 0.4064]
    """
    return _dunn(_rank(groups), method) if len(groups) else []


def _dunn(ranked: _Ranked, method: ByP) -> list[DunnPair]:
    pairs = list(combinations(range(ranked.sizes.size), 2))
    first, second = np.array(pairs, dtype=int).reshape(-1, 2).T
    gaps = ranked.mean_ranks[first] - ranked.mean_ranks[second]
    with np.errstate(divide="ignore"):  # an empty group has an infinite standard error and a missing difference
        errors = np.sqrt(ranked.variance * (1 / ranked.sizes[first] + 1 / ranked.sizes[second]))
    z = np.divide(gaps, errors, out=np.where(np.isnan(gaps), NAN, 0.0), where=errors > 0)
    p = 2 * ndtr(-np.abs(z))
    columns = (first, second, gaps, errors, z, p, np.asarray(p_adjust(p, method)))
    return [DunnPair(int(i), int(j), *(float(v) for v in rest)) for i, j, *rest in zip(*columns, strict=True)]


def kruskal_estimates(
    groups: Mapping[str, ArrayLike],
    *,
    metric: str = "mean rank",
    attribute: str = "",
    method: ByP = "holm",
    conf_level: float = 0.95,
) -> Estimates:
    """The rows of an audit for several groups of scores: the omnibus test, then Dunn's comparisons.

    metric, attribute: what the rows say they are about.
    method: how the p-values of the pairs are adjusted.
    conf_level: level of the (unadjusted) normal intervals of the pairs.
    Returns: first the omnibus row (statistic, df, p-value, no estimate), then one row a pair: the difference of mean
        ranks as a share of everybody, so that 0.1 means ten percentage points up the common ladder.

    >>> rows = kruskal_estimates({"a": [1, 2, 3], "b": [2, 4, 6], "c": [5, 7, 9]})
    >>> rows.column("group"), rows.column("reference")
    (['', 'b', 'c', 'c'], ['', 'a', 'a', 'b'])
    """
    names = list(groups)
    if not names:
        return Estimates()
    ranked = _rank([groups[name] for name in names])
    everybody = float(ranked.sizes.sum())
    omnibus = _omnibus(Estimate(metric, attribute, n=everybody), _kruskal(ranked))
    pairs = [
        _pair(Estimate(metric, attribute, names[d.second], "difference", names[d.first]), d, ranked, conf_level)
        for d in _dunn(ranked, method)
    ]
    return Estimates([omnibus, *pairs])


def _omnibus(row: Estimate, test: KruskalWallis) -> Estimate:
    if np.isnan(test.statistic):
        return replace(row, status="unestimable", reason=message("fewer than two groups with scores"))
    return replace(row, statistic=test.statistic, df=test.df, p_value=test.p_value, method=test.method)


def _pair(row: Estimate, pair: DunnPair, ranked: _Ranked, conf_level: float) -> Estimate:
    n, everybody = ranked.sizes[pair.second], ranked.sizes.sum()
    if np.isnan(pair.difference):
        return replace(row, n=float(n), status="unestimable", reason=message("a group without scores"))
    # one value for everybody has no spread of ranks, which is not a spread of 0
    flat = not pair.std_error > 0
    half = NAN if flat else float(ndtri((1 + conf_level) / 2)) * pair.std_error
    # the row reads later minus earlier, the pair earlier minus later
    return row.with_interval(
        float(-pair.difference / everybody),
        float((-pair.difference - half) / everybody),
        float((-pair.difference + half) / everybody),
        conf_level,
        n=float(n),
        std_error=float(pair.std_error / everybody),
        p_adjusted=pair.p_adjusted,
        method="Dunn",
        reason=ONE_VALUE if flat else row.reason,
    ).with_test(-pair.statistic, pair.p_value)


# Scores of a group against its reference, by ranks: the statistics, and the rows that an audit makes of them.


NO_SHIFT_LIMITS = message("so many differences of two scores are equal that the shift has no interval")


def shift_estimate(
    x: ArrayLike,
    y: ArrayLike,
    *,
    metric: str = "score shift",
    attribute: str = "",
    group: str = "",
    reference: str = "",
    conf_level: float = 0.95,
) -> Estimate:
    """The shift of a group's scores against its reference (Hodges-Lehmann), which is one number if the shapes agree.

    x, y: scores of the group and of the reference, shape (n,).
    metric, attribute, group, reference: what the row says it is about.
    Returns: contrast "difference"; the median of all differences, Moses' interval, Mann-Whitney's p-value. Neither
        interval nor p-value, with the reason, where ties leave the interval no width.

    >>> shift_estimate([2, 3, 4], [1, 1, 2], group="b", reference="a").estimate
    2.0
    """
    blocks = merge(x, y)
    row = Estimate(metric, attribute, group, "difference", reference, n=blocks.n)
    return shift_row(blocks, rank_test(blocks), row, conf_level)


def shift_row(blocks: Blocks, test: RankTest, about: Estimate, conf_level: float) -> Estimate:
    """A row filled with the Hodges-Lehmann shift and a Mann-Whitney test that was made before.

    blocks: scores of the group and of the reference, merged.
    test: Mann-Whitney's.
    about: what the row says it is about.

    >>> shift_row(merge([2, 3], [1, 1]), RankTest(4.0, 0.3, "Mann-Whitney"), Estimate("score shift"), 0.95).estimate
    1.5
    """
    estimate, low, high = shift_of(blocks, conf_level)
    if np.isnan(estimate):
        return replace(about, status="unestimable", reason=EMPTY)
    # Moses' limits assume a continuous distribution that is shifted: where they meet, ties made them, not precision.
    if low == high:  # a p-value beside a shift that the ties hold at one number is of the distributions, not of it
        text = joined([NO_SHIFT_LIMITS, about.reason])
        return replace(about, estimate=estimate, method=message("Hodges-Lehmann, if the shapes agree"), reason=text)
    return about.with_interval(
        estimate,
        low,
        high,
        conf_level,
        method=joined([message("Hodges-Lehmann, Moses, if the shapes agree"), test.method]),
    ).with_test(test.statistic, test.p_value)
