"""P(X>Y) within strata for weighted or clustered people."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fairstats.inference.rates.design_rates import FEW_CLUSTERS, FEWEST_CLUSTERS, LEAST_OVERLAP, ONE_CLUSTER
from fairstats.inference.rates.design_sums import overlap_of
from fairstats.inference.rates.stratified_people import ONE_HOLDS_ALL
from fairstats.inference.rates.stratified_rates import FEWEST_DF, NO_OVERLAP
from fairstats.inference.scores.design_effects import DesignEffect, design_effect, joined_variance, satterthwaite
from fairstats.inference.scores.design_samples import Scored, influence
from fairstats.inference.scores.merged_samples import Floats, merge

NAN = float("nan")
# people off the commonest score of their stratum, in the group that has fewer, below which strata share a variance
FEW_DIFFERENT = 15


@dataclass(frozen=True, eq=False)
class Stratum:
    """The two samples of one stratum, with what each observation adds to its P(X>Y)."""

    x: Scored
    y: Scored

    @cached_property
    def made(self) -> tuple[float, tuple[Floats, Floats]]:
        """P(X>Y) + P(X=Y)/2, and the influences."""
        return influence(self.x.values, self.y.values, self.x.share, self.y.share)

    @property
    def theta(self) -> float:
        """P(X>Y) + P(X=Y)/2."""
        return self.made[0]

    @cached_property
    def variances(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Of each sample's part: linearized, and not below Kish's; NaN with one person."""
        (of_x, of_y) = self.made[1]
        return self.x.variances(of_x), self.y.variances(of_y)

    @property
    def alone(self) -> bool:
        """Whether a sample is one person, who shows no variance."""
        return min(self.x.people.sum(), self.y.people.sum()) < 2

    @cached_property
    def equal(self) -> tuple[float, float]:
        """Of each sample's part, if both were drawn from the stratum as a whole."""
        sizes = self.x.kish, self.y.kish
        blocks = merge(self.x.values, self.y.values, self.x.share * sizes[0], self.y.share * sizes[1])
        mass = blocks.sizes / blocks.sizes.sum()
        spread = float(mass @ (np.cumsum(mass) - mass / 2 - 0.5) ** 2) * sum(sizes) / max(sum(sizes) - 1, 1.0)
        return spread / sizes[0], spread / sizes[1]

    @cached_property
    def different(self) -> tuple[float, float]:
        """People of each sample off its commonest score, in effective people."""
        found = []
        for sample in (self.x, self.y):
            _, place = np.unique(sample.values, return_inverse=True)
            found.append(sample.kish * (1 - float(np.bincount(place, sample.share).max())))
        return found[0], found[1]


def stratified_design_effect(
    x: Scored, y: Scored, x_strata: NDArray[np.int64], y_strata: NDArray[np.int64]
) -> DesignEffect:
    """Estimate P(X>Y) + P(X=Y)/2 within strata from cells of weighted or clustered people.

    Parameters
    ----------
    x, y : Scored
        The samples.
    x_strata, y_strata : ndarray of int
        The stratum of each cell.

    Returns
    -------
    DesignEffect
        Strata weigh W1 W0 / (W1 + W0) by their sums of weights. Weighted people have the linearized variance, no
        stratum's below what its weights allow; clusters the delete-one jackknife's, strata included, as a cluster
        brings its strata with it, and never below that of independent people. With one stratum it is `design_effect`.

    Examples
    --------
    >>> one = np.ones(4)
    >>> a, b = (Scored(np.array(v), one, one, one) for v in ([3.0, 5, 13, 14], [1.0, 4, 11, 12]))
    >>> cells = np.array([0, 0, 1, 1])
    >>> round(stratified_design_effect(a, b, cells, cells).estimate, 3)
    0.875
    """
    labels = np.intersect1d(x_strata, y_strata)
    if not labels.size:
        return DesignEffect(NAN, n=0.0, reason=NO_OVERLAP)
    if labels.size == 1:
        return design_effect(x.take(x_strata == labels[0]), y.take(y_strata == labels[0]))
    parts = [Stratum(x.take(x_strata == h), y.take(y_strata == h)) for h in labels]
    theta = np.array([part.theta for part in parts])
    totals = np.array([(part.x.total, part.y.total) for part in parts])
    weight = totals.prod(axis=1) / totals.sum(axis=1)
    share = weight / weight.sum()
    estimate, n = float(share @ theta), float(totals[:, 0].sum())
    seen, least = _independent(parts, share, theta - estimate)
    few = min(sum(part.different[side] for part in parts) for side in range(2)) < FEW_DIFFERENT
    if few:
        least = np.maximum(least, (share**2)[:, None] * np.array([part.equal for part in parts]))
    kish = np.array([(part.x.kish, part.y.kish) for part in parts])
    if x.clusters is None or y.clusters is None:
        sizes = 1 / np.sum((share**2)[:, None] / kish, axis=0)
        spread = float(np.sum(least**2 / np.maximum(kish - 1, 1.0)))
        variance = float(least.sum())
        df = max(variance**2 / spread, FEWEST_DF) if spread > 0 else np.inf
        error = float(np.sqrt(seen.sum()))
        return DesignEffect(estimate, error, variance, df, (sizes[0], sizes[1]), n, pooled=few)
    left = _without_clusters(parts, theta, totals)
    if isinstance(left, str):
        return DesignEffect(NAN, n=n, reason=left)
    change, held = left
    overlap = overlap_of(held)
    if np.diag(overlap).max() > LEAST_OVERLAP:
        return DesignEffect(NAN, n=n, reason=ONE_CLUSTER)
    floors = least.sum(axis=0).tolist()
    variance, of_both = joined_variance(change, floors)
    sizes = 1 / np.sum(held**2, axis=0)
    pooled = few and bool(np.any(of_both <= np.array(floors)))
    df = satterthwaite(of_both, overlap)
    error = float(np.sqrt(np.sum(change.sum(axis=1) ** 2)))
    return DesignEffect(estimate, error, variance, df, (sizes[0], sizes[1]), n, clustered=True, pooled=pooled)


def _independent(parts: list[Stratum], share: Floats, distance: Floats) -> tuple[Floats, Floats]:
    """By stratum and sample what independent people add to the variance: linearized, and not below Kish's."""
    seen, least = np.zeros((len(parts), 2)), np.zeros((len(parts), 2))
    for h, (part, w, gap) in enumerate(zip(parts, share, distance, strict=True)):
        if part.alone:  # the squared distance of the stratum's estimate stands in for a variance that cannot be seen
            seen[h] = least[h] = (w * gap) ** 2 / 2
        else:
            seen[h], least[h] = w**2 * np.array(part.variances).T
    return seen, least


def _without_clusters(parts: list[Stratum], theta: Floats, totals: Floats) -> tuple[Floats, Floats] | str:
    """By cluster and sample: what the average changes by without its people, and their share; or why there is none."""
    codes = [np.concatenate([side.clusters for side in sides]) for sides in _sides(parts)]  # type: ignore[misc]
    units, places = np.unique(np.concatenate(codes), return_inverse=True)
    if min(np.unique(own).size for own in codes) < FEWEST_CLUSTERS:
        return FEW_CLUSTERS
    own_places = np.split(places, [codes[0].size])
    weight = totals.prod(axis=1) / totals.sum(axis=1)
    total, top = weight.sum(), float(weight @ theta)
    change, held = np.zeros((units.size, 2)), np.zeros((units.size, 2))
    cells = [_cells_of_clusters(samples, place) for samples, place in zip(_sides(parts), own_places, strict=True)]
    emptied = np.intersect1d(*(keys[rest == 0] for keys, _, rest in cells))
    for side, (keys, back, rest) in enumerate(cells):
        added = np.concatenate([part.made[1][side] for part in parts])  # share × (place − theta)
        unit, h = np.divmod(keys, len(parts))
        gone = 1 - rest
        now_theta = theta[h] - np.bincount(back, added) / np.where(rest > 0, rest, 1.0)
        mine, other = totals[h, side] * rest, totals[h, 1 - side]
        # a cluster that is all of a stratum takes it away once, not once a sample
        now = np.where(np.isin(keys, emptied), weight[h] / 2, mine * other / (mine + other))
        left = total + np.bincount(unit, now - weight[h], units.size)
        if np.any(left <= 1e-9 * total):
            return ONE_HOLDS_ALL
        now_theta = np.where(rest > 0, now_theta, theta[h])
        sums = top + np.bincount(unit, now * now_theta - weight[h] * theta[h], units.size)
        change[:, side] = sums / left - top / total
        held[:, side] = np.bincount(unit, weight[h] / total * gone, units.size)
    return change, held


def _cells_of_clusters(
    samples: list[Scored], place: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    """Cluster by stratum of one sample as keys, the key of each observation, and the share of the stratum left."""
    stratum = np.repeat(np.arange(len(samples)), [s.values.size for s in samples])
    keys, back = np.unique(place * len(samples) + stratum, return_inverse=True)
    rest = 1 - np.bincount(back, np.concatenate([s.share for s in samples]))
    return keys, back, np.where(rest > 1e-9, rest, 0.0)


def _sides(parts: list[Stratum]) -> tuple[list[Scored], list[Scored]]:
    return [part.x for part in parts], [part.y for part in parts]
