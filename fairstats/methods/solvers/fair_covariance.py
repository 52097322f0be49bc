"""Fair PCA-S: the directions in which group covariances differ least (Kleindessner et al. 2023, section 4.3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fairstats.arguments import whole
from fairstats.data.centered import Centered
from fairstats.errors import InputError, listing
from fairstats.linalg.eigen import EPS, fix_signs
from fairstats.linalg.krylov import next_block
from fairstats.linalg.subspace import all_pairs, leading_pairs, moved


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
            f"equalize='covariance' compares groups, and {listing(view.encoding.continuous_names)} is continuous; cut "
            "it into labeled classes, or use equalize='means'."
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
    own = max(count - empty_ones, 0)
    edge = np.abs(values[order[max(own - 1, 0) : own + 1]])
    doubtful = 0 < own < len(values) - Q.shape[1]
    doubtful = doubtful and edge[1] - edge[0] <= 8 * EPS * len(values) * np.abs(values).max()
    best, V = data.leading(min(k, data.max_rank))
    if 2 * own > len(order):  # by whichever is smaller, the directions kept or those left out
        energy, U = data.leading_outside(min(k, own), vectors(order[own:]))
    else:
        energy, U = _within(data.covariance, vectors(order[:own]), min(k, own))
    gap, before = (max(_gap(S, B) for _, S in moments) for B in (U, V))
    if basis is not None:
        U, V, energy = _lifted(basis, U, k), fix_signs(basis @ V), np.pad(energy, (0, k - len(energy)))
    note = (
        f"Group covariances of the scores differ by at most {gap:.3g} (spectral norm, any two groups); those of PCA's "
        f"by {before:.3g}. PCA was done within the {count} directions in which they differ least."
    )
    if doubtful:
        note += (
            " Covariance differences of the last direction kept and the first left out are equal up to rounding, which "
            "decided between them: choose another number, or scale=True where features are of very different spread."
        )
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
                f"directions has {directions:g}, {count} of {p} features; it can be {k} (k) to {high} (p less the {r} "
                "in which means differ) here."
            )
        return count
    return whole(
        "directions", directions, k, high, f"at least k, at most {p} features less the {r} in which means differ"
    )
