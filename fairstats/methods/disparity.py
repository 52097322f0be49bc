"""Disparity-weighted PCA: reconstruction error traded against its difference between two groups, in closed form."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import optimize

from fairstats.data.centered import centered_by_group
from fairstats.data.centered_view import Centered, Spanned
from fairstats.data.moments import Moments
from fairstats.data.tables import Features, Labels, Tabular, Weights
from fairstats.errors import Call, InputError, listing, nearest, with_hint
from fairstats.labels import label
from fairstats.language import message
from fairstats.linalg.eigen import balance, fix_signs, top_eigen
from fairstats.methods.arguments import components, only_attribute
from fairstats.methods.crossfit import design_to_refit
from fairstats.methods.results import Components, Guarantee, LinearMap, Price, Projection, checked, from_loadings
from fairstats.validation import Missing, answering, between, flag, items, shown

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class _Problem:
    """Second moments of all, of the advantaged (A) and of the disadvantaged group (B)."""

    S: np.ndarray
    A: np.ndarray
    B: np.ndarray
    k: int

    def solve(self, lam: float) -> np.ndarray:
        """Return the minimizer of λ RE + (1 − λ)(RE_B − RE_A): leading eigenvectors of λS + (1 − λ)(S_B − S_A)."""
        return top_eigen(self.objective(lam), self.k)[1]

    def objective(self, lam: float) -> np.ndarray:
        """Return the matrix, p × p, of which the components are the leading eigenvectors."""
        return lam * self.S + (1 - lam) * (self.B - self.A)

    def disparity(self, U: np.ndarray) -> float:
        """Return RE_B − RE_A."""
        D = self.B - self.A
        return float(np.trace(D) - np.sum(U * (D @ U)))

    def error(self, M: np.ndarray, U: np.ndarray) -> float:
        """Return tr M − tr(UᵀMU)."""
        return float(np.trace(M) - np.sum(U * (M @ U)))


@checked()
@answering
def disparity_pca(
    X: Features,
    groups: Labels = None,
    k: int = 2,
    *,
    data: Tabular | None = None,
    weights: Weights = None,
    missing: Missing = "raise",
    scale: bool = False,
    lam: float | str,
    advantaged: str,
    disadvantaged: str,
    center: bool = True,
) -> Projection:
    """Find the components that trade reconstruction error against the extra error of a disadvantaged group.

    Minimizes ``λ RE(U) + (1 − λ)(RE_B(U) − RE_A(U))``; λ = 1 is PCA.

    Parameters
    ----------
    X : array (n, p), table, column names, formula or Moments (by cell)
    groups : column name of ``data`` or labels (n,)
    k : int
    lam : float in [0, 1], or "balance"
        "balance" finds where the two groups' errors are equal; where the difference jumps over zero, the eigenvectors
        tied there are rotated until it is zero.
    advantaged, disadvantaged : str
        Levels A and B.
    data, weights, missing, scale : as for ``og``
    center : bool
        False keeps the origin, as in the notes' worked example.

    Returns
    -------
    Projection
        New rows need no group. ``diagnostics``: λ, D = RE_B − RE_A, both errors.

    Raises
    ------
    InputError
        A level that does not occur, λ out of range, or D that no λ in [0, 1] brings to 0.

    Guarantees
    ----------
    No k-dimensional subspace has a smaller λ RE + (1 − λ)D.
    With "balance" the two groups' errors are equal.

    References
    ----------
    "Fair PCA via eigendecomposition" (notes).

    Examples
    --------
    >>> import numpy as np
    >>> import fairstats as fs
    >>> X = np.array([[2.0, 0], [3, 0], [4, 0], [0, 1], [0, 2], [0, 3]])
    >>> fit = fs.disparity_pca(X, list("aaabbb"), 1, lam="balance", advantaged="a", disadvantaged="b", center=False)
    >>> round(fit.diagnostics["lam"], 6), round(fit.diagnostics["errors"]["b"], 3)
    (0.851485, 3.147)
    """
    center = flag("center", center)
    view = centered_by_group(X, groups, data=data, weights=weights, missing=missing, scale=scale, spanned=center)
    problem, present = _problem(view, components(k, view), advantaged, disadvantaged, center)
    if isinstance(lam, str) and lam == "balance":
        value, U = _balanced(problem, advantaged, disadvantaged)
    else:
        value = _share(lam)
        U = problem.solve(value)
    settings = {
        "k": k,
        "scale": scale,
        "lam": lam,
        "advantaged": advantaged,
        "disadvantaged": disadvantaged,
        "center": center,
    }
    return _projection(view, problem, present, value, U, settings)


@answering
def disparity_path(
    fit: Projection, X: Any, groups: Any = None, *, data: Tabular | None = None, weights: Any = None, lams: Any = None
) -> pd.DataFrame:
    """Fit a ``disparity_pca`` again for each λ: its reconstruction error RE and the disparity D of the two groups.

    Parameters
    ----------
    fit : Projection
    X, groups, data, weights : as in the fit
        Groups are those of the fit where a table holds them; a weighted fit needs its weights again.
    lams : array, optional
        Default: 101 values from 0 to 1.

    Returns
    -------
    pandas.DataFrame
        Columns lam, error, error_advantaged, error_disadvantaged, disparity.

    Raises
    ------
    InputError
        No groups; weights where the fit had none, or none where it had some.

    References
    ----------
    "Fair PCA via eigendecomposition" (notes), as for ``disparity_pca``.

    Examples
    --------
    >>> import numpy as np
    >>> import fairstats as fs
    >>> X = np.array([[2.0, 0], [3, 0], [4, 0], [0, 1], [0, 2], [0, 3]])
    >>> fit = fs.disparity_pca(X, list("aaabbb"), 1, lam=0.5, advantaged="a", disadvantaged="b", center=False)
    >>> fs.disparity_path(fit, X, list("aaabbb"), lams=[0.0, 1.0])[["lam", "error"]].round(1).to_numpy().tolist()
    [[0.0, 4.8], [1.0, 2.3]]
    """
    import pandas as pd

    if not isinstance(fit, Projection) or fit.method != "disparity_pca":
        raise InputError(
            "fit", f"has {shown(fit)}; the path is of disparity_pca; pass what {Call('disparity_pca')} gave."
        )
    every = np.linspace(0, 1, 101) if lams is None else items("lams", lams, "numbers")
    shares = [_share(lam, "lams") for lam in every]
    s = fit.settings
    if isinstance(X, Moments):
        if X.weighted != fit.scaling.weighted:
            one, other = ("weighted", "not") if X.weighted else ("not weighted", "weighted")
            raise InputError("X", f"is moments that are {one}, and the fit was {other}; pass those of the fit.")
        view = centered_by_group(X, groups, scale=s["scale"])
    else:
        use = "the path is of the errors of two of them"
        design = design_to_refit(fit, X, groups, data, weights, use=use)
        view = centered_by_group(design, scale=s["scale"], spanned=s["center"])
    problem, _ = _problem(view, fit.k, s["advantaged"], s["disadvantaged"], s["center"])
    rows = []
    for lam in shares:
        U = problem.solve(lam)
        rows.append(
            {
                "lam": lam,
                "error": problem.error(problem.S, U),
                "error_advantaged": problem.error(problem.A, U),
                "error_disadvantaged": problem.error(problem.B, U),
                "disparity": problem.disparity(U),
            }
        )
    return pd.DataFrame(rows)


def _problem(view: Centered, k: int, advantaged: str, disadvantaged: str, center: bool) -> tuple[_Problem, Spanned]:
    present = view.moments_within_span(only_attribute(view, "disparity_pca"))
    _, levels, mass, means, within = present[:5]
    for argument, level in (("advantaged", advantaged), ("disadvantaged", disadvantaged)):
        if label(level) not in levels:
            raise InputError(
                argument,
                with_hint(
                    "is not a level of groups",
                    nearest(label(level), levels),
                    f"it has {listing(levels)}.",
                ),
                value=level,
            )
    if label(advantaged) == label(disadvantaged):
        raise InputError(f"advantaged and disadvantaged are both {advantaged!r}; name two levels.")
    about = means
    if not center:  # the view is then of the features themselves
        about = means + (
            view.scaling.center if view.scaling.scale is None else view.scaling.center / view.scaling.scale
        )
    moments = within + np.einsum("gi,gj->gij", about, about)
    S = np.tensordot(mass / mass.sum(), moments, axes=1)
    return _Problem(
        S, moments[levels.index(label(advantaged))], moments[levels.index(label(disadvantaged))], k
    ), present


def _share(lam: Any, argument: str = "lam") -> float:
    return between(argument, lam, 0, 1, 'pass one, or "balance"', ends="[]")


def _balanced(problem: _Problem, advantaged: str, disadvantaged: str) -> tuple[float, np.ndarray]:
    """λ and U with D = 0; D grows with λ, and may jump over 0."""

    def difference(lam: float) -> float:
        return problem.disparity(problem.solve(lam))

    low, high = difference(0.0), difference(1.0)
    if high == 0:
        return 1.0, problem.solve(1.0)
    if low > 0 or high < 0:
        reversed_ = replace(problem, A=problem.B, B=problem.A)
        if high < 0 and reversed_.disparity(reversed_.solve(0.0)) <= 0:
            hint = f"{advantaged!r} is the one that loses more; swap the two"
        else:  # the least difference that any components have is above zero, one way or the other
            hint = f"no fit with k = {problem.k} has equal errors; pass another k, or a number for lam"
        raise InputError(
            "lam",
            f"has 'balance', which has no solution: the difference of errors runs from {low:.6g} (λ = 0) to {high:.6g} "
            f"(λ = 1) and is never 0; {hint}.",
        )
    lam = float(optimize.brentq(difference, 0.0, 1.0, xtol=1e-15, rtol=8.9e-16))
    left, right, step = lam, lam, 4e-16
    while difference(left) > 0 and left > 0:
        left, step = max(left - step, 0.0), 4 * step
    step = 4e-16
    while difference(right) < 0 and right < 1:
        right, step = min(right + step, 1.0), 4 * step
    U = balance(problem.solve(left), problem.solve(right), problem.disparity)
    # A point of a path of subspaces has no axes of its own: the objective's, as those of any other λ are.
    return lam, fix_signs(U @ top_eigen(U.T @ problem.objective(lam) @ U, problem.k)[1])


BALANCED = 1e-9  # of a group's sum of squares: a smaller difference of errors is rounding


def _beside(difference: float, other: Any, size: float) -> str:
    """How a group's error stands beside another's; a difference of nothing but rounding is none."""
    if abs(difference) <= BALANCED * size:
        return f"as much as {other}"
    return f"{abs(difference):.6g} {'less' if difference < 0 else 'more'} than {other}"


def _projection(
    view: Centered, problem: _Problem, present: Spanned, lam: float, U: np.ndarray, settings: dict[str, Any]
) -> Projection:
    weight = float(present.weights.sum())
    energy = weight * np.einsum("pk,pk->k", U, problem.S @ U)
    total = weight * float(np.trace(problem.S))
    plain = weight * float(top_eigen(problem.S, problem.k)[0].sum())
    D = problem.disparity(U)
    A, B = settings["advantaged"], settings["disadvantaged"]
    size = max(float(np.trace(problem.A)), float(np.trace(problem.B))) or 1.0
    M = problem.objective(lam)
    short = float(top_eigen(M, problem.k)[0].sum() - np.sum(U * (M @ U))) / size
    guarantees = [
        Guarantee(
            message("objective above its minimum, relative to the larger group's sum of squares"), max(short, 0.0), 1e-9
        )
    ]
    if settings["lam"] == "balance":
        guarantees.append(
            Guarantee(message("difference of the two groups' errors, relative to the same"), abs(D) / size, BALANCED)
        )
    center = view.scaling.center if settings["center"] else np.zeros_like(view.scaling.center)
    scaling = view.scaling if settings["center"] else replace(view.scaling, center=center)
    V = top_eigen(problem.S, problem.k)[1]
    errors = {label(A): problem.error(problem.A, U), label(B): problem.error(problem.B, U)}
    note = (
        f"λ = {lam:.6g}: {B} loses {_beside(D, A, size)} on average; with plain PCA "
        f"{_beside(problem.disparity(V), A, size)}."
    )
    U, V = present.directions(U), present.lifted(V)
    return from_loadings(
        view,
        U,
        method="disparity_pca",
        title="Disparity-weighted PCA",
        linear=LinearMap(weights=U, loadings=U, origin=center),
        components=Components(energy, np.full(problem.k, np.nan)),
        price=Price(total=total, error=total - float(energy.sum()), pca_error=total - plain),
        scaling=scaling,
        pca=V,
        guarantees=tuple(guarantees),
        settings=settings,
        notes=(note,),
        diagnostics={
            "lam": lam,
            "disparity": D,
            "errors": errors,
        },
    )
