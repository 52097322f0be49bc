"""SOG: sparse loadings, scores orthogonal to the groups (Aliverti et al. 2021, Algorithm 1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from fairstats.data.centered import by_rows_beside_groups, centered
from fairstats.data.centered_view import Centered
from fairstats.data.design import Design
from fairstats.data.moments import Moments
from fairstats.data.tables import Features, Labels, Tabular, Weights
from fairstats.errors import InputError, warn
from fairstats.language import message
from fairstats.linalg.eigen import fix_signs
from fairstats.linalg.matrices import l1_sphere
from fairstats.linalg.subspace import Deflation
from fairstats.methods.arguments import LINEAR, components, shift_notes
from fairstats.methods.crossfit import counted_folds
from fairstats.methods.results import Components, Guarantee, LinearMap, Price, Projection, checked, from_loadings
from fairstats.validation import Missing, answering, between, items, number, random_seed, renamed_arguments, whole

if TYPE_CHECKING:
    import pandas as pd


# One sparse component: the direction of bounded ℓ1 norm along which an operator is largest.


SINGLE_STARTS = 5
TRIAL_STEPS = 25  # steps after which only the best starts go on
CLIMBS = 2  # so many of them
SETTLED = 8  # steps without a change of the entries that are not 0, after which Newton's method is tried
LARGEST_SYSTEM = 400  # entries up to which it is


@dataclass(frozen=True)
class SparseComponent:
    """A unit vector u with ‖u‖₁ ≤ t, its image Cu, uᵀCu, and how it was found."""

    u: np.ndarray
    image: np.ndarray
    d2: float
    iterations: int
    converged: bool
    objective: np.ndarray  # after every step


def sparse_component(operator: Deflation, t: float, tolerance: float, max_iter: int) -> SparseComponent:
    """Maximize uᵀCu over ‖u‖₂ ≤ 1, ‖u‖₁ ≤ t by u ← S_θ(Cu)/‖·‖ from several starts.

    operator: C (p × p), positive semi-definite.

    Starts are the leading eigenvector and the five best single columns, all at once for 25 steps. Then the steps of the
    best two are lengthened along the last move (Nesterov's momentum) as long as the objective does not fall; where it
    would, a plain step is taken, which never lets it fall. Once the entries that are not 0 stay the same, Newton's
    method on the stationary equations of these entries jumps to the end; what it finds is taken only where it is a
    local maximum by its first and second derivatives and no lower. The end is a fixed point of the plain step.
    """
    diagonal = operator.diagonal
    best = np.argsort(-diagonal, kind="stable")[:SINGLE_STARTS]
    singles = np.zeros((len(diagonal), len(best)))
    singles[best, np.arange(len(best))] = 1.0
    U = np.hstack([l1_sphere(operator.leading(), t), singles])
    active = np.arange(U.shape[1])
    traces: list[list[float]] = [[] for _ in active]
    for _ in range(min(TRIAL_STEPS, max_iter)):
        image = operator.times(U[:, active])
        for a, value in zip(active.tolist(), np.einsum("pb,pb->b", U[:, active], image).tolist(), strict=True):
            traces[a].append(value)
        moved = _step(U[:, active], image, t)
        change = np.linalg.norm(moved - U[:, active], axis=0)
        U[:, active] = moved
        active = active[change > tolerance]
        if not len(active):
            break
    values = np.array([trace[-1] for trace in traces])
    ends: list[SparseComponent] = []
    for j in np.argsort(-values.round(_digits(values)), kind="stable"):
        if len(ends) < CLIMBS and all(abs(end.u @ U[:, j]) < 1 - 1e-6 for end in ends):
            ends.append(_end(operator, t, U[:, j], traces[j], j not in active, tolerance, max_iter))
    # Ends that are equal but for rounding: the first start decides, so that results do not hang on it.
    highest = max(end.d2 for end in ends)
    return next(end for end in ends if end.d2 >= highest - 1e-12 * abs(highest))  # below 0 where all is rounding


def _digits(values: np.ndarray) -> int:
    """Decimal places that leave twelve digits of the largest."""
    return 12 - int(np.ceil(np.log10(max(float(values.max()), 1e-280))))


def _end(
    operator: Deflation, t: float, u: np.ndarray, trace: list[float], done: bool, tolerance: float, max_iter: int
) -> SparseComponent:
    """Where one start ends that has come to u, along the objectives of ``trace``."""
    trace, image = list(trace), operator.times(u[:, None])[:, 0]
    if not done:
        climb = _Climb(operator, t, u, image)
        for change in climb.steps(max_iter - len(trace)):
            trace.append(climb.value)
            if change <= tolerance:
                done = True
                break
        u, image = climb.u, climb.image
    sign = 1.0 if fix_signs(u[:, None])[:, 0] @ u > 0 else -1.0
    return SparseComponent(sign * u, sign * image, float(u @ image), len(trace), done, np.array(trace))


def _step(U: np.ndarray, image: np.ndarray, t: float) -> np.ndarray:
    alive = np.abs(image).max(axis=0) > 0
    moved = U.copy()
    if alive.any():
        moved[:, alive] = l1_sphere(image[:, alive], t)
    return moved


class _Climb:
    """The way of one u upward: ``u``, its image Cu and its value, none of which is ever lower than before."""

    def __init__(self, operator: Deflation, t: float, u: np.ndarray, image: np.ndarray) -> None:
        self.operator, self.t = operator, t
        self.u, self.image, self.value = u, image, float(u @ image)

    def steps(self, most: int) -> Iterator[float]:
        """Take up to ``most`` steps; after each, how far a plain step moved, or infinity after another kind of step."""
        before, momentum, same, wait = (self.u, self.image), 0, 0, SETTLED
        for _ in range(most):
            support = self.u != 0
            if momentum:
                weight = momentum / (momentum + 3)
                ahead = self.image + weight * (self.image - before[1])  # C(u + w(u − before)): no product of its own
                before = self.u, self.image
                if not self._take(ahead):
                    momentum, before = 0, (self.u, self.image)
                    continue
                plain = np.inf if np.linalg.norm(self.u - before[0]) > 0 else 0.0
            else:
                before = self.u, self.image
                self._take(self.image, whatever=True)
                plain = float(np.linalg.norm(self.u - before[0]))
            momentum += 1
            same = same + 1 if np.array_equal(support, self.u != 0) else 0
            if same >= wait:
                wait = SETTLED if self._newton() else 2 * wait
                same, momentum = 0, 0  # a plain step follows, which says whether this is the end
            yield plain
            if np.linalg.norm(self.u - before[0]) < 1e-9:
                momentum = 0

    def _take(self, ahead: np.ndarray, whatever: bool = False) -> bool:
        """Move to S_θ(ahead)/‖·‖ where that is not lower, or ``whatever`` it is."""
        u = _step(self.u[:, None], ahead[:, None], self.t)
        image = self.operator.times(u)[:, 0]
        value = float(u[:, 0] @ image)
        if not whatever and value < self.value:
            return False
        self.u, self.image, self.value = u[:, 0], image, value
        return True

    def _newton(self, rounds: int = 6) -> bool:
        """Solve Cu = μu + θs, ‖u‖ = 1, sᵀu = t on the entries that are not 0 (signs s); go there if it is a peak."""
        A = np.flatnonzero(self.u)
        u, s, m = self.u[A], np.sign(self.u[A]), len(A)
        if not 2 < m <= LARGEST_SYSTEM or s @ u < self.t * (1 - 1e-9):
            return False
        columns = np.zeros((len(self.u), m))
        columns[A, np.arange(m)] = 1.0
        C = self.operator.times(columns)[A]
        mu, theta = np.linalg.lstsq(np.column_stack([u, s]), C @ u, rcond=None)[0]
        system = np.zeros((m + 2, m + 2))
        for _ in range(rounds):
            rest = np.r_[mu * u + theta * s - C @ u, (u @ u - 1) / 2, s @ u - self.t]
            system[:m, :m] = C - mu * np.eye(m)
            system[:m, m:] = -np.column_stack([u, s])
            system[m:, :m] = system[:m, m:].T
            try:
                change = np.linalg.solve(system, rest)
            except np.linalg.LinAlgError:
                return False
            u, mu, theta = u + change[:m], mu + change[m], theta + change[m + 1]
            if np.linalg.norm(change[:m]) < 1e-13:
                break
        if theta < 0 or not (u * s > 0).all():
            return False
        tangent = np.linalg.qr(np.column_stack([u, s]), mode="complete")[0][:, 2:]
        if np.linalg.eigvalsh(tangent.T @ C @ tangent)[-1] >= mu:
            return False
        result = np.zeros_like(self.u)
        result[A] = u / np.linalg.norm(u)
        image = self.operator.times(result[:, None])[:, 0]
        outside = np.abs(np.delete(image, A)).max(initial=0.0)
        value = float(result @ image)
        if outside > theta * (1 + 1e-12) or value < self.value:
            return False
        self.u, self.image, self.value = result, image, value
        return True


# How sparse loadings should be: the bound with the least error on rows that were held out.


BOUNDS = 8  # tried, from 1 to √p by equal factors


def chosen_bound(
    fit: Callable[[Design, float], Projection], design: Any, folds: Any, seed: int
) -> tuple[float, dict[str, Any]]:
    """Return the least bound whose held-out error is within one standard error of the best one's, and the errors.

    The standard error is that of the paired difference of the rows' squared errors from those of the best bound.

    Returns tried: ``bounds`` (T,) and ``errors`` (T,), mean squared distances of a row from what is rebuilt of it.
    Source: Breiman, Friedman, Olshen & Stone (1984), Classification and regression trees, section 3.4.3 (one standard
    error).
    """
    if not isinstance(design, Design):
        raise InputError("t", "has 'cv', and X is moments, of which no row can be held out; pass rows, or a number.")
    design, fold = counted_folds(design, folds, seed)
    bounds = np.geomspace(1.0, np.sqrt(design.p), BOUNDS)
    bounds[-1] = np.sqrt(design.p)
    lost = np.empty((design.n, BOUNDS))
    for kept in range(int(fold.max()) + 1):
        trained, out = design.take(fold != kept), design.take(fold == kept)
        rows = out.X.toarray() if hasattr(out.X, "toarray") else np.asarray(out.X)
        for j, bound in enumerate(bounds):
            result = fit(trained, float(bound))
            left = rows - result._rebuilt(out, None, "raise")
            scale = result.scaling.scale
            lost[fold == kept, j] = np.sum((left if scale is None else left / scale) ** 2, axis=1)
    w = np.ones(design.n) if design.weights is None else design.weights
    errors = w @ lost / w.sum()
    best = int(np.argmin(errors))
    beyond = lost - lost[:, [best]]
    spread = np.sqrt((w**2) @ (beyond - (w @ beyond) / w.sum()) ** 2) / w.sum()
    chosen = int(np.flatnonzero(errors - errors[best] <= spread)[0])
    return float(bounds[chosen]), {"bounds": bounds, "errors": errors}


@checked()
def sog(
    X: Features,
    groups: Labels = None,
    k: int = 2,
    *,
    data: Tabular | None = None,
    weights: Weights = None,
    missing: Missing = "raise",
    scale: bool = False,
    t: float | Literal["cv"],
    tolerance: float = 1e-10,
    max_iter: int = 5000,
    folds: int = 5,
    seed: int = 0,
) -> Projection:
    """Find components with sparse loadings whose scores are uncorrelated with the groups and with each other.

    Parameters
    ----------
    X : array (n, p), sparse matrix, table, column names, formula or Moments
    groups : as for ``og``
    k : int
        Number of components.
    t : float or "cv"
        Bound on ‖u_j‖₁, 1 (one feature a component) to √p (no sparsity). With "cv" the least of eight bounds, from 1
        to √p by equal factors, whose squared error on held-out rows is within one standard error of the best one's.
    data, weights, missing, scale : as for ``og``
    tolerance : float
        A component has converged when its loadings move by less than this (ℓ2).
    max_iter : int
        Steps a component; a warning is given where they do not suffice.
    folds, seed : int
        Of ``t="cv"``: how many folds, and of their draw, stratified by group.

    Returns
    -------
    Projection
        Loadings U sparse (not orthogonal), scores S = M_Z X_c B. ``diagnostics``: d, non-zeros, iterations, converged,
        the objective after every step; with ``t="cv"`` the bound chosen, and the bounds tried with their errors.

    Raises
    ------
    InputError
        t outside [1, √p], k too large.

    Guarantees
    ----------
    Sᵀ Z = 0; the scores are orthogonal to each other; ‖u_j‖₂ = 1 and ‖u_j‖₁ ≤ t.
    The objective of a component never decreases.
    The error is ‖X_c‖² − Σ d_j².

    Notes
    -----
    Starts are deterministic: the leading eigenvector of what is left and its five best single columns; the best after
    25 steps go on, with momentum and at the end Newton's method, to a fixed point of the paper's step, and the best end
    is kept. The paper's appendix and R code test the unnormalized vector against t and crash for legal t.

    References
    ----------
    Aliverti, Lum, Johndrow & Dunson (2021), JRSS A 184, Algorithm 1.

    Examples
    --------
    >>> import numpy as np
    >>> import fairstats as fs
    >>> rng = np.random.default_rng(0)
    >>> fit = fs.sog(rng.standard_normal((50, 6)), np.arange(50) % 2, k=2, t=1.3)
    >>> bool(np.abs(fit.loadings).sum(axis=0).max() <= 1.3 + 1e-12)
    True
    """
    tried: dict[str, Any] = {}
    rows = X
    drawn = {"folds": whole("folds", folds, 2, 1_000_000, "folds of rows"), "seed": random_seed(seed)}
    arguments = t
    if isinstance(t, str) and t == "cv":
        X = X if isinstance(X, (Design, Moments)) else Design.of(X, groups, data=data, weights=weights, missing=missing)
        groups = data = weights = None
        kept: dict[str, Any] = {"scale": scale, "tolerance": tolerance, "max_iter": max_iter}
        t, tried = chosen_bound(lambda rows, bound: sog(rows, k=k, t=bound, **kept), X, **drawn)
    view = centered(X, groups, data=data, weights=weights, missing=missing, scale=scale)
    if not view.grouped:
        raise InputError("groups", "is missing; sog makes the scores uncorrelated with them.")
    view = by_rows_beside_groups(view)
    p = len(view.scaling.features)
    t = between(
        "t", t, 1, np.sqrt(p) * (1 + 1e-12), "pass a bound on the sum of absolute loadings, 1 to √p, or 'cv'", ends="[]"
    )
    tolerance = between("tolerance", tolerance, 0, np.inf)
    max_iter = whole("max_iter", max_iter, 1, 10_000_000, "steps of a component")
    k = components(k, view)
    total = left = view.residual_operator()  # C_0, and C_j: what j components leave of it
    lengths, rounding = np.sqrt(np.maximum(total.diagonal, 0.0)), view.residual_rounding
    U, B, result = np.empty((p, k)), np.empty((p, k)), []
    first_images = np.empty((p, k))  # C_0 u_j
    for j in range(k):
        part = sparse_component(left, float(t), tolerance, max_iter)
        size = np.abs(part.u)
        if part.d2 <= max(1e-6 * float(size @ lengths), float(size @ rounding)) ** 2:
            way = "" if view.residual_resolved else "fit from rows, as moments may lose it in rounding, or "
            raise InputError(
                "k",
                f"has {k}; after {j} components nothing is left that the groups do not explain; {way}pass a smaller k.",
            )
        result.append(part)
        U[:, j] = part.u
        first_images[:, j] = total.times(part.u[:, None])[:, 0]
        B[:, j] = part.u - B[:, :j] @ ((B[:, :j].T @ first_images[:, j]) / np.array([f.d2 for f in result[:j]]))
        left = left.without(part.u, part.image, part.d2)
    return _projection(
        view,
        U,
        B,
        first_images,
        result,
        {
            "k": k,
            "scale": scale,
            "t": arguments if tried else float(t),
            "tolerance": tolerance,
            "max_iter": max_iter,
            **(drawn if tried else {}),
        },
        float(t),
        tried,
        (LINEAR, *shift_notes(rows, view.design)),
    )


@answering
def sog_path(X: Any, groups: Any = None, k: int = 2, *, ts: Sequence[float], **options: Any) -> pd.DataFrame:
    """Fit ``sog`` once for every bound t on the loadings, to see what sparsity costs.

    Parameters
    ----------
    X, groups, k : as for ``sog``
    ts : sequence of float
    **options : further arguments of ``sog``

    Returns
    -------
    pandas.DataFrame
        Columns t, error, explained, nonzero (all components together).

    References
    ----------
    Aliverti, Lum, Johndrow & Dunson (2021), JRSS A 184, Algorithm 1.

    Examples
    --------
    >>> import numpy as np
    >>> import fairstats as fs
    >>> X, g = np.random.default_rng(0).standard_normal((50, 6)), np.arange(50) % 2
    >>> fs.sog_path(X, g, k=1, ts=[1.0, 2.0])["nonzero"].tolist()
    [1, 6]
    """
    import pandas as pd

    bounds = [number("ts", t) for t in items("ts", ts, "bounds on the loadings")]
    with renamed_arguments(t="ts"):
        fits = [sog(X, groups, k, t=t, **options) for t in bounds]
    return pd.DataFrame(
        {
            "t": bounds,
            "error": [f.error for f in fits],
            "explained": [1 - f.error / f.total for f in fits],
            "nonzero": [int(sum(f.diagnostics["nonzero"])) for f in fits],
        }
    )


def _projection(
    view: Centered,
    U: np.ndarray,
    B: np.ndarray,
    images: np.ndarray,
    result: list[SparseComponent],
    settings: dict[str, Any],
    t: float,
    tried: dict[str, Any],
    names: tuple[str, ...],
) -> Projection:
    d2 = np.array([f.d2 for f in result])
    k = len(result)
    how = ", by cross-validation" if tried else ""
    slow = [str(j + 1) for j, f in enumerate(result) if not f.converged]
    if slow:
        warn(
            f"component {', '.join(slow)} did not converge in {settings['max_iter']} steps; raise max_iter or "
            "tolerance."
        )
    Lambda = np.linalg.solve(view.gram_z, view.cross_z @ B)
    left = view.cross_z @ B - view.gram_z @ Lambda
    gram = B.T @ images @ np.linalg.inv(_unit(B, U))
    size = np.outer(np.sqrt(d2), np.sqrt(d2))
    off = np.abs((gram - np.diag(np.diag(gram))) / size).max() if k > 1 else 0.0
    pca_energy = view.leading(k)[0]
    guarantees = (
        Guarantee(
            message("largest correlation of a score with a group indicator"),
            float(np.abs(left / np.sqrt(np.outer(np.diag(view.gram_z), d2))).max()),
            1e-8,
        ),
        Guarantee(message("largest correlation between two scores"), float(off), 1e-8),
        Guarantee(message("largest ‖u‖₁ above t"), float(max(np.abs(U).sum(axis=0).max() - t, 0.0)), 1e-8),
    )
    return from_loadings(
        view,
        U,
        method="sog",
        title="Sparse, orthogonal to groups (SOG)",
        linear=LinearMap(weights=B, loadings=U, origin=view.scaling.center, coefficients=Lambda),
        components=Components(d2, np.full(k, np.nan)),
        price=Price(
            total=view.total,
            error=view.total - float(d2.sum()),
            pca_error=view.total - float(pca_energy.sum()),
        ),
        guarantees=guarantees,
        settings=settings,
        notes=(
            f"Loadings have {', '.join(str(int((U[:, j] != 0).sum())) for j in range(k))} non-zeros "
            f"(t = {t:g}{how}); they are unit vectors, not orthogonal to each other.",
            *(["Later scores are uncorrelated with the groups and with the scores before them."] if k > 1 else []),
            *names,
        ),
        diagnostics={
            "d": np.sqrt(d2),
            "nonzero": [int((U[:, j] != 0).sum()) for j in range(k)],
            "iterations": [f.iterations for f in result],
            "converged": [f.converged for f in result],
            "objective": [f.objective for f in result],
            **({"t": t, **tried} if tried else {}),
        },
    )


def _unit(B: np.ndarray, U: np.ndarray) -> np.ndarray:
    """Return the unit upper triangular R with U = B R, with which the scores' Gram matrix is BᵀC_0U R⁻¹."""
    return np.linalg.lstsq(B, U, rcond=None)[0]
