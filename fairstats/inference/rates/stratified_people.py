"""Rates within strata for people with probability weights or in clusters: linearized variances."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairstats.inference.rates.design_rates import FEW_CLUSTERS, FEWEST_CLUSTERS, DesignPair
from fairstats.inference.rates.design_sums import bessel
from fairstats.inference.rates.standardized_rates import StratifiedRates
from fairstats.inference.rates.stratified_clusters import design_of_strata, without_clusters
from fairstats.inference.rates.stratified_rates import Standard, StratumCells, standardized, strata_weights

Floats = NDArray[np.float64]
NAN = float("nan")
ONE_HOLDS_ALL = "without one of the clusters no stratum has people of both groups"
NO_ERROR = "both groups have the same rate in every cluster, which shows no error"


def stratified_rates_of_people(
    y: ArrayLike,
    in_group: ArrayLike,
    strata: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    standard: Standard = "mantel-haenszel",
) -> StratifiedRates:
    """Estimate the rates of two groups with the strata held fixed, for weighted or clustered people.

    Parameters
    ----------
    y : array_like, shape (n,)
        0 or 1.
    in_group : array_like of bool, shape (n,)
        The group; everyone else is the reference.
    strata : array_like of int, shape (n,)
        Stratum of each person, from 0.
    weights : array_like, shape (n,), optional
        Probability weights.
    clusters : array_like, shape (n,), optional
        Clusters, within which people may be alike.
    standard : {"mantel-haenszel", "everybody", "group"}
        As in `stratified_rates`.

    Returns
    -------
    StratifiedRates
        With a reason and NaN where a group has fewer than four clusters in strata with both groups, and where the
        clusters show no error. ``p_value`` is by Student's t with Satterthwaite's degrees of freedom, from the
        clusters' shares of the standardized rates.

    Notes
    -----
    With weights alone, the variance of a stratum's rate is the linearized one with n / (n - 1), and the effective size
    is never larger than Kish's. With clusters each person's influence on both standardized rates, the strata's weights
    included, is summed within clusters: clusters are a sample, and so are the strata that they bring. The standard
    error is the linearized one. Limits and tests are those of two rates under a design (`DesignPair`): a score test on
    effective sizes, whose variances are the jackknife's and never below those of independent people; where nobody or
    everybody has the property the size is Kish's of the clusters' shares of the standardized rate. So limits have a
    width whatever is seen.

    References
    ----------
    Binder (1983), International Statistical Review 51, 279-292; Bell & McCaffrey (2002), Survey Methodology 28;
    Graubard & Korn (2002), Statistical Science 17, 73-96.

    Examples
    --------
    >>> import fairstats as fs
    >>> y, g, s = [1, 0, 1, 1, 0, 0, 1, 0], [True] * 4 + [False] * 4, [0, 0, 1, 1, 0, 0, 1, 1]
    >>> round(fs.stats.stratified_rates_of_people(y, g, s, weights=[1, 2, 1, 1, 1, 1, 1, 1]).difference, 4)
    0.4091
    """
    rows = np.ones(np.size(y))
    w = rows if weights is None else np.asarray(weights, dtype=float)
    people = CountedPeople(rows, w, w * w)
    return stratified_rates_of_cells(
        y, in_group, strata, people, clusters=clusters, standard=standard, weighted=weights is not None
    )


class CountedPeople(NamedTuple):
    """Of cells of people who are alike: how many, the sum of their weights, and of the squares of these."""

    rows: Floats
    weight: Floats
    square: Floats


def stratified_rates_of_cells(
    y: ArrayLike,
    in_group: ArrayLike,
    strata: ArrayLike,
    people: CountedPeople,
    *,
    clusters: ArrayLike | None = None,
    standard: Standard = "mantel-haenszel",
    weighted: bool = True,
) -> StratifiedRates:
    """Estimate the same as `stratified_rates_of_people` from cells of people who are alike in everything.

    Parameters
    ----------
    y, in_group, strata, clusters, standard
        As there, by cell.
    people : CountedPeople
        Who is in each cell.
    weighted : bool
        Whether there are weights.

    Returns
    -------
    StratifiedRates

    Examples
    --------
    >>> rows, y, group = np.array([10.0, 30, 20, 20]), [1, 0, 1, 0], [True, True, False, False]
    >>> made = stratified_rates_of_cells(y, group, [0, 0, 0, 0], CountedPeople(rows, rows, rows), weighted=False)
    >>> made.difference
    -0.25
    """
    outcome, code = np.asarray(y, dtype=float), np.asarray(strata)
    group = np.asarray(in_group, dtype=bool)
    w = people.weight
    width = int(code.max(initial=-1)) + 1
    cells = [
        _weighted_cells(outcome[side], CountedPeople(*(v[side] for v in people)), code[side], width)
        for side in (group, ~group)
    ]
    made = standardized(cells[0], cells[1], standard, unweighted=not weighted)
    if clusters is None or made.reason:
        return made
    labels = np.unique(np.asarray(clusters), return_inverse=True)[1]
    at = np.flatnonzero(((cells[0].n > 0) & (cells[1].n > 0))[code])
    if min(np.unique(labels[at][side]).size for side in (group[at], ~group[at])) < FEWEST_CLUSTERS:
        return _without(made, FEW_CLUSTERS)
    sums = [np.bincount(labels, weights=z) for z in _influences(outcome, group, code, w, cells, standard, made)]
    left = without_clusters(outcome[at], group[at], code[at], w[at], labels[at], cells, standard)
    return _clustered(made, np.column_stack(sums), design_of_strata(cells, left, made, standard))


def _weighted_cells(y: Floats, of: CountedPeople, code: NDArray[np.int64], width: int) -> StratumCells:
    people, n, square = (np.bincount(code, weights=v, minlength=width).astype(float) for v in of)
    safe = np.where(n > 0, n, 1.0)
    rate = np.bincount(code, weights=of.weight * y, minlength=width) / safe
    spread = np.bincount(code, weights=of.square * (y - rate[code]) ** 2, minlength=width) / safe**2
    variance = np.where(people > 1, spread * people / np.maximum(people - 1, 1), 0.0)
    return StratumCells(
        n,
        rate,
        variance,
        np.where(n > 0, people, 0.0),
        np.where(square > 0, n**2 / np.where(square > 0, square, 1), 0.0),
    )


def _influences(
    y: Floats,
    group: NDArray[np.bool_],
    code: NDArray[np.int64],
    w: Floats,
    cells: list[StratumCells],
    standard: Standard,
    made: StratifiedRates,
) -> tuple[Floats, Floats]:
    """Each person's part in the two standardized rates, to first order: own outcome, and the stratum's weight."""
    n1, n0 = cells[0].n, cells[1].n
    both = (n1 > 0) & (n0 > 0)
    n = np.where(both, n1 + n0, 1.0)
    weight = np.where(both, strata_weights(standard, cells[0], cells[1])[0], 0.0)
    total = weight.sum()
    # the derivative of the stratum's weight by one more person of the group, or of the reference
    more = {"mantel-haenszel": ((n0 / n) ** 2, (n1 / n) ** 2), "everybody": (np.ones_like(n), np.ones_like(n))}
    by_group, by_reference = more.get(standard, (np.ones_like(n), np.zeros_like(n)))
    slope = np.where(both[code], np.where(group, by_group[code], by_reference[code]), 0.0)
    out = []
    for cell, rate, side in ((cells[0], made.rate1, group), (cells[1], made.rate0, ~group)):
        own = np.where(side, weight[code] / np.where(cell.n > 0, cell.n, 1.0)[code] * (y - cell.rate[code]), 0.0)
        out.append(w * (own + slope * (cell.rate[code] - rate)) / total)
    return out[0], out[1]


def _without(made: StratifiedRates, reason: str) -> StratifiedRates:
    return replace(made, variance1=NAN, variance0=NAN, covariance=NAN, size1=NAN, size0=NAN, df=NAN, reason=reason)


def _clustered(made: StratifiedRates, sums: Floats, pair: DesignPair | None) -> StratifiedRates:
    """The rates with the linearized errors of clusters; limits and tests are those of the pair."""
    if pair is None:
        return _without(made, ONE_HOLDS_ALL)
    (v1, v10), (_, v0) = sums.T @ sums * bessel(sums.shape[0])
    p1, size1, p0, size0 = pair.four
    own, other = p1 * (1 - p1) / size1, p0 * (1 - p0) / size0
    if own + other > 0 and own + other - 2 * pair.correlation * (own * other) ** 0.5 <= 1e-9 * (own + other):
        return _without(made, NO_ERROR)
    parts: dict[str, Any] = {"variance1": float(v1), "variance0": float(v0), "covariance": float(v10)}
    return replace(made, **parts, size1=size1, size0=size0, df=pair.df, pair=pair)
