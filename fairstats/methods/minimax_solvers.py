"""Minimize the largest excess loss over groups: by the dual (exact), multiplicative weights, or a semidefinite program.

All take second moments S (G, p, p) and the best attainable sums σ (G,), and return ``Minimax``. The loss of group g
under 0 ⪯ P ⪯ I, tr P ≤ k, is σ_g − tr(S_g P).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy import optimize

from fairstats.data.centered_view import GroupProducts, Spanned
from fairstats.errors import Call, NumericalError, Setting, not_installed
from fairstats.linalg.eigen import balance, complement, fix_signs, next_block, top_values
from fairstats.linalg.subspace import TOLERANCE, by_lanczos, dense_pairs, leading_pairs

# The leading spaces of mixtures of the groups' second moments, each solved once.


MANY = 400  # features from which on a mixture's directions are kept for the next
SPARE = 8  # directions beyond the k leading ones that are kept: they halve the rounds, and cost next to nothing


class Spaces:
    """The leading eigenpairs of Σ w_g S_g at the weights w asked so far, each of which is solved once.

    >>> Spaces(np.stack([np.diag([2.0, 1.0]), np.diag([1.0, 4.0])])).at(np.array([0.0, 1.0]), 1)[0].tolist()
    [4.0]
    """

    def __init__(self, S: np.ndarray) -> None:
        self.S = S
        self._solved: dict[tuple[float, ...], tuple[np.ndarray, np.ndarray]] = {}
        self._flat = False

    def at(self, w: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the k leading values and their vectors (p × k)."""
        key, p = tuple(w.tolist()), self.S.shape[1]
        if key not in self._solved:
            one = np.flatnonzero(w)
            M = self.S[one[0]] if len(one) == 1 and w[one[0]] == 1.0 else np.tensordot(w, self.S, axes=1)
            more = SPARE if len(self.S) == 2 and p >= MANY else 0
            # Where one mixture's spectrum is flat those of the others are: Lanczos is not tried again.
            result = None if self._flat else by_lanczos(M, min(k + more, p), TOLERANCE)
            self._flat = result is None
            self._solved[key] = result or dense_pairs(M, min(k + more, p))
        values, U = self._solved[key]
        return values[:k], U[:, :k]

    def basis(self) -> np.ndarray:
        """Return an orthonormal basis of all directions met."""
        stacked = np.hstack([U for _, U in self._solved.values()])
        left, size, _ = np.linalg.svd(stacked, full_matrices=False)
        return np.asarray(left[:, size > 1e-8])


# From a mixture of subspaces to few components: rank reduction on the optimal face, and rounding cleared away.


ROUND = 1e-7  # eigenvalues of P closer than this to 0 or 1 are 0 or 1
DUST = 1e-3  # closer than this they are, where turning the others a little makes up for it
CLOSE = 1e-7  # of the largest sum of squares: a largest loss this near the bound, itself found to 1e-8, is the optimum


def extreme(
    S: np.ndarray, sigma: np.ndarray, k: int, V: np.ndarray, lam: np.ndarray, dual: np.ndarray, bound: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return an optimal P of least rank, from any that is optimal but for rounding.

    S, sigma: shape (G, p, p).
    V, lam: eigenvectors and eigenvalues of P, shape (p, r).
    dual, bound: optimal weights of the groups, and the value that they prove, shape (G,).
    Returns V, lam: shape (p, r′).
    Source: Pataki (1998); Tantipongpipat et al. (2019), NeurIPS.
    """
    V, lam = reduce_rank(S, V[:, lam > ROUND], np.minimum(lam[lam > ROUND], 1.0))
    best = _by_size(V, lam)
    size = float(sigma.max())
    reached = _largest(S, sigma, *best)
    of_bound = oracle(S, sigma, dual, k)[1]
    for vectors, fractions in (_subspace(best, k), _without_dust(best, k), (of_bound, np.ones(k))):
        V, lam = polished(S, sigma, vectors, fractions, dual)
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


def _subspace(result: tuple[np.ndarray, np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    return result[0][:, :k], np.ones(min(k, result[0].shape[1]))


def _without_dust(result: tuple[np.ndarray, np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    """Round fractions near 0 and 1; the others, if any, share what is left of the trace."""
    V, lam = result
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

    S: shape (G, p, p).
    V, lam: eigenvectors and eigenvalues of P in (0, 1], shape (p, r).
    Returns V, lam: shape (p, r′).
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
        moved = min((_reach(root, sign * direction) for sign in (1.0, -1.0)), key=lambda result: result[0])[1]
        values, turn = np.linalg.eigh(moved)
        values = np.clip(values, 0.0, 1.0)
        V = np.hstack([V[:, whole], F @ turn])
        lam = np.concatenate([np.ones(int(whole.sum())), values])
    raise NumericalError(f"the rank of the minimax solution could not be reduced; use {Setting('solver', 'sdp')}.")


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


DENSE = 400  # up to so many features all eigenvectors are cheap, and with them the slope


@dataclass(frozen=True)
class Minimax:
    """P = Σ λ_j u_j u_jᵀ with its certificate.

    vectors, fractions: u_j and λ_j ∈ (0, 1]; all 1 where the solution is a subspace, shape (p, r).
    dual: weights of the groups, shape (G,).
    bound: φ(w): no P has a smaller largest loss.
    """

    vectors: np.ndarray
    fractions: np.ndarray
    dual: np.ndarray
    bound: float
    iterations: int


def losses(S: np.ndarray, sigma: np.ndarray, vectors: np.ndarray, fractions: np.ndarray | None = None) -> np.ndarray:
    """Return σ_g − tr(S_g P) for every group (G,)."""
    V = vectors if fractions is None else vectors * np.sqrt(fractions)
    return sigma - np.array([np.sum(V * (Sg @ V)) for Sg in S])


def oracle(S: np.ndarray, sigma: np.ndarray, w: np.ndarray, k: int) -> tuple[float, np.ndarray]:
    """Return φ(w) and the subspace that attains it."""
    M = np.tensordot(w, S, axes=1)
    values, U = leading_pairs(M, k)
    return float(w @ sigma - values.sum()), U


def dual(S: np.ndarray, sigma: np.ndarray, k: int, spaces: Spaces | None = None) -> Minimax:
    """Find the exact solution: a root for two groups, cutting planes and rank reduction for more.

    ``spaces`` are leading directions known already.
    """
    if len(S) > 2:
        return _many(S, sigma, k)
    return _two(S, sigma, k) if S.shape[1] < DENSE else _two_by_subspaces(spaces or Spaces(S), sigma, k)


class Step(NamedTuple):
    """One component of ``nested``: losses by group (G,) of this direction, the weights (G,), and their bound."""

    losses: np.ndarray
    dual: np.ndarray
    bound: float


def nested(S: np.ndarray, k: int, error: bool) -> tuple[np.ndarray, list[Step]]:
    """Return k orthonormal directions (p × k), each the minimax one among those orthogonal to all before it.

    error: what is made even is all that a group has lost so far; otherwise what it loses at this step.
    """
    p = S.shape[1]
    U, rest, steps = np.empty((p, 0)), np.eye(p), []
    for _ in range(k):
        inner = np.stack([rest.T @ Sg @ rest for Sg in S])
        sizes = np.array([np.trace(T) if error else top_values(T, 1)[0] for T in inner])
        result = dual(inner, sizes, 1)
        u = result.vectors if result.vectors.shape[1] == 1 else _whole(inner, sizes, result.vectors)
        steps.append(Step(losses(inner, sizes, u), result.dual, result.bound))
        U = np.hstack([U, rest @ u])
        rest = complement(np.linalg.qr(U)[0])
    return fix_signs(U), steps


def _whole(S: np.ndarray, sizes: np.ndarray, V: np.ndarray) -> np.ndarray:
    """The direction (p × 1) with the least largest loss in the planes of a fractional solution's components."""
    angles = np.linspace(0, np.pi, 20_001)
    best, least = V[:, :1], np.inf
    for i, j in combinations(range(V.shape[1]), 2):
        plane = V[:, [i, j]]
        a, b, c = (np.einsum("pi,gpq,qj->gij", plane, S, plane)[:, x, y, None] for x, y in ((0, 0), (0, 1), (1, 1)))
        kept = a * np.cos(angles) ** 2 + 2 * b * np.cos(angles) * np.sin(angles) + c * np.sin(angles) ** 2
        worst = (sizes[:, None] - kept).max(axis=0)
        if worst.min() < least:
            at, least = angles[np.argmin(worst)], float(worst.min())
            best = plane @ np.array([[np.cos(at)], [np.sin(at)]])
    return best


def _two_by_subspaces(spaces: Spaces, sigma: np.ndarray, k: int, most: int = 40) -> Minimax:
    """The problem restricted to the leading subspaces met so far, solved exactly, until the full dual certifies it.

    A restriction only raises the largest loss, so its solution is feasible; the oracle at its w bounds the optimum
    from below and adds the directions that are missing. A handful of rounds suffice.
    """
    S = spaces.S
    for w in ([1.0, 0.0], [0.0, 1.0]):
        spaces.at(np.array(w), k)
    for rounds in range(1, most + 1):
        basis = spaces.basis()
        inner = np.stack([basis.T @ (Sg @ basis) for Sg in S])
        result = _two(inner, sigma, k)
        bound = float(result.dual @ sigma - spaces.at(result.dual, k)[0].sum())
        largest = float(losses(inner, sigma, result.vectors).max())
        if largest - bound <= 1e-10 * float(sigma.max()):
            return Minimax(fix_signs(basis @ result.vectors), result.fractions, result.dual, bound, rounds)
        if spaces.basis().shape[1] == basis.shape[1]:
            break
    return _two(S, sigma, k)


def _two(S: np.ndarray, sigma: np.ndarray, k: int) -> Minimax:
    """The root of the loss difference, monotone in w; where it jumps, a rotation between the two sides.

    Maximizing φ would find w to √eps only. An exact subspace exists (hidden convexity: Shen, Davis, Lu & Bai 2025).
    """
    D = S[0] - S[1]
    gap = float(sigma[0] - sigma[1])
    look = _dense_look if len(D) < DENSE else _krylov_look
    calls = 0

    def at(w: float) -> _Look:
        nonlocal calls
        calls += 1
        return look(S[1] + w * D, D, gap, k, w)

    def built(matches: _Look, U: np.ndarray) -> Minimax:
        weights = np.array([matches.w, 1 - matches.w])
        return Minimax(fix_signs(U), np.ones(k), weights, float(weights @ sigma) - matches.top, calls)

    small = 1e-12 * float(sigma.max())
    left, right = at(0.0), at(1.0)
    if left.excess <= small or right.excess >= -small:  # one group's own best subspace already serves the other
        result = left if left.excess <= small else right
        return built(result, result.U)
    w = left.w + (right.w - left.w) * left.excess / (left.excess - right.excess)
    side = 0
    while True:
        here = at(w)
        if abs(here.excess) <= small:
            return built(here, here.U)
        stale = np.sign(here.excess) == side
        side = np.sign(here.excess)
        left, right = (here, right) if here.excess > 0 else (left, here)
        if right.w - left.w <= 8e-16:
            break
        w = _next(here, left, right, bool(stale))
    U = balance(left.U, right.U, lambda Y: gap - float(np.sum(Y * (D @ Y))))
    return built(left, U)


@dataclass(frozen=True)
class _Look:
    """The result of one eigendecomposition at w: the subspace, Σλ, the loss difference and its slope (0 if unknown)."""

    w: float
    U: np.ndarray
    top: float
    excess: float
    slope: float


def _dense_look(M: np.ndarray, D: np.ndarray, gap: float, k: int, w: float) -> _Look:
    values, V = np.linalg.eigh(M)
    U, rest = V[:, -k:], V[:, :-k]
    DU = D @ U
    # d tr(UᵀDU)/dw = 2 Σ (u_iᵀDu_j)²/(λ_i − λ_j) over i in, j out.
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = -2 * float(np.sum((rest.T @ DU) ** 2 / (values[-k:][None, :] - values[:-k][:, None])))
    return _Look(w, U, float(values[-k:].sum()), gap - float(np.sum(U * DU)), slope if np.isfinite(slope) else 0.0)


def _krylov_look(M: np.ndarray, D: np.ndarray, gap: float, k: int, w: float) -> _Look:
    values, U = leading_pairs(M, k)
    return _Look(w, U, float(values.sum()), gap - float(np.sum(U * (D @ U))), 0.0)


def _next(here: _Look, left: _Look, right: _Look, stale: bool) -> float:
    """Newton's step where it stays inside, else the secant's; halfway when one end does not move."""
    width = right.w - left.w
    if here.slope < 0:
        w = here.w - here.excess / here.slope
        if left.w < w < right.w:
            return w
    if not stale:
        w = left.w + width * left.excess / (left.excess - right.excess)
        if left.w + 0.01 * width < w < right.w - 0.01 * width:
            return w
    return left.w + 0.5 * width


def _many(S: np.ndarray, sigma: np.ndarray, k: int, tolerance: float = 1e-8, most: int = 2000) -> Minimax:
    """Cutting planes on the concave dual over the simplex; the multipliers of the cuts are the primal mixture.

    The model is evaluated by a linear program; a proximal pull toward the best w so far is replaced by asking the
    oracle at a point between that and the model's maximizer, which keeps early steps short.
    """
    G = len(S)
    scale = max(float(sigma.max()), np.finfo(float).tiny)
    cuts: list[np.ndarray] = []
    spaces: list[np.ndarray] = []
    best_w, best = np.full(G, 1 / G), -np.inf
    ask = [*np.eye(G), best_w]
    for iteration in range(most):
        for w in ask:
            value, U = oracle(S, sigma, w, k)
            cuts.append(losses(S, sigma, U))
            spaces.append(U)
            if value > best:
                best_w, best = w, value
        model, w, mixture = _master(np.array(cuts) / scale)
        model *= scale
        if model - best <= tolerance * scale:
            return _mixture(S, sigma, k, spaces, mixture, best_w, best, iteration + 1)
        ask = [w, 0.5 * (w + best_w)]
    raise NumericalError(
        f"the minimax dual did not close its gap in {most} steps (largest loss at most {model:g}, at least {best:g}); "
        f"use {Setting('solver', 'sdp')}."
    )


def _master(cuts: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """max_w min_i cut_i·w over the simplex; the dual of the cuts is a mixture of their subspaces."""
    m, G = cuts.shape
    result = optimize.linprog(
        np.r_[np.zeros(G), -1.0],
        A_ub=np.hstack([-cuts, np.ones((m, 1))]),
        b_ub=np.zeros(m),
        A_eq=np.r_[np.ones(G), 0.0][None, :],
        b_eq=[1.0],
        bounds=[(0, None)] * G + [(None, None)],
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    mixture = np.maximum(-result.ineqlin.marginals, 0.0)
    return float(result.x[-1]), np.maximum(result.x[:G], 0.0) / result.x[:G].sum(), mixture / mixture.sum()


def _mixture(
    S: np.ndarray,
    sigma: np.ndarray,
    k: int,
    spaces: list[np.ndarray],
    mixture: np.ndarray,
    w: np.ndarray,
    bound: float,
    iterations: int,
) -> Minimax:
    """Rank reduction of Σ μ_i U_i U_iᵀ on the face of equal losses."""
    used = np.flatnonzero(mixture > 1e-12)
    stacked = np.hstack([spaces[i] * np.sqrt(mixture[i]) for i in used])
    V, s, _ = np.linalg.svd(stacked, full_matrices=False)
    V, lam = extreme(S, sigma, k, V, s**2, w, bound)
    return Minimax(fix_signs(V), lam, w, bound, iterations)


def multiplicative_weights(
    S: np.ndarray, sigma: np.ndarray, k: int, steps: int = 100, rate: float = 1.0
) -> tuple[Minimax, Minimax]:
    """Return average and last iterate of multiplicative weights (Samadi et al. 2018, appendix A), a cross-check."""
    w = np.full(len(S), 1 / len(S))
    spaces, bound, best = [], -np.inf, w
    for _ in range(steps):
        value, U = oracle(S, sigma, w, k)
        if value > bound:
            bound, best = value, w
        spaces.append(U)
        lost = losses(S, sigma, U)
        w = w * np.exp(rate * (lost - lost.max()))  # of the largest 1: in large units others would be infinite
        w = w / w.sum()
    V, s, _ = np.linalg.svd(np.hstack(spaces) / np.sqrt(steps), full_matrices=False)
    keep = s**2 > 1e-14
    average = Minimax(fix_signs(V[:, keep]), np.minimum(s[keep] ** 2, 1.0), best, bound, steps)
    return average, Minimax(fix_signs(spaces[-1]), np.ones(k), best, bound, steps)


def semidefinite(S: np.ndarray, sigma: np.ndarray, k: int) -> Minimax:
    """Solve the relaxation by cvxpy: a cross-check, slow beyond a few dozen features."""
    try:
        import cvxpy as cp
    except ImportError:
        raise not_installed("the solver sdp", "cvxpy", "compare") from None
    p = S.shape[1]
    P, z = cp.Variable((p, p), symmetric=True), cp.Variable()
    limits = [P >> 0, np.eye(p) - P >> 0, cp.trace(P) <= k]
    limits += [s - cp.trace(Sg @ P) <= z for Sg, s in zip(S, sigma, strict=True)]
    problem = cp.Problem(cp.Minimize(z), limits)
    problem.solve(solver=cp.CLARABEL)
    if problem.status not in ("optimal", "optimal_inaccurate"):
        raise NumericalError(
            f"the semidefinite program ended with status {problem.status!r}; use {Setting('solver', 'dual')}."
        )
    values, V = np.linalg.eigh(np.asarray(P.value))
    weights = np.maximum([float(c.dual_value) for c in limits[3:]], 0.0)
    weights = weights / weights.sum() if weights.sum() > 0 else np.full(len(S), 1 / len(S))
    bound = oracle(S, sigma, weights, k)[0]
    V, lam = extreme(S, sigma, k, V, np.clip(values, 0.0, 1.0), weights, bound)
    return Minimax(fix_signs(V), lam, weights, bound, int(problem.solver_stats.num_iters or 0))


# Minimax within the leading subspaces met so far, until the dual of all features certifies it.


Moments = Callable[[Spanned], tuple[Spaces, np.ndarray]]  # of S (G, m, m), and σ (G,)


def grown(groups: GroupProducts, k: int, about_group_mean: bool, moments: Moments, most: int = 40) -> Spanned:
    """Return second moments by group in a basis of few directions that holds a minimax solution, and PCA's.

    A restriction only raises the largest loss, so its solution is feasible; the leading eigenvectors of the full
    mixture at its weights bound the optimum from below, and are the directions that are missing.

    about_group_mean: each group about its own mean.
    moments: what the losses are made of, from second moments in a basis.
    Raises NumericalError: the gap between the two did not close.
    """
    G = len(groups.levels)
    items = [*np.eye(G), groups.weights / groups.weights.sum(), np.full(G, 1 / G)]
    directions = [groups.leading(w, k, about_group_mean)[1] for w in items]
    basis = np.linalg.qr(groups.means.T)[0]
    for U in directions:
        basis = np.hstack([basis, next_block(basis, U, 1e-12)[0]])
    closed = 1e-10 if G == 2 else 1e-8
    for _ in range(most):
        present = groups.within(basis)
        spaces, sigma = moments(present)
        S = spaces.S
        result = dual(S, sigma, k, spaces)
        values, U = groups.leading(result.dual, k, about_group_mean)
        bound = float(result.dual @ sigma - values.sum())
        largest = float(losses(S, sigma, result.vectors, result.fractions).max())
        # The last directions are kept too: losses are then good to the gap, loadings no longer to its root only.
        basis = np.hstack([basis, next_block(basis, U, 1e-12)[0]])
        if largest - bound <= closed * float(sigma.max()) or basis.shape[1] == len(present.means[0]):
            return groups.within(basis)
    raise NumericalError(
        f"minimax_pca of sparse rows did not close its gap in {most} rounds (largest loss {largest:g}, at least "
        f"{bound:g}); pass {Call('moments', ('X', 'groups'))}, which takes 8 bytes for each pair of columns and group."
    )


# Maximize the product of the groups' kept variations (Nash welfare): cutting planes, then rank reduction.


BARRIERS = 10.0 ** -np.arange(1, 15)


def nash(S: np.ndarray, k: int, tolerance: float = 1e-9, most: int = 500) -> Minimax:
    """Find P, 0 ⪯ P ⪯ I, tr P ≤ k, of the largest Π_g tr(S_g P).

    The logarithm of the product is concave, and Σ log x_g = min over y > 0 of Σ (x_g y_g − 1 − log y_g): y bounds what
    any P reaches by −Σ log y_g, where y is scaled so that the k largest eigenvalues of Σ y_g S_g sum to G. A model made
    of the subspaces met so far gives the next y. At the optimum x the same P makes the least of tr(S_g P)/x_g as large
    as can be, so that the minimax solver finds it, for two groups as a subspace.

    S: second moments, none of them 0, shape (G, p, p).
    tolerance: accepted difference of Σ log tr(S_g P) from its bound, a group.
    Returns: ``dual``: 1/tr(S_g P), scaled to sum to 1; ``bound``: Σ log tr(S_g P) is at most that for every P.
    Raises NumericalError: the bound is not met in ``most`` steps.
    Source: Tantipongpipat, Samadi, Singh, Morgenstern & Vempala (2019), "Multi-criteria dimensionality reduction with
    applications to fairness", NeurIPS, sections 1 and 2.

    >>> result = nash(np.stack([np.diag([4.0, 1.0]), np.diag([1.0, 4.0])]), 1)
    >>> round(float(np.exp(result.bound)), 6)  # the direction between the axes keeps 2.5 of each
    6.25
    """
    G = len(S)
    units = np.trace(S, axis1=1, axis2=2)
    S = S / units[:, None, None]  # the product's maximum does not depend on the groups' units
    cuts: list[np.ndarray] = []
    spaces: list[np.ndarray] = []
    for y in (*(np.eye(G) + 1e-3), np.ones(G)):
        _cut(S, y, k, cuts, spaces)
    for _ in range(most):
        y, mixture = _model(np.array(cuts))
        value = _cut(S, y, k, cuts, spaces)
        if np.log(value) <= tolerance:
            break
    else:
        raise NumericalError(f"the Nash welfare did not meet its bound in {most} steps (it is {np.log(value):g} off).")
    x = value / (G * y)  # what every group is kept at the optimum, by the bound
    even = S / x[:, None, None]
    if G == 2:
        result = dual(even, np.ones(2), k)
        V, lam = result.vectors, result.fractions
    else:
        used = np.flatnonzero(mixture > 1e-12)
        stacked = np.hstack([spaces[i] * np.sqrt(mixture[i]) for i in used])
        V, s, _ = np.linalg.svd(stacked, full_matrices=False)
        V, lam = extreme(even, np.ones(G), k, V, s**2, np.full(G, 1 / G), 0.0)
    weights = 1 / (x * units)
    return Minimax(V, lam, weights / weights.sum(), float(np.log(x * units).sum()), len(cuts))


def _cut(S: np.ndarray, y: np.ndarray, k: int, cuts: list[np.ndarray], spaces: list[np.ndarray]) -> float:
    """Add the best subspace of Σ y_g S_g with what it keeps of each group; return the sum of the k largest values."""
    values, U = leading_pairs(np.tensordot(y, S, axes=1), k)
    cuts.append(np.array([np.sum(U * (Sg @ U)) for Sg in S]))
    spaces.append(U)
    return float(values.sum())


def _model(C: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """y (G,) of the largest Σ log y_g with Cy ≤ 1 (m × G), and the mixture (m,) of cuts that proves it.

    Newton's method along a logarithmic barrier of weight τ → 0. At its optima 1/y_g = Σ_i μ_i C_ig with
    μ_i = τ/(1 − C_i y): the mixture μ/Σμ keeps 1/(G y_g) of each group.
    """
    y = np.full(C.shape[1], 0.5 / C.sum(axis=1).max())
    for tau in BARRIERS:
        for _ in range(50):
            slack = 1 - C @ y
            gradient = -1 / y + tau * (C.T @ (1 / slack))
            hessian = np.diag(y**-2.0) + tau * (C / slack[:, None] ** 2).T @ C
            step = -np.linalg.solve(hessian, gradient)
            size = float(np.sqrt(max(-gradient @ step, 0.0) / tau))  # the objective over τ is self-concordant
            limit = min(_room(y, step), _room(slack, -(C @ step)))
            y = y + step * min(1.0 if size < 0.25 else 1 / (1 + size), 0.99 * limit)
            if size < 1e-7:
                break
    mixture = tau / (1 - C @ y)
    return y, mixture / mixture.sum()


def _room(values: np.ndarray, step: np.ndarray) -> float:
    down = step < 0
    return float((values[down] / -step[down]).min(initial=np.inf))
