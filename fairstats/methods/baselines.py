"""Two baselines: regress the groups out of every feature, or make its mean and standard deviation equal in them."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairstats.choices import Missing
from fairstats.data.centered import Centered, centered
from fairstats.data.columns import Tabular
from fairstats.data.design import Design
from fairstats.data.scaling import freedom
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
    >>> import fairstats as fs
    >>> import numpy as np
    >>> X = np.array([[1.0], [3.0], [11.0], [13.0]])
    >>> fs.comparators.residualize(X, ["a", "a", "b", "b"]).transform(X, ["a", "a", "b", "b"]).ravel().tolist()
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
def location_scale(
    X: Any, groups: Any, *, data: Tabular | None = None, weights: Any = None, missing: Missing = "raise"
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
    >>> import fairstats as fs
    >>> import numpy as np
    >>> X, g = np.array([[1.0], [3.0], [10.0], [30.0]]), ["a", "a", "b", "b"]
    >>> S = fs.comparators.location_scale(X, g).transform(X, g)
    >>> [S[:2].mean().round(6).item(), S[2:].mean().round(6).item(), (np.ptp(S[:2]) / np.ptp(S[2:])).round(6).item()]
    [11.0, 11.0, 1.0]
    """
    design = X if isinstance(X, Design) else Design.of(X, groups, data=data, weights=weights, missing=missing)
    design = design.counted()
    if design.groups is not None and (len(design.groups.factors) != 1 or design.groups.continuous_names):
        names = listing((*design.groups.names, *design.groups.continuous_names))
        raise InputError(f"groups has {names}; location_scale takes one attribute: join two as 'a:b', cut numbers.")
    view, M, share, _ = _regressed(design, "location_scale")
    assert design.groups is not None
    factor = design.groups.factors[0]
    mass = np.ones(design.n) if design.weights is None else design.weights
    parts = [_Part(factor.codes == g, mass) for g in range(len(factor.levels))]
    rows = _dense(design) - view.scaling.center
    rows -= mass @ rows / mass.sum()  # again: the mean of numbers near 1e8 was rounded
    sds = _spreads(rows, parts, factor.levels, view.scaling.features)
    left = np.array([part.freedom for part in parts])
    pooled = np.sqrt(left / left.sum() @ np.array(sds) ** 2)
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
        error=float(mass @ np.sum((rows - made) ** 2, axis=1)),
        factors=dict(zip(factor.levels, ratios, strict=True)),
        guarantees=_alike(made, parts, pooled),
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


class _Part:
    """The rows of a level with their weights, and the divisor of their sum of squares."""

    def __init__(self, inside: np.ndarray, mass: np.ndarray) -> None:
        self.inside, self.mass = inside, mass[inside]
        self.freedom = float(freedom(self.mass.sum(), self.mass @ self.mass))

    def mean_sd(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the mean and standard deviation (p,) of these among all rows."""
        own = rows[self.inside]
        mean = self.mass @ own / self.mass.sum()
        return mean, np.sqrt(self.mass @ (own - mean) ** 2 / self.freedom)


def _spreads(
    rows: np.ndarray, parts: list[_Part], levels: tuple[str, ...], features: tuple[str, ...]
) -> list[np.ndarray]:
    """Standard deviations (p,) by level."""
    small = [level for level, part in zip(levels, parts, strict=True) if not part.freedom]
    if small:
        raise InputError(
            f"groups has the level {listing(small)} with one row, which has no spread; merge it, or drop it."
        )
    sds = [part.mean_sd(rows)[1] for part in parts]
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


def _alike(rows: np.ndarray, parts: list[_Part], pooled: np.ndarray) -> tuple[Guarantee, ...]:
    """Means and standard deviations by group of the adjusted rows, centered."""
    size = np.where(pooled > 0, pooled, 1.0)
    found = [part.mean_sd(rows) for part in parts]
    means = max(float(np.max(np.abs(mean) / size)) for mean, _ in found)
    spreads = max(float(np.max(np.abs(sd - pooled) / size)) for _, sd in found)
    return (
        Guarantee("largest difference of a group's mean from the overall one, in standard deviations", means, 1e-9),
        Guarantee("largest difference of a standard deviation from the pooled one, relative", spreads, 1e-9),
    )
