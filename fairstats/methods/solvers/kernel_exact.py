"""Fair kernel PCA with the whole n × n kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fairstats.arguments import whole
from fairstats.data.centered import Centered
from fairstats.data.design import Design
from fairstats.data.encoding import Encoding
from fairstats.errors import InputError
from fairstats.linalg.eigen import EPS
from fairstats.linalg.subspace import leading_pairs
from fairstats.methods.solvers.kernels import kernel_matrix, prepared

MOST_ROWS = 10_000  # three n × n matrices of 0.8 GB each


@dataclass(frozen=True)
class KernelPart:
    """A fair kernel PCA as the exact or the landmark route computes it: energies, coefficients, offsets, notes."""

    basis: np.ndarray
    coefficients: np.ndarray
    offset: np.ndarray
    energy: np.ndarray
    share: np.ndarray
    total: float
    best: float
    encoding: Encoding
    correlation: float
    removed: int
    rank: int
    clipped: float = 0.0
    notes: tuple[str, ...] = ()
    dimension: int = 0  # of the span of all components
    kept: float = 0.0  # the sum of squares in that span


def part_notes(removed: int, k: int, rank: int, clipped: float, kernel: str) -> tuple[str, ...]:
    """Return notes about the rank and the negative eigenvalues of a kernel."""
    out = []
    if removed == 0:
        out.append("Group means in feature space do not differ beyond rounding: nothing was removed.")
    if rank < k:
        out.append(f"The kernel has rank {rank} once the groups' directions are out: {k - rank} components are 0.")
    if clipped > 0:
        out.append(
            f"The {kernel} kernel is indefinite: {100 * clipped:.2g} % of its spectrum was negative and cut off."
        )
    return tuple(out)


def exact_part(
    design: Design,
    view: Centered,
    k: Any,
    kernel: str,
    parameters: dict[str, Any],
    center: bool,
    indefinite: bool,
    shift: np.ndarray | None,
    tradeoff: float = 0.0,
) -> KernelPart:
    """Return the components from the centered, weighted kernel of all rows, and the centering of new rows undone."""
    n = design.n
    if n > MOST_ROWS:
        raise InputError(
            f"X has {n} rows, and the exact kernel {8e-9 * n * n:.1f} GB; pass landmarks= (500, say) for the Nyström "
            f"approximation. Up to {MOST_ROWS} rows are taken exactly."
        )
    rows = prepared(view.scaling, design.X, shift)
    w = np.ones(n) if design.weights is None else design.weights
    root, share = np.sqrt(w), w / w.sum()
    assert design.groups is not None
    Z = root[:, None] * view.encoding.encode(design.groups)
    k = whole("k", k, 1, n - int(center) - Z.shape[1], f"{n} rows less the groups' directions")
    K = kernel_matrix(kernel, parameters, rows, rows)
    means = K @ share if center else np.zeros(n)
    K -= means[:, None]
    K -= means - (share @ means)
    K *= root[:, None]
    K *= root
    clipped = 0.0
    if indefinite:
        K, Z, clipped = _positive_part(K, Z)
    energy, A, removed = _fair_components(K, Z, k)
    correlation, rank, dimension, kept = _correlation(K @ A, Z), int((energy > 0).sum()), k, float(energy.sum())
    if tradeoff:
        values, plain = _plain_components(K, k)
        dimension, kept = _span(K, np.hstack([A, plain]))
        A, energy = np.hstack([A, tradeoff * plain]), np.concatenate([energy, tradeoff**2 * values])
    total = float(np.trace(K))
    best = float(leading_pairs(K, dimension, tolerance=1e-6)[0].sum()) if dimension else 0.0
    scores = K @ A
    coefficients = root[:, None] * A
    lift = coefficients.sum(axis=0)
    # Centering of a new row's kernels, k − (k·w̄)1 − m + m·w̄, moved into the coefficients and the offset.
    offset = (share @ means) * lift - means @ coefficients if center else np.zeros(A.shape[1])
    return KernelPart(
        rows,
        coefficients - np.outer(share, lift) if center else coefficients,
        offset,
        energy,
        _share(scores, Z, energy),
        total,
        best,
        view.encoding,
        correlation,
        removed,
        rank,
        clipped,
        part_notes(removed, k, rank, clipped, kernel),
        dimension,
        kept,
    )


def _fair_components(K: np.ndarray, Z: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray, int]:
    """Energies (k,), coefficients A (n × k; scores are KA), directions taken out: kernel PCA of K − KZ(ZᵀKZ)⁺ZᵀK."""
    noise = 64 * EPS * float(np.trace(K))
    Z = np.linalg.qr(Z)[0]
    values, R = np.linalg.eigh(Z.T @ K @ Z)
    G = Z @ R[:, values > noise] / np.sqrt(values[values > noise])
    W = K @ G
    energy, V = leading_pairs(K - W @ W.T, k)
    solid = energy > noise
    A = (V - G @ (W.T @ V)) * np.where(solid, 1 / np.sqrt(np.where(solid, energy, 1.0)), 0.0)
    return np.where(solid, energy, 0.0), A, G.shape[1]


def _plain_components(K: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Energies (k,) and coefficients (n × k) of kernel PCA."""
    values, V = leading_pairs(K, k)
    solid = values > 64 * EPS * float(np.trace(K))
    return np.where(solid, values, 0.0), V * np.where(solid, 1 / np.sqrt(np.where(solid, values, 1.0)), 0.0)


def _span(K: np.ndarray, A: np.ndarray) -> tuple[int, float]:
    """The dimension of the span of components with coefficients A (n × m), and the sum of squares in it."""
    KA = K @ A
    values, V = np.linalg.eigh(A.T @ KA)
    inside = values > 1e-10
    scores = KA @ (V[:, inside] / np.sqrt(values[inside]))
    return int(inside.sum()), float(np.sum(scores * scores))


def _positive_part(K: np.ndarray, Z: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """K without its negative eigenvalues, Z within K's range, and the share of the spectrum that was cut off.

    With Z in that range so are the coefficients, and the kernels of a new row, which are not cut, give the same scores.
    """
    values, V = np.linalg.eigh(K)
    V, kept = V[:, values > 0], values[values > 0]
    return (V * kept) @ V.T, V @ (V.T @ Z), float(-values[values < 0].sum() / np.abs(values).sum())


def _share(scores: np.ndarray, Z: np.ndarray, energy: np.ndarray) -> np.ndarray:
    """R² of each score on the groups."""
    inner = np.linalg.qr(Z)[0].T @ scores
    return np.einsum("qk,qk->k", inner, inner) / np.where(energy > 0, energy, 1.0)


def _correlation(scores: np.ndarray, Z: np.ndarray) -> float:
    size = np.outer(np.linalg.norm(Z, axis=0), np.linalg.norm(scores, axis=0))
    return float((np.abs(Z.T @ scores) / np.where(size > 0, size, 1.0)).max(initial=0.0))
