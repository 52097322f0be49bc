"""Fair PCA: components that do not tell the groups apart (Kleindessner, Donini, Russell & Zafar 2023)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from fairstats.data.centered import CenteredMoments, centered
from fairstats.data.centered_view import Centered
from fairstats.data.design import Design
from fairstats.data.moments import Moments
from fairstats.data.tables import Features, Labels, Tabular, Weights
from fairstats.errors import Call, InputError, Setting, listing
from fairstats.labels import one_label
from fairstats.language import DataText, joined, message
from fairstats.linalg.eigen import EPS, fix_signs, next_block
from fairstats.linalg.subspace import all_pairs, leading_pairs, moved
from fairstats.methods.arguments import LINEAR, TARGETS, components, favorable, opportunity_note
from fairstats.methods.results import Components, Guarantee, LinearMap, Price, Projection, checked, from_loadings
from fairstats.validation import Missing, between, flag, one_of, shown, whole

# Fair PCA-S: eigenvectors along which group covariances differ little (Kleindessner et al. 2023, section 4.3).


@dataclass(frozen=True)
class FairPart:
    """The constrained components of fair PCA-S, with their notes."""

    energy: np.ndarray
    U: np.ndarray
    best: float  # what PCA of the same k explains
    pca: np.ndarray | None = None  # PCA's loadings (p × k), where they are at hand
    diagnostics: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def similar_covariance(view: Centered, Q: np.ndarray, k: int, directions: Any) -> FairPart:
    """Return PCA within the chosen number of directions, orthogonal to Q (p × r), of smallest covariance difference."""
    if view.encoding.continuous_names:
        raise InputError(
            f"{Setting('equalize', 'covariance')} compares groups, and "
            f"{listing(view.encoding.continuous_names)} is continuous; cut "
            f"it into labeled classes, or use {Setting('equalize', 'means')}."
        )
    count = _count(directions, k, view, Q.shape[1])
    basis, data = view.spanned
    if basis is not None:
        Q = np.linalg.qr(basis.T @ Q)[0]  # the groups' means differ within what the rows span
    moments = [data.unbiased(a) for a in view.encoding.names]
    unit = max(float(np.abs(S).max()) for _, S in moments) or 1.0  # the differences are squared
    differ = _differences([(weight, S / unit) for weight, S in moments], Q)
    size = float(np.linalg.norm(differ)) or 1.0
    values, vectors = all_pairs(moved(differ, Q, 2.0 * size))
    order = np.argsort(np.abs(values), kind="stable")
    # Where the rows do not vary groups do not differ either: those directions come first.
    empty_ones = 0 if basis is None else len(basis) - basis.shape[1]
    current = max(count - empty_ones, 0)
    edge = np.abs(values[order[max(current - 1, 0) : current + 1]])
    doubtful = 0 < current < len(values) - Q.shape[1]
    doubtful = doubtful and edge[1] - edge[0] <= 8 * EPS * len(values) * np.abs(values).max()
    best, V = data.leading(min(k, data.max_rank))
    if 2 * current > len(order):  # by whichever is smaller, the directions kept or those left out
        energy, U = data.leading_outside(min(k, current), vectors(order[current:]))
    else:
        energy, U = _within(data.covariance, vectors(order[:current]), min(k, current))
    gap, before = (max(_gap(S, B) for _, S in moments) for B in (U, V))
    if basis is not None:
        U, V, energy = _lifted(basis, U, k), fix_signs(basis @ V), np.pad(energy, (0, k - len(energy)))
    note = (
        f"Group covariances of the scores differ by at most {gap:.3g} (spectral norm, any two groups); those of PCA's "
        f"by {before:.3g}. PCA was done within the {count} eigenvectors of their differences whose eigenvalues are "
        "smallest in size; in other directions they may differ less."
    )
    if doubtful:
        note = joined([note, EQUAL], " ")
    diagnostics = {"directions": count, "covariance_difference": gap, "pca_covariance_difference": before}
    return FairPart(energy, U, float(best.sum()), V, diagnostics, (note,))


def _lifted(basis: np.ndarray, U: np.ndarray, k: int) -> np.ndarray:
    """The directions (p × k) of coordinates U; where there are fewer than k, any outside the basis beside them."""
    lost = k - U.shape[1]
    more = next_block(basis, np.random.default_rng(0).standard_normal((len(basis), lost)), 0.0)[0]
    return fix_signs(np.hstack([basis @ U, more]))


def _within(C: np.ndarray, kept: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Leading eigenpairs of C among the columns of ``kept``."""
    if not k:
        return np.empty(0), kept[:, :0]
    energy, A = leading_pairs(kept.T @ (C @ kept), k)
    return energy, fix_signs(kept @ A)


def _differences(moments: list[Any], Q: np.ndarray) -> np.ndarray:
    """The symmetric matrix (p × p) whose eigenvalues of smallest size mark where group covariances agree.

    One attribute of two levels: Σ_1 − Σ_0, eigenvalues of both signs. Else Σ π_g ((I − QQᵀ)(Σ_g − Σ̄)(I − QQᵀ))²,
    over all attributes; for two levels that is π_0π_1 times the square of the former.
    """
    if len(moments) == 1 and len(moments[0][1]) == 2:
        S = moments[0][1]
        return S[1] - S[0]
    out = np.zeros(moments[0][1].shape[1:])
    for weight, S in moments:
        share = weight / weight.sum()
        mean = np.tensordot(share, S, 1)
        for pi, Sigma in zip(share, S, strict=True):
            D = moved(Sigma - mean, Q, 0.0)
            out += pi * (D @ D)
    return out


def _gap(S: np.ndarray, U: np.ndarray) -> float:
    """The largest spectral norm of Uᵀ(Σ_g − Σ_h)U over pairs of groups."""
    if not U.shape[1]:
        return 0.0
    T = U.T @ S @ U
    return max(float(np.linalg.norm(T[a] - T[b], 2)) for a in range(len(T)) for b in range(a))


def _count(directions: Any, k: int, view: Centered, r: int) -> int:
    p = len(view.scaling.features)
    high = p - r
    if isinstance(directions, (float, np.floating)) and 0 < directions < 1:
        count = int(np.floor(directions * p + 1e-9))  # 0.29 of 100 is 29, though its product in binary is below
        if not k <= count <= high:
            raise InputError(
                "directions",
                f"has {directions:g}, {count} of {p} features; it can be {k} (k) to {high} (p less the {r} "
                "in which means differ) here.",
            )
        return count
    return whole(
        "directions", directions, k, high, f"at least k, at most {p} features less the {r} in which means differ"
    )


EQUAL = message(
    "Covariance differences of the last direction kept and the first left out are equal up to rounding, which decided "
    "between them: choose another number, or {setting} where features are of very different spread.",
    setting=Setting("scale", True),
)
TITLES = {"means": "Fair PCA (equal group means)", "covariance": "Fair PCA-S (equal means, similar covariances)"}


@checked()
def fair_pca(
    X: Features,
    groups: Labels = None,
    k: int = 2,
    *,
    data: Tabular | None = None,
    weights: Weights = None,
    missing: Missing = "raise",
    scale: bool = False,
    y: Any = None,
    equalize: Literal["means", "covariance"] = "means",
    directions: float | None = None,
    target: Literal["parity", "equal_opportunity"] = "parity",
    positive: Any = 1,
    tradeoff: float | None = None,
) -> Projection:
    """Find the principal components among the directions in which all groups have the same mean.

    Parameters
    ----------
    X : array (n, p), sparse matrix, table, column names, formula or Moments
    groups : column name(s) of ``data`` or labels (n,)
        Two levels or many, several attributes, ``"sex:race"`` for an intersection, ``continuous(...)``.
    k : int
        Number of components, 1 to p − r, where r directions separate the group means.
    data : table, optional
        Where column names and formulas are looked up.
    weights : str or array (n,), optional
        As for ``og``: relative, at least 0. In fair PCA-S heavy rows are not repeated rows: the covariances that it
        compares divide by Σw − Σw²/Σw of a group.
    missing : {"raise", "level", "drop"}
        Rows whose group is missing.
    scale : bool
        Divide by the standard deviation (ddof 1).
    y : str or array (n,), optional
        The outcome; for ``target="equal_opportunity"`` only. Moments must have been made with it.
    equalize : {"means", "covariance"}
        "covariance" (fair PCA-S) first keeps as many eigenvectors of the groups' differences of covariances as
        `directions` says, those whose eigenvalues are smallest in size.
    directions : int or float
        For fair PCA-S, l in the paper: a count, k to p − r, or a fraction of p below 1 (rounded down).
    target : {"parity", "equal_opportunity"}
        "equal_opportunity" centers, constrains and fits on the rows whose y is ``positive`` alone.
    positive : label of y
    tradeoff : float in [0, 1], optional
        Append λ times the ordinary principal components: 2k scores, of which only the first k are fair. A model that
        rescales its features (trees, regression without a penalty, standardized scores) finds the group in them
        whatever λ above 0 is: leakage falls with λ only for models that look at sizes.

    Returns
    -------
    Projection
        ``transform`` needs no group.

    Raises
    ------
    InputError
        k or directions out of range, no groups, groups that do not vary among the favorable rows, a continuous
        attribute with ``equalize="covariance"``.

    Guarantees
    ----------
    Every group has the same mean on every score (for equal opportunity: among the favorable rows).
    No orthonormal loadings with that property explain more of the variation (for fair PCA-S: none within the l
    directions kept).

    Notes
    -----
    Fair PCA-S does not make the difference of covariances as small as can be: a direction between an eigenvector of a
    positive and one of a negative eigenvalue may have none at all. The notes of a fit say what is left.

    Loadings are the leading eigenvectors of X_cᵀX_c in the complement of X_cᵀZ. The rank r of X_cᵀZ is decided relative
    to ‖X_c‖‖Z‖: where group means agree up to rounding nothing is removed and the fit is PCA's. The authors' code
    scales the appended components by λ³; here it is λ, as the paper has it.

    References
    ----------
    Kleindessner, Donini, Russell & Zafar (2023), "Efficient fair PCA for fair representation learning", AISTATS,
    Algorithm 1 and section 4.

    Examples
    --------
    >>> import fairstats as fs
    >>> import numpy as np
    >>> X = np.array([[3.0, 1.0], [3.0, -1.0], [-3.0, 1.0], [-3.0, -1.0]])
    >>> fs.fair_pca(X, ["a", "a", "b", "b"], k=1).loadings.ravel().tolist()
    [0.0, 1.0]
    """
    _check_options(equalize, directions, target, tradeoff)
    positive = one_label("positive", positive)
    if y is not None and target == "parity":
        raise InputError(
            f"y goes with {Setting('target', 'equal_opportunity')} only; leave it out, or name that target."
        )
    view = _view(X, groups, data, y, weights, missing, scale, equalize, target, positive)
    if not view.grouped:
        raise InputError("groups", "is missing; fair_pca equalizes their means.")
    Q = view.mean_directions
    r = Q.shape[1]
    k = components(k, view, r, "the differences of group means")
    settings = {
        "k": k,
        "scale": scale,
        "equalize": equalize,
        "directions": directions,
        "target": target,
        "positive": positive,
        "tradeoff": None if tradeoff is None else float(tradeoff),
    }
    part = _PARTS[equalize](view, Q, k, directions)
    reported: dict[str, Any] = {
        "method": "fair_pca",
        "settings": settings,
        "guarantees": (equal_means(view, part.U, part.energy, target, positive),),
    }
    notes = (*part.notes, *fair_notes(r, target, positive, view.scaling.n, bool(tradeoff)))
    diagnostics = {"directions_removed": r, **part.diagnostics}
    error = view.total - float(part.energy.sum())
    if tradeoff:
        return _with_components(view, part, float(tradeoff), error, TITLES[equalize], notes, diagnostics, reported)
    return from_loadings(
        view,
        part.U,
        title=TITLES[equalize],
        notes=notes,
        diagnostics=diagnostics,
        components=Components(part.energy, view.shares(part.U, part.energy)),
        price=Price(total=view.total, error=error, pca_error=view.total - part.best),
        pca=part.pca,
        **reported,
    )


def _equal_mean_part(view: Centered, Q: np.ndarray, k: int, _: Any) -> FairPart:
    return FairPart(*view.leading_outside(k, Q), view.leading_energy(k))


_PARTS = {"means": _equal_mean_part, "covariance": similar_covariance}


def _check_options(equalize: Any, directions: Any, target: Any, tradeoff: Any) -> None:
    one_of("equalize", equalize, TITLES)
    one_of("target", target, TARGETS)
    if (directions is None) != (equalize == "means"):
        raise InputError(
            "directions",
            f"is missing; {Setting('equalize', 'covariance')} needs it; pass a count, or a fraction of p such as 0.5."
            if directions is None
            else f"has {shown(directions)}; it goes with {Setting('equalize', 'covariance')} only; leave it out.",
        )
    if tradeoff is not None:
        several = isinstance(tradeoff, (list, tuple, np.ndarray))
        way = f"; {Call('tradeoff')} compares several" if several else ""
        between("tradeoff", tradeoff, 0, 1, f"it weighs PCA's components; pass such a weight{way}", ends="[]")


def _view(
    X: Any,
    groups: Any,
    data: Any,
    y: Any,
    weights: Any,
    missing: Missing,
    scale: bool,
    equalize: str,
    target: str,
    positive: str,
) -> Centered:
    """The centered view of the rows that the target is about, with second moments by group where they are compared."""
    if isinstance(X, Moments) and (groups is not None or y is not None):
        raise InputError("groups", "or y was given beside moments, which already hold theirs; leave them out.")
    source = X
    if not isinstance(X, (Moments, Design)):
        outcome = y if target == "equal_opportunity" else None
        source = Design.of(X, groups, data=data, y=outcome, weights=weights, missing=missing)
    if target == "equal_opportunity":
        source = favorable(source, positive)
    if equalize == "covariance" and isinstance(source, Design):
        source = replace(source.counted(), y=None)
        if source.p <= source.n:
            return CenteredMoments(Moments.of(source), scale=flag("scale", scale), design=source)
    return centered(source, scale=scale)


def equal_means(view: Centered, U: np.ndarray, energy: np.ndarray, target: str, positive: Any) -> Guarantee:
    """Return that the groups have equal means on the scores X_c U of the given energies, checked."""
    left = np.abs(view.cross_z @ U)
    # A component of next to no variation is measured against what arithmetic can resolve of the whole.
    size = np.sqrt(np.outer(np.diag(view.gram_z), np.maximum(energy, 1e-10 * view.total)))
    statement = message("equal group means: largest |correlation| of a score with a group")
    if target != "parity":
        statement = message(
            "equal group means, among rows with y={label}: largest |correlation| of a score with a group",
            label=DataText(str(positive)),
        )
    return Guarantee(
        statement,
        float((left / np.where(size > 0, size, 1.0)).max()),
        1e-9,
    )


def fair_notes(r: int, target: str, positive: Any, n: int, mixed: bool = False) -> tuple[str, ...]:
    """Return what every fair PCA says: that nothing was removed, whose means are equal, and that this is linear.

    mixed: ordinary components stand beside the fair ones.
    """
    out = []
    if r == 0:
        out.append("Group means do not differ beyond rounding: nothing was removed, and the fit is PCA's.")
    if target == "equal_opportunity":
        out.append(opportunity_note(positive, n))
    # Of equal opportunity the favorable rows alone are uncorrelated with the groups.
    return (*out, *([LINEAR] if target == "parity" and not mixed else []))


def _with_components(
    view: Centered,
    part: FairPart,
    weight: float,
    error: float,
    title: str,
    notes: tuple[str, ...],
    diagnostics: dict[str, Any],
    reported: dict[str, Any],
) -> Projection:
    """The representation (fair scores, λ · principal components), reconstructed as its projection on their span."""
    U, k = part.U, part.U.shape[1]
    best, V = view.leading(k)
    B = np.hstack([U, weight * V])
    left, s, _ = np.linalg.svd(V - U @ (U.T @ V), full_matrices=False)
    W = left[:, s > 1e-8]  # what PCA adds to the span; less than that is its rounding
    span = np.hstack([U, W])
    loadings = span @ np.linalg.pinv(span.T @ B).T
    energy = np.concatenate([part.energy, weight**2 * best])
    return from_loadings(
        view,
        loadings,
        title=f"{title}, with {weight:g} × PCA",
        notes=(
            *notes,
            f"Scores {k + 1} to {2 * k} are {weight:g} times PCA's and do tell the groups apart; the guarantee "
            f"is of the first {k}. Rows are reconstructed as their projection on the span of both, which has "
            f"{span.shape[1]} dimensions, and priced against PCA of as many. A model that rescales its features finds "
            "the group whatever the weight above 0.",
        ),
        diagnostics={**diagnostics, "dimension": span.shape[1], "blocks": (k, k)},
        linear=LinearMap(weights=B, loadings=loadings, origin=view.scaling.center),
        components=Components(energy, view.shares(B, energy)),
        price=Price(
            total=view.total,
            error=error - float(np.trace(view.along(W))),
            pca_error=view.total - view.leading_energy(span.shape[1]),
        ),
        **reported,
    )
