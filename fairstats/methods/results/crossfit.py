"""Held-out scores: fit on all folds but one, transform that one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fairstats.data.alignment import aligned
from fairstats.data.centred import Frame
from fairstats.data.columns import is_table
from fairstats.data.design import Design, whole
from fairstats.errors import InputError
from fairstats.methods.registry import refit
from fairstats.methods.results.heldout import HeldOut

if TYPE_CHECKING:
    from fairstats.methods.results.projection import Projection


def crossfit(fit: Projection, X: Any, groups: Any, data: Any, folds: Any, seed: int) -> HeldOut:
    """See ``Projection.crossfit``."""
    if groups is None and fit.encoding is not None and is_table(X if data is None else data):
        groups = [fit.encoding.ask(name) for name in (*fit.encoding.names, *fit.encoding.continuous_names)]
    design = design_like(fit.frame, X, groups, data)
    assert design.groups is not None
    fold = assign_folds(design, folds, seed)
    method = refit(fit)
    scores = np.empty((design.n, fit.k))
    target: np.ndarray | None = None
    for f in np.unique(fold):
        part = method(design.take(fold != f), **{"k": fit.k, **fit.settings})
        held = design.take(fold == f)
        made = part.transform(held)
        if target is None:
            target = part.loadings
        scores[fold == f] = made @ turn(part.loadings, target)
    return HeldOut(scores, fold, design.groups, fit.method, seed)


def design_like(frame: Frame, X: Any, groups: Any, data: Any) -> Design:
    """The design of rows given as they were to the fit: through its formula, by column names, or by position."""
    if data is None and frame.formula is not None and not isinstance(X, Design):
        X, data = frame.formula.text, X
    elif frame.named and data is None and is_table(X):
        X, data = list(frame.features), X
    design = X if isinstance(X, Design) else Design.of(X, groups, data=data)
    if design.groups is None:
        raise InputError("groups is missing; folds are stratified by them.")
    return design


def assign_folds(design: Design, folds: Any, seed: int) -> np.ndarray:
    """Fold of each row (n,): given, or drawn so that every group is spread evenly over the folds."""
    assert design.groups is not None
    codes = design.groups.cells[0]
    n = len(codes)
    if np.ndim(folds) == 1:
        folds = aligned(folds, design.index, "folds")
        given = np.asarray(folds)
        if len(given) != n:
            raise InputError(f"folds has {len(given)} values and X has {n} rows; give one a row.")
        return np.unique(given, return_inverse=True)[1]
    count = whole(folds, "folds", 2, n, f"{n} rows")
    smallest = int(np.bincount(codes).min())
    if smallest < 2:
        raise InputError("folds cannot hold out the only row of a group; merge that group with another, or drop it.")
    rng = np.random.default_rng(seed)
    order = rng.permutation(n)
    order = order[np.argsort(codes[order], kind="stable")]
    fold = np.empty(n, dtype=np.intp)
    fold[order] = np.arange(n) % count
    return fold


def turn(U: np.ndarray, target: np.ndarray) -> np.ndarray:
    """The orthogonal k × k matrix that turns loadings U closest to the target's (Schönemann 1966)."""
    left, _, right = np.linalg.svd(U.T @ target)
    return left @ right
