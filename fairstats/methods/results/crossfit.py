"""Held-out scores: fit on all folds but one, transform that one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from fairstats.arguments import random_seed, whole
from fairstats.arrays import row_labels
from fairstats.data.alignment import aligned
from fairstats.data.columns import Columns, is_table
from fairstats.data.design import Design
from fairstats.data.scaling import Scaling
from fairstats.errors import FairstatsError, InputError
from fairstats.labels import column_parts
from fairstats.methods.registry import METHODS, refit
from fairstats.methods.results.heldout import HeldOut

if TYPE_CHECKING:
    from fairstats.methods.results.projection import Projection


def crossfit(fit: Projection, X: Any, groups: Any, data: Any, weights: Any, folds: Any, seed: int) -> HeldOut:
    """Make held-out scores of a linear fit: what ``Projection.crossfit`` says."""
    design = design_to_refit(fit, X, groups, data, weights)
    fold = assign_folds(design, folds, seed)
    made = list(fits_without(fit, dict(fit.settings), design, fold))
    # A fractional minimax solution has more components than k, and not in every fold as many.
    target = max((part for _, part in made), key=lambda part: part.k)
    scores = np.empty((design.n, target.k))
    for held, part in made:
        scores[held] = turned(part._mapped(design.take(held)), part, target)
    return held_out(scores, fold, design, fit.method, seed, None if isinstance(X, Design) else fit)


def fits_without(fit: Any, settings: dict[str, Any], design: Design, fold: np.ndarray) -> Iterator[tuple[Any, Any]]:
    """Give (rows of a fold, the fit to all others by the method of ``fit``), fold by fold."""
    method = refit(fit)
    for f in np.unique(fold):
        yield fold == f, method(design.take(fold != f), None, **settings)


def held_out(scores: np.ndarray, fold: np.ndarray, design: Design, method: str, seed: int, fit: Any = None) -> HeldOut:
    """Return the result, with the groups and weights of its rows, and with what the ``fit`` started from, if given."""
    assert design.groups is not None
    before, what = (None, "") if fit is None else unadjusted(fit, design, fold)
    return HeldOut(scores, fold, design.groups, method, seed, design.weights, before, what)


def unadjusted(fit: Any, design: Design, fold: np.ndarray) -> tuple[np.ndarray | None, str]:
    """Return what a fit's scores stand beside, and what that is: as many principal components, or the features."""
    if fit.method == "pca":
        return None, ""
    if not METHODS[fit.method].reduces:
        return design.X.toarray() if sparse.issparse(design.X) else design.X, "the features"
    settings = {"k": fit.settings.get("k", fit.k), "scale": fit.settings.get("scale", False)}
    scores: np.ndarray | None = None
    target: Any = None
    try:
        for f in np.unique(fold):
            part = METHODS["pca"].function(design.take(fold != f), None, **settings)
            target = part if target is None else target
            own = turned(part._mapped(design.take(fold == f)), part, target)
            scores = np.empty((design.n, own.shape[1])) if scores is None else scores
            scores[fold == f] = own
    except FairstatsError:  # of a part of the rows; they are no part of what was asked
        return None, ""
    return scores, "as many principal components"


def own_groups(fit: Any, table: Any) -> Any:
    """Return the groups that a fit had, as columns of a table that holds them; None where it does not."""
    encoding = fit.encoding
    if encoding is None or table is None or isinstance(table, Design) or not is_table(table):
        return None
    names = (*encoding.names, *encoding.continuous_names)
    columns = Columns(table, "X").names
    if not all(part in columns for name in names for part in column_parts(name, columns)):
        return None
    return [encoding.ask(name) for name in names]


def design_like(
    fit: Any, X: Any, groups: Any, data: Any, weights: Any = None, *, use: str = "folds are stratified by them"
) -> Design:
    """Return the design of rows given as to the fit: through its formula, by column names, or by position.

    Groups that are not given are the fit's columns of the table, where it has them.

    Raises
    ------
    InputError
        No groups; no weights, though the fit had some.
    """
    scaling: Scaling = fit.scaling
    groups = own_groups(fit, X if data is None else data) if groups is None else groups
    if data is None and scaling.formula is not None and not isinstance(X, Design):
        X, data = scaling.formula.text, Columns(X, "X")
    elif scaling.named and data is None and is_table(X):
        X, data = list(scaling.features), Columns(X, "X")
    if not isinstance(X, Design):
        X = Design.of(X, groups, data=data, weights=weights, among_features=True)  # judged when it was fitted
    elif weights is not None:
        X = replace(X, weights=Design.of(X.X, weights=weights).weights)
    if X.groups is None:
        raise InputError(f"groups is missing; {use}.")
    if scaling.weighted and X.weights is None:
        raise InputError(
            "weights is missing: the fit was weighted, and without its weights the result would be about another fit. "
            "Pass weights= as to the fit (equal weights, to leave them out on purpose)."
        )
    return X


def design_to_refit(fit: Any, X: Any, groups: Any, data: Any, weights: Any, **words: str) -> Design:
    """Return ``design_like`` of rows for a fit by the same method: with weights if, and only if, the fit had some."""
    design = design_like(fit, X, groups, data, weights, **words)
    if design.weights is not None and not fit.scaling.weighted:
        raise InputError(
            "weights were given, but the fit had none, and the result would be about another fit; leave them out, or "
            "fit with weights= first."
        )
    return design if fit.scaling.scale is None else replace(design, spread=fit.scaling.scale)


def assign_folds(design: Design, folds: Any, seed: int) -> np.ndarray:
    """Return the fold of each row (n,): given, or drawn so that every group is spread evenly over the folds."""
    assert design.groups is not None
    codes, n = design.groups.cells[0], design.n
    seed = random_seed(seed)
    if hasattr(folds, "__len__") and not isinstance(folds, str):
        given = row_labels("folds", aligned(folds, design.index, "folds"))
        if len(given) != n:
            raise InputError(f"folds has {len(given)} values and X has {n} rows; give one a row.")
        return given
    idle = np.zeros(n, dtype=bool) if design.weights is None else design.weights == 0
    count = whole("folds", folds, 2, n, f"{n} rows")
    smallest = np.bincount(codes[~idle])
    if int(smallest[smallest > 0].min()) < 2:
        raise InputError("folds cannot hold out the only row of a group; merge that group with another, or drop it.")
    rng = np.random.default_rng(seed)
    order = rng.permutation(n)
    # Rows of weight 0 come last in their group: those that a fit learns from are spread evenly by themselves.
    order = order[np.lexsort((idle[order], codes[order]))]
    fold = np.empty(n, dtype=np.intp)
    fold[order] = np.arange(n) % count
    return fold


def counted_folds(design: Design, folds: Any, seed: int) -> tuple[Design, np.ndarray]:
    """Return the rows of positive weight and the fold of each; folds that are given are of all rows."""
    fold = assign_folds(design, folds, seed)
    return (design, fold) if design.weights is None else (design.counted(), fold[design.weights > 0])


def turned(scores: np.ndarray, part: Projection, target: Projection) -> np.ndarray:
    """Turn scores of one fold's fit (n × k) to the components of another's; blocks of components each by itself.

    Where a fit promises something of its first components only, a turn of all would mix the others into them.
    """
    blocks = part.diagnostics.get("blocks")
    if blocks is None:
        return scores @ turn(part.loadings, target.loadings)
    cuts = np.cumsum(blocks)[:-1]
    parts = (np.split(A, cuts, axis=1) for A in (scores, part.weights, target.weights))
    return np.hstack([S @ turn(B, T) for S, B, T in zip(*parts, strict=True)])


def turn(U: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Return the orthogonal k × k matrix that turns loadings U closest to the target's (Schönemann 1966).

    With k columns and a target of r > k, the k × r matrix of orthonormal rows that does.
    """
    left, _, right = np.linalg.svd(U.T @ target, full_matrices=False)
    return left @ right
