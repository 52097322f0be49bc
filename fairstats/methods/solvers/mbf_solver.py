"""MMD² of projected groups with its derivatives, block by block, and the exact penalty method that uses them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from fairstats.errors import not_installed

BLOCK = 1 << 20  # entries of the n × n kernel matrix that are formed at once
KEPT = 1 << 22  # entries up to which they are kept from one Hessian product to the next, in single precision
GROWTH, LOOSEST, STEPS = 2.0, 1e-1, 5  # of the penalty; accuracy of the first subproblem; subproblems to the last
REFINE, NEAR, AIM = 12, 0.9, 0.97  # multipliers; share of τ that is near enough, and that is aimed at


class Discrepancy:
    """Σ_c a_cᵀ K(V) a_c, K_ij = exp(−‖x_iV − x_jV‖²/2σ²): the sum of biased MMD²s of contrasts between groups.

    Parameters
    ----------
    X : array (n, p), centered
    A : array (n, c)
        A column a contrast: w_i/W on one side, −w_i/W on the other.
    sigma : float
    """

    def __init__(self, X: np.ndarray, A: np.ndarray, sigma: float) -> None:
        self.X, self.A = X / sigma, A  # no units: squares, in single precision too, neither overflow nor vanish
        self._at: bytes = b""
        self._found: tuple[float, np.ndarray] = (0.0, X[:0])
        self._single: list[np.ndarray] = []

    def __call__(self, V: np.ndarray) -> tuple[float, np.ndarray]:
        """The value and its gradient (p × k); remembered until V changes."""
        key = V.tobytes()
        if key != self._at:
            self._at, self._found = key, self._evaluate(V)
        return self._found

    def hessian(self, V: np.ndarray, H: np.ndarray) -> np.ndarray:
        """Return the derivative of the gradient at V along H (p × k).

        Single precision: it steers the trust region, whose model is judged by values and gradients in double.
        """
        self(V)
        S, T = ((self.X @ M).astype(np.float32) for M in (V, H))
        st, one = np.sum(S * T, axis=1)[:, None], np.ones((len(S), 1), np.float32)
        # (s_i − s_j)·(t_i − t_j) as one product.
        left, right = np.hstack([-S, -T, st, one]), np.hstack([T, S, one, st])
        out = np.empty((len(S), S.shape[1]))
        blocks = self._single or (L.astype(np.float32) for _, L in self._blocks(self.X @ V))
        for rows, L in zip(self._rows(), blocks, strict=True):
            E = left[rows] @ right.T
            E *= -L
            out[rows] = E.sum(axis=1)[:, None] * S[rows] - E @ S + L.sum(axis=1)[:, None] * T[rows] - L @ T
        return -2 * (self.X.T @ out)

    def _evaluate(self, V: np.ndarray) -> tuple[float, np.ndarray]:
        S = self.X @ V
        value, out, self._single = 0.0, np.empty_like(S), []
        keep = len(S) ** 2 <= KEPT
        for rows, L in self._blocks(S):
            sums = L.sum(axis=1)
            value += float(sums.sum())
            out[rows] = sums[:, None] * S[rows] - L @ S
            if keep:
                self._single.append(L.astype(np.float32))
        return value, -2 * (self.X.T @ out)

    def _rows(self) -> Iterator[slice]:
        size = max(1, BLOCK // len(self.X))
        return (slice(i, i + size) for i in range(0, len(self.X), size))

    def _blocks(self, S: np.ndarray) -> Iterator[tuple[slice, np.ndarray]]:
        """Rows of K ∘ AAᵀ."""
        squares = np.sum(S**2, axis=1)
        for rows in self._rows():
            D = S[rows] @ S.T
            D *= 2.0
            D -= squares
            D -= squares[rows, None]
            np.minimum(D, 0.0, out=D)
            D /= 2
            np.exp(D, out=D)
            D *= self.A[rows] @ self.A.T
            yield rows, D


@dataclass(frozen=True)
class Penalized:
    """Loadings with the discrepancy they reach, and how they were found."""

    V: np.ndarray
    share: float  # of the variation, explained
    discrepancy: float
    rho: float
    subproblems: int
    steps: int


def exact_penalty(
    C: np.ndarray, gap: Discrepancy, V: np.ndarray, rho: float, tau: float, tolerance: float, max_steps: int = 60
) -> Penalized:
    """Maximize tr(VᵀCV) over orthonormal V with the discrepancy at most τ (Lee et al. 2022, Algorithm 1, REPMS).

    The penalty grows until the discrepancy is within τ, each subproblem starting where the last one ended and solved
    more exactly. As variation explained is at most 1, no larger penalty than 10/τ can make a difference. Where that
    overshoots τ, an augmented Lagrangian gets back what variation it can.

    Returns
    -------
    Penalized
        Of most variation among the subproblems' solutions within τ; of least discrepancy where none is.
    """
    solve = _solver(C, gap, max_steps)
    accuracy, done = LOOSEST, (0, 0)
    best, outside = Penalized(V, 0.0, np.inf, 0.0, 0, 0), V

    def attempt(start: np.ndarray, price: Price) -> Penalized:
        nonlocal done
        U, used = solve(start, price, accuracy)
        done = done[0] + 1, done[1] + used
        return Penalized(U, float(np.sum(U * (C @ U))), gap(U)[0], price(gap(U)[0])[1], *done)

    while done[0] == 0 or rho <= 10 * GROWTH / tau:
        found = attempt(V, Linear(rho))
        V, best = found.V, _better(found, best, tau)
        if found.discrepancy <= tau and accuracy <= tolerance:
            break
        if found.discrepancy > tau:
            rho, outside = rho * GROWTH, V
        accuracy = max(tolerance, accuracy * (tolerance / LOOSEST) ** (1 / STEPS))
    if best.discrepancy < NEAR * tau:
        for start in (outside, best.V):
            V, price = start, Augmented(rho, rho / tau, tau)
            for _ in range(REFINE):
                found = attempt(V, price)
                V, best = found.V, _better(found, best, tau)
                if NEAR * tau <= best.discrepancy:
                    break
                price = price.updated(found.discrepancy)
    return Penalized(best.V, best.share, best.discrepancy, best.rho, *done)


@dataclass(frozen=True)
class Linear:
    """ρ·gap, the paper's penalty: of all solutions within τ it finds those that some ρ prefers to all others."""

    rho: float

    def __call__(self, gap: float) -> tuple[float, float, float]:
        """The price of a discrepancy with its first and second derivative."""
        return self.rho * gap, self.rho, 0.0


@dataclass(frozen=True)
class Augmented:
    """The augmented Lagrangian of gap ≤ τ, which also reaches the solutions that no ρ prefers.

    It aims a little below τ, so that what it converges to is within.
    """

    rho: float  # the multiplier
    growth: float
    tau: float

    def __call__(self, gap: float) -> tuple[float, float, float]:
        """The price of a discrepancy with its first and second derivative."""
        slope = max(0.0, self.rho + self.growth * (gap - AIM * self.tau))
        return slope**2 / (2 * self.growth), slope, self.growth if slope > 0 else 0.0

    def updated(self, gap: float) -> Augmented:
        """Return the next multiplier."""
        return Augmented(self(gap)[1], self.growth, self.tau)


Price = Linear | Augmented


def best_of(found: Iterable[Penalized], tau: float) -> Penalized:
    """Return the search with most variation within τ, or where none is within τ, the one of least discrepancy."""
    return reduce(lambda old, new: _better(new, old, tau), found)


def _better(new: Penalized, old: Penalized, tau: float) -> Penalized:
    if new.discrepancy > tau:
        return new if new.discrepancy < old.discrepancy else old
    return new if old.discrepancy > tau or new.share > old.share else old


def _solver(
    C: np.ndarray, gap: Discrepancy, max_steps: int
) -> Callable[[np.ndarray, Price, float], tuple[np.ndarray, int]]:
    """Minimize −tr(VᵀCV) + price(gap(V)) over the Stiefel manifold from a start, up to a norm of the gradient."""
    try:
        import pymanopt
        from pymanopt.manifolds import Stiefel
        from pymanopt.optimizers import TrustRegions
    except ImportError:
        raise not_installed("mbf_pca", "pymanopt", "compare") from None

    def solve(V: np.ndarray, price: Price, accuracy: float) -> tuple[np.ndarray, int]:
        manifold = Stiefel(*V.shape)

        @pymanopt.function.numpy(manifold)
        def cost(U: np.ndarray) -> float:
            return float(-np.sum(U * (C @ U)) + price(gap(U)[0])[0])

        @pymanopt.function.numpy(manifold)
        def gradient(U: np.ndarray) -> np.ndarray:
            value, slope = gap(U)
            return -2 * (C @ U) + price(value)[1] * slope

        @pymanopt.function.numpy(manifold)
        def hessian(U: np.ndarray, H: np.ndarray) -> np.ndarray:
            value, slope = gap(U)
            _, first, second = price(value)
            curved = first * gap.hessian(U, H) if first else 0.0
            return -2 * (C @ H) + curved + second * np.sum(slope * H) * slope

        problem = pymanopt.Problem(manifold, cost, euclidean_gradient=gradient, euclidean_hessian=hessian)
        search: Any = TrustRegions(verbosity=0, max_iterations=max_steps, min_gradient_norm=accuracy, max_time=1e6)
        with np.errstate(divide="ignore", invalid="ignore"):  # its last step may be of no length, and it sees that
            found = search.run(problem, initial_point=V, maxinner=40)
        return np.asarray(found.point), int(found.iterations)

    return solve
