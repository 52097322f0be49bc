"""Location and scale of every feature made equal in the groups, as ComBat does (Johnson, Li & Rabinovic 2007)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fairstats.data.centered import centered
from fairstats.data.centered_view import Centered, freedom
from fairstats.data.design import Design
from fairstats.data.tables import Tabular
from fairstats.errors import InputError, NumericalError, Setting, listing, nearest, with_hint
from fairstats.language import message
from fairstats.methods.arguments import shift_notes
from fairstats.methods.feature_maps import GroupAdjustment
from fairstats.methods.results import Guarantee, checked
from fairstats.validation import Missing, flag, items, shown

# ComBat's estimates of a group's shifts and variances from those that it has in all features.


def shrunk(
    shift: np.ndarray, variance: np.ndarray, n: float, part: float, tolerance: float = 1e-12, most: int = 10_000
) -> tuple[np.ndarray, np.ndarray, float]:
    """Return a group's shifts γ* and variances δ²* (m,) under priors from their moments, and the last relative change.

    shift, variance: of standardized features: means, and variances that divide by ``part`` times n, of the group's
        rows, shape (m,).
    n: rows.
    part: (n − 1)/n where weights are equal.
    Raises NumericalError: the equations do not settle.
    Source: Johnson, Li & Rabinovic (2007), Biostatistics 8, section 3.2: γ ~ N(γ̄, τ²), δ² ~ inverse gamma(λ, θ).

    >>> shrunk(np.array([0.0, 1.0, 2.0]), np.array([0.5, 1.0, 1.5]), 1e9, 1.0)[0].round(6).tolist()
    [0.0, 1.0, 2.0]
    """
    mean, spread = float(shift.mean()), float(shift.var(ddof=1))
    m, s2 = float(variance.mean()), float(variance.var(ddof=1))
    if s2 <= 1e-20 * m**2:  # equal variances: the prior holds them where they are
        return (spread * n * shift + variance * mean) / (spread * n + variance), variance, 0.0
    a, b = (2 * s2 + m**2) / s2, (m * s2 + m**3) / s2
    squares = variance * part * n  # about the group's own mean
    gamma, delta = shift, variance
    for _ in range(most):
        new = (spread * n * shift + delta * mean) / (spread * n + delta)
        below = (0.5 * (squares + n * (shift - new) ** 2) + b) / (n / 2 + a - 1)
        size = np.abs(shift).max() + np.sqrt(spread) + np.finfo(float).tiny
        moved = max(float(np.max(np.abs(new - gamma)) / size), float(np.max(np.abs(below - delta) / delta)))
        gamma, delta = new, below
        if moved <= tolerance:
            return gamma, delta, moved
    raise NumericalError(f"empirical Bayes did not settle in {most} steps; pass {Setting('empirical_bayes', False)}.")


# What the maps that know a row's group share: centered rows, the regression on the groups, the rows of a level.


NOTE = (
    "New rows need their group. Means are made equal, so no linear probe of the training rows finds the groups; other "
    "probes may."
)


class LevelRows:
    """The rows of a level with their weights, and the divisor of their sum of squares."""

    def __init__(self, inside: np.ndarray, mass: np.ndarray) -> None:
        self.inside, self.mass = inside, mass[inside]
        self.freedom = float(freedom(self.mass.sum(), self.mass @ self.mass))

    @property
    def count(self) -> float:
        """How many rows of equal weight are worth as much: (Σw)²/Σw²."""
        return float(self.mass.sum() ** 2 / (self.mass @ self.mass))

    def mean(self, rows: np.ndarray) -> np.ndarray:
        """Return the mean (p,) of these among all rows."""
        return np.asarray(self.mass @ rows[self.inside] / self.mass.sum())

    def mean_sd(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the mean and standard deviation (p,) of these among all rows."""
        mean = self.mean(rows)
        return mean, np.sqrt(self.mass @ (rows[self.inside] - mean) ** 2 / self.freedom)

    def mean_covariance(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the mean (p,) and covariance matrix (p, p) of these among all rows."""
        mean = self.mean(rows)
        current = np.sqrt(self.mass)[:, None] * (rows[self.inside] - mean)
        return mean, current.T @ current / self.freedom


def levels_of(design: Design, method: str) -> tuple[tuple[str, ...], np.ndarray, list[LevelRows]]:
    """Return the levels of the one attribute, their codes (n,), and the rows of each."""
    if design.groups is None:
        raise InputError("groups", f"is missing; {method} takes out what they explain.")
    if len(design.groups.factors) != 1 or design.groups.continuous_names:
        names = listing((*design.groups.names, *design.groups.continuous_names))
        raise InputError("groups", f"has {names}; {method} takes one attribute: join two as 'a:b', cut numbers.")
    factor = design.groups.factors[0]
    mass = masses(design)
    parts = [LevelRows(factor.codes == g, mass) for g in range(len(factor.levels))]
    small = [level for level, part in zip(factor.levels, parts, strict=True) if not part.freedom]
    if small:
        raise InputError(
            "groups", f"has the level {listing(small)} with one row, which has no spread; merge it, or drop it."
        )
    return factor.levels, factor.codes, parts


def masses(design: Design) -> np.ndarray:
    """Return the weights (n,), 1 where there are none."""
    return np.ones(design.n) if design.weights is None else design.weights


def centered_rows(design: Design, view: Centered) -> np.ndarray:
    """Return dense rows less their mean, which is subtracted twice: that of numbers near 1e8 is rounded."""
    mass = masses(design)
    dense: Any = design.X
    rows = np.asarray(dense.toarray() if hasattr(dense, "toarray") else dense) - view.scaling.center
    rows -= mass @ rows / mass.sum()
    return rows


def regressed(design: Design, method: str) -> tuple[Centered, np.ndarray, np.ndarray, float]:
    """Return the view, the regression M (q, p) of the features on the groups, their R² (p,), and what it explains."""
    if design.groups is None:
        raise InputError("groups", f"is missing; {method} takes out what they explain.")
    view = centered(design)
    M = np.linalg.solve(view.gram_z, view.cross_z)
    lost = np.einsum("qp,qp->p", view.cross_z, M)
    squares = view.squares
    return view, M, np.clip(lost / np.where(squares > 0, squares, 1.0), 0, 1), float(lost.sum())


def shifts(view: Centered, codes: np.ndarray, groups: Any, means: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return M (q, p) and o (p,) for which z M + o is the mean (G, p) of a row's level."""
    first = [int(np.flatnonzero(codes == g)[0]) for g in range(len(means))]
    Z = view.encoding.encode(groups)[first]
    result = np.linalg.lstsq(np.column_stack([Z, np.ones(len(Z))]), means, rcond=None)[0]
    return result[:-1], result[-1]


# A baseline: regress the groups out of every feature.


@checked()
def residualize(
    X: Any, groups: Any, *, data: Tabular | None = None, weights: Any = None, missing: Missing = "raise"
) -> GroupAdjustment:
    """Replace every feature by its residuals on the groups, with its mean added back: M_Z X.

    Parameters
    ----------
    X : array (n, p), table, column names or formula
    groups : column name(s) of ``data``, labels (n,), ``continuous(...)``, or several of these
    data : table, optional
        Where column names and formulas are looked up.
    weights : str or array (n,), optional
        As for ``og``: relative, at least 0.
    missing : {"raise", "level", "drop"}
        Rows whose group is missing.

    Returns
    -------
    GroupAdjustment
        ``transform`` needs the group of a row.

    Raises
    ------
    InputError
        No groups.

    Guarantees
    ----------
    Every adjusted feature is uncorrelated with every group indicator (and continuous attribute).
    No other adjustment with that property changes the training rows by less.

    Notes
    -----
    This is LEACE with the label of every row at hand (oracle LEACE): ``r(x, z) = x − Σ_xzΣ_zz⁺(z − z̄)``.

    References
    ----------
    Belrose (2023), "Least-squares concept erasure with oracle concept labels", EleutherAI, theorem 1.

    Examples
    --------
    >>> import fairstats as fs
    >>> import numpy as np
    >>> X = np.array([[1.0], [3.0], [11.0], [13.0]])
    >>> fs.comparators.residualize(X, ["a", "a", "b", "b"]).transform(X, ["a", "a", "b", "b"]).ravel().tolist()
    [6.0, 8.0, 6.0, 8.0]
    """
    design = X if isinstance(X, Design) else Design.of(X, groups, data=data, weights=weights, missing=missing)
    view, M, share, lost = regressed(design.counted(), "residualize")
    return GroupAdjustment(
        method="residualize",
        title="Residuals on the groups",
        scaling=view.scaling,
        encoding=view.encoding,
        coefficients=M,
        share=share,
        total=view.total,
        error=lost,
        guarantees=(_uncorrelated(view, M),),
        notes=(NOTE, *shift_notes(X, design)),
    )


def _uncorrelated(view: Centered, M: np.ndarray) -> Guarantee:
    left = np.abs(view.cross_z - view.gram_z @ M)
    size = np.sqrt(np.outer(np.diag(view.gram_z), np.full(left.shape[1], max(view.total, 1e-300))))
    return Guarantee(
        message("largest |covariance| of an adjusted feature with a group, relative"), float((left / size).max()), 1e-10
    )


Floats = np.ndarray


@checked()
def location_scale(
    X: Any,
    groups: Any,
    *,
    data: Tabular | None = None,
    weights: Any = None,
    missing: Missing = "raise",
    protect: Sequence[str] | str | None = None,
    empirical_bayes: bool = False,
) -> GroupAdjustment:
    """Give every feature the same mean and the same standard deviation in every group.

    Parameters
    ----------
    X : array (n, p), table, column names or formula
    groups : column name of ``data`` or labels (n,)
        One attribute; ``"sex:race"`` is an intersection.
    data : table, optional
        Where column names and formulas are looked up.
    weights : str or array (n,), optional
        Relative, at least 0. Heavy rows are not repeated rows: variances divide by Σw − Σw²/Σw of a group, which is
        n − 1 without weights.
    missing : {"raise", "level", "drop"}
        Rows whose group is missing.
    protect : names of features, optional
        They stay as they are, and so does what they say of the others: what is made equal are the means and standard
        deviations about the regression on them within groups (ComBat's covariates). Features of an array are called
        x1, x2 and so on.
    empirical_bayes : bool
        Draw the shifts and variances of a group toward those that it has in the other features, as ComBat does: for
        many features of few rows. Means and spreads are then equal approximately only.

    Returns
    -------
    GroupAdjustment
        ``transform`` needs the group of a row.

    Raises
    ------
    InputError
        No groups, several attributes or a continuous one, a group of one row, a feature that is constant in a group
        and not in all; protected features that are none, are all, or do not vary within groups; empirical Bayes of
        fewer than three features.

    Guarantees
    ----------
    In the training rows every group has the overall mean and the pooled within-group standard deviation; with protected
    features, about the regression on them. With empirical Bayes the estimates solve their equations.

    Notes
    -----
    With ``empirical_bayes`` this is parametric ComBat: the variance pooled over groups divides by n, and a feature's
    shift and variance in a group are the modes under a normal and an inverse gamma prior whose parameters are moments
    over the features. ``sva::ComBat`` stops where they move by less than 1e-4, here by less than 1e-12. Features that
    are constant are left as they are.

    References
    ----------
    Johnson, Li & Rabinovic (2007), "Adjusting batch effects in microarray expression data using empirical Bayes
    methods", Biostatistics 8, section 3; Leek et al., R package sva (ComBat).

    Examples
    --------
    >>> import fairstats as fs
    >>> import numpy as np
    >>> X, g = np.array([[1.0], [3.0], [10.0], [30.0]]), ["a", "a", "b", "b"]
    >>> S = fs.comparators.location_scale(X, g).transform(X, g)
    >>> [S[:2].mean().round(6).item(), S[2:].mean().round(6).item(), (np.ptp(S[:2]) / np.ptp(S[2:])).round(6).item()]
    [11.0, 11.0, 1.0]
    """
    empirical_bayes = flag("empirical_bayes", empirical_bayes)
    design = X if isinstance(X, Design) else Design.of(X, groups, data=data, weights=weights, missing=missing)
    design = design.counted()
    kept = _protected(protect, design.features)
    levels, codes, parts = levels_of(design, "location_scale")
    view, M, share, _ = regressed(design, "location_scale")
    rows, mass = centered_rows(design, view), masses(design)
    slopes = _slopes(rows, codes, parts, kept, design.features) if kept else np.zeros((0, rows.shape[1]))
    explained = rows[:, kept] @ slopes
    left = rows - explained
    means = np.array([part.mean(left) for part in parts])
    free = np.setdiff1d(np.arange(rows.shape[1]), kept)
    sds = _spreads(left, parts, levels, design.features, np.abs(rows).max(axis=0), free)
    weight = np.array([part.freedom for part in parts])
    pooled = np.sqrt(weight / weight.sum() @ sds**2)
    ratios = np.where(sds > 0, pooled / np.where(sds > 0, sds, 1.0), 1.0)
    promised: tuple[Guarantee, ...] = ()
    if empirical_bayes:
        vary = free[(sds[:, free] > 0).all(axis=0)]
        means[:, vary], ratios[:, vary], moved = _bayes(left[:, vary], codes, parts, means[:, vary], mass)
        promised = (Guarantee("empirical Bayes: largest relative change in one more step", moved, 1e-10),)
    offset = None
    if kept or empirical_bayes:
        M, offset = shifts(view, codes, design.groups, means)
    result = explained + ratios[codes] * (left - means[codes])
    return GroupAdjustment(
        method="location_scale",
        title="Equal means and standard deviations" + (" (empirical Bayes)" if empirical_bayes else ""),
        scaling=view.scaling,
        encoding=view.encoding,
        coefficients=M,
        share=share,
        total=view.total,
        error=float(mass @ np.sum((rows - result) ** 2, axis=1)),
        factors=dict(zip(levels, ratios, strict=True)),
        protected=tuple(design.features[j] for j in kept),
        slopes=slopes if kept else None,
        offset=offset,
        guarantees=promised or _alike((result - explained)[:, free], parts, pooled[free]),
        settings={"protect": [design.features[j] for j in kept] or None, "empirical_bayes": empirical_bayes},
        notes=(_note(design.features, kept, empirical_bayes), *shift_notes(X, design, kept)),
    )


def _note(features: tuple[str, ...], kept: list[int], bayes: bool) -> str:
    if bayes:
        return "New rows need their group. Shifts and variances are drawn toward those of the other features."
    if kept:
        names = listing(features[j] for j in kept)
        return f"New rows need their group. {names} stay as they are, with what they say of the other features."
    return NOTE


def _protected(protect: Any, features: tuple[str, ...]) -> list[int]:
    """Positions of the features that are to stay as they are."""
    if protect is None:
        return []
    names = [protect] if isinstance(protect, str) else items("protect", protect, "names of features")
    for name in names:
        if not isinstance(name, str) or name not in features:
            raise InputError(
                "protect",
                with_hint(
                    f"has {shown(name)}, which is not a feature",
                    nearest(str(name), features),
                    f"these are {listing(features, 12)}.",
                ),
            )
    kept = sorted({features.index(name) for name in names})
    if len(kept) == len(features):
        raise InputError("protect", "has all features, so that none is left to adjust; leave some out.")
    return kept


def _slopes(rows: Floats, codes: Floats, parts: list[LevelRows], kept: list[int], features: tuple[str, ...]) -> Floats:
    """The regression (r, p) of the features on the protected ones within groups; of those themselves the identity."""
    within = rows - np.array([part.mean(rows) for part in parts])[codes]
    mass = np.empty(len(rows))
    for part in parts:
        mass[part.inside] = part.mass
    C = np.sqrt(mass)[:, None] * within[:, kept]
    size = np.linalg.norm(C, axis=0)
    whole = np.linalg.norm(np.sqrt(mass)[:, None] * rows[:, kept], axis=0)
    if (size <= 1e-9 * whole).any() or np.linalg.matrix_rank(C / np.where(size > 0, size, 1.0), tol=1e-9) < len(kept):
        raise InputError(
            "protect",
            f"has {listing(features[j] for j in kept)}, which the groups (and each other) determine: their "
            "part cannot be told from the groups'; protect fewer.",
        )
    result = np.linalg.lstsq(C / size, np.sqrt(mass)[:, None] * within, rcond=None)[0] / size[:, None]
    result[:, kept] = np.eye(len(kept))
    return np.asarray(result)


def _spreads(
    left: Floats,
    parts: list[LevelRows],
    levels: tuple[str, ...],
    features: tuple[str, ...],
    largest: Floats,
    free: Floats,
) -> Floats:
    """Standard deviations (G, p) by level of what is left, 0 of what is constant."""
    sds = np.array([part.mean_sd(left)[1] for part in parts])
    flat = sds <= 1e-12 * largest
    mixed = np.zeros(len(largest), dtype=bool)
    mixed[free] = np.asarray(flat.any(axis=0) & ~flat.all(axis=0))[free]
    if mixed.any():
        j = int(np.flatnonzero(mixed)[0])
        level = levels[int(np.flatnonzero(flat[:, j])[0])]
        raise InputError(
            "X",
            f"has the feature {features[j]!r}, which is constant in the group {level!r} and varies in others: no "
            "scale makes them alike; leave it out, or use residualize.",
        )
    return np.where(flat, 0.0, sds)


def _bayes(
    left: Floats, codes: Floats, parts: list[LevelRows], means: Floats, mass: Floats
) -> tuple[Floats, Floats, float]:
    """Shifts (G, m), ratios of spreads (G, m) and the last change of the estimates, all by empirical Bayes."""
    if left.shape[1] < 3:
        raise InputError(
            "X",
            f"has {left.shape[1]} features that vary and are not protected; empirical Bayes learns from at least "
            f"three; pass {Setting('empirical_bayes', False)}.",
        )
    sd = np.sqrt(mass @ (left - means[codes]) ** 2 / mass.sum())
    result = [
        shrunk(mean / sd, (part.mean_sd(left)[1] / sd) ** 2, part.count, part.freedom / part.mass.sum())
        for mean, part in zip(means, parts, strict=True)
    ]
    shift, variance, moved = (np.array(x) for x in zip(*result, strict=True))
    return shift * sd, 1 / np.sqrt(variance), float(moved.max())


def _alike(rows: Floats, parts: list[LevelRows], pooled: Floats) -> tuple[Guarantee, ...]:
    """Means and standard deviations by group of the adjusted rows, centered."""
    size = np.where(pooled > 0, pooled, 1.0)
    result = [part.mean_sd(rows) for part in parts]
    means = max(float(np.max(np.abs(mean) / size)) for mean, _ in result)
    spreads = max(float(np.max(np.abs(sd - pooled) / size)) for _, sd in result)
    return (
        Guarantee(
            message("largest difference of a group's mean from the overall one, in standard deviations"), means, 1e-9
        ),
        Guarantee(message("largest difference of a standard deviation from the pooled one, relative"), spreads, 1e-9),
    )
