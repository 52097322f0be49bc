"""The unit vectors of bounded ℓ1 norm that agree best with given ones: soft thresholds, found exactly by sorting."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import pdist

from fairstats.errors import NumericalError


def l1_sphere(V: np.ndarray, t: float) -> np.ndarray:
    """Find for each column v the maximizer of uᵀv over ‖u‖₂ ≤ 1, ‖u‖₁ ≤ t.

    V: no column zero, shape (p, b).
    t: 1 to √p.
    Returns: unit columns S_θ(v)/‖S_θ(v)‖, θ = 0 where ‖v‖₁/‖v‖₂ ≤ t, otherwise with ‖u‖₁ = t, shape (p, b).

    With the m largest entries active, ‖S_θ‖₁ = t‖S_θ‖₂ is a quadratic in θ whose smaller root lies
    (G₁ + t √((m G₂ − G₁²)/(m − t²)))/m below the largest entry, G₁ and G₂ the sums of the distances of those entries
    from it and of their squares; it counts when it lies between the m-th entry and the next. Where more than t² largest
    entries are tied no θ reaches ‖u‖₁ = t: any split among them is as good, and the lowest indices get it.

    Source: Witten, Tibshirani & Hastie (2009), Biostatistics 10 (the problem; they search θ by bisection).
    """
    V = V / np.abs(V).max(axis=0)  # squares of what is at most 1 neither overflow nor all vanish
    size = np.abs(V)
    out = V / np.linalg.norm(V, axis=0)
    over = np.flatnonzero(np.abs(out).sum(axis=0) > t * (1 + 1e-14))
    if not len(over):
        return out
    a = size[:, over]
    ordered = -np.sort(-a, axis=0)
    # Everything by the distances from the largest entry, which entries that are nearly equal keep the digits of.
    gap = ordered[0] - ordered
    p = len(a)
    m = np.arange(1, p + 1)[:, None]
    G1, G2 = np.cumsum(gap, axis=0), np.cumsum(gap**2, axis=0)
    enough = m > t * t * (1 + 1e-12)
    with np.errstate(divide="ignore", invalid="ignore"):
        depth = (G1 + t * np.sqrt(np.maximum(m * G2 - G1**2, 0.0) / (m - t * t))) / m  # of θ below the largest
    beyond = np.vstack([gap[1:], ordered[:1]])
    fits = enough & (depth >= gap * (1 - 1e-14)) & (depth <= beyond * (1 + 1e-14))
    tied = (gap <= 1e-12 * ordered[0]).sum(axis=0) > t * t * (1 + 1e-12)
    row = np.argmax(fits, axis=0)
    cut = np.maximum(depth[row, np.arange(len(over))] - (ordered[0] - a), 0.0)
    for j, column in enumerate(over):
        if tied[j] or not fits[row[j], j] or not cut[:, j].any():
            cut[:, j] = _split(a[:, j], t)
        unit = cut[:, j] / np.linalg.norm(cut[:, j])
        out[:, column] = np.copysign(unit, V[:, column])
    return out


def _split(a: np.ndarray, t: float) -> np.ndarray:
    """‖u‖₁ = t and ‖u‖₂ = 1 on the first s = ⌈t²⌉ of the tied largest entries: s − 1 equal ones and a smaller."""
    s = int(np.ceil(t * t - 1e-12))
    # Entries equal to rounding by their places; those that are only nearly so by their sizes.
    tied = np.flatnonzero(a >= a.max() * (1 - 1e-12))
    tied = tied if len(tied) >= s else np.argsort(-a, kind="stable")[:s]
    u = np.zeros_like(a)
    if s <= 1:
        u[tied[0]] = 1.0
        return u
    alpha = (t * (s - 1) + np.sqrt(max((s - 1) * (s - t * t), 0.0))) / (s * (s - 1))
    u[tied[: s - 1]] = alpha
    u[tied[s - 1]] = t - (s - 1) * alpha
    return u


# The Fantope: symmetric matrices with eigenvalues in [0, 1] and a given trace, the hull of projectors of that rank.


def onto_fantope(P: np.ndarray, k: int) -> np.ndarray:
    """Return the nearest symmetric matrix, eigenvalues in [0, 1], trace k (Vu, Cho, Lei & Rohe 2013, Lemma 4.1).

    >>> onto_fantope(np.diag([1.5, 0.5, -0.2]), 1).round(9).diagonal().tolist()
    [1.0, 0.0, 0.0]
    """
    values, V = np.linalg.eigh(0.5 * (P + P.T))
    return (V * capped(values, k)) @ V.T


def capped(values: np.ndarray, k: float) -> np.ndarray:
    """Return the nearest vector, entries in [0, 1], sum k: min(max(v − θ, 0), 1), θ between two breakpoints.

    >>> capped(np.array([0.9, 0.5, 0.2]), 1).round(9).tolist()
    [0.7, 0.3, 0.0]
    """
    points = np.unique(np.concatenate([values, values - 1.0]))
    sums = np.clip(values - points[:, None], 0.0, 1.0).sum(axis=1)  # falls from p to 0 along the points
    j = int(np.searchsorted(-sums, -float(k), side="right")) - 1
    j = min(j, len(points) - 2)
    slope = (sums[j] - sums[j + 1]) / (points[j + 1] - points[j])
    theta = points[j] + ((sums[j] - k) / slope if slope > 0 else 0.0)
    return np.clip(values - theta, 0.0, 1.0)


# The bandwidth of a Gaussian kernel: the median rule.


def median_bandwidth(rows: np.ndarray, most: int = 5000, weights: np.ndarray | None = None) -> float:
    """Return σ of the kernel exp(−d²/2σ²), σ² half the median squared distance of two different rows (n × k).

    Of more than ``most`` rows every m-th is used, so that the memory stays bounded; σ is 1 where half of the rows, or
    more, are one point. With weights (n,), a pair counts by the product of its weights.

    Source: Lee, Kim, Olfat, Hasegawa-Johnson & Yoo (2022), AAAI 36, section 5.

    >>> median_bandwidth(np.array([[0.0], [2.0]])) ** 2
    2.0000000000000004
    """
    few = rows[:: -(-len(rows) // most)]
    squares = pdist(few, "sqeuclidean")
    if weights is None:
        return float(np.sqrt(np.median(squares) / 2)) or 1.0
    w = weights[:: -(-len(rows) // most)]
    pairs = (w[:, None] * (w / w.max()))[np.triu_indices(len(w), 1)]
    order = np.argsort(squares)
    below = np.cumsum(pairs[order])
    # the midpoint of the two middle ones where half of the mass is reached exactly, as the plain median has it
    middle = [order[np.searchsorted(below, below[-1] / 2 * (1 + sign * 1e-12))] for sign in (-1, 1)]
    return float(np.sqrt(np.mean(squares[middle]) / 2)) or 1.0


# A covariance matrix drawn toward a multiple of the identity, where rows are few for so many features.


def linear_shrinkage(S: np.ndarray, n: float) -> tuple[float, float]:
    """Return α and β of the estimate αS + βI with the least expected squared error, as n and p grow alike.

    The trace of the estimate is that of S. α is kept within 0 and 1, beyond which the formula is of use no more.

    S: covariances that divide by n, shape (p, p).
    n: rows.
    Source: Bodnar, Gupta & Parolya (2014), "On the strong convergence of the optimal linear shrinkage estimator for
    large dimensional covariance matrix", Journal of Multivariate Analysis 132, equations 3.9 and 3.10 with Σ₀ = (tr
    S/p) I.

    >>> alpha, beta = linear_shrinkage(np.diag([4.0, 2.0]), 9)
    >>> bool(abs(alpha * 3 + beta - 3) < 1e-12)
    True
    """
    p = len(S)
    trace = float(np.trace(S))
    # p‖S‖² − (tr S)²: how far S is from a multiple of the identity; 0 where it is one, and nothing is to be drawn.
    spread = p * float(np.sum(S * S)) - trace**2
    if spread <= 1e-14 * trace**2:
        return 1.0, 0.0
    alpha = min(max(1.0 - trace**2 / n * p / spread, 0.0), 1.0)
    return alpha, (1.0 - alpha) * trace / p


# Optimal transport of normal distributions with mean 0: maps, and barycenters in Wasserstein distance.


def root(A: np.ndarray) -> np.ndarray:
    """Return the symmetric square root of a positive semi-definite matrix.

    >>> root(np.diag([4.0, 9.0])).tolist()
    [[2.0, 0.0], [0.0, 3.0]]
    """
    values, V = np.linalg.eigh(A)
    return np.asarray((V * np.sqrt(np.maximum(values, 0.0))) @ V.T)


def transport(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """Return the positive definite T with TAT = B: the shortest map of N(0, A), A positive definite, to N(0, B).

    >>> transport(np.diag([4.0, 1.0]), np.diag([9.0, 1.0])).round(12).tolist()
    [[1.5, 0.0], [0.0, 1.0]]
    """
    half = root(A)
    inverse = np.linalg.inv(half)
    T = inverse @ root(half @ B @ half) @ inverse
    return np.asarray((T + T.T) / 2)


def barycenter(K: np.ndarray, weights: np.ndarray, tolerance: float = 1e-13, most: int = 2000) -> np.ndarray:
    """Return the B with the least Σ w_g W₂²(N(0, K_g), N(0, B)), for positive definite K (G, p, p).

    B = Σ w_g (B^½ K_g B^½)^½ is found by the iteration of Álvarez-Esteban et al. (2016), from the mean of the K_g.

    Raises NumericalError: it does not settle.

    >>> float(barycenter(np.array([[[1.0]], [[9.0]]]), np.array([0.5, 0.5]))[0, 0].round(9))
    4.0
    """
    B = np.tensordot(weights, K, axes=1)
    for _ in range(most):
        half = root(B)
        inverse = np.linalg.inv(half)
        T = inverse @ sum(w * root(half @ Kg @ half) for w, Kg in zip(weights, K, strict=True)) @ inverse
        result = T @ B @ T
        result = (result + result.T) / 2
        change = float(np.linalg.norm(result - B))
        B = result
        if change <= tolerance * float(np.linalg.norm(B)):
            return np.asarray(B)
    raise NumericalError(f"the barycenter of {len(K)} covariance matrices did not settle in {most} steps.")


def centered_product(X: np.ndarray, center: np.ndarray, B: np.ndarray) -> np.ndarray:
    """Return (X − 1 center) B for rows X (n × p), in blocks of rows that stay in cache; B is p × k.

    >>> centered_product(np.array([[3.0, 1.0], [5.0, 1.0]]), np.array([1.0, 1.0]), np.ones((2, 1))).ravel().tolist()
    [2.0, 4.0]
    """
    n, p = X.shape
    rows = max((1 << 18) // (8 * max(p, 1)), 64)
    out, block = np.empty((n, B.shape[1])), np.empty((min(rows, n), p))
    for start in range(0, n, rows):
        part = X[start : start + rows]
        apart = np.subtract(part, center, out=block[: len(part)])
        np.matmul(apart, B, out=out[start : start + rows])
    return out
