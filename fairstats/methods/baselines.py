"""Two baselines: regress the groups out of every feature, or make its mean and standard deviation equal in them."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairstats.choices import Missing
from fairstats.data.centered import Centered, centered
from fairstats.data.columns import Tabular
from fairstats.data.design import Design
from fairstats.errors import InputError, listing
from fairstats.methods.results.checking import checked
from fairstats.methods.results.group_map import GroupMap
from fairstats.methods.results.guarantee import Guarantee

NOTE = (
    "New rows need their group. Means are made equal, so no linear probe of the training rows finds the groups; other "
    "probes may."
)


@checked()
def residualize(
    X: Any, groups: Any, *, data: Tabular | None = None, weights: Any = None, missing: Missing = "raise"
) -> GroupMap:
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
    GroupMap
        ``transform`` needs the group of a row.

    Raises
    ------
    InputError
        No groups.

    Guarantees
    ----------
    Every adjusted feature is uncorrelated with every group indicator (and continuous attribute).
    No other adjustment with that property changes the training rows by less.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0], [3.0], [11.0], [13.0]])
    >>> residualize(X, ["a", "a", "b", "b"]).transform(X, ["a", "a", "b", "b"]).ravel().tolist()
    [6.0, 8.0, 6.0, 8.0]
    """
    design = X if isinstance(X, Design) else Design.of(X, groups, data=data, weights=weights, missing=missing)
    view, M, share, lost = _regressed(design, "residualize")
    return GroupMap(
        method="residualize",
        title="Residuals on the groups",
        scaling=view.scaling,
        encoding=view.encoding,
        coefficients=M,
        share=share,
        total=view.total,
        error=lost,
        guarantees=(_uncorrelated(view, M),),
        notes=(NOTE,),
    )


@checked()
def location_scale(X: Any, groups: Any, *, data: Tabular | None = None, missing: Missing = "raise") -> GroupMap:
    """Give every feature the same mean and the same standard deviation in every group.

    Parameters
    ----------
    X : array (n, p), table, column names or formula
    groups : column name of ``data`` or labels (n,)
        One attribute; ``"sex:race"`` is an intersection.
    data : table, optional
        Where column names and formulas are looked up.
    missing : {"raise", "level", "drop"}
        Rows whose group is missing.

    Returns
    -------
    GroupMap
        ``transform`` needs the group of a row.

    Raises
    ------
    InputError
        No groups, several attributes or a continuous one, a group of one row, a feature that is constant in a group
        and not in all.

    Guarantees
    ----------
    In the training rows every group has the overall mean and the pooled within-group standard deviation.

    Notes
    -----
    The location and scale adjustment of ComBat without its empirical Bayes step, which borrows strength across
    thousands of features and would leave differences in a few.

    References
    ----------
    Johnson, Li & Rabinovic (2007), "Adjusting batch effects in microarray expression data using empirical Bayes
    methods", Biostatistics 8, section 3.

    Examples
    --------
    >>> import numpy as np
    >>> X, g = np.array([[1.0], [3.0], [10.0], [30.0]]), ["a", "a", "b", "b"]
    >>> S = location_scale(X, g).transform(X, g)
    >>> [S[:2].mean().round(6).item(), S[2:].mean().round(6).item(), (np.ptp(S[:2]) / np.ptp(S[2:])).round(6).item()]
    [11.0, 11.0, 1.0]
    """
    design = X if isinstance(X, Design) else Design.of(X, groups, data=data, missing=missing)
    if design.weights is not None:
        raise InputError("weights are not known to location_scale; leave them out, or use residualize.")
    if design.groups is not None and (len(design.groups.factors) != 1 or design.groups.continuous_names):
        names = listing((*design.groups.names, *design.groups.continuous_names))
        raise InputError(f"groups has {names}; location_scale takes one attribute: join two as 'a:b', cut numbers.")
    view, M, share, _ = _regressed(design, "location_scale")
    assert design.groups is not None
    factor = design.groups.factors[0]
    rows = _dense(design) - view.scaling.center
    rows -= rows.mean(axis=0)  # again: the mean of numbers near 1e8 was rounded
    sds = _spreads(rows, factor.codes, factor.levels, view.scaling.features)
    pooled = np.sqrt(sum((np.sum(factor.codes == g) - 1) * sd**2 for g, sd in enumerate(sds)) / (design.n - len(sds)))
    ratios = [np.where(sd > 0, pooled / np.where(sd > 0, sd, 1.0), 1.0) for sd in sds]
    shifted = rows - view.encoding.encode(design.groups) @ M
    made = np.array(ratios)[factor.codes] * shifted
    return GroupMap(
        method="location_scale",
        title="Equal means and standard deviations",
        scaling=view.scaling,
        encoding=view.encoding,
        coefficients=M,
        share=share,
        total=view.total,
        error=float(np.sum((rows - made) ** 2)),
        factors=dict(zip(factor.levels, ratios, strict=True)),
        guarantees=_alike(made, factor.codes, pooled),
        notes=(NOTE,),
    )


def _regressed(design: Design, method: str) -> tuple[Centered, np.ndarray, np.ndarray, float]:
    if design.groups is None:
        raise InputError(f"groups is missing; {method} takes out what they explain.")
    design = design.counted()
    view = centered(design)
    M = np.linalg.solve(view.gram_z, view.cross_z)
    lost = np.einsum("qp,qp->p", view.cross_z, M)
    rows = _dense(design) - view.scaling.center
    mass = np.ones(design.n) if design.weights is None else design.weights
    squares = mass @ rows**2
    return view, M, np.clip(lost / np.where(squares > 0, squares, 1.0), 0, 1), float(lost.sum())


def _dense(design: Design) -> np.ndarray:
    return design.X.toarray() if hasattr(design.X, "toarray") else np.asarray(design.X)


def _uncorrelated(view: Centered, M: np.ndarray) -> Guarantee:
    left = np.abs(view.cross_z - view.gram_z @ M)
    size = np.sqrt(np.outer(np.diag(view.gram_z), np.full(left.shape[1], max(view.total, 1e-300))))
    return Guarantee(
        "largest |covariance| of an adjusted feature with a group, relative", float((left / size).max()), 1e-10
    )


def _spreads(
    rows: np.ndarray, codes: np.ndarray, levels: tuple[str, ...], features: tuple[str, ...]
) -> list[np.ndarray]:
    """Standard deviations (p,) by level."""
    small = [level for g, level in enumerate(levels) if np.sum(codes == g) < 2]
    if small:
        raise InputError(
            f"groups has the level {listing(small)} with one row, which has no spread; merge it, or drop it."
        )
    sds = [rows[codes == g].std(axis=0, ddof=1) for g in range(len(levels))]
    flat = np.array(sds) <= 1e-12 * np.abs(rows).max(axis=0)
    mixed = flat.any(axis=0) & ~flat.all(axis=0)
    if mixed.any():
        j = int(np.flatnonzero(mixed)[0])
        level = levels[int(np.flatnonzero(flat[:, j])[0])]
        raise InputError(
            f"X has the feature {features[j]!r}, which is constant in the group {level!r} and varies in others: no "
            "scale makes them alike; leave it out, or use residualize."
        )
    return [np.where(f, 0.0, sd) for f, sd in zip(flat, sds, strict=True)]


def _alike(rows: np.ndarray, codes: np.ndarray, pooled: np.ndarray) -> tuple[Guarantee, ...]:
    """Means and standard deviations by group of the adjusted rows, centered."""
    size = np.where(pooled > 0, pooled, 1.0)
    parts = [rows[codes == g] for g in np.unique(codes)]
    means = max(float(np.max(np.abs(part.mean(axis=0)) / size)) for part in parts)
    spreads = max(float(np.max(np.abs(part.std(axis=0, ddof=1) - pooled) / size)) for part in parts)
    return (
        Guarantee("largest difference of a group's mean from the overall one, in standard deviations", means, 1e-9),
        Guarantee("largest difference of a standard deviation from the pooled one, relative", spreads, 1e-9),
    )
