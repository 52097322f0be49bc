"""SOG: sparse loadings, scores orthogonal to the groups (Aliverti et al. 2021, Algorithm 1)."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from fairstats.arguments import between, items, number, random_seed, whole
from fairstats.choices import Missing
from fairstats.data.centered import Centered, centered
from fairstats.data.columns import Features, Labels, Tabular, Weights
from fairstats.data.design import Design
from fairstats.data.moments import Moments
from fairstats.errors import FairstatsWarning, InputError
from fairstats.methods.parts.lattices import LINEAR, shift_notes
from fairstats.methods.parts.limits import components
from fairstats.methods.parts.sparsity import chosen_bound
from fairstats.methods.results.checking import checked
from fairstats.methods.results.fit_parts import Components, LinearMap, Price
from fairstats.methods.results.from_loadings import from_loadings
from fairstats.methods.results.guarantee import Guarantee
from fairstats.methods.results.projection import Projection
from fairstats.methods.solvers.sparse_component import SparseComponent, sparse_component
from fairstats.naming import answering, known_as

if TYPE_CHECKING:
    import pandas as pd


@checked()
def sog(
    X: Features,
    groups: Labels = None,
    k: int = 2,
    *,
    data: Tabular | None = None,
    weights: Weights = None,
    missing: Missing = "raise",
    scale: bool = False,
    t: float | Literal["cv"],
    tolerance: float = 1e-10,
    max_iter: int = 5000,
    folds: int = 5,
    seed: int = 0,
) -> Projection:
    """Find components with sparse loadings whose scores are uncorrelated with the groups and with each other.

    Parameters
    ----------
    X : array (n, p), sparse matrix, table, column names, formula or Moments
    groups : as for ``og``
    k : int
        Number of components.
    t : float or "cv"
        Bound on ‖u_j‖₁, 1 (one feature a component) to √p (no sparsity). With "cv" the least of eight bounds, from 1
        to √p by equal factors, whose squared error on held-out rows is within one standard error of the best one's.
    data, weights, missing, scale : as for ``og``
    tolerance : float
        A component has converged when its loadings move by less than this (ℓ2).
    max_iter : int
        Steps a component; a warning is given where they do not suffice.
    folds, seed : int
        Of ``t="cv"``: how many folds, and of their draw, stratified by group.

    Returns
    -------
    Projection
        Loadings U sparse (not orthogonal), scores S = M_Z X_c B. ``diagnostics``: d, non-zeros, iterations, converged,
        the objective after every step; with ``t="cv"`` the bound chosen, and the bounds tried with their errors.

    Raises
    ------
    InputError
        t outside [1, √p], k too large.

    Guarantees
    ----------
    Sᵀ Z = 0; the scores are orthogonal to each other; ‖u_j‖₂ = 1 and ‖u_j‖₁ ≤ t.
    The objective of a component never decreases.
    The error is ‖X_c‖² − Σ d_j².

    Notes
    -----
    Starts are deterministic: the leading eigenvector of what is left and its five best single columns; the best after
    25 steps go on, with momentum and at the end Newton's method, to a fixed point of the paper's step, and the best end
    is kept. The paper's appendix and R code test the unnormalized vector against t and crash for legal t.

    References
    ----------
    Aliverti, Lum, Johndrow & Dunson (2021), JRSS A 184, Algorithm 1.

    Examples
    --------
    >>> import numpy as np
    >>> import fairstats as fs
    >>> rng = np.random.default_rng(0)
    >>> fit = fs.sog(rng.standard_normal((50, 6)), np.arange(50) % 2, k=2, t=1.3)
    >>> bool(np.abs(fit.loadings).sum(axis=0).max() <= 1.3 + 1e-12)
    True
    """
    tried: dict[str, Any] = {}
    rows = X
    drawn = {"folds": whole("folds", folds, 2, 1_000_000, "folds of rows"), "seed": random_seed(seed)}
    asked = t
    if isinstance(t, str) and t == "cv":
        X = X if isinstance(X, (Design, Moments)) else Design.of(X, groups, data=data, weights=weights, missing=missing)
        groups = data = weights = None
        kept: dict[str, Any] = {"scale": scale, "tolerance": tolerance, "max_iter": max_iter}
        t, tried = chosen_bound(lambda rows, bound: sog(rows, k=k, t=bound, **kept), X, **drawn)
    view = centered(X, groups, data=data, weights=weights, missing=missing, scale=scale)
    if not view.grouped:
        raise InputError("groups is missing; sog makes the scores uncorrelated with them.")
    p = len(view.scaling.features)
    t = between(
        "t", t, 1, np.sqrt(p) * (1 + 1e-12), "pass a bound on the sum of absolute loadings, 1 to √p, or 'cv'", ends="[]"
    )
    tolerance = between("tolerance", tolerance, 0, np.inf)
    max_iter = whole("max_iter", max_iter, 1, 10_000_000, "steps of a component")
    k = components(k, view)
    total = left = view.residual_operator()  # C_0, and C_j: what j components leave of it
    lengths = np.sqrt(view.squares)
    U, B, found = np.empty((p, k)), np.empty((p, k)), []
    first_images = np.empty((p, k))  # C_0 u_j
    for j in range(k):
        part = sparse_component(left, float(t), tolerance, max_iter)
        if part.d2 <= 1e-12 * float(np.abs(part.u) @ lengths) ** 2:  # rounding of the features that it is made of
            raise InputError(
                f"k has {k}; after {j} components nothing is left that the groups do not explain; pass a smaller k."
            )
        found.append(part)
        U[:, j] = part.u
        first_images[:, j] = total.times(part.u[:, None])[:, 0]
        B[:, j] = part.u - B[:, :j] @ ((B[:, :j].T @ first_images[:, j]) / np.array([f.d2 for f in found[:j]]))
        left = left.without(part.u, part.image, part.d2)
    return _projection(
        view,
        U,
        B,
        first_images,
        found,
        {
            "k": k,
            "scale": scale,
            "t": asked if tried else float(t),
            "tolerance": tolerance,
            "max_iter": max_iter,
            **(drawn if tried else {}),
        },
        float(t),
        tried,
        (LINEAR, *shift_notes(rows, view.design)),
    )


@answering
def sog_path(X: Any, groups: Any = None, k: int = 2, *, ts: Sequence[float], **options: Any) -> pd.DataFrame:
    """Fit ``sog`` once for every bound t on the loadings, to see what sparsity costs.

    Parameters
    ----------
    X, groups, k : as for ``sog``
    ts : sequence of float
    **options : further arguments of ``sog``

    Returns
    -------
    pandas.DataFrame
        Columns t, error, explained, nonzero (all components together).
    """
    import pandas as pd

    bounds = [number("ts", t) for t in items("ts", ts, "bounds on the loadings")]
    with known_as(t="ts"):
        fits = [sog(X, groups, k, t=t, **options) for t in bounds]
    return pd.DataFrame(
        {
            "t": bounds,
            "error": [f.error for f in fits],
            "explained": [1 - f.error / f.total for f in fits],
            "nonzero": [int(sum(f.diagnostics["nonzero"])) for f in fits],
        }
    )


def _projection(
    view: Centered,
    U: np.ndarray,
    B: np.ndarray,
    images: np.ndarray,
    found: list[SparseComponent],
    settings: dict[str, Any],
    t: float,
    tried: dict[str, Any],
    said: tuple[str, ...],
) -> Projection:
    d2 = np.array([f.d2 for f in found])
    k = len(found)
    how = ", by cross-validation" if tried else ""
    slow = [str(j + 1) for j, f in enumerate(found) if not f.converged]
    if slow:
        warnings.warn(
            f"component {', '.join(slow)} did not converge in {settings['max_iter']} steps; raise max_iter or "
            "tolerance.",
            FairstatsWarning,
            stacklevel=4,
        )
    Lambda = np.linalg.solve(view.gram_z, view.cross_z @ B)
    left = view.cross_z @ B - view.gram_z @ Lambda
    gram = B.T @ images @ np.linalg.inv(_unit(B, U))
    size = np.outer(np.sqrt(d2), np.sqrt(d2))
    off = np.abs((gram - np.diag(np.diag(gram))) / size).max() if k > 1 else 0.0
    pca_energy = view.leading(k)[0]
    guarantees = (
        Guarantee(
            "largest correlation of a score with a group indicator",
            float(np.abs(left / np.sqrt(np.outer(np.diag(view.gram_z), d2))).max()),
            1e-8,
        ),
        Guarantee("largest correlation between two scores", float(off), 1e-8),
        Guarantee("largest ‖u‖₁ above t", float(max(np.abs(U).sum(axis=0).max() - t, 0.0)), 1e-8),
    )
    return from_loadings(
        view,
        U,
        method="sog",
        title="Sparse, orthogonal to groups (SOG)",
        linear=LinearMap(weights=B, loadings=U, origin=view.scaling.center, coefficients=Lambda),
        components=Components(d2, np.full(k, np.nan)),
        price=Price(
            total=view.total,
            error=view.total - float(d2.sum()),
            pca_error=view.total - float(pca_energy.sum()),
        ),
        guarantees=guarantees,
        settings=settings,
        notes=(
            f"Loadings have {', '.join(str(int((U[:, j] != 0).sum())) for j in range(k))} non-zeros "
            f"(t = {t:g}{how}); they are unit vectors, not orthogonal to each other.",
            *said,
        ),
        diagnostics={
            "d": np.sqrt(d2),
            "nonzero": [int((U[:, j] != 0).sum()) for j in range(k)],
            "iterations": [f.iterations for f in found],
            "converged": [f.converged for f in found],
            "objective": [f.objective for f in found],
            **({"t": t, **tried} if tried else {}),
        },
    )


def _unit(B: np.ndarray, U: np.ndarray) -> np.ndarray:
    """Return the unit upper triangular R with U = B R, with which the scores' Gram matrix is BᵀC_0U R⁻¹."""
    return np.linalg.lstsq(B, U, rcond=None)[0]
