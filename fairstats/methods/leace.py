"""LEACE: the least change of the data that makes them uncorrelated with a concept (Belrose et al. 2023)."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy import linalg

from fairstats.data.centered import by_rows, centered
from fairstats.data.centered_view import Centered
from fairstats.data.design import Design
from fairstats.data.groups import continuous
from fairstats.data.moments import Moments
from fairstats.data.tables import Features, Labels, Tabular, Weights
from fairstats.errors import InputError, NumericalError, Setting, in_code, listing, warn
from fairstats.language import message
from fairstats.linalg.eigen import EPS
from fairstats.linalg.matrices import barycenter, linear_shrinkage, transport
from fairstats.methods.arguments import LINEAR, components, rare_notes, shift_notes
from fairstats.methods.feature_maps import Eraser, GroupAdjustment
from fairstats.methods.location_scale import LevelRows, centered_rows, levels_of, masses, regressed
from fairstats.methods.results import Components, Guarantee, LinearMap, Price, Projection, checked, from_loadings
from fairstats.text import significant
from fairstats.validation import Missing, flag, one_of, renamed_arguments, shown

# Quadratic erasure: equal means and equal covariances in all groups, by the least change (Belrose et al. 2023).


NOTE = (
    "New rows need their group. Means and covariances are made equal, so neither a linear nor a quadratic probe of the "
    "training rows finds the groups; other probes may."
)
SINGULAR = 1e-10  # of a covariance matrix of features of unit spread: an eigenvalue below is none


@checked()
def quadratic_leace(
    X: Any,
    groups: Any,
    *,
    data: Tabular | None = None,
    weights: Any = None,
    missing: Missing = "raise",
    shrinkage: bool = False,
) -> GroupAdjustment:
    """Give every group the same mean and the same covariance matrix by the least change of the rows.

    Parameters
    ----------
    X : array (n, p), table, column names or formula
    groups : column name of ``data`` or labels (n,)
        One attribute; ``"sex:race"`` is an intersection.
    data : table, optional
        Where column names and formulas are looked up.
    weights : str or array (n,), optional
        Relative, at least 0. Heavy rows are not repeated rows: covariances divide by Σw − Σw²/Σw of a group, which is
        n − 1 without weights.
    missing : {"raise", "level", "drop"}
        Rows whose group is missing.
    shrinkage : bool
        Draw the covariances of each group toward a multiple of the identity first (Bodnar, Gupta & Parolya 2014), as
        the authors' program does; those of the adjusted rows are then equal approximately only.

    Returns
    -------
    GroupAdjustment
        ``transform`` needs the group of a row: ``r(x) = μ + A_g (x − m_g)``.

    Raises
    ------
    InputError
        No groups, several attributes or a continuous one; a group whose covariances are singular, without shrinkage;
        features in units too far apart.

    Guarantees
    ----------
    Every group has the same mean and, without shrinkage, the same covariance matrix in the training rows.
    Without shrinkage no other change of these rows with that property is smaller in mean square, the covariances of
    the groups counted with their weights.

    Notes
    -----
    The common covariance matrix is the barycenter of the groups' in Wasserstein distance, and A_g the optimal transport
    of one normal distribution to the other; by Gelbrich's bound no transport of other distributions with these moments
    is shorter. As in the authors' program groups count by their sizes; the common mean here is that of all rows, which
    is the barycenter's (theirs is the plain mean over groups).

    References
    ----------
    Belrose, Schneider-Joseph, Ravfogel, Cotterell, Raff & Biderman (2023), "LEACE", NeurIPS, and the authors' program
    concept-erasure (QuadraticEraser); Álvarez-Esteban, del Barrio, Cuesta-Albertos & Matrán (2016), "A fixed-point
    approach to barycenters in Wasserstein space", Journal of Mathematical Analysis and Applications 441; Gelbrich
    (1990), Mathematische Nachrichten 147.

    Examples
    --------
    >>> import fairstats as fs
    >>> import numpy as np
    >>> X, g = np.array([[1.0], [3.0], [10.0], [16.0]]), ["a", "a", "b", "b"]
    >>> fs.comparators.quadratic_leace(X, g).transform(X, g).ravel().round(6).tolist()
    [5.5, 9.5, 5.5, 9.5]
    """
    shrinkage = flag("shrinkage", shrinkage)
    design = X if isinstance(X, Design) else Design.of(X, groups, data=data, weights=weights, missing=missing)
    design = design.counted()
    levels, codes, parts = levels_of(design, "quadratic_leace")
    view, M, share, _ = regressed(design, "quadratic_leace")
    rows, mass = centered_rows(design, view), masses(design)
    means = np.array([part.mean(rows) for part in parts])
    unit = float(np.abs(rows).max()) or 1.0  # products of covariances are formed, and have to be numbers
    within = (rows - means[codes]) / unit
    items = [part.mean_covariance(within)[1] for part in parts]
    weight = np.array([part.mass.sum() for part in parts])
    varies = np.sqrt(np.mean([np.diag(S) for S in items], axis=0)) * unit > 1e-12 * abs(design.X).max(axis=0)
    if shrinkage:
        items = [_shrunk(S, part) for S, part in zip(items, parts, strict=True)]
    else:
        _check_ranks(items, levels, varies, parts)
    block = np.ix_(varies, varies)
    K = np.array([S[block] for S in items])
    try:
        middle = barycenter(K, weight / weight.sum())
        ways = [transport(S, middle) for S in K]
    except (np.linalg.LinAlgError, NumericalError):
        if np.linalg.cond(np.mean(K, axis=0)) < 1e7:  # beyond, products of covariances lose the digits of the smaller
            raise
        sizes = unit * np.sqrt(np.diag(np.mean(K, axis=0)))
        raise InputError(
            "X",
            f"has features whose standard deviations within groups are {sizes.min():.3g} to {sizes.max():.3g}, too far "
            "apart for their covariances to be made equal; divide each by its standard deviation first.",
        ) from None
    maps, result = {}, np.empty_like(within)
    for level, part, way in zip(levels, parts, ways, strict=True):
        maps[level] = np.eye(len(varies))
        maps[level][block] = way
        result[part.inside] = within[part.inside] @ maps[level]
    return GroupAdjustment(
        method="quadratic_leace",
        title="Equal means and covariances (quadratic LEACE)",
        scaling=view.scaling,
        encoding=view.encoding,
        coefficients=M,
        share=share,
        total=view.total,
        error=float(mass @ np.sum((rows - unit * result) ** 2, axis=1)),
        factors=maps,
        guarantees=_alike(result[:, varies], parts, None if shrinkage else middle),
        settings={"shrinkage": shrinkage},
        notes=(NOTE, *shift_notes(X, design)),
    )


def _shrunk(S: np.ndarray, part: LevelRows) -> np.ndarray:
    alpha, beta = linear_shrinkage(S, part.count)
    return alpha * S + beta * np.eye(len(S))


def _check_ranks(result: list[np.ndarray], levels: tuple[str, ...], varies: np.ndarray, parts: list[LevelRows]) -> None:
    sd = np.sqrt(np.maximum(np.mean([np.diag(S) for S in result], axis=0), 0.0))[varies]
    for level, S, part in zip(levels, result, parts, strict=True):
        if len(sd) and np.linalg.eigvalsh(S[np.ix_(varies, varies)] / np.outer(sd, sd))[0] < SINGULAR:
            raise InputError(
                "groups",
                f"has the level {level!r}, whose {int(part.inside.sum())} rows have covariances of the "
                f"{len(sd)} features that are singular: no map makes them another group's. Pass "
                f"{Setting('shrinkage', True)}, leave "
                "features out, or use residualize.",
            )


def _alike(rows: np.ndarray, parts: list[LevelRows], middle: np.ndarray | None) -> tuple[Guarantee, ...]:
    """Means and covariances by group of the adjusted rows, centered."""
    items = [part.mean_covariance(rows) for part in parts]
    spread = np.sqrt(np.maximum(np.mean([np.diag(S) for _, S in items], axis=0), 1e-300))
    means = max(float(np.max(np.abs(mean) / spread, initial=0.0)) for mean, _ in items)
    promised = [
        Guarantee(
            message("largest difference of a group's mean from the overall one, in standard deviations"), means, 1e-9
        )
    ]
    if middle is not None:
        size = np.outer(spread, spread)
        off = max(float(np.max(np.abs(S - middle) / size, initial=0.0)) for _, S in items)
        promised.append(Guarantee("largest difference of two covariances, in standard deviations", off, 1e-7))
    return tuple(promised)


# The thin factors of LEACE's map, from the centered view of the data, and how much of the groups they take out.


@dataclass(frozen=True)
class Factors:
    """left (p × r) and right (r × p) with right · left = I, and the squared canonical correlations (r,)."""

    left: np.ndarray
    right: np.ndarray
    canonical: np.ndarray
    lengths: np.ndarray  # (p,) of the columns of X_c, 1 where that is 0
    unexplained: float | None = None  # what the features explain of a contrast of the groups, and left does not

    def erase(self, V: np.ndarray) -> np.ndarray:
        """Return (I − left · right)ᵀ V: coefficients for which X_c times them is the adjusted X_c times V."""
        return V - self.right.T @ (self.left.T @ V)


def _traces(view: Centered) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Lengths (p,) of the columns of X_c; X_cᵀZ (p × r) with columns of length 1 on both sides, of full rank; its Z.

    Z is given as the coefficients (q × r) that make its columns orthonormal.
    """
    size = np.sqrt(np.where(view.squares > 0, view.squares, 1.0))
    root = linalg.cholesky(view.gram_z, lower=True)
    A = linalg.solve_triangular(root, view.cross_z / size, lower=True).T
    _, s, turn = np.linalg.svd(A, full_matrices=False)
    # Features have length 1 and Z orthonormal columns here: below this, A is rounding.
    turn = turn[s > 64 * EPS * np.sqrt(len(size))].T
    return size, A @ turn, linalg.solve_triangular(root, turn, lower=True, trans="T")


ALIKE = 1e-10  # 1 − cosine² up to which what the features say of y is what they say of the groups
CODES = 20  # different numbers up to which y is a set of codes
NEARLY = 0.99  # the cosine from which on the fit says that little of the two can be told apart


def preserving(view: Centered, other: Centered) -> tuple[Factors, float, float]:
    """The factors that take the groups of a view out and keep the covariances with the variables of another view.

    Returns: factors; the cosine of the smallest angle between what the features say of the groups and of the others;
        the largest change of a covariance with the others, relative to the lengths of both.
    """
    size, A, contrasts = _traces(view)
    _, B, kept = _traces(other)
    YA, YB = view.solve_correlation(A), view.solve_correlation(B)
    AA, AB, BB = A.T @ YA, A.T @ YB, B.T @ YB
    K = np.linalg.lstsq(BB, AB.T, rcond=None)[0]
    inner = AA - AB @ K
    values, R = np.linalg.eigh(0.5 * (inner + inner.T))
    root = np.linalg.cholesky(AA) if len(AA) else AA
    beside = linalg.solve_triangular(root, linalg.solve_triangular(root, inner, lower=True).T, lower=True)
    cosine = float(np.sqrt(np.clip(1.0 - np.linalg.eigvalsh(beside).min(initial=1.0), 0.0, 1.0)))
    if 1.0 - cosine**2 <= ALIKE:
        raise InputError(
            "preserve",
            f"names what cannot be kept: the features say nothing of it beside the groups (cosine {cosine:.6f} of the "
            "smallest angle between the two). Leave out what determines the group, or preserve.",
        )
    order = np.flatnonzero(values > EPS**2)[::-1]
    F = R[:, order] / np.sqrt(values[order])
    left, right = size[:, None] * (A @ F), ((YA - YB @ K) @ F).T / size
    W = np.hstack([YA, YB])
    lost = max(_unexplained(view, W, contrasts, A, AA), _unexplained(other, W, kept, B, BB))
    moved = float(np.abs((A @ F) @ (right @ (size[:, None] * B))).max(initial=0.0))
    return Factors(left, right, np.minimum(values[order], 1.0), size, lost), cosine, moved


def _preserved(X: Any, preserve: Any, view: Centered, options: dict[str, Any]) -> Centered:
    """The view of the same rows with what is to be kept in the place of the groups."""
    if isinstance(X, Design):
        raise InputError(
            "preserve",
            "was given to the fit, and folds have no y to fit with again; fit on the training rows, and transform "
            "the others.",
        )
    if isinstance(X, Moments):
        return centered(_of_outcome(X, preserve), scale=options["scale"])
    if np.ndim(preserve) == 1 and np.asarray(preserve).dtype.kind in "fiu" and len(np.unique(preserve)) > CODES:
        preserve = continuous(preserve)
    with renamed_arguments(groups="preserve"):
        other = _grouped(X, preserve, **options)
    if other.scaling.n != view.scaling.n:
        raise InputError(
            "missing",
            f"has {options['missing']!r}, which leaves out other rows for the groups ({view.scaling.n} stay) than for "
            f"preserve ({other.scaling.n}); leave out the rows where either is missing before the fit.",
        )
    return other


def _of_outcome(moments: Moments, preserve: Any) -> Moments:
    """Moments by their outcome alone."""
    if preserve is not True or not moments.outcome:
        raise InputError(
            "preserve",
            f"has {shown(preserve)}; of moments it is {in_code(True)}, and they were made with "
            f"{Setting('y')}; make them so.",
        )
    m, p = moments.collapse((moments.outcome,)), moments.p
    return dataclasses.replace(
        m, outcome="", continuous=(), shift=m.shift[:p], delta=m.delta[:, :p], scatter=m.scatter[:, :p, :p]
    )


def _factors(
    X: Any, view: Centered, preserve: Any, options: dict[str, Any]
) -> tuple[Factors, tuple[Guarantee, ...], tuple[str, ...], dict[str, Any]]:
    """Factors, what is promised of them beside no correlation, notes and settings."""
    if preserve is None:
        result = factors(view, options.pop("shrinkage"))
        return result, _least(result), _notes(result), {}
    if options.pop("shrinkage"):
        raise InputError("shrinkage", f"has {in_code(True)}, and goes with no preserve; leave one out.")
    other = _preserved(X, preserve, view, options)
    result, cosine, moved = preserving(view, other)
    kept = Guarantee(
        message("largest change of a covariance with what is preserved (relative to the lengths of both)"), moved, 1e-9
    )
    what = listing((*other.encoding.names, *other.encoding.continuous_names))
    notes = [
        f"Covariances of the features with {what} are kept as they were: the cosine of the smallest angle between what "
        f"the features say of it and of the groups is {significant(cosine, 3)}. A linear model that is fitted again "
        "without a penalty predicts after this as after leace without preserve."
    ]
    if cosine >= NEARLY:
        notes.append("That is nearly 1: the features can hardly tell the two apart, and are changed much.")
    return result, (kept, *_least(result)), (*_notes(result), *notes), {"preserve": what}


def factors(view: Centered, shrinkage: bool) -> Factors:
    size, A, contrasts = _traces(view)
    Y = _solve_shrunk(view, size, A) if shrinkage else view.solve_correlation(A)
    inner = A.T @ Y
    canonical, R = np.linalg.eigh(0.5 * (inner + inner.T))
    order = np.flatnonzero(canonical > EPS**2)[::-1]
    F = R[:, order] / np.sqrt(canonical[order])
    left, right = size[:, None] * (A @ F), (Y @ F).T / size
    lost = None if shrinkage else _unexplained(view, Y @ F, contrasts, A, inner)
    return Factors(left, right, np.minimum(canonical[order], 1.0), size, lost)


def _unexplained(view: Centered, W: np.ndarray, contrasts: np.ndarray, A: np.ndarray, inner: np.ndarray) -> float:
    """The largest share of a contrast of the groups that the features explain, and the scores X_cD⁻¹W do not.

    The least change moves the features along what they explain of the groups, and along nothing else: it is 0 there.
    What rounding of the features' own correlations may hide counts, up to all that the scores leave.
    """
    if not contrasts.shape[1]:
        return 0.0
    size = np.sqrt(np.where(view.squares > 0, view.squares, 1.0))[:, None]
    image = W.T @ A
    taken = image.T @ np.linalg.pinv(view.along(W / size), hermitian=True) @ image
    beside = view.unexplained(A, W)
    if beside is None:
        groups_explained = view.groups_explained
        explained = inner if groups_explained is None else contrasts.T @ groups_explained @ contrasts
        return max(float(np.linalg.eigvalsh(explained - taken)[-1]), 0.0)
    return max(min(beside, float(np.linalg.eigvalsh(np.eye(len(taken)) - taken)[-1])), 0.0)


def _solve_shrunk(view: Centered, size: np.ndarray, A: np.ndarray) -> np.ndarray:
    """Return (D⁻¹CD⁻¹)⁻¹A for C the sums of squares and products, shrunk, and D the lengths of the columns."""
    C = view.covariance
    unit = float(np.trace(C)) or 1.0
    alpha, beta = linear_shrinkage(C / unit, view.scaling.n)
    shrunk = alpha * C / np.outer(size, size)
    shrunk[np.diag_indices(len(size))] += beta * (unit / size) / size
    return linalg.solve(shrunk, A, assume_a="pos") if beta > 0 else view.solve_correlation(A)


def orthogonal_factors(view: Centered) -> Factors:
    """The directions of Σ_xz themselves, by how much of each the groups explain."""
    size, A, _ = _traces(view)
    Q = np.linalg.qr(size[:, None] * A)[0]
    total, explained = np.diag(view.along(Q)), view.explained(Q)
    share = explained / np.where(total > 0, total, 1.0)
    order = np.argsort(-share, kind="stable")
    return Factors(Q[:, order], Q[:, order].T, share[order], size)


REMEDY = (
    "Features that are nearly combinations of others are the usual reason: fit from rows, not from moments, which do "
    "not tell how little they vary beside them, or leave some out."
)


NONE_LEFT = message(
    "leace leaves nothing of the features: it erases as many directions as they have, and every adjusted feature is "
    "the same in all rows. Use more features, or fewer groups; residualize, which needs the group of each row, keeps "
    "what features vary within groups."
)


@checked(REMEDY)
def leace(
    X: Features,
    groups: Labels = None,
    *,
    data: Tabular | None = None,
    weights: Weights = None,
    missing: Missing = "raise",
    scale: bool = False,
    shrinkage: bool = False,
    projection: Literal["oblique", "orthogonal"] = "oblique",
    preserve: Labels = None,
) -> Eraser:
    """Change the features as little as possible so that no linear predictor can tell the groups from them.

    Parameters
    ----------
    X : array (n, p), sparse matrix, table, column names, formula or Moments
    groups : column name(s) of ``data`` or labels (n,)
        Two levels or many, several attributes, ``continuous(...)``.
    data : table, optional
        Where column names and formulas are looked up.
    weights : str or array (n,), optional
        As for ``og``: relative, at least 0. With shrinkage heavy rows are not repeated rows: how much is shrunk depends
        on how many rows there are.
    missing : {"raise", "level", "drop"}
        Rows whose group is missing.
    scale : bool
        Divide by the standard deviation (ddof 1). The map is the same in any units, but for the two options below;
        shares of variation are not.
    shrinkage : bool
        Draw Σ_xx toward a multiple of the identity (Bodnar, Gupta & Parolya 2014), as the authors' program does by
        default: more is changed on these rows, and less is left in new ones where rows are few for so many features.
    projection : {"oblique", "orthogonal"}
        "orthogonal" takes out the directions of Σ_xz themselves (the authors' ``method="orth"``): the feature side of
        ``fair_pca``. Features that the groups do not shift then stay as they are.
    preserve : column name(s) of ``data``, labels or numbers (n,), ``continuous(...)``, True of Moments, optional
        An outcome y whose covariance with every feature stays as it is (SPLINCE, Holstege et al. 2025), at the least
        further change. Of `Moments` made with ``y=`` it is True. Such a fit has no ``crossfit``.

    Returns
    -------
    Eraser
        The map p → p; ``transform`` needs no group. ``leace_pca`` reduces its result to k components. A map that knows
        the group of each row can do with less change: ``comparators.residualize`` is that (oracle LEACE), and
        ``comparators.quadratic_leace`` makes covariances equal too.

    Raises
    ------
    InputError
        No groups, a constant column with ``scale``, shrinkage of an orthogonal projection; ``preserve`` together with
        either, or where the features say nothing of it beside the groups.

    Guarantees
    ----------
    Every adjusted feature is uncorrelated with every group indicator.
    With ``preserve`` every covariance of a feature with y is as it was.
    By default no affine map with that property changes the data less in mean square: what is taken out tells as much
    of the groups as all features do.

    Notes
    -----
    Where features are nearly combinations of others (years and their powers), how little they vary beside these is lost
    in sums of squares and products: rows are then factored themselves. Moments have no rows. Where the groups differ
    along what is lost, the fit says that the least change is not shown; where they do not, it is that of combinations
    of other features (indicators of all levels, a copy), and nothing is lost.

    r(x) = x − W⁺P W(x − μ) with W = Σ_xx^(−1/2) and P the projector onto the columns of WΣ_xz. Written out, that is
    x − Σ_xz(Σ_zxΣ_xx⁺Σ_xz)⁺Σ_zxΣ_xx⁺(x − μ): two thin factors. The authors' code shrinks Σ_xx by default, and the map
    is then not the least change; its threshold for the rank of WΣ_xz is absolute (0.01), which leaves a weak concept in
    place. Here nothing is shrunk unless asked, and ranks are compared with the lengths of what is multiplied, each
    feature brought to length 1 first.

    References
    ----------
    Belrose, Schneider-Joseph, Ravfogel, Cotterell, Raff & Biderman (2023), "LEACE: Perfect linear concept erasure in
    closed form", NeurIPS, Theorem 4.3; Holstege, Ravfogel & Wouters (2025), "Preserving task-relevant information under
    linear concept removal", NeurIPS.

    Examples
    --------
    >>> import fairstats as fs
    >>> import numpy as np
    >>> X = np.array([[3.0, 1.0], [3.0, -1.0], [-3.0, 1.0], [-3.0, -1.0]])
    >>> fs.leace(X, ["a", "a", "b", "b"]).transform(X).round(9).tolist()
    [[0.0, 1.0], [0.0, -1.0], [0.0, 1.0], [0.0, -1.0]]
    """
    one_of("projection", projection, ("oblique", "orthogonal"))
    if flag("shrinkage", shrinkage) and projection == "orthogonal":
        raise InputError(
            "shrinkage", f"has {in_code(True)}, and an orthogonal projection asks for no covariances; leave one out."
        )
    if preserve is not None and projection == "orthogonal":
        raise InputError(
            "projection", "has 'orthogonal', and what is preserved asks for an oblique one; leave one out."
        )
    options = {"data": data, "weights": weights, "missing": missing, "scale": scale}
    view = _grouped(X, groups, **options)
    if projection == "orthogonal":
        result = orthogonal_factors(view)
        promised, notes, more = _least(result), _notes(result), dict[str, Any]()
    else:
        result, promised, notes, more = _factors(X, view, preserve, {**options, "shrinkage": shrinkage})
    error = float(np.sum(result.left.T @ result.left * view.along(result.right.T)))
    fit = Eraser(
        method="leace",
        title="LEACE (least change without correlation)",
        scaling=view.scaling,
        left=result.left,
        right=result.right,
        canonical=result.canonical,
        total=view.total,
        error=error,
        encoding=view.encoding,
        guarantees=(_uncorrelated(view, result), *promised),
        settings={"scale": scale, "shrinkage": shrinkage, "projection": projection, **more},
        notes=(*notes, LINEAR, *rare_notes(X, view.design)),
    )
    if fit._left:
        return fit
    if not isinstance(X, Design):  # a refit, of which the fit has said so
        warn(NONE_LEFT)
    return dataclasses.replace(fit, notes=(NONE_LEFT, *fit.notes))


@checked(REMEDY)
def leace_pca(
    X: Features,
    groups: Labels = None,
    k: int = 2,
    *,
    data: Tabular | None = None,
    weights: Weights = None,
    missing: Missing = "raise",
    scale: bool = False,
    shrinkage: bool = False,
    preserve: Labels = None,
) -> Projection:
    """Find the principal components of the features that ``leace`` has adjusted.

    Parameters
    ----------
    X, groups, data, weights, missing, scale, shrinkage, preserve : as for ``leace``
    k : int
        Number of components, 1 to p − r for r erased directions.

    Returns
    -------
    Projection
        ``transform`` needs no group.

    Raises
    ------
    InputError
        No groups, k out of range, a constant column with ``scale``.

    Guarantees
    ----------
    The scores are uncorrelated with every group indicator.
    No k-dimensional subspace keeps more of the variation of the adjusted features.

    References
    ----------
    Belrose, Schneider-Joseph, Ravfogel, Cotterell, Raff & Biderman (2023), "LEACE: Perfect linear concept erasure in
    closed form", NeurIPS, for the adjustment; the components are those of PCA.

    Examples
    --------
    >>> import fairstats as fs
    >>> import numpy as np
    >>> X = np.array([[3.0, 1.0], [3.0, -1.0], [-3.0, 1.0], [-3.0, -1.0]])
    >>> fs.leace_pca(X, ["a", "a", "b", "b"], k=1).transform(X).ravel().round(9).tolist()
    [1.0, -1.0, 1.0, -1.0]
    """
    options = {"data": data, "weights": weights, "missing": missing, "scale": scale}
    view = _grouped(X, groups, **options)
    shrinkage = flag("shrinkage", shrinkage)
    result, promised, notes, more = _factors(X, view, preserve, {**options, "shrinkage": shrinkage})
    k = components(k, view, len(result.canonical), "what leace erases")
    return _reduced(view, result, k, promised, notes, {"k": k, "scale": scale, "shrinkage": shrinkage, **more})


def _grouped(X: Any, groups: Any, **options: Any) -> Centered:
    view = centered(X, groups, **options)
    if not view.grouped:
        raise InputError("groups", "is missing; leace erases them from the features.")
    return by_rows(view)


def _reduced(
    view: Centered,
    result: Factors,
    k: int,
    promised: tuple[Guarantee, ...],
    notes: tuple[str, ...],
    settings: dict[str, Any],
) -> Projection:
    """PCA of the adjusted features: S = X_c E V with V the leading directions of EᵀΣE."""
    energy, V = view.leading_erased(k, result.left, result.right)
    B = result.erase(V)
    M = view.along(np.hstack([B, V]))
    inner, mixed = M[:k, :k], M[:k, k:]
    left = np.abs(view.cross_z @ B)
    size = np.sqrt(np.outer(np.diag(view.gram_z), np.maximum(energy, 1e-10 * view.total)))
    return from_loadings(
        view,
        V,
        method="leace_pca",
        title="LEACE, then principal components",
        linear=LinearMap(weights=B, loadings=V, origin=view.scaling.center),
        components=Components(energy, view.shares(B, energy)),
        price=Price(
            total=view.total,
            error=view.total - 2 * float(np.trace(mixed)) + float(np.trace(inner)),
            pca_error=view.total - view.leading_energy(k),
        ),
        guarantees=(
            _uncorrelated(view, result),
            Guarantee(
                message("largest |correlation| of a score with a group"),
                float((left / np.where(size > 0, size, 1.0)).max()),
                1e-8,
            ),
            *promised,
        ),
        settings=settings,
        notes=(*notes, LINEAR),
        diagnostics={"directions_removed": len(result.canonical)},
    )


def _uncorrelated(view: Centered, result: Factors) -> Guarantee:
    rest = view.cross_z - (view.cross_z @ result.right.T) @ result.left.T
    return Guarantee(
        message("largest |correlation| of an adjusted feature with a group (relative to the feature as it was)"),
        float((np.abs(rest) / np.outer(np.sqrt(np.diag(view.gram_z)), result.lengths)).max()),
        1e-9,
    )


def _least(result: Factors) -> tuple[Guarantee, ...]:
    if result.unexplained is None:
        return ()
    text = message(
        "least change: largest share of a group contrast that the features may explain and what is taken out does not"
    )
    return (Guarantee(text, result.unexplained, 1e-6),)


def _notes(result: Factors) -> tuple[str, ...]:
    if not len(result.canonical):
        return ("The features are uncorrelated with the groups already, up to rounding: nothing was changed.",)
    if result.canonical[0] > 1 - 1e-9:
        return (
            "The features determine the groups exactly (squared canonical correlation 1), as they must with fewer rows "
            "than columns: the map fits these rows, and held-out rows may keep a trace. See crossfit.",
        )
    return ()
