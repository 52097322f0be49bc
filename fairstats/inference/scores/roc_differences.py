"""ROC curves of groups: a band that holds the whole curve, and the area between two curves."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from fairstats.inference.scores.curves import roc_curve
from fairstats.inference.scores.merged_samples import Floats

NAN = float("nan")


def roc_band(scores: ArrayLike, y: ArrayLike, at: ArrayLike, conf_level: float = 0.95) -> tuple[Floats, Floats]:
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

    Examples
    --------
    >>> round(area_between_roc_curves([1, 2, 3, 4], [0, 1, 0, 1], [1, 2, 3, 4], [0, 0, 1, 1]), 3)
    0.25
    """
    first, second = (roc_curve(s, o)[:2] for s, o in ((scores, y), (reference_scores, reference_y)))
    return area_between(first, second)


def area_between(first: tuple[Floats, Floats], second: tuple[Floats, Floats]) -> float:
    """Return the area between two piecewise linear curves, each its abscissas, which never fall, and its ordinates.

    Examples
    --------
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
