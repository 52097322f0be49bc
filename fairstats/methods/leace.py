"""LEACE: the least change of the data that makes them uncorrelated with a concept (Belrose et al. 2023)."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from fairstats.arguments import flag, one_of
from fairstats.choices import Missing
from fairstats.data.centered import Centered, by_rows, centered
from fairstats.data.columns import Features, Labels, Tabular, Weights
from fairstats.errors import InputError
from fairstats.linalg.subspace import leading_pairs
from fairstats.methods.parts.lattices import LINEAR
from fairstats.methods.parts.limits import components
from fairstats.methods.results.checking import checked
from fairstats.methods.results.eraser import Eraser
from fairstats.methods.results.fit_parts import Components, LinearMap, Price
from fairstats.methods.results.from_loadings import from_loadings
from fairstats.methods.results.guarantee import Guarantee
from fairstats.methods.results.projection import Projection
from fairstats.methods.solvers.leace_factors import Factors, factors, orthogonal_factors

REMEDY = (
    "Features that are nearly combinations of others are the usual reason: fit from rows, not from moments, which do "
    "not tell how little they vary beside them, or leave some out."
)


@checked(REMEDY)
def leace(
    X: Features,
    groups: Labels = None,
    *,
    data: Tabular | None = None,
    weights: Weights = None,
    missing: Missing = "raise",
    scale: bool = False,
    shrinkage: bool = False,
    projection: Literal["oblique", "orthogonal"] = "oblique",
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
        As for ``og``: relative, at least 0. With shrinkage heavy rows are not repeated rows: how much is shrunk depends
        on how many rows there are.
    missing : {"raise", "level", "drop"}
        Rows whose group is missing.
    scale : bool
        Divide by the standard deviation (ddof 1). The map is the same in any units, but for the two options below;
        shares of variation are not.
    shrinkage : bool
        Draw Σ_xx toward a multiple of the identity (Bodnar, Gupta & Parolya 2014), as the authors' program does by
        default: more is changed on these rows, and less is left in new ones where rows are few for so many features.
    projection : {"oblique", "orthogonal"}
        "orthogonal" takes out the directions of Σ_xz themselves (the authors' ``method="orth"``): the feature side of
        ``fair_pca``. Features that the groups do not shift then stay as they are.

    Returns
    -------
    Eraser
        The map p → p; ``transform`` needs no group. ``leace_pca`` reduces its result to k components. A map that knows
        the group of each row can do with less change: ``comparators.residualize`` is that (oracle LEACE), and
        ``comparators.quadratic_leace`` makes covariances equal too.

    Raises
    ------
    InputError
        No groups, a constant column with ``scale``, shrinkage of an orthogonal projection.

    Guarantees
    ----------
    Every adjusted feature is uncorrelated with every group indicator.
    By default no affine map with that property changes the data less in mean square: what is taken out tells as much
    of the groups as all features do.

    Notes
    -----
    Where features are nearly combinations of others (years and their powers), how little they vary beside these is lost
    in sums of squares and products: rows are then factored themselves. Moments have no rows, and the fit says that the
    least change is not shown.

    r(x) = x − W⁺P W(x − μ) with W = Σ_xx^(−1/2) and P the projector onto the columns of WΣ_xz. Written out, that is
    x − Σ_xz(Σ_zxΣ_xx⁺Σ_xz)⁺Σ_zxΣ_xx⁺(x − μ): two thin factors. The authors' code shrinks Σ_xx by default, and the map
    is then not the least change; its threshold for the rank of WΣ_xz is absolute (0.01), which leaves a weak concept in
    place. Here nothing is shrunk unless asked, and ranks are judged against the lengths of what is multiplied, each
    feature brought to length 1 first.

    References
    ----------
    Belrose, Schneider-Joseph, Ravfogel, Cotterell, Raff & Biderman (2023), "LEACE: Perfect linear concept erasure in
    closed form", NeurIPS, Theorem 4.3.

    Examples
    --------
    >>> import fairstats as fs
    >>> import numpy as np
    >>> X = np.array([[3.0, 1.0], [3.0, -1.0], [-3.0, 1.0], [-3.0, -1.0]])
    >>> fs.leace(X, ["a", "a", "b", "b"]).transform(X).round(9).tolist()
    [[0.0, 1.0], [0.0, -1.0], [0.0, 1.0], [0.0, -1.0]]
    """
    one_of("projection", projection, ("oblique", "orthogonal"))
    if flag("shrinkage", shrinkage) and projection == "orthogonal":
        raise InputError("shrinkage has True, and an orthogonal projection asks for no covariances; leave one out.")
    view = _grouped(X, groups, data=data, weights=weights, missing=missing, scale=scale)
    found = orthogonal_factors(view) if projection == "orthogonal" else factors(view, shrinkage)
    error = float(np.sum(found.left.T @ found.left * view.along(found.right.T)))
    return Eraser(
        method="leace",
        title="LEACE (least change without correlation)",
        scaling=view.scaling,
        left=found.left,
        right=found.right,
        canonical=found.canonical,
        total=view.total,
        error=error,
        encoding=view.encoding,
        guarantees=(_uncorrelated(view, found), *_least(found)),
        settings={"scale": scale, "shrinkage": shrinkage, "projection": projection},
        notes=(*_notes(found), LINEAR),
    )


@checked(REMEDY)
def leace_pca(
    X: Features,
    groups: Labels = None,
    k: int = 2,
    *,
    data: Tabular | None = None,
    weights: Weights = None,
    missing: Missing = "raise",
    scale: bool = False,
    shrinkage: bool = False,
) -> Projection:
    """Find the principal components of the features that ``leace`` has adjusted.

    Parameters
    ----------
    X, groups, data, weights, missing, scale, shrinkage : as for ``leace``
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
    >>> import fairstats as fs
    >>> import numpy as np
    >>> X = np.array([[3.0, 1.0], [3.0, -1.0], [-3.0, 1.0], [-3.0, -1.0]])
    >>> fs.leace_pca(X, ["a", "a", "b", "b"], k=1).transform(X).ravel().round(9).tolist()
    [1.0, -1.0, 1.0, -1.0]
    """
    view = _grouped(X, groups, data=data, weights=weights, missing=missing, scale=scale)
    found = factors(view, flag("shrinkage", shrinkage))
    k = components(k, view, len(found.canonical), "the erased directions")
    return _reduced(view, found, k, {"k": k, "scale": scale, "shrinkage": shrinkage})


def _grouped(X: Any, groups: Any, **options: Any) -> Centered:
    view = centered(X, groups, **options)
    if not view.grouped:
        raise InputError("groups is missing; leace erases them from the features.")
    return by_rows(view)


def _leading(view: Centered, found: Factors, k: int) -> tuple[np.ndarray, np.ndarray]:
    if not found.shrunk:
        return view.leading_erased(k, found.left, found.right)
    C = view.covariance  # of the adjusted rows: (I − LR)C(I − LR)ᵀ
    half = C - found.left @ (found.right @ C)
    return leading_pairs(half - (half @ found.right.T) @ found.left.T, k)


def _reduced(view: Centered, found: Factors, k: int, settings: dict[str, Any]) -> Projection:
    """PCA of the adjusted features: S = X_c E V with V the leading directions of EᵀΣE."""
    energy, V = _leading(view, found, k)
    B = found.erase(V)
    M = view.along(np.hstack([B, V]))
    inner, mixed = M[:k, :k], M[:k, k:]
    left = np.abs(view.cross_z @ B)
    size = np.sqrt(np.outer(np.diag(view.gram_z), np.maximum(energy, 1e-10 * view.total)))
    return from_loadings(
        view,
        V,
        method="leace_pca",
        title="LEACE, then principal components",
        linear=LinearMap(weights=B, loadings=V, origin=view.scaling.center),
        components=Components(energy, view.shares(B, energy)),
        price=Price(
            total=view.total,
            error=view.total - 2 * float(np.trace(mixed)) + float(np.trace(inner)),
            pca_error=view.total - view.leading_energy(k),
        ),
        guarantees=(
            _uncorrelated(view, found),
            Guarantee(
                "largest |correlation| of a score with a group",
                float((left / np.where(size > 0, size, 1.0)).max()),
                1e-8,
            ),
            *_least(found),
        ),
        settings=settings,
        notes=(*_notes(found), LINEAR),
        diagnostics={"directions_removed": len(found.canonical)},
    )


def _uncorrelated(view: Centered, found: Factors) -> Guarantee:
    rest = view.cross_z - (view.cross_z @ found.right.T) @ found.left.T
    return Guarantee(
        "largest |correlation| of an adjusted feature with a group (relative to the feature as it was)",
        float((np.abs(rest) / np.outer(np.sqrt(np.diag(view.gram_z)), found.lengths)).max()),
        1e-9,
    )


def _least(found: Factors) -> tuple[Guarantee, ...]:
    if found.unexplained is None:
        return ()
    said = (
        "least change: largest share of a group contrast that the features may explain and what is taken out does not"
    )
    return (Guarantee(said, found.unexplained, 1e-6),)


def _notes(found: Factors) -> tuple[str, ...]:
    if not len(found.canonical):
        return ("The features are uncorrelated with the groups already, up to rounding: nothing was changed.",)
    if found.canonical[0] > 1 - 1e-9:
        return (
            "The features determine the groups exactly (squared canonical correlation 1), as they must with fewer rows "
            "than columns: the map fits these rows, and held-out rows may keep a trace. See crossfit.",
        )
    return ()
