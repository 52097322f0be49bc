"""Minimize the largest excess loss over groups: by the dual (exact), multiplicative weights, or a semidefinite program.

All take second moments S (G, p, p) and the best attainable sums σ (G,), and return ``Minimax``. The loss of group g
under 0 ⪯ P ⪯ I, tr P ≤ k, is σ_g − tr(S_g P).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import optimize

from fairstats.errors import NumericalError, not_installed
from fairstats.linalg.eigen import fix_signs
from fairstats.linalg.rotate import balance
from fairstats.linalg.subspace import leading_pairs
from fairstats.methods.solvers.minimax_rank import extreme
from fairstats.methods.solvers.minimax_spaces import Spaces

DENSE = 400  # up to so many features all eigenvectors are cheap, and with them the slope


@dataclass(frozen=True)
class Minimax:
    """P = Σ λ_j u_j u_jᵀ with its certificate.

    Attributes
    ----------
    vectors, fractions : arrays (p, r), (r,)
        u_j and λ_j ∈ (0, 1]; all 1 where the solution is a subspace.
    dual : array (G,)
        Weights of the groups.
    bound : float
        φ(w): no P has a smaller largest loss.
    iterations : int
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
        found = _two(inner, sigma, k)
        bound = float(found.dual @ sigma - spaces.at(found.dual, k)[0].sum())
        largest = float(losses(inner, sigma, found.vectors).max())
        if largest - bound <= 1e-10 * float(sigma.max()):
            return Minimax(fix_signs(basis @ found.vectors), found.fractions, found.dual, bound, rounds)
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

    def made(found: _Look, U: np.ndarray) -> Minimax:
        weights = np.array([found.w, 1 - found.w])
        return Minimax(fix_signs(U), np.ones(k), weights, float(weights @ sigma) - found.top, calls)

    small = 1e-12 * float(sigma.max())
    left, right = at(0.0), at(1.0)
    if left.excess <= small or right.excess >= -small:  # one group's own best subspace already serves the other
        found = left if left.excess <= small else right
        return made(found, found.U)
    w = left.w + (right.w - left.w) * left.excess / (left.excess - right.excess)
    side = 0
    while True:
        here = at(w)
        if abs(here.excess) <= small:
            return made(here, here.U)
        stale = np.sign(here.excess) == side
        side = np.sign(here.excess)
        left, right = (here, right) if here.excess > 0 else (left, here)
        if right.w - left.w <= 8e-16:
            break
        w = _next(here, left, right, bool(stale))
    U = balance(left.U, right.U, lambda Y: gap - float(np.sum(Y * (D @ Y))))
    return made(left, U)


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
        'use solver="sdp".'
    )


def _master(cuts: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """max_w min_i cut_i·w over the simplex; the dual of the cuts is a mixture of their subspaces."""
    m, G = cuts.shape
    found = optimize.linprog(
        np.r_[np.zeros(G), -1.0],
        A_ub=np.hstack([-cuts, np.ones((m, 1))]),
        b_ub=np.zeros(m),
        A_eq=np.r_[np.ones(G), 0.0][None, :],
        b_eq=[1.0],
        bounds=[(0, None)] * G + [(None, None)],
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    mixture = np.maximum(-found.ineqlin.marginals, 0.0)
    return float(found.x[-1]), np.maximum(found.x[:G], 0.0) / found.x[:G].sum(), mixture / mixture.sum()


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
        w = w * np.exp(rate * losses(S, sigma, U))
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
        raise NumericalError(f'the semidefinite program ended with status {problem.status!r}; use solver="dual".')
    values, V = np.linalg.eigh(np.asarray(P.value))
    weights = np.maximum([float(c.dual_value) for c in limits[3:]], 0.0)
    weights = weights / weights.sum() if weights.sum() > 0 else np.full(len(S), 1 / len(S))
    bound = oracle(S, sigma, weights, k)[0]
    V, lam = extreme(S, sigma, k, V, np.clip(values, 0.0, 1.0), weights, bound)
    return Minimax(fix_signs(V), lam, weights, bound, int(problem.solver_stats.num_iters or 0))
