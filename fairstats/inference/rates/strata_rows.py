"""Rates within strata for people with probability weights or in clusters: linearized variances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairstats.estimates import NAN, Estimate, Estimates
from fairstats.inference.rates.one_rate import counts
from fairstats.inference.rates.sampling import EMPTY_REPLICATE, FEWEST_UNITS, TOO_FEW_UNITS, Sampling, SurveyRates
from fairstats.inference.rates.strata import (
    ConditionalLaw,
    Standard,
    StandardPopulation,
    Strata,
    StratifiedRates,
    StratumCells,
    cmh_test,
    common_odds_ratio,
    conditional_law,
    difference_homogeneity,
    homogeneity_test,
    informative,
    standardized,
    strata_weights,
    stratified_mid_p,
    stratified_rates,
    variance_floor,
)
from fairstats.inference.rates.survey import FEW_CLUSTERS, FEWEST_CLUSTERS, DesignPair, DesignRates, bessel, overlap_of
from fairstats.inference.validation import Cells, Outcomes, RowLabels, Weights
from fairstats.language import DataText, joined, message
from fairstats.text import number, percent

Floats = NDArray[np.float64]


# Two standardized rates of people in clusters as a pair under a design: what each cluster does to their difference.


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
    standard: Standard | ArrayLike,
) -> WithoutClusters:
    """Leave the people of each cluster and group out in turn, and average the strata's differences again.

    y, group, code, w, labels: outcome, whether in the group, stratum, weight and cluster of people in strata with both
        groups, shape (n,).
    cells: of the group and of the reference.
    standard: as in `stratified_rates`.
    Returns: a stratum that loses the last people of a group drops out. NaN where no stratum is left.
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
        current = cells[side]
        rest = np.where(current.n[k] - gone > 1e-9 * current.n[k], current.n[k] - gone, 0.0)
        rate = np.clip((current.n[k] * current.rate[k] - events) / np.where(rest > 0, rest, 1.0), 0, 1)
        shrunk = [c.of(k) for c in cells]
        shrunk[side] = StratumCells(rest, *(getattr(shrunk[side], v) for v in ("rate", "variance", "people", "size")))
        population = standard if isinstance(standard, str) else np.asarray(standard)[k]
        now = np.where(rest > 0, strata_weights(population, shrunk[0], shrunk[1])[0], 0.0)
        gap_now = gap[k] + sign * (rate - current.rate[k])
        left = total + np.bincount(cluster, now - weight[k], drawn)
        sums = float(weight @ gap) + np.bincount(cluster, now * gap_now - weight[k] * gap[k], drawn)
        some = left > 1e-9 * total
        change[:, side] = np.where(some, sums / np.where(some, left, 1.0) - float(weight @ gap) / total, np.nan)
        share[:, side] = np.bincount(cluster, weight[k] / total * gone / current.n[k], drawn)
    return WithoutClusters(change, share)


def design_of_strata(
    cells: list[StratumCells], left: WithoutClusters, result: StratifiedRates, standard: Standard | ArrayLike
) -> DesignPair | None:
    """Return the two standardized rates as a pair under a design, or None where a cluster holds all that is compared.

    cells, standard: as in `without_clusters`.
    left: what each cluster does to the difference.
    Returns: a rate's effective size is p (1 - p) / v for the jackknife variance v that its people bring to the
        difference, never below that of independent people whose strata's rates are drawn toward the standardized one.
    """
    if np.isnan(left.change).any():
        return None
    signed = left.change * np.array([-1.0, 1.0])
    rate = np.array([result.rate1, result.rate0])
    units = (left.share > 0).sum(axis=0)
    return pair_of_strata(cells, left.share, signed.T @ signed, rate, standard, units).pair(0, 1)


def pair_of_strata(
    cells: list[StratumCells],
    share: Floats,
    sums: Floats,
    rate: Floats,
    standard: Standard | ArrayLike,
    units: ArrayLike,
) -> DesignRates:
    """The two standardized rates under a design, from the covariance of what the units add to them.

    share: of the units in each rate, shape (units, 2); the other arguments as in `design_of_strata`.
    """
    variance = np.diag(sums)
    with np.errstate(divide="ignore", invalid="ignore"):
        correlation = np.nan_to_num(sums / np.sqrt(np.outer(variance, variance)))
    np.fill_diagonal(correlation, 1.0)
    product, kish = rate * (1 - rate), 1 / np.sum(share**2, axis=0)
    varied = (product > 1e-12) & (variance > 0)
    both = (cells[0].n > 0) & (cells[1].n > 0)
    weight = strata_weights(standard, cells[0], cells[1])[0][both]
    shares = weight / weight.sum()
    least = np.array([variance_floor(c.of(both), shares, float(p)) for c, p in zip(cells, rate, strict=True)])
    size = np.where(varied, product / np.where(varied, np.maximum(variance, least), 1.0), kish)
    linearized = np.full((2, 2), np.nan)
    return DesignRates(rate, size, linearized, np.asarray(units), overlap_of(share), correlation, True)


ONE_HOLDS_ALL = message("without one of the clusters no stratum has people of both groups")
NO_ERROR = message("both groups have the same rate in every cluster, which shows no error")


def stratified_rates_from_data(
    y: Outcomes,
    in_group: Outcomes,
    strata: RowLabels,
    *,
    weights: Weights | None = None,
    clusters: RowLabels | None = None,
    standard: StandardPopulation = "mantel-haenszel",
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
    >>> round(fs.stats.stratified_rates_from_data(y, g, s, weights=[1, 2, 1, 1, 1, 1, 1, 1]).difference, 4)
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
    standard: Standard | ArrayLike = "mantel-haenszel",
    weighted: bool = True,
    sampling: Sampling | None = None,
) -> StratifiedRates:
    """Estimate the same as `stratified_rates_from_data` from cells of people who are alike in everything.

    y, in_group, strata, clusters, standard: as there, by cell.
    people: who is in each cell.
    sampling: how the clusters were drawn, under a survey's design.

    >>> rows, y, group = np.array([10.0, 30, 20, 20]), [1, 0, 1, 0], [True, True, False, False]
    >>> result = stratified_rates_of_cells(y, group, [0, 0, 0, 0], CountedPeople(rows, rows, rows), weighted=False)
    >>> result.difference
    -0.25
    """
    outcome, code = np.asarray(y, dtype=float), np.asarray(strata)
    group = np.asarray(in_group, dtype=bool)
    w = people.weight
    width = int(code.max(initial=-1)) + 1
    cells = [
        weighted_cells(outcome[side], CountedPeople(*(v[side] for v in people)), code[side], width)
        for side in (group, ~group)
    ]
    result = standardized(cells[0], cells[1], standard, unweighted=not weighted)
    if clusters is None or result.reason:
        return result
    at = np.flatnonzero(((cells[0].n > 0) & (cells[1].n > 0))[code])
    if sampling is not None:
        place = np.asarray(clusters).astype(np.intp)
        seen = Seen(outcome, group, code, w, place, cells, standard)
        return _surveyed(seen, at, result, sampling)
    labels = np.unique(np.asarray(clusters), return_inverse=True)[1]
    if min(np.unique(labels[at][side]).size for side in (group[at], ~group[at])) < FEWEST_CLUSTERS:
        return _without(result, FEW_CLUSTERS)
    means = (result.rate1, result.rate0)
    sums = [np.bincount(labels, weights=z) for z in _influences(outcome, group, code, w, cells, standard, means)]
    left = without_clusters(outcome[at], group[at], code[at], w[at], labels[at], cells, standard)
    return _clustered(result, np.column_stack(sums), design_of_strata(cells, left, result, standard))


def weighted_cells(y: Floats, of: CountedPeople, code: NDArray[np.int64], width: int) -> StratumCells:
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
    standard: Standard | ArrayLike,
    means: tuple[float, float],
) -> tuple[Floats, Floats]:
    """Each person's part in the two standardized means, to first order: own outcome, and the stratum's weight."""
    n1, n0 = cells[0].n, cells[1].n
    both = (n1 > 0) & (n0 > 0)
    n = np.where(both, n1 + n0, 1.0)
    weight = np.where(both, strata_weights(standard, cells[0], cells[1])[0], 0.0)
    total = weight.sum()
    # the derivative of the stratum's weight by one more person of the group, or of the reference
    one, none = np.ones_like(n), np.zeros_like(n)
    more = {"mantel-haenszel": ((n0 / n) ** 2, (n1 / n) ** 2), "everybody": (one, one), "group": (one, none)}
    by_group, by_reference = more[standard] if isinstance(standard, str) else (none, none)  # declared weights are fixed
    slope = np.where(both[code], np.where(group, by_group[code], by_reference[code]), 0.0)
    out = []
    for cell, mean, side in ((cells[0], means[0], group), (cells[1], means[1], ~group)):
        values = np.where(side, weight[code] / np.where(cell.n > 0, cell.n, 1.0)[code] * (y - cell.rate[code]), 0.0)
        out.append(w * (values + slope * (cell.rate[code] - mean)) / total)
    return out[0], out[1]


class Seen(NamedTuple):
    """People of two groups: number, whether in the group, stratum, weight and unit; means by stratum, the standard."""

    y: Floats
    group: NDArray[np.bool_]
    code: NDArray[np.int64]
    weight: Floats
    unit: NDArray[np.intp]
    cells: list[StratumCells]
    standard: Standard | ArrayLike


def surveyed_means(seen: Seen, means: tuple[float, float], sampling: Sampling) -> Floats:
    """The deviations of the two standardized means under a survey's design, shape (2, units and strata or R).

    means: of the group and of the reference.
    Source: Binder (1983), International Statistical Review 51, 279-292 (strata's weights are estimated, too).
    """
    y, group, code, w, unit, cells, standard = seen
    if sampling.replicates is None:
        parts = _influences(y, group, code, w, cells, standard, means)
        return np.array([sampling.deviations(np.bincount(unit, z, sampling.units).astype(float)) for z in parts])
    found, size = np.empty((2, sampling.replicates.shape[1])), cells[0].n.size
    for r, column in enumerate(sampling.replicates.T):
        v = column[unit]
        sides = []
        for side in (group, ~group):
            n, e = (np.bincount(code[side], x[side], size).astype(float) for x in (v, v * y))
            sides.append(StratumCells(n, e / np.where(n > 0, n, 1.0), n, n, n))
        both = (sides[0].n > 0) & (sides[1].n > 0)
        share = np.where(both, strata_weights(standard, *sides)[0], 0.0)
        with np.errstate(invalid="ignore"):
            found[:, r] = [float(share @ side.rate / share.sum()) for side in sides]
    return np.array([sampling.replicated(mean, each) for mean, each in zip(means, found, strict=True)])


def _surveyed(seen: Seen, at: NDArray[np.intp], result: StratifiedRates, sampling: Sampling) -> StratifiedRates:
    """The rates with the errors of a survey's design; limits and tests are those of the pair.

    at: who is in strata with both groups.
    """
    y, group, code, w, unit, cells, standard = seen
    sides = [at[side[at] & (w[at] > 0)] for side in (group, ~group)]
    units, freedom = zip(*(sampling.size(unit[side]) for side in sides), strict=True)
    if min(units) < FEWEST_UNITS or min(freedom) < 1:
        return _without(result, TOO_FEW_UNITS)
    rate = np.array([result.rate1, result.rate0])
    moved = surveyed_means(seen, (result.rate1, result.rate0), sampling)
    if not np.isfinite(moved).all():
        return _without(result, EMPTY_REPLICATE)
    left = without_clusters(y[at], group[at], code[at], w[at], sampling.first(unit[at]), cells, standard)
    if np.isnan(left.change).any():
        return _without(result, ONE_HOLDS_ALL)
    V = moved @ moved.T
    if sampling.replicates is None:  # few units make what each adds to a rate too small
        change = np.zeros((len(sampling.stratum), 2))
        change[: len(left.change)] = left.change * np.array([-1.0, 1.0])
        parts = _influences(y, group, code, w, cells, standard, (result.rate1, result.rate0))
        plain = [np.bincount(sampling.first(unit), z, len(change)).astype(float) for z in parts]
        raised = np.array([sampling.raised(*one) for one in zip(change.T, moved, plain, strict=True)])
    else:
        raised = moved
    pair = pair_of_strata(cells, left.share, raised @ raised.T, rate, standard, units)
    least = 1 / np.sqrt(freedom)
    people = np.array([side.size for side in sides], dtype=float)
    known = vars(pair) | {"overlap": np.outer(least, least), "clustered": bool((np.array(units) < people).any())}
    of = SurveyRates(**known, people=people, freedom=np.array(freedom))
    return _of_pair(result, V, of.pair(0, 1))


def _without(result: StratifiedRates, reason: str) -> StratifiedRates:
    return replace(result, variance1=NAN, variance0=NAN, covariance=NAN, size1=NAN, size0=NAN, df=NAN, reason=reason)


def _clustered(result: StratifiedRates, sums: Floats, pair: DesignPair | None) -> StratifiedRates:
    """The rates with the linearized errors of clusters; limits and tests are those of the pair."""
    return (
        _without(result, ONE_HOLDS_ALL) if pair is None else _of_pair(result, sums.T @ sums * bessel(len(sums)), pair)
    )


def _of_pair(result: StratifiedRates, covariance: Floats, pair: DesignPair) -> StratifiedRates:
    (v1, v10), (_, v0) = covariance
    p1, size1, p0, size0 = pair.four
    current, other = p1 * (1 - p1) / size1, p0 * (1 - p0) / size0
    if current + other > 0 and current + other - 2 * pair.correlation * (current * other) ** 0.5 <= 1e-9 * (
        current + other
    ):
        return _without(result, NO_ERROR)
    parts: dict[str, Any] = {"variance1": float(v1), "variance0": float(v0), "covariance": float(v10)}
    return replace(result, **parts, size1=size1, size0=size0, df=pair.df, pair=pair)


# The common odds ratio of two groups within strata, its test, and whether it is common, as tidy rows.


def stratified(
    e1: ArrayLike,
    n1: ArrayLike,
    e0: ArrayLike,
    n0: ArrayLike,
    *,
    attribute: str = "",
    group: str = "",
    reference: str = "",
    strata: str = "strata",
    conf_level: float = 0.95,
    correct: bool = False,
    seed: int = 0,
) -> Estimates:
    """The comparison of two groups within strata, as tidy rows.

    e1, n1, e0, n0: events and sizes of the group and of the reference by stratum, shape (K,).
    attribute, group, reference: what the rows are about.
    strata: name of the factor that makes the strata.
    correct: continuity correction of the CMH test.
    seed: seed of the test of homogeneity where strata are sparse.
    Returns: the common odds ratio with the CMH test, and the tests that the odds ratio, and that the difference, is the
        same in all strata, with their statistics as estimates. n and events are the group's in the strata that say
        something.

    >>> rows = stratified([30, 12], [50, 40], [20, 10], [50, 50], group="a", reference="b")
    >>> rows.column("metric"), round(rows[0].estimate, 3)
    (['common odds ratio', 'homogeneity of odds ratios', 'homogeneity of differences'], 2.016)
    """
    t = informative(e1, n1, e0, n0)
    odds, se, low, high = common_odds_ratio(e1, n1, e0, n0, conf_level)
    about = Estimate("common odds ratio", attribute, group, "ratio", reference, given=strata)
    about = replace(about, n=float(np.sum(t.a + t.b)), events=float(t.a.sum()), reason=_left_out(t))
    chi2, p = cmh_test(e1, n1, e0, n0, correct=correct)
    plain, corrected = (
        message("Cochran-Mantel-Haenszel test"),
        message("Cochran-Mantel-Haenszel test with continuity correction"),
    )
    common = about.with_interval(
        odds,
        low,
        high,
        conf_level,
        estimator=message("Mantel-Haenszel"),
        std_error=odds * se,
        method=joined([message("Mantel-Haenszel, Robins-Breslow-Greenland interval"), corrected if correct else plain]),
    ).with_test(chi2, p, 1.0)
    test_of_one = homogeneity_test(e1, n1, e0, n0, seed=seed)
    same = replace(
        about,
        metric="homogeneity of odds ratios",
        role="supplementary",
        estimate=test_of_one.statistic,
        statistic=test_of_one.statistic,
        df=test_of_one.df,
        p_value=test_of_one.p_value,
        method=test_of_one.method,
        reason=joined((about.reason, test_of_one.caution)),
    )
    return Estimates([*(_with_status(row, t) for row in (common, same)), _same_difference(about, (e1, n1, e0, n0))])


def _same_difference(about: Estimate, table: tuple[ArrayLike, ArrayLike, ArrayLike, ArrayLike]) -> Estimate:
    """The test that the difference is the same in all strata that hold both groups."""
    test = difference_homogeneity(*table)
    (e1, n1, _, n0) = (np.atleast_1d(v) for v in counts(*table))
    both = (n1 > 0) & (n0 > 0)
    row = replace(about, metric="homogeneity of differences", contrast="difference", role="supplementary", reason="")
    row = replace(row, n=float(n1[both].sum()), events=float(e1[both].sum()), method=test.method)
    if np.isnan(test.p_value):
        return replace(row, status="unestimable", reason=message("fewer than two strata hold both groups"))
    return replace(row, estimate=test.statistic, statistic=test.statistic, df=test.df, p_value=test.p_value)


def _left_out(t: Strata) -> str:
    return (
        message("{k} of {n} strata say nothing about the comparison", k=t.dropped, n=t.dropped + t.n.size)
        if t.dropped
        else ""
    )


def _with_status(row: Estimate, t: Strata) -> Estimate:
    if not np.isnan(row.estimate):
        return row
    none = message("no stratum has both groups, with and without the property")
    apart = message("no comparison of strata has both groups, with and without the property")
    return replace(row, df=NAN, status="unestimable", reason=none if t.n.size == 0 else apart)


# The pooled shortfall of a group: how many people fewer had the property than equal rates within strata would give.


@dataclass(frozen=True)
class PooledShortfall:
    """How many people of the group fewer had the property than equal rates within strata would give, and its error."""

    people: float
    std_error: float
    observed: float
    expected: float

    @property
    def deviations(self) -> float:
        """The shortfall in standard deviations (under equal rates): the "number of standard deviations" of a court."""
        return self.people / self.std_error if self.std_error > 0 else (0.0 if self.people == 0 else np.inf)


def pooled_shortfall(e1: Cells, n1: Cells, e0: Cells, n0: Cells) -> PooledShortfall:
    """Return the pooled shortfall of a group in people: expected minus observed events, summed over strata.

    Parameters
    ----------
    e1, n1, e0, n0 : array_like, shape (K,)
        Events and sizes of the group and of the reference by stratum.

    Returns
    -------
    PooledShortfall
        Its standard deviation is that of equal rates within every stratum (hypergeometric), so the squared number of
        standard deviations is the Cochran-Mantel-Haenszel statistic without correction. The shortfall is the
        Mantel-Haenszel risk difference times minus the sum of n1 n0 / (n1 + n0): its confidence limits are the
        difference's, multiplied.

    References
    ----------
    Mantel & Haenszel (1959), JNCI 22, 719-748; Gastwirth & Greenhouse (1995), Statistics in Medicine 14, 1641-1653;
    Hazelwood School District v. United States, 433 U.S. 299 (1977), n. 14.

    Examples
    --------
    >>> import fairstats as fs
    >>> s = fs.stats.pooled_shortfall([3, 10], [20, 40], [30, 20], [80, 50])
    >>> round(s.people, 2), round(s.std_error, 2), round(s.deviations, 2)
    (6.93, 2.93, 2.37)
    """
    e1, n1, e0, n0 = (np.atleast_1d(v) for v in counts(e1, n1, e0, n0))
    n = n1 + n0
    safe = np.where(n > 0, n, 1.0)
    expected = float(np.sum(n1 * (e1 + e0) / safe))
    spread = n1 * n0 * (e1 + e0) * (n - e1 - e0) / (safe**2 * np.maximum(n - 1, 1))
    observed = float(e1.sum())
    return PooledShortfall(expected - observed, float(np.sqrt(spread.sum())), observed, expected)


# The rows that an audit makes of two groups compared within strata.


MEANS, STANDARD = message("Mantel-Haenszel, {text}"), message("standardization, {text}")
LIMITS = message("Wilson limits combined, variance without equal differences")
CONDITIONAL = "conditional odds ratio"
BY_INVERSION = message("conditional maximum likelihood, limits by inversion of the test")
WITHIN, RATIO_WITHIN = "risk difference within strata", "risk ratio within strata"
STANDARDIZED = "standardized difference"
OWN_TEST = message("p by inversion of these limits")
_ROWS = {
    WITHIN: "difference",
    RATIO_WITHIN: "ratio",
    STANDARDIZED: "difference",
    CONDITIONAL: "ratio",
    "shortfall in people": "none",
}
LEFT_OUT = message("{n} people are in strata where one of the two groups is absent, and are left out")
LEFT_OUT_OF_ONE = message("one person is in a stratum where the other group is absent, and is left out")
OTHER_WITHHELD = message("{n} people are in strata where the other group is withheld, and count in the bounds alone")
# of each group, in strata that hold both; below, an answer within strata is of somebody else
COMPARABLE = 0.8
NOT_COMPARABLE = message("only {share}% of {group} are in strata that hold both groups")
NOT_COMPARABLE_SENT = message("only {share}% of {group} are in strata of which people of both groups were sent")
STRATUM_MISSING = message("the stratum of {n} people is missing, and they are left out")
ONLY_KNOWN = message("to compare only those whose stratum is known, leave the others out of the data")
NO_VARIATION = message("nobody, or everybody, has the property in every stratum")


def left_out_text(n: float) -> str:
    """How many people are in strata without the other group, to the nearest one where these are weights; "" for none.

    >>> left_out_text(1.0), left_out_text(0.0)
    ('one person is in a stratum where the other group is absent, and is left out', '')
    >>> left_out_text(4.6537)
    '5 people are in strata where one of the two groups is absent, and are left out'
    """
    if round(n) == 1:
        return LEFT_OUT_OF_ONE
    return LEFT_OUT.format(n=number(n, 0)) if n > 1 else ""


def too_few(about: Estimate, shares: Sequence[float] | Floats, missing: str = "") -> str:
    """Why a comparison within strata has no answer: too small a share of one group is in strata of both; "" else.

    >>> too_few(Estimate("", "sex", "f", reference="m"), (0.9, 0.55))
    'only 55% of m are in strata that hold both groups'
    """
    share = min(shares)
    if not 0 < share < COMPARABLE:
        return ""
    group = about.group if share == shares[0] else about.reference
    text = NOT_COMPARABLE.format(share=percent(float(share), 0), group=DataText(group, about.attribute))
    return joined([text, missing, ONLY_KNOWN if missing else ""])


@dataclass(frozen=True, eq=False)
class StratifiedCounts:
    """Two groups of people who count one each, by stratum: events and sizes of the group and of the reference."""

    e1: ArrayLike
    n1: ArrayLike
    e0: ArrayLike
    n0: ArrayLike

    @property
    def _four(self) -> tuple[ArrayLike, ArrayLike, ArrayLike, ArrayLike]:
        return self.e1, self.n1, self.e0, self.n0

    @cached_property
    def effect(self) -> StratifiedRates:
        """The Mantel-Haenszel difference and ratio."""
        return stratified_rates(*self._four)

    @cached_property
    def test(self) -> tuple[float, str]:
        """The p-value of the exact stratified test, 1 where nothing varies in any stratum, and its name."""
        if self.effect.reason:
            return NAN, ""
        if informative(*self._four).n.size == 0:
            return 1.0, NO_VARIATION
        return stratified_mid_p(*self._four)

    @cached_property
    def law(self) -> ConditionalLaw | None:
        """The law of the exact stratified test, under any common odds ratio."""
        return conditional_law(*self._four)

    @property
    def p_value(self) -> float:
        """The p-value of the exact stratified test; NaN without a stratum of both groups."""
        return self.test[0]

    def p_equivalence(self, margin: float) -> float:
        """The p-value of the claim that the difference within strata is smaller than a margin."""
        return self.effect.p_equivalence(margin)

    def rows(self, about: Estimate, conf_level: float = 0.95) -> Estimates:
        """The rows of the comparison, the one that carries the verdict first; see `stratified_difference_rows`."""
        result, everybody = self.effect, stratified_rates(*self._four, "everybody")
        about = replace(about, n=result.n1 + result.n0, reason=_who(result))
        if result.reason:
            return _unestimable(about, _ROWS, result.reason)
        (people, size, events, other), (p, test) = (np.atleast_1d(v) for v in counts(*self._four)), self.test
        both = (size > 0) & (other > 0)
        about = replace(about, events=float((people + events)[both].sum()), p_value=p, conf_level=conf_level)
        missing, law = pooled_shortfall(*self._four), self.law
        odds = (NAN, NAN, NAN) if law is None else (law.likeliest, *law.matching_limits(conf_level))
        low, high = result.limits(conf_level)
        values = (
            (
                result.difference,
                result.std_error,
                low,
                high,
                joined([MEANS.format(text=result.estimand), LIMITS, test]),
            ),
            (
                result.ratio,
                NAN,
                *result.ratio_limits(conf_level),
                joined([message("Mantel-Haenszel"), message("{text} (MOVER)", text=LIMITS), test]),
            ),
            (
                everybody.difference,
                everybody.std_error,
                *everybody.limits(conf_level),
                joined([STANDARD.format(text=everybody.estimand), LIMITS, OWN_TEST]),
            ),
            (odds[0], NAN, *odds[1:], joined([BY_INVERSION, test])),
            (
                missing.people,
                missing.std_error,
                -result.total * high,
                -result.total * low,
                joined([message("expected minus observed"), test]),
            ),
        )
        rows = []
        for (metric, contrast), (estimate, error, start, end, method) in zip(_ROWS.items(), values, strict=True):
            row = replace(about, metric=metric, contrast=contrast, method=method, estimate=estimate, std_error=error)
            if (
                metric == STANDARDIZED
            ):  # of other weights: where the difference is not the same in all strata, another one
                row = replace(row, p_value=everybody.p_value)
            rows.append(_ended(replace(row, conf_low=start, conf_high=end)))
        return Estimates([*rows[:-1], replace(rows[-1], statistic=missing.deviations)])


def stratified_difference_rows(
    e1: ArrayLike,
    n1: ArrayLike,
    e0: ArrayLike,
    n0: ArrayLike,
    *,
    attribute: str = "",
    group: str = "",
    reference: str = "",
    strata: str = "strata",
    conf_level: float = 0.95,
) -> Estimates:
    """The comparison of two groups within strata, for people who count one each, as tidy rows.

    e1, n1, e0, n0: events and sizes of the group and of the reference by stratum, shape (K,).
    attribute, group, reference: what the rows are about.
    strata: name of the factor that makes the strata; the rows' ``given``.
    Returns: the Mantel-Haenszel risk difference, which carries the verdict, the Mantel-Haenszel risk ratio, the
        difference standardized to everybody, the conditional odds ratio, and the shortfall in people. All but the
        standardized one, which has its own, have the p-value of the exact stratified test. n and events are of both
        groups in the strata that have both: those who were averaged. ``reason`` says how many are left out, ``method``
        what is averaged.

    >>> rows = stratified_difference_rows([30, 0], [100, 400], [60, 0], [100, 400], group="f", reference="m")
    >>> [(r.metric, round(r.estimate, 3)) for r in rows][:3]
    [('risk difference within strata', -0.06), ('risk ratio within strata', 0.5), ('standardized difference', -0.06)]
    """
    about = Estimate("", attribute, group, "difference", reference, given=strata)
    return StratifiedCounts(e1, n1, e0, n0).rows(about, conf_level)


def _unestimable(about: Estimate, types: dict[str, str], reason: str) -> Estimates:
    return Estimates(
        replace(about, metric=m, contrast=c, status="unestimable", reason=reason) for m, c in types.items()
    )


def _ended(row: Estimate) -> Estimate:
    if not np.isnan(row.estimate):
        return row
    return row.blank(n=row.n, status="unestimable", reason=NO_VARIATION)


def _who(result: StratifiedRates) -> str:
    return left_out_text(result.left_out)


@dataclass(frozen=True, eq=False)
class StratifiedPeople:
    """Two groups of weighted or clustered people with their strata: outcome 0 or 1, and who is in the group."""

    y: ArrayLike
    in_group: ArrayLike
    strata: ArrayLike
    weights: ArrayLike | None = None
    clusters: ArrayLike | None = None
    counted: CountedPeople | None = None  # where each entry is a cell of several people who are alike
    sampling: Sampling | None = None  # how the clusters were drawn, under a survey's design

    @cached_property
    def effect(self) -> StratifiedRates:
        """The Mantel-Haenszel difference and ratio."""
        return self._standardized("mantel-haenszel")

    def _standardized(self, standard: Standard) -> StratifiedRates:
        if self.counted is None:
            return stratified_rates_from_data(
                self.y, self.in_group, self.strata, weights=self.weights, clusters=self.clusters, standard=standard
            )
        return stratified_rates_of_cells(
            self.y,
            self.in_group,
            self.strata,
            self.counted,
            clusters=self.clusters,
            standard=standard,
            weighted=self.weights is not None,
            sampling=self.sampling,
        )

    @property
    def p_value(self) -> float:
        """By Student's t; NaN where there is no estimate."""
        return self.effect.p_value

    def p_equivalence(self, margin: float) -> float:
        """The p-value of the claim that the difference within strata is smaller than a margin."""
        return self.effect.p_equivalence(margin)

    def rows(self, about: Estimate, conf_level: float = 0.95) -> Estimates:
        """The Mantel-Haenszel difference, which carries the verdict, and the difference standardized to everybody."""
        entries = {name: _ROWS[name] for name in (WITHIN, STANDARDIZED)}
        if self.effect.reason:
            return _unestimable(replace(about, n=self.effect.n1 + self.effect.n0), entries, self.effect.reason)
        everybody = self._standardized("everybody")
        named = (MEANS.format(text=self.effect.estimand), STANDARD.format(text=everybody.estimand))
        errors = message("linearized, Wilson limits combined")
        if self.clusters is not None:
            errors = message("linearized by cluster, limits of a score test on effective sizes (jackknife)")
        if self.sampling is not None:
            errors = message("variance of the survey's design, limits of a score test on effective sizes")
        rows = []
        for metric, result, method in zip(entries, (self.effect, everybody), named, strict=True):
            low, high = result.limits(conf_level)
            values: dict[str, Any] = {
                "estimate": result.difference,
                "std_error": result.std_error,
                "conf_low": low,
                "conf_high": high,
            }
            values |= {"conf_level": conf_level, "df": result.df, "p_value": result.p_value, "n": result.n1 + result.n0}
            values["statistic"] = result.difference / result.std_error if result.std_error > 0 else NAN
            values |= {
                "metric": metric,
                "method": joined([method, message("{text}, t", text=errors)]),
                "reason": _who(result),
            }
            rows.append(replace(about, **values))
        return Estimates(rows)
