"""What a fit costs each group: mean squared reconstruction error beside that of PCA of the same k."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fairstats.data.spread import MomentSpread, RowSpread, Spread
from fairstats.methods.projection import Projection


@dataclass(frozen=True)
class GroupPrice:
    """Mean squared error ‖x − x̃‖² of the people of one level, in the units of the fit."""

    attribute: str
    level: str
    n: float
    error: float
    pca_error: float


def priced(view: Spread, fit: Projection, plain: np.ndarray | None = None) -> Projection:
    """The fit with its price by group, where the data keep second moments by group (or the rows are at hand).

    ``plain`` (p × k) are PCA's loadings, where the method has them.
    """
    tells, errors = _BY_CELL[type(view)]
    if not tells(view):
        return fit
    plain = view.leading(min(fit.k, view.max_rank))[1] if plain is None else plain
    return replace(fit, price=_by_level(view, *errors(view, fit, plain)))


def _moments_tell(view: MomentSpread) -> bool:
    m = view.moments
    return m.by_cell and bool(m.attributes) and not m.continuous and not m.outcome


def _rows_tell(view: RowSpread) -> bool:
    groups = view.design.groups
    return groups is not None and bool(groups.factors) and not groups.continuous_names


def _of_moments(view: MomentSpread, fit: Projection, plain: np.ndarray) -> tuple[np.ndarray, ...]:
    m = view.moments
    p, sd = m.p, np.ones(m.p) if view.frame.scale is None else view.frame.scale
    means = (m.delta[:, :p] + (m.shift[:p] - view.frame.center)) / sd
    Z = _encoded(fit, m.cells)
    ours, theirs = np.empty(len(m.cells)), np.empty(len(m.cells))
    offset = (view.frame.center - fit.origin) / sd
    for c in range(len(m.cells)):
        scatter, size = m.scatter[c, :p, :p], max(m.weight[c], np.finfo(float).tiny)
        spread = float(np.sum(np.diag(scatter) / sd**2)) / size
        both = np.hstack([fit.weights, plain])
        image = (scatter @ (both / sd[:, None])) / sd[:, None] / size  # Σ_c [B, V], with no p × p copy
        k = fit.weights.shape[1]
        ours[c] = _error(spread, image[:, :k], means[c], fit.weights, fit.loadings, offset + _added(fit, Z[c]))
        theirs[c] = _error(spread, image[:, k:], means[c], plain, plain, np.zeros(p))
    return m.weight, ours, theirs


def _error(total: float, image: np.ndarray, mean: np.ndarray, B: np.ndarray, U: np.ndarray, added: np.ndarray) -> float:
    """E‖x(I − BUᵀ) + a‖² for x of covariance Σ (tr Σ and ΣB are given) and the given mean."""
    spread = total - 2 * np.sum(U * image) + np.sum((U.T @ U) * (B.T @ image))
    return float(spread + np.sum((mean - (mean @ B) @ U.T + added) ** 2))


def _added(fit: Projection, z: np.ndarray) -> np.ndarray:
    """What the group of a row adds to its residual: z(ΛUᵀ − M)."""
    out = np.zeros(len(fit.loadings))
    if fit.coefficients is not None:
        out = out + z @ fit.coefficients @ fit.loadings.T
    return out if fit.group_means is None else out - z @ fit.group_means


def _of_rows(view: RowSpread, fit: Projection, plain: np.ndarray) -> tuple[np.ndarray, ...]:
    groups = view.design.groups
    assert groups is not None
    codes, cells = groups.cells
    w = np.ones(len(codes)) if view.design.weights is None else view.design.weights
    sd = 1.0 if view.frame.scale is None else view.frame.scale
    added = (view.frame.center - fit.origin) / sd + np.array([_added(fit, z) for z in _encoded(fit, cells)])
    same = plain is fit.weights and plain is fit.loadings
    squares = np.zeros((2, len(cells)))
    for i in range(0, len(codes), 256):
        X = view.design.X[i : i + 256]
        x = ((X.toarray() if hasattr(X, "toarray") else X) - view.frame.center) / sd
        scores = x @ fit.weights
        residual = x - scores @ fit.loadings.T + added[codes[i : i + 256]]
        theirs = np.sum(x**2, axis=1) - np.sum((scores if same else x @ plain) ** 2, axis=1)
        for row, lost in enumerate((np.sum(residual**2, axis=1), theirs)):
            squares[row] += np.bincount(codes[i : i + 256], w[i : i + 256] * lost, minlength=len(cells))
    mass = np.bincount(codes, w, minlength=len(cells))
    return mass, *(squares / np.where(mass > 0, mass, 1.0))


def _encoded(fit: Projection, cells: tuple[tuple[str, ...], ...]) -> np.ndarray:
    """Centred Z of each cell (G × q)."""
    if fit.encoding is None:
        return np.zeros((len(cells), 0))
    return fit.encoding.raw(cells)[:, list(fit.encoding.kept)] - fit.encoding.center


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
