"""One split: fit on the training rows, and measure what is predicted for the rows held out, by group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairstats.audit.adjustments import Adjustment
from fairstats.audit.models import Model
from fairstats.audit.splits import draw
from fairstats.data.design import Design
from fairstats.errors import NumericalError
from fairstats.inference.blocks import merge
from fairstats.inference.delong import split_outcomes
from fairstats.inference.kolmogorov import kolmogorov_smirnov

Floats = NDArray[np.float64]
POINTS = 101  # of a distribution function
RATES = ("accuracy", "classification error", "TPR", "FPR", "TNR", "FNR", "selection")
METRICS = ("AUC", *RATES, "mean score")
PAIRED = ("P(X>Y)", "KS distance", "KS p")
# Table 2 of Aliverti et al.: a share of everybody in the group, "positive" being the outcome that is not predicted
JOINT = ("TPR", "TNR", "FNR", "FPR")


@dataclass(frozen=True)
class Panel:
    """People whose predictions are measured together: one level of an attribute, or everybody (``""``)."""

    attribute: str
    group: str
    rows: NDArray[np.bool_]


@dataclass(frozen=True)
class Plan:
    """Everything that a split needs; it is sent to other processes as it is."""

    design: Design
    y: NDArray[np.intp]
    panels: tuple[Panel, ...]
    pairs: tuple[tuple[int, int], ...]  # (panel, panel of its reference)
    adjustments: tuple[Adjustment, ...]
    models: tuple[Model, ...]
    k: int
    strata: NDArray[np.intp]
    held: NDArray[np.intp]
    threshold: float
    selects: int  # the predicted label that counts as selection


@dataclass(frozen=True)
class SplitResult:
    """The numbers of one split, terms first: metrics, pairs, joint shares, distribution functions, problems."""

    values: Floats  # (T, panels, metrics)
    denominators: Floats  # (panels, metrics)
    paired: Floats  # (T, pairs, 3)
    joint: Floats  # (T, panels, 4)
    curves: Floats  # (T, panels, points)
    grids: Floats  # (T, points)
    scales: tuple[str, ...]
    problems: tuple[tuple[str, ...], ...]


def run_split(plan: Plan, seed: np.random.SeedSequence, grids: Floats | None = None) -> SplitResult:
    """Draw one split, train every method with every model, and measure the rows held out.

    Parameters
    ----------
    plan : Plan
        The data and what to do with them.
    seed : SeedSequence
        The randomness of this split and of the models trained in it.
    grids : array (T, points), optional
        Where distribution functions are read; chosen from this split's scores by default.

    Returns
    -------
    SplitResult
        Terms in the order methods × models.
    """
    from threadpoolctl import threadpool_limits

    # one thread: the same digits whatever the number of processes, which share the processors
    with threadpool_limits(limits=1):
        return _measured(plan, seed, grids)


def _measured(plan: Plan, seed: np.random.SeedSequence, grids: Floats | None) -> SplitResult:
    rng = np.random.default_rng(seed)
    out = draw(plan.strata, plan.held, rng)
    model_seed = int(rng.integers(2**31))
    train, held, lost = _parts(plan.design, out)
    y = plan.y[out]
    masks = [panel.rows[out] for panel in plan.panels]
    parts: list[Any] = []
    for adjustment in plan.adjustments:
        seen, new = adjustment.features(train, held, plan.k)
        for model in plan.models:
            fitted = model.train(seen, plan.y[~out], model_seed)
            scores = fitted.score(new)
            if not np.isfinite(scores).all():
                raise NumericalError(f"model has {model.name!r}, which predicted missing or infinite scores.")
            grid = _grid(scores, fitted.scale) if grids is None else grids[len(parts)]
            parts.append((scores, fitted, grid))
    cuts = [cut(fitted.scale, plan.threshold) for _, fitted, _ in parts]
    predicted = [(scores >= c).astype(np.intp) for (scores, _, _), c in zip(parts, cuts, strict=True)]
    each = list(zip(parts, predicted, strict=True))
    return SplitResult(
        np.array([[_metrics(s[m], y[m], p[m], plan.selects) for m in masks] for (s, _, _), p in each]),
        np.array([_denominators(y[m]) for m in masks]),
        np.array([[_pair(s[masks[a]], s[masks[b]]) for a, b in plan.pairs] for s, _, _ in parts]),
        np.array([[_joint(y[m], p[m]) for m in masks] for _, p in each]),
        np.array([[_share_below(s[m], grid) for m in masks] for s, _, grid in parts]),
        np.array([grid for _, _, grid in parts]),
        tuple(fitted.scale for _, fitted, _ in parts),
        tuple((*lost, *fitted.problems) for _, fitted, _ in parts),
    )


def _parts(design: Design, out: NDArray[np.bool_]) -> tuple[Design, Design, tuple[str, ...]]:
    """Training and held-out rows, without the features that the training rows do not vary in."""
    train, held = design.take(~out), design.take(out)
    varies = np.ptp(train.X, axis=0) > 0
    if varies.all():
        return train, held, ()
    names = tuple(f for f, v in zip(design.features, varies, strict=True) if v)
    train, held = (replace(d, X=d.X[:, varies], features=names, formula=None) for d in (train, held))
    return train, held, ("features that are constant in the training rows were left out",)


def cut(scale: str, threshold: float) -> float:
    """Where a score becomes the positive prediction: a decision function has its own zero.

    Examples
    --------
    >>> cut("probability", 0.5), cut("decision function", 0.5)
    (0.5, 0.0)
    """
    return {"decision function": 0.0}.get(scale, threshold)


def _grid(scores: Floats, scale: str) -> Floats:
    if scale == "probability":
        return np.linspace(0.0, 1.0, POINTS)
    low, high = float(scores.min()), float(scores.max())
    margin = 0.05 * (high - low)
    return np.linspace(low - margin, high + margin, POINTS)


def _metrics(scores: Floats, y: NDArray[np.intp], predicted: NDArray[np.intp], selects: int) -> list[float]:
    """The values of METRICS; NaN where a denominator is 0."""
    blocks = split_outcomes(scores, y)
    pairs = blocks.n * blocks.m
    tn, fp, fn, tp = np.bincount(2 * y + predicted, minlength=4).tolist()
    n = len(y)
    counts = (tp + tn, fp + fn, tp, fp, tn, fn, tp + fp if selects else tn + fn)
    rates = [c / d if d else np.nan for c, d in zip(counts, _rate_denominators(y), strict=True)]
    return [blocks.u() / pairs if pairs else np.nan, *rates, float(scores.mean()) if n else np.nan]


def _rate_denominators(y: NDArray[np.intp]) -> tuple[int, ...]:
    n, positive = len(y), int(y.sum())
    return n, n, positive, n - positive, n - positive, positive, n


def _denominators(y: NDArray[np.intp]) -> list[float]:
    return [float(len(y)), *map(float, _rate_denominators(y)), float(len(y))]


def _pair(scores: Floats, others: Floats) -> list[float]:
    """The values of PAIRED."""
    if not (len(scores) and len(others)):
        return [np.nan] * 3
    blocks = merge(scores, others)
    test = kolmogorov_smirnov(scores, others)
    return [blocks.u() / (blocks.n * blocks.m), test.statistic, test.p_value]


def _joint(y: NDArray[np.intp], predicted: NDArray[np.intp]) -> list[float]:
    """The values of JOINT."""
    tn, fp, fn, tp = (np.bincount(2 * y + predicted, minlength=4) / max(len(y), 1)).tolist()
    return [tn, tp, fp, fn] if len(y) else [np.nan] * 4


def _share_below(scores: Floats, grid: Floats) -> Floats:
    if not len(scores):
        return np.full(len(grid), np.nan)
    return np.asarray(np.searchsorted(np.sort(scores), grid, side="right") / len(scores))


def stack(results: Sequence[SplitResult], name: str) -> Floats:
    """One field of all splits as an array, splits first."""
    return np.stack([getattr(r, name) for r in results])
