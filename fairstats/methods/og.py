"""OG: data made orthogonal to a group variable (Aliverti, Lum, Johndrow & Dunson 2021)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np

from fairstats.data.centered import by_rows_beside_groups, centered
from fairstats.data.centered_view import Centered
from fairstats.data.tables import Features, Labels, Tabular, Weights
from fairstats.errors import InputError, Setting
from fairstats.language import message
from fairstats.methods.arguments import LINEAR, components, shift_notes
from fairstats.methods.results import Components, Guarantee, LinearMap, Price, Projection, checked, from_loadings
from fairstats.validation import Missing, flag, one_of

TITLES = {"svd": "Orthogonal to groups (OG)", "residual": "Orthogonal to groups (OG, residual basis)"}


@checked()
def og(
    X: Features,
    groups: Labels = None,
    k: int = 2,
    *,
    data: Tabular | None = None,
    weights: Weights = None,
    missing: Missing = "raise",
    scale: bool = False,
    center: bool = True,
    basis: Literal["svd", "residual"] = "svd",
    intercept: bool = True,
) -> Projection:
    """Reconstruct the data from k components whose scores are uncorrelated with the groups.

    Parameters
    ----------
    X : array (n, p), sparse matrix, table, column names, formula or Moments
    groups : column name(s) of ``data`` or labels (n,)
        Attribute, several attributes, ``"sex:race"`` for an intersection, ``continuous(...)``.
    k : int
        Number of components, 1 to min(n, p).
    data : table, optional
        Where column names and formulas are looked up.
    weights : str or array (n,), optional
        How much a row counts, at least 0: twice the weight is the row twice, and only proportions matter. With
        ``scale`` heavy rows are not repeated rows, for both cannot be had: standard deviations divide by Σw − Σw²/Σw,
        which is n − 1 without weights and does not depend on their unit.
    missing : {"raise", "level", "drop"}
        Rows whose group is missing.
    scale : bool
        Divide by the standard deviation (ddof 1).
    center : bool
        False keeps the columns' means in what is decomposed (the authors' ``rescale = FALSE``); scores are made
        orthogonal to the intercept as well, so the guarantee is the same.
    basis : {"svd", "residual"}
        "svd" is the paper's: singular vectors of X_c. "residual" uses those of M_Z X_c, which is the optimum.
    intercept : bool
        False projects on uncentered group indicators (of all levels but the first), the literal P_Z of the paper. It
        does *not* decorrelate and is here for comparison.

    Returns
    -------
    Projection
        ``transform`` needs the group of new rows: s = (x − μ)U − (z − z̄)Λ.

    Raises
    ------
    InputError
        k out of range, no groups, a constant column with ``scale``, missing values.

    Guarantees
    ----------
    The scores of the training rows, hence X̃, are uncorrelated with every group indicator.
    With the svd basis the extra error against PCA is exactly ‖P_Z V_k D_k‖² = Σ d_j² R_j².
    No rank-k reconstruction uncorrelated with the groups has a smaller error than the residual basis'.

    Notes
    -----
    The paper's Lemma 2.2 states that the svd basis is optimal. It is not: for SᵀZ = 0,
    ‖X_c − SUᵀ‖² = ‖P_Z X_c‖² + ‖M_Z X_c − SUᵀ‖², which the rank-k SVD of M_Z X_c minimizes. With two rows a group,
    X_c = (±3, 0) in step with the group plus (0, ±1) within it, PCA's axis is the group's: for k = 1 OG leaves
    nothing, the residual basis keeps all of the second feature.

    References
    ----------
    Aliverti, Lum, Johndrow & Dunson (2021), "Removing the influence of group variables in high-dimensional
    predictive modelling", JRSS A 184, section 2, doi:10.1111/rssa.12613.

    Examples
    --------
    >>> import fairstats as fs
    >>> import numpy as np
    >>> X = np.array([[3.0, 1.0], [3.0, -1.0], [-3.0, 1.0], [-3.0, -1.0]])
    >>> fit = fs.og(X, ["a", "a", "b", "b"], k=1)
    >>> round(fit.extra_error, 9), round(fs.og(X, ["a", "a", "b", "b"], k=1, basis="residual").extra_error, 9)
    (36.0, 32.0)
    """
    one_of("basis", basis, TITLES)
    center, intercept = flag("center", center), flag("intercept", intercept)
    if not center and (scale or basis == "residual" or not intercept):
        raise InputError(
            f"{Setting('center', False)} goes with {Setting('basis', 'svd')}, {Setting('scale', False)} and "
            f"{Setting('intercept', True)} only."
        )
    view = centered(X, groups, data=data, weights=weights, missing=missing, scale=scale)
    text = (LINEAR, *shift_notes(X, view.design))
    if not view.grouped:
        raise InputError("groups", "is missing; og removes the part of the data that they explain.")
    k = components(k, view)
    settings = {"k": k, "scale": scale, "center": center, "basis": basis, "intercept": intercept}
    if not center:
        return _uncentered(view, k, settings, text)
    energy, U = view.leading(k)
    pca_error = view.total - float(energy.sum())
    lost = view.explained(U)
    # The optimum leaves ‖P_Z X_c‖² and what rank k does not take of M_Z X_c: together, the total less its k squares.
    if basis == "residual":
        other = ("svd basis", float(lost.sum()))
        best, U = by_rows_beside_groups(view).leading_residual(k)
        lost = view.explained(U)
        energy = best + lost
        error = pca_error + max(view.total - float(best.sum()) - pca_error, 0.0)
    else:
        other = ("residual basis", max(view.total - view.residual_energy(k) - pca_error, 0.0))
        error = pca_error + float(lost.sum())
    share = lost / np.where(energy > 0, energy, 1.0)
    gram, encoding = view.gram_z, view.encoding
    if not intercept:
        gram = gram + view.scaling.weight * np.outer(encoding.center, encoding.center)
        encoding = replace(encoding, center=np.zeros_like(encoding.center))  # nothing subtracted: the paper's Z
    H = view.cross_z @ U
    Lambda = np.linalg.solve(gram, H)
    diagnostics: dict[str, Any] = {"blind_to_groups": basis == "svd", "other_basis": other}
    if not intercept:  # PCA's error plus the part that is projected out
        error = pca_error + float(np.einsum("qk,qk->", H, Lambda))
        moved = np.einsum("qk,qk->k", view.gram_z @ Lambda - 2 * H, Lambda)
        diagnostics["score_energy"] = energy + moved  # about the mean, which scores have here
    return from_loadings(
        view,
        U,
        method="og",
        title=TITLES[basis],
        settings=settings,
        guarantees=_guarantees(view, U, Lambda, energy),
        notes=(*_notes(basis, intercept), *(text if intercept else ())),
        diagnostics=diagnostics,
        linear=LinearMap(weights=U, loadings=U, origin=view.scaling.center, coefficients=Lambda),
        components=Components(energy, share),
        price=Price(total=view.total, error=error, pca_error=pca_error),
        encoding=encoding,
        pca=U if basis == "svd" else None,
    )


def _guarantees(view: Centered, U: np.ndarray, Lambda: np.ndarray, energy: np.ndarray) -> tuple[Guarantee, ...]:
    # ZᵀS = ZᵀX_cU − ZᵀZΛ, measured against the lengths of what is multiplied.
    left = view.cross_z @ U - view.gram_z @ Lambda
    size = np.sqrt(np.outer(np.diag(view.gram_z), np.maximum(energy, energy.max() * 1e-15)))
    correlation = float(np.abs(left / np.where(size > 0, size, 1.0)).max())
    return (
        Guarantee(
            message("largest correlation of a score with a group indicator (relative to the component)"),
            correlation,
            1e-10,
        ),
    )


def _notes(basis: str, intercept: bool) -> tuple[str, ...]:
    if not intercept:
        return (
            message(
                "{setting}: the projection is on uncentered indicators, as the paper writes it. Scores stay "
                "correlated with the groups; use it for comparison only.",
                setting=Setting("intercept", False),
            ),
        )
    if basis == "residual":
        return ("The residual basis looks at the groups, so its components are described, not tested.",)
    return ()


def _uncentered(view: Centered, k: int, settings: dict[str, Any], names: tuple[str, ...]) -> Projection:
    """The rank-k SVD of X itself; the projection is on the intercept and Z."""
    mean = view.scaling.center
    energy, U = view.leading_about_origin(k)
    total = view.total + view.scaling.weight * float(mean @ mean)
    by_groups, of_means = view.explained(U), view.scaling.weight * (mean @ U) ** 2
    lost, about_means = by_groups + of_means, np.maximum(energy - of_means, 0.0)
    pca_error = total - float(energy.sum())
    Lambda = np.linalg.solve(view.gram_z, view.cross_z @ U)
    return from_loadings(
        view,
        U,
        method="og",
        title="Orthogonal to groups (OG) of uncentered data",
        settings=settings,
        guarantees=_guarantees(view, U, Lambda, energy),
        notes=(
            message(
                "{setting}: the means are part of what is decomposed and, with the groups, of what is projected out. "
                "What the groups explain is a share of how components vary about their means.",
                setting=Setting("center", False),
            ),
            *names,
        ),
        diagnostics={"about_means": about_means},
        linear=LinearMap(weights=U, loadings=U, origin=np.zeros_like(mean), coefficients=Lambda),
        components=Components(energy, by_groups / np.where(about_means > 0, about_means, 1.0)),
        price=Price(total=total, error=pca_error + float(lost.sum()), pca_error=pca_error),
        pca=U,
    )
