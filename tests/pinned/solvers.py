"""The searches beneath the fits, called by themselves: matrices whose answers a change of one step would move."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairstats.methods.solvers import (
    empirical_bayes,
    fpca_solver,
    mbf_solver,
    minimax_rank,
    minimax_solvers,
    nash_welfare,
    sparse_component,
)
from fairstats.methods.solvers.minimax_spaces import Spaces
from tests.pinned.reading import Cases

AXES = np.stack([np.diag([4.0, 1.0]), np.diag([1.0, 4.0])])  # at even weights all directions tie


def matrices(groups: int, p: int, seed: int = 1) -> np.ndarray:
    """Second moments of groups, positive definite, of different size."""
    rng = np.random.default_rng(seed)
    roots = np.round(rng.standard_normal((groups, p, p)) * np.linspace(2, 0.4, p), 3)
    return np.einsum("gij,gkj->gik", roots, roots) * (1 + np.arange(groups))[:, None, None]


def best(S: np.ndarray, k: int) -> np.ndarray:
    """What every group keeps by its own best directions."""
    return np.array([np.linalg.eigvalsh(Sg)[::-1][:k].sum() for Sg in S])


def told(found: minimax_solvers.Minimax) -> dict[str, Any]:
    """The answer, its directions as the projector that they make."""
    V = found.vectors
    P = (V * found.fractions) @ V.T
    return {"P": P, "fractions": found.fractions, "dual": found.dual, "bound": found.bound, "steps": found.iterations}


def looked(p: int = 6, k: int = 2, w: float = 0.3) -> Any:
    S = matrices(2, p)
    return [look(S[1] + w * (S[0] - S[1]), S[0] - S[1], 0.7, k, w) for look in LOOKS]


LOOKS = (minimax_solvers._dense_look, minimax_solvers._krylov_look)


def of_minimax() -> Cases:
    """Two groups and many, whole and fractional."""
    cases: Cases = {
        "looks": looked,
        "looks of one": lambda: looked(k=1, w=0.9),
        "looks beside": lambda: looked(4, 3, 0.0),
    }
    for p, k in ((2, 1), (6, 2), (7, 1), (5, 4)):
        S = matrices(2, p)
        sigma = best(S, k)
        cases[f"two, {p} {k}"] = lambda S=S, s=sigma, k=k: told(minimax_solvers.dual(S, s, k))
        cases[f"two by subspaces, {p} {k}"] = lambda S=S, s=sigma, k=k: told(
            minimax_solvers._two_by_subspaces(Spaces(S), s, k)
        )
        cases[f"two of errors, {p} {k}"] = lambda S=S, k=k: told(
            minimax_solvers.dual(S, np.trace(S, axis1=1, axis2=2), k)
        )
        cases[f"nash of two, {p} {k}"] = lambda S=S, k=k: told(nash_welfare.nash(S, k))
    cases["two that jump"] = lambda: told(minimax_solvers.dual(AXES, np.array([4.0, 4.0]), 1))
    cases["two that jump, by subspaces"] = lambda: told(
        minimax_solvers._two_by_subspaces(Spaces(AXES), np.array([4.0, 4.0]), 1)
    )
    cases["two of which one serves both"] = lambda: told(
        minimax_solvers.dual(np.stack([np.diag([3.0, 2, 1]), np.diag([6.0, 1, 1])]), np.array([3.0, 6.0]), 1)
    )
    for G, p, k in ((3, 5, 2), (4, 4, 1), (5, 6, 2), (7, 7, 3), (6, 3, 1)):
        S = matrices(G, p, seed=G)
        cases[f"many, {G} {p} {k}"] = lambda S=S, k=k: without_steps(minimax_solvers.dual(S, best(S, k), k))
        cases[f"many of variances, {G} {p} {k}"] = lambda S=S, k=k: without_steps(
            minimax_solvers.dual(S, np.full(len(S), best(S, k).max()), k)
        )
        cases[f"nash, {G} {p} {k}"] = lambda S=S, k=k: without_steps(nash_welfare.nash(S, k))
        cases[f"weights, {G} {p} {k}"] = lambda S=S, k=k: [
            told(one) for one in minimax_solvers.multiplicative_weights(S, best(S, k), k, 7, 0.05)
        ]
    for name, lam in {"halves": [0.5, 0.5, 0.5, 0.5], "parts": [1.0, 0.9, 0.6, 0.3, 0.2], "whole": [1.0, 1.0]}.items():
        cases[f"rank, {name}"] = lambda lam=lam: reduced(np.array(lam))
        cases[f"polished, {name}"] = lambda lam=lam: polished(np.array(lam))
    here, left, right = (minimax_solvers._Look(w, np.eye(1), 1.0, e, s) for w, e, s in NEXT)
    for slope in (0.0, -3.0, -0.1):
        steep = minimax_solvers._Look(0.4, np.eye(1), 1.0, here.excess, slope)
        for stale in (False, True):
            cases[f"next weight, {slope} {stale}"] = lambda h=steep, s=stale: minimax_solvers._next(h, left, right, s)
    near = minimax_solvers._Look(0.2, np.eye(1), 1.0, 1e-3, 0.0)
    cases["next weight, beside an end"] = lambda: minimax_solvers._next(here, near, right, False)
    cases["next weight, at the other"] = lambda: minimax_solvers._next(
        here, left, minimax_solvers._Look(0.9, np.eye(1), 1.0, -1e-3, 0.0), False
    )
    return cases


NEXT = ((0.4, 0.5, 0.0), (0.2, 2.0, 0.0), (0.9, -1.5, 0.0))


def without_steps(found: minimax_solvers.Minimax) -> dict[str, Any]:
    """Losses are settled where P is not, to the last digit; neither is the number of steps."""
    return {"fractions": np.sort(found.fractions) > 0.5, "rank": len(found.fractions), "bound": found.bound}


def reduced(lam: np.ndarray) -> dict[str, Any]:
    """A mixture that keeps what it kept of every group, with fewer directions."""
    S = matrices(2, 6)
    V, left = minimax_rank.reduce_rank(S, np.linalg.qr(matrices(1, 6, 4)[0])[0][:, : len(lam)], lam)
    return {"kept": [np.sum(left * np.sum(V * (Sg @ V), axis=0)) for Sg in S], "whole": left == 1, "sum": left.sum()}


def polished(lam: np.ndarray) -> dict[str, Any]:
    """A subspace turned until its losses are equal."""
    S = matrices(3, 6)
    start = np.linalg.qr(matrices(1, 6, 4)[0])[0][:, : len(lam)]
    sigma, dual = best(S, 2), np.array([0.5, 0.3, 0.2])
    found = {}
    for steps in (1, 8):
        V, made = minimax_rank.polished(S, sigma, start, lam, dual, steps)
        found[f"after {steps}"] = {"P": (V * made) @ V.T, "losses": minimax_rank._losses(S, sigma, V, made)}
    return found


def of_parts() -> Cases:
    """Priors, penalties, relaxations, sparse components."""
    rng = np.random.default_rng(3)
    shift, variance = np.round(rng.standard_normal(6), 3), np.round(0.5 + rng.random(6), 3)
    cases: Cases = {
        "prior": lambda: empirical_bayes.shrunk(shift, variance, 20.0, 0.95),
        "prior of few": lambda: empirical_bayes.shrunk(shift, variance, 3.5, 0.7, 1e-3),
        "prior of equal variances": lambda: empirical_bayes.shrunk(shift, np.full(6, 0.8), 20.0, 0.95),
        "prior that does not settle": lambda: empirical_bayes.shrunk(shift, variance, 20.0, 0.95, most=2),
    }
    X, V, H = (np.round(rng.standard_normal(size), 3) for size in ((30, 4), (4, 2), (4, 2)))
    A = np.round(rng.standard_normal((30, 2)), 3)
    for sigma in (1.0, 2.5):
        cases[f"discrepancy, {sigma}"] = lambda s=sigma: mbf_solver.Discrepancy(X, A, s)(V)
        cases[f"its curvature, {sigma}"] = lambda s=sigma: np.round(mbf_solver.Discrepancy(X, A, s).hessian(V, H), 3)
    for gap in (0.0, 0.3, 2.0):
        price = mbf_solver.Augmented(0.4, 2.0, 0.5)
        cases[f"prices, {gap}"] = lambda g=gap, p=price: {
            "linear": mbf_solver.Linear(3.0)(g),
            "augmented": p(g),
            "next": p.updated(g)(g),
        }
    one, *others = (mbf_solver.Penalized(V, share, gap, 0.0, 1, 1) for share, gap in SHARES)
    cases["better"] = lambda: [mbf_solver._better(new, one, 0.3).share for new in others]
    cases["best"] = lambda: mbf_solver.best_of([one, *others], 0.3).share
    S = matrices(2, 4)
    F = np.array([[1.0], [0.5], [0.0], [-0.5]])
    for mu, delta in ((0.0, 0.4), (0.1, 0.4), (0.1, 0.0)):
        program = fpca_solver.Relaxation(S[0], S, F, 2, mu, delta, 2.0)
        P, N, price = np.diag([0.8, 0.6, 0.4, 0.2]), np.stack([np.eye(4) / 4] * 2), np.array([0.3])
        cases[f"relaxation, {mu} {delta}"] = lambda r=program, P=P, N=N, price=price: {
            "value": r.value(P),
            "excess": r.excess(P),
            "bound": r.bound(P, N, price),
            "feasible": fpca_solver._feasible(r, P),
        }
    cases["relaxation, nothing left"] = lambda: fpca_solver._feasible(
        fpca_solver.Relaxation(S[0], S, F, 4, 0.1, 0.4), np.eye(4)
    )
    cases["root and density"] = lambda: {
        "root": fpca_solver._root(S[0]).T @ fpca_solver._root(S[0]),
        "density": fpca_solver._density(S[0] - 3 * np.eye(4)),
        "none": fpca_solver._density(-S[0]),
    }
    for t in (1.0, 1.4, 2.0):
        cases[f"sparse component, {t}"] = lambda t=t: component(t)
    cases["sparse component, few steps"] = lambda: component(1.5, max_iter=7)
    return cases


SHARES = ((0.5, 0.4), (0.4, 0.5), (0.3, 0.2), (0.6, 0.3), (0.7, 0.35))


def component(t: float, max_iter: int = 500) -> dict[str, Any]:
    from fairstats.linalg.deflation import MatrixDeflation

    found = sparse_component.sparse_component(MatrixDeflation(matrices(1, 6)[0]), t, 1e-10, max_iter)
    return {
        "u": found.u,
        "image": found.image,
        "d2": found.d2,
        "converged": found.converged,
        "first": found.objective[:5],
    }


CASES: Cases = of_minimax() | of_parts()
