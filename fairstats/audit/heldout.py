"""One split: fit on the training rows, and measure what is predicted for the rows held out, stratum by stratum."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairstats.audit.adjustments import Adjustment
from fairstats.audit.models import Model, Trained
from fairstats.audit.splits import draw
from fairstats.data.design import Design
from fairstats.errors import NumericalError
from fairstats.inference.kolmogorov import kolmogorov_smirnov

Floats = NDArray[np.float64]
POINTS = 101  # of a distribution function


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
    strata: NDArray[np.intp]  # (n,) group cell × outcome
    held: NDArray[np.intp]  # (H,) people of each stratum to hold out
    threshold: float
    selects: int  # the predicted label that counts as selection

    @cached_property
    def sizes(self) -> NDArray[np.intp]:
        """People in each stratum (H,)."""
        return np.bincount(self.strata)

    @cached_property
    def stratum_y(self) -> NDArray[np.intp]:
        """The outcome of each stratum (H,)."""
        out = np.zeros(len(self.sizes), dtype=np.intp)
        out[self.strata] = self.y
        return out

    @cached_property
    def members(self) -> NDArray[np.bool_]:
        """Which strata make up each panel (panels, H)."""
        out = np.zeros((len(self.panels), len(self.sizes)), dtype=bool)
        for i, panel in enumerate(self.panels):
            out[i, self.strata[panel.rows]] = True
        return out


@dataclass(frozen=True)
class SplitResult:
    """The numbers of one split, terms (methods × models) first; NaN where nobody was held out."""

    predicted: Floats  # (T, H) share predicted positive in each stratum
    score: Floats  # (T, H) mean score
    curves: Floats  # (T, H, points) distribution functions of the scores
    auc: Floats  # (T, panels)
    auc_places: Floats  # (T, panels, H) mean placement of the people of a stratum among those of the other outcome
    superiority: Floats  # (T, pairs)
    pair_places: Floats  # (T, pairs, H) the same among those of the other group
    distance: Floats  # (T, pairs, 2) Kolmogorov-Smirnov distance and p
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

    Raises
    ------
    NumericalError
        A method or model gives missing or infinite numbers.
    """
    from threadpoolctl import threadpool_limits

    rng = np.random.default_rng(seed)
    out = draw(plan.strata, plan.held, rng)
    # one thread: the same digits whatever the number of processes, which share the processors
    with threadpool_limits(limits=1):
        fitted, scores, lost = _train(plan, out, int(rng.integers(2**31)))
    if grids is None:
        grids = np.array([_grid(s, f.scale) for s, f in zip(scores, fitted, strict=True)])
    measured = [
        _measure(plan, out, s, cut(f.scale, plan.threshold), grid)
        for s, f, grid in zip(scores, fitted, grids, strict=True)
    ]
    numbers: dict[str, Any] = {name: np.array([m[name] for m in measured]) for name in measured[0]}
    problems = tuple((*lost, *f.problems) for f in fitted)
    return SplitResult(**numbers, grids=grids, scales=tuple(f.scale for f in fitted), problems=problems)


def _train(plan: Plan, out: NDArray[np.bool_], seed: int) -> tuple[list[Trained], list[Floats], tuple[str, ...]]:
    """Every method with every model: what was trained, its scores of the rows held out, and features left out."""
    train, held, lost = _parts(plan.design, out)
    fitted, scores = [], []
    for adjustment in plan.adjustments:
        seen, new = adjustment.features(train, held, plan.k)
        for model in plan.models:
            fitted.append(model.train(seen, plan.y[~out], seed))
            scores.append(fitted[-1].score(new))
            if not np.isfinite(scores[-1]).all():
                raise NumericalError(f"model has {model.name!r}, which predicted missing or infinite scores.")
    return fitted, scores, lost


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


def _measure(plan: Plan, out: NDArray[np.bool_], scores: Floats, at: float, grid: Floats) -> dict[str, Floats]:
    """The fields of a SplitResult that are numbers, of one term."""
    strata, y = plan.strata[out], plan.y[out]
    masks = [panel.rows[out] for panel in plan.panels]
    ordered = np.split(scores[np.lexsort((scores, strata))], np.cumsum(plan.held)[:-1])
    below = [np.searchsorted(part, grid, side="right") for part in ordered]
    with np.errstate(invalid="ignore"):
        shares = np.array(below) / plan.held[:, None]
    areas = [_against(scores, m & (y == 1), m & (y == 0), strata, plan.held) for m in masks]
    pairs = [_against(scores, masks[g], masks[r], strata, plan.held) for g, r in plan.pairs]
    tests = [kolmogorov_smirnov(scores[masks[g]], scores[masks[r]]) for g, r in plan.pairs]
    return {
        "predicted": _stratum_means(scores >= at, strata, plan.held),
        "score": _stratum_means(scores, strata, plan.held),
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


def stack(results: Sequence[SplitResult], name: str) -> Floats:
    """One field of all splits as an array, splits first."""
    return np.stack([getattr(r, name) for r in results])
