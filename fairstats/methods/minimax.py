"""Minimax fair PCA: the subspace whose largest excess loss over groups is smallest (Samadi et al. 2018)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from fairstats.data.centered import centered_by_group
from fairstats.data.centered_view import Centered, Pairs, Spanned
from fairstats.data.tables import Features, Labels, Tabular, Weights
from fairstats.errors import InputError, Setting, in_code, listing
from fairstats.language import message
from fairstats.linalg.eigen import fix_signs, top_eigen
from fairstats.methods import minimax_solvers
from fairstats.methods.arguments import components, only_attribute
from fairstats.methods.minimax_solvers import Minimax, Spaces, Step, grown
from fairstats.methods.results import Components, Guarantee, LinearMap, Price, Projection, checked, from_loadings
from fairstats.text import significant
from fairstats.validation import Missing, between, flag, one_of, shown, whole

STEPS, RATE = 100, 1.0  # T and η of the multiplicative weights


def _multiplicative(
    S: np.ndarray, sigma: np.ndarray, k: int, max_iter: int = STEPS, learning_rate: float = RATE
) -> Minimax:
    """The better of their average and last iterate."""
    ends = minimax_solvers.multiplicative_weights(S, sigma, k, max_iter, learning_rate)
    return min(ends, key=lambda m: minimax_solvers.losses(S, sigma, m.vectors, m.fractions).max())


SOLVERS: dict[str, Callable[..., Minimax]] = {
    "dual": minimax_solvers.dual,
    "mw": _multiplicative,
    "sdp": minimax_solvers.semidefinite,
}


def _best_by_group(spaces: Spaces, k: int) -> np.ndarray:
    return np.array([spaces.at(one, k)[0].sum() for one in np.eye(len(spaces.S))])


# What each group's kept variation tr(UᵀS_gU) is taken from (G,): its own best, all of it, or the same for every group.
OBJECTIVES: dict[str, Callable[[Spaces, int], np.ndarray]] = {
    "loss": _best_by_group,
    "error": lambda spaces, k: np.trace(spaces.S, axis1=1, axis2=2),
    "variance": lambda spaces, k: np.full(len(spaces.S), _best_by_group(spaces, k).max()),
    "nash": lambda spaces, k: np.full(len(spaces.S), _best_by_group(spaces, k).max()),
}
OF_VARIANCE = ("variance", "nash")


@checked()
def minimax_pca(
    X: Features,
    groups: Labels = None,
    k: int = 2,
    *,
    data: Tabular | None = None,
    weights: Weights = None,
    missing: Missing = "raise",
    scale: bool = False,
    center_by: Literal["group", "overall"] = "group",
    objective: Literal["loss", "error", "variance", "nash"] = "loss",
    solver: Literal["dual", "mw", "sdp"] = "dual",
    max_iter: int | None = None,
    learning_rate: float | None = None,
    nested: bool = False,
) -> Projection:
    """Find the k components that make the largest loss of a group as small as it can be.

    The loss of group g is what it loses against its own best subspace: ``RE_g(U) − min_V RE_g(V)``.

    Parameters
    ----------
    X : array (n, p), sparse matrix, table, column names, formula or Moments (by cell)
    groups : column name of ``data`` or labels (n,)
        One attribute; ``"sex:race"`` for an intersection.
    k : int
        Dimensions, 1 to min(n, p).
    data, weights, missing, scale : as for ``og``
    center_by : {"group", "overall"}
        Each group about its own mean (the authors' experiments; new rows need their group), or all about one.
    objective : {"loss", "error", "variance", "nash"}
        What is made even: a group's error beyond that of its own best components (Samadi et al.), its error, or the
        variation kept of it (MM-Var of Tantipongpipat et al.: the least is made as large as can be). "nash" makes the
        product of what is kept of the groups as large as can be (their Nash social welfare), whatever their units.
    solver : {"dual", "mw", "sdp"}
        The exact dual; multiplicative weights or a semidefinite program (cvxpy) as cross-checks, not of "nash".
    max_iter, learning_rate : int, float, optional
        Of ``solver="mw"``: how many steps, T in Samadi et al., 100 by default; and η, by which losses are multiplied
        before they become weights, 1 by default: it is in units of one over a loss.
    nested : bool
        Find one component after the other, each the best for the group that loses most by it given those before
        (Matakos, Ciaperoni & Mannila 2025): the first k of more components are then those of k. With "error" what a
        group has lost so far is made even. For ``solver="dual"`` and the objectives "loss" and "error".

    Returns
    -------
    Projection
        ``diagnostics``: losses by group (errors; or, of variances, how far each is below the largest that any could
        have), the dual weights and bound, the gap; of nested components ``steps`` with the same for each. With more
        than two groups the optimum may be fractional: then r > k components are kept, shrunk by 1 − √(1 − λ_j), and
        the notes say so.

    Raises
    ------
    InputError
        Several or continuous attributes, k out of range, a solver that is not known or not for this objective, a group
        whose rows do not vary with "nash", ``nested`` with another solver or objective.

    Guarantees
    ----------
    No representation of that rank, fractional ones included, has a smaller largest loss: the dual bound shows it.
    With another objective the same holds of the largest error, of the shortfall of the least variance, or of the
    product of the variances.
    Nested, this holds of each component among the directions orthogonal to those before, with two groups; with more the
    distance from the bound is printed.
    With two groups the solution is a subspace, and the losses are equal unless one group's own best serves both.
    With G groups at most k + ⌊√(2G + 1/4) − 3/2⌋ components are used (not by "mw", which is approximate).

    References
    ----------
    Samadi, Tantipongpipat, Morgenstern, Singh & Vempala (2018), NeurIPS; Tantipongpipat et al. (2019), NeurIPS (rank);
    Shen, Davis, Lu & Bai (2025) (hidden convexity for two groups); Matakos, Ciaperoni & Mannila (2025), "Fair PCA, one
    component at a time", arXiv:2503.21563 (nested).

    Examples
    --------
    >>> import numpy as np
    >>> import fairstats as fs
    >>> X = np.array([[2.0, 0, 0], [-2, 0, 0], [0, 0, 2], [0, 0, -2]])
    >>> fit = fs.minimax_pca(X, ["a", "a", "b", "b"], k=1)
    >>> [round(v, 9) for v in fit.diagnostics["losses"].values()]
    [2.0, 2.0]
    """
    one_of("solver", solver, SOLVERS)
    one_of("center_by", center_by, ("group", "overall"))
    one_of("objective", objective, OBJECTIVES)
    more = _solver_arguments(objective, solver, max_iter, learning_rate)
    if flag("nested", nested) and (solver != "dual" or objective not in ("loss", "error")):
        raise InputError(
            "nested",
            f"has {in_code(True)}, objective {objective!r} and solver {solver!r}; it goes with "
            f"{Setting('solver', 'dual')} and the objectives 'loss' and 'error'; leave one out.",
        )
    options: dict[str, Any] = {"data": data, "weights": weights, "missing": missing, "scale": scale}
    view = centered_by_group(X, groups, **options, spanned=True, products=objective != "nash" and not nested)
    k = components(k, view)
    attribute, about_group_mean = only_attribute(view, "minimax_pca"), center_by == "group"

    def moments(valid: Spanned) -> tuple[Spaces, np.ndarray]:
        S, means = valid.covariances, valid.means
        S = S if about_group_mean else S + np.einsum("gi,gj->gij", means, means)
        spaces = Spaces(S)
        return spaces, OBJECTIVES[objective](spaces, k) + (valid.outside if objective == "error" else 0.0)

    products = None if objective == "nash" or nested else view.group_products
    present = view.moments_within_span(attribute) if products is None else grown(products, k, about_group_mean, moments)
    spaces, sigma = moments(present)
    S = spaces.S
    plain = spaces.at(present.weights, k)  # PCA's, which are a good start too
    if solver == "dual":
        more["spaces"] = spaces
    result = _nash(S, k, present.levels) if objective == "nash" else SOLVERS[solver](S, sigma, k, **more)
    if products is not None:  # the bound of all features, not only of the directions that were kept
        kept = products.leading(result.dual, k, about_group_mean)[0].sum()
        result = replace(result, bound=float(result.dual @ sigma - kept))
    steps: list[Step] = []
    if nested:
        vectors, steps = minimax_solvers.nested(S, k, objective == "error")
        result = replace(result, vectors=vectors, fractions=np.ones(k))
    settings: dict[str, Any] = {
        "scale": scale,
        "center_by": center_by,
        "objective": objective,
        "solver": solver,
        "k": k,
        **({"nested": True} if nested else {}),
    }
    settings |= {"max_iter": max_iter, "learning_rate": learning_rate}
    return _projection(view, k, present, S, sigma, result, steps, plain, settings)


def _solver_arguments(objective: str, solver: str, max_iter: Any, learning_rate: Any) -> dict[str, Any]:
    """Further arguments of the solver, where it has any."""
    if objective == "nash" and solver != "dual":
        raise InputError(
            f"solver has {in_code(solver)}, and {Setting('objective', 'nash')} is solved by {in_code('dual')} only; "
            "leave solver out."
        )
    given = {
        name: value for name, value in (("max_iter", max_iter), ("learning_rate", learning_rate)) if value is not None
    }
    if solver != "mw" and given:
        name, value = next(iter(given.items()))
        raise InputError(f"{name} has {shown(value)}; it goes with {Setting('solver', 'mw')} only; leave it out.")
    if "max_iter" in given:
        given["max_iter"] = whole("max_iter", max_iter, 1, 1_000_000, "steps of the multiplicative weights")
    if "learning_rate" in given:
        given["learning_rate"] = between("learning_rate", learning_rate, 0, math.inf, "pass one, such as 1")
    return given


def _nash(S: np.ndarray, k: int, levels: Sequence[str]) -> Minimax:
    sizes = np.trace(S, axis1=1, axis2=2)
    flat = [level for level, size in zip(levels, sizes, strict=True) if size <= 1e-14 * sizes.max()]
    if flat:
        raise InputError(
            "groups",
            f"has {listing(flat)}, whose rows do not vary, so that every product of variances is 0; leave the "
            f"group out, or use {Setting('objective', 'loss')}.",
        )
    return minimax_solvers.nash(S, k)


def _projection(
    view: Centered,
    k: int,
    present: Spanned,
    S: np.ndarray,
    sigma: np.ndarray,
    result: Minimax,
    steps: list[Step],
    best: Pairs,
    settings: dict[str, Any],
) -> Projection:
    pooled = np.tensordot(present.weights, S, axes=1)
    U, lam = (result.vectors, result.fractions) if steps else _principal(result, pooled)
    lost = minimax_solvers.losses(S, sigma, U, lam)
    plain, V = best
    plain_lost = minimax_solvers.losses(S, sigma, V)
    energy = np.einsum("pk,pk->k", U, pooled @ U)
    total = float(np.trace(pooled) + np.sum(present.weights * present.outside))
    grouped = settings["center_by"] == "group"
    # (x − m_g) = (x − μ) − (z − z̄)M with M the differences of the group means to the first one.
    means = present.lifted(present.means.T).T
    M = (means[1:] - means[0])[list(view.encoding.kept)] if grouped else None
    guarantees, gap = _promises(sigma, lost, result, settings)
    if steps:
        guarantees = _promises_of_steps(steps, sigma)
    fractional = bool((lam < 1).any())
    by_level = {name: float(v) for name, v in zip(present.levels, lost, strict=True)}
    notes = _notes(sigma, by_level, plain_lost, settings["objective"], grouped)
    if steps:
        notes.append(_price_of_nesting(steps, gap, total / float(present.weights.sum())))
    if fractional:
        notes.append(
            f"The optimum is fractional: {U.shape[1]} components stand for k = {k}, each shrunk by 1 − √(1 − λ)."
        )
    if grouped:
        notes.append("Every group is centered at its own training mean; new rows need their group.")
    U, V = present.directions(U), present.lifted(V)
    shrunk = U * (1 - np.sqrt(1 - np.minimum(lam, 1.0)))
    added = None if M is None else M @ U
    return from_loadings(
        view,
        shrunk,
        method="minimax_pca",
        title="Minimax fair PCA",
        linear=LinearMap(weights=U, loadings=shrunk, origin=view.scaling.center, coefficients=added, group_means=M),
        components=Components(energy, np.full(len(lam), np.nan)),
        price=Price(
            total=total,
            error=total - float(lam @ energy),
            pca_error=total - float(np.maximum(plain, 0).sum()),
        ),
        pca=V,
        guarantees=tuple(guarantees),
        settings=settings,
        notes=tuple(notes),
        diagnostics={
            "losses": by_level,
            "pca_losses": {n: float(v) for n, v in zip(present.levels, plain_lost, strict=True)},
            "dual": result.dual,
            "bound": result.bound,
            "gap": gap,
            "fractions": lam,
            "dimension": k,
            "iterations": result.iterations,
            **({"steps": [step._asdict() for step in steps]} if steps else {}),
        },
    )


def _promises_of_steps(steps: list[Step], sigma: np.ndarray) -> list[Guarantee]:
    """Of two groups: a single direction need not reach the bound of mixtures where there are more."""
    if len(sigma) > 2:
        return []
    above = max(float(step.losses.max()) - step.bound for step in steps) / max(float(sigma.max()), 1e-300)
    text = message("largest loss of a component above its dual bound, relative to the largest sum of squares")
    return [Guarantee(text, max(above, 0.0), 1e-8)]


def _solid(value: float) -> float:
    """0 for what is nothing but rounding."""
    return value if value > 1e-8 else 0.0


def _price_of_nesting(steps: list[Step], gap: float, variation: float) -> str:
    share = significant(_solid(100 * gap / variation) if variation > 0 else 0.0, 2)
    apart = max(float(step.losses.max()) - step.bound for step in steps)
    return (
        f"The components are nested: those of a smaller k are the first of these. Their largest loss is {share}% of "
        f"the mean square of a row above the least that as many could have. One component is at "
        f"most {significant(_solid(apart), 2)} above the bound of its step."
    )


def _promises(
    sigma: np.ndarray, lost: np.ndarray, result: Minimax, settings: dict[str, Any]
) -> tuple[list[Guarantee], float]:
    """The checks against the bound, and how far the fit is from it (of the product of variances: relative)."""
    size, G = max(float(sigma.max()), np.finfo(float).tiny), len(lost)
    exact = 1e-6 if G > 2 else 1e-8
    if settings["objective"] == "nash":
        gap = float(np.expm1(max(result.bound - float(np.log(sigma - lost).sum()), 0.0) / G))
        return [Guarantee("geometric mean of the variances kept below its bound, relative", gap, exact)], gap
    gap = float(lost.max() - result.bound)
    above = message("largest loss above the dual bound, relative to the largest sum of squares")
    promises = [Guarantee(above, max(gap, 0.0) / size, exact)]
    if G == 2 and np.all(result.dual > 1e-9) and settings["solver"] == "dual":
        apart = message("difference of the two groups' losses, relative to the same")
        promises.append(Guarantee(apart, float(abs(lost[0] - lost[1]) / size), 1e-8))
    return promises, gap


def _notes(sigma: np.ndarray, lost: dict[str, float], plain: np.ndarray, objective: str, grouped: bool) -> list[str]:
    """What is reached of the objective, beside what plain components of the same number reach."""
    values = np.array(list(lost.values()))
    ours, theirs, what = values.max(), plain.max(), f"Largest {objective}"
    if objective in OF_VARIANCE:
        ours, theirs, what = sigma[0] - ours, sigma[0] - theirs, "Least variance kept of a group"
    # The largest losses mostly tie: which of them rounding puts first says nothing.
    worst = ", ".join(name for name, value in lost.items() if value >= values.max() - 1e-6 * sigma.max())
    other = "PCA of the same k, each group about its own mean," if grouped else "PCA of the same k"
    notes = [f"{what} {significant(ours, 6)} ({worst}); with {other} {significant(theirs, 6)}."]
    if objective == "nash":
        mean, kept = (float(np.exp(np.mean(np.log(np.maximum(sigma - v, 1e-300))))) for v in (values, plain))
        notes.append(
            f"The geometric mean of the groups' variances kept is {significant(mean, 6)}; with {other} "
            f"{significant(kept, 6)}."
        )
    return notes


def _principal(result: Minimax, pooled: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The whole directions turned to their own principal axes: a subspace has no other order of its own."""
    whole = result.fractions >= 1
    if not whole.any():
        return result.vectors, result.fractions
    V = result.vectors[:, whole]
    turn = top_eigen(V.T @ pooled @ V, V.shape[1])[1]
    return np.hstack([fix_signs(V @ turn), result.vectors[:, ~whole]]), np.r_[
        result.fractions[whole], result.fractions[~whole]
    ]
