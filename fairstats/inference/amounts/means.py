"""Means of amounts: differences and gaps in per cent of the reference, by one test that is inverted for both."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.special import comb, fdtr, fdtrc, stdtr, stdtrit

from fairstats.estimates import NAN
from fairstats.inference.means import _inverse, _transformed
from fairstats.inference.rates.sampling import EMPTY_REPLICATE, FEWEST_UNITS, SURVEY, TOO_FEW_UNITS, Sampling
from fairstats.inference.rates.strata import strata_weights
from fairstats.inference.rates.strata_rows import CountedPeople, Seen, surveyed_means, weighted_cells
from fairstats.inference.rates.survey import (
    FEW_CLUSTERS,
    FEWEST_CLUSTERS,
    LEAST_OVERLAP,
    ONE_CLUSTER,
    ONE_PERSON,
    overlap_of,
)
from fairstats.inference.scores.survey import Scored, joined_variance, satterthwaite
from fairstats.language import message

Floats = NDArray[np.float64]
Codes = NDArray[np.integer[Any]]

EMPTY = message("a group without known amounts")
SAME_AMOUNT = message("all amounts are equal, so there is no error to measure by")
NO_RATIO = message("some amounts are negative, so that there is no ratio")
NO_LOGS = message("some amounts are not above 0, so that there is no geometric mean")
AS_LOGNORMAL = message("{method}; as spreads seem to differ, the test of lognormal means where its p is larger")
STUDENT = message("mean, Student corrected for skewness (Hall)")
BY_CLUSTER = message("means linearized by cluster (jackknife), t")
NEAR_ZERO = message("the mean of the reference cannot be told from 0")


# Everybody's part in a mean, and the mean's error: of people who count one each, weighted or clustered.


@dataclass(frozen=True, eq=False)
class Mean:
    """A mean with the variance, the third cumulant and the degrees of freedom that inference about it rests on.

    parts: of clustered people what each cluster adds to the mean, and its share of the group.
    moved: under a survey's design the deviations of the mean, whose products are covariances.
    """

    n: float
    mean: float
    variance: float = NAN
    third: float = 0.0
    df: float = NAN
    units: Codes | None = None
    parts: Floats = field(default_factory=lambda: np.zeros(0))
    share: Floats = field(default_factory=lambda: np.zeros(0))
    reason: str = ""
    moved: Floats | None = None

    @property
    def std_error(self) -> float:
        """Of the mean."""
        return math.sqrt(self.variance) if self.variance >= 0 else NAN

    @property
    def method(self) -> str:
        """How the limits are made."""
        if self.moved is not None:
            return SURVEY
        return STUDENT if self.units is None else BY_CLUSTER

    def limits(self, conf_level: float) -> tuple[float, float]:
        """Confidence limits with Student's t, corrected for skewness (Hall)."""
        if not self.variance > 0:
            return NAN, NAN
        q, u = float(stdtrit(self.df, (1 + conf_level) / 2)), self.third / self.variance**1.5
        low, high = (self.mean - self.std_error * _inverse(sign * q, u) for sign in (1, -1))
        return float(low), float(high)


def mean_of(cells: Scored, sampled: bool = False, strata: Codes | None = None, weight: Floats | None = None) -> Mean:
    """The mean of a sample, or the weighted average of its means by stratum.

    cells: amounts by cell; codes of clusters where people are clustered.
    sampled: whether weights are inverse sampling probabilities.
    strata, weight: the stratum of each cell, and the share of each stratum in the average.
    Returns: a stratum with one person has the variance within the others; NaN with its reason where there is no error.
    Source: Hall (1992), JRSS B 54 (skewness); Bell & McCaffrey (2002), Survey Methodology 28 (jackknife by cluster).

    >>> one = np.ones(4)
    >>> result = mean_of(Scored(np.array([1.0, 2.0, 3.0, 6.0]), one, one, one))
    >>> result.mean, round(result.std_error, 3), result.df
    (3.0, 1.08, 3.0)
    """
    share = np.ones(1) if weight is None else weight
    if cells.clusters is None or not cells.values.size:
        return StratumSums.of(cells, sampled, strata, share.size).averaged(share)
    total, means, away = _centered(cells, strata, share.size)
    mean, n = float(share @ means), float(cells.people.sum())
    if cells.sampling is not None and strata is None:
        return _surveyed(cells, cells.sampling, mean, away, n)
    pull = np.divide(share, total, out=np.zeros(share.size), where=total > 0)
    each = (pull[0] if strata is None else pull[strata]) * cells.weight
    return _clustered(cells, mean, away * each, each, n)


def _summed(each: Floats, strata: Codes | None, size: int) -> Floats:
    return np.array([each.sum()]) if strata is None else np.bincount(strata, each, size).astype(float)


def _centered(cells: Scored, strata: Codes | None, size: int) -> tuple[Floats, Floats, Floats]:
    """The weight and the mean of each stratum, 0 of an empty one, and the deviations from it."""
    total = _summed(cells.weight, strata, size)
    # less the first amount, so that large amounts that hardly vary keep their digits
    away = cells.values - cells.values[:1].sum()
    moved = np.divide(_summed(cells.weight * away, strata, size), total, out=np.zeros(size), where=total > 0)
    means = np.where(total > 0, moved + cells.values[:1].sum(), 0.0)
    away = cells.values - (means[0] if strata is None else means[strata])
    away[np.abs(away) < 1e-12 * np.abs(cells.values)] = 0.0
    return total, means, away


class StratumSums(NamedTuple):
    """What the mean of independent people rests on, by stratum.

    within, squares, cubes: of the deviations from the mean of the stratum, each by weight or by its square.
    effective: the size of the weights.
    """

    total: Floats
    people: Floats
    means: Floats
    within: Floats
    squares: Floats
    cubes: Floats
    effective: Floats

    @staticmethod
    def of(cells: Scored, sampled: bool, strata: Codes | None = None, size: int = 1) -> StratumSums:
        """Of a sample, whose cells are in these strata."""
        total, means, away = _centered(cells, strata, size)
        moved = cells.weight * away
        within, cubes = _summed(moved * away, strata, size), _summed(moved * away * away, strata, size)
        if not sampled:
            return StratumSums(total, total, means, within, within, cubes, total)
        people, square = (_summed(each, strata, size) for each in (cells.people, cells.square))
        moved = cells.square * away
        squares, cubes = _summed(moved * away, strata, size), _summed(moved * away * away, strata, size)
        return StratumSums(total, people, means, within, squares, cubes, total**2 / np.maximum(square, 1e-300))

    def at(self, strata: Codes) -> StratumSums:
        """Of some strata."""
        return StratumSums(*(each[strata] for each in self))

    def averaged(self, share: Floats) -> Mean:
        """The average of the means, of which each stratum has a share."""
        n, total, people = float(self.people.sum()), self.total, self.people
        if not total.any():
            return Mean(0.0, NAN, reason=EMPTY)
        mean, several = float(share @ self.means), people > 1
        if not several.any():
            return Mean(n, mean, reason=ONE_PERSON)
        with np.errstate(divide="ignore", invalid="ignore"):
            pull = np.where(total > 0, share / total, 0.0)
            # uneven weights: few people carry the estimate of the variance
            widest = np.maximum(pull**2 * self.squares, self.within / total * share**2 / self.effective)
            variance = np.where(several, widest * people / (people - 1), 0.0)
            pooled = self.within[several].sum() / (people[several] - 1).sum()
            lonely = np.where((people > 0) & ~several, share**2 * pooled, 0.0)
            uncertain = np.sum(np.where(several, variance**2 / np.maximum(self.effective - 1, 1e-9), 0.0))
        uncertain += lonely.sum() ** 2 / max((people[several] - 1).sum(), 1.0)
        whole = float(variance.sum() + lonely.sum())
        if not whole > 0:
            return Mean(n, mean, 0.0, reason=SAME_AMOUNT)
        return Mean(n, mean, whole, float(pull**3 @ self.cubes), whole**2 / float(uncertain))


def _surveyed(cells: Scored, sampling: Sampling, mean: float, away: Floats, n: float) -> Mean:
    """The mean with the variance of a survey's design."""
    assert cells.clusters is not None
    unit = cells.clusters.astype(np.intp)
    moved = sampling.ratio(away, np.ones(away.size), cells.weight, unit)[1]
    return _of_design(n, mean, moved, sampling, (unit, cells.weight, cells.square))


def _of_design(
    n: float, mean: float, moved: Floats, sampling: Sampling, of: tuple[NDArray[np.intp], Floats, Floats]
) -> Mean:
    """A mean with its deviations under a survey's design; without an error where these cannot be known.

    of: `Sampling.freedom`'s arguments.
    """
    units, df = sampling.size(of[0])
    if units < FEWEST_UNITS or df < 1:
        return Mean(n, mean, reason=TOO_FEW_UNITS)
    if not np.isfinite(moved).all():
        return Mean(n, mean, reason=EMPTY_REPLICATE)
    variance = float(moved @ moved)
    free = sampling.freedom(*of)
    return Mean(n, mean, variance, 0.0, free, moved=moved, reason="" if variance > 0 else SAME_AMOUNT)


def surveyed_within(samples: Sequence[Scored], strata: tuple[Codes, Codes], sampling: Sampling) -> tuple[Mean, Mean]:
    """The means of a group and of its reference within strata, weighted n m / (n + m), under a survey's design.

    samples: people of strata that have both; strata: of each cell.
    """
    values, weight, square, people = (
        np.concatenate([getattr(s, name) for s in samples]) for name in ("values", "weight", "square", "people")
    )
    code = np.concatenate(strata).astype(np.int64)
    unit = np.concatenate([s.clusters for s in samples if s.clusters is not None]).astype(np.intp)
    group = np.arange(values.size) < samples[0].values.size
    first = float(values[0])  # so that large amounts that hardly vary keep their digits
    counted, width = CountedPeople(people, weight, square), int(code.max()) + 1
    cells = [
        weighted_cells(values[side] - first, CountedPeople(*(v[side] for v in counted)), code[side], width)
        for side in (group, ~group)
    ]
    share = strata_weights("mantel-haenszel", cells[0], cells[1])[0]
    means = [float(share @ cell.rate / share.sum()) for cell in cells]
    seen = Seen(values - first, group, code, weight, unit, cells, "mantel-haenszel")
    moved = surveyed_means(seen, (means[0], means[1]), sampling)
    one, other = (
        _of_design(float(sample.people.sum()), mean + first, of, sampling, (unit[side], weight[side], square[side]))
        for sample, mean, of, side in zip(samples, means, moved, (group, ~group), strict=True)
    )
    return one, other


def _clustered(cells: Scored, mean: float, parts: Floats, shares: Floats, n: float) -> Mean:
    assert cells.clusters is not None
    units, place = np.unique(cells.clusters, return_inverse=True)
    if units.size < FEWEST_CLUSTERS:
        return Mean(n, mean, reason=FEW_CLUSTERS)
    share = np.bincount(place, shares).astype(float)
    overlap = float(overlap_of(share[:, None])[0, 0])
    if overlap > LEAST_OVERLAP:
        return Mean(n, mean, reason=ONE_CLUSTER)
    raised = np.bincount(place, parts) / (1 - share)
    variance = float(raised @ raised)
    reason = "" if variance > 0 else SAME_AMOUNT
    return Mean(n, mean, variance, 0.0, 1 / overlap, units, raised, share, reason)


# Permutations of two samples whose one is moved or scaled by any amount: their t statistics are sums known once.


MOST_ENUMERATED = 20_000  # divisions of two samples that are all looked at
DRAWN, DRAWN_OF_MANY = 9999, 1999  # of more, that are drawn
FEW_PERMUTED = 100  # people in the smaller sample up to which they are as many as the first
MOST_PERMUTED = 1000  # and up to which there are permutations; beyond it the skewness of a mean is small
CLOSE = 1e-9  # rounding of a statistic that is equal to the observed one


class Exchanges(ABC):
    """A statistic of every way to exchange people of two samples, or of a random set of them.

    all: whether these are all ways.
    """

    all: bool

    @property
    @abstractmethod
    def least(self) -> float:
        """The smallest one-sided p-value there can be."""

    @abstractmethod
    def statistics(self, scale: float, shift: float) -> tuple[float, Floats]:
        """The observed one, and those of the exchanges, of the hypothesis that scale·x − shift and y are alike."""

    def tails(self, scale: float, shift: float) -> tuple[float, float]:
        """One-sided p-values, of a greater and of a smaller mean, of equal distributions of scale·x − shift and y."""
        current, statistic = self.statistics(scale, shift)
        edge = CLOSE * (1 + abs(current)) if math.isfinite(current) else 0.0
        n, extra = statistic.size, int(not self.all)
        above = (int(np.count_nonzero(statistic >= current - edge)) + extra) / (n + extra)
        below = (int(np.count_nonzero(statistic <= current + edge)) + extra) / (n + extra)
        return above, below


class PermutedMeans(Exchanges):
    """Every division of two samples into parts of their sizes, or a random set of them.

    x, y: the samples.
    Source: Janssen (1997), Statistics & Probability Letters 36, 9-21; Chung & Romano (2013), Annals of Statistics 41,
    484-507: the studentized statistic is exact for equal distributions and asymptotically valid for others.

    >>> one = PermutedMeans(np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0]))
    >>> one.tails(1.0, 0.0)
    (1.0, 0.05)
    """

    def __init__(self, x: Floats, y: Floats, seed: int = 0) -> None:
        self.center = float(np.concatenate([x, y]).mean())
        x, y = x - self.center, y - self.center
        self.n, self.m = x.size, y.size
        pooled = np.concatenate([x, y])
        few = min(self.n, self.m)
        self.all = comb(pooled.size, few, exact=True) <= MOST_ENUMERATED
        sums = [np.array(_sums(chosen, self.n, pooled)) for chosen in _subsets(pooled.size, few, self.all, seed)]
        self.of = np.concatenate(sums, axis=1)
        self.whole = np.array(_sums(np.arange(pooled.size)[None], self.n, pooled))
        if few != self.n:  # the smaller part stands for the second sample
            self.of = self.whole - self.of
        self.observed = np.array(_sums(np.arange(self.n)[None], self.n, pooled))

    @property
    def least(self) -> float:
        """The smallest one-sided p-value there can be."""
        return 1 / (self.of.shape[1] + (not self.all))

    def statistics(self, scale: float, shift: float) -> tuple[float, Floats]:
        """Welch's t."""
        shift = shift - (scale - 1) * self.center
        return float(self._statistic(self.observed, scale, shift)[0]), self._statistic(self.of, scale, shift)

    def _statistic(self, of: Floats, scale: float, shift: float) -> Floats:
        """Welch's t of the parts."""
        one = _moved(of, scale, shift)
        total = _moved(self.whole, scale, shift)
        mean, other = one[0] / self.n, (total[0] - one[0]) / self.m
        first = np.maximum(one[1] - self.n * mean**2, 0.0) / (self.n - 1) / self.n
        second = np.maximum(total[1] - one[1] - self.m * other**2, 0.0) / (self.m - 1) / self.m
        spread = first + second
        noise = 1e-18 * float(total[1][0])
        gap = mean - other
        with np.errstate(divide="ignore", invalid="ignore"):
            t = gap / np.sqrt(np.maximum(spread, noise))
            flat = ~(spread > noise)
            t[flat] = np.sign(gap[flat]) * np.inf
        t[np.isnan(t)] = 0.0
        return np.asarray(t)


def _moved(of: Floats, scale: float, shift: float) -> tuple[Floats, Floats]:
    """Sum and sum of squares of a part in which each x became scale·x − shift."""
    n, x, xx, y, yy = of
    return scale * x - shift * n + y, scale**2 * xx - 2 * scale * shift * x + shift**2 * n + yy


def _sums(chosen: Codes, n: int, pooled: Floats) -> tuple[Floats, ...]:
    """Of each part: how many are of x, their sum and that of their squares, and both of those of y."""
    values, mine = pooled[chosen], chosen < n
    x = np.where(mine, values, 0.0)
    y = values - x
    return (
        mine.sum(axis=1).astype(float),
        x.sum(axis=1),
        np.einsum("ij,ij->i", x, x),
        y.sum(axis=1),
        np.einsum("ij,ij->i", y, y),
    )


def _subsets(total: int, size: int, every: bool, seed: int) -> Iterable[Codes]:
    """All subsets of a size, or random ones, in parts of moderate memory."""
    if every:
        yield np.array(list(combinations(range(total), size)), dtype=np.int64)
        return
    rng = np.random.default_rng(seed)
    drawn = DRAWN if size <= FEW_PERMUTED else DRAWN_OF_MANY
    several = size <= FEW_PERMUTED and total <= MOST_AT_ONCE
    most = min(500_000 // size, 20_000_000 // total) if several else 500_000 // size
    for rows in np.array_split(np.arange(drawn), max(1, -(-drawn // most))):
        if several:
            yield _at_once(total, size, rows.size, rng)
        else:
            yield np.array([rng.choice(total, size, replace=False, shuffle=False) for _ in rows])


MOST_AT_ONCE = 10_000  # people; beyond it numpy draws in another way


def _at_once(total: int, size: int, rows: int, rng: np.random.Generator) -> Codes:
    """Random subsets, a row each, as `choice` draws them one by one (Floyd), in a tenth of the time."""
    last = np.arange(total - size, total)
    result = rng.integers(0, np.broadcast_to(last, (rows, size)), endpoint=True)
    taken, row = np.zeros((rows, total), bool), np.arange(rows)
    for one, otherwise in zip(result.T, last, strict=True):
        one[taken[row, one]] = otherwise
        taken[row, one] = True
    return result


# Two lognormal means, whose test holds in small samples of unequal spread.


class LognormalMeans:
    """What two means may be if amounts are lognormal: draws of their generalized pivotal quantities.

    x, y: the means of the logarithms of people who count one each, with their errors.
    Source: Krishnamoorthy & Mathew (2003), Journal of Statistical Planning and Inference 115, 103-121.

    >>> one = np.ones(30)
    >>> low, high = (mean_of(Scored(np.linspace(0, k, 30), one, one, one)) for k in (1, 2))
    >>> bool(LognormalMeans(low, high).tails(1.0, 0.0)[1] < 0.001)
    True
    """

    def __init__(self, x: Mean, y: Mean, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        self.x, self.y = (self._drawn(side, rng) for side in (x, y))

    @staticmethod
    def _drawn(logs: Mean, rng: np.random.Generator) -> Floats:
        variance = logs.variance * logs.df / rng.chisquare(logs.df, DRAWN)  # of the mean logarithm
        drawn = logs.mean + np.sqrt(variance) * rng.standard_normal(DRAWN) + variance * logs.n / 2
        return np.asarray(np.exp(np.minimum(drawn, LARGEST_LOG)))

    def tails(self, scale: float, shift: float) -> tuple[float, float]:
        """One-sided p-values of equal means of scale·x − shift and y: of a greater one, and of a smaller one."""
        apart = scale * self.x - shift - self.y
        return (1 + np.count_nonzero(apart <= 0)) / (1 + DRAWN), (1 + np.count_nonzero(apart >= 0)) / (1 + DRAWN)


LARGEST_LOG = 300.0  # whose exponential can be multiplied and is still a number


# Two means compared: one test of the hypothesis that scale·x − shift and y have one mean, inverted for both contrasts.


@dataclass(frozen=True, eq=False)
class MeanPair:
    """The means of a group (x) and of its reference (y).

    The p-value is the larger of Welch's, of that whose t Hall's transformation corrected for skewness, and, in small
    samples, of the permutations': these hold for equal shapes, the others help where the spread differs. Where small
    samples seem to differ in spread, that of lognormal means is among them, unless large amounts are shown to be rarer
    than lognormal ones. At a ratio r it is that of x/r and y, so
    that without permutations its limits are Fieller's; at no difference both contrasts have one p-value.
    Source: Welch (1947), Biometrika 34; Fieller (1954), JRSS B 16; Zhou & Dinh (2005), Biostatistics 6, 187-200.
    """

    x: Mean
    y: Mean
    permuted: Exchanges | None = None
    lognormal: LognormalMeans | None = None

    @property
    def reason(self) -> str:
        """Why there is no comparison, or ""."""
        for side in (self.x, self.y):
            if side.reason and side.reason != SAME_AMOUNT:
                return side.reason
        return SAME_AMOUNT if self.x.reason and self.y.reason else ""

    @property
    def difference(self) -> float:
        """The group's mean less the reference's."""
        return self.x.mean - self.y.mean

    @property
    def ratio(self) -> float:
        """The group's mean over the reference's."""
        return self.x.mean / self.y.mean if self.y.mean > 0 else NAN

    @property
    def method(self) -> str:
        """How test and limits are made."""
        if self.lognormal is not None:
            return AS_LOGNORMAL.format(method=self._plain)
        return self._plain

    @property
    def _plain(self) -> str:
        if self.permuted is not None:
            exact = message("studentized permutation test, all permutations, and Welch's t: the larger p")
            return exact if self.permuted.all else message("studentized permutation test and Welch's t: the larger p")
        if self.x.moved is None and self.x.units is None:
            return message("Welch's t, without and with Hall's correction of skewness")
        return self.x.method

    def error(self, scale: float = 1.0) -> tuple[float, float, float]:
        """Standard error, degrees of freedom and skewness of scale·x − y."""
        parts = np.array([scale**2 * max(self.x.variance, 0.0), max(self.y.variance, 0.0)])
        if self.x.units is not None and self.y.units is not None:
            raised, overlap = self._shared
            variance, parts = joined_variance(raised * np.array([scale, -1.0]), [0.0, 0.0])
            return math.sqrt(max(variance, 0.0)), satterthwaite(parts, overlap), 0.0
        if self.x.moved is not None and self.y.moved is not None:
            both = scale * self.x.moved - self.y.moved
            uncertain = 1 / np.sqrt([self.x.df, self.y.df])
            return math.sqrt(both @ both), satterthwaite(parts, np.outer(uncertain, uncertain)), 0.0
        se = math.sqrt(parts.sum())
        if not se > 0:
            return 0.0, NAN, NAN
        freedom = [side.df if side.df == side.df else np.inf for side in (self.x, self.y)]
        df = 1 / sum((v / parts.sum()) ** 2 / f for v, f in zip(parts, freedom, strict=True))
        return se, df, (scale**3 * self.x.third - self.y.third) / se**3

    @cached_property
    def _shared(self) -> tuple[Floats, Floats]:
        """What every cluster of either side adds to both means, and how much the two overlap."""
        units = np.unique(np.concatenate([side.units for side in (self.x, self.y) if side.units is not None]))
        raised, share = np.zeros((units.size, 2)), np.zeros((units.size, 2))
        for k, side in enumerate((self.x, self.y)):
            assert side.units is not None
            place = np.searchsorted(units, side.units)
            raised[place, k], share[place, k] = side.parts, side.share
        return raised, overlap_of(share)

    def tails(self, scale: float, shift: float) -> tuple[float, float]:
        """One-sided p-values of equal means of scale·x − shift and y: of a greater one, and of a smaller one."""
        above, below = self._without_lognormal(scale, shift)
        if self.lognormal is None:
            return above, below
        tails = self.lognormal.tails(scale, shift)
        return max(above, tails[0]), max(below, tails[1])

    def _without_lognormal(self, scale: float, shift: float) -> tuple[float, float]:
        by_t = self._by_t(scale, shift)
        if self.permuted is None:
            return by_t
        tails, least = self.permuted.tails(scale, shift), self.permuted.least
        if math.isnan(by_t[0]):
            return tails
        # where no permutation drawn is as extreme, t says how far beyond them it is
        beyond = 0.0 if self.permuted.all else least
        above, below = (q if p <= beyond else max(p, q) for p, q in zip(tails, by_t, strict=True))
        return above, below

    def _by_t(self, scale: float, shift: float) -> tuple[float, float]:
        se, df, u = self.error(scale)
        gap = scale * self.x.mean - shift - self.y.mean
        if not se > 0:
            return NAN, NAN
        ends = [_transformed(gap / se, u), gap / se]
        return float(max(stdtr(df, [-t for t in ends]))), float(max(stdtr(df, ends)))

    @cached_property
    def p_value(self) -> float:
        """Two-sided, of equal means."""
        return NAN if self.reason else min(1.0, 2 * min(self.tails(1.0, 0.0)))

    def p_equivalence(self, low: float, high: float) -> float:
        """Of the claim that the ratio of the means lies between two bounds: two one-sided tests."""
        if self.reason or self.no_ratio:
            return NAN
        return max(self.tails(1 / low, 0.0)[0], self.tails(1 / high, 0.0)[1])

    @cached_property
    def no_ratio(self) -> str:
        """Why there is no ratio, or "": a mean that cannot be told from 0 is no denominator."""
        if self.y.mean <= 0 or (self.y.limits(0.95)[0] <= 0 and self.y.variance > 0):
            return NEAR_ZERO
        return ""

    def difference_limits(self, conf_level: float) -> tuple[float, float]:
        """Limits of the difference."""
        return self._limits(lambda d: (1.0, d), self.difference, conf_level)

    def ratio_limits(self, conf_level: float) -> tuple[float, float]:
        """Limits of the ratio; from 0 where the group's mean cannot be told from 0."""
        if not self.ratio > 0:
            return NAN, NAN
        low, high = self._limits(lambda r: (math.exp(-r), 0.0), math.log(self.ratio), conf_level, FARTHEST_LOG)
        return math.exp(low), math.exp(high)

    def _limits(
        self,
        at: Callable[[float], tuple[float, float]],
        estimate: float,
        conf_level: float,
        farthest: float = math.inf,
    ) -> tuple[float, float]:
        """The values that neither one-sided test rejects, in the direction of each from the estimate."""
        alpha, step = (1 - conf_level) / 2, self._step(at)
        ends = (
            _end(lambda v, k=k: self.tails(*at(v))[k], estimate, way, alpha, farthest, smooth=self.smooth)  # type: ignore[misc]
            for k, way in ((0, -step), (1, step))
        )
        low, high = ends
        return low, high

    @property
    def smooth(self) -> bool:
        """Whether p-values move without steps."""
        return self.permuted is None and self.lognormal is None

    def _step(self, at: Callable[[float], tuple[float, float]]) -> float:
        """About one standard error, in the direction of the parameter."""
        se = self.error()[0]
        return se if at(1.0)[1] else se / max(abs(self.y.mean), abs(self.x.mean))


FARTHEST = 40  # doublings of a standard error
FARTHEST_LOG = 100.0  # of a ratio, whose third power is still a number: beyond it there is no limit
HALVINGS = 45
NEAR = 1e-9  # standard errors


def _end(
    p: Callable[[float], float], center: float, step: float, alpha: float, farthest: float, *, smooth: bool
) -> float:
    """The value farthest from the center, in the direction of the step, whose one-sided p-value is above alpha."""
    inside, outside = center, math.nan
    for k in range(FARTHEST):
        value = center + step * 2**k
        if abs(value) > farthest:
            break
        if p(value) <= alpha:
            outside = value
            break
        inside = value
    if math.isnan(outside):
        return math.copysign(math.inf, step)
    if smooth:
        return float(scipy.optimize.brentq(lambda v: p(v) - alpha, inside, outside, xtol=NEAR * abs(step)))
    for _ in range(HALVINGS):
        middle = (inside + outside) / 2
        inside, outside = (inside, middle) if p(middle) <= alpha else (middle, outside)
        if abs(outside - inside) <= NEAR * abs(step):
            break
    return inside


def mean_pair(x: Scored, y: Scored, *, sampled: bool = False, seed: int = 0, permute: bool = True) -> MeanPair:
    """Compare the means of two samples.

    x, y: amounts of the group and of the reference.
    sampled: whether weights are inverse sampling probabilities.
    permute: whether small samples of people who count one each are permuted.

    >>> one = np.ones(6)
    >>> pair = mean_pair(*(Scored(np.arange(6.0) + k, one, one, one) for k in (2, 1)))
    >>> pair.difference, round(pair.p_value, 2)
    (1.0, 0.45)
    """
    pair = MeanPair(mean_of(x, sampled), mean_of(y, sampled))
    return permuted(pair, x, y, seed) if permute and not sampled else pair


def permuted(pair: MeanPair, x: Scored, y: Scored, seed: int) -> MeanPair:
    """The comparison by permutations, where one sample is small and nobody is clustered."""
    few = min(x.people.sum(), y.people.sum()) <= MOST_PERMUTED
    if x.clusters is not None or not few or pair.reason:
        return pair
    # in their order, so that the permutations that are drawn do not depend on that of the rows
    one, other = (np.sort(np.repeat(s.values, s.weight.astype(np.int64))) for s in (x, y))
    return MeanPair(pair.x, pair.y, PermutedMeans(one, other, seed))


# Where the spread of two samples differs, a test of means needs people: below that it is no test by itself.


SPREAD_DIFFERS = 0.2  # of the test of equal spread: below it small samples need more than tests of their means
NEEDED, POWER = 100.0, 2.32  # people needed at a spread of logarithms of 1, and how that grows: 20 at one half
PLENTY = 2.5  # times what the widest spread of a range needs: the correction of degrees of freedom at most doubles it
NEARLY = 0.8  # of them, as the spread is estimated, too
FEWEST_LIGHTER, LIGHTER = 20, -1.96  # people of each sample, and standard errors of the skewness of their logarithms


@dataclass(frozen=True)
class SampleSpread:
    """The spread of a sample: variance of its logarithms (or amounts) with degrees of freedom, and people."""

    variance: float
    df: float
    people: float
    relative: float  # standard deviation of the logarithms; 1 of amounts that have none

    @staticmethod
    def of(cells: Scored, strata: Codes | None = None, *, logs: bool) -> SampleSpread:
        """Around the mean of each stratum; the effective size of the weights counts."""
        codes = np.zeros(cells.values.size, dtype=np.int64) if strata is None else strata
        values = np.log(cells.values) if logs else cells.values
        total = np.bincount(codes, cells.weight)
        with np.errstate(divide="ignore", invalid="ignore"):
            means = np.bincount(codes, cells.weight * values) / total
        size = cells.kish if cells.values.size else 0.0
        df = size - np.count_nonzero(total)
        if not df > 0:
            return SampleSpread(NAN, NAN, size, NAN)
        variance = float(cells.weight @ (values - means[codes]) ** 2) / cells.total * size / df
        return SampleSpread(variance, df, size, math.sqrt(variance) if logs else 1.0)


def too_few_for_means(x: Scored, y: Scored, strata: tuple[Codes, Codes] | None = None) -> bool:
    """Whether two samples are too small for tests of means by themselves, since their spreads seem to differ.

    No such test keeps its level for small skewed samples of unequal spread; see the table in ``docs/verdicts.md``.

    >>> one, spread = np.ones(12), np.linspace(-1.5, 1.5, 12)
    >>> samples = [Scored(np.exp(s * spread), one, one, one) for s in (0.1, 1.0, 1.1)]
    >>> too_few_for_means(samples[0], samples[1]), too_few_for_means(samples[1], samples[2])
    (True, False)
    """
    least, most = min(x.values.min(), y.values.min()), max(x.values.max(), y.values.max())
    logs = bool(least > 0)
    widest = math.log(most / least) / 2 if logs else 1.0  # no deviation is larger than half the range
    small = 0 if strata is None else 2 * (1 + max(int(codes.max()) for codes in strata))
    if min(x.kish, y.kish) >= max(PLENTY * NEARLY * NEEDED * widest**POWER, NEEDED, small):
        return False
    one, other = (
        SampleSpread.of(cells, codes, logs=logs) for cells, codes in zip((x, y), strata or (None, None), strict=True)
    )
    few = min(one.people, other.people)
    if not (one.variance > 0 and other.variance > 0):
        return bool(one.variance != other.variance and few < NEEDED)
    if few >= NEARLY * NEEDED * max(one.relative, other.relative) ** POWER:
        return False
    ratio = one.variance / other.variance
    p = 2 * min(fdtr(one.df, other.df, ratio), fdtrc(one.df, other.df, ratio))
    return bool(p < SPREAD_DIFFERS)


def lighter_than_lognormal(x: Scored, y: Scored) -> bool:
    """Whether logarithms are shown to be skewed to the left: large amounts are rarer than lognormal ones.

    Tests of means then hold by themselves (about 5% of errors for gamma and Weibull amounts of unequal spread, 20
    people and more; 6.3% in the worst setting measured), and that of lognormal means costs a third of the differences
    found.

    >>> one = np.ones(60)
    >>> flat, normal = np.linspace(0.01, 0.99, 60), scipy.special.ndtri(np.linspace(0.01, 0.99, 60))
    >>> [lighter_than_lognormal(*2 * [Scored(v, one, one, one)]) for v in (-np.log(flat), np.exp(normal))]
    [True, False]
    """
    if min(x.people.sum(), y.people.sum()) < FEWEST_LIGHTER:
        return False
    cubes = n = 0.0
    for side in (x, y):
        logs = np.log(side.values)
        away = logs - np.average(logs, weights=side.people)
        cubes += float(side.people @ away**3) / float(np.average(away**2, weights=side.people)) ** 1.5
        n += float(side.people.sum())
    return cubes / n < LIGHTER * math.sqrt(6 / n)
