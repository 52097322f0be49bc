"""Fair PCA by maximum mean discrepancy on the Stiefel manifold (Lee et al. 2022)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import islice
from time import perf_counter
from typing import Any

import numpy as np

from fairstats.data.centered import centered, centered_by_group, rows_to_compare
from fairstats.data.centered_view import Centered, Scaling
from fairstats.data.design import Design
from fairstats.data.tables import Tabular
from fairstats.errors import ANNOUNCED, InputError, Setting, announce, listing, not_installed
from fairstats.errors import steps as steps_of
from fairstats.language import message
from fairstats.linalg.eigen import complement, fix_signs
from fairstats.linalg.matrices import median_bandwidth
from fairstats.methods.arguments import components
from fairstats.methods.fair_pca import similar_covariance
from fairstats.methods.results import Guarantee, Projection, checked, from_loadings
from fairstats.validation import Missing, between, random_seed, whole

# MMD² of projected groups with its derivatives, block by block, and the exact penalty method that uses them.


BLOCK = 1 << 20  # entries of the n × n kernel matrix that are formed at once
KEPT = 1 << 22  # entries up to which they are kept from one Hessian product to the next, in single precision
GROWTH, LOOSEST, STEPS = 2.0, 1e-1, 5  # of the penalty; accuracy of the first subproblem; subproblems to the last
REFINE, NEAR, AIM = 12, 0.9, 0.97  # multipliers; share of τ that is near enough, and that is aimed at


class Discrepancy:
    """Σ_c a_cᵀ K(V) a_c, K_ij = exp(−‖x_iV − x_jV‖²/2σ²): the sum of biased MMD²s of contrasts between groups.

    X: shape (n, p).
    A: a column a contrast: w_i/W on one side, −w_i/W on the other, shape (n, c).
    """

    def __init__(self, X: np.ndarray, A: np.ndarray, sigma: float) -> None:
        self.X, self.A = X / sigma, A  # no units: squares, in single precision too, neither overflow nor vanish
        self._at: bytes = b""
        self._kept: tuple[float, np.ndarray] = (0.0, X[:0])
        self._single: list[np.ndarray] = []

    def __call__(self, V: np.ndarray) -> tuple[float, np.ndarray]:
        """The value and its gradient (p × k); remembered until V changes."""
        key = V.tobytes()
        if key != self._at:
            self._at, self._kept = key, self._evaluate(V)
        return self._kept

    def hessian(self, V: np.ndarray, H: np.ndarray) -> np.ndarray:
        """Return the derivative of the gradient at V along H (p × k).

        Single precision: it steers the trust region, whose model is checked by values and gradients in double.
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

    Returns: of most variation among the subproblems' solutions within τ; of least discrepancy where none is.
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
        result = attempt(V, Linear(rho))
        V, best = result.V, _better(result, best, tau)
        if result.discrepancy <= tau and accuracy <= tolerance:
            break
        if result.discrepancy > tau:
            rho, outside = rho * GROWTH, V
        accuracy = max(tolerance, accuracy * (tolerance / LOOSEST) ** (1 / STEPS))
    if best.discrepancy < NEAR * tau:
        for start in (outside, best.V):
            V, price = start, Augmented(rho, rho / tau, tau)
            for _ in range(REFINE):
                result = attempt(V, price)
                V, best = result.V, _better(result, best, tau)
                if NEAR * tau <= best.discrepancy:
                    break
                price = price.updated(result.discrepancy)
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


def best_of(result: Iterable[Penalized], tau: float) -> Penalized:
    """Return the search with most variation within τ, or where none is within τ, the one of least discrepancy."""
    return reduce(lambda old, new: _better(new, old, tau), result)


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
            result = search.run(problem, initial_point=V, maxinner=40)
        return np.asarray(result.point), int(result.iterations)

    return solve


MOST_ROWS = 3000  # rows whose distances give the bandwidth
FAST, SLOW = (30, 120), (80, 700)  # values and Hessian products of a start, of 500 to 2000 rows, 5 and 30 features
START = 0.85  # share of directions that the start keeps, those along which the groups' covariances differ least


@checked("Raise tau, or ask for fewer components.")
def mbf_pca(
    X: Any,
    groups: Any,
    k: int = 2,
    *,
    data: Tabular | None = None,
    weights: Any = None,
    missing: Missing = "raise",
    scale: bool = False,
    tau: float = 1e-3,
    sigma: float | None = None,
    tolerance: float = 1e-3,
    n_init: int = 3,
    max_iter: int = 60,
    seed: int = 0,
) -> Projection:
    """Find components on which the groups' distributions are within τ of each other, as MMD² measures it.

    Parameters
    ----------
    X : array (n, p), table, column names or formula
        Rows are needed: the discrepancy is no function of moments.
    groups : column name(s) of ``data`` or labels (n,)
        Two levels, as in the paper, or more: each against all others, and the discrepancies are summed.
    k : int
        Number of components, 1 to p.
    tau : float
        Bound on the biased MMD² of the scores between groups, above 0.
    sigma : float, optional
        Of the kernel exp(−d²/2σ²); by default σ² is half the median squared distance of plain PCA's scores.
    data : table, optional
        Where column names and formulas are looked up.
    weights : str or array (n,), optional
        Relative, at least 0. Heavy rows are not repeated rows, which would be pairs at distance 0.
    missing : {"raise", "level", "drop"}
        Rows whose group is missing.
    scale : bool
        Divide by the standard deviation (ddof 1), as the authors do.
    tolerance : float
        Norm of the gradient at which the last subproblem ends; variation counts as a share of its total.
    n_init : int
        Starts of the search: fair PCA with similar covariances, fair PCA, plain PCA, then random ones; and where none
        of these ends within τ, one component with k − 1 directions of least variation, whose scores hardly differ.
    seed : int
        Of the random starts.
    max_iter : int
        Trust-region steps of one subproblem; fewer are faster and find less variation where τ is small.

    Returns
    -------
    Projection
        ``transform`` needs no group. ``diagnostics``: the MMD² reached, σ, the penalty, subproblems and steps.

    Raises
    ------
    InputError
        No groups, a continuous attribute, sparse rows, k out of range, tau or sigma not above 0.
    DependencyError
        pymanopt is not installed (the extra ``compare``).

    Warns
    -----
    FairstatsWarning
        No solution within τ was found: that of least MMD² is returned, and its guarantee says by how much it fails.

    Guarantees
    ----------
    The loadings are orthonormal, and the biased MMD² of the training scores is at most τ.

    Notes
    -----
    The penalty method is the paper's Algorithm 1 (REPMS), with trust regions on exact second derivatives for its
    subproblems, several starts, and an augmented Lagrangian at the end: the penalty finds only the solutions that are
    best for some price of discrepancy, and doubling it overshoots. The problem is not convex: more starts may find
    more variation. One search takes seconds for a thousand rows where τ is 1e-3, minutes where it is 1e-6 and k large.

    Time grows with n², memory does not: the kernel is formed block by block. A search that may take 20 seconds says on
    stderr how long before it begins. τ binds the training rows; on new ones the biased MMD² of even equal distributions
    is about 1/n_0 + 1/n_1, so τ below that asks for a fit to noise.

    References
    ----------
    Lee, Kim, Olfat, Hasegawa-Johnson & Yoo (2022), "Fast and efficient MMD-based fair PCA via optimization over Stiefel
    manifold", AAAI 36.

    Examples
    --------
    >>> import fairstats as fs
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> group = np.repeat(["a", "b"], 40)
    >>> X = rng.normal(size=(80, 3)) * [2, 1, 1] + 3 * (group == "b")[:, None] * [0, 1, 0]
    >>> fit = fs.comparators.mbf_pca(X, group, k=1, tau=0.05)
    >>> fit.diagnostics["mmd2"] <= 0.05, bool(abs(fit.loadings[1, 0]) < 0.2)
    (True, True)
    """
    for name, value in (("tau", tau), ("sigma", 1.0 if sigma is None else sigma), ("tolerance", tolerance)):
        between(name, value, 0, 1e100)
    design = X if isinstance(X, Design) else Design.of(X, groups, data=data, weights=weights, missing=missing)
    _check_design(design)
    design = rows_to_compare(design)
    view = centered(design, scale=scale)
    k = components(k, view)
    rows = _standard(view.scaling, design.X)
    plain = view.leading(k)[1]
    width = median_bandwidth(rows @ plain, MOST_ROWS, design.weights) if sigma is None else float(sigma)
    gap = Discrepancy(rows, _contrasts(design), width)
    C = (rows if design.weights is None else rows * design.weights[:, None]).T @ rows
    C /= np.trace(C) or 1.0
    began = perf_counter()
    gap(plain)
    of_value = perf_counter() - began
    gap.hessian(plain, plain)
    of_product = perf_counter() - began - of_value
    rho, count = 1 / max(gap(plain)[0], tau), whole("n_init", n_init, 1, 1000, "starts of the search")
    steps = whole("max_iter", max_iter, 1, 100_000, "steps of one subproblem")
    _say_how_long(design.n, count, *(count * (a * of_value + b * of_product) for a, b in (FAST, SLOW)))
    searches = (
        exact_penalty(C, gap, start, rho, float(tau), float(tolerance), steps)
        for start in steps_of("searches", islice(_starts(design, view, k, scale, random_seed(seed)), count), count)
    )
    result = best_of(searches, tau)
    if result.discrepancy > tau and (quiet := _least_variation(view, C, k)) is not None:
        # scores that hardly vary hardly differ; the search adds what variation it can, and may leave some as they are
        other = exact_penalty(C, gap, quiet, rho, float(tau), float(tolerance), steps)
        result = other if other.discrepancy <= tau else result
    turned = result.V @ np.linalg.eigh(result.V.T @ C @ result.V)[1][:, ::-1]
    return _projection(
        view,
        fix_signs(turned),
        result,
        width,
        {"k": k, "tau": float(tau), "sigma": sigma, "scale": scale, "n_init": count, "max_iter": steps},
    )


def _say_how_long(n: int, count: int, low: float, high: float) -> None:
    """Say before a long search how many seconds it may take, and what takes less."""
    if high < ANNOUNCED:
        return
    fewer = f", one start ({Setting('n_init', 1)}) 1/{count} of it" if count > 1 else ""
    unit, name = (60, "minutes") if high >= 120 else (1, "s")
    announce(
        f"mbf_pca compares all pairs of {n:,} rows, about {max(low / unit, 1):.0f} to {high / unit:.0f} {name}; "
        f"half of the rows take a quarter of the time{fewer}"
    )


def _check_design(design: Design) -> None:
    if design.groups is None:
        raise InputError("groups", "is missing; mbf_pca bounds the discrepancy between groups.")
    if design.groups.continuous_names:
        raise InputError(
            "groups",
            f"has a continuous attribute ({listing(design.groups.continuous_names)}), and mbf_pca compares "
            "groups; cut it into classes.",
        )
    if hasattr(design.X, "tocsr"):
        raise InputError("X", "is sparse, and mbf_pca needs all distances of its rows; pass a dense array.")


def _standard(scaling: Scaling, X: np.ndarray) -> np.ndarray:
    rows = X - scaling.center
    return np.asarray(rows if scaling.scale is None else rows / scaling.scale)


def _contrasts(design: Design) -> np.ndarray:
    """A column a contrast (n × c): weighted mean of a level less mean of all others; one where there are two levels."""
    assert design.groups is not None
    mass = np.ones(design.n) if design.weights is None else design.weights
    columns = []
    for factor in design.groups.factors:
        levels = range(1, 2) if len(factor.levels) == 2 else range(len(factor.levels))
        for level in levels:
            inside = factor.codes == level
            columns.append(np.where(inside, mass / mass[inside].sum(), -mass / mass[~inside].sum()))
    return np.array(columns).T


def _starts(design: Design, view: Centered, k: int, scale: bool, seed: int) -> Iterator[np.ndarray]:
    """Yield the starts of the search: equal means and similar covariances, equal means, plain PCA, then random ones."""
    left = design.p - view.mean_directions.shape[1]
    if k <= left:
        share = min(max(int(START * design.p), k), left)
        groups = centered_by_group(design, scale=scale)
        yield similar_covariance(groups, groups.mean_directions, k, share).U
        yield view.leading_outside(k, view.mean_directions)[1]
    yield view.leading(k)[1]
    rng = np.random.default_rng(seed)
    while True:
        yield np.linalg.qr(rng.normal(size=(design.p, k)))[0]


def _least_variation(view: Centered, C: np.ndarray, k: int) -> np.ndarray | None:
    """Among directions of equal means that of most variation and the k − 1 of least, p × k."""
    rest = complement(view.mean_directions)
    return None if k > rest.shape[1] else rest @ np.roll(np.linalg.eigh(rest.T @ C @ rest)[1], 1, axis=1)[:, :k]


def _projection(view: Centered, U: np.ndarray, result: Penalized, sigma: float, settings: dict[str, Any]) -> Projection:
    return from_loadings(
        view,
        U,
        method="mbf_pca",
        title="Fair PCA by maximum mean discrepancy (MbF-PCA)",
        guarantees=(
            Guarantee(message("loadings orthonormal: largest entry of |UᵀU − I|"), _off(U), 1e-10),
            Guarantee(message("MMD² of the scores between the groups"), result.discrepancy, settings["tau"]),
        ),
        settings=settings,
        notes=(
            f"Exact penalty: {result.subproblems} subproblems, {result.steps} trust-region steps; the last penalty is "
            f"{result.rho:.3g}. Kernel exp(-d²/2σ²) with σ = {sigma:.4g}. The problem is not convex: more starts may "
            "find more variation.",
        ),
        diagnostics={
            "mmd2": result.discrepancy,
            "sigma": sigma,
            "penalty": result.rho,
            "subproblems": result.subproblems,
            "steps": result.steps,
        },
    )


def _off(U: np.ndarray) -> float:
    return float(np.abs(U.T @ U - np.eye(U.shape[1])).max())
