"""What a fit costs each group: mean squared reconstruction error beside that of PCA of the same dimension."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fairstats.data.centered import Centered, GroupCells, Residual
from fairstats.methods.results.fit_parts import GroupPrice, LinearMap
from fairstats.methods.results.projection import Projection

ROUNDING = 1e-13  # of the variation of a person: what is lost of less is arithmetic, not price


def dimension(fit: Projection) -> int:
    """Return the dimension of PCA that a fit is priced against.

    It is k, but for a fit whose scores span less (components appended to their own span), or that spends more of them
    on a fractional solution.
    """
    return int(fit.diagnostics.get("dimension", fit.k))


def plain(fit: Projection, V: np.ndarray) -> Projection:
    """Return PCA with loadings V (p × d), about the point that the fit's error is about: means, group means or 0."""
    M = fit.group_means
    linear = LinearMap(
        weights=V, loadings=V, origin=fit.origin, coefficients=None if M is None else M @ V, group_means=M
    )
    return replace(fit, scaling=replace(fit.scaling, center=fit.origin), linear=linear)


def priced(view: Centered, fit: Projection, V: np.ndarray | None = None) -> Projection:
    """Return the fit with its price by group, where the data keep second moments by group (or the rows are at hand).

    ``V`` (p × d) are the loadings of the PCA that ``fit.pca_error`` is of, where the method has them.
    """
    cells = view.cells
    if cells is None:
        return fit
    V = view.leading(min(dimension(fit), view.max_rank))[1] if V is None else V
    same = V is fit.weights and V is fit.loadings and fit.coefficients is None
    maps = [fit] if same else [fit, plain(fit, V)]
    mass, lost = view.cell_losses([_residual(each, cells) for each in maps])
    nothing = ROUNDING * fit.price.total / max(float(np.sum(mass)), 1.0)
    lost = [np.where(np.abs(each) <= nothing, 0.0, each) for each in lost]
    return replace(fit, price=replace(fit.price, by_group=_by_level(cells, mass, lost[0], lost[-1])))


def _residual(fit: Projection, cells: GroupCells) -> Residual:
    return Residual(fit.scaling.center, fit.weights, fit.loadings, _added(fit, cells.cells))


def _added(fit: Projection, cells: tuple[tuple[str, ...], ...]) -> np.ndarray:
    """Return what a row of each cell adds to its residual (x − center)(I − BUᵀ): another origin, its group (G × p)."""
    out = np.zeros((len(cells), len(fit.loadings))) + (fit.scaling.center - fit.origin)
    out = out if fit.scaling.scale is None else out / fit.scaling.scale
    if fit.encoding is None:
        return out
    Z = fit.encoding.raw(cells)[:, list(fit.encoding.kept)] - fit.encoding.center
    if fit.coefficients is not None:
        out = out + Z @ fit.coefficients @ fit.loadings.T
    return out if fit.group_means is None else out - Z @ fit.group_means


def _by_level(known: GroupCells, mass: np.ndarray, ours: np.ndarray, theirs: np.ndarray) -> tuple[GroupPrice, ...]:
    out = []
    for a, name in enumerate(known.attributes):
        for level in known.levels[a]:
            own = np.array([cell[a] == level for cell in known.cells]) * mass
            if own.sum() > 0:
                out.append(
                    GroupPrice(
                        name, level, float(own.sum()), float(own @ ours / own.sum()), float(own @ theirs / own.sum())
                    )
                )
    return tuple(out)
