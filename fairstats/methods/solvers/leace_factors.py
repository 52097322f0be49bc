"""The thin factors of LEACE's map, from the centered view of the data, and how much of the groups they take out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from fairstats.data.centered import Centered
from fairstats.linalg.eigen import EPS
from fairstats.linalg.shrinkage import linear_shrinkage


@dataclass(frozen=True)
class Factors:
    """left (p × r) and right (r × p) with right · left = I, and the squared canonical correlations (r,)."""

    left: np.ndarray
    right: np.ndarray
    canonical: np.ndarray
    lengths: np.ndarray  # (p,) of the columns of X_c, 1 where that is 0
    unexplained: float | None = None  # what the features explain of a contrast of the groups, and left does not
    shrunk: bool = False

    def erase(self, V: np.ndarray) -> np.ndarray:
        """Return (I − left · right)ᵀ V: coefficients for which X_c times them is the adjusted X_c times V."""
        return V - self.right.T @ (self.left.T @ V)


def _traces(view: Centered) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Lengths (p,) of the columns of X_c; X_cᵀZ (p × r) with columns of length 1 on both sides, of full rank; its Z.

    Z is given as the coefficients (q × r) that make its columns orthonormal.
    """
    size = np.sqrt(np.where(view.squares > 0, view.squares, 1.0))
    root = linalg.cholesky(view.gram_z, lower=True)
    A = linalg.solve_triangular(root, view.cross_z / size, lower=True).T
    _, s, turn = np.linalg.svd(A, full_matrices=False)
    # Features have length 1 and Z orthonormal columns here: below this, A is rounding.
    turn = turn[s > 64 * EPS * np.sqrt(len(size))].T
    return size, A @ turn, linalg.solve_triangular(root, turn, lower=True, trans="T")


def factors(view: Centered, shrinkage: bool) -> Factors:
    size, A, contrasts = _traces(view)
    Y = _solve_shrunk(view, size, A) if shrinkage else view.solve_correlation(A)
    inner = A.T @ Y
    canonical, R = np.linalg.eigh(0.5 * (inner + inner.T))
    order = np.flatnonzero(canonical > EPS**2)[::-1]
    F = R[:, order] / np.sqrt(canonical[order])
    left, right = size[:, None] * (A @ F), (Y @ F).T / size
    lost = None if shrinkage else _unexplained(view, right, contrasts, inner)
    return Factors(left, right, np.minimum(canonical[order], 1.0), size, lost, shrinkage)


def _unexplained(view: Centered, right: np.ndarray, contrasts: np.ndarray, inner: np.ndarray) -> float:
    """The largest share of a contrast of the groups that the features explain, and the scores X_c·rightᵀ do not.

    The least change moves the features along what they explain of the groups, and along nothing else: it is 0 there.
    Where the features' own correlations do not tell how much they explain, it may be all that the scores leave.
    """
    known = view.groups_explained
    said = inner if known is None else contrasts.T @ known @ contrasts
    if not view.resolved:
        said = np.eye(contrasts.shape[1])
    image = right @ (view.cross_z.T @ contrasts)
    taken = image.T @ np.linalg.pinv(view.along(right.T), hermitian=True) @ image
    return float(max(np.linalg.eigvalsh(said - taken)[-1], 0.0)) if len(said) else 0.0


def _solve_shrunk(view: Centered, size: np.ndarray, A: np.ndarray) -> np.ndarray:
    """Return (D⁻¹CD⁻¹)⁻¹A for C the sums of squares and products, shrunk, and D the lengths of the columns."""
    C = view.covariance
    unit = float(np.trace(C)) or 1.0
    alpha, beta = linear_shrinkage(C / unit, view.scaling.n)
    shrunk = alpha * C / np.outer(size, size)
    shrunk[np.diag_indices(len(size))] += beta * (unit / size) / size
    return linalg.solve(shrunk, A, assume_a="pos") if beta > 0 else view.solve_correlation(A)


def orthogonal_factors(view: Centered) -> Factors:
    """The directions of Σ_xz themselves, by how much of each the groups explain."""
    size, A, _ = _traces(view)
    Q = np.linalg.qr(size[:, None] * A)[0]
    total, explained = np.diag(view.along(Q)), view.explained(Q)
    share = explained / np.where(total > 0, total, 1.0)
    order = np.argsort(-share, kind="stable")
    return Factors(Q[:, order], Q[:, order].T, share[order], size)
