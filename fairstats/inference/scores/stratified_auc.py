"""An area under the ROC curve from pairs within strata only, for predictions that are comparable only there."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from fairstats.inference.scores.delong import AucResult, auc_interval
from fairstats.inference.scores.design_effects import DesignEffect, satterthwaite
from fairstats.inference.scores.design_samples import influence
from fairstats.inference.scores.mann_whitney import u_variance
from fairstats.inference.scores.merged_samples import Floats, merge
from fairstats.inference.scores.survey_ranks import DesignSuperiority, superiority_of_effect

NAN = float("nan")


def stratified_auc(
    scores: ArrayLike, y: ArrayLike, strata: ArrayLike, conf_level: float = 0.95
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
    result = AucResult(area, se, low, high, int(n.sum()), int(m.sum()), f"{method}, within folds")
    return result, z, 2 * float(ndtr(-abs(z)))


def stratified_by_design(
    scores: ArrayLike, y: ArrayLike, strata: ArrayLike, weights: ArrayLike, conf_level: float = 0.95
) -> DesignSuperiority:
    """The same from probability weights: strata count by the product of the weights of their two sides.

    Parameters
    ----------
    scores, y, strata : array_like, shape (n,)
        As in `stratified_auc`.
    weights : array_like, shape (n,)
        Positive.
    conf_level : float
        Confidence level.

    Returns
    -------
    DesignSuperiority
        Linearized variance, pooled over strata within either side; NaN where no stratum has both outcomes.

    Examples
    --------
    >>> found = stratified_by_design([1, 2, 2, 1, 12, 11], [0, 1, 0, 1, 0, 1], [0, 0, 0, 0, 1, 1], [1, 1, 1, 1, 2, 2])
    >>> round(found.estimate, 4)
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
        own, (added[mine], added[theirs]) = influence(values[mine], values[theirs], v, u)
        theta += float(share) * own
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
