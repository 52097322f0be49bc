"""Samples of scores under weights and clusters, and what each observation adds to P(X>Y)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit, stdtr, stdtrit

from fairstats.arrays import taken
from fairstats.errors import InputError
from fairstats.estimates import Estimate
from fairstats.inference.rates.equivalence import p_outside, p_within
from fairstats.inference.rates.sampling import EMPTY_REPLICATE, FEWEST_UNITS, TOO_FEW_UNITS, Sampling
from fairstats.inference.rates.survey import (
    BURSTS,
    FEW_CLUSTERS,
    FEWEST_CLUSTERS,
    LEAST_OVERLAP,
    ONE_CLUSTER,
    ONE_PERSON,
    bessel,
    hotelling,
    overlap_of,
)
from fairstats.inference.scores.merged import Floats, merge
from fairstats.inference.scores.rank_tests import newcombe_auc
from fairstats.inference.validation import FiniteSample, Level, RowLabels, Weights
from fairstats.language import message

NAN = float("nan")


@dataclass(frozen=True, eq=False)
class Scored:
    """A sample of scores, in cells of people who have the same score (and cluster).

    values: the scores, shape (c,).
    weight, square: summed weights of a cell, and summed squares of the weights, shape (c,).
    people: people of a cell, shape (c,).
    clusters: codes of the clusters, the same in all samples of a design, shape (c,).
    sampling: how these clusters were drawn, under a survey's design.
    """

    values: Floats
    weight: Floats
    square: Floats
    people: Floats
    clusters: NDArray[np.int64] | None = None
    sampling: Sampling | None = None

    def take(self, keep: NDArray[Any]) -> Scored:
        """Some of the cells; those without weight are left out."""
        kept = np.flatnonzero(keep) if keep.dtype == bool else keep
        weight = taken(self.weight, kept)
        if not (weight > 0).all():
            kept, weight = kept[weight > 0], weight[weight > 0]
        # of people who count one each all three are one column
        square, people = (weight if part is self.weight else taken(part, kept) for part in (self.square, self.people))
        clusters = None if self.clusters is None else self.clusters[kept]
        return Scored(self.values[kept], weight, square, people, clusters, self.sampling)

    @property
    def total(self) -> float:
        """Summed weights."""
        return float(self.weight.sum())

    @property
    def share(self) -> Floats:
        """Of the weight, by cell."""
        return self.weight / self.weight.sum()

    @property
    def kish(self) -> float:
        """Effective size of the weights."""
        return float(self.weight.sum() ** 2 / self.square.sum())

    def variances(self, influence: Floats) -> tuple[float, float]:
        """Of a mean of independent people, from what each cell adds to it: linearized, and not below Kish's."""
        n = float(self.people.sum())
        if n <= 1:
            return NAN, NAN
        a = influence / self.share
        linearized = bessel(round(n)) * float((self.square / self.total**2) @ (a * a))
        return linearized, max(linearized, bessel(round(n)) * float(self.share @ (a * a)) / self.kish)


def influence(x: Floats, y: Floats, v: Floats, w: Floats) -> tuple[float, tuple[Floats, Floats]]:
    """The probability of superiority, and what each observation adds to it (linearized), for shares v and w.

    >>> theta, (of_x, of_y) = influence(np.array([1.0, 3.0]), np.array([2.0]), np.full(2, 0.5), np.ones(1))
    >>> theta, of_x.tolist(), of_y.tolist()
    (0.5, [-0.25, 0.25], [0.0])
    """
    blocks = merge(x, y, v, w)
    theta = float(blocks.u())
    of_x = v * (blocks.place_x()[np.searchsorted(blocks.values, x)] - theta)
    of_y = w * (blocks.place_y()[np.searchsorted(blocks.values, y)] - theta)
    return theta, (of_x, of_y)


# Heavily tied scores of weighted or clustered people: those off the common score are rare events, as in a rate.


# people off the commonest score of their sample below which it says too little about its own variance
FEW_DIFFERENT = 5


def effective_sizes(
    samples: Sequence[Scored], independent: ArrayLike, parts: ArrayLike, concentration: Floats | None
) -> Floats:
    """What each sample is worth in independent people.

    independent, parts: variance of each mean if people were independent, and as it is estimated.
    concentration: sum of squared shares of the clusters of each sample: without a variance it is worth that many
        clusters.

    >>> one = np.ones(10)
    >>> effective_sizes([Scored(np.arange(10.0), one, one, one)], [0.01], [0.02], np.array([0.25])).tolist()
    [5.0]
    """
    kish, current, result = (np.array(v, dtype=float) for v in ([s.kish for s in samples], independent, parts))
    without = kish if concentration is None else 1 / concentration
    return np.where(result > 0, kish * current / np.where(result > 0, result, 1.0), without)


def pooled_floors(samples: Sequence[Scored], sizes: Floats, places: Sequence[Floats]) -> Floats:
    """Variance of each mean place if its sample were drawn from all together; 0 where enough people differ.

    sizes: what each is worth in independent people.
    places: for each sample the place (or rank) that every cell of all samples would have in it.
    Returns: where less than half a sample, and fewer than 5 (effective) people of it, are off its commonest score.

    >>> one = np.ones(4)
    >>> samples = [Scored(np.array(v), one, one, one) for v in ([0.0, 0, 0, 0], [0.0, 0, 0, 1])]
    >>> pooled_floors(samples, np.full(2, 4.0), [np.repeat([0.5, 1.0], [7, 1])] * 2).round(4).tolist()
    [0.0091, 0.0091]
    """
    mass = np.concatenate([size * s.share for size, s in zip(sizes, samples, strict=True)]) / sizes.sum()
    off = np.array([1 - _commonest(s.values, s.share) for s in samples])
    few = (off < 0.5) & (off * sizes < FEW_DIFFERENT)
    spread = np.array([float(mass @ (place - mass @ place) ** 2) for place in places])
    return np.where(few, spread / np.maximum(sizes - 1, 1.0), 0.0)


def rarity(samples: Sequence[Scored], sizes: Floats) -> Floats:
    """What heavy ties add to the uncertainty of each variance by clusters: half the excess kurtosis of rare events.

    sizes: what each is worth in independent people.
    Returns: one number a sample, as `DesignRates.uncertainty` has it for a rate; 0 where no score is that of four
        people in five.

    >>> one = np.ones(10)
    >>> tied = Scored(np.array([0.0] * 9 + [1.0]), one, one, one)
    >>> rarity((tied, tied), np.array([10.0, 5.0])).round(2).tolist()
    [0.77, 1.53]
    """
    values = np.concatenate([s.values for s in samples])
    mass = np.concatenate([size * s.share for size, s in zip(sizes, samples, strict=True)]) / sizes.sum()
    off = 1 - _commonest(values, mass)
    product = off * (1 - off)
    if off > 0.5 or not 0 < product < 1 / 6:
        return np.zeros(len(samples))
    return np.asarray(BURSTS / 2 * (1 - 6 * product) / (sizes * product))


def under_ties(
    samples: Sequence[Scored],
    independent: ArrayLike,
    parts: ArrayLike,
    places: Sequence[Floats],
    concentration: Floats | None = None,
) -> tuple[Floats, Floats]:
    """Floors of the variances of mean places, and what to add to the uncertainty of each.

    samples, independent, parts, concentration: as in `effective_sizes`.
    places: as in `pooled_floors`.
    Returns floors, uncertain: the floors are no lower than ``independent``.

    >>> one = np.ones(40)
    >>> apart = Scored(np.arange(40.0), one, one, one)
    >>> [v.tolist() for v in under_ties([apart] * 2, [0.1, 0.2], [0.1, 0.2], [np.ones(80)] * 2)]
    [[0.1, 0.2], [0.0, 0.0]]
    """
    sizes = effective_sizes(samples, independent, parts, concentration)
    floors = np.fmax(np.asarray(independent, dtype=float), pooled_floors(samples, sizes, places))
    return floors, rarity(samples, sizes) if concentration is not None else np.zeros(len(samples))


def _commonest(values: Floats, mass: Floats) -> float:
    """The largest mass of one value."""
    distinct, place = np.unique(values, return_inverse=True)
    return float(np.bincount(place, mass, distinct.size).max())


# P(X>Y), and the area under a ROC curve, of weighted or clustered people: estimate, error, limits and tests.


# shares sum to one only up to this
ROUNDING = 1e-12
WEIGHTED = message("linearized, logit, t")
CLUSTERED = message("linearized by cluster (jackknife), logit, t")
SURVEYED = message("variance of the survey's design, logit, t")
NEWCOMBE = message("Newcombe 5, effective sizes")


@dataclass(frozen=True, eq=False)
class DesignEffect:
    """An estimated P(X>Y) + P(X=Y)/2 of a weighted or clustered sample.

    estimate, std_error: the estimate and its linearized standard error.
    variance: what limits and tests rest on: of clusters the jackknife's, and no sample's smaller than its weights
        allow; of a survey's units with each part over what the others hold of the sample.
    df: Satterthwaite's degrees of freedom.
    sizes: effective sizes of the samples, for the limits at 0 and 1.
    n: summed weights of the first sample.
    units, parts: clusters, and what each adds to the estimate.
    clustered: whether there are clusters.
    surveyed: whether the error is that of a survey's design, whose deviations (`Sampling`) are the parts.
    pooled: whether the variance is, for lack of people who differ, the one under equality: the test is then a score
        test.
    reason: why there is no estimate.
    """

    estimate: float
    std_error: float = NAN
    variance: float = NAN
    df: float = NAN
    sizes: tuple[float, float] = (NAN, NAN)
    n: float = NAN
    units: NDArray[np.int64] | None = None
    parts: Floats | None = None
    clustered: bool = False
    surveyed: bool = False
    pooled: bool = False
    reason: str = ""
    null: None = None  # no permutations under a design

    @property
    def auc(self) -> float:
        """The estimate, where x are positives and y negatives."""
        return self.estimate

    @property
    def method(self) -> str:
        """How limits and test are made."""
        return NEWCOMBE if self._flat else SURVEYED if self.surveyed else CLUSTERED if self.clustered else WEIGHTED

    @property
    def _flat(self) -> bool:
        return not self.variance > ROUNDING**2 or min(self.estimate, 1 - self.estimate) < ROUNDING

    @property
    def _scale(self) -> float:
        """The error on the logit scale."""
        return float(np.sqrt(self.variance)) / (self.estimate * (1 - self.estimate))

    @property
    def statistic(self) -> float:
        """Student's t of 1/2, on the logit scale but for a pooled variance; NaN at 0 and 1."""
        if self._flat or np.isnan(self.estimate):
            return NAN
        if self.pooled:
            return (self.estimate - 0.5) / float(np.sqrt(self.variance))
        return float(logit(self.estimate)) / self._scale

    def limits(self, conf_level: float) -> tuple[float, float]:
        """Confidence limits on the logit scale with t; at 0 and 1, and without a variance, Newcombe's."""
        if np.isnan(self.estimate):
            return NAN, NAN
        if self._flat:
            return newcombe_auc(min(max(self.estimate, 0.0), 1.0), *self.sizes, conf_level)
        center, half = logit(self.estimate), float(stdtrit(self.df, (1 + conf_level) / 2)) * self._scale
        return float(expit(center - half)), float(expit(center + half))

    @cached_property
    def p_value(self) -> float:
        """Two-sided p of 1/2: by t, at 0 and 1 the error at which the limits reach 1/2."""
        if np.isnan(self.estimate):
            return NAN
        if not self._flat:
            return 2 * float(stdtr(self.df, -abs(self.statistic)))
        return p_outside(self.limits, 0.5)

    def p_equivalence(self, margin: float) -> float:
        """p-value of the claim that the probability lies within 1/2 plus or minus a margin, by inverting the limits.

        1 at estimates of 0 and 1, and without a variance.
        """
        if np.isnan(self.estimate) or self._flat:
            return NAN if np.isnan(self.estimate) else 1.0
        return p_within(self.limits, 0.5 - margin, 0.5 + margin)

    def correlation(self, other: DesignEffect) -> float:
        """Of two estimates whose people share clusters."""
        if self.units is None or other.units is None or self.parts is None or other.parts is None:
            return 0.0
        _, mine, theirs = np.intersect1d(self.units, other.units, return_indices=True)
        scale = float(np.linalg.norm(self.parts) * np.linalg.norm(other.parts))
        return float(self.parts[mine] @ other.parts[theirs]) / scale if scale > 0 else 0.0


def design_effect(
    x: Scored, y: Scored, empty: str = message("a group without scores"), *, equal: bool = True
) -> DesignEffect:
    """Estimate P(X>Y) + P(X=Y)/2 from cells of weighted or clustered people.

    x, y: the samples; with positives and negatives it is the AUC.
    empty: the reason where a sample is empty.
    equal: whether the question is if the two are alike; then heavily tied samples share their variance (`rare_scores`).
        False for an AUC, whose samples are expected to differ.
    Returns: without weights and clusters the error is DeLong's. NaN with its reason where a sample is empty, has one
        person or fewer than four clusters, or is mostly one cluster. Under a survey's design the standard
        error is that of linearized placements, or of the estimate in each replicate (R: ``survey::svytotal``,
        ``survey::withReplicates``).
    Source: Obuchowski (1997), Biometrics 53, 567-578; Binder (1983), International Statistical Review 51
    (linearization); Kish (1965) for effective sizes; Bell & McCaffrey (2002), Survey Methodology 28 (jackknife).
    """
    if min(x.values.size, y.values.size) == 0:
        return DesignEffect(NAN, n=x.total, reason=empty)
    theta, of = influence(x.values, y.values, x.share, y.share)
    if x.sampling is not None:
        return _surveyed((x, y), theta, of, equal)
    present: dict[str, Any] = {"estimate": theta, "n": x.total}
    independent = [s.variances(part) for s, part in zip((x, y), of, strict=True)]
    floors = [floor for _, floor in independent]
    if x.clusters is None or y.clusters is None:
        if min(x.people.sum(), y.people.sum()) < 2:
            return DesignEffect(NAN, n=x.total, reason=ONE_PERSON)
        parts, uncertain = np.array(floors), np.zeros(2)
        if equal:
            parts, uncertain = under_ties((x, y), floors, floors, _places(x, y))
            present["pooled"] = bool(np.any(parts > floors))
        overlap = np.diag([1 / max(s.kish - 1, 1e-9) for s in (x, y)] + uncertain)
        present |= {"std_error": float(np.sqrt(sum(v for v, _ in independent))), "variance": float(parts.sum())}
        return DesignEffect(df=satterthwaite(parts, overlap), sizes=(x.kish, y.kish), **present)
    if min(np.unique(codes).size for codes in (x.clusters, y.clusters)) < FEWEST_CLUSTERS:
        return DesignEffect(NAN, n=x.total, reason=FEW_CLUSTERS)
    units, codes = np.unique(np.concatenate([x.clusters, y.clusters]), return_inverse=True)
    current = np.split(codes, [x.values.size])
    share = np.column_stack(
        [np.bincount(c, s.share, units.size).astype(float) for c, s in zip(current, (x, y), strict=True)]
    )
    overlap = overlap_of(share)
    if np.diag(overlap).max() > LEAST_OVERLAP:
        return DesignEffect(NAN, n=x.total, reason=ONE_CLUSTER)
    plain = np.column_stack([np.bincount(c, part, units.size) for c, part in zip(current, of, strict=True)])
    raised = plain / (1 - share)
    if equal:
        spread = np.fmax(np.sum(raised**2, axis=0), floors)
        lifted, uncertain = under_ties((x, y), floors, spread, _places(x, y), np.sum(share**2, axis=0))
        present["pooled"] = bool(np.any(lifted > spread))
        floors, overlap = lifted.tolist(), overlap + np.diag(uncertain)
    variance, parts = joined_variance(raised, floors)
    linearized = bessel(units.size) * float(np.sum(plain.sum(axis=1) ** 2))
    present |= {"std_error": float(np.sqrt(linearized)), "variance": variance, "clustered": True}
    present |= {"units": units, "parts": raised.sum(axis=1)}
    sizes = tuple(float(1 / np.sum(share[:, k] ** 2)) for k in range(2))
    return DesignEffect(df=satterthwaite(parts, overlap), sizes=(sizes[0], sizes[1]), **present)


def _surveyed(samples: tuple[Scored, Scored], theta: float, of: tuple[Floats, Floats], equal: bool) -> DesignEffect:
    """The same with the variance of a survey's design."""
    (x, y), sampling = samples, samples[0].sampling
    assert sampling is not None
    present: dict[str, Any] = {"n": x.total, "surveyed": True}
    units = [unit_of(s) for s in samples]
    sizes, freedom = zip(*(sampling.size(unit) for unit in units), strict=True)
    if min(sizes) < FEWEST_UNITS or min(freedom) < 1:
        return DesignEffect(NAN, reason=TOO_FEW_UNITS, **present)
    firsts = [sampling.first(unit) for unit in units]
    shares = [np.bincount(u, s.share, len(sampling.stratum)) for s, u in zip(samples, firsts, strict=True)]
    if max(share.max() for share in shares) >= 1:  # but for rounding: a weight that is by far the largest
        return DesignEffect(NAN, reason=ONE_CLUSTER, **present)
    sides = [sampling.total(part / s.weight, s.weight, u) for part, s, u in zip(of, samples, units, strict=True)]
    moved = sides[0] + sides[1]
    if sampling.replicates is not None:
        moved = sampling.replicated(theta, placements(x, y, sampling.replicates))
        if not np.isfinite(moved).all():
            return DesignEffect(NAN, reason=EMPTY_REPLICATE, **present)
    squares = [float(share @ share) for share in shares]
    present |= {"std_error": float(np.sqrt(moved @ moved)), "units": np.arange(moved.size), "parts": moved}
    if sampling.replicates is None:  # a place is measured from a mean that its unit has moved
        each = [np.bincount(u, part, s.size).astype(float) for part, u, s in zip(of, firsts, shares, strict=True)]
        known = zip(each, shares, sides, strict=True)
        sides = [sampling.raised(sums / (1 - s), side, sums) for sums, s, side in known]
        moved = sides[0] + sides[1]
    variance, parts, rare = float(moved @ moved), np.array([side @ side for side in sides]), np.zeros(2)
    if equal:
        independent = [s.variances(part)[1] for s, part in zip(samples, of, strict=True)]
        worth = effective_sizes(samples, independent, parts, np.array(squares))
        floors, rare = pooled_floors(samples, worth, _places(x, y)), rarity(samples, worth)
        if np.any(floors > parts):  # of few people who differ
            present["pooled"] = True
            variance, parts = joined_variance(np.column_stack(sides), floors.tolist())
    uncertain = 1 / np.sqrt(freedom)
    df = satterthwaite(parts, np.outer(uncertain, uncertain) + np.diag(rare))
    return DesignEffect(theta, variance=variance, df=df, sizes=(1 / squares[0], 1 / squares[1]), **present)


def unit_of(sample: Scored) -> NDArray[np.intp]:
    """The unit of a survey that each cell was drawn in."""
    assert sample.clusters is not None
    return sample.clusters.astype(np.intp)


def placements(x: Scored, y: Scored, weights: Floats) -> Floats:
    """P(X>Y) + P(X=Y)/2 in each replicate; NaN without weight."""
    distinct, place = np.unique(np.concatenate([x.values, y.values]), return_inverse=True)
    sides = [(unit_of(x), place[: x.values.size]), (unit_of(y), place[x.values.size :])]
    found = np.empty(weights.shape[1])
    for r, weight in enumerate(weights.T):
        of_x, of_y = (np.bincount(at, weight[unit], distinct.size) for unit, at in sides)
        with np.errstate(divide="ignore", invalid="ignore"):
            found[r] = of_x @ (np.cumsum(of_y) - of_y / 2) / (of_x.sum() * of_y.sum())
    return found


def _places(x: Scored, y: Scored) -> tuple[Floats, Floats]:
    """Where every cell of both samples stands among y, and among x."""
    blocks = merge(x.values, y.values, x.share, y.share)
    at = np.searchsorted(blocks.values, np.concatenate([x.values, y.values]))
    return blocks.place_x()[at], blocks.place_y()[at]


def satterthwaite(parts: Floats, overlap: Floats) -> float:
    """Degrees of freedom of a sum of variances whose units overlap.

    >>> satterthwaite(np.array([1.0, 1.0]), np.diag([1 / 5, 1 / 5]))
    10.0
    """
    spread = float(parts @ overlap @ parts)
    return float(parts.sum() ** 2 / spread) if spread > 0 else NAN


def joined_variance(raised: Floats, floors: list[float]) -> tuple[float, Floats]:
    """Variance of the sum of two means from what each cluster adds to them, no mean below its floor; and the parts.

    >>> joined_variance(np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]]), [0.5, 3.0])
    (5.0, array([2., 3.]))
    """
    sums = raised.T @ raised
    spread = np.sqrt(np.diag(sums))
    parts = np.fmax(np.diag(sums), floors)
    together = sums[0, 1] / (spread[0] * spread[1]) if spread.min() > 0 else 0.0
    return float(parts.sum() + 2 * together * np.sqrt(parts[0] * parts[1])), parts


# Rank tests of weighted or clustered people: two samples, or several, from estimated population ranks.


@dataclass(frozen=True)
class DesignRankTest:
    """A rank test of weighted or clustered people.

    statistic, df, p_value: Student's t with an error that few clusters and uneven weights do not make too small, its
        degrees of freedom.
    linearized: t with the linearized error: the statistic of R's ``survey::svyranktest``.
    method: its name.
    """

    statistic: float
    df: float
    p_value: float
    linearized: float
    method: str = message("design-based rank test, t")


def design_rank_test(x: Scored, y: Scored) -> DesignRankTest:
    """Test that two samples of weighted or clustered people have one distribution (Lumley and Scott).

    Returns: of the difference in mean estimated population ranks.
    Source: Lumley & Scott (2013), Biometrika 100, 831-842. R: ``survey::svyranktest``.

    >>> one = np.ones(4)
    >>> x, y = (Scored(np.arange(4.0) + k, one, one, one) for k in (0, 1))
    >>> round(design_rank_test(x, y).linearized, 3)
    -1.117
    """
    means, (of_x, of_y), rank = _mean_ranks((x, y))
    gap, of = means[0] - means[1], (of_x, -of_y)
    if x.sampling is not None:
        return _surveyed_ranks(x, y, gap, of)
    floors = [s.variances(part)[1] for s, part in zip((x, y), of, strict=True)]
    if x.clusters is None or y.clusters is None:
        count = float(x.people.sum() + y.people.sum())
        parts, uncertain = under_ties((x, y), floors, floors, [rank] * 2)
        variance, overlap = float(parts.sum()), np.diag([1 / max(s.kish - 1, 1e-9) for s in (x, y)] + uncertain)
        plain = sum(float((s.square / s.weight**2) @ (part * part)) for s, part in zip((x, y), of, strict=True))
    else:
        _, codes = np.unique(np.concatenate([x.clusters, y.clusters]), return_inverse=True)
        current, count = np.split(codes, [x.values.size]), float(codes.max() + 1)
        share = np.column_stack(
            [np.bincount(c, s.share, int(count)).astype(float) for c, s in zip(current, (x, y), strict=True)]
        )
        sums = np.column_stack([np.bincount(c, part, int(count)) for c, part in zip(current, of, strict=True)])
        raised = sums / np.maximum(1 - share, 1e-12)
        spread = np.fmax(np.sum(raised**2, axis=0), floors)
        lifted, uncertain = under_ties((x, y), floors, spread, [rank] * 2, np.sum(share**2, axis=0))
        variance, parts = joined_variance(raised, lifted.tolist())
        plain, overlap = float(np.sum(sums.sum(axis=1) ** 2)), overlap_of(share) + np.diag(uncertain)
    if not variance > 0 or not plain > 0:
        return DesignRankTest(NAN, NAN, 1.0 if gap == 0 else NAN, NAN)
    t, df = gap / float(np.sqrt(variance)), satterthwaite(parts, overlap)
    return DesignRankTest(t, df, 2 * float(stdtr(df, -abs(t))), gap / float(np.sqrt(plain * bessel(round(count)))))


def _surveyed_ranks(x: Scored, y: Scored, gap: float, of: tuple[Floats, Floats]) -> DesignRankTest:
    """The test under a survey's design, as R's ``survey::svyranktest`` has it: t on its degrees of freedom less one."""
    assert x.sampling is not None
    unit, weight = np.concatenate([unit_of(x), unit_of(y)]), np.concatenate([x.weight, y.weight])
    moved = x.sampling.total(np.concatenate(of) / weight, weight, unit)
    df, error = float(x.sampling.size(unit)[1] - 1), float(np.sqrt(moved @ moved))
    if not error > ROUNDING or df < 1:
        return DesignRankTest(NAN, NAN, 1.0 if abs(gap) <= ROUNDING else NAN, NAN)
    t = gap / error
    return DesignRankTest(t, df, 2 * float(stdtr(df, -abs(t))), t)


def design_rank_omnibus(samples: tuple[Scored, ...]) -> tuple[float, float, float, float]:
    """Test that several samples of weighted or clustered people have one distribution.

    samples: two or more, none empty.
    Returns statistic, df1, df2, p: F of the mean estimated population ranks (`hotelling`); NaN where there are too few
        units.
    Source: Lumley & Scott (2013), Biometrika 100, 831-842; Tipton & Pustejovsky (2015), J. Educ. Behav. Stat. 40.

    >>> one = np.ones(6)
    >>> samples = tuple(Scored(np.arange(6.0) + k, one, one, one) for k in (0, 1, 2))
    >>> round(design_rank_omnibus(samples)[3], 2)
    0.28
    """
    means, of, rank = _mean_ranks(samples)
    if samples[0].sampling is not None:
        return _surveyed_omnibus(samples, np.array(means), rank)
    floors = [s.variances(part)[1] for s, part in zip(samples, of, strict=True)]
    ranks = [rank] * len(samples)
    if samples[0].clusters is None:
        lifted, uncertain = under_ties(samples, floors, floors, ranks)
        return hotelling(
            np.array(means), np.diag(lifted), np.diag([1 / max(s.kish - 1, 1e-9) for s in samples] + uncertain)
        )
    joined = np.concatenate([s.clusters for s in samples if s.clusters is not None])
    codes = np.split(np.unique(joined, return_inverse=True)[1], np.cumsum([s.values.size for s in samples])[:-1])
    count = max(int(c.max()) for c in codes) + 1
    share = np.column_stack([np.bincount(c, s.share, count).astype(float) for c, s in zip(codes, samples, strict=True)])
    sums = np.column_stack([np.bincount(c, part, count) for c, part in zip(codes, of, strict=True)])
    raised = sums / np.maximum(1 - share, 1e-12)
    covariance = raised.T @ raised
    spread = np.fmax(np.diag(covariance), floors)
    lifted, uncertain = under_ties(samples, floors, spread, ranks, np.sum(share**2, axis=0))
    scale = np.sqrt(np.fmax(spread, lifted) / np.maximum(np.diag(covariance), 1e-300))
    joined_covariance = covariance * np.outer(scale, scale)
    np.fill_diagonal(joined_covariance, np.fmax(spread, lifted))
    return hotelling(np.array(means), joined_covariance, overlap_of(share) + np.diag(uncertain))


def _surveyed_omnibus(samples: tuple[Scored, ...], means: Floats, rank: Floats) -> tuple[float, float, float, float]:
    """The test under a survey's design: R's ``survey::svyranktest`` has the same statistic, T²."""
    moved, least = [], []
    ranks = np.split(rank, np.cumsum([s.values.size for s in samples])[:-1])
    for s, current in zip(samples, ranks, strict=True):
        assert s.sampling is not None
        moved.append(s.sampling.ratio(current, np.ones(current.size), s.weight, unit_of(s))[1])
        least.append(1 / np.sqrt(max(s.sampling.freedom(unit_of(s), s.weight, s.square), 0.25)))
    covariance = np.array(moved) @ np.array(moved).T
    if not np.isfinite(covariance).all():
        return NAN, NAN, NAN, NAN
    return hotelling(means, covariance, np.outer(least, least))


def _mean_ranks(samples: tuple[Scored, ...]) -> tuple[list[float], list[Floats], Floats]:
    """Mean estimated population rank of each sample, what each cell adds to it, and the rank of every cell."""
    values, weight = (np.concatenate([getattr(s, name) for s in samples]) for name in ("values", "weight"))
    distinct, place = np.unique(values, return_inverse=True)
    mass = np.bincount(place, weight, distinct.size)
    rank = ((np.cumsum(mass) - mass / 2) / mass.sum())[place]
    ends = np.cumsum([s.values.size for s in samples])[:-1]
    means, influences = [], []
    for s, current in zip(samples, np.split(rank, ends), strict=True):
        mean = float(s.share @ current)
        means.append(mean)
        influences.append(s.share * (current - mean))
    return means, influences, rank


# The probability of superiority (and the AUC) from probability weights and clusters.


@dataclass(frozen=True)
class DesignSuperiority:
    """P(X>Y) + P(X=Y)/2 in the population: estimate, linearized error, interval, test against 1/2."""

    estimate: float
    std_error: float
    low: float
    high: float
    df: float
    p_value: float
    method: str


def probability_of_superiority_survey(
    x: FiniteSample,
    y: FiniteSample,
    *,
    x_weights: Weights | None = None,
    y_weights: Weights | None = None,
    x_clusters: RowLabels | None = None,
    y_clusters: RowLabels | None = None,
    conf_level: Level = 0.95,
) -> DesignSuperiority:
    """Estimate the probability of superiority, P(X>Y) + P(X=Y)/2, from a weighted or clustered sample.

    With the positives' scores as x and the negatives' as y it is the AUC.

    Parameters
    ----------
    x, y : array_like, shape (n,) and (m,)
        The two samples.
    x_weights, y_weights : array_like, optional
        Probability weights, not negative; equal by default.
    x_clusters, y_clusters : array_like, optional
        Labels of the primary sampling units, both or neither; a label in both samples is one unit.
    conf_level : float
        Confidence level.

    Returns
    -------
    DesignSuperiority
        The standard error is that of the linearized statistic: each observation's (weighted) placement around the
        estimate, summed within clusters. Without weights and clusters that is DeLong's. Interval and test are on the
        logit scale, with Student's t; their variance is the jackknife's by cluster, that of uneven weights at least
        Kish's. At 0 or 1, and without a variance, they are Newcombe's with effective sizes. NaN with fewer than four
        clusters in a sample, as there is no error then.

    Raises
    ------
    InputError
        If a score is missing, a weight is negative or missing, or only one sample has clusters.

    References
    ----------
    Obuchowski (1997), Nonparametric analysis of clustered ROC curve data; Binder (1983) for linearization; Kish (1965)
    for effective sizes.

    Examples
    --------
    >>> import fairstats as fs
    >>> weights = {"x_weights": [1, 2, 1], "y_weights": [1, 1, 2]}
    >>> result = fs.stats.probability_of_superiority_survey([1, 2, 4], [0, 2, 3], **weights)
    >>> round(result.estimate, 4), result.method
    (0.5, 'linearized, logit, t')
    """
    a, b = np.asarray(x, dtype=float).ravel(), np.asarray(y, dtype=float).ravel()
    if (x_clusters is None) != (y_clusters is None):
        raise InputError("x_clusters and y_clusters: only one was given; give both, or neither.")
    if min(a.size, b.size) == 0:
        return DesignSuperiority(NAN, NAN, NAN, NAN, NAN, NAN, "")
    v, w = _shares("x_weights", x_weights, a.size), _shares("y_weights", y_weights, b.size)
    codes = None
    if x_clusters is not None and y_clusters is not None:
        labels = np.concatenate([np.ravel(x_clusters), np.ravel(y_clusters)]).astype(str)
        codes = np.unique(labels, return_inverse=True)[1].ravel()
    of_x = Scored(a, v, v * v, np.ones(a.size), None if codes is None else codes[: a.size])
    of_y = Scored(b, w, w * w, np.ones(b.size), None if codes is None else codes[a.size :])
    return superiority_of_effect(design_effect(of_x.take(v > 0), of_y.take(w > 0)), conf_level)


def superiority_of_effect(result: DesignEffect, conf_level: float) -> DesignSuperiority:
    """An effect with its limits at one level.

    >>> superiority_of_effect(DesignEffect(float("nan")), 0.95).method
    ''
    """
    if np.isnan(result.estimate):
        return DesignSuperiority(NAN, NAN, NAN, NAN, NAN, NAN, "")
    low, high = result.limits(conf_level)
    return DesignSuperiority(result.estimate, result.std_error, low, high, result.df, result.p_value, result.method)


def weighted_median(values: ArrayLike, weights: ArrayLike) -> float:
    """The value with half of the weight on either side; between two values their mean.

    values, weights: numbers, and their weights, not negative, shape (n,).
    Returns: NaN without weight. With equal weights the median.

    >>> weighted_median([3, 1, 2], [1, 1, 5]), weighted_median([1, 2], [1, 1])
    (2.0, 1.5)
    """
    v, w = np.asarray(values, dtype=float), np.asarray(weights, dtype=float)
    v, w = v[w > 0], w[w > 0]
    if not v.size:
        return NAN
    order = np.argsort(v)
    below = np.cumsum(w[order])
    half = below[-1] / 2
    low = int(np.searchsorted(below, half * (1 - ROUNDING)))
    high = int(np.searchsorted(below, half * (1 + ROUNDING), side="right"))
    return float(v[order[low]] + v[order[high]]) / 2


def _shares(name: str, weights: ArrayLike | None, size: int) -> Floats:
    if weights is None:
        return np.full(size, 1 / size)
    w = np.asarray(weights, dtype=float).ravel()
    if w.size != size or not (np.all(w >= 0) and np.isfinite(w).all() and w.sum() > 0):
        raise InputError(name, f"has {w.size} values for {size} scores, or one negative or missing; weigh each score.")
    return w / w.sum()


def design_estimate(row: Estimate, result: DesignSuperiority, conf_level: float = 0.95) -> Estimate:
    """The row of an audit for a probability of superiority, or an AUC, from weights or clusters.

    row: metric, attribute, group, reference, n and events.
    found: what `probability_of_superiority_survey` returned.
    conf_level: its level.

    >>> result = probability_of_superiority_survey([1, 2, 4], [0, 2, 3], x_weights=[1, 2, 1])
    >>> design_estimate(Estimate("AUC", "race", "b", n=6.0), result).status
    'ok'
    """
    if np.isnan(result.estimate):
        return replace(
            row, status="unestimable", reason=message("a group without scores, or with fewer than four clusters")
        )
    return row.with_interval(
        result.estimate,
        result.low,
        result.high,
        conf_level,
        std_error=result.std_error,
        df=result.df,
        p_value=result.p_value,
        method=result.method,
    )
