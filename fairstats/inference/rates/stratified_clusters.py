"""Two standardized rates of people in clusters as a pair under a design: what each cluster does to their difference."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fairstats.inference.rates.design_rates import DesignPair, DesignRates
from fairstats.inference.rates.design_sums import overlap_of
from fairstats.inference.rates.standardized_rates import StratifiedRates
from fairstats.inference.rates.stratified_rates import Standard, StratumCells, strata_weights, variance_floor

Floats = NDArray[np.float64]


class WithoutClusters(NamedTuple):
    """By cluster and group: the change of the difference without its people of that group, and their share of a rate.

    Both have the shape (clusters, 2): the group, then the reference.
    """

    change: Floats
    share: Floats


def without_clusters(
    y: Floats,
    group: NDArray[np.bool_],
    code: NDArray[np.int64],
    w: Floats,
    labels: NDArray[np.int64],
    cells: list[StratumCells],
    standard: Standard,
) -> WithoutClusters:
    """Leave the people of each cluster and group out in turn, and average the strata's differences again.

    Parameters
    ----------
    y, group, code, w, labels : ndarray, shape (n,)
        Outcome, whether in the group, stratum, weight and cluster of people in strata with both groups.
    cells : two StratumCells
        Of the group and of the reference.
    standard : {"mantel-haenszel", "everybody", "group"}
        As in `stratified_rates`.

    Returns
    -------
    WithoutClusters
        A stratum that loses the last people of a group drops out. NaN where no stratum is left.
    """
    both = (cells[0].n > 0) & (cells[1].n > 0)
    weight = np.where(both, strata_weights(standard, cells[0], cells[1])[0], 0.0)
    total, gap = weight.sum(), np.where(both, cells[0].rate - cells[1].rate, 0.0)
    drawn, strata = int(labels.max()) + 1, both.size
    change, share = np.zeros((drawn, 2)), np.zeros((drawn, 2))
    for side, (chosen, sign) in enumerate(((group, 1.0), (~group, -1.0))):
        keys, place = np.unique(labels[chosen] * strata + code[chosen], return_inverse=True)
        cluster, k = np.divmod(keys, strata)
        gone, events = np.bincount(place, w[chosen]), np.bincount(place, (w * y)[chosen])
        own = cells[side]
        rest = np.where(own.n[k] - gone > 1e-9 * own.n[k], own.n[k] - gone, 0.0)
        rate = np.clip((own.n[k] * own.rate[k] - events) / np.where(rest > 0, rest, 1.0), 0, 1)
        shrunk = [c.of(k) for c in cells]
        shrunk[side] = StratumCells(rest, *(getattr(shrunk[side], v) for v in ("rate", "variance", "people", "size")))
        now = np.where(rest > 0, strata_weights(standard, shrunk[0], shrunk[1])[0], 0.0)
        gap_now = gap[k] + sign * (rate - own.rate[k])
        left = total + np.bincount(cluster, now - weight[k], drawn)
        sums = float(weight @ gap) + np.bincount(cluster, now * gap_now - weight[k] * gap[k], drawn)
        some = left > 1e-9 * total
        change[:, side] = np.where(some, sums / np.where(some, left, 1.0) - float(weight @ gap) / total, np.nan)
        share[:, side] = np.bincount(cluster, weight[k] / total * gone / own.n[k], drawn)
    return WithoutClusters(change, share)


def design_of_strata(
    cells: list[StratumCells], left: WithoutClusters, made: StratifiedRates, standard: Standard
) -> DesignPair | None:
    """Return the two standardized rates as a pair under a design, or None where a cluster holds all that is compared.

    Parameters
    ----------
    cells, standard
        As in `without_clusters`.
    left : WithoutClusters
        What each cluster does to the difference.
    made : StratifiedRates
        The standardized rates.

    Returns
    -------
    DesignPair or None
        A rate's effective size is p (1 - p) / v for the jackknife variance v that its people bring to the difference,
        never below that of independent people whose strata's rates are drawn toward the standardized one.
    """
    if np.isnan(left.change).any():
        return None
    rate = np.array([made.rate1, made.rate0])
    sums = left.change.T @ left.change
    variance = np.diag(sums)
    with np.errstate(divide="ignore", invalid="ignore"):
        correlation = np.nan_to_num(-sums / np.sqrt(np.outer(variance, variance)))
    np.fill_diagonal(correlation, 1.0)
    product, kish = rate * (1 - rate), 1 / np.sum(left.share**2, axis=0)
    varied = (product > 1e-12) & (variance > 0)
    both = (cells[0].n > 0) & (cells[1].n > 0)
    weight = strata_weights(standard, cells[0], cells[1])[0][both]
    shares = weight / weight.sum()
    least = np.array([variance_floor(c.of(both), shares, float(p)) for c, p in zip(cells, rate, strict=True)])
    size = np.where(varied, product / np.where(varied, np.maximum(variance, least), 1.0), kish)
    units = (left.share > 0).sum(axis=0)
    linearized = np.full((2, 2), np.nan)
    return DesignRates(rate, size, linearized, units, overlap_of(left.share), correlation, True).pair(0, 1)
