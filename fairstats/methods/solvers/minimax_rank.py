"""From a mixture of subspaces to few components: rank reduction on the optimal face, and rounding cleared away."""

from __future__ import annotations

import numpy as np

from fairstats.errors import NumericalError

ROUND = 1e-7  # eigenvalues of P closer than this to 0 or 1 are 0 or 1
DUST = 1e-3  # closer than this they are, where turning the others a little makes up for it
CLOSE = 1e-9  # of the largest sum of squares: a largest loss this near the bound is the optimum


def extreme(
    S: np.ndarray, sigma: np.ndarray, k: int, V: np.ndarray, lam: np.ndarray, dual: np.ndarray, bound: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return an optimal P of least rank, from any that is optimal but for rounding.

    Parameters
    ----------
    S, sigma : arrays (G, p, p), (G,)
    k : int
    V, lam : arrays (p, r), (r,)
        Eigenvectors and eigenvalues of P.
    dual, bound : array (G,), float
        Optimal weights of the groups, and the value that they prove.

    Returns
    -------
    V, lam : arrays (p, r′), (r′,), largest eigenvalue first, r′ ≤ k + ⌊√(2G + 1/4) − 3/2⌋

    References
    ----------
    Pataki (1998); Tantipongpipat et al. (2019), NeurIPS.
    """
    V, lam = reduce_rank(S, V[:, lam > ROUND], np.minimum(lam[lam > ROUND], 1.0))
    best = _by_size(V, lam)
    size = float(sigma.max())
    reached = _largest(S, sigma, *best)
    for made in (_subspace(best, k), _without_dust(best, k)):
        V, lam = polished(S, sigma, *made, dual)
        # Few components before the last digit: rounding of the mixture is no reason for one more.
        if _largest(S, sigma, V, lam) <= max(reached, bound + CLOSE * size):
            return _by_size(V, lam)
    return best


def _largest(S: np.ndarray, sigma: np.ndarray, V: np.ndarray, lam: np.ndarray) -> float:
    return float(_losses(S, sigma, V, lam).max())


def _losses(S: np.ndarray, sigma: np.ndarray, V: np.ndarray, lam: np.ndarray) -> np.ndarray:
    return sigma - np.array([np.sum(lam * np.sum(V * (Sg @ V), axis=0)) for Sg in S])


def _by_size(V: np.ndarray, lam: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    order = np.argsort(-lam, kind="stable")
    return V[:, order], lam[order]


def _subspace(found: tuple[np.ndarray, np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    return found[0][:, :k], np.ones(min(k, found[0].shape[1]))


def _without_dust(found: tuple[np.ndarray, np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    """Round fractions near 0 and 1; the others, if any, share what is left of the trace."""
    V, lam = found
    lam = np.where(lam > 1 - DUST, 1.0, lam)
    V, lam = V[:, lam > DUST], lam[lam > DUST]
    part = lam < 1
    if part.any():
        lam = np.where(part, np.clip(lam + (k - lam.sum()) / part.sum(), 0.0, 1.0), lam)
    return V, lam


def polished(
    S: np.ndarray, sigma: np.ndarray, V: np.ndarray, lam: np.ndarray, dual: np.ndarray, steps: int = 8
) -> tuple[np.ndarray, np.ndarray]:
    """Change P as little as makes the losses of the groups with positive weight equal.

    Gauss-Newton: to first order a turn I + Ω changes tr(S_gP) by ⟨Ω, [P, S_g]⟩, and a symmetric change D among the
    fractional directions F by ⟨D, FᵀS_gF⟩. At the optimum the weighted sum of the losses does not change to first
    order, so equal losses are the least largest one.
    """
    best, reached = (V, lam), _largest(S, sigma, V, lam)
    counts = np.flatnonzero(dual > 1e-7 * dual.max())
    for _ in range(steps if len(counts) > 1 else 0):
        losses = _losses(S, sigma, V, lam)[counts]
        missing = losses - dual[counts] @ losses / dual[counts].sum()
        part = lam < 1
        F, m = V[:, part], int(part.sum())
        # Gradients: off the span (p × r), scaled by the fractions, and among the fractional directions (m × m).
        outside = [2 * (S[g] @ V - V @ (V.T @ S[g] @ V)) * lam for g in counts]
        between = [V.T @ S[g] @ V * (lam - lam[:, None]) for g in counts]  # antisymmetric: a turn within the span
        inside = [_traceless(F.T @ S[g] @ F) if m else np.zeros((0, 0)) for g in counts]
        rows = np.array(
            [np.r_[a.ravel(), b.ravel(), c.ravel()] for a, b, c in zip(outside, between, inside, strict=True)]
        )
        step = np.linalg.lstsq(rows, missing, rcond=1e-12)[0]
        a, b, c = np.split(step, np.cumsum([V.size, lam.size**2]))
        turn = b.reshape(lam.size, lam.size)
        V = np.linalg.qr(V + a.reshape(V.shape) + V @ (turn - turn.T) / 2)[0]
        if m:
            values, W = np.linalg.eigh(np.diag(lam[part]) + _symmetric(c.reshape(m, m)))
            V = np.hstack([V[:, ~part], V[:, part] @ W])
            lam = np.r_[lam[~part], np.clip(values, 0.0, 1.0)]
        now = _largest(S, sigma, V, lam)
        if now < reached:
            best, reached = (V, lam), now
        elif now > reached + 0.1 * abs(reached):
            break
    return best


def _symmetric(A: np.ndarray) -> np.ndarray:
    return (A + A.T) / 2


def _traceless(A: np.ndarray) -> np.ndarray:
    return A - np.trace(A) / len(A) * np.eye(len(A))


def reduce_rank(S: np.ndarray, V: np.ndarray, lam: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return an extreme point of P's face: same trace, same tr(S_g P), m fractional directions, m(m+1)/2 ≤ G.

    There are G + 1 conditions, but at the optimum Σ w_g FᵀS_gF is a multiple of the identity on the fractional
    directions F, and the trace is one of the others.

    Parameters
    ----------
    S : array (G, p, p)
    V, lam : arrays (p, r), (r,)
        Eigenvectors and eigenvalues of P in (0, 1].

    Returns
    -------
    V, lam : arrays (p, r′), (r′,) with r′ ≤ k + ⌊√(2G + 1/4) − 3/2⌋
    """
    for _ in range(4 * V.shape[1] ** 2 + 4):
        whole = lam >= 1 - ROUND
        keep = lam > ROUND
        part = keep & ~whole
        m = int(part.sum())
        if m * (m + 1) // 2 <= len(S):
            return V[:, keep], np.where(whole[keep], 1.0, lam[keep])
        F, inner = V[:, part], lam[part]
        direction = _free_direction([F.T @ Sg @ F for Sg in S], m)
        # P moves along ±direction until an eigenvalue reaches 0 or 1.
        root = np.diag(inner)
        moved = min((_reach(root, sign * direction) for sign in (1.0, -1.0)), key=lambda made: made[0])[1]
        values, turn = np.linalg.eigh(moved)
        values = np.clip(values, 0.0, 1.0)
        V = np.hstack([V[:, whole], F @ turn])
        lam = np.concatenate([np.ones(int(whole.sum())), values])
    raise NumericalError('the rank of the minimax solution could not be reduced; use solver="sdp".')


def _free_direction(blocks: list[np.ndarray], m: int) -> np.ndarray:
    """A symmetric m × m matrix orthogonal to the identity and to every block."""
    rows, cols = np.triu_indices(m)
    factor = np.where(rows == cols, 1.0, np.sqrt(2.0))
    constraints = np.array([B[rows, cols] * factor for B in (np.eye(m), *blocks)])
    constraints /= np.linalg.norm(constraints, axis=1, keepdims=True)
    null = np.linalg.svd(constraints)[2][-1]
    D = np.zeros((m, m))
    D[rows, cols] = null / factor
    return D + np.triu(D, 1).T


def _reach(P: np.ndarray, D: np.ndarray) -> tuple[float, np.ndarray]:
    """The largest step t with 0 ⪯ P + tD ⪯ I, and that matrix."""

    def step(A: np.ndarray, B: np.ndarray) -> float:
        """Return the largest t with A + tB ⪰ 0, A positive definite."""
        L = np.linalg.cholesky(A + 1e-15 * np.eye(len(A)))
        inner = np.linalg.solve(L, np.linalg.solve(L, B).T)
        least = float(np.linalg.eigvalsh(0.5 * (inner + inner.T))[0])
        return -1 / least if least < 0 else np.inf

    t = min(step(P, D), step(np.eye(len(P)) - P, -D))
    return t, P + t * D
