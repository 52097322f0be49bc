"""Fair PCA by maximum mean discrepancy on the Stiefel manifold (Lee et al. 2022)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np

from fairstats.arguments import between, random_seed, whole
from fairstats.choices import Missing
from fairstats.data.centered import Centered, centered, centered_by_group, rows_to_compare
from fairstats.data.columns import Tabular
from fairstats.data.design import Design
from fairstats.data.scaling import Scaling
from fairstats.errors import InputError, listing
from fairstats.linalg.bandwidth import median_bandwidth
from fairstats.linalg.eigen import complement, fix_signs
from fairstats.methods.parts.limits import components
from fairstats.methods.results.checking import checked
from fairstats.methods.results.from_loadings import from_loadings
from fairstats.methods.results.guarantee import Guarantee
from fairstats.methods.results.projection import Projection
from fairstats.methods.solvers.fair_covariance import similar_covariance
from fairstats.methods.solvers.mbf_solver import Discrepancy, Penalized, best_of, exact_penalty

MOST_ROWS = 3000  # rows whose distances give the bandwidth
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
    starts: int = 3,
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
    starts : int
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

    Time grows with n², memory does not: the kernel is formed block by block. τ binds the training rows; on new ones the
    biased MMD² of even equal distributions is about 1/n_0 + 1/n_1, so τ below that asks for a fit to noise.

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
    _judge(design)
    design = rows_to_compare(design)
    view = centered(design, scale=scale)
    k = components(k, view)
    rows = _standard(view.scaling, design.X)
    plain = view.leading(k)[1]
    width = median_bandwidth(rows @ plain, MOST_ROWS, design.weights) if sigma is None else float(sigma)
    gap = Discrepancy(rows, _contrasts(design), width)
    C = (rows if design.weights is None else rows * design.weights[:, None]).T @ rows
    C /= np.trace(C) or 1.0
    rho, count = 1 / max(gap(plain)[0], tau), whole("starts", starts, 1, 1000, "starts of the search")
    steps = whole("max_iter", max_iter, 1, 100_000, "steps of one subproblem")
    searches = (
        exact_penalty(C, gap, start, rho, float(tau), float(tolerance), steps)
        for start in islice(_starts(design, view, k, scale, random_seed(seed)), count)
    )
    found = best_of(searches, tau)
    if found.discrepancy > tau and (quiet := _least_variation(view, C, k)) is not None:
        # scores that hardly vary hardly differ; the search adds what variation it can, and may leave some as they are
        other = exact_penalty(C, gap, quiet, rho, float(tau), float(tolerance), steps)
        found = other if other.discrepancy <= tau else found
    turned = found.V @ np.linalg.eigh(found.V.T @ C @ found.V)[1][:, ::-1]
    return _projection(
        view,
        fix_signs(turned),
        found,
        width,
        {"k": k, "tau": float(tau), "sigma": sigma, "scale": scale, "starts": count, "max_iter": steps},
    )


def _judge(design: Design) -> None:
    if design.groups is None:
        raise InputError("groups is missing; mbf_pca bounds the discrepancy between groups.")
    if design.groups.continuous_names:
        raise InputError(
            f"groups has a continuous attribute ({listing(design.groups.continuous_names)}), and mbf_pca compares "
            "groups; cut it into classes."
        )
    if hasattr(design.X, "tocsr"):
        raise InputError("X is sparse, and mbf_pca needs all distances of its rows; pass a dense array.")


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


def _projection(view: Centered, U: np.ndarray, found: Penalized, sigma: float, settings: dict[str, Any]) -> Projection:
    return from_loadings(
        view,
        U,
        method="mbf_pca",
        title="Fair PCA by maximum mean discrepancy (MbF-PCA)",
        guarantees=(
            Guarantee("loadings orthonormal: largest entry of |UᵀU − I|", _off(U), 1e-10),
            Guarantee("MMD² of the scores between the groups", found.discrepancy, settings["tau"]),
        ),
        settings=settings,
        notes=(
            f"Exact penalty: {found.subproblems} subproblems, {found.steps} trust-region steps; the last penalty is "
            f"{found.rho:.3g}. Kernel exp(-d²/2σ²) with σ = {sigma:.4g}. The problem is not convex: more starts may "
            "find more variation.",
        ),
        diagnostics={
            "mmd2": found.discrepancy,
            "sigma": sigma,
            "penalty": found.rho,
            "subproblems": found.subproblems,
            "steps": found.steps,
        },
    )


def _off(U: np.ndarray) -> float:
    return float(np.abs(U.T @ U - np.eye(U.shape[1])).max())
