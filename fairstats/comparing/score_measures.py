"""The numbers of one model on the test rows of one split, stratum by stratum."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fairstats.comparing.plan import Plan
from fairstats.errors import InputError
from fairstats.inference.scores.kolmogorov_smirnov import kolmogorov_smirnov

Floats = NDArray[np.float64]
POINTS = 101  # of a distribution function


def cut(scale: str, threshold: float) -> float:
    """Where a score becomes the positive prediction: a decision function has its own zero.

    Examples
    --------
    >>> cut("probability", 0.5), cut("decision function", 0.5)
    (0.5, 0.0)
    """
    if scale == "probability" and not 0 <= threshold <= 1:
        raise InputError(f"threshold has {threshold:g}; the scores are probabilities, from 0 to 1; pass one of these.")
    return {"decision function": 0.0}.get(scale, threshold)


def default_grid(scores: Floats, scale: str) -> Floats:
    """Where a distribution function is read: 0 to 1 for probabilities, else the range of the first split's scores."""
    if scale == "probability":
        return np.linspace(0.0, 1.0, POINTS)
    low, high = float(scores.min()), float(scores.max())
    margin = 0.05 * (high - low)
    return np.linspace(low - margin, high + margin, POINTS)


def measure(plan: Plan, out: NDArray[np.intp], scores: Floats, at: float, grid: Floats) -> dict[str, Floats]:
    """The numbers of one term: ``out`` are the rows measured, ``at`` is where a score predicts the positive outcome."""
    strata, y = plan.strata[out], plan.y[out]
    held = np.bincount(strata, minlength=len(plan.sizes))
    masks = [panel.rows[out] for panel in plan.panels]
    ordered = np.split(scores[np.lexsort((scores, strata))], np.cumsum(held)[:-1])
    below = [np.searchsorted(part, grid, side="right") for part in ordered]
    with np.errstate(invalid="ignore"):
        shares = np.array(below) / held[:, None]
    areas = [_against(scores, m & (y == 1), m & (y == 0), strata, held) for m in masks]
    pairs = [_against(scores, masks[g], masks[r], strata, held) for g, r in plan.pairs]
    tests = [kolmogorov_smirnov(scores[masks[g]], scores[masks[r]]) for g, r in plan.pairs]
    return {
        "predicted": _stratum_means(scores >= at, strata, held),
        "score": _stratum_means(scores, strata, held),
        "curves": shares,
        "auc": np.array([area for area, _ in areas]),
        "auc_places": np.array([places for _, places in areas]),
        "superiority": np.array([theta for theta, _ in pairs]),
        "pair_places": np.array([places for _, places in pairs]),
        "distance": np.array([(test.statistic, test.p_value) for test in tests]),
    }


def _stratum_means(values: NDArray[np.bool_] | Floats, strata: NDArray[np.intp], held: NDArray[np.intp]) -> Floats:
    with np.errstate(invalid="ignore"):
        return np.asarray(np.bincount(strata, values.astype(float), minlength=len(held)) / held)


def _against(
    scores: Floats, ours: NDArray[np.bool_], theirs: NDArray[np.bool_], strata: NDArray[np.intp], held: NDArray[np.intp]
) -> tuple[float, Floats]:
    """P(X>Y) + P(X=Y)/2 of two sets of people, and each stratum's mean placement in it: the parts of its variance."""
    places = np.full(len(scores), np.nan)
    places[ours] = _placements(scores[ours], scores[theirs])
    places[theirs] = 1 - _placements(scores[theirs], scores[ours])
    theta = float(places[ours].mean()) if ours.any() and theirs.any() else np.nan
    return theta, _stratum_means(np.where(ours | theirs, places, np.nan), strata, held)


def _placements(x: Floats, y: Floats) -> Floats:
    """Share of y below each x, ties counted half."""
    if not len(y):
        return np.full(len(x), np.nan)
    ordered = np.sort(y)
    reached = np.searchsorted(ordered, x, side="left") + np.searchsorted(ordered, x, side="right")
    return np.asarray(reached / (2 * len(y)))
