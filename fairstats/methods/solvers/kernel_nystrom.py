"""Fair kernel PCA on the features of landmarks: a linear fair PCA, from one pass over the rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from fairstats.arguments import whole
from fairstats.data.centered import Centered, centered
from fairstats.data.design import Design
from fairstats.data.moments import Moments
from fairstats.data.scaling import Scaling
from fairstats.linalg.eigen import EPS
from fairstats.linalg.subspace import leading_pairs, top_outside
from fairstats.methods.solvers.kernel_exact import KernelPart, part_notes
from fairstats.methods.solvers.kernels import CHUNK, kernel_matrix, prepared


def nystrom_part(
    design: Design,
    view: Centered,
    k: Any,
    kernel: str,
    parameters: dict[str, Any],
    center: bool,
    landmarks: Any,
    seed: int,
    shift: np.ndarray | None,
    tradeoff: float = 0.0,
) -> KernelPart:
    """Find the components from moments of the landmarks' features, whose products approximate the kernel."""
    count = whole("landmarks", landmarks, 1, design.n, f"{design.n} rows")
    chosen = np.sort(np.random.default_rng(seed).permutation(design.n)[:count])
    basis = prepared(view.scaling, design.X[chosen], shift)
    normal = _inverse_root(kernel_matrix(kernel, parameters, basis, basis))
    mapped = centered(_feature_moments(design, view.scaling, kernel, parameters, basis, normal, shift))
    mean = mapped.scaling.center if center else np.zeros(count)
    C = mapped.covariance
    if not center:
        C = C + mapped.scaling.weight * np.outer(*(mapped.scaling.center,) * 2)
    Q = mapped.mean_directions
    r = Q.shape[1]
    k = whole("k", k, 1, count - r, f"{count} landmarks, {r} directions taken by the groups")
    energy, U = top_outside(C, k, Q)
    total = float(np.trace(C))
    solid = energy > 64 * EPS * total
    U, energy = U * solid, energy * solid
    left = np.abs(mapped.cross_z @ U)
    size = np.sqrt(np.outer(np.diag(mapped.gram_z), np.maximum(energy, 1e-10 * total)))
    rank, dimension, kept = int(solid.sum()), k, float(energy.sum())
    correlation = float((left / np.where(size > 0, size, 1.0)).max())
    if tradeoff:
        values, V = leading_pairs(C, k)
        basis_of, s, _ = np.linalg.svd(np.hstack([U, V]), full_matrices=False)
        S = basis_of[:, s > 1e-8]
        dimension, kept = S.shape[1], float(np.sum(S * (C @ S)))
        U, energy = np.hstack([U, tradeoff * V]), np.concatenate([energy, tradeoff**2 * values])
    lost = mapped.explained(U)
    return KernelPart(
        basis,
        normal @ U,
        -mean @ U,
        energy,
        lost / np.where(energy > 0, energy, 1.0),
        total,
        float(leading_pairs(C, dimension, tolerance=1e-6)[0].sum()) if dimension else 0.0,
        mapped.encoding,
        correlation,
        r,
        rank,
        0.0,
        (
            *part_notes(r, k, rank, 0.0, kernel),
            f"{count} of {design.n} rows are landmarks; totals and shares are of the approximated feature space.",
        ),
        dimension,
        kept,
    )


def _inverse_root(K: np.ndarray) -> np.ndarray:
    """K^(−1/2) on what K spans beyond rounding; scikit-learn's bound of 1e-12 is in the units of the data."""
    values, V = np.linalg.eigh(K)
    solid = values > len(K) * EPS * values[-1]
    return np.asarray((V[:, solid] / np.sqrt(values[solid])) @ V[:, solid].T)


def _feature_moments(
    design: Design,
    scaling: Scaling,
    kernel: str,
    parameters: dict[str, Any],
    basis: np.ndarray,
    normal: np.ndarray,
    shift: np.ndarray | None,
) -> Moments:
    """Moments of the approximate features, from one chunk of rows at a time."""
    names = tuple(f"f{j + 1}" for j in range(len(basis)))
    groups, total = design.groups, None
    assert groups is not None
    for i in range(0, design.n, CHUNK):
        rows = slice(i, i + CHUNK)
        F = kernel_matrix(kernel, parameters, prepared(scaling, design.X[rows], shift), basis) @ normal
        # Not Groups.take, which drops levels that a chunk happens to lack and so changes their order.
        part = replace(
            groups,
            factors=tuple(f.take(rows) for f in groups.factors),
            continuous=groups.continuous[rows],
        )
        w = None if design.weights is None else design.weights[rows]
        made = Moments.of(Design(F, names, part, weights=w), by_cell=False)
        total = made if total is None else total + made
    assert total is not None
    return total
