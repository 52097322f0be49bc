"""The semidefinite program of fair PCA (Olfat & Aswani 2019), and a bound on its optimum that no solver vouches for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fairstats.errors import NumericalError, not_installed
from fairstats.linalg.eigen import EPS, column_space, complement, top_values
from fairstats.linalg.fantope import onto_fantope
from fairstats.quiet import ignoring

INTERIOR = 20  # features up to which an interior-point method is the faster one
OPTIONS: dict[str, dict[str, Any]] = {
    "clarabel": {},
    "scs": {"eps_abs": 1e-5, "eps_rel": 1e-5, "max_iters": 20_000},
}
ROUTES = {"clarabel": ("clarabel",), "scs": ("scs",)}
SOLVERS = ("auto", *OPTIONS)
NOTHING = 1e-8  # of an objective, where rows have length 1: what is left of data without variation of their own
FAR = 1e-2  # relative distance from the dual bound beyond which there is no answer


@dataclass(frozen=True)
class Relaxation:
    """max ⟨C, P⟩ − μ Σ_s λ_max(P S_s P) over 0 ⪯ P ⪯ I, tr P = k, fᵀPf ≤ δ² for each f.

    ``C`` (m × m), ``S`` (s × m × m, positive semi-definite), ``F`` (m × c), in the coordinates that are left where
    δ = 0 has taken the f's out.
    """

    C: np.ndarray
    S: np.ndarray
    F: np.ndarray
    k: int
    mu: float
    delta: float
    unit: float = 1.0  # what F and delta were divided by

    def value(self, P: np.ndarray) -> float:
        """Return the objective at P."""
        return float(np.sum(self.C * P)) - self.mu * sum(float(top_values(P @ S @ P, 1)[0]) for S in self.S)

    def excess(self, P: np.ndarray) -> float:
        """Return by how much the largest fᵀPf is above δ²; at most 0 where P is feasible."""
        return float(np.max(np.sum(self.F * (P @ self.F), axis=0), initial=0.0)) - self.delta**2

    def bound(self, P: np.ndarray, N: np.ndarray, price: np.ndarray) -> float:
        """Return a number that no feasible objective exceeds: weak duality, at any P, N_s = AᵀWA and prices of the f's.

        For S = AᵀA and a density W (W ⪰ 0, tr W = 1) λ_max(P'SP') ≥ tr(W AP'P'Aᵀ) = tr(N P'²), which is convex in P'
        and hence above its tangent at P. What is left is linear: its maximum is a sum of k eigenvalues.
        """
        G, constant = self.C - (self.F * price) @ self.F.T, float(price.sum()) * self.delta**2
        for n in N:
            half = n @ P
            G = G - self.mu * (half + half.T)
            constant += self.mu * float(np.sum(P * half))
        return constant + float(top_values(0.5 * (G + G.T), self.k).sum())


@dataclass(frozen=True)
class Relaxed:
    """P of the program with what vouches for it."""

    P: np.ndarray
    solver: str
    status: str
    iterations: int
    value: float
    bound: float
    excess: float
    failed: tuple[str, ...]  # solvers that gave up before


def solve(program: Relaxation, solver: str) -> Relaxed:
    """Solve by cvxpy; ``auto`` takes Clarabel where the program is small, and SCS beyond or where that fails.

    Raises
    ------
    DependencyError
        cvxpy is not installed.
    NumericalError
        Infeasible, or no solver came near the dual bound.
    """
    try:
        import cvxpy as cp
    except ImportError:
        raise not_installed("fpca", "cvxpy", "compare") from None
    automatic = ("clarabel", "scs") if len(program.C) <= INTERIOR else ("scs",)
    failed: list[str] = []
    for name in ROUTES.get(solver, automatic):
        absent = name.upper() not in cp.installed_solvers()
        found = f"{name}: not installed" if absent else _attempt(cp, program, name, tuple(failed))
        if isinstance(found, Relaxed):
            return found
        failed.append(found)
    raise NumericalError(
        f"the semidefinite program of fpca was not solved ({'; '.join(failed)}); choose a smaller mu, a larger delta, "
        "or another solver."
    )


def _attempt(cp: Any, program: Relaxation, name: str, failed: tuple[str, ...]) -> Relaxed | str:
    """The answer of one solver, or why it has none."""
    m = len(program.C)
    P = cp.Variable((m, m), symmetric=True)
    t = cp.Variable(len(program.S))
    limits = [P >> 0, np.eye(m) - P >> 0, cp.trace(P) == program.k]
    # P ≤ I, so no mean is farther than ‖F‖: a larger bound is that one, of a size that solvers can hold
    reach = min(program.delta, 2 * float(np.linalg.norm(program.F)))
    means = [f @ P @ f <= reach**2 for f in program.F.T]
    # t ≥ λ_max(PSP) is [[tI, AP], [PAᵀ, I]] ⪰ 0 for S = AᵀA (Schur).
    roots = [_root(S) for S in program.S]
    spread = [
        cp.bmat([[t[s] * np.eye(m), A @ P], [(A @ P).T, np.eye(m)]]) >> 0 for s, A in enumerate(roots) if program.mu > 0
    ]
    gain = cp.trace(program.C @ P) - (program.mu * cp.sum(t) if spread else 0.0)
    problem = cp.Problem(cp.Maximize(gain), limits + means + spread)
    try:
        with ignoring():  # an inaccurate solution is judged by the bound below
            problem.solve(solver=name.upper(), **OPTIONS[name])
    except cp.SolverError:
        return f"{name}: failed"
    if problem.status in ("infeasible", "infeasible_inaccurate"):
        raise NumericalError(
            f"the semidefinite program of fpca is infeasible ({name}: {problem.status}): no k={program.k} directions "
            f"have group means within delta={program.delta * program.unit:g} of each other; lower k, or raise delta."
        )
    if P.value is None:
        return f"{name}: {problem.status}"
    made = _feasible(program, onto_fantope(P.value, program.k))
    N = np.array([A.T @ _density(c.dual_value[:m, :m]) @ A for A, c in zip(roots, spread, strict=False)])
    price = np.array([max(float(c.dual_value), 0.0) for c in means])
    value, bound, excess = program.value(made), program.bound(made, N, price), program.excess(made)
    gap = (bound - value) / max(abs(bound), NOTHING)
    if max(gap, excess / max(program.delta, EPS) ** 2) > FAR:
        return f"{name}: {problem.status}, residual {max(excess, 0.0):.1g}, duality gap {gap:.1g}"
    steps = int(problem.solver_stats.num_iters or 0)
    return Relaxed(made, name, problem.status, steps, value, bound, excess, failed)


def _feasible(program: Relaxation, P: np.ndarray) -> np.ndarray:
    """Move P toward its compression on the complement of the f's until fᵀPf ≤ δ², which first-order solvers miss."""
    if program.excess(P) <= 0:
        return P
    R = complement(column_space(program.F, float(np.linalg.norm(program.F))))
    if R.shape[1] < program.k:
        return P
    inner = R @ onto_fantope(R.T @ P @ R, program.k) @ R.T
    return P + (1.0 - program.delta**2 / (program.delta**2 + program.excess(P))) * (inner - P)


def _root(S: np.ndarray) -> np.ndarray:
    """A with AᵀA = S."""
    values, V = np.linalg.eigh(S)
    return np.sqrt(np.maximum(values, 0.0))[:, None] * V.T


def _density(dual: np.ndarray) -> np.ndarray:
    """The positive semi-definite matrix of trace 1 that a multiplier is meant to be."""
    values, V = np.linalg.eigh(0.5 * (dual + dual.T))
    values = np.maximum(values, 0.0)
    return (V * (values / values.sum())) @ V.T if values.sum() > 0 else np.eye(len(dual)) / len(dual)
