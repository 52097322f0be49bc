"""One split: every method fitted and every model trained, and what is measured on the rows held out."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairstats.comparing.methods import Store, digest
from fairstats.comparing.plan import TRAIN_ON, Plan, SplitRows, Variant
from fairstats.data.design import Design
from fairstats.errors import FairstatsWarning, InputError, NumericalError, heard_by, ignoring
from fairstats.inference.scores.rank_tests import kolmogorov_smirnov
from fairstats.language import message
from fairstats.linalg.matrices import median_bandwidth

Floats = NDArray[np.float64]


# The numbers of one model on the test rows of one split, stratum by stratum.


POINTS = 101  # of a distribution function


def cut(scale: str, threshold: float) -> float:
    """Where a score becomes the positive prediction: a decision function has its own zero.

    >>> cut("probability", 0.5), cut("decision function", 0.5)
    (0.5, 0.0)
    """
    if scale == "probability" and not 0 <= threshold <= 1:
        raise InputError(
            "threshold", f"has {threshold:g}; the scores are probabilities, from 0 to 1; pass one of these."
        )
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
    kept = np.bincount(strata, minlength=len(plan.sizes))
    masks = [panel.rows[out] for panel in plan.panels]
    ordered = np.split(scores[np.lexsort((scores, strata))], np.cumsum(kept)[:-1])
    below = [np.searchsorted(part, grid, side="right") for part in ordered]
    with np.errstate(invalid="ignore"):
        shares = np.array(below) / kept[:, None]
    areas = [_against(scores, m & (y == 1), m & (y == 0), strata, kept) for m in masks]
    pairs = [_against(scores, masks[g], masks[r], strata, kept) for g, r in plan.pairs]
    tests = [kolmogorov_smirnov(scores[masks[g]], scores[masks[r]]) for g, r in plan.pairs]
    return {
        "predicted": _stratum_means(scores >= at, strata, kept),
        "score": _stratum_means(scores, strata, kept),
        "curves": shares,
        "auc": np.array([area for area, _ in areas]),
        "auc_places": np.array([places for _, places in areas]),
        "superiority": np.array([theta for theta, _ in pairs]),
        "pair_places": np.array([places for _, places in pairs]),
        "distance": np.array([(test.statistic, test.p_value) for test in tests]),
    }


def _stratum_means(values: NDArray[np.bool_] | Floats, strata: NDArray[np.intp], kept: NDArray[np.intp]) -> Floats:
    with np.errstate(invalid="ignore"):
        return np.asarray(np.bincount(strata, values.astype(float), minlength=len(kept)) / kept)


def _against(
    scores: Floats,
    ours: NDArray[np.bool_],
    theirs: NDArray[np.bool_],
    strata: NDArray[np.intp],
    values: NDArray[np.intp],
) -> tuple[float, Floats]:
    """P(X>Y) + P(X=Y)/2 of two sets of people, and each stratum's mean placement in it: the parts of its variance."""
    places = np.full(len(scores), np.nan)
    places[ours] = _placements(scores[ours], scores[theirs])
    places[theirs] = 1 - _placements(scores[theirs], scores[ours])
    theta = float(places[ours].mean()) if ours.any() and theirs.any() else np.nan
    return theta, _stratum_means(np.where(ours | theirs, places, np.nan), strata, values)


def _placements(x: Floats, y: Floats) -> Floats:
    """Share of y below each x, ties counted half."""
    if not len(y):
        return np.full(len(x), np.nan)
    ordered = np.sort(y)
    reached = np.searchsorted(ordered, x, side="left") + np.searchsorted(ordered, x, side="right")
    return np.asarray(reached / (2 * len(y)))


# What a representation keeps and what it gives away: variance of new rows, and MMD² between groups.


MOST_ROWS = 5000  # whose distances give a bandwidth
BLOCK = 2048  # rows of a kernel matrix at once
ORTHONORMAL = 1e-6


def explained(fit: Any, X: Floats) -> float:
    """Share of the variance of new rows that lies along a fit's loadings, tr(UᵀAU)/tr A.

    fit: with ``loadings`` (p, k) and, for features in other units, ``scaling.scale`` (p,).
    X: new rows, as the fit was given rows, shape (n, p).
    Returns: NaN where there are no orthonormal loadings: of a kernel method, say, the share would mean nothing.

    A is the covariance of the new rows, so the share may be higher than in training (Lee et al. 2022, section 5).

    >>> import fairstats as fs
    >>> X = np.diag([3.0, 2.0, 1.0])
    >>> round(explained(fs.pca(X, k=3), X), 12)
    1.0
    """
    U = getattr(fit, "loadings", None)
    if U is None or np.abs(U.T @ U - np.eye(U.shape[1])).max() > ORTHONORMAL:
        return float("nan")
    scaling = getattr(fit, "scaling", None)
    rows = X if scaling is None or scaling.scale is None else X / scaling.scale
    rows = rows - rows.mean(axis=0)
    return float(np.sum((rows @ U) ** 2) / np.sum(rows**2))


def bandwidth_of_scores(X: Floats, k: int) -> float:
    """Return σ of the Gaussian kernel by the median rule on the rows' first k principal scores.

    X: training rows; they are standardized, shape (n, p).
    k: number of components.

    As Lee et al. (2022) do: one σ for all methods, from plain PCA. Of more than 5000 rows every m-th is used.
    """
    rows = X[:: -(-len(X) // MOST_ROWS)]
    sd = X.std(axis=0)
    Z = (rows - X.mean(axis=0)) / np.where(sd > 0, sd, 1.0)
    scores = Z @ np.linalg.eigh(Z.T @ Z)[1][:, ::-1][:, :k]
    return median_bandwidth(scores, MOST_ROWS)


def mmd2(a: Floats, b: Floats, sigma: float) -> float:
    """Biased squared maximum mean discrepancy of two samples, Gaussian kernel exp(−d²/2σ²).

    a, b: rows; the kernel is made block by block, shape (n, k).
    Returns: NaN where a sample is empty.
    Source: Gretton et al. (2012), A kernel two-sample test, eq. (5).

    >>> round(mmd2(np.zeros((3, 1)), np.ones((2, 1)), 1.0), 4)
    0.7869
    """
    if not len(a) or not len(b):
        return float("nan")
    return _mean(a, a, sigma) + _mean(b, b, sigma) - 2 * _mean(a, b, sigma)


def _mean(a: Floats, b: Floats, sigma: float) -> float:
    center = b.mean(axis=0)  # distances from products lose digits far from the origin
    b = b - center
    lengths = np.einsum("ij,ij->i", b, b)
    total = 0.0
    for start in range(0, len(a), BLOCK):
        part = a[start : start + BLOCK] - center
        square = np.einsum("ij,ij->i", part, part)[:, None] + lengths - 2 * part @ b.T
        total += float(np.exp(np.minimum(-square, 0.0) / (2 * sigma**2)).sum())
    return total / (len(a) * len(b))


CONSTANT = message("features that are constant in the training rows were left out")
BROKEN = message("a guarantee does not hold: {text}")
MEASURED = ("predicted", "score", "curves", "auc", "auc_places", "superiority", "pair_places", "distance")


@dataclass(frozen=True)
class SplitResult:
    """The numbers of one split, terms (variants × models) first; NaN where nobody was held out."""

    holdout_counts: Floats  # (H,) people held out
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

    plan: the data and what to do with them.
    grids: where distribution functions are read; chosen from this split's scores by default.
    Returns: terms in the order variants × models.
    Raises NumericalError: a method or model gives missing or infinite numbers.
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
        holdout_counts=np.bincount(plan.strata[split.rows.test], minlength=len(plan.sizes)).astype(float),
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
    return tuple(BROKEN.format(text=g.statement) for g in getattr(fit, "guarantees", ()) if not g.holds)


class _Fitted:
    """A variant on one split; its features are made once, when first needed."""

    def __init__(self, split: _Split, variant: Variant) -> None:
        self.split, self.variant = split, variant

    @cached_property
    def features(self) -> tuple[Any, Floats, Floats, float]:
        """The fit, its features of training and test rows, and the seconds that took."""
        train, test, _ = self.split.parts
        start = time.perf_counter()
        with ignoring(FairstatsWarning), heard_by(lambda *_: None):  # the comparison says it once
            fit, new_features, new = self.variant.method.features(train, test, self.variant.k)
        return fit, new_features, new, time.perf_counter() - start

    def predicted(self, model: Any, grid: Floats | None) -> dict[str, Any]:
        """One cell: a model trained, and measured on the test rows."""
        plan, rows = self.split.plan, self.split.rows
        _, features, new, _ = self.features
        source, people = ((features, rows.train), (new, rows.test))[TRAIN_ON[plan.train_on]]
        trained = model.train(source, plan.y[people], self.split.seed, *self._groups_of(model, people))
        scores = trained.score(new)
        if not np.isfinite(scores).all():
            raise NumericalError(f"model has {model.name!r}, which predicted missing or infinite scores.")
        at = default_grid(scores, trained.scale) if grid is None else grid
        numbers = measure(plan, rows.test, scores, cut(trained.scale, plan.threshold), at)
        problems = (*self.split.parts[2], *broken(self.features[0]), *trained.problems)
        return {**numbers, "grid": at, "scale": trained.scale, "problems": list(problems)}

    def _groups_of(self, model: Any, people: Any) -> tuple[Any, ...]:
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
