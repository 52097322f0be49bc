"""One split: every method fitted and every model trained, and what is measured on the rows held out."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairstats.comparing.cache import Store, digest
from fairstats.comparing.plan import TRAIN_ON, Plan, Variant
from fairstats.comparing.representation import bandwidth_of_scores, explained, mmd2
from fairstats.comparing.score_measures import cut, default_grid, measure
from fairstats.comparing.splits import SplitRows
from fairstats.data.design import Design
from fairstats.errors import FairstatsWarning, NumericalError
from fairstats.quiet import ignoring

Floats = NDArray[np.float64]
CONSTANT = "features that are constant in the training rows were left out"
BROKEN = "a guarantee does not hold:"  # how such a problem of a term begins
MEASURED = ("predicted", "score", "curves", "auc", "auc_places", "superiority", "pair_places", "distance")


@dataclass(frozen=True)
class SplitResult:
    """The numbers of one split, terms (variants × models) first; NaN where nobody was held out."""

    held: Floats  # (H,) people held out
    trained: int
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
    explained: Floats  # (V,) share of the test rows' variance that a variant keeps; NaN where that means nothing
    mmd2: Floats  # (V, pairs)
    seconds: Floats  # (V,) of fitting the variant and transforming the rows


class _Split:
    """One split of a comparison; fits and predictions are computed when a cell that is not in the cache needs them."""

    def __init__(self, plan: Plan, rows: SplitRows, seed: int) -> None:
        self.plan, self.rows, self.seed = plan, rows, seed

    @cached_property
    def parts(self) -> tuple[Design, Design, tuple[str, ...]]:
        """Training and test rows, without the features that the training rows do not vary in."""
        train, test = self.plan.design.take(self.rows.train), self.plan.design.take(self.rows.test)
        varies = np.ptp(train.X, axis=0) > 0
        if varies.all():
            return train, test, ()
        names = tuple(f for f, v in zip(self.plan.design.features, varies, strict=True) if v)
        train, test = (replace(d, X=d.X[:, varies], features=names, formula=None) for d in (train, test))
        return train, test, (CONSTANT,)

    @cached_property
    def bandwidths(self) -> dict[int, float]:
        """σ of the kernel for each number of components: one for all methods, from plain PCA of the training rows."""
        train = self.parts[0]
        return {k: bandwidth_of_scores(train.X, k) for k in {v.k or train.p for v in self.plan.variants}}


def run_split(plan: Plan, index: int, seed: np.random.SeedSequence, grids: Floats | None = None) -> SplitResult:
    """Take one split, train every method with every model, and measure the test rows.

    Parameters
    ----------
    plan : Plan
        The data and what to do with them.
    index : int
        Which split.
    seed : SeedSequence
        The randomness of this split and of the models trained in it.
    grids : array (T, points), optional
        Where distribution functions are read; chosen from this split's scores by default.

    Returns
    -------
    SplitResult
        Terms in the order variants × models.

    Raises
    ------
    NumericalError
        A method or model gives missing or infinite numbers.
    """
    from threadpoolctl import threadpool_limits

    rng = np.random.default_rng(seed)
    split = _Split(plan, plan.split(index, rng), int(rng.integers(2**31)))
    store = Store(plan.cache, _about_split(split) if plan.cache else "")
    cells: list[dict[str, Any]] = []
    kept: list[dict[str, Any]] = []
    # one thread: the same digits whatever the number of processes, which share the processors
    with threadpool_limits(limits=1):
        for variant in plan.variants:
            measured, about = _run_variant(split, variant, store, None if grids is None else grids[len(cells) :])
            cells += measured
            kept.append(about)
    numbers: dict[str, Any] = {name: np.array([c[name] for c in cells]) for name in (*MEASURED, "grid")}
    return SplitResult(
        held=np.bincount(plan.strata[split.rows.test], minlength=len(plan.sizes)).astype(float),
        trained=len(split.rows.train),
        grids=numbers.pop("grid"),
        scales=tuple(str(c["scale"]) for c in cells),
        problems=tuple(tuple(c["problems"]) for c in cells),
        **numbers,
        **{name: np.array([about[name] for about in kept]) for name in ("explained", "mmd2", "seconds")},
    )


def _about_split(split: _Split) -> str:
    plan, rows = split.plan, split.rows
    facts = (plan.train_on, plan.threshold, plan.pairs, split.seed, plan.design.features)
    arrays = (plan.design.X, plan.y, plan.strata, rows.train, rows.test, *(p.rows for p in plan.panels))
    return digest(*facts, *arrays)


def _run_variant(
    split: _Split, variant: Variant, store: Store, grids: Floats | None
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The cells of one variant, a model each, and what is said of its features; fitted at most once."""
    plan, fitted = split.plan, _Fitted(split, variant)
    identity = (variant.method.identity, variant.k)
    cells = []
    for m, model in enumerate(plan.models):
        grid = None if grids is None else grids[m]
        key = (identity, model.identity, () if grid is None else grid)
        cells.append(store.cell(key, partial(fitted.predicted, model, grid)))
    about = store.cell((identity, "representation", plan.representation), fitted.represented)
    return cells, about


def broken(fit: Any) -> tuple[str, ...]:
    """Guarantees of a fit that do not hold on its training rows; without numbers, which differ by split."""
    fit = getattr(fit, "fit", fit)
    return tuple(f"{BROKEN} {g.statement}" for g in getattr(fit, "guarantees", ()) if not g.holds)


class _Fitted:
    """A variant on one split; its features are made once, when first needed."""

    def __init__(self, split: _Split, variant: Variant) -> None:
        self.split, self.variant = split, variant

    @cached_property
    def features(self) -> tuple[Any, Floats, Floats, float]:
        """The fit, its features of training and test rows, and the seconds that took."""
        train, test, _ = self.split.parts
        start = time.perf_counter()
        with ignoring(FairstatsWarning):  # the comparison says in how many splits, once
            fit, made_features, new = self.variant.method.features(train, test, self.variant.k)
        return fit, made_features, new, time.perf_counter() - start

    def predicted(self, model: Any, grid: Floats | None) -> dict[str, Any]:
        """One cell: a model trained, and measured on the test rows."""
        plan, rows = self.split.plan, self.split.rows
        _, features, new, _ = self.features
        source, people = ((features, rows.train), (new, rows.test))[TRAIN_ON[plan.train_on]]
        trained = model.train(source, plan.y[people], self.split.seed, *self._told(model, people))
        scores = trained.score(new)
        if not np.isfinite(scores).all():
            raise NumericalError(f"model has {model.name!r}, which predicted missing or infinite scores.")
        at = default_grid(scores, trained.scale) if grid is None else grid
        numbers = measure(plan, rows.test, scores, cut(trained.scale, plan.threshold), at)
        problems = (*self.split.parts[2], *broken(self.features[0]), *trained.problems)
        return {**numbers, "grid": at, "scale": trained.scale, "problems": list(problems)}

    def _told(self, model: Any, people: Any) -> tuple[Any, ...]:
        """The groups of the rows, for a model that learns with them."""
        if not getattr(model.train, "needs_groups", False):
            return ()
        groups = self.split.plan.design.groups
        assert groups is not None
        return (groups.cells[0][people],)

    def represented(self) -> dict[str, Any]:
        """Variance kept and MMD² between groups, on the test rows; NaN where nobody asked."""
        plan, rows = self.split.plan, self.split.rows
        nothing = {"explained": np.nan, "mmd2": np.full(len(plan.pairs), np.nan), "seconds": np.nan}
        if not plan.representation:
            return nothing
        train, test, _ = self.split.parts
        fit, _, new, seconds = self.features
        sigma = self.split.bandwidths[self.variant.k or train.p]
        masks = [panel.rows[rows.test] for panel in plan.panels]
        gaps = np.array([mmd2(new[masks[g]], new[masks[r]], sigma) for g, r in plan.pairs])
        return {"explained": explained(fit, test.X), "mmd2": gaps, "seconds": seconds}


def stack(results: Sequence[SplitResult], name: str) -> Floats:
    """One field of all splits as an array, splits first."""
    return np.stack([getattr(r, name) for r in results])
