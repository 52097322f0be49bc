"""The tidy rows of leakage: areas under the ROC curve with their verdicts, and the measures of any dependence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

from fairstats.estimates import NAN, Estimate, Estimates
from fairstats.inference.multiplicity import adjust
from fairstats.inference.representations.dependence import Permuted
from fairstats.inference.scores.auc_difference import StudentArea
from fairstats.inference.scores.delong import AucResult
from fairstats.inference.verdicts import verdict_of

NO_PROBE = "no fold in which a probe could be trained and tested on this level"
NO_ROWS = "no fold with enough rows of both sides"
NO_AREA = "a continuous attribute has no AUC; see its distance correlation"
# what a probe learns beside one coefficient a component, rounded up: so the claim of no leak errs in less than 5 %
LEARNED = {"AUC of linear probe": 1, "AUC of non-linear probe": 10}
SMALLEST = 1e-10  # p-values below are not told apart


@dataclass(frozen=True)
class Area:
    """The AUC of one level, with what its verdict is read from.

    Attributes
    ----------
    row : Estimate
        With its estimate, or unestimable.
    limits : callable or None
        Confidence limits at a level.
    p_value, p_adjusted : float
        One-sided, of what else must reject: the ranks, or the refits.
    sizes : (float, float)
        (Effective) numbers of tested rows of the level, and of the others.
    """

    row: Estimate
    limits: Callable[[float], tuple[float, float]] | None = None
    p_value: float = NAN
    p_adjusted: float = NAN
    sizes: tuple[float, float] = (NAN, NAN)


def one_sided(limits: Callable[[float], tuple[float, float]], estimate: float, value: float, *, above: bool) -> float:
    """Return the one-sided p-value of the claim that the parameter is above (or below) a value, by its limits.

    Parameters
    ----------
    limits : callable
        Confidence limits at a level, which widen with it.
    estimate, value : float
    above : bool
        Whether the claim is that the parameter lies above the value.

    Returns
    -------
    float

    Examples
    --------
    >>> from scipy.special import ndtri
    >>> reach = lambda level: float(ndtri((1 + level) / 2))
    >>> round(one_sided(lambda level: (2 - reach(level), 2 + reach(level)), 2.0, 0.0, above=True), 4)
    0.0228
    """
    side = 0 if estimate > value else 1

    def left(log_alpha: float) -> float:
        return (limits(1 - float(np.exp(log_alpha)))[side] - value) * (1 if side == 0 else -1)

    least, most = np.log(2 * SMALLEST), np.log1p(-1e-9)
    if left(least) >= 0:
        tail = SMALLEST
    elif left(most) <= 0:
        tail = 0.5
    else:
        tail = float(np.exp(brentq(left, least, most, xtol=1e-9))) / 2
    return tail if (estimate > value) == above else 1 - tail


def within_strata(
    result: AucResult, strata: NDArray[np.intp], positive: NDArray[np.bool_]
) -> Callable[[float], tuple[float, float]]:
    """Return the limits of an area of pairs within strata, with Student's t of what its variances leave.

    Each stratum takes a mean of its own from either class, so with one case a stratum there is no variance, and the
    limits are Newcombe's.

    Examples
    --------
    >>> from fairstats.inference.scores.stratified_auc import stratified_auc
    >>> y, strata = np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1])
    >>> low, high = within_strata(stratified_auc([1, 2, 12, 11], y, strata)[0], strata, y == 1)(0.95)
    >>> low < 0.2, high > 0.8
    (True, True)
    """
    counted = np.array([(np.sum(positive[strata == s]), np.sum(strata == s)) for s in np.unique(strata)])
    mine, every = counted[(counted[:, 0] > 0) & (counted[:, 0] < counted[:, 1])].T
    left = [int((side - 1).sum()) for side in (mine, every - mine)]
    if min(left) < 1:
        return StudentArea(replace(result, std_error=NAN)).limits
    return StudentArea(replace(result, n_pos=left[0] + 1, n_neg=left[1] + 1)).limits


def attainable(margin: float, k: int, least: tuple[float, float]) -> float:
    """Return the AUC that a linear probe of k scores reaches where the best one has 0.5 + margin.

    Parameters
    ----------
    margin : float
    k : int
    least : (float, float)
        The fewest rows of either side that a probe was trained on.

    References
    ----------
    Raudys & Young (2004), Results in statistical discriminant analysis, Journal of Multivariate Analysis 89, 1-35.

    Examples
    --------
    >>> round(attainable(0.1, 4, (1e9, 1e9)), 3), round(attainable(0.1, 4, (50, 50)), 3)
    (0.6, 0.567)
    """
    squared = 2 * float(ndtri(0.5 + margin)) ** 2
    noise = k * sum(1 / max(n, 0.5) for n in least)
    return float(ndtr(squared / np.sqrt(2 * (squared + noise))))


def judged(areas: Sequence[Area], margin: float | None, conf_level: float, k: int, folds: int) -> list[Estimate]:
    """Return the rows of one probe and attribute with their verdicts.

    A leak is shown where both the ranks (or refits) and the limits reject an AUC of one half or less, adjusted over the
    levels; that there is none beyond the margin, where the limits reject what a probe trained on so few rows would
    attain if the best adversary's AUC were one half and the margin.

    Parameters
    ----------
    areas : sequence of Area
    margin : float or None
    conf_level : float
    k, folds : int
        Components, and folds: half of each fold is tested, by probes trained on as many rows or more.
    """
    known = [a.limits is not None for a in areas]
    by_limits = [NAN if a.limits is None else one_sided(a.limits, a.row.estimate, 0.5, above=True) for a in areas]
    adjusted = adjust(by_limits)
    below = [
        NAN
        if a.limits is None or margin is None
        else one_sided(
            a.limits,
            a.row.estimate,
            attainable(margin, k + LEARNED[a.row.metric], (a.sizes[0] / folds, a.sizes[1] / folds)),
            above=False,
        )
        for a in areas
    ]
    equal = adjust(below)
    rows = []
    for i, area in enumerate(areas):
        if not known[i]:
            rows.append(area.row)
            continue
        p = max(area.p_value, by_limits[i])
        p_adjusted = min(max(area.p_adjusted, float(adjusted[i])), 1.0)
        word = verdict_of(p_adjusted, equal[i], conf_level)
        rows.append(replace(area.row, p_value=p, p_adjusted=p_adjusted, p_equivalence=equal[i], verdict=word))
    return rows


def about(levels: tuple[str, ...], level: int) -> tuple[str, str]:
    """Return a level, and what it is told from."""
    return levels[level], levels[1 - level] if len(levels) == 2 else "all others"


def shown(levels: Sequence[str]) -> list[int]:
    """Return the levels that have a row: the second of two, or all."""
    return [1] if len(levels) == 2 else list(range(len(levels)))


def dependence_row(row: Estimate, found: Permuted, method: str) -> Estimate:
    """Return the row of MMD² or of a distance correlation."""
    if np.isnan(found.statistic):
        return replace(row, status="unestimable", reason=NO_ROWS)
    return replace(row, estimate=found.statistic, p_value=found.p_value, method=method)


def with_holm(rows: list[Estimate]) -> list[Estimate]:
    """Return the rows with p-values adjusted over them."""
    return list(Estimates(rows).with_p_adjusted(adjust([r.p_value for r in rows])))


def standardized(scores: NDArray[np.float64], weights: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
    """Return scores centered and scaled to unit variance; one that does not vary is 0."""
    centered = scores - np.average(scores, axis=0, weights=weights)
    spread = np.sqrt(np.average(centered**2, axis=0, weights=weights))
    rounding = 1e-12 * np.abs(scores).max(axis=0, initial=0.0)
    solid = spread > rounding
    return np.where(solid, centered / np.where(solid, spread, 1.0), 0.0)
