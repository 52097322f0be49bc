"""Location and scale of every feature made equal in the groups, as ComBat does (Johnson, Li & Rabinovic 2007)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fairstats.arguments import flag, items, shown
from fairstats.choices import Missing
from fairstats.data.columns import Tabular
from fairstats.data.design import Design
from fairstats.errors import InputError, listing, nearest
from fairstats.methods.parts.lattices import shift_notes
from fairstats.methods.parts.level_rows import (
    NOTE,
    LevelRows,
    centered_rows,
    levels_of,
    masses,
    regressed,
    shifts,
)
from fairstats.methods.results.checking import checked
from fairstats.methods.results.group_map import GroupMap
from fairstats.methods.results.guarantee import Guarantee
from fairstats.methods.solvers.empirical_bayes import shrunk

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
) -> GroupMap:
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
    GroupMap
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
    held = _protected(protect, design.features)
    levels, codes, parts = levels_of(design, "location_scale")
    view, M, share, _ = regressed(design, "location_scale")
    rows, mass = centered_rows(design, view), masses(design)
    slopes = _slopes(rows, codes, parts, held, design.features) if held else np.zeros((0, rows.shape[1]))
    explained = rows[:, held] @ slopes
    left = rows - explained
    means = np.array([part.mean(left) for part in parts])
    free = np.setdiff1d(np.arange(rows.shape[1]), held)
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
    if held or empirical_bayes:
        M, offset = shifts(view, codes, design.groups, means)
    made = explained + ratios[codes] * (left - means[codes])
    return GroupMap(
        method="location_scale",
        title="Equal means and standard deviations" + (" (empirical Bayes)" if empirical_bayes else ""),
        scaling=view.scaling,
        encoding=view.encoding,
        coefficients=M,
        share=share,
        total=view.total,
        error=float(mass @ np.sum((rows - made) ** 2, axis=1)),
        factors=dict(zip(levels, ratios, strict=True)),
        protected=tuple(design.features[j] for j in held),
        slopes=slopes if held else None,
        offset=offset,
        guarantees=promised or _alike((made - explained)[:, free], parts, pooled[free]),
        settings={"protect": [design.features[j] for j in held] or None, "empirical_bayes": empirical_bayes},
        notes=(_note(design.features, held, empirical_bayes), *shift_notes(X, design, held)),
    )


def _note(features: tuple[str, ...], held: list[int], bayes: bool) -> str:
    if bayes:
        return "New rows need their group. Shifts and variances are drawn toward those of the other features."
    if held:
        names = listing(features[j] for j in held)
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
                f"protect has {shown(name)}, which is not a feature{nearest(str(name), features)}; these are "
                f"{listing(features, 12)}."
            )
    held = sorted({features.index(name) for name in names})
    if len(held) == len(features):
        raise InputError("protect has all features, so that none is left to adjust; leave some out.")
    return held


def _slopes(rows: Floats, codes: Floats, parts: list[LevelRows], held: list[int], features: tuple[str, ...]) -> Floats:
    """The regression (r, p) of the features on the protected ones within groups; of those themselves the identity."""
    within = rows - np.array([part.mean(rows) for part in parts])[codes]
    mass = np.empty(len(rows))
    for part in parts:
        mass[part.inside] = part.mass
    C = np.sqrt(mass)[:, None] * within[:, held]
    size = np.linalg.norm(C, axis=0)
    whole = np.linalg.norm(np.sqrt(mass)[:, None] * rows[:, held], axis=0)
    if (size <= 1e-9 * whole).any() or np.linalg.matrix_rank(C / np.where(size > 0, size, 1.0), tol=1e-9) < len(held):
        raise InputError(
            f"protect has {listing(features[j] for j in held)}, which the groups (and each other) determine: their "
            "part cannot be told from the groups'; protect fewer."
        )
    found = np.linalg.lstsq(C / size, np.sqrt(mass)[:, None] * within, rcond=None)[0] / size[:, None]
    found[:, held] = np.eye(len(held))
    return np.asarray(found)


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
            f"X has the feature {features[j]!r}, which is constant in the group {level!r} and varies in others: no "
            "scale makes them alike; leave it out, or use residualize."
        )
    return np.where(flat, 0.0, sds)


def _bayes(
    left: Floats, codes: Floats, parts: list[LevelRows], means: Floats, mass: Floats
) -> tuple[Floats, Floats, float]:
    """Shifts (G, m), ratios of spreads (G, m) and the last change of the estimates, all by empirical Bayes."""
    if left.shape[1] < 3:
        raise InputError(
            f"X has {left.shape[1]} features that vary and are not protected; empirical Bayes learns from at least "
            "three; pass empirical_bayes=False."
        )
    sd = np.sqrt(mass @ (left - means[codes]) ** 2 / mass.sum())
    found = [
        shrunk(mean / sd, (part.mean_sd(left)[1] / sd) ** 2, part.count, part.freedom / part.mass.sum())
        for mean, part in zip(means, parts, strict=True)
    ]
    shift, variance, moved = (np.array(x) for x in zip(*found, strict=True))
    return shift * sd, 1 / np.sqrt(variance), float(moved.max())


def _alike(rows: Floats, parts: list[LevelRows], pooled: Floats) -> tuple[Guarantee, ...]:
    """Means and standard deviations by group of the adjusted rows, centered."""
    size = np.where(pooled > 0, pooled, 1.0)
    found = [part.mean_sd(rows) for part in parts]
    means = max(float(np.max(np.abs(mean) / size)) for mean, _ in found)
    spreads = max(float(np.max(np.abs(sd - pooled) / size)) for _, sd in found)
    return (
        Guarantee("largest difference of a group's mean from the overall one, in standard deviations", means, 1e-9),
        Guarantee("largest difference of a standard deviation from the pooled one, relative", spreads, 1e-9),
    )
