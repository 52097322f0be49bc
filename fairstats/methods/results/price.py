"""What a fit costs each group: mean squared reconstruction error beside that of PCA of the same dimension."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fairstats.data.centred import MomentSpread, RowSpread, Spread
from fairstats.methods.results.projection import Projection


@dataclass(frozen=True)
class GroupPrice:
    """Mean squared error ‖x − x̃‖² of the people of one level, in the units of the fit.

    Over the levels of an attribute n · error sums to the fit's ``error``, and n · pca_error to its ``pca_error``.
    """

    attribute: str
    level: str
    n: float  # summed weights
    error: float
    pca_error: float


def dimension(fit: Projection) -> int:
    """The dimension of PCA that a fit is priced against.

    It is k, but for a fit whose scores span less (components appended to their own span), or that spends more of them
    on a fractional solution.
    """
    return int(fit.diagnostics.get("dimension", fit.k))


def plain(fit: Projection, V: np.ndarray) -> Projection:
    """PCA with loadings V (p × d), about the point that the fit's error is about: means, group means or 0."""
    M = fit.group_means
    frame = replace(fit.frame, center=fit.origin)
    return replace(fit, frame=frame, weights=V, loadings=V, coefficients=None if M is None else M @ V)


def priced(view: Spread, fit: Projection, V: np.ndarray | None = None) -> Projection:
    """The fit with its price by group, where the data keep second moments by group (or the rows are at hand).

    ``V`` (p × d) are the loadings of the PCA that ``fit.pca_error`` is of, where the method has them.
    """
    tells, errors = _BY_CELL[type(view)]
    if not tells(view):
        return fit
    V = view.leading(min(dimension(fit), view.max_rank))[1] if V is None else V
    same = V is fit.weights and V is fit.loadings and fit.coefficients is None
    maps = [fit] if same else [fit, plain(fit, V)]
    mass, lost = errors(view, maps)
    return replace(fit, price=_by_level(view, mass, lost[0], lost[-1]))


def _moments_tell(view: MomentSpread) -> bool:
    m = view.moments
    return m.by_cell and bool(m.attributes) and not m.continuous and not m.outcome


def _rows_tell(view: RowSpread) -> bool:
    groups = view.design.groups
    return groups is not None and bool(groups.factors) and not groups.continuous_names


def _of_moments(view: MomentSpread, maps: Sequence[Projection]) -> tuple[np.ndarray, list[np.ndarray]]:
    m = view.moments
    p, sd = m.p, np.ones(m.p) if view.frame.scale is None else view.frame.scale
    lost = [np.empty(len(m.cells)) for _ in maps]
    added = [_added(fit, m.cells) for fit in maps]
    widths = np.cumsum([fit.k for fit in maps])[:-1]
    for c in range(len(m.cells)):
        scatter, size = m.scatter[c, :p, :p], max(m.weight[c], np.finfo(float).tiny)
        spread = float(np.sum(np.diag(scatter) / sd**2)) / size
        every = np.hstack([fit.weights for fit in maps])
        image = (scatter @ (every / sd[:, None])) / sd[:, None] / size  # Σ_c B of all maps, with no p × p copy
        for j, (fit, part) in enumerate(zip(maps, np.split(image, widths, axis=1), strict=True)):
            mean = (m.delta[c, :p] + (m.shift[:p] - fit.frame.center)) / sd
            lost[j][c] = _error(spread, part, mean, fit.weights, fit.loadings, added[j][c])
    return m.weight, lost


def _error(total: float, image: np.ndarray, mean: np.ndarray, B: np.ndarray, U: np.ndarray, added: np.ndarray) -> float:
    """E‖x(I − BUᵀ) + a‖² for x of covariance Σ (tr Σ and ΣB are given) and the given mean."""
    spread = total - 2 * np.sum(U * image) + np.sum((U.T @ U) * (B.T @ image))
    return float(spread + np.sum((mean - (mean @ B) @ U.T + added) ** 2))


def _added(fit: Projection, cells: tuple[tuple[str, ...], ...]) -> np.ndarray:
    """What is added to the residual (x − center)(I − BUᵀ) of a row of each cell (G × p): another origin, its group."""
    out = np.zeros((len(cells), len(fit.loadings))) + (fit.frame.center - fit.origin)
    out = out if fit.frame.scale is None else out / fit.frame.scale
    if fit.encoding is None:
        return out
    Z = fit.encoding.raw(cells)[:, list(fit.encoding.kept)] - fit.encoding.center
    if fit.coefficients is not None:
        out = out + Z @ fit.coefficients @ fit.loadings.T
    return out if fit.group_means is None else out - Z @ fit.group_means


def _of_rows(view: RowSpread, maps: Sequence[Projection]) -> tuple[np.ndarray, list[np.ndarray]]:
    groups = view.design.groups
    assert groups is not None
    codes, cells = groups.cells
    w = np.ones(len(codes)) if view.design.weights is None else view.design.weights
    sd = 1.0 if view.frame.scale is None else view.frame.scale
    added = [_added(fit, cells) for fit in maps]
    squares = np.zeros((len(maps), len(cells)))
    for i in range(0, len(codes), 256):
        X, own = view.design.X[i : i + 256], codes[i : i + 256]
        X = X.toarray() if hasattr(X, "toarray") else X
        for j, fit in enumerate(maps):
            x = (X - fit.frame.center) / sd
            rest = x - (x @ fit.weights) @ fit.loadings.T + added[j][own]
            squares[j] += np.bincount(own, w[i : i + 256] * np.sum(rest**2, axis=1), minlength=len(cells))
    mass = np.bincount(codes, w, minlength=len(cells))
    return mass, list(squares / np.where(mass > 0, mass, 1.0))


def _by_level(view: Spread, mass: np.ndarray, ours: np.ndarray, theirs: np.ndarray) -> tuple[GroupPrice, ...]:
    if isinstance(view, MomentSpread):
        names, cells, levels = view.moments.attributes, view.moments.cells, view.moments.levels
    else:
        groups = view.design.groups
        assert groups is not None
        names, cells, levels = groups.names, groups.cells[1], tuple(f.levels for f in groups.factors)
    out = []
    for a, name in enumerate(names):
        for level in levels[a]:
            own = np.array([cell[a] == level for cell in cells]) * mass
            if own.sum() > 0:
                out.append(
                    GroupPrice(
                        name, level, float(own.sum()), float(own @ ours / own.sum()), float(own @ theirs / own.sum())
                    )
                )
    return tuple(out)


_BY_CELL: dict[type, Any] = {MomentSpread: (_moments_tell, _of_moments), RowSpread: (_rows_tell, _of_rows)}
