"""Fair PCA by semidefinite programming (Olfat & Aswani 2019)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from fairstats.data.centered import centered_by_group
from fairstats.data.centered_view import Centered
from fairstats.data.tables import Tabular
from fairstats.errors import InputError, NumericalError, Setting, ignoring, listing, not_installed
from fairstats.language import message
from fairstats.linalg.eigen import EPS, column_space, complement, fix_signs, top_values
from fairstats.linalg.matrices import onto_fantope
from fairstats.methods.arguments import components
from fairstats.methods.results import Guarantee, Projection, checked, from_loadings
from fairstats.validation import Missing, between, one_of

# The semidefinite program of fair PCA (Olfat & Aswani 2019), and a bound on its optimum that no solver vouches for.


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

    Raises DependencyError: cvxpy is not installed.
    Raises NumericalError: infeasible, or no solver came near the dual bound.
    """
    try:
        import cvxpy as cp
    except ImportError:
        raise not_installed("fpca", "cvxpy", "compare") from None
    automatic = ("clarabel", "scs") if len(program.C) <= INTERIOR else ("scs",)
    failed: list[str] = []
    for name in ROUTES.get(solver, automatic):
        absent = name.upper() not in cp.installed_solvers()
        result = f"{name}: not installed" if absent else _attempt(cp, program, name, tuple(failed))
        if isinstance(result, Relaxed):
            return result
        failed.append(result)
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
        with ignoring():  # an inaccurate solution is checked by the bound below
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
    values = _feasible(program, onto_fantope(P.value, program.k))
    N = np.array([A.T @ _density(c.dual_value[:m, :m]) @ A for A, c in zip(roots, spread, strict=False)])
    price = np.array([max(float(c.dual_value), 0.0) for c in means])
    value, bound, excess = program.value(values), program.bound(values, N, price), program.excess(values)
    gap = (bound - value) / max(abs(bound), NOTHING)
    if max(gap, excess / max(program.delta, EPS) ** 2) > FAR:
        return f"{name}: {problem.status}, residual {max(excess, 0.0):.1g}, duality gap {gap:.1g}"
    steps = int(problem.solver_stats.num_iters or 0)
    return Relaxed(values, name, problem.status, steps, value, bound, excess, failed)


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


TIE = 1e-3  # eigenvalues of P that solvers cannot tell apart


@checked()
def fpca(
    X: Any,
    groups: Any = None,
    k: int = 2,
    *,
    data: Tabular | None = None,
    weights: Any = None,
    missing: Missing = "raise",
    scale: bool = False,
    delta: float = 0.0,
    mu: float = 0.01,
    solver: Literal["auto", "clarabel", "scs"] = "auto",
) -> Projection:
    """Find components with group means within δ of each other and similar covariances, by a semidefinite program.

    Parameters
    ----------
    X : array (n, p), sparse matrix, table, column names, formula or Moments
    groups : column name(s) of ``data`` or labels (n,)
        Two levels, as in the paper, or more: each against all others.
    k : int
        Number of components, 1 to p − r, where r directions separate the group means if ``delta`` is 0.
    delta : float
        Bound on the distance of two groups' mean scores, in units of X (of its standard deviations with ``scale``).
    mu : float
        Price of differences between the groups' covariances, at least 0.
    data : table, optional
        Where column names and formulas are looked up.
    weights : str or array (n,), optional
        Only their proportions matter. Heavy rows are not repeated rows: n in the scale of the program is the effective
        number of rows, (Σw)²/Σw².
    missing : {"raise", "level", "drop"}
        Rows whose group is missing.
    scale : bool
        Divide by the standard deviation (ddof 1), as the authors do; ``mu`` is meant for that.
    solver : {"auto", "clarabel", "scs"}
        "auto" takes Clarabel up to 20 features, and SCS beyond or where Clarabel fails; the result says which.

    Returns
    -------
    Projection
        ``transform`` needs no group. ``diagnostics``: solver, status, iterations, objective, dual bound, residual, the
        eigenvalues of P.

    Raises
    ------
    InputError
        No groups, a continuous attribute, k out of range, delta or mu negative, an unknown solver.
    DependencyError
        cvxpy is not installed (the extra ``compare``).
    NumericalError
        The program is infeasible, or no solver came near its dual bound.

    Guarantees
    ----------
    P has eigenvalues in [0, 1] and trace k, and fᵀPf ≤ δ² for the difference f of two group means.
    No such matrix has a larger objective, up to the duality gap, which is computed apart from the solver.
    With ``delta=0`` every group has the same mean on every score.

    Notes
    -----
    The program is max ⟨C, P⟩ − μ(t₊ + t₋) with t± ≥ λ_max(P(±Q + φ±I)P), Q the difference of the two groups'
    covariances and φ± the least number that makes ±Q + φ±I positive semi-definite; C = X_cᵀX_c/(n‖X_c‖_F). That is
    what the authors' program solves: the paper has one t and one φ for both signs, and tr P ≤ k instead of tr P = k (P
    may then vanish). Where δ = 0 the f's are taken out of the space beforehand, since fᵀPf ≤ 0 leaves a program
    without an interior.

    P is in general far from a projector. The loadings are its k leading eigenvectors, turned to the principal axes of
    their span; among eigenvectors of (nearly) equal eigenvalue those of most variation. Only for δ = 0 do they inherit
    the bound on the means; the result states their distance. Time grows fast with p: seconds for 60 features, minutes
    for 100.

    References
    ----------
    Olfat & Aswani (2019), "Convex formulations for fair principal component analysis", AAAI 33, 663–670.

    Examples
    --------
    >>> import fairstats as fs
    >>> import numpy as np
    >>> X = np.array([[3.0, 1.0], [3.0, -1.0], [-3.0, 1.0], [-3.0, -1.0]])
    >>> fs.comparators.fpca(X, ["a", "a", "b", "b"], k=1).loadings.ravel().round(6).tolist()
    [0.0, 1.0]
    """
    _check_arguments(delta, mu, solver)
    view = centered_by_group(X, groups, data=data, weights=weights, missing=missing, scale=scale)
    F, Q = _contrasts(view)
    basis = np.eye(len(F))
    if delta == 0:
        basis = complement(column_space(F, float(np.sqrt(view.total / view.scaling.weight))))
    k = components(k, view, len(F) - basis.shape[1], f"the differences of group means, at {Setting('delta', 0)}")
    # n of ‖X_c‖ = √(n tr S), which μ is held against, is the effective one: it has no unit, and is n without weights.
    n = view.effective_n
    C = view.covariance / (view.scaling.weight * math.sqrt(view.total * n / view.scaling.weight or 1.0))
    # Solvers stop at absolute residuals: they get rows of length 1 on average, and an objective of order 1.
    unit = math.sqrt(view.total / view.scaling.weight) or 1.0
    size = unit * max(1.0, mu * unit)
    program = Relaxation(
        basis.T @ C @ basis / size,
        np.array([basis.T @ S @ basis for S in _both_signs([q / unit / unit for q in Q])]),
        basis.T @ F[:, : 0 if delta == 0 else F.shape[1]] / unit,
        k,
        float(mu * unit / size * unit),
        float(delta / unit),
        unit,
    )
    result = solve(program, solver)
    result = replace(result, value=size * result.value, bound=size * result.bound, excess=unit**2 * result.excess)
    U = fix_signs(basis @ _loadings(result.P, program.C, k))
    settings = {"k": k, "delta": float(delta), "mu": float(mu), "scale": scale, "solver": solver}
    return _projection(view, U, F, result, settings)


def _check_arguments(delta: Any, mu: Any, solver: Any) -> None:
    for name, value in (("delta", delta), ("mu", mu)):
        between(name, value, 0, 1e100, ends="[]")
    one_of("solver", solver, SOLVERS)


def _contrasts(view: Centered) -> tuple[np.ndarray, list[np.ndarray]]:
    """Differences of means (p × c) and of covariances: a level against all others, once where there are two."""
    if view.continuous:
        raise InputError(
            "groups",
            f"has a continuous attribute ({listing(view.continuous)}), and fpca compares groups; cut it into classes.",
        )
    means, covariances = [], []
    for attribute in view.attributes:
        _, mass, mu, within = view.second_moments(attribute)
        present = np.flatnonzero(mass > 0)
        if len(present) < 2:
            raise InputError("groups", "has one level with rows; fpca compares at least two groups.", value=attribute)
        for g in present[1:] if len(present) == 2 else present:
            rest = present[present != g]
            share = mass[rest] / mass[rest].sum()
            center = share @ mu[rest]
            about = mu[rest] - center
            pooled = np.tensordot(share, within[rest], axes=1) + (about * share[:, None]).T @ about
            means.append(mu[g] - center)
            covariances.append(within[g] - pooled)
    return np.array(means).T, covariances


def _both_signs(Q: list[np.ndarray]) -> list[np.ndarray]:
    """±Q + φI, each with the least φ ≥ 0 that makes it positive semi-definite."""
    signed = [s * 0.5 * (q + q.T) for q in Q for s in (1.0, -1.0)]
    return [S + max(0.0, -float(np.linalg.eigvalsh(S)[0])) * np.eye(len(S)) for S in signed]


def _loadings(P: np.ndarray, C: np.ndarray, k: int) -> np.ndarray:
    """The k leading eigenvectors of P; where they tie, those of most variation. Turned to principal axes."""
    values, V = np.linalg.eigh(P)
    values, V = values[::-1], V[:, ::-1]
    above = int(np.sum(values > values[k - 1] + TIE))
    tied = V[:, np.abs(values - values[k - 1]) <= TIE]
    turned = tied @ np.linalg.eigh(tied.T @ C @ tied)[1][:, ::-1]
    span = np.hstack([V[:, :above], turned[:, : k - above]])
    return span @ np.linalg.eigh(span.T @ C @ span)[1][:, ::-1]


def _projection(view: Centered, U: np.ndarray, F: np.ndarray, result: Relaxed, settings: dict[str, Any]) -> Projection:
    return from_loadings(
        view,
        U,
        method="fpca",
        title="Fair PCA by semidefinite programming (FPCA)",
        guarantees=_guarantees(view, U, F, result, settings["delta"]),
        settings=settings,
        notes=_notes(U, F, result, settings["delta"]),
        diagnostics={
            "solver": result.solver,
            "status": result.status,
            "iterations": result.iterations,
            "objective": result.value,
            "dual_bound": result.bound,
            "residual": max(result.excess, 0.0),
            "eigenvalues": np.linalg.eigvalsh(result.P)[::-1],
            "mean_distance": _distance(U, F),
        },
    )


def _distance(U: np.ndarray, F: np.ndarray) -> float:
    return float(np.linalg.norm(U.T @ F, axis=0).max())


def _guarantees(view: Centered, U: np.ndarray, F: np.ndarray, result: Relaxed, delta: float) -> tuple[Guarantee, ...]:
    size = math.sqrt(view.total / view.scaling.weight) or 1.0
    gap = Guarantee(
        message("objective of P below the dual bound (relative)"),
        max(result.bound - result.value, 0.0) / max(abs(result.bound), NOTHING * size),
        1e-3,
    )
    if delta > 0:
        return (
            Guarantee(
                message("fᵀPf above delta² = {n}, of the relaxation P and not of its loadings", n=f"{delta**2:g}"),
                max(result.excess, 0.0),
                1e-3 * delta**2,
            ),
            gap,
        )
    return (
        Guarantee(message("distance of the groups' mean scores, relative to the data's"), _distance(U, F) / size, 1e-9),
        gap,
    )


def _notes(U: np.ndarray, F: np.ndarray, result: Relaxed, delta: float) -> tuple[str, ...]:
    k = U.shape[1]
    values = np.linalg.eigvalsh(result.P)[::-1]
    solved = f"Solved by {result.solver} ({result.status}, {result.iterations} iterations)"
    solved += f", after {'; '.join(result.failed)}." if result.failed else "."
    past = f", which is more than delta = {delta:g} allows P" if _distance(U, F) > delta > 0 else ""
    if values[k - 1] > 1 - TIE:
        return (solved, "The relaxation is tight: P is a projector.")
    return (
        solved,
        f"The relaxation is not tight: the leading eigenvalues of P are {values[0]:.3g} to {values[k - 1]:.3g} (1 for "
        f"a projector) and the next {values[k] if k < len(values) else 0:.3g}. The loadings are its leading "
        f"eigenvectors; their groups' mean scores are {_distance(U, F):.3g} apart{past}.",
    )
