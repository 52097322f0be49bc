"""LEACE: the least change of the data that makes them uncorrelated with a concept (Belrose et al. 2023)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg

from fairstats.data.centred import MomentSpread, RowSpread, Spread, spread
from fairstats.errors import InputError
from fairstats.linalg.eigen import EPS
from fairstats.linalg.krylov import truncated_svd
from fairstats.linalg.subspace import leading_pairs
from fairstats.methods.fair_pca import best_energy, shares
from fairstats.methods.pca import components, has_groups
from fairstats.methods.results.checking import checked
from fairstats.methods.results.eraser import Eraser
from fairstats.methods.results.guarantee import Guarantee
from fairstats.methods.results.price import priced
from fairstats.methods.results.projection import Projection


@checked()
def leace(
    X: Any,
    groups: Any = None,
    *,
    data: Any = None,
    weights: Any = None,
    missing: str = "raise",
    scale: bool = False,
) -> Eraser:
    """Change the features as little as possible so that no linear predictor can tell the groups from them.

    Parameters
    ----------
    X : array (n, p), sparse matrix, table, column names, formula or Moments
    groups : column name(s) of ``data`` or labels (n,)
        Two levels or many, several attributes, ``continuous(...)``.
    data : table, optional
        Where column names and formulas are looked up.
    weights : str or array (n,), optional
        As for ``og``: relative, at least 0.
    missing : {"raise", "level", "drop"}
        Rows whose group is missing.
    scale : bool
        Divide by the standard deviation (ddof 1). The map is the same in any units; shares of variation are not.

    Returns
    -------
    Eraser
        The map p → p; ``transform`` needs no group. ``leace_pca`` reduces its result to k components.

    Raises
    ------
    InputError
        No groups, a constant column with ``scale``.

    Guarantees
    ----------
    Every adjusted feature is uncorrelated with every group indicator.
    No affine map with that property changes the data less in mean square.

    Notes
    -----
    r(x) = x − W⁺P W(x − μ) with W = Σ_xx^(−1/2) and P the projector onto the columns of WΣ_xz. Written out, that is
    x − Σ_xz(Σ_zxΣ_xx⁺Σ_xz)⁺Σ_zxΣ_xx⁺(x − μ): two thin factors. The authors' code shrinks Σ_xx by default, and the map
    is then not the least change; its threshold for the rank of WΣ_xz is absolute (0.01), which leaves a weak concept in
    place. Here nothing is shrunk, and ranks are judged against the lengths of what is multiplied, each feature
    brought to length 1 first.

    References
    ----------
    Belrose, Schneider-Joseph, Ravfogel, Cotterell, Raff & Biderman (2023), "LEACE: Perfect linear concept erasure in
    closed form", NeurIPS, Theorem 4.3.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[3.0, 1.0], [3.0, -1.0], [-3.0, 1.0], [-3.0, -1.0]])
    >>> leace(X, ["a", "a", "b", "b"]).transform(X).round(9).tolist()
    [[0.0, 1.0], [0.0, -1.0], [0.0, 1.0], [0.0, -1.0]]
    """
    view, found = _found(X, groups, data=data, weights=weights, missing=missing, scale=scale)
    error = float((found.left**2).sum())  # right · Σ · rightᵀ is the identity
    return Eraser(
        "leace",
        "LEACE (least change without correlation)",
        view.frame,
        found.left,
        found.right,
        found.canonical,
        view.total,
        error,
        view.encoding,
        guarantees=(_uncorrelated(view, found),),
        settings={"scale": scale},
        notes=_notes(found),
    )


@checked()
def leace_pca(
    X: Any,
    groups: Any = None,
    k: int = 2,
    *,
    data: Any = None,
    weights: Any = None,
    missing: str = "raise",
    scale: bool = False,
) -> Projection:
    """Principal components of the features that ``leace`` adjusted.

    Parameters
    ----------
    X, groups, data, weights, missing, scale : as for ``leace``
    k : int
        Number of components, 1 to p − r for r erased directions.

    Returns
    -------
    Projection
        ``transform`` needs no group.

    Raises
    ------
    InputError
        No groups, k out of range, a constant column with ``scale``.

    Guarantees
    ----------
    The scores are uncorrelated with every group indicator.
    No k-dimensional subspace keeps more of the variation of the adjusted features.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[3.0, 1.0], [3.0, -1.0], [-3.0, 1.0], [-3.0, -1.0]])
    >>> leace_pca(X, ["a", "a", "b", "b"], k=1).transform(X).ravel().round(9).tolist()
    [1.0, -1.0, 1.0, -1.0]
    """
    view, found = _found(X, groups, data=data, weights=weights, missing=missing, scale=scale)
    return _reduced(view, found, components(k, view, len(found.canonical), "the erased directions"), {"scale": scale})


def _found(X: Any, groups: Any, **options: Any) -> tuple[Spread, _Factors]:
    view = spread(X, groups, **options)
    if not has_groups(view):
        raise InputError("groups is missing; leace erases them from the features.")
    return view, _factors(view)


@dataclass(frozen=True)
class _Factors:
    """left (p × r) and right (r × p) with right · left = I, and the squared canonical correlations (r,)."""

    left: np.ndarray
    right: np.ndarray
    canonical: np.ndarray
    lengths: np.ndarray  # (p,) of the columns of X_c, 1 where that is 0

    def erase(self, V: np.ndarray) -> np.ndarray:
        """(I − left · right)ᵀ V: coefficients for which X_c times them is the adjusted X_c times V."""
        return V - self.right.T @ (self.left.T @ V)


def _factors(view: Spread) -> _Factors:
    size, solve = _SOLVERS[type(view)](view)
    root = linalg.cholesky(view.gram_z, lower=True)
    A = linalg.solve_triangular(root, view.cross_z / size, lower=True).T
    _, s, turn = np.linalg.svd(A, full_matrices=False)
    # Features have length 1 and Z orthonormal columns here: below this, A is rounding.
    A = A @ turn[s > 64 * EPS * np.sqrt(len(size))].T
    Y = solve(A)
    inner = A.T @ Y
    canonical, R = np.linalg.eigh(0.5 * (inner + inner.T))
    order = np.flatnonzero(canonical > EPS**2)[::-1]
    F = R[:, order] / np.sqrt(canonical[order])
    return _Factors(size[:, None] * (A @ F), (Y @ F).T / size, np.minimum(canonical[order], 1.0), size)


def _solver_of_moments(view: MomentSpread) -> tuple[np.ndarray, Any]:
    """Column lengths of X_c, and V ↦ Σ⁺V for X_c with columns of length 1, from their correlation matrix."""
    size = _lengths(np.diag(view.covariance))
    values, V = np.linalg.eigh(view.covariance / size[:, None] / size)
    kept = values > len(size) * EPS * max(values[-1], 0.0)
    V, values = V[:, kept], values[kept]
    return size, lambda A: V @ ((V.T @ A) / values[:, None])


def _solver_of_rows(view: RowSpread) -> tuple[np.ndarray, Any]:
    """The same from the rows, made dense, where p > n: their singular vectors, not the p × p matrix."""
    X, w = view.rows, view.design.weights
    size = _lengths(np.einsum("np,np->p", X, X))
    X = X / size
    _, s, right = np.linalg.svd(X, full_matrices=False)
    # n rows of mean 0 span n − 1 directions at most; and numbers far from 0 were rounded before they came here.
    given = EPS * float(np.linalg.norm(view.frame.center / _unscaled(view) / size)) * np.sqrt(view.frame.weight)
    kept = s > max(max(X.shape) * EPS * s[0], given)
    kept[view.design.n - 1 if w is None else int(np.count_nonzero(w)) - 1 :] = False
    return size, lambda A: right[kept].T @ ((right[kept] @ A) / s[kept, None] ** 2)


_SOLVERS: dict[type, Any] = {MomentSpread: _solver_of_moments, RowSpread: _solver_of_rows}


def _unscaled(view: Spread) -> np.ndarray | float:
    return 1.0 if view.frame.scale is None else view.frame.scale


def _lengths(squares: np.ndarray) -> np.ndarray:
    return np.sqrt(np.where(squares > 0, squares, 1.0))


def _reduced(view: Spread, found: _Factors, k: int, settings: dict[str, Any]) -> Projection:
    """PCA of the adjusted features: S = X_c E V with V the leading directions of EᵀΣE."""
    energy, V = _LEADING[type(view)](view, found, k)
    B = found.erase(V)
    M = view.along(np.hstack([B, V]))
    inner, mixed = M[:k, :k], M[:k, k:]
    left = np.abs(view.cross_z @ B)
    size = np.sqrt(np.outer(np.diag(view.gram_z), np.maximum(energy, 1e-10 * view.total)))
    fit = Projection(
        "leace_pca",
        "LEACE, then principal components",
        view.frame,
        B,
        V,
        energy,
        shares(view, B, energy),
        view.total,
        view.total - 2 * float(np.trace(mixed)) + float(np.trace(inner)),
        view.total - best_energy(view, k),
        view.frame.center,
        encoding=view.encoding,
        guarantees=(
            _uncorrelated(view, found),
            Guarantee(
                "largest |correlation| of a score with a group",
                float((left / np.where(size > 0, size, 1.0)).max()),
                1e-8,
            ),
        ),
        settings=settings,
        notes=_notes(found),
        diagnostics={"directions_removed": len(found.canonical)},
    )
    return priced(view, fit)


def _leading_of_moments(view: MomentSpread, found: _Factors, k: int) -> tuple[np.ndarray, np.ndarray]:
    # Σ · rightᵀ = left, so the adjusted features have the second moments Σ − left · leftᵀ.
    return leading_pairs(view.covariance - found.left @ found.left.T, k)


def _leading_of_rows(view: RowSpread, found: _Factors, k: int) -> tuple[np.ndarray, np.ndarray]:
    def back(S: np.ndarray) -> np.ndarray:
        T = view.transposed(S)
        return T - found.left @ (found.right @ T)

    shape = (view.design.n, view.design.p)
    values, V = truncated_svd(lambda V: view.times(found.erase(V)), back, shape, k)
    return values**2, V


_LEADING: dict[type, Any] = {MomentSpread: _leading_of_moments, RowSpread: _leading_of_rows}


def _uncorrelated(view: Spread, found: _Factors) -> Guarantee:
    rest = view.cross_z - (view.cross_z @ found.right.T) @ found.left.T
    return Guarantee(
        "largest |correlation| of an adjusted feature with a group (relative to the feature as it was)",
        float((np.abs(rest) / np.outer(np.sqrt(np.diag(view.gram_z)), found.lengths)).max()),
        1e-9,
    )


def _notes(found: _Factors) -> tuple[str, ...]:
    if not len(found.canonical):
        return ("The features are uncorrelated with the groups already, up to rounding: nothing was changed.",)
    if found.canonical[0] > 1 - 1e-9:
        return (
            "The features determine the groups exactly (squared canonical correlation 1), as they must with fewer rows "
            "than columns: the map fits these rows, and held-out rows may keep a trace. See crossfit.",
        )
    return ()
