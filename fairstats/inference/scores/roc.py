"""The area under the ROC curve with DeLong's standard error, from one sort."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit, ndtr, ndtri, stdtrit

from fairstats.errors import InputError
from fairstats.estimates import Estimate
from fairstats.inference.rates.equivalence import p_outside, p_within
from fairstats.inference.scores.merged import Blocks, Floats, merge, u_variance
from fairstats.inference.scores.rank_tests import newcombe_auc, placement_variances
from fairstats.inference.scores.survey import (
    DesignEffect,
    DesignSuperiority,
    influence,
    satterthwaite,
    superiority_of_effect,
)
from fairstats.inference.validation import (
    Grid,
    Level,
    Outcomes,
    Positive,
    Rate,
    RowLabels,
    Sample,
    StandardError,
    Weights,
)
from fairstats.language import joined, message

NAN = float("nan")


@dataclass(frozen=True)
class AucResult:
    """An area under the ROC curve: estimate, DeLong standard error, interval, and how the interval was made."""

    auc: float
    std_error: float
    low: float
    high: float
    n_pos: int
    n_neg: int
    method: str = "DeLong"


def auc(scores: Sample, y: Outcomes, conf_level: Level = 0.95) -> AucResult:
    """Estimate the area under the ROC curve, with DeLong's standard error and an interval that never has zero width.

    The interval is chosen by what the data can bear, and `method` names it:

    - "DeLong": estimate ± z standard errors, as in R's ``pROC::ci.auc``, while it stays inside (0, 1);
    - "DeLong, logit": the same on the logit scale where the plain interval would leave (0, 1) (pROC cuts it off);
    - "exact bound": at exactly 0 or 1, where DeLong's standard error is 0. With k = min(n_pos, n_neg) disjoint pairs a
      perfect separation has probability at most AUC^k, so AUC >= (alpha/2)^(1/k) holds with the stated confidence;
    - "Newcombe 5": where the standard error is undefined (one case or one control) or zero (a constant score).

    Parameters
    ----------
    scores : array_like, shape (n,)
        Larger means more likely positive.
    y : array_like, shape (n,)
        Outcomes 0 and 1 (or booleans).
    conf_level : float
        Confidence level.

    Returns
    -------
    AucResult
        NaN where nobody, or everybody, is positive.

    Raises
    ------
    InputError
        If a score is missing.

    References
    ----------
    DeLong, DeLong & Clarke-Pearson (1988); Sun & Xu (2014) for the O(n log n) form; Pepe (2003), section 5.2, for the
    logit scale. R: ``pROC::ci.auc(method = "delong")``.

    Examples
    --------
    >>> import fairstats as fs
    >>> fs.stats.auc([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1]).auc
    0.75
    >>> round(fs.stats.auc([1, 2, 3, 4, 5, 6], [0, 0, 0, 1, 1, 1]).low, 4)
    0.2924
    """
    return area(split_outcomes(scores, y), conf_level)


def split_outcomes(scores: ArrayLike, y: ArrayLike) -> Blocks:
    """Scores of the positive people merged with those of the negative ones.

    scores, y: scores and outcomes 0 and 1, shape (n,).

    >>> split_outcomes([1, 2], [0, 1]).u()
    1.0
    """
    values, positive = np.asarray(scores, dtype=float).ravel(), np.asarray(y).ravel() == 1
    if values.size != positive.size:
        raise InputError("y", f"has {positive.size} values for {values.size} scores; give one outcome for each score.")
    return merge(values[positive], values[~positive])


def area(blocks: Blocks, conf_level: float = 0.95) -> AucResult:
    """As `auc`, of samples already merged (positives first).

    blocks: scores of the positive people, and of the negative ones.

    >>> area(merge([3, 4], [1, 2])).auc
    1.0
    """
    n, m = round(blocks.n), round(blocks.m)
    if min(n, m) == 0:
        return AucResult(NAN, NAN, NAN, NAN, n, m, "")
    theta = blocks.u() / (n * m)
    se = float(np.sqrt(sum(placement_variances(blocks))))
    low, high, method = auc_interval(theta, se, n, m, conf_level)
    return AucResult(theta, se, low, high, n, m, method)


def auc_interval(
    theta: Rate, se: StandardError, n: Positive, m: Positive, conf_level: Level = 0.95
) -> tuple[float, float, str]:
    """Return the interval that `auc` describes, from the estimate and its standard error.

    Parameters
    ----------
    theta, se : float
        Area and DeLong's standard error (0 or NaN where there is none).
    n, m : int
        Numbers of positives and negatives.
    conf_level : float
        Confidence level.

    Returns
    -------
    low, high, method : float, float, str

    Examples
    --------
    >>> import fairstats as fs
    >>> fs.stats.auc_interval(1.0, 0.0, 1, 5, 0.5)
    (0.25, 1.0, 'exact bound')
    """
    half = float(ndtri((1 + conf_level) / 2)) * se
    if theta in (0.0, 1.0):
        bound = ((1 - conf_level) / 2) ** (1 / min(n, m))
        return (bound, 1.0, message("exact bound")) if theta == 1.0 else (0.0, 1 - bound, message("exact bound"))
    if not se > 0:
        return *newcombe_auc(theta, n, m, conf_level), "Newcombe 5"
    if theta - half > 0 and theta + half < 1:
        return theta - half, theta + half, "DeLong"
    reach = half / (theta * (1 - theta))
    return float(expit(logit(theta) - reach)), float(expit(logit(theta) + reach)), message("DeLong, logit")


# Two areas under the ROC curve compared: of two groups, or of two scores of the same people.


METHOD = message("limits of the two areas combined (MOVER; DeLong on the logit scale, t)")


@dataclass(frozen=True)
class AucDifference:
    """The difference of two areas with its interval and test."""

    difference: float
    std_error: float
    low: float
    high: float
    statistic: float
    df: float
    p_value: float
    method: str


class Bounded(Protocol):
    """An estimated area that has limits at every level."""

    @property
    def auc(self) -> float:
        """The estimate."""

    @property
    def std_error(self) -> float:
        """Its standard error."""

    def limits(self, conf_level: float) -> tuple[float, float]:
        """Its confidence limits."""


@dataclass(frozen=True)
class StudentArea:
    """An area whose limits are DeLong's on the logit scale, with Student's t.

    found: area, DeLong's standard error, positives and negatives.
    """

    result: AucResult

    @property
    def auc(self) -> float:
        """The area."""
        return self.result.auc

    @property
    def std_error(self) -> float:
        """DeLong's."""
        return self.result.std_error

    def limits(self, conf_level: float) -> tuple[float, float]:
        """Limits with (smaller class - 1) degrees of freedom; an exact bound at 0 and 1, Newcombe's with one case.

        NaN where nobody, or everybody, is positive.
        """
        theta, se, least = self.auc, self.std_error, min(self.result.n_pos, self.result.n_neg)
        if least == 0:
            return NAN, NAN
        if theta in (0.0, 1.0) or not se > 0:
            return auc_interval(theta, 0.0, self.result.n_pos, self.result.n_neg, conf_level)[:2]
        reach = float(stdtrit(least - 1.0, (1 + conf_level) / 2)) * se / (theta * (1 - theta))
        return float(expit(logit(theta) - reach)), float(expit(logit(theta) + reach))


@dataclass(frozen=True)
class AreaGap:
    """The difference of two estimated areas: limits recovered from theirs, and tests that invert those limits.

    own, base: the two areas.
    correlation: of their estimates; 0 for independent groups.
    Source: Zou & Donner (2008), Statistics in Medicine 27, 1693-1702 (MOVER); Zou (2007), Psychological Methods 12,
    399-413.
    """

    area: Bounded
    base: Bounded
    correlation: float = 0.0

    @property
    def difference(self) -> float:
        """Own minus base."""
        return self.area.auc - self.base.auc

    @property
    def std_error(self) -> float:
        """Of the difference."""
        return self._joined(self.area.std_error, self.base.std_error)

    def limits(self, conf_level: float) -> tuple[float, float]:
        """Confidence limits of the difference."""
        (low1, high1), (low0, high0) = self.area.limits(conf_level), self.base.limits(conf_level)
        below = self._joined(self.area.auc - low1, high0 - self.base.auc)
        return self.difference - below, self.difference + self._joined(high1 - self.area.auc, self.base.auc - low0)

    @cached_property
    def p_value(self) -> float:
        """The error at which the limits just reach 0, at least 1e-12; 1 where there is no difference."""
        if np.isnan(self.difference) or self.difference == 0:
            return NAN if np.isnan(self.difference) else 1.0
        return p_outside(self.limits, 0.0)

    def p_equivalence(self, margin: float) -> float:
        """p-value of the claim that the areas differ by less than a margin, by inverting the limits."""
        return p_within(self.limits, -margin, margin)

    def result(self, conf_level: float, method: str) -> AucDifference:
        """The difference with its limits and test."""
        if np.isnan(self.difference):
            return AucDifference(NAN, NAN, NAN, NAN, NAN, NAN, NAN, "")
        return AucDifference(self.difference, self.std_error, *self.limits(conf_level), NAN, NAN, self.p_value, method)

    def _joined(self, a: float, b: float) -> float:
        return float(np.sqrt(max(a * a + b * b - 2 * self.correlation * a * b, 0.0)))


def auc_gap(scores: ArrayLike, y: ArrayLike, reference_scores: ArrayLike, reference_y: ArrayLike) -> AreaGap:
    """The difference of two independent groups' areas, sorted once, for limits and tests of every level.

    scores, y, reference_scores, reference_y: as in `auc_difference`.

    >>> round(auc_gap([1, 2, 3, 4], [0, 1, 0, 1], [1, 2, 3, 4], [1, 0, 1, 0]).difference, 3)
    0.5
    """
    ours, theirs = split_outcomes(scores, y), split_outcomes(reference_scores, reference_y)
    return AreaGap(StudentArea(area(ours)), StudentArea(area(theirs)))


def auc_difference(
    scores: Sample, y: Outcomes, reference_scores: Sample, reference_y: Outcomes, conf_level: Level = 0.95
) -> AucDifference:
    """Estimate the difference of the areas under the ROC curve of two independent groups, group minus reference.

    Parameters
    ----------
    scores, y : array_like, shape (n,)
        Scores and outcomes of the group.
    reference_scores, reference_y : array_like, shape (m,)
        Scores and outcomes of the reference group.
    conf_level : float
        Confidence level.

    Returns
    -------
    AucDifference
        The limits of both areas (DeLong's on the logit scale, with Student's t of the smaller class less one degrees
        of freedom; an exact bound at 0 and 1, Newcombe's with one case) combined by the method of variance estimates
        recovery; the p-value inverts the limits.

    Notes
    -----
    DeLong's t on the scale of the area, as R's ``pROC::roc.test(paired = FALSE)``, rejects 8 to 21% of true equalities
    with four to twenty positives; this 0.4 to 6%.

    References
    ----------
    DeLong, DeLong & Clarke-Pearson (1988); Zou & Donner (2008), Statistics in Medicine 27, 1693-1702, for the recovery
    of variances; Qin & Hotilovac (2008), Statistical Methods in Medical Research 17, 207-221, for the logit scale.

    Examples
    --------
    >>> import fairstats as fs
    >>> d = fs.stats.auc_difference([1, 2, 3, 4], [0, 1, 0, 1], [1, 2, 3, 4], [1, 0, 1, 0])
    >>> d.difference
    0.5
    """
    return auc_gap(scores, y, reference_scores, reference_y).result(conf_level, METHOD)


def auc_difference_paired(scores: Sample, other: Sample, y: Outcomes, conf_level: Level = 0.95) -> AucDifference:
    """Estimate the difference of the areas under the ROC curve of two scores of the same people, first minus second.

    Parameters
    ----------
    scores, other : array_like, shape (n,)
        The two scores.
    y : array_like, shape (n,)
        Outcomes 0 and 1.
    conf_level : float
        Confidence level.

    Returns
    -------
    AucDifference
        DeLong's correlated test, R's ``pROC::roc.test(paired = TRUE)``: `df` is infinite (a normal reference). Where
        the variance of the difference is zero or undefined, only the difference is given and p = 1 if it is 0.

    Raises
    ------
    InputError
        If the lengths differ or a score is missing.

    References
    ----------
    DeLong, DeLong & Clarke-Pearson (1988).

    Examples
    --------
    >>> import fairstats as fs
    >>> d = fs.stats.auc_difference_paired([1, 2, 3, 4, 5], [2, 1, 3, 5, 4], [0, 0, 1, 0, 1])
    >>> round(d.difference, 4), round(d.p_value, 4)
    (0.1667, 0.4795)
    """
    positive = np.asarray(y).ravel() == 1
    first, second = (placements(np.asarray(s, dtype=float).ravel(), positive) for s in (scores, other))
    n, m = int(positive.sum()), int((~positive).sum())
    if min(n, m) == 0:
        return AucDifference(NAN, NAN, NAN, NAN, NAN, NAN, NAN, "")
    of_cases, of_controls = first[positive] - second[positive], first[~positive] - second[~positive]
    gap = float(of_cases.mean())
    se = float(np.sqrt(of_cases.var(ddof=1) / n + of_controls.var(ddof=1) / m)) if min(n, m) > 1 else NAN
    if not se > 0:
        return AucDifference(gap, se, NAN, NAN, NAN, NAN, 1.0 if gap == 0 else NAN, "DeLong, paired (no variance)")
    half = float(ndtri((1 + conf_level) / 2)) * se
    p = 2 * float(ndtr(-abs(gap / se)))
    return AucDifference(
        gap, se, max(-1.0, gap - half), min(1.0, gap + half), gap / se, float("inf"), p, "DeLong, paired"
    )


def placements(scores: Floats, positive: NDArray[np.bool_]) -> Floats:
    """Each case's share of controls below it, each control's share of cases above it."""
    if scores.size != positive.size:
        raise InputError("y", f"has {positive.size} values for {scores.size} scores; give one outcome for each score.")
    blocks = merge(scores[positive], scores[~positive])
    if min(blocks.n, blocks.m) == 0:
        return np.full(scores.size, NAN)
    where = np.searchsorted(blocks.values, scores)
    return np.where(positive, blocks.place_x()[where], blocks.place_y()[where])


# An area under the ROC curve from pairs within strata only, for predictions that are comparable only there.


def stratified_auc(
    scores: Sample, y: Outcomes, strata: RowLabels, conf_level: Level = 0.95
) -> tuple[AucResult, float, float]:
    """Estimate the area under the ROC curve from pairs of a positive and a negative of the same stratum only.

    Predictions of different folds come from different models. Pooled, their levels differ by chance, and against
    the outcome: the fold whose training part had fewer positives has more of them. Within folds nothing of the kind
    can happen.

    Parameters
    ----------
    scores, y : array_like, shape (n,)
        Predictions and outcomes 0 and 1.
    strata : array_like, shape (n,)
        The stratum (test fold) of each row; those with one outcome only have no pairs and do not count.
    conf_level : float
        Confidence level.

    Returns
    -------
    AucResult, statistic, p_value
        DeLong's variance with placements centered within strata; the test is Mann-Whitney's stratified (van Elteren's,
        weighting pairs equally), normal and corrected for ties. NaN where no stratum has both outcomes.

    References
    ----------
    LeDell, Petersen & van der Laan (2015), Computationally efficient confidence intervals for cross-validated area
    under the ROC curve estimates; van Elteren (1960).

    Examples
    --------
    >>> import fairstats as fs
    >>> result, z, p = fs.stats.stratified_auc([1, 2, 11, 12], [0, 1, 0, 1], [0, 0, 1, 1])
    >>> result.auc, round(z, 4)
    (1.0, 1.4142)
    """
    if np.size(scores) == 0:
        return AucResult(NAN, NAN, NAN, NAN, 0, 0, ""), NAN, NAN
    values, positive, cell = np.asarray(scores, dtype=float), np.asarray(y) == 1, np.asarray(strata)
    order = np.argsort(cell, kind="stable")
    cuts = np.flatnonzero(np.diff(cell[order])) + 1
    parts = [merge(values[rows][positive[rows]], values[rows][~positive[rows]]) for rows in np.split(order, cuts)]
    parts = [part for part in parts if part.values.size and part.n > 0 and part.m > 0]
    if not parts:
        return AucResult(NAN, NAN, NAN, NAN, int(positive.sum()), int((~positive).sum()), ""), NAN, NAN
    n, m = np.array([p.n for p in parts]), np.array([p.m for p in parts])
    u = np.array([p.u() for p in parts])
    area = float(u.sum() / (n @ m))
    share = n * m / (n @ m)
    of_positives = _within([(p.x, p.place_x()) for p in parts]) * float(share**2 @ (1 / n))
    of_negatives = _within([(p.y, p.place_y()) for p in parts]) * float(share**2 @ (1 / m))
    se = float(np.sqrt(of_positives + of_negatives))
    low, high, method = auc_interval(area, se, int(n.sum()), int(m.sum()), conf_level)
    null = float(sum(u_variance(p) for p in parts))
    z = float((u - n * m / 2).sum() / np.sqrt(null)) if null > 0 else 0.0
    result = AucResult(area, se, low, high, int(n.sum()), int(m.sum()), joined([method, message("within folds")], ", "))
    return result, z, 2 * float(ndtr(-abs(z)))


def stratified_survey(
    scores: ArrayLike, y: ArrayLike, strata: ArrayLike, weights: ArrayLike, conf_level: float = 0.95
) -> DesignSuperiority:
    """The same from probability weights: strata count by the product of the weights of their two sides.

    scores, y, strata: as in `stratified_auc`, shape (n,).
    weights: positive, shape (n,).
    Returns: linearized variance, pooled over strata within either side; NaN where no stratum has both outcomes.

    >>> result = stratified_survey([1, 2, 2, 1, 12, 11], [0, 1, 0, 1, 0, 1], [0, 0, 0, 0, 1, 1], [1, 1, 1, 1, 2, 2])
    >>> round(result.estimate, 4)
    0.25
    """
    values, positive = np.asarray(scores, dtype=float), np.asarray(y) == 1
    cell, w = np.asarray(strata), np.asarray(weights, dtype=float)
    parts = [(positive & (cell == s), ~positive & (cell == s)) for s in np.unique(cell)]
    parts = [(mine, theirs) for mine, theirs in parts if mine.any() and theirs.any()]
    if not parts:
        return DesignSuperiority(NAN, NAN, NAN, NAN, NAN, NAN, "")
    pairs = np.array([w[mine].sum() * w[theirs].sum() for mine, theirs in parts])
    theta, added = 0.0, np.zeros(values.size)
    for share, (mine, theirs) in zip(pairs / pairs.sum(), parts, strict=True):
        v, u = w[mine] / w[mine].sum(), w[theirs] / w[theirs].sum()
        current, (added[mine], added[theirs]) = influence(values[mine], values[theirs], v, u)
        theta += float(share) * current
        added[mine | theirs] *= share
    variances, sizes = [], []
    for side in (np.logical_or.reduce([p[0] for p in parts]), np.logical_or.reduce([p[1] for p in parts])):
        n = int(side.sum())
        # Each stratum takes a mean of its own from the rows of either side.
        variances.append(float(added[side] @ added[side]) * n / (n - len(parts)) if n > len(parts) else NAN)
        sizes.append(float(w[side].sum() ** 2 / (w[side] @ w[side])))
    df = satterthwaite(np.array(variances), np.diag([1 / max(size - len(parts), 1e-9) for size in sizes]))
    variance = sum(variances)
    effect = DesignEffect(theta, float(np.sqrt(variance)), variance, df, (sizes[0], sizes[1]))
    return superiority_of_effect(effect, conf_level)


def _within(sides: list[tuple[Floats, Floats]]) -> float:
    """Variance of placements around their stratum's mean, from (counts, placements) of each stratum."""
    squares = degrees = 0.0
    for counts, places in sides:
        centered = places - counts @ places / counts.sum()
        squares += float(counts @ centered**2)
        degrees += float(counts.sum()) - 1
    return squares / degrees if degrees else NAN


# Curves of a score: the ROC curve, the distribution function, and thinning for a figure.


def roc_curve(scores: Sample, y: Outcomes) -> tuple[Floats, Floats, Floats]:
    """Return all vertices of the ROC curve of a score.

    Parameters
    ----------
    scores : array_like, shape (n,)
        Larger means more likely positive.
    y : array_like, shape (n,)
        Outcomes 0 and 1 (or booleans).

    Returns
    -------
    fpr, tpr, thresholds : ndarray
        The rates when everybody at or above the threshold is called positive, from (0, 0) at an infinite threshold to
        (1, 1); one vertex per distinct score. NaN rates where nobody has that outcome.

    Raises
    ------
    InputError
        If a score is missing.

    References
    ----------
    Fawcett (2006), An introduction to ROC analysis.

    Examples
    --------
    >>> import fairstats as fs
    >>> fpr, tpr, thresholds = fs.stats.roc_curve([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1])
    >>> fpr.tolist(), tpr.tolist()
    ([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0])
    """
    values, positive = np.asarray(scores, dtype=float).ravel(), np.asarray(y).ravel() == 1
    return roc_of(merge(values[positive], values[~positive]))


def roc_of(blocks: Blocks) -> tuple[Floats, Floats, Floats]:
    """The ROC curve of positive people merged with negative ones, as `roc_curve` has it.

    >>> [v.tolist() for v in roc_of(merge([2], [1]))]
    [[0.0, 0.0, 1.0], [0.0, 1.0, 1.0], [inf, 2.0, 1.0]]
    """
    return (
        _from_above(blocks.y, blocks.m),
        _from_above(blocks.x, blocks.n),
        np.concatenate([[np.inf], blocks.values[::-1]]),
    )


def _from_above(counts: Floats, total: float) -> Floats:
    reached = np.concatenate([[0.0], np.cumsum(counts[::-1])])
    return reached / total if total else np.full(reached.size, np.nan)


def ecdf(x: Sample, weights: Weights | None = None) -> tuple[Floats, Floats]:
    """Return the empirical distribution function: the distinct values, and the share of the sample at or below each.

    Parameters
    ----------
    x : array_like, shape (n,)
        The sample.
    weights : array_like, shape (n,), optional
        Non-negative weights; equal by default.

    Returns
    -------
    values, shares : ndarray
        The last share is 1.

    Raises
    ------
    InputError
        If a value is missing or the weights are negative or sum to nothing.

    References
    ----------
    R: ``ecdf``.

    Examples
    --------
    >>> import fairstats as fs
    >>> [a.tolist() for a in fs.stats.ecdf([3, 1, 1, 2])]
    [[1.0, 2.0, 3.0], [0.5, 0.75, 1.0]]
    """
    if weights is not None:
        w = np.asarray(weights, dtype=float)
        if not (np.all(w >= 0) and w.sum() > 0):
            raise InputError("weights", "has a negative or missing value, or no positive one; weights are 0 or more.")
    blocks = merge(x, [], weights)
    if blocks.values.size == 0:
        return blocks.values, blocks.x
    return blocks.values, np.cumsum(blocks.x) / blocks.n


def thin(x: ArrayLike, y: ArrayLike, most: int = 200) -> NDArray[np.int64]:
    """Which points of a monotone curve to draw: at most so many, evenly along its length, both ends among them.

    x, y: the curve, shape (n,).
    most: the most points to keep, at least 2.
    Returns: positions to keep, ascending; all of them where the curve has no more than `most` points once those on a
        straight line between their neighbors are gone.

    >>> thin([0, 1, 2, 3], [0, 0, 0, 1]).tolist()
    [0, 2, 3]
    """
    a, b = np.asarray(x, dtype=float).ravel(), np.asarray(y, dtype=float).ravel()
    if a.size <= 2:
        return np.arange(a.size)
    dx, dy = np.diff(a), np.diff(b)
    ahead, behind = dx[1:] * dy[:-1], dx[:-1] * dy[1:]
    turns = np.abs(ahead - behind) > 1e-9 * (np.abs(ahead) + np.abs(behind))
    kept = np.concatenate([[0], np.flatnonzero(turns) + 1, [a.size - 1]])
    if kept.size <= most:
        return kept
    spans = [max(float(np.ptp(v[kept])), np.finfo(float).tiny) for v in (a, b)]
    along = np.concatenate(
        [[0.0], np.cumsum(np.abs(np.diff(a[kept])) / spans[0] + np.abs(np.diff(b[kept])) / spans[1])]
    )
    wanted = np.searchsorted(along, np.linspace(0, along[-1], most))
    return np.unique(kept[np.concatenate([[0], wanted[1:-1], [kept.size - 1]])])


# ROC curves of groups: a band that holds the whole curve, and the area between two curves.


def roc_band(scores: Sample, y: Outcomes, at: Grid, conf_level: Level = 0.95) -> tuple[Floats, Floats]:
    """Return limits of the true positive rate that hold at all thresholds at once.

    Parameters
    ----------
    scores : array_like, shape (n,)
        Larger means more likely positive.
    y : array_like, shape (n,)
        Outcomes 0 and 1.
    at : array_like, shape (k,)
        False positive rates at which the limits are wanted.
    conf_level : float
        Chance that the whole true curve lies within.

    Returns
    -------
    low, high : ndarray, shape (k,)
        NaN where nobody has one of the outcomes.

    Notes
    -----
    The two distribution functions behind the curve each stay within sqrt(log(2/a) / 2n) of what is observed with
    chance 1 - a, for every n and every distribution (Massart); with 1 - a the root of the level, both do. So the true
    curve lies between the observed one moved right and down, and the one moved left and up, by these two distances.
    That is a guarantee, and wide: the figure's band is for looking, the AUC for comparing.

    References
    ----------
    Campbell (1994), Advances in statistical methodology for the evaluation of diagnostic and laboratory tests,
    Statistics in Medicine 13, 499-508 (bands of fixed width); Massart (1990), Annals of Probability 18, 1269-1283.

    Examples
    --------
    >>> import fairstats as fs
    >>> low, high = fs.stats.roc_band([0.1, 0.4, 0.35, 0.8] * 100, [0, 0, 1, 1] * 100, [0.25, 0.75])
    >>> low.round(2).tolist(), high.round(2).tolist()
    ([0.4, 0.9], [0.6, 1.0])
    """
    wanted = np.asarray(at, dtype=float)
    outcome = np.asarray(y, dtype=float)
    positives, negatives = float(np.sum(outcome == 1)), float(np.sum(outcome != 1))
    if not positives or not negatives:
        return np.full(wanted.shape, NAN), np.full(wanted.shape, NAN)
    fpr, tpr, _ = roc_curve(scores, outcome)
    alpha = 1 - np.sqrt(conf_level)
    aside, up = (np.sqrt(np.log(2 / alpha) / (2 * n)) for n in (negatives, positives))
    # the best true positive rate at false positive rates up to x, and the least at those from x on
    below, above = wanted - aside, wanted + aside
    last = np.searchsorted(fpr, below, side="left") - 1
    first = np.searchsorted(fpr, above, side="right")
    low = np.where(last >= 0, tpr[np.maximum(last, 0)], 0.0) - up
    high = np.where(first < tpr.size, tpr[np.minimum(first, tpr.size - 1)], 1.0) + up
    return np.clip(low, 0, 1), np.clip(high, 0, 1)


def area_between_roc_curves(
    scores: ArrayLike, y: ArrayLike, reference_scores: ArrayLike, reference_y: ArrayLike
) -> float:
    """Return the area between the ROC curves of two groups; NaN where a group has one outcome only.

    >>> round(area_between_roc_curves([1, 2, 3, 4], [0, 1, 0, 1], [1, 2, 3, 4], [0, 0, 1, 1]), 3)
    0.25
    """
    first, second = (roc_curve(s, o)[:2] for s, o in ((scores, y), (reference_scores, reference_y)))
    return area_between(first, second)


def area_between(first: tuple[Floats, Floats], second: tuple[Floats, Floats]) -> float:
    """Return the area between two piecewise linear curves, each its abscissas, which never fall, and its ordinates.

    >>> area_between((np.array([0.0, 1]), np.array([0.0, 1])), (np.array([0.0, 0, 1]), np.array([0.0, 1, 1])))
    0.5
    """
    curves = [first, second]
    if any(np.isnan(v).any() for curve in curves for v in curve):
        return NAN
    knots = np.unique(np.concatenate([curve[0] for curve in curves]))
    starts, ends = (np.array([_side(curve, knots, side) for curve in curves]) for side in ("right", "left"))
    a, b = (starts[0] - starts[1])[:-1], (ends[0] - ends[1])[1:]
    size = np.abs(a) + np.abs(b)
    with np.errstate(invalid="ignore", divide="ignore"):
        crossing = np.where(size > 0, (a**2 + b**2) / size, 0.0)
    return float(np.sum(np.diff(knots) * np.where(a * b < 0, crossing, size) / 2))


def _side(curve: tuple[Floats, Floats], at: Floats, side: str) -> Floats:
    """The height of a piecewise linear curve just right or left of its vertical steps."""
    x, y = curve
    edges, first = np.unique(x, return_index=True)
    last = np.append(first[1:], x.size) - 1
    heights = y[last] if side == "right" else y[first]
    k = np.searchsorted(edges, at, side="right") - 1 if side == "right" else np.searchsorted(edges, at, side="left")
    exact = edges[np.clip(k, 0, edges.size - 1)] == at
    left = np.clip(k if side == "right" else k - 1, 0, edges.size - 2)
    run = edges[left + 1] - edges[left]
    start, end = y[last][left], y[first][left + 1]
    between = start + (end - start) * (at - edges[left]) / run
    return np.where(exact, heights[np.clip(k, 0, edges.size - 1)], between)


# Discrimination of a score by group: the statistics, and the rows that an audit makes of them.


NO_POSITIVES, NO_NEGATIVES = "nobody with the positive outcome", "nobody with the negative outcome"


def auc_estimate(
    scores: ArrayLike,
    y: ArrayLike,
    *,
    metric: str = "AUC",
    attribute: str = "",
    group: str = "",
    conf_level: float = 0.95,
) -> Estimate:
    """The row of an audit for the area under the ROC curve of a group.

    scores, y: scores and outcomes 0 and 1 of the group, shape (n,).
    metric, attribute, group: what the row says it is about.
    Returns: `n` people of whom `events` are positive; "unestimable" where nobody, or everybody, is.

    >>> auc_estimate([0.2, 0.7], [1, 1], group="b").reason
    'nobody with the negative outcome'
    """
    return auc_row(auc(scores, y, conf_level), Estimate(metric, attribute, group), conf_level)


def auc_row(result: AucResult, about: Estimate, conf_level: float = 0.95) -> Estimate:
    """A row filled with an area that was estimated before, with limits at any level.

    about: what the row says it is about.

    >>> auc_row(auc([1, 2, 3, 4], [0, 1, 0, 1]), Estimate("AUC", group="b")).estimate
    0.75
    """
    positives, negatives = result.n_pos, result.n_neg
    row = replace(about, n=float(positives + negatives), events=float(positives))
    if min(positives, negatives) == 0:
        return replace(row, status="unestimable", reason=NO_NEGATIVES if positives else NO_POSITIVES)
    low, high, method = auc_interval(result.auc, result.std_error, positives, negatives, conf_level)
    return row.with_interval(result.auc, low, high, conf_level, std_error=result.std_error, method=method)


def auc_difference_estimate(
    scores: ArrayLike,
    y: ArrayLike,
    reference_scores: ArrayLike,
    reference_y: ArrayLike,
    *,
    metric: str = "AUC",
    attribute: str = "",
    group: str = "",
    reference: str = "",
    conf_level: float = 0.95,
) -> Estimate:
    """The row of an audit for the difference of two groups' areas, group minus reference.

    scores, y: scores and outcomes of the group, shape (n,).
    reference_scores, reference_y: scores and outcomes of the reference group, shape (m,).
    metric, attribute, group, reference: what the row says it is about.
    Returns: contrast "difference"; "unestimable" where one of the areas is.

    >>> auc_difference_estimate([1, 2, 3, 4], [0, 1, 0, 1], [1, 2, 3, 4], [1, 0, 1, 0], group="b").estimate
    0.5
    """
    n, events = float(np.size(y)), float(np.sum(np.asarray(y) == 1))
    row = Estimate(metric, attribute, group, "difference", reference, n=n, events=events)
    return auc_gap_row(auc_gap(scores, y, reference_scores, reference_y), row, conf_level)


def auc_gap_row(gap: AreaGap, row: Estimate, conf_level: float = 0.95, method: str = METHOD) -> Estimate:
    """The row of an audit for the difference of two areas that are known.

    row: what it is about, with n and events.
    method: how the limits were made.
    Returns: ``"unestimable"`` where one of the areas is.

    >>> gap = auc_gap([1, 2, 3, 4], [0, 1, 0, 1], [1, 2, 3, 4], [1, 0, 1, 0])
    >>> auc_gap_row(gap, Estimate("AUC", "sex", "b", "difference", "a")).estimate
    0.5
    """
    d = gap.result(conf_level, method)
    if np.isnan(d.difference):
        return replace(row, status="unestimable", reason=message("one of the groups has only one outcome"))
    row = row.with_interval(d.difference, d.low, d.high, conf_level, std_error=d.std_error, method=d.method)
    return replace(row, p_value=d.p_value)
